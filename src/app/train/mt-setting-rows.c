/* A row for each setting of the table that stands in one of the groups. */
#include "config.h"
#include "mt-setting-rows.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"

typedef struct {
  MtSettingRows   *rows;
  const MtSetting *setting;
  GtkWidget       *row;
  GtkWidget       *control;    /* spin button, combo row or switch */
  GtkWidget       *reset;
} Row;

struct _MtSettingRows {
  Row          *row;         /* by the place of the setting in the table; without a control: it is in no group */
  MtSettingFunc changed;
  gpointer      data;
  gboolean      showing;     /* the controls are being filled in */
};

/* --- values --- */

static gboolean
has_auto (const MtSetting *setting)
{
  return setting->type == MT_SETTING_TYPE_AUTO_COUNT;
}

/* One step below the lowest stands for "automatic". */
static double
auto_value (const MtSetting *setting)
{
  return setting->shown_low - setting->step;
}

static double
get_value (const MtSetting     *setting,
           const MtRunSettings *settings)
{
  return has_auto (setting) && mt_setting_is_auto (setting, settings) ? auto_value (setting)
                                                                      : mt_setting_get_value (setting, settings);
}

static void
set_value (const MtSetting *setting,
           MtRunSettings   *settings,
           double           value)
{
  mt_setting_set_value (setting, settings, has_auto (setting) && value < setting->shown_low ? -1 : value);
}

static double
usual_value (const MtSetting *setting)
{
  MtRunSettings usual;

  mt_run_settings_init (&usual, MT_PRESET_BALANCED);
  return get_value (setting, &usual);
}

static double
read_control (const Row *row)
{
  if (GTK_IS_SPIN_BUTTON (row->control))
    return gtk_spin_button_get_value (GTK_SPIN_BUTTON (row->control));
  if (GTK_IS_SWITCH (row->control))
    return gtk_switch_get_active (GTK_SWITCH (row->control));
  return adw_combo_row_get_selected (ADW_COMBO_ROW (row->control));
}

static void
show_control (Row    *row,
              double  value)
{
  if (GTK_IS_SPIN_BUTTON (row->control))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (row->control), value);
  else if (GTK_IS_SWITCH (row->control))
    gtk_switch_set_active (GTK_SWITCH (row->control), value != 0);
  else
    adw_combo_row_set_selected (ADW_COMBO_ROW (row->control), (guint) value);
}

static void
show_reset (Row *row)
{
  gboolean usual = fabs (read_control (row) - usual_value (row->setting)) < 1e-9;

  /* Its place is kept, so that nothing moves when a value changes; behind a list it would be a gap. */
  gtk_widget_set_visible (row->reset, !usual || !ADW_IS_COMBO_ROW (row->control));
  gtk_widget_set_opacity (row->reset, usual ? 0 : 1);
  gtk_widget_set_sensitive (row->reset, !usual);
}

/* --- controls --- */

static void
on_changed (Row *row)
{
  show_reset (row);
  if (!row->rows->showing)
    row->rows->changed (row->setting, row->rows->data);
}

static void
on_reset (Row *row)
{
  show_control (row, usual_value (row->setting));
}

static gboolean
on_output (GtkSpinButton *spin,
           Row           *row)
{
  const MtSetting *setting = row->setting;

  if (gtk_spin_button_get_value (spin) >= setting->shown_low)
    return FALSE;
  gtk_editable_set_text (GTK_EDITABLE (spin), _("Auto"));
  return TRUE;
}

static int
on_input (GtkSpinButton *spin,
          double        *value,
          Row           *row)
{
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (spin)), _("Auto")) != 0)
    return FALSE;
  *value = auto_value (row->setting);
  return TRUE;
}

static GtkWidget *
make_spin (Row             *row,
           const MtSetting *setting)
{
  double low = has_auto (setting) ? auto_value (setting) : setting->shown_low;
  GtkWidget *spin = gtk_spin_button_new_with_range (low, setting->shown_high, setting->step);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), setting->digits);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), !has_auto (setting));
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 6);
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  mt_scroll_guard (spin);
  if (has_auto (setting))
    {
      g_signal_connect (spin, "output", G_CALLBACK (on_output), row);
      g_signal_connect (spin, "input", G_CALLBACK (on_input), row);
    }
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (on_changed), row);
  return spin;
}

static GtkWidget *
make_reset (Row *row)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-undo-symbolic");

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "small");
  gtk_widget_set_tooltip_text (button, _("Reset to Default"));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_reset), row);
  return button;
}

static void
make_row (Row             *row,
          const MtSetting *setting)
{
  row->row = setting->type == MT_SETTING_TYPE_CHOICE ? adw_combo_row_new () : adw_action_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row->row), _(setting->title));
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row->row), TRUE);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row->row), _(setting->subtitle));
  row->reset = make_reset (row);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row->row), row->reset);
  if (setting->type == MT_SETTING_TYPE_CHOICE)
    {
      g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

      for (guint i = 0; setting->titles[i] != NULL; i++)
        gtk_string_list_append (names, _(setting->titles[i]));
      row->control = row->row;
      adw_combo_row_set_model (ADW_COMBO_ROW (row->row), G_LIST_MODEL (names));
      g_signal_connect_swapped (row->row, "notify::selected", G_CALLBACK (on_changed), row);
      return;
    }
  if (setting->type == MT_SETTING_TYPE_SWITCH)
    {
      row->control = gtk_switch_new ();
      gtk_widget_set_valign (row->control, GTK_ALIGN_CENTER);
      g_signal_connect_swapped (row->control, "notify::active", G_CALLBACK (on_changed), row);
    }
  else
    row->control = make_spin (row, setting);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row->row), row->control);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row->row), row->control);
}

