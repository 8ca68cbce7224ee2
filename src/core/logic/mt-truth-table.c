/* See mt-truth-table.h for the representation.
 *
 * Every loop runs over words; inputs 0 … 5 are handled inside a word by shifting under
 * the masks of mt_truth_table_inputs, inputs from 6 on by pairing words. */
#include "config.h"
#include "mt-truth-table.h"

#include <string.h>

#include "base/mt-error.h"

const guint64 mt_truth_table_inputs[6] = {
  G_GUINT64_CONSTANT (0xaaaaaaaaaaaaaaaa), G_GUINT64_CONSTANT (0xcccccccccccccccc),
  G_GUINT64_CONSTANT (0xf0f0f0f0f0f0f0f0), G_GUINT64_CONSTANT (0xff00ff00ff00ff00),
  G_GUINT64_CONSTANT (0xffff0000ffff0000), G_GUINT64_CONSTANT (0xffffffff00000000),
};

/* The bits past the last assignment stay zero in all tables, here and below; comparisons and counts rely on it. */
void
mt_truth_table_fill (guint     fan_in,
                     gboolean  value,
                     guint64  *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    out[w] = value ? mt_truth_table_last_mask (fan_in) : 0;
}

void
mt_truth_table_copy (guint          fan_in,
                     const guint64 *a,
                     guint64       *out)
{
  memmove (out, a, mt_truth_table_n_words (fan_in) * sizeof (guint64));
}

void
mt_truth_table_not (guint          fan_in,
                    const guint64 *a,
                    guint64       *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    out[w] = ~a[w] & mt_truth_table_last_mask (fan_in);
}

void
mt_truth_table_and (guint          fan_in,
                    const guint64 *a,
                    const guint64 *b,
                    guint64       *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    out[w] = a[w] & b[w];
}

void
mt_truth_table_and_not (guint          fan_in,
                        const guint64 *a,
                        const guint64 *b,
                        guint64       *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    out[w] = a[w] & ~b[w];
}

void
mt_truth_table_or (guint          fan_in,
                   const guint64 *a,
                   const guint64 *b,
                   guint64       *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    out[w] = a[w] | b[w];
}

void
mt_truth_table_xor (guint          fan_in,
                    const guint64 *a,
                    const guint64 *b,
                    guint64       *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    out[w] = a[w] ^ b[w];
}

/* The table of a single input: in inputs 0 to 5 the same pattern in every word, above whole words of zeros and
 * ones. */
void
mt_truth_table_input (guint    fan_in,
                      guint    input,
                      guint64 *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    {
      if (input < 6)
        out[w] = mt_truth_table_inputs[input] & mt_truth_table_last_mask (fan_in);
      else
        out[w] = (w >> (input - 6)) & 1 ? ~(guint64) 0 : 0;
    }
}

gboolean
mt_truth_table_equal (guint          fan_in,
                      const guint64 *a,
                      const guint64 *b)
{
  return memcmp (a, b, mt_truth_table_n_words (fan_in) * sizeof (guint64)) == 0;
}

/* Is @b true wherever @a is? */
gboolean
mt_truth_table_implies (guint          fan_in,
                        const guint64 *a,
                        const guint64 *b)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    if ((a[w] & ~b[w]) != 0)
      return FALSE;
  return TRUE;
}

gboolean
mt_truth_table_is_false (guint          fan_in,
                         const guint64 *a)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    if (a[w] != 0)
      return FALSE;
  return TRUE;
}

gboolean
mt_truth_table_is_true (guint          fan_in,
                        const guint64 *a)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    if (a[w] != mt_truth_table_last_mask (fan_in))
      return FALSE;
  return TRUE;
}

guint
mt_truth_table_count (guint          fan_in,
                      const guint64 *a)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  guint count = 0;

  for (gsize w = 0; w < n_words; w++)
    count += (guint) __builtin_popcountll (a[w]);
  return count;
}

