#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

#include "mt-start-page.h"

G_DEFINE_FINAL_TYPE (MtWindow, mt_window, ADW_TYPE_APPLICATION_WINDOW)

static void
remember_file (MtWindow *self)
{
  GFile *file = mt_document_get_file (self->document);
  g_autofree char *uri = NULL;

  if (file == NULL || file == self->remembered)
    return;
  g_set_object (&self->remembered, file);
  uri = g_file_get_uri (file);
  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
}

static void
show_document (MtWindow *self)
{
  gboolean busy = mt_document_is_loading (self->document);
  gboolean open = mt_document_get_table (self->document) != NULL;
  gboolean shown = busy || open || mt_document_get_error (self->document) != NULL;
  g_autofree char *title = mt_document_dup_title (self->document);

  gtk_stack_set_visible_child_name (self->stack, shown ? "project" : "start");
  gtk_widget_set_visible (GTK_WIDGET (self->project_menu), shown);
  gtk_widget_set_visible (GTK_WIDGET (self->undo), shown);
  gtk_widget_set_visible (GTK_WIDGET (self->redo), shown);
  gtk_widget_set_visible (GTK_WIDGET (self->inspector), shown);
  gtk_label_set_label (self->project_name, shown && title != NULL ? title : "");
  adw_view_switcher_title_set_view_switcher_enabled (self->switcher, shown);
  adw_view_switcher_title_set_title (self->switcher, shown && title != NULL ? title : _("Minterm"));
  gtk_window_set_title (GTK_WINDOW (self), shown && title != NULL ? title : _("Minterm"));
  if (open && !busy)
    remember_file (self);
  _mt_window_update_actions (self);
}

void
mt_window_open (MtWindow *self,
                GFile    *file)
{
  g_return_if_fail (MT_IS_WINDOW (self));
  g_return_if_fail (G_IS_FILE (file));

  adw_view_stack_set_visible_child_name (self->pages, "data");
  mt_document_open (self->document, file);
}

MtDocument *
mt_window_get_document (MtWindow *self)
{
  g_return_val_if_fail (MT_IS_WINDOW (self), NULL);
  return self->document;
}

MtDataPage *
mt_window_get_data_page (MtWindow *self)
{
  g_return_val_if_fail (MT_IS_WINDOW (self), NULL);
  return self->data_page;
}

/* A narrow window shows the name of the file as its title, a wide one in the menu. The
 * switcher finds out which while sizes are being handed out; changing them has to wait. */
static gboolean
place_name (gpointer data)
{
  MtWindow *self = data;

  self->placing = 0;
  gtk_widget_set_visible (GTK_WIDGET (self->project_name),
                          !adw_view_switcher_title_get_title_visible (self->switcher));
  return G_SOURCE_REMOVE;
}

static void
on_title_visible (MtWindow *self)
{
  if (self->placing == 0)
    self->placing = g_idle_add (place_name, self);
}

/* A narrow window hides the inspector by itself; that is no choice to remember. */
static void
on_inspector_toggled (MtWindow *self)
{
  if (!mt_data_page_is_narrow (self->data_page))
    g_settings_set_boolean (self->settings, "show-inspector", gtk_toggle_button_get_active (self->inspector));
}

/* Colours of our own style sheet that depend on it; libadwaita's adapt by themselves. */
static void
on_dark_changed (MtWindow *self)
{
  if (adw_style_manager_get_dark (adw_style_manager_get_default ()))
    gtk_widget_add_css_class (GTK_WIDGET (self), "dark");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "dark");
}

/* --- drag and drop --- */

static gboolean
on_drop (GtkDropTarget *target,
         const GValue  *value,
         double         x,
         double         y,
         MtWindow      *self)
{
  g_autoptr (GSList) files = NULL;

  gtk_revealer_set_reveal_child (self->drop_hint, FALSE);
  if (!G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    return FALSE;
  files = gdk_file_list_get_files (g_value_get_boxed (value));
  if (files == NULL)
    return FALSE;
  mt_window_open (self, files->data);
  if (files->next != NULL)
    adw_toast_overlay_add_toast (self->toasts, adw_toast_new (_("Only the first of the files was opened")));
  return TRUE;
}

static GdkDragAction
on_drop_enter (GtkDropTarget *target,
               double         x,
               double         y,
               MtWindow      *self)
{
  gtk_revealer_set_reveal_child (self->drop_hint, TRUE);
  return GDK_ACTION_COPY;
}

static void
on_drop_leave (GtkDropTarget *target,
               MtWindow      *self)
{
  gtk_revealer_set_reveal_child (self->drop_hint, FALSE);
}

static void
add_drop_target (MtWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  g_signal_connect (target, "enter", G_CALLBACK (on_drop_enter), self);
  g_signal_connect (target, "leave", G_CALLBACK (on_drop_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

/* --- object --- */

static void
mt_window_dispose (GObject *object)
{
  MtWindow *self = MT_WINDOW (object);

  g_clear_handle_id (&self->placing, g_source_remove);
  if (self->document != NULL)
    mt_document_cancel (self->document);
  g_clear_object (&self->document);
  g_clear_object (&self->settings);
  g_clear_object (&self->remembered);
  G_OBJECT_CLASS (mt_window_parent_class)->dispose (object);
}

static void
mt_window_class_init (MtWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_window_dispose;
  g_type_ensure (MT_TYPE_START_PAGE);
  g_type_ensure (MT_TYPE_DATA_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-window.ui");
  gtk_widget_class_bind_template_child (widget_class, MtWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, header);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, project_menu);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, project_name);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, undo);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, redo);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, inspector);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, switcher);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, data_page);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, drop_hint);
  _mt_window_class_install_actions (widget_class);
}

static void
mt_window_init (MtWindow *self)
{
  self->document = mt_document_new ();
  self->settings = g_settings_new ("io.github.minterm.Minterm");
  gtk_widget_init_template (GTK_WIDGET (self));
  if (MT_DEVELOPMENT)
    gtk_widget_add_css_class (GTK_WIDGET (self), "devel");

  g_settings_bind (self->settings, "window-width", self, "default-width", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "window-height", self, "default-height", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "window-maximized", self, "maximized", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "show-inspector", self->data_page, "show-inspector", G_SETTINGS_BIND_GET_NO_CHANGES);
  g_object_bind_property (self->data_page, "show-inspector", self->inspector, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);

  g_signal_connect_object (self->inspector, "notify::active", G_CALLBACK (on_inspector_toggled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark_changed), self,
                           G_CONNECT_SWAPPED);
  on_dark_changed (self);

  mt_data_page_set_document (self->data_page, self->document);
  g_signal_connect_object (self->document, "load-changed", G_CALLBACK (show_document), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "table-changed", G_CALLBACK (_mt_window_update_actions), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "history-changed", G_CALLBACK (_mt_window_update_actions), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->switcher, "notify::title-visible", G_CALLBACK (on_title_visible), self,
                           G_CONNECT_SWAPPED);
  add_drop_target (self);
  show_document (self);
}

MtWindow *
mt_window_new (MtApplication *application)
{
  return g_object_new (MT_TYPE_WINDOW, "application", application, NULL);
}
