/* Asks for what an edit needs and for its reason, and shows what it would do: literals and, by the folds,
 * quality before and after. See mt-edit-dialog.h. */
#include "config.h"
#include "mt-edit-dialog.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "mt-edit-conditions.h"
#include "mt-edit-words.h"
#include "util/mt-format.h"
#include "util/mt-preferences.h"
#include "util/mt-theme.h"
#include "widgets/mt-wrapped-combo-row.h"

#define WIDTH 480  /* or that of the window below, if that is less */
#define WAIT  120   /* milliseconds without another choice before work begins */

struct _MtEditDialog {
  AdwWindow       parent_instance;

  /* borrowed */
  AdwPreferencesGroup *choices;
  AdwComboRow     *column;
  AdwComboRow     *first;          /* threshold, term, input, way of rounding, or class whose weight is meant */
  AdwComboRow     *second;         /* threshold merged into, or moved to */
  GtkEditable     *weight;         /* of a rule or a linear term */
  AdwPreferencesRow *weight_row;
  GtkSpinButton   *amount;         /* decimals or points */
  AdwActionRow    *literals;
  AdwActionRow    *quality;
  GtkLabel        *literals_value;
  GtkLabel        *quality_value;
  GtkSpinner      *spinner;
  GtkLabel        *note;
  AdwEntryRow     *reason;
  GtkWidget       *apply;

  /* owned */
  MtEditSubject   *subject;
  MtEdit           edit;
  GPtrArray       *columns;        /* of names: what the column row offers */
  GArray          *from;           /* of double: what the two threshold rows offer */
  GArray          *to;
  GArray          *inputs;         /* of guint: of the rule, those that have a threshold */
  MtEditConditions *conditions;    /* of a rule that is added; NULL: it is another edit */
  gboolean         is_no_number;   /* what stands for the weight */
  MtRuleSet       *rules;          /* what comes of it; NULL: not known */
  MtEditHistory   *history;
  GCancellable    *working;        /* NULL: no work is running */
  guint            waiting;
  gboolean         filling;        /* rows change by themselves */
};

static guint applied_signal;

G_DEFINE_FINAL_TYPE (MtEditDialog, mt_edit_dialog, ADW_TYPE_WINDOW)

/* --- what comes of it --- */

static void
update_apply (MtEditDialog *self)
{
  g_autofree char *reason = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->reason))));

  gtk_widget_set_sensitive (self->apply, self->rules != NULL && *reason != '\0' &&
                            strlen (reason) <= MT_EDIT_MAX_REASON);
}

static void
show_note (MtEditDialog *self,
           const char   *text,
           gboolean      is_error)
{
  gtk_label_set_label (self->note, text);
  if (is_error)
    gtk_widget_add_css_class (GTK_WIDGET (self->note), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->note), "error");
  gtk_widget_set_opacity (GTK_WIDGET (self->note), is_error ? 1 : 0.6);
}

/* "−0.0016", "+0.0003" or "0.0000" */
static char *
dup_difference (double difference)
{
  g_autofree char *size = mt_format_fixed (fabs (difference), 4);

  return fabs (difference) < 0.00005 ? g_strdup (size) : g_strconcat (difference < 0 ? "−" : "+", size, NULL);
}

