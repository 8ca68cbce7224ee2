/* A model applied to a CSV of any size. See mt-scoring.h. */
#include "config.h"
#include "mt-scoring.h"

#include <math.h>
#include <string.h>

#include "base/mt-csv-write.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-parallel.h"
#include "explain/mt-reasons.h"
#include "explain/mt-subgroups.h"

#define BLOCK_ROWS 1024
#define PIECE_ROWS 4096u    /* whose conditions and lines a core keeps close */

/* --- does a file fit? --- */

static const char *
find_similar (const MtTable *table,
              const char    *name)
{
  g_autofree char *wanted = g_utf8_casefold (name, -1);

  g_strstrip (wanted);
  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const char *other = mt_column_get_name (mt_table_get_column (table, c));
      g_autofree char *folded = g_utf8_casefold (other, -1);

      g_strdelimit (g_strstrip (folded), " -.", '_');
      g_strdelimit (wanted, " -.", '_');
      if (strcmp (folded, wanted) == 0)
        return other;
    }
  return "";
}

MtScoringCheck *
mt_scoring_check (const MtModel  *model,
                  const MtImport *import)
{
  const MtTable *table = mt_import_get_table (import);
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const char *target = mt_model_get_info (model)->target;
  g_autoptr (GStrvBuilder) absent = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) similar = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) spare = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) unused = g_strv_builder_new ();
  g_autofree gboolean *needed = mt_model_find_used (model);
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;
  MtScoringCheck *check = g_new0 (MtScoringCheck, 1);

  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    {
      const char *name = mt_encoder_get_column_name (encoder, c);

      const MtFormula *formula = mt_encoder_get_column (encoder, c)->formula;

      g_hash_table_add (used, (char *) name);
      for (guint k = 0; formula != NULL && k < mt_formula_get_n_sources (formula); k++)
        g_hash_table_add (used, mt_formula_get_source (formula, k)->name);
      if (mt_table_find_column (table, name, NULL) != NULL)
        continue;
      if (!needed[c])
        {
          g_strv_builder_add (spare, name);
          continue;
        }
      g_strv_builder_add (absent, name);
      g_strv_builder_add (similar, find_similar (table, name));
    }
  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, c));

      if (strcmp (name, target) == 0)
        check->has_target = TRUE;
      else if (!g_hash_table_contains (used, name))
        g_strv_builder_add (unused, name);
    }
  check->absent = g_strv_builder_end (absent);
  check->similar = g_strv_builder_end (similar);
  check->spare = g_strv_builder_end (spare);
  check->unused = g_strv_builder_end (unused);
  if (!mt_model_check_import (model, import, &error))
    check->objection = g_strdup (error->message);
  return check;
}

gboolean
mt_scoring_check_fits (const MtScoringCheck *check)
{
  return check->absent[0] == NULL && check->objection == NULL;
}

void
mt_scoring_check_free (MtScoringCheck *check)
{
  if (check == NULL)
    return;
  g_strfreev (check->absent);
  g_strfreev (check->similar);
  g_strfreev (check->spare);
  g_strfreev (check->unused);
  g_free (check->objection);
  g_free (check);
}

/* --- a run --- */

typedef struct {
  const MtModel          *model;
  const MtScoringOptions *options;
  GCancellable           *cancellable;
  MtScoring              *scoring;
  MtDrift                *drift;         /* NULL: not known */
  guint                   n_keys;
  guint                  *key_columns;
  GString                *key_bytes;     /* of a part's rows, each cell with a NUL */
  GArray                 *key_offsets;   /* of gsize, n_keys a row */
  gboolean                measure;
  GArray                 *truth_classes; /* of guint32 */
  GArray                 *truth_values;  /* of double */
  GArray                 *truth_answers; /* of double, n_predictions a row */
  gboolean                begun;
  MtPool                 *pool;
} Run;

static void
free_line (gpointer line)
{
  g_strfreev (line);
}

