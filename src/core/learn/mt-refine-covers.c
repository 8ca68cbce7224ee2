/* Tables of rules minimized within the constraints, each once: the same ones come up again
 * and again.
 *
 * Elimination asks for the shortest formula of many thousands of tables, most of them over
 * two to five inputs, and most of them seen before: a conjunction of three inputs is the
 * same table whatever its literals are. So covers are kept in a hash table for the run, by
 * table and don't-cares; they are about places 0 … k − 1, not about literals. Constraints
 * change only which don't-cares the minimizer may use, so they are part of the key by what
 * they leave.
 *
 * A table of up to six inputs is one word, and the key three numbers. Larger ones are not
 * looked up again. */
#include "config.h"
#include "mt-refine-private.h"

#include <string.h>

#include "logic/mt-qmc.h"

/* The key of a minimized table is the table without its don't-cares, the don't-cares, and the number of inputs:
 * one word each up to six inputs. */
static guint
cached_hash (gconstpointer key)
{
  const MtRefineCover *c = key;
  guint64 h = (c->on * 0x9e3779b97f4a7c15ull ^ c->dc) * 0xd6e8feb86659fd93ull + c->n_inputs;

  return (guint) (h >> 32);
}

static gboolean
cached_equal (gconstpointer a,
              gconstpointer b)
{
  const MtRefineCover *p = a, *q = b;

  return p->on == q->on && p->dc == q->dc && p->n_inputs == q->n_inputs;
}

static void
cached_free (gpointer data)
{
  MtRefineCover *c = data;

  g_free (c->cubes);
  g_free (c);
}

GHashTable *
mt_refine_covers_new (void)
{
  return g_hash_table_new_full (cached_hash, cached_equal, cached_free, NULL);
}

/* Every true assignment by itself: for a run that was canceled, where it will not be read. */
static void
take_as_it_is (guint             n_inputs,
               const MtBits256 *on,
               const MtBits256 *dc,
               MtCover          *cover)
{
  cover->cubes = g_new (MtCube, (gsize) 1 << n_inputs);
  for (guint32 v = 0; v < 1u << n_inputs; v++)
    if (mt_truth_table_get (on->words, v) && !mt_truth_table_get (dc->words, v))
      cover->cubes[cover->n_cubes++] = (MtCube) { .mask = (1u << n_inputs) - 1, .value = v };
}

/* The caller frees nothing: covers live as long as the memory. Tables of more than six inputs
 * are rare and go into the memory under no key, so they are freed with it too. */
static const MtRefineCover *
minimise (MtRefine         *self,
          guint             n_inputs,
          const MtBits256 *on,
          const MtBits256 *dc)
{
  MtRefineCover key = { on->words[0] & ~dc->words[0], dc->words[0], n_inputs, 0, FALSE, NULL };
  MtRefineCover *entry;
  const MtQmcOptions options = { .cancellable = self->cancellable };
  MtCover cover = { 0 };

  if (n_inputs > 6)
    {
      /* A key of its own: the counter in n_inputs never meets a real number of inputs. */
      key.n_inputs = 1000 + g_hash_table_size (self->covers);
    }
  else if ((entry = g_hash_table_lookup (self->covers, &key)) != NULL)
    return entry;
  entry = g_memdup2 (&key, sizeof key);
  if (!mt_qmc_minimize (n_inputs, on->words, dc->words, &options, &cover))
    take_as_it_is (n_inputs, on, dc, &cover);
  entry->n_cubes = cover.n_cubes;
  entry->proven = cover.proven;
  entry->cubes = g_memdup2 (cover.cubes, cover.n_cubes * sizeof (MtCube));
  mt_cover_clear (&cover);
  g_hash_table_add (self->covers, entry);
  return entry;
}