/* The table of a threshold function: true where bias + Σ weights of the true inputs is above 0. Sums are built by
 * one addition each from a smaller sum, inputs in ascending order, so that a sum is the same to the last bit as
 * where it is made row by row. */
void
mt_truth_table_from_weights (guint          fan_in,
                             const double  *weights,
                             double         bias,
                             guint64       *out)
{
  guint n_low = MIN (fan_in, 6);
  gsize n_words = mt_truth_table_n_words (fan_in);
  double low[64];

  /* low[v] is the sum over the inputs below 6, each built by one addition at its end, so
   * that the order of additions is that of the inputs for every assignment. */
  low[0] = bias;
  for (guint i = 0; i < n_low; i++)
    for (guint v = 0; v < 1u << i; v++)
      low[(1u << i) + v] = low[v] + weights[i];

  for (gsize w = 0; w < n_words; w++)
    {
      double sums[64];
      guint64 word = 0;

      memcpy (sums, low, sizeof (double) << n_low);
      for (guint i = 6; i < fan_in; i++)
        if ((w >> (i - 6)) & 1)
          for (guint v = 0; v < 64; v++)
            sums[v] += weights[i];
      for (guint v = 0; v < 1u << n_low; v++)
        word |= (guint64) (sums[v] > 0) << v;
      out[w] = word;
    }
}

/* Input i matters if some assignment with the input on and the one with it off have different values. Inside a
 * word the two are compared by shifting, above by pairing words. */
guint32
mt_truth_table_support (guint          fan_in,
                        const guint64 *a)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  guint32 support = 0;

  for (guint i = 0; i < fan_in; i++)
    {
      guint64 differ = 0;

      if (i < 6)
        for (gsize w = 0; w < n_words; w++)
          differ |= (a[w] ^ (a[w] << (1u << i))) & mt_truth_table_inputs[i] & mt_truth_table_last_mask (fan_in);
      else
        for (gsize w = 0; w < n_words; w++)
          differ |= a[w] ^ a[w & ~((gsize) 1 << (i - 6))];
      if (differ != 0)
        support |= 1u << i;
    }
  return support;
}

/* The table with one input held at @value, over all inputs still: the half with that value is copied over the
 * other half. */
void
mt_truth_table_cofactor (guint          fan_in,
                         const guint64 *a,
                         guint          input,
                         gboolean       value,
                         guint64       *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  if (input < 6)
    {
      guint shift = 1u << input;

      for (gsize w = 0; w < n_words; w++)
        {
          guint64 half = a[w] & (value ? mt_truth_table_inputs[input] : ~mt_truth_table_inputs[input]);

          out[w] = value ? half | half >> shift : half | half << shift;
        }
    }
  else
    {
      gsize stride = (gsize) 1 << (input - 6);

      /* Pairs, so that @out may be @a. */
      for (gsize w = 0; w < n_words; w++)
        if ((w & stride) == 0)
          {
            guint64 word = a[value ? w | stride : w];

            out[w] = word;
            out[w | stride] = word;
          }
    }
}

/* The table with the input's two values exchanged: the two halves change places. */
void
mt_truth_table_flip (guint          fan_in,
                     const guint64 *a,
                     guint          input,
                     guint64       *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  if (input < 6)
    {
      guint shift = 1u << input;
      guint64 mask = mt_truth_table_inputs[input];

      for (gsize w = 0; w < n_words; w++)
        out[w] = (a[w] & mask) >> shift | (a[w] & ~mask) << shift;
    }
  else
    {
      gsize stride = (gsize) 1 << (input - 6);

      for (gsize w = 0; w < n_words; w++)
        if ((w & stride) == 0)
          {
            guint64 word = a[w];

            out[w] = a[w | stride];
            out[w | stride] = word;
          }
    }
}

/* The bits of @word at which input @input is false, pushed together into the low half. For input 0
 * the bits 0, 2, 4, … 62 become the bits 0 … 31, in five steps: pairs of one bit, then of two,
 * four, eight and sixteen. For input 5 the low half is the answer as it is. */
