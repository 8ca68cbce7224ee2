/* What mt-window.c and mt-window-actions.c share. */
#pragma once

#include "mt-frontier-page.h"
#include "mt-model-page.h"
#include "mt-rules-page.h"
#include "mt-train-page.h"
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
  MtTrainPage           *train_page;
  MtFrontierPage        *frontier_page;
  MtRulesPage           *rules_page;
  GtkButton             *train;
  GtkRevealer           *drop_hint;

  MtDocument            *document;
  MtStudy               *study;
  guint                  inhibited;    /* cookie while training; 0: not */
  gboolean               was_running;
  GSettings             *settings;
  MtModel               *model;        /* opened without its data; NULL: none */
  char                  *model_name;
  GFile                 *project;      /* where decisions are kept; NULL: nowhere yet */
  char                  *expected;     /* SHA-256 the project knows of its source, until compared */
  gboolean               saving;
  gboolean               save_again;   /* something changed while it was being saved */
  guint                  placing;      /* idle that arranges the header bar */
  gboolean               narrow;
  GFile                 *remembered;   /* put into the list of recent files */
};

void _mt_window_class_install_actions (GtkWidgetClass *widget_class);
void _mt_window_update_actions        (MtWindow       *self);
void _mt_window_remember_inspector    (MtWindow       *self);
/* Shows @dialog, which it takes, and calls @chosen when a file was chosen. */
typedef void (*MtWindowFileFunc) (MtWindow *self,
                                  GFile    *file);
void _mt_window_choose_file           (MtWindow             *self,
                                       GtkFileChooserNative *dialog,
                                       MtWindowFileFunc      chosen);
void _mt_window_show_document         (MtWindow       *self);
/* mt-window-model.c */
gboolean _mt_window_is_model          (GFile          *file);
void _mt_window_open_model            (MtWindow       *self,
                                       GFile          *file);
void _mt_window_forget_model          (MtWindow       *self);
/* mt-window-project.c */
void _mt_window_open_project          (MtWindow       *self,
                                       GFile          *project);
void _mt_window_save_project          (MtWindow       *self);
void _mt_window_ask_project           (MtWindow       *self);
void _mt_window_forget_project        (MtWindow       *self);
void _mt_window_compare_source        (MtWindow       *self);
void _mt_window_show_failure          (MtWindow       *self,
                                       const char     *heading,
                                       const GError   *error);

G_END_DECLS
