/* The model as a scorecard: a card for each column, and one of the interactions. See mt-scorecard-pane.h. */
#include "config.h"
#include "mt-scorecard-pane.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-term-item.h"
#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"
#include "util/mt-theme.h"
#include "widgets/mt-chart-view.h"
#include "widgets/mt-flow-layout.h"
#include "widgets/mt-label-line.h"

#define NAME_CHARS  40     /* of a range's text in a line, where it is not broken */
#define CLASS_CHARS 12     /* of a class in a line of a head */
#define FEW_OUTPUTS 2      /* of which a table is as wide as its card, and long texts are broken */

struct _MtScorecardPane {
  AdwBin       parent_instance;

  /* template children */
  GtkLabel    *title;
  GtkBox      *body;

  MtRuleBook  *book;
  MtScorecard *card;
  guint        next;       /* the card to be made: a column, then the interactions */
  guint        filling;
};

static guint term_signal;

G_DEFINE_FINAL_TYPE (MtScorecardPane, mt_scorecard_pane, ADW_TYPE_BIN)

static guint
count_outputs (MtScorecardPane *self)
{
  return mt_rule_set_get_n_outputs (mt_rule_book_get_rules (self->book));
}

/* --- a table --- */

static GtkGrid *
grid_new (void)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_widget_set_margin_bottom (grid, 6);     /* the scroll bar is over it */
  return GTK_GRID (grid);
}

static void
add_cell (GtkGrid    *grid,
          int         column,
          int         row,
          const char *text,
          gboolean    is_head)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column > 0 ? 1 : 0);
  gtk_widget_set_hexpand (label, column == 0);
  gtk_widget_set_valign (label, is_head ? GTK_ALIGN_END : GTK_ALIGN_START);
  if (is_head)
    {
      gtk_widget_add_css_class (label, "caption-heading");
      gtk_widget_add_css_class (label, "dim-label");
      gtk_label_set_justify (GTK_LABEL (label), column > 0 ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_LEFT);
    }
  else if (column > 0)
    {
      gtk_widget_add_css_class (label, "numeric");
      mt_theme_read_forwards (GTK_LABEL (label));
      gtk_label_set_xalign (GTK_LABEL (label), 1);
    }
  gtk_grid_attach (grid, label, column, row, 1, 1);
}

/* Of a range. In a table as wide as its card it is broken into lines, otherwise cut, with all of it in the tooltip. */
static void
add_name (GtkGrid    *grid,
          int         row,
          const char *text,
          gboolean    is_broken)
{
  GtkWidget *label;

  add_cell (grid, 0, row, text, FALSE);
  label = gtk_grid_get_child_at (grid, 0, row);
  if (is_broken)
    {
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    }
  else if (g_utf8_strlen (text, -1) > NAME_CHARS)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_width_chars (GTK_LABEL (label), NAME_CHARS);
      gtk_widget_set_tooltip_text (label, text);
    }
}

/* Of many outputs it is as wide as it likes: narrow places scroll it. */
static void
add_grid (MtScorecardPane *self,
          GtkBox          *card,
          GtkGrid         *grid,
          const char      *name)
{
  GtkWidget *scrolled;

  if (count_outputs (self) <= FEW_OUTPUTS)
    {
      gtk_accessible_update_property (GTK_ACCESSIBLE (grid), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
      gtk_box_append (card, GTK_WIDGET (grid));
      return;
    }
  scrolled = gtk_scrolled_window_new ();

  mt_scroll_sideways (scrolled);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (grid));
  gtk_accessible_update_property (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_box_append (card, scrolled);
}

/* Of one output the word, of several a class each. */
static void
add_heads (MtScorecardPane *self,
           GtkGrid         *grid,
           const char      *first,
           const char      *of_one,
           gboolean         has_rows)
{
  guint n = count_outputs (self);

  add_cell (grid, 0, 0, first, TRUE);
  for (guint o = 0; o < n; o++)
    add_cell (grid, 1 + (int) o, 0, n == 1 ? of_one : mt_rule_book_get_classes (self->book)[o], TRUE);
  if (has_rows)
    add_cell (grid, 1 + (int) n, 0, _("Rows"), TRUE);
}

static char *
dup_points (double points)
{
  return points == 0 ? g_strdup ("0") : mt_format_weight (points);
}

/* --- a column --- */

static GtkBox *
add_card (MtScorecardPane *self,
          const char      *title,
          const char      *detail)
{
  GtkBox *card = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 9)), *head = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9));
  GtkLabel *name = mt_label_line_add (head, title, "heading");

  gtk_widget_add_css_class (GTK_WIDGET (card), "card");
  gtk_widget_add_css_class (GTK_WIDGET (card), "comparecard");
  gtk_label_set_wrap_mode (name, PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (GTK_WIDGET (name), TRUE);
  if (detail != NULL)
    {
      GtkWidget *label = gtk_label_new (detail);

      gtk_widget_add_css_class (label, "caption");
      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_add_css_class (label, "numeric");
      gtk_box_append (head, label);
    }
  gtk_box_append (card, GTK_WIDGET (head));
  gtk_box_append (self->body, GTK_WIDGET (card));
  return card;
}

