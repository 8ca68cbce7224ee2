/* The terms of the model, each whole: what it asks, what it adds, its diagram and its truth table. Inputs that a rule
 * uses only negated are shown negated, as in the window. Where the training rows are known they are counted. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "logic/mt-diagram.h"
#include "draw/mt-draw-diagram.h"
#include "explain/mt-rule-phrase.h"
#include "rules/mt-rule-text.h"
#include "explain/mt-rule-view.h"

#define DIAGRAM_SIZE 12.0      /* points */
#define MAX_ACROSS   5         /* classes that have columns of their own */
#define MAX_HEADS    4         /* inputs whose questions head the columns of a truth table … */
#define MAX_HEAD     30        /* … if they are no longer than this … */
#define MAX_WORD     16        /* … and none of their words than this */

/* --- the rows learned from --- */

static const MtReportPart *
find_training (const MtReportRows *rows)
{
  if (rows->truth == NULL)
    return NULL;
  if (rows->origin == MT_REPORT_ROWS_SPLIT)
    return &rows->parts[1];
  return rows->origin == MT_REPORT_ROWS_SPARED || rows->origin == MT_REPORT_ROWS_TRAINING ? &rows->parts[0] : NULL;
}

static MtDontCareMode
get_mode (const MtModelInfo *info)
{
  if (g_strcmp0 (info->dont_care, "off") == 0)
    return MT_DONT_CARE_MODE_OFF;
  return g_strcmp0 (info->dont_care, "impossible") == 0 ? MT_DONT_CARE_MODE_IMPOSSIBLE : MT_DONT_CARE_MODE_UNSEEN;
}

MtRuleBook *
mt_report_make_book (const MtReportParts  *parts,
                     const MtReportRows   *rows,
                     GError              **error)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  const MtReportPart *training = find_training (rows);
  MtRuleBookParts book = { .encoder = (MtEncoder *) mt_model_get_encoder (parts->model),
                           .rules = (MtRuleSet *) mt_model_get_rules (parts->model),
                           .target = info->target, .classes = info->classes, .dont_care = get_mode (info) };
  gsize n = training != NULL ? training->part.scored.n_rows : 0;
  g_autofree guint32 *numbers = NULL;
  g_autoptr (MtEncoded) encoded = NULL;
  double *values;

  if (training == NULL)
    return mt_rule_book_new (&book, NULL, NULL);
  numbers = g_new (guint32, n + 1);
  for (gsize i = 0; i < n; i++)
    numbers[i] = mt_report_rows_get_row (rows, training, i);
  encoded = mt_encoder_apply (book.encoder, mt_import_get_table (parts->data), numbers, n, NULL, error);
  if (encoded == NULL)
    return NULL;
  values = g_new (double, n + 1);
  for (gsize i = 0; i < n; i++)
    values[i] = info->classes != NULL ? training->part.scored.classes[i] : training->part.scored.values[i];
  book.encoded = encoded;
  book.values = values;
  return mt_rule_book_new (&book, values, g_free);
}

/* --- a rule's diagram --- */

typedef struct {
  MtDiagramLabel  *labels;       /* by node; owned texts */
  guint            n_labels;
  MtDiagramLayout *layout;
  double           weight;
} Figure;

static void
figure_free (gpointer data)
{
  Figure *figure = data;

  for (guint i = 0; i < figure->n_labels; i++)
    {
      g_free ((char *) figure->labels[i].name);
      g_free ((char *) figure->labels[i].rest);
    }
  g_free (figure->labels);
  mt_diagram_layout_free (figure->layout);
  g_free (figure);
}

static PangoFontDescription *
make_font (void)
{
  PangoFontDescription *font = pango_font_description_from_string (MT_REPORT_FONT);

  pango_font_description_set_absolute_size (font, DIAGRAM_SIZE * PANGO_SCALE);
  return font;
}

static void
paint_diagram (cairo_t         *cr,
               PangoContext    *context,
               const MtPalette *palette,
               gpointer         data)
{
  const Figure *figure = data;
  PangoFontDescription *font = make_font ();

  mt_draw_diagram (cr, figure->layout, figure->labels, figure->weight, NULL, 0, context, font, palette);
  pango_font_description_free (font);
}

