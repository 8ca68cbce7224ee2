/* The truth table of the rule on show: a real list of lines, each a widget that draws its cells, under
 * heads that sort. See mt-truth-view.h. */
#include "config.h"
#include "mt-truth-view.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>

#include "widgets/mt-index-model.h"
#include "util/mt-term-tooltip.h"
#include "util/mt-format.h"
#include "mt-truth-row.h"

#define MOST_HEAD 104.0    /* pixels of a head before its text is broken and then cut; the tooltip has all of it */
#define HEAD_LINES 2       /* of a name, and of what is asked of it */
#define LEAST_LINES 8      /* in view, if there are so many */
#define ROOM      470.0    /* pixels that a table should not need more of, so that outcome and rows are seen */
#define LEAST_HEAD 42.0    /* where there is less room: an input … */
#define LEAST_MIX  50.0    /* … and the classes */
#define HEAD_SIZE 0.8      /* of the text in a head; see style.css */

/* What the lines are sorted by. */
typedef enum {
  BY_TABLE,
  BY_INPUT,
  BY_NETWORK,
  BY_OUTPUT,
  BY_ROWS,
  BY_MIX,
} Order;

struct _MtTruthView {
  GtkWidget           parent_instance;

  GtkWidget          *scroller;
  GtkWidget          *inner;
  GtkWidget          *heads;         /* a GtkBox of buttons */
  GtkListView        *list;
  GtkSingleSelection *selection;
  MtIndexModel       *lines;         /* what stands where is in @order */

  MtRuleFocus        *focus;
  MtTruthScene        scene;         /* as wide as there is room for */
  MtTruthScene        preferred;     /* as wide as it would be */
  int                 fitted;        /* the room that it was fitted into; -1: none yet */
  guint               fitting;
  guint32            *order;         /* position → assignment */
  guint32             n_lines;
  Order               sorted_by;
  guint               sorted_input;
  gboolean            descending;
  gboolean            grouped;
  gboolean            network;       /* what it said has a column */
  gboolean            following;     /* the list is being set to what the focus says */
};

G_DEFINE_FINAL_TYPE (MtTruthView, mt_truth_view, GTK_TYPE_WIDGET)

/* --- order --- */

/* The place of a line when the inputs count from the left: the last head changes fastest. */
static guint32
table_place (guint32 assignment,
             guint   n_inputs)
{
  guint32 place = 0;

  for (guint i = 0; i < n_inputs; i++)
    place = place << 1 | (assignment >> i & 1);
  return place;
}

static double
sort_key (MtTruthView *self,
          MtRuleView  *view,
          guint32      v)
{
  MtRuleBook *book = mt_rule_view_get_book (view);
  double n = (double) mt_rule_view_get_n_rows (view, v);

  switch (self->sorted_by)
    {
    case BY_INPUT:
      return v >> self->sorted_input & 1;
    case BY_NETWORK:
      return mt_rule_view_get_network (view, v);
    case BY_OUTPUT:
      return (mt_rule_view_get_marks (view, v) & MT_ROW_IMPOSSIBLE) != 0 ? -1 : mt_rule_view_get_output (view, v);
    case BY_ROWS:
      return n;
    case BY_MIX:
      if (n == 0)
        return -G_MAXDOUBLE;
      return mt_rule_book_get_n_classes (book) > 0
             ? (double) mt_rule_view_get_class_rows (view, v, mt_rule_book_get_n_classes (book) - 1) / n
             : mt_rule_view_get_mean (view, v);
    case BY_TABLE:
    default:
      return 0;
    }
}

typedef struct {
  guint   group;
  double  key;
  guint32 place, assignment;
} Line;

static int
compare_lines (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const Line *x = a, *y = b;

  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  if (x->key != y->key)
    return (x->key < y->key ? -1 : 1) * (GPOINTER_TO_INT (data) ? -1 : 1);
  return x->place < y->place ? -1 : x->place > y->place;
}

