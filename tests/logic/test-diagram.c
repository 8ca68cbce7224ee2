/* The diagram against its table, its own promises, and, for the order, all orders tried. */
#include "config.h"

#include <string.h>

#include "logic/mt-diagram.h"
#include "base/mt-random.h"

static void
random_table (MtRandom *random,
              guint     fan_in,
              gboolean  threshold,
              guint64  *out)
{
  double weights[MT_TRUTH_TABLE_MAX_FAN_IN];

  for (guint i = 0; i < fan_in; i++)
    weights[i] = mt_random_normal (random);
  mt_truth_table_from_weights (fan_in, weights, mt_random_normal (random), out);
  for (gsize w = 0; w < mt_truth_table_n_words (fan_in) && !threshold; w++)
    out[w] = mt_random_next (random) & mt_truth_table_last_mask (fan_in);
}

/* Whether walking the diagram gives the table. */
static gboolean
matches (const MtDiagramNode *nodes,
         guint                root,
         guint                fan_in,
         const guint64       *table)
{
  for (guint32 v = 0; v < 1u << fan_in; v++)
    {
      guint at = root;

      while (at > 1)
        at = (v >> nodes[at].input) & 1 ? nodes[at].high : nodes[at].low;
      if ((at == 1) != mt_truth_table_get (table, v))
        return FALSE;
    }
  return TRUE;
}

typedef struct {
  const MtDiagram *diagram;
  guint            fan_in;
  guint64          seen[MT_TRUTH_TABLE_MAX_WORDS];
  guint            n_paths;
  guint            stop_after;
} Paths;

static gboolean
see_path (MtCube   path,
          gboolean leaf,
          gpointer data)
{
  Paths *paths = data;

  g_assert_cmpuint (path.value & ~path.mask, ==, 0);
  for (guint32 v = 0; v < 1u << paths->fan_in; v++)
    if ((v & path.mask) == path.value)
      {
        g_assert_false (mt_truth_table_get (paths->seen, v));
        mt_truth_table_set (paths->seen, v, TRUE);
        g_assert_cmpint (mt_diagram_evaluate (paths->diagram, v), ==, leaf);
      }
  return ++paths->n_paths != paths->stop_after;
}

static void
assert_diagram (const MtDiagram *diagram,
                guint            fan_in,
                const guint64   *table)
{
  const MtDiagramNode *nodes = mt_diagram_get_nodes (diagram);
  guint n_nodes = mt_diagram_get_n_nodes (diagram), n_levels = mt_diagram_get_n_levels (diagram);
  const guint8 *order = mt_diagram_get_order (diagram);
  guint trace[MT_TRUTH_TABLE_MAX_FAN_IN + 1];
  guint32 asked = 0;
  Paths paths = { diagram, fan_in };

  g_assert_true (matches (nodes, mt_diagram_get_root (diagram), fan_in, table));
  for (guint level = 0; level < n_levels; level++)
    asked |= 1u << order[level];
  g_assert_cmpuint (asked, ==, mt_truth_table_support (fan_in, table));
  g_assert_cmpint (__builtin_popcount (asked), ==, (int) n_levels);

  for (guint i = 0; i < n_nodes; i++)
    {
      if (i < MT_DIAGRAM_FIRST_INNER)
        {
          g_assert_cmpuint (nodes[i].level, ==, n_levels);
          continue;
        }
      g_assert_cmpuint (nodes[i].input, ==, order[nodes[i].level]);
      g_assert_cmpuint (nodes[i].low, !=, nodes[i].high);
      g_assert_cmpuint (nodes[nodes[i].low].level, >, nodes[i].level);
      g_assert_cmpuint (nodes[nodes[i].high].level, >, nodes[i].level);
      if (i > MT_DIAGRAM_FIRST_INNER)
        g_assert_cmpuint (nodes[i - 1].level, <=, nodes[i].level);
      for (guint j = MT_DIAGRAM_FIRST_INNER; j < i; j++)
        g_assert_false (nodes[j].input == nodes[i].input && nodes[j].low == nodes[i].low &&
                        nodes[j].high == nodes[i].high);
    }

  for (guint32 v = 0; v < 1u << fan_in; v++)
    {
      guint n = mt_diagram_trace (diagram, v, trace);

      g_assert_cmpuint (n, <=, n_levels + 1);
      g_assert_cmpuint (trace[0], ==, mt_diagram_get_root (diagram));
      g_assert_cmpuint (trace[n - 1], ==, mt_truth_table_get (table, v));
    }
  mt_diagram_foreach_path (diagram, see_path, &paths);
  g_assert_true (mt_truth_table_is_true (fan_in, paths.seen));
}

