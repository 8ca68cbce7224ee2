/* Reading a CSV for a command: the options that say how, the progress line, the errors. See mt-cli-
 * import.h. */
#include "config.h"
#include "mt-cli-import.h"

#include <gio/gunixinputstream.h>
#include <string.h>
#include <unistd.h>

#include "mt-cli-terminal.h"

void
mt_cli_import_clear (MtCliImport *options)
{
  g_free (options->encoding);
  g_free (options->delimiter);
  g_free (options->quote);
  g_free (options->decimal);
  g_free (options->thousands);
  g_strfreev (options->missing);
  g_strfreev (options->missing_in);
  g_strfreev (options->types);
  g_strfreev (options->roles);
  g_strfreev (options->derived);
  g_free (options->split_by);
  g_free (options->target);
  g_free (options->sheet);
  g_free (options->table);
  g_free (options->query);
}

/* File name arguments are taken as they are: names and tokens are UTF-8 in any locale. */
GOptionEntry *
mt_cli_import_new_entries (MtCliImport        *options,
                           const GOptionEntry *own)
{
  const GOptionEntry entries[] = {
    { "target", 0, 0, G_OPTION_ARG_FILENAME, &options->target, "Column to predict", "COLUMN" },
    { "split-by", 0, 0, G_OPTION_ARG_FILENAME, &options->split_by,
      "Predict later rows from earlier ones: split and fold by this date or number (as --role COLUMN=time)",
      "COLUMN" },
    { "role", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->roles,
      "Set a role: feature, target, ignored, group (rows kept together in splits), report (subgroups only), or time "
      "(later rows are predicted from earlier ones); may be repeated", "COLUMN=ROLE" },
    { "type", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->types,
      "Set a type: number, category, boolean, date, or text; may be repeated", "COLUMN=TYPE" },
    { "derive", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->derived,
      "Add a column computed from others, as in 'ratio = income / loan' or 'month(date)'; may be repeated", "[NAME=]FORMULA" },
    { "missing", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->missing,
      "Treat TOKEN as missing, in addition to NA, ?, and the like; may be repeated", "TOKEN" },
    { "missing-in", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->missing_in,
      "Treat TOKEN as missing in one column; may be repeated", "COLUMN=TOKEN" },
    { "no-usual-missing", 0, 0, G_OPTION_ARG_NONE, &options->no_usual_missing,
      "Treat only empty cells and --missing tokens as missing, not NA, ?, and the like", NULL },
    { "sheet", 0, 0, G_OPTION_ARG_FILENAME, &options->sheet, "Sheet of an XLSX or ODS file to read [default: the only one]", "NAME" },
    { "table", 0, 0, G_OPTION_ARG_FILENAME, &options->table,
      "Table or view of an SQLite or DuckDB database to read [default: the only one]", "NAME" },
    { "query", 0, 0, G_OPTION_ARG_FILENAME, &options->query, "Read the result of this database query instead of a table", "SELECT" },
    { "encoding", 0, 0, G_OPTION_ARG_FILENAME, &options->encoding, "Encoding: UTF-8, UTF-16LE, WINDOWS-1252, … [default: detected]",
      "NAME" },
    { "delimiter", 0, 0, G_OPTION_ARG_FILENAME, &options->delimiter,
      "Delimiter: comma, semicolon, tab, pipe, space, or one character [default: detected]", "D" },
    { "quote", 0, 0, G_OPTION_ARG_FILENAME, &options->quote, "Quote character: double, single, or none [default: detected]", "Q" },
    { "decimal", 0, 0, G_OPTION_ARG_FILENAME, &options->decimal, "Decimal mark: point or comma [default: detected]", "D" },
    { "thousands", 0, 0, G_OPTION_ARG_FILENAME, &options->thousands,
      "Thousands separator: comma, point, space, apostrophe, or none [default: detected]", "T" },
    { "header", 0, 0, G_OPTION_ARG_NONE, &options->header, "The first line contains the column names", NULL },
    { "no-header", 0, 0, G_OPTION_ARG_NONE, &options->no_header, "The first line contains data", NULL },
  };
  guint n_own = 0;
  GOptionEntry *all;

  while (own != NULL && own[n_own].long_name != NULL)
    n_own++;
  all = g_new0 (GOptionEntry, G_N_ELEMENTS (entries) + n_own + 1);
  memcpy (all, entries, sizeof entries);
  if (n_own > 0)
    memcpy (all + G_N_ELEMENTS (entries), own, n_own * sizeof *own);
  return all;
}

