/* The tree and the order of its sections. What a section says of model and rows stands in
 * mt-report-model.c and mt-report-data.c. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>
#include <string.h>

#include "mt-constraints.h"
#include "mt-decimal.h"
#include "mt-i18n.h"

static const char * const text_words[MT_N_REPORT_TEXTS] = {
  "author", "purpose", "out-of-scope", "choice", "limits", "oversight", "monitoring", "changes",
};

const char *
mt_report_text_to_string (MtReportText text)
{
  g_return_val_if_fail ((guint) text < MT_N_REPORT_TEXTS, NULL);
  return text_words[text];
}

gboolean
mt_report_text_from_string (const char   *word,
                            MtReportText *text)
{
  for (guint i = 0; i < MT_N_REPORT_TEXTS; i++)
    if (g_strcmp0 (word, text_words[i]) == 0)
      {
        *text = (MtReportText) i;
        return TRUE;
      }
  return FALSE;
}

gint64
mt_report_get_date (void)
{
  const char *epoch = g_getenv ("SOURCE_DATE_EPOCH");

  return epoch != NULL ? g_ascii_strtoll (epoch, NULL, 10) : g_get_real_time () / G_USEC_PER_SEC;
}

/* --- blocks --- */

static void
block_free (gpointer data)
{
  MtReportBlock *block = data;

  g_free (block->text);
  g_free (block->anchor);
  g_clear_pointer (&block->cells, g_ptr_array_unref);
  if (block->free_data != NULL)
    block->free_data (block->data);
  g_free (block);
}

/* Marks that turn the direction of writing are written out: within a name they would turn round the words and
 * digits that stand beside it. Takes @text. */
static char *
make_visible (char *text)
{
  g_autofree char *taken = text;
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if ((c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f || c == 0x61c)
        g_string_append_printf (out, "\\u{%x}", c);
      else
        g_string_append_unichar (out, c);
    }
  return g_string_free (out, FALSE);
}

static gboolean
is_from_right (gunichar c)
{
  static const struct {
    gunichar first, last;
  } blocks[] = { { 0x590, 0x8ff }, { 0xfb1d, 0xfdff }, { 0xfe70, 0xfeff }, { 0x10800, 0x10fff }, { 0x1e800, 0x1efff } };

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    if (c >= blocks[i].first && c <= blocks[i].last)
      return TRUE;
  return FALSE;
}

/* What may stand between words of one name. */
static gboolean
is_between (gunichar c)
{
  return c == ' ' || c == '-' || c == '_' || c == '.' || g_unichar_ismark (c);
}

/* Where the run that begins at @p ends: behind its last letter. */
static const char *
find_end (const char *p)
{
  const char *end = p;

  for (; is_from_right (g_utf8_get_char (p)) || is_between (g_utf8_get_char (p)); p = g_utf8_next_char (p))
    if (is_from_right (g_utf8_get_char (p)))
      end = g_utf8_next_char (p);
  return end;
}

char *
mt_report_isolate (const char *text,
                   const char *open,
                   const char *close)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text, *end; *p != '\0'; p = end)
    {
      gboolean is_run = is_from_right (g_utf8_get_char (p));

      end = is_run ? find_end (p) : g_utf8_next_char (p);
      g_string_append (out, is_run ? open : "");
      g_string_append_len (out, p, end - p);
      g_string_append (out, is_run ? close : "");
    }
  return g_string_free (out, FALSE);
}

static MtReportBlock *
add_block (MtReport    *report,
           MtBlockKind  kind,
           char        *text)     /* taken */
{
  MtReportBlock *block = g_new0 (MtReportBlock, 1);

  block->kind = kind;
  block->text = text != NULL ? make_visible (text) : NULL;
  g_ptr_array_add (report->blocks, block);
  return block;
}

void
mt_report_add_section (MtReport   *report,
                       const char *title)
{
  MtReportBlock *block;

  if (report->making != NULL && report->making->progress != NULL)
    report->making->progress (report->n_sections / (double) MT_REPORT_N_SECTIONS, report->making->progress_data);
  report->n_sections++;
  block = add_block (report, MT_BLOCK_HEADING, g_strdup_printf ("%u  %s", report->n_sections, title));
  block->level = 1;
  block->anchor = g_strdup_printf ("section-%u", report->n_sections);
}

