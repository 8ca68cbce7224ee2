/* Core speaks the language of whoever asked it to, and files stay English: a small catalogue is made,
 * then the same things are said and written with and without it. */
#include "config.h"

#include <libintl.h>
#include <locale.h>
#include <string.h>

#include "mt-core.h"
#include "sample-models.h"
#include "testutils.h"

static const char catalogue[] =
  "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n\"\n"
  "msgid \"“%s” is empty in all %zu rows: %s.\"\nmsgstr \"„%s“ ist in allen %zu Zeilen leer: %s.\"\n"
  "msgid \"ignore it\"\nmsgstr \"Spalte ignorieren\"\n"
  "msgid \"it is ignored\"\nmsgstr \"sie wird ignoriert\"\n"
  "msgid \"%zu of %zu rows (%s) has no value for the target “%s” and is excluded from training and testing: "
  "check that it is not a special case.\"\n"
  "msgid_plural \"%zu of %zu rows (%s) have no value for the target “%s” and are excluded from training and testing: "
  "check that they are not a special group.\"\n"
  "msgstr[0] \"%zu von %zu Zeilen (%s) hat keinen Wert im Ziel „%s“.\"\n"
  "msgstr[1] \"%zu von %zu Zeilen (%s) haben keinen Wert im Ziel „%s“.\"\n"
  "#, c-format\nmsgid \"Line %<PRIu64>: a quote opens here but is never closed. Close it, or double the quote if it is part of "
  "the text (%s)\"\n"
  "msgstr \"Zeile %<PRIu64>: Das Anführungszeichen wird nie geschlossen (%s)\"\n"
  "#, c-format\nmsgid \"%s%%\"\nmsgstr \"%s %%\"\n"
  "msgctxt \"type of a column\"\nmsgid \"number\"\nmsgstr \"Zahl\"\n"
  "msgid \"all values are numbers\"\nmsgstr \"alle Werte sind Zahlen\"\n"
  "msgid \" and \"\nmsgstr \" und \"\n"
  "msgid \", or \"\nmsgstr \", oder \"\n"
  "msgid \"is %s\"\nmsgstr \"ist %s\"\n"
  "msgid \"is not %s\"\nmsgstr \"ist nicht %s\"\n"
  "msgid \"is missing\"\nmsgstr \"fehlt\"\n"
  "msgid \"< %s or missing\"\nmsgstr \"< %s oder fehlt\"\n";

static char *folder;
static const char *lacking;   /* what this machine has not, for a skip */

static void
make_catalogue (void)
{
  g_autofree char *languages = g_build_filename (folder, "de", "LC_MESSAGES", NULL);
  g_autofree char *source = g_build_filename (folder, "de.po", NULL);
  g_autofree char *target = g_build_filename (languages, GETTEXT_PACKAGE ".mo", NULL);
  const char *argv[] = { "msgfmt", "--check-format", "-o", target, source, NULL };
  int status = 1;

  g_mkdir_with_parents (languages, 0700);
  g_assert_true (g_file_set_contents (source, catalogue, -1, NULL));
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL) || status != 0)
    lacking = "msgfmt is not installed";
  else if (setlocale (LC_ALL, "de_DE.UTF-8") == NULL)
    lacking = "the locale de_DE.UTF-8 cannot be compiled here";
  bindtextdomain (GETTEXT_PACKAGE, folder);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

static MtImport *
import_text (const char  *text,
             GError     **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return mt_import_bytes (bytes, NULL, NULL, error);
}

/* 40 rows, an empty column, and three rows without a target. */
static MtImport *
import_sample (void)
{
  g_autoptr (GString) text = g_string_new ("size,colour,empty,y\n");
  g_autoptr (GError) error = NULL;
  MtImport *import;

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (text, "%u.5,%s,,%s\n", i * 7 % 40, i % 3 == 0 ? "red" : "blue",
                            i < 3 ? "" : i * 7 % 40 > 20 ? "yes" : "no");
  import = import_text (text->str, &error);
  g_assert_no_error (error);
  return import;
}

