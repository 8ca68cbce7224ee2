/* What mt-window.c and mt-window-actions.c share. */
#pragma once

#include "frontier/mt-frontier-page.h"
#include "train/mt-model-page.h"
#include "document/mt-open-files.h"
#include "widgets/mt-next-step-button.h"
#include "performance/mt-performance-page.h"
#include "report/mt-report-page.h"
#include "rules/mt-rules-page.h"
#include "session/mt-session.h"
#include "train/mt-sweep-panel.h"
#include "train/mt-train-page.h"
#include "mt-window.h"

G_BEGIN_DECLS

struct _MtWindow {
  AdwApplicationWindow   parent_instance;

  /* template children */
  AdwToastOverlay       *toasts;
  AdwHeaderBar          *header;
  GtkMenuButton         *project_menu;
  GMenu                 *page_section;     /* of that menu */
  GtkLabel              *project_name;
  GtkButton             *undo;
  GtkButton             *redo;
  GtkToggleButton       *inspector;
  GtkStack              *edit_place;
  GtkMenuButton         *edit;
  GtkWidget             *no_edit;
  AdwViewSwitcherTitle  *switcher;
  AdwViewSwitcherBar    *switcher_bar;
  GtkStack              *stack;
  AdwViewStack          *pages;
  MtDataPage            *data_page;
  MtModelPage           *model_page;
  MtSweepPanel          *sweep;           /* of the model page; borrowed */
  MtTrainPage           *train_page;
  MtFrontierPage        *frontier_page;
  MtRulesPage           *rules_page;
  MtPerformancePage     *performance_page;
  MtReportPage          *report_page;
  GtkStack              *step;            /* the button of what comes next */
  GtkRevealer           *drop_hint;
  GtkRevealer           *source_strip;
  GtkLabel              *source_text;
  GtkRevealer           *unsaved_strip;
  GtkLabel              *unsaved_text;
  GtkRevealer           *recovery_strip;
  GtkBox                *recovery_box;
  GtkLabel              *recovery_text;
  GtkWidget             *recovery_button;

