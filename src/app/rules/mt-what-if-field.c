/* One column of a row one may change: a slider with the model's thresholds marked and the value to be
 * typed, or a menu of levels; and a check for missing where the column knows it. See mt-what-if-field.h. */
#include "config.h"
#include "mt-what-if-field.h"

#include <glib/gi18n.h>
#include <string.h>

#include "util/mt-format.h"
#include "util/mt-scroll-guard.h"

#define MOST_CHARS 18     /* that a name or a level may ask room for; the rest is cut, and the tooltip has it */

struct _MtWhatIfField {
  GtkBox         parent_instance;

  MtRuleBook    *book;
  guint          column;
  MtRawValue     value;          /* owns its level */
  GtkScale      *scale;          /* numbers and dates */
  GtkEditable   *entry;          /* numbers */
  GtkLabel      *date;           /* dates */
  GtkDropDown   *menu;           /* levels */
  GtkStringList *levels;
  GtkToggleButton *lock;
  GtkWidget     *missing;        /* NULL: the column does not know it */
  GtkEditable   *unread;         /* the value of a column that no rule reads, instead of all these */
  gboolean       setting;
};

static guint changed_signal, locked_signal;

G_DEFINE_FINAL_TYPE (MtWhatIfField, mt_what_if_field, GTK_TYPE_BOX)

static const MtEncoderColumn *
get_column (MtWhatIfField *self)
{
  return mt_encoder_get_column (mt_rule_book_get_encoder (self->book), self->column);
}

static void
show_number (MtWhatIfField *self)
{
  g_autofree char *text = self->value.is_missing ? g_strdup ("") : mt_format_value (get_column (self)->type,
                                                                                    self->value.number);

  if (self->entry != NULL)
    gtk_editable_set_text (self->entry, text);
  else
    gtk_label_set_label (self->date, text);
}

static void
show_unread (MtWhatIfField *self)
{
  g_autofree char *text = self->value.is_missing ? g_strdup (_("missing"))
                          : get_column (self)->levels != NULL ? g_strdup (self->value.level)
                          : mt_format_value (get_column (self)->type, self->value.number);

  gtk_editable_set_text (self->unread, text);
}

static void
show_value (MtWhatIfField *self)
{
  gboolean is_missing = self->value.is_missing;

  if (self->unread != NULL)
    {
      show_unread (self);
      return;
    }
  self->setting = TRUE;
  if (self->missing != NULL)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->missing), is_missing);
  if (self->menu != NULL)
    {
      guint n = g_list_model_get_n_items (G_LIST_MODEL (self->levels)), found = GTK_INVALID_LIST_POSITION;

      for (guint i = 0; i < n && !is_missing; i++)
        if (g_strcmp0 (gtk_string_list_get_string (self->levels, i), self->value.level) == 0)
          found = i;
      if (found == GTK_INVALID_LIST_POSITION && !is_missing)   /* a level that training had not shown */
        {
          gtk_string_list_append (self->levels, self->value.level);
          found = n;
        }
      gtk_drop_down_set_selected (self->menu, found);
    }
  else
    {
      if (!is_missing)
        {
          GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self->scale));

          gtk_adjustment_set_lower (adjustment, MIN (gtk_adjustment_get_lower (adjustment), self->value.number));
          gtk_adjustment_set_upper (adjustment, MAX (gtk_adjustment_get_upper (adjustment), self->value.number));
          gtk_adjustment_set_value (adjustment, self->value.number);
        }
      show_number (self);
    }
  self->setting = FALSE;
}

void
mt_what_if_field_set_value (MtWhatIfField    *self,
                            const MtRawValue *value)
{
  char *level;

  g_return_if_fail (MT_IS_WHAT_IF_FIELD (self));
  level = g_strdup (value->level);
  g_free (self->value.level);
  self->value = (MtRawValue) { value->is_missing, value->number, level };
  show_value (self);
}

