/* The smallest change that flips an answer (mt-what-if.h says why this is exact).
 *
 * A column's cells are kept as pieces: a point (a level, missing, or the nearest number of an
 * interval), or a stretch of numbers from its end near the row's value to its far end where the column
 * has a numeric term. The interval of the row's own value then is two stretches. A pair of pieces is a
 * box; distances grow from its near corner, so a box whose near corner is no nearer than the best change
 * known is left out. */
#include "config.h"
#include "mt-what-if.h"

#include <math.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-what-if-private.h"

/* Halvings until neighboring doubles; more only for crossings next to zero, which then are closer
 * than 2^-200 of the stretch. */
#define MAX_HALVINGS 200

typedef struct {
  MtRawValue near, far;     /* equal: a point */
  gboolean   is_stretch;
} Piece;

typedef struct {
  MtWhatIfRow    row;
  const GArray  *values;
  gboolean      *used;        /* literals of the rules */
  gboolean      *stretches;   /* columns that have a numeric term */
  GPtrArray     *pieces;      /* for each column, an array of Piece; empty when nothing looks at it */
  double         cutoff;
  double        *scores;      /* scratch */
  guint          answer;      /* what is to flip */
} Search;

static void
search_clear (Search *self)
{
  mt_what_if_row_clear (&self->row);
  g_free (self->used);
  g_free (self->stretches);
  g_clear_pointer (&self->pieces, g_ptr_array_unref);
  g_free (self->scores);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

static const MtRawValue *
get_value (const Search *self,
           guint         column)
{
  return &g_array_index (self->values, MtRawValue, column);
}

/* The class, or the side of the cutoff; FALSE when the score is not finite. */
static gboolean
answer (Search *self,
        guint  *out)
{
  MtTask task = mt_rule_set_get_task (self->row.rules);
  guint n_outputs = mt_rule_set_get_n_outputs (self->row.rules);

  if (!mt_what_if_row_score (&self->row, self->scores))
    return FALSE;
  mt_task_link (task, n_outputs, 1, self->scores);
  *out = task == MT_TASK_REGRESSION ? self->scores[0] >= self->cutoff
                                    : mt_task_decide (task, mt_rule_set_get_cutoff (self->row.rules), n_outputs, 1, self->scores, 0);
  return TRUE;
}

static gboolean
flips (Search           *self,
       guint             column,
       const MtRawValue *value)
{
  guint now;

  mt_what_if_row_set (&self->row, column, value);
  return answer (self, &now) && now != self->answer;
}

/* --- cells --- */

static double
get_scale (const MtEncoderColumn *column)
{
  return column->sd > 0 ? column->sd : column->max > column->min ? column->max - column->min : 1;
}

/* Where distances are counted from: an infinite value is the end of the training range, as it is for
 * a numeric term. */
static double
get_origin (const MtEncoderColumn *column,
            double                 value)
{
  return isinf (value) ? (value < 0 ? column->min : column->max) : value;
}

double
mt_what_if_get_distance (const MtEncoderColumn *column,
                         const MtRawValue      *old,
                         const MtRawValue      *value)
{
  if (column->levels == NULL && !mt_raw_value_is_missing (old, column) && !value->is_missing)
    return fabs (value->number - get_origin (column, old->number)) / get_scale (column);
  return 1;
}

static double
get_distance (const Search     *self,
              guint             index,
              const MtRawValue *value)
{
  return mt_what_if_get_distance (mt_encoder_get_column (self->row.encoder, index), get_value (self, index), value);
}

static void
add_piece (GArray     *pieces,
           MtRawValue  near,
           MtRawValue  far)
{
  Piece piece = { near, far, near.number != far.number };

  g_array_append_val (pieces, piece);
}

/* The interval [low, high] of a number, seen from the row's value; from a missing one, from the mean. */
static void
add_interval (const Search *self,
              guint         index,
              double        low,
              double        high,
              GArray       *pieces)
{
  const MtEncoderColumn *column = mt_encoder_get_column (self->row.encoder, index);
  const MtRawValue *old = get_value (self, index);
  gboolean was_missing = mt_raw_value_is_missing (old, column);
  double origin = was_missing ? column->mean : get_origin (column, old->number);
  double near = CLAMP (origin, low, high);
  MtRawValue at = { FALSE, near, NULL };

  if (self->stretches[index])
    {
      if (near < high)
        add_piece (pieces, at, (MtRawValue) { FALSE, high, NULL });
      if (near > low)
        add_piece (pieces, at, (MtRawValue) { FALSE, low, NULL });
      if (low == high)
        add_piece (pieces, at, at);
    }
  else if (was_missing || near != origin)
    add_piece (pieces, at, at);
}

static void
add_intervals (const Search *self,
               guint         index,
               GArray       *pieces)
{
  const MtEncoderColumn *column = mt_encoder_get_column (self->row.encoder, index);
  const MtGroup *group = &mt_encoder_get_groups (self->row.encoder)[index];
  const MtRawValue *old = get_value (self, index);
  gboolean was_missing = mt_raw_value_is_missing (old, column);
  double first = was_missing ? column->min : MIN (column->min, get_origin (column, old->number));
  double last = was_missing ? column->max : MAX (column->max, get_origin (column, old->number));
  double low = -INFINITY;

  for (guint i = 0; i <= column->n_thresholds; i++)
    {
      double high;

      if (i < column->n_thresholds && !self->used[group->first_literal + i])
        continue;
      high = i < column->n_thresholds ? nextafter (column->thresholds[i], -INFINITY) : MAX (last, low);
      add_interval (self, index, isinf (low) ? MIN (first, high) : low, high, pieces);
      if (i < column->n_thresholds)
        low = column->thresholds[i];
    }
}

/* Each level that a rule asks for, and one that none does. */
static void
add_levels (const Search *self,
            guint         index,
            GArray       *pieces)
{
  const MtEncoderColumn *column = mt_encoder_get_column (self->row.encoder, index);
  const MtGroup *group = &mt_encoder_get_groups (self->row.encoder)[index];
  guint n_levels = g_strv_length (column->levels);
  gboolean asks_other = column->has_other && self->used[group->first_literal + n_levels];
  const char *unasked = NULL;

  for (guint i = 0; i < n_levels; i++)
    if (self->used[group->first_literal + i])
      add_piece (pieces, (MtRawValue) { FALSE, 0, column->levels[i] }, (MtRawValue) { FALSE, 0, column->levels[i] });
    else if (unasked == NULL)
      unasked = column->levels[i];
  if (column->rest[0] != NULL && asks_other)
    add_piece (pieces, (MtRawValue) { FALSE, 0, column->rest[0] }, (MtRawValue) { FALSE, 0, column->rest[0] });
  else if (unasked == NULL)
    unasked = column->rest[0];
  if (unasked != NULL)
    add_piece (pieces, (MtRawValue) { FALSE, 0, (char *) unasked }, (MtRawValue) { FALSE, 0, (char *) unasked });
}

static void
add_cells (const Search *self,
           guint         index,
           GArray       *pieces)
{
  const MtEncoderColumn *column = mt_encoder_get_column (self->row.encoder, index);
  const MtGroup *group = &mt_encoder_get_groups (self->row.encoder)[index];
  gboolean is_used = self->stretches[index];

  for (guint i = 0; i < group->n_literals; i++)
    is_used = is_used || self->used[group->first_literal + i];
  if (!is_used)
    return;
  if (column->levels != NULL)
    add_levels (self, index, pieces);
  else
    add_intervals (self, index, pieces);
  if (column->has_missing && !mt_raw_value_is_missing (get_value (self, index), column))
    add_piece (pieces, (MtRawValue) { TRUE, 0, NULL }, (MtRawValue) { TRUE, 0, NULL });
}

static void
find_used (Search *self)
{
  const MtRuleSet *rules = self->row.rules;

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (!term->is_numeric)
        for (guint i = 0; i < mt_rule_get_n_inputs (term->rule); i++)
          self->used[mt_rule_get_inputs (term->rule)[i]] = TRUE;
      else
        self->stretches[mt_encoder_get_numeric (self->row.encoder, term->numeric)->column] = TRUE;
    }
}

