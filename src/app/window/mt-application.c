/* The application: windows, files given to it, actions that need no window, and offers to recover work. */
#include "config.h"
#include "mt-application.h"

#include <glib-unix.h>
#include <glib/gi18n.h>

#include "util/mt-button-names.h"
#include "mt-help-window.h"
#include "mt-preferences-window.h"
#include "util/mt-environment.h"
#include "mt-window.h"

struct _MtApplication {
  AdwApplication parent_instance;

  gboolean       looked;    /* for work that was not saved when the program ended last */
};

G_DEFINE_FINAL_TYPE (MtApplication, mt_application, ADW_TYPE_APPLICATION)

static void
tell_spoilt (GtkWindow *window)
{
  g_autofree char *path = mt_environment_steal_spoilt ();
  g_autofree char *shown = path != NULL ? g_filename_display_name (path) : NULL;
  GtkWidget *dialog;

  if (path == NULL)
    return;
  dialog = adw_message_dialog_new (window, _("Preferences Could Not Be Read"), NULL);
  /* Translators: %s is the path of a file */
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog), _("Preferences were reset to their defaults. "
                                                                 "The unreadable file was kept as “%s”."), shown);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

/* In the first window, once. */
static void
offer_recovery (MtApplication *self,
                GtkWindow     *window)
{
  if (self->looked)
    return;
  self->looked = TRUE;
  mt_window_offer_recovery (MT_WINDOW (window));
  tell_spoilt (window);
}

static void
mt_application_activate (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (window == NULL)
    window = GTK_WINDOW (mt_window_new (MT_APPLICATION (application)));
  gtk_window_present (window);
  if (MT_IS_WINDOW (window))
    offer_recovery (MT_APPLICATION (application), window);
}

/* The window in front takes the first file if nothing is open in it; each other file has
 * a window of its own. */
static void
mt_application_open (GApplication  *application,
                     GFile        **files,
                     int            n_files,
                     const char    *hint)
{
  for (int i = 0; i < n_files; i++)
    {
      GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

      if (i > 0 || !MT_IS_WINDOW (window) || !mt_window_is_empty (MT_WINDOW (window)))
        window = GTK_WINDOW (mt_window_new (MT_APPLICATION (application)));
      gtk_window_present (window);   /* first: what is said about the file stands before it */
      mt_window_open (MT_WINDOW (window), files[i]);
      offer_recovery (MT_APPLICATION (application), window);
    }
}

static void
action_new_window (GSimpleAction *action,
                   GVariant      *parameter,
                   gpointer       application)
{
  gtk_window_present (GTK_WINDOW (mt_window_new (application)));
}

/* From a notification; the window may be gone by then. */
static void
action_raise_window (GSimpleAction *action,
                     GVariant      *id,
                     gpointer       application)
{
  GtkWindow *window = gtk_application_get_window_by_id (application, g_variant_get_uint32 (id));

  if (window != NULL)
    gtk_window_present (window);
  else
    g_application_activate (application);
}

static void
action_about (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       application)
{
  static const char * const developers[] = { "The Minterm developers", NULL };

  adw_show_about_window (gtk_application_get_active_window (application),
                         "application-name", _("Minterm"),
                         "application-icon", MT_APP_ID,
                         "version", MT_VERSION,
                         "comments", _("Learns readable rule models from tables. Works offline; your data never "
                                       "leaves this computer."),
                         "developer-name", "The Minterm developers",
                         "developers", developers,
                         "license-type", GTK_LICENSE_APACHE_2_0,
                         /* Translators: put your names here, one a line */
                         "translator-credits", _("translator-credits"),
                         NULL);
}

static void
action_help (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       application)
{
  GtkWindow *window = gtk_application_get_active_window (application);
  GtkWidget *help;

  if (MT_IS_HELP_WINDOW (window))
    return;
  help = mt_help_window_new (window);
  gtk_window_present (GTK_WINDOW (help));
}

static void
action_preferences (GSimpleAction *action,
                    GVariant      *parameter,
                    gpointer       application)
{
  gtk_window_present (GTK_WINDOW (mt_preferences_window_new (gtk_application_get_active_window (application))));
}

static void
action_quit (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       application)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (application));

  /* Each may ask what to do with what is not saved, and stay. */
  for (GList *each = windows; each != NULL; each = each->next)
    gtk_window_close (each->data);
}

/* The session or the system wants us gone, and waits for no answer: everything is stopped, what is being
 * written is written, and what has no name yet is offered at the next start. */
static void
end_windows (gpointer application)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (application));

  for (GList *each = windows; each != NULL; each = each->next)
    if (MT_IS_WINDOW (each->data))
      mt_window_end (each->data);
}

