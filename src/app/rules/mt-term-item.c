/* A term of the model as a line of the rule table: the intercept, a numeric column or a rule. See mt-term-
 * item.h. */
#include "config.h"
#include "mt-term-item.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"

#define FEW_CLASSES 4
#define LEAST_SHARE 0.05      /* of the rows, that earns one of many classes a line */

struct _MtTermItem {
  GObject     parent_instance;
  MtRuleBook *book;
  int         term;
  gboolean    applies;
};

static guint applies_signal;

G_DEFINE_FINAL_TYPE (MtTermItem, mt_term_item, G_TYPE_OBJECT)

static const MtTerm *
term_of (MtTermItem *self)
{
  return self->term >= 0 ? mt_rule_set_get_term (mt_rule_book_get_rules (self->book), (guint) self->term) : NULL;
}

static const MtTermFacts *
facts_of (MtTermItem *self)
{
  return self->term >= 0 ? mt_rule_book_get_facts (self->book, (guint) self->term) : NULL;
}

MtRuleBook *
mt_term_item_get_book (MtTermItem *self)
{
  return self->book;
}

int
mt_term_item_get_term (MtTermItem *self)
{
  return self->term;
}

gboolean
mt_term_item_is_rule (MtTermItem *self)
{
  return self->term >= 0 && !term_of (self)->is_numeric;
}

const double *
mt_term_item_get_effects (MtTermItem *self)
{
  return self->term >= 0 ? facts_of (self)->effects : mt_rule_set_get_bias (mt_rule_book_get_rules (self->book));
}

double
mt_term_item_get_strength (MtTermItem *self)
{
  return self->term >= 0 ? facts_of (self)->strength : 0;
}

gsize
mt_term_item_get_support (MtTermItem *self)
{
  return self->term >= 0 ? facts_of (self)->support : mt_rule_book_get_n_rows (self->book);
}

guint
mt_term_item_get_n_literals (MtTermItem *self)
{
  return self->term >= 0 ? facts_of (self)->n_literals : 1;
}

double
mt_term_item_get_hit (MtTermItem *self,
                      guint       class)
{
  gsize n_rows = mt_rule_book_get_n_rows (self->book);

  if (mt_rule_book_get_n_classes (self->book) == 0)
    return self->term >= 0 ? facts_of (self)->mean_inside : mt_rule_book_get_mean (self->book);
  if (self->term >= 0)
    return facts_of (self)->hit_rate[class];
  return n_rows > 0 ? (double) mt_rule_book_get_class_rows (self->book)[class] / (double) n_rows : 0;
}

/* The hit rate over the class's share of all rows; 1 for the intercept, 0 without rows. */
static double
get_lift (MtTermItem *self,
          guint       class)
{
  if (!mt_rule_book_has_rows (self->book))
    return 0;
  return self->term >= 0 ? facts_of (self)->lift[class] : 1;
}

char *
mt_term_item_dup_hits (MtTermItem *self)
{
  guint n_classes = mt_rule_book_get_n_classes (self->book);
  GString *text;

  if (n_classes == 0 || mt_term_item_get_support (self) == 0)
    return NULL;
  text = g_string_new (NULL);
  for (guint c = 0; c < n_classes; c++)
    {
      g_autofree char *share = mt_format_rate (mt_term_item_get_hit (self, c));
      g_autofree char *lift = mt_format_fixed (get_lift (self, c), 2);
      /* Translators: a class, its share of the rows of which a rule is true, and how many times its share of
       * all rows that is */
      g_autofree char *line = g_strdup_printf (_("%s: %s, lift %s"), mt_rule_book_get_classes (self->book)[c], share,
                                               lift);

      g_string_append_printf (text, "%s%s", c > 0 ? "\n" : "", line);
    }
  return g_string_free (text, FALSE);
}

GArray *
mt_term_item_dup_lines (MtTermItem *self)
{
  guint n_classes = mt_rule_book_get_n_classes (self->book);
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint c = 0; c < n_classes; c++)
    if (n_classes <= FEW_CLASSES || mt_term_item_get_effects (self)[c] != 0 ||
        mt_term_item_get_hit (self, c) >= LEAST_SHARE)
      g_array_append_val (lines, c);
  return lines;
}

