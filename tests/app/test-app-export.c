/* The export dialog, driven from inside: from the window's action to a file that holds the model. */
#include "config.h"

#include <string.h>

#include "apputils.h"
#include "report/mt-export-dialog.h"

/* Trained by the settings that are there at first. */
static MtWindow *
open_rows_trained (guint       n_rows,
                   const char *middle)   /* name of the class between high and low */
{
  g_autoptr (GString) text = g_string_new ("a,b,kind,level\n");
  g_autoptr (GFile) file = NULL;
  MtWindow *window = mt_app_window_new (1100, 760);

  for (guint i = 0; i < n_rows; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89, kind = i % 3;

      g_string_append_printf (text, "%u,%u,k%u,%s\n", a, b, kind, a > 50 && kind == 1 ? "high" : b > 60 ? middle : "low");
    }
  file = mt_app_write ("small.csv", text->str);
  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 3, MT_ROLE_TARGET);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  mt_app_wait_trained (window);
  return window;
}

static MtWindow *
open_trained (void)
{
  return open_rows_trained (120, "mid");
}

static gboolean
is_idle (gpointer dialog)
{
  return !mt_export_dialog_is_busy (dialog);
}

static gboolean
has_chooser (gpointer window)
{
  GtkWidget *chooser = mt_app_find_over (window, GTK_TYPE_FILE_CHOOSER_DIALOG);

  return chooser != NULL && gtk_widget_get_mapped (chooser);
}

/* As dialogs have it: out at the start of the header bar, on at its end. */
static void
check_ends (MtExportDialog *dialog)
{
  GtkWidget *cancel = mt_app_find (GTK_WIDGET (dialog), GTK_TYPE_BUTTON, "_Cancel");
  GtkWidget *save = mt_app_find (GTK_WIDGET (dialog), GTK_TYPE_BUTTON, "_Save…");
  graphene_rect_t out, on;

  mt_app_settle (60);
  g_assert_true (gtk_widget_has_css_class (save, "suggested-action"));
  g_assert_false (gtk_widget_is_focus (cancel));
  g_assert_true (gtk_widget_compute_bounds (cancel, GTK_WIDGET (dialog), &out));
  g_assert_true (gtk_widget_compute_bounds (save, GTK_WIDGET (dialog), &on));
  g_assert_cmpfloat (out.origin.x, <, 40);
  g_assert_cmpfloat (on.origin.x + on.size.width, >, gtk_widget_get_width (GTK_WIDGET (dialog)) - 40);
}

