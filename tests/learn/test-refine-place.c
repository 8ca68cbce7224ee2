/* Scores of literals for a place, against the gain that a refitted model would have: every literal asked, one by one. */
#include "config.h"

#include <math.h>

#include "base/mt-random.h"
#include "learn/mt-refine-place.h"
#include "rules/mt-linear-fit-without.h"

enum { N_GROUPS = 5, N_ROWS = 1500, N_NUMERIC = 3 };

typedef struct {
  MtEncoded      *encoded;
  double         *target;
  MtRefineOptions options;
  MtRefine        refine;
} Fixture;

static void
add_rule (Fixture     *self,
          const guint *inputs,
          guint        n_inputs,
          guint64      table)
{
  MtBits256 on = { { table } };
  MtRefineTerm *term = mt_refine_term_new_rule (&self->refine, inputs, n_inputs, &on, 0);

  g_assert_nonnull (term);
  mt_refine_add_term (&self->refine, term);
}

/* Three columns of nine thresholds, one of them with missing values, and two of levels; a model of a literal, an and, an
 * or, an exclusive or, and a number. */
static void
fixture_set_up (Fixture       *self,
                gconstpointer  data)
{
  MtTask task = GPOINTER_TO_INT (data);
  MtGroup groups[N_GROUPS];
  g_autofree guint8 *codes = g_malloc (N_GROUPS * N_ROWS);
  g_autofree double *numeric = g_new (double, N_NUMERIC * N_ROWS);
  g_autoptr (GError) error = NULL;
  guint n_outputs = task == MT_TASK_MULTICLASS ? 3 : 1, first = 0;
  MtRandom random;

  mt_random_init (&random, 11);
  for (guint g = 0; g < N_GROUPS; g++)
    {
      groups[g] = (MtGroup) { g < 3 ? MT_GROUP_THERMOMETER : MT_GROUP_ONE_HOT, g, first, g < 3 ? 9 + (g == 2) : 4, g == 2 };
      first += groups[g].n_literals;
      for (gsize r = 0; r < N_ROWS; r++)
        {
          codes[g * N_ROWS + r] = (guint8) mt_random_below (&random, mt_group_get_n_codes (&groups[g]));
          if (g < N_NUMERIC)
            numeric[g * N_ROWS + r] = (codes[g * N_ROWS + r] - 4.5) / 2.9;
        }
    }
  self->encoded = mt_encoded_new (groups, N_GROUPS, codes, numeric, N_NUMERIC, N_ROWS);
  self->target = g_new (double, N_ROWS);
  for (gsize r = 0; r < N_ROWS; r++)
    {
      const guint8 *c = codes + r;
      double score = 1.5 * (c[0] >= 4 && c[N_ROWS] < 6) - (c[2 * N_ROWS] < 7 && c[3 * N_ROWS] == 2) + .1 * c[N_ROWS] +
                     .5 * mt_random_normal (&random);

      self->target[r] = task == MT_TASK_REGRESSION ? score : task == MT_TASK_BINARY ? score > .8 : score > 1.2 ? 2 : score > .2;
    }
  mt_refine_options_init (&self->options);
  self->refine = (MtRefine) { self->encoded, self->target, task, n_outputs, N_ROWS, mt_encoded_get_n_words (self->encoded),
                              &self->options };
  self->refine.ridge = (MtRidge) { 3, 0 };
  self->refine.head = mt_linear_fit_new (task, n_outputs, self->target, N_ROWS, self->refine.ridge);
  self->refine.terms = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_refine_term_free);
  self->refine.pool = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_refine_term_free);
  self->refine.covers = mt_refine_covers_new ();
  add_rule (self, (guint[]) { 2 }, 1, 2);
  add_rule (self, (guint[]) { 4, 12 }, 2, 8);
  add_rule (self, (guint[]) { 7, 21 }, 2, 14);
  add_rule (self, (guint[]) { 10, 29 }, 2, 6);
  mt_refine_add_term (&self->refine, mt_refine_term_new_numeric (&self->refine, 1));
  g_assert_true (mt_refine_fit_head (&self->refine, 50, 1e-9, FALSE, NULL, &error));
  g_assert_no_error (error);
}