static void
test_equals_table (void)
{
  guint64 table[MT_TRUTH_TABLE_MAX_WORDS];
  MtRandom random;

  mt_random_init (&random, 1);
  for (guint k = 0; k <= 9; k++)
    for (guint round = 0; round < 12; round++)
      {
        g_autoptr (MtDiagram) diagram = NULL;
        g_autoptr (MtDiagram) again = NULL;

        random_table (&random, k, round % 2 == 0, table);
        if (round % 3 == 0 && k > 1)
          mt_truth_table_cofactor (k, table, k / 2, FALSE, table);
        diagram = mt_diagram_new (k, table);
        again = mt_diagram_new (k, table);
        assert_diagram (diagram, k, table);
        g_assert_true (mt_diagram_is_best_order (diagram));
        g_assert_cmpuint (mt_diagram_get_n_nodes (diagram), ==, mt_diagram_get_n_nodes (again));
        g_assert_true (memcmp (mt_diagram_get_nodes (diagram), mt_diagram_get_nodes (again),
                               mt_diagram_get_n_nodes (diagram) * sizeof (MtDiagramNode)) == 0);
      }
}

/* Nodes of an order by the definition: for each level the different functions that are left and
 * depend on the level's input. */
static guint
count_by_definition (guint          fan_in,
                     const guint64 *table,
                     const guint8  *order)
{
  guint n_nodes = 0;

  for (guint level = 0; level < fan_in; level++)
    {
      g_autoptr (GHashTable) left = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

      for (guint32 above = 0; above < 1u << level; above++)
        {
          guint64 part[MT_TRUTH_TABLE_MAX_WORDS];

          mt_truth_table_copy (fan_in, table, part);
          for (guint i = 0; i < level; i++)
            mt_truth_table_cofactor (fan_in, part, order[i], (above >> i) & 1, part);
          if ((mt_truth_table_support (fan_in, part) >> order[level]) & 1)
            g_hash_table_add (left, mt_truth_table_dup_hex (fan_in, part));
        }
      n_nodes += g_hash_table_size (left);
    }
  return n_nodes;
}

static void
try_orders (guint          fan_in,
            const guint64 *table,
            guint8        *order,
            guint          n_fixed,
            guint         *least,
            guint8        *first_best)
{
  if (n_fixed == fan_in)
    {
      guint n = count_by_definition (fan_in, table, order);

      if (n < *least || (n == *least && memcmp (order, first_best, fan_in) < 0))
        {
          *least = n;
          memcpy (first_best, order, fan_in);
        }
      return;
    }
  for (guint i = n_fixed; i < fan_in; i++)
    {
      guint8 input = order[i];

      order[i] = order[n_fixed];
      order[n_fixed] = input;
      try_orders (fan_in, table, order, n_fixed + 1, least, first_best);
      order[n_fixed] = order[i];
      order[i] = input;
    }
}

static void
test_best_order (void)
{
  MtRandom random;

  mt_random_init (&random, 2);
  for (guint k = 1; k <= 5; k++)
    for (guint round = 0; round < (k == 5 ? 12 : 40); round++)
      {
        guint8 order[] = { 0, 1, 2, 3, 4 }, first_best[5];
        guint least = G_MAXUINT, place = 0;
        g_autoptr (MtDiagram) diagram = NULL;
        guint64 table;

        random_table (&random, k, round % 2 == 0, &table);
        diagram = mt_diagram_new (k, &table);
        try_orders (k, &table, order, 0, &least, first_best);
        g_assert_cmpuint (mt_diagram_get_n_nodes (diagram) - 2, ==, least);
        g_assert_cmpuint (mt_diagram_count_nodes (k, &table, first_best), ==, least);
        /* Inputs without influence have no level; the others come as in the first best order. */
        for (guint i = 0; i < k; i++)
          if ((mt_truth_table_support (k, &table) >> first_best[i]) & 1)
            g_assert_cmpuint (mt_diagram_get_order (diagram)[place++], ==, first_best[i]);
      }
}

