#include "config.h"
#include "project-sample.h"

#include <math.h>
#include <string.h>

#include "base/mt-random.h"

void
sample_fill (MtProject *project,
             guint      generation,
             guint      n_runs,
             guint      n_points)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *tag = g_strdup_printf ("generation %u", generation);
  MtProjectSource source = { (char *) "file:///data/heart%20disease.csv", 35921, 1700000000123456, NULL };
  MtProjectEdit edit = { 0, (char *) "dropped rule 3", tag, 17, 14, 0.923, NAN, (char *) "Ann Example", 1700000123 };
  g_autoptr (MtProjectDismissal) constant = mt_project_dismissal_new ("constant-column", "site", tag, "Ann Example", 1700000000);
  g_autoptr (MtProjectDismissal) few = mt_project_dismissal_new ("few-rows", NULL, "a pilot", NULL, 0);
  g_autofree char *sha256 = g_compute_checksum_for_string (G_CHECKSUM_SHA256, tag, -1);
  g_autoptr (GPtrArray) old = NULL;
  MtRandom random;

  mt_random_init (&random, 7);
  source.sha256 = sha256;
  g_assert_true (mt_project_begin (project, &error));
  old = mt_project_list_runs (project, &error);
  for (guint i = 0; i < old->len; i++)
    mt_project_remove_run (project, ((MtProjectRun *) old->pdata[i])->id, &error);
  mt_project_set_source (project, &source, &error);
  mt_project_set_text (project, MT_PROJECT_SETTING, "model", "{\"bits\": 9}", &error);
  mt_project_set_text (project, MT_PROJECT_NOTE, "purpose", "Früherkennung – für die Klinik", &error);
  mt_project_set_text (project, MT_PROJECT_STATE, "page", tag, &error);
  mt_project_set_text (project, MT_PROJECT_STATE, "empty", "", &error);
  mt_project_set_dismissal (project, constant, &error);
  mt_project_set_dismissal (project, few, &error);
  for (guint run = 0; run < n_runs; run++)
    {
      gint64 id = mt_project_add_run (project, tag, "{\"bits\": 9, \"temperature\": 0.01}",
                                      G_MAXUINT64 - run, &error);
      g_autofree MtProjectPoint *points = g_new0 (MtProjectPoint, n_points);
      g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

      for (guint i = 0; i < n_points; i++)
        {
          g_autoptr (GString) json = g_string_new ("{\"rules\": [");

          for (guint word = 0; word < 40; word++)
            g_string_append_printf (json, "%" G_GUINT64_FORMAT ", ", mt_random_next (&random));
          g_string_append (json, "0]}");
          g_ptr_array_add (models, g_bytes_new (json->str, json->len));
          points[i].literals = i + 1;
          points[i].n_rules = i / 2;
          points[i].cv_mean = i == 0 ? NAN : mt_random_double (&random);
          points[i].cv_se = mt_random_double (&random) / 100;
          points[i].marks = i == 1 ? MT_MARK_RECOMMENDED : i == 2 ? MT_MARK_EDITED | MT_MARK_PINNED_A : 0;
        }
      mt_project_add_points (project, id, points, (GBytes * const *) models->pdata, n_points, &error);
      mt_project_set_run_state (project, id, run % 2 == 0 ? MT_RUN_DONE : MT_RUN_FAILED,
                                run % 2 == 0 ? NULL : "the loss was not finite", 1.25 * run, &error);
      g_assert_no_error (error);
    }
  if (generation == 0)
    mt_project_add_edit (project, &edit, &error);
  g_assert_no_error (error);
  g_assert_true (mt_project_commit (project, &error));
  g_assert_no_error (error);
}

static void
add_real (GString *out,
          double   value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  g_string_append_printf (out, " %016" G_GINT64_MODIFIER "x", isnan (value) ? 0x7ff8000000000000 : bits);
}

static void
dump_texts (MtProject      *project,
            MtProjectSpace  space,
            GString        *out)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) keys = mt_project_list_keys (project, space, &error);

  g_assert_no_error (error);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *text = mt_project_dup_text (project, space, keys[i], &error);

      g_assert_no_error (error);
      g_string_append_printf (out, "text %d %s: %s\n", space, keys[i], text);
    }
}

char *
sample_dump (MtProject *project)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProjectSource) source = mt_project_dup_source (project, &error);
  g_autoptr (GPtrArray) dismissals = mt_project_list_dismissals (project, &error);
  g_autoptr (GPtrArray) runs = mt_project_list_runs (project, &error);
  g_autoptr (GArray) points = mt_project_list_points (project, 0, &error);
  g_autoptr (GPtrArray) edits = mt_project_list_edits (project, &error);
  GString *out = g_string_new (NULL);

  g_assert_no_error (error);
  if (source != NULL)
    g_string_append_printf (out, "source %s %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %s\n", source->uri,
                            source->size, source->modified, source->sha256);
  dump_texts (project, MT_PROJECT_SETTING, out);
  dump_texts (project, MT_PROJECT_NOTE, out);
  dump_texts (project, MT_PROJECT_STATE, out);
  for (guint i = 0; i < dismissals->len; i++)
    {
      MtProjectDismissal *d = dismissals->pdata[i];

      g_string_append_printf (out, "dismissal %s/%s: %s by '%s' %" G_GINT64_FORMAT "\n", d->code, d->column, d->reason,
                              d->by, d->made);
    }
  for (guint i = 0; i < runs->len; i++)
    {
      MtProjectRun *run = runs->pdata[i];

      g_string_append_printf (out, "run %" G_GINT64_FORMAT " %s %s %" G_GUINT64_FORMAT " %s '%s' %" G_GINT64_FORMAT,
                              run->id, run->name, run->settings, run->seed, mt_run_state_to_string (run->state),
                              run->message, run->started);
      add_real (out, run->seconds);
      g_string_append_c (out, '\n');
    }
  for (guint i = 0; i < points->len; i++)
    {
      MtProjectPoint *point = &g_array_index (points, MtProjectPoint, i);
      g_autoptr (GBytes) model = mt_project_dup_model (project, point->id, &error);
      g_autofree char *hash = NULL;

      g_assert_no_error (error);
      hash = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, model);
      g_string_append_printf (out, "point %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %u %u %d %s", point->id,
                              point->run, point->literals, point->n_rules, point->marks, hash);
      add_real (out, point->cv_mean);
      add_real (out, point->cv_se);
      g_string_append_c (out, '\n');
    }
  for (guint i = 0; i < edits->len; i++)
    {
      MtProjectEdit *edit = edits->pdata[i];

      g_string_append_printf (out, "edit %" G_GINT64_FORMAT " %s %s %u %u", edit->id, edit->what, edit->reason,
                              edit->literals_before, edit->literals_after);
      add_real (out, edit->metric_before);
      add_real (out, edit->metric_after);
      g_string_append_printf (out, " by '%s' %" G_GINT64_FORMAT "\n", edit->by, edit->made);
    }
  return g_string_free (out, FALSE);
}
