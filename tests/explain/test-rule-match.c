/* Which rules two models share, against looking at every conceivable row. */
#include "config.h"

#include <string.h>

#include "base/mt-planes.h"
#include "logic/mt-qmc.h"
#include "base/mt-random.h"
#include "explain/mt-rule-match.h"
#include "rules/mt-rule-text.h"
#include "logic/mt-truth-table.h"
#include "literal-reader.h"
#include "testutils.h"

enum { N_A = 8, N_B = 4, N_KINDS = 4, N_ROWS = N_A * N_B * N_KINDS, N_RULES = 12, MAX_INPUTS = 4 };

/* All rows there can be: each value of a with each of b and each kind, of which one is missing. */
typedef struct {
  MtTable   *table;
  MtEncoder *encoders[2];   /* of few thresholds, and of many */
  MtEncoded *encoded[2];
} World;

static void
world_init (World *self)
{
  static const char * const names[N_KINDS] = { "x", "y", "z", NULL };
  double a[N_ROWS], b[N_ROWS];
  const char *kinds[N_ROWS];
  MtColumn *columns[3];
  MtEncoderOptions options;

  for (guint r = 0; r < N_ROWS; r++)
    {
      a[r] = r % N_A;
      b[r] = r / N_A % N_B;
      kinds[r] = names[r / (N_A * N_B)];
    }
  columns[0] = mt_test_numbers ("a", a, N_ROWS);
  columns[1] = mt_test_numbers ("b", b, N_ROWS);
  columns[2] = mt_test_levels ("kind", MT_TYPE_CATEGORY, kinds, N_ROWS);
  self->table = mt_test_table (columns, 3, -1);
  for (guint i = 0; i < 2; i++)
    {
      mt_encoder_options_init (&options);
      options.bits = i == 0 ? 3 : 7;
      self->encoders[i] = mt_encoder_fit (self->table, NULL, 0, &options, NULL);
      self->encoded[i] = mt_encoder_apply (self->encoders[i], self->table, NULL, 0, NULL, NULL);
      g_assert_nonnull (self->encoded[i]);
    }
}

static void
world_clear (World *self)
{
  for (guint i = 0; i < 2; i++)
    {
      mt_encoder_unref (self->encoders[i]);
      mt_encoded_unref (self->encoded[i]);
    }
  mt_table_unref (self->table);
}

/* --- random rules, written in one way or another --- */

static MtRule *
write_rule (const guint   *inputs,
            guint          n,
            const guint64 *table,
            gboolean       longhand)
{
  MtRule *rule;

  if (longhand)
    {
      MtCube cubes[1 << MAX_INPUTS];
      guint n_cubes = 0;

      for (guint v = 0; v < 1u << n; v++)
        if (mt_truth_table_get (table, v))
          cubes[n_cubes++] = (MtCube) { (1u << n) - 1, v };
      rule = mt_rule_new (inputs, n, cubes, n_cubes, NULL, FALSE, NULL);
    }
  else
    {
      MtCover cover = { 0 };

      g_assert_true (mt_qmc_minimize (n, table, NULL, NULL, &cover));
      rule = mt_rule_new (inputs, n, cover.cubes, cover.n_cubes, NULL, TRUE, NULL);
      mt_cover_clear (&cover);
    }
  return rule;
}

/* Of the common questions only, so that the two models often meet. NULL: it came out constant. */
static MtRule *
random_rule (const World *world,
             guint        side,
             MtRandom    *random)
{
  guint n = 1 + (guint) mt_random_below (random, 2), inputs[MAX_INPUTS], last = 0;
  guint64 table = mt_random_next (random) & mt_truth_table_last_mask (n);

  for (guint i = 0; i < n; i++)
    {
      guint left = mt_encoder_get_n_literals (world->encoders[0]) - last - (n - 1 - i), own;
      g_autofree char *text = NULL;
      gboolean negated;

      own = last + (guint) mt_random_below (random, MIN (left, 3));
      last = own + 1;
      text = mt_encoder_dup_literal_text (world->encoders[0], own, FALSE);
      if (side == 1 && !mt_test_parse_literal (world->encoders[1], text, &own, &negated))
        return NULL;
      inputs[i] = own;
    }
  if (mt_truth_table_is_false (n, &table) || mt_truth_table_is_true (n, &table))
    return NULL;
  return write_rule (inputs, n, &table, mt_random_below (random, 2) == 0);
}

