/* Tables from texts and from pairs of numbers to numbers, beside GLib's, and the grid of a sweep, which counts in digits. */
#include "config.h"

#include <string.h>

#include "logic/mt-diagram-order.h"
#include "import/mt-dict.h"
#include "base/mt-error.h"
#include "base/mt-random.h"
#include "project/mt-sweep.h"

/* Few letters, so that texts meet again; of all lengths around the eight bytes that a slot holds, and with NULs. */
static gsize
make_text (MtRandom *random,
           char     *text)
{
  gsize length = (gsize) mt_random_below (random, 20);

  memset (text, 'z', 32);   /* what stands behind must not matter */
  for (gsize i = 0; i < length; i++)
    text[i] = mt_random_below (random, length > 6 ? 12 : 3) == 0 ? '\0' : 'a';
  return length;
}

static void
test_dict (void)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  MtDict dict = { 0 };
  MtRandom random;
  char text[32];
  guint n_again = 0;

  mt_random_init (&random, 2);
  for (guint i = 0; i < 20000; i++)
    {
      gsize length = make_text (&random, text);
      g_autoptr (GBytes) key = g_bytes_new (text, length);
      gpointer number;
      guint32 found;

      text[length] = (char) mt_random_below (&random, 256);
      found = mt_dict_add (&dict, text, length);
      if (g_hash_table_lookup_extended (known, key, NULL, &number))
        {
          g_assert_cmpuint (found, ==, GPOINTER_TO_UINT (number));
          n_again++;
        }
      else
        {
          g_assert_cmpuint (found, ==, g_hash_table_size (known));   /* the next */
          g_hash_table_insert (known, g_bytes_ref (key), GUINT_TO_POINTER (found));
        }
      g_assert_cmpuint (dict.n_entries, ==, g_hash_table_size (known));
    }
  g_assert_cmpuint (n_again, >, 5000);
  g_assert_cmpuint (dict.n_entries, >, 1000);
  for (guint i = 0; i < dict.n_entries; i++)
    {
      gsize length;
      const char *kept = mt_dict_get (&dict, i, &length);
      g_autoptr (GBytes) key = g_bytes_new (kept, length);
      gpointer number;

      g_assert_true (g_hash_table_lookup_extended (known, key, NULL, &number));
      g_assert_cmpuint (GPOINTER_TO_UINT (number), ==, i);
    }
  mt_dict_clear (&dict);
  g_assert_cmpuint (mt_dict_add (&dict, "again   ", 5), ==, 0);
  mt_dict_clear (&dict);
}

/* Texts that differ in one byte, wherever it is, are two. */
static void
test_dict_one_byte (void)
{
  for (gsize length = 1; length < 40; length++)
    {
      MtDict dict = { 0 };
      char text[48] = { 0 };

      memset (text, 'x', length);
      g_assert_cmpuint (mt_dict_add (&dict, text, length), ==, 0);
      for (gsize i = 0; i < length; i++)
        {
          text[i] = 'y';
          g_assert_cmpuint (mt_dict_add (&dict, text, length), ==, i + 1);
          text[i] = 'x';
        }
      g_assert_cmpuint (mt_dict_add (&dict, text, length), ==, 0);
      g_assert_cmpuint (mt_dict_add (&dict, text, length - 1), ==, length + 1);
      mt_dict_clear (&dict);
    }
}

static void
test_pairs (void)
{
  enum { MOST = 1000 };
  MtPairTable pairs;
  MtRandom random;
  guint n_again = 0;

  mt_random_init (&random, 9);
  mt_pair_table_init (&pairs, MOST);
  for (guint round = 0; round < 30; round++)
    {
      g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      guint n_max = 1 + (guint) mt_random_below (&random, MOST), range = 2 + (guint) mt_random_below (&random, 200);

      mt_pair_table_reset (&pairs, n_max);
      for (guint i = 0; i < 4 * n_max && g_hash_table_size (known) < n_max; i++)
        {
          guint32 a = (guint32) mt_random_below (&random, range), b = (guint32) mt_random_below (&random, range);
          gint64 key = (gint64) ((guint64) a << 32 | b);
          gpointer number;
          guint32 found = mt_pair_table_get (&pairs, a, b, i);

          if (g_hash_table_lookup_extended (known, &key, NULL, &number))
            {
              g_assert_cmpuint (found, ==, GPOINTER_TO_UINT (number));
              n_again++;
            }
          else
            {
              g_assert_cmpuint (found, ==, i);
              g_hash_table_insert (known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (i));
            }
        }
    }
  g_assert_cmpuint (n_again, >, 1000);
  /* (a, b) is not (b, a), and zeros are a pair like others. */
  mt_pair_table_reset (&pairs, 4);
  g_assert_cmpuint (mt_pair_table_get (&pairs, 0, 0, 5), ==, 5);
  g_assert_cmpuint (mt_pair_table_get (&pairs, 0, 1, 6), ==, 6);
  g_assert_cmpuint (mt_pair_table_get (&pairs, 1, 0, 7), ==, 7);
  g_assert_cmpuint (mt_pair_table_get (&pairs, 0, 0, 8), ==, 5);
  mt_pair_table_clear (&pairs);
}

