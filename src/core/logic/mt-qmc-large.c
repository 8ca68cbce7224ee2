/* Covers of tables whose primes are too many to list.
 *
 * Around one assignment m the primes are cheap to find: with g(x) = allowed(m ⊕ x), leaving out
 * the inputs D is allowed iff g(x) holds for all x ⊆ D, and
 *
 *   H(D) = ⋀_{x ⊆ D} g(x)
 *
 * comes from one AND per input over the whole table (k × 2^k / 64 words: 16,384 operations at 16
 * inputs). The maximal D are the primes through m. So: take an open assignment, list its primes,
 * add the one that covers most open assignments for its literals, until none is open; then drop
 * superfluous terms, longest first. */
#include "config.h"
#include "mt-qmc-private.h"

#include <string.h>

/* The state of the search. times[] has an entry for each of the 2^k assignments: with it a term is superfluous
 * exactly if all its assignments that must be covered are covered twice. */
typedef struct {
  guint          fan_in;
  gsize          n_words;
  const guint64 *allowed;
  const guint64 *care;
  guint64       *open;      /* n_words */
  guint64       *around;    /* n_words: H */
  guint16       *times;     /* 2^k: how many terms cover it */
} Large;

/* H for assignment @m: bit D of it says whether all inputs of D can be left out of the cube of m.
 *
 * First the table is shifted so that m is its assignment 0: h (x) = allowed (m ⊕ x). Whole words
 * change places for the inputs from 6 on, bits inside the words for the others. Then h (D) must
 * become the AND of h over all subsets of D. That is done one input at a time: where input i is in
 * D, AND in the entry without it. After input i, each entry is the AND over all subsets that differ
 * in inputs 0 … i. So k passes do what 3^k single comparisons would. */
static void
list_around (Large   *large,
             guint32  m)
{
  guint64 *h = large->around;

  for (gsize w = 0; w < large->n_words; w++)
    h[w] = large->allowed[w ^ (m >> 6)];
  for (guint i = 0; i < MIN (large->fan_in, 6); i++)
    if ((m >> i) & 1)
      mt_truth_table_flip (large->fan_in, h, i, h);

  for (guint i = 0; i < large->fan_in; i++)
    {
      if (i < 6)
        {
          guint64 mask = mt_truth_table_inputs[i];

          for (gsize w = 0; w < large->n_words; w++)
            h[w] &= ~mask | (h[w] & ~mask) << (1u << i);
        }
      else
        {
          gsize stride = (gsize) 1 << (i - 6);

          for (gsize w = 0; w < large->n_words; w++)
            if ((w & stride) != 0)
              h[w] &= h[w ^ stride];
        }
    }
}

/* The members of H in word @w that no further input can join. If D can be left out, so can each
 * subset of it; so D is maximal if no D ∪ i is a member, and only these k sets need to be looked
 * at. */
static guint64
maximal_sets (const Large *large,
              gsize        w)
{
  const guint64 *h = large->around;
  guint64 larger = 0;

  for (guint i = 0; i < large->fan_in; i++)
    {
      if (i < 6)
        larger |= (h[w] & mt_truth_table_inputs[i]) >> (1u << i);
      else if ((w & (gsize) 1 << (i - 6)) == 0)
        larger |= h[w | (gsize) 1 << (i - 6)];
    }
  return h[w] & ~larger;
}

