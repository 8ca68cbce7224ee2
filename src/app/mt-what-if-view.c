#include "config.h"
#include "mt-what-if-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-format.h"
#include "mt-term-item.h"
#include "mt-waterfall-view.h"
#include "mt-what-if-field.h"

#define MOST_CHANGES 6      /* shown; further ones are larger */

struct _MtWhatIfView {
  AdwBin           parent_instance;

  GtkWidget       *row;         /* spin button: the row of the table that was started from */
  GtkLabel        *origin;
  GtkFlowBox      *fields;
  GtkLabel        *answer;
  GtkLabel        *meaning;
  GtkLabel        *decision;
  GtkLabel        *classes;
  GtkLabel        *fired;
  MtWaterfallView *waterfall;
  GtkGrid         *table;       /* the waterfall's twin */
  GtkWidget       *cutoff;      /* spin button, of a number */
  GtkWidget       *cutoff_box;
  GtkListBox      *list;
  GtkLabel        *none;

  MtRuleBook      *book;
  GArray          *start;       /* what Reset goes back to */
  GArray          *values;
  MtWhatIf        *result;
  GArray          *changes;
  guint            searching;
  gboolean         setting;
};

G_DEFINE_FINAL_TYPE (MtWhatIfView, mt_what_if_view, ADW_TYPE_BIN)

static GtkLabel *
add_label (GtkBox     *box,
           const char *text,
           const char *style)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (text));

  gtk_label_set_xalign (label, 0);
  gtk_label_set_wrap (label, TRUE);
  if (style != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (label), style);
  gtk_box_append (box, GTK_WIDGET (label));
  return label;
}

/* --- the changes --- */

static char *
describe_value (MtWhatIfView     *self,
                guint             column,
                const MtRawValue *value)
{
  const MtEncoderColumn *what = mt_encoder_get_column (mt_rule_book_get_encoder (self->book), column);

  if (value->is_missing)
    return g_strdup (_("missing"));
  if (what->levels != NULL)
    return g_strdup (value->level);
  /* The largest number below a threshold reads better as what it means. */
  for (guint i = 0; i < what->n_thresholds; i++)
    if (nextafter (what->thresholds[i], -INFINITY) == value->number)
      {
        g_autofree char *bound = mt_format_value (what->type, what->thresholds[i]);

        /* Translators: a number, smaller than %s */
        return g_strdup_printf (_("below %s"), bound);
      }
  return mt_format_value (what->type, value->number);
}

static char *
describe_change (MtWhatIfView   *self,
                 const MtChange *change)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < change->n_steps; i++)
    {
      guint column = change->steps[i].column;
      g_autofree char *from = describe_value (self, column, &g_array_index (self->values, MtRawValue, column));
      g_autofree char *to = describe_value (self, column, &change->steps[i].value);

      g_string_append_printf (text, "%s%s: %s → %s", i > 0 ? "\n" : "",
                              mt_encoder_get_column_name (mt_rule_book_get_encoder (self->book), column), from, to);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static GArray *
apply_change (MtWhatIfView   *self,
              const MtChange *change)
{
  GArray *values = mt_raw_values_copy (self->values);

  for (guint i = 0; i < change->n_steps; i++)
    mt_raw_values_set (values, change->steps[i].column, &change->steps[i].value);
  return values;
}

static char *
describe_answer (MtWhatIfView   *self,
                 const MtWhatIf *result)
{
  switch (mt_rule_book_get_task (self->book))
    {
    case MT_TASK_BINARY:
      return mt_format_percent (result->predictions[0]);
    case MT_TASK_MULTICLASS:
      return mt_format_percent (result->predictions[result->decided]);
    case MT_TASK_REGRESSION:
    default:
      return mt_format_short (result->predictions[0]);
    }
}

static void
on_try (GtkWidget    *button,
        MtWhatIfView *self)
{
  mt_what_if_view_try (self, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "change")));
}

