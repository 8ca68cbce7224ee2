/* Runs are grouped by what the learner is told; a group is a job of an MtRunQueue, or is handed to a rank
 * (mt-sweep-ranks.c). The project belongs to the one who holds the lock: a job learns and packs its models without it, then
 * writes them in one change. */
#include "config.h"
#include "mt-sweep-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-json.h"
#include "base/mt-decimal.h"
#include "base/mt-number.h"
#include "mt-run-device.h"
#include "mt-run-record.h"

#define NETWORKS_SHARE 0.5     /* of a run's progress */

static void
group_free (gpointer data)
{
  MtSweepGroup *group = data;

  g_clear_pointer (&group->job, mt_run_job_unref);
  mt_table_unref (group->table);
  g_array_unref (group->runs);
  g_array_unref (group->trained);
  g_free (group->columns);
  g_free (group);
}

/* --- what a sweep is --- */

static void
add_member (MtJsonWriter *json,
            const char   *name,
            const char   *value)
{
  mt_json_writer_key (json, name);
  mt_json_writer_string (json, value);
}

/* The values of an axis, with commas between them. */
static void
add_axis (MtJsonWriter        *json,
          const MtSetting     *setting,
          const MtRunSettings *base,
          const MtSweepGrid   *grid)
{
  g_autoptr (GString) all = g_string_new (NULL);
  double values[MT_SWEEP_MAX_VALUES];
  guint n = mt_sweep_grid_get_axis (grid, setting, base, values);
  char number[MT_DECIMAL_SIZE];

  for (guint i = 0; i < n; i++)
    g_string_append_printf (all, "%s%s", i > 0 ? "," : "", mt_decimal_write_c (values[i], number));
  add_member (json, setting->option, all->str);
}

/* Settings that were always named; of the others the default is empty, so that a project from before there was such a
 * setting says the same. */
static gboolean
is_always_named (const MtSetting *setting)
{
  static const char * const names[] = { "task", "folds", "restarts", "balance_classes", "start", "dont_care", NULL };

  return g_strv_contains (names, setting->name);
}

void
mt_sweep_settings_init (MtRunSettings *settings)
{
  mt_run_settings_init (settings, MT_PRESET_BALANCED);
  settings->restarts = 1;
  settings->beside = FALSE;
  settings->repeats = 1;
  settings->test_fraction = 0;
}

static void
add_setting (MtJsonWriter        *json,
             const MtSetting     *setting,
             const MtRunSettings *base,
             const MtRunSettings *usual)
{
  g_autofree char *text = mt_setting_dup_text (setting, base);

  if (!is_always_named (setting) && mt_setting_is_equal (setting, base, usual))
    add_member (json, setting->option, "");
  else
    add_member (json, setting->option, g_str_equal (text, "false") ? "no" : text);
}

/* Texts that are missing in one column only: they are decided before the file is read, so the table does not have them. */
static void
add_missing (MtSchema       *schema,
             const MtImport *import)
{
  const MtTable *table = mt_import_get_table (import);
  const MtSchema *asked = mt_import_get_schema (import);

  for (guint c = 0; asked != NULL && c < mt_table_get_n_columns (table); c++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, c));
      const char * const *tokens = mt_schema_get_missing (asked, name);

      for (guint i = 0; tokens != NULL && tokens[i] != NULL; i++)
        mt_schema_add_missing (schema, name, tokens[i]);
    }
}

/* The same as JSON; empty where there are none, as in projects from before they were kept. */
static char *
dup_missing (const MtImport *import)
{
  g_autoptr (MtSchema) schema = mt_schema_new ();
  g_autoptr (MtSchema) none = mt_schema_new ();

  add_missing (schema, import);
  return mt_schema_equal (schema, none) ? g_strdup ("") : mt_schema_to_json (schema);
}

