/* Terms with parities: a cube, one odd and one even group of inputs, as in the paper's
 * extension of Quine–McCluskey by ⊕ and ⊙.
 *
 * Candidates. Give each input a place: kept (a literal or left out), in the odd group, or in
 * the even one. With t[a][b] the assignments of the kept inputs that are allowed whenever the
 * groups have parities a and b, an input i that goes to the odd group gives
 *
 *   t'[a][b] = t[a][b] at i = 0  ∧  t[1−a][b] at i = 1,
 *
 * likewise for the even group with b, starting from t[0][0] = allowed and all else true (no
 * input, no odd parity). At the end the primes of t[1][0] (t[0][0] without an odd group) over
 * the kept inputs are the terms. Inputs that join a group leave the table, so all 3^k places
 * together cost about 6^k bits. The selection among them is the same as without parities.
 *
 * Up to MT_QMC_EXACT_FAN_IN inputs all groups are tried, up to LISTED_FAN_IN one group of two
 * inputs; above, and when there are too many candidates, the terms of the plain cover are
 * joined pairwise where two of them make up one with a parity. The plain cover stays whenever
 * this gains nothing. */
#include "config.h"
#include "mt-qmc-private.h"

#include <string.h>

#define LISTED_FAN_IN 10
#define MAX_TERMS     30000

/* Not part of the promise to prove: the choice of terms may stop here, at any fan-in. */
#define DEFAULT_BUDGET G_GUINT64_CONSTANT (20000000)

typedef struct {
  guint          fan_in;
  gsize          n_words;
  const guint64 *care;
  guint          max_grouped;    /* inputs in groups, together */
  guint8         kept[MT_TRUTH_TABLE_MAX_FAN_IN];
  guint          n_kept;
  guint32        odd, even;
  MtQmcTerms    *terms;
  MtQmcMeter    *meter;
  gboolean       too_many;
} Listing;

/* Tables by parity of the odd group and parity of the even group. */
typedef struct {
  guint64 t[2][2][16];
} ByParity;

/* The assignments with an odd number of ones in @set. */
static void
parity_table (guint    fan_in,
              guint32  set,
              guint64 *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  guint64 low = 0;

  for (guint i = 0; i < 6; i++)
    if ((set >> i) & 1)
      low ^= mt_truth_table_inputs[i];
  for (gsize w = 0; w < n_words; w++)
    out[w] = (__builtin_parity ((guint32) w & set >> 6) ? ~low : low) & mt_truth_table_last_mask (fan_in);
}

/* All inputs have their places: the primes of the table over the kept inputs become terms with the two groups. A
 * term covers what its cube covers, as far as the odd group has an odd number of ones and the even group an even
 * number. */
static void
list_leaf (Listing       *listing,
           const guint64 *table)
{
  guint64 all_true[16], odd[16], even[16];
  MtQmcTerms primes;

  /* A group of one is a literal, and stands elsewhere. */
  if (__builtin_popcount (listing->odd) == 1 || __builtin_popcount (listing->even) == 1 ||
      mt_truth_table_is_false (listing->n_kept, table))
    return;

  mt_qmc_terms_init (&primes, mt_truth_table_n_words (listing->n_kept));
  mt_truth_table_fill (listing->n_kept, TRUE, all_true);
  listing->too_many |= !mt_qmc_add_primes (listing->n_kept, table, all_true, MAX_TERMS, &primes);
  parity_table (listing->fan_in, listing->odd, odd);
  if (listing->odd == 0)
    mt_truth_table_fill (listing->fan_in, TRUE, odd);
  parity_table (listing->fan_in, listing->even, even);
  for (guint p = 0; p < primes.n_cubes && !listing->too_many; p++)
    {
      MtXorCube cube = { 0, 0, listing->odd, listing->even };
      guint64 *rows, any = 0;

      for (guint i = 0; i < listing->n_kept; i++)
        {
          cube.mask |= ((primes.cubes[p].mask >> i) & 1) << listing->kept[i];
          cube.value |= ((primes.cubes[p].value >> i) & 1) << listing->kept[i];
        }
      listing->too_many = listing->terms->n_cubes == MAX_TERMS;
      rows = mt_qmc_terms_add (listing->terms, &cube);
      mt_qmc_cube_table (listing->fan_in, &(MtCube) { cube.mask, cube.value }, rows);
      for (gsize w = 0; w < listing->n_words; w++)
        any |= rows[w] &= odd[w] & ~even[w] & listing->care[w];
      if (any == 0)
        listing->terms->n_cubes--;
    }
  mt_qmc_meter_spend (listing->meter, 8 + primes.n_cubes);
  mt_qmc_terms_clear (&primes);
}

/* Places input @n_open - 1 and those below. The tables are over the open inputs, then the kept.
 *
 * Each input is tried as kept, in the odd group and in the even one; the recursion is as deep as
 * there are inputs. A kept input stays in the tables, a grouped one leaves them: t[a][b] must hold
 * for both of its values, with the parity turned when it is true. Sixteen words are enough for a
 * table of LISTED_FAN_IN inputs, so the tables of all levels lie on the stack, 512 bytes each. */
