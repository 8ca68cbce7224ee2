/* The command that makes a model again, out of what its file says of the run. The same data give the
 * same bytes: everything that the run depends on is in the file, or the command is not given. */
#pragma once

#include "mt-model.h"

G_BEGIN_DECLS

/* Words of a command, quoted where a shell needs it, a blank before each but the first. An option and its
 * value are one word, so that a value that begins with a hyphen is taken for no option. */
void  mt_command_add_word   (GString *command, const char *word);
void  mt_command_add_option (GString *command, const char *name, const char *value);
/* The same command in lines of at most 80 letters that end in a backslash, broken before options only: lines on paper
 * are short, and one that is broken elsewhere is no command any more. */
char *mt_command_dup_folded (const char *command);

/* @data and @output: names of files, as they are to stand in the command.
 * Of an edited model it is the command that made what was edited. NULL with MT_ERROR_PARAMS that says what the file lacks. */
char *mt_model_dup_command  (const MtModel *model, const char *data, const char *output, GError **error);

G_END_DECLS
