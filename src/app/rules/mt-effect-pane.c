/* A numeric column of a model, explained: in a sentence, as a drawing, and as a table of the same. See mt-
 * effect-pane.h. */
#include "config.h"
#include "mt-effect-pane.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>

#include "mt-effect-view.h"
#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"
#include "widgets/mt-label-line.h"

#define N_BARS   40
#define N_POINTS 5     /* smallest, quartiles, largest */

struct _MtEffectPane {
  AdwBin        parent_instance;

  GtkLabel     *sentence;
  MtEffectView *view;
  GtkLabel     *reading;     /* of the value pointed at */
  GtkGrid      *table;

  MtTermItem   *item;
  GString      *text;        /* of the table */
};

G_DEFINE_FINAL_TYPE (MtEffectPane, mt_effect_pane, ADW_TYPE_BIN)

static const MtUnary *
unary_of (MtEffectPane *self)
{
  MtRuleBook *book = mt_term_item_get_book (self->item);

  return mt_term_get_unary (mt_rule_set_get_term (mt_rule_book_get_rules (book), (guint) mt_term_item_get_term (self->item)),
                            mt_rule_book_get_encoder (book));
}

static const MtEncoderColumn *
column_of (MtEffectPane *self)
{
  return mt_encoder_get_column (mt_rule_book_get_encoder (mt_term_item_get_book (self->item)), unary_of (self)->column);
}

/* The value at which the term adds nothing. */
static double
zero_of (MtEffectPane *self)
{
  return mt_encoder_get_zero (mt_rule_book_get_encoder (mt_term_item_get_book (self->item)), unary_of (self));
}

/* --- the training values --- */

static int
by_size (gconstpointer a,
         gconstpointer b)
{
  const double *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

/* Those of the column that are there, ascending; empty without rows. */
static GArray *
collect_values (MtEffectPane *self)
{
  MtRuleBook *book = mt_term_item_get_book (self->item);
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));
  const MtColumn *column = NULL;

  if (mt_rule_book_has_rows (book))
    column = mt_table_find_column (mt_rule_book_get_table (book), column_of (self)->name, NULL);
  if (column == NULL || mt_column_get_store (column) != MT_STORE_NUMBERS)
    return values;
  for (gsize r = 0; r < mt_rule_book_get_n_rows (book); r++)
    {
      gsize row = mt_rule_book_get_row_numbers (book)[r];
      double value = mt_column_is_missing (column, row) ? NAN : mt_column_get_number (column, row);

      if (isfinite (value))
        g_array_append_val (values, value);
    }
  g_array_sort (values, by_size);
  return values;
}

/* Whole numbers get a bar each, if there is room; returns how many bars. */
static guint
count_bars (MtEffectPane *self,
            const GArray *values,
            gsize        *counts)
{
  double low = column_of (self)->min, room = column_of (self)->max - low;
  gboolean whole = room >= 1 && room <= N_BARS;
  guint n_bars;

  for (guint i = 0; i < values->len && whole; i++)
    whole = g_array_index (values, double, i) == rint (g_array_index (values, double, i));
  n_bars = whole ? (guint) room : N_BARS;
  for (guint i = 0; i < values->len; i++)
    {
      double at = room > 0 ? (g_array_index (values, double, i) - low) / room * n_bars : 0;

      counts[(guint) CLAMP (at, 0, n_bars - 1)]++;
    }
  return n_bars;
}

/* --- the table --- */

/* A tabulator behind every cell but the last of a line. */
static void
add_cell (MtEffectPane *self,
          const char   *text,
          const char   *style,
          int           column,
          int           row,
          gboolean      last)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, column > 0);
  gtk_widget_add_css_class (label, "numeric");
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  gtk_grid_attach (self->table, label, column, row, 1, 1);
  g_string_append_printf (self->text, "%s%s", text, last ? "\n" : "\t");
}

static char *
dup_amount (MtEffectPane *self,
            guint         output,
            double        value)
{
  double shaped = mt_encoder_column_shape (column_of (self), unary_of (self)->shape, value);
  double amount = mt_term_item_get_effects (self->item)[output] * (shaped - unary_of (self)->mean);

  return mt_format_weight (fabs (amount) < 1e-12 ? 0 : amount);
}

