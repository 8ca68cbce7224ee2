/* Reads a formula: a recursive descent, one function a level of precedence.
 *
 *   sum      product { (+|-) product }
 *   product  factor { (*|/) factor }
 *   factor   - factor | number | name | function(…) | (sum)
 *
 * weekday, contains and bins give texts and therefore stand for the whole formula. The depth is limited, as the text may come
 * from a file. */
#include "config.h"
#include "mt-formula-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-date.h"
#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"

typedef struct {
  const char *text;
  const char *at;
  GArray     *sources;
  guint       depth;
  GError    **error;
} Reader;

static MtFormulaNode *read_sum (Reader *reader);

static gboolean
fail (Reader     *reader,
      const char *what)
{
  glong place = g_utf8_pointer_to_offset (reader->text, reader->at) + 1;

  if (reader->error == NULL || *reader->error == NULL)
    g_set_error (reader->error, MT_ERROR, MT_ERROR_PARSE, _("Formula “%s”, character %ld: %s"), reader->text, place, what);
  return FALSE;
}

static void
skip_blanks (Reader *reader)
{
  while (*reader->at == ' ' || *reader->at == '\t')
    reader->at++;
}

static gboolean
take (Reader *reader,
      char    c)
{
  skip_blanks (reader);
  if (*reader->at != c)
    return FALSE;
  reader->at++;
  return TRUE;
}

static gboolean
expect (Reader *reader,
        char    c)
{
  g_autofree char *what = NULL;

  if (take (reader, c))
    return TRUE;
  what = g_strdup_printf (_("“%c” is expected here"), c);
  return fail (reader, what);
}

static gboolean
begins_name (const char *at)
{
  return g_ascii_isalpha (*at) || *at == '_' || (guchar) *at >= 0x80;
}

static gboolean
continues_name (const char *at)
{
  return begins_name (at) || g_ascii_isdigit (*at) || *at == '.';
}