/* --- the grid --- */

static const MtSweepGrid grid = { { 4, 9 }, 2, { 10, 20, 30 }, 3, { 2, 5 }, 2, { 0.001, 0.01, 0.5 }, 3, 4 };

/* Every combination once, in the order of nested loops. */
static void
test_grid (void)
{
  const MtSweepGrid one = { .n_seeds = 1 };
  MtRunSettings base, same;
  guint index = 0;

  mt_run_settings_init (&base, MT_PRESET_BALANCED);
  base.seed = 100;
  mt_sweep_grid_get (&one, &base, 0, &same);
  g_assert_true (mt_run_settings_equal (&base, &same));   /* what has no list is as in the one run */
  g_assert_true (mt_sweep_grid_check (&grid, NULL));
  g_assert_cmpuint (mt_sweep_grid_count (&grid), ==, 2 * 3 * 2 * 3 * 4);
  for (guint b = 0; b < 2; b++)
    for (guint n = 0; n < 3; n++)
      for (guint f = 0; f < 2; f++)
        for (guint t = 0; t < 3; t++)
          for (guint s = 0; s < 4; s++)
            {
              MtRunSettings settings;

              mt_sweep_grid_get (&grid, &base, index++, &settings);
              g_assert_cmpuint (settings.bits, ==, grid.bits[b]);
              g_assert_cmpuint (settings.nodes, ==, grid.nodes[n]);
              g_assert_cmpuint (settings.fan_in, ==, grid.fan_in[f]);
              g_assert_cmpfloat (settings.temperature, ==, grid.temperature[t]);
              g_assert_cmpuint (settings.seed, ==, 100 + s);
            }
}

static void
assert_refused (MtSweepGrid  wrong,
                const char  *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (mt_sweep_grid_check (&wrong, &error));
  g_assert_error (error, MT_ERROR, MT_ERROR_PARAMS);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_grid_refuses (void)
{
  static const guint zero[] = { 0 }, high[] = { 9 }, many[] = { 10001 }, twice[] = { 3, 5, 3 };
  static const double cold[] = { 0 }, same[] = { 0.1, 0.1 };
  MtSweepGrid wrong;

#define WITH(member, values) (wrong = grid, memcpy (wrong.member, values, sizeof values), wrong.n_##member = G_N_ELEMENTS (values), wrong)
  assert_refused (WITH (bits, zero), "bits must be between 1 and 250, not 0");
  assert_refused (WITH (fan_in, high), "fan-in must be between 1 and 8, not 9");
  assert_refused (WITH (nodes, many), "nodes must be between 1 and 10000, not 10001");
  assert_refused (WITH (fan_in, twice), "fan-in contains 3 twice");
  assert_refused (WITH (temperature, cold), "temperature must be between 0.000001 and 100");
  assert_refused (WITH (temperature, same), "temperature contains a value twice");
#undef WITH
  wrong = grid;
  wrong.n_seeds = 2778;
  assert_refused (wrong, "a sweep can have 1 to 100000 runs, not 100008; use fewer values or seeds");
  wrong.n_seeds = 2777;
  g_assert_true (mt_sweep_grid_check (&wrong, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dict/as-a-hash-table", test_dict);
  g_test_add_func ("/dict/one-byte", test_dict_one_byte);
  g_test_add_func ("/dict/pairs", test_pairs);
  g_test_add_func ("/sweep-grid/order", test_grid);
  g_test_add_func ("/sweep-grid/refuses", test_grid_refuses);
  return g_test_run ();
}
