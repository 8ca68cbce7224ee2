/* Runs are grouped by what the learner is told; a group is one task of the pool. The project
 * belongs to whoever holds the lock: a task learns and packs its models without it, then
 * writes them in one change. */
#include "config.h"
#include "mt-sweep.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-i18n-private.h"
#include "base/mt-json.h"
#include "model/mt-learn-model.h"
#include "learn/mt-network-batch.h"
#include "base/mt-number.h"

#define SWEEP_KEY "sweep"
/* Networks trained in one go, about: enough to fill any device, few enough to hold their results. */
#define NETWORKS_AT_ONCE 512
#define NETWORKS_SHARE   0.5     /* of a run's progress */

typedef struct _Sweep Sweep;

typedef struct {
  Sweep         *sweep;
  GCancellable  *cancellable;   /* of these runs alone */
  double        *trained;       /* a network that is trained together with others: 0 … 1; or NULL */
  guint          n_networks;
  gboolean       is_finished;
  MtLearnOptions learn;
  GArray        *runs;          /* of gint64: ids in the project that it serves */
  MtLearnPlan   *plan;          /* made beforehand, with its networks; or NULL */
  GError        *failure;       /* of making it */
} Group;

struct _Sweep {
  MtProject           *project;
  MtImport            *import;
  GPtrArray           *groups;         /* of Group */
  guint                first;          /* of them: task 0 of the pool */
  GCancellable        *cancellable;    /* ours: the caller's, or a failing project, cancels it */
  MtSweepProgressFunc  progress;
  gpointer             progress_data;

  GMutex               lock;           /* of the project and what follows */
  MtSweepSummary      *summary;
  GError              *error;          /* the first that is not a run's own */
};

static void
group_free (gpointer data)
{
  Group *group = data;

  g_object_unref (group->cancellable);
  g_free (group->trained);
  g_array_unref (group->runs);
  mt_learn_plan_free (group->plan);
  g_clear_error (&group->failure);
  g_free (group);
}

/* --- what a sweep is --- */

static char *
join_counts (const guint *values,
             guint        n)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (all, "%s%u", i > 0 ? "," : "", values[i]);
  return g_string_free (g_steal_pointer (&all), FALSE);
}

static char *
join_numbers (const double *values,
              guint         n)
{
  g_autoptr (GString) all = g_string_new (NULL);
  char number[MT_NUMBER_BUF_SIZE];

  for (guint i = 0; i < n; i++)
    g_string_append_printf (all, "%s%s", i > 0 ? "," : "", mt_number_format (values[i], number, sizeof number));
  return g_string_free (g_steal_pointer (&all), FALSE);
}

static void
add_member (MtJsonWriter *json,
            const char   *name,
            const char   *value)
{
  mt_json_writer_key (json, name);
  mt_json_writer_string (json, value);
}

static char *
dup_schema (const MtTable *table)
{
  g_autoptr (MtSchema) schema = mt_schema_new ();

  for (guint c = 0; c < mt_table_get_n_columns (table); c++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, c));

      mt_schema_set_type (schema, name, mt_column_get_type (mt_table_get_column (table, c)));
      mt_schema_set_role (schema, name, mt_table_get_role (table, c));
    }
  return mt_schema_to_json (schema);
}

/* Those of the learner's settings that were not always there: empty where they are usual, so that a project from before
 * says the same. */
static void
describe_unusual (MtJsonWriter         *json,
                  const MtLearnOptions *base)
{
  const MtTrainOptions *train = &base->frontier.train;
  const MtRefineOptions *refine = &base->frontier.refine;
  MtTrainOptions usual;
  g_autofree char *rounds = refine->rounds != MT_ROUNDS_AUTO ? g_strdup_printf ("%u", refine->rounds) : NULL;
  g_autofree char *batch = train->batch != MT_BATCH_AUTO ? g_strdup_printf ("%d", train->batch) : NULL;
  g_autofree char *rate = mt_number_dup (train->learning_rate);
  g_autofree char *epochs = g_strdup_printf ("%u", train->max_epochs);

  mt_train_options_init (&usual);
  add_member (json, "rounds", rounds != NULL ? rounds : "");
  add_member (json, "numeric-terms", refine->numeric_terms ? "" : "no");
  add_member (json, "learning-rate", train->learning_rate != usual.learning_rate ? rate : "");
  add_member (json, "batch", batch != NULL ? batch : "");
  add_member (json, "epochs", train->max_epochs != usual.max_epochs ? epochs : "");
}

