/* F1: every section, picture and link of the guide, and of the pages it leads to. */
#include "config.h"

#include <string.h>

#include "apputils.h"
#include "window/mt-help-page.h"
#include "window/mt-help-window.h"

static MtHelpWindow *
open_help (MtWindow *window)
{
  MtHelpWindow *help = NULL;
  g_autoptr (GList) tops = NULL;

  g_action_group_activate_action (G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (window))), "help", NULL);
  tops = gtk_window_list_toplevels ();
  for (GList *top = tops; top != NULL; top = top->next)
    if (MT_IS_HELP_WINDOW (top->data))
      help = top->data;
  g_assert_nonnull (help);
  mt_app_wait ((MtAppCondition) gtk_widget_get_mapped, help);
  mt_app_wait_painted (GTK_WIDGET (help));
  return help;
}

/* The one with the page, not that of the list of sections. */
static GtkAdjustment *
get_adjustment (MtHelpWindow *help)
{
  GtkWidget *page = mt_app_find (GTK_WIDGET (help), ADW_TYPE_CLAMP, NULL);
  GtkWidget *scrolled = gtk_widget_get_ancestor (page, GTK_TYPE_SCROLLED_WINDOW);

  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
}

static void
test_sections (void)
{
  static const char * const sections[] = { "In five minutes", "Files", "Data", "Model", "Train", "Frontier", "Rules",
                                           "What-If", "Report", "Exports", "Preferences", "Keys", "Questions" };
  MtWindow *window = mt_app_window_new (700, 600);
  MtHelpWindow *help = open_help (window);
  double last = -1;

  g_assert_cmpstr (mt_help_window_get_page (help), ==, "guide.md");
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    {
      g_assert_true (mt_help_window_show (help, sections[i]));
      mt_app_wait_painted (GTK_WIDGET (help));
      if (i + 2 < G_N_ELEMENTS (sections))     /* the last ones may fit into one screen */
        g_assert_cmpfloat (gtk_adjustment_get_value (get_adjustment (help)), >, last);
      last = gtk_adjustment_get_value (get_adjustment (help));
    }
  g_assert_false (mt_help_window_show (help, "Cookery"));
  gtk_window_destroy (GTK_WINDOW (help));
  mt_app_window_end (window);
}

/* Pictures are there, as wide as the text and in proportion. */
static void
test_pictures (void)
{
  MtWindow *window = mt_app_window_new (700, 600);
  MtHelpWindow *help = open_help (window);
  g_autoptr (GPtrArray) pictures = mt_app_find_all (help, GTK_TYPE_PICTURE);

  g_assert_cmpuint (pictures->len, >=, 10);
  for (guint i = 0; i < pictures->len; i++)
    {
      GtkWidget *picture = pictures->pdata[i];
      GdkPaintable *paintable = gtk_picture_get_paintable (GTK_PICTURE (picture));
      double ratio;

      g_assert_nonnull (paintable);
      ratio = gdk_paintable_get_intrinsic_aspect_ratio (paintable);
      g_assert_cmpint (gtk_widget_get_width (picture), >=, MIN (500, gdk_paintable_get_intrinsic_width (paintable)));
      g_assert_cmpfloat_with_epsilon (gtk_widget_get_width (picture) / (double) gtk_widget_get_height (picture), ratio, .1 * ratio);
      g_assert_cmpuint (strlen (gtk_picture_get_alternative_text (GTK_PICTURE (picture))), >, 5);
    }
  gtk_window_destroy (GTK_WINDOW (help));
  mt_app_window_end (window);
}

/* Targets of all links of the page on view. */
static GPtrArray *
list_links (MtHelpWindow *help)
{
  g_autoptr (GPtrArray) labels = mt_app_find_all (help, GTK_TYPE_LABEL);
  GPtrArray *links = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < labels->len; i++)
    for (const char *at = gtk_label_get_label (labels->pdata[i]); (at = strstr (at, "<a href=\"")) != NULL;)
      {
        at += strlen ("<a href=\"");
        g_ptr_array_add (links, g_strndup (at, strcspn (at, "\"")));
      }
  return links;
}

