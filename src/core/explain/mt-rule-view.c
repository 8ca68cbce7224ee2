/* See mt-rule-view.h. Everything of the rule is turned into assignments as shown right at the start,
 * by flipping the inputs shown negated; from there on nothing knows of the rule's own polarity. */
#include "config.h"
#include "mt-rule-view.h"

#include <string.h>

#include "base/mt-planes.h"

#define XOR_MAX_INPUTS 8

typedef struct {
  gboolean  is_there;
  guint     n_terms;
  guint     n_literals;
  gboolean  proven;
  guint64  *sets;         /* n_terms × n_words: what the term covers, or the clause rules out */
} Form;

struct _MtRuleView {
  gatomicrefcount  ref_count;
  MtRuleBook      *book;
  guint            term;
  MtRule          *rule;
  guint            n_inputs;
  guint32          flips;
  gsize            n_words;
  guint64         *table;
  guint64         *impossible;
  guint8          *marks;
  guint8          *says;         /* of MtNodeSays */
  gsize           *n_rows;
  guint32         *class_rows;   /* n_assignments × n_classes */
  double          *sums;
  guint16         *patterns;     /* a row */

  Form             forms[MT_N_PHRASE_FORMS];
  MtCover          clauses;
  MtXorCover       parities;

  MtDiagram       *diagram;
  GArray          *paths;        /* of MtCube */
  guint32         *path_of;
  double          *shares;
};

/* --- making --- */

guint32
mt_rule_find_flips (const MtRule *rule)
{
  guint32 plain = 0, negated = 0;

  for (guint c = 0; c < mt_rule_get_n_cubes (rule); c++)
    {
      const MtCube *cube = &mt_rule_get_cubes (rule)[c];

      plain |= cube->mask & cube->value;
      negated |= cube->mask & ~cube->value;
    }
  return negated & ~plain;
}

static void
flip_table (guint          n_inputs,
            guint32        flips,
            const guint64 *from,
            guint64       *to)
{
  mt_truth_table_copy (n_inputs, from, to);
  for (guint32 rest = flips; rest != 0; rest &= rest - 1)
    mt_truth_table_flip (n_inputs, to, (guint) __builtin_ctz (rest), to);
}

void
mt_rule_fill_shown_table (const MtRule *rule,
                          guint64      *table)
{
  flip_table (mt_rule_get_n_inputs (rule), mt_rule_find_flips (rule), mt_rule_get_table (rule), table);
}

static void
make_table (MtRuleView *self)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);
  g_autofree guint64 *impossible = g_new0 (guint64, self->n_words);
  guint32 n = mt_rule_view_get_n_assignments (self);

  self->table = g_new (guint64, self->n_words);
  mt_rule_fill_shown_table (self->rule, self->table);
  mt_encoder_impossible (encoder, mt_rule_get_inputs (self->rule), self->n_inputs, impossible);
  self->impossible = g_new (guint64, self->n_words);
  flip_table (self->n_inputs, self->flips, impossible, self->impossible);

  self->marks = g_new0 (guint8, n);
  for (guint32 v = 0; v < n; v++)
    {
      static const guint marks[MT_N_DONT_CARES] = { MT_ROW_IMPOSSIBLE, MT_ROW_UNSEEN, MT_ROW_NEUTRAL };

      if (mt_truth_table_get (self->impossible, v))
        self->marks[v] |= MT_ROW_IMPOSSIBLE;
      for (guint d = 0; d < MT_N_DONT_CARES; d++)
        {
          const guint64 *set = mt_rule_get_dont_care (self->rule, (MtDontCare) d);

          if (set != NULL && mt_truth_table_get (set, v ^ self->flips))
            self->marks[v] |= (guint8) (marks[d] | MT_ROW_FREE);
        }
    }
}

