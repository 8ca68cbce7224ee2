/* Scores of all literals for a place, by sums over the rows.
 *
 * With f₀ and f₁ of the place, a rule with the literal x there is true of f₀'s rows, plus those where x is true and only
 * f₁ is, less those where x is true and only f₀ is. The rows where f₀ ≠ f₁ are open. So of any number that a row has,
 * the rule's sum is
 *
 *   Σ over f₀'s rows + Σ over open rows where x is true, ±
 *
 * and a histogram by code of the open rows, one per column, gives it for every literal and its negation by a running
 * sum. A row has, one after the other in float (mt-linear-fit-without.h): its part q of the columns made orthogonal,
 * the residual r and the curvature h. From the sums of these the score is what the refitted loss would fall by, to
 * second order, with all weights free:
 *
 *   g = r + (w_j / √[H⁻¹]_jj) (q·l)          w_j the weight that goes, l its direction
 *   score = ½ g² / (h + λ - q·q + (q·l)²)
 *
 * Only l depends on which term the place is in, so the sums are those of the rows alone, and most of them are had
 * without a pass over the rows:
 *
 *   every row is open (the literal is alone)       once per column, until the model changes
 *   more than half of the rows are open            the sum over all rows less that over the closed ones
 *   the open rows of the last place, or its closed ones    as they were: "f and x" and "f or x" share theirs
 *
 * An example: 5,000 rows, 12 terms and so 13 columns with the bias, which makes 16 floats
 * a row. A place with 800 open rows and 20 columns of 10 codes adds 800 × 20 rows of 16
 * floats, 256,000 additions, and then scores 200 literals with a few products of 16
 * numbers each. Asking
 * for one exact gain takes 5,000 × 13.
 *
 * Sizes: rows that are open or closed, whichever are fewer, × columns × terms, a place; kept sums take outputs × codes of
 * all columns × terms, twice. Above SCORED_ROWS rows every second, third … row is scored. */
#include "config.h"
#include "mt-refine-place.h"

#include <math.h>
#include <string.h>

#include "base/mt-target-clones.h"
#include "rules/mt-linear-fit-without.h"

#define SCORED_ROWS  20000
/* Terms that a model may have to be looked at, the bias, the residual and the curvature. */
#define MAX_STRIDE   128

/* Sums of the rows of a basis, by code. */
typedef struct {
  float  **by_code;       /* per output and column: codes × stride; NULL: not known */
  float   *all;           /* outputs × stride */
  gboolean all_known;
} Sums;

/* What is summed over the open rows: from_all × those of all rows + from_listed × those of the listed ones. */
typedef struct {
  int      from_all, from_listed;
  float   *base, *open;   /* outputs × stride: f₀'s rows, and the open ones */
} Parts;

struct _MtPlaceScorer {
  MtRefine          *refine;
  guint              n_groups;
  gsize              step;          /* every so many rows are scored */
  gsize              n_scored;
  gsize              stride;        /* of the bases, the same for all outputs */
  guint              r_at, h_at;    /* where a row has its residual and its curvature */
  MtLinearFitBasis **bases;         /* per output */
  float             *without;       /* outputs × stride: the direction that goes */
  double            *lost;          /* per output: what of the weight goes along it */
  Sums               all, listed;
  guint32           *list, *spare, *others;   /* scored rows, ascending: those of @listed; room for the next */
  gsize              n_listed;
  gint8             *signs;         /* of f₁ - f₀ at the listed rows, where both signs occur */
  gboolean           is_signed;
  Parts              parts;
  float             *combined;      /* 256 × stride: scratch */
  float            **numeric;       /* per output and numeric column: stride, Σ x · row; NULL: not known */
  double            *numeric_square;   /* Σ x² h */
};

/* Rows of a basis come in whole vectors. */
typedef float Vector __attribute__ ((vector_size (64)));

#define LANES 16
/* Sums of a code that rows add to in turn: a power of two. */
#define PARTS 4

/* Macros, for a function that returns a vector is another one for each processor. */
#define load(from) \
  (G_GNUC_EXTENSION ({ Vector loaded_; memcpy (&loaded_, (from), sizeof loaded_); loaded_; }))
