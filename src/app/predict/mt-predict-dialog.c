/* Applies a model to a new CSV. See mt-predict-dialog.h. */
#include "config.h"
#include "mt-predict-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "document/mt-open-files.h"
#include "mt-predict-job.h"
#include "mt-predict-results.h"
#include "util/mt-format.h"
#include "util/mt-toast.h"

#define MOST_NAMES 12      /* in one sentence */
#define MOST_KEYS  100     /* columns that one can choose from, those first that the model does not use … */
#define KEYS_A_GO  8       /* … whose rows are made so many at a time, when they are asked for */

struct _MtPredictDialog {
  AdwWindow        parent_instance;

  AdwToastOverlay *toasts;
  GtkStack        *stack;
  AdwStatusPage   *status;         /* no file yet, or one that cannot be read */
  GtkButton       *status_button;
  GtkRevealer     *strip;
  GtkLabel        *strip_text;
  GtkProgressBar  *bar;
  GtkScrolledWindow *scrolled;
  GtkBox          *content;
  GtkWidget       *about;          /* groups about the file; NULL: none */
  GtkWidget       *outcome;        /* results, or why there are none; NULL: neither */
  GtkSpinButton   *reasons;
  AdwExpanderRow  *carried;        /* which of … */
  GPtrArray       *keys;           /* … these: of GtkCheckButton, borrowed, as order; not all at first */
  GArray          *order;          /* of guint, into look->names: as they are listed */
  GArray          *chosen;         /* of gboolean, as look->names */
  guint            making;         /* idle that makes their rows; 0: none */
  GtkWidget       *score;
  GtkWidget       *save;

  MtModel         *model;
  MtRunData       *basis;          /* what it learned from; NULL: not known */
  GFile           *file;
  GFile           *output;         /* of the run under way; NULL: nothing is written */
  MtPredictLook   *look;
  MtScoring       *scoring;
  GCancellable    *cancellable;    /* of what is under way; NULL: nothing is */
  gboolean         closed;
};

G_DEFINE_FINAL_TYPE (MtPredictDialog, mt_predict_dialog, ADW_TYPE_WINDOW)

static void ask_input (MtPredictDialog *self);
static void ask_output (MtPredictDialog *self);

static gboolean
fits (MtPredictDialog *self)
{
  return self->look != NULL && mt_scoring_check_fits (self->look->check);
}

static void
update (MtPredictDialog *self)
{
  gboolean busy = self->cancellable != NULL;

  gtk_revealer_set_reveal_child (self->strip, busy);
  gtk_widget_set_visible (self->score, self->file != NULL);
  gtk_widget_set_sensitive (self->score, fits (self) && !busy);
  gtk_widget_set_tooltip_text (self->score, self->file != NULL && !busy && !fits (self)
                                            ? _("The file does not fit the model") : NULL);
  if (self->scoring != NULL)
    {
      gtk_widget_remove_css_class (self->score, "suggested-action");
      gtk_widget_add_css_class (self->save, "suggested-action");
    }
  else
    {
      gtk_widget_add_css_class (self->score, "suggested-action");
      gtk_widget_remove_css_class (self->save, "suggested-action");
    }
  if (self->about != NULL)
    gtk_widget_set_sensitive (self->about, !busy);
}

static void
set_outcome (MtPredictDialog *self,
             GtkWidget       *outcome)
{
  if (self->outcome != NULL)
    gtk_box_remove (self->content, self->outcome);
  self->outcome = outcome;
  if (outcome != NULL)
    gtk_box_append (self->content, outcome);
}

static void
forget_scoring (MtPredictDialog *self)
{
  g_clear_pointer (&self->scoring, mt_scoring_free);
  set_outcome (self, NULL);
}

/* --- rows about the file --- */

