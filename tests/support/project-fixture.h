/* A folder for the files of a test, and projects in it; unsaved ones go elsewhere than those of whoever runs the
 * tests. */
#pragma once

#include "project/mt-project.h"

G_BEGIN_DECLS

typedef struct {
  char *folder;
  char *path;
} Fixture;

void project_set_up (Fixture *fixture, gconstpointer data);
void project_tear_down (Fixture *fixture, gconstpointer data);
MtProject *project_create (const char *path);
MtProject *project_reopen (const char *path, MtProjectFlags flags);
char *project_make_sample (const char *path);
void project_assert_refused (const char *path, GQuark domain, int code, const char *part);
/* The other files in the project's folder. */
guint project_count_others (Fixture *fixture);
/* What main() does: @add adds the tests. */
int project_run_tests (int argc, char **argv, void (*add) (void));

G_END_DECLS
