/* The formula of the rule on show, typeset; its terms light up with everything else. See mt-formula-view.h.
 * */
#include "config.h"
#include "mt-formula-view.h"

#include <glib/gi18n.h>

#include "util/mt-format.h"
#include "util/mt-theme.h"

struct _MtFormulaView {
  MtDrawnView      parent_instance;

  MtRuleFocus     *focus;
  MtPhrase        *phrase;
  char           **notes;      /* one a term */
  MtFormulaFonts  *fonts;
  MtFormulaLayout *layout;     /* of the width last asked for; NULL: lay out again */
  double           width;
};

G_DEFINE_FINAL_TYPE (MtFormulaView, mt_formula_view, MT_TYPE_DRAWN_VIEW)

/* "41 rows, 38 with disease": what a term holds, or a clause rules out. */
static char *
describe_term (MtRuleView   *view,
               MtPhraseForm  form,
               guint         term)
{
  MtRuleBook *book = mt_rule_view_get_book (view);
  g_autofree guint64 *set = g_new (guint64, mt_rule_view_get_n_words (view));
  g_autofree char *count = NULL;
  g_autofree char *rows = NULL;
  gsize n;

  if (!mt_rule_book_has_rows (book))
    return g_strdup ("");
  mt_rule_view_set_term (view, form, term, set);
  n = mt_rule_view_count_rows (view, set);
  count = mt_format_count (n);
  if (form == MT_PHRASE_CNF)
    rows = g_strdup_printf (ngettext ("excludes %s row", "excludes %s rows", n), count);
  else
    rows = g_strdup_printf (ngettext ("%s row", "%s rows", n), count);
  if (n > 0 && mt_rule_book_get_task (book) == MT_TASK_BINARY)
    {
      g_autofree char *hits = mt_format_count (mt_rule_view_count_class (view, set, 1));

      g_autofree char *outcome = mt_format_outcome (book, 1);

      /* Translators: "41 rows, 38 with yes": rows, how many of them, their class */
      return g_strdup_printf (_("%s, %s with %s"), rows, hits, outcome);
    }
  if (n > 0 && mt_rule_book_get_task (book) == MT_TASK_MULTICLASS)
    {
      guint most = 0;
      g_autofree char *hits = NULL;
      g_autofree char *outcome = NULL;

      for (guint c = 1; c < mt_rule_book_get_n_classes (book); c++)
        if (mt_rule_view_count_class (view, set, c) > mt_rule_view_count_class (view, set, most))
          most = c;
      hits = mt_format_count (mt_rule_view_count_class (view, set, most));
      outcome = mt_format_outcome (book, most);
      return g_strdup_printf (_("%s, %s with %s"), rows, hits, outcome);
    }
  if (n > 0 && mt_rule_book_get_task (book) == MT_TASK_REGRESSION)
    {
      g_autofree char *mean = mt_format_target (book, mt_rule_view_average (view, set));

      /* Translators: "41 rows, mean 8.5" */
      return g_strdup_printf (_("%s, mean %s"), rows, mean);
    }
  return g_steal_pointer (&rows);
}

/* Text may have grown, and what it says may be longer. */
static void
mt_formula_view_forget (MtDrawnView *view)
{
  MtFormulaView *self = MT_FORMULA_VIEW (view);

  g_clear_pointer (&self->layout, mt_formula_layout_free);
  g_clear_pointer (&self->fonts, mt_formula_fonts_free);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
ensure_layout (MtFormulaView *self,
               double         width)
{
  if (self->phrase == NULL || (self->layout != NULL && self->width == width))
    return;
  if (self->fonts == NULL)
    {
      PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));

      self->fonts = mt_formula_fonts_new (context, pango_context_get_font_description (context));
    }
  g_clear_pointer (&self->layout, mt_formula_layout_free);
  self->width = width;
  self->layout = mt_formula_layout_new (self->phrase, (const char * const *) self->notes, width, mt_formula_measure,
                                        self->fonts);
}

/* --- the widget --- */

static GtkSizeRequestMode
mt_formula_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
mt_formula_view_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  MtFormulaView *self = MT_FORMULA_VIEW (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 180;
      *natural = 500;
      return;
    }
  ensure_layout (self, for_size > 0 ? for_size : 500);
  *minimum = *natural = self->layout != NULL ? (int) self->layout->height + 1 : 24;
}

static gboolean
mt_formula_view_lay_out (MtDrawnView *view,
                         int          width,
                         int          height)
{
  ensure_layout (MT_FORMULA_VIEW (view), width);
  return MT_FORMULA_VIEW (view)->layout != NULL;
}

static void
mt_formula_view_paint (MtDrawnView *view,
                       cairo_t     *cr,
                       int          width,
                       int          height)
{
  MtFormulaView *self = MT_FORMULA_VIEW (view);
  g_autofree gboolean *lit = g_new (gboolean, MAX (self->phrase->n_terms, 1));
  MtPalette palette;
  guint32 hovered = 0;

  for (guint t = 0; t < self->phrase->n_terms; t++)
    lit[t] = mt_rule_focus_lights_term (self->focus, t);
  mt_theme_get_palette (GTK_WIDGET (self), &palette);
  mt_draw_formula (cr, self->layout, self->phrase, (const char * const *) self->notes, lit,
                   mt_rule_focus_get_hovered (self->focus, &hovered) == MT_FOCUS_TERM ? (int) hovered : -1,
                   self->fonts, &palette);
}

