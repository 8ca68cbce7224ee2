/* What is kept of a search, and the command that repeats it. */
#include "config.h"

#include <string.h>

#include "mt-core.h"
#include "testutils.h"

static char *
get_sample (void)
{
  return g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
}

static char *
read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

static void
train (const char *model,
       const char *more)
{
  g_autofree char *data = get_sample ();

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", data, "--target", "approved", "--fan-in", "2", "--bits", "4",
                                "--repeats", "1", "--folds", "3", "-o", model, more, NULL), ==, 0);
}

static void
test_round_trip (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "m.json", NULL);
  g_autofree char *beside = mt_search_record_dup_path (path);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtModel) told = NULL;
  g_autoptr (MtSearchRecord) record = NULL;
  g_autoptr (MtSearchRecord) other = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *again = NULL;
  const MtSearchRecordPoint *chosen;
  double cv;

  train (path, "--baselines");
  model = mt_model_load (path, &error);
  g_assert_no_error (error);
  record = mt_search_record_load (beside, model, &error);
  g_assert_no_error (error);
  kept = read_file (beside);
  again = mt_search_record_to_json (record, NULL);
  g_assert_cmpstr (kept, ==, again);
  g_assert_null (strstr (kept, "test"));         /* nothing in it is from test rows */
  g_assert_cmpuint (record->n_baselines, ==, MT_N_BASELINES);
  g_assert_cmpuint (record->n_folds, ==, 3);
  g_assert_cmpint (record->chosen, ==, record->recommended);
  chosen = &g_array_index (record->points, MtSearchRecordPoint, record->chosen);
  g_assert_cmpuint (chosen->literals, ==, mt_rule_set_get_complexity (mt_model_get_rules (model)));
  g_assert_true (mt_model_get_metric (model, "cv", MT_METRIC_AUC, &cv));
  g_assert_cmpfloat (chosen->cv_mean, ==, cv);

  /* Reasons may be written later; another model is another. */
  told = mt_model_with_reason (model, 0, "Your data", &error);
  g_assert_no_error (error);
  other = mt_search_record_load (beside, told, &error);
  g_assert_no_error (error);
  g_clear_pointer (&model, mt_model_unref);
  train (path, "--literals=4");
  model = mt_model_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mt_rule_set_get_complexity (mt_model_get_rules (model)), ==, 4);
  g_assert_true (g_file_set_contents (beside, kept, -1, NULL));
  g_assert_null (mt_search_record_load (beside, model, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_CHANGED);
  g_assert_nonnull (strstr (error->message, "belongs to another model"));
  g_assert_cmpuint (mt_test_remove_folder (folder), ==, 2);
}

/* Models whose test figures were shown are in the record and counted by the report and the ledger of a project. */
static void
test_shown (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "m.json", NULL);
  g_autofree char *html = g_build_filename (folder, "r.html", NULL);
  g_autofree char *beside = mt_search_record_dup_path (path);
  g_autoptr (MtTestSetLedger) ledger = mt_test_set_ledger_new ();
  g_autoptr (GError) error = NULL;

  for (guint shown = 0; shown < 2; shown++)
    {
      g_autoptr (MtModel) model = NULL;
      g_autoptr (MtSearchRecord) record = NULL;
      g_autofree char *key = NULL;
      g_autofree char *text = NULL;
      g_autofree char *says = NULL;

      train (path, shown ? "--evaluate-frontier" : NULL);
      model = mt_model_load (path, &error);
      g_assert_no_error (error);
      g_assert_cmpint (mt_model_get_info (model)->n_test, >, 0);
      record = mt_search_record_load (beside, model, &error);
      g_assert_no_error (error);
      g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", path, "-f", "html", "-o", html, NULL), ==, 0);
      text = read_file (html);
      if (!shown)
        {
          g_assert_null (record->tested);
          g_assert_null (strstr (text, "--evaluate-frontier)"));
          continue;
        }
      key = mt_test_set_ledger_dup_key (mt_model_get_rules (model), mt_model_get_encoder (model));
      g_assert_cmpuint (g_strv_length (record->tested), ==, record->points->len);
      g_assert_cmpuint (record->points->len, >, 1);
      g_assert_true (g_strv_contains ((const char * const *) record->tested, key));
      says = g_strdup_printf ("showed their figures for %u models", record->points->len);
      g_assert_nonnull (strstr (text, says));
      mt_test_set_ledger_add_all (ledger, (const char * const *) record->tested);
      g_assert_cmpuint (mt_test_set_ledger_get_n (ledger), ==, record->points->len);
    }
}

