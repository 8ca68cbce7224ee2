/* Results of other methods, read from a small CSV. Here a wrong cell is an error with its line and field, not a reason to
 * read the column differently, so this does not go through the importer of data; the records are cut by the same tokenizer.
 * A file has tens of lines, a thousand at most: everything is in memory. */
#include "config.h"
#include "mt-results.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/mt-csv-write.h"
#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "mt-csv-detect.h"
#include "mt-csv.h"

#define MAX_METHOD   100     /* bytes of a name */
#define MAX_LITERALS 1e9

enum { METHOD, LITERALS, SCORE, ERROR_OF_SCORE, N_FIELDS };

static const char * const field_names[N_FIELDS] = { "method", "literals", "score", "error" };

typedef struct {
  gsize   offset;
  guint64 line;      /* 1-based */
} Record;

typedef struct {
  char        delimiter;
  GArray     *records;            /* of Record: where each starts */
  guint       next;               /* of the records, the one being cut */
  GPtrArray  *cells;              /* of the record so far */
  int         columns[N_FIELDS];  /* which cell each is; -1: none */
  guint       n_columns;
  GPtrArray  *results;
  GHashTable *methods;
  GError     *error;              /* the first */
} Reading;

static void
result_free (gpointer data)
{
  MtResult *result = data;

  g_free (result->method);
  g_free (result);
}

static guint64
line_of (const Reading *reading)
{
  return reading->next < reading->records->len ? g_array_index (reading->records, Record, reading->next).line : 0;
}

static void
fail (Reading    *reading,
      int         code,
      const char *message)
{
  guint64 line = line_of (reading);

  if (reading->error != NULL)
    return;
  /* Translators: number of the line, then what is wrong with it */
  g_set_error (&reading->error, MT_ERROR, code, _("Line %" PRIu64 ": %s"), line, message);
  mt_error_set_line (&reading->error, line);
}

static void
take_header (Reading *reading)
{
  for (guint f = 0; f < N_FIELDS; f++)
    reading->columns[f] = -1;
  for (guint i = 0; i < reading->cells->len; i++)
    for (guint f = 0; f < N_FIELDS; f++)
      if (g_ascii_strcasecmp (reading->cells->pdata[i], field_names[f]) == 0)
        {
          if (reading->columns[f] >= 0)
            {
              g_autofree char *message = g_strdup_printf (_("the column “%s” appears twice"), field_names[f]);

              fail (reading, MT_ERROR_PARSE, message);
              return;
            }
          reading->columns[f] = (int) i;
        }
  reading->n_columns = reading->cells->len;
  for (guint f = METHOD; f <= SCORE; f += SCORE - METHOD)
    if (reading->columns[f] < 0)
      {
        g_autofree char *message = g_strdup_printf (_("no column “%s”. The first line must name the columns method "
                                                      "and score; literals and error are optional"), field_names[f]);

        fail (reading, MT_ERROR_PARSE, message);
        return;
      }
}

static void
fail_number (Reading    *reading,
             guint       field,
             const char *cell,
             const char *wanted)
{
  /* Translators: name of a column, what its cell says, what it should be */
  g_autofree char *message = g_strdup_printf (_("%s is “%.40s”, not %s"), field_names[field], cell, wanted);

  fail (reading, MT_ERROR_PARSE, message);
}

/* NaN for an empty cell. */
static double
read_number (Reading    *reading,
             guint       field,
             double      low,
             double      high,
             const char *wanted)
{
  int column = reading->columns[field];
  const char *cell = column >= 0 ? reading->cells->pdata[column] : "";
  g_autofree char *text = NULL;
  char *comma;
  double value;

  if (*cell == '\0' && field != SCORE)
    return NAN;
  text = g_strdup (cell);
  comma = reading->delimiter == ';' && strchr (text, '.') == NULL ? strchr (text, ',') : NULL;
  if (comma != NULL)
    *comma = '.';
  if (mt_decimal_parse (text, &value) && isfinite (value) && value >= low && value <= high)
    return value;
  fail_number (reading, field, cell, wanted);
  return NAN;
}

static void
take_row (Reading *reading)
{
  MtResult *result;
  const char *method;

  if (reading->cells->len != reading->n_columns)
    {
      g_autofree char *message = g_strdup_printf (_("%u fields, but the first line has %u"), reading->cells->len,
                                                  reading->n_columns);

      fail (reading, MT_ERROR_PARSE, message);
      return;
    }
  method = reading->cells->pdata[reading->columns[METHOD]];
  if (*method == '\0')
    fail (reading, MT_ERROR_PARSE, _("method is empty"));
  else if (strlen (method) > MAX_METHOD)
    fail (reading, MT_ERROR_PARSE, _("method is longer than 100 bytes"));
  if (reading->error != NULL)
    return;
  g_hash_table_add (reading->methods, g_strdup (method));
  if (g_hash_table_size (reading->methods) > MT_RESULTS_MAX_METHODS)
    fail (reading, MT_ERROR_BUDGET, _("more than 16 methods. Remove some, because more cannot be told apart in the "
                                      "plot"));
  else if (reading->results->len >= MT_RESULTS_MAX_ROWS)
    fail (reading, MT_ERROR_BUDGET, _("more than 1,000 results. Remove some"));
  if (reading->error != NULL)
    return;
  result = g_new0 (MtResult, 1);
  result->method = g_strdup (method);
  g_ptr_array_add (reading->results, result);
  result->literals = read_number (reading, LITERALS, 1, MAX_LITERALS, _("a number of at least 1, or empty"));
  result->score = read_number (reading, SCORE, -1e6, 1, _("a number of at most 1"));
  result->error = read_number (reading, ERROR_OF_SCORE, 0, 1e6, _("a number of at least 0, or empty"));
}

