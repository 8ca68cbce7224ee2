/* Exact sums: sessions on a GPU are handed to its module; those on the CPU are made here, plainly, in any order. */
#include "config.h"
#include "mt-sums.h"

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-backend-cuda.h"
#include "mt-fixed.h"

struct _MtSums {
  MtGpuSumsData  data;
  gsize          n_words;          /* of 64 rows */
  const MtGpuApi *api;             /* NULL: the CPU */
  MtGpuSums     *gpu;
  guint64       *planes;           /* n_planes × n_words */
  gint64        *scores;
  gint32        *numbers[2];       /* by MtGpuBy */
};

void
mt_sums_free (MtSums *self)
{
  if (self == NULL)
    return;
  if (self->gpu != NULL)
    self->api->sums_close (self->gpu);
  g_free (self->planes);
  g_free (self->scores);
  g_free (self->numbers[0]);
  g_free (self->numbers[1]);
  g_free (self);
}

/* Sixteen million bytes of a row's number fit the 32 bits in which a GPU adds them up. */
#define MOST_ROWS (1u << 24)

static gboolean
open_on_gpu (MtSums   *self,
             guint64   memory,
             GError  **error)
{
  MtGpuLimits limits = { .memory = memory };
  MtGpuFailure failure;

  self->api = mt_backend_cuda_get_api (error);
  return self->api != NULL && mt_backend_cuda_choose (&limits.device, NULL, error) &&
         mt_backend_cuda_check (self->api->sums_open (&self->data, &limits, &self->gpu, &failure), &failure, error);
}

MtSums *
mt_sums_new (const char           *device,
             const MtGpuSumsData  *data,
             guint64               memory,
             GError              **error)
{
  g_autoptr (MtSums) self = g_new0 (MtSums, 1);

  self->data = *data;
  self->n_words = (data->n_rows + 63) / 64;
  if (g_str_equal (device, "cuda"))
    {
      if (data->n_rows > MOST_ROWS)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, _("a GPU refines at most %u rows; use the CPU"), MOST_ROWS);
          return NULL;
        }
      return open_on_gpu (self, memory, error) ? g_steal_pointer (&self) : NULL;
    }
  self->planes = g_new0 (guint64, MAX (data->n_planes * self->n_words, 1));
  self->scores = g_new0 (gint64, MAX (data->n_rows, 1));
  for (guint by = 0; by < 2; by++)
    self->numbers[by] = g_new0 (gint32, MAX (data->n_rows, 1));
  return g_steal_pointer (&self);
}

static gboolean
check (MtGpuStatus          status,
       const MtGpuFailure  *failure,
       GError             **error)
{
  return mt_backend_cuda_check (status, failure, error);
}

/* Not sent here: a GPU has its own copy. */
static const guint64 *
plane_of (const MtSums *self,
          guint         plane)
{
  g_return_val_if_fail (plane < self->data.n_planes, NULL);
  return self->planes + plane * self->n_words;
}

gboolean
mt_sums_put (MtSums         *self,
             guint           plane,
             const guint64  *words,
             GError        **error)
{
  MtGpuFailure failure = { "", 0, 0 };

  g_return_val_if_fail (plane < self->data.n_planes, FALSE);
  if (self->gpu != NULL)
    return check (self->api->sums_put (self->gpu, plane, words, &failure), &failure, error);
  memcpy (self->planes + plane * self->n_words, words, self->n_words * sizeof *words);
  return TRUE;
}

gboolean
mt_sums_set_rows (MtSums        *self,
                  MtGpuBy        by,
                  const gint32  *numbers,
                  GError       **error)
{
  MtGpuFailure failure = { "", 0, 0 };

  if (self->gpu != NULL)
    return check (self->api->sums_set_rows (self->gpu, by, numbers, &failure), &failure, error);
  memcpy (self->numbers[by], numbers, self->data.n_rows * sizeof *numbers);
  return TRUE;
}

gboolean
mt_sums_get_rows (MtSums   *self,
                  MtGpuBy   by,
                  gint32   *numbers,
                  GError  **error)
{
  MtGpuFailure failure = { "", 0, 0 };

  if (self->gpu != NULL)
    return check (self->api->sums_get_rows (self->gpu, by, numbers, &failure), &failure, error);
  memcpy (numbers, self->numbers[by], self->data.n_rows * sizeof *numbers);
  return TRUE;
}

