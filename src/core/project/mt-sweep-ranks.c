/* A sweep by many processes. See mt-sweep-ranks.h.
 *
 *   rank 0 → others   SETUP  how the data are read and what they are; once
 *                     TASK   a group of runs (mt-sweep-private.h) to learn
 *                     END    stop and end
 *   others → rank 0   READY  the data are read, and so many tasks at a time are welcome
 *                     REFUSE why this rank cannot take part: the sweep ends
 *                     FOUND  what came of a task
 *
 * A crew is the threads of one process that take tasks, on rank 0, too: its results are packed and unpacked like those of the
 * others. The thread that called does not learn: it carries messages, and on rank 0 writes the project. Messages: one each way
 * for a task; a task has about 1 kB, a result the models of its points, some 5 to 50 kB. */
#include "config.h"
#include "mt-sweep-ranks.h"

#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-json.h"
#include "mt-run-record.h"
#include "mt-sweep-private.h"

#define IDLE_US 2000      /* how long to wait before looking for messages again when there were none */

typedef enum {
  SETUP = 1,
  TASK,
  END,
  READY,
  REFUSE,
  FOUND,
} Kind;

#define SETUP_TYPE  "(sssssut)"            /* version, URI, SHA-256, dialect, schema ("": none), threads, GPU memory */
#define TASK_TYPE   "(ustss)"              /* group, settings, seed, hash of the columns, their text */
#define END_TYPE    "(b)"                  /* are all ranks there? */
#define READY_TYPE  "(us)"                 /* tasks at a time, host */
#define REFUSE_TYPE "(ss)"                 /* host, why */
#define FOUND_TYPE  "(uda(uudd)aayssis)"   /* group, seconds, points, models, curves, failure: domain ("": none), code, words */

static const char * const types[] = { SETUP_TYPE, TASK_TYPE, END_TYPE, READY_TYPE, REFUSE_TYPE, FOUND_TYPE, NULL };

/* --- results as messages --- */

static GVariant *
pack_found (guint               id,
            const MtSweepFound *found)
{
  g_autofree char *words = found->failure != NULL ? g_utf8_make_valid (found->failure->message, -1) : g_strdup ("");
  GVariantBuilder points, models;

  g_variant_builder_init (&points, G_VARIANT_TYPE ("a(uudd)"));
  g_variant_builder_init (&models, G_VARIANT_TYPE ("aay"));
  for (guint i = 0; found->failure == NULL && i < found->points->len; i++)
    {
      const MtProjectPoint *point = &g_array_index (found->points, MtProjectPoint, i);

      g_variant_builder_add (&points, "(uudd)", point->literals, point->n_rules, point->cv_mean, point->cv_se);
      g_variant_builder_add_value (&models, g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, found->models->pdata[i], TRUE));
    }
  return g_variant_new (FOUND_TYPE, id, found->seconds, &points, &models, found->curves != NULL ? found->curves : "",
                        found->failure != NULL ? g_quark_to_string (found->failure->domain) : "",
                        found->failure != NULL ? found->failure->code : 0, words);
}

/* @found is initialized. */
static guint
unpack_found (GVariant     *message,
              MtSweepFound *found)
{
  g_autoptr (GVariantIter) points = NULL;
  g_autoptr (GVariantIter) models = NULL;
  const char *curves, *domain, *words;
  MtProjectPoint point = { .marks = MT_MARK_NONE };
  GVariant *model;
  gint32 code;
  guint id;

  g_variant_get (message, "(uda(uudd)aay&s&si&s)", &id, &found->seconds, &points, &models, &curves, &domain, &code, &words);
  while (g_variant_iter_next (points, "(uudd)", &point.literals, &point.n_rules, &point.cv_mean, &point.cv_se))
    g_array_append_val (found->points, point);
  while ((model = g_variant_iter_next_value (models)) != NULL)
    {
      g_ptr_array_add (found->models, g_variant_get_data_as_bytes (model));
      g_variant_unref (model);
    }
  found->curves = g_strdup (curves);
  if (*domain != '\0')
    found->failure = g_error_new_literal (g_quark_from_string (domain), code, words);
  return id;
}

