/* Changes in the digits that the data have: 44.8 and not 44.7744 where all cells have one digit behind the point. */
#include "config.h"
#include "mt-what-if.h"

#include <math.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "mt-what-if-private.h"

#define MOST_ROWS    2000     /* of a table that are looked at, evenly spread */
#define MOST_DIGITS  6        /* significant ones, as many as are shown */

typedef struct {
  const MtEncoder *encoder;
  const MtRuleSet *rules;
  const GArray    *values;
  double           cutoff;
  const guint     *decimals;
  guint            answer;
} Rounding;

/* --- the digits of a column --- */

static guint
count_digits (double value)
{
  char text[MT_DECIMAL_SIZE];
  const char *point, *e;
  int n;

  mt_decimal_write (value, text);
  point = strchr (text, '.');
  e = strchr (text, 'e');
  n = point == NULL ? 0 : (int) ((e != NULL ? (gsize) (e - point) : strlen (point)) - 1);
  if (e != NULL)
    n -= (int) g_ascii_strtoll (e + 1, NULL, 10);
  return (guint) MAX (n, 0);
}

guint *
mt_what_if_count_decimals (const MtEncoder *encoder,
                           const MtTable   *table)
{
  guint n_columns = mt_encoder_get_n_columns (encoder);
  guint *decimals = g_new0 (guint, MAX (n_columns, 1));

  for (guint i = 0; i < n_columns; i++)
    {
      const MtColumn *column = table != NULL ? mt_table_find_column (table, mt_encoder_get_column_name (encoder, i), NULL)
                                             : NULL;
      gsize n_rows = column != NULL ? mt_column_get_n_rows (column) : 0;

      if (mt_encoder_get_column (encoder, i)->levels != NULL)
        continue;
      if (column == NULL)
        decimals[i] = G_MAXUINT;
      for (gsize r = 0; r < n_rows; r += 1 + n_rows / MOST_ROWS)
        if (!mt_column_is_missing (column, r) && isfinite (mt_column_get_number (column, r)))
          decimals[i] = MAX (decimals[i], count_digits (mt_column_get_number (column, r)));
    }
  return decimals;
}

/* --- changes --- */

/* The class, or the side of the cutoff; FALSE when there is none. */
static gboolean
find_answer (const Rounding *self,
             const GArray   *values,
             guint          *answer)
{
  g_autoptr (MtWhatIf) result = mt_what_if_new (self->encoder, self->rules, values, NULL);

  if (result == NULL)
    return FALSE;
  *answer = mt_rule_set_get_task (self->rules) == MT_TASK_REGRESSION ? result->predictions[0] >= self->cutoff
                                                                     : result->decided;
  return TRUE;
}

static gboolean
flips (const Rounding *self,
       const MtChange *change)
{
  g_autoptr (GArray) changed = mt_raw_values_copy (self->values);
  guint answer;

  for (guint i = 0; i < change->n_steps; i++)
    mt_raw_values_set (changed, change->steps[i].column, &change->steps[i].value);
  return find_answer (self, changed, &answer) && answer != self->answer;
}

/* From the row's value outwards; from a missing one, from the mean. FALSE: it is round, or would leave the range. */
static gboolean
round_step (const Rounding *self,
            const MtStep   *step,
            MtStep         *rounded)
{
  const MtEncoderColumn *column = mt_encoder_get_column (self->encoder, step->column);
  const MtRawValue *old = &g_array_index (self->values, MtRawValue, step->column);
  gboolean was_missing = mt_raw_value_is_missing (old, column);
  double value = step->value.number, from = was_missing ? column->mean : old->number, power, number;
  int shown;

  if (column->levels != NULL || step->value.is_missing || !isfinite (value) || !isfinite (from))
    return FALSE;
  shown = value != 0 ? MOST_DIGITS - 1 - (int) floor (log10 (fabs (value))) : 0;
  power = pow (10, MAX (0, (int) MIN (self->decimals[step->column], (guint) MAX (shown, 0))));
  number = rint (value * power) / power;
  if (number == value || !isfinite (number))
    return FALSE;
  number = (value >= from ? ceil (value * power) : floor (value * power)) / power;
  if (number < MIN (column->min, from) || number > MAX (column->max, from))
    return FALSE;
  *rounded = *step;
  rounded->value.number = number;
  return TRUE;
}

static double
measure (const Rounding *self,
         const MtChange *change)
{
  double distance = 0;

  for (guint i = 0; i < change->n_steps; i++)
    distance += mt_what_if_get_distance (mt_encoder_get_column (self->encoder, change->steps[i].column),
                                         &g_array_index (self->values, MtRawValue, change->steps[i].column),
                                         &change->steps[i].value);
  return distance;
}

/* All steps, or else what can be: a change that would not flip any more stays as it is. */
static void
round_change (const Rounding *self,
              MtChange       *change)
{
  MtStep rounded[2];
  guint able = 0, all = (1u << change->n_steps) - 1;

  for (guint i = 0; i < change->n_steps; i++)
    able |= round_step (self, &change->steps[i], &rounded[i]) ? 1u << i : 0;
  for (guint which = all; which > 0; which--)
    {
      MtChange tried = *change;

      if ((which & ~able) != 0)
        continue;
      for (guint i = 0; i < change->n_steps; i++)
        if ((which >> i) & 1)
          tried.steps[i] = rounded[i];
      if (!flips (self, &tried))
        continue;
      *change = tried;
      change->distance = measure (self, change);
      return;
    }
}

void
mt_what_if_round_changes (const MtEncoder *encoder,
                          const MtRuleSet *rules,
                          const GArray    *values,
                          double           cutoff,
                          const guint     *decimals,
                          GArray          *changes)
{
  Rounding self = { encoder, rules, values, cutoff, decimals };
  double nearest = INFINITY;

  if (!find_answer (&self, values, &self.answer))
    return;
  for (guint i = 0; i < changes->len; i++)
    {
      MtChange *change = &g_array_index (changes, MtChange, i);

      round_change (&self, change);
      if (change->n_steps == 1)
        nearest = MIN (nearest, change->distance);
    }
  for (guint i = changes->len; i > 0; i--)   /* two columns only where one cannot do it as near */
    if (g_array_index (changes, MtChange, i - 1).n_steps == 2 &&
        g_array_index (changes, MtChange, i - 1).distance >= nearest)
      g_array_remove_index (changes, i - 1);
  g_array_sort (changes, mt_what_if_compare_changes);
}
