/* The reason that a customer reads when a term decided, as it is kept among the notes of a document: one text, a
 * JSON object from the term to its reason. See mt-reason-notes.h. */
#include "config.h"
#include "mt-reason-notes.h"

static MtJson *
parse (const char *notes)
{
  g_autoptr (MtJson) json = notes != NULL ? mt_json_parse (notes, -1, NULL) : NULL;

  return json != NULL && mt_json_get_kind (json) == MT_JSON_OBJECT ? g_steal_pointer (&json) : NULL;
}

char *
mt_reason_notes_set (const char *notes,
                     const char *term,
                     const char *reason)
{
  g_autoptr (MtJson) json = parse (notes);
  MtJsonWriter *writer = mt_json_writer_new ();

  mt_json_writer_begin_object (writer);
  for (guint i = 0; json != NULL && i < mt_json_get_n_children (json); i++)
    {
      const MtJson *child = mt_json_get_child (json, i);

      if (g_strcmp0 (mt_json_get_name (json, i), term) == 0 || mt_json_get_kind (child) != MT_JSON_STRING)
        continue;
      mt_json_writer_key (writer, mt_json_get_name (json, i));
      mt_json_writer_string (writer, mt_json_get_string (child));
    }
  mt_json_writer_key (writer, term);
  mt_json_writer_string (writer, reason);
  mt_json_writer_end_object (writer);
  return mt_json_writer_finish (writer, NULL);
}

/* @model may be NULL. */
static const char *
find (const MtJson    *json,
      MtModel         *model,
      const MtRuleSet *rules,
      const MtEncoder *encoder,
      guint            term)
{
  g_autofree char *name = mt_term_dup_text (mt_rule_set_get_term (rules, term), encoder);
  const MtJson *child = json != NULL ? mt_json_find (json, name) : NULL;

  if (child != NULL && mt_json_get_kind (child) == MT_JSON_STRING)
    return mt_json_get_string (child);
  return model != NULL ? mt_model_get_reason (model, term) : NULL;
}

static const char *
find_in_model (const MtJson *json,
               MtModel      *model,
               guint         term)
{
  return find (json, model, mt_model_get_rules (model), mt_model_get_encoder (model), term);
}

guint
mt_reason_notes_count_missing (const char      *notes,
                               MtModel         *model,
                               const MtRuleSet *rules,
                               const MtEncoder *encoder)
{
  g_autoptr (MtJson) json = parse (notes);
  guint n = 0;

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const char *reason = find (json, model, rules, encoder, t);

      n += reason == NULL || *reason == '\0';
    }
  return n;
}

char *
mt_reason_notes_dup (const char *notes,
                     MtModel    *model,
                     guint       term)
{
  g_autoptr (MtJson) json = parse (notes);
  const char *reason = find_in_model (json, model, term);

  return reason != NULL && *reason != '\0' ? g_strdup (reason) : NULL;
}

MtModel *
mt_reason_notes_apply (const char  *notes,
                       MtModel     *model,
                       GError     **error)
{
  g_autoptr (MtJson) json = parse (notes);
  MtModel *changed = mt_model_ref (model);
  guint n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (model));

  for (guint t = 0; json != NULL && changed != NULL && t < n_terms; t++)
    {
      const char *reason = find_in_model (json, model, t);
      MtModel *next;

      if (g_strcmp0 (reason, mt_model_get_reason (model, t)) == 0)
        continue;
      next = mt_model_with_reason (changed, t, reason, error);
      mt_model_unref (changed);
      changed = next;
    }
  return changed;
}
