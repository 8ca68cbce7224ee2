/* The cells of a job: kept in memory, written as lines of row, column and value, and averaged over jobs.
 * See mt-lab-private.h. */
#include "config.h"
#include "mt-lab-private.h"

#include <math.h>
#include <string.h>

#define HEADER "row\tcolumn\tvalue"
#define LAST   "# complete"

struct _MtLabCells {
  GArray *cells;
};

static void
cell_clear (gpointer data)
{
  MtLabCell *cell = data;

  g_free (cell->row);
  g_free (cell->column);
}

MtLabCells *
mt_lab_cells_new (void)
{
  MtLabCells *self = g_new0 (MtLabCells, 1);

  self->cells = g_array_new (FALSE, FALSE, sizeof (MtLabCell));
  g_array_set_clear_func (self->cells, cell_clear);
  return self;
}

void
mt_lab_cells_free (MtLabCells *cells)
{
  if (cells == NULL)
    return;
  g_array_unref (cells->cells);
  g_free (cells);
}

void
mt_lab_cells_put (MtLabCells *cells,
                  double      value,
                  const char *column,
                  const char *row_format,
                  ...)
{
  MtLabCell cell = { NULL, g_strdup (column), value };
  va_list args;

  va_start (args, row_format);
  cell.row = g_strdup_vprintf (row_format, args);
  va_end (args);
  g_array_append_val (cells->cells, cell);
}

guint
mt_lab_cells_count (const MtLabCells *cells)
{
  return cells->cells->len;
}

const MtLabCell *
mt_lab_cells_get (const MtLabCells *cells,
                  guint             index)
{
  return &g_array_index (cells->cells, MtLabCell, index);
}

gboolean
mt_lab_cells_write (const MtLabCells  *cells,
                    const char        *path,
                    GError           **error)
{
  g_autoptr (GString) text = g_string_new (HEADER "\n");
  char number[MT_DECIMAL_SIZE];

  for (guint i = 0; i < cells->cells->len; i++)
    {
      const MtLabCell *cell = mt_lab_cells_get (cells, i);

      g_string_append_printf (text, "%s\t%s\t%s\n", cell->row, cell->column,
                              isfinite (cell->value) ? mt_decimal_write (cell->value, number) : "");
    }
  g_string_append (text, LAST "\n");
  return mt_file_write (path, text->str, text->len, MT_FILE_REPLACE, error);
}

MtLabCells *
mt_lab_cells_read (const char  *path,
                   GError     **error)
{
  g_autoptr (MtLabCells) self = mt_lab_cells_new ();
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gboolean is_complete = FALSE;

  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  if (g_strcmp0 (lines[0], HEADER) != 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "%s does not begin with “row, column, value”", path);
      return NULL;
    }
  for (guint l = 1; lines[l] != NULL && !is_complete; l++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[l], "\t", -1);
      MtLabCell cell = { NULL, NULL, NAN };

      is_complete = g_str_equal (lines[l], LAST);
      if (is_complete)
        break;
      if (g_strv_length (fields) != 3 || (fields[2][0] != '\0' && !mt_decimal_parse (fields[2], &cell.value)))
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "%s: line %u is not a cell", path, l + 1);
          return NULL;
        }
      cell.row = g_strdup (fields[0]);
      cell.column = g_strdup (fields[1]);
      g_array_append_val (self->cells, cell);
    }
  if (!is_complete)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "%s ends too early", path);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* --- means over jobs --- */

static void
mean_free (gpointer data)
{
  MtLabMean *mean = data;

  g_array_unref (mean->values);
  g_free (mean);
}

static void
add_cells (GPtrArray        *means,
           GHashTable       *by_name,
           const char       *experiment,
           const MtLabCells *cells)
{
  for (guint i = 0; i < cells->cells->len; i++)
    {
      const MtLabCell *cell = mt_lab_cells_get (cells, i);
      char *name = g_strdup_printf ("%s\t%s", cell->row, cell->column);
      MtLabMean *mean = g_hash_table_lookup (by_name, name);

      if (mean == NULL)
        {
          mean = g_new0 (MtLabMean, 1);
          *mean = (MtLabMean) { experiment, cell->row, cell->column, g_array_new (FALSE, FALSE, sizeof (double)), NAN, NAN };
          g_ptr_array_add (means, mean);
          g_hash_table_insert (by_name, name, mean);
        }
      else
        g_free (name);
      if (isfinite (cell->value))
        g_array_append_val (mean->values, cell->value);
    }
}

static void
compute (MtLabMean *mean)
{
  guint n = mean->values->len;
  double sum = 0, square = 0;

  for (guint i = 0; i < n; i++)
    sum += g_array_index (mean->values, double, i);
  mean->mean = n > 0 ? sum / n : NAN;
  for (guint i = 0; i < n; i++)
    square += pow (g_array_index (mean->values, double, i) - mean->mean, 2);
  mean->se = n > 1 ? sqrt (square / (n - 1) / n) : NAN;
}

GPtrArray *
mt_lab_means_new (MtLabContext          *context,
                  const MtLabExperiment *experiment,
                  const MtLabCells      *extra)
{
  GPtrArray *means = g_ptr_array_new_with_free_func (mean_free);
  g_autoptr (GHashTable) by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < context->jobs->len; i++)
    {
      const MtLabJob *job = context->jobs->pdata[i];

      if (job->experiment == experiment && job->cells != NULL)
        add_cells (means, by_name, experiment->name, job->cells);
    }
  if (extra != NULL)
    add_cells (means, by_name, experiment->name, extra);
  for (guint i = 0; i < means->len; i++)
    compute (means->pdata[i]);
  return means;
}

const MtLabMean *
mt_lab_means_find (GPtrArray  *means,
                   const char *row,
                   const char *column)
{
  for (guint i = 0; i < means->len; i++)
    {
      const MtLabMean *mean = means->pdata[i];

      if (g_str_equal (mean->row, row) && g_str_equal (mean->column, column))
        return mean;
    }
  return NULL;
}
