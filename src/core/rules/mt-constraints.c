/* What a model must not do, whatever the data say; by column name, so that it outlives a reload. See mt-
 * constraints.h. */
#include "config.h"
#include "mt-constraints.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "logic/mt-monotone.h"

/* Columns a file may name, at most: as many as a model may have. */
#define MAX_COLUMNS 100000u

typedef struct {
  char        *column;
  gboolean     banned;
  MtDirection  direction;
} Choice;

/* The choices are sorted by the name of the column (strcmp), one for each column, and a choice that
 * asks for nothing is not kept. So two sets of constraints with the same meaning are the same
 * array, "empty" is a length of 0, and a name is found by halving. There are seldom more than a few
 * dozen. */
struct _MtConstraints {
  gatomicrefcount  ref_count;
  GPtrArray       *choices;       /* of Choice, by name; each says something */
  gboolean         no_negation;
};

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_free (choice->column);
  g_free (choice);
}

MtConstraints *
mt_constraints_new (void)
{
  MtConstraints *self = g_new0 (MtConstraints, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->choices = g_ptr_array_new_with_free_func (choice_free);
  return self;
}

MtConstraints *
mt_constraints_ref (MtConstraints *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_constraints_unref (MtConstraints *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->choices);
  g_free (self);
}

static guint
n_choices (const MtConstraints *self)
{
  return self != NULL ? self->choices->len : 0;
}

static const Choice *
get_choice (const MtConstraints *self,
            guint                index)
{
  return g_ptr_array_index (self->choices, index);
}

/* The place of @column, or of the first after it. NULL, no constraints, has no places: 0. */
static guint
find_place (const MtConstraints *self,
            const char          *column)
{
  guint low = 0, high = n_choices (self);

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (strcmp (get_choice (self, middle)->column, column) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static const Choice *
find (const MtConstraints *self,
      const char          *column)
{
  guint at = find_place (self, column);

  if (at < n_choices (self) && strcmp (get_choice (self, at)->column, column) == 0)
    return get_choice (self, at);
  return NULL;
}

MtConstraints *
mt_constraints_copy (const MtConstraints *self)
{
  MtConstraints *copy = mt_constraints_new ();

  for (guint i = 0; i < n_choices (self); i++)
    {
      Choice *choice = g_memdup2 (get_choice (self, i), sizeof (Choice));

      choice->column = g_strdup (choice->column);
      g_ptr_array_add (copy->choices, choice);
    }
  copy->no_negation = mt_constraints_get_no_negation (self);
  return copy;
}

gboolean
mt_constraints_is_empty (const MtConstraints *self)
{
  return !mt_constraints_get_no_negation (self) && n_choices (self) == 0;
}

gboolean
mt_constraints_is_banned (const MtConstraints *self,
                          const char          *column)
{
  const Choice *choice = find (self, column);

  return choice != NULL && choice->banned;
}

MtDirection
mt_constraints_get_direction (const MtConstraints *self,
                              const char          *column)
{
  const Choice *choice = find (self, column);

  return choice != NULL ? choice->direction : MT_DIRECTION_FREE;
}

gboolean
mt_constraints_get_no_negation (const MtConstraints *self)
{
  return self != NULL && self->no_negation;
}

static char **
dup_names (const MtConstraints *self,
           gboolean             banned,
           MtDirection          direction)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < n_choices (self); i++)
    {
      const Choice *choice = get_choice (self, i);

      if (banned ? choice->banned : choice->direction == direction)
        g_ptr_array_add (names, g_strdup (choice->column));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

char **
mt_constraints_dup_banned (const MtConstraints *self)
{
  return dup_names (self, TRUE, MT_DIRECTION_FREE);
}

char **
mt_constraints_dup_directed (const MtConstraints *self,
                             MtDirection          direction)
{
  g_return_val_if_fail (direction != MT_DIRECTION_FREE, NULL);
  return dup_names (self, FALSE, direction);
}

char *
mt_constraints_dup_text (const MtConstraints *self)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < n_choices (self); i++)
    {
      const Choice *choice = get_choice (self, i);

      g_string_append_printf (all, "%s%s “%s”", all->len > 0 ? ", " : "",
                              choice->banned ? "without" : choice->direction > 0 ? "rising in" : "falling in",
                              choice->column);
    }
  if (mt_constraints_get_no_negation (self))
    g_string_append_printf (all, "%sno negated literals", all->len > 0 ? ", " : "");
  return g_string_free (g_steal_pointer (&all), FALSE);
}

/* Replaces what is said of a column, or removes it if nothing is said any more. The array stays
 * sorted. */
static void
set_choice (MtConstraints *self,
            const char    *column,
            gboolean       banned,
            MtDirection    direction)
{
  guint at = find_place (self, column);
  gboolean is_there = find (self, column) != NULL;

  if (is_there)
    g_ptr_array_remove_index (self->choices, at);
  if (banned || direction != MT_DIRECTION_FREE)
    {
      const Choice choice = { g_strdup (column), banned != FALSE, direction };

      g_ptr_array_insert (self->choices, (int) at, g_memdup2 (&choice, sizeof choice));
    }
}

void
mt_constraints_set_banned (MtConstraints *self,
                           const char    *column,
                           gboolean       banned)
{
  g_return_if_fail (self != NULL && column != NULL);
  set_choice (self, column, banned, mt_constraints_get_direction (self, column));
}

void
mt_constraints_set_direction (MtConstraints *self,
                              const char    *column,
                              MtDirection    direction)
{
  g_return_if_fail (self != NULL && column != NULL);
  set_choice (self, column, mt_constraints_is_banned (self, column), direction);
}

void
mt_constraints_set_no_negation (MtConstraints *self,
                                gboolean       no_negation)
{
  g_return_if_fail (self != NULL);
  self->no_negation = no_negation != FALSE;
}

/* --- against a table --- */

/* A choice about a table that cannot be kept is an error now, before hours of training: a column
 * that is not there, the target, a column both banned and directed, a direction of a column without
 * an order, or a direction where no single score could rise or fall. */
static gboolean
check_choice (const Choice   *choice,
              const MtTable  *table,
              MtTask          task,
              GError        **error)
{
  guint at = 0;
  const MtColumn *column = mt_table_find_column (table, choice->column, &at);
  MtColumnType type;

  if (column == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   choice->banned ? _("there is no column “%s” to exclude")
                                  : _("there is no column “%s” to constrain"), choice->column);
      return FALSE;
    }
  if ((int) at == mt_table_get_target (table))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   choice->banned ? _("“%s” is the target and cannot be excluded")
                                  : _("“%s” is the target and cannot be constrained"), choice->column);
      return FALSE;
    }
  if (choice->direction == MT_DIRECTION_FREE)
    return TRUE;
  if (choice->banned)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("“%s” is excluded, so it cannot be increasing only or decreasing only"), choice->column);
      return FALSE;
    }
  type = mt_column_get_type (column);
  if (type != MT_TYPE_NUMBER && type != MT_TYPE_DATE)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("“%s” was read as a %s, and only numbers and dates can be increasing only or decreasing "
                     "only; set its type to number if it contains numbers"),
                   choice->column, mt_column_type_to_word (type));
      return FALSE;
    }
  if (task == MT_TASK_MULTICLASS)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("“%s” cannot be increasing only or decreasing only: with more than two classes, there is "
                     "no single score that increases or decreases"),
                   choice->column);
      return FALSE;
    }
  return TRUE;
}

