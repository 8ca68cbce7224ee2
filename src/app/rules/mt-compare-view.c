/* The model on show (A) next to another of the frontier (B): how good and how large they are, which rules
 * they share with the weights in both, and the rows that they see differently. See mt-compare-view.h. */
#include "config.h"
#include "mt-compare-view.h"

#include <glib/gi18n.h>

#include "widgets/mt-compare-panel.h"
#include "mt-difference-table.h"
#include "mt-match-table.h"

struct _MtCompareView {
  AdwBin             parent_instance;

  /* template children */
  GtkStack          *stack;
  GtkDropDown       *base;
  GtkDropDown       *other;
  GtkLabel          *whose;        /* rules the list has, where these are not A's */
  MtComparePanel    *panel;
  GtkLabel          *rules_note;
  GtkDropDown       *kinds;
  MtMatchTable      *matches;
  GtkLabel          *rows_note;
  MtDifferenceTable *differences;

  MtStudy           *study;
  GPtrArray         *choices[2];   /* of MtFrontierItem: those of the menus, A's and B's */
  MtFrontierItem    *marked;       /* as the selected one in both; borrowed, only compared */
  gboolean           choosing;     /* the menus are being set to what the study says */
};

static guint open_row_signal;

G_DEFINE_FINAL_TYPE (MtCompareView, mt_compare_view, ADW_TYPE_BIN)

/* --- which two --- */

/* "15 literals, 0.923 ± 0.010" */
static char *
describe_point (MtCompareView  *self,
                MtFrontierItem *item)
{
  const MtFrontierPoint *point = mt_frontier_item_get_point (item);
  g_autofree char *literals = g_strdup_printf (ngettext ("%u literal", "%u literals", point->complexity),
                                               point->complexity);
  g_autofree char *quality = mt_frontier_point_format (point);
  gboolean selected = item == mt_study_get_selected (self->study);

  if (mt_frontier_item_is_recommended (item))
    /* Translators: a model of the frontier: its literals, then its quality */
    return selected ? g_strdup_printf (_("%s, %s, recommended, selected"), literals, quality)
                    : g_strdup_printf (_("%s, %s, recommended"), literals, quality);
  /* Translators: a model of the frontier: its literals, then its quality */
  return selected ? g_strdup_printf (_("%s, %s, selected"), literals, quality)
                  : g_strdup_printf ("%s, %s", literals, quality);
}

/* Every model but the one on the other side. */
static GPtrArray *
list_choices (MtCompareView  *self,
              MtFrontierItem *other)
{
  GListModel *points = mt_study_get_points (self->study);
  GPtrArray *choices = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (points); i++)
    {
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, i);

      if (item != other && mt_frontier_item_get_point (item)->rules != NULL)
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

/* A menu is made again only when its contents change: it may be what is being clicked. */
static void
show_menu (MtCompareView  *self,
           guint           side,
           MtFrontierItem *chosen,
           MtFrontierItem *other)
{
  GtkDropDown *menu = side == 0 ? self->base : self->other;
  g_autoptr (GPtrArray) choices = list_choices (self, other);
  guint place;

  if (!are_same (choices, self->choices[side]) || self->marked != mt_study_get_selected (self->study))
    {
      g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

      for (guint i = 0; i < choices->len; i++)
        {
          g_autofree char *name = describe_point (self, choices->pdata[i]);

          gtk_string_list_append (names, name);
        }
      g_ptr_array_unref (self->choices[side]);
      self->choices[side] = g_ptr_array_ref (choices);
      gtk_drop_down_set_model (menu, G_LIST_MODEL (names));
    }
  if (!g_ptr_array_find (choices, chosen, &place))
    place = GTK_INVALID_LIST_POSITION;
  if (gtk_drop_down_get_selected (menu) != place)
    gtk_drop_down_set_selected (menu, place);
}

