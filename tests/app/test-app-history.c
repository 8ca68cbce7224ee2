/* One history for everything a person decides: roles, findings and the settings of the Model page. */
#include "config.h"

#include "apputils.h"
#include "train/mt-model-page.h"
#include "train/mt-sweep-panel.h"

static const char text[] = "name,age,city,member\nAda,36,London,yes\nGrace,45,New York,no\n"
                           "Mary,29,Paris,yes\nKatherine,38,Hampton,no\n";

static MtWindow *
open_people (const char *name)
{
  g_autoptr (GFile) csv = mt_app_write (name, text);
  MtWindow *window = mt_app_window_new (1100, 800);

  mt_app_open (window, csv);
  return window;
}

static MtModelPage *
model_page (MtWindow *window)
{
  return MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL));
}

static const MtRunSettings *
settings_of (MtWindow *window)
{
  return mt_model_page_get_settings (model_page (window));
}

/* The spin button of the row with this title. */
static GtkSpinButton *
spin_of (MtWindow   *window,
         const char *title)
{
  GtkWidget *row = mt_app_find (GTK_WIDGET (model_page (window)), ADW_TYPE_ACTION_ROW, title);

  g_assert_nonnull (row);
  return GTK_SPIN_BUTTON (mt_app_find (row, GTK_TYPE_SPIN_BUTTON, NULL));
}

static void
act (MtWindow   *window,
     const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
}

static void
assert_next (MtWindow   *window,
             const char *undo,
             const char *redo)
{
  g_assert_cmpstr (mt_document_get_undo_label (mt_window_get_document (window)), ==, undo);
  g_assert_cmpstr (mt_document_get_redo_label (mt_window_get_document (window)), ==, redo);
}

/* Held down or turned, a spin button is one step; after a pause it is another. */
static void
test_drag (void)
{
  MtWindow *window = open_people ("drag.csv");
  guint usual = settings_of (window)->bits, seed = settings_of (window)->seed;
  GtkSpinButton *bits = spin_of (window, "_Bits"), *seeds = spin_of (window, "See_d");

  for (guint i = 1; i <= 20; i++)
    gtk_spin_button_spin (bits, GTK_SPIN_STEP_FORWARD, 1);
  g_assert_cmpuint (settings_of (window)->bits, ==, usual + 20);
  assert_next (window, "Bits", NULL);
  gtk_spin_button_spin (seeds, GTK_SPIN_STEP_FORWARD, 1);
  g_assert_cmpuint (settings_of (window)->seed, ==, seed + 1);
  assert_next (window, "Seed", NULL);
  mt_app_settle (1500);
  gtk_spin_button_spin (seeds, GTK_SPIN_STEP_FORWARD, 1);   /* a pause later: on its own */

  act (window, "win.undo");
  g_assert_cmpuint (settings_of (window)->seed, ==, seed + 1);
  g_assert_cmpfloat (gtk_spin_button_get_value (seeds), ==, seed + 1);
  act (window, "win.undo");
  g_assert_cmpuint (settings_of (window)->seed, ==, seed);
  assert_next (window, "Bits", "Seed");
  act (window, "win.undo");
  g_assert_cmpuint (settings_of (window)->bits, ==, usual);
  g_assert_cmpfloat (gtk_spin_button_get_value (bits), ==, usual);
  assert_next (window, NULL, "Bits");
  act (window, "win.redo");
  g_assert_cmpuint (settings_of (window)->bits, ==, usual + 20);
  /* What is changed after going back starts anew, and ends what could be done again. */
  gtk_spin_button_spin (bits, GTK_SPIN_STEP_FORWARD, 1);
  assert_next (window, "Bits", NULL);
  act (window, "win.undo");
  g_assert_cmpuint (settings_of (window)->bits, ==, usual + 20);
  mt_app_window_end (window);
}

static void
choose_constraints (MtWindow *window)
{
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();
  MtRunSettings settings = *settings_of (window);

  mt_constraints_set_banned (constraints, "city", TRUE);
  mt_run_settings_set_constraints (&settings, constraints);
  mt_model_page_set_settings (model_page (window), &settings);
}

