/* What `train --baselines` adds to its output. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

/* "baselines": [{kind, literals, size, cv_mean, cv_se, train, test}]; the tree is of at most @literals. */
void mt_cli_baselines_add_json    (MtJsonWriter      *json,
                                   const MtBaselines *baselines,
                                   guint              literals);
void mt_cli_baselines_append_text (GString           *out,
                                   const MtBaselines *baselines,
                                   guint              literals);

G_END_DECLS
