#include "config.h"
#include "rules-window.h"

MtWindow *
mt_rules_window_open (const char *target,
                      int         width)
{
  MtWindow *window = mt_app_window_new (width, 820);

  mt_app_open_trained (window, target);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules");
  mt_app_settle (60);
  return window;
}

gpointer
mt_rules_window_find (MtWindow *window,
                      GType     type)
{
  GtkWidget *widget = mt_app_find (GTK_WIDGET (window), type, NULL);

  g_assert_nonnull (widget);
  return widget;
}

MtRulesPage *
mt_rules_window_page (MtWindow *window)
{
  return mt_rules_window_find (window, MT_TYPE_RULES_PAGE);
}

MtRuleFocus *
mt_rules_window_focus (MtWindow *window)
{
  return mt_rule_inspector_get_focus (mt_rules_page_get_inspector (mt_rules_window_page (window)));
}

static gboolean
is_ready (gpointer window)
{
  return !mt_rule_inspector_is_busy (mt_rules_page_get_inspector (mt_rules_window_page (window)));
}

MtRuleView *
mt_rules_window_select_richest (MtWindow *window)
{
  MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
  guint best = 0, most = 0;

  g_assert_nonnull (book);
  for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
    if (mt_rule_book_get_number (book, t) > 0)
      {
        const MtRule *rule = mt_rule_set_get_term (mt_rule_book_get_rules (book), t)->rule;
        guint rich = 100 * mt_rule_get_n_cubes (rule) + mt_rule_get_n_inputs (rule);

        if (rich > most)
          {
            most = rich;
            best = t;
          }
      }
  g_assert_cmpuint (most, >, 0);
  mt_rule_list_select_term (mt_rules_page_get_list (mt_rules_window_page (window)), (int) best);
  mt_app_wait (is_ready, window);
  mt_app_settle (40);
  g_assert_nonnull (mt_rule_focus_get_view (mt_rules_window_focus (window)));
  g_assert_cmpuint (mt_rule_view_get_term (mt_rule_focus_get_view (mt_rules_window_focus (window))), ==, best);
  return mt_rule_focus_get_view (mt_rules_window_focus (window));
}

void
mt_rules_window_select_largest (MtWindow *window)
{
  MtStudy *study = mt_window_get_study (window);
  GListModel *points = mt_study_get_points (study);
  g_autoptr (MtFrontierItem) last = g_list_model_get_item (points, g_list_model_get_n_items (points) - 1);

  mt_study_set_selected (study, last);
  mt_app_settle (100);
}

void
mt_rules_window_point (GtkWidget  *widget,
                       GType       controller_type,
                       const char *signal,
                       double      x,
                       double      y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean found = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (!g_type_is_a (G_OBJECT_TYPE (controller), controller_type))
        continue;
      if (controller_type == GTK_TYPE_GESTURE_CLICK)
        g_signal_emit_by_name (controller, signal, 1, x, y);
      else
        g_signal_emit_by_name (controller, signal, x, y);
      found = TRUE;
      if (controller_type != GTK_TYPE_EVENT_CONTROLLER_MOTION)
        break;   /* but a motion is everybody's */
    }
  g_assert_true (found);
}

typedef struct {
  gboolean  over, done;
  GError  **error;
} Export;

static void
on_exported (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  Export *export = data;

  export->done = mt_rules_page_export_finish (result, export->error);
  export->over = TRUE;
}

static gboolean
is_over (gpointer export)
{
  return ((Export *) export)->over;
}

gboolean
mt_rules_window_export (MtRulesPage  *page,
                        const char   *path,
                        GError      **error)
{
  Export export = { .error = error };

  mt_rules_page_export_async (page, path, on_exported, &export);
  mt_app_wait (is_over, &export);
  return export.done;
}
