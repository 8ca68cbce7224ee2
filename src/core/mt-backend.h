/* Where training runs. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @device: "auto", "cpu" or "cuda". The backend's own name, "cpu (avx512)" say; or NULL with
 * MT_ERROR_DEVICE when the device cannot be used here, MT_ERROR_PARAMS for another word. */
char *mt_backend_dup_name (const char *device,
                           GError    **error);

G_END_DECLS
