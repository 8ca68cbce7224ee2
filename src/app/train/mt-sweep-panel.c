/* A setting of which nothing is chosen follows the setting of a single run; its chip is then lit. */
#include "config.h"
#include "mt-sweep-panel.h"

#include <glib/gi18n.h>
#include <math.h>

#include "widgets/mt-flow-layout.h"
#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"
#include "util/mt-preferences.h"

enum {
  BITS,
  NODES,
  FAN_IN,
  TEMPERATURE,
  N_AXES
};

static const struct {
  const char *title;
  double      offered[4];
  guint       n_offered;
} axes[N_AXES] = {
  { N_("Bits"), { 5, 9, 12, 15 }, 4 },
  { N_("Nodes"), { 20, 30, 56 }, 3 },
  { N_("Fan-in"), { 2, 3, 4, 5 }, 4 },
  { N_("Temperature"), { 0.001, 0.01, 0.05 }, 3 },
};

static const char * const setting_names[N_AXES] = { "bits", "nodes", "fan_in", "temperature" };

struct _MtSweepPanel {
  GtkBox        parent_instance;

  GtkBox       *chips[N_AXES];
  GtkSpinButton *seeds;
  GtkLabel     *count;
  GtkLabel     *factors;
  GtkLabel     *time;
  GtkLabel     *note;
  GtkWidget    *reset;
  GtkWidget    *paper;
  GtkWidget    *buttons;
  GtkWidget    *obstacle;
  GtkLabel     *obstacle_text;
  GtkWidget    *one;
  GtkWidget    *all;

  char         *reason;           /* why nothing can be trained; NULL: something can */
  MtRunSettings base;
  GArray       *chosen[N_AXES];   /* of double, ascending; empty: follows the base */
  MtSweepGrid     grid;
  gboolean      showing;
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (MtSweepPanel, mt_sweep_panel, GTK_TYPE_BOX)

static double
base_value (MtSweepPanel *self,
            guint         axis)
{
  const double values[N_AXES] = { self->base.bits, self->base.nodes, self->base.fan_in, self->base.temperature };

  return values[axis];
}

static int
compare_values (gconstpointer a,
                gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static gboolean
has_value (GArray *values,
           double  value)
{
  for (guint i = 0; i < values->len; i++)
    if (g_array_index (values, double, i) == value)
      return TRUE;
  return FALSE;
}

static void
add_value (GArray *values,
           double  value)
{
  if (!has_value (values, value))
    g_array_append_val (values, value);
  g_array_sort (values, compare_values);
}

/* --- the grid --- */

static void
copy_counts (GArray *from,
             guint  *to,
             guint  *n)
{
  *n = MIN (from->len, MT_SWEEP_MAX_VALUES);
  for (guint i = 0; i < *n; i++)
    to[i] = (guint) g_array_index (from, double, i);
}

/* What the buttons do, or why they do nothing now. */
static void
show_tooltips (MtSweepPanel *self)
{
  gtk_widget_set_tooltip_text (self->one, self->reason != NULL ? self->reason
                                          : _("Train with These Settings (Ctrl+R)"));
  gtk_widget_set_tooltip_text (self->all, self->reason != NULL ? self->reason
                                          : mt_sweep_grid_count (&self->grid) > 1
                                          ? _("Train Every Combination (Ctrl+Shift+R)")
                                          : _("First Select More Than One Value Above"));
}

void
mt_sweep_panel_set_obstacle (MtSweepPanel *self,
                             const char   *sentence,
                             const char   *reason)
{
  g_return_if_fail (MT_IS_SWEEP_PANEL (self));

  if (g_strcmp0 (reason, self->reason) == 0)
    return;
  g_free (self->reason);
  self->reason = g_strdup (reason);
  gtk_label_set_label (self->obstacle_text, sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->obstacle, sentence != NULL);
  show_tooltips (self);
}

static gboolean
is_paper_grid (const MtSweepGrid *grid)
{
  MtSweepGrid paper;

  mt_sweep_grid_init_paper (&paper);
  return mt_sweep_grid_equal (grid, &paper);
}

static void
show_count (MtSweepPanel *self)
{
  guint n = mt_sweep_grid_count (&self->grid);
  g_autofree char *runs = mt_format_count (n);
  g_autofree char *count = g_strdup_printf (ngettext ("%s run", "%s runs", n), runs);
  g_autofree char *factors = g_strdup_printf ("%u × %u × %u × %u × %u", MAX (self->grid.n_bits, 1),
                                              MAX (self->grid.n_nodes, 1), MAX (self->grid.n_fan_in, 1),
                                              MAX (self->grid.n_temperature, 1), MAX (self->grid.n_seeds, 1));

  gtk_label_set_label (self->count, count);
  gtk_label_set_label (self->factors, n > 1 ? factors : "");
  gtk_widget_set_opacity (self->reset, n > 1 ? 1 : 0);   /* its place is kept */
  gtk_widget_set_sensitive (self->reset, n > 1);
  gtk_widget_set_visible (self->buttons, n > 1);   /* one run is what the window's own button is for */
  gtk_widget_set_visible (GTK_WIDGET (self->note), self->base.restarts == 0 && self->base.learner != MT_LEARNER_PAPER &&
                          (self->grid.n_nodes > 1 || self->grid.n_temperature > 1));
  /* As long as that method is chosen and its grid is not. */
  gtk_widget_set_visible (self->paper, self->base.learner == MT_LEARNER_PAPER && !is_paper_grid (&self->grid));
  show_tooltips (self);
}

static void
fill_grid (MtSweepPanel *self)
{
  copy_counts (self->chosen[BITS], self->grid.bits, &self->grid.n_bits);
  copy_counts (self->chosen[NODES], self->grid.nodes, &self->grid.n_nodes);
  copy_counts (self->chosen[FAN_IN], self->grid.fan_in, &self->grid.n_fan_in);
  self->grid.n_temperature = MIN (self->chosen[TEMPERATURE]->len, MT_SWEEP_MAX_VALUES);
  for (guint i = 0; i < self->grid.n_temperature; i++)
    self->grid.temperature[i] = g_array_index (self->chosen[TEMPERATURE], double, i);
  self->grid.n_seeds = (guint) gtk_spin_button_get_value_as_int (self->seeds);
  show_count (self);
}

/* --- chips --- */

static void
on_chip (GtkToggleButton *chip,
         MtSweepPanel    *self)
{
  guint axis = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (chip), "axis"));
  GArray *chosen = self->chosen[axis];

