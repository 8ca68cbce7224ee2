/* A conjunction over the inputs of a node: the one type that the minimiser gives and the
 * rules keep. Assignment v is covered iff (v & mask) == value; input i is bit i. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint32 mask;    /* the inputs it speaks of */
  guint32 value;   /* what it demands of them; a subset of mask */
} MtCube;

G_END_DECLS
