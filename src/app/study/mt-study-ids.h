/* A run has a key in the window from the moment it is seen; which id it and its points have in the project
 * is known here, and to the project's thread alone. 0: none. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _MtStudyIds MtStudyIds;

MtStudyIds *mt_study_ids_new           (void);
MtStudyIds *mt_study_ids_ref           (MtStudyIds *ids);
void        mt_study_ids_unref         (MtStudyIds *ids);
gint64      mt_study_ids_get_run       (MtStudyIds *ids,
                                        guint       key);
void        mt_study_ids_set_run       (MtStudyIds *ids,
                                        guint       key,
                                        gint64      id);
/* The points of a run, in its own order. */
gint64      mt_study_ids_get_point     (MtStudyIds *ids,
                                        guint       key,
                                        guint       index);
void        mt_study_ids_add_point     (MtStudyIds *ids,
                                        guint       key,
                                        gint64      id);
void        mt_study_ids_remove_points (MtStudyIds *ids,
                                        guint       key);
/* An edited point has a key of its own. */
gint64      mt_study_ids_get_edited    (MtStudyIds *ids,
                                        guint       key);
void        mt_study_ids_set_edited    (MtStudyIds *ids,
                                        guint       key,
                                        gint64      id);
void        mt_study_ids_remove_edited (MtStudyIds *ids,
                                        guint       key);

G_END_DECLS
