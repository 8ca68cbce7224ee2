/* The Data page: the table, how it was read, what was found in it. See mt-data-page.h. */
#include "config.h"
#include "mt-data-page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "document/mt-file-excerpt.h"
#include "mt-derive-dialog.h"
#include "mt-findings-panel.h"
#include "widgets/mt-flow-layout.h"
#include "util/mt-format.h"
#include "mt-import-panel.h"
#include "mt-row-test-dialog.h"
#include "mt-rows-bar.h"
#include "widgets/mt-next-step-button.h"
#include "util/mt-preferences.h"
#include "util/mt-samples.h"
#include "widgets/mt-width-layout.h"

#define HINT_AFTER 250   /* ms */

struct _MtDataPage {
  AdwBin            parent_instance;

  /* template children */
  AdwFlap          *flap;
  GtkStack         *stack;
  GtkBox           *toolbar;
  GtkLabel         *name;
  GtkLabel         *summary;
  GtkSearchEntry   *search;
  GtkLabel         *search_status;
  GtkButton        *findings_button;
  MtGrid           *grid;
  MtRowsBar        *rows_bar;
  MtImportPanel    *import_panel;
  MtFindingsPanel  *findings_panel;
  GtkWidget        *empty;
  GtkLabel         *loading_title;
  GtkProgressBar   *loading_bar;
  GtkLabel         *loading_detail;
  GtkRevealer      *strip;
  GtkLabel         *strip_label;
  GtkProgressBar   *strip_bar;
  GtkRevealer      *hint;
  GtkLabel         *hint_text;
  GtkWidget        *hint_accept;
  GtkRevealer      *notice;
  GtkLabel         *notice_title;
  GtkLabel         *notice_body;
  GtkLabel         *notice_raw;
  GtkLabel         *error_title;
  GtkLabel         *error_body;
  GtkLabel         *error_advice;
  GtkWidget        *error_locate;
  GtkLabel         *error_raw;

  MtDocument       *document;
  GFile            *accepted;      /* whose guessed target is taken for granted: somebody said so, or trained; NULL: none's */
  guint             hinting;       /* source that shows the hint; 0: it is as it should be */
  GCancellable     *searching;     /* of the running search, or NULL */
  GFile            *file;          /* whose table is on show */
  GCancellable     *excerpting;
  const GError     *explained;     /* the error whose excerpt was asked for; compared, never read */
  MtMatch           match;
  gboolean          matched;
  guint             arranging;
};

enum {
  PROP_0,
  PROP_SHOW_INSPECTOR,
};

G_DEFINE_FINAL_TYPE (MtDataPage, mt_data_page, ADW_TYPE_BIN)

/* --- what the table is --- */

