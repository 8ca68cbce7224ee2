/* The Model page: what to predict, how fine and how large the rules may be, one run or a sweep. See mt-
 * model-page.h. */
#include "config.h"
#include "mt-model-page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-constraints-dialog.h"
#include "widgets/mt-flow-layout.h"
#include "util/mt-format.h"
#include "util/mt-gpu-look.h"
#include "study/mt-literal-count.h"
#include "widgets/mt-pair-layout.h"
#include "document/mt-preferred-run.h"
#include "util/mt-preferences.h"
#include "mt-setting-rows.h"
#include "mt-sweep-panel.h"
#include "widgets/mt-wrapped-combo-row.h"

#define COUNT_AFTER 300    /* ms without a change until literals are counted */
#define MANY_COLUMNS 200   /* more are listed in a pause */

struct _MtModelPage {
  AdwBin           parent_instance;

  /* template children */
  GtkStack        *stack;
  AdwComboRow     *target;
  AdwComboRow     *task;
  GtkWidget       *task_reset;
  AdwActionRow    *features;
  GtkToggleButton *presets[MT_N_PRESETS];
  GtkLabel        *preset_words;
  GtkWidget       *groups[MT_N_SETTING_GROUPS];
  AdwActionRow    *constraints;
  GtkLabel        *constraints_count;
  MtSweepPanel    *sweep;
  AdwActionRow    *cpu;
  GtkCheckButton  *cpu_check;
  AdwActionRow    *gpu;
  AdwPreferencesGroup *devices;
  GtkCheckButton  *gpu_check;
  GtkLabel        *n_rows;
  AdwActionRow    *literals;
  GtkLabel        *n_literals;

