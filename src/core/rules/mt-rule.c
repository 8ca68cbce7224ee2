/* One rule: an OR of ANDs over a few literals, evaluated 64 rows at a time on bit planes. */
#include "config.h"
#include "mt-rules.h"

#include <string.h>

#include "base/mt-error.h"

/* inputs[] has the literals, ascending; everything else speaks of them by place: bit i of a cube or
 * of an assignment is inputs[i]. The table is 2^n_inputs bits and is made from the cubes, so the
 * two cannot disagree. A don't-care set that is empty is not stored.
 *
 * An example, "Age ≥ 55 and Color = red, or Income < 20000", with the literals 4 (Age ≥ 55), 9
 * (Income ≥ 20000) and 17 (Color = red): inputs 4, 9, 17; cubes { mask 101, value 101 } and { mask
 * 010, value 000 } in bits; table 1011 0011, assignment 7 first: 0, 1, 4 and 5 are true by the
 * income, 5 and 7 by age and color. */
struct _MtRule {
  gatomicrefcount  ref_count;
  guint            n_inputs;
  guint            n_cubes;
  guint            n_literals;
  gboolean         proven;
  guint           *inputs;
  MtCube          *cubes;
  guint64         *table;
  guint64         *dont_cares[MT_N_DONT_CARES];
  MtOrigin        *origin;       /* NULL: not recorded */
};

/* The truth table of input @input: 0101…, 0011…, and whole words from the seventh on. */
static guint64
input_word (guint input,
            gsize word)
{
  static const guint64 patterns[6] = {
    0xaaaaaaaaaaaaaaaaull, 0xccccccccccccccccull, 0xf0f0f0f0f0f0f0f0ull,
    0xff00ff00ff00ff00ull, 0xffff0000ffff0000ull, 0xffffffff00000000ull,
  };

  if (input < 6)
    return patterns[input];
  return (word >> (input - 6)) & 1 ? G_MAXUINT64 : 0;
}

/* The bits of the table's last word that are assignments. */
static guint64
table_mask (guint n_inputs)
{
  return n_inputs >= 6 ? G_MAXUINT64 : ((guint64) 1 << (1u << n_inputs)) - 1;
}

/* The truth table that the conjunctions stand for, 64 assignments at a time: a word is the AND of its literals'
 * words, and the table is the OR of the conjunctions. 2^n bits for n inputs. */
static guint64 *
cover_table (const MtCube *cubes,
             guint         n_cubes,
             guint         n_inputs)
{
  gsize n_words = mt_rule_table_words (n_inputs);
  guint64 *table = g_new0 (guint64, n_words);

  for (guint c = 0; c < n_cubes; c++)
    for (gsize w = 0; w < n_words; w++)
      {
        guint64 word = table_mask (n_inputs);

        for (guint i = 0; i < n_inputs; i++)
          if (cubes[c].mask >> i & 1)
            word &= cubes[c].value >> i & 1 ? input_word (i, w) : ~input_word (i, w);
        table[w] |= word;
      }
  return table;
}

static guint
count_bits (const guint64 *words,
            gsize          n_words)
{
  guint n = 0;

  for (gsize w = 0; w < n_words; w++)
    n += (guint) __builtin_popcountll (words[w]);
  return n;
}

/* Everything that must hold before the rule's table can be made.
 *
 * Inputs ascend strictly, so none occurs twice; every input is in some cube, so the number
 * of inputs is what the rule really needs. */
static gboolean
check_shape (const guint   *inputs,
             guint          n_inputs,
             const MtCube  *cubes,
             guint          n_cubes,
             GError       **error)
{
  guint all, used = 0;

  if (n_inputs < 1 || n_inputs > MT_RULE_MAX_INPUTS)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "a rule has 1 to %d inputs, not %u",
                   MT_RULE_MAX_INPUTS, n_inputs);
      return FALSE;
    }
  for (guint i = 1; i < n_inputs; i++)
    if (inputs[i] <= inputs[i - 1])
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                     "a rule's inputs must ascend: literal %u follows %u", inputs[i], inputs[i - 1]);
        return FALSE;
      }
  if (n_cubes < 1 || n_cubes > MT_RULE_MAX_CUBES)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "a rule has 1 to %d conjunctions, not %u",
                   MT_RULE_MAX_CUBES, n_cubes);
      return FALSE;
    }
  all = (1u << n_inputs) - 1;
  for (guint c = 0; c < n_cubes; c++)
    {
      if ((cubes[c].mask & ~all) != 0 || (cubes[c].value & ~cubes[c].mask) != 0)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                       "conjunction %u of a rule speaks of inputs that it does not have", c);
          return FALSE;
        }
      used |= cubes[c].mask;
    }
  if (used != all)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "a rule does not use its input %u",
                   (guint) __builtin_ctz (all & ~used));
      return FALSE;
    }
  return TRUE;
}

