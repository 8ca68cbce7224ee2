/* What an import noticed, as findings: names that had to change, ragged records, cells that are no number
 * or date. */
#include "config.h"
#include "mt-import-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-gettext.h"
#include "base/mt-text.h"

/* Codes, all of them stable: encoding-assumed, preamble-skipped, no-header, renamed-column,
 * ragged-short, ragged-extra, not-a-number, not-a-date, infinite-number, inexact-number,
 * mixed-column, number-with-unit, odd-separators, one-column, leading-zeros, ambiguous-number, ambiguous-date, integer-levels, few-values,
 * code-like-name, date-column, not-boolean. */

guint64
mt_line_map_get (const GArray *runs,
                 guint64       row)
{
  guint low = 0, high = runs->len;
  const MtLineRun *run;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (runs, MtLineRun, middle).row <= row)
        low = middle;
      else
        high = middle;
    }
  if (runs->len == 0)
    return 0;
  run = &g_array_index (runs, MtLineRun, low);
  return run->line + (row - run->row);
}

/* --- names --- */

char **
mt_import_make_names (const MtCsvLayout *layout,
                      GPtrArray         *findings)
{
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  char **names = g_new0 (char *, layout->n_columns + 1);

  for (guint c = 0; c < layout->n_columns; c++)
    {
      const char *wanted = layout->names != NULL ? layout->names[c] : "";
      gboolean unnamed = mt_csv_is_blank (wanted, strlen (wanted));
      g_autofree char *base = unnamed ? g_strdup_printf ("column %u", c + 1) : g_strdup (wanted);
      g_autofree char *name = g_strdup (base);
      char *folded = g_utf8_casefold (name, -1);

      for (guint n = 2; g_hash_table_contains (taken, folded); n++)
        {
          g_free (folded);
          g_free (name);
          name = g_strdup_printf ("%s (%u)", base, n);
          folded = g_utf8_casefold (name, -1);
        }
      g_hash_table_add (taken, folded);
      if (layout->names != NULL && strcmp (name, wanted) != 0)
        {
          g_autofree char *before = mt_text_excerpt (wanted, strlen (wanted), 60);

          if (unnamed)
            g_ptr_array_add (findings,
                             mt_finding_new ("renamed-column", MT_SEVERITY_WARNING, (int) c, name, layout->header_line,
                                             MT_SAY (_("Column %u has no name in line %" PRIu64 "; it was "
                                                       "named “%s”"), c + 1, layout->header_line, name)));
          else
            g_ptr_array_add (findings,
                             mt_finding_new ("renamed-column", MT_SEVERITY_WARNING, (int) c, name, layout->header_line,
                                             MT_SAY (_("Column %u: the name %s is already used; renamed to "
                                                       "“%s”"),
                                             c + 1, before, name)));
        }
      names[c] = g_steal_pointer (&name);
    }
  return names;
}

/* --- records --- */

char *
mt_import_describe_ragged (const GArray *ragged,
                           const GArray *line_runs,
                           guint         n_columns)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (ragged->len, 10); i++)
    {
      const MtRagged *record = &g_array_index (ragged, MtRagged, i);

      guint64 line = mt_line_map_get (line_runs, record->row);

      if (i > 0)
        g_string_append_printf (text, ngettext (", line %" PRIu64 " has %u field", ", line %" PRIu64 " has %u fields",
                                                record->n_fields), line, record->n_fields);
      else if (n_columns == 1)
        g_string_append_printf (text, ngettext ("Line %" PRIu64 " has %u field instead of 1",
                                                "Line %" PRIu64 " has %u fields instead of 1",
                                                record->n_fields), line, record->n_fields);
      else
        g_string_append_printf (text, ngettext ("Line %" PRIu64 " has %u field instead of %u",
                                                "Line %" PRIu64 " has %u fields instead of %u",
                                                record->n_fields), line, record->n_fields, n_columns);
    }
  if (ragged->len > 10)
    g_string_append (text, ", …");
  return g_string_free (text, FALSE);
}

