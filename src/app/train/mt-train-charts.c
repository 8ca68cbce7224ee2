/* How one run goes, drawn: loss and metric of its network by epoch, the loss against literals while rules
 * are dropped, and how far each fold is. See mt-train-charts.h. */
#include "config.h"
#include "mt-train-charts.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-button-names.h"
#include "mt-curves-table.h"
#include "mt-curves-view.h"
#include "util/mt-format.h"

typedef struct {
  GtkWidget    *box;
  GtkLabel     *title;
  MtCurvesView *view;
} Chart;

struct _MtTrainCharts {
  GtkBox     parent_instance;

  Chart      loss;
  Chart      metric;
  Chart      path;
  GtkWidget *folds;       /* box around … */
  GtkGrid   *parts;       /* … a line for each part */
  guint      n_parts;     /* lines that are there */
  GtkLabel  *waiting;     /* instead of charts that have nothing to show yet */
  GtkLabel  *meaning;     /* what the charts are good for */
  GtkExpander *twin;      /* the charts as tables, filled while it is open */
  GtkWidget *epochs_box;
  GtkWidget *path_box;
  MtCurvesTable *epochs;
  MtCurvesTable *literals;

  MtRun     *run;         /* the one shown */
};

G_DEFINE_FINAL_TYPE (MtTrainCharts, mt_train_charts, GTK_TYPE_BOX)

/* --- by epoch --- */

typedef double (*EpochValue) (const MtRunEpoch *epoch);

static double
train_loss (const MtRunEpoch *epoch)
{
  return epoch->train_loss;
}

static double
valid_loss (const MtRunEpoch *epoch)
{
  return epoch->valid_loss;
}

static double
metric (const MtRunEpoch *epoch)
{
  return epoch->metric;
}

/* What was not measured after every epoch: a straight line between those that were. */
static void
fill_gaps (double *values,
           guint   n)
{
  guint last = n;   /* the last finite one; n: none yet */

  for (guint i = 0; i < n; i++)
    if (isfinite (values[i]))
      {
        for (guint j = last + 1; last < n && j < i; j++)
          values[j] = values[last] + (values[i] - values[last]) * (j - last) / (i - last);
        last = i;
      }
}

static double *
take_values (GArray     *epochs,
             EpochValue  value,
             gboolean   *any)
{
  double *values = g_new (double, MAX (epochs->len, 1));

  *any = FALSE;
  for (guint i = 0; i < epochs->len; i++)
    {
      values[i] = value (&g_array_index (epochs, MtRunEpoch, i));
      *any |= isfinite (values[i]);
    }
  fill_gaps (values, epochs->len);
  return values;
}

static guint
find_best (const double *values,
           guint         n,
           gboolean      lowest)
{
  guint best = 0;

  for (guint i = 1; i < n; i++)
    if (!isfinite (values[best]) || (isfinite (values[i]) && (lowest ? values[i] < values[best]
                                                                     : values[i] > values[best])))
      best = i;
  return best;
}

/* The metric is not measured after every epoch. */
static double
last_known (const double *values,
            guint         n)
{
  while (n > 1 && !isfinite (values[n - 1]))
    n--;
  return values[n - 1];
}

static char *
label_value (const char *name,
             double      value)
{
  g_autofree char *text = mt_format_fixed (value, 3);

  return g_strconcat (name, " ", text, NULL);
}