/* Everything that must be the same for finished runs to count, by name. */
static char *
describe (const MtImport       *import,
          const MtSweepGrid    *grid,
          const MtLearnOptions *base)
{
  static const char * const modes[] = { "off", "impossible", "unseen" };
  MtJsonWriter *json = mt_json_writer_new ();
  g_autofree char *bits = join_counts (grid->bits, grid->n_bits);
  g_autofree char *nodes = join_counts (grid->nodes, grid->n_nodes);
  g_autofree char *fan_ins = join_counts (grid->fan_ins, grid->n_fan_ins);
  g_autofree char *temperatures = join_numbers (grid->temperatures, grid->n_temperatures);
  g_autofree char *seeds = g_strdup_printf ("%u from %" G_GUINT64_FORMAT, grid->n_seeds, grid->seed);
  g_autofree char *folds = g_strdup_printf ("%u", base->frontier.n_folds);
  g_autofree char *restarts = g_strdup_printf ("%u", base->frontier.n_restarts);
  g_autofree char *columns = dup_schema (mt_import_get_table (import));
  /* Empty without any, as in projects from before there were any. */
  g_autofree char *constraints = mt_constraints_dup_text (base->constraints);
  g_autofree char *columns_hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, columns, -1);

  mt_json_writer_begin_object (json);
  add_member (json, "data", mt_import_get_sha256 (import));
  add_member (json, "columns", columns_hash);
  add_member (json, "task", base->task != NULL ? mt_task_to_string (*base->task) : "auto");
  add_member (json, "folds", folds);
  add_member (json, "restarts", restarts);
  add_member (json, "class-weights", base->frontier.refine.balance_classes ? "balanced" : "none");
  add_member (json, "start", base->frontier.train.start == MT_START_SCAN ? "scan" : "random");
  add_member (json, "dont-care", modes[base->frontier.refine.dont_care]);
  add_member (json, "constraints", constraints);
  add_member (json, "refine", base->frontier.method == MT_METHOD_MAGNITUDE ? "magnitude" : "");
  describe_unusual (json, base);
  add_member (json, "bits", bits);
  add_member (json, "nodes", nodes);
  add_member (json, "fan-in", fan_ins);
  add_member (json, "temperature", temperatures);
  add_member (json, "seeds", seeds);
  mt_json_writer_end_object (json);
  return mt_json_writer_finish (json, NULL);
}

/* The project's own sweep against the one wanted: FALSE names the first difference. */
static gboolean
compare (MtProject   *project,
         const char  *ours,
         const char  *wanted,
         GError     **error)
{
  g_autoptr (MtJson) a = mt_json_parse (ours, -1, error);
  g_autoptr (MtJson) b = a != NULL ? mt_json_parse (wanted, -1, error) : NULL;
  g_autofree char *path = g_filename_display_name (mt_project_get_path (project));

  if (b == NULL)
    return FALSE;
  for (guint i = 0; i < mt_json_get_n_children (b); i++)
    {
      const char *name = mt_json_get_name (b, i);
      const MtJson *old = mt_json_get_kind (a) == MT_JSON_OBJECT ? mt_json_find (a, name) : NULL;
      const char *now = mt_json_get_string (mt_json_get_child (b, i));
      const char *empty = g_str_equal (name, "constraints") ? "none" : "usual";
      const char *then = old != NULL && mt_json_get_kind (old) == MT_JSON_STRING ? mt_json_get_string (old) : "";

      if (strcmp (now, then) == 0)
        continue;
      if (i < 2)
        g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                     _("“%s” holds a sweep over other data (%s differ); choose another file for this one"), path, name);
      else
        g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                     _("“%s” holds a sweep with other settings: its %s: %s, now: %s; go on with its own settings"
                       " or choose another file"), path, name, *then != '\0' ? then : empty,
                     *now != '\0' ? now : empty);
      return FALSE;
    }
  return TRUE;
}

