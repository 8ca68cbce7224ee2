/* The table shown is the one read, with the user's roles laid over the guessed ones. The
 * schema handed to the reader holds types and missing tokens; roles are applied here, so
 * that changing or undoing one never reads the file again.
 *
 * A load that is no longer the document's current one has been overtaken, and its result is
 * dropped. */
#include "config.h"
#include "mt-document-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-finding-scan.h"
#include "mt-history.h"
#include "mt-import-operation.h"
#include "mt-open-files.h"
#include "mt-preferred-run.h"

#define STEP_ENDS_AFTER 1000   /* ms without a change */
#define MOST_TABLES 20         /* with other roles; each is a list of columns */

struct _MtDocument {
  GObject           parent_instance;

  GFile            *file;
  MtImport         *import;
  MtTable          *table;
  GPtrArray        *tables;     /* of the same import: with other roles, lately; see show_table() */
  gboolean          target_varies;
  MtHistory        *history;
  char             *going_on;    /* label of the step that may still go on; NULL: none */
  guint             ending;      /* source that ends it */
  gboolean          decided_blind;   /* how to read it was decided before anything could be read */
  GPtrArray        *findings;
  GCancellable     *scanning;

  MtImportOperation           *load;        /* the current one, kept after it ended for its file */
  gboolean          loading;
  MtImportProgress  progress;
  GError           *error;
};

enum {
  TABLE_CHANGED,
  FINDINGS_CHANGED,
  RUN_CHANGED,
  LOAD_CHANGED,
  HISTORY_CHANGED,
  NOTES_CHANGED,
  REPLACING,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtDocument, mt_document, G_TYPE_OBJECT)

/* --- findings --- */

static void
set_findings (MtDocument *self,
              GPtrArray  *scanned)
{
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  self->findings = mt_finding_scan_merge (mt_import_get_findings (self->import), scanned);
  g_signal_emit (self, signals[FINDINGS_CHANGED], 0);
}

static void
on_scanned (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  MtDocument *self = MT_DOCUMENT (source);
  g_autoptr (GPtrArray) scanned = mt_finding_scan_finish (result);

  if (scanned == NULL || self->scanning != g_task_get_cancellable (G_TASK (result)))
    return;   /* overtaken by another table */
  set_findings (self, scanned);
}

static void
start_scan (MtDocument *self)
{
  g_cancellable_cancel (self->scanning);
  g_clear_object (&self->scanning);
  self->scanning = g_cancellable_new ();
  mt_finding_scan_async (G_OBJECT (self), self->table, self->scanning, on_scanned);
}

/* --- the table shown --- */