/* A rule that is always true is no rule: its weight belongs to the bias. The don't-care sets are disjoint, because
 * each says why an assignment is free, and there is one reason for each. */
static gboolean
check_tables (const MtRule  *self,
              GError       **error)
{
  gsize n_words = mt_rule_table_words (self->n_inputs);
  guint64 last = table_mask (self->n_inputs);

  if (count_bits (self->table, n_words) == 1u << self->n_inputs)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "a rule is true of every row");
      return FALSE;
    }
  for (guint a = 0; a < MT_N_DONT_CARES; a++)
    {
      if (self->dont_cares[a] != NULL && (self->dont_cares[a][n_words - 1] & ~last) != 0)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                       "a rule's don't-care set is longer than its table");
          return FALSE;
        }
      for (guint b = 0; b < a; b++)
        for (gsize w = 0; w < n_words; w++)
          if (self->dont_cares[a] != NULL && self->dont_cares[b] != NULL &&
              (self->dont_cares[a][w] & self->dont_cares[b][w]) != 0)
            {
              g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                           "an assignment of a rule is in two don't-care sets");
              return FALSE;
            }
    }
  return TRUE;
}

/* Checks everything, since rules also come from files. The arrays are copied. The table is made once here;
 * evaluation goes by the conjunctions. */
