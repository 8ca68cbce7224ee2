/* The three tables that come with the program. See mt-samples.h. */
#include "config.h"
#include "mt-samples.h"

#include <glib/gi18n.h>

static const MtSample samples[] = {
  { "loan-approval", N_("Loan approval"), N_("Loan decisions") },
  { "triage", N_("Triage"), N_("Urgency of patients") },
  { "energy-use", N_("Energy use"), N_("Energy use of buildings") },
};

const MtSample *
mt_samples_get (guint *n_samples)
{
  *n_samples = G_N_ELEMENTS (samples);
  return samples;
}

GFile *
mt_samples_get_file (const char *name)
{
  const char *folder = g_getenv ("MINTERM_SAMPLES");
  g_autofree char *file = g_strconcat (name, ".csv", NULL);

  if (folder != NULL)
    return g_file_new_build_filename (folder, file, NULL);
  return g_file_new_build_filename (MT_PKGDATADIR, "samples", file, NULL);
}
