/* The colors that painters use. A painter gets a palette and never asks the theme, so the
 * same drawing comes out on the screen, in light and dark, and on paper. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double red, green, blue, alpha;
} MtColor;

typedef struct {
  MtColor text;
  MtColor dim;        /* captions, ticks */
  MtColor bar;        /* a feature's distribution */
  MtColor target;     /* the target's first level, and its name */
  MtColor rest;       /* the target's other levels; whatever is not meant */
  MtColor ignored;    /* a column that takes no part */
  MtColor warning;    /* what a finding points at */
  MtColor unseen;     /* what no training row has */
  MtColor accent;
  MtColor name;       /* of a column, within a rule */
  MtColor positive;
  MtColor negative;
} MtPalette;

void mt_palette_init (MtPalette *palette,
                      gboolean   dark,
                      gboolean   high_contrast);

G_END_DECLS
