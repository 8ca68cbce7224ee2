/* The MPI module: messages between the processes of one mpirun, behind core's base/mt-mpi-api.h.
 *
 * A process may die at any time, and Open MPI then says nothing, or says it with an error, or never completes a transfer. So
 * nothing here waits: what is sent and received is kept in two lists, and each call of receive() looks at both. Errors of a
 * single transfer are dropped with it; core finds out that a rank is gone because it no longer answers. */
#include <mpi.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mt-mpi-api.h"

#define TAG 1

/* Both in the order in which they began. */
typedef struct Transfer {
  struct Transfer *next;
  MPI_Request      request;
  int              peer;
  int              is_done;
  size_t           length;
  void            *data;
} Transfer;

static Transfer *sends, *receives;
static MPI_Comm job;

static void
add (Transfer **list,
     Transfer  *transfer)
{
  while (*list != NULL)
    list = &(*list)->next;
  *list = transfer;
}

static void
drop (Transfer **place)
{
  Transfer *transfer = *place;

  *place = transfer->next;
  free (transfer->data);
  free (transfer);
}

static Transfer *
transfer_new (int    peer,
              size_t length)
{
  Transfer *transfer = calloc (1, sizeof *transfer);

  if (transfer == NULL)
    return NULL;
  transfer->peer = peer;
  transfer->length = length;
  transfer->data = malloc (length > 0 ? length : 1);
  if (transfer->data != NULL)
    return transfer;
  free (transfer);
  return NULL;
}

static int
begin (int    *rank,
       int    *n_ranks,
       char   *message,
       size_t  size)
{
  int provided = MPI_THREAD_SINGLE, started = 0;

  /* All calls come from one thread, but there are others. */
  if (MPI_Initialized (&started) != MPI_SUCCESS || started ||
      MPI_Init_thread (NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS || provided < MPI_THREAD_FUNNELED)
    {
      snprintf (message, size, "MPI_Init_thread failed");
      return -1;
    }
  if (MPI_Comm_dup (MPI_COMM_WORLD, &job) != MPI_SUCCESS || MPI_Comm_rank (job, rank) != MPI_SUCCESS ||
      MPI_Comm_size (job, n_ranks) != MPI_SUCCESS)
    {
      snprintf (message, size, "MPI_COMM_WORLD cannot be used");
      return -1;
    }
  MPI_Comm_set_errhandler (MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler (job, MPI_ERRORS_RETURN);
  return 0;
}

static int
send_bytes (int         to,
            const void *data,
            size_t      length)
{
  Transfer *transfer = length <= INT_MAX ? transfer_new (to, length) : NULL;

  if (transfer == NULL)
    return -1;
  memcpy (transfer->data, data, length);
  if (MPI_Isend (transfer->data, (int) length, MPI_BYTE, to, TAG, job, &transfer->request) == MPI_SUCCESS)
    {
      add (&sends, transfer);
      return 0;
    }
  drop (&transfer);
  return 0;
}

/* Begins to receive what has been announced. */
static int
accept_all (void)
{
  for (;;)
    {
      Transfer *transfer;
      MPI_Message message;
      MPI_Status status;
      int is_there = 0, length = 0;

      if (MPI_Improbe (MPI_ANY_SOURCE, TAG, job, &is_there, &message, &status) != MPI_SUCCESS || !is_there)
        return 0;
      MPI_Get_count (&status, MPI_BYTE, &length);
      transfer = transfer_new (status.MPI_SOURCE, (size_t) length);
      if (transfer == NULL)
        return -1;
      if (MPI_Imrecv (transfer->data, length, MPI_BYTE, &message, &transfer->request) == MPI_SUCCESS)
        add (&receives, transfer);
      else
        drop (&transfer);
    }
}

/* A transfer that failed is taken out. */
static void
test_all (Transfer **list)
{
  while (*list != NULL)
    if (!(*list)->is_done && MPI_Test (&(*list)->request, &(*list)->is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      drop (list);
    else
      list = &(*list)->next;
}

/* Whether one from the same rank, begun before @transfer, is still under way. */
static int
is_overtaking (const Transfer *transfer)
{
  for (const Transfer *other = receives; other != transfer; other = other->next)
    if (other->peer == transfer->peer)
      return 1;
  return 0;
}

static int
receive_bytes (int     *from,
               void   **data,
               size_t  *length)
{
  int problem = accept_all ();

  test_all (&sends);
  test_all (&receives);
  for (Transfer **place = &sends; *place != NULL; )
    if ((*place)->is_done)
      drop (place);
    else
      place = &(*place)->next;
  for (Transfer **place = &receives; *place != NULL; place = &(*place)->next)
    {
      Transfer *transfer = *place;

      if (!transfer->is_done || is_overtaking (transfer))
        continue;
      *from = transfer->peer;
      *data = transfer->data;
      *length = transfer->length;
      transfer->data = NULL;
      drop (place);
      return 1;
    }
  return problem;
}

static size_t
n_waiting (void)
{
  size_t n = 0;

  for (const Transfer *transfer = sends; transfer != NULL; transfer = transfer->next)
    n += !transfer->is_done;
  return n;
}

static void
end (int orderly)
{
  if (!orderly)
    {
      fflush (NULL);
      MPI_Abort (MPI_COMM_WORLD, 0);
      return;
    }
  while (sends != NULL && sends->is_done)
    drop (&sends);
  MPI_Comm_free (&job);
  MPI_Finalize ();
}

__attribute__ ((visibility ("default"))) const MtMpiApi *mt_mpi_module_get (uint32_t version);

const MtMpiApi *
mt_mpi_module_get (uint32_t version)
{
  static const MtMpiApi api = { begin, send_bytes, receive_bytes, n_waiting, end };

  return version == MT_MPI_API_VERSION ? &api : NULL;
}
