/* What a person can decide about a document. Each is a step with a name, and can be undone. */
#include "config.h"
#include "mt-document-private.h"

#include <glib/gi18n.h>

#include "util/mt-preferences.h"

static const char *
name_of (MtDocument *self,
         guint       column)
{
  return mt_column_get_name (mt_table_get_column (mt_document_get_table (self), column));
}

gboolean
mt_document_is_target_guessed (MtDocument *self)
{
  MtTable *table;
  MtColumnRole role;
  int target;

  g_return_val_if_fail (MT_IS_DOCUMENT (self), FALSE);

  table = mt_document_get_table (self);
  target = table != NULL ? mt_table_get_target (table) : -1;
  return target >= 0 && !mt_schema_get_role (mt_document_get_decisions (self)->schema, name_of (self, (guint) target), &role);
}

void
mt_document_set_role (MtDocument   *self,
                      guint         column,
                      MtColumnRole  role)
{
  MtTable *table = mt_document_get_table (self);
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (MtDecisions) decisions = NULL;
  g_autofree char *label = NULL;
  int target;

  g_return_if_fail (MT_IS_DOCUMENT (self) && table != NULL);
  g_return_if_fail (column < mt_table_get_n_columns (table));

  if (mt_table_get_role (table, column) == role && (role != MT_ROLE_TARGET || !mt_document_is_target_guessed (self)))
    return;
  schema = mt_schema_copy (mt_document_get_decisions (self)->schema);
  target = mt_table_get_target (table);
  if (role == MT_ROLE_TARGET && target >= 0 && (guint) target != column)
    mt_schema_set_role (schema, name_of (self, (guint) target), MT_ROLE_FEATURE);
  mt_schema_set_role (schema, name_of (self, column), role);
  decisions = mt_decisions_with_schema (mt_document_get_decisions (self), schema);
  /* Translators: after "Undo"; %s is the name of a column */
  label = g_strdup_printf (_("Role of “%s”"), name_of (self, column));
  _mt_document_apply (self, decisions, label);
}

void
mt_document_set_type (MtDocument   *self,
                      guint         column,
                      MtColumnType  type)
{
  MtTable *table = mt_document_get_table (self);
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (MtDecisions) decisions = NULL;
  g_autofree char *label = NULL;

  g_return_if_fail (MT_IS_DOCUMENT (self) && table != NULL);
  g_return_if_fail (column < mt_table_get_n_columns (table));

  if (mt_column_get_type (mt_table_get_column (table, column)) == type)
    return;
  schema = mt_schema_copy (mt_document_get_decisions (self)->schema);
  mt_schema_set_type (schema, name_of (self, column), type);
  decisions = mt_decisions_with_schema (mt_document_get_decisions (self), schema);
  /* Translators: after "Undo"; %s is the name of a column */
  label = g_strdup_printf (_("Type of “%s”"), name_of (self, column));
  _mt_document_apply (self, decisions, label);
}

void
mt_document_derive (MtDocument *self,
                    const char *old,
                    const char *name,
                    const char *formula)
{
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (MtDecisions) decisions = NULL;
  g_autofree char *label = NULL;

  g_return_if_fail (MT_IS_DOCUMENT (self) && mt_document_get_table (self) != NULL && name != NULL);

  schema = mt_schema_copy (mt_document_get_decisions (self)->schema);
  if (old != NULL && g_strcmp0 (old, name) != 0)
    mt_schema_set_derived (schema, old, NULL);
  mt_schema_set_derived (schema, name, formula);
  decisions = mt_decisions_with_schema (mt_document_get_decisions (self), schema);
  /* Translators: after "Undo"; %s is the name of a column */
  label = g_strdup_printf (formula != NULL ? _("Derive “%s”") : _("Remove “%s”"), name);
  _mt_document_apply (self, decisions, label);
}

void
mt_document_set_dialect (MtDocument         *self,
                         const MtCsvDialect *dialect,
                         const char         *label)
{
  g_autoptr (MtDecisions) decisions = NULL;

  g_return_if_fail (MT_IS_DOCUMENT (self));

  decisions = mt_decisions_with_dialect (mt_document_get_decisions (self), dialect);
  _mt_document_apply (self, decisions, label);
}

static void
treat_as_missing (MtDocument      *self,
                  const MtFinding *finding)
{
  g_autoptr (MtSchema) schema = mt_schema_copy (mt_document_get_decisions (self)->schema);
  g_autoptr (MtDecisions) decisions = NULL;
  g_autofree char *label = NULL;

  mt_schema_add_missing (schema, finding->column_name, finding->fix_value);
  decisions = mt_decisions_with_schema (mt_document_get_decisions (self), schema);
  /* Translators: after "Undo"; %s is a value such as 0 or 999 */
  label = g_strdup_printf (_("Treat %s as Missing"), finding->fix_value);
  _mt_document_apply (self, decisions, label);
}

void
mt_document_fix (MtDocument      *self,
                 const MtFinding *finding)
{
  MtTable *table = mt_document_get_table (self);
  g_autoptr (MtFinding) held = NULL;
  MtColumnType type;
  guint column;

  g_return_if_fail (MT_IS_DOCUMENT (self) && table != NULL && finding != NULL);

  held = mt_finding_ref ((MtFinding *) finding);   /* with it goes the row that asked */
  if (finding->column_name == NULL || mt_table_find_column (table, finding->column_name, &column) == NULL)
    return;
  switch (finding->fix)
    {
    case MT_FIX_IGNORE_COLUMN:
      mt_document_set_role (self, column, MT_ROLE_IGNORED);
      break;
    case MT_FIX_SET_TYPE:
      if (mt_column_type_from_string (finding->fix_value, &type))
        mt_document_set_type (self, column, type);
      break;
    case MT_FIX_TREAT_AS_MISSING:
      treat_as_missing (self, finding);
      break;
    case MT_FIX_NONE:
    default:
      return;
    }
  g_signal_emit_by_name (self, "fixed", finding);
}

void
mt_document_dismiss (MtDocument      *self,
                     const MtFinding *finding,
                     const char      *reason)
{
  g_autoptr (MtDecisions) decisions = NULL;
  g_autofree char *by = NULL;

  g_return_if_fail (MT_IS_DOCUMENT (self) && finding != NULL);

  by = mt_preferences_dup_person ();
  decisions = mt_decisions_with_dismissal (mt_document_get_decisions (self), finding, reason, by,
                                           g_get_real_time () / G_USEC_PER_SEC);
  _mt_document_apply (self, decisions, reason != NULL ? _("Dismiss Finding") : _("Restore Finding"));
}

void
mt_document_set_run (MtDocument          *self,
                     const MtRunSettings *run,
                     const MtSweepGrid     *grid,
                     const char          *label)
{
  MtDecisions *before;
  g_autoptr (MtDecisions) decisions = NULL;

  g_return_if_fail (MT_IS_DOCUMENT (self) && label != NULL);

  before = mt_document_get_decisions (self);
  decisions = mt_decisions_with_run (before, run, grid);
  if (!mt_decisions_same_run (before, decisions))
    _mt_document_continue (self, decisions, label);
}
