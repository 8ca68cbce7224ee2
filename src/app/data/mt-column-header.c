/* Head of one column of the grid: type and name, role menu, distribution, range or levels, share of missing
 * cells. See mt-column-header.h. */
#include "config.h"
#include "mt-column-header.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-derive-dialog.h"
#include "mt-distribution-dialog.h"
#include "mt-distribution-view.h"
#include "util/mt-format.h"
#include "util/mt-preferences.h"

struct _MtColumnHeader {
  GtkWidget           parent_instance;

  /* template children */
  GtkImage           *icon;
  GtkLabel           *name;
  GtkMenuButton      *menu;
  GtkLabel           *role;
  MtDistributionView *view;
  GtkLabel           *low;
  GtkLabel           *high;
  GtkLabel           *missing;

  MtDocument         *document;
  MtDistributions    *distributions;
  GSimpleAction      *role_action;
  GSimpleAction      *type_action;
  GSimpleAction      *table_action;      /* the distribution in numbers */
  GSimpleAction      *derive_action;     /* of a column of the file */
  GSimpleAction      *formula_action;    /* of a derived column, as the next */
  GSimpleAction      *remove_action;
  GtkWidget          *before;            /* weak: had the focus when the menu was opened for it */
  guint               column;
};

G_DEFINE_FINAL_TYPE (MtColumnHeader, mt_column_header, GTK_TYPE_WIDGET)

/* for people */
static const char *
get_role_label (MtColumnRole role)
{
  static const char * const labels[] = { N_("Feature"), N_("Target"), N_("Ignored"), N_("Group"), N_("Report By"), N_("By Time") };

  g_return_val_if_fail ((guint) role < G_N_ELEMENTS (labels), NULL);
  return _(labels[role]);
}

const char *
mt_type_get_label (MtColumnType type)
{
  static const char * const labels[] = {
    N_("Number"), N_("Category"), N_("Yes or No"), N_("Date"), N_("Text")
  };

  g_return_val_if_fail ((guint) type < G_N_ELEMENTS (labels), NULL);
  return _(labels[type]);
}

static const char *
get_type_icon_name (MtColumnType type)
{
  static const char * const names[] = {
    "minterm-number-symbolic", "minterm-category-symbolic", "minterm-boolean-symbolic",
    "minterm-date-symbolic", "minterm-text-symbolic"
  };

  g_return_val_if_fail ((guint) type < G_N_ELEMENTS (names), NULL);
  return names[type];
}

/* The value that a finding offers to treat as missing. */
static double
suspect_value (MtColumnHeader *self,
               const char     *name)
{
  GPtrArray *findings = mt_document_get_findings (self->document);

  for (guint i = 0; findings != NULL && i < findings->len; i++)
    {
      const MtFinding *finding = g_ptr_array_index (findings, i);

      if (finding->fix == MT_FIX_TREAT_AS_MISSING && g_strcmp0 (finding->column_name, name) == 0 &&
          mt_decisions_get_dismissal (mt_document_get_decisions (self->document), finding) == NULL)
        return g_ascii_strtod (finding->fix_value, NULL);
    }
  return NAN;
}

static void
show_range (MtColumnHeader       *self,
            const MtDistribution *d,
            MtColumnType          type)
{
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;
  GtkTextDirection way;

  if (d != NULL && d->kind == MT_DISTRIBUTION_HISTOGRAM)
    {
      low = mt_format_value (type, d->min);
      high = mt_format_value (type, d->max);
    }
  else if (d != NULL && d->kind == MT_DISTRIBUTION_LEVELS)
    {
      g_autofree char *count = mt_format_count (d->n_levels);

      low = g_strdup_printf (ngettext ("%s value", "%s values", d->n_levels), count);
    }
  else if (d != NULL && d->n_missing == d->n_rows)
    low = g_strdup (_("no values"));
  else if (d != NULL)
    low = g_strdup (_("free text"));
  gtk_label_set_label (self->low, low != NULL ? low : "");
  gtk_label_set_label (self->high, high != NULL ? high : "");
  /* Below the bars, which grow from left to right in every language. */
  way = high != NULL ? GTK_TEXT_DIR_LTR : GTK_TEXT_DIR_NONE;
  gtk_widget_set_direction (gtk_widget_get_parent (GTK_WIDGET (self->low)), way);
  gtk_widget_set_direction (GTK_WIDGET (self->low), way);
  gtk_widget_set_direction (GTK_WIDGET (self->high), way);
}

