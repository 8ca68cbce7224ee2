/* The data rows that have a part in what is selected of the rule on show: a lazy list, each row a widget
 * that draws the columns the model looks at. See mt-rows-view.h. */
#include "config.h"
#include "mt-rows-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "widgets/mt-index-model.h"
#include "util/mt-format.h"
#include "util/mt-theme.h"

#define HEIGHT      25
#define PADDING     12.0
#define LEAST_CELL  48.0
#define MOST_CELL   160.0
#define SAMPLE      40      /* rows whose cells say how wide a column should be */
#define MOST_COLUMNS 60     /* drawn a row; a model that looks at more is read elsewhere */

/* --- the view --- */

typedef struct {
  guint    column;      /* of the table */
  double   width;
  gboolean used;        /* by the rule on show */
} Shown;

struct _MtRowsView {
  GtkWidget           parent_instance;

  GtkWidget          *scroller;
  GtkWidget          *heads;
  GtkListView        *list;
  GtkSingleSelection *selection;
  MtIndexModel       *model;
  guint32            *rows;         /* of the book, that are listed */
  guint               n_rows;

  MtRuleFocus        *focus;
  GArray             *shown;        /* of Shown */
  double              number_width;
  gboolean            following;
};

static guint activated_signal;

G_DEFINE_FINAL_TYPE (MtRowsView, mt_rows_view, GTK_TYPE_WIDGET)

/* --- a row --- */

#define MT_TYPE_DATA_ROW (mt_data_row_get_type ())

G_DECLARE_FINAL_TYPE (MtDataRow, mt_data_row, MT, DATA_ROW, GtkWidget)

struct _MtDataRow {
  GtkWidget   parent_instance;
  MtRowsView *view;
  guint32     row;
  gboolean    lit;
};

G_DEFINE_FINAL_TYPE (MtDataRow, mt_data_row, GTK_TYPE_WIDGET)

static MtRuleBook *
book_of (MtRowsView *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);

  return view != NULL ? mt_rule_view_get_book (view) : NULL;
}

static double
full_width (MtRowsView *self)
{
  double width = 2 * PADDING + self->number_width;

  for (guint i = 0; i < self->shown->len; i++)
    width += g_array_index (self->shown, Shown, i).width;
  return width;
}

static void
draw_cell (GtkWidget     *widget,
           GtkSnapshot   *snapshot,
           const char    *text,
           const MtColor *color,
           gboolean       bold,
           double         x,
           double         width)
{
  mt_theme_draw_text (widget, snapshot, text, color, 1, bold,
                      &GRAPHENE_RECT_INIT ((float) x, 0, (float) width - 8, gtk_widget_get_height (widget)), 0);
}

static void
mt_data_row_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  MtDataRow *self = MT_DATA_ROW (widget);
  MtRuleBook *book = book_of (self->view);
  float width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  g_autofree char *number = NULL;
  double x = PADDING;
  MtPalette palette;
  GdkRGBA fill;
  gsize at;

  if (book == NULL || self->row >= mt_rule_book_get_n_rows (book))
    return;
  at = mt_rule_book_get_row_numbers (book)[self->row];
  mt_theme_get_palette (widget, &palette);
  if (self->lit)
    {
      fill = mt_theme_faded (&palette.accent, 0.12);
      gtk_snapshot_append_color (snapshot, &fill, &GRAPHENE_RECT_INIT (0, 0, width, height));
    }
  fill = mt_theme_faded (&palette.text, 0.08);
  gtk_snapshot_append_color (snapshot, &fill, &GRAPHENE_RECT_INIT (0, height - 1, width, 1));
  number = mt_format_count (at + 1);
  draw_cell (widget, snapshot, number, &palette.dim, FALSE, x, self->view->number_width);
  x += self->view->number_width;
  for (guint i = 0; i < self->view->shown->len; i++)
    {
      const Shown *shown = &g_array_index (self->view->shown, Shown, i);
      const MtColumn *column = mt_table_get_column (mt_rule_book_get_table (book), shown->column);
      g_autofree char *text = mt_format_cell (column, at);

      if (*text == '\0')
        draw_cell (widget, snapshot, _("missing"), &palette.dim, FALSE, x, shown->width);
      else
        draw_cell (widget, snapshot, text, shown->used ? &palette.name : &palette.text, shown->used, x, shown->width);
      x += shown->width;
    }
}

