/* A model applied to a CSV: in one part or in many, with keys, counts, drift and quality, against the model itself. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "mt-core.h"

enum { N = 3000 };

static void
append_rows (GString *csv,
             guint    n,
             guint32  seed,
             int      shift)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  g_string_append (csv, "id,age,debt,color,good\n");
  for (guint i = 0; i < n; i++)
    {
      int age = g_rand_int_range (rand, 18, 80) + shift, debt = g_rand_int_range (rand, 0, 1000);
      const char *color = ((const char *[]) { "red", "blue", "green" })[g_rand_int_range (rand, 0, 3)];
      gboolean good = (age >= 40 && debt < 500) || (color[0] == 'r' && g_rand_int_range (rand, 0, 5) > 0);

      g_string_append_printf (csv, "%06u,%d,%d.%02d,%s,%s\n", i, age, debt / 100, debt % 100, color, good ? "yes" : "no");
    }
}

typedef struct {
  MtImport *import;
  MtModel  *model;
} Fixture;

/* Rules are not learned here, so that the test is quick: three conditions of the encoder, with weights. */
static void
set_up (Fixture       *f,
        gconstpointer  data)
{
  const char * const classes[] = { "no", "yes", NULL };
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtRuleSet) rules = NULL;
  g_autoptr (GError) error = NULL;
  MtImportOptions how = { .schema = schema };
  MtEncoderOptions options;
  MtModelInfo info;

  append_rows (csv, N, 1, 0);
  bytes = g_bytes_new (csv->str, csv->len);
  mt_schema_set_role (schema, "good", MT_ROLE_TARGET);
  mt_schema_set_role (schema, "id", MT_ROLE_IGNORED);
  f->import = mt_import_bytes (bytes, &how, NULL, &error);
  g_assert_no_error (error);
  mt_encoder_options_init (&options);
  encoder = mt_encoder_fit (mt_import_get_table (f->import), NULL, 0, &options, &error);
  g_assert_no_error (error);
  {
    double bias = -1, weights[3] = { 1.5, -2, 3 };
    MtTerm terms[3] = { { 0 } };
    const guint literals[3] = { 4, mt_encoder_get_groups (encoder)[1].first_literal + 4,
                                mt_encoder_get_groups (encoder)[2].first_literal };
    MtRule *made[3];

    for (guint t = 0; t < 3; t++)
      {
        made[t] = mt_rule_new_literal (literals[t], FALSE);
        terms[t].rule = made[t];
        terms[t].weights = &weights[t];
      }
    rules = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, terms, 3, &error);
    g_assert_no_error (error);
    for (guint t = 0; t < 3; t++)
      mt_rule_unref (made[t]);
  }
  mt_model_info_init (&info);
  info.target = "good";
  info.classes = classes;
  info.dont_care = "off";
  info.engine = "cpu";
  f->model = mt_model_new (encoder, rules, &info, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture       *f,
           gconstpointer  data)
{
  mt_import_unref (f->import);
  mt_model_unref (f->model);
}

static gboolean
gather (const char  *text,
        gsize        length,
        gpointer     data,
        GError     **error)
{
  g_string_append_len (data, text, (gssize) length);
  return TRUE;
}

static MtScoring *
run (Fixture           *f,
     const char        *csv,
     MtScoringOptions  *options,
     GString           *out,
     GError           **error)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (g_strdup (csv), -1, g_free);

  options->write = gather;
  options->data = out;
  return mt_scoring_run (f->model, NULL, stream, options, NULL, error);
}

/* However the file is cut, the lines and the counts are the same; and those of the model itself. */
static void
test_parts (Fixture       *f,
            gconstpointer  data)
{
  const char * const keys[] = { "id", "color", NULL };
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autoptr (GString) whole = g_string_new (NULL);
  g_autoptr (GString) expected = g_string_new ("id,color,prediction,p_no,p_yes\n");
  g_autofree double *predictions = g_new (double, N);
  g_autoptr (MtScoring) one = NULL;
  g_autoptr (GError) error = NULL;
  MtScoringOptions options = { .keys = keys, .measure = TRUE, .n_resamples = 20, .n_preview = 7 };
  const MtTable *table = mt_import_get_table (f->import);
  const MtColumn *color = mt_table_find_column (table, "color", NULL);

  append_rows (csv, N, 1, 0);
  one = run (f, csv->str, &options, whole, &error);
  g_assert_no_error (error);
  g_assert_true (mt_model_predict (f->model, table, NULL, 0, predictions, NULL, &error));
  for (guint i = 0; i < N; i++)
    {
      g_string_append_printf (expected, "%06u,%s,", i, mt_column_get_level (color, mt_column_get_code (color, i)));
      {
        g_autoptr (GString) line = g_string_new (NULL);

        mt_model_append_answer (f->model, predictions, N, i, line);
        g_string_append_printf (expected, "%s\n", line->str);
      }
    }
  g_assert_cmpstr (whole->str, ==, expected->str);
  g_assert_cmpuint (one->n_rows, ==, N);
  g_assert_cmpuint (one->decided[0] + one->decided[1], ==, N);
  g_assert_cmpuint (one->preview->len, ==, 7);
  g_assert_cmpstr (((char **) one->preview->pdata[6])[0], ==, "000006");
  g_assert_true (one->measured);
  g_assert_cmpuint (one->n_measured, ==, N);
  for (gsize size = 100; size < 100000; size = size * 7 + 1)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (MtScoring) many = NULL;

      options.part_size = size;
      many = run (f, csv->str, &options, out, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (out->str, ==, whole->str);
      g_assert_cmpuint (many->decided[1], ==, one->decided[1]);
      g_assert_cmpfloat (many->intervals[0].value, ==, one->intervals[0].value);
      g_assert_cmpfloat (many->intervals[0].low, ==, one->intervals[0].low);
    }
}

