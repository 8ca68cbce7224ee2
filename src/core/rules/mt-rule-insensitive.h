/* Which answers of a finished model the training rows hardly care about.
 *
 * An entry of a rule's table is neutral when turning it, all else as it is, changes the training loss
 * by at most MT_NEUTRAL_SHARE a training row: nats, or for numbers half squares of the target in its
 * own standard deviations. The reader is informed of it; nothing was minimized with it (docs/decisions.md).
 * Impossible assignments, and those no training row has, are not neutral: there is nothing to turn. */
#pragma once

#include "mt-rules.h"

G_BEGIN_DECLS

#define MT_NEUTRAL_SHARE 1e-4

/* The same rules with their neutral assignments marked. @target as in mt_refine_run(). */
MtRuleSet *mt_rule_set_mark_neutral (const MtRuleSet *rules,
                                     const MtEncoded *encoded,
                                     const double    *target);

G_END_DECLS