/* For people: two digits behind the point, or as many as a small one needs, and its sign. */
char *
mt_report_dup_signed (double weight)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, fabs (weight) < 0.095 || fabs (weight) >= 1e6 ? "%.2g" : "%.2f", fabs (weight));
  return g_strdup_printf ("%s%s", weight < 0 ? "−" : "+", text);
}

static void
add_diagram (MtReport         *report,
             const MtRuleView *view,
             const MtTerm     *term,
             guint             number)
{
  const MtRuleBook *book = mt_rule_view_get_book (view);
  const MtEncoder *encoder = mt_rule_book_get_encoder (book);
  const MtDiagram *diagram = mt_rule_view_get_diagram (view);
  const MtDiagramNode *nodes = mt_diagram_get_nodes (diagram);
  gboolean is_alone = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book)) == 1;
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = make_font ();
  Figure *figure = g_new0 (Figure, 1);
  g_autofree double *widths = NULL;
  g_autofree char *about = g_strdup_printf ("Rule %u as a decision diagram.", number);

  figure->n_labels = mt_diagram_get_n_nodes (diagram);
  figure->labels = g_new0 (MtDiagramLabel, figure->n_labels);
  figure->weight = is_alone ? term->weights[0] : 0;
  figure->labels[MT_DIAGRAM_FALSE].rest = g_strdup ("0");
  figure->labels[MT_DIAGRAM_TRUE].rest = is_alone ? mt_report_dup_signed (term->weights[0]) : g_strdup ("1");
  for (guint i = MT_DIAGRAM_FIRST_INNER; i < figure->n_labels; i++)
    {
      guint literal = mt_rule_get_inputs (term->rule)[nodes[i].input];

      figure->labels[i].name = mt_encoder_dup_column_text (encoder, mt_encoder_get_literal (encoder, literal)->column);
      figure->labels[i].rest = mt_phrase_dup_rest (encoder, literal, (mt_rule_view_get_flips (view) >> nodes[i].input) & 1,
                                                   TRUE);
    }
  pango_context_set_round_glyph_positions (context, FALSE);
  widths = g_new (double, figure->n_labels);
  mt_draw_diagram_measure (figure->labels, figure->n_labels, context, font, widths);
  figure->layout = mt_diagram_layout_new (diagram, widths);
  mt_report_add_figure (report, about, figure->layout->width, figure->layout->height, paint_diagram, figure, figure_free);
  mt_report_get_last (report)->beside = TRUE;
  pango_font_description_free (font);
  g_object_unref (context);
}

/* --- a rule's truth table --- */

static char *
dup_question (const MtRuleView *view,
              guint             input)
{
  return mt_encoder_dup_literal_text (mt_rule_book_get_encoder (mt_rule_view_get_book (view)),
                                      mt_rule_get_inputs (mt_rule_view_get_rule (view))[input],
                                      (mt_rule_view_get_flips (view) >> input) & 1);
}

/* Whether the questions are short enough to head the columns. */
static gboolean
has_short_questions (const MtRuleView *view)
{
  guint n = mt_rule_view_get_n_inputs (view);

  for (guint i = 0; i < n && n <= MAX_HEADS; i++)
    {
      g_autofree char *text = dup_question (view, i);
      g_auto (GStrv) words = g_strsplit (text, " ", -1);

      if (g_utf8_strlen (text, -1) > MAX_HEAD)
        return FALSE;
      for (guint w = 0; words[w] != NULL; w++)
        if (g_utf8_strlen (words[w], -1) > MAX_WORD)
          return FALSE;
    }
  return n <= MAX_HEADS;
}

/* Which letter stands for which question. */
static void
add_key (MtReport         *report,
         const MtRuleView *view)
{
  MtReportBlock *table = mt_report_add_table (report, "Input", "Question", NULL);

  for (guint i = 0; i < mt_rule_view_get_n_inputs (view); i++)
    {
      mt_report_take_cell (table, g_strdup_printf ("%c", 'A' + (int) i));
      mt_report_take_cell (table, dup_question (view, i));
    }
}

