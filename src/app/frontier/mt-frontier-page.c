/* The Frontier page: what accuracy costs in literals, and the rules of the model chosen. See mt-frontier-
 * page.h. */
#include "config.h"
#include "mt-frontier-page-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "widgets/mt-flow-layout.h"
#include "util/mt-format.h"
#include "mt-frontier-export.h"
#include "mt-frontier-legend.h"
#include "widgets/mt-next-step-button.h"
#include "util/mt-column-refresh.h"
#include "util/mt-preferences.h"
#include "widgets/mt-run-advice.h"
#include "util/mt-list-tab-behavior.h"
#include "util/mt-theme.h"


enum {
  PROP_0,
  PROP_SHOW_INSPECTOR,
};

G_DEFINE_FINAL_TYPE (MtFrontierPage, mt_frontier_page, ADW_TYPE_BIN)

static const char *
metric_of (MtFrontierPage *self)
{
  return _mt_frontier_page_task_of (self) == MT_TASK_REGRESSION ? "R²" : "AUC";
}

/* --- pins --- */

static MtFrontierItem *
find_best (GListModel *points)
{
  MtFrontierItem *best = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);
      double quality = mt_frontier_point_get_quality (mt_frontier_item_get_point (item));

      if (mt_frontier_item_get_history (item) != NULL || mt_frontier_item_is_apart (item))
        continue;
      if (best == NULL || quality > mt_frontier_point_get_quality (mt_frontier_item_get_point (best)))
        best = item;
    }
  return best;   /* borrowed from the list */
}

static gboolean
is_pinned (MtFrontierPage *self,
           MtFrontierItem *item)
{
  return item != NULL && (item == mt_study_get_pin (self->study, 0) || item == mt_study_get_pin (self->study, 1));
}

/* The button is for the selected model: on a touch screen there is neither Space nor Ctrl. */
static void
show_pinned (MtFrontierPage *self)
{
  MtFrontierItem *item = gtk_single_selection_get_selected_item (self->selection);

  gtk_widget_set_sensitive (GTK_WIDGET (self->pin_button), item != NULL);
  gtk_toggle_button_set_active (self->pin_button, is_pinned (self, item));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->pin_button), is_pinned (self, item)
                               ? _("Unpin the Selected Model (Space)")
                               : _("Pin the Selected Model to Compare It (Space)"));
}

static void
show_pins (MtFrontierPage *self)
{
  MtFrontierItem *a = mt_study_get_pin (self->study, 0), *b = mt_study_get_pin (self->study, 1);
  const MtFrontierMarks marks = { { a, b }, find_best (mt_study_get_points (self->study)) };

  mt_plot_view_set_pins (self->plot, a, b);
  mt_frontier_table_set_marks (self->table, &marks);
  mt_compare_panel_show (self->compare, a, b, metric_of (self));
  show_pinned (self);
}

void
mt_frontier_page_pin (MtFrontierPage *self,
                      MtFrontierItem *item)
{
  g_return_if_fail (MT_IS_FRONTIER_PAGE (self));
  mt_study_pin (self->study, item);
}

static void
on_pin_toggled (MtFrontierPage *self)
{
  MtFrontierItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (item != NULL && gtk_toggle_button_get_active (self->pin_button) != is_pinned (self, item))
    mt_frontier_page_pin (self, item);
}

/* On to the Rules page, which compares the first with the second; the model that is selected stays so. */
static void
on_compare_rules (MtFrontierPage *self)
{
  MtFrontierItem *a = mt_study_get_pin (self->study, 0), *b = mt_study_get_pin (self->study, 1);

  if (a == NULL || b == NULL)
    return;
  mt_study_compare (self->study, a, b);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-page", "s", "rules");
}