static char *
describe_run (const MtSweepSetting *setting)
{
  char number[MT_NUMBER_BUF_SIZE];

  return g_strdup_printf ("{\"bits\": %u, \"nodes\": %u, \"fan_in\": %u, \"temperature\": %s}", setting->bits,
                          setting->nodes, setting->fan_in,
                          mt_number_format (setting->temperature, number, sizeof number));
}

static char *
name_run (const MtSweepSetting *setting)
{
  char number[MT_NUMBER_BUF_SIZE];

  return g_strdup_printf ("%u bits · %u nodes · fan-in %u · τ %s", setting->bits, setting->nodes, setting->fan_in,
                          mt_number_format (setting->temperature, number, sizeof number));
}

static gboolean
set_source (MtProject   *project,
            MtImport    *import,
            const char  *path,
            GError     **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file, "time::*", G_FILE_QUERY_INFO_NONE, NULL, NULL);
  g_autofree char *uri = g_file_get_uri (file);
  MtProjectSource source = { uri, mt_import_get_n_bytes (import), 0, (char *) mt_import_get_sha256 (import) };

  if (info != NULL)
    source.modified = (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED) *
                      G_USEC_PER_SEC + g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
  return mt_project_set_source (project, &source, error);
}

/* Data, settings and all runs in one change. */
static gboolean
queue (MtProject          *project,
       MtImport           *import,
       const char         *source,
       const MtSweepGrid  *grid,
       const char         *description,
       GError            **error)
{
  g_autofree char *columns = dup_schema (mt_import_get_table (import));
  g_autoptr (MtSchema) schema = mt_schema_from_json (columns, -1, error);
  gboolean ok;

  if (schema == NULL || !mt_project_begin (project, error))
    return FALSE;
  ok = set_source (project, import, source, error) &&
       mt_project_set_dialect (project, mt_import_get_dialect (import), error) &&
       mt_project_set_schema (project, schema, error) &&
       mt_project_set_text (project, MT_PROJECT_SETTING, SWEEP_KEY, description, error);
  for (guint i = 0; ok && i < mt_sweep_grid_count (grid); i++)
    {
      MtSweepSetting setting;
      guint64 seed;
      g_autofree char *name = NULL;
      g_autofree char *settings = NULL;

      mt_sweep_grid_get (grid, i, &setting, &seed);
      name = name_run (&setting);
      settings = describe_run (&setting);
      ok = mt_project_add_run (project, name, settings, seed, error) != 0;
    }
  if (ok)
    return mt_project_commit (project, error);
  mt_project_rollback (project);
  return FALSE;
}

static gboolean
prepare (MtProject             *project,
         MtImport              *import,
         const char            *source,
         const MtSweepGrid     *grid,
         const MtLearnOptions  *base,
         GError               **error)
{
  g_autofree char *description = describe (import, grid, base);
  g_autoptr (GError) inner = NULL;
  g_autofree char *ours = mt_project_dup_text (project, MT_PROJECT_SETTING, SWEEP_KEY, &inner);
  g_autoptr (GPtrArray) runs = NULL;

  if (inner != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&inner));
      return FALSE;
    }
  if (ours != NULL)
    return compare (project, ours, description, error) && mt_project_stop_interrupted (project, NULL, error);
  runs = mt_project_list_runs (project, error);
  if (runs == NULL)
    return FALSE;
  if (runs->len > 0)
    {
      g_autofree char *path = g_filename_display_name (mt_project_get_path (project));

      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("“%s” holds %u runs that are no sweep; choose another file for this one"), path, runs->len);
      return FALSE;
    }
  return queue (project, import, source, grid, description, error);
}