  if (self->showing)
    return;
  g_array_set_size (chosen, 0);
  for (GtkWidget *each = gtk_widget_get_first_child (GTK_WIDGET (self->chips[axis])); each != NULL;
       each = gtk_widget_get_next_sibling (each))
    if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (each)))
      add_value (chosen, *(double *) g_object_get_data (G_OBJECT (each), "value"));
  if (chosen->len == 1 && g_array_index (chosen, double, 0) == base_value (self, axis))
    g_array_set_size (chosen, 0);
  if (chosen->len == 0)
    {
      self->showing = TRUE;   /* nothing chosen is the base */
      for (GtkWidget *each = gtk_widget_get_first_child (GTK_WIDGET (self->chips[axis])); each != NULL;
           each = gtk_widget_get_next_sibling (each))
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (each), *(double *) g_object_get_data (G_OBJECT (each), "value")
                                      == base_value (self, axis));
      self->showing = FALSE;
    }
  fill_grid (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
add_chip (MtSweepPanel *self,
          guint         axis,
          double        value)
{
  GArray *chosen = self->chosen[axis];
  g_autofree char *text = mt_format_number (value);
  g_autofree char *name = g_strdup_printf ("%s %s", _(axes[axis].title), text);
  GtkWidget *chip = gtk_toggle_button_new_with_label (text);

  g_object_set_data (G_OBJECT (chip), "axis", GUINT_TO_POINTER (axis));
  g_object_set_data_full (G_OBJECT (chip), "value", g_memdup2 (&value, sizeof value), g_free);
  gtk_widget_add_css_class (chip, "chip");
  gtk_widget_set_valign (chip, GTK_ALIGN_CENTER);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (chip), chosen->len > 0 ? has_value (chosen, value)
                                                                          : value == base_value (self, axis));
  gtk_accessible_update_property (GTK_ACCESSIBLE (chip), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect (chip, "toggled", G_CALLBACK (on_chip), self);
  gtk_box_append (self->chips[axis], chip);
}

/* The method of the paper offers the values of the paper. */
static void
offer_values (MtSweepPanel *self,
              guint         axis,
              GArray       *values)
{
  double paper_values[MT_SWEEP_MAX_VALUES];
  MtSweepGrid paper;
  guint n;

  mt_sweep_grid_init_paper (&paper);
  n = mt_sweep_grid_get_axis (&paper, mt_setting_find (setting_names[axis]), &self->base, paper_values);
  if (self->base.learner == MT_LEARNER_PAPER && n > 1)
    g_array_append_vals (values, paper_values, n);
  else
    g_array_append_vals (values, axes[axis].offered, axes[axis].n_offered);
}

static void
show_chips (MtSweepPanel *self)
{
  for (guint axis = 0; axis < N_AXES; axis++)
    {
      g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
      GtkWidget *child;

      while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->chips[axis]))) != NULL)
        gtk_box_remove (self->chips[axis], child);
      offer_values (self, axis, values);
      add_value (values, base_value (self, axis));
      for (guint i = 0; i < self->chosen[axis]->len; i++)
        add_value (values, g_array_index (self->chosen[axis], double, i));
      for (guint i = 0; i < values->len; i++)
        add_chip (self, axis, g_array_index (values, double, i));
    }
}

void
mt_sweep_panel_set_base (MtSweepPanel        *self,
                         const MtRunSettings *base)
{
  g_return_if_fail (MT_IS_SWEEP_PANEL (self) && base != NULL);

  if (mt_run_settings_equal (&self->base, base))
    return;   /* what has the focus keeps it */
  self->base = *base;
  show_chips (self);
  fill_grid (self);
}