static void
add_ragged (const MtImportFacts *facts,
            gboolean             is_short,
            gsize                n,
            GPtrArray           *findings)
{
  const GArray *some = is_short ? facts->ragged : facts->padded;
  g_auto (MtSaid) where = { NULL, NULL };
  MtFinding *finding;

  if (n == 0)
    return;
  where = MT_SAID (mt_import_describe_ragged (some, facts->line_runs, facts->layout->n_columns));
  finding = mt_finding_new (is_short ? "ragged-short" : "ragged-extra", MT_SEVERITY_WARNING, -1, NULL,
                            mt_line_map_get (facts->line_runs, g_array_index (some, MtRagged, 0).row),
                            MT_SAY (is_short
                                    ? ngettext ("%s. Absent values are treated as missing; check this record "
                                                "in the file",
                                                "%s. Absent values are treated as missing; check these "
                                                "records in the file", n)
                                    : ngettext ("%s. The extra fields are empty and were left out; check "
                                                "this record in the file",
                                                "%s. The extra fields are empty and were left out; check "
                                                "these records in the file", n),
                                    mt_said_get (&where)));
  finding->n_rows = n;
  g_ptr_array_add (findings, finding);
}

static void
add_file_findings (const MtImportFacts *facts,
                   GPtrArray           *findings)
{
  const MtCsvLayout *layout = facts->layout;

  if (facts->encoding_assumed)
    g_ptr_array_add (findings,
                     mt_finding_new ("encoding-assumed", MT_SEVERITY_WARNING, -1, NULL, facts->encoding_line,
                                     MT_SAY (_("Line %" PRIu64 " contains the byte 0x%02X and is not UTF-8; "
                                               "the file was read as %s. Check accented letters, or choose "
                                               "another encoding"),
                                     facts->encoding_line, facts->encoding_byte, layout->dialect->encoding)));
  if (facts->encoding_guessed)
    g_ptr_array_add (findings,
                     mt_finding_new ("encoding-assumed", MT_SEVERITY_WARNING, -1, NULL, 1,
                                     MT_SAY (_("Line 1: the file does not state its encoding; detected as %s"),
                                     layout->dialect->encoding)));
  if (layout->n_preamble > 0)
    {
      g_autofree char *text = mt_text_excerpt (layout->preamble_text, strlen (layout->preamble_text), 60);

      g_ptr_array_add (findings,
                       mt_finding_new ("preamble-skipped", MT_SEVERITY_WARNING, -1, NULL, layout->preamble_line,
                                       MT_SAY (ngettext ("Line %" PRIu64 " (%s) does not belong to the "
                                                         "table: %u record before the table was left out",
                                                         "Line %" PRIu64 " (%s) does not belong to the "
                                                         "table: %u records before the table were left out", layout->n_preamble),
                                               layout->preamble_line, text, layout->n_preamble)));
    }
  if (!layout->dialect->header && facts->wanted->header < 0)
    g_ptr_array_add (findings,
                     mt_finding_new ("no-header", MT_SEVERITY_NOTE, -1, NULL, layout->data_line,
                                     MT_SAY (_("Line %" PRIu64 " looks like data, not like names, so columns "
                                               "are numbered. If it is a header, change the import settings"),
                                     layout->data_line)));
  if (layout->unused_delimiter != 0)
    g_ptr_array_add (findings,
                     mt_finding_new ("one-column", MT_SEVERITY_WARNING, -1, NULL, MAX (layout->header_line, 1),
                                     MT_SAY (_("There is only one column, but every line contains “%c” as "
                                               "often as line %" PRIu64 ". If it separates columns, choose "
                                               "it as the delimiter"),
                                     layout->unused_delimiter, MAX (layout->header_line, 1))));
  add_ragged (facts, TRUE, facts->n_short, findings);
  add_ragged (facts, FALSE, facts->n_padded, findings);
}

/* --- cells --- */

/* The distinct texts of a kind of event. */
static char *
list_events (const GArray    *events,
             MtCellEventKind  kind,
             const GArray    *line_runs)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;

  for (guint i = 0; i < events->len; i++)
    {
      const MtCellEvent *event = &g_array_index (events, MtCellEvent, i);
      g_autofree char *shown = NULL;

      if (event->kind != kind || !g_hash_table_add (seen, event->text))
        continue;
      if (n++ >= 20)
        {
          g_string_append (text, ", …");
          break;
        }
      shown = mt_text_excerpt (event->text, strlen (event->text), 40);
      if (n > 1)
        g_string_append (text, ", ");
      /* Translators: a cell's text, and where it stands in the file */
      g_string_append_printf (text, _("%s (line %" PRIu64 ")"), shown, mt_line_map_get (line_runs, event->row));
    }
  return g_string_free (text, FALSE);
}