static MtRuleSet *
random_rules (const World *world,
              guint        side,
              MtRandom    *random)
{
  g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (MtTerm));
  double bias = 0, weight = 1;
  MtRuleSet *rules;

  for (guint i = 0; i < 2; i++)
    if (mt_random_below (random, 2) == 0)
      {
        MtTerm term = { TRUE, i, NULL, &weight };

        g_array_append_val (terms, term);
      }
  while (terms->len < N_RULES)
    {
      MtTerm term = { FALSE, 0, random_rule (world, side, random), &weight };
      gboolean is_new = term.rule != NULL;

      for (guint i = 0; i < terms->len && is_new; i++)
        is_new = g_array_index (terms, MtTerm, i).is_numeric ||
                 !mt_rule_equal (g_array_index (terms, MtTerm, i).rule, term.rule);
      if (is_new)
        g_array_append_val (terms, term);
      else
        g_clear_pointer (&term.rule, mt_rule_unref);
    }
  rules = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, (MtTerm *) terms->data, terms->len, NULL);
  for (guint i = 0; i < terms->len; i++)
    g_clear_pointer (&g_array_index (terms, MtTerm, i).rule, mt_rule_unref);
  return rules;
}

/* --- by looking at every row --- */

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

/* The texts of the inputs that some assignment depends on, in the order of their texts. */
static char *
essential_inputs (const MtRule    *rule,
                  const MtEncoder *encoder)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  guint n = mt_rule_get_n_inputs (rule);

  for (guint i = 0; i < n; i++)
    {
      gboolean depends = FALSE;

      for (guint v = 0; v < 1u << n; v++)
        depends = depends || mt_truth_table_get (mt_rule_get_table (rule), v) !=
                             mt_truth_table_get (mt_rule_get_table (rule), v ^ 1u << i);
      if (depends)
        g_ptr_array_add (texts, mt_encoder_dup_literal_text (encoder, mt_rule_get_inputs (rule)[i], FALSE));
    }
  g_ptr_array_sort (texts, compare_texts);
  g_ptr_array_add (texts, NULL);
  return g_strjoinv ("|", (char **) texts->pdata);
}

static guint
rows_that_differ (const World     *world,
                  const MtRule    *left,
                  const MtRule    *right)
{
  guint64 a[(N_ROWS + 63) / 64], b[(N_ROWS + 63) / 64];
  guint n = 0;

  mt_rule_evaluate (left, world->encoded[0], 0, G_N_ELEMENTS (a), a);
  mt_rule_evaluate (right, world->encoded[1], 0, G_N_ELEMENTS (b), b);
  for (guint r = 0; r < N_ROWS; r++)
    n += mt_plane_get (a, r) != mt_plane_get (b, r);
  return n;
}

static MtMatchKind
relation (const World  *world,
          const MtTerm *left,
          const MtTerm *right)
{
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  if (left->is_numeric != right->is_numeric)
    return MT_MATCH_ONLY_LEFT;
  if (left->is_numeric)
    return left->numeric == right->numeric ? MT_MATCH_SHARED : MT_MATCH_ONLY_LEFT;
  a = essential_inputs (left->rule, world->encoders[0]);
  b = essential_inputs (right->rule, world->encoders[1]);
  if (!g_str_equal (a, b))
    return MT_MATCH_ONLY_LEFT;
  return rows_that_differ (world, left->rule, right->rule) == 0 ? MT_MATCH_SHARED : MT_MATCH_SAME_INPUTS;
}

/* Is this what there is to say? Every term once, pairs as they are called, and nothing left unpaired
 * that could be paired better. */
