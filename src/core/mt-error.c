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
