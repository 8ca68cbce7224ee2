/* A sweep is stopped, kept in a project, opened again and resumed, while somebody walks the pages, chooses, pins and
 * zooms; runs end meanwhile, at any moment. -m slow: many times, and on a larger table. */
#include "config.h"

#include "frontier/mt-frontier-page.h"
#include "rules/mt-rules-page.h"
#include "train-window.h"

#define N_SEEDS 6u

static guint
n_rounds (void)
{
  return g_test_slow () ? 40 : 4;
}

static MtFrontierItem *
draw_point (MtStudy *study,
            GRand   *draw)
{
  guint n = g_list_model_get_n_items (mt_study_get_points (study));

  return n > 0 ? g_list_model_get_item (mt_study_get_points (study), (guint) g_rand_int_range (draw, 0, (gint32) n))
               : NULL;
}

/* One thing that a restless person does. */
static void
do_something (MtWindow *window,
              GRand    *draw)
{
  static const char * const pages[] = { "data", "model", "train", "frontier", "frontier", "rules", "report" };
  static const char * const modes[] = { "rule", "compare", "what-if" };
  static const char * const zooms[] = { "plot.zoom-in", "plot.zoom-out", "plot.zoom-in", "plot.zoom-reset" };
  MtStudy *study = mt_window_get_study (window);
  MtFrontierPage *frontier = MT_FRONTIER_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL));
  g_autoptr (MtFrontierItem) item = draw_point (study, draw);

  switch (g_rand_int_range (draw, 0, 8))
    {
    case 0:
    case 1:
    case 2:
      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s",
                                  pages[g_rand_int_range (draw, 0, G_N_ELEMENTS (pages))]);
      break;
    case 3:
      if (item != NULL)
        mt_study_set_selected (study, item);
      break;
    case 4:
      if (item != NULL)
        mt_study_pin (study, item);
      break;
    case 5:
      gtk_widget_activate_action (GTK_WIDGET (mt_frontier_page_get_plot (frontier)),
                                  zooms[g_rand_int_range (draw, 0, G_N_ELEMENTS (zooms))], NULL);
      break;
    case 6:
      gtk_widget_activate_action (mt_app_find (GTK_WIDGET (window), MT_TYPE_RULES_PAGE, NULL), "rules.mode", "s",
                                  modes[g_rand_int_range (draw, 0, G_N_ELEMENTS (modes))]);
      break;
    default:
      gtk_widget_activate_action (GTK_WIDGET (window), "win.toggle-inspector", NULL);
      break;
    }
}

/* Until @n runs are done, or all. */
static void
walk (MtWindow *window,
      GRand    *draw,
      guint     n)
{
  while (mt_study_is_running (mt_window_get_study (window)) && mt_train_window_count (window, MT_RUN_DONE) < n)
    {
      do_something (window, draw);
      mt_app_settle ((guint) g_rand_int_range (draw, 0, 60));
    }
}

static gboolean
has_runs (gpointer window)
{
  return g_list_model_get_n_items (mt_study_get_runs (mt_window_get_study (window))) > 0;
}

static gboolean
can_resume (gpointer window)
{
  return mt_study_can_resume (mt_window_get_study (window));
}

static void
test_walk (void)
{
  g_autoptr (GRand) draw = g_rand_new_with_seed (5);

  for (guint round = 0; round < n_rounds (); round++)
    {
      MtWindow *window = mt_train_window_open ("walk.csv");
      g_autoptr (GFile) folder = g_file_get_parent (mt_document_get_file (mt_window_get_document (window)));
      g_autoptr (GFile) project = g_file_get_child (folder, "walk.minterm");

      mt_train_window_choose_grid (window, N_SEEDS);
      gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
      walk (window, draw, 1);
      mt_window_save_as (window, project);
      for (guint again = 1; mt_train_window_count (window, MT_RUN_DONE) < 2 * N_SEEDS; again++)
        {
          walk (window, draw, again < 4 ? mt_train_window_count (window, MT_RUN_DONE) + 2 : G_MAXUINT);
          mt_study_stop (mt_window_get_study (window));
          mt_app_wait (mt_train_window_is_saved, window);
          mt_app_window_end (window);
          window = mt_app_window_new (1200, 800);
          mt_window_open (window, project);
          mt_app_wait (has_runs, window);
          g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_runs (mt_window_get_study (window))), ==, 2 * N_SEEDS);
          if (g_rand_boolean (draw))
            mt_app_settle (200);   /* its models are there, or still to come */
          if (mt_train_window_count (window, MT_RUN_STOPPED) > 0)
            mt_app_wait (can_resume, window);
          gtk_widget_activate_action (GTK_WIDGET (window), "win.resume", NULL);
        }
      walk (window, draw, G_MAXUINT);
      for (guint i = 0; i < 20; i++)
        {
          do_something (window, draw);
          mt_app_settle (20);
        }
      g_assert_cmpuint (mt_train_window_count (window, MT_RUN_DONE), ==, 2 * N_SEEDS);
      mt_app_wait (mt_train_window_is_saved, window);
      mt_app_window_end (window);
      g_file_delete (project, NULL, NULL);
    }
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/resume/walk", test_walk);
  return g_test_run ();
}