void
mt_scoring_free (MtScoring *scoring)
{
  if (scoring == NULL)
    return;
  for (guint c = 0; c < scoring->n_columns; c++)
    g_free (scoring->columns[c].name);
  g_free (scoring->columns);
  g_free (scoring->decided);
  g_strfreev (scoring->header);
  g_ptr_array_unref (scoring->preview);
  g_free (scoring);
}

static MtScoring *
scoring_new (const MtModel *model)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  MtScoring *scoring = g_new0 (MtScoring, 1);

  scoring->n_columns = mt_encoder_get_n_columns (encoder);
  scoring->columns = g_new0 (MtScoringColumn, scoring->n_columns + 1);
  for (guint c = 0; c < scoring->n_columns; c++)
    {
      scoring->columns[c].name = g_strdup (mt_encoder_get_column_name (encoder, c));
      scoring->columns[c].psi = NAN;
    }
  scoring->n_classes = mt_model_get_n_classes (model);
  scoring->decided = scoring->n_classes > 0 ? g_new0 (guint64, scoring->n_classes) : NULL;
  scoring->min = INFINITY;
  scoring->max = -INFINITY;
  scoring->score_psi = NAN;
  scoring->preview = g_ptr_array_new_with_free_func (free_line);
  return scoring;
}

/* The cells of a line that mt-csv-write made. */
static char **
split_line (const char *line,
            gsize       length)
{
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();
  g_autoptr (GString) cell = g_string_new (NULL);
  gboolean quoted = FALSE;

  for (gsize i = 0; i < length && (quoted || line[i] != '\n'); i++)
    if (line[i] == '"' && quoted && i + 1 < length && line[i + 1] == '"')
      g_string_append_c (cell, line[i++]);
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      {
        g_strv_builder_add (cells, cell->str);
        g_string_truncate (cell, 0);
      }
    else
      g_string_append_c (cell, line[i]);
  g_strv_builder_add (cells, cell->str);
  return g_strv_builder_end (cells);
}

/* --- key columns --- */

static gboolean
find_keys (Run            *run,
           const MtTable  *table,
           GError        **error)
{
  for (guint k = 0; k < run->n_keys; k++)
    {
      const char *key = run->options->keys[k];

      if (mt_table_find_column (table, key, &run->key_columns[k]) == NULL)
        {
          g_autoptr (GString) list = g_string_new (NULL);
          guint n = mt_table_get_n_columns (table);

          for (guint c = 0; c < MIN (n, 20); c++)
            g_string_append_printf (list, "%s“%s”", c > 0 ? ", " : "", mt_column_get_name (mt_table_get_column (table, c)));
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("there is no column “%s”; the columns are %s%s"), key,
                       list->str, n > 20 ? ", …" : "");
          return FALSE;
        }
      for (guint j = 0; j < k; j++)
        if (strcmp (run->options->keys[j], key) == 0)
          {
            g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the key column “%s” is given twice"), key);
            return FALSE;
          }
    }
  return TRUE;
}

/* Two columns of one name could not be told apart by who reads the result. */
static gboolean
check_header (Run     *run,
              GError **error)
{
  char **header = run->scoring->header;

  for (guint k = 0; k < run->n_keys; k++)
    for (guint c = run->n_keys; header[c] != NULL; c++)
      if (strcmp (header[k], header[c]) == 0)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("the key column “%s” has the same name as a column of the predictions; rename it in "
                         "the file"),
                       header[k]);
          return FALSE;
        }
  return TRUE;
}

static gboolean
take_keys (guint               n_fields,
           const char * const *fields,
           const gsize        *lengths,
           gpointer            data)
{
  Run *run = data;

  for (guint k = 0; k < run->n_keys; k++)
    {
      guint c = run->key_columns[k];
      gsize offset = run->key_bytes->len;

      if (c < n_fields)
        g_string_append (run->key_bytes, fields[c]);
      g_string_append_c (run->key_bytes, '\0');
      g_array_append_val (run->key_offsets, offset);
    }
  return !g_cancellable_is_cancelled (run->cancellable);
}

