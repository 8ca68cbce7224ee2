#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_ERROR (mt_error_quark ())

/**
 * MtError:
 * @MT_ERROR_PARSE: the input is not what it claims to be; the message names line or field
 * @MT_ERROR_SCHEMA: the data lack a column, or a column has another type than asked for
 * @MT_ERROR_PARAMS: a setting is out of its range; the message names the setting and the range
 * @MT_ERROR_BUDGET: a limit of size, time or memory was reached
 * @MT_ERROR_DEVICE: the GPU cannot be used; the same work can go on on the CPU
 * @MT_ERROR_NUMERIC: a loss or weight stopped being finite
 * @MT_ERROR_NEWER: the file was made by a newer version of this program
 * @MT_ERROR_LOCKED: the file is open elsewhere
 * @MT_ERROR_CHANGED: somebody else changed the file on disk since it was opened
 *
 * Codes by what the user can do about it. A cancelled operation is
 * G_IO_ERROR_CANCELLED, a failed file operation stays a GIOErrorEnum.
 */
typedef enum {
  MT_ERROR_PARSE,
  MT_ERROR_SCHEMA,
  MT_ERROR_PARAMS,
  MT_ERROR_BUDGET,
  MT_ERROR_DEVICE,
  MT_ERROR_NUMERIC,
  MT_ERROR_NEWER,
  MT_ERROR_LOCKED,
  MT_ERROR_CHANGED,
} MtError;

GQuark  mt_error_quark    (void);
/* The physical line of the file that an MT_ERROR is about, which its message names; 0: none. */
void    mt_error_set_line (GError       **error,
                           guint64        line);
guint64 mt_error_get_line (const GError  *error);
/* Sets an MT_ERROR and returns FALSE, for "return mt_refuse (…)". */
gboolean mt_refuse        (GError       **error,
                           MtError        code,
                           const char    *format,
                           ...) G_GNUC_PRINTF (3, 4);

G_END_DECLS
