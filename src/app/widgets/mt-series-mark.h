/* The mark of a run: its colour and shape, as in the plot. For tables and legends. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define MT_TYPE_MARK_VIEW (mt_mark_view_get_type ())

G_DECLARE_FINAL_TYPE (MtMarkView, mt_mark_view, MT, MARK_VIEW, GtkWidget)

GtkWidget *mt_mark_view_new  (void);
/* @faded: one that another beats. */
void       mt_mark_view_show (MtMarkView *self,
                              guint       series,
                              gboolean    faded);
guint      mt_mark_view_get_series (MtMarkView *self);

G_END_DECLS
