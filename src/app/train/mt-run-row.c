/* One run in the queue: its colour and shape, what it is, how it fares. See mt-run-row.h. */
#include "config.h"
#include "mt-run-row.h"

#include <glib/gi18n.h>
#include <math.h>

#include "document/mt-run-words.h"
#include "document/mt-run-words.h"
#include "util/mt-format.h"
#include "widgets/mt-series-mark.h"

struct _MtRunRow {
  GtkBox     parent_instance;

  GtkWidget *mark;
  GtkLabel  *name;
  GtkLabel  *detail;     /* what it explains, and whether of earlier data, where that is not the same for all */
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
show_detail (MtRunRow *self)
{
  const char *target = mt_run_tells_target (self->run) ? mt_run_get_target (self->run) : NULL;
  gboolean earlier = mt_run_is_earlier (self->run);
  g_autofree char *text = NULL;

  if (target != NULL && earlier)
    /* Translators: %s is the target of a run on data that have changed since */
    text = g_strdup_printf (_("Predicts %s · earlier data"), target);
  else if (target != NULL)
    text = g_strdup_printf (_("Predicts %s"), target);
  else if (earlier)
    text = g_strdup (_("Earlier data"));
  gtk_label_set_label (self->detail, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->detail), text != NULL);
}

/* Runs that explain a number are listed next to others: each names its own measure. */
static char *
describe_best (MtRunRow *self,
               double    best)
{
  g_autofree char *number = mt_format_fixed (best, 3);

  return g_strconcat (mt_run_is_regression (self->run) ? "R²" : "AUC", " ", number, NULL);
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
    value = describe_best (self, best);
  else if (state == MT_RUN_STOPPED)
    value = g_strdup (_("Stopped"));
  else
    value = g_strdup (_("Failed"));
  gtk_label_set_label (self->name, mt_run_get_name (self->run));
  gtk_label_set_label (self->value, value);
  show_detail (self);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), error != NULL ? error->message : about);
  mt_series_mark_show (MT_SERIES_MARK (self->mark), mt_run_get_mark (self->run),
                       mt_run_is_earlier (self->run) || (state != MT_RUN_DONE && state != MT_RUN_RUNNING));
  if (state == MT_RUN_QUEUED || state == MT_RUN_STOPPED || mt_run_is_earlier (self->run))
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
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_set_spacing (GTK_BOX (self), 10);
  gtk_widget_add_css_class (GTK_WIDGET (self), "runrow");
  self->mark = mt_series_mark_new ();
  gtk_widget_set_valign (self->mark, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self), self->mark);
  self->name = GTK_LABEL (gtk_label_new (NULL));
  /* What distinguishes it from the next one may be at the end. */
  gtk_label_set_wrap (self->name, TRUE);
  gtk_label_set_wrap_mode (self->name, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (self->name, 2);
  gtk_label_set_ellipsize (self->name, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->name, 0);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (GTK_WIDGET (self->name), "numeric");
  gtk_box_append (GTK_BOX (words), GTK_WIDGET (self->name));
  self->detail = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->detail, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->detail, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->detail), "caption");
  gtk_box_append (GTK_BOX (words), GTK_WIDGET (self->detail));
  gtk_box_append (GTK_BOX (self), words);
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
  gtk_widget_set_tooltip_text (button, _("Remove from Queue"));
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
