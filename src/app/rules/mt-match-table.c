/* Which terms two models share, as a table: a rule a line, its weight in both. See mt-match-table.h. */
#include "config.h"
#include "mt-match-table.h"

#include <glib/gi18n.h>

#include "widgets/mt-index-model.h"
#include "util/mt-format.h"
#include "mt-term-item.h"
#include "util/mt-theme.h"

#define INTERCEPT G_MAXUINT     /* both have one */

struct _MtMatchTable {
  AdwBin         parent_instance;

  GtkColumnView *table;
  MtIndexModel  *model;
  MtCompareOperation   *comparing;
  GArray        *lines;         /* of guint: an index into the matches, or INTERCEPT */
  MtMatchKind    kind;
};

G_DEFINE_FINAL_TYPE (MtMatchTable, mt_match_table, ADW_TYPE_BIN)

/* --- lines --- */

static const MtTermMatch *
match_of (MtMatchTable *self,
          GtkListItem  *cell)
{
  static const MtTermMatch intercept = { MT_MATCH_SHARED, { MT_TERM_INTERCEPT, MT_TERM_INTERCEPT }, 0, 0 };
  guint index = g_array_index (self->lines, guint, gtk_list_item_get_position (cell));

  return index == INTERCEPT ? &intercept : &g_array_index (self->comparing->comparison->matches, MtTermMatch, index);
}

static gboolean
has_side (const MtTermMatch *match,
          guint              side)
{
  return match->kind != (side == 0 ? MT_MATCH_ONLY_RIGHT : MT_MATCH_ONLY_LEFT);
}

static MtTermItem *
make_item (MtMatchTable      *self,
           const MtTermMatch *match,
           guint              side)
{
  return mt_term_item_new (self->comparing->books[side], match->terms[side]);
}

static const char *
kind_name (MtMatchKind kind)
{
  switch (kind)
    {
    case MT_MATCH_SHARED:
      return _("Both");
    case MT_MATCH_SAME_INPUTS:
      return _("Same conditions");
    case MT_MATCH_ONLY_LEFT:
      return _("Only A");
    case MT_MATCH_ONLY_RIGHT:
    case MT_N_MATCHES:
    default:
      return _("Only B");
    }
}

/* --- cells --- */

typedef void (*BindFunc) (MtMatchTable *self, GtkListItem *cell, GtkLabel *label);

static void
bind_kind (MtMatchTable *self,
           GtkListItem  *cell,
           GtkLabel     *label)
{
  gtk_label_set_label (label, kind_name (match_of (self, cell)->kind));
}

static char *
dup_rule (MtMatchTable      *self,
          const MtTermMatch *match,
          guint              side)
{
  g_autoptr (MtTermItem) item = make_item (self, match, side);

  return mt_term_item_dup_markup (item, mt_theme_get_name_color ());
}

static void
bind_rule (MtMatchTable *self,
           GtkListItem  *cell,
           GtkLabel     *label)
{
  const MtTermMatch *match = match_of (self, cell);
  g_autofree char *rule = dup_rule (self, match, has_side (match, 0) ? 0 : 1);

  if (match->kind == MT_MATCH_SAME_INPUTS)
    {
      g_autofree char *other = dup_rule (self, match, 1);
      /* Translators: lines of a truth table that two rules answer differently, of all lines that can occur */
      g_autofree char *note = g_strdup_printf (ngettext ("%u of %u combination is decided differently",
                                                         "%u of %u combinations are decided differently", match->n_lines),
                                               match->n_differ, match->n_lines);
      g_autofree char *below = g_strdup_printf ("<span size=\"small\" alpha=\"60%%\">%s</span>", note);
      g_autofree char *both = g_strdup_printf ("<b>A</b>  %s\n<b>B</b>  %s\n%s", rule, other, below);

      gtk_label_set_markup (label, both);
    }
  else
    gtk_label_set_markup (label, rule);
}

/* One weight, or a line a class without the zeros. */
static char *
describe_weights (MtRuleBook *book,
                  MtTermItem *item)
{
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book));
  const double *effects = mt_term_item_get_effects (item);
  GString *text;

  if (n_outputs == 1)
    return mt_format_weight (effects[0]);
  text = g_string_new (NULL);
  for (guint c = 0; c < n_outputs; c++)
    if (effects[c] != 0)
      {
        g_autofree char *weight = mt_format_weight (effects[c]);

        g_string_append_printf (text, "%s%s %s", text->len > 0 ? "\n" : "", mt_rule_book_get_classes (book)[c], weight);
      }
  return g_string_free (text, FALSE);
}