static const char *
find_mark (const MtRuleView *view,
           guint32           assignment)
{
  guint marks = mt_rule_view_get_marks (view, assignment);

  return marks & MT_ROW_IMPOSSIBLE ? "impossible" : marks & MT_ROW_UNSEEN ? "unseen" : marks & MT_ROW_NEUTRAL ? "neutral" : "–";
}

/* What the rows of an assignment are like: their share of the second class, their commonest class, their mean. */
static void
add_rows_head (MtReportBlock    *table,
               const MtRuleBook *book)
{
  const char * const *classes = mt_rule_book_get_classes (book);
  g_autofree char *share = classes == NULL ? g_strdup_printf ("Mean of %s", mt_rule_book_get_target (book))
                           : mt_rule_book_get_n_classes (book) == 2 ? g_strdup_printf ("Share of “%s”", classes[1])
                                                                    : g_strdup ("Most frequent class");

  mt_report_add_head (table, "Rows");
  mt_report_add_head (table, share);
}

static void
add_rows_cells (MtReportBlock    *table,
                const MtRuleBook *book,
                gsize             n_rows,
                const gsize      *hits,
                double            mean)
{
  const char * const *classes = mt_rule_book_get_classes (book);
  guint n_classes = mt_rule_book_get_n_classes (book), most = n_classes == 2 ? 1 : 0;
  g_autofree char *share = NULL;

  mt_report_take_cell (table, g_strdup_printf ("%" G_GSIZE_FORMAT, n_rows));
  for (guint c = 1; c < n_classes && n_classes > 2; c++)
    if (hits[c] > hits[most])
      most = c;
  if (n_rows == 0)
    mt_report_add_cell (table, "–");
  else if (classes == NULL)
    mt_report_take_cell (table, mt_report_dup_measure (mean));
  else
    {
      share = mt_report_dup_percent ((double) hits[most] / (double) n_rows);
      mt_report_take_cell (table, n_classes == 2 ? g_strdup (share) : g_strdup_printf ("%s %s", classes[most], share));
    }
}

/* In the order of counting, the first input the slowest. */
static guint32
get_assignment (guint32 line,
                guint   n_inputs)
{
  guint32 assignment = 0;

  for (guint i = 0; i < n_inputs; i++)
    assignment |= ((line >> (n_inputs - 1 - i)) & 1) << i;
  return assignment;
}

static void
add_truth_table (MtReport         *report,
                 const MtRuleView *view,
                 gboolean          has_heads)
{
  const MtRuleBook *book = mt_rule_view_get_book (view);
  guint n = mt_rule_view_get_n_inputs (view), n_classes = mt_rule_book_get_n_classes (book);
  g_autofree gsize *hits = g_new0 (gsize, n_classes + 1);
  MtReportBlock *table = mt_report_add_table (report, NULL, NULL);
  gboolean has_rows = mt_rule_book_has_rows (book), has_marks = FALSE;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *head = has_heads ? dup_question (view, i) : g_strdup_printf ("%c", 'A' + (int) i);

      mt_report_add_head (table, head);
    }
  mt_report_add_head (table, "Rule");
  if (has_rows)
    add_rows_head (table, book);
  for (guint32 v = 0; v < 1u << n; v++)
    has_marks |= !g_str_equal (find_mark (view, v), "–");
  if (has_marks || !has_rows)
    mt_report_add_head (table, "Mark");
  for (guint32 line = 0; line < 1u << n; line++)
    {
      guint32 v = get_assignment (line, n);

      for (guint i = 0; i < n; i++)
        mt_report_add_cell (table, (v >> i) & 1 ? "1" : "0");
      mt_report_add_cell (table, mt_rule_view_get_output (view, v) ? "1" : "0");
      for (guint c = 0; c < n_classes; c++)
        hits[c] = mt_rule_view_get_class_rows (view, v, c);
      if (has_rows)
        add_rows_cells (table, book, mt_rule_view_get_n_rows (view, v), hits,
                        n_classes == 0 ? mt_rule_view_get_mean (view, v) : 0);
      if (has_marks || !has_rows)
        mt_report_add_cell (table, find_mark (view, v));
    }
}

