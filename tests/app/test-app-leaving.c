/* The window is left at any moment: closed, by the program's own Quit, or without being asked, as when a session
 * ends; while it reads, trains, saves or exports. It goes each time, asks where something would be lost, and what was
 * being written is as it was or as it was to be. -m slow: fifty times each. */
#include "config.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "apputils.h"
#include "report/mt-report-page.h"
#include "util/mt-samples.h"

#define N_WAYS 3

typedef struct {
  GFile *project;   /* of a training, whose table is the sample */
  GFile *table;     /* one that takes a while to read */
  char  *old;       /* the project's bytes */
  gsize  n_old;
} Files;

static gboolean
is_gone_or_asks (gpointer weak)
{
  return *(gpointer *) weak == NULL || mt_app_find_question (*(MtWindow **) weak) != NULL;
}

static gboolean
is_saved (gpointer window)
{
  return !mt_window_is_saving (window);
}

static guint
n_rounds (void)
{
  return g_test_slow () ? 50 : 3;
}

static void
wait_a_while (GRand *draw,
              guint  most)
{
  mt_app_settle ((guint) g_rand_int_range (draw, 0, (gint32) most));
}

static double
get_work (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1000 + (double) now.tv_nsec / 1e6;
}

/* @way: closed; Quit; told, not asked. Answers with "discard"; how long it took without the answers, in ms. */
static double
leave (MtWindow *window,
       guint     way,
       guint    *n_questions)
{
  gpointer weak = window;
  gint64 begun = g_get_monotonic_time ();
  double took = 0, work = get_work ();

  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  *n_questions = 0;
  if (way == 0)
    gtk_window_close (GTK_WINDOW (window));
  else if (way == 1)
    g_action_group_activate_action (G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (window))), "quit", NULL);
  else
    mt_window_end (window);
  while (TRUE)
    {
      mt_app_wait (is_gone_or_asks, &weak);
      took += (double) (g_get_monotonic_time () - begun) / 1000;
      if (weak == NULL)
        break;
      ++*n_questions;
      begun = g_get_monotonic_time ();
      mt_app_answer (weak, "discard");
    }
  if (g_test_slow ())
    g_assert_cmpfloat (get_work () - work, <, 2000);   /* of which other programs take nothing */
  return took;
}

static void
set_up (Files        *files,
        gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("a,b,c,answer");
  g_autoptr (GFile) sample = mt_samples_get_file ("loan-approval");
  MtWindow *window = mt_app_window_new (1000, 700);

  for (guint row = 0; row < (g_test_slow () ? 400000u : 50000u); row++)
    g_string_append_printf (text, "\n%u,k%u,%u.5,%s", row * 31 % 9973, row % 23, row * 17 % 1009,
                            row % 3 == 0 ? "yes" : "no");
  files->table = mt_app_write ("reading.csv", text->str);
  files->project = mt_app_write ("leaving.minterm", "");
  g_file_delete (files->project, NULL, NULL);
  mt_app_open (window, sample);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  mt_window_save_as (window, files->project);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);
  g_assert_true (g_file_load_contents (files->project, NULL, &files->old, &files->n_old, NULL, NULL));
}

static void
tear_down (Files        *files,
           gconstpointer data)
{
  g_object_unref (files->table);
  g_object_unref (files->project);
  g_free (files->old);
}

static void
tell (const char *during,
      double      longest)
{
  g_test_message ("left %u times while it %s: gone after at most %.0f ms", n_rounds (), during, longest);
}

static void
test_reading (Files        *files,
              gconstpointer data)
{
  g_autoptr (GRand) draw = g_rand_new_with_seed (1);
  double longest = 0;
  guint n_questions;

  for (guint i = 0; i < n_rounds (); i++)
    {
      MtWindow *window = mt_app_window_new (1000, 700);

      mt_window_open (window, files->table);
      wait_a_while (draw, 400);
      longest = fmax (longest, leave (window, i % N_WAYS, &n_questions));
      g_assert_cmpuint (n_questions, ==, 0);   /* there is nothing to lose */
    }
  tell ("reads", longest);
}

static void
test_training (Files        *files,
               gconstpointer data)
{
  g_autoptr (GFile) sample = mt_samples_get_file ("loan-approval");
  g_autoptr (GRand) draw = g_rand_new_with_seed (2);
  double longest = 0;

  for (guint i = 0; i < n_rounds (); i++)
    {
      MtWindow *window = mt_app_window_new (1000, 700);
      guint n_questions;
      gboolean running;

      mt_app_open (window, sample);
      gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
      wait_a_while (draw, 1500);
      running = mt_study_is_running (mt_window_get_study (window));
      longest = fmax (longest, leave (window, i % N_WAYS, &n_questions));
      if (i % N_WAYS == 2)
        g_assert_cmpuint (n_questions, ==, 0);
      else if (running)
        g_assert_cmpuint (n_questions, >, 0);
    }
  tell ("trains", longest);
}

static MtWindow *
open_project (Files *files)
{
  MtWindow *window = mt_app_window_new (1000, 700);

  mt_app_open (window, files->project);
  while (g_list_model_get_n_items (mt_study_get_points (mt_window_get_study (window))) == 0)
    g_main_context_iteration (NULL, TRUE);
  return window;
}