static void
on_term (GtkButton       *button,
         MtScorecardPane *self)
{
  g_signal_emit (self, term_signal, 0, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "term")));
}

/* A way to the term: "Rule 3", or the column whose linear term it is. */
static GtkWidget *
term_button_new (MtScorecardPane *self,
                 guint            term)
{
  gboolean is_rule = !mt_rule_set_get_term (mt_rule_book_get_rules (self->book), term)->is_numeric;
  g_autofree char *text = is_rule ? g_strdup_printf (_("Rule %u"), mt_rule_book_get_number (self->book, term))
                                  : g_strdup (_("Linear term"));
  GtkWidget *button = gtk_button_new_with_label (text);

  gtk_widget_add_css_class (button, "small");
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  g_object_set_data (G_OBJECT (button), "term", GINT_TO_POINTER ((int) term));
  g_signal_connect (button, "clicked", G_CALLBACK (on_term), self);
  return button;
}

static void
add_terms (MtScorecardPane         *self,
           GtkBox                  *card,
           const MtScorecardColumn *column)
{
  GtkWidget *flow = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_name (flow, "terms");
  gtk_widget_set_layout_manager (flow, g_object_new (MT_TYPE_FLOW_LAYOUT, "gap", 6, NULL));
  for (guint i = 0; i < column->n_terms; i++)
    gtk_box_append (GTK_BOX (flow), term_button_new (self, column->terms[i]));
  gtk_box_append (card, flow);
}

/* "−0.59 … +1.62" where a linear term makes the points rise or fall within the range. */
static char *
dup_range_points (const MtScorecardColumn *column,
                  const MtScorecardRange  *range,
                  guint                    output)
{
  g_autofree char *low = dup_points (range->at_low[output]);
  g_autofree char *high = dup_points (range->at_high[output]);

  if (!column->has_linear || range->is_missing || range->at_low[output] == range->at_high[output])
    return g_steal_pointer (&low);
  return g_strdup_printf ("%s … %s", low, high);
}

static void
add_ranges (MtScorecardPane         *self,
            GtkBox                  *card,
            const MtScorecardColumn *column,
            const char              *name)
{
  gboolean has_rows = mt_rule_book_has_rows (self->book) && column->n_ranges > 1;
  guint n = count_outputs (self);
  GtkGrid *grid = grid_new ();

  add_heads (self, grid, _("Value"), _("Points"), has_rows);
  for (guint i = 0; i < column->n_ranges; i++)
    {
      const MtScorecardRange *range = &column->ranges[i];

      add_name (grid, 1 + (int) i, range->text, n <= FEW_OUTPUTS);
      for (guint o = 0; o < n; o++)
        {
          g_autofree char *points = dup_range_points (column, range, o);

          add_cell (grid, 1 + (int) o, 1 + (int) i, points, FALSE);
        }
      if (has_rows)
        {
          g_autofree char *rows = mt_format_count (range->n_rows);

          add_cell (grid, 1 + (int) n, 1 + (int) i, rows, FALSE);
        }
    }
  add_grid (self, card, grid, name);
}

static void
add_column (MtScorecardPane *self,
            guint            index)
{
  const MtScorecardColumn *column = mt_scorecard_get_column (self->card, index);
  const MtEncoderColumn *about = mt_encoder_get_column (mt_rule_book_get_encoder (self->book), column->column);
  g_autofree char *spread = mt_format_short (column->spread);
  /* Translators: most points of a column minus fewest */
  g_autofree char *detail = g_strdup_printf (_("spread %s"), spread);
  GtkBox *card = add_card (self, about->name, detail);
  MtChart *chart = mt_scorecard_make_chart (self->card, index);

  if (chart != NULL)
    {
      GtkWidget *view = mt_chart_view_new ();
      /* Translators: %s is a column; of a drawing, for who cannot see it */
      g_autofree char *spoken = g_strdup_printf (_("Points of %s over its range; the table below has the same "
                                                   "figures"), about->name);

      mt_chart_view_show (MT_CHART_VIEW (view), chart, spoken);
      gtk_box_append (card, view);
    }
  if (column->has_linear)
    {
      g_autofree char *low = mt_format_value (about->type, about->min);
      g_autofree char *high = mt_format_value (about->type, about->max);
      g_autofree char *text = g_strdup_printf (_("This column has a linear term, so a range can have two numbers: "
                                                 "the points at its lowest and at its highest value, within the "
                                                 "training range %s to %s."), low, high);

      gtk_widget_add_css_class (GTK_WIDGET (mt_label_line_add (card, text, "caption")), "dim-label");
    }
  add_ranges (self, card, column, about->name);
  add_terms (self, card, column);
}

/* --- the other cards --- */