/* --- a crew --- */

typedef struct {
  MtImport     *import;
  MtRunMeans    means;
  MtRunQueue   *queue;      /* for what jobs share; no job waits in it */
  GAsyncQueue  *tasks;      /* of GVariant of TASK_TYPE; the crew itself: end */
  GAsyncQueue  *results;    /* of GVariant of FOUND_TYPE */
  GPtrArray    *threads;
  GMutex        lock;
  GHashTable   *tables;     /* by the hash of their columns */
  gint          has_stopped;
} Crew;

static MtTable *
find_table (Crew       *self,
            const char *hash,
            const char *columns)
{
  MtTable *table;

  g_mutex_lock (&self->lock);
  table = g_hash_table_lookup (self->tables, hash);
  if (table == NULL)
    {
      table = mt_run_record_dup_table (mt_import_get_table (self->import), *columns != '\0' ? columns : NULL);
      g_hash_table_insert (self->tables, g_strdup (hash), table);
    }
  g_mutex_unlock (&self->lock);
  return table;
}

/* By now the queue can cancel it. */
static void
on_started (MtRunJob *job,
            gpointer  data)
{
  Crew *self = data;

  if (g_atomic_int_get (&self->has_stopped))
    g_cancellable_cancel (mt_run_job_get_cancellable (job));
}

static GVariant *
do_task (Crew     *self,
         GVariant *task)
{
  static const MtRunJobFuncs funcs = { .started = on_started };
  g_auto (MtSweepFound) found = { NULL };
  g_autoptr (MtRunJob) job = NULL;
  g_autoptr (MtJson) json = NULL;
  const char *text, *hash, *columns;
  MtRunSettings settings;
  MtTable *table;
  guint64 seed;
  guint id;

  g_variant_get (task, "(u&st&s&s)", &id, &text, &seed, &hash, &columns);
  mt_sweep_found_init (&found);
  mt_run_settings_init (&settings, MT_PRESET_BALANCED);
  json = mt_json_parse (text, -1, &found.failure);
  if (json != NULL && mt_run_settings_read (&settings, json, &found.failure))
    {
      settings.seed = seed;
      table = find_table (self, hash, columns);
      job = mt_run_job_new (table, &settings, &self->means, NULL, &funcs, self, NULL);
      mt_run_queue_run (self->queue, job);
      mt_sweep_found_take (&found, job, table, self->import);
    }
  return g_variant_ref_sink (pack_found (id, &found));
}

static gpointer
crew_main (gpointer data)
{
  Crew *self = data;
  gpointer task;

  while ((task = g_async_queue_pop (self->tasks)) != self)
    {
      g_async_queue_push (self->results, do_task (self, task));
      g_variant_unref (task);
    }
  return NULL;
}

static Crew *
crew_new (MtImport         *import,
          const MtRunMeans *means)
{
  Crew *self = g_new0 (Crew, 1);
  guint n = means->n_threads > 0 ? means->n_threads : g_get_num_processors ();

  self->import = mt_import_ref (import);
  self->means = *means;
  self->means.ranks = NULL;
  self->queue = mt_run_queue_new (1, FALSE);
  self->tasks = g_async_queue_new ();
  self->results = g_async_queue_new ();
  self->threads = g_ptr_array_new ();
  self->tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) mt_table_unref);
  g_mutex_init (&self->lock);
  for (guint i = 0; i < n; i++)
    {
      /* Where the system gives no more threads, those that there are do the work; without one, this fails. */
      GThread *thread = i == 0 ? g_thread_new ("mt-crew", crew_main, self) : g_thread_try_new ("mt-crew", crew_main, self, NULL);

      if (thread == NULL)
        break;
      g_ptr_array_add (self->threads, thread);
    }
  return self;
}