static void
add_change (MtWhatIfView *self,
            guint         index)
{
  const MtChange *change = &g_array_index (self->changes, MtChange, index);
  g_autoptr (GArray) values = apply_change (self, change);
  g_autoptr (MtWhatIf) result = mt_what_if_new (mt_rule_book_get_encoder (self->book),
                                                mt_rule_book_get_rules (self->book), values, NULL);
  GtkBox *line = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12));
  g_autofree char *text = describe_change (self, change);
  GtkWidget *button = gtk_button_new_with_mnemonic (_("_Try"));
  GtkLabel *what = add_label (line, text, NULL);

  gtk_widget_set_hexpand (GTK_WIDGET (what), TRUE);
  if (result != NULL)
    {
      g_autofree char *answer = describe_answer (self, result);
      g_autofree char *outcome = mt_rule_book_get_task (self->book) == MT_TASK_MULTICLASS
                                   ? mt_format_outcome (self->book, result->decided) : NULL;
      g_autofree char *both = outcome != NULL ? g_strdup_printf ("%s %s", outcome, answer) : g_strdup (answer);

      gtk_label_set_wrap (add_label (line, both, "heading"), FALSE);
    }
  g_object_set_data (G_OBJECT (button), "change", GUINT_TO_POINTER (index));
  g_signal_connect (button, "clicked", G_CALLBACK (on_try), self);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_box_append (line, button);
  gtk_widget_set_margin_top (GTK_WIDGET (line), 6);
  gtk_widget_set_margin_bottom (GTK_WIDGET (line), 6);
  gtk_widget_set_margin_start (GTK_WIDGET (line), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (line), 12);
  gtk_list_box_append (self->list, GTK_WIDGET (line));
}

static void
clear_changes (MtWhatIfView *self)
{
  GtkWidget *child;

  g_clear_handle_id (&self->searching, g_source_remove);
  g_clear_pointer (&self->changes, g_array_unref);
  while ((child = GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, 0))) != NULL)
    gtk_list_box_remove (self->list, child);
}

static gboolean
search (gpointer data)
{
  MtWhatIfView *self = data;

  self->searching = 0;
  clear_changes (self);
  self->changes = mt_what_if_find_changes (mt_rule_book_get_encoder (self->book), mt_rule_book_get_rules (self->book),
                                           self->values, gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->cutoff)),
                                           NULL, NULL);
  for (guint i = 0; self->changes != NULL && i < MIN (self->changes->len, MOST_CHANGES); i++)
    add_change (self, i);
  gtk_widget_set_visible (GTK_WIDGET (self->list), self->changes != NULL && self->changes->len > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->none), self->changes != NULL && self->changes->len == 0);
  return G_SOURCE_REMOVE;
}

/* --- the answer --- */

static void
show_steps (MtWhatIfView *self)
{
  const MtWhatIf *result = self->result;
  guint output = result->n_outputs > 1 ? result->decided : 0, n_steps = result->n_terms + 1;
  g_autofree MtWaterfallStep *steps = g_new0 (MtWaterfallStep, n_steps);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) amounts = g_ptr_array_new_with_free_func (g_free);
  GtkWidget *child;

  for (guint i = 0; i < n_steps; i++)
    {
      g_autoptr (MtTermItem) item = mt_term_item_new (self->book, (int) i - 1);

      steps[i].amount = i == 0 ? mt_rule_set_get_bias (mt_rule_book_get_rules (self->book))[output]
                               : result->contributions[(i - 1) * result->n_outputs + output];
      steps[i].applies = i == 0 || result->applies[i - 1];
      /* A rule of one literal is told faster than its number; a numeric column by its name. */
      g_ptr_array_add (names, i > 0 && mt_term_item_is_rule (item) && mt_term_item_get_n_literals (item) == 1
                              ? mt_term_item_dup_text (item) : mt_term_item_dup_title (item));
      g_ptr_array_add (amounts, steps[i].applies ? mt_format_weight (steps[i].amount) : g_strdup (_("does not apply")));
    }
  g_ptr_array_add (names, g_strdup (_("Score")));
  g_ptr_array_add (amounts, mt_format_weight (result->scores[output]));
  g_ptr_array_add (names, NULL);
  g_ptr_array_add (amounts, NULL);
  mt_waterfall_view_set (self->waterfall, steps, n_steps,
                         mt_rule_book_get_task (self->book) == MT_TASK_REGRESSION
                           ? gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->cutoff)) : 0,
                         (const char * const *) names->pdata, (const char * const *) amounts->pdata);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->table))) != NULL)
    gtk_grid_remove (self->table, child);
  for (guint i = 0; i <= n_steps; i++)
    for (guint k = 0; k < 2; k++)
      {
        GtkWidget *label = gtk_label_new (g_ptr_array_index (k == 0 ? names : amounts, i));

        gtk_label_set_xalign (GTK_LABEL (label), k);
        gtk_label_set_wrap (GTK_LABEL (label), k == 0);
        gtk_label_set_selectable (GTK_LABEL (label), TRUE);
        gtk_widget_set_hexpand (label, k == 0);
        gtk_grid_attach (self->table, label, (int) k, (int) i, 1, 1);
      }
}

