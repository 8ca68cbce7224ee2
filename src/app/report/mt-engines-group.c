/* "Checked in engines": runs the exports of the model one looks at in the engines of this machine and lists
 * what each of them says. See mt-engines-group.h. */
#include "config.h"
#include "mt-engines-group.h"

#include <glib/gi18n.h>
#include <inttypes.h>

struct _MtEnginesGroup {
  AdwPreferencesGroup   parent_instance;

  AdwActionRow         *row;
  GtkProgressBar       *bar;
  GtkButton            *button;
  GPtrArray            *engine_rows;   /* borrowed: the group has them */

  MtReportInput        *input;
  char                 *sha256;        /* of the model; NULL: not known yet */
  GHashTable           *known;         /* sha256 → MtVerifyReport */
  GCancellable         *hashing;
  GCancellable         *running;       /* NULL: nothing runs */
  char                 *problem;       /* why the last check gave no result; NULL: it did */
};

enum {
  CHECKED,
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtEnginesGroup, mt_engines_group, ADW_TYPE_PREFERENCES_GROUP)

const MtVerifyReport *
mt_engines_group_get_report (MtEnginesGroup *self)
{
  g_return_val_if_fail (MT_IS_ENGINES_GROUP (self), NULL);
  return self->sha256 != NULL ? g_hash_table_lookup (self->known, self->sha256) : NULL;
}

const MtVerifyReport *
mt_engines_group_find (MtEnginesGroup *self,
                       const char     *sha256)
{
  g_return_val_if_fail (MT_IS_ENGINES_GROUP (self) && sha256 != NULL, NULL);
  return g_hash_table_lookup (self->known, sha256);
}

gboolean
mt_engines_group_is_running (MtEnginesGroup *self)
{
  g_return_val_if_fail (MT_IS_ENGINES_GROUP (self), FALSE);
  return self->running != NULL;
}

/* --- showing --- */

static char *
describe_check (const MtVerifyCheck *check)
{
  g_autofree char *rows = g_strdup_printf (ngettext ("%" PRIu64 " row", "%" PRIu64 " rows", check->n_rows),
                                           (guint64) check->n_rows);
  char diff[G_ASCII_DTOSTR_BUF_SIZE];

  switch (check->status)
    {
    case MT_VERIFY_AGREES:
      g_ascii_formatd (diff, sizeof diff, "%.2g", check->max_diff);
      /* Translators: how many rows were compared, then a number such as 1e-15 */
      return g_strdup_printf (_("Verified: %s, largest difference %s"), rows, diff);
    case MT_VERIFY_DIFFERS:
      g_ascii_formatd (diff, sizeof diff, "%.2g", check->max_diff);
      /* Translators: rows compared, a number, a count */
      return g_strdup_printf (_("Differs: %s, largest difference %s, %" PRIu64 " different decisions"), rows, diff,
                              (guint64) check->n_decisions_differ);
    case MT_VERIFY_NOT_FOUND:
      return check->package != NULL
               /* Translators: %s is the name of a Debian package */
               ? g_strdup_printf (_("Not verified: not installed (package %s)"), check->package)
               : g_strdup (_("Not verified: not installed"));
    case MT_VERIFY_FAILED:
    default:
      /* Translators: %s is what went wrong */
      return g_strdup_printf (_("Failed: %s"), check->message != NULL ? check->message : "");
    }
}

static void
add_engine_row (MtEnginesGroup      *self,
                const MtVerifyCheck *check)
{
  static const char * const icons[] = { "emblem-ok-symbolic", "dialog-error-symbolic", "dialog-warning-symbolic",
                                        "content-loading-symbolic" };
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *what = describe_check (check);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), g_str_equal (check->engine, "json")
                                                            ? _("Minterm (reads the model file back)") : check->engine);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), what);
  adw_action_row_set_icon_name (ADW_ACTION_ROW (row), icons[check->status]);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  g_ptr_array_add (self->engine_rows, row);
}

