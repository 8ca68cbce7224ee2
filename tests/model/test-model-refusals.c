/* What loading a model refuses and how it says so, value by value, and files that were changed at random. */
#include "config.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "model-files.h"
#include "base/mt-decimal.h"
#include "base/mt-json.h"
#include "base/mt-random.h"
#include "testutils.h"

#define MOST_MEMORY (64u * 1024 * 1024)   /* besides twice the file */

static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

/* --- the file --- */

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
    { "\"format_version\": 1", "\"format_version\": 6", "made by a newer version of Minterm" },
    { "\"format_version\": 1", "\"format_version\": 0", "format_version (line 3) is not a whole number" },
    { "\"format_version\": 1", "\"format_version\": -1", "format_version (line 3) is not a whole number" },
    { "\"format_version\": 1", "\"format_version\": \"1\"", "format_version (line 3) is a string" },
    { "\"format_version\": 1", "\"format_version\": 1.5", "format_version (line 3) is not a whole number" },
    { "\"task\": \"binary\"", "\"task\": \"ternary\"",
     "task (line 4) must be binary, multiclass, or regression" },
    { "\"task\": \"binary\"", "\"task\": \"multiclass\"", "a multiclass model cannot have 1 outputs" },
    { "\"task\": \"binary\"", "\"task\": \"regression\"",
     "classes: 2 of them do not fit a regression model" },
    { "\"task\": \"binary\"", "\"task\": null", "task (line 4) is null and should be a string" },
    { "\"provenance\"", "\"cutoff\": 0.5, \"provenance\"", "is 0.5, which is the default" },
    { "\"provenance\"", "\"cutoff\": 0, \"provenance\"", "the cutoff must be above 0 and below 1, not 0" },
    { "\"provenance\"", "\"cutoff\": 1, \"provenance\"", "the cutoff must be above 0 and below 1, not 1" },
    { "\"provenance\"", "\"cutoff\": \"0.3\", \"provenance\"", "cutoff" },
    { "\"target\": \"y\",\n", "", "has no member \"target\"" },
    { "\"provenance\"", "\"missing_tokens\": [\"x\", \"x\"], \"provenance\"", "missing_tokens[1] occurs twice" },
    { "\"provenance\"", "\"missing_tokens\": [1], \"provenance\"", "missing_tokens[0]" },
    { "\"provenance\"", "\"missing_tokens\": [\"\", \"NA\", \"N/A\", \"n/a\", \"#N/A\", \"<NA>\", \"NaN\", \"nan\", "
      "\"NAN\", \"null\", \"NULL\", \"Null\", \"?\"], \"provenance\"", "that equal the default" },
    { "\"provenance\"", "\"target_missing\": [], \"provenance\"", "target_missing is empty" },
    { "\"provenance\"", "\"target_missing\": [\"x\", \"x\"], \"provenance\"", "target_missing[1] occurs twice" },
    { "\"provenance\"", "\"target_missing\": \"x\", \"provenance\"", "target_missing" },
    { "\"provenance\"", "\"target_missing\": [\"yes\"], \"provenance\"",
      "classes[1] is a value that target_missing counts as missing" },
    { "\"thresholds\"", "\"missing_values\": [], \"thresholds\"", "encoder.columns[0].missing_values is empty" },
    { "\"thresholds\"", "\"missing_values\": \"0\", \"thresholds\"", "encoder.columns[0].missing_values" },
    { "\"thresholds\"", "\"missing_values\": [0], \"thresholds\"", "encoder.columns[0].missing_values[0]" },
    { "\"thresholds\"", "\"missing_values\": [\"0\", \"0\"], \"thresholds\"",
      "encoder.columns[0].missing_values[1] occurs twice" },
    { "\"levels\"", "\"missing_values\": [\"red\"], \"levels\"", "is a value that counts as missing" },
    { "\"provenance\"", "\"reasons\": [], \"provenance\"", "must contain 1 to 10000 reasons" },
    { "\"provenance\"", "\"reasons\": [{\"term\": \"a\"}], \"provenance\"", "has no member \"text\"" },
    { "\"provenance\"", "\"reasons\": [{\"term\": \"a\", \"text\": \"\"}], \"provenance\"", "reasons[0] is empty" },
    { "\"provenance\"", "\"reasons\": [{\"term\": \"zz\", \"text\": \"b\"}], \"provenance\"",
      "has reasons for terms that do not exist" },
    { "\"provenance\"", "\"reasons\": [{\"term\": \"a\", \"text\": \"b\"}, {\"term\": \"a\", \"text\": \"c\"}], "
      "\"provenance\"", "reasons[1] is for a term that already has a reason" },
    { "\"target\": \"y\"", "\"target\": 3", "target" },
    { "\"target\": \"y\"", "\"extra\": 1, \"target\": \"y\"", "has a member \"extra\", which is unknown" },
    { "[\"no\", \"yes\"]", "[\"no\", \"no\"]", "classes[1] occurs twice" },
    { "[\"no\", \"yes\"]", "[\"no\"]", "classes: 1 of them do not fit" },
    { "[\"no\", \"yes\"]", "[\"no\", 1]", "classes[1] (line 6) is a number" },
    { "[\"no\", \"yes\"]", "\"no\"", "classes" },
    { "\"complexity\": ", "\"complexity\": 1", "complexity (line 7) should be" },
    { "\"complexity\": ", "\"complexity\": -", "complexity (line 7) is not a whole number" },
    { "\"dont_care\": \"unseen\"", "\"dont_care\": \"all\"", "dont_care must be off, impossible, or unseen" },
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
    { "\"text\": \"a\"", "\"text\": \"b\"", "terms[0].text (line 13) does not match the term: a" },
    { "\"text\": \"a\"", "\"text\": []", "terms[0].text" },
    { "\"column\": 0", "\"column\": 99", "terms[0].column (line 15) is not a whole number from 0 to 5" },
    { "\"column\": 0", "\"column\": 3", "terms[0].column (line 15) is a column without a linear term" },
    { "\"column\": 0", "\"column\": 2", "terms[0].text (line 13) does not match" },
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
    { "\"impossible\": null", "\"impossible\": \"1\"", "impossible contains an assignment that a row can have" },
    { "\"neutral\": null", "\"neutral\": \"ffffffffffffffffffff\"", "neutral" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": 5", "origin (line" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {}", "origin" },
    { "\"neutral\": null", "\"neutral\": null, \"origin\": {\"kind\": \"word\"}", "must be scan, node, deep, "
                                                                                  "or edit" },
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
    { "\"part\": \"cv\"", "\"part\": \"test\"", "metrics[1] repeats metrics[0]" },
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
    { "\"bits\": 5", "\"b its\": 5", "settings: a name may contain" },
    { "\"bits\": 5", "\"\": 5", "settings: a name may contain" },
    { "\"settings\": {", "\"settings\": 1, \"x\": {", "has a member \"x\"" },
    { "\"version\": \"0.1.0\"", "\"version\": 1", "provenance.version" },
    { "\"engine\": \"cpu\"", "\"engine\": null", "provenance.engine" },
    { "\"data_sha256\": \"0", "\"data_sha256\": \"x",
     "provenance.data_sha256 must be 64 hexadecimal digits" },
    { "\"data_sha256\": \"0", "\"data_sha256\": \"", "provenance.data_sha256 must be" },
    { "\"data_sha256\": \"0", "\"data_sha256\": \"000", "provenance.data_sha256 must be" },
    { "\"rows\": 1000", "\"rows\": 999", "provenance: more rows were used than the data has" },
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
  g_autoptr (MtModel) model = model_make (MT_TASK_BINARY);
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
      sealed = model_reseal (edited->str, edited->len, &n);
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
  g_autoptr (MtModel) model = model_make (MT_TASK_BINARY);
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
        sealed = model_reseal (edited->str, edited->len, &length);
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
  sealed = model_reseal (edited->str, edited->len, &length);
  assert_refused (sealed, (gssize) length, says);
}

