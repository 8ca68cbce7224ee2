/* See mt-rule-book.h. The classes of the rows are kept as planes while counting, so that a hit
 * rate is a count of bits. */
#include "config.h"
#include "mt-rule-book.h"

#include <math.h>

#include "base/mt-planes.h"
#include "rules/mt-rule-text.h"

struct _MtRuleBook {
  gatomicrefcount  ref_count;
  MtEncoder       *encoder;
  MtRuleSet       *rules;
  char            *target;
  char           **classes;
  guint            n_classes;
  MtDontCareMode   dont_care;
  MtTable         *table;
  MtEncoded       *encoded;
  const double    *values;
  const guint32   *row_numbers;
  gpointer         owner;
  GDestroyNotify   release;

  MtTermFacts     *facts;
  gsize           *hits;           /* n_terms × n_classes, as all that follow */
  double          *rates, *lifts, *ratios;
  double          *effects;        /* n_terms × n_outputs */
  gsize           *class_rows;
  double           mean;
};

static guint64 *
make_class_planes (const MtRuleBook *self)
{
  gsize n_rows = mt_encoded_get_n_rows (self->encoded);
  gsize n_words = mt_encoded_get_n_words (self->encoded);
  guint64 *planes = g_new0 (guint64, MAX (1, n_words * self->n_classes));

  for (gsize r = 0; r < n_rows; r++)
    {
      guint class = (guint) self->values[r];

      g_assert (class < self->n_classes);
      planes[class * n_words + r / 64] |= (guint64) 1 << (r % 64);
    }
  return planes;
}

static double
find_odds_ratio (gsize hits,
                 gsize support,
                 gsize class_rows,
                 gsize n_rows)
{
  double inside = (double) hits, outside = (double) (class_rows - hits);
  double misses = (double) (support - hits), rest = (double) (n_rows - support) - outside;

  return (inside + 0.5) * (rest + 0.5) / ((misses + 0.5) * (outside + 0.5));
}

static void
count_classes (MtRuleBook    *self,
               guint          term,
               const guint64 *plane,
               const guint64 *class_planes)
{
  gsize n_rows = mt_encoded_get_n_rows (self->encoded);
  gsize n_words = mt_encoded_get_n_words (self->encoded);
  MtTermFacts *facts = &self->facts[term];

  for (guint c = 0; c < self->n_classes; c++)
    {
      gsize at = (gsize) term * self->n_classes + c;

      self->hits[at] = plane != NULL ? mt_plane_count_and (plane, class_planes + c * n_words, n_words)
                                     : self->class_rows[c];
      if (facts->support > 0)
        self->rates[at] = (double) self->hits[at] / (double) facts->support;
      if (self->class_rows[c] > 0)
        self->lifts[at] = self->rates[at] * (double) n_rows / (double) self->class_rows[c];
      self->ratios[at] = find_odds_ratio (self->hits[at], facts->support, self->class_rows[c], n_rows);
    }
}

static void
count_mean (MtRuleBook    *self,
            guint          term,
            const guint64 *plane)
{
  gsize n_rows = mt_encoded_get_n_rows (self->encoded);
  MtTermFacts *facts = &self->facts[term];
  double sum = self->mean * (double) n_rows;
  double inside = plane != NULL ? mt_plane_sum (plane, self->values, n_rows) : sum;

  if (facts->support > 0)
    facts->mean_inside = inside / (double) facts->support;
  if (facts->support < n_rows)
    facts->mean_outside = (sum - inside) / (double) (n_rows - facts->support);
}

