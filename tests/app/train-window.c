#include "config.h"
#include "train-window.h"

GFile *
mt_train_window_write (const char *name)
{
  g_autoptr (GString) text = g_string_new ("a,b,kind,y\n");

  for (guint i = 0; i < 160; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89, kind = i % 3;

      g_string_append_printf (text, "%u,%u,k%u,%s\n", a, b, kind,
                              (a > 50 && kind == 1) || b > 70 || i % 17 == 0 ? "yes" : "no");
    }
  return mt_app_write (name, text->str);
}

MtWindow *
mt_train_window_open (const char *name)
{
  g_autoptr (GFile) file = mt_train_window_write (name);
  MtWindow *window = mt_app_window_new (1200, 800);

  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 3, MT_ROLE_TARGET);
  return window;
}

MtModelPage *
mt_train_window_model_page (MtWindow *window)
{
  return MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL));
}

void
mt_train_window_choose_grid (MtWindow *window,
                             guint     n_seeds)
{
  MtSweepGrid grid = { .bits = { 2, 4 }, .n_bits = 2, .n_seeds = n_seeds };
  MtRunSettings settings;

  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  mt_model_page_set_settings (mt_train_window_model_page (window), &settings);
  mt_model_page_set_grid (mt_train_window_model_page (window), &grid);
}

MtRun *
mt_train_window_get_run (MtWindow *window,
                         guint     index)
{
  g_autoptr (MtRun) run = g_list_model_get_item (mt_study_get_runs (mt_window_get_study (window)), index);

  return run;
}

guint
mt_train_window_count (MtWindow   *window,
                       MtRunState  state)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (mt_study_get_runs (mt_window_get_study (window))); i++)
    n += mt_run_get_state (mt_train_window_get_run (window, i)) == state;
  return n;
}

const char *
mt_train_window_get_page (MtWindow *window)
{
  return adw_view_stack_get_visible_child_name (ADW_VIEW_STACK (mt_app_find (GTK_WIDGET (window), ADW_TYPE_VIEW_STACK,
                                                                             NULL)));
}

gboolean
mt_train_window_is_saved (gpointer window)
{
  return !mt_window_is_saving (window);
}