static void
sort_lines (MtTruthView *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  g_autofree Line *lines = NULL;

  self->n_lines = view != NULL ? mt_rule_view_get_n_assignments (view) : 0;
  self->order = g_renew (guint32, self->order, MAX (1, self->n_lines));
  lines = g_new (Line, MAX (1, self->n_lines));
  for (guint32 v = 0; v < self->n_lines; v++)
    {
      int term = self->grouped ? mt_rule_view_get_first_term (view, MT_PHRASE_DNF, v) : 0;
      gboolean impossible = (mt_rule_view_get_marks (view, v) & MT_ROW_IMPOSSIBLE) != 0;

      lines[v] = (Line) { !self->grouped ? 0 : impossible ? G_MAXUINT : term < 0 ? G_MAXUINT - 1 : (guint) term,
                          sort_key (self, view, v), table_place (v, mt_rule_view_get_n_inputs (view)), v };
    }
  g_qsort_with_data (lines, (int) self->n_lines, sizeof *lines, compare_lines, GINT_TO_POINTER (self->descending));
  for (guint32 i = 0; i < self->n_lines; i++)
    self->order[i] = lines[i].assignment;
}

/* Tells the list that every line is another one. */
static void
refill (MtTruthView *self)
{
  sort_lines (self);
  self->following = TRUE;
  mt_index_model_set (self->lines, self->n_lines);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->following = FALSE;
}

/* --- heads --- */

static void
on_head_clicked (MtTruthView *self,
                 GtkButton   *button)
{
  guint packed = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "order"));
  Order order = (Order) (packed & 0xff);
  guint input = packed >> 8;

  /* Ascending, descending, and back to the table's own order. */
  if (self->sorted_by != order || self->sorted_input != input)
    {
      self->sorted_by = order;
      self->sorted_input = input;
      self->descending = order != BY_INPUT;
    }
  else if (self->descending == (order != BY_INPUT))
    self->descending = !self->descending;
  else
    self->sorted_by = BY_TABLE;
  refill (self);
}

/* In as many lines as it needs, up to two, and cut only then. */
static GtkWidget *
make_head_label (const char *text,
                 gboolean    is_name)
{
  g_autofree char *breakable = is_name ? mt_format_breakable (text) : g_strdup (text);
  GtkWidget *label = gtk_label_new (breakable);
  PangoAttrList *plain = pango_attr_list_new ();

  pango_attr_list_insert (plain, pango_attr_insert_hyphens_new (FALSE));     /* a name is copied as it stands */
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (label), HEAD_LINES);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_width_chars (GTK_LABEL (label), 3);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 3);     /* the button has a width; what it holds asks for none */
  gtk_label_set_attributes (GTK_LABEL (label), plain);
  pango_attr_list_unref (plain);
  return label;
}

static GtkWidget *
add_head (MtTruthView *self,
          const char  *name,
          const char  *rest,
          Order        order,
          guint        input,
          double       width,
          float        align)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label = make_head_label (name, TRUE);
  g_autofree char *full = g_strconcat (name, rest, NULL);

  if (order == BY_INPUT)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
      GtkWidget *second = make_head_label (rest + (*rest == ' ' ? 1 : 0), FALSE);

      gtk_widget_add_css_class (label, "name");
      gtk_widget_set_valign (box, GTK_ALIGN_END);
      gtk_box_append (GTK_BOX (box), label);
      gtk_box_append (GTK_BOX (box), second);
      gtk_button_set_child (GTK_BUTTON (button), box);
    }
  else
    {
      gtk_label_set_xalign (GTK_LABEL (label), align);
      gtk_label_set_justify (GTK_LABEL (label), align == 1 ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_CENTER);
      gtk_widget_set_valign (label, GTK_ALIGN_END);
      gtk_button_set_child (GTK_BUTTON (button), label);
    }
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_size_request (button, (int) width, -1);
  gtk_widget_set_tooltip_text (button, full);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, full, -1);
  g_object_set_data (G_OBJECT (button), "order", GUINT_TO_POINTER (order | input << 8));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_head_clicked), self);
  gtk_box_append (GTK_BOX (self->heads), button);
  return button;
}

static double
text_width (MtTruthView *self,
            const char  *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->heads, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* For the largest number of rows that any line has, and for its head. */
static double
count_width (MtTruthView *self,
             MtRuleView  *view)
{
  gsize most = 0;
  g_autofree char *text = NULL;

  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (view); v++)
    most = MAX (most, mt_rule_view_get_n_rows (view, v));
  text = mt_format_count (most);
  return ceil (MAX (text_width (self, text) + 14, text_width (self, _("Rows")) * HEAD_SIZE + 12));
}

