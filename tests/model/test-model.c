/* The model: its file byte for byte, on disk and through every locale, and what making one refuses. */
#include "config.h"

#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "model-files.h"
#include "base/mt-error.h"
#include "rules/mt-rule-text.h"
#include "sample-models.h"

static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

/* --- the file --- */

/* Shapes of numbers: byte for byte again, the same scores, and refused where the file contradicts itself. */
static void
test_shapes (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      g_autoptr (MtTable) table = mt_test_sample_table (tasks[i], 500, 4);
      g_autoptr (MtModel) model = mt_test_shaped_model (tasks[i], table, 3, 5);
      g_autoptr (MtModel) again = NULL;
      g_autoptr (GError) error = NULL;
      const MtEncoder *encoder = mt_model_get_encoder (model);
      gsize n, n_back;
      g_autofree char *json = mt_model_to_json (model, &n);
      g_autofree char *back = NULL;

      g_assert_nonnull (strstr (json, "\"format_version\": 2"));
      g_assert_nonnull (strstr (json, "\"shape\": \"log\""));
      g_assert_nonnull (strstr (json, "\"shape\": \"clipped\""));
      again = mt_model_from_json (json, n, &error);
      g_assert_no_error (error);
      back = mt_model_to_json (again, &n_back);
      g_assert_cmpmem (json, n, back, n_back);
      g_assert_true (mt_encoder_equal (encoder, mt_model_get_encoder (again)));
      for (guint t = 0; t < 2; t++)
        {
          const MtUnary *unary = mt_term_get_unary (mt_rule_set_get_term (mt_model_get_rules (again), t), encoder);
          const MtEncoderColumn *column = mt_encoder_get_column (encoder, unary->column);
          double values[MT_N_SHAPES] = { 0 };
          MtShape shapes[MT_N_SHAPES];
          guint n_shapes = mt_encoder_column_get_shapes (column, shapes);

          /* Where it adds nothing, and rising everywhere. */
          mt_encoder_encode_number (column, mt_encoder_get_zero (encoder, unary), values);
          for (guint s = 0; s < n_shapes; s++)
            if (shapes[s] == unary->shape)
              g_assert_cmpfloat_with_epsilon (values[s], 0, 1e-9);
          for (double x = column->min - 5; x < column->max + 5; x += (column->max - column->min) / 200)
            g_assert_cmpfloat (mt_encoder_column_shape (column, unary->shape, x), <=,
                               mt_encoder_column_shape (column, unary->shape, x + 0.5));
        }
    }
}

static void
test_round_trip (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      g_autoptr (MtModel) model = model_make (tasks[i]);
      g_autoptr (MtModel) again = NULL;
      g_autoptr (GError) error = NULL;
      gsize n, n_back;
      g_autofree char *json = mt_model_to_json (model, &n);
      g_autofree char *back = NULL;
      double value;

      again = mt_model_from_json (json, n, &error);
      g_assert_no_error (error);
      back = mt_model_to_json (again, &n_back);
      g_assert_cmpmem (json, n, back, n_back);
      g_assert_true (mt_encoder_equal (mt_model_get_encoder (model), mt_model_get_encoder (again)));
      g_assert_cmpint (mt_model_get_task (again), ==, tasks[i]);
      g_assert_cmpstr (mt_model_get_info (again)->settings[2].text, ==, "exact");
      g_assert_true (mt_model_get_metric (again, "test", tasks[i] == MT_TASK_REGRESSION ? MT_METRIC_R2
                                          : MT_METRIC_AUC,
                                          &value));
      g_assert_cmpfloat (value, ==, tasks[i] == MT_TASK_REGRESSION ? -0.25 : 1.0 / 3);
      g_assert_false (mt_model_get_metric (again, "train", MT_METRIC_AUC, &value));
    }
}

