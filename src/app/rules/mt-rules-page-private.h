/* What the parts of the Rules page share: the page itself, and editing. */
#pragma once

#include "mt-rules-page.h"

#include "mt-canvas-pane.h"
#include "mt-compare-view.h"
#include "mt-rule-head.h"
#include "mt-scorecard-pane.h"
#include "mt-what-if-view.h"

G_BEGIN_DECLS

struct _MtRulesPage {
  MtAdaptivePair       parent_instance;

  /* template children */
  GtkStack        *stack;
  AdwStatusPage   *empty;
  GtkButton       *empty_button;
  GtkRevealer     *stale;
  GtkLabel        *stale_text;
  GtkRevealer     *edited;
  GtkLabel        *edited_text;
  GtkStack        *views;
  MtCanvasPane    *canvas;
  MtScorecardPane *scorecard;
  GtkPaned        *paned;
  MtRuleList      *list;
  MtRuleHead      *head;
  GtkStack        *inspector_stack;
  MtRuleInspector *inspector;
  MtWhatIfView    *what_if;
  MtCompareView   *compare;

  int              list_width;     /* that was given to the list */
  GMenu           *edit_menu;      /* everybody's who offers edits */
  guint            menu_for;       /* the kind of thing that its first section is about; 0: it has none */
  GtkWidget       *edit_popover;   /* over the list */
  MtDocument      *document;
  MtStudy         *study;
  MtModel         *model;          /* opened without its data; NULL: none */
  MtSelectedModel        *shown;          /* whose book it is, or will be */
  MtRuleBook      *book;
  GCancellable    *counting;       /* a book is being made; NULL: none */
};

/* --- mt-rules-page-edit.c --- */
void _mt_rules_page_show_edited       (MtRulesPage    *self);
void _mt_rules_page_update_menu       (MtRulesPage    *self);
void _mt_rules_page_init_edit         (MtRulesPage    *self);
void _mt_rules_page_class_init_edit   (GtkWidgetClass *widget_class);

G_END_DECLS