static void
mt_data_row_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = (int) full_width (MT_DATA_ROW (widget)->view);
  else
    {
      g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, "0");
      int height;

      pango_layout_get_pixel_size (layout, NULL, &height);
      *minimum = *natural = MAX (HEIGHT, height + 6);
    }
}

static void
on_changed (MtDataRow *self)
{
  MtRuleBook *book = book_of (self->view);
  gboolean lit = book != NULL && self->row < mt_rule_book_get_n_rows (book) &&
                 mt_rule_focus_get_hovered (self->view->focus, NULL) != MT_FOCUS_NONE &&
                 mt_rule_focus_lights_row (self->view->focus, self->row);
  guint32 selected;

  /* All rows listed are part of what is selected; only one that was picked itself stands out. */
  lit |= mt_rule_focus_get_selected (self->view->focus, &selected) == MT_FOCUS_ROW && selected == self->row;
  if (lit == self->lit)
    return;
  self->lit = lit;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_enter (MtDataRow *self)
{
  mt_rule_focus_hover (self->view->focus, MT_FOCUS_ROW, self->row);
}

static void
on_leave (MtDataRow *self)
{
  mt_rule_focus_hover (self->view->focus, MT_FOCUS_NONE, 0);
}

static char *
describe_row (MtRowsView *self,
              guint32     row)
{
  MtRuleBook *book = book_of (self);
  gsize at = mt_rule_book_get_row_numbers (book)[row];
  g_autofree char *number = mt_format_count (at + 1);
  GString *text = g_string_new (NULL);

  /* Translators: spoken; %s is the number of a row, then its cells follow */
  g_string_append_printf (text, _("Row %s"), number);
  for (guint i = 0; i < self->shown->len; i++)
    {
      const MtColumn *column = mt_table_get_column (mt_rule_book_get_table (book),
                                                    g_array_index (self->shown, Shown, i).column);
      g_autofree char *cell = mt_format_cell (column, at);

      g_string_append_printf (text, ", %s: %s", mt_column_get_name (column), *cell != '\0' ? cell : _("missing"));
    }
  return g_string_free (text, FALSE);
}

static void
mt_data_row_bind (MtDataRow *self,
                  guint32    row)
{
  g_autofree char *text = describe_row (self->view, row);

  self->row = row;
  on_changed (self);
  mt_theme_name_line (GTK_WIDGET (self), text);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
mt_data_row_class_init (MtDataRowClass *klass)
{
  GTK_WIDGET_CLASS (klass)->snapshot = mt_data_row_snapshot;
  GTK_WIDGET_CLASS (klass)->measure = mt_data_row_measure;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "datarow");
}

static void
mt_data_row_init (MtDataRow *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_enter), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
}

/* --- columns --- */

static double
text_width (MtRowsView *self,
            const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static void
add_head (MtRowsView *self,
          const char *text,
          double      width)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), 1);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 1);     /* as wide as its cells, not as its text */
  gtk_widget_set_size_request (label, (int) width - 8, -1);
  gtk_widget_set_margin_end (label, 8);
  gtk_widget_set_tooltip_text (label, text);
  gtk_box_append (GTK_BOX (self->heads), label);
}

static void
show_column (MtRowsView       *self,
             const MtRuleBook *book,
             guint             index,
             gboolean          used)
{
  const MtColumn *column = mt_table_get_column (mt_rule_book_get_table (book), index);
  Shown shown = { index, text_width (self, mt_column_get_name (column)) * 0.9, used };
  gsize n_rows = mt_rule_book_get_n_rows (book);

  for (gsize i = 0; i < MIN (SAMPLE, n_rows); i++)
    {
      g_autofree char *cell = mt_format_cell (column, mt_rule_book_get_row_numbers (book)[i * n_rows / MIN (SAMPLE, n_rows)]);

      shown.width = MAX (shown.width, text_width (self, cell) * 1.06);
    }
  shown.width = ceil (CLAMP (shown.width + 16, LEAST_CELL, MOST_CELL));
  add_head (self, mt_column_get_name (column), shown.width);
  g_array_append_val (self->shown, shown);
}

