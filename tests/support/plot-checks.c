#include "config.h"
#include "plot-checks.h"

#include <math.h>

void
mt_check_measure (const char *text,
                  MtPlotFont  font,
                  double     *width,
                  double     *height,
                  gpointer    data)
{
  *width = 7.0 * (double) g_utf8_strlen (text, -1);
  *height = 15;
}

void
mt_check_no_overlaps (GArray *texts)
{
  for (guint i = 0; i < texts->len; i++)
    for (guint j = 0; j < i; j++)
      {
        const MtPlotText *a = &g_array_index (texts, MtPlotText, i);
        const MtPlotText *b = &g_array_index (texts, MtPlotText, j);

        if (mt_box_overlaps (&a->box, &b->box))
          g_error ("'%s' overlaps '%s'", a->text, b->text);
      }
}

const MtBox *
mt_check_box_of (GArray     *texts,
                 const char *text)
{
  for (guint i = 0; i < texts->len; i++)
    if (g_str_equal (g_array_index (texts, MtPlotText, i).text, text))
      return &g_array_index (texts, MtPlotText, i).box;
  return NULL;
}

gboolean
mt_check_has_text (GArray     *texts,
                   const char *text)
{
  return mt_check_box_of (texts, text) != NULL;
}

double *
mt_check_make_curve (guint  n,
                     double from,
                     double to)
{
  double *y = g_new (double, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    y[i] = to + (from - to) * exp (-(double) i / 5) + 0.008 * sin (i * 1.7);
  return y;
}
