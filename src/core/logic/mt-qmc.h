/* Two-level minimization: a truth table with don't-cares to the shortest OR of ANDs.
 *
 * Shortest means fewest literals, then fewest terms; among equals the search settles on one,
 * and the terms come in a fixed order (literals, mask, value), so equal tables give equal
 * bytes. Up to MT_QMC_EXACT_FAN_IN inputs the search goes on until the answer is proven minimal
 * (but for a last resort of some ten seconds, met by about four tables in a thousand of the hardest
 * kind). Above, a budget of work limits it; the answer is valid and irredundant all the same, and
 * `proven` says whether the search came to its end.
 *
 * A don't-care assignment may come out either way, also when its on bit is set. A table
 * without any true assignment that is cared for is constant false: no term at all. Constant
 * true is one term without literals.
 *
 * Every cover is checked against its table before it is handed out. The functions keep no
 * state between calls and may be called from any thread. */
#pragma once

#include <gio/gio.h>

#include "mt-cube.h"
#include "mt-truth-table.h"

G_BEGIN_DECLS

#define MT_QMC_EXACT_FAN_IN 8

/* An OR of cubes; its literals are the bits of their masks. */
typedef struct {
  MtCube   *cubes;
  guint     n_cubes;
  guint     n_literals;
  gboolean  proven;
} MtCover;

/* A conjunction with up to two parities of inputs as well: v is covered iff
 * (v & mask) == value, v has an odd number of ones in `odd` (if that is not 0), and an even
 * number in `even`. The three sets of inputs are disjoint. An input written anywhere in the
 * term is one literal, so x0 ⊕ x1 counts two. */
typedef struct {
  guint32 mask;
  guint32 value;
  guint32 odd;
  guint32 even;
} MtXorCube;

typedef struct {
  MtXorCube *cubes;
  guint      n_cubes;
  guint      n_literals;
  gboolean   proven;      /* minimal among covers by such terms */
} MtXorCover;

typedef struct {
  guint64       budget;       /* elementary steps above MT_QMC_EXACT_FAN_IN inputs; 0: default */
  GCancellable *cancellable;  /* looked at every few milliseconds; may be NULL */
} MtQmcOptions;

/* @on, @dc: tables over @fan_in inputs; @dc and @options may be NULL. FALSE, with an empty
 * cover, only when the cancellable was triggered. */
gboolean mt_qmc_minimize     (guint               fan_in,
                              const guint64      *on,
                              const guint64      *dc,
                              const MtQmcOptions *options,
                              MtCover            *cover);
/* The shortest AND of ORs, through the complement: the cubes cover the *false* assignments,
 * and each is one clause, the OR of the opposite literals. No cube: constant true; one cube
 * without literals: constant false. */
gboolean mt_qmc_minimize_cnf (guint               fan_in,
                              const guint64      *on,
                              const guint64      *dc,
                              const MtQmcOptions *options,
                              MtCover            *cover);

/* With parities; never more literals than mt_qmc_minimize(). */
gboolean mt_qmc_minimize_xor (guint               fan_in,
                              const guint64      *on,
                              const guint64      *dc,
                              const MtQmcOptions *options,
                              MtXorCover         *cover);

void     mt_cover_clear      (MtCover *cover);
void     mt_xor_cover_clear  (MtXorCover *cover);

/* The table that the cover stands for. */
void     mt_cover_to_table     (const MtCover *cover, guint fan_in, guint64 *out);
void     mt_xor_cover_to_table (const MtXorCover *cover, guint fan_in, guint64 *out);

/* Whether on∖dc ⊆ table ⊆ on ∪ dc; @dc may be NULL. */
gboolean mt_qmc_agrees       (guint fan_in, const guint64 *on, const guint64 *dc, const guint64 *table);

static inline gboolean
mt_cube_covers (const MtCube *cube,
                guint32       assignment)
{
  return (assignment & cube->mask) == cube->value;
}

static inline gboolean
mt_xor_cube_covers (const MtXorCube *cube,
                    guint32          assignment)
{
  return (assignment & cube->mask) == cube->value &&
         (cube->odd == 0 || __builtin_parity (assignment & cube->odd)) &&
         !__builtin_parity (assignment & cube->even);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtCover, mt_cover_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtXorCover, mt_xor_cover_clear)

G_END_DECLS
