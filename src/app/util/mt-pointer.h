/* Where the pointer is over a widget. A turn of the wheel happens somewhere, but its event does not say where. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  double x, y;       /* NaN: elsewhere */
} MtPointer;

/* @pointer lives as long as @widget. */
void mt_pointer_follow (MtPointer       *pointer,
                        GtkWidget       *widget);
/* The middle of @widget when the pointer is elsewhere. */
void mt_pointer_get    (const MtPointer *pointer,
                        GtkWidget       *widget,
                        double          *x,
                        double          *y);

G_END_DECLS
