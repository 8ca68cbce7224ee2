/* The strict JSON reader and the writer whose bytes never vary. */
#include "config.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-json-cursor.h"
#include "base/mt-random.h"

static void
test_write (void)
{
  MtJsonWriter *writer = mt_json_writer_new ();
  g_autofree char *text = NULL;
  gsize length, n_peeked;

  mt_json_writer_begin_object (writer);
  mt_json_writer_key (writer, "name");
  mt_json_writer_string (writer, "a\"b\\c\n\t\r\x01\x7f ü");
  mt_json_writer_key (writer, "nothing");
  mt_json_writer_string (writer, NULL);
  mt_json_writer_key (writer, "row");
  mt_json_writer_begin_row (writer);
  mt_json_writer_number (writer, 0.1);
  mt_json_writer_integer (writer, G_MAXUINT64);
  mt_json_writer_begin_object_row (writer);
  mt_json_writer_key (writer, "x");
  mt_json_writer_boolean (writer, TRUE);
  mt_json_writer_key (writer, "y");
  mt_json_writer_boolean (writer, FALSE);
  mt_json_writer_end_object (writer);
  mt_json_writer_end_array (writer);
  mt_json_writer_key (writer, "list");
  mt_json_writer_begin_array (writer);
  mt_json_writer_number (writer, -1e300);
  mt_json_writer_number (writer, 5);
  mt_json_writer_end_array (writer);
  mt_json_writer_key (writer, "empty");
  mt_json_writer_begin_array (writer);
  mt_json_writer_end_array (writer);
  mt_json_writer_key (writer, "none");
  mt_json_writer_begin_object (writer);
  mt_json_writer_end_object (writer);
  mt_json_writer_end_object (writer);
  mt_json_writer_peek (writer, &n_peeked);
  text = mt_json_writer_finish (writer, &length);
  g_assert_cmpuint (length, ==, n_peeked + 1);
  g_assert_cmpstr (text, ==,
                   "{\n"
                   "  \"name\": \"a\\\"b\\\\c\\n\\t\\r\\u0001\\u007f ü\",\n"
                   "  \"nothing\": null,\n"
                   "  \"row\": [0.1, 18446744073709551615, {\"x\": true, \"y\": false}],\n"
                   "  \"list\": [\n"
                   "    -1e300,\n"
                   "    5\n"
                   "  ],\n"
                   "  \"empty\": [],\n"
                   "  \"none\": {}\n"
                   "}\n");
  mt_json_writer_free (mt_json_writer_new ());
  mt_json_writer_free (NULL);
}

/* One line without spaces, and the same values when it is read. */
static void
test_compact (void)
{
  MtJsonWriter *writer = mt_json_writer_new_compact ();
  g_autofree char *text = NULL;
  gsize length;

  mt_json_writer_begin_object (writer);
  mt_json_writer_key (writer, "a");
  mt_json_writer_begin_array (writer);
  mt_json_writer_number (writer, 0.5);
  mt_json_writer_string (writer, "x, \"y\"");
  mt_json_writer_begin_object (writer);
  mt_json_writer_end_object (writer);
  mt_json_writer_end_array (writer);
  mt_json_writer_member_string (writer, "b", NULL);
  mt_json_writer_end_object (writer);
  text = mt_json_writer_finish (writer, &length);
  g_assert_cmpstr (text, ==, "{\"a\":[0.5,\"x, \\\"y\\\"\",{}],\"b\":null}");
  g_assert_cmpuint (length, ==, strlen (text));
}

