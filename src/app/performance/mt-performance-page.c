/* The Quality page. See mt-performance-page.h. */
#include "config.h"
#include "mt-performance-page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-cutoff-picker.h"
#include "mt-over-time-card.h"
#include "mt-performance-charts.h"
#include "mt-performance-tables.h"
#include "mt-subgroup-card.h"
#include "study/mt-performance-operation.h"
#include "util/mt-format.h"
#include "widgets/mt-chart-view.h"
#include "widgets/mt-flow-layout.h"
#include "widgets/mt-next-step-button.h"

struct _MtPerformancePage {
  AdwBin                 parent_instance;

  GtkStack              *stack;
  AdwStatusPage         *empty;
  GtkButton             *empty_button;
  GtkToggleButton       *kinds[3];         /* by MtPerformanceRows */
  GtkSpinner            *spinner;
  GtkLabel              *about;            /* which rows these are */
  GtkLabel              *search;           /* what the folds said of the whole search */
  GtkLabel              *failure;
  GtkWidget             *figures;          /* all that is there only with figures */
  GtkBox                *quality, *confusion, *rates;      /* each holds a table */
  GtkWidget             *decisions, *cutoff;     /* cards */
  GtkLabel              *rule;
  MtCutoffPicker        *picker;           /* of two classes */
  GtkWidget             *charts[MT_N_PERFORMANCE_CHARTS];  /* cards */
  MtChartView           *views[MT_N_PERFORMANCE_CHARTS];
  MtSubgroupCard        *subgroups;
  MtOverTimeCard        *over_time;
  GtkExpander           *expander;
  GtkBox                *tables;

  MtDocument            *document;
  MtStudy               *study;
  const MtTestSetLedger *ledger;
  MtPerformanceRows      rows;             /* asked for */
  gboolean               choosing;         /* the buttons follow that */
  MtSelectedModel       *shown;            /* that the figures are of, or will be; NULL: none */
  MtPerformanceRows      shown_rows;
  MtPerformance         *performance;      /* NULL: still to come */
  MtInterval            *intervals;        /* NULL: still to come */
  GCancellable          *cancellable;
  guint                  waiting;          /* idle */
};

enum {
  TESTED,
  CUTOFF,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtPerformancePage, mt_performance_page, ADW_TYPE_BIN)

const MtPerformance *
mt_performance_page_get (MtPerformancePage *self)
{
  return self->performance;
}

gboolean
mt_performance_page_is_busy (MtPerformancePage *self)
{
  return gtk_spinner_get_spinning (self->spinner) || mt_subgroup_card_is_busy (self->subgroups) ||
         mt_over_time_card_is_busy (self->over_time);
}

/* --- words --- */

static const char * const *
classes_of (const MtSelectedModel *fitted)
{
  return mt_target_get_classes (fitted->basis->target);
}

static double
cutoff_of (const MtSelectedModel *fitted)
{
  return mt_rule_set_get_cutoff (fitted->point.rules);
}

