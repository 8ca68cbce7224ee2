/* The commands of minterm-cli in the order of the work, each with the text of its help and man page. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Common options that mean something to a command. */
typedef enum {
  MT_CLI_USES_JSON    = 1 << 0,
  MT_CLI_USES_THREADS = 1 << 1,
  MT_CLI_USES_SEED    = 1 << 2,
  MT_CLI_USES_DEVICE  = 1 << 3,
  MT_CLI_USES_ALL     = (1 << 4) - 1,
} MtCliUses;

typedef struct {
  const char *command;          /* without "minterm-cli " */
  const char *does;             /* a sentence */
} MtCliExample;

typedef struct {
  const char   *name;                               /* "train", or "bench csv" */
  const char   *summary;                            /* one line, begins with a verb */
  int         (*run) (int argc, char **argv);       /* argv[0] is the name */
  MtCliUses     uses;
  const char   *synopsis;                           /* arguments after the name */
  const char   *about;                              /* paragraphs; NULL: the summary says it all */
  MtCliExample  examples[2];
} MtCliCommand;

/* Both arrays end with an entry without a name. */
const MtCliCommand *mt_cli_get_commands    (void);
const MtCliCommand *mt_cli_get_benchmarks  (void);
/* NULL: there is none of that name. */
const MtCliCommand *mt_cli_find_command    (const char *name);

/* The word that @typed probably stands for, or NULL; @words end with NULL. */
const char         *mt_cli_find_similar    (const char         *typed,
                                            const char * const *words);

G_END_DECLS