guint
mt_term_item_get_main_class (MtTermItem *self)
{
  guint n_classes = mt_rule_book_get_n_classes (self->book), best = 0;

  if (n_classes == 2)
    return 1;
  for (guint c = 1; c < n_classes; c++)
    if (mt_term_item_get_hit (self, c) > mt_term_item_get_hit (self, best))
      best = c;
  return best;
}

char *
mt_term_item_dup_title (MtTermItem *self)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);

  if (self->term < 0)
    return g_strdup (_("Intercept"));
  if (term_of (self)->is_numeric)
    return mt_encoder_dup_numeric_text (encoder, mt_term_get_unary (term_of (self), encoder));
  return g_strdup_printf (_("Rule %u"), mt_rule_book_get_number (self->book, (guint) self->term));
}

/* What the weight of a numeric term is the price of. */
static char *
dup_per_unit (const MtEncoder *encoder,
              const MtUnary   *unary,
              const char      *name)
{
  const MtEncoderColumn *column = mt_encoder_get_column (encoder, unary->column);

  if (unary->shape == MT_SHAPE_LOG && column->min >= 0)
    /* Translators: %s is the name of a column: the weight is added whenever 1 + its value doubles */
    return g_strdup_printf (_("per doubling of 1 + %s"), name);
  if (unary->shape == MT_SHAPE_LOG)
    {
      g_autofree char *center = mt_format_short (column->log.center);

      /* Translators: name of a column, then a number: the weight is added whenever 1 + the distance doubles */
      return g_strdup_printf (_("per doubling of 1 + the distance of %s from %s"), name, center);
    }
  if (unary->shape == MT_SHAPE_CLIPPED)
    {
      g_autofree char *low = mt_format_short (column->clipped.low);
      g_autofree char *high = mt_format_short (column->clipped.high);

      /* Translators: name of a column, then two numbers: smaller and larger values count as these */
      return g_strdup_printf (_("per unit of %s, counted between %s and %s"), name, low, high);
    }
  /* Translators: %s is the name of a column: its value times the weight is added */
  return g_strdup_printf (_("per unit of %s"), name);
}

char *
mt_term_item_dup_text (MtTermItem *self)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);
  g_autoptr (MtPhrase) phrase = NULL;

  if (self->term < 0)
    return g_strdup (_("Intercept"));
  if (term_of (self)->is_numeric)
    {
      const MtUnary *unary = mt_term_get_unary (term_of (self), encoder);
      g_autofree char *name = mt_encoder_dup_column_text (encoder, unary->column);

      return dup_per_unit (encoder, unary, name);
    }
  phrase = mt_phrase_new (term_of (self)->rule, encoder, TRUE);
  return mt_phrase_dup_text (phrase);
}

char *
mt_term_item_dup_markup (MtTermItem *self,
                         const char *name_color)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);
  g_autoptr (MtPhrase) phrase = NULL;

  if (self->term < 0)
    return g_strdup_printf ("%s\n<span size=\"small\" alpha=\"60%%\">%s</span>", _("Intercept"),
                            _("Added to every score"));
  if (term_of (self)->is_numeric)
    {
      const MtUnary *unary = mt_term_get_unary (term_of (self), encoder);
      g_autofree char *name = mt_encoder_dup_column_text (encoder, unary->column);
      g_autofree char *coloured = g_markup_printf_escaped ("<span foreground=\"%s\">%s</span>", name_color, name);
      gboolean is_date = mt_encoder_get_column_type (encoder, unary->column) == MT_TYPE_DATE;
      double zero = mt_encoder_get_zero (encoder, unary);
      g_autofree char *mean = is_date ? mt_format_value (MT_TYPE_DATE, zero) : mt_format_short (zero);
      g_autofree char *line = dup_per_unit (encoder, unary, coloured);
      /* Translators: the first %s is the mean of the column */
      g_autofree char *note = unary->shape == MT_SHAPE_PLAIN ? g_markup_printf_escaped (_("measured from its mean, %s"), mean)
                                                             : g_markup_printf_escaped (_("measured from %s"), mean);

      return g_strdup_printf ("%s\n<span size=\"small\" alpha=\"60%%\">%s</span>", line, note);
    }
  phrase = mt_phrase_new (term_of (self)->rule, encoder, TRUE);
  return mt_phrase_dup_markup (phrase, name_color);
}

