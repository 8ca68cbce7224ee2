/* What was done, in order, each with the decisions that held after it. See mt-history.h. */
#include "config.h"
#include "mt-history.h"

typedef struct {
  char        *label;       /* how one came here; NULL for the first */
  MtDecisions *decisions;
  MtHistoryFunc  func;      /* NULL: the decisions are all there is to it */
  gpointer       data;
  GDestroyNotify destroy;
} Step;

struct _MtHistory {
  GArray *steps;    /* of Step, never empty */
  guint   at;
};

static void
step_clear (gpointer data)
{
  Step *step = data;

  g_free (step->label);
  mt_decisions_unref (step->decisions);
  if (step->destroy != NULL)
    step->destroy (step->data);
}

MtHistory *
mt_history_new (MtDecisions *initial)
{
  MtHistory *self = g_new0 (MtHistory, 1);
  Step first = { .decisions = mt_decisions_ref (initial) };

  self->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_array_set_clear_func (self->steps, step_clear);
  g_array_append_val (self->steps, first);
  return self;
}

void
mt_history_free (MtHistory *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->steps);
  g_free (self);
}

static Step *
step_at (MtHistory *self,
         guint      index)
{
  return &g_array_index (self->steps, Step, index);
}

MtDecisions *
mt_history_get_current (MtHistory *self)
{
  return step_at (self, self->at)->decisions;
}

void
mt_history_push (MtHistory   *self,
                 const char  *label,
                 MtDecisions *decisions)
{
  Step step = { .label = g_strdup (label), .decisions = mt_decisions_ref (decisions) };

  g_array_set_size (self->steps, self->at + 1);
  g_array_append_val (self->steps, step);
  self->at++;
}

void
mt_history_push_change (MtHistory      *self,
                        const char     *label,
                        MtHistoryFunc   func,
                        gpointer        data,
                        GDestroyNotify  destroy)
{
  mt_history_push (self, label, mt_history_get_current (self));
  step_at (self, self->at)->func = func;
  step_at (self, self->at)->data = data;
  step_at (self, self->at)->destroy = destroy;
}

/* The step that is taken back or done again; NULL at the end. */
static Step *
step_between (MtHistory *self,
              int        by)
{
  guint index = by < 0 ? self->at : self->at + 1;

  return index > 0 && index < self->steps->len ? step_at (self, index) : NULL;
}

gboolean
mt_history_is_change (MtHistory *self,
                      int        step)
{
  Step *between = step_between (self, step);

  return between != NULL && between->func != NULL;
}

void
mt_history_amend (MtHistory   *self,
                  MtDecisions *decisions)
{
  Step *step = step_at (self, self->at);

  g_return_if_fail (self->at > 0 && self->at + 1 == self->steps->len);
  mt_decisions_ref (decisions);
  mt_decisions_unref (step->decisions);
  step->decisions = decisions;
}

gboolean
mt_history_has_decided (MtHistory *self)
{
  for (guint i = self->at; i > 0; i--)
    if (step_at (self, i)->func != NULL || step_at (self, i)->decisions != step_at (self, i - 1)->decisions)
      return TRUE;
  return FALSE;
}

const char *
mt_history_get_undo_label (MtHistory *self)
{
  return step_at (self, self->at)->label;
}

const char *
mt_history_get_redo_label (MtHistory *self)
{
  return self->at + 1 < self->steps->len ? step_at (self, self->at + 1)->label : NULL;
}

MtDecisions *
mt_history_peek (MtHistory *self,
                 int        step)
{
  gint64 index = (gint64) self->at + step;

  return index >= 0 && index < self->steps->len ? step_at (self, (guint) index)->decisions : NULL;
}

void
mt_history_move (MtHistory *self,
                 int        step)
{
  Step *between = step_between (self, step);

  g_return_if_fail (mt_history_peek (self, step) != NULL && between != NULL);
  self->at = (guint) ((int) self->at + step);
  if (between->func != NULL)
    between->func (between->data, step > 0);
}
