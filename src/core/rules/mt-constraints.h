/* What a model must not do, whatever the data say; by column name, so that it outlives a reload.
 *
 *   banned      the column is not encoded: no network, rule or model ever sees it
 *   direction   rising: no term's part of the score falls when the column grows, all else equal;
 *               falling: none rises. So the score as a whole does neither. A missing value has no
 *               place in the order and is free. Columns with an order only (numbers, dates), and
 *               targets with one score only (two classes, where it speaks for the second; numbers)
 *   no negation every rule is written without a negated literal: `Age ≥ 55`, never `Age < 55`.
 *               A weight may still be negative
 *
 * A column is written once, in the order of the names, so equal constraints are equal bytes. */
#pragma once

#include "encode/mt-encoder.h"
#include "base/mt-json-cursor.h"
#include "mt-rules.h"

G_BEGIN_DECLS

typedef enum {
  MT_DIRECTION_FALLING = -1,
  MT_DIRECTION_FREE    = 0,
  MT_DIRECTION_RISING  = 1,
} MtDirection;

typedef struct _MtConstraints MtConstraints;   /* refcounted; not to be changed once shared */

MtConstraints *mt_constraints_new             (void);
MtConstraints *mt_constraints_ref             (MtConstraints       *constraints);
void           mt_constraints_unref           (MtConstraints       *constraints);
MtConstraints *mt_constraints_copy            (const MtConstraints *constraints);
/* All of these take NULL for no constraints. */
gboolean       mt_constraints_is_empty        (const MtConstraints *constraints);
gboolean       mt_constraints_is_banned       (const MtConstraints *constraints,
                                               const char          *column);
MtDirection    mt_constraints_get_direction   (const MtConstraints *constraints,
                                               const char          *column);
gboolean       mt_constraints_get_no_negation (const MtConstraints *constraints);
/* Of the columns that are banned, or that have @direction: NULL-terminated, by name. */
char         **mt_constraints_dup_banned      (const MtConstraints *constraints);
char         **mt_constraints_dup_directed    (const MtConstraints *constraints,
                                               MtDirection          direction);

/* For people: `without “a”, rising in “b”, no negated literals`; empty when there are none. */
char          *mt_constraints_dup_text        (const MtConstraints *constraints);

void           mt_constraints_set_banned      (MtConstraints       *constraints,
                                               const char          *column,
                                               gboolean             banned);
void           mt_constraints_set_direction   (MtConstraints       *constraints,
                                               const char          *column,
                                               MtDirection          direction);
void           mt_constraints_set_no_negation (MtConstraints       *constraints,
                                               gboolean             no_negation);

/* Can a model of this table and task be held to them? MT_ERROR_PARAMS names the column. */
gboolean       mt_constraints_check_table     (const MtConstraints *constraints,
                                               const MtTable       *table,
                                               MtTask               task,
                                               GError             **error);
/* What they mean for literals and numeric columns: n_literals and n_numeric directions. */
void           mt_constraints_resolve         (const MtConstraints *constraints,
                                               const MtEncoder     *encoder,
                                               gint8               *literals,
                                               gint8               *numeric);
/* Do these rules keep to them? MT_ERROR_PARSE names the first term that does not. */
gboolean       mt_constraints_check_rules     (const MtConstraints *constraints,
                                               const MtEncoder     *encoder,
                                               const MtRuleSet     *rules,
                                               GError             **error);

/* One JSON object, for files: {"banned": […], "rising": […], "falling": […], "no_negation": …}. */
void           mt_constraints_write           (const MtConstraints *constraints,
                                               MtJsonWriter        *writer);
MtConstraints *mt_constraints_read            (const MtJsonCursor   *place,
                                               GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtConstraints, mt_constraints_unref)

G_END_DECLS
