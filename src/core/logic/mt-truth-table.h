/* Truth tables as words: kernels over pointers and counts, nothing allocated.
 *
 * A table over k inputs (k ≤ MT_TRUTH_TABLE_MAX_FAN_IN) holds 2^k bits in
 * mt_truth_table_n_words (k) = max (1, 2^k / 64) words. Bit v % 64 of word v / 64 is the
 * output for assignment v; input 0 is the lowest bit of v. Bits past 2^k are zero in every
 * table these functions write, and may be anything in none they read: keep them zero.
 *
 * So an input i < 6 moves bits inside a word by 2^i, an input i ≥ 6 moves words by 2^(i-6).
 * Sizes: 1 word up to 6 inputs, 4 at 8, 16 at 10, 1,024 at 16. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_TRUTH_TABLE_MAX_FAN_IN 16
#define MT_TRUTH_TABLE_MAX_WORDS  1024

/* Bits at which input i < 6 is true. */
extern const guint64 mt_truth_table_inputs[6];

static inline gsize
mt_truth_table_n_words (guint fan_in)
{
  return fan_in <= 6 ? 1 : (gsize) 1 << (fan_in - 6);
}

/* The bits of a table's last word that are assignments. */
static inline guint64
mt_truth_table_last_mask (guint fan_in)
{
  return fan_in >= 6 ? ~(guint64) 0 : ((guint64) 1 << (1u << fan_in)) - 1;
}

static inline gboolean
mt_truth_table_get (const guint64 *table,
                    guint32        assignment)
{
  return (table[assignment >> 6] >> (assignment & 63)) & 1;
}

static inline void
mt_truth_table_set (guint64  *table,
                    guint32   assignment,
                    gboolean  value)
{
  guint64 bit = (guint64) 1 << (assignment & 63);

  if (value)
    table[assignment >> 6] |= bit;
  else
    table[assignment >> 6] &= ~bit;
}

/* Whole tables; @out may be an argument itself. */
void     mt_truth_table_fill     (guint fan_in, gboolean value, guint64 *out);
void     mt_truth_table_copy     (guint fan_in, const guint64 *a, guint64 *out);
void     mt_truth_table_not      (guint fan_in, const guint64 *a, guint64 *out);
void     mt_truth_table_and      (guint fan_in, const guint64 *a, const guint64 *b, guint64 *out);
void     mt_truth_table_and_not  (guint fan_in, const guint64 *a, const guint64 *b, guint64 *out);
void     mt_truth_table_or       (guint fan_in, const guint64 *a, const guint64 *b, guint64 *out);
void     mt_truth_table_xor      (guint fan_in, const guint64 *a, const guint64 *b, guint64 *out);
/* The input itself as a table. */
void     mt_truth_table_input    (guint fan_in, guint input, guint64 *out);

gboolean mt_truth_table_equal    (guint fan_in, const guint64 *a, const guint64 *b);
gboolean mt_truth_table_implies  (guint fan_in, const guint64 *a, const guint64 *b);
gboolean mt_truth_table_is_false (guint fan_in, const guint64 *a);
gboolean mt_truth_table_is_true  (guint fan_in, const guint64 *a);
guint    mt_truth_table_count    (guint fan_in, const guint64 *a);

/* A linear node: true iff bias + Σ weights[i] over the true inputs, added in double in the
 * order of the inputs, is > 0. A sum that is not a number is not > 0. */
void     mt_truth_table_from_weights (guint          fan_in,
                                      const double  *weights,
                                      double         bias,
                                      guint64       *out);

/* Inputs. Bit i of the support is set iff the output depends on input i. */
guint32  mt_truth_table_support  (guint fan_in, const guint64 *a);
/* @out has the same inputs and no longer depends on @input; it may be @a. */
void     mt_truth_table_cofactor (guint fan_in, const guint64 *a, guint input, gboolean value, guint64 *out);
/* @out has the same inputs, with @input negated; it may be @a. */
void     mt_truth_table_flip     (guint fan_in, const guint64 *a, guint input, guint64 *out);
/* @out has fan_in - 1 inputs: those above @input move down by one; it may be @a. */
void     mt_truth_table_remove   (guint fan_in, const guint64 *a, guint input, gboolean value, guint64 *out);
/* Input i of @out is input order[i] of @a (a permutation of 0 … fan_in-1); @out must not be @a. */
void     mt_truth_table_permute  (guint fan_in, const guint64 *a, const guint8 *order, guint64 *out);

/* Rows: planes[i] holds input i of 64 rows a word, row r is bit r % 64 of word r / 64. */
void     mt_truth_table_evaluate (guint                  fan_in,
                                  const guint64         *a,
                                  const guint64 * const *planes,
                                  gsize                  n_words,
                                  guint64               *out);

/* Text: hexadecimal digits, most significant first; bit v of the number is assignment v.
 * Leading zeros may be missing; an optional 0x is read. */
gboolean mt_truth_table_parse    (guint fan_in, const char *hex, guint64 *out, GError **error);
char    *mt_truth_table_dup_hex  (guint fan_in, const guint64 *a);

G_END_DECLS
