/* The whole model on its canvas, with what stands around it: a title, what the lines mean, zoom, saving and
 * printing. See mt-canvas-pane.h. */
#include "config.h"
#include "mt-canvas-pane.h"

#include <glib/gi18n.h>

#include "mt-canvas-print.h"
#include "util/mt-format.h"

struct _MtCanvasPane {
  AdwBin        parent_instance;

  /* template children */
  MtCanvasView *view;
  GtkLabel     *title;
  GtkLabel     *legend;
  GtkLabel     *zoom;

  MtRuleBook   *book;
};

static guint selected_signal, opened_signal;

G_DEFINE_FINAL_TYPE (MtCanvasPane, mt_canvas_pane, ADW_TYPE_BIN)

static void
show_title (MtCanvasPane *self)
{
  g_autofree char *totals = mt_format_totals (mt_rule_book_get_rules (self->book));

  gtk_label_set_label (self->title, totals);
}

static void
show_legend (MtCanvasPane *self)
{
  MtTask task = mt_rule_book_get_task (self->book);

  if (task == MT_TASK_BINARY)
    {
      g_autofree char *outcome = mt_format_outcome (self->book, 1);
      /* Translators: %s is a class, such as: yes */
      g_autofree char *legend = g_strdup_printf (_("→ true   ○→ false   pill: toward %s   square: away from "
                                                   "it"),
                                                 outcome);

      gtk_label_set_label (self->legend, legend);
    }
  else if (task == MT_TASK_MULTICLASS)
    gtk_label_set_label (self->legend, _("→ true   ○→ false   leaf: class with the largest effect"));
  else
    gtk_label_set_label (self->legend, _("→ true   ○→ false"));
}

void
mt_canvas_pane_show (MtCanvasPane *self,
                     MtRuleBook   *book)
{
  g_return_if_fail (MT_IS_CANVAS_PANE (self));

  g_clear_pointer (&self->book, mt_rule_book_unref);
  self->book = book != NULL ? mt_rule_book_ref (book) : NULL;
  mt_canvas_view_set_book (self->view, book);
  if (book == NULL)
    return;
  show_title (self);
  show_legend (self);
}

MtCanvasView *
mt_canvas_pane_get_view (MtCanvasPane *self)
{
  return self->view;
}

void
mt_canvas_pane_print (MtCanvasPane *self)
{
  g_autoptr (GtkPrintOperation) operation = NULL;

  g_return_if_fail (MT_IS_CANVAS_PANE (self));

  if (self->book == NULL || mt_canvas_view_is_busy (self->view))
    return;   /* drawn in a moment; asking again prints it */
  operation = mt_canvas_print_new (self->view, mt_rule_book_get_target (self->book));
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG,
                           GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), NULL);
}

/* --- what the view and the buttons tell --- */

static void
on_selected (MtCanvasPane *self)
{
  g_signal_emit (self, selected_signal, 0);
}

static void
on_opened (MtCanvasPane *self)
{
  g_signal_emit (self, opened_signal, 0);
}

static void
on_zoomed (MtCanvasPane *self)
{
  g_autofree char *text = g_strdup_printf (_("%.0f%%"), mt_canvas_view_get_scale (self->view) * 100);

  gtk_label_set_label (self->zoom, text);
}

static void
on_zoom_in (MtCanvasPane *self)
{
  mt_canvas_view_zoom (self->view, 1.25);
}

static void
on_zoom_out (MtCanvasPane *self)
{
  mt_canvas_view_zoom (self->view, 0.8);
}

static void
on_zoom_one (MtCanvasPane *self)
{
  mt_canvas_view_zoom (self->view, 0);
}

static void
on_zoom_fit (MtCanvasPane *self)
{
  mt_canvas_view_fit (self->view);
}

/* --- object --- */

static void
mt_canvas_pane_dispose (GObject *object)
{
  g_clear_pointer (&MT_CANVAS_PANE (object)->book, mt_rule_book_unref);
  G_OBJECT_CLASS (mt_canvas_pane_parent_class)->dispose (object);
}

static void
mt_canvas_pane_class_init (MtCanvasPaneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = mt_canvas_pane_dispose;
  selected_signal = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  opened_signal = g_signal_new ("opened", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 0);
  g_type_ensure (MT_TYPE_CANVAS_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-canvas-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, MtCanvasPane, view);
  gtk_widget_class_bind_template_child (widget_class, MtCanvasPane, title);
  gtk_widget_class_bind_template_child (widget_class, MtCanvasPane, legend);
  gtk_widget_class_bind_template_child (widget_class, MtCanvasPane, zoom);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_opened);
  gtk_widget_class_bind_template_callback (widget_class, on_zoomed);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_in);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_out);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_one);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_fit);
}

static void
mt_canvas_pane_init (MtCanvasPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