/* Stops what it does, and throws away what it found. */
static void
crew_free (Crew *self)
{
  GVariant *message;

  if (self == NULL)
    return;
  g_atomic_int_set (&self->has_stopped, TRUE);
  while ((message = g_async_queue_try_pop (self->tasks)) != NULL)
    g_variant_unref (message);
  mt_run_queue_cancel (self->queue);
  for (guint i = 0; i < self->threads->len; i++)
    g_async_queue_push (self->tasks, self);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (self->threads->pdata[i]);
  while ((message = g_async_queue_try_pop (self->results)) != NULL)
    g_variant_unref (message);
  g_ptr_array_unref (self->threads);
  g_async_queue_unref (self->tasks);
  g_async_queue_unref (self->results);
  mt_run_queue_unref (self->queue);
  g_hash_table_unref (self->tables);
  mt_import_unref (self->import);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* --- rank 0 --- */

typedef struct {
  char   *host;
  guint   room;        /* tasks at a time; 0: not ready */
  GArray *given;       /* of guint: groups */
  gboolean is_gone;
} Rank;

typedef struct {
  MtSweepRun   *sweep;
  MtSweepRanks *means;
  Crew         *crew;
  Rank         *ranks;
  guint         n_ranks;
  GQueue        waiting;     /* of groups, as GUINT_TO_POINTER */
  guint         n_left;      /* groups that are not finished */
  GError       *error;
} Lead;

void
mt_sweep_ranks_end (MtSweepRanks *self)
{
  for (guint i = 1; !self->has_ended && i < mt_ranks_get_n (self->ranks); i++)
    mt_ranks_send (self->ranks, i, END, g_variant_new (END_TYPE, !self->is_broken));
  self->has_ended = TRUE;
}

static void
send_setup (Lead *self)
{
  MtImport *import = self->sweep->import;
  g_autoptr (MtCsvDialect) none = mt_csv_dialect_new ();
  const MtCsvDialect *asked = mt_import_get_asked (import);
  const MtSchema *schema = mt_import_get_schema (import);
  g_autofree char *dialect = mt_project_dialect_to_json (asked != NULL ? asked : none);
  g_autofree char *columns = schema != NULL ? mt_schema_to_json (schema) : g_strdup ("");

  for (guint i = 1; i < self->n_ranks; i++)
    mt_ranks_send (self->means->ranks, i, SETUP,
                   g_variant_new (SETUP_TYPE, MT_VERSION, self->means->uri, mt_import_get_sha256 (import), dialect, columns,
                                  self->sweep->means->n_threads, self->sweep->means->device_memory));
}

static char *
dup_settings (const MtRunSettings *settings)
{
  MtJsonWriter *json = mt_json_writer_new_compact ();

  mt_json_writer_begin_object (json);
  mt_run_settings_write (settings, json);
  mt_json_writer_end_object (json);
  return mt_json_writer_finish (json, NULL);
}

static GVariant *
make_task (Lead               *self,
           guint               id,
           const MtSweepGroup *group)
{
  g_autofree char *settings = dup_settings (&group->settings);
  g_autofree char *key = g_strconcat (MT_PROJECT_KEY_COLUMNS, group->columns, NULL);
  g_autofree char *columns = group->columns != NULL
                             ? mt_project_dup_text (self->sweep->project, MT_PROJECT_SETTING, key, NULL) : NULL;

  return g_variant_new (TASK_TYPE, id, settings, group->settings.seed, group->columns != NULL ? group->columns : "",
                        columns != NULL ? columns : "");
}

static void
give (Lead  *self,
      guint  rank,
      guint  id)
{
  GVariant *task = make_task (self, id, self->sweep->groups->pdata[id]);

  g_array_append_val (self->ranks[rank].given, id);
  if (rank == 0)
    g_async_queue_push (self->crew->tasks, g_variant_ref_sink (task));
  else
    mt_ranks_send (self->means->ranks, rank, TASK, task);
}

/* One for each rank that has room, then another. */
static gboolean
hand_out (Lead *self)
{
  g_autoptr (GPtrArray) given = g_ptr_array_new ();
  guint n_before;

  do
    {
      n_before = given->len;
      for (guint i = 0; i < self->n_ranks && !g_queue_is_empty (&self->waiting); i++)
        if (!self->ranks[i].is_gone && self->ranks[i].given->len < self->ranks[i].room)
          {
            guint id = GPOINTER_TO_UINT (g_queue_pop_head (&self->waiting));

            give (self, i, id);
            g_ptr_array_add (given, self->sweep->groups->pdata[id]);
          }
    }
  while (given->len > n_before);
  return given->len == 0 || mt_sweep_run_mark (self->sweep, given, MT_RUN_RUNNING, NULL, &self->error);
}

/* A rank that was taken for lost may still answer: what it found is as good as that of another. */
static gboolean
take_found (Lead     *self,
            guint     from,
            GVariant *message)
{
  g_auto (MtSweepFound) found = { NULL };
  MtSweepGroup *group;
  GArray *given = self->ranks[from].given;
  guint id;

  mt_sweep_found_init (&found);
  id = unpack_found (message, &found);
  if (id >= self->sweep->groups->len || found.points->len != found.models->len)
    return TRUE;
  for (guint i = 0; i < given->len; i++)
    if (g_array_index (given, guint, i) == id)
      {
        g_array_remove_index (given, i);
        break;
      }
  group = self->sweep->groups->pdata[id];
  if (group->is_finished)
    return TRUE;
  g_queue_remove (&self->waiting, GUINT_TO_POINTER (id));
  self->n_left--;
  return mt_sweep_run_finish (self->sweep, group, &found, &self->error);
}

static gboolean
take_message (Lead     *self,
              guint     from,
              guint     kind,
              GVariant *body)
{
  Rank *rank = &self->ranks[from];
  const char *host, *why;

  switch (kind)
    {
    case READY:
      g_free (rank->host);
      g_variant_get (body, "(us)", &rank->room, &rank->host);
      return TRUE;
    case REFUSE:
      g_variant_get (body, "(&s&s)", &host, &why);
      g_set_error (&self->error, MT_ERROR, MT_ERROR_PARAMS, _("rank %u on “%s” cannot take part: %s"), from, host, why);
      return FALSE;
    case FOUND:
      return take_found (self, from, body);
    default:
      return TRUE;
    }
}

static void
look_for_lost (Lead *self)
{
  for (guint i = 1; i < self->n_ranks; i++)
    {
      Rank *rank = &self->ranks[i];
      guint n_runs = 0;

      if (rank->is_gone || !mt_ranks_is_lost (self->means->ranks, i))
        continue;
      rank->is_gone = TRUE;
      self->means->is_broken = TRUE;
      for (guint j = rank->given->len; j > 0; j--)
        {
          guint id = g_array_index (rank->given, guint, j - 1);

          n_runs += ((MtSweepGroup *) self->sweep->groups->pdata[id])->runs->len;
          g_queue_push_head (&self->waiting, GUINT_TO_POINTER (id));
        }
      g_array_set_size (rank->given, 0);
      if (self->means->lost != NULL)
        self->means->lost (i, rank->host != NULL ? rank->host : "?", n_runs, self->means->data);
    }
}

/* What was begun and will not be finished; the project must not say that it is still running. */
static void
stop_given (Lead *self)
{
  g_autoptr (GPtrArray) stopped = g_ptr_array_new ();

  for (guint i = 0; i < self->n_ranks; i++)
    for (guint j = 0; j < self->ranks[i].given->len; j++)
      {
        MtSweepGroup *group = self->sweep->groups->pdata[g_array_index (self->ranks[i].given, guint, j)];

        if (!group->is_finished)
          g_ptr_array_add (stopped, group);
      }
  if (stopped->len > 0)
    mt_sweep_run_mark (self->sweep, stopped, MT_RUN_STOPPED, "the run was stopped", NULL);
}

static void
lead (Lead         *self,
      GCancellable *cancellable)
{
  while (self->n_left > 0 && self->error == NULL && !g_cancellable_is_cancelled (cancellable))
    {
      gboolean has_worked = FALSE;
      g_autoptr (GVariant) own = g_async_queue_try_pop (self->crew->results);
      guint from, kind;
      GVariant *body;

      if (own != NULL)
        has_worked = take_found (self, 0, own);
      while (self->error == NULL && !g_cancellable_is_cancelled (cancellable) &&
             (body = mt_ranks_receive (self->means->ranks, types, &from, &kind)) != NULL)
        {
          has_worked = TRUE;
          take_message (self, from, kind, body);
          g_variant_unref (body);
        }
      look_for_lost (self);
      if (self->error == NULL && hand_out (self) && !has_worked)
        g_usleep (IDLE_US);
    }
}

void
mt_sweep_ranks_run (MtSweepRun   *sweep,
                    GCancellable *cancellable)
{
  Lead self = { .sweep = sweep, .means = sweep->means->ranks, .waiting = G_QUEUE_INIT };

  self.n_ranks = mt_ranks_get_n (self.means->ranks);
  self.ranks = g_new0 (Rank, self.n_ranks);
  for (guint i = 0; i < self.n_ranks; i++)
    self.ranks[i].given = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < sweep->groups->len; i++)
    {
      ((MtSweepGroup *) sweep->groups->pdata[i])->sweep = sweep;
      g_queue_push_tail (&self.waiting, GUINT_TO_POINTER (i));
    }
  self.n_left = sweep->groups->len;
  if (self.n_left > 0)
    {
      send_setup (&self);
      self.crew = crew_new (sweep->import, sweep->means);
      self.ranks[0].room = self.crew->threads->len;
      lead (&self, cancellable);
    }
  mt_sweep_ranks_end (self.means);
  /* At once: mpirun gives little time before it kills. */
  stop_given (&self);
  crew_free (self.crew);
  sweep->error = self.error;
  for (guint i = 0; i < self.n_ranks; i++)
    {
      g_array_unref (self.ranks[i].given);
      g_free (self.ranks[i].host);
    }
  g_free (self.ranks);
  g_queue_clear (&self.waiting);
}

