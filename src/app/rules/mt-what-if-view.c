/* What-if: a row of values one may change, what it scores and why, and what would flip the decision. See
 * mt-what-if-view.h. */
#include "config.h"
#include "mt-what-if-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "widgets/mt-label-line.h"
#include "util/mt-scroll-guard.h"
#include "util/mt-theme.h"
#include "mt-what-if-answer.h"
#include "mt-what-if-field.h"

#define MOST_CHANGES 6      /* shown; further ones are larger */
#define NO_ROW       G_MAXSIZE
#define MOST_UNREAD  12     /* columns that no rule reads, among the others; more, and in a narrow window all, have
                             * to be asked for */

struct _MtWhatIfView {
  AdwBin           parent_instance;

  GtkWidget       *row;         /* spin button: the row of the table that was started from */
  GtkLabel        *origin;      /* of the values: a row or the means, and how many are others by now */
  char            *origin_words;
  GtkWidget       *reset;
  GtkLabel        *origin_below; /* the same, where there is no room at its side */
  GtkFlowBox      *fields;
  GtkSizeGroup    *widths;      /* of the fields: one, whatever is in them */
  GtkLabel        *unread_note; /* why some are faded */
  GtkToggleButton *unread;      /* shows many columns that no rule reads */
  MtWhatIfAnswer  *answer;
  GtkLabel        *nearest;     /* heads the changes */
  GtkWidget       *cutoff;      /* spin button, of a number */
  GtkWidget       *cutoff_box;
  GtkListBox      *list;
  GtkLabel        *none;        /* instead of the list: nothing was found, or not yet */

  MtRuleBook      *book;
  GArray          *start;       /* what Reset goes back to */
  GArray          *values;
  GArray          *changes;
  guint            shown_row;   /* the training row that was taken last */
  gsize            from_row;    /* of the table, that the values started from; NO_ROW: the means */
  GCancellable    *searching;   /* for changes; NULL: not */
  GCancellable    *starting;    /* the typical row is being found; NULL: not */
  gboolean         setting;
  gboolean         narrow;
};

static guint answered_signal, term_signal;

G_DEFINE_FINAL_TYPE (MtWhatIfView, mt_what_if_view, ADW_TYPE_BIN)

/* What is under way and no longer wanted. */
static void
stop (GCancellable **cancellable)
{
  if (*cancellable != NULL)
    g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
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

/* "Cholesterol: 160 → 168", as markup: the column in its colour, what it becomes bold. */
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

      g_autofree char *line = g_markup_printf_escaped ("<span foreground=\"%s\">%s</span>: %s → <b>%s</b>",
                                                       mt_theme_get_name_color (),
                                                       mt_encoder_get_column_name (mt_rule_book_get_encoder (self->book),
                                                                                   column), from, to);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", line);
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

/* The numbers of the rules that begin to apply, or cease to: "1, 4"; returns how many. */
static guint
list_rules (MtWhatIfView   *self,
            const MtWhatIf *after,
            gboolean        begin,
            GString        *numbers)
{
  const MtWhatIf *before = mt_what_if_view_get_result (self);
  guint n = 0;

  for (guint t = 0; t < after->n_terms; t++)
    if (mt_rule_book_get_number (self->book, t) > 0 && before->applies[t] != after->applies[t] &&
        after->applies[t] == begin)
      g_string_append_printf (numbers, "%s%u", n++ > 0 ? ", " : "", mt_rule_book_get_number (self->book, t));
  return n;
}

/* "rule 4 no longer applies, rule 5 applies"; empty when only a number moved. */
static char *
describe_effect (MtWhatIfView   *self,
                 const MtWhatIf *after)
{
  g_autoptr (GString) ceased = g_string_new (NULL);
  g_autoptr (GString) begun = g_string_new (NULL);
  guint n_ceased = list_rules (self, after, FALSE, ceased), n_begun = list_rules (self, after, TRUE, begun);
  GString *text = g_string_new (NULL);

  if (n_ceased > 0)
    /* Translators: %s is the number of a rule, or several of them */
    g_string_append_printf (text, ngettext ("rule %s no longer applies", "rules %s no longer apply", n_ceased),
                            ceased->str);
  if (n_ceased > 0 && n_begun > 0)
    g_string_append (text, ", ");
  if (n_begun > 0)
    /* Translators: %s is the number of a rule, or several of them */
    g_string_append_printf (text, ngettext ("rule %s applies", "rules %s apply", n_begun), begun->str);
  return g_string_free (text, FALSE);
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
  GtkBox *what = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));

  gtk_box_append (line, GTK_WIDGET (what));
  gtk_widget_set_hexpand (GTK_WIDGET (what), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (what), GTK_ALIGN_CENTER);
  gtk_label_set_markup (mt_label_line_add (what, NULL, NULL), text);
  if (result != NULL)
    {
      g_autofree char *effect = describe_effect (self, result);
      g_autofree char *answer = mt_what_if_describe (self->book, result);
      g_autofree char *outcome = mt_rule_book_get_task (self->book) == MT_TASK_MULTICLASS
                                   ? mt_format_outcome (self->book, result->decided) : NULL;
      g_autofree char *both = outcome != NULL ? g_strdup_printf ("%s %s", outcome, answer) : g_strdup (answer);

      if (*effect != '\0')
        gtk_widget_add_css_class (GTK_WIDGET (mt_label_line_add (what, effect, "caption")), "dim-label");
      gtk_label_set_wrap (mt_label_line_add (line, both, "heading"), FALSE);
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

  stop (&self->searching);
  g_clear_pointer (&self->changes, g_array_unref);
  while ((child = GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, 0))) != NULL)
    gtk_list_box_remove (self->list, child);
  gtk_widget_set_visible (GTK_WIDGET (self->list), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->none), FALSE);
}