static GtkWidget *
add_fact (GtkWidget  *group,
          const char *icon,
          const char *style,
          const char *title,
          const char *subtitle)
{
  GtkWidget *row = adw_action_row_new (), *image = gtk_image_new_from_icon_name (icon);

  g_object_set (row, "use-markup", FALSE, NULL);
  if (style != NULL)
    gtk_widget_add_css_class (image, style);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  if (subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), image);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return row;
}

static char *
dup_names (char **names)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = g_strv_length (names);

  for (guint i = 0; i < MIN (n, MOST_NAMES); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", names[i]);
  if (n > MOST_NAMES)
    g_string_append (text, ", …");
  return g_strdup (text->str);
}

static void
add_absent (GtkWidget            *group,
            const MtScoringCheck *check)
{
  for (guint i = 0; check->absent[i] != NULL; i++)
    {
      g_autofree char *title = g_strdup_printf (_("“%s” is missing"), check->absent[i]);
      g_autofree char *hint = NULL;

      if (i == MOST_NAMES)
        {
          g_autofree char *rest = dup_names (check->absent + i);
          guint n = g_strv_length (check->absent + i);

          g_free (title);
          title = g_strdup_printf (ngettext ("%u more column is missing", "%u more columns are missing", n), n);
          add_fact (group, "dialog-error-symbolic", "error", title, rest);
          return;
        }
      if (*check->similar[i] != '\0')
        hint = g_strdup_printf (_("The file has “%s”. If it is the same, rename it in the file."), check->similar[i]);
      else
        hint = g_strdup (_("Add the column to the file, or train a model without it."));
      add_fact (group, "dialog-error-symbolic", "error", title, hint);
    }
}

static GtkWidget *
make_check (MtPredictDialog *self)
{
  const MtScoringCheck *check = self->look->check;
  const char *target = mt_model_get_info (self->model)->target;
  GtkWidget *group = adw_preferences_group_new ();
  guint n_unused = g_strv_length (check->unused);
  guint n_spare = g_strv_length (check->spare);
  g_autofree char *spare = dup_names (check->spare);
  g_autofree char *unused = dup_names (check->unused);
  g_autofree char *n_rows = mt_format_count (self->look->n_rows);
  g_autofree char *looked = self->look->is_whole
                            ? g_strdup_printf (ngettext ("%s row", "%s rows", self->look->n_rows), n_rows)
                            : g_strdup_printf (ngettext ("Checked the first %s row", "Checked the first %s rows",
                                                         self->look->n_rows), n_rows);
  g_autofree char *truth = NULL;

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Compatibility"));
  if (mt_scoring_check_fits (check))
    add_fact (group, "emblem-ok-symbolic", "success", _("The file has all columns that the model needs"), looked);
  else
    {
      add_absent (group, check);
      if (check->objection != NULL)
        {
          g_autofree char *objection = mt_format_paragraph (check->objection);

          add_fact (group, "dialog-error-symbolic", "error", _("Some cells cannot be read"), objection);
        }
    }
  truth = g_strdup_printf (check->has_target ? _("“%s” is in the file: quality will be measured")
                                             : _("“%s” is not in the file: quality cannot be measured"), target);
  add_fact (group, check->has_target ? "emblem-ok-symbolic" : "dialog-information-symbolic",
            check->has_target ? "success" : NULL, truth, NULL);
  if (n_spare > 0)
    {
      g_autofree char *title = g_strdup_printf (ngettext ("%u column that no rule uses is not in the file",
                                                          "%u columns that no rule uses are not in the file", n_spare), n_spare);

      add_fact (group, "dialog-information-symbolic", NULL, title, spare);
    }
  if (n_unused > 0)
    {
      g_autofree char *title = g_strdup_printf (ngettext ("%u column that the model does not use",
                                                          "%u columns that the model does not use", n_unused), n_unused);

      add_fact (group, "dialog-information-symbolic", NULL, title, unused);
    }
  return group;
}

