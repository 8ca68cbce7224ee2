/* minterm-cli inspect: how a CSV is read, what its columns are, and what is odd about it. */
#include "config.h"
#include "mt-cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "mt-cli-import.h"
#include "mt-cli-terminal.h"

#define SPARK_BINS   6
#define SHOWN_LEVELS 6

typedef struct {
  const char *path;
  MtImport   *import;
  MtTable    *table;       /* the import's */
  GPtrArray  *findings;
  gsize      *n_distinct;  /* by column */
  MtDistribution **distributions;
  guint       n_looked;    /* columns, of which facts are known; atomic */
  MtCliProgress progress;
  GMutex      showing;     /* held by the thread that updates the progress line */
} Inspection;

static void
inspection_clear (Inspection *inspection)
{
  for (guint c = 0; inspection->distributions != NULL && c < mt_table_get_n_columns (inspection->table); c++)
    mt_distribution_unref (inspection->distributions[c]);
  g_free (inspection->distributions);
  g_free (inspection->n_distinct);
  g_clear_pointer (&inspection->findings, g_ptr_array_unref);
  g_clear_pointer (&inspection->import, mt_import_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Inspection, inspection_clear)

static void
look_task (guint    c,
           guint    worker,
           gpointer data)
{
  Inspection *inspection = data;
  guint n_columns = mt_table_get_n_columns (inspection->table);
  const MtColumn *column = mt_table_get_column (inspection->table, c);

  inspection->n_distinct[c] = mt_duplicates_count_distinct (column, NULL, NULL);
  inspection->distributions[c] = mt_distribution_new (column, SPARK_BINS, SHOWN_LEVELS, NULL, NULL);
  g_atomic_int_inc (&inspection->n_looked);
  /* Any thread may show it: the one that started the others may be busy with a long column. */
  if (!g_mutex_trylock (&inspection->showing))
    return;
  mt_cli_progress_update (&inspection->progress, "looking", (double) g_atomic_int_get (&inspection->n_looked) / n_columns,
                          mt_column_get_name (column));
  g_mutex_unlock (&inspection->showing);
}

static void
show_findings (double   done,
               gpointer data)
{
  Inspection *inspection = data;

  mt_cli_progress_update (&inspection->progress, "looking for findings", done, "");
}

static void
look (Inspection *inspection,
      guint       n_threads)
{
  g_autoptr (MtPool) pool = mt_pool_new (n_threads);
  g_autoptr (GPtrArray) scanned = NULL;
  guint n_columns;
  MtFindingsOptions options = { .pool = pool, .progress = show_findings, .progress_data = inspection };

  inspection->table = mt_import_get_table (inspection->import);
  n_columns = mt_table_get_n_columns (inspection->table);
  inspection->n_distinct = g_new0 (gsize, n_columns + 1);
  inspection->distributions = g_new0 (MtDistribution *, n_columns + 1);
  g_mutex_init (&inspection->showing);
  mt_pool_run (pool, n_columns, look_task, inspection);
  g_mutex_clear (&inspection->showing);
  options.n_distinct = inspection->n_distinct;
  scanned = mt_findings_scan_with (inspection->table, &options, NULL, NULL);
  inspection->findings = mt_findings_merge (mt_import_get_findings (inspection->import), scanned);
  mt_cli_progress_clear (&inspection->progress);
}

/* --- for programs --- */

static void
add_character (MtJsonWriter *json,
               const char   *name,
               char          value,
               char          none)
{
  const char text[] = { value, '\0' };

  mt_json_writer_key (json, name);
  if (value == none || value == '\0')
    mt_json_writer_string (json, NULL);
  else
    mt_json_writer_string (json, text);
}

static void
add_dialect (MtJsonWriter       *json,
             const MtCsvDialect *dialect)
{
  const char * const *tokens = (const char * const *) dialect->missing_tokens;

  mt_json_writer_key (json, "dialect");
  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "sheet", dialect->sheet);
  mt_cli_json_text (json, "table", dialect->table);
  mt_cli_json_text (json, "query", dialect->query);
  mt_cli_json_text (json, "encoding", dialect->encoding);
  add_character (json, "delimiter", dialect->delimiter, '\0');
  add_character (json, "quote", dialect->quote, MT_CSV_NO_QUOTE);
  add_character (json, "decimal", dialect->decimal, '\0');
  add_character (json, "thousands", dialect->thousands, MT_CSV_NO_THOUSANDS);
  mt_json_writer_key (json, "header");
  mt_json_writer_boolean (json, dialect->header != 0);
  mt_json_writer_key (json, "missing_tokens");
  mt_json_writer_begin_row (json);
  for (tokens = tokens != NULL ? tokens : mt_missing_get_default_tokens (); *tokens != NULL; tokens++)
    mt_json_writer_string (json, *tokens);
  mt_json_writer_end_array (json);
  mt_json_writer_end_object (json);
}