static void
show_changes (MtWhatIfView *self)
{
  gboolean found = self->changes->len > 0;

  for (guint i = 0; i < MIN (self->changes->len, MOST_CHANGES); i++)
    add_change (self, i);
  gtk_widget_set_visible (GTK_WIDGET (self->list), found);
  gtk_widget_set_visible (GTK_WIDGET (self->none), !found);
  gtk_label_set_label (self->none, mt_rule_book_get_task (self->book) == MT_TASK_REGRESSION
                                     ? _("No change to one or two columns crosses the limit.")
                                     : _("No change to one or two columns changes the decision."));
}

/* --- on other threads: the search, and the typical row --- */

/* What a thread needs; the values are its own. */
typedef struct {
  MtRuleBook *book;
  GArray     *values;
  double      cutoff;
  gboolean   *locked;      /* by column */
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  mt_rule_book_unref (question->book);
  g_clear_pointer (&question->values, g_array_unref);
  g_free (question->locked);
  g_free (question);
}

static void
search_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  const Question *question = data;
  GError *error = NULL;
  GArray *changes = mt_what_if_find_changes_but (mt_rule_book_get_encoder (question->book),
                                                 mt_rule_book_get_rules (question->book), question->values,
                                                 question->cutoff, question->locked, cancellable, &error);

  if (changes != NULL)
    {
      g_autofree guint *decimals = mt_what_if_count_decimals (mt_rule_book_get_encoder (question->book),
                                                              mt_rule_book_get_table (question->book));

      mt_what_if_round_changes (mt_rule_book_get_encoder (question->book), mt_rule_book_get_rules (question->book),
                                question->values, question->cutoff, decimals, changes);
      g_task_return_pointer (task, changes, (GDestroyNotify) g_array_unref);
    }
  else
    g_task_return_error (task, error);
}

static void
typical_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  const Question *question = data;
  GError *error = NULL;
  gsize row = mt_raw_values_find_typical (mt_rule_book_get_encoder (question->book), mt_rule_book_get_table (question->book),
                                          mt_rule_book_get_row_numbers (question->book),
                                          mt_rule_book_get_n_rows (question->book), &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, row < G_MAXUINT ? (gssize) row : -1);
}

/* The next of the fields; NULL: there is no more. */
static MtWhatIfField *
get_field (MtWhatIfView *self,
           int           index)
{
  GtkFlowBoxChild *child = gtk_flow_box_get_child_at_index (self->fields, index);

  return child != NULL ? MT_WHAT_IF_FIELD (gtk_flow_box_child_get_child (child)) : NULL;
}

