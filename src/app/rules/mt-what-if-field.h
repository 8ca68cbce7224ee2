/* One column of a row one may change: a slider with the model's thresholds marked and the value to be
 * typed, or a menu of levels; and a check for missing where the column knows it. A column that no rule reads is
 * only shown, faded: another value of it would change nothing. */
#pragma once

#include <gtk/gtk.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_WHAT_IF_FIELD (mt_what_if_field_get_type ())

G_DECLARE_FINAL_TYPE (MtWhatIfField, mt_what_if_field, MT, WHAT_IF_FIELD, GtkBox)

MtWhatIfField *mt_what_if_field_new       (MtRuleBook       *book,
                                           guint             column);   /* of the encoder */
guint          mt_what_if_field_get_column (MtWhatIfField   *self);
/* Says nothing of it. */
void           mt_what_if_field_set_value (MtWhatIfField    *self,
                                           const MtRawValue *value);
const MtRawValue *
               mt_what_if_field_get_value (MtWhatIfField    *self);

/* Whether the user wants it kept in the nearest changes. */
gboolean       mt_what_if_field_get_locked (MtWhatIfField   *self);

/* Signals "changed", "locked": by the user. */

G_END_DECLS
