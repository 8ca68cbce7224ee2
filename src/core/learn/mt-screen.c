/* Which columns a search over very many of them begins with. See mt-screen.h.
 *
 * With residuals r and curvatures v of a fit, a column x gains, to second order and in addition to the intercept,
 *
 *   Σ_outputs ½ (Σ r x - Σ r Σ v x / Σ v)² / (Σ v x² - (Σ v x)² / Σ v)
 *
 * The sums of all literals of a column follow from sums by code, one pass over the rows.
 *
 * Memory for each part: 2 × outputs × rows doubles (residual and curvature), and one score
 * for each column. A block of columns is encoded, scored in all parts at once on the pool,
 * and thrown away, so the table is encoded once for each of the two rounds, a block at a
 * time. 20,000 columns of 200 rows are 20 blocks. */
#include "config.h"
#include "mt-screen.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-math.h"
#include "base/mt-parallel.h"
#include "data/mt-split.h"
#include "mt-refine-private.h"
#include "rules/mt-linear-fit.h"

/* Share of the places that go to the best by themselves. */
#define FIRST_SHARE (2 / 3.)
/* Cells that are encoded at a time, and how many columns that may be. */
#define BLOCK_CELLS    2000000
#define LEAST_BLOCK    8
#define MOST_BLOCK     1024
/* The fits: ridge, steps, and the improvement they may leave. */
#define FIT_RIDGE      1
#define FIT_STEPS      30
#define FIT_TOLERANCE  1e-3
/* What a column's spread must exceed to count, as a share of the rows' curvature. */
#define LEAST_SPREAD   1e-9

typedef struct {
  double  gain;
  guint   column;       /* of the table */
  guint   n_literals;
} Score;

/* One part: its rows, and what a fit on them leaves over. */
typedef struct {
  guint32 *rows;        /* among those to learn from */
  gsize    n_rows;
  double  *target;
  double  *class_weights;
  double  *residual;    /* n_outputs × n_rows */
  double  *curvature;
  GArray  *scores;      /* of Score, by column */
  GArray  *kept;        /* of guint, ascending */
  guint    n_kept_literals;
  GError  *error;
} Part;

typedef struct {
  const MtScreenInput *input;
  Part                *parts;
  guint                n_parts;
  GCancellable        *cancellable;

  /* The block that is being scored. */
  const MtEncoded     *encoded;
  const MtEncoder     *encoder;
  const guint         *columns;      /* of the table, by column of the encoder */

  MtScreenProgressFunc progress;
  gpointer             progress_data;
} Screening;

/* n / log n columns for n rows, within fixed bounds. */
guint
mt_screen_get_n_places (gsize n_rows)
{
  return (guint) CLAMP (n_rows / mt_log (MAX (n_rows, 3)), MT_SCREEN_LEAST_COLUMNS, MT_SCREEN_MOST_COLUMNS);
}

/* Literals up to which the search takes all columns: twice the rows, between 300 and 2,000. */
static guint
get_limit (gsize n_rows)
{
  return (guint) CLAMP (2 * n_rows, MT_SCREEN_LEAST_LITERALS, MT_SCREEN_MOST_LITERALS);
}

/* Columns are encoded and scored in blocks of about BLOCK_CELLS cells, so the memory does not grow with the number
 * of columns, of which there may be hundreds of thousands. */
static guint
get_block_size (gsize n_rows)
{
  return (guint) CLAMP (BLOCK_CELLS / MAX (n_rows, 1), LEAST_BLOCK, MOST_BLOCK);
}

/* --- encoding a few columns --- */

/* Of @columns of the table those that carry literals: a block of them may carry none, which is no error but NULL.
 * @used: of the table, by the encoder's columns.
 *
 * The encoder drops columns without literals, so its columns are matched with the table's
 * by name, in one walk over both, as the order is the same. */