static void
test_read (void)
{
  static const char text[] =
    " { \"a\" : [ 1 , -2.5e3, true,false , null ],\n\"s\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fc\\ud83d\\ude00\", \"o\":{}, \"e\":[] }\r\n\t ";
  g_autoptr (GError) error = NULL;
  g_autoptr (MtJson) root = mt_json_parse (text, -1, &error);
  const MtJson *a, *s;
  guint64 integer;

  g_assert_no_error (error);
  g_assert_cmpint (mt_json_get_kind (root), ==, MT_JSON_OBJECT);
  g_assert_cmpuint (mt_json_get_n_children (root), ==, 4);
  g_assert_cmpstr (mt_json_get_name (root, 1), ==, "s");
  a = mt_json_find (root, "a");
  g_assert_cmpuint (mt_json_get_n_children (a), ==, 5);
  g_assert_true (mt_json_get_integer (mt_json_get_child (a, 0), 1, &integer));
  g_assert_cmpuint (integer, ==, 1);
  g_assert_false (mt_json_get_integer (mt_json_get_child (a, 0), 0, &integer));
  g_assert_false (mt_json_get_integer (mt_json_get_child (a, 1), G_MAXUINT64, &integer));
  g_assert_cmpfloat (mt_json_get_number (mt_json_get_child (a, 1)), ==, -2500);
  g_assert_true (mt_json_get_boolean (mt_json_get_child (a, 2)));
  g_assert_false (mt_json_get_boolean (mt_json_get_child (a, 3)));
  g_assert_cmpint (mt_json_get_kind (mt_json_get_child (a, 4)), ==, MT_JSON_NULL);
  s = mt_json_find (root, "s");
  g_assert_cmpstr (mt_json_get_string (s), ==, "\"\\/\b\f\n\r\tü😀");
  g_assert_cmpuint (mt_json_get_line (s), ==, 2);
  g_assert_null (mt_json_find (root, "absent"));
  mt_json_free (NULL);
}

/* Whole numbers to the last one that fits, and not one more. */
static void
test_integers (void)
{
  const struct { const char *text; guint64 most, value; gboolean fits; } cases[] = {
    { "0", 0, 0, TRUE },
    { "1", 0, 0, FALSE },
    { "5", 5, 5, TRUE },
    { "6", 5, 0, FALSE },
    { "15", 5, 0, FALSE },
    { "65535", 65535, 65535, TRUE },
    { "65536", 65535, 0, FALSE },
    { "9007199254740993", G_MAXUINT64, G_GUINT64_CONSTANT (9007199254740993), TRUE },
    { "18446744073709551614", G_MAXUINT64 - 1, G_MAXUINT64 - 1, TRUE },
    { "18446744073709551615", G_MAXUINT64, G_MAXUINT64, TRUE },
    { "18446744073709551615", G_MAXUINT64 - 1, 0, FALSE },
    { "18446744073709551616", G_MAXUINT64, 0, FALSE },
    { "99999999999999999999999", G_MAXUINT64, 0, FALSE },
    { "-1", G_MAXUINT64, 0, FALSE },
    { "-0", G_MAXUINT64, 0, FALSE },
    { "1.0", G_MAXUINT64, 0, FALSE },
    { "1e0", G_MAXUINT64, 0, FALSE },
    { "1E0", G_MAXUINT64, 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MtJson) json = mt_json_parse (cases[i].text, -1, NULL);
      guint64 value = 0;

      g_assert_nonnull (json);
      if (mt_json_get_integer (json, cases[i].most, &value) != cases[i].fits || value != cases[i].value)
        g_error ("%s up to %" G_GUINT64_FORMAT " gave %" G_GUINT64_FORMAT, cases[i].text, cases[i].most,
                 value);
    }
}