#define store(to, v) \
  G_STMT_START { Vector stored_ = (v); memcpy ((to), &stored_, sizeof stored_); } G_STMT_END

/* The sum of a vector's lanes, halves added to halves: a fixed order. */
static inline float
add_lanes (const Vector *v)
{
  float lanes[LANES];

  memcpy (lanes, v, sizeof lanes);
  for (guint width = LANES / 2; width > 0; width /= 2)
    for (guint i = 0; i < width; i++)
      lanes[i] += lanes[i + width];
  return lanes[0];
}

/* to += factor · from. */
MT_CLONES static void
add_row (float       *to,
         const float *from,
         float        factor,
         gsize        n)
{
  for (gsize k = 0; k < n; k += LANES)
    store (to + k, load (to + k) + factor * load (from + k));
}

/* to += Σ over the first @n rows of x · row, x being @step apart. */
MT_CLONES static void
add_rows_times (const double *x,
                gsize         step,
                const float  *basis,
                gsize         stride,
                gsize         n,
                float        *to)
{
  for (gsize k = 0; k < stride; k += LANES)
    {
      Vector sum = load (to + k);

      for (gsize i = 0; i < n; i++)
        sum += (float) x[i * step] * load (basis + i * stride + k);
      store (to + k, sum);
    }
}

/* to += Σ over those of the first @n rows whose pattern is one to take; patterns are @step apart. */
MT_CLONES static void
add_rows_of_patterns (const guint16 *patterns,
                      gsize          step,
                      const guint8  *take,
                      const float   *basis,
                      gsize          stride,
                      gsize          n,
                      float         *to)
{
  for (gsize i = 0; i < n; i++)
    if (take[patterns[i * step]])
      for (gsize k = 0; k < stride; k += LANES)
        store (to + k, load (to + k) + load (basis + i * stride + k));
}

/* Σ over the listed rows of a row of the basis, by code; @list NULL: over the first @n rows. Row i adds to part i mod
 * @n_parts of @by_code, @size numbers each: rows of one code, of which there may be few, need not wait for each other. */
MT_CLONES static void
add_rows_by_code (const guint32 *list,
                  const gint8   *signs,
                  gsize          n,
                  gsize          step,
                  const guint8  *codes,
                  const float   *basis,
                  gsize          stride,
                  guint          n_parts,
                  gsize          size,
                  float         *by_code)
{
  for (gsize i = 0; i < n; i++)
    {
      gsize row = list != NULL ? list[i] : i;
      const float *from = basis + row * stride;
      float *to = by_code + (i & (n_parts - 1)) * size + codes[row * step] * stride;

      if (signs != NULL && signs[i] < 0)
        for (gsize k = 0; k < stride; k += LANES)
          store (to + k, load (to + k) - load (from + k));
      else
        for (gsize k = 0; k < stride; k += LANES)
          store (to + k, load (to + k) + load (from + k));
    }
}

/* --- sums --- */

static void
sums_init (Sums                *self,
           const MtPlaceScorer *scorer)
{
  self->by_code = g_new0 (float *, MAX (1, scorer->refine->n_outputs * (gsize) scorer->n_groups));
  self->all = g_new0 (float, scorer->refine->n_outputs * scorer->stride);
}

/* The sums no longer belong to the listed rows. */
static void
sums_forget (Sums                *self,
             const MtPlaceScorer *scorer)
{
  for (gsize i = 0; i < scorer->refine->n_outputs * (gsize) scorer->n_groups; i++)
    g_clear_pointer (&self->by_code[i], g_free);
  self->all_known = FALSE;
}

static void
sums_clear (Sums                *self,
            const MtPlaceScorer *scorer)
{
  if (self->by_code != NULL)
    sums_forget (self, scorer);
  g_free (self->by_code);
  g_free (self->all);
}

/* Makes the sums of one column the first time they are asked for, and keeps them. Few codes
 * get several partial sums, which are joined at the end in a fixed order. */
