#include "config.h"
#include "mt-frontier-page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-format.h"
#include "mt-frontier-item.h"
#include "mt-plot-view.h"
#include "mt-term-row.h"

struct _MtFrontierPage {
  AdwBin              parent_instance;

  /* template children */
  AdwFlap            *flap;
  GtkStack           *stack;
  AdwStatusPage      *empty;
  GtkButton          *empty_button;
  AdwStatusPage      *failed;
  GtkLabel           *running_title;
  GtkProgressBar     *running_bar;
  GtkLabel           *running_detail;
  GtkRevealer        *stale;
  GtkLabel           *title;
  GtkToggleButton    *log_button;
  MtPlotView         *plot;
  GtkColumnView      *table;
  GtkColumnViewColumn *quality_column;
  GtkLabel           *note;
  AdwPreferencesGroup *model_group;
  GtkListBox         *terms;

  MtDocument         *document;
  MtStudy            *study;
  GtkSingleSelection *selection;   /* of the study's points */
  gboolean            showing;     /* the selection follows the study */
};

enum {
  PROP_0,
  PROP_SHOW_INSPECTOR,
};

G_DEFINE_FINAL_TYPE (MtFrontierPage, mt_frontier_page, ADW_TYPE_BIN)

/* --- the selected model --- */

static void
show_model (MtFrontierPage *self)
{
  const MtFitted *fitted = mt_study_get_fitted (self->study);
  const MtTarget *target;
  g_autofree char *title = NULL;
  g_autofree char *about = NULL;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->terms))) != NULL)
    gtk_list_box_remove (self->terms, child);
  if (fitted == NULL)
    return;
  target = fitted->basis->target;
  title = g_strdup_printf (ngettext ("The Model of %u Literal", "The Model of %u Literals", fitted->point.complexity),
                           fitted->point.complexity);
  adw_preferences_group_set_title (self->model_group, title);
  if (mt_target_get_task (target) == MT_TASK_BINARY)
    /* Translators: %s = %s is the target and its class */
    about = g_markup_printf_escaped (_("Weights add up to the log-odds of %s = %s."),
                                     mt_target_get_name (target), mt_target_get_classes (target)[1]);
  else if (mt_target_get_task (target) == MT_TASK_MULTICLASS)
    about = g_strdup (_("Weights add up to a score for each class; the highest score wins."));
  else
    about = g_markup_printf_escaped (_("Weights add up to the predicted %s."), mt_target_get_name (target));
  adw_preferences_group_set_description (self->model_group, about);
  gtk_list_box_append (self->terms, mt_term_row_new_bias (fitted));
  for (guint i = 0; i < mt_rule_set_get_n_terms (fitted->point.rules); i++)
    gtk_list_box_append (self->terms, mt_term_row_new (fitted, i));
}

/* The table and the plot share a selection, the pages share the study's. */
static void
on_selection_changed (MtFrontierPage *self)
{
  MtFrontierItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (!self->showing && item != NULL)
    mt_study_set_selected (self->study, item);
}

static void
show_selected (MtFrontierPage *self)
{
  MtFrontierItem *selected = mt_study_get_selected (self->study);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->selection)); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (item == selected)
        gtk_single_selection_set_selected (self->selection, i);
    }
}

/* --- the frontier --- */

static void
show_frontier (MtFrontierPage *self)
{
  const MtFitted *fitted = mt_study_get_fitted (self->study);
  MtFrontierItem *selected = mt_study_get_selected (self->study);
  MtRun *run = selected != NULL ? mt_frontier_item_get_run (selected) : NULL;
  gboolean regression = fitted != NULL && mt_target_get_task (fitted->basis->target) == MT_TASK_REGRESSION;
  const char *metric = regression ? "R²" : "AUC";
  g_autofree char *title = NULL;

  show_selected (self);
  /* Translators: %s is the name of the metric */
  title = g_strdup_printf (_("Cross-validated %s"), metric);
  gtk_label_set_label (self->title, title);
  gtk_column_view_column_set_title (self->quality_column, metric);
  mt_plot_view_refresh (self->plot, metric, run != NULL ? mt_run_get_settings (run)->folds : 0);
  show_model (self);
}

/* While points come and go, what is selected meanwhile is nobody's choice. */
static void
on_points_changed (MtFrontierPage *self)
{
  self->showing = TRUE;
  show_frontier (self);
  self->showing = FALSE;
}

static void
show_running (MtFrontierPage *self)
{
  g_autofree char *percent = NULL;
  g_autofree char *detail = NULL;
  MtStudyProgress progress;

  mt_study_get_progress (self->study, &progress);
  percent = mt_format_percent (floor (progress.fraction * 100) / 100);
  gtk_progress_bar_set_fraction (self->running_bar, progress.fraction);
  if (!isnan (progress.left))
    /* Translators: percentage done, seconds so far, seconds left */
    detail = g_strdup_printf (_("%s · %.0f s so far · about %.0f s left"), percent, progress.elapsed, progress.left);
  else
    detail = g_strdup_printf (_("%s · %.0f s so far"), percent, progress.elapsed);
  gtk_label_set_label (self->running_detail, detail);
}

