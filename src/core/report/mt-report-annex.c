/* The last section: what everything stands on, the command that makes the model again, hashes, words, and where
 * other people's questions are answered. Texts about regulations are data (data/report-regimes.json). */
#include "config.h"
#include "mt-report-private.h"

#include <cairo.h>
#include <pango/pango.h>

#include "export/mt-export.h"
#include "base/mt-json-cursor.h"
#include "model/mt-model-command.h"
#include "mt-export-resources.h"

#define REGIMES   "/io/github/minterm/report/report-regimes.json"

static void
add_environment (MtReport            *report,
                 const MtReportParts *parts)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  g_autofree char *glib = g_strdup_printf ("%u.%u.%u", glib_major_version, glib_minor_version, glib_micro_version);
  MtReportBlock *table;

  mt_report_add_heading (report, "environment", "Environment");
  table = mt_report_add_table (report, "What", "Version", NULL);
  mt_report_add_row (table, "Version that trained the model", info->version, NULL);
  mt_report_add_row (table, "Training engine", info->engine != NULL ? info->engine : "not recorded", NULL);
  mt_report_add_row (table, "Version that wrote this report", MT_VERSION, NULL);
  mt_report_add_row (table, "GLib", glib, NULL);
  mt_report_add_row (table, "cairo", cairo_version_string (), NULL);
  mt_report_add_row (table, "Pango", pango_version_string (), NULL);
}

static void
add_command (MtReport            *report,
             const MtReportParts *parts)
{
  g_autoptr (GError) error = NULL;
  const MtModelSetting *test = mt_report_find_setting (parts->model, "test-sha256");
  const char *hash = mt_model_get_info (parts->model)->data_sha256;
  g_autofree char *command = mt_model_dup_command (parts->model, "DATA.csv", "MODEL.json", &error);
  g_autofree char *folded = command != NULL ? mt_command_dup_folded (command) : NULL;

  mt_report_add_heading (report, "reproduce", "Command that reproduces the model");
  if (command == NULL)
    {
      mt_report_add_absent (report, "%s.", error->message);
      return;
    }
  mt_report_add_code (report, folded);
  if (mt_model_get_info (parts->model)->n_edits > 0)
    mt_report_add (report, "DATA.csv stands for the training file (SHA-256 %s). The same version of Minterm then writes the model "
                           "before the edits in section 19. That file differs from the file of this model; the edits must be "
                           "repeated manually.", hash != NULL ? hash : "that is not known");
  else
    mt_report_add (report, "DATA.csv stands for the training file (SHA-256 %s). The same version of Minterm "
                           "then writes a MODEL.json that is identical to the file of this model, with any "
                   "number of threads, except for reason codes that were set later.",
                   hash != NULL ? hash : "that is not known");
  if (test != NULL && test->kind == MT_SETTING_TEXT)
    mt_report_add (report, "TEST.csv stands for the test file (SHA-256 %s).", test->text);
}

static void
add_hash (MtReportBlock   *table,
          const MtModel   *model,
          MtExportFormat   format,
          MtSqlDialect     dialect)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = mt_export ((MtModel *) model, format, dialect, &error);

  mt_report_take_cell (table, format == MT_EXPORT_SQL ? g_strdup_printf ("sql, %s", mt_sql_dialect_to_string (dialect))
                                                      : g_strdup (mt_export_format_to_string (format)));
  mt_report_take_cell (table, bytes != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes)
                                            : g_strdup_printf ("cannot be written: %s", error->message));
}

static void
add_hashes (MtReport            *report,
            const MtReportParts *parts)
{
  MtReportBlock *table;

  mt_report_add_heading (report, "export-hashes", "Hashes of exports");
  mt_report_add (report, "SHA-256 of the files that this version of minterm-cli export writes for this model:");
  table = mt_report_add_table (report, "Export", "SHA-256", NULL);
  for (guint format = 0; format < MT_N_EXPORT_FORMATS; format++)
    for (guint dialect = 0; dialect < (format == MT_EXPORT_SQL ? MT_N_SQL_DIALECTS : 1); dialect++)
      add_hash (table, parts->model, format, dialect);
}