static void
add_columns (MtJsonWriter     *json,
             const Inspection *inspection)
{
  mt_json_writer_key (json, "columns");
  mt_json_writer_begin_array (json);
  for (guint c = 0; c < mt_table_get_n_columns (inspection->table); c++)
    {
      const MtColumn *column = mt_table_get_column (inspection->table, c);

      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "name", mt_column_get_name (column));
      mt_cli_json_text (json, "type", mt_column_type_to_string (mt_column_get_type (column)));
      mt_cli_json_text (json, "role", mt_column_role_to_string (mt_table_get_role (inspection->table, c)));
      mt_cli_json_count (json, "missing", mt_column_get_n_missing (column));
      mt_cli_json_count (json, "distinct", inspection->n_distinct[c]);
      mt_cli_json_text (json, "reason", mt_table_get_reason (inspection->table, c));
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
}

static void
add_warnings (MtJsonWriter *json,
              GPtrArray    *findings)
{
  mt_json_writer_key (json, "warnings");
  mt_json_writer_begin_array (json);
  for (guint i = 0; i < findings->len; i++)
    {
      const MtFinding *finding = findings->pdata[i];

      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "code", finding->code);
      mt_cli_json_text (json, "severity", mt_severity_to_string (finding->severity));
      mt_cli_json_text (json, "column", finding->column_name);
      mt_json_writer_key (json, "line");
      if (finding->line > 0)
        mt_json_writer_integer (json, finding->line);
      else
        mt_json_writer_string (json, NULL);
      mt_cli_json_count (json, "rows", finding->n_rows);
      mt_cli_json_text (json, "message", finding->message);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
}

/* --- the cells as written --- */

static gboolean
add_record (guint               n_fields,
            const char * const *fields,
            const gsize        *lengths,
            gpointer            data)
{
  MtJsonWriter *json = data;

  mt_json_writer_begin_row (json);
  for (guint i = 0; i < n_fields; i++)
    mt_json_writer_string (json, fields[i]);
  mt_json_writer_end_array (json);
  return TRUE;
}

static gboolean
add_first_record (guint               n_fields,
                  const char * const *fields,
                  const gsize        *lengths,
                  gpointer            data)
{
  mt_json_writer_key (data, "header");
  add_record (n_fields, fields, lengths, data);
  return FALSE;
}

static gboolean
add_cells (MtJsonWriter      *json,
           const Inspection  *inspection,
           GError           **error)
{
  const MtCsvDialect *dialect = mt_import_get_dialect (inspection->import);
  g_autoptr (MtCsvDialect) no_header = mt_csv_dialect_copy (dialect);
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (inspection->path);

  mt_json_writer_key (json, "cells");
  mt_json_writer_begin_object (json);
  /* The names as the file has them: the record that would come first if there were no header. */
  no_header->header = 0;
  if (!dialect->header)
    mt_cli_json_text (json, "header", NULL);
  else if (!mt_csv_each_record (file, no_header, add_first_record, json, NULL, error))
    return FALSE;
  mt_json_writer_key (json, "rows");
  mt_json_writer_begin_array (json);
  if (!mt_csv_each_record (file, dialect, add_record, json, NULL, error))
    return FALSE;
  mt_json_writer_end_array (json);
  mt_json_writer_end_object (json);
  return TRUE;
}

