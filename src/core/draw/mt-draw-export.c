/* See mt-draw-export.h. */
#include "config.h"
#include "mt-draw-export.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#include "mt-draw-plot.h"
#include "mt-draw-private.h"
#include "base/mt-error.h"
#include "base/mt-file.h"
#include "base/mt-gettext.h"

#define MARGIN 12.0

gboolean
mt_picture_format_from_name (const char      *name,
                             MtPictureFormat *format)
{
  static const char * const suffixes[] = { ".png", ".svg", ".pdf" };
  g_autofree char *lower = NULL;

  g_return_val_if_fail (name != NULL && format != NULL, FALSE);

  lower = g_ascii_strdown (name, -1);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (lower, suffixes[i]))
      {
        *format = (MtPictureFormat) i;
        return TRUE;
      }
  return FALSE;
}

typedef void (*PaintFunc) (cairo_t *cr, double width, double height, gpointer data);

/* Files of equal content are equal when the build, or its caller, sets the date. */
static void
fix_date (cairo_surface_t *surface)
{
  const char *epoch = g_getenv ("SOURCE_DATE_EPOCH");
  g_autoptr (GDateTime) date = NULL;
  g_autofree char *text = NULL;

  if (epoch != NULL)
    date = g_date_time_new_from_unix_utc (g_ascii_strtoll (epoch, NULL, 10));
  if (date != NULL)
    text = g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ");
  if (text != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, text);
}

/* Cairo numbers its surfaces through the life of the process and names the drawing by that. */
static void
fix_name (GByteArray *svg)
{
  const char *text = (const char *) svg->data;
  const char *start = g_strstr_len (text, svg->len, "<g id=\"surface");
  const char *end = start != NULL ? memchr (start, '>', (gsize) (text + svg->len - start)) : NULL;
  static const char name[] = "<g id=\"plot\"";
  gsize at, length;

  if (end == NULL)
    return;
  at = (gsize) (start - text);
  length = (gsize) (end - start);
  if (length < strlen (name))
    return;
  memcpy (svg->data + at, name, strlen (name));
  g_byte_array_remove_range (svg, (guint) (at + strlen (name)), (guint) (length - strlen (name)));
}

static GBytes *
render (double            width,
        double            height,
        MtPictureFormat   format,
        double            scale,
        PaintFunc         paint,
        gpointer          data,
        GError          **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface;
  cairo_status_t status;
  cairo_t *cr;

  if (format == MT_PICTURE_SVG)
    surface = cairo_svg_surface_create_for_stream (mt_picture_collect, bytes, width, height);
  else if (format == MT_PICTURE_PDF)
    surface = cairo_pdf_surface_create_for_stream (mt_picture_collect, bytes, width, height);
  else
    surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) ceil (width * scale), (int) ceil (height * scale));
  if (format == MT_PICTURE_PDF)
    fix_date (surface);
  else if (format == MT_PICTURE_SVG)
    cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  cr = cairo_create (surface);
  if (format == MT_PICTURE_PNG)
    cairo_scale (cr, scale, scale);
  paint (cr, width, height, data);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && format == MT_PICTURE_PNG)
    status = cairo_surface_write_to_png_stream (surface, mt_picture_collect, bytes);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, _("cannot draw the picture: %s"),
                   cairo_status_to_string (status));
      return NULL;
    }
  if (format == MT_PICTURE_SVG)
    fix_name (bytes);
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static gboolean
write_picture (double            width,
               double            height,
               MtPictureFormat   format,
               double            scale,
               PaintFunc         paint,
               gpointer          data,
               const char       *path,
               GError          **error)
{
  g_autoptr (GBytes) bytes = render (width, height, format, scale, paint, data, error);
  gconstpointer content;
  gsize length;

  if (bytes == NULL)
    {
      g_autofree char *name = g_filename_display_name (path);

      g_prefix_error (error, "“%s”: ", name);
      return FALSE;
    }
  content = g_bytes_get_data (bytes, &length);
  return mt_file_write (path, content, length, MT_FILE_REPLACE, error);
}

