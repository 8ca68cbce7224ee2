/* The model: its file byte for byte, what loading refuses, and its predictions against a
 * second computation from raw cells. */
#include "config.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "mt-decimal.h"
#include "mt-error.h"
#include "mt-json.h"
#include "mt-random.h"
#include "mt-rule-text.h"
#include "sample-models.h"
#include "testutils.h"

static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

static MtModel *
make (MtTask task)
{
  g_autoptr (MtTable) table = mt_test_sample_table (task, 1000, 1);

  return mt_test_sample_model (task, table, 6, 2);
}

/* @text with the right checksum for what it says: the validator behind the seal is the one
 * under test. */
static char *
reseal (const char *text,
        gsize       length,
        gsize      *n_out)
{
  static const char mark[] = ",\n  \"checksum\": \"sha256:";
  const char *seal = g_strrstr_len (text, (gssize) length, mark);
  g_autofree char *hash = NULL;
  GString *out;

  if (seal == NULL)
    {
      *n_out = length;
      return g_memdup2 (text, length);
    }
  hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, (gsize) (seal - text));
  out = g_string_new_len (text, seal - text);
  g_string_append_printf (out, "%s%s\"\n}\n", mark, hash);
  *n_out = out->len;
  return g_string_free (out, FALSE);
}

/* --- the file --- */

static void
test_round_trip (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      g_autoptr (MtModel) model = make (tasks[i]);
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
  g_autoptr (MtModel) model = make (MT_TASK_BINARY);
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
      g_autoptr (MtModel) model = make (tasks[i % G_N_ELEMENTS (tasks)]);
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

static void
assert_refused (const char *json,
                gssize      length,
                const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) model = mt_model_from_json (json, length < 0 ? strlen (json) : (gsize) length, &error);

  if (model != NULL)
    g_error ("a model was read, though '%s' was expected", says);
  if (strstr (error->message, says) == NULL)
    g_error ("got '%s', expected '%s'", error->message, says);
}

