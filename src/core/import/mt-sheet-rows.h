/* The cells of a sheet as lines of text: what XLSX and ODS share. Private to the room.
 *
 * A sheet leaves out what is empty: rows become blank lines, so that a line of the text has the number of its row, and
 * every row is filled up to as many cells as the widest of the first rows has. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_SHEET_MAX_ROWS    1048576u    /* what the formats allow */
#define MT_SHEET_MAX_COLUMNS 16384u

typedef struct {
  GString *out;         /* lines that are ready; the reader takes them */
  GString *held;        /* the first rows, … */
  GArray  *held_cells;  /* … of guint: how many cells each has */
  gsize    n_held;      /* bytes */
  gboolean flowing;     /* the width is known */
  guint    width;

  GString *line;        /* the row in hand */
  guint    n_cells;     /* in it, up to the last that is not empty */
  guint    n_filled;
  guint    n_rows;      /* written, also blank ones */
  guint    n_blank;     /* before the row in hand, not written yet */
  guint    header_row;  /* the first with two cells filled, from 1; 0: none so far */
} MtSheetRows;

void     mt_sheet_rows_init   (MtSheetRows *self);
void     mt_sheet_rows_clear  (MtSheetRows *self);
/* Cells come from left to right; an empty one need not come. @column from 0. */
gboolean mt_sheet_rows_cell   (MtSheetRows *self, guint column, const char *text, gsize length, GError **error);
/* The row in hand is complete, and occurs @n_times. @row: its number, from 1. */
gboolean mt_sheet_rows_end    (MtSheetRows *self, guint row, guint n_times, GError **error);
/* No more rows come. */
void     mt_sheet_rows_finish (MtSheetRows *self);
/* Cells from @first to @last row are merged: refused where the table is. @where: "B1:C1", or NULL. */
gboolean mt_sheet_rows_merged (MtSheetRows *self, guint first, guint last, const char *where, GError **error);

G_END_DECLS