/* --- the other ranks --- */

typedef struct {
  MtRanks             *ranks;
  MtLearnFallBackFunc  fall_back;
  GThread             *reader;       /* of the data; NULL: not begun, or done */
  gint                 has_read;
  GVariant            *setup;
  GCancellable        *cancellable;
  MtImport            *import;
  GError              *error;
  Crew                *crew;
} Helper;

/* Reads the data as rank 0 did, and sees whether they are the same. */
static MtImport *
read_data (GVariant      *setup,
           GCancellable  *cancellable,
           GError       **error)
{
  const char *version, *uri, *sha256, *dialect, *columns, *wrong;
  g_autoptr (MtCsvDialect) asked = NULL;
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (MtImport) import = NULL;
  g_autoptr (GFile) file = NULL;
  MtImportOptions options = { NULL };

  g_variant_get_child (setup, 0, "&s", &version);
  g_variant_get_child (setup, 1, "&s", &uri);
  g_variant_get_child (setup, 2, "&s", &sha256);
  g_variant_get_child (setup, 3, "&s", &dialect);
  g_variant_get_child (setup, 4, "&s", &columns);
  g_variant_get_child (setup, 5, "u", &options.n_threads);
  asked = mt_project_dialect_from_json (dialect, &wrong);
  if (asked == NULL || strcmp (version, MT_VERSION) != 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_NEWER, _("it runs Minterm %s, but rank 0 runs %s"), MT_VERSION, version);
      return NULL;
    }
  schema = *columns != '\0' ? mt_schema_from_json (columns, -1, error) : NULL;
  if (*columns != '\0' && schema == NULL)
    return NULL;
  options.dialect = asked;
  options.schema = schema;
  file = g_file_new_for_uri (uri);
  import = mt_import_file (file, &options, cancellable, error);
  if (import != NULL && strcmp (mt_import_get_sha256 (import), sha256) != 0)
    {
      g_autofree char *name = g_file_get_parse_name (file);

      g_set_error (error, MT_ERROR, MT_ERROR_CHANGED, _("its file “%s” is not the same as the one that rank 0 "
                                                        "reads"), name);
      return NULL;
    }
  return g_steal_pointer (&import);
}

