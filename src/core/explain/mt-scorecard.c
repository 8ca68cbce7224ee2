/* A model as a scorecard: its terms grouped by the one column that they are about. See mt-scorecard.h.
 *
 * Codes of a column that make the same rules true are one range: of numbers the codes that are next to each other, of
 * categories all of them. */
#include "config.h"
#include "mt-scorecard.h"

#include <math.h>
#include <string.h>

#include "base/mt-gettext.h"
#include "rules/mt-rule-text.h"

#define MOST_NAMES 12      /* of levels in the text of the range that all the others are in, too */

struct _MtScorecard {
  MtRuleBook *book;
  GPtrArray  *columns;        /* of MtScorecardColumn */
  GArray     *interactions;   /* of guint */
};

/* --- one rule of one column --- */

static gboolean
is_true_of (const MtScorecard *self,
            const MtRule      *rule,
            guint              code)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);
  guint32 assignment = 0;

  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    {
      guint literal = mt_rule_get_inputs (rule)[i];
      const MtGroup *group = &mt_encoder_get_groups (encoder)[mt_encoder_get_literal (encoder, literal)->group];

      if (mt_group_literal_is_true (group, literal - group->first_literal, code))
        assignment |= 1u << i;
    }
  return mt_rule_get_table (rule)[assignment / 64] >> (assignment % 64) & 1;
}

/* The column that all of the term is about; G_MAXUINT: there are several. */
static guint
find_only_column (const MtEncoder *encoder,
                  const MtTerm    *term)
{
  guint column;

  if (term->is_numeric)
    return mt_term_get_unary (term, encoder)->column;
  column = mt_encoder_get_literal (encoder, mt_rule_get_inputs (term->rule)[0])->column;
  for (guint i = 1; i < mt_rule_get_n_inputs (term->rule); i++)
    if (mt_encoder_get_literal (encoder, mt_rule_get_inputs (term->rule)[i])->column != column)
      return G_MAXUINT;
  return column;
}

static const MtTerm *
get_term (const MtScorecard *self,
          guint              term)
{
  return mt_rule_set_get_term (mt_rule_book_get_rules (self->book), term);
}

/* --- ranges --- */

/* A set of codes, by number, that belong together. */
typedef struct {
  gboolean codes[MT_GROUP_MAX_LITERALS + 1];
  guint    first, last;
} Codes;

static gboolean
has_same_rules (const MtScorecard       *self,
                const MtScorecardColumn *column,
                guint                    a,
                guint                    b)
{
  for (guint i = 0; i < column->n_terms; i++)
    {
      const MtTerm *term = get_term (self, column->terms[i]);

      if (!term->is_numeric && is_true_of (self, term->rule, a) != is_true_of (self, term->rule, b))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_of_numbers (const MtEncoderColumn *column)
{
  return column->type == MT_TYPE_NUMBER || column->type == MT_TYPE_DATE;
}

static const MtGroup *
get_group (const MtScorecard       *self,
           const MtScorecardColumn *column)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);

  for (guint l = 0; l < mt_encoder_get_n_literals (encoder); l++)
    if (mt_encoder_get_literal (encoder, l)->column == column->column)
      return &mt_encoder_get_groups (encoder)[mt_encoder_get_literal (encoder, l)->group];
  return NULL;
}

