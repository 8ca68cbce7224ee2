/* SHA-256 of a stream of bytes: by the processor's own instructions where it has them,
 * through GChecksum elsewhere. Private to core. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _MtSha256 MtSha256;

MtSha256 *mt_sha256_new     (gboolean portable);   /* TRUE: GChecksum even so, for tests */
void      mt_sha256_free    (MtSha256 *sha);
void      mt_sha256_update  (MtSha256 *sha, const void *data, gsize length);
char     *mt_sha256_finish  (MtSha256 *sha);       /* hex; no more updates after it */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtSha256, mt_sha256_free)

G_END_DECLS
