/* What the window owes the desktop while it trains, with a session manager and a notification service of
 * our own on a private bus: suspend and the end of the session are held off and let go, a long run that ends
 * unseen is announced, and closing asks and stops cleanly. */
#include "config.h"

#include "apputils.h"
#include "train/mt-model-page.h"

/* --- the desktop --- */

typedef struct {
  GMutex     lock;
  GCond      ready;
  gboolean   is_ready;
  guint      n_inhibits, n_uninhibits;
  guint32    flags;             /* of the last inhibit */
  GPtrArray *told;              /* of char *: title, then body, of each notification */
  guint      n_replaced;        /* notifications that took the place of another … */
  guint      n_default;         /* … and those that can be clicked at */
  GDBusConnection *connection;
  GMainLoop *loop;
} Desktop;

static Desktop desktop;

static const char interfaces[] =
  "<node>"
  "<interface name='org.gnome.SessionManager'>"
  "<method name='RegisterClient'><arg type='s' direction='in'/><arg type='s' direction='in'/>"
  "<arg type='o' direction='out'/></method>"
  "<method name='UnregisterClient'><arg type='o' direction='in'/></method>"
  "<method name='Inhibit'><arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>"
  "<arg type='u' direction='in'/><arg type='u' direction='out'/></method>"
  "<method name='Uninhibit'><arg type='u' direction='in'/></method>"
  "</interface>"
  "<interface name='org.freedesktop.Notifications'>"
  "<method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>"
  "<arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='as' direction='in'/>"
  "<arg type='a{sv}' direction='in'/><arg type='i' direction='in'/><arg type='u' direction='out'/></method>"
  "<method name='CloseNotification'><arg type='u' direction='in'/></method>"
  "<method name='GetCapabilities'><arg type='as' direction='out'/></method>"
  "</interface>"
  "</node>";

static void
on_call (GDBusConnection       *connection,
         const char            *sender,
         const char            *path,
         const char            *interface,
         const char            *method,
         GVariant              *arguments,
         GDBusMethodInvocation *invocation,
         gpointer               data)
{
  g_mutex_lock (&desktop.lock);
  if (g_str_equal (method, "RegisterClient"))   /* check-ending.py has the end of a session */
    g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", "/org/gnome/SessionManager/Client1"));
  else if (g_str_equal (method, "UnregisterClient"))
    g_dbus_method_invocation_return_value (invocation, NULL);
  else if (g_str_equal (method, "Inhibit"))
    {
      desktop.n_inhibits++;
      g_variant_get_child (arguments, 3, "u", &desktop.flags);
      g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", 4711));
    }
  else if (g_str_equal (method, "Uninhibit"))
    {
      guint32 cookie;

      g_variant_get (arguments, "(u)", &cookie);
      desktop.n_uninhibits += cookie == 4711;
      g_dbus_method_invocation_return_value (invocation, NULL);
    }
  else if (g_str_equal (method, "Notify"))
    {
      g_autofree char **actions = NULL;
      char *title, *body;
      guint32 replaces;

      g_variant_get_child (arguments, 1, "u", &replaces);
      g_variant_get_child (arguments, 5, "^a&s", &actions);
      desktop.n_replaced += replaces != 0;
      desktop.n_default += g_strv_contains ((const char * const *) actions, "default");
      g_variant_get_child (arguments, 3, "s", &title);
      g_variant_get_child (arguments, 4, "s", &body);
      g_ptr_array_add (desktop.told, title);
      g_ptr_array_add (desktop.told, body);
      g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", desktop.told->len / 2));
    }
  else if (g_str_equal (method, "GetCapabilities"))
    g_dbus_method_invocation_return_value (invocation, g_variant_new_parsed ("([ 'body', 'actions' ],)"));
  else
    g_dbus_method_invocation_return_value (invocation, NULL);
  g_mutex_unlock (&desktop.lock);
}

static gboolean
own_name (GDBusConnection *connection,
          const char      *name)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                                            "org.freedesktop.DBus", "RequestName",
                                                            g_variant_new ("(su)", name, 0), NULL,
                                                            G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);

  return reply != NULL;
}

