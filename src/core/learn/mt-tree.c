/* A decision tree over literals, grown best first: the split that gains most goes next, wherever it is. See
 * mt-tree.h.
 *
 * An example: 100 rows, 60 of them true, split by a literal that is true of 50 rows, 45 of
 * these true. With targets 0/1 and weights 1: G²/H is 45²/50 + 15²/50 − 60²/100 = 40.5 +
 * 4.5 − 36 = 9, which is half of the drop of the Gini index summed over rows (48 − 30 =
 * 18).
 *
 * Memory while growing: one histogram for each leaf, n_cells × (outputs + 2) doubles; 30
 * groups of 64 codes, one output and 31 leaves are 1.4 MB. */
#include "config.h"
#include "mt-tree.h"

#include <math.h>
#include <string.h>

#define NO_SPLIT G_MAXUINT

struct _MtTree {
  guint   n_outputs;
  GArray *nodes;     /* of MtTreeNode */
  GArray *values;    /* of double: n_outputs a node */
};

/* A leaf while the tree grows. */
typedef struct {
  guint    node;
  gsize    begin, end;    /* its part of the rows */
  double  *sums;          /* per code of every group: n_outputs sums of targets, weights, rows */
  double  *totals;        /* the same over all rows */
  double   gain;          /* of the best split; 0: none */
  guint    literal;
} Leaf;

typedef struct {
  const MtEncoded     *encoded;
  const double        *targets;
  const double        *weights;
  guint                n_outputs;
  guint                width;       /* sums a code: outputs, weight, rows */
  gsize                n_rows;
  const MtTreeOptions *options;
  gsize               *first_cell;  /* per group: its first code among the sums */
  gsize                n_cells;
  guint32             *rows;        /* leaf after leaf, each in ascending order */
  guint32             *scratch;
  MtTree              *tree;
  Leaf                *leaves;
  guint                n_leaves;
} Grow;

/* G²/(H + λ) of sums, or of @whole less them.
 *
 * @whole is given for the side where the literal is false: its sums are those of the leaf
 * less those of the other side. */
static double
score_of (const Grow   *grow,
          const double *sums,
          const double *whole)
{
  guint n_outputs = grow->n_outputs;
  double weight = (whole != NULL ? whole[n_outputs] - sums[n_outputs] : sums[n_outputs]) + grow->options->ridge;
  double square = 0;

  for (guint k = 0; k < n_outputs; k++)
    {
      double sum = whole != NULL ? whole[k] - sums[k] : sums[k];

      square += sum * sum;
    }
  return weight > 0 ? square / weight : 0;
}

/* --- histograms --- */

/* The histograms of a leaf: for each code of each group the sums of targets (one for each output), of weights, and
 * of rows. One pass over the leaf's rows for each group. With one output, the usual case, the loop has fixed
 * offsets. */
static void
count_rows (const Grow *grow,
            Leaf       *leaf)
{
  guint width = grow->width, n_outputs = grow->n_outputs;

  memset (leaf->sums, 0, sizeof (double) * grow->n_cells * width);
  memset (leaf->totals, 0, sizeof (double) * width);
  for (guint g = 0; g < mt_encoded_get_n_groups (grow->encoded); g++)
    {
      const guint8 *codes = mt_encoded_get_codes (grow->encoded, g);
      double *sums = leaf->sums + grow->first_cell[g] * width;

      if (n_outputs == 1)
        for (gsize i = leaf->begin; i < leaf->end; i++)
          {
            guint32 row = grow->rows[i];
            double *cell = sums + codes[row] * 3;

            cell[0] += grow->targets[row];
            cell[1] += grow->weights != NULL ? grow->weights[row] : 1;
            cell[2] += 1;
          }
      else
        for (gsize i = leaf->begin; i < leaf->end; i++)
          {
            guint32 row = grow->rows[i];
            double *cell = sums + codes[row] * width;

            for (guint k = 0; k < n_outputs; k++)
              cell[k] += grow->targets[k * grow->n_rows + row];
            cell[n_outputs] += grow->weights != NULL ? grow->weights[row] : 1;
            cell[n_outputs + 1] += 1;
          }
    }
  for (gsize i = leaf->begin; i < leaf->end; i++)
    {
      guint32 row = grow->rows[i];

      for (guint k = 0; k < n_outputs; k++)
        leaf->totals[k] += grow->targets[k * grow->n_rows + row];
      leaf->totals[n_outputs] += grow->weights != NULL ? grow->weights[row] : 1;
    }
  leaf->totals[n_outputs + 1] = (double) (leaf->end - leaf->begin);
}

