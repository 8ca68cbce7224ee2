/* What a node of the network said to the assignments of the rule that it became. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "rules/mt-origin.h"
#include "base/mt-random.h"
#include "logic/mt-truth-table.h"
#include "testutils.h"

enum { N_ROWS = 12, MOST = 4 };

static MtEncoder *
make_encoder (void)
{
  static const char * const kinds[N_ROWS] = { "x", "y", "z", "x", "y", "z", "x", "y", "z", "x", "y", "z" };
  double a[N_ROWS];
  MtColumn *columns[2];
  MtEncoderOptions options;
  g_autoptr (MtTable) table = NULL;

  for (guint i = 0; i < N_ROWS; i++)
    a[i] = i;
  columns[0] = mt_test_numbers ("a", a, N_ROWS);
  columns[1] = mt_test_levels ("kind", MT_TYPE_CATEGORY, kinds, N_ROWS);
  table = mt_test_table (columns, 2, -1);
  mt_encoder_options_init (&options);
  options.bits = 5;
  return mt_encoder_fit (table, NULL, 0, &options, NULL);
}

static guint
choose_inputs (MtRandom *random,
               guint     n_literals,
               guint    *inputs)
{
  guint n = 0, most = 1 + (guint) mt_random_below (random, MOST);

  for (guint l = 0; l < n_literals && n < most; l++)
    if (mt_random_below (random, 2) == 0)
      inputs[n++] = l;
  if (n == 0)
    inputs[n++] = 0;
  return n;
}

/* Does @u give every input that both have the value that @v gives it? */
static gboolean
agree (const guint *a,
       guint        n_a,
       guint32      u,
       const guint *b,
       guint        n_b,
       guint32      v)
{
  for (guint i = 0; i < n_a; i++)
    for (guint k = 0; k < n_b; k++)
      if (a[i] == b[k] && (u >> i & 1) != (v >> k & 1))
        return FALSE;
  return TRUE;
}

static MtNodeSays
ask_one_by_one (const MtOrigin  *origin,
                const MtEncoder *encoder,
                const guint     *inputs,
                guint            n_inputs,
                guint32          v)
{
  guint n = mt_origin_get_n_inputs (origin);
  guint64 impossible[1];

  mt_encoder_impossible (encoder, mt_origin_get_inputs (origin), n, impossible);
  for (guint pass = 0; pass < 2; pass++)
    {
      gboolean yes = FALSE, no = FALSE;

      for (guint32 u = 0; u < 1u << n; u++)
        if (agree (mt_origin_get_inputs (origin), n, u, inputs, n_inputs, v) &&
            (pass == 1 || !mt_truth_table_get (impossible, u)))
          {
            double sum = 0;
            gboolean answer;

            for (guint i = 0; mt_origin_get_weights (origin) != NULL && i < n; i++)
              sum += (u >> i & 1) != 0 ? mt_origin_get_weights (origin)[i] : 0;
            answer = mt_origin_get_weights (origin) != NULL ? sum > mt_origin_get_threshold (origin)
                                                            : mt_truth_table_get (mt_origin_get_table (origin), u);
            yes = yes || answer;
            no = no || !answer;
          }
      if (yes || no)
        return yes && no ? MT_SAYS_EITHER : yes ? MT_SAYS_YES : MT_SAYS_NO;
    }
  g_assert_not_reached ();
}

static void
test_answers (void)
{
  g_autoptr (MtEncoder) encoder = make_encoder ();
  guint n_literals = mt_encoder_get_n_literals (encoder), n_said[4] = { 0 };
  MtRandom random;

  mt_random_init (&random, 4);
  for (guint round = 0; round < 400; round++)
    {
      guint own[MOST], inputs[MOST], n_own = choose_inputs (&random, n_literals, own);
      guint n_inputs = choose_inputs (&random, n_literals, inputs);
      double weights[MOST], threshold;
      guint64 table = mt_random_next (&random) & mt_truth_table_last_mask (n_own);
      guint8 says[1 << MOST];
      g_autoptr (MtOrigin) origin = NULL;

      for (guint i = 0; i < n_own; i++)
        weights[i] = (double) mt_random_below (&random, 9) - 4;   /* sums that are exact */
      threshold = (double) mt_random_below (&random, 5) - 2.5;
      origin = round % 2 == 0 ? mt_origin_new_node (own, n_own, weights, threshold, NULL)
                              : mt_origin_new_deep (own, n_own, &table, NULL);
      mt_origin_answer (origin, encoder, inputs, n_inputs, says);
      for (guint32 v = 0; v < 1u << n_inputs; v++)
        {
          g_assert_cmpint (says[v], ==, ask_one_by_one (origin, encoder, inputs, n_inputs, v));
          n_said[says[v]]++;
        }
    }
  g_assert_cmpuint (n_said[MT_SAYS_NOTHING], ==, 0);
  g_assert_true (n_said[MT_SAYS_NO] > 0 && n_said[MT_SAYS_YES] > 0 && n_said[MT_SAYS_EITHER] > 0);
}

static void
test_scan (void)
{
  g_autoptr (MtEncoder) encoder = make_encoder ();
  g_autoptr (MtOrigin) origin = mt_origin_new_scan ();
  guint8 says[4];

  mt_origin_answer (origin, encoder, (const guint[]) { 0, 1 }, 2, says);
  for (guint v = 0; v < 4; v++)
    g_assert_cmpint (says[v], ==, MT_SAYS_NOTHING);
  g_assert_cmpuint (mt_origin_get_n_inputs (origin), ==, 0);
  g_assert_null (mt_origin_get_table (origin));
}

static void
test_refusals (void)
{
  const guint inputs[17] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }, turned[2] = { 3, 1 };
  double weights[17] = { 0 };
  g_autoptr (GError) error = NULL;

#define REFUSED(call, words) \
  G_STMT_START { g_assert_null (call); g_assert_error (error, MT_ERROR, MT_ERROR_PARSE); \
                 g_assert_nonnull (strstr (error->message, words)); g_clear_error (&error); } G_STMT_END
  REFUSED (mt_origin_new_node (inputs, 0, weights, 0, &error), "1 to 16 inputs");
  REFUSED (mt_origin_new_node (inputs, 17, weights, 0, &error), "1 to 16 inputs");
  REFUSED (mt_origin_new_node (turned, 2, weights, 0, &error), "must ascend");
  REFUSED (mt_origin_new_node (inputs, 2, weights, INFINITY, &error), "not finite");
  weights[1] = NAN;
  REFUSED (mt_origin_new_node (inputs, 2, weights, 0, &error), "not finite");
  REFUSED (mt_origin_new_deep (turned, 2, (const guint64[]) { 6 }, &error), "must ascend");
#undef REFUSED
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/origin/answers", test_answers);
  g_test_add_func ("/origin/scan", test_scan);
  g_test_add_func ("/origin/refusals", test_refusals);
  return g_test_run ();
}