/* Everything that must be the same for finished runs to count, by name. */
static char *
describe (const MtImport       *import,
          const MtSweepGrid    *grid,
          const MtRunSettings  *base)
{
  MtJsonWriter *json = mt_json_writer_new ();
  g_autofree char *seeds = g_strdup_printf ("%u from %" G_GUINT64_FORMAT, MAX (grid->n_seeds, 1), base->seed);
  g_autofree char *columns = mt_run_record_dup_columns (mt_import_get_table (import));
  g_autoptr (MtConstraints) list = mt_run_settings_dup_constraints (base);
  /* Empty without any, as in projects from before there were any. */
  g_autofree char *constraints = mt_constraints_dup_text (list);
  g_autofree char *columns_hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, columns, -1);
  g_autofree char *missing = dup_missing (import);
  MtRunSettings usual;

  mt_sweep_settings_init (&usual);
  mt_json_writer_begin_object (json);
  add_member (json, "data", mt_import_get_sha256 (import));
  add_member (json, "columns", columns_hash);
  for (guint i = 0; i < mt_setting_get_n (); i++)
    {
      const MtSetting *setting = mt_setting_get (i);

      if (setting->is_axis)
        add_axis (json, setting, base, grid);
      else if (setting->option != NULL && !setting->is_common)
        add_setting (json, setting, base, &usual);
    }
  add_member (json, "constraints", constraints);
  add_member (json, "missing-in", missing);
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
      const char *empty = g_str_equal (name, "constraints") || g_str_equal (name, "missing-in") ? "none" : "usual";
      const char *then = old != NULL && mt_json_get_kind (old) == MT_JSON_STRING ? mt_json_get_string (old) : "";

      if (strcmp (now, then) == 0)
        continue;
      if (i < 2)
        g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                     _("“%s” contains a sweep over other data (%s differ); choose another file"), path, name);
      else
        g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                     _("“%s” contains a sweep with other settings: its %s: %s, now: %s; continue with its "
                       "settings or choose another file"), path, name, *then != '\0' ? then : empty,
                     *now != '\0' ? now : empty);
      return FALSE;
    }
  return TRUE;
}

static char *
name_run (const MtRunSettings *settings)
{
  char number[MT_DECIMAL_SIZE];

  return g_strdup_printf ("%u bits · %u nodes · fan-in %u · τ %s", settings->bits, settings->nodes, settings->fan_in,
                          mt_decimal_write_c (settings->temperature, number));
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
queue (MtProject            *project,
       MtImport             *import,
       const char           *source,
       const MtSweepGrid    *grid,
       const MtRunSettings  *base,
       const char           *description,
       GError              **error)
{
  g_autofree char *columns = mt_run_record_dup_columns (mt_import_get_table (import));
  g_autoptr (MtSchema) schema = mt_schema_from_json (columns, -1, error);
  gboolean ok;

  if (schema == NULL || !mt_project_begin (project, error))
    return FALSE;
  add_missing (schema, import);
  ok = set_source (project, import, source, error) &&
       mt_project_set_dialect (project, mt_import_get_dialect (import), error) &&
       mt_project_set_schema (project, schema, error) &&
       mt_project_set_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_SWEEP, description, error) &&
       mt_sweep_grid_keep (project, base, grid, error);
  for (guint i = 0; ok && i < mt_sweep_grid_count (grid); i++)
    {
      MtRunSettings settings;
      g_autofree char *name = NULL;

      mt_sweep_grid_get (grid, base, i, &settings);
      name = name_run (&settings);
      ok = mt_run_record_add (project, name, &settings, columns, mt_import_get_sha256 (import), error) != 0;
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
         const MtRunSettings   *base,
         GError               **error)
{
  g_autofree char *description = describe (import, grid, base);
  g_autoptr (GError) inner = NULL;
  g_autofree char *ours = mt_project_dup_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_SWEEP, &inner);
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
                   ngettext ("“%s” contains %u run that is not part of a sweep; choose another file",
                             "“%s” contains %u runs that are not part of a sweep; choose another file", runs->len),
                   path, runs->len);
      return FALSE;
    }
  return queue (project, import, source, grid, base, description, error);
}

