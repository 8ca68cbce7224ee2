/* Everything the person decided about a file: how to read it, what its columns are, which findings to let
 * be and why, how to learn from it, what was written for the report. See mt-decisions.h. */
#include "config.h"
#include "mt-decisions.h"

/* A finding is the same finding after a reload if its code and column are. */
static char *
make_key (const char *code,
          const char *column)
{
  return g_strconcat (code, MT_DECISIONS_SEPARATOR, column, NULL);
}

static char *
key_of (const MtFinding *finding)
{
  return make_key (finding->code, finding->column_name);
}

typedef gpointer (*CopyFunc) (gconstpointer value);

static GHashTable *
copy_table (GHashTable     *from,     /* NULL: none */
            CopyFunc        copy,
            GDestroyNotify  free_copy)
{
  GHashTable *to = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_copy);
  GHashTableIter iter;
  gpointer key, value;

  if (from == NULL)
    return to;
  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (to, g_strdup (key), copy (value));
  return to;
}

static gpointer
copy_text (gconstpointer text)
{
  return g_strdup (text);
}

static gpointer
copy_dismissal (gconstpointer dismissal)
{
  return mt_project_dismissal_copy (dismissal);
}

static GHashTable *
copy_texts (GHashTable *from)
{
  return copy_table (from, copy_text, g_free);
}

static GHashTable *
copy_dismissals (GHashTable *from)
{
  return copy_table (from, copy_dismissal, (GDestroyNotify) mt_project_dismissal_free);
}

/* As @like, or with nothing decided when it is NULL, but for what is given. */
static MtDecisions *
decisions_new (const MtDecisions   *like,
               const MtCsvDialect  *dialect,
               MtSchema            *schema,
               const MtRunSettings *run,
               const MtSweepGrid     *grid)
{
  MtDecisions *self = g_new0 (MtDecisions, 1);

  if (like != NULL)
    {
      dialect = dialect != NULL ? dialect : like->dialect;
      schema = schema != NULL ? schema : like->schema;
      run = run != NULL ? run : &like->run;
      grid = grid != NULL ? grid : &like->grid;
    }
  g_atomic_ref_count_init (&self->ref_count);
  self->dialect = dialect != NULL ? mt_csv_dialect_copy (dialect) : mt_csv_dialect_new ();
  self->schema = schema != NULL ? mt_schema_copy (schema) : mt_schema_new ();
  if (run != NULL)
    self->run = *run;
  else
    mt_run_settings_init (&self->run, MT_PRESET_BALANCED);
  if (grid != NULL)
    self->grid = *grid;
  else
    self->grid.n_seeds = 1;
  mt_sweep_grid_settle (&self->grid, &self->run);
  self->dismissals = copy_dismissals (like != NULL ? like->dismissals : NULL);
  self->notes = copy_texts (like != NULL ? like->notes : NULL);
  return self;
}

MtDecisions *
mt_decisions_new (void)
{
  return decisions_new (NULL, NULL, NULL, NULL, NULL);
}

MtDecisions *
mt_decisions_new_from (const MtCsvDialect  *dialect,
                       MtSchema            *schema,
                       const MtRunSettings *run,
                       const MtSweepGrid     *grid)
{
  return decisions_new (NULL, dialect, schema, run, grid);
}

MtDecisions *
mt_decisions_with_dialect (MtDecisions        *self,
                           const MtCsvDialect *dialect)
{
  return decisions_new (self, dialect, NULL, NULL, NULL);
}

MtDecisions *
mt_decisions_with_schema (MtDecisions *self,
                          MtSchema    *schema)
{
  return decisions_new (self, NULL, schema, NULL, NULL);
}

MtDecisions *
mt_decisions_with_run (MtDecisions         *self,
                       const MtRunSettings *run,
                       const MtSweepGrid     *grid)
{
  return decisions_new (self, NULL, NULL, run, grid);
}

MtDecisions *
mt_decisions_with_dismissal (MtDecisions     *self,
                             const MtFinding *finding,
                             const char      *reason,
                             const char      *by,
                             gint64           made)
{
  MtDecisions *other = decisions_new (self, NULL, NULL, NULL, NULL);
  g_autofree char *key = key_of (finding);

  if (reason != NULL)
    g_hash_table_insert (other->dismissals, g_steal_pointer (&key),
                         mt_project_dismissal_new (finding->code, finding->column_name, reason, by, made));
  else
    g_hash_table_remove (other->dismissals, key);
  return other;
}

void
mt_decisions_add_dismissal (MtDecisions              *self,
                            const MtProjectDismissal *dismissal)
{
  g_hash_table_insert (self->dismissals, make_key (dismissal->code, dismissal->column),
                       mt_project_dismissal_copy (dismissal));
}

MtDecisions *
mt_decisions_with_note (MtDecisions *self,
                        const char  *key,
                        const char  *text)
{
  MtDecisions *other = decisions_new (self, NULL, NULL, NULL, NULL);

  if (text != NULL && *text != '\0')
    mt_decisions_add_note (other, key, text);
  else
    g_hash_table_remove (other->notes, key);
  return other;
}

