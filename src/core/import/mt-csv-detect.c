/* Looks at the start of a CSV and says how to read it: encoding, delimiter, quote, header, lines in front
 * of the table. See mt-csv-detect.h. */
#include "config.h"
#include "mt-csv-detect.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-text.h"
#include "mt-typing.h"

#define SAMPLE_SIZE   (256u * 1024)
#define MAX_PREAMBLE  30
#define NOTHING       N_("The file is empty: it contains only blank lines")

static const char delimiters[] = { ',', ';', '\t', '|' };

/* --- the sample --- */

static void
sample_init (MtCsvSample *sample)
{
  gsize zero = 0;

  sample->bytes = g_byte_array_sized_new (64);   /* its data are never NULL */
  sample->cells = g_array_new (FALSE, FALSE, sizeof (MtCsvCell));
  sample->starts = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_array_append_val (sample->starts, zero);
}

static void
sample_clear (MtCsvSample *sample)
{
  g_clear_pointer (&sample->bytes, g_byte_array_unref);
  g_clear_pointer (&sample->cells, g_array_unref);
  g_clear_pointer (&sample->starts, g_array_unref);
}

static void
sample_field (void   *text,
              size_t  length,
              void   *data)
{
  MtCsvSample *sample = data;
  MtCsvCell cell = { sample->bytes->len, length };

  g_byte_array_append (sample->bytes, text, (guint) length);
  g_array_append_val (sample->cells, cell);
}

static void
sample_record (int   c,
               void *data)
{
  MtCsvSample *sample = data;
  gsize n = sample->cells->len;

  g_array_append_val (sample->starts, n);
}

guint
mt_csv_sample_get_n_records (const MtCsvSample *sample)
{
  return sample->starts->len - 1;
}

static guint
get_n_fields (const MtCsvSample *sample,
              guint              record)
{
  return (guint) (g_array_index (sample->starts, gsize, record + 1) -
                  g_array_index (sample->starts, gsize, record));
}

const char *
mt_csv_sample_get_cell (const MtCsvSample *sample,
                        guint              record,
                        guint              column,
                        gsize             *length)
{
  const MtCsvCell *cell;

  if (column >= get_n_fields (sample, record))
    {
      *length = 0;
      return "";
    }
  cell = &g_array_index (sample->cells, MtCsvCell, g_array_index (sample->starts, gsize, record) + column);
  *length = cell->length;
  return (const char *) sample->bytes->data + cell->offset;
}

static MtCsvTokens
sample_cut (MtCsvSample *sample,
            const char  *text,
            gsize        length,
            gboolean     complete,
            char         delimiter,
            char         quote,
            gsize       *error_offset)
{
  g_auto (MtCsvTokenizer) tokenizer;

  mt_csv_tokenizer_init (&tokenizer, delimiter, quote);
  return mt_csv_tokenizer_run (&tokenizer, text, length, complete, sample_field, sample_record, sample,
                               error_offset);
}

static gboolean
is_blank_record (const MtCsvSample *sample,
                 guint              record)
{
  gsize length;
  const char *text = mt_csv_sample_get_cell (sample, record, 0, &length);

  return get_n_fields (sample, record) == 1 && mt_csv_is_blank (text, length);
}

/* The number of fields that most records have; @share: how many of them. */
static guint
usual_n_fields (const MtCsvSample *sample,
                double            *share)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  guint best = 0, best_count = 0, n = 0;

  for (guint r = 0; r < mt_csv_sample_get_n_records (sample); r++)
    {
      guint fields = get_n_fields (sample, r);
      guint count;

      if (is_blank_record (sample, r))
        continue;
      count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, GUINT_TO_POINTER (fields))) + 1;
      g_hash_table_insert (counts, GUINT_TO_POINTER (fields), GUINT_TO_POINTER (count));
      n++;
      if (count > best_count)
        {
          best = fields;
          best_count = count;
        }
    }
  *share = n > 0 ? (double) best_count / n : 0;
  return best;
}

/* --- delimiter and quote --- */

