/* Two groups side by side where there is room, below each other where there is not; a single one stands in
 * the middle. See mt-pair-layout.h. */
#include "config.h"
#include "mt-pair-layout.h"

#define LINE_GAP   24
#define SIDE       320    /* a group narrower than this goes below the other */
#define SINGLE     440    /* a single group grows no wider */

struct _MtPairLayout {
  MtLineLayout parent_instance;
  double       share;   /* of the width, for the first group */
};

enum {
  PROP_0,
  PROP_SHARE,
};

G_DEFINE_FINAL_TYPE (MtPairLayout, mt_pair_layout, MT_TYPE_LINE_LAYOUT)

/* Says how wide each group is; TRUE: they are side by side. Without a width (-1), they have none either. */
static gboolean
share_width (MtPairLayout *self,
             GArray       *items,
             int           width)
{
  int rest = width - mt_line_layout_get_gap (MT_LINE_LAYOUT (self)), first = (int) (rest * self->share);
  gboolean beside = items->len > 1 && rest * MIN (self->share, 1 - self->share) >= SIDE - 1;

  for (guint i = 0; i < items->len; i++)
    if (beside)
      g_array_index (items, MtLineItem, i).width = i == 0 ? first : rest - first;
    else
      g_array_index (items, MtLineItem, i).width = items->len == 1 ? MIN (width, SINGLE) : width;
  return beside;
}

/* Without a width the height is that of the groups stacked: enough for every width. */
static void
mt_pair_layout_measure (GtkLayoutManager *manager,
                        GtkWidget        *widget,
                        GtkOrientation    orientation,
                        int               for_size,
                        int              *minimum,
                        int              *natural,
                        int              *minimum_baseline,
                        int              *natural_baseline)
{
  MtPairLayout *self = MT_PAIR_LAYOUT (manager);
  g_autoptr (GArray) items = mt_line_layout_list_items (widget);
  int least = 0, wanted = 0, height = 0, gap = mt_line_layout_get_gap (MT_LINE_LAYOUT (self));
  gboolean beside = share_width (self, items, for_size);

  for (guint i = 0; i < items->len; i++)
    {
      const MtLineItem *item = &g_array_index (items, MtLineItem, i);

      least = MAX (least, item->least);
      wanted += (i > 0 ? gap : 0) + MAX (item->wanted, SINGLE);
      if (orientation == GTK_ORIENTATION_VERTICAL && !beside)
        height += (height > 0 ? LINE_GAP : 0) + mt_line_layout_get_height (item, 1);
    }
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = least;
      *natural = wanted;
      return;
    }
  *minimum = *natural = beside ? mt_line_layout_get_height ((const MtLineItem *) (gpointer) items->data, items->len)
                               : height;
}

static void
mt_pair_layout_allocate (GtkLayoutManager *manager,
                         GtkWidget        *widget,
                         int               width,
                         int               height,
                         int               baseline)
{
  MtLineLayout *self = MT_LINE_LAYOUT (manager);
  g_autoptr (GArray) items = mt_line_layout_list_items (widget);
  gboolean beside = share_width (MT_PAIR_LAYOUT (manager), items, width);
  guint n = beside ? items->len : 1;   /* of a line */
  int y = 0;

  /* Next to one another they are equally tall: Tab goes first to what has its middle higher up. */
  for (guint i = 0; i < items->len; i += n)
    {
      const MtLineItem *line = &g_array_index (items, MtLineItem, i);
      GdkRectangle place = { 0, y, width, mt_line_layout_get_height (line, n) };

      if (!beside)
        {
          place.x = (width - line->width) / 2;
          place.width = line->width;
        }
      mt_line_layout_place (self, widget, line, n, &place);
      y += place.height + LINE_GAP;
    }
}

static void
mt_pair_layout_set_property (GObject      *object,
                             guint         id,
                             const GValue *value,
                             GParamSpec   *pspec)
{
  MtPairLayout *self = MT_PAIR_LAYOUT (object);

  if (id == PROP_SHARE)
    self->share = g_value_get_double (value);
  else
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  gtk_layout_manager_layout_changed (GTK_LAYOUT_MANAGER (self));
}

static void
mt_pair_layout_class_init (MtPairLayoutClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->measure = mt_pair_layout_measure;
  layout_class->allocate = mt_pair_layout_allocate;
  object_class->set_property = mt_pair_layout_set_property;
  g_object_class_install_property (object_class, PROP_SHARE,
                                   g_param_spec_double ("share", NULL, NULL, 0.1, 0.9, 0.5,
                                                        G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
}

static void
mt_pair_layout_init (MtPairLayout *self)
{
  self->share = 0.5;
  mt_line_layout_set_gap (MT_LINE_LAYOUT (self), 36);
}