/* --- one edge: all but one column fixed --- */

/* The nearest value of @piece in @column that flips, the other columns as they are in the row. */
static gboolean
walk (Search      *self,
      guint        column,
      const Piece *piece,
      MtRawValue  *value)
{
  double inside = piece->near.number, outside = piece->far.number;

  *value = piece->near;
  if (flips (self, column, value))
    return TRUE;
  *value = piece->far;
  if (!piece->is_stretch || !flips (self, column, value))
    return FALSE;
  for (guint i = 0; i < MAX_HALVINGS; i++)
    {
      double middle = inside / 2 + outside / 2;

      if (middle == inside || middle == outside)
        break;
      value->number = middle;
      if (flips (self, column, value))
        outside = middle;
      else
        inside = middle;
    }
  value->number = outside;
  return TRUE;
}

static void
restore (Search *self,
         guint   column)
{
  mt_what_if_row_set (&self->row, column, get_value (self, column));
}

static gboolean
search_column (Search   *self,
               guint     column,
               MtChange *best)
{
  const GArray *pieces = g_ptr_array_index (self->pieces, column);

  *best = (MtChange) { .n_steps = 1, .distance = INFINITY };
  for (guint i = 0; i < pieces->len; i++)
    {
      MtRawValue value;

      if (walk (self, column, &g_array_index (pieces, Piece, i), &value) &&
          get_distance (self, column, &value) < best->distance)
        {
          best->steps[0] = (MtStep) { column, value };
          best->distance = get_distance (self, column, &value);
        }
    }
  restore (self, column);
  return isfinite (best->distance);
}

