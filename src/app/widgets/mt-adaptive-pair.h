/* A page of two sides: next to each other where there is room, taking turns where there is not. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define MT_TYPE_ADAPTIVE_PAIR (mt_adaptive_pair_get_type ())

G_DECLARE_DERIVABLE_TYPE (MtAdaptivePair, mt_adaptive_pair, MT, ADAPTIVE_PAIR, AdwBin)

struct _MtAdaptivePairClass {
  AdwBinClass   parent_class;

  /* The sides have been shown and hidden; what else depends on the room follows. May be NULL. */
  void        (*placed) (MtAdaptivePair *self,
                         gboolean    narrow);
};

/* Its children are the sides; called once, before the page is shown. */
void     mt_adaptive_pair_set_paned    (MtAdaptivePair *self,
                                        GtkPaned   *paned);
gboolean mt_adaptive_pair_is_narrow    (MtAdaptivePair *self);
/* When narrow: whose turn it is. */
void     mt_adaptive_pair_turn         (MtAdaptivePair *self,
                                        gboolean    to_end);
gboolean mt_adaptive_pair_is_at_end    (MtAdaptivePair *self);
/* When wide: whether the second side is there at all; it is, unless told otherwise. */
void     mt_adaptive_pair_set_show_end (MtAdaptivePair *self,
                                        gboolean    show);
gboolean mt_adaptive_pair_get_show_end (MtAdaptivePair *self);

G_END_DECLS
