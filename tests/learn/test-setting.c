/* The table of settings drives everything: each row can be set on the command line, is kept by a project and by a model,
 * is in the command that repeats a model, and is explained in the report. (tests/app/test-app-model.c has the Model page.)
 * A row that nothing knows of is planted to show that each of these checks can fail. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "mt-core.h"
#include "testutils.h"

typedef struct {
  char *folder;
  char *csv;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  g_autoptr (GString) text = g_string_new ("a,b,y\n");

  self->folder = mt_test_make_folder ();
  self->csv = g_build_filename (self->folder, "data.csv", NULL);
  for (guint i = 0; i < 90; i++)
    g_string_append_printf (text, "%u,%u,%s\n", i * 7 % 30, i * 11 % 17, (i * 7 % 30 > 14) != (i % 9 == 0) ? "yes" : "no");
  g_assert_true (g_file_set_contents (self->csv, text->str, -1, NULL));
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  mt_test_remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->csv);
}

/* --- a value that is not the default --- */

static char *
dup_other (const MtSetting *setting)
{
  MtRunSettings usual, other;
  double value;

  mt_run_settings_init (&usual, MT_PRESET_BALANCED);
  other = usual;
  value = mt_setting_get_value (setting, &usual);
  switch (setting->type)
    {
    case MT_SETTING_TYPE_CHOICE:
      /* The paper's method decides other settings as well: test_paper(). */
      value = value == 1 ? 0 : g_str_equal (setting->name, "learner") ? MT_LEARNER_SEARCH : 1;
      break;
    case MT_SETTING_TYPE_SWITCH:
      value = value == 0;
      break;
    case MT_SETTING_TYPE_NUMBER:
      value = value / 2;
      break;
    case MT_SETTING_TYPE_AUTO_COUNT:
      value = 3;
      break;
    case MT_SETTING_TYPE_COUNT:
    case MT_SETTING_TYPE_SEED:
    default:
      value = value == setting->high && setting->high > 0 ? value - 1 : value + 1;
      break;
    }
  mt_setting_set_value (setting, &other, value);
  g_assert_false (mt_setting_is_equal (setting, &other, &usual));
  return mt_setting_dup_text (setting, &other);
}

/* --- the places; each says whether it knows the row --- */

/* Trains with the row set by its option. */
static gboolean
is_on_command_line (Fixture         *self,
                    const MtSetting *setting,
                    const char      *command,
                    const char      *value,
                    const char      *output)
{
  const char *name = setting->option != NULL ? setting->option : "restarts";   /* which sets the switch beside it */
  g_autofree char *flag = mt_setting_dup_flag (setting);
  g_autofree char *option = flag != NULL ? g_strconcat ("--", flag, NULL)
                                         : g_strdup_printf ("--%s=%s", name, setting->option != NULL ? value : "0");
  gboolean names_restarts = g_str_equal (name, "restarts");
  g_autofree char *err = NULL;
  int code = mt_test_cli (NULL, NULL, &err, command, self->csv, "--target=y", "-o", output, "--threads=1", "--epochs=2",
                          "--folds=2", option, names_restarts ? "--" : "--restarts=1", NULL);

  if (code != 0)
    g_test_message ("%s %s: %s", command, option, err);
  return code == 0;
}

static gboolean
is_in_help (const MtSetting *setting,
            const char      *help)
{
  g_autofree char *flag = mt_setting_dup_flag (setting);
  g_autofree char *option = g_strdup_printf ("--%s", flag != NULL ? flag : setting->option != NULL ? setting->option : "restarts");

  return strstr (help, option) != NULL && (setting->help == NULL || strstr (help, setting->help) != NULL);
}

