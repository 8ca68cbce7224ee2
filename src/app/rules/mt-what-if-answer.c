/* The answer of the What-If view: the prediction in words, and what each term adds, as a waterfall and as a
 * table for screen readers. See mt-what-if-answer.h. */
#include "config.h"
#include "mt-what-if-answer.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-button-names.h"
#include "util/mt-format.h"
#include "widgets/mt-label-line.h"
#include "mt-term-item.h"
#include "mt-waterfall-view.h"

#define MOST_IDLE 3     /* terms that do not apply and have a line of their own; more share one */

struct _MtWhatIfAnswer {
  AdwBin           parent_instance;

  GtkLabel        *answer;
  GtkLabel        *meaning;
  GtkLabel        *decision;
  GtkLabel        *shares;
  GtkLabel        *fired;
  GtkWidget       *class_box;
  GtkDropDown     *classes;
  MtWaterfallView *waterfall;
  GtkLabel        *dashed;      /* what the line in it is */
  GtkGrid         *table;       /* the waterfall's twin */

  MtRuleBook      *book;
  MtWhatIf        *result;
  double           reference;
  guint            n_steps;
  GArray          *terms;       /* of int: those of the waterfall's lines, or NO_TERM */
  gboolean         filling;
};

#define NO_TERM (MT_TERM_INTERCEPT - 1)     /* a line that stands for many */

static guint term_signal;

G_DEFINE_FINAL_TYPE (MtWhatIfAnswer, mt_what_if_answer, ADW_TYPE_BIN)

/* On which side of the decision it is must not be lost in rounding. */
static char *
describe_chance (double chance,
                 double cutoff)
{
  g_autofree char *limit = NULL;

  if (fabs (chance - cutoff) >= 0.0005 || chance == cutoff)
    return mt_format_rate (chance);
  if (cutoff == MT_CUTOFF)
    return g_strdup (chance > cutoff ? _("just over 50%") : _("just under 50%"));
  limit = mt_format_rate (cutoff);
  return chance > cutoff ? g_strdup_printf (_("just over %s"), limit) : g_strdup_printf (_("just under %s"), limit);
}

char *
mt_what_if_describe (MtRuleBook     *book,
                     const MtWhatIf *result)
{
  switch (mt_rule_book_get_task (book))
    {
    case MT_TASK_BINARY:
      return describe_chance (result->predictions[0], mt_rule_set_get_cutoff (mt_rule_book_get_rules (book)));
    case MT_TASK_MULTICLASS:
      return mt_format_rate (result->predictions[result->decided]);
    case MT_TASK_REGRESSION:
    default:
      return mt_format_target (book, result->predictions[0]);
    }
}

/* --- the waterfall and its table --- */

/* The output that is taken apart. */
static guint
output_of (MtWhatIfAnswer *self)
{
  guint chosen = gtk_drop_down_get_selected (self->classes);

  if (self->result->n_outputs == 1)
    return 0;
  return chosen > 0 && chosen <= self->result->n_outputs ? chosen - 1 : self->result->decided;
}

typedef struct {
  GArray    *steps;       /* of MtWaterfallStep */
  GPtrArray *names;
  GPtrArray *amounts;
  GArray    *terms;       /* of int, one a step */
} Lines;

static void
lines_init (Lines *lines)
{
  lines->steps = g_array_new (FALSE, FALSE, sizeof (MtWaterfallStep));
  lines->names = g_ptr_array_new_with_free_func (g_free);
  lines->amounts = g_ptr_array_new_with_free_func (g_free);
  lines->terms = g_array_new (FALSE, FALSE, sizeof (int));
}

static void
lines_clear (Lines *lines)
{
  g_array_unref (lines->steps);
  g_ptr_array_unref (lines->names);
  g_ptr_array_unref (lines->amounts);
  g_array_unref (lines->terms);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lines, lines_clear)

static void
lines_add (Lines      *lines,
           int         term,
           char       *name,       /* taken */
           double      amount,
           const char *idle)       /* said instead of the amount; NULL: it applies */
{
  MtWaterfallStep step = { amount, idle == NULL };

  g_array_append_val (lines->steps, step);
  g_array_append_val (lines->terms, term);
  g_ptr_array_add (lines->names, name);
  g_ptr_array_add (lines->amounts, idle == NULL ? mt_format_weight (amount) : g_strdup (idle));
}