static void
test_locale (void)
{
  g_autoptr (MtModel) model = model_make (MT_TASK_BINARY);
  g_autofree char *json = mt_model_to_json (model, NULL);
  g_autofree char *before = g_strdup (setlocale (LC_NUMERIC, NULL));
  g_autofree char *other = NULL;

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("there is no German locale here");
      return;
    }
  other = mt_model_to_json (model, NULL);
  setlocale (LC_NUMERIC, before);
  g_assert_cmpstr (json, ==, other);
}

/* A file of the first version opens forever; written by this program, kept in the repository. */
static void
test_fixture (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "models", "version-1.json", NULL);
  g_autofree char *kept = NULL;
  g_autofree char *json = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  gsize n, n_kept;

  model = mt_model_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mt_rule_set_get_n_terms (mt_model_get_rules (model)), ==, 8);
  json = mt_model_to_json (model, &n);
  g_assert_true (g_file_get_contents (path, &kept, &n_kept, NULL));
  g_assert_cmpmem (json, n, kept, n_kept);
}

static void
test_schema (void)
{
  const char *schema = g_getenv ("MINTERM_MODEL_SCHEMA");
  static const char check[] =
    "import json, sys\n"
    "try:\n"
    "  import jsonschema\n"
    "except ImportError:\n"
    "  sys.exit(77)\n"
    "jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))\n";
  g_autofree char *directory = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "model.json", NULL);

  g_assert_nonnull (schema);
  for (gsize i = 0; i <= G_N_ELEMENTS (tasks); i++)
    {
      g_autoptr (MtModel) model = i == 1 ? model_make_full (tasks[i]) : model_make (tasks[i % G_N_ELEMENTS (tasks)]);
      const char *argv[] = { "python3", "-c", check, schema, path, NULL };
      g_autofree char *json = mt_model_to_json (model, NULL);
      g_autofree char *messages = NULL;
      int status;

      if (i == G_N_ELEMENTS (tasks))   /* the check can fail */
        memcpy (strstr (json, "\"table\""), "\"tabla\"", strlen ("\"table\""));
      g_assert_true (g_file_set_contents (path, json, -1, NULL));
      if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &messages,
                         &status, NULL) ||
          (WIFEXITED (status) && WEXITSTATUS (status) == 77))
        {
          g_test_skip ("python3-jsonschema is not installed");
          break;
        }
      if (i < G_N_ELEMENTS (tasks) && status != 0)
        g_error ("%s", messages);
      g_assert_true (i < G_N_ELEMENTS (tasks) || status != 0);
    }
  g_unlink (path);
  g_rmdir (directory);
}

/* --- mutations --- */

/* Reasons stay with their terms, in the order of the terms, through the file. */
static void
test_reasons (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) full = model_make_full (MT_TASK_BINARY);
  guint n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (full));
  g_autoptr (MtModel) changed = mt_model_with_reason (full, 1, "another", &error);
  g_autoptr (MtModel) cleared = mt_model_with_reason (changed, 0, NULL, &error);
  g_autoptr (MtModel) read = NULL;
  g_autofree char *json = NULL;
  gsize n;

  g_assert_no_error (error);
  g_assert_cmpuint (mt_model_get_info (full)->n_reasons, ==, 2);
  g_assert_cmpstr (mt_model_get_reason (full, 0), ==, "a");
  g_assert_null (mt_model_get_reason (full, 1));
  g_assert_cmpstr (mt_model_get_reason (changed, 1), ==, "another");
  g_assert_null (mt_model_get_reason (cleared, 0));
  json = mt_model_to_json (cleared, &n);
  read = mt_model_from_json (json, n, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (mt_model_get_reason (read, 1), ==, "another");
  g_assert_cmpstr (mt_model_get_reason (read, n_terms - 1), ==, "Zu wenig \"Eigenkapital\"");
  g_assert_cmpstr (mt_model_get_missing_tokens (read)[1], ==, "-999");
}

