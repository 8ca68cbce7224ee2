/* What was tried on the way to the model, why this one, and what was changed by hand. */
#include "config.h"
#include "mt-report-private.h"

#include <math.h>

#include "draw/mt-draw-plot.h"
#include "model/mt-edit.h"

#define PLOT_WIDTH  460.0
#define PLOT_HEIGHT 210.0

/* --- the frontier --- */

typedef struct {
  MtPlotPoint     *points;
  MtPlotBenchmark  benchmarks[MT_N_BASELINES];
  MtPlotSpec       spec;
} Plot;

static void
plot_free (gpointer data)
{
  Plot *plot = data;

  g_free (plot->points);
  g_free (plot);
}

static void
paint_plot (cairo_t         *cr,
            PangoContext    *context,
            const MtPalette *palette,
            gpointer         data)
{
  const Plot *plot = data;
  PangoFontDescription *font = pango_font_description_from_string ("Sans 8");
  g_autoptr (MtPlotFonts) fonts = mt_plot_fonts_new (context, font);
  g_autoptr (MtPlotLayout) layout = mt_plot_layout_new (&plot->spec, PLOT_WIDTH, PLOT_HEIGHT, mt_plot_measure, fonts);
  MtPlotPalette colors;

  mt_plot_palette_init (&colors, FALSE, FALSE);
  colors.text = palette->text;
  colors.dim = palette->dim;
  mt_draw_plot (cr, layout, fonts, &colors);
  pango_font_description_free (font);
}

static const char *
get_benchmark_name (MtBaselineKind kind)
{
  static const char * const names[MT_N_BASELINES] = {
    [MT_BASELINE_INTERCEPT] = "intercept only",
    [MT_BASELINE_LINEAR] = "regression on all columns",
    [MT_BASELINE_TREE] = "decision tree of at most the same size",
    [MT_BASELINE_BOOSTED] = "boosted trees",
  };

  return names[kind];
}

static void
add_plot (MtReport       *report,
          const MtSearchRecord *record,
          const char     *metric)
{
  Plot *plot = g_new0 (Plot, 1);
  gboolean has_folds = FALSE;
  g_autofree char *about = NULL;

  plot->points = g_new0 (MtPlotPoint, record->points->len + 1);
  for (guint i = 0; i < record->points->len; i++)
    {
      const MtSearchRecordPoint *point = &g_array_index (record->points, MtSearchRecordPoint, i);

      plot->points[i] = (MtPlotPoint) { point->literals, point->cv_mean, point->cv_se, point->run };
      has_folds |= isfinite (point->cv_mean);
    }
  for (guint i = 0; !has_folds && i < record->points->len; i++)
    {
      plot->points[i].quality = g_array_index (record->points, MtSearchRecordPoint, i).train;
      plot->points[i].error = NAN;
    }
  about = g_strdup_printf ("Frontier: %s, %s, against model size%s; a ring marks the model of this report, a "
                           "callout the recommended one. The shaded area ends at 50 literals.", metric,
                           has_folds ? "cross-validated" : "training rows only",
                           has_folds ? ", with standard errors" : "");
  mt_plot_spec_init (&plot->spec);
  for (guint i = 0; i < record->n_baselines; i++)
    if (record->baselines[i].kind != MT_BASELINE_INTERCEPT)
      plot->benchmarks[plot->spec.n_benchmarks++] = (MtPlotBenchmark) {
        record->baselines[i].cv_mean, get_benchmark_name (record->baselines[i].kind),
        record->baselines[i].kind == MT_BASELINE_BOOSTED
      };
  plot->spec.points = plot->points;
  plot->spec.n_points = record->points->len;
  plot->spec.benchmarks = plot->benchmarks;
  plot->spec.log = TRUE;
  plot->spec.x_title = "literals";
  plot->spec.recommended = record->recommended;
  plot->spec.callout_title = "recommended";
  plot->spec.selected = record->chosen;
  plot->spec.decimal = '.';
  mt_report_add_figure (report, about, PLOT_WIDTH, PLOT_HEIGHT, paint_plot, plot, plot_free);
}