/* --- counts --- */

static void
count_column (MtScoringColumn       *sums,
              const MtEncoderColumn *wanted,
              const MtColumn        *column)
{
  gsize n_rows = column != NULL ? mt_column_get_n_rows (column) : 0;   /* absent: nothing to count */

  if (column == NULL)
    return;
  if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    {
      for (gsize i = 0; i < n_rows; i++)
        {
          double value = mt_column_is_missing (column, i) ? NAN : mt_column_get_number (column, i);

          if (mt_encoder_column_lacks_number (wanted, value))
            sums->n_missing++;
          else if (value < wanted->min || value > wanted->max)
            sums->n_out_of_range++;
        }
      return;
    }
  for (gsize i = 0; i < n_rows; i++)
    {
      g_autofree char *text = NULL;
      const char *level = NULL;

      if (!mt_column_is_missing (column, i))
        level = mt_column_get_store (column) == MT_STORE_CODES
                ? mt_column_get_level (column, mt_column_get_code (column, i))
                : (text = mt_column_dup_text (column, i));
      if (mt_encoder_column_lacks_level (wanted, level))
        sums->n_missing++;
      else if ((wanted->levels == NULL || !g_strv_contains ((const char * const *) wanted->levels, level)) &&
               (wanted->rest == NULL || !g_strv_contains ((const char * const *) wanted->rest, level)))
        sums->n_unknown++;
    }
}

static void
add_report (MtPredictReport       *sums,
            const MtPredictReport *part)
{
  sums->encode.n_rows += part->encode.n_rows;
  sums->encode.n_unknown_levels += part->encode.n_unknown_levels;
  sums->encode.n_missing += part->encode.n_missing;
  sums->encode.n_unexpected_missing += part->encode.n_unexpected_missing;
  sums->encode.n_out_of_range += part->encode.n_out_of_range;
  sums->n_unseen_patterns += part->n_unseen_patterns;
}

static void
count_answers (Run          *run,
               const double *predictions,
               gsize         n_rows)
{
  MtScoring *scoring = run->scoring;

  for (gsize i = 0; i < n_rows; i++)
    if (scoring->n_classes > 0)
      scoring->decided[mt_model_decide (run->model, predictions, n_rows, i)]++;
    else
      {
        scoring->sum += predictions[i];
        scoring->min = MIN (scoring->min, predictions[i]);
        scoring->max = MAX (scoring->max, predictions[i]);
      }
}

/* --- the truth --- */

