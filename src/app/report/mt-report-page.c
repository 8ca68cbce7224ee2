/* The Report page: a form for the audit report next to a preview of its pages, which follows every change. From
 * here the report is printed, or saved as PDF or HTML. See mt-report-page.h. */
#include "config.h"
#include "mt-report-page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "mt-engines-group.h"
#include "widgets/mt-flow-layout.h"
#include "util/mt-format.h"
#include "widgets/mt-next-step-button.h"
#include "document/mt-reason-notes.h"
#include "mt-reasons-dialog.h"
#include "mt-report-print.h"
#include "mt-report-saver.h"

#define PERFORMANCE "section-12"   /* where the test rows are measured */
#define PAUSE 150   /* ms in which several changes become one layout */

enum {
  OPEN_REASONS,
  OPEN_ENGINES,
};

struct _MtReportPage {
  MtAdaptivePair      parent_instance;

  /* template children */
  GtkStack       *stack;
  AdwStatusPage  *empty;
  GtkButton      *empty_button;
  GtkRevealer    *stale;
  MtReportSaver  *saver;
  GtkBox         *sides;
  GtkSpinner     *spinner;
  GtkLabel       *title;
  GtkPaned       *paned;
  GtkWidget      *savers;
  MtReportForm   *form;
  GtkStack       *preview;
  MtPagesView    *view;
  GtkLabel       *page_label;
  GtkLabel       *zoom_label;
  AdwStatusPage  *failed;

  GtkWidget      *test_group;       /* borrowed */
  AdwActionRow   *test_row;
  GtkWidget      *reasons_group;    /* borrowed */
  AdwActionRow   *reasons_row;
  MtEnginesGroup *engines;

  MtDocument     *document;
  MtBenchmarks   *benchmarks;       /* of the Frontier page */
  MtStudy        *study;
  MtModel        *model;            /* opened without its data; NULL: none */
  char           *model_path;       /* where it is; may be NULL */
  MtReportInput  *input;            /* what is on show, or will be */
  GCancellable   *laying;           /* it is being laid out; NULL: it is not */
  guint           waiting;          /* until a pause in the changes */
  gboolean        print_wanted;     /* once the pages are there … */
  gboolean        measured_wanted;  /* … and these figures shown */
  MtTestSetLedger       *tested;
};

enum {
  PROP_0,
  PROP_SIDE,
};

enum {
  SAVED,
  CHECKED,
  TESTED,
  BUSY_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtReportPage, mt_report_page, MT_TYPE_ADAPTIVE_PAIR)

static void start_print (MtReportPage *self);
static void queue_state (MtReportPage *self);

static void
mt_report_page_placed (MtAdaptivePair *sides,
                       gboolean    narrow)
{
  MtReportPage *self = MT_REPORT_PAGE (sides);

  gtk_widget_set_visible (GTK_WIDGET (self->sides), narrow);
  gtk_widget_set_hexpand (self->savers, narrow);   /* they stay at the end without the title's help */
}

/* --- pages --- */

/* The model that it is about. */
static const MtRuleSet *
get_rules (MtReportPage *self)
{
  MtFrontierItem *item = self->model == NULL ? mt_study_get_selected (self->study) : NULL;

  if (self->model != NULL)
    return mt_model_get_rules (self->model);
  return item != NULL ? mt_frontier_item_get_point (item)->rules : NULL;
}

static void
show_title (MtReportPage *self)
{
  const MtRuleSet *rules = get_rules (self);
  g_autofree char *about = rules != NULL ? mt_format_totals (rules) : NULL;
  MtReportPages *pages = mt_pages_view_get_pages (self->view);
  guint n_pages = pages != NULL ? mt_report_pages_get_n (pages) : 0;
  guint n_blank = mt_report_form_get_n_blank (self->form);
  g_autofree char *count = g_strdup_printf (ngettext ("%u page", "%u pages", n_pages), n_pages);
  g_autofree char *blank = g_strdup_printf (ngettext ("%u empty field", "%u empty fields", n_blank), n_blank);
  g_autofree char *all = about != NULL ? g_strdup_printf ("%s · %s · %s", about, count, blank)
                                       : g_strdup_printf ("%s · %s", count, blank);

  gtk_label_set_label (self->title, pages != NULL ? all : "");
  gtk_spinner_set_spinning (self->spinner, self->laying != NULL || self->waiting != 0);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), self->laying != NULL || self->waiting != 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "report.print", pages != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "report.save", self->input != NULL && !mt_report_saver_is_busy (self->saver));
  g_signal_emit (self, signals[BUSY_CHANGED], 0);
}

