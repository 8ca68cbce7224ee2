/* One page of help: a Markdown file of docs/ turned into widgets. See mt-help-page.h. */
#include "config.h"
#include "mt-help-page.h"

#include "util/mt-scroll-guard.h"

#include <string.h>

/* Where pages and files are that are not part of the program. */
#define ON_THE_WEB "https://github.com/minterm/minterm/blob/main/"

typedef struct {
  const char     *path;
  GtkBox         *text;
  GPtrArray      *headings;
  MtHelpLinkFunc  follow;
  gpointer        user_data;
} Page;

/* --- paths --- */

char *
mt_help_resolve (const char *from,
                 const char *target)
{
  g_autofree char *bare = g_strndup (target, strcspn (target, "#"));
  g_autofree char *rooted = g_strconcat ("/", from, NULL);
  g_autofree char *folder = g_path_get_dirname (rooted);
  g_autofree char *whole = g_canonicalize_filename (*bare != '\0' ? bare : rooted, folder);

  return g_strdup (whole + 1);
}

char *
mt_help_dup_uri (const char *from,
                 const char *target)
{
  g_autofree char *page = g_strconcat ("docs/", from, NULL);
  g_autofree char *path = mt_help_resolve (page, target);

  return g_uri_peek_scheme (target) != NULL ? g_strdup (target) : g_strconcat (ON_THE_WEB, path, NULL);
}

static char *
resource_of (const char *path)
{
  return g_strconcat (MT_HELP_PREFIX, path, NULL);
}