/* "0.912 → 0.910" and below it by how much, give or take. */
static void
show_outcome (MtEditDialog *self)
{
  const MtEditRecord *record = mt_edit_history_get (self->history, mt_edit_history_get_n (self->history) - 1);
  g_autofree char *literals = g_strdup_printf ("%u → %u", record->literals_before, record->literals_after);

  gtk_label_set_label (self->literals_value, literals);
  if (self->edit.kind == MT_EDIT_ADD_RULE && isnan (self->edit.to))
    {
      g_autofree char *weight = mt_format_number (record->edit.to);
      g_autofree char *said = g_strdup_printf (_("Fitted to the training rows: %s"), weight);

      adw_action_row_set_subtitle (ADW_ACTION_ROW (self->weight_row), said);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->quality), record->is_judged);
  if (record->is_judged)
    {
      g_autofree char *before = mt_format_fixed (record->before, 3);
      g_autofree char *after = mt_format_fixed (record->after, 3);
      g_autofree char *difference = dup_difference (record->after - record->before);
      g_autofree char *se = mt_format_fixed (record->difference_se, 4);
      g_autofree char *text = g_strdup_printf ("%s → %s", before, after);
      /* Translators: difference, its standard error */
      g_autofree char *subtitle = g_strdup_printf (_("difference %s ± %s across folds"), difference, se);

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->quality), record->metric == MT_METRIC_R2 ? "R²"
                                                                                                         : _("AUC"));
      adw_action_row_set_subtitle (self->quality, subtitle);
      gtk_label_set_label (self->quality_value, text);
      show_note (self, self->edit.kind == MT_EDIT_SET_WEIGHT || self->edit.kind == MT_EDIT_ADD_RULE
                       ? _("This weight is the same in every fold. The other weights are cross-validated but rules are not, so "
                           "compare these values with each other, not with the Frontier page. Test rows are not used.")
                       : _("Weights are cross-validated but rules are not, so compare these values with each "
                           "other, not with the Frontier page. Test rows are not used."), FALSE);
    }
  else
    show_note (self, mt_edit_subject_has_rows (self->subject)
                     ? _("Too few rows for cross-validation: the effect on quality is unknown.")
                     : _("The model was opened without data: the effect on quality is unknown."), FALSE);
}

typedef struct {
  MtEditSubject *subject;
  MtEdit         edit;
  char          *column;
  MtRuleSet     *rules;
  MtEditHistory *history;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  mt_edit_subject_unref (work->subject);
  g_free (work->column);
  mt_rule_set_unref (work->rules);
  mt_edit_history_unref (work->history);
  g_free (work);
}

static void
work_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Work *work = data;
  GError *error = NULL;

  /* The reason is not known yet; it comes when the edit is made. */
  work->rules = mt_edit_subject_edit (work->subject, &work->edit, "…", &work->history, cancellable, &error);
  if (work->rules != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
set_busy (MtEditDialog *self,
          gboolean      is_busy)
{
  gtk_spinner_set_spinning (self->spinner, is_busy);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), is_busy);
}

static void
on_worked (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  MtEditDialog *self = MT_EDIT_DIALOG (source);
  Work *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  if (self->working == NULL || self->working != g_task_get_cancellable (G_TASK (result)))
    return;   /* something else was chosen by now */
  g_clear_object (&self->working);
  set_busy (self, FALSE);
  if (g_task_propagate_boolean (G_TASK (result), &error))
    {
      self->rules = g_steal_pointer (&work->rules);
      self->history = g_steal_pointer (&work->history);
      show_outcome (self);
    }
  else
    {
      gtk_label_set_label (self->literals_value, "–");
      gtk_widget_set_visible (GTK_WIDGET (self->quality), FALSE);
      show_note (self, error->message, TRUE);
    }
  update_apply (self);
}

static gboolean
begin_work (gpointer data)
{
  MtEditDialog *self = data;
  Work *work = g_new0 (Work, 1);
  g_autoptr (GTask) task = NULL;

  self->waiting = 0;
  work->subject = mt_edit_subject_ref (self->subject);
  work->edit = self->edit;
  work->edit.column = work->column = g_strdup (self->edit.column);
  self->working = g_cancellable_new ();
  task = g_task_new (self, self->working, on_worked, NULL);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, work_thread);
  return G_SOURCE_REMOVE;
}

static void
forget_outcome (MtEditDialog *self)
{
  g_cancellable_cancel (self->working);
  g_clear_object (&self->working);
  g_clear_handle_id (&self->waiting, g_source_remove);
  g_clear_pointer (&self->rules, mt_rule_set_unref);
  g_clear_pointer (&self->history, mt_edit_history_unref);
}

