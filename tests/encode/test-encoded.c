#include "config.h"

#include "encode/mt-encoded.h"
#include "base/mt-random.h"

static const MtGroup groups[] = {
  { MT_GROUP_THERMOMETER, 0, 0, 4, FALSE },
  { MT_GROUP_THERMOMETER, 1, 4, 3, TRUE },
  { MT_GROUP_ONE_HOT, 2, 7, 3, TRUE },
  { MT_GROUP_ONE_HOT, 3, 10, 1, FALSE },
};

/* What the header says of each kind, written out a second time. */
static gboolean
literal_by_definition (const MtGroup *group,
                       guint          literal,
                       guint          code)
{
  guint b = group->n_literals - (group->has_missing ? 1 : 0);

  if (group->kind == MT_GROUP_ONE_HOT)
    return code == literal + 1;
  if (literal < b)
    return code <= b && literal < code;
  return code == b + 1;
}

static MtEncoded *
make (gsize n_rows)
{
  g_autofree guint8 *codes = g_malloc (G_N_ELEMENTS (groups) * n_rows + 1);
  g_autofree double *numeric = g_new (double, n_rows + 1);
  MtRandom random;

  mt_random_init (&random, n_rows);
  for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
    for (gsize r = 0; r < n_rows; r++)
      codes[g * n_rows + r] = (guint8) mt_random_below (&random, mt_group_get_n_codes (&groups[g]));
  for (gsize r = 0; r < n_rows; r++)
    numeric[r] = (float) r;
  return mt_encoded_new (groups, G_N_ELEMENTS (groups), codes, numeric, 1, n_rows);
}

static void
assert_planes_match_codes (const MtEncoded *encoded)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  gsize n_words = mt_encoded_get_n_words (encoded);

  for (guint l = 0; l < mt_encoded_get_n_literals (encoded); l++)
    {
      guint g = mt_encoded_get_group_of (encoded, l);
      const MtGroup *group = &mt_encoded_get_groups (encoded)[g];
      const guint64 *plane = mt_encoded_get_plane (encoded, l);

      g_assert_cmpuint (GPOINTER_TO_SIZE (plane) % 64, ==, 0);
      for (gsize r = 0; r < n_words * 64; r++)
        {
          gboolean expected = r < n_rows &&
            literal_by_definition (group, l - group->first_literal, mt_encoded_get_codes (encoded, g)[r]);

          g_assert_cmpint (mt_plane_get (plane, r), ==, expected);
        }
    }
}

static void
test_planes (void)
{
  const gsize sizes[] = { 0, 1, 63, 64, 65, 511, 512, 513, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (MtEncoded) encoded = make (sizes[i]);

      g_assert_cmpuint (mt_encoded_get_n_literals (encoded), ==, 11);
      g_assert_cmpuint (mt_encoded_get_n_words (encoded) % 8, ==, 0);
      assert_planes_match_codes (encoded);
    }
}

static void
test_take_rows (void)
{
  g_autoptr (MtEncoded) all = make (300);
  const guint32 rows[] = { 299, 0, 5, 5, 64 };
  g_autoptr (MtEncoded) some = mt_encoded_take_rows (all, rows, G_N_ELEMENTS (rows));

  assert_planes_match_codes (some);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_cmpfloat (mt_encoded_get_numeric (some, 0)[i], ==, (float) rows[i]);
      for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
        g_assert_cmpuint (mt_encoded_get_codes (some, g)[i], ==, mt_encoded_get_codes (all, g)[rows[i]]);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/encoded/planes", test_planes);
  g_test_add_func ("/encoded/take-rows", test_take_rows);
  return g_test_run ();
}
