/* The model one looks at, with the rows it was learned from: what the Rules page, what-if, editing and
 * reports start from. mt_study_get_fitted() gives that of the selected point. See mt-selected-model.h. */
#include "config.h"
#include "mt-selected-model.h"

#include <math.h>

G_DEFINE_BOXED_TYPE (MtSelectedModel, mt_selected_model, mt_selected_model_ref, mt_selected_model_unref)

MtRunData *
mt_basis_new_from_learned (MtTable             *table,
                           MtLearned           *learned,
                           GArray              *test,
                           const MtRunSettings *settings)
{
  MtRunData *self;

  g_return_val_if_fail (table != NULL && learned != NULL, NULL);

  self = g_atomic_rc_box_new0 (MtRunData);
  self->table = mt_table_ref (table);
  self->target = g_steal_pointer (&learned->target);
  self->rows = g_steal_pointer (&learned->rows);
  self->encoder = g_steal_pointer (&learned->encoder);
  self->encoded = g_steal_pointer (&learned->encoded);
  self->frontier = mt_frontier_ref (learned->frontier);
  self->test = test != NULL ? g_array_ref (test) : NULL;
  self->dont_care = settings->dont_care;
  self->settings = *settings;
  return self;
}

MtRunData *
mt_basis_new (MtTable              *table,
              MtEncoder            *encoder,
              const MtRunSettings  *settings,
              GError              **error)
{
  g_autoptr (MtRunData) self = NULL;
  g_autoptr (GArray) train = NULL;
  MtLearnOptions options;
  const guint32 *rows;
  gsize n_rows;

  g_return_val_if_fail (table != NULL && encoder != NULL && settings != NULL, NULL);

  mt_run_settings_to_learn (settings, &options);
  self = g_atomic_rc_box_new0 (MtRunData);
  self->table = mt_table_ref (table);
  self->encoder = mt_encoder_ref (encoder);
  self->dont_care = settings->dont_care;
  self->settings = *settings;
  if (!mt_run_settings_split (settings, table, &train, &self->test, error))
    return NULL;
  rows = train != NULL ? &g_array_index (train, guint32, 0) : NULL;
  n_rows = train != NULL ? train->len : 0;
  self->target = mt_target_new (table, rows, n_rows, options.task, error);
  if (self->target != NULL)
    self->rows = mt_target_read (self->target, table, rows, n_rows, error);
  if (self->rows != NULL)
    self->encoded = mt_encoder_apply (encoder, table, self->rows->rows, self->rows->n_rows, NULL, error);
  return self->encoded != NULL ? g_steal_pointer (&self) : NULL;
}

gboolean
mt_basis_read_test (const MtRunData  *basis,
                    MtTargetRows  **truth,
                    MtEncoded     **test,
                    GError        **error)
{
  *truth = NULL;
  *test = NULL;
  if (basis->test == NULL)
    return TRUE;
  *truth = mt_target_read (basis->target, basis->table, &g_array_index (basis->test, guint32, 0), basis->test->len, error);
  if (*truth == NULL)
    return FALSE;
  *test = mt_encoder_apply (basis->encoder, basis->table, (*truth)->rows, (*truth)->n_rows, NULL, error);
  return *test != NULL;
}

MtRunData *
mt_basis_ref (MtRunData *basis)
{
  return g_atomic_rc_box_acquire (basis);
}

static void
basis_clear (gpointer data)
{
  MtRunData *self = data;

  mt_table_unref (self->table);
  mt_target_unref (self->target);
  mt_target_rows_free (self->rows);
  mt_encoder_unref (self->encoder);
  mt_encoded_unref (self->encoded);
  g_clear_pointer (&self->frontier, mt_frontier_unref);
  g_clear_pointer (&self->test, g_array_unref);
  g_free (self->sha256);
}

void
mt_basis_unref (MtRunData *basis)
{
  if (basis != NULL)
    g_atomic_rc_box_release_full (basis, basis_clear);
}

MtSelectedModel *
mt_selected_model_new (MtRunData               *basis,
                       const MtFrontierPoint *point,
                       MtEditHistory         *history,
                       MtModel               *kept)
{
  MtSelectedModel *self;

  g_return_val_if_fail (basis != NULL && point != NULL && point->rules != NULL, NULL);

  self = g_atomic_rc_box_new0 (MtSelectedModel);
  self->basis = mt_basis_ref (basis);
  self->point = *point;
  self->point.rules = mt_rule_set_ref (point->rules);
  self->history = history != NULL ? mt_edit_history_ref (history) : NULL;
  self->kept = kept != NULL ? mt_model_ref (kept) : NULL;
  return self;
}

MtSelectedModel *
mt_selected_model_ref (MtSelectedModel *fitted)
{
  return g_atomic_rc_box_acquire (fitted);
}

static void
fitted_clear (gpointer data)
{
  MtSelectedModel *self = data;

  mt_basis_unref (self->basis);
  mt_rule_set_unref (self->point.rules);
  mt_edit_history_unref (self->history);
  g_clear_pointer (&self->kept, mt_model_unref);
}

void
mt_selected_model_unref (MtSelectedModel *fitted)
{
  if (fitted != NULL)
    g_atomic_rc_box_release_full (fitted, fitted_clear);
}

MtModel *
mt_selected_model_dup_model (const MtSelectedModel  *fitted,
                             const MtImport  *import,
                             GError         **error)
{
  static const char * const modes[] = { "off", "impossible", "unseen" };
  const MtRunData *basis = fitted->basis;
  const MtFrontierPoint *point = &fitted->point;
  MtMetric metric = mt_target_get_task (basis->target) == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  const char * const *tokens = import != NULL
                               ? (const char * const *) mt_import_get_dialect (import)->missing_tokens : NULL;
  MtModelMetric metrics[2];
  const MtColumn *target;
  MtModelInfo info;

  mt_model_info_init (&info);
  info.target = mt_target_get_name (basis->target);
  info.classes = mt_target_get_classes (basis->target);
  info.dont_care = modes[basis->dont_care];
  info.data_sha256 = basis->sha256 != NULL ? basis->sha256 : import != NULL ? mt_import_get_sha256 (import) : NULL;
  info.n_rows = mt_table_get_n_rows (basis->table);
  info.n_train = basis->rows->n_rows;
  info.n_test = basis->test != NULL ? basis->test->len : 0;
  info.metrics = metrics;
  if (isfinite (point->train))
    metrics[info.n_metrics++] = (MtModelMetric) { "train", metric, point->train, FALSE, 0, 0 };
  if (isfinite (point->cv_mean))
    metrics[info.n_metrics++] = (MtModelMetric) { "cv", metric, point->cv_mean, TRUE, point->cv_mean - point->cv_se,
                                                  point->cv_mean + point->cv_se };
  if (tokens != NULL && !g_strv_equal (tokens, mt_missing_get_default_tokens ()))
    info.missing_tokens = tokens;
  target = mt_table_find_column (basis->table, info.target, NULL);
  if (target != NULL)
    info.target_missing = mt_column_get_missing_values (target);
  if (fitted->history != NULL)
    {
      info.edits = mt_edit_history_get (fitted->history, 0);
      info.n_edits = mt_edit_history_get_n (fitted->history);
    }
  return mt_model_new (basis->encoder, point->rules, &info, error);
}
