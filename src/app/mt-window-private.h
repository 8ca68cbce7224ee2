/* What mt-window.c and mt-window-actions.c share. */
#pragma once

#include "mt-frontier-page.h"
#include "mt-model-page.h"
#include "mt-run.h"
#include "mt-window.h"

G_BEGIN_DECLS

struct _MtWindow {
  AdwApplicationWindow   parent_instance;

  /* template children */
  AdwToastOverlay       *toasts;
  AdwHeaderBar          *header;
  GtkMenuButton         *project_menu;
  GtkLabel              *project_name;
  GtkButton             *undo;
  GtkButton             *redo;
  GtkToggleButton       *inspector;
  AdwViewSwitcherTitle  *switcher;
  AdwViewSwitcherBar    *switcher_bar;
  GtkStack              *stack;
  AdwViewStack          *pages;
  MtDataPage            *data_page;
  MtModelPage           *model_page;
  MtFrontierPage        *frontier_page;
  GtkButton             *train;
  GtkRevealer           *drop_hint;

  MtDocument            *document;
  MtRun                 *run;
  guint                  inhibited;    /* cookie while training; 0: not */
  gboolean               was_running;
  GSettings             *settings;
  guint                  placing;      /* idle that arranges the header bar */
  gboolean               narrow;
  GFile                 *remembered;   /* put into the list of recent files */
};

void _mt_window_class_install_actions (GtkWidgetClass *widget_class);
void _mt_window_update_actions        (MtWindow       *self);
void _mt_window_remember_inspector    (MtWindow       *self);

G_END_DECLS