  MtDocument      *document;
  MtStudy         *study;
  MtSettingRows   *rows;
  GCancellable    *looking;       /* for GPUs */
  GPtrArray       *other_gpus;    /* rows of those that training does not take */
  MtRunSettings    settings;
  gboolean         showing;       /* the controls are being filled in */
  guint            filling;       /* the list of columns will be; 0: it is */
  guint            counting;      /* source that starts counting literals */
  GCancellable    *counted_for;   /* of the counting that is wanted */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (MtModelPage, mt_model_page, ADW_TYPE_BIN)

/* --- what the learner will see --- */

static gsize
count_rows (MtModelPage *self)
{
  MtTable *table = mt_document_get_table (self->document);
  int target = table != NULL ? mt_table_get_target (table) : -1;
  gsize known;

  if (target < 0)
    return 0;
  known = mt_table_get_n_rows (table) - mt_column_get_n_missing (mt_table_get_column (table, (guint) target));
  return (gsize) lround ((double) known * (1 - self->settings.test_fraction));
}

static void
on_counted (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  MtModelPage *self = MT_MODEL_PAGE (source);
  g_autofree char *text = NULL;
  gssize n = mt_literal_count_finish (result);

  if (self->counted_for != g_task_get_cancellable (G_TASK (result)) || self->document == NULL)
    return;   /* something else is wanted by now */
  text = n >= 0 ? mt_format_count ((guint64) n) : g_strdup ("–");
  gtk_label_set_label (self->n_literals, text);
}

static gboolean
start_counting (gpointer data)
{
  MtModelPage *self = data;
  MtTable *table = mt_document_get_table (self->document);

  self->counting = 0;
  g_cancellable_cancel (self->counted_for);
  g_clear_object (&self->counted_for);
  if (table == NULL || mt_table_get_target (table) < 0)
    return G_SOURCE_REMOVE;
  self->counted_for = g_cancellable_new ();
  mt_literal_count_async (G_OBJECT (self), table, &self->settings, self->counted_for, on_counted);
  return G_SOURCE_REMOVE;
}

static void
queue_counting (MtModelPage *self)
{
  g_clear_handle_id (&self->counting, g_source_remove);
  g_clear_handle_id (&self->filling, g_source_remove);
  self->counting = g_timeout_add (COUNT_AFTER, start_counting, self);
}

static void
show_time (MtModelPage *self)
{
  const MtSweepGrid *grid = mt_sweep_panel_get_grid (self->sweep);
  gsize n_rows = count_rows (self);
  MtRunSettings base = self->settings;
  double all = 0;

  mt_sweep_grid_adjust_base (grid, &base);
  for (guint i = 0; i < mt_sweep_grid_count (grid); i++)
    {
      MtRunSettings each;

      mt_sweep_grid_get (grid, &base, i, &each);
      all += mt_study_estimate (self->study, &each, n_rows);
    }
  mt_sweep_panel_show_time (self->sweep, mt_study_estimate (self->study, &self->settings, n_rows), all);
}

/* --- the settings --- */

/* The preset, with what is no matter of taste as it is now. */
static MtRunSettings
preset_here (MtModelPage *self,
             MtPreset     preset)
{
  MtRunSettings settings;

  mt_run_settings_init (&settings, preset);
  settings.seed = self->settings.seed;
  settings.split_seed = self->settings.split_seed;
  settings.test_fraction = self->settings.test_fraction;
  settings.task = self->settings.task;
  settings.device = self->settings.device;
  settings.constraints = self->settings.constraints;
  return settings;
}

static void
show_presets (MtModelPage *self)
{
  const char *words[MT_N_PRESETS] = {
    _("Few thresholds and short rules. Fast to train and to read."),
    _("Recommended for most data."),
    _("More thresholds and more cross-validation. Takes several times as long."),
  };
  const char *shown = _("Custom settings. Choose Balanced for the defaults recommended for most data.");

  for (guint i = 0; i < MT_N_PRESETS; i++)
    {
      MtRunSettings preset = preset_here (self, (MtPreset) i);
      gboolean equal = mt_run_settings_equal (&preset, &self->settings);

      gtk_toggle_button_set_active (self->presets[i], equal);
      if (equal)
        shown = words[i];
    }
  gtk_label_set_label (self->preset_words, shown);
}

/* What networks have to do with the rules: what makes the settings of this group matter, or not. */
static const char *
describe_networks (const MtRunSettings *settings)
{
  if (settings->learner == MT_LEARNER_PAPER)
    return _("The network makes the rules. Bits, nodes, fan-in, and temperature change them.");
  if (settings->restarts > 0)
    return _("The nodes of networks become candidate rules, in addition to those of the search.");
  if (!mt_run_settings_has_network (settings))
    return _("No network is trained with these settings.");
  return _("The rules found are trained as a network at several sizes. Where training lowers the loss, its nodes replace the "
           "rules. On the data measured, this changed few recommended models.");
}

static void
show_summaries (MtModelPage *self)
{
  g_autoptr (MtConstraints) constraints = mt_run_settings_dup_constraints (&self->settings);
  g_autofree char *about = mt_constraints_describe (constraints);
  g_auto (GStrv) banned = mt_constraints_dup_banned (constraints);
  g_auto (GStrv) rising = mt_constraints_dup_directed (constraints, MT_DIRECTION_RISING);
  g_auto (GStrv) falling = mt_constraints_dup_directed (constraints, MT_DIRECTION_FALLING);
  guint n = g_strv_length (banned) + g_strv_length (rising) + g_strv_length (falling) +
            (mt_constraints_get_no_negation (constraints) ? 1 : 0);
  g_autofree char *count = n > 0 ? mt_format_count (n) : g_strdup ("");

  adw_action_row_set_subtitle (self->constraints, about);
  gtk_label_set_label (self->constraints_count, count);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self->groups[MT_SETTING_GROUP_NETWORK]),
                                         describe_networks (&self->settings));
  for (guint i = MT_SETTING_GROUP_TRAINING; i < MT_N_SETTING_GROUPS; i++)
    {
      g_autofree char *text = mt_setting_rows_sum_up (self->rows, (MtSettingGroup) i, &self->settings);

      adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self->groups[i]),
                                     *text != '\0' ? text : _("Search only; no network is trained"));
    }
}