gboolean
mt_constraints_check_table (const MtConstraints  *self,
                            const MtTable        *table,
                            MtTask                task,
                            GError              **error)
{
  for (guint i = 0; i < n_choices (self); i++)
    if (!check_choice (get_choice (self, i), table, task, error))
      return FALSE;
  return TRUE;
}

/* Directions by column become directions by literal and by numeric column: 1 rising, -1 falling, 0
 * free. A threshold literal x ≥ t turns true as x grows, so it has the direction of its column,
 * whichever threshold it is. "x is missing" and the levels of a category have no order: 0. Every
 * shape of a number rises with the number, so each has the direction of its column, too. */
void
mt_constraints_resolve (const MtConstraints *self,
                        const MtEncoder     *encoder,
                        gint8               *literals,
                        gint8               *numeric)
{
  for (guint l = 0; l < mt_encoder_get_n_literals (encoder); l++)
    {
      const MtLiteral *literal = mt_encoder_get_literal (encoder, l);

      literals[l] = literal->kind != MT_LITERAL_AT_LEAST ? MT_DIRECTION_FREE : (gint8)
        mt_constraints_get_direction (self, mt_encoder_get_column_name (encoder, literal->column));
    }
  for (guint i = 0; i < mt_encoder_get_n_unary (encoder); i++)
    {
      const MtUnary *unary = mt_encoder_get_unary (encoder, i);

      if (unary->is_numeric)
        numeric[unary->numeric] = (gint8)
          mt_constraints_get_direction (self, mt_encoder_get_column_name (encoder, unary->column));
    }
}

/* --- against rules --- */

/* Whether one rule keeps to the directions. @sign is the sign of its weight: a rule with a positive
 * weight must not turn false when an input of a rising column turns true; with a negative weight it
 * must not turn true. A weight of 0 changes no score, so every table will do.
 *
 * With Age rising and a weight of −0.7, "Age < 55" is allowed: it turns false as Age grows, and a
 * negative weight that is lost makes the score rise.
 *
 * The check looks at all 2^n assignments, the impossible ones included, which is stricter than it
 * has to be, and simple to promise. "No negation" is a matter of how the rule is written: each
 * conjunction must demand all of its inputs to be true. */
