/* Two pinned models side by side: how good, how large, which columns, where they disagree. See mt-compare-
 * panel.h. */
#include "config.h"
#include "mt-compare-panel.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "mt-flow-layout.h"
#include "util/mt-format.h"
#include "study/mt-run.h"
#include "util/mt-theme.h"

enum {
  ROW_QUALITY,
  ROW_LITERALS,
  ROW_RULES,
  ROW_COLUMNS,
  ROW_DIFFER,
  N_ROWS,
};

struct _MtComparePanel {
  AdwBin        parent_instance;

  GtkLabel     *hint;
  GtkGrid      *grid;
  GtkLabel     *cells[N_ROWS][3];   /* A, B, B against A */
  GtkLabel     *rows;               /* that they were not learned from the same */
  GtkLabel     *columns;            /* which only one of them reads */
  GtkWidget    *open;               /* button: further, to their rules */
  GCancellable *cancellable;        /* of the rows being compared */
  MtCompareOperation  *comparing;          /* NULL: not yet */
};

static guint compared_signal, open_signal;

G_DEFINE_FINAL_TYPE (MtComparePanel, mt_compare_panel, ADW_TYPE_BIN)

/* --- showing --- */

static void
set_difference (GtkLabel *label,
                double    difference,
                int       digits)
{
  g_autofree char *text = mt_format_fixed (fabs (difference), (guint) digits);
  gboolean none = strpbrk (text, "123456789") == NULL;    /* what rounds to nothing has no sign */
  g_autofree char *signed_text = g_strconcat (none ? "" : difference < 0 ? "−" : "+", text, NULL);

  gtk_label_set_label (label, signed_text);
}

/* Fold by fold: what is easy for one model is easy for the other, so this tells more than two ±. */
static void
show_quality_difference (MtComparePanel *self,
                         MtFrontierItem *items[2])
{
  GtkLabel *label = self->cells[ROW_QUALITY][2];
  double plain = mt_frontier_point_get_quality (mt_frontier_item_get_point (items[1])) -
                 mt_frontier_point_get_quality (mt_frontier_item_get_point (items[0]));
  guint n[2];
  const double *scores[2] = { mt_frontier_item_get_scores (items[0], &n[0]),
                              mt_frontier_item_get_scores (items[1], &n[1]) };
  double mean, se;
  MtRun *run;

  if (n[0] < 2 || n[0] != n[1] ||
      !mt_run_shares_folds (mt_frontier_item_get_run (items[0]), mt_frontier_item_get_run (items[1])))
    {
      set_difference (label, plain, 3);
      gtk_widget_set_tooltip_text (GTK_WIDGET (label), _("Different Folds: No Standard Error Available"));
      return;
    }
  run = mt_frontier_item_get_run (items[0]);
  mt_frontier_mean_and_error (scores[1], scores[0], n[0], run != NULL ? mt_run_get_settings (run)->folds : n[0], &mean, &se);
  set_difference (label, mean, 3);
  {
    g_autofree char *text = mt_format_with_error (gtk_label_get_label (label), se);

    gtk_label_set_label (label, text);
    gtk_widget_set_tooltip_text (GTK_WIDGET (label),
                                 _("Mean Difference ± Standard Error Across Folds"));
  }
}

static void
show_columns (MtComparePanel     *self,
              const MtComparison *comparison)
{
  g_autofree char *both = g_strjoinv (", ", comparison->both);
  g_autofree char *a = g_strjoinv (", ", comparison->only[0]);
  g_autofree char *b = g_strjoinv (", ", comparison->only[1]);
  g_autoptr (GString) text = g_string_new (NULL);

  /* Translators: %s is a list of column names, here and in the next two */
  if (both[0] != '\0')
    g_string_append_printf (text, _("Both use %s."), both);
  if (a[0] != '\0')
    {
      g_string_append (text, text->len > 0 ? "  " : "");
      g_string_append_printf (text, _("Only A uses %s."), a);
    }
  if (b[0] != '\0')
    {
      g_string_append (text, text->len > 0 ? "  " : "");
      g_string_append_printf (text, _("Only B uses %s."), b);
    }
  gtk_label_set_label (self->columns, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->columns), text->len > 0);
}