static void
on_moved (MtReportPage *self)
{
  MtReportPages *pages = mt_pages_view_get_pages (self->view);
  g_autofree char *zoom = g_strdup_printf (_("%.0f%%"), mt_pages_view_get_zoom (self->view) * 100);
  g_autofree char *page = NULL;

  if (pages != NULL)
    page = g_strdup_printf (_("Page %u of %u"), mt_pages_view_get_page (self->view) + 1, mt_report_pages_get_n (pages));
  gtk_label_set_label (self->page_label, page != NULL ? page : "");
  gtk_label_set_label (self->zoom_label, zoom);
}

static void
on_zoom_in (MtReportPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "pages.zoom", "i", 1);
}

static void
on_zoom_out (MtReportPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "pages.zoom", "i", -1);
}

static void
on_zoom_fit (MtReportPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "pages.zoom", "i", 0);
}

static void
on_field_entered (MtReportPage *self,
                  const char   *anchor)
{
  MtReportPages *pages = mt_pages_view_get_pages (self->view);

  if (pages != NULL)
    mt_pages_view_go_to (self->view, mt_report_pages_find (pages, anchor));
}

/* --- laying out --- */

static void
on_laid_out (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (MtReportPage) self = MT_REPORT_PAGE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtReportPages) pages = mt_report_input_lay_out_finish (result, &error);

  if (self->laying == NULL || self->laying != g_task_get_cancellable (G_TASK (result)))
    return;   /* something newer is wanted */
  g_clear_object (&self->laying);
  if (pages != NULL)
    {
      mt_pages_view_set_pages (self->view, pages);
      gtk_stack_set_visible_child_name (self->preview, "pages");
      if (self->measured_wanted)
        {
          mt_pages_view_go_to (self->view, mt_report_pages_find (pages, PERFORMANCE));
          mt_adaptive_pair_turn (MT_ADAPTIVE_PAIR (self), TRUE);   /* narrow: the pages' turn */
        }
      if (self->print_wanted)
        start_print (self);
    }
  else
    {
      g_autofree char *why = g_markup_escape_text (error->message, -1);

      mt_pages_view_set_pages (self->view, NULL);
      adw_status_page_set_description (self->failed, why);
      gtk_stack_set_visible_child_name (self->preview, "failed");
    }
  self->print_wanted = FALSE;
  self->measured_wanted = FALSE;
  show_title (self);
}

static void
lay_out (MtReportPage *self)
{
  if (self->laying != NULL)
    g_cancellable_cancel (self->laying);
  g_clear_object (&self->laying);
  self->laying = g_cancellable_new ();
  if (mt_pages_view_get_pages (self->view) == NULL)
    gtk_stack_set_visible_child_name (self->preview, "waiting");
  mt_report_input_lay_out (self->input, self->laying, on_laid_out, g_object_ref (self));
  show_title (self);
}

static void
show_open (MtReportPage *self)
{
  const char *notes = self->input->reasons;
  guint n_terms = mt_rule_set_get_n_terms (mt_report_input_get_rules (self->input));
  guint n_missing = mt_reason_notes_count_missing (notes, self->input->model, mt_report_input_get_rules (self->input),
                                                   mt_report_input_get_encoder (self->input));
  g_autofree char *about = NULL;
  g_autofree char *open = NULL;

  if (n_terms == 0)
    about = g_strdup (_("The model has no terms to explain."));
  else
    /* Translators: how many terms of how many */
    about = g_strdup_printf (ngettext ("%u of %u term has a reason.",
                                       "%u of %u terms have a reason.", n_terms),
                             n_terms - n_missing, n_terms);
  if (n_missing > 0)
    open = g_strdup_printf (ngettext ("%u term without a reason code", "%u terms without a reason code", n_missing),
                            n_missing);
  adw_action_row_set_subtitle (self->reasons_row, about);
  mt_report_form_set_open (self->form, OPEN_REASONS, open, self->reasons_group);
}

