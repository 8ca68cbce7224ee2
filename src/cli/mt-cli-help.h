/* Help and man pages of the commands, both made from their table and their options. */
#pragma once

#include <glib.h>

#include "mt-cli-commands.h"

G_BEGIN_DECLS

/* Text for a terminal of @width columns; g_free() it. */
char *mt_cli_dup_help         (guint width);
char *mt_cli_dup_command_help (const MtCliCommand *command,
                               const GOptionEntry *entries,
                               guint               width);

/* The same as pages for man(1). */
char *mt_cli_dup_man          (void);
char *mt_cli_dup_command_man  (const MtCliCommand *command,
                               const GOptionEntry *entries);

G_END_DECLS
