/* What a project holds, for a window that opens it. */
#pragma once

#include <gio/gio.h>

#include "mt-decisions.h"

G_BEGIN_DECLS

typedef struct {
  GFile       *source;
  char        *sha256;       /* of the source when it was last read; NULL: not known */
  MtDecisions *decisions;
  char        *page;         /* the one shown; NULL: none */
  char        *view;         /* how it was looked at, JSON of mt-window-view.c; NULL: as usual */
  GPtrArray   *runs;         /* of MtProjectRun */
  GArray      *points;       /* of MtProjectPoint */
  GHashTable  *columns;      /* by hash: the roles that runs were made with, JSON */
  GPtrArray   *checks;       /* of char: what engines said of models, JSON */
  char        *sweep;        /* the settings of a sweep of the command line, for runs that do not have them; NULL: none */
  char        *tested;       /* models whose test figures were shown; NULL: none */
} MtProjectContent;

void              mt_project_content_free (MtProjectContent  *content);
/* On the project's own thread. Runs that were interrupted are marked as stopped. */
MtProjectContent *mt_project_content_read (MtProject         *project,
                                           GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtProjectContent, mt_project_content_free)

G_END_DECLS
