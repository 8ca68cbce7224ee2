/* Nets that are trained together on CUDA on the CPU, and by themselves to compare with. */
#pragma once

#include "backend-cases.h"
#include "host/mt-gpu-host-control.h"
#include "network/mt-train-private.h"

G_BEGIN_DECLS

#define MT_MANY_NETS 6

/* Data, and nets over them that have nothing in common but that. */
typedef struct {
  MtTestCase      it;
  guint32        *classes;
  double         *values;
  guint32        *some_rows;
  gint8          *directions, *numeric_directions;
  MtTrainData     data, part;
  MtTrainOptions  options[MT_MANY_NETS];
  MtTrainJob      jobs[MT_MANY_NETS];
  MtTrainResult  *alone[MT_MANY_NETS];
} MtMany;

/* A device as new, with all that it needs; streams and threads take their turns by @seed. */
void  mt_many_use_host        (uint64_t seed);

void  mt_many_init            (MtMany *many, MtTask task, gsize n_rows);
void  mt_many_clear           (MtMany *many);
void  mt_many_forget          (MtMany *many);      /* results and errors */
void  mt_many_train_alone     (MtMany *many);
void  mt_many_train_together  (MtMany *many);
/* All that training is: parameters, moments, best parameters, losses, waits. */
void  mt_many_assert_same     (const MtTrainResult *a, const MtTrainResult *b);
void  mt_many_assert_all_same (MtMany *many);
/* The training's state; gives its fingerprint. */
char *mt_many_read_state      (const MtTrainResult *result, MtTrainState *state);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtMany, mt_many_clear)

G_END_DECLS
