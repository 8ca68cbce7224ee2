/* The nets on which a backend's step is compared with the reference, whoever the backend is. */
#pragma once

#include "network/mt-backend-private.h"

G_BEGIN_DECLS

typedef struct {
  MtEncoded *encoded;
  float     *y;
  MtNet     *net;
  guint32   *rows, *order;
  gsize      n_rows;
} MtTestCase;

typedef struct {
  const char *what;
  MtTask      task;
  MtNodeKind  kind;
  guint       n_groups, n_bits, n_nodes, fan_in, n_outputs;
  gsize       n_rows;
  gboolean    weighted;      /* by mt_test_class_weights */
} MtTestCaseShape;

extern const MtTestCaseShape mt_test_cases[];
extern const guint           mt_test_n_cases;
extern const float           mt_test_class_weights[5];

void         mt_test_case_init  (MtTestCase *it, MtTask task, MtNodeKind kind, guint n_groups, guint n_bits,
                                 guint n_nodes, guint fan_in, guint n_outputs, gsize n_rows);
void         mt_test_case_clear (MtTestCase *it);
/* Trains on all rows, in batches. */
MtBackendJob mt_test_case_job   (const MtTestCase *it, guint batch, guint n_threads);
/* What the reference says of one step over all rows: its loss; grad: n_params. */
double       mt_test_case_expect (const MtTestCase *it, const float *class_weights, double *grad);

/* Largest difference of two gradients, as a share of the expected one's largest value. */
double       mt_test_gradient_distance (const float *got, const double *expected, gsize n);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtTestCase, mt_test_case_clear)

G_END_DECLS