/* Runs over the words that a cube touches. */
#define FOR_EACH_CUBE_WORD(w, fan_in, cube) \
  for (guint32 w##_free = ~((cube)->mask >> 6) & (guint32) (mt_truth_table_n_words (fan_in) - 1), \
       w##_sub = w##_free, w##_more = 1, w = 0; \
       w##_more && ((w = w##_sub | (cube)->value >> 6), 1); \
       w##_more = w##_sub != 0, w##_sub = (w##_sub - 1) & w##_free)

/* How many open assignments a cube covers, over the words that it touches. */
static guint
count_open (const Large  *large,
            const MtCube *cube)
{
  guint64 word = mt_qmc_cube_word (large->fan_in, cube);
  guint n = 0;

  FOR_EACH_CUBE_WORD (w, large->fan_in, cube)
    n += (guint) __builtin_popcountll (large->open[w] & word);
  return n;
}

/* The prime through @m that gains most for its literals. */
static MtCube
best_prime (Large      *large,
            guint32     m,
            MtQmcMeter *meter)
{
  guint32 all = (1u << large->fan_in) - 1;
  MtCube best = { all, m };
  double best_rate = -1;
  guint widest = 0;

  list_around (large, m);
  for (gsize w = 0; w < large->n_words; w++)
    for (guint64 sets = maximal_sets (large, w); sets != 0; sets &= sets - 1)
      widest = MAX (widest, (guint) __builtin_popcountll (w << 6 | (guint) __builtin_ctzll (sets)));
  for (gsize w = 0; w < large->n_words; w++)
    for (guint64 sets = maximal_sets (large, w); sets != 0; sets &= sets - 1)
      {
        guint32 left_out = (guint32) (w << 6 | (guint) __builtin_ctzll (sets));
        guint n_left_out = (guint) __builtin_popcount (left_out);
        MtCube cube = { all & ~left_out, m & all & ~left_out };
        double rate;

        /* Much shorter cubes seldom win and are many. */
        if (n_left_out + 2 < widest)
          continue;
        rate = count_open (large, &cube) / (large->fan_in - n_left_out + 0.5);
        mt_qmc_meter_spend (meter, 4 + (1u << n_left_out) / 64);
        if (rate > best_rate)
          {
            best_rate = rate;
            best = cube;
          }
      }
  mt_qmc_meter_spend (meter, large->n_words * large->fan_in * 3);
  return best;
}

/* Adds @change to the count of every cared-for assignment of the cube; with @change 0, whether
 * each of them is covered by another term too. */
static gboolean
count_cube (Large        *large,
            const MtCube *cube,
            int           change)
{
  guint64 word = mt_qmc_cube_word (large->fan_in, cube);

  FOR_EACH_CUBE_WORD (w, large->fan_in, cube)
    for (guint64 bits = large->care[w] & word; bits != 0; bits &= bits - 1)
      {
        guint16 *times = &large->times[(gsize) w << 6 | (guint) __builtin_ctzll (bits)];

        if (change == 0 && *times == 1)
          return FALSE;
        *times = (guint16) (*times + change);
      }
  return TRUE;
}

static int
longest_first (gconstpointer a,
               gconstpointer b)
{
  const MtCube *x = a, *y = b;
  int difference = __builtin_popcount (y->mask) - __builtin_popcount (x->mask);

  if (difference != 0)
    return difference;
  if (x->mask != y->mask)
    return x->mask < y->mask ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

/* Greedy, and so without any promise: the result is correct and irredundant, but never called
 * proven.
 *
 * The next open assignment is always the lowest one, which keeps the result the same on every
 * machine. Each round closes at least that one, so there are at most as many rounds as assignments.
 * Afterwards times[] says how often each assignment is covered, and terms are looked at from the
 * longest to the shortest: one whose assignments are all covered twice goes, and its counts with
 * it.
 *
 * Cost: for each term about 3 k × 2^k / 64 words for H, and the primes around one assignment. */
void
mt_qmc_large (guint          fan_in,
              const guint64 *allowed,
              const guint64 *care,
              GArray        *cubes,
              MtQmcMeter    *meter)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  g_autofree guint64 *memory = g_new (guint64, 2 * n_words);
  g_autofree guint16 *times = g_new0 (guint16, n_words * 64);
  Large large = { fan_in, n_words, allowed, care, memory, memory + n_words, times };
  guint n_kept = 0;

  memcpy (large.open, care, n_words * sizeof (guint64));
  for (gsize w = 0; w < n_words; w++)
    while (large.open[w] != 0 && !meter->cancelled)
      {
        MtCube cube = best_prime (&large, (guint32) (w << 6 | (guint) __builtin_ctzll (large.open[w])), meter);
        guint64 word = mt_qmc_cube_word (fan_in, &cube);

        FOR_EACH_CUBE_WORD (touched, fan_in, &cube)
          large.open[touched] &= ~word;
        count_cube (&large, &cube, 1);
        g_array_append_val (cubes, cube);
      }

  g_array_sort (cubes, longest_first);
  for (guint i = 0; i < cubes->len; i++)
    {
      MtCube cube = g_array_index (cubes, MtCube, i);

      if (count_cube (&large, &cube, 0))
        count_cube (&large, &cube, -1);
      else
        g_array_index (cubes, MtCube, n_kept++) = cube;
    }
  g_array_set_size (cubes, n_kept);
  meter->exhausted = TRUE;
}
