/* The Report page, driven from inside: texts and what is blank, the pages on show, files and paper,
 * reasons, engine checks, and what of it a project brings back. */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "apputils.h"
#include "frontier/mt-frontier-page.h"
#include "report/mt-engines-group.h"
#include "document/mt-reason-notes.h"
#include "report/mt-reasons-dialog.h"
#include "report/mt-report-page.h"
#include "report/mt-report-saver.h"
#include "sample-models.h"
#include "study/mt-benchmarks.h"
#include "testutils.h"
#include "train-window.h"

static MtReportPage *
page_of (MtWindow *window)
{
  return MT_REPORT_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_REPORT_PAGE, NULL));
}

static gboolean
is_idle (gpointer page)
{
  return !mt_report_page_is_busy (page);
}

static void
wait_idle (MtWindow *window)
{
  mt_app_settle (250);   /* until changes have become a layout */
  mt_app_wait (is_idle, page_of (window));
}

static GFile *
write_rows (void)
{
  g_autoptr (GString) text = g_string_new ("a,b,kind,level\n");

  for (guint i = 0; i < 120; i++)
    {
      guint a = i * 37 % 101, b = i * 53 % 89, kind = i % 3;

      g_string_append_printf (text, "%u,%u,k%u,%s\n", a, b, kind, (a > 50 && kind == 1) != (i % 19 == 0) ? "high" : "low");
    }
  return mt_app_write ("rows.csv", text->str);
}

static MtWindow *
show_report (MtWindow *window)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report"));
  wait_idle (window);
  return window;
}

/* Without a name, so that closing it asks. */
static MtWindow *
open_and_train (MtColumnRole kind)      /* of the column with three values */
{
  g_autoptr (GFile) file = write_rows ();
  MtWindow *window = mt_app_window_new (1180, 760);

  mt_app_open (window, file);
  mt_document_set_role (mt_window_get_document (window), 3, MT_ROLE_TARGET);
  mt_document_set_role (mt_window_get_document (window), 2, kind);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  mt_app_wait_trained (window);
  return show_report (window);
}

static MtWindow *
open_trained (void)
{
  MtWindow *window = mt_app_window_new (1180, 760);

  mt_app_open_trained (window, "report");
  return show_report (window);
}

static GtkTextBuffer *
buffer_of (MtWindow   *window,
           const char *field)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (mt_app_find (GTK_WIDGET (window), GTK_TYPE_TEXT_VIEW, field)));
}

static void
assert_says (MtWindow   *window,
             const char *field,
             const char *expected)
{
  GtkTextBuffer *buffer = buffer_of (window, field);
  g_autofree char *text = NULL;

  g_object_get (buffer, "text", &text, NULL);
  g_assert_cmpstr (text, ==, expected);
}

static GtkWidget *
blank_row (MtWindow   *window,
           const char *title)
{
  GtkWidget *row = mt_app_find (GTK_WIDGET (page_of (window)), ADW_TYPE_ACTION_ROW, title);

  g_assert_nonnull (row);
  return row;
}

static GBytes *
dup_pixels (MtWindow *window)
{
  GdkTexture *texture = mt_pages_view_get_texture (mt_report_page_get_view (page_of (window)), 0);
  int width, height;
  guchar *pixels;

  g_assert_nonnull (texture);
  width = gdk_texture_get_width (texture);
  height = gdk_texture_get_height (texture);
  pixels = g_malloc ((gsize) width * (gsize) height * 4);
  gdk_texture_download (texture, pixels, (gsize) width * 4);
  return g_bytes_new_take (pixels, (gsize) width * (gsize) height * 4);
}

static AdwMessageDialog *
find_message (MtWindow *window)
{
  g_autoptr (GList) tops = gtk_window_list_toplevels ();

  for (GList *top = tops; top != NULL; top = top->next)
    if (ADW_IS_MESSAGE_DIALOG (top->data) && gtk_window_get_transient_for (top->data) == GTK_WINDOW (window))
      return top->data;
  return NULL;
}