static void
show_settings (MtModelPage *self)
{
  self->showing = TRUE;
  mt_setting_rows_show (self->rows, &self->settings);
  adw_combo_row_set_selected (self->task, self->settings.task);
  gtk_widget_set_visible (self->task_reset, self->settings.task != MT_TASK_CHOICE_AUTO);
  gtk_widget_set_sensitive (self->task_reset, self->settings.task != MT_TASK_CHOICE_AUTO);
  gtk_check_button_set_active (self->settings.device == MT_DEVICE_CUDA ? self->gpu_check : self->cpu_check, TRUE);
  show_presets (self);
  show_summaries (self);
  mt_sweep_panel_set_base (self->sweep, &self->settings);
  self->showing = FALSE;
  if (self->study != NULL)
    {
      g_autofree char *rows = mt_format_count (count_rows (self));

      gtk_label_set_label (self->n_rows, rows);
      show_time (self);
      queue_counting (self);
    }
}

/* What holds is what the document says; it may have been undone. */
static void
show_run (MtModelPage *self)
{
  const MtDecisions *decisions = mt_document_get_decisions (self->document);

  self->settings = decisions->run;
  mt_sweep_panel_set_grid (self->sweep, &decisions->grid);
  show_settings (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
take_settings (MtModelPage         *self,
               const MtRunSettings *settings,
               const char          *label)
{
  mt_document_set_run (self->document, settings, NULL, label);
}

static void
on_row_changed (const MtSetting *setting,
                gpointer         data)
{
  MtModelPage *self = data;
  MtRunSettings settings = self->settings;
  g_autofree char *name = NULL;

  if (self->showing)
    return;
  mt_setting_rows_read (self->rows, setting, &settings);
  name = mt_setting_rows_dup_name (setting);
  take_settings (self, &settings, name);
}

static void
on_task (MtModelPage *self)
{
  MtRunSettings settings = self->settings;

  if (self->showing)
    return;
  settings.task = (MtTaskChoice) adw_combo_row_get_selected (self->task);
  /* Translators: after "Undo": what is to be predicted, classes or a number */
  take_settings (self, &settings, _("Task"));
}

static void
on_task_reset (MtModelPage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->task));   /* the button leaves */
  adw_combo_row_set_selected (self->task, MT_TASK_CHOICE_AUTO);
}

static void
on_device (MtModelPage *self)
{
  MtRunSettings settings = self->settings;

  if (self->showing)
    return;
  settings.device = gtk_check_button_get_active (self->gpu_check) ? MT_DEVICE_CUDA : MT_DEVICE_AUTO;
  /* Translators: after "Undo": the processor or a graphics card */
  take_settings (self, &settings, _("Device"));
}

static void
on_preset (GtkToggleButton *button,
           MtModelPage     *self)
{
  if (self->showing)
    return;
  for (guint i = 0; i < MT_N_PRESETS; i++)
    if (self->presets[i] == button)
      {
        MtRunSettings settings = preset_here (self, (MtPreset) i);

        take_settings (self, &settings, _("Preset"));
      }
  show_presets (self);   /* one that was chosen already stays lit */
}

static void
on_sweep_changed (MtModelPage *self)
{
  if (!self->showing)
    /* Translators: after "Undo": the values that a sweep tries */
    mt_document_set_run (self->document, NULL, mt_sweep_panel_get_grid (self->sweep), _("Sweep"));
}

/* --- constraints --- */

static void
on_constraints_changed (MtModelPage         *self,
                        MtConstraintsDialog *dialog)
{
  MtRunSettings settings = self->settings;

  mt_run_settings_set_constraints (&settings, mt_constraints_dialog_get (dialog));
  take_settings (self, &settings, _("Constraints"));
}

