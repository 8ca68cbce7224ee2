/* Which rows of the table are shown, and in which order. See mt-rows-bar.h. Columns are kept by name, so that a new
 * role or a derived column changes nothing; another file, or other rows, take everything back. */
#include "config.h"
#include "mt-rows-bar.h"

#include <glib/gi18n.h>

#include "util/mt-format.h"
#include "util/mt-preferences.h"
#include "widgets/mt-width-layout.h"

typedef struct {
  char          *column;
  MtRowTestKind  kind;
  char          *value;
} NamedTest;

struct _MtRowsBar {
  AdwBin        parent_instance;

  GtkRevealer  *revealer;
  GtkLabel     *text;
  GtkButton    *all;

  MtDocument   *document;
  MtGrid       *grid;
  GFile        *file;        /* what these are about */
  gsize         n_rows;

  GArray       *tests;       /* of NamedTest */
  GArray       *only;        /* guint32, ascending; NULL: all */
  char         *title;       /* of only */
  char         *sort;        /* NULL: as in the file */
  gboolean      descending;
  gint64        cursor;      /* row that gets the cursor once the rows are there; -1: none */

  GCancellable *working;
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (MtRowsBar, mt_rows_bar, ADW_TYPE_BIN)

static void
clear_test (gpointer data)
{
  NamedTest *test = data;

  g_free (test->column);
  g_free (test->value);
}

static gboolean
is_filtering (MtRowsBar *self)
{
  return self->tests->len > 0 || self->only != NULL;
}

/* --- words --- */

/* Numbers as on the rest of the screen. */
static char *
dup_shown_value (MtRowsBar       *self,
                 const NamedTest *test)
{
  MtTable *table = mt_document_get_table (self->document);
  const MtColumn *column = table != NULL ? mt_table_find_column (table, test->column, NULL) : NULL;
  double number;

  if (column != NULL && mt_column_get_type (column) == MT_TYPE_NUMBER && test->value != NULL &&
      mt_decimal_parse (test->value, &number))
    return mt_format_value (MT_TYPE_NUMBER, number);
  return g_strdup (test->value);
}

static char *
describe_test (MtRowsBar       *self,
               const NamedTest *test)
{
  g_autofree char *value = dup_shown_value (self, test);

  switch (test->kind)
    {
    case MT_ROW_TEST_IS_NOT:
      /* Translators: name of a column, a value */
      return g_strdup_printf (_("%s is not %s"), test->column, value);
    case MT_ROW_TEST_CONTAINS:
      /* Translators: name of a column, a text */
      return g_strdup_printf (_("%s contains %s"), test->column, value);
    case MT_ROW_TEST_AT_LEAST:
      return g_strdup_printf ("%s ≥ %s", test->column, value);
    case MT_ROW_TEST_AT_MOST:
      return g_strdup_printf ("%s ≤ %s", test->column, value);
    case MT_ROW_TEST_MISSING:
      return g_strdup_printf (_("%s is missing"), test->column);
    case MT_ROW_TEST_PRESENT:
      return g_strdup_printf (_("%s is not missing"), test->column);
    case MT_ROW_TEST_IS:
    case MT_N_ROW_TESTS:
    default:
      /* Translators: name of a column, a value */
      return g_strdup_printf (_("%s is %s"), test->column, value);
    }
}

static void
show_text (MtRowsBar *self,
           gsize      n)
{
  g_autofree char *count = mt_format_count (n);
  g_autofree char *total = mt_format_count (self->n_rows);
  g_autoptr (GString) text = g_string_new (NULL);

  if (is_filtering (self))
    /* Translators: rows that are shown, rows of the table */
    g_string_printf (text, ngettext ("%s of %s row", "%s of %s rows", self->n_rows), count, total);
  if (self->title != NULL)
    g_string_append_printf (text, " · %s", self->title);
  for (guint i = 0; i < self->tests->len; i++)
    {
      g_autofree char *test = describe_test (self, &g_array_index (self->tests, NamedTest, i));

      g_string_append_printf (text, " · %s", test);
    }
  if (self->sort != NULL)
    {
      /* Translators: %s is the name of a column */
      g_autofree char *sorted = g_strdup_printf (self->descending ? _("Sorted by %s, descending")
                                                                  : _("Sorted by %s, ascending"), self->sort);

      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", sorted);
    }
  gtk_label_set_label (self->text, text->str);
  gtk_button_set_label (self->all, is_filtering (self) ? _("Show _All Rows") : _("File _Order"));
  gtk_revealer_set_reveal_child (self->revealer, text->len > 0);
}

const char *
mt_rows_bar_get_text (MtRowsBar *self)
{
  return gtk_revealer_get_reveal_child (self->revealer) ? gtk_label_get_label (self->text) : "";
}

/* --- looking for the rows --- */

typedef struct {
  MtTable    *table;
  MtRowTest  *tests;
  MtRowOrder  order;
  GArray     *only;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  for (guint i = 0; i < work->order.n_tests; i++)
    g_free (work->tests[i].value);
  g_free (work->tests);
  g_clear_pointer (&work->only, g_array_unref);
  mt_table_unref (work->table);
  g_free (work);
}

static void
work_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Work *work = data;
  GError *error = NULL;
  MtRowList *list = mt_row_list_new (work->table, &work->order, cancellable, &error);

