/* A model file opened by itself, without the data it was made from: only the Rules and Report pages have
 * something to show, and say where rows are wanting. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

#include "document/mt-reason-notes.h"

/* The pages that need data are there only when there are some. */
static void
show_pages (MtWindow *self)
{
  GtkSelectionModel *pages = adw_view_stack_get_pages (self->pages);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++)
    {
      g_autoptr (AdwViewStackPage) page = g_list_model_get_item (G_LIST_MODEL (pages), i);

      adw_view_stack_page_set_visible (page, mt_session_get_model (self->session) == NULL ||
                                       adw_view_stack_page_get_child (page) == GTK_WIDGET (self->rules_page) ||
                                       adw_view_stack_page_get_child (page) == GTK_WIDGET (self->report_page));
    }
  g_object_unref (pages);
}

static void
on_model_closed (MtWindow *self)
{
  mt_rules_page_set_model (self->rules_page, NULL);
  mt_report_page_set_model (self->report_page, NULL, NULL);
  show_pages (self);
}

/* The model on show, or as it is now that it was edited. */
void
_mt_window_set_model (MtWindow *self,
                      MtModel  *model)
{
  mt_session_set_model (self->session, model);
  mt_rules_page_set_model (self->rules_page, model);
}

static void
on_model_opened (MtWindow *self,
                 GFile    *file)
{
  MtModel *model = mt_session_get_model (self->session);

  mt_rules_page_set_model (self->rules_page, model);
  mt_report_page_set_model (self->report_page, model, g_file_peek_path (file));
  show_pages (self);
  adw_view_stack_set_visible_child (self->pages, GTK_WIDGET (self->rules_page));
  _mt_window_show_document (self);
}

void
_mt_window_init_model (MtWindow *self)
{
  g_signal_connect_object (self->session, "model-opened", G_CALLBACK (on_model_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "model-closed", G_CALLBACK (on_model_closed), self, G_CONNECT_SWAPPED);
}

MtModel *
_mt_window_dup_model (MtWindow  *self,
                      GError   **error)
{
  MtSelectedModel *fitted = mt_study_get_fitted (self->study);
  g_autoptr (MtModel) model = NULL;

  if (mt_session_get_model (self->session) != NULL)
    model = mt_model_ref (mt_session_get_model (self->session));
  else if (fitted != NULL)
    model = mt_selected_model_dup_model (fitted, mt_document_get_import (self->document), error);
  return model != NULL ? mt_reason_notes_apply (mt_document_get_note (self->document, MT_NOTE_REASONS), model, error) : NULL;
}