typedef struct {
  const MtPlotSpec    *spec;
  const MtPlotPalette *palette;
} Plot;

static void
paint_plot (cairo_t  *cr,
            double    width,
            double    height,
            gpointer  data)
{
  const Plot *plot = data;
  const MtColor *background = &plot->palette->background;
  PangoContext *context = pango_cairo_create_context (cr);
  g_autoptr (MtPlotFonts) fonts = mt_plot_fonts_new (context, NULL);
  g_autoptr (MtPlotLayout) layout = mt_plot_layout_new (plot->spec, width - 2 * MARGIN, height - 2 * MARGIN,
                                                        mt_plot_measure, fonts);

  cairo_set_source_rgba (cr, background->red, background->green, background->blue, background->alpha);
  cairo_paint (cr);
  cairo_translate (cr, MARGIN, MARGIN);
  mt_draw_plot (cr, layout, fonts, plot->palette);
  g_object_unref (context);
}

gboolean
mt_plot_export (const MtPlotSpec     *spec,
                double                width,
                double                height,
                const MtPlotPalette  *palette,
                MtPictureFormat       format,
                double                scale,
                const char           *path,
                GError              **error)
{
  Plot plot = { spec, palette };

  g_return_val_if_fail (spec != NULL && palette != NULL && path != NULL, FALSE);

  if (!(width >= 100 && width <= 20000 && height >= 100 && height <= 20000 && scale >= 0.1 && scale <= 10))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("a picture must be 100 to 20000 points wide and high, at a scale of 0.1 to 10"));
      return FALSE;
    }
  return write_picture (width, height, format, scale, paint_plot, &plot, path, error);
}

typedef struct {
  MtPictureFunc func;
  gpointer      data;
} Drawing;

static void
paint_drawing (cairo_t  *cr,
               double    width,
               double    height,
               gpointer  data)
{
  const Drawing *drawing = data;
  PangoContext *context = pango_cairo_create_context (cr);
  PangoFontDescription *font = pango_font_description_from_string ("Cantarell, Sans 11");
  MtPalette palette;

  pango_context_set_font_description (context, font);
  pango_context_set_round_glyph_positions (context, FALSE);     /* paper knows no pixels */
  mt_palette_init (&palette, FALSE, FALSE);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_translate (cr, MARGIN, MARGIN);
  drawing->func (cr, context, &palette, drawing->data);
  pango_font_description_free (font);
  g_object_unref (context);
}

gboolean
mt_picture_write (const char     *path,
                  double          width,
                  double          height,
                  double          scale,
                  MtPictureFunc   func,
                  gpointer        data,
                  GError        **error)
{
  Drawing drawing = { func, data };
  MtPictureFormat format;

  g_return_val_if_fail (path != NULL && func != NULL, FALSE);

  if (!mt_picture_format_from_name (path, &format))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                           _("the file name of a picture must end in .svg, .png, or .pdf"));
      return FALSE;
    }
  /* No surface takes more than this many pixels a side. */
  if (format == MT_PICTURE_PNG)
    scale = MIN (scale, 30000 / MAX (width + 2 * MARGIN, height + 2 * MARGIN));
  return write_picture (width + 2 * MARGIN, height + 2 * MARGIN, format, scale, paint_drawing, &drawing, path, error);
}

GBytes *
mt_picture_render (MtPictureFormat   format,
                   double            width,
                   double            height,
                   double            scale,
                   MtPictureFunc     func,
                   gpointer          data,
                   GError          **error)
{
  Drawing drawing = { func, data };

  g_return_val_if_fail (func != NULL, NULL);

  return render (width + 2 * MARGIN, height + 2 * MARGIN, format, scale, paint_drawing, &drawing, error);
}