/* The line of the first. */
static guint64
first_line (const GArray    *events,
            MtCellEventKind  kind,
            const GArray    *line_runs)
{
  for (guint i = 0; i < events->len; i++)
    if (g_array_index (events, MtCellEvent, i).kind == kind)
      return mt_line_map_get (line_runs, g_array_index (events, MtCellEvent, i).row);
  return 0;
}

static MtFinding *
column_finding (const MtImportFacts *facts,
                guint                column,
                const char          *code,
                MtSeverity           severity,
                guint64              line,
                gsize                n_rows,
                MtSaid               message)   /* (transfer full) */
{
  MtFinding *finding = mt_finding_new (code, severity, (int) column, facts->names[column], line, message);

  finding->n_rows = n_rows;
  return finding;
}

static MtFinding *
offer_type (MtFinding    *finding,
            MtColumnType  type)
{
  finding->fix = MT_FIX_SET_TYPE;
  finding->fix_value = g_strdup (mt_column_type_to_string (type));
  return finding;
}

static void
add_event_findings (const MtImportFacts *facts,
                    guint                column,
                    GPtrArray           *findings)
{
  const MtColumnResult *result = &facts->results[column];
  const GArray *events = facts->events[column];
  const char *name = facts->names[column];

  if (events == NULL)
    return;
  if (result->n_bad > 0)
    {
      g_auto (MtSaid) list = MT_SAID (list_events (events, MT_CELL_BAD, facts->line_runs));
      gboolean date = result->guess.type == MT_TYPE_DATE;

      g_ptr_array_add (findings,
                       offer_type (column_finding (facts, column, date ? "not-a-date" : "not-a-number",
                                                   MT_SEVERITY_WARNING,
                                                   first_line (events, MT_CELL_BAD, facts->line_runs), result->n_bad,
                                                   MT_SAY (date
                                                           ? ngettext ("Column “%s”: %zu of %zu values is "
                                                                       "not a date and counts as missing: %s",
                                                                       "Column “%s”: %zu of %zu values are "
                                                                       "not dates and count as missing: %s", result->n_bad)
                                                           : ngettext ("Column “%s”: %zu of %zu values is "
                                                                       "not a number and counts as missing: "
                                                                       "%s",
                                                                       "Column “%s”: %zu of %zu values are "
                                                                       "not numbers and count as missing: %s", result->n_bad),
                                                           name, result->n_bad, result->n_values, mt_said_get (&list))),
                                   MT_TYPE_CATEGORY));
    }
  if (result->n_infinite > 0)
    {
      g_auto (MtSaid) list = MT_SAID (list_events (events, MT_CELL_INFINITE, facts->line_runs));

      g_ptr_array_add (findings,
                       column_finding (facts, column, "infinite-number", MT_SEVERITY_WARNING,
                                       first_line (events, MT_CELL_INFINITE, facts->line_runs), result->n_infinite,
                                       MT_SAY (ngettext ("Column “%s”: %zu value is infinite or too large for a number "
                                                         "and counts as missing: %s",
                                                         "Column “%s”: %zu values are infinite or too large for a "
                                                         "number and count as missing: %s", result->n_infinite),
                                               name, result->n_infinite, mt_said_get (&list))));
    }
}

/* Words in a name that make whole numbers look like codes. */
static gboolean
name_suggests_codes (const char *name)
{
  static const char * const words[] = {
    "area", "branch", "category", "class", "cluster", "code", "community", "country", "county", "department",
    "district", "fold", "group", "id", "kind", "month", "nr", "plz", "postcode", "region", "sector", "state",
    "store", "type", "ward", "weekday", "year", "zip", "zone", NULL
  };
  g_autofree char *lower = g_utf8_strdown (name, -1);
  g_auto (GStrv) parts = g_strsplit_set (lower, " _-.", -1);

  for (char **part = parts; *part != NULL; part++)
    if (g_strv_contains (words, *part))
      return TRUE;
  return FALSE;
}

