/* A model's file with the checksum that its text should have. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @text with the right checksum for what it says: the validator behind the seal is the one
 * under test. */
char *model_reseal (const char *text, gsize length, gsize *n_out);

G_END_DECLS
