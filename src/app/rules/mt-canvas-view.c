/* The whole model on one canvas, as wide as the view; zooming in sets it in fewer columns. See mt-canvas-
 * view.h. */
#include "config.h"
#include "mt-canvas-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-diagram-view.h"
#include "util/mt-format.h"
#include "mt-term-item.h"
#include "util/mt-theme.h"

#define MARGIN       24.0
#define LEAST_WIDTH  300.0
#define LEAST_SCALE  0.1
#define MOST_SCALE   3.0
#define FIT_STEP     0.97      /* from one scale that is tried to the next */
#define PICTURE      1200.0    /* points across a picture */

/* One term, drawn. */
typedef struct {
  MtDiagramTexts   texts;
  MtDiagram       *diagram;
  MtDiagramLayout *layout;
  MtDiagramLabel  *labels;
  char            *title, *caption, *weight, *weights, *name, *rest;
} Drawn;

/* All that can be drawn of a book; shared with the thread that lays it out, and not changed after. */
typedef struct {
  gatomicrefcount ref_count;
  MtRuleBook   *book;
  guint         n_terms;
  Drawn        *drawn;
  MtCanvasTerm *terms;
  MtCanvasSpec  spec;
  char         *before, *starts;
} Scene;

struct _MtCanvasView {
  GtkWidget             parent_instance;

  MtRuleBook           *book;
  Scene                *scene;        /* NULL: none, or not ready */
  GCancellable         *working;
  MtCanvasLayout       *layout;       /* of the width last asked for */
  MtCanvasLayout       *pages;        /* for the printer */
  double                scale;
  gboolean              fits;         /* the scale follows the room there is */
  int                   room_width, room_height;   /* that it was fitted to */
  guint                 fitting;
  int                   selected;
};

enum {
  SELECTED,
  OPENED,
  ZOOMED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (MtCanvasView, mt_canvas_view, GTK_TYPE_WIDGET)

/* --- what there is to draw --- */

static void
scene_unref (gpointer data)
{
  Scene *scene = data;

  if (!g_atomic_ref_count_dec (&scene->ref_count))
    return;
  for (guint t = 0; t < scene->n_terms; t++)
    {
      Drawn *drawn = &scene->drawn[t];

      mt_diagram_texts_clear (&drawn->texts);
      g_clear_pointer (&drawn->diagram, mt_diagram_unref);
      g_clear_pointer (&drawn->layout, mt_diagram_layout_free);
      g_free (drawn->labels);
      g_free (drawn->title);
      g_free (drawn->caption);
      g_free (drawn->weight);
      g_free (drawn->weights);
      g_free (drawn->name);
      g_free (drawn->rest);
    }
  g_free (scene->drawn);
  g_free (scene->terms);
  g_free (scene->before);
  g_free (scene->starts);
  mt_rule_book_unref (scene->book);
  g_free (scene);
}

static char *
describe_term (MtRuleBook *book,
               guint       term)
{
  g_autoptr (MtTermItem) item = mt_term_item_new (book, (int) term);
  const MtTermFacts *facts = mt_rule_book_get_facts (book, term);
  g_autofree char *count = mt_format_count (facts->support);
  g_autofree char *rows = g_strdup_printf (ngettext ("%s row", "%s rows", facts->support), count);

  if (!mt_rule_book_has_rows (book))
    return g_strdup_printf (ngettext ("%u literal", "%u literals", facts->n_literals), facts->n_literals);
  if (!mt_term_item_is_rule (item))
    return g_strdup (_("linear term"));
  if (mt_rule_book_get_n_classes (book) == 0)
    {
      g_autofree char *mean = mt_format_target (book, facts->mean_inside);

      return g_strdup_printf (_("%s · mean %s"), rows, mean);
    }
  {
    guint class = mt_term_item_get_main_class (item);
    g_autofree char *share = mt_format_rate (facts->hit_rate[class]);

    /* Of two classes the formula says which is meant. */
    return mt_rule_book_get_n_classes (book) == 2
           ? g_strdup_printf ("%s · %s", rows, share)
           /* Translators: "163 rows · 36% with urgent" */
           : g_strdup_printf (_("%s · %s with %s"), rows, share, mt_rule_book_get_classes (book)[class]);
  }
}

/* Of every class that is touched; a number stays with its class. */
static char *
dup_weights (MtRuleBook   *book,
             const double *weights)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint c = 0; c < mt_rule_book_get_n_classes (book); c++)
    if (weights[c] != 0)
      {
        g_autofree char *weight = mt_format_weight (weights[c]);

        g_string_append_printf (text, "%s%s\u00a0%s", text->len > 0 ? "   " : "", mt_rule_book_get_classes (book)[c],
                                weight);
      }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