static MtEncoder *
fit_columns (const MtScreenInput  *input,
             const guint          *columns,
             guint                 n_columns,
             guint                 n_threads,
             GArray               *used,
             GError              **error)
{
  MtEncoderOptions options = *input->encoder;
  g_autoptr (GError) local = NULL;
  MtEncoder *encoder;

  options.columns = columns;
  options.n_columns = n_columns;
  options.shapes = FALSE;
  options.n_threads = n_threads;
  encoder = mt_encoder_fit (input->table, input->rows->rows, input->rows->n_rows, &options, &local);
  g_array_set_size (used, 0);
  if (encoder == NULL)
    {
      /* MT_ERROR_SCHEMA: none of these can be used. */
      if (!g_error_matches (local, MT_ERROR, MT_ERROR_SCHEMA))
        g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  for (guint i = 0, c = 0; i < n_columns && c < mt_encoder_get_n_columns (encoder); i++)
    if (g_str_equal (mt_encoder_get_column (encoder, c)->name,
                     mt_column_get_name (mt_table_get_column (input->table, columns[i]))))
      {
        g_array_append_val (used, columns[i]);
        c++;
      }
  return encoder;
}

static GArray *
list_features (const MtScreenInput *input)
{
  return mt_encoder_list_features (input->table, input->encoder);
}

/* First by a bound from the table alone (bits + 1 literals for a number, its levels for a category), which costs
 * nothing; only if that is too many are the columns encoded, block by block, until there are enough. */
gboolean
mt_screen_is_needed (const MtScreenInput  *input,
                     gboolean             *needed,
                     GError              **error)
{
  g_autoptr (GArray) features = list_features (input);
  g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint));
  const guint *columns = (const guint *) (gpointer) features->data;
  gsize n_rows = input->rows->n_rows;
  guint block = get_block_size (n_rows), n_literals = 0, n_used = 0;
  guint64 most = 0;

  *needed = FALSE;
  for (guint i = 0; i < features->len; i++)
    {
      const MtColumn *column = mt_table_get_column (input->table, columns[i]);

      most += mt_column_get_store (column) == MT_STORE_NUMBERS
              ? input->encoder->bits + 1 : MIN (mt_column_get_n_levels (column), input->encoder->max_levels) + 2;
    }
  if (most <= get_limit (n_rows) ||
      (features->len <= mt_screen_get_n_places (n_rows) && most <= MT_SCREEN_FEW_COLUMNS_LITERALS))
    return TRUE;
  for (guint from = 0; from < features->len && !*needed; from += block)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (MtEncoder) encoder = fit_columns (input, columns + from, MIN (block, features->len - from),
                                                   input->encoder->n_threads, used, &local);

      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      n_used += used->len;
      n_literals += encoder != NULL ? mt_encoder_get_n_literals (encoder) : 0;
      *needed = (n_literals > get_limit (n_rows) && n_used > mt_screen_get_n_places (n_rows)) ||
                n_literals > MT_SCREEN_FEW_COLUMNS_LITERALS;
    }
  return TRUE;
}

/* --- gains --- */

typedef struct {
  double r, vx, vxx;
} Sums;

/* The gain of the formula above for one column and output, from its three sums. 0 when the column is nearly
 * constant where it matters: its spread must exceed LEAST_SPREAD of the rows' curvature. */
static double
gain_of (const Sums *of,
         double      sum_r,
         double      sum_v)
{
  double slope, spread;

  if (!(sum_v > 0))
    return 0;
  slope = of->r - sum_r * of->vx / sum_v;
  spread = of->vxx - of->vx * of->vx / sum_v;
  return spread > LEAST_SPREAD * sum_v && isfinite (slope) ? slope * slope / (2 * spread) : 0;
}

/* Σ r and Σ v over the rows of a part: the intercept's share of every gain. */
static void
get_totals (const Part *part,
            guint       output,
            double     *sum_r,
            double     *sum_v)
{
  const double *r = part->residual + output * part->n_rows, *v = part->curvature + output * part->n_rows;

  *sum_r = *sum_v = 0;
  for (gsize i = 0; i < part->n_rows; i++)
    {
      *sum_r += r[i];
      *sum_v += v[i];
    }
}

/* Adds to @gains, one a literal of the group.
 *
 * The square of a literal is itself, so Σ v x² is Σ v x. Sums of thresholds are running
 * sums from the highest down. */