static char *
dup_about (const MtPerformance *performance,
           const MtColumn      *time)     /* that folds are chained by; NULL: they are dealt */
{
  g_autofree char *n = mt_format_count (performance->scored.n_rows);
  g_autofree char *left_out = mt_format_count (performance->n_left_out);
  g_autofree char *about = NULL;
  g_autofree char *rest = NULL;

  if (performance->rows == MT_PERFORMANCE_TEST)
    return g_strdup_printf (ngettext ("%s test row, which played no part in training.",
                                      "%s test rows, which played no part in training.", performance->scored.n_rows), n);
  if (performance->rows == MT_PERFORMANCE_TRAINING)
    return g_strdup_printf (ngettext ("%s training row. The model was fitted to this row, so expect worse "
                                      "figures on new rows.",
                                      "%s training rows. The model was fitted to these rows, so expect worse "
                                      "figures on new rows.", performance->scored.n_rows), n);
  if (time != NULL)
    /* Translators: numbers of rows, then the name of a column */
    return g_strdup_printf (ngettext ("%s training row, predicted with weights fitted to earlier rows only. The %s earliest rows by "
                                      "“%s” are in no fold. The rules were found on all training rows, so these figures are slightly "
                                      "optimistic.",
                                      "%s training rows, each predicted with weights fitted to earlier rows only. The %s earliest "
                                      "rows by “%s” are in no fold. The rules were found on all training rows, so these figures are "
                                      "slightly optimistic.", performance->scored.n_rows),
                            n, left_out, mt_column_get_name (time));
  about = g_strdup_printf (ngettext ("%s training row, predicted with weights fitted without its fold. The "
                                     "rules were found on all training rows, so these figures are slightly "
                                     "optimistic.",
                                     "%s training rows, each predicted with weights fitted without its fold. "
                                     "The rules were found on all training rows, so these figures are slightly "
                                     "optimistic.",
                                     performance->scored.n_rows), n);
  if (performance->n_left_out == 0)
    return g_steal_pointer (&about);
  rest = g_strdup_printf (ngettext ("%s row is the only one of its class and is in no fold.",
                                    "%s rows are the only ones of their class and are in no fold.", performance->n_left_out),
                          left_out);
  return g_strdup_printf ("%s %s", about, rest);
}

/* The folds of the run repeated the whole search, which is the more honest figure. */
static char *
dup_search (const MtSelectedModel *fitted)
{
  g_autofree char *value = NULL;

  if (!isfinite (fitted->point.cv_mean))
    return g_strdup ("");
  value = mt_frontier_point_format (&fitted->point);
  return mt_target_get_task (fitted->basis->target) == MT_TASK_REGRESSION
         ? g_strdup_printf (_("With the whole search repeated for each fold, the cross-validated R² is %s (see "
                              "the Frontier page)."), value)
         : g_strdup_printf (_("With the whole search repeated for each fold, the cross-validated AUC is %s "
                              "(see the Frontier page)."), value);
}

static char *
dup_rule (const MtSelectedModel *fitted,
          double                 cutoff)
{
  const char * const *classes = classes_of (fitted);
  g_autofree char *number = mt_format_number (cutoff);

  if (mt_target_get_task (fitted->basis->target) == MT_TASK_BINARY)
    return g_strdup_printf (_("“%s” is predicted if its probability is above %s, otherwise “%s”."), classes[1], number,
                            classes[0]);
  return g_strdup (_("The most probable class is predicted."));
}

/* --- showing --- */

static void
replace (GtkBox    *box,
         GtkWidget *child)      /* NULL: nothing */
{
  GtkWidget *old;

  while ((old = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, old);
  if (child != NULL)
    gtk_box_append (box, child);
}

static void
show_quality (MtPerformancePage *self)
{
  replace (self->quality, mt_performance_quality_new (self->performance, self->intervals));
}

static void
show_tables (MtPerformancePage *self)
{
  const char * const *classes;

  replace (self->tables, NULL);
  if (self->performance == NULL || !gtk_expander_get_expanded (self->expander))
    return;
  classes = classes_of (self->shown);
  if (classes == NULL)
    gtk_box_append (self->tables, mt_performance_tenths_new (self->performance));
  else
    {
      gtk_box_append (self->tables, mt_performance_calibration_new (self->performance, classes));
      gtk_box_append (self->tables, mt_performance_gain_new (self->performance, classes));
    }
}

static void
show_decisions (MtPerformancePage *self)
{
  const char * const *classes = classes_of (self->shown);
  gboolean has_cutoff = self->performance->scored.n_classes == 2;
  double cutoff = has_cutoff ? mt_cutoff_picker_get (self->picker) : MT_CUTOFF;
  g_autofree char *rule = dup_rule (self->shown, cutoff);
  MtTask task = mt_target_get_task (self->shown->basis->target);

  mt_subgroup_card_set_cutoff (self->subgroups, cutoff);
  gtk_widget_set_visible (self->decisions, classes != NULL);
  gtk_widget_set_visible (self->cutoff, has_cutoff);
  if (classes != NULL)
    {
      gtk_label_set_label (self->rule, rule);
      replace (self->confusion, self->performance->scored.n_classes <= MT_PERFORMANCE_MAX_MATRIX
                                ? mt_performance_confusion_new (self->performance, classes, cutoff) : NULL);
      replace (self->rates, mt_performance_rates_new (self->performance, classes, cutoff));
    }
  for (guint i = 0; i < MT_N_PERFORMANCE_CHARTS; i++)
    {
      gboolean fits = mt_performance_chart_fits (i, task);
      g_autofree char *spoken = NULL;

      gtk_widget_set_visible (self->charts[i], fits);
      if (!fits)
        continue;
      spoken = mt_performance_chart_speak (i, self->performance, classes, cutoff);
      mt_chart_view_show (self->views[i], mt_performance_chart_make (i, self->performance, classes, cutoff), spoken);
    }
}

static void
show_busy (MtPerformancePage *self,
           gboolean           busy)
{
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), busy);
  gtk_spinner_set_spinning (self->spinner, busy);
}

