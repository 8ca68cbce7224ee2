#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "mt-application.h"
#include "mt-core.h"

int
main (int    argc,
      char **argv)
{
  g_autoptr (MtApplication) application = NULL;

  mt_blas_start_again_if_limited (argv);
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, MT_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  g_set_application_name ("Minterm");
  application = mt_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