static void
list_from (Listing        *listing,
           guint           n_open,
           const ByParity *tables)
{
  guint n_inputs = n_open + listing->n_kept;
  guint input = n_open - 1;
  guint n_grouped = (guint) __builtin_popcount (listing->odd | listing->even);

  if (listing->too_many || listing->meter->cancelled)
    return;
  if (n_open == 0)
    {
      list_leaf (listing, tables->t[listing->odd != 0][0]);
      return;
    }

  /* Kept: it comes before those kept so far, which all have higher numbers. */
  memmove (listing->kept + 1, listing->kept, listing->n_kept);
  listing->kept[0] = (guint8) input;
  listing->n_kept++;
  list_from (listing, n_open - 1, tables);
  listing->n_kept--;
  memmove (listing->kept, listing->kept + 1, listing->n_kept);

  for (guint place = 0; place < 2 && n_grouped < listing->max_grouped; place++)
    {
      guint32 *group = place == 0 ? &listing->odd : &listing->even;
      ByParity next;

      for (guint a = 0; a < 2; a++)
        for (guint b = 0; b < 2; b++)
          {
            guint64 *when_false = next.t[a][b], when_true[16];

            mt_truth_table_remove (n_inputs, tables->t[a][b], input, FALSE, when_false);
            mt_truth_table_remove (n_inputs, place == 0 ? tables->t[1 - a][b] : tables->t[a][1 - b],
                                   input, TRUE, when_true);
            mt_truth_table_and (n_inputs - 1, when_false, when_true, when_false);
          }
      *group |= 1u << input;
      list_from (listing, n_open - 1, &next);
      *group &= ~(1u << input);
    }
}

/* The recursion goes through the inputs from the highest down and visits 3^k places at most, fewer when groups are
 * limited to two inputs. */
gboolean
mt_qmc_add_xor_terms (guint          fan_in,
                      const guint64 *allowed,
                      const guint64 *care,
                      MtQmcTerms    *terms,
                      MtQmcMeter    *meter)
{
  Listing listing = {
    .fan_in = fan_in, .n_words = mt_truth_table_n_words (fan_in), .care = care,
    .max_grouped = fan_in <= MT_QMC_EXACT_FAN_IN ? fan_in : 2, .terms = terms, .meter = meter,
  };
  ByParity start;

  if (fan_in > LISTED_FAN_IN)
    return FALSE;
  for (guint a = 0; a < 2; a++)
    for (guint b = 0; b < 2; b++)
      {
        if (a == 0 && b == 0)
          mt_truth_table_copy (fan_in, allowed, start.t[a][b]);
        else
          mt_truth_table_fill (fan_in, TRUE, start.t[a][b]);
      }
  list_from (&listing, fan_in, &start);
  return !listing.too_many;
}

/* The term that covers exactly what @a and @b cover together, if they differ in two literals, or in
 * one and in the parity of a group, and the group's place is free.
 *
 *   x0 ¬x1 x2  ∨  ¬x0 x1 x2             →  (x0 ⊕ x1) x2        odd {0, 1}
 *   x0 x1 x2  ∨  ¬x0 ¬x1 x2             →  (x0 ⊙ x1) x2        even {0, 1}
 *   x0 (x1 ⊕ x2)  ∨  ¬x0 (x1 ⊙ x2)      →  even {0, 1, 2}
 *
 * In the third line x0 true and an odd rest make an even number, and so do x0 false and an even
 * rest. */
static gboolean
join (const MtXorCube *a,
      const MtXorCube *b,
      MtXorCube       *out)
{
  guint32 differ = a->value ^ b->value;
  guint32 group;
  gboolean odd;

  if (a->mask != b->mask)
    return FALSE;
  if (__builtin_popcount (differ) == 2 && a->odd == b->odd && a->even == b->even)
    {
      group = differ;
      odd = __builtin_popcount (a->value & differ) == 1;
    }
  else if (__builtin_popcount (differ) == 1 && a->odd == b->even && a->even == b->odd &&
           (a->odd == 0) != (a->even == 0))
    {
      group = differ | a->odd | a->even;
      odd = ((a->value & differ) != 0) == (a->even != 0);
      *out = (MtXorCube) { a->mask & ~differ, a->value & ~differ, odd ? group : 0, odd ? 0 : group };
      return TRUE;
    }
  else
    return FALSE;

  if ((odd ? a->odd : a->even) != 0)
    return FALSE;
  *out = (MtXorCube) { a->mask & ~differ, a->value & ~differ, a->odd | (odd ? group : 0),
                       a->even | (odd ? 0 : group) };
  return TRUE;
}

/* Joins pairs until none can be joined: for tables too large to list candidates. What a join covers is exactly
 * what the two covered, so the cover stays correct. */
void
mt_qmc_join_xor_terms (GArray     *cubes,
                       MtQmcMeter *meter)
{
  gboolean changed = TRUE;

  while (changed && !meter->exhausted)
    {
      changed = FALSE;
      for (guint i = 0; i < cubes->len; i++)
        for (guint j = i + 1; j < cubes->len; j++)
          {
            MtXorCube *a = &g_array_index (cubes, MtXorCube, i), joined;

            if (!join (a, &g_array_index (cubes, MtXorCube, j), &joined))
              continue;
            *a = joined;
            g_array_remove_index_fast (cubes, j--);
            changed = TRUE;
          }
      mt_qmc_meter_spend (meter, (guint64) cubes->len * cubes->len / 2);
    }
}

guint64
mt_qmc_xor_budget (const MtQmcOptions *options)
{
  return options != NULL && options->budget > 0 ? options->budget : DEFAULT_BUDGET;
}
