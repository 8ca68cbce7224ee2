/* What a backend does: coarse calls, host types, GError. One context trains one net. */
#pragma once

#include <gio/gio.h>

#include "mt-backend.h"
#include "mt-encoded.h"
#include "mt-net-private.h"
#include "mt-topk.h"

G_BEGIN_DECLS

/* Everything is borrowed until close, except where a backend says that it copies. */
typedef struct {
  const MtNet     *net;              /* shape, which literals are in the head, temperature */
  const MtEncoded *encoded;
  const float     *y;                /* a row of encoded: class, or standardised value */
  const guint32   *train_rows;
  gsize            n_train;
  const guint32   *valid_rows;
  gsize            n_valid;          /* may be 0 */
  const float     *class_weights;    /* a class; NULL: all 1 */
  const MtTopkOps *topk;
  guint            batch;            /* rows a step */
  guint            n_threads;        /* 0: as many as the machine has */
  float            weight_decay;
  float            clip;             /* of the global gradient norm; 0: none */
  gboolean         divide_by_tau;    /* the factor 1/τ in W_map's gradient */
} MtBackendJob;

typedef struct {
  double loss;            /* mean over the rows seen, before each step */
  gsize  n_rows;
  guint  n_steps;
} MtEpochStats;

/* What training consists of between two epochs; arrays have the net's layout. */
typedef struct {
  float   *params, *mean, *square;
  guint64  n_steps;
} MtNetState;

typedef struct {
  const char *name;
  gboolean  (*probe)     (GError **error);
  /* (optional: all) MT_ERROR_PARAMS names what this backend cannot do. */
  gboolean  (*supports)  (const MtBackendJob *job, GError **error);
  /* Copies what it needs of the rows; starts from the net's parameters. */
  gpointer  (*open)      (const MtBackendJob *job, GError **error);
  /* One pass over @order (positions in train_rows), in batches. MT_ERROR_NUMERIC
   * when a loss is not finite; G_IO_ERROR_CANCELLED within one batch. */
  gboolean  (*run_epoch) (gpointer context, const guint32 *order, gsize n_rows, double learning_rate,
                          GCancellable *cancellable, MtEpochStats *stats, GError **error);
  /* Mean loss on the validation rows and, unless NULL, their scores (n_outputs × n_rows). */
  gboolean  (*evaluate)  (gpointer context, GCancellable *cancellable, double *loss, float *scores,
                          GError **error);
  gboolean  (*read)      (gpointer context, MtNetState *state, GError **error);
  gboolean  (*write)     (gpointer context, const MtNetState *state, GError **error);
  void      (*close)     (gpointer context);
} MtBackendOps;

extern const MtBackendOps mt_backend_cpu;

/* For benches and tests of the CPU backend: one step on the given rows, giving the sum of
 * the losses before it, and the gradient of the last step (the net's layout, not clipped). */
double              mt_backend_cpu_step (gpointer       context,
                                         const guint32 *order,
                                         gsize          n_rows,
                                         double         learning_rate);
const float        *mt_backend_cpu_peek_gradient (gpointer context);

/* Other backends (loaded modules) are added before the first training. */
void                mt_backend_register (const MtBackendOps *ops);
const MtBackendOps *mt_backend_find     (const char         *device,
                                         GError            **error);

G_END_DECLS
