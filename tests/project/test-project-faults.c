/* Every call of the file system fails in turn, in every operation of a file and a project:
 * the operation either tells so and leaves everything as it was, or is done. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "faulty-calls.h"
#include "base/mt-error.h"
#include "base/mt-file.h"
#include "project-sample.h"
#include "testutils.h"

static const int codes[] = { ENOSPC, EIO, EACCES, EINTR };

static void
assert_told (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == G_IO_ERROR || error->domain == MT_ERROR);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (strlen (error->message), >, 20);
}

/* --- a file --- */

static void
fail_writes (MtFileFlags flags)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  guint n_refused = 0;

  for (guint c = 0; c < G_N_ELEMENTS (codes); c++)
    {
      gboolean hit = TRUE;

      for (guint n = 1; hit; n++)
        {
          g_autoptr (GError) error = NULL;
          g_autofree char *text = NULL;
          gboolean ok;

          if ((flags & MT_FILE_NEW) == 0)
            g_assert_true (g_file_set_contents (path, "old", -1, NULL));
          faulty_calls_arm (n, codes[c]);
          ok = mt_file_write (path, "the new text", 12, flags, &error);
          hit = faulty_calls_disarm ();
          g_file_get_contents (path, &text, NULL, NULL);
          if (!ok)
            {
              g_assert_true (hit);
              assert_told (error);
              n_refused++;
              g_assert_cmpstr (text, ==, flags & MT_FILE_NEW ? NULL : "old");
              if (codes[c] == ENOSPC)
                {
                  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
                  g_assert_nonnull (strstr (error->message, "file size limit"));
                }
              g_clear_error (&error);
              g_assert_true (mt_file_write (path, "the new text", 12, flags, &error));
            }
          else
            g_assert_cmpstr (text, ==, "the new text");
          /* An interrupted call is made again. */
          if (codes[c] == EINTR)
            g_assert_true (ok);
          g_assert_cmpuint (mt_test_empty_folder (folder), ==, 1);
        }
    }
  g_test_message ("%u writes refused", n_refused);
  g_assert_cmpuint (n_refused, >, 10);
  g_rmdir (folder);
}

static void
test_replace (void)
{
  fail_writes (MT_FILE_REPLACE);
}

static void
test_new (void)
{
  fail_writes (MT_FILE_NEW | MT_FILE_PRIVATE);
}

/* --- a project --- */

typedef gboolean (*Operation) (MtProject *project, const char *folder, GError **error);

static gboolean
set_source (MtProject *project, const char *folder, GError **error)
{
  g_autofree char *sha256 = g_strnfill (64, 'a');
  MtProjectSource source = { (char *) "file:///other.csv", 1, 2, sha256 };

  return mt_project_set_source (project, &source, error);
}

static gboolean
set_texts (MtProject *project, const char *folder, GError **error)
{
  return mt_project_set_text (project, MT_PROJECT_NOTE, "purpose", "new", error);
}

static gboolean
remove_text (MtProject *project, const char *folder, GError **error)
{
  return mt_project_set_text (project, MT_PROJECT_NOTE, "purpose", NULL, error);
}

static gboolean
dismiss (MtProject *project, const char *folder, GError **error)
{
  g_autoptr (MtProjectDismissal) dismissal = mt_project_dismissal_new ("leak", "id", "known", "Ann Example", 1700000000);

  return mt_project_set_dismissal (project, dismissal, error);
}

static gboolean
add_run (MtProject *project, const char *folder, GError **error)
{
  return mt_project_add_run (project, "another", "{}", 5, error) != 0;
}

static gboolean
start_run (MtProject *project, const char *folder, GError **error)
{
  return mt_project_set_run_state (project, 1, MT_RUN_RUNNING, NULL, 0, error);
}

static gboolean
stop_interrupted (MtProject *project, const char *folder, GError **error)
{
  return start_run (project, folder, error) && mt_project_stop_interrupted (project, NULL, error);
}

static gboolean
remove_run (MtProject *project, const char *folder, GError **error)
{
  return mt_project_remove_run (project, 1, error);
}

static gboolean
add_points (MtProject *project, const char *folder, GError **error)
{
  g_autoptr (GBytes) model = g_bytes_new_static ("{\"a\": 1}", 8);
  GBytes *models[] = { model, model };
  MtProjectPoint points[2] = { { .literals = 3, .cv_mean = 0.5, .cv_se = NAN, .marks = MT_MARK_RECOMMENDED },
                               { .literals = 4, .cv_mean = 0.6, .cv_se = NAN, .marks = MT_MARK_SELECTED } };

  return mt_project_add_points (project, 1, points, models, 2, error);
}

