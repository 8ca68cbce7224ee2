/* Chooses the cutoff of two classes. See mt-cutoff-picker.h. */
#include "config.h"
#include "mt-cutoff-picker.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"
#include "widgets/mt-flow-layout.h"

typedef enum {
  WAY_HAND,
  WAY_RATE,
  WAY_CAPACITY,
  WAY_VALUES,
  N_WAYS,
} Way;

enum {
  VALUE_TRUE_POSITIVE,
  VALUE_FALSE_POSITIVE,
  VALUE_TRUE_NEGATIVE,
  VALUE_FALSE_NEGATIVE,
  N_VALUES,
};

struct _MtCutoffPicker {
  AdwBin           parent_instance;

  GtkDropDown     *way;
  GtkWidget       *forms[N_WAYS];
  GtkSpinButton   *hand;
  GtkLabel        *rate_label, *capacity_label;
  GtkSpinButton   *rate, *capacity;         /* percent */
  GtkSpinButton   *values[N_VALUES];
  GtkLabel        *value_labels[N_VALUES];
  GtkLabel        *proposal;
  GtkButton       *apply;

  const MtRanking *ranking;                 /* borrowed */
  double           cutoff;                  /* of the model */
  double           proposed;
  gboolean         filling;
};

enum {
  CHANGED,
  APPLY,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtCutoffPicker, mt_cutoff_picker, ADW_TYPE_BIN)

static Way
get_way (MtCutoffPicker *self)
{
  return MIN ((Way) gtk_drop_down_get_selected (self->way), WAY_VALUES);
}

static void
get_values (MtCutoffPicker  *self,
            MtOutcomeValues *values)
{
  *values = (MtOutcomeValues) {
    gtk_spin_button_get_value (self->values[VALUE_TRUE_POSITIVE]), gtk_spin_button_get_value (self->values[VALUE_FALSE_POSITIVE]),
    gtk_spin_button_get_value (self->values[VALUE_TRUE_NEGATIVE]), gtk_spin_button_get_value (self->values[VALUE_FALSE_NEGATIVE]),
  };
}

static double
propose (MtCutoffPicker *self)
{
  MtOutcomeValues values;

  if (self->ranking == NULL || self->ranking->n_rows == 0)
    return self->cutoff;
  switch (get_way (self))
    {
    case WAY_RATE:
      return mt_ranking_cut_rate (self->ranking, gtk_spin_button_get_value (self->rate) / 100);
    case WAY_CAPACITY:
      return mt_ranking_cut_capacity (self->ranking, gtk_spin_button_get_value (self->capacity) / 100);
    case WAY_VALUES:
      get_values (self, &values);
      return mt_ranking_cut_value (self->ranking, &values, self->cutoff);
    case WAY_HAND:
    case N_WAYS:
    default:
      return gtk_spin_button_get_value (self->hand);
    }
}

static void
show_proposal (MtCutoffPicker *self)
{
  g_autofree char *number = mt_format_number (self->proposed);
  g_autofree char *own = mt_format_number (self->cutoff);
  g_autofree char *text = NULL;

  if (self->proposed == self->cutoff)
    text = g_strdup_printf (_("%s is the cutoff of the model."), own);
  else if (get_way (self) == WAY_VALUES && self->ranking != NULL)
    {
      MtOutcomeValues values;
      MtOutcomes now, then;
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;

      get_values (self, &values);
      mt_ranking_count (self->ranking, self->cutoff, &now);
      mt_ranking_count (self->ranking, self->proposed, &then);
      before = mt_format_short (mt_outcomes_value (&now, &values));
      after = mt_format_short (mt_outcomes_value (&then, &values));
      text = g_strdup_printf (_("Preview of %s, worth %s on these rows. The cutoff of the model is %s, worth %s."), number, after,
                              own, before);
    }
  else
    text = g_strdup_printf (_("Preview of %s. The cutoff of the model is %s."), number, own);
  gtk_label_set_label (self->proposal, text);
  gtk_widget_set_sensitive (GTK_WIDGET (self->apply), self->proposed != self->cutoff);
}

static void
update (MtCutoffPicker *self)
{
  double proposed;

  if (self->filling)
    return;
  for (guint i = 0; i < N_WAYS; i++)
    gtk_widget_set_visible (self->forms[i], i == get_way (self));
  proposed = propose (self);
  self->proposed = isnan (proposed) ? self->cutoff : proposed;
  show_proposal (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_apply (MtCutoffPicker *self)
{
  g_signal_emit (self, signals[APPLY], 0);
}

/* --- the widgets --- */

static GtkSpinButton *
make_spin (MtCutoffPicker *self,
           double          low,
           double          high,
           double          step,
           guint           digits,
           double          value,
           GtkLabel       *label)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (low, high, step);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), digits);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
  gtk_label_set_mnemonic_widget (label, spin);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);
  mt_scroll_guard (spin);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (update), self);
  return GTK_SPIN_BUTTON (spin);
}

static GtkLabel *
make_label (const char *text)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 26);
  gtk_widget_set_hexpand (label, TRUE);
  return GTK_LABEL (label);
}

static GtkWidget *
make_line (GtkLabel      *label,
           GtkSpinButton *spin)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_widget_set_valign (GTK_WIDGET (spin), GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (label));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (spin));
  return box;
}

