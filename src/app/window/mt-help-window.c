/* Help: the user guide (docs/guide.md) and the pages it links to, which are part of the program. See mt-
 * help-window.h. */
#include "config.h"
#include "mt-help-window.h"

#include <glib/gi18n.h>
#include <string.h>

#include "mt-help-page.h"

#define GUIDE "guide.md"

/* A page that was left, and how far it was scrolled. */
typedef struct {
  char   *path;
  double  position;
} Visit;

struct _MtHelpWindow {
  AdwWindow          parent_instance;

  GtkListBox        *contents;
  GtkScrolledWindow *scrolled;
  AdwClamp          *clamp;
  GtkWidget         *back;
  char              *path;
  GPtrArray         *headings;     /* of MtHelpHeading */
  GArray            *visits;       /* of Visit; the last is the one before this */
  GtkWidget         *wanted;       /* heading to scroll to once the page has its size; NULL: none */
  double             position;     /* or how far; negative: not at all */
  guint              tick;
  char              *clicked;      /* link to follow in … */
  guint              idle;         /* … this source */
};

G_DEFINE_FINAL_TYPE (MtHelpWindow, mt_help_window, ADW_TYPE_WINDOW)

static gboolean follow (const char *target,
                        gpointer    user_data);

static void
clear_visit (gpointer data)
{
  g_free (((Visit *) data)->path);
}

/* --- scrolling --- */

static void
scroll_to (MtHelpWindow *self,
           GtkWidget    *heading)
{
  double x, y;

  if (gtk_widget_translate_coordinates (heading, GTK_WIDGET (self->clamp), 0, 0, &x, &y))
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scrolled), y - 6);
}

/* A new page has its heights after the first frame. */
static gboolean
scroll_later (GtkWidget     *widget,
              GdkFrameClock *clock,
              gpointer       user_data)
{
  MtHelpWindow *self = MT_HELP_WINDOW (widget);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scrolled);

  if (gtk_widget_get_height (adw_clamp_get_child (self->clamp)) == 0)
    return G_SOURCE_CONTINUE;
  if (self->wanted != NULL)
    scroll_to (self, self->wanted);
  else
    gtk_adjustment_set_value (adjustment, self->position);
  self->wanted = NULL;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static const MtHelpHeading *
find_heading (MtHelpWindow *self,
              const char   *name,
              const char   *anchor)
{
  for (guint i = 0; i < self->headings->len; i++)
    {
      const MtHelpHeading *heading = self->headings->pdata[i];

      if (g_strcmp0 (heading->name, name) == 0 || g_strcmp0 (heading->anchor, anchor) == 0)
        return heading;
    }
  return NULL;
}

gboolean
mt_help_window_show (MtHelpWindow *self,
                     const char   *section)
{
  const MtHelpHeading *heading;

  g_return_val_if_fail (MT_IS_HELP_WINDOW (self), FALSE);

  heading = find_heading (self, section, NULL);
  if (heading != NULL && self->tick != 0)
    self->wanted = heading->widget;
  else if (heading != NULL)
    scroll_to (self, heading->widget);
  return heading != NULL;
}

static void
on_section (MtHelpWindow  *self,
            GtkListBoxRow *row)
{
  mt_help_window_show (self, gtk_label_get_label (GTK_LABEL (gtk_list_box_row_get_child (row))));
}

/* --- pages --- */

static void
fill_contents (MtHelpWindow *self)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->contents, 0)) != NULL)
    gtk_list_box_remove (self->contents, GTK_WIDGET (row));
  for (guint i = 0; i < self->headings->len; i++)
    {
      const MtHelpHeading *heading = self->headings->pdata[i];
      GtkWidget *entry;

      if (heading->level != 2)
        continue;
      entry = gtk_label_new (heading->name);
      gtk_label_set_xalign (GTK_LABEL (entry), 0);
      gtk_list_box_append (self->contents, entry);
    }
}

/* @anchor: NULL or empty: the beginning, or @position. */
static gboolean
open_page (MtHelpWindow *self,
           const char   *path,
           const char   *anchor,
           double        position)
{
  g_autoptr (GPtrArray) headings = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_help_heading_free);
  GtkWidget *page = mt_help_page_new (path, headings, follow, self);
  const MtHelpHeading *heading;

  if (page == NULL)
    return FALSE;
  gtk_widget_set_margin_top (page, 24);
  gtk_widget_set_margin_bottom (page, 24);
  gtk_widget_set_margin_start (page, 18);
  gtk_widget_set_margin_end (page, 18);
  g_ptr_array_unref (self->headings);
  self->headings = g_steal_pointer (&headings);
  g_free (self->path);
  self->path = g_strdup (path);
  adw_clamp_set_child (self->clamp, page);
  if (self->headings->len > 0)
    gtk_window_set_title (GTK_WINDOW (self), ((MtHelpHeading *) self->headings->pdata[0])->name);
  fill_contents (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "help.back", self->visits->len > 0);
  heading = anchor != NULL && *anchor != '\0' ? find_heading (self, NULL, anchor) : NULL;
  self->wanted = heading != NULL ? heading->widget : NULL;
  self->position = position;
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), scroll_later, NULL, NULL);
  return TRUE;
}

