/* Editing the model on the Rules page: what is asked for becomes a form, and what comes of that a step of
 * the one history. Of a model that was learned here a new point of the frontier comes; one that was opened
 * without its data is itself another. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rules/mt-edit-dialog.h"
#include "rules/mt-edit-words.h"
#include "rules/mt-edits-dialog.h"
#include "util/mt-preferences.h"

/* --- a point of the study --- */

typedef struct {
  MtStudy        *study;
  MtFrontierItem *gone;      /* the edited one that it takes the place of; NULL: one that was learned stays */
  MtFrontierItem *come;
} PointStep;

static void
point_step_free (gpointer data)
{
  PointStep *step = data;

  g_object_unref (step->study);
  g_clear_object (&step->gone);
  g_object_unref (step->come);
  g_free (step);
}

static void
do_point_step (gpointer data,
               gboolean forward)
{
  PointStep *step = data;

  if (forward)
    mt_study_edit (step->study, step->gone, step->come);
  else
    mt_study_edit (step->study, step->come, step->gone);
}

/* Where it stands: what the folds say of the model that was learned, moved by what they say of the edits. */
static MtFrontierItem *
make_point (MtStudy        *study,
            MtFrontierItem *origin,
            MtRuleSet      *rules,
            MtEditHistory  *history)
{
  const MtRunData *basis = mt_study_get_fitted (study)->basis;
  MtFrontierPoint point = *mt_frontier_item_get_point (origin);

  point.rules = rules;
  point.complexity = mt_rule_set_get_complexity (rules);
  point.train = mt_rule_set_metric (rules, basis->encoded, basis->rows->values);
  if (!isnan (point.cv_mean))
    point.cv_mean += mt_edit_history_get_shift (history, 0);
  return mt_frontier_item_new_edited (origin, &point, history);
}

static void
keep_point (MtWindow      *self,
            MtRuleSet     *rules,
            MtEditHistory *history,
            const char    *label)
{
  MtFrontierItem *selected = mt_study_get_selected (self->study);
  MtFrontierItem *origin = mt_frontier_item_get_origin (selected);
  PointStep *step = g_new0 (PointStep, 1);

  step->study = g_object_ref (self->study);
  step->gone = origin != NULL ? g_object_ref (selected) : NULL;
  step->come = make_point (self->study, origin != NULL ? origin : selected, rules, history);
  do_point_step (step, TRUE);
  mt_document_push_change (self->document, label, do_point_step, step, point_step_free);
}

/* --- a model by itself --- */

typedef struct {
  MtWindow *window;       /* borrowed: the history is its document's */
  MtModel  *before;
  MtModel  *after;
} ModelStep;

static void
model_step_free (gpointer data)
{
  ModelStep *step = data;

  mt_model_unref (step->before);
  mt_model_unref (step->after);
  g_free (step);
}

static void
do_model_step (gpointer data,
               gboolean forward)
{
  ModelStep *step = data;

  MtModel *model = forward ? step->after : step->before;

  _mt_window_set_model (step->window, model);
  mt_report_page_set_model (step->window->report_page, model, NULL);   /* it is in no file yet */
}

static void
keep_model (MtWindow      *self,
            MtRuleSet     *rules,
            MtEditHistory *history,
            const char    *label)
{
  g_autoptr (GError) error = NULL;
  MtModel *model = mt_model_with_edits (mt_session_get_model (self->session), rules, history, NAN, &error);
  ModelStep *step;

  if (model == NULL)
    {
      _mt_window_show_failure (self, _("Model Not Changed"), error, NULL, NULL, NULL);
      return;
    }
  step = g_new0 (ModelStep, 1);
  step->window = self;
  step->before = mt_model_ref (mt_session_get_model (self->session));
  step->after = model;
  do_model_step (step, TRUE);
  mt_document_push_change (self->document, label, do_model_step, step, model_step_free);
}

/* --- the cutoff --- */

static MtEditSubject *
make_subject (MtWindow *self)
{
  MtSelectedModel *fitted = mt_study_get_fitted (self->study);
  MtFrontierItem *selected = mt_study_get_selected (self->study);

  if (mt_session_get_model (self->session) != NULL)
    return mt_edit_subject_new_model (mt_session_get_model (self->session));
  if (fitted == NULL || mt_frontier_item_get_run (selected) == NULL)
    return NULL;
  return mt_edit_subject_new_fitted (fitted, mt_run_get_settings (mt_frontier_item_get_run (selected)));
}

typedef struct {
  MtEditSubject *subject;
  MtEdit         edit;
  char          *reason;
  MtRuleSet     *rules;
  MtEditHistory *history;
} CutoffJob;

static void
cutoff_job_free (gpointer data)
{
  CutoffJob *job = data;

  mt_edit_subject_unref (job->subject);
  g_free (job->reason);
  g_clear_pointer (&job->rules, mt_rule_set_unref);
  g_clear_pointer (&job->history, mt_edit_history_unref);
  g_free (job);
}

