/* The small picture in a column's head as a table: each bin or level with its rows and their share of all,
 * and whatever the picture leaves out. See mt-distribution-dialog.h. */
#include "config.h"
#include "mt-distribution-dialog.h"

#include <glib/gi18n.h>

#include "widgets/mt-index-model.h"
#include "mt-distribution-view.h"
#include "util/mt-format.h"
#include "util/mt-column-refresh.h"
#include "util/mt-list-tab-behavior.h"

typedef enum {
  CELL_WHAT,
  CELL_ROWS,
  CELL_SHARE,
  N_CELLS,
} Cell;

/* What is not drawn, below what is. */
typedef enum {
  REST_OTHER,      /* levels */
  REST_INFINITE,
  REST_MISSING,
  N_RESTS,
} Rest;

struct _MtDistributionDialog {
  AdwWindow       parent_instance;

  GtkColumnView  *table;
  MtIndexModel   *model;
  MtDistribution *distribution;
  MtColumnType    type;
  Rest            rests[N_RESTS];   /* those that there are */
  guint           n_rests;
};

G_DEFINE_FINAL_TYPE (MtDistributionDialog, mt_distribution_dialog, ADW_TYPE_WINDOW)

static gsize
count_rest (const MtDistribution *d,
            Rest                  rest)
{
  return rest == REST_OTHER ? d->n_other : rest == REST_INFINITE ? d->n_infinite : d->n_missing;
}

static char *
name_rest (const MtDistribution *d,
           Rest                  rest)
{
  guint n = d->n_levels - MIN (d->n_levels, d->n_counts);
  g_autofree char *count = mt_format_count (n);

  if (rest == REST_OTHER)
    return g_strdup_printf (ngettext ("%s other value", "%s other values", n), count);
  return g_strdup (rest == REST_INFINITE ? _("Infinite") : _("Missing"));
}

guint
mt_distribution_dialog_get_n (MtDistributionDialog *self)
{
  g_return_val_if_fail (MT_IS_DISTRIBUTION_DIALOG (self), 0);
  return self->distribution->n_counts + self->n_rests;
}

char *
mt_distribution_dialog_dup_cell (MtDistributionDialog *self,
                                 guint                 line,
                                 guint                 column)
{
  const MtDistribution *d = self->distribution;
  gboolean drawn = line < d->n_counts;
  gsize count;

  g_return_val_if_fail (MT_IS_DISTRIBUTION_DIALOG (self) && line < mt_distribution_dialog_get_n (self), NULL);

  count = drawn ? d->counts[line] : count_rest (d, self->rests[line - d->n_counts]);
  if (column == CELL_ROWS)
    return mt_format_count (count);
  if (column == CELL_SHARE)
    return mt_format_percent ((double) count / (double) MAX (d->n_rows, 1));
  return drawn ? mt_distribution_dup_bar_name (d, self->type, line) : name_rest (d, self->rests[line - d->n_counts]);
}

/* --- object --- */

static void
setup_cell (GtkSignalListItemFactory *factory,
            GtkListItem              *item)
{
  Cell cell = (Cell) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "cell"));
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), cell == CELL_WHAT ? 0 : 1);
  if (cell == CELL_WHAT)
    {
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_width_chars (GTK_LABEL (label), 8);
    }
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_cell (GtkSignalListItemFactory *factory,
           GtkListItem              *item,
           MtDistributionDialog     *self)
{
  Cell cell = (Cell) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "cell"));
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = mt_distribution_dialog_dup_cell (self, gtk_list_item_get_position (item), cell);

  gtk_label_set_label (GTK_LABEL (label), text);
  if (gtk_list_item_get_position (item) >= self->distribution->n_counts)
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
}

static void
add_column (MtDistributionDialog *self,
            Cell                  cell,
            const char           *title)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = NULL;

  g_object_set_data (G_OBJECT (factory), "cell", GUINT_TO_POINTER (cell));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), self);
  column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (column, cell == CELL_WHAT);
  gtk_column_view_append_column (self->table, column);
}

static void
mt_distribution_dialog_dispose (GObject *object)
{
  MtDistributionDialog *self = MT_DISTRIBUTION_DIALOG (object);

  if (self->table != NULL)
    gtk_column_view_set_model (self->table, NULL);
  self->table = NULL;
  G_OBJECT_CLASS (mt_distribution_dialog_parent_class)->dispose (object);
}

static void
mt_distribution_dialog_finalize (GObject *object)
{
  g_clear_pointer (&MT_DISTRIBUTION_DIALOG (object)->distribution, mt_distribution_unref);
  G_OBJECT_CLASS (mt_distribution_dialog_parent_class)->finalize (object);
}

static void
mt_distribution_dialog_class_init (MtDistributionDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_distribution_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_distribution_dialog_finalize;
}

static void
mt_distribution_dialog_init (MtDistributionDialog *self)
{
  g_autoptr (GtkNoSelection) selection = NULL;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scrolled = gtk_scrolled_window_new (), *bin = g_object_new (MT_TYPE_LIST_TAB_BEHAVIOR, NULL);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  self->model = mt_index_model_new ();
  selection = gtk_no_selection_new (G_LIST_MODEL (self->model));   /* keeps the model */
  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "ruletable");
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "tight");
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  mt_column_refresh_watch (self->table);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->table));
  gtk_widget_set_vexpand (scrolled, TRUE);
  adw_bin_set_child (ADW_BIN (bin), scrolled);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), bin);
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

GtkWidget *
mt_distribution_dialog_new (GtkWindow      *parent,
                            const char     *column,
                            MtDistribution *distribution,
                            MtColumnType    type)
{
  MtDistributionDialog *self;
  g_autofree char *name = NULL;

  g_return_val_if_fail (column != NULL && distribution != NULL, NULL);

  self = g_object_new (MT_TYPE_DISTRIBUTION_DIALOG, "transient-for", parent, "modal", TRUE, "default-width", 360,
                       "default-height", 460, "title", column, NULL);
  self->distribution = mt_distribution_ref (distribution);
  self->type = type;
  for (guint rest = 0; rest < N_RESTS; rest++)
    if (count_rest (distribution, (Rest) rest) > 0)
      self->rests[self->n_rests++] = (Rest) rest;
  add_column (self, CELL_WHAT, distribution->kind == MT_DISTRIBUTION_LEVELS ? _("Value") : _("Values"));
  add_column (self, CELL_ROWS, _("Rows"));
  add_column (self, CELL_SHARE, _("Share"));
  /* Translators: %s is a column */
  name = g_strdup_printf (_("Distribution of %s"), column);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  mt_index_model_set (self->model, mt_distribution_dialog_get_n (self));
  return GTK_WIDGET (self);
}