#define RECORD(chosen, points, folds, baselines)                                                                      \
  "{\"format\": \"minterm-record\", \"format_version\": 1, \"model_sha256\": \"00\", \"seed\": 0, \"stopped\": false,"  \
  "\"chosen\": " chosen ", \"recommended\": 0, \"frontier\": [" points "], \"folds\": " folds ", \"baselines\": ["      \
  baselines "]}"
#define POINT "{\"literals\": 1, \"rules\": 0, \"cv_mean\": null, \"cv_se\": 0.5, \"train\": 0.5}"

static void
test_faults (void)
{
  static const struct {
    const char *json, *message;
  } cases[] = {
    { "[]", "is not an object" },
    { "{\"format\": \"x\"}", "format_version" },
    { RECORD ("1", POINT, "[]", ""), "is 1, and there are 1 points" },
    { RECORD ("0", "3", "[]", ""), "frontier[0]" },
    { RECORD ("0", "{\"literals\": -1, \"rules\": 0, \"cv_mean\": 0, \"cv_se\": 0, \"train\": 0}", "[]", ""),
      "frontier[0].literals" },
    { RECORD ("0", POINT, "[\"a\"]", ""), "has a score that is neither a number nor null" },
    { RECORD ("0", POINT, "[]", "{\"kind\": \"magic\"}"), "is “magic”" },
    { RECORD ("0", POINT, "[]", "1, 2, 3, 4, 5"), "has more than 4 items" },
    { RECORD ("0", POINT, "[]", "], \"tested\": [\"00\""), "is not a SHA-256" },
  };
  g_autoptr (GError) none = NULL;
  g_autoptr (MtSearchRecord) good = mt_search_record_from_json (RECORD ("0", POINT, "[0.5, null]", ""), -1, &none);

  g_assert_no_error (none);
  g_assert_cmpuint (good->n_folds, ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (mt_search_record_from_json (cases[i].json, -1, &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("“%s” is not in “%s”", cases[i].message, error->message);
    }
}

/* As a report has it, and as one copies it from a page: blanks before a line are lost. */
static char *
copy_from_page (const char *command)
{
  g_autofree char *folded = mt_command_dup_folded (command);
  g_auto (GStrv) lines = g_strsplit (folded, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), >, 3);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      /* Only an option that is longer by itself makes a longer line. */
      g_assert_true (g_utf8_strlen (lines[i], -1) <= 80 || strstr (lines[i] + 3, " --") == NULL);
      g_strchug (lines[i]);
      g_assert_true (i == 0 || g_str_has_prefix (lines[i], "--") || g_str_has_prefix (lines[i], "'--"));
      g_assert_true (lines[i + 1] == NULL || g_str_has_suffix (lines[i], " \\"));
    }
  return g_strjoinv ("\n", lines);
}

/* The command that stands in a report, run by a shell: the same bytes. */
static void
repeat (const char * const *options)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *data = get_sample ();
  g_autofree char *first = g_build_filename (folder, "m.json", NULL);
  g_autofree char *second = g_build_filename (folder, "again.json", NULL);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *command = NULL;
  g_autofree char *copied = NULL;
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  g_ptr_array_add (argv, (char *) g_getenv ("MINTERM_CLI"));
  g_ptr_array_add (argv, (char *) "train");
  g_ptr_array_add (argv, data);
  for (guint i = 0; options[i] != NULL; i++)
    g_ptr_array_add (argv, (char *) options[i]);
  g_ptr_array_add (argv, (char *) "-o");
  g_ptr_array_add (argv, first);
  g_ptr_array_add (argv, NULL);
  process = g_subprocess_newv ((const char * const *) argv->pdata, G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  model = mt_model_load (first, &error);
  g_assert_no_error (error);
  command = mt_model_dup_command (model, data, second, &error);
  g_assert_no_error (error);
  copied = copy_from_page (command);
  g_test_message ("%s", copied);
  mt_test_run_command (copied);
  a = read_file (first);
  b = read_file (second);
  g_assert_cmpstr (a, ==, b);
  g_assert_cmpuint (mt_test_remove_folder (folder), ==, 4);
}

