/* The pages of a report, one below the other, as they come out of the printer. See mt-pages-view.h. */
#include "config.h"
#include "mt-pages-view.h"

#include <glib/gi18n.h>
#include <math.h>

#define GAP      18      /* around the pages */
#define SMALLEST 0.2
#define LARGEST  4.0
#define STEP     1.25
#define KEPT     2       /* pages beyond those on show whose pictures are kept */

typedef struct {
  GdkTexture *texture;
  double      scale;       /* that it was painted for */
  gboolean    is_fresh;    /* of these pages, not of those before */
} Sheet;

struct _MtPagesView {
  GtkWidget      parent_instance;

  MtReportPages *pages;
  GArray        *sheets;       /* of Sheet */
  double         zoom;         /* 0: fit the width */
  guint          page;         /* on show */
  GtkAdjustment *vadjustment;  /* of the scrolled window around it; NULL: none */
  GCancellable  *painting;     /* a page is being painted; NULL: none */
  guint          telling;      /* idle that tells that it moved */
};

static guint moved_signal;

G_DEFINE_FINAL_TYPE (MtPagesView, mt_pages_view, GTK_TYPE_WIDGET)

static void
sheet_clear (gpointer data)
{
  g_clear_object (&((Sheet *) data)->texture);
}

static Sheet *
sheet_at (MtPagesView *self,
          guint        index)
{
  return &g_array_index (self->sheets, Sheet, index);
}

/* --- where pages are --- */

static guint
count_pages (MtPagesView *self)
{
  return self->pages != NULL ? mt_report_pages_get_n (self->pages) : 0;
}

static double
zoom_for (MtPagesView *self,
          int          width)
{
  double paper_width, paper_height;

  if (self->zoom > 0 || self->pages == NULL || width <= 0)
    return self->zoom > 0 ? self->zoom : 1;
  mt_report_pages_get_size (self->pages, &paper_width, &paper_height);
  return CLAMP ((width - 2 * GAP) / paper_width, SMALLEST, LARGEST);
}

double
mt_pages_view_get_zoom (MtPagesView *self)
{
  g_return_val_if_fail (MT_IS_PAGES_VIEW (self), 1);
  return zoom_for (self, gtk_widget_get_width (GTK_WIDGET (self)));
}

/* In pixels of the widget. */
static void
get_place (MtPagesView     *self,
           guint            page,
           graphene_rect_t *place)
{
  double zoom = mt_pages_view_get_zoom (self), width, height;

  mt_report_pages_get_size (self->pages, &width, &height);
  width = round (width * zoom);
  height = round (height * zoom);
  graphene_rect_init (place, (float) floor (MAX (GAP, (gtk_widget_get_width (GTK_WIDGET (self)) - width) / 2)),
                      (float) (GAP + page * (height + GAP)), (float) width, (float) height);
}

static void
get_visible (MtPagesView *self,
             double      *from,
             double      *to)
{
  *from = self->vadjustment != NULL ? gtk_adjustment_get_value (self->vadjustment) : 0;
  *to = *from + (self->vadjustment != NULL ? gtk_adjustment_get_page_size (self->vadjustment)
                                           : gtk_widget_get_height (GTK_WIDGET (self)));
}

static gboolean
is_visible (MtPagesView *self,
            guint        page,
            guint        margin)
{
  graphene_rect_t place;
  double from, to, more;

  get_place (self, page, &place);
  get_visible (self, &from, &to);
  more = margin * (place.size.height + GAP);
  return place.origin.y < to + more && place.origin.y + place.size.height > from - more;
}

/* --- painting --- */

typedef struct {
  MtReportPages *pages;
  guint          page;
  double         scale;
} Painting;

static void
painting_free (gpointer data)
{
  Painting *painting = data;

  mt_report_pages_unref (painting->pages);
  g_free (painting);
}

static void
paint_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  Painting *painting = data;
  double width, height;
  cairo_surface_t *surface;
  cairo_t *cr;
  g_autoptr (GBytes) bytes = NULL;
  int w, h, stride;

  mt_report_pages_get_size (painting->pages, &width, &height);
  w = MAX (1, (int) round (width * painting->scale));
  h = MAX (1, (int) round (height * painting->scale));
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, w, h);
  cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_scale (cr, w / width, h / height);
  mt_report_pages_paint (painting->pages, painting->page, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    g_task_return_new_error (task, MT_ERROR, MT_ERROR_BUDGET, "%s",
                             cairo_status_to_string (cairo_surface_status (surface)));
  else
    {
      stride = cairo_image_surface_get_stride (surface);
      bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), (gsize) stride * (gsize) h,
                                          (GDestroyNotify) cairo_surface_destroy, surface);
      g_task_return_pointer (task, gdk_memory_texture_new (w, h, GDK_MEMORY_DEFAULT, bytes, (gsize) stride),
                             g_object_unref);
      return;
    }
  cairo_surface_destroy (surface);
}