/* A child's sums are those of its parent less its sibling's, so only the smaller child needs a pass over its rows.
 * That is why a level of the tree costs at most half of the rows. */
static void
subtract (double       *from,
          const double *what,
          gsize         n)
{
  for (gsize i = 0; i < n; i++)
    from[i] -= what[i];
}

/* The gain of splitting a leaf by a literal: G²/(H + λ) of both sides less that of the whole, for each output.
 * @yes: the sums over the rows where it is true. A side with fewer than min_rows rows is not allowed.
 *
 * Each literal costs 2 × (outputs + 1) additions and a few multiplications. */
static void
try_split (const Grow   *grow,
           Leaf         *leaf,
           guint         literal,
           const double *yes,
           double        whole)
{
  double n_yes = yes[grow->n_outputs + 1], min_rows = grow->options->min_rows, gain;

  if (n_yes < min_rows || leaf->totals[grow->n_outputs + 1] - n_yes < min_rows)
    return;
  gain = score_of (grow, yes, NULL) + score_of (grow, yes, leaf->totals) - whole;
  /* Below the noise of the sums there is no gain; equal gains go to the literal seen first. */
  if (gain > 1e-10 * (1 + fabs (whole)) && gain > leaf->gain)
    {
      leaf->gain = gain;
      leaf->literal = literal;
    }
}

/* All literals of all groups. A level's sums are those of its code; a threshold's are the sums over all codes above it,
 * which one walk from the highest code down gives. */
static void
find_split (const Grow *grow,
            Leaf       *leaf,
            double     *suffix)      /* width of scratch */
{
  const MtGroup *groups = mt_encoded_get_groups (grow->encoded);
  double whole = score_of (grow, leaf->totals, NULL);
  guint width = grow->width;

  leaf->gain = 0;
  for (guint g = 0; g < mt_encoded_get_n_groups (grow->encoded); g++)
    {
      const MtGroup *group = &groups[g];
      const double *sums = leaf->sums + grow->first_cell[g] * width;
      guint n_thresholds = group->n_literals - (group->has_missing ? 1 : 0);

      if (group->kind == MT_GROUP_ONE_HOT)
        {
          for (guint i = 0; i < group->n_literals; i++)
            try_split (grow, leaf, group->first_literal + i, sums + (i + 1) * width, whole);
          continue;
        }
      memset (suffix, 0, sizeof (double) * width);
      for (guint i = n_thresholds; i > 0; i--)
        {
          for (guint k = 0; k < width; k++)
            suffix[k] += sums[i * width + k];
          try_split (grow, leaf, group->first_literal + i - 1, suffix, whole);
        }
      if (group->has_missing)
        try_split (grow, leaf, group->first_literal + n_thresholds, sums + (n_thresholds + 1) * width, whole);
    }
}

/* --- growing --- */

/* The sums are the largest part: n_cells × (n_outputs + 2) doubles, where n_cells are the codes of all groups. */
static void
leaf_init (const Grow *grow,
           Leaf       *leaf,
           guint       node,
           gsize       begin,
           gsize       end)
{
  *leaf = (Leaf) { .node = node, .begin = begin, .end = end };
  leaf->sums = g_new (double, grow->n_cells * grow->width);
  leaf->totals = g_new (double, grow->width);
}

static void
leaf_clear (Leaf *leaf)
{
  g_clear_pointer (&leaf->sums, g_free);
  g_clear_pointer (&leaf->totals, g_free);
}