static gboolean
on_told_to_end (gpointer application)
{
  end_windows (application);
  g_application_quit (application);
  return G_SOURCE_CONTINUE;
}

/* The session asks before it ends, and shows the person what speaks against it. */
static void
on_query_end (GtkApplication *application)
{
  for (GList *each = gtk_application_get_windows (application); each != NULL; each = each->next)
    if (MT_IS_WINDOW (each->data))
      mt_window_object_to_end (each->data);
}

/* The end of the session and the action `quit` come here. */
static void
mt_application_shutdown (GApplication *application)
{
  mt_large_set_notice (NULL, NULL);
  end_windows (application);
  G_APPLICATION_CLASS (mt_application_parent_class)->shutdown (application);
}

static void
add_actions (MtApplication *self)
{
  static const GActionEntry entries[] = {
    { .name = "new-window", .activate = action_new_window },
    { .name = "raise-window", .activate = action_raise_window, .parameter_type = "u" },
    { .name = "preferences", .activate = action_preferences },
    { .name = "help", .activate = action_help },
    { .name = "about", .activate = action_about },
    { .name = "quit", .activate = action_quit },
  };
  static const struct {
    const char *action;
    const char *keys[3];
  } accelerators[] = {
    { "app.new-window", { "<Control>n" } },
    { "app.preferences", { "<Control>comma" } },
    { "app.quit", { "<Control>q" } },
    { "window.close", { "<Control>w" } },
    { "win.open", { "<Control>o" } },
    { "win.save", { "<Control>s" } },
    { "win.save-as", { "<Control><Shift>s" } },
    { "win.reload", { "F5" } },
    { "win.undo", { "<Control>z" } },
    { "win.redo", { "<Control><Shift>z", "<Control>y" } },
    { "win.find", { "<Control>f" } },
    { "win.toggle-inspector", { "F9" } },
    { "win.train", { "<Control>r" } },
    { "win.sweep", { "<Control><Shift>r" } },
    { "win.paste-table", { "<Control><Shift>v" } },
    { "win.export", { "<Control>e" } },
    { "win.export-model", { "<Control><Shift>e" } },
    { "win.show-page::data", { "<Alt>1" } },
    { "win.show-page::model", { "<Alt>2" } },
    { "win.show-page::train", { "<Alt>3" } },
    { "win.show-page::frontier", { "<Alt>4" } },
    { "win.show-page::rules", { "<Alt>5" } },
    { "win.show-page::performance", { "<Alt>6" } },
    { "win.show-page::report", { "<Alt>7" } },
    { "win.print", { "<Control>p" } },
    { "app.help", { "F1" } },
    { "win.show-help-overlay", { "<Control>question" } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (accelerators); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accelerators[i].action,
                                           (const char * const *) accelerators[i].keys);
}

typedef struct {
  GApplication *application;
  char         *text;
} Said;

static void
said_free (gpointer data)
{
  Said *said = data;

  g_object_unref (said->application);
  g_free (said->text);
  g_free (said);
}

static gboolean
say (gpointer data)
{
  Said *said = data;
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (said->application));

  if (MT_IS_WINDOW (window))
    mt_window_say (MT_WINDOW (window), said->text);
  return G_SOURCE_REMOVE;
}

/* On the thread that needed the memory. */
static void
on_rows_on_disk (const MtLargeUse *use,
                 gpointer          application)
{
  Said *said = g_new (Said, 1);

  said->application = g_object_ref (application);
  said->text = mt_large_dup_notice (use);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, say, said, said_free);
}

static void
mt_application_startup (GApplication *application)
{
  G_APPLICATION_CLASS (mt_application_parent_class)->startup (application);
  mt_i18n_set_translated (TRUE);
  mt_button_names_watch ();
  mt_large_set_notice (on_rows_on_disk, application);
  add_actions (MT_APPLICATION (application));
  g_signal_connect (application, "query-end", G_CALLBACK (on_query_end), NULL);
  g_unix_signal_add (SIGTERM, on_told_to_end, application);
  g_unix_signal_add (SIGINT, on_told_to_end, application);
  g_unix_signal_add (SIGHUP, on_told_to_end, application);
  gtk_window_set_default_icon_name (MT_APP_ID);
}

static void
mt_application_class_init (MtApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  application_class->startup = mt_application_startup;
  application_class->activate = mt_application_activate;
  application_class->open = mt_application_open;
  application_class->shutdown = mt_application_shutdown;
}

static void
mt_application_init (MtApplication *self)
{
}

MtApplication *
mt_application_new (void)
{
  return g_object_new (MT_TYPE_APPLICATION,
                       "application-id", MT_APP_ID,
                       "resource-base-path", "/io/github/minterm/Minterm",
                       "flags", G_APPLICATION_HANDLES_OPEN,
                       "register-session", TRUE,
                       NULL);
}
