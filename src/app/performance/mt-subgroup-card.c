/* Subgroups on the Quality page. See mt-subgroup-card.h. */
#include "config.h"
#include "mt-subgroup-card.h"

#include <glib/gi18n.h>

#include "document/mt-subgroup-columns.h"
#include "mt-subgroup-tables.h"
#include "study/mt-performance-operation.h"
#include "util/mt-format.h"

#define MOST_OFFERED 300     /* columns in the list */

struct _MtSubgroupCard {
  AdwBin          parent_instance;

  GtkMenuButton  *button;
  GtkBox         *list;          /* of check buttons */
  GtkSpinner     *spinner;
  GtkLabel       *hint;
  GtkBox         *content;

  MtDocument     *document;
  MtPerformance  *performance;   /* NULL: nothing to show */
  MtTable        *table;
  char          **classes;
  double          cutoff;
  char          **columns;       /* shown, or to be */
  GPtrArray      *found;         /* of MtSubgrouping; NULL: still to come */
  GCancellable   *cancellable;
  gboolean        listing;       /* the checks follow what is chosen */
};

G_DEFINE_FINAL_TYPE (MtSubgroupCard, mt_subgroup_card, ADW_TYPE_BIN)

gboolean
mt_subgroup_card_is_busy (MtSubgroupCard *self)
{
  return gtk_spinner_get_spinning (self->spinner);
}

/* --- showing --- */

static void
clear_box (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

static void
add_label (GtkBox     *box,
           const char *text,
           const char *class_)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, class_);
  gtk_box_append (box, label);
}

static gboolean
has_small (GArray *groups)
{
  for (guint i = 0; i < groups->len; i++)
    if (g_array_index (groups, MtSubgroup, i).which->len < MT_SUBGROUP_SMALL)
      return TRUE;
  return FALSE;
}

static const char *
describe_gap (MtTask task)
{
  if (task == MT_TASK_BINARY)
    return _("Calibration gap: mean predicted probability of the second class minus its share of the rows.");
  if (task == MT_TASK_MULTICLASS)
    return _("Calibration gap: mean probability of the predicted class minus the share of rows that belong to it.");
  return _("Calibration gap: mean prediction minus mean true value.");
}

static void
add_decisions (MtSubgroupCard      *self,
               const MtSubgrouping *by)
{
  const char * const *classes = (const char * const *) self->classes;
  g_autofree MtSubgroupRates *rates = g_new (MtSubgroupRates, by->groups->len + 1);
  int reference = mt_subgroups_find_reference (by->groups);
  g_autofree char *about = NULL;

  mt_subgroups_rate (by->groups, &self->performance->scored, self->cutoff, reference, rates);
  gtk_box_append (self->content, mt_subgroup_rates_new (by->column, by->groups, rates, classes));
  if (reference < 0 || by->groups->len < 2)
    return;
  /* Translators: %s is a group, such as a value of the column "sex" */
  about = g_strdup_printf (_("Compared with “%s”, the largest group. Adverse-impact ratio: the share of rows for "
                             "which a class is predicted, divided by that share in “%s”. Equal-opportunity "
                             "difference: among the rows that belong to a class, the share for which it is "
                             "predicted, minus that share in “%s”. Look at the figures of the favorable decision."),
                           g_array_index (by->groups, MtSubgroup, reference).name,
                           g_array_index (by->groups, MtSubgroup, reference).name,
                           g_array_index (by->groups, MtSubgroup, reference).name);
  add_label (self->content, about, "dim-label");
  gtk_box_append (self->content, mt_subgroup_compared_new (by->column, by->groups, rates, classes, reference));
}

static void
show_content (MtSubgroupCard *self)
{
  gboolean small = FALSE;

  clear_box (self->content);
  gtk_widget_set_visible (GTK_WIDGET (self->hint), self->columns == NULL || self->columns[0] == NULL);
  if (self->found == NULL || self->performance == NULL)
    return;
  for (guint i = 0; i < self->found->len; i++)
    {
      const MtSubgrouping *by = self->found->pdata[i];
      g_autofree char *title = g_strdup_printf (_("By %s"), by->column);

      if (i > 0)
        gtk_box_append (self->content, gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
      add_label (self->content, title, "heading");
      if (by->groups == NULL)
        {
          g_autofree char *failure = mt_format_paragraph (by->failure);

          add_label (self->content, failure, "failure");
          continue;
        }
      gtk_box_append (self->content, mt_subgroup_quality_new (self->performance, by->column, by->groups));
      small |= has_small (by->groups);
      if (self->performance->scored.n_classes == 2)
        add_decisions (self, by);
    }
  if (self->found->len == 0)
    return;
  add_label (self->content, describe_gap (self->performance->scored.task), "dim-label");
  if (small)
    {
      g_autofree char *few = g_strdup_printf (ngettext ("Groups with fewer than %u row are unreliable: look at the "
                                                        "width of their intervals.",
                                                        "Groups with fewer than %u rows are unreliable: look at the "
                                                        "width of their intervals.", MT_SUBGROUP_SMALL),
                                              MT_SUBGROUP_SMALL);

      add_label (self->content, few, "dim-label");
    }
}

static void
show_busy (MtSubgroupCard *self,
           gboolean        busy)
{
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), busy);
  gtk_spinner_set_spinning (self->spinner, busy);
}

static void
on_found (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = mt_subgroups_finish (result, &error);
  MtSubgroupCard *self = MT_SUBGROUP_CARD (source);

  if (found == NULL)
    return;
  g_clear_pointer (&self->found, g_ptr_array_unref);
  self->found = g_steal_pointer (&found);
  show_busy (self, FALSE);
  show_content (self);
}

