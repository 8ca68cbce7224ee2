/* Geometry of whole models on a canvas: random cards, with and without pages. */
#include "config.h"

#include "mt-core.h"

static gboolean
overlap (const MtCanvasCard *a,
         const MtCanvasCard *b)
{
  return a->x < b->x + b->width - 0.01 && b->x < a->x + a->width - 0.01 && a->y < b->y + b->height - 0.01 &&
         b->y < a->y + a->height - 0.01;
}

/* The first thing that is wrong with a layout, or NULL. */
static const char *
find_fault (const MtCanvasLayout *layout,
            const double         *sizes,
            double                formula)
{
  for (guint i = 0; i < layout->n_cards; i++)
    {
      const MtCanvasCard *card = &layout->cards[i];
      double w = sizes[2 * i] * card->scale, h = sizes[2 * i + 1] * card->scale;

      if (card->x < -0.01 || card->y < 0 || card->x + card->width > layout->width + 0.01 ||
          card->y + card->height > layout->formula_y + 0.01)
        return "a card out of bounds";
      if (!(card->scale > 0 && card->scale <= 1))
        return "a scale that enlarges";
      if (card->inner_x < card->x - 0.01 || card->inner_y < card->y - 0.01 ||
          card->inner_x + w > card->x + card->width + 0.01 || card->inner_y + h > card->y + card->height + 0.01)
        return "content out of its card";
      if (layout->page_height > 0 &&
          (guint) (card->y / layout->page_height + 1e-9) !=
          (guint) ((card->y + card->height) / layout->page_height - 1e-9))
        return "a card torn by a page";
      for (guint j = 0; j < i; j++)
        if (overlap (card, &layout->cards[j]))
          return "cards overlap";
    }
  if (layout->formula_y + formula > layout->height + 0.01)
    return "the formula out of bounds";
  return NULL;
}

static void
test_geometry (void)
{
  MtRandom random;

  mt_random_init (&random, 3);
  for (guint round = 0; round < 400; round++)
    {
      guint n = (guint) mt_random_below (&random, 30);
      double width = 320 + 1000 * mt_random_double (&random);
      double page = round % 2 == 0 ? 0 : 400 + 700 * mt_random_double (&random);
      g_autofree double *sizes = g_new (double, 2 * n + 2);
      g_autoptr (MtCanvasLayout) layout = NULL;

      for (guint i = 0; i < n; i++)
        {
          gboolean small = mt_random_double (&random) < 0.5;

          sizes[2 * i] = 80 + (small ? 150 : 900) * mt_random_double (&random);
          sizes[2 * i + 1] = small ? 100 : 140 + 700 * mt_random_double (&random);
        }
      layout = mt_canvas_layout_new (sizes, n, width, page, 110);
      g_assert_cmpstr (find_fault (layout, sizes, 110), ==, NULL);
      for (guint i = 0; i < n; i++)
        g_assert_cmpint (mt_canvas_layout_hit (layout, layout->cards[i].x + 2, layout->cards[i].y + 2), ==, (int) i);
      g_assert_cmpint (mt_canvas_layout_hit (layout, -5, -5), ==, -1);
      if (n > 1)
        {
          /* Faults are found. */
          layout->cards[0].x = layout->cards[1].x;
          layout->cards[0].y = layout->cards[1].y;
          g_assert_nonnull (find_fault (layout, sizes, 110));
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout-canvas/geometry", test_geometry);
  return g_test_run ();
}
