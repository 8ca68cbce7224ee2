/* Why a run failed, as a project keeps it together with the message: the kind by name and the language that the
 * message is in, "numeric de". In another language the kind is described again and the message quoted. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char   *mt_run_failure_to_text   (const GError *error);
/* @text NULL or strange: the message as it is, of no particular kind. */
GError *mt_run_failure_from_text (const char   *text,
                                  const char   *message);

G_END_DECLS