static void
add_points (MtReport       *report,
            const MtSearchRecord *record)
{
  MtReportBlock *table = mt_report_add_table (report, "Run", "Literals", "Rules", "Cross-validated mean", "Standard error", "Training",
                                              "Mark", NULL);

  for (guint i = 0; i < record->points->len; i++)
    {
      const MtSearchRecordPoint *point = &g_array_index (record->points, MtSearchRecordPoint, i);
      gboolean is_chosen = record->chosen == (int) i, is_recommended = record->recommended == (int) i;

      mt_report_take_cell (table, g_strdup_printf ("%u", point->run + 1));
      mt_report_take_cell (table, g_strdup_printf ("%u", point->literals));
      mt_report_take_cell (table, g_strdup_printf ("%u", point->n_rules));
      mt_report_take_cell (table, mt_report_dup_measure (point->cv_mean));
      mt_report_take_cell (table, mt_report_dup_measure (point->cv_se));
      mt_report_take_cell (table, isfinite (point->train) ? mt_report_dup_measure (point->train) : g_strdup ("–"));
      mt_report_add_cell (table, is_chosen && is_recommended ? "selected, recommended" : is_chosen ? "chosen" :
                                 is_recommended ? "recommended" : "–");
    }
}

static void
add_runs (MtReport       *report,
          const MtSearchRecord *record)
{
  MtReportBlock *table = mt_report_add_table (report, "Run", "Name", "Seed", "State", "Models", "Best "
                                                                                                "cross-validated", NULL);

  for (guint r = 0; r < record->runs->len; r++)
    {
      const MtSearchRecordRun *run = &g_array_index (record->runs, MtSearchRecordRun, r);
      double best = NAN;
      guint n = 0;

      for (guint i = 0; i < record->points->len; i++)
        if (g_array_index (record->points, MtSearchRecordPoint, i).run == r)
          {
            best = fmax (best, g_array_index (record->points, MtSearchRecordPoint, i).cv_mean);
            n++;
          }
      mt_report_take_cell (table, g_strdup_printf ("%u", r + 1));
      mt_report_add_cell (table, *run->name != '\0' ? run->name : "–");
      mt_report_take_cell (table, g_strdup_printf ("%" G_GUINT64_FORMAT, run->seed));
      mt_report_add_cell (table, mt_run_state_to_string (run->state));
      mt_report_take_cell (table, g_strdup_printf ("%u", n));
      mt_report_take_cell (table, mt_report_dup_measure (best));
    }
}

/* A device that failed is nothing that a reader may have to guess from roundings. */
static void
add_devices (MtReport       *report,
             const MtSearchRecord *record)
{
  for (guint r = 0; r < record->runs->len; r++)
    {
      const MtRunDevice *device = g_array_index (record->runs, MtSearchRecordRun, r).device;

      if (device != NULL && device->error != NULL)
        mt_report_add (report, "Run %u: networks were to use the device “%s” but were trained on “%s”: %s",
                       r + 1, device->asked, device->used, device->error);
    }
}

static void
add_benchmarks (MtReport       *report,
                const MtSearchRecord *record)
{
  MtReportBlock *table;

  mt_report_add_heading (report, "benchmarks", "Baselines");
  if (record->n_baselines == 0)
    {
      mt_report_add_absent (report, "baselines. The Frontier page of Minterm computes them, and so does minterm-cli train --baselines.");
      return;
    }
  mt_report_add (report, "Other methods on the same folds. Boosted trees are a black box, for comparison.");
  table = mt_report_add_table (report, "Method", "Literals", "Cross-validated mean", "Standard error", "Training", NULL);
  for (guint i = 0; i < record->n_baselines; i++)
    {
      const MtBaseline *baseline = &record->baselines[i];

      mt_report_add_cell (table, get_benchmark_name (baseline->kind));
      mt_report_take_cell (table, baseline->literals > 0 ? g_strdup_printf ("%u", baseline->literals) : g_strdup ("–"));
      mt_report_take_cell (table, mt_report_dup_measure (baseline->cv_mean));
      mt_report_take_cell (table, mt_report_dup_measure (baseline->cv_se));
      mt_report_take_cell (table, mt_report_dup_measure (baseline->train));
    }
}

