/* Large things end one after the other.
 *
 * A closed window takes thousands of widgets with it, and the main loop, which other windows wait for, is busy for a
 * twentieth of a second if they all go at once. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Drops the last reference of each of @objects, one at a time while there is nothing else to do. Takes the array. */
void mt_deferred_unref (GPtrArray *objects);

G_END_DECLS
