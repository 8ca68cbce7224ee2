#include "config.h"
#include "sample-data.h"

void
mt_test_sample_init (MtTestSample *sample,
                     const char   *file,
                     const char   *target)
{
  g_autofree char *path = g_path_is_absolute (file) ? g_strdup (file)
                                                    : g_build_filename (g_getenv ("MINTERM_SAMPLES"), file, NULL);
  g_autoptr (GFile) source = g_file_new_for_path (path);
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (GError) error = NULL;
  const MtImportOptions options = { .schema = schema };
  MtEncoderOptions encoder;
  MtTable *table;

  mt_schema_set_role (schema, target, MT_ROLE_TARGET);
  sample->import = mt_import_file (source, &options, NULL, &error);
  g_assert_no_error (error);
  table = mt_import_get_table (sample->import);
  sample->target = mt_target_new (table, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  sample->rows = mt_target_read (sample->target, table, NULL, 0, &error);
  g_assert_no_error (error);
  mt_encoder_options_init (&encoder);
  sample->encoder = mt_encoder_fit (table, sample->rows->rows, sample->rows->n_rows, &encoder, &error);
  g_assert_no_error (error);
  sample->encoded = mt_encoder_apply (sample->encoder, table, sample->rows->rows, sample->rows->n_rows, NULL, &error);
  g_assert_no_error (error);
  sample->classes = NULL;
  if (mt_target_get_task (sample->target) == MT_TASK_REGRESSION)
    return;
  sample->classes = g_new (guint32, sample->rows->n_rows);
  for (gsize r = 0; r < sample->rows->n_rows; r++)
    sample->classes[r] = (guint32) sample->rows->values[r];
}

void
mt_test_sample_clear (MtTestSample *sample)
{
  g_clear_pointer (&sample->import, mt_import_unref);
  g_clear_pointer (&sample->target, mt_target_unref);
  g_clear_pointer (&sample->rows, mt_target_rows_free);
  g_clear_pointer (&sample->encoder, mt_encoder_unref);
  g_clear_pointer (&sample->encoded, mt_encoded_unref);
  g_clear_pointer (&sample->classes, g_free);
}

MtTrainData
mt_test_sample_get_data (const MtTestSample *sample)
{
  MtTask task = mt_target_get_task (sample->target);

  if (task == MT_TASK_REGRESSION)
    return (MtTrainData) { sample->encoded, task, 0, NULL, sample->rows->values };
  return (MtTrainData) { sample->encoded, task, mt_target_get_n_classes (sample->target), sample->classes, NULL };
}