/* Another choice: what was worked out for the one before is worth nothing. */
static void
queue_work (MtEditDialog *self)
{
  forget_outcome (self);
  if (self->is_no_number)
    {
      set_busy (self, FALSE);
      update_apply (self);
      gtk_label_set_label (self->literals_value, "–");
      gtk_widget_set_visible (GTK_WIDGET (self->quality), FALSE);
      show_note (self, _("Enter the weight as a number, such as −0.5."), *gtk_editable_get_text (self->weight) != '\0');
      return;
    }
  set_busy (self, TRUE);
  update_apply (self);
  self->waiting = g_timeout_add (WAIT, begin_work, self);
}

/* --- choosing --- */

static const MtRule *
get_rule (MtEditDialog *self)
{
  return mt_rule_set_get_term (mt_edit_subject_get_rules (self->subject), self->edit.term)->rule;
}

static void
offer (AdwComboRow *row,
       GPtrArray   *texts,
       guint        selected)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; i < texts->len; i++)
    gtk_string_list_append (list, texts->pdata[i]);
  adw_combo_row_set_model (row, G_LIST_MODEL (list));
  adw_combo_row_set_selected (row, selected);
}

static gboolean
uses_literal (const MtRuleSet *rules,
              guint            literal)
{
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtRule *rule = mt_rule_set_get_term (rules, t)->rule;

      for (guint i = 0; rule != NULL && i < mt_rule_get_n_inputs (rule); i++)
        if (mt_rule_get_inputs (rule)[i] == literal)
          return TRUE;
    }
  return FALSE;
}

/* "≥ 2780": the column stands above. */
static char *
dup_threshold (const MtEncoder *encoder,
               guint            literal)
{
  return g_strchug (mt_phrase_dup_rest (encoder, literal, FALSE, TRUE));
}

/* Thresholds that the rules ask for, and all that the column has to offer in their place. */
static void
offer_thresholds (MtEditDialog *self)
{
  const MtEncoder *encoder = mt_edit_subject_get_encoder (self->subject);
  const MtRuleSet *rules = mt_edit_subject_get_rules (self->subject);
  g_autoptr (GPtrArray) asked = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  guint first = 0, second = G_MAXUINT;

  g_array_set_size (self->from, 0);
  g_array_set_size (self->to, 0);
  for (guint l = 0; l < mt_encoder_get_n_literals (encoder); l++)
    {
      const MtLiteral *literal = mt_encoder_get_literal (encoder, l);

      if (literal->kind != MT_LITERAL_AT_LEAST ||
          g_strcmp0 (mt_encoder_get_column_name (encoder, literal->column), self->edit.column) != 0)
        continue;
      if (uses_literal (rules, l))
        {
          if (literal->threshold == self->edit.from)
            first = self->from->len;
          g_array_append_val (self->from, literal->threshold);
          g_ptr_array_add (asked, dup_threshold (encoder, l));
        }
      if (literal->threshold == self->edit.to)
        second = self->to->len;
      g_array_append_val (self->to, literal->threshold);
      g_ptr_array_add (all, dup_threshold (encoder, l));
    }
  if (self->from->len > 0)
    self->edit.from = g_array_index (self->from, double, first);
  /* Its neighbor, unless another was chosen. */
  for (guint i = 0; i < self->to->len && (second == G_MAXUINT || self->edit.to == self->edit.from); i++)
    if (g_array_index (self->to, double, i) == self->edit.from)
      {
        second = i + 1 < self->to->len ? i + 1 : i > 0 ? i - 1 : 0;
        self->edit.to = g_array_index (self->to, double, second);
      }
  offer (self->first, asked, first);
  offer (self->second, all, second == G_MAXUINT ? 0 : second);
}

/* Thresholds of the column that the chosen condition is about; the one next to it is proposed. */
static void
offer_places (MtEditDialog *self)
{
  const MtEncoder *encoder = mt_edit_subject_get_encoder (self->subject);
  const MtLiteral *asked = mt_encoder_get_literal (encoder, mt_rule_get_inputs (get_rule (self))[self->edit.part]);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  guint selected = 0;

  g_array_set_size (self->to, 0);
  for (guint l = 0; l < mt_encoder_get_n_literals (encoder); l++)
    {
      const MtLiteral *literal = mt_encoder_get_literal (encoder, l);

      if (literal->column != asked->column || literal->kind != MT_LITERAL_AT_LEAST)
        continue;
      if (literal->threshold == asked->threshold)
        selected = self->to->len + 1;
      g_array_append_val (self->to, literal->threshold);
      g_ptr_array_add (texts, dup_threshold (encoder, l));
    }
  if (selected >= self->to->len)
    selected = self->to->len > 1 ? self->to->len - 2 : 0;
  self->edit.to = g_array_index (self->to, double, selected);
  offer (self->second, texts, selected);
}

