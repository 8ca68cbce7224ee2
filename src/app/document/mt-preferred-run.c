/* The run settings that a new file starts with. */
#include "config.h"
#include "mt-preferred-run.h"

#include "util/mt-preferences.h"

void
mt_preferred_run_init (MtRunSettings *run)
{
  GSettings *settings = mt_preferences_get_settings ();

  mt_run_settings_init (run, (MtPreset) g_settings_get_enum (settings, "preset"));
  run->device = (MtDevice) g_settings_get_enum (settings, "device");
}
