/* See mt-layout-diagram.h. In four steps: places (boxes and rails) by layer; their order, by the mean
 * place of what they are joined to, down and up in turn, keeping the order with the fewest crossings;
 * their x, by the same means under the constraint of order and distance (pool adjacent violators);
 * tracks for the lines between two layers.
 *
 * Sizes: 5–30 boxes as a rule; some hundreds at ten inputs. */
#include "config.h"
#include "mt-layout-diagram-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN      12.0
#define RAIL_WIDTH  10.0
#define TRACK       10.0     /* from one track to the next */
#define ABOVE       16.0     /* from a box to the first track: room for the circle of a false edge */
#define BELOW       18.0     /* from the last track to a box: room for the arrow's head */
#define CLOSE       7.0      /* nearer than this, two vertical lines look like one */
#define N_SWEEPS    8
#define N_PULLS     10
#define N_ROUNDS    24       /* of straightening */
#define MANY_PLACES 400      /* this many are not straightened: they cannot be read anyway, and it takes time */

typedef struct {
  const MtDiagram     *diagram;
  const MtDiagramNode *nodes;
  guint                n_nodes;
  guint                n_layers;
  MtDiagramLayer               *layers;
} Work;

static void
make_places (Work         *work,
             const double *widths)
{
  g_autofree gboolean *wanted = g_new0 (gboolean, work->n_nodes);
  g_autofree guint *place_of = g_new (guint, work->n_nodes);

  wanted[mt_diagram_get_root (work->diagram)] = TRUE;
  for (guint l = 0; l < work->n_layers; l++)
    {
      MtDiagramLayer *layer = &work->layers[l];

      layer->places = g_new0 (MtDiagramPlace, work->n_nodes);
      layer->track = g_new (guint, work->n_nodes);
      /* Wanted: named by a node above, and not yet reached. */
      for (guint i = 0; i < work->n_nodes; i++)
        {
          gboolean here = work->nodes[i].level == l;

          if (!wanted[i])
            continue;
          layer->places[layer->n++] = (MtDiagramPlace) { .target = i, .rail = !here,
                                                .width = here ? widths[i] : RAIL_WIDTH };
        }
      for (guint p = 0; p < layer->n; p++)
        {
          const MtDiagramPlace *place = &layer->places[p];
          const MtDiagramNode *node = &work->nodes[place->target];

          if (place->rail)
            continue;
          wanted[place->target] = FALSE;
          if (place->target >= MT_DIAGRAM_FIRST_INNER)
            wanted[node->low] = wanted[node->high] = TRUE;
        }
    }
  for (guint l = 0; l + 1 < work->n_layers; l++)
    {
      MtDiagramLayer *layer = &work->layers[l], *next = layer + 1;

      for (guint p = 0; p < next->n; p++)
        place_of[next->places[p].target] = p;
      for (guint p = 0; p < layer->n; p++)
        {
          MtDiagramPlace *place = &layer->places[p];
          const MtDiagramNode *node = &work->nodes[place->target];

          place->n_next = place->rail ? 1 : 2;
          place->next[0] = place_of[place->rail ? place->target : node->low];
          place->next[1] = place->rail ? place->next[0] : place_of[node->high];
        }
    }
}

static int
by_wish (gconstpointer a,
         gconstpointer b)
{
  const MtDiagramPlace *x = a, *y = b;

  if (x->wish != y->wish)
    return x->wish < y->wish ? -1 : 1;
  return x->target < y->target ? -1 : x->target > y->target;
}

/* Sorts layer @l by wish and tells the layer above where its neighbors went. */
static void
sort_layer (Work  *work,
            guint  l)
{
  MtDiagramLayer *layer = &work->layers[l];
  g_autofree guint *place_of = g_new (guint, work->n_nodes);

  qsort (layer->places, layer->n, sizeof (MtDiagramPlace), by_wish);
  if (l == 0)
    return;
  for (guint p = 0; p < layer->n; p++)
    place_of[layer->places[p].target] = p;
  for (guint p = 0; p < work->layers[l - 1].n; p++)
    {
      MtDiagramPlace *above = &work->layers[l - 1].places[p];
      const MtDiagramNode *node = &work->nodes[above->target];

      above->next[0] = place_of[above->rail ? above->target : node->low];
      above->next[1] = above->rail ? above->next[0] : place_of[node->high];
    }
}