/* What is set now stands where the new one is to be entered. */
static void
fill_weight (MtEditDialog *self)
{
  double weight = mt_edit_get_weight (mt_edit_subject_get_rules (self->subject), mt_edit_subject_get_encoder (self->subject),
                                      self->edit.term, self->edit.part);
  g_autofree char *text = mt_format_number (weight);

  gtk_entry_set_placeholder_text (GTK_ENTRY (self->weight), text);
}

/* A rule that is added may leave its weight to the training rows, if there are any. */
static void
read_weight (MtEditDialog *self)
{
  const MtNumberFormat format = { mt_format_get_mark_char (), 0 };
  const char *text = gtk_editable_get_text (self->weight);
  double value = NAN;

  self->is_no_number = mt_number_parse (text, strlen (text), &format, &value) != MT_NUMBER_FINITE &&
                       mt_number_parse (text, strlen (text), &mt_number_plain, &value) != MT_NUMBER_FINITE;
  if (self->is_no_number)
    value = NAN;
  if (self->edit.kind == MT_EDIT_ADD_RULE && *text == '\0')
    self->is_no_number = !mt_edit_subject_has_rows (self->subject);
  else if (self->edit.kind == MT_EDIT_ADD_RULE)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->weight_row), NULL);
  self->edit.to = value;
}

static void
on_chosen (MtEditDialog *self)
{
  MtEdit *edit = &self->edit;
  guint first = self->first != NULL ? adw_combo_row_get_selected (self->first) : 0;

  if (self->filling)
    return;
  self->filling = TRUE;
  switch (edit->kind)
    {
    case MT_EDIT_DROP_TERM:
    case MT_EDIT_DROP_INPUT:
      edit->part = first;
      break;
    case MT_EDIT_FORBID_COLUMN:
      edit->column = self->columns->pdata[adw_combo_row_get_selected (self->column)];
      break;
    case MT_EDIT_MERGE_THRESHOLDS:
      if (edit->column != self->columns->pdata[adw_combo_row_get_selected (self->column)])
        {
          edit->column = self->columns->pdata[adw_combo_row_get_selected (self->column)];
          offer_thresholds (self);
          break;
        }
      edit->from = g_array_index (self->from, double, first);
      edit->to = g_array_index (self->to, double, adw_combo_row_get_selected (self->second));
      break;
    case MT_EDIT_ROUND_WEIGHTS:
      gtk_spin_button_set_range (self->amount, first == 0 ? 0 : 1, first == 0 ? MT_EDIT_MAX_DECIMALS
                                                                              : MT_EDIT_MAX_POINTS);
      if ((first == 1) != (edit->points > 0))
        gtk_spin_button_set_value (self->amount, first == 0 ? 2 : 10);
      edit->decimals = first == 0 ? (guint) gtk_spin_button_get_value_as_int (self->amount) : 0;
      edit->points = first == 0 ? 0 : (guint) gtk_spin_button_get_value_as_int (self->amount);
      break;
    case MT_EDIT_SET_WEIGHT:
    case MT_EDIT_ADD_RULE:
      if (self->first != NULL && edit->part != first)
        {
          edit->part = first;
          if (edit->kind == MT_EDIT_SET_WEIGHT)
            fill_weight (self);
        }
      if (self->conditions != NULL)
        mt_edit_conditions_fill (self->conditions, edit);
      read_weight (self);
      break;
    case MT_EDIT_SET_THRESHOLD:
      if (edit->part != g_array_index (self->inputs, guint, first))
        {
          edit->part = g_array_index (self->inputs, guint, first);
          offer_places (self);
          break;
        }
      edit->to = g_array_index (self->to, double, adw_combo_row_get_selected (self->second));
      break;
    case MT_EDIT_DROP_RULE:
    case MT_EDIT_REFIT:
    case MT_EDIT_SET_CUTOFF:
    case MT_N_EDITS:
    default:
      break;
    }
  self->filling = FALSE;
  queue_work (self);
}

