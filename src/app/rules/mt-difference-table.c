/* The rows that two models see differently, as a table: what was true, and what each of them says. See mt-
 * difference-table.h. */
#include "config.h"
#include "mt-difference-table.h"

#include <glib/gi18n.h>

#include "widgets/mt-index-model.h"
#include "util/mt-format.h"

typedef enum {
  CELL_ROW,
  CELL_TRUTH,
  CELL_LEFT,
  CELL_RIGHT,
  CELL_GAP,       /* numbers only */
  N_CELLS,
} Cell;

struct _MtDifferenceTable {
  AdwBin               parent_instance;

  GtkColumnView       *table;
  GtkColumnViewColumn *columns[N_CELLS];
  MtIndexModel        *model;
  MtCompareOperation         *comparing;
};

static guint activated_signal;

G_DEFINE_FINAL_TYPE (MtDifferenceTable, mt_difference_table, ADW_TYPE_BIN)

/* --- cells --- */

/* What a model says of a row: a class with its probability, or a number. */
static char *
describe_answer (MtRuleBook            *book,
                 const MtRowDifference *row,
                 guint                  side)
{
  g_autofree char *share = NULL;

  if (mt_rule_book_get_task (book) == MT_TASK_REGRESSION)
    return mt_format_target (book, row->predictions[side]);
  /* Of the class decided: one looks at how sure each of them is. */
  share = mt_format_rate (mt_rule_book_get_task (book) == MT_TASK_BINARY && row->decided[side] == 0
                             ? 1 - row->predictions[side] : row->predictions[side]);
  return g_strdup_printf ("%s  %s", mt_rule_book_get_classes (book)[row->decided[side]], share);
}

static char *
dup_cell (MtDifferenceTable *self,
          guint              position,
          Cell               cell)
{
  MtRuleBook *book = self->comparing->books[0];
  const MtRowDifference *row = &g_array_index (self->comparing->comparison->rows, MtRowDifference, position);
  double truth = mt_rule_book_get_values (book)[row->row];

  switch (cell)
    {
    case CELL_ROW:
      return mt_format_count (mt_rule_book_get_row_numbers (book)[row->row] + 1);
    case CELL_TRUTH:
      return mt_rule_book_get_n_classes (book) > 0 ? g_strdup (mt_rule_book_get_classes (book)[(guint) truth])
                                                   : mt_format_short (truth);
    case CELL_LEFT:
      return describe_answer (book, row, 0);
    case CELL_RIGHT:
      return describe_answer (book, row, 1);
    case CELL_GAP:
    case N_CELLS:
    default:
      return mt_format_weight (row->predictions[1] - row->predictions[0]);
    }
}

static gboolean
is_right (MtDifferenceTable *self,
          guint              position,
          Cell               cell)
{
  MtRuleBook *book = self->comparing->books[0];
  const MtRowDifference *row = &g_array_index (self->comparing->comparison->rows, MtRowDifference, position);

  return (cell == CELL_LEFT || cell == CELL_RIGHT) && mt_rule_book_get_n_classes (book) > 0 &&
         (double) row->decided[cell == CELL_LEFT ? 0 : 1] == mt_rule_book_get_values (book)[row->row];
}

static void
setup_cell (GtkSignalListItemFactory *factory,
            GtkListItem              *item,
            MtDifferenceTable        *self)
{
  Cell cell = (Cell) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "cell"));
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), cell == CELL_GAP ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), cell == CELL_ROW ? 4 : 6);
  gtk_widget_add_css_class (label, "numeric");
  if (cell == CELL_ROW)
    gtk_widget_add_css_class (label, "dim-label");
  gtk_list_item_set_child (item, label);
}

static void
bind_cell (GtkSignalListItemFactory *factory,
           GtkListItem              *item,
           MtDifferenceTable        *self)
{
  Cell cell = (Cell) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "cell"));
  guint position = gtk_list_item_get_position (item);
  GtkLabel *label = GTK_LABEL (gtk_list_item_get_child (item));
  g_autofree char *text = dup_cell (self, position, cell);

  if (is_right (self, position, cell))
    {
      /* Translators: after a decision that agrees with what was true */
      g_autofree char *marked = g_strdup_printf ("%s ✓", text);

      gtk_label_set_label (label, marked);
      gtk_widget_add_css_class (GTK_WIDGET (label), "heading");
    }
  else
    {
      gtk_label_set_label (label, text);
      gtk_widget_remove_css_class (GTK_WIDGET (label), "heading");
    }
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), text);
}

