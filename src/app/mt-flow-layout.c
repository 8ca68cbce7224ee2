#include "config.h"
#include "mt-flow-layout.h"

struct _MtFlowLayout {
  GtkLayoutManager parent_instance;
  int              gap;
  gboolean         even;
  gboolean         roomy;
};

enum {
  PROP_0,
  PROP_GAP,
  PROP_EVEN,
  PROP_ROOMY,
};

G_DEFINE_FINAL_TYPE (MtFlowLayout, mt_flow_layout, GTK_TYPE_LAYOUT_MANAGER)

/* A child, and what it gets. */
typedef struct {
  GtkWidget *widget;
  int        least, wanted;
  int        width;
} Item;

static GArray *
list_items (MtFlowLayout *self,
            GtkWidget    *widget)
{
  GArray *items = g_array_new (FALSE, TRUE, sizeof (Item));
  int least = 0, wanted = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      Item item = { child };

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &item.least, &item.wanted, NULL, NULL);
      least = MAX (least, item.least);
      wanted = MAX (wanted, item.wanted);
      g_array_append_val (items, item);
    }
  for (guint i = 0; self->even && i < items->len; i++)
    {
      g_array_index (items, Item, i).least = least;
      g_array_index (items, Item, i).wanted = wanted;
    }
  return items;
}

/* How many from @first on have room in one line. */
static guint
count_in_line (MtFlowLayout *self,
               const GArray *items,
               guint         first,
               int           width)
{
  int used = 0;
  guint n = 0;

  for (guint i = first; i < items->len; i++, n++)
    {
      const Item *item = &g_array_index (items, Item, i);

      used += (n > 0 ? self->gap : 0) + (self->roomy ? item->wanted : item->least);
      if (n > 0 && used > width)
        break;
    }
  return n;
}

/* Hands a line's width out: what each needs, then what each would like, then the rest to those that expand. */
static void
share_line (MtFlowLayout *self,
            Item         *items,
            guint         n,
            int           width)
{
  g_autofree GtkRequestedSize *sizes = g_new0 (GtkRequestedSize, n);
  int rest = width - (int) (n - 1) * self->gap;
  guint n_expand = 0;

  for (guint i = 0; i < n; i++)
    {
      sizes[i].data = &items[i];
      sizes[i].minimum_size = items[i].least;
      sizes[i].natural_size = items[i].wanted;
      rest -= items[i].least;
      n_expand += self->even || gtk_widget_compute_expand (items[i].widget, GTK_ORIENTATION_HORIZONTAL);
    }
  rest = gtk_distribute_natural_allocation (MAX (rest, 0), n, sizes);
  for (guint i = 0; i < n; i++)
    {
      items[i].width = sizes[i].minimum_size;
      if (n_expand > 0 && (self->even || gtk_widget_compute_expand (items[i].widget, GTK_ORIENTATION_HORIZONTAL)))
        {
          items[i].width += rest / (int) n_expand;
          rest -= rest / (int) n_expand;
          n_expand--;
        }
    }
}

static int
line_height (const Item *items,
             guint       n)
{
  int tallest = 0;

  for (guint i = 0; i < n; i++)
    {
      int height;

      gtk_widget_measure (items[i].widget, GTK_ORIENTATION_VERTICAL, items[i].width, NULL, &height, NULL, NULL);
      tallest = MAX (tallest, height);
    }
  return tallest;
}

static GtkSizeRequestMode
mt_flow_layout_get_request_mode (GtkLayoutManager *manager,
                                 GtkWidget        *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* Without a width the height is that of the narrowest: enough for every width. */
static void
mt_flow_layout_measure (GtkLayoutManager *manager,
                        GtkWidget        *widget,
                        GtkOrientation    orientation,
                        int               for_size,
                        int              *minimum,
                        int              *natural,
                        int              *minimum_baseline,
                        int              *natural_baseline)
{
  MtFlowLayout *self = MT_FLOW_LAYOUT (manager);
  g_autoptr (GArray) items = list_items (self, widget);
  int least = 0, wanted = 0, height = 0;

  for (guint i = 0; i < items->len; i++)
    {
      least = MAX (least, g_array_index (items, Item, i).least);
      wanted += (i > 0 ? self->gap : 0) + g_array_index (items, Item, i).wanted;
    }
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = least;
      *natural = wanted;
      return;
    }
  for (guint i = 0, n; i < items->len; i += n)
    {
      int width = for_size < 0 ? least : for_size;

      n = count_in_line (self, items, i, width);
      share_line (self, &g_array_index (items, Item, i), n, width);
      height += (i > 0 ? self->gap : 0) + line_height (&g_array_index (items, Item, i), n);
    }
  *minimum = *natural = height;
}

static void
mt_flow_layout_allocate (GtkLayoutManager *manager,
                         GtkWidget        *widget,
                         int               width,
                         int               height,
                         int               baseline)
{
  MtFlowLayout *self = MT_FLOW_LAYOUT (manager);
  g_autoptr (GArray) items = list_items (self, widget);
  gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int y = 0;

  for (guint i = 0, n; i < items->len; i += n)
    {
      Item *line = &g_array_index (items, Item, i);
      int x = 0, tallest;

      n = count_in_line (self, items, i, width);
      share_line (self, line, n, width);
      tallest = line_height (line, n);
      if (n == items->len)
        tallest = MAX (tallest, height);   /* a single line may be as tall as there is room */
      for (guint j = 0; j < n; j++)
        {
          GtkAllocation place = { mirrored ? width - x - line[j].width : x, y, line[j].width, tallest };

          gtk_widget_size_allocate (line[j].widget, &place, -1);
          x += line[j].width + self->gap;
        }
      y += tallest + self->gap;
    }
}

static void
mt_flow_layout_set_property (GObject      *object,
                             guint         id,
                             const GValue *value,
                             GParamSpec   *spec)
{
  MtFlowLayout *self = MT_FLOW_LAYOUT (object);

  if (id == PROP_GAP)
    self->gap = g_value_get_int (value);
  else if (id == PROP_EVEN)
    self->even = g_value_get_boolean (value);
  else if (id == PROP_ROOMY)
    self->roomy = g_value_get_boolean (value);
  else
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
      return;
    }
  gtk_layout_manager_layout_changed (GTK_LAYOUT_MANAGER (self));
}

static void
mt_flow_layout_class_init (MtFlowLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = mt_flow_layout_set_property;
  layout_class->get_request_mode = mt_flow_layout_get_request_mode;
  layout_class->measure = mt_flow_layout_measure;
  layout_class->allocate = mt_flow_layout_allocate;
  g_object_class_install_property (object_class, PROP_GAP,
                                   g_param_spec_int ("gap", NULL, NULL, 0, 100, 6,
                                                     G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_EVEN,
                                   g_param_spec_boolean ("even", NULL, NULL, FALSE,
                                                         G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_ROOMY,
                                   g_param_spec_boolean ("roomy", NULL, NULL, FALSE,
                                                         G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
}

static void
mt_flow_layout_init (MtFlowLayout *self)
{
  self->gap = 6;
}
