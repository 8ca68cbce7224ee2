/* Takes pictures of what goes wrong, and of what there is to say then: app-screenshots-states FOLDER. Each
 * is made to happen; nothing is drawn that the window would not show. Wide, dark and narrow. */
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "mt-core.h"
#include "frontier/mt-frontier-page.h"
#include "train/mt-model-page.h"
#include "pictures.h"

static const char *suffix;   /* of the pictures' names */
static int width, height;    /* of the windows */

static MtWindow *
new_window (void)
{
  return mt_app_window_new (width, height);
}

static void
take (MtWindow   *window,
      const char *state)
{
  g_autofree char *name = g_strconcat ("state-", state, suffix, NULL);

  mt_picture_take (window, name);
}

static void
take_asked (MtWindow   *window,
            const char *state)
{
  g_autofree char *name = g_strconcat ("state-", state, suffix, NULL);

  mt_picture_take_asked (window, name);
}

static gboolean
is_saved (gpointer window)
{
  return !mt_window_is_saving (window);
}

static GFile *
in_documents (const char *name)
{
  return g_file_new_build_filename (g_get_home_dir (), "Documents", name, NULL);
}

/* The loan sample in a window, as the project of that name. */
static MtWindow *
open_saved (const char *name)
{
  g_autoptr (GFile) project = in_documents (name);
  MtWindow *window = new_window ();

  mt_picture_open_sample (window, "loan-approval");
  g_file_delete (project, NULL, NULL);
  mt_window_save_as (window, project);
  mt_app_wait (is_saved, window);
  return window;
}

/* --- the disk --- */

static void
take_no_room (void)
{
  MtWindow *window = open_saved ("loans.minterm");

  mt_app_set_room (FALSE);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
  mt_app_wait_asked (window);
  mt_app_set_room (TRUE);   /* the picture needs some */
  take_asked (window, "full");
  mt_app_answer (window, "close");
  take (window, "full-strip");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.save", NULL);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);
}

static void
take_read_only (void)
{
  g_autoptr (GFile) archive = in_documents ("Archive");
  g_autoptr (GFile) project = g_file_get_child (archive, "loans.minterm");
  g_autoptr (GFile) other = g_file_get_child (archive, "other.minterm");
  MtWindow *window;

  g_file_make_directory (archive, NULL, NULL);
  window = open_saved ("Archive/loans.minterm");
  mt_app_window_end (window);

  window = new_window ();
  mt_app_set_read_only (project, TRUE);
  mt_window_open (window, project);
  mt_app_wait_asked (window);
  mt_app_set_read_only (project, FALSE);
  take_asked (window, "read-only");
  mt_app_window_end (window);

  window = open_saved ("loans.minterm");
  mt_app_set_read_only (project, TRUE);
  mt_window_save_as (window, other);
  mt_app_wait_asked (window);
  mt_app_set_read_only (project, FALSE);
  take_asked (window, "read-only-place");
  mt_app_window_end (window);
}

/* --- the CSV --- */

static gboolean
is_told (gpointer window)
{
  GtkWidget *button = mt_app_find (window, GTK_TYPE_BUTTON, "R_eload");

  return button != NULL && gtk_widget_get_mapped (button);
}

static void
take_source (void)
{
  g_autoptr (GFile) csv = in_documents ("loan-approval.csv");
  g_autofree char *text = NULL;
  g_autofree char *more = NULL;
  MtWindow *window = open_saved ("loans.minterm");
  g_autoptr (GFile) project = in_documents ("loans.minterm");

  g_assert_true (g_file_load_contents (csv, NULL, &text, NULL, NULL, NULL));
  more = g_strconcat (text, strrchr (g_strchomp (text), '\n') + 1, "\n", NULL);
  g_assert_true (g_file_set_contents (g_file_peek_path (csv), more, -1, NULL));
  mt_app_wait (is_told, window);
  take (window, "source-changed");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.dismiss-source", NULL);
  g_assert_true (g_file_delete (csv, NULL, NULL));
  mt_app_wait (is_told, window);
  take (window, "source-gone");
  mt_app_window_end (window);

  /* And a project whose data are not there when it is opened. */
  window = new_window ();
  mt_window_open (window, project);
  while (mt_document_get_error (mt_window_get_document (window)) == NULL)
    g_main_context_iteration (NULL, TRUE);
  take (window, "source-missing");
  mt_app_window_end (window);
}

/* --- the project --- */

static void
overwrite (GFile      *file,
           goffset     at,
           const char *bytes,
           gsize       size)
{
  int fd = open (g_file_peek_path (file), O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pwrite (fd, bytes, size, at), ==, size);
  close (fd);
}

static void
take_refused (GFile      *project,
              const char *state)
{
  MtWindow *window = new_window ();

  mt_window_open (window, project);
  take_asked (window, state);
  mt_app_window_end (window);
}

