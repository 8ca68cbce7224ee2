/* A column of codes is searched by its levels, once; numbers are written out only when the
 * query could be part of a number. The places to look at form a ring: the names of the
 * columns, then row by row; a step forwards or backwards from the last match, until the
 * ring closes. */
#include "config.h"
#include "mt-search.h"

#include <string.h>

#define CELLS_BETWEEN_CHECKS 8192

typedef struct {
  const MtColumn *column;
  guint8         *levels;     /* codes: whether each level matches */
  gboolean        possible;   /* any cell could match at all */
} Place;

typedef struct {
  char *folded;
  gsize length;
  gboolean ascii;
} Needle;

static gboolean
contains_ascii (const char   *text,
                gsize         length,
                const Needle *needle)
{
  for (gsize i = 0; i + needle->length <= length; i++)
    {
      gsize j = 0;

      while (j < needle->length && g_ascii_tolower (text[i + j]) == needle->folded[j])
        j++;
      if (j == needle->length)
        return TRUE;
    }
  return FALSE;
}

static gboolean
contains (const char   *text,
          gsize         length,
          const Needle *needle)
{
  g_autofree char *folded = NULL;
  gboolean ascii = TRUE;

  for (gsize i = 0; i < length && ascii; i++)
    ascii = (guchar) text[i] < 128;
  if (ascii)
    return needle->ascii && contains_ascii (text, length, needle);
  folded = g_utf8_casefold (text, (gssize) length);
  return strstr (folded, needle->folded) != NULL;
}

static gboolean
could_be_number (const char *query)
{
  return query[strspn (query, "0123456789+-.eEinfINFtT:")] == '\0';
}

static gboolean
cell_matches (const Place  *place,
              gsize         row,
              const Needle *needle)
{
  gsize length;
  const char *text;

  switch (mt_column_get_store (place->column))
    {
    case MT_STORE_CODES:
      {
        guint32 code = mt_column_get_code (place->column, row);
        return code != MT_CODE_MISSING && place->levels[code];
      }
    case MT_STORE_TEXT:
      text = mt_column_peek_text (place->column, row, &length);
      return text != NULL && contains (text, length, needle);
    case MT_STORE_NUMBERS:
    default:
      {
        g_autofree char *number = mt_column_dup_text (place->column, row);
        return contains (number, strlen (number), needle);
      }
    }
}

static Place *
look_at_columns (const MtTable *table,
                 const guint   *order,
                 guint          n_order,
                 const char    *query,
                 const Needle  *needle)
{
  Place *places = g_new0 (Place, MAX (n_order, 1));

  for (guint i = 0; i < n_order; i++)
    {
      Place *place = &places[i];

      place->column = mt_table_get_column (table, order[i]);
      if (mt_column_get_store (place->column) == MT_STORE_CODES)
        {
          guint n_levels = mt_column_get_n_levels (place->column);

          place->levels = g_new0 (guint8, MAX (n_levels, 1));
          for (guint level = 0; level < n_levels; level++)
            {
              const char *name = mt_column_get_level (place->column, level);

              place->levels[level] = contains (name, strlen (name), needle);
              place->possible = place->possible || place->levels[level];
            }
        }
      else
        place->possible = mt_column_get_store (place->column) == MT_STORE_TEXT || could_be_number (query);
    }
  return places;
}

gboolean
mt_search_table (const MtTable    *table,
                 const guint      *order,
                 guint             n_order,
                 const MtRowList  *list,
                 const char       *query,
                 const MtMatch    *from,
                 gboolean          backwards,
                 MtMatch          *match,
                 GCancellable     *cancellable,
                 GError          **error)
{
  g_autofree char *folded = NULL;
  Place *places;
  Needle needle;
  const guint32 *rows = NULL;
  gsize n_rows;
  guint64 n_total, position;
  gboolean found = FALSE;

  g_return_val_if_fail (table != NULL && query != NULL && match != NULL, FALSE);

  n_rows = mt_table_get_n_rows (table);
  if (list != NULL)
    rows = mt_row_list_get_rows (list, &n_rows);
  n_total = ((guint64) n_rows + 1) * n_order;
  if (*query == '\0' || n_order == 0 || !g_utf8_validate (query, -1, NULL))
    return FALSE;
  folded = g_utf8_casefold (query, -1);
  needle = (Needle) { folded, strlen (folded), g_str_is_ascii (folded) };
  places = look_at_columns (table, order, n_order, query, &needle);

  position = from == NULL ? (backwards ? 0 : n_total - 1)
             : from->in_header ? from->place
                               : n_order + (guint64) from->row * n_order + from->place;
  for (guint64 step = 0; step < n_total && !found; step++)
    {
      guint column;

      if (step % CELLS_BETWEEN_CHECKS == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        break;
      position = backwards ? (position + n_total - 1) % n_total : (position + 1) % n_total;
      column = (guint) (position % n_order);
      if (position < n_order)
        {
          const char *name = mt_column_get_name (places[column].column);

          found = contains (name, strlen (name), &needle);
        }
      else
        {
          gsize row = (gsize) (position / n_order - 1);

          found = places[column].possible && cell_matches (&places[column], rows != NULL ? rows[row] : row, &needle);
        }
    }
  if (found)
    *match = (MtMatch) {
      position < n_order, (guint) (position % n_order),
      position < n_order ? 0 : (gsize) (position / n_order - 1)
    };

  for (guint i = 0; i < n_order; i++)
    g_free (places[i].levels);
  g_free (places);
  return found;
}