/* @fixed at @at while the @piece of @moved is walked. */
static void
search_edge (Search           *self,
             guint             fixed,
             const MtRawValue *at,
             guint             moved,
             const Piece      *piece,
             MtChange         *best)
{
  double fixed_distance = get_distance (self, fixed, at), distance;
  MtRawValue value;

  if (fixed_distance == 0 || fixed_distance + get_distance (self, moved, &piece->near) >= best->distance)
    return;
  mt_what_if_row_set (&self->row, fixed, at);
  if (!walk (self, moved, piece, &value))
    return;
  distance = get_distance (self, moved, &value);
  if (distance > 0 && fixed_distance + distance < best->distance)
    {
      best->n_steps = 2;
      best->steps[fixed < moved ? 0 : 1] = (MtStep) { fixed, *at };
      best->steps[fixed < moved ? 1 : 0] = (MtStep) { moved, value };
      best->distance = fixed_distance + distance;
    }
}

static void
search_pair (Search   *self,
             guint     a,
             guint     b,
             MtChange *best)
{
  const GArray *of_a = g_ptr_array_index (self->pieces, a), *of_b = g_ptr_array_index (self->pieces, b);

  for (guint i = 0; i < of_a->len; i++)
    for (guint j = 0; j < of_b->len; j++)
      {
        const Piece *p = &g_array_index (of_a, Piece, i), *q = &g_array_index (of_b, Piece, j);

        search_edge (self, a, &p->near, b, q, best);
        if (p->is_stretch)
          search_edge (self, a, &p->far, b, q, best);
        if (!p->is_stretch)
          continue;
        search_edge (self, b, &q->near, a, p, best);
        if (q->is_stretch)
          search_edge (self, b, &q->far, a, p, best);
      }
  restore (self, a);
  restore (self, b);
}

int
mt_what_if_compare_changes (gconstpointer a,
                            gconstpointer b)
{
  const MtChange *x = a, *y = b;

  if (x->distance != y->distance)
    return x->distance < y->distance ? -1 : 1;
  return (x->steps[0].column > y->steps[0].column) - (x->steps[0].column < y->steps[0].column);
}

