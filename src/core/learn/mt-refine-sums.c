/* The place where a search makes its exact sums: a session of network/mt-sums.h, and all that it takes to begin another one.
 *
 * Numbers   a plane has the same number in every session; dropped numbers are given again. When there is no room for one
 *           more, or the device fails, another session is opened, with room for twice as many or on the CPU; the planes
 *           that are in use are put there and the last scores are made again. Sums are exact, so nothing else differs.
 * Units     a row weighs at most 1 there: weights of classes are divided by the largest, and sums multiplied by it.
 * Threads   one search is on one thread, but several searches share a device: their calls take turns. */
#include "config.h"
#include "mt-refine-sums.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/mt-math.h"
#include "network/mt-fixed.h"
#include "network/mt-sums.h"

#define FIRST_PLANES 256

struct _MtRefineSums {
  MtSums          *sums;
  char            *device;
  guint64          memory;
  const MtEncoded *encoded;
  gsize            n_rows;
  guint8          *y;
  double           weights[2];     /* of the classes, the larger one 1 */
  double           unit;           /* by which everything is to be multiplied */
  guint            n_planes;       /* of the session at hand */
  GPtrArray       *planes;         /* by number, borrowed; NULL: free */
  GArray          *unused;         /* guint: numbers to give again */
  guint           *literals;       /* the number of each literal's plane; G_MAXUINT: it has none yet */
  guint            n_columns;      /* of the last scores, and what they were made of */
  guint           *columns;
  gint64          *column_weights;
  gint64           bias;
  gint64          *offset;         /* NULL: 0 */
  gboolean         is_scored;
};

static GMutex one_call;
static MtRefineSumsWork all_work;      /* under the same lock */

typedef enum {
  CALL_PUT,
  CALL_SCORE,
  CALL_RESIDUALS,
  CALL_CURVATURES,
  CALL_GRAM,
  CALL_GAINS,
} Kind;

/* What a session is asked for. */
typedef struct {
  Kind             kind;
  guint            number;
  MtGpuScores     *scores;
  gint32          *numbers;
  const MtGpuGram *gram;
  const MtGpuRule *rules;
  guint            n_rules, n_gains;
  gint64          *gains;
} Call;

static gboolean
ask_session (MtRefineSums *self,
             const Call   *call,
             GError      **error)
{
  switch (call->kind)
    {
    case CALL_PUT:
      return mt_sums_put (self->sums, call->number, self->planes->pdata[call->number], error);
    case CALL_SCORE:
      return mt_sums_score (self->sums, call->scores, error);
    case CALL_RESIDUALS:
      return mt_sums_get_rows (self->sums, MT_GPU_BY_RESIDUAL, call->numbers, error);
    case CALL_CURVATURES:
      return mt_sums_get_rows (self->sums, MT_GPU_BY_CURVATURE, call->numbers, error);
    case CALL_GRAM:
      return mt_sums_gram (self->sums, call->gram, error);
    case CALL_GAINS:
      return mt_sums_gains (self->sums, call->rules, call->n_rules, call->n_gains, call->gains, error);
    }
  g_return_val_if_reached (FALSE);
}

static gboolean
score_again (MtRefineSums *self,
             GError      **error)
{
  g_autofree gint64 *residuals = g_new (gint64, MAX (self->n_columns, 1));
  MtGpuScores scores = { self->n_columns, self->columns, self->column_weights, self->bias, self->offset, 0, 0, residuals };

  return !self->is_scored || mt_sums_score (self->sums, &scores, error);
}

/* A session with everything that the one before had. */
static gboolean
open_session (MtRefineSums *self,
              GError      **error)
{
  const MtGpuSumsData data = { self->n_planes, self->n_rows, self->y, { self->weights[0], self->weights[1] } };

  g_clear_pointer (&self->sums, mt_sums_free);
  self->sums = mt_sums_new (self->device, &data, self->memory, error);
  for (guint i = 0; i < self->planes->len && self->sums != NULL; i++)
    if (self->planes->pdata[i] != NULL && !mt_sums_put (self->sums, i, self->planes->pdata[i], error))
      return FALSE;
  return self->sums != NULL && score_again (self, error);
}

static void
use_cpu (MtRefineSums *self)
{
  all_work.n_lost++;
  g_free (self->device);
  self->device = g_strdup ("cpu");
  if (!open_session (self, NULL))
    g_assert_not_reached ();
}

static void
begin (MtRefineSums *self)
{
  if (!open_session (self, NULL))
    use_cpu (self);
}

