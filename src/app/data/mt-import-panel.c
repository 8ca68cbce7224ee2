/* How the file was read, and how to read it instead: every change reads it again at once. See mt-import-
 * panel.h. */
#include "config.h"
#include "mt-import-panel.h"

#include <glib/gi18n.h>
#include <string.h>

struct _MtImportPanel {
  AdwPreferencesGroup  parent_instance;

  /* template children */
  GtkButton           *detect;
  AdwComboRow         *part;             /* sheet or table, of a file that holds several */
  AdwComboRow         *encoding;
  AdwComboRow         *delimiter;
  AdwComboRow         *quote;
  AdwComboRow         *decimal;
  AdwComboRow         *thousands;
  GtkSwitch           *header;
  AdwExpanderRow      *tokens;           /* all of them, in lines */
  AdwEntryRow         *missing;

  MtDocument          *document;
  GFile               *listed;           /* whose sheets or tables are those of part */
  GCancellable        *listing;          /* of them; NULL: it does not */
  gboolean             of_sheets;
  gboolean             showing;   /* the rows are being filled in, not changed by a person */
};

G_DEFINE_FINAL_TYPE (MtImportPanel, mt_import_panel, ADW_TYPE_PREFERENCES_GROUP)

typedef struct {
  const char *value;     /* what the dialect holds */
  const char *label;
} Choice;

static const Choice encodings[] = {
  { "UTF-8", N_("UTF-8") },
  { "UTF-16LE", N_("UTF-16, little-endian") },
  { "UTF-16BE", N_("UTF-16, big-endian") },
  { "WINDOWS-1252", N_("Western (Windows-1252)") },
  { "ISO-8859-1", N_("Western (Latin-1)") },
  { "ISO-8859-15", N_("Western (Latin-9)") },
  { "WINDOWS-1250", N_("Central European (Windows-1250)") },
  { "WINDOWS-1251", N_("Cyrillic (Windows-1251)") },
};

static const Choice delimiters[] = {
  { ",", N_("Comma") },
  { ";", N_("Semicolon") },
  { "\t", N_("Tab") },
  { "|", N_("Pipe") },
};

static const Choice quotes[] = {
  { "\"", N_("Double (\")") },
  { "'", N_("Single (')") },
  { (const char[]) { MT_CSV_NO_QUOTE, '\0' }, N_("No quotes") },
};

static const Choice decimals[] = {
  { ".", N_("Point") },
  { ",", N_("Comma") },
};

static const Choice thousands[] = {
  { (const char[]) { MT_CSV_NO_THOUSANDS, '\0' }, N_("No separator") },
  { ",", N_("Comma") },
  { ".", N_("Point") },
  { " ", N_("Space") },
  { "'", N_("Apostrophe") },
};

/* --- showing --- */

static void
fill_choices (AdwComboRow  *row,
              const Choice *choices,
              guint         n_choices)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; i < n_choices; i++)
    gtk_string_list_append (list, _(choices[i].label));
  adw_combo_row_set_model (row, G_LIST_MODEL (list));
}

/* Selects @value, which is added as it stands when it is none of the choices. */
static void
show_choice (AdwComboRow  *row,
             const Choice *choices,
             guint         n_choices,
             const char   *value)
{
  GtkStringList *list = GTK_STRING_LIST (adw_combo_row_get_model (row));
  const char * const extra[] = { value, NULL };
  guint selected = 0;

  while (selected < n_choices && g_ascii_strcasecmp (choices[selected].value, value) != 0)
    selected++;
  if (selected == n_choices && g_strcmp0 (gtk_string_list_get_string (list, n_choices), value) != 0)
    gtk_string_list_splice (list, n_choices, g_list_model_get_n_items (G_LIST_MODEL (list)) - n_choices, extra);
  adw_combo_row_set_selected (row, selected);
}