static inline guint64
squeeze (guint64 word,
         guint   input)
{
  word &= ~mt_truth_table_inputs[input];
  for (guint i = input; i < 5; i++)
    {
      /* Blocks of 2^i bits at a stride of 2^(i+1): every second one joins its neighbor. */
      guint64 upper = word & mt_truth_table_inputs[i + 1];

      word = (word & ~mt_truth_table_inputs[i + 1]) | upper >> (1u << i);
    }
  return word;
}

/* The inverse: the low half of @word spread out, each bit at both values of @input. */
static inline guint64
spread (guint64 word,
        guint   input)
{
  word &= G_GUINT64_CONSTANT (0xffffffff);
  for (guint i = 5; i > input; i--)
    {
      /* In each block of 2^i live bits the upper half moves up by 2^(i-1). */
      guint64 upper = word & (mt_truth_table_inputs[i - 1] & ~mt_truth_table_inputs[i]);

      word = (word ^ upper) | upper << (1u << (i - 1));
    }
  return word | word << (1u << input);
}

/* As cofactor, but without the input: half as many entries. Inside a word the bits that are kept lie apart and are
 * pushed together; two words then make one. @out may be @a, since what is written lies behind what is read. */
void
mt_truth_table_remove (guint          fan_in,
                       const guint64 *a,
                       guint          input,
                       gboolean       value,
                       guint64       *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  if (input >= 6)
    {
      gsize stride = (gsize) 1 << (input - 6);
      gsize n_out = 0;

      for (gsize w = 0; w < n_words; w++)
        if (((w & stride) != 0) == (value != 0))
          out[n_out++] = a[w];
    }
  else
    {
      guint shift = value ? 1u << input : 0;

      if (n_words == 1)
        out[0] = squeeze (a[0] >> shift, input) & mt_truth_table_last_mask (fan_in - 1);
      else
        for (gsize w = 0; w < n_words; w += 2)
          {
            guint64 low = squeeze (a[w] >> shift, input);

            out[w / 2] = low | squeeze (a[w + 1] >> shift, input) << 32;
          }
    }
}

/* Input i of @out is input order[i] of @a. Entry by entry, since a permutation of bits has no simple form; the low
 * inputs' part of the address comes from a small table. */
void
mt_truth_table_permute (guint          fan_in,
                        const guint64 *a,
                        const guint8  *order,
                        guint64       *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  guint n_low = MIN (fan_in, 6);
  guint32 low[64];

  /* low[v]: where the six low inputs of @out put assignment v in @a. */
  low[0] = 0;
  for (guint i = 0; i < n_low; i++)
    for (guint v = 0; v < 1u << i; v++)
      low[(1u << i) + v] = low[v] | 1u << order[i];

  for (gsize w = 0; w < n_words; w++)
    {
      guint32 high = 0;
      guint64 word = 0;

      for (guint i = 6; i < fan_in; i++)
        if ((w >> (i - 6)) & 1)
          high |= 1u << order[i];
      for (guint v = 0; v < 1u << n_low; v++)
        word |= (guint64) mt_truth_table_get (a, high | low[v]) << v;
      out[w] = word;
    }
}

/* Words evaluated side by side: wide enough for the compiler to use whatever vectors it has. */
#define BLOCK 8

typedef struct {
  guint64 w[BLOCK];
} Block;

static inline void
load_block (const guint64 *plane,
            gsize          n,
            Block         *block)
{
  if (n == BLOCK)
    memcpy (block->w, plane, sizeof block->w);
  else
    {
      memset (block->w, 0, sizeof block->w);
      memcpy (block->w, plane, n * sizeof (guint64));
    }
}

/* A mux tree walked from its leaves like a binary counter: pair number p of neighboring
 * assignments gives a block from input 0 alone, and joins the finished blocks below it
 * through inputs 1, 2, … as often as p ends in ones. So k blocks are kept, not 2^k. */
