/* In which order to ask the inputs so that the diagram has the fewest nodes.
 *
 * How many nodes ask input x depends only on the set of inputs asked below x, not on their order
 * (Friedman and Supowit): for each answer to the others count the different functions left. So
 * the best order comes from a dynamic program over sets S of bottom inputs,
 *
 *   nodes(S) = min_{x ∈ S} nodes(S ∖ x) + width(S ∖ x, x).
 *
 * For each S a table names, by a number, the function left after each answer to the inputs
 * outside of S: 2^(k-|S|) numbers. The table of S ∪ x follows by pairing the entries that differ
 * in x; width(S, x) is the number of different pairs of unequal numbers. In all 3^k numbers and
 * k 3^(k-1) pairings: 17,496 at 8 inputs, 2,125,764 (and 2 MiB) at 12.
 *
 * Above, sifting: each input in turn goes to the place that costs least, while that helps. The
 * same fact makes it cheap: a move needs only widths (S, x), each computed once. */
#include "config.h"
#include "mt-diagram-order.h"

#include <string.h>

/* A hash table from pairs of numbers to numbers, with open addressing: a power of two of slots, at most half of
 * them used. A key is the pair in 64 bits plus one, so that 0 can mean "empty". */
void
mt_pair_table_init (MtPairTable *pairs,
                    guint        n_max)
{
  guint32 size = 8;

  while (size < 2 * n_max)
    size *= 2;
  pairs->mask = size - 1;
  pairs->keys = g_new0 (guint64, size);
  pairs->values = g_new (guint32, size);
}

void
mt_pair_table_clear (MtPairTable *pairs)
{
  g_clear_pointer (&pairs->keys, g_free);
  g_clear_pointer (&pairs->values, g_free);
}

/* Forgets all pairs and makes the table as small as @n_max pairs need. Only the keys of that many slots are
 * cleared: most uses are small, and clearing the whole array every time would be most of the work. */
void
mt_pair_table_reset (MtPairTable *pairs,
                     guint        n_max)
{
  guint32 size = 8;

  while (size < 2 * n_max)
    size *= 2;
  pairs->mask = size - 1;
  memset (pairs->keys, 0, size * sizeof (guint64));
}

/* The number of the pair (@a, @b), or @otherwise, which the pair then has from now on. The hash is the high half
 * of a product with an odd constant; a taken slot sends the search to the next one. */
