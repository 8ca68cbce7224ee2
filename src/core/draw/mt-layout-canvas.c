/* See mt-layout-canvas.h. */
#include "config.h"
#include "mt-layout-canvas.h"

#include <math.h>

#define PAD        16.0
#define GAP        14.0
#define SMALL      175.0     /* content up to this height may be stacked */
#define MOST_STACK 4         /* small cards in a stack when there is no large one to go by */
#define MOST_SPARE 0.4      /* of its height that a small card may grow by */
#define FULL       0.55      /* a last row at least so full is stretched, too */

/* Cards side by side take turns as items of a row: a stack of small ones, or one large one. */
typedef struct {
  guint  first, n;           /* in the order of the work */
  double width, height;
} Item;

typedef struct {
  const double   *sizes;
  MtCanvasLayout *layout;
  guint          *order;     /* small cards first */
  GArray         *items;
  double          y;         /* below what is placed */
} Work;

static double
card_width (const Work *work,
            guint       card)
{
  return work->sizes[2 * card] + 2 * PAD;
}

static double
card_height (const Work *work,
             guint       card)
{
  return work->sizes[2 * card + 1] + 2 * PAD + MT_CANVAS_CAPTION;
}

static gboolean
is_small (const Work *work,
          guint       card)
{
  return work->sizes[2 * card + 1] <= SMALL;
}

/* Higher before lower, else as given. */
static int
by_height (gconstpointer a,
           gconstpointer b,
           gpointer      data)
{
  const Work *work = data;
  guint x = *(const guint *) a, y = *(const guint *) b;

  if (card_height (work, x) != card_height (work, y))
    return card_height (work, x) > card_height (work, y) ? -1 : 1;
  return x < y ? -1 : x > y;
}

static void
make_items (Work *work)
{
  guint n_cards = work->layout->n_cards, n_small = 0, at = 0;
  double stack_height = 0, small_height = 0;

  for (guint c = 0; c < n_cards; c++)
    if (is_small (work, c))
      {
        work->order[n_small++] = c;
        small_height += card_height (work, c) + GAP;
      }
    else
      stack_height = MAX (stack_height, card_height (work, c));
  for (guint c = 0, l = n_small; c < n_cards; c++)
    if (!is_small (work, c))
      work->order[l++] = c;
  g_qsort_with_data (work->order, (int) n_small, sizeof (guint), by_height, work);
  /* Without a large card to go by, about as high as wide. */
  if (stack_height == 0 && n_small > 0)
    stack_height = MIN (MOST_STACK, ceil (sqrt (n_small * 0.6))) * small_height / n_small;
  /* Small ones by themselves leave much of a row empty. */
  else if (n_small > 2)
    stack_height = MAX (stack_height, 2 * card_height (work, work->order[0]) + GAP);

  while (at < n_small)
    {
      Item item = { at, 0, 0, -GAP };

      while (at < n_small && (item.n == 0 || item.height + card_height (work, work->order[at]) + GAP <= stack_height))
        {
          item.width = MAX (item.width, card_width (work, work->order[at]));
          item.height += card_height (work, work->order[at++]) + GAP;
          item.n++;
        }
      g_array_append_val (work->items, item);
    }
  for (; at < n_cards; at++)
    {
      Item item = { at, 1, card_width (work, work->order[at]), card_height (work, work->order[at]) };

      g_array_append_val (work->items, item);
    }
}

/* Moves on to the next page unless @height fits on this one. */
static void
make_room (Work   *work,
           double  height)
{
  MtCanvasLayout *layout = work->layout;

  if (layout->page_height > 0 && work->y + height > layout->n_pages * layout->page_height &&
      work->y > (layout->n_pages - 1) * layout->page_height)
    {
      work->y = layout->n_pages * layout->page_height;
      layout->n_pages++;
    }
}