/* What comes with the program has its target last. */
static gboolean
is_sample (GFile *file)
{
  guint n;
  const MtSample *samples = mt_samples_get (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GFile) sample = mt_samples_get_file (samples[i].name);

      if (g_file_equal (sample, file))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_target_accepted (MtDataPage *self)
{
  GFile *file = mt_document_get_file (self->document);

  return file != NULL && ((self->accepted != NULL && g_file_equal (self->accepted, file)) || is_sample (file));
}

/* What is in the way of training, or a guess. */
static void
show_hint (MtDataPage *self,
           MtTable    *table)
{
  MtNextStep first = mt_next_step_find_first (self->document);
  g_autofree char *hint = NULL;
  gboolean guessed = FALSE;

  if (mt_table_get_n_columns (table) == 1)
    hint = g_strdup (_("The file was read as a single column. Check the delimiter under Import."));
  else if (mt_table_get_target (table) < 0)
    hint = g_strdup (_("No target yet. Open the menu under the name of the column to predict and choose "
                       "Target."));
  else if (first != MT_NEXT_TRAIN)
    hint = g_strdup (mt_next_step_get_hint (first));
  else if (!is_target_accepted (self) && mt_document_is_target_guessed (self->document))
    {
      const char *name = mt_column_get_name (mt_table_get_column (table, (guint) mt_table_get_target (table)));

      guessed = TRUE;
      if (mt_import_is_outcome_name (name))
        /* Translators: %s is the name of a column */
        hint = g_strdup_printf (_("“%s” was chosen as the target because its name suggests an outcome. To predict another "
                                  "column, choose Target in its menu."), name);
      else
        /* Translators: %s is the name of a column */
        hint = g_strdup_printf (_("“%s” was chosen as the target because it is the last suitable column. To "
                                  "predict another column, choose Target in its menu."), name);
    }
  if (hint != NULL)
    gtk_label_set_label (self->hint_text, hint);
  gtk_widget_set_visible (self->hint_accept, guessed);
  gtk_revealer_set_reveal_child (self->hint, hint != NULL);
}

void
mt_data_page_accept_target (MtDataPage *self)
{
  g_return_if_fail (MT_IS_DATA_PAGE (self));

  if (is_target_accepted (self))
    return;   /* asked many times a second while it trains */
  g_set_object (&self->accepted, mt_document_get_file (self->document));
  if (mt_document_get_table (self->document) != NULL)
    show_hint (self, mt_document_get_table (self->document));
}

static gboolean
show_hint_now (gpointer data)
{
  MtDataPage *self = data;

  self->hinting = 0;
  if (mt_document_get_table (self->document) != NULL)
    show_hint (self, mt_document_get_table (self->document));
  return G_SOURCE_REMOVE;
}

/* A guess can wait until the table is on the screen: both in one frame keep the main loop waiting. */
static void
queue_hint (MtDataPage *self,
            MtTable    *table)
{
  g_clear_handle_id (&self->hinting, g_source_remove);
  if (gtk_revealer_get_reveal_child (self->hint) || is_target_accepted (self) ||
      !mt_document_is_target_guessed (self->document))
    show_hint (self, table);
  else
    self->hinting = g_timeout_add (HINT_AFTER, show_hint_now, self);
}

/* What was searched for and looked at in another file says nothing about this one. */
static void
begin_file (MtDataPage *self)
{
  GFile *file = mt_document_get_file (self->document);
  g_autoptr (GtkAdjustment) across = NULL;
  g_autoptr (GtkAdjustment) down = NULL;

  if (self->file == file || (self->file != NULL && file != NULL && g_file_equal (self->file, file)))
    return;
  if (self->file != NULL)
    {
      gtk_editable_set_text (GTK_EDITABLE (self->search), "");
      g_object_get (self->grid, "hadjustment", &across, "vadjustment", &down, NULL);
      if (across != NULL)
        gtk_adjustment_set_value (across, gtk_adjustment_get_lower (across));
      if (down != NULL)
        gtk_adjustment_set_value (down, 0);
    }
  g_set_object (&self->file, file);
}

static void
show_table (MtDataPage *self)
{
  MtTable *table = mt_document_get_table (self->document);
  g_autofree char *title = mt_document_dup_title (self->document);
  g_autofree char *rows = NULL;
  g_autofree char *columns = NULL;
  g_autofree char *missing = NULL;
  g_autofree char *summary = NULL;
  guint64 n_missing = 0;
  gsize n_rows;
  guint n_columns;

  self->matched = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->search_status), FALSE);
  if (table == NULL)
    return;
  begin_file (self);
  n_rows = mt_table_get_n_rows (table);
  n_columns = mt_table_get_n_columns (table);
  for (guint i = 0; i < n_columns; i++)
    n_missing += mt_column_get_n_missing (mt_table_get_column (table, i));

  rows = mt_format_count (n_rows);
  columns = mt_format_count (n_columns);
  if (n_missing == 0)
    missing = g_strdup (_("no missing values"));
  else
    {
      g_autofree char *count = mt_format_count (n_missing);

      missing = g_strdup_printf (ngettext ("%s missing value", "%s missing values", n_missing), count);
    }
  {
    g_autofree char *row_words = g_strdup_printf (ngettext ("%s row", "%s rows", n_rows), rows);
    g_autofree char *column_words = g_strdup_printf (ngettext ("%s column", "%s columns", n_columns),
                                                     columns);

    summary = g_strdup_printf ("%s · %s · %s", row_words, column_words, missing);
  }
  gtk_label_set_label (self->name, title);
  gtk_label_set_label (self->summary, summary);
  queue_hint (self, table);
  gtk_widget_set_visible (self->empty, n_rows == 0);
}

/* --- reading --- */

static char *
describe_progress (const MtImportProgress *progress)
{
  g_autofree char *read = g_format_size (progress->bytes);
  g_autofree char *total = g_format_size (progress->total_bytes);
  g_autofree char *rate = g_format_size ((guint64) MAX (progress->bytes_per_second, 0));
  g_autofree char *rows = mt_format_count (progress->rows);

  if (progress->total_bytes > 0)
    /* Translators: read so far, size of the file, rows so far, speed */
    return g_strdup_printf (ngettext ("%s of %s · %s row · %s/s", "%s of %s · %s rows · %s/s", progress->rows), read, total,
                            rows, rate);
  return g_strdup_printf (ngettext ("%s · %s row · %s/s", "%s · %s rows · %s/s", progress->rows), read, rows, rate);
}