static void
show_fired (MtWhatIfView *self)
{
  guint n_rules = 0, n_fired = 0;
  g_autofree char *text = NULL;

  for (guint t = 0; t < self->result->n_terms; t++)
    if (mt_rule_book_get_number (self->book, t) > 0)
      {
        n_rules++;
        n_fired += self->result->applies[t];
      }
  text = g_strdup_printf (ngettext ("%u of %u rule applies to this row", "%u of %u rules apply to this row", n_rules),
                          n_fired, n_rules);
  gtk_label_set_label (self->fired, text);
}

static void
show_classes (MtWhatIfView *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint c = 0; self->result->n_outputs > 1 && c < self->result->n_outputs; c++)
    {
      g_autofree char *share = mt_format_percent (self->result->predictions[c]);

      g_string_append_printf (text, "%s%s %s", c > 0 ? " · " : "", mt_rule_book_get_classes (self->book)[c], share);
    }
  gtk_label_set_label (self->classes, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->classes), text->len > 0);
}

static void
show_result (MtWhatIfView *self)
{
  MtTask task = mt_rule_book_get_task (self->book);
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL, *meaning = NULL, *decision = NULL;

  g_clear_pointer (&self->result, mt_what_if_free);
  clear_changes (self);
  self->result = mt_what_if_new (mt_rule_book_get_encoder (self->book), mt_rule_book_get_rules (self->book),
                                 self->values, &error);
  if (self->result == NULL)
    {
      gtk_label_set_label (self->answer, "");
      gtk_label_set_label (self->meaning, error->message);
      gtk_label_set_label (self->decision, "");
      return;
    }
  answer = describe_answer (self, self->result);
  if (task == MT_TASK_REGRESSION)
    meaning = g_strdup (mt_rule_book_get_target (self->book));
  else
    {
      g_autofree char *outcome = mt_format_outcome (self->book, task == MT_TASK_BINARY ? 1 : self->result->decided);

      /* Translators: %s is a class, such as: yes */
      meaning = g_strdup_printf (_("probability of %s"), outcome);
      /* Translators: %s is a class, such as: yes */
      decision = g_strdup_printf (_("Decision: %s"), mt_rule_book_get_classes (self->book)[self->result->decided]);
    }
  gtk_label_set_label (self->answer, answer);
  gtk_label_set_label (self->meaning, meaning);
  gtk_label_set_label (self->decision, decision != NULL ? decision : "");
  show_classes (self);
  show_fired (self);
  show_steps (self);
  self->searching = g_idle_add_full (G_PRIORITY_LOW, search, self, NULL);
}

static void
on_field_changed (MtWhatIfView  *self,
                  MtWhatIfField *field)
{
  mt_raw_values_set (self->values, mt_what_if_field_get_column (field), mt_what_if_field_get_value (field));
  show_result (self);
}

static void
on_cutoff (MtWhatIfView *self)
{
  if (!self->setting && self->book != NULL)
    show_result (self);
}

/* --- where it starts --- */

static void
take_values (MtWhatIfView *self,
             GArray       *values)
{
  for (int i = 0;; i++)
    {
      GtkFlowBoxChild *child = gtk_flow_box_get_child_at_index (self->fields, i);
      MtWhatIfField *field;

      if (child == NULL)
        break;
      field = MT_WHAT_IF_FIELD (gtk_flow_box_child_get_child (child));
      mt_what_if_field_set_value (field, &g_array_index (values, MtRawValue, mt_what_if_field_get_column (field)));
    }
  g_clear_pointer (&self->values, g_array_unref);
  self->values = mt_raw_values_copy (values);
  show_result (self);
}

static void
start_from (MtWhatIfView *self,
            GArray       *values,
            const char   *origin)
{
  if (values == NULL)
    return;
  g_clear_pointer (&self->start, g_array_unref);
  self->start = values;
  gtk_label_set_label (self->origin, origin);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->origin), origin);
  take_values (self, values);
}