static int
print_json (const Inspection *inspection,
            gboolean          cells)
{
  g_autoptr (MtJsonWriter) json = mt_json_writer_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_utf8_make_valid (inspection->path, -1);
  int target = mt_table_get_target (inspection->table);

  mt_json_writer_begin_object (json);
  mt_cli_json_text (json, "file", path);
  mt_cli_json_count (json, "bytes", mt_import_get_n_bytes (inspection->import));
  mt_cli_json_text (json, "sha256", mt_import_get_sha256 (inspection->import));
  add_dialect (json, mt_import_get_dialect (inspection->import));
  mt_cli_json_count (json, "rows", mt_table_get_n_rows (inspection->table));
  mt_cli_json_text (json, "target",
                   target < 0 ? NULL
                              : mt_column_get_name (mt_table_get_column (inspection->table, (guint) target)));
  add_columns (json, inspection);
  add_warnings (json, inspection->findings);
  if (cells && !add_cells (json, inspection, &error))
    return mt_cli_import_fail (inspection->path, error);
  mt_json_writer_end_object (json);
  return mt_cli_json_print (g_steal_pointer (&json));
}

/* --- for people --- */

static const char *
name_character (char c)
{
  switch (c)
    {
    case ',':
      return "comma";
    case ';':
      return "semicolon";
    case '\t':
      return "tab";
    case '|':
      return "pipe";
    case '.':
      return "point";
    case ' ':
      return "space";
    case '\'':
      return "apostrophe";
    case '"':
      return "double quote";
    default:
      return NULL;
    }
}

static char *
describe_character (char c)
{
  const char *name = name_character (c);

  return name != NULL ? g_strdup (name) : g_strdup_printf ("“%c”", c);
}

static void
append_place (GString            *how,
              const MtCsvDialect *dialect)
{
  if (dialect->sheet != NULL)
    g_string_append_printf (how, "sheet “%s”, ", dialect->sheet);
  if (dialect->table != NULL)
    g_string_append_printf (how, "table “%s”, ", dialect->table);
  if (dialect->query != NULL)
    g_string_append_printf (how, "query “%s”, ", dialect->query);
}

static void
append_heading (GString          *out,
                const Inspection *inspection,
                guint             width,
                gboolean          colour)
{
  const MtCsvDialect *dialect = mt_import_get_dialect (inspection->import);
  g_autofree char *base = g_path_get_basename (inspection->path);
  g_autofree char *name = mt_cli_fit (strcmp (base, "-") == 0 ? "standard input" : base, width - 2);
  g_autofree char *rows = mt_cli_dup_count (mt_table_get_n_rows (inspection->table));
  g_autofree char *columns = mt_cli_dup_count (mt_table_get_n_columns (inspection->table));
  g_autofree char *size = mt_cli_dup_size (mt_import_get_n_bytes (inspection->import));
  g_autofree char *delimiter = describe_character (dialect->delimiter);
  g_autoptr (GString) how = g_string_new (NULL);

  mt_cli_append_styled (out, colour, MT_STYLE_BOLD, name);
  g_string_append_printf (out, "\n%s row%s × %s column%s, %s\n", rows, g_str_equal (rows, "1") ? "" : "s",
                          columns,
                          g_str_equal (columns, "1") ? "" : "s", size);

  append_place (how, dialect);
  if (dialect->sheet != NULL || dialect->table != NULL || dialect->query != NULL)
    {
      g_string_append (how, dialect->header ? "with header" : "no header");
      mt_cli_append_wrapped (out, how->str, width, 0, 0);
      g_string_append (out, "\n\n");
      return;
    }
  g_string_append_printf (how, "%s, delimiter %s, ", dialect->encoding, delimiter);
  if (dialect->quote == MT_CSV_NO_QUOTE || dialect->quote == '\0')
    g_string_append (how, "no quotes, ");
  else
    g_string_append_printf (how, "quote character %s, ", name_character (dialect->quote));
  g_string_append_printf (how, "decimal %s, ", dialect->decimal == ',' ? "comma" : "point");
  if (dialect->thousands != MT_CSV_NO_THOUSANDS && dialect->thousands != '\0')
    g_string_append_printf (how, "thousands separator %s, ", name_character (dialect->thousands));
  g_string_append (how, dialect->header ? "with header" : "no header");
  mt_cli_append_wrapped (out, how->str, width, 0, 0);
  g_string_append (out, "\n\n");
}