static gboolean
is_in_project (Fixture         *self,
               const MtSetting *setting,
               const char      *value)
{
  g_autofree char *path = g_build_filename (self->folder, "one.minterm", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = mt_project_create (path, &error);
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *columns = NULL;
  g_autofree char *data = NULL;
  MtRunSettings settings, read, planted;
  gboolean is_named;

  g_assert_no_error (error);
  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  g_assert_true (mt_setting_parse (setting, &settings, value, NULL));
  g_assert_cmpint (mt_run_record_add (project, "one", &settings, "{}", "data", &error), >, 0);
  g_assert_no_error (error);
  g_clear_pointer (&project, mt_project_free);
  project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);
  g_assert_no_error (error);
  runs = mt_project_list_runs (project, &error);
  g_assert_cmpuint (runs->len, ==, 1);
  mt_run_record_read (runs->pdata[0], NULL, &read, &columns, &data);
  g_assert_true (mt_run_settings_equal (&settings, &read));
  g_assert_cmpstr (data, ==, "data");
  planted = settings;
  is_named = strstr (((MtProjectRun *) runs->pdata[0])->settings, setting->name) != NULL;
  g_clear_pointer (&project, mt_project_free);
  g_remove (path);
  return is_named && mt_run_settings_equal (&planted, &read);
}

static const MtModelSetting *
find_listed (const MtModelInfo *info,
             const char        *name)
{
  for (guint i = 0; i < info->n_settings; i++)
    if (g_str_equal (info->settings[i].name, name))
      return &info->settings[i];
  return NULL;
}

static gboolean
is_in_model (const MtModel   *model,
             const MtSetting *setting,
             const char      *value)
{
  const MtModelInfo *info = mt_model_get_info (model);
  const MtModelSetting *listed = find_listed (info, setting->option != NULL ? setting->option : "restarts");
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, info->seed);

  if (g_str_equal (setting->name, "task"))
    return g_str_equal (mt_task_to_string (mt_model_get_task (model)), value);
  if (g_str_equal (setting->name, "dont_care"))
    return g_str_equal (info->dont_care, value);
  if (g_str_equal (setting->name, "seed"))
    return g_str_equal (seed, value);
  if (g_str_equal (setting->name, "device"))
    return listed == NULL;   /* the CPU is not named */
  if (listed == NULL)
    return FALSE;
  if (setting->option == NULL)
    return listed->kind == MT_SETTING_NUMBER && listed->number == 0;   /* auto if there is one beside the rules */
  if (listed->kind == MT_SETTING_NUMBER)
    {
      g_autofree char *number = mt_decimal_dup (listed->number);

      return g_str_equal (number, value);
    }
  if (listed->kind == MT_SETTING_BOOLEAN)
    return g_str_equal (listed->boolean ? "true" : "false", value);
  return g_str_equal (listed->text, value);
}

static gboolean
is_in_command (const MtModel   *model,
               const MtSetting *setting,
               const char      *value)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *command = mt_model_dup_command (model, "data.csv", "model.json", &error);
  g_autofree char *flag = mt_setting_dup_flag (setting);
  g_autofree char *word = flag != NULL ? g_strdup_printf (" --%s ", flag)
                                       : g_strdup_printf (" --%s=%s ", setting->option != NULL ? setting->option : "restarts",
                                                          setting->option != NULL ? value : "0");

  g_assert_no_error (error);
  return g_str_equal (setting->name, "device") || strstr (command, word) != NULL;
}

static gboolean
is_in_report (const MtModel   *model,
              const MtSetting *setting)
{
  const MtReportParts parts = { .model = (MtModel *) model, .data_name = "data.csv", .date = 1000000000, .seed = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtReport) report = mt_report_new (&parts, NULL, &error);
  g_autoptr (GBytes) html = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GString) meaning = g_string_new (NULL);

  g_assert_no_error (error);
  html = mt_report_to_html (report, &error);
  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (html, NULL), g_bytes_get_size (html));
  /* Task and seed have sentences of their own, the switch beside the networks is theirs, the CPU is not named. */
  if (g_strv_contains ((const char * const[]) { "task", "seed", "beside", "device", NULL }, setting->name))
    return TRUE;
  if (setting->meaning == NULL)
    return FALSE;
  mt_quote_append_xml (meaning, setting->meaning);
  return strstr (text, meaning->str) != NULL;
}