/* --- one term --- */

static void
add_weights (MtReport      *report,
             const MtModel *model,
             const double  *weights,
             const char    *what)
{
  MtReportBlock *table = mt_report_add_table (report, "Score of", what, NULL);

  for (guint c = 0; c < mt_rule_set_get_n_outputs (mt_model_get_rules (model)); c++)
    {
      mt_report_take_cell (table, mt_report_dup_output (model, c));
      mt_report_take_cell (table, mt_decimal_dup (weights[c]));
    }
}

/* A missing cell of such a column is a number in the end, so a reader is told how often that happens. */
static void
add_missing_numbers (MtReport            *report,
                     const MtReportParts *parts,
                     const char          *name)
{
  const MtTable *table = parts->data != NULL ? mt_import_get_table (parts->data) : NULL;
  const MtColumn *column = table != NULL ? mt_table_find_column (table, name, NULL) : NULL;
  gsize n_rows = table != NULL ? mt_table_get_n_rows (table) : 0, n = column != NULL ? mt_column_get_n_missing (column) : 0;

  if (column == NULL)
    mt_report_add_absent (report, "how many rows have no value for %s and count as its mean; there are no "
                                  "rows.", name);
  else if (n == 0)
    mt_report_add (report, "None of the %" G_GSIZE_FORMAT " rows for this report lacks a value for %s.", n_rows, name);
  else
    {
      g_autofree char *share = mt_report_dup_percent ((double) n / (double) n_rows);

      mt_report_add (report, "Of the %" G_GSIZE_FORMAT " rows for this report, %" G_GSIZE_FORMAT " (%s) have "
                             "no value for %s, and this term counts them as the mean.", n_rows, n, share, name);
    }
}

/* What the shape makes of the number, for readers who do not read formulas. */
static void
add_shape (MtReport        *report,
           const MtEncoder *encoder,
           const MtUnary   *unary,
           const char      *name)
{
  const MtEncoderColumn *column = mt_encoder_get_column (encoder, unary->column);

  if (unary->shape == MT_SHAPE_LOG && column->min >= 0)
    mt_report_add (report, "log2 is the binary logarithm: the term grows by one whenever 1 + %s doubles. A negative number counts "
                           "as minus the logarithm of 1 + its absolute value.", name);
  else if (unary->shape == MT_SHAPE_LOG)
    {
      g_autofree char *center = mt_decimal_dup (column->log.center);

      mt_report_add (report, "log2 is the binary logarithm, taken of 1 + the distance from %s, the median of the training rows. It "
                             "counts as positive above %s and as negative below.", center, center);
    }
  else if (unary->shape == MT_SHAPE_CLIPPED)
    {
      g_autofree char *low = mt_decimal_dup (column->clipped.low);
      g_autofree char *high = mt_decimal_dup (column->clipped.high);

      mt_report_add (report, "clip means that a number below %s counts as %s and a number above %s as %s. The limits are "
                             "the 2.5%% and 97.5%% quantiles of the training rows.", low, low, high, high);
    }
}