static void
show_comparison (MtComparePanel     *self,
                 const MtComparison *comparison,
                 gboolean            regression)
{
  g_autofree char *differ = NULL;

  for (guint i = 0; i < 2; i++)
    {
      const MtModelShape *shape = &comparison->shapes[i];
      g_autofree char *longest = g_strdup_printf (ngettext ("%u literal", "%u literals", shape->longest),
                                                  shape->longest);
      g_autofree char *rules = shape->longest > 0 ? g_strdup_printf ("%u, %s", shape->n_rules, longest)
                                                  : g_strdup_printf ("%u", shape->n_rules);
      g_autofree char *columns = mt_format_count (shape->n_columns);

      gtk_label_set_label (self->cells[ROW_RULES][i], rules);
      gtk_label_set_label (self->cells[ROW_COLUMNS][i], columns);
    }
  set_difference (self->cells[ROW_RULES][2],
                  (double) comparison->shapes[1].n_rules - comparison->shapes[0].n_rules, 0);
  set_difference (self->cells[ROW_COLUMNS][2],
                  (double) comparison->shapes[1].n_columns - comparison->shapes[0].n_columns, 0);
  gtk_label_set_label (GTK_LABEL (gtk_grid_get_child_at (self->grid, 0, 1 + ROW_DIFFER)),
                       regression ? _("Difference between predictions on training rows")
                                  : _("Training rows decided differently"));
  if (regression)
    {
      g_autofree char *mean = mt_format_short (comparison->difference);

      /* Translators: %s is a number in the target's units */
      differ = g_strdup_printf (_("%s on average"), mean);
    }
  else
    {
      g_autofree char *n = mt_format_count (comparison->n_differ);
      g_autofree char *of = mt_format_count (comparison->n_rows);

      /* Translators: rows on which two models decide differently, of all training rows */
      differ = g_strdup_printf (ngettext ("%s of %s row", "%s of %s rows", comparison->n_rows), n, of);
    }
  gtk_label_set_label (self->cells[ROW_DIFFER][2], differ);
  show_columns (self, comparison);
}

static void
on_compared (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  MtComparePanel *self = MT_COMPARE_PANEL (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtCompareOperation) comparing = mt_compare_finish (result, &error);

  if (self->cancellable == NULL || self->cancellable != g_task_get_cancellable (G_TASK (result)))
    return;
  g_clear_object (&self->cancellable);
  if (comparing == NULL)
    {
      gtk_label_set_label (self->cells[ROW_DIFFER][2], _("trained on different rows"));
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->cells[ROW_DIFFER][2]), error->message);
      return;
    }
  show_comparison (self, comparing->comparison,
                   mt_rule_book_get_task (comparing->books[0]) == MT_TASK_REGRESSION);
  self->comparing = g_steal_pointer (&comparing);
  gtk_widget_set_sensitive (self->open, TRUE);
  g_signal_emit (self, compared_signal, 0);
}

static void
stop_comparing (MtComparePanel *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->comparing, mt_compare_operation_unref);
}

MtCompareOperation *
mt_compare_panel_get_comparing (MtComparePanel *self)
{
  return self->comparing;
}

static void
on_open (MtComparePanel *self)
{
  g_signal_emit (self, open_signal, 0);
}

void
mt_compare_panel_offer_rules (MtComparePanel *self)
{
  g_return_if_fail (MT_IS_COMPARE_PANEL (self));
  gtk_widget_set_visible (self->open, TRUE);
}

static gboolean
are_of_different_data (MtFrontierItem *a,
                       MtFrontierItem *b)
{
  MtRun *runs[2] = { mt_frontier_item_get_run (a), mt_frontier_item_get_run (b) };

  return runs[0] != NULL && runs[1] != NULL && g_strcmp0 (mt_run_get_data (runs[0]), mt_run_get_data (runs[1])) != 0;
}

void
mt_compare_panel_show (MtComparePanel *self,
                       MtFrontierItem *a,
                       MtFrontierItem *b,
                       const char     *metric)
{
  MtFrontierItem *items[2] = { a, b };
  const MtFrontierPoint *points[2];
  g_autofree char *quality = NULL;

  g_return_if_fail (MT_IS_COMPARE_PANEL (self));

  stop_comparing (self);
  gtk_widget_set_sensitive (self->open, FALSE);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->cells[ROW_DIFFER][2]), NULL);
  gtk_widget_set_visible (gtk_widget_get_parent (self->open), a != NULL && b != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->grid), a != NULL && b != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->columns), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->rows), a != NULL && b != NULL && are_of_different_data (a, b));
  gtk_widget_set_visible (GTK_WIDGET (self->hint), a == NULL || b == NULL);
  gtk_label_set_label (self->hint, a == NULL && b == NULL
                                   ? _("Pin two models to compare them here (select a model and press Space, "
                                       "or Ctrl+click).")
                                   : _("One model is pinned. Pin another to compare them."));
  if (a == NULL || b == NULL)
    return;
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *value = NULL;
      g_autofree char *literals = NULL;

      points[i] = mt_frontier_item_get_point (items[i]);
      value = mt_frontier_point_format (points[i]);
      literals = mt_format_count (points[i]->complexity);
      gtk_label_set_label (self->cells[ROW_QUALITY][i], value);
      gtk_label_set_label (self->cells[ROW_LITERALS][i], literals);
      gtk_label_set_label (self->cells[ROW_RULES][i], "…");
      gtk_label_set_label (self->cells[ROW_COLUMNS][i], "…");
    }
  show_quality_difference (self, items);
  set_difference (self->cells[ROW_LITERALS][2], (double) points[1]->complexity - points[0]->complexity, 0);
  gtk_label_set_label (self->cells[ROW_RULES][2], "…");
  gtk_label_set_label (self->cells[ROW_COLUMNS][2], "…");
  gtk_label_set_label (self->cells[ROW_DIFFER][2], "…");
  quality = g_strdup_printf (_("%s, mean over folds"), metric);
  gtk_label_set_label (GTK_LABEL (gtk_grid_get_child_at (self->grid, 0, 1 + ROW_QUALITY)), quality);
  self->cancellable = g_cancellable_new ();
  mt_compare_async (self, a, b, self->cancellable, on_compared);
}