/* --- the runs of a project, by what is learnt for them --- */

/* Runs that differ only in what the learner does not use in them share a training. */
static gboolean
same_learning (const MtRunSettings *a,
               const MtRunSettings *b)
{
  for (guint i = 0; i < mt_setting_get_n (); i++)
    if (mt_setting_is_of_use (mt_setting_get (i), a) && !mt_setting_is_equal (mt_setting_get (i), a, b))
      return FALSE;
  return a->constraints == b->constraints;
}

/* A model of the user would be next to points that are no longer there. */
static gboolean
is_edited (MtProject  *project,
           gint64      run,
           GError    **error)
{
  g_autoptr (GArray) points = mt_project_list_points (project, run, error);

  for (guint i = 0; points != NULL && i < points->len; i++)
    if (g_array_index (points, MtProjectPoint, i).marks & MT_MARK_EDITED)
      return TRUE;
  return FALSE;
}

/* The table as the run saw it: one object for all that saw the same. */
static MtTable *
find_table (MtProject   *project,
            MtTable     *table,
            const char  *hash,
            GHashTable  *tables)
{
  g_autofree char *key = g_strconcat (MT_PROJECT_KEY_COLUMNS, hash, NULL);
  g_autofree char *columns = NULL;
  MtTable *own = hash != NULL ? g_hash_table_lookup (tables, hash) : table;

  if (own != NULL)
    return own;
  columns = mt_project_dup_text (project, MT_PROJECT_SETTING, key, NULL);
  own = mt_run_record_dup_table (table, columns);
  g_hash_table_insert (tables, g_strdup (hash), own);
  return own;
}

static void
add_run (GPtrArray           *groups,
         gint64               id,
         const MtRunSettings *settings,
         MtTable             *table,
         const char          *columns)
{
  MtSweepGroup *group = NULL;

  for (guint i = 0; i < groups->len && group == NULL; i++)
    {
      MtSweepGroup *other = groups->pdata[i];

      if (other->table == table && same_learning (&other->settings, settings))
        group = other;
    }
  if (group == NULL)
    {
      group = g_new0 (MtSweepGroup, 1);
      group->settings = *settings;
      group->table = mt_table_ref (table);
      group->columns = g_strdup (columns);
      group->runs = g_array_new (FALSE, FALSE, sizeof (gint64));
      group->trained = g_array_new (FALSE, TRUE, sizeof (double));
      g_ptr_array_add (groups, group);
    }
  g_array_append_val (group->runs, id);
}

/* @n_wanted: the first so many runs of the project; G_MAXUINT: all. */
static GPtrArray *
group_runs (MtProject       *project,
            MtImport        *import,
            guint            n_wanted,
            MtSweepSummary  *summary,
            GError         **error)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GPtrArray) runs = mt_project_list_runs (project, error);
  g_autoptr (GHashTable) tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) mt_table_unref);
  g_autofree char *sweep = mt_project_dup_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_SWEEP, NULL);

  if (runs == NULL)
    return NULL;
  summary->n_runs = n_wanted < G_MAXUINT ? n_wanted : runs->len;
  if (runs->len < summary->n_runs)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("the sweep of this project is incomplete: it has %u of %u runs"), runs->len,
                   summary->n_runs);
      return NULL;
    }
  for (guint i = 0; i < summary->n_runs; i++)
    {
      const MtProjectRun *run = runs->pdata[i];
      g_autofree char *hash = NULL;
      g_autofree char *data = NULL;
      MtRunSettings settings;

      if (run->state == MT_RUN_DONE || is_edited (project, run->id, NULL))
        {
          summary->n_skipped++;
          continue;
        }
      mt_run_record_read (run, sweep, &settings, &hash, &data);
      add_run (groups, run->id, &settings, find_table (project, mt_import_get_table (import), hash, tables), hash);
    }
  return g_steal_pointer (&groups);
}

/* --- running --- */