/* Does a rule or a numeric term look at the column? */
static gboolean
looks_at (const Search *self,
          guint         column)
{
  gboolean looks = self->stretches[column];

  for (guint l = 0; l < mt_encoder_get_n_literals (self->row.encoder) && !looks; l++)
    looks = self->used[l] && mt_encoder_get_literal (self->row.encoder, l)->column == column;
  return looks;
}

/* Columns that cannot change alone: those that a derived column in use is made of, and a derived column all of whose columns the
 * model looks at. */
static void
fix_derived (const Search *self,
             gboolean     *fixed)
{
  const MtEncoder *encoder = self->row.encoder;
  guint n = mt_encoder_get_n_columns (encoder);

  for (guint i = 0; i < n; i++)
    {
      const MtFormula *formula = mt_encoder_get_column (encoder, i)->formula;
      guint n_seen = 0;

      if (formula == NULL || !looks_at (self, i))
        continue;
      for (guint k = 0; k < mt_formula_get_n_sources (formula); k++)
        for (guint c = 0; c < n; c++)
          if (g_str_equal (mt_encoder_get_column_name (encoder, c), mt_formula_get_source (formula, k)->name) &&
              looks_at (self, c))
            {
              fixed[c] = TRUE;
              n_seen++;
            }
      fixed[i] |= n_seen == mt_formula_get_n_sources (formula);
    }
}

GArray *
mt_what_if_find_changes (const MtEncoder  *encoder,
                         const MtRuleSet  *rules,
                         const GArray     *values,
                         double            cutoff,
                         GCancellable     *cancellable,
                         GError          **error)
{
  return mt_what_if_find_changes_but (encoder, rules, values, cutoff, NULL, cancellable, error);
}

GArray *
mt_what_if_find_changes_but (const MtEncoder  *encoder,
                             const MtRuleSet  *rules,
                             const GArray     *values,
                             double            cutoff,
                             const gboolean   *locked,
                             GCancellable     *cancellable,
                             GError          **error)
{
  g_autofree gboolean *fixed = g_new0 (gboolean, mt_encoder_get_n_columns (encoder) + 1);
  g_auto (Search) self = { .values = values, .cutoff = cutoff };
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (MtChange));
  guint n_columns = mt_encoder_get_n_columns (encoder);
  MtChange pair = { .distance = INFINITY };

  if (!mt_what_if_row_init (&self.row, encoder, rules, values, error))
    return NULL;
  self.scores = g_new (double, mt_rule_set_get_n_outputs (rules));
  self.used = g_new0 (gboolean, MAX (mt_encoder_get_n_literals (encoder), 1));
  self.stretches = g_new0 (gboolean, MAX (n_columns, 1));
  if (!answer (&self, &self.answer))
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_NUMERIC,
                           _("the score is too large for a number; check the values"));
      return NULL;
    }
  find_used (&self);
  fix_derived (&self, fixed);
  self.pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < n_columns; i++)
    {
      g_ptr_array_add (self.pieces, g_array_new (FALSE, FALSE, sizeof (Piece)));
      if (!fixed[i] && (locked == NULL || !locked[i]))
        add_cells (&self, i, g_ptr_array_index (self.pieces, i));
    }
  for (guint i = 0; i < n_columns; i++)
    {
      MtChange change;

      if (search_column (&self, i, &change))
        {
          g_array_append_val (changes, change);
          pair.distance = MIN (pair.distance, change.distance);   /* only what is smaller is of use */
        }
    }
  for (guint i = 0; i < n_columns; i++)
    for (guint j = i + 1; j < n_columns; j++)
      {
        if (g_cancellable_set_error_if_cancelled (cancellable, error))
          return NULL;
        search_pair (&self, i, j, &pair);
      }
  if (pair.n_steps == 2)
    g_array_append_val (changes, pair);
  g_array_sort (changes, mt_what_if_compare_changes);
  return g_steal_pointer (&changes);
}
