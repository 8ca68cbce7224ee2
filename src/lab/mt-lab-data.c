/* The data sets of the manifest, their splits and their bits. See mt-lab-private.h.
 *
 * manifest.tsv has a header and one line a data set; the columns dataset, file, task, target and rows are read. The fifth of
 * the rows that is the test, and the fifth of the rest that is the validation, both by class, come from the seed alone. */
#include "config.h"
#include "mt-lab-private.h"

#include <string.h>

#define TEST_SHARE  .2
#define TEST_SEED   2600       /* the first of the seeds of the test rows */
#define VALID_SEED  7600       /* … and of the validation rows */

static void
dataset_free (gpointer data)
{
  MtLabDataset *self = data;

  g_free (self->name);
  g_free (self->target);
  g_free (self->path);
  g_clear_pointer (&self->table, mt_table_unref);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static int
compare_datasets (gconstpointer a,
                  gconstpointer b)
{
  const MtLabDataset *p = *(MtLabDataset *const *) a, *q = *(MtLabDataset *const *) b;

  if (p->n_rows != q->n_rows)
    return p->n_rows < q->n_rows ? -1 : 1;
  return strcmp (p->name, q->name);
}

static int
find_field (char       **header,
            const char  *name)
{
  for (int i = 0; header[i] != NULL; i++)
    if (g_str_equal (header[i], name))
      return i;
  return -1;
}

static guint
count_names (const char *list)
{
  guint n = list[0] != '\0';

  for (; *list != '\0'; list++)
    n += *list == ',';
  return n;
}

GPtrArray *
mt_lab_datasets_read (const char  *folder,
                      GError     **error)
{
  static const char * const names[] = { "dataset", "file", "task", "target", "rows", "continuous", "categorical" };
  g_autofree char *path = g_build_filename (folder, "manifest.tsv", NULL);
  g_autoptr (GPtrArray) datasets = g_ptr_array_new_with_free_func (dataset_free);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) header = NULL;
  int at[G_N_ELEMENTS (names)];

  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  header = g_strsplit (lines[0] != NULL ? lines[0] : "", "\t", -1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      at[i] = find_field (header, names[i]);
      if (at[i] < 0)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "%s: there is no column “%s”", path, names[i]);
          return NULL;
        }
    }
  for (guint l = 1; lines[0] != NULL && lines[l] != NULL; l++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[l], "\t", -1);
      guint64 n_rows = 0;
      MtLabDataset *dataset;
      MtTask task;

      if (lines[l][0] == '\0')
        continue;
      if (g_strv_length (fields) < g_strv_length (header) || !mt_task_from_string (fields[at[2]], &task) ||
          !g_ascii_string_to_unsigned (fields[at[4]], 10, 1, G_MAXUINT32, &n_rows, NULL) ||
          strchr (fields[at[1]], '/') != NULL)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE, "%s: line %u is not a data set", path, l + 1);
          return NULL;
        }
      dataset = g_new0 (MtLabDataset, 1);
      g_mutex_init (&dataset->lock);
      dataset->name = g_strdup (fields[at[0]]);
      dataset->path = g_build_filename (folder, fields[at[1]], NULL);
      dataset->task = task;
      dataset->target = g_strdup (fields[at[3]]);
      dataset->n_rows = n_rows;
      dataset->n_columns = count_names (fields[at[5]]) + count_names (fields[at[6]]);
      g_ptr_array_add (datasets, dataset);
    }
  g_ptr_array_sort (datasets, compare_datasets);
  return g_steal_pointer (&datasets);
}

MtLabDataset *
mt_lab_datasets_find (GPtrArray  *datasets,
                      const char *name)
{
  for (guint i = 0; i < datasets->len; i++)
    if (g_str_equal (((MtLabDataset *) datasets->pdata[i])->name, name))
      return datasets->pdata[i];
  return NULL;
}

static MtTable *
read_table (const MtLabDataset  *self,
            GError             **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->path);
  const MtImportOptions options = { .n_threads = 1 };
  g_autoptr (MtImport) import = mt_import_file (file, &options, NULL, error);
  g_autofree MtColumnRole *roles = NULL;
  const MtTable *table;
  guint target;

  if (import == NULL)
    return NULL;
  table = mt_import_get_table (import);
  if (mt_table_find_column (table, self->target, &target) == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_SCHEMA, "%s has no column “%s”", self->path, self->target);
      return NULL;
    }
  roles = g_new (MtColumnRole, mt_table_get_n_columns (table));
  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      roles[c] = mt_table_get_role (table, c);
      if (roles[c] != MT_ROLE_IGNORED)
        roles[c] = MT_ROLE_FEATURE;      /* the paper knows neither groups nor time */
    }
  roles[target] = MT_ROLE_TARGET;
  return mt_table_with_roles (table, roles, NULL);
}