static void
on_engines_changed (MtReportPage *self)
{
  mt_report_form_set_open (self->form, OPEN_ENGINES, mt_engines_group_get_report (self->engines) == NULL
                                                     ? _("Not verified in any engine") : NULL,
                           GTK_WIDGET (self->engines));
  g_signal_emit (self, signals[BUSY_CHANGED], 0);
  if (self->study != NULL)
    queue_state (self);   /* the report says what they say */
}

/* --- test rows --- */

/* How many models the report says test figures were shown for: those of the ledger, those that train showed when it made
 * the model (--evaluate-frontier), and this one. */
static guint
count_tested (MtReportPage  *self,
              MtReportInput *input,
              const char    *key)
{
  g_autoptr (MtTestSetLedger) all = mt_test_set_ledger_new ();
  g_autofree char *text = mt_test_set_ledger_dup_text (self->tested);

  mt_test_set_ledger_set_text (all, text);
  if (input->record != NULL)
    mt_test_set_ledger_add_all (all, (const char * const *) input->record->tested);
  mt_test_set_ledger_add (all, key);
  return mt_test_set_ledger_get_n (all);
}

/* Pages leave the test rows of a model alone until somebody asks for them. */
static void
decide_test (MtReportPage  *self,
             MtReportInput *input)
{
  g_autofree char *key = NULL;
  g_autofree char *about = NULL;

  gtk_widget_set_visible (self->test_group, mt_report_input_has_test (input));
  if (!mt_report_input_has_test (input))
    return;
  key = mt_report_input_dup_key (input);
  input->spare_test = !mt_test_set_ledger_has (self->tested, key);
  input->n_tested = count_tested (self, input, key);
  about = mt_test_set_ledger_dup_about (self->tested, input->spare_test);
  adw_action_row_set_subtitle (self->test_row, about);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "report.measure", input->spare_test);
}

/* From now on they have been seen, whatever is undone. */
void
mt_report_page_add_tested (MtReportPage *self,
                           const char   *key)
{
  g_autofree char *all = NULL;

  g_return_if_fail (MT_IS_REPORT_PAGE (self));

  if (mt_test_set_ledger_has (self->tested, key))
    return;
  mt_test_set_ledger_add (self->tested, key);
  all = mt_test_set_ledger_dup_text (self->tested);
  g_signal_emit (self, signals[TESTED], 0, all);
  queue_state (self);
}

const MtTestSetLedger *
mt_report_page_get_ledger (MtReportPage *self)
{
  return self->tested;
}

static void
mark_tested (MtReportPage *self)
{
  g_autofree char *key = NULL;

  if (self->input == NULL || !self->input->spare_test)
    return;
  key = mt_report_input_dup_key (self->input);
  mt_report_page_add_tested (self, key);
}

void
mt_report_page_set_tested (MtReportPage *self,
                           const char   *keys)
{
  g_return_if_fail (MT_IS_REPORT_PAGE (self));

  mt_test_set_ledger_set_text (self->tested, keys);
  if (self->study != NULL)
    queue_state (self);
}

static void
take_input (MtReportPage  *self,
            MtReportInput *input)
{
  gboolean same_model = mt_report_input_same_model (self->input, input);

  if (mt_report_input_equal (self->input, input) && input != NULL)
    return;
  g_clear_pointer (&self->input, mt_report_input_unref);
  self->input = input != NULL ? mt_report_input_ref (input) : NULL;
  if (!same_model)
    mt_engines_group_set_input (self->engines, input);
  if (input != NULL)
    {
      show_open (self);
      lay_out (self);
      return;
    }
  if (self->laying != NULL)
    g_cancellable_cancel (self->laying);
  g_clear_object (&self->laying);
  mt_pages_view_set_pages (self->view, NULL);
}

