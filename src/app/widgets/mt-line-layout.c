/* What layouts share that put the children of a widget into lines: what a child needs, how tall a line is,
 * and where its children go, from the right where text does. See mt-line-layout.h. */
#include "config.h"
#include "mt-line-layout.h"

typedef struct {
  int gap;
} MtLineLayoutPrivate;

enum {
  PROP_0,
  PROP_GAP,
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (MtLineLayout, mt_line_layout, GTK_TYPE_LAYOUT_MANAGER)

static MtLineLayoutPrivate *
get_private (MtLineLayout *self)
{
  return mt_line_layout_get_instance_private (self);
}

int
mt_line_layout_get_gap (MtLineLayout *self)
{
  return get_private (self)->gap;
}

void
mt_line_layout_set_gap (MtLineLayout *self,
                        int           gap)
{
  get_private (self)->gap = gap;
  gtk_layout_manager_layout_changed (GTK_LAYOUT_MANAGER (self));
}

GArray *
mt_line_layout_list_items (GtkWidget *widget)
{
  GArray *items = g_array_new (FALSE, TRUE, sizeof (MtLineItem));

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      MtLineItem item = { child };

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &item.least, &item.wanted, NULL, NULL);
      g_array_append_val (items, item);
    }
  return items;
}

int
mt_line_layout_get_height (const MtLineItem *line,
                           guint             n)
{
  int tallest = 0;

  for (guint i = 0; i < n; i++)
    {
      int height;

      gtk_widget_measure (line[i].widget, GTK_ORIENTATION_VERTICAL, line[i].width, NULL, &height, NULL, NULL);
      tallest = MAX (tallest, height);
    }
  return tallest;
}

void
mt_line_layout_place (MtLineLayout       *self,
                      GtkWidget          *widget,
                      const MtLineItem   *line,
                      guint               n,
                      const GdkRectangle *place)
{
  gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int x = 0;

  for (guint i = 0; i < n; i++)
    {
      GtkAllocation own = { place->x + (mirrored ? place->width - x - line[i].width : x), place->y, line[i].width,
                            place->height };

      gtk_widget_size_allocate (line[i].widget, &own, -1);
      x += line[i].width + get_private (self)->gap;
    }
}

static GtkSizeRequestMode
mt_line_layout_get_request_mode (GtkLayoutManager *manager,
                                 GtkWidget        *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
mt_line_layout_set_property (GObject      *object,
                             guint         id,
                             const GValue *value,
                             GParamSpec   *spec)
{
  if (id == PROP_GAP)
    mt_line_layout_set_gap (MT_LINE_LAYOUT (object), g_value_get_int (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
mt_line_layout_class_init (MtLineLayoutClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = mt_line_layout_set_property;
  GTK_LAYOUT_MANAGER_CLASS (klass)->get_request_mode = mt_line_layout_get_request_mode;
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_GAP,
                                   g_param_spec_int ("gap", NULL, NULL, 0, 100, 6,
                                                     G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
}

static void
mt_line_layout_init (MtLineLayout *self)
{
}