static void
make_forms (MtCutoffPicker *self)
{
  GtkLabel *hand = make_label (_("Cut_off"));

  self->rate_label = make_label (NULL);
  self->capacity_label = make_label (NULL);
  self->hand = make_spin (self, 0.0001, 0.9999, 0.01, 4, 0.5, hand);
  self->rate = make_spin (self, 0, 100, 1, 1, 50, self->rate_label);
  self->capacity = make_spin (self, 0, 100, 1, 1, 20, self->capacity_label);
  self->forms[WAY_HAND] = make_line (hand, self->hand);
  self->forms[WAY_RATE] = make_line (self->rate_label, self->rate);
  self->forms[WAY_CAPACITY] = make_line (self->capacity_label, self->capacity);
  self->forms[WAY_VALUES] = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  for (guint i = 0; i < N_VALUES; i++)
    {
      static const double start[N_VALUES] = { 1, -1, 0, 0 };

      self->value_labels[i] = make_label (NULL);
      self->values[i] = make_spin (self, -1e9, 1e9, 1, 2, start[i], self->value_labels[i]);
      gtk_box_append (GTK_BOX (self->forms[WAY_VALUES]), make_line (self->value_labels[i], self->values[i]));
    }
}

static void
mt_cutoff_picker_class_init (MtCutoffPickerClass *klass)
{
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[APPLY] = g_signal_new ("apply", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
mt_cutoff_picker_init (MtCutoffPicker *self)
{
  const char *ways[] = { _("By hand"), _("By target rate"), _("By capacity"), _("By costs and benefits"), NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkLabel *label = make_label (_("_Choose"));

  self->cutoff = self->proposed = MT_CUTOFF;
  self->filling = TRUE;
  self->way = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (ways));
  gtk_label_set_mnemonic_widget (label, GTK_WIDGET (self->way));
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->way), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);
  g_signal_connect_swapped (self->way, "notify::selected", G_CALLBACK (update), self);
  make_forms (self);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (label));
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->way));
  gtk_box_append (GTK_BOX (box), line);
  for (guint i = 0; i < N_WAYS; i++)
    {
      gtk_widget_set_visible (self->forms[i], i == WAY_HAND);
      gtk_box_append (GTK_BOX (box), self->forms[i]);
    }
  self->proposal = make_label (NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->proposal), "dim-label");
  self->apply = GTK_BUTTON (gtk_button_new_with_mnemonic (_("_Set Cutoff")));
  gtk_widget_set_valign (GTK_WIDGET (self->apply), GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->apply, "clicked", G_CALLBACK (on_apply), self);
  gtk_widget_set_halign (GTK_WIDGET (self->apply), GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->proposal));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->apply));
  adw_bin_set_child (ADW_BIN (self), box);
  self->filling = FALSE;
}

GtkWidget *
mt_cutoff_picker_new (void)
{
  return g_object_new (MT_TYPE_CUTOFF_PICKER, NULL);
}

static void
name_forms (MtCutoffPicker     *self,
            const char * const *classes)
{
  g_autofree char *rate = g_strdup_printf (_("Percentage of rows to predict “%s” for"), classes[1]);
  g_autofree char *capacity = g_strdup_printf (_("Percentage of rows, at most, to predict “%s” for"), classes[1]);
  /* Translators: class predicted, true class */
  const char *outcome = _("Value of predicting “%s” for a row that is “%s”; costs are negative");
  const guint predicted[N_VALUES] = { 1, 1, 0, 0 }, truth[N_VALUES] = { 1, 0, 0, 1 };

  gtk_label_set_label (self->rate_label, rate);
  gtk_label_set_label (self->capacity_label, capacity);
  for (guint i = 0; i < N_VALUES; i++)
    {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      g_autofree char *name = g_strdup_printf (outcome, classes[predicted[i]], classes[truth[i]]);
#pragma GCC diagnostic pop

      gtk_label_set_label (self->value_labels[i], name);
    }
}

void
mt_cutoff_picker_set (MtCutoffPicker     *self,
                      const MtRanking    *ranking,
                      const char * const *classes,
                      double              cutoff,
                      gboolean            keep)
{
  g_return_if_fail (MT_IS_CUTOFF_PICKER (self));

  self->ranking = ranking;
  if (ranking == NULL)
    return;
  self->filling = TRUE;
  name_forms (self, classes);
  if (!keep || self->cutoff != cutoff)
    {
      gtk_drop_down_set_selected (self->way, WAY_HAND);
      gtk_spin_button_set_value (self->hand, cutoff);
    }
  self->cutoff = cutoff;
  self->filling = FALSE;
  for (guint i = 0; i < N_WAYS; i++)
    gtk_widget_set_visible (self->forms[i], i == get_way (self));
  self->proposed = get_way (self) == WAY_HAND && (!keep || fabs (gtk_spin_button_get_value (self->hand) - cutoff) < 5e-5)
                   ? cutoff : propose (self);
  if (isnan (self->proposed))
    self->proposed = cutoff;
  show_proposal (self);
}

double
mt_cutoff_picker_get (MtCutoffPicker *self)
{
  return self->proposed;
}

char *
mt_cutoff_picker_dup_reason (MtCutoffPicker *self)
{
  char a[MT_DECIMAL_SIZE], b[MT_DECIMAL_SIZE], c[MT_DECIMAL_SIZE], d[MT_DECIMAL_SIZE];
  MtOutcomeValues values;

  switch (get_way (self))
    {
    case WAY_RATE:
      return g_strdup_printf ("target rate %s%%", mt_decimal_write (gtk_spin_button_get_value (self->rate), a));
    case WAY_CAPACITY:
      return g_strdup_printf ("capacity %s%%", mt_decimal_write (gtk_spin_button_get_value (self->capacity), a));
    case WAY_VALUES:
      get_values (self, &values);
      return g_strdup_printf ("values of a true positive %s, false positive %s, true negative %s, false negative %s",
                              mt_decimal_write (values.true_positive, a), mt_decimal_write (values.false_positive, b),
                              mt_decimal_write (values.true_negative, c), mt_decimal_write (values.false_negative, d));
    case WAY_HAND:
    case N_WAYS:
    default:
      return g_strdup ("set by hand");
    }
}
