/* Between core and the MPI module: plain types and one table of functions.
 *
 * The module (src/mpi) knows nothing of core or GLib; core knows nothing of MPI. The module carries messages
 * between the processes that mpirun started. A message is any bytes. Messages from one rank to another arrive in the order
 * in which they were sent. No function waits for another rank, except begin() and an orderly end().
 *
 * A module exports mt_mpi_module_get(), which gives its table, or NULL for another version of this header. All functions are
 * called on one thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define MT_MPI_API_VERSION 1

typedef struct {
  /* Starts MPI; 0: fine; else @message says why not. */
  int    (*begin)   (int *rank, int *n_ranks, char *message, size_t size);
  /* Copies @data. 0: on its way. A rank that is gone is no error here. */
  int    (*send)    (int to, const void *data, size_t length);
  /* 1: a message has arrived whole, free() @data; 0: none; -1: no memory for it. */
  int    (*receive) (int *from, void **data, size_t *length);
  /* Messages that have not left yet. */
  size_t (*n_waiting) (void);
  /* @orderly: waits for all ranks to call it, too. Otherwise this ends all processes of the job, this one included, also those
   * that hang. */
  void   (*end)     (int orderly);
} MtMpiApi;

typedef const MtMpiApi *(*MtMpiModuleGet) (uint32_t version);