/* Every column that the model looks at, as they stand in the table, and the target. */
static void
choose_columns (MtRowsView *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  MtRuleBook *book = view != NULL ? mt_rule_view_get_book (view) : NULL;
  const MtEncoder *encoder;
  const MtTable *table;
  GtkWidget *child;
  int target = -1;

  g_array_set_size (self->shown, 0);
  while ((child = gtk_widget_get_first_child (self->heads)) != NULL)
    gtk_box_remove (GTK_BOX (self->heads), child);
  if (book == NULL || !mt_rule_book_has_rows (book))
    return;
  encoder = mt_rule_book_get_encoder (book);
  table = mt_rule_book_get_table (book);
  {
    g_autofree char *last = mt_format_count (mt_table_get_n_rows (table));

    self->number_width = ceil (MAX (text_width (self, last), text_width (self, _("Row"))) + 16);
  }
  add_head (self, _("Row"), self->number_width);
  for (guint i = 0; i < mt_table_get_n_columns (table); i++)
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, i));

      if (g_str_equal (name, mt_rule_book_get_target (book)))
        target = (int) i;
      for (guint c = 0; c < mt_encoder_get_n_columns (encoder) && self->shown->len < MOST_COLUMNS; c++)
        if (g_str_equal (mt_encoder_get_column_name (encoder, c), name) && mt_rule_book_uses (book, c))
          {
            show_column (self, book, i, mt_rule_book_term_uses (book, mt_rule_view_get_term (view), c));
            break;
          }
    }
  if (target >= 0)
    show_column (self, book, (guint) target, FALSE);
}

/* --- rows --- */

static void
show_rows (MtRowsView *self,
           guint32    *rows,       /* taken */
           guint       n_rows)
{
  g_free (self->rows);
  self->rows = rows;
  self->n_rows = n_rows;
  mt_index_model_set (self->model, n_rows);
}

static void
list_rows (MtRowsView *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  const guint64 *set = mt_rule_focus_get_selection (self->focus);
  g_autofree guint64 *all = NULL;
  guint32 *rows;
  gsize n;

  if (view == NULL || !mt_rule_book_has_rows (mt_rule_view_get_book (view)))
    {
      show_rows (self, NULL, 0);
      return;
    }
  if (set == NULL)
    {
      set = all = g_new (guint64, mt_rule_view_get_n_words (view));
      mt_rule_view_set_true (view, all);
    }
  rows = g_new (guint32, MAX (1, mt_rule_view_count_rows (view, set)));
  n = mt_rule_view_list_rows (view, set, rows);
  self->following = TRUE;
  show_rows (self, rows, (guint) n);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->following = FALSE;
}

/* Picking a row of the list must not change the list under the pointer. */
static void
on_selection_changed (MtRowsView *self)
{
  if (mt_rule_focus_get_selected (self->focus, NULL) != MT_FOCUS_ROW)
    list_rows (self);
}

static void
on_view_changed (MtRowsView *self)
{
  choose_columns (self);
  list_rows (self);
}

static void
setup_row (GtkSignalListItemFactory *factory,
           GtkListItem              *item,
           MtRowsView               *self)
{
  MtDataRow *row = g_object_new (MT_TYPE_DATA_ROW, NULL);

  row->view = self;
  g_signal_connect_object (self->focus, "changed", G_CALLBACK (on_changed), row, G_CONNECT_SWAPPED);
  gtk_list_item_set_child (item, GTK_WIDGET (row));
}

static void
bind_row (GtkSignalListItemFactory *factory,
          GtkListItem              *item,
          MtRowsView               *self)
{
  mt_data_row_bind (MT_DATA_ROW (gtk_list_item_get_child (item)), self->rows[gtk_list_item_get_position (item)]);
}

static void
on_row_selected (MtRowsView *self)
{
  guint position = gtk_single_selection_get_selected (self->selection);

  if (!self->following && position < self->n_rows)
    mt_rule_focus_select (self->focus, MT_FOCUS_ROW, self->rows[position]);
}

