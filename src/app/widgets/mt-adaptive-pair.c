#include "config.h"
#include "mt-adaptive-pair.h"

#define NARROW 860   /* pixels; below, the sides take turns */

typedef struct {
  GtkPaned *paned;      /* borrowed */
  gboolean  narrow;
  gboolean  at_end;     /* narrow: the second side's turn */
  gboolean  show_end;
  guint     placing;
} MtTwoSidesPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (MtTwoSides, mt_two_sides, ADW_TYPE_BIN)

static MtTwoSidesPrivate *
private_of (MtTwoSides *self)
{
  return mt_two_sides_get_instance_private (self);
}

static gboolean
place (gpointer data)
{
  MtTwoSides *self = data;
  MtTwoSidesPrivate *priv = private_of (self);

  g_clear_handle_id (&priv->placing, g_source_remove);
  gtk_widget_set_visible (gtk_paned_get_start_child (priv->paned), !priv->narrow || !priv->at_end);
  gtk_widget_set_visible (gtk_paned_get_end_child (priv->paned), priv->narrow ? priv->at_end : priv->show_end);
  if (MT_TWO_SIDES_GET_CLASS (self)->placed != NULL)
    MT_TWO_SIDES_GET_CLASS (self)->placed (self, priv->narrow);
  return G_SOURCE_REMOVE;
}

/* Sizes are being handed out when it comes to light that they changed; what depends on it waits. */
static void
queue_place (MtTwoSides *self)
{
  MtTwoSidesPrivate *priv = private_of (self);

  if (priv->placing == 0)
    priv->placing = g_idle_add_full (G_PRIORITY_HIGH_IDLE, place, self, NULL);
}

/* A width for a height is not asked for: see mt-width-layout.h. */
static void
mt_two_sides_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  gtk_widget_measure (adw_bin_get_child (ADW_BIN (widget)), orientation,
                      orientation == GTK_ORIENTATION_HORIZONTAL ? -1 : for_size, minimum, natural, minimum_baseline,
                      natural_baseline);
}

static void
mt_two_sides_size_allocate (GtkWidget *widget,
                            int        width,
                            int        height,
                            int        baseline)
{
  MtTwoSidesPrivate *priv = private_of (MT_TWO_SIDES (widget));

  gtk_widget_allocate (adw_bin_get_child (ADW_BIN (widget)), width, height, baseline, NULL);
  if ((width < NARROW) != priv->narrow)
    {
      priv->narrow = width < NARROW;
      queue_place (MT_TWO_SIDES (widget));
    }
}

/* Shown for the first time in a narrow window, both sides must not be beside one another even for a moment: the window
 * would grow to hold them, and stay so. */
static void
mt_two_sides_map (GtkWidget *widget)
{
  MtTwoSidesPrivate *priv = private_of (MT_TWO_SIDES (widget));
  GtkRoot *root = gtk_widget_get_root (widget);
  int width = gtk_widget_get_width (GTK_WIDGET (root)), height;

  if (width == 0 && GTK_IS_WINDOW (root))
    gtk_window_get_default_size (GTK_WINDOW (root), &width, &height);
  if (width > 0 && width < NARROW && !priv->narrow)
    {
      priv->narrow = TRUE;
      place (widget);
    }
  GTK_WIDGET_CLASS (mt_two_sides_parent_class)->map (widget);
}

void
mt_two_sides_set_paned (MtTwoSides *self,
                        GtkPaned   *paned)
{
  g_return_if_fail (MT_IS_TWO_SIDES (self) && GTK_IS_PANED (paned));

  private_of (self)->paned = paned;
}

gboolean
mt_two_sides_is_narrow (MtTwoSides *self)
{
  g_return_val_if_fail (MT_IS_TWO_SIDES (self), FALSE);
  return private_of (self)->narrow;
}

void
mt_two_sides_turn (MtTwoSides *self,
                   gboolean    to_end)
{
  g_return_if_fail (MT_IS_TWO_SIDES (self));

  private_of (self)->at_end = to_end;
  place (self);
}

gboolean
mt_two_sides_is_at_end (MtTwoSides *self)
{
  g_return_val_if_fail (MT_IS_TWO_SIDES (self), FALSE);
  return private_of (self)->at_end;
}

void
mt_two_sides_set_show_end (MtTwoSides *self,
                           gboolean    show)
{
  g_return_if_fail (MT_IS_TWO_SIDES (self));

  private_of (self)->show_end = show;
  queue_place (self);
}

gboolean
mt_two_sides_get_show_end (MtTwoSides *self)
{
  g_return_val_if_fail (MT_IS_TWO_SIDES (self), FALSE);
  return private_of (self)->show_end;
}

static void
mt_two_sides_dispose (GObject *object)
{
  g_clear_handle_id (&private_of (MT_TWO_SIDES (object))->placing, g_source_remove);
  G_OBJECT_CLASS (mt_two_sides_parent_class)->dispose (object);
}

static void
mt_two_sides_class_init (MtTwoSidesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_two_sides_dispose;
  GTK_WIDGET_CLASS (klass)->map = mt_two_sides_map;
  GTK_WIDGET_CLASS (klass)->measure = mt_two_sides_measure;
  GTK_WIDGET_CLASS (klass)->size_allocate = mt_two_sides_size_allocate;
}

static void
mt_two_sides_init (MtTwoSides *self)
{
  private_of (self)->show_end = TRUE;
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);   /* the width decides what stands where */
}