static void
count_patterns (MtRuleView *self)
{
  const MtEncoded *encoded = mt_rule_book_get_encoded (self->book);
  const double *values = mt_rule_book_get_values (self->book);
  guint n_classes = mt_rule_book_get_n_classes (self->book);
  guint32 n = mt_rule_view_get_n_assignments (self);
  gsize n_rows = mt_rule_book_get_n_rows (self->book);

  self->n_rows = g_new0 (gsize, n);
  self->class_rows = g_new0 (guint32, (gsize) n * n_classes + 1);
  self->sums = g_new0 (double, n);
  self->patterns = g_new0 (guint16, MAX (1, n_rows));
  if (encoded == NULL)
    return;
  for (guint i = 0; i < self->n_inputs; i++)
    {
      const guint64 *plane = mt_encoded_get_plane (encoded, mt_rule_get_inputs (self->rule)[i]);
      guint64 flip = (self->flips >> i & 1) != 0 ? G_MAXUINT64 : 0;

      for (gsize r = 0; r < n_rows; r++)
        self->patterns[r] |= (guint16) (((plane[r / 64] ^ flip) >> (r % 64) & 1) << i);
    }
  for (gsize r = 0; r < n_rows; r++)
    {
      guint32 v = self->patterns[r];

      self->n_rows[v]++;
      if (n_classes > 0)
        self->class_rows[(gsize) v * n_classes + (guint) values[r]]++;
      else
        self->sums[v] += values[r];
    }
  for (guint32 v = 0; v < n; v++)
    if (self->n_rows[v] == 0 && (self->marks[v] & MT_ROW_IMPOSSIBLE) == 0)
      self->marks[v] |= MT_ROW_UNSEEN;
}

static void
ask_network (MtRuleView *self)
{
  const MtOrigin *origin = mt_rule_get_origin (self->rule);
  guint32 n = mt_rule_view_get_n_assignments (self);
  /* Where the minimizer may have chosen, or it was never checked. */
  guint chosen = MT_ROW_IMPOSSIBLE | MT_ROW_UNSEEN;
  g_autofree guint8 *own = g_new0 (guint8, n);      /* by the rule's own literals */

  self->says = g_new0 (guint8, n);
  if (origin == NULL)
    return;
  mt_origin_answer (origin, mt_rule_book_get_encoder (self->book), mt_rule_get_inputs (self->rule), self->n_inputs,
                    own);
  for (guint32 v = 0; v < n; v++)
    {
      MtNodeSays now = mt_rule_view_get_output (self, v) ? MT_SAYS_YES : MT_SAYS_NO;

      self->says[v] = own[v ^ self->flips];
      if (self->says[v] != MT_SAYS_NOTHING && self->says[v] != now && (self->marks[v] & chosen) == 0)
        self->marks[v] |= MT_ROW_REFINED;
    }
}

static void
begin_form (MtRuleView   *self,
            MtPhraseForm  which,
            guint         n_terms,
            guint         n_literals,
            gboolean      proven)
{
  self->forms[which] = (Form) { TRUE, n_terms, n_literals, proven,
                                g_new0 (guint64, MAX (1, n_terms * self->n_words)) };
}

/* Whether term @t of a form covers assignment @v of the rule's own literals. */
static gboolean
covers (const MtRuleView *self,
        MtPhraseForm      form,
        guint             t,
        guint32           v)
{
  if (form == MT_PHRASE_DNF)
    return mt_cube_covers (&mt_rule_get_cubes (self->rule)[t], v);
  if (form == MT_PHRASE_CNF)
    return mt_cube_covers (&self->clauses.cubes[t], v);
  return mt_xor_cube_covers (&self->parities.cubes[t], v);
}

static gboolean
make_forms (MtRuleView   *self,
            GCancellable *cancellable)
{
  MtQmcOptions options = { 0, cancellable };
  const guint64 *table = mt_rule_get_table (self->rule);

  begin_form (self, MT_PHRASE_DNF, mt_rule_get_n_cubes (self->rule), mt_rule_get_n_literals (self->rule),
              mt_rule_get_proven (self->rule));
  if (!mt_qmc_minimize_cnf (self->n_inputs, table, NULL, &options, &self->clauses))
    return FALSE;
  begin_form (self, MT_PHRASE_CNF, self->clauses.n_cubes, self->clauses.n_literals, self->clauses.proven);
  if (self->n_inputs >= 2 && self->n_inputs <= XOR_MAX_INPUTS)
    {
      if (!mt_qmc_minimize_xor (self->n_inputs, table, NULL, &options, &self->parities))
        return FALSE;
      if (self->parities.n_literals < mt_rule_get_n_literals (self->rule))
        begin_form (self, MT_PHRASE_XOR, self->parities.n_cubes, self->parities.n_literals, self->parities.proven);
    }
  for (guint f = 0; f < MT_N_PHRASE_FORMS; f++)
    for (guint t = 0; t < self->forms[f].n_terms; t++)
      for (guint32 v = 0; v < mt_rule_view_get_n_assignments (self); v++)
        if (covers (self, (MtPhraseForm) f, t, v ^ self->flips))
          mt_truth_table_set (self->forms[f].sets + t * self->n_words, v, TRUE);
  return TRUE;
}