static void
add_number_findings (const MtImportFacts *facts,
                     guint                column,
                     GPtrArray           *findings)
{
  const MtColumnResult *result = &facts->results[column];
  const char *name = facts->names[column];
  gsize n_numbers = result->n_values - result->n_bad - result->n_infinite;

  if (result->guess.ambiguous)
    {
      MtNumberFormat format = mt_number_formats[result->guess.format];

      g_ptr_array_add (findings,
                       column_finding (facts, column, "ambiguous-number", MT_SEVERITY_WARNING, 0, 0,
                                       MT_SAY (_("Column “%s”: a comma or point could separate decimals or "
                                                 "thousands; “%c” was read as the decimal mark. If that is "
                                                 "wrong, choose the decimal mark in the import settings"),
                                                        name, format.decimal)));
    }
  if (result->n_inexact > 0)
    g_ptr_array_add (findings,
                     offer_type (column_finding (facts, column, "inexact-number", MT_SEVERITY_WARNING, 0, result->n_inexact,
                                                 MT_SAY (_("Column “%s”: %zu whole numbers have more digits "
                                                           "than can be stored exactly. If they are codes, "
                                                           "set the type to category"),
                                                                  name, result->n_inexact)),
                                 MT_TYPE_CATEGORY));
  if (result->forced || n_numbers < 20)
    return;
  if (result->n_few >= 3 && n_numbers > result->n_few * 2)
    g_ptr_array_add (findings,
                     offer_type (column_finding (facts, column, result->whole ? "integer-levels" : "few-values",
                                                 MT_SEVERITY_NOTE, 0, 0,
                                                 MT_SAY (_("Column “%s” has only %u different numbers. If "
                                                           "they are codes and not quantities, set the type "
                                                           "to category"),
                                                                  name, result->n_few)),
                                 MT_TYPE_CATEGORY));
  else if (result->whole && result->n_few == 0 && name_suggests_codes (name))
    g_ptr_array_add (findings,
                     offer_type (column_finding (facts, column, "code-like-name", MT_SEVERITY_NOTE, 0, 0,
                                                 MT_SAY (_("Column “%s” contains whole numbers and its name "
                                                           "suggests a code. If they are codes and not "
                                                           "quantities, set the type to category"), name)),
                                 MT_TYPE_CATEGORY));
}

static void
add_column_findings (const MtImportFacts *facts,
                     guint                column,
                     GPtrArray           *findings)
{
  const MtColumnResult *result = &facts->results[column];
  const char *name = facts->names[column];
  MtColumnType wanted;

  add_event_findings (facts, column, findings);
  switch (result->guess.type)
    {
    case MT_TYPE_NUMBER:
      add_number_findings (facts, column, findings);
      return;
    case MT_TYPE_DATE:
      g_ptr_array_add (findings,
                       column_finding (facts, column, "date-column", MT_SEVERITY_NOTE, 0, 0,
                                       MT_SAY (_("Column “%s” contains dates; it is not used in training "
                                                 "unless you make it a feature, in days since 1970"), name)));
      if (result->guess.ambiguous)
        g_ptr_array_add (findings,
                         column_finding (facts, column, "ambiguous-date", MT_SEVERITY_WARNING, 0, 0,
                                         MT_SAY (_("Column “%s”: day and month cannot be told apart; the day "
                                                   "was read first. If that is wrong, write dates as "
                                                   "2024-12-31"), name)));
      return;
    case MT_TYPE_CATEGORY:
    case MT_TYPE_BOOLEAN:
    case MT_TYPE_TEXT:
    default:
      break;
    }
  if (mt_schema_get_type (facts->schema, name, &wanted) && wanted == MT_TYPE_BOOLEAN &&
      result->guess.type != MT_TYPE_BOOLEAN)
    g_ptr_array_add (findings,
                     column_finding (facts, column, "not-boolean", MT_SEVERITY_WARNING, 0, 0,
                                     MT_SAY (_("Column “%s” has more than two different values and was read "
                                               "as a category, not as the boolean you chose"), name)));
  if (result->forced || result->guess.type == MT_TYPE_BOOLEAN)
    return;
  if (result->guess.zeros)
    g_ptr_array_add (findings,
                     offer_type (column_finding (facts, column, "leading-zeros", MT_SEVERITY_NOTE, 0, 0,
                                                 MT_SAY (_("Column “%s” contains whole numbers with leading "
                                                           "zeros; they are kept as text because they look "
                                                           "like codes"), name)),
                                 MT_TYPE_NUMBER));
  if (result->guess.ambiguous)
    g_ptr_array_add (findings,
                     offer_type (column_finding (facts, column, "ambiguous-date", MT_SEVERITY_WARNING, 0, 0,
                                                 MT_SAY (_("Column “%s” contains dates, but day and month "
                                                           "cannot be told apart; it is kept as text"),
                                                                  name)),
                                 MT_TYPE_DATE));
}