static gboolean
set_marks (MtProject *project, const char *folder, GError **error)
{
  return mt_project_set_marks (project, 1, MT_MARK_RECOMMENDED | MT_MARK_EDITED, error);
}

static gboolean
add_edit (MtProject *project, const char *folder, GError **error)
{
  MtProjectEdit edit = { 0, (char *) "rounded", (char *) "reads better", 5, 5, 0.5, 0.5, (char *) "Ann Example", 1700000000 };

  return mt_project_add_edit (project, &edit, error) != 0;
}

static gboolean
two_as_one (MtProject *project, const char *folder, GError **error)
{
  gboolean ok;

  if (!mt_project_begin (project, error))
    return FALSE;
  ok = set_texts (project, folder, error) && add_run (project, folder, error);
  if (ok)
    return mt_project_commit (project, error);
  mt_project_rollback (project);
  return FALSE;
}

/* Reading everything: sample_dump() asserts, so each call by itself. */
static gboolean
read_all (MtProject *project, const char *folder, GError **error)
{
  g_autoptr (MtProjectSource) source = mt_project_dup_source (project, error);
  g_auto (GStrv) keys = source != NULL ? mt_project_list_keys (project, MT_PROJECT_NOTE, error) : NULL;
  g_autofree char *text = keys != NULL ? mt_project_dup_text (project, MT_PROJECT_NOTE, "purpose", error) : NULL;
  g_autoptr (GPtrArray) dismissals = text != NULL ? mt_project_list_dismissals (project, error) : NULL;
  g_autoptr (GPtrArray) runs = dismissals != NULL ? mt_project_list_runs (project, error) : NULL;
  g_autoptr (GArray) points = runs != NULL ? mt_project_list_points (project, 0, error) : NULL;
  g_autoptr (GPtrArray) edits = points != NULL ? mt_project_list_edits (project, error) : NULL;
  g_autoptr (GBytes) model = edits != NULL ? mt_project_dup_model (project, 2, error) : NULL;

  return model != NULL;
}

static gboolean
save_as (MtProject *project, const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "copy.minterm", NULL);

  return mt_project_save_as (project, path, TRUE, error);
}

/* A new project without a name gets one. */
static gboolean
name_unsaved (MtProject *project, const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "named.minterm", NULL);
  g_autoptr (GPtrArray) left = NULL;
  MtProject *unsaved = mt_project_create_unsaved (error);
  gboolean ok = unsaved != NULL && set_source (unsaved, folder, error) &&
                mt_project_save_as (unsaved, path, TRUE, error);

  if (unsaved != NULL)
    mt_project_discard (unsaved);
  left = mt_project_list_recoverable ();
  for (guint i = 0; i < left->len; i++)
    g_assert_cmpint (g_remove (left->pdata[i]), ==, 0);
  return ok;
}

static const struct { const char *name; Operation run; gboolean changes; gboolean is_old; } operations[] = {
  { "source", set_source, TRUE },
  { "text", set_texts, TRUE },
  { "remove-text", remove_text, TRUE },
  { "dismissal", dismiss, TRUE },
  { "upgrade", dismiss, TRUE, TRUE },
  { "add-run", add_run, TRUE },
  { "run-state", start_run, TRUE },
  { "interrupted", stop_interrupted, FALSE },
  { "remove-run", remove_run, TRUE },
  { "points", add_points, TRUE },
  { "marks", set_marks, TRUE },
  { "edit", add_edit, TRUE },
  { "two-as-one", two_as_one, TRUE },
  { "read", read_all, FALSE },
  { "save-as", save_as, FALSE },
  { "unsaved", name_unsaved, FALSE },
};

