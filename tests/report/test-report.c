/* The audit report: everything in it, nothing that runs, the same bytes each time. */
#include "config.h"

#include <cairo-pdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile-models.h"
#include "mt-core.h"
#include "base/mt-decimal.h"
#include "sample-models.h"
#include "testutils.h"

static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

static MtModel *
make_model (MtTask task)
{
  g_autoptr (MtTable) table = mt_test_sample_table (task, 300, 7);

  return mt_test_sample_model (task, table, 6, 11);
}

static char *
make_html (MtModel    *model,
           MtImport   *data,
           const char *purpose)
{
  MtReportParts parts = { .model = model, .data = data, .data_name = "rows <1>.csv", .date = 1000000000, .seed = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtReport) report = NULL;
  g_autoptr (GBytes) html = NULL;
  guint n_blanks = 0;
  char *text;

  parts.texts[MT_REPORT_PURPOSE] = purpose;
  report = mt_report_new (&parts, NULL, &error);
  g_assert_no_error (error);
  html = mt_report_to_html (report, &error);
  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (html, NULL), g_bytes_get_size (html));
  for (const char *p = text; (p = strstr (p, "<p class=\"blank\">")) != NULL; p++)
    n_blanks++;
  g_assert_cmpuint (n_blanks, ==, purpose != NULL ? 7 : 8);
  return text;
}

static void
assert_has (const char *html,
            const char *text)
{
  g_autoptr (GString) out = g_string_new (NULL);

  mt_quote_append_xml (out, text);
  if (strstr (html, out->str) == NULL)
    g_error ("the report lacks “%s”", text);
}

static MtImport *
import_golden (MtModel *model)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtTable) table = mt_export_test_rows_make_table (model, NULL, &error);
  g_autoptr (GBytes) csv = mt_export_test_rows_write (model, table, MT_EXPORT_TEST_ROWS_ANSWERS, &error);
  g_autofree char *text = g_strndup (g_bytes_get_data (csv, NULL), g_bytes_get_size (csv));
  g_autoptr (GString) named = g_string_new (text);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (MtSchema) schema = mt_model_dup_schema (model);
  MtImportOptions options = { .schema = schema };
  MtImport *import;

  /* Predictions stand for the truth. */
  g_string_replace (named, "prediction", mt_model_get_info (model)->target, 1);
  bytes = g_bytes_new (named->str, named->len);
  import = mt_import_bytes (bytes, &options, NULL, &error);
  g_assert_no_error (error);
  return import;
}

/* Sections in their order, every weight to its last digit, every rule, threshold and column. */
static void
test_whole (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (tasks); k++)
    {
      g_autoptr (MtModel) model = make_model (tasks[k]);
      const MtRuleSet *rules = mt_model_get_rules (model);
      const MtEncoder *encoder = mt_model_get_encoder (model);
      g_autofree char *html = make_html (model, NULL, NULL);
      const char *at = html;

      for (guint i = 1; i <= MT_REPORT_N_SECTIONS; i++)
        {
          g_autofree char *anchor = g_strdup_printf ("<h2 id=\"section-%u\"", i);

          at = strstr (at, anchor);
          g_assert_nonnull (at);
        }
      assert_has (html, "NOT PROVIDED");
      for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
        {
          const MtEncoderColumn *column = mt_encoder_get_column (encoder, i);

          assert_has (html, column->name);
          for (guint t = 0; t < column->n_thresholds; t++)
            {
              g_autofree char *value = mt_encoder_dup_value_text (encoder, i, column->thresholds[t]);

              assert_has (html, value);
            }
        }
      for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
        {
          const MtTerm *term = mt_rule_set_get_term (rules, t);
          g_autofree char *text = mt_term_dup_text (term, encoder);

          assert_has (html, text);
          for (guint c = 0; c < mt_rule_set_get_n_outputs (rules); c++)
            {
              double per = term->is_numeric ? mt_term_get_unary (term, encoder)->sd : 1;
              g_autofree char *weight = mt_decimal_dup (term->weights[c] / per);

              assert_has (html, weight);
            }
        }
    }
}