static gboolean
on_table_key (GtkEventControllerKey *controller,
              guint                  key,
              guint                  code,
              GdkModifierType        state,
              MtFrontierPage        *self)
{
  MtFrontierItem *item = gtk_single_selection_get_selected_item (self->selection);

  if ((key != GDK_KEY_space && key != GDK_KEY_KP_Space) || item == NULL ||
      (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  mt_frontier_page_pin (self, item);
  return GDK_EVENT_STOP;
}

/* What was chosen is looked at next, by Enter as in the plot or by a double click. */
static void
on_table_activate (MtFrontierPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-page", "s", "rules");
}

/* --- runs --- */

/* What the words mean, and what recommends: between runs whose folds are not the same rows no differences can be taken
 * fold by fold. */
static void
show_note (MtFrontierPage *self)
{
  MtFrontierItem *item = gtk_single_selection_get_selected_item (self->selection);
  g_autofree char *choice = item != NULL ? mt_frontier_item_dup_choice (item) : NULL;
  GListModel *runs = mt_study_get_runs (self->study);
  guint n = 0, largest = 0;
  gboolean is_one_limit = TRUE;
  g_autofree char *limit = NULL;
  g_autofree char *note = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr (MtRun) run = g_list_model_get_item (runs, i);
      guint max_literals = mt_run_get_settings (run)->max_literals;

      if (mt_run_get_points (run)->len == 0)
        continue;
      is_one_limit = is_one_limit && (n == 0 || max_literals == largest);
      largest = MAX (largest, max_literals);
      n++;
    }
  if (!is_one_limit)
    limit = g_strdup (_("Models above the size limit of their run are not recommended."));
  else if (largest > 0)
    limit = g_strdup_printf (ngettext ("Models of more than %u literal are not recommended.",
                                       "Models of more than %u literals are not recommended.", largest), largest);
  note = g_strdup (n > 1
    ? _("Size is the number of literals: conditions, linear terms, and the intercept. The recommended model is "
        "the smallest within one paired standard error of the best among runs with the same folds. For each "
        "faded model, another one is at least as small and at least as good. All values are cross-validated.")
    : _("Size is the number of literals: conditions, linear terms, and the intercept. The recommended model is "
        "the smallest within one paired standard error of the best. For each faded model, another one is at "
        "least as small and at least as good. All values are cross-validated."));
  if (limit != NULL)
    {
      g_autofree char *whole = g_strjoin (" ", note, limit, NULL);

      g_free (g_steal_pointer (&note));
      note = g_steal_pointer (&whole);
    }
  if (choice != NULL)
    {
      g_autofree char *whole = g_strjoin ("\n", choice, note, NULL);

      g_free (g_steal_pointer (&note));
      note = g_steal_pointer (&whole);
    }
  gtk_label_set_label (self->note, note);
}

/* --- the frontier --- */

/* The table and the plot share a selection, the pages share the study's. */
static void
on_selection_changed (MtFrontierPage *self)
{
  MtFrontierItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (!self->showing && item != NULL && self->study != NULL)
    mt_study_set_selected (self->study, item);
  if (self->study != NULL)
    {
      show_pinned (self);
      show_note (self);
    }
  if (item != NULL && gtk_widget_get_mapped (GTK_WIDGET (self->column_view)))
    mt_frontier_table_show_selected (self->table);
}

static gboolean
scroll_to_selected (gpointer data)
{
  MtFrontierPage *self = data;

  self->scrolling = 0;
  mt_frontier_table_show_selected (self->table);
  return G_SOURCE_REMOVE;
}

static void
show_selected (MtFrontierPage *self)
{
  MtFrontierItem *selected = mt_study_get_selected (self->study);

  if (gtk_single_selection_get_selected_item (self->selection) == selected)
    return;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->selection)); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (item == selected)
        gtk_single_selection_set_selected (self->selection, i);
    }
}

static void
on_study_selected (MtFrontierPage *self)
{
  self->showing = TRUE;
  show_selected (self);
  self->showing = FALSE;
}

/* "Predicts approved = yes": of two classes the one whose probability a model gives. NULL: there is nothing. */
static char *
describe_target (MtFrontierPage *self)
{
  const MtSelectedModel *fitted = mt_study_get_fitted (self->study);
  const MtTarget *target = fitted != NULL ? fitted->basis->target : NULL;
  MtRun *run = _mt_frontier_page_main_run (self);
  const char *name = target != NULL ? mt_target_get_name (target) : run != NULL ? mt_run_get_target (run) : NULL;
  guint n_classes = target != NULL ? mt_target_get_n_classes (target) : 0;

  if (name == NULL)
    return NULL;
  if (n_classes == 2)
    /* Translators: target and class, as in: Predicts approved = yes */
    return g_strdup_printf (_("Predicts %s = %s"), name, mt_target_get_classes (target)[1]);
  if (n_classes > 0)
    /* Translators: target and its number of classes, three at least */
    return g_strdup_printf (ngettext ("Predicts %s, one of %u class", "Predicts %s, one of %u classes", n_classes), name,
                            n_classes);
  /* Translators: %s is the target */
  return g_strdup_printf (_("Predicts %s"), name);
}

