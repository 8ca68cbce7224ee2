/* The same figures and bytes in all places: Quality page, report, and minterm-cli; and before and after a project was closed. */
#include "config.h"

#include <string.h>

#include "document/mt-subgroup-columns.h"
#include "performance/mt-performance-page.h"
#include "performance/mt-subgroup-card.h"
#include "report/mt-report-page.h"
#include "rules-window.h"
#include "train-window.h"
#include "util/mt-format.h"

static MtPerformancePage *
page_of (MtWindow *window)
{
  return MT_PERFORMANCE_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_PERFORMANCE_PAGE, NULL));
}

static gboolean
is_measured (gpointer page)
{
  return mt_performance_page_get (page) != NULL && !mt_performance_page_is_busy (page);
}

static const MtPerformance *
show_rows (MtWindow          *window,
           const char        *label,
           MtPerformanceRows  rows)
{
  MtPerformancePage *page = page_of (window);
  GtkWidget *button = mt_app_find (GTK_WIDGET (page), GTK_TYPE_TOGGLE_BUTTON, label);

  g_assert_nonnull (button);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  if (rows == MT_PERFORMANCE_TEST)
    mt_app_answer (window, "show");
  mt_app_wait (is_measured, page);
  g_assert_cmpuint (mt_performance_page_get (page)->rows, ==, rows);
  return mt_performance_page_get (page);
}

static gboolean
is_idle (gpointer dialog)
{
  return !mt_export_dialog_is_busy (dialog);
}

static char *
export_json (MtWindow   *window,
             const char *name,
             char      **path)
{
  g_autoptr (GFile) file = mt_app_write (name, "");
  MtExportDialog *dialog = mt_app_open_export (window);
  char *text;

  mt_export_dialog_set_format (dialog, MT_EXPORT_JSON, MT_SQL_SQLITE);
  mt_export_dialog_save (dialog, file);
  mt_app_wait (is_idle, dialog);
  gtk_window_close (GTK_WINDOW (dialog));
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &text, NULL, NULL));
  if (path != NULL)
    *path = g_file_get_path (file);
  return text;
}

/* --- figures --- */

/* What minterm-cli says of these rows of the file. */
static char *
evaluate (MtWindow            *window,
          const char          *model,
          const MtPerformance *shown,
          const char          *by)       /* NULL: no column */
{
  g_autofree char *text = NULL, *rows_path = NULL;
  g_autoptr (GString) part = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  g_autoptr (GFile) file = NULL;
  const char *path = g_file_peek_path (mt_document_get_file (mt_window_get_document (window)));
  const char *argv[] = { g_getenv ("MINTERM_CLI"), "evaluate", model, NULL, "--json", by != NULL ? "--by" : NULL, by, NULL };
  g_autoptr (GError) error = NULL;
  char *out = NULL;
  int status;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_string_append_printf (part, "%s\n", lines[0]);
  for (gsize i = 0; i < shown->scored.n_rows; i++)
    g_string_append_printf (part, "%s\n", lines[shown->table_rows[i] + 1]);
  file = mt_app_write ("part.csv", part->str);
  rows_path = g_file_get_path (file);
  argv[3] = rows_path;
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL, &status, &error));
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, &error));
  return out;
}

static double
read_number (const char *json,
             const char *metric,
             const char *key)
{
  g_autofree char *wanted = g_strdup_printf ("\"%s\": {", metric);
  g_autofree char *name = g_strdup_printf ("\"%s\": ", key);
  const char *at = strstr (json, wanted);

  g_assert_nonnull (at);
  at = strstr (at, name);
  g_assert_nonnull (at);
  return g_ascii_strtod (at + strlen (name), NULL);
}

/* Cells end in |, other tags are left out. */
static char *
read_text (const char *html)
{
  GString *text = g_string_new (NULL);

  for (const char *at = html; *at != '\0'; at++)
    if (g_str_has_prefix (at, "&#10;"))
      {
        g_string_append_c (text, '\n');
        at += strlen ("&#10;") - 1;
      }
    else if (*at != '<')
      g_string_append_c (text, *at);
    else
      {
        if (g_str_has_prefix (at, "</td") || g_str_has_prefix (at, "</th"))
          g_string_append_c (text, '|');
        at = strchr (at, '>');
      }
  return g_string_free (text, FALSE);
}

static gboolean
is_report_idle (gpointer page)
{
  return !mt_report_page_is_busy (page);
}