/* Share of cells that hold no other delimiter, unless it is part of a number. */
static double
cleanness (const MtCsvSample *sample,
           char               delimiter)
{
  static const MtCsvDialect any = { 0 };
  guint n_clean = 0;

  for (guint i = 0; i < sample->cells->len; i++)
    {
      const MtCsvCell *cell = &g_array_index (sample->cells, MtCsvCell, i);
      const char *text = (const char *) sample->bytes->data + cell->offset;
      gboolean clean = TRUE;

      for (guint d = 0; d < G_N_ELEMENTS (delimiters) && clean; d++)
        clean = delimiters[d] == delimiter || memchr (text, delimiters[d], cell->length) == NULL;
      n_clean += clean || mt_type_is_number (text, cell->length, &any);
    }
  return sample->cells->len > 0 ? (double) n_clean / sample->cells->len : 0;
}

static double
judge_dialect (const char *text,
               gsize       length,
               gboolean    complete,
               char        delimiter,
               char        quote,
               guint      *n_fields)
{
  MtCsvSample sample;
  MtCsvTokens tokens;
  double share, score;
  gsize offset;
  guint usual;

  sample_init (&sample);
  tokens = sample_cut (&sample, text, length, complete, delimiter, quote, &offset);
  usual = usual_n_fields (&sample, &share);
  *n_fields = usual;
  if (usual < 2)
    score = 0;
  else
    {
      score = share * (0.5 + 0.5 * cleanness (&sample, delimiter));
      if (get_n_fields (&sample, 0) != usual)
        score *= 0.5;
      if (tokens != MT_CSV_TOKENS_OK)
        score *= 0.8;
    }
  sample_clear (&sample);
  return score;
}

static char
detect_delimiter (const char *text,
                  gsize       length,
                  gboolean    complete,
                  char        quote,
                  double     *best_score)
{
  char best = ',';
  guint best_fields = 1;

  *best_score = 0;
  for (guint i = 0; i < G_N_ELEMENTS (delimiters); i++)
    {
      guint n_fields;
      double score;

      if (memchr (text, delimiters[i], length) == NULL)
        continue;
      score = judge_dialect (text, length, complete, delimiters[i], quote, &n_fields);
      if (score > *best_score || (score == *best_score && score > 0 && n_fields > best_fields))
        {
          *best_score = score;
          best = delimiters[i];
          best_fields = n_fields;
        }
    }
  return best;
}

/* Single quotes around fields, and none doubtful: each that opens a field also closes it. */
static gboolean
has_single_quotes (const char *text,
                   gsize       length,
                   char        delimiter)
{
  gsize n_pairs = 0;

  for (gsize i = 0; i < length; i++)
    {
      gboolean starts = i == 0 || text[i - 1] == delimiter || text[i - 1] == '\n' || text[i - 1] == '\r';
      const char *close;

      if (text[i] != '\'' || !starts)
        continue;
      close = memchr (text + i + 1, '\'', length - i - 1);
      while (close != NULL && close + 1 < text + length && close[1] == '\'')
        close = memchr (close + 2, '\'', (gsize) (text + length - close - 2));
      if (close == NULL)
        return FALSE;
      if (close + 1 < text + length && close[1] != delimiter && close[1] != '\n' && close[1] != '\r')
        return FALSE;
      i = (gsize) (close - text);
      n_pairs++;
    }
  return n_pairs >= 2;
}

static void
detect_dialect (const char   *text,
                gsize         length,
                gboolean      complete,
                MtCsvDialect *dialect)
{
  double score;

  if (dialect->quote == 0)
    {
      dialect->quote = '"';
      if (memchr (text, '"', length) == NULL && memchr (text, '\'', length) != NULL)
        {
          double single_score;
          char delimiter = dialect->delimiter;
          char single_delimiter = delimiter;

          if (delimiter == 0)
            {
              delimiter = detect_delimiter (text, length, complete, '"', &score);
              single_delimiter = detect_delimiter (text, length, complete, '\'', &single_score);
            }
          else
            {
              guint n_fields;

              score = judge_dialect (text, length, complete, delimiter, '"', &n_fields);
              single_score = judge_dialect (text, length, complete, delimiter, '\'', &n_fields);
            }
          if (single_score >= score && has_single_quotes (text, length, single_delimiter))
            dialect->quote = '\'';
        }
    }
  if (dialect->delimiter == 0)
    dialect->delimiter = detect_delimiter (text, length, complete,
                                           dialect->quote == MT_CSV_NO_QUOTE ? 0 : dialect->quote, &score);
}

