/* The command that a report prints makes the model again, whatever was set on the Model page: every setting of a run is
 * taken away from what is usual, by itself and all together, and the command is run by a shell. */
#include "config.h"

#include <string.h>

#include "apputils.h"
#include "study/mt-selected-model-file.h"
#include "testutils.h"

typedef struct {
  const char *name;      /* as mt_run_settings_write() has it */
  const char *value;     /* JSON that is not the usual value */
  const char *option;    /* what the command must then hold */
  gboolean    is_alone;  /* it does not go with the others */
} Knob;

/* Any setting that has no line here fails /app/command/knows-all. */
static const Knob knobs[] = {
  { "task", "\"multiclass\"", "--task=multiclass" },
  { "bits", "4", "--bits=4" },
  { "thresholds", "\"rows\"", "--thresholds=rows" },
  { "nodes", "6", "--nodes=6" },
  { "fan_in", "3", "--fan-in=3" },
  { "temperature", "0.0503", "--temperature=0.0503" },
  { "restarts", "2", "--restarts=2" },
  { "beside", "false", "--restarts=0", .is_alone = TRUE },
  { "node", "\"deep\"", "--node=deep" },
  { "start", "\"random\"", "--start=random" },
  { "head", "\"levels\"", "--head=levels" },
  { "learning_rate", "0.0213", "--learning-rate=0.0213" },
  { "batch", "17", "--batch=17" },
  { "epochs", "7", "--epochs=7" },
  { "rounds", "1", "--rounds=1" },
  { "dont_care", "\"impossible\"", "--dont-care=impossible" },
  { "linear_terms", "\"none\"", "--linear-terms=none" },
  { "balance_classes", "true", "--class-weights=balanced" },
  { "method", "\"magnitude\"", "--refine=magnitude", .is_alone = TRUE },
  { "learner", "\"search\"", "--method=search", .is_alone = TRUE },
  { "max_literals", "11", "--max-literals=11" },
  { "folds", "3", "--folds=3" },
  { "repeats", "2", "--repeats=2" },
  { "seed", "5", "--seed=5" },
  { "test_fraction", "0.25", "--test-fraction=0.25" },
  { "split_seed", "9", "--split-seed=9" },
  { "device", "\"cuda\"", "--device=cuda", .is_alone = TRUE },
  { "constraints", "\"{\\\"banned\\\": [\\\"kind\\\"], \\\"rising\\\": [\\\"b\\\"], \\\"falling\\\": [\\\"a\\\"],"
    "\\\"no_negation\\\": true}\"", "--ban=kind --monotone=b=+ --monotone=a=- --no-negation", .is_alone = TRUE },
};

static MtJson *
settings_to_json (const MtRunSettings *settings)
{
  MtJsonWriter *writer = mt_json_writer_new ();
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  MtJson *json;

  mt_json_writer_begin_object (writer);
  mt_run_settings_write (settings, writer);
  mt_json_writer_end_object (writer);
  text = mt_json_writer_finish (writer, NULL);
  json = mt_json_parse (text, -1, &error);
  g_assert_no_error (error);
  return json;
}

static void
turn (const Knob    *knob,
      MtRunSettings *settings)
{
  g_autofree char *text = g_strdup_printf ("{\"%s\": %s}", knob->name, knob->value);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtJson) json = mt_json_parse (text, -1, &error);

  g_assert_no_error (error);
  g_assert_true (mt_run_settings_read (settings, json, &error));
  g_assert_no_error (error);
}

/* Every setting is turned by one of the knobs, and turning changes that one and no other. */
static void
test_knows_all (void)
{
  MtRunSettings usual;
  g_autoptr (MtJson) json = NULL;

  mt_run_settings_init (&usual, MT_PRESET_BALANCED);
  json = settings_to_json (&usual);
  g_assert_cmpuint (mt_json_get_n_children (json) + 1, ==, G_N_ELEMENTS (knobs));   /* constraints: none are written */
  for (guint i = 0; i < G_N_ELEMENTS (knobs); i++)
    {
      MtRunSettings turned = usual, back;

      turn (&knobs[i], &turned);
      g_assert_false (mt_run_settings_equal (&turned, &usual));
      back = turned;
      if (g_str_equal (knobs[i].name, "constraints"))
        back.constraints = NULL;
      else
        {
          g_assert_nonnull (mt_json_find (json, knobs[i].name));
          g_assert_true (mt_run_settings_read (&back, json, NULL));
        }
      g_assert_true (mt_run_settings_equal (&back, &usual));
    }
}

