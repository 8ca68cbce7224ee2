/* Reading a CSV for a command: the options that say how, the progress line, the errors. */
#pragma once

#include "mt-cli.h"

G_BEGIN_DECLS

/* What the options set; zero it, clear it. */
typedef struct {
  char      *encoding;
  char      *delimiter;
  char      *quote;
  char      *decimal;
  char      *thousands;
  gboolean   header;
  gboolean   no_header;
  char     **missing;            /* tokens, everywhere */
  gboolean   no_usual_missing;   /* only those given */
  char     **missing_in;         /* COLUMN=TOKEN */
  char     **types;              /* COLUMN=TYPE */
  char      *split_by;           /* a column that has the role time */
  char     **roles;              /* COLUMN=ROLE */
  char     **derived;            /* [NAME=]FORMULA */
  char      *target;
  char      *sheet;
  char      *table;
  char      *query;
  char     **more;               /* files whose rows follow those of the first; NULL: it is the only one */
} MtCliImport;

void          mt_cli_import_clear       (MtCliImport *options);
/* The import options followed by @own (may be NULL); g_free() it. */
GOptionEntry *mt_cli_import_new_entries (MtCliImport *options, const GOptionEntry *own);
/* The same for a command that reads rows for a model, which knows roles and derived columns itself. Options that mean little there are
 * accepted, so that a script can repeat those of train, but the help does not list them: --role, --split-by, --derive, --target unless
 * @target says what it is for, and --type unless @typed. */
GOptionEntry *mt_cli_import_new_model_entries (MtCliImport *options, const char *target, gboolean typed,
                                               const GOptionEntry *own);
/* Whether the table of @path has all the columns; @names may be NULL. Prints what it lacks, and sets *exit_code. */
gboolean      mt_cli_import_check_names (const MtTable *table, char **names, const char *path, int *exit_code);
/* Reads @path ("-": standard input). On failure prints one line, sets *exit_code and returns
 * NULL. Columns that the options name must be there. */
MtImport     *mt_cli_import_read        (const MtCliImport *options,
                                         const MtCliCommon *common,
                                         const char        *path,
                                         int               *exit_code);
/* The same, with types that hold unless the options say otherwise; @schema may be NULL. */
MtImport     *mt_cli_import_read_as     (const MtCliImport *options,
                                         const MtCliCommon *common,
                                         const MtSchema    *schema,
                                         const char        *path,
                                         int               *exit_code);

/* What the options say, on top of what @dialect and @schema hold; the columns that they name are added to @names. Prints
 * what is wrong, and sets *exit_code. */
gboolean      mt_cli_import_prepare     (const MtCliImport *options, MtCsvDialect *dialect, MtSchema *schema,
                                         GPtrArray *names, int *exit_code);
/* Opens what can be read only once: standard input, a pipe. NULL without an error: @path is a file. */
GInputStream *mt_cli_import_open_stream (const char *path, GError **error);
void          mt_cli_import_show_progress (const MtImportProgress *progress, gpointer terminal);   /* an MtCliProgress */

/* Those of the options that say how a file is read, for a shell; not the target, and not what means missing
 * everywhere, which a model keeps itself. NULL: none was given. */
char         *mt_cli_import_dup_arguments (const MtCliImport *options);

/* Prints why @path could not be read, naming it once; gives the exit code. */
int           mt_cli_import_fail        (const char *path, const GError *error);
/* Neither standard input nor a pipe: it can be read again. */
gboolean      mt_cli_import_can_repeat  (const char *path);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtCliImport, mt_cli_import_clear)

G_END_DECLS
