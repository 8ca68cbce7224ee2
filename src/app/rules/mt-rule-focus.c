/* What is pointed at in the rule on show: the one selection that truth table, formula, diagram and rows
 * share. See mt-rule-focus.h. */
#include "config.h"
#include "mt-rule-focus.h"

#include <string.h>

typedef struct {
  MtFocusKind  kind;
  guint32      index;
  guint64     *set;
} Point;

struct _MtRuleFocus {
  GObject       parent_instance;

  MtRuleView   *view;
  MtPhraseForm  form;
  gboolean      words;
  Point         selected, hovered;
};

enum {
  VIEW_CHANGED,
  FORM_CHANGED,
  CHANGED,
  SELECTION_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtRuleFocus, mt_rule_focus, G_TYPE_OBJECT)

/* --- a point --- */

static gboolean
point_is (const Point *point,
          MtFocusKind  kind,
          guint32      index)
{
  return point->kind == kind && (kind == MT_FOCUS_NONE || point->index == index);
}

static void
point_to (MtRuleFocus *self,
          Point       *point,
          MtFocusKind  kind,
          guint32      index)
{
  point->kind = kind;
  point->index = index;
  switch (kind)
    {
    case MT_FOCUS_LINE:
      mt_rule_view_set_assignment (self->view, index, point->set);
      break;
    case MT_FOCUS_TERM:
      mt_rule_view_set_term (self->view, self->form, index, point->set);
      break;
    case MT_FOCUS_NODE:
      mt_rule_view_set_node (self->view, index, point->set);
      break;
    case MT_FOCUS_EDGE:
      mt_rule_view_set_line (self->view, index, point->set);
      break;
    case MT_FOCUS_PATH:
      mt_rule_view_set_path (self->view, index, point->set);
      break;
    case MT_FOCUS_ROW:
      mt_rule_view_set_assignment (self->view, mt_rule_view_get_pattern (self->view, index), point->set);
      break;
    case MT_FOCUS_NONE:
    default:
      break;
    }
}

static const Point *
lit_point (MtRuleFocus *self)
{
  return self->hovered.kind != MT_FOCUS_NONE ? &self->hovered : &self->selected;
}

/* --- what is pointed at --- */

