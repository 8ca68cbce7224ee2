/* A session without a window and without a display: what is open, kept, saved, brought back and left, state by state
 * (mt-session.h has the table). */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "mt-core.h"
#include "faulty-calls.h"
#include "session/mt-session.h"
#include "study/mt-selected-model-file.h"

#define PATIENCE 40   /* seconds */
#define NOBODY 65534

typedef struct {
  char       *folder;
  MtDocument *document;
  MtStudy    *study;
  MtSession  *session;
  GString    *heard;        /* signals in the order in which they came */
  int         refusal;      /* the last one; -1: none */
  int         where;        /* gone to; -1: nowhere */
  int         source;       /* what was said of the data file last */
} Fixture;

/* --- what it says --- */

static void
hear (Fixture *fixture)
{
  GSignalInvocationHint *hint = g_signal_get_invocation_hint (fixture->session);

  g_string_append_printf (fixture->heard, "%s ", g_signal_name (hint->signal_id));
}

static void
on_refused (Fixture      *fixture,
            guint         refusal,
            GFile        *file,
            const GError *error)
{
  g_assert_nonnull (error);
  fixture->refusal = (int) refusal;
}

static void
on_left (Fixture *fixture,
         guint    where,
         GFile   *file)
{
  fixture->where = (int) where;
}

static void
on_source (Fixture *fixture,
           guint    source)
{
  fixture->source = (int) source;
}

/* While study and view come back nothing is written to the project. */
static void
on_restored (Fixture                *fixture,
             const MtProjectContent *content)
{
  g_assert_nonnull (content);
  g_assert_cmpint (mt_session_get_content (fixture->session), ==, MT_SESSION_RESTORING);
  g_assert_false (mt_session_can_keep (fixture->session));
}

static void
begin_session (Fixture *fixture)
{
  static const char * const told[] = { "opening", "began", "forgetting", "replaced", "restoring", "restored", "read",
                                       "model-opened", "model-closed", "refused", "not-written", "named", "left" };

  fixture->document = mt_document_new ();
  fixture->study = mt_study_new ();
  fixture->session = mt_session_new (fixture->document, fixture->study);
  fixture->refusal = fixture->where = fixture->source = -1;
  g_string_truncate (fixture->heard, 0);
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    g_signal_connect_swapped (fixture->session, told[i], G_CALLBACK (hear), fixture);
  g_signal_connect_swapped (fixture->session, "refused", G_CALLBACK (on_refused), fixture);
  g_signal_connect_swapped (fixture->session, "left", G_CALLBACK (on_left), fixture);
  g_signal_connect_swapped (fixture->session, "source", G_CALLBACK (on_source), fixture);
  g_signal_connect_swapped (fixture->session, "restored", G_CALLBACK (on_restored), fixture);
}

/* --- waiting --- */

typedef gboolean (*Condition) (Fixture *fixture);