static void
test_command (void)
{
  static const char * const plain[] = { "--target", "approved", "--fan-in", "2", "--bits", "4", "--folds", "3", "--repeats",
                                        "1", NULL };
  static const char * const full[] = {
    "--target", "approved", "--fan-in", "2", "--bits", "3", "--folds", "3", "--seed", "18446744073709551609", "--split-seed", "18446744073709551611",
    "--test-fraction", "0.3", "--restarts", "1", "--nodes", "4", "--temperature", "0.05", "--start", "random", "--dont-care",
    "impossible", "--class-weights", "balanced", "--max-literals", "9", "--repeats", "1", "--missing", "it's nothing",
    "--no-negation", "--delimiter", "comma", "--header", "--rounds", "2", "--linear-terms", "none", "--learning-rate", "0.002",
    "--batch", "100", "--epochs", "9", NULL,
  };
  static const char * const bare[] = { "--target", "approved", "--fan-in", "2", "--bits", "3", "--folds", "0", "--test-fraction",
                                       "0", "--no-usual-missing", "--missing", "-", "--literals", "4", NULL };

  repeat (plain);
  repeat (full);
  repeat (bare);
}

/* A file that does not say enough gets no command. */
static void
test_command_faults (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "m.json", NULL);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtModel) poor = NULL;
  g_autoptr (MtModel) stopped = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree MtModelSetting *settings = NULL;
  MtModelInfo info;

  train (path, NULL);
  model = mt_model_load (path, NULL);
  info = *mt_model_get_info (model);
  info.n_settings = 1;
  poor = mt_model_new ((MtEncoder *) mt_model_get_encoder (model), (MtRuleSet *) mt_model_get_rules (model), &info, NULL);
  g_assert_null (mt_model_dup_command (poor, "d", "m", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_cmpstr (error->message, ==, "the model file does not record “fan-in”");
  g_clear_error (&error);
  info = *mt_model_get_info (model);
  settings = g_memdup2 (info.settings, info.n_settings * sizeof *settings);
  for (guint i = 0; i < info.n_settings; i++)
    if (g_str_equal (settings[i].name, "stopped"))
      settings[i].boolean = TRUE;
  info.settings = settings;
  stopped = mt_model_new ((MtEncoder *) mt_model_get_encoder (model), (MtRuleSet *) mt_model_get_rules (model), &info, NULL);
  g_assert_null (mt_model_dup_command (stopped, "d", "m", &error));
  g_assert_nonnull (strstr (error->message, "stopped early"));
  mt_test_remove_folder (folder);
}

static void
test_no_such_point (void)
{
  g_autofree char *data = get_sample ();
  g_autofree char *err = NULL;

  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "train", data, "--target", "approved", "--fan-in", "2", "--bits", "3",
                                "--folds", "0", "--literals", "99999", NULL), ==, 1);
  g_assert_nonnull (strstr (err, "the frontier has no model of size 99999; available sizes: 1, "));
}

/* The device of a run as a text and back; what is no such text is not known. */
static void
test_device (void)
{
  g_autoptr (MtRunDevice) device = mt_run_device_new ("cuda", "cpu", 4, "the “device” is\nlost");
  g_autoptr (MtRunDevice) plain = mt_run_device_new ("auto", "cpu", 2, NULL);
  g_autofree char *json = mt_run_device_to_json (device);
  g_autofree char *plain_json = mt_run_device_to_json (plain);
  g_autoptr (MtRunDevice) again = mt_run_device_from_json (json);
  g_autoptr (MtRunDevice) plain_again = mt_run_device_from_json (plain_json);
  static const char * const strange[] = {
    "", "[]", "{}", "{\"asked\": \"cuda\"}", "{\"asked\": \"cuda\", \"used\": 1, \"threads\": 1}",
    "{\"asked\": \"cuda\", \"used\": \"cpu\", \"threads\": -1}",
  };

  g_assert_cmpstr (again->asked, ==, "cuda");
  g_assert_cmpstr (again->used, ==, "cpu");
  g_assert_cmpuint (again->n_threads, ==, 4);
  g_assert_cmpstr (again->error, ==, "the “device” is\nlost");
  g_assert_null (plain_again->error);
  g_assert_null (mt_run_device_from_json (NULL));
  for (guint i = 0; i < G_N_ELEMENTS (strange); i++)
    g_assert_null (mt_run_device_from_json (strange[i]));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/round-trip", test_round_trip);
  g_test_add_func ("/record/faults", test_faults);
  g_test_add_func ("/record/command", test_command);
  g_test_add_func ("/record/command/faults", test_command_faults);
  g_test_add_func ("/record/no-such-point", test_no_such_point);
  g_test_add_func ("/record/device", test_device);
  g_test_add_func ("/record/shown", test_shown);
  return g_test_run ();
}
