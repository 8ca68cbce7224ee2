/* Decisions as arguments of the command line, in the order it gives them itself. */
#include "config.h"
#include "mt-decisions.h"

typedef struct {
  const char *word;
  char        value;
} Word;

static void
add_character (GString    *out,
               const char *name,
               char        value,
               const Word *words,     /* ends with a NULL word */
               char        detected)  /* value that stands for "not chosen" */
{
  const char bare[2] = { value, '\0' };
  const char *text = bare;

  if (value == detected)
    return;
  for (guint i = 0; words[i].word != NULL; i++)
    if (words[i].value == value)
      text = words[i].word;
  mt_command_add_option (out, name, text);
}

static void
add_dialect (GString            *out,
             const MtCsvDialect *dialect)
{
  static const Word delimiters[] = { { "comma", ',' }, { "semicolon", ';' }, { "tab", '\t' }, { "pipe", '|' },
                                     { "space", ' ' }, { NULL } };
  static const Word quotes[] = { { "double", '"' }, { "single", '\'' }, { "none", MT_CSV_NO_QUOTE }, { NULL } };
  static const Word decimals[] = { { "point", '.' }, { "comma", ',' }, { NULL } };
  static const Word thousands[] = { { "comma", ',' }, { "point", '.' }, { "space", ' ' }, { "apostrophe", '\'' },
                                    { "none", MT_CSV_NO_THOUSANDS }, { NULL } };
  g_autoptr (MtCsvDialect) none = mt_csv_dialect_new ();

  if (dialect->sheet != NULL)
    mt_command_add_option (out, "sheet", dialect->sheet);
  if (dialect->table != NULL)
    mt_command_add_option (out, "table", dialect->table);
  if (dialect->query != NULL)
    mt_command_add_option (out, "query", dialect->query);
  if (dialect->encoding != NULL)
    mt_command_add_option (out, "encoding", dialect->encoding);
  add_character (out, "delimiter", dialect->delimiter, delimiters, none->delimiter);
  add_character (out, "quote", dialect->quote, quotes, none->quote);
  add_character (out, "decimal", dialect->decimal, decimals, none->decimal);
  add_character (out, "thousands", dialect->thousands, thousands, none->thousands);
  if (dialect->header != none->header)
    mt_command_add_word (out, dialect->header ? "--header" : "--no-header");
}

static void
add_pair (GString    *out,
          const char *name,
          const char *column,
          const char *value)
{
  g_autofree char *pair = g_strconcat (column, "=", value, NULL);

  mt_command_add_option (out, name, pair);
}

char *
mt_decisions_dup_arguments (MtDecisions   *self,
                            const MtTable *guessed,
                            const MtTable *used)
{
  g_autoptr (GString) out = g_string_new (NULL);
  guint n = mt_table_get_n_columns (used);

  add_dialect (out, self->dialect);
  for (guint i = 0; i < n; i++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (used, i));
      const char * const *missing = mt_schema_get_missing (self->schema, name);

      for (guint j = 0; missing != NULL && missing[j] != NULL; j++)
        add_pair (out, "missing-in", name, missing[j]);
    }
  for (guint i = 0; i < n; i++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (used, i));
      MtColumnType type;

      if (mt_schema_get_type (self->schema, name, &type))
        add_pair (out, "type", name, mt_column_type_to_string (type));
    }
  for (guint i = 0; i < n; i++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (used, i));
      MtColumnRole role = mt_table_get_role (used, i), guess = mt_table_get_role (guessed, i), given;
      /* A file that is read again with roles that were given has them, whatever would have been guessed: what was given is
       * written always, so that the answer is the same before a project is saved and after it is opened. */
      gboolean is_given = mt_schema_get_role (self->schema, name, &given);

      /* The target has an option of its own, and what would have been it is a feature then. */
      if (role != MT_ROLE_TARGET && (is_given || (role != guess && !(role == MT_ROLE_FEATURE && guess == MT_ROLE_TARGET))))
        add_pair (out, "role", name, mt_column_role_to_string (role));
    }
  for (guint i = 0; i < mt_schema_get_n_derived (self->schema); i++)
    {
      const char *formula, *name = mt_schema_get_derived (self->schema, i, &formula);
      g_autofree char *both = g_strdup_printf ("%s = %s", name, formula);

      mt_command_add_option (out, "derive", both);
    }
  return out->len > 0 ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}