static gboolean
note_path (MtCube   path,
           gboolean leaf,
           gpointer data)
{
  MtRuleView *self = data;
  guint32 free_bits = (mt_rule_view_get_n_assignments (self) - 1) & ~path.mask, v = 0;

  /* All ways to fill in what the path does not ask. */
  do
    {
      self->path_of[path.value | v] = self->paths->len;
      v = (v - free_bits) & free_bits;
    }
  while (v != 0);
  g_array_append_val (self->paths, path);
  return TRUE;
}

static void
make_diagram (MtRuleView *self)
{
  guint n_lines;
  gsize n_rows = mt_rule_book_get_n_rows (self->book);
  guint trace[MT_RULE_MAX_INPUTS + 1];

  self->diagram = mt_diagram_new (self->n_inputs, self->table);
  self->paths = g_array_new (FALSE, FALSE, sizeof (MtCube));
  self->path_of = g_new0 (guint32, mt_rule_view_get_n_assignments (self));
  mt_diagram_foreach_path (self->diagram, note_path, self);
  n_lines = 2 * (mt_diagram_get_n_nodes (self->diagram) - MT_DIAGRAM_FIRST_INNER);
  self->shares = g_new0 (double, MAX (1, n_lines));
  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (self); v++)
    if (self->n_rows[v] > 0)
      {
        guint n = mt_diagram_trace (self->diagram, v, trace);

        for (guint i = 0; i + 1 < n; i++)
          {
            gboolean high = (v >> mt_diagram_get_nodes (self->diagram)[trace[i]].input & 1) != 0;

            self->shares[mt_diagram_line_number (trace[i], high)] += (double) self->n_rows[v] / (double) n_rows;
          }
      }
}

MtRuleView *
mt_rule_view_new (MtRuleBook   *book,
                  guint         term,
                  GCancellable *cancellable)
{
  g_autoptr (MtRuleView) self = NULL;
  const MtTerm *about;

  g_return_val_if_fail (book != NULL, NULL);
  about = mt_rule_set_get_term (mt_rule_book_get_rules (book), term);
  g_return_val_if_fail (about != NULL && !about->is_numeric, NULL);

  self = g_new0 (MtRuleView, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->book = mt_rule_book_ref (book);
  self->term = term;
  self->rule = mt_rule_ref (about->rule);
  self->n_inputs = mt_rule_get_n_inputs (self->rule);
  self->n_words = mt_truth_table_n_words (self->n_inputs);
  self->flips = mt_rule_find_flips (self->rule);
  make_table (self);
  count_patterns (self);
  ask_network (self);
  if (!make_forms (self, cancellable))
    return NULL;
  make_diagram (self);
  return g_steal_pointer (&self);
}

MtRuleView *
mt_rule_view_ref (MtRuleView *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_rule_view_unref (MtRuleView *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint f = 0; f < MT_N_PHRASE_FORMS; f++)
    g_free (self->forms[f].sets);
  mt_cover_clear (&self->clauses);
  mt_xor_cover_clear (&self->parities);
  g_clear_pointer (&self->diagram, mt_diagram_unref);
  g_clear_pointer (&self->paths, g_array_unref);
  g_free (self->path_of);
  g_free (self->shares);
  g_free (self->table);
  g_free (self->impossible);
  g_free (self->marks);
  g_free (self->says);
  g_free (self->n_rows);
  g_free (self->class_rows);
  g_free (self->sums);
  g_free (self->patterns);
  mt_rule_unref (self->rule);
  mt_rule_book_unref (self->book);
  g_free (self);
}

/* --- reading --- */

MtRuleBook *
mt_rule_view_get_book (const MtRuleView *self)
{
  return self->book;
}

guint
mt_rule_view_get_term (const MtRuleView *self)
{
  return self->term;
}

const MtRule *
mt_rule_view_get_rule (const MtRuleView *self)
{
  return self->rule;
}

guint
mt_rule_view_get_n_inputs (const MtRuleView *self)
{
  return self->n_inputs;
}

guint32
mt_rule_view_get_flips (const MtRuleView *self)
{
  return self->flips;
}

char *
mt_rule_view_dup_input_name (const MtRuleView *self,
                             guint             input)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);

  g_return_val_if_fail (input < self->n_inputs, NULL);
  return mt_encoder_dup_column_text (encoder, mt_encoder_get_literal (encoder, mt_rule_get_inputs (self->rule)[input])
                                              ->column);
}

char *
mt_rule_view_dup_input_rest (const MtRuleView *self,
                             guint             input)
{
  g_return_val_if_fail (input < self->n_inputs, NULL);
  return mt_phrase_dup_rest (mt_rule_book_get_encoder (self->book), mt_rule_get_inputs (self->rule)[input],
                             (self->flips >> input & 1) != 0, TRUE);
}