static void
make_heads (MtTruthView *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  MtRuleBook *book;
  g_autofree char *output = NULL;
  g_autofree char *explained = NULL;
  g_autofree char *last = NULL;
  GtkWidget *child;
  double most;
  guint number;

  while ((child = gtk_widget_get_first_child (self->heads)) != NULL)
    gtk_box_remove (GTK_BOX (self->heads), child);
  self->scene.n_inputs = self->preferred.n_inputs = 0;
  if (view == NULL)
    return;
  book = mt_rule_view_get_book (view);
  self->scene.n_inputs = mt_rule_view_get_n_inputs (view);
  self->scene.output_width = 40;
  self->scene.rows_width = mt_rule_book_has_rows (book) ? count_width (self, view) : 0;
  self->scene.mix_width = 76;
  self->scene.network_width = self->network ? 60 : 0;
  most = CLAMP ((ROOM - 2 * MT_TRUTH_PADDING - self->scene.network_width - self->scene.output_width -
                 self->scene.rows_width - self->scene.mix_width) / self->scene.n_inputs, 52, MOST_HEAD);
  for (guint i = 0; i < self->scene.n_inputs; i++)
    {
      g_autofree char *name = mt_rule_view_dup_input_name (view, i);
      g_autofree char *rest = mt_rule_view_dup_input_rest (view, i);

      self->scene.input_widths[i] = ceil (CLAMP (MAX (text_width (self, name), text_width (self, rest)) * HEAD_SIZE + 12,
                                                 40, MAX (most, MIN (MOST_HEAD, text_width (self, rest) * HEAD_SIZE + 8))));
      add_head (self, name, rest, BY_INPUT, i, self->scene.input_widths[i], 0.5f);
    }
  if (self->network)
    add_head (self, _("Network"), "", BY_NETWORK, 0, self->scene.network_width, 0.5f);
  number = mt_rule_book_get_number (book, mt_rule_view_get_term (view));
  output = g_strdup_printf ("r%u", number);
  /* Translators: %u is the number of a rule */
  explained = g_strdup_printf (_("Rule %u: 1 where it applies, 0 where it does not."), number);
  mt_term_tooltip (add_head (self, output, "", BY_OUTPUT, 0, self->scene.output_width, 0.5f), NULL, explained);
  if (mt_rule_book_has_rows (book))
    add_head (self, _("Rows"), "", BY_ROWS, 0, self->scene.rows_width, 0.5f);
  if (mt_rule_book_get_task (book) == MT_TASK_BINARY)
    last = mt_format_outcome (book, 1);
  else
    last = g_strdup (mt_rule_book_get_n_classes (book) > 0 ? _("Classes") : _("Mean"));
  add_head (self, mt_rule_book_has_rows (book) ? last : "", "", BY_MIX, 0, self->scene.mix_width, 1);
  self->preferred = self->scene;
  self->fitted = -1;
}

/* --- room --- */

static void
scroll_to (MtTruthView *self,
           guint        position)
{
  if (position < self->n_lines)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
}

static double
scene_width (const MtTruthScene *scene)
{
  double width = 2 * MT_TRUTH_PADDING + scene->network_width + scene->output_width + scene->rows_width + scene->mix_width;

  for (guint i = 0; i < scene->n_inputs; i++)
    width += scene->input_widths[i];
  return width;
}

/* Inputs give way first: their heads can be cut, the numbers below them are short. */
static void
shrink (MtTruthScene *scene,
        double        excess)
{
  double spare = 0, taken;

  for (guint i = 0; i < scene->n_inputs; i++)
    spare += MAX (0, scene->input_widths[i] - LEAST_HEAD);
  taken = spare > 0 ? MIN (1, excess / spare) : 0;
  for (guint i = 0; i < scene->n_inputs; i++)
    scene->input_widths[i] -= floor (taken * MAX (0, scene->input_widths[i] - LEAST_HEAD));
  if (excess > spare && scene->rows_width > 0)
    scene->mix_width -= MIN (excess - spare, scene->mix_width - LEAST_MIX);
}