/* One edit a case: the first (or with a '#' the last) occurrence of `from` becomes `to`. */
static void
test_refuses (void)
{
  const struct { const char *from, *to, *says; } cases[] = {
    { "\"format\": \"minterm-model\"", "\"format\": \"other\"", "not a Minterm model" },
    { "\"format\": \"minterm-model\"", "\"format\": 1",
     "format (line 2) is a number and should be a string" },
    { "\"format\"", "\"formal\"", "is not a Minterm model" },
    { "\"format_version\": 1", "\"format_version\": 2", "made by a newer version of Minterm" },
    { "\"format_version\": 1", "\"format_version\": 0", "format_version (line 3) is not a whole number" },
    { "\"format_version\": 1", "\"format_version\": -1", "format_version (line 3) is not a whole number" },
    { "\"format_version\": 1", "\"format_version\": \"1\"", "format_version (line 3) is a string" },
    { "\"format_version\": 1", "\"format_version\": 1.5", "format_version (line 3) is not a whole number" },
    { "\"task\": \"binary\"", "\"task\": \"ternary\"",
     "task (line 4) must be binary, multiclass or regression" },
    { "\"task\": \"binary\"", "\"task\": \"multiclass\"", "a multiclass model cannot have 1 outputs" },
    { "\"task\": \"binary\"", "\"task\": \"regression\"",
     "classes: 2 of them do not fit a regression model" },
    { "\"task\": \"binary\"", "\"task\": null", "task (line 4) is null and should be a string" },
    { "\"target\": \"y\",\n", "", "has no member \"target\"" },
    { "\"provenance\"", "\"missing_tokens\": [\"x\", \"x\"], \"provenance\"", "missing_tokens[1] occurs twice" },
    { "\"provenance\"", "\"missing_tokens\": [1], \"provenance\"", "missing_tokens[0]" },
    { "\"provenance\"", "\"missing_tokens\": [\"\", \"NA\", \"N/A\", \"n/a\", \"#N/A\", \"<NA>\", \"NaN\", \"nan\", "
      "\"NAN\", \"null\", \"NULL\", \"Null\", \"?\"], \"provenance\"", "they are the usual ones" },
    { "\"provenance\"", "\"reasons\": [], \"provenance\"", "must hold 1 to 10000 reasons" },
    { "\"provenance\"", "\"reasons\": [{\"term\": \"a\"}], \"provenance\"", "has no member \"text\"" },
    { "\"provenance\"", "\"reasons\": [{\"term\": \"a\", \"text\": \"\"}], \"provenance\"", "reasons[0] is empty" },
    { "\"provenance\"", "\"reasons\": [{\"term\": \"zz\", \"text\": \"b\"}], \"provenance\"",
      "has reasons for terms that are not there" },
    { "\"provenance\"", "\"reasons\": [{\"term\": \"a\", \"text\": \"b\"}, {\"term\": \"a\", \"text\": \"c\"}], "
      "\"provenance\"", "reasons[1] is about a term that has a reason already" },
    { "\"target\": \"y\"", "\"target\": 3", "target" },
    { "\"target\": \"y\"", "\"extra\": 1, \"target\": \"y\"", "has a member \"extra\", which is unknown" },
    { "[\"no\", \"yes\"]", "[\"no\", \"no\"]", "classes[1] occurs twice" },
    { "[\"no\", \"yes\"]", "[\"no\"]", "classes: 1 of them do not fit" },
    { "[\"no\", \"yes\"]", "[\"no\", 1]", "classes[1] (line 6) is a number" },
    { "[\"no\", \"yes\"]", "\"no\"", "classes" },
    { "\"complexity\": ", "\"complexity\": 1", "complexity (line 7) should be" },
    { "\"complexity\": ", "\"complexity\": -", "complexity (line 7) is not a whole number" },
    { "\"dont_care\": \"unseen\"", "\"dont_care\": \"all\"", "dont_care must be off, impossible or unseen" },
    { "\"dont_care\": \"unseen\"", "\"dont_care\": true", "dont_care" },
    { "\"bias\": [-0.5]", "\"bias\": []", "weights (line" },
    { "\"bias\": [-0.5]", "\"bias\": [-0.5, 1]", "terms[0].weights (line" },
    { "\"bias\": [-0.5]", "\"bias\": [1e400]", "a number is too large" },
    { "\"bias\": [-0.5]", "\"bias\": [null]", "bias[0]" },
    { "\"bias\": [-0.5]", "\"bias\": {}", "bias (line 9) is an object and should be a list" },
    { "\"terms\": [", "\"terms\": [7, ", "terms[0] (line 10) is a number and should be an object" },
    { "\"kind\": \"number\"", "\"kind\": \"rule\"",
     "terms[0] (line 11) has a member \"column\", which is unknown" },
    { "\"kind\": \"number\"", "\"kind\": \"word\"", "terms[0].kind (line 12) must be number or rule" },
    { "\"kind\": \"number\"", "\"kind\": 1", "terms[0].kind" },
    { "\"text\": \"a\"", "\"text\": \"b\"", "terms[0].text (line 13) does not say what the term does: a" },
    { "\"text\": \"a\"", "\"text\": []", "terms[0].text" },
    { "\"column\": 0", "\"column\": 99", "terms[0].column (line 15) is not a whole number from 0 to 5" },
    { "\"column\": 0", "\"column\": 3", "terms[0].column (line 15) is a column without a numeric term" },
    { "\"column\": 0", "\"column\": 2", "terms[0].text (line 13) does not say" },
    { "\"column\": 0", "\"column\": \"0\"", "terms[0].column" },
    { "\"inputs\": [", "\"inputs\": [99999, ", "inputs[0]" },
    { "\"inputs\": [", "\"inputs\": [-1, ", "inputs[0]" },
    { "\"inputs\": [", "\"inputs\": [0.5, ", "inputs[0]" },
    { "\"inputs\": [", "\"inputs\": [2147483648, ", "inputs[0]" },
    { "\"inputs\": [", "\"inputs\": [18446744073709551616, ", "inputs[0]" },
    { "\"inputs\": [", "\"inputs\": [], \"ignored\": [", "has a member \"ignored\"" },
    { "\"cubes\": [", "\"cubes\": [1, ", "cubes[0]" },
    { "{\"mask\": ", "{\"mask\": 99999", "mask" },
    { "{\"mask\": ", "{\"mask\": -", "mask" },
    { "{\"mask\": ", "{\"musk\": ", "has a member \"musk\"" },
    { ", \"value\": ", ", \"value\": 6553", "speaks of inputs that it does not have" },
    { ", \"value\": ", ", \"value\": 65536", "value" },
    { "\"proven\": ", "\"proven\": 1, \"x\": ", "has a member \"x\"" },
    { "\"proven\": true", "\"proven\": 1", "proven" },
    { "\"table\": \"", "\"table\": \"g", "table" },
    { "\"table\": \"", "\"table\": \"f", "table" },
    { "\"table\": ", "\"table\": null, \"x\": ", "has a member \"x\"" },
    { "\"unseen\": null", "\"unseen\": 5", "unseen" },
    { "\"unseen\": null", "\"unseen\": \"zz\"", "unseen" },
    { "\"impossible\": null", "\"impossible\": \"1\"", "impossible holds an assignment that a row can have" },
    { "\"neutral\": null", "\"neutral\": \"ffffffffffffffffffff\"", "neutral" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": 5", "origin (line" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {}", "origin" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"word\"}", "must be scan, node, deep or edit" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"scan\", \"inputs\": [0]}", "has a member \"inputs\"" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"node\", \"inputs\": [0], \"weights\": [1]}", "threshold" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"node\", \"inputs\": [], \"weights\": [], \"threshold\": 0}", "origin.inputs" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"node\", \"inputs\": [0, 1], \"weights\": [1], \"threshold\": 0}", "has 1 items and should have 2" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"node\", \"inputs\": [1, 0], \"weights\": [1, 1], \"threshold\": 0}", "inputs must ascend" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"node\", \"inputs\": [99999], \"weights\": [1], \"threshold\": 0}", "origin.inputs[0]" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"node\", \"inputs\": [0], \"weights\": [\"1\"], \"threshold\": 0}", "origin.weights[0]" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"node\", \"inputs\": [0], \"weights\": [1], \"threshold\": null}", "origin.threshold" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"deep\", \"inputs\": [0, 1], \"table\": \"zz\"}", "origin.table" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"deep\", \"inputs\": [1, 0], \"table\": \"6\"}", "is not a node" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"deep\", \"inputs\": [0, 1], \"weights\": [1, 1]}", "origin" },
    { "\"columns\": [", "\"columns\": [5, ", "encoder.columns[0]" },
    { "\"columns\": [", "\"columns\": [], \"x\": [", "encoder" },
    { "\"encoder\": {", "\"encoder\": 1, \"x\": {", "has a member \"x\"" },
    { "\"name\": \"a\"", "\"name\": 5", "encoder.columns[0].name" },
    { "\"name\": \"a\"", "\"name\": \"d\"", "encoder.columns[3].name is the name of another column too" },
    { "\"type\": \"number\"", "\"type\": \"text\"", "encoder.columns[0].type" },
    { "\"type\": \"number\"", "\"type\": \"colour\"", "encoder.columns[0].type" },
    { "\"type\": \"number\"", "\"type\": \"category\"", "encoder.columns[0]" },
    { "\"type\": \"category\"", "\"type\": \"number\"", "encoder.columns[3]" },
    { "\"type\": \"number\"", "\"type\": 0", "encoder.columns[0].type" },
    { "\"missing\": false", "\"missing\": 0", "encoder.columns[0].missing" },
    { "\"thresholds\": [", "\"thresholds\": [1e308, ", "encoder.columns[0].thresholds[1] is not above" },
    { "\"thresholds\": [", "\"thresholds\": [\"x\", ", "encoder.columns[0].thresholds[0]" },
    { "\"thresholds\": [", "\"thresholds\": 3, \"x\": [", "has a member \"x\"" },
    { "\"mean\": ", "\"mean\": 1e999, \"x\": ", "a number is too large" },
    { "\"mean\": ", "\"mean\": \"x\", \"sd\": ", "member \"sd\" occurs twice" },
    { "\"sd\": ", "\"sd\": -", "encoder.columns[0].sd is negative" },
    { "\"min\": ", "\"min\": 9e300, \"x\": ", "has a member \"x\"" },
    { "\"max\": ", "\"max\": -9", "encoder.columns[0].min is above max" },
    { "\"levels\": [", "\"levels\": [\"red\", ", "encoder.columns[3].levels" },
    { "\"levels\": [", "\"levels\": [3, ", "encoder.columns[3].levels[0]" },
    { "\"rest\": [\"rare\"]", "\"rest\": [\"red\"]", "encoder.columns[4].rest[0] occurs twice" },
    { "\"rest\": [\"rare\"]", "\"rest\": {}", "encoder.columns[4].rest" },
    { "\"other\": true", "\"other\": \"yes\"", "encoder.columns[4].other" },
    { "\"metrics\": [", "\"metrics\": [1, ", "metrics[0]" },
    { "\"metrics\": [", "\"metrics\": 1, \"x\": [", "has a member \"x\"" },
    { "\"part\": \"cv\"", "\"part\": \"moon\"", "metrics[0].part must be" },
    { "\"part\": \"cv\"", "\"part\": \"test\"", "metrics[1] says again what metrics[0] said" },
    { "\"part\": \"cv\"", "\"part\": 1", "metrics[0].part" },
    { "\"name\": \"auc\"", "\"name\": \"r2\"", "metrics[0].name is not a metric of a binary model" },
    { "\"name\": \"auc\"", "\"name\": \"luck\"", "metrics[0].name" },
    { "\"name\": \"auc\"", "\"name\": null", "metrics[0].name" },
    { "\"value\": 0.8125", "\"value\": \"good\"", "metrics[0].value" },
    { "\"low\": 0.79", "\"low\": 0.99", "metrics[0].low and high are not an interval" },
    { "\"low\": 0.79", "\"low\": false", "metrics[0].low" },
    { "\"high\": 0.83", "\"high\": false", "metrics[0].high" },
    { "\"low\": 0.79, ", "", "metrics[0]" },
    { "\"train_differ\": 1", "\"train_differ\": 1001",
     "fidelity.train_differ is more than all training rows" },
    { "\"train_differ\": 1", "\"train_differ\": -1", "fidelity.train_differ" },
    { "\"train_differ\": 1", "\"train_differ\": 9223372036854775808", "fidelity.train_differ is more" },
    { "\"test_differ\": null", "\"test_differ\": 1", "fidelity.test_differ is more than all test rows" },
    { "\"test_differ\": null", "\"test_differ\": \"x\"", "fidelity.test_differ" },
    { "\"fidelity\": {", "\"fidelity\": {\"x\": 1, ", "fidelity" },
    { "\"fidelity\": {", "\"fidelity\": 1, \"x\": {", "has a member \"x\"" },
    { "\"bits\": 5", "\"bits\": [5]", "settings.bits" },
    { "\"bits\": 5", "\"b its\": 5", "settings: a name must be" },
    { "\"bits\": 5", "\"\": 5", "settings: a name must be" },
    { "\"settings\": {", "\"settings\": 1, \"x\": {", "has a member \"x\"" },
    { "\"version\": \"0.1.0\"", "\"version\": 1", "provenance.version" },
    { "\"engine\": \"cpu\"", "\"engine\": null", "provenance.engine" },
    { "\"data_sha256\": \"0", "\"data_sha256\": \"x",
     "provenance.data_sha256 must be 64 hexadecimal digits" },
    { "\"data_sha256\": \"0", "\"data_sha256\": \"", "provenance.data_sha256 must be" },
    { "\"data_sha256\": \"0", "\"data_sha256\": \"000", "provenance.data_sha256 must be" },
    { "\"rows\": 1000", "\"rows\": 999", "provenance: more rows were used than the data have" },
    { "\"rows\": 1000", "\"rows\": 18446744073709551615", "provenance.rows" },
    { "\"rows\": 1000", "\"rows\": null", "provenance.rows" },
    { "\"train_rows\": 1000", "\"train_rows\": 4294967295", "provenance: more rows" },
    { "\"test_rows\": 0", "\"test_rows\": 1e3", "provenance.test_rows" },
    { "\"seed\": 2", "\"seed\": -2", "provenance.seed" },
    { "\"seed\": 2", "\"sees\": 2", "provenance" },
    { "\"columns\": [", "\"column\": [", "encoder (line" },
    { "\"thresholds\"", "\"limits\"", "encoder.columns[0]" },
    { "\"mean\": ", "\"mean\": true, \"average\": ", "has a member \"average\"" },
    { "\"name\": \"a\",", "", "encoder.columns[0] (line" },
    { "\"type\": \"number\",", "", "encoder.columns[0] (line" },
    { "\"missing\": false,", "", "encoder.columns[0] (line" },
    { "\"kind\": \"number\",", "", "terms[0] (line 11) has no member \"kind\"" },
    { "\"text\": \"a\",", "", "terms[0] (line 11) has no member \"text\"" },
    { "\"weights\": [", "\"weight\": [", "terms[0] (line 11) has no member \"weights\"" },
    { "\"weights\": [", "\"weights\": [\"x\", ", "terms[0].weights[0]" },
    { "\"unseen\": null", "\"seen\": null", "has a member \"seen\"" },
    { "\"proven\": true", "\"proven\": null", "proven" },
    { "\"value\": 3}", "\"value\": 4}", "speaks of inputs that it does not have" },
    { "\"value\": 3}", "\"value\": 2}", "table (line" },
    { "\"inputs\": [8, 14, 22]", "\"inputs\": [8, 22, 14]", "inputs must ascend" },
    { "\"impossible\": null", "\"impossible\": 1", "impossible" },
    { "\"neutral\": null", "\"neutral\": [1]", "neutral" },
    { "\"metrics\": [", "\"metrics\": [{\"part\": \"cv\"}, ", "metrics[0]" },
    { "\"text\": \"when\"", "\"text\": \"a\"", "terms[1].text" },
    { "\"text\": \"when\",", "\"text\": \"a\", \"column\": 0, \"column\": 2,", "occurs twice" },
    { "\"mean\": ", "\"mean\": \"", "line" },
    { "\"provenance\": {", "\"provenance\": [], \"x\": {", "has a member \"x\"" },
  };
  g_autoptr (MtModel) model = make (MT_TASK_BINARY);
  g_autofree char *json = mt_model_to_json (model, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *at = strstr (json, cases[i].from);
      g_autoptr (GString) edited = NULL;
      g_autofree char *sealed = NULL;
      gsize n;

      if (at == NULL)
        g_error ("the model has no '%s'", cases[i].from);
      edited = g_string_new_len (json, at - json);
      g_string_append (edited, cases[i].to);
      g_string_append (edited, at + strlen (cases[i].from));
      sealed = reseal (edited->str, edited->len, &n);
      assert_refused (sealed, (gssize) n, cases[i].says);
    }
}