GOptionEntry *
mt_cli_import_new_model_entries (MtCliImport        *options,
                                 const char         *target,
                                 gboolean            typed,
                                 const GOptionEntry *own)
{
  GOptionEntry *all = mt_cli_import_new_entries (options, own);

  for (GOptionEntry *entry = all; entry->long_name != NULL; entry++)
    {
      const char *name = entry->long_name;

      if (g_str_equal (name, "role") || g_str_equal (name, "split-by") || g_str_equal (name, "derive") ||
          (g_str_equal (name, "target") && target == NULL) || (g_str_equal (name, "type") && !typed))
        entry->flags |= G_OPTION_FLAG_HIDDEN;
      else if (g_str_equal (name, "target"))
        entry->description = target;
    }
  return all;
}

/* --- derived columns --- */

/* [NAME=]FORMULA. The "=" stands behind the name; none is in a formula, but in its texts. */
static MtFormula *
read_derived (const char  *text,
              char       **name,
              GError     **error)
{
  const char *equals = strchr (text, '='), *quote = strchr (text, '"');
  MtFormula *formula;

  if (equals != NULL && quote != NULL && quote < equals)
    equals = NULL;
  formula = mt_formula_new (equals != NULL ? equals + 1 : text, error);
  if (formula != NULL)
    *name = equals != NULL ? g_strstrip (g_strndup (text, (gsize) (equals - text))) : mt_formula_dup_name (formula);
  return formula;
}

/* --- and back --- */

static void
add_each (GString     *out,
          const char  *name,
          char       **values)
{
  for (guint i = 0; values != NULL && values[i] != NULL; i++)
    mt_command_add_option (out, name, values[i]);
}

/* As a project of the window writes them: NAME = FORMULA, in the formula's own form. */
static void
add_derived (GString  *out,
             char    **derived)
{
  for (guint i = 0; derived != NULL && derived[i] != NULL; i++)
    {
      g_autofree char *name = NULL;
      g_autoptr (MtFormula) formula = read_derived (derived[i], &name, NULL);
      g_autofree char *both = formula != NULL ? g_strdup_printf ("%s = %s", name, mt_formula_get_text (formula)) : NULL;

      if (both != NULL)
        mt_command_add_option (out, "derive", both);
    }
}

char *
mt_cli_import_dup_arguments (const MtCliImport *options)
{
  const char * const single[][2] = {
    { "sheet", options->sheet }, { "table", options->table }, { "query", options->query },
    { "encoding", options->encoding }, { "delimiter", options->delimiter }, { "quote", options->quote },
    { "decimal", options->decimal }, { "thousands", options->thousands },
  };
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (single); i++)
    if (single[i][1] != NULL)
      mt_command_add_option (out, single[i][0], single[i][1]);
  if (options->header || options->no_header)
    mt_command_add_word (out, options->header ? "--header" : "--no-header");
  add_each (out, "missing-in", options->missing_in);
  add_each (out, "type", options->types);
  add_each (out, "role", options->roles);
  add_derived (out, options->derived);
  if (options->split_by != NULL)
    {
      g_autofree char *role = g_strconcat (options->split_by, "=time", NULL);
      char *both[] = { role, NULL };

      add_each (out, "role", both);
    }
  return out->len > 0 ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

/* --- from words to a dialect and a schema --- */

typedef struct {
  const char *word;
  char        value;
} Word;

/* A word of the list, or one of the characters that the words stand for. */
static gboolean
parse_character (const char  *option,
                 const char  *text,
                 const Word  *words,       /* ends with a NULL word */
                 gboolean     any,         /* other printing ASCII characters too */
                 char        *value,
                 GError     **error)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; words[i].word != NULL; i++)
    {
      if (g_ascii_strcasecmp (text, words[i].word) == 0 ||
          (text[0] == words[i].value && text[0] != '\0' && text[1] == '\0'))
        {
          *value = words[i].value;
          return TRUE;
        }
      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", words[i].word);
    }
  if (any && g_ascii_ispunct (text[0]) && text[0] != '"' && text[1] == '\0')
    {
      *value = text[0];
      return TRUE;
    }
  g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "--%s must be one of %s%s, not “%s”", option, list->str,
               any ? " or one punctuation mark" : "", text);
  return FALSE;
}

