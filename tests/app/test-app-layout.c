/* Layouts that put children into lines, with children of known sizes: what one sees of the order, the gaps, the heights
 * and of windows whose text runs from the right. */
#include "config.h"

#include "apputils.h"
#include "widgets/mt-flow-layout.h"
#include "widgets/mt-pair-layout.h"
#include "base/mt-random.h"

/* --- a child that is as tall as its area needs --- */

#define TEST_TYPE_BLOCK (block_get_type ())
G_DECLARE_FINAL_TYPE (Block, block, TEST, BLOCK, GtkWidget)

struct _Block {
  GtkWidget parent_instance;
  int       least, wanted, area;
};

G_DEFINE_FINAL_TYPE (Block, block, GTK_TYPE_WIDGET)

static GtkSizeRequestMode
block_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static int
block_height (const Block *self,
              int          width)
{
  return (self->area + width - 1) / width;
}

static void
block_measure (GtkWidget      *widget,
               GtkOrientation  orientation,
               int             for_size,
               int            *minimum,
               int            *natural,
               int            *minimum_baseline,
               int            *natural_baseline)
{
  Block *self = TEST_BLOCK (widget);

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? self->least : block_height (self, for_size > 0 ? for_size : self->least);
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? self->wanted : *minimum;
}

static void
block_class_init (BlockClass *klass)
{
  GTK_WIDGET_CLASS (klass)->get_request_mode = block_get_request_mode;
  GTK_WIDGET_CLASS (klass)->measure = block_measure;
}

static void
block_init (Block *self)
{
}

/* --- a place for them --- */

#define MOST 6

typedef struct {
  GtkWidget    *top;
  Block        *blocks[MOST];
  GdkRectangle  at[MOST];
  guint         n;
} Place;

static void
place_begin (Place *place,
             GType  layout)
{
  *place = (Place) { .top = g_object_ref_sink (adw_bin_new ()) };
  gtk_widget_set_layout_manager (place->top, g_object_new (layout, NULL));
}

static Block *
place_add (Place *place,
           int    least,
           int    wanted,
           int    area)
{
  Block *block = g_object_new (TEST_TYPE_BLOCK, NULL);

  block->least = least;
  block->wanted = wanted;
  block->area = area;
  gtk_widget_set_parent (GTK_WIDGET (block), place->top);
  place->blocks[place->n++] = block;
  return block;
}

static void
place_end (Place *place)
{
  for (guint i = 0; i < place->n; i++)
    gtk_widget_unparent (GTK_WIDGET (place->blocks[i]));
  g_object_unref (place->top);
}

static int
place_measure (Place          *place,
               GtkOrientation  orientation,
               int             for_size,
               int            *natural)
{
  int minimum;

  gtk_widget_measure (place->top, orientation, for_size, &minimum, natural, NULL, NULL);
  return minimum;
}

/* As wide as that, and as tall as it then wants to be, which it gives. */
static int
place_allocate (Place            *place,
                int               width,
                GtkTextDirection  direction)
{
  int height;

  gtk_widget_set_direction (place->top, direction);
  height = place_measure (place, GTK_ORIENTATION_VERTICAL, width, NULL);
  gtk_widget_allocate (place->top, width, height, -1, NULL);
  for (guint i = 0; i < place->n; i++)
    {
      graphene_rect_t bounds;

      g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (place->blocks[i]), place->top, &bounds));
      place->at[i] = (GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width,
                                      (int) bounds.size.height };
    }
  return height;
}

#define ASSERT_AT(place, i, x_, y_, width_, height_)             \
  G_STMT_START {                                                 \
    g_assert_cmpint ((place).at[i].x, ==, (x_));                 \
    g_assert_cmpint ((place).at[i].y, ==, (y_));                 \
    g_assert_cmpint ((place).at[i].width, ==, (width_));         \
    g_assert_cmpint ((place).at[i].height, ==, (height_));       \
  } G_STMT_END

/* From the right it is the same in a mirror. */
static void
assert_mirrored (Place *place,
                 int    width)
{
  GdkRectangle left[MOST];

  place_allocate (place, width, GTK_TEXT_DIR_LTR);
  memcpy (left, place->at, sizeof left);
  place_allocate (place, width, GTK_TEXT_DIR_RTL);
  for (guint i = 0; i < place->n; i++)
    ASSERT_AT (*place, i, width - left[i].x - left[i].width, left[i].y, left[i].width, left[i].height);
}

/* --- two groups --- */