/* In a table of one column: another character that every record has equally often, and that
 * may be what separates the columns. It is not certain. */
static char
find_unused_delimiter (const MtCsvSample *sample)
{
  static const char candidates[] = { ' ', ':', '^', '~', '#', '!', '/', '\0' };
  guint n_records = mt_csv_sample_get_n_records (sample);

  for (const char *c = candidates; *c != '\0' && n_records >= 3; c++)
    {
      gsize count = 0;
      guint r;

      for (r = 0; r < n_records; r++)
        {
          gsize length;
          const char *text = mt_csv_sample_get_cell (sample, r, 0, &length);
          gsize n = mt_csv_count_bytes (text, length, *c);

          if (n == 0 || get_n_fields (sample, r) != 1 || (r > 0 && n != count))
            break;
          count = n;
        }
      if (r == n_records)
        return *c;
    }
  return 0;
}

/* --- header --- */

static guint
n_filled (const MtCsvSample *sample,
          guint              record)
{
  guint n = 0;

  for (guint c = 0; c < get_n_fields (sample, record); c++)
    {
      gsize length;
      const char *text = mt_csv_sample_get_cell (sample, record, c, &length);

      n += !mt_csv_is_blank (text, length);
    }
  return n;
}

static gboolean
is_comment (const MtCsvSample *sample,
            guint              record)
{
  gsize length;
  const char *text = mt_csv_sample_get_cell (sample, record, 0, &length);

  return length > 0 && text[0] == '#';
}

/* Titles and notes in front of the table: at most one cell is filled where the table has
 * more, or they begin with #, and fuller records follow. */
static guint
count_preamble (const MtCsvSample *sample,
                guint              usual)
{
  guint n = mt_csv_sample_get_n_records (sample);
  guint r;

  if (usual < 2)
    return 0;
  for (r = 0; r < MIN (n, MAX_PREAMBLE); r++)
    {
      guint fields = get_n_fields (sample, r);
      guint filled = n_filled (sample, r);

      if (fields != usual && is_comment (sample, r))
        continue;
      if (filled > 1 || (fields == usual && usual < 3))
        break;
      if (fields == usual && filled == 1)
        {
          static const MtCsvDialect any = { 0 };
          gsize length;
          const char *text = mt_csv_sample_get_cell (sample, r, 0, &length);

          if (mt_csv_is_blank (text, length) || mt_type_is_number (text, length, &any))
            break;
        }
    }
  return r < n && r < MAX_PREAMBLE && get_n_fields (sample, r) >= 2 ? r : 0;
}

/* 2019, 2020, 2021: years one after another, at least two of them, and also words, are
 * names, not the first record. */
static gboolean
names_are_years (const MtCsvSample *sample,
                 guint              record)
{
  guint n_columns = get_n_fields (sample, record);
  guint n_years = 0;
  double before = 0;

  for (guint c = 0; c < n_columns; c++)
    {
      gsize length;
      const char *text = mt_csv_sample_get_cell (sample, record, c, &length);
      double value;

      if (mt_number_parse (text, length, &mt_number_plain, &value) != MT_NUMBER_FINITE)
        {
          if (n_years > 0)
            return FALSE;
          continue;
        }
      if (value < 1800 || value > 2200 || value != floor (value) || (n_years > 0 && value != before + 1))
        return FALSE;
      before = value;
      n_years++;
    }
  return n_years >= 2;
}

