/* Rows as bits: what the encoder gives and the learner, the rules and the GPU read. See mt-encoded.h. */
#include "config.h"
#include "mt-encoded.h"

#include "base/mt-error.h"
#include "base/mt-large.h"

#include <string.h>

/* All arrays are allocated once and never change afterwards, so threads read them without locks.
 * Only numeric_groups may be set once more, before the object is shared.
 *
 * Memory for each row: n_groups bytes of codes, n_literals bits of planes, 8 × n_numeric bytes of
 * numbers. 30 columns with 300 literals and 10 numbers take 30 + 38 + 80 = 148 bytes a row. */
struct _MtEncoded {
  gatomicrefcount  ref_count;
  gsize            n_rows;
  gsize            n_words;
  guint            n_groups;
  guint            n_literals;
  guint            n_numeric;
  MtGroup         *groups;
  guint           *group_of;   /* per literal */
  guint8          *codes;      /* n_groups × n_rows */
  guint64         *planes;     /* n_literals × n_words */
  double          *numeric;    /* n_numeric × n_rows */
  const MtEncoded *numeric_of; /* whose these are; NULL: its own */
  guint           *numeric_groups;   /* n_numeric; NULL: each is a number of its own */
};

/* The one definition of what a code means. A literal of a one-hot group, and the missing literal of
 * either kind, is true under exactly one code, its number plus one. The threshold literal i is true
 * under the codes i + 1 … b, where b is the number of thresholds; under b + 1, the code of a
 * missing cell, no threshold is reached. */
gboolean
mt_group_literal_is_true (const MtGroup *group,
                          guint          literal,
                          guint          code)
{
  guint n_thresholds = group->n_literals - (group->has_missing ? 1 : 0);

  if (group->kind == MT_GROUP_ONE_HOT || literal >= n_thresholds)
    return code == literal + 1;
  return literal < code && code <= n_thresholds;
}

/* Sets bit r of @plane where codes[r] makes the literal true. The answer of a literal depends on the code alone,
 * so a table of at most 255 answers is made first and each row is one lookup; 64 rows are gathered in a register
 * before the word is stored. Bits past n_rows stay zero: the last word is only filled as far as there are rows. */
static void
fill_plane (guint64       *plane,
            const MtGroup *group,
            guint          literal,
            const guint8  *codes,
            gsize          n_rows)
{
  guint8 truth[256] = { 0 };

  for (guint code = 0; code < mt_group_get_n_codes (group); code++)
    truth[code] = mt_group_literal_is_true (group, literal, code) ? 1 : 0;
  for (gsize row = 0; row < n_rows; row += 64)
    {
      gsize n = MIN (64, n_rows - row);
      guint64 word = 0;

      for (gsize i = 0; i < n; i++)
        word |= (guint64) truth[codes[row + i]] << i;
      plane[row / 64] = word;
    }
}

/* Copies both arrays. Not enough memory ends the program, so this is for data of a known small
 * size; mt_encoded_new_take() reports it as an error. */
MtEncoded *
mt_encoded_new (const MtGroup *groups,
                guint          n_groups,
                const guint8  *codes,
                const double  *numeric,
                guint          n_numeric,
                gsize          n_rows)
{
  g_autoptr (GError) error = NULL;
  MtEncoded *self = mt_encoded_new_take (groups, n_groups, g_memdup2 (codes, n_groups * n_rows),
                                         g_memdup2 (numeric, n_numeric * n_rows * sizeof (double)), n_numeric,
                                         n_rows, NULL, &error);

  if (self == NULL)
    g_error ("%s", error->message);
  return self;
}

/* n_literals × n_words words of zeros, aligned to 64 bytes, so that eight words (512 rows) are one vector
 * register. This is by far the largest array of a training: 2,000 literals of a million rows are 250 MB. The
 * product is checked before it is allocated, and a failure is an error for the user, not the end of the program. */
