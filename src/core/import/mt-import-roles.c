/* First guesses at what each column is for, each with its reason; the user's schema wins. */
#include "config.h"
#include "mt-import-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-date.h"
#include "base/mt-decimal.h"
#include "base/mt-gettext.h"
#include "base/mt-sort.h"

static char *
type_reason (const MtColumnResult *result,
             const MtColumn       *column)
{
  if (result->forced)
    return g_strdup (_("you chose the type"));
  switch (mt_column_get_type (column))
    {
    case MT_TYPE_NUMBER:
      if (result->n_values == 0)
        return g_strdup (_("it has no values"));
      if (result->n_bad + result->n_infinite > 0)
        return g_strdup_printf (_("%zu of %zu values are numbers"),
                                result->n_values - result->n_bad - result->n_infinite, result->n_values);
      return g_strdup (_("all values are numbers"));
    case MT_TYPE_BOOLEAN:
      return g_strdup (_("it has two different values"));
    case MT_TYPE_DATE:
      return g_strdup (_("the values are dates"));
    case MT_TYPE_TEXT:
      return g_strdup (_("almost every value is different"));
    case MT_TYPE_CATEGORY:
    default:
      return result->guess.zeros ? g_strdup (_("whole numbers with leading zeros look like codes"))
                                 : g_strdup_printf (ngettext ("%u different value", "%u different values",
                                                              mt_column_get_n_levels (column)),
                                                    mt_column_get_n_levels (column));
    }
}

static gboolean
is_constant (const MtColumn *column)
{
  double first = NAN;

  if (mt_column_get_n_missing (column) > 0)
    return mt_column_get_n_missing (column) == mt_column_get_n_rows (column);
  switch (mt_column_get_store (column))
    {
    case MT_STORE_CODES:
      return mt_column_get_n_levels (column) == 1;
    case MT_STORE_NUMBERS:
      for (gsize row = 0; row < mt_column_get_n_rows (column); row++)
        {
          double value = mt_column_get_number (column, row);

          if (row > 0 && value != first)
            return FALSE;
          first = value;
        }
      return TRUE;
    case MT_STORE_TEXT:
    default:
      return FALSE;
    }
}

/* A row number, or whole numbers under the name of an identifier, none of them twice. */
static const char *
number_is_identifier (const MtColumn *column)
{
  gsize n = mt_column_get_n_rows (column);
  g_autofree char *lower = g_utf8_strdown (mt_column_get_name (column), -1);
  gboolean named = strcmp (lower, "id") == 0 || g_str_has_suffix (lower, "_id") || g_str_has_suffix (lower, " id") ||
                   g_str_has_suffix (mt_column_get_name (column), "Id") ||
                   g_str_has_suffix (mt_column_get_name (column), "ID");
  g_autofree double *values = NULL;
  gboolean consecutive = TRUE;

  if (n < 20 || mt_column_get_n_missing (column) > 0)
    return NULL;
  values = g_try_new (double, n);
  if (values == NULL)
    return NULL;
  mt_column_read_numbers (column, 0, n, values);
  for (gsize row = 0; row < n; row++)
    {
      if (values[row] != floor (values[row]))
        return NULL;
      consecutive &= row == 0 || values[row] == values[row - 1] + 1;
      if (!consecutive && !named)
        return NULL;
    }
  if (consecutive)
    return _("it numbers the rows");
  mt_sort_doubles (values, n);
  for (gsize row = 1; row < n; row++)
    if (values[row] == values[row - 1])
      return NULL;
  return _("its name suggests an identifier and no value occurs twice");
}

/* Why a column is no use as it is, or NULL. */
static const char *
reason_to_ignore (const MtColumnResult *result,
                  const MtColumn       *column)
{
  if (result->n_values == 0)
    return _("it has no values");
  if (mt_column_get_n_rows (column) > 1 && is_constant (column))
    return _("it has the same value in every row");
  switch (mt_column_get_type (column))
    {
    case MT_TYPE_TEXT:
      return _("its text looks like identifiers");
    case MT_TYPE_DATE:
      return _("it contains dates");
    case MT_TYPE_NUMBER:
      return result->forced ? NULL : number_is_identifier (column);
    case MT_TYPE_CATEGORY:
    case MT_TYPE_BOOLEAN:
    default:
      return NULL;
    }
}

gboolean
mt_import_is_outcome_name (const char *name)
{
  static const char * const words[] = {
    "approved", "churn", "churned", "class", "default", "defaulted", "diagnosis", "fraud", "label", "outcome", "readmitted",
    "response", "survived", "target", "y", NULL
  };
  g_autofree char *lower = NULL;

  g_return_val_if_fail (name != NULL, FALSE);

  lower = g_utf8_strdown (name, -1);
  return g_strv_contains (words, lower);
}

/* A text that the column's own format or order reads otherwise than the plain one is kept in both ways: 0,5 and 0.5,
 * 31.12.1899 and 1899-12-31. What is made of the table may meet either. */
