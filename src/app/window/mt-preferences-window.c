/* The preferences window: threads, device, preset, number format and the person's name. */
#include "config.h"
#include "mt-preferences-window.h"

#include <glib/gi18n.h>

#include "mt-core.h"
#include "util/mt-format.h"
#include "util/mt-gpu-look.h"
#include "util/mt-preferences.h"

struct _MtPreferencesWindow {
  AdwPreferencesWindow parent_instance;

  GtkSpinButton *threads;
  AdwActionRow  *threads_row;
  AdwComboRow   *device;
  AdwComboRow   *preset;
  AdwComboRow   *numbers;
  AdwEntryRow   *person;
  GCancellable  *looking;        /* for GPUs */
};

G_DEFINE_FINAL_TYPE (MtPreferencesWindow, mt_preferences_window, ADW_TYPE_PREFERENCES_WINDOW)

static void
show_threads (AdwActionRow *row)
{
  g_autofree char *text = NULL;

  if (g_settings_get_int (mt_preferences_get_settings (), "threads") == 0)
    text = g_strdup_printf (ngettext ("Using %u thread", "Using all %u threads",
                                      g_get_num_processors ()), g_get_num_processors ());
  else
    text = g_strdup (_("Does not affect the result"));
  adw_action_row_set_subtitle (row, text);
}

static void
on_device (AdwComboRow *row)
{
  g_settings_set_enum (mt_preferences_get_settings (), "device",
                       adw_combo_row_get_selected (row) == 0 ? MT_DEVICE_CPU : MT_DEVICE_CUDA);
}

/* The CPU, which is also what trains as long as nothing was chosen, and the GPU where it is found or was chosen. Why it
 * cannot be had, where it cannot. @found: NULL as long as the driver was not heard. */
static void
show_device (MtPreferencesWindow *self,
             const MtGpuLook     *found)
{
  g_autoptr (GtkStringList) devices = gtk_string_list_new (NULL);
  gboolean chosen = g_settings_get_enum (mt_preferences_get_settings (), "device") == MT_DEVICE_CUDA;
  gboolean has_gpu = found != NULL && found->gpu != NULL;
  g_autofree char *reason = mt_format_sentence (found == NULL ? "" : has_gpu ? found->gpu : found->reason);
  g_autofree char *escaped = g_markup_escape_text (reason, -1);

  gtk_string_list_append (devices, _("CPU"));
  if (has_gpu || chosen)
    gtk_string_list_append (devices, _("GPU (CUDA)"));
  g_signal_handlers_disconnect_by_func (self->device, on_device, NULL);
  adw_combo_row_set_model (self->device, G_LIST_MODEL (devices));
  adw_combo_row_set_selected (self->device, chosen ? 1 : 0);
  g_signal_connect (self->device, "notify::selected", G_CALLBACK (on_device), NULL);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->device), escaped);
}

static void
on_looked (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (MtGpuLook) found = mt_gpu_look_finish (result);

  if (found != NULL)
    show_device (data, found);
}

/* A choice of few, in the order of the schema's enumeration. */
static void
on_chosen (AdwComboRow *row,
           GParamSpec  *pspec,
           const char  *key)
{
  g_settings_set_enum (mt_preferences_get_settings (), key, (int) adw_combo_row_get_selected (row));
}

static void
bind_choice (AdwComboRow *row,
             const char  *key)
{
  adw_combo_row_set_selected (row, (guint) g_settings_get_enum (mt_preferences_get_settings (), key));
  g_signal_connect (row, "notify::selected", G_CALLBACK (on_chosen), (gpointer) key);
}

/* As long as nothing is written there, what is taken instead. */
static void
show_person (AdwPreferencesRow *row)
{
  g_autofree char *name = g_settings_get_string (mt_preferences_get_settings (), "person");
  g_autofree char *system = mt_preferences_dup_system_name ();
  /* Translators: the title of an entry; %s is the name that the system has for the person */
  g_autofree char *title = g_strdup_printf (_("Name; if empty: %s"), system);

  adw_preferences_row_set_title (row, *name == '\0' ? title : _("Name"));
}

static void
mt_preferences_window_dispose (GObject *object)
{
  MtPreferencesWindow *self = MT_PREFERENCES_WINDOW (object);

  g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  G_OBJECT_CLASS (mt_preferences_window_parent_class)->dispose (object);
}

static void
mt_preferences_window_class_init (MtPreferencesWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_preferences_window_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/minterm/Minterm/ui/mt-preferences-window.ui");
  gtk_widget_class_bind_template_child (widget_class, MtPreferencesWindow, threads);
  gtk_widget_class_bind_template_child (widget_class, MtPreferencesWindow, threads_row);
  gtk_widget_class_bind_template_child (widget_class, MtPreferencesWindow, device);
  gtk_widget_class_bind_template_child (widget_class, MtPreferencesWindow, preset);
  gtk_widget_class_bind_template_child (widget_class, MtPreferencesWindow, numbers);
  gtk_widget_class_bind_template_child (widget_class, MtPreferencesWindow, person);
}

static void
mt_preferences_window_init (MtPreferencesWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_settings_bind (mt_preferences_get_settings (), "threads", self->threads, "value", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (mt_preferences_get_settings (), "changed::threads", G_CALLBACK (show_threads),
                           self->threads_row, G_CONNECT_SWAPPED);
  show_threads (self->threads_row);
  show_device (self, NULL);
  self->looking = g_cancellable_new ();
  mt_gpu_look_async (self->looking, on_looked, self);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->person), FALSE);
  g_settings_bind (mt_preferences_get_settings (), "person", self->person, "text", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (mt_preferences_get_settings (), "changed::person", G_CALLBACK (show_person), self->person,
                           G_CONNECT_SWAPPED);
  show_person (ADW_PREFERENCES_ROW (self->person));
  bind_choice (self->preset, "preset");
  bind_choice (self->numbers, "number-format");
}

GtkWidget *
mt_preferences_window_new (GtkWindow *parent)
{
  return g_object_new (MT_TYPE_PREFERENCES_WINDOW, "transient-for", parent, "modal", TRUE, NULL);
}