static const float *
sum_codes (MtPlaceScorer *self,
           Sums          *sums,
           guint          output,
           guint          group)
{
  float **kept = &sums->by_code[output * (gsize) self->n_groups + group];
  guint n_codes = mt_group_get_n_codes (&mt_encoded_get_groups (self->refine->encoded)[group]);
  gboolean is_all = sums == &self->all;
  guint n_parts = n_codes * PARTS <= 256 ? PARTS : 1;
  gsize size = n_codes * self->stride;

  if (*kept == NULL)
    {
      memset (self->combined, 0, n_parts * size * sizeof *self->combined);
      add_rows_by_code (is_all ? NULL : self->list, is_all || !self->is_signed ? NULL : self->signs,
                        is_all ? self->n_scored : self->n_listed, self->step,
                        mt_encoded_get_codes (self->refine->encoded, group), self->bases[output]->rows, self->stride,
                        n_parts, size, self->combined);
      *kept = g_memdup2 (self->combined, size * sizeof (float));
      for (guint part = 1; part < n_parts; part++)
        add_row (*kept, self->combined + part * size, 1, size);
    }
  return *kept;
}

/* Over all codes of the first column, which has one for every row. */
static const float *
sum_rows (MtPlaceScorer *self,
          Sums          *sums)
{
  for (guint c = 0; c < self->refine->n_outputs && !sums->all_known; c++)
    {
      float *all = sums->all + c * self->stride;

      memset (all, 0, self->stride * sizeof *all);
      if (self->n_groups > 0)
        {
          const float *by_code = sum_codes (self, sums, c, 0);
          guint n_codes = mt_group_get_n_codes (mt_encoded_get_groups (self->refine->encoded));

          for (guint code = 0; code < n_codes; code++)
            add_row (all, by_code + code * self->stride, 1, self->stride);
        }
      else
        for (gsize row = 0; row < self->n_scored; row++)
          add_row (all, self->bases[c]->rows + row * self->stride, 1, self->stride);
    }
  sums->all_known = TRUE;
  return sums->all;
}

/* The sums by code over the open rows, for one output and one column. */
static const float *
sum_open (MtPlaceScorer *self,
          guint          output,
          guint          group)
{
  const Parts *parts = &self->parts;
  const float *all = parts->from_all != 0 ? sum_codes (self, &self->all, output, group) : NULL;
  const float *listed = parts->from_listed != 0 ? sum_codes (self, &self->listed, output, group) : NULL;
  gsize size = mt_group_get_n_codes (&mt_encoded_get_groups (self->refine->encoded)[group]) * self->stride;

  if (parts->from_all == 1 && listed == NULL)
    return all;
  if (parts->from_listed == 1 && all == NULL)
    return listed;
  memset (self->combined, 0, size * sizeof *self->combined);
  if (all != NULL)
    add_row (self->combined, all, (float) parts->from_all, size);
  if (listed != NULL)
    add_row (self->combined, listed, (float) parts->from_listed, size);
  return self->combined;
}

/* --- the scorer --- */

gboolean
mt_place_scores_all_rows (const MtRefine *refine)
{
  return refine->n_rows <= SCORED_ROWS;
}

/* Prepares every scored row for every output (mt_linear_fit_basis_new()), which costs rows
 * × terms² and is the largest part of an exchange round on few columns. The list, spare
 * and others arrays hold row numbers of a place; combined is scratch for one column's sums. */
