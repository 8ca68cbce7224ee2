/* A term of the model as a line of the rule table: the intercept, a numeric column or a rule. */
#pragma once

#include <glib-object.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_TYPE_TERM_ITEM (mt_term_item_get_type ())

G_DECLARE_FINAL_TYPE (MtTermItem, mt_term_item, MT, TERM_ITEM, GObject)

#define MT_TERM_INTERCEPT (-1)

MtTermItem        *mt_term_item_new            (MtRuleBook *book,
                                                int         term);
MtRuleBook        *mt_term_item_get_book       (MtTermItem *self);
int                mt_term_item_get_term       (MtTermItem *self);   /* or MT_TERM_INTERCEPT */
gboolean           mt_term_item_is_rule        (MtTermItem *self);
/* What it adds, one an output; numeric columns for each raw unit. */
const double      *mt_term_item_get_effects    (MtTermItem *self);
double             mt_term_item_get_strength   (MtTermItem *self);
gsize              mt_term_item_get_support    (MtTermItem *self);
guint              mt_term_item_get_n_literals (MtTermItem *self);
/* Share of a class, or with no classes the mean target, where the rule is true. */
double             mt_term_item_get_hit        (MtTermItem *self,
                                                guint       class);
/* "setosa: 98.2%, lift 2.95", a line for each class; NULL without rows, and of a number. */
char              *mt_term_item_dup_hits       (MtTermItem *self);
/* Of three classes or more: those that have a line of their own in the list, guint. All of few; of many those
 * that it weighs for or that have a part of its rows worth telling. */
GArray            *mt_term_item_dup_lines      (MtTermItem *self);
/* The class that it is most about: of two the second. */
guint              mt_term_item_get_main_class (MtTermItem *self);
/* Whether it applies to the row that What-if is about. Signal "applies-changed". */
void               mt_term_item_set_applies    (MtTermItem *self,
                                                gboolean    applies);
gboolean           mt_term_item_get_applies    (MtTermItem *self);   /* TRUE unless told otherwise */
/* "Rule 4", "Intercept", or the column's name. */
char              *mt_term_item_dup_title      (MtTermItem *self);
char              *mt_term_item_dup_text       (MtTermItem *self);
char              *mt_term_item_dup_markup     (MtTermItem *self,
                                                const char *name_color);
/* "163 rows · 36.2% yes · 1 literal", of three classes or more each that occurs */
char              *mt_term_item_dup_detail     (MtTermItem *self);
/* "odds × 0.44" or, of a number, "adds 0.44 Rings"; NULL when there is nothing to say in a word. */
char              *mt_term_item_dup_effect     (MtTermItem *self);

G_END_DECLS