const MtRawValue *
mt_what_if_field_get_value (MtWhatIfField *self)
{
  return &self->value;
}

guint
mt_what_if_field_get_column (MtWhatIfField *self)
{
  return self->column;
}

gboolean
mt_what_if_field_get_locked (MtWhatIfField *self)
{
  g_return_val_if_fail (MT_IS_WHAT_IF_FIELD (self), FALSE);

  return self->lock != NULL && gtk_toggle_button_get_active (self->lock);
}

static void
on_lock (MtWhatIfField *self)
{
  gtk_button_set_icon_name (GTK_BUTTON (self->lock), gtk_toggle_button_get_active (self->lock) ? "changes-prevent-symbolic"
                                                                                                : "changes-allow-symbolic");
  g_signal_emit (self, locked_signal, 0);
}

static void
take_value (MtWhatIfField    *self,
            const MtRawValue *value)
{
  mt_what_if_field_set_value (self, value);
  g_signal_emit (self, changed_signal, 0);
}

static void
on_scale (MtWhatIfField *self)
{
  if (!self->setting)
    take_value (self, &(MtRawValue) { FALSE, gtk_range_get_value (GTK_RANGE (self->scale)), NULL });
}

/* Typed with the locale's mark or a point; what is no number goes back to what it was, what counts as missing in
 * this column is shown as that. */
static void
on_entry (MtWhatIfField *self)
{
  g_autofree char *shown = mt_format_value (get_column (self)->type, self->value.number);
  g_auto (GStrv) parts = NULL;
  g_autofree char *plain = NULL;
  double number;

  if (self->setting || (!self->value.is_missing && g_str_equal (gtk_editable_get_text (self->entry), shown)))
    return;
  parts = g_strsplit (gtk_editable_get_text (self->entry), mt_format_get_mark (), 2);
  plain = g_strjoinv (".", parts);
  g_strstrip (plain);
  if (g_str_has_prefix (plain, "−"))   /* as it is shown */
    {
      char *ascii = g_strconcat ("-", plain + strlen ("−"), NULL);

      g_free (plain);
      plain = ascii;
    }
  if (mt_decimal_parse (plain, &number))
    take_value (self, &(MtRawValue) { mt_encoder_column_lacks_number (get_column (self), number), number, NULL });
  else
    show_value (self);
}

static void
on_menu (MtWhatIfField *self)
{
  guint selected = gtk_drop_down_get_selected (self->menu);

  if (!self->setting && selected != GTK_INVALID_LIST_POSITION)
    take_value (self, &(MtRawValue) { FALSE, 0, (char *) gtk_string_list_get_string (self->levels, selected) });
}

static void
on_missing (MtWhatIfField *self)
{
  const MtEncoderColumn *column = get_column (self);

  if (self->setting)
    return;
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->missing)))
    take_value (self, &(MtRawValue) { TRUE, 0, NULL });
  else
    take_value (self, &(MtRawValue) { FALSE, self->scale != NULL ? gtk_range_get_value (GTK_RANGE (self->scale)) : 0,
                                      column->levels != NULL ? column->levels[0] : NULL });
}

/* --- making --- */

static int
by_size (gconstpointer a,
         gconstpointer b)
{
  const double *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

/* The marks have no room for their numbers. */
static void
tell_thresholds (MtWhatIfField *self,
                 GArray        *thresholds)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *all = NULL;

  g_array_sort (thresholds, by_size);
  for (guint i = 0; i < thresholds->len; i++)
    {
      double each = g_array_index (thresholds, double, i);
      g_autofree char *number = mt_format_value (get_column (self)->type, each);

      if (i == 0 || each != g_array_index (thresholds, double, i - 1))
        g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", number);
    }
  if (thresholds->len == 0)
    return;
  /* Translators: %s is one number or several: the thresholds of a column */
  all = g_strdup_printf (_("Rules test whether it is at least %s"), text->str);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->scale), all);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, all, -1);
}