/* What is measured, and of what. */
static void
show_title (MtFrontierPage *self)
{
  /* Translators: %s is the name of the metric */
  g_autofree char *title = g_strdup_printf (_("Cross-validated %s"), metric_of (self));
  g_autofree char *predicted = describe_target (self);

  gtk_label_set_label (self->title, title);
  gtk_label_set_label (self->predicted, predicted != NULL ? predicted : "");
  gtk_widget_set_visible (GTK_WIDGET (self->predicted), predicted != NULL);
  mt_plot_view_set_heading (self->plot, title, predicted);
}

static void
show_frontier (MtFrontierPage *self)
{
  MtRun *run = _mt_frontier_page_main_run (self);
  const char *metric = metric_of (self);
  g_autoptr (GArray) legend = NULL;
  guint n_left_out;

  show_title (self);
  self->metric = metric;
  _mt_frontier_page_show_results (self);
  mt_frontier_table_set_metric (self->table, metric);
  mt_plot_view_show_points (self->plot, mt_study_get_points (self->study), metric,
                            run != NULL ? mt_run_get_settings (run)->folds : 0);
  show_pins (self);
  legend = mt_frontier_legend_list (mt_study_get_points (self->study), &n_left_out);
  _mt_frontier_page_add_result_legend (self, legend);
  mt_frontier_legend_show (self->legend, legend, n_left_out);
  mt_plot_view_set_legend (self->plot, legend, n_left_out);
  show_note (self);
}

/* Once it has its rows and its size. */
static void
queue_scroll (MtFrontierPage *self)
{
  if (self->scrolling == 0 && gtk_widget_get_mapped (GTK_WIDGET (self->column_view)))
    self->scrolling = g_timeout_add (100, scroll_to_selected, self);
}

/* They take room of the table's, and the row that was shown may be out of sight. */
static void
on_benchmarks_changed (MtFrontierPage *self)
{
  _mt_frontier_page_show_benchmarks (self);
  queue_scroll (self);
}

static gboolean
refresh (gpointer data)
{
  MtFrontierPage *self = data;

  self->refreshing = 0;
  show_frontier (self);
  _mt_frontier_page_find_benchmarks (self);
  _mt_frontier_page_show_benchmarks (self);
  queue_scroll (self);
  return G_SOURCE_REMOVE;
}

/* Points come in a row; one look at them all is enough. */
static void
queue_refresh (MtFrontierPage *self)
{
  if (self->refreshing == 0)
    self->refreshing = g_idle_add_full (G_PRIORITY_HIGH_IDLE, refresh, self, NULL);
}

static void
on_notes_changed (MtFrontierPage *self)
{
  if (_mt_frontier_page_read_results (self))
    queue_refresh (self);
}

/* --- states --- */

static void
show_empty (MtFrontierPage *self)
{
  MtNextStep step = mt_next_step_find (self->document, self->study);
  const char *hint = mt_next_step_get_hint (step);

  adw_status_page_set_description (self->empty, hint != NULL ? hint
                                   : _("Train to compare accuracy with model size."));
  mt_next_step_show (step, self->empty_button);
}

/* The button shows them again, next to the frontier. */
static void
show_earlier (MtFrontierPage *self)
{
  guint n = mt_study_count_earlier (self->study);
  g_autofree char *text = g_strdup_printf (ngettext ("%u model was trained and validated on earlier data. It "
                                                     "is not part of this frontier.", "%u models were "
                                                                                      "trained and validated "
                                                                                      "on earlier data. They "
                                                                                      "are not part of this "
                                                                                      "frontier.", n), n);

  gtk_label_set_label (self->earlier_text, text);
  gtk_toggle_button_set_active (self->earlier_button, mt_study_get_show_earlier (self->study));
  gtk_revealer_set_reveal_child (self->earlier, n > 0);
}