static guint
count (const char *html,
       const char *what)
{
  guint n = 0;

  for (const char *p = html; (p = strstr (p, what)) != NULL; p++)
    n++;
  return n;
}

/* Which row of the truth table it is: the first input is the slowest, and what is shown negated counts so. */
static guint32
find_line (const MtRule *rule,
           guint32       assignment)
{
  guint n = mt_rule_get_n_inputs (rule);
  guint32 shown = assignment ^ mt_rule_find_flips (rule), line = 0;

  for (guint i = 0; i < n; i++)
    line |= ((shown >> i) & 1) << (n - 1 - i);
  return line;
}

/* Rules of several conditions: one condition has no diagram. */
static guint
count_drawn (const MtRuleSet *rules)
{
  guint n = 0;

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    n += !mt_rule_set_get_term (rules, t)->is_numeric && mt_rule_get_n_inputs (mt_rule_set_get_term (rules, t)->rule) > 1;
  return n;
}

/* A diagram and 2^k rows a rule, one beside the other; outcomes are those of the rule. */
static void
test_tables (void)
{
  g_autoptr (MtModel) model = make_model (MT_TASK_BINARY);
  const MtRuleSet *rules = mt_model_get_rules (model);
  MtReportParts parts = { .model = model };
  g_autoptr (MtReport) report = mt_report_new (&parts, NULL, NULL);
  guint n_figures = 0, n_tables = 0, t = 0;

  for (guint i = 0; i < mt_report_get_n_blocks (report); i++)
    {
      const MtReportBlock *block = mt_report_get_block (report, i);
      const MtRule *rule;
      guint n;

      n_figures += block->kind == MT_BLOCK_FIGURE && strstr (block->text, "decision diagram") != NULL;
      if (block->kind != MT_BLOCK_TABLE || i == 0 || !mt_report_get_block (report, i - 1)->beside)
        continue;
      while (mt_rule_set_get_term (rules, t)->is_numeric || mt_rule_get_n_inputs (mt_rule_set_get_term (rules, t)->rule) == 1)
        t++;
      rule = mt_rule_set_get_term (rules, t++)->rule;
      n = mt_rule_get_n_inputs (rule);
      n_tables++;
      g_assert_cmpuint (block->n_columns, ==, n + 2);
      g_assert_cmpuint (block->cells->len, ==, (n + 2) * ((1u << n) + 1));
      for (guint32 v = 0; v < 1u << n; v++)
        g_assert_cmpstr (g_ptr_array_index (block->cells, (find_line (rule, v) + 1) * (n + 2) + n), ==,
                         mt_truth_table_get (mt_rule_get_table (rule), v) ? "1" : "0");
    }
  g_assert_cmpuint (n_figures, ==, count_drawn (rules));
  g_assert_cmpuint (n_tables, ==, count_drawn (rules));
}

static void
test_data (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (tasks); k++)
    {
      g_autoptr (MtModel) model = make_model (tasks[k]);
      g_autoptr (MtImport) data = import_golden (model);
      g_autofree char *html = make_html (model, data, "To try <b>reports</b> & more");
      g_autofree char *again = make_html (model, data, "To try <b>reports</b> & more");

      g_assert_cmpstr (html, ==, again);
      assert_has (html, "Purpose: To try <b>reports</b> & more");
      assert_has (html, "rows <1>.csv");
      assert_has (html, mt_import_get_sha256 (data));
      assert_has (html, "Whether it contains training rows is not known.");
      assert_has (html, "1000 bootstrap resamples, seed 1");
      assert_has (html, "The first 3 rows of the data");
      g_assert_cmpuint (count (html, "Calibration: "), ==, tasks[k] == MT_TASK_REGRESSION ? 0 : 1);
    }
}