static GtkWidget *
make_file (MtPredictDialog *self)
{
  GtkWidget *group = adw_preferences_group_new (), *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_with_mnemonic (_("_Replace…"));
  g_autofree char *name = g_file_get_basename (self->file);
  g_autofree char *shown = g_filename_display_name (name);
  g_autofree char *totals = mt_format_totals (mt_model_get_rules (self->model));
  /* Translators: the target, then how large the model is */
  g_autofree char *model = g_strdup_printf (_("Model of “%s”: %s"), mt_model_get_info (self->model)->target, totals);

  g_object_set (row, "use-markup", FALSE, NULL);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), shown);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), model);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (ask_input), self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return group;
}

static char **
dup_keys (MtPredictDialog *self)
{
  g_autoptr (GStrvBuilder) keys = g_strv_builder_new ();

  for (guint i = 0; i < self->chosen->len; i++)
    if (g_array_index (self->chosen, gboolean, i))
      g_strv_builder_add (keys, self->look->names[i]);
  return g_strv_builder_end (keys);
}

static void
show_keys (MtPredictDialog *self)
{
  g_auto (GStrv) keys = dup_keys (self);
  g_autofree char *list = dup_names (keys);

  adw_expander_row_set_subtitle (self->carried, keys[0] != NULL ? list
                                 : _("For example, a customer number. Copied unchanged from the file"));
}

/* What was shown has other columns. */
static void
on_output_changed (MtPredictDialog *self)
{
  show_keys (self);
  forget_scoring (self);
  update (self);
}

static void
on_key_toggled (MtPredictDialog *self,
                GtkCheckButton  *check)
{
  guint i = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "key"));

  g_array_index (self->chosen, gboolean, i) = gtk_check_button_get_active (check);
  on_output_changed (self);
}

/* What the model does not read comes first: a key is seldom something to learn from. */
static void
order_keys (MtPredictDialog *self)
{
  const MtScoringCheck *check = self->look->check;
  guint n = g_strv_length (self->look->names);
  g_autoptr (GHashTable) unused = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; check->unused[i] != NULL; i++)
    g_hash_table_add (unused, check->unused[i]);
  g_array_set_size (self->chosen, n);   /* none is chosen */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n; i++)
      if (g_hash_table_contains (unused, self->look->names[i]) == (pass == 0))
        g_array_append_val (self->order, i);
}

/* All rows at once would stop the window. */
static gboolean
make_keys (gpointer data)
{
  MtPredictDialog *self = data;
  guint n = MIN (self->chosen->len, MOST_KEYS);
  guint end = MIN (self->keys->len + KEYS_A_GO, n);

  for (guint k = self->keys->len; k < end; k++)
    {
      GtkWidget *key = adw_action_row_new (), *check = gtk_check_button_new ();
      guint i = g_array_index (self->order, guint, k);

      g_object_set (key, "use-markup", FALSE, NULL);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (key), self->look->names[i]);
      gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
      gtk_check_button_set_active (GTK_CHECK_BUTTON (check), g_array_index (self->chosen, gboolean, i));
      g_object_set_data (G_OBJECT (check), "key", GUINT_TO_POINTER (i));
      adw_action_row_add_prefix (ADW_ACTION_ROW (key), check);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (key), check);
      g_signal_connect_swapped (check, "toggled", G_CALLBACK (on_key_toggled), self);
      g_ptr_array_add (self->keys, check);
      adw_expander_row_add_row (self->carried, key);
    }
  if (end < n)
    return G_SOURCE_CONTINUE;
  self->making = 0;
  if (n < self->chosen->len)
    {
      GtkWidget *rest = adw_action_row_new ();
      g_autofree char *title = g_strdup_printf (ngettext ("%u more column cannot be chosen here",
                                                          "%u more columns cannot be chosen here",
                                                          self->chosen->len - n), self->chosen->len - n);

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (rest), title);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (rest), _("Use minterm-cli predict with --key."));
      adw_expander_row_add_row (self->carried, rest);
    }
  return G_SOURCE_REMOVE;
}