void
mt_report_add_heading (MtReport   *report,
                       const char *anchor,
                       const char *format,
                       ...)
{
  MtReportBlock *block;
  va_list args;

  va_start (args, format);
  block = add_block (report, MT_BLOCK_HEADING, g_strdup_vprintf (format, args));
  va_end (args);
  block->level = 2;
  block->anchor = g_strdup (anchor);
}

void
mt_report_add (MtReport   *report,
               const char *format,
               ...)
{
  va_list args;

  va_start (args, format);
  add_block (report, MT_BLOCK_PARAGRAPH, g_strdup_vprintf (format, args));
  va_end (args);
}

void
mt_report_add_code (MtReport   *report,
                    const char *text)
{
  add_block (report, MT_BLOCK_CODE, g_strdup (text));
}

void
mt_report_add_absent (MtReport   *report,
                      const char *format,
                      ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  mt_report_add (report, "Not available: %s", what);
}

void
mt_report_add_provided (MtReport            *report,
                        const MtReportParts *parts,
                        MtReportText         text,
                        const char          *about)
{
  const char *given = parts->texts[text];

  if (given == NULL || *given == '\0')
    add_block (report, MT_BLOCK_BLANK, g_strdup (about));
  else
    mt_report_add (report, "%s: %s", about, given);
}

void
mt_report_add_link (MtReport   *report,
                    const char *anchor,
                    const char *text)
{
  add_block (report, MT_BLOCK_LINK, g_strdup (text))->anchor = g_strdup (anchor);
}

MtReportBlock *
mt_report_add_table (MtReport   *report,
                     const char *first,
                     ...)
{
  MtReportBlock *table = add_block (report, MT_BLOCK_TABLE, NULL);
  va_list args;

  table->cells = g_ptr_array_new_with_free_func (g_free);
  va_start (args, first);
  for (const char *cell = first; cell != NULL; cell = va_arg (args, const char *))
    {
      mt_report_add_cell (table, cell);
      table->n_columns++;
    }
  va_end (args);
  return table;
}

void
mt_report_take_cell (MtReportBlock *table,
                     char          *text)
{
  g_ptr_array_add (table->cells, make_visible (text));
}

void
mt_report_add_cell (MtReportBlock *table,
                    const char    *text)
{
  mt_report_take_cell (table, g_strdup (text));
}

void
mt_report_add_head (MtReportBlock *table,
                    const char    *text)
{
  g_assert (table->cells->len == table->n_columns);
  mt_report_add_cell (table, text);
  table->n_columns++;
}

void
mt_report_add_row (MtReportBlock *table,
                   const char    *first,
                   ...)
{
  va_list args;

  va_start (args, first);
  for (const char *cell = first; cell != NULL; cell = va_arg (args, const char *))
    mt_report_add_cell (table, cell);
  va_end (args);
  g_assert (table->cells->len % table->n_columns == 0);
}

void
mt_report_add_figure (MtReport       *report,
                      const char     *about,
                      double          width,
                      double          height,
                      MtPictureFunc   paint,
                      gpointer        data,
                      GDestroyNotify  free_data)
{
  MtReportBlock *block = add_block (report, MT_BLOCK_FIGURE, g_strdup (about));

  block->width = width;
  block->height = height;
  block->paint = paint;
  block->data = data;
  block->free_data = free_data;
}

char *
mt_report_dup_measure (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.4f", value) : "not defined");
}

char *
mt_report_dup_range (double low,
                     double high)
{
  g_autofree char *from = mt_report_dup_measure (low);
  g_autofree char *to = mt_report_dup_measure (high);

  return g_strdup_printf ("%s … %s", from, to);
}

char *
mt_report_dup_interval (const MtInterval *interval)
{
  g_autofree char *value = mt_report_dup_measure (interval->value);
  g_autofree char *range = mt_report_dup_range (interval->low, interval->high);

  return isfinite (interval->value) ? g_strdup_printf ("%s\n%s", value, range) : g_strdup (value);
}

const char *
mt_report_get_part_name (const char *part)
{
  return g_str_equal (part, "cv") ? "cross-validation" : part;
}

/* --- sections that need no file of their own --- */