static void
test_pair (void)
{
  Place place;
  int natural;

  place_begin (&place, MT_TYPE_PAIR_LAYOUT);
  place_add (&place, 100, 200, 40000);
  place_add (&place, 150, 900, 20000);
  g_assert_cmpint (place_measure (&place, GTK_ORIENTATION_HORIZONTAL, -1, &natural), ==, 150);
  g_assert_cmpint (natural, ==, 440 + 36 + 900);
  /* Each has 319 and may stand beside the other, both as tall as the taller. */
  g_assert_cmpint (place_allocate (&place, 674, GTK_TEXT_DIR_LTR), ==, 126);
  ASSERT_AT (place, 0, 0, 0, 319, 126);
  ASSERT_AT (place, 1, 355, 0, 319, 126);
  assert_mirrored (&place, 674);
  /* A pixel less, and they stand below one another. */
  g_assert_cmpint (place_allocate (&place, 673, GTK_TEXT_DIR_LTR), ==, 60 + 24 + 30);
  ASSERT_AT (place, 0, 0, 0, 673, 60);
  ASSERT_AT (place, 1, 0, 84, 673, 30);
  assert_mirrored (&place, 673);
  /* Without a width it is enough for every width. */
  g_assert_cmpint (place_measure (&place, GTK_ORIENTATION_VERTICAL, -1, NULL), ==, 400 + 24 + 134);
  place_end (&place);
}

static void
test_pair_share (void)
{
  Place place;

  place_begin (&place, MT_TYPE_PAIR_LAYOUT);
  g_object_set (gtk_widget_get_layout_manager (place.top), "share", 0.75, "gap", 20, NULL);
  place_add (&place, 10, 10, 9600);
  place_add (&place, 10, 10, 6400);
  g_assert_cmpint (place_allocate (&place, 1300, GTK_TEXT_DIR_LTR), ==, 20);
  ASSERT_AT (place, 0, 0, 0, 960, 20);
  ASSERT_AT (place, 1, 980, 0, 320, 20);
  assert_mirrored (&place, 1300);
  place_end (&place);
}

static void
test_pair_single (void)
{
  Place place;

  place_begin (&place, MT_TYPE_PAIR_LAYOUT);
  place_add (&place, 100, 200, 44000);
  gtk_widget_set_visible (GTK_WIDGET (place_add (&place, 1000, 1000, 1)), FALSE);
  place.n = 1;   /* the other takes no part */
  g_assert_cmpint (place_allocate (&place, 900, GTK_TEXT_DIR_LTR), ==, 100);
  ASSERT_AT (place, 0, 230, 0, 440, 100);
  g_assert_cmpint (place_allocate (&place, 400, GTK_TEXT_DIR_RTL), ==, 110);
  ASSERT_AT (place, 0, 0, 0, 400, 110);
  place.n = 2;
  place_end (&place);
}

/* --- lines --- */

static void
test_flow (void)
{
  Place place;
  int natural;

  place_begin (&place, MT_TYPE_FLOW_LAYOUT);
  place_add (&place, 50, 100, 1000);
  place_add (&place, 60, 80, 3000);
  place_add (&place, 70, 70, 700);
  g_assert_cmpint (place_measure (&place, GTK_ORIENTATION_HORIZONTAL, -1, &natural), ==, 70);
  g_assert_cmpint (natural, ==, 262);
  /* Room for what all would like: none grows beyond that. */
  g_assert_cmpint (place_allocate (&place, 400, GTK_TEXT_DIR_LTR), ==, 38);
  ASSERT_AT (place, 0, 0, 0, 100, 38);
  ASSERT_AT (place, 1, 106, 0, 80, 38);
  ASSERT_AT (place, 2, 192, 0, 70, 38);
  assert_mirrored (&place, 400);
  /* For what all need, and not a pixel less. */
  g_assert_cmpint (place_allocate (&place, 192, GTK_TEXT_DIR_LTR), ==, 50);
  ASSERT_AT (place, 2, 122, 0, 70, 50);
  g_assert_cmpint (place_allocate (&place, 191, GTK_TEXT_DIR_LTR), ==, 38 + 6 + 10);
  ASSERT_AT (place, 0, 0, 0, 100, 38);
  ASSERT_AT (place, 1, 106, 0, 80, 38);
  ASSERT_AT (place, 2, 0, 44, 70, 10);
  assert_mirrored (&place, 191);
  place_end (&place);
}