static MtTable *
with_decided_roles (MtTable  *table,
                    MtSchema *schema)
{
  guint n = mt_table_get_n_columns (table);
  g_autofree MtColumnRole *roles = g_new (MtColumnRole, MAX (n, 1));
  g_autofree const char **reasons = g_new0 (const char *, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    if (mt_schema_get_role (schema, mt_column_get_name (mt_table_get_column (table, i)), &roles[i]))
      reasons[i] = _("you chose it");
    else
      {
        roles[i] = mt_table_get_role (table, i);
        reasons[i] = mt_table_get_reason (table, i);
      }
  return mt_table_with_roles (table, roles, reasons);
}

static gboolean
numbers_vary (const MtColumn *column)
{
  double first = NAN;

  for (gsize row = 0; row < mt_column_get_n_rows (column); row++)
    {
      double value = mt_column_get_number (column, row);

      if (!isnan (value) && !isnan (first) && value != first)
        return TRUE;
      if (isnan (first))
        first = value;
    }
  return FALSE;
}

static gboolean
levels_vary (const MtColumn *column)
{
  guint n_used = 0;

  for (guint code = 0; code < mt_column_get_n_levels (column) && n_used < 2; code++)
    n_used += mt_column_get_level_count (column, code) > 0;
  return n_used >= 2;
}

/* Of a target that can be learnt, the first rows tell. */
static gboolean
does_target_vary (const MtTable *table)
{
  int target = mt_table_get_target (table);
  const MtColumn *column = target >= 0 ? mt_table_get_column (table, (guint) target) : NULL;

  if (column == NULL)
    return FALSE;
  switch (mt_column_get_store (column))
    {
    case MT_STORE_NUMBERS:
      return numbers_vary (column);
    case MT_STORE_CODES:
      return levels_vary (column);
    case MT_STORE_TEXT:
    default:
      return TRUE;   /* nearly every cell differs */
    }
}

static gboolean
has_same_roles (MtTable *a,
                MtTable *b)
{
  for (guint i = 0; i < mt_table_get_n_columns (a); i++)
    if (mt_table_get_role (a, i) != mt_table_get_role (b, i) ||
        g_strcmp0 (mt_table_get_reason (a, i), mt_table_get_reason (b, i)) != 0)
      return FALSE;
  return TRUE;
}

/* Who takes a role back has the table again that runs were learnt from, and not another that looks the same. */
static MtTable *
find_table (MtDocument *self,
            MtTable    *like)
{
  for (guint i = 0; i < self->tables->len; i++)
    if (has_same_roles (self->tables->pdata[i], like))
      return mt_table_ref (self->tables->pdata[i]);
  if (self->tables->len == MOST_TABLES)
    g_ptr_array_remove_index (self->tables, 0);
  g_ptr_array_add (self->tables, mt_table_ref (like));
  return mt_table_ref (like);
}

static void
show_table (MtDocument *self)
{
  MtDecisions *decisions = mt_history_get_current (self->history);
  g_autoptr (MtTable) table = with_decided_roles (mt_import_get_table (self->import), decisions->schema);

  g_clear_pointer (&self->table, mt_table_unref);
  self->table = find_table (self, table);
  self->target_varies = does_target_vary (self->table);
  g_signal_emit (self, signals[TABLE_CHANGED], 0);
  start_scan (self);
}

/* The schema for the reader: no roles, so that its table keeps the guesses. */
static MtSchema *
schema_without_roles (MtDocument *self,
                      MtSchema   *schema)
{
  g_autoptr (MtSchema) bare = mt_schema_new ();
  guint n = self->table != NULL ? mt_table_get_n_columns (self->table) : 0;

  for (guint i = 0; i < n; i++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (self->table, i));
      const char * const *missing = mt_schema_get_missing (schema, name);
      MtColumnType type;

      if (mt_schema_get_type (schema, name, &type))
        mt_schema_set_type (bare, name, type);
      for (guint j = 0; missing != NULL && missing[j] != NULL; j++)
        mt_schema_add_missing (bare, name, missing[j]);
    }
  for (guint i = 0; i < mt_schema_get_n_derived (schema); i++)
    {
      const char *formula, *name = mt_schema_get_derived (schema, i, &formula);

      mt_schema_set_derived (bare, name, formula);
    }
  return g_steal_pointer (&bare);
}

/* --- a step that goes on --- */

static void
end_step (MtDocument *self)
{
  g_clear_handle_id (&self->ending, g_source_remove);
  g_clear_pointer (&self->going_on, g_free);
}

static gboolean
on_step_ended (gpointer data)
{
  MtDocument *self = data;

  self->ending = 0;
  end_step (self);
  return G_SOURCE_REMOVE;
}

/* --- reading --- */