static gboolean
take_truth (Run            *run,
            const MtTable  *table,
            const double   *predictions,
            GError        **error)
{
  gsize n_rows = mt_table_get_n_rows (table);
  guint n_outputs = mt_model_get_n_predictions (run->model);
  g_autoptr (GError) problem = NULL;
  g_autoptr (MtTruth) truth = mt_model_read_truth (run->model, table, NULL, &problem);

  if (truth == NULL && g_error_matches (problem, MT_ERROR, MT_ERROR_SCHEMA))
    {
      run->scoring->n_without_target += n_rows;    /* none of its rows has a target that is known */
      return TRUE;
    }
  if (truth == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  run->scoring->n_without_target += truth->n_missing;
  run->scoring->n_unknown_class += truth->n_unknown;
  for (gsize i = 0; i < truth->n_rows; i++)
    {
      if (run->truth_answers->len / n_outputs >= MT_SCORING_MAX_MEASURED)
        {
          run->scoring->cut_off = TRUE;
          break;
        }
      if (truth->classes != NULL)
        g_array_append_val (run->truth_classes, truth->classes[i]);
      else
        g_array_append_val (run->truth_values, truth->values[i]);
      for (guint c = 0; c < n_outputs; c++)
        g_array_append_val (run->truth_answers, predictions[c * n_rows + truth->rows[i]]);
    }
  return TRUE;
}

static gboolean
measure (Run     *run,
         GError **error)
{
  MtScoring *scoring = run->scoring;
  guint n_outputs = mt_model_get_n_predictions (run->model);
  gsize n_rows = run->truth_answers->len / n_outputs;
  g_autofree double *answers = NULL;
  g_autoptr (MtPool) pool = NULL;
  MtMeasuring how;
  MtScored scored;

  if (n_rows == 0)
    return TRUE;
  answers = g_new (double, n_rows * n_outputs);
  for (gsize i = 0; i < n_rows; i++)
    for (guint c = 0; c < n_outputs; c++)
      answers[c * n_rows + i] = g_array_index (run->truth_answers, double, i * n_outputs + c);
  pool = mt_pool_new (run->options->import.n_threads);
  mt_measuring_init (&how, mt_model_get_task (run->model), run->options->n_resamples, 1);
  scored = (MtScored) { mt_model_get_task (run->model), scoring->n_classes, n_rows,
                        (guint32 *) (gpointer) run->truth_classes->data,
                        (double *) (gpointer) run->truth_values->data, answers, mt_model_get_cutoff (run->model) };
  if (!mt_metric_bootstrap (how.metrics, how.n_metrics, &scored, how.n_resamples, how.level, how.seed, pool,
                            scoring->intervals, run->cancellable, error))
    return FALSE;
  memcpy (scoring->metrics, how.metrics, sizeof how.metrics);
  scoring->n_metrics = how.n_metrics;
  scoring->n_measured = n_rows;
  scoring->measured = TRUE;
  return TRUE;
}

/* --- the lines --- */

static void
append_header (Run     *run,
               GString *out)
{
  for (guint k = 0; k < run->n_keys; k++)
    mt_csv_append_as_is (out, run->options->keys[k]);
  mt_model_append_header (run->model, out);
  for (guint k = 1; k <= run->options->n_reasons; k++)
    {
      g_autofree char *name = g_strdup_printf ("reason_%u", k);

      mt_csv_append_text (out, name);
    }
  mt_csv_end_line (out);
}

static void
append_reasons (const Run     *run,
                const MtTable *table,
                GString       *out,
                const double  *predictions,
                const double  *contributions,
                gsize          n,
                gsize          first,
                gsize          i)
{
  guint n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (run->model));
  g_autofree MtReason *reasons = g_new (MtReason, n_terms + 1);
  guint decided = mt_model_get_n_classes (run->model) > 0
                  ? mt_model_decide (run->model, predictions, mt_table_get_n_rows (table), first + i) : 0;
  guint n_reasons = mt_reasons_rank (run->model, contributions, n, i, decided, reasons);

  n_reasons = mt_reasons_sort_for (run->model, decided, reasons, n_reasons);   /* the others are no reasons for it */
  for (guint k = 0; k < run->options->n_reasons; k++)
    {
      g_autofree char *text = NULL;
      g_autofree char *cell = NULL;
      char amount[G_ASCII_DTOSTR_BUF_SIZE];

      if (k < n_reasons)
        {
          text = mt_reason_dup_text (run->model, reasons[k].term, table, first + i);
          g_ascii_formatd (amount, sizeof amount, "%+.3g", reasons[k].amount);
          cell = g_strdup_printf ("%s (%s)", text, amount);
        }
      mt_csv_append_text (out, cell != NULL ? cell : "");
    }
}

static gboolean
flush (Run      *run,
       GString  *out,
       GError  **error)
{
  gboolean ok = run->options->write == NULL || run->options->write (out->str, out->len, run->options->data, error);

  g_string_truncate (out, 0);
  return ok && !g_cancellable_set_error_if_cancelled (run->cancellable, error);
}

/* --- a part, in pieces side by side --- */

