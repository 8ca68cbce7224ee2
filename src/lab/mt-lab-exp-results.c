/* T3, T4, T5: both methods on every data set of a task by the paper's protocol, and the ranks with the paper's columns. */
#include "config.h"
#include "mt-lab-protocol.h"

#include <math.h>
#include <string.h>

#include "mt-lab-ranks.h"

#define PAPER   "as in the paper"
#define DEFAULT "default"
/* The default method against one run of the paper's, about. */
#define DEFAULT_COST 12

static gboolean
run_paper (MtLabContext    *context,
           const MtLabJob  *job,
           MtLabCells      *cells,
           GCancellable    *cancellable,
           GError         **error)
{
  g_autoptr (MtTable) table = mt_lab_dataset_ref_table (job->dataset, error);
  g_autoptr (GArray) grid = mt_lab_make_grid (context->options->is_full);
  g_auto (MtLabSplit) split = { NULL };
  MtLabScore score;

  if (table == NULL || !mt_lab_split (table, job->seed, &split, error) ||
      !mt_lab_run_grid (job->dataset, table, &split, (const MtLabSetting *) (gpointer) grid->data, grid->len, job->seed, &score,
                        cancellable, error))
    return FALSE;
  mt_lab_cells_put (cells, score.quality, PAPER, "%s", job->dataset->name);
  mt_lab_cells_put (cells, score.literals, PAPER ", literals", "%s", job->dataset->name);
  return TRUE;
}

static gboolean
run_default (MtLabContext    *context,
             const MtLabJob  *job,
             MtLabCells      *cells,
             GCancellable    *cancellable,
             GError         **error)
{
  g_autoptr (MtTable) table = mt_lab_dataset_ref_table (job->dataset, error);
  g_auto (MtLabSplit) split = { NULL };
  g_autoptr (MtLearned) learned = NULL;
  const MtFrontierPoint *point;
  g_autoptr (GError) local = NULL;
  double quality;

  if (table == NULL || !mt_lab_split (table, job->seed, &split, error))
    return FALSE;
  learned = mt_lab_learn (job->dataset, table, split.dev, NULL, job->seed, cancellable, error);
  if (learned == NULL)
    return FALSE;
  point = mt_frontier_get_point (learned->frontier, mt_frontier_get_selected (learned->frontier));
  quality = mt_lab_score (learned, table, split.test, point->rules, &local);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  mt_lab_cells_put (cells, quality, DEFAULT, "%s", job->dataset->name);
  mt_lab_cells_put (cells, point->complexity, DEFAULT ", literals", "%s", job->dataset->name);
  return TRUE;
}

void
mt_lab_list_results (MtLabContext          *context,
                     const MtLabExperiment *experiment)
{
  const char *grid = context->options->is_full ? "whole-grid" : "small-grid";
  guint n_settings = context->options->is_full ? 46 : 7;

  for (guint d = 0; d < context->datasets->len; d++)
    {
      MtLabDataset *dataset = context->datasets->pdata[d];
      MtLabPaperRow row;

      if (!mt_lab_paper_find_row (dataset->name, &row) || !g_str_equal (row.experiment, experiment->name))
        continue;
      for (guint seed = 0; seed < mt_lab_count_seeds (context, dataset); seed++)
        {
          mt_lab_add_job (context, experiment, run_paper, dataset, PAPER, seed, n_settings * mt_lab_estimate (dataset),
                          "%s-paper-%s-%u", dataset->name, grid, seed);
          mt_lab_add_job (context, experiment, run_default, dataset, DEFAULT, seed, DEFAULT_COST * mt_lab_estimate (dataset),
                          "%s-default-%u", dataset->name, seed);
        }
    }
}

/* --- ranks --- */

static void
put_ranks (MtLabCells         *cells,
           const char         *name,
           const GArray       *values,
           guint               n_sets,
           const char * const *methods,
           guint               n_methods)
{
  g_autofree double *ranks = g_new (double, n_methods);
  double chi_squared;

  mt_lab_mean_ranks ((const double *) (gconstpointer) values->data, n_sets, n_methods, ranks);
  for (guint m = 0; m < n_methods; m++)
    mt_lab_cells_put (cells, ranks[m], methods[m], "%s", name);
  chi_squared = mt_lab_friedman (ranks, n_sets, n_methods);
  mt_lab_cells_put (cells, chi_squared, "Friedman χ²", "%s", name);
  mt_lab_cells_put (cells, mt_lab_chi_squared (chi_squared, n_methods - 1), "by chance", "%s", name);
}

static double
mean_of (GPtrArray  *means,
         const char *row,
         const char *column)
{
  const MtLabMean *mean = mt_lab_means_find (means, row, column);

  return mean != NULL ? mean->mean : NAN;
}

gboolean
mt_lab_finish_results (MtLabContext           *context,
                       const MtLabExperiment  *experiment,
                       MtLabCells             *cells,
                       GError                **error)
{
  g_autoptr (GPtrArray) means = mt_lab_means_new (context, experiment, NULL);
  g_autoptr (GArray) theirs = g_array_new (FALSE, FALSE, sizeof (double)), all = g_array_new (FALSE, FALSE, sizeof (double));
  const char *methods[MT_LAB_MAX_METHODS + 2];
  guint n_theirs = 0, n_all = 0, n_methods = 0;
  MtLabPaperRow row;

  for (guint i = 0; mt_lab_paper_get_row (experiment->name, i, &row); i++)
    {
      double ours[2] = { mean_of (means, row.dataset, PAPER), mean_of (means, row.dataset, DEFAULT) };
      gboolean is_complete = !isnan (ours[0]) && !isnan (ours[1]);

      n_methods = mt_lab_paper_count_ranked (&row);
      for (guint m = 0; m < n_methods; m++)
        {
          methods[m] = row.methods[m];
          g_array_append_val (theirs, row.results[m].quality.value);
          if (is_complete)
            g_array_append_val (all, row.results[m].quality.value);
        }
      n_theirs++;
      if (is_complete)
        g_array_append_vals (all, ours, 2);
      n_all += is_complete;
    }
  put_ranks (cells, "average rank, the paper's figures", theirs, n_theirs, methods, n_methods);
  if (n_all == 0)
    return TRUE;
  methods[n_methods] = "ours, " PAPER;
  methods[n_methods + 1] = "ours, " DEFAULT;
  {
    g_autofree char *name = g_strdup_printf ("average rank with ours, %u data sets", n_all);

    put_ranks (cells, name, all, n_all, methods, n_methods + 2);
  }
  return TRUE;
}
