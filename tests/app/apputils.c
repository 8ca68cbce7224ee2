#include "config.h"
#include "apputils.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "util/mt-background.h"

#define PATIENCE 40   /* seconds; a busy machine is no failure. MINTERM_PATIENCE: more, for sanitizers and pictures */

#define NOBODY 65534

static MtApplication *application;
static char *folder;

#ifdef __SANITIZE_ADDRESS__
/* GLib's table of quarks holds 2048; when there are more it makes a larger one and leaves the old one behind, so that
 * others may still read it (its own comment says so). It is made when the library is loaded, with a stack that ends
 * at g_malloc(), which no suppression could name without hiding ours. So what has that size and is older than
 * main() is held here, where the leak checker sees it. */
#define QUARK_TABLE (2048 * sizeof (char *))

static const volatile void *quark_tables[16];
static guint n_quark_tables;
static gboolean begun;

void __sanitizer_malloc_hook (const volatile void *block, size_t size);
void __sanitizer_free_hook (const volatile void *block);

void
__sanitizer_malloc_hook (const volatile void *block,
                         size_t               size)
{
  if (!begun && size == QUARK_TABLE && n_quark_tables < G_N_ELEMENTS (quark_tables))
    quark_tables[n_quark_tables++] = block;
}

void
__sanitizer_free_hook (const volatile void *block)
{
}
#endif

static void
delete_all (GFile *file)
{
  g_autoptr (GFileEnumerator) children = g_file_enumerate_children (file, "standard::name",
                                                                    G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, NULL);
  GFile *child;

  while (children != NULL && g_file_enumerator_iterate (children, NULL, &child, NULL, NULL) && child != NULL)
    delete_all (child);
  g_file_delete (file, NULL, NULL);
}

static void
clean_up (void)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);

  delete_all (file);
}