static gboolean
fit (gpointer data)
{
  MtTruthView *self = data;
  double room = gtk_widget_get_width (GTK_WIDGET (self)), excess = scene_width (&self->preferred) - room;
  GtkWidget *head = gtk_widget_get_first_child (self->heads);

  g_clear_handle_id (&self->fitting, g_source_remove);
  self->fitted = (int) room;
  self->scene = self->preferred;
  if (room > 0 && excess > 0)
    shrink (&self->scene, excess + 1);
  for (guint i = 0; i < self->scene.n_inputs && head != NULL; i++, head = gtk_widget_get_next_sibling (head))
    gtk_widget_set_size_request (head, (int) self->scene.input_widths[i], -1);
  if (self->scene.n_inputs > 0)
    gtk_widget_set_size_request (gtk_widget_get_last_child (self->heads), (int) self->scene.mix_width, -1);
  for (GtkWidget *line = gtk_widget_get_first_child (GTK_WIDGET (self->list)); line != NULL;
       line = gtk_widget_get_next_sibling (line))
    if (gtk_widget_get_first_child (line) != NULL)
      gtk_widget_queue_resize (gtk_widget_get_first_child (line));
  scroll_to (self, gtk_single_selection_get_selected (self->selection));   /* lines of another size lost the place */
  return G_SOURCE_REMOVE;
}

/* Sizes are being handed out when it comes to light that there is other room. */
static void
queue_fit (MtTruthView *self)
{
  if (self->fitting == 0)
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit, self, NULL);
}

/* Its natural width is the one that it prefers, however little it got: so nothing swings. */
static void
mt_truth_view_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  MtTruthView *self = MT_TRUTH_VIEW (widget);

  gtk_widget_measure (self->scroller, orientation, for_size, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL && self->preferred.n_inputs > 0)
    *natural = MAX (*minimum, (int) ceil (scene_width (&self->preferred)));
}

static void
mt_truth_view_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  MtTruthView *self = MT_TRUTH_VIEW (widget);

  gtk_widget_allocate (self->scroller, width, height, baseline, NULL);
  if (width != self->fitted)
    queue_fit (self);
}

/* --- lines --- */

static void
setup_line (GtkSignalListItemFactory *factory,
            GtkListItem              *item,
            MtTruthView              *self)
{
  gtk_list_item_set_child (item, mt_truth_row_new (&self->scene));
}

static void
bind_line (GtkSignalListItemFactory *factory,
           GtkListItem              *item,
           MtTruthView              *self)
{
  mt_truth_row_bind (MT_TRUTH_ROW (gtk_list_item_get_child (item)),
                     mt_truth_view_get_assignment (self, gtk_list_item_get_position (item)));
}

static void
on_line_selected (MtTruthView *self)
{
  guint position = gtk_single_selection_get_selected (self->selection);

  if (self->following)
    return;
  if (position < self->n_lines)
    mt_rule_focus_select (self->focus, MT_FOCUS_LINE, self->order[position]);
  else
    mt_rule_focus_select (self->focus, MT_FOCUS_NONE, 0);
}

/* What was selected elsewhere is shown here, and the first line of it scrolled to. */
static void
on_selection_changed (MtTruthView *self)
{
  guint32 index = 0;
  MtFocusKind kind = mt_rule_focus_get_selected (self->focus, &index);
  const guint64 *set = mt_rule_focus_get_selection (self->focus);
  guint position = GTK_INVALID_LIST_POSITION;

  if (kind == MT_FOCUS_LINE || kind == MT_FOCUS_ROW || kind == MT_FOCUS_TERM || kind == MT_FOCUS_PATH)
    for (guint32 i = 0; i < self->n_lines && position == GTK_INVALID_LIST_POSITION; i++)
      if (mt_truth_table_get (set, self->order[i]))
        position = i;
  scroll_to (self, position);
  self->following = TRUE;
  gtk_single_selection_set_selected (self->selection, kind == MT_FOCUS_LINE ? position : GTK_INVALID_LIST_POSITION);
  self->following = FALSE;
}

static void
on_view_changed (MtTruthView *self)
{
  self->sorted_by = BY_TABLE;
  self->descending = FALSE;
  make_heads (self);
  refill (self);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->inner),
                                              (int) MIN (self->n_lines, LEAST_LINES) * 23);
}

/* --- what others ask --- */

void
mt_truth_view_set_grouped (MtTruthView *self,
                           gboolean     grouped)
{
  g_return_if_fail (MT_IS_TRUTH_VIEW (self));

  if (grouped == self->grouped)
    return;
  self->grouped = grouped;
  refill (self);
}

