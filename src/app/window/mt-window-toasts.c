/* A word about the step just taken, in a toast, one at a time: that it was undone or done again, and how a finding was
 * fixed, which makes the finding vanish. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

#include "data/mt-column-header.h"
#include "util/mt-toast.h"

static void
hush (MtWindow *self)
{
  if (self->told != NULL)
    adw_toast_dismiss (self->told);
  g_clear_weak_pointer (&self->told);
}

/* What was done may be on another page. */
void
_mt_window_tell_step (MtWindow   *self,
                      const char *format,
                      const char *label)
{
  g_autoptr (GString) text = g_string_new (format);

  if (label == NULL)
    return;
  hush (self);
  g_string_replace (text, "%s", label, 1);
  g_set_weak_pointer (&self->told, mt_toast_new (text->str));
  adw_toast_set_timeout (self->told, 2);
  adw_toast_overlay_add_toast (self->toasts, self->told);
}

void
mt_window_say (MtWindow   *self,
               const char *text)
{
  AdwToast *toast = mt_toast_new (text);

  adw_toast_set_timeout (toast, 0);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

/* What is said when it is done: the finding is gone by then. */
static char *
describe_fix (const MtFinding *finding)
{
  MtColumnType type;

  switch (finding->fix)
    {
    case MT_FIX_IGNORE_COLUMN:
      /* Translators: %s is the name of a column */
      return g_strdup_printf (_("“%s” is ignored"), finding->column_name);
    case MT_FIX_SET_TYPE:
      if (!mt_column_type_from_string (finding->fix_value, &type))
        return NULL;
      /* Translators: the name of a column, a type of column: Number, Category, … */
      return g_strdup_printf (_("“%s” is read as %s"), finding->column_name, mt_type_get_label (type));
    case MT_FIX_TREAT_AS_MISSING:
      /* Translators: a value such as 0 or 999, the name of a column */
      return g_strdup_printf (_("%s is treated as missing in “%s”"), finding->fix_value, finding->column_name);
    case MT_FIX_NONE:
    default:
      return NULL;
    }
}

static void
tell_fix (MtWindow *self)
{
  g_autofree char *text = g_steal_pointer (&self->fix);

  hush (self);
  g_set_weak_pointer (&self->told, mt_toast_new (text));
  adw_toast_set_button_label (self->told, _("_Undo"));
  adw_toast_set_action_name (self->told, "win.undo");
  adw_toast_overlay_add_toast (self->toasts, self->told);
}

/* Most fixes read the file again, and are steps that can be undone only then. */
void
_mt_window_tell_fix (MtWindow        *self,
                     const MtFinding *finding)
{
  g_free (self->fix);
  self->fix = describe_fix (finding);
  if (self->fix != NULL && !mt_document_is_loading (self->document))
    tell_fix (self);
}

void
_mt_window_step_taken (MtWindow *self)
{
  if (self->fix != NULL && mt_document_get_undo_label (self->document) != NULL)
    tell_fix (self);
  else if (self->told != NULL && adw_toast_get_button_label (self->told) != NULL)
    hush (self);   /* its button would undo another step now */
}

/* Without a step, if that failed or was cancelled. */
void
_mt_window_step_over (MtWindow *self)
{
  if (!mt_document_is_loading (self->document))
    g_clear_pointer (&self->fix, g_free);
}
