/* The table of rules for the clipboard: plain text, Markdown, LaTeX. The same columns in each:
 * weight(s), odds or effect, rule, support, hit rates, literals; intercept first, totals last. */
#include "config.h"
#include "mt-rule-book.h"

#include <math.h>

#include "base/mt-i18n.h"
#include "base/mt-math.h"
#include "mt-rule-phrase.h"
#include "rules/mt-rule-text.h"

typedef void (*AppendFunc) (GString *out, const char *text);

static void
append_plain (GString    *out,
              const char *text)
{
  for (; *text != '\0'; text++)
    g_string_append_c (out, *text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text);
}

static char *
dup_number (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.6g", value));
}

typedef struct {
  GString    *out;
  MtListing   listing;
  AppendFunc  append;
  gboolean    first;     /* cell of its line */
} Sheet;

static void
put (Sheet      *sheet,
     const char *text)
{
  static const char * const between[] = { "\t", " | ", " & " };

  if (!sheet->first)
    g_string_append (sheet->out, between[sheet->listing]);
  else if (sheet->listing == MT_LISTING_MARKDOWN)
    g_string_append (sheet->out, "| ");
  sheet->first = FALSE;
  sheet->append (sheet->out, text);
}

static void
put_number (Sheet  *sheet,
            double  value)
{
  g_autofree char *text = dup_number (value);

  put (sheet, text);
}

static void
put_count (Sheet *sheet,
           gsize  count)
{
  g_autofree char *text = g_strdup_printf ("%" G_GSIZE_FORMAT, count);

  put (sheet, text);
}

static void
end_line (Sheet *sheet)
{
  static const char * const ends[] = { "\n", " |\n", " \\\\\n" };

  g_string_append (sheet->out, ends[sheet->listing]);
  sheet->first = TRUE;
}

static guint
put_head (Sheet            *sheet,
          const MtRuleBook *book)
{
  MtTask task = mt_rule_book_get_task (book);
  guint n_classes = mt_rule_book_get_n_classes (book), n_columns = 2;

  if (task == MT_TASK_MULTICLASS)
    for (guint c = 0; c < n_classes; c++, n_columns++)
      {
        g_autofree char *head = g_strdup_printf ("weight of %s", mt_rule_book_get_classes (book)[c]);

        put (sheet, head);
      }
  else
    {
      put (sheet, "weight");
      n_columns++;
    }
  if (task == MT_TASK_BINARY)
    {
      put (sheet, "odds ×");
      n_columns++;
    }
  put (sheet, "rule");
  if (mt_rule_book_has_rows (book))
    {
      put (sheet, "support");
      n_columns++;
      if (n_classes == 0)
        {
          put (sheet, "mean where true");
          n_columns++;
        }
      for (guint c = task == MT_TASK_BINARY ? 1 : 0; c < n_classes; c++, n_columns++)
        {
          g_autofree char *head = g_strdup_printf ("share of %s", mt_rule_book_get_classes (book)[c]);

          put (sheet, head);
        }
    }
  put (sheet, "literals");
  end_line (sheet);
  return n_columns;
}

static void
put_line (Sheet             *sheet,
          const MtRuleBook  *book,
          const double      *effects,
          const char        *text,
          const MtTermFacts *facts)      /* NULL: the intercept */
{
  MtTask task = mt_rule_book_get_task (book);
  guint n_classes = mt_rule_book_get_n_classes (book);
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book));
  double n_rows = (double) mt_rule_book_get_n_rows (book);

  for (guint o = 0; o < n_outputs; o++)
    put_number (sheet, effects[o]);
  if (task == MT_TASK_BINARY)
    put_number (sheet, mt_exp (effects[0]));
  put (sheet, text);
  if (mt_rule_book_has_rows (book))
    {
      put_count (sheet, facts != NULL ? facts->support : mt_rule_book_get_n_rows (book));
      if (n_classes == 0)
        put_number (sheet, facts != NULL ? facts->mean_inside : mt_rule_book_get_mean (book));
      for (guint c = task == MT_TASK_BINARY ? 1 : 0; c < n_classes; c++)
        put_number (sheet, facts != NULL ? facts->hit_rate[c]
                                         : (double) mt_rule_book_get_class_rows (book)[c] / MAX (1, n_rows));
    }
  put_count (sheet, facts != NULL ? facts->n_literals : 1);
  end_line (sheet);
}

static char *
dup_rule_text (const MtRuleBook *book,
               guint             index)
{
  const MtTerm *term = mt_rule_set_get_term (mt_rule_book_get_rules (book), index);
  const MtEncoder *encoder = mt_rule_book_get_encoder (book);
  g_autoptr (MtPhrase) phrase = NULL;

  if (term->is_numeric)
    {
      const MtUnary *unary = mt_term_get_unary (term, encoder);
      g_autofree char *name = mt_encoder_dup_numeric_text (encoder, unary);
      g_autofree char *mean = mt_encoder_dup_value_text (encoder, unary->column, unary->mean);

      return g_strdup_printf (unary->shape == MT_SHAPE_LOG ? "each doubling: %s above %s" : "each unit of %s above %s", name, mean);
    }
  phrase = mt_phrase_new (term->rule, encoder, TRUE);
  return mt_phrase_dup_text (phrase);
}

char *
mt_rule_book_dup_listing (const MtRuleBook *book,
                          MtListing         listing,
                          const guint      *terms,
                          guint             n_terms)
{
  static const AppendFunc appends[] = { append_plain, mt_markdown_append, mt_latex_append };
  Sheet sheet = { g_string_new (NULL), listing, appends[listing], TRUE };
  GString *body = g_string_new (NULL);
  guint n_columns, n_literals = 1;

  g_return_val_if_fail (book != NULL && (terms != NULL || n_terms == 0), NULL);

  mt_i18n_begin_english ();   /* the same for everybody who gets it */
  n_columns = put_head (&sheet, book);
  if (listing == MT_LISTING_MARKDOWN)
    {
      for (guint i = 0; i < n_columns; i++)
        g_string_append (sheet.out, "|---");
      g_string_append (sheet.out, "|\n");
    }
  else if (listing == MT_LISTING_LATEX)
    {
      for (guint i = 0; i < n_columns; i++)
        g_string_append_c (body, 'l');
      g_string_prepend (sheet.out, "}\n\\hline\n");
      g_string_prepend (sheet.out, body->str);
      g_string_prepend (sheet.out, "\\begin{tabular}{");
      g_string_append (sheet.out, "\\hline\n");
    }
  put_line (&sheet, book, mt_rule_set_get_bias (mt_rule_book_get_rules (book)), "intercept", NULL);
  for (guint i = 0; i < n_terms; i++)
    {
      const MtTermFacts *facts = mt_rule_book_get_facts (book, terms[i]);
      g_autofree char *text = dup_rule_text (book, terms[i]);

      put_line (&sheet, book, facts->effects, text, facts);
      n_literals += facts->n_literals;
    }
  if (listing == MT_LISTING_LATEX)
    g_string_append (sheet.out, "\\hline\n\\end{tabular}\n");
  g_string_append_printf (sheet.out, listing == MT_LISTING_MARKDOWN ? "\n%u literals, %u terms\n"
                                     : listing == MT_LISTING_LATEX ? "%% %u literals, %u terms\n"
                                     : "%u literals, %u terms\n", n_literals, n_terms);
  mt_i18n_end_english ();
  g_string_free (body, TRUE);
  return g_string_free (sheet.out, FALSE);
}