static void
place_item (Work       *work,
            const Item *item,
            double      x,
            double      width,
            double      row_height,
            double      scale)
{
  double spare = MAX (0, row_height - item->height * scale) / item->n, y = work->y;

  /* A small card next to a stack of them does not become a tower. */
  if (is_small (work, work->order[item->first]) && spare > MOST_SPARE * item->height * scale / item->n)
    spare = 0;
  for (guint i = 0; i < item->n; i++)
    {
      guint c = work->order[item->first + i];
      MtCanvasCard *card = &work->layout->cards[c];

      card->x = x;
      card->y = y;
      card->width = width;
      card->height = card_height (work, c) * scale + spare;
      /* A card may be narrower than its row's scale allows for. */
      card->scale = MIN (scale, (width - 2 * PAD * scale) / work->sizes[2 * c]);
      card->inner_x = card->x + (card->width - work->sizes[2 * c] * card->scale) / 2;
      card->inner_y = card->y + PAD * scale + (card->height - (2 * PAD + MT_CANVAS_CAPTION) * scale -
                                               work->sizes[2 * c + 1] * card->scale) / 2;
      y += card->height + GAP * scale;
    }
}

static void
place_row (Work     *work,
           guint     first,
           guint     end,
           double    used,
           double    height,
           gboolean  last)
{
  MtCanvasLayout *layout = work->layout;
  double room = layout->width - GAP * (end - first - 1), spare, x = 0, scale = 1;

  if (used > room)
    scale = room / used;
  if (layout->page_height > 0)
    scale = MIN (scale, layout->page_height / height);
  height *= scale;
  make_room (work, height);
  spare = last && used * scale < FULL * room ? 0 : MAX (0, room - used * scale) / (end - first);
  for (guint i = first; i < end; i++)
    {
      const Item *item = &g_array_index (work->items, Item, i);
      double width = item->width * scale + spare;

      place_item (work, item, x, width, height, scale);
      x += width + GAP;
    }
  work->y += height + GAP;
}

static void
place_rows (Work *work)
{
  guint first = 0;

  while (first < work->items->len)
    {
      const Item *item = &g_array_index (work->items, Item, first);
      double used = item->width, height = item->height;
      guint end = first + 1;

      while (end < work->items->len &&
             used + g_array_index (work->items, Item, end).width + GAP * (end - first) <= work->layout->width)
        {
          item = &g_array_index (work->items, Item, end++);
          used += item->width;
          height = MAX (height, item->height);
        }
      place_row (work, first, end, used, height, end == work->items->len);
      first = end;
    }
}

MtCanvasLayout *
mt_canvas_layout_new (const double *sizes,
                      guint         n_cards,
                      double        width,
                      double        page_height,
                      double        formula_height)
{
  MtCanvasLayout *self;
  Work work = { sizes };

  g_return_val_if_fail (sizes != NULL || n_cards == 0, NULL);
  g_return_val_if_fail (width > 4 * PAD, NULL);

  self = g_new0 (MtCanvasLayout, 1);
  self->width = width;
  self->page_height = page_height;
  self->n_pages = 1;
  self->n_cards = n_cards;
  self->cards = g_new0 (MtCanvasCard, MAX (1, n_cards));
  work.layout = self;
  work.order = g_new (guint, MAX (1, n_cards));
  work.items = g_array_new (FALSE, FALSE, sizeof (Item));
  make_items (&work);
  place_rows (&work);
  make_room (&work, formula_height);
  self->formula_y = work.y;
  self->height = page_height > 0 ? self->n_pages * page_height : work.y + formula_height;
  g_array_unref (work.items);
  g_free (work.order);
  return self;
}

void
mt_canvas_layout_free (MtCanvasLayout *self)
{
  if (self == NULL)
    return;
  g_free (self->cards);
  g_free (self);
}

int
mt_canvas_layout_hit (const MtCanvasLayout *self,
                      double                x,
                      double                y)
{
  for (guint c = 0; c < self->n_cards; c++)
    {
      const MtCanvasCard *card = &self->cards[c];

      if (x >= card->x && x < card->x + card->width && y >= card->y && y < card->y + card->height)
        return (int) c;
    }
  return -1;
}