static void
on_keys_expanded (MtPredictDialog *self)
{
  if (self->keys->len == 0 && self->making == 0 && adw_expander_row_get_expanded (self->carried))
    self->making = g_idle_add (make_keys, self);
}

static GtkWidget *
make_output (MtPredictDialog *self)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *expander = adw_expander_row_new (), *row = adw_action_row_new ();

  order_keys (self);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("Result"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (expander), _("Columns to Copy"));
  g_object_set (expander, "use-markup", FALSE, NULL);
  self->carried = ADW_EXPANDER_ROW (expander);
  g_signal_connect_swapped (expander, "notify::expanded", G_CALLBACK (on_keys_expanded), self);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), expander);
  show_keys (self);
  self->reasons = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (0, MT_SCORING_MAX_REASONS, 1));
  gtk_widget_set_valign (GTK_WIDGET (self->reasons), GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->reasons, "value-changed", G_CALLBACK (on_output_changed), self);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("R_easons per Row"));
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), TRUE);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), GTK_WIDGET (self->reasons));
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), GTK_WIDGET (self->reasons));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return group;
}

static void
clear_about (MtPredictDialog *self)
{
  forget_scoring (self);
  if (self->about != NULL)
    gtk_box_remove (self->content, self->about);
  self->about = NULL;
  self->reasons = NULL;
  self->carried = NULL;
  g_clear_handle_id (&self->making, g_source_remove);
  g_ptr_array_set_size (self->keys, 0);
  g_array_set_size (self->chosen, 0);
  g_array_set_size (self->order, 0);
}

static void
show_look (MtPredictDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 24);

  clear_about (self);
  gtk_box_append (GTK_BOX (box), make_file (self));
  gtk_box_append (GTK_BOX (box), make_check (self));
  if (fits (self))
    gtk_box_append (GTK_BOX (box), make_output (self));
  self->about = box;
  gtk_box_append (self->content, box);
  gtk_stack_set_visible_child_name (self->stack, "content");
}

/* --- opening --- */

static void
show_empty (MtPredictDialog *self)
{
  const MtEncoder *encoder = mt_model_get_encoder (self->model);
  guint n = mt_encoder_get_n_columns (encoder), n_used = 0;
  g_autofree gboolean *used = mt_model_find_used (self->model);
  g_autofree char **names = g_new0 (char *, n + 1);
  g_autofree char *list = NULL;
  g_autofree char *text = NULL;
  g_autofree char *escaped = NULL;

  for (guint c = 0; c < n; c++)
    if (used[c])
      names[n_used++] = (char *) mt_encoder_get_column_name (encoder, c);
  list = dup_names (names);
  text = g_strdup_printf (ngettext ("A file with the column that the model uses: %s. It may have other columns.",
                                    "A file with the columns that the model uses: %s. It may have other columns.", n),
                          list);
  escaped = g_markup_escape_text (text, -1);
  adw_status_page_set_icon_name (self->status, "document-open-symbolic");
  adw_status_page_set_title (self->status, _("Choose New Data"));
  adw_status_page_set_description (self->status, escaped);
  gtk_button_set_label (self->status_button, _("Choose _File…"));
  gtk_stack_set_visible_child_name (self->stack, "status");
}

static void
show_unread (MtPredictDialog *self,
             const GError    *error)
{
  g_autofree char *sentence = mt_format_paragraph (error->message);
  g_autofree char *escaped = g_markup_escape_text (sentence, -1);

  adw_status_page_set_icon_name (self->status, "dialog-error-symbolic");
  adw_status_page_set_title (self->status, _("File Not Read"));
  adw_status_page_set_description (self->status, escaped);
  gtk_button_set_label (self->status_button, _("Choose _Another…"));
  gtk_stack_set_visible_child_name (self->stack, "status");
}

