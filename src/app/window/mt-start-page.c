/* What a window shows before anything is open: how to open a file, what was open lately, and samples to
 * try. See mt-start-page.h. */
#include "config.h"
#include "mt-start-page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "mt-core.h"
#include "util/mt-format.h"
#include "widgets/mt-pair-layout.h"
#include "util/mt-samples.h"

#define MAX_RECENT 5

struct _MtStartPage {
  AdwBin               parent_instance;

  /* template children */
  GtkImage            *logo;
  AdwPreferencesGroup *recent_group;
  GtkListBox          *recent_list;
  AdwPreferencesGroup *sample_group;
  GtkListBox          *sample_list;

  GCancellable        *cancellable;
};

G_DEFINE_FINAL_TYPE (MtStartPage, mt_start_page, ADW_TYPE_BIN)

/* --- recent files --- */

static int
latest_first (gconstpointer a,
              gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_visited ((GtkRecentInfo *) b),
                              gtk_recent_info_get_visited ((GtkRecentInfo *) a));
}

static GtkWidget *
make_row (const char *title,
          const char *icon_name)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_icon_name (ADW_ACTION_ROW (row), icon_name);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  return row;
}

static void
add_detail (GtkWidget  *row,
            const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "caption");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
}

/* The folder of a path, as a person would write it. */
static char *
describe_folder (GFile *file)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *name = folder != NULL ? g_file_get_parse_name (folder) : NULL;
  const char *home = g_get_home_dir ();

  if (name == NULL || g_strcmp0 (name, "/") == 0)
    return g_strdup (_("Entire computer"));
  if (g_strcmp0 (name, home) == 0)
    return g_strdup (_("Home folder"));
  if (home != NULL && g_str_has_prefix (name, home))
    return g_strconcat ("~", name + strlen (home), NULL);
  return g_steal_pointer (&name);
}

static void
show_recent (MtStartPage *self)
{
  GtkRecentManager *manager = gtk_recent_manager_get_default ();
  GList *items = g_list_sort (gtk_recent_manager_get_items (manager), latest_first);
  GtkWidget *child;
  guint n = 0;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->recent_list))) != NULL)
    gtk_list_box_remove (self->recent_list, child);
  for (GList *l = items; l != NULL && n < MAX_RECENT; l = l->next)
    {
      GtkRecentInfo *info = l->data;
      g_autoptr (GFile) file = g_file_new_for_uri (gtk_recent_info_get_uri (info));
      g_autofree char *when = NULL;
      g_autofree char *folder = NULL;
      GtkWidget *row;

      if (!gtk_recent_info_has_application (info, g_get_application_name ()) || !gtk_recent_info_is_local (info) ||
          !gtk_recent_info_exists (info) || !gtk_recent_info_has_group (info, MT_RECENT_GROUP))
        continue;   /* file dialogs remember what was exported, or could not be read */
      row = make_row (gtk_recent_info_get_display_name (info), "document-open-recent-symbolic");
      folder = describe_folder (file);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), folder);
      adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
      when = mt_format_moment (gtk_recent_info_get_visited (info));
      add_detail (row, when);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-uri");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", gtk_recent_info_get_uri (info));
      gtk_list_box_append (self->recent_list, row);
      n++;
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  gtk_widget_set_visible (GTK_WIDGET (self->recent_group), n > 0);
}

/* --- samples --- */

static char *
describe_target (MtTable *table)
{
  int target = mt_table_get_target (table);
  const MtColumn *column = target >= 0 ? mt_table_get_column (table, (guint) target) : NULL;
  guint n_levels;

  if (column == NULL)
    return NULL;
  if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    /* Translators: the target of a sample is a number */
    return g_strdup (_("Number"));
  n_levels = mt_column_get_n_levels (column);
  if (n_levels == 2)
    return g_strdup (_("Two classes"));
  if (n_levels == 3)
    return g_strdup (_("Three classes"));
  return g_strdup_printf (ngettext ("%u class", "%u classes", n_levels), n_levels);
}

typedef struct {
  MtStartPage *page;   /* owned */
  GtkWidget   *row;    /* owned */
} Look;

static void
on_sample_read (GObject      *source,
                GAsyncResult *result,
                gpointer      data)
{
  Look *look = data;
  g_autoptr (MtStartPage) page = look->page;
  g_autoptr (GtkWidget) row = look->row;
  g_autoptr (MtImport) import = mt_import_finish (result, NULL);

  g_free (look);
  if (import != NULL)
    {
      MtTable *table = mt_import_get_table (import);
      gsize n_rows = mt_table_get_n_rows (table);
      guint n_columns = mt_table_get_n_columns (table);
      g_autofree char *count = mt_format_count (n_rows);
      g_autofree char *rows = g_strdup_printf (ngettext ("%s row", "%s rows", n_rows), count);
      g_autofree char *columns = g_strdup_printf (ngettext ("%u column", "%u columns", n_columns), n_columns);
      g_autofree char *size = g_strconcat (rows, " · ", columns, NULL);
      g_autofree char *kind = describe_target (table);

      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), size);
      if (kind != NULL)
        add_detail (row, kind);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
    }
}

static void
show_samples (MtStartPage *self)
{
  guint n_samples, n_shown = 0;
  const MtSample *samples = mt_samples_get (&n_samples);

  for (guint i = 0; i < n_samples; i++)
    {
      g_autoptr (GFile) file = mt_samples_get_file (samples[i].name);
      MtImportOptions options = { .n_threads = 1 };
      GtkWidget *row;
      Look *look;

      if (!g_file_query_exists (file, NULL))
        continue;
      row = make_row (_(samples[i].title), "minterm-page-data-symbolic");
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _(samples[i].about));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-sample");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", samples[i].name);
      gtk_list_box_append (self->sample_list, row);
      look = g_new (Look, 1);
      look->page = g_object_ref (self);
      look->row = g_object_ref (row);
      mt_import_file_async (file, &options, self->cancellable, on_sample_read, look);
      n_shown++;
    }
  gtk_widget_set_visible (GTK_WIDGET (self->sample_group), n_shown > 0);
}

static void
mt_start_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (mt_start_page_parent_class)->map (widget);
  show_recent (MT_START_PAGE (widget));
}

static void
mt_start_page_dispose (GObject *object)
{
  MtStartPage *self = MT_START_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  G_OBJECT_CLASS (mt_start_page_parent_class)->dispose (object);
}

static void
mt_start_page_class_init (MtStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_start_page_dispose;
  widget_class->map = mt_start_page_map;
  g_type_ensure (MT_TYPE_PAIR_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, MtStartPage, logo);
  gtk_widget_class_bind_template_child (widget_class, MtStartPage, recent_group);
  gtk_widget_class_bind_template_child (widget_class, MtStartPage, recent_list);
  gtk_widget_class_bind_template_child (widget_class, MtStartPage, sample_group);
  gtk_widget_class_bind_template_child (widget_class, MtStartPage, sample_list);
}

static void
mt_start_page_init (MtStartPage *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  show_samples (self);
}
