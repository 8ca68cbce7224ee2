/* One rule four linked ways: formula, truth table, decision diagram, data rows. See mt-rule-inspector.h. */
#include "config.h"
#include "mt-rule-inspector.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-diagram-view.h"
#include "mt-effect-pane.h"
#include "util/mt-format.h"
#include "mt-formula-view.h"
#include "mt-rows-view.h"
#include "util/mt-list-tab-behavior.h"
#include "mt-truth-view.h"

#define SMALL_INPUTS 6         /* up to here a rule is taken apart at once … */
#define SMALL_ROWS   300000    /* … if it has no more rows than this */
#define SIDE_BY_SIDE 560       /* pixels that table and diagram want beside each other */

struct _MtRuleInspector {
  AdwBin            parent_instance;

  /* template children */
  GtkStack         *stack;
  GtkToggleButton  *forms[MT_N_PHRASE_FORMS];
  GtkToggleButton  *words;
  GtkToggleButton  *grouped;
  GtkToggleButton  *shares;
  MtFormulaView    *formula;
  GtkLabel         *formula_note;
  GtkLabel         *formula_below; /* the notes, where there is no room beside a title */
  GtkBox           *pair;
  MtTruthView      *truth;
  GtkLabel         *truth_note;
  GtkLabel         *truth_below;
  GtkToggleButton  *network;
  GtkLabel         *origin_note;
  MtDiagramView    *diagram;
  GtkLabel         *zoom;
  GtkLabel         *rows_title;
  GtkLabel         *rows_note;
  GtkLabel         *rows_below;
  GtkStack         *rows_stack;
  MtRowsView       *rows;
  GtkButton        *show_data;
  MtEffectPane     *effect;
  AdwStatusPage    *other;

  MtRuleFocus      *focus;
  MtTermItem       *item;
  GCancellable     *working;      /* a large rule is being taken apart; NULL: none */
  gboolean          stacked;
  guint             placing;
};

static guint show_rows_signal, open_row_signal;

G_DEFINE_FINAL_TYPE (MtRuleInspector, mt_rule_inspector, ADW_TYPE_BIN)

/* --- what is next to the views --- */

/* Beside the title, or below it where that would cut it: in a narrow window, and of many classes. */
static void
place_note (MtRuleInspector *self,
            GtkLabel        *beside,
            GtkLabel        *below)
{
  const char *text = gtk_label_get_label (below);
  gboolean many = beside == self->rows_note && self->item != NULL &&
                  mt_rule_book_get_n_classes (mt_term_item_get_book (self->item)) > 2;

  gtk_label_set_label (beside, self->stacked || many ? "" : text);
  gtk_widget_set_visible (GTK_WIDGET (below), (self->stacked || many) && *text != '\0');
}

static void
set_note (MtRuleInspector *self,
          GtkLabel        *beside,
          GtkLabel        *below,
          const char      *text)
{
  gtk_label_set_label (below, text);
  place_note (self, beside, below);
}

static void
show_formula_note (MtRuleInspector *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  MtPhraseForm form = mt_rule_focus_get_form (self->focus);
  guint n;
  g_autofree char *literals = NULL;
  g_autofree char *text = NULL;

  if (view == NULL)
    return;
  n = mt_rule_view_get_n_literals (view, form);
  literals = g_strdup_printf (ngettext ("%u literal", "%u literals", n), n);
  text = g_strdup_printf ("%s · %s", literals, mt_rule_view_get_proven (view, form)
                          ? _("proven minimal") : _("not proven minimal"));
  set_note (self, self->formula_note, self->formula_below, text);
  for (guint f = 0; f < MT_N_PHRASE_FORMS; f++)
    {
      gtk_widget_set_visible (GTK_WIDGET (self->forms[f]), mt_rule_view_has_form (view, (MtPhraseForm) f));
      if ((MtPhraseForm) f == form)
        gtk_toggle_button_set_active (self->forms[f], TRUE);
    }
}

