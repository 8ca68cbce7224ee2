/* Train / test parts and folds.
 *
 * Rows that must stay together form a block: a row alone, or the rows that share a group
 * value, or equal features, or a chain of both. Rows of one kind of target form a stratum:
 * a class, or a tenth of a numeric target's rows. A split gives each block one part.
 *
 * When every block is one row, the rows are shuffled, laid in a line stratum after stratum
 * and dealt out evenly along it: row p goes to fold p mod K, or to the test part when
 * ⌊(p + 1) f + ½⌋ > ⌊p f + ½⌋. So no stratum is more than one row off its due, nor is the
 * whole. Larger blocks are given out from the largest down, each to the part where it makes
 * Σ (count − due)² / due over the block's strata grow least; the sizes of the parts decide
 * ties.
 *
 * At last, a class that a held-out part has swallowed whole gets a block back, since a
 * model cannot learn a class that it never sees.
 *
 * Work: n log n in rows for a numeric target, else linear; memory about 30 bytes a row. */
#include "config.h"
#include "mt-split.h"

#include <math.h>
#include <string.h>

#include "mt-duplicates.h"
#include "mt-split-time.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-random.h"
#include "base/mt-sort.h"

#define N_QUANTILES 10

/* One seed serves both questions; the folds must not echo the test split. */
enum {
  STREAM_TEST = 1,
  STREAM_FOLDS = 2,
};

typedef struct {
  const MtTable  *table;
  const guint32  *rows;        /* borrowed */
  gsize           n_rows;
  const MtColumn *classes;     /* the target when strata are its classes; else NULL */
  const MtColumn *group;       /* or NULL */
  guint           n_strata;
  guint32        *stratum;     /* of rows[i] */
  guint32         n_blocks;
  guint32        *block;       /* of rows[i]; numbered in order of their first row */
  guint32        *by_block;    /* positions 0 … n_rows-1, block after block */
  guint32        *block_start; /* n_blocks + 1 */

  guint           n_parts;
  double         *shares;      /* of each part; they add up to 1 */
  guint           first_held_out; /* parts from here on are held out, one at a time */
  gsize          *counts;      /* n_parts × n_strata: rows given so far */
  gsize          *sizes;       /* of each part */
  guint8         *part;        /* of each block */
  guint8         *spared;      /* per block: never held out; NULL: none */
} Plan;

static void
plan_clear (Plan *plan)
{
  g_free (plan->stratum);
  g_free (plan->block);
  g_free (plan->by_block);
  g_free (plan->block_start);
  g_free (plan->shares);
  g_free (plan->counts);
  g_free (plan->sizes);
  g_free (plan->part);
  g_free (plan->spared);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

/* --- strata --- */

/* A missing target is a stratum of its own; so are the rows of equal value together. */
static void
stratify_numbers (Plan           *plan,
                  const MtColumn *target)
{
  g_autofree double *values = g_new (double, plan->n_rows);
  double cuts[N_QUANTILES - 1];
  gsize n = 0;

  for (gsize i = 0; i < plan->n_rows; i++)
    {
      double v = mt_column_get_number (target, plan->rows[i]);

      if (!isnan (v))
        values[n++] = v;
    }
  mt_sort_doubles (values, n);
  for (guint k = 0; k < N_QUANTILES - 1; k++)
    cuts[k] = n > 0 ? values[n * (k + 1) / N_QUANTILES] : 0;

  plan->n_strata = N_QUANTILES + 1;
  for (gsize i = 0; i < plan->n_rows; i++)
    {
      double v = mt_column_get_number (target, plan->rows[i]);
      guint k = 0;

      while (k < N_QUANTILES - 1 && v >= cuts[k])
        k++;
      plan->stratum[i] = isnan (v) ? N_QUANTILES : k;
    }
}

static void
stratify_classes (Plan           *plan,
                  const MtColumn *target)
{
  guint n_levels = mt_column_get_n_levels (target);

  plan->classes = target;
  plan->n_strata = n_levels + 1;
  for (gsize i = 0; i < plan->n_rows; i++)
    plan->stratum[i] = MIN (mt_column_get_code (target, plan->rows[i]), n_levels);
}

static gboolean
plan_stratify (Plan                  *plan,
               const MtSplitOptions  *options,
               GError               **error)
{
  int index = mt_table_get_target (plan->table);
  const MtColumn *target;

  plan->stratum = g_new0 (guint32, MAX (plan->n_rows, 1));
  plan->n_strata = 1;
  if (!options->stratify)
    return TRUE;
  if (index < 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                   _("a stratified split needs a target: give one column the role target"));
      return FALSE;
    }
  target = mt_table_get_column (plan->table, (guint) index);
  switch (mt_column_get_store (target))
    {
    case MT_STORE_NUMBERS:
      stratify_numbers (plan, target);
      return TRUE;
    case MT_STORE_CODES:
      stratify_classes (plan, target);
      return TRUE;
    case MT_STORE_TEXT:
    default:
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA,
                   _("the target “%s” is free text and cannot be stratified: set its type to category, or "
                     "choose another target"), mt_column_get_name (target));
      return FALSE;
    }
}

