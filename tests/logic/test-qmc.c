/* The minimiser against a second one written otherwise: the least number of literals as the
 * shortest path over sets of covered assignments, all cubes (not only primes) allowed. */
#include "config.h"

#include <string.h>

#include "logic/mt-qmc.h"
#include "base/mt-random.h"

/* What test_exhaustive_small() and test_random_small() compare with, for up to 2^5 assignments.
 * Depth-first over the lowest open assignment; literals first, then terms. */
typedef struct {
  guint   n_cubes;
  guint32 rows[243];
  guint   cost[243];      /* literals × 1000 + 1 */
  guint   best;
} Reference;

static void
reference_descend (Reference *ref,
                   guint32    open,
                   guint      cost)
{
  if (open == 0)
    ref->best = MIN (ref->best, cost);
  /* Each further term costs at least one literal. */
  if (open == 0 || cost + 1001 >= ref->best)
    return;
  for (guint i = 0; i < ref->n_cubes; i++)
    if (ref->rows[i] & (open & -open))
      reference_descend (ref, open & ~ref->rows[i], cost + ref->cost[i]);
}

static guint
reference_minimum (guint   fan_in,
                   guint32 on,
                   guint32 dc)
{
  Reference ref = { 0 };
  guint n_cubes = 1;

  for (guint i = 0; i < fan_in; i++)
    n_cubes *= 3;
  for (guint number = 0; number < n_cubes; number++)
    {
      guint32 rows = 0;
      guint literals = 0, rest = number;

      for (guint i = 0; i < fan_in; i++, rest /= 3)
        literals += rest % 3 != 2;
      for (guint v = 0; v < 1u << fan_in; v++)
        {
          gboolean inside = TRUE;

          rest = number;
          for (guint i = 0; i < fan_in; i++, rest /= 3)
            inside &= rest % 3 == 2 || rest % 3 == ((v >> i) & 1);
          if (inside)
            rows |= 1u << v;
        }
      if ((rows & ~(on | dc)) == 0 && (rows & on & ~dc) != 0)
        {
          ref.rows[ref.n_cubes] = rows & on & ~dc;
          ref.cost[ref.n_cubes++] = literals * 1000 + 1;
        }
    }
  /* Cheap and wide ones first, and none that another one replaces: the search stays short. */
  for (guint i = 0; i < ref.n_cubes; i++)
    for (guint j = 0; j < ref.n_cubes; j++)
      if (i != j && ref.rows[i] != 0 && (ref.rows[i] & ~ref.rows[j]) == 0 && ref.cost[j] <= ref.cost[i] &&
          (ref.rows[i] != ref.rows[j] || ref.cost[j] < ref.cost[i] || j < i))
        ref.rows[i] = 0;
  ref.best = G_MAXUINT;
  reference_descend (&ref, on & ~dc, 0);
  return ref.best;
}

/* Each cube alone covers something that matters. */
static void
assert_irredundant (guint          fan_in,
                    const guint64 *on,
                    const guint64 *dc,
                    const MtCover *cover)
{
  g_autofree guint *times = g_new0 (guint, 1u << fan_in);

  for (guint i = 0; i < cover->n_cubes; i++)
    for (guint32 v = 0; v < 1u << fan_in; v++)
      times[v] += mt_cube_covers (&cover->cubes[i], v);
  for (guint i = 0; i < cover->n_cubes; i++)
    {
      gboolean needed = FALSE;

      for (guint32 v = 0; v < 1u << fan_in && !needed; v++)
        needed = times[v] == 1 && mt_cube_covers (&cover->cubes[i], v) && !mt_truth_table_get (dc, v);
      g_assert_true (needed);
    }
}

static void
assert_cover (guint          fan_in,
              const guint64 *on,
              const guint64 *dc,
              const MtCover *cover)
{
  guint literals = 0;

  for (guint i = 0; i < cover->n_cubes; i++)
    {
      g_assert_cmpuint (cover->cubes[i].value & ~cover->cubes[i].mask, ==, 0);
      literals += (guint) __builtin_popcount (cover->cubes[i].mask);
    }
  g_assert_cmpuint (cover->n_literals, ==, literals);
  for (guint32 v = 0; v < 1u << fan_in; v++)
    {
      gboolean covered = FALSE;

      for (guint i = 0; i < cover->n_cubes && !covered; i++)
        covered = mt_cube_covers (&cover->cubes[i], v);
      if (dc == NULL || !mt_truth_table_get (dc, v))
        g_assert_cmpint (covered, ==, mt_truth_table_get (on, v));
    }
}