/* "4 impossible · 2 unseen"; takes @part. */
static void
add_part (GString *text,
          guint    n,
          char    *part)
{
  if (n > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", part);
  g_free (part);
}

static void
show_truth_note (MtRuleInspector *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n;

  if (view == NULL)
    return;
  n = mt_rule_view_count_marks (view, MT_ROW_IMPOSSIBLE);
  add_part (text, n, g_strdup_printf (ngettext ("%u impossible", "%u impossible", n), n));
  n = mt_rule_view_count_marks (view, MT_ROW_UNSEEN);
  add_part (text, n, g_strdup_printf (ngettext ("%u unseen", "%u unseen", n), n));
  n = mt_rule_view_count_marks (view, MT_ROW_NEUTRAL);
  add_part (text, n, g_strdup_printf (ngettext ("%u neutral", "%u neutral", n), n));
  n = mt_rule_view_count_marks (view, MT_ROW_REFINED);
  /* Translators: lines of a truth table whose outcome was set again after training */
  add_part (text, n, g_strdup_printf (ngettext ("%u reoptimized ↻", "%u reoptimized ↻", n), n));
  set_note (self, self->truth_note, self->truth_below, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->grouped), mt_rule_view_get_n_terms (view, MT_PHRASE_DNF) > 1);
}

/* "+0.81 Age ≥ 55  −0.40 Chest pain = ASY" */
static char *
describe_weights (MtRuleView     *view,
                  const MtOrigin *origin)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (mt_rule_view_get_book (view));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < mt_origin_get_n_inputs (origin); i++)
    {
      g_autofree char *weight = mt_format_weight (mt_origin_get_weights (origin)[i]);
      g_autofree char *literal = mt_encoder_dup_literal_text (encoder, mt_origin_get_inputs (origin)[i], FALSE);

      g_string_append_printf (text, "%s%s · %s", i > 0 ? ",  " : "", weight, literal);
    }
  return g_string_free (text, FALSE);
}

/* What happened to it since; "" for nothing. */
static const char *
describe_changes (const MtOrigin *origin)
{
  switch ((guint) mt_origin_get_changes (origin))
    {
    case MT_CHANGED_BY_GRADIENT:
      return _(" It was changed when the rules were trained as a network.");
    case MT_CHANGED_BY_EXCHANGE:
      return _(" Exchanges replaced or added conditions at equal size.");
    case MT_CHANGED_BY_GRADIENT | MT_CHANGED_BY_EXCHANGE:
      return _(" It was changed when the rules were trained as a network; then exchanges replaced or added "
               "conditions at equal size.");
    default:
      return "";
    }
}

static char *
describe_kind (MtRuleView *view)
{
  const MtOrigin *origin = mt_rule_get_origin (mt_rule_view_get_rule (view));

  if (origin == NULL && mt_rule_get_n_inputs (mt_rule_view_get_rule (view)) == 1)
    return g_strdup (_("A single condition. Networks give each condition a weight of its own, so no node is "
                       "recorded for it."));
  if (origin == NULL)
    return g_strdup (_("The network node that this rule started as is not recorded."));
  switch (mt_origin_get_kind (origin))
    {
    case MT_ORIGIN_NODE:
      {
        g_autofree char *weights = describe_weights (view, origin);
        g_autofree char *threshold = mt_format_short (mt_origin_get_threshold (origin));

        /* Translators: weights with their literals, then a number */
        return g_strdup_printf (_("Network node: %s. Its output was 1 where this sum exceeds %s."), weights,
                                threshold);
      }
    case MT_ORIGIN_DEEP:
      return g_strdup (_("Started as a deep network node, defined by a truth table instead of weights."));
    case MT_ORIGIN_EDIT:
      return g_strdup (_("Edited manually; the original network node no longer applies."));
    case MT_ORIGIN_SCAN:
    default:
      return g_strdup (_("Found by a search of the training rows themselves."));
    }
}

static char *
describe_origin (MtRuleView *view)
{
  const MtOrigin *origin = mt_rule_get_origin (mt_rule_view_get_rule (view));
  g_autofree char *kind = describe_kind (view);

  return g_strconcat (kind, origin != NULL ? describe_changes (origin) : "", NULL);
}

static void
show_origin (MtRuleInspector *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  const MtOrigin *origin = view != NULL ? mt_rule_get_origin (mt_rule_view_get_rule (view)) : NULL;
  gboolean was_node = origin != NULL && mt_origin_is_node (origin);
  g_autofree char *text = view != NULL ? describe_origin (view) : NULL;

  gtk_label_set_label (self->origin_note, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->network), was_node);
  mt_truth_view_set_network (self->truth, was_node && gtk_toggle_button_get_active (self->network));
}

static void
on_network_toggled (MtRuleInspector *self)
{
  show_origin (self);
}

