/* minterm-cli rules --scorecard: the model by column. */
#pragma once

#include "mt-cli.h"

G_BEGIN_DECLS

/* Prints the card, as text or as JSON. */
int mt_cli_scorecard_print (const MtScorecard *card,
                            gboolean           json);

G_END_DECLS