static void
set_class (GtkWidget  *widget,
           const char *name,
           gboolean    on)
{
  if (on)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

/* Asked for: to set the text of a tooltip is to ask the display server where the pointer is, each time. */
static gboolean
on_tooltip (GtkWidget      *widget,
            int             x,
            int             y,
            gboolean        keyboard,
            GtkTooltip     *tooltip,
            MtColumnHeader *self)
{
  MtTable *table = mt_document_get_table (self->document);
  g_autofree char *tip = NULL;
  const char *name, *type, *role;

  if (table == NULL || self->column >= mt_table_get_n_columns (table))
    return FALSE;
  name = mt_column_get_name (mt_table_get_column (table, self->column));
  type = mt_type_get_label (mt_column_get_type (mt_table_get_column (table, self->column)));
  role = get_role_label (mt_table_get_role (table, self->column));
  tip = mt_table_get_reason (table, self->column) != NULL
        /* Translators: name of the column, its type, its role, why it has that role */
        ? g_strdup_printf (_("%s\n%s, %s: %s"), name, type, role, mt_table_get_reason (table, self->column))
        : g_strdup_printf ("%s\n%s, %s", name, type, role);
  gtk_tooltip_set_text (tooltip, widget == GTK_WIDGET (self->icon) ? type : tip);
  return TRUE;
}

void
mt_column_header_bind (MtColumnHeader *self,
                       guint           index)
{
  MtTable *table;
  const MtColumn *column;
  MtDistribution *distribution;
  MtColumnType type;
  MtColumnRole role;
  const char *name;
  gsize n_missing, n_rows;
  g_autofree char *share = NULL;
  g_autofree char *missing = NULL;
  g_autofree char *spoken = NULL;

  g_return_if_fail (MT_IS_COLUMN_HEADER (self));

  table = mt_document_get_table (self->document);
  self->column = index;
  column = mt_table_get_column (table, index);
  name = mt_column_get_name (column);
  type = mt_column_get_type (column);
  role = mt_table_get_role (table, index);
  distribution = mt_distributions_get (self->distributions, index);
  n_missing = mt_column_get_n_missing (column);
  n_rows = mt_column_get_n_rows (column);

  gtk_image_set_from_icon_name (self->icon, get_type_icon_name (type));
  gtk_label_set_label (self->name, name);
  gtk_label_set_label (self->role, get_role_label (role));
  set_class (GTK_WIDGET (self), "target", role == MT_ROLE_TARGET);
  set_class (GTK_WIDGET (self), "ignored", role == MT_ROLE_IGNORED);
  mt_distribution_view_set (self->view, distribution, type, role, suspect_value (self, name));
  show_range (self, distribution, type);

  share = mt_format_percent (n_rows > 0 ? (double) n_missing / (double) n_rows : 0);
  /* Translators: %s is a percentage */
  missing = g_strdup_printf (_("%s missing"), share);
  gtk_label_set_label (self->missing, missing);
  set_class (GTK_WIDGET (self->missing), "some", n_missing > 0);

  g_simple_action_set_enabled (self->table_action, distribution != NULL && distribution->n_counts > 0);
  g_simple_action_set_enabled (self->type_action, mt_column_get_formula (column) == NULL);
  g_simple_action_set_enabled (self->derive_action, mt_column_get_formula (column) == NULL);
  g_simple_action_set_enabled (self->formula_action, mt_column_get_formula (column) != NULL);
  g_simple_action_set_enabled (self->remove_action, mt_column_get_formula (column) != NULL);
  g_simple_action_set_state (self->role_action, g_variant_new_string (mt_column_role_to_string (role)));
  g_simple_action_set_state (self->type_action, g_variant_new_string (mt_column_type_to_string (type)));

  /* Translators: spoken name of a column head: name, type, role, missing share */
  spoken = g_strdup_printf (_("Column %s, %s, %s, %s"), name, mt_type_get_label (type),
                            get_role_label (role), missing);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  g_free (spoken);
  spoken = g_strdup_printf (_("Role and type of %s"), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->menu), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
write_anew (MtColumnHeader *self)
{
  MtTable *table = mt_document_get_table (self->document);

  if (table != NULL && self->column < mt_table_get_n_columns (table))
    mt_column_header_bind (self, self->column);
}

guint
mt_column_header_get_column (MtColumnHeader *self)
{
  return self->column;
}

void
mt_column_header_open_menu (MtColumnHeader *self)
{
  GtkRoot *root;

  g_return_if_fail (MT_IS_COLUMN_HEADER (self));

  root = gtk_widget_get_root (GTK_WIDGET (self));
  g_set_weak_pointer (&self->before, root != NULL ? gtk_root_get_focus (root) : NULL);
  gtk_menu_button_popup (self->menu);
}

static void
on_menu_closed (MtColumnHeader *self)
{
  if (self->before != NULL)
    gtk_widget_grab_focus (self->before);
  g_clear_weak_pointer (&self->before);
}

static void
on_role (GSimpleAction  *action,
         GVariant       *word,
         MtColumnHeader *self)
{
  MtColumnRole role;

  if (mt_column_role_from_string (g_variant_get_string (word, NULL), &role))
    mt_document_set_role (self->document, self->column, role);
}

static void
on_type (GSimpleAction  *action,
         GVariant       *word,
         MtColumnHeader *self)
{
  MtColumnType type;

  if (mt_column_type_from_string (g_variant_get_string (word, NULL), &type))
    mt_document_set_type (self->document, self->column, type);
}

static void
on_derive (GSimpleAction  *action,
           GVariant       *parameter,
           MtColumnHeader *self)
{
  MtTable *table = mt_document_get_table (self->document);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (table != NULL && self->column < mt_table_get_n_columns (table))
    gtk_window_present (GTK_WINDOW (mt_derive_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, self->document,
                                                          mt_table_get_column (table, self->column))));
}

static void
on_remove (GSimpleAction  *action,
           GVariant       *parameter,
           MtColumnHeader *self)
{
  MtTable *table = mt_document_get_table (self->document);
  g_autofree char *name = NULL;

  if (table == NULL || self->column >= mt_table_get_n_columns (table))
    return;
  name = g_strdup (mt_column_get_name (mt_table_get_column (table, self->column)));
  mt_document_derive (self->document, NULL, name, NULL);
}

/* What concerns the rows is the page's business. */
static void
on_rows (GSimpleAction  *action,
         GVariant       *parameter,
         MtColumnHeader *self)
{
  MtTable *table = mt_document_get_table (self->document);
  const char *what = g_action_get_name (G_ACTION (action)), *name;

  if (table == NULL || self->column >= mt_table_get_n_columns (table))
    return;
  name = mt_column_get_name (mt_table_get_column (table, self->column));
  if (g_str_equal (what, "where"))
    gtk_widget_activate_action (GTK_WIDGET (self), "data.where", "s", name);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "data.sort", "(sb)", name, g_str_equal (what, "sort-down"));
}