static void
cutoff_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  CutoffJob *job = data;
  GError *error = NULL;

  job->rules = mt_edit_subject_edit (job->subject, &job->edit, job->reason, &job->history, cancellable, &error);
  if (job->rules != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_cutoff_made (GObject      *source,
                GAsyncResult *result,
                gpointer      data)
{
  MtWindow *self = MT_WINDOW (source);
  CutoffJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (MtEditHistory) history = NULL;
  g_autoptr (MtEditSubject) now = NULL;
  g_autofree char *by = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      _mt_window_show_failure (self, _("Model Not Changed"), error, NULL, NULL, NULL);
      return;
    }
  /* Another model may have been selected meanwhile: that one was not asked for. */
  now = mt_session_get_model (self->session) == NULL ? make_subject (self) : NULL;
  if (now == NULL || mt_edit_subject_get_rules (now) != mt_edit_subject_get_rules (job->subject))
    return;
  by = mt_preferences_dup_person ();
  history = mt_edit_history_sign (job->history, job->reason, by != NULL && *by != '\0' ? by : NULL,
                                  g_get_real_time () / G_USEC_PER_SEC, NULL);
  keep_point (self, job->rules, history != NULL ? history : job->history, mt_edit_kind_get_title (MT_EDIT_SET_CUTOFF));
}

void
_mt_window_set_cutoff (MtWindow   *self,
                       double      cutoff,
                       const char *reason)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_cutoff_made, NULL);
  CutoffJob *job;
  MtEditSubject *subject = mt_session_get_model (self->session) == NULL ? make_subject (self) : NULL;

  if (subject == NULL)
    return;
  job = g_new0 (CutoffJob, 1);
  job->subject = subject;
  job->edit = (MtEdit) { .kind = MT_EDIT_SET_CUTOFF, .to = cutoff };
  job->reason = g_strdup (reason);
  g_task_set_source_tag (task, _mt_window_set_cutoff);
  g_task_set_task_data (task, job, cutoff_job_free);
  g_task_run_in_thread (task, cutoff_thread);
}

/* --- actions --- */

static void
on_applied (MtWindow     *self,
            MtEditDialog *dialog)
{
  const char *label = mt_edit_kind_get_title (mt_edit_dialog_get_edit (dialog)->kind);

  if (mt_session_get_model (self->session) != NULL)
    keep_model (self, mt_edit_dialog_get_rules (dialog), mt_edit_dialog_get_history (dialog), label);
  else if (mt_study_get_fitted (self->study) != NULL)
    keep_point (self, mt_edit_dialog_get_rules (dialog), mt_edit_dialog_get_history (dialog), label);
}

static void
action_edit (GtkWidget  *widget,
             const char *name,
             GVariant   *word)
{
  MtWindow *self = MT_WINDOW (widget);
  g_autoptr (MtEditSubject) subject = make_subject (self);
  MtEditDialog *dialog;
  MtEditKind kind;
  MtEdit edit;

  if (subject == NULL || !mt_edit_kind_from_string (g_variant_get_string (word, NULL), &kind))
    return;
  if (!mt_rules_page_make_edit (self->rules_page, kind, &edit))
    {
      adw_toast_overlay_add_toast (self->toasts, adw_toast_new (_("Select a rule in the list first")));
      return;
    }
  dialog = mt_edit_dialog_new (GTK_WINDOW (self), subject, &edit);
  g_signal_connect_object (dialog, "applied", G_CALLBACK (on_applied), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
action_edit_history (GtkWidget  *widget,
                     const char *name,
                     GVariant   *parameter)
{
  guint n;
  const MtEditRecord *edits = mt_rules_page_get_edits (MT_WINDOW (widget)->rules_page, &n);

  if (n > 0)
    gtk_window_present (GTK_WINDOW (mt_edits_dialog_new (GTK_WINDOW (widget), edits, n)));
}

void
_mt_window_update_edit (MtWindow *self)
{
  gboolean there = mt_rules_page_get_book (self->rules_page) != NULL;
  guint n;

  mt_rules_page_get_edits (self->rules_page, &n);
  /* Where it is narrow the page has the pencils. Its place stays when it goes: the tabs would move. */
  gtk_widget_set_visible (GTK_WIDGET (self->edit_place),
                          !self->narrow && adw_view_switcher_title_get_view_switcher_enabled (self->switcher));
  gtk_stack_set_visible_child (self->edit_place,
                               there && adw_view_stack_get_visible_child (self->pages) == GTK_WIDGET (self->rules_page)
                               ? GTK_WIDGET (self->edit) : self->no_edit);
  mt_rules_page_offer_edit (self->rules_page, there && self->narrow);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.edit", there);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.edit-history", there && n > 0);
}

void
_mt_window_class_install_edit_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.edit", "s", action_edit);
  gtk_widget_class_install_action (widget_class, "win.edit-history", NULL, action_edit_history);
}

void
_mt_window_init_edit (MtWindow *self)
{
  gtk_menu_button_set_menu_model (self->edit, mt_rules_page_get_edit_menu (self->rules_page));
  g_signal_connect_object (self->rules_page, "shown", G_CALLBACK (_mt_window_update_actions), self, G_CONNECT_SWAPPED);
}
