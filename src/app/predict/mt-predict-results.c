/* What scoring a file gave, as groups of rows. See mt-predict-results.h. */
#include "config.h"
#include "mt-predict-results.h"

#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"

#define MOST_COLUMNS 50      /* shown: those that drifted most, then those with most that is new */
#define MOST_CLASSES 20
#define CELL_CHARS   48

/* --- pieces --- */

static AdwPreferencesGroup *
add_group (GtkWidget  *box,
           const char *title,
           const char *description)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  if (description != NULL)
    adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), description);
  gtk_box_append (GTK_BOX (box), group);
  return ADW_PREFERENCES_GROUP (group);
}

/* Names of columns and classes are no markup. */
static GtkWidget *
add_row (AdwPreferencesGroup *group,
         const char          *title,
         const char          *subtitle,
         const char          *value)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *label = gtk_label_new (value);

  g_object_set (row, "use-markup", FALSE, NULL);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  if (subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_can_focus (label, FALSE);
  gtk_widget_add_css_class (label, "numeric");
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, value, -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_preferences_group_add (group, row);
  return row;
}

static void
add_count (AdwPreferencesGroup *group,
           const char          *title,
           const char          *subtitle,
           guint64              count)
{
  g_autofree char *value = mt_format_count (count);

  add_row (group, title, subtitle, value);
}

/* --- answers --- */

static void
add_answers (GtkWidget       *box,
             const MtModel   *model,
             const MtScoring *scoring)
{
  const MtModelInfo *info = mt_model_get_info (model);
  g_autofree char *n_rows = mt_format_count (scoring->n_rows);
  g_autofree char *title = g_strdup_printf (ngettext ("%s Row Scored", "%s Rows Scored", scoring->n_rows), n_rows);
  /* Translators: %s is the target column */
  g_autofree char *description = g_strdup_printf (_("Predictions of “%s”"), info->target);
  g_autofree char *escaped = g_markup_escape_text (description, -1);
  AdwPreferencesGroup *group = add_group (box, title, escaped);

  if (scoring->n_classes == 0)
    {
      g_autofree char *mean = mt_format_number (scoring->n_rows > 0 ? scoring->sum / (double) scoring->n_rows : NAN);
      g_autofree char *min = mt_format_number (scoring->min), *max = mt_format_number (scoring->max);

      add_row (group, _("Mean"), NULL, mean);
      add_row (group, _("Smallest"), NULL, min);
      add_row (group, _("Largest"), NULL, max);
    }
  for (guint c = 0; c < MIN (scoring->n_classes, MOST_CLASSES); c++)
    {
      g_autofree char *count = mt_format_count (scoring->decided[c]);
      g_autofree char *share = mt_format_percent ((double) scoring->decided[c] / (double) MAX (scoring->n_rows, 1));
      g_autofree char *value = g_strdup_printf ("%s (%s)", count, share);

      add_row (group, info->classes[c], NULL, value);
    }
}

/* --- what was noticed --- */

/* "little drift", "some drift", "much drift"; NULL: not known. */
static const char *
get_drift_words (double psi)
{
  if (isnan (psi))
    return NULL;
  return psi >= MT_DRIFT_MUCH ? _("much drift") : psi >= MT_DRIFT_SOME ? _("some drift") : _("little drift");
}

static void
add_noticed (GtkWidget       *box,
             const MtScoring *scoring,
             gboolean         has_training)
{
  const MtEncodeReport *encode = &scoring->report.encode;
  AdwPreferencesGroup *group = add_group (box, _("Compared with Training"),
                                          has_training ? NULL
                                                       : _("Drift is unknown because the model was opened "
                                                           "without its training data."));

  add_count (group, _("Missing cells"), NULL, encode->n_missing);
  if (encode->n_unexpected_missing > 0)
    add_count (group, _("Missing in columns without missing cells in training"), NULL, encode->n_unexpected_missing);
  add_count (group, _("Unseen levels"), _("Categories that are in no training row"), encode->n_unknown_levels);
  add_count (group, _("Out of range"), _("Numbers outside the range of the training rows"), encode->n_out_of_range);
  add_count (group, _("Rows with an unseen pattern"), _("The conditions of a rule have a combination of values "
                                                        "that is in no training row"),
             scoring->report.n_unseen_patterns);
  if (!isnan (scoring->score_psi))
    {
      g_autofree char *psi = mt_format_fixed (scoring->score_psi, 3);
      g_autofree char *value = g_strdup_printf ("%s (%s)", psi, get_drift_words (scoring->score_psi));

      add_row (group, _("Drift of the score"), _("Population stability index (PSI)"), value);
    }
}

