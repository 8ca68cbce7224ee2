/* Progress on the way to a frontier, for display: a bar, a curve, a line of text.
 *
 * The way has parts that run side by side: part 0 goes over all rows and gives the rules, part f
 * leaves fold f out and judges them. Each part trains its networks, scans for interactions, fits
 * and eliminates. */
#pragma once

#include "mt-train.h"

G_BEGIN_DECLS

typedef enum {
  MT_LEARN_READING,        /* the target */
  MT_LEARN_ENCODING,       /* columns to literals */
  MT_LEARN_TRAINING,       /* a network: see train */
  MT_LEARN_SCANNING,       /* for interactions */
  MT_LEARN_FITTING,        /* the model with everything in it */
  MT_LEARN_ELIMINATING,    /* literal by literal: see literals and loss */
  MT_LEARN_DONE,
} MtLearnPhase;

typedef struct {
  MtLearnPhase     phase;
  guint            part;              /* 0: all rows; f: without fold f */
  guint            n_parts;
  guint            network;           /* TRAINING: 1 … n_networks */
  guint            n_networks;        /* of a part */
  MtTrainProgress  train;             /* TRAINING: epoch, step, losses, metric, rows a second, … */
  guint            literals;          /* ELIMINATING: complexity of the model just kept, */
  double           loss;              /* and its training loss a row */
  double           part_done;         /* of this part, 0 … 1 */
  double           done;              /* of everything, 0 … 1; never falls */
  double           seconds_left;      /* until everything is done, about; NaN: not known yet */
} MtLearnProgress;

/* Called on a working thread. */
typedef void (*MtLearnProgressFunc) (const MtLearnProgress *progress,
                                     gpointer               user_data);

/* For work that has nothing to tell but its share done, 0 … 1. Called on a working thread. */
typedef void (*MtProgressFunc) (double   done,
                                gpointer user_data);

/* For messages: "training", "eliminating", … */
const char *mt_learn_phase_to_string (MtLearnPhase phase);

G_END_DECLS
