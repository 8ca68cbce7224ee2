/* The table on the screen: heads of the columns above, rows below, scrolled by a GtkScrolledWindow. See mt-
 * grid.h. */
#include "config.h"
#include "mt-grid-private.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "mt-column-header.h"
#include "util/mt-format.h"
#include "util/mt-preferences.h"

#define HEADS_AHEAD 10

enum {
  PROP_0,
  PROP_HADJUSTMENT,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

G_DEFINE_FINAL_TYPE_WITH_CODE (MtGrid, mt_grid, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

/* --- widgets for what is in view --- */

void
_mt_grid_redraw_rows (MtGrid *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    gtk_widget_queue_draw (self->rows->pdata[i]);
}

/* Make the widgets look at the table again. */
static void
rebind_rows (MtGrid *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (mt_grid_row_get (self->rows->pdata[i]) < self->scene.geometry.n_rows)
      mt_grid_row_bind (self->rows->pdata[i], mt_grid_row_get (self->rows->pdata[i]));
}

static void
rebind_headers (MtGrid *self)
{
  for (guint i = 0; i < self->headers->len; i++)
    {
      MtColumnHeader *header = self->headers->pdata[i];

      if (mt_column_header_get_column (header) < self->scene.geometry.n_places)
        mt_column_header_bind (header, mt_column_header_get_column (header));
    }
  if (self->scene.geometry.n_places > 0)
    mt_column_header_bind (MT_COLUMN_HEADER (self->frozen), self->scene.geometry.order[0]);
}

static void
grow_pool (MtGrid    *self,
           GPtrArray *pool,
           gsize      needed)
{
  if (pool->len >= needed)
    return;
  while (pool->len < needed)
    {
      GtkWidget *widget = pool == self->rows ? mt_grid_row_new (&self->scene)
                                             : mt_column_header_new (self->document, self->distributions);

      /* The target's head comes last, so that the others pass below it. */
      gtk_widget_set_child_visible (widget, FALSE);
      gtk_widget_insert_before (widget, GTK_WIDGET (self), self->frozen);
      if (pool == self->headers)
        _mt_grid_watch_head (self, widget);
      g_ptr_array_add (pool, widget);
    }
}

/* Heads are what costs when the first table is shown; make some while there is nothing to do. */
static gboolean
make_head (gpointer data)
{
  MtGrid *self = data;

  if (self->headers->len >= HEADS_AHEAD)
    {
      self->making = 0;
      return G_SOURCE_REMOVE;
    }
  grow_pool (self, self->headers, self->headers->len + 1);
  return G_SOURCE_CONTINUE;
}

static void
place_child (GtkWidget *child,
             double     x,
             double     y,
             double     width,
             double     height)
{
  gtk_widget_set_child_visible (child, TRUE);
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_size_allocate (child, &(GtkAllocation) { (int) x, (int) y, (int) width, (int) height }, -1);
}

static void
place_rows (MtGrid *self)
{
  const MtGridGeometry *geometry = &self->scene.geometry;
  gsize first, last;

  mt_grid_geometry_get_rows (geometry, &first, &last);
  grow_pool (self, self->rows, last - first);
  for (guint i = 0; i < self->rows->len; i++)
    {
      gsize row = mt_grid_row_get (self->rows->pdata[i]);

      if (row < first || row >= last || row % self->rows->len != i)
        gtk_widget_set_child_visible (self->rows->pdata[i], FALSE);
    }
  for (gsize row = first; row < last; row++)
    {
      GtkWidget *widget = self->rows->pdata[row % self->rows->len];

      if (mt_grid_row_get (MT_GRID_ROW (widget)) != row)
        mt_grid_row_bind (MT_GRID_ROW (widget), row);
      place_child (widget, 0, geometry->header_height + rint ((double) row * geometry->row_height - geometry->scroll_y),
                   geometry->width, geometry->row_height);
    }
}

/* Heads of the columns that are seen; the place of a head among them is that of its column. */
static void
bind_headers (MtGrid               *self,
              const MtGridGeometry *geometry,
              guint                *first,
              guint                *last)
{
  mt_grid_geometry_get_places (geometry, first, last);
  grow_pool (self, self->headers, *last - *first);
  for (guint place = *first; place < *last; place++)
    {
      MtColumnHeader *header = self->headers->pdata[place % self->headers->len];

      if (mt_column_header_get_column (header) != geometry->order[place])
        mt_column_header_bind (header, geometry->order[place]);
    }
}

static void
place_headers (MtGrid *self)
{
  const MtGridGeometry *geometry = &self->scene.geometry;
  gboolean frozen = mt_grid_geometry_frozen_end (geometry) > geometry->number_width;
  guint first, last;

  bind_headers (self, geometry, &first, &last);
  /* Only those that are not seen: to be hidden for a moment takes the focus, also from an open menu. */
  for (guint i = 0; i < self->headers->len; i++)
    if ((i + self->headers->len - first % self->headers->len) % self->headers->len >= last - first)
      gtk_widget_set_child_visible (self->headers->pdata[i], FALSE);
  for (guint place = first; place < last; place++)
    place_child (self->headers->pdata[place % self->headers->len], mt_grid_geometry_get_x (geometry, place), 0,
                 mt_grid_geometry_get_width (geometry, place), geometry->header_height);
  if (frozen)
    place_child (self->frozen, geometry->number_width, 0, mt_grid_geometry_get_width (geometry, 0),
                 geometry->header_height);
  else
    gtk_widget_set_child_visible (self->frozen, FALSE);
}

/* --- scrolling --- */

static void
configure_adjustments (MtGrid *self)
{
  MtGridGeometry *geometry = &self->scene.geometry;
  double body = MAX (geometry->height - geometry->header_height, 0);
  GtkAdjustment *h = self->adjustments[GTK_ORIENTATION_HORIZONTAL];
  GtkAdjustment *v = self->adjustments[GTK_ORIENTATION_VERTICAL];

  if (h != NULL)
    {
      double upper = MAX (mt_grid_geometry_full_width (geometry), geometry->width);

      gtk_adjustment_configure (h, CLAMP (gtk_adjustment_get_value (h), 0, upper - geometry->width), 0, upper,
                                60, geometry->width * 0.9, geometry->width);
      geometry->scroll_x = rint (gtk_adjustment_get_value (h));
    }
  if (v != NULL)
    {
      double upper = MAX (mt_grid_geometry_full_height (geometry), body);

      gtk_adjustment_configure (v, CLAMP (gtk_adjustment_get_value (v), 0, upper - body), 0, upper,
                                geometry->row_height * 3, body * 0.9, body);
      geometry->scroll_y = rint (gtk_adjustment_get_value (v));
    }
}

static void
mt_grid_size_allocate (GtkWidget *widget,
                       int        width,
                       int        height,
                       int        baseline)
{
  MtGrid *self = MT_GRID (widget);
  MtGridGeometry *geometry = &self->scene.geometry;
  double old_x = geometry->scroll_x, old_width = geometry->width;

  if (self->scene.table == NULL)
    return;
  geometry->width = width;
  geometry->height = height;
  configure_adjustments (self);
  place_rows (self);
  place_headers (self);
  if (geometry->scroll_x != old_x || geometry->width != old_width)
    _mt_grid_redraw_rows (self);
}

/* The text of a column header changes its size request. Do not queue a resize during allocation. */
static void
on_scrolled (GtkAdjustment *adjustment,
             MtGrid        *self)
{
  MtGridGeometry there = self->scene.geometry;
  guint first, last;

  if (adjustment == self->adjustments[GTK_ORIENTATION_HORIZONTAL] && self->scene.table != NULL)
    {
      there.scroll_x = rint (gtk_adjustment_get_value (adjustment));
      bind_headers (self, &there, &first, &last);
      _mt_grid_keep_focus (self);
    }
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
set_adjustment (MtGrid         *self,
                GtkOrientation  orientation,
                GtkAdjustment  *adjustment)
{
  GtkAdjustment **slot = &self->adjustments[orientation];

  if (*slot == adjustment && adjustment != NULL)
    return;
  if (*slot != NULL)
    g_signal_handlers_disconnect_by_func (*slot, on_scrolled, self);
  g_clear_object (slot);
  *slot = adjustment != NULL ? g_object_ref_sink (adjustment)
                             : g_object_ref_sink (gtk_adjustment_new (0, 0, 0, 0, 0, 0));
  g_signal_connect (*slot, "value-changed", G_CALLBACK (on_scrolled), self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* --- drawing --- */

static void
mt_grid_snapshot (GtkWidget   *widget,
                  GtkSnapshot *snapshot)
{
  MtGrid *self = MT_GRID (widget);
  const MtGridGeometry *geometry = &self->scene.geometry;
  double frozen_end = mt_grid_geometry_frozen_end (geometry);
  float width = (float) geometry->width;
  GdkRGBA line;

  if (self->scene.table == NULL)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &line);
  line.alpha *= adw_style_manager_get_high_contrast (adw_style_manager_get_default ()) ? 0.5f : 0.15f;

  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, (float) geometry->header_height, width,
                                                         (float) (geometry->height - geometry->header_height)));
  for (guint i = 0; i < self->rows->len; i++)
    gtk_widget_snapshot_child (widget, self->rows->pdata[i], snapshot);
  gtk_snapshot_pop (snapshot);

  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT ((float) frozen_end, 0, width - (float) frozen_end,
                                                         (float) geometry->header_height));
  for (guint i = 0; i < self->headers->len; i++)
    gtk_widget_snapshot_child (widget, self->headers->pdata[i], snapshot);
  gtk_snapshot_pop (snapshot);
  gtk_widget_snapshot_child (widget, self->frozen, snapshot);

  gtk_snapshot_append_color (snapshot, &line, &GRAPHENE_RECT_INIT (0, (float) geometry->header_height - 1, width, 1));
  gtk_snapshot_append_color (snapshot, &line, &GRAPHENE_RECT_INIT ((float) geometry->number_width - 1, 0, 1,
                                                                   (float) geometry->header_height));
}

/* --- the table --- */

static double
digit_width (MtGrid *self)
{
  g_autoptr (PangoLayout) text = gtk_widget_create_pango_layout (GTK_WIDGET (self), "0000000000");
  int width;

  pango_layout_get_pixel_size (text, &width, NULL);
  return width / 10.0;
}

static void
measure_lines (MtGrid *self)
{
  g_autoptr (PangoLayout) text = gtk_widget_create_pango_layout (GTK_WIDGET (self), "Äg");
  int height;

  pango_layout_get_pixel_size (text, NULL, &height);
  self->scene.geometry.row_height = height + 10;
  gtk_widget_measure (self->frozen, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  self->scene.geometry.header_height = height;
}

/* The cursor keeps its cell while only roles change. */
static gboolean
same_columns (const MtTable *a,
              const MtTable *b)
{
  if (a == NULL || b == NULL || mt_table_get_n_columns (a) != mt_table_get_n_columns (b))
    return FALSE;
  for (guint i = 0; i < mt_table_get_n_columns (a); i++)
    if (mt_table_get_column (a, i) != mt_table_get_column (b, i))
      return FALSE;
  return TRUE;
}

static void
on_table_changed (MtDocument *document,
                  MtGrid     *self)
{
  MtTable *table = mt_document_get_table (document);
  gboolean kept = same_columns (self->scene.table, table);
  guint column = kept && self->scene.cursor_place < self->scene.geometry.n_places
                 ? self->scene.geometry.order[self->scene.cursor_place] : 0;
  gsize cursor = mt_grid_scene_find_row (&self->scene, self->scene.cursor_row);
  guint first, last;

  mt_distributions_set_table (self->distributions, table);
  if (table != NULL)
    mt_table_ref (table);
  g_clear_pointer (&self->scene.table, mt_table_unref);
  g_clear_pointer (&self->scene.list, mt_row_list_unref);
  self->scene.table = table;
  mt_grid_geometry_clear (&self->scene.geometry);
  if (table == NULL)
    {
      for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
           child = gtk_widget_get_next_sibling (child))
        gtk_widget_set_child_visible (child, FALSE);
      gtk_widget_queue_draw (GTK_WIDGET (self));
      return;
    }

  mt_grid_geometry_set_table (&self->scene.geometry, table, digit_width (self));
  rebind_rows (self);
  rebind_headers (self);
  measure_lines (self);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_RELATION_ROW_COUNT, (int) MIN (mt_table_get_n_rows (table), G_MAXINT),
                                  GTK_ACCESSIBLE_RELATION_COL_COUNT, (int) mt_table_get_n_columns (table),
                                  -1);
  self->scene.cursor_row = cursor;
  if (!kept)
    {
      self->scene.cursor_row = 0;
      self->scene.cursor_place = 0;
      self->scene.cursor_shown = FALSE;
    }
  /* A new target stands first, and the others make room. */
  for (guint place = 0; kept && place < self->scene.geometry.n_places; place++)
    if (self->scene.geometry.order[place] == column)
      self->scene.cursor_place = place;
  bind_headers (self, &self->scene.geometry, &first, &last);
  _mt_grid_keep_focus (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
mt_grid_set_rows (MtGrid    *self,
                  MtRowList *rows)
{
  gsize cursor = mt_grid_scene_find_row (&self->scene, self->scene.cursor_row);
  gsize n;

  g_return_if_fail (MT_IS_GRID (self));

  if (self->scene.table == NULL || (rows == NULL && self->scene.list == NULL))
    return;
  n = mt_table_get_n_rows (self->scene.table);
  if (rows != NULL)
    {
      mt_row_list_get_rows (rows, &n);
      mt_row_list_ref (rows);
    }
  g_clear_pointer (&self->scene.list, mt_row_list_unref);
  self->scene.list = rows;
  self->scene.geometry.n_rows = n;
  self->scene.cursor_row = cursor;   /* the cursor stays with its row, if it is still there */
  if (rows != NULL && !mt_row_list_find (rows, cursor, &self->scene.cursor_row))
    {
      self->scene.cursor_row = 0;
      self->scene.cursor_shown = FALSE;
    }
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_ROW_COUNT, (int) MIN (n, G_MAXINT), -1);
  configure_adjustments (self);
  if (self->adjustments[GTK_ORIENTATION_VERTICAL] != NULL)
    {
      double y = self->scene.geometry.scroll_y, x;

      if (self->scene.cursor_shown)
        mt_grid_geometry_reveal (&self->scene.geometry, self->scene.cursor_place, self->scene.cursor_row, &x, &y);
      gtk_adjustment_set_value (self->adjustments[GTK_ORIENTATION_VERTICAL], self->scene.cursor_shown ? y : 0);
    }
  rebind_rows (self);
  _mt_grid_redraw_rows (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

MtRowList *
mt_grid_dup_rows (MtGrid *self)
{
  return self->scene.list != NULL ? mt_row_list_ref (self->scene.list) : NULL;
}

gsize
mt_grid_find_row (MtGrid *self,
                  gsize   position)
{
  return mt_grid_scene_find_row (&self->scene, position);
}

gsize
mt_grid_get_n_rows (MtGrid *self)
{
  return self->scene.geometry.n_rows;
}

static void
on_details_changed (gpointer  source,
                    MtGrid   *self)
{
  rebind_headers (self);
}

static void
on_theme_changed (MtGrid *self)
{
  _mt_grid_redraw_rows (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
mt_grid_css_changed (GtkWidget         *widget,
                     GtkCssStyleChange *change)
{
  MtGrid *self = MT_GRID (widget);

  GTK_WIDGET_CLASS (mt_grid_parent_class)->css_changed (widget, change);
  if (self->scene.table != NULL)
    {
      measure_lines (self);
      on_theme_changed (self);
      gtk_widget_queue_resize (widget);
    }
}

/* --- the cursor --- */

static void
say_cell (MtGrid *self)
{
  const MtColumn *column = mt_table_get_column (self->scene.table,
                                                self->scene.geometry.order[self->scene.cursor_place]);
  gsize row = mt_grid_scene_find_row (&self->scene, self->scene.cursor_row);
  g_autofree char *cell = mt_format_cell (column, row);
  g_autofree char *number = mt_format_count (row + 1);
  /* Translators: spoken place in the table: name of the column, row number, value */
  g_autofree char *text = g_strdup_printf (_("%s, row %s: %s"), mt_column_get_name (column), number,
                                           *cell != '\0' ? cell : _("missing"));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void
_mt_grid_put_cursor (MtGrid *self,
                     guint   place,
                     gsize   row)
{
  self->scene.cursor_place = place;
  self->scene.cursor_row = row;
  self->scene.cursor_shown = TRUE;
  _mt_grid_redraw_rows (self);
  say_cell (self);
}

void
mt_grid_go_to (MtGrid *self,
               guint   place,
               gsize   row)
{
  double x, y;

  g_return_if_fail (MT_IS_GRID (self));
  g_return_if_fail (place < self->scene.geometry.n_places && row < self->scene.geometry.n_rows);

  _mt_grid_put_cursor (self, place, row);
  mt_grid_geometry_reveal (&self->scene.geometry, place, row, &x, &y);
  gtk_adjustment_set_value (self->adjustments[GTK_ORIENTATION_HORIZONTAL], x);
  gtk_adjustment_set_value (self->adjustments[GTK_ORIENTATION_VERTICAL], y);
}

void
mt_grid_show_column (MtGrid *self,
                     guint   place)
{
  gsize first, last;

  g_return_if_fail (MT_IS_GRID (self) && place < self->scene.geometry.n_places);

  mt_grid_geometry_get_rows (&self->scene.geometry, &first, &last);
  if (first < last)
    {
      first = self->scene.geometry.scroll_y > (double) first * self->scene.geometry.row_height ? first + 1 : first;
      mt_grid_go_to (self, place, MIN (first, last - 1));
    }
}

gboolean
mt_grid_get_cursor (MtGrid *self,
                    guint  *place,
                    gsize  *row)
{
  *place = self->scene.cursor_place;
  *row = self->scene.cursor_row;
  return self->scene.cursor_shown && self->scene.table != NULL;
}

const guint *
mt_grid_get_order (MtGrid *self,
                   guint  *n_places)
{
  *n_places = self->scene.geometry.n_places;
  return self->scene.geometry.order;
}

GtkWidget *
mt_grid_find_header (MtGrid *self,
                     guint   column)
{
  if (gtk_widget_get_child_visible (self->frozen) &&
      mt_column_header_get_column (MT_COLUMN_HEADER (self->frozen)) == column)
    return self->frozen;
  for (guint i = 0; i < self->headers->len; i++)
    if (gtk_widget_get_child_visible (self->headers->pdata[i]) &&
        mt_column_header_get_column (self->headers->pdata[i]) == column)
      return self->headers->pdata[i];
  return NULL;
}

static void
on_copy (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  MtGrid *self = MT_GRID (widget);
  g_autofree char *text = NULL;

  if (!self->scene.cursor_shown || self->scene.table == NULL || self->scene.geometry.n_rows == 0)
    return;
  text = mt_column_dup_text (mt_table_get_column (self->scene.table,
                                                  self->scene.geometry.order[self->scene.cursor_place]),
                             mt_grid_scene_find_row (&self->scene, self->scene.cursor_row));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static gboolean
mt_grid_focus (GtkWidget        *widget,
               GtkDirectionType  direction)
{
  return _mt_grid_take_tab (MT_GRID (widget), direction) ||
         GTK_WIDGET_CLASS (mt_grid_parent_class)->focus (widget, direction);
}

/* --- object --- */

static void
mt_grid_measure (GtkWidget      *widget,
                 GtkOrientation  orientation,
                 int             for_size,
                 int            *minimum,
                 int            *natural,
                 int            *minimum_baseline,
                 int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : 200;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 600 : 400;
}

static void
mt_grid_get_property (GObject    *object,
                      guint       id,
                      GValue     *value,
                      GParamSpec *pspec)
{
  MtGrid *self = MT_GRID (object);

  switch (id)
    {
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->adjustments[GTK_ORIENTATION_HORIZONTAL]);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->adjustments[GTK_ORIENTATION_VERTICAL]);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, (int) self->policies[GTK_ORIENTATION_HORIZONTAL]);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, (int) self->policies[GTK_ORIENTATION_VERTICAL]);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
mt_grid_set_property (GObject      *object,
                      guint         id,
                      const GValue *value,
                      GParamSpec   *pspec)
{
  MtGrid *self = MT_GRID (object);

  switch (id)
    {
    case PROP_HADJUSTMENT:
      set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, g_value_get_object (value));
      break;
    case PROP_VADJUSTMENT:
      set_adjustment (self, GTK_ORIENTATION_VERTICAL, g_value_get_object (value));
      break;
    case PROP_HSCROLL_POLICY:
      self->policies[GTK_ORIENTATION_HORIZONTAL] = (GtkScrollablePolicy) g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->policies[GTK_ORIENTATION_VERTICAL] = (GtkScrollablePolicy) g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
mt_grid_dispose (GObject *object)
{
  MtGrid *self = MT_GRID (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->frozen = NULL;
  g_clear_handle_id (&self->making, g_source_remove);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->headers, g_ptr_array_unref);
  for (guint i = 0; i < 2; i++)
    {
      if (self->adjustments[i] != NULL)
        g_signal_handlers_disconnect_by_func (self->adjustments[i], on_scrolled, self);
      g_clear_object (&self->adjustments[i]);
    }
  mt_grid_geometry_clear (&self->scene.geometry);
  g_clear_pointer (&self->scene.list, mt_row_list_unref);
  g_clear_pointer (&self->scene.table, mt_table_unref);
  g_clear_object (&self->document);
  g_clear_object (&self->distributions);
  G_OBJECT_CLASS (mt_grid_parent_class)->dispose (object);
}

static void
mt_grid_class_init (MtGridClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = mt_grid_get_property;
  object_class->set_property = mt_grid_set_property;
  object_class->dispose = mt_grid_dispose;
  widget_class->measure = mt_grid_measure;
  widget_class->size_allocate = mt_grid_size_allocate;
  widget_class->snapshot = mt_grid_snapshot;
  widget_class->focus = mt_grid_focus;
  widget_class->css_changed = mt_grid_css_changed;
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
  gtk_widget_class_install_action (widget_class, "grid.copy", NULL, on_copy);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "grid.copy", NULL);
  gtk_widget_class_set_css_name (widget_class, "datagrid");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GRID);
}

static void
mt_grid_init (MtGrid *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  self->resizing = -1;
  self->rows = g_ptr_array_new ();
  self->headers = g_ptr_array_new ();
  self->distributions = mt_distributions_new ();
  self->scene.geometry.row_height = 28;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  /* A table of a file reads from the left in every language. */
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Table"), -1);
  _mt_grid_add_input (self);
  g_signal_connect_object (self->distributions, "changed", G_CALLBACK (on_details_changed), self, 0);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (on_theme_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (on_theme_changed), self, G_CONNECT_SWAPPED);
}

void
mt_grid_set_document (MtGrid     *self,
                      MtDocument *document)
{
  g_return_if_fail (MT_IS_GRID (self) && self->document == NULL);

  self->document = g_object_ref (document);
  self->frozen = mt_column_header_new (document, self->distributions);
  gtk_widget_add_css_class (self->frozen, "frozen");
  gtk_widget_set_parent (self->frozen, GTK_WIDGET (self));
  gtk_widget_set_child_visible (self->frozen, FALSE);
  _mt_grid_watch_head (self, self->frozen);
  self->making = g_idle_add_full (G_PRIORITY_LOW, make_head, self, NULL);
  g_signal_connect_object (document, "table-changed", G_CALLBACK (on_table_changed), self, 0);
  g_signal_connect_object (document, "findings-changed", G_CALLBACK (on_details_changed), self, 0);
  mt_preferences_watch_numbers (self, G_CALLBACK (_mt_grid_redraw_rows));
}
