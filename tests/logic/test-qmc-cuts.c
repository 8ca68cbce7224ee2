/* The bound with cuts: against all covers of small matrices, and on tables that nothing else closes. */
#include "config.h"

#include <string.h>

#include "logic/mt-qmc-private.h"
#include "base/mt-random.h"

#define N_COLS 12

/* Rows of one to five columns, of different literals. */
static void
make_matrix (MtRandom    *random,
             guint        n_rows,
             MtQmcMatrix *matrix)
{
  mt_qmc_matrix_init (matrix, n_rows, N_COLS);
  for (guint c = 0; c < N_COLS; c++)
    {
      matrix->ids[c] = 100 + c;
      matrix->literals[c] = (guint16) (2 + mt_random_below (random, 3));
    }
  for (guint r = 0; r < n_rows; r++)
    for (guint i = 0; i < 3 + r % 3; i++)
      {
        guint c = (guint) mt_random_below (random, N_COLS);

        mt_qmc_set_put_in (matrix->col_rows + c * matrix->row_words, r);
        mt_qmc_set_put_in (matrix->row_cols + r * matrix->col_words, c);
      }
}

/* What the columns of @set cost; MT_QMC_COST_MAX if they are no cover. */
static MtQmcCost
cost_of (const MtQmcMatrix *matrix,
         guint              set)
{
  MtQmcCost cost = 0;
  guint64 covered = 0;

  for (guint c = 0; c < N_COLS; c++)
    if ((set >> c) & 1)
      {
        covered |= matrix->col_rows[c * matrix->row_words];
        cost += MT_QMC_COST (matrix->literals[c]);
      }
  return covered == ((guint64) 1 << matrix->n_rows) - 1 ? cost : MT_QMC_COST_MAX;
}

static MtQmcCost
cheapest (const MtQmcMatrix *matrix,
          guint              among)
{
  MtQmcCost least = MT_QMC_COST_MAX;

  for (guint set = 0; set < 1u << N_COLS; set++)
    if ((set & ~among) == 0)
      least = MIN (least, cost_of (matrix, set));
  return least;
}

/* Whatever the cutoff: nothing cheaper is ever ruled out, neither by the bound nor by columns struck out, and a
 * cover that comes back is one. With the cutoff at the optimum the bound mostly proves it. */
static void
test_bound (void)
{
  guint n_closed = 0, n_open = 0;
  MtRandom random;

  mt_random_init (&random, 5);
  for (guint round = 0; round < 400; round++)
    {
      MtQmcMatrix matrix = { 0 };
      MtQmcCost least, cutoffs[4];

      make_matrix (&random, 8 + round % 16, &matrix);
      least = cheapest (&matrix, (1u << N_COLS) - 1);
      cutoffs[0] = least;
      cutoffs[1] = least + 1;
      cutoffs[2] = (least | 0xffff) + 1;
      cutoffs[3] = least + MT_QMC_COST (3);
      for (guint i = 0; i < G_N_ELEMENTS (cutoffs); i++)
        {
          /* Of the first two cutoffs the literals are those of the optimum, as if that were known. */
          MtQmcMeter meter = { .budget = G_MAXUINT64, .literals_known = i < 2 && round % 2 == 0 };
          MtQmcBound bound = { 0 };
          guint set = 0;

          mt_qmc_bound_compute (&matrix, cutoffs[i], 0, &bound, &meter);
          memset (bound.kept, 0, matrix.col_words * sizeof (guint64));
          bound.kept[0] = (1u << N_COLS) - 1;
          bound.bound = 0;
          bound.best.cost = MT_QMC_COST_MAX;
          mt_qmc_cuts_sharpen (&matrix, cutoffs[i], 1 + round % 20, &bound, &meter);
          if (cutoffs[i] > least)
            {
              g_assert_cmpuint (bound.bound, <=, least);
              g_assert_cmpuint (cheapest (&matrix, (guint) bound.kept[0]), ==, least);
            }
          else
            {
              n_closed += bound.bound >= cutoffs[i];
              n_open += bound.bound < cutoffs[i];
            }
          for (guint k = 0; k < bound.best.n_ids && bound.best.cost < MT_QMC_COST_MAX; k++)
            set |= 1u << (bound.best.ids[k] - 100);
          g_assert_cmpuint (bound.best.cost, ==, cost_of (&matrix, set));
          mt_qmc_bound_clear (&bound);
        }
      mt_qmc_matrix_clear (&matrix);
    }
  g_assert_cmpuint (n_closed, >, 9 * n_open);
}

typedef struct {
  const char *on, *dc;
  guint       literals, terms;
} Table;

static void
assert_proven (const Table *tables,
               gsize        n_tables)
{
  for (gsize i = 0; i < n_tables; i++)
    {
      guint64 on[4], dc[4];
      g_auto (MtCover) cover = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_true (mt_truth_table_parse (8, tables[i].on, on, &error));
      g_assert_true (mt_truth_table_parse (8, tables[i].dc, dc, &error));
      g_assert_true (mt_qmc_minimize (8, on, dc, NULL, &cover));
      g_assert_true (cover.proven);
      g_assert_cmpuint (cover.n_literals, ==, tables[i].literals);
      g_assert_cmpuint (cover.n_cubes, ==, tables[i].terms);
    }
}

/* Symmetric tables with scattered don't-cares, and one that a weighted sum between bounds gives, that came back unproven after 10⁹
 * steps of branching; literals and terms as another solver (an integer program) found them. */
static void
test_tables (void)
{
  static const Table tables[] = {
    { "1131667133f7eff177f7f7f7fd7fffc056f7fdf3fa3ff5a39bffffeffbef869",
      "20a40118a4400100088080800028000252100020405c00a54640000000400684", 126, 30 },
    { "e1979776977e7ec9977e7ee97ee9e897977e7ee97ee8e9977ee8e995e997977e",
      "800400808000020000000020000010000000000000100000001040200000000", 613, 92 },
    { "6897953f147e7fde965d7df65fbefec9822f7ef257feeec95f7c7ee97ec9e986",
      "810802408381002021220208a04000261550810ca80010202082800081200010", 277, 49 },
    { "177b6fde7ff6fcc85ffefec0f6e828817ff67ec8fee0e881de28688128818104",
      "41020000802322000013a0802c00000088133000c000020c09100c2004813", 227, 40 },
    { "17175f7f175f7f7f5f7f7ffe7f7ffefe5f7f7ffe7f7ffefe7ffefefafefefae8", "0", 138, 29 },
  };

  assert_proven (tables, G_N_ELEMENTS (tables));
}

/* Of 1,200 such tables those that take longest, some ten seconds each: still proven. */
static void
test_longest (void)
{
  static const Table tables[] = {
    { "107053f077e77fd177f2fff37c7edf607715dcb7ffbba5c7d77fffedf7ee2e8",
      "a8501240100108020800500048381209100e2234000445a30288000020811c03", 149, 37 },
    { "67a7d6e7e7cd2603efaec68fe40a8813bcaeee0fe88c8019ec8e000e8018117",
      "1105029101822c9c4104129000b841044434110a016020a86020088900a02000", 201, 35 },
  };

  if (g_test_slow ())
    assert_proven (tables, G_N_ELEMENTS (tables));
  else
    g_test_skip ("in slow mode only");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/qmc-cuts/bound", test_bound);
  g_test_add_func ("/qmc-cuts/tables", test_tables);
  g_test_add_func ("/qmc-cuts/longest", test_longest);

  return g_test_run ();
}