/* What counts as missing in one column stays with it; where nothing does, the file does not speak of it. */
static void
test_missing_values (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) full = model_make_full (MT_TASK_REGRESSION);
  g_autoptr (MtModel) plain = model_make (MT_TASK_REGRESSION);
  g_autoptr (MtModel) read = NULL;
  g_autoptr (MtSchema) schema = NULL;
  g_autofree char *json = NULL;
  g_autofree char *again = NULL;
  g_autofree char *other = mt_model_to_json (plain, NULL);
  const MtEncoderColumn *column;
  gsize n, n_again;

  json = mt_model_to_json (full, &n);
  read = mt_model_from_json (json, n, &error);
  g_assert_no_error (error);
  again = mt_model_to_json (read, &n_again);
  g_assert_cmpmem (json, n, again, n_again);
  g_assert_true (mt_encoder_equal (mt_model_get_encoder (full), mt_model_get_encoder (read)));
  column = mt_encoder_get_column (mt_model_get_encoder (read), 0);
  g_assert_cmpstr (column->missing_values[0], ==, "-999.5");
  g_assert_cmpstr (column->missing_values[1], ==, "no \"number\"");
  g_assert_null (column->missing_values[2]);
  g_assert_cmpstr (mt_model_get_info (read)->target_missing[0], ==, "unknown");
  schema = mt_model_dup_schema (read);
  g_assert_cmpstr (mt_schema_get_missing (schema, column->name)[1], ==, "no \"number\"");
  g_assert_cmpstr (mt_schema_get_missing (schema, mt_model_get_info (read)->target)[0], ==, "unknown");
  g_assert_null (strstr (other, "missing_values"));
  g_assert_null (strstr (other, "target_missing"));
}

/* --- files on disk --- */

