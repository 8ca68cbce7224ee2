/* One visible row of the grid: a widget of its own, so that screen readers find it and only the rows that
 * changed are drawn again. See mt-grid-row.h. */
#include "config.h"
#include "mt-grid-row.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "util/mt-format.h"
#include "util/mt-theme.h"

#define PADDING      10
#define SPOKEN_CELLS 12   /* in a row's name; more would only delay the listener */

struct _MtGridRow {
  GtkWidget          parent_instance;

  const MtGridScene *scene;
  gsize              row;
};

G_DEFINE_FINAL_TYPE (MtGridRow, mt_grid_row, GTK_TYPE_WIDGET)

typedef struct {
  GtkSnapshot *snapshot;
  PangoLayout *text;
  double       height;
  GdkRGBA      ink, dim, line, tint, current, ring;
} Brush;

gsize
mt_grid_scene_find_row (const MtGridScene *scene,
                        gsize              position)
{
  const guint32 *rows;
  gsize n;

  if (scene->list == NULL)
    return position;
  rows = mt_row_list_get_rows (scene->list, &n);
  return position < n ? rows[position] : 0;
}

static void
fill (const Brush   *brush,
      const GdkRGBA *color,
      double         x,
      double         y,
      double         width,
      double         height)
{
  gtk_snapshot_append_color (brush->snapshot, color,
                             &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, (float) height));
}

static void
draw_text (const Brush   *brush,
           const GdkRGBA *color,
           const char    *string,
           double         x,
           double         width,
           gboolean       at_right)
{
  double room = width - 2 * PADDING;
  int text_width, text_height;

  if (room <= 0 || *string == '\0')
    return;
  pango_layout_set_width (brush->text, -1);
  pango_layout_set_text (brush->text, string, -1);
  pango_layout_get_pixel_size (brush->text, &text_width, &text_height);
  if (text_width > room)
    {
      pango_layout_set_width (brush->text, (int) (room * PANGO_SCALE));
      text_width = (int) room;
    }
  gtk_snapshot_save (brush->snapshot);
  gtk_snapshot_translate (brush->snapshot, &GRAPHENE_POINT_INIT (
    (float) rint (at_right ? x + width - PADDING - text_width : x + PADDING),
    (float) rint ((brush->height - text_height) / 2)));
  gtk_snapshot_append_layout (brush->snapshot, brush->text, color);
  gtk_snapshot_restore (brush->snapshot);
}

static void
draw_cell (MtGridRow   *self,
           const Brush *brush,
           guint        place)
{
  const MtGridScene *scene = self->scene;
  guint index = scene->geometry.order[place];
  const MtColumn *column = mt_table_get_column (scene->table, index);
  MtColumnRole role = mt_table_get_role (scene->table, index);
  double x = mt_grid_geometry_get_x (&scene->geometry, place);
  double width = mt_grid_geometry_get_width (&scene->geometry, place);
  gsize row = mt_grid_scene_find_row (scene, self->row);
  gboolean missing = mt_column_is_missing (column, row);
  g_autofree char *text = missing ? g_strdup ("–") : mt_format_cell (column, row);

  if (role == MT_ROLE_TARGET)
    fill (brush, &brush->tint, x, 0, width, brush->height);
  draw_text (brush, missing || role == MT_ROLE_IGNORED ? &brush->dim : &brush->ink, text, x, width,
             mt_column_get_store (column) == MT_STORE_NUMBERS);
  fill (brush, &brush->line, x + width - 1, 0, 1, brush->height);
  if (scene->cursor_shown && self->row == scene->cursor_row && place == scene->cursor_place)
    {
      GskRoundedRect outline;
      GdkRGBA colors[] = { brush->ring, brush->ring, brush->ring, brush->ring };
      const float widths[] = { 2, 2, 2, 2 };

      gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT ((float) x, 0, (float) width - 1,
                                                                      (float) brush->height - 1), 4);
      gtk_snapshot_append_border (brush->snapshot, &outline, widths, colors);
    }
}

