/* A numeric column of a model, explained: in a sentence, as a drawing, and as a table of the same. */
#pragma once

#include <adwaita.h>

#include "mt-term-item.h"

G_BEGIN_DECLS

#define MT_TYPE_EFFECT_PANE (mt_effect_pane_get_type ())

G_DECLARE_FINAL_TYPE (MtEffectPane, mt_effect_pane, MT, EFFECT_PANE, AdwBin)

void  mt_effect_pane_show     (MtEffectPane *self,
                               MtTermItem   *item);    /* a numeric term */
/* The sentence and the table, for the clipboard and for who cannot see the drawing. */
char *mt_effect_pane_dup_text (MtEffectPane *self);

G_END_DECLS
