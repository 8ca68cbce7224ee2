/* The rows of a report: what the model answers, which of them it learned from, and how well it does on each
 * part. The split of the training file is made again from what the model's file says of it, and believed only
 * when it gives the very test figure that the file has. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>
#include <string.h>

#include "data/mt-duplicates.h"
#include "data/mt-split.h"

#define N_RESAMPLES 1000

static void
part_clear (MtReportPart *part)
{
  g_clear_pointer (&part->which, g_array_unref);
  mt_scored_part_clear (&part->part);
}

void
mt_report_rows_free (MtReportRows *rows)
{
  g_clear_pointer (&rows->truth, mt_truth_free);
  g_free (rows->predictions);
  for (guint i = 0; i < rows->n_parts; i++)
    part_clear (&rows->parts[i]);
  g_free (rows);
}

/* --- the split --- */

const MtModelSetting *
mt_report_find_setting (const MtModel *model,
                        const char    *name)
{
  const MtModelInfo *info = mt_model_get_info (model);

  for (guint i = 0; i < info->n_settings; i++)
    if (g_str_equal (info->settings[i].name, name))
      return &info->settings[i];
  return NULL;
}

/* The column to which the options of the run give a role, if any. @role: "=group" or "=time". */
static char *
dup_column (const MtModel *model,
            const char    *role)
{
  const MtModelSetting *reading = mt_report_find_setting (model, "reading");
  g_auto (GStrv) words = NULL;

  if (reading == NULL || reading->kind != MT_SETTING_TEXT || !g_shell_parse_argv (reading->text, NULL, &words, NULL))
    return NULL;
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_has_prefix (words[i], "--role=") && g_str_has_suffix (words[i], role))
      return g_strndup (words[i] + 7, strlen (words[i]) - 7 - strlen (role));
  return NULL;
}

static MtTable *
make_table_to_split (const MtModel *model,
                     const MtTable *table)
{
  g_autofree MtColumnRole *roles = g_new (MtColumnRole, mt_table_get_n_columns (table) + 1);
  g_autofree char *group = dup_column (model, "=group");
  g_autofree char *time = dup_column (model, "=time");

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, c));

      roles[c] = MT_ROLE_FEATURE;
      if (g_str_equal (name, mt_model_get_info (model)->target))
        roles[c] = MT_ROLE_TARGET;
      else if (g_strcmp0 (name, group) == 0)
        roles[c] = MT_ROLE_GROUP;
      else if (g_strcmp0 (name, time) == 0)
        roles[c] = MT_ROLE_TIME;
    }
  return mt_table_with_roles (table, roles, NULL);
}

/* Positions among the rows whose truth is known. */
static GArray *
find_positions (const MtTruth *truth,
                GArray        *rows)
{
  GArray *which = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 k = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      while (k < truth->n_rows && truth->rows[k] < g_array_index (rows, guint32, i))
        k++;
      if (k < truth->n_rows && truth->rows[k] == g_array_index (rows, guint32, i))
        g_array_append_val (which, k);
    }
  return which;
}

static void
add_part (MtReportRows  *rows,
          const MtModel *model,
          const char    *name,
          GArray        *which)     /* taken; NULL: all */
{
  MtReportPart *part = &rows->parts[rows->n_parts++];

  part->name = name;
  part->which = which;
  mt_scored_part_init (&part->part, &rows->scored, mt_model_get_n_predictions (model),
                       which != NULL ? (const guint32 *) (gpointer) which->data : NULL, which != NULL ? which->len : 0);
}

static gboolean
is_same_test (const MtReportRows *rows,
              const MtModel      *model,
              GArray             *test)
{
  MtMetric metric = mt_model_get_task (model) == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  g_auto (MtScoredPart) part = { .classes = NULL };
  double kept;

  if (!mt_model_get_metric (model, "test", metric, &kept) || test->len != mt_model_get_info (model)->n_test)
    return FALSE;
  mt_scored_part_init (&part, &rows->scored, mt_model_get_n_predictions (model), (const guint32 *) (gpointer) test->data,
                       test->len);
  return fabs (mt_metric_compute (metric, &part.scored) - kept) <= 1e-9;
}

