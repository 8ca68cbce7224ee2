/* The order of rows in an epoch (network/mt-order.h): every row once, another order for another epoch or seed, every row
 * equally often everywhere, and the same numbers on every machine and forever. */
#include "config.h"

#include <glib.h>

#include "network/mt-order.h"

/* @each: how many rows take the same place; 1, but where the check itself is tested. */
static gboolean
is_permutation (const MtOrder *order,
                guint32        each)
{
  g_autofree guint8 *seen = g_new0 (guint8, MAX (order->n, 1));

  for (guint32 i = 0; i < order->n; i++)
    {
      guint32 at = mt_order_at (order, i / each);

      if (at >= order->n || seen[at]++)
        return FALSE;
    }
  return TRUE;
}

static void
test_every_row_once (void)
{
  static const guint32 large[] = { 4095, 4096, 4097, 65535, 65537, 1000000 };
  MtOrder any = mt_order_of (1, 0, 1000);

  for (guint32 n = 0; n < 700; n++)
    {
      MtOrder order = mt_order_of (n, n % 7, n);

      g_assert_true (is_permutation (&order, 1));
    }
  for (guint i = 0; i < G_N_ELEMENTS (large); i++)
    {
      MtOrder order = mt_order_of (99, i, large[i]);

      g_assert_true (is_permutation (&order, 1));
    }
  /* The largest number of rows fits, and the check can fail. */
  g_assert_cmpuint (mt_order_of (5, 5, G_MAXUINT32).half_bits, ==, 16);
  g_assert_false (is_permutation (&any, 2));
}

/* χ² of where row 0, a third, and the last come over many epochs, and of the distance between neighbors. */
static void
test_even (void)
{
  enum { N = 24, EPOCHS = 24000 };
  guint first[N] = { 0 }, last[N] = { 0 }, apart[N] = { 0 };

  for (guint epoch = 0; epoch < EPOCHS; epoch++)
    {
      MtOrder order = mt_order_of (400000 + epoch % 3, epoch, N);

      first[mt_order_at (&order, 0)]++;
      last[mt_order_at (&order, N - 1)]++;
      apart[(mt_order_at (&order, 8) + N - mt_order_at (&order, 7)) % N]++;
    }
  for (guint i = 0; i < 3; i++)
    {
      const guint *counts = i == 0 ? first : i == 1 ? last : apart;
      guint begin = i == 2;
      double expected = (double) EPOCHS / (N - begin), chi = 0;

      for (guint v = begin; v < N; v++)
        chi += (counts[v] - expected) * (counts[v] - expected) / expected;
      g_test_message ("chi² %.1f with %u degrees of freedom", chi, N - 1 - begin);
      /* Above 60 by chance once in fifty thousand. */
      g_assert_cmpfloat (chi, <, 60);
    }
  g_assert_cmpuint (apart[0], ==, 0);
}

static void
test_differs (void)
{
  MtOrder one = mt_order_of (1, 1, 500), other_seed = mt_order_of (2, 1, 500), other_epoch = mt_order_of (1, 2, 500);
  guint same_seed = 0, same_epoch = 0;

  for (guint32 i = 0; i < 500; i++)
    {
      same_seed += mt_order_at (&one, i) == mt_order_at (&other_seed, i);
      same_epoch += mt_order_at (&one, i) == mt_order_at (&other_epoch, i);
    }
  g_assert_cmpuint (same_seed, <, 10);
  g_assert_cmpuint (same_epoch, <, 10);
}

/* Trained bits follow from these. */
static void
test_forever (void)
{
  static const guint32 expected[] = { 178, 942, 480, 75, 519, 950, 124, 429 };
  MtOrder order = mt_order_of (42, 3, 1000);

  for (guint32 i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (mt_order_at (&order, i), ==, expected[i]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/order/every-row-once", test_every_row_once);
  g_test_add_func ("/order/even", test_even);
  g_test_add_func ("/order/differs", test_differs);
  g_test_add_func ("/order/forever", test_forever);
  return g_test_run ();
}
