/* Prime terms of a truth table, 64 assignments at a time.
 *
 * For a set D of inputs let F_D(v) say that all assignments that agree with v outside of D
 * are allowed: a term with the inputs D left out. Then
 *
 *   F_∅ = allowed,   F_{D ∪ i} = F_D ∧ F_D with input i flipped,
 *
 * and a term is prime iff no further input can be left out: P_D = F_D ∧ ¬ ⋁_{i ∉ D} F_{D ∪ i}.
 * F_D does not depend on D's inputs; each prime is read off once, where they are all zero.
 * That is 2^k tables of 2^k bits: 64 words at 6 inputs, 1,024 at 8, 16,384 at 10, 4 million
 * (32 MiB) at 14, and k operations for each. */
#include "config.h"
#include "mt-qmc-private.h"

#include <string.h>

void
mt_qmc_terms_init (MtQmcTerms *terms,
                   gsize       n_words)
{
  *terms = (MtQmcTerms) { .n_words = n_words };
}

void
mt_qmc_terms_clear (MtQmcTerms *terms)
{
  g_clear_pointer (&terms->cubes, g_free);
  g_clear_pointer (&terms->rows, g_free);
  terms->n_cubes = terms->n_allocated = 0;
}

/* The list doubles when it is full. The row set of the new term is not cleared: the caller writes all n_words of
 * it. Pointers into rows[] are invalid after the next call. */
guint64 *
mt_qmc_terms_add (MtQmcTerms      *terms,
                  const MtXorCube *cube)
{
  if (terms->n_cubes == terms->n_allocated)
    {
      terms->n_allocated = MAX (64, 2 * terms->n_allocated);
      terms->cubes = g_renew (MtXorCube, terms->cubes, terms->n_allocated);
      terms->rows = g_renew (guint64, terms->rows, terms->n_allocated * terms->n_words);
    }
  terms->cubes[terms->n_cubes] = *cube;
  return terms->rows + terms->n_words * terms->n_cubes++;
}

/* A cube's inputs 0 to 5 decide which bits of a word it covers, the same in every word that it touches; its inputs
 * from 6 on decide which words. So one word is computed, and copied to where the word's number agrees with the
 * cube. */
void
mt_qmc_cube_table (guint         fan_in,
                   const MtCube *cube,
                   guint64      *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  guint64 word = mt_qmc_cube_word (fan_in, cube);
  guint32 mask = cube->mask >> 6, value = cube->value >> 6;

  for (gsize w = 0; w < n_words; w++)
    out[w] = (w & mask) == value ? word : 0;
}

/* @out = @a and @a with input @input flipped: the assignments of @a that stay allowed whichever value the input
 * has. Inputs 0 to 5 are flipped inside a word, by shifting its two halves past each other; for the others it is a
 * matter of which word. Returns the OR of all words, 0 if nothing is left: such a set of inputs need not be
 * extended any further. */
static inline __attribute__ ((always_inline)) guint64
drop_input (const guint64 *a,
            gsize          n_words,
            guint          input,
            guint64       *out)
{
  guint64 any = 0;

  if (input < 6)
    {
      guint shift = 1u << input;
      guint64 mask = mt_truth_table_inputs[input];

      for (gsize w = 0; w < n_words; w++)
        {
          out[w] = a[w] & ((a[w] & mask) >> shift | (a[w] & ~mask) << shift);
          any |= out[w];
        }
    }
  else
    {
      gsize stride = (gsize) 1 << (input - 6);

      for (gsize w = 0; w < n_words; w++)
        {
          out[w] = a[w] & a[w ^ stride];
          any |= out[w];
        }
    }
  return any;
}

/* The lattice of all sets D of left-out inputs; F_D stands at lattice + D × n_words, so the array is 2^k × n_words
 * words, and live[D] says whether F_D has any bit.
 *
 * First loop: F_D follows from F of D without its lowest input. Counting upward meets that set before D. Second
 * loop: P_D removes from F_D whatever could leave out one input more; what remains are primes, each 2^|D| times,
 * once for every assignment of the inputs left out. The one where all of these are 0 stands for it (corner_word
 * within a word, the test of w across words).
 *
 * A prime that covers no assignment that must be covered is dropped again. Both loops do at most k operations on
 * n_words words for each of 2^k sets. Instantiated for 1 and 4 words (up to 6 inputs, and 8), where the compiler
 * unrolls the inner loops. */
static inline __attribute__ ((always_inline)) gboolean
add_primes (guint          fan_in,
            gsize          n_words,
            const guint64 *allowed,
            const guint64 *care,
            guint          max_terms,
            guint64       *lattice,
            guint8        *live,
            MtQmcTerms    *terms)
{
  guint32 all = (1u << fan_in) - 1;

  memcpy (lattice, allowed, n_words * sizeof (guint64));
  live[0] = TRUE;
  for (guint32 d = 1; d <= all; d++)
    {
      guint32 below = d & (d - 1);

      /* A set that left nothing stays empty when it grows. */
      live[d] = live[below] && drop_input (lattice + below * n_words, n_words,
                                           (guint) __builtin_ctz (d), lattice + d * n_words) != 0;
    }

  for (guint32 d = 0; d <= all; d++)
    {
      guint64 larger[MT_TRUTH_TABLE_MAX_WORDS >> (MT_TRUTH_TABLE_MAX_FAN_IN - MT_QMC_LATTICE_FAN_IN)];
      MtCube corner = { d, 0 };
      guint64 corner_word;

      if (!live[d])
        continue;
      memset (larger, 0, n_words * sizeof (guint64));
      for (guint32 rest = all & ~d; rest != 0; rest &= rest - 1)
        {
          guint32 above = d | (rest & -rest);

          if (live[above])
            for (gsize w = 0; w < n_words; w++)
              larger[w] |= lattice[above * n_words + w];
        }
      corner_word = mt_qmc_cube_word (fan_in, &corner);
      for (gsize w = 0; w < n_words; w++)
        {
          guint64 primes;

          if ((w & (d >> 6)) != 0)
            continue;
          primes = lattice[d * n_words + w] & ~larger[w] & corner_word;
          for (; primes != 0; primes &= primes - 1)
            {
              MtCube cube = { all & ~d, (guint32) (w << 6 | (guint) __builtin_ctzll (primes)) };
              guint64 word = mt_qmc_cube_word (fan_in, &cube), any = 0;
              guint32 mask = cube.mask >> 6, value = cube.value >> 6;
              guint64 *rows;

              if (terms->n_cubes == max_terms)
                return FALSE;
              rows = mt_qmc_terms_add (terms, &(MtXorCube) { cube.mask, cube.value, 0, 0 });
              for (gsize r = 0; r < n_words; r++)
                {
                  rows[r] = (r & mask) == value ? word & care[r] : 0;
                  any |= rows[r];
                }
              if (any == 0)
                terms->n_cubes--;
            }
        }
    }
  return TRUE;
}

