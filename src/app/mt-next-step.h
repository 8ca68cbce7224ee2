/* The button of a page that has nothing to show yet: what is to be done first. */
#pragma once

#include <gtk/gtk.h>

#include "mt-document.h"
#include "mt-study.h"

G_BEGIN_DECLS

typedef enum {
  MT_NEXT_TARGET,      /* choose one */
  MT_NEXT_TRAIN,
  MT_NEXT_WAIT,        /* rules are being found */
} MtNextStep;

MtNextStep mt_next_step_find (MtDocument *document,
                              MtStudy    *study);
void       mt_next_step_show (MtNextStep  step,
                              GtkButton  *button);

G_END_DECLS