typedef struct {
  MtPredictReport  report;
  GString         *lines;      /* NULL: none are wanted */
  GError          *error;
} Piece;

typedef struct {
  const Run     *run;
  const MtTable *table;
  double        *predictions;  /* of the part */
  Piece         *pieces;
} Pieces;

static gboolean
append_lines (const Run      *run,
              const MtTable  *table,
              const double   *predictions,
              gsize           first_row,
              gsize           end,
              GString        *out,
              GError        **error)
{
  gsize n_rows = mt_table_get_n_rows (table);
  gsize n_parts = (gsize) mt_rule_set_get_n_terms (mt_model_get_rules (run->model)) *
                  mt_model_get_n_predictions (run->model);
  g_autofree double *contributions = run->options->n_reasons > 0 ? g_new (double, n_parts * BLOCK_ROWS + 1) : NULL;
  guint32 rows[BLOCK_ROWS];

  for (gsize first = first_row; first < end; first += BLOCK_ROWS)
    {
      gsize n = MIN (BLOCK_ROWS, end - first);

      for (gsize i = 0; i < n; i++)
        rows[i] = (guint32) (first + i);
      if (contributions != NULL && !mt_model_contributions (run->model, table, rows, n, contributions, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        {
          for (guint k = 0; k < run->n_keys; k++)
            mt_csv_append_as_is (out, run->key_bytes->str +
                                 g_array_index (run->key_offsets, gsize, (first + i) * run->n_keys + k));
          mt_model_append_answer (run->model, predictions, n_rows, first + i, out);
          if (contributions != NULL)
            append_reasons (run, table, out, predictions, contributions, n, first, i);
          mt_csv_end_line (out);
        }
    }
  return TRUE;
}

static void
score_piece (guint    task,
             guint    worker,
             gpointer data)
{
  Pieces *pieces = data;
  const Run *run = pieces->run;
  Piece *piece = &pieces->pieces[task];
  gsize n_rows = mt_table_get_n_rows (pieces->table);
  gsize first = (gsize) task * PIECE_ROWS, n = MIN (PIECE_ROWS, n_rows - first);
  guint n_outputs = mt_model_get_n_predictions (run->model);
  g_autofree guint32 *rows = g_new (guint32, n);
  g_autofree double *predictions = g_new (double, n_outputs * n + 1);

  if (g_cancellable_is_cancelled (run->cancellable))
    return;
  for (gsize i = 0; i < n; i++)
    rows[i] = (guint32) (first + i);
  if (!mt_model_predict (run->model, pieces->table, rows, n, predictions, &piece->report, &piece->error))
    return;
  for (guint c = 0; c < n_outputs; c++)
    memcpy (pieces->predictions + c * n_rows + first, predictions + c * n, n * sizeof (double));
  if (piece->lines != NULL)
    append_lines (run, pieces->table, pieces->predictions, first, first + n, piece->lines, &piece->error);
}

/* The first lines, for the caller to show. */
static void
keep_preview (Run           *run,
              const GString *lines)
{
  const char *at = lines->str, *end = lines->str + lines->len;

  while (at < end && run->scoring->preview->len < run->options->n_preview)
    {
      gsize length = 0;
      gboolean quoted = FALSE;

      for (; quoted || at[length] != '\n'; length++)
        quoted ^= at[length] == '"';
      g_ptr_array_add (run->scoring->preview, split_line (at, length + 1));
      at += length + 1;
    }
}

/* Predictions and lines of a part's rows, whatever the number of threads. The pieces are freed by the caller. */
static gboolean
score_pieces (Run            *run,
              const MtTable  *table,
              double         *predictions,
              Piece          *pieces,
              guint           n_pieces,
              GError        **error)
{
  Pieces work = { run, table, predictions, pieces };
  gsize n_wanted = run->options->write != NULL ? n_pieces : 0;

  if (n_wanted == 0 && run->scoring->preview->len < run->options->n_preview)
    n_wanted = MIN (n_pieces, (run->options->n_preview - run->scoring->preview->len) / PIECE_ROWS + 1);
  for (guint i = 0; i < n_wanted; i++)
    pieces[i].lines = g_string_new (NULL);
  mt_pool_run (run->pool, n_pieces, score_piece, &work);
  if (g_cancellable_set_error_if_cancelled (run->cancellable, error))
    return FALSE;
  for (guint i = 0; i < n_pieces; i++)
    {
      if (pieces[i].error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&pieces[i].error));
          return FALSE;
        }
      add_report (&run->scoring->report, &pieces[i].report);
    }
  return TRUE;
}