/* The first place that does not know the row; NULL: all do. */
static const char *
find_gap (Fixture         *self,
          const MtSetting *setting,
          const char      *value)
{
  g_autofree char *path = g_build_filename (self->folder, "model.json", NULL);
  g_autofree char *project = g_build_filename (self->folder, "sweep.minterm", NULL);
  g_autofree char *help = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) model = NULL;

  g_assert_cmpint (mt_test_cli (NULL, &help, NULL, "train", "--help", NULL), ==, 0);
  if (!is_in_help (setting, help))
    return "help";
  if (!is_on_command_line (self, setting, "train", value, path))
    return "train";
  if (!is_on_command_line (self, setting, "sweep", value, project))
    return "sweep";
  g_remove (project);
  if (!is_in_project (self, setting, value))
    return "project";
  model = mt_model_load (path, &error);
  g_assert_no_error (error);
  if (!is_in_model (model, setting, value))
    return "model";
  if (!is_in_command (model, setting, value))
    return "command";
  return is_in_report (model, setting) ? NULL : "report";
}

static void
test_every_row (Fixture       *self,
                gconstpointer  data)
{
  for (guint i = 0; i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);
      g_autofree char *value = dup_other (setting);
      const char *gap = find_gap (self, setting, value);

      if (gap != NULL)
        g_error ("%s does not know “%s” (%s)", gap, setting->name, value);
      for (guint j = 0; j < i; j++)
        {
          g_assert_cmpstr (mt_setting_get (j)->name, !=, setting->name);
          g_assert_true (mt_setting_get (j)->offset != setting->offset);
          g_assert_true (setting->order == 0 || mt_setting_get (j)->order != setting->order);
          g_assert_cmpuint (setting->order, <=, 26);     /* behind it, the file has what the folds thought of the model */
        }
    }
}

/* A row that is in no table: no place may claim to know it. */
static void
test_planted (Fixture       *self,
              gconstpointer  data)
{
  MtSetting planted = *mt_setting_find ("bits");
  g_autofree char *path = g_build_filename (self->folder, "model.json", NULL);
  g_autofree char *help = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (is_on_command_line (self, &planted, "train", "7", path));
  model = mt_model_load (path, &error);
  g_assert_no_error (error);
  planted.name = "planted";
  planted.option = "planted";
  planted.help = "A planted setting";
  planted.meaning = "what was planted";
  g_assert_cmpint (mt_test_cli (NULL, &help, NULL, "train", "--help", NULL), ==, 0);
  g_assert_false (is_in_help (&planted, help));
  g_assert_false (is_on_command_line (self, &planted, "train", "7", path));
  g_assert_false (is_on_command_line (self, &planted, "sweep", "7", path));
  g_assert_false (is_in_project (self, &planted, "7"));
  g_assert_false (is_in_model (model, &planted, "7"));
  g_assert_false (is_in_command (model, &planted, "7"));
  g_assert_false (is_in_report (model, &planted));
}

/* The paper's method is its start, its thresholds, its pruning and a network at least; the others have what they say. */
static void
test_paper (void)
{
  MtRunSettings settings;
  MtLearnOptions learn;

  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  mt_run_settings_to_learn (&settings, &learn);
  g_assert_true (learn.frontier.refine.tune);
  g_assert_true (learn.frontier.compare_network);
  settings.learner = MT_LEARNER_PAPER;
  g_assert_true (mt_run_settings_has_network (&settings));
  mt_run_settings_to_learn (&settings, &learn);
  g_assert_false (learn.frontier.refine.tune);
  g_assert_cmpint (learn.frontier.method, ==, MT_METHOD_MAGNITUDE);
  g_assert_cmpint (learn.frontier.train.start, ==, MT_START_RANDOM);
  g_assert_cmpint (learn.thresholds, ==, MT_THRESHOLDS_ROWS);
  g_assert_cmpuint (learn.frontier.n_restarts, ==, 1);
  settings.learner = MT_LEARNER_SEARCH;
  g_assert_false (mt_run_settings_has_network (&settings));
  mt_run_settings_to_learn (&settings, &learn);
  g_assert_false (learn.frontier.refine.tune);
  g_assert_cmpint (learn.frontier.method, ==, MT_METHOD_EXACT);
  g_assert_cmpuint (learn.frontier.n_restarts, ==, 0);
}

