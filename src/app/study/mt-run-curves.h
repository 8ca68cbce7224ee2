/* What a run leaves in addition to its models, as a text for its project: the curves of its network, the
 * models visited while rules were dropped, and what each fold said of each point.
 *
 *   epoch TRAIN VALID METRIC    by epoch; nan: not measured
 *   visit LITERALS LOSS         from complex to bare
 *   point SCORE …               one a point, as mt_run_get_points() has them */
#pragma once

#include "mt-run.h"

G_BEGIN_DECLS

/* FALSE: it is no such text; the run is then as it was. Its points are there already. */
gboolean mt_run_curves_from_text (MtRun      *run,
                                  const char *text);

G_END_DECLS