/* @json as text, its value number @target (counted from the root) replaced. */
static void
append_replaced (GString      *out,
                 const MtJson *json,
                 guint        *counter,
                 guint         target,
                 const char   *replacement)
{
  gboolean is_object = mt_json_get_kind (json) == MT_JSON_OBJECT;
  char number[MT_DECIMAL_SIZE];
  guint64 whole;

  if ((*counter)++ == target)
    {
      g_string_append (out, replacement);
      return;
    }
  switch (mt_json_get_kind (json))
    {
    case MT_JSON_NULL:
      g_string_append (out, "null");
      break;
    case MT_JSON_BOOLEAN:
      g_string_append (out, mt_json_get_boolean (json) ? "true" : "false");
      break;
    case MT_JSON_NUMBER:
      if (mt_json_get_integer (json, G_MAXUINT64, &whole))
        g_string_append_printf (out, "%" G_GUINT64_FORMAT, whole);
      else
        g_string_append (out, mt_decimal_write (mt_json_get_number (json), number));
      break;
    case MT_JSON_STRING:
      {
        g_autofree char *escaped = g_strescape (mt_json_get_string (json),
                                                "\xe2\x89\xa0\xa5");   /* not ≠ and ≥ */

        g_string_append_printf (out, "\"%s\"", escaped);
        break;
      }
    case MT_JSON_ARRAY:
    case MT_JSON_OBJECT:
    default:
      g_string_append_c (out, is_object ? '{' : '[');
      for (guint i = 0; i < mt_json_get_n_children (json); i++)
        {
          g_string_append (out, i > 0 ? ", " : "");
          if (is_object)
            g_string_append_printf (out, "\"%s\": ", mt_json_get_name (json, i));
          append_replaced (out, mt_json_get_child (json, i), counter, target, replacement);
        }
      g_string_append_c (out, is_object ? '}' : ']');
      break;
    }
}