static void
fill_table (MtEffectPane *self,
            const GArray *values)
{
  MtRuleBook *book = mt_term_item_get_book (self->item);
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book)), n_points = values->len > 0 ? N_POINTS : 3;
  const char *names[N_POINTS] = { _("smallest"), _("lower quartile"), _("median"), _("upper quartile"), _("largest") };
  double points[N_POINTS] = { column_of (self)->min, zero_of (self), column_of (self)->max };
  GtkWidget *child;

  if (values->len == 0)
    {
      names[1] = _("mean");
      names[2] = _("largest");
    }
  for (guint i = 0; i < N_POINTS && values->len > 0; i++)
    points[i] = g_array_index (values, double, (values->len - 1) * i / (N_POINTS - 1));
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->table))) != NULL)
    gtk_grid_remove (self->table, child);
  g_string_truncate (self->text, 0);
  add_cell (self, "", NULL, 0, 0, FALSE);
  for (guint i = 0; i < n_points; i++)
    add_cell (self, names[i], "caption", 1 + (int) i, 0, i + 1 == n_points);
  add_cell (self, column_of (self)->name, "dim-label", 0, 1, FALSE);
  for (guint i = 0; i < n_points; i++)
    {
      g_autofree char *value = mt_format_value (column_of (self)->type, points[i]);

      add_cell (self, value, NULL, 1 + (int) i, 1, i + 1 == n_points);
    }
  for (guint o = 0; o < n_outputs; o++)
    {
      add_cell (self, n_outputs == 1 ? _("adds") : mt_rule_book_get_classes (book)[o], "dim-label", 0, 2 + (int) o, FALSE);
      for (guint i = 0; i < n_points; i++)
        {
          g_autofree char *amount = dup_amount (self, o, points[i]);

          add_cell (self, amount, "heading", 1 + (int) i, 2 + (int) o, i + 1 == n_points);
        }
    }
}

/* --- words --- */

static void
show_sentence (MtEffectPane *self)
{
  MtRuleBook *book = mt_term_item_get_book (self->item);
  const MtEncoderColumn *column = column_of (self);
  g_autofree char *weights = mt_format_weights (mt_rule_book_get_classes (book), mt_term_item_get_effects (self->item),
                                                mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book)));
  g_autofree char *mean = mt_format_value (column->type, zero_of (self));
  g_autofree char *low = mt_format_value (column->type, column->min);
  g_autofree char *high = mt_format_value (column->type, column->max);
  /* Translators: weight, column, mean, then the range of the column in training */
  g_autofree char *text = g_strdup_printf (_("Each unit of %2$s above its mean, %3$s, adds %1$s; each unit "
                                             "below subtracts the same. The training range is %4$s to %5$s. "
                                             "A missing value counts as the mean."),
                                           weights, column->name, mean, low, high);

  if (unary_of (self)->shape != MT_SHAPE_PLAIN)
    {
      g_autofree char *unit = mt_term_item_dup_text (self->item);

      g_free (text);
      /* Translators: weight, “per doubling of 1 + income”, value, then the range of the column in training */
      text = g_strdup_printf (_("Adds %1$s %2$s, measured from %3$s, where it adds nothing. The training range is %4$s to %5$s. A "
                                "missing value adds nothing."), weights, unit, mean, low, high);
    }
  gtk_label_set_label (self->sentence, text);
}

