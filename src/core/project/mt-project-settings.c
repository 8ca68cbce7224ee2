/* What a project knows in addition to its runs: the source, texts by key, findings dismissed. */
#include "config.h"
#include "mt-project-private.h"

#include <string.h>
#include <sys/stat.h>

void
mt_project_source_free (MtProjectSource *source)
{
  if (source == NULL)
    return;
  g_free (source->uri);
  g_free (source->sha256);
  g_free (source);
}

gboolean
mt_project_set_source (MtProject              *self,
                       const MtProjectSource  *source,
                       GError                **error)
{
  g_return_val_if_fail (self != NULL && source != NULL && source->uri != NULL && source->sha256 != NULL, FALSE);

  if (!mt_project_begin (self, error))
    return FALSE;
  const MtCell row[] = {
    mt_cell_integer (1),
    mt_cell_text (source->uri),
    mt_cell_integer ((gint64) source->size),
    mt_cell_integer (source->modified),
    mt_cell_text (source->sha256),
  };
  return mt_project_end (self, mt_project_put (self, MT_STORE_SOURCE, row, error), error);
}

static gboolean
take_source (MtProject     *self,
             const MtCell  *row,
             gpointer       data,
             GError       **error)
{
  MtProjectSource **source = data;

  *source = g_new0 (MtProjectSource, 1);
  (*source)->uri = mt_cell_dup_text (&row[1]);
  (*source)->size = (guint64) row[2].integer;
  (*source)->modified = row[3].integer;
  (*source)->sha256 = mt_cell_dup_text (&row[4]);
  return TRUE;
}

MtProjectSource *
mt_project_dup_source (MtProject  *self,
                       GError    **error)
{
  MtProjectSource *source = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  mt_project_each (self, MT_STORE_SOURCE, "", NULL, 0, take_source, &source, error);
  return source;
}

gboolean
mt_project_set_text (MtProject       *self,
                     MtProjectSpace   space,
                     const char      *key,
                     const char      *text,
                     GError         **error)
{
  g_return_val_if_fail (self != NULL && key != NULL, FALSE);

  if (!mt_project_begin (self, error))
    return FALSE;
  const MtCell row[] = { mt_cell_integer (space), mt_cell_text (key), mt_cell_text (text != NULL ? text : "") };
  return mt_project_end (self,
                         text != NULL ? mt_project_put (self, MT_STORE_TEXT_BY_KEY, row, error)
                                      : mt_project_remove (self, MT_STORE_TEXT_BY_KEY, row, NULL, error),
                         error);
}

static gboolean
take_text (MtProject     *self,
           const MtCell  *row,
           gpointer       data,
           GError       **error)
{
  *(char **) data = mt_cell_dup_text (&row[2]);
  return TRUE;
}

char *
mt_project_dup_text (MtProject       *self,
                     MtProjectSpace   space,
                     const char      *key,
                     GError         **error)
{
  char *text = NULL;

  g_return_val_if_fail (self != NULL && key != NULL, NULL);

  const MtCell args[] = { mt_cell_integer (space), mt_cell_text (key) };
  mt_project_each (self, MT_STORE_TEXT_BY_KEY, "WHERE space = ?1 AND \"key\" = ?2", args, 2, take_text, &text,
                   error);
  return text;
}

static gboolean
take_key (MtProject     *self,
          const MtCell  *row,
          gpointer       data,
          GError       **error)
{
  g_ptr_array_add (data, mt_cell_dup_text (&row[1]));
  return TRUE;
}

char **
mt_project_list_keys (MtProject       *self,
                      MtProjectSpace   space,
                      GError         **error)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  const MtCell args[] = { mt_cell_integer (space) };

  g_return_val_if_fail (self != NULL, NULL);

  if (!mt_project_each (self, MT_STORE_TEXT_BY_KEY, "WHERE space = ?1 ORDER BY \"key\"", args, 1, take_key, keys,
                        error))
    return NULL;
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&keys), FALSE);
}

MtProjectDismissal *
mt_project_dismissal_new (const char *code,
                          const char *column,
                          const char *reason,
                          const char *by,
                          gint64      made)
{
  MtProjectDismissal *self = g_new0 (MtProjectDismissal, 1);

  g_return_val_if_fail (code != NULL && reason != NULL, NULL);

  self->code = g_strdup (code);
  self->column = g_strdup (column != NULL ? column : "");
  self->reason = g_strdup (reason);
  self->by = g_strdup (by != NULL ? by : "");
  self->made = made;
  return self;
}

MtProjectDismissal *
mt_project_dismissal_copy (const MtProjectDismissal *self)
{
  return mt_project_dismissal_new (self->code, self->column, self->reason, self->by, self->made);
}

void
mt_project_dismissal_free (MtProjectDismissal *self)
{
  if (self == NULL)
    return;
  g_free (self->code);
  g_free (self->column);
  g_free (self->reason);
  g_free (self->by);
  g_free (self);
}

gboolean
mt_project_set_dismissal (MtProject                 *self,
                          const MtProjectDismissal  *dismissal,
                          GError                   **error)
{
  g_return_val_if_fail (self != NULL && dismissal != NULL, FALSE);

  if (!mt_project_begin (self, error))
    return FALSE;
  const MtCell row[] = {
    mt_cell_text (dismissal->code),
    mt_cell_text (dismissal->column),
    mt_cell_text (dismissal->reason),
    mt_cell_text (dismissal->by),
    mt_cell_integer (dismissal->made),
  };
  return mt_project_end (self, mt_project_put (self, MT_STORE_DISMISSAL, row, error), error);
}

gboolean
mt_project_take_dismissal_back (MtProject   *self,
                                const char  *code,
                                const char  *column,
                                GError     **error)
{
  g_return_val_if_fail (self != NULL && code != NULL, FALSE);

  if (!mt_project_begin (self, error))
    return FALSE;
  const MtCell key[] = { mt_cell_text (code), mt_cell_text (column != NULL ? column : "") };
  return mt_project_end (self, mt_project_remove (self, MT_STORE_DISMISSAL, key, NULL, error), error);
}

static gboolean
take_dismissal (MtProject     *self,
                const MtCell  *row,
                gpointer       data,
                GError       **error)
{
  MtProjectDismissal *dismissal = g_new0 (MtProjectDismissal, 1);

  dismissal->code = mt_cell_dup_text (&row[0]);
  dismissal->column = mt_cell_dup_text (&row[1]);
  dismissal->reason = mt_cell_dup_text (&row[2]);
  dismissal->by = mt_cell_dup_text (&row[3]);
  dismissal->made = row[4].integer;
  g_ptr_array_add (data, dismissal);
  return TRUE;
}

GPtrArray *
mt_project_list_dismissals (MtProject  *self,
                            GError    **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_project_dismissal_free);

  g_return_val_if_fail (self != NULL, NULL);

  return mt_project_each (self, MT_STORE_DISMISSAL, "ORDER BY 1, 2", NULL, 0, take_dismissal, list, error)
         ? g_steal_pointer (&list) : NULL;
}