static void
show_empty (MtReportPage *self)
{
  MtNextStep step = mt_next_step_find (self->document, self->study);

  adw_status_page_set_description (self->empty, step == MT_NEXT_WAIT
                                   ? _("Training is in progress. The report appears here when a model is "
                                       "available.")
                                   : step == MT_NEXT_TRAIN
                                   ? _("Train a model first. The report describes one model.")
                                   : mt_next_step_get_hint (step));
  mt_next_step_show (step, self->empty_button);
}

/* A run began or ended: what to do next is another thing. */
static void
on_study_changed (MtReportPage *self)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "empty") == 0)
    show_empty (self);
}

/* While hidden, skip layout but drop stale references. */
static void
show_state (MtReportPage *self)
{
  MtSelectedModel *fitted;
  g_autoptr (MtReportInput) input = NULL;

  if (self->study == NULL)
    return;
  fitted = self->model == NULL ? mt_study_get_fitted (self->study) : NULL;
  if (self->model == NULL && fitted == NULL)
    {
      take_input (self, NULL);
      show_empty (self);
      gtk_stack_set_visible_child_name (self->stack, "empty");
      show_title (self);
      return;
    }
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  input = self->model != NULL ? mt_report_input_new_bare (self->model, self->model_path, self->document,
                                                          mt_engines_group_get_report (self->engines))
                              : mt_report_input_new (self->study, self->document, self->benchmarks,
                                                     mt_engines_group_get_report (self->engines));
  decide_test (self, input);
  take_input (self, input);
  gtk_revealer_set_reveal_child (self->stale, self->model == NULL &&
                                 mt_study_is_stale (self->study, mt_document_get_table (self->document)));
  gtk_stack_set_visible_child_name (self->stack, "report");
  show_title (self);
}

static gboolean
on_pause (gpointer data)
{
  MtReportPage *self = data;

  self->waiting = 0;
  show_state (self);
  return G_SOURCE_REMOVE;
}

static void
queue_state (MtReportPage *self)
{
  if (self->waiting == 0)
    self->waiting = g_timeout_add (PAUSE, on_pause, self);
  show_title (self);
}

static void
action_retry (GtkWidget  *widget,
              const char *name,
              GVariant   *parameter)
{
  MtReportPage *self = MT_REPORT_PAGE (widget);

  if (self->input != NULL)
    lay_out (self);
}

/* What was typed a moment ago is in it, too. */
static void
bring_up_to_date (MtReportPage *self)
{
  mt_report_form_flush (self->form);
  g_clear_handle_id (&self->waiting, g_source_remove);
  show_state (self);
}

/* --- saving --- */

static void
on_saved (MtReportPage *self,
          GFile        *file)
{
  g_signal_emit (self, signals[SAVED], 0, file);
}

void
mt_report_page_save (MtReportPage *self,
                     GFile        *file)
{
  g_return_if_fail (MT_IS_REPORT_PAGE (self) && G_IS_FILE (file));

  bring_up_to_date (self);
  if (self->input == NULL)
    return;
  mark_tested (self);
  show_state (self);
  mt_report_saver_save (self->saver, self->input, file);
}

void
mt_report_page_ask_file (MtReportPage *self,
                         gboolean      as_pdf)
{
  g_autofree char *title = NULL;
  g_autofree char *name = NULL;
  char *dot;

  g_return_if_fail (MT_IS_REPORT_PAGE (self));

  bring_up_to_date (self);
  if (self->input == NULL)
    return;
  title = self->model_path != NULL ? g_filename_display_basename (self->model_path) : g_strdup (self->input->data_name);
  dot = title != NULL ? strrchr (title, '.') : NULL;
  if (dot != NULL)
    *dot = '\0';
  name = g_strconcat (title != NULL ? title : "minterm", "-report", NULL);
  mt_report_saver_ask (self->saver, name, as_pdf);
}

static void
action_save (GtkWidget  *widget,
             const char *name,
             GVariant   *kind)
{
  mt_report_page_ask_file (MT_REPORT_PAGE (widget), g_str_equal (g_variant_get_string (kind, NULL), "pdf"));
}

gboolean
mt_report_page_cancel (MtReportPage *self)
{
  g_return_val_if_fail (MT_IS_REPORT_PAGE (self), FALSE);

  if (mt_report_saver_is_busy (self->saver))
    mt_report_saver_cancel (self->saver);
  else if (mt_engines_group_is_running (self->engines))
    mt_engines_group_cancel (self->engines);
  else
    return FALSE;
  return TRUE;
}