/* Σ of the numbers of the rows whose bits are set in all of the planes; NULL: in every row. */
static gint64
sum_of_both (const MtSums  *self,
             const gint32  *numbers,
             const guint64 *mask,
             const guint64 *a,
             const guint64 *b)
{
  gint64 sum = 0;

  for (gsize w = 0; w < self->n_words; w++)
    for (guint64 bits = a[w] & b[w] & (mask != NULL ? mask[w] : G_MAXUINT64); bits != 0; bits &= bits - 1)
      sum += numbers[w * 64 + (gsize) __builtin_ctzll (bits)];
  return sum;
}

gboolean
mt_sums_gram (MtSums           *self,
              const MtGpuGram  *gram,
              GError          **error)
{
  guint n_masks = gram->masks != NULL ? gram->n_masks : 1;
  gint64 *to = gram->sums;
  MtGpuFailure failure = { "", 0, 0 };

  if (self->gpu != NULL)
    return check (self->api->sums_gram (self->gpu, gram, &failure), &failure, error);
  for (guint m = 0; m < n_masks; m++)
    for (guint i = 0; i < gram->n_a; i++)
      for (guint j = 0; j < gram->n_b; j++, to++)
        if (!gram->upper || j >= i)
          *to = sum_of_both (self, self->numbers[gram->by], gram->masks != NULL ? plane_of (self, gram->masks[m]) : NULL,
                             plane_of (self, gram->a[i]), plane_of (self, gram->b[j]));
  return TRUE;
}

gboolean
mt_sums_score (MtSums       *self,
               MtGpuScores  *scores,
               GError      **error)
{
  gint32 *residuals = self->numbers[MT_GPU_BY_RESIDUAL];
  MtGpuFailure failure = { "", 0, 0 };

  if (self->gpu != NULL)
    return check (self->api->sums_score (self->gpu, scores, &failure), &failure, error);
  scores->loss = scores->residual = 0;
  for (gsize r = 0; r < self->data.n_rows; r++)
    {
      gint64 score = scores->bias + (scores->offset != NULL ? scores->offset[r] : 0);
      guint y = self->data.y[r] != 0;
      MtFixedRow row;

      for (guint j = 0; j < scores->n_columns; j++)
        if (plane_of (self, scores->columns[j])[r / 64] >> (r % 64) & 1)
          score += scores->weights[j];
      row = mt_fixed_binary_row (score, (int) y, self->data.weights[y]);
      self->scores[r] = score;
      residuals[r] = row.residual;
      self->numbers[MT_GPU_BY_CURVATURE][r] = row.curvature;
      scores->loss += row.loss;
      scores->residual += row.residual;
    }
  for (guint j = 0; j < scores->n_columns; j++)
    scores->residuals[j] = sum_of_both (self, residuals, NULL, plane_of (self, scores->columns[j]),
                                        plane_of (self, scores->columns[j]));
  return TRUE;
}

gboolean
mt_sums_gains (MtSums           *self,
               const MtGpuRule  *rules,
               guint             n_rules,
               guint             n_sums,
               gint64           *gains,
               GError          **error)
{
  MtGpuFailure failure = { "", 0, 0 };

  if (self->gpu != NULL)
    return check (self->api->sums_gains (self->gpu, rules, n_rules, n_sums, gains, &failure), &failure, error);
  memset (gains, 0, n_sums * sizeof *gains);
  for (guint i = 0; i < n_rules; i++)
    for (gsize r = 0; r < self->data.n_rows; r++)
      {
        const MtGpuRule *rule = &rules[i];
        guint pattern = 0, y = self->data.y[r] != 0, is_on;

        for (guint k = 0; k < rule->n_inputs; k++)
          pattern |= (guint) (plane_of (self, rule->inputs[k])[r / 64] >> (r % 64) & 1) << k;
        is_on = rule->table[pattern / 32] >> (pattern % 32) & 1;
        gains[rule->first + pattern] +=
          mt_fixed_binary_turn (self->scores[r], (int) y, self->data.weights[y], is_on ? -rule->weight : rule->weight,
                                rule->more[is_on]);
      }
  return TRUE;
}