MtRule *
mt_rule_new (const guint    *inputs,
             guint           n_inputs,
             const MtCube   *cubes,
             guint           n_cubes,
             const guint64  *dont_cares[MT_N_DONT_CARES],
             gboolean        proven,
             GError        **error)
{
  g_autoptr (MtRule) self = NULL;
  gsize n_words;

  if (!check_shape (inputs, n_inputs, cubes, n_cubes, error))
    return NULL;
  n_words = mt_rule_table_words (n_inputs);
  self = g_new0 (MtRule, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->n_inputs = n_inputs;
  self->inputs = g_memdup2 (inputs, n_inputs * sizeof *inputs);
  self->n_cubes = n_cubes;
  self->cubes = g_memdup2 (cubes, n_cubes * sizeof *cubes);
  self->proven = proven != FALSE;
  for (guint c = 0; c < n_cubes; c++)
    self->n_literals += (guint) __builtin_popcount (cubes[c].mask);
  self->table = cover_table (cubes, n_cubes, n_inputs);
  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    if (dont_cares != NULL && dont_cares[d] != NULL && count_bits (dont_cares[d], n_words) > 0)
      self->dont_cares[d] = g_memdup2 (dont_cares[d], n_words * sizeof (guint64));
  if (!check_tables (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* A rule of a single literal or its negation. */
MtRule *
mt_rule_new_literal (guint    literal,
                     gboolean negated)
{
  MtCube cube = { 1, negated ? 0 : 1 };

  return mt_rule_new (&literal, 1, &cube, 1, NULL, TRUE, NULL);
}

MtRule *
mt_rule_ref (MtRule *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_rule_unref (MtRule *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    g_free (self->dont_cares[d]);
  mt_origin_unref (self->origin);
  g_free (self->inputs);
  g_free (self->cubes);
  g_free (self->table);
  g_free (self);
}

const MtOrigin *
mt_rule_get_origin (const MtRule *self)
{
  return self->origin;
}

/* Only while nothing else holds the rule: after that it is immutable. */
void
mt_rule_set_origin (MtRule         *self,
                    const MtOrigin *origin)
{
  MtOrigin *before = self->origin;

  g_return_if_fail (g_atomic_ref_count_compare (&self->ref_count, 1));
  self->origin = origin != NULL ? mt_origin_ref ((MtOrigin *) origin) : NULL;
  mt_origin_unref (before);
}

guint
mt_rule_get_n_inputs (const MtRule *self)
{
  return self->n_inputs;
}

const guint *
mt_rule_get_inputs (const MtRule *self)
{
  return self->inputs;
}

guint
mt_rule_get_n_cubes (const MtRule *self)
{
  return self->n_cubes;
}

const MtCube *
mt_rule_get_cubes (const MtRule *self)
{
  return self->cubes;
}

guint
mt_rule_get_n_literals (const MtRule *self)
{
  return self->n_literals;
}

gboolean
mt_rule_get_proven (const MtRule *self)
{
  return self->proven;
}

const guint64 *
mt_rule_get_table (const MtRule *self)
{
  return self->table;
}

const guint64 *
mt_rule_get_dont_care (const MtRule *self,
                       MtDontCare    reason)
{
  g_return_val_if_fail (reason < MT_N_DONT_CARES, NULL);
  return self->dont_cares[reason];
}

guint
mt_rule_count_dont_care (const MtRule *self,
                         MtDontCare    reason)
{
  g_return_val_if_fail (reason < MT_N_DONT_CARES, 0);
  if (self->dont_cares[reason] == NULL)
    return 0;
  return count_bits (self->dont_cares[reason], mt_rule_table_words (self->n_inputs));
}

/* Also the don't-care sets and whether the formula is proven shortest: two rules that are equal here are written
 * to the same bytes. */
gboolean
mt_rule_equal (const MtRule *a,
               const MtRule *b)
{
  gsize n_bytes = mt_rule_table_words (a->n_inputs) * sizeof (guint64);

  if (a->n_inputs != b->n_inputs || a->n_cubes != b->n_cubes || a->proven != b->proven ||
      memcmp (a->inputs, b->inputs, a->n_inputs * sizeof *a->inputs) != 0)
    return FALSE;
  for (guint c = 0; c < a->n_cubes; c++)
    if (a->cubes[c].mask != b->cubes[c].mask || a->cubes[c].value != b->cubes[c].value)
      return FALSE;
  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    if ((a->dont_cares[d] == NULL) != (b->dont_cares[d] == NULL) ||
        (a->dont_cares[d] != NULL && memcmp (a->dont_cares[d], b->dont_cares[d], n_bytes) != 0))
      return FALSE;
  return TRUE;
}

/* A negated literal is also true of the bits past the last row, so those are cut off last. */
static void
clear_tail (guint64 *out,
            gsize    first_word,
            gsize    n_words,
            gsize    n_rows)
{
  for (gsize w = MAX (n_rows / 64, first_word); w < first_word + n_words; w++)
    {
      gsize left = n_rows > w * 64 ? n_rows - w * 64 : 0;

      if (left < 64)
        out[w - first_word] &= ((guint64) 1 << left) - 1;
    }
}

/* An AND of planes for each cube, an OR over the cubes, 64 rows at a time; a negated literal is the
 * plane's complement. It never looks at the table. For a rule of 4 literals that is about 5
 * operations for 64 rows, so memory is the limit. Both ends may be in the middle of the data: words
 * first_word … first_word + n_words − 1. */
void
mt_rule_evaluate (const MtRule    *self,
                  const MtEncoded *encoded,
                  gsize            first_word,
                  gsize            n_words,
                  guint64         *out)
{
  const guint64 *planes[MT_RULE_MAX_INPUTS];

  g_return_if_fail (first_word + n_words <= mt_encoded_get_n_words (encoded));
  for (guint i = 0; i < self->n_inputs; i++)
    planes[i] = mt_encoded_get_plane (encoded, self->inputs[i]) + first_word;
  memset (out, 0, n_words * sizeof *out);
  /* Eight words of a cube at a time stay in registers across its literals. */
  for (guint c = 0; c < self->n_cubes; c++)
    for (gsize w = 0; w < n_words; w += 8)
      {
        gsize n = MIN (8, n_words - w);
        guint64 all[8];

        memset (all, 0xff, sizeof all);
        for (guint mask = self->cubes[c].mask; mask != 0; mask &= mask - 1)
          {
            guint i = (guint) __builtin_ctz (mask);
            guint64 flip = self->cubes[c].value >> i & 1 ? 0 : G_MAXUINT64;

            for (gsize k = 0; k < n; k++)
              all[k] &= planes[i][w + k] ^ flip;
          }
        for (gsize k = 0; k < n; k++)
          out[w + k] |= all[k];
      }
  clear_tail (out, first_word, n_words, mt_encoded_get_n_rows (encoded));
}