static gboolean
set_state (MtSweepRun          *self,
           const MtSweepGroup  *group,
           gint64               id,
           MtRunState           state,
           const char          *message,
           double               seconds,
           GError             **error)
{
  gboolean on_gpu = group->settings.device == MT_DEVICE_CUDA && mt_run_settings_has_network (&group->settings);
  g_autoptr (MtRunDevice) device = mt_run_device_new (mt_run_settings_get_device (&group->settings),
                                                      on_gpu ? "cuda" : "cpu", self->means->n_threads, NULL);
  g_autofree char *key = g_strdup_printf (MT_PROJECT_KEY_DEVICE "%" G_GINT64_FORMAT, id);
  g_autofree char *json = mt_run_device_to_json (device);

  return mt_project_set_run_state (self->project, id, state, message, seconds, error) &&
         (state != MT_RUN_RUNNING || mt_project_set_text (self->project, MT_PROJECT_STATE, key, json, error));
}

/* Within a change. @found: NULL: nothing. */
static gboolean
set_states (MtSweepRun          *self,
            const MtSweepGroup  *group,
            MtRunState           state,
            const char          *message,
            double               seconds,
            const MtSweepFound  *found,
            GError             **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < group->runs->len; i++)
    {
      gint64 id = g_array_index (group->runs, gint64, i);

      if (found != NULL)
        ok = mt_run_record_set_points (self->project, id, found->points, found->models, found->curves, error);
      ok = ok && set_state (self, group, id, state, message, seconds, error);
    }
  return ok;
}

static gboolean
end_change (MtSweepRun  *self,
            gboolean     ok,
            GError     **error)
{
  if (ok)
    return mt_project_commit (self->project, error);
  mt_project_rollback (self->project);
  return FALSE;
}

/* The project cannot be written, so no run need go on. Without the lock. */
static void
give_up (MtSweepRun *self,
         GError     *error)
{
  g_mutex_lock (&self->lock);
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
  g_mutex_unlock (&self->lock);
  mt_run_queue_cancel (self->queue);
}

/* --- progress; all of it under the lock --- */

/* @network: NULL when a run has ended. */
static void
report (MtSweepRun           *self,
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
      const MtSweepGroup *group = self->groups->pdata[i];
      guint n_networks = group->job != NULL ? mt_run_job_get_n_networks (group->job) : 0;
      double trained = 0.0;

      if (n_networks == 0 || group->is_finished)
        continue;
      for (guint j = 0; j < group->trained->len; j++)
        {
          trained += g_array_index (group->trained, double, j) / n_networks;
          progress.n_trained += g_array_index (group->trained, double, j) >= 1.0;
        }
      progress.n_networks += n_networks;
      done += NETWORKS_SHARE * trained * group->runs->len;
    }
  progress.done = done / MAX (progress.n_runs, 1);
  self->progress (&progress, self->progress_data);
}

/* How far a network of many is: it may end any epoch, and at the latest when it has waited long enough. */
static void
on_network (MtRunJob              *job,
            guint                  part,
            guint                  network,
            const MtTrainProgress *train,
            gpointer               data)
{
  MtSweepGroup *group = data;
  MtSweepRun *self = group->sweep;
  MtSweepNetwork it = { g_array_index (group->runs, gint64, 0), part, network, train, mt_run_job_get_cancellable (job) };
  guint at = part * group->settings.restarts + network;
  double done = train->phase == MT_TRAIN_DONE ? 1.0 : (double) train->epoch / (train->epoch + train->epochs_left + 1);

  g_mutex_lock (&self->lock);
  if (at >= group->trained->len)
    g_array_set_size (group->trained, at + 1);
  g_array_index (group->trained, double, at) = MAX (g_array_index (group->trained, double, at), done);
  report (self, &it);
  g_mutex_unlock (&self->lock);
}

