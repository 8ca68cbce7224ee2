/* The rule browser's ground: facts of terms, and the sets that link truth table, formula, diagram
 * and rows, each against counting by hand. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "mt-core.h"
#include "sample-models.h"

typedef struct {
  MtTable    *table;
  MtModel    *model;
  MtEncoded  *encoded;
  MtTruth    *truth;
  double     *values;
  MtRuleBook *book;
} Sample;

static void
sample_init (Sample  *sample,
             MtTask   task,
             gsize    n_rows,
             guint    n_rules,
             guint64  seed)
{
  g_autoptr (GError) error = NULL;
  MtRuleBookParts parts = { NULL };

  sample->table = mt_test_sample_table (task, n_rows, seed);
  sample->model = mt_test_sample_model (task, sample->table, n_rules, seed + 1);
  sample->encoded = mt_encoder_apply (mt_model_get_encoder (sample->model), sample->table, NULL, n_rows, NULL, &error);
  g_assert_no_error (error);
  sample->truth = mt_model_read_truth (sample->model, sample->table, "y", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sample->truth->n_rows, ==, n_rows);
  sample->values = g_new (double, n_rows);
  for (gsize r = 0; r < n_rows; r++)
    sample->values[r] = task == MT_TASK_REGRESSION ? sample->truth->values[r] : sample->truth->classes[r];
  parts.encoder = (MtEncoder *) mt_model_get_encoder (sample->model);
  parts.rules = (MtRuleSet *) mt_model_get_rules (sample->model);
  parts.target = "y";
  parts.classes = mt_model_get_info (sample->model)->classes;
  parts.dont_care = MT_DONT_CARE_MODE_UNSEEN;
  parts.table = sample->table;
  parts.encoded = sample->encoded;
  parts.values = sample->values;
  parts.row_numbers = sample->truth->rows;
  sample->book = mt_rule_book_new (&parts, NULL, NULL);
}

static void
sample_clear (Sample *sample)
{
  mt_rule_book_unref (sample->book);
  g_free (sample->values);
  mt_truth_free (sample->truth);
  mt_encoded_unref (sample->encoded);
  mt_model_unref (sample->model);
  mt_table_unref (sample->table);
}

/* The assignment of a row as shown, from the literals' own planes. */
static guint32
shown_assignment (const Sample     *sample,
                  const MtRuleView *view,
                  gsize             row)
{
  const MtRule *rule = mt_rule_view_get_rule (view);
  guint32 v = 0;

  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    {
      g_autofree char *name = mt_rule_view_dup_input_name (view, i);
      g_autofree char *rest = mt_rule_view_dup_input_rest (view, i);
      gboolean truth = mt_plane_get (mt_encoded_get_plane (sample->encoded, mt_rule_get_inputs (rule)[i]), row);

      g_assert_nonnull (name);
      g_assert_nonnull (rest);
      v |= ((truth ? 1u : 0u) ^ (mt_rule_view_get_flips (view) >> i & 1)) << i;
    }
  return v;
}

/* What is said of a rule, against rows counted one by one. */
static void
check_rule_facts (const Sample *sample,
                  const MtRule *rule,
                  const MtTermFacts *facts)
{
  guint n_classes = mt_rule_book_get_n_classes (sample->book);
  gsize n_rows = mt_rule_book_get_n_rows (sample->book);
  g_autofree guint64 *plane = g_new (guint64, mt_encoded_get_n_words (sample->encoded));
  g_autofree double *inside = g_new0 (double, n_classes + 1);
  g_autofree double *outside = g_new0 (double, n_classes + 1);
  double n = 0, sum_inside = 0, sum_outside = 0;

  mt_rule_evaluate (rule, sample->encoded, 0, mt_encoded_get_n_words (sample->encoded), plane);
  for (gsize r = 0; r < n_rows; r++)
    {
      gboolean is_true = mt_plane_get (plane, r);
      guint class = n_classes > 0 ? (guint) sample->values[r] : 0;

      n += is_true;
      *(is_true ? &sum_inside : &sum_outside) += sample->values[r];
      *(is_true ? &inside[class] : &outside[class]) += 1;
    }
  g_assert_cmpuint (facts->support, ==, (gsize) n);
  for (guint c = 0; c < n_classes; c++)
    {
      double rate = n > 0 ? inside[c] / n : 0, all = inside[c] + outside[c], rest = (double) n_rows - n - outside[c];

      g_assert_cmpuint (facts->hits[c], ==, (gsize) inside[c]);
      g_assert_cmpfloat_with_epsilon (facts->hit_rate[c], rate, 1e-12);
      g_assert_cmpfloat_with_epsilon (facts->lift[c], all > 0 ? rate / (all / (double) n_rows) : 0, 1e-12);
      g_assert_cmpfloat_with_epsilon (facts->odds_ratio[c] * (n - inside[c] + .5) * (outside[c] + .5),
                                      (inside[c] + .5) * (rest + .5), 1e-6);
    }
  if (n_classes == 2)
    g_assert_cmpfloat_with_epsilon (facts->odds_ratio[0] * facts->odds_ratio[1], 1, 1e-12);
  if (n_classes == 0)
    {
      g_assert_cmpfloat_with_epsilon (facts->mean_inside, n > 0 ? sum_inside / n : 0, 1e-9);
      g_assert_cmpfloat_with_epsilon (facts->mean_outside, n < (double) n_rows ? sum_outside / ((double) n_rows - n) : 0,
                                      1e-9);
    }
}