static void
show_failure (MtPerformancePage *self,
              const GError      *error)
{
  g_autofree char *message = error != NULL ? mt_format_paragraph (error->message) : NULL;

  gtk_label_set_label (self->failure, message != NULL ? message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->failure), message != NULL);
  gtk_widget_set_visible (self->figures, error == NULL && self->performance != NULL);
}

static void
on_measured (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (GError) error = NULL;
  g_autofree MtInterval *intervals = mt_performance_measure_finish (result, &error);
  MtPerformancePage *self = MT_PERFORMANCE_PAGE (source);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_pointer (&self->intervals, g_free);
  self->intervals = g_steal_pointer (&intervals);
  show_busy (self, FALSE);
  if (self->performance != NULL)
    show_quality (self);
}

static void
on_found (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtPerformance) found = mt_performance_finish (result, &error);
  MtPerformancePage *self = MT_PERFORMANCE_PAGE (source);
  g_autofree char *about = NULL;
  g_autofree char *search = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_pointer (&self->performance, mt_performance_unref);
  self->performance = g_steal_pointer (&found);
  if (self->performance == NULL)
    {
      show_busy (self, FALSE);
      gtk_label_set_label (self->about, "");
      show_failure (self, error);
      return;
    }
  about = dup_about (self->performance, mt_split_find_time (self->shown->basis->table));
  search = self->performance->rows == MT_PERFORMANCE_FOLDS ? dup_search (self->shown) : g_strdup ("");
  gtk_label_set_label (self->about, about);
  gtk_label_set_label (self->search, search);
  gtk_widget_set_visible (GTK_WIDGET (self->search), *search != '\0');
  show_failure (self, NULL);
  if (self->performance->scored.n_classes == 2)
    mt_cutoff_picker_set (self->picker, self->performance->rankings[1], classes_of (self->shown), cutoff_of (self->shown),
                          FALSE);
  mt_subgroup_card_show (self->subgroups, self->performance, self->shown->basis->table, classes_of (self->shown),
                         self->performance->scored.n_classes == 2 ? mt_cutoff_picker_get (self->picker) : MT_CUTOFF);
  mt_over_time_card_show (self->over_time, self->performance, self->shown->basis->table);
  show_quality (self);
  show_decisions (self);
  show_tables (self);
  mt_performance_measure_async (self, self->performance, self->cancellable, on_measured);
}

/* --- which rows --- */

static void
forget (MtPerformancePage *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->picker != NULL)
    mt_cutoff_picker_set (self->picker, NULL, NULL, MT_CUTOFF, FALSE);
  if (self->subgroups != NULL)
    mt_subgroup_card_show (self->subgroups, NULL, NULL, NULL, MT_CUTOFF);
  if (self->over_time != NULL)
    mt_over_time_card_show (self->over_time, NULL, NULL);
  g_clear_pointer (&self->shown, mt_selected_model_unref);
  g_clear_pointer (&self->performance, mt_performance_unref);
  g_clear_pointer (&self->intervals, g_free);
}