static void
add_intercept (MtScorecardPane *self)
{
  const double *bias = mt_rule_set_get_bias (mt_rule_book_get_rules (self->book));
  GtkBox *card = add_card (self, _("Intercept"), NULL);
  GtkGrid *grid = grid_new ();

  mt_label_line_add (card, _("The score is the intercept, plus the points of each column, plus the weight of each interaction that "
                             "applies."), "caption");
  add_heads (self, grid, "", _("Points"), FALSE);
  add_cell (grid, 0, 1, _("every row"), FALSE);
  for (guint o = 0; o < count_outputs (self); o++)
    {
      g_autofree char *points = dup_points (bias[o]);

      add_cell (grid, 1 + (int) o, 1, points, FALSE);
    }
  add_grid (self, card, grid, _("Intercept"));
}

static void
add_interactions (MtScorecardPane *self)
{
  GtkBox *card = add_card (self, _("Interactions"), NULL);
  guint n = mt_scorecard_get_n_interactions (self->card);
  g_autofree char *about = g_strdup_printf (ngettext ("%u rule about several columns", "%u rules about several columns", n), n);

  gtk_widget_add_css_class (GTK_WIDGET (mt_label_line_add (card, about, "caption")), "dim-label");
  for (guint i = 0; i < n; i++)
    {
      guint term = mt_scorecard_get_interaction (self->card, i);
      g_autoptr (MtTermItem) item = mt_term_item_new (self->book, (int) term);
      g_autofree char *markup = mt_term_item_dup_markup (item, mt_theme_get_name_color ());
      g_autofree char *weights = mt_format_weights (mt_rule_book_get_classes (self->book), mt_term_item_get_effects (item),
                                                    count_outputs (self));
      GtkBox *line = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 3)), *head = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9));
      GtkLabel *text, *weight;

      gtk_box_append (head, term_button_new (self, term));
      weight = mt_label_line_add (head, weights, "numeric");
      gtk_widget_set_hexpand (GTK_WIDGET (weight), TRUE);
      gtk_label_set_xalign (weight, 1);
      gtk_box_append (line, GTK_WIDGET (head));
      text = mt_label_line_add (line, NULL, NULL);
      gtk_label_set_markup (text, markup);
      gtk_label_set_wrap_mode (text, PANGO_WRAP_WORD_CHAR);
      gtk_box_append (card, GTK_WIDGET (line));
    }
}

/* --- filling --- */

static gboolean
fill_next (gpointer data)
{
  MtScorecardPane *self = data;
  guint n_columns = mt_scorecard_get_n_columns (self->card);

  if (self->next < n_columns)
    {
      add_column (self, self->next++);
      return G_SOURCE_CONTINUE;
    }
  if (mt_scorecard_get_n_interactions (self->card) > 0)
    add_interactions (self);
  self->filling = 0;
  return G_SOURCE_REMOVE;
}

static void
forget (MtScorecardPane *self)
{
  GtkWidget *child;

  g_clear_handle_id (&self->filling, g_source_remove);
  g_clear_pointer (&self->card, mt_scorecard_free);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  while (self->body != NULL && (child = gtk_widget_get_first_child (GTK_WIDGET (self->body))) != NULL)
    gtk_box_remove (self->body, child);
}

void
mt_scorecard_pane_show (MtScorecardPane *self,
                        MtRuleBook      *book)
{
  g_autofree char *totals = NULL;

  g_return_if_fail (MT_IS_SCORECARD_PANE (self));

  if (book == self->book)
    return;
  forget (self);
  if (book == NULL)
    return;
  self->book = mt_rule_book_ref (book);
  self->card = mt_scorecard_new (book);
  totals = mt_format_totals (mt_rule_book_get_rules (book));
  gtk_label_set_label (self->title, totals);
  add_intercept (self);
  self->next = 0;
  self->filling = g_idle_add (fill_next, self);
}

/* The names of columns have another color in the dark. */
static void
show_anew (MtScorecardPane *self)
{
  g_autoptr (MtRuleBook) book = self->book != NULL ? mt_rule_book_ref (self->book) : NULL;

  mt_scorecard_pane_show (self, NULL);
  mt_scorecard_pane_show (self, book);
}

gboolean
mt_scorecard_pane_is_busy (MtScorecardPane *self)
{
  return self->filling != 0;
}

/* --- object --- */

static void
mt_scorecard_pane_dispose (GObject *object)
{
  forget (MT_SCORECARD_PANE (object));
  G_OBJECT_CLASS (mt_scorecard_pane_parent_class)->dispose (object);
}

static void
mt_scorecard_pane_class_init (MtScorecardPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_scorecard_pane_dispose;
  term_signal = g_signal_new ("term-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                              G_TYPE_INT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-scorecard-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, MtScorecardPane, title);
  gtk_widget_class_bind_template_child (widget_class, MtScorecardPane, body);
}

static void
mt_scorecard_pane_init (MtScorecardPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (show_anew), self, G_CONNECT_SWAPPED);
}