/* Up to 8 inputs the lattice is on the stack: 256 × 4 words, 8 kB. Rules have few inputs and are minimized often,
 * so the allocation would be noticed. */
gboolean
mt_qmc_add_primes (guint          fan_in,
                   const guint64 *allowed,
                   const guint64 *care,
                   guint          max_terms,
                   MtQmcTerms    *terms)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  gsize n_sets = (gsize) 1 << fan_in;
  guint64 few[256 * 4];
  guint8 few_live[256];
  g_autofree guint64 *many = NULL;
  g_autofree guint8 *many_live = NULL;
  guint64 *lattice = few;
  guint8 *live = few_live;

  g_assert (fan_in <= MT_QMC_LATTICE_FAN_IN);

  if (fan_in > 8)
    {
      lattice = many = g_new (guint64, n_sets * n_words);
      live = many_live = g_new (guint8, n_sets);
    }
  switch (n_words)
    {
    case 1:
      return add_primes (fan_in, 1, allowed, care, max_terms, lattice, live, terms);
    case 4:
      return add_primes (fan_in, 4, allowed, care, max_terms, lattice, live, terms);
    default:
      return add_primes (fan_in, n_words, allowed, care, max_terms, lattice, live, terms);
    }
}

/* Whether @table falls nowhere (rises nowhere) as @input goes from false to true. Both halves of
 * the table are laid over each other: a bit that is set only in the lower half is a fall, one only
 * in the upper half a rise. Inside a word the upper half is shifted down, above it is another word. */
static void
input_sense (guint          fan_in,
             const guint64 *table,
             guint          input,
             gboolean      *never_falls,
             gboolean      *never_rises)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  guint64 falls = 0, rises = 0;

  for (gsize w = 0; w < n_words; w++)
    {
      guint64 when_false, when_true;

      if (input < 6)
        {
          when_false = table[w] & ~mt_truth_table_inputs[input];
          when_true = (table[w] & mt_truth_table_inputs[input]) >> (1u << input);
        }
      else
        {
          gsize stride = (gsize) 1 << (input - 6);

          if ((w & stride) != 0)
            continue;
          when_false = table[w];
          when_true = table[w | stride];
        }
      falls |= when_false & ~when_true;
      rises |= when_true & ~when_false;
    }
  *never_falls = falls == 0;
  *never_rises = rises == 0;
}

/* For a table that only rises or only falls in each input (unate). Turned so that it only rises, its primes are
 * the smallest true assignments: the literals of a prime are exactly the inputs that are on in its smallest
 * assignment, and each smallest assignment is covered by its own prime alone. So all primes are essential, and the
 * set of all primes is the only irredundant cover. That needs no search and holds for any number of inputs. */
gboolean
mt_qmc_unate (guint          fan_in,
              const guint64 *table,
              GArray        *cubes)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  guint64 *lower = g_newa (guint64, n_words);
  guint32 negated = 0;

  for (guint i = 0; i < fan_in; i++)
    {
      gboolean never_falls, never_rises;

      input_sense (fan_in, table, i, &never_falls, &never_rises);
      if (!never_falls && !never_rises)
        return FALSE;
      if (!never_falls)
        negated |= 1u << i;
    }

  /* Call an input on when it is at its helpful value. A true assignment is a prime's corner iff
   * turning any of its on inputs off makes it false; the prime's literals are those inputs. */
  mt_truth_table_fill (fan_in, FALSE, lower);
  for (guint i = 0; i < fan_in; i++)
    {
      gboolean negative = (negated >> i) & 1;

      if (i < 6)
        {
          guint shift = 1u << i;
          guint64 mask = mt_truth_table_inputs[i];

          for (gsize w = 0; w < n_words; w++)
            lower[w] |= negative ? (table[w] & mask) >> shift : (table[w] & ~mask) << shift;
        }
      else
        {
          gsize stride = (gsize) 1 << (i - 6);

          for (gsize w = 0; w < n_words; w++)
            if (((w & stride) != 0) != negative)
              lower[w] |= table[w ^ stride];
        }
    }
  for (gsize w = 0; w < n_words; w++)
    for (guint64 corners = table[w] & ~lower[w]; corners != 0; corners &= corners - 1)
      {
        guint32 corner = (guint32) (w << 6 | (guint) __builtin_ctzll (corners));
        MtCube cube = { corner ^ negated, 0 };

        cube.value = corner & cube.mask;
        g_array_append_val (cubes, cube);
      }
  return TRUE;
}