static void
test_save_and_load (void)
{
  g_autofree char *directory = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "model.json", NULL);
  g_autofree char *fifo = g_build_filename (directory, "fifo", NULL);
  g_autofree char *large = g_build_filename (directory, "large.json", NULL);
  g_autoptr (MtModel) model = model_make (MT_TASK_MULTICLASS);
  g_autoptr (MtModel) loaded = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *a = mt_model_to_json (model, NULL);
  g_autofree char *b = NULL;

  g_assert_true (mt_model_save (model, path, &error));
  g_assert_no_error (error);
  loaded = mt_model_load (path, &error);
  g_assert_no_error (error);
  b = mt_model_to_json (loaded, NULL);
  g_assert_cmpstr (a, ==, b);

  g_assert_false (mt_model_save (model, directory, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_null (mt_model_load (directory, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_clear_error (&error);
  g_assert_null (mt_model_load (fifo, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_null (mt_model_load (fifo, &error));   /* and does not wait for a writer */
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (large, "", 0, NULL));
  g_assert_cmpint (truncate (large, (off_t) MT_MODEL_MAX_BYTES + 1), ==, 0);
  g_assert_null (mt_model_load (large, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_BUDGET);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
  g_assert_null (mt_model_load (path, &error));
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_nonnull (strstr (error->message, " cannot be read as a model: "));
  g_clear_error (&error);
  if (geteuid () != 0)
    {
      g_chmod (path, 0);
      g_assert_null (mt_model_load (path, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
    }

  g_unlink (path);
  g_unlink (fifo);
  g_unlink (large);
  g_rmdir (directory);
}

/* --- making --- */

static void
test_new_refuses (void)
{
  g_autoptr (MtModel) model = model_make (MT_TASK_BINARY);
  MtEncoder *encoder = (MtEncoder *) mt_model_get_encoder (model);
  MtRuleSet *rules = (MtRuleSet *) mt_model_get_rules (model);
  const MtModelInfo good = *mt_model_get_info (model);
  const MtModelMetric nan_metric = { "test", MT_METRIC_AUC, NAN }, no_part = { NULL, MT_METRIC_AUC, 1 };
  const MtModelMetric bad_metric = { "test", (MtMetric) 99, 1 };
  const MtModelSetting nan_setting = { "x", MT_SETTING_NUMBER, NAN },
                                     bad_text = { "x", MT_SETTING_TEXT, 0, "\xff" };
  const MtModelSetting bad_kind = { "x", (MtSettingKind) 9 }, twice[] = { { "x" }, { "x" } },
                                  unnamed = { NULL };
  g_autofree MtTerm *many = g_new0 (MtTerm, MT_MODEL_MAX_TERMS + 1);
  const char *bad_classes[] = { "a", "\xff", NULL };
  double zero = 0;

  for (guint i = 0; i < 16; i++)
    {
      MtModelInfo info = good;
      g_autoptr (GError) error = NULL;
      static const char * const says[] = {
        "target", "dont_care", "dont_care", "provenance.version", "provenance.engine", "metrics[0].value",
        "metrics[0].part", "metrics[0].name", "settings.x is not a finite", "settings.x is not valid UTF-8",
        "settings.x is not a number", "settings.x occurs twice", "settings: a name", "classes[1] is not valid",
        "metrics: 1001 are more", "settings: 1001 are more",
      };

      switch (i)
        {
        case 0: info.target = NULL; break;
        case 1: info.dont_care = NULL; break;
        case 2: info.dont_care = "some"; break;
        case 3: info.version = "\xff"; break;
        case 4: info.engine = NULL; break;
        case 5: info.metrics = &nan_metric; info.n_metrics = 1; break;
        case 6: info.metrics = &no_part; info.n_metrics = 1; break;
        case 7: info.metrics = &bad_metric; info.n_metrics = 1; break;
        case 8: info.settings = &nan_setting; info.n_settings = 1; break;
        case 9: info.settings = &bad_text; info.n_settings = 1; break;
        case 10: info.settings = &bad_kind; info.n_settings = 1; break;
        case 11: info.settings = twice; info.n_settings = 2; break;
        case 12: info.settings = &unnamed; info.n_settings = 1; break;
        case 13: info.classes = bad_classes; break;
        case 14: info.n_metrics = MT_MODEL_MAX_METRICS + 1; break;
        default: info.n_settings = MT_MODEL_MAX_SETTINGS + 1; break;
        }
      g_assert_null (mt_model_new (encoder, rules, &info, &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
      if (!g_str_has_prefix (error->message, says[i]))
        g_error ("got '%s', expected '%s…'", error->message, says[i]);
    }

  /* Rules of another encoder. */
  {
    MtTerm foreign = { .is_numeric = TRUE, .numeric = 77, .weights = &zero };
    g_autoptr (MtRuleSet) other = mt_rule_set_new (MT_TASK_BINARY, 1, &zero, &foreign, 1, NULL);
    g_autoptr (MtRuleSet) crowd = NULL;
    g_autoptr (GError) error = NULL;

    g_assert_null (mt_model_new (encoder, other, &good, &error));
    g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
    g_clear_error (&error);
    for (guint i = 0; i <= MT_MODEL_MAX_TERMS; i++)
      many[i] = (MtTerm) { .is_numeric = TRUE, .numeric = i, .weights = &zero };
    crowd = mt_rule_set_new (MT_TASK_BINARY, 1, &zero, many, MT_MODEL_MAX_TERMS + 1, NULL);
    g_assert_null (mt_model_new (encoder, crowd, &good, &error));
    g_assert_nonnull (strstr (error->message, "terms: 10001 are more"));
  }
}

int
main (int    argc,
      char **argv)
{
  /* To renew the kept file after a new format version: test-model --write FILE */
  if (argc == 3 && strcmp (argv[1], "--write") == 0)
    {
      g_autoptr (MtModel) model = model_make (MT_TASK_BINARY);

      return mt_model_save (model, argv[2], NULL) ? 0 : 1;
    }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/shapes", test_shapes);
  g_test_add_func ("/model/round-trip", test_round_trip);
  g_test_add_func ("/model/locale", test_locale);
  g_test_add_func ("/model/fixture", test_fixture);
  g_test_add_func ("/model/schema", test_schema);
  g_test_add_func ("/model/reasons", test_reasons);
  g_test_add_func ("/model/missing-values", test_missing_values);
  g_test_add_func ("/model/save-and-load", test_save_and_load);
  g_test_add_func ("/model/new-refuses", test_new_refuses);
  return g_test_run ();
}