/* A model or a chosen target knows a column by its name, so the line with that name is the header. */
static gboolean
has_known_name (const MtCsvSample *sample,
                guint              record,
                const MtSchema    *schema)
{
  for (guint c = 0; c < get_n_fields (sample, record) && schema != NULL; c++)
    {
      gsize length;
      const char *text = mt_csv_sample_get_cell (sample, record, c, &length);
      g_autofree char *name = g_strndup (text, length);

      if (mt_schema_has_column (schema, name))
        return TRUE;
    }
  return FALSE;
}

static gboolean
detect_header (const MtCsvSample  *sample,
               guint               first,
               const MtCsvDialect *dialect,
               const char * const *tokens)
{
  guint n_records = mt_csv_sample_get_n_records (sample);
  guint n_columns = get_n_fields (sample, first);
  guint names_over_values = 0, values_over_values = 0, repeated = 0;

  if (n_records - first < 2 || names_are_years (sample, first))
    return TRUE;
  for (guint c = 0; c < n_columns; c++)
    {
      gsize length;
      const char *text = mt_csv_sample_get_cell (sample, first, c, &length);
      gboolean is_value = mt_type_is_number (text, length, dialect) || mt_type_is_date (text, length);
      guint n = 0, n_values = 0;
      gboolean again = FALSE;

      for (guint r = first + 1; r < MIN (n_records, first + 200); r++)
        {
          gsize other_length;
          const char *other = mt_csv_sample_get_cell (sample, r, c, &other_length);

          if (mt_missing_is_token (other, other_length, tokens))
            continue;
          n++;
          n_values += mt_type_is_number (other, other_length, dialect) || mt_type_is_date (other, other_length);
          again |= length > 0 && other_length == length && memcmp (text, other, length) == 0;
        }
      repeated += again;
      if (n == 0 || n_values * 2 < n)
        continue;
      if (is_value)
        values_over_values++;
      else if (!mt_missing_is_token (text, length, tokens))
        names_over_values++;
    }
  if (names_over_values > 0)
    return TRUE;
  return values_over_values == 0 && repeated < n_columns;
}

/* --- all of it --- */

typedef struct {
  GArray *offsets;   /* of gsize */
  GArray *lines;     /* of guint64 */
} Records;

static void
note_record (gsize    offset,
             guint64  line,
             gpointer data)
{
  Records *records = data;

  g_array_append_val (records->offsets, offset);
  g_array_append_val (records->lines, line);
}

static gboolean
read_sample (MtCsvReader   *reader,
             MtCsvBlock    *sample,
             GCancellable  *cancellable,
             GError       **error)
{
  g_auto (MtCsvBlock) more = { 0 };

  if (!mt_csv_reader_next (reader, sample, cancellable, error))
    return FALSE;
  /* A header may be as long as the whole sample: take at least another block then. */
  if (!sample->last && sample->length > 0 && mt_csv_count_lines (sample->text, sample->length) < 3)
    {
      if (!mt_csv_reader_next (reader, &more, cancellable, error))
        return FALSE;
      sample->text = g_realloc (sample->text, sample->length + more.length + MT_CSV_PADDING);
      sample->capacity = sample->length + more.length + MT_CSV_PADDING;
      memcpy (sample->text + sample->length, more.text, more.length);
      sample->length += more.length;
      sample->last = more.last;
      sample->problem = more.problem;
      sample->problem_byte = more.problem_byte;
    }
  mt_csv_block_check (sample);
  return TRUE;
}

void
mt_csv_layout_free (MtCsvLayout *layout)
{
  if (layout == NULL)
    return;
  g_clear_pointer (&layout->dialect, mt_csv_dialect_free);
  g_strfreev (layout->names);
  g_free (layout->preamble_text);
  sample_clear (&layout->sample);
  g_free (layout);
}

