/* The list of findings: open ones first, dismissed ones last. See mt-findings-panel.h. */
#include "config.h"
#include "mt-findings-panel.h"

#include <glib/gi18n.h>

#include "mt-finding-row.h"
#include "util/mt-preferences.h"

#define PAGE    40   /* rows shown: a table of ten thousand columns may have as many findings */
#define AT_ONCE  2   /* rows made in one go, the others one a frame: GTK takes some 10 ms to measure one */

struct _MtFindingsPanel {
  AdwPreferencesGroup  parent_instance;

  GtkLabel            *summary;
  GtkListBox          *list;
  GtkButton           *more;

  MtDocument          *document;
  guint                n_waiting;
  guint                limit;
  GPtrArray           *shown;     /* of MtFinding: what the rows are to be */
  guint                making;    /* rows are still to be made; 0: not */
};

enum {
  PROP_0,
  PROP_N_WAITING,
};

G_DEFINE_FINAL_TYPE (MtFindingsPanel, mt_findings_panel, ADW_TYPE_PREFERENCES_GROUP)

static void
append_count (GString    *text,
              guint       count,
              const char *words)
{
  if (count > 0)
    {
      g_string_append (text, text->len > 0 ? " · " : "");
      g_string_append_printf (text, "%u %s", count, words);
    }
}

static void
clear_list (GtkListBox *list)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (list))) != NULL)
    gtk_list_box_remove (list, child);
}

/* --- rows --- */

static char *
reason_of (MtFindingsPanel *self,
           MtFinding       *finding)
{
  const MtProjectDismissal *dismissal = mt_decisions_get_dismissal (mt_document_get_decisions (self->document), finding);

  return dismissal != NULL ? g_strdup (dismissal->reason) : NULL;
}

static gboolean
row_shows (MtFindingsPanel *self,
           gpointer         row,
           MtFinding       *finding)
{
  g_autofree char *reason = reason_of (self, finding);
  const MtFinding *old = g_object_get_data (row, "finding");

  /* Another look at the table makes others that say the same. */
  return (old == finding || (g_str_equal (old->code, finding->code) && g_str_equal (old->message, finding->message) &&
                             g_strcmp0 (old->column_name, finding->column_name) == 0)) &&
         g_strcmp0 (g_object_get_data (row, "reason"), reason) == 0;
}

static void
insert_row (MtFindingsPanel *self,
            guint            place)
{
  MtFinding *finding = g_ptr_array_index (self->shown, place);
  GtkWidget *row = mt_finding_row_new (self->document, finding);

  g_object_set_data_full (G_OBJECT (row), "finding", mt_finding_ref (finding), (GDestroyNotify) mt_finding_unref);
  g_object_set_data_full (G_OBJECT (row), "reason", reason_of (self, finding), g_free);
  gtk_list_box_insert (self->list, row, (int) place);
}

static gboolean
is_wanted (MtFindingsPanel *self,
           gpointer         row,
           guint            from)
{
  for (guint i = from; i < self->shown->len; i++)
    if (row_shows (self, row, g_ptr_array_index (self->shown, i)))
      return TRUE;
  return FALSE;
}