/* --- blocks --- */

static guint32
find_root (guint32 *parent,
           guint32  i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

/* The earlier root stays, so a block is known by its first row. */
static void
join (guint32       *parent,
      const guint32 *same_as,
      gsize          n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint32 a = find_root (parent, (guint32) i), b = find_root (parent, same_as[i]);

      parent[MAX (a, b)] = MIN (a, b);
    }
}

static void
plan_find_blocks (Plan                 *plan,
                  const MtSplitOptions *options)
{
  guint n_columns = mt_table_get_n_columns (plan->table), n_features = 0;
  g_autofree guint *features = g_new (guint, n_columns);
  g_autofree guint32 *parent = g_new (guint32, MAX (plan->n_rows, 1));

  for (gsize i = 0; i < plan->n_rows; i++)
    parent[i] = (guint32) i;

  for (guint c = 0; c < n_columns; c++)
    if (mt_table_get_role (plan->table, c) == MT_ROLE_FEATURE)
      features[n_features++] = c;
    else if (mt_table_get_role (plan->table, c) == MT_ROLE_GROUP)
      {
        g_autofree guint32 *same_as = mt_duplicates_find (plan->table, &c, 1, plan->rows, plan->n_rows, NULL, NULL,
                                                          NULL);

        plan->group = mt_table_get_column (plan->table, c);
        /* A row whose group is not known stands for itself. */
        for (gsize i = 0; i < plan->n_rows; i++)
          if (mt_column_is_missing (plan->group, plan->rows[i]))
            same_as[i] = (guint32) i;
        join (parent, same_as, plan->n_rows);
      }
  if (options->keep_duplicates)
    {
      g_autofree guint32 *same_as = mt_duplicates_find (plan->table, features, n_features, plan->rows,
                                                        plan->n_rows, NULL,
                                                        NULL, NULL);

      join (parent, same_as, plan->n_rows);
    }

  plan->block = g_new (guint32, MAX (plan->n_rows, 1));
  for (gsize i = 0; i < plan->n_rows; i++)
    {
      guint32 root = find_root (parent, (guint32) i);

      plan->block[i] = root == i ? plan->n_blocks++ : plan->block[root];
    }
}

/* Positions ordered by key, stable; @starts gets n_keys + 1 entries. */
static void
counting_sort (const guint32 *order,
               const guint32 *keys,
               gsize          n,
               guint32        n_keys,
               guint32       *starts,
               guint32       *out)
{
  memset (starts, 0, (n_keys + 1) * sizeof *starts);
  for (gsize i = 0; i < n; i++)
    starts[keys[i] + 1]++;
  for (guint32 k = 0; k < n_keys; k++)
    starts[k + 1] += starts[k];
  for (gsize i = 0; i < n; i++)
    out[starts[keys[order[i]]]++] = order[i];
  memmove (starts + 1, starts, n_keys * sizeof *starts);
  starts[0] = 0;
}