static void
take_result (MtDocument *self,
             MtImportOperation     *load,
             MtImport   *import)
{
  if (load->label == NULL && load->step == 0)
    g_signal_emit (self, signals[REPLACING], 0);
  g_clear_pointer (&self->import, mt_import_unref);
  g_ptr_array_set_size (self->tables, 0);
  self->import = mt_import_ref (import);
  g_set_object (&self->file, load->file);
  mt_open_files_set (G_OBJECT (self), MT_OPEN_DATA, self->file);
  if (load->step != 0)
    mt_history_move (self->history, load->step);
  else if (load->label != NULL && load->decisions == mt_history_get_current (self->history))
    mt_history_push (self->history, load->label, load->decisions);   /* read again: nothing was decided */
  else if (load->label != NULL)
    {
      /* Somebody may have written on while the file was read. */
      g_autoptr (MtDecisions) decisions = mt_decisions_with_notes_of (load->decisions,
                                                                      mt_history_get_current (self->history));

      mt_history_push (self->history, load->label, decisions);
    }
  else
    {
      mt_history_free (self->history);
      self->history = mt_history_new (load->decisions);
    }
  end_step (self);
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  show_table (self);
  g_signal_emit (self, signals[RUN_CHANGED], 0);
  g_signal_emit (self, signals[NOTES_CHANGED], 0);
  g_signal_emit (self, signals[HISTORY_CHANGED], 0);
}

static void
on_progress (GObject                *object,
             MtImportOperation                 *load,
             const MtImportProgress *progress)
{
  MtDocument *self = MT_DOCUMENT (object);

  if (self->load != load || !self->loading)
    return;
  self->progress = *progress;
  g_signal_emit (self, signals[LOAD_CHANGED], 0);
}

static void
on_loaded (GObject      *object,
           MtImportOperation       *load,
           MtImport     *import,
           const GError *error)
{
  MtDocument *self = MT_DOCUMENT (object);

  if (self->load != load)
    return;
  self->loading = FALSE;
  if (import != NULL)
    take_result (self, load, import);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    self->error = g_error_copy (error);
  g_signal_emit (self, signals[LOAD_CHANGED], 0);
}

static void
start_load (MtDocument  *self,
            GFile       *file,
            MtDecisions *decisions,
            const char  *label,
            int          step)
{
  gboolean first = label == NULL && step == 0;   /* another file: its columns are not known yet */
  g_autoptr (MtSchema) schema = first ? mt_schema_copy (decisions->schema)
                                      : schema_without_roles (self, decisions->schema);
  MtImportOperation *load = mt_import_operation_new (file, decisions, label, step);

  if (self->load != NULL)
    g_cancellable_cancel (self->load->cancellable);
  g_clear_pointer (&self->load, mt_import_operation_unref);
  self->load = load;
  self->loading = TRUE;
  self->progress = (MtImportProgress) { 0 };
  g_clear_error (&self->error);
  mt_import_operation_start (load, schema, G_OBJECT (self), on_progress, on_loaded);
  g_signal_emit (self, signals[LOAD_CHANGED], 0);
}

void
mt_document_open (MtDocument *self,
                  GFile      *file)
{
  g_autoptr (MtDecisions) none = mt_decisions_new ();
  g_autoptr (MtDecisions) decisions = NULL;
  MtRunSettings run;

  mt_preferred_run_init (&run);
  decisions = mt_decisions_with_run (none, &run, NULL);
  mt_document_open_with (self, file, decisions);
}

