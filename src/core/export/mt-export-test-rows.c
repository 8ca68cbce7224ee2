/* Rows that exercise every branch of a model, to test an exported copy: if an engine answers them as the
 * model does, it computes the same function of the cells. See mt-export-test-rows.h. */
#include "config.h"
#include "mt-export-test-rows.h"

#include <math.h>
#include <string.h>

#include "base/mt-csv-write.h"
#include "encode/mt-encoder.h"
#include "base/mt-random.h"
#include "data/mt-missing.h"

#define DAY_SECONDS 86400.0

/* A cell: of a number column NaN is missing, of a category NULL. */
typedef struct {
  double      number;
  const char *text;
} Cell;

typedef struct {
  const MtModel    *model;
  const MtEncoder  *encoder;
  guint             n_columns;
  GArray           *abouts;        /* of MtEncoderColumn: the encoder's columns, then those that only formulas read; borrowed */
  GArray          **candidates;    /* by column, of Cell: a value for each answer it can give */
  gboolean         *is_used;       /* by column */
  gboolean          has_formulas;
  GPtrArray       **missing;       /* by column, of texts: what means missing in it alone; NULL-terminated */
  GArray           *cells;         /* of Cell, row after row */
  GStringChunk     *texts;
  MtRandom          random;
} Golden;

static const MtEncoderColumn *
get_about (const Golden *golden,
           guint         column)
{
  return &g_array_index (golden->abouts, MtEncoderColumn, column);
}

/* --- values --- */

static gboolean
is_number (const MtEncoderColumn *column)
{
  return column->levels == NULL;
}

/* The number @steps above @t: doubles, or of a date whole seconds. */
static double
beside (const MtEncoderColumn *column,
        double                 t,
        int                    steps)
{
  double whole, seconds;

  if (column->type != MT_TYPE_DATE)
    return steps == 0 ? t : nextafter (t, steps < 0 ? -INFINITY : INFINITY);
  whole = floor (t);
  seconds = ceil ((t - whole) * DAY_SECONDS - 1e-6) + steps;
  whole += floor (seconds / DAY_SECONDS);
  return whole + (seconds - DAY_SECONDS * floor (seconds / DAY_SECONDS)) / DAY_SECONDS;
}

static gboolean
can_be_written (const Golden *golden,
                const char   *text)
{
  return !mt_missing_is_token (text, strlen (text), mt_model_get_missing_tokens (golden->model)) &&
         strpbrk (text, "\r\n") == NULL;
}

static void
add_text (const Golden *golden,
          GArray       *list,
          const char   *text)
{
  Cell cell = { NAN, text };

  if (can_be_written (golden, text))
    g_array_append_val (list, cell);
}

/* A level that the column has never seen. */
static const char *
unknown_level (const Golden          *golden,
               const MtEncoderColumn *column)
{
  g_autoptr (GString) name = g_string_new ("never seen");

  while (g_strv_contains ((const char * const *) column->levels, name->str) ||
         g_strv_contains ((const char * const *) column->rest, name->str))
    g_string_append (name, " before");
  return g_string_chunk_insert_const (golden->texts, name->str);
}

static GArray *
make_candidates (const Golden          *golden,
                 const MtEncoderColumn *column)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Cell));
  Cell cell = { NAN, NULL };

  g_array_append_val (list, cell);
  if (!is_number (column))
    {
      for (guint i = 0; column->levels[i] != NULL; i++)
        add_text (golden, list, column->levels[i]);
      for (guint i = 0; column->rest[i] != NULL && i < 3; i++)
        add_text (golden, list, column->rest[i]);
      add_text (golden, list, unknown_level (golden, column));
      return list;
    }
  for (guint i = 0; i < column->n_thresholds; i++)
    {
      if (i == 0)
        {
          cell.number = beside (column, column->thresholds[0], -1);
          g_array_append_val (list, cell);
        }
      cell.number = beside (column, column->thresholds[i], 0);
      g_array_append_val (list, cell);
    }
  cell.number = beside (column, column->min, 0);
  g_array_append_val (list, cell);
  cell.number = beside (column, column->max, 0);
  g_array_append_val (list, cell);
  return list;
}

