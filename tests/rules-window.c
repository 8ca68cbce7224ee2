#include "config.h"
#include "rules-window.h"

MtWindow *
mt_rules_window_open (const char *target,
                      int         width)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GFile) file = NULL;
  MtWindow *window = mt_app_window_new (width, 820);
  MtDocument *document = mt_window_get_document (window);
  guint index;

  g_string_printf (text, "a,b,kind,%s\n", target);
  for (guint i = 0; i < 400; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89, kind = i % 3;
      gboolean odd = (a >= 50) != (kind == 1);

      if (g_str_equal (target, "amount"))
        g_string_append_printf (text, "%u,%u,k%u,%u.5\n", a, b, kind, (odd ? 40 : 10) + b % 7);
      else if (g_str_equal (target, "level"))
        g_string_append_printf (text, "%u,%u,k%u,%s\n", a, b, kind, odd ? "high" : b > 60 ? "middle" : "low");
      else
        g_string_append_printf (text, "%u,%u,k%u,%s\n", a, b, kind, odd != (i % 19 == 0) ? "yes" : "no");
    }
  file = mt_app_write ("small.csv", text->str);
  mt_app_open (window, file);
  g_assert_nonnull (mt_table_find_column (mt_document_get_table (document), target, &index));
  mt_document_set_role (document, index, MT_ROLE_TARGET);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  mt_app_wait_trained (window);
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