gboolean
mt_sweep_run_mark (MtSweepRun  *self,
                   GPtrArray   *groups,
                   MtRunState   state,
                   const char  *message,
                   GError     **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = mt_project_begin (self->project, error);
  if (ok)
    {
      for (guint i = 0; ok && i < groups->len; i++)
        ok = set_states (self, groups->pdata[i], state, message, 0, NULL, error);
      ok = end_change (self, ok, error);
    }
  g_mutex_unlock (&self->lock);
  return ok;
}

static void
on_started (MtRunJob *job,
            gpointer  data)
{
  MtSweepGroup *group = data;
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  GError *error = NULL;

  g_ptr_array_add (one, group);
  if (!mt_sweep_run_mark (group->sweep, one, MT_RUN_RUNNING, NULL, &error))
    give_up (group->sweep, error);
}

gboolean
mt_sweep_run_finish (MtSweepRun          *self,
                     MtSweepGroup        *group,
                     const MtSweepFound  *found,
                     GError             **error)
{
  MtRunState state = found->failure == NULL ? MT_RUN_DONE : MT_RUN_FAILED;
  gboolean ok;

  if (g_error_matches (found->failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    state = MT_RUN_STOPPED;
  g_mutex_lock (&self->lock);
  ok = mt_project_begin (self->project, error) &&
       end_change (self, set_states (self, group, state, found->failure != NULL ? found->failure->message : NULL,
                                     found->seconds, state == MT_RUN_DONE ? found : NULL, error), error);
  if (ok && state == MT_RUN_DONE)
    {
      self->summary->n_done += group->runs->len;
      self->summary->n_trainings++;
    }
  else if (ok && state == MT_RUN_FAILED)
    self->summary->n_failed += group->runs->len;
  group->is_finished = TRUE;
  if (state != MT_RUN_STOPPED)
    report (self, NULL);
  g_mutex_unlock (&self->lock);
  return ok;
}

void
mt_sweep_found_init (MtSweepFound *found)
{
  *found = (MtSweepFound) { .points = g_array_new (FALSE, FALSE, sizeof (MtProjectPoint)),
                            .models = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref) };
}

void
mt_sweep_found_clear (MtSweepFound *found)
{
  g_clear_pointer (&found->points, g_array_unref);
  g_clear_pointer (&found->models, g_ptr_array_unref);
  g_clear_pointer (&found->curves, g_free);
  g_clear_error (&found->failure);
}

void
mt_sweep_found_take (MtSweepFound *found,
                     MtRunJob     *job,
                     MtTable      *table,
                     MtImport     *import)
{
  g_autoptr (GArray) epochs = g_array_new (FALSE, FALSE, sizeof (MtRunEpoch));
  g_autoptr (GArray) visits = g_array_new (FALSE, FALSE, sizeof (MtRunVisit));
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (MtLearned) learned = mt_run_job_steal_learned (job);
  MtRunProgress progress;
  double left;

  found->seconds = mt_run_job_get_seconds (job);
  if (learned == NULL)
    found->failure = g_error_copy (mt_run_job_get_error (job));
  else if (mt_run_record_make_points (learned, mt_run_job_get_settings (job), table, mt_run_job_get_test (job), import,
                                      found->points, found->models, &found->failure))
    {
      mt_run_job_get_progress (job, &progress, &left, epochs, visits, parts);
      found->curves = mt_run_record_dup_curves (epochs, visits, learned->frontier);
    }
}

static void
on_ended (MtRunJob *job,
          gpointer  data)
{
  MtSweepGroup *group = data;
  MtSweepRun *self = group->sweep;
  g_auto (MtSweepFound) found = { NULL };
  GError *error = NULL;

  if (!mt_run_job_has_started (job))
    return;
  mt_sweep_found_init (&found);
  mt_sweep_found_take (&found, job, group->table, self->import);
  if (!mt_sweep_run_finish (self, group, &found, &error))
    give_up (self, error);
}

static void
pass_on (GCancellable *caller,
         gpointer      queue)
{
  mt_run_queue_cancel (queue);
}

static void
run_here (MtSweepRun   *self,
          GCancellable *cancellable)
{
  static const MtRunJobFuncs funcs = { on_started, NULL, on_network, on_ended };
  gulong handler = 0;

  self->queue = mt_run_queue_new (self->means->n_threads, FALSE);
  for (guint i = 0; i < self->groups->len; i++)
    {
      MtSweepGroup *group = self->groups->pdata[i];

      group->sweep = self;
      group->job = mt_run_job_new (group->table, &group->settings, self->means, NULL, &funcs, group, NULL);
      mt_run_queue_push (self->queue, group->job, i);
    }
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (pass_on), self->queue, NULL);
  mt_run_queue_work (self->queue);
  if (cancellable != NULL)
    g_cancellable_disconnect (cancellable, handler);
}