static char *
save_report (MtWindow *window)
{
  MtReportPage *page = MT_REPORT_PAGE (mt_app_find (GTK_WIDGET (window), MT_TYPE_REPORT_PAGE, NULL));
  g_autoptr (GFile) file = mt_app_write ("report.html", "");
  g_autofree char *html = NULL;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "report");
  mt_app_settle (300);
  mt_app_wait (is_report_idle, page);
  mt_report_page_save (page, file);
  mt_app_wait (is_report_idle, page);
  mt_app_settle (100);
  g_assert_true (g_file_get_contents (g_file_peek_path (file), &html, NULL, NULL));
  return read_text (html);
}

static void
assert_has (const char *text,
            const char *wanted)
{
  if (strstr (text, wanted) == NULL)
    {
      const char *metric = strstr (text, "95% interval|");

      g_test_message ("%.900s", metric != NULL ? metric : "no figures");
      g_error ("the report does not say %s", wanted);
    }
}

/* The figures of these rows, in full by minterm-cli and in four digits in the report. */
static void
assert_same (MtWindow            *window,
             const MtPerformance *shown,
             const char          *model,
             const char          *report)
{
  g_autofree char *json = evaluate (window, model, shown, NULL);
  g_autofree MtInterval *intervals = g_new0 (MtInterval, shown->how.n_metrics);
  guint n = shown->scored.n_classes;

  g_assert_true (mt_performance_measure (shown, intervals, NULL, NULL));
  for (guint m = 0; m < shown->how.n_metrics; m++)
    {
      const char *name = mt_metric_to_string (shown->how.metrics[m]);
      char value[G_ASCII_DTOSTR_BUF_SIZE], low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *cell = NULL;

      g_assert_cmpfloat (read_number (json, name, "value"), ==, shown->metrics[m]);
      g_assert_cmpfloat (read_number (json, name, "low"), ==, intervals[m].low);
      g_assert_cmpfloat (read_number (json, name, "high"), ==, intervals[m].high);
      if (n == 0)
        continue;   /* the report rounds numbers by their size */
      cell = g_strdup_printf ("%s\n%s … %s|", g_ascii_formatd (value, sizeof value, "%.4f", shown->metrics[m]),
                              g_ascii_formatd (low, sizeof low, "%.4f", intervals[m].low),
                              g_ascii_formatd (high, sizeof high, "%.4f", intervals[m].high));
      assert_has (report, cell);
    }
  if (n > 0 && shown->rows == MT_PERFORMANCE_TEST)   /* the rows that the report counts decisions of */
    {
      g_autofree gsize *counts = g_new0 (gsize, (gsize) n * n);

      mt_scored_count_decisions (&shown->scored, counts);
      for (guint t = 0; t < n; t++)
        {
          g_autoptr (GString) line = g_string_new ("|");
          gsize all = 0;

          for (guint c = 0; c < n; c++)
            {
              g_string_append_printf (line, "%zu|", counts[t * n + c]);
              all += counts[t * n + c];
            }
          g_string_append_printf (line, "%zu|", all);
          assert_has (report, line->str);
        }
    }
}

/* A label with these words stands somewhere in it. */
static gboolean
shows (GtkWidget  *top,
       const char *text)
{
  g_autoptr (GPtrArray) labels = mt_app_find_all (top, GTK_TYPE_LABEL);

  for (guint i = 0; i < labels->len; i++)
    if (g_str_equal (gtk_label_get_label (labels->pdata[i]), text))
      return TRUE;
  return FALSE;
}

