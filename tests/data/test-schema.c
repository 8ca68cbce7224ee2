#include <string.h>

#include "mt-core.h"

static MtSchema *
sample (void)
{
  MtSchema *schema = mt_schema_new ();

  mt_schema_set_type (schema, "age", MT_TYPE_NUMBER);
  mt_schema_set_role (schema, "age", MT_ROLE_TARGET);
  mt_schema_add_missing (schema, "age", "999");
  mt_schema_add_missing (schema, "age", "-1");
  mt_schema_add_missing (schema, "age", "999");
  mt_schema_set_role (schema, "a \"quoted\" näme", MT_ROLE_GROUP);
  return schema;
}

static void
test_choices (void)
{
  g_autoptr (MtSchema) schema = sample ();
  MtColumnType type;
  MtColumnRole role;

  g_assert_true (mt_schema_get_type (schema, "age", &type));
  g_assert_cmpint (type, ==, MT_TYPE_NUMBER);
  g_assert_true (mt_schema_get_role (schema, "age", &role));
  g_assert_cmpint (role, ==, MT_ROLE_TARGET);
  g_assert_cmpuint (g_strv_length ((char **) mt_schema_get_missing (schema, "age")), ==, 2);
  g_assert_false (mt_schema_get_type (schema, "a \"quoted\" näme", &type));
  g_assert_false (mt_schema_get_role (schema, "other", &role));
  g_assert_null (mt_schema_get_missing (schema, "other"));
  g_assert_false (mt_schema_get_type (NULL, "age", &type));
  g_assert_false (mt_schema_get_role (NULL, "age", &role));
  g_assert_null (mt_schema_get_missing (NULL, "age"));
}

static void
test_json (void)
{
  g_autoptr (MtSchema) schema = sample ();
  g_autoptr (MtSchema) copy = mt_schema_copy (schema);
  g_autofree char *json = mt_schema_to_json (schema);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtSchema) back = mt_schema_from_json (json, -1, &error);

  g_assert_no_error (error);
  g_assert_true (mt_schema_equal (schema, back));
  g_assert_true (mt_schema_equal (schema, copy));
  mt_schema_set_role (back, "x", MT_ROLE_IGNORED);
  g_assert_false (mt_schema_equal (schema, back));
  g_assert_true (mt_schema_equal (schema, copy));
}

static void
test_refused (void)
{
  static const struct { const char *json; const char *message; } cases[] = {
    { "{", "not valid JSON" },
    { "", "must be an object with “columns”" },
    { "[]", "must be an object with “columns”" },
    { "{}", "must be an object with “columns”" },
    { "{\"columns\": 3}", "must be an object with “columns”" },
    { "{\"columns\": {\"a\": 3}}", "“columns” of column “a” must be an object" },
    { "{\"columns\": {\"a\": {\"type\": \"colour\"}}}", "“type” of column “a” must be number, category" },
    { "{\"columns\": {\"a\": {\"type\": 3}}}", "“type” of column “a” must be number, category" },
    { "{\"columns\": {\"a\": {\"role\": \"king\"}}}", "“role” of column “a” must be feature" },
    { "{\"columns\": {\"a\": {\"role\": [1]}}}", "“role” of column “a” must be feature" },
    { "{\"columns\": {\"a\": {\"missing\": \"x\"}}}", "“missing” of column “a” must be a list" },
    { "{\"columns\": {\"a\": {\"missing\": [1]}}}", "“missing” of column “a” must be a list" },
    { "{\"columns\": {\"a\": {\"missing\": [[]]}}}", "“missing” of column “a” must be a list" },
    { "{\"columns\": {\"a\": {\"size\": 1}}}", "“size” of column “a” must be type, role, or missing" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MtSchema) schema = mt_schema_from_json (cases[i].json, -1, &error);

      g_assert_null (schema);
      g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("%s: %s", cases[i].json, error->message);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schema/choices", test_choices);
  g_test_add_func ("/schema/json", test_json);
  g_test_add_func ("/schema/refused", test_refused);
  return g_test_run ();
}