guint32
mt_rule_view_get_n_assignments (const MtRuleView *self)
{
  return (guint32) 1 << self->n_inputs;
}

gboolean
mt_rule_view_get_output (const MtRuleView *self,
                         guint32           assignment)
{
  return mt_truth_table_get (self->table, assignment);
}

guint
mt_rule_view_get_marks (const MtRuleView *self,
                        guint32           assignment)
{
  return self->marks[assignment];
}

MtNodeSays
mt_rule_view_get_network (const MtRuleView *self,
                          guint32           assignment)
{
  return (MtNodeSays) self->says[assignment];
}

gsize
mt_rule_view_get_n_rows (const MtRuleView *self,
                         guint32           assignment)
{
  return self->n_rows[assignment];
}

gsize
mt_rule_view_get_class_rows (const MtRuleView *self,
                             guint32           assignment,
                             guint             class)
{
  g_return_val_if_fail (class < mt_rule_book_get_n_classes (self->book), 0);
  return self->class_rows[(gsize) assignment * mt_rule_book_get_n_classes (self->book) + class];
}

double
mt_rule_view_get_mean (const MtRuleView *self,
                       guint32           assignment)
{
  return self->n_rows[assignment] > 0 ? self->sums[assignment] / (double) self->n_rows[assignment] : 0;
}

guint
mt_rule_view_count_marks (const MtRuleView *self,
                          MtRowMark            mark)
{
  guint n = 0;

  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (self); v++)
    n += (self->marks[v] & mark) != 0;
  return n;
}

int
mt_rule_view_get_first_term (const MtRuleView *self,
                             MtPhraseForm      form,
                             guint32           assignment)
{
  for (guint t = 0; t < self->forms[form].n_terms; t++)
    if (mt_truth_table_get (self->forms[form].sets + t * self->n_words, assignment))
      return (int) t;
  return -1;
}

gboolean
mt_rule_view_has_form (const MtRuleView *self,
                       MtPhraseForm      form)
{
  return self->forms[form].is_there;
}

guint
mt_rule_view_get_n_terms (const MtRuleView *self,
                          MtPhraseForm      form)
{
  return self->forms[form].n_terms;
}

guint
mt_rule_view_get_n_literals (const MtRuleView *self,
                             MtPhraseForm      form)
{
  return self->forms[form].n_literals;
}

gboolean
mt_rule_view_get_proven (const MtRuleView *self,
                         MtPhraseForm      form)
{
  return self->forms[form].proven;
}

MtPhrase *
mt_rule_view_make_phrase (const MtRuleView *self,
                          MtPhraseForm      form,
                          gboolean          words)
{
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);

  g_return_val_if_fail (self->forms[form].is_there, NULL);
  if (form == MT_PHRASE_CNF)
    return mt_phrase_new_cnf (self->rule, encoder, &self->clauses, words);
  if (form == MT_PHRASE_XOR)
    return mt_phrase_new_xor (self->rule, encoder, &self->parities, words);
  return mt_phrase_new (self->rule, encoder, words);
}

const MtDiagram *
mt_rule_view_get_diagram (const MtRuleView *self)
{
  return self->diagram;
}

guint
mt_rule_view_get_n_paths (const MtRuleView *self)
{
  return self->paths->len;
}

guint
mt_rule_view_get_path_of (const MtRuleView *self,
                          guint32           assignment)
{
  return self->path_of[assignment];
}

const double *
mt_rule_view_get_shares (const MtRuleView *self)
{
  return self->shares;
}

guint32
mt_rule_view_get_pattern (const MtRuleView *self,
                          gsize             row)
{
  g_return_val_if_fail (row < mt_rule_book_get_n_rows (self->book), 0);
  return self->patterns[row];
}

/* --- sets --- */

gsize
mt_rule_view_get_n_words (const MtRuleView *self)
{
  return self->n_words;
}

static void
leave_out_impossible (const MtRuleView *self,
                      guint64          *set)
{
  if (!mt_truth_table_implies (self->n_inputs, set, self->impossible))
    mt_truth_table_and_not (self->n_inputs, set, self->impossible, set);
}

void
mt_rule_view_set_true (const MtRuleView *self,
                       guint64          *set)
{
  mt_truth_table_copy (self->n_inputs, self->table, set);
  leave_out_impossible (self, set);
}

void
mt_rule_view_set_assignment (const MtRuleView *self,
                             guint32           assignment,
                             guint64          *set)
{
  mt_truth_table_fill (self->n_inputs, FALSE, set);
  mt_truth_table_set (set, assignment, TRUE);
}

