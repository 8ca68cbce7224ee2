/* A step by gradient: the model at hand is trained as a network, and its rules become what the nodes have become.
 *
 *   train    a few epochs of the network that computes the model (mt-refine-network.c)
 *   replace  each node that now computes something else takes the place of its rule, and a few of the spare nodes, those
 *            that gain most for a literal, join the model as further rules
 *   fit      all weights again; then tables, each as the loss wants it
 *   back     the cheapest moves down to the complexity there was
 *
 * No node has to be worth its place by itself. In a search this is what a kick is: the model leaves the place where no
 * single exchange gains any more, in the direction that gradient gives, and exchanges then lead on from there
 * (mt-refine-tune.c), which judges the whole step.
 *
 * A model of 20 literals in 8 rules may have 3 changed rules and 40 literals after training, since a node has up to
 * fan-in inputs; about twenty moves and fits lead back. */
#include "config.h"
#include "mt-refine-private.h"

/* Spare nodes that may join the model, and the literals that a node may take: a table of five inputs with more is hardly
 * ever worth one of its literals, and each costs a move and a fit on the way back. */
#define MOST_SPARE    4
#define MOST_LITERALS 8

typedef struct {
  MtRefineTerm *term;
  double        price;     /* gain for a literal */
} Spare;

static int
compare_spares (gconstpointer a,
                gconstpointer b)
{
  const Spare *p = a, *q = b;

  return p->price > q->price ? -1 : p->price < q->price;
}

/* The node as a term; NULL: it is constant, takes too many literals, or says what a term of the model says. */
static MtRefineTerm *
term_of_node (MtRefine            *self,
              const MtTrainedNode *node)
{
  MtRefineTerm *term = mt_refine_term_change (mt_refine_term_new_node (self, &node->node), NULL, MT_CHANGED_BY_GRADIENT);

  if (term != NULL && term->cost <= MOST_LITERALS && !mt_refine_has_column (self, term, NULL))
    return term;
  mt_refine_term_free (term);
  return NULL;
}

/* Rules become what their nodes have become. Gains of spare nodes are asked for first: they need the fit of the model
 * that was trained. */
static void
take_nodes (MtRefine *self,
            GArray   *nodes)
{
  g_autoptr (GArray) spares = g_array_new (FALSE, FALSE, sizeof (Spare));

  for (guint j = 0; j < nodes->len && !mt_refine_is_cancelled (self); j++)
    {
      const MtTrainedNode *node = &g_array_index (nodes, MtTrainedNode, j);
      Spare spare = { node->from == NULL ? term_of_node (self, node) : NULL };

      if (spare.term == NULL)
        continue;
      spare.price = mt_linear_fit_get_add_gain (self->head, mt_refine_term_get_column (self, spare.term)) / spare.term->cost;
      g_array_append_val (spares, spare);
    }
  for (guint j = 0; j < nodes->len && !mt_refine_is_cancelled (self); j++)
    {
      const MtTrainedNode *node = &g_array_index (nodes, MtTrainedNode, j);
      MtRefineTerm *term = node->from != NULL ? term_of_node (self, node) : NULL;
      guint index;

      if (term != NULL && g_ptr_array_find (self->terms, node->from, &index))
        mt_refine_replace_term (self, index, term);
      else
        mt_refine_term_free (term);
    }
  g_array_sort (spares, compare_spares);
  for (guint i = 0; i < spares->len; i++)
    {
      const Spare *spare = &g_array_index (spares, Spare, i);

      if (i < MOST_SPARE && spare->price > 0)
        mt_refine_add_new_term (self, spare->term);
      else
        mt_refine_term_free (spare->term);
    }
}

gboolean
mt_refine_step_by_gradient (MtRefinePath   *path,
                            MtRefineTrain  *how,
                            GError        **error)
{
  MtRefine *self = path->refine;
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (MtTrainedNode));
  guint complexity = mt_refine_get_complexity (self);

  if (!mt_refine_train_network (path, how, nodes, error))
    return FALSE;
  take_nodes (self, nodes);
  if (!mt_refine_path_fit (path, error) ||
      (mt_refine_improve_tables (self, FALSE) && !mt_refine_path_fit (path, error)))
    return FALSE;
  while (mt_refine_get_complexity (self) > complexity)
    {
      mt_refine_eliminate (self);
      if (!mt_refine_path_fit (path, error))
        return FALSE;
    }
  return TRUE;
}

/* --- what has changed --- */

static gboolean
is_same (const MtRefineTerm *a,
         const MtRefineTerm *b)
{
  if (a->is_numeric || b->is_numeric)
    return a->is_numeric && b->is_numeric && a->numeric == b->numeric;
  return mt_rule_equal (a->rule, b->rule);
}

gboolean
mt_refine_has_other_terms (const MtRefine  *self,
                           const GPtrArray *terms)
{
  for (guint t = 0; t < self->terms->len; t++)
    {
      gboolean found = FALSE;

      for (guint k = 0; k < terms->len && !found; k++)
        found = is_same (mt_refine_get_term (self, t), terms->pdata[k]);
      if (!found)
        return TRUE;
    }
  return FALSE;
}
