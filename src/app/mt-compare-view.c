#include "config.h"
#include "mt-compare-view.h"

#include <glib/gi18n.h>

#include "mt-compare-panel.h"
#include "mt-difference-table.h"
#include "mt-match-table.h"

struct _MtCompareView {
  AdwBin             parent_instance;

  /* template children */
  GtkStack          *stack;
  GtkDropDown       *other;
  MtComparePanel    *panel;
  GtkLabel          *rules_note;
  GtkDropDown       *kinds;
  MtMatchTable      *matches;
  GtkLabel          *rows_note;
  MtDifferenceTable *differences;

  MtStudy           *study;
  GPtrArray         *choices;      /* of MtFrontierItem: those of the menu */
  gboolean           choosing;     /* the menu is told what the study says */
};

static guint open_row_signal;

G_DEFINE_FINAL_TYPE (MtCompareView, mt_compare_view, ADW_TYPE_BIN)

/* --- which two --- */

/* "15 literals, 0.923 ± 0.010" */
static char *
describe_point (MtFrontierItem *item)
{
  const MtFrontierPoint *point = mt_frontier_item_get_point (item);
  g_autofree char *literals = g_strdup_printf (ngettext ("%u literal", "%u literals", point->complexity),
                                               point->complexity);
  g_autofree char *quality = mt_frontier_point_format (point);

  if (mt_frontier_item_is_recommended (item))
    /* Translators: a model of the frontier: its literals, then its quality */
    return g_strdup_printf (_("%s, %s, recommended"), literals, quality);
  return g_strdup_printf ("%s, %s", literals, quality);
}

/* Every model but the one on show. */
static GPtrArray *
list_choices (MtCompareView *self)
{
  GListModel *points = mt_study_get_points (self->study);
  GPtrArray *choices = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);

      if (item != mt_study_get_selected (self->study) && mt_frontier_item_get_point (item)->rules != NULL)
        g_ptr_array_add (choices, g_steal_pointer (&item));
    }
  return choices;
}

static gboolean
are_same (const GPtrArray *a,
          const GPtrArray *b)
{
  gboolean same = a->len == b->len;

  for (guint i = 0; i < a->len && same; i++)
    same = a->pdata[i] == b->pdata[i];
  return same;
}

/* The menu is made anew only when it says something else: it may be what is being clicked. */
static void
show_choices (MtCompareView *self)
{
  g_autoptr (GPtrArray) choices = list_choices (self);
  guint chosen;

  self->choosing = TRUE;
  if (!are_same (choices, self->choices))
    {
      g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

      for (guint i = 0; i < choices->len; i++)
        {
          g_autofree char *name = describe_point (choices->pdata[i]);

          gtk_string_list_append (names, name);
        }
      g_ptr_array_unref (self->choices);
      self->choices = g_ptr_array_ref (choices);
      gtk_drop_down_set_model (self->other, G_LIST_MODEL (names));
    }
  if (!g_ptr_array_find (self->choices, mt_study_get_compared (self->study), &chosen))
    chosen = GTK_INVALID_LIST_POSITION;
  if (gtk_drop_down_get_selected (self->other) != chosen)
    gtk_drop_down_set_selected (self->other, chosen);
  self->choosing = FALSE;
}

static void
show_models (MtCompareView *self)
{
  MtFitted *fitted = mt_study_get_fitted (self->study);
  MtFrontierItem *a = mt_study_get_selected (self->study), *b = mt_study_get_compared (self->study);
  gboolean regression = fitted != NULL && mt_target_get_task (fitted->basis->target) == MT_TASK_REGRESSION;

  mt_match_table_show (self->matches, NULL);
  mt_difference_table_show (self->differences, NULL);
  gtk_label_set_label (self->rules_note, "");
  gtk_label_set_label (self->rows_note, "");
  if (fitted == NULL || b == NULL || b == a)
    a = b = NULL;
  mt_compare_panel_show (self->panel, a, b, regression ? "R²" : "AUC");
  gtk_stack_set_visible_child_name (self->stack, b != NULL ? "both" : "none");
}

