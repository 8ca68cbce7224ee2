/* What a run leaves in addition to its models, as a text for its project: the curves of its network, the models
 * visited while rules were dropped, and what each fold said of each point. See mt-run-curves.h. */
#include "config.h"
#include "mt-run-curves.h"

#include <math.h>
#include <string.h>

#define MOST_NUMBERS 5000   /* of a line: folds × repeats */

static gboolean
read_numbers (char   **words,
              GArray  *numbers)
{
  g_array_set_size (numbers, 0);
  for (guint i = 0; words[i] != NULL; i++)
    {
      double value = NAN;

      if (i >= MOST_NUMBERS ||
          (!g_str_equal (words[i], "nan") &&
           mt_number_parse (words[i], strlen (words[i]), &mt_number_plain, &value) == MT_NUMBER_NONE))
        return FALSE;
      g_array_append_val (numbers, value);
    }
  return TRUE;
}

static gboolean
take_line (const char *kind,
           GArray     *numbers,
           GArray     *epochs,
           GArray     *visits)
{
  const double *at = (const double *) (gpointer) numbers->data;

  if (g_str_equal (kind, "epoch") && numbers->len == 3)
    g_array_append_vals (epochs, &(MtRunEpoch) { at[0], at[1], at[2] }, 1);
  else if (g_str_equal (kind, "visit") && numbers->len == 2 && at[0] >= 0 && at[0] <= 1e6)
    g_array_append_vals (visits, &(MtRunVisit) { (guint) at[0], at[1] }, 1);
  else
    return FALSE;
  return TRUE;
}

gboolean
mt_run_curves_from_text (MtRun      *run,
                         const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GArray) epochs = g_array_new (FALSE, FALSE, sizeof (MtRunEpoch));
  g_autoptr (GArray) visits = g_array_new (FALSE, FALSE, sizeof (MtRunVisit));
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GPtrArray) scores = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  GPtrArray *points = mt_run_get_points (run);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);

      if (words[0] == NULL)
        continue;   /* after the last line's end */
      if (!read_numbers (words + 1, numbers))
        return FALSE;
      if (g_str_equal (words[0], "point"))
        g_ptr_array_add (scores, g_array_copy (numbers));
      else if (!take_line (words[0], numbers, epochs, visits))
        return FALSE;
    }
  if (scores->len != points->len)
    return FALSE;
  for (guint i = 0; i < points->len; i++)
    {
      GArray *each = scores->pdata[i];

      mt_frontier_item_set_scores (points->pdata[i], (const double *) (gpointer) each->data, each->len);
    }
  mt_run_set_curves (run, epochs, visits);
  return TRUE;
}
