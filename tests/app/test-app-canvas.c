/* The whole model in the real window: choosing a card, zooming and fitting, pictures, and pages of paper. */
#include "config.h"

#include <string.h>

#include "apputils.h"
#include "rules/mt-canvas-print.h"
#include "rules/mt-rules-page.h"
#include "rules-window.h"

static gboolean
is_drawn (gpointer canvas)
{
  return !mt_canvas_view_is_busy (canvas);
}

static MtCanvasView *
show_canvas (MtWindow *window)
{
  MtCanvasView *canvas = mt_rules_window_find (window, MT_TYPE_CANVAS_VIEW);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (mt_rules_window_page (window)), "rules.view", "s", "canvas"));
  mt_app_wait (is_drawn, canvas);
  mt_app_wait_painted (GTK_WIDGET (canvas));
  return canvas;
}

static void
on_saved (GObject      *source,
          GAsyncResult *result,
          gpointer      over)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (mt_drawing_save_finish (result, &error));
  g_assert_no_error (error);
  *(gboolean *) over = TRUE;
}

static gboolean
is_over (gpointer over)
{
  return *(gboolean *) over;
}

/* What is being saved is what was on show when that was asked for, also when it is gone by then. */
static void
assert_outlives (MtCanvasView *canvas,
                 MtRuleBook   *book,
                 const char   *expected)
{
  g_autoptr (GFile) file = mt_app_write ("outlived.svg", "");
  g_autofree char *text = NULL;
  gboolean over = FALSE;

  mt_drawing_save_async (mt_canvas_view_make_drawing (canvas), g_file_peek_path (file), on_saved, &over);
  mt_canvas_view_set_book (canvas, NULL);
  mt_app_wait (is_over, &over);
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
  mt_canvas_view_set_book (canvas, book);
  mt_app_wait (is_drawn, canvas);
}

/* A click on a card selects the rule, a second opens it; the picture. */
static void
test_choose (void)
{
  static const char * const targets[] = { "answer", "level", "amount" };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      MtWindow *window = mt_rules_window_open (targets[i], 1000);
      MtRulesPage *page = mt_rules_window_page (window);
      MtCanvasView *canvas = show_canvas (window);
      MtRuleBook *book = mt_rules_page_get_book (page);
      guint last = mt_rule_book_get_n_terms (book) - 1;
      g_autoptr (GFile) picture = mt_app_write ("model.svg", "");
      g_autoptr (GError) error = NULL;
      g_autofree char *name = NULL;
      g_autofree char *text = NULL;
      graphene_rect_t place;

      g_assert_true (mt_canvas_view_get_place (canvas, last, &place));
      mt_rules_window_point (GTK_WIDGET (canvas), GTK_TYPE_GESTURE_CLICK, "pressed", place.origin.x + 5, place.origin.y + 5);
      g_assert_cmpint (mt_term_item_get_term (mt_rule_list_get_selected (mt_rules_page_get_list (page))), ==, (int) last);

      name = mt_rules_page_dup_picture_name (page);
      g_assert_cmpstr (name, ==, "model.svg");
      g_assert_true (mt_rules_window_export (page, g_file_peek_path (picture), &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (g_file_peek_path (picture), &text, NULL, NULL));
      g_assert_nonnull (strstr (text, "</svg>"));
      assert_outlives (canvas, book, text);

      g_signal_emit_by_name (canvas, "opened");
      g_assert_true (gtk_widget_get_child_visible (GTK_WIDGET (mt_rules_page_get_list (page))));
      mt_app_window_end (window);
    }
}

/* --- zoom --- */

static void
press (MtCanvasView *canvas,
       guint         key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (canvas));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      gboolean handled = FALSE;

      if (!GTK_IS_EVENT_CONTROLLER_KEY (controller))
        continue;
      g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &handled);
      g_assert_true (handled);
    }
  mt_app_settle (60);
}