static void
on_earlier_toggled (MtFrontierPage *self)
{
  if (self->study != NULL)
    mt_study_set_show_earlier (self->study, gtk_toggle_button_get_active (self->earlier_button));
}

/* Only the intercept is left of the model that the folds recommend. */
static gboolean
recommends_nothing (MtFrontierPage *self)
{
  MtFrontierItem *item = mt_study_get_recommended (self->study);

  return item != NULL && mt_frontier_item_get_point (item)->complexity <= 1;
}

static void
show_state (MtFrontierPage *self)
{
  MtRun *last = mt_study_get_last (self->study);
  const GError *error = last != NULL ? mt_run_get_error (last) : NULL;
  MtTable *table = mt_document_get_table (self->document);
  gboolean running = mt_study_is_running (self->study);
  gboolean any = g_list_model_get_n_items (mt_study_get_points (self->study)) > 0;
  const char *child = any ? "frontier" : running ? "running" : error != NULL ? "failed" : "empty";

  if (running)
    {
      g_autofree char *detail = NULL;
      MtStudyProgress progress;

      mt_study_get_progress (self->study, &progress);
      detail = mt_format_progress (progress.fraction, progress.elapsed, progress.left);
      gtk_progress_bar_set_fraction (self->running_bar, progress.fraction);
      gtk_label_set_label (self->running_detail, detail);
      gtk_progress_bar_set_fraction (self->working_bar, progress.fraction);
      gtk_label_set_label (self->working_label, detail);
    }
  if (error != NULL)
    {
      g_autofree char *message = mt_format_paragraph (error->message);
      g_autofree char *both = g_strconcat (message, "\n\n", mt_run_advice_get (error), NULL);
      g_autofree char *escaped = g_markup_escape_text (both, -1);

      adw_status_page_set_description (self->failed, escaped);
      mt_run_advice_show (error, self->failed_button);
    }
  if (g_str_equal (child, "empty"))
    show_empty (self);
  gtk_stack_set_visible_child_name (self->stack, child);
  gtk_revealer_set_reveal_child (self->stale, mt_study_is_stale (self->study, table));
  show_earlier (self);
  gtk_revealer_set_reveal_child (self->working, running && any);
  gtk_revealer_set_reveal_child (self->nothing, any && !running && recommends_nothing (self));
}

/* Which metric it is, and whether the model still fits the data, is known once the model is there. */
static void
on_study_fitted (MtFrontierPage *self)
{
  show_state (self);
  show_title (self);
  _mt_frontier_page_find_benchmarks (self);
  if (g_strcmp0 (self->metric, metric_of (self)) != 0)
    queue_refresh (self);
}

static void
on_study_changed (MtFrontierPage *self)
{
  gboolean running = mt_study_is_running (self->study);

  show_state (self);
  if (running == self->was_running)
    return;
  self->was_running = running;
  _mt_frontier_page_find_benchmarks (self);
}

/* --- export --- */

void
mt_frontier_page_export_async (MtFrontierPage      *self,
                               const char          *path,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             data)
{
  g_return_if_fail (MT_IS_FRONTIER_PAGE (self) && path != NULL);

  mt_frontier_export_async (path, mt_plot_view_copy (self->plot),
                            mt_frontier_points_to_csv (mt_study_get_points (self->study),
                                                       mt_benchmarks_get (self->benchmarks), _mt_frontier_page_tree_literals (self)),
                            cancellable, callback, data);
}

/* --- object --- */

static void
on_log_toggled (MtFrontierPage *self)
{
  mt_plot_view_set_log (self->plot, gtk_toggle_button_get_active (self->log_button));
}

static void
on_zoom_out (MtFrontierPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->plot), "plot.zoom-out", NULL);
}

static void
on_zoom_in (MtFrontierPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->plot), "plot.zoom-in", NULL);
}

static void
on_reset (MtFrontierPage *self)
{
  mt_plot_view_reset (self->plot);
}

/* Next to the plot the table is there unless the person hid it. Over the plot it is there when it is asked for, and the
 * keys go to what is on top. */