static gpointer
reader_main (gpointer data)
{
  Helper *self = data;

  self->import = read_data (self->setup, self->cancellable, &self->error);
  g_atomic_int_set (&self->has_read, TRUE);
  return NULL;
}

/* The data have been read, or cannot be. */
static void
begin_work (Helper *self)
{
  MtRunMeans means = { .fall_back = self->fall_back };

  g_thread_join (g_steal_pointer (&self->reader));
  if (self->import == NULL)
    {
      g_autofree char *words = g_utf8_make_valid (self->error->message, -1);

      mt_ranks_send (self->ranks, 0, REFUSE, g_variant_new (REFUSE_TYPE, g_get_host_name (), words));
      return;
    }
  g_variant_get_child (self->setup, 5, "u", &means.n_threads);
  g_variant_get_child (self->setup, 6, "t", &means.device_memory);
  self->crew = crew_new (self->import, &means);
  mt_ranks_send (self->ranks, 0, READY, g_variant_new (READY_TYPE, self->crew->threads->len, g_get_host_name ()));
}

/* TRUE: the end. */
static gboolean
obey (Helper   *self,
      guint     kind,
      GVariant *body,
      gboolean *orderly)
{
  if (kind == SETUP && self->setup == NULL)
    {
      self->setup = g_variant_ref (body);
      self->reader = g_thread_new ("mt-reader", reader_main, self);
    }
  else if (kind == TASK && self->crew != NULL)
    g_async_queue_push (self->crew->tasks, g_variant_ref (body));
  else if (kind == END)
    g_variant_get (body, END_TYPE, orderly);
  return kind == END;
}