static void
test_refuses_long (void)
{
  g_autoptr (MtModel) model = model_make (MT_TASK_BINARY);
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
  g_autoptr (MtModel) model = model_make (MT_TASK_BINARY);
  gsize n;
  g_autofree char *json = mt_model_to_json (model, &n);
  g_autofree char *changed = g_strdup (json);
  g_autofree char *huge = g_malloc0 (MT_MODEL_MAX_BYTES + 1);

  *strstr (changed, "red") = 'R';
  assert_refused (changed, (gssize) n, "checksum mismatch");
  assert_refused (json, (gssize) n - 1, "checksum mismatch");        /* the last newline */
  assert_refused (json, (gssize) n - 3, "line");
  assert_refused ("{\"format\": \"minterm-model\", \"format_version\": 1}", -1, "checksum mismatch");
  assert_refused ("[1, 2]", -1, "is not a Minterm model");
  assert_refused (huge, MT_MODEL_MAX_BYTES + 1, "larger than 32 MB");
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

static void
test_mutations (void)
{
  gsize n_each = g_test_slow () ? 3334 : 150;   /* of each kind and task: 10,000 of each kind */
  MtRandom random;
  gsize n_accepted = 0;

  mt_random_init (&random, 4);
  for (gsize t = 0; t < G_N_ELEMENTS (tasks); t++)
    {
      g_autoptr (MtModel) model = model_make_full (tasks[t]);
      gsize n;
      g_autofree char *json = mt_model_to_json (model, &n);

      mt_test_peak_begin ();
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
            sealed = model_reseal (mutated, n_mutated, &n_sealed);
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
      mt_test_peak_end (2 * n + MOST_MEMORY);
    }
  g_assert_cmpuint (n_accepted, >, 0);
}

/* The judge of memory can fail. */
static void
test_peak (void)
{
  if (g_test_subprocess ())
    {
      char *much;

      mt_test_peak_begin ();
      much = g_malloc (MOST_MEMORY + 1024 * 1024);
      memset (much, 1, MOST_MEMORY + 1024 * 1024);
      g_free (much);
      mt_test_peak_end (MOST_MEMORY);
      return;
    }
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  if (g_access ("/proc/self/clear_refs", W_OK) == 0)
    {
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_failed ();
    }
#endif
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/refuses", test_refuses);
  g_test_add_func ("/model/every-value", test_every_value);
  g_test_add_func ("/model/refuses-long", test_refuses_long);
  g_test_add_func ("/model/refuses-more", test_refuses_more);
  g_test_add_func ("/model/mutations", test_mutations);
  g_test_add_func ("/model/peak", test_peak);
  return g_test_run ();
}