static void
check_facts (const Sample *sample)
{
  const MtRuleSet *rules = mt_rule_book_get_rules (sample->book);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTermFacts *facts = mt_rule_book_get_facts (sample->book, t);
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric)
        {
          g_assert_cmpuint (facts->support, ==, mt_rule_book_get_n_rows (sample->book));
          g_assert_cmpfloat (facts->effects[0], ==,
                             term->weights[0] / mt_term_get_unary (term, mt_rule_book_get_encoder (sample->book))->sd);
          g_assert_cmpuint (mt_rule_book_get_number (sample->book, t), ==, 0);
          continue;
        }
      check_rule_facts (sample, term->rule, facts);
      g_assert_cmpuint (facts->n_literals, ==, mt_rule_get_n_literals (term->rule));
    }
}

static void
check_counts (const Sample     *sample,
              const MtRuleView *view)
{
  guint n_classes = mt_rule_book_get_n_classes (sample->book);
  guint32 n = mt_rule_view_get_n_assignments (view);
  g_autofree gsize *rows = g_new0 (gsize, n);
  g_autofree gsize *firsts = g_new0 (gsize, n);
  g_autofree double *sums = g_new0 (double, n);
  g_autofree guint64 *plane = g_new (guint64, mt_encoded_get_n_words (sample->encoded));

  mt_rule_evaluate (mt_rule_view_get_rule (view), sample->encoded, 0, mt_encoded_get_n_words (sample->encoded), plane);
  for (gsize r = 0; r < mt_rule_book_get_n_rows (sample->book); r++)
    {
      guint32 v = shown_assignment (sample, view, r);

      g_assert_cmpuint (mt_rule_view_get_pattern (view, r), ==, v);
      g_assert_cmpint (mt_rule_view_get_output (view, v), ==, mt_plane_get (plane, r));
      g_assert_cmpuint (mt_rule_view_get_marks (view, v) & (MT_ROW_IMPOSSIBLE | MT_ROW_UNSEEN), ==, 0);
      rows[v]++;
      firsts[v] += sample->values[r] == 0;
      sums[v] += sample->values[r];
    }
  for (guint32 v = 0; v < n; v++)
    {
      g_assert_cmpuint (mt_rule_view_get_n_rows (view, v), ==, rows[v]);
      if (n_classes > 0)
        g_assert_cmpuint (mt_rule_view_get_class_rows (view, v, 0), ==, firsts[v]);
      else if (rows[v] > 0)
        g_assert_cmpfloat_with_epsilon (mt_rule_view_get_mean (view, v), sums[v] / (double) rows[v], 1e-9);
      if (rows[v] == 0)
        g_assert_cmpuint (mt_rule_view_get_marks (view, v) & (MT_ROW_IMPOSSIBLE | MT_ROW_UNSEEN), !=, 0);
    }
}

/* A term covers an assignment iff all of its literals say so: told apart from cubes by hand. */
static gboolean
term_covers (const MtRuleView *view,
             guint             term,
             guint32           shown)
{
  const MtRule *rule = mt_rule_view_get_rule (view);
  const MtCube *cube = &mt_rule_get_cubes (rule)[term];
  guint32 v = shown ^ mt_rule_view_get_flips (view);

  for (guint i = 0; i < mt_rule_get_n_inputs (rule); i++)
    if ((cube->mask >> i & 1) && (cube->value >> i & 1) != (v >> i & 1))
      return FALSE;
  return TRUE;
}

