/* F4: the paper's example of a node, from its weights over its table to its formula, and the picture of it. */
#include "config.h"
#include "mt-lab-private.h"

#include <string.h>

#define FAN_IN   4
#define WIDTH    460.0
#define HEIGHT   330.0
#define ROW      16.0
#define TABLE    220.0
#define COLUMN   28.0

static const double weights[FAN_IN] = { -2.2, 1.7, -0.3, -0.5 };
static const double bias = -0.4;

static void
show_text (cairo_t         *cr,
           PangoContext    *context,
           const MtColor   *color,
           double           x,
           double           y,
           const char      *text)
{
  g_autoptr (PangoLayout) layout = pango_layout_new (context);

  pango_layout_set_text (layout, text, -1);
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
  cairo_move_to (cr, x, y);
  pango_cairo_show_layout (cr, layout);
}

static char *
dup_formula (const MtCover *cover)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint c = 0; c < cover->n_cubes; c++)
    {
      gboolean first = TRUE;

      g_string_append (text, c > 0 ? " ∨ " : "");
      for (guint i = 0; i < FAN_IN; i++)
        if (cover->cubes[c].mask >> i & 1)
          {
            g_string_append_printf (text, "%s%sx%u", first ? "" : " ∧ ", cover->cubes[c].value >> i & 1 ? "" : "¬", i + 1);
            first = FALSE;
          }
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

typedef struct {
  guint64 table;
  char   *formula;
} Picture;

static void
paint (cairo_t         *cr,
       PangoContext    *context,
       const MtPalette *palette,
       gpointer         data)
{
  const Picture *picture = data;

  for (guint i = 0; i <= FAN_IN; i++)
    {
      char number[MT_DECIMAL_SIZE];
      g_autofree char *text = i < FAN_IN ? g_strdup_printf ("x%u · %s", i + 1, mt_decimal_write (weights[i], number))
                                         : g_strdup_printf ("bias %s", mt_decimal_write (bias, number));

      show_text (cr, context, &palette->text, 10, 30 + 24 * i, text);
    }
  show_text (cr, context, &palette->dim, 10, 30 + 24 * (FAN_IN + 1), "true when the sum is above 0");
  for (guint i = 0; i <= FAN_IN; i++)
    {
      g_autofree char *name = i < FAN_IN ? g_strdup_printf ("x%u", i + 1) : g_strdup ("node");

      show_text (cr, context, &palette->dim, TABLE + COLUMN * i, 6, name);
    }
  for (guint v = 0; v < 1u << FAN_IN; v++)
    {
      gboolean is_true = picture->table >> v & 1;
      const MtColor *color = is_true ? &palette->positive : &palette->text;

      for (guint i = 0; i < FAN_IN; i++)
        show_text (cr, context, color, TABLE + COLUMN * i, 24 + ROW * v, v >> i & 1 ? "1" : "0");
      show_text (cr, context, color, TABLE + COLUMN * FAN_IN, 24 + ROW * v, is_true ? "true" : "false");
    }
  show_text (cr, context, &palette->accent, TABLE, 30 + ROW * (1 << FAN_IN), picture->formula);
}

static gboolean
run_formula (MtLabContext    *context,
             const MtLabJob  *job,
             MtLabCells      *cells,
             GCancellable    *cancellable,
             GError         **error)
{
  g_autofree char *path = g_build_filename (context->options->out, "F4-node.svg", NULL);
  g_auto (MtCover) cover = { NULL };
  g_autofree char *formula = NULL;
  Picture picture = { 0, NULL };

  mt_truth_table_from_weights (FAN_IN, weights, bias, &picture.table);
  if (!mt_qmc_minimize (FAN_IN, &picture.table, NULL, NULL, &cover))
    return FALSE;
  picture.formula = formula = dup_formula (&cover);
  mt_lab_cells_put (cells, mt_truth_table_count (FAN_IN, &picture.table), "true assignments", "the node");
  mt_lab_cells_put (cells, cover.n_cubes, "terms", "the node");
  mt_lab_cells_put (cells, cover.n_literals, "literals", "the node");
  return mt_picture_write (path, WIDTH, HEIGHT, 1, paint, &picture, error);
}

void
mt_lab_list_formula (MtLabContext          *context,
                     const MtLabExperiment *experiment)
{
  mt_lab_add_job (context, experiment, run_formula, NULL, NULL, 0, .05, "node");
}
