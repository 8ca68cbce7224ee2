/* The model at hand: its terms and the head's columns in one order, and the fit within the constraints.
 *
 * self->terms and the columns of self->head have the same order at all times: each function
 * here changes both, and counts self->version up, by which the gains that a term remembers
 * become invalid. A term that is taken out is replaced by the last one in both. */
#include "config.h"
#include "mt-refine-private.h"

/* Are the columns equal in every row, or each other's opposite? An opposite is 1 − x, which the
 * weight of x and the bias say already.
 *
 * Comparing planes and not formulas: "Age ≥ 30" and "Age ≥ 31" are one column if nobody is
 * 30, and two columns that are equal in all rows would share one weight in any way they
 * like. */
static gboolean
tell_the_same (const guint64 *a,
               const guint64 *b,
               gsize          n_rows)
{
  guint64 differ = n_rows > 0 && ((a[0] ^ b[0]) & 1) ? ~G_GUINT64_CONSTANT (0) : 0;
  gsize n_whole = n_rows / 64;

  for (gsize w = 0; w < n_whole; w++)
    if ((a[w] ^ b[w]) != differ)
      return FALSE;
  return n_rows % 64 == 0 ||
         ((a[n_whole] ^ b[n_whole] ^ differ) & ((G_GUINT64_CONSTANT (1) << (n_rows % 64)) - 1)) == 0;
}

/* Is there another term with this column? @except: not counted.
 *
 * Costs terms × rows / 64 at worst; most planes differ in their first words. */
gboolean
mt_refine_has_column (const MtRefine     *self,
                      const MtRefineTerm *term,
                      const MtRefineTerm *except)
{
  for (guint t = 0; t < self->terms->len; t++)
    {
      const MtRefineTerm *other = mt_refine_get_term (self, t);

      if (other != except && other->rule != NULL && tell_the_same (other->plane, term->plane, self->n_rows))
        return TRUE;
    }
  return FALSE;
}

/* The new column has the weight 0; the caller refits. */
void
mt_refine_add_term (MtRefine     *self,
                    MtRefineTerm *term)
{
  self->version++;
  g_ptr_array_add (self->terms, term);
  mt_linear_fit_add (self->head, mt_refine_term_get_column (self, term));
}

MtRefineTerm *
mt_refine_take_term (MtRefine *self,
                     guint     index)
{
  self->version++;
  mt_linear_fit_remove (self->head, index);
  return g_ptr_array_steal_index_fast (self->terms, index);
}

void
mt_refine_remove_term (MtRefine *self,
                       guint     index)
{
  mt_refine_term_free (mt_refine_take_term (self, index));
}

/* Takes @term. A column that is there already is not kept twice.
 *
 * Its weight stays, and becomes that of the new column: the two are alike, so the fit has a
 * good start. */
void
mt_refine_replace_term (MtRefine     *self,
                        guint         index,
                        MtRefineTerm *term)
{
  if (mt_refine_has_column (self, term, mt_refine_get_term (self, index)))
    {
      mt_refine_term_free (term);
      mt_refine_remove_term (self, index);
      return;
    }
  self->version++;
  mt_linear_fit_replace (self->head, index, mt_refine_term_get_column (self, term));
  mt_refine_term_free (mt_refine_get_term (self, index));
  self->terms->pdata[index] = term;
}

/* Takes @term, which may be NULL. */
void
mt_refine_add_new_term (MtRefine     *self,
                        MtRefineTerm *term)
{
  if (term == NULL)
    return;
  if (mt_refine_has_column (self, term, NULL))
    mt_refine_term_free (term);
  else
    mt_refine_add_term (self, term);
}

/* Drops terms whose weights have the wrong sign, worst first: the best they could have is zero. Each
 * goes by the quadratic model, which moves the others' weights. Returns whether there were any.
 * @to_pool: they may come back later.
 *
 * An example: Age is rising, so a term Age ≥ 55 needs a weight ≥ 0. The fit without
 * constraints gives −0.2. With the constraint the best weight is 0 (the problem is convex),
 * that is, no term. Dropping it changes the other weights, so signs are looked at again
 * after the next fit. */
