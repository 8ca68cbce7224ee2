#include "config.h"
#include "mt-run-row.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-format.h"
#include "mt-mark-view.h"

struct _MtRunRow {
  GtkBox     parent_instance;

  GtkWidget *mark;
  GtkLabel  *name;
  GtkLabel  *value;
  GtkStack  *sign;       /* icon, spinner, or the button that takes it out of the queue */
  GtkImage  *icon;
  GtkSpinner *spinner;

  MtRun     *run;
  gulong     handler;
};

G_DEFINE_FINAL_TYPE (MtRunRow, mt_run_row, GTK_TYPE_BOX)

static void
show_sign (MtRunRow   *self,
           const char *icon,
           const char *name,
           const char *css_class)
{
  static const char * const classes[] = { "success", "error", "dim-label", NULL };

  for (guint i = 0; classes[i] != NULL; i++)
    gtk_widget_remove_css_class (GTK_WIDGET (self->icon), classes[i]);
  gtk_widget_add_css_class (GTK_WIDGET (self->icon), css_class);
  gtk_image_set_from_icon_name (self->icon, icon);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->icon), name);
  gtk_stack_set_visible_child (self->sign, GTK_WIDGET (self->icon));
}

static void
show_run (MtRunRow *self)
{
  MtRunState state = mt_run_get_state (self->run);
  const GError *error = mt_run_get_error (self->run);
  double best = mt_run_get_best (self->run);
  g_autofree char *about = mt_run_settings_describe (mt_run_get_settings (self->run));
  g_autofree char *value = NULL;

  if (state == MT_RUN_RUNNING)
    value = mt_format_share (mt_run_get_progress (self->run)->fraction);
  else if (state == MT_RUN_QUEUED)
    value = g_strdup (_("Waiting"));
  else if (!isnan (best))
    value = mt_format_fixed (best, 3);
  else if (state == MT_RUN_STOPPED)
    value = g_strdup (_("Stopped"));
  else
    value = g_strdup (_("Failed"));
  gtk_label_set_label (self->name, mt_run_get_name (self->run));
  gtk_label_set_label (self->value, value);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), error != NULL ? error->message : about);
  mt_mark_view_show (MT_MARK_VIEW (self->mark), mt_run_get_series (self->run),
                     state != MT_RUN_DONE && state != MT_RUN_RUNNING);
  if (state == MT_RUN_QUEUED || state == MT_RUN_STOPPED)
    gtk_widget_add_css_class (GTK_WIDGET (self->name), "dim-label");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->name), "dim-label");
  gtk_spinner_set_spinning (self->spinner, state == MT_RUN_RUNNING);
  if (state == MT_RUN_RUNNING)
    gtk_stack_set_visible_child (self->sign, GTK_WIDGET (self->spinner));
  else if (state == MT_RUN_QUEUED)
    gtk_stack_set_visible_child_name (self->sign, "waiting");
  else if (state == MT_RUN_DONE)
    show_sign (self, "object-select-symbolic", _("Finished"), "success");
  else if (state == MT_RUN_FAILED)
    show_sign (self, "dialog-error-symbolic", error != NULL ? error->message : _("Failed"), "error");
  else
    show_sign (self, "media-playback-stop-symbolic", _("Stopped"), "dim-label");
}

static void
on_unqueue (MtRunRow *self)
{
  if (self->run != NULL && mt_run_get_state (self->run) == MT_RUN_QUEUED)
    mt_run_stop (self->run);
}

void
mt_run_row_set_run (MtRunRow *self,
                    MtRun    *run)
{
  g_return_if_fail (MT_IS_RUN_ROW (self));

  if (self->run != NULL)
    g_clear_signal_handler (&self->handler, self->run);
  g_set_object (&self->run, run);
  if (run == NULL)
    return;
  self->handler = g_signal_connect_swapped (run, "changed", G_CALLBACK (show_run), self);
  show_run (self);
}

static void
mt_run_row_dispose (GObject *object)
{
  mt_run_row_set_run (MT_RUN_ROW (object), NULL);
  G_OBJECT_CLASS (mt_run_row_parent_class)->dispose (object);
}

static void
mt_run_row_class_init (MtRunRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_run_row_dispose;
}

static void
mt_run_row_init (MtRunRow *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");

  gtk_box_set_spacing (GTK_BOX (self), 10);
  gtk_widget_add_css_class (GTK_WIDGET (self), "runrow");
  self->mark = mt_mark_view_new ();
  gtk_widget_set_valign (self->mark, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self), self->mark);
  self->name = GTK_LABEL (gtk_label_new (NULL));
  /* What tells it from the next one may stand at the end. */
  gtk_label_set_wrap (self->name, TRUE);
  gtk_label_set_wrap_mode (self->name, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (self->name, 2);
  gtk_label_set_ellipsize (self->name, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->name, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->name), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->name), "numeric");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->name));
  self->value = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->value), "numeric");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->value));
  self->sign = GTK_STACK (gtk_stack_new ());
  self->icon = GTK_IMAGE (gtk_image_new ());
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  gtk_widget_set_valign (GTK_WIDGET (self->spinner), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "circular");
  gtk_widget_add_css_class (button, "small");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _("Take out of the Queue"));
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_unqueue), self, G_CONNECT_SWAPPED);
  gtk_stack_add_child (self->sign, GTK_WIDGET (self->icon));
  gtk_stack_add_child (self->sign, GTK_WIDGET (self->spinner));
  gtk_stack_add_named (self->sign, button, "waiting");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->sign));
}

GtkWidget *
mt_run_row_new (void)
{
  return g_object_new (MT_TYPE_RUN_ROW, NULL);
}