/* On a thread of its own: the window waits for the session manager's answer. */
static gpointer
run_desktop (gpointer address)
{
  static const GDBusInterfaceVTable table = { on_call, NULL, NULL, { NULL } };
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (interfaces, NULL);
  g_autoptr (GDBusConnection) connection = NULL;

  g_main_context_push_thread_default (context);
  connection = g_dbus_connection_new_for_address_sync (address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                       G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL, NULL);
  g_assert_nonnull (connection);
  g_dbus_connection_register_object (connection, "/org/gnome/SessionManager", node->interfaces[0], &table, NULL, NULL,
                                     NULL);
  g_dbus_connection_register_object (connection, "/org/freedesktop/Notifications", node->interfaces[1], &table, NULL,
                                     NULL, NULL);
  g_assert_true (own_name (connection, "org.gnome.SessionManager"));
  g_assert_true (own_name (connection, "org.freedesktop.Notifications"));
  desktop.connection = connection;
  desktop.loop = g_main_loop_new (context, FALSE);
  g_mutex_lock (&desktop.lock);
  desktop.is_ready = TRUE;
  g_cond_signal (&desktop.ready);
  g_mutex_unlock (&desktop.lock);
  g_main_loop_run (desktop.loop);
  g_main_loop_unref (desktop.loop);
  g_main_context_pop_thread_default (context);
  return NULL;
}

static guint
count (const guint *of)
{
  guint n;

  g_mutex_lock (&desktop.lock);
  n = of != NULL ? *of : desktop.told->len / 2;
  g_mutex_unlock (&desktop.lock);
  return n;
}

/* --- the window --- */

static MtWindow *
open_table (const char *name)
{
  g_autoptr (GString) text = g_string_new ("a,b,kind,y\n");
  g_autoptr (GFile) file = NULL;
  MtWindow *window = mt_app_window_new (1000, 700);
  MtRunSettings settings;

  for (guint i = 0; i < 160; i++)
    g_string_append_printf (text, "%u,%u,k%u,%s\n", i * 37 % 101, i * 53 % 89, i % 3,
                            (i * 37 % 101 > 50 && i % 3 == 1) || i * 53 % 89 > 70 ? "yes" : "no");
  file = mt_app_write (name, text->str);
  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 3, MT_ROLE_TARGET);
  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  mt_model_page_set_settings (MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL)), &settings);
  return window;
}

static void
sweep (MtWindow *window,
       guint     n_seeds)
{
  const MtSweepGrid grid = { .bits = { 2, 4 }, .n_bits = 2, .n_seeds = n_seeds };

  mt_model_page_set_grid (MT_MODEL_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_MODEL_PAGE, NULL)), &grid);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.sweep", NULL);
}

static gboolean
is_let_go (gpointer data)
{
  return count (&desktop.n_uninhibits) == count (&desktop.n_inhibits);
}

