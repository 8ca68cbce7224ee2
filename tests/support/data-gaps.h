/* Data sets with cells taken out, for tests of what becomes of missing ones. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The file with one feature in seven taken out, in the ways that people write it. */
void mt_test_write_with_gaps (const char *from, const char *target, const char *to);

G_END_DECLS