static void
bind_weight (MtMatchTable *self,
             GtkListItem  *cell,
             GtkLabel     *label,
             guint         side)
{
  const MtTermMatch *match = match_of (self, cell);
  MtRuleBook *book = self->comparing->books[side];
  g_autoptr (MtTermItem) item = NULL;
  g_autofree char *text = NULL;

  if (!has_side (match, side))
    {
      gtk_label_set_label (label, "–");
      gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL, _("not in this model"),
                                      -1);
      return;
    }
  item = make_item (self, match, side);
  text = describe_weights (book, item);
  gtk_label_set_label (label, text);
  gtk_accessible_reset_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static void
bind_left (MtMatchTable *self,
           GtkListItem  *cell,
           GtkLabel     *label)
{
  bind_weight (self, cell, label, 0);
}

static void
bind_right (MtMatchTable *self,
            GtkListItem  *cell,
            GtkLabel     *label)
{
  bind_weight (self, cell, label, 1);
}

static void
setup_cell (GtkSignalListItemFactory *factory,
            GtkListItem              *cell,
            MtMatchTable             *self)
{
  GtkWidget *label = gtk_label_new (NULL);
  BindFunc bind = (BindFunc) g_object_get_data (G_OBJECT (factory), "bind");
  gboolean is_rule = bind == bind_rule, is_weight = bind == bind_left || bind == bind_right;

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), is_rule ? PANGO_WRAP_WORD_CHAR : PANGO_WRAP_WORD);
  gtk_label_set_width_chars (GTK_LABEL (label), is_rule ? 8 : 5);
  if (!is_rule)
    gtk_label_set_max_width_chars (GTK_LABEL (label), bind == bind_kind ? 9 : 18);
  gtk_label_set_xalign (GTK_LABEL (label), is_weight ? 1 : 0);
  gtk_label_set_justify (GTK_LABEL (label), is_weight ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_LEFT);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_widget_add_css_class (label, bind == bind_kind ? "dim-label" : "numeric");
  gtk_list_item_set_child (cell, label);
}

static void
bind_cell (GtkSignalListItemFactory *factory,
           GtkListItem              *cell,
           MtMatchTable             *self)
{
  BindFunc bind = (BindFunc) g_object_get_data (G_OBJECT (factory), "bind");

  bind (self, cell, GTK_LABEL (gtk_list_item_get_child (cell)));
}

static void
add_column (MtMatchTable *self,
            const char   *title,
            BindFunc      bind)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = NULL;

  g_object_set_data (G_OBJECT (factory), "bind", (gpointer) bind);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), self);
  column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (column, bind == bind_rule);
  gtk_column_view_append_column (self->table, column);
}

/* --- what is shown --- */

static void
list_lines (MtMatchTable *self)
{
  const GArray *matches = self->comparing != NULL ? self->comparing->comparison->matches : NULL;

  mt_index_model_set (self->model, 0);
  g_array_set_size (self->lines, 0);
  if (matches != NULL && self->kind == MT_N_MATCHES)
    g_array_append_val (self->lines, (guint) { INTERCEPT });
  for (guint i = 0; matches != NULL && i < matches->len; i++)
    if (self->kind == MT_N_MATCHES || g_array_index (matches, MtTermMatch, i).kind == self->kind)
      g_array_append_val (self->lines, i);
  mt_index_model_set (self->model, self->lines->len);
}

void
mt_match_table_show (MtMatchTable *self,
                     MtCompareOperation  *comparing)
{
  g_return_if_fail (MT_IS_MATCH_TABLE (self));

  mt_index_model_set (self->model, 0);   /* no cell looks at what is gone */
  g_clear_pointer (&self->comparing, mt_compare_operation_unref);
  self->comparing = comparing != NULL ? mt_compare_operation_ref (comparing) : NULL;
  list_lines (self);
}

void
mt_match_table_set_kind (MtMatchTable *self,
                         MtMatchKind   kind)
{
  g_return_if_fail (MT_IS_MATCH_TABLE (self));

  self->kind = kind;
  list_lines (self);
}