/* Every value of the file in turn becomes one of another kind: the error says where, or the
 * file means a model all the same (null for a table, another weight). */
static void
test_every_value (void)
{
  static const char * const others[] = { "null", "true", "1", "-1", "\"x\"", "[]", "{}" };
  g_autoptr (MtModel) model = make (MT_TASK_BINARY);
  g_autofree char *json = mt_model_to_json (model, NULL);
  g_autoptr (MtJson) document = mt_json_parse (json, -1, NULL);
  guint n_values = 2, n_accepted = 0, n_refused = 0;

  for (guint target = 1; target < n_values; target++)
    for (gsize k = 0; k < G_N_ELEMENTS (others); k++)
      {
        g_autoptr (GString) edited = g_string_new ("{");
        g_autofree char *sealed = NULL;
        g_autoptr (GError) error = NULL;
        g_autoptr (MtModel) loaded = NULL;
        guint counter = 1;
        gsize length;

        for (guint i = 0; i + 1 < mt_json_get_n_children (document); i++)   /* all but the checksum */
          {
            g_string_append_printf (edited, "%s\"%s\": ", i > 0 ? ", " : "", mt_json_get_name (document, i));
            append_replaced (edited, mt_json_get_child (document, i), &counter, target, others[k]);
          }
        n_values = MAX (n_values, counter);
        g_string_append (edited, ",\n  \"checksum\": \"sha256:");
        sealed = reseal (edited->str, edited->len, &length);
        loaded = mt_model_from_json (sealed, length, &error);
        g_assert_true ((loaded == NULL) == (error != NULL));
        n_accepted += loaded != NULL;
        n_refused += loaded == NULL;
      }
  g_test_message ("%u values; %u edits refused, %u accepted", n_values - 1, n_refused, n_accepted);
  g_assert_cmpuint (n_values, >, 200);
  g_assert_cmpuint (n_accepted, >, 0);
  g_assert_cmpuint (n_refused, >, n_accepted * 4);
}

/* The first @from becomes @to, @n times @many, and @rest. */
static void
assert_long_refused (const char *json,
                     const char *from,
                     const char *to,
                     guint       n,
                     const char *many,
                     const char *rest,
                     const char *says)
{
  const char *at = strstr (json, from);
  g_autoptr (GString) edited = g_string_new_len (json, at - json);
  g_autofree char *sealed = NULL;
  gsize length;

  g_string_append (edited, to);
  for (guint i = 0; i < n; i++)
    g_string_append (edited, many);
  g_string_append (edited, rest);
  g_string_append (edited, at + strlen (from));
  sealed = reseal (edited->str, edited->len, &length);
  assert_refused (sealed, (gssize) length, says);
}

static void
test_refuses_long (void)
{
  g_autoptr (MtModel) model = make (MT_TASK_BINARY);
  g_autofree char *json = mt_model_to_json (model, NULL);

  assert_long_refused (json, "\"terms\": [", "\"terms\": [", 10001, "1,", "",
                       "terms (line 10) has 10009 items and should have at most 10000");
  assert_long_refused (json, "\"columns\": [", "\"columns\": [", 100001, "1,", "", "encoder.columns");
  assert_long_refused (json, "\"cubes\": [", "\"cubes\": [", 65537, "1,", "",
                       "items and should have at most 65536");
  assert_long_refused (json, "\"inputs\": [", "\"inputs\": [", 17, "0,", "",
                       "items and should have at most 16");
  assert_long_refused (json, "\"inputs\": [8, 14, 22]", "\"inputs\": [", 0, "", "]",
                       "inputs (line 27) has no items");
  assert_long_refused (json, "\"thresholds\": [", "\"thresholds\": [", 251, "1,", "", "at most 250");
  assert_long_refused (json, "\"levels\": [", "\"levels\": [", 251, "\"x\",", "", "at most 250");
  assert_long_refused (json, "\"weights\": [", "\"weights\": [", 1001, "1,", "", "at most 1000");
  assert_long_refused (json, "\"bias\": [", "\"bias\": [", 1001, "1,", "", "at most 1000");
  assert_long_refused (json, "\"classes\": [", "\"classes\": [", 1001, "\"c\",", "", "at most 1000");
  assert_long_refused (json, "\"metrics\": [", "\"metrics\": [", 1001,
                       "{\"part\":\"cv\",\"name\":\"auc\",\"value\":1},", "",
                       "metrics: 1003 are more than the 1000 allowed");
}

/* What no edit of one place can bring about. */
static void
test_refuses_more (void)
{
  g_autoptr (MtModel) model = make (MT_TASK_BINARY);
  gsize n;
  g_autofree char *json = mt_model_to_json (model, &n);
  g_autofree char *changed = g_strdup (json);
  g_autofree char *huge = g_malloc0 (MT_MODEL_MAX_BYTES + 1);

  *strstr (changed, "red") = 'R';
  assert_refused (changed, (gssize) n, "checksum does not fit");
  assert_refused (json, (gssize) n - 1, "checksum does not fit");        /* the last newline */
  assert_refused (json, (gssize) n - 3, "line");
  assert_refused ("{\"format\": \"minterm-model\", \"format_version\": 1}", -1, "checksum does not fit");
  assert_refused ("[1, 2]", -1, "is not a Minterm model");
  assert_refused (huge, MT_MODEL_MAX_BYTES + 1, "more than 32 MB");
  assert_refused ("{\"format\": \"minterm-model\", \"format_version\": 9, \"new\": 1}", -1,
                  "made by a newer version of Minterm");
}

/* --- mutations --- */