static char *
list_tokens (const char * const *tokens)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; tokens[i] != NULL; i++)
    if (*tokens[i] != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", tokens[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- sheets and tables --- */

static void show (MtImportPanel *self);

/* What the settings are about: the file that is open, or that could not be opened. */
static GFile *
get_file (MtImportPanel *self)
{
  GFile *file = mt_document_get_file (self->document);

  return file != NULL ? file : mt_document_get_load_file (self->document);
}

static void
on_listed (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (MtImportPanel) self = MT_IMPORT_PANEL (data);
  MtImportFormat format = MT_FORMAT_TEXT;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = mt_import_list_parts_finish (result, &format, &error);
  g_autoptr (GtkStringList) list = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->document == NULL)
    return;
  g_clear_object (&self->listing);
  self->of_sheets = format == MT_FORMAT_XLSX || format == MT_FORMAT_ODS;
  list = gtk_string_list_new (NULL);
  /* Until one is chosen. Reading chooses itself where there is only one. */
  gtk_string_list_append (list, _("None"));
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    gtk_string_list_append (list, names[i]);
  self->showing = TRUE;
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->part), self->of_sheets ? _("_Sheet") : _("_Table"));
  adw_combo_row_set_model (self->part, G_LIST_MODEL (list));
  self->showing = FALSE;
  show (self);
}

/* The names, where the file is another one than before. */
static void
list_parts (MtImportPanel *self)
{
  GFile *file = get_file (self);

  if (file == self->listed || (file != NULL && self->listed != NULL && g_file_equal (file, self->listed)))
    return;
  g_set_object (&self->listed, file);
  g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  adw_combo_row_set_model (self->part, NULL);
  if (file == NULL)
    return;
  self->listing = g_cancellable_new ();
  mt_import_list_parts_async (file, self->listing, on_listed, g_object_ref (self));
}

static void
show_part (MtImportPanel      *self,
           const MtCsvDialect *used)
{
  GListModel *names = adw_combo_row_get_model (self->part);
  guint n = names != NULL ? g_list_model_get_n_items (names) : 0, selected = 0;
  const char *name = self->of_sheets ? used->sheet : used->table;

  for (guint i = 1; i < n && name != NULL; i++)
    if (g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (names), i), name))
      selected = i;
  if (n > 0)
    adw_combo_row_set_selected (self->part, selected);
  gtk_widget_set_visible (GTK_WIDGET (self->part), n > 2 || (n > 1 && used->query != NULL));
}

static gboolean
anything_chosen (const MtCsvDialect *d)
{
  return d->encoding != NULL || d->delimiter != 0 || d->quote != 0 || d->decimal != 0 || d->thousands != 0 ||
         d->header >= 0 || d->missing_tokens != NULL;
}

static void
show (MtImportPanel *self)
{
  MtImport *import = mt_document_get_import (self->document);
  const MtCsvDialect *chosen = mt_document_get_decisions (self->document)->dialect;
  const MtCsvDialect *used = import != NULL ? mt_import_get_dialect (import) : chosen;
  const char delimiter[] = { used->delimiter != 0 ? used->delimiter : ',', '\0' };
  const char quote[] = { used->quote != 0 ? used->quote : '"', '\0' };
  const char decimal[] = { used->decimal != 0 ? used->decimal : '.', '\0' };
  const char thousand[] = { used->thousands != 0 ? used->thousands : MT_CSV_NO_THOUSANDS, '\0' };
  const char * const *tokens = chosen->missing_tokens != NULL
                               ? (const char * const *) chosen->missing_tokens
                               : mt_missing_get_default_tokens ();
  g_autofree char *text = list_tokens (tokens);

  list_parts (self);
  self->showing = TRUE;
  show_part (self, used);
  show_choice (self->encoding, encodings, G_N_ELEMENTS (encodings),
               used->encoding != NULL ? used->encoding : "UTF-8");
  show_choice (self->delimiter, delimiters, G_N_ELEMENTS (delimiters), delimiter);
  show_choice (self->quote, quotes, G_N_ELEMENTS (quotes), quote);
  show_choice (self->decimal, decimals, G_N_ELEMENTS (decimals), decimal);
  show_choice (self->thousands, thousands, G_N_ELEMENTS (thousands), thousand);
  gtk_switch_set_active (self->header, used->header != 0);
  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (self->missing)), text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->missing), text);
  adw_expander_row_set_subtitle (self->tokens, text);
  gtk_widget_set_visible (GTK_WIDGET (self->detect), anything_chosen (chosen));
  self->showing = FALSE;
}