MtPlaceScorer *
mt_place_scorer_new (MtRefine *refine)
{
  g_autoptr (MtPlaceScorer) self = g_new0 (MtPlaceScorer, 1);
  guint n = refine->n_outputs;

  self->refine = refine;
  self->n_groups = mt_encoded_get_n_groups (refine->encoded);
  self->step = (refine->n_rows + SCORED_ROWS - 1) / SCORED_ROWS;
  self->n_scored = (refine->n_rows + self->step - 1) / self->step;
  self->bases = g_new0 (MtLinearFitBasis *, n);
  for (guint c = 0; c < n; c++)
    {
      self->bases[c] = mt_linear_fit_basis_new (refine->head, c, self->step);
      if (self->bases[c] == NULL || self->bases[c]->stride > MAX_STRIDE)
        return NULL;
      self->stride = self->bases[c]->stride;
      self->r_at = self->bases[c]->residual_at;
      self->h_at = self->bases[c]->curvature_at;
    }
  sums_init (&self->all, self);
  sums_init (&self->listed, self);
  self->list = g_new (guint32, self->n_scored + 1);
  self->spare = g_new (guint32, self->n_scored + 1);
  self->others = g_new (guint32, self->n_scored + 1);
  self->signs = g_new (gint8, self->n_scored);
  self->without = g_new0 (float, n * self->stride);
  self->lost = g_new0 (double, n);
  self->parts.base = g_new0 (float, n * self->stride);
  self->parts.open = g_new0 (float, n * self->stride);
  self->combined = g_new0 (float, 256 * self->stride);
  self->numeric = g_new0 (float *, MAX (1, n * (gsize) mt_encoded_get_n_numeric (refine->encoded)));
  self->numeric_square = g_new0 (double, MAX (1, n * (gsize) mt_encoded_get_n_numeric (refine->encoded)));
  return g_steal_pointer (&self);
}

void
mt_place_scorer_free (MtPlaceScorer *self)
{
  if (self == NULL)
    return;
  sums_clear (&self->all, self);
  sums_clear (&self->listed, self);
  for (guint c = 0; c < self->refine->n_outputs; c++)
    mt_linear_fit_basis_free (self->bases[c]);
  g_free (self->bases);
  for (gsize i = 0; self->numeric != NULL && i < self->refine->n_outputs * (gsize) mt_encoded_get_n_numeric (self->refine->encoded);
       i++)
    g_free (self->numeric[i]);
  g_free (self->numeric);
  g_free (self->numeric_square);
  g_free (self->list);
  g_free (self->spare);
  g_free (self->others);
  g_free (self->signs);
  g_free (self->without);
  g_free (self->lost);
  g_free (self->parts.base);
  g_free (self->parts.open);
  g_free (self->combined);
  g_free (self);
}

/* --- the rows of a place --- */

enum { CLOSED_OFF, CLOSED_ON, RISES, FALLS };

/* Makes the first @n rows of @spare the listed ones; the sums are kept if they are the same rows.
 *
 * "f and x" and "f or x" of one rule have the same open rows but for open and closed
 * exchanged so the sums of the one serve the other. */
static void
list_rows (MtPlaceScorer *self,
           gsize          n,
           gboolean       is_signed)
{
  if (!is_signed && !self->is_signed && n == self->n_listed && memcmp (self->list, self->spare, n * sizeof *self->list) == 0)
    return;
  sums_forget (&self->listed, self);
  self->n_listed = n;
  self->is_signed = is_signed;
  memcpy (self->list, self->spare, n * sizeof *self->list);
}

/* Which rows are open, and from which sums theirs are had. @patterns: of the other inputs with bit @dropped among them
 * (G_MAXUINT: without), NULL if there are none. Returns +1, -1 or 0: how the rule goes with the literal to come, 0 both
 * ways.
 *
 * Four kinds of patterns: closed and false, closed and true, rising (false, and true with
 * the literal), falling (true, and false with it). If only rising or only falling ones
 * occur, the rule goes one way, and open rows count with one sign. If both occur, each open
 * row has its own sign, and its sums can be used for this place only.
 *
 * The shorter list is made: that of the open rows, or that of the closed ones, whose sums
 * are then taken from those of all rows. */