/* --- by column --- */

static gsize
count_new (const MtScoringColumn *column)
{
  return column->n_unknown + column->n_out_of_range;
}

static int
compare_columns (const void *a,
                 const void *b)
{
  const MtScoringColumn *x = *(const MtScoringColumn * const *) a;
  const MtScoringColumn *y = *(const MtScoringColumn * const *) b;
  double p = isnan (x->psi) ? -1 : x->psi, q = isnan (y->psi) ? -1 : y->psi;

  if (p != q)
    return p > q ? -1 : 1;
  if (count_new (x) != count_new (y))
    return count_new (x) > count_new (y) ? -1 : 1;
  if (x->n_missing != y->n_missing)
    return x->n_missing > y->n_missing ? -1 : 1;
  return x < y ? -1 : x > y;    /* as the model has them */
}

static char *
dup_column_words (const MtScoringColumn *column)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *missing = mt_format_count (column->n_missing);
  g_autofree char *unknown = mt_format_count (column->n_unknown);
  g_autofree char *out = mt_format_count (column->n_out_of_range);

  if (column->n_missing > 0)
    g_ptr_array_add (words, g_strdup_printf (_("%s missing"), missing));
  if (column->n_unknown > 0)
    g_ptr_array_add (words, g_strdup_printf (_("%s with an unseen level"), unknown));
  if (column->n_out_of_range > 0)
    g_ptr_array_add (words, g_strdup_printf (_("%s out of range"), out));
  g_ptr_array_add (words, NULL);
  return g_strjoinv (" · ", (char **) words->pdata);
}

static void
add_columns (GtkWidget       *box,
             const MtScoring *scoring,
             gboolean         has_training)
{
  g_autofree const MtScoringColumn **sorted = g_new (const MtScoringColumn *, scoring->n_columns + 1);
  g_autofree char *cut = NULL;
  AdwPreferencesGroup *group;

  if (scoring->n_columns == 0)
    return;
  for (guint c = 0; c < scoring->n_columns; c++)
    sorted[c] = &scoring->columns[c];
  qsort (sorted, scoring->n_columns, sizeof *sorted, compare_columns);
  if (scoring->n_columns > MOST_COLUMNS)
    cut = g_strdup_printf (ngettext ("The %u column that differs most, of %u.", "The %u columns that differ most, of %u.",
                                     MOST_COLUMNS), MOST_COLUMNS, scoring->n_columns);
  else if (has_training)
    cut = g_strdup (_("Drift is the population stability index (PSI) between the training rows and these rows. "
                      "Below 0.1 there is little drift; from 0.25 on there is a lot."));
  group = add_group (box, _("Columns"), cut);
  for (guint c = 0; c < MIN (scoring->n_columns, MOST_COLUMNS); c++)
    {
      g_autofree char *words = dup_column_words (sorted[c]);
      g_autofree char *psi = isnan (sorted[c]->psi) ? NULL : mt_format_fixed (sorted[c]->psi, 3);
      g_autofree char *value = psi != NULL ? g_strdup_printf ("%s (%s)", psi, get_drift_words (sorted[c]->psi))
                                           : g_strdup ("");

      add_row (group, sorted[c]->name, *words != '\0' ? words : NULL, value);
    }
}

/* --- quality --- */