static gboolean *
dup_locked (MtWhatIfView *self)
{
  gboolean *locked = g_new0 (gboolean, mt_encoder_get_n_columns (mt_rule_book_get_encoder (self->book)) + 1);
  MtWhatIfField *field;

  for (int i = 0; (field = get_field (self, i)) != NULL; i++)
    locked[mt_what_if_field_get_column (field)] = mt_what_if_field_get_locked (field);
  return locked;
}

static GCancellable *
ask (MtWhatIfView        *self,
     GTaskThreadFunc      func,
     GAsyncReadyCallback  done)
{
  GCancellable *cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, cancellable, done, NULL);
  Question *question = g_new0 (Question, 1);

  question->book = mt_rule_book_ref (self->book);
  question->values = self->values != NULL ? mt_raw_values_copy (self->values) : NULL;
  question->cutoff = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->cutoff));
  question->locked = dup_locked (self);
  g_task_set_task_data (task, question, question_free);
  g_task_run_in_thread (task, func);
  return cancellable;
}

static void
on_searched (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  MtWhatIfView *self = MT_WHAT_IF_VIEW (source);
  g_autoptr (GArray) changes = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->searching == NULL || self->searching != g_task_get_cancellable (G_TASK (result)))
    return;   /* the row is another by now */
  g_clear_object (&self->searching);
  if (changes == NULL)
    return;   /* as the answer says */
  self->changes = g_steal_pointer (&changes);
  show_changes (self);
}

/* --- the answer --- */

static guint
count_changed (MtWhatIfView *self)
{
  guint n = 0;

  for (guint i = 0; self->start != NULL && i < self->start->len; i++)
    {
      const MtRawValue *a = &g_array_index (self->start, MtRawValue, i), *b = &g_array_index (self->values, MtRawValue, i);

      n += a->is_missing != b->is_missing ||
           (!a->is_missing && (g_strcmp0 (a->level, b->level) != 0 || (a->level == NULL && a->number != b->number)));
    }
  return n;
}

static void
show_origin (MtWhatIfView *self)
{
  guint n = count_changed (self);
  /* Translators: where the values are from, "training row 12, approved = yes", and how many are others by now */
  g_autofree char *text = n > 0 ? g_strdup_printf (ngettext ("%s, %u value changed", "%s, %u values changed", n),
                                                   self->origin_words, n)
                                : g_strdup (self->origin_words);

  gtk_label_set_label (self->origin, text);
  gtk_label_set_label (self->origin_below, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->origin), text);
  gtk_widget_set_sensitive (self->reset, n > 0);
}

static void
show_result (MtWhatIfView *self)
{
  g_autoptr (GError) error = NULL;
  MtWhatIf *result = mt_what_if_new (mt_rule_book_get_encoder (self->book), mt_rule_book_get_rules (self->book),
                                     self->values, &error);
  gboolean is_number = mt_rule_book_get_task (self->book) == MT_TASK_REGRESSION;

  show_origin (self);
  clear_changes (self);
  mt_what_if_answer_take (self->answer, result,
                          is_number ? gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->cutoff)) : 0, error);
  g_signal_emit (self, answered_signal, 0);
  if (result == NULL)
    return;
  gtk_label_set_label (self->none, _("Searching…"));
  gtk_widget_set_visible (GTK_WIDGET (self->none), TRUE);
  self->searching = ask (self, search_thread, on_searched);
}

/* A derived value changes with the columns that it is made of. */
static void
show_derived (MtWhatIfView *self)
{
  MtWhatIfField *field;

  for (int i = 0; (field = get_field (self, i)) != NULL; i++)
    {
      guint column = mt_what_if_field_get_column (field);

      if (mt_encoder_get_column (mt_rule_book_get_encoder (self->book), column)->formula != NULL)
        mt_what_if_field_set_value (field, &g_array_index (self->values, MtRawValue, column));
    }
}

