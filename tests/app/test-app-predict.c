/* The Predict dialog, driven from inside: what differs, scoring, cancelling, and the bytes that minterm-cli writes. */
#include "config.h"

#include <string.h>

#include "apputils.h"
#include "heartbeat.h"
#include "predict/mt-predict-dialog.h"

static char *
make_rows (guint       n_rows,
           const char *header,
           guint       first)
{
  GString *text = g_string_new (header);

  for (guint i = first; i < first + n_rows; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89, kind = i % 3;

      g_string_append_printf (text, "%05u,%u,%u,k%u,%s\n", i, a, b, kind, a > 50 && kind == 1 ? "high" : "low");
    }
  return g_string_free (text, FALSE);
}

static MtWindow *
open_trained (void)
{
  g_autofree char *text = make_rows (300, "id,a,b,kind,level\n", 0);
  g_autoptr (GFile) file = mt_app_write ("train.csv", text);
  MtWindow *window = mt_app_window_new (1100, 760);

  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 0, MT_ROLE_IGNORED);
  mt_document_set_role (mt_window_get_document (window), 4, MT_ROLE_TARGET);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  mt_app_wait_trained (window);
  return window;
}

static gboolean
has_predict (gpointer window)
{
  return mt_app_find_over (window, MT_TYPE_PREDICT_DIALOG) != NULL;
}

static MtPredictDialog *
open_predict (MtWindow *window)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.predict", NULL));
  mt_app_wait (has_predict, window);
  return mt_app_find_over (window, MT_TYPE_PREDICT_DIALOG);
}

static gboolean
is_idle (gpointer dialog)
{
  return !mt_predict_dialog_is_busy (dialog);
}

static void
choose (MtPredictDialog *dialog,
        GFile           *file)
{
  mt_predict_dialog_open (dialog, file);
  g_assert_true (mt_predict_dialog_is_busy (dialog));
  mt_app_wait (is_idle, dialog);
}

static GtkWidget *
find_button (MtPredictDialog *dialog,
             const char      *label)
{
  GtkWidget *button = mt_app_find (GTK_WIDGET (dialog), GTK_TYPE_BUTTON, label);

  g_assert_nonnull (button);
  return button;
}

/* Any label that says so. */
static gboolean
says (MtPredictDialog *dialog,
      const char      *text)
{
  g_autoptr (GPtrArray) labels = mt_app_find_all (dialog, GTK_TYPE_LABEL);

  for (guint i = 0; i < labels->len; i++)
    if (strstr (gtk_label_get_text (labels->pdata[i]), text) != NULL && gtk_widget_get_child_visible (labels->pdata[i]))
      return TRUE;
  return FALSE;
}

static void
run_cli (const char * const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (argv, (char *) g_getenv ("MINTERM_CLI"));
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (char *) arguments[i]);
  g_ptr_array_add (argv, NULL);
  process = g_subprocess_newv ((const char * const *) argv->pdata, G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  g_assert_no_error (error);
}

static void
assert_same (GFile *a,
             GFile *b)
{
  g_autofree char *x = NULL, *y = NULL;
  gsize n, m;

  g_assert_true (g_file_get_contents (g_file_peek_path (a), &x, &n, NULL));
  g_assert_true (g_file_get_contents (g_file_peek_path (b), &y, &m, NULL));
  g_assert_cmpmem (x, n, y, m);
  g_assert_cmpuint (n, >, 100);
}

static gboolean
export_idle (gpointer dialog)
{
  return !mt_export_dialog_is_busy (dialog);
}