/* Is the literal true of the cell? By the definition in docs/literals.md. */
static gboolean
is_true (const Golden    *golden,
         const MtLiteral *literal,
         const Cell      *cell)
{
  const MtEncoderColumn *column = mt_encoder_get_column (golden->encoder, literal->column);
  gboolean is_missing = is_number (column) ? mt_encoder_column_lacks_number (column, cell->number)
                                           : mt_encoder_column_lacks_level (column, cell->text);

  if (literal->kind == MT_LITERAL_MISSING)
    return is_missing;
  if (is_missing)
    return FALSE;
  if (literal->kind == MT_LITERAL_AT_LEAST)
    return cell->number >= literal->threshold;
  if (literal->kind == MT_LITERAL_LEVEL)
    return strcmp (cell->text, literal->level) == 0;
  return !g_strv_contains ((const char * const *) column->levels, cell->text);
}

/* --- rows --- */

/* A new row of values drawn; valid until the next one. */
static Cell *
add_row (Golden *golden)
{
  gsize at = golden->cells->len;
  Cell *row;

  g_array_set_size (golden->cells, (guint) (at + golden->n_columns));
  row = &g_array_index (golden->cells, Cell, at);
  for (guint c = 0; c < golden->n_columns; c++)
    {
      const GArray *list = golden->candidates[c];

      row[c] = g_array_index (list, Cell, mt_random_below (&golden->random, list->len));
    }
  return row;
}

/* A value of @column that gives every input of the rule on it what @assignment demands. */
static gboolean
find_value (Golden       *golden,
            const MtRule *rule,
            guint32       assignment,
            guint         column,
            Cell         *value)
{
  const GArray *list = golden->candidates[column];
  guint start = (guint) mt_random_below (&golden->random, list->len);

  for (guint k = 0; k < list->len; k++)
    {
      const Cell *cell = &g_array_index (list, Cell, (start + k) % list->len);
      gboolean fits = TRUE;

      /* A derived value is what its formula makes of other cells. */
      for (guint i = 0; fits && get_about (golden, column)->formula == NULL && i < mt_rule_get_n_inputs (rule); i++)
        {
          const MtLiteral *literal = mt_encoder_get_literal (golden->encoder, mt_rule_get_inputs (rule)[i]);

          fits = literal->column != column ||
                 is_true (golden, literal, cell) == (((assignment >> i) & 1) != 0);
        }
      if (fits)
        {
          *value = *cell;
          return TRUE;
        }
    }
  return FALSE;
}

static void
add_corners (Golden       *golden,
             const MtRule *rule)
{
  guint n_inputs = mt_rule_get_n_inputs (rule);
  guint n_corners = 1u << n_inputs;
  guint step = MAX (n_corners / MT_EXPORT_TEST_ROWS_MAX_CORNERS, 1);

  for (guint v = 0; v < n_corners; v += step)
    {
      Cell *row = add_row (golden);
      gboolean is_possible = TRUE;

      for (guint i = 0; is_possible && i < n_inputs; i++)
        {
          guint column = mt_encoder_get_literal (golden->encoder, mt_rule_get_inputs (rule)[i])->column;

          is_possible = find_value (golden, rule, v, column, &row[column]);
          golden->is_used[column] = TRUE;
        }
      if (!is_possible)
        g_array_set_size (golden->cells, golden->cells->len - golden->n_columns);
    }
}

/* A number next to zero makes a quotient too large, at which the servers stop: with formulas it keeps a distance. */
static double
beside_of (const Golden          *golden,
           const MtEncoderColumn *column,
           double                 t,
           int                    steps)
{
  double value = beside (column, t, steps);

  return golden->has_formulas && value != 0 && fabs (value) < 1e-100 ? copysign (1e-9, value) : value;
}

