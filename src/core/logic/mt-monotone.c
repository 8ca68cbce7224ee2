/* Truth tables that must not turn back: kernels over tables as in mt-truth-table.h. See mt-monotone.h. */
#include "config.h"
#include "mt-monotone.h"

#include <math.h>
#include <string.h>

#include "mt-truth-table.h"

/* Adds to @set whatever is above (a false input of @up made true, a true one of @down made false),
 * or with @below the other way. One pass an input is enough: each step changes one input. */
static void
close_set (guint    n_inputs,
           guint64 *set,
           guint32  up,
           guint32  down,
           gboolean below)
{
  for (guint i = 0; i < n_inputs; i++)
    for (guint way = 0; way < 2; way++)
      {
        guint to_true = (way == 0) != below;

        if (!((way == 0 ? up : down) >> i & 1))
          continue;
        for (guint32 v = 0; v < 1u << n_inputs; v++)
          if ((v >> i & 1) == to_true && mt_truth_table_get (set, v ^ 1u << i))
            mt_truth_table_set (set, v, TRUE);
      }
}

/* Closing a set upward adds nothing if and only if the table is monotone already. */
gboolean
mt_monotone_is (guint          n_inputs,
                const guint64 *table,
                guint32        up,
                guint32        down)
{
  guint64 closed[MT_TRUTH_TABLE_MAX_WORDS];

  g_return_val_if_fail (n_inputs <= MT_MONOTONE_MAX_INPUTS, FALSE);
  if (up == 0 && down == 0)
    return TRUE;
  mt_truth_table_copy (n_inputs, table, closed);
  close_set (n_inputs, closed, up, down, FALSE);
  return mt_truth_table_equal (n_inputs, table, closed);
}

/* Takes those don't-cares away that could not be true in any monotone table that agrees with @on: whatever is
 * below a false assignment must be false. FALSE if a true assignment is among them. */
gboolean
mt_monotone_free (guint          n_inputs,
                  const guint64 *on,
                  guint64       *dc,
                  guint32        up,
                  guint32        down)
{
  guint64 off[MT_TRUTH_TABLE_MAX_WORDS];

  g_return_val_if_fail (n_inputs <= MT_MONOTONE_MAX_INPUTS, FALSE);
  /* Whatever is below a false assignment must be false too. */
  mt_truth_table_or (n_inputs, on, dc, off);
  mt_truth_table_not (n_inputs, off, off);
  close_set (n_inputs, off, up, down, TRUE);
  for (gsize w = 0; w < mt_truth_table_n_words (n_inputs); w++)
    if (on[w] & ~dc[w] & off[w])
      return FALSE;
  mt_truth_table_and_not (n_inputs, dc, off, dc);
  return TRUE;
}

/* --- the best one --- */

enum { MAX_NODES = 1 << MT_MONOTONE_MAX_WEIGHED, MAX_EDGES = 2 * MT_MONOTONE_MAX_WEIGHED };

/* Assignments that want to be true (gain < 0) are sources, those that want to be false are sinks;
 * being true passes on to whatever is above. What sources can send to sinks is what must be given up:
 * true are the assignments that a source with something left can still reach. */
typedef struct {
  guint  n_nodes;
  guint  n_edges;                      /* kinds: an input and a way */
  guint  input[MAX_EDGES];
  guint  from[MAX_EDGES];              /* the edge leaves assignments with this value of the input */
  double left[MAX_NODES];              /* gain, less what was sent or received */
  double flow[MAX_NODES][MAX_EDGES];   /* on the edge that leaves */
  guint  queue[MAX_NODES];
  gint16 parent[MAX_NODES];            /* edge kind it was reached by; + MAX_EDGES: backwards; -1: not */
  double room;                         /* of a path */
} Flow;

/* Breadth first from @source; returns a sink with room, or -1. What was reached has a parent. */
static int
reach (Flow  *self,
       guint  source)
{
  guint first = 0, last = 0;

  memset (self->parent, -1, sizeof self->parent);
  self->parent[source] = 2 * MAX_EDGES;
  self->queue[last++] = source;
  while (first < last)
    {
      guint v = self->queue[first++];

      if (self->left[v] > 0)
        return (int) v;
      for (guint e = 0; e < self->n_edges; e++)
        {
          guint other = v ^ 1u << self->input[e];
          gboolean forward = (v >> self->input[e] & 1) == self->from[e];

          if (self->parent[other] != -1 || (!forward && !(self->flow[other][e] > 0)))
            continue;
          self->parent[other] = (gint16) (forward ? e : e + MAX_EDGES);
          self->queue[last++] = other;
        }
    }
  return -1;
}

/* Sends as much as the path from @source to @sink carries: what the source has left, what the sink still takes,
 * and on edges that are used backward what flows there. The path is read from the sink along the parents, twice:
 * once for the amount, once to change the flows. */
static void
send (Flow  *self,
      guint  source,
      guint  sink)
{
  double amount = MIN (-self->left[source], self->left[sink]);

  for (guint v = sink; v != source;)
    {
      guint e = (guint) self->parent[v] % MAX_EDGES;
      guint before = v ^ 1u << self->input[e];

      if (self->parent[v] >= MAX_EDGES)
        amount = MIN (amount, self->flow[v][e]);
      v = before;
    }
  self->left[source] += amount;
  self->left[sink] -= amount;
  for (guint v = sink; v != source;)
    {
      guint e = (guint) self->parent[v] % MAX_EDGES;
      guint before = v ^ 1u << self->input[e];

      if (self->parent[v] >= MAX_EDGES)
        self->flow[v][e] -= amount;
      else
        self->flow[before][e] += amount;
      v = before;
    }
}

/* The monotone table with the least sum of gains over its true assignments. A maximum closure problem, solved as a
 * maximum flow: each assignment that should be true for itself (gain < 0) pays for those above it that must then
 * be true as well. When no source can send any more, the true assignments are those that a source with something
 * left still reaches. */
void
mt_monotone_best (guint          n_inputs,
                  const double  *gains,
                  guint32        up,
                  guint32        down,
                  guint64       *table)
{
  Flow self = { .n_nodes = 1u << n_inputs };

  g_return_if_fail (n_inputs <= MT_MONOTONE_MAX_WEIGHED);
  for (guint i = 0; i < n_inputs; i++)
    for (guint way = 0; way < 2; way++)
      if ((way == 0 ? up : down) >> i & 1)
        {
          self.input[self.n_edges] = i;
          self.from[self.n_edges++] = way;
        }
  memcpy (self.left, gains, self.n_nodes * sizeof *gains);
  mt_truth_table_fill (n_inputs, FALSE, table);
  for (guint v = 0; v < self.n_nodes; v++)
    {
      int sink;

      while (self.left[v] < 0 && (sink = reach (&self, v)) >= 0)
        send (&self, v, (guint) sink);
    }
  for (guint v = 0; v < self.n_nodes; v++)
    if (self.left[v] < 0)
      {
        reach (&self, v);
        for (guint u = 0; u < self.n_nodes; u++)
          if (self.parent[u] != -1)
            mt_truth_table_set (table, u, TRUE);
      }
}