static void
show_reading (MtEffectPane *self)
{
  double value = mt_effect_view_get_value (self->view);
  g_autofree char *at = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GString) amounts = g_string_new (NULL);
  MtRuleBook *book;
  guint n_outputs;

  if (self->item == NULL || isnan (value))
    {
      gtk_label_set_label (self->reading, self->item != NULL && !mt_rule_book_has_rows (mt_term_item_get_book (self->item))
                                          ? _("Dashed line: mean")
                                          : _("Dashed line: mean. Below: number of training rows with each "
                                              "value"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      gtk_label_get_label (self->sentence), -1);
      return;
    }
  book = mt_term_item_get_book (self->item);
  n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book));
  for (guint o = 0; o < n_outputs; o++)
    {
      g_autofree char *amount = dup_amount (self, o, value);

      g_string_append_printf (amounts, "%s%s%s%s", o > 0 ? " · " : "",
                              n_outputs > 1 ? mt_rule_book_get_classes (book)[o] : "", n_outputs > 1 ? "\u00a0" : "", amount);
    }
  at = column_of (self)->type == MT_TYPE_DATE ? mt_format_value (MT_TYPE_DATE, value) : mt_format_short (value);
  /* Translators: a value of a column, then what it adds, of several classes to each */
  text = g_strdup_printf (_("%s adds %s"), at, amounts->str);
  gtk_label_set_label (self->reading, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

char *
mt_effect_pane_dup_text (MtEffectPane *self)
{
  g_return_val_if_fail (MT_IS_EFFECT_PANE (self), NULL);

  return g_strdup_printf ("%s\n\n%s", gtk_label_get_label (self->sentence), self->text->str);
}

void
mt_effect_pane_show (MtEffectPane *self,
                     MtTermItem   *item)
{
  g_autoptr (GArray) values = NULL;
  g_autofree char *label = NULL;
  gsize counts[N_BARS] = { 0 };
  guint n_bars;

  g_return_if_fail (MT_IS_EFFECT_PANE (self) && item != NULL && !mt_term_item_is_rule (item) &&
                    mt_term_item_get_term (item) >= 0);

  g_set_object (&self->item, item);
  values = collect_values (self);
  n_bars = count_bars (self, values, counts);
  show_sentence (self);
  mt_effect_view_show (self->view, item, values->len > 0 ? counts : NULL, n_bars);
  fill_table (self, values);
  show_reading (self);
  /* Translators: %s is a column; of a drawing, for who cannot see it */
  label = g_strdup_printf (_("Effect of %s over its range; the table below shows the same values"), column_of (self)->name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/* --- object --- */

static void
mt_effect_pane_dispose (GObject *object)
{
  g_clear_object (&MT_EFFECT_PANE (object)->item);
  G_OBJECT_CLASS (mt_effect_pane_parent_class)->dispose (object);
}

static void
mt_effect_pane_finalize (GObject *object)
{
  g_string_free (MT_EFFECT_PANE (object)->text, TRUE);
  G_OBJECT_CLASS (mt_effect_pane_parent_class)->finalize (object);
}

static void
mt_effect_pane_class_init (MtEffectPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_effect_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_effect_pane_finalize;
}

static GtkBox *
add_card (GtkBox     *box,
          const char *title)
{
  GtkBox *card = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 9));
  GtkWidget *label = gtk_label_new (title);

  gtk_widget_add_css_class (GTK_WIDGET (card), "card");
  gtk_widget_add_css_class (GTK_WIDGET (card), "comparecard");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_box_append (card, label);
  gtk_box_append (box, GTK_WIDGET (card));
  return card;
}

static void
mt_effect_pane_init (MtEffectPane *self)
{
  GtkBox *box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 12)), *card;
  GtkWidget *scrolled = gtk_scrolled_window_new (), *sideways = gtk_scrolled_window_new ();

  self->text = g_string_new (NULL);
  gtk_widget_add_css_class (GTK_WIDGET (box), "rulebody");
  card = add_card (box, _("Effect"));
  self->sentence = mt_label_line_add (card, NULL, NULL);
  gtk_label_set_selectable (self->sentence, TRUE);
  self->view = g_object_new (MT_TYPE_EFFECT_VIEW, NULL);
  g_signal_connect_object (self->view, "value-changed", G_CALLBACK (show_reading), self, G_CONNECT_SWAPPED);
  gtk_box_append (card, GTK_WIDGET (self->view));
  self->reading = mt_label_line_add (card, NULL, "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->reading), "dim-label");
  gtk_widget_set_name (GTK_WIDGET (self->reading), "effect-reading");
  card = add_card (box, _("Values"));
  self->table = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_column_spacing (self->table, 12);
  gtk_grid_set_row_spacing (self->table, 6);
  mt_scroll_sideways (sideways);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (sideways), GTK_WIDGET (self->table));
  gtk_box_append (card, sideways);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (box));
  adw_bin_set_child (ADW_BIN (self), scrolled);
}