static void
add_number (MtReport            *report,
            const MtReportParts *parts,
            const MtTerm        *term)
{
  const MtModel *model = parts->model;
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtUnary *unary = mt_term_get_unary (term, encoder);
  const char *name = mt_encoder_get_column_name (encoder, unary->column);
  g_autofree char *shaped = unary->shape == MT_SHAPE_PLAIN ? g_strdup (name) : mt_encoder_dup_numeric_text (encoder, unary);
  g_autofree char *mean = mt_decimal_dup (fabs (unary->mean));
  g_autofree char *sd = mt_decimal_dup (unary->sd);
  g_autofree char *each = mt_decimal_dup (term->weights[0] / unary->sd);
  g_autofree char *per_sd = mt_decimal_dup (term->weights[0]);
  g_autofree char *output = mt_report_dup_output (model, 0);
  gboolean is_binary = mt_model_get_task (model) == MT_TASK_BINARY;
  MtReportBlock *table;

  mt_report_add (report, "weight × (%s %s %s)%s. A missing cell counts as the mean and adds nothing. Standard deviation: %s.",
                 shaped, unary->mean < 0 ? "+" : "−", mean,
                 mt_encoder_get_column_type (encoder, unary->column) == MT_TYPE_DATE
                   ? ", in days since 1970-01-01" : "",
                 sd);
  add_shape (report, encoder, unary, name);
  add_missing_numbers (report, parts, name);
  if (mt_rule_set_get_n_outputs (mt_model_get_rules (model)) == 1)
    {
      mt_report_add (report, "Each %s above the mean adds %s to the %s %s%s%s; each standard deviation "
                             "adds %s.", unary->shape == MT_SHAPE_LOG ? "doubling" : "unit", each,
                     is_binary ? "score of" : "prediction of", is_binary ? "“" : "", output, is_binary ? "”" : "", per_sd);
      return;
    }
  table = mt_report_add_table (report, "Score of", unary->shape == MT_SHAPE_LOG ? "Weight per doubling" : "Weight per unit",
                               "Weight per standard deviation", NULL);
  for (guint c = 0; c < mt_rule_set_get_n_outputs (mt_model_get_rules (model)); c++)
    {
      mt_report_take_cell (table, mt_report_dup_output (model, c));
      mt_report_take_cell (table, mt_decimal_dup (term->weights[c] / unary->sd));
      mt_report_take_cell (table, mt_decimal_dup (term->weights[c]));
    }
}

/* What the rule is made of, in small letters below its heading. */
static char *
dup_rule_note (const MtRule *rule)
{
  guint n_inputs = mt_rule_get_n_inputs (rule), n_terms = mt_rule_get_n_cubes (rule), n_literals = mt_rule_get_n_literals (rule);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "%u %s · %u %s · %u %s, %s", n_inputs, n_inputs == 1 ? "input" : "inputs", n_terms,
                          n_terms == 1 ? "alternative" : "alternatives", n_literals, n_literals == 1 ? "literal" : "literals",
                          mt_rule_get_proven (rule) ? "proven minimal" : "not proven minimal");
  for (guint d = 0; d < MT_N_DONT_CARES; d++)
    {
      static const char * const words[MT_N_DONT_CARES] = { "impossible", "unseen", "neutral" };
      guint n = mt_rule_count_dont_care (rule, (MtDontCare) d);

      if (n > 0)
        g_string_append_printf (out, " · %u of %u combinations %s", n, 1u << n_inputs, words[d]);
    }
  return g_string_free (out, FALSE);
}

static void
add_alone (MtReport      *report,
           const MtModel *model,
           double         weight)
{
  g_autofree char *exact = mt_decimal_dup (weight);
  g_autofree char *output = mt_report_dup_output (model, 0);
  g_autofree char *odds = mt_report_dup_odds (weight);

  if (mt_model_get_task (model) == MT_TASK_BINARY)
    mt_report_add (report, "Where the rule applies, it adds %s to the score of “%s”, which multiplies the "
                           "odds by %s.", exact, output,
                   odds);
  else
    mt_report_add (report, "Where the rule applies, it adds %s to the prediction of %s.", exact, output);
}