/* The mean place, or x, of what each place of layer @l is joined to above, or below. */
static void
make_wishes (Work     *work,
             guint     l,
             gboolean  from_above,
             gboolean  in_x)
{
  MtDiagramLayer *layer = &work->layers[l];

  if (from_above)
    {
      const MtDiagramLayer *above = layer - 1;
      g_autofree guint *n = g_new0 (guint, layer->n);

      for (guint p = 0; p < layer->n; p++)
        layer->places[p].wish = 0;
      for (guint p = 0; p < above->n; p++)
        for (guint e = 0; e < above->places[p].n_next; e++)
          {
            guint to = above->places[p].next[e];

            layer->places[to].wish += in_x ? above->places[p].x : p + 0.25 * e;
            n[to]++;
          }
      for (guint p = 0; p < layer->n; p++)
        layer->places[p].wish /= n[p];
    }
  else
    for (guint p = 0; p < layer->n; p++)
      {
        MtDiagramPlace *place = &layer->places[p];
        const MtDiagramPlace *below = (layer + 1)->places;

        place->wish = 0;
        for (guint e = 0; e < place->n_next; e++)
          place->wish += (in_x ? below[place->next[e]].x : place->next[e]) / place->n_next;
      }
}

static guint64
count_crossings (const Work *work)
{
  guint64 n = 0;

  for (guint l = 0; l + 1 < work->n_layers; l++)
    {
      const MtDiagramLayer *layer = &work->layers[l];

      for (guint p = 0; p < layer->n; p++)
        for (guint e = 0; e < layer->places[p].n_next; e++)
          for (guint q = p + 1; q < layer->n; q++)
            for (guint f = 0; f < layer->places[q].n_next; f++)
              n += layer->places[q].next[f] < layer->places[p].next[e];
    }
  return n;
}

static void
copy_places (const Work *work,
             MtDiagramPlace      *to)
{
  for (guint l = 0; l < work->n_layers; l++)
    {
      memcpy (to, work->layers[l].places, work->layers[l].n * sizeof (MtDiagramPlace));
      to += work->layers[l].n;
    }
}

static void
order_places (Work *work)
{
  guint n = 0;
  g_autofree MtDiagramPlace *best = NULL;
  guint64 fewest;
  MtDiagramPlace *from;

  for (guint l = 0; l < work->n_layers; l++)
    n += work->layers[l].n;
  best = from = g_new (MtDiagramPlace, n);
  copy_places (work, best);
  fewest = count_crossings (work);
  /* Counting is quadratic in a layer; diagrams of thousands of nodes are not for reading anyway. */
  for (guint sweep = 0; sweep < (n < 1500 ? N_SWEEPS : 2) && fewest > 0; sweep++)
    {
      guint64 crossings;

      if (sweep % 2 == 0)
        for (guint l = 1; l < work->n_layers; l++)
          {
            make_wishes (work, l, TRUE, FALSE);
            sort_layer (work, l);
          }
      else
        for (guint l = work->n_layers - 1; l-- > 0;)
          {
            make_wishes (work, l, FALSE, FALSE);
            sort_layer (work, l);
          }
      crossings = count_crossings (work);
      if (crossings < fewest)
        {
          fewest = crossings;
          copy_places (work, best);
        }
    }
  for (guint l = 0; l < work->n_layers; l++)
    {
      memcpy (work->layers[l].places, from, work->layers[l].n * sizeof (MtDiagramPlace));
      from += work->layers[l].n;
    }
}

/* With the distances taken off, runs that would be out of order are pooled at their mean. */
void
_mt_diagram_settle (MtDiagramLayer *layer)
{
  g_autofree double *sum = g_new (double, layer->n);
  g_autofree double *weight = g_new (double, layer->n);
  g_autofree guint *size = g_new (guint, layer->n);
  guint n_runs = 0, p = 0;
  double offset = 0;

  for (guint i = 0; i < layer->n; i++)
    {
      if (i > 0)
        offset += _mt_diagram_distance (&layer->places[i - 1], &layer->places[i]);
      weight[n_runs] = layer->places[i].weight;
      sum[n_runs] = (layer->places[i].wish - offset) * weight[n_runs];
      size[n_runs++] = 1;
      while (n_runs > 1 && sum[n_runs - 2] / weight[n_runs - 2] >= sum[n_runs - 1] / weight[n_runs - 1])
        {
          sum[n_runs - 2] += sum[n_runs - 1];
          weight[n_runs - 2] += weight[n_runs - 1];
          size[n_runs - 2] += size[n_runs - 1];
          n_runs--;
        }
    }
  offset = 0;
  for (guint run = 0; run < n_runs; run++)
    for (guint i = 0; i < size[run]; i++, p++)
      {
        if (p > 0)
          offset += _mt_diagram_distance (&layer->places[p - 1], &layer->places[p]);
        layer->places[p].x = sum[run] / weight[run] + offset;
      }
}