/* "84% yes, lift 1.6" or "mean 9.2, elsewhere 7.1" of the rows listed. */
static char *
describe_mix (MtRuleView    *view,
              const guint64 *set)
{
  MtRuleBook *book = mt_rule_view_get_book (view);
  gsize n = mt_rule_view_count_rows (view, set);
  GString *text;

  if (n == 0)
    return g_strdup ("");
  if (mt_rule_book_get_n_classes (book) == 0)
    {
      double average = mt_rule_view_average (view, set);
      gsize n_rest = mt_rule_book_get_n_rows (book) - n;
      g_autofree char *mean = mt_format_target (book, average);
      g_autofree char *rest = NULL;

      if (n_rest == 0)
        /* Translators: of the rows listed */
        return g_strdup_printf (_("mean %s"), mean);
      rest = mt_format_target (book, (mt_rule_book_get_mean (book) * (double) mt_rule_book_get_n_rows (book) -
                                      average * (double) n) / (double) n_rest);
      /* Translators: of the rows listed, and of all others */
      return g_strdup_printf (_("mean %s, elsewhere %s"), mean, rest);
    }
  text = g_string_new (NULL);
  for (guint c = mt_rule_book_get_n_classes (book) == 2 ? 1 : 0; c < mt_rule_book_get_n_classes (book); c++)
    {
      gsize hits = mt_rule_view_count_class (view, set, c);
      gsize all = mt_rule_book_get_class_rows (book)[c];
      double rate = (double) hits / (double) n;
      g_autofree char *share = mt_format_rate (rate);
      g_autofree char *outcome = mt_format_outcome (book, c);
      g_autofree char *lift = all > 0 ? mt_format_fixed (rate * (double) mt_rule_book_get_n_rows (book) / (double) all, 2)
                                      : NULL;

      if (hits > 0)
        {
          /* Translators: a share of rows, the class they have, and how many times that is its share of all rows */
          g_autofree char *each = g_strdup_printf (_("%s\u00a0%s, lift\u00a0%s"), share, outcome, lift);

          g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", each);
        }
    }
  g_string_replace (text, " %", "\u00a0%", 0);
  return g_string_free (text, FALSE);
}

static void
show_rows_title (MtRuleInspector *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  const guint64 *set = mt_rule_focus_get_selection (self->focus);
  g_autofree guint64 *all = NULL;
  g_autofree char *title = NULL;
  g_autofree char *mix = NULL;

  if (view == NULL)
    return;
  if (mt_rule_focus_get_selected (self->focus, NULL) == MT_FOCUS_ROW)
    {
      gtk_widget_set_visible (GTK_WIDGET (self->show_data), TRUE);
      return;   /* the list stays as it is */
    }
  if (set == NULL)
    {
      set = all = g_new (guint64, mt_rule_view_get_n_words (view));
      mt_rule_view_set_true (view, all);
    }
  title = mt_rows_view_dup_title (self->rows);
  mix = describe_mix (view, set);
  gtk_label_set_label (self->rows_title, title);
  set_note (self, self->rows_note, self->rows_below, mix);
  gtk_widget_set_visible (GTK_WIDGET (self->show_data), mt_rows_view_get_n_rows (self->rows) > 0);
}

static void
show_zoom (MtRuleInspector *self)
{
  g_autofree char *text = g_strdup_printf (_("%.0f%%"), mt_diagram_view_get_scale (self->diagram) * 100);

  gtk_label_set_label (self->zoom, text);
}

/* --- a rule, taken apart here or on another thread --- */

typedef struct {
  MtRuleBook      *book;
  guint            term;
  MtDiagramTexts   texts;
  MtRuleView      *view;
  MtDiagramLayout *layout;
} Work;

static void
work_free (Work *work)
{
  mt_diagram_texts_clear (&work->texts);
  g_clear_pointer (&work->view, mt_rule_view_unref);
  g_clear_pointer (&work->layout, mt_diagram_layout_free);
  mt_rule_book_unref (work->book);
  g_free (work);
}

static Work *
work_new (MtRuleInspector *self,
          MtTermItem      *item)
{
  Work *work = g_new0 (Work, 1);
  const MtRule *rule;

  work->book = mt_rule_book_ref (mt_term_item_get_book (item));
  work->term = (guint) mt_term_item_get_term (item);
  rule = mt_rule_set_get_term (mt_rule_book_get_rules (work->book), work->term)->rule;
  mt_diagram_texts_init (&work->texts, work->book, work->term, mt_rule_find_flips (rule), TRUE,
                         gtk_widget_get_pango_context (GTK_WIDGET (self->diagram)));
  return work;
}