static gboolean
drop_wrong_signs (MtRefine *self,
                  gboolean  to_pool)
{
  gboolean any = FALSE;

  while (self->options->directions != NULL)
    {
      double worst = 0;
      guint index = 0;

      for (guint t = 0; t < self->terms->len; t++)
        {
          double weight = mt_linear_fit_get_weight (self->head, t, 0) * mt_refine_get_term (self, t)->sign;

          if (weight < worst)
            {
              worst = weight;
              index = t;
            }
        }
      if (worst == 0)
        break;
      if (to_pool)
        g_ptr_array_add (self->pool, mt_refine_take_term (self, index));
      else
        mt_refine_remove_term (self, index);
      any = TRUE;
    }
  return any;
}

/* The convex fit within the constraints: fit, drop what has the wrong sign, and fit again
 * until all signs are right. Each round but the last drops a term, so it ends. */
gboolean
mt_refine_fit_head (MtRefine      *self,
                    guint          max_steps,
                    double         tolerance,
                    gboolean       to_pool,
                    GCancellable  *cancellable,
                    GError       **error)
{
  do
    {
      self->version++;
      if (!mt_linear_fit_fit (self->head, max_steps, tolerance, cancellable, error))
        return FALSE;
    }
  while (drop_wrong_signs (self, to_pool));
  return TRUE;
}

/* --- put aside --- */

/* The terms are shared, with their planes and patterns. */
GPtrArray *
mt_refine_put_aside (MtRefine *self)
{
  GPtrArray *terms = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_refine_term_free);
  guint n = self->n_outputs;

  for (guint t = 0; t < self->terms->len; t++)
    {
      MtRefineTerm *term = mt_refine_get_term (self, t);

      term->n_kept++;
      term->start = g_renew (double, term->start, 2 * n);
      for (guint c = 0; c < n; c++)
        {
          term->start[c] = mt_linear_fit_get_weight (self->head, t, c);
          term->start[n + c] = mt_linear_fit_get_bias (self->head, c);
        }
      g_ptr_array_add (terms, term);
    }
  return terms;
}

/* A fit from the weights that were there ends at once; one from nothing would take several steps, each with a Hessian for
 * every output. */
static void
start_from_terms (MtRefine *self)
{
  g_autofree double *weights = g_new0 (double, MAX (self->terms->len, 1));
  guint n = self->n_outputs;

  for (guint c = 0; c < n; c++)
    {
      double bias = mt_linear_fit_get_bias (self->head, c);

      for (guint t = 0; t < self->terms->len; t++)
        {
          const double *start = mt_refine_get_term (self, t)->start;

          weights[t] = start != NULL ? start[c] : 0;
          bias = start != NULL ? start[n + c] : bias;
        }
      mt_linear_fit_set_start (self->head, c, bias, weights);
    }
}

gboolean
mt_refine_take_up (MtRefine      *self,
                   GPtrArray     *terms,
                   GCancellable  *cancellable,
                   GError       **error)
{
  mt_linear_fit_forget_inverse (self->head);
  while (self->terms->len > 0)
    mt_refine_remove_term (self, self->terms->len - 1);
  for (guint t = 0; t < terms->len; t++)
    mt_refine_add_term (self, terms->pdata[t]);
  start_from_terms (self);
  g_ptr_array_set_free_func (terms, NULL);
  g_ptr_array_set_size (terms, 0);
  return mt_refine_fit_head (self, 50, mt_refine_tolerance (self->head), FALSE, cancellable, error);
}

void
mt_refine_go_back_to (MtRefine    *self,
                      GPtrArray   *terms,
                      MtLinearFit *head)
{
  self->version++;
  g_ptr_array_set_size (self->terms, 0);
  g_ptr_array_extend (self->terms, terms, NULL, NULL);
  g_ptr_array_set_free_func (terms, NULL);
  g_ptr_array_set_size (terms, 0);
  mt_linear_fit_become (self->head, head);
}
