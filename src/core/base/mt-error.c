/* The error domain of core, and the line of a file that an error may carry. */
#include "config.h"
#include "mt-error.h"

typedef struct {
  guint64 line;
} MtErrorPrivate;

static void
mt_error_private_init (MtErrorPrivate *private)
{
  private->line = 0;
}

static void
mt_error_private_copy (const MtErrorPrivate *from,
                       MtErrorPrivate       *to)
{
  *to = *from;
}

static void
mt_error_private_clear (MtErrorPrivate *private)
{
}

G_DEFINE_EXTENDED_ERROR (MtError, mt_error)

void
mt_error_set_line (GError  **error,
                   guint64   line)
{
  if (error != NULL && *error != NULL && (*error)->domain == MT_ERROR)
    mt_error_get_private (*error)->line = line;
}

guint64
mt_error_get_line (const GError *error)
{
  return error != NULL && error->domain == MT_ERROR ? mt_error_get_private (error)->line : 0;
}

gboolean
mt_refuse (GError     **error,
           MtError      code,
           const char  *format,
           ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, MT_ERROR, code, message);
  return FALSE;
}