static int
seen_height (MtCanvasView *canvas)
{
  return gtk_widget_get_height (gtk_widget_get_ancestor (GTK_WIDGET (canvas), GTK_TYPE_SCROLLED_WINDOW));
}

static int
needed_height (MtCanvasView *canvas)
{
  int natural;

  gtk_widget_measure (GTK_WIDGET (canvas), GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (GTK_WIDGET (canvas)), NULL,
                      &natural, NULL, NULL);
  return natural;
}

/* Every card lies in what is seen, and little larger it would not. */
static void
assert_fits (MtWindow     *window,
             MtCanvasView *canvas)
{
  MtRuleBook *book = mt_rules_page_get_book (mt_rules_window_page (window));
  double scale = mt_canvas_view_get_scale (canvas);
  GtkWidget *label = mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "canvas-zoom");
  g_autofree char *percent = g_strdup_printf ("%.0f%%", scale * 100);

  g_assert_true (mt_canvas_view_get_fits (canvas));
  g_assert_cmpfloat (scale, <, 1);
  g_assert_cmpint (needed_height (canvas), <=, seen_height (canvas));
  for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
    {
      graphene_rect_t place;

      g_assert_true (mt_canvas_view_get_place (canvas, t, &place));
      g_assert_cmpfloat (place.origin.x, >=, 0);
      g_assert_cmpfloat (place.origin.x + place.size.width, <=, gtk_widget_get_width (GTK_WIDGET (canvas)));
      g_assert_cmpfloat (place.origin.y + place.size.height, <=, seen_height (canvas));
    }
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (label)), ==, percent);
  mt_canvas_view_zoom (canvas, 1.04);
  g_assert_cmpint (needed_height (canvas), >, seen_height (canvas));
  mt_canvas_view_fit (canvas);
  g_assert_cmpfloat (mt_canvas_view_get_scale (canvas), ==, scale);
}

static void
test_fit (void)
{
  MtWindow *window = mt_rules_window_open ("level", 1000);
  MtCanvasView *canvas;
  GtkWidget *button;
  double before;

  mt_rules_window_select_largest (window);
  canvas = show_canvas (window);
  g_assert_cmpint (needed_height (canvas), >, seen_height (canvas));      /* otherwise nothing is tried */
  press (canvas, GDK_KEY_0);
  assert_fits (window, canvas);

  /* It follows the window, until somebody zooms. */
  before = mt_canvas_view_get_scale (canvas);
  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 560);
  mt_app_settle (200);
  g_assert_cmpfloat (mt_canvas_view_get_scale (canvas), <, before);
  assert_fits (window, canvas);
  press (canvas, GDK_KEY_plus);
  g_assert_false (mt_canvas_view_get_fits (canvas));
  press (canvas, GDK_KEY_1);
  g_assert_cmpfloat (mt_canvas_view_get_scale (canvas), ==, 1);
  g_assert_false (mt_canvas_view_get_fits (canvas));
  mt_canvas_view_zoom (canvas, 1.5);
  g_assert_cmpfloat (mt_canvas_view_get_scale (canvas), ==, 1.5);
  button = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "canvas-fit");
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  mt_app_settle (60);
  assert_fits (window, canvas);
  mt_app_window_end (window);
}

/* --- paper --- */