static void
check_small (guint   fan_in,
             guint64 on,
             guint64 dc)
{
  g_auto (MtCover) cover = { 0 };

  g_assert_true (mt_qmc_minimize (fan_in, &on, &dc, NULL, &cover));
  assert_cover (fan_in, &on, &dc, &cover);
  g_assert_true (cover.proven);
  g_assert_cmpuint (cover.n_literals * 1000 + cover.n_cubes, ==,
                    reference_minimum (fan_in, (guint32) on, (guint32) dc));
}

static void
test_exhaustive_small (void)
{
  for (guint k = 0; k <= 3; k++)
    {
      guint n_tables = 1;

      for (guint v = 0; v < 1u << k; v++)
        n_tables *= 3;
      for (guint number = 0; number < n_tables; number++)
        {
          guint64 on = 0, dc = 0;
          guint rest = number;

          for (guint v = 0; v < 1u << k; v++, rest /= 3)
            {
              on |= (guint64) (rest % 3 == 1) << v;
              dc |= (guint64) (rest % 3 == 2) << v;
            }
          check_small (k, on, dc);
        }
    }
}

/* All tables of four inputs that are smallest among their images under renaming of inputs. */
static void
test_all_of_four (void)
{
  static const guint8 swaps[3][4] = { { 1, 0, 2, 3 }, { 0, 2, 1, 3 }, { 0, 1, 3, 2 } };
  guint n_checked = 0;

  for (guint64 on = 0; on < 65536; on++)
    {
      gboolean smallest = TRUE;

      for (guint s = 0; s < 3 && smallest; s++)
        {
          guint64 image;

          mt_truth_table_permute (4, &on, swaps[s], &image);
          smallest = image >= on;
        }
      if (!smallest)
        continue;
      check_small (4, on, 0);
      n_checked++;
    }
  g_assert_cmpuint (n_checked, >, 3000);
}

static void
test_random_small (void)
{
  MtRandom random;

  mt_random_init (&random, 11);
  for (guint round = 0; round < 3000; round++)
    {
      guint k = 4 + round % 2;
      guint64 mask = mt_truth_table_last_mask (k);
      guint64 on = mt_random_next (&random) & mask;
      guint64 dc = mt_random_next (&random) & mask;

      if (round % 3 == 0)
        dc &= mt_random_next (&random);
      if (round % 5 == 0)
        on &= mt_random_next (&random);
      check_small (k, on, dc);
    }
}

/* The comparison itself can fail: a literal or a term too many is noticed. */
static void
test_planted_faults (void)
{
  guint64 on = 0xf8f8, dc = 0, table;
  g_auto (MtCover) cover = { 0 };

  g_assert_true (mt_qmc_minimize (4, &on, NULL, NULL, &cover));
  g_assert_cmpuint (cover.n_literals, ==, 3);
  g_assert_cmpuint (cover.n_cubes, ==, 2);
  mt_cover_to_table (&cover, 4, &table);
  g_assert_true (mt_qmc_agrees (4, &on, &dc, &table));
  for (guint v = 0; v < 16; v++)
    {
      guint64 wrong = table ^ (guint64) 1 << v, free = (guint64) 1 << v;

      g_assert_false (mt_qmc_agrees (4, &on, &dc, &wrong));
      g_assert_false (mt_qmc_agrees (4, &on, NULL, &wrong));
      g_assert_true (mt_qmc_agrees (4, &on, &free, &wrong));
    }
  cover.cubes[1].mask ^= 8;
  mt_cover_to_table (&cover, 4, &table);
  g_assert_false (mt_qmc_agrees (4, &on, &dc, &table));
  g_assert_cmpuint (reference_minimum (4, 0xf8f8, 0), ==, 3002);
  g_assert_cmpuint (reference_minimum (4, 0xf8f9, 0), !=, 3002);
}