static void
show_loading (MtDataPage *self)
{
  const MtImportProgress *progress = mt_document_get_progress (self->document);
  GFile *file = mt_document_get_load_file (self->document);
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *shown = g_filename_display_name (name);
  g_autofree char *title = g_strdup_printf (_("Reading %s"), shown);
  g_autofree char *detail = describe_progress (progress);

  gtk_label_set_label (self->loading_title, title);
  gtk_label_set_label (self->loading_detail, detail);
  gtk_label_set_label (self->strip_label, title);
  if (progress->total_bytes > 0)
    {
      double share = MIN (1.0, (double) progress->bytes / (double) progress->total_bytes);

      gtk_progress_bar_set_fraction (self->loading_bar, share);
      gtk_progress_bar_set_fraction (self->strip_bar, share);
    }
  else
    {
      gtk_progress_bar_pulse (self->loading_bar);
      gtk_progress_bar_pulse (self->strip_bar);
    }
}

/* --- errors --- */

static void
on_excerpt (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  g_autoptr (MtDataPage) self = MT_DATA_PAGE (data);
  g_autofree char *text = mt_file_excerpt_finish (result, NULL);

  if (text == NULL || *text == '\0' || self->excerpting != g_task_get_cancellable (G_TASK (result)))
    return;
  gtk_label_set_label (self->error_raw, text);
  gtk_label_set_label (self->notice_raw, text);
  gtk_widget_set_visible (GTK_WIDGET (self->error_raw), TRUE);
}

/* The message without the line at its beginning, which the title names. */
static char *
without_line (const char *message,
              guint64     line)
{
  const char *rest = strstr (message, ": ");
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, line);
  g_autofree char *first = NULL;

  if (line == 0 || rest == NULL || g_strstr_len (message, rest - message, number) == NULL)
    return g_strdup (message);
  rest += 2;
  first = g_utf8_strup (rest, g_utf8_next_char (rest) - rest);
  return g_strconcat (first, g_utf8_next_char (rest), NULL);
}

static void
show_error (MtDataPage   *self,
            const GError *error)
{
  GFile *file = mt_document_get_load_file (self->document);
  g_autofree char *base = g_file_get_basename (file);
  g_autofree char *name = g_filename_display_name (base);
  g_autofree char *title = NULL;
  guint64 line = mt_error_get_line (error);
  gboolean gone = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_autofree char *place = g_file_get_parse_name (file);
  /* Translators: %s is the path of a file */
  g_autofree char *body = gone ? g_strdup_printf (_("Expected location: %s."), place)
                               : without_line (error->message, line);

  if (line > 0)
    {
      g_autofree char *number = mt_format_count (line);

      /* Translators: number of a line, name of a file */
      title = g_strdup_printf (_("Cannot Read Line %s of “%s”"), number, name);
    }
  else
    /* Translators: %s is the name of a file */
    title = g_strdup_printf (gone ? _("“%s” Not Found") : _("Cannot Read “%s”"), name);
  gtk_label_set_label (self->error_title, title);
  gtk_label_set_label (self->error_body, body);
  gtk_label_set_label (self->error_advice,
                       gone ? _("Restore the file and try again, or locate it.")
                       : mt_document_lacks_part (self->document) ? _("Try again to choose one.")
                       : _("Fix the file and try again, or change the import settings."));
  gtk_widget_set_visible (self->error_locate, gone);   /* for Close: three do not fit a narrow window */
  gtk_label_set_label (self->notice_title, title);
  gtk_label_set_label (self->notice_body, body);

  if (self->explained == error)
    return;
  self->explained = error;
  gtk_widget_set_visible (GTK_WIDGET (self->error_raw), FALSE);
  g_cancellable_cancel (self->excerpting);
  g_clear_object (&self->excerpting);
  self->excerpting = g_cancellable_new ();
  if (line > 0)
    mt_file_excerpt_async (file, line, self->excerpting, on_excerpt, g_object_ref (self));
}

static void
on_dismiss (MtDataPage *self)
{
  mt_document_clear_error (self->document);
}