const char *
mt_help_window_get_page (MtHelpWindow *self)
{
  g_return_val_if_fail (MT_IS_HELP_WINDOW (self), NULL);

  return self->path;
}

gboolean
mt_help_window_follow (MtHelpWindow *self,
                       const char   *target)
{
  const char *anchor = strchr (target, '#');
  g_autofree char *path = NULL;
  Visit visit = { NULL, gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (self->scrolled)) };

  g_return_val_if_fail (MT_IS_HELP_WINDOW (self), FALSE);

  if (g_uri_peek_scheme (target) != NULL)
    return FALSE;
  path = mt_help_resolve (self->path, target);
  if (!mt_help_exists (path) || !g_str_has_suffix (path, ".md"))
    return FALSE;
  visit.path = g_strdup (self->path);
  g_array_append_val (self->visits, visit);
  return open_page (self, path, anchor != NULL ? anchor + 1 : NULL, 0);
}

/* What is not part of the program is on the web. */
static gboolean
follow_clicked (gpointer user_data)
{
  MtHelpWindow *self = user_data;
  g_autofree char *target = g_steal_pointer (&self->clicked);

  self->idle = 0;
  if (!mt_help_window_follow (self, target))
    {
      g_autofree char *uri = mt_help_dup_uri (self->path, target);

      gtk_show_uri (GTK_WINDOW (self), uri, GDK_CURRENT_TIME);
    }
  return G_SOURCE_REMOVE;
}

/* Later: a label that is still handling a click must not go with its page. */
static gboolean
follow (const char *target,
        gpointer    user_data)
{
  MtHelpWindow *self = user_data;

  g_free (self->clicked);
  self->clicked = g_strdup (target);
  if (self->idle == 0)
    self->idle = g_idle_add (follow_clicked, self);
  return TRUE;
}

static void
go_back (GtkWidget  *widget,
         const char *action,
         GVariant   *parameter)
{
  MtHelpWindow *self = MT_HELP_WINDOW (widget);
  g_autofree char *path = NULL;
  double position;

  if (self->visits->len == 0)
    return;
  path = g_strdup (g_array_index (self->visits, Visit, self->visits->len - 1).path);
  position = g_array_index (self->visits, Visit, self->visits->len - 1).position;
  g_array_set_size (self->visits, self->visits->len - 1);
  open_page (self, path, NULL, position);
}

static void
mt_help_window_dispose (GObject *object)
{
  MtHelpWindow *self = MT_HELP_WINDOW (object);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  g_clear_handle_id (&self->idle, g_source_remove);
  G_OBJECT_CLASS (mt_help_window_parent_class)->dispose (object);
}

static void
mt_help_window_finalize (GObject *object)
{
  MtHelpWindow *self = MT_HELP_WINDOW (object);

  g_ptr_array_unref (self->headings);
  g_array_unref (self->visits);
  g_free (self->path);
  g_free (self->clicked);
  G_OBJECT_CLASS (mt_help_window_parent_class)->finalize (object);
}

static void
mt_help_window_class_init (MtHelpWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_help_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_help_window_finalize;
  gtk_widget_class_install_action (widget_class, "help.back", NULL, go_back);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, GDK_ALT_MASK, "help.back", NULL);
}

static GtkWidget *
make_sections (MtHelpWindow *self)
{
  GtkWidget *menu = gtk_menu_button_new (), *popover = gtk_popover_new (), *scrolled = gtk_scrolled_window_new ();

  self->contents = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->contents, GTK_SELECTION_NONE);
  g_signal_connect_swapped (self->contents, "row-activated", G_CALLBACK (on_section), self);
  g_signal_connect_swapped (self->contents, "row-activated", G_CALLBACK (gtk_popover_popdown), popover);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->contents));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 480);
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (menu), popover);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (menu), _("_Sections"));
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (menu), TRUE);
  return menu;
}

static void
mt_help_window_init (MtHelpWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *header = adw_header_bar_new ();

  self->headings = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_help_heading_free);
  self->visits = g_array_new (FALSE, FALSE, sizeof (Visit));
  g_array_set_clear_func (self->visits, clear_visit);
  self->back = gtk_button_new_from_icon_name ("go-previous-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->back), "help.back");
  gtk_widget_set_tooltip_text (self->back, _("Back (Alt+Left)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->back), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Back"), -1);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->back);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), make_sections (self));
  self->clamp = ADW_CLAMP (adw_clamp_new ());
  adw_clamp_set_maximum_size (self->clamp, 720);
  self->scrolled = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());
  gtk_scrolled_window_set_policy (self->scrolled, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (self->scrolled, GTK_WIDGET (self->clamp));
  /* Pictures can shrink to nothing: here they get the height that goes with their width. */
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (gtk_scrolled_window_get_child (self->scrolled)), GTK_SCROLL_NATURAL);
  gtk_widget_set_vexpand (GTK_WIDGET (self->scrolled), TRUE);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->scrolled));
  adw_window_set_content (ADW_WINDOW (self), box);
  open_page (self, GUIDE, NULL, 0);
}

GtkWidget *
mt_help_window_new (GtkWindow *parent)
{
  return g_object_new (MT_TYPE_HELP_WINDOW, "transient-for", parent, "default-width", 760, "default-height", 720,
                       "width-request", 360, NULL);
}
