/* See mt-rule-match.h. Literals of both encoders get common numbers by what they ask; a rule becomes its
 * essential inputs in ascending common numbers, with its table over them. Rules with the same inputs
 * meet in a hash table, so only they are compared with one another. */
#include "config.h"
#include "mt-rule-match.h"

#include <string.h>

#include "base/mt-decimal.h"
#include "base/mt-number.h"
#include "rules/mt-rule-text.h"
#include "logic/mt-truth-table.h"

typedef struct {
  guint    term;
  guint    n_inputs;
  guint    inputs[MT_RULE_MAX_INPUTS];   /* common numbers, ascending */
  guint64 *table;
  guint64 *impossible;
  gboolean is_matched;
} Function;

static void
function_free (gpointer data)
{
  Function *function = data;

  g_free (function->table);
  g_free (function->impossible);
  g_free (function);
}

/* --- literals by what they ask --- */

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

/* Parts end with a byte that no name has. */
static void
append_part (GString    *key,
             const char *part)
{
  g_string_append (key, part);
  g_string_append_c (key, '\xff');
}

static char *
describe_literal (const MtEncoder *encoder,
                  guint            index)
{
  const MtLiteral *literal = mt_encoder_get_literal (encoder, index);
  const MtEncoderColumn *column = mt_encoder_get_column (encoder, literal->column);
  GString *key = g_string_new (NULL);

  append_part (key, column->name);
  g_string_append_printf (key, "%d %d ", column->type, literal->kind);
  if (literal->kind == MT_LITERAL_AT_LEAST)
    {
      g_autofree char *threshold = mt_decimal_dup_c (literal->threshold);

      append_part (key, threshold);
    }
  else if (literal->kind == MT_LITERAL_LEVEL)
    append_part (key, literal->level);
  else if (literal->kind == MT_LITERAL_OTHER)
    {
      /* Other than which? */
      guint n = g_strv_length (column->levels);
      g_autofree const char **levels = g_memdup2 (column->levels, n * sizeof *levels);

      qsort (levels, n, sizeof *levels, compare_names);
      for (guint i = 0; i < n; i++)
        append_part (key, levels[i]);
    }
  return g_string_free (key, FALSE);
}

/* The common number of each literal of @encoder that a rule of @rules asks. */
static guint *
number_literals (const MtEncoder *encoder,
                 const MtRuleSet *rules,
                 GHashTable      *numbers)
{
  guint *common = g_new0 (guint, MAX (mt_encoder_get_n_literals (encoder), 1));

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      for (guint i = 0; !term->is_numeric && i < mt_rule_get_n_inputs (term->rule); i++)
        {
          guint literal = mt_rule_get_inputs (term->rule)[i];
          char *key = describe_literal (encoder, literal);
          gpointer known = g_hash_table_lookup (numbers, key);

          if (known == NULL)
            {
              known = GUINT_TO_POINTER (g_hash_table_size (numbers) + 1);
              g_hash_table_insert (numbers, key, known);
            }
          else
            g_free (key);
          common[literal] = GPOINTER_TO_UINT (known);
        }
    }
  return common;
}

/* --- rules as functions --- */

/* Leaves out the inputs that the table does not depend on; returns how many stay. */
static guint
drop_idle_inputs (guint    n_inputs,
                  guint   *inputs,
                  guint64 *table)
{
  guint32 support = mt_truth_table_support (n_inputs, table);

  for (guint i = n_inputs; i-- > 0;)
    if ((support >> i & 1) == 0)
      {
        mt_truth_table_remove (n_inputs--, table, i, FALSE, table);
        memmove (inputs + i, inputs + i + 1, (n_inputs - i) * sizeof *inputs);
      }
  return n_inputs;
}

static Function *
function_new (guint            term,
              const MtRule    *rule,
              const MtEncoder *encoder,
              const guint     *common)
{
  Function *self = g_new0 (Function, 1);
  guint n = mt_rule_get_n_inputs (rule), own[MT_RULE_MAX_INPUTS], literals[MT_RULE_MAX_INPUTS];
  g_autofree guint64 *table = g_memdup2 (mt_rule_get_table (rule), mt_rule_table_words (n) * sizeof (guint64));
  guint8 order[MT_RULE_MAX_INPUTS];

  memcpy (own, mt_rule_get_inputs (rule), n * sizeof *own);
  n = drop_idle_inputs (n, own, table);
  /* Place i takes the input with the i-th smallest common number. */
  for (guint i = 0; i < n; i++)
    {
      guint at = i;

      for (; at > 0 && common[own[order[at - 1]]] > common[own[i]]; at--)
        order[at] = order[at - 1];
      order[at] = (guint8) i;
    }
  for (guint i = 0; i < n; i++)
    {
      literals[i] = own[order[i]];
      self->inputs[i] = common[literals[i]];
    }
  self->term = term;
  self->n_inputs = n;
  self->table = g_new0 (guint64, mt_rule_table_words (n));
  self->impossible = g_new0 (guint64, mt_rule_table_words (n));
  mt_truth_table_permute (n, table, order, self->table);
  mt_encoder_impossible (encoder, literals, n, self->impossible);
  return self;
}

static guint
function_hash (gconstpointer key)
{
  const Function *self = key;
  guint hash = self->n_inputs;

  for (guint i = 0; i < self->n_inputs; i++)
    hash = hash * 31 + self->inputs[i];
  return hash;
}

static gboolean
function_same_inputs (gconstpointer a,
                      gconstpointer b)
{
  const Function *p = a, *q = b;

  return p->n_inputs == q->n_inputs && memcmp (p->inputs, q->inputs, p->n_inputs * sizeof *p->inputs) == 0;
}