/* Eight steps from empty to full; what is there at all is never drawn as nothing. */
static char *
draw_spark (const MtDistribution *distribution)
{
  static const char * const steps[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
  GString *spark = g_string_new (NULL);

  for (guint i = 0; i < distribution->n_counts; i++)
    {
      gsize count = distribution->counts[i];

      g_string_append (spark, steps[count == 0 ? 0 : 1 + (count * 7) / distribution->highest]);
    }
  return g_string_free (spark, FALSE);
}

static char *
describe_share (gsize n,
                gsize total)
{
  double percent = total > 0 ? 100.0 * (double) n / (double) total : 0;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (n == 0)
    return g_strdup ("–");
  if (percent < 0.1)
    return g_strdup ("<0.1%");
  g_ascii_formatd (number, sizeof number, percent < 10 ? "%.1f" : "%.0f", percent);
  return g_strdup_printf ("%s%%", number);
}

/* A value between the smallest and the largest, as the column writes it. */
static char *
describe_edge (const MtColumn *column,
               double          value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (mt_column_get_type (column) == MT_TYPE_DATE)
    {
      double *day = g_memdup2 (&value, sizeof value);
      g_autoptr (MtColumn) one = mt_column_new_numbers ("", MT_TYPE_DATE, day, 1);

      return mt_column_dup_text (one, 0);
    }
  return g_strdup (g_ascii_formatd (number, sizeof number, "%.6g", value));
}

static char *
describe_values (const MtColumn       *column,
                 const MtDistribution *distribution)
{
  gsize n_known = distribution->n_rows - distribution->n_missing;
  GString *text = g_string_new (NULL);

  switch (distribution->kind)
    {
    case MT_DISTRIBUTION_HISTOGRAM:
      {
        g_autofree char *from = describe_edge (column, distribution->min);
        g_autofree char *to = describe_edge (column, distribution->max);

        g_string_append_printf (text, "%s … %s", from, to);
      }
      break;
    case MT_DISTRIBUTION_LEVELS:
      for (guint i = 0; i < distribution->n_counts; i++)
        {
          g_autofree char *share = describe_share (distribution->counts[i], n_known);

          g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", distribution->names[i], share);
        }
      if (distribution->n_other > 0)
        g_string_append (text, ", …");
      break;
    case MT_DISTRIBUTION_NONE:
    default:
      if (mt_column_get_store (column) == MT_STORE_TEXT && n_known > 0)
        {
          gsize row = 0;
          g_autofree char *first = NULL;

          while (mt_column_is_missing (column, row))
            row++;
          first = mt_column_dup_text (column, row);
          g_string_append_printf (text, "%s, …", first);
        }
      break;
    }
  return g_string_free (text, FALSE);
}

static void
append_columns (GString          *out,
                const Inspection *inspection,
                guint             width,
                gboolean          colour)
{
  static const MtCliTableColumn titles[] = {
    { "column", FALSE, TRUE }, { "type" }, { "role" }, { "missing", TRUE }, { "distinct", TRUE },
    { "shape" }, { "values", FALSE, TRUE },
  };
  g_autoptr (MtCliTable) table = mt_cli_table_new (titles, G_N_ELEMENTS (titles));

  for (guint c = 0; c < mt_table_get_n_columns (inspection->table); c++)
    {
      const MtColumn *column = mt_table_get_column (inspection->table, c);
      MtColumnRole role = mt_table_get_role (inspection->table, c);
      g_autofree char *missing = describe_share (mt_column_get_n_missing (column),
                                                 mt_column_get_n_rows (column));
      g_autofree char *distinct = mt_cli_dup_count (inspection->n_distinct[c]);
      g_autofree char *shape = draw_spark (inspection->distributions[c]);
      g_autofree char *values = describe_values (column, inspection->distributions[c]);
      const char *cells[] = {
        mt_column_get_name (column), mt_column_type_to_string (mt_column_get_type (column)),
        mt_column_role_to_string (role), missing, distinct, shape, values,
      };

      mt_cli_table_add (table, role == MT_ROLE_TARGET ? MT_STYLE_BOLD : role == MT_ROLE_IGNORED ? MT_STYLE_DIM
                                                                                                : MT_STYLE_PLAIN, cells);
    }
  mt_cli_table_append (table, out, width, colour);
}

static const struct {
  MtSeverity  severity;
  MtCliStyle  style;
  const char *one, *many;
} groups[] = {
  { MT_SEVERITY_ERROR, MT_STYLE_RED, "error", "errors" },
  { MT_SEVERITY_WARNING, MT_STYLE_YELLOW, "warning", "warnings" },
  { MT_SEVERITY_NOTE, MT_STYLE_CYAN, "note", "notes" },
};

static void
append_findings (GString   *out,
                 GPtrArray *findings,
                 guint      width,
                 gboolean   colour)
{
  for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
    {
      g_autoptr (GString) lines = g_string_new (NULL);
      g_autofree char *title = NULL;
      guint n = 0;

      for (guint i = 0; i < findings->len; i++)
        {
          const MtFinding *finding = findings->pdata[i];

          if (finding->severity != groups[g].severity)
            continue;
          n++;
          g_string_append (lines, "  ");
          mt_cli_append_styled (lines, colour, MT_STYLE_DIM, finding->code);
          g_string_append (lines, "\n    ");
          mt_cli_append_wrapped (lines, finding->message, width, 4, 4);
          g_string_append_c (lines, '\n');
        }
      if (n == 0)
        continue;
      title = g_strdup_printf ("%u %s", n, n == 1 ? groups[g].one : groups[g].many);
      g_string_append_c (out, '\n');
      mt_cli_append_styled (out, colour, groups[g].style, title);
      g_string_append_printf (out, "\n%s", lines->str);
    }
}

/* A person who reads only stderr must see them as well; on one terminal once is enough. */
static void
warn_on_stderr (const Inspection *inspection)
{
  if (isatty (STDOUT_FILENO) && isatty (STDERR_FILENO))
    return;
  for (guint i = 0; i < inspection->findings->len; i++)
    {
      const MtFinding *finding = inspection->findings->pdata[i];

      if (finding->severity != MT_SEVERITY_NOTE)
        mt_cli_fail (MT_EXIT_OK, "%s: %s: %s", inspection->path, mt_severity_to_string (finding->severity),
                     finding->message);
    }
}

static int
print_text (const Inspection *inspection)
{
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean colour = mt_cli_has_colour (stdout);
  guint width = mt_cli_get_width (stdout);

  append_heading (out, inspection, width, colour);
  append_columns (out, inspection, width, colour);
  append_findings (out, inspection->findings, width, colour);
  if (!mt_cli_write (stdout, out->str))
    return mt_cli_fail (MT_EXIT_FAILED, "cannot write to standard output: %s", g_strerror (errno));
  warn_on_stderr (inspection);
  return MT_EXIT_OK;
}

int
mt_cli_inspect (int    argc,
                char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  g_auto (MtCliImport) options = { NULL };
  g_auto (Inspection) inspection = { NULL };
  gboolean cells = FALSE;
  const GOptionEntry own[] = {
    { "cells", 0, 0, G_OPTION_ARG_NONE, &cells, "With --json: print every cell as written in the file",
      NULL },
    { NULL }
  };
  g_autofree GOptionEntry *entries = mt_cli_import_new_entries (&options, own);
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc != 2)
    return mt_cli_fail (MT_EXIT_USAGE, argc < 2 ? "inspect needs a file; see minterm-cli inspect --help"
                                                : "inspect takes one file; see minterm-cli inspect --help");
  if (cells && (!common.json || !mt_cli_import_can_repeat (argv[1])))
    return mt_cli_fail (MT_EXIT_USAGE,
                        "--cells needs --json and a file that can be read twice, not standard input or a pipe");
  inspection.path = argv[1];
  inspection.import = mt_cli_import_read (&options, &common, argv[1], &exit_code);
  if (inspection.import == NULL)
    return exit_code;
  look (&inspection, (guint) common.threads);
  return common.json ? print_json (&inspection, cells) : print_text (&inspection);
}