static void
test_export (void)
{
  MtWindow *window = open_trained ();
  g_autoptr (GFile) sql = mt_app_write ("model.sql", "");
  g_autoptr (GFile) json = mt_app_write ("model.json", "");
  g_autoptr (GFile) nowhere = g_file_new_for_path ("/nonexistent/folder/model.json");
  g_autoptr (GFile) remote = g_file_new_for_uri ("sftp://example/model.json");
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  MtExportDialog *dialog;
  GtkWindow *message;

  dialog = mt_app_open_export (window);
  g_assert_cmpstr (mt_export_dialog_get_claim (dialog), ==, "Not verified yet");
  check_ends (dialog);

  /* Python is there, so something is claimed, and only of what was chosen. */
  mt_export_dialog_set_format (dialog, MT_EXPORT_PYTHON, MT_SQL_SQLITE);
  mt_export_dialog_verify (dialog);
  g_assert_true (mt_export_dialog_is_busy (dialog));
  mt_app_wait (is_idle, dialog);
  g_assert_cmpstr (mt_export_dialog_get_claim (dialog), ==, "Verified with python3");
  mt_export_dialog_set_format (dialog, MT_EXPORT_DMN, MT_SQL_SQLITE);
  g_assert_cmpstr (mt_export_dialog_get_claim (dialog), ==, "Not verified yet");
  mt_export_dialog_verify (dialog);
  g_assert_true (g_str_has_prefix (mt_export_dialog_get_claim (dialog), "Not verified"));

  mt_export_dialog_set_format (dialog, MT_EXPORT_SQL, MT_SQL_MARIADB);
  mt_export_dialog_save (dialog, sql);
  mt_app_wait (is_idle, dialog);
  g_assert_true (g_file_get_contents (g_file_peek_path (sql), &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "AS `p_high`"));
  mt_app_settle (60);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "Saved as “model.sql”"));
  g_assert_nonnull (mt_app_find (GTK_WIDGET (dialog), GTK_TYPE_BUTTON, "_Close"));
  mt_export_dialog_set_format (dialog, MT_EXPORT_JSON, MT_SQL_SQLITE);
  mt_export_dialog_save (dialog, json);
  mt_app_wait (is_idle, dialog);
  model = mt_model_load (g_file_peek_path (json), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (mt_model_get_info (model)->target, ==, "level");
  g_assert_cmpuint (mt_model_get_info (model)->n_rows, ==, 120);
  g_assert_nonnull (mt_model_get_info (model)->data_sha256);

  /* What cannot be written says why. */
  mt_export_dialog_save (dialog, nowhere);
  mt_app_wait (is_idle, dialog);
  message = mt_app_find_over (dialog, ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (message);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (message), "fix");   /* and asks for a better place */
  gtk_window_close (message);
  mt_app_wait (has_chooser, dialog);
  mt_app_settle (300);
  gtk_dialog_response (mt_app_find_over (dialog, GTK_TYPE_FILE_CHOOSER_DIALOG), GTK_RESPONSE_CANCEL);
  mt_app_settle (40);
  mt_export_dialog_save (dialog, remote);
  message = mt_app_find_over (dialog, ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (message);
  gtk_window_close (message);

  /* So it is with the frontier. */
  mt_window_export (window, nowhere);
  mt_app_wait_asked (window);
  g_assert_true (adw_message_dialog_has_response (ADW_MESSAGE_DIALOG (mt_app_find_question (window)), "fix"));
  mt_app_answer (window, "fix");
  mt_app_wait (has_chooser, window);
  gtk_dialog_response (mt_app_find_over (window, GTK_TYPE_FILE_CHOOSER_DIALOG), GTK_RESPONSE_CANCEL);

  /* Closed in the middle of a check: the check ends, and nothing is left of it. */
  mt_export_dialog_set_format (dialog, MT_EXPORT_C, MT_SQL_SQLITE);
  g_object_ref (dialog);
  mt_export_dialog_verify (dialog);
  gtk_window_close (GTK_WINDOW (dialog));
  mt_app_wait (is_idle, dialog);
  g_object_unref (dialog);
  mt_app_window_end (window);
}

/* What the window hands out of its selected model. */
static char *
export_json (MtWindow   *window,
             const char *name,
             gsize      *length)
{
  g_autoptr (GFile) file = mt_app_write (name, "");
  MtExportDialog *dialog;
  char *text;

  dialog = mt_app_open_export (window);
  mt_export_dialog_set_format (dialog, MT_EXPORT_JSON, MT_SQL_SQLITE);
  mt_export_dialog_save (dialog, file);
  mt_app_wait (is_idle, dialog);
  gtk_window_close (GTK_WINDOW (dialog));
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &text, length, NULL));
  return text;
}

/* The same run by the command line; @more: further arguments, ends with NULL. */
static char *
train_by_command (MtWindow            *window,
                  const MtRunSettings *run,
                  const char * const  *more,
                  gsize               *length)
{
  g_autoptr (GFile) file = mt_app_write ("by-command.json", "");
  const char *data = g_file_peek_path (mt_document_get_file (mt_window_get_document (window)));
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *temperature = mt_decimal_dup_c (run->temperature);
  g_autofree char *fraction = mt_decimal_dup_c (run->test_fraction);
  g_autofree char *restarts = run->restarts == 0 && run->beside ? g_strdup ("auto")
                                                                 : g_strdup_printf ("%u", run->restarts);
  g_autofree char *counts = g_strdup_printf ("--bits=%u --nodes=%u --fan-in=%u --restarts=%s --folds=%u "
                                             "--seed=%" G_GUINT64_FORMAT " --split-seed=%" G_GUINT64_FORMAT
                                             " --max-literals=%u", run->bits, run->nodes, run->fan_in,
                                             restarts, run->folds, run->seed, run->split_seed, run->max_literals);
  g_auto (GStrv) words = g_strsplit (counts, " ", -1);
  g_auto (GStrv) all = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = NULL;
  char *text;

  g_strv_builder_add_many (builder, g_getenv ("MINTERM_CLI"), "train", data, "--target", "level", "--temperature",
                           temperature, "--test-fraction", fraction, "-o", g_file_peek_path (file), NULL);
  g_strv_builder_addv (builder, (const char **) words);
  g_strv_builder_addv (builder, (const char **) more);
  all = g_strv_builder_end (builder);
  program = g_subprocess_newv ((const char * const *) all, G_SUBPROCESS_FLAGS_STDOUT_SILENCE |
                               G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  g_subprocess_wait_check (program, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &text, length, NULL));
  return text;
}