static double
place_in_x (Work *work)
{
  double left = G_MAXDOUBLE, right = -G_MAXDOUBLE;
  guint n_places = 0;

  for (guint l = 0; l < work->n_layers; l++)
    {
      n_places += work->layers[l].n;
      for (guint p = 0; p < work->layers[l].n; p++)
        {
          work->layers[l].places[p].wish = 0;
          work->layers[l].places[p].weight = 1;
        }
      _mt_diagram_settle (&work->layers[l]);
    }
  for (guint pull = 0; pull < N_PULLS; pull++)
    {
      if (pull % 2 == 0)
        for (guint l = work->n_layers - 1; l-- > 0;)
          {
            make_wishes (work, l, FALSE, TRUE);
            _mt_diagram_settle (&work->layers[l]);
          }
      else
        for (guint l = 1; l < work->n_layers; l++)
          {
            make_wishes (work, l, TRUE, TRUE);
            _mt_diagram_settle (&work->layers[l]);
          }
    }
  if (n_places <= MANY_PLACES)
    _mt_diagram_straighten (work->layers, work->n_layers, N_ROUNDS);
  for (guint l = 0; l < work->n_layers; l++)
    for (guint p = 0; p < work->layers[l].n; p++)
      work->layers[l].places[p].x = round (work->layers[l].places[p].x);
  if (n_places <= MANY_PLACES)
    _mt_diagram_unbend (work->layers, work->n_layers);
  for (guint l = 0; l < work->n_layers; l++)
    for (guint p = 0; p < work->layers[l].n; p++)
      {
        const MtDiagramPlace *place = &work->layers[l].places[p];

        left = MIN (left, place->x - place->width / 2);
        right = MAX (right, place->x + place->width / 2);
      }
  for (guint l = 0; l < work->n_layers; l++)
    for (guint p = 0; p < work->layers[l].n; p++)
      work->layers[l].places[p].x -= floor (left) - MARGIN;
  return ceil (right - floor (left) + 2 * MARGIN + 1);
}

void
_mt_diagram_port_range (const MtDiagramPlace *place,
                        guint                 end,
                        double               *low,
                        double               *high)
{
  double furthest = MAX (10, floor (place->width / 2 - 12));

  *low = *high = 0;
  if (place->rail)
    return;
  if (place->next[1 - end] > place->next[end])
    {
      *low = -furthest;
      *high = -10;
    }
  else
    {
      *low = 10;
      *high = furthest;
    }
}

double
_mt_diagram_arrival (const MtDiagramPlace *place,
                     guint                 n_lines)
{
  return place->rail || n_lines != 1 ? 0 : floor (place->width / 2 - 8);
}

/* Lines leave a box on the side of where they go, right above it if they can, and arrive in the middle, or
 * right below where they come from if they are alone and can. All in whole points: straight means equal. */
static void
place_ends (MtDiagramLayer *layer,
            MtDiagramLayer *next)
{
  g_autofree guint *n_lines = g_new0 (guint, next->n);
  g_autofree double *from = g_new (double, next->n);

  for (guint p = 0; p < layer->n; p++)
    {
      MtDiagramPlace *place = &layer->places[p];

      for (guint e = 0; e < place->n_next; e++)
        {
          guint to = place->next[e];
          double low, high;

          _mt_diagram_port_range (place, e, &low, &high);
          place->out[e] = place->x + CLAMP (next->places[to].x - place->x, low, high);
          n_lines[to]++;
          from[to] = place->out[e];
        }
    }
  for (guint p = 0; p < next->n; p++)
    {
      MtDiagramPlace *place = &next->places[p];
      double room = _mt_diagram_arrival (place, n_lines[p]);

      place->in = n_lines[p] == 1 ? CLAMP (from[p], place->x - room, place->x + room) : place->x;
    }
}