static guint32 *
new_sequence (gsize n)
{
  guint32 *sequence = g_new (guint32, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    sequence[i] = (guint32) i;
  return sequence;
}

static void
plan_sort_blocks (Plan *plan)
{
  g_autofree guint32 *order = new_sequence (plan->n_rows);

  plan->by_block = g_new (guint32, MAX (plan->n_rows, 1));
  plan->block_start = g_new (guint32, plan->n_blocks + 1);
  counting_sort (order, plan->block, plan->n_rows, plan->n_blocks, plan->block_start, plan->by_block);
}

/* --- giving out --- */

static void
plan_give (Plan    *plan,
           guint32  block,
           guint    part)
{
  for (guint32 k = plan->block_start[block]; k < plan->block_start[block + 1]; k++)
    plan->counts[part * plan->n_strata + plan->stratum[plan->by_block[k]]]++;
  plan->sizes[part] += plan->block_start[block + 1] - plan->block_start[block];
  plan->part[block] = (guint8) part;
}

static void
plan_take_back (Plan    *plan,
                guint32  block)
{
  guint part = plan->part[block];

  for (guint32 k = plan->block_start[block]; k < plan->block_start[block + 1]; k++)
    plan->counts[part * plan->n_strata + plan->stratum[plan->by_block[k]]]--;
  plan->sizes[part] -= plan->block_start[block + 1] - plan->block_start[block];
}

static void
deal_rows (Plan     *plan,
           MtRandom *random)
{
  g_autofree guint32 *order = new_sequence (plan->n_rows);
  g_autofree guint32 *line = g_new (guint32, plan->n_rows);
  g_autofree guint32 *starts = g_new (guint32, plan->n_strata + 1);

  mt_random_shuffle (random, order, plan->n_rows);
  counting_sort (order, plan->stratum, plan->n_rows, plan->n_strata, starts, line);
  for (gsize p = 0; p < plan->n_rows; p++)
    {
      double f = plan->shares[1];
      guint part = plan->first_held_out == 0 ? (guint) (p % plan->n_parts)
                   : floor ((double) (p + 1) * f + 0.5) > floor ((double) p * f + 0.5);

      plan_give (plan, plan->block[line[p]], part);
    }
}

static int
compare_block_sizes (gconstpointer a,
                     gconstpointer b,
                     gpointer      data)
{
  const guint32 *start = ((const Plan *) data)->block_start;
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;
  guint32 size_i = start[i + 1] - start[i], size_j = start[j + 1] - start[j];

  return (size_i < size_j) - (size_i > size_j);
}

/* How much worse the part fits its due if it got @n more where it has @count. */
static inline double
growth (gsize  count,
        gsize  n,
        double due)
{
  return (double) n * (2 * ((double) count - due) + (double) n) / due;
}

static guint
best_part (const Plan    *plan,
           const gsize   *totals,       /* rows of each stratum */
           const gsize   *in_block,     /* rows of each stratum in the block */
           const guint32 *touched,      /* the strata that the block has */
           guint          n_touched,
           gsize          block_size,
           gboolean       only_empty)
{
  double best_strata = INFINITY, best_size = INFINITY;
  guint best = 0;

  for (guint part = 0; part < plan->n_parts; part++)
    {
      double strata = 0, size;

      if (only_empty && plan->sizes[part] > 0)
        continue;
      for (guint t = 0; t < n_touched; t++)
        strata += growth (plan->counts[part * plan->n_strata + touched[t]], in_block[touched[t]],
                          plan->shares[part] * (double) totals[touched[t]]);
      size = growth (plan->sizes[part], block_size, plan->shares[part] * (double) plan->n_rows);
      if (strata < best_strata || (strata == best_strata && size < best_size))
        {
          best_strata = strata;
          best_size = size;
          best = part;
        }
    }
  return best;
}

static void
place_blocks (Plan     *plan,
              MtRandom *random)
{
  g_autofree guint32 *order = new_sequence (plan->n_blocks);
  g_autofree gsize *totals = g_new0 (gsize, plan->n_strata);
  g_autofree gsize *in_block = g_new0 (gsize, plan->n_strata);
  g_autofree guint32 *touched = g_new (guint32, plan->n_strata);
  guint n_empty = plan->n_parts;

  mt_random_shuffle (random, order, plan->n_blocks);
  /* g_qsort_with_data is a stable merge sort: blocks of one size stay shuffled. */
  g_qsort_with_data (order, (int) plan->n_blocks, sizeof *order, compare_block_sizes, plan);
  for (gsize i = 0; i < plan->n_rows; i++)
    totals[plan->stratum[i]]++;

  for (guint32 b = 0; b < plan->n_blocks; b++)
    {
      guint32 block = order[b];
      guint n_touched = 0, part;

      for (guint32 k = plan->block_start[block]; k < plan->block_start[block + 1]; k++)
        {
          guint32 s = plan->stratum[plan->by_block[k]];

          if (in_block[s]++ == 0)
            touched[n_touched++] = s;
        }
      /* The last blocks are owed to the parts that have none yet. */
      part = best_part (plan, totals, in_block, touched, n_touched,
                        plan->block_start[block + 1] - plan->block_start[block],
                        plan->n_blocks - b <= n_empty);
      n_empty -= plan->sizes[part] == 0;
      plan_give (plan, block, part);
      for (guint t = 0; t < n_touched; t++)
        in_block[touched[t]] = 0;
    }
}

/* The smallest block of @part that holds rows of @stratum. */
static guint32
smallest_block (const Plan *plan,
                guint       part,
                guint32     stratum)
{
  guint32 best = 0, best_size = G_MAXUINT32;

  for (gsize i = 0; i < plan->n_rows; i++)
    {
      guint32 block = plan->block[i], size = plan->block_start[block + 1] - plan->block_start[block];

      if (plan->stratum[i] == stratum && plan->part[block] == part && size < best_size)
        {
          best = block;
          best_size = size;
        }
    }
  return best;
}

/* The class that a held-out part has for itself; FALSE when there is none. */
static gboolean
find_swallowed (const Plan *plan,
                guint      *part,
                guint32    *stratum)
{
  for (guint32 s = 0; s + 1 < plan->n_strata; s++)
    {
      gsize total = 0;

      for (guint f = 0; f < plan->n_parts; f++)
        total += plan->counts[f * plan->n_strata + s];
      for (guint f = plan->first_held_out; f < plan->n_parts; f++)
        if (total > 1 && plan->counts[f * plan->n_strata + s] == total)
          {
            *part = f;
            *stratum = s;
            return TRUE;
          }
    }
  return FALSE;
}

static gboolean
plan_repair (Plan    *plan,
             GError **error)
{
  guint part;
  guint32 stratum;

  if (plan->classes == NULL)
    return TRUE;

  /* Giving one class back can take another away, hence the bound. */
  for (guint tries = 0; find_swallowed (plan, &part, &stratum); tries++)
    {
      guint32 block = smallest_block (plan, part, stratum);
      guint to = part == 0 ? 1 : 0;

      if (tries >= 4 * plan->n_strata)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("with these groups, %u folds leave no row of class “%s” to train on when one fold is "
                         "held out: "
                         "use more folds, or another group column"),
                       plan->n_parts, mt_column_get_level (plan->classes, stratum));
          return FALSE;
        }
      for (guint f = 0; f < plan->n_parts; f++)
        if (f != part && plan->sizes[f] < plan->sizes[to])
          to = f;
      plan_take_back (plan, block);
      plan_give (plan, block, to);
    }
  return TRUE;
}

