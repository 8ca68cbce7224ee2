/* Children in a line, and in as many lines as it takes where there is no room for one: for the buttons of a
 * bar, whose words grow with the text. See mt-flow-layout.h. */
#include "config.h"
#include "mt-flow-layout.h"

struct _MtFlowLayout {
  MtLineLayout parent_instance;
  gboolean     even;
  gboolean     roomy;
};

enum {
  PROP_0,
  PROP_EVEN,
  PROP_ROOMY,
};

G_DEFINE_FINAL_TYPE (MtFlowLayout, mt_flow_layout, MT_TYPE_LINE_LAYOUT)

static GArray *
list_items (MtFlowLayout *self,
            GtkWidget    *widget)
{
  GArray *items = mt_line_layout_list_items (widget);
  int least = 0, wanted = 0;

  for (guint i = 0; i < items->len; i++)
    {
      least = MAX (least, g_array_index (items, MtLineItem, i).least);
      wanted = MAX (wanted, g_array_index (items, MtLineItem, i).wanted);
    }
  for (guint i = 0; self->even && i < items->len; i++)
    {
      g_array_index (items, MtLineItem, i).least = least;
      g_array_index (items, MtLineItem, i).wanted = wanted;
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
  int used = 0, gap = mt_line_layout_get_gap (MT_LINE_LAYOUT (self));
  guint n = 0;

  for (guint i = first; i < items->len; i++, n++)
    {
      const MtLineItem *item = &g_array_index (items, MtLineItem, i);

      used += (n > 0 ? gap : 0) + (self->roomy ? item->wanted : item->least);
      if (n > 0 && used > width)
        break;
    }
  return n;
}

/* Hands a line's width out: what each needs, then what each would like, then the rest to those that expand. */
static void
share_line (MtFlowLayout *self,
            MtLineItem   *items,
            guint         n,
            int           width)
{
  g_autofree GtkRequestedSize *sizes = g_new0 (GtkRequestedSize, n);
  int rest = width - (int) (n - 1) * mt_line_layout_get_gap (MT_LINE_LAYOUT (self));
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
  int least = 0, wanted = 0, height = 0, gap = mt_line_layout_get_gap (MT_LINE_LAYOUT (self));

  for (guint i = 0; i < items->len; i++)
    {
      least = MAX (least, g_array_index (items, MtLineItem, i).least);
      wanted += (i > 0 ? gap : 0) + g_array_index (items, MtLineItem, i).wanted;
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
      share_line (self, &g_array_index (items, MtLineItem, i), n, width);
      height += (i > 0 ? gap : 0) + mt_line_layout_get_height (&g_array_index (items, MtLineItem, i), n);
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
  int y = 0;

  for (guint i = 0, n; i < items->len; i += n)
    {
      MtLineItem *line = &g_array_index (items, MtLineItem, i);
      int tallest;

      n = count_in_line (self, items, i, width);
      share_line (self, line, n, width);
      tallest = mt_line_layout_get_height (line, n);
      if (n == items->len)
        tallest = MAX (tallest, height);   /* a single line may be as tall as there is room */
      mt_line_layout_place (MT_LINE_LAYOUT (self), widget, line, n, &(GdkRectangle) { 0, y, width, tallest });
      y += tallest + mt_line_layout_get_gap (MT_LINE_LAYOUT (self));
    }
}

static void
mt_flow_layout_set_property (GObject      *object,
                             guint         id,
                             const GValue *value,
                             GParamSpec   *spec)
{
  MtFlowLayout *self = MT_FLOW_LAYOUT (object);

  if (id == PROP_EVEN)
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
  layout_class->measure = mt_flow_layout_measure;
  layout_class->allocate = mt_flow_layout_allocate;
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
  mt_line_layout_set_gap (MT_LINE_LAYOUT (self), 6);
}