/* The lines to one place of the next layer. */
typedef struct {
  double   left, right;
  gboolean placed;
  gboolean straight;
  /* Nets that must turn above this one, because one of their lines leaves right above where this one
   * arrives. Boxes and rails are further apart than CLOSE, so there are at most two. */
  guint    waits_for[2];
  guint    n_waits;
} Net;

static gboolean
fits (const MtDiagramLayer *layer,
      const MtDiagramLayer *next,
      const Net   *nets,
      guint        net,
      guint        track)
{
  for (guint i = 0; i < nets[net].n_waits; i++)
    {
      guint other = nets[net].waits_for[i];

      if (!nets[other].straight && (!nets[other].placed || layer->track[other] == track))
        return FALSE;
    }
  for (guint other = 0; other < next->n; other++)
    if (nets[other].placed && layer->track[other] == track &&
        nets[net].left < nets[other].right + CLOSE && nets[other].left < nets[net].right + CLOSE)
      return FALSE;
  return TRUE;
}

static guint
put_on_track (MtDiagramLayer *layer,
              Net   *nets,
              guint  net,
              guint  track)
{
  nets[net].placed = TRUE;
  layer->track[net] = track;
  return 1;
}

static void
assign_tracks (MtDiagramLayer       *layer,
               const MtDiagramLayer *next)
{
  g_autofree Net *nets = g_new0 (Net, next->n);
  guint n_open = 0;

  for (guint i = 0; i < next->n; i++)
    {
      nets[i].left = nets[i].right = next->places[i].in;
      layer->track[i] = G_MAXUINT;
    }
  for (guint p = 0; p < layer->n; p++)
    for (guint e = 0; e < layer->places[p].n_next; e++)
      {
        Net *net = &nets[layer->places[p].next[e]];

        net->left = MIN (net->left, layer->places[p].out[e]);
        net->right = MAX (net->right, layer->places[p].out[e]);
        for (guint i = 0; i < next->n; i++)
          if (i != layer->places[p].next[e] && nets[i].n_waits < 2 &&
              fabs (layer->places[p].out[e] - next->places[i].in) < CLOSE)
            nets[i].waits_for[nets[i].n_waits++] = layer->places[p].next[e];
      }
  for (guint i = 0; i < next->n; i++)
    {
      nets[i].straight = nets[i].left == nets[i].right;
      n_open += !nets[i].straight;
    }

  for (guint track = 0; n_open > 0; track++)
    {
      guint n_before = n_open;

      layer->n_tracks = track + 1;
      for (guint i = 0; i < next->n; i++)
        if (!nets[i].straight && !nets[i].placed && fits (layer, next, nets, i, track))
          n_open -= put_on_track (layer, nets, i, track);
      /* Lines that wait for each other in a circle: the first one goes. */
      for (guint i = 0; i < next->n && n_open == n_before; i++)
        if (!nets[i].straight && !nets[i].placed)
          n_open -= put_on_track (layer, nets, i, track);
    }
}

static double
place_in_y (Work *work)
{
  double y = MARGIN;

  for (guint l = 0; l < work->n_layers; l++)
    {
      MtDiagramLayer *layer = &work->layers[l];

      layer->y = y;
      y += MT_DIAGRAM_BOX_HEIGHT;
      if (l + 1 < work->n_layers)
        {
          place_ends (layer, layer + 1);
          assign_tracks (layer, layer + 1);
          y += ABOVE + BELOW + TRACK * (layer->n_tracks > 0 ? layer->n_tracks - 1 : 0);
        }
    }
  return y + MARGIN;
}

static void
add_point (GArray *points,
           guint   first,
           double  x,
           double  y)
{
  MtDiagramPoint point = { x, y };

  /* Pieces in one line become one. */
  if (points->len >= first + 2)
    {
      const MtDiagramPoint *a = &g_array_index (points, MtDiagramPoint, points->len - 2);
      MtDiagramPoint *b = &g_array_index (points, MtDiagramPoint, points->len - 1);

      if ((a->x == b->x && b->x == x) || (a->y == b->y && b->y == y))
        {
          *b = point;
          return;
        }
    }
  g_array_append_val (points, point);
}