static void
discard (MtWindow *window)
{
  gtk_window_close (GTK_WINDOW (window));
  mt_app_answer (window, "discard");
  mt_app_settle (50);
}

/* --- texts and pages --- */

static void
test_texts (void)
{
  MtWindow *window = mt_app_window_new (1180, 760);
  g_autoptr (GFile) file = write_rows ();
  g_autoptr (GBytes) before = NULL;
  g_autoptr (GBytes) after = NULL;
  g_autoptr (GBytes) back = NULL;
  MtReportForm *form;
  GtkWidget *row;

  /* No target, then nothing trained: the page says what to do. */
  mt_app_open (window, file);
  for (guint i = 0; i < 4; i++)
    mt_document_set_role (mt_window_get_document (window), i, MT_ROLE_FEATURE);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report");
  mt_app_settle (50);
  g_assert_false (mt_report_page_has_report (page_of (window)));
  g_assert_nonnull (mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_BUTTON, "Go to _Data"));
  mt_document_set_role (mt_window_get_document (window), 3, MT_ROLE_TARGET);
  mt_app_settle (250);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_BUTTON, "T_rain"));
  mt_app_window_end (window);

  window = open_and_train (MT_ROLE_FEATURE);
  form = mt_report_page_get_form (page_of (window));
  g_assert_cmpuint (mt_report_pages_get_n (mt_pages_view_get_pages (mt_report_page_get_view (page_of (window)))), >, 3);
  g_assert_cmpuint (mt_report_form_get_n_blank (form), ==, MT_N_REPORT_TEXTS);
  before = dup_pixels (window);

  /* A click on what is blank leads there; what is typed shrinks the list and changes the pages. */
  row = blank_row (window, "Author");
  g_assert_true (gtk_widget_get_visible (row));
  g_signal_emit_by_name (row, "activated");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) ==
                 mt_app_find (GTK_WIDGET (window), GTK_TYPE_TEXT_VIEW, "author"));
  gtk_text_buffer_set_text (buffer_of (window, "author"), "Ada <b>& co</b>", -1);
  g_assert_cmpuint (mt_report_form_get_n_blank (form), ==, MT_N_REPORT_TEXTS - 1);
  g_assert_false (gtk_widget_get_visible (row));
  g_assert_null (mt_document_get_note (mt_window_get_document (window), "author"));   /* no pause so far */
  mt_app_settle (800);
  g_assert_cmpstr (mt_document_get_note (mt_window_get_document (window), "author"), ==, "Ada <b>& co</b>");
  wait_idle (window);
  after = dup_pixels (window);
  g_assert_false (g_bytes_equal (before, after));

  /* Undone, it is as it was, to the pixel; and blank space says nothing. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  assert_says (window, "author", "");
  wait_idle (window);
  back = dup_pixels (window);
  g_assert_true (g_bytes_equal (before, back));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.redo", NULL);
  assert_says (window, "author", "Ada <b>& co</b>");
  /* Two fields within one pause are both kept, a step each. */
  gtk_text_buffer_set_text (buffer_of (window, "limits"), "some", -1);
  gtk_text_buffer_set_text (buffer_of (window, "changes"), "none", -1);
  mt_report_form_flush (form);
  g_assert_cmpstr (mt_document_get_note (mt_window_get_document (window), "limits"), ==, "some");
  g_assert_cmpstr (mt_document_get_note (mt_window_get_document (window), "changes"), ==, "none");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  assert_says (window, "limits", "some");
  assert_says (window, "changes", "");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  assert_says (window, "limits", "");
  gtk_text_buffer_set_text (buffer_of (window, "purpose"), "  \n ", -1);
  mt_report_form_flush (form);
  g_assert_null (mt_document_get_note (mt_window_get_document (window), "purpose"));
  g_assert_cmpuint (mt_report_form_get_n_blank (form), ==, MT_N_REPORT_TEXTS - 1);
  wait_idle (window);
  discard (window);
}