static void
add_edges (Golden *golden,
           guint   index)
{
  const MtEncoderColumn *column = get_about (golden, index);

  add_row (golden)[index] = (Cell) { NAN, NULL };
  for (char **text = column->missing_values; text != NULL && *text != NULL; text++)
    {
      double value;

      if (!is_number (column))
        {
          if (can_be_written (golden, *text))
            add_row (golden)[index].text = *text;
        }
      else if (mt_missing_get_token_value (*text, column->type, &value))
        for (int steps = -1; steps <= 1; steps++)
          add_row (golden)[index].number = beside_of (golden, column, value, steps);
    }
  if (!is_number (column))
    {
      add_row (golden)[index].text = unknown_level (golden, column);
      for (guint i = 0; column->rest[i] != NULL && i < 3; i++)
        if (can_be_written (golden, column->rest[i]))
          add_row (golden)[index].text = column->rest[i];
      return;
    }
  for (guint i = 0; i < column->n_thresholds; i++)
    for (int steps = -1; steps <= 1; steps++)
      add_row (golden)[index].number = beside_of (golden, column, column->thresholds[i], steps);
  add_row (golden)[index].number = beside_of (golden, column, column->min, -1);
  add_row (golden)[index].number = beside_of (golden, column, column->max, 1);
}

/* --- formulas --- */

/* The encoder's columns, and behind them what an encoder would know of those that only formulas read. */
static GArray *
list_abouts (const MtEncoder *encoder)
{
  static char *no_levels[] = { NULL };
  GArray *list = g_array_new (FALSE, TRUE, sizeof (MtEncoderColumn));
  guint n = mt_encoder_get_n_columns (encoder);

  g_array_append_vals (list, mt_encoder_get_column (encoder, 0), n);
  for (guint i = 0; i < n; i++)
    {
      const MtFormula *formula = mt_encoder_get_column (encoder, i)->formula;

      for (guint k = 0; formula != NULL && k < mt_formula_get_n_sources (formula); k++)
        {
          const MtFormulaSource *source = mt_formula_get_source (formula, k);
          MtEncoderColumn about = { .name = source->name, .type = source->type, .missing_values = source->missing_values,
                                    .unit = source->unit };
          gboolean is_known = FALSE;

          for (guint c = 0; c < list->len; c++)
            is_known |= strcmp (g_array_index (list, MtEncoderColumn, c).name, source->name) == 0;
          if (about.type != MT_TYPE_NUMBER && about.type != MT_TYPE_DATE)
            about.levels = about.rest = no_levels;
          if (!is_known)
            g_array_append_val (list, about);
        }
    }
  return list;
}

static guint
find_about (const Golden *golden,
            const char   *name)
{
  guint c = 0;

  while (strcmp (get_about (golden, c)->name, name) != 0)
    c++;
  return c;
}

/* What makes a formula give other answers: zero and signs, each month and weekday and the ends of leap years, the text asked for. */
static void
add_source_candidates (Golden                *golden,
                       const MtEncoderColumn *derived)
{
  static const double numbers[] = { 0, 1, -1, .5, 3, 10, 250, 1e6 };
  static const double days[] = { 0, -1, 11016, 11017, 19722, 19723, 19753, 19782, 19783, 19813, 19844, 19874, 19905, 19935,
                                 19966, 19997, 20027.5, 20058, 20088, 20089 };
  const MtFormulaNode *root = mt_formula_get_root (derived->formula);

  for (guint k = 0; k < mt_formula_get_n_sources (derived->formula); k++)
    {
      const MtFormulaSource *source = mt_formula_get_source (derived->formula, k);
      GArray *list = golden->candidates[find_about (golden, source->name)];
      Cell cell = { NAN, NULL };

      for (gsize i = 0; source->type == MT_TYPE_NUMBER && i < G_N_ELEMENTS (numbers); i++)
        {
          cell.number = numbers[i];
          g_array_append_val (list, cell);
        }
      for (gsize i = 0; source->type == MT_TYPE_DATE && i < G_N_ELEMENTS (days); i++)
        {
          cell.number = days[i];
          g_array_append_val (list, cell);
        }
      if (root->kind == MT_FORMULA_CONTAINS)
        {
          g_autofree char *inside = g_strconcat ("a", root->text, "z", NULL);

          add_text (golden, list, g_string_chunk_insert_const (golden->texts, root->text));
          add_text (golden, list, g_string_chunk_insert_const (golden->texts, inside));
        }
    }
}

