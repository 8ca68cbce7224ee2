/* Text on a terminal: how wide it is, colours where they are wanted, tables whose columns
 * stay aligned whatever the script, and a progress line. Nothing here depends on the locale;
 * everything goes out as UTF-8. */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

typedef enum {
  MT_STYLE_PLAIN,
  MT_STYLE_BOLD,
  MT_STYLE_DIM,
  MT_STYLE_RED,
  MT_STYLE_YELLOW,
  MT_STYLE_CYAN,
} MtCliStyle;

/* Columns of the terminal behind @stream, or $COLUMNS, or 80; at least 40. */
guint    mt_cli_get_width    (FILE *stream);
/* Only on a terminal that can, and never with NO_COLOR set. */
gboolean mt_cli_has_colour   (FILE *stream);

/* Places that @text takes: wide letters take two, combining marks none. */
guint    mt_cli_text_width   (const char *text);
/* A copy without control characters that takes at most @width places; "…" where it was cut. */
char    *mt_cli_fit          (const char *text, guint width);

/* Appends @text in @style; plain when @colour is FALSE. */
void     mt_cli_append_styled (GString *out, gboolean colour, MtCliStyle style, const char *text);
/* Appends @text, made safe and broken at blanks into lines of at most @width places; lines
 * after the first begin with @indent blanks, and the first is taken to begin after @used. */
void     mt_cli_append_wrapped (GString *out, const char *text, guint width, guint indent, guint used);

/* 1234567 as "1,234,567". */
char    *mt_cli_dup_count    (guint64 n);
/* 74911 as "74.9 kB". */
char    *mt_cli_dup_size     (guint64 n_bytes);

/* A table; cells are made safe, and flexible columns are cut, the last one first, where it
 * does not fit; on a narrow terminal the last columns are left out. */
typedef struct {
  const char *title;
  gboolean    right;      /* aligned */
  gboolean    flexible;
} MtCliTableColumn;

typedef struct _MtCliTable MtCliTable;

MtCliTable *mt_cli_table_new     (const MtCliTableColumn *columns, guint n_columns);   /* columns are borrowed */
void        mt_cli_table_free    (MtCliTable *table);
void        mt_cli_table_add     (MtCliTable *table, MtCliStyle style, const char * const *cells);
void        mt_cli_table_append  (const MtCliTable *table, GString *out, guint width, gboolean colour);

/* One line on stderr that is rewritten; nothing at all when stderr is no terminal. */
typedef struct {
  gboolean is_shown;
  gint64   next;          /* not drawn again before */
} MtCliProgress;

/* @fraction below 0: not known how far. */
void     mt_cli_progress_update (MtCliProgress *progress, const char *what, double fraction, const char *detail);
/* Wipes the line; also before anything else is written on the terminal. */
void     mt_cli_progress_clear  (MtCliProgress *progress);

/* All of it, and nothing left in a buffer; FALSE with errno set when it cannot be written. */
gboolean mt_cli_write        (FILE *stream, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtCliTable, mt_cli_table_free)

G_END_DECLS