  if (list == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, list, (GDestroyNotify) mt_row_list_unref);
}

static void
set_rows (MtRowsBar *self,
          MtRowList *list)
{
  gsize n = self->n_rows, position;

  if (list != NULL)
    mt_row_list_get_rows (list, &n);
  mt_grid_set_rows (self->grid, list);
  if (self->cursor >= 0 && list != NULL && mt_row_list_find (list, (gsize) self->cursor, &position))
    mt_grid_go_to (self->grid, 0, position);
  self->cursor = -1;
  show_text (self, n);
  g_signal_emit (self, changed_signal, 0);
}

static void
on_worked (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  MtRowsBar *self = MT_ROWS_BAR (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (MtRowList) list = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->working != g_task_get_cancellable (G_TASK (result)))
    return;   /* overtaken */
  g_clear_object (&self->working);
  if (list != NULL)
    set_rows (self, list);
}

static void
stop (MtRowsBar *self)
{
  g_cancellable_cancel (self->working);
  g_clear_object (&self->working);
}

/* Tests of columns that are gone, or have another type now, are dropped. */
static void
drop_strangers (MtRowsBar *self,
                MtTable   *table)
{
  for (guint i = self->tests->len; i-- > 0;)
    {
      const NamedTest *test = &g_array_index (self->tests, NamedTest, i);
      const MtColumn *column = mt_table_find_column (table, test->column, NULL);

      if (column == NULL || !mt_row_test_check (column, test->kind, test->value, NULL))
        g_array_remove_index (self->tests, i);
    }
  if (self->sort != NULL && mt_table_find_column (table, self->sort, NULL) == NULL)
    g_clear_pointer (&self->sort, g_free);
}

static void
look (MtRowsBar *self)
{
  MtTable *table = mt_document_get_table (self->document);
  g_autoptr (GTask) task = NULL;
  Work *work;

  stop (self);
  if (table == NULL)
    return;
  drop_strangers (self, table);
  if (!is_filtering (self) && self->sort == NULL)
    {
      set_rows (self, NULL);
      return;
    }
  work = g_new0 (Work, 1);
  work->table = mt_table_ref (table);
  work->tests = g_new0 (MtRowTest, MAX (self->tests->len, 1));
  for (guint i = 0; i < self->tests->len; i++)
    {
      const NamedTest *test = &g_array_index (self->tests, NamedTest, i);

      work->tests[i] = (MtRowTest) { 0, test->kind, g_strdup (test->value) };
      mt_table_find_column (table, test->column, &work->tests[i].column);
    }
  if (self->only != NULL)
    work->only = g_array_ref (self->only);
  work->order = (MtRowOrder) {
    work->tests, self->tests->len, self->only != NULL ? (const guint32 *) (void *) self->only->data : NULL,
    self->only != NULL ? self->only->len : 0, -1, self->descending
  };
  if (self->sort != NULL)
    {
      guint column = 0;

      mt_table_find_column (table, self->sort, &column);
      work->order.sort_column = (int) column;
    }
  self->working = g_cancellable_new ();
  task = g_task_new (self, self->working, on_worked, NULL);
  g_task_set_source_tag (task, look);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, work_thread);
}

/* --- what is asked for --- */

static void
forget (MtRowsBar *self)
{
  g_array_set_size (self->tests, 0);
  g_clear_pointer (&self->only, g_array_unref);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->sort, g_free);
  self->cursor = -1;
}

void
mt_rows_bar_sort (MtRowsBar  *self,
                  const char *column,
                  gboolean    descending)
{
  g_return_if_fail (MT_IS_ROWS_BAR (self));

  g_free (self->sort);
  self->sort = g_strdup (column);
  self->descending = descending;
  look (self);
}