static void
begin (MtPredictDialog *self,
       const char      *text)
{
  self->cancellable = g_cancellable_new ();
  gtk_label_set_label (self->strip_text, text);
  gtk_progress_bar_set_fraction (self->bar, 0);
  update (self);
}

static void
close_file (MtPredictDialog *self)
{
  clear_about (self);
  g_clear_object (&self->file);
  g_clear_pointer (&self->look, mt_predict_look_free);
  mt_open_files_set (G_OBJECT (self), MT_OPEN_DATA, NULL);
}

static void
on_looked (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (MtPredictDialog) self = MT_PREDICT_DIALOG (data);
  g_autoptr (GError) error = NULL;
  MtPredictLook *look = mt_predict_look_finish (result, &error);

  g_clear_object (&self->cancellable);
  if (self->closed)
    {
      mt_predict_look_free (look);
      return;
    }
  self->look = look;
  if (look != NULL)
    show_look (self);
  else
    {
      gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

      close_file (self);
      if (cancelled)
        show_empty (self);
      else
        show_unread (self, error);
    }
  update (self);
}

void
mt_predict_dialog_open (MtPredictDialog *self,
                        GFile           *file)
{
  g_return_if_fail (MT_IS_PREDICT_DIALOG (self));

  if (self->cancellable != NULL)
    return;
  close_file (self);
  self->file = g_object_ref (file);
  mt_open_files_set (G_OBJECT (self), MT_OPEN_DATA, file);
  begin (self, _("Checking the file…"));
  mt_predict_look_async (self->model, file, self->cancellable, on_looked, g_object_ref (self));
}

static void
on_input (GtkNativeDialog *native,
          int              response,
          MtPredictDialog *self)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (native));

      mt_predict_dialog_open (self, file);
    }
  g_object_unref (native);
}