static void
lines_end (Lines  *lines,
           double  score)
{
  g_ptr_array_add (lines->names, g_strdup (_("Score")));
  g_ptr_array_add (lines->amounts, mt_format_weight (score));
  g_ptr_array_add (lines->names, NULL);
  g_ptr_array_add (lines->amounts, NULL);
}

/* A rule of one literal is quicker to read than its number; a numeric column by its name. */
static char *
dup_name (MtWhatIfAnswer *self,
          int             term)
{
  g_autoptr (MtTermItem) item = mt_term_item_new (self->book, term);

  return term >= 0 && mt_term_item_is_rule (item) && mt_term_item_get_n_literals (item) == 1
         ? mt_term_item_dup_text (item) : mt_term_item_dup_title (item);
}

/* @fold: many terms that do not apply share a line at the end. */
static void
collect_lines (MtWhatIfAnswer *self,
               gboolean        fold,
               Lines          *lines)
{
  const MtWhatIf *result = self->result;
  guint output = output_of (self), n_idle = 0;

  for (guint t = 0; t < result->n_terms; t++)
    n_idle += !result->applies[t];
  fold = fold && n_idle > MOST_IDLE;
  lines_add (lines, MT_TERM_INTERCEPT, dup_name (self, MT_TERM_INTERCEPT),
             mt_rule_set_get_bias (mt_rule_book_get_rules (self->book))[output], NULL);
  for (guint t = 0; t < result->n_terms; t++)
    if (result->applies[t] || !fold)
      lines_add (lines, (int) t, dup_name (self, (int) t), result->contributions[t * result->n_outputs + output],
                 result->applies[t] ? NULL : _("does not apply"));
  if (fold)
    /* Translators: a line for this number of rules, always several; "do not apply" is next to it */
    lines_add (lines, NO_TERM, g_strdup_printf (ngettext ("%u other rule", "%u other rules", n_idle), n_idle), 0,
               _("do not apply"));
  lines_end (lines, result->scores[output]);
}

/* A term leads to its row in the list. */
static gboolean
on_link (MtWhatIfAnswer *self,
         const char     *uri)
{
  g_signal_emit (self, term_signal, 0, (int) g_ascii_strtoll (uri, NULL, 10));
  return TRUE;
}

static GtkWidget *
make_name (MtWhatIfAnswer *self,
           const char     *name,
           int             term)
{
  GtkWidget *label = gtk_label_new (name);

  if (term >= 0)
    {
      g_autofree char *markup = g_markup_printf_escaped ("<a href=\"%d\">%s</a>", term, name);

      gtk_label_set_markup (GTK_LABEL (label), markup);
      g_signal_connect_swapped (label, "activate-link", G_CALLBACK (on_link), self);
    }
  return label;
}

static void
show_table (MtWhatIfAnswer *self)
{
  g_auto (Lines) lines = { NULL, NULL, NULL, NULL };
  GtkWidget *child;

  lines_init (&lines);
  collect_lines (self, FALSE, &lines);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->table))) != NULL)
    gtk_grid_remove (self->table, child);
  for (guint i = 0; i + 1 < lines.names->len; i++)
    for (guint k = 0; k < 2; k++)
      {
        GtkWidget *label = k == 0 ? make_name (self, g_ptr_array_index (lines.names, i),
                                               i < lines.terms->len ? g_array_index (lines.terms, int, i) : NO_TERM)
                                  : gtk_label_new (g_ptr_array_index (lines.amounts, i));

        gtk_label_set_xalign (GTK_LABEL (label), k);
        gtk_label_set_wrap (GTK_LABEL (label), k == 0);
        gtk_label_set_selectable (GTK_LABEL (label), TRUE);
        gtk_widget_set_hexpand (label, k == 0);
        gtk_grid_attach (self->table, label, (int) k, (int) i, 1, 1);
      }
}

/* What each term is in words, for the pointer. */
static void
show_links (MtWhatIfAnswer *self)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->terms->len; i++)
    {
      g_autoptr (MtTermItem) item = mt_term_item_new (self->book, MAX (g_array_index (self->terms, int, i),
                                                                      MT_TERM_INTERCEPT));

      g_ptr_array_add (links, g_array_index (self->terms, int, i) >= 0 ? mt_term_item_dup_text (item) : NULL);
    }
  mt_waterfall_view_set_links (self->waterfall, (const char * const *) links->pdata);
}