void
mt_truth_view_set_network (MtTruthView *self,
                           gboolean     shown)
{
  g_return_if_fail (MT_IS_TRUTH_VIEW (self));

  if (shown == self->network)
    return;
  self->network = shown;
  make_heads (self);
  refill (self);
}

GListModel *
mt_truth_view_get_lines (MtTruthView *self)
{
  return G_LIST_MODEL (self->selection);
}

guint32
mt_truth_view_get_assignment (MtTruthView *self,
                              guint        position)
{
  g_return_val_if_fail (position < self->n_lines, 0);
  return self->order[position];
}

char *
mt_truth_view_dup_text (MtTruthView *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  MtRuleBook *book;
  GString *text = g_string_new (NULL);

  if (view == NULL)
    return g_string_free (text, FALSE);
  book = mt_rule_view_get_book (view);
  for (guint i = 0; i < self->scene.n_inputs; i++)
    {
      g_autofree char *name = mt_rule_view_dup_input_name (view, i);
      g_autofree char *rest = mt_rule_view_dup_input_rest (view, i);

      g_string_append_printf (text, "%s%s\t", name, rest);
    }
  g_string_append_printf (text, "r%u\t%s\n", mt_rule_book_get_number (book, mt_rule_view_get_term (view)), _("Rows"));
  for (guint32 l = 0; l < self->n_lines; l++)
    {
      guint32 v = self->order[l];
      guint marks = mt_rule_view_get_marks (view, v);

      for (guint i = 0; i < self->scene.n_inputs; i++)
        g_string_append_printf (text, "%u\t", v >> i & 1);
      g_string_append_printf (text, "%d\t%" G_GSIZE_FORMAT "%s\n", mt_rule_view_get_output (view, v),
                              mt_rule_view_get_n_rows (view, v),
                              (marks & MT_ROW_IMPOSSIBLE) != 0 ? _("\timpossible")
                              : (marks & MT_ROW_UNSEEN) != 0 ? _("\tunseen")
                              : (marks & MT_ROW_REFINED) != 0 ? _("\treoptimized") : "");
    }
  return g_string_free (text, FALSE);
}

void
mt_truth_view_set_focus (MtTruthView *self,
                         MtRuleFocus *focus)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_return_if_fail (MT_IS_TRUTH_VIEW (self) && self->focus == NULL);

  self->focus = g_object_ref (focus);
  self->scene.focus = focus;
  g_signal_connect (factory, "setup", G_CALLBACK (setup_line), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_line), self);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_line_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "view-changed", G_CALLBACK (on_view_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "selection-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
}

/* --- object --- */

static void
mt_truth_view_dispose (GObject *object)
{
  MtTruthView *self = MT_TRUTH_VIEW (object);

  g_clear_handle_id (&self->fitting, g_source_remove);
  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  self->list = NULL;
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->focus);
  g_clear_pointer (&self->order, g_free);
  G_OBJECT_CLASS (mt_truth_view_parent_class)->dispose (object);
}

static void
mt_truth_view_class_init (MtTruthViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_truth_view_dispose;
  widget_class->measure = mt_truth_view_measure;
  widget_class->size_allocate = mt_truth_view_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "truthtable");
}

/* The heads scroll sideways with the lines and stay when these scroll down: so the outer scroller
 * scrolls sideways, and the inner one down. */
static void
mt_truth_view_init (MtTruthView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->inner = gtk_scrolled_window_new ();
  self->lines = mt_index_model_new ();
  self->selection = gtk_single_selection_new (G_LIST_MODEL (self->lines));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->heads = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->heads, "heads");
  gtk_widget_set_margin_start (self->heads, (int) MT_TRUTH_PADDING);
  gtk_widget_set_margin_end (self->heads, (int) MT_TRUTH_PADDING);
  self->list = GTK_LIST_VIEW (gtk_list_view_new (NULL, NULL));
  gtk_widget_set_name (GTK_WIDGET (self->list), "truth-lines");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Lines of the truth table"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->inner), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->inner), GTK_WIDGET (self->list));
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->inner), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->inner), 380);
  gtk_widget_set_vexpand (self->inner, TRUE);
  gtk_box_append (GTK_BOX (box), self->heads);
  gtk_box_append (GTK_BOX (box), self->inner);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), box);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}