/* --- printing --- */

GtkPrintOperation *
mt_report_page_make_print (MtReportPage *self)
{
  MtReportPages *pages;

  g_return_val_if_fail (MT_IS_REPORT_PAGE (self), NULL);

  pages = mt_pages_view_get_pages (self->view);
  return pages != NULL && self->input != NULL ? mt_report_print_new (pages, self->input->paper, _("Audit report")) : NULL;
}

static void
show_message (MtReportPage *self,
              const char   *heading,
              const char   *body)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), heading, body);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
start_print (MtReportPage *self)
{
  g_autoptr (GtkPrintOperation) operation = mt_report_page_make_print (self);

  self->print_wanted = FALSE;
  if (operation != NULL)
    mt_report_print_run (operation, GTK_WIDGET (self));
}

static void
action_print (GtkWidget  *widget,
              const char *name,
              GVariant   *parameter)
{
  MtReportPage *self = MT_REPORT_PAGE (widget);

  bring_up_to_date (self);
  mark_tested (self);
  show_state (self);
  self->print_wanted = TRUE;
  if (self->laying == NULL)
    start_print (self);
}

static void
action_measure (GtkWidget  *widget,
                const char *name,
                GVariant   *parameter)
{
  MtReportPage *self = MT_REPORT_PAGE (widget);

  self->measured_wanted = TRUE;   /* a person who asks for the figures wants to see them */
  mark_tested (self);
  show_state (self);
}

/* --- reasons and engines --- */

static void
action_reasons (GtkWidget  *widget,
                const char *name,
                GVariant   *parameter)
{
  MtReportPage *self = MT_REPORT_PAGE (widget);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;

  if (self->input == NULL)
    return;
  model = self->model != NULL ? mt_model_ref (self->model)
                              : mt_selected_model_dup_model (self->input->fitted, self->input->import, &error);
  if (model == NULL)
    {
      show_message (self, _("No Reasons to Edit"), error->message);
      return;
    }
  gtk_window_present (GTK_WINDOW (mt_reasons_dialog_new (GTK_WINDOW (gtk_widget_get_root (widget)), self->document, model,
                                                         self->input->fitted != NULL ? self->input->fitted->basis->table
                                                                                     : NULL)));
}

/* Next to a model that was opened by itself; else the window keeps it in the project. */
static void
on_checked (MtReportPage *self,
            const char   *sha256,
            const char   *json)
{
  const MtVerifyReport *report = mt_engines_group_find (self->engines, sha256);

  if (self->model != NULL && self->model_path != NULL && report != NULL)
    {
      g_autofree char *sidecar = mt_verify_dup_path (self->model_path);
      g_autoptr (GError) error = NULL;

      if (!mt_file_check_sidecar (sidecar, "minterm-verify", (const char * const[]) { self->model_path, NULL }, &error) ||
          !mt_verify_report_save (report, sidecar, &error))
        show_message (self, _("Result Not Saved with the Model"), error->message);
    }
  g_signal_emit (self, signals[CHECKED], 0, sha256, json);
}

void
mt_report_page_add_check (MtReportPage *self,
                          const char   *json)
{
  g_return_if_fail (MT_IS_REPORT_PAGE (self));
  mt_engines_group_add_known (self->engines, json);
}

void
mt_report_page_take_check (MtReportPage         *self,
                           const MtVerifyReport *report)
{
  g_return_if_fail (MT_IS_REPORT_PAGE (self));
  mt_engines_group_take (self->engines, report);
}

const MtVerifyReport *
mt_report_page_find_check (MtReportPage *self,
                           const char   *sha256)
{
  g_return_val_if_fail (MT_IS_REPORT_PAGE (self), NULL);
  return mt_engines_group_find (self->engines, sha256);
}

void
mt_report_page_forget_checks (MtReportPage *self)
{
  g_return_if_fail (MT_IS_REPORT_PAGE (self));
  mt_engines_group_forget (self->engines);
}

/* --- what others ask --- */