static void
show_choices (MtCompareView *self)
{
  MtFrontierItem *a = mt_study_get_base (self->study), *b = mt_study_get_compared (self->study);
  MtFrontierItem *selected = mt_study_get_selected (self->study);

  self->choosing = TRUE;
  show_menu (self, 0, a, b);
  show_menu (self, 1, b, a);
  self->marked = selected;
  self->choosing = FALSE;
  gtk_label_set_label (self->whose, selected == b ? _("Model B is selected; the list shows its rules.")
                                    : _("Neither A nor B is selected; the list shows the rules of the selected "
                                        "model."));
  gtk_widget_set_visible (GTK_WIDGET (self->whose), b != NULL && selected != NULL && selected != a);
}

static void
show_models (MtCompareView *self)
{
  MtSelectedModel *fitted = mt_study_get_fitted (self->study);
  MtFrontierItem *a = mt_study_get_base (self->study), *b = mt_study_get_compared (self->study);
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
  MtCompareOperation *comparing = mt_compare_panel_get_comparing (self->panel);
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

static MtFrontierItem *
get_chosen (MtCompareView *self,
            guint          side)
{
  guint chosen = gtk_drop_down_get_selected (side == 0 ? self->base : self->other);

  return !self->choosing && chosen < self->choices[side]->len ? self->choices[side]->pdata[chosen] : NULL;
}

static void
on_base (MtCompareView *self)
{
  MtFrontierItem *chosen = get_chosen (self, 0);

  if (chosen != NULL)
    mt_study_compare (self->study, chosen, mt_study_get_compared (self->study));
}

static void
on_other (MtCompareView *self)
{
  MtFrontierItem *chosen = get_chosen (self, 1);

  if (chosen != NULL)
    mt_study_set_compared (self->study, chosen);
}

static void
on_kind (MtCompareView *self)
{
  guint chosen = gtk_drop_down_get_selected (self->kinds);

  mt_match_table_set_kind (self->matches, chosen == 0 || chosen > MT_N_MATCHES ? MT_N_MATCHES
                                                                                : (MtMatchKind) (chosen - 1));
}

/* Of the comparison only: which model is selected is another matter. */
static void
on_swap (MtCompareView *self)
{
  MtFrontierItem *a = mt_study_get_base (self->study), *b = mt_study_get_compared (self->study);

  if (a != NULL && b != NULL)
    mt_study_compare (self->study, b, a);
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

/* --- the menus --- */

static void
setup_choice (GtkSignalListItemFactory *factory,
              GtkListItem              *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_list_item_set_child (item, label);
}

static void
bind_choice (GtkSignalListItemFactory *factory,
             GtkListItem              *item)
{
  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)),
                       gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

/* In little room over two lines. */
static void
let_wrap (GtkDropDown *menu)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_choice), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_choice), NULL);
  gtk_drop_down_set_factory (menu, factory);
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
  g_clear_pointer (&self->choices[0], g_ptr_array_unref);
  g_clear_pointer (&self->choices[1], g_ptr_array_unref);
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
  BIND (base);
  BIND (other);
  BIND (whose);
  BIND (panel);
  BIND (rules_note);
  BIND (kinds);
  BIND (matches);
  BIND (rows_note);
  BIND (differences);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, on_compared);
  gtk_widget_class_bind_template_callback (widget_class, on_base);
  gtk_widget_class_bind_template_callback (widget_class, on_other);
  gtk_widget_class_bind_template_callback (widget_class, on_kind);
  gtk_widget_class_bind_template_callback (widget_class, on_swap);
  gtk_widget_class_bind_template_callback (widget_class, on_row);
}

static void
mt_compare_view_init (MtCompareView *self)
{
  for (guint side = 0; side < 2; side++)
    self->choices[side] = g_ptr_array_new_with_free_func (g_object_unref);
  gtk_widget_init_template (GTK_WIDGET (self));
  let_wrap (self->base);
  let_wrap (self->other);
}