static void
on_row_activated (MtRowsView *self,
                  guint       position)
{
  if (position < self->n_rows)
    g_signal_emit (self, activated_signal, 0, self->rows[position]);
}

guint
mt_rows_view_get_n_rows (MtRowsView *self)
{
  return self->n_rows;
}

guint32
mt_rows_view_get_row (MtRowsView *self,
                      guint       position)
{
  g_return_val_if_fail (position < self->n_rows, 0);
  return self->rows[position];
}

GtkWidget *
mt_rows_view_find_row (MtRowsView *self,
                       guint32     row)
{
  for (GtkWidget *line = gtk_widget_get_first_child (GTK_WIDGET (self->list)); line != NULL;
       line = gtk_widget_get_next_sibling (line))
    {
      GtkWidget *child = gtk_widget_get_first_child (line);

      if (MT_IS_DATA_ROW (child) && gtk_widget_get_mapped (child) && MT_DATA_ROW (child)->row == row)
        return child;
    }
  return NULL;
}

char *
mt_rows_view_dup_title (MtRowsView *self)
{
  guint n = self->n_rows;
  g_autofree char *count = mt_format_count (n);

  switch (mt_rule_focus_get_selected (self->focus, NULL))
    {
    case MT_FOCUS_LINE:
      return g_strdup_printf (ngettext ("%s training row matches the selected combination",
                                        "%s training rows match the selected combination", n), count);
    case MT_FOCUS_TERM:
      if (mt_rule_focus_get_form (self->focus) == MT_PHRASE_CNF)
        return g_strdup_printf (ngettext ("%s training row is excluded by the selected clause",
                                          "%s training rows are excluded by the selected clause", n), count);
      return g_strdup_printf (ngettext ("%s training row satisfies the selected alternative",
                                        "%s training rows satisfy the selected alternative", n), count);
    case MT_FOCUS_NODE:
    case MT_FOCUS_EDGE:
    case MT_FOCUS_PATH:
      return g_strdup_printf (ngettext ("%s training row follows the selected path",
                                        "%s training rows follow the selected path", n), count);
    case MT_FOCUS_ROW:
    case MT_FOCUS_NONE:
    default:
      return g_strdup_printf (ngettext ("%s training row satisfies the rule", "%s training rows satisfy the rule", n),
                              count);
    }
}

void
mt_rows_view_set_focus (MtRowsView  *self,
                        MtRuleFocus *focus)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_return_if_fail (MT_IS_ROWS_VIEW (self) && self->focus == NULL);

  self->focus = g_object_ref (focus);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), self);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_row_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "activate", G_CALLBACK (on_row_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "view-changed", G_CALLBACK (on_view_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "selection-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
}

/* --- object --- */

static void
mt_rows_view_dispose (GObject *object)
{
  MtRowsView *self = MT_ROWS_VIEW (object);

  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  self->list = NULL;
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->focus);
  g_clear_pointer (&self->shown, g_array_unref);
  g_clear_pointer (&self->rows, g_free);
  G_OBJECT_CLASS (mt_rows_view_parent_class)->dispose (object);
}

static void
mt_rows_view_class_init (MtRowsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_rows_view_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "datarows");
  activated_signal = g_signal_new ("row-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
mt_rows_view_init (MtRowsView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *inner = gtk_scrolled_window_new ();

  self->shown = g_array_new (FALSE, FALSE, sizeof (Shown));
  self->model = mt_index_model_new ();
  self->selection = gtk_single_selection_new (G_LIST_MODEL (self->model));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->heads = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->heads, "heads");
  gtk_widget_set_margin_start (self->heads, (int) PADDING);
  gtk_widget_set_margin_end (self->heads, (int) PADDING);
  self->list = GTK_LIST_VIEW (gtk_list_view_new (NULL, NULL));
  gtk_widget_set_name (GTK_WIDGET (self->list), "data-rows");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Matching "
                                                                                                "rows"),
                                  -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (inner), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (inner), GTK_WIDGET (self->list));
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (inner), 4 * HEIGHT + 2);
  gtk_widget_set_vexpand (inner, TRUE);
  gtk_box_append (GTK_BOX (box), self->heads);
  gtk_box_append (GTK_BOX (box), inner);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), box);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}
