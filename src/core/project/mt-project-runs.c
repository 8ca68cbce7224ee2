/* Runs: one row each, its settings as JSON text that only the learner reads. */
#include "config.h"
#include "mt-project-private.h"

#include "base/mt-error.h"
#include "base/mt-gettext.h"

const char *
mt_run_state_to_string (MtRunState state)
{
  static const char * const words[] = { "queued", "running", "done", "failed", "stopped" };

  g_return_val_if_fail ((guint) state < G_N_ELEMENTS (words), NULL);

  return words[state];
}

void
mt_project_run_free (MtProjectRun *run)
{
  if (run == NULL)
    return;
  g_free (run->name);
  g_free (run->settings);
  g_free (run->message);
  g_free (run);
}

static gboolean
put_run (MtProject           *self,
         const MtProjectRun  *run,
         GError             **error)
{
  const MtCell row[] = {
    mt_cell_integer (run->id),
    mt_cell_text (run->name),
    mt_cell_text (run->settings),
    mt_cell_integer ((gint64) run->seed),
    mt_cell_integer (run->state),
    mt_cell_text (run->message),
    mt_cell_integer (run->started),
    mt_cell_real (run->seconds),
  };

  return mt_project_put (self, MT_STORE_RUN, row, error);
}

static gboolean
take_run (MtProject     *self,
          const MtCell  *row,
          gpointer       data,
          GError       **error)
{
  MtProjectRun *run = g_new0 (MtProjectRun, 1);

  run->id = row[0].integer;
  run->name = mt_cell_dup_text (&row[1]);
  run->settings = mt_cell_dup_text (&row[2]);
  run->seed = (guint64) row[3].integer;
  run->state = (MtRunState) row[4].integer;
  run->message = mt_cell_dup_text (&row[5]);
  run->started = row[6].integer;
  run->seconds = row[7].real;
  g_ptr_array_add (data, run);
  return TRUE;
}

static GPtrArray *
list_runs (MtProject   *self,
           const char  *tail,
           gint64       id,
           GError     **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_project_run_free);
  const MtCell args[] = { mt_cell_integer (id) };

  return mt_project_each (self, MT_STORE_RUN, tail, args, id != 0 ? 1 : 0, take_run, runs, error)
         ? g_steal_pointer (&runs) : NULL;
}

GPtrArray *
mt_project_list_runs (MtProject  *self,
                      GError    **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  return list_runs (self, "ORDER BY id", 0, error);
}

gint64
mt_project_add_run (MtProject   *self,
                    const char  *name,
                    const char  *settings,
                    guint64      seed,
                    GError     **error)
{
  MtProjectRun run = { 0, (char *) name, (char *) settings, seed, MT_RUN_QUEUED, (char *) "", 0, 0 };
  gboolean ok;

  g_return_val_if_fail (self != NULL && name != NULL && settings != NULL, 0);

  if (!mt_project_begin (self, error))
    return 0;
  run.id = mt_project_next_id (self, MT_STORE_RUN, error);
  ok = run.id != 0 && put_run (self, &run, error);
  return mt_project_end (self, ok, error) ? run.id : 0;
}

static gboolean
set_state (MtProject     *self,
           MtProjectRun  *run,
           MtRunState     state,
           const char    *message,
           double         seconds,
           GError       **error)
{
  run->state = state;
  run->seconds = seconds;
  g_free (run->message);
  run->message = g_strdup (message != NULL ? message : "");
  if (state == MT_RUN_RUNNING && run->started == 0)
    {
      g_autoptr (GPtrArray) latest = list_runs (self, "ORDER BY started DESC LIMIT 1", 0, error);

      if (latest == NULL)
        return FALSE;
      run->started = ((MtProjectRun *) latest->pdata[0])->started + 1;
    }
  return put_run (self, run, error);
}

static gboolean
change_state (MtProject   *self,
              gint64       id,
              MtRunState   state,
              const char  *message,
              double       seconds,
              GError     **error)
{
  g_autoptr (GPtrArray) runs = list_runs (self, "WHERE id = ?1", id, error);

  if (runs == NULL)
    return FALSE;
  if (runs->len == 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the project has no run %" PRId64), id);
      return FALSE;
    }
  return set_state (self, runs->pdata[0], state, message, seconds, error);
}

gboolean
mt_project_set_run_state (MtProject   *self,
                          gint64       id,
                          MtRunState   state,
                          const char  *message,
                          double       seconds,
                          GError     **error)
{
  g_return_val_if_fail (self != NULL && id > 0 && mt_run_state_to_string (state) != NULL, FALSE);

  if (!mt_project_begin (self, error))
    return FALSE;
  return mt_project_end (self, change_state (self, id, state, message, seconds, error), error);
}

static gboolean
remove_run (MtProject  *self,
            gint64      id,
            GError    **error)
{
  g_autoptr (GArray) points = mt_project_list_points (self, id, error);
  const MtCell run_key = mt_cell_integer (id);
  gboolean found;

  for (guint i = 0; points != NULL && i < points->len; i++)
    {
      const MtCell key = mt_cell_integer (g_array_index (points, MtProjectPoint, i).id);

      if (!mt_project_remove (self, MT_STORE_MODEL, &key, NULL, error) ||
          !mt_project_remove (self, MT_STORE_POINT, &key, NULL, error))
        return FALSE;
    }
  if (points == NULL || !mt_project_remove (self, MT_STORE_RUN, &run_key, &found, error))
    return FALSE;
  if (!found)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the project has no run %" PRId64), id);
  return found;
}

gboolean
mt_project_remove_run (MtProject  *self,
                       gint64      id,
                       GError    **error)
{
  g_return_val_if_fail (self != NULL && id > 0, FALSE);

  if (!mt_project_begin (self, error))
    return FALSE;
  return mt_project_end (self, remove_run (self, id, error), error);
}

gboolean
mt_project_stop_interrupted (MtProject  *self,
                             guint      *n_stopped,
                             GError    **error)
{
  g_autoptr (GPtrArray) runs = NULL;
  gboolean ok = TRUE;
  guint n = 0;

  g_return_val_if_fail (self != NULL, FALSE);

  runs = list_runs (self, "WHERE state = ?1 ORDER BY id", MT_RUN_RUNNING, error);
  if (runs == NULL)
    return FALSE;
  if (runs->len > 0)
    {
      if (!mt_project_begin (self, error))
        return FALSE;
      for (n = 0; ok && n < runs->len; n++)
        {
          MtProjectRun *run = runs->pdata[n];

          ok = set_state (self, run, MT_RUN_STOPPED, "Minterm was closed before the run finished", run->seconds, error);
        }
      ok = mt_project_end (self, ok, error);
    }
  if (n_stopped != NULL)
    *n_stopped = n;
  return ok;
}
