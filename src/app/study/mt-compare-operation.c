/* Two fitted models compared off the main thread, with what is needed to show it. See mt-compare-
 * operation.h. */
#include "config.h"
#include "mt-compare-operation.h"

#include <glib/gi18n.h>
#include <string.h>

#include "mt-rule-book-build.h"
#include "mt-run.h"

MtCompareOperation *
mt_compare_operation_ref (MtCompareOperation *comparing)
{
  return g_atomic_rc_box_acquire (comparing);
}

static void
comparing_clear (gpointer data)
{
  MtCompareOperation *self = data;

  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&self->books[i], mt_rule_book_unref);
      g_clear_pointer (&self->models[i], mt_selected_model_unref);
    }
  mt_comparison_free (self->comparison);
}

void
mt_compare_operation_unref (MtCompareOperation *comparing)
{
  if (comparing != NULL)
    g_atomic_rc_box_release_full (comparing, comparing_clear);
}

static gboolean
have_same_rows (const MtRunData *a,
                const MtRunData *b)
{
  return a->table == b->table && a->rows->n_rows == b->rows->n_rows &&
         memcmp (a->rows->rows, b->rows->rows, a->rows->n_rows * sizeof *a->rows->rows) == 0;
}

/* The second model on the rows of the first, which are not always its own. */
static MtEncoded *
encode_rows (const MtRunData  *a,
             const MtRunData  *b,
             GError        **error)
{
  if (have_same_rows (a, b))
    return mt_encoded_ref (b->encoded);
  return mt_encoder_apply (b->encoder, a->table, a->rows->rows, a->rows->n_rows, NULL, error);
}

/* What a side is made from; the basis may have to be made first. */
typedef struct {
  MtFrontierPoint  point;
  MtRunData         *basis;
  MtTable         *table;
  MtEncoder       *encoder;
  MtRunSettings    settings;
} Side;

typedef struct {
  Side sides[2];
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  for (guint i = 0; i < 2; i++)
    {
      Side *side = &job->sides[i];

      g_clear_pointer (&side->point.rules, mt_rule_set_unref);
      g_clear_pointer (&side->basis, mt_basis_unref);
      g_clear_pointer (&side->table, mt_table_unref);
      g_clear_pointer (&side->encoder, mt_encoder_unref);
    }
  g_free (job);
}

static gboolean
fill_models (Job          *job,
             MtCompareOperation  *self,
             GError      **error)
{
  for (guint i = 0; i < 2; i++)
    {
      Side *side = &job->sides[i];

      if (side->basis == NULL)
        side->basis = mt_basis_new (side->table, side->encoder, &side->settings, error);
      if (side->basis == NULL)
        return FALSE;
      self->models[i] = mt_selected_model_new (side->basis, &side->point, NULL, NULL);
      self->books[i] = mt_selected_model_make_book (self->models[i]);
    }
  return TRUE;
}

static void
compare_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  g_autoptr (MtCompareOperation) self = g_atomic_rc_box_new0 (MtCompareOperation);
  g_autoptr (MtEncoded) encoded = NULL;
  GError *error = NULL;

  if (fill_models (data, self, &error))
    encoded = encode_rows (self->models[0]->basis, self->models[1]->basis, &error);
  if (encoded != NULL)
    {
      const MtRunData *a = self->models[0]->basis, *b = self->models[1]->basis;
      const MtCompared models[2] = {
        { self->models[0]->point.rules, a->encoder, a->encoded }, { self->models[1]->point.rules, b->encoder, encoded },
      };

      self->comparison = mt_compare_models (models, cancellable, &error);
    }
  if (self->comparison != NULL)
    g_task_return_pointer (task, g_steal_pointer (&self), (GDestroyNotify) mt_compare_operation_unref);
  else
    g_task_return_error (task, error);
}

static gboolean
side_init (Side           *side,
           MtFrontierItem *item)
{
  MtRun *run = mt_frontier_item_get_run (item);

  if (run == NULL || mt_frontier_item_get_point (item)->rules == NULL ||
      (mt_run_get_basis (run) == NULL && mt_run_get_encoder (run) == NULL))
    return FALSE;
  side->point = *mt_frontier_item_get_point (item);
  mt_rule_set_ref (side->point.rules);
  if (mt_run_get_basis (run) != NULL)
    side->basis = mt_basis_ref (mt_run_get_basis (run));
  else
    {
      side->table = mt_table_ref (mt_run_get_table (run));
      side->encoder = mt_encoder_ref (mt_run_get_encoder (run));
      side->settings = *mt_run_get_settings (run);
    }
  return TRUE;
}

void
mt_compare_async (gpointer             source,
                  MtFrontierItem      *a,
                  MtFrontierItem      *b,
                  GCancellable        *cancellable,
                  GAsyncReadyCallback  done)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, done, NULL);
  Job *job = g_new0 (Job, 1);

  g_task_set_source_tag (task, mt_compare_async);
  g_task_set_task_data (task, job, job_free);
  if (side_init (&job->sides[0], a) && side_init (&job->sides[1], b))
    g_task_run_in_thread (task, compare_thread);
  else
    g_task_return_new_error (task, MT_ERROR, MT_ERROR_PARAMS, "%s",
                             _("One of these models belongs to a deleted run. Train again to compare."));
}

MtCompareOperation *
mt_compare_finish (GAsyncResult  *result,
                   GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