static void
show_state (MtDataPage *self)
{
  gboolean loading = mt_document_is_loading (self->document);
  gboolean open = mt_document_get_table (self->document) != NULL;
  const GError *error = mt_document_get_error (self->document);

  if (loading)
    show_loading (self);
  if (error != NULL)
    show_error (self, error);
  else
    self->explained = NULL;
  gtk_stack_set_visible_child_name (self->stack, open ? "table" : error != NULL ? "error" : "loading");
  gtk_revealer_set_reveal_child (self->strip, loading && open);
  gtk_revealer_set_reveal_child (self->notice, error != NULL && open);
}

/* --- searching --- */

static void
set_search_status (MtDataPage *self,
                   const char *text)
{
  gtk_label_set_label (self->search_status, text);
  gtk_widget_set_visible (GTK_WIDGET (self->search_status), *text != '\0');
}

typedef struct {
  MtTable  *table;
  MtRowList *rows;
  guint    *order;
  guint     n_places;
  char     *query;
  MtMatch   from;
  gboolean  begin;
  gboolean  backwards;
  MtMatch   match;
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  g_clear_pointer (&search->rows, mt_row_list_unref);
  mt_table_unref (search->table);
  g_free (search->order);
  g_free (search->query);
  g_free (search);
}

static void
search_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  Search *search = data;
  GError *error = NULL;
  gboolean found = mt_search_table (search->table, search->order, search->n_places, search->rows, search->query,
                                    search->begin ? NULL : &search->from, search->backwards, &search->match,
                                    cancellable, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, found);
}

static void
on_searched (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  MtDataPage *self = MT_DATA_PAGE (source);
  Search *search = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean found = g_task_propagate_boolean (G_TASK (result), &error);
  g_autofree char *status = NULL;

  if (self->searching != g_task_get_cancellable (G_TASK (result)))
    return;   /* overtaken */
  g_clear_object (&self->searching);
  if (error != NULL || search->table != mt_document_get_table (self->document))
    return;
  self->matched = found;
  if (found)
    {
      const MtColumn *column = mt_table_get_column (search->table, search->order[search->match.place]);

      self->match = search->match;
      if (search->match.in_header)
        mt_grid_show_column (self->grid, search->match.place);
      else
        mt_grid_go_to (self->grid, search->match.place, search->match.row);
      if (search->match.in_header)
        status = g_strdup_printf (_("Column %s"), mt_column_get_name (column));
      else
        {
          g_autofree char *row = mt_format_count (mt_grid_find_row (self->grid, search->match.row) + 1);

          status = g_strdup_printf (_("%s, row %s"), mt_column_get_name (column), row);
        }
    }
  else
    status = g_strdup (_("Not found"));
  set_search_status (self, status);
}

static void
start_search (MtDataPage *self,
              gboolean    begin,
              gboolean    backwards)
{
  MtTable *table = mt_document_get_table (self->document);
  const char *query = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autoptr (GTask) task = NULL;
  const guint *order;
  Search *search;

  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  set_search_status (self, "");
  if (table == NULL || *query == '\0')
    return;
  search = g_new0 (Search, 1);
  search->table = mt_table_ref (table);
  search->rows = mt_grid_dup_rows (self->grid);
  order = mt_grid_get_order (self->grid, &search->n_places);
  search->order = g_memdup2 (order, search->n_places * sizeof (guint));
  search->query = g_strdup (query);
  search->begin = begin || !self->matched;
  search->from = self->match;
  search->backwards = backwards;
  self->searching = g_cancellable_new ();
  task = g_task_new (self, self->searching, on_searched, NULL);
  g_task_set_source_tag (task, start_search);
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, search_thread);
}

static void
on_search_changed (MtDataPage *self)
{
  start_search (self, TRUE, FALSE);
}

static void
on_search_next (MtDataPage *self)
{
  start_search (self, FALSE, FALSE);
}

static void
on_search_previous (MtDataPage *self)
{
  start_search (self, FALSE, TRUE);
}

static void
on_search_stop (MtDataPage *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->grid));
}

/* Shift+Enter looks backwards; the entry itself knows only Enter. */
static gboolean
on_search_key (GtkEventControllerKey *controller,
               guint                  key,
               guint                  code,
               GdkModifierType        state,
               MtDataPage            *self)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) || (state & GDK_SHIFT_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  start_search (self, FALSE, TRUE);
  return GDK_EVENT_STOP;
}

/* --- rows that are shown --- */

/* A match of before says nothing about what is shown now. */
static void
on_rows_changed (MtDataPage *self)
{
  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  self->matched = FALSE;
  set_search_status (self, "");
}