write_before (Scene *scene)
{
  MtRuleBook *book = scene->book;
  const double *bias = mt_rule_set_get_bias (mt_rule_book_get_rules (book));
  g_autofree char *start = g_strdup_printf ("%s%.4g", bias[0] < 0 ? "−" : "", fabs (bias[0]));
  const char *target = mt_rule_book_get_target (book);

  switch (mt_rule_book_get_task (book))
    {
    case MT_TASK_BINARY:
      scene->before = g_markup_printf_escaped ("<i>P</i>(%s = %s | <b>x</b>)  =  <i>σ</i>( %s", target,
                                               mt_rule_book_get_classes (book)[1], start);
      break;
    case MT_TASK_MULTICLASS:
      scene->before = g_markup_printf_escaped ("<i>P</i>(%s = <i>c</i> | <b>x</b>)  =  softmax<sub><i>c</i></sub>( "
                                               "<i>b</i><sub><i>c</i></sub>", target);
      break;
    case MT_TASK_REGRESSION:
    default:
      scene->before = g_markup_printf_escaped ("%s  =  %s", target, start);
      break;
    }
  scene->spec.before = scene->before;
  scene->spec.after = mt_rule_book_get_task (book) == MT_TASK_REGRESSION ? "" : ")";
  scene->spec.several = mt_rule_book_get_task (book) == MT_TASK_MULTICLASS;
  if (scene->spec.several)
    {
      g_autofree char *weights = dup_weights (book, bias);

      scene->starts = g_strdup_printf ("%s:   %s", _("Intercept"), weights);
    }
  scene->spec.starts = scene->starts;
}

static Scene *
scene_new (MtCanvasView *self)
{
  Scene *scene = g_new0 (Scene, 1);
  const MtRuleSet *rules = mt_rule_book_get_rules (self->book);
  const MtEncoder *encoder = mt_rule_book_get_encoder (self->book);
  guint n_outputs = mt_rule_set_get_n_outputs (rules);

  g_atomic_ref_count_init (&scene->ref_count);
  scene->book = mt_rule_book_ref (self->book);
  scene->n_terms = mt_rule_book_get_n_terms (self->book);
  scene->drawn = g_new0 (Drawn, MAX (1, scene->n_terms));
  scene->terms = g_new0 (MtCanvasTerm, MAX (1, scene->n_terms));
  for (guint t = 0; t < scene->n_terms; t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      const double *effects = mt_rule_book_get_facts (self->book, t)->effects;
      Drawn *drawn = &scene->drawn[t];
      double weight;

      drawn->caption = describe_term (self->book, t);
      drawn->weight = mt_format_strongest (mt_rule_book_get_classes (self->book), effects, n_outputs, &weight);
      if (mt_rule_book_get_task (self->book) == MT_TASK_MULTICLASS)
        drawn->weights = dup_weights (self->book, effects);
      if (term->is_numeric)
        {
          const MtUnary *unary = mt_term_get_unary (term, encoder);
          gboolean is_date = mt_encoder_get_column_type (encoder, unary->column) == MT_TYPE_DATE;
          g_autofree char *mean = is_date ? mt_format_value (MT_TYPE_DATE, unary->mean)
                                           : mt_format_short (fabs (unary->mean));

          drawn->name = mt_encoder_dup_numeric_text (encoder, unary);
          drawn->rest = g_strdup_printf (!is_date && unary->mean < 0 ? " + %s" : " − %s", mean);
        }
      else
        {
          drawn->title = g_strdup_printf ("%u", mt_rule_book_get_number (self->book, t));
          mt_diagram_texts_init (&drawn->texts, self->book, t, mt_rule_find_flips (term->rule), FALSE,
                                 gtk_widget_get_pango_context (GTK_WIDGET (self)));
        }
      scene->terms[t] = (MtCanvasTerm) { drawn->title, drawn->caption, weight, drawn->weight, NULL, NULL,
                                         { drawn->name, drawn->rest }, drawn->weights };
    }
  scene->spec.terms = scene->terms;
  scene->spec.n_terms = scene->n_terms;
  scene->spec.n_rules = mt_rule_set_get_n_rules (rules);
  scene->spec.n_numeric = scene->n_terms - scene->spec.n_rules;
  write_before (scene);
  return scene;
}