MtTable *
mt_lab_dataset_ref_table (MtLabDataset  *dataset,
                          GError       **error)
{
  MtTable *table;

  g_mutex_lock (&dataset->lock);
  if (dataset->table == NULL)
    dataset->table = read_table (dataset, error);
  table = dataset->table != NULL ? mt_table_ref (dataset->table) : NULL;
  g_mutex_unlock (&dataset->lock);
  return table;
}

void
mt_lab_split_clear (MtLabSplit *split)
{
  g_clear_pointer (&split->dev, g_array_unref);
  g_clear_pointer (&split->train, g_array_unref);
  g_clear_pointer (&split->valid, g_array_unref);
  g_clear_pointer (&split->test, g_array_unref);
}

gboolean
mt_lab_split (const MtTable  *table,
              guint           seed,
              MtLabSplit     *split,
              GError        **error)
{
  const MtSplitOptions test = { .seed = TEST_SEED + seed, .test_fraction = TEST_SHARE, .stratify = TRUE };
  const MtSplitOptions valid = { .seed = VALID_SEED + seed, .n_folds = 5, .stratify = TRUE, .spare_lone = TRUE };
  g_autofree guint8 *fold_of = NULL;

  if (!mt_split_test (table, &test, &split->dev, &split->test, error))
    return FALSE;
  fold_of = g_malloc (MAX (split->dev->len, 1));
  if (!mt_split_folds (table, (const guint32 *) (gpointer) split->dev->data, split->dev->len, &valid, fold_of, error))
    return FALSE;
  split->train = g_array_new (FALSE, FALSE, sizeof (guint32));
  split->valid = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < split->dev->len; i++)
    g_array_append_val (fold_of[i] == 0 ? split->valid : split->train, g_array_index (split->dev, guint32, i));
  return TRUE;
}

void
mt_lab_rows_clear (MtLabRows *rows)
{
  g_clear_pointer (&rows->encoded, mt_encoded_unref);
  g_clear_pointer (&rows->target, g_free);
  g_clear_pointer (&rows->classes, g_free);
}

void
mt_lab_bits_clear (MtLabBits *bits)
{
  g_clear_pointer (&bits->target, mt_target_unref);
  g_clear_pointer (&bits->encoder, mt_encoder_unref);
  mt_lab_rows_clear (&bits->train);
  mt_lab_rows_clear (&bits->valid);
  mt_lab_rows_clear (&bits->test);
}

static gboolean
read_rows (MtLabBits      *bits,
           const MtTable  *table,
           const GArray   *from,
           MtLabRows      *rows,
           GError        **error)
{
  g_autoptr (MtTargetRows) known = mt_target_read (bits->target, table, (const guint32 *) (gconstpointer) from->data, from->len,
                                                   error);

  if (known == NULL)
    return FALSE;
  rows->encoded = mt_encoder_apply (bits->encoder, table, known->rows, known->n_rows, NULL, error);
  rows->n_rows = known->n_rows;
  rows->target = g_memdup2 (known->values, known->n_rows * sizeof (double));
  if (bits->task != MT_TASK_REGRESSION)
    {
      rows->classes = g_new (guint32, MAX (rows->n_rows, 1));
      for (gsize r = 0; r < rows->n_rows; r++)
        rows->classes[r] = (guint32) rows->target[r];
    }
  return rows->encoded != NULL;
}

gboolean
mt_lab_bits_read (MtLabDataset  *dataset,
                  guint          seed,
                  guint          bits,
                  MtLabBits     *out,
                  GError       **error)
{
  g_autoptr (MtTable) table = mt_lab_dataset_ref_table (dataset, error);
  g_auto (MtLabSplit) split = { NULL };
  MtEncoderOptions options;

  if (table == NULL || !mt_lab_split (table, seed, &split, error))
    return FALSE;
  mt_encoder_options_init (&options);
  options.bits = bits;
  options.quantiles = MT_QUANTILES_ROWS;
  options.n_threads = 1;
  out->task = dataset->task;
  out->target = mt_target_new (table, (const guint32 *) (gpointer) split.dev->data, split.dev->len, &dataset->task, error);
  if (out->target == NULL)
    return FALSE;
  out->n_outputs = mt_target_get_n_outputs (out->target);
  out->encoder = mt_encoder_fit (table, (const guint32 *) (gpointer) split.train->data, split.train->len, &options, error);
  return out->encoder != NULL && read_rows (out, table, split.train, &out->train, error) &&
         read_rows (out, table, split.valid, &out->valid, error) && read_rows (out, table, split.test, &out->test, error);
}
