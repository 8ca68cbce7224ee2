/* Reads what the guide uses of Markdown: headings, paragraphs, lists, tables, code, pictures (which are
 * left out), and within a line bold, italic, code and links (of which the text stays). */
#include "config.h"
#include "mt-help-window.h"

#include <glib/gi18n.h>
#include <string.h>

#define GUIDE "/io/github/minterm/Minterm/guide.md"

struct _MtHelpWindow {
  AdwWindow          parent_instance;

  GtkBox            *text;
  GtkListBox        *contents;
  GtkScrolledWindow *scrolled;
  GHashTable        *sections;     /* name → GtkWidget, its heading; borrowed */
};

G_DEFINE_FINAL_TYPE (MtHelpWindow, mt_help_window, ADW_TYPE_WINDOW)

/* --- within a line --- */

typedef struct {
  const char *mark;
  const char *open, *close;
  gboolean    is_open;
} Style;

static char *
make_markup (const char *line)
{
  Style styles[] = { { "**", "<b>", "</b>", FALSE }, { "*", "<i>", "</i>", FALSE }, { "`", "<tt>", "</tt>", FALSE } };
  GString *out = g_string_new (NULL);

  while (*line != '\0')
    {
      gboolean found = FALSE;
      const char *end, *close;

      for (guint i = 0; i < G_N_ELEMENTS (styles) && !found; i++)
        if (g_str_has_prefix (line, styles[i].mark))
          {
            g_string_append (out, styles[i].is_open ? styles[i].close : styles[i].open);
            styles[i].is_open = !styles[i].is_open;
            line += strlen (styles[i].mark);
            found = TRUE;
          }
      if (found)
        continue;
      end = *line == '[' ? strstr (line, "](") : NULL;
      close = end != NULL ? strchr (end, ')') : NULL;
      if (close != NULL)
        {
          g_autofree char *words = g_markup_escape_text (line + 1, end - line - 1);

          g_string_append (out, words);
          line = close + 1;
        }
      else
        {
          const char *next = g_utf8_next_char (line);
          g_autofree char *escaped = g_markup_escape_text (line, next - line);

          g_string_append (out, escaped);
          line = next;
        }
    }
  for (guint i = G_N_ELEMENTS (styles); i-- > 0;)
    if (styles[i].is_open)
      g_string_append (out, styles[i].close);
  return g_string_free (out, FALSE);
}

static GtkWidget *
make_label (const char *text,
            const char *style)
{
  g_autofree char *markup = make_markup (text);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

/* --- blocks --- */

static void
add_heading (MtHelpWindow *self,
             const char   *line)
{
  guint level = (guint) strspn (line, "#");
  const char *name = line + level + (line[level] == ' ');
  GtkWidget *label = make_label (name, level == 1 ? "title-1" : level == 2 ? "title-2" : "title-4");

  gtk_widget_set_margin_top (label, level == 1 ? 0 : 12);
  gtk_box_append (self->text, label);
  if (level == 2)
    {
      GtkWidget *entry = gtk_label_new (name);

      gtk_label_set_xalign (GTK_LABEL (entry), 0);
      gtk_list_box_append (self->contents, entry);
      g_hash_table_insert (self->sections, g_strdup (name), label);
    }
}

static gboolean
is_rule (const char *line)
{
  return strspn (line, "|- :") == strlen (line);
}

/* Its lines, from @first on; returns where it ends. */
static guint
add_table (MtHelpWindow  *self,
           char         **lines,
           guint          first)
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
          GtkWidget *cell = make_label (g_strstrip (cells[c]), i == first ? "heading" : NULL);

          gtk_widget_set_hexpand (cell, c + 2 == n);
          gtk_label_set_width_chars (GTK_LABEL (cell), c == 1 ? 12 : 10);
          gtk_grid_attach (GTK_GRID (grid), cell, (int) c, (int) (i - first), 1, 1);
        }
    }
  gtk_box_append (self->text, grid);
  return i;
}

static guint
add_code (MtHelpWindow  *self,
          char         **lines,
          guint          first)
{
  g_autoptr (GString) code = g_string_new (NULL);
  GtkWidget *label;
  guint i;

  for (i = first + 1; lines[i] != NULL && !g_str_has_prefix (lines[i], "```"); i++)
    g_string_append_printf (code, "%s%s", code->len > 0 ? "\n" : "", lines[i]);
  label = gtk_label_new (code->str);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "monospace");
  gtk_box_append (self->text, label);
  return lines[i] != NULL ? i + 1 : i;
}

static gboolean
begins_item (const char *line)
{
  return g_str_has_prefix (line, "- ") || (g_ascii_isdigit (line[0]) && line[1] == '.');
}