static void
test_refuses (void)
{
  const struct { const char *text; const char *says; } cases[] = {
    { "", "line 1: the text ends where a value is expected" },
    { "\n\n  ", "line 3: the text ends where" },
    { "x", "line 1: expected a value" },
    { "nul", "expected a value" },
    { "[1", "the text ends where ']' should stand" },
    { "[1 2]", "']' should stand" },
    { "[1,]", "expected a value" },
    { "[,1]", "expected a value" },
    { "{\"a\":1,}", "expected a member name" },
    { "{\"a\" 1}", "':' should stand behind a member's name" },
    { "{\"a\"", "the text ends where ':'" },
    { "{\"a\":}", "expected a value" },
    { "{a:1}", "expected a member name" },
    { "{\"a\":1 \"b\":2}", "'}' should stand" },
    { "{\"a\":1,\n\"a\":2}", "line 2: member \"a\" occurs twice" },
    { "{\"a", "a string has no end" },
    { "\"a\nb\"", "a string contains a control character" },
    { "\"a\\x\"", "a backslash in a string" },
    { "\"a\\", "a backslash in a string" },
    { "\"\\u12\"", "four hexadecimal digits" },
    { "\"\\u", "four hexadecimal digits" },
    { "\"\\u12g4\"", "four hexadecimal digits" },
    { "\"\\u0000\"", "not valid in text" },
    { "\"\\udc00\"", "not valid in text" },
    { "\"\\ud800\"", "half a character" },
    { "\"\\ud800\\n\"", "half a character" },
    { "\"\\ud800\\u0041\"", "half a character" },
    { "\"\\ud800\\u", "half a character" },
    { "01", "something follows" },
    { "1 2", "something follows the end" },
    { "+1", "expected a value" },
    { ".5", "expected a value" },
    { "1.", "a number is not valid JSON" },
    { "-", "a number is not valid JSON" },
    { "1e", "a number is not valid JSON" },
    { "1e+", "a number is not valid JSON" },
    { "1e999", "a number is too large" },
    { "NaN", "expected a value" },
    { "// x\n1", "expected a value" },
    { "'a'", "expected a value" },
    { "\"\xff\"", "not valid UTF-8" },
    { "[1,\n\xc3]", "line 2: the text is not valid UTF-8" },
    { "\xef\xbb\xbf[]", "expected a value" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (mt_json_parse (cases[i].text, -1, &error));
      g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
      if (strstr (error->message, cases[i].says) == NULL)
        g_error ("'%s' gave '%s', expected '%s'", cases[i].text, error->message, cases[i].says);
    }
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (mt_json_parse ("[1]\0", 4, &error));   /* a NUL is not text */
    g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  }
}

static void
test_depth (void)
{
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (MtJson) fits = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < MT_JSON_MAX_DEPTH; i++)
    g_string_append_c (deep, '[');
  for (guint i = 0; i < MT_JSON_MAX_DEPTH; i++)
    g_string_append_c (deep, ']');
  fits = mt_json_parse (deep->str, -1, &error);
  g_assert_no_error (error);
  g_string_prepend_c (deep, '[');
  g_string_append_c (deep, ']');
  g_assert_null (mt_json_parse (deep->str, -1, &error));
  g_assert_nonnull (strstr (error->message, "nested more than 64 deep"));
  g_clear_error (&error);
  g_string_truncate (deep, 0);
  for (guint i = 0; i < 1000000; i++)
    g_string_append (deep, i % 2 ? "[" : "{\"a\":");
  g_assert_null (mt_json_parse (deep->str, -1, &error));
}