static void
on_field_changed (MtWhatIfView  *self,
                  MtWhatIfField *field)
{
  if (self->values == NULL)
    return;   /* where it starts from is still being found */
  mt_raw_values_set (self->values, mt_what_if_field_get_column (field), mt_what_if_field_get_value (field));
  mt_raw_values_derive (self->values, mt_rule_book_get_encoder (self->book), mt_what_if_field_get_column (field),
                        self->from_row != NO_ROW ? mt_rule_book_get_table (self->book) : NULL, self->from_row);
  show_derived (self);
  show_result (self);
}

static void
on_field_locked (MtWhatIfView *self)
{
  if (self->values != NULL)
    show_result (self);
}

static void
on_cutoff (MtWhatIfView *self)
{
  if (!self->setting && self->values != NULL)
    show_result (self);
}

/* --- where it starts --- */

static void
take_values (MtWhatIfView *self,
             GArray       *values)
{
  MtWhatIfField *field;

  for (int i = 0; (field = get_field (self, i)) != NULL; i++)
    mt_what_if_field_set_value (field, &g_array_index (values, MtRawValue, mt_what_if_field_get_column (field)));
  g_clear_pointer (&self->values, g_array_unref);
  self->values = mt_raw_values_copy (values);
  show_result (self);
}

static void
start_from (MtWhatIfView *self,
            GArray       *values,
            const char   *origin)
{
  stop (&self->starting);
  if (values == NULL)
    return;
  g_clear_pointer (&self->start, g_array_unref);
  self->start = values;
  g_free (self->origin_words);
  self->origin_words = g_strdup (origin);
  take_values (self, values);
}

/* @is_typical: and no one chose it. */
static void
show_row (MtWhatIfView *self,
          guint         row,
          gboolean      is_typical)
{
  g_autofree char *origin = NULL, *value = NULL;
  const char *target = mt_rule_book_get_target (self->book);
  guint32 number = mt_rule_book_get_row_numbers (self->book)[row];

  value = mt_rule_book_get_n_classes (self->book) > 0
            ? g_strdup (mt_rule_book_get_classes (self->book)[(guint) mt_rule_book_get_values (self->book)[row]])
            : mt_format_short (mt_rule_book_get_values (self->book)[row]);
  if (is_typical)
    /* Translators: the number of a row, then the target and its value there */
    origin = g_strdup_printf (_("training row %u, the closest to the medians, %s = %s"), number + 1, target, value);
  else
    /* Translators: the number of a row, then the target and its value there */
    origin = g_strdup_printf (_("training row %u, %s = %s"), number + 1, target, value);
  self->shown_row = row;
  self->from_row = number;
  self->setting = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->row), number + 1.0);
  self->setting = FALSE;
  start_from (self, mt_raw_values_new_from_row (mt_rule_book_get_encoder (self->book),
                                                mt_rule_book_get_table (self->book), number, NULL), origin);
}

static void
on_typical_found (GObject      *source,
                  GAsyncResult *result,
                  gpointer      data)
{
  MtWhatIfView *self = MT_WHAT_IF_VIEW (source);
  gssize row = g_task_propagate_int (G_TASK (result), NULL);

  if (self->starting == NULL || self->starting != g_task_get_cancellable (G_TASK (result)))
    return;   /* a row was chosen meanwhile */
  if (row >= 0)
    show_row (self, (guint) row, TRUE);
}

/* A training row that is like the median of each column, so that its values go together; without rows the means. */
static void
start_from_typical (MtWhatIfView *self)
{
  double lowest;

  if (!mt_rule_book_has_rows (self->book))
    {
      self->from_row = NO_ROW;
      start_from (self, mt_raw_values_new_typical (mt_rule_book_get_encoder (self->book), NULL, NULL, 0, NULL),
                  _("mean (the model was opened without data)"));
      return;
    }
  gtk_spin_button_get_range (GTK_SPIN_BUTTON (self->row), &lowest, NULL);
  self->setting = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->row), lowest);
  self->from_row = NO_ROW;
  self->setting = FALSE;
  stop (&self->starting);
  self->starting = ask (self, typical_thread, on_typical_found);
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
  g_return_if_fail (MT_IS_WHAT_IF_VIEW (self));
  if (self->book != NULL && row < mt_rule_book_get_n_rows (self->book))
    show_row (self, row, FALSE);
}