/* Only while somebody looks: walking along the frontier stays quick. */
static void
refresh (MtCompareView *self)
{
  if (self->study == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  show_choices (self);
  show_models (self);
}

static void
on_compared (MtCompareView *self)
{
  MtComparing *comparing = mt_compare_panel_get_comparing (self->panel);
  g_autofree char *rules = NULL;
  g_autofree char *rows = NULL;

  if (comparing == NULL)
    return;
  mt_match_table_show (self->matches, comparing);
  mt_difference_table_show (self->differences, comparing);
  rules = mt_match_table_dup_summary (self->matches);
  rows = mt_difference_table_dup_summary (self->differences);
  gtk_label_set_label (self->rules_note, rules);
  gtk_label_set_label (self->rows_note, rows);
}

static void
on_other (MtCompareView *self)
{
  guint chosen = gtk_drop_down_get_selected (self->other);

  if (!self->choosing && chosen < self->choices->len)
    mt_study_set_compared (self->study, self->choices->pdata[chosen]);
}

static void
on_kind (MtCompareView *self)
{
  guint chosen = gtk_drop_down_get_selected (self->kinds);

  mt_match_table_set_kind (self->matches, chosen == 0 || chosen > MT_N_MATCHES ? MT_N_MATCHES
                                                                                : (MtMatchKind) (chosen - 1));
}

/* The other becomes the model on show. */
static void
on_swap (MtCompareView *self)
{
  MtFrontierItem *a = mt_study_get_selected (self->study), *b = mt_study_get_compared (self->study);

  if (a == NULL || b == NULL)
    return;
  g_object_ref (a);
  mt_study_set_selected (self->study, b);
  mt_study_set_compared (self->study, a);
  g_object_unref (a);
}

static void
on_row (MtCompareView *self,
        guint          row)
{
  g_signal_emit (self, open_row_signal, 0, row);
}

void
mt_compare_view_set_study (MtCompareView *self,
                           MtStudy       *study)
{
  g_return_if_fail (MT_IS_COMPARE_VIEW (self) && self->study == NULL);

  self->study = g_object_ref (study);
  g_signal_connect_object (study, "notify::fitted", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "notify::compared", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (mt_study_get_points (study), "items-changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
}

gboolean
mt_compare_view_is_busy (MtCompareView *self)
{
  return mt_compare_panel_is_busy (self->panel);
}

/* --- object --- */

static void
mt_compare_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (mt_compare_view_parent_class)->map (widget);
  refresh (MT_COMPARE_VIEW (widget));
}

static void
mt_compare_view_dispose (GObject *object)
{
  MtCompareView *self = MT_COMPARE_VIEW (object);

  g_clear_object (&self->study);
  g_clear_pointer (&self->choices, g_ptr_array_unref);
  G_OBJECT_CLASS (mt_compare_view_parent_class)->dispose (object);
}

static void
mt_compare_view_class_init (MtCompareViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_compare_view_dispose;
  widget_class->map = mt_compare_view_map;
  open_row_signal = g_signal_new ("open-row", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_UINT);
  g_type_ensure (MT_TYPE_COMPARE_PANEL);
  g_type_ensure (MT_TYPE_DIFFERENCE_TABLE);
  g_type_ensure (MT_TYPE_MATCH_TABLE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-compare-view.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtCompareView, child)
  BIND (stack);
  BIND (other);
  BIND (panel);
  BIND (rules_note);
  BIND (kinds);
  BIND (matches);
  BIND (rows_note);
  BIND (differences);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, on_compared);
  gtk_widget_class_bind_template_callback (widget_class, on_other);
  gtk_widget_class_bind_template_callback (widget_class, on_kind);
  gtk_widget_class_bind_template_callback (widget_class, on_swap);
  gtk_widget_class_bind_template_callback (widget_class, on_row);
}

static void
mt_compare_view_init (MtCompareView *self)
{
  self->choices = g_ptr_array_new_with_free_func (g_object_unref);
  gtk_widget_init_template (GTK_WIDGET (self));
}