const MtSweepGrid *
mt_sweep_panel_get_grid (MtSweepPanel *self)
{
  g_return_val_if_fail (MT_IS_SWEEP_PANEL (self), NULL);
  return &self->grid;
}

void
mt_sweep_panel_set_grid (MtSweepPanel    *self,
                         const MtSweepGrid *grid)
{
  g_return_if_fail (MT_IS_SWEEP_PANEL (self) && grid != NULL);

  if (mt_sweep_grid_equal (&self->grid, grid))
    return;   /* what has the focus keeps it */
  for (guint i = 0; i < N_AXES; i++)
    g_array_set_size (self->chosen[i], 0);
  for (guint i = 0; i < grid->n_bits; i++)
    add_value (self->chosen[BITS], grid->bits[i]);
  for (guint i = 0; i < grid->n_nodes; i++)
    add_value (self->chosen[NODES], grid->nodes[i]);
  for (guint i = 0; i < grid->n_fan_in; i++)
    add_value (self->chosen[FAN_IN], grid->fan_in[i]);
  for (guint i = 0; i < grid->n_temperature; i++)
    add_value (self->chosen[TEMPERATURE], grid->temperature[i]);
  self->showing = TRUE;
  gtk_spin_button_set_value (self->seeds, MAX (grid->n_seeds, 1));
  self->showing = FALSE;
  show_chips (self);
  fill_grid (self);
}

void
mt_sweep_panel_show_time (MtSweepPanel *self,
                          double        one,
                          double        all)
{
  g_autofree char *single = mt_format_seconds (one);
  g_autofree char *sweep = mt_format_seconds (all);
  g_autofree char *text = NULL;

  g_return_if_fail (MT_IS_SWEEP_PANEL (self));

  if (mt_sweep_grid_count (&self->grid) > 1)
    /* Translators: both are times such as "2 min 10 s" */
    text = g_strdup_printf (_("About %s (%s per run). Each run keeps its own frontier. You can stop and "
                              "resume the sweep."), sweep, single);
  else
    /* Translators: %s is a time such as "2 min 10 s", for one run */
    text = g_strdup_printf (_("About %s. Select several values above to train every combination."), single);
  gtk_label_set_label (self->time, text);
}

/* --- object --- */

static void
on_seeds (MtSweepPanel *self)
{
  if (self->showing)
    return;
  fill_grid (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
on_reset (MtSweepPanel *self)
{
  const MtSweepGrid one = { .n_seeds = 1 };

  gtk_widget_grab_focus (GTK_WIDGET (self->seeds));   /* the button goes out of use */
  mt_sweep_panel_set_grid (self, &one);
  g_signal_emit (self, changed_signal, 0);
}

static void
on_paper (MtSweepPanel *self)
{
  MtSweepGrid paper;

  mt_sweep_grid_init_paper (&paper);
  gtk_widget_grab_focus (GTK_WIDGET (self->seeds));   /* the button leaves */
  mt_sweep_panel_set_grid (self, &paper);
  g_signal_emit (self, changed_signal, 0);
}

static void
mt_sweep_panel_finalize (GObject *object)
{
  for (guint i = 0; i < N_AXES; i++)
    g_array_unref (MT_SWEEP_PANEL (object)->chosen[i]);
  g_free (MT_SWEEP_PANEL (object)->reason);
  G_OBJECT_CLASS (mt_sweep_panel_parent_class)->finalize (object);
}

static void
mt_sweep_panel_class_init (MtSweepPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (MT_TYPE_FLOW_LAYOUT);
  G_OBJECT_CLASS (klass)->finalize = mt_sweep_panel_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-sweep-panel.ui");
  for (guint i = 0; i < N_AXES; i++)
    gtk_widget_class_bind_template_child_full (widget_class, setting_names[i], FALSE,
                                               G_STRUCT_OFFSET (MtSweepPanel, chips[i]));
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, seeds);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, count);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, factors);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, time);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, note);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, reset);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, paper);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, buttons);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, obstacle);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, obstacle_text);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, one);
  gtk_widget_class_bind_template_child (widget_class, MtSweepPanel, all);
  gtk_widget_class_bind_template_callback (widget_class, on_paper);
  gtk_widget_class_bind_template_callback (widget_class, on_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_seeds);
}

static void
write_anew (MtSweepPanel *self)
{
  show_chips (self);
  show_count (self);
}

static void
mt_sweep_panel_init (MtSweepPanel *self)
{
  for (guint i = 0; i < N_AXES; i++)
    self->chosen[i] = g_array_new (FALSE, FALSE, sizeof (double));
  self->showing = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  mt_scroll_guard (GTK_WIDGET (self->seeds));
  self->showing = FALSE;
  show_tooltips (self);
  mt_preferences_watch_numbers (self, G_CALLBACK (write_anew));
}