/* FALSE: it cannot be made again. */
static gboolean
split_again (MtReportRows        *rows,
             const MtReportParts *parts)
{
  const MtModelSetting *fraction = mt_report_find_setting (parts->model, "test-fraction");
  const MtModelSetting *seed = mt_report_find_setting (parts->model, "split-seed");
  g_autoptr (MtTable) table = NULL;
  g_autoptr (GArray) train = NULL;
  g_autoptr (GArray) test = NULL;
  g_autoptr (GArray) test_positions = NULL;
  MtSplitOptions split = { .stratify = TRUE, .spare_lone = TRUE };

  if (fraction == NULL || seed == NULL || fraction->kind != MT_SETTING_NUMBER || seed->kind != MT_SETTING_TEXT ||
      fraction->number <= 0 || fraction->number >= 1)
    return FALSE;
  split.test_fraction = fraction->number;
  split.seed = (guint64) g_ascii_strtoll (seed->text, NULL, 10);
  table = make_table_to_split (parts->model, mt_import_get_table (parts->data));
  if (!mt_split_test (table, &split, &train, &test, NULL))
    return FALSE;
  test_positions = find_positions (rows->truth, test);
  if (!is_same_test (rows, parts->model, test_positions))
    return FALSE;
  rows->origin = MT_REPORT_ROWS_SPLIT;
  add_part (rows, parts->model, "test", g_steal_pointer (&test_positions));
  add_part (rows, parts->model, "training", find_positions (rows->truth, train));
  return TRUE;
}

static void
find_origin (MtReportRows        *rows,
             const MtReportParts *parts)
{
  const MtModelSetting *test = mt_report_find_setting (parts->model, "test-sha256");
  const char *hash = mt_import_get_sha256 (parts->data);

  if (g_strcmp0 (hash, mt_model_get_info (parts->model)->data_sha256) == 0)
    {
      if (split_again (rows, parts))
        return;
      rows->origin = mt_model_get_info (parts->model)->n_test == 0 ? MT_REPORT_ROWS_TRAINING : MT_REPORT_ROWS_OWN;
    }
  else if (test != NULL && test->kind == MT_SETTING_TEXT && g_strcmp0 (hash, test->text) == 0)
    rows->origin = MT_REPORT_ROWS_TEST;
  add_part (rows, parts->model, rows->origin == MT_REPORT_ROWS_TEST ? "test" :
                                rows->origin == MT_REPORT_ROWS_TRAINING ? "training" : "all given", NULL);
}

/* What is not to be looked at goes. */
static void
spare_test (MtReportRows *rows)
{
  if (rows->origin == MT_REPORT_ROWS_SPLIT)
    {
      part_clear (&rows->parts[0]);
      rows->parts[0] = rows->parts[1];
      memset (&rows->parts[1], 0, sizeof rows->parts[1]);
      rows->n_parts = 1;
      rows->origin = MT_REPORT_ROWS_SPARED;
    }
  else if (rows->origin == MT_REPORT_ROWS_OWN || rows->origin == MT_REPORT_ROWS_TEST)
    {
      for (guint i = 0; i < rows->n_parts; i++)
        part_clear (&rows->parts[i]);
      rows->n_parts = 0;
      g_clear_pointer (&rows->truth, mt_truth_free);
    }
}