static void
on_distribution (GSimpleAction  *action,
                 GVariant       *parameter,
                 MtColumnHeader *self)
{
  MtTable *table = mt_document_get_table (self->document);
  MtDistribution *distribution = NULL;
  const MtColumn *column;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (table != NULL && self->column < mt_table_get_n_columns (table))
    distribution = mt_distributions_get (self->distributions, self->column);
  if (distribution == NULL || distribution->n_counts == 0)
    return;
  column = mt_table_get_column (table, self->column);
  gtk_window_present (GTK_WINDOW (mt_distribution_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                                              mt_column_get_name (column), distribution,
                                                              mt_column_get_type (column))));
}

static void
mt_column_header_dispose (GObject *object)
{
  MtColumnHeader *self = MT_COLUMN_HEADER (object);
  GtkWidget *child;

  g_clear_weak_pointer (&self->before);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->role_action);
  g_clear_object (&self->type_action);
  g_clear_object (&self->table_action);
  g_clear_object (&self->derive_action);
  g_clear_object (&self->formula_action);
  g_clear_object (&self->remove_action);
  g_clear_object (&self->document);
  g_clear_object (&self->distributions);
  G_OBJECT_CLASS (mt_column_header_parent_class)->dispose (object);
}

static void
mt_column_header_class_init (MtColumnHeaderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_column_header_dispose;
  g_type_ensure (MT_TYPE_DISTRIBUTION_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/minterm/Minterm/ui/mt-column-header.ui");
  gtk_widget_class_bind_template_child (widget_class, MtColumnHeader, icon);
  gtk_widget_class_bind_template_child (widget_class, MtColumnHeader, name);
  gtk_widget_class_bind_template_child (widget_class, MtColumnHeader, menu);
  gtk_widget_class_bind_template_child (widget_class, MtColumnHeader, role);
  gtk_widget_class_bind_template_child (widget_class, MtColumnHeader, view);
  gtk_widget_class_bind_template_child (widget_class, MtColumnHeader, low);
  gtk_widget_class_bind_template_child (widget_class, MtColumnHeader, high);
  gtk_widget_class_bind_template_child (widget_class, MtColumnHeader, missing);
  gtk_widget_class_set_css_name (widget_class, "columnheader");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_COLUMN_HEADER);
}