/* Prints to a file, on paper of that many points; returns its text, NULL: there is no pdftotext. */
static char *
print (MtCanvasView *canvas,
       double        width,
       double        height,
       int          *n_pages)
{
  g_autoptr (GFile) paper = mt_app_write ("model.pdf", "");
  g_autoptr (GtkPrintOperation) operation = mt_canvas_print_new (canvas, "model");
  g_autoptr (GtkPageSetup) setup = gtk_page_setup_new ();
  GtkPaperSize *size = gtk_paper_size_new_custom ("test", "Test", width, height, GTK_UNIT_POINTS);
  g_autofree char *program = g_find_program_in_path ("pdftotext");
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  gtk_page_setup_set_paper_size (setup, size);
  gtk_paper_size_free (size);
  for (guint i = 0; i < 4; i++)
    (i == 0 ? gtk_page_setup_set_top_margin : i == 1 ? gtk_page_setup_set_bottom_margin
     : i == 2 ? gtk_page_setup_set_left_margin : gtk_page_setup_set_right_margin) (setup, 36, GTK_UNIT_POINTS);
  gtk_print_operation_set_default_page_setup (operation, setup);
  gtk_print_operation_set_export_filename (operation, g_file_peek_path (paper));
  g_assert_cmpint (gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, NULL, &error), ==,
                   GTK_PRINT_OPERATION_RESULT_APPLY);
  g_assert_no_error (error);
  *n_pages = gtk_print_operation_get_n_pages_to_print (operation);
  if (program == NULL)
    return NULL;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL, program, "-raw", g_file_peek_path (paper), "-", NULL);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &text, NULL, NULL));
  return text;
}

static guint
count (const char *text,
       const char *part)
{
  guint n = 0;

  for (const char *p = text; (p = strstr (p, part)) != NULL; p += strlen (part))
    n++;
  return n;
}

/* Each card is on some page, once, told by its caption; the formula is on the last; no page is blank. */
static void
assert_complete (MtRuleBook *book,
                 const char *text,
                 int         n_pages)
{
  guint n_terms = mt_rule_book_get_n_terms (book), n_captions = 0;
  g_auto (GStrv) pages = g_strsplit (text, "\f", -1);

  g_assert_cmpuint (g_strv_length (pages), ==, (guint) n_pages + 1);     /* each ends with one */
  for (int p = 0; p < n_pages; p++)
    g_assert_cmpuint (strlen (pages[p]), >, 10);
  for (guint t = 0; t < n_terms; t++)
    n_captions += mt_rule_book_get_number (book, t) > 0;
  g_assert_cmpuint (count (text, " rows · ") + count (text, " row · "), ==, n_captions);
  g_assert_cmpuint (count (text, "linear term"), ==, n_terms - n_captions);
  g_assert_cmpuint (count (text, "softmax") + count (text, "σ"), ==, 1);
  g_assert_true (strstr (pages[n_pages - 1], "softmax") != NULL || strstr (pages[n_pages - 1], "σ") != NULL);
}

/* As many pages as its layout has for that paper, with all of the model on them: one of a poster, more of A4,
 * more again of small paper. */
static void
test_print (void)
{
  static const char * const targets[] = { "answer", "level" };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      MtWindow *window = mt_rules_window_open (targets[i], 1000);
      PangoContext *context = gtk_widget_create_pango_context (GTK_WIDGET (window));
      int n_before = 0;

      mt_rules_window_select_largest (window);
      for (guint p = 0; p < 3; p++)
        {
          static const double papers[3][2] = { { 1700, 2400 }, { 595, 842 }, { 420, 420 } };
          double inner_width = papers[p][0] - 72, inner_height = papers[p][1] - 72;
          MtCanvasView *canvas = show_canvas (window);
          int n_pages, expected = (int) mt_canvas_view_paginate (canvas, context, inner_width / 0.75, inner_height / 0.75);
          g_autofree char *text = print (canvas, papers[p][0], papers[p][1], &n_pages);

          g_assert_cmpint (n_pages, ==, expected);
          if (p == 0)
            g_assert_cmpint (n_pages, ==, 1);       /* a poster holds all of it */
          else
            g_assert_cmpint (n_pages, >, n_before);
          n_before = n_pages;
          if (text != NULL)
            assert_complete (mt_rules_page_get_book (mt_rules_window_page (window)), text, n_pages);
          else
            g_test_message ("there is no pdftotext here");
        }
      g_object_unref (context);
      mt_app_window_end (window);
    }
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/canvas/choose", test_choose);
  g_test_add_func ("/app/canvas/fit", test_fit);
  g_test_add_func ("/app/canvas/print", test_print);
  return g_test_run ();
}
