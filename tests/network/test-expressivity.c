/* What one node can say about three inputs: standard nodes fit exactly the 104 linearly
 * separable functions of the 256, deep nodes all of them (the paper's expressivity table). */
#include "config.h"

#include <math.h>

#include "network/mt-backend-private.h"
#include "base/mt-random.h"

enum { N_INPUTS = 3, N_PATTERNS = 8 };

/* The eight assignments of three literals, each its own column. */
static MtEncoded *
make_patterns (void)
{
  MtGroup groups[N_INPUTS];
  guint8 codes[N_INPUTS * N_PATTERNS];

  for (guint i = 0; i < N_INPUTS; i++)
    {
      groups[i] = (MtGroup) { MT_GROUP_ONE_HOT, i, i, 1, FALSE };
      for (guint v = 0; v < N_PATTERNS; v++)
        codes[i * N_PATTERNS + v] = v >> i & 1;
    }
  return mt_encoded_new (groups, N_INPUTS, codes, NULL, 0, N_PATTERNS);
}

/* Does a net of one node learn @function (bit v: the answer to assignment v)? */
static gboolean
fits (const MtEncoded *encoded,
      MtNodeKind       kind,
      guint            function,
      guint            n_restarts,
      guint            n_steps)
{
  const MtNetShape shape = { MT_TASK_BINARY, N_INPUTS, 0, 1, 1, N_INPUTS, kind };
  guint32 order[N_PATTERNS];
  float y[N_PATTERNS];

  for (guint v = 0; v < N_PATTERNS; v++)
    {
      order[v] = v;
      y[v] = (float) (function >> v & 1);
    }
  for (guint restart = 0; restart < n_restarts; restart++)
    {
      g_autoptr (MtNet) net = mt_net_new (&shape, NULL, 0.01);
      MtBackendJob job = {
        .net = net, .encoded = encoded, .y = y, .train_rows = order, .n_train = N_PATTERNS,
        .topk = &mt_topk_soft,
        .batch = N_PATTERNS, .n_threads = 1, .clip = 1.0f, .divide_by_tau = TRUE,
      };
      gpointer context;

      mt_net_randomise (net, restart);
      /* The rule speaks for its class, or in every other restart against it. */
      mt_net_set_node_weight (net, 0, 0, restart % 2 == 0 ? 4.0 : -4.0);
      mt_net_set_bias (net, 0, restart % 2 == 0 ? -2.0 : 2.0);
      context = mt_backend_cpu.open (&job, NULL);
      for (guint step = 0; step < n_steps; step += 10)
        {
          double scores[N_PATTERNS];
          MtNetState state = { .params = net->params };
          guint right = 0;

          for (guint i = 0; i < 10; i++)
            mt_backend_cpu_step (context, order, N_PATTERNS, 0.02);
          mt_backend_cpu.read (context, &state, NULL);
          mt_net_score (net, encoded, scores);
          for (guint v = 0; v < N_PATTERNS; v++)
            right += (scores[v] > 0.0) == (function >> v & 1);
          if (right == N_PATTERNS)
            {
              mt_backend_cpu.close (context);
              return TRUE;
            }
        }
      mt_backend_cpu.close (context);
    }
  return FALSE;
}

static void
test_standard (void)
{
  g_autoptr (MtEncoded) encoded = make_patterns ();
  guint n = 0;

  for (guint function = 0; function < 256; function++)
    n += fits (encoded, MT_NODE_STANDARD, function, 12, 300);
  g_assert_cmpuint (n, ==, 104);
}

static void
test_deep (void)
{
  g_autoptr (MtEncoded) encoded = make_patterns ();

  for (guint function = 0; function < 256; function++)
    if (!fits (encoded, MT_NODE_DEEP, function, 20, 600))
      g_error ("a deep node does not learn %02x", function);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/expressivity/standard-fits-104", test_standard);
  g_test_add_func ("/expressivity/deep-fits-256", test_deep);
  return g_test_run ();
}
