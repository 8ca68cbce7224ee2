/* Reports of models of the shared data: hostile names bring nothing to life in the HTML, and the PDF's text has every
 * rule, weight and column. With -m slow also of all the sets
 * that the exports are verified with, as they are and with cells taken out. */
#include "config.h"

#include <string.h>

#include "data-gaps.h"
#include "mt-core.h"
#include "base/mt-decimal.h"
#include "testutils.h"

/* --- a small reader of HTML: text and tags as a browser sees them --- */

/* Ours, and what each may have. */
static const char * const tags[] = {
  "html", "head", "meta", "title", "style", "body", "nav", "ul", "li", "a", "h1", "h2", "h3", "p", "b", "bdi", "pre", "table",
  "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "svg", "g", "defs", "symbol", "path", "rect", "use", "clipPath",
  "mask", "image", NULL,
};
static const char * const attributes[] = {
  "lang", "charset", "http-equiv", "content", "name", "id", "class", "href", "xlink:href", "xmlns",
  "xmlns:xlink", "width", "height", "viewBox", "version", "style", "d", "x", "y", "overflow", "clip-path", "transform", "fill",
  "fill-rule", "fill-opacity", "stroke", "clip-rule", "mask", "role", "aria-label", NULL,
};

static gboolean
is_name (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == ':';
}

/* One attribute at @p; what is wrong with it, or NULL. */
static char *
read_attribute (const char **p,
                const char  *tag)
{
  const char *start = *p, *value;
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  while (is_name (**p))
    (*p)++;
  name = g_strndup (start, (gsize) (*p - start));
  if (*name == '\0' || (*p)[0] != '=' || (*p)[1] != '"')
    return g_strdup_printf ("<%s %.20s", tag, start);
  value = *p + 2;
  *p = value + strcspn (value, "\"");
  text = g_strndup (value, (gsize) (*p - value));
  if (**p == '"')
    (*p)++;
  if (!g_strv_contains (attributes, name))
    return g_strdup_printf ("<%s %s>", tag, name);
  if (g_str_has_suffix (name, "href") && text[0] != '#' && !g_str_has_prefix (text, "data:image/png;base64,"))
    return g_strdup_printf ("<%s %s=%s>", tag, name, text);
  if (strstr (text, "url(") != NULL && strstr (text, "url(#") == NULL)
    return g_strdup_printf ("<%s %s=%s>", tag, name, text);
  return NULL;
}

/* The first thing that is not ours, could run, or could load; NULL: nothing. */
static char *
find_active (const char *html)
{
  const char *p = html;

  if (!g_utf8_validate (html, -1, NULL))
    return g_strdup ("bytes that are not UTF-8");
  while ((p = strchr (p, '<')) != NULL)
    {
      const char *start = p[1] == '/' ? p + 2 : p + 1;
      g_autofree char *tag = NULL;

      if (g_str_has_prefix (p, "<!DOCTYPE html>"))
        {
          p++;
          continue;
        }
      for (p = start; is_name (*p);)
        p++;
      tag = g_strndup (start, (gsize) (p - start));
      if (!g_strv_contains (tags, tag))
        return g_strdup_printf ("<%s>", tag);
      while (TRUE)
        {
          char *wrong;

          while (g_ascii_isspace (*p) || *p == '/')
            p++;
          if (*p == '>' || *p == '\0')
            break;
          wrong = read_attribute (&p, tag);
          if (wrong != NULL)
            return wrong;
        }
      /* What stands in a style is not text. */
      if (g_str_equal (tag, "style") && start[-1] == '<')
        {
          const char *end = strstr (p, "</style>");
          g_autofree char *inside = end != NULL ? g_strndup (p, (gsize) (end - p)) : g_strdup ("@import");

          if (strstr (inside, "@import") != NULL || strstr (inside, "url(") != NULL)
            return g_strdup ("a style that loads");
        }
    }
  return NULL;
}

static void
assert_inert (const char *html,
              const char *what)
{
  static const char * const faults[] = {
    "<script>", "<p onclick=\"x\">", "<img src=\"x\">", "<a href=\"http://x\">", "<a href=\"javascript:x\">", "<iframe>",
    "<p style=\"background:url(http://x)\">", "<style>@import 'x'</style>", "<svg><use xlink:href=\"http://x\"/></svg>",
    "<a href=x>", "\xff",
  };
  g_autofree char *found = find_active (html);

  if (found != NULL)
    g_error ("the report of %s has %s", what, found);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *spoilt = g_strconcat (html, faults[i], NULL);
      g_autofree char *caught = find_active (spoilt);

      g_assert_nonnull (caught);
    }
}

/* --- what is in it --- */

/* Without blanks: lines break anywhere in narrow columns. And without marks that only isolate. */
static char *
squeeze (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (!g_unichar_isspace (c) && c != 0x2068 && c != 0x2069 && c != 0xc)
        g_string_append_unichar (out, c);
    }
  return g_string_free (out, FALSE);
}