MtDecisions *
mt_decisions_with_notes_of (MtDecisions *self,
                            MtDecisions *other)
{
  MtDecisions *both = decisions_new (self, NULL, NULL, NULL, NULL);

  g_hash_table_unref (both->notes);
  both->notes = copy_texts (other->notes);
  return both;
}

const char *
mt_decisions_get_note (MtDecisions *self,
                       const char  *key)
{
  return g_hash_table_lookup (self->notes, key);
}

void
mt_decisions_add_note (MtDecisions *self,
                       const char  *key,
                       const char  *text)
{
  g_hash_table_insert (self->notes, g_strdup (key), g_strdup (text));
}

MtDecisions *
mt_decisions_ref (MtDecisions *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_decisions_unref (MtDecisions *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  mt_csv_dialect_free (self->dialect);
  mt_schema_unref (self->schema);
  g_hash_table_unref (self->dismissals);
  g_hash_table_unref (self->notes);
  g_free (self);
}

const MtProjectDismissal *
mt_decisions_get_dismissal (MtDecisions     *self,
                            const MtFinding *finding)
{
  g_autofree char *key = NULL;

  if (g_hash_table_size (self->dismissals) == 0)   /* as mostly, and there may be thousands of findings */
    return NULL;
  key = key_of (finding);
  return g_hash_table_lookup (self->dismissals, key);
}

static gboolean
same_words (const char * const *a,
            const char * const *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return g_strv_equal (a, b);
}

static gboolean
same_dialect (const MtCsvDialect *a,
              const MtCsvDialect *b)
{
  return g_strcmp0 (a->encoding, b->encoding) == 0 && g_strcmp0 (a->sheet, b->sheet) == 0 &&
         g_strcmp0 (a->table, b->table) == 0 && g_strcmp0 (a->query, b->query) == 0 &&
         a->delimiter == b->delimiter && a->quote == b->quote && a->decimal == b->decimal &&
         a->thousands == b->thousands && a->header == b->header &&
         same_words ((const char * const *) a->missing_tokens, (const char * const *) b->missing_tokens);
}

gboolean
mt_decisions_read_the_same (MtDecisions   *a,
                            MtDecisions   *b,
                            const MtTable *table)
{
  if (!same_dialect (a->dialect, b->dialect) || !mt_schema_same_derived (a->schema, b->schema))
    return FALSE;
  for (guint i = 0; i < mt_table_get_n_columns (table); i++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, i));
      MtColumnType type_a, type_b;
      gboolean set_a = mt_schema_get_type (a->schema, name, &type_a);
      gboolean set_b = mt_schema_get_type (b->schema, name, &type_b);

      if (set_a != set_b || (set_a && type_a != type_b) ||
          !same_words (mt_schema_get_missing (a->schema, name), mt_schema_get_missing (b->schema, name)))
        return FALSE;
    }
  return TRUE;
}

gboolean
mt_decisions_same_roles (MtDecisions   *a,
                         MtDecisions   *b,
                         const MtTable *table)
{
  for (guint i = 0; i < mt_table_get_n_columns (table); i++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, i));
      MtColumnRole role_a, role_b;
      gboolean set_a = mt_schema_get_role (a->schema, name, &role_a);
      gboolean set_b = mt_schema_get_role (b->schema, name, &role_b);

      if (set_a != set_b || (set_a && role_a != role_b))
        return FALSE;
    }
  return TRUE;
}

gboolean
mt_decisions_same_run (MtDecisions *a,
                       MtDecisions *b)
{
  return mt_run_settings_equal (&a->run, &b->run) && mt_sweep_grid_equal (&a->grid, &b->grid);
}

static gboolean
same_texts (GHashTable *a,
            GHashTable *b)
{
  GHashTableIter iter;
  gpointer key, text;

  if (g_hash_table_size (a) != g_hash_table_size (b))
    return FALSE;
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &key, &text))
    if (g_strcmp0 (g_hash_table_lookup (b, key), text) != 0)
      return FALSE;
  return TRUE;
}

gboolean
mt_decisions_same_dismissals (MtDecisions *a,
                              MtDecisions *b)
{
  GHashTableIter iter;
  gpointer key, value;

  if (g_hash_table_size (a->dismissals) != g_hash_table_size (b->dismissals))
    return FALSE;
  g_hash_table_iter_init (&iter, a->dismissals);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const MtProjectDismissal *mine = value, *other = g_hash_table_lookup (b->dismissals, key);

      if (other == NULL || g_strcmp0 (mine->reason, other->reason) != 0 || g_strcmp0 (mine->by, other->by) != 0 ||
          mine->made != other->made)
        return FALSE;
    }
  return TRUE;
}

gboolean
mt_decisions_same_notes (MtDecisions *a,
                         MtDecisions *b)
{
  return same_texts (a->notes, b->notes);
}