/* --- running --- */

/* What of a setting the learner uses. Whatever is set here decides who shares a training. */
static void
apply (const MtSweepSetting *setting,
       guint64               seed,
       MtLearnOptions       *learn)
{
  learn->encoder.bits = setting->bits;
  learn->encoder.n_threads = 1;
  learn->frontier.refine.fan_in = setting->fan_in;
  learn->frontier.train.n_nodes = setting->nodes;
  learn->frontier.train.fan_in = setting->fan_in;
  learn->frontier.train.temperature = setting->temperature;
  /* A sweep's runs judge each other; each dealing its folds out again would only take longer. */
  learn->frontier.n_repeats = MAX (learn->frontier.n_repeats, 1);
  learn->seed = seed;
}

static gboolean
same_learning (const MtLearnOptions *a,
               const MtLearnOptions *b)
{
  if (a->encoder.bits != b->encoder.bits || a->frontier.refine.fan_in != b->frontier.refine.fan_in ||
      a->seed != b->seed)
    return FALSE;
  /* Without a network nobody asks how large it would be. */
  return a->frontier.n_restarts == 0 || (a->frontier.train.n_nodes == b->frontier.train.n_nodes &&
                                         a->frontier.train.temperature == b->frontier.train.temperature);
}

static GPtrArray *
group_runs (MtProject             *project,
            const MtSweepGrid     *grid,
            const MtLearnOptions  *base,
            MtSweepSummary        *summary,
            GError               **error)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GPtrArray) runs = mt_project_list_runs (project, error);

  if (runs == NULL)
    return NULL;
  summary->n_runs = mt_sweep_grid_count (grid);
  if (runs->len < summary->n_runs)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("the project's sweep lacks runs: it has %u of %u"), runs->len,
                   summary->n_runs);
      return NULL;
    }
  for (guint i = 0; i < summary->n_runs; i++)
    {
      const MtProjectRun *run = runs->pdata[i];
      MtLearnOptions learn = *base;
      MtSweepSetting setting;
      guint64 seed;
      Group *group = NULL;

      if (run->state == MT_RUN_DONE)
        {
          summary->n_skipped++;
          continue;
        }
      mt_sweep_grid_get (grid, i, &setting, &seed);
      apply (&setting, seed, &learn);
      for (guint j = 0; j < groups->len && group == NULL; j++)
        if (same_learning (&((Group *) groups->pdata[j])->learn, &learn))
          group = groups->pdata[j];
      if (group == NULL)
        {
          group = g_new0 (Group, 1);
          group->learn = learn;
          group->cancellable = g_cancellable_new ();
          group->runs = g_array_new (FALSE, FALSE, sizeof (gint64));
          g_ptr_array_add (groups, group);
        }
      g_array_append_val (group->runs, run->id);
    }
  return g_steal_pointer (&groups);
}

/* The points of a run's own frontier that no other of it beats, with their models. */
static gboolean
collect_points (Sweep            *self,
                const Group      *group,
                const MtLearned  *learned,
                GArray           *points,
                GPtrArray        *models,
                GError          **error)
{
  guint n = mt_frontier_get_n_points (learned->frontier);
  double best = -INFINITY;

  for (guint i = 0; i < n; i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (learned->frontier, i);
      MtProjectPoint kept = { 0, 0, point->complexity, mt_rule_set_get_n_rules (point->rules), point->cv_mean,
                              point->cv_se, MT_MARK_NONE };
      g_autoptr (MtModel) model = NULL;
      char *json;
      gsize length;

      if (!(point->cv_mean > best))
        continue;
      best = point->cv_mean;
      model = mt_learned_make_model (learned, point, &group->learn, self->import, 0, NAN, NULL, error);
      if (model == NULL)
        return FALSE;
      json = mt_model_to_json (model, &length);
      g_ptr_array_add (models, g_bytes_new_take (json, length));
      g_array_append_val (points, kept);
    }
  return TRUE;
}