static AdwComboRow *
add_combo (MtEditDialog *self,
           const char   *title)
{
  GtkWidget *row = adw_combo_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  g_signal_connect_swapped (row, "notify::selected", G_CALLBACK (on_chosen), self);
  adw_preferences_group_add (self->choices, row);
  return ADW_COMBO_ROW (row);
}

/* Columns that some term looks at; @thresholds: that some rule asks for a threshold of. */
static void
add_columns (MtEditDialog *self,
             gboolean      thresholds)
{
  const MtEncoder *encoder = mt_edit_subject_get_encoder (self->subject);
  const MtRuleSet *rules = mt_edit_subject_get_rules (self->subject);
  guint selected = 0;

  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    {
      gboolean used = FALSE;

      for (guint l = 0; l < mt_encoder_get_n_literals (encoder) && !used; l++)
        used = mt_encoder_get_literal (encoder, l)->column == c &&
               (!thresholds || mt_encoder_get_literal (encoder, l)->kind == MT_LITERAL_AT_LEAST) &&
               uses_literal (rules, l);
      for (guint t = 0; t < mt_rule_set_get_n_terms (rules) && !thresholds && !used; t++)
        {
          const MtTerm *term = mt_rule_set_get_term (rules, t);

          used = term->is_numeric && mt_term_get_unary (term, encoder)->column == c;
        }
      if (!used)
        continue;
      if (g_strcmp0 (mt_encoder_get_column_name (encoder, c), self->edit.column) == 0)
        selected = self->columns->len;
      g_ptr_array_add (self->columns, g_strdup (mt_encoder_get_column_name (encoder, c)));
    }
  self->column = add_combo (self, _("Column"));
  mt_wrapped_combo_row_init (self->column);
  offer (self->column, self->columns, selected);
  self->edit.column = self->columns->len > 0 ? self->columns->pdata[selected] : NULL;
}

/* As the rules on the page put it: "Chest pain is TA". */
static char *
dup_question (const MtEncoder *encoder,
              guint            literal)
{
  g_autofree char *rest = mt_phrase_dup_rest (encoder, literal, FALSE, TRUE);

  return g_strconcat (mt_encoder_get_column_name (encoder, mt_encoder_get_literal (encoder, literal)->column), rest,
                      NULL);
}

static void
add_parts (MtEditDialog *self)
{
  const MtEncoder *encoder = mt_edit_subject_get_encoder (self->subject);
  const MtRule *rule = get_rule (self);
  gboolean terms = self->edit.kind == MT_EDIT_DROP_TERM;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (MtPhrase) phrase = mt_phrase_new (rule, encoder, TRUE);

  for (guint i = 0; i < (terms ? mt_rule_get_n_cubes (rule) : mt_rule_get_n_inputs (rule)); i++)
    g_ptr_array_add (texts, terms ? mt_phrase_dup_term (phrase, i)
                                  : dup_question (encoder, mt_rule_get_inputs (rule)[i]));
  self->first = add_combo (self, terms ? C_("part of a rule", "Alternative") : C_("part of a rule", "Condition"));
  mt_wrapped_combo_row_init (self->first);
  offer (self->first, texts, MIN (self->edit.part, texts->len - 1));
}

