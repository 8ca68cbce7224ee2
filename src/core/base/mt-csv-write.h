/* CSV for others to read: RFC 4180, UTF-8, a comma, CRLF never. A text cell that a spreadsheet
 * would take for a formula (it begins with = + - @ TAB or CR and is not a number) gets an
 * apostrophe in front. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends a cell, with a comma in front unless it is the first of its line. */
void mt_csv_append_text   (GString *line, const char *text);
void mt_csv_append_as_is  (GString *line, const char *text);   /* formulas stay formulas */
void mt_csv_append_number (GString *line, double value);   /* not finite: an empty cell */
void mt_csv_end_line      (GString *line);

G_END_DECLS