static void
on_constraints (MtModelPage *self)
{
  MtTable *table = mt_document_get_table (self->document);
  g_autoptr (MtConstraints) constraints = mt_run_settings_dup_constraints (&self->settings);
  MtConstraintsDialog *dialog;

  if (table == NULL)
    return;
  dialog = mt_constraints_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), table, constraints);
  g_signal_connect_object (dialog, "changed", G_CALLBACK (on_constraints_changed), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- the table --- */

/* "two classes: no, yes" */
static char *
describe_target (const MtColumn *column)
{
  g_autoptr (GString) levels = NULL;
  guint n_levels;

  if (mt_column_get_store (column) != MT_STORE_CODES)
    return g_strdup (_("Numeric column"));
  levels = g_string_new (NULL);
  n_levels = mt_column_get_n_levels (column);
  for (guint i = 0; i < MIN (n_levels, 6); i++)
    g_string_append_printf (levels, "%s%s", i > 0 ? ", " : "", mt_column_get_level (column, i));
  if (n_levels > 6)
    g_string_append (levels, ", …");
  /* Translators: number of classes, their names */
  return g_strdup_printf (ngettext ("%u class: %s", "%u classes: %s", n_levels), n_levels, levels->str);
}

static void
on_target (MtModelPage *self)
{
  MtTable *table = mt_document_get_table (self->document);
  guint column = adw_combo_row_get_selected (self->target);

  if (!self->showing && table != NULL && column < mt_table_get_n_columns (table))
    mt_document_set_role (self->document, column, MT_ROLE_TARGET);
}

/* Filling the list again makes some two hundred rows for it: not for another role. */
static gboolean
lists_columns (MtModelPage *self,
               MtTable     *table)
{
  GListModel *names = adw_combo_row_get_model (self->target);

  if (names == NULL || g_list_model_get_n_items (names) != mt_table_get_n_columns (table))
    return FALSE;
  for (guint i = 0; i < mt_table_get_n_columns (table); i++)
    if (g_strcmp0 (gtk_string_list_get_string (GTK_STRING_LIST (names), i),
                   mt_column_get_name (mt_table_get_column (table, i))) != 0)
      return FALSE;
  return TRUE;
}

static gboolean
fill_target (gpointer data)
{
  MtModelPage *self = data;
  MtTable *table = mt_document_get_table (self->document);
  gboolean showing = self->showing;

  self->filling = 0;
  if (table == NULL || mt_table_get_target (table) < 0)
    return G_SOURCE_REMOVE;
  self->showing = TRUE;
  if (!lists_columns (self, table))
    {
      g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

      for (guint i = 0; i < mt_table_get_n_columns (table); i++)
        gtk_string_list_append (names, mt_column_get_name (mt_table_get_column (table, i)));
      adw_combo_row_set_model (self->target, G_LIST_MODEL (names));
    }
  adw_combo_row_set_selected (self->target, (guint) mt_table_get_target (table));
  self->showing = showing;
  return G_SOURCE_REMOVE;
}

static void
show_target (MtModelPage *self,
             MtTable     *table,
             guint        target)
{
  g_autofree char *about = describe_target (mt_table_get_column (table, target));

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->target), about);
  g_clear_handle_id (&self->filling, g_source_remove);
  if (mt_table_get_n_columns (table) > MANY_COLUMNS && !lists_columns (self, table))
    self->filling = g_idle_add_full (G_PRIORITY_LOW, fill_target, self, NULL);
  else
    fill_target (self);
}

static void
show_table (MtModelPage *self)
{
  MtTable *table = mt_document_get_table (self->document);
  int target = table != NULL ? mt_table_get_target (table) : -1;
  guint counts[MT_N_ROLES] = { 0 };
  g_autofree char *used = NULL;
  g_autofree char *features = NULL;

  gtk_stack_set_visible_child_name (self->stack, target >= 0 ? "settings" : "empty");
  if (target < 0)
    return;
  self->showing = TRUE;
  show_target (self, table, (guint) target);
  for (guint i = 0; i < mt_table_get_n_columns (table); i++)
    counts[mt_table_get_role (table, i)]++;
  used = g_strdup_printf (ngettext ("%u column", "%u columns", counts[MT_ROLE_FEATURE]), counts[MT_ROLE_FEATURE]);
  /* Translators: number of columns used (with the word), number of ignored ones */
  features = g_strdup_printf (_("%s in use, %u ignored"), used, counts[MT_ROLE_IGNORED]);
  adw_action_row_set_subtitle (self->features, features);
  self->showing = FALSE;
  show_settings (self);
}