static void
ask_input (MtPredictDialog *self)
{
  GtkFileChooserNative *native = gtk_file_chooser_native_new (_("Choose New Data"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  g_autoptr (GtkFileFilter) csv = gtk_file_filter_new (), all = gtk_file_filter_new ();

  gtk_file_filter_set_name (csv, _("CSV Files"));
  gtk_file_filter_add_suffix (csv, "csv");
  gtk_file_filter_add_suffix (csv, "tsv");
  gtk_file_filter_add_suffix (csv, "txt");
  gtk_file_filter_add_suffix (csv, "gz");
  gtk_file_filter_set_name (all, _("All Files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (native), csv);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (native), all);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (native), TRUE);
  g_signal_connect_object (native, "response", G_CALLBACK (on_input), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

/* --- scoring --- */

static void
show_failure (MtPredictDialog *self,
              const char      *title,
              const char      *message)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_autofree char *sentence = mt_format_paragraph (message);

  add_fact (group, "dialog-error-symbolic", "error", title, sentence);
  set_outcome (self, group);
}

static void
on_progress (double   share,
             guint64  n_rows,
             gpointer data)
{
  MtPredictDialog *self = data;
  g_autofree char *rows = mt_format_count (n_rows);
  g_autofree char *text = g_strdup_printf (ngettext ("%s row read", "%s rows read", n_rows), rows);

  if (self->closed)
    return;
  gtk_label_set_label (self->strip_text, text);
  if (share >= 0)
    gtk_progress_bar_set_fraction (self->bar, share);
  else
    gtk_progress_bar_pulse (self->bar);
}

static gboolean
scroll_to_outcome (gpointer data)
{
  g_autoptr (MtPredictDialog) self = MT_PREDICT_DIALOG (data);
  graphene_rect_t bounds;

  if (!self->closed && self->outcome != NULL &&
      gtk_widget_compute_bounds (self->outcome, GTK_WIDGET (self->content), &bounds) && bounds.size.height > 0)
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scrolled), bounds.origin.y);
  return G_SOURCE_REMOVE;
}

static void
on_scored (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (MtPredictDialog) self = MT_PREDICT_DIALOG (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) output = g_steal_pointer (&self->output);
  MtScoring *scoring = mt_predict_score_finish (result, &error);

  g_clear_object (&self->cancellable);
  if (self->closed)
    {
      mt_scoring_free (scoring);
      return;
    }
  if (scoring != NULL)
    {
      forget_scoring (self);
      self->scoring = scoring;
      set_outcome (self, mt_predict_results_new (self->model, scoring, self->basis != NULL));
      if (output != NULL)
        adw_toast_overlay_add_toast (self->toasts, mt_toast_new_saved (output));
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    adw_toast_overlay_add_toast (self->toasts, mt_toast_new (output != NULL ? _("Canceled; nothing was saved")
                                                                            : _("Canceled")));
  else
    {
      forget_scoring (self);
      show_failure (self, output != NULL ? _("Not Saved") : _("Scoring Failed"), error->message);
    }
  update (self);
  if (self->outcome != NULL)
    g_timeout_add (100, scroll_to_outcome, g_object_ref (self));   /* when it has its size */
}

static void
run (MtPredictDialog *self,
     GFile           *output)
{
  g_auto (GStrv) keys = dup_keys (self);

  g_set_object (&self->output, output);
  begin (self, output != NULL ? _("Scoring and saving…") : _("Scoring…"));
  mt_predict_score_async (self->model, self->basis != NULL ? self->basis->table : NULL,
                          self->basis != NULL ? self->basis->rows : NULL, self->file, (const char * const *) keys,
                          (guint) gtk_spin_button_get_value_as_int (self->reasons), output, on_progress,
                          self->cancellable, on_scored, g_object_ref (self));
}

void
mt_predict_dialog_score (MtPredictDialog *self)
{
  g_return_if_fail (MT_IS_PREDICT_DIALOG (self));

  if (fits (self) && self->cancellable == NULL)
    run (self, NULL);
}

void
mt_predict_dialog_save (MtPredictDialog *self,
                        GFile           *file)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (MT_IS_PREDICT_DIALOG (self));

  if (!fits (self) || self->cancellable != NULL)
    return;
  if (g_file_peek_path (file) == NULL)
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("Choose a folder on this computer"));
  if (error == NULL && mt_open_files_check (file, MT_N_OPEN_KINDS, &error))
    {
      run (self, file);
      return;
    }
  forget_scoring (self);
  show_failure (self, _("Not Saved"), error->message);
  update (self);
  g_timeout_add (100, scroll_to_outcome, g_object_ref (self));
}

static void
on_output (GtkNativeDialog *native,
           int              response,
           MtPredictDialog *self)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (native));

      mt_predict_dialog_save (self, file);
    }
  g_object_unref (native);
}

