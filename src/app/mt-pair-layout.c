#include "config.h"
#include "mt-pair-layout.h"

#define LINE_GAP   24
#define SIDE       320    /* a group narrower than this goes below the other */
#define SINGLE     440    /* a single group grows no wider */

struct _MtPairLayout {
  GtkLayoutManager parent_instance;
  double           share;   /* of the width, for the first group */
  int              gap;
};

enum {
  PROP_0,
  PROP_SHARE,
  PROP_GAP,
};

G_DEFINE_FINAL_TYPE (MtPairLayout, mt_pair_layout, GTK_TYPE_LAYOUT_MANAGER)

static guint
count_shown (GtkWidget *widget)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += gtk_widget_should_layout (child) ? 1 : 0;
  return n;
}

static int
columns_for (MtPairLayout *self,
             GtkWidget    *widget,
             int           width)
{
  double least = MIN (self->share, 1 - self->share);

  return count_shown (widget) > 1 && (width - self->gap) * least >= SIDE - 1 ? 2 : 1;
}

static int
child_width (MtPairLayout *self,
             GtkWidget    *widget,
             int           width,
             gboolean      first)
{
  if (columns_for (self, widget, width) == 2)
    {
      int own = (int) ((width - self->gap) * self->share);

      return first ? own : width - self->gap - own;
    }
  return count_shown (widget) == 1 ? MIN (width, SINGLE) : width;
}

static int
child_height (GtkWidget *child,
              int        width)
{
  int height;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  return height;
}

static GtkSizeRequestMode
mt_pair_layout_get_request_mode (GtkLayoutManager *manager,
                                 GtkWidget        *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
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
  int columns = for_size < 0 ? 1 : columns_for (self, widget, for_size);
  gboolean first = TRUE;

  *minimum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int least, wanted;

      if (!gtk_widget_should_layout (child))
        continue;
      if (orientation == GTK_ORIENTATION_HORIZONTAL)
        {
          gtk_widget_measure (child, orientation, -1, &least, &wanted, NULL, NULL);
          *minimum = MAX (*minimum, least);
          *natural += (*natural > 0 ? self->gap : 0) + MAX (wanted, SINGLE);
          continue;
        }
      least = child_height (child, for_size < 0 ? -1 : child_width (self, widget, for_size, first));
      *minimum = columns == 2 ? MAX (*minimum, least) : *minimum + (*minimum > 0 ? LINE_GAP : 0) + least;
      *natural = *minimum;
      first = FALSE;
    }
}

static void
mt_pair_layout_allocate (GtkLayoutManager *manager,
                         GtkWidget        *widget,
                         int               width,
                         int               height,
                         int               baseline)
{
  MtPairLayout *self = MT_PAIR_LAYOUT (manager);
  gboolean beside = columns_for (self, widget, width) == 2, first = TRUE;
  int x = 0, y = 0, tallest = 0;

  /* Beside one another they are equally tall: Tab goes first to what has its middle higher up. */
  mt_pair_layout_measure (manager, widget, GTK_ORIENTATION_VERTICAL, width, &tallest, &tallest, NULL, NULL);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int own = child_width (self, widget, width, first);
      GtkAllocation place = { beside ? x : (width - own) / 2, y, own, 0 };

      if (!gtk_widget_should_layout (child))
        continue;
      first = FALSE;
      place.height = beside ? tallest : child_height (child, own);
      if (beside && gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
        place.x = width - own - x;
      gtk_widget_size_allocate (child, &place, -1);
      if (beside)
        x += own + self->gap;
      else
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
  else if (id == PROP_GAP)
    self->gap = g_value_get_int (value);
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

  layout_class->get_request_mode = mt_pair_layout_get_request_mode;
  layout_class->measure = mt_pair_layout_measure;
  layout_class->allocate = mt_pair_layout_allocate;
  object_class->set_property = mt_pair_layout_set_property;
  g_object_class_install_property (object_class, PROP_SHARE,
                                   g_param_spec_double ("share", NULL, NULL, 0.1, 0.9, 0.5,
                                                        G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_GAP,
                                   g_param_spec_int ("gap", NULL, NULL, 0, 100, 36,
                                                     G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
}

static void
mt_pair_layout_init (MtPairLayout *self)
{
  self->share = 0.5;
  self->gap = 36;
}
