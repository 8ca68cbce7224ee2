/* A term's weight: a pill or a square with the number, a bar towards its side, and what it means for
 * the odds. Of several outputs a line each. */
#pragma once

#include <gtk/gtk.h>

#include "mt-term-item.h"

G_BEGIN_DECLS

/* What the cells of one model share, so that they line up. */
typedef struct {
  double most;        /* the strength of a full bar */
  double numbers;     /* pixels for the widest weight */
  double names;       /* pixels for the names of classes */
} MtWeightRoom;

/* In the font of @widget. */
void       mt_weight_room_init (MtWeightRoom *room,
                                MtRuleBook   *book,
                                GtkWidget    *widget);

#define MT_TYPE_WEIGHT_CELL (mt_weight_cell_get_type ())

G_DECLARE_FINAL_TYPE (MtWeightCell, mt_weight_cell, MT, WEIGHT_CELL, GtkWidget)

/* Of several outputs, when there are so many lines. */
double     mt_weight_cell_line_height (guint n_lines);
GtkWidget *mt_weight_cell_new  (void);
void       mt_weight_cell_bind (MtWeightCell       *self,
                                MtTermItem         *item,
                                const MtWeightRoom *room);

G_END_DECLS