char *
mt_term_item_dup_detail (MtTermItem *self)
{
  guint n_literals = mt_term_item_get_n_literals (self);
  g_autofree char *literals = g_strdup_printf (ngettext ("%u literal", "%u literals", n_literals), n_literals);
  g_autofree char *rows = NULL;
  g_autofree char *hit = NULL;
  gsize support = mt_term_item_get_support (self);

  if (!mt_rule_book_has_rows (self->book))
    return g_steal_pointer (&literals);
  {
    g_autofree char *count = mt_format_count (support);

    rows = g_strdup_printf (ngettext ("%s row", "%s rows", support), count);
  }
  if (mt_rule_book_get_n_classes (self->book) == 0)
    hit = mt_format_target (self->book, mt_term_item_get_hit (self, 0));
  else
    {
      guint n_classes = mt_rule_book_get_n_classes (self->book);
      g_autoptr (GString) all = g_string_new (NULL);

      for (guint c = n_classes == 2 ? 1 : 0; c < n_classes; c++)
        {
          g_autofree char *share = mt_format_rate (mt_term_item_get_hit (self, c));
          g_autofree char *outcome = mt_format_outcome (self->book, c);

          if (n_classes == 2 || mt_term_item_get_hit (self, c) > 0)
            g_string_append_printf (all, "%s%s %s", all->len > 0 ? ", " : "", share, outcome);
        }
      hit = g_string_free (g_steal_pointer (&all), FALSE);
    }
  return g_strdup_printf ("%s · %s · %s", rows, hit, literals);
}

/* To two digits that count. */
static double
round_to_two (double value)
{
  double unit = pow (10, floor (log10 (value)) - 1);

  return isnormal (value) && isnormal (unit) ? rint (value / unit) * unit : value;
}

char *
mt_term_item_dup_effect (MtTermItem *self)
{
  double effect = mt_term_item_get_effects (self)[0];

  if (mt_rule_book_get_task (self->book) == MT_TASK_BINARY)
    {
      double odds = exp (effect);
      g_autofree char *text = odds >= 1000 || odds < 0.01 ? mt_format_short (round_to_two (odds))
                              : mt_format_fixed (odds, fabs (effect) < 0.02 ? 4 : 2);

      /* Translators: what a rule multiplies the odds by */
      return g_strdup_printf (_("odds × %s"), text);
    }
  return NULL;
}

void
mt_term_item_set_applies (MtTermItem *self,
                          gboolean    applies)
{
  g_return_if_fail (MT_IS_TERM_ITEM (self));

  if (applies == self->applies)
    return;
  self->applies = applies;
  g_signal_emit (self, applies_signal, 0);
}

gboolean
mt_term_item_get_applies (MtTermItem *self)
{
  return self->applies;
}

static void
mt_term_item_finalize (GObject *object)
{
  mt_rule_book_unref (MT_TERM_ITEM (object)->book);
  G_OBJECT_CLASS (mt_term_item_parent_class)->finalize (object);
}

static void
mt_term_item_class_init (MtTermItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_term_item_finalize;
  applies_signal = g_signal_new ("applies-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
mt_term_item_init (MtTermItem *self)
{
  self->applies = TRUE;
}

MtTermItem *
mt_term_item_new (MtRuleBook *book,
                  int         term)
{
  MtTermItem *self = g_object_new (MT_TYPE_TERM_ITEM, NULL);

  self->book = mt_rule_book_ref (book);
  self->term = term;
  return self;
}