/* A preset, a sweep, constraints and a role, taken back in the order they came. */
static void
test_one_history (void)
{
  MtWindow *window = open_people ("one.csv");
  MtDocument *document = mt_window_get_document (window);
  MtModelPage *page = model_page (window);
  MtRunSettings before = *settings_of (window), simple;
  GtkWidget *chip;

  g_signal_emit_by_name (mt_app_find (GTK_WIDGET (page), GTK_TYPE_TOGGLE_BUTTON, "_Simple"), "clicked");
  simple = *settings_of (window);
  g_assert_cmpuint (simple.fan_in, ==, 2);
  assert_next (window, "Preset", NULL);
  chip = mt_app_find (mt_app_find (GTK_WIDGET (page), MT_TYPE_SWEEP_PANEL, NULL), GTK_TYPE_TOGGLE_BUTTON, "12");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (chip), TRUE);
  g_assert_cmpuint (mt_sweep_grid_count (mt_model_page_get_grid (page)), ==, 2);
  g_assert_true (gtk_widget_get_root (chip) == GTK_ROOT (window));   /* still there: it may have the focus */
  assert_next (window, "Sweep", NULL);
  mt_document_set_role (document, 2, MT_ROLE_IGNORED);
  choose_constraints (window);
  assert_next (window, "Settings", NULL);

  act (window, "win.undo");
  g_assert_null (settings_of (window)->constraints);
  assert_next (window, "Role of “city”", "Settings");
  act (window, "win.undo");
  g_assert_cmpint (mt_table_get_role (mt_document_get_table (document), 2), !=, MT_ROLE_IGNORED);
  g_assert_cmpuint (mt_sweep_grid_count (mt_model_page_get_grid (page)), ==, 2);
  act (window, "win.undo");
  g_assert_cmpuint (mt_sweep_grid_count (mt_model_page_get_grid (page)), ==, 1);
  act (window, "win.undo");
  g_assert_true (mt_run_settings_equal (settings_of (window), &before));
  for (guint i = 0; i < 4; i++)
    act (window, "win.redo");
  g_assert_nonnull (settings_of (window)->constraints);
  g_assert_cmpint (mt_table_get_role (mt_document_get_table (document), 2), ==, MT_ROLE_IGNORED);
  mt_app_window_end (window);
}

/* A type makes the file be read again; the settings chosen before and after it stay with their steps. */
static void
test_across_reading (void)
{
  MtWindow *window = open_people ("across.csv");
  MtDocument *document = mt_window_get_document (window);
  guint usual = settings_of (window)->bits;

  gtk_spin_button_spin (spin_of (window, "_Bits"), GTK_SPIN_STEP_FORWARD, 1);
  mt_document_set_type (document, 1, MT_TYPE_CATEGORY);
  mt_app_wait_idle (window);
  g_assert_cmpuint (settings_of (window)->bits, ==, usual + 1);
  gtk_spin_button_spin (spin_of (window, "_Bits"), GTK_SPIN_STEP_FORWARD, 1);
  assert_next (window, "Bits", NULL);
  act (window, "win.undo");
  act (window, "win.undo");
  mt_app_wait_idle (window);
  g_assert_cmpint (mt_column_get_type (mt_table_get_column (mt_document_get_table (document), 1)), ==, MT_TYPE_NUMBER);
  g_assert_cmpuint (settings_of (window)->bits, ==, usual + 1);
  act (window, "win.undo");
  g_assert_cmpuint (settings_of (window)->bits, ==, usual);
  mt_app_window_end (window);
}

/* Another file begins with what is usual, and with nothing to undo. */
static void
test_new_file (void)
{
  MtWindow *window = open_people ("first.csv");
  g_autoptr (GFile) other = mt_app_write ("second.csv", text);
  MtRunSettings usual = *settings_of (window);

  choose_constraints (window);
  gtk_spin_button_spin (spin_of (window, "_Bits"), GTK_SPIN_STEP_FORWARD, 3);
  mt_app_open (window, other);
  g_assert_true (mt_run_settings_equal (settings_of (window), &usual));
  assert_next (window, NULL, NULL);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/history/drag", test_drag);
  g_test_add_func ("/app/history/one-history", test_one_history);
  g_test_add_func ("/app/history/across-reading", test_across_reading);
  g_test_add_func ("/app/history/new-file", test_new_file);
  return g_test_run ();
}