static void
test_constants (void)
{
  for (guint k = 0; k <= MT_TRUTH_TABLE_MAX_FAN_IN; k++)
    {
      guint64 none[MT_TRUTH_TABLE_MAX_WORDS], all[MT_TRUTH_TABLE_MAX_WORDS];
      g_auto (MtCover) cover = { 0 };

      mt_truth_table_fill (k, FALSE, none);
      mt_truth_table_fill (k, TRUE, all);
      g_assert_true (mt_qmc_minimize (k, none, NULL, NULL, &cover));
      g_assert_cmpuint (cover.n_cubes, ==, 0);
      g_assert_true (cover.proven);
      mt_cover_clear (&cover);
      g_assert_true (mt_qmc_minimize (k, all, NULL, NULL, &cover));
      g_assert_cmpuint (cover.n_cubes, ==, 1);
      g_assert_cmpuint (cover.n_literals, ==, 0);
      g_assert_cmpuint (cover.cubes[0].mask, ==, 0);
      g_assert_true (cover.proven);
      mt_cover_clear (&cover);
      /* The whole on-set is don't-care: false, not true; and so is its CNF. */
      g_assert_true (mt_qmc_minimize (k, all, all, NULL, &cover));
      g_assert_cmpuint (cover.n_cubes, ==, 0);
      mt_cover_clear (&cover);
      g_assert_true (mt_qmc_minimize_cnf (k, none, all, NULL, &cover));
      g_assert_cmpuint (cover.n_cubes, ==, 1);
      g_assert_cmpuint (cover.cubes[0].mask, ==, 0);
      mt_cover_clear (&cover);
      g_assert_true (mt_qmc_minimize_cnf (k, all, NULL, NULL, &cover));
      g_assert_cmpuint (cover.n_cubes, ==, 0);
    }
}

static void
random_case (MtRandom *random,
             guint     fan_in,
             guint     kind,
             guint64  *on,
             guint64  *dc)
{
  double weights[MT_TRUTH_TABLE_MAX_FAN_IN];

  for (guint i = 0; i < fan_in; i++)
    weights[i] = mt_random_normal (random);
  mt_truth_table_from_weights (fan_in, weights, mt_random_normal (random), on);
  for (gsize w = 0; w < mt_truth_table_n_words (fan_in); w++)
    {
      guint64 mask = mt_truth_table_last_mask (fan_in);

      if (kind & 1)
        on[w] = mt_random_next (random) & mask;
      dc[w] = kind & 2 ? mt_random_next (random) & mask : 0;
      if (kind & 4)
        dc[w] &= mt_random_next (random);
    }
}

/* Every size and kind: right, irredundant, and the same bytes when asked again. */
static void
test_all_sizes (void)
{
  guint64 on[MT_TRUTH_TABLE_MAX_WORDS], dc[MT_TRUTH_TABLE_MAX_WORDS];
  MtRandom random;

  mt_random_init (&random, 12);
  for (guint k = 1; k <= MT_TRUTH_TABLE_MAX_FAN_IN; k++)
    for (guint kind = 0; kind < 8; kind++)
      {
        MtQmcOptions options = { k > 8 ? 300000 : 0, NULL };
        g_auto (MtCover) cover = { 0 };
        g_auto (MtCover) again = { 0 };
        g_auto (MtCover) cnf = { 0 };

        if (k > 12 && (kind & 1))
          continue;
        random_case (&random, k, kind, on, dc);
        g_assert_true (mt_qmc_minimize (k, on, dc, &options, &cover));
        g_assert_true (mt_qmc_minimize (k, on, dc, &options, &again));
        assert_cover (k, on, dc, &cover);
        assert_irredundant (k, on, dc, &cover);
        if (k <= MT_QMC_EXACT_FAN_IN || kind == 0)
          g_assert_true (cover.proven);
        g_assert_cmpmem (cover.cubes, cover.n_cubes * sizeof (MtCube),
                         again.cubes, again.n_cubes * sizeof (MtCube));

        g_assert_true (mt_qmc_minimize_cnf (k, on, dc, &options, &cnf));
        for (guint32 v = 0; v < 1u << k; v++)
          {
            gboolean value = TRUE;

            for (guint i = 0; i < cnf.n_cubes && value; i++)
              value = !mt_cube_covers (&cnf.cubes[i], v);
            if (!mt_truth_table_get (dc, v))
              g_assert_cmpint (value, ==, mt_truth_table_get (on, v));
          }
      }
}

