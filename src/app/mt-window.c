#include "config.h"
#include "mt-window.h"

struct _MtWindow {
  AdwApplicationWindow parent_instance;
};

G_DEFINE_FINAL_TYPE (MtWindow, mt_window, ADW_TYPE_APPLICATION_WINDOW)

static void
mt_window_class_init (MtWindowClass *klass)
{
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass),
                                               "/io/github/minterm/Minterm/ui/mt-window.ui");
}

static void
mt_window_init (MtWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

MtWindow *
mt_window_new (MtApplication *application)
{
  return g_object_new (MT_TYPE_WINDOW, "application", application, NULL);
}
