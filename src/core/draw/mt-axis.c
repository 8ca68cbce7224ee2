/* Ticks are tried from dense to sparse, and the first set whose labels do not touch is
 * taken. Values are whole multiples of a step, so that no sum of steps drifts. */
#include "config.h"
#include "mt-axis.h"

#include <math.h>
#include <string.h>

#define LEAST_LOG  1e-9
#define MAX_TICKS  200
#define MAX_ZOOM   50
#define EDGE       1e-9       /* of the range: a tick this far outside still counts */

void
mt_axis_init (MtAxis   *axis,
              double    low,
              double    high,
              gboolean  log,
              char      decimal)
{
  g_return_if_fail (axis != NULL);

  *axis = (MtAxis) { .log = log, .decimal = decimal == ',' ? ',' : '.' };
  if (!isfinite (low) || !isfinite (high))
    {
      axis->degenerate = TRUE;
      low = log ? 1 : 0;
      high = log ? 100 : 1;
    }
  if (low > high)
    {
      double swap = low;

      low = high;
      high = swap;
    }
  if (log)
    {
      low = MAX (low, LEAST_LOG);
      high = MAX (high, LEAST_LOG);
      if (high / low < 1 + 1e-9)
        {
          axis->degenerate = TRUE;
          low /= 2;
          high *= 2;
        }
    }
  else if (high - low <= 1e-12 * MAX (fabs (low), fabs (high)))
    {
      double margin = low == 0 ? 0.5 : fabs (low) * 0.05;

      axis->degenerate = TRUE;
      low -= margin;
      high += margin;
    }
  axis->low = low;
  axis->high = high;
}

void
mt_axis_clear (MtAxis *axis)
{
  g_clear_pointer (&axis->ticks, g_free);
  axis->n_ticks = 0;
}

double
mt_axis_position (const MtAxis *axis,
                  double        value)
{
  if (axis->log)
    return log (MAX (value, LEAST_LOG) / axis->low) / log (axis->high / axis->low);
  return (value - axis->low) / (axis->high - axis->low);
}

double
mt_axis_value (const MtAxis *axis,
               double        position)
{
  if (axis->log)
    return axis->low * pow (axis->high / axis->low, position);
  return axis->low + position * (axis->high - axis->low);
}

void
mt_axis_view (const MtAxis *axis,
              const MtAxis *full,
              double        from,
              double        to,
              double       *low,
              double       *high)
{
  double begin = mt_axis_position (full, mt_axis_value (axis, from));
  double end = mt_axis_position (full, mt_axis_value (axis, to));
  double width = CLAMP (end - begin, 1.0 / MAX_ZOOM, 1), middle = (begin + end) / 2;

  begin = CLAMP (middle - width / 2, 0, 1 - width);
  *low = mt_axis_value (full, begin);
  *high = mt_axis_value (full, begin + width);
}

static void
write_label (MtTick *tick,
             double  value,
             int     decimals,
             char    decimal)
{
  char format[8] = "%.0f";
  char number[32];
  char *point;

  if (value != 0 && (fabs (value) >= 1e7 || decimals > 8))
    memcpy (format, "%.3g", 5);
  else
    format[2] = (char) ('0' + CLAMP (decimals, 0, 8));
  g_ascii_formatd (number, sizeof number, format, fabs (value));
  point = strchr (number, '.');
  if (point != NULL)
    *point = decimal;
  g_snprintf (tick->label, sizeof tick->label, "%s%s", value < 0 ? "−" : "", number);
}

static void
add_tick (MtAxis   *axis,
          double    value,
          int       decimals,
          gboolean  major)
{
  MtTick *tick = &axis->ticks[axis->n_ticks];
  double position = mt_axis_position (axis, value);

  if (position < -EDGE || position > 1 + EDGE || axis->n_ticks >= MAX_TICKS)
    return;
  *tick = (MtTick) { value, CLAMP (position, 0, 1), major, "" };
  if (major)
    write_label (tick, value, decimals, axis->decimal);
  axis->n_ticks++;
}

static gboolean
labels_fit (const MtAxis *axis,
            double        length,
            double        gap,
            MtLabelRoom   room,
            gpointer      data)
{
  double end = -INFINITY;

  for (guint i = 0; i < axis->n_ticks; i++)
    {
      const MtTick *tick = &axis->ticks[i];
      double half;

      if (!tick->major)
        continue;
      half = room (tick->label, data) / 2;
      if (tick->position * length - half < end + gap)
        return FALSE;
      end = tick->position * length + half;
    }
  return TRUE;
}