static void
add_column (MtDifferenceTable *self,
            Cell               cell,
            const char        *title)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), "cell", GUINT_TO_POINTER (cell));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), self);
  self->columns[cell] = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (self->columns[cell], cell != CELL_ROW);
  gtk_column_view_append_column (self->table, self->columns[cell]);
  g_object_unref (self->columns[cell]);   /* the table keeps it */
}

/* --- what is shown --- */

void
mt_difference_table_show (MtDifferenceTable *self,
                          MtCompareOperation       *comparing)
{
  g_return_if_fail (MT_IS_DIFFERENCE_TABLE (self));

  mt_index_model_set (self->model, 0);   /* no cell looks at what is gone */
  g_clear_pointer (&self->comparing, mt_compare_operation_unref);
  if (comparing == NULL)
    return;
  self->comparing = mt_compare_operation_ref (comparing);
  gtk_column_view_column_set_title (self->columns[CELL_TRUTH], mt_rule_book_get_target (comparing->books[0]));
  gtk_column_view_column_set_visible (self->columns[CELL_GAP],
                                      mt_rule_book_get_task (comparing->books[0]) == MT_TASK_REGRESSION);
  mt_index_model_set (self->model, comparing->comparison->rows->len);
}

guint
mt_difference_table_get_n_lines (MtDifferenceTable *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->model));
}

char *
mt_difference_table_dup_summary (MtDifferenceTable *self)
{
  const MtComparison *comparison = self->comparing != NULL ? self->comparing->comparison : NULL;
  g_autofree char *n = NULL;
  g_autofree char *of = NULL;

  if (comparison == NULL)
    return g_strdup ("");
  n = mt_format_count (comparison->n_differ);
  of = mt_format_count (comparison->n_rows);
  if (mt_rule_book_get_task (self->comparing->books[0]) == MT_TASK_REGRESSION)
    /* Translators: numbers of rows, the first of the second */
    return g_strdup_printf (ngettext ("%s of %s training row is predicted differently, the largest gap first",
                                      "%s of %s training rows are predicted differently, the largest gap first",
                                      comparison->n_rows), n, of);
  /* Translators: numbers of rows, the first of the second */
  return g_strdup_printf (ngettext ("%s of %s training row is decided differently",
                                    "%s of %s training rows are decided differently", comparison->n_rows), n, of);
}

static void
on_activated (MtDifferenceTable *self,
              guint              position)
{
  if (self->comparing != NULL && position < self->comparing->comparison->rows->len)
    g_signal_emit (self, activated_signal, 0,
                   g_array_index (self->comparing->comparison->rows, MtRowDifference, position).row);
}

/* --- object --- */

static void
mt_difference_table_dispose (GObject *object)
{
  MtDifferenceTable *self = MT_DIFFERENCE_TABLE (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  g_clear_pointer (&self->comparing, mt_compare_operation_unref);
  G_OBJECT_CLASS (mt_difference_table_parent_class)->dispose (object);
}

static void
mt_difference_table_class_init (MtDifferenceTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_difference_table_dispose;
  activated_signal = g_signal_new ("row-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
mt_difference_table_init (MtDifferenceTable *self)
{
  g_autoptr (GtkSingleSelection) selection = NULL;
  GtkWidget *scrolled;

  self->model = mt_index_model_new ();
  selection = gtk_single_selection_new (G_LIST_MODEL (self->model));   /* keeps the model */
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_widget_set_name (GTK_WIDGET (self->table), "differences");
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "ruletable");
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "tight");
  add_column (self, CELL_ROW, _("Row"));
  add_column (self, CELL_TRUTH, NULL);
  add_column (self, CELL_LEFT, _("A says"));
  add_column (self, CELL_RIGHT, _("B says"));
  add_column (self, CELL_GAP, _("B − A"));
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  g_signal_connect_object (self->table, "activate", G_CALLBACK (on_activated), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Rows on which the models differ"), -1);
  scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), 220);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->table));
  adw_bin_set_child (ADW_BIN (self), scrolled);
}