static int
open_rows (MtPlaceScorer *self,
           const MtPlace *place,
           const guint16 *patterns,
           guint          dropped)
{
  guint8 kinds[2 * MT_MAX_PATTERNS];
  guint n_patterns = 1u << (place->n_others + (dropped != G_MAXUINT));
  gboolean any[4] = { FALSE };
  gsize n_open = 0, n_closed = 0;
  Parts *parts = &self->parts;
  gsize size = self->refine->n_outputs * self->stride;
  int way;

  for (guint v = 0; v < n_patterns; v++)
    {
      guint w = dropped != G_MAXUINT ? mt_without_bit (v, dropped) : v;
      gboolean off = mt_bits256_get (&place->off, w), on = mt_bits256_get (&place->on, w);

      kinds[v] = off ? (on ? CLOSED_ON : FALLS) : (on ? RISES : CLOSED_OFF);
      any[kinds[v]] = TRUE;
    }
  way = any[RISES] ? (any[FALLS] ? 0 : 1) : -1;
  memset (parts->base, 0, size * sizeof *parts->base);
  memset (parts->open, 0, size * sizeof *parts->open);
  if (patterns == NULL)
    {
      parts->from_all = way;
      parts->from_listed = 0;
    }
  else
    {
      for (gsize i = 0; i < self->n_scored; i++)
        {
          gboolean is_open = kinds[patterns[i * self->step]] >= RISES;

          self->spare[n_open] = (guint32) i;
          n_open += is_open;
          self->others[n_closed] = (guint32) i;
          n_closed += !is_open;
        }
      parts->from_all = way != 0 && n_closed < n_open ? way : 0;
      parts->from_listed = way == 0 ? 1 : parts->from_all != 0 ? -way : way;
      if (parts->from_all != 0)
        {
          guint32 *open = self->spare;

          self->spare = self->others;
          self->others = open;
        }
      list_rows (self, parts->from_all != 0 ? n_closed : n_open, way == 0);
      for (gsize i = 0; i < n_open && way == 0; i++)
        self->signs[i] = kinds[patterns[self->list[i] * self->step]] == RISES ? 1 : -1;
    }
  if (parts->from_all != 0)
    add_row (parts->open, sum_rows (self, &self->all), (float) parts->from_all, size);
  if (parts->from_listed != 0)
    add_row (parts->open, sum_rows (self, &self->listed), (float) parts->from_listed, size);

  /* f₀'s rows: those that are closed and true, and those that fall. */
  if (way > 0 && any[CLOSED_ON] && !any[CLOSED_OFF])
    {
      add_row (parts->base, sum_rows (self, &self->all), 1, size);
      add_row (parts->base, parts->open, -1, size);
    }
  else if (way < 0 && !any[CLOSED_ON])
    add_row (parts->base, parts->open, -1, size);
  else if (patterns != NULL && (any[CLOSED_ON] || any[FALLS]))
    {
      guint8 is_of_off[2 * MT_MAX_PATTERNS];

      for (guint v = 0; v < n_patterns; v++)
        is_of_off[v] = kinds[v] == CLOSED_ON || kinds[v] == FALLS;
      for (guint c = 0; c < self->refine->n_outputs; c++)
        add_rows_of_patterns (patterns, self->step, is_of_off, self->bases[c]->rows, self->stride, self->n_scored,
                              parts->base + c * self->stride);
    }
  else if (any[CLOSED_ON] || any[FALLS])
    add_row (parts->base, sum_rows (self, &self->all), 1, size);
  return way;
}

/* --- scores --- */

/* May the rule have this literal, with a weight of the sign of @g? @way: as of open_rows().
 *
 * If the rule goes both ways in the literal, neither sign of the weight keeps to a
 * direction, so a literal with a direction is not allowed. */
static gboolean
is_allowed (const MtRefine *self,
            guint           literal,
            int             way,
            double          g)
{
  int direction = self->options->directions != NULL ? self->options->directions[literal] : 0;

  if (self->options->no_negation && way <= 0)
    return FALSE;
  return direction == 0 || (way != 0 && g * way * direction >= 0);
}

/* Keeps the MT_PLACE_SHORT best in order; a new one goes behind those of the same score. */
static void
keep_choice (MtPlaceChoice       *best,
             const MtPlaceChoice *choice)
{
  guint at = MT_PLACE_SHORT;

  while (at > 0 && choice->score > best[at - 1].score)
    at--;
  if (at == MT_PLACE_SHORT)
    return;
  memmove (best + at + 1, best + at, (MT_PLACE_SHORT - 1 - at) * sizeof *best);
  best[at] = *choice;
}

/* q = base + sum, or base + open - sum; gives q·q, q·without, and r and h of it, which are in the last vector. */
typedef struct {
  float square, along, r, h;
} Products;

