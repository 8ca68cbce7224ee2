/* The window: makes the pages, and connects document and study to them. Actions, saving and closing are in
 * mt-window-….c. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

#include "widgets/mt-flow-layout.h"
#include "util/mt-deferred-unref.h"
#include "util/mt-preferences.h"
#include "mt-start-page.h"
#include "widgets/mt-width-layout.h"

#define TELL_AFTER 20   /* seconds of training that one may look elsewhere during */
#define NAME_WHOLE 18   /* characters; a file's name of so many is never cut */
#define NAME_CHARS 16   /* of a longer one are kept at least */
#define NARROW 600   /* pixels; below, the header bar keeps to what is needed most … */
#define SLACK 12     /* … and this far above the least that it takes otherwise */
#define EDIT_ICON "document-edit-symbolic"

G_DEFINE_FINAL_TYPE (MtWindow, mt_window, ADW_TYPE_APPLICATION_WINDOW)

static void
name_edit (MtWindow *self,
           gboolean  named)
{
  if (named == (gtk_menu_button_get_child (self->edit) != NULL))
    return;
  if (named)
    /* Translators: the button that opens the menu of changes to a model */
    gtk_menu_button_set_child (self->edit, g_object_new (ADW_TYPE_BUTTON_CONTENT, "icon-name", EDIT_ICON, "label",
                                                         _("_Edit"), "use-underline", TRUE, NULL));
  else
    gtk_menu_button_set_icon_name (self->edit, EDIT_ICON);
}

/* How wide the tabs are with their names next to their icons; 0: there are none. */
static int
measure_tabs (GtkWidget *widget)
{
  int natural = 0;

  if (ADW_IS_VIEW_SWITCHER (widget))
    {
      if (adw_view_switcher_get_policy (ADW_VIEW_SWITCHER (widget)) == ADW_VIEW_SWITCHER_POLICY_WIDE)
        gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
      return natural;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    natural = MAX (natural, measure_tabs (child));
  return natural;
}

/* The pencil shows its name only where the tabs still have room for theirs next to their icons. */
static void
fit_edit (MtWindow *self)
{
  int all, tabs;

  if (self->narrow)
    return;   /* the page has it then */
  name_edit (self, TRUE);
  gtk_widget_measure (GTK_WIDGET (self->header), GTK_ORIENTATION_HORIZONTAL, -1, &all, NULL, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (self->switcher), GTK_ORIENTATION_HORIZONTAL, -1, &tabs, NULL, NULL, NULL);
  self->edit_needs = all - tabs + measure_tabs (GTK_WIDGET (self->switcher));
  name_edit (self, gtk_widget_get_width (GTK_WIDGET (self)) >= self->edit_needs);
}

static gboolean
is_edit_fitted (MtWindow *self,
                int       width)
{
  return self->narrow || (width >= self->edit_needs) == (gtk_menu_button_get_child (self->edit) != NULL);
}

/* What stands in the header bar depends on the width; the switcher moves to the bottom when
 * it does not fit. Both come to light while sizes are being handed out, and changing them
 * has to wait until that is over. */
static void
arrange_header (MtWindow *self)
{
  gboolean shown = adw_view_switcher_title_get_view_switcher_enabled (self->switcher);
  GtkOrientation strips = self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;

  adw_view_switcher_bar_set_reveal (self->switcher_bar,
                                    shown && adw_view_switcher_title_get_title_visible (self->switcher));
  gtk_widget_set_visible (GTK_WIDGET (self->project_name), !self->narrow);
  mt_frontier_page_set_narrow (self->frontier_page, self->narrow);
  /* A narrow Data page hides its pane, and the Rules page's with it; there is room for them again. */
  if (self->widened)
    g_object_set (self->data_page, "show-inspector", g_settings_get_boolean (self->settings, "show-inspector"), NULL);
  self->widened = FALSE;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->recovery_box), strips);
  if (self->narrow)
    gtk_widget_add_css_class (GTK_WIDGET (self), "narrow");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "narrow");
  /* Both are in the menu as well. */
  gtk_widget_set_visible (GTK_WIDGET (self->undo), !self->narrow && shown);
  /* As wide for one step as for another: the tabs stay where they are from page to page. */
  gtk_stack_set_hhomogeneous (self->step, !self->narrow);
  _mt_window_update_edit (self);
  fit_edit (self);
  _mt_window_update_header (self);   /* the step, in the room that the others leave */
}

