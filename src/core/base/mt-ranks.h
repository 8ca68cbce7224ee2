/* The processes (ranks) that mpirun started together: messages between rank 0 and the others, and which of them still answer.
 *
 * The MPI module (mt-mpi-api.h, src/mpi) is loaded when mpirun started this program, and never otherwise. A message is a kind
 * and a GVariant. Every rank sends something at least once a second; a rank that says nothing for a while
 * (MT_RANKS_SILENCE seconds, or what MINTERM_RANK_SILENCE says) is lost, for good. No call waits for another rank but
 * mt_ranks_begin() and mt_ranks_end(). All calls on one thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_RANKS_SILENCE 30

typedef struct _MtRanks MtRanks;

/* Did mpirun (or srun with PMIx) start this program, with others? The environment says so. */
gboolean  mt_ranks_are_there  (void);
/* Which of them this is, also where MPI cannot be used. */
guint     mt_ranks_guess_own  (void);

/* Loads the module and meets the others. MT_ERROR_DEVICE: there is no module, or MPI does not start. */
MtRanks  *mt_ranks_begin      (GError      **error);
guint     mt_ranks_get_own    (const MtRanks *ranks);
guint     mt_ranks_get_n      (const MtRanks *ranks);

/* @kind: from 1. @body is sunk. FALSE: it is too large (2 GB); to a rank that is gone, nothing happens. */
gboolean  mt_ranks_send       (MtRanks       *ranks,
                               guint          to,
                               guint          kind,
                               GVariant      *body);
/* The next message that is here, or NULL. @body has the type @kind has in @types (NULL-terminated, from kind 1), or it is
 * dropped. Also lets the others know that this rank is there, so call it often. */
GVariant *mt_ranks_receive    (MtRanks       *ranks,
                               const char * const *types,
                               guint         *from,
                               guint         *kind);
/* Of rank 0, from the first message of it on; of others, from the first call of mt_ranks_receive() on. */
gboolean  mt_ranks_is_lost    (const MtRanks *ranks,
                               guint          rank);
/* Sends what waits. @orderly: all ranks are there and call this, too. Otherwise rank 0 ends the processes of all ranks, its own
 * included, so this is the last thing that it does; the others wait for that, unless rank 0 is lost. */
void      mt_ranks_end        (MtRanks       *ranks,
                               gboolean       orderly);

G_END_DECLS
