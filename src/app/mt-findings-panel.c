#include "config.h"
#include "mt-findings-panel.h"

#include <glib/gi18n.h>

#include "mt-finding-row.h"
#include "mt-preferences.h"

#define PAGE 40   /* rows made at a time: a table of ten thousand columns may have as many findings */

struct _MtFindingsPanel {
  AdwPreferencesGroup  parent_instance;

  GtkLabel            *summary;
  GtkListBox          *list;
  GtkButton           *more;

  MtDocument          *document;
  guint                limit;
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

static void
show (MtFindingsPanel *self)
{
  GPtrArray *findings = mt_document_get_findings (self->document);
  MtDecisions *decisions = mt_document_get_decisions (self->document);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_open = 0, n_notes = 0, n_dismissed = 0, n_shown = 0;
  guint n = findings != NULL ? findings->len : 0;

  clear_list (self->list);
  for (int dismissed = 0; dismissed <= 1; dismissed++)
    for (guint i = 0; i < n; i++)
      {
        MtFinding *finding = g_ptr_array_index (findings, i);

        if ((mt_decisions_get_reason (decisions, finding) != NULL) != dismissed)
          continue;
        n_dismissed += dismissed ? 1 : 0;
        n_notes += !dismissed && finding->severity == MT_SEVERITY_NOTE ? 1 : 0;
        n_open += !dismissed && finding->severity != MT_SEVERITY_NOTE ? 1 : 0;
        if (n_shown++ < self->limit)
          gtk_list_box_append (self->list, mt_finding_row_new (self->document, finding));
      }

  append_count (text, n_open, ngettext ("open", "open", n_open));
  append_count (text, n_notes, ngettext ("note", "notes", n_notes));
  append_count (text, n_dismissed, ngettext ("ignored", "ignored", n_dismissed));
  gtk_label_set_label (self->summary, text->str);
  /* Of a file that could not be read there is nothing to say, not even that it is fine. */
  gtk_widget_set_visible (GTK_WIDGET (self), mt_document_get_table (self->document) != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->list), n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->more), n > self->limit);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self),
                                         findings == NULL && mt_document_get_table (self->document) != NULL
                                         ? _("Looking at the columns…")
                                         : n == 0 ? _("Nothing in this file calls for a second look.") : NULL);
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

static void
mt_findings_panel_dispose (GObject *object)
{
  g_clear_object (&MT_FINDINGS_PANEL (object)->document);
  G_OBJECT_CLASS (mt_findings_panel_parent_class)->dispose (object);
}

static void
mt_findings_panel_class_init (MtFindingsPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_findings_panel_dispose;
}

static void
mt_findings_panel_init (MtFindingsPanel *self)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (self);

  self->limit = PAGE;
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
  mt_preferences_watch_numbers (self, G_CALLBACK (show));
  show (self);
}