static void
select_last (MtWindow *window)
{
  GListModel *runs = mt_study_get_runs (mt_window_get_study (window));
  g_autoptr (MtRun) last = g_list_model_get_item (runs, g_list_model_get_n_items (runs) - 1);

  mt_study_set_selected (mt_window_get_study (window), mt_run_get_points (last)->pdata[mt_run_get_selected (last)]);
}

/* The window and the command line make the same file of the same data and settings. */
static void
test_same_bytes (void)
{
  static const char * const plain[] = { NULL };
  static const char * const without_b[] = { "--role", "b=ignored", "--seed=3", NULL };
  MtWindow *window = open_trained ();
  MtDocument *document = mt_window_get_document (window);
  MtRunSettings run = mt_document_get_decisions (document)->run;
  gsize ours, theirs;
  g_autofree char *by_window = export_json (window, "by-window.json", &ours);
  g_autofree char *by_command = train_by_command (window, &run, plain, &theirs);
  g_autofree char *other_window = NULL;
  g_autofree char *other_command = NULL;

  g_assert_cmpmem (by_window, ours, by_command, theirs);
  g_assert_nonnull (strstr (by_window, "\"test-fraction\""));

  mt_document_set_role (document, 1, MT_ROLE_IGNORED);
  run.seed = 3;
  mt_document_set_run (document, &run, NULL, "Seed");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  mt_app_wait_trained (window);
  select_last (window);
  other_window = export_json (window, "by-window-2.json", &ours);
  other_command = train_by_command (window, &run, without_b, &theirs);
  g_assert_cmpmem (other_window, ours, other_command, theirs);
  g_assert_cmpstr (other_window, !=, by_window);   /* the comparison can fail */
  mt_app_window_end (window);
}

/* Whichever preset is taken, there is a command that finds the same. */
static void
test_same_presets (void)
{
  static const MtPreset presets[] = { MT_PRESET_SIMPLE, MT_PRESET_ACCURATE };
  static const char * const plain[] = { NULL };
  MtWindow *window = open_rows_trained (120, "low");

  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    {
      gsize ours, theirs;
      g_autofree char *by_window = NULL;
      g_autofree char *by_command = NULL;
      MtRunSettings run;

      mt_run_settings_init (&run, presets[i]);
      mt_document_set_run (mt_window_get_document (window), &run, NULL, "Preset");
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
      mt_app_wait_trained (window);
      select_last (window);
      by_window = export_json (window, "by-preset.json", &ours);
      by_command = train_by_command (window, &run, plain, &theirs);
      g_assert_cmpmem (by_window, ours, by_command, theirs);
    }
  mt_app_window_end (window);
}

/* What the window finds when nobody has touched a setting is what the command line finds with none, also where the
 * rows are enough for fine thresholds; and yet there are curves to see. */
static void
test_same_defaults (void)
{
  MtWindow *window = open_rows_trained (6500, "low");
  const char *data = g_file_peek_path (mt_document_get_file (mt_window_get_document (window)));
  g_autoptr (MtRun) first = g_list_model_get_item (mt_study_get_runs (mt_window_get_study (window)), 0);
  g_autoptr (GFile) file = mt_app_write ("by-default.json", "");
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = NULL;
  gsize ours, theirs;
  g_autofree char *by_window = export_json (window, "by-default-window.json", &ours);
  g_autofree char *by_command = NULL;

  program = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error,
                              g_getenv ("MINTERM_CLI"), "train", data, "--target", "level", "-o",
                              g_file_peek_path (file), NULL);
  g_assert_no_error (error);
  g_subprocess_wait_check (program, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &by_command, &theirs, NULL));
  g_assert_cmpmem (by_window, ours, by_command, theirs);
  g_assert_nonnull (strstr (by_window, "\"thresholds\""));   /* the fine ones */
  g_assert_cmpuint (mt_run_get_epochs (first)->len, >, 1);
  mt_app_window_end (window);
}