/* Walks all pages from the guide on. What leads out of the program must be meant to. */
static void
test_links (void)
{
  static const char * const outside[] = {
    "../README.md", "sample-report.pdf", "gpu.md", "benchmarks.md", "scale.md", "paper.md",
  };
  MtWindow *window = mt_app_window_new (700, 600);
  MtHelpWindow *help = open_help (window);
  g_autoptr (GPtrArray) pages = g_ptr_array_new_with_free_func (g_free);
  guint n_links = 0;

  g_ptr_array_add (pages, g_strdup ("guide.md"));
  for (guint p = 0; p < pages->len; p++)
    {
      g_autoptr (GPtrArray) links = NULL;
      g_autofree char *down = g_strconcat ("/", pages->pdata[p], NULL);

      g_assert_true (mt_help_window_follow (help, down));
      g_assert_cmpstr (mt_help_window_get_page (help), ==, pages->pdata[p]);
      links = list_links (help);
      for (guint i = 0; i < links->len; i++, n_links++)
        {
          const char *target = links->pdata[i];
          g_autofree char *path = mt_help_resolve (pages->pdata[p], target);

          if (g_uri_peek_scheme (target) != NULL)
            continue;
          if (!mt_help_exists (path))
            {
              g_test_message ("%s leads out of the program to %s", (char *) pages->pdata[p], target);
              g_assert_true (p > 0);     /* the guide itself stays inside */
              g_assert_true (g_strv_contains (outside, target) || g_str_has_prefix (target, "scale.md#") || g_str_has_suffix (target, "gpu.md") ||
                             g_str_has_suffix (target, "benchmarks.md") || g_str_has_suffix (target, "architecture.md"));
            }
          else if (g_str_has_suffix (path, ".md") && !g_ptr_array_find_with_equal_func (pages, path, g_str_equal, NULL))
            g_ptr_array_add (pages, g_steal_pointer (&path));
        }
    }
  g_assert_cmpuint (pages->len, >=, 12);
  g_assert_cmpuint (n_links, >=, 40);
  g_assert_false (mt_help_window_follow (help, "no-such-page.md"));
  g_assert_false (mt_help_window_follow (help, "https://example.org/guide.md"));
  gtk_window_destroy (GTK_WINDOW (help));
  mt_app_window_end (window);
}

static gboolean
is_findings (gpointer help)
{
  return g_str_equal (mt_help_window_get_page (help), "findings.md");
}

static gboolean
is_scrolled (gpointer help)
{
  return gtk_adjustment_get_value (get_adjustment (help)) > 0;
}

/* A click on a link, and the way back to where one was. */
static void
test_back (void)
{
  MtWindow *window = mt_app_window_new (700, 600);
  MtHelpWindow *help = open_help (window);
  g_autoptr (GPtrArray) labels = mt_app_find_all (help, GTK_TYPE_LABEL);
  gboolean handled = FALSE;
  double before;

  g_assert_true (mt_help_window_show (help, "Data"));
  mt_app_wait (is_scrolled, help);
  before = gtk_adjustment_get_value (get_adjustment (help));
  for (guint i = 0; i < labels->len && !handled; i++)
    if (strstr (gtk_label_get_label (labels->pdata[i]), "findings.md") != NULL)
      g_signal_emit_by_name (labels->pdata[i], "activate-link", "findings.md", &handled);
  g_assert_true (handled);
  mt_app_wait (is_findings, help);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (help)), ==, "Findings");
  mt_app_wait_painted (GTK_WIDGET (help));
  gtk_widget_activate_action (GTK_WIDGET (help), "help.back", NULL);
  g_assert_cmpstr (mt_help_window_get_page (help), ==, "guide.md");
  mt_app_wait (is_scrolled, help);
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (get_adjustment (help)), before, 2);
  /* A heading of another page. */
  g_assert_true (mt_help_window_follow (help, "method.md#the-network"));
  mt_app_wait (is_scrolled, help);
  gtk_window_destroy (GTK_WINDOW (help));
  mt_app_window_end (window);
}

static void
test_resolve (void)
{
  static const char * const cases[][3] = {
    { "guide.md", "findings.md", "findings.md" },
    { "guide.md", "how-to/find-a-leak.md", "how-to/find-a-leak.md" },
    { "how-to/find-a-leak.md", "../findings.md", "findings.md" },
    { "how-to/find-a-leak.md", "../images/rules.png", "images/rules.png" },
    { "how-to/find-a-leak.md", "compare-subgroups.md#x", "how-to/compare-subgroups.md" },
    { "how-to/find-a-leak.md", "#x", "how-to/find-a-leak.md" },
    { "guide.md", "../README.md", "README.md" },     /* nothing is above the folder */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = mt_help_resolve (cases[i][0], cases[i][1]);

      g_assert_cmpstr (path, ==, cases[i][2]);
    }
}

static void
test_uri (void)
{
  static const char * const cases[][3] = {
    { "tutorial.md", "sample-report.pdf", "/blob/main/docs/sample-report.pdf" },
    { "tutorial.md", "../README.md", "/blob/main/README.md" },
    { "how-to/find-a-leak.md", "../gpu.md#tests", "/blob/main/docs/gpu.md" },
    { "guide.md", "https://example.org/a", "https://example.org/a" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *uri = mt_help_dup_uri (cases[i][0], cases[i][1]);

      g_assert_true (g_str_has_prefix (uri, "https://"));
      g_assert_true (g_str_has_suffix (uri, cases[i][2]));
    }
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app-help/resolve", test_resolve);
  g_test_add_func ("/app-help/uri", test_uri);
  g_test_add_func ("/app-help/sections", test_sections);
  g_test_add_func ("/app-help/pictures", test_pictures);
  g_test_add_func ("/app-help/links", test_links);
  g_test_add_func ("/app-help/back", test_back);
  return g_test_run ();
}