static gboolean
write_pieces (Run      *run,
              Piece    *pieces,
              guint     n_pieces,
              GError  **error)
{
  for (guint i = 0; i < n_pieces; i++)
    {
      if (pieces[i].lines == NULL)
        continue;
      keep_preview (run, pieces[i].lines);
      if (!flush (run, pieces[i].lines, error))
        return FALSE;
    }
  return TRUE;
}

static void
free_pieces (Piece *pieces,
             guint  n_pieces)
{
  for (guint i = 0; i < n_pieces; i++)
    {
      g_clear_error (&pieces[i].error);
      if (pieces[i].lines != NULL)
        g_string_free (pieces[i].lines, TRUE);
    }
  g_free (pieces);
}

typedef struct {
  Run           *run;
  const MtTable *table;
} Columns;

static void
count_one_column (guint    task,
                  guint    worker,
                  gpointer data)
{
  Columns *columns = data;
  const MtEncoder *encoder = mt_model_get_encoder (columns->run->model);

  count_column (&columns->run->scoring->columns[task], mt_encoder_get_column (encoder, task),
                mt_table_find_column (columns->table, mt_encoder_get_column_name (encoder, task), NULL));
}

static gboolean
begin (Run             *run,
       const MtImport  *import,
       GError         **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const MtTable *table = mt_import_get_table (import);

  run->begun = TRUE;
  if (run->options->inspect != NULL && !run->options->inspect (import, run->options->data, error))
    return FALSE;
  if (!find_keys (run, table, error))
    return FALSE;
  run->measure = run->options->measure &&
                 mt_table_find_column (table, mt_model_get_info (run->model)->target, NULL) != NULL;
  append_header (run, out);
  run->scoring->header = split_line (out->str, out->len);
  return check_header (run, error);
}

/* What is counted is of this part. */
static gboolean
fail_part (const MtImportPart  *part,
           GError             **error)
{
  if (!mt_import_part_is_whole (part))
    g_prefix_error (error, _("In the part of the file that begins with row %" PRIu64 ": "),
                    mt_import_part_get_first_row (part) + 1);
  return FALSE;
}

/* What is known of a part's rows once they are predicted; and the line of names, before the first of them. */
static gboolean
take_part (Run            *run,
           const MtTable  *table,
           const double   *predictions,
           gboolean        first,
           GError        **error)
{
  gsize n_rows = mt_table_get_n_rows (table);
  Columns columns = { run, table };

  count_answers (run, predictions, n_rows);
  mt_pool_run (run->pool, run->scoring->n_columns, count_one_column, &columns);
  if (run->drift != NULL && !mt_drift_add (run->drift, run->model, table, predictions, error))
    return FALSE;
  if (run->measure && !take_truth (run, table, predictions, error))
    return FALSE;
  if (first)
    {
      g_autoptr (GString) header = g_string_new (NULL);

      append_header (run, header);
      if (!flush (run, header, error))
        return FALSE;
    }
  run->scoring->n_rows += n_rows;
  return TRUE;
}