static GPtrArray *
list_functions (const MtRuleSet *rules,
                const MtEncoder *encoder,
                const guint     *common)
{
  GPtrArray *functions = g_ptr_array_new_with_free_func (function_free);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (!term->is_numeric)
        g_ptr_array_add (functions, function_new (t, term->rule, encoder, common));
    }
  return functions;
}

/* Assignments that a row of either encoder can have, and those of them answered differently. */
static void
count_lines (const Function *a,
             const Function *b,
             guint          *n_lines,
             guint          *n_differ)
{
  *n_lines = *n_differ = 0;
  for (guint v = 0; v < 1u << a->n_inputs; v++)
    if (!mt_truth_table_get (a->impossible, v) || !mt_truth_table_get (b->impossible, v))
      {
        (*n_lines)++;
        *n_differ += mt_truth_table_get (a->table, v) != mt_truth_table_get (b->table, v);
      }
}

/* --- matching --- */

static void
add_match (GArray      *matches,
           MtMatchKind  kind,
           int          left,
           int          right,
           guint        n_lines,
           guint        n_differ)
{
  MtTermMatch match = { kind, { left, right }, n_lines, n_differ };

  g_array_append_val (matches, match);
}

static const char *
numeric_column (const MtEncoder *encoder,
                const MtTerm    *term)
{
  return mt_encoder_get_column_name (encoder, mt_term_get_unary (term, encoder)->column);
}

static int
find_numeric (const MtRuleSet *rules,
              const MtEncoder *encoder,
              const char      *column)
{
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric && g_str_equal (numeric_column (encoder, term), column))
        return (int) t;
    }
  return -1;
}

static void
match_numeric (const MtRuleSet *const rules[2],
               const MtEncoder *const encoders[2],
               GArray                *matches)
{
  for (guint side = 0; side < 2; side++)
    for (guint t = 0; t < mt_rule_set_get_n_terms (rules[side]); t++)
      {
        const MtTerm *term = mt_rule_set_get_term (rules[side], t);
        int other;

        if (!term->is_numeric)
          continue;
        other = find_numeric (rules[1 - side], encoders[1 - side], numeric_column (encoders[side], term));
        if (side == 0 && other >= 0)
          add_match (matches, MT_MATCH_SHARED, (int) t, other, 0, 0);
        else if (side == 0)
          add_match (matches, MT_MATCH_ONLY_LEFT, (int) t, -1, 0, 0);
        else if (other < 0)
          add_match (matches, MT_MATCH_ONLY_RIGHT, -1, (int) t, 0, 0);
      }
}

/* Each function to the first free one with its inputs that fits; @equal: only to its like. */
static void
match_functions (GPtrArray  *left,
                 GHashTable *right,
                 gboolean    equal,
                 GArray     *matches)
{
  for (guint i = 0; i < left->len; i++)
    {
      Function *function = left->pdata[i];
      GPtrArray *others = function->is_matched ? NULL : g_hash_table_lookup (right, function);

      for (guint k = 0; others != NULL && k < others->len && !function->is_matched; k++)
        {
          Function *other = others->pdata[k];
          guint n_lines, n_differ;

          if (other->is_matched)
            continue;
          count_lines (function, other, &n_lines, &n_differ);
          if (equal && n_differ > 0)
            continue;
          function->is_matched = other->is_matched = TRUE;
          add_match (matches, equal ? MT_MATCH_SHARED : MT_MATCH_SAME_INPUTS, (int) function->term, (int) other->term,
                     n_lines, n_differ);
        }
    }
}

static GHashTable *
index_by_inputs (GPtrArray *functions)
{
  GHashTable *index = g_hash_table_new_full (function_hash, function_same_inputs, NULL,
                                             (GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < functions->len; i++)
    {
      GPtrArray *same = g_hash_table_lookup (index, functions->pdata[i]);

      if (same == NULL)
        g_hash_table_insert (index, functions->pdata[i], same = g_ptr_array_new ());
      g_ptr_array_add (same, functions->pdata[i]);
    }
  return index;
}

static int
compare_matches (gconstpointer a,
                 gconstpointer b)
{
  const MtTermMatch *x = a, *y = b;
  guint side = x->kind == MT_MATCH_ONLY_RIGHT ? 1 : 0;

  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return (x->terms[side] > y->terms[side]) - (x->terms[side] < y->terms[side]);
}

GArray *
mt_rule_match (const MtRuleSet *const rules[2],
               const MtEncoder *const encoders[2])
{
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) left = NULL;
  g_autoptr (GPtrArray) right = NULL;
  g_autoptr (GHashTable) index = NULL;
  GArray *matches = g_array_new (FALSE, FALSE, sizeof (MtTermMatch));
  g_autofree guint *left_numbers = NULL;
  g_autofree guint *right_numbers = NULL;

  left_numbers = number_literals (encoders[0], rules[0], numbers);
  right_numbers = number_literals (encoders[1], rules[1], numbers);
  left = list_functions (rules[0], encoders[0], left_numbers);
  right = list_functions (rules[1], encoders[1], right_numbers);
  index = index_by_inputs (right);
  match_numeric (rules, encoders, matches);
  match_functions (left, index, TRUE, matches);
  match_functions (left, index, FALSE, matches);
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < (side == 0 ? left : right)->len; i++)
      {
        const Function *function = (side == 0 ? left : right)->pdata[i];

        if (!function->is_matched && side == 0)
          add_match (matches, MT_MATCH_ONLY_LEFT, (int) function->term, -1, 0, 0);
        else if (!function->is_matched)
          add_match (matches, MT_MATCH_ONLY_RIGHT, -1, (int) function->term, 0, 0);
      }
  g_array_sort (matches, compare_matches);
  return matches;
}
