/* Work that was not saved when the program ended: a session offers one piece after another, until it is opened or
 * thrown away. */
#include "config.h"
#include "mt-session-private.h"

const MtRecoverable *
mt_session_get_recoverable (MtSession *self)
{
  g_return_val_if_fail (MT_IS_SESSION (self), NULL);
  return self->recoverable != NULL && self->recoverable->len > 0 ? self->recoverable->pdata[0] : NULL;
}

static void
on_listed (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (MtSession) self = MT_SESSION (data);
  g_autoptr (GPtrArray) found = mt_recovery_list_finish (result);

  if (self->document == NULL)
    return;
  g_clear_pointer (&self->recoverable, g_ptr_array_unref);
  self->recoverable = g_steal_pointer (&found);
  _mt_session_emit (self, MT_SESSION_RECOVERABLE);
}

void
mt_session_find_recoverable (MtSession *self)
{
  g_return_if_fail (MT_IS_SESSION (self));
  mt_recovery_list_async (on_listed, g_object_ref (self));
}

/* It is open, or gone. */
void
_mt_session_recovered (MtSession *self,
                       GFile     *file)
{
  for (guint i = 0; self->recoverable != NULL && i < self->recoverable->len; i++)
    if (g_file_equal (((MtRecoverable *) self->recoverable->pdata[i])->file, file))
      {
        g_ptr_array_remove_index (self->recoverable, i);
        _mt_session_emit (self, MT_SESSION_RECOVERABLE);
        return;
      }
}

static void
on_discarded (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (MtSession) self = MT_SESSION (data);
  g_autoptr (GError) error = NULL;

  if (mt_recovery_discard_finish (result, &error) || self->document == NULL)
    return;
  mt_session_find_recoverable (self);   /* again: it is still there */
  _mt_session_refuse (self, MT_SESSION_REFUSED_DISCARD, NULL, error);
}

void
mt_session_discard_recoverable (MtSession *self)
{
  const MtRecoverable *work = mt_session_get_recoverable (self);
  g_autoptr (GFile) file = work != NULL ? g_object_ref (work->file) : NULL;

  if (file == NULL)
    return;
  mt_recovery_discard_async (file, on_discarded, g_object_ref (self));
  _mt_session_recovered (self, file);
}