static char *
dup_setting (const MtModelSetting *setting)
{
  switch (setting->kind)
    {
    case MT_SETTING_NUMBER:
      return mt_decimal_dup (setting->number);
    case MT_SETTING_TEXT:
      return g_strdup (setting->text);
    case MT_SETTING_BOOLEAN:
    default:
      return g_strdup (setting->boolean ? "yes" : "no");
    }
}

static void
add_cover (MtReport            *report,
           const MtReportParts *parts)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  const char *author = parts->texts[MT_REPORT_AUTHOR];
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (parts->date);
  g_autofree char *day = date != NULL ? g_date_time_format (date, "%Y-%m-%d") : g_strdup ("not known");
  gsize length;
  g_autofree char *json = mt_model_to_json (parts->model, &length);
  g_autofree char *hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) json, length);
  g_autofree char *id = g_strndup (hash, 12);
  MtReportBlock *table;

  add_block (report, MT_BLOCK_TITLE, g_strdup (report->title));
  mt_report_add_section (report, "Cover");
  table = mt_report_add_table (report, "What", "Value", NULL);
  mt_report_add_row (table, "Model id", id, NULL);
  mt_report_add_row (table, "SHA-256 of the model, as this version writes its file", hash, NULL);
  mt_report_add_row (table, "SHA-256 of the training data",
                     info->data_sha256 != NULL ? info->data_sha256 : "not available: the data had no file", NULL);
  mt_report_add_row (table, "Made by version", info->version, NULL);
  mt_report_add_row (table, "Date of this report (UTC)", day, NULL);
  if (author != NULL && *author != '\0')
    mt_report_add_row (table, "Author", author, NULL);
  else
    add_block (report, MT_BLOCK_BLANK, g_strdup ("Author"));
  mt_report_add (report, "Sign-off, to be filled in by hand:");
  table = mt_report_add_table (report, "Role", "Name", "Date", "Signature", NULL);
  mt_report_add_row (table, "Analyst", "", "", "", NULL);
  mt_report_add_row (table, "Reviewer", "", "", "", NULL);
  mt_report_add_row (table, "Approver", "", "", "", NULL);
}

static void
add_summary (MtReport            *report,
             const MtReportParts *parts)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  const MtRuleSet *rules = mt_model_get_rules (parts->model);
  MtReportBlock *table = mt_report_add_table (report, "What", "Value", NULL);
  g_autofree char *classes = info->classes != NULL ? g_strjoinv (", ", (char **) info->classes) : NULL;
  guint n_rules = mt_rule_set_get_n_rules (rules);

  mt_report_add_row (table, "Predicts", info->target, NULL);
  mt_report_add_row (table, "Task", mt_task_to_string (mt_model_get_task (parts->model)), NULL);
  if (classes != NULL)
    mt_report_add_row (table, "Classes", classes, NULL);
  mt_report_add_cell (table, "Rules");
  mt_report_take_cell (table, g_strdup_printf ("%u", n_rules));
  mt_report_add_cell (table, "Numbers used in their own units");
  mt_report_take_cell (table, g_strdup_printf ("%u", mt_rule_set_get_n_terms (rules) - n_rules));
  mt_report_add_cell (table, "Complexity (literals, numbers and the intercept)");
  mt_report_take_cell (table, g_strdup_printf ("%u", mt_rule_set_get_complexity (rules)));
  for (guint i = 0; i < info->n_metrics; i++)
    {
      if (parts->spare_test && g_str_equal (info->metrics[i].part, "test"))
        continue;
      mt_report_take_cell (table, g_strdup_printf ("%s, %s", mt_metric_get_name (info->metrics[i].metric),
                                                   mt_report_get_part_name (info->metrics[i].part)));
      mt_report_take_cell (table, mt_report_dup_measure (info->metrics[i].value));
    }
  mt_report_add_link (report, "section-10", "Every rule with its weight is in section 10, The full model.");
  mt_report_add_link (report, "section-12", "How well the model does, on which rows, is in section 12, Performance.");
}

