/* The mark of a run: its colour and shape, as in the plot. For tables and legends. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define MT_TYPE_SERIES_MARK (mt_series_mark_get_type ())

G_DECLARE_FINAL_TYPE (MtSeriesMark, mt_series_mark, MT, SERIES_MARK, GtkWidget)

GtkWidget *mt_series_mark_new  (void);
/* @faded: one that another beats. */
void       mt_series_mark_show (MtSeriesMark *self,
                                guint       series,
                                gboolean    faded);
guint      mt_series_mark_get_series (MtSeriesMark *self);

G_END_DECLS