static const MtFinding *
find (GPtrArray  *findings,
      const char *code)
{
  for (guint i = 0; i < findings->len; i++)
    if (g_str_equal (((MtFinding *) findings->pdata[i])->code, code))
      return findings->pdata[i];
  g_assert_not_reached ();
}

static void
test_findings (void)
{
  static const char said[] = "“empty” is empty in all 40 rows: it is ignored.";
  g_autoptr (MtImport) import = import_sample ();
  g_autoptr (GPtrArray) plain = NULL;
  g_autoptr (GPtrArray) translated = NULL;

  if (lacking != NULL)
    {
      g_test_skip (lacking);
      return;
    }
  mt_i18n_set_translated (FALSE);
  plain = mt_findings_scan (mt_import_get_table (import), NULL, NULL);
  g_assert_cmpstr (find (plain, "all-missing")->message, ==, said);
  g_assert_null (find (plain, "all-missing")->shown);

  mt_i18n_set_translated (TRUE);
  translated = mt_findings_scan (mt_import_get_table (import), NULL, NULL);
  g_assert_cmpstr (find (translated, "all-missing")->shown, ==, "„empty“ ist in allen 40 Zeilen leer: sie wird ignoriert.");
  g_assert_cmpstr (find (translated, "missing-target")->shown, ==,
                   "3 von 40 Zeilen (7" MT_I18N_MARK "5 %) haben keinen Wert im Ziel „y“.");
  /* What goes into files is the same, whatever is shown. */
  g_assert_cmpuint (plain->len, ==, translated->len);
  for (guint i = 0; i < plain->len; i++)
    g_assert_cmpstr (((MtFinding *) plain->pdata[i])->message, ==, ((MtFinding *) translated->pdata[i])->message);

  mt_i18n_begin_english ();
  g_clear_pointer (&translated, g_ptr_array_unref);
  translated = mt_findings_scan (mt_import_get_table (import), NULL, NULL);
  mt_i18n_end_english ();
  g_assert_null (find (translated, "all-missing")->shown);
}

static void
test_reasons_and_errors (void)
{
  g_autoptr (MtImport) import = NULL;
  g_autoptr (MtImport) broken = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) copy = NULL;

  if (lacking != NULL)
    {
      g_test_skip (lacking);
      return;
    }
  mt_i18n_set_translated (TRUE);
  import = import_sample ();
  g_assert_cmpstr (mt_table_get_reason (mt_import_get_table (import), 0), ==, "Zahl: alle Werte sind Zahlen");
  broken = import_text ("a,b\n1,2\n3,\"4\n5,6\n", &error);
  g_assert_null (broken);
  g_assert_error (error, MT_ERROR, MT_ERROR_PARSE);
  g_assert_true (g_str_has_prefix (error->message, "Zeile 3: Das Anführungszeichen"));
  /* The line is known whatever the language says it is called. */
  copy = g_error_copy (error);
  g_assert_cmpuint (mt_error_get_line (copy), ==, 3);
}

/* Everything that a model becomes; all of it in one string. */
static char *
write_everything (MtModel *model)
{
  MtReportParts parts = { .model = model, .date = 1700000000 };
  g_autofree char *json = mt_model_to_json (model, NULL);
  g_autoptr (GString) all = g_string_new (json);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtReport) report = mt_report_new (&parts, NULL, &error);
  g_autoptr (GBytes) html = NULL;

  g_assert_no_error (error);
  html = mt_report_to_html (report, &error);
  g_assert_no_error (error);
  g_string_append_len (all, g_bytes_get_data (html, NULL), (gssize) g_bytes_get_size (html));
  for (guint format = 0; format < MT_N_EXPORT_FORMATS; format++)
    {
      g_autoptr (GBytes) bytes = mt_export (model, (MtExportFormat) format, MT_SQL_SQLITE, &error);
      g_autofree char *digest = NULL;

      g_assert_no_error (error);
      digest = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
      g_string_append_printf (all, "%u %s\n", format, digest);
    }
  return g_string_free (g_steal_pointer (&all), FALSE);
}