static void paint_next (MtPagesView *self);

static void
on_painted (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  MtPagesView *self = MT_PAGES_VIEW (source);
  Painting *painting = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->painting != g_task_get_cancellable (G_TASK (result)))
    return;   /* nothing waits for it */
  g_clear_object (&self->painting);
  if (texture == NULL)
    g_debug ("page %u cannot be painted: %s", painting->page + 1, error->message);
  if (painting->pages == self->pages)
    {
      Sheet *sheet = sheet_at (self, painting->page);

      /* One that cannot be painted stays white and is not tried again in this size. */
      g_set_object (&sheet->texture, texture);
      sheet->scale = painting->scale;
      sheet->is_fresh = TRUE;
      gtk_widget_queue_draw (GTK_WIDGET (self));
    }
  paint_next (self);
}

static double
get_scale (MtPagesView *self)
{
  return mt_pages_view_get_zoom (self) * gtk_widget_get_scale_factor (GTK_WIDGET (self));
}

/* The first page on show that has no picture of its own in this size; those around it come next. */
static int
find_wanted (MtPagesView *self)
{
  double scale = get_scale (self);

  for (guint margin = 0; margin <= 1; margin++)
    for (guint i = 0; i < count_pages (self); i++)
      {
        Sheet *sheet = sheet_at (self, i);

        if ((!sheet->is_fresh || fabs (sheet->scale - scale) > 1e-6) && is_visible (self, i, margin))
          return (int) i;
      }
  return -1;
}

static void
paint_next (MtPagesView *self)
{
  g_autoptr (GTask) task = NULL;
  Painting *painting;
  int page;

  if (self->painting != NULL || self->pages == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)) ||
      gtk_widget_get_width (GTK_WIDGET (self)) <= 0)
    return;
  for (guint i = 0; i < count_pages (self); i++)
    if (sheet_at (self, i)->texture != NULL && !is_visible (self, i, KEPT))
      {
        sheet_clear (sheet_at (self, i));
        sheet_at (self, i)->is_fresh = FALSE;
      }
  page = find_wanted (self);
  if (page < 0)
    return;
  painting = g_new0 (Painting, 1);
  painting->pages = mt_report_pages_ref (self->pages);
  painting->page = (guint) page;
  painting->scale = get_scale (self);
  self->painting = g_cancellable_new ();
  task = g_task_new (self, self->painting, on_painted, NULL);
  g_task_set_source_tag (task, paint_next);
  g_task_set_task_data (task, painting, painting_free);
  g_task_run_in_thread (task, paint_thread);
}

gboolean
mt_pages_view_is_busy (MtPagesView *self)
{
  g_return_val_if_fail (MT_IS_PAGES_VIEW (self), FALSE);
  return self->painting != NULL ||
         (self->pages != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
          (gtk_widget_get_width (GTK_WIDGET (self)) <= 0 || find_wanted (self) >= 0));
}

GdkTexture *
mt_pages_view_get_texture (MtPagesView *self,
                           guint        page)
{
  g_return_val_if_fail (MT_IS_PAGES_VIEW (self), NULL);
  return page < count_pages (self) && sheet_at (self, page)->is_fresh ? sheet_at (self, page)->texture : NULL;
}

static void
mt_pages_view_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  MtPagesView *self = MT_PAGES_VIEW (widget);
  const GdkRGBA white = { 1, 1, 1, 1 }, shade = { 0, 0, 0, 0.35F };

  for (guint i = 0; i < count_pages (self); i++)
    {
      graphene_rect_t place;
      GskRoundedRect outline;

      if (!is_visible (self, i, 0))
        continue;
      get_place (self, i, &place);
      gsk_rounded_rect_init_from_rect (&outline, &place, 0);
      gtk_snapshot_append_outset_shadow (snapshot, &outline, &shade, 0, 1, 0, 3);
      gtk_snapshot_append_color (snapshot, &white, &place);
      if (sheet_at (self, i)->texture != NULL)
        gtk_snapshot_append_texture (snapshot, sheet_at (self, i)->texture, &place);
    }
  if (gtk_widget_has_visible_focus (widget) && self->pages != NULL)
    {
      graphene_rect_t place;

      get_place (self, self->page, &place);
      gtk_snapshot_render_focus (snapshot, gtk_widget_get_style_context (widget), place.origin.x - 4, place.origin.y - 4,
                                 place.size.width + 8, place.size.height + 8);
    }
}