/* The runs of the project that are not done. */
static gboolean
run_all (MtSweepRun    *self,
         guint          n_wanted,
         GCancellable  *cancellable,
         GError       **error)
{
  self->groups = group_runs (self->project, self->import, n_wanted, self->summary, error);
  if (self->groups == NULL)
    return FALSE;
  g_mutex_init (&self->lock);
  if (self->means->ranks != NULL)
    mt_sweep_ranks_run (self, cancellable);
  else
    run_here (self, cancellable);
  g_mutex_clear (&self->lock);
  g_ptr_array_unref (self->groups);
  g_clear_pointer (&self->queue, mt_run_queue_unref);
  if (self->error != NULL)
    {
      g_propagate_error (error, self->error);
      return FALSE;
    }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

gboolean
mt_sweep_run (MtProject              *project,
              MtImport               *import,
              const char             *source,
              const MtSweepGrid      *grid,
              const MtRunSettings    *base,
              const MtRunMeans       *means,
              MtSweepProgressFunc     progress,
              gpointer                progress_data,
              GCancellable           *cancellable,
              MtSweepSummary         *summary,
              GError                **error)
{
  g_autoptr (MtTarget) target = NULL;
  g_autoptr (MtConstraints) constraints = NULL;
  MtLearnOptions learn;
  MtSweepRun self = { .project = project, .import = import, .means = means, .progress = progress,
                 .progress_data = progress_data, .summary = summary };

  g_return_val_if_fail (project != NULL && import != NULL && source != NULL && grid != NULL && base != NULL, FALSE);
  g_return_val_if_fail (means != NULL && summary != NULL, FALSE);

  *summary = (MtSweepSummary) { 0 };
  if (!mt_sweep_grid_check (grid, error))
    return FALSE;
  if (base->folds < 2)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("a sweep needs 2 to 50 folds to compare its runs"));
      return FALSE;
    }
  /* What is wrong with the data is wrong with every run: told once, before any starts. */
  mt_run_settings_to_learn (base, &learn);
  constraints = mt_run_settings_dup_constraints (base);
  target = mt_target_new (mt_import_get_table (import), NULL, 0, learn.task, error);
  if (target == NULL ||
      !mt_constraints_check_table (constraints, mt_import_get_table (import), mt_target_get_task (target), error) ||
      !prepare (project, import, source, grid, base, error))
    return FALSE;
  return run_all (&self, mt_sweep_grid_count (grid), cancellable, error);
}