/* For the negation no second walk over the codes is needed: the rows where the literal is
 * false are the open ones less those where it is true. */
MT_CLONES static void
multiply_sums (const float *base,
               const float *open,
               const float *sum,
               const float *without,
               gsize        stride,
               gboolean     negated,
               Products    *products)
{
  Vector squares = { 0 }, alongs = { 0 }, q;

  for (gsize k = 0; k < stride; k += LANES)
    {
      q = negated ? load (base + k) + load (open + k) - load (sum + k) : load (base + k) + load (sum + k);
      alongs += q * load (without + k);
      if (k + LANES == stride)
        {
          products->r = q[LANES - 2];
          products->h = q[LANES - 1];
          q[LANES - 2] = q[LANES - 1] = 0;
        }
      squares += q * q;
    }
  products->square = add_lanes (&squares);
  products->along = add_lanes (&alongs);
}

/* The gradient of the weight that a column with these sums would get. */
static double
gradient_of (const MtPlaceScorer *self,
             guint                output,
             const Products      *products)
{
  return (double) products->r + self->lost[output] * (double) products->along;
}

/* ½ g² / pivot of a column with these sums over the scored rows; @square: Σ x² h, for a literal h itself.
 *
 * The pivot is estimated in floats and from a sample; at least half of the ridge and 2 % of
 * the column's own curvature keep a column that others nearly explain from looking good by
 * rounding. */
static double
score_sums (const MtPlaceScorer *self,
            const Products      *products,
            double               g,
            double               square,
            double               share)
{
  double ridge = mt_ridge_at (self->refine->ridge, CLAMP (share, 0, 1)) / self->step, pivot;
  double along = (double) products->along;

  /* A sample of the rows has that much less of everything: q·q goes with its square. */
  pivot = square + ridge - ((double) products->square - along * along) * self->step;
  return .5 * self->step * g * g / MAX (pivot, .5 * ridge + .02 * MAX (square, 0));
}

/* The best literal of one column for the place.
 *
 * Thresholds are walked from the highest down, adding one code's sums each time (`above`),
 * so every literal costs one addition and one product of `stride` numbers for each sign. */
static void
score_group (MtPlaceScorer *self,
             const MtPlace *place,
             guint          group_index,
             guint          old,
             int            way,
             MtPlaceChoice *best)
{
  const MtRefine *refine = self->refine;
  const MtRefineOptions *options = refine->options;
  const MtGroup *group = &mt_encoded_get_groups (refine->encoded)[group_index];
  guint n_thresholds = group->kind == MT_GROUP_THERMOMETER ? group->n_literals - (group->has_missing ? 1 : 0) : 0;
  /* By itself a literal and its negation are one: the weight says which. */
  guint n_signs = place->n_others == 0 && options->directions == NULL ? 1 : 2;
  g_autofree double *scores = g_new0 (double, 2 * group->n_literals);
  g_autofree double *first_g = g_new0 (double, 2 * group->n_literals);
  MtPlaceChoice choice = { 0 };

  for (guint c = 0; c < refine->n_outputs; c++)
    {
      const float *base = self->parts.base + c * self->stride, *open = self->parts.open + c * self->stride;
      const float *by_code = sum_open (self, c, group_index);
      double h_all = (double) sum_rows (self, &self->all)[c * self->stride + self->h_at];
      float above[MAX_STRIDE] = { 0 };

      for (guint l = group->n_literals; l-- > 0;)
        {
          const float *sum = by_code + (l + 1) * self->stride;

          if (l < n_thresholds)
            {
              add_row (above, sum, 1, self->stride);
              sum = above;
            }
          for (guint negated = 0; negated < n_signs; negated++)
            {
              Products products;
              double g;

              multiply_sums (base, open, sum, self->without + c * self->stride, self->stride, negated, &products);
              g = gradient_of (self, c, &products);
              scores[2 * l + negated] += score_sums (self, &products, g, (double) products.h, (double) products.h / h_all);
              if (c == 0)
                first_g[2 * l + negated] = g;
            }
        }
    }
  for (guint i = 0; i < 2 * group->n_literals; i++)
    {
      guint literal = group->first_literal + i / 2;
      gboolean negated = i % 2;

      if (scores[i] <= choice.score || (literal == old && !negated) || mt_place_has_other (place, literal) ||
          (options->banned != NULL && options->banned[literal]) ||
          !is_allowed (refine, literal, negated ? -way : way, first_g[i]))
        continue;
      choice = (MtPlaceChoice) { FALSE, literal, negated, scores[i] };
    }
  if (choice.score > 0)
    keep_choice (best, &choice);
}