/* The training row that has that number in the table. Rows kept for the test are left out: then the next one, in
 * the direction of the step. */
static guint
find_row (MtWhatIfView *self,
          guint32       number)
{
  const guint32 *numbers = mt_rule_book_get_row_numbers (self->book);
  gsize n = mt_rule_book_get_n_rows (self->book);
  guint found = self->shown_row;
  gboolean on = number >= numbers[MIN (found, n - 1)];
  guint32 best = on ? G_MAXUINT32 : 0;

  for (gsize r = 0; r < n; r++)
    if (on ? numbers[r] >= number && numbers[r] <= best : numbers[r] <= number && numbers[r] >= best)
      {
        best = numbers[r];
        found = (guint) r;
      }
  return found;
}

/* One before the first row stands for none of them. */
static gboolean
is_no_row (MtWhatIfView *self)
{
  double lowest;

  gtk_spin_button_get_range (GTK_SPIN_BUTTON (self->row), &lowest, NULL);
  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->row)) <= lowest;
}

static gboolean
on_row_output (MtWhatIfView *self)
{
  if (!is_no_row (self))
    return FALSE;
  gtk_editable_set_text (GTK_EDITABLE (self->row), "–");
  return TRUE;
}

static void
on_row (MtWhatIfView *self)
{
  if (self->setting)
    return;
  if (is_no_row (self))
    start_from_typical (self);
  else
    mt_what_if_view_set_row (self, find_row (self, (guint32) gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->row)) - 1));
}

/* As many digits as predictions are shown with, and exactly what these say. */
static void
set_cutoff (MtWhatIfView *self,
            double        value)
{
  guint digits = value != 0 ? (guint) CLAMP (3 - (int) floor (log10 (fabs (value))), 0, 6) : 2;
  double step = digits > 0 ? pow (10, 1 - (double) digits) : 1;
  char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];

  g_snprintf (format, sizeof format, "%%.%uf", digits);
  g_ascii_formatd (text, sizeof text, format, value);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (self->cutoff), digits);
  gtk_spin_button_set_increments (GTK_SPIN_BUTTON (self->cutoff), step, 10 * step);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->cutoff), g_ascii_strtod (text, NULL));
}

/* As they stand in the table. Those that no rule reads are faded; many of them are left out unless asked for. */
static void
fill_fields (MtWhatIfView *self)
{
  guint n_columns = mt_encoder_get_n_columns (mt_rule_book_get_encoder (self->book)), n_unread = 0;
  guint most = self->narrow ? 0 : MOST_UNREAD;
  GtkFlowBoxChild *child;
  gboolean all;

  while ((child = gtk_flow_box_get_child_at_index (self->fields, 0)) != NULL)
    gtk_flow_box_remove (self->fields, GTK_WIDGET (child));
  for (guint i = 0; i < n_columns; i++)
    n_unread += !mt_rule_book_needs (self->book, i);
  all = n_unread <= most || gtk_toggle_button_get_active (self->unread);
  for (guint i = 0; i < n_columns; i++)
    if (all || mt_rule_book_needs (self->book, i))
      {
        MtWhatIfField *field = mt_what_if_field_new (self->book, i);

        if (self->values != NULL)
          mt_what_if_field_set_value (field, &g_array_index (self->values, MtRawValue, i));
        g_signal_connect_object (field, "changed", G_CALLBACK (on_field_changed), self, G_CONNECT_SWAPPED);
        g_signal_connect_object (field, "locked", G_CALLBACK (on_field_locked), self, G_CONNECT_SWAPPED);
        gtk_size_group_add_widget (self->widths, GTK_WIDGET (field));
        gtk_flow_box_append (self->fields, GTK_WIDGET (field));
      }
  gtk_widget_set_visible (GTK_WIDGET (self->unread_note), all && n_unread > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->unread), n_unread > most);
  if (n_unread > most)
    {
      g_autofree char *count = mt_format_count (n_unread);
      /* Translators: %s is how many there are */
      g_autofree char *label = g_strdup_printf (ngettext ("Also Show %s Unused Column",
                                                          "Also Show %s Unused Columns", n_unread), count);

      gtk_button_set_label (GTK_BUTTON (self->unread), label);
    }
}