/* Of numbers: below the first threshold, between two of them, from the last one on, missing. */
static void
name_numbers (const MtScorecard *self,
              guint              column,
              const Codes       *codes,
              MtScorecardRange  *range)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);
  const MtEncoderColumn *about = mt_encoder_get_column (encoder, column);
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  range->is_missing = codes->first > about->n_thresholds;
  if (range->is_missing)
    {
      range->low = range->high = NAN;
      range->text = g_strdup (_("missing"));
      return;
    }
  range->low = codes->first > 0 ? about->thresholds[codes->first - 1] : -INFINITY;
  range->high = codes->last < about->n_thresholds ? about->thresholds[codes->last] : INFINITY;
  if (isfinite (range->low))
    low = mt_encoder_dup_value_text (encoder, column, range->low);
  if (isfinite (range->high))
    high = mt_encoder_dup_value_text (encoder, column, range->high);
  if (low == NULL && high == NULL)
    range->text = g_strdup (_("any value"));
  else if (low == NULL)
    /* Translators: of a number or date */
    range->text = g_strdup_printf (_("below %s"), high);
  else if (high == NULL)
    /* Translators: of a number or date */
    range->text = g_strdup_printf (_("%s or more"), low);
  else
    /* Translators: a range of numbers or dates without its upper end */
    range->text = g_strdup_printf (_("%s to below %s"), low, high);
}

static void
append_name (GString    *text,
             guint      *n,
             const char *name)
{
  g_string_append_printf (text, "%s%s", (*n)++ > 0 ? ", " : "", name);
}

/* Of categories: the levels, and that it holds for all that stand in no other range. A level without a condition of its
 * own has the code of one that was never seen, and so has a missing cell where training had none. */
static void
name_levels (const MtScorecard *self,
             guint              column,
             const MtGroup     *group,
             const Codes       *codes,
             MtScorecardRange  *range)
{
  const MtEncoderColumn *about = mt_encoder_get_column (mt_rule_book_get_encoder (self->book), column);
  guint n_levels = about->levels != NULL ? g_strv_length (about->levels) : 0, n = 0;
  gboolean is_rest = codes->codes[about->has_other ? n_levels + 1 : 0];
  gboolean has_missing = group->has_missing ? codes->codes[group->n_literals] : about->has_other && codes->codes[0];
  g_autoptr (GString) text = g_string_new (NULL);

  range->low = range->high = NAN;
  range->is_missing = has_missing && codes->first == codes->last;
  for (guint i = 0; i < n_levels; i++)
    if (codes->codes[i + 1])
      append_name (text, &n, about->levels[i]);
  for (guint i = 0; is_rest && about->rest != NULL && about->rest[i] != NULL; i++)
    append_name (text, &n, about->rest[i]);
  if (has_missing)
    append_name (text, &n, _("missing"));
  if (is_rest && (n == 0 || n > MOST_NAMES))
    range->text = g_strdup (has_missing ? _("any other value, or missing") : _("any other value"));
  else if (is_rest)
    /* Translators: %s is a list of values */
    range->text = g_strdup_printf (_("%s, or any other value"), text->str);
  else
    range->text = g_string_free (g_steal_pointer (&text), FALSE);
}

static void
count_rows (const MtScorecard *self,
            const MtGroup     *group,
            const Codes       *codes,
            MtScorecardRange  *range)
{
  const MtEncoded *encoded = mt_rule_book_get_encoded (self->book);
  const guint8 *of_rows;

  if (encoded == NULL)
    return;
  of_rows = mt_encoded_get_codes (encoded, (guint) (group - mt_encoder_get_groups (mt_rule_book_get_encoder (self->book))));
  for (gsize r = 0; r < mt_encoded_get_n_rows (encoded); r++)
    range->n_rows += codes->codes[of_rows[r]];
}

static double
linear_at (const MtScorecard       *self,
           const MtScorecardColumn *column,
           guint                    output,
           double                   value)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);
  const MtEncoderColumn *about = mt_encoder_get_column (encoder, column->column);
  double sum = 0;

  if (isnan (value))
    return 0;     /* counts as the mean */
  for (guint i = 0; i < column->n_terms; i++)
    {
      const MtTerm *term = get_term (self, column->terms[i]);
      const MtUnary *unary = term->is_numeric ? mt_term_get_unary (term, encoder) : NULL;

      if (unary != NULL)
        sum += term->weights[output] * (mt_encoder_column_shape (about, unary->shape, value) - unary->mean) / unary->sd;
    }
  return sum;
}