static void
set_text (char       **where,
          const char  *text)
{
  if (text == NULL)
    return;
  g_free (*where);
  *where = g_strdup (text);
}

static gboolean
make_dialect (const MtCliImport  *options,
              MtCsvDialect       *dialect,
              GError            **error)
{
  static const Word delimiters[] = { { "comma", ',' }, { "semicolon", ';' }, { "tab", '\t' }, { "pipe", '|' },
                                     { "space", ' ' }, { "\\t", '\t' }, { NULL } };
  static const Word quotes[] = { { "double", '"' }, { "single", '\'' }, { "none", MT_CSV_NO_QUOTE },
                                 { NULL } };
  static const Word decimals[] = { { "point", '.' }, { "comma", ',' }, { NULL } };
  static const Word thousands[] = { { "comma", ',' }, { "point", '.' }, { "space", ' ' },
                                    { "apostrophe", '\'' },
                                    { "none", MT_CSV_NO_THOUSANDS }, { NULL } };

  if (options->header && options->no_header)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "--header and --no-header cannot be used together");
      return FALSE;
    }
  if ((options->sheet != NULL) + (options->table != NULL) + (options->query != NULL) > 1)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "only one of --sheet, --table, and --query can be used");
      return FALSE;
    }
  if (options->header || options->no_header)
    dialect->header = options->header ? 1 : 0;
  set_text (&dialect->sheet, options->sheet);
  set_text (&dialect->table, options->table);
  set_text (&dialect->query, options->query);
  if (options->encoding != NULL)
    {
      g_free (dialect->encoding);
      dialect->encoding = g_strdup (options->encoding);
    }
  if (options->missing != NULL || options->no_usual_missing)
    {
      g_autoptr (GStrvBuilder) tokens = g_strv_builder_new ();

      if (options->no_usual_missing)
        g_strv_builder_add (tokens, "");
      else
        g_strv_builder_addv (tokens, (const char **) mt_missing_get_default_tokens ());
      if (options->missing != NULL)
        g_strv_builder_addv (tokens, (const char **) options->missing);
      g_strfreev (dialect->missing_tokens);
      dialect->missing_tokens = g_strv_builder_end (tokens);
    }
  return (options->delimiter == NULL ||
          parse_character ("delimiter", options->delimiter, delimiters, TRUE, &dialect->delimiter, error)) &&
         (options->quote == NULL || parse_character ("quote", options->quote, quotes, FALSE, &dialect->quote,
                                                     error)) &&
         (options->decimal == NULL ||
          parse_character ("decimal", options->decimal, decimals, FALSE, &dialect->decimal, error)) &&
         (options->thousands == NULL ||
          parse_character ("thousands", options->thousands, thousands, FALSE, &dialect->thousands, error));
}

/* "COLUMN=WHAT" at the last "=": names may hold one. Adds the name to @names. */
static const char *
split_pair (const char  *option,
            const char  *pair,
            GPtrArray   *names,
            char       **name,
            GError     **error)
{
  const char *equals = strrchr (pair, '=');

  if (equals == NULL || equals == pair)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "--%s needs COLUMN=VALUE, not “%s”", option, pair);
      return NULL;
    }
  *name = g_strndup (pair, (gsize) (equals - pair));
  g_ptr_array_add (names, *name);
  return equals + 1;
}