gboolean
mt_help_exists (const char *path)
{
  g_autofree char *resource = resource_of (path);

  return g_resources_get_info (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
}

/* As GitHub makes anchors of headings: lower case, blanks to hyphens, no punctuation. */
static char *
make_anchor (const char *name)
{
  GString *anchor = g_string_new (NULL);

  for (; *name != '\0'; name = g_utf8_next_char (name))
    {
      gunichar c = g_unichar_tolower (g_utf8_get_char (name));

      if (c == ' ' || c == '-')
        g_string_append_c (anchor, '-');
      else if (g_unichar_isalnum (c) || c == '_')
        g_string_append_unichar (anchor, c);
    }
  return g_string_free (anchor, FALSE);
}

void
mt_help_heading_free (MtHelpHeading *heading)
{
  g_free (heading->name);
  g_free (heading->anchor);
  g_free (heading);
}

/* --- within a line --- */

static void append_markup (GString    *out,
                           const char *text,
                           gsize       length);

static void
append_escaped (GString    *out,
                const char *text,
                gsize       length)
{
  g_autofree char *escaped = g_markup_escape_text (text, (gssize) length);

  g_string_append (out, escaped);
}

/* What stands between two marks, if the second one follows; returns what was read, or 0. */
static gsize
append_marked (GString    *out,
               const char *text,
               gsize       length,
               const char *mark,
               const char *tag)
{
  gsize n = strlen (mark);
  const char *end;

  if (length <= n || strncmp (text, mark, n) != 0 || text[n] == ' ')
    return 0;
  end = g_strstr_len (text + n, (gssize) (length - n), mark);
  if (end == NULL || end == text + n)
    return 0;
  g_string_append_printf (out, "<%s>", tag);
  if (*mark == '`')
    append_escaped (out, text + n, (gsize) (end - text) - n);
  else
    append_markup (out, text + n, (gsize) (end - text) - n);
  g_string_append_printf (out, "</%s>", tag);
  return (gsize) (end - text) + n;
}

static gsize
append_link (GString    *out,
             const char *text,
             gsize       length)
{
  const char *middle = *text == '[' ? g_strstr_len (text, (gssize) length, "](") : NULL;
  const char *end = middle != NULL ? memchr (middle, ')', length - (gsize) (middle - text)) : NULL;

  if (end == NULL)
    return 0;
  g_string_append (out, "<a href=\"");
  append_escaped (out, middle + 2, (gsize) (end - middle) - 2);
  g_string_append (out, "\">");
  append_markup (out, text + 1, (gsize) (middle - text) - 1);
  g_string_append (out, "</a>");
  return (gsize) (end - text) + 1;
}

static void
append_markup (GString    *out,
               const char *text,
               gsize       length)
{
  const char *end = text + length;

  while (text < end)
    {
      gsize left = (gsize) (end - text), n;

      if ((n = append_marked (out, text, left, "`", "tt")) == 0 && (n = append_marked (out, text, left, "**", "b")) == 0 &&
          (n = append_marked (out, text, left, "*", "i")) == 0 && (n = append_link (out, text, left)) == 0)
        {
          n = (gsize) (g_utf8_next_char (text) - text);
          append_escaped (out, text, n);
        }
      text += n;
    }
}

/* --- labels --- */

static gboolean
on_link (GtkLabel   *label,
         const char *uri,
         const Page *page)
{
  return page->follow (uri, page->user_data);
}

static GtkWidget *
make_label (const Page *page,
            const char *text,
            const char *style)
{
  g_autoptr (GString) markup = g_string_new (NULL);
  GtkWidget *label = gtk_label_new (NULL);

  append_markup (markup, text, strlen (text));
  gtk_label_set_markup (GTK_LABEL (label), markup->str);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  g_signal_connect (label, "activate-link", G_CALLBACK (on_link), (gpointer) page);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

/* --- blocks: each takes its lines from @first on and returns where it ends --- */

static void
add_heading (Page       *page,
             const char *line)
{
  guint level = (guint) strspn (line, "#");
  MtHelpHeading *heading = g_new0 (MtHelpHeading, 1);

  heading->level = level;
  heading->name = g_strstrip (g_strdup (line + level));
  heading->anchor = make_anchor (heading->name);
  heading->widget = make_label (page, heading->name, level == 1 ? "title-1" : level == 2 ? "title-2" : "title-4");
  gtk_widget_set_margin_top (heading->widget, level == 1 ? 0 : 12);
  gtk_box_append (page->text, heading->widget);
  g_ptr_array_add (page->headings, heading);
}

/* "![words](picture.png)", as wide as the text; a picture that is not here leaves its words. */
static void
add_picture (Page       *page,
             const char *line)
{
  const char *middle = strstr (line, "]("), *end = middle != NULL ? strchr (middle, ')') : NULL;
  g_autofree char *words = middle != NULL ? g_strndup (line + 2, (gsize) (middle - line) - 2) : NULL;
  g_autofree char *target = end != NULL ? g_strndup (middle + 2, (gsize) (end - middle) - 2) : NULL;
  g_autofree char *path = target != NULL ? mt_help_resolve (page->path, target) : NULL;
  g_autofree char *resource = path != NULL ? resource_of (path) : NULL;
  GtkWidget *picture;

  if (path == NULL || !mt_help_exists (path))
    {
      gtk_box_append (page->text, make_label (page, words != NULL ? words : line, "dim-label"));
      return;
    }
  picture = gtk_picture_new_for_resource (resource);
  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_picture_set_alternative_text (GTK_PICTURE (picture), words);
  gtk_widget_set_tooltip_text (picture, words);
  gtk_widget_add_css_class (picture, "card");
  gtk_widget_set_overflow (picture, GTK_OVERFLOW_HIDDEN);
  gtk_box_append (page->text, picture);
}

static gboolean
is_rule (const char *line)
{
  return strspn (line, "|- :") == strlen (line);
}

static guint
add_table (Page   *page,
           char  **lines,
           guint   first)
{
  GtkWidget *grid = gtk_grid_new ();
  guint i = first;

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  for (; lines[i] != NULL && lines[i][0] == '|'; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], "|", -1);
      guint n = g_strv_length (cells);

      for (guint c = 1; c + 1 < n && !is_rule (lines[i]); c++)
        {
          GtkWidget *cell = make_label (page, g_strstrip (cells[c]), i == first ? "heading" : NULL);

          gtk_widget_set_hexpand (cell, c + 2 == n);
          gtk_label_set_width_chars (GTK_LABEL (cell), n > 5 ? 5 : c == 1 ? 12 : 10);
          gtk_grid_attach (GTK_GRID (grid), cell, (int) c, (int) (i - first), 1, 1);
        }
    }
  gtk_box_append (page->text, grid);
  return i;
}

static void
add_code (Page       *page,
          const char *code)
{
  GtkWidget *label = gtk_label_new (code), *scrolled = gtk_scrolled_window_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "monospace");
  gtk_widget_set_margin_bottom (label, 6);
  mt_scroll_sideways (scrolled);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), label);
  gtk_box_append (page->text, scrolled);
}