/* A node's value is the Newton step Σ target / (Σ weight + ridge), for each output. Inner nodes keep theirs: the
 * tree with fewer leaves uses them (see mt_tree_add_scores()). */
static void
add_node (const Grow *grow,
          const Leaf *leaf,
          guint       parent,
          guint       depth)
{
  MtTreeNode node = { parent, 0, NO_SPLIT, depth, leaf->end - leaf->begin };
  double weight = leaf->totals[grow->n_outputs] + grow->options->ridge;

  g_array_append_val (grow->tree->nodes, node);
  for (guint k = 0; k < grow->n_outputs; k++)
    {
      double value = weight > 0 ? leaf->totals[k] / weight : 0;

      g_array_append_val (grow->tree->values, value);
    }
}

/* The rows of which the literal is true go first; order is kept on both sides. */
static gsize
part_rows (Grow       *grow,
           const Leaf *leaf)
{
  const guint64 *plane = mt_encoded_get_plane (grow->encoded, leaf->literal);
  gsize at = leaf->begin, n_no = 0;

  for (gsize i = leaf->begin; i < leaf->end; i++)
    if (mt_plane_get (plane, grow->rows[i]))
      grow->rows[at++] = grow->rows[i];
    else
      grow->scratch[n_no++] = grow->rows[i];
  memcpy (grow->rows + at, grow->scratch, sizeof (guint32) * n_no);
  return at;
}

/* Takes the place of the leaf that it splits, and appends the other child.
 *
 * The parent's histogram becomes the larger child's: the smaller child is counted, and
 * subtracted from it. No third array is needed. */
static void
split_leaf (Grow   *grow,
            guint   index,
            double *suffix)
{
  Leaf parent = grow->leaves[index];
  guint split = grow->n_leaves - 1, depth = g_array_index (grow->tree->nodes, MtTreeNode, parent.node).depth + 1;
  gsize middle = part_rows (grow, &parent);
  Leaf *yes = &grow->leaves[index], *no = &grow->leaves[grow->n_leaves++];
  gboolean yes_is_small = middle - parent.begin <= parent.end - middle;
  Leaf *small = yes_is_small ? yes : no, *large = yes_is_small ? no : yes;

  g_array_index (grow->tree->nodes, MtTreeNode, parent.node).split = split;
  g_array_index (grow->tree->nodes, MtTreeNode, parent.node).literal = parent.literal;
  leaf_init (grow, small, 0, yes_is_small ? parent.begin : middle, yes_is_small ? middle : parent.end);
  count_rows (grow, small);
  *large = parent;
  large->begin = yes_is_small ? middle : parent.begin;
  large->end = yes_is_small ? parent.end : middle;
  subtract (large->sums, small->sums, grow->n_cells * grow->width);
  subtract (large->totals, small->totals, grow->width);
  yes->node = 2 * split + 1;
  no->node = 2 * split + 2;
  add_node (grow, yes, parent.node, depth);
  add_node (grow, no, parent.node, depth);
  find_split (grow, yes, suffix);
  find_split (grow, no, suffix);
}

/* Of equal gains the leaf that is older, so that the tree does not depend on the order of the array. */
static guint
best_leaf (const Grow *grow)
{
  guint best = 0;

  for (guint i = 1; i < grow->n_leaves; i++)
    if (grow->leaves[i].gain > grow->leaves[best].gain ||
        (grow->leaves[i].gain == grow->leaves[best].gain && grow->leaves[i].node < grow->leaves[best].node))
      best = i;
  return best;
}

/* Grows best first: the leaf with the largest gain is split next. Since a split's number is the order in which it
 * was made, the tree of n leaves is the first n − 1 splits, and one growth gives the trees of all sizes.
 *
 * Rows are one array of numbers, parted in place at every split, so a leaf is a range of it
 * and its rows stay in ascending order: sums are made in the same order every time. */
