/* From the model one looks at to the dialog that applies it to new data. */
#include "config.h"
#include "mt-window-private.h"

#include <glib/gi18n.h>

#include "document/mt-reason-notes.h"
#include "predict/mt-predict-dialog.h"
#include "study/mt-selected-model-file.h"

static void
show_predict (MtWindow     *self,
              MtModel      *model,
              MtRunData    *basis,
              const GError *error)
{
  if (model != NULL)
    gtk_window_present (GTK_WINDOW (mt_predict_dialog_new (GTK_WINDOW (self), model, basis)));
  else
    _mt_window_show_failure (self, _("Model Not Ready"), error, NULL, NULL, NULL);
}

static void
on_model_made (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  g_autoptr (MtWindow) self = MT_WINDOW (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) made = mt_selected_model_make_model_finish (result, &error);
  g_autoptr (MtModel) model = NULL;
  g_autoptr (MtSelectedModel) fitted = g_steal_pointer (&self->exporting);

  if (self->document == NULL)
    return;   /* the window is gone */
  if (made != NULL)
    model = mt_reason_notes_apply (mt_document_get_note (self->document, MT_NOTE_REASONS), made, &error);
  show_predict (self, model, fitted->basis, error);
}

static void
action_predict (GtkWidget  *widget,
                const char *name,
                GVariant   *parameter)
{
  MtWindow *self = MT_WINDOW (widget);
  MtSelectedModel *fitted = mt_study_get_fitted (self->study);

  if (mt_session_get_model (self->session) != NULL)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (MtModel) model = _mt_window_dup_model (self, &error);

      show_predict (self, model, NULL, error);
    }
  else if (fitted != NULL && self->exporting == NULL && mt_document_get_import (self->document) != NULL)
    {
      self->exporting = mt_selected_model_ref (fitted);
      mt_selected_model_make_model_async (fitted, mt_document_get_import (self->document),
                                          mt_document_get_decisions (self->document), on_model_made, g_object_ref (self));
    }
}

void
_mt_window_class_install_predict_action (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.predict", NULL, action_predict);
}