static double
seconds_of_thread (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static void
count (const Call *call)
{
  all_work.n_puts += call->kind == CALL_PUT;
  all_work.n_reads += call->kind == CALL_RESIDUALS;
  if (call->kind == CALL_SCORE)
    {
      all_work.n_scores++;
      all_work.n_scored += call->scores->n_columns;
    }
  else if (call->kind == CALL_GRAM)
    {
      guint64 side = (call->gram->n_a + 63) / 64;

      all_work.n_grams++;
      all_work.n_tiles += side * (side + 1) / 2;
    }
  else if (call->kind == CALL_GAINS)
    {
      all_work.n_gains++;
      all_work.n_rules += call->n_rules;
      for (guint i = 0; i < call->n_rules; i++)
        all_work.n_inputs += call->rules[i].n_inputs;
    }
}

void
mt_refine_sums_get_work (MtRefineSumsWork *work)
{
  g_mutex_lock (&one_call);
  *work = all_work;
  g_mutex_unlock (&one_call);
}

static void
ask (MtRefineSums *self,
     const Call   *call)
{
  double start;

  g_mutex_lock (&one_call);
  start = seconds_of_thread ();
  count (call);
  if (!ask_session (self, call, NULL))
    {
      use_cpu (self);
      ask_session (self, call, NULL);
    }
  all_work.seconds += seconds_of_thread () - start;
  g_mutex_unlock (&one_call);
}

MtRefineSums *
mt_refine_sums_new (const char      *device,
                    guint64          memory,
                    const MtEncoded *encoded,
                    const double    *target,
                    const double    *class_weights)
{
  MtRefineSums *self = g_new0 (MtRefineSums, 1);
  guint n_literals = mt_encoded_get_n_literals (encoded);

  self->device = g_strdup (device);
  self->memory = memory;
  self->encoded = encoded;
  self->n_rows = mt_encoded_get_n_rows (encoded);
  self->unit = class_weights != NULL ? MAX (class_weights[0], class_weights[1]) : 1;
  for (guint c = 0; c < 2; c++)
    self->weights[c] = class_weights != NULL ? class_weights[c] / self->unit : 1;
  self->y = g_new (guint8, MAX (self->n_rows, 1));
  for (gsize r = 0; r < self->n_rows; r++)
    self->y[r] = target[r] != 0;
  self->n_planes = FIRST_PLANES;
  self->planes = g_ptr_array_new ();
  self->unused = g_array_new (FALSE, FALSE, sizeof (guint));
  self->literals = g_new (guint, MAX (n_literals, 1));
  for (guint l = 0; l < n_literals; l++)
    self->literals[l] = G_MAXUINT;
  g_mutex_lock (&one_call);
  begin (self);
  g_mutex_unlock (&one_call);
  return self;
}

void
mt_refine_sums_free (MtRefineSums *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&one_call);
  mt_sums_free (self->sums);
  g_mutex_unlock (&one_call);
  g_free (self->device);
  g_free (self->y);
  g_ptr_array_unref (self->planes);
  g_array_unref (self->unused);
  g_free (self->literals);
  g_free (self->columns);
  g_free (self->column_weights);
  g_free (self->offset);
  g_free (self);
}

/* --- what a fit asks for --- */

static guint
put (gpointer       place,
     const guint64 *plane)
{
  MtRefineSums *self = place;
  guint number;

  if (self->unused->len > 0)
    {
      number = g_array_index (self->unused, guint, self->unused->len - 1);
      g_array_set_size (self->unused, self->unused->len - 1);
      self->planes->pdata[number] = (gpointer) plane;
    }
  else
    {
      number = self->planes->len;
      g_ptr_array_add (self->planes, (gpointer) plane);
    }
  if (number < self->n_planes)
    ask (self, &(Call) { .kind = CALL_PUT, .number = number });
  else
    {
      self->n_planes *= 2;
      g_mutex_lock (&one_call);
      begin (self);
      g_mutex_unlock (&one_call);
    }
  return number;
}

/* The last scores may have been made of it; who drops it scores again before asking for anything else, but a session that
 * has to be opened in between is not to read it. */
static void
drop (gpointer place,
      guint    number)
{
  MtRefineSums *self = place;

  self->planes->pdata[number] = NULL;
  g_array_append_val (self->unused, number);
  for (guint j = 0; j < self->n_columns; j++)
    if (self->columns[j] == number)
      self->is_scored = FALSE;
}

