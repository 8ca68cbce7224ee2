#include "config.h"
#include "mt-pair-layout.h"

#define GAP        36
#define LINE_GAP   24
#define SIDE       320    /* a group narrower than this goes below the other */
#define SINGLE     440    /* a single group grows no wider */

struct _MtPairLayout {
  GtkLayoutManager parent_instance;
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
columns_for (GtkWidget *widget,
             int        width)
{
  return count_shown (widget) > 1 && width >= 2 * SIDE + GAP ? 2 : 1;
}

static int
child_width (GtkWidget *widget,
             int        width)
{
  if (columns_for (widget, width) == 2)
    return (width - GAP) / 2;
  return count_shown (widget) == 1 ? MIN (width, SINGLE) : width;
}

static int
child_height (GtkWidget *child,
              int        width)
{
  int height;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
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
  int columns = for_size < 0 ? 1 : columns_for (widget, for_size);

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
          *natural += (*natural > 0 ? GAP : 0) + MAX (wanted, SINGLE);
          continue;
        }
      least = child_height (child, for_size < 0 ? -1 : child_width (widget, for_size));
      *minimum = columns == 2 ? MAX (*minimum, least) : *minimum + (*minimum > 0 ? LINE_GAP : 0) + least;
      *natural = *minimum;
    }
}

static void
mt_pair_layout_allocate (GtkLayoutManager *manager,
                         GtkWidget        *widget,
                         int               width,
                         int               height,
                         int               baseline)
{
  gboolean beside = columns_for (widget, width) == 2;
  int own = child_width (widget, width);
  int x = beside ? 0 : (width - own) / 2, y = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkAllocation place = { x, y, own, 0 };

      if (!gtk_widget_should_layout (child))
        continue;
      place.height = child_height (child, own);
      if (beside && gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
        place.x = width - own - x;
      gtk_widget_size_allocate (child, &place, -1);
      if (beside)
        x += own + GAP;
      else
        y += place.height + LINE_GAP;
    }
}

static void
mt_pair_layout_class_init (MtPairLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = mt_pair_layout_get_request_mode;
  layout_class->measure = mt_pair_layout_measure;
  layout_class->allocate = mt_pair_layout_allocate;
}

static void
mt_pair_layout_init (MtPairLayout *self)
{
}