MtTree *
mt_tree_grow (const MtEncoded      *encoded,
              const double         *targets,
              const double         *weights,
              guint                 n_outputs,
              const MtTreeOptions  *options,
              GCancellable         *cancellable,
              GError              **error)
{
  Grow grow = {
    .encoded = encoded, .targets = targets, .weights = weights, .n_outputs = n_outputs, .width = n_outputs + 2,
    .n_rows = mt_encoded_get_n_rows (encoded), .options = options,
  };
  guint n_groups = mt_encoded_get_n_groups (encoded);
  const MtGroup *groups = mt_encoded_get_groups (encoded);
  g_autofree double *suffix = g_new (double, grow.width);
  g_autoptr (MtTree) tree = g_new0 (MtTree, 1);
  gboolean cancelled = FALSE;

  g_return_val_if_fail (n_outputs > 0 && options->max_leaves > 0, NULL);

  tree->n_outputs = n_outputs;
  tree->nodes = g_array_new (FALSE, FALSE, sizeof (MtTreeNode));
  tree->values = g_array_new (FALSE, FALSE, sizeof (double));
  grow.tree = tree;
  grow.first_cell = g_new (gsize, MAX (n_groups, 1));
  for (guint g = 0; g < n_groups; g++)
    {
      grow.first_cell[g] = grow.n_cells;
      grow.n_cells += mt_group_get_n_codes (&groups[g]);
    }
  grow.rows = g_new (guint32, MAX (grow.n_rows, 1));
  grow.scratch = g_new (guint32, MAX (grow.n_rows, 1));
  for (gsize r = 0; r < grow.n_rows; r++)
    grow.rows[r] = (guint32) r;
  grow.leaves = g_new0 (Leaf, options->max_leaves);
  leaf_init (&grow, &grow.leaves[0], 0, 0, grow.n_rows);
  grow.n_leaves = 1;
  count_rows (&grow, &grow.leaves[0]);
  add_node (&grow, &grow.leaves[0], 0, 0);
  find_split (&grow, &grow.leaves[0], suffix);
  while (grow.n_leaves < options->max_leaves && !cancelled)
    {
      guint next = best_leaf (&grow);

      if (grow.leaves[next].gain <= 0)
        break;
      split_leaf (&grow, next, suffix);
      cancelled = g_cancellable_set_error_if_cancelled (cancellable, error);
    }
  for (guint i = 0; i < grow.n_leaves; i++)
    leaf_clear (&grow.leaves[i]);
  g_free (grow.leaves);
  g_free (grow.rows);
  g_free (grow.scratch);
  g_free (grow.first_cell);
  return cancelled ? NULL : g_steal_pointer (&tree);
}

void
mt_tree_free (MtTree *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->nodes);
  g_array_unref (self->values);
  g_free (self);
}

guint
mt_tree_get_n_leaves (const MtTree *self)
{
  return (self->nodes->len + 1) / 2;
}

const MtTreeNode *
mt_tree_get_node (const MtTree *self,
                  guint         node)
{
  g_return_val_if_fail (node < self->nodes->len, NULL);
  return &g_array_index (self->nodes, MtTreeNode, node);
}

const double *
mt_tree_get_values (const MtTree *self,
                    guint         node)
{
  g_return_val_if_fail (node < self->nodes->len, NULL);
  return &g_array_index (self->values, double, (gsize) node * self->n_outputs);
}

/* Is the node split in the tree of @n_leaves? */
static gboolean
is_split (const MtTreeNode *node,
          guint             n_leaves)
{
  return node->split != NO_SPLIT && node->split + 1 < n_leaves;
}

/* Adds @scale times the values of the tree of the first @n_leaves leaves. Children of split s are the nodes 2 s +
 * 1 (yes) and 2 s + 2 (no).
 *
 * A walk down for each row, `depth` lookups of one bit each. */