/* --- files --- */

static char *
read_file (const char *path,
           gsize      *length)
{
  g_autoptr (GError) error = NULL;
  char *text;

  g_file_get_contents (path, &text, length, &error);
  g_assert_no_error (error);
  return text;
}

static void
assert_same_files (const char *a,
                   const char *b)
{
  gsize n, m;
  g_autofree char *first = read_file (a, &n);
  g_autofree char *second = read_file (b, &m);

  g_assert_cmpmem (first, n, second, m);
  g_assert_cmpuint (n, >, 10000);
}

/* As when a person has chosen the file. */
static void
save (MtWindow *window,
      GFile    *file)
{
  g_signal_emit_by_name (mt_app_find (GTK_WIDGET (page_of (window)), MT_TYPE_REPORT_SAVER, NULL), "chosen", file);
  g_assert_true (mt_report_page_can_cancel (page_of (window)));
  wait_idle (window);
}

/* The same bytes as the command line gives. */
static void
test_files (void)
{
  MtWindow *window;
  g_autoptr (GFile) pdf = mt_app_write ("r.pdf", "");
  g_autoptr (GFile) html = mt_app_write ("r.html", "");
  g_autoptr (GFile) other = mt_app_write ("other", "");
  g_autoptr (GFile) file = mt_app_write ("report-model.json", "");
  g_autoptr (GFile) odd = mt_app_write ("r.docx", "old");
  g_autoptr (GFile) nowhere = g_file_new_for_path ("/nonexistent/r.pdf");
  g_autofree char *kept = NULL;
  AdwMessageDialog *message;

  {
    g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 7);
    g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 6, 11);

    g_assert_true (mt_model_save (model, g_file_peek_path (file), NULL));
  }
  window = mt_app_window_new (1180, 760);
  mt_app_open (window, file);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report"));
  gtk_text_buffer_set_text (buffer_of (window, "purpose"), "To decide & to explain", -1);
  wait_idle (window);
  save (window, pdf);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", g_file_peek_path (file), "--format", "pdf", "--text",
                                "purpose=To decide & to explain", "-o", g_file_peek_path (other), NULL), ==, 0);
  assert_same_files (g_file_peek_path (pdf), g_file_peek_path (other));
  save (window, html);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", g_file_peek_path (file), "--format", "html", "--text",
                                "purpose=To decide & to explain", "-o", g_file_peek_path (other), NULL), ==, 0);
  assert_same_files (g_file_peek_path (html), g_file_peek_path (other));

  /* Letter, by the paper's row. */
  mt_document_set_note (mt_window_get_document (window), MT_NOTE_PAPER, "letter", "Paper");
  save (window, pdf);
  g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "export", g_file_peek_path (file), "--format", "pdf", "--paper",
                                "letter", "--text", "purpose=To decide & to explain", "-o", g_file_peek_path (other),
                                NULL), ==, 0);
  assert_same_files (g_file_peek_path (pdf), g_file_peek_path (other));

  /* Cancelled at once: the file is what it was. */
  g_assert_true (g_file_set_contents (g_file_peek_path (pdf), "old", -1, NULL));
  mt_report_page_save (page_of (window), pdf);
  g_assert_true (mt_report_page_cancel (page_of (window)));
  g_assert_false (mt_report_page_cancel (page_of (window)));
  wait_idle (window);
  mt_app_settle (300);
  kept = read_file (g_file_peek_path (pdf), NULL);
  g_assert_cmpstr (kept, ==, "old");

  /* What cannot be written says why, and offers another place. */
  mt_report_page_save (page_of (window), nowhere);
  wait_idle (window);
  message = find_message (window);
  g_assert_nonnull (message);
  g_assert_true (adw_message_dialog_has_response (message, "again"));
  g_assert_nonnull (strstr (adw_message_dialog_get_body (message), "/nonexistent"));
  gtk_window_destroy (GTK_WINDOW (message));
  mt_report_page_save (page_of (window), odd);
  message = find_message (window);
  g_assert_nonnull (message);
  g_assert_nonnull (strstr (adw_message_dialog_get_body (message), ".pdf or .html"));
  gtk_window_destroy (GTK_WINDOW (message));
  mt_app_window_end (window);
}