/* Tags are ours only, none runs or loads; names of parts of drawings occur once. What is wrong, or NULL. */
static char *
find_active (const char *html)
{
  static const char * const known[] = {
    "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "nav", "ul", "li", "a", "h1", "h2", "h3", "p", "b", "bdi", "pre",
    "table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "svg", "g", "defs", "symbol", "path", "rect", "use",
    "clipPath", NULL,
  };
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (!g_utf8_validate (html, -1, NULL))
    return g_strdup ("bytes that are not UTF-8");
  for (const char *p = strchr (html, '<'); p != NULL; p = strchr (p + 1, '<'))
    {
      const char *name = p[1] == '/' ? p + 2 : p + 1;
      g_autofree char *tag = g_strndup (name, strcspn (name, " >/\n"));
      g_autofree char *whole = g_strndup (p, strcspn (p, ">"));
      const char *id = strstr (whole, " id=\"");

      if (!g_strv_contains (known, tag) || strstr (whole, " on") != NULL || strstr (whole, "src=") != NULL ||
          (strstr (whole, "href=") != NULL && strstr (whole, "href=\"#") == NULL) ||
          (id != NULL && !g_hash_table_add (ids, g_strndup (id + 5, strcspn (id + 5, "\"")))))
        return g_steal_pointer (&whole);
    }
  return NULL;
}

static void
assert_inert (const char *html)
{
  static const char * const faults[] = {
    "<script>", "<p onclick=\"x\">", "<img src=\"x\">", "<a href=\"http://x\">", "<p id=\"section-1\">", "\xff",
  };
  g_autofree char *found = find_active (html);

  g_assert_cmpstr (found, ==, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *spoilt = g_strconcat (html, faults[i], NULL);
      g_autofree char *caught = find_active (spoilt);

      g_assert_nonnull (caught);
    }
}

static void
test_hostile (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (tasks); k++)
    {
      g_autoptr (MtModel) model = mt_test_hostile_model (tasks[k], FALSE);
      g_autofree char *html = make_html (model, NULL, "</style><script src=\"http://a\">alert(1)</script>");

      assert_inert (html);
      assert_has (html, mt_model_get_info (model)->target);
      /* A name that turns the direction of writing would turn our numbers round. */
      g_assert_nonnull (strstr (html, "\\u{202e}"));
      g_assert_null (strstr (html, "&#x202e;"));
      g_assert_null (strstr (html, "\xe2\x80\xae"));
      g_assert_null (strstr (html, "<script"));
    }
}

/* What pdftotext reads, without blanks: lines break anywhere in narrow columns. NULL: there is no pdftotext. */
static char *
read_pdf (GBytes *pdf)
{
  const char * const argv[] = { "pdftotext", "-raw", "-", "-", NULL };
  g_autofree char *program = g_find_program_in_path ("pdftotext");
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) text = NULL;
  g_autoptr (GError) error = NULL;
  GString *out;
  const char *p, *end;

  if (program == NULL)
    return NULL;
  process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate (process, pdf, NULL, &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  out = g_string_new (NULL);
  p = g_bytes_get_data (text, NULL);
  for (end = p + g_bytes_get_size (text); p < end; p++)
    if (!g_ascii_isspace (*p))
      g_string_append_c (out, *p);
  return g_string_free (out, FALSE);
}

static GBytes *
make_pdf (MtModel *model,
          MtPaper  paper)
{
  MtReportParts parts = { .model = model, .date = 1000000000 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MtReport) report = mt_report_new (&parts, NULL, &error);
  GBytes *pdf;

  g_assert_no_error (error);
  pdf = mt_report_to_pdf (report, paper, &error);
  g_assert_no_error (error);
  return pdf;
}

static void
assert_printed (const char *pdf,
                const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autofree char *joined = g_strjoinv ("", words);

  if (strstr (pdf, joined) == NULL)
    g_error ("the PDF lacks “%s”", text);
}

static gboolean
has_bytes (GBytes     *pdf,
           const char *what)
{
  gsize length;
  const char *data = g_bytes_get_data (pdf, &length);

  return memmem (data, length, what, strlen (what)) != NULL;
}

/* The object of that number, as this table of objects has it; NULL: it is not listed there. */
static const char *
find_object (const char *bytes,
             const char *table,
             guint       number)
{
  g_autofree char *head = g_strdup_printf ("%u 0 obj\n", number);
  const char *p = table + strlen ("xref\n");
  guint first, n, length;

  while (sscanf (p, "%u %u\n%n", &first, &n, (int *) &length) == 2)
    {
      p += length;
      if (number >= first && number < first + n)
        {
          const char *object = bytes + g_ascii_strtoull (p + 20 * (number - first), NULL, 10);

          g_assert_true (g_str_has_prefix (object, head));
          return object;
        }
      p += 20 * n;
    }
  return NULL;
}