/* --- moving --- */

static gboolean
tell_moved (gpointer data)
{
  MtPagesView *self = data;
  g_autofree char *text = NULL;

  self->telling = 0;
  /* Translators: a page of the report and how many there are */
  text = g_strdup_printf (_("Page %u of %u"), self->page + 1, MAX (count_pages (self), 1));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  g_signal_emit (self, moved_signal, 0);
  return G_SOURCE_REMOVE;
}

/* Often it comes to light while sizes are being handed out; what depends on it waits. */
static void
queue_moved (MtPagesView *self)
{
  if (self->telling == 0)
    self->telling = g_idle_add_full (G_PRIORITY_HIGH_IDLE, tell_moved, self, NULL);
}

/* The page that has the middle of what is on show. */
static void
on_scrolled (MtPagesView *self)
{
  graphene_rect_t place;
  double from, to;
  guint page;

  if (self->pages == NULL)
    return;
  get_place (self, 0, &place);
  get_visible (self, &from, &to);
  page = (guint) MAX (0, ((from + to) / 2 - GAP / 2) / (place.size.height + GAP));
  page = MIN (page, count_pages (self) - 1);
  if (page != self->page)
    {
      self->page = page;
      queue_moved (self);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
  paint_next (self);
}

void
mt_pages_view_go_to (MtPagesView *self,
                     guint        page)
{
  graphene_rect_t place;

  g_return_if_fail (MT_IS_PAGES_VIEW (self));
  if (page >= count_pages (self) || self->vadjustment == NULL)
    return;
  get_place (self, page, &place);
  gtk_adjustment_set_value (self->vadjustment, place.origin.y - GAP);
}

guint
mt_pages_view_get_page (MtPagesView *self)
{
  g_return_val_if_fail (MT_IS_PAGES_VIEW (self), 0);
  return self->page;
}

static void
set_zoom (MtPagesView *self,
          double       zoom)
{
  g_return_if_fail (MT_IS_PAGES_VIEW (self));

  self->zoom = zoom > 0 ? CLAMP (zoom, SMALLEST, LARGEST) : 0;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  queue_moved (self);
}

static void
action_zoom (GtkWidget  *widget,
             const char *name,
             GVariant   *step)
{
  MtPagesView *self = MT_PAGES_VIEW (widget);
  int by = g_variant_get_int32 (step);

  set_zoom (self, by == 0 ? 0 : mt_pages_view_get_zoom (self) * (by > 0 ? STEP : 1 / STEP));
}

static void
action_turn (GtkWidget  *widget,
             const char *name,
             GVariant   *step)
{
  MtPagesView *self = MT_PAGES_VIEW (widget);
  int by = g_variant_get_int32 (step);
  guint n = count_pages (self);

  if (n > 0)
    mt_pages_view_go_to (self, by == G_MININT32 ? 0 : by == G_MAXINT32 ? n - 1
                               : (guint) CLAMP ((int) self->page + by, 0, (int) n - 1));
}

static gboolean
on_scroll_zoom (GtkEventControllerScroll *controller,
                double                    dx,
                double                    dy,
                MtPagesView              *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if ((state & GDK_CONTROL_MASK) == 0 || dy == 0)
    return FALSE;
  set_zoom (self, mt_pages_view_get_zoom (self) * pow (STEP, -dy));
  return TRUE;
}

/* --- widget --- */

static GtkSizeRequestMode
mt_pages_view_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
mt_pages_view_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  MtPagesView *self = MT_PAGES_VIEW (widget);
  double width = 0, height = 0;

  if (self->pages != NULL)
    mt_report_pages_get_size (self->pages, &width, &height);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = self->zoom > 0 ? (int) round (width * self->zoom) + 2 * GAP : 160;
      *natural = MAX (*minimum, (int) width + 2 * GAP);
      return;
    }
  height = round (height * zoom_for (self, for_size > 0 ? for_size : gtk_widget_get_width (widget)));
  *minimum = *natural = GAP + (int) count_pages (self) * ((int) height + GAP);
}

static void
mt_pages_view_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  MtPagesView *self = MT_PAGES_VIEW (widget);

  queue_moved (self);
  paint_next (self);
}

