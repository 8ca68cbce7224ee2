/* A shipped sample, or another file by its whole path, read and encoded, for the tests of the learner. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

typedef struct {
  MtImport     *import;
  MtTarget     *target;
  MtTargetRows *rows;
  MtEncoder    *encoder;
  MtEncoded    *encoded;
  guint32      *classes;     /* of each row; NULL: a number is predicted */
} MtTestSample;

void        mt_test_sample_init  (MtTestSample *sample,
                                  const char   *file,
                                  const char   *target);
void        mt_test_sample_clear (MtTestSample *sample);
MtTrainData mt_test_sample_get_data (const MtTestSample *sample);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtTestSample, mt_test_sample_clear)

G_END_DECLS