static gboolean
set_states (Sweep        *self,
            const Group  *group,
            MtRunState    state,
            const char   *message,
            double        seconds,
            GArray       *points,
            GPtrArray    *models,
            GError      **error)
{
  gboolean ok = TRUE;

  if (!mt_project_begin (self->project, error))
    return FALSE;
  for (guint i = 0; ok && i < group->runs->len; i++)
    {
      gint64 id = g_array_index (group->runs, gint64, i);

      if (points != NULL)
        ok = mt_project_add_points (self->project, id, (MtProjectPoint *) (gpointer) points->data,
                                    (GBytes * const *) models->pdata, points->len, error);
      ok = ok && mt_project_set_run_state (self->project, id, state, message, seconds, error);
    }
  if (ok)
    return mt_project_commit (self->project, error);
  mt_project_rollback (self->project);
  return FALSE;
}

/* Under the lock: the project cannot be written, so nobody need go on. */
static void
give_up (Sweep  *self,
         GError *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
  g_cancellable_cancel (self->cancellable);
}

/* --- progress; all of it under the lock --- */

/* @network: NULL when a run has ended. */
static void
report (Sweep                *self,
        const MtSweepNetwork *network)
{
  MtSweepProgress progress = {
    .n_finished = self->summary->n_skipped + self->summary->n_done + self->summary->n_failed,
    .n_runs = self->summary->n_runs, .network = network,
  };
  double done;

  if (self->progress == NULL)
    return;
  done = progress.n_finished;
  for (guint i = 0; i < self->groups->len; i++)
    {
      const Group *group = self->groups->pdata[i];
      double trained = 0.0;

      if (group->trained == NULL || group->is_finished)
        continue;
      for (guint j = 0; j < group->n_networks; j++)
        {
          trained += group->trained[j] / group->n_networks;
          progress.n_trained += group->trained[j] >= 1.0;
        }
      progress.n_networks += group->n_networks;
      done += NETWORKS_SHARE * trained * group->runs->len;
    }
  progress.done = done / MAX (progress.n_runs, 1);
  self->progress (&progress, self->progress_data);
}

/* How far a network of many is: it may end any epoch, and at the latest when it has waited long enough. */
static void
on_network (guint                  part,
            guint                  network,
            const MtTrainProgress *train,
            gpointer               user_data)
{
  Group *group = user_data;
  Sweep *self = group->sweep;
  MtSweepNetwork it = { g_array_index (group->runs, gint64, 0), part, network, train, group->cancellable };
  guint at = part * group->learn.frontier.n_restarts + network;
  double done = train->phase == MT_TRAIN_DONE ? 1.0 : (double) train->epoch / (train->epoch + train->epochs_left + 1);

  g_mutex_lock (&self->lock);
  group->trained[at] = MAX (group->trained[at], done);
  report (self, &it);
  g_mutex_unlock (&self->lock);
}

static void
write_result (Sweep      *self,
              Group      *group,
              GArray     *points,
              GPtrArray  *models,
              GError     *failure,
              double      seconds)
{
  GError *error = NULL;
  MtRunState state = failure == NULL ? MT_RUN_DONE : MT_RUN_FAILED;

  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    state = MT_RUN_STOPPED;
  g_mutex_lock (&self->lock);
  if (!set_states (self, group, state, failure != NULL ? failure->message : NULL, seconds,
                   state == MT_RUN_DONE ? points : NULL, models, &error))
    give_up (self, error);
  else if (state == MT_RUN_DONE)
    {
      self->summary->n_done += group->runs->len;
      self->summary->n_trainings++;
    }
  else if (state == MT_RUN_FAILED)
    self->summary->n_failed += group->runs->len;
  group->is_finished = TRUE;
  if (state != MT_RUN_STOPPED)
    report (self, NULL);
  g_mutex_unlock (&self->lock);
}

static void
pass_on (GCancellable *caller,
         gpointer      ours)
{
  g_cancellable_cancel (ours);
}