static void
scene_lay_out (Scene        *scene,
               GCancellable *cancellable)
{
  const MtRuleSet *rules = mt_rule_book_get_rules (scene->book);
  guint64 table[MT_TRUTH_TABLE_MAX_WORDS];

  for (guint t = 0; t < scene->n_terms && !g_cancellable_is_cancelled (cancellable); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      Drawn *drawn = &scene->drawn[t];

      if (term->is_numeric)
        continue;
      mt_rule_fill_shown_table (term->rule, table);
      drawn->diagram = mt_diagram_new (mt_rule_get_n_inputs (term->rule), table);
      drawn->layout = mt_diagram_texts_layout (&drawn->texts, drawn->diagram);
      drawn->labels = mt_diagram_texts_label_nodes (&drawn->texts, drawn->diagram);
      scene->terms[t].diagram = drawn->layout;
      scene->terms[t].labels = drawn->labels;
    }
}

static void
scene_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  scene_lay_out (data, cancellable);
  g_task_return_boolean (task, TRUE);
}

/* --- layout --- */

static MtCanvasLayout *
lay_out (MtCanvasView *self,
         PangoContext *context,
         double        width,
         double        page_height)
{
  PangoFontDescription *font = mt_diagram_make_font (context);
  g_autofree double *sizes = g_new (double, 2 * self->scene->n_terms + 2);
  double formula;

  width = MAX (width, LEAST_WIDTH);
  mt_draw_canvas_measure (&self->scene->spec, context, font, sizes);
  formula = mt_draw_canvas_formula_height (&self->scene->spec, context, font, width);
  pango_font_description_free (font);
  return mt_canvas_layout_new (sizes, self->scene->n_terms, width, page_height, formula);
}

/* How high all of it is at a scale, in pixels. */
static double
height_at (MtCanvasView *self,
           const double *sizes,
           PangoContext *context,
           const PangoFontDescription *font,
           int           width,
           double        scale)
{
  double inner = MAX (LEAST_WIDTH, (width - 2 * MARGIN) / scale);
  double formula = mt_draw_canvas_formula_height (&self->scene->spec, context, font, inner);
  g_autoptr (MtCanvasLayout) layout = mt_canvas_layout_new (sizes, self->scene->n_terms, inner, 0, formula);

  return layout->height * scale + MARGIN;
}

/* The height need not fall with the scale, card by card, so scales are tried from the largest down. */
static double
find_fitting (MtCanvasView *self,
              int           width,
              int           height)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  PangoFontDescription *font = mt_diagram_make_font (context);
  g_autofree double *sizes = g_new (double, 2 * self->scene->n_terms + 2);
  double scale = 1;

  mt_draw_canvas_measure (&self->scene->spec, context, font, sizes);
  while (scale > LEAST_SCALE && height_at (self, sizes, context, font, width, scale) > height)
    scale = MAX (LEAST_SCALE, scale * FIT_STEP);
  pango_font_description_free (font);
  return scale;
}