static guint
add_fenced_code (Page   *page,
                 char  **lines,
                 guint   first)
{
  g_autoptr (GString) code = g_string_new (NULL);
  guint i;

  for (i = first + 1; lines[i] != NULL && !g_str_has_prefix (lines[i], "```"); i++)
    g_string_append_printf (code, "%s%s", code->len > 0 ? "\n" : "", lines[i]);
  add_code (page, code->str);
  return lines[i] != NULL ? i + 1 : i;
}

static guint
add_indented_code (Page   *page,
                   char  **lines,
                   guint   first)
{
  g_autoptr (GString) code = g_string_new (NULL);
  guint i;

  for (i = first; lines[i] != NULL && g_str_has_prefix (lines[i], "    "); i++)
    g_string_append_printf (code, "%s%s", code->len > 0 ? "\n" : "", lines[i] + 4);
  add_code (page, code->str);
  return i;
}

static guint
skip_comment (char  **lines,
              guint   first)
{
  guint i = first;

  while (lines[i] != NULL && strstr (lines[i], "-->") == NULL)
    i++;
  return lines[i] != NULL ? i + 1 : i;
}

static gboolean
begins_item (const char *line)
{
  return g_str_has_prefix (line, "- ") || (g_ascii_isdigit (line[0]) && line[1] == '.');
}

/* Lines of other kinds end a paragraph. */
static gboolean
begins_block (const char *line)
{
  return *line == '\0' || *line == '#' || *line == '|' || g_str_has_prefix (line, "```") || g_str_has_prefix (line, "![") ||
         begins_item (line);
}

/* An item of a list: its bullet or number, and the text next to it. */
static GtkWidget *
make_item (const char *mark,
           GtkWidget  *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9), *label = gtk_label_new (mark);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), 2);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), text);
  return box;
}

/* A paragraph, a quote or an item of a list: lines up to a blank one, or the next item. */
static guint
add_text (Page   *page,
          char  **lines,
          guint   first)
{
  gboolean is_item = begins_item (lines[first]), is_quote = lines[first][0] == '>';
  g_autofree char *mark = is_item && lines[first][0] != '-' ? g_strndup (lines[first], 2) : g_strdup ("•");
  g_autoptr (GString) text = g_string_new (NULL);
  GtkWidget *label;
  guint i;

  for (i = first; lines[i] != NULL && (i == first || !begins_block (lines[i])); i++)
    {
      const char *line = g_strstrip (lines[i]);

      if (is_item && i == first)
        line += strcspn (line, " ");
      if (is_quote && *line == '>')
        line++;
      line += strspn (line, " ");
      g_string_append_printf (text, "%s%s", i > first ? " " : "", line);
    }
  label = make_label (page, text->str, NULL);
  gtk_widget_set_margin_start (label, is_quote ? 18 : 0);
  gtk_box_append (page->text, is_item ? make_item (mark, label) : label);
  return i;
}

static void
add_blocks (Page  *page,
            char **lines)
{
  guint i = 0;

  while (lines[i] != NULL)
    {
      const char *line = lines[i];

      if (*line == '\0')
        i++;
      else if (g_str_has_prefix (line, "<!--"))
        i = skip_comment (lines, i);
      else if (g_str_has_prefix (line, "!["))
        add_picture (page, lines[i++]);
      else if (*line == '#')
        add_heading (page, lines[i++]);
      else if (*line == '|')
        i = add_table (page, lines, i);
      else if (g_str_has_prefix (line, "```"))
        i = add_fenced_code (page, lines, i);
      else if (g_str_has_prefix (line, "    "))
        i = add_indented_code (page, lines, i);
      else
        i = add_text (page, lines, i);
    }
}

static void
free_page (gpointer data)
{
  Page *page = data;

  g_free ((char *) page->path);
  g_free (page);
}

GtkWidget *
mt_help_page_new (const char     *path,
                  GPtrArray      *headings,
                  MtHelpLinkFunc  follow,
                  gpointer        user_data)
{
  g_autofree char *resource = resource_of (path);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *markdown = NULL;
  g_auto (GStrv) lines = NULL;
  GtkWidget *text;
  Page *page;

  if (bytes == NULL)
    return NULL;
  markdown = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  lines = g_strsplit (markdown, "\n", -1);
  text = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  page = g_new0 (Page, 1);
  *page = (Page) { g_strdup (path), GTK_BOX (text), headings, follow, user_data };
  g_object_set_data_full (G_OBJECT (text), "mt-help-page", page, free_page);
  add_blocks (page, lines);
  return text;
}
