/* What the commands that read a model share. See mt-cli-model.h. */
#include "config.h"
#include "mt-cli-model.h"

#include "mt-cli-terminal.h"

MtModel *
mt_cli_model_load (const char *path,
                   int        *exit_code)
{
  g_autoptr (GError) error = NULL;
  MtModel *model = mt_model_load (path, &error);

  if (model == NULL)
    *exit_code = mt_cli_import_fail (path, error);
  else
    {
      g_autofree char *record = mt_search_record_dup_path (path);
      g_autofree char *target = mt_file_resolve (path, NULL);

      mt_search_record_settle (record, model);
      if (target != NULL)
        mt_file_remove_stale (target);
    }
  return model;
}

MtImport *
mt_cli_model_read (const MtModel     *model,
                   const MtCliImport *options,
                   const MtCliCommon *common,
                   const char        *path,
                   int               *exit_code)
{
  g_autoptr (MtSchema) schema = mt_model_dup_schema (model);
  const char * const *tokens = mt_model_get_info (model)->missing_tokens;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (GError) error = NULL;
  MtCliImport how = *options;

  /* What meant missing when the model was made, unless the options say otherwise. */
  if (tokens != NULL && options->missing == NULL && !options->no_usual_missing)
    {
      how.no_usual_missing = TRUE;
      how.missing = (char **) tokens;
    }
  import = mt_cli_import_read_as (&how, common, schema, path, exit_code);

  if (import != NULL && !mt_model_check_import (model, import, &error))
    {
      *exit_code = mt_cli_fail (MT_EXIT_FAILED, "%s: %s", path, error->message);
      return NULL;
    }
  return g_steal_pointer (&import);
}

void
mt_cli_model_json_report (MtJsonWriter          *json,
                          const MtPredictReport *report)
{
  mt_cli_json_count (json, "unknown_levels", report->encode.n_unknown_levels);
  mt_cli_json_count (json, "missing", report->encode.n_missing);
  mt_cli_json_count (json, "unexpected_missing", report->encode.n_unexpected_missing);
  mt_cli_json_count (json, "out_of_range", report->encode.n_out_of_range);
  mt_cli_json_count (json, "unseen_patterns", report->n_unseen_patterns);
}

void
mt_cli_model_note_report (const MtPredictReport *report)
{
  const struct { gsize n; const char *one, *many; } notes[] = {
    { report->encode.n_unknown_levels, "cell contains a value that is not in the training data",
      "cells contain a value that is not in the training data" },
    { report->encode.n_unexpected_missing, "cell is missing in a column without missing cells in training",
      "cells are missing in columns without missing cells in training" },
    { report->encode.n_out_of_range, "number is outside the range of the training data",
      "numbers are outside the range of the training data" },
    { report->n_unseen_patterns, "row has a combination that no training row has",
      "rows have a combination that no training row has" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (notes); i++)
    if (notes[i].n > 0)
      {
        g_autofree char *count = mt_cli_dup_count (notes[i].n);

        mt_cli_fail (MT_EXIT_OK, "%s %s", count, notes[i].n == 1 ? notes[i].one : notes[i].many);
      }
}