static gboolean
is_right (const World     *world,
          MtRuleSet       *rules[2],
          const GArray    *matches)
{
  guint *seen[2];
  gboolean right = TRUE;

  for (guint side = 0; side < 2; side++)
    seen[side] = g_new0 (guint, mt_rule_set_get_n_terms (rules[side]));
  for (guint i = 0; i < matches->len; i++)
    {
      const MtTermMatch *m = &g_array_index (matches, MtTermMatch, i);

      for (guint side = 0; side < 2; side++)
        if (m->terms[side] >= 0)
          seen[side][m->terms[side]]++;
      if (m->kind == MT_MATCH_SHARED || m->kind == MT_MATCH_SAME_INPUTS)
        right = right && m->terms[0] >= 0 && m->terms[1] >= 0 &&
                relation (world, mt_rule_set_get_term (rules[0], (guint) m->terms[0]),
                          mt_rule_set_get_term (rules[1], (guint) m->terms[1])) == m->kind &&
                (m->n_differ > 0) == (m->kind == MT_MATCH_SAME_INPUTS);
      else
        right = right && (m->terms[0] >= 0) == (m->kind == MT_MATCH_ONLY_LEFT) &&
                (m->terms[1] >= 0) == (m->kind == MT_MATCH_ONLY_RIGHT);
    }
  for (guint i = 0; i < matches->len && right; i++)
    for (guint k = 0; k < matches->len && right; k++)
      {
        const MtTermMatch *m = &g_array_index (matches, MtTermMatch, i), *o = &g_array_index (matches, MtTermMatch, k);
        MtMatchKind kind;

        if (m->kind == MT_MATCH_SHARED || o->kind == MT_MATCH_SHARED || m->terms[0] < 0 || o->terms[1] < 0)
          continue;
        kind = relation (world, mt_rule_set_get_term (rules[0], (guint) m->terms[0]),
                         mt_rule_set_get_term (rules[1], (guint) o->terms[1]));
        right = kind != MT_MATCH_SHARED &&
                (kind != MT_MATCH_SAME_INPUTS || m->kind == MT_MATCH_SAME_INPUTS || o->kind == MT_MATCH_SAME_INPUTS);
      }
  for (guint side = 0; side < 2; side++)
    {
      for (guint t = 0; t < mt_rule_set_get_n_terms (rules[side]); t++)
        right = right && seen[side][t] == 1;
      g_free (seen[side]);
    }
  return right;
}

static void
test_random (void)
{
  World world;
  MtRandom random;
  guint n_kinds[MT_N_MATCHES] = { 0 }, n_noticed = 0;

  world_init (&world);
  mt_random_init (&random, 6);
  for (guint round = 0; round < 60; round++)
    {
      MtRuleSet *rules[2] = { random_rules (&world, 0, &random), random_rules (&world, 1, &random) };
      g_autoptr (GArray) matches = mt_rule_match ((const MtRuleSet *[]) { rules[0], rules[1] },
                                                  (const MtEncoder *[]) { world.encoders[0], world.encoders[1] });
      MtTermMatch *any = &g_array_index (matches, MtTermMatch, round % matches->len);

      g_assert_true (is_right (&world, rules, matches));
      for (guint i = 0; i < matches->len; i++)
        n_kinds[g_array_index (matches, MtTermMatch, i).kind]++;
      /* The judge must see a wrong word. */
      any->kind = any->kind == MT_MATCH_SHARED ? MT_MATCH_SAME_INPUTS
                  : any->kind == MT_MATCH_SAME_INPUTS ? MT_MATCH_SHARED
                  : any->kind == MT_MATCH_ONLY_LEFT ? MT_MATCH_ONLY_RIGHT : MT_MATCH_ONLY_LEFT;
      n_noticed += !is_right (&world, rules, matches);
      mt_rule_set_unref (rules[0]);
      mt_rule_set_unref (rules[1]);
    }
  for (guint k = 0; k < MT_N_MATCHES; k++)
    g_assert_cmpuint (n_kinds[k], >, 20);
  g_assert_cmpuint (n_noticed, ==, 60);
  world_clear (&world);
}

/* What only impossible rows tell apart is the same. */
static void
test_impossible (void)
{
  World world;
  guint inputs[2] = { 0, 1 };           /* two thresholds of a: the second implies the first */
  double bias = 0, weight = 1;
  g_autoptr (MtRule) a = NULL;
  g_autoptr (MtRule) b = NULL;

  world_init (&world);
  a = write_rule (inputs, 2, &(guint64) { 0x6 }, FALSE);   /* one of the two, not both … */
  b = write_rule (inputs, 2, &(guint64) { 0x2 }, FALSE);   /* … which is the first alone */
  {
    MtTerm terms[2] = { { FALSE, 0, a, &weight }, { FALSE, 0, b, &weight } };
    g_autoptr (MtRuleSet) left = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, &terms[0], 1, NULL);
    g_autoptr (MtRuleSet) right = mt_rule_set_new (MT_TASK_BINARY, 1, &bias, &terms[1], 1, NULL);
    g_autoptr (GArray) matches = mt_rule_match ((const MtRuleSet *[]) { left, right },
                                                (const MtEncoder *[]) { world.encoders[0], world.encoders[0] });

    g_assert_cmpuint (matches->len, ==, 1);
    g_assert_cmpint (g_array_index (matches, MtTermMatch, 0).kind, ==, MT_MATCH_SHARED);
    g_assert_cmpuint (g_array_index (matches, MtTermMatch, 0).n_lines, ==, 3);
  }
  world_clear (&world);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rule-match/random", test_random);
  g_test_add_func ("/rule-match/impossible", test_impossible);
  return g_test_run ();
}