static gboolean
raise_flag (gpointer flag)
{
  *(gboolean *) flag = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_until (Fixture   *fixture,
            Condition  condition)
{
  gboolean late = FALSE;
  guint alarm = g_timeout_add_seconds (PATIENCE, raise_flag, &late);

  while (!condition (fixture) && !late)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (late);
  g_source_remove (alarm);
}

static gboolean
is_finalized (Fixture *fixture)
{
  return fixture->session == NULL;
}

/* What is still at work for it comes back first. */
static void
end_session (Fixture *fixture)
{
  mt_session_end (fixture->session);
  g_assert_true (mt_session_is_ended (fixture->session));
  g_object_add_weak_pointer (G_OBJECT (fixture->session), (gpointer *) &fixture->session);
  g_object_unref (fixture->session);
  wait_until (fixture, is_finalized);
  g_object_unref (fixture->document);
  g_object_unref (fixture->study);
}

static gboolean
is_read (Fixture *fixture)
{
  return !mt_session_is_reading (fixture->session);
}

static gboolean
is_open (Fixture *fixture)
{
  return mt_session_get_content (fixture->session) == MT_SESSION_OPEN && is_read (fixture);
}

static gboolean
is_unread (Fixture *fixture)
{
  return mt_session_get_content (fixture->session) == MT_SESSION_UNREAD && is_read (fixture);
}

static gboolean
is_model (Fixture *fixture)
{
  return mt_session_get_content (fixture->session) == MT_SESSION_MODEL;
}

static gboolean
is_written (Fixture *fixture)
{
  return !mt_session_is_writing (fixture->session);
}

static gboolean
is_overcome (Fixture *fixture)
{
  return mt_session_get_failure (fixture->session) == NULL && is_written (fixture);
}

static gboolean
is_refused (Fixture *fixture)
{
  return fixture->refusal >= 0;
}

static gboolean
is_gone (Fixture *fixture)
{
  return fixture->where >= 0;
}

static gboolean
is_trained (Fixture *fixture)
{
  return !mt_study_is_running (fixture->study);
}

static gboolean
has_recoverable (Fixture *fixture)
{
  return mt_session_get_recoverable (fixture->session) != NULL;
}

static gboolean
has_source (Fixture *fixture)
{
  return fixture->source == MT_SESSION_SOURCE_OTHER;
}

/* --- files --- */

static GFile *
name_file (Fixture    *fixture,
           const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  return g_file_new_for_path (path);
}

static GFile *
write_table (Fixture    *fixture,
             const char *name)
{
  g_autoptr (GString) text = g_string_new ("a,b,kind,y\n");
  g_autoptr (GError) error = NULL;
  GFile *file = name_file (fixture, name);

  for (guint i = 0; i < 160; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89, kind = i % 3;

      g_string_append_printf (text, "%u,%u,k%u,%s\n", a, b, kind, (a > 50 && kind == 1) || b > 70 ? "yes" : "no");
    }
  g_file_set_contents (g_file_peek_path (file), text->str, -1, &error);
  g_assert_no_error (error);
  return file;
}

static GFile *
open_table (Fixture    *fixture,
            const char *name)
{
  GFile *file = write_table (fixture, name);

  mt_session_open (fixture->session, file);
  wait_until (fixture, is_open);
  return file;
}

static void
decide (Fixture *fixture)
{
  mt_document_set_role (fixture->document, 3, MT_ROLE_TARGET);
  mt_document_set_role (fixture->document, 1, MT_ROLE_IGNORED);
}

static void
save_as (Fixture *fixture,
         GFile   *project)
{
  mt_session_save_as (fixture->session, project, FALSE);
  g_assert_cmpint (mt_session_get_saving (fixture->session), ==, MT_SESSION_SAVING_AS);
  wait_until (fixture, is_written);
  g_assert_cmpint (mt_session_get_saving (fixture->session), ==, MT_SESSION_IDLE);
  g_assert_cmpint (mt_session_get_place (fixture->session), ==, MT_SESSION_NAMED);
}

static gboolean
heard (Fixture    *fixture,
       const char *signals)
{
  gboolean same = g_str_equal (fixture->heard->str, signals);

  if (!same)
    g_test_message ("heard “%s”, not “%s”", fixture->heard->str, signals);
  g_string_truncate (fixture->heard, 0);
  return same;
}

/* For everyone: who may write everything is somebody else meanwhile. */
static void
set_read_only (Fixture  *fixture,
               GFile    *file,
               gboolean  read_only)
{
  if (!read_only && getuid () == 0)
    g_assert_cmpint (seteuid (0), ==, 0);
  g_assert_cmpint (g_chmod (g_file_peek_path (file), read_only ? 0444 : 0644), ==, 0);
  g_assert_cmpint (g_chmod (fixture->folder, read_only ? 0555 : 0700), ==, 0);
  if (read_only && getuid () == 0)
    g_assert_cmpint (seteuid (NOBODY), ==, 0);
}

/* --- cases --- */

static void
test_open (Fixture       *fixture,
           gconstpointer  data)
{
  MtSession *session = fixture->session;
  g_autoptr (GFile) file = write_table (fixture, "open.csv");
  g_autoptr (GFile) missing = name_file (fixture, "missing.csv");

  g_assert_cmpint (mt_session_get_content (session), ==, MT_SESSION_EMPTY);
  g_assert_true (mt_session_is_empty (session));
  mt_session_open (session, file);
  g_assert_true (mt_session_is_reading (session));
  wait_until (fixture, is_open);
  g_assert_true (heard (fixture, "opening forgetting replaced read "));
  g_assert_cmpint (mt_session_get_arrival (session), ==, MT_SESSION_NONE);
  g_assert_cmpint (mt_session_get_place (session), ==, MT_SESSION_NOWHERE);
  g_assert_false (mt_session_has_unsaved (session));

  /* What cannot be read replaces nothing. */
  mt_session_open (session, missing);
  g_assert_cmpint (mt_session_get_arrival (session), ==, MT_SESSION_READING);
  wait_until (fixture, is_read);
  g_assert_true (heard (fixture, "opening "));
  g_assert_nonnull (mt_document_get_error (fixture->document));
  g_assert_cmpint (mt_session_get_arrival (session), ==, MT_SESSION_READING);
  g_assert_cmpint (mt_session_get_content (session), ==, MT_SESSION_OPEN);

  mt_session_close (session);
  g_assert_cmpint (mt_session_get_content (session), ==, MT_SESSION_EMPTY);
  g_assert_cmpint (mt_session_get_arrival (session), ==, MT_SESSION_NONE);
  g_assert_true (mt_session_is_empty (session));
}

static void
test_save (Fixture       *fixture,
           gconstpointer  data)
{
  MtSession *session = fixture->session;
  g_autoptr (GFile) file = open_table (fixture, "save.csv");
  g_autoptr (GFile) project = name_file (fixture, "save.minterm");
  g_autoptr (GFile) other = name_file (fixture, "save-2.minterm");

  g_string_truncate (fixture->heard, 0);
  decide (fixture);
  g_assert_true (heard (fixture, "began "));
  g_assert_cmpint (mt_session_get_place (session), ==, MT_SESSION_UNNAMED);
  g_assert_true (mt_session_has_unsaved (session));
  g_assert_cmpint (mt_session_get_loss (session), ==, MT_SESSION_LOSES_CHANGES);
  save_as (fixture, project);
  g_assert_true (heard (fixture, "named "));
  g_assert_true (g_file_equal (mt_session_get_project (session), project));
  g_assert_false (mt_session_has_unsaved (session));
  g_assert_cmpint (mt_session_get_loss (session), ==, MT_SESSION_LOSES_NOTHING);

  /* From now on everything is saved as it happens, also under another name. */
  mt_document_set_role (fixture->document, 0, MT_ROLE_IGNORED);
  wait_until (fixture, is_written);
  save_as (fixture, other);
  g_assert_true (heard (fixture, "named "));

  /* A project cannot be saved over the data. */
  mt_session_save_as (session, file, FALSE);
  g_assert_cmpint (fixture->refusal, ==, MT_SESSION_REFUSED_PLACE);
  g_assert_cmpint (mt_session_get_saving (session), ==, MT_SESSION_IDLE);
  g_assert_true (g_file_equal (mt_session_get_project (session), other));
  end_session (fixture);

  begin_session (fixture);
  mt_session_open (fixture->session, other);
  g_assert_false (mt_session_is_reading (fixture->session));   /* the project is opened first */
  wait_until (fixture, is_open);
  g_assert_true (heard (fixture, "opening forgetting replaced restoring restored read "));
  g_assert_cmpint (mt_table_get_role (mt_document_get_table (fixture->document), 0), ==, MT_ROLE_IGNORED);
  g_assert_cmpint (mt_session_get_place (fixture->session), ==, MT_SESSION_NAMED);
}

/* The data of a project are elsewhere: it waits, and nothing is written to it; where they are found they are read. */
static void
test_unread (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (GFile) file = open_table (fixture, "unread.csv");
  g_autoptr (GFile) moved = name_file (fixture, "moved.csv");
  g_autoptr (GFile) project = name_file (fixture, "unread.minterm");

  decide (fixture);
  save_as (fixture, project);
  end_session (fixture);
  g_assert_true (g_file_move (file, moved, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL));

  begin_session (fixture);
  mt_session_open (fixture->session, project);
  wait_until (fixture, is_unread);
  g_assert_nonnull (mt_document_get_error (fixture->document));
  g_assert_false (mt_session_can_keep (fixture->session));
  mt_document_locate (fixture->document, moved);
  wait_until (fixture, is_open);
  g_assert_true (mt_session_can_keep (fixture->session));
  end_session (fixture);

  /* There it is looked for from now on; that it holds other rows is told. */
  g_assert_true (g_file_set_contents (g_file_peek_path (moved), "a,b,kind,y\n1,2,k,yes\n2,3,k,no\n3,4,l,yes\n", -1, NULL));
  begin_session (fixture);
  mt_session_open (fixture->session, project);
  wait_until (fixture, is_open);
  wait_until (fixture, has_source);
  g_assert_true (g_file_equal (mt_document_get_file (fixture->document), moved));
}

/* What is open stays until a project that was asked for is read; one that is none is refused. */
static void
test_refusals (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (GFile) file = open_table (fixture, "refusals.csv");
  g_autoptr (GFile) project = name_file (fixture, "refusals.minterm");
  g_autoptr (GFile) copy = name_file (fixture, "copy.minterm");
  g_autoptr (GFile) none = name_file (fixture, "none.minterm");
  g_autoptr (GFile) model = name_file (fixture, "none.json");
  Fixture other = { .folder = fixture->folder, .heard = g_string_new (NULL) };

  decide (fixture);
  save_as (fixture, project);
  g_assert_true (g_file_set_contents (g_file_peek_path (none), "no project", -1, NULL));
  g_assert_true (g_file_set_contents (g_file_peek_path (model), "{}", -1, NULL));
  mt_session_open (fixture->session, none);
  wait_until (fixture, is_refused);
  g_assert_cmpint (fixture->refusal, ==, MT_SESSION_REFUSED_PROJECT);
  fixture->refusal = -1;
  mt_session_open (fixture->session, model);
  wait_until (fixture, is_refused);
  g_assert_cmpint (fixture->refusal, ==, MT_SESSION_REFUSED_MODEL);
  g_assert_true (g_file_equal (mt_session_get_project (fixture->session), project));
  g_assert_cmpint (mt_session_get_content (fixture->session), ==, MT_SESSION_OPEN);

  /* Open here, it cannot be open there. */
  begin_session (&other);
  mt_session_open (other.session, project);
  wait_until (&other, is_refused);
  g_assert_cmpint (other.refusal, ==, MT_SESSION_REFUSED_LOCKED);
  g_assert_cmpint (mt_session_get_content (other.session), ==, MT_SESSION_EMPTY);

  /* Read-only, it can be copied, and the copy is open. */
  end_session (fixture);
  other.refusal = -1;
  set_read_only (&other, project, TRUE);
  mt_session_open (other.session, project);
  wait_until (&other, is_refused);
  set_read_only (&other, project, FALSE);
  g_assert_cmpint (other.refusal, ==, MT_SESSION_REFUSED_READ_ONLY);
  g_assert_true (g_file_equal (mt_session_get_original (other.session), project));
  mt_session_copy (other.session, copy);
  wait_until (&other, is_open);
  g_assert_null (mt_session_get_original (other.session));
  g_assert_true (g_file_equal (mt_session_get_project (other.session), copy));
  end_session (&other);
  g_string_free (other.heard, TRUE);
  begin_session (fixture);
}

/* Work without a name outlives the session that was ended, and asks to be saved for as long as it has none. */
static void
test_recover (Fixture       *fixture,
              gconstpointer  data)
{
  g_autoptr (GFile) file = open_table (fixture, "recover.csv");
  g_autoptr (GFile) work = NULL;

  decide (fixture);
  g_assert_cmpint (mt_session_get_place (fixture->session), ==, MT_SESSION_UNNAMED);
  end_session (fixture);

  begin_session (fixture);
  mt_session_find_recoverable (fixture->session);
  wait_until (fixture, has_recoverable);
  g_assert_cmpstr (mt_session_get_recoverable (fixture->session)->name, ==, "recover.csv");
  work = g_object_ref (mt_session_get_recoverable (fixture->session)->file);
  g_assert_true (mt_session_leave (fixture->session, MT_SESSION_TO_FILE, work));
  wait_until (fixture, is_open);
  g_assert_null (mt_session_get_recoverable (fixture->session));
  g_assert_cmpint (mt_session_get_place (fixture->session), ==, MT_SESSION_RECOVERED);
  g_assert_cmpint (mt_table_get_role (mt_document_get_table (fixture->document), 1), ==, MT_ROLE_IGNORED);
  g_assert_true (mt_session_has_unsaved (fixture->session));   /* though nothing was decided since */

  /* Thrown away, it does not come back. */
  g_assert_false (mt_session_leave (fixture->session, MT_SESSION_TO_NOTHING, NULL));
  g_assert_false (mt_session_discard (fixture->session, MT_SESSION_TO_NOTHING, NULL));
  g_assert_cmpint (fixture->where, ==, MT_SESSION_TO_NOTHING);
  g_assert_cmpint (mt_session_get_content (fixture->session), ==, MT_SESSION_EMPTY);
  end_session (fixture);
  g_assert_false (g_file_query_exists (work, NULL));
  begin_session (fixture);
}

static void
test_discard_recoverable (Fixture       *fixture,
                          gconstpointer  data)
{
  g_autoptr (GFile) file = open_table (fixture, "discard.csv");
  g_autoptr (GFile) work = NULL;

  decide (fixture);
  end_session (fixture);
  begin_session (fixture);
  mt_session_find_recoverable (fixture->session);
  wait_until (fixture, has_recoverable);
  work = g_object_ref (mt_session_get_recoverable (fixture->session)->file);
  mt_session_discard_recoverable (fixture->session);
  g_assert_null (mt_session_get_recoverable (fixture->session));
  end_session (fixture);
  g_assert_false (g_file_query_exists (work, NULL));
  begin_session (fixture);
}

/* Saved on the way, it is left when it is saved, and not before. */
static void
test_leave (Fixture       *fixture,
            gconstpointer  data)
{
  MtSession *session = fixture->session;
  g_autoptr (GFile) file = open_table (fixture, "leave.csv");
  g_autoptr (GFile) project = name_file (fixture, "leave.minterm");

  decide (fixture);
  g_assert_false (mt_session_leave (session, MT_SESSION_TO_END, NULL));
  g_assert_cmpint (mt_session_get_leaving (session), ==, MT_SESSION_STAYING);
  mt_session_save_first (session, MT_SESSION_TO_END, NULL);
  g_assert_cmpint (mt_session_get_leaving (session), ==, MT_SESSION_CHOOSING);

  /* The place is refused: another one can be chosen, and it still leads there. */
  mt_session_save_as (session, file, TRUE);
  g_assert_cmpint (fixture->refusal, ==, MT_SESSION_REFUSED_PLACE);
  g_assert_cmpint (mt_session_get_leaving (session), ==, MT_SESSION_CHOOSING);
  g_assert_cmpint (fixture->where, ==, -1);
  mt_session_save_as (session, project, TRUE);
  g_assert_cmpint (mt_session_get_leaving (session), ==, MT_SESSION_SAVING);
  g_assert_cmpint (fixture->where, ==, -1);
  wait_until (fixture, is_gone);
  g_assert_cmpint (fixture->where, ==, MT_SESSION_TO_END);
  g_assert_cmpint (mt_session_get_leaving (session), ==, MT_SESSION_STAYING);
  g_assert_cmpint (mt_session_get_place (session), ==, MT_SESSION_NAMED);
}

/* Who gave up leaving stays when he saves later. */
static void
test_stay (Fixture       *fixture,
           gconstpointer  data)
{
  MtSession *session = fixture->session;
  g_autoptr (GFile) file = open_table (fixture, "stay.csv");
  g_autoptr (GFile) project = name_file (fixture, "stay.minterm");

  decide (fixture);
  mt_session_save_first (session, MT_SESSION_TO_END, NULL);
  mt_session_save_as (session, file, TRUE);   /* refused; the message is closed */
  g_assert_cmpint (mt_session_get_leaving (session), ==, MT_SESSION_CHOOSING);
  save_as (fixture, project);
  g_assert_cmpint (mt_session_get_leaving (session), ==, MT_SESSION_STAYING);
  for (guint i = 0; i < 20; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (fixture->where, ==, -1);
}

/* Nothing is thrown away for a file that cannot be read; one that can be takes its place. */
static void
test_discard_for_another (Fixture       *fixture,
                          gconstpointer  data)
{
  MtSession *session = fixture->session;
  g_autoptr (GFile) file = open_table (fixture, "first.csv");
  g_autoptr (GFile) second = write_table (fixture, "second.csv");
  g_autoptr (GFile) missing = name_file (fixture, "missing.csv");

  decide (fixture);
  g_assert_false (mt_session_leave (session, MT_SESSION_TO_FILE, missing));
  g_assert_false (mt_session_discard (session, MT_SESSION_TO_FILE, missing));
  wait_until (fixture, is_read);
  g_assert_true (g_file_equal (mt_document_get_file (fixture->document), file));
  g_assert_true (mt_session_has_unsaved (session));
  g_assert_cmpint (mt_session_get_place (session), ==, MT_SESSION_UNNAMED);

  g_assert_false (mt_session_discard (session, MT_SESSION_TO_FILE, second));
  wait_until (fixture, is_read);
  g_assert_true (g_file_equal (mt_document_get_file (fixture->document), second));
  g_assert_false (mt_session_has_unsaved (session));
  g_assert_cmpint (mt_session_get_place (session), ==, MT_SESSION_NOWHERE);
}

/* Training is what speaks first against leaving; what it found speaks next. Then a model of it is opened alone. */
static void
test_train_and_model (Fixture       *fixture,
                      gconstpointer  data)
{
  MtSession *session = fixture->session;
  g_autoptr (GFile) file = open_table (fixture, "train.csv");
  g_autoptr (GFile) model_file = name_file (fixture, "model.json");
  g_autoptr (MtFrontierItem) point = NULL;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  MtRunSettings settings;

  mt_document_set_role (fixture->document, 3, MT_ROLE_TARGET);
  mt_document_undo (fixture->document);
  mt_run_settings_init (&settings, MT_PRESET_SIMPLE);
  settings.folds = 3;
  g_assert_cmpuint (mt_study_train (fixture->study, mt_document_get_table (fixture->document), &settings, NULL), ==, 1);
  g_assert_cmpint (mt_session_get_loss (session), ==, MT_SESSION_STOPS_TRAINING);
  g_assert_cmpint (mt_session_get_place (session), ==, MT_SESSION_UNNAMED);
  wait_until (fixture, is_trained);
  g_assert_true (mt_session_has_results (session));
  g_assert_cmpint (mt_session_get_loss (session), ==, MT_SESSION_LOSES_RESULTS);
  g_assert_false (mt_session_leave (session, MT_SESSION_TO_NOTHING, NULL));
  model = mt_selected_model_dup_model (mt_study_get_fitted (fixture->study), mt_document_get_import (fixture->document),
                                       &error);
  g_assert_no_error (error);
  g_assert_true (mt_model_save (model, g_file_peek_path (model_file), &error));
  g_assert_no_error (error);

  g_assert_false (mt_session_discard (session, MT_SESSION_TO_FILE, model_file));
  wait_until (fixture, is_model);
  g_assert_cmpstr (mt_session_get_model_name (session), ==, "model.json");
  g_assert_nonnull (mt_session_get_model (session));
  g_assert_null (mt_document_get_table (fixture->document));
  g_assert_false (mt_session_has_results (session));
  g_assert_cmpint (mt_session_get_loss (session), ==, MT_SESSION_LOSES_NOTHING);
  mt_document_set_note (fixture->document, "purpose", "A note on the model", "Note");
  g_assert_cmpint (mt_session_get_loss (session), ==, MT_SESSION_LOSES_MODEL);
  g_assert_false (mt_session_discard (session, MT_SESSION_TO_FILE, file));
  wait_until (fixture, is_open);
  g_assert_null (mt_session_get_model (session));
}

/* A project whose run has one model that is none, though its checksums are right. */
static void
add_damaged_model (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtProject) project = mt_project_open (path, 0, NULL, &error);
  g_autoptr (GBytes) none = g_bytes_new_static ("{\"format\": 9}", 13);
  MtProjectPoint point = { .literals = 2, .n_rules = 1, .cv_mean = 0.75, .cv_se = NAN, .marks = MT_MARK_SELECTED };
  gint64 run;

  g_assert_no_error (error);
  run = mt_project_add_run (project, "a run", "{}", 1, &error);
  g_assert_no_error (error);
  g_assert_true (mt_project_set_run_state (project, run, MT_RUN_DONE, NULL, 1, &error));
  g_assert_no_error (error);
  g_assert_true (mt_project_add_points (project, run, &point, &none, 1, &error));
  g_assert_no_error (error);
}

/* It is told as what it is, not as a failure to save, and everything else is saved as before. */
static void
test_damaged_model (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autoptr (GFile) file = open_table (fixture, "damaged.csv");
  g_autoptr (GFile) project = name_file (fixture, "damaged.minterm");

  decide (fixture);
  save_as (fixture, project);
  end_session (fixture);
  add_damaged_model (g_file_peek_path (project));

  begin_session (fixture);
  mt_session_open (fixture->session, project);
  wait_until (fixture, is_open);
  wait_until (fixture, is_refused);
  g_assert_cmpint (fixture->refusal, ==, MT_SESSION_REFUSED_PART);
  g_assert_null (mt_session_get_failure (fixture->session));
  g_assert_null (strstr (fixture->heard->str, "not-written"));
  mt_document_set_role (fixture->document, 0, MT_ROLE_IGNORED);
  wait_until (fixture, is_written);
  g_assert_null (mt_session_get_failure (fixture->session));
  end_session (fixture);

  begin_session (fixture);
  mt_session_open (fixture->session, project);
  wait_until (fixture, is_open);
  g_assert_cmpint (mt_table_get_role (mt_document_get_table (fixture->document), 0), ==, MT_ROLE_IGNORED);
  wait_until (fixture, is_refused);
}

/* Each call of a save fails once: it is told and tried again, or no harm was done. Either way the change is in the file. */
static void
test_faults (Fixture       *fixture,
             gconstpointer  data)
{
  static const int codes[] = { ENOSPC, EIO, EINTR };
  g_autoptr (GFile) file = open_table (fixture, "faults.csv");
  g_autoptr (GFile) project = name_file (fixture, "faults.minterm");
  MtColumnRole role = MT_ROLE_FEATURE;
  guint n_told = 0, n_harmless = 0;

  decide (fixture);
  save_as (fixture, project);
  faulty_calls_limit_to (fixture->folder);
  for (guint c = 0; c < G_N_ELEMENTS (codes); c++)
    {
      gboolean hit = TRUE;

      for (guint n = 1; hit; n++)
        {
          g_autoptr (MtProject) written = NULL;
          g_autoptr (MtSchema) schema = NULL;
          MtColumnRole kept = MT_ROLE_FEATURE;

          role = role == MT_ROLE_FEATURE ? MT_ROLE_IGNORED : MT_ROLE_FEATURE;
          g_string_truncate (fixture->heard, 0);
          faulty_calls_arm (n, codes[c]);
          mt_document_set_role (fixture->document, 0, role);
          wait_until (fixture, is_written);
          hit = faulty_calls_disarm ();
          if (mt_session_get_failure (fixture->session) != NULL)
            {
              g_assert_true (hit);
              g_assert_nonnull (strstr (fixture->heard->str, "not-written"));
              g_assert_cmpint (mt_session_get_place (fixture->session), ==, MT_SESSION_FAILED);
              g_assert_cmpint (mt_session_get_loss (fixture->session), ==, MT_SESSION_LOSES_UNWRITTEN);
              n_told++;
              mt_session_retry (fixture->session);
              wait_until (fixture, is_overcome);
            }
          else
            n_harmless += hit;
          g_assert_cmpint (mt_session_get_place (fixture->session), ==, MT_SESSION_NAMED);
          written = mt_project_open (g_file_peek_path (project), MT_PROJECT_READ_ONLY, NULL, NULL);
          schema = mt_project_dup_schema (written, NULL);
          g_assert_nonnull (schema);
          mt_schema_get_role (schema, "a", &kept);
          g_assert_cmpint (kept, ==, role);
        }
    }
  faulty_calls_limit_to (NULL);
  g_test_message ("%u faults told and overcome, %u without harm", n_told, n_harmless);
  g_assert_cmpuint (n_told, >, 10);
}

/* A second project is asked for while the first is opened: only the second comes. */
static void
test_second_project (Fixture       *fixture,
                     gconstpointer  data)
{
  static const char * const names[] = { "one", "two" };
  GFile *projects[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *table = g_strconcat (names[i], ".csv", NULL);
      g_autofree char *project = g_strconcat (names[i], ".minterm", NULL);
      g_autoptr (GFile) file = open_table (fixture, table);

      projects[i] = name_file (fixture, project);
      decide (fixture);
      save_as (fixture, projects[i]);
      end_session (fixture);
      begin_session (fixture);
    }
  mt_session_open (fixture->session, projects[0]);
  mt_session_open (fixture->session, projects[1]);
  wait_until (fixture, is_open);
  g_assert_true (g_file_equal (mt_session_get_project (fixture->session), projects[1]));
  g_assert_true (heard (fixture, "opening opening forgetting replaced restoring restored read "));
  g_object_unref (projects[0]);
  g_object_unref (projects[1]);
}

/* --- program --- */

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = g_dir_make_tmp ("minterm-session-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->heard = g_string_new (NULL);
  begin_session (fixture);
}

static void
remove_all (GFile *file)
{
  g_autoptr (GFileEnumerator) children = g_file_enumerate_children (file, "standard::name", G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS,
                                                                    NULL, NULL);
  GFile *child;

  while (children != NULL && g_file_enumerator_iterate (children, NULL, &child, NULL, NULL) && child != NULL)
    remove_all (child);
  g_file_delete (file, NULL, NULL);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->folder);

  end_session (fixture);
  remove_all (folder);
  g_free (fixture->folder);
  g_string_free (fixture->heard, TRUE);
}

int
main (int    argc,
      char **argv)
{
  static const struct {
    const char *path;
    void      (*run) (Fixture *, gconstpointer);
  } cases[] = {
    { "/session/open", test_open }, { "/session/save", test_save }, { "/session/unread", test_unread },
    { "/session/refusals", test_refusals }, { "/session/recover", test_recover },
    { "/session/discard-recoverable", test_discard_recoverable }, { "/session/leave", test_leave },
    { "/session/stay", test_stay }, { "/session/discard-for-another", test_discard_for_another },
    { "/session/train-and-model", test_train_and_model }, { "/session/second-project", test_second_project },
    { "/session/damaged-model", test_damaged_model }, { "/session/faults", test_faults },
  };
  char *home = g_dir_make_tmp ("minterm-home-XXXXXX", NULL);
  g_autoptr (GFile) top = g_file_new_for_path (home);
  int result;

  g_setenv ("HOME", home, TRUE);           /* nothing of the person who runs the tests is read or written */
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_unsetenv ("DISPLAY");
  g_unsetenv ("WAYLAND_DISPLAY");
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add (cases[i].path, Fixture, NULL, set_up, cases[i].run, tear_down);
  result = g_test_run ();
  remove_all (top);
  g_free (home);
  return result;
}