void
mt_rows_bar_add_test (MtRowsBar     *self,
                      const char    *column,
                      MtRowTestKind  kind,
                      const char    *value)
{
  NamedTest test = { g_strdup (column), kind, g_strdup (value) };

  g_return_if_fail (MT_IS_ROWS_BAR (self));

  for (guint i = self->tests->len; i-- > 0;)
    if (g_array_index (self->tests, NamedTest, i).kind == kind &&
        g_str_equal (g_array_index (self->tests, NamedTest, i).column, column))
      g_array_remove_index (self->tests, i);
  g_array_append_val (self->tests, test);
  look (self);
}

void
mt_rows_bar_show_only (MtRowsBar     *self,
                       const guint32 *rows,
                       gsize          n,
                       const char    *title,
                       gsize          cursor)
{
  g_return_if_fail (MT_IS_ROWS_BAR (self));

  forget (self);
  self->only = g_array_sized_new (FALSE, FALSE, sizeof (guint32), (guint) n);
  g_array_append_vals (self->only, rows, (guint) n);
  self->title = g_strdup (title);
  self->cursor = (gint64) cursor;
  look (self);
}

/* The cursor stays with its row. */
void
mt_rows_bar_show_all (MtRowsBar *self)
{
  g_return_if_fail (MT_IS_ROWS_BAR (self));

  forget (self);
  look (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->grid));
}

gboolean
mt_rows_bar_is_busy (MtRowsBar *self)
{
  return self->working != NULL;
}

static void
on_table_changed (MtRowsBar *self)
{
  MtTable *table = mt_document_get_table (self->document);
  GFile *file = mt_document_get_file (self->document);
  gboolean same = file != NULL && self->file != NULL && g_file_equal (file, self->file) && table != NULL &&
                  mt_table_get_n_rows (table) == self->n_rows;

  if (!same)
    forget (self);
  g_set_object (&self->file, file);
  self->n_rows = table != NULL ? mt_table_get_n_rows (table) : 0;
  look (self);
}

/* --- object --- */

static void
mt_rows_bar_dispose (GObject *object)
{
  MtRowsBar *self = MT_ROWS_BAR (object);

  stop (self);
  g_clear_object (&self->document);
  g_clear_object (&self->file);
  G_OBJECT_CLASS (mt_rows_bar_parent_class)->dispose (object);
}

static void
mt_rows_bar_finalize (GObject *object)
{
  MtRowsBar *self = MT_ROWS_BAR (object);

  forget (self);
  g_array_unref (self->tests);
  G_OBJECT_CLASS (mt_rows_bar_parent_class)->finalize (object);
}

static void
mt_rows_bar_class_init (MtRowsBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_rows_bar_dispose;
  G_OBJECT_CLASS (klass)->finalize = mt_rows_bar_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
mt_rows_bar_init (MtRowsBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *room = adw_bin_new ();

  self->tests = g_array_new (FALSE, TRUE, sizeof (NamedTest));
  g_array_set_clear_func (self->tests, clear_test);
  self->cursor = -1;
  self->text = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->text, TRUE);
  gtk_label_set_wrap_mode (self->text, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (self->text, 0);
  gtk_widget_set_layout_manager (room, g_object_new (MT_TYPE_WIDTH_LAYOUT, NULL));
  gtk_widget_set_hexpand (room, TRUE);
  adw_bin_set_child (ADW_BIN (room), GTK_WIDGET (self->text));
  self->all = GTK_BUTTON (gtk_button_new_with_mnemonic (_("Show _All Rows")));
  gtk_widget_set_valign (GTK_WIDGET (self->all), GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->all, "clicked", G_CALLBACK (mt_rows_bar_show_all), self);
  gtk_box_append (GTK_BOX (box), room);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->all));
  gtk_widget_add_css_class (box, "strip");
  self->revealer = GTK_REVEALER (gtk_revealer_new ());
  gtk_revealer_set_transition_duration (self->revealer, 0);
  gtk_revealer_set_child (self->revealer, box);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->revealer));
}

void
mt_rows_bar_set_document (MtRowsBar  *self,
                          MtDocument *document,
                          MtGrid     *grid)
{
  g_return_if_fail (MT_IS_ROWS_BAR (self) && self->document == NULL);

  self->document = g_object_ref (document);
  self->grid = grid;
  mt_preferences_watch_numbers (self, G_CALLBACK (look));
  g_signal_connect_object (document, "table-changed", G_CALLBACK (on_table_changed), self, G_CONNECT_SWAPPED);
}