/* "…" with \" and \\ inside. */
static char *
read_quoted (Reader *reader)
{
  g_autoptr (GString) text = g_string_new (NULL);

  reader->at++;
  while (*reader->at != '\0' && *reader->at != '"')
    {
      if (*reader->at == '\\' && (reader->at[1] == '"' || reader->at[1] == '\\'))
        reader->at++;
      g_string_append_c (text, *reader->at++);
    }
  if (*reader->at == '\0')
    {
      fail (reader, _("a quotation mark is never closed"));
      return NULL;
    }
  reader->at++;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
read_word (Reader *reader)
{
  const char *begin = reader->at;

  while (continues_name (reader->at))
    reader->at++;
  return g_strndup (begin, (gsize) (reader->at - begin));
}

static MtFormulaNode *
make_source (Reader     *reader,
             const char *name)
{
  MtFormulaNode *node;
  MtFormulaSource source = { NULL };
  guint i;

  for (i = 0; i < reader->sources->len; i++)
    if (g_str_equal (g_array_index (reader->sources, MtFormulaSource, i).name, name))
      break;
  if (i == reader->sources->len)
    {
      if (i == MT_FORMULA_MAX_SOURCES)
        {
          fail (reader, _("the formula has too many columns"));
          return NULL;
        }
      source.name = g_strdup (name);
      g_array_append_val (reader->sources, source);
    }
  node = mt_formula_node_new (MT_FORMULA_SOURCE, NULL, NULL);
  node->source = i;
  return node;
}

/* The name of a column, alone. */
static MtFormulaNode *
read_column (Reader *reader)
{
  g_autofree char *name = NULL;

  skip_blanks (reader);
  if (*reader->at == '"')
    name = read_quoted (reader);
  else if (begins_name (reader->at))
    name = read_word (reader);
  else
    fail (reader, _("the name of a column is expected here"));
  return name != NULL ? make_source (reader, name) : NULL;
}

static gboolean
read_number (Reader *reader,
             double *value)
{
  const char *begin;
  g_autofree char *digits = NULL;

  skip_blanks (reader);
  begin = reader->at;
  while (g_ascii_isdigit (*reader->at) || *reader->at == '.')
    reader->at++;
  if (reader->at > begin && (*reader->at == 'e' || *reader->at == 'E'))
    {
      const char *end = reader->at + 1;

      end += *end == '-' || *end == '+';
      if (g_ascii_isdigit (*end))
        {
          while (g_ascii_isdigit (*end))
            end++;
          reader->at = end;
        }
    }
  digits = g_strndup (begin, (gsize) (reader->at - begin));
  if (mt_decimal_parse (digits, value) && isfinite (*value))
    return TRUE;
  reader->at = begin;
  return fail (reader, _("a number is expected here"));
}

/* Ascending numbers, each with its sign. */
static gboolean
read_edges (Reader        *reader,
            MtFormulaNode *node)
{
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  while (take (reader, ','))
    {
      gboolean negative = take (reader, '-');
      double edge;

      if (!read_number (reader, &edge))
        return FALSE;
      edge = negative ? -edge : edge;
      if (edges->len > 0 && !(edge > g_array_index (edges, double, edges->len - 1)))
        return fail (reader, _("the limits of the ranges must be in ascending order"));
      if (edges->len == MT_FORMULA_MAX_BINS)
        return fail (reader, _("there are too many ranges"));
      g_array_append_val (edges, edge);
    }
  if (edges->len == 0)
    return fail (reader, _("bins() needs at least one limit, as in bins(age, 30, 50)"));
  for (guint i = 0; i <= edges->len; i++)
    {
      char low[MT_DECIMAL_SIZE], high[MT_DECIMAL_SIZE];

      if (i > 0)
        mt_decimal_write (g_array_index (edges, double, i - 1), low);
      if (i < edges->len)
        mt_decimal_write (g_array_index (edges, double, i), high);
      g_ptr_array_add (labels, i == 0 ? g_strdup_printf ("< %s", high)
                               : i == edges->len ? g_strdup_printf ("≥ %s", low) : g_strdup_printf ("%s to < %s", low, high));
    }
  g_ptr_array_add (labels, NULL);
  node->n_edges = edges->len;
  node->edges = (double *) (gpointer) g_array_free (g_steal_pointer (&edges), FALSE);
  node->labels = (char **) g_ptr_array_free (g_steal_pointer (&labels), FALSE);
  return TRUE;
}

/* What comes after "contains(x" and "days_since(x". */
static gboolean
read_second (Reader        *reader,
             MtFormulaNode *node)
{
  const char *begin;

  if (!expect (reader, ','))
    return FALSE;
  skip_blanks (reader);
  if (node->kind == MT_FORMULA_CONTAINS)
    {
      if (*reader->at != '"')
        return fail (reader, _("text in quotation marks is expected here, as in contains(note, \"late\")"));
      node->text = read_quoted (reader);
      return node->text != NULL && (*node->text != '\0' || fail (reader, _("the text is empty")));
    }
  begin = reader->at;
  while (g_ascii_isalnum (*reader->at) || strchr ("-:.", *reader->at ? *reader->at : 'x') != NULL)
    reader->at++;
  if (mt_date_parse (begin, (gsize) (reader->at - begin), MT_DATE_YMD, &node->number))
    return TRUE;
  reader->at = begin;
  return fail (reader, _("a date such as 2026-01-31 is expected here"));
}

static MtFormulaNode *
read_call (Reader     *reader,
           const char *word)
{
  g_autoptr (MtFormulaNode) node = NULL;
  MtFormulaNode *operand;
  guint kind;

  for (kind = 0; kind < MT_N_FORMULA_KINDS; kind++)
    if (mt_formula_functions[kind] != NULL && g_str_equal (mt_formula_functions[kind], word))
      break;
  if (kind == MT_N_FORMULA_KINDS)
    {
      fail (reader, _("there is no such function; use log, abs, year, month, day, weekday, days_since, contains, "
                      "or bins"));
      return NULL;
    }
  if (!expect (reader, '('))
    return NULL;
  node = mt_formula_node_new (kind, NULL, NULL);
  operand = kind == MT_FORMULA_LOG || kind == MT_FORMULA_ABS || kind == MT_FORMULA_BINS ? read_sum (reader) : read_column (reader);
  node->a = operand;
  if (operand == NULL ||
      ((kind == MT_FORMULA_CONTAINS || kind == MT_FORMULA_DAYS_SINCE) && !read_second (reader, node)) ||
      (kind == MT_FORMULA_BINS && !read_edges (reader, node)) || !expect (reader, ')'))
    return NULL;
  return g_steal_pointer (&node);
}

static gboolean
gives_text (MtFormulaKind kind)
{
  return kind == MT_FORMULA_WEEKDAY || kind == MT_FORMULA_CONTAINS || kind == MT_FORMULA_BINS;
}

static MtFormulaNode *
read_factor (Reader *reader)
{
  MtFormulaNode *node;

  skip_blanks (reader);
  if (++reader->depth > MT_FORMULA_MAX_DEPTH)
    {
      fail (reader, _("the formula is nested too deeply"));
      return NULL;
    }
  if (take (reader, '-'))
    {
      MtFormulaNode *operand = read_factor (reader);

      node = operand != NULL ? mt_formula_node_new (MT_FORMULA_NEGATE, operand, NULL) : NULL;
    }
  else if (take (reader, '('))
    {
      node = read_sum (reader);
      if (node != NULL && !expect (reader, ')'))
        g_clear_pointer (&node, mt_formula_node_free);
    }
  else if (g_ascii_isdigit (*reader->at) || *reader->at == '.')
    {
      double value = 0;

      node = read_number (reader, &value) ? mt_formula_node_new (MT_FORMULA_NUMBER, NULL, NULL) : NULL;
      if (node != NULL)
        node->number = value;
    }
  else if (begins_name (reader->at))
    {
      const char *begin = reader->at;
      g_autofree char *word = read_word (reader);

      skip_blanks (reader);
      if (*reader->at == '(')
        {
          node = read_call (reader, word);
          /* The whole formula is the call or it is none: what it gives is no number. */
          if (node != NULL && gives_text (node->kind) && (reader->depth > 1 || begin != reader->text + strspn (reader->text, " \t")))
            {
              fail (reader, _("weekday, contains, and bins give text, so they cannot be part of a larger formula"));
              g_clear_pointer (&node, mt_formula_node_free);
            }
        }
      else
        node = make_source (reader, word);
    }
  else
    node = read_column (reader);
  reader->depth--;
  return node;
}

static MtFormulaNode *
read_chain (Reader          *reader,
            MtFormulaNode *(*read) (Reader *),
            const char      *signs,
            MtFormulaKind    first)
{
  MtFormulaNode *node = read (reader);
  guint n = 0;

  while (node != NULL)
    {
      const char *sign;
      MtFormulaNode *other;

      skip_blanks (reader);
      sign = *reader->at != '\0' ? strchr (signs, *reader->at) : NULL;
      if (sign == NULL)
        break;
      if (gives_text (node->kind) || ++n > MT_FORMULA_MAX_DEPTH)
        {
          fail (reader, n > MT_FORMULA_MAX_DEPTH ? _("the formula is too long")
                        : _("weekday, contains, and bins give text, so they cannot be part of a larger formula"));
          g_clear_pointer (&node, mt_formula_node_free);
          break;
        }
      reader->at++;
      other = read (reader);
      if (other == NULL)
        {
          g_clear_pointer (&node, mt_formula_node_free);
          break;
        }
      node = mt_formula_node_new (first + (sign == signs ? 0 : 1), node, other);
    }
  return node;
}

static MtFormulaNode *
read_product (Reader *reader)
{
  return read_chain (reader, read_factor, "*/", MT_FORMULA_MULTIPLY);
}

static MtFormulaNode *
read_sum (Reader *reader)
{
  return read_chain (reader, read_product, "+-", MT_FORMULA_ADD);
}

/* --- and back --- */

char *
mt_formula_quote_name (const char *name)
{
  GString *out;
  const char *p = name;

  if (begins_name (p))
    while (continues_name (p))
      p++;
  if (*name != '\0' && *p == '\0')
    return g_strdup (name);
  out = g_string_new ("\"");
  for (p = name; *p != '\0'; p++)
    {
      if (*p == '"' || *p == '\\')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
  return g_string_free (out, FALSE);
}

static guint
get_rank (const MtFormulaNode *node)
{
  return node->kind == MT_FORMULA_ADD || node->kind == MT_FORMULA_SUBTRACT ? 1
         : node->kind == MT_FORMULA_MULTIPLY || node->kind == MT_FORMULA_DIVIDE ? 2
         : node->kind == MT_FORMULA_NEGATE ? 3 : 4;
}

/* In parentheses where the tree would be another one without. */
static void
append_node (GString             *out,
             const MtFormulaNode *node,
             const GArray        *sources,
             guint                rank)
{
  static const char * const signs[] = {
    [MT_FORMULA_ADD] = " + ", [MT_FORMULA_SUBTRACT] = " - ", [MT_FORMULA_MULTIPLY] = " * ", [MT_FORMULA_DIVIDE] = " / ",
  };
  guint own = get_rank (node);
  char number[MT_DECIMAL_SIZE];

  if (own < rank)
    g_string_append_c (out, '(');
  if (node->kind == MT_FORMULA_NUMBER)
    g_string_append (out, mt_decimal_write (node->number, number));
  else if (node->kind == MT_FORMULA_SOURCE)
    {
      g_autofree char *name = mt_formula_quote_name (g_array_index (sources, MtFormulaSource, node->source).name);

      g_string_append (out, name);
    }
  else if (node->kind == MT_FORMULA_NEGATE)
    {
      g_string_append_c (out, '-');
      append_node (out, node->a, sources, own);
    }
  else if (mt_formula_functions[node->kind] == NULL)
    {
      append_node (out, node->a, sources, own);
      g_string_append (out, signs[node->kind]);
      append_node (out, node->b, sources, own + 1);
    }
  else
    {
      g_string_append_printf (out, "%s(", mt_formula_functions[node->kind]);
      append_node (out, node->a, sources, 0);
      if (node->kind == MT_FORMULA_DAYS_SINCE)
        {
          g_autofree char *date = mt_date_dup_iso (node->number);

          g_string_append_printf (out, ", %s", date != NULL ? date : "1970-01-01");
        }
      if (node->kind == MT_FORMULA_CONTAINS)
        {
          g_string_append (out, ", \"");
          for (const char *p = node->text; *p != '\0'; p++)
            {
              if (*p == '"' || *p == '\\')
                g_string_append_c (out, '\\');
              g_string_append_c (out, *p);
            }
          g_string_append_c (out, '"');
        }
      for (guint i = 0; i < node->n_edges; i++)
        g_string_append_printf (out, ", %s", mt_decimal_write (node->edges[i], number));
      g_string_append_c (out, ')');
    }
  if (own < rank)
    g_string_append_c (out, ')');
}

static void
clear_source (gpointer data)
{
  MtFormulaSource *source = data;

  g_free (source->name);
  g_strfreev (source->missing_values);
  g_free (source->unit);
}

MtFormula *
mt_formula_new (const char  *text,
                GError     **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (MtFormula) formula = NULL;
  GString *out;
  Reader reader = { text, text, NULL, 0, &problem };

  if (strlen (text) > MT_FORMULA_MAX_BYTES || !g_utf8_validate (text, -1, NULL) || strpbrk (text, "\r\n") != NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("A formula is one line of UTF-8 text of at most %d bytes"),
                   MT_FORMULA_MAX_BYTES);
      return NULL;
    }
  formula = g_new0 (MtFormula, 1);
  g_atomic_ref_count_init (&formula->ref_count);
  formula->sources = reader.sources = g_array_new (FALSE, FALSE, sizeof (MtFormulaSource));
  g_array_set_clear_func (formula->sources, clear_source);
  formula->root = read_sum (&reader);
  skip_blanks (&reader);
  if (formula->root != NULL && *reader.at != '\0')
    fail (&reader, _("the formula should end here, or an operator is missing"));
  if (formula->root != NULL && problem == NULL && formula->sources->len == 0)
    {
      reader.at = text;
      fail (&reader, _("the formula does not use any column"));
    }
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  out = g_string_new (NULL);
  append_node (out, formula->root, formula->sources, 0);
  formula->text = g_string_free (out, FALSE);
  return g_steal_pointer (&formula);
}