/* Suspend is held off from the first run's start to the last one's end, also when it is stopped. */
static void
test_inhibit (void)
{
  MtWindow *window = open_table ("inhibit.csv");

  g_assert_cmpuint (count (&desktop.n_inhibits), ==, 0);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  g_assert_cmpuint (count (&desktop.n_inhibits), ==, 1);
  g_assert_cmpuint (desktop.flags, ==, 5);   /* the end of the session and suspend, and nothing else */
  mt_app_wait_trained (window);
  mt_app_wait (is_let_go, NULL);
  sweep (window, 20);
  g_assert_cmpuint (count (&desktop.n_inhibits), ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
  mt_app_wait_trained (window);
  mt_app_wait (is_let_go, NULL);
  mt_app_window_end (window);
  g_assert_cmpuint (count (&desktop.n_inhibits), ==, 2);
}

static gboolean
is_told (gpointer data)
{
  return count (NULL) > 0;
}

static gboolean
is_away (gpointer window)
{
  return !gtk_window_is_active (window);
}

/* Somebody who waited and looks elsewhere is told; nobody else is. */
static void
test_notification (void)
{
  MtWindow *window = open_table ("notify.csv");
  GtkWindow *other;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  mt_app_settle (100);
  g_assert_cmpuint (count (NULL), ==, 0);   /* too quick to be worth a word, focused or not */

  other = GTK_WINDOW (gtk_window_new ());
  gtk_window_present (other);
  mt_app_wait (is_away, window);
  mt_window_set_tell_after (window, 0);
  sweep (window, 1);
  mt_app_wait_trained (window);
  mt_app_wait (is_told, NULL);
  g_assert_cmpuint (count (NULL), ==, 1);
  g_assert_cmpstr (desktop.told->pdata[0], ==, "Training Finished");
  g_assert_cmpstr (desktop.told->pdata[1], ==, "notify.csv");
  gtk_window_destroy (other);
  mt_app_window_end (window);
}

static gboolean
is_front (gpointer window)
{
  return gtk_window_is_active (window);
}

static gboolean
are_told (gpointer n)
{
  return count (NULL) == GPOINTER_TO_UINT (n);
}

/* As a desktop does when somebody clicks at a notification, by its number. */
static void
click (guint32 notification)
{
  g_assert_true (g_dbus_connection_emit_signal (desktop.connection, NULL, "/org/freedesktop/Notifications",
                                                "org.freedesktop.Notifications", "ActionInvoked",
                                                g_variant_new ("(us)", notification, "default"), NULL));
}

/* Each window speaks for itself, and a click brings the one that spoke. */
static void
test_two_windows (void)
{
  MtWindow *windows[] = { open_table ("first.csv"), open_table ("second.csv") };
  GtkWindow *other = GTK_WINDOW (gtk_window_new ());
  guint before = count (NULL);

  gtk_window_present (other);
  for (guint i = 0; i < 2; i++)
    {
      mt_app_wait (is_away, windows[i]);
      mt_window_set_tell_after (windows[i], 0);
      gtk_widget_activate_action (GTK_WIDGET (windows[i]), "win.train", NULL);
      mt_app_wait_trained (windows[i]);
      mt_app_wait (are_told, GUINT_TO_POINTER (before + i + 1));
    }
  g_assert_cmpuint (count (&desktop.n_replaced), ==, 0);
  g_assert_cmpuint (count (&desktop.n_default), ==, before + 2);
  for (guint i = 0; i < 2; i++)
    {
      click (before + 1 + i);
      mt_app_wait (is_front, windows[i]);
    }
  gtk_window_destroy (other);
  for (guint i = 0; i < 2; i++)
    mt_app_window_end (windows[i]);
}

static gboolean
is_gone (gpointer weak)
{
  return *(gpointer *) weak == NULL;
}

/* Closing while it trains asks; stopping it leaves nothing at work and nothing held off. */
static void
test_close (void)
{
  MtWindow *window = open_table ("close.csv");
  gpointer weak = window;
  MtStudy *study = g_object_ref (mt_window_get_study (window));

  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  sweep (window, 50);
  gtk_window_close (GTK_WINDOW (window));
  mt_app_answer (window, "cancel");
  g_assert_true (mt_study_is_running (study));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window)));
  gtk_window_close (GTK_WINDOW (window));
  mt_app_answer (window, "discard");
  g_assert_false (mt_study_is_running (study));
  mt_app_settle (100);
  if (weak != NULL)
    mt_app_answer (window, "discard");   /* the grid was chosen, a run had finished: that is asked about, too */
  mt_app_wait (is_gone, &weak);
  mt_app_wait (is_let_go, NULL);
  g_object_unref (study);
}

/* A person in a hurry: starts twenty times over, which is no more than twice, chooses another target, loses the
 * project from the disk. What comes of the runs belongs to the rows and the target that they were started with. */
static void
test_meanwhile (void)
{
  MtWindow *window = open_table ("meanwhile.csv");
  MtDocument *document = mt_window_get_document (window);
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (GFile) project = mt_app_write ("meanwhile.minterm", "");
  g_autoptr (MtTable) table = mt_table_ref (mt_document_get_table (document));
  guint n_columns = mt_table_get_n_columns (table);
  guint target = (guint) mt_table_get_target (table), n_done = 0;

  g_assert_true (g_file_delete (project, NULL, NULL));
  mt_window_save_as (window, project);
  sweep (window, 3);
  for (guint i = 0; i < 20; i++)
    gtk_widget_activate_action (GTK_WIDGET (window), i % 2 == 0 ? "win.train" : "win.sweep", NULL);
  mt_document_set_role (document, (target + 1) % n_columns, MT_ROLE_TARGET);
  while (mt_window_is_saving (window))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_file_delete (project, NULL, NULL));
  mt_app_settle (100);
  mt_document_set_role (document, target, MT_ROLE_TARGET);
  if (mt_app_find_question (window) != NULL)   /* the project cannot be written to any more */
    mt_app_answer (window, "close");
  mt_app_wait_trained (window);
  for (guint i = 0; i < g_list_model_get_n_items (mt_study_get_runs (study)); i++)
    {
      g_autoptr (MtRun) run = g_list_model_get_item (mt_study_get_runs (study), i);

      g_assert_cmpint (mt_table_get_target (mt_run_get_table (run)), ==, target);
      n_done += mt_run_get_state (run) == MT_RUN_DONE;
    }
  g_assert_cmpuint (n_done, ==, 7);   /* the sweep, and the one run */
  mt_app_settle (100);
  mt_app_window_end (window);
}

