/* minterm-cli bench csv: how fast a CSV becomes a table, against libcsv with empty callbacks
 * on the same file in the same run; memory a cell; and whether time stays in proportion when
 * rows, columns, quotes or the length of a field double. */
#include "config.h"
#include "mt-cli.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define N_NUMBERS    25
#define N_CATEGORIES 20
#define N_TEXTS      5
#define N_COLUMNS    (N_NUMBERS + N_CATEGORIES + N_TEXTS)
#define N_SHORT_RUNS 12
#define N_SIZES      3
#define READ_SIZE    (1024 * 1024)

static gboolean
write_out (FILE        *file,
           GString     *buffer,
           gboolean     flush,
           GError     **error)
{
  if (!flush && buffer->len < READ_SIZE)
    return TRUE;
  if (fwrite (buffer->str, 1, buffer->len, file) != buffer->len || (flush && fflush (file) != 0))
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "cannot write the generated file: %s",
                   g_strerror (errno));
      return FALSE;
    }
  g_string_truncate (buffer, 0);
  return TRUE;
}

static void
append_cell (GString  *out,
             MtRandom *random,
             guint     column)
{
  static const char * const words[] = {
    "ash", "bay", "fig", "elm", "oak", "yew", "fir", "box", "nut", "ivy", "rye", "hop",
  };
  guint64 r = mt_random_next (random);

  if (column < 8)
    g_string_append_printf (out, "%u", (guint) (r % 100000));
  else if (column < N_NUMBERS)
    g_string_append_printf (out, "%u.%02u", (guint) (r % 10000), (guint) (r >> 40) % 100);
  else if (column < N_NUMBERS + N_CATEGORIES)
    g_string_append_printf (out, "%s%u", words[column % G_N_ELEMENTS (words)],
                            (guint) (r % (2 + (column - N_NUMBERS) * 5)));
  else if (column == N_COLUMNS - 1 && r % 8 == 0)
    g_string_append_printf (out, "\"%s, %s %u\"", words[r % 12], words[(r >> 8) % 12], (guint) (r >> 32));
  else
    g_string_append_printf (out, "%s %s %u", words[r % 12], words[(r >> 8) % 12], (guint) (r >> 32) % 1000000);
}

static gboolean
generate_table (FILE     *file,
                guint     n_rows,
                guint     n_columns,   /* kinds repeat as in the standard table */
                guint64   seed,
                GError  **error)
{
  g_autoptr (GString) out = g_string_sized_new (READ_SIZE + 65536);
  MtRandom random;

  mt_random_init (&random, seed);
  for (guint c = 0; c < n_columns; c++)
    g_string_append_printf (out, "%sc%u", c == 0 ? "" : ",", c);
  g_string_append_c (out, '\n');
  for (guint row = 0; row < n_rows; row++)
    {
      for (guint c = 0; c < n_columns; c++)
        {
          if (c > 0)
            g_string_append_c (out, ',');
          append_cell (out, &random, c % N_COLUMNS);
        }
      g_string_append_c (out, '\n');
      if (!write_out (file, out, FALSE, error))
        return FALSE;
    }
  return write_out (file, out, TRUE, error);
}

/* Ten rows with one field of @length characters; @quotes: all of them doubled quotes. */
static gboolean
generate_field (FILE     *file,
                gsize     length,
                gboolean  quotes,
                GError  **error)
{
  g_autoptr (GString) out = g_string_new ("a,b\n");

  for (guint row = 0; row < 10; row++)
    {
      g_string_append (out, quotes ? "1,\"" : "1,");
      for (gsize i = 0; i < length; i++)
        g_string_append (out, quotes ? "\"\"" : "x");
      g_string_append (out, quotes ? "\"\n" : "\n");
    }
  return write_out (file, out, TRUE, error);
}

static void
no_field (void   *text,
          size_t  length,
          void   *data)
{
}

static void
no_record (int   c,
           void *data)
{
}

/* Seconds that libcsv alone takes. */
static double
time_libcsv (const char *path)
{
  g_autofree char *buffer = g_malloc (READ_SIZE);
  struct csv_parser parser;
  gint64 start = g_get_monotonic_time ();
  int fd = g_open (path, O_RDONLY, 0);
  gssize n;

  csv_init (&parser, 0);
  while ((n = read (fd, buffer, READ_SIZE)) > 0)
    csv_parse (&parser, buffer, (gsize) n, no_field, no_record, NULL);
  csv_fini (&parser, no_field, no_record, NULL);
  csv_free (&parser);
  close (fd);
  return (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
}

/* A line of /proc/self/status, in bytes; 0 where there is none. */
static double
memory (const char *what)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL) || (line = strstr (text, what)) == NULL)
    return 0;
  return (double) g_ascii_strtoull (line + strlen (what) + 1, NULL, 10) * 1024;
}

static void
forget_peak (void)
{
  int fd = g_open ("/proc/self/clear_refs", O_WRONLY, 0);

  if (fd >= 0)
    {
      if (write (fd, "5", 1) != 1)
        g_debug ("the peak memory use cannot be reset");
      close (fd);
    }
}

