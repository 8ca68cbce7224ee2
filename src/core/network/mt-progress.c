/* Progress on the way to a frontier, for display: a bar, a curve, a line of text. See mt-
 * progress.h. */
#include "config.h"
#include "mt-progress.h"

const char *
mt_learn_phase_to_string (MtLearnPhase phase)
{
  static const char * const names[] = {
    "reading", "encoding", "training", "scanning", "fitting", "eliminating", "done",
  };

  g_return_val_if_fail ((guint) phase < G_N_ELEMENTS (names), NULL);
  return names[phase];
}