static char *
read_hex (const char *hex)
{
  g_autoptr (GArray) units = g_array_new (TRUE, TRUE, sizeof (gunichar2));

  for (; g_ascii_isxdigit (*hex); hex += 4)
    {
      char digits[5] = { hex[0], hex[1], hex[2], hex[3], 0 };
      gunichar2 unit = (gunichar2) strtoul (digits, NULL, 16);

      g_array_append_val (units, unit);
    }
  return g_utf16_to_utf8 ((gunichar2 *) units->data, units->len, NULL, NULL, NULL);
}

/* Every figure says in words what it is, in the order of the rules; readers find it by the last table of objects, which
 * leads back to cairo's own. */
static void
assert_described (GBytes        *pdf,
                  const MtModel *model)
{
  gsize length;
  const char *bytes = g_bytes_get_data (pdf, &length);
  const char *start = g_strrstr_len (bytes + length - 400, 400, "startxref\n"), *last, *trailer, *first, *catalog, *p;
  guint root, n_figures = 0, n_diagrams = 0;
  guint64 before;

  g_assert_nonnull (start);
  last = bytes + g_ascii_strtoull (start + strlen ("startxref\n"), NULL, 10);
  g_assert_true (g_str_has_prefix (last, "xref\n"));
  trailer = strstr (last, "trailer\n");
  g_assert_nonnull (trailer);
  g_assert_cmpint (sscanf (strstr (trailer, "/Root"), "/Root %u 0 R", &root), ==, 1);
  before = g_ascii_strtoull (strstr (trailer, "/Prev ") + 6, NULL, 10);
  first = bytes + before;
  g_assert_true (g_str_has_prefix (first, "xref\n"));
  catalog = find_object (bytes, last, root);
  g_assert_nonnull (catalog);
  g_assert_nonnull (g_strstr_len (catalog, 400, "/Lang (en)"));
  g_assert_nonnull (g_strstr_len (catalog, 400, "/StructTreeRoot"));
  for (guint number = 1; find_object (bytes, first, number) != NULL && number < root; number++)
    {
      const char *old = find_object (bytes, first, number), *now;
      const char *figure = g_strstr_len (old, 80, "/S /Figure\n");
      g_autofree char *alt = NULL;

      if (figure == NULL || figure > strstr (old, "endobj"))
        continue;
      now = find_object (bytes, last, number);
      g_assert_nonnull (now);
      p = strstr (now, "/Alt <FEFF");
      g_assert_nonnull (p);
      alt = read_hex (p + strlen ("/Alt <FEFF"));
      n_figures++;
      n_diagrams += g_str_has_prefix (alt, "Rule ") &&
                    g_str_has_suffix (alt, " as a decision diagram. The following table shows the same values.") ? 1 : 0;
    }
  g_assert_cmpuint (n_figures, >, 0);
  g_assert_cmpuint (n_diagrams, ==, count_drawn (mt_model_get_rules (model)));
}

