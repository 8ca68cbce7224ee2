/* A report as one HTML file. All text goes through mt_quote_append_xml(), figures are inline SVG from
 * the painters: outlines only, without text of the data in them. A policy in the head forbids
 * whatever would be loaded or run, should a reader's program try. */
#include "config.h"
#include "mt-report-private.h"

#include <string.h>

#include "export/mt-export-text.h"

#define MAX_WORD 24     /* letters that are not broken */

static const char style[] =
  "body{font:15px/1.5 Cantarell,sans-serif;max-width:56em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
  "h1,h2,h3{line-height:1.2}h2{margin-top:2.5em}h3{margin-top:1.8em}"
  "table{border-collapse:collapse;margin:.8em 0;font-size:.9em;font-variant-numeric:tabular-nums}"
  "th,td{border-bottom:1px solid #d5d5d5;padding:.25em .8em;text-align:left;vertical-align:top}"
  ".long{overflow-wrap:anywhere}"
  "th{border-bottom:2px solid #bbb;color:#555}th:first-child,td:first-child{padding-left:0}"
  "td.n{white-space:pre}.n{text-align:right;min-width:2.5em}td:empty{min-width:8em;height:2em}"
  "pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f4f4f4;padding:.6em .8em}"
  ".blank{border:2px solid #a40000;padding:.4em .8em}.blank b,.owed{color:#a40000}"
  ".note{color:#606060;font-size:.9em;margin-top:-.6em}"
  ".plus,.minus{font-size:.8em;margin-left:.7em;padding:.1em .7em;border:1.5px solid;border-radius:1em;color:#00806a;"
  "background:#e0f0ed}.minus{border-radius:.2em;color:#c64600;background:#f8e9e0}"
  "p,h1,h2,h3{overflow-wrap:anywhere}figure{margin:1em 0}svg{max-width:100%;height:auto}figcaption{color:#606060;font-size:.9em}"
  "figure.beside{display:inline-block;vertical-align:top;margin:.4em 2em .4em 0;max-width:46%}"
  "figure.beside+table{display:inline-table;vertical-align:top;max-width:48%}"
  "nav{column-width:18em}nav ul{list-style:none;margin:0;padding:0}"
  /* What is wider than a small screen scrolls by itself, so that the text need not. */
  "@media screen and (max-width:40em){figure.beside{max-width:100%}table,figure.beside+table{display:block;max-width:100%;"
  "overflow-x:auto}td:last-child:not(.n){min-width:12em}}"
  "@media print{body{margin:0;max-width:none;font-size:10pt}h2,h3,h2+p,h3+p,.note,.note+p,.note+p+p{break-after:avoid}"
  "p{orphans:3;widows:3}figure,tr,pre{break-inside:avoid}table:not(:has(tr:nth-child(6))){break-inside:avoid}thead{display:table-header-group}.plus,.minus,pre{print-color-adjust:exact}}";

/* Marks of our own around what is to be isolated: no text has them, mt_report_add() writes them out. */
#define FSI "\xe2\x81\xa8"
#define PDI "\xe2\x81\xa9"

static void
append_escaped (GString    *out,
                const char *text)
{
  g_autofree char *isolated = mt_report_isolate (text, FSI, PDI);
  g_auto (GStrv) opened = g_strsplit (isolated, FSI, -1);

  for (guint i = 0; opened[i] != NULL; i++)
    {
      g_auto (GStrv) closed = g_strsplit (opened[i], PDI, 2);

      if (i > 0)
        g_string_append (out, "<bdi>");
      for (guint k = 0; closed[k] != NULL; k++)
        {
          if (k > 0)
            g_string_append (out, "</bdi>");
          mt_quote_append_xml (out, closed[k]);
        }
    }
}

static void
append_text (GString    *out,
             const char *before,
             const char *text,
             const char *after)
{
  g_string_append (out, before);
  append_escaped (out, text);
  g_string_append (out, after);
}

/* Whether the text must be broken within a word, lest it runs off a page. Other columns keep their words whole. */
static gboolean
has_long_word (const char *text)
{
  guint length = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      length = g_unichar_isspace (g_utf8_get_char (p)) ? 0 : length + 1;
      if (length > MAX_WORD)
        return TRUE;
    }
  return FALSE;
}

