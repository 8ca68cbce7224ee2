#include "config.h"
#include "mt-application.h"

#include "mt-window.h"

struct _MtApplication {
  AdwApplication parent_instance;
};

G_DEFINE_FINAL_TYPE (MtApplication, mt_application, ADW_TYPE_APPLICATION)

static void
mt_application_activate (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (window == NULL)
    window = GTK_WINDOW (mt_window_new (MT_APPLICATION (application)));
  gtk_window_present (window);
}

static void
mt_application_class_init (MtApplicationClass *klass)
{
  G_APPLICATION_CLASS (klass)->activate = mt_application_activate;
}

static void
mt_application_init (MtApplication *self)
{
}

MtApplication *
mt_application_new (void)
{
  return g_object_new (MT_TYPE_APPLICATION,
                       "application-id", MT_APP_ID,
                       "resource-base-path", "/io/github/minterm/Minterm",
                       "flags", G_APPLICATION_HANDLES_OPEN,
                       NULL);
}
