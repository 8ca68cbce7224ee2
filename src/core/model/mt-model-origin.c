/* Where a rule of a model file comes from: the optional member "origin" of a rule. */
#include "config.h"
#include "mt-model-private.h"

#include <string.h>

#include "logic/mt-truth-table.h"

static const char * const kind_names[] = { "scan", "node", "deep", "edit" };
static const char * const change_names[] = { "gradient", "exchange" };      /* by the bits of MtOriginChanges */

/* --- writing --- */

void
mt_model_write_origin (MtJsonWriter   *writer,
                       const MtOrigin *origin)
{
  guint n_inputs = mt_origin_get_n_inputs (origin);

  mt_json_writer_key (writer, "origin");
  mt_json_writer_begin_object (writer);
  mt_json_writer_key (writer, "kind");
  mt_json_writer_string (writer, kind_names[mt_origin_get_kind (origin)]);
  if (mt_origin_is_node (origin))
    {
      mt_json_writer_key (writer, "inputs");
      mt_json_writer_begin_row (writer);
      for (guint i = 0; i < n_inputs; i++)
        mt_json_writer_integer (writer, mt_origin_get_inputs (origin)[i]);
      mt_json_writer_end_array (writer);
    }
  if (mt_origin_get_kind (origin) == MT_ORIGIN_NODE)
    {
      mt_json_writer_key (writer, "weights");
      mt_json_writer_begin_row (writer);
      for (guint i = 0; i < n_inputs; i++)
        mt_json_writer_number (writer, mt_origin_get_weights (origin)[i]);
      mt_json_writer_end_array (writer);
      mt_json_writer_key (writer, "threshold");
      mt_json_writer_number (writer, mt_origin_get_threshold (origin));
    }
  if (mt_origin_get_kind (origin) == MT_ORIGIN_DEEP)
    {
      g_autofree char *hex = mt_truth_table_dup_hex (n_inputs, mt_origin_get_table (origin));

      mt_json_writer_key (writer, "table");
      mt_json_writer_string (writer, hex);
    }
  if (mt_origin_get_changes (origin) != 0)
    {
      mt_json_writer_key (writer, "changed");
      mt_json_writer_begin_row (writer);
      for (guint i = 0; i < G_N_ELEMENTS (change_names); i++)
        if (mt_origin_get_changes (origin) >> i & 1)
          mt_json_writer_string (writer, change_names[i]);
      mt_json_writer_end_array (writer);
    }
  mt_json_writer_end_object (writer);
}

/* --- reading --- */

/* The optional member "changed". */
static gboolean
read_changes (const MtJsonCursor  *at,
              MtOrigin           **origin,
              GError             **error)
{
  g_auto (GStrv) names = NULL;
  MtOriginChanges changes = 0;
  MtOrigin *changed;

  if (mt_json_find (at->json, "changed") == NULL)
    return TRUE;
  if (!mt_json_read_strings (at, "changed", G_N_ELEMENTS (change_names), &names, error))
    return FALSE;
  for (guint n = 0; names[n] != NULL; n++)
    {
      guint i = 0;

      while (i < G_N_ELEMENTS (change_names) && strcmp (names[n], change_names[i]) != 0)
        i++;
      /* In their order, each once: one model has one form. */
      if (i == G_N_ELEMENTS (change_names) || changes >> i != 0)
        return mt_json_member_fail (at, "changed", error, "must be of gradient and exchange, each once, in this order");
      changes |= 1u << i;
    }
  if (changes == 0)
    return mt_json_member_fail (at, "changed", error, "has no items");
  changed = mt_origin_new_changed (*origin, changes);
  mt_origin_unref (*origin);
  *origin = changed;
  return TRUE;
}

static MtOrigin *
read_node (const MtJsonCursor *at,
           const guint       *inputs,
           guint              n_inputs,
           GError           **error)
{
  g_autofree double *weights = NULL;
  g_autoptr (GError) why = NULL;
  MtOrigin *origin;
  double threshold;
  guint n_weights;

  if (!mt_json_read_numbers (at, "weights", MT_ORIGIN_MAX_INPUTS, &weights, &n_weights, error) ||
      !mt_json_read_number (at, "threshold", &threshold, error))
    return NULL;
  if (n_weights != n_inputs)
    {
      mt_json_member_fail (at, "weights", error, "has %u items and should have %u", n_weights, n_inputs);
      return NULL;
    }
  origin = mt_origin_new_node (inputs, n_inputs, weights, threshold, &why);
  if (origin == NULL)
    mt_json_cursor_fail (at, error, "is not a node: %s", why->message);
  return origin;
}

static MtOrigin *
read_deep (const MtJsonCursor *at,
           const guint       *inputs,
           guint              n_inputs,
           GError           **error)
{
  guint64 table[(1u << MT_ORIGIN_MAX_INPUTS) / 64] = { 0 };
  g_autoptr (GError) why = NULL;
  const char *hex;
  MtOrigin *origin;

  if (!mt_json_read_string (at, "table", &hex, error))
    return NULL;
  if (!mt_truth_table_parse (n_inputs, hex, table, NULL))
    {
      mt_json_member_fail (at, "table", error, "is not the hexadecimal table of a node with %u inputs", n_inputs);
      return NULL;
    }
  origin = mt_origin_new_deep (inputs, n_inputs, table, &why);
  if (origin == NULL)
    mt_json_cursor_fail (at, error, "is not a node: %s", why->message);
  return origin;
}

gboolean
mt_model_read_origin (const MtJsonCursor  *rule,
                      const MtEncoder    *encoder,
                      MtOrigin          **origin,
                      GError            **error)
{
  const char *changed = NULL;
  g_autofree guint *inputs = NULL;
  const char *kind;
  MtJsonCursor at;
  guint n_inputs;

  *origin = NULL;
  if (!mt_json_member (rule, "origin", MT_JSON_OBJECT, &at, error) || !mt_json_read_string (&at, "kind", &kind, error))
    return FALSE;
  if (mt_json_find (at.json, "changed") != NULL)
    changed = "changed";
  if (strcmp (kind, "scan") == 0 || strcmp (kind, "edit") == 0)
    {
      if (!mt_json_check_members (&at, (const char *[]) { "kind", changed, NULL }, error))
        return FALSE;
      *origin = *kind == 's' ? mt_origin_new_scan () : mt_origin_new_edit ();
      return read_changes (&at, origin, error);
    }
  if (strcmp (kind, "node") != 0 && strcmp (kind, "deep") != 0)
    return mt_json_member_fail (&at, "kind", error, "must be scan, node, deep, or edit");
  if (!mt_json_check_members (&at, *kind == 'n'
                                     ? (const char *[]) { "kind", "inputs", "weights", "threshold", changed, NULL }
                                     : (const char *[]) { "kind", "inputs", "table", changed, NULL }, error) ||
      !mt_json_read_integers (&at, "inputs", MT_ORIGIN_MAX_INPUTS, mt_encoder_get_n_literals (encoder) - 1, &inputs,
                              &n_inputs, error))
    return FALSE;
  if (n_inputs == 0)
    return mt_json_member_fail (&at, "inputs", error, "has no items");
  *origin = *kind == 'n' ? read_node (&at, inputs, n_inputs, error) : read_deep (&at, inputs, n_inputs, error);
  return *origin != NULL && read_changes (&at, origin, error);
}
