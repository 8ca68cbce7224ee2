/* Toasts that hold names of files and columns: libadwaita takes their words for markup. See mt-toast.h. */
#include "config.h"
#include "mt-toast.h"

#include <glib/gi18n.h>

AdwToast *
mt_toast_new (const char *text)
{
  g_autofree char *markup = g_markup_escape_text (text, -1);

  return adw_toast_new (markup);
}

AdwToast *
mt_toast_new_saved (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *shown = g_filename_display_name (name);
  /* Translators: %s is the name of a file */
  g_autofree char *text = g_strdup_printf (_("Saved as “%s”"), shown);

  return mt_toast_new (text);
}