static gboolean
arrange (gpointer data)
{
  MtFrontierPage *self = data;
  gboolean folded = adw_flap_get_folded (self->flap), shown;

  self->arranging = 0;
  if (self->was_folded && !folded)
    adw_flap_set_reveal_flap (self->flap,
                              g_settings_get_boolean (mt_preferences_get_settings (), "show-frontier-table"));
  shown = adw_flap_get_reveal_flap (self->flap);
  gtk_widget_set_visible (GTK_WIDGET (self->table_button), folded);   /* the zoom buttons hide: two fingers do it there */
  if (folded && self->was_folded && shown != self->was_shown)
    gtk_widget_grab_focus (shown ? GTK_WIDGET (self->column_view) : GTK_WIDGET (self->plot));
  self->was_folded = folded;
  self->was_shown = shown;
  g_object_notify (G_OBJECT (self), "show-inspector");
  return G_SOURCE_REMOVE;
}

/* The flap folds while sizes are being handed out: what wants another size then is not heard of any more. */
static void
queue_arrange (MtFrontierPage *self)
{
  if (self->arranging == 0)
    self->arranging = g_idle_add_full (G_PRIORITY_HIGH_IDLE, arrange, self, NULL);
}

gboolean
mt_frontier_page_is_folded (MtFrontierPage *self)
{
  g_return_val_if_fail (MT_IS_FRONTIER_PAGE (self), FALSE);
  return adw_flap_get_folded (self->flap);
}

MtPlotView *
mt_frontier_page_get_plot (MtFrontierPage *self)
{
  g_return_val_if_fail (MT_IS_FRONTIER_PAGE (self), NULL);
  return self->plot;
}

void
mt_frontier_page_set_narrow (MtFrontierPage *self,
                             gboolean        narrow)
{
  GtkWidget *scroller;

  g_return_if_fail (MT_IS_FRONTIER_PAGE (self));

  scroller = gtk_widget_get_ancestor (GTK_WIDGET (self->column_view), GTK_TYPE_SCROLLED_WINDOW);
  mt_frontier_table_set_narrow (self->table, narrow);
  gtk_widget_set_visible (self->sign_note, narrow);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), narrow ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
}

GtkColumnView *
mt_frontier_page_get_table (MtFrontierPage *self)
{
  g_return_val_if_fail (MT_IS_FRONTIER_PAGE (self), NULL);
  return self->column_view;
}

void
mt_frontier_page_set_log (MtFrontierPage *self,
                          gboolean        log_scale)
{
  g_return_if_fail (MT_IS_FRONTIER_PAGE (self));
  gtk_toggle_button_set_active (log_scale ? self->log_button : self->linear_button, TRUE);
}

GtkSingleSelection *
mt_frontier_page_get_selection (MtFrontierPage *self)
{
  return self->selection;
}

MtBenchmarks *
mt_frontier_page_get_benchmarks (MtFrontierPage *self)
{
  return self->benchmarks;
}