/* Walks the diagram from the root, and says whether the way takes the line; -1: passes the node. */
static gboolean
way_takes (const MtDiagram *diagram,
           guint32          v,
           guint            node,
           int              high)
{
  const MtDiagramNode *nodes = mt_diagram_get_nodes (diagram);
  guint at = mt_diagram_get_root (diagram);

  while (TRUE)
    {
      gboolean answer;

      if (at == node && high < 0)
        return TRUE;
      if (at < MT_DIAGRAM_FIRST_INNER)
        return FALSE;
      answer = v >> nodes[at].input & 1;
      if (at == node && answer == high)
        return TRUE;
      at = answer ? nodes[at].high : nodes[at].low;
    }
}

typedef gboolean (*Member) (const MtRuleView *view, guint index, guint32 v);

static gboolean
in_term (const MtRuleView *view,
         guint             index,
         guint32           v)
{
  return term_covers (view, index, v);
}

static gboolean
in_path (const MtRuleView *view,
         guint             index,
         guint32           v)
{
  return mt_rule_view_get_path_of (view, v) == index;
}

static gboolean
in_node (const MtRuleView *view,
         guint             index,
         guint32           v)
{
  return way_takes (mt_rule_view_get_diagram (view), v, index, -1);
}

static gboolean
in_line (const MtRuleView *view,
         guint             index,
         guint32           v)
{
  return way_takes (mt_rule_view_get_diagram (view), v, MT_DIAGRAM_FIRST_INNER + index / 2, (int) (index & 1));
}

/* NULL, or what is wrong with a set. */
static const char *
find_fault (const MtRuleView *view,
            Member            member,
            guint             index,
            const guint64    *set)
{
  gboolean any_possible = FALSE;

  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
    any_possible |= member (view, index, v) && !(mt_rule_view_get_marks (view, v) & MT_ROW_IMPOSSIBLE);
  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
    {
      gboolean wanted = member (view, index, v) &&
                        (!any_possible || !(mt_rule_view_get_marks (view, v) & MT_ROW_IMPOSSIBLE));

      if (wanted && !mt_truth_table_get (set, v))
        return "an assignment is absent";
      if (!wanted && mt_truth_table_get (set, v))
        return "an assignment too many";
    }
  return NULL;
}

/* What a set lights in the diagram and how many rows it has, by walking for every assignment. */
static void
check_lights (const Sample     *sample,
              const MtRuleView *view,
              const guint64    *set)
{
  const MtDiagram *diagram = mt_rule_view_get_diagram (view);
  guint n_nodes = mt_diagram_get_n_nodes (diagram);
  guint n_lines = 2 * (n_nodes - MT_DIAGRAM_FIRST_INNER);
  g_autofree gboolean *nodes = g_new (gboolean, n_nodes);
  g_autofree gboolean *lines = g_new (gboolean, n_lines);
  g_autofree guint32 *rows = g_new (guint32, mt_rule_book_get_n_rows (sample->book));
  gsize n_rows, at = 0;

  mt_rule_view_light_diagram (view, set, nodes, lines);
  for (guint i = 0; i < n_nodes; i++)
    {
      gboolean wanted = FALSE;

      for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
        wanted |= mt_truth_table_get (set, v) && in_node (view, i, v);
      g_assert_cmpint (nodes[i], ==, wanted);
    }
  for (guint i = 0; i < n_lines; i++)
    {
      gboolean wanted = FALSE;

      for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
        wanted |= mt_truth_table_get (set, v) && in_line (view, i, v);
      g_assert_cmpint (lines[i], ==, wanted);
    }
  for (guint t = 0; t < mt_rule_view_get_n_terms (view, MT_PHRASE_DNF); t++)
    {
      gboolean wanted = FALSE;

      for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
        wanted |= mt_truth_table_get (set, v) && term_covers (view, t, v);
      g_assert_cmpint (mt_rule_view_lights_term (view, set, MT_PHRASE_DNF, t), ==, wanted);
    }
  n_rows = mt_rule_view_list_rows (view, set, rows);
  g_assert_cmpuint (n_rows, ==, mt_rule_view_count_rows (view, set));
  for (gsize r = 0; r < mt_rule_book_get_n_rows (sample->book); r++)
    if (mt_truth_table_get (set, shown_assignment (sample, view, r)))
      g_assert_cmpuint (rows[at++], ==, r);
  g_assert_cmpuint (at, ==, n_rows);
}

