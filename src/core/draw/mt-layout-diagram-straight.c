/* A line is straight where the next place lies under the part of a box that it may leave from: an interval
 * of the difference of their x. Wishes pull each place into the intervals of its lines, those of rails,
 * which have no width to spare, hardest; then, on whole numbers, each place tries the ends of its lines'
 * intervals and keeps the one with the fewest bends. */
#include "config.h"
#include "mt-layout-diagram-private.h"

#include <math.h>

#define MOST_TRIES 10

/* A line of a place, seen from it: where the place may be for the line to be straight. */
typedef struct {
  double low, high;
  double weight;
} Pull;

static guint *
count_lines (const MtDiagramLayer *layer,
             const MtDiagramLayer *next)
{
  guint *n = g_new0 (guint, MAX (1, next->n));

  for (guint p = 0; p < layer->n; p++)
    for (guint e = 0; e < layer->places[p].n_next; e++)
      n[layer->places[p].next[e]]++;
  return n;
}

/* The interval of the x of the place below minus that of the one above. */
static Pull
find_pull (const MtDiagramPlace *above,
           guint                 end,
           const MtDiagramPlace *below,
           guint                 n_lines)
{
  double room = _mt_diagram_arrival (below, n_lines);
  Pull pull;

  _mt_diagram_port_range (above, end, &pull.low, &pull.high);
  pull.low -= room;
  pull.high += room;
  pull.weight = above->rail && below->rail ? 8 : above->rail || below->rail ? 4 : 2;
  return pull;
}

/* All lines of place @p of layer @l, as intervals of its own x. */
static void
collect_pulls (const MtDiagramLayer *layers,
               guint                 n_layers,
               guint               **n_lines,     /* by layer: into each place */
               guint                 l,
               guint                 p,
               GArray               *pulls)
{
  const MtDiagramPlace *place = &layers[l].places[p];

  g_array_set_size (pulls, 0);
  for (guint q = 0; l > 0 && q < layers[l - 1].n; q++)
    {
      const MtDiagramPlace *above = &layers[l - 1].places[q];

      for (guint e = 0; e < above->n_next; e++)
        if (above->next[e] == p)
          {
            Pull pull = find_pull (above, e, place, n_lines[l][p]);

            pull.low += above->x;
            pull.high += above->x;
            g_array_append_val (pulls, pull);
          }
    }
  for (guint e = 0; l + 1 < n_layers && e < place->n_next; e++)
    {
      const MtDiagramPlace *below = &layers[l + 1].places[place->next[e]];
      Pull pull = find_pull (place, e, below, n_lines[l + 1][place->next[e]]);
      double low = pull.low;

      pull.low = below->x - pull.high;
      pull.high = below->x - low;
      g_array_append_val (pulls, pull);
    }
}

static guint **
count_all (const MtDiagramLayer *layers,
           guint                 n_layers)
{
  guint **n_lines = g_new0 (guint *, n_layers + 1);

  for (guint l = 1; l < n_layers; l++)
    n_lines[l] = count_lines (&layers[l - 1], &layers[l]);
  return n_lines;
}

static void
free_all (guint **n_lines,
          guint   n_layers)
{
  for (guint l = 0; l < n_layers; l++)
    g_free (n_lines[l]);
  g_free (n_lines);
}

void
_mt_diagram_straighten (MtDiagramLayer *layers,
                        guint           n_layers,
                        guint           rounds)
{
  g_autoptr (GArray) pulls = g_array_new (FALSE, FALSE, sizeof (Pull));
  guint **n_lines = count_all (layers, n_layers);

  for (guint round = 0; round < rounds; round++)
    for (guint i = 0; i < n_layers; i++)
      {
        guint l = round % 2 == 0 ? i : n_layers - 1 - i;

        for (guint p = 0; p < layers[l].n; p++)
          {
            MtDiagramPlace *place = &layers[l].places[p];
            double sum = 0;

            collect_pulls (layers, n_layers, n_lines, l, p, pulls);
            place->weight = 0;
            for (guint k = 0; k < pulls->len; k++)
              {
                const Pull *pull = &g_array_index (pulls, Pull, k);

                sum += pull->weight * CLAMP (place->x, pull->low, pull->high);
                place->weight += pull->weight;
              }
            if (place->weight > 0)
              place->wish = sum / place->weight;
            else
              {
                place->wish = place->x;
                place->weight = 1;
              }
          }
        _mt_diagram_settle (&layers[l]);
      }
  free_all (n_lines, n_layers);
}

static double
count_bends (const GArray *pulls,
             double        x)
{
  double bends = 0;

  for (guint k = 0; k < pulls->len; k++)
    {
      const Pull *pull = &g_array_index (pulls, Pull, k);

      bends += x < pull->low || x > pull->high ? pull->weight : 0;
    }
  return bends;
}

/* Whether the place found a better x. */
static gboolean
unbend_place (MtDiagramLayer *layer,
              guint           p,
              const GArray   *pulls)
{
  MtDiagramPlace *place = &layer->places[p];
  double least = -G_MAXDOUBLE, most = G_MAXDOUBLE;
  double best = place->x, fewest = count_bends (pulls, place->x);

  if (p > 0)
    least = ceil (layer->places[p - 1].x + _mt_diagram_distance (&layer->places[p - 1], place));
  if (p + 1 < layer->n)
    most = floor (layer->places[p + 1].x - _mt_diagram_distance (place, &layer->places[p + 1]));
  for (guint k = 0; k < 2 * pulls->len; k++)
    {
      const Pull *pull = &g_array_index (pulls, Pull, k / 2);
      double x = k % 2 == 0 ? ceil (pull->low) : floor (pull->high), bends;

      if (x < least || x > most)
        continue;
      bends = count_bends (pulls, x);
      if (bends < fewest || (bends == fewest && fewest < count_bends (pulls, place->x) &&
                             fabs (x - place->x) < fabs (best - place->x)))
        {
          fewest = bends;
          best = x;
        }
    }
  if (best == place->x)
    return FALSE;
  place->x = best;
  return TRUE;
}

void
_mt_diagram_unbend (MtDiagramLayer *layers,
                    guint           n_layers)
{
  g_autoptr (GArray) pulls = g_array_new (FALSE, FALSE, sizeof (Pull));
  guint **n_lines = count_all (layers, n_layers);
  gboolean moved = TRUE;

  for (guint round = 0; round < MOST_TRIES && moved; round++)
    {
      moved = FALSE;
      for (guint i = 0; i < n_layers; i++)
        {
          guint l = round % 2 == 0 ? i : n_layers - 1 - i;

          for (guint p = 0; p < layers[l].n; p++)
            {
              collect_pulls (layers, n_layers, n_lines, l, p, pulls);
              moved |= unbend_place (&layers[l], p, pulls);
            }
        }
    }
  free_all (n_lines, n_layers);
}