static void
action_sort (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  const char *column;
  gboolean descending;

  g_variant_get (parameter, "(&sb)", &column, &descending);
  mt_rows_bar_sort (MT_DATA_PAGE (widget)->rows_bar, column, descending);
}

static void
on_where (MtDataPage *self,
          const char *column,
          guint       kind,
          const char *value)
{
  mt_rows_bar_add_test (self->rows_bar, column, (MtRowTestKind) kind, value);
}

/* The cell under the cursor is what to begin with. */
static void
action_where (GtkWidget  *widget,
              const char *name,
              GVariant   *parameter)
{
  MtDataPage *self = MT_DATA_PAGE (widget);
  MtTable *table = mt_document_get_table (self->document);
  GtkRoot *root = gtk_widget_get_root (widget);
  const MtColumn *column;
  guint index, place, n_places;
  gsize row;
  g_autofree char *value = NULL;
  GtkWidget *dialog;

  if (table == NULL || (column = mt_table_find_column (table, g_variant_get_string (parameter, NULL), &index)) == NULL)
    return;
  if (mt_grid_get_cursor (self->grid, &place, &row) && row < mt_grid_get_n_rows (self->grid) &&
      mt_grid_get_order (self->grid, &n_places)[place] == index)
    value = mt_column_dup_text (column, mt_grid_find_row (self->grid, row));
  dialog = mt_row_test_dialog_new (GTK_WINDOW (root), self->document, column, value);
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (on_where), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
mt_data_page_show_rows (MtDataPage    *self,
                        const guint32 *rows,
                        gsize          n,
                        const char    *title,
                        gsize          cursor)
{
  g_return_if_fail (MT_IS_DATA_PAGE (self));

  mt_rows_bar_show_only (self->rows_bar, rows, n, title, cursor);
  gtk_widget_grab_focus (GTK_WIDGET (self->grid));
}

MtRowsBar *
mt_data_page_get_rows_bar (MtDataPage *self)
{
  return self->rows_bar;
}

/* --- findings behind a folded pane --- */

/* Beside the table they speak for themselves. */
static void
show_waiting (MtDataPage *self)
{
  g_autofree char *text = NULL;
  guint n;

  g_object_get (self->findings_panel, "n-waiting", &n, NULL);
  text = g_strdup_printf (ngettext ("%u _Finding", "%u _Findings", n), n);
  gtk_button_set_label (self->findings_button, text);
  gtk_widget_set_visible (GTK_WIDGET (self->findings_button), n > 0 && adw_flap_get_folded (self->flap));
}

static void
on_derive (MtDataPage *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (mt_document_get_table (self->document) != NULL)
    gtk_window_present (GTK_WINDOW (mt_derive_dialog_new (GTK_WINDOW (root), self->document, NULL)));
}

static void
on_findings (MtDataPage *self)
{
  adw_flap_set_reveal_flap (self->flap, TRUE);
  mt_findings_panel_go_to (self->findings_panel);
}

/* --- object --- */

static gboolean
arrange (gpointer data)
{
  MtDataPage *self = data;
  gboolean folded = adw_flap_get_folded (self->flap);

  self->arranging = 0;
  g_object_notify (G_OBJECT (self), "show-inspector");
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->toolbar),
                                  folded ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_hexpand (GTK_WIDGET (self->search), folded);
  show_waiting (self);
  return G_SOURCE_REMOVE;
}

/* The flap folds, and hides what it holds, while sizes are being handed out: what wants another size then, here or
 * on another page, is not heard of any more, and the page stays blank. */
static void
queue_arrange (MtDataPage *self)
{
  if (self->arranging == 0)
    self->arranging = g_idle_add_full (G_PRIORITY_HIGH_IDLE, arrange, self, NULL);
}

/* A pane that was opening when the page was left has opened meanwhile, and no sizes were asked for since. */
static void
mt_data_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (mt_data_page_parent_class)->map (widget);
  gtk_widget_queue_resize (widget);
}