static void
add_literal_gains (const Part    *part,
                   guint          output,
                   const MtGroup *group,
                   const guint8  *codes,
                   double         sum_r,
                   double         sum_v,
                   double        *gains)
{
  const double *r = part->residual + output * part->n_rows, *v = part->curvature + output * part->n_rows;
  guint n_thresholds = group->n_literals - (group->has_missing ? 1 : 0);
  double by_code[MT_GROUP_MAX_LITERALS + 2][2];
  Sums sums = { 0 };

  memset (by_code, 0, mt_group_get_n_codes (group) * sizeof by_code[0]);
  for (gsize i = 0; i < part->n_rows; i++)
    {
      double *at = by_code[codes[part->rows[i]]];

      at[0] += r[i];
      at[1] += v[i];
    }
  for (guint l = group->n_literals; l-- > 0;)
    {
      gboolean is_threshold = group->kind == MT_GROUP_THERMOMETER && l < n_thresholds;

      if (!is_threshold || l + 1 == n_thresholds)
        memset (&sums, 0, sizeof sums);
      sums.r += by_code[l + 1][0];
      sums.vx += by_code[l + 1][1];
      sums.vxx = sums.vx;
      gains[l] += gain_of (&sums, sum_r, sum_v);
    }
}

/* The same for a numeric column, whose square is not itself. */
static double
number_gain (const Part   *part,
             guint         output,
             const double *values,
             double        sum_r,
             double        sum_v)
{
  const double *r = part->residual + output * part->n_rows, *v = part->curvature + output * part->n_rows;
  Sums sums = { 0 };

  for (gsize i = 0; i < part->n_rows; i++)
    {
      double x = values[part->rows[i]];

      sums.r += r[i] * x;
      sums.vx += v[i] * x;
      sums.vxx += v[i] * x * x;
    }
  return gain_of (&sums, sum_r, sum_v);
}

/* What the best term of each column of a block gains. @terms: which it is, a literal, or G_MAXUINT - the number's
 * index; may be NULL. */
static void
score_block (const Screening *self,
             Part            *part,
             double          *best,
             guint           *terms)
{
  const MtEncoded *encoded = self->encoded;
  guint n_groups = mt_encoded_get_n_groups (encoded), n_outputs = self->input->n_outputs;
  g_autofree double *totals = g_new (double, 2 * n_outputs);
  double gains[MT_GROUP_MAX_LITERALS];

  for (guint c = 0; c < n_outputs; c++)
    get_totals (part, c, &totals[2 * c], &totals[2 * c + 1]);
  for (guint g = 0; g < n_groups && !g_cancellable_is_cancelled (self->cancellable); g++)
    {
      const MtGroup *group = &mt_encoded_get_groups (encoded)[g];

      memset (gains, 0, group->n_literals * sizeof gains[0]);
      for (guint c = 0; c < n_outputs; c++)
        add_literal_gains (part, c, group, mt_encoded_get_codes (encoded, g), totals[2 * c], totals[2 * c + 1], gains);
      best[g] = -1;
      for (guint l = 0; l < group->n_literals; l++)
        if (gains[l] > best[g])
          {
            best[g] = gains[l];
            if (terms != NULL)
              terms[g] = group->first_literal + l;
          }
    }
  for (guint u = 0; self->input->has_linear_terms && u < mt_encoded_get_n_numeric (encoded) && !g_cancellable_is_cancelled (self->cancellable); u++)
    {
      guint column = mt_encoder_get_numeric (self->encoder, u)->column;
      double gain = 0;

      for (guint c = 0; c < n_outputs; c++)
        gain += number_gain (part, c, mt_encoded_get_numeric (encoded, u), totals[2 * c], totals[2 * c + 1]);
      if (gain > best[column])
        {
          best[column] = gain;
          if (terms != NULL)
            terms[column] = G_MAXUINT - u;
        }
    }
}