static char *
say_first_rule (MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      g_autoptr (MtPhrase) phrase = term->is_numeric ? NULL : mt_phrase_new (term->rule, mt_model_get_encoder (model), TRUE);

      if (phrase != NULL && phrase->n_pieces > 2)
        return mt_phrase_dup_text (phrase);
    }
  g_assert_not_reached ();
}

static void
test_files_stay_english (void)
{
  g_autoptr (MtTable) table = mt_test_sample_table (MT_TASK_BINARY, 300, 5);
  g_autoptr (MtModel) model = mt_test_sample_model (MT_TASK_BINARY, table, 8, 5);
  g_autofree char *plain = NULL;
  g_autofree char *translated = NULL;
  g_autofree char *rule = NULL;
  g_autofree char *regel = NULL;

  if (lacking != NULL)
    {
      g_test_skip (lacking);
      return;
    }
  mt_i18n_set_translated (FALSE);
  plain = write_everything (model);
  rule = say_first_rule (model);
  mt_i18n_set_translated (TRUE);
  mt_i18n_set_mark (",");
  translated = write_everything (model);
  regel = say_first_rule (model);
  mt_i18n_set_mark (".");
  g_assert_cmpstr (plain, ==, translated);
  /* That is no proof unless the language did change. */
  g_assert_cmpstr (rule, !=, regel);
  g_assert_true (strstr (regel, " und ") != NULL || strstr (regel, ", oder ") != NULL);
}

/* minterm-cli writes and prints the same in a German session. */
static void
test_command_line (void)
{
  g_autofree char *data = g_build_filename (g_getenv ("MINTERM_SAMPLES"), "loan-approval.csv", NULL);
  g_autofree char *path = g_build_filename (folder, "model.json", NULL);
  g_autofree char *all[2] = { NULL, NULL };

  if (lacking != NULL)
    {
      g_test_skip (lacking);
      return;
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *inspected = NULL;
      g_autofree char *wrong = NULL;
      g_autofree char *rules = NULL;
      g_autofree char *model = NULL;

      g_setenv ("LC_ALL", i == 0 ? "C" : "de_DE.UTF-8", TRUE);
      g_setenv ("LANGUAGE", i == 0 ? "C" : "de", TRUE);
      g_assert_cmpint (mt_test_cli (NULL, &inspected, NULL, "inspect", data, NULL), ==, 0);
      g_assert_cmpint (mt_test_cli (NULL, NULL, &wrong, "train", data, "--target", "nothing", "-o", path, NULL), !=, 0);
      g_assert_cmpint (mt_test_cli (NULL, NULL, NULL, "train", data, "--target", "approved", "--folds", "0",
                                    "--restarts", "0", "-o", path, NULL), ==, 0);
      g_assert_cmpint (mt_test_cli (NULL, &rules, NULL, "rules", path, NULL), ==, 0);
      g_assert_true (g_file_get_contents (path, &model, NULL, NULL));
      all[i] = g_strconcat (inspected, wrong, rules, model, NULL);
    }
  g_assert_cmpstr (all[0], ==, all[1]);
}

int
main (int    argc,
      char **argv)
{
  int result;

  g_setenv ("LANGUAGE", "de", TRUE);
  g_test_init (&argc, &argv, NULL);
  folder = mt_test_make_folder ();
  make_catalogue ();
  g_test_add_func ("/i18n/findings", test_findings);
  g_test_add_func ("/i18n/reasons-and-errors", test_reasons_and_errors);
  g_test_add_func ("/i18n/files-stay-english", test_files_stay_english);
  g_test_add_func ("/i18n/command-line", test_command_line);
  result = g_test_run ();
  {
    const char *remove[] = { "rm", "-r", folder, NULL };

    g_spawn_sync (NULL, (char **) remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  }
  g_free (folder);
  return result;
}