void
mt_app_test_init (int    *argc,
                  char ***argv)
{
  g_autofree char *data = NULL;

#ifdef __SANITIZE_ADDRESS__
  begun = TRUE;
#endif
  /* Nothing of the person who runs the tests is read or written. */
  folder = g_dir_make_tmp ("minterm-test-XXXXXX", NULL);
  g_assert_nonnull (folder);
  atexit (clean_up);
  data = g_build_filename (folder, "data", NULL);
  g_setenv ("HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_mkdir_with_parents (data, 0700);

  setlocale (LC_ALL, "");
  mt_background_prepare ();
  if (!gtk_init_check ())
    {
      g_printerr ("no display: skipped\n");
      exit (77);
    }
  adw_init ();
  g_test_init (argc, argv, NULL);
  g_set_application_name ("Minterm");
  /* Pictures and conditions should not depend on how far a fade has come. */
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

/* --- how long a case takes, for tools/count-tests.py --- */

static gint64 case_begun;        /* μs; 0: no case that has shown a window */
static double case_work;

static double
get_work (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void
tell_case (gpointer data)
{
  g_test_message ("took %.1f s, %.1f s of work: %s", (double) (g_get_monotonic_time () - case_begun) / G_USEC_PER_SEC,
                  get_work () - case_work, (const char *) data);
  case_begun = 0;
  g_free (data);
}

static void
begin_case (void)
{
  if (case_begun != 0 || g_test_get_path () == NULL || *g_test_get_path () == '\0')
    return;   /* told already, or no test: pictures */
  case_begun = g_get_monotonic_time ();
  case_work = get_work ();
  g_test_queue_destroy (tell_case, g_strdup (g_test_get_path ()));
}

MtWindow *
mt_app_window_new (int width,
                   int height)
{
  MtWindow *window;

  begin_case ();
  if (application == NULL)
    {
      g_autoptr (GError) error = NULL;

      application = mt_application_new ();
      g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
      g_application_register (G_APPLICATION (application), NULL, &error);
      g_assert_no_error (error);
    }
  window = mt_window_new (application);
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_present (GTK_WINDOW (window));
  mt_app_wait ((MtAppCondition) gtk_widget_get_mapped, window);
  return window;
}

void
mt_app_window_end (MtWindow *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  mt_app_settle (20);
}

static gboolean
raise_flag (gpointer flag)
{
  *(gboolean *) flag = TRUE;
  return G_SOURCE_REMOVE;
}

static guint
get_patience (void)
{
  const char *text = g_getenv ("MINTERM_PATIENCE");
  guint64 seconds = 0;

  if (text != NULL)
    g_assert_true (g_ascii_string_to_unsigned (text, 10, 1, 86400, &seconds, NULL));
  return text != NULL ? (guint) seconds : PATIENCE;
}

void
mt_app_wait (MtAppCondition condition,
             gpointer       data)
{
  gboolean late = FALSE;
  guint alarm = g_timeout_add_seconds (get_patience (), raise_flag, &late);

  while (!condition (data) && !late)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (late);
  g_source_remove (alarm);
}

/* On a busy machine the time can be over before the program has had any of it: the timer and the frame are due
 * together, and the timer comes first. So whatever is due by then is done, too, frames among it. */
void
mt_app_settle (guint milliseconds)
{
  gboolean over = FALSE;
  gboolean done = FALSE;

  g_timeout_add (milliseconds, raise_flag, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
  g_idle_add_full (G_PRIORITY_LOW + 100, raise_flag, &done, NULL);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
is_idle (gpointer window)
{
  return !mt_window_is_reading (window);
}

void
mt_app_wait_idle (MtWindow *window)
{
  mt_app_wait (is_idle, window);
}

static gboolean
is_trained (gpointer window)
{
  return !mt_study_is_running (mt_window_get_study (window));
}

void
mt_app_wait_trained (MtWindow *window)
{
  mt_app_wait (is_trained, window);
}

void
mt_app_train (MtWindow   *window,
              GFile      *file,
              const char *target)
{
  MtDocument *document = mt_window_get_document (window);
  guint column;

  mt_app_open (window, file);
  g_assert_nonnull (mt_table_find_column (mt_document_get_table (document), target, &column));
  mt_document_set_role (document, column, MT_ROLE_TARGET);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  mt_app_wait_trained (window);
}

static gboolean
has_selected (gpointer window)
{
  return mt_study_get_fitted (mt_window_get_study (window)) != NULL && !mt_window_is_reading (window);
}

void
mt_app_open_trained (MtWindow   *window,
                     const char *name)
{
  static guint n_copies;
  g_autofree char *made = g_build_filename (g_getenv ("MINTERM_TRAINED"), name, "small.minterm", NULL);
  g_autofree char *own = g_strdup_printf ("%s/small-%u.minterm", folder, ++n_copies);
  g_autoptr (GFile) source = g_file_new_for_path (made);
  g_autoptr (GFile) copy = g_file_new_for_path (own);
  g_autoptr (GError) error = NULL;
  MtRunSettings settings;

  g_file_copy (source, copy, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);   /* it is written to, and locked */
  g_assert_no_error (error);
  mt_window_open (window, copy);
  mt_app_wait (has_selected, window);
  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  g_assert_true (mt_study_has_run (mt_window_get_study (window),
                                   mt_document_get_table (mt_window_get_document (window)), &settings));
}

GtkWindow *
mt_app_find_question (MtWindow *window)
{
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) each = g_list_model_get_item (all, i);

      if (ADW_IS_MESSAGE_DIALOG (each) && gtk_window_get_transient_for (each) == GTK_WINDOW (window))
        return each;
    }
  return NULL;
}

static gboolean
is_asked (gpointer window)
{
  return mt_app_find_question (window) != NULL;
}

void
mt_app_wait_asked (MtWindow *window)
{
  mt_app_wait (is_asked, window);
}

void
mt_app_answer (MtWindow   *window,
               const char *response)
{
  g_autoptr (GtkWindow) question = NULL;

  mt_app_wait_asked (window);
  question = g_object_ref (mt_app_find_question (window));
  gtk_window_set_transient_for (question, NULL);   /* it is answered: not to be found again */
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (question), response);
  gtk_window_destroy (question);
}

void
mt_app_open (MtWindow *window,
             GFile    *file)
{
  mt_window_open (window, file);
  mt_app_wait_idle (window);
}

GFile *
mt_app_write (const char *name,
              const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return g_file_new_for_path (path);
}

void
mt_app_set_room (gboolean room)
{
  static struct rlimit usual;
  struct rlimit none;

  if (usual.rlim_max == 0)
    {
      signal (SIGXFSZ, SIG_IGN);
      g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &usual), ==, 0);
    }
  if (!room)
    mt_app_settle (600);   /* GTK writes its list of recent files a moment later, and would complain */
  none = usual;
  none.rlim_cur = 1;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, room ? &usual : &none), ==, 0);
}

/* Somebody else when it is the user who may write everything. */
void
mt_app_set_read_only (GFile    *file,
                      gboolean  read_only)
{
  g_autofree char *place = g_path_get_dirname (g_file_peek_path (file));

  if (read_only)
    mt_app_settle (600);   /* GTK reads its list of recent files a moment after it was written */
  if (!read_only && getuid () == 0)
    g_assert_cmpint (seteuid (0), ==, 0);
  g_chmod (folder, 0755);
  g_chmod (g_file_peek_path (file), read_only ? 0444 : 0644);
  g_chmod (place, read_only ? 0555 : 0755);
  if (read_only && getuid () == 0)
    g_assert_cmpint (seteuid (NOBODY), ==, 0);
}

