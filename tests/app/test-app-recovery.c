/* Work that was not saved: the program is killed with it, started again, and offers it. The program is
 * this one in another role, told by an argument: the real application, with a hand on its window. */
#include "config.h"

#include <signal.h>
#include <stdio.h>

#include "apputils.h"
#include "train/mt-model-page.h"

static gboolean
is_saved (gpointer window)
{
  return !mt_window_is_saving (window);
}

static gboolean
strip_shown (gpointer window)
{
  GtkWidget *button = mt_app_find (window, GTK_TYPE_BUTTON, "Re_open");

  return button != NULL && gtk_widget_get_mapped (button);
}

static gboolean
strip_hidden (gpointer window)
{
  return !strip_shown (window);
}

static gboolean
has_fitted (gpointer window)
{
  return mt_study_get_fitted (mt_window_get_study (window)) != NULL;
}

static void
act (MtWindow   *window,
     const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
}

/* --- the program in its two roles --- */

static MtWindow *
first_window (GApplication *application)
{
  GtkWindow *window;

  g_application_activate (application);
  window = gtk_application_get_active_window (GTK_APPLICATION (application));
  mt_app_wait ((MtAppCondition) gtk_widget_get_mapped, window);
  return MT_WINDOW (window);
}

/* Everything one can lose: a role, a setting, a run and its frontier. Then it waits for its end. */
static void
work (GApplication *application,
      const char   *csv)
{
  g_autoptr (GFile) file = g_file_new_for_path (csv);
  MtWindow *window = first_window (application);
  MtModelPage *page = MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL));
  MtRunSettings settings;

  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  mt_model_page_set_settings (page, &settings);
  act (window, "win.train");
  mt_app_wait_trained (window);
  mt_app_wait (is_saved, window);
  printf ("%u points\n", g_list_model_get_n_items (mt_study_get_points (mt_window_get_study (window))));
  fflush (stdout);
  mt_app_settle (600000);
}

static void
come_back (GApplication *application)
{
  MtWindow *window = first_window (application);
  MtStudy *study = mt_window_get_study (window);

  mt_app_wait (strip_shown, window);
  act (window, "win.recover");
  mt_app_wait (has_fitted, window);
  mt_app_wait (strip_hidden, window);
  printf ("%u points\n", g_list_model_get_n_items (mt_study_get_points (study)));
  g_assert_cmpint (mt_table_get_role (mt_document_get_table (mt_window_get_document (window)), 2), ==, MT_ROLE_IGNORED);
  fflush (stdout);
  mt_app_settle (600000);
}

static int
play (int    argc,
      char **argv)
{
  g_autoptr (MtApplication) application = NULL;

  g_set_prgname ("minterm");   /* as running it would */
  gtk_init ();
  adw_init ();
  g_set_application_name ("Minterm");
  application = mt_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  if (argc > 2)
    work (G_APPLICATION (application), argv[2]);
  else
    come_back (G_APPLICATION (application));
  return 0;
}

/* --- seen from outside --- */

/* Starts the program, waits for the line it prints when it is where it should be, and kills it. */
static char *
start_and_kill (const char *csv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = NULL;
  g_autoptr (GDataInputStream) output = NULL;
  char *line;

  program = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "/proc/self/exe", "--play", csv, NULL);
  g_assert_no_error (error);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (program));
  line = g_data_input_stream_read_line_utf8 (output, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (line);   /* else it ended before */
  g_subprocess_send_signal (program, SIGKILL);
  g_subprocess_wait (program, NULL, NULL);
  g_assert_true (g_subprocess_get_if_signaled (program));
  g_assert_cmpint (g_subprocess_get_term_sig (program), ==, SIGKILL);
  return line;
}

static GFile *
write_table (const char *name)
{
  g_autoptr (GString) text = g_string_new ("a,b,c,y\n");

  for (guint i = 0; i < 160; i++)
    g_string_append_printf (text, "%u,%u,%u,%s\n", i * 7 % 20, i * 11 % 13, i % 3,
                            i * 7 % 20 > 9 && i * 11 % 13 > 4 ? "yes" : "no");
  return mt_app_write (name, text->str);
}

static void
test_killed (void)
{
  g_autoptr (GFile) csv = write_table ("killed.csv");
  g_autofree char *before = start_and_kill (g_file_peek_path (csv));
  g_autofree char *after = start_and_kill (NULL);
  g_autoptr (GPtrArray) left = mt_project_list_recoverable ();

  g_assert_cmpstr (before, !=, "0 points");
  g_assert_cmpstr (before, ==, after);
  /* What was reopened and lost again is still there. */
  g_assert_cmpuint (left->len, ==, 1);
  mt_project_remove_recoverable (left->pdata[0], NULL);
}

/* --- what can become of the offer --- */

