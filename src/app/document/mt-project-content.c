/* What a project holds, for a window that opens it. See mt-project-content.h. */
#include "config.h"
#include "mt-project-content.h"

#include <glib/gi18n.h>
#include <string.h>

#include "mt-project-file.h"

void
mt_project_content_free (MtProjectContent *content)
{
  if (content == NULL)
    return;
  g_clear_object (&content->source);
  g_free (content->sha256);
  g_clear_pointer (&content->decisions, mt_decisions_unref);
  g_free (content->page);
  g_free (content->view);
  g_clear_pointer (&content->runs, g_ptr_array_unref);
  g_clear_pointer (&content->points, g_array_unref);
  g_clear_pointer (&content->columns, g_hash_table_unref);
  g_clear_pointer (&content->checks, g_ptr_array_unref);
  g_free (content->sweep);
  g_free (content->tested);
  g_free (content);
}

static char *
read_text (MtProject       *project,
           MtProjectSpace   space,
           const char      *key,
           GError         **error)
{
  return error != NULL && *error != NULL ? NULL : mt_project_dup_text (project, space, key, error);
}

/* The settings of the first run: a sweep of an earlier minterm-cli kept no others. NULL: there is none. */
static char *
dup_first_settings (MtProject  *project,
                    GError    **error)
{
  g_autoptr (GPtrArray) runs = error != NULL && *error != NULL ? NULL : mt_project_list_runs (project, error);

  return runs != NULL && runs->len > 0 ? g_strdup (((const MtProjectRun *) runs->pdata[0])->settings) : NULL;
}

/* What is not there or makes no sense is as usual. */
static gboolean
read_run (MtProject      *project,
          MtRunSettings  *run,
          MtSweepGrid      *grid,
          GError        **error)
{
  GError *problem = NULL;
  g_autofree char *model_text = read_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_MODEL, &problem);
  g_autofree char *grid_text = read_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_GRID, &problem);
  g_autofree char *run_text = model_text == NULL ? dup_first_settings (project, &problem) : NULL;
  const char *text = model_text != NULL ? model_text : run_text;
  g_autoptr (MtJson) model = text != NULL ? mt_json_parse (text, -1, NULL) : NULL;
  g_autoptr (MtJson) values = grid_text != NULL ? mt_json_parse (grid_text, -1, NULL) : NULL;
  MtRunSettings read = *run;

  if (problem != NULL)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  if (model != NULL && mt_run_settings_read (&read, model, NULL))
    *run = read;
  if (values != NULL)
    mt_sweep_grid_read (grid, values);
  return TRUE;
}

static gboolean
read_notes (MtProject    *project,
            MtDecisions  *decisions,
            GError      **error)
{
  g_auto (GStrv) keys = mt_project_list_keys (project, MT_PROJECT_NOTE, error);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *text = mt_project_dup_text (project, MT_PROJECT_NOTE, keys[i], error);

      if (text == NULL)
        return FALSE;
      mt_decisions_add_note (decisions, keys[i], text);
    }
  return keys != NULL;
}

static MtDecisions *
read_decisions (MtProject  *project,
                GError    **error)
{
  g_autoptr (MtCsvDialect) dialect = NULL;
  g_autoptr (MtSchema) schema = NULL;
  g_autoptr (GPtrArray) dismissals = NULL;
  g_autoptr (MtDecisions) usual = mt_decisions_new ();
  g_autoptr (MtDecisions) decisions = NULL;
  MtRunSettings run = usual->run;
  MtSweepGrid grid = usual->grid;
  GError *problem = NULL;

  dialect = mt_project_dup_dialect (project, &problem);
  if (problem == NULL)
    schema = mt_project_dup_schema (project, &problem);
  if (problem == NULL)
    dismissals = mt_project_list_dismissals (project, &problem);
  if (problem == NULL)
    read_run (project, &run, &grid, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, problem);
      return NULL;
    }
  decisions = mt_decisions_new_from (dialect, schema, &run, &grid);
  for (guint i = 0; dismissals != NULL && i < dismissals->len; i++)
    mt_decisions_add_dismissal (decisions, g_ptr_array_index (dismissals, i));
  if (!read_notes (project, decisions, error))
    return NULL;
  return g_steal_pointer (&decisions);
}

/* The roles that runs were made with; each kind of roles is kept once. */
static GHashTable *
read_columns (MtProject  *project,
              GError    **error)
{
  g_autoptr (GHashTable) columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) keys = mt_project_list_keys (project, MT_PROJECT_SETTING, error);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (g_str_has_prefix (keys[i], MT_PROJECT_KEY_COLUMNS))
      {
        char *text = read_text (project, MT_PROJECT_SETTING, keys[i], error);

        if (text == NULL)
          return NULL;
        g_hash_table_insert (columns, g_strdup (keys[i] + strlen (MT_PROJECT_KEY_COLUMNS)), text);
      }
  return keys != NULL ? g_steal_pointer (&columns) : NULL;
}

static GPtrArray *
read_checks (MtProject  *project,
             GError    **error)
{
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) keys = mt_project_list_keys (project, MT_PROJECT_SETTING, error);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (g_str_has_prefix (keys[i], MT_PROJECT_KEY_CHECKS))
      {
        char *text = read_text (project, MT_PROJECT_SETTING, keys[i], error);

        if (text == NULL)
          return NULL;
        g_ptr_array_add (checks, text);
      }
  return keys != NULL ? g_steal_pointer (&checks) : NULL;
}

MtProjectContent *
mt_project_content_read (MtProject  *project,
                         GError    **error)
{
  g_autoptr (MtProjectContent) content = g_new0 (MtProjectContent, 1);
  g_autoptr (MtProjectSource) source = NULL;
  GError *problem = NULL;

  source = mt_project_dup_source (project, &problem);
  if (source == NULL && problem == NULL)
    g_set_error_literal (&problem, MT_ERROR, MT_ERROR_PARSE,
                         _("This project has no data yet: open a table and save it as a project"));
  if (problem == NULL && !mt_project_is_read_only (project))
    mt_project_stop_interrupted (project, NULL, &problem);
  if (problem == NULL)
    content->decisions = read_decisions (project, &problem);
  content->page = read_text (project, MT_PROJECT_STATE, MT_PROJECT_KEY_PAGE, &problem);
  content->view = read_text (project, MT_PROJECT_STATE, MT_PROJECT_KEY_VIEW, &problem);
  if (problem == NULL)
    content->runs = mt_project_list_runs (project, &problem);
  if (problem == NULL)
    content->points = mt_project_list_points (project, 0, &problem);
  if (problem == NULL)
    content->columns = read_columns (project, &problem);
  if (problem == NULL)
    content->checks = read_checks (project, &problem);
  if (problem == NULL)
    content->sweep = read_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_SWEEP, &problem);
  if (problem == NULL)
    content->tested = read_text (project, MT_PROJECT_SETTING, MT_PROJECT_KEY_TESTED, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, problem);
      return NULL;
    }
  content->source = g_file_new_for_commandline_arg (source->uri);
  content->sha256 = g_strdup (source->sha256);
  return g_steal_pointer (&content);
}