static void
test_places (void)
{
  g_autoptr (MtJson) document = mt_json_parse ("{\"a\": [1, \"x\", 2.5, -1], \"b\": {\"c\": true, \"d\": \"t\"},\n \"n\": 7}", -1, NULL);
  MtJsonCursor root = mt_json_cursor_root (document), a, b, item;
  static const char * const names[] = { "a", "b", "n", NULL }, *fewer[] = { "a", "b", NULL },
                                      *more[] = { "a", "b", "n", "z", NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_auto (GStrv) strings = NULL;
  g_autofree double *numbers = NULL;
  g_autofree guint *integers = NULL;
  const char *text;
  gboolean boolean;
  guint64 integer;
  double number;
  guint n;

#define SAYS(call, what)                                              \
  G_STMT_START {                                                      \
    g_assert_false (call);                                            \
    g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);                 \
    if (strstr (error->message, what) == NULL)                        \
      g_error ("got '%s', expected '%s'", error->message, what);      \
    g_clear_error (&error);                                           \
  } G_STMT_END

  path = mt_json_cursor_dup_path (&root);
  g_assert_cmpstr (path, ==, "the document");
  g_assert_true (mt_json_check_members (&root, names, &error));
  SAYS (mt_json_check_members (&root, fewer, &error), "has a member \"n\", which is unknown");
  SAYS (mt_json_check_members (&root, more, &error), "has no member \"z\"");
  g_assert_true (mt_json_member (&root, "a", MT_JSON_ARRAY, &a, &error));
  g_assert_true (mt_json_member (&root, "b", MT_JSON_OBJECT, &b, &error));
  SAYS (mt_json_member (&root, "z", MT_JSON_OBJECT, &item, &error), "has no member \"z\"");
  SAYS (mt_json_member (&root, "n", MT_JSON_OBJECT, &item, &error),
        "n (line 2) is a number and should be an object");
  SAYS (mt_json_item (&a, 1, MT_JSON_NUMBER, &item, &error),
        "a[1] (line 1) is a string and should be a number");
  g_assert_true (mt_json_read_boolean (&b, "c", &boolean, &error) && boolean);
  SAYS (mt_json_read_boolean (&b, "d", &boolean, &error),
        "b.d (line 1) is a string and should be true or false");
  g_assert_true (mt_json_read_string (&b, "d", &text, &error));
  g_assert_cmpstr (text, ==, "t");
  SAYS (mt_json_read_string (&b, "c", &text, &error), "b.c");
  g_assert_true (mt_json_read_number (&root, "n", &number, &error));
  SAYS (mt_json_read_number (&root, "a", &number, &error), "a (line 1) is a list");
  g_assert_true (mt_json_read_integer (&root, "n", 7, &integer, &error));
  SAYS (mt_json_read_integer (&root, "n", 6, &integer, &error),
        "n (line 2) is not a whole number from 0 to 6");
  SAYS (mt_json_read_numbers (&root, "a", 9, &numbers, &n, &error), "a[1]");
  SAYS (mt_json_read_numbers (&root, "a", 3, &numbers, &n, &error), "has 4 items and should have at most 3");
  SAYS (mt_json_read_numbers (&root, "n", 3, &numbers, &n, &error), "should be a list");
  SAYS (mt_json_read_integers (&root, "a", 9, 9, &integers, &n, &error), "a[1]");
  SAYS (mt_json_read_integers (&root, "a", 9, 0, &integers, &n, &error),
        "a[0] (line 1) is not a whole number");
  SAYS (mt_json_read_integers (&root, "b", 9, 0, &integers, &n, &error), "b");
  SAYS (mt_json_read_strings (&root, "a", 9, &strings, &error),
        "a[0] (line 1) is a number and should be a string");
  SAYS (mt_json_read_strings (&root, "b", 9, &strings, &error), "b");
#undef SAYS
}

/* Random bytes and random edits never crash the reader. */
static void
test_mutations (void)
{
  static const char text[] = "{\"a\": [1, -2.5e3, true, null, {\"b\": \"\\u00fc\\n\"}], \"c\": {}, \"d\": \"x\"}";
  MtRandom random;
  gsize n_read = 0, n = g_test_slow () ? 1000000 : 20000;

  mt_random_init (&random, 1);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *copy = g_memdup2 (text, sizeof text - 1);
      gsize length = sizeof text - 1;
      g_autoptr (GError) error = NULL;
      g_autoptr (MtJson) json = NULL;

      for (guint64 k = mt_random_below (&random, 4); k > 0; k--)
        copy[mt_random_below (&random, length)] = (char) mt_random_next (&random);
      if (i % 3 == 0)
        length = mt_random_below (&random, length);
      json = mt_json_parse (copy, (gssize) length, &error);
      g_assert_true ((json == NULL) == (error != NULL));
      n_read += json != NULL;
    }
  g_assert_cmpuint (n_read, >, 0);
}

/* An empty model in a project is bytes without an address. */
static void
test_nothing (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (mt_json_parse (NULL, 0, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, "the text ends where a value is expected"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/nothing", test_nothing);
  g_test_add_func ("/json/write", test_write);
  g_test_add_func ("/json/compact", test_compact);
  g_test_add_func ("/json/read", test_read);
  g_test_add_func ("/json/integers", test_integers);
  g_test_add_func ("/json/refuses", test_refuses);
  g_test_add_func ("/json/depth", test_depth);
  g_test_add_func ("/json/places", test_places);
  g_test_add_func ("/json/mutations", test_mutations);
  return g_test_run ();
}