static char *
mutate (MtRandom   *random,
        const char *json,
        gsize       n,
        guint       how,
        gsize      *n_out)
{
  static const char * const values[] = {
    "2147483648", "4294967295", "9223372036854775808", "-1", "1e308", "1e999", "NaN", "null", "[]", "{}",
    "\"\"", "0.5",
  };
  char *copy = g_memdup2 (json, n + 1);
  gsize at = mt_random_below (random, n), other = mt_random_below (random, n),
             length = 1 + mt_random_below (random, 200);

  *n_out = n;
  switch (how)
    {
    case 0:   /* one bit */
      copy[at] = (char) (copy[at] ^ (1 << mt_random_below (random, 8)));
      break;
    case 1:   /* one byte */
      copy[at] = (char) (copy[at] ^ (1 + mt_random_below (random, 255)));
      break;
    case 2:   /* cut */
      *n_out = at;
      break;
    case 3:   /* a piece copied elsewhere */
      length = MIN (length, n - MAX (at, other));
      memmove (copy + at, json + other, length);
      break;
    case 4:   /* a piece taken out */
      length = MIN (length, n - at);
      memmove (copy + at, copy + at + length, n - at - length);
      *n_out = n - length;
      break;
    default:  /* a value replaced by a hostile one */
      {
        const char *value = values[mt_random_below (random, G_N_ELEMENTS (values))];
        const char *colon = memchr (json + at, ':', n - at);
        gsize first = colon != NULL ? (gsize) (colon - json) + 1 : 0, last = first;
        GString *out;

        while (last < n && strchr (",\n}]", json[last]) == NULL)
          last++;
        out = g_string_new_len (json, (gssize) first);
        g_string_append (out, value);
        g_string_append_len (out, json + last, (gssize) (n - last));
        *n_out = out->len;
        g_free (copy);
        return g_string_free (out, FALSE);
      }
    }
  return copy;
}

/* Each kind in its turn. */
static void
add_origin (MtRule *rule,
            guint   turn)
{
  static const double weights[16] = { 0.1, -2.5, 1e-300, 3, 1.0 / 3, -7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 };
  guint n = mt_rule_get_n_inputs (rule);
  g_autoptr (MtOrigin) origin = turn % 4 == 0 ? mt_origin_new_scan ()
    : turn % 4 == 3 ? mt_origin_new_edit ()
    : turn % 4 == 1 ? mt_origin_new_node (mt_rule_get_inputs (rule), n, weights, 0.25, NULL)
                    : mt_origin_new_deep (mt_rule_get_inputs (rule), n, mt_rule_get_table (rule), NULL);

  g_assert_nonnull (origin);
  mt_rule_set_origin (rule, origin);
}

/* One of each that leaves no trace in the rules. */
static void
add_edits (MtModelInfo     *info,
           const MtEncoder *encoder,
           const MtRuleSet *rules,
           MtEditRecord    *edits)
{
  const double *thresholds = mt_encoder_get_column (encoder, 0)->thresholds;
  guint n = mt_rule_set_get_complexity (rules);
  MtMetric metric = mt_rule_set_get_task (rules) == MT_TASK_REGRESSION ? MT_METRIC_R2 : MT_METRIC_AUC;
  const MtEditRecord some[] = {
    { { .kind = MT_EDIT_DROP_RULE, .term = 3 }, "a rule", NULL, "r1", n + 5, n + 4, TRUE, metric, .75, .5, .01, .02 },
    { { .kind = MT_EDIT_DROP_TERM, .term = 2, .part = 1 }, "a rule", "a term", "r2", n + 4, n + 2 },
    { { .kind = MT_EDIT_DROP_INPUT, .term = 2, .part = 3 }, "a rule", "an \"input\"", "r3", n + 2, n },
    { { .kind = MT_EDIT_MERGE_THRESHOLDS, .column = mt_encoder_get_column_name (encoder, 0), .from = thresholds[0],
        .to = thresholds[1] }, NULL, NULL, "r4", n, n },
    { { .kind = MT_EDIT_ROUND_WEIGHTS, .decimals = 2 }, NULL, NULL, "r5\nä", n, n, TRUE, metric, .5, .5, 0, 0 },
    { { .kind = MT_EDIT_ROUND_WEIGHTS, .points = 20 }, NULL, NULL, "r6", n, n },
    { { .kind = MT_EDIT_REFIT }, NULL, NULL, "r7", n, n },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (some) <= MT_N_EDITS);
  memcpy (edits, some, sizeof some);
  info->edits = edits;
  info->n_edits = G_N_ELEMENTS (some);
}

/* The same with everything that a file need not have: constraints, tokens, reasons, and assignments of all three kinds. */
static MtModel *
make_full (MtTask task)
{
  g_autoptr (MtModel) model = make (task);
  const MtRuleSet *rules = mt_model_get_rules (model);
  g_autoptr (MtConstraints) constraints = mt_constraints_new ();
  g_autoptr (MtRuleSet) all = NULL;
  g_autofree MtTerm *terms = g_new (MtTerm, mt_rule_set_get_n_terms (rules));
  g_autoptr (GError) error = NULL;
  MtModelInfo info = *mt_model_get_info (model);
  static const char * const tokens[] = { "", "-999", NULL };
  g_autofree char *first = mt_term_dup_text (mt_rule_set_get_term (rules, 0), mt_model_get_encoder (model));
  g_autofree char *last = mt_term_dup_text (mt_rule_set_get_term (rules, mt_rule_set_get_n_terms (rules) - 1),
                                            mt_model_get_encoder (model));
  const MtModelReason reasons[] = { { last, "Zu wenig \"Eigenkapital\"" }, { first, "a" }, { "not there", "left out" } };
  MtEditRecord edits[MT_N_EDITS];
  MtModel *full;
  guint n_marked = 0;

  mt_constraints_set_banned (constraints, "a banned one", TRUE);
  mt_constraints_set_banned (constraints, "another", TRUE);
  if (task != MT_TASK_MULTICLASS)
    mt_constraints_set_direction (constraints, "not encoded", MT_DIRECTION_RISING);
  info.constraints = constraints;
  info.missing_tokens = tokens;
  info.reasons = reasons;
  info.n_reasons = G_N_ELEMENTS (reasons);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtRule *rule = mt_rule_set_get_term (rules, t)->rule;
      const guint64 *sets[MT_N_DONT_CARES];
      guint64 neutral = 0;

      terms[t] = *mt_rule_set_get_term (rules, t);
      if (rule == NULL)
        continue;
      for (guint d = 0; d < MT_N_DONT_CARES; d++)
        sets[d] = mt_rule_get_dont_care (rule, (MtDontCare) d);
      for (guint v = 0; v < 1u << mt_rule_get_n_inputs (rule); v += 3)
        if ((sets[0] == NULL || !(*sets[0] >> v & 1)) && (sets[1] == NULL || !(*sets[1] >> v & 1)))
          neutral |= (guint64) 1 << v;
      sets[MT_DONT_CARE_NEUTRAL] = &neutral;
      n_marked += neutral != 0;
      terms[t].rule = mt_rule_new (mt_rule_get_inputs (rule), mt_rule_get_n_inputs (rule), mt_rule_get_cubes (rule),
                                   mt_rule_get_n_cubes (rule), sets, mt_rule_get_proven (rule), &error);
      add_origin (terms[t].rule, t);
      g_assert_no_error (error);
    }
  g_assert_cmpuint (n_marked, >, 0);
  all = mt_rule_set_new (task, mt_rule_set_get_n_outputs (rules), mt_rule_set_get_bias (rules), terms,
                         mt_rule_set_get_n_terms (rules), &error);
  g_assert_no_error (error);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    mt_rule_unref (terms[t].rule);
  add_edits (&info, mt_model_get_encoder (model), all, edits);
  full = mt_model_new ((MtEncoder *) mt_model_get_encoder (model), all, &info, &error);
  g_assert_no_error (error);
  return full;
}