static void
add_glossary (MtReport *report)
{
  static const char * const glossary[][2] = {
    { "AUC", "probability that a random row of the class is ranked above a random row of another class" },
    { "balanced accuracy", "mean over the classes of the share of rows that are decided correctly" },
    { "bootstrap", "resampling rows with replacement to estimate the uncertainty of a figure" },
    { "Brier score", "mean squared difference between the predicted probability and the outcome (1 or 0); 0 "
                     "is best" },
    { "calibration", "whether predicted probabilities match observed shares, for example whether three in "
                     "ten rows with a predicted probability of 0.3 are of the class" },
    { "cross-validation (cv)", "splitting the training rows into folds and predicting each fold by a model "
                               "trained on the others" },
    { "free combination", "a combination of conditions that the minimizer may decide either way: impossible "
                          "or, depending on the setting, unseen" },
    { "F1", "2 × true positives / (2 × true positives + false positives + false negatives) of the second "
            "class; with several classes, the mean" },
    { "frontier", "models for which no other is both smaller and at least as good" },
    { "impossible", "of a combination: no row can have it" },
    { "literal", "one condition, such as “Age ≥ 55”; the size of a model counts its literals, its linear "
                 "terms, and the intercept" },
    { "log loss", "mean of −log of the probability predicted for the true class; 0 is best" },
    { "MAE", "mean absolute error: the mean absolute difference between true and predicted values" },
    { "neutral", "of a combination: its outcome hardly affects the training loss" },
    { "RMSE", "root mean squared error: the square root of the mean squared difference between true and "
              "predicted values" },
    { "rule", "conditions joined by “and” and “or”; it is true (1) or false (0) for a row" },
    { "R²", "share of the target's variance that the predictions explain" },
    { "term", "a rule, a linear term, or the intercept, with its weight" },
    { "unseen", "of a combination: no training row has it" },
  };
  MtReportBlock *table;

  mt_report_add_heading (report, "glossary", "Glossary");
  table = mt_report_add_table (report, "Word", "Meaning", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (glossary); i++)
    mt_report_add_row (table, glossary[i][0], glossary[i][1], NULL);
}

/* --- regimes --- */

static gboolean
add_item (MtReportBlock      *table,
          const MtJsonCursor  *item,
          GError            **error)
{
  const char *point, *asks, *rest;
  g_autofree guint *sections = NULL;
  g_autoptr (GString) where = g_string_new (NULL);
  guint n_sections;

  if (!mt_json_read_string (item, "point", &point, error) || !mt_json_read_string (item, "asks", &asks, error) ||
      !mt_json_read_string (item, "rest", &rest, error) ||
      !mt_json_read_integers (item, "sections", MT_REPORT_N_SECTIONS, MT_REPORT_N_SECTIONS + 1, &sections, &n_sections, error))
    return FALSE;
  for (guint i = 0; i < n_sections; i++)
    g_string_append_printf (where, "%s%u", i == 0 ? (n_sections == 1 ? "section " : "sections ") : ", ", sections[i]);
  if (*rest != '\0')
    g_string_append_printf (where, "%s%s", n_sections == 0 ? "not in this report: " : "; not in it: ", rest);
  mt_report_add_row (table, point, asks, where->str, NULL);
  return TRUE;
}

static gboolean
add_regime (MtReport           *report,
            const MtJsonCursor  *regime,
            GError            **error)
{
  const char *anchor, *title, *about;
  MtJsonCursor items;
  MtReportBlock *table;

  if (!mt_json_read_string (regime, "anchor", &anchor, error) || !mt_json_read_string (regime, "title", &title, error) ||
      !mt_json_read_string (regime, "about", &about, error) ||
      !mt_json_member (regime, "items", MT_JSON_ARRAY, &items, error))
    return FALSE;
  mt_report_add_heading (report, anchor, "%s", title);
  mt_report_add (report, "%s", about);
  table = mt_report_add_table (report, "Point", "In plain words", "Where", NULL);
  for (guint i = 0; i < mt_json_get_n_children (items.json); i++)
    {
      MtJsonCursor item;

      if (!mt_json_item (&items, i, MT_JSON_OBJECT, &item, error) || !add_item (table, &item, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_regimes (MtReport      *report,
             const MtJson  *json,
             GError       **error)
{
  MtJsonCursor root = mt_json_cursor_root (json), regimes;
  const char *date, *notice;

  if (!mt_json_read_string (&root, "date", &date, error) || !mt_json_read_string (&root, "notice", &notice, error) ||
      !mt_json_member (&root, "regimes", MT_JSON_ARRAY, &regimes, error))
    return FALSE;
  mt_report_add_heading (report, "crosswalk", "Crosswalk to regulations and to the model card, as of %s", date);
  mt_report_add (report, "Not legal advice. %s", notice);
  for (guint i = 0; i < mt_json_get_n_children (regimes.json); i++)
    {
      MtJsonCursor regime;

      if (!mt_json_item (&regimes, i, MT_JSON_OBJECT, &regime, error) || !add_regime (report, &regime, error))
        return FALSE;
    }
  return TRUE;
}

void
mt_report_add_annexes (MtReport            *report,
                       const MtReportParts *parts)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_resource_lookup_data (mt_export_resources_get_resource (), REGIMES, 0, &error);
  g_autoptr (MtJson) json = bytes != NULL ? mt_json_parse (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes),
                                                           &error) : NULL;

  add_environment (report, parts);
  add_command (report, parts);
  add_hashes (report, parts);
  add_glossary (report);
  /* It is built in: a fault in it is ours. */
  if (json == NULL || !add_regimes (report, json, &error))
    g_error ("%s: %s", REGIMES, error->message);
}