static void
add_rounding (MtEditDialog *self)
{
  g_autoptr (GPtrArray) ways = g_ptr_array_new ();
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *spin = gtk_spin_button_new_with_range (0, MT_EDIT_MAX_DECIMALS, 1);

  g_ptr_array_add (ways, _("Decimals"));
  g_ptr_array_add (ways, _("Points"));
  self->first = add_combo (self, _("Round to"));
  offer (self->first, ways, self->edit.points > 0);
  self->amount = GTK_SPIN_BUTTON (spin);
  if (self->edit.points > 0)
    gtk_spin_button_set_range (self->amount, 1, MT_EDIT_MAX_POINTS);
  gtk_spin_button_set_value (self->amount, self->edit.points > 0 ? self->edit.points : self->edit.decimals);
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("How many"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), spin);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), spin);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, _("How many"), -1);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (on_chosen), self);
  adw_preferences_group_add (self->choices, row);
}

/* Of several classes which, and the number. */
static void
add_weight (MtEditDialog *self)
{
  const char * const *classes = mt_edit_subject_get_classes (self->subject);
  GtkWidget *row = adw_action_row_new (), *entry = gtk_entry_new ();

  if (mt_rule_set_get_n_outputs (mt_edit_subject_get_rules (self->subject)) > 1)
    {
      g_autoptr (GPtrArray) texts = g_ptr_array_new ();

      for (guint c = 0; classes[c] != NULL; c++)
        g_ptr_array_add (texts, (gpointer) classes[c]);
      self->first = add_combo (self, _("Class"));
      mt_wrapped_combo_row_init (self->first);
      offer (self->first, texts, self->edit.part);
    }
  self->weight = GTK_EDITABLE (entry);
  self->weight_row = ADW_PREFERENCES_ROW (row);
  gtk_widget_set_name (entry, "weight");
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  gtk_editable_set_width_chars (self->weight, 12);
  gtk_editable_set_max_width_chars (self->weight, 12);
  gtk_editable_set_alignment (self->weight, 1);
  adw_preferences_row_set_title (self->weight_row, _("Weight"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), entry);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), entry);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Weight"), -1);
  adw_preferences_group_add (self->choices, row);
  if (self->edit.kind == MT_EDIT_SET_WEIGHT)
    fill_weight (self);
  else if (mt_edit_subject_has_rows (self->subject))
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _("fitted"));
  read_weight (self);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (on_chosen), self);
}

/* The conditions of the rule that have a threshold, and where it can be. */
static void
add_places (MtEditDialog *self)
{
  const MtEncoder *encoder = mt_edit_subject_get_encoder (self->subject);
  const MtRule *rule = get_rule (self);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    if (mt_encoder_get_literal (encoder, mt_rule_get_inputs (rule)[i])->kind == MT_LITERAL_AT_LEAST)
      {
        g_array_append_val (self->inputs, i);
        g_ptr_array_add (texts, dup_question (encoder, mt_rule_get_inputs (rule)[i]));
      }
  if (self->inputs->len == 0)
    return;      /* the edit itself says that the rule has no threshold */
  self->edit.part = g_array_index (self->inputs, guint, 0);
  self->first = add_combo (self, C_("part of a rule", "Condition"));
  mt_wrapped_combo_row_init (self->first);
  offer (self->first, texts, 0);
  self->second = add_combo (self, _("New Threshold"));
  offer_places (self);
}

static void
add_choices (MtEditDialog *self)
{
  self->filling = TRUE;
  switch (self->edit.kind)
    {
    case MT_EDIT_DROP_TERM:
    case MT_EDIT_DROP_INPUT:
      add_parts (self);
      break;
    case MT_EDIT_MERGE_THRESHOLDS:
      add_columns (self, TRUE);
      self->first = add_combo (self, _("Replace"));
      self->second = add_combo (self, _("With"));
      offer_thresholds (self);
      break;
    case MT_EDIT_FORBID_COLUMN:
      add_columns (self, FALSE);
      break;
    case MT_EDIT_ROUND_WEIGHTS:
      add_rounding (self);
      break;
    case MT_EDIT_SET_WEIGHT:
      add_weight (self);
      break;
    case MT_EDIT_SET_THRESHOLD:
      add_places (self);
      break;
    case MT_EDIT_ADD_RULE:
      self->conditions = mt_edit_conditions_new (self->choices, mt_edit_subject_get_encoder (self->subject), self->edit.column,
                                                 (void (*) (gpointer)) on_chosen, self);
      mt_edit_conditions_fill (self->conditions, &self->edit);
      add_weight (self);
      break;
    case MT_EDIT_DROP_RULE:
    case MT_EDIT_REFIT:
    case MT_EDIT_SET_CUTOFF:
    case MT_N_EDITS:
    default:
      break;
    }
  self->filling = FALSE;
}

