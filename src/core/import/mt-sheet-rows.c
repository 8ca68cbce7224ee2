/* The cells of a sheet as lines of text. See mt-sheet-rows.h. */
#include "config.h"
#include "mt-sheet-rows.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-source-text.h"

#define HELD_ROWS  1000
#define HELD_BYTES (256u * 1024)
#define MAX_READY  (256u * 1024 * 1024)    /* bytes that one piece of a sheet may become */

void
mt_sheet_rows_init (MtSheetRows *self)
{
  *self = (MtSheetRows) {
    .out = g_string_new (NULL),
    .held = g_string_new (NULL),
    .held_cells = g_array_new (FALSE, FALSE, sizeof (guint)),
    .line = g_string_new (NULL),
  };
}

void
mt_sheet_rows_clear (MtSheetRows *self)
{
  if (self->out == NULL)
    return;
  g_string_free (self->out, TRUE);
  g_string_free (self->held, TRUE);
  g_array_unref (self->held_cells);
  g_string_free (self->line, TRUE);
  self->out = NULL;
}

gboolean
mt_sheet_rows_cell (MtSheetRows  *self,
                    guint         column,
                    const char   *text,
                    gsize         length,
                    GError      **error)
{
  if (length == 0)
    return TRUE;
  if (column >= MT_SHEET_MAX_COLUMNS)
    return mt_refuse (error, MT_ERROR_BUDGET, _("Row %u has more than %u columns"), self->n_rows + self->n_blank + 1,
                      MT_SHEET_MAX_COLUMNS);
  for (; self->n_cells < column; self->n_cells++)
    if (self->n_cells > 0)
      g_string_append_c (self->line, ',');
  mt_source_append_cell (self->line, column == 0, text, (gssize) length);
  self->n_cells = column + 1;
  self->n_filled++;
  return TRUE;
}

static void
append_line (MtSheetRows *self,
             const char  *line,
             gsize        length,
             guint        n_cells)
{
  g_string_append_len (self->out, line, (gssize) length);
  for (guint c = MAX (n_cells, 1); n_cells > 0 && c < self->width; c++)
    g_string_append_c (self->out, ',');
  g_string_append_c (self->out, '\n');
}

/* The width is that of the widest row so far. */
static void
let_flow (MtSheetRows *self)
{
  const char *line = self->held->str;

  self->flowing = TRUE;
  for (guint r = 0; r < self->held_cells->len; r++)
    {
      const char *end = strchr (line, '\n');

      append_line (self, line, (gsize) (end - line), g_array_index (self->held_cells, guint, r));
      line = end + 1;
    }
  g_string_truncate (self->held, 0);
  g_array_set_size (self->held_cells, 0);
}

static gboolean
add_line (MtSheetRows  *self,
          const char   *line,
          gsize         length,
          guint         n_cells,
          GError      **error)
{
  if (++self->n_rows > MT_SHEET_MAX_ROWS)
    return mt_refuse (error, MT_ERROR_BUDGET, _("The sheet has more than %u rows"), MT_SHEET_MAX_ROWS);
  if (self->flowing)
    {
      append_line (self, line, length, n_cells);
      return self->out->len < MAX_READY ||
             mt_refuse (error, MT_ERROR_BUDGET, _("Row %u is repeated so often that the table would be too large"), self->n_rows);
    }
  g_string_append_len (self->held, line, (gssize) length);
  g_string_append_c (self->held, '\n');
  g_array_append_val (self->held_cells, n_cells);
  self->width = MAX (self->width, n_cells);
  if (self->held_cells->len >= HELD_ROWS || self->held->len > HELD_BYTES)
    let_flow (self);
  return TRUE;
}

gboolean
mt_sheet_rows_end (MtSheetRows  *self,
                   guint         row,
                   guint         n_times,
                   GError      **error)
{
  guint n_cells = self->n_cells;
  gboolean ok = TRUE;

  if (row > self->n_rows + self->n_blank + 1)
    self->n_blank = MIN (row, MT_SHEET_MAX_ROWS) - self->n_rows - 1;
  if (n_cells == 0)
    {
      /* Blank rows count once another row follows. */
      self->n_blank = MIN (self->n_blank + n_times, MT_SHEET_MAX_ROWS);
      return TRUE;
    }
  for (; ok && self->n_blank > 0; self->n_blank--)
    ok = add_line (self, "", 0, 0, error);
  if (self->n_filled >= 2 && self->header_row == 0)
    self->header_row = self->n_rows + 1;
  for (; ok && n_times > 0; n_times--)
    ok = add_line (self, self->line->str, self->line->len, n_cells, error);
  g_string_truncate (self->line, 0);
  self->n_cells = self->n_filled = 0;
  return ok;
}

void
mt_sheet_rows_finish (MtSheetRows *self)
{
  if (!self->flowing)
    let_flow (self);
}

gboolean
mt_sheet_rows_merged (MtSheetRows  *self,
                      guint         first,
                      guint         last,
                      const char   *where,
                      GError      **error)
{
  if (self->header_row == 0 || last < self->header_row)
    return TRUE;    /* a title above the table */
  if (first <= self->header_row)
    mt_refuse (error, MT_ERROR_PARSE,
               _("Row %u has merged cells%s%s among the column names: unmerge them, and give each column one name "
                 "in one row"), MAX (first, 1), where != NULL ? " " : "", where != NULL ? where : "");
  else
    mt_refuse (error, MT_ERROR_PARSE,
               _("Row %u has merged cells%s%s, of which only the first has a value: unmerge them, and fill in the others"), first,
               where != NULL ? " " : "", where != NULL ? where : "");
  mt_error_set_line (error, first);
  return FALSE;
}