static void
check_sets (const Sample     *sample,
            const MtRuleView *view)
{
  guint64 set[MT_TRUTH_TABLE_MAX_WORDS];
  guint n_nodes = mt_diagram_get_n_nodes (mt_rule_view_get_diagram (view));

  for (guint t = 0; t < mt_rule_view_get_n_terms (view, MT_PHRASE_DNF); t++)
    {
      mt_rule_view_set_term (view, MT_PHRASE_DNF, t, set);
      g_assert_cmpstr (find_fault (view, in_term, t, set), ==, NULL);
      check_lights (sample, view, set);
    }
  for (guint p = 0; p < mt_rule_view_get_n_paths (view); p++)
    {
      mt_rule_view_set_path (view, p, set);
      g_assert_cmpstr (find_fault (view, in_path, p, set), ==, NULL);
      check_lights (sample, view, set);
    }
  for (guint i = 0; i < n_nodes; i++)
    {
      mt_rule_view_set_node (view, i, set);
      g_assert_cmpstr (find_fault (view, in_node, i, set), ==, NULL);
    }
  for (guint i = 0; i < 2 * (n_nodes - MT_DIAGRAM_FIRST_INNER); i++)
    {
      mt_rule_view_set_line (view, i, set);
      g_assert_cmpstr (find_fault (view, in_line, i, set), ==, NULL);
    }
  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
    {
      mt_rule_view_set_assignment (view, v, set);
      g_assert_cmpuint (mt_truth_table_count (mt_rule_view_get_n_inputs (view), set), ==, 1);
      check_lights (sample, view, set);
      /* The comparison would notice one bit. */
      mt_rule_view_set_term (view, MT_PHRASE_DNF, 0, set);
      mt_truth_table_set (set, v, !mt_truth_table_get (set, v));
      g_assert_nonnull (find_fault (view, in_term, 0, set));
    }
}

/* Diagram, DNF, CNF and XOR say what the table says, on every assignment. */
static void
check_forms (const MtRuleView *view)
{
  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
    {
      gboolean output = mt_rule_view_get_output (view, v);
      gboolean is_excluded = mt_rule_view_get_first_term (view, MT_PHRASE_CNF, v) >= 0;

      g_assert_cmpint (mt_diagram_evaluate (mt_rule_view_get_diagram (view), v), ==, output);
      g_assert_cmpint (mt_rule_view_get_first_term (view, MT_PHRASE_DNF, v) >= 0, ==, output);
      g_assert_cmpint (is_excluded, ==, !output);
      if (mt_rule_view_has_form (view, MT_PHRASE_XOR))
        g_assert_cmpint (mt_rule_view_get_first_term (view, MT_PHRASE_XOR, v) >= 0, ==, output);
    }
  if (mt_rule_view_has_form (view, MT_PHRASE_XOR))
    g_assert_cmpuint (mt_rule_view_get_n_literals (view, MT_PHRASE_XOR), <,
                      mt_rule_view_get_n_literals (view, MT_PHRASE_DNF));
}

static void
check_phrases (const MtRuleView *view)
{
  for (guint f = 0; f < MT_N_PHRASE_FORMS; f++)
    for (guint words = 0; words < 2 && mt_rule_view_has_form (view, (MtPhraseForm) f); words++)
      {
        g_autoptr (MtPhrase) phrase = mt_rule_view_make_phrase (view, (MtPhraseForm) f, words != 0);
        g_autofree char *text = mt_phrase_dup_text (phrase);
        g_autofree char *markup = mt_phrase_dup_markup (phrase, "#1a5fb4");
        g_autofree char *plain = NULL;
        guint n_names = 0;

        g_assert_cmpuint (phrase->n_terms, ==, mt_rule_view_get_n_terms (view, (MtPhraseForm) f));
        for (guint i = 0; i < phrase->n_pieces; i++)
          n_names += phrase->pieces[i].kind == MT_PIECE_NAME;
        g_assert_cmpuint (n_names, ==, mt_rule_view_get_n_literals (view, (MtPhraseForm) f));
        g_assert_true (pango_parse_markup (markup, -1, 0, NULL, &plain, NULL, NULL));
        g_assert_cmpstr (plain, ==, text);
      }
}

static void
test_links (void)
{
  for (guint task = MT_TASK_BINARY; task <= MT_TASK_REGRESSION; task++)
    for (guint64 seed = 1; seed < 4; seed++)
      {
        Sample sample;
        guint n_views = 0;

        sample_init (&sample, (MtTask) task, 150 + 40 * seed, 12, seed * 100);
        check_facts (&sample);
        for (guint t = 0; t < mt_rule_book_get_n_terms (sample.book); t++)
          if (mt_rule_book_get_number (sample.book, t) > 0)
            {
              g_autoptr (MtRuleView) view = mt_rule_view_new (sample.book, t, NULL);

              check_counts (&sample, view);
              check_sets (&sample, view);
              check_forms (view);
              check_phrases (view);
              n_views++;
            }
        g_assert_cmpuint (n_views, >, 5);
        sample_clear (&sample);
      }
}