static void
start_from_typical (MtWhatIfView *self)
{
  const MtTable *table = mt_rule_book_get_table (self->book);

  start_from (self, mt_raw_values_new_typical (mt_rule_book_get_encoder (self->book), table,
                                               mt_rule_book_get_row_numbers (self->book),
                                               mt_rule_book_get_n_rows (self->book), NULL),
              table != NULL ? _("the median of the training rows") : _("the mean: the model comes without its data"));
}

static void
on_typical (MtWhatIfView *self)
{
  if (self->book != NULL)
    start_from_typical (self);
}

static void
on_reset (MtWhatIfView *self)
{
  if (self->start != NULL)
    take_values (self, self->start);
}

void
mt_what_if_view_set_row (MtWhatIfView *self,
                         guint         row)
{
  g_autofree char *origin = NULL, *value = NULL;
  guint32 number;

  g_return_if_fail (MT_IS_WHAT_IF_VIEW (self));
  if (self->book == NULL || row >= mt_rule_book_get_n_rows (self->book))
    return;
  number = mt_rule_book_get_row_numbers (self->book)[row];
  value = mt_rule_book_get_n_classes (self->book) > 0
            ? g_strdup (mt_rule_book_get_classes (self->book)[(guint) mt_rule_book_get_values (self->book)[row]])
            : mt_format_short (mt_rule_book_get_values (self->book)[row]);
  /* Translators: the number of a row, then the target and its value there */
  origin = g_strdup_printf (_("row %u of the table, %s = %s"), number + 1, mt_rule_book_get_target (self->book), value);
  self->setting = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->row), row + 1);
  self->setting = FALSE;
  start_from (self, mt_raw_values_new_from_row (mt_rule_book_get_encoder (self->book),
                                                mt_rule_book_get_table (self->book), number, NULL), origin);
}

static void
on_row (MtWhatIfView *self)
{
  if (!self->setting)
    mt_what_if_view_set_row (self, (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->row)) - 1);
}

void
mt_what_if_view_set_book (MtWhatIfView *self,
                          MtRuleBook   *book)
{
  GtkFlowBoxChild *child;

  g_return_if_fail (MT_IS_WHAT_IF_VIEW (self));
  clear_changes (self);
  g_clear_pointer (&self->result, mt_what_if_free);
  g_clear_pointer (&self->start, g_array_unref);
  g_clear_pointer (&self->values, g_array_unref);
  while ((child = gtk_flow_box_get_child_at_index (self->fields, 0)) != NULL)
    gtk_flow_box_remove (self->fields, GTK_WIDGET (child));
  g_clear_pointer (&self->book, mt_rule_book_unref);
  if (book == NULL)
    return;
  self->book = mt_rule_book_ref (book);
  for (guint i = 0; i < mt_encoder_get_n_columns (mt_rule_book_get_encoder (book)); i++)
    if (mt_rule_book_uses (book, i))
      {
        MtWhatIfField *field = mt_what_if_field_new (book, i);

        g_signal_connect_object (field, "changed", G_CALLBACK (on_field_changed), self, G_CONNECT_SWAPPED);
        gtk_flow_box_append (self->fields, GTK_WIDGET (field));
      }
  self->setting = TRUE;
  gtk_widget_set_visible (self->row, mt_rule_book_has_rows (book));
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->row), 1, MAX (mt_rule_book_get_n_rows (book), 1));
  gtk_widget_set_visible (self->cutoff_box, mt_rule_book_get_task (book) == MT_TASK_REGRESSION);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->cutoff), mt_rule_book_has_rows (book)
                             ? mt_rule_book_get_mean (book) : mt_rule_set_get_bias (mt_rule_book_get_rules (book))[0]);
  self->setting = FALSE;
  start_from_typical (self);
}

const GArray *
mt_what_if_view_get_values (MtWhatIfView *self)
{
  return self->values;
}

const MtWhatIf *
mt_what_if_view_get_result (MtWhatIfView *self)
{
  return self->result;
}

const GArray *
mt_what_if_view_get_changes (MtWhatIfView *self)
{
  return self->changes;
}

void
mt_what_if_view_try (MtWhatIfView *self,
                     guint         change)
{
  g_autoptr (GArray) values = NULL;

  g_return_if_fail (MT_IS_WHAT_IF_VIEW (self) && self->changes != NULL && change < self->changes->len);
  values = apply_change (self, &g_array_index (self->changes, MtChange, change));
  take_values (self, values);
}

/* --- object --- */