/* Reasons stay with their terms, in the order of the terms, through the file. */
static void
test_reasons (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) full = make_full (MT_TASK_BINARY);
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

static void
test_mutations (void)
{
  gsize n_each = g_test_slow () ? 3334 : 150;   /* of each kind and task: 10,000 of each kind */
  MtRandom random;
  gsize n_accepted = 0;

  mt_random_init (&random, 4);
  for (gsize t = 0; t < G_N_ELEMENTS (tasks); t++)
    {
      g_autoptr (MtModel) model = make_full (tasks[t]);
      gsize n;
      g_autofree char *json = mt_model_to_json (model, &n);

      for (guint how = 0; how < 6; how++)
        for (gsize i = 0; i < n_each; i++)
          {
            gsize n_mutated, n_sealed;
            g_autofree char *mutated = mutate (&random, json, n, how, &n_mutated);
            g_autofree char *sealed = NULL;
            g_autoptr (GError) error = NULL;
            g_autoptr (GError) error_sealed = NULL;
            g_autoptr (MtModel) loaded = mt_model_from_json (mutated, n_mutated, &error);
            g_autoptr (MtModel) loaded_sealed = NULL;

            /* As it is: nothing but the very same bytes is accepted. */
            g_assert_true ((loaded == NULL) == (error != NULL));
            if (loaded != NULL)
              g_assert_true (n_mutated == n && memcmp (mutated, json, n) == 0);

            /* With a fitting checksum: refused with a reason, or a model as good as any. */
            sealed = reseal (mutated, n_mutated, &n_sealed);
            loaded_sealed = mt_model_from_json (sealed, n_sealed, &error_sealed);
            g_assert_true ((loaded_sealed == NULL) == (error_sealed != NULL));
            if (loaded_sealed != NULL)
              {
                gsize n_back;
                g_autofree char *back = mt_model_to_json (loaded_sealed, &n_back);
                g_autoptr (MtModel) again = mt_model_from_json (back, n_back, &error);

                g_clear_error (&error);
                g_assert_nonnull (again);
                n_accepted++;
              }
            else
              g_assert_cmpuint (strlen (error_sealed->message), >, 5);
          }
    }
  g_assert_cmpuint (n_accepted, >, 0);
}

/* --- files on disk --- */

static void
test_save_and_load (void)
{
  g_autofree char *directory = g_dir_make_tmp ("minterm-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "model.json", NULL);
  g_autofree char *fifo = g_build_filename (directory, "fifo", NULL);
  g_autofree char *large = g_build_filename (directory, "large.json", NULL);
  g_autoptr (MtModel) model = make (MT_TASK_MULTICLASS);
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
  g_autoptr (MtModel) model = make (MT_TASK_BINARY);
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
        "settings.x is neither", "settings.x occurs twice", "settings: a name", "classes[1] is not valid",
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

/* --- predicting --- */

/* The score from raw cells, term by term; *@unseen: some rule meets an unseen assignment. */
static double
score_of_row (const MtModel *model,
              guint          output,
              const MtTable *table,
              gsize          row,
              gboolean      *unseen)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtEncoder *encoder = mt_model_get_encoder (model);
  double score = mt_rule_set_get_bias (rules)[output];

  *unseen = FALSE;
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      guint32 v = 0;

      if (term->is_numeric)
        {
          const MtUnary *unary = mt_term_get_unary (term, encoder);
          const MtColumn *column = mt_table_find_column (table, mt_encoder_get_column_name (encoder,
                                                                                            unary->column),
                                                                                            NULL);
          double x = mt_column_get_number (column, row);

          score += term->weights[output] * (isnan (x) ? 0 : (x - unary->mean) / unary->sd);
          continue;
        }
      for (guint i = 0; i < mt_rule_get_n_inputs (term->rule); i++)
        v |= (guint32) mt_test_literal_is_true (encoder, mt_rule_get_inputs (term->rule)[i], table, row) << i;
      if ((mt_rule_get_table (term->rule)[0] >> v) & 1)
        score += term->weights[output];
      if (mt_rule_get_dont_care (term->rule, MT_DONT_CARE_UNSEEN) != NULL)
        *unseen |= (mt_rule_get_dont_care (term->rule, MT_DONT_CARE_UNSEEN)[0] >> v) & 1;
    }
  return score;
}

static void
test_predict (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      g_autoptr (MtModel) model = make (tasks[i]);
      g_autoptr (MtTable) other = mt_test_sample_table (tasks[i], 777, 99);
      guint n_outputs = mt_model_get_n_predictions (model),
                        n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (model));
      g_autofree double *predictions = g_new (double, n_outputs * 777);
      g_autofree double *some = g_new (double, n_outputs * 2);
      g_autofree double *parts = g_new (double, (gsize) n_terms * n_outputs * 777);
      const guint32 rows[] = { 700, 3 };
      g_autoptr (GError) error = NULL;
      MtPredictReport report;
      gsize n_unseen = 0;

      g_assert_true (mt_model_predict (model, other, NULL, 0, predictions, &report, &error));
      g_assert_no_error (error);
      g_assert_true (mt_model_contributions (model, other, NULL, 0, parts, &error));
      for (gsize r = 0; r < 777; r++)
        {
          double scores[3], expected[3], sum = 0;
          gboolean unseen = FALSE;

          for (guint c = 0; c < n_outputs; c++)
            {
              double from_parts = mt_rule_set_get_bias (mt_model_get_rules (model))[c];

              scores[c] = score_of_row (model, c, other, r, &unseen);
              for (guint t = 0; t < n_terms; t++)
                from_parts += parts[((gsize) t * n_outputs + c) * 777 + r];
              g_assert_cmpfloat (fabs (from_parts - scores[c]), <, 1e-12);
              sum += exp (scores[c]);
            }
          for (guint c = 0; c < n_outputs; c++)
            {
              expected[c] = tasks[i] == MT_TASK_BINARY ? 1 / (1 + exp (-scores[c]))
                            : tasks[i] == MT_TASK_MULTICLASS ? exp (scores[c]) / sum : scores[c];
              g_assert_cmpfloat (fabs (predictions[c * 777 + r] - expected[c]), <, 1e-12);
            }
          if (tasks[i] == MT_TASK_BINARY)
            g_assert_cmpuint (mt_model_decide (model, predictions, 777, r), ==, scores[0] > 0);
          if (tasks[i] == MT_TASK_MULTICLASS)
            {
              guint decided = mt_model_decide (model, predictions, 777, r);

              for (guint c = 0; c < 3; c++)
                g_assert_cmpfloat (predictions[decided * 777 + r], >=, predictions[c * 777 + r]);
            }
          n_unseen += unseen ? 1 : 0;
        }
      g_assert_cmpuint (report.n_unseen_patterns, ==, n_unseen);
      g_assert_cmpuint (report.encode.n_rows, ==, 777);

      g_assert_true (mt_model_predict (model, other, rows, 2, some, NULL, &error));
      for (guint c = 0; c < n_outputs; c++)
        for (guint k = 0; k < 2; k++)
          g_assert_cmpfloat (some[c * 2 + k], ==, predictions[c * 777 + rows[k]]);
      {
        g_autofree double *few = g_new (double, (gsize) n_terms * n_outputs * 2);

        g_assert_true (mt_model_contributions (model, other, rows, 2, few, &error));
        g_assert_cmpfloat (few[1], ==, parts[3]);
      }
    }
}