static void
mt_data_page_get_property (GObject    *object,
                           guint       id,
                           GValue     *value,
                           GParamSpec *pspec)
{
  if (id == PROP_SHOW_INSPECTOR)
    g_value_set_boolean (value, adw_flap_get_reveal_flap (MT_DATA_PAGE (object)->flap));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_data_page_set_property (GObject      *object,
                           guint         id,
                           const GValue *value,
                           GParamSpec   *pspec)
{
  if (id == PROP_SHOW_INSPECTOR)
    adw_flap_set_reveal_flap (MT_DATA_PAGE (object)->flap, g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_data_page_dispose (GObject *object)
{
  MtDataPage *self = MT_DATA_PAGE (object);

  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  g_cancellable_cancel (self->excerpting);
  g_clear_object (&self->excerpting);
  g_clear_handle_id (&self->arranging, g_source_remove);
  g_clear_object (&self->file);
  g_clear_object (&self->document);
  g_clear_object (&self->accepted);
  g_clear_handle_id (&self->hinting, g_source_remove);
  G_OBJECT_CLASS (mt_data_page_parent_class)->dispose (object);
}

static void
mt_data_page_class_init (MtDataPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = mt_data_page_dispose;
  object_class->get_property = mt_data_page_get_property;
  object_class->set_property = mt_data_page_set_property;
  g_object_class_install_property (object_class, PROP_SHOW_INSPECTOR,
                                   g_param_spec_boolean ("show-inspector", NULL, NULL, TRUE,
                                                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_type_ensure (MT_TYPE_GRID);
  g_type_ensure (MT_TYPE_ROWS_BAR);
  g_type_ensure (MT_TYPE_IMPORT_PANEL);
  g_type_ensure (MT_TYPE_FINDINGS_PANEL);
  g_type_ensure (MT_TYPE_FLOW_LAYOUT);
  g_type_ensure (MT_TYPE_WIDTH_LAYOUT);
  widget_class->map = mt_data_page_map;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-data-page.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtDataPage, child)
  BIND (flap);
  BIND (stack);
  BIND (toolbar);
  BIND (name);
  BIND (summary);
  BIND (search);
  BIND (search_status);
  BIND (findings_button);
  BIND (grid);
  BIND (rows_bar);
  BIND (import_panel);
  BIND (findings_panel);
  BIND (empty);
  BIND (loading_title);
  BIND (loading_bar);
  BIND (loading_detail);
  BIND (strip);
  BIND (strip_label);
  BIND (strip_bar);
  BIND (hint);
  BIND (hint_text);
  BIND (hint_accept);
  BIND (notice);
  BIND (notice_title);
  BIND (notice_body);
  BIND (notice_raw);
  BIND (error_title);
  BIND (error_body);
  BIND (error_advice);
  BIND (error_locate);
  BIND (error_raw);
#undef BIND
  gtk_widget_class_install_action (widget_class, "data.sort", "(sb)", action_sort);
  gtk_widget_class_install_action (widget_class, "data.where", "s", action_where);
  gtk_widget_class_bind_template_callback (widget_class, on_dismiss);
  gtk_widget_class_bind_template_callback (widget_class, mt_data_page_accept_target);
  gtk_widget_class_bind_template_callback (widget_class, queue_arrange);
  gtk_widget_class_bind_template_callback (widget_class, on_derive);
  gtk_widget_class_bind_template_callback (widget_class, on_findings);
  gtk_widget_class_bind_template_callback (widget_class, on_rows_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_next);
  gtk_widget_class_bind_template_callback (widget_class, on_search_previous);
  gtk_widget_class_bind_template_callback (widget_class, on_search_stop);
  gtk_widget_class_bind_template_callback (widget_class, on_search_key);
}

static void
mt_data_page_init (MtDataPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (queue_arrange), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->findings_panel, "notify::n-waiting", G_CALLBACK (queue_arrange), self,
                           G_CONNECT_SWAPPED);
}

void
mt_data_page_set_document (MtDataPage *self,
                           MtDocument *document)
{
  g_return_if_fail (MT_IS_DATA_PAGE (self) && self->document == NULL);

  self->document = g_object_ref (document);
  mt_grid_set_document (self->grid, document);
  mt_rows_bar_set_document (self->rows_bar, document, self->grid);
  mt_import_panel_set_document (self->import_panel, document);
  mt_findings_panel_set_document (self->findings_panel, document);
  g_signal_connect_object (document, "table-changed", G_CALLBACK (show_table), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "load-changed", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  mt_preferences_watch_numbers (self, G_CALLBACK (show_table));
}

void
mt_data_page_find (MtDataPage *self)
{
  g_return_if_fail (MT_IS_DATA_PAGE (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

MtGrid *
mt_data_page_get_grid (MtDataPage *self)
{
  return self->grid;
}

gboolean
mt_data_page_is_narrow (MtDataPage *self)
{
  return adw_flap_get_folded (self->flap);
}