static void
show_choice (MtPerformancePage *self)
{
  self->choosing = TRUE;
  gtk_toggle_button_set_active (self->kinds[self->rows], TRUE);
  self->choosing = FALSE;
}

static char *
dup_key (const MtSelectedModel *fitted)
{
  return mt_test_set_ledger_dup_key (fitted->point.rules, fitted->basis->encoder);
}

static gboolean
is_tested (MtPerformancePage     *self,
           const MtSelectedModel *fitted)
{
  g_autofree char *key = dup_key (fitted);

  return mt_test_set_ledger_has (self->ledger, key);
}

static void
show_state (MtPerformancePage *self)
{
  MtSelectedModel *fitted = self->study != NULL ? mt_study_get_fitted (self->study) : NULL;

  if (self->study == NULL)
    return;
  if (fitted == NULL)
    {
      MtNextStep step = mt_next_step_find (self->document, self->study);
      const char *hint = mt_next_step_get_hint (step);

      forget (self);
      adw_status_page_set_description (self->empty, hint != NULL ? hint
                                                                 : _("Train and select a model to see its "
                                                                     "quality here."));
      mt_next_step_show (step, self->empty_button);
      gtk_stack_set_visible_child_name (self->stack, "empty");
      return;
    }
  gtk_stack_set_visible_child_name (self->stack, "performance");
  gtk_widget_set_visible (GTK_WIDGET (self->kinds[MT_PERFORMANCE_TEST]), fitted->basis->test != NULL);
  /* Test rows of another model are another use of them, which is asked for. */
  if (self->rows == MT_PERFORMANCE_TEST && (fitted->basis->test == NULL || !is_tested (self, fitted)))
    {
      self->rows = MT_PERFORMANCE_FOLDS;
      show_choice (self);
    }
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || (fitted == self->shown && self->rows == self->shown_rows))
    return;
  forget (self);
  self->shown = mt_selected_model_ref (fitted);
  self->shown_rows = self->rows;
  self->cancellable = g_cancellable_new ();
  show_busy (self, TRUE);
  show_failure (self, NULL);
  gtk_label_set_label (self->about, _("Measuring…"));
  gtk_widget_set_visible (GTK_WIDGET (self->search), FALSE);
  mt_performance_async (self, fitted, self->rows, self->cancellable, on_found);
}

static gboolean
on_idle (gpointer data)
{
  MtPerformancePage *self = data;

  self->waiting = 0;
  show_state (self);
  return G_SOURCE_REMOVE;
}

static void
queue_state (MtPerformancePage *self)
{
  if (self->waiting == 0)
    self->waiting = g_idle_add (on_idle, self);
}

static void
on_agreed (MtPerformancePage *self,
           const char        *response)
{
  MtSelectedModel *fitted = mt_study_get_fitted (self->study);
  g_autofree char *key = NULL;

  if (!g_str_equal (response, "show") || fitted == NULL || fitted->basis->test == NULL)
    return;
  key = dup_key (fitted);
  g_signal_emit (self, signals[TESTED], 0, key);
  self->rows = MT_PERFORMANCE_TEST;
  show_choice (self);
  show_state (self);
}

static void
ask (MtPerformancePage *self)
{
  g_autofree char *about = mt_test_set_ledger_dup_about (self->ledger, TRUE);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _("Show Test Results?"),
                                              about);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "show", _("_Show"), NULL);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_agreed), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_kind (MtPerformancePage *self,
         GtkToggleButton   *button)
{
  MtSelectedModel *fitted = mt_study_get_fitted (self->study);

  if (self->choosing || !gtk_toggle_button_get_active (button) || fitted == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->kinds); i++)
    if (button == self->kinds[i])
      {
        if (i == MT_PERFORMANCE_TEST && !is_tested (self, fitted))
          {
            show_choice (self);     /* until it is agreed to */
            ask (self);
            return;
          }
        self->rows = i;
      }
  show_state (self);
}