static gboolean
add_split (MtReport             *report,
           const MtReportParts  *parts,
           const MtReportRows   *rows,
           GCancellable         *cancellable,
           GError              **error)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  const MtModelSetting *seed = mt_report_find_setting (parts->model, "split-seed");
  const MtModelSetting *fraction = mt_report_find_setting (parts->model, "test-fraction");

  mt_report_add (report, "Of %" G_GUINT64_FORMAT " rows, %" G_GUINT64_FORMAT " were learnt from and %" G_GUINT64_FORMAT
                 " held out as a test. Seed of the run: %" G_GUINT64_FORMAT ".",
                 info->n_rows, info->n_train, info->n_test, info->seed);
  if (seed != NULL && seed->kind == MT_SETTING_TEXT && fraction != NULL)
    {
      g_autofree char *share = mt_decimal_dup (fraction->number);

      mt_report_add (report, "Held out: a share of %s of the rows, each class to its due (numbers by tenths), seed of the "
                     "split %s. Rows without a target are in neither part.", share, seed->text);
    }
  else if (mt_report_find_setting (parts->model, "test-sha256") != NULL)
    mt_report_add (report, "The test rows came from a file of their own.");
  else if (info->n_test > 0)
    mt_report_add_absent (report, "the seed of the split; the model file does not carry it.");
  mt_report_add_class_mix (report, parts, rows);
  return mt_report_add_duplicates (report, parts, rows, cancellable, error);
}

static void
add_method (MtReport            *report,
            const MtReportParts *parts)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  MtTask task = mt_model_get_task (parts->model);
  MtReportBlock *table;

  mt_report_add (report, "The model is a sum. It begins with an intercept; each rule that is true of a row adds its weight, "
                 "each number adds its weight for every unit above its training mean. A rule is an “or” of “and”s over "
                 "yes/no questions about single cells. Nothing else enters a prediction.");
  mt_report_add (report, "score = intercept + Σ weight × rule (1 or 0) + Σ weight × (number − mean)");
  if (task == MT_TASK_BINARY)
    mt_report_add (report, "The probability of the second class, “%s”, is 1 / (1 + exp (−score)); it is decided for when "
                   "that is above 0.5.", info->classes[1]);
  else if (task == MT_TASK_MULTICLASS)
    mt_report_add (report, "There is one score a class. The probability of a class is exp (score) / Σ exp (scores); the "
                   "largest decides, of equals the first.");
  else
    mt_report_add (report, "The prediction is the score itself.");
  mt_report_add (report, "Minterm learns rules as a sparse network of truth tables (TT-Sparse), writes them out and minimises "
                 "them as logic.");
  table = mt_report_add_table (report, "Setting", "Value", NULL);
  for (guint i = 0; i < info->n_settings; i++)
    {
      mt_report_add_cell (table, info->settings[i].name);
      mt_report_take_cell (table, dup_setting (&info->settings[i]));
    }
  mt_report_add_row (table, "don't-cares", info->dont_care, NULL);
  if (info->constraints != NULL)
    {
      mt_report_add_cell (table, "constraints, which every term keeps to");
      mt_report_take_cell (table, mt_constraints_dup_text (info->constraints));
    }
  mt_report_add (report, "Limits of the method: a rule knows only the thresholds and levels of the feature dictionary; "
                 "effects add up and do not multiply, except within a rule; associations are not causes.");
}

