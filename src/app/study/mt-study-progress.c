/* How far the runs queued together are, and how long a run may take. */
#include "config.h"
#include "mt-study-private.h"

#include "document/mt-run-words.h"

#include <math.h>

#include "util/mt-preferences.h"

void
mt_study_get_progress (MtStudy         *self,
                       MtStudyProgress *progress)
{
  double seconds = 0, this_one = self->current != NULL ? mt_run_get_progress (self->current)->fraction : 0;
  double each;
  double taken = 0;
  guint n_timed = 0;

  g_return_if_fail (MT_IS_STUDY (self));

  *progress = (MtStudyProgress) { .n_runs = _mt_study_count_runs (self) - MIN (self->batch, _mt_study_count_runs (self)) };
  for (guint i = self->batch; i < _mt_study_count_runs (self); i++)
    {
      MtRunState state = mt_run_get_state (_mt_study_run_at (self, i));

      if (state == MT_RUN_QUEUED || state == MT_RUN_RUNNING)
        continue;
      progress->n_done++;
      taken += mt_run_get_elapsed (_mt_study_run_at (self, i));
      if (state == MT_RUN_DONE)
        {
          seconds += mt_run_get_elapsed (_mt_study_run_at (self, i));
          n_timed++;
        }
    }
  if (progress->n_runs > 0)
    progress->fraction = CLAMP ((progress->n_done + this_one) / progress->n_runs, 0, 1);
  progress->elapsed = self->batch_seconds > 0 ? self->batch_seconds : taken;   /* of a project that was opened */
  progress->left = NAN;
  if (self->current == NULL)
    return;
  progress->elapsed = (double) (g_get_monotonic_time () - self->batch_started) / G_USEC_PER_SEC;
  progress->left = mt_run_get_left (self->current);
  each = n_timed > 0 ? seconds / n_timed : mt_run_get_elapsed (self->current) + progress->left;
  if (isnan (progress->left) && n_timed > 0)
    progress->left = fmax (each - mt_run_get_elapsed (self->current), 0);
  if (progress->n_runs > progress->n_done + 1)
    progress->left += each * (progress->n_runs - progress->n_done - 1);
}

double
mt_study_estimate (MtStudy             *self,
                   const MtRunSettings *settings,
                   gsize                n_rows)
{
  guint n_threads = mt_preferences_count_threads ();
  double guessed = 0, taken = 0;

  g_return_val_if_fail (MT_IS_STUDY (self), 0);

  for (guint i = 0; i < _mt_study_count_runs (self); i++)
    {
      MtRun *run = _mt_study_run_at (self, i);
      MtRunData *basis = mt_run_get_basis (run);

      if (mt_run_get_state (run) != MT_RUN_DONE || basis == NULL || !(mt_run_get_elapsed (run) > 0))
        continue;
      guessed += mt_run_settings_guess (mt_run_get_settings (run), basis->rows->n_rows, n_threads);
      taken += mt_run_get_elapsed (run);
    }
  return mt_run_settings_guess (settings, n_rows, n_threads) * (guessed > 0 ? taken / guessed : 1);
}