/* What the formula makes of the row, with @value for its source number @source. */
static double
compute_with (Golden                *golden,
              const MtEncoderColumn *derived,
              const Cell            *row,
              guint                  source,
              double                 value)
{
  double numbers[MT_FORMULA_MAX_SOURCES];

  for (guint k = 0; k < mt_formula_get_n_sources (derived->formula); k++)
    numbers[k] = k == source ? value
                 : row[find_about (golden, mt_formula_get_source (derived->formula, k)->name)].number;
  return mt_formula_get_number (derived->formula, numbers);
}

static gboolean
has_log (const MtFormulaNode *node)
{
  return node != NULL && (node->kind == MT_FORMULA_LOG || has_log (node->a) || has_log (node->b));
}

/* The two neighboring numbers between which the derived number reaches @threshold, by halving; with a logarithm, which engines
 * round differently, numbers a little apart. */
static void
add_crossing (Golden                *golden,
              const MtEncoderColumn *derived,
              guint                  source,
              double                 threshold)
{
  guint column = find_about (golden, mt_formula_get_source (derived->formula, source)->name);
  double apart = has_log (mt_formula_get_root (derived->formula)) ? 1e-9 : 0;
  Cell *row = add_row (golden);
  double low = -1e7, high = 1e7;
  gboolean at_low = compute_with (golden, derived, row, source, low) >= threshold;
  g_autofree Cell *copy = NULL;
  gsize at;

  if (at_low == (compute_with (golden, derived, row, source, high) >= threshold))
    return;   /* the row as drawn is one, too */
  for (guint i = 0; i < 2000 && nextafter (low, high) != high; i++)
    {
      double middle = low + (high - low) / 2;

      if (middle == low || middle == high)
        break;
      if ((compute_with (golden, derived, row, source, middle) >= threshold) == at_low)
        low = middle;
      else
        high = middle;
    }
  if (fabs (low) < 1e-100 && fabs (high) < 1e-100)
    return;   /* a pole: numbers so small make results too large, at which the servers stop */
  low -= apart * fabs (low);
  high += apart * fabs (high);
  at = golden->cells->len - golden->n_columns;
  row[column].number = low;
  copy = g_memdup2 (row, golden->n_columns * sizeof (Cell));
  g_array_append_vals (golden->cells, copy, golden->n_columns);
  g_array_index (golden->cells, Cell, at + golden->n_columns + column).number = high;
}

static void
add_derived_edges (Golden *golden,
                   guint   index)
{
  const MtEncoderColumn *derived = get_about (golden, index);

  for (guint k = 0; k < mt_formula_get_n_sources (derived->formula); k++)
    {
      const MtFormulaSource *source = mt_formula_get_source (derived->formula, k);

      golden->is_used[find_about (golden, source->name)] = TRUE;
      for (guint i = 0; i < derived->n_thresholds && source->type == MT_TYPE_NUMBER; i++)
        add_crossing (golden, derived, k, derived->thresholds[i]);
    }
  for (guint i = 0; i < 60; i++)
    add_row (golden);
}

static void
add_data (Golden        *golden,
          const MtTable *data)
{
  gsize n_rows = MIN (mt_table_get_n_rows (data), MT_EXPORT_TEST_ROWS_MAX_DATA);

  for (gsize r = 0; r < n_rows; r++)
    {
      Cell *row = add_row (golden);

      for (guint c = 0; c < golden->n_columns; c++)
        {
          const MtEncoderColumn *about = get_about (golden, c);
          const MtColumn *column = mt_table_find_column (data, about->name, NULL);

          row[c] = (Cell) { NAN, NULL };
          if (column == NULL || mt_column_is_missing (column, r))
            continue;
          if (is_number (about))
            row[c].number = mt_column_get_number (column, r);
          else
            {
              g_autofree char *text = mt_column_dup_text (column, r);

              row[c].text = g_string_chunk_insert_const (golden->texts, text);
            }
        }
    }
}

/* --- the table --- */