/* A window can be made no narrower than its header bar is, so that this has to become so before: with a long name or
 * large text that is sooner. How wide it would be is known while it is. */
static gboolean
is_narrow (MtWindow *self,
           int       width)
{
  if (!self->narrow)
    gtk_widget_measure (GTK_WIDGET (self->header), GTK_ORIENTATION_HORIZONTAL, -1, &self->wide_least, NULL, NULL, NULL);
  return width < MAX (NARROW, self->wide_least + SLACK);
}

static gboolean
set_narrow (MtWindow *self,
            gboolean  narrow)
{
  if (narrow == self->narrow)
    return FALSE;
  self->narrow = narrow;
  self->widened = !narrow;
  return TRUE;
}

/* Before sizes are handed out again: a window that has to grow for a longer name stays so. */
static gboolean
place_header (gpointer data)
{
  MtWindow *self = data;
  int width = gtk_widget_get_width (GTK_WIDGET (self));

  self->placing = 0;
  if (width > 0)
    set_narrow (self, is_narrow (self, width));
  arrange_header (self);
  return G_SOURCE_REMOVE;
}

/* A window that is to be narrow must ask for little from the start: once it was wide it stays so. */
static void
on_default_width (MtWindow *self)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (gtk_widget_get_realized (GTK_WIDGET (self)) || width <= 0)
    return;
  self->narrow = width < NARROW;
  arrange_header (self);
}

static void
queue_header (MtWindow *self)
{
  if (self->placing == 0)
    self->placing = g_idle_add_full (G_PRIORITY_HIGH_IDLE, place_header, self, NULL);
}

static void
mt_window_size_allocate (GtkWidget *widget,
                         int        width,
                         int        height,
                         int        baseline)
{
  MtWindow *self = MT_WINDOW (widget);

  GTK_WIDGET_CLASS (mt_window_parent_class)->size_allocate (widget, width, height, baseline);
  if (set_narrow (self, is_narrow (self, width)) || !is_edit_fitted (self, width))
    queue_header (self);
}

/* The text may have become larger or smaller. */
static void
mt_window_system_setting_changed (GtkWidget        *widget,
                                  GtkSystemSetting  setting)
{
  GTK_WIDGET_CLASS (mt_window_parent_class)->system_setting_changed (widget, setting);
  if (setting != GTK_SYSTEM_SETTING_DPI && setting != GTK_SYSTEM_SETTING_FONT_NAME)
    return;
  MT_WINDOW (widget)->wide_least = 0;   /* found again */
  MT_WINDOW (widget)->text_size++;
  queue_header (MT_WINDOW (widget));
}