static void
make_symmetric (guint    fan_in,
                guint    levels,
                guint64 *on)
{
  mt_truth_table_fill (fan_in, FALSE, on);
  for (guint32 v = 0; v < 1u << fan_in; v++)
    if ((levels >> __builtin_popcount (v)) & 1)
      mt_truth_table_set (on, v, TRUE);
}

/* Tables that depend on the number of true inputs alone: the hardest for branching. Between 2 and 6
 * of 8 needs a term for each pair that can be just on, which 28 terms reach. */
static void
test_symmetric (void)
{
  guint64 on[4];

  for (guint levels = 0; levels < 256; levels++)
    {
      g_auto (MtCover) cover = { 0 };

      make_symmetric (7, levels, on);
      g_assert_true (mt_qmc_minimize (7, on, NULL, NULL, &cover));
      g_assert_true (cover.proven);
    }
  {
    g_auto (MtCover) two_to_six = { 0 };
    g_auto (MtCover) three_to_five = { 0 };
    guint64 none[4] = { 0 };

    make_symmetric (8, 0x7c, on);
    g_assert_true (mt_qmc_minimize (8, on, NULL, NULL, &two_to_six));
    assert_cover (8, on, NULL, &two_to_six);
    g_assert_cmpuint (two_to_six.n_cubes, ==, 28);
    g_assert_cmpuint (two_to_six.n_literals, ==, 112);
    g_assert_true (two_to_six.proven);

    make_symmetric (8, 0x38, on);
    g_assert_true (mt_qmc_minimize (8, on, NULL, NULL, &three_to_five));
    assert_cover (8, on, NULL, &three_to_five);
    assert_irredundant (8, on, none, &three_to_five);
    g_assert_true (three_to_five.proven);
  }
}

/* A budget only ever cuts the same search short. */
static void
test_budget (void)
{
  const guint64 budgets[] = { 1, 20000, 200000, 2000000 };
  guint64 on[MT_TRUTH_TABLE_MAX_WORDS], dc[MT_TRUTH_TABLE_MAX_WORDS];
  guint n_proven = 0, n_open = 0;
  MtRandom random;

  mt_random_init (&random, 13);
  for (guint round = 0; round < 8; round++)
    {
      guint k = 9 + round % 3;
      g_auto (MtCover) proven = { 0 };

      random_case (&random, k, round % 2 == 0 ? 3 : 2, on, dc);
      for (guint b = 0; b < G_N_ELEMENTS (budgets); b++)
        {
          MtQmcOptions options = { budgets[b], NULL };
          g_auto (MtCover) cover = { 0 };

          g_assert_true (mt_qmc_minimize (k, on, dc, &options, &cover));
          assert_cover (k, on, dc, &cover);
          assert_irredundant (k, on, dc, &cover);
          n_open += !cover.proven;
          if (proven.proven)
            {
              g_assert_true (cover.proven);
              g_assert_cmpmem (cover.cubes, cover.n_cubes * sizeof (MtCube),
                               proven.cubes, proven.n_cubes * sizeof (MtCube));
            }
          else if (cover.proven)
            {
              n_proven++;
              proven = cover;
              cover = (MtCover) { 0 };
            }
        }
    }
  g_assert_cmpuint (n_proven, >, 0);
  g_assert_cmpuint (n_open, >, 0);
}

static void
test_cancel (void)
{
  guint64 on[MT_TRUTH_TABLE_MAX_WORDS], dc[MT_TRUTH_TABLE_MAX_WORDS];
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  MtQmcOptions options = { 0, cancellable };
  MtRandom random;

  mt_random_init (&random, 14);
  g_cancellable_cancel (cancellable);
  for (guint k = 12; k <= 15; k++)
    {
      g_auto (MtCover) cover = { 0 };
      g_auto (MtXorCover) with_xor = { 0 };

      random_case (&random, k, 3, on, dc);
      g_assert_false (mt_qmc_minimize (k, on, dc, &options, &cover));
      g_assert_null (cover.cubes);
      g_assert_cmpuint (cover.n_cubes, ==, 0);
      g_assert_false (mt_qmc_minimize_xor (k, on, dc, &options, &with_xor));
      g_assert_null (with_xor.cubes);
    }
}