static char *
run_pdftotext (const char *path,
               const char *option)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "pdftotext", option, path, "-",
                                                      NULL);
  char *text = NULL;

  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &text, NULL, &error));
  g_assert_no_error (error);
  return text;
}

static char *
read_pdf (const char *path)
{
  g_autofree char *text = run_pdftotext (path, "-raw");

  return squeeze (text);
}

static void
assert_has (const char *text,
            const char *part,
            const char *what)
{
  g_autofree char *squeezed = squeeze (part);

  if (strstr (text, squeezed) == NULL)
    g_error ("the PDF of %s lacks “%s”", what, part);
}

typedef struct {
  double x0, y0, x1, y1;
} Box;

static gboolean
is_over (const Box *a,
         const Box *b)
{
  double across = MIN (a->x1, b->x1) - MAX (a->x0, b->x0), down = MIN (a->y1, b->y1) - MAX (a->y0, b->y0);

  return across > 1 && down > 0.45 * MIN (a->y1 - a->y0, b->y1 - b->y0);
}

/* Words that stand over one another, by where pdftotext finds them. */
static guint
count_overlaps (const char *boxes)
{
  g_auto (GStrv) lines = g_strsplit (boxes, "\n", -1);
  g_autoptr (GArray) page = g_array_new (FALSE, FALSE, sizeof (Box));
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], "<page ") != NULL)
      g_array_set_size (page, 0);
    else if (strstr (lines[i], "<word ") != NULL)
      {
        const Box box = { mt_test_get_attribute (lines[i], "xMin=\""), mt_test_get_attribute (lines[i], "yMin=\""),
                          mt_test_get_attribute (lines[i], "xMax=\""), mt_test_get_attribute (lines[i], "yMax=\"") };

        for (guint k = 0; k < page->len; k++)
          if (is_over (&box, &g_array_index (page, Box, k)))
            {
              g_test_message ("%s", lines[i]);
              n++;
            }
        g_array_append_val (page, box);
      }
  return n;
}

static void
check_places (const char *path,
              const char *what)
{
  g_autofree char *boxes = run_pdftotext (path, "-bbox");
  const char *word = strstr (boxes, "<word "), *next;
  g_autofree char *first = NULL;
  g_autofree char *twice = NULL;
  guint n = count_overlaps (boxes);

  if (n > 0)
    g_error ("the PDF of %s has %u words over one another", what, n);
  /* One word twice is seen. */
  g_assert_nonnull (word);
  next = strchr (word, '\n');
  first = g_strndup (word, (gsize) (next - word) + 1);
  twice = g_strdup_printf ("<page >\n%s%s", first, first);
  g_assert_cmpuint (count_overlaps (twice), ==, 1);
}

static void
check_pdf (const char    *path,
           const MtModel *model,
           const char    *what)
{
  const MtEncoder *encoder = mt_model_get_encoder (model);
  const MtRuleSet *rules = mt_model_get_rules (model);
  g_autofree char *text = read_pdf (path);

  check_places (path, what);
  for (guint i = 0; i < mt_encoder_get_n_columns (encoder); i++)
    assert_has (text, mt_encoder_get_column_name (encoder, i), what);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      g_autofree char *words = mt_term_dup_text (term, encoder);

      assert_has (text, words, what);
      for (guint c = 0; c < mt_rule_set_get_n_outputs (rules); c++)
        {
          g_autofree char *weight = mt_decimal_dup (term->weights[c]);

          assert_has (text, weight, what);
        }
    }
}

/* --- hostile files --- */

static void
test_hostile (void)
{
  static const char * const files[] = { "html_names", "sql_names", "formula_cells", "path_names", "format_strings",
                                        "unicode_names" };
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *model = g_build_filename (folder, "m.json", NULL);
  g_autofree char *pdf = g_build_filename (folder, "m.pdf", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *name = g_strconcat (files[i], ".csv", NULL);
      g_autofree char *path = mt_test_shared ("csv-corpus", "own", name, NULL);
      g_autoptr (GFile) file = NULL;
      g_autoptr (MtImport) import = NULL;
      g_autoptr (MtModel) loaded = NULL;
      g_autofree char *html = NULL;
      g_autofree char *purpose = NULL;
      const MtTable *table;
      const char *target, *by;

      if (path == NULL)
        {
          g_test_skip ("the shared corpus is not here");
          return;
        }
      file = g_file_new_for_path (path);
      import = mt_import_file (file, NULL, NULL, NULL);
      table = mt_import_get_table (import);
      target = mt_column_get_name (mt_table_get_column (table, mt_table_get_n_columns (table) - 1));
      by = mt_column_get_name (mt_table_get_column (table, 2));
      purpose = g_strdup_printf ("purpose=%s</p><script>x</script>", target);
      g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", path, "--target", target, "--folds", "0", "--literals", "2",
                                    "--test-fraction", "0", "-o", model, NULL), ==, 0);
      g_assert_cmpint (mt_test_cli (NULL, &html, NULL, "export", model, "--format", "html", "--data", path, "--by", by, "--text",
                                    purpose, "-o", "-", NULL), ==, 0);
      assert_inert (html, files[i]);
      g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", model, "--format", "pdf", "--data", path, "--by", by, "-o", pdf,
                                    NULL), ==, 0);
      loaded = mt_model_load (model, NULL);
      if (!g_str_equal (files[i], "unicode_names"))      /* pdftotext turns letters from the right round */
        check_pdf (pdf, loaded, files[i]);
    }
  mt_test_remove_folder (folder);
}