static void
take_project (void)
{
  g_autoptr (GFile) project = in_documents ("loans.minterm");
  MtWindow *window = open_saved ("loans.minterm");

  take_refused (project, "locked");
  mt_app_window_end (window);
  mt_app_settle (100);
  overwrite (project, 60, "\0\0\0\11", 4);   /* the version of the format, in SQLite's header */
  take_refused (project, "newer");
  g_assert_true (g_file_set_contents (g_file_peek_path (project), "no project at all", -1, NULL));
  take_refused (project, "damaged");
}

/* --- training --- */

static void
train (MtWindow            *window,
       const MtRunSettings *settings)
{
  mt_study_train (mt_window_get_study (window), mt_document_get_table (mt_window_get_document (window)), settings, NULL);
  mt_app_wait_trained (window);
}

static void
take_failure (MtWindow   *window,
              const char *state)
{
  g_autofree char *frontier = g_strconcat (state, "-frontier", NULL);

  g_assert_cmpint (mt_run_get_state (mt_study_get_last (mt_window_get_study (window))), ==, MT_RUN_FAILED);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
  take (window, state);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  take (window, frontier);
  mt_app_window_end (window);
}

/* Settings that the window allows do not bring this about: a run that ended so, as a project has it. */
static void
take_not_finite (void)
{
  g_autoptr (GError) error = g_error_new_literal (MT_ERROR, MT_ERROR_NUMERIC,
                                                  "training became unstable: the validation loss is not finite in epoch 3");
  g_autoptr (MtRun) run = NULL;
  MtRunSettings settings;
  MtWindow *window = new_window ();
  MtTable *table;

  mt_picture_open_sample (window, "loan-approval");
  table = mt_document_get_table (mt_window_get_document (window));
  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  settings.restarts = 1;
  run = mt_run_new_restored (table, &settings, MT_RUN_FAILED, error->message, 1.2);
  mt_run_set_error (run, error);
  mt_study_add_restored (mt_window_get_study (window), run);
  mt_study_show_restored (mt_window_get_study (window), NULL);
  take_failure (window, "not-finite");
}

static void
take_no_gpu (void)
{
  MtRunSettings settings;
  MtWindow *window = new_window ();
  GtkWidget *row, *scroller;
  GtkAdjustment *place;

  mt_picture_open_sample (window, "loan-approval");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "model");
  row = mt_app_find (GTK_WIDGET (window), ADW_TYPE_ACTION_ROW, "GPU");
  mt_app_settle (500);   /* measured, and as high as it will be */
  scroller = gtk_widget_get_ancestor (row, GTK_TYPE_SCROLLED_WINDOW);
  place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  gtk_adjustment_set_value (place, gtk_adjustment_get_upper (place));
  take (window, "no-gpu");
  mt_app_window_end (window);

  window = new_window ();
  mt_picture_open_sample (window, "loan-approval");
  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  settings.restarts = 1;
  settings.device = MT_DEVICE_CUDA;
  train (window, &settings);
  take_failure (window, "gpu-refused");

  window = new_window ();
  mt_picture_open_sample (window, "loan-approval");
  train (window, &settings);
  mt_study_use_cpu (mt_window_get_study (window));
  mt_app_wait_trained (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "train");
  take (window, "gpu-fallback");
  mt_app_window_end (window);
}

static gboolean
has_benchmarks (gpointer page)
{
  return !mt_benchmarks_is_running (mt_frontier_page_get_benchmarks (page));
}

/* Coins tell nothing: the bare intercept is recommended. */
static void
take_nothing (void)
{
  g_autoptr (GString) text = g_string_new ("height,wind,side\n");
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GFile) csv = NULL;
  MtRunSettings settings;
  MtWindow *window = new_window ();

  for (guint i = 0; i < 200; i++)
    {
      guint a = (guint) g_rand_int_range (random, 0, 1000), b = (guint) g_rand_int_range (random, 0, 50);

      g_string_append_printf (text, "%u,%u,%s\n", a, b, g_rand_boolean (random) ? "heads" : "tails");
    }
  csv = mt_app_write ("coins.csv", text->str);
  mt_app_open (window, csv);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_TARGET);
  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  train (window, &settings);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier");
  mt_app_settle (50);
  mt_app_wait (has_benchmarks, mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL));
  take (window, "nothing");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules");
  take (window, "nothing-rules");
  mt_app_window_end (window);
}

static void
take_all (const char *name,
          int         wide,
          int         high)
{
  suffix = name;
  width = wide;
  height = high;
  take_no_room ();
  take_read_only ();
  take_source ();
  take_project ();
  take_not_finite ();
  take_no_gpu ();
  take_nothing ();
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  mt_picture_init (argc > 1 ? argv[1] : ".");
  take_all ("", 1280, 860);
  take_all ("-narrow", 360, 720);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  take_all ("-dark", 1280, 860);
  return 0;
}