static void
ask_output (MtPredictDialog *self)
{
  GtkFileChooserNative *native = gtk_file_chooser_native_new (_("Save Predictions"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  g_autofree char *name = g_file_get_basename (self->file);
  char *dot = strchr (name + 1, '.');
  g_autofree char *suggested = NULL;

  if (dot != NULL)
    *dot = '\0';
  suggested = g_strdup_printf ("%s-predictions.csv", name);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (native), suggested);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (native), TRUE);
  g_signal_connect_object (native, "response", G_CALLBACK (on_output), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

gboolean
mt_predict_dialog_cancel (MtPredictDialog *self)
{
  g_return_val_if_fail (MT_IS_PREDICT_DIALOG (self), FALSE);

  if (self->cancellable == NULL)
    return FALSE;
  g_cancellable_cancel (self->cancellable);
  return TRUE;
}

gboolean
mt_predict_dialog_is_busy (MtPredictDialog *self)
{
  g_return_val_if_fail (MT_IS_PREDICT_DIALOG (self), FALSE);
  return self->cancellable != NULL;
}

const MtScoring *
mt_predict_dialog_get_scoring (MtPredictDialog *self)
{
  g_return_val_if_fail (MT_IS_PREDICT_DIALOG (self), NULL);
  return self->scoring;
}

gboolean
mt_predict_dialog_set_key (MtPredictDialog *self,
                           const char      *column,
                           gboolean         carried)
{
  g_return_val_if_fail (MT_IS_PREDICT_DIALOG (self), FALSE);

  for (guint i = 0; i < self->chosen->len; i++)
    if (strcmp (self->look->names[i], column) == 0)
      {
        g_array_index (self->chosen, gboolean, i) = carried;
        for (guint k = 0; k < self->keys->len; k++)
          if (g_array_index (self->order, guint, k) == i)
            gtk_check_button_set_active (g_ptr_array_index (self->keys, k), carried);
        on_output_changed (self);
        return TRUE;
      }
  return FALSE;
}

/* --- the window --- */

static gboolean
mt_predict_dialog_close_request (GtkWindow *window)
{
  MtPredictDialog *self = MT_PREDICT_DIALOG (window);

  self->closed = TRUE;
  mt_predict_dialog_cancel (self);
  return GTK_WINDOW_CLASS (mt_predict_dialog_parent_class)->close_request (window);
}

static gboolean
on_escape (GtkWidget *widget,
           GVariant  *arguments,
           gpointer   data)
{
  if (!mt_predict_dialog_cancel (MT_PREDICT_DIALOG (widget)))
    gtk_window_close (GTK_WINDOW (widget));
  return GDK_EVENT_STOP;
}

static void
mt_predict_dialog_dispose (GObject *object)
{
  MtPredictDialog *self = MT_PREDICT_DIALOG (object);

  self->closed = TRUE;
  g_clear_handle_id (&self->making, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  G_OBJECT_CLASS (mt_predict_dialog_parent_class)->dispose (object);
}

static void
mt_predict_dialog_finalize (GObject *object)
{
  MtPredictDialog *self = MT_PREDICT_DIALOG (object);

  g_clear_pointer (&self->model, mt_model_unref);
  g_clear_pointer (&self->basis, mt_basis_unref);
  g_clear_object (&self->file);
  g_clear_object (&self->output);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->look, mt_predict_look_free);
  g_clear_pointer (&self->scoring, mt_scoring_free);
  g_ptr_array_unref (self->keys);
  g_array_unref (self->chosen);
  g_array_unref (self->order);
  G_OBJECT_CLASS (mt_predict_dialog_parent_class)->finalize (object);
}

static void
mt_predict_dialog_class_init (MtPredictDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_predict_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_predict_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = mt_predict_dialog_close_request;
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-predict-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, status);
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, status_button);
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, strip);
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, strip_text);
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, bar);
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, scrolled);
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, content);
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, score);
  gtk_widget_class_bind_template_child (widget_class, MtPredictDialog, save);
  gtk_widget_class_bind_template_callback (widget_class, ask_input);
  gtk_widget_class_bind_template_callback (widget_class, ask_output);
  gtk_widget_class_bind_template_callback (widget_class, mt_predict_dialog_score);
  gtk_widget_class_bind_template_callback (widget_class, mt_predict_dialog_cancel);
}

static void
mt_predict_dialog_init (MtPredictDialog *self)
{
  self->keys = g_ptr_array_new ();
  self->chosen = g_array_new (FALSE, TRUE, sizeof (gboolean));
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  gtk_widget_init_template (GTK_WIDGET (self));
}

MtPredictDialog *
mt_predict_dialog_new (GtkWindow *parent,
                       MtModel   *model,
                       MtRunData *basis)
{
  MtPredictDialog *self = g_object_new (MT_TYPE_PREDICT_DIALOG, "transient-for", parent, "modal", TRUE, NULL);

  self->model = mt_model_ref (model);
  self->basis = basis != NULL ? mt_basis_ref (basis) : NULL;
  show_empty (self);
  update (self);
  return self;
}