static guint64 *
new_planes (guint    n_literals,
            gsize    n_words,
            GError **error)
{
  gsize n_bytes;
  guint64 *planes = NULL;

  if (g_size_checked_mul (&n_bytes, MAX (n_literals, 1), MAX (n_words, 8) * sizeof (guint64)))
    planes = mt_large_new0 (n_bytes);
  else
    n_bytes = G_MAXSIZE;
  if (planes == NULL)
    g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                 "Not enough memory: the conditions of the data need %" G_GSIZE_FORMAT
                 " MB. Close other programs, use fewer bits, or ignore columns",
                 n_bytes / 1000000 + 1);
  return planes;
}

/* n_words is rounded up to 8 (512 rows), and at least 8 are allocated for a plane. The groups must be given in
 * order, each beginning where the one before ends; the codes are checked against them once, here, so no reader needs
 * to check them later. That costs one pass over n_groups × n_rows bytes, little compared with the planes. */
static MtEncoded *
new_take (const MtGroup   *groups,
          guint            n_groups,
          guint8          *codes,
          double          *numeric,
          const MtEncoded *numeric_of,
          guint            n_numeric,
          gsize            n_rows,
          GCancellable    *cancellable,
          GError         **error)
{
  g_autoptr (MtEncoded) self = g_new0 (MtEncoded, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->n_rows = n_rows;
  self->n_words = ((n_rows + 511) / 512) * 8;
  self->n_groups = n_groups;
  self->groups = g_memdup2 (groups, n_groups * sizeof (MtGroup));
  self->codes = codes;
  self->n_numeric = n_numeric;
  self->numeric = numeric;
  self->numeric_of = numeric_of != NULL ? mt_encoded_ref ((MtEncoded *) numeric_of) : NULL;
  for (guint g = 0; g < n_groups; g++)
    {
      g_assert (groups[g].first_literal == self->n_literals);
      g_assert (groups[g].n_literals >= 1 && groups[g].n_literals <= MT_GROUP_MAX_LITERALS);
      self->n_literals += groups[g].n_literals;
    }
  self->group_of = g_new (guint, MAX (self->n_literals, 1));
  for (guint g = 0; g < n_groups; g++)
    for (guint i = 0; i < groups[g].n_literals; i++)
      self->group_of[groups[g].first_literal + i] = g;
  for (guint g = 0; g < n_groups; g++)
    for (gsize r = 0; r < n_rows; r++)
      g_assert (codes[g * n_rows + r] < mt_group_get_n_codes (&groups[g]));

  self->planes = new_planes (self->n_literals, self->n_words, error);
  if (self->planes == NULL)
    return NULL;
  for (guint g = 0; g < n_groups && !g_cancellable_is_cancelled (cancellable); g++)
    for (guint i = 0; i < groups[g].n_literals; i++)
      fill_plane (self->planes + (groups[g].first_literal + i) * self->n_words,
                  &groups[g], i, self->codes + g * n_rows, n_rows);
  return g_cancellable_set_error_if_cancelled (cancellable, error) ? NULL : g_steal_pointer (&self);
}

MtEncoded *
mt_encoded_new_take (const MtGroup *groups,
                     guint          n_groups,
                     guint8        *codes,
                     double        *numeric,
                     guint          n_numeric,
                     gsize          n_rows,
                     GCancellable  *cancellable,
                     GError       **error)
{
  return new_take (groups, n_groups, codes, numeric, NULL, n_numeric, n_rows, cancellable, error);
}

/* The numbers of a row are the larger part of its bytes: 16 numeric columns in two shapes are 256. */
MtEncoded *
mt_encoded_new_sharing (const MtEncoded *of,
                        const MtGroup   *groups,
                        guint            n_groups,
                        guint8          *codes,
                        GCancellable    *cancellable,
                        GError         **error)
{
  MtEncoded *self = new_take (groups, n_groups, codes, of->numeric, of, of->n_numeric, of->n_rows, cancellable, error);

  if (self != NULL)
    mt_encoded_copy_numeric_groups (self, of);
  return self;
}

MtEncoded *
mt_encoded_ref (MtEncoded *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_encoded_unref (MtEncoded *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->groups);
  g_free (self->group_of);
  mt_large_free (self->codes);
  if (self->numeric_of != NULL)
    mt_encoded_unref ((MtEncoded *) self->numeric_of);
  else
    mt_large_free (self->numeric);
  g_free (self->numeric_groups);
  mt_large_free (self->planes);
  g_free (self);
}

/* A row may occur more than once: a bootstrap sample is drawn this way. The codes and numbers are
 * gathered group by group, so each pass writes one array from its start to its end. The planes are
 * made again from the codes; picking bits row by row from the old planes would be slower. The
 * result shares nothing with @self. */
MtEncoded *
mt_encoded_take_rows (const MtEncoded *self,
                      const guint32   *rows,
                      gsize            n_rows)
{
  guint8 *codes = mt_large_need0 (self->n_groups * n_rows);
  double *numeric = mt_large_need0 (self->n_numeric * n_rows * sizeof (double));
  g_autoptr (GError) error = NULL;
  MtEncoded *taken;

  for (guint g = 0; g < self->n_groups; g++)
    for (gsize i = 0; i < n_rows; i++)
      codes[g * n_rows + i] = self->codes[g * self->n_rows + rows[i]];
  for (guint u = 0; u < self->n_numeric; u++)
    for (gsize i = 0; i < n_rows; i++)
      numeric[u * n_rows + i] = self->numeric[u * self->n_rows + rows[i]];
  taken = mt_encoded_new_take (self->groups, self->n_groups, codes, numeric, self->n_numeric, n_rows, NULL, &error);
  if (taken == NULL)
    g_error ("%s", error->message);
  mt_encoded_set_numeric_groups (taken, self->numeric_groups);
  return taken;
}

/* An example: Age is offered plain, as a logarithm and clipped, Income only plain. Then n_numeric
 * is 4 and the groups are 0 0 0 1: any numbers do, as long as equal ones stand together.
 * mt_encoded_is_plain() is then true of 0 and 3, the first of each number. */
void
mt_encoded_set_numeric_groups (MtEncoded   *self,
                               const guint *groups)
{
  g_free (self->numeric_groups);
  self->numeric_groups = g_memdup2 (groups, self->n_numeric * sizeof (guint));
}

void
mt_encoded_copy_numeric_groups (MtEncoded       *self,
                                const MtEncoded *from)
{
  mt_encoded_set_numeric_groups (self, from->numeric_groups);
}

gboolean
mt_encoded_is_same_number (const MtEncoded *self,
                           guint            a,
                           guint            b)
{
  return a == b || (self->numeric_groups != NULL && self->numeric_groups[a] == self->numeric_groups[b]);
}

gboolean
mt_encoded_is_plain (const MtEncoded *self,
                     guint            index)
{
  return index == 0 || !mt_encoded_is_same_number (self, index - 1, index);
}

gsize
mt_encoded_get_n_rows (const MtEncoded *self)
{
  return self->n_rows;
}

gsize
mt_encoded_get_n_words (const MtEncoded *self)
{
  return self->n_words;
}

guint
mt_encoded_get_n_literals (const MtEncoded *self)
{
  return self->n_literals;
}

guint
mt_encoded_get_n_groups (const MtEncoded *self)
{
  return self->n_groups;
}

const MtGroup *
mt_encoded_get_groups (const MtEncoded *self)
{
  return self->groups;
}

guint
mt_encoded_get_group_of (const MtEncoded *self,
                         guint            literal)
{
  g_return_val_if_fail (literal < self->n_literals, 0);
  return self->group_of[literal];
}

const guint8 *
mt_encoded_get_codes (const MtEncoded *self,
                      guint            group)
{
  g_return_val_if_fail (group < self->n_groups, NULL);
  return self->codes + group * self->n_rows;
}

const guint64 *
mt_encoded_get_plane (const MtEncoded *self,
                      guint            literal)
{
  g_return_val_if_fail (literal < self->n_literals, NULL);
  return self->planes + literal * self->n_words;
}

guint
mt_encoded_get_n_numeric (const MtEncoded *self)
{
  return self->n_numeric;
}

const double *
mt_encoded_get_numeric (const MtEncoded *self,
                        guint            index)
{
  g_return_val_if_fail (index < self->n_numeric, NULL);
  return self->numeric + index * self->n_rows;
}