MtReportRows *
mt_report_rows_new (const MtReportParts  *parts,
                    GCancellable         *cancellable,
                    GError              **error)
{
  g_autoptr (MtReportRows) rows = g_new0 (MtReportRows, 1);
  const MtModel *model = parts->model;
  const char *target = mt_model_get_info (model)->target;
  const MtTable *table;

  mt_measuring_init (&rows->how, mt_model_get_task (model), N_RESAMPLES, parts->seed);
  if (parts->data == NULL)
    return g_steal_pointer (&rows);
  table = mt_import_get_table (parts->data);
  if (mt_table_find_column (table, target, NULL) == NULL)
    return g_steal_pointer (&rows);
  rows->truth = mt_model_read_truth (model, table, target, error);
  if (rows->truth == NULL)
    return NULL;
  if (rows->truth->n_rows == 0)
    {
      g_clear_pointer (&rows->truth, mt_truth_free);
      return g_steal_pointer (&rows);
    }
  rows->predictions = g_new (double, mt_model_get_n_predictions (model) * rows->truth->n_rows);
  if (!mt_model_predict (model, table, rows->truth->rows, rows->truth->n_rows, rows->predictions, NULL, error))
    return NULL;
  rows->scored = (MtScored) { mt_model_get_task (model), mt_model_get_n_classes (model), rows->truth->n_rows,
                              rows->truth->classes, rows->truth->values, rows->predictions, mt_model_get_cutoff (model) };
  find_origin (rows, parts);
  if (parts->spare_test)
    spare_test (rows);
  for (guint i = 0; i < rows->n_parts; i++)
    if (!mt_metric_bootstrap (rows->how.metrics, rows->how.n_metrics, &rows->parts[i].part.scored, rows->how.n_resamples,
                              rows->how.level, rows->how.seed, NULL, rows->parts[i].intervals, cancellable, error))
      return NULL;
  return g_steal_pointer (&rows);
}

guint32
mt_report_rows_get_row (const MtReportRows *rows,
                        const MtReportPart *part,
                        gsize               index)
{
  return rows->truth->rows[part->which != NULL ? g_array_index (part->which, guint32, index) : index];
}

/* --- duplicates --- */

gboolean
mt_report_add_duplicates (MtReport             *report,
                          const MtReportParts  *parts,
                          const MtReportRows   *rows,
                          GCancellable         *cancellable,
                          GError              **error)
{
  const MtEncoder *encoder = mt_model_get_encoder (parts->model);
  const MtTable *table = parts->data != NULL ? mt_import_get_table (parts->data) : NULL;
  g_autofree guint *columns = g_new (guint, mt_encoder_get_n_columns (encoder) + 1);
  g_autofree guint32 *first = NULL;
  g_autofree guint8 *side = NULL;
  gsize n_repeated = 0, n_leaked = 0;

  if (rows->truth == NULL)
    {
      mt_report_add_absent (report, "a check for duplicates; there are no rows with a known target.");
      return TRUE;
    }
  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    if (mt_table_find_column (table, mt_encoder_get_column_name (encoder, c), &columns[c]) == NULL)
      g_return_val_if_reached (FALSE);     /* it predicted */
  first = mt_duplicates_find (table, columns, mt_encoder_get_n_columns (encoder), rows->truth->rows, rows->truth->n_rows, NULL,
                              cancellable, error);
  if (first == NULL)
    return FALSE;
  /* Which sides have a row with these cells: 1 test, 2 training. */
  side = g_new0 (guint8, rows->truth->n_rows + 1);
  for (guint p = 0; p < rows->n_parts && rows->origin == MT_REPORT_ROWS_SPLIT; p++)
    for (guint i = 0; i < rows->parts[p].which->len; i++)
      side[first[g_array_index (rows->parts[p].which, guint32, i)]] |= (guint8) (1 << p);
  for (gsize i = 0; i < rows->truth->n_rows; i++)
    n_repeated += first[i] != i;
  for (guint i = 0; rows->origin == MT_REPORT_ROWS_SPLIT && i < rows->parts[0].which->len; i++)
    n_leaked += side[first[g_array_index (rows->parts[0].which, guint32, i)]] == 3;
  mt_report_add (report, "Duplicates: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " rows are equal to an "
                         "earlier row in every column of section 7.", n_repeated, rows->truth->n_rows);
  if (rows->origin == MT_REPORT_ROWS_SPLIT)
    mt_report_add (report, "%" G_GSIZE_FORMAT " of %u test rows are equal to a training row in all of these columns.", n_leaked,
                   rows->parts[0].which->len);
  return TRUE;
}
