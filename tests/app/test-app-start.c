/* What a window begins with: the files that were open lately, the size that the last one had, and the colours of the
 * desktop, which may change while it is open. */
#include "config.h"

#include <math.h>

#include "train/mt-curves-view.h"
#include "rules/mt-diagram-view.h"
#include "frontier/mt-plot-view.h"
#include "window/mt-start-page.h"
#include "rules-window.h"

/* --- recent files --- */

static GtkWidget *
find_recent (MtWindow   *window,
             const char *name)
{
  return mt_app_find (mt_app_find (GTK_WIDGET (window), MT_TYPE_START_PAGE, NULL), ADW_TYPE_ACTION_ROW, name);
}

/* The list is written a moment after a file was read, and a page that is shown reads it once. */
static gboolean
lists_good (gpointer data)
{
  MtWindow **window = data;

  if (find_recent (*window, "good.csv") != NULL)
    return TRUE;
  mt_app_window_end (*window);
  *window = mt_app_window_new (900, 700);
  return FALSE;
}

static void
test_recent (void)
{
  MtWindow *window = mt_app_window_new (900, 700);
  g_autoptr (GFile) good = mt_app_write ("good.csv", "a,b\n1,yes\n2,no\n3,yes\n");
  g_autoptr (GFile) bad = mt_app_write ("bad.csv", "a,b\n1,2,3\n");
  g_autoptr (GFile) other = mt_app_write ("exported.csv", "a,b\n1,2\n");
  g_autoptr (GFile) gone = mt_app_write ("gone.csv", "a,b\n1,yes\n2,no\n");
  g_autofree char *chosen = g_file_get_uri (bad);
  g_autofree char *exported = g_file_get_uri (other);

  g_assert_null (find_recent (window, "good.csv"));
  mt_app_open (window, gone);
  mt_app_open (window, bad);
  g_assert_nonnull (mt_document_get_error (mt_window_get_document (window)));
  /* A file dialog remembers whatever was chosen in it. */
  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), chosen);
  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), exported);
  mt_app_open (window, good);
  g_assert_null (mt_document_get_error (mt_window_get_document (window)));
  g_assert_true (g_file_delete (gone, NULL, NULL));
  mt_app_window_end (window);
  window = mt_app_window_new (900, 700);
  mt_app_wait (lists_good, &window);
  g_assert_null (find_recent (window, "bad.csv"));
  g_assert_null (find_recent (window, "exported.csv"));
  g_assert_null (find_recent (window, "gone.csv"));
  gtk_widget_activate (find_recent (window, "good.csv"));
  mt_app_wait_idle (window);
  g_assert_true (g_file_equal (mt_document_get_file (mt_window_get_document (window)), good));
  mt_app_window_end (window);
}

/* --- its size --- */

static void
test_size (void)
{
  MtWindow *window = mt_app_window_new (930, 710), *next;
  int width, height;

  mt_app_settle (50);
  next = mt_window_new (MT_APPLICATION (gtk_window_get_application (GTK_WINDOW (window))));
  gtk_window_get_default_size (GTK_WINDOW (next), &width, &height);
  g_assert_cmpint (width, ==, 930);
  g_assert_cmpint (height, ==, 710);
  mt_app_window_end (next);
  mt_app_window_end (window);
}

/* --- its colours --- */

static GBytes *
look_at (GtkWidget *widget)
{
  g_autoptr (GdkTexture) texture = mt_app_grab (widget);
  gsize stride = (gsize) gdk_texture_get_width (texture) * 4, size = stride * (gsize) gdk_texture_get_height (texture);
  guchar *pixels = g_malloc (size);

  gdk_texture_download (texture, pixels, stride);
  return g_bytes_new_take (pixels, size);
}

/* Mean over the pixels that are painted, 0 to 255. */
static double
brightness (GBytes *picture)
{
  gsize size, n = 0;
  const guchar *pixels = g_bytes_get_data (picture, &size);
  double sum = 0;

  for (gsize i = 0; i < size; i += 4)
    if (pixels[i + 3] > 128)
      {
        sum += (pixels[i] + pixels[i + 1] + pixels[i + 2]) / 3.0;
        n++;
      }
  g_assert_cmpuint (n, >, 0);
  return sum / (double) n;
}

/* What we draw ourselves is drawn anew: ink that was dark on a light page would be lost on a dark one. */
static void
test_colours (void)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  MtWindow *window = mt_rules_window_open ("yes", 1100);
  static const struct { const char *page; GType (*get_type) (void); } drawn[] = {
    { "frontier", mt_plot_view_get_type },
    { "train", mt_curves_view_get_type },
    { "rules", mt_diagram_view_get_type },
  };

  for (guint i = 0; i < G_N_ELEMENTS (drawn); i++)
    {
      GtkWidget *widget = mt_rules_window_find (window, drawn[i].get_type ());
      g_autoptr (GBytes) light = NULL, dark = NULL, again = NULL;

      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", drawn[i].page);
      mt_app_settle (300);
      g_assert_true (gtk_widget_get_mapped (widget));
      light = look_at (widget);
      adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
      mt_app_settle (100);
      dark = look_at (widget);
      adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
      mt_app_settle (100);
      again = look_at (widget);
      g_test_message ("%s: %.0f in light, %.0f in dark", drawn[i].page, brightness (light), brightness (dark));
      g_assert_cmpfloat (fabs (brightness (dark) - brightness (light)), >, 30);
      g_assert_true (g_bytes_equal (light, again));
    }
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_DEFAULT);
  mt_app_window_end (window);
}

/* --- rows on disk --- */

static gboolean
says_disk (gpointer window)
{
  g_autoptr (GPtrArray) labels = mt_app_find_all (window, GTK_TYPE_LABEL);

  for (guint i = 0; i < labels->len; i++)
    if (strstr (gtk_label_get_label (labels->pdata[i]), "part of them is kept in a file in") != NULL)
      return TRUE;
  return FALSE;
}

static gpointer
take_much (gpointer unused)
{
  return mt_large_new0 (2 * MT_LARGE_BYTES);
}

/* Whoever needs them: here a thread that stands for a training. */
static void
test_rows_on_disk (void)
{
  MtWindow *window = mt_app_window_new (900, 700);
  gpointer rows;

  g_assert_false (says_disk (window));
  mt_large_forget ();
  g_setenv ("MINTERM_MEMORY", "1M", TRUE);
  rows = g_thread_join (g_thread_new ("rows", take_much, NULL));
  mt_app_wait (says_disk, window);
  mt_large_free (rows);
  g_unsetenv ("MINTERM_MEMORY");
  mt_large_forget ();
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/start/recent", test_recent);
  g_test_add_func ("/app/start/size", test_size);
  g_test_add_func ("/app/start/rows-on-disk", test_rows_on_disk);
  g_test_add_func ("/app/start/colours", test_colours);
  return g_test_run ();
}
