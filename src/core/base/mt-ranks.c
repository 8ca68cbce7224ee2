/* The processes (ranks) that mpirun started together. See mt-ranks.h. */
#include "config.h"
#include "mt-ranks.h"

#include <stdlib.h>
#include <string.h>

#include <gmodule.h>

#include "mt-error.h"
#include "mt-gettext.h"
#include "mt-mpi-api.h"

#define MODULE_NAME  "minterm-mpi.so"
#define BEAT         0                      /* a kind: nothing but that the rank is there */
#define BEAT_EVERY   G_USEC_PER_SEC
#define END_WAITS    (5 * G_USEC_PER_SEC)   /* for messages to leave */
#define ENVELOPE     "(uv)"

struct _MtRanks {
  const MtMpiApi *api;
  guint           own, n;
  gint64          silence;    /* µs */
  gint64         *heard;      /* when each was heard last; 0: it need not have been */
  gint64         *told;       /* when each was sent something last */
  gboolean       *is_lost;
};

/* A number that mpirun or srun put into the environment; -1: none. */
static gint64
read_environment (const char *name)
{
  const char *text = g_getenv (name);
  gint64 value;

  return text != NULL && g_ascii_string_to_signed (text, 10, 0, G_MAXINT32, &value, NULL) ? value : -1;
}

gboolean
mt_ranks_are_there (void)
{
  gint64 n = read_environment ("OMPI_COMM_WORLD_SIZE");

  return n >= 0 ? n > 1 : read_environment ("PMIX_RANK") >= 0 && read_environment ("SLURM_STEP_NUM_TASKS") > 1;
}

guint
mt_ranks_guess_own (void)
{
  gint64 own = read_environment ("OMPI_COMM_WORLD_RANK");

  return (guint) MAX (own >= 0 ? own : read_environment ("PMIX_RANK"), 0);
}

/* --- the module --- */

/* What MINTERM_MPI_MODULE says; else the module that was built with this program; else the installed one. */
static char *
dup_module_path (void)
{
  const char *asked = g_getenv ("MINTERM_MPI_MODULE");
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *built = folder != NULL ? g_build_filename (folder, "..", "mpi", MODULE_NAME, NULL) : NULL;

  if (asked != NULL)
    return g_strdup (asked);
  return built != NULL && g_file_test (built, G_FILE_TEST_EXISTS) ? g_steal_pointer (&built)
         : g_build_filename (MT_PKGLIBDIR, MODULE_NAME, NULL);
}

static const MtMpiApi *
load_module (GError **error)
{
  g_autofree char *path = dup_module_path ();
  const MtMpiApi *api;
  GModule *module;
  gpointer get = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                   _("Minterm was built without MPI support; start it without mpirun"));
      return NULL;
    }
  /* Its symbols are seen by all: MPI loads more libraries, which look for them. */
  module = g_module_open (path, 0);
  if (module == NULL || !g_module_symbol (module, "mt_mpi_module_get", &get) || get == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, _("the MPI module cannot be loaded: %s; start Minterm without mpirun"),
                   g_module_error ());
      return NULL;
    }
  g_module_make_resident (module);
  api = ((MtMpiModuleGet) get) (MT_MPI_API_VERSION);
  if (api == NULL)
    g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                 _("the MPI module %s belongs to another version of Minterm; start Minterm without mpirun"), path);
  return api;
}

MtRanks *
mt_ranks_begin (GError **error)
{
  const MtMpiApi *api = load_module (error);
  gint64 silence = read_environment ("MINTERM_RANK_SILENCE");
  char message[256] = "";
  MtRanks *self;
  int own, n;

  if (api == NULL)
    return NULL;
  if (api->begin (&own, &n, message, sizeof message) != 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_DEVICE, _("MPI cannot be started: %s; start Minterm without mpirun"), message);
      return NULL;
    }
  self = g_new0 (MtRanks, 1);
  self->api = api;
  self->own = (guint) own;
  self->n = (guint) n;
  self->silence = (silence > 0 ? silence : MT_RANKS_SILENCE) * G_USEC_PER_SEC;
  self->heard = g_new0 (gint64, self->n);
  self->told = g_new0 (gint64, self->n);
  self->is_lost = g_new0 (gboolean, self->n);
  return self;
}