static void
show_state (MtFrontierPage *self)
{
  MtRun *last = mt_study_get_last (self->study);
  const GError *error = last != NULL ? mt_run_get_error (last) : NULL;
  MtTable *table = mt_document_get_table (self->document);
  gboolean ready = table != NULL && mt_table_get_target (table) >= 0;

  if (mt_study_get_selected (self->study) != NULL)
    gtk_stack_set_visible_child_name (self->stack, "frontier");
  else if (mt_study_is_running (self->study))
    {
      show_running (self);
      gtk_stack_set_visible_child_name (self->stack, "running");
    }
  else if (error != NULL)
    {
      g_autofree char *escaped = g_markup_escape_text (error->message, -1);

      adw_status_page_set_description (self->failed, escaped);
      gtk_stack_set_visible_child_name (self->stack, "failed");
    }
  else
    {
      adw_status_page_set_description (self->empty, ready
                                       ? _("Train to see what each bit of accuracy costs in rules.")
                                       : _("Choose a target on the Data page first: the column to be explained."));
      gtk_button_set_label (self->empty_button, ready ? _("T_rain") : _("Go to _Data"));
      /* The target first: an action without the target it wants is complained about. */
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->empty_button), NULL);
      gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->empty_button),
                                              ready ? NULL : g_variant_new_string ("data"));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->empty_button), ready ? "win.train" : "win.show-page");
      gtk_stack_set_visible_child_name (self->stack, "empty");
    }
  gtk_revealer_set_reveal_child (self->stale, mt_study_is_stale (self->study, table));
}

/* --- the table --- */

static void
setup_cell (GtkSignalListItemFactory *factory,
            GtkListItem              *cell,
            gpointer                  align)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), (float) GPOINTER_TO_INT (align));
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (cell, label);
}

static const MtFrontierPoint *
point_of (GtkListItem *cell)
{
  return mt_frontier_item_get_point (gtk_list_item_get_item (cell));
}

/* What a simpler model does as well steps back. */
static void
set_cell (GtkListItem *cell,
          const char  *text)
{
  GtkWidget *label = gtk_list_item_get_child (cell);

  gtk_label_set_label (GTK_LABEL (label), text);
  if (mt_frontier_item_is_dominated (gtk_list_item_get_item (cell)))
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
}

static void
bind_literals (GtkSignalListItemFactory *factory,
               GtkListItem              *cell)
{
  g_autofree char *text = mt_format_count (point_of (cell)->complexity);

  set_cell (cell, text);
}

static void
bind_quality (GtkSignalListItemFactory *factory,
              GtkListItem              *cell)
{
  g_autofree char *text = mt_frontier_point_format (point_of (cell));

  set_cell (cell, text);
}

static void
bind_rules (GtkSignalListItemFactory *factory,
            GtkListItem              *cell)
{
  g_autofree char *text = mt_format_count (mt_frontier_item_get_n_rules (gtk_list_item_get_item (cell)));

  set_cell (cell, text);
}

static void
bind_mark (GtkSignalListItemFactory *factory,
           GtkListItem              *cell)
{
  set_cell (cell, mt_frontier_item_is_recommended (gtk_list_item_get_item (cell)) ? _("Recommended") : "");
}

static GtkColumnViewColumn *
add_column (MtFrontierPage *self,
            const char     *title,
            int             align,
            GCallback       bind,
            gboolean        expand)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = NULL;

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), GINT_TO_POINTER (align));
  g_signal_connect (factory, "bind", bind, NULL);
  column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (column, expand);
  gtk_column_view_append_column (self->table, column);
  return column;
}

/* --- object --- */

static void
on_log_toggled (MtFrontierPage *self)
{
  mt_plot_view_set_log (self->plot, gtk_toggle_button_get_active (self->log_button));
}

GtkSingleSelection *
mt_frontier_page_get_selection (MtFrontierPage *self)
{
  return self->selection;
}

gboolean
mt_frontier_page_export (MtFrontierPage  *self,
                         const char      *path,
                         GError         **error)
{
  return mt_plot_view_export (self->plot, path, error);
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

  g_clear_object (&self->document);
  g_clear_object (&self->study);
  g_clear_object (&self->selection);
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
  g_type_ensure (MT_TYPE_PLOT_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-frontier-page.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtFrontierPage, child)
  BIND (flap);
  BIND (stack);
  BIND (empty);
  BIND (empty_button);
  BIND (failed);
  BIND (running_title);
  BIND (running_bar);
  BIND (running_detail);
  BIND (stale);
  BIND (title);
  BIND (log_button);
  BIND (plot);
  BIND (table);
  BIND (note);
  BIND (model_group);
  BIND (terms);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, on_log_toggled);
}

static void
on_flap_revealed (MtFrontierPage *self)
{
  g_object_notify (G_OBJECT (self), "show-inspector");
}

static void
mt_frontier_page_init (MtFrontierPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->selection = gtk_single_selection_new (NULL);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (self->selection));
  add_column (self, _("Literals"), 1, G_CALLBACK (bind_literals), FALSE);
  self->quality_column = add_column (self, "AUC", 1, G_CALLBACK (bind_quality), FALSE);
  add_column (self, _("Rules"), 1, G_CALLBACK (bind_rules), FALSE);
  add_column (self, "", 0, G_CALLBACK (bind_mark), TRUE);
  mt_plot_view_set_selection (self->plot, self->selection);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_selection_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (on_flap_revealed), self,
                           G_CONNECT_SWAPPED);
}

void
mt_frontier_page_set_study (MtFrontierPage *self,
                            MtDocument     *document,
                            MtStudy        *study)
{
  g_return_if_fail (MT_IS_FRONTIER_PAGE (self) && self->study == NULL);

  self->document = g_object_ref (document);
  self->study = g_object_ref (study);
  gtk_single_selection_set_model (self->selection, mt_study_get_points (study));
  g_signal_connect_object (document, "table-changed", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "notify::fitted", G_CALLBACK (on_points_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "changed", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  show_state (self);
}
