/* The button of a page that has nothing to show yet: what is to be done first. See mt-next-step-button.h.
 * */
#include "config.h"
#include "mt-next-step-button.h"

#include <glib/gi18n.h>

MtNextStep
mt_next_step_find_first (MtDocument *document)
{
  MtTable *table = mt_document_get_table (document);

  if (table == NULL || mt_table_get_target (table) < 0)
    return MT_NEXT_TARGET;
  if (!mt_document_target_varies (document))
    return MT_NEXT_OTHER;
  for (guint i = 0; i < mt_table_get_n_columns (table); i++)
    if (mt_table_get_role (table, i) == MT_ROLE_FEATURE)
      return MT_NEXT_TRAIN;
  return MT_NEXT_FEATURE;
}

MtNextStep
mt_next_step_find (MtDocument *document,
                   MtStudy    *study)
{
  return mt_study_is_running (study) ? MT_NEXT_WAIT : mt_next_step_find_first (document);
}

const char *
mt_next_step_get_hint (MtNextStep step)
{
  switch (step)
    {
    case MT_NEXT_TARGET:
      return _("First choose the column to predict (the target) on the Data page.");
    case MT_NEXT_OTHER:
      return _("The target has fewer than two different values. First choose another target on the Data page.");
    case MT_NEXT_FEATURE:
      return _("No column is available to rules. First set the role of a column to Feature on the Data page.");
    case MT_NEXT_TRAIN:
    case MT_NEXT_WAIT:
    default:
      return NULL;
    }
}

const char *
mt_next_step_get_reason (MtNextStep step)
{
  switch (step)
    {
    case MT_NEXT_TARGET:
      return _("No Target Selected on the Data Page");
    case MT_NEXT_OTHER:
      return _("The Target Has Fewer Than Two Different Values");
    case MT_NEXT_FEATURE:
      return _("No Feature Column on the Data Page");
    case MT_NEXT_TRAIN:
    case MT_NEXT_WAIT:
    default:
      return NULL;
    }
}

void
mt_next_step_show (MtNextStep  step,
                   GtkButton  *button)
{
  const char *labels[] = { _("Go to _Data"), _("Go to _Data"), _("Go to _Data"), _("T_rain"), _("Show _Training") };
  const char *pages[] = { "data", "data", "data", NULL, "train" };
  GtkActionable *actionable = GTK_ACTIONABLE (button);

  if (g_strcmp0 (gtk_button_get_label (button), labels[step]) == 0)
    return;   /* asked many times a second while it trains */
  gtk_button_set_label (button, labels[step]);
  /* The target first: an action without the target it wants is complained about. */
  gtk_actionable_set_action_name (actionable, NULL);
  gtk_actionable_set_action_target_value (actionable, pages[step] != NULL ? g_variant_new_string (pages[step]) : NULL);
  gtk_actionable_set_action_name (actionable, pages[step] != NULL ? "win.show-page" : "win.train");
}