static void
on_step (MtWhatIfAnswer *self,
         guint           step)
{
  if (step < self->terms->len)
    g_signal_emit (self, term_signal, 0, g_array_index (self->terms, int, step));
}

static void
show_steps (MtWhatIfAnswer *self)
{
  g_auto (Lines) lines = { NULL, NULL, NULL, NULL };

  lines_init (&lines);
  collect_lines (self, TRUE, &lines);
  self->n_steps = lines.steps->len;
  mt_waterfall_view_set (self->waterfall, (const MtWaterfallStep *) (gpointer) lines.steps->data, lines.steps->len,
                         self->reference, mt_rule_book_get_task (self->book) == MT_TASK_BINARY,
                         (const char * const *) lines.names->pdata,
                         (const char * const *) lines.amounts->pdata);
  g_array_set_size (self->terms, 0);
  g_array_append_vals (self->terms, lines.terms->data, lines.terms->len);
  show_links (self);
  show_table (self);
  gtk_label_set_label (self->dashed, mt_rule_book_get_task (self->book) == MT_TASK_REGRESSION
                                       ? _("Dashed line: the limit that the changes below cross")
                                     : mt_rule_book_get_task (self->book) == MT_TASK_BINARY
                                       ? _("Dashed line: decision boundary") : _("Dashed line: a score of 0"));
}

static void
on_class (MtWhatIfAnswer *self)
{
  if (!self->filling && self->result != NULL)
    show_steps (self);
}

/* --- in words --- */

static void
show_fired (MtWhatIfAnswer *self)
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
  gtk_widget_set_visible (GTK_WIDGET (self->fired), n_rules > 0);
}

static void
show_shares (MtWhatIfAnswer *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint c = 0; self->result->n_outputs > 1 && c < self->result->n_outputs; c++)
    {
      g_autofree char *share = mt_format_rate (self->result->predictions[c]);
      g_autofree char *chip = g_markup_printf_escaped (c == self->result->decided ? "<b>%s\u00a0%s</b>" : "%s\u00a0%s",
                                                       mt_rule_book_get_classes (self->book)[c], share);

      g_string_append_printf (text, "%s%s", c > 0 ? " · " : "", chip);
    }
  g_string_replace (text, " %", "\u00a0%", 0);     /* a number does not leave its sign behind */
  gtk_label_set_markup (self->shares, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->shares), text->len > 0);
}

static void
show_words (MtWhatIfAnswer *self)
{
  MtTask task = mt_rule_book_get_task (self->book);
  g_autofree char *answer = mt_what_if_describe (self->book, self->result);
  g_autofree char *meaning = NULL;
  g_autofree char *decision = NULL;

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
}

/* --- what others tell --- */

void
mt_what_if_answer_take (MtWhatIfAnswer *self,
                        MtWhatIf       *result,
                        double          reference,
                        const GError   *error)
{
  g_return_if_fail (MT_IS_WHAT_IF_ANSWER (self) && self->book != NULL);

  g_clear_pointer (&self->result, mt_what_if_free);
  self->result = result;
  /* Of two classes the score is the logarithm of the odds. */
  if (mt_rule_book_get_task (self->book) == MT_TASK_BINARY)
    {
      double cutoff = mt_rule_set_get_cutoff (mt_rule_book_get_rules (self->book));

      reference = cutoff == MT_CUTOFF ? 0 : log (cutoff / (1 - cutoff));
    }
  self->reference = reference;
  if (result == NULL)
    {
      gtk_label_set_label (self->answer, "");
      gtk_label_set_label (self->meaning, error != NULL ? error->message : "");
      gtk_label_set_label (self->decision, "");
      return;
    }
  show_words (self);
  show_shares (self);
  show_fired (self);
  show_steps (self);
}