static void
add_line (const Work *work,
          guint       layer,
          guint       place,
          guint       end,
          GArray     *points)
{
  guint first = points->len;
  guint l = layer;

  add_point (points, first, work->layers[l].places[place].out[end],
             work->layers[l].y + MT_DIAGRAM_BOX_HEIGHT);
  while (TRUE)
    {
      const MtDiagramLayer *here = &work->layers[l];
      guint to = here->places[place].next[end];
      const MtDiagramPlace *next = &work->layers[l + 1].places[to];

      if (here->track[to] != G_MAXUINT)
        {
          double y = here->y + MT_DIAGRAM_BOX_HEIGHT + ABOVE + TRACK * here->track[to];

          add_point (points, first, here->places[place].out[end], y);
          add_point (points, first, next->in, y);
        }
      add_point (points, first, next->in, work->layers[l + 1].y);
      if (!next->rail)
        return;
      place = to;
      end = 0;
      l++;
    }
}

static void
collect (const Work      *work,
         MtDiagramLayout *layout)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (MtDiagramBox));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (MtDiagramLine));
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MtDiagramPoint));
  guint first = 0;

  for (guint l = 0; l < work->n_layers; l++)
    for (guint p = 0; p < work->layers[l].n; p++)
      {
        const MtDiagramPlace *place = &work->layers[l].places[p];
        const MtDiagramNode *node = &work->nodes[place->target];
        MtDiagramBox box = { place->target, place->x - place->width / 2, work->layers[l].y, place->width,
                             MT_DIAGRAM_BOX_HEIGHT };

        if (place->rail)
          continue;
        g_array_append_val (boxes, box);
        for (guint e = 0; e < 2 && place->target >= MT_DIAGRAM_FIRST_INNER; e++)
          {
            MtDiagramLine line = { place->target, e == 0 ? node->low : node->high, e == 1, NULL, points->len };

            add_line (work, l, p, e, points);
            line.n_points = points->len - line.n_points;
            g_array_append_val (lines, line);
          }
      }
  layout->n_boxes = boxes->len;
  layout->n_lines = lines->len;
  layout->boxes = (MtDiagramBox *) (gpointer) g_array_free (g_steal_pointer (&boxes), FALSE);
  layout->lines = (MtDiagramLine *) (gpointer) g_array_free (g_steal_pointer (&lines), FALSE);
  layout->points = (MtDiagramPoint *) (gpointer) g_array_free (g_steal_pointer (&points), FALSE);
  for (guint i = 0; i < layout->n_lines; i++)
    {
      layout->lines[i].points = layout->points + first;
      first += layout->lines[i].n_points;
    }
}

MtDiagramLayout *
mt_diagram_layout_new (const MtDiagram *diagram,
                       const double    *widths)
{
  MtDiagramLayout *layout;
  Work work;

  g_return_val_if_fail (diagram != NULL && widths != NULL, NULL);

  work.diagram = diagram;
  work.nodes = mt_diagram_get_nodes (diagram);
  work.n_nodes = mt_diagram_get_n_nodes (diagram);
  work.n_layers = mt_diagram_get_n_levels (diagram) + 1;
  work.layers = g_new0 (MtDiagramLayer, work.n_layers);
  layout = g_new0 (MtDiagramLayout, 1);

  make_places (&work, widths);
  order_places (&work);
  layout->width = place_in_x (&work);
  layout->height = place_in_y (&work);
  collect (&work, layout);
  for (guint l = 0; l < work.n_layers; l++)
    {
      g_free (work.layers[l].places);
      g_free (work.layers[l].track);
    }
  g_free (work.layers);
  return layout;
}

void
mt_diagram_layout_free (MtDiagramLayout *layout)
{
  g_return_if_fail (layout != NULL);

  g_free (layout->boxes);
  g_free (layout->lines);
  g_free (layout->points);
  g_free (layout);
}

const MtDiagramBox *
mt_diagram_layout_get_box (const MtDiagramLayout *layout,
                           guint                  node)
{
  g_return_val_if_fail (layout != NULL, NULL);

  for (guint i = 0; i < layout->n_boxes; i++)
    if (layout->boxes[i].node == node)
      return &layout->boxes[i];
  return NULL;
}

int
mt_diagram_layout_hit (const MtDiagramLayout *layout,
                       double                 x,
                       double                 y)
{
  g_return_val_if_fail (layout != NULL, -1);

  for (guint i = 0; i < layout->n_boxes; i++)
    {
      const MtDiagramBox *box = &layout->boxes[i];

      if (x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height)
        return (int) box->node;
    }
  return -1;
}