static void
sum_points (const MtScorecard       *self,
            const MtScorecardColumn *column,
            const Codes             *codes,
            MtScorecardRange        *range)
{
  const MtEncoderColumn *about = mt_encoder_get_column (mt_rule_book_get_encoder (self->book), column->column);
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (self->book));

  range->points = g_new0 (double, n_outputs);
  range->at_low = g_new0 (double, n_outputs);
  range->at_high = g_new0 (double, n_outputs);
  for (guint o = 0; o < n_outputs; o++)
    {
      for (guint i = 0; i < column->n_terms; i++)
        {
          const MtTerm *term = get_term (self, column->terms[i]);

          if (!term->is_numeric && is_true_of (self, term->rule, codes->first))
            range->points[o] += term->weights[o];
        }
      range->at_low[o] = range->at_high[o] = range->points[o];
      if (column->has_linear && !range->is_missing)
        {
          range->at_low[o] += linear_at (self, column, o, CLAMP (range->low, about->min, about->max));
          range->at_high[o] += linear_at (self, column, o, CLAMP (range->high, about->min, about->max));
        }
    }
}

static void
add_range (MtScorecard       *self,
           MtScorecardColumn *column,
           const MtGroup     *group,
           const Codes       *codes)
{
  MtScorecardRange *range = &column->ranges[column->n_ranges++];

  if (is_of_numbers (mt_encoder_get_column (mt_rule_book_get_encoder (self->book), column->column)))
    name_numbers (self, column->column, codes, range);
  else
    name_levels (self, column->column, group, codes, range);
  if (group != NULL)
    count_rows (self, group, codes, range);
  sum_points (self, column, codes, range);
}

/* The code itself and all that it is in one range with. */
static void
collect (const MtScorecard       *self,
         const MtScorecardColumn *column,
         const MtGroup           *group,
         guint                    code,
         gboolean                *is_taken,
         Codes                   *codes)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);
  gboolean is_number = group->kind == MT_GROUP_THERMOMETER;
  guint number = (guint) (group - mt_encoder_get_groups (encoder)), n_codes = mt_group_get_n_codes (group);
  guint missing = group->has_missing ? n_codes - 1 : n_codes;

  *codes = (Codes) { .first = code, .last = code };
  codes->codes[code] = is_taken[code] = TRUE;
  for (guint c = is_number ? code + 1 : 0; c < n_codes; c++)
    {
      gboolean same = !is_taken[c] && mt_encoder_code_is_possible (encoder, number, c) &&
                      !(is_number && c == missing) && has_same_rules (self, column, code, c);

      if (!same && is_number)
        return;
      if (!same)
        continue;
      codes->codes[c] = is_taken[c] = TRUE;
      codes->last = MAX (codes->last, c);
    }
}

static void
make_ranges (MtScorecard       *self,
             MtScorecardColumn *column)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);
  const MtGroup *group = get_group (self, column);
  gboolean is_taken[MT_GROUP_MAX_LITERALS + 2] = { FALSE };
  Codes codes = { .first = 0 };

  column->ranges = g_new0 (MtScorecardRange, (group != NULL ? mt_group_get_n_codes (group) : 0) + 1);
  if (group == NULL)      /* a number without thresholds, with a linear term */
    {
      add_range (self, column, NULL, &codes);
      return;
    }
  for (guint step = 0; step < mt_group_get_n_codes (group); step++)
    {
      /* Of categories, the code of no level at all comes last. */
      guint code = group->kind == MT_GROUP_THERMOMETER ? step : (step + 1) % mt_group_get_n_codes (group);

      if (is_taken[code] || !mt_encoder_code_is_possible (encoder, (guint) (group - mt_encoder_get_groups (encoder)), code))
        continue;
      collect (self, column, group, code, is_taken, &codes);
      add_range (self, column, group, &codes);
    }
}

