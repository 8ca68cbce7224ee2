/* Between the parts of the self-test: made-up rows, trainings over them, and how a check is reported. */
#pragma once

#include "mt-selftest.h"
#include "mt-train-private.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;
  MtTask      task;
  MtNodeKind  node;
  guint       n_groups, n_bits, n_nodes, fan_in, n_classes;
  gsize       n_rows;
  gboolean    balanced;      /* classes weigh the same */
  gboolean    ties;          /* rows differ in nothing but literals, so that many have the same score */
} MtSelftestCase;

extern const MtSelftestCase mt_selftest_cases[];
extern const guint          mt_selftest_n_cases;

/* Made-up rows with something to find in them. */
typedef struct {
  MtEncoded   *encoded;
  guint32     *classes;
  double      *values;
  MtTrainData  data;
} MtSelftestRows;

void           mt_selftest_rows_init    (MtSelftestRows *rows, const MtSelftestCase *it);
void           mt_selftest_rows_clear   (MtSelftestRows *rows);
void           mt_selftest_options_init (MtTrainOptions *options, const MtSelftestCase *it, const char *device);
MtTrainResult *mt_selftest_train        (const MtTrainData *data, const MtTrainOptions *options, GError **error);
/* Takes all but @self; without a device, or with an error, these decide. */
void           mt_selftest_add          (MtSelftest *self, char *name, gboolean passed, char *detail, GError *error);

/* What single kernels do. */
void           mt_selftest_check_kernels (MtSelftest *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtSelftestRows, mt_selftest_rows_clear)

G_END_DECLS