/* --- what cannot be done --- */

/* Classes of one row, which no split can have on both sides: their blocks are marked, if that is
 * asked for, and the error of the others is reported. */
static gboolean
check_classes (Plan      *plan,
               gboolean   spare_lone,
               GError   **error)
{
  g_autofree guint32 *first_block = NULL;
  g_autofree guint8 *n_blocks = NULL;
  g_autofree gsize *n_rows = NULL;

  if (plan->classes == NULL)
    return TRUE;
  first_block = g_new (guint32, plan->n_strata);
  n_blocks = g_new0 (guint8, plan->n_strata);   /* 0, 1, or 2 for more */
  n_rows = g_new0 (gsize, plan->n_strata);
  for (gsize i = 0; i < plan->n_rows; i++)
    {
      guint32 s = plan->stratum[i];

      n_rows[s]++;
      if (n_blocks[s] == 0)
        {
          first_block[s] = plan->block[i];
          n_blocks[s] = 1;
        }
      else if (first_block[s] != plan->block[i])
        n_blocks[s] = 2;
    }
  for (guint s = 0; s + 1 < plan->n_strata; s++)
    if (n_rows[s] == 1 && spare_lone)
      {
        if (plan->spared == NULL)
          plan->spared = g_new0 (guint8, plan->n_blocks);
        plan->spared[first_block[s]] = TRUE;
      }
    else if (n_rows[s] == 1)
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                     _("class “%s” has one row, but a stratified split needs at least 2 rows of each class: "
                       "merge it with another class, or remove it"),
                     mt_column_get_level (plan->classes, s));
        return FALSE;
      }
    else if (n_blocks[s] == 1)
      {
        if (plan->group != NULL)
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("all %zu rows of class “%s” belong together (%s) and must be on the same side, but "
                         "a stratified split needs at least 2 such sets of each class: choose another group "
                         "column, or remove the class"),
                       n_rows[s], mt_column_get_level (plan->classes, s), mt_column_get_name (plan->group));
        else
          g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                       _("all %zu rows of class “%s” belong together (equal features) and must be on the "
                         "same side, but a stratified split needs at least 2 such sets of each class: remove the class, or "
                         "add rows of it with other features"),
                       n_rows[s], mt_column_get_level (plan->classes, s));
        return FALSE;
      }
  return TRUE;
}

