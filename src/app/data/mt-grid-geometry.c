/* Where rows and columns of the grid stand. See mt-grid-geometry.h. */
#include "config.h"
#include "mt-grid-geometry.h"

#include <math.h>
#include <string.h>

#define SAMPLE_ROWS   8      /* cells looked at to guess a width */
#define CELL_PADDING  22.0
#define BOLD_SHARE    1.12   /* of a letter of a name to a digit of a cell */
#define NAME_PADDING  46.0   /* icon and margins next to a name */
#define LEAST_WIDTH   108.0  /* "99.9% missing" below the bars; or so many digits, where text is large */
#define LEAST_DIGITS  12.5
#define MOST_WIDTH    260.0
#define LEVELS_WIDTH  112.0  /* bars with their names beside them */
#define LEVELS_DIGITS 13.0
#define DATES_DIGITS  18.0   /* the first and the last date below the bars, in small letters */
#define FREEZE_BEYOND 520.0  /* narrower grids have no room for a column that stays */

void
mt_grid_geometry_clear (MtGridGeometry *self)
{
  g_clear_pointer (&self->order, g_free);
  g_clear_pointer (&self->x, g_free);
  self->n_places = 0;
  self->n_rows = 0;
}

static double
guess_width (const MtColumn *column,
             double          digit)
{
  double name = (double) g_utf8_strlen (mt_column_get_name (column), 64) * digit * BOLD_SHARE + NAME_PADDING;
  double least = mt_column_get_store (column) == MT_STORE_CODES ? MAX (LEVELS_WIDTH, LEVELS_DIGITS * digit)
                                                                : MAX (LEAST_WIDTH, LEAST_DIGITS * digit);
  gsize n = MIN (mt_column_get_n_rows (column), SAMPLE_ROWS);
  glong longest = 0;

  if (mt_column_get_type (column) == MT_TYPE_DATE)
    least = MAX (least, DATES_DIGITS * digit + CELL_PADDING);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *text = mt_column_dup_text (column, i);

      longest = MAX (longest, g_utf8_strlen (text, MIN ((gssize) strlen (text), 256)));
    }
  return rint (CLAMP (MAX (name, (double) longest * digit + CELL_PADDING), least, MAX (MOST_WIDTH, least)));
}

void
mt_grid_geometry_set_table (MtGridGeometry *self,
                            const MtTable  *table,
                            double          digit)
{
  int target = mt_table_get_target (table);
  double x = 0;

  mt_grid_geometry_clear (self);
  self->n_places = mt_table_get_n_columns (table);
  self->n_rows = mt_table_get_n_rows (table);
  self->order = g_new (guint, MAX (self->n_places, 1));
  self->x = g_new (double, self->n_places + 1);
  for (guint place = 0; place < self->n_places; place++)
    {
      guint column = target < 0 || place > (guint) target ? place : place == 0 ? (guint) target : place - 1;

      self->order[place] = column;
      self->x[place] = x;
      x += guess_width (mt_table_get_column (table, column), digit);
    }
  self->x[self->n_places] = x;
  self->n_frozen = target >= 0 ? 1 : 0;
  self->number_width = rint (MAX (3, floor (log10 ((double) MAX (self->n_rows, 1))) + 1) * digit + 18);
}

double
mt_grid_geometry_get_width (const MtGridGeometry *self,
                            guint                 place)
{
  return self->x[place + 1] - self->x[place];
}

void
mt_grid_geometry_set_width (MtGridGeometry *self,
                            guint           place,
                            double          width)
{
  double more;

  g_return_if_fail (place < self->n_places);

  more = rint (CLAMP (width, 48, 2000)) - mt_grid_geometry_get_width (self, place);
  for (guint i = place + 1; i <= self->n_places; i++)
    self->x[i] += more;
}

static guint
frozen_now (const MtGridGeometry *self)
{
  return self->width >= FREEZE_BEYOND ? MIN (self->n_frozen, self->n_places) : 0;
}

double
mt_grid_geometry_get_x (const MtGridGeometry *self,
                        guint                 place)
{
  return self->number_width + self->x[place] - (place < frozen_now (self) ? 0 : self->scroll_x);
}

double
mt_grid_geometry_frozen_end (const MtGridGeometry *self)
{
  return self->number_width + (self->n_places > 0 ? self->x[frozen_now (self)] : 0);
}

double
mt_grid_geometry_full_width (const MtGridGeometry *self)
{
  return self->number_width + (self->n_places > 0 ? self->x[self->n_places] : 0);
}

double
mt_grid_geometry_full_height (const MtGridGeometry *self)
{
  return (double) self->n_rows * self->row_height;
}

/* The last place whose left edge is at or before @x (from the end of the numbers column). */
static guint
place_at (const MtGridGeometry *self,
          double                x)
{
  guint low = 0, high = self->n_places;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (self->x[middle] <= x)
        low = middle;
      else
        high = middle;
    }
  return low;
}

void
mt_grid_geometry_get_places (const MtGridGeometry *self,
                             guint                *first,
                             guint                *last)
{
  double from, to;

  *first = *last = 0;
  if (self->n_places == 0)
    return;
  from = self->x[frozen_now (self)] + self->scroll_x;
  to = self->width - self->number_width + self->scroll_x;
  *first = MAX (place_at (self, from), frozen_now (self));
  *last = to <= from ? *first : MIN (place_at (self, to) + 1, self->n_places);
}

void
mt_grid_geometry_get_rows (const MtGridGeometry *self,
                           gsize                *first,
                           gsize                *last)
{
  double visible = self->height - self->header_height;

  *first = MIN ((gsize) MAX (0, floor (self->scroll_y / self->row_height)), self->n_rows);
  *last = visible <= 0 ? *first
          : MIN ((gsize) ceil ((self->scroll_y + visible) / self->row_height), self->n_rows);
}

gboolean
mt_grid_geometry_find_place (const MtGridGeometry *self,
                             double                x,
                             guint                *place)
{
  double from = x - self->number_width;

  if (self->n_places == 0 || from < 0)
    return FALSE;
  if (x >= mt_grid_geometry_frozen_end (self))
    from += self->scroll_x;
  if (from >= self->x[self->n_places])
    return FALSE;
  *place = place_at (self, from);
  return TRUE;
}

gboolean
mt_grid_geometry_find_row (const MtGridGeometry *self,
                           double                y,
                           gsize                *row)
{
  double from = y - self->header_height + self->scroll_y;

  if (y < self->header_height || from < 0 || from >= mt_grid_geometry_full_height (self))
    return FALSE;
  *row = (gsize) (from / self->row_height);
  return TRUE;
}

void
mt_grid_geometry_reveal (const MtGridGeometry *self,
                         guint                 place,
                         gsize                 row,
                         double               *scroll_x,
                         double               *scroll_y)
{
  double visible = self->height - self->header_height;
  double top = (double) row * self->row_height;

  *scroll_x = self->scroll_x;
  *scroll_y = self->scroll_y;
  if (place >= frozen_now (self) && place < self->n_places)
    {
      double most = self->x[place] - self->x[frozen_now (self)];
      double least = self->x[place + 1] - (self->width - self->number_width);

      /* The left edge matters more when a column is wider than the view. */
      *scroll_x = MIN (MAX (*scroll_x, least), most);
    }
  *scroll_y = MIN (MAX (*scroll_y, top + self->row_height - visible), top);
}