static gboolean
check_rule (const MtConstraints  *self,
            const MtRule         *rule,
            const gint8          *directions,
            int                   sign,
            guint                 term,
            GError              **error)
{
  guint n_inputs = mt_rule_get_n_inputs (rule);
  guint32 up = 0, down = 0;

  for (guint i = 0; i < n_inputs; i++)
    {
      int direction = sign * directions[mt_rule_get_inputs (rule)[i]];

      up |= (direction > 0 ? 1u : 0) << i;
      down |= (direction < 0 ? 1u : 0) << i;
    }
  if (!mt_monotone_is (n_inputs, mt_rule_get_table (rule), up, down))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("terms[%u] breaks a constraint: one of its columns must only increase, or only decrease, "
                     "the score"), term);
      return FALSE;
    }
  for (guint c = 0; c < mt_rule_get_n_cubes (rule) && self->no_negation; c++)
    if (mt_rule_get_cubes (rule)[c].value != mt_rule_get_cubes (rule)[c].mask)
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                     _("terms[%u] contains a “not” condition, which the constraints do not allow"), term);
        return FALSE;
      }
  return TRUE;
}

/* Used on every model that was read from a file or edited by hand: the promise in the file is
 * checked, not believed. First the columns, then the number of scores, then each term. */
gboolean
mt_constraints_check_rules (const MtConstraints  *self,
                            const MtEncoder      *encoder,
                            const MtRuleSet      *rules,
                            GError              **error)
{
  g_autofree gint8 *literals = NULL;
  g_autofree gint8 *numeric = NULL;

  if (mt_constraints_is_empty (self))
    return TRUE;
  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    if (mt_constraints_is_banned (self, mt_encoder_get_column_name (encoder, i)))
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("the constraints exclude column “%s”, but the model "
                                                        "contains it"),
                     mt_encoder_get_column_name (encoder, i));
        return FALSE;
      }
  for (guint i = 0; i < n_choices (self); i++)
    if (get_choice (self, i)->direction != MT_DIRECTION_FREE && mt_rule_set_get_n_outputs (rules) > 1)
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                     _("“%s” must only increase or only decrease the score, but the model has more than one score"),
                     get_choice (self, i)->column);
        return FALSE;
      }
  literals = g_new0 (gint8, MAX (mt_encoder_get_n_literals (encoder), 1));
  numeric = g_new0 (gint8, MAX (mt_encoder_get_n_numeric (encoder), 1));
  mt_constraints_resolve (self, encoder, literals, numeric);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      int sign = (term->weights[0] > 0) - (term->weights[0] < 0);

      if (term->is_numeric ? sign * numeric[term->numeric] < 0
                           : !check_rule (self, term->rule, literals, sign, t, error))
        {
          if (term->is_numeric)
            g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                         _("terms[%u] breaks a constraint: its column must only increase, or only decrease, "
                           "the score"), t);
          return FALSE;
        }
    }
  return TRUE;
}

/* --- in files --- */

static void
write_names (MtJsonWriter *writer,
             const char   *name,
             char        **names)
{
  mt_json_writer_key (writer, name);
  mt_json_writer_begin_row (writer);
  for (guint i = 0; names[i] != NULL; i++)
    mt_json_writer_string (writer, names[i]);
  mt_json_writer_end_array (writer);
}

void
mt_constraints_write (const MtConstraints *self,
                      MtJsonWriter        *writer)
{
  g_auto (GStrv) banned = mt_constraints_dup_banned (self);
  g_auto (GStrv) rising = mt_constraints_dup_directed (self, MT_DIRECTION_RISING);
  g_auto (GStrv) falling = mt_constraints_dup_directed (self, MT_DIRECTION_FALLING);

  mt_json_writer_begin_object (writer);
  write_names (writer, "banned", banned);
  write_names (writer, "rising", rising);
  write_names (writer, "falling", falling);
  mt_json_writer_key (writer, "no_negation");
  mt_json_writer_boolean (writer, mt_constraints_get_no_negation (self));
  mt_json_writer_end_object (writer);
}

/* A column that two lists name would have two meanings; the first one found is reported. */
static gboolean
read_names (MtConstraints      *self,
            const MtJsonCursor  *place,
            const char         *name,
            gboolean            banned,
            MtDirection         direction,
            GError            **error)
{
  g_auto (GStrv) names = NULL;

  if (!mt_json_read_strings (place, name, MAX_COLUMNS, &names, error))
    return FALSE;
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (find (self, names[i]) != NULL)
        return mt_json_member_fail (place, name, error, "names “%s”, which is named before", names[i]);
      set_choice (self, names[i], banned, direction);
    }
  return TRUE;
}

MtConstraints *
mt_constraints_read (const MtJsonCursor  *place,
                     GError            **error)
{
  static const char * const members[] = { "banned", "rising", "falling", "no_negation", NULL };
  g_autoptr (MtConstraints) self = mt_constraints_new ();

  if (!mt_json_check_members (place, members, error) ||
      !read_names (self, place, "banned", TRUE, MT_DIRECTION_FREE, error) ||
      !read_names (self, place, "rising", FALSE, MT_DIRECTION_RISING, error) ||
      !read_names (self, place, "falling", FALSE, MT_DIRECTION_FALLING, error) ||
      !mt_json_read_boolean (place, "no_negation", &self->no_negation, error))
    return NULL;
  return g_steal_pointer (&self);
}