/* --- the sets --- */

static void
check_set (const char *name,
           const char *target,
           const char *path)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *model = g_build_filename (folder, "m.json", NULL);
  g_autofree char *pdf = g_build_filename (folder, "m.pdf", NULL);
  g_autofree char *html = NULL;
  g_autoptr (MtModel) loaded = NULL;

  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", path, "--target", target, "--repeats", "1", "-o", model, NULL), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, &html, NULL, "export", model, "--format", "html", "--data", path, "-o", "-", NULL), ==, 0);
  assert_inert (html, name);
  g_assert_nonnull (strstr (html, "Its split was repeated and reproduces the test result"));
  loaded = mt_model_load (model, NULL);
  for (guint paper = 0; paper < 2; paper++)
    {
      g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", model, "--format", "pdf", "--paper", paper == 0 ? "a4" : "letter",
                                    "--data", path, "-o", pdf, NULL), ==, 0);
      check_pdf (pdf, loaded, name);
    }
  mt_test_remove_folder (folder);
}

/* The first page that begins with what stands below a figure, from 2; 0: none does. */
static guint
find_stray_caption (const char *text)
{
  static const char * const captions[] = { "Frontier: ", "ROC curve: ", "Calibration plot: ", "Gain curve: " };
  g_auto (GStrv) pages = g_strsplit (text, "\f", -1);

  /* What every page has at its head is drawn last, and so read last. */
  for (guint i = 1; pages[i] != NULL; i++)
    for (guint c = 0; c < G_N_ELEMENTS (captions); c++)
      if (g_str_has_prefix (pages[i], captions[c]))
        return i + 1;
  return 0;
}

/* A figure moves down the page with the text before it, and takes its caption along. */
static void
test_captions (void)
{
  g_autofree char *data = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *model = g_build_filename (folder, "m.json", NULL);
  g_autofree char *pdf = g_build_filename (folder, "m.pdf", NULL);
  g_autoptr (GString) choice = g_string_new ("choice=Because");

  g_assert_cmpuint (find_stray_caption ("Frontier: a\fFrontier: b\nAudit report: x\n"), ==, 2);
  g_assert_cmpuint (find_stray_caption ("Frontier: a\f1\nFrontier: b\nAudit report: x\n"), ==, 0);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", data, "--target", "approved", "--folds", "2", "--repeats", "1", "-o",
                                model, NULL), ==, 0);
  for (guint i = 0; i < 24; i++)
    {
      g_autofree char *text = NULL;
      guint page;

      g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", model, "--format", "pdf", "--paper", "letter", "--text",
                                    choice->str, "-o", pdf, NULL), ==, 0);
      text = run_pdftotext (pdf, "-raw");
      g_assert_nonnull (strstr (text, "Frontier: "));
      page = find_stray_caption (text);
      if (page != 0)
        g_error ("with %u lines before it, page %u begins with a caption", i, page);
      g_string_append (choice, "\nand");
    }
  mt_test_remove_folder (folder);
}

static void
test_sets (void)
{
  static const char * const sets[][2] = {
    { "iris", "species" }, { "heart", "HeartDisease" }, { "penguins", "species" }, { "abalone", "Rings" }, { "boston", "MEDV" },
  };
  g_autofree char *folder = mt_test_make_folder ();

  for (guint i = 0; i < (g_test_slow () ? G_N_ELEMENTS (sets) : 1); i++)
    {
      g_autofree char *name = g_strconcat (sets[i][0], ".csv", NULL);
      g_autofree char *path = mt_test_shared ("data", name, NULL);
      g_autofree char *gaps = NULL;

      if (path == NULL)
        {
          g_test_skip ("the shared data are not here");
          return;
        }
      check_set (sets[i][0], sets[i][1], path);
      gaps = g_build_filename (folder, name, NULL);
      mt_test_write_with_gaps (path, sets[i][1], gaps);
      check_set (sets[i][0], sets[i][1], gaps);
    }
  mt_test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data-report/hostile", test_hostile);
  g_test_add_func ("/data-report/captions", test_captions);
  g_test_add_func ("/data-report/sets", test_sets);
  return g_test_run ();
}
