/* What stands above the inspector of the Rules page: which rule it is about, or which mode, and the switch
 * between modes. See mt-rule-head.h. */
#include "config.h"
#include "mt-rule-head.h"

#include <glib/gi18n.h>

#include "util/mt-term-tooltip.h"
#include "util/mt-format.h"
#include "util/mt-theme.h"

struct _MtRuleHead {
  AdwBin         parent_instance;

  /* template children */
  GtkBox        *box;
  GtkButton     *back;
  GtkLabel      *title;
  GtkLabel      *weight;
  GtkMenuButton *edit;
  GtkLabel      *facts;
  GtkBox        *modes;
  GtkWidget     *compare;
  GtkLabel      *classes;       /* what it weighs for each, and the key to their colours */

  MtTermItem    *item;          /* NULL: no term is on show */
  gboolean       narrow;
};

G_DEFINE_FINAL_TYPE (MtRuleHead, mt_rule_head, ADW_TYPE_BIN)

static const char *
describe_dont_care (MtDontCareMode mode)
{
  switch (mode)
    {
    case MT_DONT_CARE_MODE_OFF:
      return _("free combinations: none");
    case MT_DONT_CARE_MODE_IMPOSSIBLE:
      return _("free combinations: impossible");
    case MT_DONT_CARE_MODE_UNSEEN:
    default:
      return _("free combinations: impossible and unseen");
    }
}

static const char *
explain_dont_care (MtDontCareMode mode)
{
  switch (mode)
    {
    case MT_DONT_CARE_MODE_OFF:
      return _("The rule was minimized without changing the result for any combination of its conditions.");
    case MT_DONT_CARE_MODE_IMPOSSIBLE:
      return _("Impossible combinations of its conditions may be decided either way, which makes the rule "
               "shorter.");
    case MT_DONT_CARE_MODE_UNSEEN:
    default:
      return _("Combinations of its conditions that are impossible or in no training row may be decided "
               "either way, which makes the rule shorter.");
    }
}

static void
show_weight (MtRuleHead *self,
             MtTermItem *item)
{
  MtRuleBook *book = mt_term_item_get_book (item);
  guint n_outputs = mt_rule_set_get_n_outputs (mt_rule_book_get_rules (book));
  const double *effects = mt_term_item_get_effects (item);
  double effect;
  g_autofree char *all = mt_format_weights (mt_rule_book_get_classes (book), effects, n_outputs);
  g_autofree char *text = mt_format_strongest (mt_rule_book_get_classes (book), effects, n_outputs, &effect);
  const char *style[] = { "weight", NULL, NULL };

  style[1] = mt_term_item_get_term (item) < 0 ? "bias" : effect < 0 ? "negative" : "positive";
  gtk_widget_set_css_classes (GTK_WIDGET (self->weight), style);
  gtk_label_set_label (self->weight, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->weight), n_outputs > 1 ? all : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->weight), TRUE);
}

/* "■ setosa −0.76   ■ versicolor +0.13": all of them, also those that it leaves alone. */
static void
show_classes (MtRuleHead *self)
{
  MtRuleBook *book = self->item != NULL ? mt_term_item_get_book (self->item) : NULL;
  guint n_classes = book != NULL ? mt_rule_book_get_n_classes (book) : 0;
  g_autoptr (GString) text = g_string_new (NULL);
  MtPalette palette;

  gtk_widget_set_visible (GTK_WIDGET (self->classes), n_classes > 2);
  if (n_classes <= 2)
    return;
  mt_theme_get_palette (GTK_WIDGET (self), &palette);
  for (guint c = 0; c < n_classes; c++)
    {
      double effect = mt_term_item_get_effects (self->item)[c];
      MtColor color = mt_theme_class_color (&palette, n_classes, c);
      g_autofree char *weight = effect != 0 ? mt_format_weight (effect) : g_strdup ("0");
      g_autofree char *chip = g_markup_printf_escaped ("<span foreground=\"#%02x%02x%02x\">■</span>\u00a0%s\u00a0<b>%s</b>",
                                                       (guint) (color.red * 255), (guint) (color.green * 255),
                                                       (guint) (color.blue * 255),
                                                       mt_rule_book_get_classes (book)[c], weight);

      g_string_append_printf (text, "%s%s", c > 0 ? "   " : "", chip);
    }
  gtk_label_set_markup (self->classes, text->str);
}

