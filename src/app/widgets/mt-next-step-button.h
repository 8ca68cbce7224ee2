/* The button of a page that has nothing to show yet: what is to be done first. */
#pragma once

#include <gtk/gtk.h>

#include "document/mt-document.h"
#include "study/mt-study.h"

G_BEGIN_DECLS

typedef enum {
  MT_NEXT_TARGET,      /* choose one */
  MT_NEXT_OTHER,       /* choose another: there is nothing to tell apart */
  MT_NEXT_FEATURE,     /* give some column that role: there is nothing to learn from */
  MT_NEXT_TRAIN,
  MT_NEXT_WAIT,        /* rules are being found */
} MtNextStep;

MtNextStep mt_next_step_find (MtDocument *document,
                              MtStudy    *study);
/* Whether there is something to learn, and something to learn it from; otherwise what to do first. */
MtNextStep mt_next_step_find_first (MtDocument *document);
/* What has to be done first, in a sentence; NULL: nothing. */
const char *mt_next_step_get_hint (MtNextStep step);
/* The same, for the tooltip of a button that cannot be pressed. */
const char *mt_next_step_get_reason (MtNextStep step);
void       mt_next_step_show (MtNextStep  step,
                              GtkButton  *button);

G_END_DECLS