static void
run_group (guint    task,
           guint    worker,
           gpointer data)
{
  Sweep *self = data;
  Group *group = self->groups->pdata[self->first + task];
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MtProjectPoint));
  g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (MtLearned) learned = NULL;
  g_autoptr (GError) failure = NULL;
  GError *error = NULL;
  gint64 start = g_get_monotonic_time ();
  gulong handler;

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  handler = g_cancellable_connect (self->cancellable, G_CALLBACK (pass_on), group->cancellable, NULL);
  g_mutex_lock (&self->lock);
  if (!set_states (self, group, MT_RUN_RUNNING, NULL, 0, NULL, NULL, &error))
    give_up (self, error);
  g_mutex_unlock (&self->lock);
  if (group->plan == NULL && group->failure == NULL)
    group->plan = mt_learn_plan_new (mt_import_get_table (self->import), NULL, 0, &group->learn, NULL, NULL, NULL,
                                     group->cancellable, &group->failure);
  failure = g_steal_pointer (&group->failure);
  if (group->plan != NULL)
    learned = mt_learn_plan_run (g_steal_pointer (&group->plan), NULL, NULL, NULL, group->cancellable, &failure);
  g_cancellable_disconnect (self->cancellable, handler);
  if (learned != NULL)
    collect_points (self, group, learned, points, models, &failure);
  write_result (self, group, points, models, failure, (g_get_monotonic_time () - start) / 1e6);
}

/* --- where a device trains many networks at once --- */

/* Groups from self->first on that have the same bits, until their networks are enough. */
static guint
plan_groups (Sweep     *self,
             GPtrArray *networks)
{
  const MtLearnPlan *like = NULL;
  guint bits = ((Group *) self->groups->pdata[self->first])->learn.encoder.bits, n = 0, n_networks = 0;

  while (self->first + n < self->groups->len && n_networks < NETWORKS_AT_ONCE &&
         !g_cancellable_is_cancelled (self->cancellable))
    {
      Group *group = self->groups->pdata[self->first + n];

      if (group->learn.encoder.bits != bits)
        break;
      group->plan = mt_learn_plan_new (mt_import_get_table (self->import), NULL, 0, &group->learn, like, NULL, NULL,
                                       self->cancellable, &group->failure);
      if (group->plan != NULL)
        {
          MtNetworkBatch *own = mt_learn_plan_make_networks (group->plan);

          like = like != NULL ? like : group->plan;
          group->n_networks = mt_network_batch_get_n (own);
          group->trained = g_new0 (double, MAX (group->n_networks, 1));
          mt_network_batch_watch (own, on_network, group);
          mt_network_batch_set_cancellable (own, group->cancellable);
          n_networks += group->n_networks;
          g_ptr_array_add (networks, own);
        }
      n++;
    }
  return n;
}

/* In waves: the networks of many runs on the device, then their rules on the pool. */
static void
run_waves (Sweep  *self,
           MtPool *pool)
{
  g_autoptr (GPtrArray) networks = g_ptr_array_new ();
  guint n;

  for (; self->first < self->groups->len && !g_cancellable_is_cancelled (self->cancellable); self->first += n)
    {
      g_ptr_array_set_size (networks, 0);
      n = plan_groups (self, networks);
      if (networks->len > 0)
        mt_network_batch_train ((MtNetworkBatch **) networks->pdata, networks->len, self->cancellable);
      mt_pool_run (pool, n, run_group, self);
    }
}