static guint
count_left (void)
{
  g_autoptr (GPtrArray) left = mt_project_list_recoverable ();

  return left->len;
}

static gboolean
nothing_left (gpointer data)
{
  return count_left () == 0;
}

/* Asked about before it goes; the second of two is offered after the first. */
static void
test_discard (void)
{
  g_autoptr (GFile) csv = write_table ("discard.csv");
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_leave_work (csv);
  mt_app_leave_work (csv);
  mt_window_offer_recovery (window);
  mt_app_wait (strip_shown, window);
  act (window, "win.discard-recoverable");
  mt_app_answer (window, "cancel");
  g_assert_cmpuint (count_left (), ==, 2);
  act (window, "win.discard-recoverable");
  mt_app_answer (window, "discard");
  mt_app_settle (100);
  g_assert_true (strip_shown (window));
  act (window, "win.discard-recoverable");
  mt_app_answer (window, "discard");
  mt_app_wait (strip_hidden, window);
  mt_app_wait (nothing_left, NULL);
  mt_app_window_end (window);
}

/* Closed, it is kept; also when its data are not there, and the window is left. */
static void
test_kept (void)
{
  g_autoptr (GFile) gone = g_file_new_for_path ("/nowhere/gone.csv");
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_leave_work (gone);
  mt_window_offer_recovery (window);
  mt_app_wait (strip_shown, window);
  act (window, "win.recover-later");
  mt_app_wait (strip_hidden, window);
  g_assert_cmpuint (count_left (), ==, 1);
  act (window, "win.recover");
  while (mt_document_get_error (mt_window_get_document (window)) == NULL)
    g_main_context_iteration (NULL, TRUE);
  mt_app_window_end (window);
  g_assert_cmpuint (count_left (), ==, 1);
  {
    g_autoptr (GPtrArray) left = mt_project_list_recoverable ();

    mt_project_remove_recoverable (left->pdata[0], NULL);
  }
}

/* Offered over other work it is not what comes next. */
static void
test_other_work (void)
{
  g_autoptr (GFile) csv = write_table ("lost.csv");
  g_autoptr (GFile) other = write_table ("other.csv");
  MtWindow *window = mt_app_window_new (1000, 700);
  GtkWidget *reopen = mt_app_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "Re_open");

  mt_app_leave_work (csv);
  mt_window_offer_recovery (window);
  mt_app_wait (strip_shown, window);
  g_assert_true (gtk_widget_has_css_class (reopen, "suggested-action"));
  mt_app_open (window, other);
  g_assert_true (strip_shown (window));
  g_assert_false (gtk_widget_has_css_class (reopen, "suggested-action"));
  act (window, "win.close-file");
  g_assert_true (gtk_widget_has_css_class (reopen, "suggested-action"));
  mt_app_window_end (window);
  {
    g_autoptr (GPtrArray) left = mt_project_list_recoverable ();

    mt_project_remove_recoverable (left->pdata[0], NULL);
  }
}

/* One that cannot be read is offered with that said, refused with a word, and can be thrown away. */
static void
test_damaged (void)
{
  g_autoptr (GFile) csv = write_table ("damaged.csv");
  g_autoptr (GPtrArray) left = NULL;
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_leave_work (csv);
  left = mt_project_list_recoverable ();
  g_assert_cmpuint (left->len, ==, 1);
  g_assert_true (g_file_set_contents (left->pdata[0], "no project at all", -1, NULL));
  mt_window_offer_recovery (window);
  mt_app_wait (strip_shown, window);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL,
                                 "Minterm closed before a project was saved, and its file is damaged."));
  act (window, "win.recover");
  mt_app_answer (window, "close");
  g_assert_true (strip_shown (window));
  act (window, "win.discard-recoverable");
  mt_app_answer (window, "discard");
  mt_app_wait (nothing_left, NULL);
  mt_app_window_end (window);
}

static void
forget_left (void)
{
  g_autoptr (GPtrArray) left = mt_project_list_recoverable ();

  for (guint i = 0; i < left->len; i++)
    mt_project_remove_recoverable (left->pdata[i], NULL);
}

static gboolean
is_gone (gpointer weak)
{
  return *(gpointer *) weak == NULL;
}

/* Closes the window. @responses: to what is asked, NULL at the end. */
static void
close_window (MtWindow           *window,
              const char * const *responses)
{
  gpointer weak = window;

  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  for (guint i = 0; responses[i] != NULL; i++)
    {
      gtk_window_close (GTK_WINDOW (window));
      mt_app_answer (window, responses[i]);
      mt_app_settle (20);
      g_assert_true ((weak == NULL) == g_str_equal (responses[i], "discard"));
    }
  if (responses[0] == NULL)
    gtk_window_close (GTK_WINDOW (window));
  mt_app_wait (is_gone, &weak);
}