typedef struct {
  double seconds;
  double processor;/* seconds of all threads: what other programs do does not count */
  double steady;   /* bytes kept by the table, as the system counts them */
  double peak;
} Measure;

static double
processor_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static gboolean
time_import (const char  *path,
             guint        n_threads,
             Measure     *measure,
             GError     **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  MtImportOptions options = { .n_threads = n_threads };
  g_autoptr (MtImport) import = NULL;
  double before, processor;
  gint64 start;

  forget_peak ();
  before = memory ("VmRSS:");
  start = g_get_monotonic_time ();
  processor = processor_time ();
  import = mt_import_file (file, &options, NULL, error);
  measure->processor = processor_time () - processor;
  measure->seconds = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  measure->steady = memory ("VmRSS:") - before;
  measure->peak = memory ("VmHWM:") - before;
  return import != NULL;
}

/* --- doubling --- */

typedef enum { BY_ROWS, BY_COLUMNS, BY_QUOTES, BY_FIELD_LENGTH } Doubling;

static const char * const doubling_names[] = { "rows", "columns", "quotes", "field_length" };

static gboolean
generate_for (Doubling      what,
              guint         times,
              const char   *path,
              GError      **error)
{
  FILE *file = g_fopen (path, "wb");
  gboolean ok = FALSE;

  if (file == NULL)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "cannot make %s: %s", path, g_strerror (errno));
      return FALSE;
    }
  switch (what)
    {
    case BY_ROWS:
      ok = generate_table (file, 20000 * times, N_COLUMNS, 1, error);
      break;
    case BY_COLUMNS:
      ok = generate_table (file, 1000, 1000 * times, 2, error);
      break;
    case BY_QUOTES:
      ok = generate_field (file, 500 * 1000 * times, TRUE, error);
      break;
    case BY_FIELD_LENGTH:
      ok = generate_field (file, 1000 * 1000 * times, FALSE, error);
      break;
    default:
      g_assert_not_reached ();
    }
  fclose (file);
  return ok;
}

/* The larger of the two ratios of 1 : 2 : 4. The three files are read in turn, so that a slow
 * spell of the machine meets all of them, and the best of many rounds counts, in processor
 * time: the runs are short, and what else runs must not look like growth. */
static gboolean
measure_doubling (Doubling      what,
                  const char   *directory,
                  double       *ratio,
                  GError      **error)
{
  g_auto (GStrv) paths = g_new0 (char *, N_SIZES + 1);
  double best[N_SIZES];
  gboolean ok = TRUE;

  for (guint s = 0; s < N_SIZES && ok; s++)
    {
      g_autofree char *name = g_strdup_printf ("doubling-%u.csv", s);

      paths[s] = g_build_filename (directory, name, NULL);
      best[s] = G_MAXDOUBLE;
      ok = generate_for (what, 1u << s, paths[s], error);
    }
  for (guint i = 0; i < N_SHORT_RUNS && ok; i++)
    for (guint s = 0; s < N_SIZES && ok; s++)
      {
        Measure measure;

        ok = time_import (paths[s], 1, &measure, error);
        if (ok)
          best[s] = MIN (best[s], measure.processor);
      }
  *ratio = 0;
  for (guint s = 0; s < N_SIZES; s++)
    {
      if (paths[s] != NULL)
        g_unlink (paths[s]);
      if (ok && s > 0)
        *ratio = MAX (*ratio, best[s] / best[s - 1]);
    }
  return ok;
}

/* --- the command --- */

typedef struct {
  guint   n_rows;
  double  megabytes;
  double  plain;
  Measure one, two;
  double  ratios[4];
} Figures;

static gboolean
measure_all (const char  *directory,
             guint        n_rows,
             guint        n_repeats,
             Figures     *figures,
             GError     **error)
{
  g_autofree char *path = g_build_filename (directory, "bench.csv", NULL);
  FILE *file = g_fopen (path, "wb");
  GStatBuf info;
  gboolean ok;

  if (file == NULL)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "cannot make %s: %s", path, g_strerror (errno));
      return FALSE;
    }
  ok = generate_table (file, n_rows, N_COLUMNS, 0, error);
  fclose (file);
  if (!ok || g_stat (path, &info) != 0)
    goto out;
  figures->n_rows = n_rows;
  figures->megabytes = (double) info.st_size / 1e6;
  figures->plain = figures->one.seconds = figures->two.seconds = G_MAXDOUBLE;
  for (guint i = 0; i < n_repeats && ok; i++)
    {
      Measure one, two;

      figures->plain = MIN (figures->plain, time_libcsv (path));
      ok = time_import (path, 1, &one, error) && time_import (path, 2, &two, error);
      if (!ok)
        break;
      if (i == 0)   /* later runs reuse memory that the first one left behind */
        {
          figures->one = one;
          figures->two = two;
        }
      figures->one.seconds = MIN (figures->one.seconds, one.seconds);
      figures->two.seconds = MIN (figures->two.seconds, two.seconds);
    }
  for (guint d = 0; d < G_N_ELEMENTS (figures->ratios) && ok; d++)
    ok = measure_doubling (d, directory, &figures->ratios[d], error);

