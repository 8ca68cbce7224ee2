/* The tree and the order of its sections. What a section says of model and rows stands in
 * files of their own, mt-report-front.c and so on. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-i18n.h"

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
  g_free (block->badge);
  g_free (block->note);
  g_clear_pointer (&block->cells, g_ptr_array_unref);
  if (block->free_data != NULL)
    block->free_data (block->data);
  g_free (block);
}

/* Marks that turn the direction of writing are written out: within a name they would turn round the words and
 * digits next to it. Takes @text. */
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

static void
add_section (MtReport   *report,
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
    mt_report_add_blank (report, about);
  else
    mt_report_add (report, "%s: %s", about, given);
}

void
mt_report_add_blank (MtReport   *report,
                     const char *about)
{
  add_block (report, MT_BLOCK_BLANK, g_strdup (about));
}

void
mt_report_add_link (MtReport   *report,
                    const char *anchor,
                    const char *text)
{
  add_block (report, MT_BLOCK_LINK, g_strdup (text))->anchor = g_strdup (anchor);
}

static MtReportBlock *
make_table (const char *first,
            va_list     args)
{
  MtReportBlock *table = g_new0 (MtReportBlock, 1);

  table->kind = MT_BLOCK_TABLE;
  table->cells = g_ptr_array_new_with_free_func (g_free);
  for (const char *cell = first; cell != NULL; cell = va_arg (args, const char *))
    {
      mt_report_add_cell (table, cell);
      table->n_columns++;
    }
  return table;
}

MtReportBlock *
mt_report_new_table (const char *first,
                     ...)
{
  MtReportBlock *table;
  va_list args;

  va_start (args, first);
  table = make_table (first, args);
  va_end (args);
  return table;
}

void
mt_report_take_table (MtReport      *report,
                      MtReportBlock *table)
{
  g_ptr_array_add (report->blocks, table);
}

MtReportBlock *
mt_report_get_last (MtReport *report)
{
  return g_ptr_array_index (report->blocks, report->blocks->len - 1);
}

MtReportBlock *
mt_report_add_table (MtReport   *report,
                     const char *first,
                     ...)
{
  MtReportBlock *table;
  va_list args;

  va_start (args, first);
  table = make_table (first, args);
  va_end (args);
  mt_report_take_table (report, table);
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
mt_report_dup_percent (double share)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup_printf ("%s%%", g_ascii_formatd (text, sizeof text, "%.1f", 100 * share));
}

char *
mt_report_dup_odds (double weight)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, "%.4g", exp (weight)));
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
  return g_str_equal (part, "cv") ? "cross-validation" : g_str_equal (part, "train") ? "training" : part;
}

char *
mt_report_dup_alt (const MtReport *report,
                   guint           index)
{
  const MtReportBlock *figure = mt_report_get_block (report, index);
  const MtReportBlock *next = index + 1 < mt_report_get_n_blocks (report) ? mt_report_get_block (report, index + 1) : NULL;

  return next != NULL && next->kind == MT_BLOCK_TABLE
           ? g_strconcat (figure->text, " The following table shows the same values.", NULL) : g_strdup (figure->text);
}

char *
mt_report_dup_person (const char *by)
{
  return g_strdup (by != NULL && *by != '\0' ? by : "not recorded");
}

char *
mt_report_dup_moment (gint64 seconds)
{
  g_autoptr (GDateTime) date = seconds > 0 ? g_date_time_new_from_unix_utc (seconds) : NULL;

  return date != NULL ? g_date_time_format (date, "%Y-%m-%d %H:%M UTC") : g_strdup ("not recorded");
}

/* --- the whole --- */

static char *
dup_day (gint64 seconds)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (seconds);

  return date != NULL ? g_date_time_format (date, "%Y-%m-%d") : g_strdup ("not known");
}