static const char * const nothing[] = { NULL };
static const char * const stay_then_go[] = { "cancel", "discard", NULL };

/* A decision is asked about, like results: who cancels still has it, who discards it has nothing left behind. */
static void
test_first_decision (void)
{
  g_autoptr (GFile) csv = write_table ("first.csv");
  MtWindow *window = mt_app_window_new (1000, 700);
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "minterm", "recovery", NULL);
  g_autoptr (GDir) dir = NULL;

  mt_app_open (window, csv);
  mt_document_set_role (mt_window_get_document (window), 0, MT_ROLE_IGNORED);
  mt_app_wait (is_saved, window);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (g_dir_read_name (dir));
  g_assert_cmpuint (count_left (), ==, 0);   /* it is somebody's */
  close_window (window, stay_then_go);
  g_dir_rewind (dir);
  g_assert_null (g_dir_read_name (dir));
}

/* The reason for a dismissed finding is work, too: for another file, for none, and for the end of a session. */
static void
test_decisions_asked_about (void)
{
  static const char * const ways[] = { "win.close-file", "win.open-uri" };
  g_autoptr (GFile) csv = write_table ("asked.csv");
  g_autoptr (GFile) other = write_table ("other.csv");
  g_autofree char *uri = g_file_get_uri (other);
  const MtFinding finding = { .code = (char *) "made-up" };
  MtWindow *window = mt_app_window_new (1000, 700);
  MtDocument *document = mt_window_get_document (window);

  mt_app_open (window, csv);
  mt_document_dismiss (document, &finding, "agreed with the owner of the data");
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_assert_true (i == 0 ? gtk_widget_activate_action (GTK_WIDGET (window), ways[i], NULL)
                            : gtk_widget_activate_action (GTK_WIDGET (window), ways[i], "s", uri));
      mt_app_answer (window, "cancel");
      g_assert_nonnull (mt_decisions_get_dismissal (mt_document_get_decisions (document), &finding));
    }
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.open-uri", "s", uri));
  mt_app_answer (window, "discard");
  mt_app_wait_idle (window);
  g_assert_true (g_file_equal (mt_document_get_file (document), other));
  g_assert_cmpuint (count_left (), ==, 0);
  close_window (window, nothing);   /* the other one was only looked at */
}

/* What was opened, read again, or decided and undone is closed without a word, and leaves nothing. */
static void
test_nothing_decided (void)
{
  g_autoptr (GFile) csv = write_table ("looked-at.csv");
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, csv);
  act (window, "win.reload");
  mt_app_wait_idle (window);
  mt_document_set_role (mt_window_get_document (window), 0, MT_ROLE_IGNORED);
  act (window, "win.undo");
  mt_app_wait (is_saved, window);
  close_window (window, nothing);
  g_assert_cmpuint (count_left (), ==, 0);
}

/* Who is not asked loses nothing: not the decisions, not a training that has found nothing yet, and not what was
 * brought back and cut off once more. */
static void
test_ended (void)
{
  g_autoptr (GFile) csv = write_table ("ended.csv");
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, csv);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
  mt_window_end (window);
  g_assert_cmpuint (count_left (), ==, 1);
  window = mt_app_window_new (1000, 700);
  mt_window_offer_recovery (window);
  mt_app_wait (strip_shown, window);
  act (window, "win.recover");
  mt_app_wait (strip_hidden, window);
  while (mt_document_get_table (mt_window_get_document (window)) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (mt_table_get_role (mt_document_get_table (mt_window_get_document (window)), 2), ==, MT_ROLE_IGNORED);
  mt_window_end (window);
  g_assert_cmpuint (count_left (), ==, 1);
  forget_left ();

  window = mt_app_window_new (1000, 700);
  mt_app_open (window, csv);
  act (window, "win.train");
  g_assert_true (mt_study_is_running (mt_window_get_study (window)));
  g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_points (mt_window_get_study (window))), ==, 0);
  mt_window_end (window);
  g_assert_cmpuint (count_left (), ==, 1);
  forget_left ();
}

int
main (int    argc,
      char **argv)
{
  if (argc > 1 && g_str_equal (argv[1], "--play"))
    return play (argc, argv);
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/recovery/killed", test_killed);
  g_test_add_func ("/app/recovery/discard", test_discard);
  g_test_add_func ("/app/recovery/kept", test_kept);
  g_test_add_func ("/app/recovery/other-work", test_other_work);
  g_test_add_func ("/app/recovery/damaged", test_damaged);
  g_test_add_func ("/app/recovery/first-decision", test_first_decision);
  g_test_add_func ("/app/recovery/decisions-asked-about", test_decisions_asked_about);
  g_test_add_func ("/app/recovery/nothing-decided", test_nothing_decided);
  g_test_add_func ("/app/recovery/ended", test_ended);
  return g_test_run ();
}