static void
show_rows (MtEnginesGroup *self)
{
  const MtVerifyReport *report = self->running == NULL ? mt_engines_group_get_report (self) : NULL;

  for (guint i = 0; i < self->engine_rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), g_ptr_array_index (self->engine_rows, i));
  g_ptr_array_set_size (self->engine_rows, 0);
  for (guint i = 0; report != NULL && i < report->n_checks; i++)
    add_engine_row (self, &report->checks[i]);
}

static char *
dup_summary (MtEnginesGroup *self)
{
  const MtVerifyReport *report = mt_engines_group_get_report (self);
  guint n_agree = 0;

  if (self->problem != NULL)
    return g_strdup (self->problem);
  if (report == NULL)
    return g_strdup (_("Not verified in any engine yet."));
  mt_verify_report_count_engines (report, &n_agree);
  if (!mt_verify_report_agrees (report))
    return g_strdup (_("Some engines disagree or failed."));
  if (n_agree == 0)
    return g_strdup (_("No supported engine is installed."));
  return g_strdup_printf (ngettext ("%u engine agrees.", "%u engines agree.", n_agree),
                          n_agree);
}

static void
show_state (MtEnginesGroup *self)
{
  g_autofree char *summary = self->running == NULL ? dup_summary (self) : NULL;

  if (summary != NULL)
    adw_action_row_set_subtitle (self->row, summary);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), self->running != NULL);
  gtk_button_set_label (self->button, self->running != NULL ? _("_Cancel") : _("_Verify"));
  gtk_widget_set_sensitive (GTK_WIDGET (self->button), self->running != NULL || self->input != NULL);
  show_rows (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- which model it is --- */

static void
hash_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (MtModel) model = mt_report_input_dup_model (data, &error);
  g_autofree char *json = NULL;
  gsize length;

  if (model == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  json = mt_model_to_json (model, &length);
  g_task_return_pointer (task, g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) json, length), g_free);
}

static void
on_hashed (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  MtEnginesGroup *self = MT_ENGINES_GROUP (source);
  g_autofree char *sha256 = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->hashing != g_task_get_cancellable (G_TASK (result)))
    return;   /* another model by now */
  g_clear_object (&self->hashing);
  self->sha256 = g_steal_pointer (&sha256);
  show_state (self);
}

void
mt_engines_group_set_input (MtEnginesGroup *self,
                            MtReportInput  *input)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (MT_IS_ENGINES_GROUP (self));

  g_clear_object (&self->hashing);
  g_clear_pointer (&self->input, mt_report_input_unref);
  g_clear_pointer (&self->sha256, g_free);
  g_clear_pointer (&self->problem, g_free);
  if (input == NULL)
    {
      mt_engines_group_cancel (self);
      show_state (self);
      return;
    }
  self->input = mt_report_input_ref (input);
  self->hashing = g_cancellable_new ();
  task = g_task_new (self, self->hashing, on_hashed, NULL);
  g_task_set_source_tag (task, mt_engines_group_set_input);
  g_task_set_task_data (task, mt_report_input_ref (input), (GDestroyNotify) mt_report_input_unref);
  g_task_run_in_thread (task, hash_thread);
}

/* Takes @report. Some engines may have been asked before, and others now. */
static void
keep (MtEnginesGroup *self,
      MtVerifyReport *report)
{
  MtVerifyReport *known = report->model_sha256 != NULL ? g_hash_table_lookup (self->known, report->model_sha256) : NULL;

  if (report->model_sha256 == NULL || (known != NULL && mt_verify_report_add (known, report)))
    mt_verify_report_free (report);
  else
    g_hash_table_insert (self->known, g_strdup (report->model_sha256), report);
}

