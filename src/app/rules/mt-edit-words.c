/* Edits in the person's own language. See mt-edit-words.h. */
#include "config.h"
#include "mt-edit-words.h"

#include <glib/gi18n.h>

#include "util/mt-format.h"

const char *
mt_edit_kind_get_title (MtEditKind kind)
{
  static const char * const titles[MT_N_EDITS] = {
    [MT_EDIT_DROP_RULE] = N_("Remove a Rule"),
    [MT_EDIT_DROP_TERM] = N_("Remove an Alternative"),
    [MT_EDIT_DROP_INPUT] = N_("Remove a Condition"),
    [MT_EDIT_MERGE_THRESHOLDS] = N_("Merge Thresholds"),
    [MT_EDIT_ROUND_WEIGHTS] = N_("Round Weights"),
    [MT_EDIT_FORBID_COLUMN] = N_("Exclude a Column"),
    [MT_EDIT_REFIT] = N_("Refit Weights"),
    [MT_EDIT_SET_CUTOFF] = N_("Set Cutoff"),
    [MT_EDIT_SET_WEIGHT] = N_("Set Weight"),
    [MT_EDIT_SET_THRESHOLD] = N_("Set Threshold"),
    [MT_EDIT_ADD_RULE] = N_("Add a Rule"),
  };

  g_return_val_if_fail ((guint) kind < MT_N_EDITS, NULL);
  return _(titles[kind]);
}

const char *
mt_edit_kind_get_meaning (MtEditKind kind)
{
  static const char * const meanings[MT_N_EDITS] = {
    [MT_EDIT_DROP_RULE] = N_("Removes the rule and its weight. Other weights do not change until you refit."),
    [MT_EDIT_DROP_TERM] = N_("The rule no longer applies to rows that satisfy only this alternative."),
    [MT_EDIT_DROP_INPUT] = N_("Removes the condition. The rule then applies wherever it applied with the "
                              "condition true or false."),
    [MT_EDIT_MERGE_THRESHOLDS] = N_("Replaces the first threshold with the second in all rules."),
    [MT_EDIT_ROUND_WEIGHTS] = N_("Rounds weights to decimal places, or to whole points so that the strongest "
                                 "weight is the number you choose. Terms that round to zero are removed."),
    [MT_EDIT_FORBID_COLUMN] = N_("Removes every condition on the column and its linear term."),
    [MT_EDIT_REFIT] = N_("Refits the weights of all terms to the training rows."),
    [MT_EDIT_SET_CUTOFF] = N_("Changes the probability above which the second class is predicted."),
    [MT_EDIT_SET_WEIGHT] = N_("Changes one weight; a linear term has one per unit. With 0, the term is removed. Other weights "
                              "do not change until you refit."),
    [MT_EDIT_SET_THRESHOLD] = N_("Changes the threshold of one condition in this rule only."),
    [MT_EDIT_ADD_RULE] = N_("Adds a rule that applies where all of its conditions are met. Other weights do not change until "
                            "you refit."),
  };

  g_return_val_if_fail ((guint) kind < MT_N_EDITS, NULL);
  return _(meanings[kind]);
}

char *
mt_edit_record_describe (const MtEditRecord *record)
{
  const MtEdit *edit = &record->edit;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  switch (edit->kind)
    {
    case MT_EDIT_DROP_RULE:
      /* Translators: here and below, %s is a rule or a part of one */
      return g_strdup_printf (_("Removed: %s"), record->rule);
    case MT_EDIT_DROP_TERM:
      return g_strdup_printf (_("Removed alternative: %s"), record->part);
    case MT_EDIT_DROP_INPUT:
      return g_strdup_printf (_("Removed condition: %s"), record->part);
    case MT_EDIT_MERGE_THRESHOLDS:
      from = mt_format_short (edit->from);
      to = mt_format_short (edit->to);
      /* Translators: column, threshold, threshold */
      return g_strdup_printf (_("Merged thresholds of %s: %s into %s"), edit->column, from, to);
    case MT_EDIT_ROUND_WEIGHTS:
      if (edit->points > 0)
        return g_strdup_printf (ngettext ("Rounded weights to points, the strongest to %u",
                                          "Rounded weights to points, the strongest to %u", edit->points), edit->points);
      return g_strdup_printf (ngettext ("Rounded weights to %u decimal", "Rounded weights to %u decimals",
                                        edit->decimals), edit->decimals);
    case MT_EDIT_FORBID_COLUMN:
      return g_strdup_printf (_("Excluded column %s"), edit->column);
    case MT_EDIT_SET_CUTOFF:
      from = mt_format_number (edit->from);
      to = mt_format_number (edit->to);
      /* Translators: cutoff before, cutoff after */
      return g_strdup_printf (_("Changed the cutoff from %s to %s"), from, to);
    case MT_EDIT_SET_WEIGHT:
      from = mt_format_number (edit->from);
      to = mt_format_number (edit->to);
      /* Translators: weight before, weight after, rule or column */
      return g_strdup_printf (_("Changed weight from %s to %s: %s"), from, to, record->rule);
    case MT_EDIT_SET_THRESHOLD:
      to = mt_format_number (edit->to);
      /* Translators: threshold, condition before */
      return g_strdup_printf (_("Changed threshold to %s: %s"), to, record->part);
    case MT_EDIT_ADD_RULE:
      to = mt_format_number (edit->to);
      /* Translators: weight, rule */
      return g_strdup_printf (_("Added with weight %s: %s"), to, record->rule);
    case MT_EDIT_REFIT:
    case MT_N_EDITS:
    default:
      return g_strdup (_("Refitted weights"));
    }
}

char *
mt_edit_record_compare (const MtEditRecord *record)
{
  /* Translators: "12 → 9 literals" */
  g_autofree char *literals = g_strdup_printf (ngettext ("%u → %u literal", "%u → %u literals", record->literals_after),
                                               record->literals_before, record->literals_after);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  if (!record->is_judged)
    return g_steal_pointer (&literals);
  before = mt_format_fixed (record->before, 3);
  after = mt_format_fixed (record->after, 3);
  return g_strdup_printf ("%s · %s %s → %s", literals, record->metric == MT_METRIC_R2 ? "R²" : _("AUC"), before, after);
}