/* Within the constraints, for a weight of this sign. NULL: @on breaks them. */
const MtRefineCover *
mt_refine_minimise (MtRefine         *self,
                    const guint      *inputs,
                    guint             n_inputs,
                    int               sign,
                    const MtBits256 *on,
                    const MtBits256 *dc)
{
  MtBits256 freedom = *dc;

  if (!mt_refine_limit_freedom (self, inputs, n_inputs, sign, on, &freedom))
    return NULL;
  return minimise (self, n_inputs, on, &freedom);
}

/* No cube is always false; a cube without literals is always true. Neither is a rule. */
gboolean
mt_refine_cover_is_constant (const MtRefineCover *cover)
{
  return cover->n_cubes == 0 || cover->cubes[0].mask == 0;
}

guint
mt_refine_cover_literals (const MtRefineCover *cover)
{
  guint n = 0;

  for (guint c = 0; c < cover->n_cubes; c++)
    n += (guint) __builtin_popcount (cover->cubes[c].mask);
  return n;
}

/* --- don't-cares --- */

/* Which assignments no row can have: those for which some group has no fitting code.
 *
 * For the inputs Age ≥ 30 and Age ≥ 50, the codes of the column give 00, 10 and 11, so 01
 * fits none; with a third input of another column, both patterns with 01 are impossible.
 * Inputs of one column are neighbors, since inputs ascend, so each column is one run of
 * bits. The same question is answered by mt_encoder_impossible(); this one needs no
 * encoder, and is asked for every candidate. */
static void
find_impossible (const MtRefine *self,
                 const guint    *inputs,
                 guint           n_inputs,
                 MtBits256     *out)
{
  const MtGroup *groups = mt_encoded_get_groups (self->encoded);
  guint i = 0;

  memset (out, 0, sizeof *out);
  while (i < n_inputs)
    {
      guint g = mt_encoded_get_group_of (self->encoded, inputs[i]), first = i, n;
      gboolean fits[MT_MAX_PATTERNS] = { FALSE };

      while (i < n_inputs && mt_encoded_get_group_of (self->encoded, inputs[i]) == g)
        i++;
      n = i - first;
      if (n < 2)
        continue;
      for (guint code = 0; code < mt_group_get_n_codes (&groups[g]); code++)
        {
          guint v = 0;

          for (guint k = 0; k < n; k++)
            v |= (guint) mt_group_literal_is_true (&groups[g], inputs[first + k] - groups[g].first_literal, code) << k;
          fits[v] = TRUE;
        }
      for (guint v = 0; v < 1u << n_inputs; v++)
        if (!fits[v >> first & ((1u << n) - 1)])
          mt_bits256_set (out, v);
    }
}

/* The two sets apart, and their union as the mode allows.
 *
 * "Unseen" depends on the rows, and on the inputs: with fewer inputs more patterns have
 * rows. */
void
mt_refine_find_dont_cares (const MtRefine *self,
                           const guint    *inputs,
                           guint           n_inputs,
                           const guint32  *counts,
                           MtBits256      sets[MT_N_DONT_CARES],
                           MtBits256     *all)
{
  memset (sets, 0, MT_N_DONT_CARES * sizeof *sets);
  memset (all, 0, sizeof *all);
  if (self->options->dont_care == MT_DONT_CARE_MODE_OFF)
    return;
  find_impossible (self, inputs, n_inputs, &sets[MT_DONT_CARE_IMPOSSIBLE]);
  if (self->options->dont_care == MT_DONT_CARE_MODE_UNSEEN)
    for (guint v = 0; v < 1u << n_inputs; v++)
      if (counts[v] == 0 && !mt_bits256_get (&sets[MT_DONT_CARE_IMPOSSIBLE], v))
        mt_bits256_set (&sets[MT_DONT_CARE_UNSEEN], v);
  for (guint w = 0; w < G_N_ELEMENTS (all->words); w++)
    all->words[w] = sets[MT_DONT_CARE_IMPOSSIBLE].words[w] | sets[MT_DONT_CARE_UNSEEN].words[w];
}