static void
test_without_rows (void)
{
  Sample sample;
  g_autoptr (MtRuleBook) book = NULL;
  MtRuleBookParts parts = { NULL };
  guint64 set[MT_TRUTH_TABLE_MAX_WORDS];

  sample_init (&sample, MT_TASK_BINARY, 200, 8, 7);
  parts.encoder = (MtEncoder *) mt_model_get_encoder (sample.model);
  parts.rules = (MtRuleSet *) mt_model_get_rules (sample.model);
  parts.target = "y";
  parts.classes = mt_model_get_info (sample.model)->classes;
  book = mt_rule_book_new (&parts, NULL, NULL);
  g_assert_false (mt_rule_book_has_rows (book));
  for (guint t = 0; t < mt_rule_book_get_n_terms (book); t++)
    {
      g_assert_cmpuint (mt_rule_book_get_facts (book, t)->support, ==, 0);
      if (mt_rule_book_get_number (book, t) > 0)
        {
          g_autoptr (MtRuleView) view = mt_rule_view_new (book, t, NULL);

          mt_rule_view_set_true (view, set);
          g_assert_cmpuint (mt_rule_view_count_rows (view, set), ==, 0);
          /* What the file says was unseen in training still shows. */
          g_assert_cmpuint (mt_rule_view_count_marks (view, MT_ROW_UNSEEN), ==,
                            mt_rule_count_dont_care (mt_rule_view_get_rule (view), MT_DONT_CARE_UNSEEN));
          check_forms (view);
        }
    }
  sample_clear (&sample);
}

static void
test_listing (void)
{
  for (guint task = MT_TASK_BINARY; task <= MT_TASK_REGRESSION; task++)
    {
      Sample sample;
      guint terms[64], n_terms;

      sample_init (&sample, (MtTask) task, 200, 10, 11);
      n_terms = mt_rule_book_get_n_terms (sample.book);
      for (guint i = 0; i < n_terms; i++)
        terms[i] = n_terms - 1 - i;
      for (guint l = MT_LISTING_TEXT; l <= MT_LISTING_LATEX; l++)
        {
          g_autofree char *text = mt_rule_book_dup_listing (sample.book, (MtListing) l, terms, n_terms);
          g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
          guint n_lines = 0;

          for (guint i = 0; lines[i] != NULL; i++)
            n_lines += strstr (lines[i], l == MT_LISTING_LATEX ? " & " : l == MT_LISTING_TEXT ? "\t" : "| ") != NULL;
          g_assert_cmpuint (n_lines, ==, n_terms + 2);   /* the head and the intercept */
          g_assert_true (g_utf8_validate (text, -1, NULL));
        }
      sample_clear (&sample);
    }
}

static void
test_escapes (void)
{
  g_autoptr (GString) latex = g_string_new (NULL);
  g_autoptr (GString) markdown = g_string_new (NULL);

  mt_latex_append (latex, "a_b & 5 % ≥ {x} \\");
  g_assert_cmpstr (latex->str, ==, "a\\_b \\& 5 \\% $\\ge$ \\{x\\} \\textbackslash{}");
  mt_markdown_append (markdown, "a|b *c* <d>");
  g_assert_cmpstr (markdown->str, ==, "a\\|b \\*c\\* \\<d\\>");
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Sample sample;

  sample_init (&sample, MT_TASK_BINARY, 200, 8, 3);
  g_cancellable_cancel (cancellable);
  for (guint t = 0; t < mt_rule_book_get_n_terms (sample.book); t++)
    if (mt_rule_book_get_number (sample.book, t) > 0)
      {
        /* Small tables may be through before anybody looks. */
        g_autoptr (MtRuleView) view = mt_rule_view_new (sample.book, t, cancellable);

        if (view != NULL)
          check_forms (view);
      }
  sample_clear (&sample);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rule-view/links", test_links);
  g_test_add_func ("/rule-view/without-rows", test_without_rows);
  g_test_add_func ("/rule-view/listing", test_listing);
  g_test_add_func ("/rule-view/escapes", test_escapes);
  g_test_add_func ("/rule-view/cancel", test_cancel);
  return g_test_run ();
}