/* The text of the pages on show; NULL: there is no pdftotext. */
static char *
read_pages (MtWindow *window)
{
  g_autoptr (GFile) paper = mt_app_write ("pages.pdf", "");
  g_autoptr (GtkPrintOperation) print = mt_report_page_make_print (page_of (window));
  g_autofree char *program = g_find_program_in_path ("pdftotext");
  g_autoptr (GSubprocess) process = NULL;
  char *text = NULL;

  gtk_print_operation_set_allow_async (print, FALSE);
  gtk_print_operation_set_export_filename (print, g_file_peek_path (paper));
  g_assert_cmpint (gtk_print_operation_run (print, GTK_PRINT_OPERATION_ACTION_EXPORT, GTK_WINDOW (window), NULL), ==,
                   GTK_PRINT_OPERATION_RESULT_APPLY);
  if (program == NULL)
    return NULL;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL, program, "-raw", g_file_peek_path (paper), "-", NULL);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &text, NULL, NULL));
  return text;
}

/* As many sheets as the file really has, by what is written on them: pdftotext ends each with a form feed. */
static void
assert_sheets (const char *text,
               guint       n_pages)
{
  g_auto (GStrv) sheets = g_strsplit (text, "\f", -1);

  g_assert_cmpuint (g_strv_length (sheets), ==, n_pages + 1);
  for (guint i = 0; i < n_pages; i++)
    {
      g_autofree char *foot = g_strdup_printf ("Page %u of %u", i + 1, n_pages);

      g_assert_nonnull (strstr (sheets[i], foot));
    }
}

/* On paper it is the same pages; pdftotext reads the same of both. */
static void
test_print (void)
{
  MtWindow *window = open_trained ();
  g_autoptr (GFile) paper = mt_app_write ("paper.pdf", "");
  g_autoptr (GtkPrintOperation) print = mt_report_page_make_print (page_of (window));
  g_autoptr (GError) error = NULL;
  MtReportPages *pages = mt_pages_view_get_pages (mt_report_page_get_view (page_of (window)));
  g_autofree char *text = NULL;
  g_autofree char *words = NULL;
  gsize length;

  g_assert_nonnull (print);
  gtk_print_operation_set_allow_async (print, FALSE);
  gtk_print_operation_set_export_filename (print, g_file_peek_path (paper));
  g_assert_cmpint (gtk_print_operation_run (print, GTK_PRINT_OPERATION_ACTION_EXPORT, GTK_WINDOW (window), &error), ==,
                   GTK_PRINT_OPERATION_RESULT_APPLY);
  g_assert_no_error (error);
  g_assert_cmpint (gtk_print_operation_get_n_pages_to_print (print), ==, (int) mt_report_pages_get_n (pages));
  text = read_file (g_file_peek_path (paper), &length);
  g_assert_cmpuint (length, >, 10000);
  g_assert_true (g_str_has_prefix (text, "%PDF-"));
  words = read_pages (window);
  if (words != NULL)
    assert_sheets (words, mt_report_pages_get_n (pages));
  else
    g_test_message ("there is no pdftotext here");
  mt_app_window_end (window);
}

static gboolean
has_findings (gpointer document)
{
  return mt_document_get_findings (document) != NULL;
}

