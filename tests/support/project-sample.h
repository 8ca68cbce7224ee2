/* A project with something in every table, and all it holds as one text to compare. */
#pragma once

#include "project/mt-project.h"

G_BEGIN_DECLS

/* Fills @project in one change; equal generations give equal content. @n_points: of each run. */
void  sample_fill (MtProject *project, guint generation, guint n_runs, guint n_points);
/* Every value that the project's calls give back; doubles by their bits. Aborts on an error. */
char *sample_dump (MtProject *project);

G_END_DECLS
