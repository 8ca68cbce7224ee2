/* A page of two sides: beside each other where there is room, taking turns where there is not. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define MT_TYPE_TWO_SIDES (mt_two_sides_get_type ())

G_DECLARE_DERIVABLE_TYPE (MtTwoSides, mt_two_sides, MT, TWO_SIDES, AdwBin)

struct _MtTwoSidesClass {
  AdwBinClass   parent_class;

  /* The sides have been shown and hidden; what else depends on the room follows. May be NULL. */
  void        (*placed) (MtTwoSides *self,
                         gboolean    narrow);
};

/* Its children are the sides; called once, before the page is shown. */
void     mt_two_sides_set_paned    (MtTwoSides *self,
                                    GtkPaned   *paned);
gboolean mt_two_sides_is_narrow    (MtTwoSides *self);
/* When narrow: whose turn it is. */
void     mt_two_sides_turn         (MtTwoSides *self,
                                    gboolean    to_end);
gboolean mt_two_sides_is_at_end    (MtTwoSides *self);
/* When wide: whether the second side is there at all; it is, unless told otherwise. */
void     mt_two_sides_set_show_end (MtTwoSides *self,
                                    gboolean    show);
gboolean mt_two_sides_get_show_end (MtTwoSides *self);

G_END_DECLS