/* What the Data page says of the data is in the report: what is open, and what was dismissed with its reason. */
static void
test_findings (void)
{
  g_autoptr (GString) text = g_string_new ("pressure,kind,ill\n");
  g_autoptr (GFile) file = NULL;
  g_autoptr (GFile) html = mt_app_write ("f.html", "");
  MtWindow *window = mt_app_window_new (1180, 760);
  MtDocument *document = mt_window_get_document (window);
  const MtFinding *finding = NULL;
  g_autofree char *open = NULL;
  g_autofree char *dismissed = NULL;

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (text, "%u,k%u,%s\n", i == 17 ? 0 : 120 + i * 37 % 40, i % 3, i * 37 % 40 > 22 ? "yes" : "no");
  file = mt_app_write ("pressure.csv", text->str);
  mt_app_train (window, file, "ill");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report"));
  mt_app_wait (has_findings, document);
  wait_idle (window);
  for (guint i = 0; i < mt_document_get_findings (document)->len; i++)
    if (g_str_equal (((MtFinding *) mt_document_get_findings (document)->pdata[i])->code, "disguised-missing"))
      finding = mt_document_get_findings (document)->pdata[i];
  g_assert_nonnull (finding);
  save (window, html);
  open = read_file (g_file_peek_path (html), NULL);
  g_assert_nonnull (strstr (open, finding->message));
  g_assert_nonnull (strstr (open, "</td><td>open</td>"));
  g_assert_null (strstr (open, "There are no findings in the data"));
  g_assert_null (strstr (open, "</td><td>dismissed</td>"));
  mt_document_dismiss (document, finding, "it was measured so");
  wait_idle (window);
  save (window, html);
  dismissed = read_file (g_file_peek_path (html), NULL);
  g_assert_nonnull (strstr (dismissed, finding->message));
  g_assert_nonnull (strstr (dismissed, "</td><td>dismissed</td>"));
  g_assert_nonnull (strstr (dismissed, "<td>it was measured so</td>"));
  mt_app_window_end (window);
}

/* Pages leave the test rows alone until they are asked for; what is saved says for how many models they were. */
static void
test_test_rows (void)
{
  MtWindow *window = open_trained ();
  MtStudy *study = mt_window_get_study (window);
  g_autoptr (GFile) html = mt_app_write ("t.html", "");
  g_autofree char *spared = read_pages (window);
  g_autofree char *measured = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  GPtrArray *points = mt_run_get_points (mt_frontier_item_get_run (mt_study_get_selected (study)));
  MtPagesView *view;

  g_assert_cmpuint (points->len, >, 1);
  save (window, html);
  first = read_file (g_file_peek_path (html), NULL);
  g_assert_nonnull (strstr (first, "for this model only"));
  g_assert_nonnull (strstr (first, "AUC, test"));
  g_assert_nonnull (strstr (first, "minterm-cli train"));
  mt_study_set_selected (study, points->pdata[mt_study_get_selected (study) == points->pdata[0] ? 1 : 0]);
  wait_idle (window);
  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "report.measure", NULL);
  wait_idle (window);
  mt_app_settle (100);
  view = mt_report_page_get_view (page_of (window));   /* which goes to them */
  g_assert_cmpuint (mt_pages_view_get_page (view), ==,
                    mt_report_pages_find (mt_pages_view_get_pages (view), "section-12"));
  measured = read_pages (window);
  save (window, html);
  second = read_file (g_file_peek_path (html), NULL);
  g_assert_nonnull (strstr (second, "shown for 2 models of this project"));
  if (spared != NULL)
    {
      g_assert_nonnull (strstr (spared, "It does not use the test rows"));
      g_assert_null (strstr (spared, "AUC, test"));
      g_assert_nonnull (strstr (measured, "AUC, test"));
    }
  else
    g_test_message ("there is no pdftotext here");
  mt_app_window_end (window);
}

static gboolean
has_benchmarks (gpointer window)
{
  MtFrontierPage *page = MT_FRONTIER_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_FRONTIER_PAGE, NULL));

  return mt_benchmarks_get (mt_frontier_page_get_benchmarks (page)) != NULL;
}