void
mt_csv_set_tokens_error (GError      **error,
                         MtCsvTokens   what,
                         guint64       line,
                         const char   *text,
                         gsize         length)
{
  g_autofree char *shown = mt_text_excerpt (text, length, 60);

  if (what == MT_CSV_TOKENS_OPEN_QUOTE)
    g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                 _("Line %" PRIu64 ": a quote opens here but is never closed. Close it, or double the quote "
                   "if it is part of the text (%s)"), line, shown);
  else if (what == MT_CSV_TOKENS_NO_MEMORY)
    g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                 _("Not enough memory: a field in line %" PRIu64 " is too large. Close other programs (%s)"),
                 line, shown);
  else
    g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                 _("Line %" PRIu64 ": a quote is in the middle of a field. Put the whole field in quotes and "
                   "double the quotes inside it, or check for a missing delimiter (%s)"),
                 line, shown);
  mt_error_set_line (error, line);
}

static gboolean
is_empty (const char *text,
          gsize       length)
{
  gsize i = 0;

  while (i < length && strchr (" \t\r\n", text[i]) != NULL)
    i++;
  return i == length;
}

/* An Excel file may say its delimiter in a first line "sep=;". */
static gsize
sep_line (const char *text,
          gsize       length,
          char       *delimiter)
{
  gsize n;

  if (length < 6 || g_ascii_strncasecmp (text, "sep=", 4) != 0)
    return 0;
  for (n = 5; n < length && (text[n] == '\r' || text[n] == '\n'); n++)
    if (text[n] == '\n')
      {
        *delimiter = text[4];
        return n + 1;
      }
  return 0;
}

static void
take_names (MtCsvLayout       *layout,
            const MtCsvSample *sample,
            guint              record)
{
  layout->names = g_new0 (char *, layout->n_columns + 1);
  for (guint c = 0; c < layout->n_columns; c++)
    {
      gsize length;
      const char *text = mt_csv_sample_get_cell (sample, record, c, &length);

      layout->names[c] = g_strndup (text, length);
    }
}

static void
keep_records (MtCsvLayout       *layout,
              const MtCsvSample *sample,
              guint              first)
{
  sample_init (&layout->sample);
  for (guint r = first; r < mt_csv_sample_get_n_records (sample); r++)
    {
      if (layout->n_columns > 1 && is_blank_record (sample, r))
        continue;
      for (guint c = 0; c < get_n_fields (sample, r); c++)
        {
          gsize length;
          const char *text = mt_csv_sample_get_cell (sample, r, c, &length);

          sample_field ((void *) text, length, &layout->sample);
        }
      sample_record ('\n', &layout->sample);
    }
}

