/* Rows as bits: what the encoder gives and the learner, the rules and the GPU read.
 *
 * A literal is a yes/no question about one column; literals are numbered 0 … n_literals-1
 * and the literals of one column are neighbors: a group. A row has one code per group,
 * and the code decides every literal of the group:
 *
 *   THERMOMETER  thresholds t0 < t1 < … < t(b-1), b = n_literals - has_missing
 *                code c in 0 … b: the number of thresholds that the value reaches
 *                literal i (x ≥ ti) is true iff i < c ≤ b
 *                code b + 1 (only if has_missing): x is missing; all x ≥ t are false and
 *                the group's last literal (x is missing) is true
 *   ONE_HOT      literal i is true iff code == i + 1; code 0: no literal is true (the
 *                base of a two-level column, a level never seen, an uncounted missing)
 *                with has_missing the last literal is "x is missing"
 *
 * Both kinds fit in a byte: a group has at most MT_GROUP_MAX_LITERALS literals.
 *
 * Two views of the same bits are kept, because the two hot loops want different ones:
 *   codes   n_groups × n_rows bytes, group after group: XᵀG is a histogram by code
 *   planes  n_literals × n_words 64-bit words, row r is bit r % 64 of word r / 64;
 *           bits past n_rows are zero, n_words is a multiple of 8, planes are 64-byte aligned
 *
 * A column Age with the thresholds 30 and 50 and missing cells is a group of three literals, b = 2:
 *
 *     Age       code   x ≥ 30   x ≥ 50   missing
 *     25        0      0        0        0
 *     42        1      1        0        0
 *     50        2      1        1        0
 *     missing   3      0        0        1
 *
 * Typical sizes: 10³–10⁶ rows, 10–100 groups, 50–2,000 literals. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define MT_GROUP_MAX_LITERALS 254

typedef enum {
  MT_GROUP_THERMOMETER,
  MT_GROUP_ONE_HOT,
} MtGroupKind;

typedef struct {
  MtGroupKind kind;
  guint       column;         /* index of the raw column, for people and for constraints */
  guint       first_literal;
  guint       n_literals;     /* 1 … MT_GROUP_MAX_LITERALS */
  gboolean    has_missing;    /* the last literal is "is missing" */
} MtGroup;

static inline guint
mt_group_get_n_codes (const MtGroup *group)
{
  return group->n_literals + 1;
}

typedef struct _MtEncoded MtEncoded;

/* @codes: n_groups × n_rows, each below its group's n_codes. @numeric: n_numeric × n_rows
 * standardized columns (the unary terms that are not literals), may be NULL when 0.
 * Everything is copied; the planes are derived. */
MtEncoded       *mt_encoded_new           (const MtGroup  *groups,
                                           guint           n_groups,
                                           const guint8   *codes,
                                           const double   *numeric,
                                           guint           n_numeric,
                                           gsize           n_rows);
/* The same of @codes and @numeric that it keeps (made by mt_large_new0() or g_malloc(); freed on failure too). Fails
 * with MT_ERROR_BUDGET when the planes do not fit in memory, or once @cancellable is cancelled. */
MtEncoded       *mt_encoded_new_take      (const MtGroup   *groups,
                                           guint            n_groups,
                                           guint8          *codes,
                                           double          *numeric,
                                           guint            n_numeric,
                                           gsize            n_rows,
                                           GCancellable    *cancellable,
                                           GError         **error);
/* Other @codes for the rows of @of, whose numbers and their groups it shares. */
MtEncoded       *mt_encoded_new_sharing   (const MtEncoded *of,
                                           const MtGroup   *groups,
                                           guint            n_groups,
                                           guint8          *codes,
                                           GCancellable    *cancellable,
                                           GError         **error);
MtEncoded       *mt_encoded_ref           (MtEncoded       *encoded);
void             mt_encoded_unref         (MtEncoded       *encoded);
/* The given rows only, in the given order (folds, batches, bootstrap). */
MtEncoded       *mt_encoded_take_rows     (const MtEncoded *encoded,
                                           const guint32   *rows,
                                           gsize            n_rows);

gsize            mt_encoded_get_n_rows    (const MtEncoded *encoded);
gsize            mt_encoded_get_n_words   (const MtEncoded *encoded);   /* words a plane */
guint            mt_encoded_get_n_literals (const MtEncoded *encoded);
guint            mt_encoded_get_n_groups  (const MtEncoded *encoded);
const MtGroup   *mt_encoded_get_groups    (const MtEncoded *encoded);
guint            mt_encoded_get_group_of  (const MtEncoded *encoded, guint literal);
const guint8    *mt_encoded_get_codes     (const MtEncoded *encoded, guint group);
const guint64   *mt_encoded_get_plane     (const MtEncoded *encoded, guint literal);
guint            mt_encoded_get_n_numeric (const MtEncoded *encoded);
const double    *mt_encoded_get_numeric   (const MtEncoded *encoded, guint index);
/* Numeric columns that are shapes of the same number belong to the same group, and stand together. Before anybody else
 * holds @encoded; unless this is said, each is a number of its own. */
void             mt_encoded_set_numeric_groups (MtEncoded *encoded, const guint *groups);
void             mt_encoded_copy_numeric_groups (MtEncoded *encoded, const MtEncoded *from);
gboolean         mt_encoded_is_same_number (const MtEncoded *encoded, guint a, guint b);
/* Is it the first of its number: the plain one? */
gboolean         mt_encoded_is_plain      (const MtEncoded *encoded, guint index);

/* Whether @literal (counted within the group) is true under @code. */
gboolean         mt_group_literal_is_true (const MtGroup *group, guint literal, guint code);

static inline gboolean
mt_plane_get (const guint64 *plane,
              gsize          row)
{
  return (plane[row / 64] >> (row % 64)) & 1;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtEncoded, mt_encoded_unref)

G_END_DECLS