/* The baselines that the Frontier page shows are in the report, too. */
static void
test_benchmarks (void)
{
  MtWindow *window = open_trained ();
  g_autoptr (GFile) html = mt_app_write ("b.html", "");
  g_autofree char *text = NULL;

  mt_app_wait (has_benchmarks, window);
  wait_idle (window);
  save (window, html);
  text = read_file (g_file_peek_path (html), NULL);
  g_assert_null (strstr (text, "Not available: baselines"));
  g_assert_nonnull (strstr (text, "boosted trees"));
  g_assert_nonnull (strstr (text, "intercept only"));
  mt_app_window_end (window);
}

/* A column to report by is in no rule and in no split: three values are no matter to five folds. */
static void
test_report_by (void)
{
  MtWindow *window = open_and_train (MT_ROLE_REPORT);
  MtSelectedModel *fitted = mt_study_get_fitted (mt_window_get_study (window));
  g_autoptr (GFile) html = mt_app_write ("by.html", "");
  g_autofree char *text = NULL;

  g_assert_nonnull (fitted);
  for (guint i = 0; i < mt_encoder_get_n_columns (fitted->basis->encoder); i++)
    g_assert_cmpstr (mt_encoder_get_column_name (fitted->basis->encoder, i), !=, "kind");
  save (window, html);
  text = read_file (g_file_peek_path (html), NULL);
  g_assert_nonnull (strstr (text, "By kind"));
  g_assert_nonnull (strstr (text, "--role=kind=report"));     /* in the command that makes the model again */
  discard (window);
}

static gboolean
has_fitted (gpointer window)
{
  return mt_study_get_fitted (mt_window_get_study (window)) != NULL;
}

/* So it is in a project that is opened again. */
static void
test_test_rows_kept (void)
{
  MtWindow *window = open_trained ();
  g_autoptr (GFile) project = mt_app_write ("tested.minterm", ""), html = mt_app_write ("t.html", "");

  g_file_delete (project, NULL, NULL);
  mt_window_save_as (window, project);
  mt_app_wait (mt_train_window_is_saved, window);
  for (guint round = 1; round <= 2; round++)
    {
      MtStudy *study = mt_window_get_study (window);
      g_autoptr (MtFrontierItem) item = g_list_model_get_item (mt_study_get_points (study), round);
      g_autofree char *text = NULL;

      mt_study_set_selected (study, item);
      gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report");
      mt_app_settle (300);
      mt_app_wait (has_fitted, window);
      wait_idle (window);
      save (window, html);
      text = read_file (g_file_peek_path (html), NULL);
      g_assert_nonnull (strstr (text, round == 1 ? "for this model only" : "shown for 2 models of this project"));
      mt_app_wait (mt_train_window_is_saved, window);
      mt_app_window_end (window);
      window = mt_app_window_new (1180, 800);
      mt_app_open (window, project);
      mt_app_wait (has_fitted, window);   /* its models are read after it is shown */
    }
  mt_app_window_end (window);
}

/* --- reasons and engines --- */

static MtReasonsDialog *
find_reasons (MtWindow *window)
{
  g_autoptr (GList) tops = gtk_window_list_toplevels ();

  for (GList *top = tops; top != NULL; top = top->next)
    if (MT_IS_REASONS_DIALOG (top->data))
      return top->data;
  return NULL;
}

static gboolean
is_checked (gpointer group)
{
  return mt_engines_group_get_report (group) != NULL;
}

static gboolean
is_export_idle (gpointer dialog)
{
  return !mt_export_dialog_is_busy (dialog);
}

/* What was verified where the model is exported counts in the report, stays with what was verified here, is kept with the
 * project, and is known where it is exported again. */