static void
test_counts (Fixture       *f,
             gconstpointer  data)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtScoring) scoring = NULL;
  MtScoringOptions options = { .n_reasons = 1 };

  scoring = run (f, "color,debt,age\nred,1,20\npink,,30\n,2,900\npink,3,17\n", &options, out, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (scoring->n_rows, ==, 4);
  g_assert_cmpstr (scoring->columns[2].name, ==, "color");
  g_assert_cmpuint (scoring->columns[2].n_unknown, ==, 2);
  g_assert_cmpuint (scoring->columns[2].n_missing, ==, 1);
  g_assert_cmpuint (scoring->columns[1].n_missing, ==, 1);
  g_assert_cmpuint (scoring->columns[0].n_out_of_range, ==, 2);
  g_assert_cmpuint (scoring->report.encode.n_unknown_levels, ==, 2);
  g_assert_cmpuint (scoring->report.encode.n_missing, ==, 2);
  g_assert_cmpuint (scoring->report.encode.n_out_of_range, ==, 2);
  g_assert_true (isnan (scoring->score_psi));
  g_assert_false (scoring->measured);
}

static void
test_drift (Fixture       *f,
            gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtDrift) drift = mt_drift_new (f->model, mt_import_get_table (f->import), NULL, 0, &error);
  MtScoringOptions options = { .drift = drift };

  g_assert_no_error (error);
  for (int shift = 0; shift <= 30; shift += 30)
    {
      g_autoptr (GString) csv = g_string_new (NULL);
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (MtScoring) scoring = NULL;

      append_rows (csv, N, 2, shift);
      scoring = run (f, csv->str, &options, out, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (scoring->columns[1].psi, <, 0.02);
      g_assert_cmpfloat (scoring->columns[2].psi, <, 0.02);
      if (shift == 0)
        g_assert_cmpfloat (scoring->columns[0].psi, <, 0.02);
      else
        g_assert_cmpfloat (scoring->columns[0].psi, >, MT_DRIFT_MUCH);
      if (shift == 0)
        g_assert_cmpfloat (scoring->score_psi, <, 0.02);
      else
        g_assert_cmpfloat (scoring->score_psi, >, 0.02);
    }
}