static void
keep_missing_values (const MtColumnResult *result,
                     const char * const   *own,
                     MtColumn             *column)
{
  const MtNumberFormat *format = &mt_number_formats[result->guess.format];
  MtColumnType type = mt_column_get_type (column);
  g_autoptr (GPtrArray) texts = NULL;

  if (own == NULL)
    return;
  texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; own[i] != NULL; i++)
    g_ptr_array_add (texts, g_strdup (own[i]));
  for (guint i = 0; own[i] != NULL; i++)
    {
      gsize length = strlen (own[i]);
      double value, plain;
      gboolean is_value = FALSE;

      if (type == MT_TYPE_DATE)
        is_value = mt_date_parse (own[i], length, result->guess.order, &value);
      else if (type == MT_TYPE_NUMBER)
        is_value = (result->guess.units ? mt_quantity_parse (own[i], length, format, result->guess.unit, &value)
                                        : mt_number_parse (own[i], length, format, &value)) == MT_NUMBER_FINITE;
      if (is_value && (!mt_missing_get_token_value (own[i], type, &plain) || plain != value))
        {
          g_autofree char *other = type == MT_TYPE_DATE ? mt_date_dup_iso (value) : mt_decimal_dup (value);

          if (!g_ptr_array_find_with_equal_func (texts, other, g_str_equal, NULL))
            g_ptr_array_add (texts, g_steal_pointer (&other));
        }
    }
  g_ptr_array_add (texts, NULL);
  mt_column_set_missing_values (column, (const char * const *) texts->pdata);
}

/* How often each name is in the header; blank ones are not counted. */
static GHashTable *
count_names (const MtCsvLayout *layout)
{
  GHashTable *counts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint c = 0; layout->names != NULL && c < layout->n_columns; c++)
    if (!mt_csv_is_blank (layout->names[c], strlen (layout->names[c])))
      g_hash_table_insert (counts, layout->names[c],
                           GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, layout->names[c])) + 1));
  return counts;
}

/* Two columns of one name were made two names by their order in the file, and only by that. */
static gboolean
is_doubled (GHashTable        *counts,
            const MtCsvLayout *layout,
            guint              column)
{
  return layout->names != NULL && GPOINTER_TO_UINT (g_hash_table_lookup (counts, layout->names[column])) > 1;
}

MtTable *
mt_import_make_table (const MtImportFacts *facts,
                      GPtrArray           *findings)
{
  guint n = facts->layout->n_columns;
  g_autofree MtColumn **columns = g_new0 (MtColumn *, n);
  g_autofree MtColumnRole *roles = g_new0 (MtColumnRole, n);
  g_autofree const char **why_ignored = g_new0 (const char *, n);
  g_auto (GStrv) reasons = g_new0 (char *, n + 1);
  g_autoptr (GHashTable) counts = count_names (facts->layout);
  g_autoptr (MtTable) table = NULL;
  int target = -1;
  gboolean named = FALSE, given = FALSE;

  for (guint c = 0; c < n; c++)
    {
      MtColumnRole role;

      columns[c] = g_steal_pointer (&facts->results[c].column);
      keep_missing_values (&facts->results[c], mt_schema_get_missing (facts->schema, facts->names[c]), columns[c]);
      if (facts->results[c].guess.units && mt_column_get_type (columns[c]) == MT_TYPE_NUMBER)
        mt_column_set_unit (columns[c], facts->results[c].guess.unit[0] != '\0' ? facts->results[c].guess.unit : MT_UNIT_SIGNS);
      mt_column_set_is_doubled (columns[c], is_doubled (counts, facts->layout, c));
      why_ignored[c] = reason_to_ignore (&facts->results[c], columns[c]);
      given |= mt_schema_get_role (facts->schema, facts->names[c], &role) && role == MT_ROLE_TARGET;
    }
  /* The last of the columns named like one, else the last that could be one. */
  for (guint c = n; c > 0 && !given && !named; c--)
    {
      MtColumnRole role;
      gboolean is_named = mt_import_is_outcome_name (facts->names[c - 1]);

      if (mt_schema_get_role (facts->schema, facts->names[c - 1], &role))
        continue;
      if (is_named || (target < 0 && why_ignored[c - 1] == NULL && n > 1))
        target = (int) c - 1;
      named = is_named;
    }
  for (guint c = 0; c < n; c++)
    {
      g_autofree char *type = type_reason (&facts->results[c], columns[c]);
      const char *why;

      if (mt_schema_get_role (facts->schema, facts->names[c], &roles[c]))
        why = _("you chose the role");
      else if ((int) c == target)
        {
          roles[c] = MT_ROLE_TARGET;
          why = named ? _("its name suggests an outcome") : _("it is the last suitable column");
        }
      else
        {
          roles[c] = why_ignored[c] != NULL ? MT_ROLE_IGNORED : MT_ROLE_FEATURE;
          why = why_ignored[c];
        }
      reasons[c] = why != NULL ? g_strdup_printf ("%s: %s; %s: %s", mt_column_role_to_word (roles[c]), why,
                                                  mt_column_type_to_word (mt_column_get_type (columns[c])), type)
                               : g_strdup_printf ("%s: %s", mt_column_type_to_word (mt_column_get_type (columns[c])),
                                                  type);
    }
  table = mt_table_new (columns, n);
  return mt_table_with_roles (table, roles, (const char * const *) reasons);
}

gboolean
mt_import_derive (MtImport       **import,
                  const MtSchema  *schema,
                  GError         **error)
{
  MtTable *derived = mt_schema_derive (schema, (*import)->table, error);

  if (derived == NULL)
    {
      g_clear_pointer (import, mt_import_unref);
      return FALSE;
    }
  mt_table_unref ((*import)->table);
  (*import)->table = derived;
  return TRUE;
}