/* Rows that are right stay, so that nothing jumps; TRUE when there is nothing left to make. */
static gboolean
make_rows (MtFindingsPanel *self,
           guint            n_more)
{
  GtkListBoxRow *row;
  guint place = 0;

  while (place < self->shown->len)
    {
      row = gtk_list_box_get_row_at_index (self->list, (int) place);
      if (row != NULL && row_shows (self, row, g_ptr_array_index (self->shown, place)))
        place++;
      else if (row != NULL && !is_wanted (self, row, place + 1))
        gtk_list_box_remove (self->list, GTK_WIDGET (row));
      else if (n_more-- > 0)
        insert_row (self, place++);
      else
        return FALSE;
    }
  while ((row = gtk_list_box_get_row_at_index (self->list, (int) place)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  return TRUE;
}

static gboolean
on_frame (GtkWidget     *widget,
          GdkFrameClock *clock,
          gpointer       data)
{
  MtFindingsPanel *self = MT_FINDINGS_PANEL (widget);

  if (!make_rows (self, 1))
    return G_SOURCE_CONTINUE;
  self->making = 0;
  return G_SOURCE_REMOVE;
}

static void
stop_making (MtFindingsPanel *self)
{
  if (self->making != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->making);
  self->making = 0;
}

static void
show (MtFindingsPanel *self)
{
  GPtrArray *findings = mt_document_get_findings (self->document);
  MtDecisions *decisions = mt_document_get_decisions (self->document);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_open = 0, n_notes = 0, n_dismissed = 0, n_shown = 0;
  guint n = findings != NULL ? findings->len : 0;

  stop_making (self);
  g_ptr_array_set_size (self->shown, 0);
  for (int dismissed = 0; dismissed <= 1; dismissed++)
    for (guint i = 0; i < n; i++)
      {
        MtFinding *finding = g_ptr_array_index (findings, i);

        if ((mt_decisions_get_dismissal (decisions, finding) != NULL) != dismissed)
          continue;
        n_dismissed += dismissed ? 1 : 0;
        n_notes += !dismissed && finding->severity == MT_SEVERITY_NOTE ? 1 : 0;
        n_open += !dismissed && finding->severity != MT_SEVERITY_NOTE ? 1 : 0;
        if (n_shown++ < self->limit)
          g_ptr_array_add (self->shown, mt_finding_ref (finding));
      }
  if (!make_rows (self, AT_ONCE))
    self->making = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, NULL, NULL);

  if (self->n_waiting != n_open + n_notes)
    {
      self->n_waiting = n_open + n_notes;
      g_object_notify (G_OBJECT (self), "n-waiting");
    }
  append_count (text, n_open, ngettext ("open", "open", n_open));
  append_count (text, n_notes, ngettext ("note", "notes", n_notes));
  append_count (text, n_dismissed, ngettext ("dismissed", "dismissed", n_dismissed));
  gtk_label_set_label (self->summary, text->str);
  /* Of a file that could not be read there is nothing to say, not even that it is fine. */
  gtk_widget_set_visible (GTK_WIDGET (self), mt_document_get_table (self->document) != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->list), n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->more), n > self->limit);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self),
                                         findings == NULL && mt_document_get_table (self->document) != NULL
                                         ? _("Checking columns…")
                                         : n == 0 ? _("No issues found.") : NULL);
}

static void
write_anew (MtFindingsPanel *self)
{
  clear_list (self->list);
  show (self);
}

static void
on_more (MtFindingsPanel *self)
{
  self->limit += PAGE;
  show (self);
}

static void
on_table_changed (MtFindingsPanel *self)
{
  if (mt_document_get_findings (self->document) == NULL)
    {
      self->limit = PAGE;
      show (self);
    }
}

gboolean
mt_findings_panel_go_to (MtFindingsPanel *self)
{
  GtkListBoxRow *row;

  g_return_val_if_fail (MT_IS_FINDINGS_PANEL (self), FALSE);

  row = gtk_list_box_get_row_at_index (self->list, 0);
  return row != NULL && gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
mt_findings_panel_get_property (GObject    *object,
                                guint       id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  if (id == PROP_N_WAITING)
    g_value_set_uint (value, MT_FINDINGS_PANEL (object)->n_waiting);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_findings_panel_dispose (GObject *object)
{
  MtFindingsPanel *self = MT_FINDINGS_PANEL (object);

  stop_making (self);
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (mt_findings_panel_parent_class)->dispose (object);
}

static void
mt_findings_panel_class_init (MtFindingsPanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = mt_findings_panel_dispose;
  object_class->get_property = mt_findings_panel_get_property;
  g_object_class_install_property (object_class, PROP_N_WAITING,
                                   g_param_spec_uint ("n-waiting", NULL, NULL, 0, G_MAXUINT, 0,
                                                      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
mt_findings_panel_init (MtFindingsPanel *self)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (self);

  self->limit = PAGE;
  self->shown = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_finding_unref);
  adw_preferences_group_set_title (group, _("Findings"));

  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "dim-label");
  adw_preferences_group_set_header_suffix (group, GTK_WIDGET (self->summary));

  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Findings"), -1);
  adw_preferences_group_add (group, GTK_WIDGET (self->list));

  self->more = GTK_BUTTON (gtk_button_new_with_mnemonic (_("Show _More")));
  gtk_widget_set_margin_top (GTK_WIDGET (self->more), 12);
  g_signal_connect_swapped (self->more, "clicked", G_CALLBACK (on_more), self);
  adw_preferences_group_add (group, GTK_WIDGET (self->more));
}

void
mt_findings_panel_set_document (MtFindingsPanel *self,
                                MtDocument      *document)
{
  g_return_if_fail (MT_IS_FINDINGS_PANEL (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (document, "findings-changed", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "table-changed", G_CALLBACK (on_table_changed), self, G_CONNECT_SWAPPED);
  mt_preferences_watch_numbers (self, G_CALLBACK (write_anew));
  show (self);
}
