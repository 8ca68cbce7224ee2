/* Paints the layouts of mt-layout-plot and mt-layout-curves: reads a layout, a palette and a
 * cairo context, so that the screen, PNG, SVG and PDF show the same. */
#pragma once

#include <pango/pangocairo.h>

#include "mt-draw-export.h"
#include "mt-layout-curves.h"
#include "mt-palette.h"

G_BEGIN_DECLS

#define MT_PLOT_N_SERIES 4   /* colors and shapes; each four further runs pair them again … */
#define MT_PLOT_N_MARKS (MT_PLOT_N_SERIES * MT_PLOT_N_SERIES)   /* … until all pairs were had, and they begin again */

typedef struct {
  MtColor text, dim;
  MtColor axis, grid;
  MtColor background;                   /* rings and callouts are filled with it */
  MtColor series[MT_PLOT_N_SERIES];     /* told apart by the color-blind, and by shape */
  MtColor zone, zone_text;
  MtColor accent;
  MtColor badge, badge_text;
  double  faded;                        /* opacity of dominated points */
} MtPlotPalette;

void mt_plot_palette_init      (MtPlotPalette              *palette,
                                gboolean                    dark,
                                gboolean                    high_contrast);

/* Measures text for a layout; @data of mt_plot_measure(). The fonts follow @base's family and
 * scale with it (NULL: the default). */
typedef struct _MtPlotFonts MtPlotFonts;

MtPlotFonts *mt_plot_fonts_new (PangoContext               *context,
                                const PangoFontDescription *base);
void         mt_plot_fonts_free (MtPlotFonts               *fonts);
void         mt_plot_measure   (const char                 *text,
                                MtPlotFont                  font,
                                double                     *width,
                                double                     *height,
                                gpointer                    fonts);

void mt_draw_plot              (cairo_t                    *cr,
                                const MtPlotLayout         *layout,
                                MtPlotFonts                *fonts,
                                const MtPlotPalette        *palette);
/* On top of it: the point under the pointer, and what there is to say about it (may be NULL). */
void mt_draw_plot_highlight    (cairo_t                    *cr,
                                const MtPlotLayout         *layout,
                                MtPlotFonts                *fonts,
                                const MtPlotPalette        *palette,
                                int                         index,
                                const char                 *title,
                                const char                 *text);
/* The shape and color of a run, for legends and tables. */
void mt_draw_plot_mark         (cairo_t                    *cr,
                                const MtPlotPalette        *palette,
                                guint                       series,
                                double                      x,
                                double                      y,
                                double                      radius);
void mt_draw_curves            (cairo_t                    *cr,
                                const MtCurvesLayout       *layout,
                                MtPlotFonts                *fonts,
                                const MtPlotPalette        *palette);

/* Writes the plot as a file, whole or not at all; @scale: pixels a point (PNG). */
gboolean mt_plot_export        (const MtPlotSpec           *spec,
                                double                      width,
                                double                      height,
                                const MtPlotPalette        *palette,
                                MtPictureFormat             format,
                                double                      scale,
                                const char                 *path,
                                GError                    **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtPlotFonts, mt_plot_fonts_free)

G_END_DECLS
