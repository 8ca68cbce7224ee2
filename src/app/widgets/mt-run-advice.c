/* What to do about a training that failed: the message says what went wrong, this says what helps. See mt-
 * run-advice.h. */
#include "config.h"
#include "mt-run-advice.h"

#include <glib/gi18n.h>

#include "mt-core.h"

const char *
mt_run_advice_get (const GError *error)
{
  if (g_error_matches (error, MT_ERROR, MT_ERROR_NUMERIC))
    return _("Training became unstable. Lower the learning rate, or set “Networks that propose rules” to 0.");
  if (g_error_matches (error, MT_ERROR, MT_ERROR_DEVICE))
    return _("Training can continue on the CPU from the last saved state. It takes longer; results may "
             "differ by rounding only.");
  if (g_error_matches (error, MT_ERROR, MT_ERROR_BUDGET))
    return _("The run exceeded the memory or time limit. Reduce thresholds, nodes, or conditions per rule.");
  if (g_error_matches (error, MT_ERROR, MT_ERROR_SCHEMA))
    return _("Check which column is the target and its type.");
  return _("Check the target and the columns in use on the Data page and the settings on the Model page.");
}

void
mt_run_advice_show (const GError *error,
                    GtkButton    *button)
{
  gboolean device = g_error_matches (error, MT_ERROR, MT_ERROR_DEVICE);
  gboolean settings = g_error_matches (error, MT_ERROR, MT_ERROR_NUMERIC) ||
                      g_error_matches (error, MT_ERROR, MT_ERROR_BUDGET);
  GtkActionable *actionable = GTK_ACTIONABLE (button);

  gtk_button_set_label (button, device ? _("_Continue on the CPU") : settings ? _("Go to _Model") : _("Go to _Data"));
  /* The target first: an action without the target it wants is complained about. */
  gtk_actionable_set_action_name (actionable, NULL);
  gtk_actionable_set_action_target_value (actionable, device ? NULL
                                                             : g_variant_new_string (settings ? "model" : "data"));
  gtk_actionable_set_action_name (actionable, device ? "win.use-cpu" : "win.show-page");
}