static void
count_rows (MtRuleBook *self)
{
  gsize n_rows = mt_encoded_get_n_rows (self->encoded);
  gsize n_words = mt_encoded_get_n_words (self->encoded);
  g_autofree guint64 *class_planes = self->n_classes > 0 ? make_class_planes (self) : NULL;
  g_autofree guint64 *plane = g_new (guint64, MAX (1, n_words));

  for (guint c = 0; c < self->n_classes; c++)
    self->class_rows[c] = mt_plane_count (class_planes + c * n_words, n_words);
  for (gsize r = 0; r < n_rows && self->n_classes == 0; r++)
    self->mean += (self->values[r] - self->mean) / (double) (r + 1);
  for (guint t = 0; t < mt_rule_set_get_n_terms (self->rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (self->rules, t);

      if (!term->is_numeric)
        mt_rule_evaluate (term->rule, self->encoded, 0, n_words, plane);
      self->facts[t].support = term->is_numeric ? n_rows : mt_plane_count (plane, n_words);
      if (self->n_classes > 0)
        count_classes (self, t, term->is_numeric ? NULL : plane, class_planes);
      else
        count_mean (self, t, term->is_numeric ? NULL : plane);
    }
}

static void
note_weights (MtRuleBook *self)
{
  guint n_outputs = mt_rule_set_get_n_outputs (self->rules);

  for (guint t = 0; t < mt_rule_set_get_n_terms (self->rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (self->rules, t);
      double unit = term->is_numeric ? mt_term_get_unary (term, self->encoder)->sd : 1;
      MtTermFacts *facts = &self->facts[t];

      for (guint o = 0; o < n_outputs; o++)
        {
          self->effects[t * n_outputs + o] = term->weights[o] / unit;
          facts->strength = MAX (facts->strength, fabs (term->weights[o]));
        }
      facts->effects = self->effects + t * n_outputs;
      facts->hits = self->hits + (gsize) t * self->n_classes;
      facts->hit_rate = self->rates + (gsize) t * self->n_classes;
      facts->lift = self->lifts + (gsize) t * self->n_classes;
      facts->odds_ratio = self->ratios + (gsize) t * self->n_classes;
      facts->n_literals = term->is_numeric ? 1 : mt_rule_get_n_literals (term->rule);
    }
}

MtRuleBook *
mt_rule_book_new (const MtRuleBookParts *parts,
                  gpointer               owner,
                  GDestroyNotify         release)
{
  MtRuleBook *self;
  gsize n_terms;

  g_return_val_if_fail (parts != NULL && parts->encoder != NULL && parts->rules != NULL, NULL);
  g_return_val_if_fail (parts->target != NULL, NULL);
  g_return_val_if_fail (parts->encoded == NULL || parts->values != NULL, NULL);

  self = g_new0 (MtRuleBook, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->encoder = mt_encoder_ref (parts->encoder);
  self->rules = mt_rule_set_ref (parts->rules);
  self->target = g_strdup (parts->target);
  self->classes = g_strdupv ((char **) parts->classes);
  self->n_classes = self->classes != NULL ? g_strv_length (self->classes) : 0;
  self->dont_care = parts->dont_care;
  self->table = parts->table != NULL ? mt_table_ref (parts->table) : NULL;
  self->encoded = parts->encoded != NULL ? mt_encoded_ref (parts->encoded) : NULL;
  self->values = parts->values;
  self->row_numbers = parts->row_numbers;
  self->owner = owner;
  self->release = release;

  n_terms = MAX (1, mt_rule_set_get_n_terms (self->rules));
  self->facts = g_new0 (MtTermFacts, n_terms);
  self->hits = g_new0 (gsize, n_terms * self->n_classes + 1);
  self->rates = g_new0 (double, n_terms * self->n_classes + 1);
  self->lifts = g_new0 (double, n_terms * self->n_classes + 1);
  self->ratios = g_new0 (double, n_terms * self->n_classes + 1);
  self->effects = g_new0 (double, n_terms * mt_rule_set_get_n_outputs (self->rules));
  self->class_rows = g_new0 (gsize, self->n_classes + 1);
  note_weights (self);
  if (self->encoded != NULL)
    count_rows (self);
  return self;
}

MtRuleBook *
mt_rule_book_ref (MtRuleBook *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_rule_book_unref (MtRuleBook *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  mt_encoder_unref (self->encoder);
  mt_rule_set_unref (self->rules);
  g_clear_pointer (&self->table, mt_table_unref);
  g_clear_pointer (&self->encoded, mt_encoded_unref);
  if (self->release != NULL)
    self->release (self->owner);
  g_free (self->target);
  g_strfreev (self->classes);
  g_free (self->facts);
  g_free (self->hits);
  g_free (self->rates);
  g_free (self->lifts);
  g_free (self->ratios);
  g_free (self->effects);
  g_free (self->class_rows);
  g_free (self);
}

const MtEncoder *
mt_rule_book_get_encoder (const MtRuleBook *self)
{
  return self->encoder;
}

const MtRuleSet *
mt_rule_book_get_rules (const MtRuleBook *self)
{
  return self->rules;
}

MtTask
mt_rule_book_get_task (const MtRuleBook *self)
{
  return mt_rule_set_get_task (self->rules);
}

const char *
mt_rule_book_get_target (const MtRuleBook *self)
{
  return self->target;
}

guint
mt_rule_book_get_n_classes (const MtRuleBook *self)
{
  return self->n_classes;
}

const char * const *
mt_rule_book_get_classes (const MtRuleBook *self)
{
  return (const char * const *) self->classes;
}

MtDontCareMode
mt_rule_book_get_dont_care (const MtRuleBook *self)
{
  return self->dont_care;
}

gboolean
mt_rule_book_has_rows (const MtRuleBook *self)
{
  return self->encoded != NULL;
}

gsize
mt_rule_book_get_n_rows (const MtRuleBook *self)
{
  return self->encoded != NULL ? mt_encoded_get_n_rows (self->encoded) : 0;
}

const gsize *
mt_rule_book_get_class_rows (const MtRuleBook *self)
{
  return self->class_rows;
}

double
mt_rule_book_get_mean (const MtRuleBook *self)
{
  return self->mean;
}

const MtEncoded *
mt_rule_book_get_encoded (const MtRuleBook *self)
{
  return self->encoded;
}

const double *
mt_rule_book_get_values (const MtRuleBook *self)
{
  return self->values;
}

const guint32 *
mt_rule_book_get_row_numbers (const MtRuleBook *self)
{
  return self->row_numbers;
}

const MtTable *
mt_rule_book_get_table (const MtRuleBook *self)
{
  return self->table;
}

guint
mt_rule_book_get_n_terms (const MtRuleBook *self)
{
  return mt_rule_set_get_n_terms (self->rules);
}

const MtTermFacts *
mt_rule_book_get_facts (const MtRuleBook *self,
                        guint             term)
{
  g_return_val_if_fail (term < mt_rule_book_get_n_terms (self), NULL);
  return &self->facts[term];
}

guint
mt_rule_book_get_number (const MtRuleBook *self,
                         guint             term)
{
  g_return_val_if_fail (term < mt_rule_book_get_n_terms (self), 0);
  return mt_rule_set_get_term (self->rules, term)->number;
}

gboolean
mt_rule_book_term_uses (const MtRuleBook *self,
                        guint             index,
                        guint             column)
{
  const MtTerm *term = mt_rule_set_get_term (self->rules, index);

  if (term->is_numeric)
    return mt_term_get_unary (term, self->encoder)->column == column;
  for (guint i = 0; i < mt_rule_get_n_inputs (term->rule); i++)
    if (mt_encoder_get_literal (self->encoder, mt_rule_get_inputs (term->rule)[i])->column == column)
      return TRUE;
  return FALSE;
}

gboolean
mt_rule_book_needs (const MtRuleBook *self,
                    guint             column)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self);
  const char *name = mt_encoder_get_column_name (encoder, column);

  if (mt_rule_book_uses (self, column))
    return TRUE;
  for (guint c = 0; c < mt_encoder_get_n_columns (encoder); c++)
    {
      const MtFormula *formula = mt_encoder_get_column (encoder, c)->formula;

      for (guint k = 0; formula != NULL && k < mt_formula_get_n_sources (formula); k++)
        if (g_str_equal (mt_formula_get_source (formula, k)->name, name) && mt_rule_book_uses (self, c))
          return TRUE;
    }
  return FALSE;
}

gboolean
mt_rule_book_uses (const MtRuleBook *self,
                   guint             column)
{
  for (guint t = 0; t < mt_rule_book_get_n_terms (self); t++)
    if (mt_rule_book_term_uses (self, t, column))
      return TRUE;
  return FALSE;
}