static void
mt_what_if_view_dispose (GObject *object)
{
  MtWhatIfView *self = MT_WHAT_IF_VIEW (object);

  g_clear_handle_id (&self->searching, g_source_remove);
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->result, mt_what_if_free);
  g_clear_pointer (&self->start, g_array_unref);
  g_clear_pointer (&self->values, g_array_unref);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  G_OBJECT_CLASS (mt_what_if_view_parent_class)->dispose (object);
}

static void
mt_what_if_view_class_init (MtWhatIfViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_what_if_view_dispose;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "whatif");
}

static void
add_start (MtWhatIfView *self,
           GtkBox       *box)
{
  GtkBox *line = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9));
  GtkWidget *typical = gtk_button_new_with_mnemonic (_("_Median")), *reset = gtk_button_new_with_mnemonic (_("R_eset"));

  self->row = gtk_spin_button_new_with_range (1, 1, 1);
  gtk_widget_set_tooltip_text (self->row, _("Start from a training row"));
  g_signal_connect_swapped (self->row, "value-changed", G_CALLBACK (on_row), self);
  g_signal_connect_swapped (typical, "clicked", G_CALLBACK (on_typical), self);
  g_signal_connect_swapped (reset, "clicked", G_CALLBACK (on_reset), self);
  gtk_box_append (line, typical);
  gtk_box_append (line, self->row);
  self->origin = add_label (line, NULL, "dim-label");
  gtk_label_set_wrap (self->origin, FALSE);
  gtk_label_set_ellipsize (self->origin, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->origin), TRUE);
  gtk_box_append (line, reset);
  gtk_box_append (box, GTK_WIDGET (line));
}

static void
add_answer (MtWhatIfView *self,
            GtkBox       *box)
{
  GtkBox *card = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 9));
  GtkBox *line = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12));
  GtkWidget *twin = gtk_expander_new_with_mnemonic (_("As a _Table"));

  gtk_widget_add_css_class (GTK_WIDGET (card), "card");
  gtk_widget_add_css_class (GTK_WIDGET (card), "rulebody");
  self->answer = add_label (line, NULL, "title-1");
  gtk_label_set_wrap (self->answer, FALSE);
  self->meaning = add_label (line, NULL, NULL);
  gtk_widget_set_hexpand (GTK_WIDGET (self->meaning), TRUE);
  self->decision = add_label (line, NULL, "heading");
  gtk_box_append (card, GTK_WIDGET (line));
  self->classes = add_label (card, NULL, NULL);
  self->fired = add_label (card, NULL, "dim-label");
  self->waterfall = g_object_new (MT_TYPE_WATERFALL_VIEW, NULL);
  gtk_box_append (card, GTK_WIDGET (self->waterfall));
  self->table = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_column_spacing (self->table, 12);
  gtk_grid_set_row_spacing (self->table, 3);
  gtk_expander_set_child (GTK_EXPANDER (twin), GTK_WIDGET (self->table));
  gtk_box_append (card, twin);
  gtk_box_append (box, GTK_WIDGET (card));
}

static void
add_nearest (MtWhatIfView *self,
             GtkBox       *box)
{
  GtkBox *line = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9));

  add_label (box, _("Nearest changes that flip the decision"), "heading");
  self->cutoff = gtk_spin_button_new_with_range (-1e12, 1e12, 1);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (self->cutoff), 2);
  g_signal_connect_swapped (self->cutoff, "value-changed", G_CALLBACK (on_cutoff), self);
  add_label (line, _("The prediction crosses"), NULL);
  gtk_box_append (line, self->cutoff);
  self->cutoff_box = GTK_WIDGET (line);
  gtk_box_append (box, self->cutoff_box);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_box_append (box, GTK_WIDGET (self->list));
  self->none = add_label (box, _("No change of one or two columns flips the decision."), "dim-label");
  gtk_widget_set_visible (GTK_WIDGET (self->none), FALSE);
}

static void
mt_what_if_view_init (MtWhatIfView *self)
{
  GtkBox *box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 12));
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_widget_add_css_class (GTK_WIDGET (box), "rulebody");
  add_start (self, box);
  self->fields = GTK_FLOW_BOX (gtk_flow_box_new ());
  gtk_flow_box_set_selection_mode (self->fields, GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (self->fields, 4);
  gtk_flow_box_set_homogeneous (self->fields, TRUE);
  gtk_box_append (box, GTK_WIDGET (self->fields));
  add_answer (self, box);
  add_nearest (self, box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (box));
  adw_bin_set_child (ADW_BIN (self), scrolled);
}