/* Inputs that nothing depends on do not stand in the way of a proof, and keep their numbers. */
static void
test_idle_inputs (void)
{
  guint64 on[MT_TRUTH_TABLE_MAX_WORDS], a[MT_TRUTH_TABLE_MAX_WORDS];
  g_auto (MtCover) cover = { 0 };

  mt_truth_table_input (16, 2, on);
  mt_truth_table_input (16, 9, a);
  mt_truth_table_xor (16, on, a, on);
  mt_truth_table_input (16, 15, a);
  mt_truth_table_and (16, on, a, on);
  g_assert_true (mt_qmc_minimize (16, on, NULL, NULL, &cover));
  assert_cover (16, on, NULL, &cover);
  g_assert_true (cover.proven);
  g_assert_cmpuint (cover.n_literals, ==, 6);
  g_assert_cmpuint (cover.cubes[0].mask, ==, 1u << 2 | 1u << 9 | 1u << 15);
}

static void
assert_xor_cover (guint             fan_in,
                  const guint64    *on,
                  const guint64    *dc,
                  const MtXorCover *cover)
{
  guint64 table[MT_TRUTH_TABLE_MAX_WORDS];
  guint literals = 0;

  for (guint i = 0; i < cover->n_cubes; i++)
    {
      const MtXorCube *cube = &cover->cubes[i];

      g_assert_cmpuint (cube->value & ~cube->mask, ==, 0);
      g_assert_cmpuint ((cube->mask & cube->odd) | (cube->mask & cube->even) | (cube->odd & cube->even), ==, 0);
      g_assert_cmpint (__builtin_popcount (cube->odd), !=, 1);
      g_assert_cmpint (__builtin_popcount (cube->even), !=, 1);
      literals += (guint) __builtin_popcount (cube->mask | cube->odd | cube->even);
    }
  g_assert_cmpuint (cover->n_literals, ==, literals);
  for (guint32 v = 0; v < 1u << fan_in; v++)
    {
      gboolean covered = FALSE;

      for (guint i = 0; i < cover->n_cubes && !covered; i++)
        {
          const MtXorCube *cube = &cover->cubes[i];

          covered = (v & cube->mask) == cube->value &&
                    (cube->odd == 0 || __builtin_popcount (v & cube->odd) % 2 == 1) &&
                    __builtin_popcount (v & cube->even) % 2 == 0;
        }
      if (!mt_truth_table_get (dc, v))
        g_assert_cmpint (covered, ==, mt_truth_table_get (on, v));
    }
  mt_xor_cover_to_table (cover, fan_in, table);
  g_assert_true (mt_qmc_agrees (fan_in, on, dc, table));
}

static void
test_xor (void)
{
  guint64 on[MT_TRUTH_TABLE_MAX_WORDS], dc[MT_TRUTH_TABLE_MAX_WORDS];
  guint n_shorter = 0;
  MtRandom random;

  mt_random_init (&random, 15);
  for (guint round = 0; round < 150; round++)
    {
      guint k = round < 130 ? 1 + round % 6 : 7 + round % 6;
      MtQmcOptions options = { k > 6 ? 100000 : 0, NULL };
      g_auto (MtXorCover) cover = { 0 };
      g_auto (MtXorCover) again = { 0 };
      g_auto (MtCover) plain = { 0 };

      random_case (&random, k, round / 6 % 4, on, dc);
      g_assert_true (mt_qmc_minimize (k, on, dc, &options, &plain));
      g_assert_true (mt_qmc_minimize_xor (k, on, dc, &options, &cover));
      g_assert_true (mt_qmc_minimize_xor (k, on, dc, &options, &again));
      assert_xor_cover (k, on, dc, &cover);
      g_assert_cmpuint (cover.n_literals, <=, plain.n_literals);
      g_assert_cmpmem (cover.cubes, cover.n_cubes * sizeof (MtXorCube),
                       again.cubes, again.n_cubes * sizeof (MtXorCube));
      n_shorter += cover.n_literals < plain.n_literals;
    }
  g_assert_cmpuint (n_shorter, >, 20);
}