static void
find_spread (MtScorecard       *self,
             MtScorecardColumn *column)
{
  for (guint o = 0; o < mt_rule_set_get_n_outputs (mt_rule_book_get_rules (self->book)); o++)
    {
      double least = INFINITY, most = -INFINITY;

      for (guint i = 0; i < column->n_ranges; i++)
        {
          least = MIN (least, MIN (column->ranges[i].at_low[o], column->ranges[i].at_high[o]));
          most = MAX (most, MAX (column->ranges[i].at_low[o], column->ranges[i].at_high[o]));
        }
      column->spread = MAX (column->spread, most - least);
    }
}

/* --- the whole --- */

static void
column_free (gpointer data)
{
  MtScorecardColumn *column = data;

  for (guint i = 0; i < column->n_ranges; i++)
    {
      g_free (column->ranges[i].text);
      g_free (column->ranges[i].points);
      g_free (column->ranges[i].at_low);
      g_free (column->ranges[i].at_high);
    }
  g_free (column->ranges);
  g_free (column->terms);
  g_free (column);
}

static int
by_spread (gconstpointer a,
           gconstpointer b)
{
  const MtScorecardColumn *x = *(const MtScorecardColumn * const *) a, *y = *(const MtScorecardColumn * const *) b;

  if (x->spread != y->spread)
    return x->spread > y->spread ? -1 : 1;
  return x->column < y->column ? -1 : 1;
}

static MtScorecardColumn *
find_or_add (MtScorecard *self,
             guint        column)
{
  MtScorecardColumn *made;

  for (guint i = 0; i < self->columns->len; i++)
    if (mt_scorecard_get_column (self, i)->column == column)
      return self->columns->pdata[i];
  made = g_new0 (MtScorecardColumn, 1);
  made->column = column;
  made->terms = g_new (guint, mt_rule_book_get_n_terms (self->book));
  g_ptr_array_add (self->columns, made);
  return made;
}

MtScorecard *
mt_scorecard_new (MtRuleBook *book)
{
  MtScorecard *self;

  g_return_val_if_fail (book != NULL, NULL);

  self = g_new0 (MtScorecard, 1);
  self->book = mt_rule_book_ref (book);
  self->columns = g_ptr_array_new_with_free_func (column_free);
  self->interactions = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
    {
      guint column = find_only_column (mt_rule_book_get_encoder (book), get_term (self, t));
      MtScorecardColumn *about;

      if (column == G_MAXUINT)
        {
          g_array_append_val (self->interactions, t);
          continue;
        }
      about = find_or_add (self, column);
      about->terms[about->n_terms++] = t;
      about->has_linear = about->has_linear || get_term (self, t)->is_numeric;
    }
  for (guint i = 0; i < self->columns->len; i++)
    {
      make_ranges (self, self->columns->pdata[i]);
      find_spread (self, self->columns->pdata[i]);
    }
  g_ptr_array_sort (self->columns, by_spread);
  return self;
}

void
mt_scorecard_free (MtScorecard *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->columns);
  g_array_unref (self->interactions);
  mt_rule_book_unref (self->book);
  g_free (self);
}

MtRuleBook *
mt_scorecard_get_book (const MtScorecard *self)
{
  return self->book;
}

guint
mt_scorecard_get_n_columns (const MtScorecard *self)
{
  return self->columns->len;
}

const MtScorecardColumn *
mt_scorecard_get_column (const MtScorecard *self,
                         guint              index)
{
  g_return_val_if_fail (index < self->columns->len, NULL);
  return self->columns->pdata[index];
}

guint
mt_scorecard_get_n_interactions (const MtScorecard *self)
{
  return self->interactions->len;
}

guint
mt_scorecard_get_interaction (const MtScorecard *self,
                              guint              index)
{
  g_return_val_if_fail (index < self->interactions->len, 0);
  return g_array_index (self->interactions, guint, index);
}

double
mt_scorecard_get_linear (const MtScorecard *self,
                         guint              index,
                         guint              output,
                         double             value)
{
  return linear_at (self, mt_scorecard_get_column (self, index), output, value);
}