static void
work_run (Work         *work,
          GCancellable *cancellable)
{
  work->view = mt_rule_view_new (work->book, work->term, cancellable);
  if (work->view != NULL && !g_cancellable_is_cancelled (cancellable))
    work->layout = mt_diagram_texts_layout (&work->texts, mt_rule_view_get_diagram (work->view));
}

static void
work_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  work_run (data, cancellable);
  g_task_return_boolean (task, TRUE);
}

static void
work_show (MtRuleInspector *self,
           Work            *work)
{
  gboolean has_rows = mt_rule_book_has_rows (work->book);

  mt_diagram_view_set_layout (self->diagram, NULL, NULL);
  mt_rule_focus_set_view (self->focus, work->view);
  mt_diagram_view_set_layout (self->diagram, &work->texts, g_steal_pointer (&work->layout));
  gtk_stack_set_visible_child_name (self->rows_stack, has_rows ? "rows" : "none");
  gtk_widget_set_visible (GTK_WIDGET (self->shares), has_rows);
  gtk_widget_set_visible (GTK_WIDGET (self->show_data), has_rows);
  gtk_label_set_label (self->rows_title, _("Rows"));
  set_note (self, self->rows_note, self->rows_below, "");
  show_formula_note (self);
  show_truth_note (self);
  show_origin (self);
  if (has_rows)
    show_rows_title (self);
  show_zoom (self);
  gtk_stack_set_visible_child_name (self->stack, "rule");
}

static void
on_work (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  MtRuleInspector *self = MT_RULE_INSPECTOR (source);
  Work *work = g_task_get_task_data (G_TASK (result));

  g_task_propagate_boolean (G_TASK (result), NULL);
  if (self->working == NULL || self->working != g_task_get_cancellable (G_TASK (result)))
    return;   /* another rule is wanted by now */
  g_clear_object (&self->working);
  if (work->view != NULL && work->layout != NULL)
    work_show (self, work);
}

static void
show_rule (MtRuleInspector *self,
           MtTermItem      *item)
{
  Work *work = work_new (self, item);
  const MtRule *rule = mt_rule_set_get_term (mt_rule_book_get_rules (work->book), work->term)->rule;

  if (mt_rule_get_n_inputs (rule) <= SMALL_INPUTS && mt_rule_book_get_n_rows (work->book) <= SMALL_ROWS)
    {
      work_run (work, NULL);
      work_show (self, work);
      work_free (work);
    }
  else
    {
      g_autoptr (GTask) task = NULL;

      self->working = g_cancellable_new ();
      task = g_task_new (self, self->working, on_work, NULL);
      g_task_set_check_cancellable (task, FALSE);
      g_task_set_task_data (task, work, (GDestroyNotify) work_free);
      g_task_run_in_thread (task, work_thread);
    }
}

/* --- what is no rule --- */

static void
show_intercept (MtRuleInspector *self,
                MtTermItem      *item)
{
  MtRuleBook *book = mt_term_item_get_book (item);
  g_autofree char *title = mt_term_item_dup_title (item);
  g_autofree char *weights = mt_format_weights (mt_rule_book_get_classes (book), mt_term_item_get_effects (item),
                                                mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book)));
  /* Translators: %s is a weight, or several with their classes */
  g_autofree char *text = g_strdup_printf (_("Every score starts at %s; weights that apply are added."), weights);
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_status_page_set_title (self->other, title);
  adw_status_page_set_description (self->other, escaped);
  gtk_stack_set_visible_child_name (self->stack, "other");
}

static void
show_column (MtRuleInspector *self,
             MtTermItem      *item)
{
  mt_effect_pane_show (self->effect, item);
  gtk_stack_set_visible_child_name (self->stack, "column");
}

void
mt_rule_inspector_show (MtRuleInspector *self,
                        MtTermItem      *item)
{
  g_return_if_fail (MT_IS_RULE_INSPECTOR (self));

  if (item == self->item)
    return;
  g_set_object (&self->item, item);
  if (self->working != NULL)
    g_cancellable_cancel (self->working);
  g_clear_object (&self->working);
  if (item != NULL && mt_term_item_is_rule (item))
    {
      show_rule (self, item);
      return;
    }
  mt_diagram_view_set_layout (self->diagram, NULL, NULL);
  mt_rule_focus_set_view (self->focus, NULL);
  if (item == NULL)
    gtk_stack_set_visible_child_name (self->stack, "none");
  else if (mt_term_item_get_term (item) < 0)
    show_intercept (self, item);
  else
    show_column (self, item);
}