static void
test_checked_elsewhere (void)
{
  static const char * const engines[] = { "json", NULL };
  MtWindow *window = open_trained ();
  g_autoptr (GFile) project = mt_app_write ("elsewhere.minterm", "");
  MtEnginesGroup *group = MT_ENGINES_GROUP (mt_app_find (GTK_WIDGET (window), MT_TYPE_ENGINES_GROUP, NULL));
  g_autofree char *pages = NULL;
  MtExportDialog *dialog;

  g_unlink (g_file_peek_path (project));
  mt_window_save_as (window, project);
  dialog = mt_app_open_export (window);
  mt_export_dialog_set_format (dialog, MT_EXPORT_PYTHON, MT_SQL_SQLITE);
  mt_export_dialog_verify (dialog);
  mt_app_wait (is_export_idle, dialog);
  g_assert_cmpstr (mt_export_dialog_get_claim (dialog), ==, "Verified with python3");
  gtk_window_close (GTK_WINDOW (dialog));
  wait_idle (window);
  g_assert_nonnull (mt_engines_group_get_report (group));
  g_assert_cmpuint (mt_engines_group_get_report (group)->n_checks, ==, 1);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (group), GTK_TYPE_LABEL, "1 engine agrees."));
  g_assert_false (gtk_widget_get_visible (blank_row (window, "Not verified in any engine")));
  mt_engines_group_verify (group, engines);
  wait_idle (window);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (group), GTK_TYPE_LABEL, "1 engine agrees."));   /* Minterm itself is none */
  pages = read_pages (window);
  if (pages != NULL)
    g_assert_nonnull (strstr (pages, "python3"));
  dialog = mt_app_open_export (window);
  g_assert_cmpstr (mt_export_dialog_get_claim (dialog), ==, "Not verified yet");
  mt_export_dialog_set_format (dialog, MT_EXPORT_PYTHON, MT_SQL_SQLITE);
  g_assert_cmpstr (mt_export_dialog_get_claim (dialog), ==, "Verified with python3");
  gtk_window_close (GTK_WINDOW (dialog));
  while (mt_window_is_saving (window))
    g_main_context_iteration (NULL, TRUE);
  mt_app_window_end (window);

  window = mt_app_window_new (1180, 760);
  mt_window_open (window, project);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report"));
  mt_app_wait (is_checked, mt_app_find (GTK_WIDGET (window), MT_TYPE_ENGINES_GROUP, NULL));
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "1 engine agrees."));
  wait_idle (window);
  mt_app_window_end (window);
}

/* Written, told to a row, exported; checked; and all of it back when the project is opened again. */
static void
test_kept (void)
{
  static const char * const engines[] = { "json", "python3", NULL };
  MtWindow *window = open_trained ();
  g_autoptr (GFile) project = mt_app_write ("kept.minterm", "");
  MtReasonsDialog *dialog;
  MtEnginesGroup *group = MT_ENGINES_GROUP (mt_app_find (GTK_WIDGET (window), MT_TYPE_ENGINES_GROUP, NULL));
  const MtVerifyReport *report;

  g_unlink (g_file_peek_path (project));
  g_assert_true (gtk_widget_get_visible (blank_row (window, "Not verified in any engine")));
  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "report.reasons", NULL);
  dialog = find_reasons (window);
  g_assert_nonnull (dialog);
  g_assert_null (strstr (mt_reasons_dialog_get_told (dialog), "Because we say so"));
  for (guint t = 0; t < mt_rule_set_get_n_terms (mt_study_get_fitted (mt_window_get_study (window))->point.rules); t++)
    gtk_editable_set_text (GTK_EDITABLE (mt_reasons_dialog_get_entry (dialog, t)), "Because we say so");
  mt_reasons_dialog_flush (dialog);
  g_assert_nonnull (strstr (mt_reasons_dialog_get_told (dialog), "1. Because we say so"));
  gtk_window_close (GTK_WINDOW (dialog));
  gtk_text_buffer_set_text (buffer_of (window, "limits"), "Not for children.", -1);
  wait_idle (window);
  mt_app_settle (700);

  /* Cancelled, a check claims nothing; finished, it does, of that model. */
  mt_engines_group_verify (group, engines);
  g_assert_true (mt_report_page_cancel (page_of (window)));
  g_assert_null (mt_engines_group_get_report (group));
  wait_idle (window);
  mt_engines_group_verify (group, engines);
  mt_app_wait (is_checked, group);
  report = mt_engines_group_get_report (group);
  g_assert_cmpuint (report->n_checks, ==, 2);
  g_assert_cmpint (report->checks[0].status, ==, MT_VERIFY_AGREES);
  g_assert_cmpint (report->checks[1].status, ==, MT_VERIFY_AGREES);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (group), ADW_TYPE_ACTION_ROW, "python3"));
  mt_window_save_as (window, project);
  while (mt_window_is_saving (window))
    g_main_context_iteration (NULL, TRUE);
  mt_app_window_end (window);

  window = mt_app_window_new (1180, 760);
  mt_window_open (window, project);
  mt_app_settle (300);
  mt_app_wait_idle (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report");
  wait_idle (window);
  assert_says (window, "limits", "Not for children.");
  assert_says (window, "author", "");
  g_assert_nonnull (strstr (mt_document_get_note (mt_window_get_document (window), MT_NOTE_REASONS), "Because we say so"));
  group = MT_ENGINES_GROUP (mt_app_find (GTK_WIDGET (window), MT_TYPE_ENGINES_GROUP, NULL));
  mt_app_wait (is_checked, group);

  /* Another reason makes it another model, and that one was not checked. */
  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "report.reasons", NULL);
  dialog = find_reasons (window);
  gtk_editable_set_text (GTK_EDITABLE (mt_reasons_dialog_get_entry (dialog, 0)), "");
  gtk_window_close (GTK_WINDOW (dialog));
  wait_idle (window);
  g_assert_null (mt_engines_group_get_report (group));
  mt_app_window_end (window);
}