static void
test_predict_errors (void)
{
  g_autoptr (MtModel) model = make (MT_TASK_REGRESSION);
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_REGRESSION, 2, 3);
  MtColumn *columns[7];
  g_autoptr (MtTable) lacking = NULL;
  g_autoptr (MtTable) extreme = NULL;
  g_autoptr (GError) error = NULL;
  const double far[] = { 0, 1.7e308 };
  const guint32 second = 1;
  double out[100];

  for (guint i = 0; i < 7; i++)
    columns[i] = mt_column_ref ((MtColumn *) mt_table_get_column (table, i));
  lacking = mt_table_new (columns + 1, 6);
  g_assert_false (mt_model_predict (model, lacking, NULL, 0, out, NULL, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_assert_nonnull (strstr (error->message, "no column 'a'"));
  g_clear_error (&error);
  g_assert_false (mt_model_contributions (model, lacking, NULL, 0, out, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_clear_error (&error);
  mt_column_unref (columns[0]);

  for (guint i = 1; i < 7; i++)
    mt_column_ref (columns[i]);
  columns[0] = mt_test_numbers ("a", far, 2);
  extreme = mt_table_new (columns, 7);
  {
    /* Weights so large that the score overflows. */
    double weight = 1e300, zero = 0;
    MtTerm term = { .is_numeric = TRUE, .numeric = 0, .weights = &weight };
    g_autoptr (MtRuleSet) rules = mt_rule_set_new (MT_TASK_REGRESSION, 1, &zero, &term, 1, NULL);
    g_autoptr (MtModel) steep = mt_model_new ((MtEncoder *) mt_model_get_encoder (model), rules,
                                              mt_model_get_info (model), &error);

    g_assert_no_error (error);
    g_assert_false (mt_model_predict (steep, extreme, NULL, 0, out, NULL, &error));
    g_assert_error (error, MT_ERROR, MT_ERROR_NUMERIC);
    g_assert_nonnull (strstr (error->message, "row 2"));
    g_clear_error (&error);
    g_assert_false (mt_model_predict (steep, extreme, &second, 1, out, NULL, &error));
    g_assert_nonnull (strstr (error->message, "row 2"));
  }
}

/* Finite numbers whose products or sums are not: what is written for each raw unit, and the constant. */
static void
test_size_of_weights (void)
{
  double cut = 0;
  const struct { double mean, sd, bias, weights[2]; const char *says; } cases[] = {
    { 0, 1, DBL_MAX / 2, { 0, DBL_MAX / 4 }, NULL },
    { 1e100, 1e-100, 1, { 1e100, 1 }, NULL },
    { 0, 1e-200, 0, { 1e140, 0 }, "terms[0].weights[0] for each unit of its column is too large" },
    { 0, 5e-324, 0, { -1, 0 }, "terms[0].weights[0] for each unit of its column is too large" },
    { DBL_MAX, 0.5, 0, { 1, 0 }, "terms[0].weights[0] takes the score beyond all numbers" },
    { 0, 1, -DBL_MAX, { 0, DBL_MAX }, "terms[1].weights[0] takes the score beyond all numbers" },
    { 0, 1, 0, { DBL_MAX, -DBL_MAX }, "terms[1].weights[0] takes the score beyond all numbers" },
  };
  g_autoptr (MtModel) model = make (MT_TASK_REGRESSION);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      MtEncoderColumn column = { (char *) "a", MT_TYPE_NUMBER, FALSE, &cut, 1, cases[i].mean, cases[i].sd, -1, 1 };
      g_autoptr (GError) error = NULL;
      g_autoptr (MtEncoder) encoder = mt_encoder_new (&column, 1, &error);
      g_autoptr (MtRule) rule = mt_rule_new_literal (0, FALSE);
      double weights[] = { cases[i].weights[0], cases[i].weights[1] };
      MtTerm terms[] = {
        { .is_numeric = TRUE, .numeric = 0, .weights = &weights[0] }, { .rule = rule, .weights = &weights[1] },
      };
      g_autoptr (MtRuleSet) rules = mt_rule_set_new (MT_TASK_REGRESSION, 1, &cases[i].bias, terms, 2, NULL);
      g_autoptr (MtModel) large = mt_model_new (encoder, rules, mt_model_get_info (model), &error);

      if (cases[i].says == NULL)
        g_assert_no_error (error);
      else
        {
          g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
          g_assert_nonnull (strstr (error->message, cases[i].says));
        }
    }
}

static void
test_truth (void)
{
  const char *words[] = { "yes", "no", NULL, "maybe", "yes" };
  const double numbers[] = { 1, 0, NAN, INFINITY, 2.5 };
  static const char * const digits[] = { "0", "1", NULL };
  g_autoptr (MtModel) binary = make (MT_TASK_BINARY);
  g_autoptr (MtModel) regression = make (MT_TASK_REGRESSION);
  g_autoptr (MtModel) by_number = NULL;
  g_autofree guint64 *offsets = g_new0 (guint64, 3);
  MtColumn *columns[] = {
    mt_test_levels ("y", MT_TYPE_CATEGORY, words, 5), mt_test_numbers ("n", numbers, 5),
  };
  g_autoptr (MtTable) table = mt_table_new (columns, 2);
  g_autoptr (MtTruth) truth = NULL;
  g_autoptr (GError) error = NULL;
  MtModelInfo info = *mt_model_get_info (binary);

  truth = mt_model_read_truth (binary, table, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (truth->n_rows, ==, 3);
  g_assert_cmpuint (truth->n_missing, ==, 1);
  g_assert_cmpuint (truth->n_unknown, ==, 1);
  g_assert_cmpuint (truth->rows[2], ==, 4);
  g_assert_cmpuint (truth->classes[0], ==, 1);
  g_clear_pointer (&truth, mt_truth_free);

  info.classes = digits;
  by_number = mt_model_new ((MtEncoder *) mt_model_get_encoder (binary),
                            (MtRuleSet *) mt_model_get_rules (binary),
                            &info, &error);
  g_assert_no_error (error);
  truth = mt_model_read_truth (by_number, table, "n", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (truth->n_rows, ==, 2);
  g_assert_cmpuint (truth->classes[0], ==, 1);
  g_assert_cmpuint (truth->n_unknown, ==, 2);
  g_clear_pointer (&truth, mt_truth_free);

  truth = mt_model_read_truth (regression, table, "n", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (truth->n_rows, ==, 3);
  g_assert_cmpuint (truth->n_missing, ==, 2);
  g_assert_cmpfloat (truth->values[2], ==, 2.5);
  g_clear_pointer (&truth, mt_truth_free);

  g_assert_null (mt_model_read_truth (regression, table, "y", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_clear_error (&error);
  g_assert_null (mt_model_read_truth (regression, table, "absent", &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_clear_error (&error);
  g_assert_null (mt_model_read_truth (binary, table, "n", &error));   /* no yes or no among the numbers */
  g_assert_error (error, MT_ERROR, MT_ERROR_SCHEMA);
  g_clear_error (&error);

  /* Text that was never given codes. */
  {
    MtColumn *text;
    g_autoptr (MtTable) free_text = NULL;

    offsets[1] = 3;
    offsets[2] = 5;
    text = mt_column_new_text ("y", g_strdup ("yesno"), g_steal_pointer (&offsets), NULL, 2);
    free_text = mt_table_new (&text, 1);
    truth = mt_model_read_truth (binary, free_text, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (truth->n_rows, ==, 2);
    g_assert_cmpuint (truth->classes[0], ==, 1);
    g_assert_cmpuint (truth->classes[1], ==, 0);
  }
}

/* --- rule text --- */

static void
test_rule_text (void)
{
  const double age[] = { 54, 55, 54, 55 };
  const char *colour[] = { "red", "blue", "green", "red" };
  MtColumn *columns[] = { mt_test_numbers ("Age", age, 4),
                         mt_test_levels ("Colour", MT_TYPE_CATEGORY, colour, 4) };
  g_autoptr (MtTable) table = mt_table_new (columns, 2);
  MtEncoderOptions options;
  g_autoptr (MtEncoder) encoder = NULL;
  const guint inputs[] = { 0, 1, 3 };
  const MtCube cubes[] = { { 3, 1 }, { 4, 4 } }, clause[] = { { 1, 1 }, { 2, 2 }, { 4, 0 } };
  g_autoptr (MtRule) rule = mt_rule_new (inputs, 3, cubes, 2, NULL, TRUE, NULL);
  g_autoptr (MtRule) disjunction = mt_rule_new (inputs, 3, clause, 3, NULL, TRUE, NULL);
  g_autofree char *dnf = NULL;
  g_autofree char *cnf = NULL;
  g_autofree char *cube = NULL;
  g_autofree char *one_clause = NULL;

  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  dnf = mt_rule_dup_text (rule, encoder, MT_RULE_FORM_DNF);
  cnf = mt_rule_dup_text (rule, encoder, MT_RULE_FORM_CNF);
  cube = mt_rule_dup_cube_text (rule, encoder, 0);
  one_clause = mt_rule_dup_text (disjunction, encoder, MT_RULE_FORM_CNF);
  g_assert_cmpstr (dnf, ==, "Age ≥ 55 and Colour ≠ \"blue\", or Colour = \"red\"");
  g_assert_cmpstr (cnf, ==, "(Age ≥ 55 or Colour = \"red\") and (Colour ≠ \"blue\" or Colour = \"red\")");
  g_assert_cmpstr (cube, ==, "Age ≥ 55 and Colour ≠ \"blue\"");
  g_assert_cmpstr (one_clause, ==, "Age ≥ 55 or Colour = \"blue\" or Colour ≠ \"red\"");
}

/* `or missing` never runs into an `and`. */
static void
test_rule_text_missing (void)
{
  const double x[] = { 1, 2, NAN, 2 }, y[] = { 1, 1, 2, 2 };
  MtColumn *columns[] = { mt_test_numbers ("x", x, 4), mt_test_numbers ("y", y, 4) };
  g_autoptr (MtTable) table = mt_table_new (columns, 2);
  MtEncoderOptions options;
  g_autoptr (MtEncoder) encoder = NULL;
  const guint inputs[] = { 0, 2 };   /* x ≥ 2, y ≥ 2; 1 is x is missing */
  const MtCube both[] = { { 3, 0 } }, either[] = { { 1, 0 }, { 2, 2 } };
  const struct { const MtCube *cubes; guint n; MtRuleForm form; const char *text; } cases[] = {
    { both, 1, MT_RULE_FORM_DNF, "(x < 2 or missing) and y < 2" },
    { both, 1, MT_RULE_FORM_CNF, "(x < 2 or missing) and y < 2" },
    { either, 2, MT_RULE_FORM_DNF, "x < 2 or missing, or y ≥ 2" },
    { either, 2, MT_RULE_FORM_CNF, "x < 2 or missing or y ≥ 2" },
  };

  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (table, NULL, 0, &options, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MtRule) rule = mt_rule_new (inputs, 2, cases[i].cubes, cases[i].n, NULL, TRUE, NULL);
      g_autofree char *text = mt_rule_dup_text (rule, encoder, cases[i].form);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int    argc,
      char **argv)
{
  /* To renew the kept file after a new format version: test-model --write FILE */
  if (argc == 3 && strcmp (argv[1], "--write") == 0)
    {
      g_autoptr (MtModel) model = make (MT_TASK_BINARY);

      return mt_model_save (model, argv[2], NULL) ? 0 : 1;
    }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/round-trip", test_round_trip);
  g_test_add_func ("/model/locale", test_locale);
  g_test_add_func ("/model/fixture", test_fixture);
  g_test_add_func ("/model/schema", test_schema);
  g_test_add_func ("/model/refuses", test_refuses);
  g_test_add_func ("/model/every-value", test_every_value);
  g_test_add_func ("/model/refuses-long", test_refuses_long);
  g_test_add_func ("/model/refuses-more", test_refuses_more);
  g_test_add_func ("/model/reasons", test_reasons);
  g_test_add_func ("/model/mutations", test_mutations);
  g_test_add_func ("/model/save-and-load", test_save_and_load);
  g_test_add_func ("/model/new-refuses", test_new_refuses);
  g_test_add_func ("/model/predict", test_predict);
  g_test_add_func ("/model/predict-errors", test_predict_errors);
  g_test_add_func ("/model/size-of-weights", test_size_of_weights);
  g_test_add_func ("/model/truth", test_truth);
  g_test_add_func ("/model/rule-text", test_rule_text);
  g_test_add_func ("/model/rule-text-missing", test_rule_text_missing);
  return g_test_run ();
}
