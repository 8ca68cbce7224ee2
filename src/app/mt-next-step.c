#include "config.h"
#include "mt-next-step.h"

#include <glib/gi18n.h>

MtNextStep
mt_next_step_find (MtDocument *document,
                   MtStudy    *study)
{
  MtTable *table = mt_document_get_table (document);

  if (mt_study_is_running (study))
    return MT_NEXT_WAIT;
  return table != NULL && mt_table_get_target (table) >= 0 ? MT_NEXT_TRAIN : MT_NEXT_TARGET;
}

void
mt_next_step_show (MtNextStep  step,
                   GtkButton  *button)
{
  const char *labels[] = { _("Go to _Data"), _("T_rain"), _("Show _Training") };
  const char *pages[] = { "data", NULL, "train" };
  GtkActionable *actionable = GTK_ACTIONABLE (button);

  if (g_strcmp0 (gtk_button_get_label (button), labels[step]) == 0)
    return;   /* asked many times a second while it trains */
  gtk_button_set_label (button, labels[step]);
  /* The target first: an action without the target it wants is complained about. */
  gtk_actionable_set_action_name (actionable, NULL);
  gtk_actionable_set_action_target_value (actionable, pages[step] != NULL ? g_variant_new_string (pages[step]) : NULL);
  gtk_actionable_set_action_name (actionable, pages[step] != NULL ? "win.show-page" : "win.train");
}