/* --- pointing --- */

static void
on_motion (GtkEventControllerMotion *controller,
           double                    x,
           double                    y,
           MtFormulaView            *self)
{
  int term = self->layout != NULL ? mt_formula_layout_hit (self->layout, x, y) : -1;

  mt_rule_focus_hover (self->focus, term >= 0 ? MT_FOCUS_TERM : MT_FOCUS_NONE, (guint32) MAX (term, 0));
}

static void
on_leave (MtFormulaView *self)
{
  mt_rule_focus_hover (self->focus, MT_FOCUS_NONE, 0);
}

static void
on_click (GtkGestureClick *gesture,
          int              n_press,
          double           x,
          double           y,
          MtFormulaView   *self)
{
  int term = self->layout != NULL ? mt_formula_layout_hit (self->layout, x, y) : -1;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (term >= 0)
    mt_rule_focus_toggle (self->focus, MT_FOCUS_TERM, (guint32) term);
}

static gboolean
on_key (GtkEventControllerKey *controller,
        guint                  key,
        guint                  code,
        GdkModifierType        state,
        MtFormulaView         *self)
{
  guint32 at = 0;
  gboolean has = mt_rule_focus_get_selected (self->focus, &at) == MT_FOCUS_TERM;
  guint n = self->phrase != NULL ? self->phrase->n_terms : 0;

  if (n == 0 || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Down)
    mt_rule_focus_select (self->focus, MT_FOCUS_TERM, has ? MIN (at + 1, n - 1) : 0);
  else if (key == GDK_KEY_Up)
    mt_rule_focus_select (self->focus, MT_FOCUS_TERM, has && at > 0 ? at - 1 : 0);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

/* --- what is shown --- */

char *
mt_formula_view_dup_text (MtFormulaView *self)
{
  GString *text = g_string_new (NULL);

  for (guint t = 0; self->phrase != NULL && t < self->phrase->n_terms; t++)
    {
      g_autofree char *term = mt_phrase_dup_term (self->phrase, t);

      g_string_append_printf (text, "%s%s%s%s", t > 0 ? "\n" : "", term, *self->notes[t] != '\0' ? " — " : "",
                              self->notes[t]);
    }
  return g_string_free (text, FALSE);
}

static void
on_form_changed (MtFormulaView *self)
{
  MtRuleView *view = mt_rule_focus_get_view (self->focus);
  MtPhraseForm form = mt_rule_focus_get_form (self->focus);
  g_autofree char *text = NULL;

  g_clear_pointer (&self->phrase, mt_phrase_free);
  g_clear_pointer (&self->notes, g_strfreev);
  if (view != NULL)
    {
      self->phrase = mt_rule_view_make_phrase (view, form, mt_rule_focus_get_words (self->focus));
      self->notes = g_new0 (char *, self->phrase->n_terms + 1);
      for (guint t = 0; t < self->phrase->n_terms; t++)
        self->notes[t] = describe_term (view, form, t);
    }
  text = mt_formula_view_dup_text (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  mt_drawn_view_changed (MT_DRAWN_VIEW (self));
}

static void
mt_formula_view_numbers_changed (MtDrawnView *view)
{
  if (MT_FORMULA_VIEW (view)->focus != NULL)
    on_form_changed (MT_FORMULA_VIEW (view));
}

void
mt_formula_view_set_focus (MtFormulaView *self,
                           MtRuleFocus   *focus)
{
  g_return_if_fail (MT_IS_FORMULA_VIEW (self) && self->focus == NULL);

  self->focus = g_object_ref (focus);
  g_signal_connect_object (focus, "view-changed", G_CALLBACK (on_form_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "form-changed", G_CALLBACK (on_form_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "changed", G_CALLBACK (mt_drawn_view_redraw), self, G_CONNECT_SWAPPED);
}

gboolean
mt_formula_view_get_place (MtFormulaView *self,
                           guint          term,
                           double        *x,
                           double        *y)
{
  if (self->layout == NULL || term >= self->layout->n_terms)
    return FALSE;
  *x = self->layout->terms[term].x + self->layout->terms[term].width / 2;
  *y = self->layout->terms[term].y + self->layout->terms[term].height / 2;
  return TRUE;
}

static void
mt_formula_view_dispose (GObject *object)
{
  MtFormulaView *self = MT_FORMULA_VIEW (object);

  g_clear_pointer (&self->layout, mt_formula_layout_free);
  g_clear_pointer (&self->fonts, mt_formula_fonts_free);
  g_clear_pointer (&self->phrase, mt_phrase_free);
  g_clear_pointer (&self->notes, g_strfreev);
  g_clear_object (&self->focus);
  G_OBJECT_CLASS (mt_formula_view_parent_class)->dispose (object);
}

static void
mt_formula_view_class_init (MtFormulaViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  MtDrawnViewClass *view_class = MT_DRAWN_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_formula_view_dispose;
  widget_class->get_request_mode = mt_formula_view_get_request_mode;
  widget_class->measure = mt_formula_view_measure;
  view_class->forget = mt_formula_view_forget;
  view_class->lay_out = mt_formula_view_lay_out;
  view_class->paint = mt_formula_view_paint;
  view_class->numbers_changed = mt_formula_view_numbers_changed;
  gtk_widget_class_set_css_name (widget_class, "formula");
}

static void
mt_formula_view_init (MtFormulaView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Formula of the rule"), -1);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_click), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
