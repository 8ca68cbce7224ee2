/* A conjunction over the inputs of a node: the one type that the minimizer gives and the rules
 * keep. Assignment v is covered iff (v & mask) == value; input i is bit i.
 *
 *   x0 ∧ ¬x2     mask 101, value 001 in bits; covers the assignments 1 and 3
 *   true         mask 0, value 0; covers every assignment
 *
 * The number of literals is the number of bits in mask. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint32 mask;    /* the inputs it speaks of */
  guint32 value;   /* what it demands of them; a subset of mask */
} MtCube;

G_END_DECLS