static void
export_json (MtWindow *window,
             GFile    *file)
{
  MtExportDialog *dialog = mt_app_open_export (window);

  mt_export_dialog_set_format (dialog, MT_EXPORT_JSON, 0);
  mt_export_dialog_save (dialog, file);
  mt_app_wait (export_idle, dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
  mt_app_settle (50);
}

/* From the window's model to a file that has the bytes of minterm-cli; then the same with the model alone. */
static void
test_scores (void)
{
  MtWindow *window = open_trained ();
  g_autofree char *text = make_rows (500, "id,a,b,kind,level\n", 300);
  g_autofree char *odd = g_strdup_printf ("%s00900,,400,k9,low\n", text);
  g_autoptr (GFile) fresh = mt_app_write ("new.csv", odd);
  g_autoptr (GFile) json = mt_app_write ("model.json", "");
  g_autoptr (GFile) saved = mt_app_write ("saved.csv", "before");
  g_autoptr (GFile) wanted = mt_app_write ("wanted.csv", "");
  g_autofree char *before = NULL;
  const MtScoring *scoring;
  MtPredictDialog *dialog;
  double psi;

  export_json (window, json);
  run_cli ((const char *[]) { "predict", g_file_peek_path (json), g_file_peek_path (fresh), "--key", "id", "-o",
                              g_file_peek_path (wanted), NULL });
  dialog = open_predict (window);
  g_assert_true (says (dialog, "Choose New Data"));
  g_assert_false (gtk_widget_get_visible (find_button (dialog, "S_core")));
  choose (dialog, fresh);
  g_assert_true (says (dialog, "The file has all columns that the model needs"));
  g_assert_true (says (dialog, "quality will be measured"));
  g_assert_true (mt_predict_dialog_set_key (dialog, "id", TRUE));
  g_assert_false (mt_predict_dialog_set_key (dialog, "none", TRUE));
  g_signal_emit_by_name (find_button (dialog, "S_core"), "clicked");
  g_assert_true (mt_predict_dialog_is_busy (dialog));
  mt_app_wait (is_idle, dialog);
  scoring = mt_predict_dialog_get_scoring (dialog);
  g_assert_nonnull (scoring);
  g_assert_cmpuint (scoring->n_rows, ==, 501);
  g_assert_true (scoring->measured);
  g_assert_cmpuint (scoring->n_measured, ==, 501);
  g_assert_false (scoring->score_psi != scoring->score_psi);
  psi = scoring->score_psi;
  g_assert_true (says (dialog, "501 Rows Scored"));
  g_assert_true (says (dialog, "First 10 Rows"));
  g_assert_true (says (dialog, "00300"));
  g_assert_true (says (dialog, "AUC"));
  g_assert_true (says (dialog, "Drift of the score"));
  g_assert_true (g_file_get_contents (g_file_peek_path (saved), &before, NULL, NULL));
  g_assert_cmpstr (before, ==, "before");
  mt_predict_dialog_save (dialog, saved);
  mt_app_wait (is_idle, dialog);
  assert_same (saved, wanted);
  g_assert_cmpfloat (mt_predict_dialog_get_scoring (dialog)->score_psi, ==, psi);

  /* Never over what is read: the new data, the data that the model is of. */
  mt_predict_dialog_save (dialog, fresh);
  g_assert_false (mt_predict_dialog_is_busy (dialog));
  g_assert_true (says (dialog, "Not Saved"));
  mt_predict_dialog_save (dialog, mt_document_get_file (mt_window_get_document (window)));
  g_assert_false (mt_predict_dialog_is_busy (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
  mt_app_settle (50);

  /* The model by itself: the same bytes; drift is not known, and that is said. */
  mt_app_open (window, json);
  mt_app_settle (200);
  dialog = open_predict (window);
  choose (dialog, fresh);
  g_assert_true (mt_predict_dialog_set_key (dialog, "id", TRUE));
  g_assert_true (g_file_set_contents (g_file_peek_path (saved), "", 0, NULL));
  mt_predict_dialog_save (dialog, saved);
  mt_app_wait (is_idle, dialog);
  assert_same (saved, wanted);
  g_assert_true (says (dialog, "Drift is unknown"));
  gtk_window_destroy (GTK_WINDOW (dialog));
  mt_app_window_end (window);
}

/* What differs is said, with what to do; nothing can be scored then. */
static void
test_differs (void)
{
  MtWindow *window = open_trained ();
  g_autoptr (GFile) names = mt_app_write ("names.csv", "id,A,b,other\n1,2,3,x\n2,3,4,y\n");
  g_autoptr (GFile) cells = mt_app_write ("cells.csv", "id,a,b,kind\n1,2,3,k1\n2,many,4,k2\n");
  g_autoptr (GFile) empty = mt_app_write ("empty.csv", "");
  g_autoptr (GFile) good = mt_app_write ("good.csv", "a,b,kind\n1,2,k1\n2,3,k1\n60,3,k1\n");
  MtPredictDialog *dialog = open_predict (window);

  choose (dialog, names);
  g_assert_true (says (dialog, "“a” is missing"));
  g_assert_true (says (dialog, "The file has “A”. If it is the same, rename it in the file."));
  g_assert_true (says (dialog, "quality cannot be measured"));
  g_assert_false (gtk_widget_get_sensitive (find_button (dialog, "S_core")));
  g_assert_false (gtk_widget_get_sensitive (find_button (dialog, "_Save…")));
  mt_predict_dialog_score (dialog);
  g_assert_false (mt_predict_dialog_is_busy (dialog));
  choose (dialog, cells);
  g_assert_true (says (dialog, "Some cells cannot be read"));
  g_assert_true (says (dialog, "many"));
  choose (dialog, empty);
  g_assert_true (says (dialog, "File Not Read"));
  g_assert_true (gtk_widget_get_mapped (find_button (dialog, "Choose _Another…")));
  choose (dialog, good);
  mt_predict_dialog_score (dialog);
  mt_app_wait (is_idle, dialog);
  g_assert_cmpuint (mt_predict_dialog_get_scoring (dialog)->n_rows, ==, 3);
  g_assert_false (mt_predict_dialog_get_scoring (dialog)->measured);
  /* What is shown is of the columns chosen. */
  g_assert_true (mt_predict_dialog_set_key (dialog, "kind", TRUE));
  g_assert_null (mt_predict_dialog_get_scoring (dialog));
  gtk_window_destroy (GTK_WINDOW (dialog));
  mt_app_window_end (window);
}

/* A large file ends within half a second, and nothing is saved. */
static void
test_cancel (void)
{
  MtWindow *window = open_trained ();
  g_autofree char *text = make_rows (1500000, "id,a,b,kind,level\n", 0);
  g_autoptr (GFile) large = mt_app_write ("large.csv", text);
  g_autoptr (GFile) saved = mt_app_write ("saved.csv", "before");
  g_autofree char *after = NULL;
  MtPredictDialog *dialog = open_predict (window);
  double longest = 0;

  choose (dialog, large);
  g_assert_true (says (dialog, "Checked the first "));
  for (guint i = 0; i < 5; i++)
    {
      gint64 start;

      mt_predict_dialog_save (dialog, saved);
      mt_app_settle (30 + 170 * i);
      g_assert_true (mt_predict_dialog_is_busy (dialog));
      start = g_get_monotonic_time ();
      g_assert_true (mt_predict_dialog_cancel (dialog));
      mt_app_wait (is_idle, dialog);
      longest = MAX (longest, (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC);
      g_assert_null (mt_predict_dialog_get_scoring (dialog));
    }
  g_test_message ("longest: %.3f s", longest);
  g_assert_cmpfloat (longest, <, 0.5);
  g_assert_true (g_file_get_contents (g_file_peek_path (saved), &after, NULL, NULL));
  g_assert_cmpstr (after, ==, "before");
  mt_predict_dialog_save (dialog, saved);
  gtk_window_close (GTK_WINDOW (dialog));      /* closing cancels, too */
  mt_app_settle (600);
  g_free (g_steal_pointer (&after));
  g_assert_true (g_file_get_contents (g_file_peek_path (saved), &after, NULL, NULL));
  g_assert_cmpstr (after, ==, "before");
  mt_app_window_end (window);
}

/* A thousand columns, of which the first are chosen with the pointer; and the window goes on meanwhile. */
static void
test_wide (void)
{
  MtWindow *window = open_trained ();
  g_autoptr (GString) text = g_string_new ("a,b,kind");
  g_autoptr (GFile) wide = NULL;
  MtPredictDialog *dialog = open_predict (window);
  MtHeartbeat *heart;
  GtkWidget *expander;

  for (guint i = 0; i < 997; i++)
    g_string_append_printf (text, ",column_%u", i);
  for (guint row = 0; row < 200; row++)
    {
      g_string_append_printf (text, "\n%u,%u,k%u", row % 100, row % 80, row % 3);
      for (guint i = 0; i < 997; i++)
        g_string_append_printf (text, ",%u", row * i % 17);
    }
  g_string_append_c (text, '\n');
  wide = mt_app_write ("wide.csv", text->str);
  heart = mt_heartbeat_start ();
  choose (dialog, wide);
  mt_app_settle (100);
  mt_heartbeat_stop (heart, "look at a wide file", MT_HEARTBEAT_LIMIT);
  expander = mt_app_find (GTK_WIDGET (dialog), ADW_TYPE_EXPANDER_ROW, NULL);
  g_assert_nonnull (expander);
  heart = mt_heartbeat_start ();
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (expander), TRUE);
  mt_app_settle (1500);
  mt_heartbeat_stop (heart, "list its columns", MT_HEARTBEAT_LIMIT);
  g_assert_true (says (dialog, "900 more columns cannot be chosen here"));
  {
    g_autoptr (GPtrArray) checks = mt_app_find_all (expander, GTK_TYPE_CHECK_BUTTON);

    g_assert_cmpuint (checks->len, ==, 100);
    gtk_check_button_set_active (checks->pdata[0], TRUE);     /* the first that the model does not use */
  }
  g_assert_cmpstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (expander)), ==, "column_0");
  heart = mt_heartbeat_start ();
  mt_predict_dialog_score (dialog);
  mt_app_wait (is_idle, dialog);
  mt_app_settle (200);
  mt_heartbeat_stop (heart, "score it", MT_HEARTBEAT_LIMIT);
  g_assert_cmpstr (mt_predict_dialog_get_scoring (dialog)->header[0], ==, "column_0");
  gtk_window_destroy (GTK_WINDOW (dialog));
  mt_app_window_end (window);
}

/* MINTERM_PREDICT_SHOTS: a folder for pictures. */
static void
test_shots (void)
{
  const char *folder = g_getenv ("MINTERM_PREDICT_SHOTS");
  g_autofree char *text = make_rows (500, "id,a,b,kind,level\n", 320);
  g_autofree char *odd = g_strdup_printf ("%s00900,,400,k9,low\n", text);
  g_autoptr (GFile) fresh = mt_app_write ("customers-2026.csv", odd);
  g_autoptr (GFile) names = mt_app_write ("names.csv", "id,A,b,other\n1,2,3,x\n2,3,4,y\n");
  MtWindow *window;

  if (folder == NULL)
    {
      g_test_skip ("no folder for pictures");
      return;
    }
  window = open_trained ();
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report"));
  for (int width = 1100; width >= 360; width -= 740)
    {
      g_autofree char *path = g_strdup_printf ("%s/report-%d.png", folder, width);

      gtk_window_set_default_size (GTK_WINDOW (window), width, 760);
      mt_app_settle (500);
      gtk_window_set_default_size (GTK_WINDOW (window), width, 760);   /* it can be narrower once it is narrow */
      mt_app_settle (2000);
      mt_app_shot (GTK_WIDGET (window), path);
    }
  for (guint width = 640; width >= 360; width -= 280)
    for (guint dark = 0; dark < 2; dark++)
      {
        MtPredictDialog *dialog;

        adw_style_manager_set_color_scheme (adw_style_manager_get_default (), dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                                   : ADW_COLOR_SCHEME_FORCE_LIGHT);
        dialog = open_predict (window);
        gtk_window_set_default_size (GTK_WINDOW (dialog), (int) width, 720);
        mt_app_settle (300);
        for (guint step = 0; step < 6; step++)
          {
            g_autofree char *path = g_strdup_printf ("%s/%u-%s-%u.png", folder, width, dark ? "dark" : "light", step);

            if (step == 1)
              choose (dialog, names);
            if (step == 2)
              {
                choose (dialog, fresh);
                mt_predict_dialog_set_key (dialog, "id", TRUE);
              }
            if (step == 3)
              {
                mt_predict_dialog_score (dialog);
                mt_app_wait (is_idle, dialog);
              }
            if (step == 4)
              {
                g_autoptr (GPtrArray) all = mt_app_find_all (dialog, GTK_TYPE_SCROLLED_WINDOW);

                for (guint i = 0; i < all->len; i++)
                  {
                    GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (all->pdata[i]);

                    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
                  }
              }
            if (step == 5)
              mt_predict_dialog_save (dialog, fresh);
            mt_app_settle (400);
            mt_app_shot (GTK_WIDGET (dialog), path);
          }
        gtk_window_destroy (GTK_WINDOW (dialog));
        mt_app_settle (50);
      }
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app-predict/scores", test_scores);
  g_test_add_func ("/app-predict/differs", test_differs);
  g_test_add_func ("/app-predict/cancel", test_cancel);
  g_test_add_func ("/app-predict/wide", test_wide);
  g_test_add_func ("/app-predict/shots", test_shots);
  return g_test_run ();
}