static void
mark_thresholds (MtWhatIfField *self)
{
  g_autoptr (GArray) thresholds = g_array_new (FALSE, FALSE, sizeof (double));
  const MtRuleSet *rules = mt_rule_book_get_rules (self->book);
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      for (guint i = 0; !term->is_numeric && i < mt_rule_get_n_inputs (term->rule); i++)
        {
          const MtLiteral *literal = mt_encoder_get_literal (encoder, mt_rule_get_inputs (term->rule)[i]);

          if (literal->column == self->column && literal->kind == MT_LITERAL_AT_LEAST)
            {
              gtk_scale_add_mark (self->scale, literal->threshold, GTK_POS_BOTTOM, NULL);
              g_array_append_val (thresholds, literal->threshold);
            }
        }
    }
  tell_thresholds (self, thresholds);
}

static void
add_scale (MtWhatIfField *self)
{
  const MtEncoderColumn *column = get_column (self);
  double step = column->max > column->min ? (column->max - column->min) / 100 : 1;

  self->scale = GTK_SCALE (gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, column->min,
                                                     MAX (column->max, column->min + step), step));
  gtk_scale_set_draw_value (self->scale, FALSE);
  mt_scroll_guard (GTK_WIDGET (self->scale));
  gtk_range_set_round_digits (GTK_RANGE (self->scale), -1);
  mark_thresholds (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_LABEL, column->name, -1);
  g_signal_connect_swapped (self->scale, "value-changed", G_CALLBACK (on_scale), self);
  if (column->type == MT_TYPE_DATE)
    {
      self->date = GTK_LABEL (gtk_label_new (NULL));
      gtk_label_set_xalign (self->date, 0);
      gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->date));
    }
  else
    {
      GtkEventController *focus = gtk_event_controller_focus_new ();

      self->entry = GTK_EDITABLE (gtk_entry_new ());
      gtk_editable_set_width_chars (self->entry, 7);
      gtk_editable_set_max_width_chars (self->entry, 9);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, column->name, -1);
      g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_entry), self);
      g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_entry), self);
      gtk_widget_add_controller (GTK_WIDGET (self->entry), focus);
      gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->entry));
    }
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->scale));
}

static void
setup_level (GtkSignalListItemFactory *factory,
             GtkListItem              *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  gtk_list_item_set_child (item, label);
}

static void
setup_listed_level (GtkSignalListItemFactory *factory,
                    GtkListItem              *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 3 * MOST_CHARS);
  gtk_list_item_set_child (item, label);
}

static void
bind_level (GtkSignalListItemFactory *factory,
            GtkListItem              *item)
{
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)), text);
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (item), g_utf8_strlen (text, -1) > MOST_CHARS ? text : NULL);
}

static GtkListItemFactory *
make_level_factory (GCallback setup)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", setup, NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_level), NULL);
  return factory;
}

static void
add_menu (MtWhatIfField *self)
{
  g_autoptr (GtkListItemFactory) shown = make_level_factory (G_CALLBACK (setup_level));
  g_autoptr (GtkListItemFactory) listed = make_level_factory (G_CALLBACK (setup_listed_level));
  const MtEncoderColumn *column = get_column (self);

  self->levels = gtk_string_list_new ((const char * const *) column->levels);
  for (guint i = 0; column->rest[i] != NULL; i++)
    gtk_string_list_append (self->levels, column->rest[i]);
  self->menu = GTK_DROP_DOWN (gtk_drop_down_new (G_LIST_MODEL (self->levels), NULL));
  gtk_drop_down_set_factory (self->menu, shown);
  gtk_drop_down_set_list_factory (self->menu, listed);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->menu), GTK_ACCESSIBLE_PROPERTY_LABEL, column->name, -1);
  g_signal_connect_swapped (self->menu, "notify::selected", G_CALLBACK (on_menu), self);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->menu));
}