/* --- the form --- */

/* Why a setting changes nothing in a run with these settings. */
static const char *
get_reason (const MtSetting     *setting,
            const MtRunSettings *settings)
{
  switch (setting->use)
    {
    case MT_SETTING_USE_NETWORK:
      return settings->learner == MT_LEARNER_SEARCH ? _("No effect: “Search only” trains no network.")
                                                    : _("No effect: these settings train no network.");
    case MT_SETTING_USE_CANDIDATES:
      return _("No effect: no network proposes rules.");
    case MT_SETTING_USE_SEARCH_ALONE:
      return settings->restarts > 0 ? _("No effect: while networks propose rules, the rules are not trained as "
                                        "a network.")
                                    : _("No effect: only “TT-Sparse with search” uses this setting.");
    case MT_SETTING_USE_ALWAYS:
    default:
      g_return_val_if_reached (NULL);
    }
}

static void
show_use (Row                 *row,
          const MtRunSettings *settings)
{
  gboolean is_of_use = mt_setting_is_of_use (row->setting, settings);
  const char *subtitle = _(row->setting->subtitle);
  g_autofree char *both = is_of_use ? NULL : g_strdup_printf ("%s\n%s", subtitle, get_reason (row->setting, settings));

  gtk_widget_set_sensitive (row->row, is_of_use);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row->row), is_of_use ? subtitle : both);
}

void
mt_setting_rows_show (MtSettingRows       *self,
                      const MtRunSettings *settings)
{
  self->showing = TRUE;
  for (guint i = 0; i < mt_setting_get_n (); i++)
    {
      Row *row = &self->row[i];

      if (row->control == NULL)
        continue;
      show_control (row, get_value (row->setting, settings));
      show_reset (row);
      show_use (row, settings);
    }
  self->showing = FALSE;
}

static Row *
find_row (MtSettingRows   *self,
          const MtSetting *setting)
{
  for (guint i = 0; i < mt_setting_get_n (); i++)
    if (self->row[i].setting == setting)
      return &self->row[i];
  return NULL;
}

void
mt_setting_rows_read (MtSettingRows   *self,
                      const MtSetting *setting,
                      MtRunSettings   *settings)
{
  Row *row = find_row (self, setting);

  g_return_if_fail (row != NULL);
  set_value (setting, settings, read_control (row));
}

char *
mt_setting_rows_dup_name (const MtSetting *setting)
{
  GString *name = g_string_new (_(setting->title));

  g_string_replace (name, "_", "", 0);
  return g_string_free (name, FALSE);
}

char *
mt_setting_rows_sum_up (MtSettingRows       *self,
                        MtSettingGroup       group,
                        const MtRunSettings *settings)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);
      double value = mt_setting_get_value (setting, settings);
      g_autofree char *number = NULL;
      g_autoptr (GString) part = NULL;

      if (setting->group != group || setting->brief == NULL || !mt_setting_is_of_use (setting, settings))
        continue;
      if (mt_setting_is_auto (setting, settings))
        number = g_strdup (_("automatic"));
      else if (setting->is_share)
        number = mt_format_share (value);
      else
        number = mt_format_number (value);
      part = g_string_new (_(setting->brief));
      g_string_replace (part, "%s", number, 1);
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", part->str);
    }
  return mt_format_sentence (text->str);
}

static void
add_row (MtSettingRows *self,
         guint          index,
         GtkWidget     *group)
{
  Row *row = &self->row[index];

  row->rows = self;
  row->setting = mt_setting_get (index);
  make_row (row, row->setting);
  if (ADW_IS_EXPANDER_ROW (group))
    adw_expander_row_add_row (ADW_EXPANDER_ROW (group), row->row);
  else
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row->row);
}

MtSettingRows *
mt_setting_rows_new (GtkWidget * const *groups,
                     MtSettingFunc      changed,
                     gpointer           data)
{
  MtSettingRows *self = g_new0 (MtSettingRows, 1);
  guint last = 0;

  self->row = g_new0 (Row, mt_setting_get_n ());
  self->changed = changed;
  self->data = data;
  self->showing = TRUE;
  for (guint i = 0; i < mt_setting_get_n (); i++)
    last = MAX (last, mt_setting_get (i)->place);
  for (guint place = 0; place <= last; place++)
    for (guint i = 0; i < mt_setting_get_n (); i++)
      if (mt_setting_get (i)->place == place && mt_setting_get (i)->group < MT_N_SETTING_GROUPS)
        add_row (self, i, groups[mt_setting_get (i)->group]);
  self->showing = FALSE;
  return self;
}

void
mt_setting_rows_free (MtSettingRows *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < mt_setting_get_n (); i++)
    if (self->row[i].control != NULL)
      {
        g_signal_handlers_disconnect_by_data (self->row[i].control, &self->row[i]);
        g_signal_handlers_disconnect_by_data (self->row[i].reset, &self->row[i]);
      }
  g_free (self->row);
  g_free (self);
}