/* Too few sets of rows that stay together. */
static void
fail_blocks (const Plan  *plan,
             const char  *what,
             GError     **error)
{
  gboolean folds = plan->n_parts > 2;

  if (plan->group != NULL)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                 folds ? ngettext ("%s needs at least %u groups in column “%s”, but there is %u: choose "
                                   "fewer folds or another group column",
                                   "%s needs at least %u groups in column “%s”, but there are %u: choose "
                                   "fewer folds or another group column", plan->n_blocks)
                       : ngettext ("%s needs at least %u groups in column “%s”, but there is %u: choose "
                                   "another group column",
                                   "%s needs at least %u groups in column “%s”, but there are %u: choose "
                                   "another group column", plan->n_blocks),
                 what, plan->n_parts, mt_column_get_name (plan->group), plan->n_blocks);
  else
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                 folds ? ngettext ("%s needs at least %u distinct rows, but there is %u: choose fewer folds, "
                                   "or add rows with other features",
                                   "%s needs at least %u distinct rows, but there are %u: choose fewer "
                                   "folds, or add rows with other features", plan->n_blocks)
                       : ngettext ("%s needs at least %u distinct rows, but there is %u: add rows with other "
                                   "features",
                                   "%s needs at least %u distinct rows, but there are %u: add rows with other "
                                   "features", plan->n_blocks),
                 what, plan->n_parts, plan->n_blocks);
}

static gboolean
check_size (const Plan  *plan,
            gsize        n_needed,
            const char  *what,
            GError     **error)
{
  if (plan->n_rows < n_needed)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("%s needs at least %zu rows with a known target, but there are %zu"),
                   what, n_needed, plan->n_rows);
      return FALSE;
    }
  if (plan->n_blocks < plan->n_parts)
    {
      fail_blocks (plan, what, error);
      return FALSE;
    }
  return TRUE;
}