/* A paragraph or an item of a list: lines up to a blank one, or the next item. */
static guint
add_text (MtHelpWindow  *self,
          char         **lines,
          guint          first)
{
  g_autoptr (GString) text = g_string_new (begins_item (lines[first]) && lines[first][0] == '-' ? "•  " : NULL);
  GtkWidget *label;
  guint i;

  for (i = first; lines[i] != NULL && *lines[i] != '\0' && (i == first || !begins_item (lines[i])); i++)
    {
      const char *line = g_strstrip (lines[i]);

      if (i == first && g_str_has_prefix (line, "- "))
        line += 2;
      g_string_append_printf (text, "%s%s", i > first ? " " : "", line);
    }
  label = make_label (text->str, NULL);
  gtk_box_append (self->text, label);
  return i;
}

static void
fill (MtHelpWindow *self)
{
  g_autoptr (GBytes) bytes = g_resources_lookup_data (GUIDE, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *guide = bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)) : NULL;
  g_auto (GStrv) lines = g_strsplit (guide != NULL ? guide : "", "\n", -1);
  guint i = 0;

  while (lines[i] != NULL)
    {
      const char *line = lines[i];

      if (*line == '\0' || g_str_has_prefix (line, "!["))
        i++;
      else if (*line == '#')
        {
          add_heading (self, line);
          i++;
        }
      else if (*line == '|')
        i = add_table (self, lines, i);
      else if (g_str_has_prefix (line, "```"))
        i = add_code (self, lines, i);
      else
        i = add_text (self, lines, i);
    }
}

/* --- sections --- */

static void
show_heading (MtHelpWindow *self,
              GtkWidget    *heading)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled);
  double x, y;

  if (gtk_widget_translate_coordinates (heading, GTK_WIDGET (self->text), 0, 0, &x, &y))
    gtk_adjustment_set_value (adjustment, y);
}

gboolean
mt_help_window_show (MtHelpWindow *self,
                     const char   *section)
{
  GtkWidget *heading;

  g_return_val_if_fail (MT_IS_HELP_WINDOW (self), FALSE);

  heading = g_hash_table_lookup (self->sections, section);
  if (heading != NULL)
    show_heading (self, heading);
  return heading != NULL;
}

static void
on_section (MtHelpWindow  *self,
            GtkListBoxRow *row)
{
  mt_help_window_show (self, gtk_label_get_label (GTK_LABEL (gtk_list_box_row_get_child (row))));
}

static void
mt_help_window_finalize (GObject *object)
{
  g_hash_table_unref (MT_HELP_WINDOW (object)->sections);
  G_OBJECT_CLASS (mt_help_window_parent_class)->finalize (object);
}

static void
mt_help_window_class_init (MtHelpWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_help_window_finalize;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
mt_help_window_init (MtHelpWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *header = adw_header_bar_new (), *menu = gtk_menu_button_new (), *popover = gtk_popover_new ();
  GtkWidget *clamp = adw_clamp_new ();

  self->sections = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->text = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 9));
  self->contents = GTK_LIST_BOX (gtk_list_box_new ());
  self->scrolled = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());
  gtk_list_box_set_selection_mode (self->contents, GTK_SELECTION_NONE);
  g_signal_connect_swapped (self->contents, "row-activated", G_CALLBACK (on_section), self);
  g_signal_connect_swapped (self->contents, "row-activated", G_CALLBACK (gtk_popover_popdown), popover);
  gtk_popover_set_child (GTK_POPOVER (popover), GTK_WIDGET (self->contents));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (menu), popover);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (menu), _("_Sections"));
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (menu), TRUE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), menu);
  gtk_widget_set_margin_top (GTK_WIDGET (self->text), 24);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->text), 24);
  gtk_widget_set_margin_start (GTK_WIDGET (self->text), 18);
  gtk_widget_set_margin_end (GTK_WIDGET (self->text), 18);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), 720);
  adw_clamp_set_child (ADW_CLAMP (clamp), GTK_WIDGET (self->text));
  gtk_scrolled_window_set_policy (self->scrolled, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (self->scrolled, clamp);
  gtk_widget_set_vexpand (GTK_WIDGET (self->scrolled), TRUE);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->scrolled));
  adw_window_set_content (ADW_WINDOW (self), box);
  fill (self);
}

GtkWidget *
mt_help_window_new (GtkWindow *parent)
{
  return g_object_new (MT_TYPE_HELP_WINDOW, "transient-for", parent, "title", _("Guide"), "default-width", 760,
                       "default-height", 720, "width-request", 360, NULL);
}