/* The same, and notifies the owner of the result. */
static void
keep_and_tell (MtEnginesGroup *self,
               MtVerifyReport *report)
{
  g_autofree char *sha256 = g_strdup (report->model_sha256);
  g_autofree char *json = NULL;

  keep (self, report);
  if (sha256 == NULL)
    return;
  json = mt_verify_report_to_json (g_hash_table_lookup (self->known, sha256), NULL);
  g_signal_emit (self, signals[CHECKED], 0, sha256, json);
}

void
mt_engines_group_take (MtEnginesGroup       *self,
                       const MtVerifyReport *report)
{
  g_autofree char *json = NULL;
  MtVerifyReport *own;

  g_return_if_fail (MT_IS_ENGINES_GROUP (self) && report != NULL);

  json = mt_verify_report_to_json (report, NULL);
  own = mt_verify_report_from_json (json, -1, NULL);
  if (own != NULL)
    keep_and_tell (self, own);
  if (own != NULL && self->running == NULL)
    {
      g_clear_pointer (&self->problem, g_free);
      show_state (self);
    }
}

void
mt_engines_group_add_known (MtEnginesGroup *self,
                            const char     *json)
{
  MtVerifyReport *report;

  g_return_if_fail (MT_IS_ENGINES_GROUP (self) && json != NULL);

  report = mt_verify_report_from_json (json, -1, NULL);
  if (report == NULL)
    return;   /* it is only a memory of a check; checking again makes a new one */
  keep (self, report);
  show_state (self);
}

void
mt_engines_group_forget (MtEnginesGroup *self)
{
  g_return_if_fail (MT_IS_ENGINES_GROUP (self));

  g_hash_table_remove_all (self->known);
  show_state (self);
}

/* --- checking --- */

typedef struct {
  MtReportInput *input;
  char         **engines;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  mt_report_input_unref (job->input);
  g_strfreev (job->engines);
  g_free (job);
}

typedef struct {
  GTask *task;
  char  *engine;
  guint  index, n_engines;
} Step;

static void
step_free (gpointer data)
{
  Step *step = data;

  g_object_unref (step->task);
  g_free (step->engine);
  g_free (step);
}

static gboolean
show_step (gpointer data)
{
  Step *step = data;
  MtEnginesGroup *self = g_task_get_source_object (step->task);
  g_autofree char *text = NULL;

  if (self->running == NULL || self->running != g_task_get_cancellable (step->task))
    return G_SOURCE_REMOVE;
  /* Translators: the name of an engine, its number, how many there are */
  text = g_strdup_printf (_("%s, %u of %u"), step->engine, step->index + 1, step->n_engines);
  adw_action_row_set_subtitle (self->row, text);
  gtk_progress_bar_set_fraction (self->bar, (double) step->index / MAX (step->n_engines, 1));
  return G_SOURCE_REMOVE;
}

static void
note_step (const char *engine,
           guint       index,
           guint       n_engines,
           gpointer    task)
{
  Step *step = g_new0 (Step, 1);

  step->task = g_object_ref (task);
  step->engine = g_strdup (engine);
  step->index = index;
  step->n_engines = n_engines;
  g_idle_add_full (G_PRIORITY_DEFAULT, show_step, step, step_free);
}

static void
verify_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  Job *job = data;
  MtVerifyOptions options = { .engines = (const char * const *) job->engines, .progress = note_step,
                              .progress_data = task };
  GError *error = NULL;
  g_autoptr (MtModel) model = mt_report_input_dup_model (job->input, &error);
  MtVerifyReport *report = NULL;

  if (model != NULL)
    report = mt_verify (model, job->input->fitted != NULL ? job->input->fitted->basis->table : NULL, &options, cancellable,
                        &error);
  if (report != NULL)
    g_task_return_pointer (task, report, (GDestroyNotify) mt_verify_report_free);
  else
    g_task_return_error (task, error);
}

