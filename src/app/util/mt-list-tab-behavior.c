/* Leaving is what GTK has gtk_list_view_set_tab_behavior() for, from 4.12 on. */
#include "config.h"
#include "mt-list-tab-behavior.h"

struct _MtListTabBehavior {
  AdwBin parent_instance;
};

G_DEFINE_FINAL_TYPE (MtListTabBehavior, mt_list_tab_behavior, ADW_TYPE_BIN)

/* Whether a row has the focus; the heads of columns are no rows. */
static gboolean
is_on_row (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GtkWidget *list = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_VIEW) : NULL;

  return list != NULL && gtk_widget_is_ancestor (list, widget);
}

/* The row that is selected, if it is in sight. */
static GtkWidget *
find_selected (GtkWidget *top)
{
  GtkWidget *found = NULL;

  if (GTK_IS_LIST_VIEW (gtk_widget_get_parent (top)))
    return gtk_widget_get_state_flags (top) & GTK_STATE_FLAG_SELECTED ? top : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_selected (child);
  return found;
}

static gboolean
mt_list_tab_behavior_focus (GtkWidget        *widget,
                            GtkDirectionType  direction)
{
  gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  gboolean comes = is_tab && gtk_widget_get_focus_child (widget) == NULL;
  GtkWidget *selected;

  if (is_tab && is_on_row (widget))
    return FALSE;
  /* GTK begins where the list had the focus last, at first with its first row: an arrow would select its neighbour. */
  selected = comes ? find_selected (widget) : NULL;
  if (selected != NULL && gtk_widget_grab_focus (selected))
    return TRUE;
  return GTK_WIDGET_CLASS (mt_list_tab_behavior_parent_class)->focus (widget, direction);
}

static void
mt_list_tab_behavior_class_init (MtListTabBehaviorClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = mt_list_tab_behavior_focus;
}

static void
mt_list_tab_behavior_init (MtListTabBehavior *self)
{
}
