#include "config.h"
#include "mt-model-page.h"

#include <glib/gi18n.h>

#include "mt-column-header.h"
#include "mt-format.h"

struct _MtModelPage {
  AdwBin           parent_instance;

  /* template children */
  GtkStack        *stack;
  AdwActionRow    *target;
  AdwActionRow    *features;
  GtkToggleButton *presets[MT_N_PRESETS];
  GtkSpinButton   *bits;
  GtkSpinButton   *fan_in;
  GtkSpinButton   *rounds;
  GtkSpinButton   *folds;
  GtkSpinButton   *max_literals;
  GtkSpinButton   *seed;
  AdwComboRow     *dont_care;
  GtkSwitch       *numeric_terms;

  MtDocument      *document;
  MtRunSettings    settings;
  gboolean         showing;     /* the controls are being filled in */
};

G_DEFINE_FINAL_TYPE (MtModelPage, mt_model_page, ADW_TYPE_BIN)

/* --- the settings --- */

static void
show_presets (MtModelPage *self)
{
  self->showing = TRUE;
  for (guint i = 0; i < MT_N_PRESETS; i++)
    {
      MtRunSettings preset;

      mt_run_settings_init (&preset, (MtPreset) i);
      preset.seed = self->settings.seed;   /* a seed is no matter of taste */
      gtk_toggle_button_set_active (self->presets[i], mt_run_settings_equal (&preset, &self->settings));
    }
  self->showing = FALSE;
}

static void
show_settings (MtModelPage *self)
{
  self->showing = TRUE;
  gtk_spin_button_set_value (self->bits, self->settings.bits);
  gtk_spin_button_set_value (self->fan_in, self->settings.fan_in);
  gtk_spin_button_set_value (self->rounds, self->settings.rounds);
  gtk_spin_button_set_value (self->folds, self->settings.folds);
  gtk_spin_button_set_value (self->max_literals, self->settings.max_literals);
  gtk_spin_button_set_value (self->seed, self->settings.seed);
  adw_combo_row_set_selected (self->dont_care, self->settings.dont_care);
  gtk_switch_set_active (self->numeric_terms, self->settings.numeric_terms);
  self->showing = FALSE;
  show_presets (self);
}

static void
on_changed (MtModelPage *self)
{
  if (self->showing)
    return;
  self->settings.bits = (guint) gtk_spin_button_get_value_as_int (self->bits);
  self->settings.fan_in = (guint) gtk_spin_button_get_value_as_int (self->fan_in);
  self->settings.rounds = (guint) gtk_spin_button_get_value_as_int (self->rounds);
  self->settings.folds = (guint) gtk_spin_button_get_value_as_int (self->folds);
  self->settings.max_literals = (guint) gtk_spin_button_get_value_as_int (self->max_literals);
  self->settings.seed = (guint) gtk_spin_button_get_value_as_int (self->seed);
  self->settings.dont_care = (MtDontCareMode) adw_combo_row_get_selected (self->dont_care);
  self->settings.numeric_terms = gtk_switch_get_active (self->numeric_terms);
  show_presets (self);
}

static void
on_preset (GtkToggleButton *button,
           MtModelPage     *self)
{
  guint seed = self->settings.seed;

  if (self->showing)
    return;
  for (guint i = 0; i < MT_N_PRESETS; i++)
    if (self->presets[i] == button)
      mt_run_settings_init (&self->settings, (MtPreset) i);
  self->settings.seed = seed;
  show_settings (self);
}

static void
on_reset (MtModelPage *self)
{
  mt_run_settings_init (&self->settings, MT_PRESET_BALANCED);
  show_settings (self);
}

/* --- the table --- */

static char *
describe_target (const MtColumn *column)
{
  g_autoptr (GString) levels = NULL;
  guint n_levels;

  if (mt_column_get_store (column) != MT_STORE_CODES)
    return g_strdup_printf (_("%s: its value is predicted"), mt_column_get_name (column));
  levels = g_string_new (NULL);
  n_levels = mt_column_get_n_levels (column);
  for (guint i = 0; i < MIN (n_levels, 6); i++)
    g_string_append_printf (levels, "%s%s", i > 0 ? ", " : "", mt_column_get_level (column, i));
  if (n_levels > 6)
    g_string_append (levels, ", …");
  /* Translators: name of the target, number of classes, their names */
  return g_strdup_printf (ngettext ("%s: %u class (%s)", "%s: %u classes (%s)", n_levels),
                          mt_column_get_name (column), n_levels, levels->str);
}

static void
show_table (MtModelPage *self)
{
  MtTable *table = mt_document_get_table (self->document);
  int target = table != NULL ? mt_table_get_target (table) : -1;
  guint counts[4] = { 0 };
  g_autofree char *about = NULL;
  g_autofree char *features = NULL;

  gtk_stack_set_visible_child_name (self->stack, target >= 0 ? "settings" : "empty");
  if (target < 0)
    return;
  about = describe_target (mt_table_get_column (table, (guint) target));
  adw_action_row_set_subtitle (self->target, about);
  for (guint i = 0; i < mt_table_get_n_columns (table); i++)
    counts[mt_table_get_role (table, i)]++;
  {
    g_autofree char *used = g_strdup_printf (ngettext ("%u column", "%u columns", counts[MT_ROLE_FEATURE]),
                                             counts[MT_ROLE_FEATURE]);

    /* Translators: number of columns used (with the word), number of ignored ones */
    features = g_strdup_printf (_("%s in use, %u ignored"), used, counts[MT_ROLE_IGNORED]);
  }
  adw_action_row_set_subtitle (self->features, features);
}

const MtRunSettings *
mt_model_page_get_settings (MtModelPage *self)
{
  return &self->settings;
}

static void
mt_model_page_dispose (GObject *object)
{
  g_clear_object (&MT_MODEL_PAGE (object)->document);
  G_OBJECT_CLASS (mt_model_page_parent_class)->dispose (object);
}

static void
mt_model_page_class_init (MtModelPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_model_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-model-page.ui");
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, stack);
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, target);
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, features);
  gtk_widget_class_bind_template_child_full (widget_class, "simple", FALSE,
                                             G_STRUCT_OFFSET (MtModelPage, presets[MT_PRESET_SIMPLE]));
  gtk_widget_class_bind_template_child_full (widget_class, "balanced", FALSE,
                                             G_STRUCT_OFFSET (MtModelPage, presets[MT_PRESET_BALANCED]));
  gtk_widget_class_bind_template_child_full (widget_class, "accurate", FALSE,
                                             G_STRUCT_OFFSET (MtModelPage, presets[MT_PRESET_ACCURATE]));
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, bits);
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, fan_in);
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, rounds);
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, folds);
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, max_literals);
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, seed);
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, dont_care);
  gtk_widget_class_bind_template_child (widget_class, MtModelPage, numeric_terms);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_preset);
  gtk_widget_class_bind_template_callback (widget_class, on_reset);
}

static void
mt_model_page_init (MtModelPage *self)
{
  self->showing = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  mt_run_settings_init (&self->settings, MT_PRESET_BALANCED);
  show_settings (self);
}

void
mt_model_page_set_document (MtModelPage *self,
                            MtDocument  *document)
{
  g_return_if_fail (MT_IS_MODEL_PAGE (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (document, "table-changed", G_CALLBACK (show_table), self, G_CONNECT_SWAPPED);
  show_table (self);
}