/* --- changing --- */

/* When the file could not be read this way, the rows go back to how it was. */
static void
on_load_changed (MtImportPanel *self)
{
  if (!mt_document_is_loading (self->document))
    show (self);
}

static MtCsvDialect *
chosen_so_far (MtImportPanel *self)
{
  return mt_csv_dialect_copy (mt_document_get_decisions (self->document)->dialect);
}

static const char *
selected_value (AdwComboRow  *row,
                const Choice *choices,
                guint         n_choices)
{
  guint selected = adw_combo_row_get_selected (row);

  return selected < n_choices ? choices[selected].value : NULL;
}

static void
on_part (MtImportPanel *self)
{
  guint selected = adw_combo_row_get_selected (self->part);
  g_autoptr (MtCsvDialect) dialect = NULL;
  char **place;

  if (self->showing || selected == GTK_INVALID_LIST_POSITION || selected == 0)
    return;
  dialect = chosen_so_far (self);
  place = self->of_sheets ? &dialect->sheet : &dialect->table;
  g_free (*place);
  *place = g_strdup (gtk_string_list_get_string (GTK_STRING_LIST (adw_combo_row_get_model (self->part)), selected));
  g_clear_pointer (&dialect->query, g_free);
  mt_document_set_dialect (self->document, dialect, self->of_sheets ? _("Sheet") : _("Table"));
}

static void
on_encoding (MtImportPanel *self)
{
  const char *value = selected_value (self->encoding, encodings, G_N_ELEMENTS (encodings));
  g_autoptr (MtCsvDialect) dialect = NULL;

  if (self->showing || value == NULL)
    return;
  dialect = chosen_so_far (self);
  g_free (dialect->encoding);
  dialect->encoding = g_strdup (value);
  mt_document_set_dialect (self->document, dialect, _("Encoding"));
}

static void
on_delimiter (MtImportPanel *self)
{
  const char *value = selected_value (self->delimiter, delimiters, G_N_ELEMENTS (delimiters));
  g_autoptr (MtCsvDialect) dialect = NULL;

  if (self->showing || value == NULL)
    return;
  dialect = chosen_so_far (self);
  dialect->delimiter = *value;
  mt_document_set_dialect (self->document, dialect, _("Delimiter"));
}

static void
on_quote (MtImportPanel *self)
{
  const char *value = selected_value (self->quote, quotes, G_N_ELEMENTS (quotes));
  g_autoptr (MtCsvDialect) dialect = NULL;

  if (self->showing || value == NULL)
    return;
  dialect = chosen_so_far (self);
  dialect->quote = *value;
  mt_document_set_dialect (self->document, dialect, _("Quote Character"));
}

static void
on_decimal (MtImportPanel *self)
{
  const char *value = selected_value (self->decimal, decimals, G_N_ELEMENTS (decimals));
  g_autoptr (MtCsvDialect) dialect = NULL;

  if (self->showing || value == NULL)
    return;
  dialect = chosen_so_far (self);
  dialect->decimal = *value;
  mt_document_set_dialect (self->document, dialect, _("Decimal Mark"));
}

static void
on_thousands (MtImportPanel *self)
{
  const char *value = selected_value (self->thousands, thousands, G_N_ELEMENTS (thousands));
  g_autoptr (MtCsvDialect) dialect = NULL;

  if (self->showing || value == NULL)
    return;
  dialect = chosen_so_far (self);
  dialect->thousands = *value;
  mt_document_set_dialect (self->document, dialect, _("Thousands Separator"));
}

static void
on_header (MtImportPanel *self)
{
  g_autoptr (MtCsvDialect) dialect = NULL;

  if (self->showing)
    return;
  dialect = chosen_so_far (self);
  dialect->header = gtk_switch_get_active (self->header) ? 1 : 0;
  mt_document_set_dialect (self->document, dialect, _("Header"));
}

