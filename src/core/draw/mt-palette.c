/* The colors that painters use. See mt-palette.h. */
#include "config.h"
#include "mt-palette.h"

#define RGBA(hex, opacity)                                                      \
  ((MtColor) { ((hex) >> 16 & 0xff) / 255.0, ((hex) >> 8 & 0xff) / 255.0,       \
               ((hex) & 0xff) / 255.0, (opacity) })

/* High contrast keeps the hues and gives up the tints: bars become as strong as text. */
void
mt_palette_init (MtPalette *palette,
                 gboolean   dark,
                 gboolean   high_contrast)
{
  g_return_if_fail (palette != NULL);

  if (dark)
    *palette = (MtPalette) {
      .text = RGBA (0xffffff, 1.0),
      .dim = RGBA (0xffffff, high_contrast ? 1.0 : 0.6),
      .bar = RGBA (high_contrast ? 0x99c1f1 : 0x5a86c0, 1.0),
      .target = RGBA (high_contrast ? 0xdc8add : 0xb57edc, 1.0),
      .rest = RGBA (high_contrast ? 0xc0bfbc : 0x6b6872, 1.0),
      .ignored = RGBA (0xffffff, high_contrast ? 0.6 : 0.25),
      .warning = RGBA (0xf8e45c, 1.0),
      .unseen = RGBA (0xe5c07b, 1.0),
      .accent = RGBA (0x78aeed, 1.0),
      .name = RGBA (0x99c1f1, 1.0),
      .positive = RGBA (0x45d3b4, 1.0),
      .negative = RGBA (0xff9a5c, 1.0),
    };
  else
    *palette = (MtPalette) {
      .text = RGBA (0x1e1e22, 1.0),
      .dim = RGBA (0x1e1e22, high_contrast ? 1.0 : 0.6),
      .bar = RGBA (high_contrast ? 0x1a5fb4 : 0x97b8e2, 1.0),
      .target = RGBA (high_contrast ? 0x613583 : 0x813d9c, 1.0),
      .rest = RGBA (high_contrast ? 0x77767b : 0xc8c6ca, 1.0),
      .ignored = RGBA (0x1e1e22, high_contrast ? 0.6 : 0.2),
      .warning = RGBA (high_contrast ? 0x9c6200 : 0xe5a50a, 1.0),
      .unseen = RGBA (0x9c6200, 1.0),
      .accent = RGBA (0x1c71d8, 1.0),
      .name = RGBA (0x1a5fb4, 1.0),
      .positive = RGBA (0x00806a, 1.0),
      .negative = RGBA (0xc64600, 1.0),
    };
}