/* One part on one thread, with its own list of scores. */
static void
score_part (guint    number,
            guint    worker,
            gpointer data)
{
  const Screening *self = data;
  Part *part = &self->parts[number];
  guint n_groups = mt_encoded_get_n_groups (self->encoded);
  g_autofree double *best = g_new0 (double, MAX (n_groups, 1));

  score_block (self, part, best, NULL);
  for (guint g = 0; g < n_groups; g++)
    {
      Score score = { best[g], self->columns[g], mt_encoded_get_groups (self->encoded)[g].n_literals };

      g_array_append_val (part->scores, score);
    }
}

/* Scores every column in every part.
 *
 * Both rounds score every column again. A column that is kept already is scored, too, and
 * passed over by keep_best(). */
static gboolean
score_all (Screening     *self,
           const GArray  *features,
           double         done_from,
           double         done_to,
           MtPool        *pool,
           GError       **error)
{
  g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint));
  const MtTargetRows *rows = self->input->rows;
  guint block = get_block_size (rows->n_rows);

  for (guint p = 0; p < self->n_parts; p++)
    g_array_set_size (self->parts[p].scores, 0);
  for (guint from = 0; from < features->len; from += block)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (MtEncoder) encoder = fit_columns (self->input, &g_array_index (features, guint, from),
                                                   MIN (block, features->len - from), self->input->encoder->n_threads,
                                                   used, &local);
      g_autoptr (MtEncoded) encoded = NULL;

      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      if (encoder == NULL)
        continue;
      encoded = mt_encoder_apply (encoder, self->input->table, rows->rows, rows->n_rows, NULL, error);
      if (encoded == NULL)
        return FALSE;
      self->encoder = encoder;
      self->encoded = encoded;
      self->columns = (const guint *) (gpointer) used->data;
      mt_pool_run (pool, self->n_parts, score_part, self);
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (self->progress != NULL)
        self->progress (done_from + (done_to - done_from) * MIN (from + block, features->len) / features->len,
                        self->progress_data);
    }
  return TRUE;
}

/* --- choosing --- */

static int
compare_scores (gconstpointer a,
                gconstpointer b)
{
  const Score *p = a, *q = b;

  if (p->gain != q->gain)
    return p->gain > q->gain ? -1 : 1;
  return p->column < q->column ? -1 : p->column > q->column;
}

static int
compare_columns (gconstpointer a,
                 gconstpointer b)
{
  guint p = *(const guint *) a, q = *(const guint *) b;

  return p < q ? -1 : p > q;
}

/* Fills @n_places with the best that are not in yet.
 *
 * Columns that would bring the literals above @limit are passed over, and a smaller one
 * further down may still fit. The first column is always kept. */
static void
keep_best (Part  *part,
           guint  n_places,
           guint  limit)
{
  g_autoptr (GHashTable) in = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < part->kept->len; i++)
    g_hash_table_add (in, GUINT_TO_POINTER (g_array_index (part->kept, guint, i)));
  g_array_sort (part->scores, compare_scores);
  for (guint i = 0; i < part->scores->len && part->kept->len < n_places; i++)
    {
      const Score *score = &g_array_index (part->scores, Score, i);

      if (g_hash_table_contains (in, GUINT_TO_POINTER (score->column)) ||
          (part->kept->len > 0 && part->n_kept_literals + score->n_literals > limit))
        continue;
      g_array_append_val (part->kept, score->column);
      part->n_kept_literals += score->n_literals;
    }
  g_array_sort (part->kept, compare_columns);
}

/* --- fits --- */

/* What is left over after a fit of the best term of each column kept; without any, of the intercept.
 *
 * The first time nothing is kept, and the residuals are those of the intercept. The second
 * time each kept column enters with its one best term; this is enough to see what other
 * columns would add, and small enough to fit at once. */