/* --- the cutoff --- */

static void
on_preview (MtPerformancePage *self)
{
  if (self->performance != NULL)
    show_decisions (self);
}

static void
on_apply (MtPerformancePage *self)
{
  g_autofree char *reason = mt_cutoff_picker_dup_reason (self->picker);

  if (self->performance != NULL)
    g_signal_emit (self, signals[CUTOFF], 0, mt_cutoff_picker_get (self->picker), reason);
}

/* --- the widgets --- */

static GtkWidget *
make_card (const char *title,
           GtkWidget  *child)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9), *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "figurecard");
  gtk_box_append (GTK_BOX (card), label);
  gtk_box_append (GTK_BOX (card), child);
  gtk_widget_set_hexpand (card, TRUE);
  return card;
}

static GtkWidget *
make_flow (int      gap,
           gboolean even)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_layout_manager (box, g_object_new (MT_TYPE_FLOW_LAYOUT, "gap", gap, "even", even, "roomy", TRUE, NULL));
  return box;
}

static GtkLabel *
add_note (GtkWidget *box)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static GtkWidget *
make_bar (MtPerformancePage *self)
{
  const char *names[] = { _("_Folds"), _("T_raining Rows"), _("_Test Rows") };
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *choices = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_layout_manager (choices, g_object_new (MT_TYPE_FLOW_LAYOUT, NULL));   /* in lines where it is narrow */
  gtk_widget_set_hexpand (choices, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (self->kinds); i++)
    {
      self->kinds[i] = GTK_TOGGLE_BUTTON (gtk_toggle_button_new_with_mnemonic (names[i]));
      if (i > 0)
        gtk_toggle_button_set_group (self->kinds[i], self->kinds[0]);
      gtk_box_append (GTK_BOX (choices), GTK_WIDGET (self->kinds[i]));
    }
  gtk_toggle_button_set_active (self->kinds[0], TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (self->kinds); i++)
    g_signal_connect_swapped (self->kinds[i], "toggled", G_CALLBACK (on_kind), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choices), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Rows to measure on"), -1);
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  gtk_box_append (GTK_BOX (bar), choices);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->spinner));
  return bar;
}

static GtkBox *
make_box (void)
{
  return GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 12));
}

static GtkWidget *
make_decisions (MtPerformancePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 15);

  self->rule = add_note (box);
  self->confusion = make_box ();
  self->rates = make_box ();
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->confusion));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->rates));
  self->picker = MT_CUTOFF_PICKER (mt_cutoff_picker_new ());
  g_signal_connect_swapped (self->picker, "changed", G_CALLBACK (on_preview), self);
  g_signal_connect_swapped (self->picker, "apply", G_CALLBACK (on_apply), self);
  return make_card (_("Decisions"), box);
}

static GtkWidget *
make_figures (MtPerformancePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *top = make_flow (12, FALSE), *charts = make_flow (12, TRUE);

  self->quality = make_box ();
  self->decisions = make_decisions (self);
  self->cutoff = make_card (_("Cutoff"), GTK_WIDGET (self->picker));
  gtk_box_append (GTK_BOX (top), make_card (_("Metrics"), GTK_WIDGET (self->quality)));
  gtk_box_append (GTK_BOX (top), self->decisions);
  gtk_box_append (GTK_BOX (top), self->cutoff);
  for (guint i = 0; i < MT_N_PERFORMANCE_CHARTS; i++)
    {
      self->views[i] = MT_CHART_VIEW (mt_chart_view_new ());
      gtk_widget_set_vexpand (GTK_WIDGET (self->views[i]), TRUE);
      self->charts[i] = make_card (mt_performance_chart_title (i), GTK_WIDGET (self->views[i]));
      gtk_box_append (GTK_BOX (charts), self->charts[i]);
    }
  self->tables = make_box ();
  gtk_widget_set_margin_top (GTK_WIDGET (self->tables), 9);
  self->expander = GTK_EXPANDER (gtk_expander_new (_("Charts as Tables")));
  gtk_expander_set_child (self->expander, GTK_WIDGET (self->tables));
  g_signal_connect_swapped (self->expander, "notify::expanded", G_CALLBACK (show_tables), self);
  gtk_box_append (GTK_BOX (box), top);
  gtk_box_append (GTK_BOX (box), charts);
  self->subgroups = MT_SUBGROUP_CARD (mt_subgroup_card_new ());
  self->over_time = MT_OVER_TIME_CARD (mt_over_time_card_new ());
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->subgroups));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->over_time));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->expander));
  return box;
}

