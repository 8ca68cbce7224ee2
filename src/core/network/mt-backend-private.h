/* What a backend does: coarse calls, host types, GError.
 *
 * The CPU trains one net a context, and mt-train judges its epochs. A device on which one small net would
 * be lost trains many at once, judges their epochs itself, and is asked how they stand: MtManyOps. A
 * backend has the calls for one net, or those for many. */
#pragma once

#include <gio/gio.h>

#include "mt-backend.h"
#include "encode/mt-encoded.h"
#include "mt-net-constraints.h"
#include "mt-net-private.h"
#include "mt-topk.h"

G_BEGIN_DECLS

/* Everything is borrowed until close, except where a backend says that it copies. */
typedef struct {
  const MtNet     *net;              /* shape, which literals are in the head, temperature */
  const MtEncoded *encoded;
  const float     *y;                /* a row of encoded: class, or standardized value */
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
  guint64          order_seed;       /* in which order epochs take the rows (mt-order.h); a backend of one net is given */
  MtNetConstraints      limits;
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

/* A training between two epochs, with what has been judged so far. */
typedef struct {
  gsize       n_params;
  MtNetState  last;            /* after the last complete epoch */
  float      *best;            /* parameters */
  guint       epoch;           /* complete ones */
  guint       best_epoch;
  double      best_loss;       /* what was compared: validation, or training loss */
  double      best_train_loss;
  double      learning_rate;
  guint       waited;          /* epochs without a better loss */
  guint       waited_plateau;
} MtTrainState;

/* When a net has learned enough; as in MtTrainOptions. */
typedef struct {
  double learning_rate;
  guint  max_epochs, patience, plateau;
  gboolean measures;       /* the metric of the validation rows is wanted after every epoch */
} MtStopRule;

/* How a net of many stands after its last complete epoch. */
typedef struct {
  guint    epoch, best_epoch, waited;
  guint64  n_steps;
  gsize    n_rows;                                 /* of that epoch */
  double   train_loss, valid_loss, best_loss;      /* valid_loss NaN without validation rows */
  double   metric;                                 /* AUC or R² of those; NaN: none */
  gboolean ended;                                  /* it learns no more */
  GError  *error;                                  /* … because a number was not finite; owned by the context */
} MtManyStanding;

typedef struct {
  guint    n_nets;           /* opened */
  guint    stage_steps;      /* steps whose rows are there at a time; 0: all rows are */
  guint64  memory;           /* bytes taken on the device */
  guint    n_graphs;         /* launches that were made into one, so far */
} MtManyInfo;

typedef struct {
  /* Nets that learn from the same encoded rows. Opens as many of the first as fit into @memory bytes of
   * the device (0: what is free), at least one. The jobs must stay until close. */
  gpointer (*open)      (const MtBackendJob *jobs, const MtStopRule *rules, guint n_jobs, guint64 memory,
                         guint *n_opened, GError **error);
  /* One epoch of all nets that have not ended. G_IO_ERROR_CANCELLED soon, and the epoch then counts as
   * not begun; MT_ERROR_DEVICE when nothing more can be had of the device. */
  gboolean (*run_epoch) (gpointer context, GCancellable *cancellable, MtManyStanding *standings, GError **error);
  /* Keeps @state (borrowed until close) at a complete epoch that is no more than some seconds ago: what there is to go on
   * from when the device is lost. */
  void     (*keep)      (gpointer context, guint index, MtTrainState *state);
  gboolean (*stop)      (gpointer context, guint index, GError **error);
  /* The last complete epoch. */
  gboolean (*read)      (gpointer context, guint index, MtTrainState *state, GError **error);
  gboolean (*write)     (gpointer context, guint index, const MtTrainState *state, GError **error);
  /* As evaluate below, with these parameters; the net must be written again to go on. */
  gboolean (*score)     (gpointer context, guint index, const float *params, double *loss, float *scores,
                         GError **error);
  void     (*get_info)  (gpointer context, MtManyInfo *info);
  void     (*close)     (gpointer context);
} MtManyOps;

typedef struct {
  const char *name;
  gboolean  (*probe)     (GError **error);
  /* (optional: all) MT_ERROR_PARAMS names what this backend cannot do. */
  gboolean  (*supports)  (const MtBackendJob *job, GError **error);
  /* (optional: by the calls below) Many nets at once. */
  const MtManyOps *many;

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