guint
mt_match_table_get_n_lines (MtMatchTable *self)
{
  return self->lines->len;
}

/* Numeric columns are no rules: the rules that are counted here are those that the models have elsewhere. */
static gboolean
is_numeric (MtMatchTable      *self,
            const MtTermMatch *match)
{
  guint side = has_side (match, 0) ? 0 : 1;
  const MtRuleSet *rules = mt_rule_book_get_rules (self->comparing->books[side]);

  return mt_rule_set_get_term (rules, (guint) match->terms[side])->is_numeric;
}

/* "3 shared · 1 with the same inputs · 2 only in A · 4 only in B"; NULL: there are none. */
static char *
count_kinds (MtMatchTable *self,
             gboolean      numeric)
{
  const GArray *matches = self->comparing->comparison->matches;
  guint n[MT_N_MATCHES] = { 0 }, any = 0;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < matches->len; i++)
    {
      const MtTermMatch *match = &g_array_index (matches, MtTermMatch, i);

      if (is_numeric (self, match) != numeric)
        continue;
      n[match->kind]++;
      any++;
    }
  if (any == 0 && numeric)
    return NULL;
  /* Translators: numbers of rules or of columns, as in: 3 shared · 1 with the same inputs · 2 only in A · 4 only in B */
  g_string_append_printf (text, ngettext ("%u shared", "%u shared", n[MT_MATCH_SHARED]), n[MT_MATCH_SHARED]);
  if (n[MT_MATCH_SAME_INPUTS] > 0)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, ngettext ("%u with the same conditions", "%u with the same conditions",
                                              n[MT_MATCH_SAME_INPUTS]), n[MT_MATCH_SAME_INPUTS]);
    }
  g_string_append (text, " · ");
  g_string_append_printf (text, ngettext ("%u only in A", "%u only in A", n[MT_MATCH_ONLY_LEFT]),
                          n[MT_MATCH_ONLY_LEFT]);
  g_string_append (text, " · ");
  g_string_append_printf (text, ngettext ("%u only in B", "%u only in B", n[MT_MATCH_ONLY_RIGHT]),
                          n[MT_MATCH_ONLY_RIGHT]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
mt_match_table_dup_summary (MtMatchTable *self)
{
  g_autofree char *rules = NULL;
  g_autofree char *columns = NULL;

  g_return_val_if_fail (MT_IS_MATCH_TABLE (self), NULL);

  if (self->comparing == NULL)
    return g_strdup ("");
  rules = count_kinds (self, FALSE);
  columns = count_kinds (self, TRUE);
  if (columns == NULL)
    return g_steal_pointer (&rules);
  /* Translators: after the heading "Rules"; both %s are as in: 3 shared · 2 only in A · 4 only in B */
  return g_strdup_printf (_("%s\nLinear terms: %s"), rules, columns);
}

/* --- object --- */

static void
mt_match_table_dispose (GObject *object)
{
  MtMatchTable *self = MT_MATCH_TABLE (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  g_clear_pointer (&self->comparing, mt_compare_operation_unref);
  g_clear_pointer (&self->lines, g_array_unref);
  G_OBJECT_CLASS (mt_match_table_parent_class)->dispose (object);
}

static void
mt_match_table_class_init (MtMatchTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_match_table_dispose;
}

static void
mt_match_table_init (MtMatchTable *self)
{
  g_autoptr (GtkNoSelection) selection = NULL;
  GtkWidget *scrolled;

  self->lines = g_array_new (FALSE, FALSE, sizeof (guint));
  self->kind = MT_N_MATCHES;
  self->model = mt_index_model_new ();
  selection = gtk_no_selection_new (G_LIST_MODEL (self->model));   /* keeps the model */
  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_widget_set_name (GTK_WIDGET (self->table), "matches");
  gtk_column_view_set_show_row_separators (self->table, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "ruletable");
  add_column (self, _("In"), bind_kind);
  add_column (self, _("Rule"), bind_rule);
  add_column (self, _("Weight A"), bind_left);
  add_column (self, _("Weight B"), bind_right);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Rules of the two models"), -1);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (list_lines), self,
                           G_CONNECT_SWAPPED);   /* names are coloured by markup */
  scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), 120);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 330);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->table));
  adw_bin_set_child (ADW_BIN (self), scrolled);
}