static gboolean
build (MtReport             *report,
       const MtReportParts  *parts,
       const MtReportRows   *rows,
       GCancellable         *cancellable,
       GError              **error)
{
  add_cover (report, parts);
  mt_report_add_section (report, "Purpose and out-of-scope use");
  mt_report_add_provided (report, parts, MT_REPORT_PURPOSE, "Purpose");
  mt_report_add_provided (report, parts, MT_REPORT_OUT_OF_SCOPE, "Out-of-scope use");
  mt_report_add_section (report, "Summary");
  add_summary (report, parts);
  mt_report_add_section (report, "Data lineage");
  mt_report_add_lineage (report, parts);
  mt_report_add_section (report, "Data quality");
  mt_report_add_findings (report, parts);
  mt_report_add_section (report, "Split, seeds and class mix");
  if (!add_split (report, parts, rows, cancellable, error))
    return FALSE;
  mt_report_add_section (report, "Feature dictionary");
  mt_report_add_dictionary (report, parts->model);
  mt_report_add_section (report, "Method, settings and limits");
  add_method (report, parts);
  mt_report_add_section (report, "Search record");
  mt_report_add_search (report, parts);
  mt_report_add_section (report, "The full model");
  mt_report_add_model (report, parts->model);
  mt_report_add_section (report, "Exactness");
  mt_report_add_exactness (report, parts);
  mt_report_add_section (report, "Performance");
  mt_report_add_performance (report, parts, rows);
  mt_report_add_section (report, "Stability");
  if (!mt_report_add_stability (report, parts, rows, cancellable, error))
    return FALSE;
  mt_report_add_section (report, "Sensitivity");
  if (!mt_report_add_sensitivity (report, parts, rows, cancellable, error))
    return FALSE;
  mt_report_add_section (report, "Subgroups");
  if (!mt_report_add_subgroups (report, parts, rows, cancellable, error))
    return FALSE;
  mt_report_add_section (report, "Reason codes");
  if (!mt_report_add_cases (report, parts, error))
    return FALSE;
  mt_report_add_section (report, "Limits and human oversight");
  mt_report_add_provided (report, parts, MT_REPORT_LIMITS, "Known limits");
  mt_report_add_provided (report, parts, MT_REPORT_OVERSIGHT, "Human oversight");
  mt_report_add_section (report, "Monitoring bounds");
  if (!mt_report_add_monitoring (report, parts, rows, error))
    return FALSE;
  mt_report_add_section (report, "Change log");
  mt_report_add_changes (report, parts);
  mt_report_add_section (report, "Annexes");
  mt_report_add_annexes (report, parts);
  g_assert (report->n_sections == MT_REPORT_N_SECTIONS);
  return TRUE;
}

static MtReport *
make_report (const MtReportParts  *parts,
             GCancellable         *cancellable,
             GError              **error)
{
  g_autoptr (MtReportRows) rows = mt_report_rows_new (parts, cancellable, error);
  g_autoptr (MtReport) report = NULL;
  const char *author = parts->texts[MT_REPORT_AUTHOR];

  if (rows == NULL)
    return NULL;
  report = g_new0 (MtReport, 1);
  g_atomic_ref_count_init (&report->ref_count);
  report->blocks = g_ptr_array_new_with_free_func (block_free);
  report->title = make_visible (g_strdup_printf ("Audit report: %s", mt_model_get_info (parts->model)->target));
  report->author = author != NULL && *author != '\0' ? make_visible (g_strdup (author)) : NULL;
  report->date = parts->date;
  report->making = parts;
  if (!build (report, parts, rows, cancellable, error) || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  report->making = NULL;
  return g_steal_pointer (&report);
}

MtReport *
mt_report_new (const MtReportParts  *parts,
               GCancellable         *cancellable,
               GError              **error)
{
  MtReport *report;

  g_return_val_if_fail (parts != NULL && parts->model != NULL, NULL);

  /* Encoding rows heeds the thread's own. */
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  mt_i18n_begin_english ();   /* the same for every reader */
  report = make_report (parts, cancellable, error);
  mt_i18n_end_english ();
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  return report;
}

MtReport *
mt_report_ref (MtReport *report)
{
  g_atomic_ref_count_inc (&report->ref_count);
  return report;
}

void
mt_report_unref (MtReport *report)
{
  if (!g_atomic_ref_count_dec (&report->ref_count))
    return;
  g_ptr_array_unref (report->blocks);
  g_free (report->title);
  g_free (report->author);
  g_free (report);
}

guint
mt_report_get_n_blocks (const MtReport *report)
{
  return report->blocks->len;
}

const MtReportBlock *
mt_report_get_block (const MtReport *report,
                     guint           index)
{
  g_return_val_if_fail (index < report->blocks->len, NULL);
  return g_ptr_array_index (report->blocks, index);
}

const char *
mt_report_get_title (const MtReport *report)
{
  return report->title;
}

gint64
mt_report_get_date_made (const MtReport *report)
{
  return report->date;
}

guint
mt_report_count_blanks (const MtReport *report)
{
  guint n = 0;

  for (guint i = 0; i < report->blocks->len; i++)
    n += mt_report_get_block (report, i)->kind == MT_BLOCK_BLANK;
  return n;
}