static void
remember_file (MtWindow *self)
{
  GFile *project = mt_session_get_project (self->session);
  GFile *file = project != NULL ? project : mt_document_get_file (self->document);
  char *groups[] = { (char *) MT_RECENT_GROUP, NULL };
  GtkRecentData data = { .groups = groups, .app_name = (char *) g_get_application_name (), .app_exec = (char *) "minterm %u" };
  g_autofree char *uri = NULL;
  g_autofree char *type = NULL;

  if (file == NULL || file == self->remembered)
    return;
  g_set_object (&self->remembered, file);
  uri = g_file_get_uri (file);
  type = g_content_type_guess (uri, NULL, 0, NULL);
  data.mime_type = type;
  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

void
_mt_window_show_document (MtWindow *self)
{
  gboolean busy = mt_document_is_loading (self->document);
  gboolean open = mt_document_get_table (self->document) != NULL;
  gboolean bare = mt_session_get_model (self->session) != NULL;   /* a model without its data */
  gboolean shown = busy || open || bare || mt_document_get_error (self->document) != NULL;
  g_autofree char *title = bare ? g_strdup (mt_session_get_model_name (self->session)) : mt_document_dup_title (self->document);
  gboolean is_long = title != NULL && g_utf8_strlen (title, -1) > NAME_WHOLE;

  gtk_stack_set_visible_child_name (self->stack, shown ? "project" : "start");
  gtk_widget_set_visible (GTK_WIDGET (self->project_menu), shown);
  queue_header (self);
  gtk_widget_set_visible (GTK_WIDGET (self->step), shown);
  gtk_label_set_label (self->project_name, shown && title != NULL ? title : "");
  /* The header bar gives the tabs all that they would like before the name gets more than its least, so this is what
   * it has most of the time. Below that, the tabs go to the bottom rather than that it becomes unreadable. */
  gtk_label_set_ellipsize (self->project_name, is_long ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE);
  gtk_label_set_width_chars (self->project_name, is_long ? NAME_CHARS : -1);
  adw_view_switcher_title_set_view_switcher_enabled (self->switcher, shown);
  adw_view_switcher_title_set_title (self->switcher, shown && title != NULL ? title : _("Minterm"));
  gtk_window_set_title (GTK_WINDOW (self), shown && title != NULL ? title : _("Minterm"));
  if (self->narrow)
    _mt_window_update_header (self);   /* at once: a window that grew for a moment stays so */
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

  mt_session_open (self->session, file);
}

gboolean
mt_window_is_empty (MtWindow *self)
{
  g_return_val_if_fail (MT_IS_WINDOW (self), FALSE);
  return mt_session_is_empty (self->session);
}

gboolean
mt_window_is_reading (MtWindow *self)
{
  g_return_val_if_fail (MT_IS_WINDOW (self), FALSE);
  return mt_session_is_reading (self->session);
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

MtStudy *
mt_window_get_study (MtWindow *self)
{
  g_return_val_if_fail (MT_IS_WINDOW (self), NULL);
  return self->study;
}

/* Before anything is learnt from it. */
static void
on_table_changed (MtWindow *self)
{
  MtImport *import = mt_document_get_import (self->document);

  mt_study_set_data (self->study, import != NULL ? mt_import_get_sha256 (import) : NULL);
  _mt_window_weigh_recovery (self);
  _mt_window_update_actions (self);
}

static void
on_history_changed (MtWindow *self)
{
  _mt_window_update_actions (self);
  _mt_window_step_taken (self);
}

/* Pages of a project just opened come from there. */
static gboolean
shows_frontier (MtWindow *self)
{
  return adw_view_stack_get_visible_child (self->pages) == GTK_WIDGET (self->frontier_page);
}

/* The button is for the page that is shown. Data and Rules share what they hide; the frontier's table is another thing,
 * and one who has no need of the import settings may want it. */
static void
bind_pane (MtWindow *self)
{
  gpointer page = shows_frontier (self) ? (gpointer) self->frontier_page : self->data_page;

  if (self->pane == page)
    return;
  self->pane = page;
  if (self->pane_binding != NULL)
    g_binding_unbind (self->pane_binding);
  self->pane_binding = g_object_bind_property (page, "show-inspector", self->inspector, "active",
                                               G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
}

static void
on_page_changed (MtWindow *self)
{
  bind_pane (self);
  _mt_window_update_actions (self);
  _mt_window_keep_page (self);
}

/* --- training --- */

void
mt_window_set_tell_after (MtWindow *self,
                          double    seconds)
{
  g_return_if_fail (MT_IS_WINDOW (self));
  self->tell_after = seconds;
}

/* Only somebody who waited long and looks elsewhere needs to be called. */
static void
tell_finished (MtWindow *self)
{
  GApplication *application = G_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));
  guint id = gtk_application_window_get_id (GTK_APPLICATION_WINDOW (self));
  g_autofree char *name = g_strdup_printf ("training-%u", id);   /* of this window: another's is not replaced */
  g_autoptr (GNotification) notification = NULL;
  MtRun *last = mt_study_get_last (self->study);
  const GError *error = last != NULL ? mt_run_get_error (last) : NULL;
  MtStudyProgress progress;

  mt_study_get_progress (self->study, &progress);
  if (application == NULL || gtk_window_is_active (GTK_WINDOW (self)) || progress.elapsed < self->tell_after)
    return;
  notification = g_notification_new (error == NULL ? _("Training Finished") : _("Training Stopped"));
  g_notification_set_body (notification, error == NULL ? gtk_window_get_title (GTK_WINDOW (self)) : error->message);
  g_notification_set_default_action_and_target (notification, "app.raise-window", "u", id);
  g_application_send_notification (application, name, notification);
}

static void
on_study_changed (MtWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  gboolean running = mt_study_is_running (self->study);

  if (running && self->inhibited == 0 && application != NULL)
    self->inhibited = gtk_application_inhibit (application, GTK_WINDOW (self), GTK_APPLICATION_INHIBIT_SUSPEND |
                                               GTK_APPLICATION_INHIBIT_LOGOUT, _("Training in progress"));
  if (!running && self->inhibited != 0)
    {
      if (application != NULL)
        gtk_application_uninhibit (application, self->inhibited);
      self->inhibited = 0;
    }
  if (self->was_running && !running)
    tell_finished (self);
  self->was_running = running;
  _mt_window_update_actions (self);
}

/* What is unsaved or still at work is asked about first. */
static gboolean
mt_window_close_request (GtkWindow *window)
{
  MtWindow *self = MT_WINDOW (window);

  mt_report_page_flush (self->report_page);
  if (mt_session_get_loss (self->session) == MT_SESSION_LOSES_NOTHING)
    return GTK_WINDOW_CLASS (mt_window_parent_class)->close_request (window);
  _mt_window_leave (self, MT_SESSION_TO_END, NULL);
  return TRUE;
}

void
mt_window_end (MtWindow *self)
{
  g_return_if_fail (MT_IS_WINDOW (self));

  mt_report_page_flush (self->report_page);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
withdraw_objection (MtWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  g_clear_handle_id (&self->objecting, g_source_remove);
  if (self->objection != 0 && application != NULL)
    gtk_application_uninhibit (application, self->objection);
  self->objection = 0;
}

static gboolean
look_at_objection (gpointer data)
{
  MtWindow *self = data;

  if (mt_session_has_unsaved (self->session))
    return G_SOURCE_CONTINUE;
  self->objecting = 0;
  withdraw_objection (self);
  return G_SOURCE_REMOVE;
}

void
mt_window_object_to_end (MtWindow *self)
{
  GtkApplication *application;

  g_return_if_fail (MT_IS_WINDOW (self));

  application = gtk_window_get_application (GTK_WINDOW (self));
  if (self->objection != 0 || application == NULL || !mt_session_has_unsaved (self->session))
    return;
  self->objection = gtk_application_inhibit (application, GTK_WINDOW (self), GTK_APPLICATION_INHIBIT_LOGOUT,
                                             mt_session_has_results (self->session) ? _("Results not saved yet")
                                                                           : _("Changes not saved yet"));
  self->objecting = g_timeout_add_seconds (1, look_at_objection, self);
}

/* Only what the person does is remembered: a narrow window hides the inspector by itself. */
void
_mt_window_remember_inspector (MtWindow *self)
{
  gboolean shown = gtk_toggle_button_get_active (self->inspector);

  if (shows_frontier (self) && !mt_frontier_page_is_folded (self->frontier_page))
    g_settings_set_boolean (self->settings, "show-frontier-table", shown);
  else if (!shows_frontier (self) && !mt_data_page_is_narrow (self->data_page))
    g_settings_set_boolean (self->settings, "show-inspector", shown);
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

/* A row that the Rules page speaks of. */
static void
on_show_rows (MtWindow   *self,
              GArray     *rows,
              const char *title,
              guint       row)
{
  adw_view_stack_set_visible_child_name (self->pages, "data");
  mt_data_page_show_rows (self->data_page, (const guint32 *) (void *) rows->data, rows->len, title, row);
}

static void
on_report_saved (MtWindow *self,
                 GFile    *file)
{
  AdwToast *toast = _mt_window_tell_saved (self, file);

  adw_toast_set_button_label (toast, _("_Open"));
  /* The target first: the toast may be on show, and an action without the target it wants is complained about. */
  adw_toast_set_action_target (toast, "s", g_file_peek_path (file));
  adw_toast_set_action_name (toast, "win.show-file");
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
  _mt_window_leave (self, MT_SESSION_TO_FILE, files->data);
  if (files->next != NULL)
    adw_toast_overlay_add_toast (self->toasts, adw_toast_new (_("Only the first file was opened")));
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

/* They are most of the window. Where no other window is left, nothing waits, and the program may end at once. */
static void
let_pages_go (MtWindow *self)
{
  GApplication *application = g_application_get_default ();
  GPtrArray *pages;

  if (self->document == NULL || application == NULL || gtk_application_get_windows (GTK_APPLICATION (application)) == NULL)
    return;
  pages = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (pages, g_object_ref (self->data_page));
  g_ptr_array_add (pages, g_object_ref (self->model_page));
  g_ptr_array_add (pages, g_object_ref (self->train_page));
  g_ptr_array_add (pages, g_object_ref (self->frontier_page));
  g_ptr_array_add (pages, g_object_ref (self->rules_page));
  g_ptr_array_add (pages, g_object_ref (self->performance_page));
  g_ptr_array_add (pages, g_object_ref (self->report_page));
  mt_deferred_unref (pages);
}

static void
mt_window_dispose (GObject *object)
{
  MtWindow *self = MT_WINDOW (object);

  let_pages_go (self);
  if (self->session != NULL)
    mt_session_end (self->session);
  withdraw_objection (self);
  g_clear_weak_pointer (&self->saved);
  g_clear_weak_pointer (&self->told);
  g_clear_pointer (&self->fix, g_free);
  g_clear_handle_id (&self->warming, g_source_remove);
  g_clear_handle_id (&self->keeping_view, g_source_remove);
  g_clear_handle_id (&self->placing, g_source_remove);   /* stopping may have queued it */
  g_clear_object (&self->document);
  g_clear_object (&self->study);
  g_clear_object (&self->settings);
  g_clear_object (&self->remembered);
  g_clear_pointer (&self->exporting, mt_selected_model_unref);
  G_OBJECT_CLASS (mt_window_parent_class)->dispose (object);
}

/* It has ended, but pages that are taken down may still tell of a change. */
static void
mt_window_finalize (GObject *object)
{
  g_object_unref (MT_WINDOW (object)->session);
  G_OBJECT_CLASS (mt_window_parent_class)->finalize (object);
}

static void
mt_window_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (mt_window_parent_class)->map (widget);
  _mt_window_warm_up (MT_WINDOW (widget));
}

static void
mt_window_class_init (MtWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_window_finalize;
  widget_class->map = mt_window_map;
  widget_class->size_allocate = mt_window_size_allocate;
  widget_class->system_setting_changed = mt_window_system_setting_changed;
  GTK_WINDOW_CLASS (klass)->close_request = mt_window_close_request;
  g_type_ensure (MT_TYPE_FLOW_LAYOUT);
  g_type_ensure (MT_TYPE_WIDTH_LAYOUT);
  g_type_ensure (MT_TYPE_START_PAGE);
  g_type_ensure (MT_TYPE_DATA_PAGE);
  g_type_ensure (MT_TYPE_MODEL_PAGE);
  g_type_ensure (MT_TYPE_TRAIN_PAGE);
  g_type_ensure (MT_TYPE_FRONTIER_PAGE);
  g_type_ensure (MT_TYPE_RULES_PAGE);
  g_type_ensure (MT_TYPE_PERFORMANCE_PAGE);
  g_type_ensure (MT_TYPE_REPORT_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-window.ui");
  gtk_widget_class_bind_template_child (widget_class, MtWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, header);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, project_menu);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, page_section);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, project_name);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, edit);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, edit_place);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, no_edit);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, undo);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, redo);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, inspector);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, switcher);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, switcher_bar);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, data_page);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, model_page);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, train_page);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, frontier_page);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, rules_page);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, performance_page);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, report_page);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, step);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, drop_hint);
  gtk_widget_class_bind_template_callback (widget_class, on_show_rows);
  gtk_widget_class_bind_template_callback (widget_class, on_report_saved);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, source_strip);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, source_text);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, unsaved_strip);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, unsaved_text);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, recovery_strip);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, recovery_box);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, recovery_text);
  gtk_widget_class_bind_template_child (widget_class, MtWindow, recovery_button);
  _mt_window_class_install_actions (widget_class);
  /* Not an accelerator, which would come first: in a field to search in, Escape is the field's. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "win.cancel", NULL);
}

static void
mt_window_init (MtWindow *self)
{
  self->document = mt_document_new ();
  self->study = mt_study_new ();
  self->session = mt_session_new (self->document, self->study);
  self->settings = g_object_ref (mt_preferences_get_settings ());
  self->tell_after = TELL_AFTER;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->sweep = MT_SWEEP_PANEL (gtk_widget_get_template_child (GTK_WIDGET (self->model_page), MT_TYPE_MODEL_PAGE,
                                                               "sweep"));
  _mt_window_init_edit (self);
  if (MT_DEVELOPMENT)
    gtk_widget_add_css_class (GTK_WIDGET (self), "devel");

  g_settings_bind (self->settings, "window-width", self, "default-width", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "window-height", self, "default-height", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "window-maximized", self, "maximized", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "show-inspector", self->data_page, "show-inspector",
                   G_SETTINGS_BIND_GET | G_SETTINGS_BIND_GET_NO_CHANGES);
  g_settings_bind (self->settings, "show-frontier-table", self->frontier_page, "show-inspector",
                   G_SETTINGS_BIND_GET | G_SETTINGS_BIND_GET_NO_CHANGES);
  g_object_bind_property (self->data_page, "show-inspector", self->rules_page, "show-inspector", G_BINDING_SYNC_CREATE);
  bind_pane (self);

  g_signal_connect_object (self->inspector, "clicked", G_CALLBACK (_mt_window_remember_inspector), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark_changed), self,
                           G_CONNECT_SWAPPED);
  on_dark_changed (self);

  mt_data_page_set_document (self->data_page, self->document);
  mt_model_page_set_study (self->model_page, self->document, self->study);
  mt_train_page_set_study (self->train_page, self->document, self->study);
  g_signal_connect_object (self->train_page, "run-changed", G_CALLBACK (_mt_window_update_actions), self,
                           G_CONNECT_SWAPPED);
  mt_frontier_page_set_study (self->frontier_page, self->document, self->study);
  g_signal_connect_object (self->model_page, "changed", G_CALLBACK (_mt_window_update_actions), self,
                           G_CONNECT_SWAPPED);
  mt_rules_page_set_study (self->rules_page, self->document, self->study);
  mt_report_page_set_study (self->report_page, self->document, self->study,
                            mt_frontier_page_get_benchmarks (self->frontier_page));
  mt_performance_page_set_study (self->performance_page, self->document, self->study,
                                 mt_report_page_get_ledger (self->report_page));
  g_signal_connect_object (self->performance_page, "cutoff", G_CALLBACK (_mt_window_set_cutoff), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->performance_page, "tested", G_CALLBACK (mt_report_page_add_tested), self->report_page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->report_page, "tested", G_CALLBACK (_mt_window_keep_tested), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->report_page, "checked", G_CALLBACK (_mt_window_keep_check), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->report_page, "busy-changed", G_CALLBACK (_mt_window_update_actions), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->study, "changed", G_CALLBACK (on_study_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pages, "notify::visible-child", G_CALLBACK (on_page_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "load-changed", G_CALLBACK (_mt_window_show_document), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "fixed", G_CALLBACK (_mt_window_tell_fix), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "load-changed", G_CALLBACK (_mt_window_step_over), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "load-changed", G_CALLBACK (_mt_window_ask_for_part), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "table-changed", G_CALLBACK (on_table_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "history-changed", G_CALLBACK (on_history_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->switcher, "notify::title-visible", G_CALLBACK (queue_header), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::default-width", G_CALLBACK (on_default_width), NULL);
  on_default_width (self);
  _mt_window_watch_view (self);
  _mt_window_init_project (self);
  _mt_window_init_model (self);
  _mt_window_init_close (self);
  _mt_window_init_recovery (self);
  add_drop_target (self);
  _mt_window_show_document (self);
}

MtWindow *
mt_window_new (MtApplication *application)
{
  return g_object_new (MT_TYPE_WINDOW, "application", application, NULL);
}