/* Of each value of "kind": number of rows and figures with their intervals, on the screen as by minterm-cli. */
static void
test_subgroups (void)
{
  static const char * const kinds[] = { "k0", "k1", "k2" }, * const names[] = { "auc", "accuracy" };
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  g_autofree char *model = NULL, *file = export_json (window, "model.json", &model);
  const MtPerformance *shown;
  g_autofree char *json = NULL;
  GtkWidget *card;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "performance");
  mt_app_wait (is_measured, page_of (window));
  shown = show_rows (window, "T_raining Rows", MT_PERFORMANCE_TRAINING);
  json = evaluate (window, model, shown, "kind");
  card = mt_app_find (GTK_WIDGET (page_of (window)), MT_TYPE_SUBGROUP_CARD, NULL);
  mt_subgroup_columns_set (mt_window_get_document (window), "kind", TRUE);
  mt_app_wait (is_measured, page_of (window));
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autofree char *begin = g_strdup_printf ("\"value\": \"%s\"", kinds[k]);
      const char *group = strstr (json, begin);
      g_autofree char *rows = NULL;

      g_assert_nonnull (group);
      rows = g_strdup_printf ("%.0f", g_ascii_strtod (strstr (group, "\"rows\": ") + strlen ("\"rows\": "), NULL));
      g_assert_true (shows (card, kinds[k]));
      g_assert_true (shows (card, rows));
      for (guint m = 0; m < G_N_ELEMENTS (names); m++)
        {
          g_autofree char *value = mt_format_fixed (read_number (group, names[m], "value"), 3);
          g_autofree char *low = mt_format_fixed (read_number (group, names[m], "low"), 3);
          g_autofree char *high = mt_format_fixed (read_number (group, names[m], "high"), 3);
          g_autofree char *range = g_strdup_printf ("%s – %s", low, high);

          g_test_message ("%s %s: %s, %s", kinds[k], names[m], value, range);
          g_assert_true (shows (card, value));
          g_assert_true (shows (card, range));
        }
    }
  mt_app_window_end (window);
}

static void
test_figures (gconstpointer target)
{
  MtWindow *window = mt_rules_window_open (target, 1200);
  g_autofree char *model = NULL, *json = export_json (window, "model.json", &model);
  g_autofree char *report = save_report (window);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "performance");
  mt_app_wait (is_measured, page_of (window));
  assert_same (window, show_rows (window, "T_raining Rows", MT_PERFORMANCE_TRAINING), model, report);
  /* The report has shown the test rows of this model, so that nothing is asked any more. */
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (mt_app_find (GTK_WIDGET (page_of (window)), GTK_TYPE_TOGGLE_BUTTON,
                                                                "_Test Rows")), TRUE);
  mt_app_settle (50);
  g_assert_null (mt_app_find_question (window));
  mt_app_wait (is_measured, page_of (window));
  g_assert_cmpuint (mt_performance_page_get (page_of (window))->rows, ==, MT_PERFORMANCE_TEST);
  assert_same (window, mt_performance_page_get (page_of (window)), model, report);
  mt_app_window_end (window);
}

/* --- bytes --- */

/* A report names its model by the hash of the file: closing the project must not make it another file. */
static void
test_reopened (void)
{
  MtWindow *window = mt_app_window_new (1180, 760);
  MtDocument *document = mt_window_get_document (window);
  g_autoptr (GString) text = g_string_new ("id,a,b,kind,area,level\n");
  g_autoptr (GFile) file = NULL, folder = NULL, project = NULL;
  g_autofree char *before = NULL, *after = NULL, *again = NULL;

  for (guint i = 0; i < 150; i++)
    g_string_append_printf (text, "n%u,%u,%u,k%u,r%u,%s\n", i, i * 37 % 101, i * 53 % 89, i % 3, i % 4,
                            (i * 37 % 101 > 50) != (i % 17 == 0) ? "high" : "low");
  file = mt_app_write ("again.csv", text->str);
  folder = g_file_get_parent (file);
  project = g_file_get_child (folder, "again.minterm");
  g_file_delete (project, NULL, NULL);
  mt_app_open (window, file);
  mt_document_set_role (document, 5, MT_ROLE_TARGET);
  mt_document_set_role (document, 3, MT_ROLE_IGNORED);
  mt_document_set_role (document, 3, MT_ROLE_FEATURE);    /* as it was guessed */
  mt_document_set_role (document, 4, MT_ROLE_REPORT);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.train", NULL));
  mt_app_wait_trained (window);
  before = export_json (window, "before.json", NULL);
  mt_window_save_as (window, project);
  mt_app_wait (mt_train_window_is_saved, window);
  after = export_json (window, "after.json", NULL);
  g_assert_cmpstr (after, ==, before);
  mt_app_window_end (window);
  window = mt_app_window_new (1180, 760);
  mt_app_open (window, project);
  mt_app_settle (100);
  again = export_json (window, "again.json", NULL);
  g_assert_cmpstr (again, ==, before);
  mt_app_window_end (window);
}

int
main (int argc, char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_data_func ("/app/same/figures/answer", "answer", test_figures);
  g_test_add_data_func ("/app/same/figures/level", "level", test_figures);
  g_test_add_data_func ("/app/same/figures/amount", "amount", test_figures);
  g_test_add_func ("/app/same/subgroups", test_subgroups);
  g_test_add_func ("/app/same/reopened", test_reopened);
  return g_test_run ();
}