/* x0 x1 ∨ x2 x3 ∨ …: 2k nodes in pairs, exponentially many when the pairs are torn apart. */
static void
test_order_matters (void)
{
  guint64 table[MT_TRUTH_TABLE_MAX_WORDS], a[MT_TRUTH_TABLE_MAX_WORDS], b[MT_TRUTH_TABLE_MAX_WORDS];

  for (guint k = 4; k <= 14; k += 2)
    {
      guint8 order[MT_TRUTH_TABLE_MAX_FAN_IN];
      g_autoptr (MtDiagram) diagram = NULL;

      mt_truth_table_fill (k, FALSE, table);
      for (guint i = 0; i < k / 2; i++)
        {
          mt_truth_table_input (k, i, a);
          mt_truth_table_input (k, i + k / 2, b);
          mt_truth_table_and (k, a, b, a);
          mt_truth_table_or (k, table, a, table);
        }
      for (guint i = 0; i < k; i++)
        order[i] = (guint8) i;
      diagram = mt_diagram_new (k, table);
      /* Sifting stops at an order that no single move improves: not the best here, but small. */
      g_assert_cmpuint (mt_diagram_get_n_nodes (diagram) - 2, <=, k <= MT_DIAGRAM_EXACT_FAN_IN ? k : 3 * k);
      g_assert_cmpuint (mt_diagram_count_nodes (k, table, order), ==, (2u << (k / 2)) - 2);
      g_assert_true (matches (mt_diagram_get_nodes (diagram), mt_diagram_get_root (diagram), k, table));
      g_assert_cmpint (mt_diagram_is_best_order (diagram), ==, k <= MT_DIAGRAM_EXACT_FAN_IN);
    }
}

static void
test_large (void)
{
  guint64 table[MT_TRUTH_TABLE_MAX_WORDS];
  MtRandom random;

  mt_random_init (&random, 3);
  for (guint k = 10; k <= 12; k++)
    {
      guint8 order[MT_TRUTH_TABLE_MAX_FAN_IN];
      g_autoptr (MtDiagram) diagram = NULL;

      random_table (&random, k, TRUE, table);
      for (guint i = 0; i < k; i++)
        order[i] = (guint8) i;
      diagram = mt_diagram_new (k, table);
      g_assert_true (matches (mt_diagram_get_nodes (diagram), mt_diagram_get_root (diagram), k, table));
      g_assert_cmpuint (mt_diagram_get_n_nodes (diagram) - 2, <=, mt_diagram_count_nodes (k, table, order));
    }
  random_table (&random, 16, TRUE, table);
  {
    g_autoptr (MtDiagram) diagram = mt_diagram_new (16, table);

    g_assert_true (matches (mt_diagram_get_nodes (diagram), mt_diagram_get_root (diagram), 16, table));
  }
}

static void
test_constants (void)
{
  for (guint k = 0; k <= 11; k++)
    for (guint value = 0; value < 2; value++)
      {
        guint64 table[MT_TRUTH_TABLE_MAX_WORDS];
        g_autoptr (MtDiagram) diagram = NULL;

        mt_truth_table_fill (k, (gboolean) value, table);
        diagram = mt_diagram_new (k, table);
        g_assert_cmpuint (mt_diagram_get_n_nodes (diagram), ==, 2);
        g_assert_cmpuint (mt_diagram_get_root (diagram), ==, value);
        g_assert_cmpuint (mt_diagram_get_n_levels (diagram), ==, 0);
        assert_diagram (diagram, k, table);
      }
}

/* The comparison notices one wrong edge, and a path walk can be stopped. */
static void
test_planted_faults (void)
{
  guint64 table;
  MtRandom random;
  g_autoptr (MtDiagram) diagram = NULL;
  g_autofree MtDiagramNode *nodes = NULL;
  Paths paths = { 0 };

  mt_random_init (&random, 4);
  random_table (&random, 6, FALSE, &table);
  diagram = mt_diagram_new (6, &table);
  nodes = g_memdup2 (mt_diagram_get_nodes (diagram), mt_diagram_get_n_nodes (diagram) * sizeof (MtDiagramNode));
  for (guint i = MT_DIAGRAM_FIRST_INNER; i < mt_diagram_get_n_nodes (diagram); i++)
    {
      guint low = nodes[i].low;

      nodes[i].low = nodes[i].high;
      g_assert_false (matches (nodes, mt_diagram_get_root (diagram), 6, &table));
      nodes[i].low = low;
    }
  g_assert_true (matches (nodes, mt_diagram_get_root (diagram), 6, &table));

  paths.diagram = diagram;
  paths.fan_in = 6;
  paths.stop_after = 3;
  mt_diagram_foreach_path (diagram, see_path, &paths);
  g_assert_cmpuint (paths.n_paths, ==, 3);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagram/equals-table", test_equals_table);
  g_test_add_func ("/diagram/best-order", test_best_order);
  g_test_add_func ("/diagram/order-matters", test_order_matters);
  g_test_add_func ("/diagram/large", test_large);
  g_test_add_func ("/diagram/constants", test_constants);
  g_test_add_func ("/diagram/planted-faults", test_planted_faults);
  return g_test_run ();
}
