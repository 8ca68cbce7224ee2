/* Of columns the name says which are left out, by the columns that some other run uses: "without age". See mt-run-names.h. */
#include "config.h"
#include "mt-run-names.h"

#include <glib/gi18n.h>

#include "document/mt-run-words.h"

#define NAMED 2   /* columns left out that are named; of more it is said how many are used */

/* The columns that a run learns from, by name. */
static GHashTable *
list_features (MtRun *run)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  MtTable *table = mt_run_get_table (run);

  for (guint i = 0; table != NULL && i < mt_table_get_n_columns (table); i++)
    if (mt_table_get_role (table, i) == MT_ROLE_FEATURE)
      g_hash_table_add (names, (gpointer) mt_column_get_name (mt_table_get_column (table, i)));
  return names;
}

static gboolean
is_same (GHashTable *a,
         GHashTable *b)
{
  GHashTableIter iter;
  gpointer name;

  if (g_hash_table_size (a) != g_hash_table_size (b))
    return FALSE;
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (b, name))
      return FALSE;
  return TRUE;
}

gboolean
mt_run_names_same_columns (MtRun *a,
                           MtRun *b)
{
  g_autoptr (GHashTable) of_a = NULL;
  g_autoptr (GHashTable) of_b = NULL;

  if (a == b || mt_run_get_table (a) == mt_run_get_table (b) || mt_run_get_table (a) == NULL || mt_run_get_table (b) == NULL)
    return TRUE;
  of_a = list_features (a);
  of_b = list_features (b);
  return is_same (of_a, of_b);
}

/* NULL: the others use the same. */
static char *
tell_columns (MtRun         *run,
              MtRun * const *runs,
              guint          n_runs)
{
  g_autoptr (GHashTable) own = NULL;
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();
  MtTable *seen = mt_run_get_table (run);
  gboolean differ = FALSE;

  for (guint i = 0; i < n_runs; i++)
    {
      MtTable *table = mt_run_get_table (runs[i]);
      g_autoptr (GHashTable) other = NULL;
      GHashTableIter iter;
      gpointer name;

      if (table == NULL || table == seen)
        continue;
      seen = table;
      own = own != NULL ? own : list_features (run);
      other = list_features (runs[i]);
      differ |= !is_same (own, other);
      g_hash_table_iter_init (&iter, other);
      while (g_hash_table_iter_next (&iter, &name, NULL))
        if (!g_hash_table_contains (own, name) && !g_ptr_array_find_with_equal_func (missing, name, g_str_equal, NULL))
          g_ptr_array_add (missing, name);
    }
  if (!differ)
    return NULL;
  if (missing->len == 0)
    /* Translators: of a run, where others leave some columns out */
    return g_strdup (_("all columns"));
  if (missing->len == 1)
    /* Translators: of a run that leaves a column out: its name */
    return g_strdup_printf (_("without %s"), (const char *) missing->pdata[0]);
  if (missing->len == NAMED)
    {
      const char *a = missing->pdata[0], *b = missing->pdata[1];

      /* Translators: of a run that leaves two columns out: their names */
      return g_strdup_printf (_("without %s and %s"), g_strcmp0 (a, b) < 0 ? a : b, g_strcmp0 (a, b) < 0 ? b : a);
    }
  return g_strdup_printf (ngettext ("%u column", "%u columns", g_hash_table_size (own)), g_hash_table_size (own));
}

char *
mt_run_names_tell_apart (MtRun         *run,
                         MtRun * const *runs,
                         guint          n_runs,
                         guint          n_seeds)
{
  g_autofree const MtRunSettings **settings = g_new (const MtRunSettings *, MAX (n_runs, 1));
  g_autofree char *columns = tell_columns (run, runs, n_runs);
  g_autofree char *text = NULL;

  for (guint i = 0; i < n_runs; i++)
    settings[i] = mt_run_get_settings (runs[i]);
  text = mt_run_settings_tell_apart (mt_run_get_settings (run), settings, n_runs, n_seeds);
  return columns != NULL ? g_strconcat (text, " · ", columns, NULL) : g_steal_pointer (&text);
}