gboolean
mt_sweep_run (MtProject              *project,
              MtImport               *import,
              const char             *source,
              const MtSweepGrid      *grid,
              const MtLearnOptions   *base,
              guint                   n_threads,
              MtSweepProgressFunc     progress,
              gpointer                progress_data,
              GCancellable           *cancellable,
              MtSweepSummary         *summary,
              GError                **error)
{
  g_autoptr (MtPool) pool = NULL;
  g_autoptr (MtTarget) target = NULL;
  g_autoptr (GCancellable) ours = g_cancellable_new ();
  Sweep self = { .project = project, .import = import, .cancellable = ours, .progress = progress,
                 .progress_data = progress_data };
  gulong handler = 0;

  g_return_val_if_fail (project != NULL && import != NULL && source != NULL && grid != NULL && base != NULL, FALSE);
  g_return_val_if_fail (summary != NULL, FALSE);

  *summary = (MtSweepSummary) { 0 };
  self.summary = summary;
  if (!mt_sweep_grid_check (grid, error))
    return FALSE;
  if (base->frontier.n_folds < 2)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("a sweep needs folds to compare its runs by; give 2 to 50"));
      return FALSE;
    }
  /* What is wrong with the data is wrong with every run: told once, before any starts. */
  target = mt_target_new (mt_import_get_table (import), NULL, 0, base->task, error);
  if (target == NULL ||
      !mt_constraints_check_table (base->constraints, mt_import_get_table (import), mt_target_get_task (target), error) ||
      !prepare (project, import, source, grid, base, error))
    return FALSE;
  self.groups = group_runs (project, grid, base, summary, error);
  if (self.groups == NULL)
    return FALSE;

  for (guint i = 0; i < self.groups->len; i++)
    ((Group *) self.groups->pdata[i])->sweep = &self;
  g_mutex_init (&self.lock);
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (pass_on), ours, NULL);
  pool = mt_pool_new (n_threads);
  if (base->frontier.n_restarts > 0 && mt_train_wants_many (base->frontier.train.device))
    run_waves (&self, pool);
  else
    mt_pool_run (pool, self.groups->len, run_group, &self);
  if (cancellable != NULL)
    g_cancellable_disconnect (cancellable, handler);
  g_mutex_clear (&self.lock);
  g_ptr_array_unref (self.groups);
  if (self.error != NULL)
    {
      g_propagate_error (error, self.error);
      return FALSE;
    }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/* --- what they found together --- */

static int
by_literals (gconstpointer a,
             gconstpointer b)
{
  const MtProjectPoint *left = a, *right = b;

  if (left->literals != right->literals)
    return left->literals < right->literals ? -1 : 1;
  if (left->cv_mean != right->cv_mean)
    return left->cv_mean > right->cv_mean ? -1 : 1;
  if (left->run != right->run)
    return left->run < right->run ? -1 : 1;
  return left->id < right->id ? -1 : 1;
}

GArray *
mt_sweep_merge (MtProject  *project,
                GError    **error)
{
  g_autoptr (GArray) points = NULL;
  g_autoptr (GArray) merged = g_array_new (FALSE, FALSE, sizeof (MtProjectPoint));
  const MtProjectPoint *best = NULL;
  double floor_mean;

  g_return_val_if_fail (project != NULL, NULL);

  points = mt_project_list_points (project, 0, error);
  if (points == NULL)
    return NULL;
  g_array_sort (points, by_literals);
  for (guint i = 0; i < points->len; i++)
    {
      const MtProjectPoint *point = &g_array_index (points, MtProjectPoint, i);

      if (isnan (point->cv_mean) || (best != NULL && point->cv_mean <= best->cv_mean))
        continue;
      g_array_append_vals (merged, point, 1);
      best = point;
    }
  if (best == NULL)
    return g_steal_pointer (&merged);

  floor_mean = best->cv_mean - (isfinite (best->cv_se) ? best->cv_se : 0);
  for (guint i = 0; i < merged->len; i++)
    {
      MtProjectPoint *point = &g_array_index (merged, MtProjectPoint, i);

      point->marks &= ~MT_MARK_RECOMMENDED;
      if (floor_mean == INFINITY || point->cv_mean < floor_mean)
        continue;
      point->marks |= MT_MARK_RECOMMENDED;
      floor_mean = INFINITY;      /* the first is the smallest */
      if (!mt_project_is_read_only (project) && !mt_project_set_marks (project, point->id, point->marks, error))
        return NULL;
    }
  return g_steal_pointer (&merged);
}