/* Validation solid and training dashed; a ring at the best of the first. */
static void
show_epochs (Chart      *chart,
             MtRun      *run,
             const char *title,
             EpochValue  first,
             const char *first_name,
             EpochValue  second,
             const char *second_name,
             gboolean    lowest)
{
  GArray *epochs = mt_run_get_epochs (run);
  gboolean any_first, any_second = FALSE;
  g_autofree double *a = take_values (epochs, first, &any_first);
  g_autofree double *b = second != NULL ? take_values (epochs, second, &any_second) : NULL;
  g_autofree char *first_label = NULL;
  g_autofree char *second_label = NULL;
  g_autofree char *best_label = NULL;
  g_autofree char *spoken = NULL;
  MtCurve curves[2];
  MtCurvesSpec spec;
  guint n = epochs->len, best;

  gtk_widget_set_visible (chart->box, any_first || any_second);
  if (!any_first && !any_second)
    return;
  mt_curves_spec_init (&spec);
  spec.curves = curves;
  if (any_first)
    {
      best = find_best (a, n, lowest);
      first_label = label_value (first_name, last_known (a, n));
      best_label = label_value (_("Best"), a[best]);
      curves[spec.n_curves++] = (MtCurve) { a, n, first_label, 0, FALSE, first_name };
      spec.best_curve = 0;
      spec.best_index = best;
      spec.best_label = best_label;
    }
  if (any_second)
    {
      second_label = label_value (second_name, last_known (b, n));
      curves[spec.n_curves++] = (MtCurve) { b, n, second_label, 1, any_first, second_name };
    }
  /* A training may end long before its last epoch, so the axis grows; the names at the ends have room. */
  spec.x_high = n * 1.2 + 1;
  spec.x_title = _("Epoch");
  /* Translators: title of a chart, number of epochs, then values such as "Validation 0.297" */
  spoken = g_strdup_printf (ngettext ("%s after %u epoch. %s. %s. %s", "%s after %u epochs. %s. %s. %s", n), title, n,
                            first_label != NULL ? first_label : "", second_label != NULL ? second_label : "",
                            best_label != NULL ? best_label : "");
  gtk_label_set_label (chart->title, title);
  mt_curves_view_show (chart->view, &spec, spoken);
}

/* --- while rules are dropped --- */

/* The least loss of at most so many literals, 1 … @most: the line that elimination leaves behind. */
static double *
take_path (GArray *visits,
           guint  *most)
{
  double *least;

  *most = 0;
  for (guint i = 0; i < visits->len; i++)
    *most = MAX (*most, g_array_index (visits, MtRunVisit, i).complexity);
  least = g_new (double, MAX (*most, 1));
  for (guint i = 0; i < *most; i++)
    least[i] = NAN;
  for (guint i = 0; i < visits->len; i++)
    {
      const MtRunVisit *visit = &g_array_index (visits, MtRunVisit, i);

      if (visit->complexity > 0)
        least[visit->complexity - 1] = fmin (least[visit->complexity - 1], visit->loss);
    }
  for (guint i = 1; i < *most; i++)
    least[i] = fmin (least[i], least[i - 1]);   /* fmin() passes over what is not known */
  return least;
}

static void
show_path (MtTrainCharts *self,
           MtRun         *run)
{
  GArray *visits = mt_run_get_visits (run);
  g_autofree double *least = NULL;
  g_autofree char *spoken = NULL;
  g_autofree char *label = NULL;
  MtCurve curve;
  MtCurvesSpec spec;
  guint most, now;

  gtk_widget_set_visible (self->path.box, visits->len > 0);
  if (visits->len == 0)
    return;
  least = take_path (visits, &most);
  now = g_array_index (visits, MtRunVisit, visits->len - 1).complexity;
  mt_curves_spec_init (&spec);
  curve = (MtCurve) { least, most, NULL, 0, FALSE, _("Training loss") };
  spec.curves = &curve;
  spec.n_curves = 1;
  spec.x_title = _("Literals");
  if (mt_run_get_state (run) == MT_RUN_RUNNING && now > 0)
    {
      label = g_strdup_printf (ngettext ("%u literal left", "%u literals left", now), now);
      spec.best_curve = 0;
      spec.best_index = now - 1;
      spec.best_label = label;
    }
  /* Translators: numbers of models, and of literals of the largest and the last */
  spoken = g_strdup_printf (ngettext ("Training loss against literals: %u model visited, literals from %u down to %u",
                                      "Training loss against literals: %u models visited, literals from %u down to %u",
                                      visits->len), visits->len, most, now);
  mt_curves_view_show (self->path.view, &spec, spoken);
}

/* --- folds --- */

#define MOST_LINES 11   /* beyond, all folds share one */