static void
add_quality (GtkWidget       *box,
             const MtScoring *scoring)
{
  g_autofree char *n_rows = mt_format_count (scoring->n_measured);
  g_autofree char *without = mt_format_count (scoring->n_without_target);
  g_autofree char *unknown = mt_format_count (scoring->n_unknown_class);
  g_autoptr (GString) about = g_string_new (NULL);
  AdwPreferencesGroup *group;

  if (!scoring->measured)
    return;
  g_string_append_printf (about, scoring->cut_off
                          ? ngettext ("On the first %s row with a known target, with 95%% intervals.",
                                      "On the first %s rows with a known target, with 95%% intervals.",
                                      scoring->n_measured)
                          : ngettext ("On %s row with a known target, with 95%% intervals.",
                                      "On %s rows with a known target, with 95%% intervals.", scoring->n_measured), n_rows);
  if (scoring->n_without_target > 0)
    {
      g_string_append_c (about, ' ');
      g_string_append_printf (about, ngettext ("%s row has no target.", "%s rows have no target.",
                                               scoring->n_without_target), without);
    }
  if (scoring->n_unknown_class > 0)
    {
      g_string_append_c (about, ' ');
      g_string_append_printf (about, ngettext ("%s row has a class that the model does not know.",
                                               "%s rows have a class that the model does not know.",
                                               scoring->n_unknown_class), unknown);
    }
  group = add_group (box, _("Quality"), about->str);
  for (guint m = 0; m < scoring->n_metrics; m++)
    {
      const MtInterval *interval = &scoring->intervals[m];
      g_autofree char *value = mt_format_quality (scoring->metrics[m], interval->value);
      g_autofree char *low = mt_format_quality (scoring->metrics[m], interval->low);
      g_autofree char *high = mt_format_quality (scoring->metrics[m], interval->high);
      g_autofree char *text = NULL;

      if (isnan (interval->value))
        text = g_strdup (_("not defined"));
      else if (interval->n_resamples == 0)
        text = g_strdup (value);
      else
        text = g_strdup_printf ("%s (%s – %s)", value, low, high);
      add_row (group, mt_format_metric_name (scoring->metrics[m]), NULL, text);
    }
}

/* --- the first lines --- */

static GtkWidget *
make_cell (const char *text,
           gboolean    head)
{
  g_autofree char *cut = mt_format_cut (text, CELL_CHARS);
  GtkWidget *label = gtk_label_new (cut);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, head ? "heading" : "numeric");
  if (g_utf8_strlen (text, -1) > CELL_CHARS)
    gtk_widget_set_tooltip_text (label, text);
  return label;
}

static void
add_preview (GtkWidget       *box,
             const MtScoring *scoring)
{
  GtkWidget *grid = gtk_grid_new (), *scrolled = gtk_scrolled_window_new ();
  g_autofree char *n = mt_format_count (scoring->preview->len);
  g_autofree char *title = g_strdup_printf (ngettext ("First %s Row", "First %s Rows", scoring->preview->len), n);
  AdwPreferencesGroup *group = add_group (box, title, _("As they will be saved, but without quotation marks."));

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_widget_set_margin_top (grid, 12);
  gtk_widget_set_margin_bottom (grid, 24);    /* the scroll bar is over it */
  gtk_widget_set_margin_start (grid, 12);
  gtk_widget_set_margin_end (grid, 12);
  for (guint c = 0; scoring->header[c] != NULL; c++)
    gtk_grid_attach (GTK_GRID (grid), make_cell (scoring->header[c], TRUE), (int) c, 0, 1, 1);
  for (guint r = 0; r < scoring->preview->len; r++)
    {
      char **line = g_ptr_array_index (scoring->preview, r);

      for (guint c = 0; line[c] != NULL; c++)
        gtk_grid_attach (GTK_GRID (grid), make_cell (line[c], FALSE), (int) c, (int) r + 1, 1, 1);
    }
  mt_scroll_sideways (scrolled);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  gtk_widget_add_css_class (scrolled, "card");
  gtk_accessible_update_property (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  adw_preferences_group_add (group, scrolled);
}

GtkWidget *
mt_predict_results_new (const MtModel   *model,
                        const MtScoring *scoring,
                        gboolean         has_training)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 24);

  add_answers (box, model, scoring);
  add_preview (box, scoring);
  add_quality (box, scoring);
  add_noticed (box, scoring, has_training);
  add_columns (box, scoring, has_training);
  return box;
}