void
mt_rule_view_set_term (const MtRuleView *self,
                       MtPhraseForm      form,
                       guint             term,
                       guint64          *set)
{
  g_return_if_fail (term < self->forms[form].n_terms);
  mt_truth_table_copy (self->n_inputs, self->forms[form].sets + term * self->n_words, set);
  leave_out_impossible (self, set);
}

void
mt_rule_view_set_path (const MtRuleView *self,
                       guint             path,
                       guint64          *set)
{
  mt_truth_table_fill (self->n_inputs, FALSE, set);
  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (self); v++)
    if (self->path_of[v] == path)
      mt_truth_table_set (set, v, TRUE);
  leave_out_impossible (self, set);
}

/* @line: a line's number, or -1 for any way into @node. */
static void
set_passing (const MtRuleView *self,
             guint             node,
             int               line,
             guint64          *set)
{
  guint trace[MT_RULE_MAX_INPUTS + 1];

  mt_truth_table_fill (self->n_inputs, FALSE, set);
  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (self); v++)
    {
      guint n = mt_diagram_trace (self->diagram, v, trace);

      for (guint i = 0; i < n; i++)
        if (trace[i] == node &&
            (line < 0 || (guint) line == mt_diagram_line_number (node, v >> mt_diagram_get_nodes (self->diagram)[node]
                                                                        .input & 1)))
          mt_truth_table_set (set, v, TRUE);
    }
  leave_out_impossible (self, set);
}

void
mt_rule_view_set_node (const MtRuleView *self,
                       guint             node,
                       guint64          *set)
{
  set_passing (self, node, -1, set);
}

void
mt_rule_view_set_line (const MtRuleView *self,
                       guint             line,
                       guint64          *set)
{
  set_passing (self, MT_DIAGRAM_FIRST_INNER + line / 2, (int) line, set);
}

gboolean
mt_rule_view_lights_term (const MtRuleView *self,
                          const guint64    *set,
                          MtPhraseForm      form,
                          guint             term)
{
  const guint64 *covered = self->forms[form].sets + term * self->n_words;

  g_return_val_if_fail (term < self->forms[form].n_terms, FALSE);
  for (gsize w = 0; w < self->n_words; w++)
    if ((set[w] & covered[w]) != 0)
      return TRUE;
  return FALSE;
}

void
mt_rule_view_light_diagram (const MtRuleView *self,
                            const guint64    *set,
                            gboolean         *nodes,
                            gboolean         *lines)
{
  guint n_nodes = mt_diagram_get_n_nodes (self->diagram);
  const MtDiagramNode *all = mt_diagram_get_nodes (self->diagram);
  guint trace[MT_RULE_MAX_INPUTS + 1];

  memset (nodes, 0, n_nodes * sizeof *nodes);
  memset (lines, 0, 2 * (n_nodes - MT_DIAGRAM_FIRST_INNER) * sizeof *lines);
  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (self); v++)
    if (mt_truth_table_get (set, v))
      {
        guint n = mt_diagram_trace (self->diagram, v, trace);

        for (guint i = 0; i < n; i++)
          {
            nodes[trace[i]] = TRUE;
            if (i + 1 < n)
              lines[mt_diagram_line_number (trace[i], v >> all[trace[i]].input & 1)] = TRUE;
          }
      }
}

gsize
mt_rule_view_count_rows (const MtRuleView *self,
                         const guint64    *set)
{
  gsize n = 0;

  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (self); v++)
    if (mt_truth_table_get (set, v))
      n += self->n_rows[v];
  return n;
}

gsize
mt_rule_view_count_class (const MtRuleView *self,
                          const guint64    *set,
                          guint             class)
{
  gsize n = 0;

  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (self); v++)
    if (mt_truth_table_get (set, v))
      n += mt_rule_view_get_class_rows (self, v, class);
  return n;
}

double
mt_rule_view_average (const MtRuleView *self,
                      const guint64    *set)
{
  gsize n = mt_rule_view_count_rows (self, set);
  double sum = 0;

  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (self); v++)
    if (mt_truth_table_get (set, v))
      sum += self->sums[v];
  return n > 0 ? sum / (double) n : 0;
}

gsize
mt_rule_view_list_rows (const MtRuleView *self,
                        const guint64    *set,
                        guint32          *rows)
{
  gsize n = 0, n_rows = mt_rule_book_get_n_rows (self->book);

  for (gsize r = 0; r < n_rows; r++)
    if (mt_truth_table_get (set, self->patterns[r]))
      rows[n++] = (guint32) r;
  return n;
}