static void
add_unread (MtWhatIfField *self)
{
  /* Translators: %s is a column */
  g_autofree char *told = g_strdup_printf (_("%s: not used by the model"), get_column (self)->name);

  self->unread = GTK_EDITABLE (gtk_entry_new ());
  gtk_editable_set_width_chars (self->unread, 7);
  gtk_editable_set_max_width_chars (self->unread, 9);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->unread), GTK_ACCESSIBLE_PROPERTY_LABEL, told, -1);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->unread));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), told);
  gtk_widget_set_sensitive (GTK_WIDGET (self), FALSE);
}

/* The name, and for what the model looks at a lock. */
static void
add_head (MtWhatIfField *self,
          GtkWidget     *name)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
  /* Translators: %s is a column */
  g_autofree char *told = g_strdup_printf (_("Do not change %s in the nearest changes"), get_column (self)->name);

  gtk_box_append (GTK_BOX (head), name);
  if (mt_rule_book_uses (self->book, self->column))
    {
      self->lock = GTK_TOGGLE_BUTTON (gtk_toggle_button_new ());
      gtk_button_set_icon_name (GTK_BUTTON (self->lock), "changes-allow-symbolic");
      gtk_button_set_has_frame (GTK_BUTTON (self->lock), FALSE);
      gtk_widget_add_css_class (GTK_WIDGET (self->lock), "small");
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->lock), told);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->lock), GTK_ACCESSIBLE_PROPERTY_LABEL, told, -1);
      g_signal_connect_swapped (self->lock, "toggled", G_CALLBACK (on_lock), self);
      gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->lock));
    }
  gtk_box_append (GTK_BOX (self), head);
}

MtWhatIfField *
mt_what_if_field_new (MtRuleBook *book,
                      guint       column)
{
  MtWhatIfField *self = g_object_new (MT_TYPE_WHAT_IF_FIELD, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 3,
                                      NULL);
  GtkLabel *name;

  self->book = mt_rule_book_ref (book);
  self->column = column;
  name = GTK_LABEL (gtk_label_new (get_column (self)->name));
  gtk_label_set_ellipsize (name, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (name, MOST_CHARS);
  gtk_label_set_xalign (name, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (name), TRUE);
  if (get_column (self)->formula != NULL)
    {
      /* Translators: name of a derived column, its formula */
      g_autofree char *told = g_strdup_printf (_("%s = %s"), get_column (self)->name, mt_formula_get_text (get_column (self)->formula));

      gtk_widget_set_tooltip_text (GTK_WIDGET (name), told);
    }
  else
    gtk_widget_set_tooltip_text (GTK_WIDGET (name), get_column (self)->name);
  gtk_widget_add_css_class (GTK_WIDGET (name), "caption");
  add_head (self, GTK_WIDGET (name));
  if (!mt_rule_book_needs (book, column))
    {
      add_unread (self);
      return self;
    }
  if (get_column (self)->levels != NULL)
    add_menu (self);
  else
    add_scale (self);
  if (get_column (self)->has_missing)
    {
      self->missing = gtk_check_button_new_with_label (_("missing"));
      g_signal_connect_swapped (self->missing, "toggled", G_CALLBACK (on_missing), self);
      gtk_box_append (GTK_BOX (self), self->missing);
    }
  return self;
}

static void
mt_what_if_field_finalize (GObject *object)
{
  MtWhatIfField *self = MT_WHAT_IF_FIELD (object);

  g_clear_pointer (&self->book, mt_rule_book_unref);
  g_free (self->value.level);
  G_OBJECT_CLASS (mt_what_if_field_parent_class)->finalize (object);
}

static void
mt_what_if_field_class_init (MtWhatIfFieldClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = mt_what_if_field_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  locked_signal = g_signal_new ("locked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
mt_what_if_field_init (MtWhatIfField *self)
{
}