static gboolean
build (MtReport             *report,
       const MtReportParts  *parts,
       const MtReportRows   *rows,
       GCancellable         *cancellable,
       GError              **error)
{
  add_block (report, MT_BLOCK_TITLE, g_strdup (report->title));
  add_section (report, "Cover");
  mt_report_add_cover (report, parts);
  add_section (report, "Purpose and out-of-scope use");
  mt_report_add_provided (report, parts, MT_REPORT_PURPOSE, "Purpose");
  mt_report_add_provided (report, parts, MT_REPORT_OUT_OF_SCOPE, "Out-of-scope use");
  add_section (report, "Summary");
  if (!mt_report_add_summary (report, parts, rows, error))
    return FALSE;
  add_section (report, "Data lineage");
  mt_report_add_lineage (report, parts);
  add_section (report, "Data quality");
  if (!mt_report_add_findings (report, parts, cancellable, error))
    return FALSE;
  add_section (report, "Split, seeds, and class shares");
  if (!mt_report_add_split (report, parts, rows, cancellable, error))
    return FALSE;
  add_section (report, "Feature dictionary");
  mt_report_add_dictionary (report, parts->model);
  add_section (report, "Method, settings, and limitations");
  mt_report_add_method (report, parts);
  add_section (report, "Search record");
  mt_report_add_search (report, parts);
  add_section (report, "Complete model");
  if (!mt_report_add_model (report, parts, rows, cancellable, error))
    return FALSE;
  add_section (report, "Exactness");
  mt_report_add_exactness (report, parts);
  add_section (report, "Performance");
  mt_report_add_performance (report, parts, rows);
  if (!mt_report_add_over_time (report, parts, rows, cancellable, error))
    return FALSE;
  add_section (report, "Stability");
  if (!mt_report_add_stability (report, parts, rows, cancellable, error))
    return FALSE;
  add_section (report, "Sensitivity");
  if (!mt_report_add_sensitivity (report, parts, rows, cancellable, error))
    return FALSE;
  add_section (report, "Subgroups");
  if (!mt_report_add_subgroups (report, parts, rows, cancellable, error))
    return FALSE;
  add_section (report, "Reason codes");
  if (!mt_report_add_cases (report, parts, error))
    return FALSE;
  add_section (report, "Limitations and human oversight");
  mt_report_add_provided (report, parts, MT_REPORT_LIMITS, "Known limitations");
  mt_report_add_provided (report, parts, MT_REPORT_OVERSIGHT, "Human oversight");
  add_section (report, "Monitoring limits");
  if (!mt_report_add_monitoring (report, parts, rows, error))
    return FALSE;
  add_section (report, "Change log");
  mt_report_add_changes (report, parts);
  add_section (report, "Annexes");
  mt_report_add_annexes (report, parts);
  g_assert (report->n_sections == MT_REPORT_N_SECTIONS);
  return TRUE;
}

/* On every page: which model, and which data it is from. */
static char *
dup_hashes (const MtModel *model)
{
  const char *data = mt_model_get_info (model)->data_sha256;
  g_autofree char *hash = mt_report_dup_hash (model);

  return data != NULL ? g_strdup_printf ("model %.12s · data SHA-256 %.12s…", hash, data) : g_strdup_printf ("model %.12s", hash);
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
  report->title = make_visible (g_strdup_printf ("Audit report: prediction of %s", mt_model_get_info (parts->model)->target));
  report->author = author != NULL && *author != '\0' ? make_visible (g_strdup (author)) : NULL;
  report->date = parts->date;
  report->day = dup_day (parts->date);
  report->hashes = dup_hashes (parts->model);
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

  /* Encoding rows obeys the thread's own. */
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  mt_i18n_begin_english ();   /* the same for every reader */
  report = make_report (parts, cancellable, error);
  mt_i18n_end_english ();
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  return report;
}

void
mt_report_unref (MtReport *report)
{
  if (!g_atomic_ref_count_dec (&report->ref_count))
    return;
  g_ptr_array_unref (report->blocks);
  g_free (report->title);
  g_free (report->hashes);
  g_free (report->day);
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