/* --- the form --- */

static GtkWidget *
make_value (AdwActionRow *row)
{
  GtkWidget *label = gtk_label_new ("…");

  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_set_margin_start (label, 6);
  adw_action_row_add_suffix (row, label);
  return label;
}

static GtkWidget *
make_what (MtEditDialog *self)
{
  GtkWidget *group = adw_preferences_group_new ();

  self->choices = ADW_PREFERENCES_GROUP (group);
  adw_preferences_group_set_description (self->choices, mt_edit_kind_get_meaning (self->edit.kind));
  if (mt_edit_kind_is_of_term (self->edit.kind))
    {
      GtkWidget *row = adw_action_row_new ();
      const MtTerm *term = mt_rule_set_get_term (mt_edit_subject_get_rules (self->subject), self->edit.term);
      const MtEncoder *encoder = mt_edit_subject_get_encoder (self->subject);
      g_autoptr (MtPhrase) phrase = term->is_numeric ? NULL : mt_phrase_new (term->rule, encoder, TRUE);
      g_autofree char *text = phrase != NULL ? mt_phrase_dup_markup (phrase, mt_theme_get_name_color ())
                                             : mt_term_dup_text (term, encoder);

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), phrase != NULL);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), text);
      adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
      adw_preferences_group_add (self->choices, row);
    }
  add_choices (self);
  return group;
}

static GtkWidget *
make_outcome (MtEditDialog *self)
{
  GtkWidget *group = adw_preferences_group_new ();

  self->literals = ADW_ACTION_ROW (adw_action_row_new ());
  self->quality = ADW_ACTION_ROW (adw_action_row_new ());
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Before and After"));
  adw_preferences_group_set_header_suffix (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->spinner));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->literals), _("Literals"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->quality), _("Quality"));
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->quality), FALSE);
  self->literals_value = GTK_LABEL (make_value (self->literals));
  self->quality_value = GTK_LABEL (make_value (self->quality));
  gtk_widget_set_name (GTK_WIDGET (self->literals_value), "literals");
  gtk_widget_set_name (GTK_WIDGET (self->quality_value), "quality");
  gtk_widget_set_visible (GTK_WIDGET (self->quality), mt_edit_subject_has_rows (self->subject));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->literals));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->quality));
  return group;
}

static GtkWidget *
make_note (MtEditDialog *self)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *label = gtk_label_new (NULL);

  self->note = GTK_LABEL (label);
  gtk_widget_set_name (label, "note");
  gtk_label_set_wrap (self->note, TRUE);
  gtk_label_set_xalign (self->note, 0);
  gtk_widget_add_css_class (label, "caption");
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), label);
  return group;
}

static void
on_apply (MtEditDialog *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *by = NULL;
  MtEditHistory *history;

  if (!gtk_widget_get_sensitive (self->apply))
    return;
  by = mt_preferences_dup_person ();
  history = mt_edit_history_sign (self->history, gtk_editable_get_text (GTK_EDITABLE (self->reason)), by,
                                  g_get_real_time () / G_USEC_PER_SEC, &error);
  if (history == NULL)
    {
      show_note (self, error->message, TRUE);
      return;
    }
  mt_edit_history_unref (self->history);
  self->history = history;
  g_signal_emit (self, applied_signal, 0);
  gtk_window_close (GTK_WINDOW (self));
}

static GtkWidget *
make_reason (MtEditDialog *self)
{
  GtkWidget *group = adw_preferences_group_new ();

  self->reason = ADW_ENTRY_ROW (adw_entry_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->reason), _("Reason (required)"));
  g_signal_connect_swapped (self->reason, "changed", G_CALLBACK (update_apply), self);
  g_signal_connect_swapped (self->reason, "entry-activated", G_CALLBACK (on_apply), self);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Reason"));
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group),
                                         _("Saved with the model and shown in the report."));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->reason));
  return group;
}