static gboolean
add_rule (MtReport      *report,
          const MtModel *model,
          MtRuleBook    *book,
          guint          index,
          GCancellable  *cancellable,
          GError       **error)
{
  const MtTerm *term = mt_rule_set_get_term (mt_model_get_rules (model), index);
  gboolean is_alone = mt_rule_set_get_n_outputs (mt_model_get_rules (model)) == 1;
  guint number = mt_rule_book_get_number (book, index);
  g_autofree char *text = mt_rule_dup_text (term->rule, mt_model_get_encoder (model), MT_RULE_FORM_DNF);
  g_autoptr (MtRuleView) view = mt_rule_view_new (book, index, cancellable);
  g_autofree char *anchor = g_strdup_printf ("term-%u", index + 1);
  MtReportBlock *heading;
  gboolean has_heads;

  if (view == NULL)
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  mt_report_add_heading (report, anchor, "Rule %u", number);
  heading = mt_report_get_last (report);
  heading->badge = is_alone ? mt_report_dup_signed (term->weights[0]) : NULL;
  heading->note = dup_rule_note (term->rule);
  mt_report_add (report, "%s", text);
  if (is_alone)
    add_alone (report, model, term->weights[0]);
  else
    add_weights (report, model, term->weights, "Weight where the rule applies");
  has_heads = has_short_questions (view);
  if (!has_heads)
    add_key (report, view);
  if (mt_rule_view_get_n_inputs (view) > 1)      /* a single condition has nothing to follow */
    add_diagram (report, view, term, number);
  add_truth_table (report, view, has_heads);
  return TRUE;
}

/* --- all terms in one table --- */

/* Four digits: the exact number is in the part of the term. */
static char *
dup_short (double weight)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, "%.4g", weight));
}

static void
add_overview_heads (MtReportBlock    *table,
                    const MtModel    *model,
                    const MtRuleBook *book)
{
  guint n_outputs = mt_rule_set_get_n_outputs (mt_model_get_rules (model));

  mt_report_add_head (table, "Term");
  mt_report_add_head (table, "Applies where");
  for (guint c = 0; c < n_outputs; c++)
    {
      g_autofree char *output = mt_report_dup_output (model, c);
      g_autofree char *head = n_outputs == 1 ? g_strdup ("Weight") : g_strdup_printf ("Weight for %s", output);

      mt_report_add_head (table, head);
    }
  if (mt_model_get_task (model) == MT_TASK_BINARY)
    mt_report_add_head (table, "Odds ratio");
  if (n_outputs > 1)
    return;      /* there is no room for more */
  if (mt_rule_book_has_rows (book))
    add_rows_head (table, book);
  mt_report_add_head (table, "Literals");
}

static void
add_overview_row (MtReportBlock    *table,
                  const MtModel    *model,
                  const MtRuleBook *book,
                  guint             index)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtTerm *term = mt_rule_set_get_term (rules, index);
  const MtTermFacts *facts = mt_rule_book_get_facts (book, index);
  g_autofree char *text = mt_term_dup_text (term, encoder);
  double per = term->is_numeric ? mt_term_get_unary (term, encoder)->sd : 1;

  mt_report_take_cell (table, term->is_numeric ? g_strdup ("Number") : g_strdup_printf ("Rule %u", mt_rule_book_get_number (book,
                                                                                                                      index)));
  mt_report_take_cell (table, term->is_numeric ? g_strdup_printf (mt_term_get_unary (term, encoder)->shape == MT_SHAPE_LOG
                                                                  ? "%s, per doubling above its mean"
                                                                  : "%s, per unit above its mean", text) : g_strdup (text));
  for (guint c = 0; c < mt_rule_set_get_n_outputs (rules); c++)
    mt_report_take_cell (table, dup_short (term->weights[c] / per));
  if (mt_model_get_task (model) == MT_TASK_BINARY)
    mt_report_take_cell (table, mt_report_dup_odds (term->weights[0] / per));
  if (mt_rule_set_get_n_outputs (rules) > 1)
    return;
  if (mt_rule_book_has_rows (book) && term->is_numeric)
    {
      mt_report_add_cell (table, "–");
      mt_report_add_cell (table, "–");
    }
  else if (mt_rule_book_has_rows (book))
    add_rows_cells (table, book, facts->support, facts->hits, facts->mean_inside);
  mt_report_take_cell (table, g_strdup_printf ("%u", facts->n_literals));
}