static gboolean
fit_part (const Screening  *self,
          Part             *part,
          GError          **error)
{
  const MtScreenInput *input = self->input;
  g_autoptr (MtLinearFit) fit = mt_linear_fit_new (input->task, input->n_outputs, part->target, part->n_rows,
                                                   (MtRidge) { FIT_RIDGE, 0 });
  g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (MtEncoder) encoder = NULL;
  g_autoptr (MtEncoded) all = NULL;
  g_autoptr (MtEncoded) encoded = NULL;

  mt_linear_fit_set_class_weights (fit, part->class_weights);
  if (part->kept->len > 0)
    {
      Screening block = *self;
      g_autofree double *best = NULL;
      g_autofree guint *terms = NULL;

      /* The parts have the threads. */
      encoder = fit_columns (input, (const guint *) (gpointer) part->kept->data, part->kept->len, 1, used, error);
      if (encoder == NULL)
        return FALSE;
      all = mt_encoder_apply (encoder, input->table, input->rows->rows, input->rows->n_rows, NULL, error);
      if (all == NULL)
        return FALSE;
      block.encoder = encoder;
      block.encoded = all;
      best = g_new0 (double, used->len);
      terms = g_new0 (guint, used->len);
      score_block (&block, part, best, terms);
      encoded = mt_encoded_take_rows (all, part->rows, part->n_rows);
      for (guint i = 0; i < used->len; i++)
        mt_linear_fit_add (fit, terms[i] < mt_encoded_get_n_literals (encoded)
                                ? (MtLinearFitColumn) { mt_encoded_get_plane (encoded, terms[i]), NULL }
                                : (MtLinearFitColumn) { NULL, mt_encoded_get_numeric (encoded, G_MAXUINT - terms[i]) });
    }
  if (!mt_linear_fit_fit (fit, FIT_STEPS, FIT_TOLERANCE, self->cancellable, error))
    return FALSE;
  for (guint c = 0; c < input->n_outputs; c++)
    {
      memcpy (part->residual + c * part->n_rows, mt_linear_fit_get_residual (fit, c), part->n_rows * sizeof (double));
      memcpy (part->curvature + c * part->n_rows, mt_linear_fit_get_curvature (fit, c), part->n_rows * sizeof (double));
    }
  return TRUE;
}

static void
fit_task (guint    number,
          guint    worker,
          gpointer data)
{
  Screening *self = data;

  if (self->cancellable != NULL)
    g_cancellable_push_current (self->cancellable);
  fit_part (self, &self->parts[number], &self->parts[number].error);
  if (self->cancellable != NULL)
    g_cancellable_pop_current (self->cancellable);
}

static gboolean
fit_all (Screening  *self,
         MtPool     *pool,
         GError    **error)
{
  mt_pool_run (pool, self->n_parts, fit_task, self);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  for (guint p = 0; p < self->n_parts; p++)
    if (self->parts[p].error != NULL)
      {
        g_propagate_error (error, g_steal_pointer (&self->parts[p].error));
        return FALSE;
      }
  return TRUE;
}

/* --- parts --- */

/* The rows that the part learns from, with their targets, standardized by themselves for
 * numbers. A fold's held rows are left out here, and so from everything that follows. */
static gboolean
part_init (Part                 *part,
           const MtScreenInput  *input,
           const guint8         *fold_of,
           guint                 fold,
           guint                 n_folds,
           GError              **error)
{
  const MtTargetRows *rows = input->rows;
  gsize n_doubles = MAX (rows->n_rows, 1) * input->n_outputs;
  g_autofree double *target = g_try_new (double, MAX (rows->n_rows, 1));

  part->scores = g_array_new (FALSE, FALSE, sizeof (Score));
  part->kept = g_array_new (FALSE, FALSE, sizeof (guint));
  part->rows = g_try_new (guint32, MAX (rows->n_rows, 1));
  part->residual = g_try_new0 (double, n_doubles);
  part->curvature = g_try_new0 (double, n_doubles);
  if (target == NULL || part->rows == NULL || part->residual == NULL || part->curvature == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                   _("Not enough memory: choosing among the columns needs %zu MB. Close other programs, or ignore columns"),
                   2 * n_doubles * sizeof (double) / 1000000 + 1);
      return FALSE;
    }
  for (gsize r = 0; r < rows->n_rows; r++)
    if (fold_of == NULL || mt_split_is_learned (fold_of[r], fold, n_folds))
      {
        target[part->n_rows] = rows->values[r];
        part->rows[part->n_rows++] = (guint32) r;
      }
  if (input->balance_classes && input->task != MT_TASK_REGRESSION)
    part->class_weights = mt_refine_balance (target, part->n_rows, input->task == MT_TASK_BINARY ? 2 : input->n_outputs);
  if (input->task == MT_TASK_REGRESSION && part->n_rows > 0)
    {
      double centre, scale;

      part->target = mt_refine_standardise (target, part->n_rows, &centre, &scale);
    }
  else
    part->target = g_steal_pointer (&target);
  return TRUE;
}