static gboolean
score_part (const MtImportPart  *part,
            gpointer             data,
            GError             **error)
{
  Run *run = data;
  const MtImport *import = mt_import_part_get_import (part);
  const MtTable *table = mt_import_get_table (import);
  gsize n_rows = mt_table_get_n_rows (table);
  gboolean first = !run->begun, ok;
  g_autofree double *predictions = NULL;
  Piece *pieces;
  guint n_pieces;

  if (first && !begin (run, import, error))
    return FALSE;
  if (!mt_model_check_import (run->model, import, error))
    return fail_part (part, error);
  g_string_truncate (run->key_bytes, 0);
  g_array_set_size (run->key_offsets, 0);
  if (run->n_keys > 0 && !mt_import_part_each_record (part, take_keys, run, run->cancellable, error))
    return FALSE;
  if (g_cancellable_set_error_if_cancelled (run->cancellable, error))
    return FALSE;
  if (run->n_keys > 0 && run->key_offsets->len != n_rows * run->n_keys)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("The file cannot be split into records; import it to see why"));
      return FALSE;
    }
  predictions = g_new (double, mt_model_get_n_predictions (run->model) * n_rows + 1);
  n_pieces = (guint) ((n_rows + PIECE_ROWS - 1) / PIECE_ROWS);
  pieces = g_new0 (Piece, n_pieces + 1);
  ok = score_pieces (run, table, predictions, pieces, n_pieces, error) ? take_part (run, table, predictions, first, error)
                                                                       : fail_part (part, error);
  ok = ok && write_pieces (run, pieces, n_pieces, error);
  free_pieces (pieces, n_pieces);
  return ok;
}

MtCsvDialect *
mt_scoring_dup_dialect (const MtModel *model)
{
  const char * const *tokens = mt_model_get_info (model)->missing_tokens;
  MtCsvDialect *dialect = mt_csv_dialect_new ();

  if (tokens != NULL)
    {
      g_autoptr (GStrvBuilder) all = g_strv_builder_new ();

      g_strv_builder_add (all, "");
      g_strv_builder_addv (all, (const char **) tokens);
      g_strfreev (dialect->missing_tokens);
      dialect->missing_tokens = g_strv_builder_end (all);
    }
  return dialect;
}

MtScoring *
mt_scoring_run (const MtModel           *model,
                GFile                   *file,
                GInputStream            *stream,
                const MtScoringOptions  *options,
                GCancellable            *cancellable,
                GError                 **error)
{
  g_autoptr (MtScoring) scoring = scoring_new (model);
  g_autoptr (MtCsvDialect) dialect = mt_scoring_dup_dialect (model);
  g_autoptr (MtSchema) schema = mt_model_dup_schema (model);
  g_autoptr (MtDrift) drift = options->drift != NULL ? mt_drift_copy (options->drift) : NULL;
  g_autoptr (GString) key_bytes = g_string_new (NULL);
  g_autoptr (GArray) key_offsets = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GArray) classes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) answers = g_array_new (FALSE, FALSE, sizeof (double));
  guint n_keys = options->keys != NULL ? g_strv_length ((char **) options->keys) : 0;
  g_autofree guint *key_columns = g_new0 (guint, n_keys + 1);
  g_autoptr (MtPool) pool = mt_pool_new (options->import.n_threads);
  MtImportOptions import = options->import;
  Run run = { model, options, cancellable, scoring, drift, n_keys, key_columns, key_bytes, key_offsets, FALSE, classes,
              values, answers, FALSE, pool };

  if (import.dialect == NULL)
    import.dialect = dialect;
  if (import.schema == NULL)
    import.schema = schema;
  if (!mt_import_parts (file, stream, &import, options->part_size, score_part, &run, cancellable, error) ||
      !measure (&run, error))
    return NULL;
  if (drift != NULL)
    {
      for (guint c = 0; c < scoring->n_columns; c++)
        scoring->columns[c].psi = mt_drift_get_column (drift, c);
      scoring->score_psi = mt_drift_get_score (drift);
    }
  return g_steal_pointer (&scoring);
}