static void
on_unread (MtWhatIfView *self)
{
  if (!self->setting && self->book != NULL)
    fill_fields (self);
}

void
mt_what_if_view_set_book (MtWhatIfView *self,
                          MtRuleBook   *book)
{
  GtkFlowBoxChild *child;
  gboolean is_number;

  g_return_if_fail (MT_IS_WHAT_IF_VIEW (self));
  clear_changes (self);
  stop (&self->starting);
  mt_what_if_answer_set_book (self->answer, book);
  g_clear_pointer (&self->start, g_array_unref);
  g_clear_pointer (&self->values, g_array_unref);
  while ((child = gtk_flow_box_get_child_at_index (self->fields, 0)) != NULL)
    gtk_flow_box_remove (self->fields, GTK_WIDGET (child));
  g_clear_pointer (&self->book, mt_rule_book_unref);
  if (book == NULL)
    return;
  self->book = mt_rule_book_ref (book);
  self->setting = TRUE;
  gtk_toggle_button_set_active (self->unread, FALSE);
  self->setting = FALSE;
  fill_fields (self);
  self->setting = TRUE;
  self->shown_row = 0;
  gtk_widget_set_visible (self->row, mt_rule_book_has_rows (book));
  if (mt_rule_book_has_rows (book))
    {
      const guint32 *numbers = mt_rule_book_get_row_numbers (book);

      gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->row), numbers[0],
                                 numbers[mt_rule_book_get_n_rows (book) - 1] + 1.0);
    }
  is_number = mt_rule_book_get_task (book) == MT_TASK_REGRESSION;
  gtk_widget_set_visible (self->cutoff_box, is_number);
  gtk_label_set_label (self->nearest, is_number ? _("Smallest changes that cross the limit")
                                                : _("Smallest changes that change the decision"));
  set_cutoff (self, mt_rule_book_has_rows (book) ? mt_rule_book_get_mean (book)
                                                 : mt_rule_set_get_bias (mt_rule_book_get_rules (book))[0]);
  self->setting = FALSE;
  start_from_typical (self);
}

void
mt_what_if_view_set_narrow (MtWhatIfView *self,
                            gboolean      narrow)
{
  g_return_if_fail (MT_IS_WHAT_IF_VIEW (self));

  gtk_widget_set_opacity (GTK_WIDGET (self->origin), narrow ? 0 : 1);     /* it keeps Reset at the end */
  gtk_widget_set_visible (GTK_WIDGET (self->origin_below), narrow);
  if (narrow == self->narrow)
    return;
  self->narrow = narrow;
  if (self->book != NULL)
    fill_fields (self);
}

MtRuleBook *
mt_what_if_view_get_book (MtWhatIfView *self)
{
  return self->book;
}

const GArray *
mt_what_if_view_get_values (MtWhatIfView *self)
{
  return self->values;
}

const MtWhatIf *
mt_what_if_view_get_result (MtWhatIfView *self)
{
  return mt_what_if_answer_get_result (self->answer);
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

  stop (&self->searching);
  stop (&self->starting);
  g_clear_object (&self->widths);
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->start, g_array_unref);
  g_clear_pointer (&self->values, g_array_unref);
  g_clear_pointer (&self->origin_words, g_free);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  G_OBJECT_CLASS (mt_what_if_view_parent_class)->dispose (object);
}

