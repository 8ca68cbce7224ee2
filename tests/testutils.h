/* Helpers that more than one test program needs. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A path inside ../shared, or NULL after skipping the running test loudly. */
char *mt_test_shared (const char *first, ...) G_GNUC_NULL_TERMINATED;

G_END_DECLS
