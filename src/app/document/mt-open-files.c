/* The files that the windows of this process show. See mt-open-files.h. */
#include "config.h"
#include "mt-open-files.h"

#include "mt-core.h"

typedef struct {
  gpointer    owner;
  MtOpenKind  kind;
  GFile      *file;
} OpenFile;

static GArray *open_files;   /* of OpenFile; NULL: none yet */

static void
clear_open_file (gpointer data)
{
  OpenFile *open = data;

  g_clear_object (&open->file);
}

static void
on_owner_gone (gpointer  data,
               GObject  *owner)
{
  for (guint i = open_files->len; i > 0; i--)
    if (g_array_index (open_files, OpenFile, i - 1).owner == owner)
      g_array_remove_index_fast (open_files, i - 1);
}

void
mt_open_files_set (GObject    *owner,
                   MtOpenKind  kind,
                   GFile      *file)
{
  OpenFile open = { owner, kind, NULL };
  gboolean is_known = FALSE;

  g_return_if_fail (G_IS_OBJECT (owner) && kind < MT_N_OPEN_KINDS);

  if (open_files == NULL)
    {
      open_files = g_array_new (FALSE, FALSE, sizeof (OpenFile));
      g_array_set_clear_func (open_files, clear_open_file);
    }
  for (guint i = 0; i < open_files->len; i++)
    {
      OpenFile *known = &g_array_index (open_files, OpenFile, i);

      is_known |= known->owner == owner;
      if (known->owner == owner && known->kind == kind)
        {
          g_set_object (&known->file, file);
          return;
        }
    }
  if (!is_known)
    g_object_weak_ref (owner, on_owner_gone, NULL);
  open.file = file != NULL ? g_object_ref (file) : NULL;
  g_array_append_val (open_files, open);
}

gboolean
mt_open_files_check (GFile      *file,
                     MtOpenKind  kind,
                     GError    **error)
{
  const char *path = g_file_peek_path (file);
  g_autoptr (GStrvBuilder) others = g_strv_builder_new ();
  g_auto (GStrv) inputs = NULL;

  if (path == NULL)
    return TRUE;   /* not on this machine, where it is refused for that */
  for (guint i = 0; open_files != NULL && i < open_files->len; i++)
    {
      const OpenFile *open = &g_array_index (open_files, OpenFile, i);
      const char *input = open->file != NULL ? g_file_peek_path (open->file) : NULL;

      if (input != NULL && open->kind != kind)
        g_strv_builder_add (others, input);
    }
  inputs = g_strv_builder_end (others);
  return mt_file_check_output (path, (const char * const *) inputs, error);
}