void
mt_report_page_set_model (MtReportPage *self,
                          MtModel      *model,
                          const char   *path)
{
  g_return_if_fail (MT_IS_REPORT_PAGE (self));

  if (model == self->model)
    return;
  g_clear_pointer (&self->model, mt_model_unref);
  g_clear_pointer (&self->model_path, g_free);
  mt_engines_group_forget (self->engines);
  take_input (self, NULL);
  if (model != NULL)
    {
      g_autofree char *sidecar = path != NULL ? mt_verify_dup_path (path) : NULL;
      g_autofree char *json = NULL;

      self->model = mt_model_ref (model);
      self->model_path = g_strdup (path);
      if (sidecar != NULL && g_file_get_contents (sidecar, &json, NULL, NULL))
        mt_engines_group_add_known (self->engines, json);
    }
  show_state (self);
}

MtReportForm *
mt_report_page_get_form (MtReportPage *self)
{
  g_return_val_if_fail (MT_IS_REPORT_PAGE (self), NULL);
  return self->form;
}

MtPagesView *
mt_report_page_get_view (MtReportPage *self)
{
  g_return_val_if_fail (MT_IS_REPORT_PAGE (self), NULL);
  return self->view;
}

void
mt_report_page_flush (MtReportPage *self)
{
  g_return_if_fail (MT_IS_REPORT_PAGE (self));
  mt_report_form_flush (self->form);
}

gboolean
mt_report_page_is_busy (MtReportPage *self)
{
  g_return_val_if_fail (MT_IS_REPORT_PAGE (self), FALSE);
  return self->laying != NULL || self->waiting != 0 || mt_report_saver_is_busy (self->saver) || mt_pages_view_is_busy (self->view) ||
         mt_engines_group_is_running (self->engines);
}

gboolean
mt_report_page_can_cancel (MtReportPage *self)
{
  g_return_val_if_fail (MT_IS_REPORT_PAGE (self), FALSE);
  return mt_report_saver_is_busy (self->saver) || mt_engines_group_is_running (self->engines);
}

gboolean
mt_report_page_has_report (MtReportPage *self)
{
  g_return_val_if_fail (MT_IS_REPORT_PAGE (self), FALSE);
  return self->input != NULL;
}

/* A page that is not on show looks for them when it is. */
static void
on_benchmarks_changed (MtReportPage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    queue_state (self);
}

