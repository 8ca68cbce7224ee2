/* A sweep by many processes, on one machine or many (base/mt-ranks.h).
 *
 * Rank 0 hands out the runs and is the only one that writes the project. It learns, too. Every rank reads the data
 * itself, in the way that rank 0 read them; the file must have the same name and the same bytes everywhere. A rank takes as
 * many runs at a time as it has threads, each on one thread. What a run finds does not depend on who runs it, so the
 * project holds the same as after a sweep on one machine.
 *
 * The runs of a rank that is lost are handed out again. A sweep without rank 0 ends; what was finished is in the project. */
#pragma once

#include "base/mt-ranks.h"
#include "mt-sweep.h"

G_BEGIN_DECLS

typedef struct _MtSweepRanks {
  MtRanks    *ranks;
  const char *uri;        /* of the data, for all ranks */
  gboolean    has_ended;  /* set by the sweep: the others have been notified */
  gboolean    is_broken;  /* set by the sweep: a rank is lost, so MPI must not wait for all of them */
  /* A rank is lost, and @n_runs of its runs go to others. */
  void      (*lost) (guint rank, const char *host, guint n_runs, gpointer data);
  gpointer    data;
} MtSweepRanks;

/* On rank 0: tells all others that there is nothing more to do. Once is enough. */
void     mt_sweep_ranks_end   (MtSweepRanks        *self);

/* On the other ranks: does what rank 0 says until it says to end. FALSE: rank 0 is lost. @orderly: for mt_ranks_end(). */
gboolean mt_sweep_ranks_serve (MtRanks             *ranks,
                               MtLearnFallBackFunc  fall_back,
                               gboolean            *orderly,
                               GError             **error);

G_END_DECLS
