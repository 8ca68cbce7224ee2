/* Takes pictures of the Report page: app-screenshots-report FOLDER NAME CSV TARGET [states]. Light and
 * dark, wide and narrow, blank and with texts, with reasons and engine checks; or its states. */
#include "config.h"

#include <string.h>

#include "apputils.h"
#include "report/mt-engines-group.h"
#include "window/mt-help-window.h"
#include "report/mt-reasons-dialog.h"
#include "report/mt-report-page.h"
#include "util/mt-preferences.h"

static const char *folder, *name;

static char *
dup_path (const char *suffix)
{
  g_autofree char *file = g_strdup_printf ("%s%s.png", name, suffix);

  return g_build_filename (folder, file, NULL);
}

static void
shoot (GtkWidget  *widget,
       const char *suffix)
{
  g_autofree char *path = dup_path (suffix);

  gtk_widget_remove_css_class (widget, "solid-csd");
  gtk_widget_remove_css_class (widget, "devel");
  mt_app_settle (250);
  mt_app_shot (widget, path);
}

static MtReportPage *
page_of (MtWindow *window)
{
  return MT_REPORT_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_REPORT_PAGE, NULL));
}

static gboolean
is_idle (gpointer page)
{
  return !mt_report_page_is_busy (page);
}

static void
wait_idle (MtWindow *window)
{
  mt_app_settle (900);
  mt_app_wait (is_idle, page_of (window));
}

/* Words that fit the term above each field, by what it is about. */
static void
write_reasons (GtkWidget *dialog)
{
  static const struct { const char *about, *words; } reasons[] = {
    { "income_eur is missing", "Your income is not documented." },
    { "late_payments", "Payments were late in the last two years." },
    { "term_months", "The term does not fit the purpose of the loan." },
    { "income", "Your income leaves room for this loan." },
  };
  g_autoptr (GPtrArray) entries = mt_app_find_all (dialog, GTK_TYPE_ENTRY);

  for (guint i = 0; i < entries->len; i++)
    {
      GtkWidget *above = gtk_widget_get_prev_sibling (entries->pdata[i]);
      gboolean done = FALSE;

      for (guint r = 0; r < G_N_ELEMENTS (reasons) && GTK_IS_LABEL (above) && !done; r++)
        if (strstr (gtk_label_get_label (GTK_LABEL (above)), reasons[r].about) != NULL)
          {
            gtk_editable_set_text (GTK_EDITABLE (entries->pdata[i]), reasons[r].words);
            done = TRUE;
          }
    }
}

static void
fill_in (MtWindow   *window,
         const char *field,
         const char *text)
{
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (mt_app_find (GTK_WIDGET (window), GTK_TYPE_TEXT_VIEW,
                                                                                  field))), text, -1);
}

static MtWindow *
open_trained (GFile      *file,
              const char *target,
              int         width,
              int         height)
{
  MtWindow *window = mt_app_window_new (width, height);

  mt_app_train (window, file, target);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report");
  wait_idle (window);
  return window;
}