static void
show_facts (MtRuleHead *self,
            const char *facts,
            const char *explained)
{
  gtk_label_set_label (self->facts, facts != NULL ? facts : "");
  /* Next to the title it also keeps the modes at the end. */
  gtk_widget_set_visible (GTK_WIDGET (self->facts), facts != NULL || !self->narrow);
  mt_term_tooltip (GTK_WIDGET (self->facts), facts, explained);
}

void
mt_rule_head_show_term (MtRuleHead *self,
                        MtTermItem *item)
{
  g_autofree char *title = mt_term_item_dup_title (item);
  g_autofree char *facts = NULL;
  const char *explained = NULL;

  g_return_if_fail (MT_IS_RULE_HEAD (self));

  g_set_object (&self->item, item);
  gtk_label_set_label (self->title, title);
  show_weight (self, item);
  show_classes (self);
  if (mt_term_item_is_rule (item))
    {
      MtRuleBook *book = mt_term_item_get_book (item);
      const MtRule *rule = mt_rule_set_get_term (mt_rule_book_get_rules (book),
                                                 (guint) mt_term_item_get_term (item))->rule;
      guint n_inputs = mt_rule_get_n_inputs (rule);
      g_autofree char *inputs = g_strdup_printf (ngettext ("%u condition", "%u conditions", n_inputs), n_inputs);

      facts = g_strdup_printf ("%s · %s", inputs, describe_dont_care (mt_rule_book_get_dont_care (book)));
      explained = explain_dont_care (mt_rule_book_get_dont_care (book));
    }
  show_facts (self, facts, explained);
}

void
mt_rule_head_show_title (MtRuleHead *self,
                         const char *title)
{
  g_return_if_fail (MT_IS_RULE_HEAD (self));

  g_clear_object (&self->item);
  gtk_label_set_label (self->title, title);
  gtk_widget_set_visible (GTK_WIDGET (self->weight), FALSE);
  show_classes (self);
  show_facts (self, NULL, NULL);
}

void
mt_rule_head_set_narrow (MtRuleHead *self,
                         gboolean    narrow)
{
  g_return_if_fail (MT_IS_RULE_HEAD (self));

  gtk_widget_set_visible (GTK_WIDGET (self->back), narrow);
  self->narrow = narrow;
  gtk_widget_set_visible (GTK_WIDGET (self->facts), !narrow || *gtk_label_get_label (self->facts) != '\0');
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->box), narrow ? GTK_ORIENTATION_VERTICAL
                                                                     : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_set_homogeneous (self->modes, narrow);
}

void
mt_rule_head_set_comparable (MtRuleHead *self,
                             gboolean    comparable)
{
  g_return_if_fail (MT_IS_RULE_HEAD (self));

  gtk_widget_set_visible (self->compare, comparable);
}

void
mt_rule_head_set_menu (MtRuleHead *self,
                       GMenuModel *menu)
{
  g_return_if_fail (MT_IS_RULE_HEAD (self));

  gtk_menu_button_set_menu_model (self->edit, menu);
  gtk_widget_set_visible (GTK_WIDGET (self->edit), menu != NULL);
}

static gboolean
mt_rule_head_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (MT_RULE_HEAD (widget)->back));
}

static void
mt_rule_head_dispose (GObject *object)
{
  g_clear_object (&MT_RULE_HEAD (object)->item);
  G_OBJECT_CLASS (mt_rule_head_parent_class)->dispose (object);
}

static void
mt_rule_head_class_init (MtRuleHeadClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_rule_head_dispose;
  widget_class->grab_focus = mt_rule_head_grab_focus;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-rule-head.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtRuleHead, child)
  BIND (box);
  BIND (back);
  BIND (title);
  BIND (weight);
  BIND (edit);
  BIND (facts);
  BIND (modes);
  BIND (compare);
  BIND (classes);
#undef BIND
}

static void
mt_rule_head_init (MtRuleHead *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (show_classes), self,
                           G_CONNECT_SWAPPED);
}