MtCsvLayout *
mt_csv_layout_detect (MtCsvSource         *source,
                      const MtCsvDialect  *wanted,
                      const MtSchema      *schema,
                      const char          *encoding,
                      MtCsvProblem        *problem,
                      guint8              *problem_byte,
                      guint64             *problem_line,
                      GCancellable        *cancellable,
                      GError             **error)
{
  g_autoptr (MtCsvLayout) layout = g_new0 (MtCsvLayout, 1);
  g_autoptr (MtCsvReader) reader = NULL;
  g_auto (MtCsvBlock) block = { 0 };
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint64));
  Records records = { offsets, lines };
  MtCsvSample sample = { 0 };
  MtCsvDialect *dialect;
  MtCsvTokens tokens;
  gsize error_offset, skip;
  guint first = 0, n_records, usual;
  double share;
  char quote;

  *problem = MT_CSV_NO_PROBLEM;
  layout->dialect = dialect = mt_csv_dialect_copy (wanted);
  g_free (dialect->encoding);
  dialect->encoding = g_strdup (encoding != NULL ? encoding : "UTF-8");
  if (dialect->missing_tokens == NULL)
    dialect->missing_tokens = g_strdupv ((char **) mt_missing_get_default_tokens ());
  quote = wanted->quote == MT_CSV_NO_QUOTE ? 0 : wanted->quote == 0 ? '"' : wanted->quote;
  reader = mt_csv_reader_new (source, encoding, quote, SAMPLE_SIZE, cancellable, error);
  if (reader == NULL || !read_sample (reader, &block, cancellable, error))
    return NULL;
  if (block.problem != MT_CSV_NO_PROBLEM && block.problem != MT_CSV_PROBLEM_FIELD_SIZE)
    {
      *problem = block.problem;
      *problem_byte = block.problem_byte;
      *problem_line = mt_csv_count_lines (block.text, block.length) + 1;
      return NULL;
    }

  if (block.last && block.problem == MT_CSV_NO_PROBLEM && is_empty (block.text, block.length))
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE,
                           block.length == 0 ? _("The file is empty") : _(NOTHING));
      return NULL;
    }
  skip = sep_line (block.text, block.length, wanted->delimiter == 0 ? &dialect->delimiter : &(char) { 0 });
  detect_dialect (block.text + skip, block.length - skip, block.last, dialect);
  quote = dialect->quote == MT_CSV_NO_QUOTE ? 0 : dialect->quote;
  sample_init (&sample);
  tokens = sample_cut (&sample, block.text + skip, block.length - skip, block.last && block.problem == 0,
                       dialect->delimiter, quote, &error_offset);
  mt_csv_walk_records (block.text + skip, block.length - skip, quote, 0, note_record, &records);
  n_records = mt_csv_sample_get_n_records (&sample);
  if (n_records == 0)
    {
      MtCsvPlace place;

      if (tokens != MT_CSV_TOKENS_OK)
        {
          mt_csv_locate (block.text, block.length, quote, skip + error_offset, &place);
          mt_csv_set_tokens_error (error, tokens,
                                   (tokens == MT_CSV_TOKENS_OPEN_QUOTE ? place.quote_line : place.line) + 1,
                                   block.text + place.offset, block.length - place.offset);
        }
      else if (block.problem == MT_CSV_PROBLEM_FIELD_SIZE)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                       _("Line 1: a field is longer than %u MiB. A closing quote may be missing"),
                       MT_CSV_MAX_FIELD / 1024 / 1024);
          mt_error_set_line (error, 1);
        }
      else
        g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, _(NOTHING));
      sample_clear (&sample);
      return NULL;
    }

  usual = usual_n_fields (&sample, &share);
  first = count_preamble (&sample, usual);
  while (usual > 1 && first < n_records && is_blank_record (&sample, first))
    first++;
  first = MIN (first, n_records - 1);
  for (guint r = 0; r < first; r++)
    if (n_filled (&sample, r) > 0 || get_n_fields (&sample, r) > 1)
      {
        if (layout->n_preamble++ == 0)
          {
            gsize length;
            const char *text = mt_csv_sample_get_cell (&sample, r, 0, &length);

            layout->preamble_line = g_array_index (lines, guint64, r) + 1 + (skip > 0);
            layout->preamble_text = g_strndup (text, length);
          }
      }
  if (dialect->header < 0)
    dialect->header = has_known_name (&sample, first, schema) ||
                      detect_header (&sample, first, dialect, (const char * const *) dialect->missing_tokens);
  layout->n_columns = dialect->header ? get_n_fields (&sample, first)
                      : MAX (usual, get_n_fields (&sample, first));
  if (layout->n_columns > MT_CSV_MAX_COLUMNS)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET,
                   _("Line %" PRIu64 " has %u fields; at most %u columns can be read. Check the delimiter"), g_array_index (lines, guint64, first) + 1 + (skip > 0),
                   layout->n_columns, MT_CSV_MAX_COLUMNS);
      mt_error_set_line (error, g_array_index (lines, guint64, first) + 1 + (skip > 0));
      sample_clear (&sample);
      return NULL;
    }
  if (dialect->header)
    {
      take_names (layout, &sample, first);
      layout->header_line = g_array_index (lines, guint64, first) + 1 + (skip > 0);
      first++;
    }
  if (first < offsets->len)
    {
      layout->data_offset = skip + g_array_index (offsets, gsize, first);
      layout->data_line = g_array_index (lines, guint64, first) + 1 + (skip > 0);
    }
  else
    {
      layout->data_offset = block.length;
      layout->data_line = mt_csv_count_lines (block.text, block.length) + 1;
    }
  if (layout->n_columns == 1)
    layout->unused_delimiter = find_unused_delimiter (&sample);
  keep_records (layout, &sample, first);
  sample_clear (&sample);
  return g_steal_pointer (&layout);
}
