/* The published cases: tables with the literals that an exact solver needs and those that the
 * published library used. */
#include "config.h"

#include <string.h>

#include "logic/mt-qmc.h"
#include "testutils.h"

typedef struct {
  guint n_cases, n_exact, n_library;
} Seen;

static gint64
get_or (const MtJson *object,
        const char *name,
        gint64      otherwise)
{
  return mt_json_find (object, name) == NULL || mt_test_json_is_null (object, name) ? otherwise
                                                                                    : mt_test_json_integer (object, name);
}

static void
check_case (const char *line,
            Seen       *seen)
{
  guint64 on[MT_TRUTH_TABLE_MAX_WORDS], dc[MT_TRUTH_TABLE_MAX_WORDS];
  guint64 table[MT_TRUTH_TABLE_MAX_WORDS];
  g_autoptr (MtJson) root = mt_json_parse (line, -1, NULL);
  g_auto (MtCover) cover = { 0 };
  g_auto (MtXorCover) with_xor = { 0 };
  guint k = (guint) mt_test_json_integer (root, "fan_in");
  gint64 optimal = get_or (root, "optimal_literals", -1);
  gint64 library = get_or (root, "library_literals", G_MAXINT64);
  guint literals = 0;

  g_assert_true (mt_truth_table_parse (k, mt_test_json_string (root, "on"), on, NULL));
  g_assert_true (mt_truth_table_parse (k, mt_test_json_string (root, "dc"), dc, NULL));
  g_assert_true (mt_qmc_minimize (k, on, dc, NULL, &cover));

  for (gsize w = 0; w < mt_truth_table_n_words (k); w++)
    table[w] = 0;
  for (guint i = 0; i < cover.n_cubes; i++)
    {
      literals += (guint) __builtin_popcount (cover.cubes[i].mask);
      for (guint32 v = 0; v < 1u << k; v++)
        if ((v & cover.cubes[i].mask) == cover.cubes[i].value)
          mt_truth_table_set (table, v, TRUE);
    }
  for (gsize w = 0; w < mt_truth_table_n_words (k); w++)
    g_assert_cmpuint ((table[w] ^ on[w]) & ~dc[w], ==, 0);
  g_assert_cmpuint (literals, ==, cover.n_literals);
  if (k <= MT_QMC_EXACT_FAN_IN)
    g_assert_true (cover.proven);
  if (optimal >= 0)
    g_assert_cmpint (literals, ==, optimal);
  g_assert_cmpint (literals, <=, library);

  if (k <= 6)
    {
      g_assert_true (mt_qmc_minimize_xor (k, on, dc, NULL, &with_xor));
      g_assert_cmpuint (with_xor.n_literals, <=, cover.n_literals);
    }
  seen->n_cases++;
  seen->n_exact += optimal >= 0;
  seen->n_library += library != G_MAXINT64;
}

static void
test_published_cases (void)
{
  g_autofree char *path = mt_test_shared ("qmc-cases.jsonl", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;
  Seen seen = { 0 };

  if (path == NULL)
    return;
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      check_case (lines[i], &seen);
  g_assert_cmpuint (seen.n_cases, >=, 1000);
  g_assert_cmpuint (seen.n_exact, >=, 500);
  g_assert_cmpuint (seen.n_library, >=, 500);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/qmc-cases/published", test_published_cases);
  return g_test_run ();
}
