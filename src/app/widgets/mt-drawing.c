/* A drawing that holds all that it needs, so that it can be saved off the main thread, whatever becomes of
 * the widget that it was taken from. See mt-drawing.h. */
#include "config.h"
#include "mt-drawing.h"

#define SCALE 2.0   /* pixels a point */

struct _MtDrawing {
  double          width, height;
  MtPictureFunc   paint;
  gpointer        data;
  GDestroyNotify  destroy;
  char           *path;      /* where it is saved; NULL: nowhere yet */
};

MtDrawing *
mt_drawing_new (double          width,
                double          height,
                MtPictureFunc   paint,
                gpointer        data,
                GDestroyNotify  destroy)
{
  MtDrawing *self = g_new0 (MtDrawing, 1);

  *self = (MtDrawing) { .width = width, .height = height, .paint = paint, .data = data, .destroy = destroy };
  return self;
}

void
mt_drawing_free (MtDrawing *self)
{
  if (self == NULL)
    return;
  self->destroy (self->data);
  g_free (self->path);
  g_free (self);
}

static void
save_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  MtDrawing *self = data;
  GError *error = NULL;

  if (mt_picture_write (self->path, self->width, self->height, SCALE, self->paint, self->data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
mt_drawing_save_async (MtDrawing           *self,
                       const char          *path,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (self != NULL && path != NULL);

  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, mt_drawing_save_async);
  self->path = g_strdup (path);
  g_task_set_task_data (task, self, (GDestroyNotify) mt_drawing_free);
  g_task_run_in_thread (task, save_thread);
}

gboolean
mt_drawing_save_finish (GAsyncResult  *result,
                        GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