static gboolean
plan_run (Plan                  *plan,
          const MtSplitOptions  *options,
          gsize                  n_needed,
          guint64                stream,
          const char            *what,
          GError               **error)
{
  MtRandom random;

  if (!plan_stratify (plan, options, error))
    return FALSE;
  plan_find_blocks (plan, options);
  if (!check_size (plan, n_needed, what, error) || !check_classes (plan, options->spare_lone, error))
    return FALSE;
  plan_sort_blocks (plan);

  plan->counts = g_new0 (gsize, (gsize) plan->n_parts * plan->n_strata);
  plan->sizes = g_new0 (gsize, plan->n_parts);
  plan->part = g_new0 (guint8, plan->n_blocks);
  mt_random_init_stream (&random, options->seed, stream);
  if (plan->n_blocks == plan->n_rows)
    deal_rows (plan, &random);
  else
    place_blocks (plan, &random);
  return plan_repair (plan, error);
}

static gboolean
is_spared (const Plan *plan,
           gsize       i)
{
  return plan->spared != NULL && plan->spared[plan->block[i]];
}

gboolean
mt_split_test (const MtTable         *table,
               const MtSplitOptions  *options,
               GArray               **train,
               GArray               **test,
               GError               **error)
{
  g_auto (Plan) plan = { table };
  g_autofree guint32 *rows = NULL;
  g_autofree char *what = NULL;
  char percent[G_ASCII_DTOSTR_BUF_SIZE];
  double fraction = options->test_fraction, n_needed;
  int target = mt_table_get_target (table);

  if (!(fraction > 0 && fraction < 1))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the test share must be above 0 and below 1"));
      return FALSE;
    }
  if (mt_split_find_time (table) != NULL)
    return mt_split_time_test (table, mt_split_find_time (table), fraction, train, test, error);
  g_ascii_formatd (percent, sizeof percent, "%.3g", 100 * fraction);
  what = g_strdup_printf (_("a test share of %s%%"), percent);
  rows = g_new (guint32, MAX (mt_table_get_n_rows (table), 1));
  for (gsize i = 0; i < mt_table_get_n_rows (table); i++)
    if (target < 0 || !mt_column_is_missing (mt_table_get_column (table, (guint) target), i))
      rows[plan.n_rows++] = (guint32) i;
  plan.rows = rows;
  plan.n_parts = 2;
  plan.first_held_out = 1;
  plan.shares = g_new (double, 2);
  plan.shares[0] = 1 - fraction;
  plan.shares[1] = fraction;
  /* ⌊n f + ½⌋ rows are tested; that must be at least one, and less than n. */
  n_needed = MAX (MAX (2, ceil (0.5 / fraction)), floor (0.5 / (1 - fraction)) + 1);
  if (!plan_run (&plan, options, (gsize) MIN (n_needed, G_MAXUINT32), STREAM_TEST, what, error))
    return FALSE;

  *train = g_array_new (FALSE, FALSE, sizeof (guint32));
  *test = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (gsize i = 0; i < plan.n_rows; i++)
    g_array_append_val (plan.part[plan.block[i]] == 1 && !is_spared (&plan, i) ? *test : *train, rows[i]);
  return TRUE;
}

gboolean
mt_split_folds (const MtTable         *table,
                const guint32         *rows,
                gsize                  n_rows,
                const MtSplitOptions  *options,
                guint8                *fold_of,
                GError               **error)
{
  g_auto (Plan) plan = { table, rows, n_rows };
  g_autofree char *what = NULL;

  if (options->n_folds < 2 || options->n_folds > G_MAXUINT8)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the number of folds must be 2 to %u, not %u"),
                   G_MAXUINT8, options->n_folds);
      return FALSE;
    }
  if (mt_split_find_time (table) != NULL)
    return mt_split_time_folds (table, mt_split_find_time (table), rows, n_rows, options->n_folds, fold_of, error);
  what = g_strdup_printf (_("a split into %u folds"), options->n_folds);
  plan.n_parts = options->n_folds;
  plan.shares = g_new (double, plan.n_parts);
  for (guint f = 0; f < plan.n_parts; f++)
    plan.shares[f] = 1.0 / plan.n_parts;
  if (!plan_run (&plan, options, options->n_folds, STREAM_FOLDS, what, error))
    return FALSE;

  for (gsize i = 0; i < n_rows; i++)
    fold_of[i] = is_spared (&plan, i) ? MT_SPLIT_NO_FOLD : plan.part[plan.block[i]];
  return TRUE;
}