static GtkWidget *
make_content (MtPerformancePage *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  GtkWidget *clamp = adw_clamp_new ();

  gtk_widget_add_css_class (box, "performancecontent");
  gtk_box_append (GTK_BOX (box), make_bar (self));
  self->about = add_note (box);
  self->search = add_note (box);
  gtk_widget_add_css_class (GTK_WIDGET (self->search), "dim-label");
  self->failure = add_note (box);
  gtk_widget_add_css_class (GTK_WIDGET (self->failure), "failure");
  gtk_widget_set_visible (GTK_WIDGET (self->failure), FALSE);
  self->figures = make_figures (self);
  gtk_box_append (GTK_BOX (box), self->figures);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), 1400);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), 1400);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), clamp);
  return scrolled;
}

static void
mt_performance_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (mt_performance_page_parent_class)->map (widget);
  show_state (MT_PERFORMANCE_PAGE (widget));
}

static void
mt_performance_page_dispose (GObject *object)
{
  MtPerformancePage *self = MT_PERFORMANCE_PAGE (object);

  self->picker = NULL;     /* go with the others */
  self->subgroups = NULL;
  self->over_time = NULL;
  forget (self);
  g_clear_handle_id (&self->waiting, g_source_remove);
  self->ledger = NULL;
  g_clear_object (&self->document);
  g_clear_object (&self->study);
  G_OBJECT_CLASS (mt_performance_page_parent_class)->dispose (object);
}

static void
mt_performance_page_class_init (MtPerformancePageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_performance_page_dispose;
  GTK_WIDGET_CLASS (klass)->map = mt_performance_page_map;
  signals[TESTED] = g_signal_new ("tested", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[CUTOFF] = g_signal_new ("cutoff", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_STRING);
}

static void
mt_performance_page_init (MtPerformancePage *self)
{
  self->stack = GTK_STACK (gtk_stack_new ());
  self->empty = ADW_STATUS_PAGE (adw_status_page_new ());
  self->empty_button = GTK_BUTTON (gtk_button_new ());
  gtk_button_set_use_underline (self->empty_button, TRUE);
  gtk_widget_set_halign (GTK_WIDGET (self->empty_button), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (GTK_WIDGET (self->empty_button), "pill");
  gtk_widget_add_css_class (GTK_WIDGET (self->empty_button), "suggested-action");
  adw_status_page_set_icon_name (self->empty, "minterm-page-performance-symbolic");
  adw_status_page_set_title (self->empty, _("Nothing to Measure Yet"));
  adw_status_page_set_child (self->empty, GTK_WIDGET (self->empty_button));
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->empty), "empty");
  gtk_stack_add_named (self->stack, make_content (self), "performance");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
}

void
mt_performance_page_set_study (MtPerformancePage     *self,
                               MtDocument            *document,
                               MtStudy               *study,
                               const MtTestSetLedger *ledger)
{
  g_return_if_fail (MT_IS_PERFORMANCE_PAGE (self) && self->study == NULL);

  self->document = g_object_ref (document);
  self->study = g_object_ref (study);
  self->ledger = ledger;
  mt_subgroup_card_set_document (self->subgroups, document);
  g_signal_connect_object (study, "notify::fitted", G_CALLBACK (queue_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "changed", G_CALLBACK (queue_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "table-changed", G_CALLBACK (queue_state), self, G_CONNECT_SWAPPED);
  show_state (self);
}