/* Over a project that is there: afterwards it is that one, or the whole new one. */
static void
test_saving (Files        *files,
             gconstpointer data)
{
  g_autoptr (GRand) draw = g_rand_new_with_seed (3);
  double longest = 0;
  guint n_new = 0;

  for (guint i = 0; i < n_rounds (); i++)
    {
      MtWindow *window = open_project (files);
      g_autoptr (GFile) target = mt_app_write ("target.minterm", "");
      g_autoptr (MtProject) project = NULL;
      g_autoptr (GPtrArray) runs = NULL;
      g_autoptr (GError) error = NULL;
      guint n_questions;

      g_assert_true (g_file_replace_contents (target, files->old, files->n_old, NULL, FALSE, 0, NULL, NULL, NULL));
      mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_IGNORED);
      mt_window_save_as (window, target);
      wait_a_while (draw, 80);
      longest = fmax (longest, leave (window, i % N_WAYS, &n_questions));
      while ((project = mt_project_open (g_file_peek_path (target), 0, NULL, &error)) == NULL &&
             g_error_matches (error, MT_ERROR, MT_ERROR_LOCKED))
        {
          g_clear_error (&error);   /* the window is gone, the last write is not yet over */
          mt_app_settle (20);
        }
      g_assert_no_error (error);
      runs = mt_project_list_runs (project, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (runs->len, ==, 1);
      g_clear_pointer (&project, mt_project_free);
      {
        g_autofree char *now = NULL;
        gsize n_now;

        g_assert_true (g_file_load_contents (target, NULL, &now, &n_now, NULL, NULL));
        n_new += n_now != files->n_old || memcmp (now, files->old, n_now) != 0;
      }
      g_file_delete (target, NULL, NULL);
    }
  tell ("saves", longest);
  g_test_message ("%u of %u were saved", n_new, n_rounds ());
}

static gboolean
has_exported (gpointer page)
{
  return !mt_report_page_can_cancel (page);
}

static gboolean
has_model (gpointer window)
{
  return mt_study_get_fitted (mt_window_get_study (window)) != NULL;
}

/* A project's models are there a moment after it is open, and a page that is not on show has no report. */
static MtReportPage *
start_export (MtWindow *window,
              GFile    *file)
{
  MtReportPage *page = MT_REPORT_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_REPORT_PAGE, NULL));

  mt_app_wait (has_model, window);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report"));
  mt_report_page_save (page, file);
  g_assert_true (mt_report_page_can_cancel (page));
  return page;
}

/* How long a report takes that nobody disturbs, in ms; nothing is left of it. */
static guint
time_export (Files      *files,
             const char *name)
{
  MtWindow *window = open_project (files);
  g_autoptr (GFile) file = mt_app_write (name, "");
  MtReportPage *page = start_export (window, file);
  gint64 begun = g_get_monotonic_time ();
  guint took;

  mt_app_wait (has_exported, page);
  took = (guint) ((g_get_monotonic_time () - begun) / 1000);
  mt_window_end (window);
  g_file_delete (file, NULL, NULL);
  return took;
}

/* A report is there whole or not at all; whichever it is, it comes to pass here. */
static void
test_exporting (Files        *files,
                gconstpointer data)
{
  g_autoptr (GRand) draw = g_rand_new_with_seed (4);
  const guint whole[] = { time_export (files, "left.pdf"), time_export (files, "left.html") };
  double longest = 0;
  guint n_written = 0;

  for (guint i = 0; i < n_rounds (); i++)
    {
      MtWindow *window = open_project (files);
      g_autoptr (GFile) file = mt_app_write (i % 2 == 0 ? "left.pdf" : "left.html", "before");
      MtReportPage *page = start_export (window, file);
      g_autofree char *text = NULL;
      gsize length;
      guint n_questions;

      if (i < 2)
        mt_app_wait (has_exported, page);   /* it was left too late to disturb it */
      else
        wait_a_while (draw, whole[i % 2] * 5 / 4);
      longest = fmax (longest, leave (window, i % N_WAYS, &n_questions));
      mt_app_settle (50);
      g_assert_true (g_file_load_contents (file, NULL, &text, &length, NULL, NULL));
      if (!g_str_equal (text, "before"))
        {
          const char *end = i % 2 == 0 ? "%%EOF\n" : "</html>\n";

          g_assert_cmpstr (text + length - strlen (end), ==, end);
          n_written++;
        }
    }
  tell ("exports", longest);
  g_test_message ("%u of %u were written; undisturbed, a PDF takes %u ms and HTML %u ms", n_written, n_rounds (), whole[0],
                  whole[1]);
  g_assert_cmpuint (n_written, >=, 2);
  if (g_test_slow ())
    g_assert_cmpuint (n_written, <, n_rounds ());
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add ("/app/leaving/reading", Files, NULL, set_up, test_reading, tear_down);
  g_test_add ("/app/leaving/training", Files, NULL, set_up, test_training, tear_down);
  g_test_add ("/app/leaving/saving", Files, NULL, set_up, test_saving, tear_down);
  g_test_add ("/app/leaving/exporting", Files, NULL, set_up, test_exporting, tear_down);
  return g_test_run ();
}
