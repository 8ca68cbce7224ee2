/* The comparison methods on the Frontier page: which rows they are evaluated on, the list below the table, and
 * their lines in the plot. */
#include "config.h"
#include "mt-frontier-page-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "util/mt-theme.h"

MtTask
_mt_frontier_page_task_of (MtFrontierPage *self)
{
  const MtSelectedModel *fitted = mt_study_get_fitted (self->study);

  return fitted != NULL ? mt_target_get_task (fitted->basis->target) : MT_TASK_BINARY;
}

/* The run whose rows and folds the benchmarks are found on: the recommended point's. */
MtRun *
_mt_frontier_page_main_run (MtFrontierPage *self)
{
  MtFrontierItem *item = mt_study_get_recommended (self->study);

  return item != NULL ? mt_frontier_item_get_run (item) : NULL;
}

static GtkWidget *
benchmark_row_new (const MtBaseline *baseline,
                   MtTask            task)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  g_autofree char *title = mt_benchmark_dup_label (baseline, task);
  const MtFrontierPoint point = { 0, baseline->cv_mean, baseline->cv_se, baseline->train, NULL };
  g_autofree char *value = mt_frontier_point_format (&point);
  GtkWidget *name = gtk_label_new (title), *label = gtk_label_new (value);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (name, TRUE);
  mt_theme_read_forwards (GTK_LABEL (label));
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_add_css_class (box, "benchmark");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), label);
  if (baseline->kind == MT_BASELINE_TREE)
    {
      g_autofree char *tip = g_strdup_printf (ngettext ("Largest Tree No Bigger Than the Recommended Model "
                                                        "(%u Literal)", "Largest Tree No Bigger Than the "
                                                                        "Recommended Model (%u Literals)", baseline->literals),
                                              baseline->literals);

      gtk_widget_set_tooltip_text (row, tip);
    }
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  return row;
}

static void
add_benchmark_words (MtFrontierPage *self,
                     const char     *words)
{
  GtkWidget *row = gtk_list_box_row_new (), *label = gtk_label_new (words);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "benchmark");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_append (self->benchmark_list, row);
}

/* What the models are compared with is judged by their rows, and not by others. */
static gboolean
are_rows_gone (MtFrontierPage *self)
{
  MtRun *run = _mt_frontier_page_main_run (self);

  return run != NULL && !mt_run_has_rows (run);
}

/* The tree is as large as the recommended model, at most. */
guint
_mt_frontier_page_tree_literals (MtFrontierPage *self)
{
  MtFrontierItem *item = mt_study_get_recommended (self->study);

  return item != NULL ? mt_frontier_item_get_point (item)->complexity : 0;
}

void
_mt_frontier_page_show_benchmarks (MtFrontierPage *self)
{
  static const MtBaselineKind order[] = {
    MT_BASELINE_BOOSTED, MT_BASELINE_LINEAR, MT_BASELINE_TREE, MT_BASELINE_INTERCEPT,
  };
  const MtBaselines *found = mt_benchmarks_get (self->benchmarks);
  const GError *error = mt_benchmarks_get_error (self->benchmarks);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (MtPlotBenchmark));
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->benchmark_list))) != NULL)
    gtk_list_box_remove (self->benchmark_list, row);
  g_object_set (self->benchmark_spinner, "spinning", mt_benchmarks_is_running (self->benchmarks), NULL);
  for (guint i = 0; found != NULL && i < G_N_ELEMENTS (order); i++)
    {
      MtBaseline baseline;
      MtPlotBenchmark line;
      g_autofree char *label = NULL;
      g_autofree char *number = NULL;
      double quality;

      mt_baselines_get (found, order[i], _mt_frontier_page_tree_literals (self), &baseline);
      gtk_list_box_append (self->benchmark_list, benchmark_row_new (&baseline, _mt_frontier_page_task_of (self)));
      quality = isnan (baseline.cv_mean) ? baseline.train : baseline.cv_mean;
      label = mt_benchmark_dup_label (&baseline, _mt_frontier_page_task_of (self));
      number = mt_format_fixed (quality, 3);
      g_ptr_array_add (labels, g_strconcat (label, " ", number, NULL));
      line = (MtPlotBenchmark) { quality, labels->pdata[i], order[i] == MT_BASELINE_BOOSTED };
      g_array_append_val (lines, line);
    }
  if (found == NULL)
    add_benchmark_words (self, error != NULL ? error->message :
                               are_rows_gone (self)
                               ? _("The rows that these models were validated on are no longer available, so "
                                   "baselines cannot be evaluated on them. Train again to compare.") :
                               mt_benchmarks_is_running (self->benchmarks)
                               ? _("Evaluating baselines on the same folds…")
                               : _("Available when training is finished."));
  _mt_frontier_page_add_result_lines (self, lines, labels);
  mt_plot_view_set_benchmarks (self->plot, (const MtPlotBenchmark *) (const void *) lines->data, lines->len);
}

/* Of a project only those runs have their rows at hand that one looked at or that went on; the rows of any run that
 * learns from the same serve as well. NULL: none has them. */
static MtRunData *
find_rows (MtFrontierPage *self,
           MtRun          *like)
{
  GListModel *runs = mt_study_get_runs (self->study);
  MtRunData *basis = like != NULL ? mt_run_get_basis (like) : NULL;

  for (guint i = 0; basis == NULL && i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr (MtRun) run = g_list_model_get_item (runs, i);

      if (mt_run_shares_rows (run, like))
        basis = mt_run_get_basis (run);
    }
  return basis;
}

void
_mt_frontier_page_find_benchmarks (MtFrontierPage *self)
{
  MtRun *run = _mt_frontier_page_main_run (self);
  MtRunData *basis = find_rows (self, run);
  MtLearnOptions options;

  if (basis == NULL || are_rows_gone (self))
    mt_benchmarks_clear (self->benchmarks);
  else if (mt_study_is_running (self->study))
    mt_benchmarks_stop (self->benchmarks);   /* the cores are for training */
  else
    {
      mt_run_settings_to_learn (mt_run_get_settings (run), &options);
      mt_benchmarks_find (self->benchmarks, basis, &options);
    }
}
