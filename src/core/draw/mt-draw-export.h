/* A drawing as a file of its own: the same layout and painter on another surface. */
#pragma once

#include <gio/gio.h>
#include <pango/pangocairo.h>

#include "mt-palette.h"

G_BEGIN_DECLS

typedef enum {
  MT_PICTURE_PNG,
  MT_PICTURE_SVG,
  MT_PICTURE_PDF,
} MtPictureFormat;

/* FALSE for a name that ends in none of .png, .svg, .pdf. */
gboolean mt_picture_format_from_name (const char            *name,
                                      MtPictureFormat       *format);

/* Paints on white paper. */
typedef void (*MtPictureFunc)        (cairo_t               *cr,
                                      PangoContext          *context,
                                      const MtPalette       *palette,
                                      gpointer               data);

/* Writes a drawing of that many points, a margin around it, as the name of @path says: whole or not at
 * all. @scale: pixels a point (PNG). G_IO_ERROR_INVALID_FILENAME: the name says nothing. */
gboolean mt_picture_write            (const char            *path,
                                      double                 width,
                                      double                 height,
                                      double                 scale,
                                      MtPictureFunc          func,
                                      gpointer               data,
                                      GError               **error);
/* The same as bytes. */
GBytes  *mt_picture_render           (MtPictureFormat        format,
                                      double                 width,
                                      double                 height,
                                      double                 scale,
                                      MtPictureFunc          func,
                                      gpointer               data,
                                      GError               **error);

/* A cairo_write_func_t that appends to the GByteArray @closure. */
static inline cairo_status_t
mt_picture_collect (void                *closure,
                    const unsigned char *data,
                    unsigned int         length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

G_END_DECLS