/* The @n-th step of 1, 2, 5, 10, 20 … times 10^@power. */
static double
nth_step (int  power,
          int  n,
          int *decimals)
{
  static const int digits[] = { 1, 2, 5 };
  int exponent = power + n / 3;

  *decimals = MAX (-exponent, 0);
  return exponent >= 0 ? digits[n % 3] * pow (10, exponent) : digits[n % 3] / pow (10, -exponent);
}

static void
fill_linear (MtAxis *axis,
             double  step,
             int     decimals)
{
  double first = ceil (axis->low / step - EDGE);
  double last = floor (axis->high / step + EDGE);

  axis->n_ticks = 0;
  if (last - first > MAX_TICKS)
    return;
  for (double i = first; i <= last; i++)
    add_tick (axis, i * step == 0 ? 0 : decimals > 0 && step < 1 ? i / round (1 / step) : i * step, decimals, TRUE);
}

static double
place_linear (MtAxis      *axis,
              double       length,
              double       gap,
              double       least_step,
              MtLabelRoom  room,
              gpointer     data)
{
  double range = axis->high - axis->low;
  int power = (int) floor (log10 (range)) - 2;
  double step = range;

  for (int n = 0; n < 12; n++)
    {
      int decimals;

      step = nth_step (power, n, &decimals);
      if (step < least_step || range / step > MAX_TICKS)
        continue;
      fill_linear (axis, step, decimals);
      if (labels_fit (axis, length, gap, room, data))
        break;
    }
  return step;
}

/* One set of digits that get labels; the other whole digits are minor ticks. */
static void
fill_log (MtAxis     *axis,
          const char *digits,
          int         every)
{
  int from = (int) floor (log10 (axis->low));
  int to = (int) floor (log10 (axis->high) + EDGE);

  axis->n_ticks = 0;
  for (int power = from; power <= to; power++)
    for (int digit = 1; digit <= 9; digit++)
      {
        double value = power >= 0 ? digit * pow (10, power) : digit / pow (10, -power);
        gboolean major = strchr (digits, '0' + digit) != NULL && power % every == 0;

        if (major || to - from <= 8)
          add_tick (axis, value, MAX (-power, 0), major);
      }
}

static guint
count_labels (const MtAxis *axis)
{
  guint n = 0;

  for (guint i = 0; i < axis->n_ticks; i++)
    n += axis->ticks[i].major ? 1 : 0;
  return n;
}

static void
place_log (MtAxis      *axis,
           double       length,
           double       gap,
           double       least_step,
           MtLabelRoom  room,
           gpointer     data)
{
  static const struct { const char *digits; int every; } sets[] = {
    { "125", 1 }, { "13", 1 }, { "1", 1 }, { "1", 2 }, { "1", 5 }, { "1", 10 }, { "1", 50 },
  };

  /* Within a decade: every digit, or even the steps between. */
  if (axis->high / axis->low < 4)
    {
      place_linear (axis, length, gap, least_step, room, data);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      fill_log (axis, sets[i].digits, sets[i].every);
      if (labels_fit (axis, length, gap, room, data) && count_labels (axis) > 0)
        return;
    }
}

void
mt_axis_place_ticks (MtAxis      *axis,
                     double       length,
                     double       gap,
                     double       least_step,
                     MtLabelRoom  room,
                     gpointer     data)
{
  g_return_if_fail (axis != NULL && room != NULL);

  mt_axis_clear (axis);
  axis->ticks = g_new0 (MtTick, MAX_TICKS);
  if (axis->log)
    place_log (axis, length, gap, least_step, room, data);
  else
    place_linear (axis, length, gap, least_step, room, data);
}

void
mt_axis_extend_to_ticks (MtAxis      *axis,
                         double       length,
                         double       gap,
                         double       least_step,
                         MtLabelRoom  room,
                         gpointer     data)
{
  double step;

  g_return_if_fail (axis != NULL && room != NULL);

  mt_axis_clear (axis);
  axis->ticks = g_new0 (MtTick, MAX_TICKS);
  if (axis->log)
    {
      place_log (axis, length, gap, least_step, room, data);
      return;
    }
  step = place_linear (axis, length, gap, least_step, room, data);
  axis->low = floor (axis->low / step + EDGE) * step;
  axis->high = ceil (axis->high / step - EDGE) * step;
  place_linear (axis, length, gap, MAX (step, least_step), room, data);
}
