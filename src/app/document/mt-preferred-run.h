/* The run settings that a new file starts with: the preset and the device that the person prefers. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

void mt_preferred_run_init (MtRunSettings *settings);

G_END_DECLS