/* On both papers every section, rule, weight and column as text; the same bytes each time. */
static void
test_pdf (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (tasks); k++)
    {
      g_autoptr (MtModel) model = make_model (tasks[k]);
      const MtRuleSet *rules = mt_model_get_rules (model);
      const MtEncoder *encoder = mt_model_get_encoder (model);
      MtPaper paper = k % 2 == 0 ? MT_PAPER_A4 : MT_PAPER_LETTER;
      g_autoptr (GBytes) pdf = make_pdf (model, paper);
      g_autoptr (GBytes) again = make_pdf (model, paper);
      g_autofree char *text = read_pdf (pdf);
      gsize length;
      g_autofree char *json = mt_model_to_json (model, &length);
      g_autofree char *hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) json, length);

      g_assert_true (g_bytes_equal (pdf, again));
      if (text == NULL)
        {
          g_test_skip ("there is no pdftotext here");
          return;
        }
      g_assert_true (has_bytes (pdf, "/MarkInfo << /Marked true >>"));
      g_assert_true (has_bytes (pdf, "/S /Document"));
      assert_described (pdf, model);
      assert_printed (text, hash);      /* cut over two lines, but with nothing put between */
      g_assert_nonnull (strstr (text, "Page1of"));
      g_assert_true (g_regex_match_simple ("20Annexes[1-9][0-9]*2001-09-09Page1of", text, 0, 0));     /* the contents end the cover */
      g_assert_nonnull (strstr (text, "NOTPROVIDED"));
      for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
        assert_printed (text, mt_encoder_get_column_name (encoder, i));
      for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
        {
          const MtTerm *term = mt_rule_set_get_term (rules, t);
          g_autofree char *words = mt_term_dup_text (term, encoder);

          assert_printed (text, words);
          for (guint c = 0; c < mt_rule_set_get_n_outputs (rules); c++)
            {
              g_autofree char *weight = mt_decimal_dup (term->weights[c]);

              assert_printed (text, weight);
            }
        }
    }
}

/* Names in any script, 300 characters long, or unprintable: laid out all the same. */
static void
test_pdf_hostile (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (tasks); k++)
    {
      g_autoptr (MtModel) model = mt_test_hostile_model (tasks[k], FALSE);
      g_autoptr (GBytes) pdf = make_pdf (model, MT_PAPER_LETTER);

      g_assert_cmpuint (g_bytes_get_size (pdf), >, 1000);
      g_assert_true (memcmp (g_bytes_get_data (pdf, NULL), "%PDF-", 5) == 0);
    }
}

/* A text longer than two pages goes on over the pages, to its last word. */
static void
test_pdf_long (void)
{
  g_autoptr (MtModel) model = make_model (MT_TASK_BINARY);
  g_autoptr (GString) words = g_string_new (NULL);
  MtReportParts parts = { .model = model };
  g_autoptr (MtReport) report = NULL;
  g_autoptr (GBytes) pdf = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (words, "word%u ", i);
  parts.texts[MT_REPORT_AUTHOR] = words->str;    /* in a table */
  parts.texts[MT_REPORT_PURPOSE] = words->str;
  report = mt_report_new (&parts, NULL, NULL);
  pdf = mt_report_to_pdf (report, MT_PAPER_A4, NULL);
  text = read_pdf (pdf);
  if (text == NULL)
    {
      g_test_skip ("there is no pdftotext here");
      return;
    }
  for (guint i = 0; i < 3000; i += 7)
    {
      g_autofree char *word = g_strdup_printf ("word%u", i);

      g_assert_cmpuint (count (text, word), >=, 2);
    }
}