static void
add_line (MtTrainCharts *self,
          guint          line)
{
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *bar = gtk_progress_bar_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_hexpand (bar, TRUE);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  gtk_grid_attach (self->parts, label, 0, (int) line, 1, 1);
  gtk_grid_attach (self->parts, bar, 1, (int) line, 1, 1);
}

static void
show_line (MtTrainCharts *self,
           guint          line,
           const char    *name,
           double         done)
{
  GtkWidget *bar = gtk_grid_get_child_at (self->parts, 1, (int) line);

  gtk_label_set_label (GTK_LABEL (gtk_grid_get_child_at (self->parts, 0, (int) line)), name);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (bar), CLAMP (done, 0, 1));
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
show_parts (MtTrainCharts *self,
            MtRun         *run)
{
  GArray *parts = mt_run_get_parts (run);
  gboolean together = parts->len > MOST_LINES;
  guint n_lines = together ? 2 : parts->len;
  double sum = 0;

  gtk_widget_set_visible (self->folds, parts->len > 1 && mt_run_get_state (run) == MT_RUN_RUNNING);
  while (self->n_parts > n_lines)
    gtk_grid_remove_row (self->parts, (int) --self->n_parts);
  while (self->n_parts < n_lines)
    add_line (self, self->n_parts++);
  if (n_lines > 0)
    show_line (self, 0, _("All rows"), g_array_index (parts, double, 0));
  for (guint i = 1; i < parts->len; i++)
    {
      g_autofree char *name = g_strdup_printf (_("Fold %u"), i);

      sum += g_array_index (parts, double, i);
      if (!together)
        show_line (self, i, name, g_array_index (parts, double, i));
    }
  if (together)
    {
      g_autofree char *name = g_strdup_printf (ngettext ("%u fold", "%u folds", parts->len - 1), parts->len - 1);

      show_line (self, 1, name, sum / (parts->len - 1));
    }
}

/* --- the same as tables --- */

/* As it was measured: what is not there is not drawn out of its neighbours. */
static void
tabulate_epochs (MtTrainCharts *self,
                 MtRun         *run)
{
  static const EpochValue what[] = { train_loss, valid_loss, metric };
  const char *titles[] = { _("Training loss"), _("Validation loss"), mt_run_is_regression (run) ? _("R²") : _("AUC") };
  GArray *epochs = mt_run_get_epochs (run);
  g_autofree guint *steps = g_new (guint, epochs->len + 1);
  double *values[G_N_ELEMENTS (what)];

  for (guint c = 0; c < G_N_ELEMENTS (what); c++)
    values[c] = g_new (double, epochs->len + 1);
  for (guint i = 0; i < epochs->len; i++)
    {
      steps[i] = i + 1;
      for (guint c = 0; c < G_N_ELEMENTS (what); c++)
        values[c][i] = what[c] (&g_array_index (epochs, MtRunEpoch, i));
    }
  mt_curves_table_show (self->epochs, _("Network after each epoch"), _("Epoch"), titles, steps,
                        (const double * const *) values, G_N_ELEMENTS (what), epochs->len);
  for (guint c = 0; c < G_N_ELEMENTS (what); c++)
    g_free (values[c]);
}

/* From complex to bare, as elimination goes: what comes new is at the end. */
static void
tabulate_path (MtTrainCharts *self,
               MtRun         *run)
{
  const char *title = _("Training loss");
  guint most, n = 0;
  g_autofree double *least = take_path (mt_run_get_visits (run), &most);
  g_autofree double *values = g_new (double, most + 1);
  g_autofree guint *steps = g_new (guint, most + 1);

  for (guint i = most; i-- > 0;)
    if (isfinite (least[i]))
      {
        steps[n] = i + 1;
        values[n++] = least[i];
      }
  mt_curves_table_show (self->literals, _("Training loss against literals"), _("Literals"), &title, steps,
                        (const double * const[]) { values }, 1, n);
}