void
mt_tree_add_scores (const MtTree    *self,
                    const MtEncoded *encoded,
                    guint            n_leaves,
                    double           scale,
                    double          *scores)
{
  gsize n_rows = mt_encoded_get_n_rows (encoded);
  const MtTreeNode *nodes = (const MtTreeNode *) (const void *) self->nodes->data;
  g_autofree const guint64 **planes = g_new0 (const guint64 *, self->nodes->len);

  for (guint i = 0; i < self->nodes->len; i++)
    if (nodes[i].split != NO_SPLIT)
      planes[i] = mt_encoded_get_plane (encoded, nodes[i].literal);
  for (gsize r = 0; r < n_rows; r++)
    {
      const double *values;
      guint at = 0;

      while (is_split (&nodes[at], n_leaves))
        at = 2 * nodes[at].split + (mt_plane_get (planes[at], r) ? 1 : 2);
      values = mt_tree_get_values (self, at);
      for (guint k = 0; k < self->n_outputs; k++)
        scores[k * n_rows + r] += scale * values[k];
    }
}

/* --- complexity --- */

/* What a path says of one group, as codes that are still possible; as few literals as say it. */
typedef struct {
  guint    group;
  guint    low, high;     /* thermometer: thresholds reached and not reached; 0 and n: nothing said */
  guint    n_not;         /* literals denied (one-hot levels, missing) */
  gboolean is;            /* a level, or missing: that says it all */
} Said;

/* What one step of a path adds to what is said of its group. */
static void
say (Said          *said,
     const MtGroup *group,
     guint          literal,     /* within the group */
     gboolean       yes)
{
  gboolean is_threshold = group->kind == MT_GROUP_THERMOMETER &&
                          !(group->has_missing && literal + 1 == group->n_literals);

  if (is_threshold && yes)
    said->low = MAX (said->low, literal + 1);
  else if (is_threshold)
    said->high = MIN (said->high, literal);
  else if (yes)
    said->is = TRUE;
  else
    said->n_not++;
}

/* How many literals it takes to say it: an interval takes at most two, a level one, denied levels one each. */
static guint
count_said (const Said    *said,
            const MtGroup *group)
{
  guint n_thresholds = group->n_literals - (group->has_missing ? 1 : 0);

  if (said->is)
    return 1;
  if (group->kind == MT_GROUP_ONE_HOT)
    return said->n_not;
  /* A threshold reached says that the cell is not missing. */
  return (said->low > 0 ? 1 : said->n_not > 0) + (said->high < n_thresholds ? 1 : 0);
}

/* Literals on the path from a leaf to the root, joined by column: Age ≥ 30 and Age ≥ 50
 * count once, Age ≥ 30 and Age < 50 twice. A node with an odd number was reached by a yes. */
static guint
count_path (const MtTree    *self,
            const MtEncoded *encoded,
            guint            leaf)
{
  const MtGroup *groups = mt_encoded_get_groups (encoded);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (Said));
  guint n = 0;

  for (guint at = leaf; at != 0; at = mt_tree_get_node (self, at)->parent)
    {
      const MtTreeNode *parent = mt_tree_get_node (self, mt_tree_get_node (self, at)->parent);
      guint g = mt_encoded_get_group_of (encoded, parent->literal);
      Said *said = NULL;

      for (guint i = 0; i < path->len && said == NULL; i++)
        if (g_array_index (path, Said, i).group == g)
          said = &g_array_index (path, Said, i);
      if (said == NULL)
        {
          Said fresh = { .group = g, .high = G_MAXUINT };

          g_array_append_val (path, fresh);
          said = &g_array_index (path, Said, path->len - 1);
        }
      say (said, &groups[g], parent->literal - groups[g].first_literal, at % 2 == 1);
    }
  for (guint i = 0; i < path->len; i++)
    n += count_said (&g_array_index (path, Said, i), &groups[g_array_index (path, Said, i).group]);
  return n;
}

/* Leaf by leaf, as if the tree were written as one rule for each leaf. */
guint
mt_tree_count_literals (const MtTree    *self,
                        const MtEncoded *encoded,
                        guint            n_leaves)
{
  guint n_nodes = MIN (2 * n_leaves - 1, self->nodes->len), n = 0;

  g_return_val_if_fail (n_leaves > 0, 0);

  for (guint i = 0; i < n_nodes; i++)
    if (!is_split (mt_tree_get_node (self, i), n_leaves))
      n += count_path (self, encoded, i);
  return MAX (n, 1);
}