static gboolean
serve (Helper   *self,
       gboolean *orderly)
{
  while (!mt_ranks_is_lost (self->ranks, 0))
    {
      guint from, kind;
      g_autoptr (GVariant) body = mt_ranks_receive (self->ranks, types, &from, &kind);
      GVariant *found = self->crew != NULL ? g_async_queue_try_pop (self->crew->results) : NULL;
      gboolean has_read = self->reader != NULL && g_atomic_int_get (&self->has_read);

      if (found != NULL)
        {
          mt_ranks_send (self->ranks, 0, FOUND, found);
          g_variant_unref (found);
        }
      if (has_read)
        begin_work (self);
      if (body != NULL && from == 0 && obey (self, kind, body, orderly))
        return TRUE;
      if (body == NULL && found == NULL && !has_read)
        g_usleep (IDLE_US);
    }
  return FALSE;
}

gboolean
mt_sweep_ranks_serve (MtRanks              *ranks,
                      MtLearnFallBackFunc   fall_back,
                      gboolean             *orderly,
                      GError              **error)
{
  Helper self = { .ranks = ranks, .fall_back = fall_back, .cancellable = g_cancellable_new () };
  gboolean ok;

  g_return_val_if_fail (ranks != NULL && orderly != NULL, FALSE);

  *orderly = FALSE;
  ok = serve (&self, orderly);
  if (!ok)
    g_set_error (error, MT_ERROR, MT_ERROR_DEVICE,
                 _("rank %u has lost contact with rank 0; run the same command again to continue"), mt_ranks_get_own (ranks));
  g_cancellable_cancel (self.cancellable);
  if (self.reader != NULL)
    g_thread_join (self.reader);
  crew_free (self.crew);
  mt_import_unref (self.import);
  g_clear_error (&self.error);
  g_clear_pointer (&self.setup, g_variant_unref);
  g_object_unref (self.cancellable);
  return ok;
}