gboolean
mt_rule_inspector_is_busy (MtRuleInspector *self)
{
  return self->working != NULL;
}

MtRuleFocus *
mt_rule_inspector_get_focus (MtRuleInspector *self)
{
  return self->focus;
}

gboolean
mt_rule_inspector_has_diagram (MtRuleInspector *self)
{
  return mt_diagram_view_get_layout (self->diagram) != NULL;
}

MtDrawing *
mt_rule_inspector_make_drawing (MtRuleInspector *self)
{
  return mt_diagram_view_make_drawing (self->diagram);
}

char *
mt_rule_inspector_dup_text (MtRuleInspector *self)
{
  g_autofree char *formula = mt_formula_view_dup_text (self->formula);
  g_autofree char *diagram = mt_diagram_view_dup_text (self->diagram);
  g_autofree char *table = mt_truth_view_dup_text (self->truth);

  if (self->item != NULL && mt_term_item_get_term (self->item) >= 0 && !mt_term_item_is_rule (self->item))
    return mt_effect_pane_dup_text (self->effect);
  return g_strdup_printf ("%s\n\n%s\n%s", formula, diagram, table);
}

/* --- controls --- */

static void
on_form_toggled (MtRuleInspector *self,
                 GtkToggleButton *button)
{
  /* The button that goes up is told first, when its form is still the rule's: to press it again would leave two down. */
  if (!gtk_toggle_button_get_active (button))
    return;
  for (guint f = 0; f < MT_N_PHRASE_FORMS; f++)
    if (button == self->forms[f])
      mt_rule_focus_set_form (self->focus, (MtPhraseForm) f);
  show_formula_note (self);
}

static void
on_words_toggled (MtRuleInspector *self)
{
  mt_rule_focus_set_words (self->focus, gtk_toggle_button_get_active (self->words));
}

static void
on_grouped_toggled (MtRuleInspector *self)
{
  mt_truth_view_set_grouped (self->truth, gtk_toggle_button_get_active (self->grouped));
}

static void
on_shares_toggled (MtRuleInspector *self)
{
  mt_diagram_view_set_shares (self->diagram, gtk_toggle_button_get_active (self->shares));
}

static void
on_zoom_in (MtRuleInspector *self)
{
  mt_diagram_view_zoom (self->diagram, 1.25);
}

static void
on_zoom_out (MtRuleInspector *self)
{
  mt_diagram_view_zoom (self->diagram, 0.8);
}

static void
on_zoom_fit (MtRuleInspector *self)
{
  mt_diagram_view_zoom (self->diagram, 0);
}

/* The rows listed, at the one picked or else the first. */
static void
on_show_data (MtRuleInspector *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  const guint *numbers;
  g_autoptr (GArray) rows = NULL;
  g_autofree char *rule = NULL;
  g_autofree char *title = NULL;
  guint32 row = 0;

  if (view == NULL || self->item == NULL || mt_rows_view_get_n_rows (self->rows) == 0)
    return;
  if (mt_rule_focus_get_selected (self->focus, &row) != MT_FOCUS_ROW)
    row = mt_rows_view_get_row (self->rows, 0);
  numbers = mt_rule_book_get_row_numbers (mt_rule_view_get_book (view));
  rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < mt_rows_view_get_n_rows (self->rows); i++)
    {
      guint32 number = numbers[mt_rows_view_get_row (self->rows, i)];

      g_array_append_val (rows, number);
    }
  rule = mt_term_item_dup_title (self->item);
  /* Translators: name of a rule, what holds for the rows: "Rule 3: 40 training rows satisfy the rule" */
  title = g_strdup_printf (_("%s: %s"), rule, gtk_label_get_label (self->rows_title));
  g_signal_emit (self, show_rows_signal, 0, rows, title, numbers[row]);
}

static void
on_row_activated (MtRuleInspector *self,
                  guint            row)
{
  g_signal_emit (self, open_row_signal, 0, row);
}

/* --- size --- */

static gboolean
place_pair (gpointer data)
{
  MtRuleInspector *self = data;

  self->placing = 0;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->pair), self->stacked ? GTK_ORIENTATION_VERTICAL
                                                                             : GTK_ORIENTATION_HORIZONTAL);
  place_note (self, self->formula_note, self->formula_below);
  place_note (self, self->truth_note, self->truth_below);
  place_note (self, self->rows_note, self->rows_below);
  gtk_label_set_wrap (self->rows_title, self->stacked);
  return G_SOURCE_REMOVE;
}

