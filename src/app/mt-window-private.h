/* What mt-window.c and mt-window-actions.c share. */
#pragma once

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
  GtkStack              *stack;
  AdwViewStack          *pages;
  MtDataPage            *data_page;
  GtkRevealer           *drop_hint;

  MtDocument            *document;
  GSettings             *settings;
  guint                  placing;      /* idle that moves the file's name */
  GFile                 *remembered;   /* put into the list of recent files */
};

void _mt_window_class_install_actions (GtkWidgetClass *widget_class);
void _mt_window_update_actions        (MtWindow       *self);

G_END_DECLS