/* What the learner is told is what the settings say, and back. */
static void
test_learn (Fixture       *self,
            gconstpointer  data)
{
  for (guint i = 0; i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);
      g_autofree char *value = dup_other (setting);
      MtRunSettings settings, back;
      MtLearnOptions learn;

      mt_run_settings_init (&settings, MT_PRESET_BALANCED);
      settings.restarts = g_str_equal (setting->name, "method") ? 1 : 0;
      settings.beside = settings.restarts == 0;
      g_assert_true (mt_setting_parse (setting, &settings, value, NULL));
      mt_run_settings_to_learn (&settings, &learn);
      mt_run_settings_from_learn (&back, &learn);
      if (!mt_run_settings_equal (&settings, &back))
        g_error ("the learner is not told “%s”", setting->name);
    }
}

static void
test_refuses (Fixture       *self,
              gconstpointer  data)
{
  static const char * const wrong[][3] = {
    { "bits", "0", "must be between 1 and 250" },
    { "bits", "1.5", "must be between 1 and 250" },
    { "bits", "nan", "must be between 1 and 250" },
    { "folds", "1", "must be between 2 and 50, or 0 for none" },
    { "rounds", "-1", "must be auto or a number between 0 and 1000, not “-1”" },
    { "seed", "-1", "must be a whole number from 0 to 18446744073709551615, not “-1”" },
    { "test_fraction", "nan", "must be between 0.01 and 0.9, or 0 for no test rows" },
    { "device", "tpu", "must be one of auto, cpu, cuda, not “tpu”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      MtRunSettings settings, before;

      mt_run_settings_init (&settings, MT_PRESET_BALANCED);
      before = settings;
      g_assert_false (mt_setting_parse (mt_setting_find (wrong[i][0]), &settings, wrong[i][1], &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
      g_assert_cmpstr (error->message, ==, wrong[i][2]);
      g_assert_true (mt_run_settings_equal (&settings, &before));
    }
}

/* A project from before all settings were kept: what the sweep was told is where the rest is. */
static void
test_old_sweep (Fixture       *self,
                gconstpointer  data)
{
  MtProjectRun run = { .settings = (char *) "{\"bits\": 4, \"nodes\": 8, \"fan_in\": 3, \"temperature\": 0.05}", .seed = 9 };
  const char *sweep = "{\"data\": \"x\", \"folds\": \"10\", \"restarts\": \"2\", \"class-weights\": \"balanced\","
                      " \"rounds\": \"\", \"numeric-terms\": \"no\", \"bits\": \"4,5\", \"dont-care\": \"off\"}";
  g_autofree char *columns = NULL;
  g_autofree char *from = NULL;
  MtRunSettings settings;

  mt_run_record_read (&run, sweep, &settings, &columns, &from);
  g_assert_null (columns);
  g_assert_cmpuint (settings.bits, ==, 4);
  g_assert_cmpuint (settings.folds, ==, 10);
  g_assert_cmpuint (settings.restarts, ==, 2);
  g_assert_true (settings.balance_classes);
  g_assert_cmpuint (settings.linear_terms, ==, MT_LINEAR_TERMS_NONE);
  g_assert_cmpuint (settings.rounds, ==, MT_ROUNDS_AUTO);
  g_assert_cmpint (settings.dont_care, ==, MT_DONT_CARE_MODE_OFF);
  g_assert_cmpuint (settings.repeats, ==, 1);
  g_assert_cmpfloat (settings.test_fraction, ==, 0);
  g_assert_cmpuint (settings.seed, ==, 9);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("COLUMNS", "1000", TRUE);      /* the help of an option is one line */
  g_test_add ("/setting/every-row", Fixture, NULL, set_up, test_every_row, tear_down);
  g_test_add ("/setting/planted", Fixture, NULL, set_up, test_planted, tear_down);
  g_test_add ("/setting/learn", Fixture, NULL, set_up, test_learn, tear_down);
  g_test_add_func ("/setting/paper", test_paper);
  g_test_add ("/setting/refuses", Fixture, NULL, set_up, test_refuses, tear_down);
  g_test_add ("/setting/old-sweep", Fixture, NULL, set_up, test_old_sweep, tear_down);
  return g_test_run ();
}