static void
add_missing (GPtrArray          *list,
             const char * const *texts)
{
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    if (!g_ptr_array_find_with_equal_func (list, texts[i], g_str_equal, NULL))
      g_ptr_array_add (list, g_strdup (texts[i]));
}

/* What the model says of a column, and what was said when the data were read. */
static GPtrArray *
make_missing (const MtEncoderColumn *about,
              const MtTable         *data)
{
  const MtColumn *column = data != NULL ? mt_table_find_column (data, about->name, NULL) : NULL;
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  add_missing (list, (const char * const *) about->missing_values);
  if (column != NULL)
    add_missing (list, mt_column_get_missing_values (column));
  g_ptr_array_add (list, NULL);
  return list;
}

static MtColumn *
make_level_column (const Golden          *golden,
                   const MtEncoderColumn *about,
                   guint                  index,
                   gsize                  n_rows)
{
  g_autoptr (GHashTable) codes_of = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint32 *codes = g_new (guint32, n_rows + 1);
  g_autoptr (GPtrArray) levels = g_ptr_array_new ();

  for (gsize r = 0; r < n_rows; r++)
    {
      const char *text = g_array_index (golden->cells, Cell, r * golden->n_columns + index).text;
      gpointer code;

      if (text == NULL)
        codes[r] = MT_CODE_MISSING;
      else if (g_hash_table_lookup_extended (codes_of, text, NULL, &code))
        codes[r] = GPOINTER_TO_UINT (code);
      else
        {
          codes[r] = levels->len;
          g_hash_table_insert (codes_of, (gpointer) text, GUINT_TO_POINTER (levels->len));
          g_ptr_array_add (levels, g_strdup (text));
        }
    }
  g_ptr_array_add (levels, NULL);
  return mt_column_new_codes (about->name, MT_TYPE_CATEGORY,
                              (char **) g_ptr_array_free (g_steal_pointer (&levels), FALSE), codes, n_rows);
}

static MtTable *
make_table (const Golden  *golden,
            GError       **error)
{
  gsize n_rows = golden->cells->len / golden->n_columns;
  g_autofree MtColumn **columns = g_new (MtColumn *, golden->n_columns);
  g_autoptr (MtSchema) schema = mt_model_dup_schema (golden->model);
  g_autoptr (MtTable) table = NULL;
  guint n = 0;

  for (guint c = 0; c < golden->n_columns; c++)
    {
      const MtEncoderColumn *about = get_about (golden, c);

      if (about->formula != NULL)
        continue;
      if (is_number (about))
        {
          double *values = g_new (double, n_rows + 1);

          for (gsize r = 0; r < n_rows; r++)
            values[r] = g_array_index (golden->cells, Cell, r * golden->n_columns + c).number;
          columns[n] = mt_column_new_numbers (about->name, about->type, values, n_rows);
        }
      else
        columns[n] = make_level_column (golden, about, c, n_rows);
      mt_column_set_missing_values (columns[n++], (const char * const *) golden->missing[c]->pdata);
    }
  table = mt_table_new (columns, n);
  return mt_schema_derive (schema, table, error);
}

/* Has @data the columns, as the model means them? */
static gboolean
check_data (const MtEncoder  *encoder,
            const MtTable    *data,
            GError          **error)
{
  const guint32 none = 0;
  g_autoptr (MtEncoded) encoded = mt_encoder_apply (encoder, data, &none, 0, NULL, error);

  return encoded != NULL;
}