static void
score (gpointer          place,
       MtLinearFitScore *it)
{
  MtRefineSums *self = place;
  g_autofree gint64 *residuals = g_new (gint64, MAX (it->n_planes, 1));
  MtGpuScores scores;

  self->is_scored = FALSE;
  self->n_columns = it->n_planes;
  self->columns = g_renew (guint, self->columns, MAX (it->n_planes, 1));
  self->column_weights = g_renew (gint64, self->column_weights, MAX (it->n_planes, 1));
  for (guint j = 0; j < it->n_planes; j++)
    {
      self->columns[j] = it->numbers[j];
      self->column_weights[j] = mt_fixed_of (it->weights[j], MT_FIXED_SCORE);
    }
  self->bias = mt_fixed_of (it->bias, MT_FIXED_SCORE);
  if (it->offset == NULL)
    g_clear_pointer (&self->offset, g_free);
  else if (self->offset == NULL)
    self->offset = g_new (gint64, MAX (self->n_rows, 1));
  for (gsize r = 0; r < self->n_rows && it->offset != NULL; r++)
    self->offset[r] = mt_fixed_of (it->offset[r], MT_FIXED_SCORE);
  scores = (MtGpuScores) { self->n_columns, self->columns, self->column_weights, self->bias, self->offset, 0, 0, residuals };
  ask (self, &(Call) { .kind = CALL_SCORE, .scores = &scores });
  self->is_scored = TRUE;
  it->loss = self->unit * mt_fixed_double (scores.loss, MT_FIXED_SUM);
  it->residual = self->unit * mt_fixed_double (scores.residual, MT_FIXED_RESIDUAL);
  for (guint j = 0; j < it->n_planes; j++)
    it->residuals[j] = self->unit * mt_fixed_double (residuals[j], MT_FIXED_RESIDUAL);
}

static void
read_rows (gpointer  place,
           double   *residual,
           double   *curvature)
{
  MtRefineSums *self = place;
  g_autofree gint32 *numbers = g_new (gint32, MAX (self->n_rows, 1));

  ask (self, &(Call) { .kind = CALL_RESIDUALS, .numbers = numbers });
  for (gsize r = 0; r < self->n_rows; r++)
    residual[r] = self->unit * mt_fixed_double (numbers[r], MT_FIXED_RESIDUAL);
  ask (self, &(Call) { .kind = CALL_CURVATURES, .numbers = numbers });
  for (gsize r = 0; r < self->n_rows; r++)
    curvature[r] = self->unit * mt_fixed_double (numbers[r], MT_FIXED_CURVATURE);
}

static void
gram (gpointer     place,
      const guint *numbers,
      guint        n,
      double      *sums)
{
  MtRefineSums *self = place;
  g_autofree gint64 *exact = g_new0 (gint64, (gsize) n * n);
  const MtGpuGram it = { MT_GPU_BY_CURVATURE, n, n, 1, numbers, numbers, NULL, TRUE, exact };

  ask (self, &(Call) { .kind = CALL_GRAM, .gram = &it });
  for (guint i = 0; i < n; i++)
    for (guint j = i; j < n; j++)
      sums[(gsize) i * n + j] = self->unit * mt_fixed_double (exact[(gsize) i * n + j], MT_FIXED_CURVATURE);
}

const MtLinearFitSums mt_refine_sums_functions = { put, drop, score, read_rows, gram };

/* --- gains --- */

static guint
number_of (MtRefineSums *self,
           guint         literal)
{
  if (self->literals[literal] == G_MAXUINT)
    self->literals[literal] = put (self, mt_encoded_get_plane (self->encoded, literal));
  return self->literals[literal];
}

void
mt_refine_sums_gains (MtRefineSums   *self,
                      MtRule * const *rules,
                      const double   *weights,
                      guint           n_rules,
                      double * const *gains)
{
  g_autofree MtGpuRule *asked = g_new0 (MtGpuRule, MAX (n_rules, 1));
  g_autofree gint64 *sums = NULL;
  guint n_sums = 0;

  for (guint i = 0; i < n_rules; i++)
    {
      const guint *inputs = mt_rule_get_inputs (rules[i]);
      const guint64 *table = mt_rule_get_table (rules[i]);
      MtGpuRule *rule = &asked[i];

      rule->n_inputs = mt_rule_get_n_inputs (rules[i]);
      for (guint k = 0; k < rule->n_inputs; k++)
        rule->inputs[k] = number_of (self, inputs[k]);
      for (guint w = 0; w < 8 && w << 5 < 1u << rule->n_inputs; w++)
        rule->table[w] = (guint32) (table[w / 2] >> (w % 2 * 32));
      rule->weight = weights[i];
      rule->more[0] = mt_expm1 (weights[i]);
      rule->more[1] = mt_expm1 (-weights[i]);
      rule->first = n_sums;
      n_sums += 1u << rule->n_inputs;
    }
  sums = g_new0 (gint64, MAX (n_sums, 1));
  ask (self, &(Call) { .kind = CALL_GAINS, .rules = asked, .n_rules = n_rules, .n_gains = n_sums, .gains = sums });
  for (guint i = 0; i < n_rules; i++)
    for (guint v = 0; v < 1u << asked[i].n_inputs; v++)
      {
        double turned = self->unit * mt_fixed_double (sums[asked[i].first + v], MT_FIXED_SUM);

        gains[i][v] = asked[i].table[v / 32] >> (v % 32) & 1 ? -turned : turned;
      }
}