guint32
mt_pair_table_get (MtPairTable *pairs,
                   guint32      a,
                   guint32      b,
                   guint32      otherwise)
{
  guint64 key = ((guint64) a << 32 | b) + 1;
  guint32 slot = (guint32) ((key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32) & pairs->mask;

  while (pairs->keys[slot] != 0 && pairs->keys[slot] != key)
    slot = (slot + 1) & pairs->mask;
  if (pairs->keys[slot] == 0)
    {
      pairs->keys[slot] = key;
      pairs->values[slot] = otherwise;
    }
  return pairs->values[slot];
}

/* Inserts a zero at bit @bit. */
static inline guint32
widen (guint32 v,
       guint   bit)
{
  return (v & ((1u << bit) - 1)) | (v >> bit) << (bit + 1);
}

/* Pairs the entries of @from (over the inputs outside of S, in order) that differ in the one at
 * place @place; gives the width and, if @to is not NULL, the table of S with that input. */
static guint
pair_up (const guint32 *from,
         guint          n_outside,
         guint          place,
         MtPairTable   *pairs,
         guint32       *to)
{
  guint32 n = 1u << (n_outside - 1);
  /* Numbers of the functions that do not depend on the input stay; new ones come after any. */
  guint32 fresh = 1u << n_outside;
  guint width = 0;

  mt_pair_table_reset (pairs, n);
  for (guint32 v = 0; v < n; v++)
    {
      guint32 low = from[widen (v, place)], high = from[widen (v, place) | 1u << place];
      guint32 number = low;

      if (low != high)
        {
          number = mt_pair_table_get (pairs, low, high, fresh + width);
          width += number == fresh + width;
        }
      if (to != NULL)
        to[v] = number;
    }
  return width;
}

/* Numbers below 2^n again, in the order of their first occurrence: what pair_up() relies on. */
static void
renumber (guint32     *numbers,
          guint        n,
          MtPairTable *pairs)
{
  guint32 next = 0;

  mt_pair_table_reset (pairs, n);
  for (guint v = 0; v < n; v++)
    {
      numbers[v] = mt_pair_table_get (pairs, numbers[v], 0, next);
      next = MAX (next, numbers[v] + 1);
    }
}

/* The dynamic program. first[S] is where the table of S begins in `numbers`; all tables together have 3^k numbers,
 * since each input is in S, or outside with one of two answers. nodes[S] becomes the least number of nodes that
 * ask an input of S, if the inputs of S are at the bottom.
 *
 * Sets are visited in ascending order: a set's subsets are smaller numbers, so its table is complete and its count
 * final when it is used. The table of S ∪ x is written only once, from the set without its highest input, although
 * every x ∈ S gives the same table; the other visits only measure the width.
 *
 * Afterwards the order is read from the top down: an input x can be at the top of S if nodes[S \ x] + width (S \
 * x, x) = nodes[S]. The first such x is taken, so equal orders give the same diagram every time. */
static void
find_best_order (guint          fan_in,
                 const guint64 *table,
                 guint8        *order)
{
  guint32 n_sets = 1u << fan_in, all = n_sets - 1;
  g_autofree guint32 *first = g_new (guint32, n_sets + 1);
  g_autofree guint32 *nodes = g_new (guint32, n_sets);
  g_autofree guint32 *numbers = NULL;
  MtPairTable pairs;
  guint32 total = 0, below;

  for (guint32 set = 0; set < n_sets; set++)
    {
      first[set] = total;
      total += 1u << (fan_in - (guint) __builtin_popcount (set));
      nodes[set] = G_MAXUINT32;
    }
  numbers = g_new (guint32, total);
  mt_pair_table_init (&pairs, n_sets);
  for (guint32 v = 0; v < n_sets; v++)
    numbers[v] = mt_truth_table_get (table, v);

  /* A set comes after its subsets, so its table is ready, and its count is final. */
  nodes[0] = 0;
  for (guint32 set = 0; set < n_sets; set++)
    {
      guint n_outside = fan_in - (guint) __builtin_popcount (set);
      guint place = 0;

      for (guint x = 0; x < fan_in; x++)
        {
          guint32 with = set | 1u << x;
          guint32 *to = NULL;
          guint width;

          if (with == set)
            continue;
          /* Each table is made from the one without its highest input. */
          if (with >> x == 1)
            to = numbers + first[with];
          width = pair_up (numbers + first[set], n_outside, place, &pairs, to);
          if (to != NULL)
            renumber (to, 1u << (n_outside - 1), &pairs);
          nodes[with] = MIN (nodes[with], nodes[set] + width);
          place++;
        }
    }

  /* From the top: the first input that can be on top of the best. Widths are counted again. */
  below = all;
  for (guint level = 0; level < fan_in; level++)
    for (guint x = 0; x < fan_in; x++)
      {
        guint32 without = below & ~(1u << x);
        guint place = (guint) __builtin_popcount (~without & ((1u << x) - 1));

        if (without == below || nodes[without] > nodes[below])
          continue;
        if (nodes[without] + pair_up (numbers + first[without], fan_in - (guint) __builtin_popcount (without),
                                      place, &pairs, NULL) != nodes[below])
          continue;
        order[level] = (guint8) x;
        below = without;
        break;
      }
  mt_pair_table_clear (&pairs);
}

/* --- sifting --- */

typedef struct {
  guint          fan_in;
  const guint64 *table;
  guint64       *permuted;
  guint32       *numbers;
  MtPairTable    pairs;
  GHashTable    *widths;      /* bottom set << 4 | input → width + 1; looked up, never walked */
} Sifting;

/* How many nodes ask @input when the inputs @below come after it.
 *
 * Two answers to the inputs above lead to the same node iff what is left is the same function, so
 * the nodes are the different blocks of the permuted table whose two halves (input false, input
 * true) differ. Blocks are first numbered by their content: up to 32 bits are the number
 * themselves, longer blocks are numbered by pairs of (number so far, next 32 bits). Then pair_up()
 * counts the pairs of unequal halves.
 *
 * Each width costs one permutation of the table, 2^k steps, and is remembered: sifting asks for the
 * same sets over and over, because moving one input by one place changes only two of them. */
static guint
get_width (Sifting *sifting,
           guint32  below,
           guint    input)
{
  gpointer key = GUINT_TO_POINTER (below << 4 | input);
  gpointer known = g_hash_table_lookup (sifting->widths, key);
  guint n_below = (guint) __builtin_popcount (below), n = 0;
  guint n_outside = sifting->fan_in - n_below;
  guint8 places[MT_TRUTH_TABLE_MAX_FAN_IN];
  guint32 n_blocks = 1u << n_outside;
  guint width;

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;

  /* Below in front, then the input, then the rest: a block of 2^n_below bits is what is left
   * after an answer to the others, and the input's two answers are neighbors. */
  for (guint i = 0; i < sifting->fan_in; i++)
    if ((below >> i) & 1)
      places[n++] = (guint8) i;
  places[n++] = (guint8) input;
  for (guint i = 0; i < sifting->fan_in; i++)
    if (!((below >> i) & 1) && i != input)
      places[n++] = (guint8) i;
  mt_truth_table_permute (sifting->fan_in, sifting->table, places, sifting->permuted);

  /* Number the blocks by their content, half a word or a bit at a time. */
  mt_pair_table_reset (&sifting->pairs, n_blocks);
  for (guint32 b = 0; b < n_blocks; b++)
    {
      if (n_below >= 5)
        sifting->numbers[b] = (guint32) (sifting->permuted[(b << n_below) >> 6] >> ((b << n_below) & 63));
      else
        sifting->numbers[b] = (guint32) (sifting->permuted[(b << n_below) >> 6] >> ((b << n_below) & 63)) &
                              ((1u << (1u << n_below)) - 1);
    }
  for (guint half = 1; n_below > 5 && half < 1u << (n_below - 5); half++)
    {
      guint32 next = 0;

      mt_pair_table_reset (&sifting->pairs, n_blocks);
      for (guint32 b = 0; b < n_blocks; b++)
        {
          guint64 word = sifting->permuted[((b << n_below) >> 6) + half / 2];
          guint32 number = mt_pair_table_get (&sifting->pairs, sifting->numbers[b],
                                              (guint32) (half & 1 ? word >> 32 : word), next);

          sifting->numbers[b] = number;
          next = MAX (next, number + 1);
        }
    }
  renumber (sifting->numbers, n_blocks, &sifting->pairs);
  width = pair_up (sifting->numbers, n_outside, 0, &sifting->pairs, NULL);
  g_hash_table_insert (sifting->widths, key, GUINT_TO_POINTER (width + 1));
  return width;
}

/* The nodes of a whole order: the sum of the widths of its levels. */
static guint
count_order (Sifting      *sifting,
             const guint8 *order)
{
  guint32 below = (1u << sifting->fan_in) - 1;
  guint n = 0;

  for (guint level = 0; level < sifting->fan_in; level++)
    {
      below &= ~(1u << order[level]);
      n += get_width (sifting, below, order[level]);
    }
  return n;
}

static void
move_input (guint8 *order,
            guint   from,
            guint   to)
{
  guint8 input = order[from];

  if (from < to)
    memmove (order + from, order + from + 1, to - from);
  else
    memmove (order + to + 1, order + to, from - to);
  order[to] = input;
}

static void
sifting_init (Sifting       *sifting,
              guint          fan_in,
              const guint64 *table)
{
  sifting->fan_in = fan_in;
  sifting->table = table;
  sifting->permuted = g_new (guint64, mt_truth_table_n_words (fan_in));
  sifting->numbers = g_new (guint32, (gsize) 1 << fan_in);
  mt_pair_table_init (&sifting->pairs, 1u << fan_in);
  sifting->widths = g_hash_table_new (NULL, NULL);
}

static void
sifting_clear (Sifting *sifting)
{
  g_free (sifting->permuted);
  g_free (sifting->numbers);
  mt_pair_table_clear (&sifting->pairs);
  g_hash_table_unref (sifting->widths);
}

/* Moves each input to the place where it costs least; TRUE when the order got better. Ties keep the
 * first place that was best, so the result is the same every time. One call tries k × k orders of k
 * widths each, most of them known already. */
static gboolean
sift_inputs (Sifting *sifting,
             guint8  *order,
             guint   *best)
{
  gboolean better = FALSE;

  for (guint input = 0; input < sifting->fan_in; input++)
    {
      const guint8 *found = memchr (order, (int) input, sifting->fan_in);
      guint from = (guint) (found - order), best_to = from;

      for (guint to = 0; to < sifting->fan_in; to++)
        {
          guint n;

          move_input (order, from, to);
          n = count_order (sifting, order);
          move_input (order, to, from);
          if (n < *best)
            {
              *best = n;
              best_to = to;
              better = TRUE;
            }
        }
      move_input (order, from, best_to);
    }
  return better;
}

/* Starts from the order of the inputs and repeats rounds until one changes nothing. Each round that
 * goes on removes at least one node, so it ends. The result is an optimum only against moves of one
 * input. */
static void
sift (guint          fan_in,
      const guint64 *table,
      guint8        *order)
{
  Sifting sifting;
  guint best;

  sifting_init (&sifting, fan_in, table);
  for (guint i = 0; i < fan_in; i++)
    order[i] = (guint8) i;
  best = count_order (&sifting, order);
  while (sift_inputs (&sifting, order, &best))
    continue;
  sifting_clear (&sifting);
}

gboolean
mt_diagram_find_order (guint          fan_in,
                       const guint64 *table,
                       guint8        *order)
{
  if (fan_in > MT_DIAGRAM_EXACT_FAN_IN)
    {
      sift (fan_in, table, order);
      return FALSE;
    }
  find_best_order (fan_in, table, order);
  return TRUE;
}

guint
mt_diagram_count_nodes (guint          fan_in,
                        const guint64 *table,
                        const guint8  *order)
{
  Sifting sifting;
  guint n;

  g_return_val_if_fail (fan_in <= MT_TRUTH_TABLE_MAX_FAN_IN, 0);
  g_return_val_if_fail (table != NULL && (order != NULL || fan_in == 0), 0);

  sifting_init (&sifting, fan_in, table);
  n = count_order (&sifting, order);
  sifting_clear (&sifting);
  return n;
}