/* Σ x · row over the scored rows; @square: Σ x² h.
 *
 * Kept for the life of the scorer: it depends on the model's columns, not on the place. */
static const float *
sum_numeric (MtPlaceScorer *self,
             guint          output,
             guint          numeric,
             double        *square)
{
  gsize at = output * (gsize) mt_encoded_get_n_numeric (self->refine->encoded) + numeric;
  const double *x = mt_encoded_get_numeric (self->refine->encoded, numeric);

  if (self->numeric[at] == NULL)
    {
      self->numeric[at] = g_new0 (float, self->stride);
      add_rows_times (x, self->step, self->bases[output]->rows, self->stride, self->n_scored, self->numeric[at]);
      for (gsize i = 0; i < self->n_scored; i++)
        self->numeric_square[at] += x[i * self->step] * x[i * self->step] *
                                    (double) self->bases[output]->rows[i * self->stride + self->h_at];
    }
  *square = self->numeric_square[at];
  return self->numeric[at];
}

/* Columns that stand for themselves. */
static void
score_numeric (MtPlaceScorer      *self,
               const MtRefineTerm *term,
               MtPlaceChoice      *best)
{
  const MtRefine *refine = self->refine;
  const MtRefineOptions *options = refine->options;
  guint n = options->numeric_terms ? mt_encoded_get_n_numeric (refine->encoded) : 0;
  g_autofree float *zeros = g_new0 (float, self->stride);

  for (guint u = 0; u < n && !mt_refine_is_cancelled (refine); u++)
    {
      MtPlaceChoice choice = { TRUE, u, FALSE, 0 };

      if ((options->banned_numeric != NULL && options->banned_numeric[u]) || mt_refine_has_number (refine, u, term) ||
          (term != NULL && term->is_numeric && term->numeric == u))
        continue;
      for (guint c = 0; c < refine->n_outputs; c++)
        {
          Products products;
          double square, g;

          multiply_sums (zeros, zeros, sum_numeric (self, c, u, &square), self->without + c * self->stride, self->stride,
                         FALSE, &products);
          g = gradient_of (self, c, &products);
          if (options->numeric_directions != NULL && g * options->numeric_directions[u] < 0)
            continue;
          choice.score += score_sums (self, &products, g, square, .5);
        }
      if (choice.score > 0)
        keep_choice (best, &choice);
    }
}

/* The direction l of the term that the choice would replace is filled in first; then the
 * open rows; then all columns. Numeric columns are scored only where the literal stands
 * alone: a number cannot be an input of a rule. */
void
mt_place_scorer_choose (MtPlaceScorer *self,
                        const MtPlace *place,
                        MtRefineTerm  *term,
                        guint          index,
                        guint          dropped,
                        guint          old,
                        MtPlaceChoice  best[MT_PLACE_SHORT])
{
  MtRefine *refine = self->refine;
  const guint16 *patterns = NULL;
  int way;

  memset (best, 0, MT_PLACE_SHORT * sizeof *best);
  if (term != NULL && term->rule != NULL && place->n_others > 0)
    {
      mt_refine_term_ensure_patterns (refine, term);
      patterns = term->patterns;
    }
  for (guint c = 0; c < refine->n_outputs; c++)
    self->lost[c] = mt_linear_fit_basis_fill_without (self->bases[c], refine->head, c, index, self->without + c * self->stride);
  way = open_rows (self, place, patterns, patterns != NULL ? dropped : G_MAXUINT);
  for (guint g = 0; g < self->n_groups && !mt_refine_is_cancelled (refine); g++)
    score_group (self, place, g, old, way, best);
  if (place->n_others == 0)
    score_numeric (self, term, best);
}