static void
mt_pages_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (mt_pages_view_parent_class)->map (widget);
  paint_next (MT_PAGES_VIEW (widget));
}

static void
mt_pages_view_root (GtkWidget *widget)
{
  MtPagesView *self = MT_PAGES_VIEW (widget);
  GtkWidget *scrolled;

  GTK_WIDGET_CLASS (mt_pages_view_parent_class)->root (widget);
  scrolled = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  if (scrolled == NULL || self->vadjustment != NULL)
    return;
  self->vadjustment = g_object_ref (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)));
  g_signal_connect_object (self->vadjustment, "value-changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->vadjustment, "changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
}

void
mt_pages_view_set_pages (MtPagesView   *self,
                         MtReportPages *pages)
{
  g_return_if_fail (MT_IS_PAGES_VIEW (self));

  g_clear_object (&self->painting);
  g_clear_pointer (&self->pages, mt_report_pages_unref);
  self->pages = pages != NULL ? mt_report_pages_ref (pages) : NULL;
  g_array_set_size (self->sheets, count_pages (self));
  for (guint i = 0; i < self->sheets->len; i++)
    sheet_at (self, i)->is_fresh = FALSE;
  self->page = MIN (self->page, MAX (count_pages (self), 1) - 1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  queue_moved (self);
  paint_next (self);
}

MtReportPages *
mt_pages_view_get_pages (MtPagesView *self)
{
  g_return_val_if_fail (MT_IS_PAGES_VIEW (self), NULL);
  return self->pages;
}

static void
mt_pages_view_dispose (GObject *object)
{
  MtPagesView *self = MT_PAGES_VIEW (object);

  g_clear_handle_id (&self->telling, g_source_remove);
  g_clear_object (&self->painting);
  g_clear_object (&self->vadjustment);
  g_clear_pointer (&self->pages, mt_report_pages_unref);
  g_array_set_size (self->sheets, 0);
  G_OBJECT_CLASS (mt_pages_view_parent_class)->dispose (object);
}

static void
mt_pages_view_finalize (GObject *object)
{
  g_array_unref (MT_PAGES_VIEW (object)->sheets);
  G_OBJECT_CLASS (mt_pages_view_parent_class)->finalize (object);
}

static void
mt_pages_view_class_init (MtPagesViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  static const struct { guint key; GdkModifierType modifiers; const char *action; int step; } keys[] = {
    { GDK_KEY_plus, GDK_CONTROL_MASK, "pages.zoom", 1 },
    { GDK_KEY_equal, GDK_CONTROL_MASK, "pages.zoom", 1 },
    { GDK_KEY_KP_Add, GDK_CONTROL_MASK, "pages.zoom", 1 },
    { GDK_KEY_minus, GDK_CONTROL_MASK, "pages.zoom", -1 },
    { GDK_KEY_KP_Subtract, GDK_CONTROL_MASK, "pages.zoom", -1 },
    { GDK_KEY_0, GDK_CONTROL_MASK, "pages.zoom", 0 },
    { GDK_KEY_Page_Down, 0, "pages.turn", 1 },
    { GDK_KEY_Page_Up, 0, "pages.turn", -1 },
    { GDK_KEY_Home, 0, "pages.turn", G_MININT32 },
    { GDK_KEY_End, 0, "pages.turn", G_MAXINT32 },
  };

  object_class->dispose = mt_pages_view_dispose;
  object_class->finalize = mt_pages_view_finalize;
  widget_class->get_request_mode = mt_pages_view_get_request_mode;
  widget_class->measure = mt_pages_view_measure;
  widget_class->size_allocate = mt_pages_view_size_allocate;
  widget_class->snapshot = mt_pages_view_snapshot;
  widget_class->map = mt_pages_view_map;
  widget_class->root = mt_pages_view_root;
  moved_signal = g_signal_new ("moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 0);
  gtk_widget_class_install_action (widget_class, "pages.zoom", "i", action_zoom);
  gtk_widget_class_install_action (widget_class, "pages.turn", "i", action_turn);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget_class, keys[i].key, keys[i].modifiers, keys[i].action, "i",
                                         keys[i].step);
  gtk_widget_class_set_css_name (widget_class, "reportpages");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
mt_pages_view_init (MtPagesView *self)
{
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  self->sheets = g_array_new (FALSE, TRUE, sizeof (Sheet));
  g_array_set_clear_func (self->sheets, sheet_clear);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll_zoom), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Pages of the report"), -1);
}
