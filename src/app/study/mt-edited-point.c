/* An edited model as a project keeps it: a point with a mark, its model with the history, and a line in the
 * project's own list of edits, which nothing is ever taken out of. See mt-edited-point.h. */
#include "config.h"
#include "mt-edited-point.h"

#include <math.h>

MtEditedPoint *
mt_edited_point_new (MtRunData               *basis,
                     const MtFrontierPoint *point,
                     MtEditHistory         *history)
{
  MtEditedPoint *self = g_new0 (MtEditedPoint, 1);

  self->basis = basis != NULL ? mt_basis_ref (basis) : NULL;
  self->point = *point;
  mt_rule_set_ref (self->point.rules);
  self->history = mt_edit_history_ref (history);
  return self;
}

void
mt_edited_point_free (MtEditedPoint *self)
{
  if (self == NULL)
    return;
  mt_basis_unref (self->basis);
  mt_rule_set_unref (self->point.rules);
  mt_edit_history_unref (self->history);
  g_free (self);
}

/* Everything but the rules is the origin's: settings, constraints, where the data come from. */
static GBytes *
make_json (MtEditedPoint  *self,
           MtProject      *project,
           gint64          origin,
           GError        **error)
{
  g_autoptr (GBytes) bytes = mt_project_dup_model (project, origin, error);
  g_autoptr (MtModel) learned = NULL;
  g_autoptr (MtModel) edited = NULL;
  g_autoptr (MtRuleSet) marked = NULL;
  char *json;
  gsize length;

  if (bytes != NULL)
    learned = mt_model_from_json (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error);
  if (learned == NULL)
    return NULL;
  if (self->basis != NULL)
    marked = mt_rule_set_mark_neutral (self->point.rules, self->basis->encoded, self->basis->rows->values);
  edited = mt_model_with_edits (learned, marked != NULL ? marked : self->point.rules, self->history, self->point.train,
                                error);
  if (edited == NULL)
    return NULL;
  json = mt_model_to_json (edited, &length);
  return g_bytes_new_take (json, length);
}

gint64
mt_edited_point_add (MtEditedPoint  *self,
                     MtProject      *project,
                     gint64          run,
                     gint64          origin,
                     GError        **error)
{
  MtProjectPoint kept = { 0, 0, self->point.complexity, mt_rule_set_get_n_rules (self->point.rules),
                          self->point.cv_mean, self->point.cv_se, MT_MARK_EDITED };
  g_autoptr (GBytes) json = make_json (self, project, origin, error);

  return json != NULL && mt_project_add_points (project, run, &kept, &json, 1, error) ? kept.id : 0;
}

gboolean
mt_edited_point_log (MtEditedPoint  *self,
                     MtProject      *project,
                     gboolean        undone,
                     const char     *by,
                     gint64          made,
                     GError        **error)
{
  const MtEditRecord *record = mt_edit_history_get (self->history, mt_edit_history_get_n (self->history) - 1);
  g_autofree char *text = mt_edit_record_dup_text (record);
  g_autofree char *what = g_strconcat (undone ? "undone: " : "", text, NULL);
  const MtProjectEdit edit = {
    .what = what,
    .reason = (char *) record->reason,
    .literals_before = undone ? record->literals_after : record->literals_before,
    .literals_after = undone ? record->literals_before : record->literals_after,
    .metric_before = !record->is_judged ? NAN : undone ? record->after : record->before,
    .metric_after = !record->is_judged ? NAN : undone ? record->before : record->after,
    .by = (char *) by,
    .made = made,
  };

  return mt_project_add_edit (project, &edit, error) != 0;
}