/* --- the form --- */

static MtWindow *
open_rows (void)
{
  g_autoptr (GString) text = g_string_new ("a,b,kind,level\n");
  g_autoptr (GFile) file = NULL;
  MtWindow *window = mt_app_window_new (1100, 760);

  for (guint i = 0; i < 150; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89, kind = i % 3;
      gboolean odd = i % 11 == 0;

      g_string_append_printf (text, "%u,%u,k%u,%s\n", a, b, kind, ((a > 50 && kind == 1) || b > 60) != odd ? "high" : "low");
    }
  file = mt_app_write ("knobs.csv", text->str);
  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 3, MT_ROLE_TARGET);
  return window;
}

static guint
count_differences (const MtJson *a,
                   const MtJson *b)
{
  guint n = 0;

  g_assert_cmpuint (mt_json_get_n_children (a), ==, mt_json_get_n_children (b));
  for (guint i = 0; i < mt_json_get_n_children (a); i++)
    {
      const MtJson *one = mt_json_get_child (a, i), *other = mt_json_get_child (b, i);
      MtJsonKind kind = mt_json_get_kind (one);

      if (kind != mt_json_get_kind (other))
        n++;
      else if (kind == MT_JSON_NUMBER)
        n += mt_json_get_number (one) != mt_json_get_number (other);
      else if (kind == MT_JSON_BOOLEAN)
        n += mt_json_get_boolean (one) != mt_json_get_boolean (other);
      else
        n += !g_str_equal (mt_json_get_string (one), mt_json_get_string (other));
    }
  return n;
}

static void
turn_row (GtkWidget *row)
{
  g_autoptr (GPtrArray) spins = mt_app_find_all (row, GTK_TYPE_SPIN_BUTTON);
  g_autoptr (GPtrArray) switches = mt_app_find_all (row, GTK_TYPE_SWITCH);

  if (spins->len > 0)
    {
      double value = gtk_spin_button_get_value (spins->pdata[0]);

      gtk_spin_button_spin (spins->pdata[0], GTK_SPIN_STEP_FORWARD, 0);
      g_assert_cmpfloat (gtk_spin_button_get_value (spins->pdata[0]), !=, value);
    }
  else if (switches->len > 0)
    gtk_switch_set_active (switches->pdata[0], !gtk_switch_get_active (switches->pdata[0]));
  else
    adw_combo_row_set_selected (ADW_COMBO_ROW (row), adw_combo_row_get_selected (ADW_COMBO_ROW (row)) == 0 ? 1 : 0);
}

/* Whatever a row of the form sets is one of the settings that the knobs are. */
static void
test_rows (void)
{
  MtWindow *window = open_rows ();
  MtDocument *document = mt_window_get_document (window);
  g_autoptr (GPtrArray) buttons = NULL;
  guint n_rows = 0;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "model");
  buttons = mt_app_find_all (window, GTK_TYPE_BUTTON);
  for (guint i = 0; i < buttons->len; i++)
    {
      MtRunSettings before = mt_document_get_decisions (document)->run, after;
      g_autoptr (MtJson) was = NULL;
      g_autoptr (MtJson) is = NULL;

      if (g_strcmp0 (gtk_widget_get_tooltip_text (buttons->pdata[i]), "Reset to Default") != 0)
        continue;
      turn_row (gtk_widget_get_ancestor (buttons->pdata[i], ADW_TYPE_ACTION_ROW));
      after = mt_document_get_decisions (document)->run;
      was = settings_to_json (&before);
      is = settings_to_json (&after);
      g_assert_cmpuint (count_differences (was, is), ==, 1);
      n_rows++;
    }
  /* Device and constraints have places of their own. */
  g_assert_cmpuint (n_rows, ==, G_N_ELEMENTS (knobs) - 2);
  mt_app_window_end (window);
}

/* --- a run, and its command --- */

static void
on_made (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (GError) error = NULL;

  *(MtModel **) data = mt_selected_model_make_model_finish (result, &error);
  g_assert_no_error (error);
}

static gboolean
is_there (gpointer data)
{
  return *(gpointer *) data != NULL;
}