void
mt_what_if_answer_set_book (MtWhatIfAnswer *self,
                            MtRuleBook     *book)
{
  guint n_classes = book != NULL ? mt_rule_book_get_n_classes (book) : 0;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  g_return_if_fail (MT_IS_WHAT_IF_ANSWER (self));

  g_clear_pointer (&self->result, mt_what_if_free);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  self->book = book != NULL ? mt_rule_book_ref (book) : NULL;
  self->filling = TRUE;
  gtk_string_list_append (names, _("Predicted class"));
  for (guint c = 0; c < n_classes; c++)
    gtk_string_list_append (names, mt_rule_book_get_classes (book)[c]);
  gtk_drop_down_set_model (self->classes, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->classes, 0);
  gtk_widget_set_visible (self->class_box, n_classes > 2);
  self->filling = FALSE;
}

const MtWhatIf *
mt_what_if_answer_get_result (MtWhatIfAnswer *self)
{
  return self->result;
}

void
mt_what_if_answer_set_class (MtWhatIfAnswer *self,
                             int             class)
{
  gtk_drop_down_set_selected (self->classes, (guint) (class + 1));
}

guint
mt_what_if_answer_get_n_steps (MtWhatIfAnswer *self)
{
  return self->n_steps;
}

/* --- object --- */

static void
mt_what_if_answer_dispose (GObject *object)
{
  MtWhatIfAnswer *self = MT_WHAT_IF_ANSWER (object);

  g_clear_pointer (&self->result, mt_what_if_free);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  G_OBJECT_CLASS (mt_what_if_answer_parent_class)->dispose (object);
}

static void
mt_what_if_answer_finalize (GObject *object)
{
  g_array_unref (MT_WHAT_IF_ANSWER (object)->terms);
  G_OBJECT_CLASS (mt_what_if_answer_parent_class)->finalize (object);
}

static void
mt_what_if_answer_class_init (MtWhatIfAnswerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_what_if_answer_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_what_if_answer_finalize;
  term_signal = g_signal_new ("term-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                              G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
add_classes (MtWhatIfAnswer *self,
             GtkBox         *card)
{
  GtkBox *line = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9));
  GtkLabel *label = mt_label_line_add (line, NULL, "dim-label");

  gtk_label_set_label (label, _("Contributions to the score of"));
  gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (label, FALSE);
  self->classes = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  gtk_widget_set_name (GTK_WIDGET (self->classes), "class");
  gtk_widget_add_css_class (GTK_WIDGET (self->classes), "columnfilter");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->classes), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Class whose score is shown"), -1);
  g_signal_connect_object (self->classes, "notify::selected", G_CALLBACK (on_class), self, G_CONNECT_SWAPPED);
  gtk_box_append (line, GTK_WIDGET (self->classes));
  self->class_box = GTK_WIDGET (line);
  gtk_box_append (card, self->class_box);
}

static void
mt_what_if_answer_init (MtWhatIfAnswer *self)
{
  GtkBox *card = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 9));
  GtkBox *line = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12));
  GtkWidget *twin = gtk_expander_new_with_mnemonic (_("As a _Table"));

  mt_button_names_tell (twin, _("As a _Table"));
  gtk_widget_add_css_class (GTK_WIDGET (card), "card");
  gtk_widget_add_css_class (GTK_WIDGET (card), "rulebody");
  self->answer = mt_label_line_add (line, NULL, "title-1");
  gtk_label_set_wrap (self->answer, FALSE);
  self->meaning = mt_label_line_add (line, NULL, NULL);
  gtk_widget_set_hexpand (GTK_WIDGET (self->meaning), TRUE);
  self->decision = mt_label_line_add (line, NULL, "heading");
  gtk_box_append (card, GTK_WIDGET (line));
  self->shares = mt_label_line_add (card, NULL, NULL);
  self->fired = mt_label_line_add (card, NULL, "dim-label");
  add_classes (self, card);
  self->terms = g_array_new (FALSE, FALSE, sizeof (int));
  self->waterfall = g_object_new (MT_TYPE_WATERFALL_VIEW, NULL);
  g_signal_connect_swapped (self->waterfall, "activated", G_CALLBACK (on_step), self);
  gtk_box_append (card, GTK_WIDGET (self->waterfall));
  self->dashed = mt_label_line_add (card, NULL, "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->dashed), "dim-label");
  self->table = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_column_spacing (self->table, 12);
  gtk_grid_set_row_spacing (self->table, 3);
  gtk_expander_set_child (GTK_EXPANDER (twin), GTK_WIDGET (self->table));
  gtk_box_append (card, twin);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (card));
}