/* The first row whose text is (or is not) a number by the dialect @how, or n_rows. */
static gsize
first_row (const MtImportFacts *facts,
           const MtColumn      *values,
           const MtCsvDialect  *how,
           gboolean             is_number)
{
  for (gsize row = 0; row < facts->n_rows; row++)
    {
      g_autofree char *text = mt_column_is_missing (values, row) ? NULL : mt_column_dup_text (values, row);

      if (text != NULL && mt_type_is_number (text, strlen (text), how) == is_number)
        return row;
    }
  return facts->n_rows;
}

static char *
show_cell (const MtColumn *values,
           gsize           row)
{
  g_autofree char *text = mt_column_dup_text (values, row);

  return mt_text_excerpt (text, strlen (text), 40);
}

/* A column kept as text although there are numbers in it: says which cell is in the way. */
static void
add_numbers_as_text (const MtImportFacts *facts,
                     guint                column,
                     const MtColumn      *values,
                     GPtrArray           *findings)
{
  const MtTypeGuess *guess = &facts->results[column].guess;
  const char *name = facts->names[column];
  const MtCsvDialect any = *facts->wanted;
  MtCsvDialect best = any;
  gsize row = first_row (facts, values, &any, FALSE);
  gsize other = facts->n_rows;
  g_autofree char *shown = NULL;
  g_autofree char *shown_other = NULL;
  guint64 line;

  if (row == facts->n_rows)
    {
      /* All are numbers, but not all in one format. */
      best.decimal = mt_number_formats[guess->format].decimal;
      row = first_row (facts, values, &best, FALSE);
      other = first_row (facts, values, &best, TRUE);
    }
  if (row == facts->n_rows)
    return;
  line = mt_line_map_get (facts->line_runs, row);
  shown = show_cell (values, row);
  if (guess->units)
    g_ptr_array_add (findings,
                     offer_type (column_finding (facts, column, "number-with-unit", MT_SEVERITY_WARNING, line, 0,
                                                 MT_SAY (_("Column “%s” contains numbers with a unit or sign "
                                                           "(line %" PRIu64 ": %s), so it was read as text. "
                                                           "Set its type to number to read only the numbers"), name,
                                                                  line, shown)),
                                 MT_TYPE_NUMBER));
  else if (guess->grouped)
    g_ptr_array_add (findings,
                     column_finding (facts, column, "odd-separators", MT_SEVERITY_WARNING, line, 0,
                                     MT_SAY (_("Column “%s” contains digits with separators that match no "
                                               "number format (line %" PRIu64 ": %s), so it was read as "
                                               "text. If they are numbers, write them without separators"), name, line,
                                                      shown)));
  else if (other < facts->n_rows)
    {
      shown_other = show_cell (values, other);
      g_ptr_array_add (findings,
                       offer_type (column_finding (facts, column, "mixed-column", MT_SEVERITY_WARNING, line, 0,
                                                   MT_SAY (_("Column “%s” contains numbers in two formats "
                                                             "(line %" PRIu64 ": %s, line %" PRIu64 ": %s), "
                                                             "so it was read as text. Use one format"), name, line, shown,
                                                                    mt_line_map_get (facts->line_runs, other),
                                                                    shown_other)),
                                   MT_TYPE_NUMBER));
    }
  else
    g_ptr_array_add (findings,
                     offer_type (column_finding (facts, column, "mixed-column", MT_SEVERITY_WARNING, line, 0,
                                                 MT_SAY (_("Column “%s” contains mostly numbers, but line "
                                                           "%" PRIu64 " has %s, so it was read as text. Set "
                                                           "its type to number to treat such values as "
                                                           "missing"),
                                                                  name, line, shown)),
                                 MT_TYPE_NUMBER));
}

void
mt_import_add_findings (const MtImportFacts *facts,
                        GPtrArray           *findings)
{
  add_file_findings (facts, findings);
  for (guint c = 0; c < facts->layout->n_columns; c++)
    {
      const MtTypeGuess *guess = &facts->results[c].guess;

      add_column_findings (facts, c, findings);
      if ((guess->mixed || guess->units || guess->grouped) && !facts->results[c].forced &&
          guess->type != MT_TYPE_NUMBER)
        add_numbers_as_text (facts, c, facts->results[c].column, findings);
    }
}