static void
append_table (GString             *out,
              const MtReportBlock *block,
              GCancellable        *cancellable)
{
  guint n_rows = block->cells->len / block->n_columns;
  g_autofree gboolean *is_right = g_new (gboolean, block->n_columns);

  for (guint c = 0; c < block->n_columns; c++)
    is_right[c] = mt_report_table_is_right (block, c);
  g_string_append (out, "<table>\n");
  for (guint r = 0; r < n_rows && !g_cancellable_is_cancelled (cancellable); r++)
    {
      g_string_append (out, r == 0 ? "<thead><tr>" : "<tr>");
      for (guint c = 0; c < block->n_columns; c++)
        {
          const char *text = g_ptr_array_index (block->cells, r * block->n_columns + c);
          const char *kind = is_right[c] ? " class=\"n\"" : g_str_equal (text, "NOT PROVIDED") ? " class=\"owed\""
                                         : has_long_word (text) ? " class=\"long\"" : "";

          g_string_append_printf (out, "<%s%s>", r == 0 ? "th" : "td", kind);
          append_text (out, "", text, r == 0 ? "</th>" : "</td>");
        }
      g_string_append (out, r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
    }
  g_string_append (out, "</tbody>\n</table>\n");
}

/* Several drawings share one page, so what a drawing calls its parts gets the drawing's number in front. */
static void
append_svg (GString    *out,
            const char *svg,
            gsize       length,
            const char *alt,
            guint       number)
{
  static const char * const marks[] = { " id=\"", "href=\"#", "url(#" };
  const char *p = g_strstr_len (svg, (gssize) length, "<svg");
  const char *end = svg + length;

  if (p != NULL)
    {
      g_string_append (out, "<svg role=\"img\" aria-label=\"");
      mt_quote_append_xml (out, alt);
      g_string_append_c (out, '"');
      p += strlen ("<svg");
    }
  while (p != NULL && p < end)
    {
      guint m;

      for (m = 0; m < G_N_ELEMENTS (marks); m++)
        if ((gsize) (end - p) > strlen (marks[m]) && strncmp (p, marks[m], strlen (marks[m])) == 0)
          break;
      if (m < G_N_ELEMENTS (marks))
        {
          g_string_append_printf (out, "%sf%u-", marks[m], number);
          p += strlen (marks[m]);
        }
      else
        g_string_append_c (out, *p++);
    }
}

static gboolean
append_figure (GString              *out,
               const MtReport       *report,
               guint                 index,
               gboolean              is_beside,
               guint                 number,
               GError              **error)
{
  const MtReportBlock *block = mt_report_get_block (report, index);
  g_autofree char *alt = mt_report_dup_alt (report, index);
  g_autoptr (GBytes) svg = mt_picture_render (MT_PICTURE_SVG, block->width, block->height, 1, block->paint, block->data,
                                              error);
  gsize length;
  const char *text;

  if (svg == NULL)
    return FALSE;
  text = g_bytes_get_data (svg, &length);
  g_string_append (out, is_beside ? "<figure class=\"beside\">\n" : "<figure>\n");
  append_svg (out, text, length, alt, number);
  append_text (out, "<figcaption>", block->text, "</figcaption></figure>\n");
  return TRUE;
}

static void
append_contents (GString        *out,
                 const MtReport *report)
{
  g_string_append (out, "<nav><ul>\n");
  for (guint i = 0; i < mt_report_get_n_blocks (report); i++)
    {
      const MtReportBlock *block = mt_report_get_block (report, i);

      if (block->kind != MT_BLOCK_HEADING || block->level != 1)
        continue;
      g_string_append_printf (out, "<li><a href=\"#%s\">", block->anchor);
      append_text (out, "", block->text, "</a></li>\n");
    }
  g_string_append (out, "</ul></nav>\n");
}

static void
append_heading (GString             *out,
                const MtReportBlock *block)
{
  g_string_append_printf (out, "<h%u id=\"%s\">", block->level + 1, block->anchor);
  append_escaped (out, block->text);
  if (block->badge != NULL)
    append_text (out, *block->badge == '+' ? "<b class=\"plus\"> " : "<b class=\"minus\"> ", block->badge, "</b>");
  g_string_append_printf (out, "</h%u>\n", block->level + 1);
  if (block->note != NULL)
    append_text (out, "<p class=\"note\">", block->note, "</p>\n");
}

static gboolean
append_block (GString              *out,
              const MtReport       *report,
              guint                 index,
              guint                *n_figures,
              GCancellable         *cancellable,
              GError              **error)
{
  const MtReportBlock *block = mt_report_get_block (report, index);
  gboolean is_beside = block->beside && index + 1 < mt_report_get_n_blocks (report) &&
                       mt_report_get_block (report, index + 1)->kind == MT_BLOCK_TABLE;

  switch (block->kind)
    {
    case MT_BLOCK_TITLE:
      append_text (out, "<h1>", block->text, "</h1>\n");
      append_contents (out, report);
      break;
    case MT_BLOCK_HEADING:
      append_heading (out, block);
      break;
    case MT_BLOCK_PARAGRAPH:
      append_text (out, "<p>", block->text, "</p>\n");
      break;
    case MT_BLOCK_CODE:
      append_text (out, "<pre>", block->text, "</pre>\n");
      break;
    case MT_BLOCK_BLANK:
      append_text (out, "<p class=\"blank\">", block->text, ": <b>NOT PROVIDED</b></p>\n");
      break;
    case MT_BLOCK_LINK:
      g_string_append_printf (out, "<p><a href=\"#%s\">", block->anchor);
      append_text (out, "", block->text, "</a></p>\n");
      break;
    case MT_BLOCK_TABLE:
      append_table (out, block, cancellable);
      break;
    case MT_BLOCK_FIGURE:
      return append_figure (out, report, index, is_beside, ++*n_figures, error);
    default:
      g_return_val_if_reached (FALSE);
    }
  return TRUE;
}

GBytes *
mt_report_render_html (const MtReport      *report,
                       const MtReportWait  *wait,
                       GError             **error)
{
  g_autoptr (GString) out = g_string_new ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                                          "style-src 'unsafe-inline'\">\n"
                                          "<meta name=\"viewport\" content=\"width=device-width\">\n");
  guint n_figures = 0;

  g_return_val_if_fail (report != NULL, NULL);

  g_string_append (out, "<title>");
  mt_quote_append_xml (out, mt_report_get_title (report));     /* no marks in here */
  g_string_append (out, "</title>\n");
  g_string_append_printf (out, "<style>%s</style>\n</head>\n<body>\n", style);
  for (guint i = 0; i < mt_report_get_n_blocks (report); i++)
    {
      if (g_cancellable_set_error_if_cancelled (wait->cancellable, error) ||
          !append_block (out, report, i, &n_figures, wait->cancellable, error))
        return NULL;
      mt_report_tell (wait, (i + 1.0) / mt_report_get_n_blocks (report));
    }
  if (g_cancellable_set_error_if_cancelled (wait->cancellable, error))
    return NULL;
  g_string_append (out, "</body>\n</html>\n");
  return g_string_free_to_bytes (g_steal_pointer (&out));
}