out:
  g_unlink (path);
  return ok;
}

/* Only the file, for bench/import. */
static int
write_table (const char *path,
             guint       n_rows)
{
  g_autoptr (GError) error = NULL;
  FILE *file = g_fopen (path, "wb");
  gboolean ok;

  if (file == NULL)
    return mt_cli_fail (MT_EXIT_FAILED, "cannot make %s: %s", path, g_strerror (errno));
  ok = generate_table (file, n_rows, N_COLUMNS, 0, &error);
  fclose (file);
  return ok ? MT_EXIT_OK : mt_cli_fail_error (error);
}

static int
print_json (const Figures *figures)
{
  g_autoptr (MtJsonWriter) json = mt_json_writer_new ();
  double cells = (double) figures->n_rows * N_COLUMNS;
  const struct { const char *name; double value; } values[] = {
    { "rows", figures->n_rows },
    { "columns", N_COLUMNS },
    { "megabytes", figures->megabytes },
    { "libcsv_mb_per_second", figures->megabytes / figures->plain },
    { "mb_per_second_1", figures->megabytes / figures->one.seconds },
    { "mb_per_second_2", figures->megabytes / figures->two.seconds },
    { "ratio_1", figures->plain / figures->one.seconds },
    { "ratio_2", figures->plain / figures->two.seconds },
    { "bytes_per_cell", figures->one.steady / cells },
    { "peak_bytes_per_cell_1", figures->one.peak / cells },
    { "peak_bytes_per_cell_2", figures->two.peak / cells },
  };

  mt_json_writer_begin_object (json);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      mt_cli_json_number (json, values[i].name, values[i].value);
    }
  mt_json_writer_key (json, "time_per_doubling");
  mt_json_writer_begin_object (json);
  for (guint d = 0; d < G_N_ELEMENTS (figures->ratios); d++)
    {
      mt_cli_json_number (json, doubling_names[d], figures->ratios[d]);
    }
  mt_json_writer_end_object (json);
  mt_json_writer_end_object (json);
  return mt_cli_json_print (g_steal_pointer (&json));
}

static void
print_text (const Figures *figures)
{
  double cells = (double) figures->n_rows * N_COLUMNS;

  g_print ("%u rows × %d columns, %.0f MB\n", figures->n_rows, N_COLUMNS, figures->megabytes);
  g_print ("  libcsv alone     %7.1f MB/s\n", figures->megabytes / figures->plain);
  g_print ("  import, 1 thread %7.1f MB/s   %.2f of libcsv\n", figures->megabytes / figures->one.seconds,
           figures->plain / figures->one.seconds);
  g_print ("  import, 2 threads%7.1f MB/s   %.2f of libcsv\n", figures->megabytes / figures->two.seconds,
           figures->plain / figures->two.seconds);
  g_print ("  memory           %7.2f bytes per cell, peak %.2f (1 thread), %.2f (2 threads)\n",
           figures->one.steady / cells, figures->one.peak / cells, figures->two.peak / cells);
  for (guint d = 0; d < G_N_ELEMENTS (figures->ratios); d++)
    g_print ("  twice the %-13s %.2f times the time\n", doubling_names[d], figures->ratios[d]);
}

int
mt_cli_bench_csv (int    argc,
                  char **argv)
{
  int n_rows = 1000000, n_repeats = 3, exit_code = 0;
  g_autofree char *path = NULL;
  const GOptionEntry entries[] = {
    { "rows", 0, 0, G_OPTION_ARG_INT, &n_rows, "Rows of the generated file [default: 1000000]", "N" },
    { "repeat", 0, 0, G_OPTION_ARG_INT, &n_repeats, "Runs of each; the fastest counts [default: 3]", "N" },
    { "write", 0, 0, G_OPTION_ARG_FILENAME, &path, "Only write the file that would be read, to PATH", "PATH" },
    { NULL }
  };
  g_auto (MtCliCommon) common = { 0 };
  g_autofree char *directory = NULL;
  g_autoptr (GError) error = NULL;
  Figures figures = { 0 };
  gboolean ok;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (n_rows < 100 || n_rows > 100000000 || n_repeats < 1)
    return mt_cli_fail (MT_EXIT_USAGE, "--rows must be between 100 and 100000000, --repeat at least 1");
  if (path != NULL)
    return write_table (path, (guint) n_rows);
  directory = g_dir_make_tmp ("minterm-bench-XXXXXX", &error);
  if (directory == NULL)
    return mt_cli_fail_error (error);
  ok = measure_all (directory, (guint) n_rows, (guint) n_repeats, &figures, &error);
  g_rmdir (directory);
  if (!ok)
    return mt_cli_fail_error (error);
  if (common.json)
    return print_json (&figures);
  print_text (&figures);
  return MT_EXIT_OK;
}
