#include "config.h"
#include "mt-setting-rows.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"

typedef enum {
  COUNT,
  NUMBER,
  CHOICE,
  SWITCH,
} Kind;

/* Where a setting means something. */
typedef enum {
  ALWAYS,
  OF_NETWORK,        /* if one is trained */
  OF_CANDIDATES,     /* if networks propose rules */
  OF_SEARCH_ALONE,   /* if they do not */
} Use;

typedef struct {
  MtSettingGroup      group;
  Kind                kind;
  gsize               offset;
  const char         *title;       /* with a mnemonic where one is left */
  const char         *subtitle;    /* ends with the range */
  double              low, high, step;
  guint               digits;
  gboolean            has_auto;    /* one below the lowest stands for "automatic" */
  const char * const *choices;
  Use                 use;
  const char         *brief;       /* for the summary: "%s" is the value; NULL: not in it */
} Setting;

static const char * const mode_names[] = {
  N_("None"), N_("Impossible"), N_("Impossible or unseen"), NULL
};
static const char * const threshold_names[] = { N_("Automatic"), N_("Distinct values"), N_("Rows"), NULL };
static const char * const method_names[] = { N_("Loss for each literal"), N_("Magnitude"), NULL };
static const char * const node_names[] = { N_("Standard"), N_("Deep"), NULL };
static const char * const start_names[] = { N_("Interactions found"), N_("Random"), NULL };

#define AT(member) G_STRUCT_OFFSET (MtRunSettings, member)

static const Setting settings_table[] = {
  { MT_SETTING_GROUP_SEARCH, COUNT, AT (bits), N_("_Bits"),
    N_("Cut points for each column of numbers. More let rules cut finer. 1–64"), 1, 64, 1 },
  { MT_SETTING_GROUP_SEARCH, CHOICE, AT (thresholds), N_("Where cut points lie"),
    N_("Evenly over the rows, as in the TT-Sparse paper, or over the distinct values"), .choices = threshold_names },
  { MT_SETTING_GROUP_SEARCH, COUNT, AT (fan_in), N_("Fan-_in"),
    N_("Most conditions that one rule may look at. 1–8"), 1, MT_REFINE_MAX_INPUTS, 1 },
  { MT_SETTING_GROUP_SEARCH, COUNT, AT (rounds), N_("Rounds of _search"),
    N_("Each adds the conditions that explain most together. 0–20"), 0, 20, 1, .has_auto = TRUE },

  { MT_SETTING_GROUP_RULES, COUNT, AT (max_literals), N_("_Largest recommended model"),
    N_("In literals; 0 leaves it open. Larger ones are still shown. 0–500"), 0, 500, 5 },
  { MT_SETTING_GROUP_RULES, CHOICE, AT (dont_care), N_("_Where the data are silent"),
    N_("Combinations that a shorter rule may answer as it likes"), .choices = mode_names },
  { MT_SETTING_GROUP_RULES, SWITCH, AT (numeric_terms), N_("Numbers as they _are"),
    N_("A column may also enter as a weight for each unit") },
  { MT_SETTING_GROUP_RULES, SWITCH, AT (balance_classes), N_("Classes weigh the same"),
    N_("Rows of a rare class count as if there were as many of it as of others") },

  { MT_SETTING_GROUP_NETWORK, SWITCH, AT (beside), N_("Network for comparison"),
    N_("Its curves are on the Train page; the rules are as without it"), .use = OF_SEARCH_ALONE },
  { MT_SETTING_GROUP_NETWORK, COUNT, AT (restarts), N_("N_etworks that propose rules"),
    N_("0 leaves it to the search, which is mostly better with many rows. 0–10"), 0, 10, 1 },
  { MT_SETTING_GROUP_NETWORK, COUNT, AT (nodes), N_("_Nodes"),
    N_("Candidate rules that a network trains together. 1–512"), 1, 512, 5, .use = OF_NETWORK },
  { MT_SETTING_GROUP_NETWORK, NUMBER, AT (temperature), N_("Temperat_ure"),
    N_("How softly a node chooses its conditions. 0.0001–10"), 0.0001, 10, 0.01, 4, .use = OF_NETWORK },

  { MT_SETTING_GROUP_TRAINING, CHOICE, AT (node), N_("Node _kind"),
    N_("Standard weighs conditions; deep can be any truth table"), .choices = node_names, .use = OF_NETWORK },
  { MT_SETTING_GROUP_TRAINING, CHOICE, AT (start), N_("Nodes _begin at"),
    N_("Random is as in the TT-Sparse paper; the interactions found are the better start"), .choices = start_names,
    .use = OF_NETWORK },
  { MT_SETTING_GROUP_TRAINING, CHOICE, AT (method), N_("Simplified by"),
    N_("Magnitude prunes networks as in the TT-Sparse paper, for comparison"), .choices = method_names, .use = OF_CANDIDATES },
  { MT_SETTING_GROUP_TRAINING, NUMBER, AT (learning_rate), N_("Learning _rate"),
    N_("How far a step goes. Lower it when the loss jumps. 0.0001–1"), 0.0001, 1, 0.001, 4, .use = OF_NETWORK,
    .brief = N_("learning rate %s") },
  { MT_SETTING_GROUP_TRAINING, COUNT, AT (batch), N_("Ba_tch"),
    N_("Rows a step looks at. 1–65536"), 1, 65536, 64, .has_auto = TRUE, .use = OF_NETWORK,
    .brief = N_("batch %s") },
  { MT_SETTING_GROUP_TRAINING, COUNT, AT (epochs), N_("Epo_chs"),
    N_("At most; training ends when nothing better is found. 1–5000"), 1, 5000, 50, .use = OF_NETWORK,
    .brief = N_("%s epochs") },

  { MT_SETTING_GROUP_JUDGING, COUNT, AT (folds), N_("_Folds"),
    N_("Parts that take turns as rows never seen. More are slower and surer. 2–20"), 2, 20, 1,
    .brief = N_("%s folds") },
  { MT_SETTING_GROUP_JUDGING, COUNT, AT (repeats), N_("Deals of the folds"),
    N_("More judge few rows surer; 0 decides by their number. 0–10"), 0, 10, 1 },
  { MT_SETTING_GROUP_JUDGING, COUNT, AT (seed), N_("See_d"),
    N_("The same seed gives the same rules, on any computer. 0–9999"), 0, 9999, 1, .brief = N_("seed %s") },
  { MT_SETTING_GROUP_JUDGING, NUMBER, AT (test_fraction), N_("Kept for the te_st"),
    N_("Share of the rows that plays no part until the end; 0 keeps none. 0–0.5"), 0, 0.5, 0.05, 2,
    .brief = N_("%s kept for the test") },
  { MT_SETTING_GROUP_JUDGING, COUNT, AT (split_seed), N_("Seed of that s_plit"),
    N_("Another one keeps other rows. 0–9999"), 0, 9999, 1 },
};