/* Parities: one term as long as they are listed, and much shorter than plain when joined. */
static void
test_xor_parity (void)
{
  guint64 on[MT_TRUTH_TABLE_MAX_WORDS], dc[MT_TRUTH_TABLE_MAX_WORDS], a[MT_TRUTH_TABLE_MAX_WORDS];

  for (guint k = 2; k <= 11; k++)
    {
      g_auto (MtXorCover) cover = { 0 };

      mt_truth_table_fill (k, FALSE, dc);
      mt_truth_table_fill (k, k % 2 == 0, on);
      for (guint i = 0; i < k; i++)
        {
          mt_truth_table_input (k, i, a);
          mt_truth_table_xor (k, on, a, on);
        }
      g_assert_true (mt_qmc_minimize_xor (k, on, dc, NULL, &cover));
      assert_xor_cover (k, on, dc, &cover);
      if (k <= MT_QMC_EXACT_FAN_IN)
        g_assert_cmpuint (cover.n_literals, ==, k);
      else
        g_assert_cmpuint (cover.n_literals, <, k << (k - 1));
      g_assert_cmpint (cover.proven, ==, k <= MT_QMC_EXACT_FAN_IN);
    }

  /* One odd and one even group in one term: x0 ⊕ x1 and x2 ⊙ x3. */
  {
    guint64 both = 0, none = 0;
    g_auto (MtXorCover) cover = { 0 };

    for (guint v = 0; v < 16; v++)
      both |= (guint64) (((v ^ v >> 1) & 1) && !((v >> 2 ^ v >> 3) & 1)) << v;
    g_assert_true (mt_qmc_minimize_xor (4, &both, &none, NULL, &cover));
    g_assert_cmpuint (cover.n_cubes, ==, 1);
    g_assert_cmpuint (cover.n_literals, ==, 4);
    g_assert_cmpuint (cover.cubes[0].odd, ==, 3);
    g_assert_cmpuint (cover.cubes[0].even, ==, 12);
  }
}

/* Above the lattice: threshold tables with don't-cares, and random ones, up to 16 inputs. */
static void
test_many_inputs (void)
{
  guint64 on[MT_TRUTH_TABLE_MAX_WORDS], dc[MT_TRUTH_TABLE_MAX_WORDS];
  MtRandom random;

  mt_random_init (&random, 16);
  for (guint k = 13; k <= 16; k++)
    {
      g_auto (MtCover) cover = { 0 };

      random_case (&random, k, k == 15 ? 3 : 2, on, dc);
      g_assert_true (mt_qmc_minimize (k, on, dc, &(MtQmcOptions) { 100000, NULL }, &cover));
      assert_irredundant (k, on, dc, &cover);
      /* The cover was checked on its way out; its size is that of a sane one. */
      g_assert_cmpuint (cover.n_cubes, <, mt_truth_table_count (k, on) / 2);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/qmc/exhaustive-small", test_exhaustive_small);
  g_test_add_func ("/qmc/all-of-four", test_all_of_four);
  g_test_add_func ("/qmc/random-small", test_random_small);
  g_test_add_func ("/qmc/planted-faults", test_planted_faults);
  g_test_add_func ("/qmc/constants", test_constants);
  g_test_add_func ("/qmc/all-sizes", test_all_sizes);
  g_test_add_func ("/qmc/symmetric", test_symmetric);
  g_test_add_func ("/qmc/budget", test_budget);
  g_test_add_func ("/qmc/cancel", test_cancel);
  g_test_add_func ("/qmc/idle-inputs", test_idle_inputs);
  g_test_add_func ("/qmc/many-inputs", test_many_inputs);
  g_test_add_func ("/qmc/xor", test_xor);
  g_test_add_func ("/qmc/xor-parity", test_xor_parity);
  return g_test_run ();
}