static void
show_tables (MtTrainCharts *self)
{
  gboolean epochs = gtk_widget_get_visible (self->loss.box) || gtk_widget_get_visible (self->metric.box);
  gboolean path = gtk_widget_get_visible (self->path.box);

  gtk_widget_set_visible (GTK_WIDGET (self->twin), epochs || path);
  gtk_widget_set_visible (self->epochs_box, epochs);
  gtk_widget_set_visible (self->path_box, path);
  if (epochs && gtk_expander_get_expanded (self->twin))
    tabulate_epochs (self, self->run);
  else
    mt_curves_table_clear (self->epochs);
  if (path && gtk_expander_get_expanded (self->twin))
    tabulate_path (self, self->run);
  else
    mt_curves_table_clear (self->literals);
}

/* --- all of it --- */

static const char *
describe_waiting (MtRun *run)
{
  switch (mt_run_get_state (run))
    {
    case MT_RUN_QUEUED:
      return _("Waiting for other runs to finish.");
    case MT_RUN_STOPPED:
      return _("The run was stopped before producing results.");
    case MT_RUN_FAILED:
      return _("The run failed before producing results.");
    case MT_RUN_RUNNING:
      return mt_run_get_progress (run)->phase == MT_RUN_PHASE_ENCODE ? _("Preparing conditions…")
                                                                     : _("Waiting for the first results…");
    case MT_RUN_DONE:
    default:
      return _("The curves of this run were not saved. Its models are on the Frontier page.");
    }
}

/* Where one network after the other is trained, their epochs are one curve. */
static const char *
describe_meaning (MtRun *run)
{
  const MtRunSettings *settings = mt_run_get_settings (run);

  if (settings->learner == MT_LEARNER_TTSPARSE && settings->restarts == 0 && mt_run_settings_has_network (settings))
    return _("Progress of the selected run. No action is needed: finished models appear on the Frontier page. The rules are trained "
             "as a network again at each of several sizes, from large to small; the epochs of all these trainings follow "
             "each other in the curves.");
  return _("Progress of the selected run. No action is needed: finished models appear on the Frontier page.");
}

gboolean
mt_train_charts_has (MtRun *run)
{
  GArray *epochs = mt_run_get_epochs (run);
  gboolean has = mt_run_get_visits (run)->len > 0;

  for (guint i = 0; !has && i < epochs->len; i++)
    {
      const MtRunEpoch *epoch = &g_array_index (epochs, MtRunEpoch, i);

      has = isfinite (epoch->train_loss) || isfinite (epoch->valid_loss) || isfinite (epoch->metric);
    }
  return has;
}

void
mt_train_charts_show (MtTrainCharts *self,
                      MtRun         *run)
{
  gboolean any;

  g_return_if_fail (MT_IS_TRAIN_CHARTS (self));

  if (run == NULL)
    return;
  g_set_object (&self->run, run);
  show_epochs (&self->loss, run, _("Network Loss"), valid_loss, _("Validation"), train_loss, _("Training"),
               TRUE);
  show_epochs (&self->metric, run, mt_run_is_regression (run) ? _("Network R²")
                                                              : _("Network Area under the ROC Curve"),
               metric, _("Validation"), NULL, NULL, FALSE);
  show_path (self, run);
  show_parts (self, run);
  any = gtk_widget_get_visible (self->loss.box) || gtk_widget_get_visible (self->metric.box) ||
        gtk_widget_get_visible (self->path.box);
  gtk_widget_set_visible (GTK_WIDGET (self->waiting), !any);
  gtk_widget_set_visible (GTK_WIDGET (self->meaning), any);
  gtk_label_set_label (self->waiting, describe_waiting (run));
  gtk_label_set_label (self->meaning, describe_meaning (run));
  show_tables (self);
}

GPtrArray *
mt_train_charts_copy (MtTrainCharts *self)
{
  const Chart *all[] = { &self->loss, &self->metric, &self->path };
  GPtrArray *copies = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_train_chart_free);

  g_return_val_if_fail (MT_IS_TRAIN_CHARTS (self), copies);

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (gtk_widget_get_visible (all[i]->box))
      {
        MtTrainChart *copy = g_new0 (MtTrainChart, 1);

        copy->title = g_strdup (gtk_label_get_label (all[i]->title));
        mt_curves_view_copy (all[i]->view, &copy->spec);
        g_ptr_array_add (copies, copy);
      }
  return copies;
}