/* Tokens stand between commas; an empty cell is missing whatever the tokens are. */
static char **
parse_tokens (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  g_autoptr (GPtrArray) tokens = g_ptr_array_new ();

  g_ptr_array_add (tokens, g_strdup (""));
  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *word = g_strstrip (words[i]);

      if (*word != '\0' && !g_ptr_array_find_with_equal_func (tokens, word, g_str_equal, NULL))
        g_ptr_array_add (tokens, g_strdup (word));
    }
  g_ptr_array_add (tokens, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&tokens), FALSE);
}

static void
on_missing (MtImportPanel *self)
{
  g_autoptr (MtCsvDialect) dialect = chosen_so_far (self);

  g_strfreev (dialect->missing_tokens);
  dialect->missing_tokens = parse_tokens (gtk_editable_get_text (GTK_EDITABLE (self->missing)));
  mt_document_set_dialect (self->document, dialect, _("Missing Values"));
}

static void
on_detect (MtImportPanel *self)
{
  const MtCsvDialect *chosen = mt_document_get_decisions (self->document)->dialect;
  g_autoptr (MtCsvDialect) dialect = mt_csv_dialect_new ();

  /* Which sheet or table is no guess that could be made again. */
  dialect->sheet = g_strdup (chosen->sheet);
  dialect->table = g_strdup (chosen->table);
  dialect->query = g_strdup (chosen->query);
  mt_document_set_dialect (self->document, dialect, _("Detect Again"));
}

static void
mt_import_panel_dispose (GObject *object)
{
  MtImportPanel *self = MT_IMPORT_PANEL (object);

  g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  g_clear_object (&self->listed);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (mt_import_panel_parent_class)->dispose (object);
}

static void
mt_import_panel_class_init (MtImportPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_import_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/minterm/Minterm/ui/mt-import-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, MtImportPanel, detect);
  gtk_widget_class_bind_template_child (widget_class, MtImportPanel, part);
  gtk_widget_class_bind_template_child (widget_class, MtImportPanel, encoding);
  gtk_widget_class_bind_template_child (widget_class, MtImportPanel, delimiter);
  gtk_widget_class_bind_template_child (widget_class, MtImportPanel, quote);
  gtk_widget_class_bind_template_child (widget_class, MtImportPanel, decimal);
  gtk_widget_class_bind_template_child (widget_class, MtImportPanel, thousands);
  gtk_widget_class_bind_template_child (widget_class, MtImportPanel, header);
  gtk_widget_class_bind_template_child (widget_class, MtImportPanel, tokens);
  gtk_widget_class_bind_template_child (widget_class, MtImportPanel, missing);
  gtk_widget_class_bind_template_callback (widget_class, on_part);
  gtk_widget_class_bind_template_callback (widget_class, on_encoding);
  gtk_widget_class_bind_template_callback (widget_class, on_delimiter);
  gtk_widget_class_bind_template_callback (widget_class, on_quote);
  gtk_widget_class_bind_template_callback (widget_class, on_decimal);
  gtk_widget_class_bind_template_callback (widget_class, on_thousands);
  gtk_widget_class_bind_template_callback (widget_class, on_header);
  gtk_widget_class_bind_template_callback (widget_class, on_missing);
  gtk_widget_class_bind_template_callback (widget_class, on_detect);
}

static void
mt_import_panel_init (MtImportPanel *self)
{
  self->showing = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_choices (self->encoding, encodings, G_N_ELEMENTS (encodings));
  fill_choices (self->delimiter, delimiters, G_N_ELEMENTS (delimiters));
  fill_choices (self->quote, quotes, G_N_ELEMENTS (quotes));
  fill_choices (self->decimal, decimals, G_N_ELEMENTS (decimals));
  fill_choices (self->thousands, thousands, G_N_ELEMENTS (thousands));
  self->showing = FALSE;
}

void
mt_import_panel_set_document (MtImportPanel *self,
                              MtDocument    *document)
{
  g_return_if_fail (MT_IS_IMPORT_PANEL (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (document, "load-changed", G_CALLBACK (on_load_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "history-changed", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  show (self);
}