static void
test_flow_even (void)
{
  Place place;

  place_begin (&place, MT_TYPE_FLOW_LAYOUT);
  g_object_set (gtk_widget_get_layout_manager (place.top), "even", TRUE, "gap", 10, NULL);
  place_add (&place, 30, 40, 1);
  place_add (&place, 60, 90, 1);
  place_add (&place, 10, 20, 1);
  place_allocate (&place, 320, GTK_TEXT_DIR_LTR);
  for (guint i = 0; i < 3; i++)
    ASSERT_AT (place, i, (int) i * 110, 0, 100, 1);
  /* Each needs as much as the widest: two have room, and fill their line; so does the last. */
  place_allocate (&place, 199, GTK_TEXT_DIR_LTR);
  ASSERT_AT (place, 0, 0, 0, 94, 1);
  ASSERT_AT (place, 1, 104, 0, 95, 1);
  ASSERT_AT (place, 2, 0, 11, 199, 1);
  place_end (&place);
}

/* Whatever the children are: in order, apart by the gap, equally tall in a line, inside, no line broken without need, and
 * those that expand fill theirs. */
static void
test_flow_any (void)
{
  MtRandom random;
  guint n_broken = 0, n_filled = 0;

  mt_random_init (&random, 7);
  for (guint round = 0; round < 300; round++)
    {
      guint n = 1 + (guint) mt_random_below (&random, MOST), gap = (guint) mt_random_below (&random, 20);
      gboolean roomy = mt_random_below (&random, 2) == 0;
      int width = 160 + (int) mt_random_below (&random, 500), height, bottom = 0;
      Place place;

      place_begin (&place, MT_TYPE_FLOW_LAYOUT);
      g_object_set (gtk_widget_get_layout_manager (place.top), "gap", gap, "roomy", roomy, NULL);
      for (guint i = 0; i < n; i++)
        {
          int least = 1 + (int) mt_random_below (&random, 150);
          Block *block = place_add (&place, least, least + (int) mt_random_below (&random, 80),
                                    1 + (int) mt_random_below (&random, 20000));

          gtk_widget_set_hexpand (GTK_WIDGET (block), mt_random_below (&random, 3) == 0);
        }
      height = place_allocate (&place, width, GTK_TEXT_DIR_LTR);
      for (guint i = 0; i < n; i++)
        {
          const GdkRectangle *at = &place.at[i], *before = i > 0 ? &place.at[i - 1] : NULL;
          gboolean is_first = before == NULL || at->y != before->y, is_last = i + 1 == n || place.at[i + 1].y != at->y;
          gboolean expands = FALSE;

          g_assert_cmpint (at->width, >=, place.blocks[i]->least);
          g_assert_cmpint (at->x, ==, is_first ? 0 : before->x + before->width + (int) gap);
          g_assert_cmpint (at->y, ==, before == NULL ? 0 : is_first ? before->y + before->height + (int) gap : before->y);
          g_assert_cmpint (at->height, ==, is_first ? at->height : before->height);
          g_assert_cmpint (at->height, >=, block_height (place.blocks[i], at->width));
          g_assert_cmpint (at->x + at->width, <=, width);
          bottom = at->y + at->height;
          for (guint j = 0; j < n; j++)
            expands |= place.at[j].y == at->y && gtk_widget_get_hexpand (GTK_WIDGET (place.blocks[j]));
          if (is_last && expands)
            {
              g_assert_cmpint (at->x + at->width, ==, width);
              n_filled++;
            }
          if (before != NULL && is_first)
            {
              int used = roomy ? place.blocks[i]->wanted : place.blocks[i]->least;

              for (guint j = 0; j < i; j++)
                if (place.at[j].y == before->y)
                  used += (int) gap + (roomy ? place.blocks[j]->wanted : place.blocks[j]->least);
              g_assert_cmpint (used, >, width);
              n_broken++;
            }
        }
      g_assert_cmpint (bottom, ==, height);
      assert_mirrored (&place, width);
      place_end (&place);
    }
  g_assert_cmpuint (n_broken, >, 100);
  g_assert_cmpuint (n_filled, >, 100);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/layout/pair", test_pair);
  g_test_add_func ("/app/layout/pair/share", test_pair_share);
  g_test_add_func ("/app/layout/pair/single", test_pair_single);
  g_test_add_func ("/app/layout/flow", test_flow);
  g_test_add_func ("/app/layout/flow/even", test_flow_even);
  g_test_add_func ("/app/layout/flow/any", test_flow_any);
  return g_test_run ();
}