static void
mt_frontier_page_get_property (GObject    *object,
                               guint       id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  if (id == PROP_SHOW_INSPECTOR)
    g_value_set_boolean (value, adw_flap_get_reveal_flap (MT_FRONTIER_PAGE (object)->flap));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_frontier_page_set_property (GObject      *object,
                               guint         id,
                               const GValue *value,
                               GParamSpec   *pspec)
{
  if (id == PROP_SHOW_INSPECTOR)
    adw_flap_set_reveal_flap (MT_FRONTIER_PAGE (object)->flap, g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_frontier_page_dispose (GObject *object)
{
  MtFrontierPage *self = MT_FRONTIER_PAGE (object);

  g_clear_handle_id (&self->refreshing, g_source_remove);
  g_clear_handle_id (&self->scrolling, g_source_remove);
  g_clear_handle_id (&self->arranging, g_source_remove);
  if (self->benchmarks != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->benchmarks, self);
      mt_benchmarks_clear (self->benchmarks);
    }
  g_clear_object (&self->benchmarks);
  g_clear_object (&self->document);
  g_clear_object (&self->study);
  g_clear_pointer (&self->results_text, g_free);
  g_clear_pointer (&self->results, g_ptr_array_unref);
  G_OBJECT_CLASS (mt_frontier_page_parent_class)->dispose (object);
}

static void
mt_frontier_page_class_init (MtFrontierPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = mt_frontier_page_dispose;
  object_class->get_property = mt_frontier_page_get_property;
  object_class->set_property = mt_frontier_page_set_property;
  g_object_class_install_property (object_class, PROP_SHOW_INSPECTOR,
                                   g_param_spec_boolean ("show-inspector", NULL, NULL, TRUE,
                                                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_type_ensure (MT_TYPE_FLOW_LAYOUT);
  g_type_ensure (MT_TYPE_PLOT_VIEW);
  g_type_ensure (MT_TYPE_COMPARE_PANEL);
  g_type_ensure (MT_TYPE_LIST_TAB_BEHAVIOR);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-frontier-page.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtFrontierPage, child)
  BIND (stack);
  BIND (empty);
  BIND (empty_button);
  BIND (failed);
  BIND (running_title);
  BIND (running_bar);
  BIND (running_detail);
  BIND (stale);
  BIND (earlier);
  BIND (earlier_text);
  BIND (earlier_button);
  BIND (nothing);
  BIND (failed_button);
  BIND (working);
  BIND (working_label);
  BIND (working_bar);
  BIND (flap);
  BIND (title);
  BIND (predicted);
  BIND (log_button);
  BIND (linear_button);
  BIND (pin_button);
  BIND (zoom_out_button);
  BIND (zoom_in_button);
  BIND (reset_button);
  BIND (legend);
  BIND (plot);
  BIND (compare);
  BIND (table_button);
  BIND (plot_button);
  BIND (short_note);
  BIND (sign_note);
  BIND (note);
  BIND (benchmark_spinner);
  BIND (benchmark_list);
  BIND (results_group);
  BIND (results_list);
#undef BIND
  gtk_widget_class_bind_template_child_full (widget_class, "table", FALSE,
                                             G_STRUCT_OFFSET (MtFrontierPage, column_view));
  gtk_widget_class_bind_template_callback (widget_class, on_earlier_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_log_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_pin_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_out);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_in);
  gtk_widget_class_bind_template_callback (widget_class, on_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_compare_rules);
  gtk_widget_class_bind_template_callback (widget_class, on_table_activate);
}

static void
mt_frontier_page_init (MtFrontierPage *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  mt_compare_panel_offer_rules (self->compare);
  self->benchmarks = mt_benchmarks_new ();
  self->table = mt_frontier_table_new (self->column_view);
  self->selection = mt_frontier_table_get_selection (self->table);
  mt_plot_view_set_selection (self->plot, self->selection);
  /* Before the list sees it: Space pins here, too. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_table_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->column_view), keys);
  g_signal_connect_object (self->column_view, "map", G_CALLBACK (queue_scroll), self, G_CONNECT_SWAPPED);
  g_object_bind_property (self->plot, "zoomed", self->reset_button, "sensitive", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->plot, "zoomed", self->zoom_out_button, "sensitive", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (self->plot, "pin", G_CALLBACK (mt_frontier_page_pin), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->benchmarks, "changed", G_CALLBACK (on_benchmarks_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (on_selection_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (queue_arrange), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::folded", G_CALLBACK (queue_arrange), self, G_CONNECT_SWAPPED);
  self->was_shown = adw_flap_get_reveal_flap (self->flap);
}

void
mt_frontier_page_set_study (MtFrontierPage *self,
                            MtDocument     *document,
                            MtStudy        *study)
{
  g_return_if_fail (MT_IS_FRONTIER_PAGE (self) && self->study == NULL);

  self->document = g_object_ref (document);
  self->study = g_object_ref (study);
  mt_frontier_table_set_points (self->table, mt_study_get_points (study));
  g_signal_connect_object (document, "table-changed", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "notes-changed", G_CALLBACK (on_notes_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (mt_study_get_points (study), "items-changed", G_CALLBACK (queue_refresh), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "notify::selected", G_CALLBACK (on_study_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "notify::fitted", G_CALLBACK (on_study_fitted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "pins-changed", G_CALLBACK (show_pins), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "changed", G_CALLBACK (on_study_changed), self, G_CONNECT_SWAPPED);
  mt_column_refresh_watch (self->column_view);
  mt_preferences_watch_numbers (self, G_CALLBACK (queue_refresh));
  show_state (self);
  _mt_frontier_page_read_results (self);
  queue_refresh (self);
}
