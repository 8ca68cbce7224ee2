/* A drawing that holds all that it needs, so that it can be saved off the main thread, whatever becomes of
 * the widget that it was taken from. */
#pragma once

#include <gio/gio.h>

#include "mt-core.h"

G_BEGIN_DECLS

typedef struct _MtDrawing MtDrawing;

/* @paint is called on another thread, and @data belongs to the drawing. */
MtDrawing *mt_drawing_new         (double               width,      /* points */
                                   double               height,
                                   MtPictureFunc        paint,
                                   gpointer             data,
                                   GDestroyNotify       destroy);
void       mt_drawing_free        (MtDrawing           *self);
/* Takes @self. The name's end decides: .svg, .png or .pdf. */
void       mt_drawing_save_async  (MtDrawing           *self,
                                   const char          *path,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data);
gboolean   mt_drawing_save_finish (GAsyncResult        *result,
                                   GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtDrawing, mt_drawing_free)

G_END_DECLS