gboolean
mt_sweep_resume (MtProject              *project,
                 MtImport               *import,
                 const MtRunMeans       *means,
                 MtSweepProgressFunc     progress,
                 gpointer                progress_data,
                 GCancellable           *cancellable,
                 MtSweepSummary         *summary,
                 GError                **error)
{
  g_autoptr (MtProjectSource) source = NULL;
  MtSweepRun self = { .project = project, .import = import, .means = means, .progress = progress,
                 .progress_data = progress_data, .summary = summary };
  GError *problem = NULL;

  g_return_val_if_fail (project != NULL && import != NULL && means != NULL && summary != NULL, FALSE);

  *summary = (MtSweepSummary) { 0 };
  source = mt_project_dup_source (project, &problem);
  if (problem == NULL && (source == NULL || g_strcmp0 (source->sha256, mt_import_get_sha256 (import)) != 0))
    g_set_error_literal (&problem, MT_ERROR, MT_ERROR_CHANGED,
                         _("the data has changed since these runs were queued; train again with the new data"));
  if (problem == NULL)
    mt_project_stop_interrupted (project, NULL, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  return run_all (&self, G_MAXUINT, cancellable, error);
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

/* Models larger than their run allows for the recommended one take no part in the choice. */
static GHashTable *
read_limits (MtProject  *project,
             GError    **error)
{
  g_autoptr (GPtrArray) runs = mt_project_list_runs (project, error);
  g_autofree char *sweep = mt_project_dup_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_SWEEP, NULL);
  GHashTable *limits;

  if (runs == NULL)
    return NULL;
  limits = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < runs->len; i++)
    {
      const MtProjectRun *run = runs->pdata[i];
      g_autofree char *columns = NULL, *data = NULL;
      MtRunSettings settings;

      mt_run_record_read (run, sweep, &settings, &columns, &data);
      g_hash_table_insert (limits, g_memdup2 (&run->id, sizeof run->id), GUINT_TO_POINTER (settings.max_literals));
    }
  return limits;
}

static gboolean
is_small_enough (GHashTable           *limits,
                 const MtProjectPoint *point)
{
  guint limit = GPOINTER_TO_UINT (g_hash_table_lookup (limits, &point->run));

  return limit == 0 || point->literals <= limit;
}

/* The recommended one of the merged points, which are better the larger they are; NULL: none is small enough. */
static MtProjectPoint *
choose (GArray        *merged,
        GHashTable    *limits,
        MtSweepChoice  choice)
{
  const MtProjectPoint *best = NULL;

  for (guint i = 0; i < merged->len; i++)
    if (is_small_enough (limits, &g_array_index (merged, MtProjectPoint, i)))
      best = &g_array_index (merged, MtProjectPoint, i);
  for (guint i = 0; best != NULL && i < merged->len; i++)
    {
      MtProjectPoint *point = &g_array_index (merged, MtProjectPoint, i);
      double most = choice == MT_SWEEP_ONE_SE && isfinite (best->cv_se) ? best->cv_se : 0;

      if (is_small_enough (limits, point) && point->cv_mean >= best->cv_mean - most)
        return point;
    }
  return NULL;
}

GArray *
mt_sweep_merge (MtProject      *project,
                MtSweepChoice   choice,
                GError        **error)
{
  g_autoptr (GArray) points = NULL;
  g_autoptr (GArray) merged = g_array_new (FALSE, FALSE, sizeof (MtProjectPoint));
  g_autoptr (GHashTable) limits = NULL;
  const MtProjectPoint *best = NULL;
  MtProjectPoint *chosen;

  g_return_val_if_fail (project != NULL, NULL);

  points = mt_project_list_points (project, 0, error);
  limits = points != NULL ? read_limits (project, error) : NULL;
  if (limits == NULL)
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
  chosen = choose (merged, limits, choice);
  for (guint i = 0; i < merged->len; i++)
    g_array_index (merged, MtProjectPoint, i).marks &= ~MT_MARK_RECOMMENDED;
  if (chosen != NULL)
    chosen->marks |= MT_MARK_RECOMMENDED;
  /* In the project as well, where another choice may have been made before. */
  for (guint i = 0; i < points->len && !mt_project_is_read_only (project); i++)
    {
      const MtProjectPoint *point = &g_array_index (points, MtProjectPoint, i);
      gboolean is_chosen = chosen != NULL && point->id == chosen->id;
      guint marks = is_chosen ? point->marks | MT_MARK_RECOMMENDED : point->marks & ~MT_MARK_RECOMMENDED;

      if (marks != point->marks && !mt_project_set_marks (project, point->id, marks, error))
        return NULL;
    }
  return g_steal_pointer (&merged);
}
