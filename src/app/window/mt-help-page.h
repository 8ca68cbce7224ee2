/* One page of help: a Markdown file of docs/ turned into widgets.
 *
 * It reads what our pages use of Markdown: headings, paragraphs, lists, quotes, tables, fenced and indented code,
 * pictures, comments (left out), and within a line bold, italic, code and links. Everything else is shown as
 * it is written. Pages and pictures are resources of the program, so they are the same whether it is installed or not. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define MT_HELP_PREFIX "/io/github/minterm/Minterm/docs/"

typedef struct {
  char      *name;       /* "What-if" */
  char      *anchor;     /* "what-if", as in page.md#what-if */
  guint      level;      /* 1: the page's own */
  GtkWidget *widget;     /* borrowed from the page */
} MtHelpHeading;

/* @target: as the page has it, for instance "findings.md" or "#keys". TRUE: it was shown. */
typedef gboolean (*MtHelpLinkFunc) (const char *target,
                                    gpointer    user_data);

/* @path: below docs/, for instance "how-to/find-a-leak.md". @headings: (element-type MtHelpHeading) are appended.
 * NULL: there is no such page. */
GtkWidget *mt_help_page_new         (const char     *path,
                                     GPtrArray      *headings,
                                     MtHelpLinkFunc  follow,
                                     gpointer        user_data);
void       mt_help_heading_free     (MtHelpHeading  *heading);
/* Where a link of the page @from leads, without its anchor: "../findings.md" of "how-to/a.md" is "findings.md". */
char      *mt_help_resolve          (const char     *from,
                                     const char     *target);
/* Where it is on the web, for what is not part of the program. */
char      *mt_help_dup_uri          (const char     *from,
                                     const char     *target);
/* Is there such a page, or picture, in the program? */
gboolean   mt_help_exists           (const char     *path);

G_END_DECLS