static void
on_verified (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  MtEnginesGroup *self = MT_ENGINES_GROUP (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtVerifyReport) report = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->running == NULL || self->running != g_task_get_cancellable (G_TASK (result)))
    return;   /* cancelled, or the window is gone */
  g_clear_object (&self->running);
  if (report != NULL)
    keep_and_tell (self, g_steal_pointer (&report));
  else
    self->problem = g_strdup (error->message);
  show_state (self);
}

void
mt_engines_group_verify (MtEnginesGroup     *self,
                         const char * const *engines)
{
  g_autoptr (GTask) task = NULL;
  Job *job;

  g_return_if_fail (MT_IS_ENGINES_GROUP (self));

  if (self->running != NULL || self->input == NULL)
    return;
  g_clear_pointer (&self->problem, g_free);
  job = g_new0 (Job, 1);
  job->input = mt_report_input_ref (self->input);
  job->engines = g_strdupv ((char **) engines);
  self->running = g_cancellable_new ();
  task = g_task_new (self, self->running, on_verified, NULL);
  g_task_set_source_tag (task, mt_engines_group_verify);
  g_task_set_task_data (task, job, job_free);
  gtk_progress_bar_set_fraction (self->bar, 0);
  adw_action_row_set_subtitle (self->row, _("Writing test rows…"));
  g_task_run_in_thread (task, verify_thread);
  show_state (self);
}

void
mt_engines_group_cancel (MtEnginesGroup *self)
{
  g_return_if_fail (MT_IS_ENGINES_GROUP (self));

  if (self->running == NULL)
    return;
  g_cancellable_cancel (self->running);
  g_clear_object (&self->running);
  show_state (self);
}

static void
on_button (MtEnginesGroup *self)
{
  if (self->running != NULL)
    mt_engines_group_cancel (self);
  else
    mt_engines_group_verify (self, NULL);
}

/* --- object --- */

static void
mt_engines_group_dispose (GObject *object)
{
  MtEnginesGroup *self = MT_ENGINES_GROUP (object);

  if (self->running != NULL)
    g_cancellable_cancel (self->running);
  g_clear_object (&self->running);
  g_clear_object (&self->hashing);
  g_clear_pointer (&self->input, mt_report_input_unref);
  G_OBJECT_CLASS (mt_engines_group_parent_class)->dispose (object);
}

static void
mt_engines_group_finalize (GObject *object)
{
  MtEnginesGroup *self = MT_ENGINES_GROUP (object);

  g_free (self->sha256);
  g_free (self->problem);
  g_hash_table_unref (self->known);
  g_ptr_array_unref (self->engine_rows);
  G_OBJECT_CLASS (mt_engines_group_parent_class)->finalize (object);
}

static void
mt_engines_group_class_init (MtEnginesGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_engines_group_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_engines_group_finalize;
  signals[CHECKED] = g_signal_new ("checked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
mt_engines_group_init (MtEnginesGroup *self)
{
  GtkWidget *row = adw_action_row_new ();

  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) mt_verify_report_free);
  self->engine_rows = g_ptr_array_new ();
  self->row = ADW_ACTION_ROW (row);
  self->bar = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  self->button = GTK_BUTTON (gtk_button_new_with_mnemonic (_("_Verify")));
  gtk_widget_set_valign (GTK_WIDGET (self->button), GTK_ALIGN_CENTER);
  gtk_widget_set_valign (GTK_WIDGET (self->bar), GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (GTK_WIDGET (self->bar), 60, -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button),
                               _("Run exports in installed engines and compare results"));
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (on_button), self);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("Engine verification"));
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_action_row_set_subtitle_lines (self->row, 3);
  adw_action_row_add_suffix (self->row, GTK_WIDGET (self->bar));
  adw_action_row_add_suffix (self->row, GTK_WIDGET (self->button));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  show_state (self);
}

GtkWidget *
mt_engines_group_new (void)
{
  return g_object_new (MT_TYPE_ENGINES_GROUP, NULL);
}