static gboolean
make_schema (const MtCliImport  *options,
             MtSchema           *schema,
             GPtrArray          *names,
             GError            **error)
{
  char *name;

  for (guint i = 0; options->derived != NULL && options->derived[i] != NULL; i++)
    {
      g_autofree char *own = NULL;
      g_autoptr (MtFormula) formula = read_derived (options->derived[i], &own, error);

      if (formula == NULL)
        {
          g_prefix_error (error, "--derive: ");
          return FALSE;
        }
      g_ptr_array_add (names, g_steal_pointer (&own));
      mt_schema_set_derived (schema, names->pdata[names->len - 1], mt_formula_get_text (formula));
    }
  for (guint i = 0; options->types != NULL && options->types[i] != NULL; i++)
    {
      const char *word = split_pair ("type", options->types[i], names, &name, error);
      MtColumnType type;

      if (word == NULL)
        return FALSE;
      if (!mt_column_type_from_string (word, &type))
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       "--type must be number, category, boolean, date, or text, not “%s”", word);
          return FALSE;
        }
      mt_schema_set_type (schema, name, type);
    }
  for (guint i = 0; options->roles != NULL && options->roles[i] != NULL; i++)
    {
      const char *word = split_pair ("role", options->roles[i], names, &name, error);
      MtColumnRole role;

      if (word == NULL)
        return FALSE;
      if (!mt_column_role_from_string (word, &role))
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       "--role must be feature, target, ignored, group, report, or time, not “%s”", word);
          return FALSE;
        }
      mt_schema_set_role (schema, name, role);
    }
  for (guint i = 0; options->missing_in != NULL && options->missing_in[i] != NULL; i++)
    {
      const char *token = split_pair ("missing-in", options->missing_in[i], names, &name, error);

      if (token == NULL)
        return FALSE;
      mt_schema_add_missing (schema, name, token);
    }
  if (options->split_by != NULL)
    {
      g_ptr_array_add (names, g_strdup (options->split_by));
      mt_schema_set_role (schema, options->split_by, MT_ROLE_TIME);
    }
  if (options->target != NULL)
    {
      g_ptr_array_add (names, g_strdup (options->target));
      mt_schema_set_role (schema, options->target, MT_ROLE_TARGET);
    }
  for (guint i = 0; i < names->len; i++)
    if (!g_utf8_validate (names->pdata[i], -1, NULL))
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "the column name “%s” is not UTF-8",
                     (char *) names->pdata[i]);
        return FALSE;
      }
  return TRUE;
}

/* --- reading --- */

void
mt_cli_import_show_progress (const MtImportProgress *progress,
                             gpointer                data)
{
  g_autofree char *rows = mt_cli_dup_count (progress->rows);
  g_autofree char *size = mt_cli_dup_size (progress->bytes);
  g_autofree char *detail = g_strdup_printf ("%s, %s rows, %.0f MB/s", size, rows,
                                             progress->bytes_per_second / 1e6);

  mt_cli_progress_update (data, "reading",
                          progress->total_bytes > 0
                          ? (double) progress->bytes / (double) progress->total_bytes : -1,
                          detail);
}

/* A wrong name is a slip of the pen; better to say so than to go on without it. */
gboolean
mt_cli_import_check_names (const MtTable  *table,
                           char          **names,
                           const char     *path,
                           int            *exit_code)
{
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    if (mt_table_find_column (table, names[i], NULL) == NULL)
      {
        g_autoptr (GString) list = g_string_new (NULL);
        guint n = mt_table_get_n_columns (table);

        for (guint c = 0; c < MIN (n, 20); c++)
          g_string_append_printf (list, "%s“%s”", c > 0 ? ", " : "",
                                  mt_column_get_name (mt_table_get_column (table, c)));
        *exit_code = mt_cli_fail (MT_EXIT_USAGE, "%s: there is no column “%s”; the columns are %s%s",
                                  strcmp (path, "-") == 0 ? "standard input" : path, names[i],
                                  list->str, n > 20 ? ", …" : "");
        return FALSE;
      }
  return TRUE;
}

/* Whatever cannot be read twice (a pipe, <(…) of the shell, a terminal) is read as a stream. */
gboolean
mt_cli_import_can_repeat (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);

  return strcmp (path, "-") != 0 &&
         g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_SPECIAL;
}

GInputStream *
mt_cli_import_open_stream (const char  *path,
                           GError     **error)
{
  g_autoptr (GFile) file = NULL;

  if (strcmp (path, "-") == 0)
    return g_unix_input_stream_new (STDIN_FILENO, FALSE);
  if (mt_cli_import_can_repeat (path))
    return NULL;
  file = g_file_new_for_commandline_arg (path);
  return G_INPUT_STREAM (g_file_read (file, NULL, error));
}