static gboolean
says (GtkWidget  *widget,
      const char *text)
{
  if (text == NULL)
    return TRUE;
  if (g_strcmp0 (gtk_widget_get_name (widget), text) == 0)
    return TRUE;
  if (GTK_IS_LABEL (widget))
    return g_strcmp0 (gtk_label_get_label (GTK_LABEL (widget)), text) == 0;
  if (GTK_IS_BUTTON (widget))
    return g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), text) == 0;
  if (ADW_IS_PREFERENCES_ROW (widget))
    return g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), text) == 0;
  return FALSE;
}

gpointer
mt_app_find_over (gpointer parent,
                  GType    type)
{
  g_autoptr (GList) tops = gtk_window_list_toplevels ();

  for (GList *top = tops; top != NULL; top = top->next)
    if (G_TYPE_CHECK_INSTANCE_TYPE (top->data, type) && gtk_window_get_transient_for (top->data) == parent)
      return top->data;
  return NULL;
}

static gboolean
has_export (gpointer window)
{
  return mt_app_find_over (window, MT_TYPE_EXPORT_DIALOG) != NULL;
}

MtExportDialog *
mt_app_open_export (MtWindow *window)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.export-model", NULL));
  mt_app_wait (has_export, window);
  return mt_app_find_over (window, MT_TYPE_EXPORT_DIALOG);
}

GtkWidget *
mt_app_find (GtkWidget  *top,
             GType       type,
             const char *text)
{
  if (g_type_is_a (G_OBJECT_TYPE (top), type) && says (top, text))
    return top;
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = mt_app_find (child, type, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
collect (GtkWidget *top,
         GType      type,
         GPtrArray *found)
{
  if (g_type_is_a (G_OBJECT_TYPE (top), type))
    g_ptr_array_add (found, top);
  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect (child, type, found);
}

gboolean
mt_app_press (GtkWidget       *widget,
              guint            key,
              GdkModifierType  modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      for (guint k = 0; GTK_IS_SHORTCUT_CONTROLLER (controller) &&
                        k < g_list_model_get_n_items (G_LIST_MODEL (controller)); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

          if (GTK_IS_KEYVAL_TRIGGER (trigger) &&
              gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == key &&
              gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == modifiers)
            return gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                                 gtk_shortcut_get_arguments (shortcut));
        }
    }
  return FALSE;
}

GPtrArray *
mt_app_find_all (gpointer top,
                 GType    type)
{
  GPtrArray *found = g_ptr_array_new ();

  collect (GTK_WIDGET (top), type, found);
  return found;
}

static void
note_frame (GdkFrameClock *clock,
            gboolean      *painted)
{
  *painted = TRUE;
}

static gboolean
is_raised (gpointer flag)
{
  return *(gboolean *) flag;
}

void
mt_app_leave_work (GFile *csv)
{
  g_autoptr (GError) error = NULL;
  MtProject *project = mt_project_create_unsaved (&error);
  g_autofree char *uri = g_file_get_uri (csv);
  g_autofree char *sha256 = g_strnfill (64, '0');
  const MtProjectSource source = { .uri = uri, .size = 1, .modified = 1, .sha256 = sha256 };

  g_assert_no_error (error);
  mt_project_set_source (project, &source, &error);
  g_assert_no_error (error);
  mt_project_add_run (project, "9 bits", "{}", 0, &error);
  g_assert_no_error (error);
  mt_project_free (project);
}

void
mt_app_wait_painted (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gboolean painted = FALSE;
  gulong handler;

  handler = g_signal_connect (clock, "after-paint", G_CALLBACK (note_frame), &painted);
  gtk_widget_queue_draw (widget);
  mt_app_wait (is_raised, &painted);
  g_signal_handler_disconnect (clock, handler);
}

static void
snapshot_widget (GtkWidget   *widget,
                 GtkSnapshot *snapshot)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);

  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
}

/* @over: NULL for none. */
static GdkTexture *
grab_both (GtkWidget *widget,
           GtkWidget *over)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  const graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                                  (float) gtk_widget_get_height (widget));

  mt_app_wait_painted (widget);
  snapshot_widget (widget, snapshot);
  if (over != NULL)
    {
      mt_app_wait_painted (over);
      gtk_snapshot_append_color (snapshot, &(GdkRGBA) { 0, 0, 0, 0.35f }, &all);
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((all.size.width - (float) gtk_widget_get_width (over)) / 2,
                                                              (all.size.height - (float) gtk_widget_get_height (over)) / 2));
      snapshot_widget (over, snapshot);
    }
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  g_assert_nonnull (node);
  return gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)), node, &all);
}

GdkTexture *
mt_app_grab (GtkWidget *widget)
{
  return grab_both (widget, NULL);
}

void
mt_app_shot_over (GtkWidget  *widget,
                  GtkWidget  *over,
                  const char *path)
{
  g_autoptr (GdkTexture) texture = grab_both (widget, over);

  g_assert_true (gdk_texture_save_to_png (texture, path));
}

void
mt_app_shot (GtkWidget  *widget,
             const char *path)
{
  mt_app_shot_over (widget, NULL, path);
}