static void
scroll_form (MtWindow *window)
{
  GtkWidget *scrolled = mt_app_find (GTK_WIDGET (mt_report_page_get_form (page_of (window))), GTK_TYPE_SCROLLED_WINDOW,
                                     NULL);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

/* Before there is a model, while one is written, and where it cannot be written. @end: of the pictures' names. */
static void
shoot_states (GFile      *file,
              const char *target,
              const char *end,
              int         width,
              int         height)
{
  g_autofree char *no_model = g_strconcat ("-no-model", end, NULL);
  g_autofree char *saving = g_strconcat ("-saving", end, NULL);
  g_autofree char *saving_path = dup_path (saving);
  g_autofree char *saved = g_strconcat ("-saved", end, NULL);
  g_autofree char *failed = g_strconcat ("-failed", end, NULL);
  g_autofree char *failed_path = dup_path (failed);
  g_autoptr (GFile) place = g_file_new_build_filename (g_get_tmp_dir (), "loans.pdf", NULL);
  g_autoptr (GFile) nowhere = g_file_new_for_path ("/nonexistent/loans.pdf");
  MtWindow *window = mt_app_window_new (width, height);
  GtkWidget *question;

  mt_app_open (window, file);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report");
  shoot (GTK_WIDGET (window), no_model);
  mt_app_window_end (window);

  window = open_trained (file, target, width, height);
  gtk_widget_remove_css_class (GTK_WIDGET (window), "solid-csd");
  gtk_widget_remove_css_class (GTK_WIDGET (window), "devel");
  mt_report_page_save (page_of (window), place);
  mt_app_settle (30);   /* no longer: it is soon done */
  mt_app_shot (GTK_WIDGET (window), saving_path);
  wait_idle (window);
  shoot (GTK_WIDGET (window), saved);
  mt_report_page_save (page_of (window), nowhere);
  mt_app_wait_asked (window);
  mt_app_settle (250);
  question = GTK_WIDGET (mt_app_find_question (window));
  gtk_widget_remove_css_class (question, "solid-csd");
  mt_app_shot_over (GTK_WIDGET (window), question, failed_path);
  gtk_window_destroy (GTK_WINDOW (question));
  g_file_delete (place, NULL, NULL);
  mt_app_window_end (window);
}

static GtkWidget *
find_reasons (void)
{
  g_autoptr (GList) tops = gtk_window_list_toplevels ();

  for (GList *top = tops; top != NULL; top = top->next)
    if (MT_IS_REASONS_DIALOG (top->data))
      return top->data;
  return NULL;
}

int
main (int    argc,
      char **argv)
{
  static const char * const engines[] = { "json", "sqlite3", "python3", "gcc", "R", NULL };
  AdwStyleManager *manager;
  g_autoptr (GFile) file = NULL;
  MtWindow *window;
  GtkWidget *dialog;

  g_setenv ("SOURCE_DATE_EPOCH", "1700000000", TRUE);
  mt_app_test_init (&argc, &argv);
  if (argc < 5)
    return 2;
  folder = argv[1];
  name = argv[2];
  file = g_file_new_for_path (argv[3]);
  g_settings_set_string (mt_preferences_get_settings (), "person", "A. Example");
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", "gtk-decoration-layout", ":close", NULL);
  manager = adw_style_manager_get_default ();

  if (argc > 5)
    {
      shoot_states (file, argv[4], "", 1280, 860);
      shoot_states (file, argv[4], "-narrow", 360, 780);
      adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
      shoot_states (file, argv[4], "-dark", 1280, 860);
      return 0;
    }
  window = open_trained (file, argv[4], 1280, 860);
  shoot (GTK_WIDGET (window), "-blank");
  fill_in (window, "author", "Credit risk analytics, desk 4");
  fill_in (window, "purpose", "Sorts applications for consumer loans into those that are granted at once and those that a clerk "
                              "looks at. It refuses nobody.");
  fill_in (window, "out-of-scope", "Business loans, renewals, and anything after the decision.");
  fill_in (window, "choice", "The smallest model within one standard error of the best.");
  fill_in (window, "oversight", "A clerk reads the reasons of every case that is not granted, and may overrule them.");
  wait_idle (window);
  mt_report_form_show_field (mt_report_page_get_form (page_of (window)), MT_REPORT_PURPOSE);
  wait_idle (window);
  shoot (GTK_WIDGET (window), "");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  shoot (GTK_WIDGET (window), "-dark");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  mt_engines_group_verify (MT_ENGINES_GROUP (mt_app_find (GTK_WIDGET (window), MT_TYPE_ENGINES_GROUP, NULL)), engines);
  wait_idle (window);
  mt_pages_view_go_to (mt_report_page_get_view (page_of (window)), 6);
  scroll_form (window);
  wait_idle (window);
  shoot (GTK_WIDGET (window), "-engines");
  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "report.reasons", NULL);
  dialog = find_reasons ();
  write_reasons (dialog);
  mt_reasons_dialog_flush (MT_REASONS_DIALOG (dialog));
  shoot (dialog, "-reasons");
  gtk_window_close (GTK_WINDOW (dialog));
  mt_app_window_end (window);

  window = mt_app_window_new (600, 400);
  dialog = mt_help_window_new (GTK_WINDOW (window));
  gtk_window_present (GTK_WINDOW (dialog));
  mt_app_settle (200);
  mt_help_window_show (MT_HELP_WINDOW (dialog), "Model");
  shoot (dialog, "-guide");
  mt_help_window_follow (MT_HELP_WINDOW (dialog), "tutorial.md#3-choose-a-model");
  mt_app_settle (200);
  shoot (dialog, "-tutorial");
  gtk_window_destroy (GTK_WINDOW (dialog));
  mt_app_window_end (window);

  window = open_trained (file, argv[4], 360, 780);
  shoot (GTK_WIDGET (window), "-narrow");
  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "report.side", "s", "pages");
  wait_idle (window);
  shoot (GTK_WIDGET (window), "-narrow-pages");
  mt_app_window_end (window);
  return 0;
}