static void
fixture_tear_down (Fixture       *self,
                   gconstpointer  data)
{
  g_ptr_array_unref (self->refine.terms);
  g_ptr_array_unref (self->refine.pool);
  g_hash_table_unref (self->refine.covers);
  mt_linear_fit_free (self->refine.head);
  mt_encoded_unref (self->encoded);
  g_free (self->target);
}

static double
gain_of (Fixture                  *self,
         const MtLinearFitWithout *without,
         MtRefineTerm             *term)
{
  double gain = term != NULL ? mt_linear_fit_without_get_gain (without, mt_refine_term_get_column (&self->refine, term), NULL) : 0;

  mt_refine_term_free (term);
  return gain;
}

/* The choices have the gains that they are scored with, best first, and no literal has more than the best. */
static void
assert_place (Fixture       *self,
              MtPlaceScorer *scorer,
              const MtPlace *place,
              guint          index,
              guint          dropped,
              guint          old)
{
  MtRefine *refine = &self->refine;
  MtRefineTerm *term = index != MT_LINEAR_FIT_NO_COLUMN ? mt_refine_get_term (refine, index) : NULL;
  g_autoptr (MtLinearFitWithout) without = mt_linear_fit_without_new (refine->head, index);
  MtPlaceChoice best[MT_PLACE_SHORT];

  mt_place_scorer_choose (scorer, place, term, index, dropped, old, best);
  g_assert_cmpfloat (best[0].score, >, 0);
  for (guint i = 0; i < MT_PLACE_SHORT && best[i].score > 0; i++)
    {
      double gain = gain_of (self, without, best[i].is_numeric
                             ? mt_refine_term_new_numeric (refine, best[i].literal)
                             : mt_place_fill (place, refine, best[i].literal, best[i].negated));

      g_assert_cmpfloat (fabs (gain - best[i].score), <, 2e-3 * gain + 1e-3);
      g_assert_cmpfloat (best[i].score, <=, best[0].score);
    }
  for (guint literal = 0; literal < mt_encoded_get_n_literals (self->encoded); literal++)
    for (guint negated = 0; negated < 2; negated++)
      if (!mt_place_has_other (place, literal) && (literal != old || negated))
        g_assert_cmpfloat (gain_of (self, without, mt_place_fill (place, refine, literal, negated)), <,
                           best[0].score * 1.002 + 1e-3);
}

static void
test_scores (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr (MtPlaceScorer) scorer = mt_place_scorer_new (&self->refine);
  MtPlace place;

  g_assert_nonnull (scorer);
  /* Twice: what is kept from the first time has to be the same. */
  for (guint i = 0; i < 2; i++)
    {
      mt_place_open_beside (&place, NULL, FALSE);
      assert_place (self, scorer, &place, MT_LINEAR_FIT_NO_COLUMN, G_MAXUINT, G_MAXUINT);
      for (guint t = 0; t < self->refine.terms->len; t++)
        {
          const MtRefineTerm *term = mt_refine_get_term (&self->refine, t);

          if (term->is_numeric)
            {
              mt_place_open_beside (&place, NULL, FALSE);
              assert_place (self, scorer, &place, t, G_MAXUINT, G_MAXUINT);
              continue;
            }
          for (guint input = 0; input < mt_rule_get_n_inputs (term->rule); input++)
            {
              mt_place_open_input (&place, term->rule, input);
              assert_place (self, scorer, &place, t, input, mt_rule_get_inputs (term->rule)[input]);
            }
          for (guint is_or = 0; is_or < 2; is_or++)
            {
              mt_place_open_beside (&place, term->rule, is_or);
              assert_place (self, scorer, &place, t, G_MAXUINT, G_MAXUINT);
            }
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, task) \
  g_test_add ("/refine-place/scores/" name, Fixture, GINT_TO_POINTER (task), fixture_set_up, test_scores, fixture_tear_down)
  ADD ("regression", MT_TASK_REGRESSION);
  ADD ("binary", MT_TASK_BINARY);
  ADD ("multiclass", MT_TASK_MULTICLASS);
  return g_test_run ();
}