/* As the window exports it and its report has it. */
static MtModel *
train (MtWindow            *window,
       const MtRunSettings *settings)
{
  MtDocument *document = mt_window_get_document (window);
  MtModel *model = NULL;

  mt_document_set_run (document, settings, NULL, "Knobs");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  mt_app_wait_trained (window);
  g_assert_nonnull (mt_study_get_fitted (mt_window_get_study (window)));
  mt_selected_model_make_model_async (mt_study_get_fitted (mt_window_get_study (window)), mt_document_get_import (document),
                                      mt_document_get_decisions (document), on_made, &model);
  mt_app_wait (is_there, &model);
  return model;
}

/* Of a run with these settings; the command that makes it again has been run. */
static char *
assert_repeats (const MtRunSettings *settings)
{
  MtWindow *window = open_rows ();
  const char *data = g_file_peek_path (mt_document_get_file (mt_window_get_document (window)));
  g_autoptr (MtModel) model = train (window, settings);
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *file = g_build_filename (folder, "again.json", NULL);
  g_autofree char *ours = NULL, *theirs = NULL;
  g_autoptr (GError) error = NULL;
  char *command = mt_model_dup_command (model, data, file, &error);

  g_assert_no_error (error);
  g_test_message ("%s", command);
  mt_test_run_command (command);
  ours = mt_model_to_json (model, NULL);
  g_assert_true (g_file_get_contents (file, &theirs, NULL, NULL));
  g_assert_cmpstr (ours, ==, theirs);
  mt_test_remove_folder (folder);
  mt_app_window_end (window);
  return command;
}

/* Quick, and with networks that take part, so that what is said of these matters. */
static void
init_quick (MtRunSettings *settings)
{
  mt_run_settings_init (settings, MT_PRESET_BALANCED);
  settings->bits = 3;
  settings->fan_in = 2;
  settings->nodes = 4;
  settings->restarts = 1;
  settings->folds = 2;
  settings->repeats = 1;
}

static void
test_knob (gconstpointer data)
{
  const Knob *knob = data;
  gboolean is_device = g_str_equal (knob->name, "device");
  g_autofree char *command = NULL;
  MtRunSettings settings;

  init_quick (&settings);
  if (g_str_equal (knob->name, "beside"))
    settings.restarts = 0;
  turn (knob, &settings);
  if (is_device && g_getenv ("MINTERM_CUDA_ON_HOST") == NULL)
    {
      g_test_skip ("built without a C++ compiler, so without CUDA on the CPU");
      return;
    }
  if (is_device)
    g_setenv ("MINTERM_CUDA_MODULE", g_getenv ("MINTERM_CUDA_ON_HOST"), TRUE);
  command = assert_repeats (&settings);
  if (is_device)
    g_unsetenv ("MINTERM_CUDA_MODULE");
  g_assert_nonnull (strstr (command, knob->option));
}

/* All that go together. Directions want a single score, and several classes have several. */
static void
test_all (void)
{
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();
  MtRunSettings settings;
  g_autofree char *command = NULL;

  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  for (guint i = 0; i < G_N_ELEMENTS (knobs); i++)
    if (!knobs[i].is_alone)
      turn (&knobs[i], &settings);
  mt_constraints_set_banned (constraints, "kind", TRUE);
  mt_constraints_set_no_negation (constraints, TRUE);
  mt_run_settings_set_constraints (&settings, constraints);
  command = assert_repeats (&settings);
  for (guint i = 0; i < G_N_ELEMENTS (knobs); i++)
    g_assert_true (knobs[i].is_alone || strstr (command, knobs[i].option) != NULL);
  g_assert_nonnull (strstr (command, "--ban=kind --no-negation"));
}

/* Nothing that is usual is said of those that were not always in a file. */
static void
test_usual (void)
{
  static const char * const silent[] = { "rounds", "linear-terms", "learning-rate", "batch", "epochs", "device", "head" };
  MtRunSettings settings;
  g_autofree char *command = NULL;

  init_quick (&settings);
  command = assert_repeats (&settings);
  for (guint i = 0; i < G_N_ELEMENTS (silent); i++)
    g_assert_null (strstr (command, silent[i]));
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/command/knows-all", test_knows_all);
  g_test_add_func ("/app/command/rows", test_rows);
  for (guint i = 0; i < G_N_ELEMENTS (knobs); i++)
    {
      g_autofree char *path = g_strconcat ("/app/command/", knobs[i].name, NULL);

      g_test_add_data_func (path, &knobs[i], test_knob);
    }
  g_test_add_func ("/app/command/all", test_all);
  g_test_add_func ("/app/command/usual", test_usual);
  return g_test_run ();
}