static void
part_clear (Part *part)
{
  g_free (part->rows);
  g_free (part->target);
  g_free (part->class_weights);
  g_free (part->residual);
  g_free (part->curvature);
  g_clear_pointer (&part->scores, g_array_unref);
  g_clear_pointer (&part->kept, g_array_unref);
  g_clear_error (&part->error);
}

/* Two rounds of: fit what is kept, score all columns by the residuals, keep the best. */
static gboolean
run_screening (Screening     *self,
               const GArray  *features,
               MtPool        *pool,
               GError       **error)
{
  gsize n_rows = self->input->rows->n_rows;
  guint limit = get_limit (n_rows);

  if (!fit_all (self, pool, error) || !score_all (self, features, 0, .5, pool, error))
    return FALSE;
  for (guint p = 0; p < self->n_parts; p++)
    keep_best (&self->parts[p], (guint) (mt_screen_get_n_places (self->parts[p].n_rows) * FIRST_SHARE), limit);
  if (!fit_all (self, pool, error) || !score_all (self, features, .5, 1, pool, error))
    return FALSE;
  for (guint p = 0; p < self->n_parts; p++)
    keep_best (&self->parts[p], mt_screen_get_n_places (self->parts[p].n_rows), limit);
  return TRUE;
}

/* Each part's columns are a list of its own, so the parts need not have the same number.
 * n_offered counts the columns that carry literals at all. */
MtScreen *
mt_screen_new (const MtScreenInput   *input,
               const guint8          *fold_of,
               guint                  n_folds,
               guint                  n_repeats,
               MtScreenProgressFunc   progress,
               gpointer               progress_data,
               GError               **error)
{
  g_autoptr (GArray) features = list_features (input);
  g_autoptr (MtPool) pool = mt_pool_new (input->encoder->n_threads);
  MtScreen *screen = NULL;
  gboolean has_parts;
  Screening self = {
    .input = input, .n_parts = 1 + n_folds * n_repeats, .cancellable = g_cancellable_get_current (),
    .progress = progress, .progress_data = progress_data,
  };

  self.parts = g_new0 (Part, self.n_parts);
  has_parts = part_init (&self.parts[0], input, NULL, 0, n_folds, error);
  for (guint p = 1; p < self.n_parts && has_parts; p++)
    has_parts = part_init (&self.parts[p], input, fold_of + (p - 1) / n_folds * input->rows->n_rows, (p - 1) % n_folds, n_folds, error);
  if (has_parts && run_screening (&self, features, pool, error))
    {
      screen = g_new0 (MtScreen, 1);
      screen->n_parts = self.n_parts;
      screen->n_offered = self.parts[0].scores->len;
      screen->n_kept = g_new0 (guint, self.n_parts);
      screen->kept = g_new0 (guint *, self.n_parts);
      for (guint p = 0; p < self.n_parts; p++)
        {
          screen->n_kept[p] = self.parts[p].kept->len;
          screen->kept[p] = g_memdup2 (self.parts[p].kept->data, self.parts[p].kept->len * sizeof (guint));
        }
    }
  for (guint p = 0; p < self.n_parts; p++)
    part_clear (&self.parts[p]);
  g_free (self.parts);
  return screen;
}

void
mt_screen_free (MtScreen *self)
{
  if (self == NULL)
    return;
  for (guint p = 0; p < self->n_parts; p++)
    g_free (self->kept[p]);
  g_free (self->kept);
  g_free (self->n_kept);
  g_free (self);
}