static void
ensure_layout (MtCanvasView *self,
               int           width)
{
  double inner = MAX (LEAST_WIDTH, (width - 2 * MARGIN) / self->scale);

  if (self->scene == NULL || (self->layout != NULL && self->layout->width == inner))
    return;
  g_clear_pointer (&self->layout, mt_canvas_layout_free);
  self->layout = lay_out (self, gtk_widget_get_pango_context (GTK_WIDGET (self)), inner, 0);
}

static void
forget_layout (MtCanvasView *self)
{
  g_clear_pointer (&self->layout, mt_canvas_layout_free);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* What is seen of it at once: what scrolls it, or all of it. */
static void
get_room (MtCanvasView *self,
          int          *width,
          int          *height)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  GtkWidget *seen = scrolled != NULL ? scrolled : GTK_WIDGET (self);

  *width = gtk_widget_get_width (seen);
  *height = gtk_widget_get_height (seen);
}

static void
refit (MtCanvasView *self)
{
  int width, height;

  get_room (self, &width, &height);
  if (!self->fits || self->scene == NULL || width < 2 || height < 2)
    return;
  self->room_width = width;
  self->room_height = height;
  self->scale = find_fitting (self, width, height);
  forget_layout (self);
  g_signal_emit (self, signals[ZOOMED], 0);
}

static gboolean
refit_later (gpointer data)
{
  MT_CANVAS_VIEW (data)->fitting = 0;
  refit (data);
  return G_SOURCE_REMOVE;
}

/* Sizes are being settled while it is drawn or allocated, so the next frame has the other scale. */
static void
follow_room (MtCanvasView *self)
{
  int width, height;

  get_room (self, &width, &height);
  if (self->fits && self->fitting == 0 && (width != self->room_width || height != self->room_height))
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, refit_later, self, NULL);
}

static void
on_scene (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  MtCanvasView *self = MT_CANVAS_VIEW (source);

  g_task_propagate_boolean (G_TASK (result), NULL);
  if (self->working == NULL || self->working != g_task_get_cancellable (G_TASK (result)))
    return;   /* another model is wanted by now */
  g_clear_object (&self->working);
  self->scene = g_object_steal_data (G_OBJECT (result), "scene");
  forget_layout (self);
  refit (self);
}

void
mt_canvas_view_set_book (MtCanvasView *self,
                         MtRuleBook   *book)
{
  g_return_if_fail (MT_IS_CANVAS_VIEW (self));

  if (book == self->book)
    return;
  if (self->working != NULL)
    g_cancellable_cancel (self->working);
  g_clear_object (&self->working);
  g_clear_pointer (&self->scene, scene_unref);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  self->selected = -1;
  if (book != NULL)
    {
      g_autoptr (GTask) task = NULL;
      Scene *scene;

      self->book = mt_rule_book_ref (book);
      self->working = g_cancellable_new ();
      scene = scene_new (self);
      task = g_task_new (self, self->working, on_scene, NULL);
      g_task_set_check_cancellable (task, FALSE);
      g_task_set_task_data (task, scene, NULL);
      g_object_set_data_full (G_OBJECT (task), "scene", scene, scene_unref);
      g_task_run_in_thread (task, scene_thread);
    }
  forget_layout (self);
}

gboolean
mt_canvas_view_is_busy (MtCanvasView *self)
{
  return self->working != NULL;
}

/* --- the widget --- */

static GtkSizeRequestMode
mt_canvas_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
mt_canvas_view_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  MtCanvasView *self = MT_CANVAS_VIEW (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = (int) (LEAST_WIDTH * MIN (1, self->scale));
      *natural = 900;
      return;
    }
  ensure_layout (self, for_size > 0 ? for_size : 900);
  *minimum = *natural = self->layout != NULL ? (int) (self->layout->height * self->scale + MARGIN) : 200;
}

