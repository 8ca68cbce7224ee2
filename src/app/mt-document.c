/* The table shown is the one read, with the user's roles laid over the guessed ones. The
 * schema handed to the reader holds types and missing tokens; roles are applied here, so
 * that changing or undoing one never reads the file again.
 *
 * Each reading is a Load with its own cancellable. A Load that is no longer the
 * document's current one has been overtaken, and its result is dropped. */
#include "config.h"
#include "mt-document.h"

#include <glib/gi18n.h>

#include "mt-history.h"

typedef struct {
  gatomicrefcount   ref_count;
  GWeakRef          document;
  GCancellable     *cancellable;
  GFile            *file;
  MtDecisions      *decisions;
  char             *label;       /* the change that made it necessary; NULL for a file opened */
  int               step;        /* undo (-1), redo (+1) or neither */

  GMutex            lock;        /* guards the two below: written by the worker */
  MtImportProgress  newest;
  gboolean          pending;     /* an idle will pick it up */
} Load;

struct _MtDocument {
  GObject           parent_instance;

  GFile            *file;
  MtImport         *import;
  MtTable          *table;
  MtHistory        *history;
  GPtrArray        *findings;
  GCancellable     *scanning;

  Load             *load;        /* the current one, kept after it ended for its file */
  gboolean          loading;
  MtImportProgress  progress;
  GError           *error;
};

enum {
  TABLE_CHANGED,
  FINDINGS_CHANGED,
  LOAD_CHANGED,
  HISTORY_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtDocument, mt_document, G_TYPE_OBJECT)

/* --- loads --- */

static Load *
load_ref (Load *load)
{
  g_atomic_ref_count_inc (&load->ref_count);
  return load;
}

static void
load_unref (Load *load)
{
  if (load == NULL || !g_atomic_ref_count_dec (&load->ref_count))
    return;
  g_weak_ref_clear (&load->document);
  g_object_unref (load->cancellable);
  g_object_unref (load->file);
  mt_decisions_unref (load->decisions);
  g_free (load->label);
  g_mutex_clear (&load->lock);
  g_free (load);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Load, load_unref)