static void
mt_grid_row_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  MtGridRow *self = MT_GRID_ROW (widget);
  const MtGridGeometry *geometry = &self->scene->geometry;
  g_autoptr (PangoLayout) text = NULL;
  g_autofree char *number = NULL;
  double frozen_end = mt_grid_geometry_frozen_end (geometry);
  double width = gtk_widget_get_width (widget);
  gboolean high_contrast = adw_style_manager_get_high_contrast (adw_style_manager_get_default ());
  MtPalette palette;
  Brush brush;
  guint first, last;

  if (self->scene->table == NULL || self->row >= geometry->n_rows)
    return;
  mt_theme_get_palette (widget, &palette);
  text = gtk_widget_create_pango_layout (widget, NULL);
  pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_END);
  pango_layout_set_single_paragraph_mode (text, TRUE);
  brush = (Brush) {
    snapshot, text, gtk_widget_get_height (widget),
    mt_theme_rgba (&palette.text), mt_theme_rgba (&palette.dim),
    mt_theme_faded (&palette.text, high_contrast ? 0.5 : 0.1), mt_theme_faded (&palette.target, 0.08),
    mt_theme_faded (&palette.accent, 0.10), mt_theme_rgba (&palette.accent)
  };

  if (self->scene->cursor_shown && self->row == self->scene->cursor_row)
    fill (&brush, &brush.current, 0, 0, width, brush.height);
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT ((float) frozen_end, 0, (float) MAX (width - frozen_end, 0),
                                                         (float) brush.height));
  mt_grid_geometry_get_places (geometry, &first, &last);
  for (guint place = first; place < last; place++)
    draw_cell (self, &brush, place);
  gtk_snapshot_pop (snapshot);
  if (frozen_end > geometry->number_width)
    draw_cell (self, &brush, 0);

  number = mt_format_count (mt_grid_scene_find_row (self->scene, self->row) + 1);
  draw_text (&brush, &brush.dim, number, 0, geometry->number_width, TRUE);
  fill (&brush, &brush.line, geometry->number_width - 1, 0, 1, brush.height);
  fill (&brush, &brush.line, 0, brush.height - 1, MIN (width, mt_grid_geometry_full_width (geometry)), 1);
}

/* "Row 3: Age 40, Sex M, …" of the first columns in view. */
static char *
spoken_name (MtGridRow *self)
{
  const MtGridScene *scene = self->scene;
  g_autoptr (GString) name = g_string_new (NULL);
  gsize row = mt_grid_scene_find_row (scene, self->row);
  g_autofree char *number = mt_format_count (row + 1);
  guint first, last;

  g_string_printf (name, _("Row %s:"), number);
  mt_grid_geometry_get_places (&scene->geometry, &first, &last);
  for (guint i = 0; i < SPOKEN_CELLS && first + i < last; i++)
    {
      const MtColumn *column = mt_table_get_column (scene->table, scene->geometry.order[first + i]);
      g_autofree char *cell = mt_format_cell (column, row);

      g_string_append_printf (name, "%s %s %s", i > 0 ? "," : "", mt_column_get_name (column),
                              *cell != '\0' ? cell : _("missing"));
    }
  return g_string_free (g_steal_pointer (&name), FALSE);
}

void
mt_grid_row_bind (MtGridRow *self,
                  gsize      row)
{
  g_autofree char *name = NULL;

  g_return_if_fail (MT_IS_GRID_ROW (self));

  self->row = row;
  name = spoken_name (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gsize
mt_grid_row_get (MtGridRow *self)
{
  return self->row;
}

static void
mt_grid_row_class_init (MtGridRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = mt_grid_row_snapshot;
  gtk_widget_class_set_css_name (widget_class, "gridrow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_ROW);
}

static void
mt_grid_row_init (MtGridRow *self)
{
  self->row = G_MAXSIZE;
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
mt_grid_row_new (const MtGridScene *scene)
{
  MtGridRow *self = g_object_new (MT_TYPE_GRID_ROW, NULL);

  self->scene = scene;
  return GTK_WIDGET (self);
}
