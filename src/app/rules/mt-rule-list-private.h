/* What the parts of the rule table share: the table itself, and its columns. */
#pragma once

#include "mt-rule-list.h"
#include "mt-weight-cell.h"

G_BEGIN_DECLS

struct _MtRuleList {
  AdwBin               parent_instance;

  /* template children */
  GtkSearchEntry      *search;
  GtkDropDown         *columns;
  GtkMenuButton       *edit;
  GtkColumnView       *table;
  GtkLabel            *totals;
  GtkLabel            *note;

  MtRuleBook          *book;
  GListStore          *bias;         /* the intercept, above whatever order */
  GListStore          *terms;
  GtkCustomFilter     *filter;
  GListModel          *listed;       /* the intercept, then what is wanted, in order */
  GtkSliceListModel   *begun;        /* as much of it as there was time for */
  GtkMultiSelection   *selection;
  MtTermItem          *current;      /* of those selected the one that is on show; NULL: none */
  guint                growing;
  GtkColumnViewColumn *hit_column;
  GtkColumnViewColumn *hidden[3];    /* when narrow, and next to What-if */
  GtkColumnViewColumn *applies;      /* next to What-if */
  GArray              *used;         /* encoder's columns in the filter, from its second line on */
  MtWeightRoom         room;         /* of the weights */
  gboolean             narrow;
  gboolean             filling;
};

/* --- mt-rule-list-columns.c --- */
void _mt_rule_list_add_columns (MtRuleList *self);

G_END_DECLS
