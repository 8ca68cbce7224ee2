/* A page of two sides: next to each other where there is room, taking turns where there is not. See mt-
 * adaptive-pair.h. */
#include "config.h"
#include "mt-adaptive-pair.h"

#define NARROW 860   /* pixels; below, the sides take turns */

typedef struct {
  GtkPaned *paned;      /* borrowed */
  gboolean  narrow;
  gboolean  at_end;     /* narrow: the second side's turn */
  gboolean  show_end;
  guint     placing;
} MtAdaptivePairPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (MtAdaptivePair, mt_adaptive_pair, ADW_TYPE_BIN)

static MtAdaptivePairPrivate *
private_of (MtAdaptivePair *self)
{
  return mt_adaptive_pair_get_instance_private (self);
}

static gboolean
place (gpointer data)
{
  MtAdaptivePair *self = data;
  MtAdaptivePairPrivate *priv = private_of (self);

  g_clear_handle_id (&priv->placing, g_source_remove);
  gtk_widget_set_visible (gtk_paned_get_start_child (priv->paned), !priv->narrow || !priv->at_end);
  gtk_widget_set_visible (gtk_paned_get_end_child (priv->paned), priv->narrow ? priv->at_end : priv->show_end);
  if (MT_ADAPTIVE_PAIR_GET_CLASS (self)->placed != NULL)
    MT_ADAPTIVE_PAIR_GET_CLASS (self)->placed (self, priv->narrow);
  return G_SOURCE_REMOVE;
}

/* Sizes are being handed out when it comes to light that they changed; what depends on it waits. */
static void
queue_place (MtAdaptivePair *self)
{
  MtAdaptivePairPrivate *priv = private_of (self);

  if (priv->placing == 0)
    priv->placing = g_idle_add_full (G_PRIORITY_HIGH_IDLE, place, self, NULL);
}

/* A width for a height is not asked for: see mt-width-layout.h. */
static void
mt_adaptive_pair_measure (GtkWidget      *widget,
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
mt_adaptive_pair_size_allocate (GtkWidget *widget,
                                int        width,
                                int        height,
                                int        baseline)
{
  MtAdaptivePairPrivate *priv = private_of (MT_ADAPTIVE_PAIR (widget));

  gtk_widget_allocate (adw_bin_get_child (ADW_BIN (widget)), width, height, baseline, NULL);
  if ((width < NARROW) != priv->narrow)
    {
      priv->narrow = width < NARROW;
      queue_place (MT_ADAPTIVE_PAIR (widget));
    }
}

/* Shown for the first time in a narrow window, both sides must not be next to one another even for a moment: the window
 * would grow to hold them, and stay so. */
static void
mt_adaptive_pair_map (GtkWidget *widget)
{
  MtAdaptivePairPrivate *priv = private_of (MT_ADAPTIVE_PAIR (widget));
  GtkRoot *root = gtk_widget_get_root (widget);
  int width = gtk_widget_get_width (GTK_WIDGET (root)), height;

  if (width == 0 && GTK_IS_WINDOW (root))
    gtk_window_get_default_size (GTK_WINDOW (root), &width, &height);
  if (width > 0 && width < NARROW && !priv->narrow)
    {
      priv->narrow = TRUE;
      place (widget);
    }
  GTK_WIDGET_CLASS (mt_adaptive_pair_parent_class)->map (widget);
}

void
mt_adaptive_pair_set_paned (MtAdaptivePair *self,
                            GtkPaned   *paned)
{
  g_return_if_fail (MT_IS_ADAPTIVE_PAIR (self) && GTK_IS_PANED (paned));

  private_of (self)->paned = paned;
}

gboolean
mt_adaptive_pair_is_narrow (MtAdaptivePair *self)
{
  g_return_val_if_fail (MT_IS_ADAPTIVE_PAIR (self), FALSE);
  return private_of (self)->narrow;
}

void
mt_adaptive_pair_turn (MtAdaptivePair *self,
                       gboolean    to_end)
{
  g_return_if_fail (MT_IS_ADAPTIVE_PAIR (self));

  private_of (self)->at_end = to_end;
  place (self);
}

gboolean
mt_adaptive_pair_is_at_end (MtAdaptivePair *self)
{
  g_return_val_if_fail (MT_IS_ADAPTIVE_PAIR (self), FALSE);
  return private_of (self)->at_end;
}

void
mt_adaptive_pair_set_show_end (MtAdaptivePair *self,
                               gboolean    show)
{
  g_return_if_fail (MT_IS_ADAPTIVE_PAIR (self));

  private_of (self)->show_end = show;
  queue_place (self);
}

gboolean
mt_adaptive_pair_get_show_end (MtAdaptivePair *self)
{
  g_return_val_if_fail (MT_IS_ADAPTIVE_PAIR (self), FALSE);
  return private_of (self)->show_end;
}

static void
mt_adaptive_pair_dispose (GObject *object)
{
  g_clear_handle_id (&private_of (MT_ADAPTIVE_PAIR (object))->placing, g_source_remove);
  G_OBJECT_CLASS (mt_adaptive_pair_parent_class)->dispose (object);
}

static void
mt_adaptive_pair_class_init (MtAdaptivePairClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = mt_adaptive_pair_dispose;
  GTK_WIDGET_CLASS (klass)->map = mt_adaptive_pair_map;
  GTK_WIDGET_CLASS (klass)->measure = mt_adaptive_pair_measure;
  GTK_WIDGET_CLASS (klass)->size_allocate = mt_adaptive_pair_size_allocate;
}

static void
mt_adaptive_pair_init (MtAdaptivePair *self)
{
  private_of (self)->show_end = TRUE;
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);   /* the width decides what stands where */
}