/* --- object --- */

static GtkLabel *
add_label (GtkGrid    *grid,
           const char *text,
           const char *css_class,
           int         column,
           int         row)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (column > 0)
    mt_theme_read_forwards (GTK_LABEL (label));
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_widget_set_hexpand (label, TRUE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_widget_add_css_class (label, "numeric");
  gtk_grid_attach (grid, label, column, row, 1, 1);
  return GTK_LABEL (label);
}

static void
add_badge (MtComparePanel *self,
           guint           which)
{
  GtkWidget *badge = gtk_label_new (which == 0 ? "A" : "B");

  gtk_widget_add_css_class (badge, "pinbadge");
  gtk_widget_set_halign (badge, GTK_ALIGN_START);
  gtk_widget_set_valign (badge, GTK_ALIGN_CENTER);
  gtk_grid_attach (self->grid, badge, 1 + (int) which, 0, 1, 1);
}

static void
mt_compare_panel_dispose (GObject *object)
{
  MtComparePanel *self = MT_COMPARE_PANEL (object);

  stop_comparing (self);
  G_OBJECT_CLASS (mt_compare_panel_parent_class)->dispose (object);
}

static void
mt_compare_panel_class_init (MtComparePanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_compare_panel_dispose;
  compared_signal = g_signal_new ("compared", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  open_signal = g_signal_new ("open", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                              G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "comparepanel");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
mt_compare_panel_init (MtComparePanel *self)
{
  const char *titles[N_ROWS] = {
    NULL, _("Literals"), _("Rules, longest rule"), _("Columns used"), _("Training rows decided differently"),
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9), *foot;

  self->hint = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->hint, TRUE);
  gtk_label_set_xalign (self->hint, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->hint), "dim-label");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->hint));
  self->grid = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_column_spacing (self->grid, 6);
  gtk_grid_set_row_spacing (self->grid, 9);
  add_label (self->grid, _("Side by side"), "heading", 0, 0);
  add_badge (self, 0);
  add_badge (self, 1);
  add_label (self->grid, _("B − A"), "heading", 3, 0);
  for (guint row = 0; row < N_ROWS; row++)
    {
      add_label (self->grid, titles[row], "dim-label", 0, 1 + (int) row);
      for (guint i = 0; i < 3; i++)
        self->cells[row][i] = add_label (self->grid, NULL, i == 2 ? "heading" : NULL, 1 + (int) i, 1 + (int) row);
    }
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->grid));
  self->rows = GTK_LABEL (gtk_label_new (_("The data changed between these two models. They were trained and "
                                           "validated on different rows, so the difference is not due to the "
                                           "models alone.")));
  gtk_label_set_wrap (self->rows, TRUE);
  gtk_label_set_xalign (self->rows, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->rows), "warning");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->rows));
  foot = g_object_new (GTK_TYPE_BOX, "layout-manager", g_object_new (MT_TYPE_FLOW_LAYOUT, "gap", 12, NULL), NULL);
  self->columns = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_set_hexpand (GTK_WIDGET (self->columns), TRUE);
  gtk_label_set_wrap (self->columns, TRUE);
  gtk_label_set_wrap_mode (self->columns, PANGO_WRAP_WORD_CHAR);   /* names may be long */
  gtk_label_set_xalign (self->columns, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->columns), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->columns), "caption");
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (self->columns));
  self->open = gtk_button_new_with_mnemonic (_("_Compare Rules"));
  gtk_widget_set_name (self->open, "compare-rules");
  gtk_widget_set_halign (self->open, GTK_ALIGN_END);
  gtk_widget_set_valign (self->open, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->open, FALSE);
  g_signal_connect_object (self->open, "clicked", G_CALLBACK (on_open), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (foot), self->open);
  gtk_box_append (GTK_BOX (box), foot);
  adw_bin_set_child (ADW_BIN (self), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Comparison"), -1);
  mt_compare_panel_show (self, NULL, NULL, NULL);
}