void
mt_report_add_search (MtReport            *report,
                      const MtReportParts *parts)
{
  const MtSearchRecord *record = parts->record;
  const char *metric = mt_model_get_task (parts->model) == MT_TASK_REGRESSION ? "R²" : "AUC";
  const MtModelSetting *largest = mt_report_find_setting (parts->model, "max-literals");

  mt_report_add_provided (report, parts, MT_REPORT_CHOICE, "Why this model");
  if (record == NULL || record->points->len == 0)
    {
      mt_report_add_absent (report, "what else was tried, the frontier, and baselines; there is no "
                   "record of the search next to the model file, and no project was given.");
      return;
    }
  mt_report_add (report, "%u models of %u run%s were recorded, with %s cross-validated on the training rows. "
                         "The recommended model is the smallest whose difference from the best, fold by "
                         "fold, is within one standard error. Test rows were not used.",
                 record->points->len, record->runs->len, record->runs->len == 1 ? "" : "s", metric);
  if (largest != NULL && largest->kind == MT_SETTING_NUMBER && largest->number > 0)
    mt_report_add (report, "In the run of this model, only models of at most %.0f literals could be recommended, and “best” means "
                   "the best of these (setting max-literals).", largest->number);
  if (mt_model_get_info (parts->model)->n_edits > 0)
    mt_report_add (report, "The record describes the model before the edits in section 19.");
  if (record->chosen >= 0)
    mt_report_add (report, record->chosen == record->recommended ? "The model of this report is the recommended one."
                                                                 : "The model of this report is not the "
                                                                   "recommended one; see the reason above.");
  add_plot (report, record, metric);
  add_runs (report, record);
  add_devices (report, record);
  add_points (report, record);
  add_benchmarks (report, record);
}

/* --- changes --- */

/* Edits that the model's file carries. */
static void
add_edits (MtReport          *report,
           const MtModelInfo *info)
{
  MtReportBlock *table;

  mt_report_add (report, "Manual edits, oldest first. Figures are means over folds with weights fitted on "
                         "the other folds, before and after the edit, with the standard error of the "
                         "difference.");
  table = mt_report_add_table (report, "Edit", "What", "Reason", "By", "When", "Literals", "Metric", "Before", "After",
                               "Standard error", NULL);
  for (guint i = 0; i < info->n_edits; i++)
    {
      const MtEditRecord *edit = &info->edits[i];

      mt_report_take_cell (table, g_strdup_printf ("%u", i + 1));
      mt_report_take_cell (table, mt_edit_record_dup_text (edit));
      mt_report_add_cell (table, edit->reason);
      mt_report_take_cell (table, mt_report_dup_person (edit->by));
      mt_report_take_cell (table, mt_report_dup_moment (edit->made));
      mt_report_take_cell (table, g_strdup_printf ("%u → %u", edit->literals_before, edit->literals_after));
      mt_report_add_cell (table, edit->is_judged ? mt_metric_get_name (edit->metric) : "not measured");
      mt_report_take_cell (table, edit->is_judged ? mt_report_dup_measure (edit->before) : g_strdup ("–"));
      mt_report_take_cell (table, edit->is_judged ? mt_report_dup_measure (edit->after) : g_strdup ("–"));
      mt_report_take_cell (table, edit->is_judged ? mt_report_dup_measure (edit->difference_se) : g_strdup ("–"));
    }
}

void
mt_report_add_changes (MtReport            *report,
                       const MtReportParts *parts)
{
  const MtSearchRecord *record = parts->record;
  const MtModelInfo *info = mt_model_get_info (parts->model);
  MtReportBlock *table;

  mt_report_add_provided (report, parts, MT_REPORT_CHANGES, "Changes");
  if (info->n_edits > 0)
    add_edits (report, info);
  else
    mt_report_add (report, "No edits: according to its file, the model is unchanged since training.");
  if (record == NULL || record->edits == NULL || record->edits->len == 0)
    return;
  mt_report_add (report, "Edits of all models in the project:");
  table = mt_report_add_table (report, "Edit", "Reason", "By", "When", "Literals", "Metric", NULL);
  for (guint i = 0; i < record->edits->len; i++)
    {
      const MtProjectEdit *edit = g_ptr_array_index (record->edits, i);
      g_autofree char *before = mt_report_dup_measure (edit->metric_before);
      g_autofree char *after = mt_report_dup_measure (edit->metric_after);

      mt_report_add_cell (table, edit->what);
      mt_report_add_cell (table, edit->reason);
      mt_report_take_cell (table, mt_report_dup_person (edit->by));
      mt_report_take_cell (table, mt_report_dup_moment (edit->made));
      mt_report_take_cell (table, g_strdup_printf ("%u → %u", edit->literals_before, edit->literals_after));
      mt_report_take_cell (table, g_strdup_printf ("%s → %s", before, after));
    }
}