static void
cancel (MtSubgroupCard *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
measure (MtSubgroupCard *self)
{
  cancel (self);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  g_clear_pointer (&self->columns, g_strfreev);
  self->columns = mt_subgroup_columns_dup (self->document);
  show_busy (self, FALSE);
  if (self->performance != NULL && self->columns[0] != NULL)
    {
      self->cancellable = g_cancellable_new ();
      show_busy (self, TRUE);
      mt_subgroups_async (self, self->performance, self->table, (const char * const *) self->columns, self->cancellable, on_found);
    }
  show_content (self);
}

/* --- choosing --- */

static void
on_check (MtSubgroupCard *self,
          GtkCheckButton *check)
{
  if (!self->listing)
    mt_subgroup_columns_set (self->document, g_object_get_data (G_OBJECT (check), "column"),
                             gtk_check_button_get_active (check));
}

static GtkWidget *
make_check (MtSubgroupCard *self,
            const MtTable  *table,
            guint           column)
{
  const char *name = mt_column_get_name (mt_table_get_column (table, column));
  GtkWidget *check = gtk_check_button_new (), *label = gtk_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 30);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_check_button_set_child (GTK_CHECK_BUTTON (check), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_object_set_data_full (G_OBJECT (check), "column", g_strdup (name), g_free);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), g_strv_contains ((const char * const *) self->columns, name));
  if (mt_subgroup_columns_is_role (table, column))
    {
      gtk_widget_set_sensitive (check, FALSE);
      gtk_widget_set_tooltip_text (check, _("Its role on the Data page is “Report By”."));
    }
  g_signal_connect_swapped (check, "toggled", G_CALLBACK (on_check), self);
  return check;
}

/* Made when it is asked for. */
static void
list_columns (GtkMenuButton *button,
              gpointer       data)
{
  MtSubgroupCard *self = data;
  const MtTable *table = mt_document_get_table (self->document);
  guint n = 0;

  clear_box (self->list);
  self->listing = TRUE;
  for (guint i = 0; table != NULL && i < mt_table_get_n_columns (table) && n < MOST_OFFERED; i++)
    if (mt_subgroup_columns_can (table, i))
      {
        gtk_box_append (self->list, make_check (self, table, i));
        n++;
      }
  self->listing = FALSE;
}

static void
on_notes (MtSubgroupCard *self)
{
  g_auto (GStrv) columns = mt_subgroup_columns_dup (self->document);

  if (self->columns == NULL || !g_strv_equal ((const char * const *) columns, (const char * const *) self->columns))
    measure (self);
}

/* --- outside --- */

void
mt_subgroup_card_show (MtSubgroupCard     *self,
                       MtPerformance      *performance,
                       MtTable            *table,
                       const char * const *classes,
                       double              cutoff)
{
  g_clear_pointer (&self->performance, mt_performance_unref);
  g_clear_pointer (&self->table, mt_table_unref);
  g_clear_pointer (&self->classes, g_strfreev);
  self->cutoff = cutoff;
  if (performance != NULL)
    {
      self->performance = mt_performance_ref (performance);
      self->table = mt_table_ref (table);
      self->classes = g_strdupv ((char **) classes);
    }
  if (self->document != NULL)
    measure (self);
}

void
mt_subgroup_card_set_cutoff (MtSubgroupCard *self,
                             double          cutoff)
{
  if (cutoff == self->cutoff)
    return;
  self->cutoff = cutoff;
  show_content (self);
}

void
mt_subgroup_card_set_document (MtSubgroupCard *self,
                               MtDocument     *document)
{
  g_return_if_fail (self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (document, "notes-changed", G_CALLBACK (on_notes), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "table-changed", G_CALLBACK (on_notes), self, G_CONNECT_SWAPPED);
}

static void
mt_subgroup_card_dispose (GObject *object)
{
  MtSubgroupCard *self = MT_SUBGROUP_CARD (object);

  cancel (self);
  g_clear_pointer (&self->performance, mt_performance_unref);
  g_clear_pointer (&self->table, mt_table_unref);
  g_clear_pointer (&self->classes, g_strfreev);
  g_clear_pointer (&self->columns, g_strfreev);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (mt_subgroup_card_parent_class)->dispose (object);
}

static void
mt_subgroup_card_class_init (MtSubgroupCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_subgroup_card_dispose;
}

static GtkWidget *
make_head (MtSubgroupCard *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *title = gtk_label_new (_("Subgroups"));
  GtkWidget *popover = gtk_popover_new (), *scrolled = gtk_scrolled_window_new ();

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (title, "heading");
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), FALSE);
  self->list = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 3));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 360);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  self->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  gtk_menu_button_set_label (self->button, _("_Columns"));
  gtk_menu_button_set_use_underline (self->button, TRUE);
  gtk_menu_button_set_popover (self->button, popover);
  gtk_menu_button_set_create_popup_func (self->button, list_columns, self, NULL);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->spinner));
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->button));
  return head;
}

static void
mt_subgroup_card_init (MtSubgroupCard *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *hint;

  gtk_box_append (GTK_BOX (box), make_head (self));
  hint = gtk_label_new (_("Choose columns, such as sex or age, to see the quality and the decisions of the "
                          "model for each of their values. The report then contains the same tables."));
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_widget_add_css_class (hint, "dim-label");
  self->hint = GTK_LABEL (hint);
  self->content = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 12));
  gtk_box_append (GTK_BOX (box), hint);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->content));
  gtk_widget_add_css_class (box, "card");
  gtk_widget_add_css_class (box, "figurecard");
  adw_bin_set_child (ADW_BIN (self), box);
}

GtkWidget *
mt_subgroup_card_new (void)
{
  return g_object_new (MT_TYPE_SUBGROUP_CARD, NULL);
}