MtTable *
mt_export_test_rows_make_table (const MtModel  *model,
                                const MtTable  *data,
                                GError        **error)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  Golden golden = { .model = model, .encoder = mt_model_get_encoder (model) };
  MtTable *table;

  if (data != NULL && !check_data (golden.encoder, data, error))
    return NULL;
  golden.abouts = list_abouts (golden.encoder);
  golden.n_columns = golden.abouts->len;
  golden.texts = g_string_chunk_new (1024);
  golden.cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  golden.is_used = g_new0 (gboolean, golden.n_columns);
  golden.candidates = g_new (GArray *, golden.n_columns);
  mt_random_init (&golden.random, 0);
  golden.missing = g_new (GPtrArray *, golden.n_columns);
  for (guint c = 0; c < golden.n_columns; c++)
    {
      golden.candidates[c] = make_candidates (&golden, get_about (&golden, c));
      golden.missing[c] = make_missing (get_about (&golden, c), data);
    }
  for (guint c = 0; c < mt_encoder_get_n_columns (golden.encoder); c++)
    if (get_about (&golden, c)->formula != NULL)
      {
        golden.has_formulas = TRUE;
        add_source_candidates (&golden, get_about (&golden, c));
      }

  if (data != NULL)
    add_data (&golden, data);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric)
        golden.is_used[mt_encoder_get_numeric (golden.encoder, term->numeric)->column] = TRUE;
      else
        add_corners (&golden, term->rule);
    }
  for (guint c = 0; c < mt_encoder_get_n_columns (golden.encoder); c++)
    if (golden.is_used[c] && get_about (&golden, c)->formula != NULL)
      add_derived_edges (&golden, c);
  for (guint c = 0; c < golden.n_columns; c++)
    if (golden.is_used[c] && get_about (&golden, c)->formula == NULL)
      add_edges (&golden, c);
  /* Everything missing; and without any rule some row at all. */
  memset (add_row (&golden), 0, golden.n_columns * sizeof (Cell));
  for (guint c = 0; c < golden.n_columns; c++)
    g_array_index (golden.cells, Cell, golden.cells->len - golden.n_columns + c).number = NAN;

  table = make_table (&golden, error);
  for (guint c = 0; c < golden.n_columns; c++)
    {
      g_array_unref (golden.candidates[c]);
      g_ptr_array_unref (golden.missing[c]);
    }
  g_free (golden.candidates);
  g_array_unref (golden.abouts);
  g_free (golden.missing);
  g_free (golden.is_used);
  g_array_unref (golden.cells);
  g_string_chunk_free (golden.texts);
  return table;
}

/* --- the file --- */

/* The text of a missing cell. */
static const char *
write_missing (const MtColumn     *column,
               gsize               row,
               guint               index,
               const char * const *tokens)
{
  const char * const *own = mt_column_get_missing_values (column);
  guint n_tokens = g_strv_length ((char **) tokens);

  if (own != NULL && (row % 2 == 0 || n_tokens == 0))
    return own[row / 2 % g_strv_length ((char **) own)];
  return n_tokens > 0 ? tokens[(row + index) % n_tokens] : "";
}

GBytes *
mt_export_test_rows_write (const MtModel    *model,
                           const MtTable    *table,
                           MtExportTestRowsColumns   columns,
                           GError          **error)
{
  guint n_columns = mt_table_get_n_columns (table);
  gsize n_rows = mt_table_get_n_rows (table);
  const char * const *tokens = mt_model_get_missing_tokens (model);
  g_autofree double *answers = NULL;
  g_autoptr (GString) out = g_string_new (NULL);

  if (columns == MT_EXPORT_TEST_ROWS_ANSWERS)
    {
      answers = g_new (double, mt_model_get_n_predictions (model) * n_rows + 1);
      if (!mt_model_predict (model, table, NULL, 0, answers, NULL, error))
        return NULL;
    }
  for (guint c = 0; c < n_columns; c++)
    if (mt_column_get_formula (mt_table_get_column (table, c)) == NULL)
      mt_csv_append_as_is (out, mt_column_get_name (mt_table_get_column (table, c)));
  if (answers != NULL)
    mt_model_append_header (model, out);
  mt_csv_end_line (out);
  for (gsize r = 0; r < n_rows; r++)
    {
      for (guint c = 0; c < n_columns; c++)
        {
          const MtColumn *column = mt_table_get_column (table, c);
          g_autofree char *text = NULL;

          if (mt_column_get_formula (column) != NULL)
            continue;
          text = mt_column_dup_text (column, r);
          mt_csv_append_as_is (out, mt_column_is_missing (column, r) ? write_missing (column, r, c, tokens) : text);
        }
      if (answers != NULL)
        mt_model_append_answer (model, answers, n_rows, r, out);
      mt_csv_end_line (out);
    }
  return g_string_free_to_bytes (g_steal_pointer (&out));
}