void
mt_rule_focus_set_view (MtRuleFocus *self,
                        MtRuleView  *view)
{
  g_return_if_fail (MT_IS_RULE_FOCUS (self));

  if (view == self->view)
    return;
  self->selected.kind = self->hovered.kind = MT_FOCUS_NONE;
  g_clear_pointer (&self->selected.set, g_free);
  g_clear_pointer (&self->hovered.set, g_free);
  g_clear_pointer (&self->view, mt_rule_view_unref);
  if (view != NULL)
    {
      self->view = mt_rule_view_ref (view);
      self->selected.set = g_new0 (guint64, mt_rule_view_get_n_words (view));
      self->hovered.set = g_new0 (guint64, mt_rule_view_get_n_words (view));
      if (!mt_rule_view_has_form (view, self->form))
        self->form = MT_PHRASE_DNF;
    }
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
  g_signal_emit (self, signals[CHANGED], 0);
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

MtRuleView *
mt_rule_focus_get_view (MtRuleFocus *self)
{
  return self->view;
}

void
mt_rule_focus_set_form (MtRuleFocus  *self,
                        MtPhraseForm  form)
{
  g_return_if_fail (MT_IS_RULE_FOCUS (self));

  if (form == self->form || (self->view != NULL && !mt_rule_view_has_form (self->view, form)))
    return;
  /* A term is a term of one form. */
  if (self->selected.kind == MT_FOCUS_TERM)
    mt_rule_focus_select (self, MT_FOCUS_NONE, 0);
  if (self->hovered.kind == MT_FOCUS_TERM)
    mt_rule_focus_hover (self, MT_FOCUS_NONE, 0);
  self->form = form;
  g_signal_emit (self, signals[FORM_CHANGED], 0);
}

MtPhraseForm
mt_rule_focus_get_form (MtRuleFocus *self)
{
  return self->form;
}

void
mt_rule_focus_set_words (MtRuleFocus *self,
                         gboolean     words)
{
  g_return_if_fail (MT_IS_RULE_FOCUS (self));

  if (words == self->words)
    return;
  self->words = words;
  g_signal_emit (self, signals[FORM_CHANGED], 0);
}

gboolean
mt_rule_focus_get_words (MtRuleFocus *self)
{
  return self->words;
}

void
mt_rule_focus_select (MtRuleFocus *self,
                      MtFocusKind  kind,
                      guint32      index)
{
  g_return_if_fail (MT_IS_RULE_FOCUS (self));

  if (self->view == NULL || point_is (&self->selected, kind, index))
    return;
  point_to (self, &self->selected, kind, index);
  g_signal_emit (self, signals[CHANGED], 0);
  g_signal_emit (self, signals[SELECTION_CHANGED], 0);
}

void
mt_rule_focus_toggle (MtRuleFocus *self,
                      MtFocusKind  kind,
                      guint32      index)
{
  g_return_if_fail (MT_IS_RULE_FOCUS (self));

  mt_rule_focus_select (self, point_is (&self->selected, kind, index) ? MT_FOCUS_NONE : kind, index);
}

void
mt_rule_focus_hover (MtRuleFocus *self,
                     MtFocusKind  kind,
                     guint32      index)
{
  g_return_if_fail (MT_IS_RULE_FOCUS (self));

  if (self->view == NULL || point_is (&self->hovered, kind, index))
    return;
  point_to (self, &self->hovered, kind, index);
  g_signal_emit (self, signals[CHANGED], 0);
}

MtFocusKind
mt_rule_focus_get_selected (MtRuleFocus *self,
                            guint32     *index)
{
  if (index != NULL)
    *index = self->selected.index;
  return self->selected.kind;
}

MtFocusKind
mt_rule_focus_get_hovered (MtRuleFocus *self,
                           guint32     *index)
{
  if (index != NULL)
    *index = self->hovered.index;
  return self->hovered.kind;
}

const guint64 *
mt_rule_focus_get_selection (MtRuleFocus *self)
{
  return self->selected.kind != MT_FOCUS_NONE ? self->selected.set : NULL;
}

const guint64 *
mt_rule_focus_get_lit (MtRuleFocus *self)
{
  const Point *point = lit_point (self);

  return point->kind != MT_FOCUS_NONE ? point->set : NULL;
}

gboolean
mt_rule_focus_lights_line (MtRuleFocus *self,
                           guint32      assignment)
{
  const guint64 *lit = mt_rule_focus_get_lit (self);

  return lit != NULL && mt_truth_table_get (lit, assignment);
}

/* Other terms that share a line with the one pointed at stay dark. */
gboolean
mt_rule_focus_lights_term (MtRuleFocus *self,
                           guint        term)
{
  const Point *point = lit_point (self);

  if (point->kind == MT_FOCUS_NONE)
    return FALSE;
  if (point->kind == MT_FOCUS_TERM)
    return point->index == term;
  return mt_rule_view_lights_term (self->view, point->set, self->form, term);
}

gboolean
mt_rule_focus_lights_row (MtRuleFocus *self,
                          gsize        row)
{
  const Point *point = lit_point (self);

  if (point->kind == MT_FOCUS_NONE)
    return FALSE;
  if (point->kind == MT_FOCUS_ROW)
    return point->index == row;
  return mt_truth_table_get (point->set, mt_rule_view_get_pattern (self->view, row));
}

/* --- object --- */

static void
mt_rule_focus_finalize (GObject *object)
{
  MtRuleFocus *self = MT_RULE_FOCUS (object);

  g_clear_pointer (&self->view, mt_rule_view_unref);
  g_free (self->selected.set);
  g_free (self->hovered.set);
  G_OBJECT_CLASS (mt_rule_focus_parent_class)->finalize (object);
}

static void
mt_rule_focus_class_init (MtRuleFocusClass *klass)
{
  static const char * const names[N_SIGNALS] = { "view-changed", "form-changed", "changed", "selection-changed" };

  G_OBJECT_CLASS (klass)->finalize = mt_rule_focus_finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
}

static void
mt_rule_focus_init (MtRuleFocus *self)
{
}

MtRuleFocus *
mt_rule_focus_new (void)
{
  return g_object_new (MT_TYPE_RULE_FOCUS, NULL);
}