static void
add_chart (MtTrainCharts *self,
           Chart         *chart,
           const char    *title)
{
  chart->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  chart->title = GTK_LABEL (gtk_label_new (title));
  gtk_label_set_xalign (chart->title, 0);
  gtk_label_set_ellipsize (chart->title, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (chart->title), "heading");
  chart->view = g_object_new (MT_TYPE_CURVES_VIEW, "vexpand", TRUE, NULL);
  gtk_box_append (GTK_BOX (chart->box), GTK_WIDGET (chart->title));
  gtk_box_append (GTK_BOX (chart->box), GTK_WIDGET (chart->view));
  gtk_widget_set_visible (chart->box, FALSE);
  gtk_box_append (GTK_BOX (self), chart->box);
}

static GtkWidget *
add_table (GtkBox         *box,
           const char     *title,
           MtCurvesTable **table)
{
  GtkWidget *part = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "heading");
  *table = g_object_new (MT_TYPE_CURVES_TABLE, NULL);
  gtk_box_append (GTK_BOX (part), label);
  gtk_box_append (GTK_BOX (part), GTK_WIDGET (*table));
  gtk_box_append (box, part);
  return part;
}

static void
add_twin (MtTrainCharts *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);

  self->twin = GTK_EXPANDER (gtk_expander_new_with_mnemonic (_("As a _Table")));
  mt_button_names_tell (GTK_WIDGET (self->twin), _("As a _Table"));   /* GTK 4.8 has no name for an expander */
  gtk_widget_set_margin_top (box, 12);
  self->epochs_box = add_table (GTK_BOX (box), _("Network after Each Epoch"), &self->epochs);
  self->path_box = add_table (GTK_BOX (box), _("Training Loss against Literals"), &self->literals);
  gtk_expander_set_child (self->twin, box);
  gtk_widget_set_visible (GTK_WIDGET (self->twin), FALSE);
  g_signal_connect_object (self->twin, "notify::expanded", G_CALLBACK (show_tables), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->twin));
}

static void
mt_train_charts_dispose (GObject *object)
{
  g_clear_object (&MT_TRAIN_CHARTS (object)->run);
  G_OBJECT_CLASS (mt_train_charts_parent_class)->dispose (object);
}

static void
mt_train_charts_class_init (MtTrainChartsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_train_charts_dispose;
}

static void
mt_train_charts_init (MtTrainCharts *self)
{
  GtkWidget *heading = gtk_label_new (_("All Rows and Folds"));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 18);
  self->waiting = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->waiting, TRUE);
  gtk_label_set_justify (self->waiting, GTK_JUSTIFY_CENTER);
  gtk_widget_set_vexpand (GTK_WIDGET (self->waiting), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self->waiting), -1, 180);
  gtk_widget_add_css_class (GTK_WIDGET (self->waiting), "dim-label");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->waiting));
  self->meaning = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->meaning, TRUE);
  gtk_label_set_xalign (self->meaning, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->meaning), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->meaning), "caption");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->meaning));
  add_chart (self, &self->loss, NULL);
  add_chart (self, &self->metric, NULL);
  add_chart (self, &self->path, _("Training Loss against Literals"));
  mt_curves_view_align ((MtCurvesView *[]) { self->loss.view, self->metric.view, self->path.view }, 3);
  add_twin (self);
  self->folds = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_add_css_class (heading, "heading");
  self->parts = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_column_spacing (self->parts, 12);
  gtk_grid_set_row_spacing (self->parts, 4);
  gtk_box_append (GTK_BOX (self->folds), heading);
  gtk_box_append (GTK_BOX (self->folds), GTK_WIDGET (self->parts));
  gtk_widget_set_visible (self->folds, FALSE);
  gtk_box_append (GTK_BOX (self), self->folds);
}
