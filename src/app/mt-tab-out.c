/* What GTK has gtk_list_view_set_tab_behavior() for, from 4.12 on. */
#include "config.h"
#include "mt-tab-out.h"

struct _MtTabOut {
  AdwBin parent_instance;
};

G_DEFINE_FINAL_TYPE (MtTabOut, mt_tab_out, ADW_TYPE_BIN)

/* Whether a row has the focus; the heads of columns are no rows. */
static gboolean
is_on_row (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GtkWidget *list = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_VIEW) : NULL;

  return list != NULL && gtk_widget_is_ancestor (list, widget);
}

static gboolean
mt_tab_out_focus (GtkWidget        *widget,
                  GtkDirectionType  direction)
{
  if ((direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD) && is_on_row (widget))
    return FALSE;
  return GTK_WIDGET_CLASS (mt_tab_out_parent_class)->focus (widget, direction);
}

static void
mt_tab_out_class_init (MtTabOutClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = mt_tab_out_focus;
}

static void
mt_tab_out_init (MtTabOut *self)
{
}