static GSimpleAction *
add_choice (MtColumnHeader *self,
            GActionMap     *map,
            const char     *name,
            const char     *first,
            GCallback       chosen)
{
  GSimpleAction *action = g_simple_action_new_stateful (name, G_VARIANT_TYPE_STRING, g_variant_new_string (first));

  g_signal_connect (action, "activate", chosen, self);
  g_action_map_add_action (map, G_ACTION (action));
  return action;
}

static GSimpleAction *
add_action (MtColumnHeader *self,
            GActionMap     *map,
            const char     *name,
            GCallback       chosen)
{
  GSimpleAction *action = g_simple_action_new (name, NULL);

  g_signal_connect (action, "activate", chosen, self);
  g_action_map_add_action (map, G_ACTION (action));
  return action;
}

static void
mt_column_header_init (MtColumnHeader *self)
{
  static const char * const row_actions[] = { "sort-up", "sort-down", "where" };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  self->column = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (gtk_menu_button_get_popover (self->menu), "closed", G_CALLBACK (on_menu_closed), self);
  self->role_action = add_choice (self, G_ACTION_MAP (group), "role", "feature", G_CALLBACK (on_role));
  self->type_action = add_choice (self, G_ACTION_MAP (group), "type", "number", G_CALLBACK (on_type));
  self->table_action = add_action (self, G_ACTION_MAP (group), "distribution", G_CALLBACK (on_distribution));
  self->derive_action = add_action (self, G_ACTION_MAP (group), "derive", G_CALLBACK (on_derive));
  self->formula_action = add_action (self, G_ACTION_MAP (group), "formula", G_CALLBACK (on_derive));
  self->remove_action = add_action (self, G_ACTION_MAP (group), "remove", G_CALLBACK (on_remove));
  for (guint i = 0; i < G_N_ELEMENTS (row_actions); i++)
    g_object_unref (add_action (self, G_ACTION_MAP (group), row_actions[i], G_CALLBACK (on_rows)));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "column", G_ACTION_GROUP (group));
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *told = i == 0 ? GTK_WIDGET (self->icon) : GTK_WIDGET (self->name);

      gtk_widget_set_has_tooltip (told, TRUE);
      g_signal_connect (told, "query-tooltip", G_CALLBACK (on_tooltip), self);
    }
}

GtkWidget *
mt_column_header_new (MtDocument      *document,
                      MtDistributions *distributions)
{
  MtColumnHeader *self = g_object_new (MT_TYPE_COLUMN_HEADER, NULL);

  self->document = g_object_ref (document);
  self->distributions = g_object_ref (distributions);
  mt_preferences_watch_numbers (self, G_CALLBACK (write_anew));
  return GTK_WIDGET (self);
}