/* A failing operation leaves the project as it was and works when tried again. */
static void
test_operation (gconstpointer data)
{
  guint which = GPOINTER_TO_UINT (data);
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.minterm", NULL);
  g_autofree char *bytes = NULL;
  g_autofree char *before = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *old = g_test_build_filename (G_TEST_DIST, "projects", "version-1.minterm", NULL);
  MtProject *project;
  guint n_failed = 0;

  if (operations[which].is_old)
    {
      g_assert_true (g_file_get_contents (old, &bytes, &length, NULL));
      g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
      g_clear_pointer (&bytes, g_free);
      project = mt_project_open (path, MT_PROJECT_READ_ONLY, NULL, &error);
      g_assert_no_error (error);
    }
  else
    {
      project = mt_project_create (path, &error);
      sample_fill (project, 0, 2, 4);
    }
  before = sample_dump (project);
  mt_project_free (project);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  mt_test_empty_folder (folder);
  for (guint c = 0; c < G_N_ELEMENTS (codes); c++)
    {
      gboolean hit = TRUE;

      for (guint n = 1; hit; n++)
        {
          g_autofree char *kept = NULL;
          g_autofree char *after = NULL;
          gboolean ok;

          g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
          project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);
          g_assert_no_error (error);
          faulty_calls_arm (n, codes[c]);
          ok = operations[which].run (project, folder, &error);
          hit = faulty_calls_disarm ();
          if (!ok)
            {
              g_assert_true (hit);
              assert_told (error);
              g_clear_error (&error);
              n_failed++;
              if (operations[which].run != stop_interrupted)
                {
                  kept = sample_dump (project);
                  g_assert_cmpstr (kept, ==, before);
                }
              if (!operations[which].run (project, folder, &error))
                g_error ("%s, call %u, %s: again: %s", operations[which].name, n, g_strerror (codes[c]),
                         error->message);
            }
          g_assert_no_error (error);
          after = sample_dump (project);
          if (operations[which].changes)
            g_assert_cmpstr (after, !=, before);
          mt_project_free (project);
          mt_test_empty_folder (folder);
        }
    }
  g_test_message ("%u failures told and overcome", n_failed);
  g_rmdir (folder);
}

/* Opening and creating have nothing to lose but the file. */
static void
test_open (void)
{
  g_autofree char *folder = mt_test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.minterm", NULL);
  g_autofree char *before = NULL;
  g_autoptr (GError) error = NULL;
  MtProject *project;
  guint n_failed = 0;

  for (guint c = 0; c < G_N_ELEMENTS (codes); c++)
    {
      gboolean hit = TRUE;

      for (guint n = 1; hit; n++)
        {
          faulty_calls_arm (n, codes[c]);
          project = mt_project_create (path, &error);
          hit = faulty_calls_disarm ();
          if (project == NULL)
            {
              assert_told (error);
              g_clear_error (&error);
              n_failed++;
              /* Made but not opened, or not made. */
              project = g_file_test (path, G_FILE_TEST_EXISTS) ? mt_project_open (path, 0, NULL, &error)
                                                               : mt_project_create (path, &error);
            }
          g_assert_no_error (error);
          mt_project_free (project);
          g_assert_cmpuint (mt_test_empty_folder (folder), ==, 1);
        }
    }
  project = mt_project_create (path, &error);
  sample_fill (project, 0, 1, 3);
  before = sample_dump (project);
  mt_project_free (project);
  for (guint c = 0; c < G_N_ELEMENTS (codes); c++)
    {
      gboolean hit = TRUE;

      for (guint n = 1; hit; n++)
        {
          g_autofree char *dump = NULL;

          faulty_calls_arm (n, codes[c]);
          project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);
          hit = faulty_calls_disarm ();
          if (project == NULL)
            {
              assert_told (error);
              g_clear_error (&error);
              n_failed++;
              project = mt_project_open (path, MT_PROJECT_DEFAULT, NULL, &error);
            }
          g_assert_no_error (error);
          dump = sample_dump (project);
          g_assert_cmpstr (dump, ==, before);
          mt_project_free (project);
        }
    }
  g_test_message ("%u failures told and overcome", n_failed);
  g_assert_cmpuint (n_failed, >, 10);
  g_assert_cmpuint (mt_test_empty_folder (folder), ==, 1);
  g_rmdir (folder);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *state = NULL;
  g_autofree char *minterm = NULL;
  g_autofree char *recovery = NULL;
  int result;

  if (g_access ("/dev/shm", W_OK) == 0)
    g_setenv ("TMPDIR", "/dev/shm", FALSE);
  state = g_dir_make_tmp ("minterm-state-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/project-faults/replace-file", test_replace);
  g_test_add_func ("/project-faults/new-file", test_new);
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      g_autofree char *name = g_strdup_printf ("/project-faults/%s", operations[i].name);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_operation);
    }
  g_test_add_func ("/project-faults/open", test_open);
  result = g_test_run ();
  minterm = g_build_filename (state, "minterm", NULL);
  recovery = g_build_filename (minterm, "recovery", NULL);
  g_rmdir (recovery);
  g_rmdir (minterm);
  g_rmdir (state);
  return result;
}