static GtkWidget *
make_header (MtEditDialog *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_("_Cancel"));

  self->apply = gtk_button_new_with_mnemonic (_("_Apply"));
  gtk_widget_set_name (self->apply, "apply");
  gtk_widget_add_css_class (self->apply, "suggested-action");
  gtk_widget_set_sensitive (self->apply, FALSE);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_close), self);
  g_signal_connect_swapped (self->apply, "clicked", G_CALLBACK (on_apply), self);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->apply);
  return header;
}

/* --- object --- */

static void
mt_edit_dialog_dispose (GObject *object)
{
  forget_outcome (MT_EDIT_DIALOG (object));
  g_clear_pointer (&MT_EDIT_DIALOG (object)->conditions, mt_edit_conditions_free);
  G_OBJECT_CLASS (mt_edit_dialog_parent_class)->dispose (object);
}

static void
mt_edit_dialog_finalize (GObject *object)
{
  MtEditDialog *self = MT_EDIT_DIALOG (object);

  g_clear_pointer (&self->subject, mt_edit_subject_unref);
  g_ptr_array_unref (self->columns);
  g_array_unref (self->from);
  g_array_unref (self->to);
  g_array_unref (self->inputs);
  G_OBJECT_CLASS (mt_edit_dialog_parent_class)->finalize (object);
}

static void
mt_edit_dialog_class_init (MtEditDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_edit_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_edit_dialog_finalize;
  applied_signal = g_signal_new ("applied", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
mt_edit_dialog_init (MtEditDialog *self)
{
  self->columns = g_ptr_array_new_with_free_func (g_free);
  self->from = g_array_new (FALSE, FALSE, sizeof (double));
  self->to = g_array_new (FALSE, FALSE, sizeof (double));
  self->inputs = g_array_new (FALSE, FALSE, sizeof (guint));
}

static const char *
get_title (MtEditSubject *subject,
           const MtEdit  *edit)
{
  if (edit->kind == MT_EDIT_DROP_RULE && mt_rule_set_get_term (mt_edit_subject_get_rules (subject), edit->term)->is_numeric)
    return _("Remove a Linear Term");
  return mt_edit_kind_get_title (edit->kind);
}

MtEditDialog *
mt_edit_dialog_new (GtkWindow     *parent,
                    MtEditSubject *subject,
                    const MtEdit  *edit)
{
  int room = gtk_widget_get_width (GTK_WIDGET (parent));   /* 0: not on the screen */
  MtEditDialog *self = g_object_new (MT_TYPE_EDIT_DIALOG, "transient-for", parent, "modal", TRUE,
                                     "title", get_title (subject, edit),
                                     "default-width", room > 0 ? MIN (room, WIDTH) : WIDTH,
                                     "default-height", 680, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();

  self->subject = mt_edit_subject_ref (subject);
  self->edit = *edit;
  gtk_box_append (GTK_BOX (box), make_header (self));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (make_what (self)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (make_outcome (self)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (make_note (self)));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (make_reason (self)));
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (box), page);
  adw_window_set_content (ADW_WINDOW (self), box);
  queue_work (self);
  return self;
}

gboolean
mt_edit_dialog_is_busy (MtEditDialog *self)
{
  g_return_val_if_fail (MT_IS_EDIT_DIALOG (self), FALSE);
  return self->working != NULL || self->waiting != 0;
}

const MtEdit *
mt_edit_dialog_get_edit (MtEditDialog *self)
{
  g_return_val_if_fail (MT_IS_EDIT_DIALOG (self), NULL);
  return &self->edit;
}

MtRuleSet *
mt_edit_dialog_get_rules (MtEditDialog *self)
{
  g_return_val_if_fail (MT_IS_EDIT_DIALOG (self), NULL);
  return self->rules;
}

MtEditHistory *
mt_edit_dialog_get_history (MtEditDialog *self)
{
  g_return_val_if_fail (MT_IS_EDIT_DIALOG (self), NULL);
  return self->history;
}