/* The whole sum in one table, unless there are too many classes for the width of a page. */
static void
add_overview (MtReport         *report,
              const MtModel    *model,
              const MtRuleBook *book)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);
  MtReportBlock *table;

  if (n_outputs > MAX_ACROSS)
    return;
  mt_report_add_heading (report, "all-terms", "All terms");
  if (mt_rule_book_has_rows (book) && n_outputs == 1)
    mt_report_get_last (report)->note = g_strdup_printf ("Counts are for the %" G_GSIZE_FORMAT " training "
                                                         "rows.",
                                                         mt_rule_book_get_n_rows (book));
  table = mt_report_add_table (report, NULL, NULL);
  add_overview_heads (table, model, book);
  mt_report_add_cell (table, "Intercept");
  mt_report_add_cell (table, "every row");
  for (guint c = 0; c < n_outputs; c++)
    mt_report_take_cell (table, dup_short (mt_rule_set_get_bias (rules)[c]));
  if (mt_model_get_task (model) == MT_TASK_BINARY)
    mt_report_take_cell (table, mt_report_dup_odds (mt_rule_set_get_bias (rules)[0]));
  if (mt_rule_book_has_rows (book) && n_outputs == 1)
    add_rows_cells (table, book, mt_rule_book_get_n_rows (book), mt_rule_book_get_class_rows (book),
                    mt_rule_book_get_mean (book));
  if (n_outputs == 1)
    mt_report_add_cell (table, "1");
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    add_overview_row (table, model, book, t);
}

static void
add_intercept (MtReport      *report,
               const MtModel *model)
{
  const double *bias = mt_rule_set_get_bias (mt_model_get_rules (model));

  if (mt_rule_set_get_n_outputs (mt_model_get_rules (model)) > 1)
    add_weights (report, model, bias, "Intercept");
  else
    {
      g_autofree char *exact = mt_decimal_dup (bias[0]);
      g_autofree char *output = mt_report_dup_output (model, 0);

      mt_report_add (report, mt_model_get_task (model) == MT_TASK_BINARY ? "Every row begins with %s in the score of “%s”."
                                                                        : "Every row begins with %s in the prediction of %s.", exact,
                     output);
    }
}

static void
add_introduction (MtReport      *report,
                  const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  guint n_rules = mt_rule_set_get_n_rules (rules), n_numbers = mt_rule_set_get_n_terms (rules) - n_rules;

  mt_report_add (report, "One intercept, %u %s, and %u %s; size %u. Nothing is left out. The table of all terms and the scorecard "
                         "round weights to four digits; the part of each term gives them in the shortest form that reads back as the "
                         "same double. The weight of a linear term is stored per standard deviation; its weight per unit is that "
                         "divided by the standard deviation. Both are given.",
                 n_numbers, n_numbers == 1 ? "number" : "numbers", n_rules, n_rules == 1 ? "rule" : "rules",
                 mt_rule_set_get_complexity (rules));
  if (n_rules > 0)
    mt_report_add (report, "A rule of several conditions has a diagram. Read it from the top: follow the plain arrow if the condition is true and "
                           "the arrow that starts with a hollow circle if it is not. A truth table has a "
                           "line for each combination of a rule's conditions: no row can have an impossible "
                           "one, no training row has an unseen one, and a neutral one hardly affects the "
                           "training loss.");
}

gboolean
mt_report_add_model (MtReport             *report,
                     const MtReportParts  *parts,
                     const MtReportRows   *rows,
                     GCancellable         *cancellable,
                     GError              **error)
{
  const MtModel *model = parts->model;
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtEncoder *encoder = mt_model_get_encoder (model);
  g_autoptr (MtRuleBook) book = mt_report_make_book (parts, rows, error);

  if (book == NULL)
    return FALSE;
  add_introduction (report, model);
  add_overview (report, model, book);
  mt_report_add_scorecard (report, model, book);
  mt_report_add_heading (report, "intercept", "Intercept");
  add_intercept (report, model);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric)
        {
          g_autofree char *anchor = g_strdup_printf ("term-%u", t + 1);

          mt_report_add_heading (report, anchor, "Number: %s",
                                 mt_encoder_get_column_name (encoder, mt_term_get_unary (term, encoder)->column));
          add_number (report, parts, term);
        }
      else if (!add_rule (report, model, book, t, cancellable, error))
        return FALSE;
    }
  return TRUE;
}