#define N_SETTINGS G_N_ELEMENTS (settings_table)

typedef struct {
  MtSettingRows *rows;
  guint          index;
  GtkWidget     *row;
  GtkWidget     *control;    /* spin button, combo row or switch */
  GtkWidget     *reset;
} Row;

struct _MtSettingRows {
  Row           row[N_SETTINGS];
  MtSettingFunc changed;
  gpointer      data;
  gboolean      showing;     /* the controls are being filled in */
};

/* --- values --- */

static double
auto_value (const Setting *setting)
{
  return setting->low - setting->step;
}

static double
get_value (const Setting       *setting,
           const MtRunSettings *settings)
{
  if (setting->kind == NUMBER)
    return G_STRUCT_MEMBER (double, settings, setting->offset);
  if (setting->has_auto && G_STRUCT_MEMBER (guint, settings, setting->offset) == MT_ROUNDS_AUTO)
    return auto_value (setting);
  return G_STRUCT_MEMBER (guint, settings, setting->offset);
}

static void
set_value (const Setting *setting,
           MtRunSettings *settings,
           double         value)
{
  if (setting->kind == NUMBER)
    G_STRUCT_MEMBER (double, settings, setting->offset) = value;
  else if (setting->has_auto && value < setting->low)
    G_STRUCT_MEMBER (guint, settings, setting->offset) = MT_ROUNDS_AUTO;
  else
    G_STRUCT_MEMBER (guint, settings, setting->offset) = (guint) lround (value);
}

static double
usual_value (const Setting *setting)
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
  gboolean usual = fabs (read_control (row) - usual_value (&settings_table[row->index])) < 1e-9;

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
    row->rows->changed (row->index, row->rows->data);
}

static void
on_reset (Row *row)
{
  show_control (row, usual_value (&settings_table[row->index]));
}

static gboolean
on_output (GtkSpinButton *spin,
           Row           *row)
{
  const Setting *setting = &settings_table[row->index];

  if (gtk_spin_button_get_value (spin) >= setting->low)
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
  *value = auto_value (&settings_table[row->index]);
  return TRUE;
}