static gpointer
find_chooser (void)
{
  g_autoptr (GList) tops = gtk_window_list_toplevels ();

  for (GList *each = tops; each != NULL; each = each->next)
    if (GTK_IS_FILE_CHOOSER (each->data) && gtk_widget_get_mapped (each->data))
      return each->data;
  return NULL;
}

static gboolean
is_choosing (gpointer data)
{
  return find_chooser () != NULL;
}

/* It begins elsewhere, and takes its time to go where it is told. */
static gboolean
has_chosen (gpointer project)
{
  GtkFileChooser *chooser = find_chooser ();
  g_autoptr (GFile) folder = g_file_get_parent (project);
  g_autofree char *name = g_file_get_basename (project);
  g_autoptr (GFile) file = NULL;

  gtk_file_chooser_set_current_folder (chooser, folder, NULL);
  gtk_file_chooser_set_current_name (chooser, name);
  mt_app_settle (50);
  file = gtk_file_chooser_get_file (chooser);
  return file != NULL && g_file_equal (file, project);
}

/* Who saves on the way out is out once it is saved, and finds it all there. */
static void
test_close_and_save (void)
{
  MtWindow *window = open_table ("save-and-close.csv");
  g_autoptr (GFile) project = mt_app_write ("saved-on-the-way.minterm", "");
  gpointer weak = window;
  guint n_points;

  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL);
  mt_app_wait_trained (window);
  n_points = g_list_model_get_n_items (mt_study_get_points (mt_window_get_study (window)));
  g_assert_cmpuint (n_points, >, 0);
  g_assert_true (g_file_delete (project, NULL, NULL));
  gtk_window_close (GTK_WINDOW (window));
  mt_app_answer (window, "save");
  mt_app_wait (is_choosing, NULL);
  mt_app_wait (has_chosen, project);
  gtk_dialog_response (GTK_DIALOG (find_chooser ()), GTK_RESPONSE_ACCEPT);
  mt_app_wait (is_gone, &weak);
  g_assert_true (g_file_query_exists (project, NULL));

  window = mt_app_window_new (900, 700);
  mt_window_open (window, project);
  mt_app_settle (50);
  mt_app_wait_idle (window);
  mt_app_settle (200);
  g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_points (mt_window_get_study (window))), ==, n_points);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  static GTestDBus *bus;   /* kept: giving it back waits for every connection of GTK's to be gone */
  g_autofree char *display = g_strdup (g_getenv ("DISPLAY"));
  GThread *thread;
  int result;

  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  if (display != NULL)
    g_setenv ("DISPLAY", display, TRUE);   /* which a test bus takes away */
  desktop.told = g_ptr_array_new_with_free_func (g_free);
  thread = g_thread_new ("desktop", run_desktop, (gpointer) g_test_dbus_get_bus_address (bus));
  g_mutex_lock (&desktop.lock);
  while (!desktop.is_ready)
    g_cond_wait (&desktop.ready, &desktop.lock);
  g_mutex_unlock (&desktop.lock);
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/manners/inhibit", test_inhibit);
  g_test_add_func ("/app/manners/notification", test_notification);
  g_test_add_func ("/app/manners/two-windows", test_two_windows);
  g_test_add_func ("/app/manners/close", test_close);
  g_test_add_func ("/app/manners/meanwhile", test_meanwhile);
  g_test_add_func ("/app/manners/close-and-save", test_close_and_save);
  result = g_test_run ();
  g_main_loop_quit (desktop.loop);
  g_thread_join (thread);
  g_ptr_array_unref (desktop.told);
  g_test_dbus_stop (bus);
  return result;
}