  MtDocument            *document;
  MtStudy               *study;
  MtSession             *session;      /* what is open, and where it is kept */
  guint                  inhibited;    /* cookie while training; 0: not */
  guint                  objection;    /* cookie while the session knows of unsaved work; 0: it does not */
  guint                  objecting;    /* source that looks if it still is not */
  gboolean               was_running;
  GSettings             *settings;
  MtSelectedModel       *exporting;    /* its model is being made for the export dialog; NULL: none */
  guint                  keeping_view; /* it will be soon; 0: nothing new */
  guint                  warming;      /* source that measures hidden pages; 0: none */
  double                 tell_after;   /* seconds of training, from which on its end is news */
  gpointer               pane;         /* borrowed: the page whose pane the header bar's button shows, … */
  GBinding              *pane_binding; /* … which lives as long as both */
  guint                  placing;      /* idle that arranges the header bar */
  gboolean               narrow;
  int                    wide_least;   /* what the header bar takes when the window is not narrow; 0: not known */
  int                    edit_needs;   /* the width from which on there is a word next to the pencil */
  guint                  text_size;    /* goes up when the text has another size */
  gboolean               widened;         /* a moment ago */
  AdwToast              *saved;           /* says that the project is; weak */
  AdwToast              *told;            /* the last step undone, done again, or a finding's fix; weak */
  char                  *fix;             /* to be told of when it is done; NULL: none */
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
/* The model one looks at, with its reasons; NULL without error: there is none. */
MtModel *_mt_window_dup_model         (MtWindow       *self,
                                       GError        **error);
/* mt-window-model.c */
void _mt_window_init_model            (MtWindow       *self);
void _mt_window_set_model             (MtWindow       *self,
                                       MtModel        *model);
/* mt-window-edit.c */
void _mt_window_class_install_edit_actions (GtkWidgetClass *widget_class);
void _mt_window_init_edit             (MtWindow       *self);
void _mt_window_update_header         (MtWindow       *self);
void _mt_window_explain_train         (MtWindow       *self,      /* buttons that train say why they cannot */
                                       MtNextStep      step);
gboolean _mt_window_has_pane          (MtWindow       *self);     /* the page shown has one that can be hidden */
void _mt_window_update_edit           (MtWindow       *self);
/* The selected model gets that cutoff: an edit like others. */
void _mt_window_set_cutoff            (MtWindow       *self,
                                       double          cutoff,
                                       const char     *reason);
/* mt-window-paste.c */
void _mt_window_class_install_paste_action (GtkWidgetClass *widget_class);
/* mt-window-predict.c */
void _mt_window_class_install_predict_action (GtkWidgetClass *widget_class);
/* mt-window-project.c */
void _mt_window_init_project          (MtWindow       *self);
void _mt_window_keep_page             (MtWindow       *self);
void _mt_window_keep_tested           (MtWindow       *self,
                                       const char     *keys);
void _mt_window_keep_check            (MtWindow       *self,
                                       const char     *sha256,
                                       const char     *json);
void _mt_window_ask_project           (MtWindow       *self,
                                       MtWindowFileFunc chosen);
/* Says so; the toast, which is the overlay's, may be given more to say. */
AdwToast *_mt_window_tell_saved       (MtWindow       *self,
                                       GFile          *file);
/* mt-window-close.c */
void _mt_window_init_close            (MtWindow       *self);
/* Asks what to do with what is not saved, if there is anything; then goes there, unless cancelled. */
void _mt_window_leave                 (MtWindow       *self,
                                       MtSessionWhere  where,
                                       GFile          *file);
/* For a project to be saved in first. */
void _mt_window_save_and_go_on        (MtWindow       *self,
                                       GFile          *project);
/* mt-window-recovery.c */
void _mt_window_init_recovery         (MtWindow       *self);
void _mt_window_recover               (MtWindow       *self);
void _mt_window_recover_later         (MtWindow       *self);
void _mt_window_weigh_recovery        (MtWindow       *self);   /* when something was opened, or closed */
void _mt_window_discard_recoverable   (MtWindow       *self);
/* What one can do about a failure, and of what kind it was. */
typedef void (*MtWindowFixFunc) (MtWindow   *self,
                                 const char *kind);
/* @label: of the button that calls @fix; NULL: nothing can be done. */
void _mt_window_show_failure          (MtWindow       *self,
                                       const char     *heading,
                                       const GError   *error,
                                       const char     *label,
                                       MtWindowFixFunc fix,
                                       const char     *kind);
void _mt_window_ask_another           (MtWindow       *self,
                                       const char     *kind);

/* mt-window-parts.c */
void _mt_window_ask_for_part          (MtWindow       *self);

/* mt-window-results.c */
void _mt_window_class_install_results_actions (GtkWidgetClass *widget_class);
void _mt_window_update_results        (MtWindow       *self);

/* mt-window-toasts.c */
void _mt_window_tell_step             (MtWindow       *self,
                                       const char     *format,    /* with %s for … */
                                       const char     *label);    /* … the step; NULL: there was none */
void _mt_window_tell_fix              (MtWindow        *self,
                                       const MtFinding *finding);   /* when it is done, with a button to undo it */
void _mt_window_step_taken            (MtWindow       *self);
void _mt_window_step_over             (MtWindow       *self);

/* mt-window-view.c */
void _mt_window_watch_view            (MtWindow       *self);
void _mt_window_keep_view             (MtWindow       *self);   /* now, if it is new */
void _mt_window_flush_view            (MtWindow       *self);   /* the same, if it is waiting to be kept */
void _mt_window_restore_view          (MtWindow       *self,
                                       const char     *view);
/* mt-window-premeasure.c: restarts; call when the window is shown and when the content of the pages changed */
void _mt_window_warm_up               (MtWindow       *self);

G_END_DECLS