static void
mt_rule_inspector_measure (GtkWidget      *widget,
                           GtkOrientation  orientation,
                           int             for_size,
                           int            *minimum,
                           int            *natural,
                           int            *minimum_baseline,
                           int            *natural_baseline)
{
  gtk_widget_measure (adw_bin_get_child (ADW_BIN (widget)), orientation, for_size, minimum, natural, minimum_baseline,
                      natural_baseline);
}

static void
mt_rule_inspector_size_allocate (GtkWidget *widget,
                                 int        width,
                                 int        height,
                                 int        baseline)
{
  MtRuleInspector *self = MT_RULE_INSPECTOR (widget);
  gboolean stacked = width < SIDE_BY_SIDE;

  gtk_widget_allocate (adw_bin_get_child (ADW_BIN (widget)), width, height, baseline, NULL);
  if (stacked != self->stacked)
    {
      self->stacked = stacked;
      if (self->placing == 0)
        self->placing = g_idle_add_full (G_PRIORITY_HIGH_IDLE, place_pair, self, NULL);
    }
}

/* --- object --- */

static void
mt_rule_inspector_dispose (GObject *object)
{
  MtRuleInspector *self = MT_RULE_INSPECTOR (object);

  if (self->working != NULL)
    g_cancellable_cancel (self->working);
  g_clear_object (&self->working);
  g_clear_handle_id (&self->placing, g_source_remove);
  g_clear_object (&self->item);
  g_clear_object (&self->focus);
  G_OBJECT_CLASS (mt_rule_inspector_parent_class)->dispose (object);
}

static void
mt_rule_inspector_class_init (MtRuleInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_rule_inspector_dispose;
  widget_class->measure = mt_rule_inspector_measure;
  widget_class->size_allocate = mt_rule_inspector_size_allocate;
  show_rows_signal = g_signal_new ("show-rows", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_ARRAY,
                                   G_TYPE_STRING, G_TYPE_UINT);
  open_row_signal = g_signal_new ("open-row", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  g_type_ensure (MT_TYPE_FORMULA_VIEW);
  g_type_ensure (MT_TYPE_TRUTH_VIEW);
  g_type_ensure (MT_TYPE_DIAGRAM_VIEW);
  g_type_ensure (MT_TYPE_ROWS_VIEW);
  g_type_ensure (MT_TYPE_EFFECT_PANE);
  g_type_ensure (MT_TYPE_LIST_TAB_BEHAVIOR);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-rule-inspector.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtRuleInspector, child)
#define BIND_FORM(name, index) \
  gtk_widget_class_bind_template_child_full (widget_class, name, FALSE, \
                                             G_STRUCT_OFFSET (MtRuleInspector, forms[index]))
  BIND (stack);
  BIND_FORM ("dnf", MT_PHRASE_DNF);
  BIND_FORM ("cnf", MT_PHRASE_CNF);
  BIND_FORM ("xor", MT_PHRASE_XOR);
  BIND (words);
  BIND (grouped);
  BIND (shares);
  BIND (formula);
  BIND (formula_note);
  BIND (formula_below);
  BIND (pair);
  BIND (truth);
  BIND (truth_note);
  BIND (truth_below);
  BIND (network);
  BIND (origin_note);
  BIND (diagram);
  BIND (zoom);
  BIND (rows_title);
  BIND (rows_note);
  BIND (rows_below);
  BIND (rows_stack);
  BIND (rows);
  BIND (show_data);
  BIND (effect);
  BIND (other);
#undef BIND_FORM
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, on_form_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_words_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_grouped_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_network_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_shares_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_in);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_out);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_fit);
  gtk_widget_class_bind_template_callback (widget_class, on_show_data);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
}

static void
mt_rule_inspector_init (MtRuleInspector *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);   /* the width decides what stands where */
  self->focus = mt_rule_focus_new ();
  mt_formula_view_set_focus (self->formula, self->focus);
  mt_truth_view_set_focus (self->truth, self->focus);
  mt_diagram_view_set_focus (self->diagram, self->focus);
  mt_rows_view_set_focus (self->rows, self->focus);
  g_signal_connect_object (self->focus, "selection-changed", G_CALLBACK (show_rows_title), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->diagram, "zoomed", G_CALLBACK (show_zoom), self, G_CONNECT_SWAPPED);
}
