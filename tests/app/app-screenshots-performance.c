/* Takes pictures of the Quality page: app-screenshots-performance FOLDER NAME CSV TARGET. Light, dark and narrow. */
#include "config.h"

#include "apputils.h"
#include "performance/mt-performance-page.h"

static const char *folder, *name;

static void
shoot (GtkWidget  *widget,
       const char *suffix)
{
  g_autofree char *file = g_strdup_printf ("%s%s.png", name, suffix);
  g_autofree char *path = g_build_filename (folder, file, NULL);

  gtk_widget_remove_css_class (widget, "solid-csd");
  gtk_widget_remove_css_class (widget, "devel");
  mt_app_settle (400);
  mt_app_shot (widget, path);
}

static gboolean
is_measured (gpointer page)
{
  return mt_performance_page_get (page) != NULL && !mt_performance_page_is_busy (page);
}

static void
scroll_to_end (GtkWidget *page)
{
  GtkWidget *scrolled = mt_app_find (page, GTK_TYPE_SCROLLED_WINDOW, NULL);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

static void
shoot_at (GFile      *file,
          const char *target,
          const char *suffix,
          int         width,
          int         height)
{
  MtWindow *window = mt_app_window_new (width, height);
  GtkWidget *page;
  g_autofree char *lower = g_strconcat (suffix, "-lower", NULL);

  mt_app_train (window, file, target);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "performance");
  page = mt_app_find (GTK_WIDGET (window), MT_TYPE_PERFORMANCE_PAGE, NULL);
  mt_app_wait (is_measured, page);
  shoot (GTK_WIDGET (window), suffix);
  scroll_to_end (page);
  shoot (GTK_WIDGET (window), lower);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GFile) file = NULL;

  mt_app_test_init (&argc, &argv);
  if (argc < 5)
    return 2;
  folder = argv[1];
  name = argv[2];
  file = g_file_new_for_path (argv[3]);
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", "gtk-decoration-layout", ":close", NULL);
  shoot_at (file, argv[4], "", 1280, 860);
  shoot_at (file, argv[4], "-narrow", 360, 780);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  shoot_at (file, argv[4], "-dark", 1280, 860);
  return 0;
}
