/* What the commands that read a model share. */
#pragma once

#include "mt-cli-import.h"

G_BEGIN_DECLS

/* The model, or NULL after one line on stderr. */
MtModel  *mt_cli_model_load  (const char *path, int *exit_code);
/* The table, read with the types that the model's columns have; NULL after one line. */
MtImport *mt_cli_model_read  (const MtModel *model, const MtCliImport *options, const MtCliCommon *common,
                              const char *path, int *exit_code);

/* What the rows held that the training rows had not shown: as members of a document, or one line each on
 * stderr for what there was. */
void      mt_cli_model_json_report (MtJsonWriter *json, const MtPredictReport *report);
void      mt_cli_model_note_report (const MtPredictReport *report);

G_END_DECLS