static cairo_status_t
collect (void                *bytes,
         const unsigned char *data,
         unsigned int         length)
{
  g_byte_array_append (bytes, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* Pages painted one by one hold what the PDF's pages hold, in the same places. */
static void
test_pages (void)
{
  for (MtPaper paper = MT_PAPER_A4; paper <= MT_PAPER_LETTER; paper++)
    {
      g_autoptr (MtModel) model = make_model (MT_TASK_MULTICLASS);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      MtReportParts parts = { .model = model };
      g_autoptr (MtReport) report = mt_report_new (&parts, NULL, NULL);
      g_autoptr (MtReportPages) pages = mt_report_to_pages (report, paper, cancellable, NULL);
      g_autoptr (GBytes) pdf = mt_report_to_pdf (report, paper, NULL);
      g_autoptr (GByteArray) painted = g_byte_array_new ();
      g_autoptr (GBytes) both = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *first = NULL;
      g_autofree char *second = NULL;
      g_autofree char *last = NULL;
      cairo_surface_t *surface;
      cairo_t *cr;
      double width, height;

      g_assert_nonnull (pages);
      g_assert_cmpuint (mt_report_pages_get_n (pages), >, 3);
      g_assert_cmpuint (mt_report_pages_find (pages, "section-1"), ==, 0);
      g_assert_cmpuint (mt_report_pages_find (pages, "section-20"), >, mt_report_pages_find (pages, "section-10"));
      g_assert_cmpuint (mt_report_pages_find (pages, "nowhere"), ==, 0);
      mt_report_pages_get_size (pages, &width, &height);
      g_assert_cmpfloat (width, ==, paper == MT_PAPER_A4 ? 595.276 : 612);
      surface = cairo_pdf_surface_create_for_stream (collect, painted, width, height);
      cr = cairo_create (surface);
      for (guint i = 0; i < mt_report_pages_get_n (pages); i++)
        {
          mt_report_pages_paint (pages, i, cr);
          cairo_show_page (cr);
        }
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
      both = g_bytes_new (painted->data, painted->len);
      first = read_pdf (pdf);
      second = read_pdf (both);
      if (first != NULL)
        {
          last = g_strdup_printf ("Page%uof%u", mt_report_pages_get_n (pages), mt_report_pages_get_n (pages));
          g_assert_nonnull (strstr (second, last));
          g_assert_cmpstr (first, ==, second);
        }
      g_cancellable_cancel (cancellable);
      g_assert_null (mt_report_to_pages (report, paper, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

static void
test_cancelled (void)
{
  g_autoptr (MtModel) model = make_model (MT_TASK_BINARY);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  MtReportParts parts = { .model = model };
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (mt_report_new (&parts, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* The command: with rows and texts, the same bytes on a fixed date, whole or not at all. */
static void
test_command (void)
{
  g_autoptr (MtModel) model = make_model (MT_TASK_BINARY);
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "model.json", NULL);
  g_autofree char *rows = g_build_filename (folder, "rows.csv", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "none", "out.html", NULL);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *err = NULL;

  g_setenv ("SOURCE_DATE_EPOCH", "86400", TRUE);
  g_assert_true (mt_model_save (model, path, NULL));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", path, "--golden", rows, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &first, NULL, "export", path, "--format", "html", "--data", rows, "--text",
                                "author=A & B", "-o", "-", NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &second, NULL, "export", path, "--format", "html", "--data", rows, "--text",
                                "author=A & B", "-o", "-", NULL), ==, 0);
  g_assert_cmpstr (first, ==, second);
  assert_has (first, "1970-01-02");
  assert_has (first, "A & B");
  assert_inert (first);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", path, "--format", "html", "-o", nowhere, NULL), ==, 1);
  g_clear_pointer (&err, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", path, "--format", "html", "--text", "x=y", "-o", "-", NULL), ==,
                   2);
  g_assert_nonnull (strstr (err, "--text needs NAME=TEXT"));
  g_clear_pointer (&err, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", path, "--format", "c", "--text", "author=y", "-o", "-", NULL),
                   ==, 2);
  g_assert_nonnull (strstr (err, "--text needs --format html or pdf"));
  g_clear_pointer (&err, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", path, "--format", "html", "--dialect", "ansi", "-o", "-", NULL),
                   ==, 2);
  g_assert_nonnull (strstr (err, "--dialect needs"));
  g_clear_pointer (&err, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", path, "--format", "html", "--paper", "a4", "-o", "-", NULL), ==,
                   2);
  g_assert_nonnull (strstr (err, "--paper needs --format pdf"));
  g_clear_pointer (&err, g_free);
  g_assert_cmpint (mt_test_cli (NULL, NULL, &err, "export", path, "--format", "pdf", "--paper", "a5", "-o", "-", NULL), ==,
                   2);
  g_assert_nonnull (strstr (err, "--paper must be a4 or letter"));
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", path, "--format", "pdf", "--paper", "letter", "-o", rows, NULL),
                   ==, 0);
  g_assert_cmpuint (mt_test_remove_folder (folder), ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/whole", test_whole);
  g_test_add_func ("/report/tables", test_tables);
  g_test_add_func ("/report/data", test_data);
  g_test_add_func ("/report/hostile", test_hostile);
  g_test_add_func ("/report/pdf", test_pdf);
  g_test_add_func ("/report/pdf/hostile", test_pdf_hostile);
  g_test_add_func ("/report/pdf/long", test_pdf_long);
  g_test_add_func ("/report/pages", test_pages);
  g_test_add_func ("/report/cancelled", test_cancelled);
  g_test_add_func ("/report/command", test_command);
  return g_test_run ();
}