guint
mt_ranks_get_own (const MtRanks *self)
{
  return self->own;
}

guint
mt_ranks_get_n (const MtRanks *self)
{
  return self->n;
}

/* --- messages --- */

gboolean
mt_ranks_send (MtRanks  *self,
               guint     to,
               guint     kind,
               GVariant *body)
{
  g_autoptr (GVariant) message = g_variant_ref_sink (g_variant_new (ENVELOPE, kind, body));

  g_return_val_if_fail (to < self->n, FALSE);

  self->told[to] = g_get_monotonic_time ();
  return self->is_lost[to] || self->api->send ((int) to, g_variant_get_data (message), g_variant_get_size (message)) == 0;
}

/* The ranks that this one talks to: rank 0 with all, the others with rank 0. */
static gboolean
is_partner (const MtRanks *self,
            guint          rank)
{
  return rank != self->own && (self->own == 0 || rank == 0);
}

static void
keep_contact (MtRanks *self)
{
  gint64 now = g_get_monotonic_time ();

  for (guint i = 0; i < self->n; i++)
    {
      if (!is_partner (self, i) || self->is_lost[i])
        continue;
      if (now - self->told[i] >= BEAT_EVERY)
        mt_ranks_send (self, i, BEAT, g_variant_new ("()"));
      if (self->heard[i] == 0 && self->own == 0)
        self->heard[i] = now;
      self->is_lost[i] = self->heard[i] != 0 && now - self->heard[i] > self->silence;
    }
}

/* NULL: what has come is no message of ours. */
static GVariant *
open_message (GBytes             *bytes,
              const char * const *types,
              guint              *kind)
{
  g_autoptr (GVariant) message = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (ENVELOPE), bytes, FALSE));
  g_autoptr (GVariant) body = NULL;
  guint n_types = g_strv_length ((char **) types);

  if (!g_variant_is_normal_form (message))
    return NULL;
  g_variant_get (message, ENVELOPE, kind, &body);
  if (*kind == BEAT || *kind > n_types || !g_variant_is_of_type (body, G_VARIANT_TYPE (types[*kind - 1])))
    return NULL;
  return g_steal_pointer (&body);
}

GVariant *
mt_ranks_receive (MtRanks            *self,
                  const char * const *types,
                  guint              *from,
                  guint              *kind)
{
  void *data;
  size_t length;
  int rank;

  /* A rank that has written was alive, even if this rank was busy for long: first read what has come, then decide who is lost. */
  while (self->api->receive (&rank, &data, &length) > 0)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_with_free_func (data, length, free, data);
      GVariant *body = open_message (bytes, types, kind);

      *from = (guint) rank;
      self->heard[rank] = g_get_monotonic_time ();
      if (body != NULL)
        return body;
    }
  keep_contact (self);
  return NULL;
}

gboolean
mt_ranks_is_lost (const MtRanks *self,
                  guint          rank)
{
  return self->is_lost[rank];
}

void
mt_ranks_end (MtRanks  *self,
              gboolean  orderly)
{
  gint64 until = g_get_monotonic_time () + END_WAITS;

  if (self == NULL)
    return;
  while (self->api->n_waiting () > 0 && g_get_monotonic_time () < until)
    {
      void *data;
      size_t length;
      int rank;

      if (self->api->receive (&rank, &data, &length) > 0)
        free (data);
      else
        g_usleep (1000);
    }
  if (orderly || self->own == 0)
    self->api->end (orderly);
  else if (!self->is_lost[0])
    g_usleep ((gulong) self->silence);
  g_free (self->heard);
  g_free (self->told);
  g_free (self->is_lost);
  g_free (self);
}