static gboolean
show_progress (gpointer data)
{
  Load *load = data;
  g_autoptr (MtDocument) self = g_weak_ref_get (&load->document);

  g_mutex_lock (&load->lock);
  load->pending = FALSE;
  if (self != NULL && self->load == load)
    self->progress = load->newest;
  g_mutex_unlock (&load->lock);
  if (self != NULL && self->load == load && self->loading)
    g_signal_emit (self, signals[LOAD_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* On the worker: keep the newest, wake the main loop once. */
static void
note_progress (const MtImportProgress *progress,
               gpointer                data)
{
  Load *load = data;

  g_mutex_lock (&load->lock);
  load->newest = *progress;
  if (!load->pending)
    {
      load->pending = TRUE;
      g_idle_add_full (G_PRIORITY_HIGH_IDLE, show_progress, load_ref (load), (GDestroyNotify) load_unref);
    }
  g_mutex_unlock (&load->lock);
}

/* --- findings --- */

static gboolean
already_there (GPtrArray       *findings,
               const MtFinding *finding)
{
  for (guint i = 0; i < findings->len; i++)
    {
      const MtFinding *other = g_ptr_array_index (findings, i);

      if (g_str_equal (other->code, finding->code) && other->line == finding->line &&
          g_strcmp0 (other->column_name, finding->column_name) == 0)
        return TRUE;
    }
  return FALSE;
}

static int
by_severity (gconstpointer a,
             gconstpointer b)
{
  const MtFinding *x = *(const MtFinding * const *) a, *y = *(const MtFinding * const *) b;

  if (x->severity != y->severity)
    return x->severity > y->severity ? -1 : 1;
  return x->column < y->column ? -1 : x->column > y->column;
}

/* What reading told and what looking at the table told, in one list. */
static void
set_findings (MtDocument *self,
              GPtrArray  *scanned)
{
  GPtrArray *read = mt_import_get_findings (self->import);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_finding_unref);

  for (guint i = 0; read != NULL && i < read->len; i++)
    g_ptr_array_add (all, mt_finding_ref (g_ptr_array_index (read, i)));
  for (guint i = 0; scanned != NULL && i < scanned->len; i++)
    if (!already_there (all, g_ptr_array_index (scanned, i)))
      g_ptr_array_add (all, mt_finding_ref (g_ptr_array_index (scanned, i)));
  g_ptr_array_sort (all, by_severity);
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  self->findings = g_steal_pointer (&all);
  g_signal_emit (self, signals[FINDINGS_CHANGED], 0);
}

static void
scan_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  GError *error = NULL;
  GPtrArray *findings = mt_findings_scan (data, cancellable, &error);

  if (findings != NULL)
    g_task_return_pointer (task, findings, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
on_scanned (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  MtDocument *self = MT_DOCUMENT (source);
  g_autoptr (GPtrArray) scanned = g_task_propagate_pointer (G_TASK (result), NULL);

  if (scanned == NULL || self->scanning != g_task_get_cancellable (G_TASK (result)))
    return;   /* overtaken by another table */
  set_findings (self, scanned);
}

static void
start_scan (MtDocument *self)
{
  g_autoptr (GTask) task = NULL;

  g_cancellable_cancel (self->scanning);
  g_clear_object (&self->scanning);
  self->scanning = g_cancellable_new ();
  task = g_task_new (self, self->scanning, on_scanned, NULL);
  g_task_set_source_tag (task, start_scan);
  g_task_set_task_data (task, mt_table_ref (self->table), (GDestroyNotify) mt_table_unref);
  g_task_run_in_thread (task, scan_thread);
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

static void
show_table (MtDocument *self)
{
  MtDecisions *decisions = mt_history_get_current (self->history);

  g_clear_pointer (&self->table, mt_table_unref);
  self->table = with_decided_roles (mt_import_get_table (self->import), decisions->schema);
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
  return g_steal_pointer (&bare);
}

/* --- reading --- */

static void
take_result (MtDocument *self,
             Load       *load,
             MtImport   *import)
{
  g_clear_pointer (&self->import, mt_import_unref);
  self->import = import;
  g_set_object (&self->file, load->file);
  if (load->step != 0)
    mt_history_move (self->history, load->step);
  else if (load->label != NULL)
    mt_history_push (self->history, load->label, load->decisions);
  else
    {
      mt_history_free (self->history);
      self->history = mt_history_new (load->decisions);
    }
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  show_table (self);
  g_signal_emit (self, signals[HISTORY_CHANGED], 0);
}

static void
on_read (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (Load) load = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = mt_import_finish (result, &error);
  g_autoptr (MtDocument) self = g_weak_ref_get (&load->document);

  if (self == NULL || self->load != load)
    return;
  self->loading = FALSE;
  if (import != NULL)
    take_result (self, load, g_steal_pointer (&import));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    self->error = g_steal_pointer (&error);
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
  MtImportOptions options = { .dialect = decisions->dialect, .schema = schema, .progress = note_progress };
  Load *load = g_new0 (Load, 1);

  g_atomic_ref_count_init (&load->ref_count);
  g_weak_ref_init (&load->document, self);
  g_mutex_init (&load->lock);
  load->cancellable = g_cancellable_new ();
  load->file = g_object_ref (file);
  load->decisions = mt_decisions_ref (decisions);
  load->label = g_strdup (label);
  load->step = step;
  options.progress_data = load;

  if (self->load != NULL)
    g_cancellable_cancel (self->load->cancellable);
  g_clear_pointer (&self->load, load_unref);
  self->load = load;
  self->loading = TRUE;
  self->progress = (MtImportProgress) { 0 };
  g_clear_error (&self->error);
  mt_import_file_async (file, &options, load->cancellable, on_read, load_ref (load));
  g_signal_emit (self, signals[LOAD_CHANGED], 0);
}

void
mt_document_open (MtDocument *self,
                  GFile      *file)
{
  g_autoptr (MtDecisions) decisions = mt_decisions_new ();

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
  start_load (self, file, decisions, NULL, 0);
}

void
mt_document_reload (MtDocument *self)
{
  g_return_if_fail (MT_IS_DOCUMENT (self));

  if (self->file != NULL)
    start_load (self, self->file, mt_document_get_decisions (self), _("Read Again"), 0);
  else if (self->load != NULL)
    start_load (self, self->load->file, self->load->decisions, NULL, 0);
}

void
mt_document_cancel (MtDocument *self)
{
  g_return_if_fail (MT_IS_DOCUMENT (self));

  if (!self->loading)
    return;
  g_cancellable_cancel (self->load->cancellable);
  g_clear_pointer (&self->load, load_unref);
  self->loading = FALSE;
  g_signal_emit (self, signals[LOAD_CHANGED], 0);
}

void
mt_document_close (MtDocument *self)
{
  g_autoptr (MtDecisions) decisions = mt_decisions_new ();

  g_return_if_fail (MT_IS_DOCUMENT (self));

  mt_document_cancel (self);
  g_cancellable_cancel (self->scanning);
  g_clear_object (&self->scanning);
  g_clear_pointer (&self->load, load_unref);
  g_clear_error (&self->error);
  g_clear_object (&self->file);
  g_clear_pointer (&self->import, mt_import_unref);
  g_clear_pointer (&self->table, mt_table_unref);
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  mt_history_free (self->history);
  self->history = mt_history_new (decisions);
  g_signal_emit (self, signals[TABLE_CHANGED], 0);
  g_signal_emit (self, signals[FINDINGS_CHANGED], 0);
  g_signal_emit (self, signals[LOAD_CHANGED], 0);
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

/* --- decisions --- */

static const char *
name_of (MtDocument *self,
         guint       column)
{
  return mt_column_get_name (mt_table_get_column (self->table, column));
}

/* Shows what a step changed that needs no reading. */
static void
show_step (MtDocument *self)
{
  show_table (self);
  g_signal_emit (self, signals[FINDINGS_CHANGED], 0);
  g_signal_emit (self, signals[HISTORY_CHANGED], 0);
}

static void
apply (MtDocument  *self,
       MtDecisions *decisions,
       const char  *label)
{
  if (self->table == NULL)
    {
      /* Nothing could be read so far: the settings are for the file that failed. */
      if (self->load != NULL)
        start_load (self, self->load->file, decisions, NULL, 0);
    }
  else if (mt_decisions_read_the_same (mt_document_get_decisions (self), decisions, self->table))
    {
      mt_history_push (self->history, label, decisions);
      show_step (self);
    }
  else
    start_load (self, self->file, decisions, label, 0);
}

static void
step (MtDocument *self,
      int         by)
{
  MtDecisions *decisions = mt_history_peek (self->history, by);

  if (decisions == NULL || self->table == NULL)
    return;
  if (mt_decisions_read_the_same (mt_document_get_decisions (self), decisions, self->table))
    {
      mt_history_move (self->history, by);
      show_step (self);
    }
  else
    start_load (self, self->file, decisions, NULL, by);
}

void
mt_document_set_role (MtDocument   *self,
                      guint         column,
                      MtColumnRole  role)
{
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (MtDecisions) decisions = NULL;
  g_autofree char *label = NULL;
  int target;

  g_return_if_fail (MT_IS_DOCUMENT (self) && self->table != NULL);
  g_return_if_fail (column < mt_table_get_n_columns (self->table));

  if (mt_table_get_role (self->table, column) == role)
    return;
  schema = mt_schema_copy (mt_document_get_decisions (self)->schema);
  target = mt_table_get_target (self->table);
  if (role == MT_ROLE_TARGET && target >= 0)
    mt_schema_set_role (schema, name_of (self, (guint) target), MT_ROLE_FEATURE);
  mt_schema_set_role (schema, name_of (self, column), role);
  decisions = mt_decisions_with_schema (mt_document_get_decisions (self), schema);
  /* Translators: after "Undo"; %s is the name of a column */
  label = g_strdup_printf (_("Role of “%s”"), name_of (self, column));
  apply (self, decisions, label);
}

void
mt_document_set_type (MtDocument   *self,
                      guint         column,
                      MtColumnType  type)
{
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (MtDecisions) decisions = NULL;
  g_autofree char *label = NULL;

  g_return_if_fail (MT_IS_DOCUMENT (self) && self->table != NULL);
  g_return_if_fail (column < mt_table_get_n_columns (self->table));

  if (mt_column_get_type (mt_table_get_column (self->table, column)) == type)
    return;
  schema = mt_schema_copy (mt_document_get_decisions (self)->schema);
  mt_schema_set_type (schema, name_of (self, column), type);
  decisions = mt_decisions_with_schema (mt_document_get_decisions (self), schema);
  /* Translators: after "Undo"; %s is the name of a column */
  label = g_strdup_printf (_("Type of “%s”"), name_of (self, column));
  apply (self, decisions, label);
}

void
mt_document_set_dialect (MtDocument         *self,
                         const MtCsvDialect *dialect,
                         const char         *label)
{
  g_autoptr (MtDecisions) decisions = NULL;

  g_return_if_fail (MT_IS_DOCUMENT (self));

  decisions = mt_decisions_with_dialect (mt_document_get_decisions (self), dialect);
  apply (self, decisions, label);
}

static void
treat_as_missing (MtDocument      *self,
                  const MtFinding *finding)
{
  g_autoptr (MtSchema) schema = mt_schema_copy (mt_document_get_decisions (self)->schema);
  g_autoptr (MtDecisions) decisions = NULL;
  g_autofree char *label = NULL;

  mt_schema_add_missing (schema, finding->column_name, finding->fix_value);
  decisions = mt_decisions_with_schema (mt_document_get_decisions (self), schema);
  /* Translators: after "Undo"; %s is a value such as 0 or 999 */
  label = g_strdup_printf (_("Treat %s as Missing"), finding->fix_value);
  apply (self, decisions, label);
}

void
mt_document_fix (MtDocument      *self,
                 const MtFinding *finding)
{
  MtColumnType type;
  guint column;

  g_return_if_fail (MT_IS_DOCUMENT (self) && self->table != NULL && finding != NULL);

  if (finding->column_name == NULL || mt_table_find_column (self->table, finding->column_name, &column) == NULL)
    return;
  switch (finding->fix)
    {
    case MT_FIX_IGNORE_COLUMN:
      mt_document_set_role (self, column, MT_ROLE_IGNORED);
      break;
    case MT_FIX_SET_TYPE:
      if (mt_column_type_from_string (finding->fix_value, &type))
        mt_document_set_type (self, column, type);
      break;
    case MT_FIX_TREAT_AS_MISSING:
      treat_as_missing (self, finding);
      break;
    case MT_FIX_NONE:
    default:
      break;
    }
}

void
mt_document_dismiss (MtDocument      *self,
                     const MtFinding *finding,
                     const char      *reason)
{
  g_autoptr (MtDecisions) decisions = NULL;

  g_return_if_fail (MT_IS_DOCUMENT (self) && finding != NULL);

  decisions = mt_decisions_with_dismissal (mt_document_get_decisions (self), finding, reason);
  mt_history_push (self->history, reason != NULL ? _("Ignore Finding") : _("Raise Finding Again"), decisions);
  g_signal_emit (self, signals[FINDINGS_CHANGED], 0);
  g_signal_emit (self, signals[HISTORY_CHANGED], 0);
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

  if (self->load != NULL)
    g_cancellable_cancel (self->load->cancellable);
  g_clear_pointer (&self->load, load_unref);
  g_cancellable_cancel (self->scanning);
  g_clear_object (&self->scanning);
  g_clear_error (&self->error);
  g_clear_object (&self->file);
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
    "table-changed", "findings-changed", "load-changed", "history-changed"
  };

  G_OBJECT_CLASS (klass)->finalize = mt_document_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
}

static void
mt_document_init (MtDocument *self)
{
  g_autoptr (MtDecisions) decisions = mt_decisions_new ();

  self->history = mt_history_new (decisions);
}

MtDocument *
mt_document_new (void)
{
  return g_object_new (MT_TYPE_DOCUMENT, NULL);
}