static GtkWidget *
make_spin (Row           *row,
           const Setting *setting)
{
  double low = setting->has_auto ? auto_value (setting) : setting->low;
  GtkWidget *spin = gtk_spin_button_new_with_range (low, setting->high, setting->step);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), setting->digits);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), !setting->has_auto);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 6);
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  mt_scroll_guard (spin);
  if (setting->has_auto)
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
  gtk_widget_set_tooltip_text (button, _("Back to the Usual Value"));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_reset), row);
  return button;
}

static void
make_row (Row           *row,
          const Setting *setting)
{
  row->row = setting->kind == CHOICE ? adw_combo_row_new () : adw_action_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row->row), _(setting->title));
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row->row), TRUE);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row->row), _(setting->subtitle));
  row->reset = make_reset (row);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row->row), row->reset);
  if (setting->kind == CHOICE)
    {
      g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

      for (guint i = 0; setting->choices[i] != NULL; i++)
        gtk_string_list_append (names, _(setting->choices[i]));
      row->control = row->row;
      adw_combo_row_set_model (ADW_COMBO_ROW (row->row), G_LIST_MODEL (names));
      g_signal_connect_swapped (row->row, "notify::selected", G_CALLBACK (on_changed), row);
      return;
    }
  if (setting->kind == SWITCH)
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

static gboolean
is_of_use (const Setting       *setting,
           const MtRunSettings *settings)
{
  switch (setting->use)
    {
    case OF_NETWORK:
      return mt_run_settings_has_network (settings);
    case OF_CANDIDATES:
      return settings->restarts > 0;
    case OF_SEARCH_ALONE:
      return settings->restarts == 0;
    case ALWAYS:
    default:
      return TRUE;
    }
}

void
mt_setting_rows_show (MtSettingRows       *self,
                      const MtRunSettings *settings)
{
  self->showing = TRUE;
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      show_control (&self->row[i], get_value (&settings_table[i], settings));
      show_reset (&self->row[i]);
      gtk_widget_set_sensitive (self->row[i].row, is_of_use (&settings_table[i], settings));
    }
  self->showing = FALSE;
}

void
mt_setting_rows_read (MtSettingRows *self,
                      guint          setting,
                      MtRunSettings *settings)
{
  g_return_if_fail (setting < N_SETTINGS);
  set_value (&settings_table[setting], settings, read_control (&self->row[setting]));
}

char *
mt_setting_rows_dup_name (guint setting)
{
  GString *name;

  g_return_val_if_fail (setting < N_SETTINGS, NULL);
  name = g_string_new (_(settings_table[setting].title));
  g_string_replace (name, "_", "", 0);
  return g_string_free (name, FALSE);
}

char *
mt_setting_rows_sum_up (MtSettingRows       *self,
                        MtSettingGroup       group,
                        const MtRunSettings *settings)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < N_SETTINGS; i++)
    {
      const Setting *setting = &settings_table[i];
      double value = get_value (setting, settings);
      g_autofree char *number = NULL;
      g_autoptr (GString) part = NULL;

      if (setting->group != group || setting->brief == NULL || !is_of_use (setting, settings))
        continue;
      if (setting->has_auto && value < setting->low)
        number = g_strdup (_("automatic"));
      else if (setting->offset == AT (test_fraction))
        number = mt_format_share (value);
      else
        number = mt_format_number (value);
      part = g_string_new (_(setting->brief));
      g_string_replace (part, "%s", number, 1);
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", part->str);
    }
  return mt_format_sentence (text->str);
}

MtSettingRows *
mt_setting_rows_new (GtkWidget * const *groups,
                     MtSettingFunc      changed,
                     gpointer           data)
{
  MtSettingRows *self = g_new0 (MtSettingRows, 1);

  self->changed = changed;
  self->data = data;
  self->showing = TRUE;
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      GtkWidget *group = groups[settings_table[i].group];

      self->row[i].rows = self;
      self->row[i].index = i;
      make_row (&self->row[i], &settings_table[i]);
      if (ADW_IS_EXPANDER_ROW (group))
        adw_expander_row_add_row (ADW_EXPANDER_ROW (group), self->row[i].row);
      else
        adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), self->row[i].row);
    }
  self->showing = FALSE;
  return self;
}

/* The widgets belong to their groups and may outlive this: they must not call back. */
void
mt_setting_rows_free (MtSettingRows *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      g_signal_handlers_disconnect_by_data (self->row[i].control, &self->row[i]);
      g_signal_handlers_disconnect_by_data (self->row[i].reset, &self->row[i]);
    }
  g_free (self);
}