static void
mt_what_if_view_class_init (MtWhatIfViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_what_if_view_dispose;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "whatif");
  answered_signal = g_signal_new ("answered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  term_signal = g_signal_new ("term-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                              G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
add_start (MtWhatIfView *self,
           GtkBox       *box)
{
  GtkBox *line = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9));
  GtkWidget *typical = gtk_button_new_with_mnemonic (_("_Typical"));

  self->reset = gtk_button_new_with_mnemonic (_("R_eset"));
  gtk_widget_set_sensitive (self->reset, FALSE);
  self->row = gtk_spin_button_new_with_range (0, 1, 1);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (self->row), FALSE);   /* a dash is no number */
  gtk_widget_set_name (self->row, "row");
  mt_scroll_guard (self->row);
  gtk_widget_set_tooltip_text (self->row, _("Start from a training row"));
  g_signal_connect_swapped (self->row, "value-changed", G_CALLBACK (on_row), self);
  g_signal_connect_swapped (self->row, "output", G_CALLBACK (on_row_output), self);
  gtk_widget_set_tooltip_text (typical, _("Start from the Training Row Closest to the Medians"));
  g_signal_connect_swapped (typical, "clicked", G_CALLBACK (on_typical), self);
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (on_reset), self);
  gtk_box_append (line, typical);
  gtk_box_append (line, self->row);
  self->origin = mt_label_line_add (line, NULL, "dim-label");
  gtk_label_set_wrap (self->origin, FALSE);
  gtk_label_set_ellipsize (self->origin, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->origin), TRUE);
  gtk_box_append (line, self->reset);
  gtk_box_append (box, GTK_WIDGET (line));
  self->origin_below = mt_label_line_add (box, NULL, "dim-label");
  gtk_widget_set_visible (GTK_WIDGET (self->origin_below), FALSE);
}

static void
add_nearest (MtWhatIfView *self,
             GtkBox       *box)
{
  GtkBox *line = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9));

  self->nearest = mt_label_line_add (box, NULL, "heading");
  self->cutoff = gtk_spin_button_new_with_range (-1e12, 1e12, 1);
  gtk_widget_set_name (self->cutoff, "cutoff");
  mt_scroll_guard (self->cutoff);
  g_signal_connect_swapped (self->cutoff, "value-changed", G_CALLBACK (on_cutoff), self);
  mt_label_line_add (line, _("Limit for the prediction"), NULL);
  gtk_box_append (line, self->cutoff);
  self->cutoff_box = GTK_WIDGET (line);
  gtk_box_append (box, self->cutoff_box);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_box_append (box, GTK_WIDGET (self->list));
  self->none = mt_label_line_add (box, NULL, "dim-label");
  gtk_widget_set_visible (GTK_WIDGET (self->none), FALSE);
}

static void
on_term (MtWhatIfView *self,
         int           term)
{
  g_signal_emit (self, term_signal, 0, term);
}

/* The names of columns have a colour of the theme. */
static void
on_dark (MtWhatIfView *self)
{
  GtkWidget *child;

  if (self->changes == NULL)
    return;
  while ((child = GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, 0))) != NULL)
    gtk_list_box_remove (self->list, child);
  show_changes (self);
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
  gtk_flow_box_set_max_children_per_line (self->fields, 6);
  self->widths = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  gtk_flow_box_set_column_spacing (self->fields, 9);
  gtk_flow_box_set_row_spacing (self->fields, 15);   /* more than between a value and its name */
  gtk_box_append (box, GTK_WIDGET (self->fields));
  self->unread = GTK_TOGGLE_BUTTON (gtk_toggle_button_new ());
  gtk_widget_set_name (GTK_WIDGET (self->unread), "unread");
  gtk_widget_set_halign (GTK_WIDGET (self->unread), GTK_ALIGN_START);
  gtk_widget_add_css_class (GTK_WIDGET (self->unread), "small");
  g_signal_connect_swapped (self->unread, "toggled", G_CALLBACK (on_unread), self);
  gtk_box_append (box, GTK_WIDGET (self->unread));
  self->unread_note = mt_label_line_add (box,
                                         _("Faded columns are not used by the model."),
                                         "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->unread_note), "dim-label");
  self->answer = g_object_new (MT_TYPE_WHAT_IF_ANSWER, NULL);
  g_signal_connect_swapped (self->answer, "term-activated", G_CALLBACK (on_term), self);
  gtk_box_append (box, GTK_WIDGET (self->answer));
  add_nearest (self, box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (box));
  adw_bin_set_child (ADW_BIN (self), scrolled);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark), self,
                           G_CONNECT_SWAPPED);
}