void
mt_report_page_set_study (MtReportPage *self,
                          MtDocument   *document,
                          MtStudy      *study,
                          MtBenchmarks *benchmarks)
{
  g_return_if_fail (MT_IS_REPORT_PAGE (self) && self->study == NULL);

  self->document = g_object_ref (document);
  self->study = g_object_ref (study);
  self->benchmarks = g_object_ref (benchmarks);
  g_signal_connect_object (benchmarks, "changed", G_CALLBACK (on_benchmarks_changed), self,
                           G_CONNECT_SWAPPED);
  mt_report_form_set_document (self->form, document);
  g_signal_connect_object (study, "notify::fitted", G_CALLBACK (queue_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "changed", G_CALLBACK (on_study_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "table-changed", G_CALLBACK (queue_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "findings-changed", G_CALLBACK (queue_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "notes-changed", G_CALLBACK (queue_state), self, G_CONNECT_SWAPPED);
  show_state (self);
}

/* --- object --- */

static void
mt_report_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (mt_report_page_parent_class)->map (widget);
  show_state (MT_REPORT_PAGE (widget));
}

static void
mt_report_page_get_property (GObject    *object,
                             guint       id,
                             GValue     *value,
                             GParamSpec *pspec)
{
  if (id == PROP_SIDE)
    g_value_set_string (value, mt_adaptive_pair_is_at_end (MT_ADAPTIVE_PAIR (object)) ? "pages" : "texts");
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_report_page_set_property (GObject      *object,
                             guint         id,
                             const GValue *value,
                             GParamSpec   *pspec)
{
  if (id != PROP_SIDE)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  mt_adaptive_pair_turn (MT_ADAPTIVE_PAIR (object), g_strcmp0 (g_value_get_string (value), "pages") == 0);
  g_object_notify (object, "side");
}

static void
mt_report_page_dispose (GObject *object)
{
  MtReportPage *self = MT_REPORT_PAGE (object);

  g_clear_handle_id (&self->waiting, g_source_remove);
  if (self->laying != NULL)
    g_cancellable_cancel (self->laying);
  g_clear_object (&self->laying);
  g_clear_object (&self->document);
  g_clear_object (&self->benchmarks);
  g_clear_object (&self->study);
  g_clear_pointer (&self->model, mt_model_unref);
  g_clear_pointer (&self->input, mt_report_input_unref);
  G_OBJECT_CLASS (mt_report_page_parent_class)->dispose (object);
}

static void
mt_report_page_finalize (GObject *object)
{
  MtReportPage *self = MT_REPORT_PAGE (object);

  g_free (self->model_path);
  mt_test_set_ledger_free (self->tested);
  G_OBJECT_CLASS (mt_report_page_parent_class)->finalize (object);
}

static void
mt_report_page_class_init (MtReportPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = mt_report_page_dispose;
  object_class->finalize = mt_report_page_finalize;
  object_class->get_property = mt_report_page_get_property;
  object_class->set_property = mt_report_page_set_property;
  MT_ADAPTIVE_PAIR_CLASS (klass)->placed = mt_report_page_placed;
  widget_class->map = mt_report_page_map;
  g_object_class_install_property (object_class, PROP_SIDE,
                                   g_param_spec_string ("side", NULL, NULL, "texts",
                                                        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                                                        G_PARAM_STATIC_STRINGS));
  signals[SAVED] = g_signal_new ("saved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_FILE);
  signals[CHECKED] = g_signal_new ("checked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
  signals[TESTED] = g_signal_new ("tested", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[BUSY_CHANGED] = g_signal_new ("busy-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 0);
  gtk_widget_class_install_property_action (widget_class, "report.side", "side");
  gtk_widget_class_install_action (widget_class, "report.print", NULL, action_print);
  gtk_widget_class_install_action (widget_class, "report.save", "s", action_save);
  gtk_widget_class_install_action (widget_class, "report.retry", NULL, action_retry);
  gtk_widget_class_install_action (widget_class, "report.reasons", NULL, action_reasons);
  gtk_widget_class_install_action (widget_class, "report.measure", NULL, action_measure);
  g_type_ensure (MT_TYPE_FLOW_LAYOUT);
  g_type_ensure (MT_TYPE_PAGES_VIEW);
  g_type_ensure (MT_TYPE_REPORT_FORM);
  g_type_ensure (MT_TYPE_REPORT_SAVER);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-report-page.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtReportPage, child)
  BIND (stack);
  BIND (empty);
  BIND (empty_button);
  BIND (stale);
  BIND (saver);
  BIND (sides);
  BIND (spinner);
  BIND (title);
  BIND (paned);
  BIND (savers);
  BIND (form);
  BIND (preview);
  BIND (view);
  BIND (page_label);
  BIND (zoom_label);
  BIND (failed);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, on_field_entered);
  gtk_widget_class_bind_template_callback (widget_class, on_moved);
  gtk_widget_class_bind_template_callback (widget_class, on_saved);
  gtk_widget_class_bind_template_callback (widget_class, mt_report_page_save);
  gtk_widget_class_bind_template_callback (widget_class, show_title);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_in);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_out);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_fit);
}

static void
mt_report_page_init (MtReportPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  mt_adaptive_pair_set_paned (MT_ADAPTIVE_PAIR (self), self->paned);
  self->tested = mt_test_set_ledger_new ();
  self->test_row = mt_report_form_add_row (self->form, _("Test rows"), _("_Measure"), "report.measure", &self->test_group);
  self->reasons_row = mt_report_form_add_row (self->form, _("Reason codes"), _("Edi_t…"), "report.reasons",
                                              &self->reasons_group);
  self->engines = MT_ENGINES_GROUP (mt_engines_group_new ());
  mt_report_form_add_group (self->form, GTK_WIDGET (self->engines));
  g_signal_connect_object (self->engines, "changed", G_CALLBACK (on_engines_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->engines, "checked", G_CALLBACK (on_checked), self, G_CONNECT_SWAPPED);
  on_engines_changed (self);
}