void
mt_truth_table_evaluate (guint                  fan_in,
                         const guint64         *a,
                         const guint64 * const *planes,
                         gsize                  n_words,
                         guint64               *out)
{
  if (fan_in == 0)
    {
      for (gsize w = 0; w < n_words; w++)
        out[w] = a[0] & 1 ? ~(guint64) 0 : 0;
      return;
    }

  for (gsize first = 0; first < n_words; first += BLOCK)
    {
      gsize n = MIN (n_words - first, BLOCK);
      Block inputs[MT_TRUTH_TABLE_MAX_FAN_IN];
      Block kept[MT_TRUTH_TABLE_MAX_FAN_IN];
      Block now;

      for (guint i = 0; i < fan_in; i++)
        load_block (planes[i] + first, n, &inputs[i]);
      for (guint32 pair = 0; pair < 1u << (fan_in - 1); pair++)
        {
          guint two = (guint) (a[pair >> 5] >> (2 * (pair & 31))) & 3;
          guint64 when_false = two & 1 ? ~(guint64) 0 : 0;
          guint64 differ = two == 1 || two == 2 ? ~(guint64) 0 : 0;
          guint level = 0;

          for (guint b = 0; b < BLOCK; b++)
            now.w[b] = when_false ^ (inputs[0].w[b] & differ);
          for (; (pair >> level) & 1; level++)
            for (guint b = 0; b < BLOCK; b++)
              now.w[b] = kept[level].w[b] ^ ((kept[level].w[b] ^ now.w[b]) & inputs[level + 1].w[b]);
          kept[level] = now;
        }
      memcpy (out + first, now.w, n * sizeof (guint64));
    }
}

/* Digit d from the end holds the assignments 4 d … 4 d + 3, so 16 digits make a word. Leading zeros
 * may be missing or too many; a bit beyond the last assignment is an error, since it would be lost. */
gboolean
mt_truth_table_parse (guint        fan_in,
                      const char  *hex,
                      guint64     *out,
                      GError     **error)
{
  const char *digits = hex;
  gsize n_digits, n_bits = (gsize) 1 << fan_in;

  g_return_val_if_fail (fan_in <= MT_TRUTH_TABLE_MAX_FAN_IN, FALSE);
  g_return_val_if_fail (hex != NULL && out != NULL, FALSE);

  if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
    digits += 2;
  n_digits = strspn (digits, "0123456789abcdefABCDEF");
  if (n_digits == 0 || digits[n_digits] != '\0')
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE,
                           digits[0] == '\0' ? "a truth table needs at least one hexadecimal digit"
                                             : "a truth table must contain only hexadecimal digits");
      return FALSE;
    }

  mt_truth_table_fill (fan_in, FALSE, out);
  for (gsize d = 0; d < n_digits; d++)
    {
      guint64 digit = (guint64) g_ascii_xdigit_value (digits[n_digits - 1 - d]);

      if (digit == 0)
        continue;
      if (4 * d >= n_bits || (n_bits < 4 && digit >> n_bits != 0))
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                       "the truth table has bits beyond its %" G_GSIZE_FORMAT " assignments", n_bits);
          return FALSE;
        }
      out[d / 16] |= digit << (4 * (d % 16));
    }
  return TRUE;
}

/* Always with all its digits, 2^k / 4 of them and at least one, so equal tables give equal text.
 * The OR of two inputs (assignments 1, 2 and 3) is "e". */
char *
mt_truth_table_dup_hex (guint          fan_in,
                        const guint64 *a)
{
  gsize n_digits;
  char *text;

  g_return_val_if_fail (fan_in <= MT_TRUTH_TABLE_MAX_FAN_IN, NULL);
  g_return_val_if_fail (a != NULL, NULL);

  n_digits = fan_in < 2 ? 1 : (gsize) 1 << (fan_in - 2);
  text = g_malloc (n_digits + 1);
  for (gsize d = 0; d < n_digits; d++)
    text[n_digits - 1 - d] = "0123456789abcdef"[(a[d / 16] >> (4 * (d % 16))) & 15];
  text[n_digits] = '\0';
  return text;
}
