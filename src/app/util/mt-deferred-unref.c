/* Large things end one after the other. See mt-deferred-unref.h. */
#include "config.h"
#include "mt-deferred-unref.h"

static gboolean
drop_one (gpointer data)
{
  GPtrArray *objects = data;

  if (objects->len > 0)
    g_ptr_array_remove_index (objects, objects->len - 1);
  return objects->len > 0;
}

void
mt_deferred_unref (GPtrArray *objects)
{
  g_return_if_fail (objects != NULL);

  g_idle_add_full (G_PRIORITY_LOW, drop_one, objects, (GDestroyNotify) g_ptr_array_unref);
}