/* --- a value treated as missing --- */

static MtFinding *
find_disguise (gpointer window)
{
  GPtrArray *findings = mt_document_get_findings (mt_window_get_document (window));

  for (guint i = 0; findings != NULL && i < findings->len; i++)
    if (g_str_equal (((MtFinding *) findings->pdata[i])->code, "disguised-missing"))
      return findings->pdata[i];
  return NULL;
}

static gboolean
has_disguise (gpointer window)
{
  return find_disguise (window) != NULL;
}

/* Where 0 stands for an unknown b, and says much about the outcome. */
static MtWindow *
open_disguised (void)
{
  g_autoptr (GString) text = g_string_new ("a,b,level\n");
  g_autoptr (GFile) file = NULL;
  MtWindow *window = mt_app_window_new (1100, 760);

  for (guint i = 0; i < 300; i++)
    {
      guint a = i * 37 % 101, b = i % 4 == 0 ? 0 : 200 + i * 53 % 89;

      g_string_append_printf (text, "%u,%u,%s\n", a, b, (b == 0 ? a > 30 : b > 240) ? "high" : "low");
    }
  file = mt_app_write ("disguised.csv", text->str);
  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 2, MT_ROLE_TARGET);
  mt_app_wait (has_disguise, window);
  mt_document_fix (mt_window_get_document (window), find_disguise (window));
  mt_app_wait_idle (window);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  mt_app_wait_trained (window);
  return window;
}

/* What leaves the program answers the unchanged file as the window answers its rows. */
static void
test_treated_as_missing (void)
{
  MtWindow *window = open_disguised ();
  MtDocument *document = mt_window_get_document (window);
  g_autoptr (GFile) sql = mt_app_write ("model.sql", "");
  MtExportDialog *dialog = mt_app_open_export (window);
  g_autofree char *json = NULL;
  g_autofree char *out = NULL;
  g_autofree char *import = g_strdup_printf (".import %s data", g_file_peek_path (mt_document_get_file (document)));
  g_autofree char *read = g_strdup_printf (".read %s", g_file_peek_path (sql));
  const char *argv[] = { "sqlite3", "-batch", ":memory:", ".mode csv", import, ".headers on", read, NULL };
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;
  double answers[300];
  gsize length;

  mt_export_dialog_set_format (dialog, MT_EXPORT_SQL, MT_SQL_SQLITE);
  mt_export_dialog_verify (dialog);
  mt_app_wait (is_idle, dialog);
  g_assert_nonnull (strstr (mt_export_dialog_get_claim (dialog), "sqlite3"));
  mt_export_dialog_save (dialog, sql);
  mt_app_wait (is_idle, dialog);
  gtk_window_close (GTK_WINDOW (dialog));
  json = export_json (window, "disguised.json", &length);
  g_assert_nonnull (strstr (json, "\"missing_values\": [\"0\"]"));
  g_assert_nonnull (strstr (json, "--missing-in=b=0"));   /* for the command that makes it again */
  model = mt_model_from_json (json, length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (mt_column_get_n_missing (mt_table_get_column (mt_document_get_table (document), 1)), ==, 75);
  g_assert_true (mt_model_predict (model, mt_document_get_table (document), NULL, 0, answers, NULL, &error));
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, &error));
  lines = g_strsplit (out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 302);
  for (guint i = 0; i < 300; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], ",", -1);

      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[2], NULL), answers[i], 1e-9);
    }
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/export", test_export);
  g_test_add_func ("/app/export/same-bytes", test_same_bytes);
  g_test_add_func ("/app/export/same-presets", test_same_presets);
  g_test_add_func ("/app/export/same-defaults", test_same_defaults);
  g_test_add_func ("/app/export/treated-as-missing", test_treated_as_missing);
  return g_test_run ();
}