/* A model by itself: pages without rows, a check beside its file. */
static void
test_bare (void)
{
  static const char * const engines[] = { "json", NULL };
  g_autoptr (GFile) file = mt_app_write ("bare.json", "");
  g_autofree char *sidecar = mt_verify_dup_path (g_file_peek_path (file));
  g_autoptr (MtVerifyReport) report = NULL;
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_MULTICLASS, 300, 7);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_MULTICLASS, table, 4, 11);
  MtWindow *window = mt_app_window_new (380, 700);
  MtEnginesGroup *group;

  g_assert_true (mt_model_save (model, g_file_peek_path (file), NULL));
  mt_app_open (window, file);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report"));
  wait_idle (window);
  g_assert_true (mt_report_page_has_report (page_of (window)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (mt_report_page_get_view (page_of (window)))));   /* narrow */
  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "report.side", "s", "pages");
  wait_idle (window);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (mt_report_page_get_view (page_of (window)))));
  g_assert_nonnull (mt_pages_view_get_texture (mt_report_page_get_view (page_of (window)), 0));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 380);
  group = MT_ENGINES_GROUP (mt_app_find (GTK_WIDGET (window), MT_TYPE_ENGINES_GROUP, NULL));
  mt_engines_group_verify (group, engines);
  mt_app_wait (is_checked, group);
  report = mt_verify_report_load (sidecar, NULL);
  g_assert_nonnull (report);
  g_assert_cmpuint (report->n_checks, ==, 1);
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  g_setenv ("SOURCE_DATE_EPOCH", "1700000000", TRUE);
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/report/texts", test_texts);
  g_test_add_func ("/app/report/files", test_files);
  g_test_add_func ("/app/report/print", test_print);
  g_test_add_func ("/app/report/findings", test_findings);
  g_test_add_func ("/app/report/benchmarks", test_benchmarks);
  g_test_add_func ("/app/report/by", test_report_by);
  g_test_add_func ("/app/report/test-rows", test_test_rows);
  g_test_add_func ("/app/report/test-rows-kept", test_test_rows_kept);
  g_test_add_func ("/app/report/kept", test_kept);
  g_test_add_func ("/app/report/checked-elsewhere", test_checked_elsewhere);
  g_test_add_func ("/app/report/bare", test_bare);
  return g_test_run ();
}