static void
mt_canvas_view_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  MtCanvasView *self = MT_CANVAS_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  PangoContext *context = gtk_widget_get_pango_context (widget);
  PangoFontDescription *font;
  MtPalette palette;
  cairo_t *cr;

  follow_room (self);
  ensure_layout (self, width);
  if (self->layout == NULL)
    return;
  mt_theme_get_palette (widget, &palette);
  font = mt_diagram_make_font (context);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_translate (cr, MARGIN, 0);
  cairo_scale (cr, self->scale, self->scale);
  mt_draw_canvas (cr, self->layout, &self->scene->spec, -1, self->selected, context, font, &palette);
  cairo_destroy (cr);
  pango_font_description_free (font);
}

/* --- choosing --- */

static void
describe_selected (MtCanvasView *self)
{
  g_autoptr (MtTermItem) item = NULL;
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;
  g_autofree char *all = NULL;

  if (self->selected < 0 || self->book == NULL)
    return;
  item = mt_term_item_new (self->book, self->selected);
  title = mt_term_item_dup_title (item);
  text = mt_term_item_dup_text (item);
  all = g_strdup_printf ("%s: %s", title, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, all, -1);
}

void
mt_canvas_view_set_selected (MtCanvasView *self,
                             int           term)
{
  if (term == self->selected)
    return;
  self->selected = term;
  describe_selected (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

int
mt_canvas_view_get_selected (MtCanvasView *self)
{
  return self->selected;
}

gboolean
mt_canvas_view_get_place (MtCanvasView    *self,
                          guint            term,
                          graphene_rect_t *place)
{
  const MtCanvasCard *card;

  ensure_layout (self, gtk_widget_get_width (GTK_WIDGET (self)));
  if (self->layout == NULL || term >= self->layout->n_cards)
    return FALSE;
  card = &self->layout->cards[term];
  graphene_rect_init (place, (float) (MARGIN + card->x * self->scale), (float) (card->y * self->scale),
                      (float) (card->width * self->scale), (float) (card->height * self->scale));
  return TRUE;
}

static void
choose (MtCanvasView *self,
        int           term)
{
  mt_canvas_view_set_selected (self, term);
  g_signal_emit (self, signals[SELECTED], 0);
}

static void
on_click (GtkGestureClick *gesture,
          int              n_press,
          double           x,
          double           y,
          MtCanvasView    *self)
{
  int term = self->layout != NULL ? mt_canvas_layout_hit (self->layout, (x - MARGIN) / self->scale, y / self->scale) : -1;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (term < 0)
    return;
  choose (self, term);
  if (n_press == 2)
    g_signal_emit (self, signals[OPENED], 0);
}

static gboolean
on_key (GtkEventControllerKey *controller,
        guint                  key,
        guint                  code,
        GdkModifierType        state,
        MtCanvasView          *self)
{
  int n = self->scene != NULL ? (int) self->scene->n_terms : 0;

  if (n == 0 || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_Right:
      choose (self, MIN (self->selected + 1, n - 1));
      return GDK_EVENT_STOP;
    case GDK_KEY_Left:
      choose (self, MAX (self->selected - 1, 0));
      return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (self->selected >= 0)
        g_signal_emit (self, signals[OPENED], 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      mt_canvas_view_zoom (self, 1.25);
      return GDK_EVENT_STOP;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      mt_canvas_view_zoom (self, 0.8);
      return GDK_EVENT_STOP;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      mt_canvas_view_fit (self);
      return GDK_EVENT_STOP;
    case GDK_KEY_1:
    case GDK_KEY_KP_1:
      mt_canvas_view_zoom (self, 0);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static gboolean
on_scroll (GtkEventControllerScroll *controller,
           double                    dx,
           double                    dy,
           MtCanvasView             *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if ((state & GDK_CONTROL_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  mt_canvas_view_zoom (self, pow (1.15, -dy));
  return GDK_EVENT_STOP;
}

void
mt_canvas_view_zoom (MtCanvasView *self,
                     double        factor)
{
  self->scale = factor > 0 ? CLAMP (self->scale * factor, LEAST_SCALE, MOST_SCALE) : 1;
  self->fits = FALSE;
  forget_layout (self);
  g_signal_emit (self, signals[ZOOMED], 0);
}

void
mt_canvas_view_fit (MtCanvasView *self)
{
  g_return_if_fail (MT_IS_CANVAS_VIEW (self));

  self->fits = TRUE;
  refit (self);
}

gboolean
mt_canvas_view_get_fits (MtCanvasView *self)
{
  return self->fits;
}

double
mt_canvas_view_get_scale (MtCanvasView *self)
{
  return self->scale;
}

/* --- pictures and paper --- */

typedef struct {
  Scene          *scene;
  MtCanvasLayout *layout;
} Picture;

static void
picture_free (gpointer data)
{
  Picture *picture = data;

  scene_unref (picture->scene);
  mt_canvas_layout_free (picture->layout);
  g_free (picture);
}

static void
paint_picture (cairo_t         *cr,
               PangoContext    *context,
               const MtPalette *palette,
               gpointer         data)
{
  Picture *picture = data;
  PangoFontDescription *font = mt_diagram_make_font (context);

  mt_draw_canvas (cr, picture->layout, &picture->scene->spec, -1, -1, context, font, palette);
  pango_font_description_free (font);
}

MtDrawing *
mt_canvas_view_make_drawing (MtCanvasView *self)
{
  Picture *picture;

  g_return_val_if_fail (MT_IS_CANVAS_VIEW (self) && self->scene != NULL, NULL);

  picture = g_new0 (Picture, 1);
  g_atomic_ref_count_inc (&self->scene->ref_count);
  picture->scene = self->scene;
  picture->layout = lay_out (self, gtk_widget_get_pango_context (GTK_WIDGET (self)), PICTURE, 0);
  return mt_drawing_new (picture->layout->width, picture->layout->height, paint_picture, picture, picture_free);
}

guint
mt_canvas_view_paginate (MtCanvasView *self,
                         PangoContext *context,
                         double        width,
                         double        height)
{
  g_return_val_if_fail (MT_IS_CANVAS_VIEW (self) && self->scene != NULL, 0);

  g_clear_pointer (&self->pages, mt_canvas_layout_free);
  self->pages = lay_out (self, context, width, height);
  return self->pages->n_pages;
}

void
mt_canvas_view_draw_page (MtCanvasView *self,
                          cairo_t      *cr,
                          PangoContext *context,
                          guint         page)
{
  PangoFontDescription *font = mt_diagram_make_font (context);
  MtPalette palette;

  g_return_if_fail (self->pages != NULL && page < self->pages->n_pages);

  mt_palette_init (&palette, FALSE, FALSE);
  mt_draw_canvas (cr, self->pages, &self->scene->spec, (int) page, -1, context, font, &palette);
  pango_font_description_free (font);
}

/* --- object --- */

static void
mt_canvas_view_dispose (GObject *object)
{
  MtCanvasView *self = MT_CANVAS_VIEW (object);

  if (self->working != NULL)
    g_cancellable_cancel (self->working);
  g_clear_object (&self->working);
  g_clear_handle_id (&self->fitting, g_source_remove);
  g_clear_pointer (&self->layout, mt_canvas_layout_free);
  g_clear_pointer (&self->pages, mt_canvas_layout_free);
  g_clear_pointer (&self->scene, scene_unref);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  G_OBJECT_CLASS (mt_canvas_view_parent_class)->dispose (object);
}

static void
mt_canvas_view_class_init (MtCanvasViewClass *klass)
{
  static const char * const names[N_SIGNALS] = { "selected", "opened", "zoomed" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_canvas_view_dispose;
  widget_class->get_request_mode = mt_canvas_view_get_request_mode;
  widget_class->measure = mt_canvas_view_measure;
  widget_class->snapshot = mt_canvas_view_snapshot;
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
}

static void
mt_canvas_view_init (MtCanvasView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *click = gtk_gesture_click_new ();

  self->scale = 1;
  self->selected = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Diagram of the whole model; the rule list contains the same information"), -1);
  g_signal_connect (click, "pressed", G_CALLBACK (on_click), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
}