static void
test_refused (Fixture       *f,
              gconstpointer  data)
{
  const struct { const char *csv, *key, *other; gsize part; const char *says; } cases[] = {
    { "age,debt,color\n20,1,red\n", "id", NULL, 0, "*no column “id”*“age”, “debt”, “color”*" },
    { "id,age,debt,color\n1,20,1,red\n", "id", "id", 0, "*“id” is given twice*" },
    { "prediction,age,debt,color\n1,20,1,red\n", "prediction", NULL, 0, "*“prediction” has the same name as a column of the predictions*" },
    { "id,age,color\n1,20,red\n", "id", NULL, 0, "*no column “debt”*" },
    { "id,age,debt,color\n1,20,1,red\n2,20,1,red\n3,old,1,red\n", "id", NULL, 10, "In the part of the file that begins with row 3: *“age”*(line 4)*" },
    { "id;age;debt;color\n1;20;1.5;red\n2;20;1,5;red\n", "id", NULL, 10, "Line 3: “1,5” in “debt” is not a number in the format*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char * const keys[] = { cases[i].key, cases[i].other, NULL };
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      MtScoringOptions options = { .keys = keys, .part_size = cases[i].part };

      g_assert_null (run (f, cases[i].csv, &options, out, &error));
      if (!g_pattern_match_simple (cases[i].says, error->message))
        g_error ("case %u says: %s", i, error->message);
    }
}

static void
test_check (Fixture       *f,
            gconstpointer  data)
{
  const char *csv = "Age,color,extra,good\n1,red,2,no\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (csv, strlen (csv));
  g_autoptr (MtSchema) schema = mt_model_dup_schema (f->model);
  MtImportOptions how = { .schema = schema };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = mt_import_bytes (bytes, &how, NULL, &error);
  g_autoptr (MtScoringCheck) check = NULL;

  g_assert_no_error (error);
  check = mt_scoring_check (f->model, import);
  g_assert_false (mt_scoring_check_fits (check));
  g_assert_cmpuint (g_strv_length (check->absent), ==, 2);
  g_assert_cmpstr (check->absent[0], ==, "age");
  g_assert_cmpstr (check->similar[0], ==, "Age");
  g_assert_cmpstr (check->similar[1], ==, "");
  g_assert_true (g_strv_contains ((const char * const *) check->unused, "extra"));
  g_assert_true (check->has_target);
  g_clear_pointer (&check, mt_scoring_check_free);
  check = mt_scoring_check (f->model, f->import);
  g_assert_true (mt_scoring_check_fits (check));
}

/* The model of one rule about age. */
static MtModel *
make_age_only (Fixture *f)
{
  const char * const classes[] = { "no", "yes", NULL };
  MtRule *rule = mt_rule_new_literal (4, FALSE);
  double bias = -1, weight = 1.5;
  g_autoptr (GError) error = NULL;
  g_autoptr (MtRuleSet) rules = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, &(MtTerm) { .rule = rule, .weights = &weight }, 1, &error);
  MtModelInfo info;
  MtModel *model;

  mt_rule_unref (rule);
  g_assert_no_error (error);
  mt_model_info_init (&info);
  info.target = "good";
  info.classes = classes;
  info.dont_care = "off";
  info.engine = "cpu";
  model = mt_model_new ((MtEncoder *) mt_model_get_encoder (f->model), rules, &info, &error);
  g_assert_no_error (error);
  return model;
}

/* A file may lack what no rule reads: the answers and counts are those of a file that has it. */
static void
test_spare (Fixture       *f,
            gconstpointer  data)
{
  g_autoptr (MtModel) model = make_age_only (f), kept = f->model;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("age\n20\n", 7);
  g_autoptr (MtSchema) schema = mt_model_dup_schema (model);
  MtImportOptions how = { .schema = schema };
  g_autoptr (GString) whole = g_string_new (NULL), few = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtImport) import = mt_import_bytes (bytes, &how, NULL, &error);
  g_autoptr (MtScoringCheck) check = NULL;
  g_autoptr (MtDrift) drift = mt_drift_new (model, mt_import_get_table (f->import), NULL, 0, &error);
  MtScoringOptions options = { .drift = drift };
  g_autoptr (MtScoring) a = NULL, b = NULL;

  g_assert_no_error (error);
  check = mt_scoring_check (model, import);
  g_assert_true (mt_scoring_check_fits (check));
  g_assert_cmpuint (g_strv_length (check->absent), ==, 0);
  g_assert_cmpuint (g_strv_length (check->spare), ==, 2);
  g_assert_cmpstr (check->spare[0], ==, "debt");
  g_assert_cmpstr (check->spare[1], ==, "color");
  f->model = model;
  a = run (f, "age,debt,color\n20,1,red\n70,2,blue\n,3,green\n", &options, whole, &error);
  g_assert_no_error (error);
  b = run (f, "age\n20\n70\nNA\n", &options, few, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (few->str, ==, whole->str);
  g_assert_cmpuint (b->report.encode.n_missing, ==, 1);
  g_assert_cmpuint (b->report.encode.n_missing, ==, a->report.encode.n_missing);
  for (guint c = 0; c < b->n_columns; c++)
    {
      gboolean is_age = g_str_equal (b->columns[c].name, "age");

      g_assert_cmpuint (b->columns[c].n_missing, ==, is_age ? 1 : 0);
      g_assert_true (isnan (b->columns[c].psi) == !is_age);
    }
  f->model = g_steal_pointer (&kept);
}

static void
test_cancelled (Fixture       *f,
                gconstpointer  data)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data ("age,debt,color\n20,1,red\n", -1, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  MtScoringOptions options = { 0 };

  g_cancellable_cancel (cancellable);
  g_assert_null (mt_scoring_run (f->model, NULL, stream, &options, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/scoring/parts", Fixture, NULL, set_up, test_parts, tear_down);
  g_test_add ("/scoring/counts", Fixture, NULL, set_up, test_counts, tear_down);
  g_test_add ("/scoring/drift", Fixture, NULL, set_up, test_drift, tear_down);
  g_test_add ("/scoring/spare", Fixture, NULL, set_up, test_spare, tear_down);
  g_test_add ("/scoring/refused", Fixture, NULL, set_up, test_refused, tear_down);
  g_test_add ("/scoring/check", Fixture, NULL, set_up, test_check, tear_down);
  g_test_add ("/scoring/cancelled", Fixture, NULL, set_up, test_cancelled, tear_down);
  return g_test_run ();
}