static void
on_field (void   *text,
          size_t  length,
          void   *data)
{
  Reading *reading = data;

  g_ptr_array_add (reading->cells, g_strstrip (g_strndup (text, length)));
}

static gboolean
is_blank_record (const Reading *reading)
{
  for (guint i = 0; i < reading->cells->len; i++)
    if (*(const char *) reading->cells->pdata[i] != '\0')
      return FALSE;
  return TRUE;
}

static void
on_record (int   c,
           void *data)
{
  Reading *reading = data;

  if (reading->error == NULL && reading->n_columns == 0)
    take_header (reading);
  else if (reading->error == NULL && !is_blank_record (reading))
    take_row (reading);
  g_ptr_array_set_size (reading->cells, 0);
  reading->next++;
}

static void
note_record (gsize    offset,
             guint64  line,
             gpointer data)
{
  const Record record = { offset, line + 1 };

  g_array_append_val (((Reading *) data)->records, record);
}

/* The first line has names, and no name has one of these. */
static char
find_delimiter (const char *text)
{
  gsize line = strcspn (text, "\r\n");

  if (memchr (text, '\t', line) != NULL)
    return '\t';
  return memchr (text, ';', line) != NULL ? ';' : ',';
}

static void
cut (Reading *reading,
     char    *text,
     gsize    length)
{
  g_auto (MtCsvTokenizer) tokenizer = { 0 };
  MtCsvTokens tokens;
  gsize offset = 0;

  mt_csv_walk_records (text, length, '"', reading->delimiter, note_record, reading);
  mt_csv_tokenizer_init (&tokenizer, reading->delimiter, '"');
  /* Record by record: lines of blanks between them are none. */
  for (guint i = 0; i < reading->records->len && reading->error == NULL; i++)
    {
      gsize from = g_array_index (reading->records, Record, i).offset;
      gsize to = i + 1 < reading->records->len ? g_array_index (reading->records, Record, i + 1).offset : length;

      reading->next = i;
      g_ptr_array_set_size (reading->cells, 0);
      tokens = mt_csv_tokenizer_run (&tokenizer, text + from, to - from, TRUE, on_field, on_record, reading, &offset);
      if (tokens != MT_CSV_TOKENS_OK && reading->error == NULL)
        mt_csv_set_tokens_error (&reading->error, tokens, g_array_index (reading->records, Record, i).line, text + from,
                                 to - from);
    }
}

GPtrArray *
mt_results_from_text (const char  *text,
                      gssize       length,
                      GError     **error)
{
  Reading reading = { .delimiter = ',' };
  g_autofree char *copy = NULL;
  gsize n;

  g_return_val_if_fail (text != NULL, NULL);

  n = length < 0 ? strlen (text) : (gsize) length;
  if (n > MT_RESULTS_MAX_BYTES)
    {
      mt_refuse (error, MT_ERROR_BUDGET, _("More than 1 MiB. A file of results has one line per model"));
      return NULL;
    }
  if (n >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    text += 3, n -= 3;
  if (!g_utf8_validate (text, (gssize) n, NULL))   /* a NUL is not valid either */
    {
      mt_refuse (error, MT_ERROR_PARSE, _("Not UTF-8 text. Save the file as CSV in UTF-8"));
      return NULL;
    }
  copy = g_malloc0 (n + MT_CSV_PADDING);
  memcpy (copy, text, n);
  reading.delimiter = find_delimiter (copy);
  reading.records = g_array_new (FALSE, FALSE, sizeof (Record));
  reading.cells = g_ptr_array_new_with_free_func (g_free);
  reading.results = g_ptr_array_new_with_free_func (result_free);
  reading.methods = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  cut (&reading, copy, n);
  g_array_unref (reading.records);
  g_ptr_array_unref (reading.cells);
  g_hash_table_unref (reading.methods);
  if (reading.error == NULL && reading.results->len == 0)
    mt_refuse (&reading.error, MT_ERROR_PARSE, _("No results. The file needs a first line such as "
                                                 "method,literals,score,error and then one line per model"));
  if (reading.error != NULL)
    {
      g_propagate_error (error, reading.error);
      g_ptr_array_unref (reading.results);
      return NULL;
    }
  return reading.results;
}

GPtrArray *
mt_results_read (GFile         *file,
                 GCancellable  *cancellable,
                 GError       **error)
{
  g_autoptr (GFileInputStream) stream = NULL;
  g_autofree char *text = NULL;
  gsize length;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  stream = g_file_read (file, cancellable, error);
  if (stream == NULL)
    return NULL;
  text = g_malloc (MT_RESULTS_MAX_BYTES + 1);   /* one more than allowed is enough to see that it is too much */
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), text, MT_RESULTS_MAX_BYTES + 1, &length, cancellable, error))
    return NULL;
  return mt_results_from_text (text, (gssize) length, error);
}

char *
mt_results_to_text (const GPtrArray *results)
{
  GString *text = g_string_new ("method,literals,score,error\n");

  g_return_val_if_fail (results != NULL, NULL);

  for (guint i = 0; i < results->len; i++)
    {
      const MtResult *result = results->pdata[i];

      mt_csv_append_as_is (text, result->method);
      mt_csv_append_number (text, result->literals);
      mt_csv_append_number (text, result->score);
      mt_csv_append_number (text, result->error);
      mt_csv_end_line (text);
    }
  return g_string_free (text, FALSE);
}
