/* The program minterm: starts the application. */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "mt-application.h"
#include "util/mt-background.h"
#include "mt-core.h"
#include "util/mt-environment.h"

int
main (int    argc,
      char **argv)
{
  g_autoptr (MtApplication) application = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, MT_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  mt_background_prepare ();
  gtk_disable_setlocale ();   /* done, and without a word where the locale is not known */
  mt_environment_prepare ();
  mt_gpu_prepare_cache (NULL);

  g_set_application_name ("Minterm");
  if ((argc < 2 || argv[1][0] != '-') && !gtk_init_check ())   /* --help needs no screen */
    {
      const char *display = g_getenv ("WAYLAND_DISPLAY") != NULL ? g_getenv ("WAYLAND_DISPLAY") : g_getenv ("DISPLAY");

      /* Translators: %s is the name of a screen, such as ":0" */
      g_printerr (_("minterm: cannot open the display “%s”; run it in a desktop session, or use minterm-cli\n"),
                  display != NULL ? display : "");
      return 1;
    }
  application = mt_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