void
mt_document_open_with (MtDocument  *self,
                       GFile       *file,
                       MtDecisions *decisions)
{
  g_return_if_fail (MT_IS_DOCUMENT (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (decisions != NULL);
  self->decided_blind = FALSE;
  start_load (self, file, decisions, NULL, 0);
}

void
mt_document_reload (MtDocument *self)
{
  g_return_if_fail (MT_IS_DOCUMENT (self));

  if (self->file != NULL)
    start_load (self, self->file, mt_document_get_decisions (self), _("Reload"), 0);
  else if (self->load != NULL)
    start_load (self, self->load->file, self->load->decisions, NULL, 0);
}

void
mt_document_locate (MtDocument *self,
                    GFile      *file)
{
  g_return_if_fail (MT_IS_DOCUMENT (self));
  g_return_if_fail (G_IS_FILE (file));

  if (self->load != NULL)
    {
      g_autoptr (MtDecisions) decisions = mt_decisions_ref (self->load->decisions);

      start_load (self, file, decisions, NULL, 0);
    }
  else
    mt_document_open (self, file);
}

void
mt_document_choose_part (MtDocument *self,
                         gboolean    is_sheet,
                         const char *name)
{
  g_autoptr (MtCsvDialect) dialect = NULL;
  g_autoptr (MtDecisions) decisions = NULL;
  g_autoptr (GFile) file = NULL;

  g_return_if_fail (MT_IS_DOCUMENT (self));
  g_return_if_fail (self->load != NULL && name != NULL);

  dialect = mt_csv_dialect_copy (self->load->decisions->dialect);
  mt_csv_dialect_choose (dialect, is_sheet, name);
  decisions = mt_decisions_with_dialect (self->load->decisions, dialect);
  file = g_object_ref (self->load->file);
  start_load (self, file, decisions, NULL, 0);
}

gboolean
mt_document_lacks_part (MtDocument *self)
{
  const MtCsvDialect *dialect = self->load != NULL ? self->load->decisions->dialect : NULL;

  return !self->loading && dialect != NULL && g_error_matches (self->error, MT_ERROR, MT_ERROR_PARAMS) &&
         dialect->sheet == NULL && dialect->table == NULL && dialect->query == NULL;
}

void
mt_document_cancel (MtDocument *self)
{
  g_return_if_fail (MT_IS_DOCUMENT (self));

  if (!self->loading)
    return;
  g_cancellable_cancel (self->load->cancellable);
  g_clear_pointer (&self->load, mt_import_operation_unref);
  self->loading = FALSE;
  g_signal_emit (self, signals[LOAD_CHANGED], 0);
}

void
mt_document_close (MtDocument *self)
{
  g_autoptr (MtDecisions) decisions = mt_decisions_new ();

  g_return_if_fail (MT_IS_DOCUMENT (self));

  self->decided_blind = FALSE;
  mt_document_cancel (self);
  end_step (self);
  g_cancellable_cancel (self->scanning);
  g_clear_object (&self->scanning);
  g_clear_pointer (&self->load, mt_import_operation_unref);
  g_clear_error (&self->error);
  g_clear_object (&self->file);
  mt_open_files_set (G_OBJECT (self), MT_OPEN_DATA, NULL);
  g_ptr_array_set_size (self->tables, 0);
  g_clear_pointer (&self->import, mt_import_unref);
  g_clear_pointer (&self->table, mt_table_unref);
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  mt_history_free (self->history);
  self->history = mt_history_new (decisions);
  g_signal_emit (self, signals[TABLE_CHANGED], 0);
  g_signal_emit (self, signals[FINDINGS_CHANGED], 0);
  g_signal_emit (self, signals[RUN_CHANGED], 0);
  g_signal_emit (self, signals[LOAD_CHANGED], 0);
  g_signal_emit (self, signals[NOTES_CHANGED], 0);
  g_signal_emit (self, signals[HISTORY_CHANGED], 0);
}

gboolean
mt_document_is_loading (MtDocument *self)
{
  return self->loading;
}

GFile *
mt_document_get_load_file (MtDocument *self)
{
  return self->load != NULL ? self->load->file : NULL;
}

const MtImportProgress *
mt_document_get_progress (MtDocument *self)
{
  return &self->progress;
}

const GError *
mt_document_get_error (MtDocument *self)
{
  return self->error;
}

void
mt_document_clear_error (MtDocument *self)
{
  g_return_if_fail (MT_IS_DOCUMENT (self));

  g_clear_error (&self->error);
  g_signal_emit (self, signals[LOAD_CHANGED], 0);
}

/* --- what is open --- */

GFile *
mt_document_get_file (MtDocument *self)
{
  return self->file;
}

char *
mt_document_dup_title (MtDocument *self)
{
  GFile *file = self->file != NULL ? self->file : mt_document_get_load_file (self);
  g_autofree char *name = NULL;

  if (file == NULL)
    return NULL;
  name = g_file_get_basename (file);
  return g_filename_display_name (name);
}

MtTable *
mt_document_get_table (MtDocument *self)
{
  return self->table;
}

gboolean
mt_document_target_varies (MtDocument *self)
{
  return self->table != NULL && self->target_varies;
}

MtImport *
mt_document_get_import (MtDocument *self)
{
  return self->import;
}

GPtrArray *
mt_document_get_findings (MtDocument *self)
{
  return self->findings;
}

MtDecisions *
mt_document_get_decisions (MtDocument *self)
{
  /* While nothing could be read, they are for the file that is tried. */
  if (self->table == NULL && self->load != NULL)
    return self->load->decisions;
  return mt_history_get_current (self->history);
}

/* --- steps --- */

/* Shows what a step changed that needs no reading. @before: what held before it. */
static void
show_step (MtDocument  *self,
           MtDecisions *before)
{
  MtDecisions *after = mt_document_get_decisions (self);

  if (self->table != NULL && !mt_decisions_same_roles (before, after, self->table))
    show_table (self);
  if (!mt_decisions_same_dismissals (before, after))
    g_signal_emit (self, signals[FINDINGS_CHANGED], 0);
  if (!mt_decisions_same_run (before, after))
    g_signal_emit (self, signals[RUN_CHANGED], 0);
  if (!mt_decisions_same_notes (before, after))
    g_signal_emit (self, signals[NOTES_CHANGED], 0);
  g_signal_emit (self, signals[HISTORY_CHANGED], 0);
}

void
_mt_document_apply (MtDocument  *self,
                    MtDecisions *decisions,
                    const char  *label)
{
  g_autoptr (MtDecisions) before = mt_decisions_ref (mt_document_get_decisions (self));

  end_step (self);
  if (self->table == NULL)
    {
      /* Nothing could be read so far: the settings are for the file that failed. */
      self->decided_blind = TRUE;
      if (self->load != NULL)
        start_load (self, self->load->file, decisions, NULL, 0);
    }
  else if (mt_decisions_read_the_same (before, decisions, self->table))
    {
      mt_history_push (self->history, label, decisions);
      show_step (self, before);
    }
  else
    start_load (self, self->file, decisions, label, 0);
}

void
_mt_document_continue (MtDocument  *self,
                       MtDecisions *decisions,
                       const char  *label)
{
  g_autoptr (MtDecisions) before = mt_decisions_ref (mt_document_get_decisions (self));

  if (self->table == NULL || self->loading)
    {
      g_signal_emit (self, signals[RUN_CHANGED], 0);   /* it stays as it is */
      return;
    }
  if (g_strcmp0 (self->going_on, label) == 0)
    {
      mt_history_amend (self->history, decisions);
      show_step (self, before);
      g_clear_handle_id (&self->ending, g_source_remove);
    }
  else
    {
      _mt_document_apply (self, decisions, label);
      self->going_on = g_strdup (label);
    }
  self->ending = g_timeout_add (STEP_ENDS_AFTER, on_step_ended, self);
}

static void
step (MtDocument *self,
      int         by)
{
  MtDecisions *decisions = mt_history_peek (self->history, by);
  g_autoptr (MtDecisions) before = mt_decisions_ref (mt_document_get_decisions (self));

  if (decisions != NULL && mt_history_is_change (self->history, by))
    {
      end_step (self);
      mt_history_move (self->history, by);
      g_signal_emit (self, signals[HISTORY_CHANGED], 0);
      return;
    }
  if (decisions == NULL)
    return;
  end_step (self);
  /* Without a table there is a model at most, and only notes to undo. */
  if (self->table == NULL || mt_decisions_read_the_same (before, decisions, self->table))
    {
      mt_history_move (self->history, by);
      show_step (self, before);
    }
  else
    start_load (self, self->file, decisions, NULL, by);
}

/* Never read again for, so neither a table nor a reading that is at work matters. */
void
mt_document_set_note (MtDocument *self,
                      const char *key,
                      const char *text,
                      const char *label)
{
  g_autoptr (MtDecisions) decisions = NULL;

  g_return_if_fail (MT_IS_DOCUMENT (self) && key != NULL && label != NULL);

  if (g_strcmp0 (text != NULL && *text != '\0' ? text : NULL, mt_document_get_note (self, key)) == 0)
    return;
  end_step (self);
  decisions = mt_decisions_with_note (mt_history_get_current (self->history), key, text);
  mt_history_push (self->history, label, decisions);
  g_signal_emit (self, signals[NOTES_CHANGED], 0);
  g_signal_emit (self, signals[HISTORY_CHANGED], 0);
}

const char *
mt_document_get_note (MtDocument *self,
                      const char *key)
{
  g_return_val_if_fail (MT_IS_DOCUMENT (self), NULL);
  return mt_decisions_get_note (mt_history_get_current (self->history), key);
}

void
mt_document_push_change (MtDocument     *self,
                         const char     *label,
                         MtHistoryFunc   func,
                         gpointer        data,
                         GDestroyNotify  destroy)
{
  g_return_if_fail (MT_IS_DOCUMENT (self) && func != NULL);

  end_step (self);
  mt_history_push_change (self->history, label, func, data, destroy);
  g_signal_emit (self, signals[HISTORY_CHANGED], 0);
}

gboolean
mt_document_has_decided (MtDocument *self)
{
  g_return_val_if_fail (MT_IS_DOCUMENT (self), FALSE);
  return mt_history_has_decided (self->history) || (self->decided_blind && self->table != NULL);
}

const char *
mt_document_get_undo_label (MtDocument *self)
{
  return mt_history_get_undo_label (self->history);
}

const char *
mt_document_get_redo_label (MtDocument *self)
{
  return mt_history_get_redo_label (self->history);
}

void
mt_document_undo (MtDocument *self)
{
  g_return_if_fail (MT_IS_DOCUMENT (self));
  step (self, -1);
}

void
mt_document_redo (MtDocument *self)
{
  g_return_if_fail (MT_IS_DOCUMENT (self));
  step (self, +1);
}

static void
mt_document_finalize (GObject *object)
{
  MtDocument *self = MT_DOCUMENT (object);

  end_step (self);
  if (self->load != NULL)
    g_cancellable_cancel (self->load->cancellable);
  g_clear_pointer (&self->load, mt_import_operation_unref);
  g_cancellable_cancel (self->scanning);
  g_clear_object (&self->scanning);
  g_clear_error (&self->error);
  g_clear_object (&self->file);
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  g_clear_pointer (&self->import, mt_import_unref);
  g_clear_pointer (&self->table, mt_table_unref);
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  g_clear_pointer (&self->history, mt_history_free);
  G_OBJECT_CLASS (mt_document_parent_class)->finalize (object);
}

static void
mt_document_class_init (MtDocumentClass *klass)
{
  static const char * const names[N_SIGNALS] = {
    "table-changed", "findings-changed", "run-changed", "load-changed", "history-changed",
    "notes-changed", "replacing"
  };

  G_OBJECT_CLASS (klass)->finalize = mt_document_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
  g_signal_new ("fixed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_POINTER);   /* by mt_document_fix(), which is elsewhere */
}

static void
mt_document_init (MtDocument *self)
{
  g_autoptr (MtDecisions) decisions = mt_decisions_new ();

  self->history = mt_history_new (decisions);
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_table_unref);
}

MtDocument *
mt_document_new (void)
{
  return g_object_new (MT_TYPE_DOCUMENT, NULL);
}