/* What is being read may bring other columns: nothing is decided meanwhile. */
static void
on_load_changed (MtModelPage *self)
{
  gtk_widget_set_sensitive (GTK_WIDGET (self->stack), !mt_document_is_loading (self->document));
}

/* A GPU that training does not take, and why. */
static void
add_other_gpu (MtModelPage           *self,
               const MtBackendDevice *device)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *name = g_markup_escape_text (device->name, -1);
  g_autofree char *reason = mt_format_sentence (device->reason);
  g_autofree char *escaped = g_markup_escape_text (reason, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), escaped);
  gtk_widget_add_css_class (row, "unusable");
  adw_preferences_group_add (self->devices, row);
  g_ptr_array_add (self->other_gpus, row);
}

/* What minterm-cli devices lists, but that nothing is opened for it: the one that training takes, or why there is none,
 * is a choice, and the others are told. */
static void
show_gpus (MtModelPage     *self,
           const MtGpuLook *found)
{
  g_autofree char *reason = found->reason != NULL ? mt_format_sentence (found->reason) : NULL;
  g_autofree char *escaped = g_markup_escape_text (found->gpu != NULL ? found->gpu : reason != NULL ? reason : _("None "
                                                                                                   "found"), -1);
  guint first = 1;

  for (guint i = 0; i < self->other_gpus->len; i++)
    adw_preferences_group_remove (self->devices, g_ptr_array_index (self->other_gpus, i));
  g_ptr_array_set_size (self->other_gpus, 0);
  /* Where there is none, the first one's reason is told already. */
  for (guint i = found->devices->len; found->gpu != NULL && i-- > 1;)
    first = ((const MtBackendDevice *) g_ptr_array_index (found->devices, i))->reason == NULL ? i : first;
  for (guint i = 1; i < found->devices->len; i++)
    if (i != first)
      add_other_gpu (self, g_ptr_array_index (found->devices, i));
  adw_action_row_set_subtitle (self->gpu, escaped);
  gtk_widget_set_sensitive (GTK_WIDGET (self->gpu_check), found->gpu != NULL);   /* not the row: its reason is to be read */
  if (found->gpu == NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->gpu), "unusable");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->gpu), "unusable");
}

static void
on_looked (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (MtGpuLook) found = mt_gpu_look_finish (result);

  if (found != NULL)
    show_gpus (data, found);
}

/* The driver is asked on another thread: starting it may take seconds. */
static void
show_devices (MtModelPage *self)
{
  g_autofree char *cpu = mt_format_cpu ();

  adw_action_row_set_subtitle (self->cpu, cpu);
  g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  self->looking = g_cancellable_new ();
  mt_gpu_look_async (self->looking, on_looked, self);
}

/* --- object --- */

const MtRunSettings *
mt_model_page_get_settings (MtModelPage *self)
{
  g_return_val_if_fail (MT_IS_MODEL_PAGE (self), NULL);
  return &self->settings;
}

void
mt_model_page_set_settings (MtModelPage         *self,
                            const MtRunSettings *settings)
{
  g_return_if_fail (MT_IS_MODEL_PAGE (self) && settings != NULL);

  mt_document_set_run (self->document, settings, NULL, _("Settings"));
}

const MtSweepGrid *
mt_model_page_get_grid (MtModelPage *self)
{
  g_return_val_if_fail (MT_IS_MODEL_PAGE (self), NULL);
  return mt_sweep_panel_get_grid (self->sweep);
}

