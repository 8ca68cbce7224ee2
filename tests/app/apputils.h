/* What the programs that drive the real window share: start it without a session, wait for
 * something while the main loop runs, take its picture. */
#pragma once

#include "report/mt-export-dialog.h"
#include "window/mt-window.h"

G_BEGIN_DECLS

typedef gboolean (*MtAppCondition) (gpointer data);

/* Leaves with 77 (skipped) when there is no display. */
void        mt_app_test_init  (int            *argc,
                               char         ***argv);
MtWindow   *mt_app_window_new (int             width,
                               int             height);
void        mt_app_window_end (MtWindow       *window);
/* Fails the test when it takes unreasonably long. */
void        mt_app_wait       (MtAppCondition  condition,
                               gpointer        data);
void        mt_app_settle     (guint           milliseconds);
void        mt_app_open       (MtWindow       *window,
                               GFile          *file);     /* and waits until it is read, or failed */
void        mt_app_wait_idle  (MtWindow       *window);   /* until nothing is being read */
void        mt_app_wait_trained (MtWindow     *window);   /* until no run works or waits */
/* Opens it, with that column to predict, and trains by the settings that are there at first. */
void        mt_app_train      (MtWindow       *window,
                               GFile          *file,
                               const char     *target);
/* Opens a copy of a project of make-trained.py, which is what training by these settings would make. */
void        mt_app_open_trained (MtWindow     *window,
                               const char     *name);
void        mt_app_wait_asked (MtWindow       *window);   /* until it asks a question */
GtkWindow  *mt_app_find_question (MtWindow    *window);   /* NULL: it asks none */
/* Waits for a question and answers it with that response. */
void        mt_app_answer     (MtWindow       *window,
                               const char     *response);
GFile      *mt_app_write      (const char     *name,
                               const char     *text);     /* a new file for this test */
/* FALSE: files of this process can grow no further; what a full disk is to SQLite. */
void        mt_app_set_room   (gboolean        room);
/* TRUE: nothing beside @file can be written, by nobody; to be undone soon, nothing else can be written meanwhile. */
void        mt_app_set_read_only (GFile       *file,
                                  gboolean     read_only);
/* Work on that file without a name, as a program leaves it that was killed. */
void        mt_app_leave_work (GFile          *csv);
/* The first descendant of the type with that name or label; NULL: none. */
GtkWidget  *mt_app_find       (GtkWidget      *top,
                               GType           type,
                               const char     *text);
/* A key as the widget's class has it bound; FALSE: it is not, or it is left to others now. */
gboolean    mt_app_press      (GtkWidget      *widget,
                               guint           key,
                               GdkModifierType modifiers);
/* All descendants of the type, itself among them, in the order in which they stand. Unref it. */
GPtrArray  *mt_app_find_all   (gpointer        top,
                               GType           type);
/* The window of the type over @parent; NULL: none. */
gpointer    mt_app_find_over  (gpointer        parent,
                               GType           type);
/* The dialog that exports the model of @window, once it is there: the model may be made first. */
MtExportDialog *mt_app_open_export (MtWindow  *window);
void        mt_app_wait_painted (GtkWidget    *widget);   /* until its next frame is on the screen */
GdkTexture *mt_app_grab       (GtkWidget      *widget);   /* its next frame */
void        mt_app_shot       (GtkWidget      *widget,
                               const char     *path);     /* replaced by a rename: never a device */
/* With another window over the middle of it, and shaded for that. */
void        mt_app_shot_over  (GtkWidget      *widget,
                               GtkWidget      *over,
                               const char     *path);

G_END_DECLS