/* Several files are one stream. */
static MtImport *
import_joined (const char             *path,
               char                  **more,
               const MtImportOptions  *how,
               GError                **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GInputStream) stream = NULL;

  g_ptr_array_add (files, g_file_new_for_commandline_arg (path));
  for (guint i = 0; more[i] != NULL; i++)
    g_ptr_array_add (files, g_file_new_for_commandline_arg (more[i]));
  for (guint i = 0; i < files->len; i++)
    {
      if (!mt_cli_import_can_repeat (i == 0 ? path : more[i - 1]))
        {
          mt_refuse (error, MT_ERROR_PARAMS, "several files are read from disk, not from standard input or a pipe");
          return NULL;
        }
      if (!g_file_query_exists (files->pdata[i], NULL))
        {
          mt_refuse (error, MT_ERROR_PARAMS, "%s: no such file", i == 0 ? path : more[i - 1]);
          return NULL;
        }
    }
  stream = mt_joined_stream_new ((GFile **) files->pdata, files->len, how->dialect);
  return mt_import_stream (stream, how, NULL, error);
}

static MtImport *
import_path (const char             *path,
             char                  **more,
             const MtImportOptions  *how,
             GError                **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (GInputStream) stream = mt_cli_import_open_stream (path, &problem);
  g_autoptr (GFile) file = NULL;

  if (more != NULL)
    return import_joined (path, more, how, error);
  if (stream != NULL)
    return mt_import_stream (stream, how, NULL, error);
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  file = g_file_new_for_commandline_arg (path);
  return mt_import_file (file, how, NULL, error);
}

gboolean
mt_cli_import_prepare (const MtCliImport *options,
                       MtCsvDialect      *dialect,
                       MtSchema          *schema,
                       GPtrArray         *names,
                       int               *exit_code)
{
  g_autoptr (GError) error = NULL;

  if (make_dialect (options, dialect, &error) && make_schema (options, schema, names, &error))
    return TRUE;
  *exit_code = mt_cli_fail (MT_EXIT_USAGE, "%s", error->message);
  return FALSE;
}

MtImport *
mt_cli_import_read (const MtCliImport *options,
                    const MtCliCommon *common,
                    const char        *path,
                    int               *exit_code)
{
  return mt_cli_import_read_as (options, common, NULL, path, exit_code);
}

int
mt_cli_import_fail (const char   *path,
                    const GError *error)
{
  g_autofree char *name = g_path_get_basename (path);

  if (strcmp (path, "-") == 0)
    return mt_cli_fail (MT_EXIT_FAILED, "standard input: %s", error->message);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return mt_cli_fail (MT_EXIT_FAILED, "%s: no such file", path);
  if (strstr (error->message, name) != NULL)
    return mt_cli_fail_error (error);
  return mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);
}

MtImport *
mt_cli_import_read_as (const MtCliImport *options,
                       const MtCliCommon *common,
                       const MtSchema    *known,
                       const char        *path,
                       int               *exit_code)
{
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();
  g_autoptr (MtSchema) schema = known != NULL ? mt_schema_copy (known) : mt_schema_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (MtImport) import = NULL;
  g_autoptr (GError) error = NULL;
  MtCliProgress progress = { FALSE };
  MtImportOptions how = {
    .dialect = dialect,
    .schema = schema,
    .n_threads = (guint) common->threads,
    .progress = mt_cli_import_show_progress,
    .progress_data = &progress,
  };

  if (!mt_cli_import_prepare (options, dialect, schema, names, exit_code))
    return NULL;
  import = import_path (path, options->more, &how, &error);
  mt_cli_progress_clear (&progress);
  if (import == NULL)
    {
      g_autofree char *all = options->more == NULL ? NULL
                             : g_strdup_printf ("%s and %u more", path, g_strv_length (options->more));

      *exit_code = mt_cli_import_fail (all != NULL ? all : path, error);
      return NULL;
    }
  g_ptr_array_add (names, NULL);
  if (!mt_cli_import_check_names (mt_import_get_table (import), (char **) names->pdata, path, exit_code))
    return NULL;
  return g_steal_pointer (&import);
}