void
mt_model_page_set_grid (MtModelPage     *self,
                        const MtSweepGrid *grid)
{
  g_return_if_fail (MT_IS_MODEL_PAGE (self) && grid != NULL);

  mt_document_set_run (self->document, NULL, grid, _("Sweep"));
}

static void
mt_model_page_dispose (GObject *object)
{
  MtModelPage *self = MT_MODEL_PAGE (object);

  g_clear_pointer (&self->rows, mt_setting_rows_free);
  g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_pointer (&self->other_gpus, g_ptr_array_unref);
  g_clear_handle_id (&self->counting, g_source_remove);
  g_cancellable_cancel (self->counted_for);
  g_clear_object (&self->counted_for);
  g_clear_object (&self->document);
  g_clear_object (&self->study);
  G_OBJECT_CLASS (mt_model_page_parent_class)->dispose (object);
}

static void
mt_model_page_class_init (MtModelPageClass *klass)
{
  static const char * const presets[MT_N_PRESETS] = { "simple", "balanced", "accurate" };
  static const char * const groups[MT_N_SETTING_GROUPS] = { "search", "rules", "network", "training", "judging" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_model_page_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  g_type_ensure (MT_TYPE_FLOW_LAYOUT);
  g_type_ensure (MT_TYPE_PAIR_LAYOUT);
  g_type_ensure (MT_TYPE_SWEEP_PANEL);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-model-page.ui");
  for (guint i = 0; i < MT_N_PRESETS; i++)
    gtk_widget_class_bind_template_child_full (widget_class, presets[i], FALSE,
                                               G_STRUCT_OFFSET (MtModelPage, presets[i]));
  for (guint i = 0; i < MT_N_SETTING_GROUPS; i++)
    gtk_widget_class_bind_template_child_full (widget_class, groups[i], FALSE,
                                               G_STRUCT_OFFSET (MtModelPage, groups[i]));
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtModelPage, child)
  BIND (stack);
  BIND (preset_words);
  BIND (target);
  BIND (task);
  BIND (task_reset);
  BIND (features);
  BIND (constraints);
  BIND (constraints_count);
  BIND (sweep);
  BIND (cpu);
  BIND (cpu_check);
  BIND (gpu);
  BIND (devices);
  BIND (gpu_check);
  BIND (n_rows);
  BIND (literals);
  BIND (n_literals);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, on_target);
  gtk_widget_class_bind_template_callback (widget_class, on_task);
  gtk_widget_class_bind_template_callback (widget_class, on_task_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_device);
  gtk_widget_class_bind_template_callback (widget_class, on_preset);
  gtk_widget_class_bind_template_callback (widget_class, on_constraints);
  gtk_widget_class_bind_template_callback (widget_class, on_sweep_changed);
}

static void
mt_model_page_init (MtModelPage *self)
{
  self->showing = TRUE;
  mt_preferred_run_init (&self->settings);
  gtk_widget_init_template (GTK_WIDGET (self));
  mt_wrapped_combo_row_init_short (self->task);
  self->rows = mt_setting_rows_new (self->groups, on_row_changed, self);
  self->other_gpus = g_ptr_array_new ();
  show_devices (self);
  show_settings (self);
  mt_preferences_watch_numbers (self, G_CALLBACK (show_settings));
  g_signal_connect_object (mt_preferences_get_settings (), "changed::threads", G_CALLBACK (show_devices), self,
                           G_CONNECT_SWAPPED);
}

void
mt_model_page_set_study (MtModelPage *self,
                         MtDocument  *document,
                         MtStudy     *study)
{
  g_return_if_fail (MT_IS_MODEL_PAGE (self) && self->document == NULL);

  self->document = g_object_ref (document);
  self->study = g_object_ref (study);
  g_signal_connect_object (document, "table-changed", G_CALLBACK (show_table), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "run-changed", G_CALLBACK (show_run), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "load-changed", G_CALLBACK (on_load_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "ended", G_CALLBACK (show_time), self, G_CONNECT_SWAPPED);
  show_table (self);
}
