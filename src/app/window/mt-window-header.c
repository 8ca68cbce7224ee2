/* The header bar's buttons that follow the page: the step that comes next, and the side pane's. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

#include "util/mt-button-names.h"

/* Whether everything that is set up has been tried: one run, or all combinations of the values chosen. */
static gboolean
has_run_all (MtWindow        *self,
             const MtSweepGrid *grid)
{
  MtTable *table = mt_document_get_table (self->document);
  MtRunSettings base = *mt_model_page_get_settings (self->model_page);

  mt_sweep_grid_adjust_base (grid, &base);
  for (guint i = 0; i < mt_sweep_grid_count (grid) && table != NULL; i++)
    {
      MtRunSettings each;

      mt_sweep_grid_get (grid, &base, i, &each);
      if (!mt_study_has_run (self->study, table, &each))
        return FALSE;
    }
  return table != NULL;
}

/* The blue button is what comes next after this page. Where the page itself has such a button there is no second. */
static const char *
find_next_step (MtWindow *self)
{
  const char *page = adw_view_stack_get_visible_child_name (self->pages);
  const MtSweepGrid *grid = mt_model_page_get_grid (self->model_page);

  if (g_strcmp0 (page, "frontier") == 0)
    return mt_study_get_selected (self->study) != NULL ? "rules" : "none";
  if (g_strcmp0 (page, "rules") == 0)
    return mt_rules_page_get_book (self->rules_page) == NULL ? "none" : mt_session_get_model (self->session) == NULL ? "performance" : "report";
  if (g_strcmp0 (page, "performance") == 0)
    return mt_study_get_selected (self->study) != NULL ? "report" : "none";
  if ((g_strcmp0 (page, "data") != 0 && g_strcmp0 (page, "model") != 0) || mt_session_get_model (self->session) != NULL ||
      mt_study_is_running (self->study))
    return "none";
  if (has_run_all (self, grid))
    return "frontier";
  if (mt_sweep_grid_count (grid) == 1)
    return "train";
  return g_strcmp0 (page, "model") == 0 && !self->narrow ? "none" : "sweep";
}

/* In words; but where these leave the header bar of a narrow window no room, for they are long or the text is large, as
 * the picture of the page that the step leads to. */
static void
fit_next_step (MtWindow   *self,
               GtkButton  *button,
               const char *step)
{
  const char *words = g_object_get_data (G_OBJECT (button), "words");
  g_autofree char *name = NULL;
  int least, room;

  if (words == NULL)
    {
      words = gtk_button_get_label (button);
      g_object_set_data_full (G_OBJECT (button), "words", g_strdup (words), g_free);
    }
  name = mt_button_names_strip (words);
  g_object_freeze_notify (G_OBJECT (button));   /* GTK tells of the label before it is gone */
  gtk_button_set_label (button, words);
  if (self->narrow)
    {
      gtk_widget_queue_resize (GTK_WIDGET (self->step));   /* it may remember how wide it is for the longest of all steps */
      gtk_widget_measure (GTK_WIDGET (self->header), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      gtk_widget_get_size_request (GTK_WIDGET (self), &room, NULL);
      if (least > room)
        {
          const char *page = g_str_equal (step, "sweep") ? "train" : step;
          g_autofree char *icon = g_strdup_printf ("minterm-page-%s-symbolic", page);

          gtk_button_set_icon_name (button, icon);
        }
    }
  g_object_thaw_notify (G_OBJECT (button));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
show_next_step (MtWindow *self)
{
  const char *step = find_next_step (self);
  GtkWidget *button = gtk_stack_get_child_by_name (self->step, step);
  guint fit = 1 + 4 * self->text_size + 2 * (guint) self->narrow +
              (guint) gtk_widget_get_visible (GTK_WIDGET (self->inspector));   /* what it was fitted to */

  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->step), step) == 0 &&
      GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "fit")) == fit)
    return;   /* asked many times a second while it trains */
  gtk_stack_set_visible_child_name (self->step, step);
  g_object_set_data (G_OBJECT (button), "fit", GUINT_TO_POINTER (fit));
  if (GTK_IS_BUTTON (button))
    fit_next_step (self, GTK_BUTTON (button), step);
}

/* Buttons that train say why they cannot. */
void
_mt_window_explain_train (MtWindow   *self,
                          MtNextStep  step)
{
  GtkWidget *train = gtk_stack_get_child_by_name (self->step, "train");
  const char *reason = mt_next_step_get_reason (step);
  const char *tooltip = reason != NULL ? reason : _("Train Models for the Target (Ctrl+R)");

  if (g_strcmp0 (gtk_widget_get_tooltip_text (train), tooltip) != 0)
    gtk_widget_set_tooltip_text (train, tooltip);
  mt_sweep_panel_set_obstacle (self->sweep, mt_next_step_get_hint (step), reason);
}

/* A narrow Rules page shows one thing at a time. */
gboolean
_mt_window_has_pane (MtWindow *self)
{
  if (adw_view_stack_get_visible_child (self->pages) == GTK_WIDGET (self->frontier_page))
    return g_list_model_get_n_items (mt_study_get_points (self->study)) > 0;
  if (adw_view_stack_get_visible_child (self->pages) == GTK_WIDGET (self->rules_page))
    return !self->narrow && mt_rules_page_get_book (self->rules_page) != NULL;
  return adw_view_stack_get_visible_child (self->pages) == GTK_WIDGET (self->data_page);
}

/* The place of a button stays when it cannot be used, or the tabs would move; they are elsewhere when it is narrow. */
void
_mt_window_update_header (MtWindow *self)
{
  gtk_widget_set_sensitive (GTK_WIDGET (self->inspector), _mt_window_has_pane (self));
  gtk_widget_set_visible (GTK_WIDGET (self->inspector),
                          adw_view_switcher_title_get_view_switcher_enabled (self->switcher) &&
                          (!self->narrow || _mt_window_has_pane (self)));
  show_next_step (self);   /* in the room that the others leave */
}
