/* Helpers that more than one test program needs. */
#pragma once

#include <glib.h>

#include "base/mt-json.h"
#include "encode/mt-encoder.h"
#include "data/mt-table.h"

G_BEGIN_DECLS

/* A path inside ../shared, or NULL after skipping the running test loudly. */
char *mt_test_shared (const char *first, ...) G_GNUC_NULL_TERMINATED;
/* The rows of ../shared/FOLDER/manifest.tsv below its header, of char **; or NULL after a skip. */
GPtrArray *mt_test_manifest (const char *folder);

/* A program need not read all that it is offered: writing to it then fails instead of killing us. */
void  mt_test_ignore_broken_pipes (void);
/* Runs minterm-cli with the arguments and @input (NULL: none) on its standard input; gives its exit
 * code. Free what it wrote; @out and @err may be NULL. */
int   mt_test_cli    (const char *input, char **out, char **err, const char *first, ...) G_GNUC_NULL_TERMINATED;
/* The same without input must end with @exit_code, print nothing, and complain in one line that holds @says. */
void  mt_test_cli_fails (int exit_code, const char *says, const char *first, ...) G_GNUC_NULL_TERMINATED;

/* Runs "minterm-cli train …", a command as reports have it, by a shell; it must end well. */
void  mt_test_run_command (const char *command);

/* The number behind @name, as in xMin=", in a line of pdftotext's; it must be there. */
double mt_test_get_attribute (const char *line,
                              const char *name);

/* Memory that what comes now takes for a moment: begin, and at the end at most @most bytes more than then were ever held. Not checked
 * under sanitizers, which hold more, and where the kernel does not say it. */
void  mt_test_peak_begin (void);
void  mt_test_peak_end   (gsize most);

/* A new folder for a test's files; g_free() it. */
char *mt_test_make_folder   (void);
/* Removes the files in it, and says how many there were; the second removes the folder, too. */
guint mt_test_empty_folder  (const char *folder);
guint mt_test_remove_folder (const char *folder);

/* Columns from literals: NaN or NULL is missing; levels in order of their first row. */
MtColumn *mt_test_numbers (const char *name, const double *values, gsize n_rows);
MtColumn *mt_test_levels  (const char *name, MtColumnType type, const char * const *cells, gsize n_rows);
MtColumn *mt_test_text    (const char *name, const char * const *cells, gsize n_rows);
/* Takes the columns; all are features but @target (-1: none). */
MtTable  *mt_test_table   (MtColumn **columns, guint n_columns, int target);
/* The same with one role changed; takes @table. */
MtTable  *mt_test_set_role (MtTable *table, guint column, MtColumnRole role);

/* Members of a JSON object by name; a test ends when there is none, or when it is of another kind. */
const char   *mt_test_json_string  (const MtJson *object, const char *name);
double        mt_test_json_number  (const MtJson *object, const char *name);
gint64        mt_test_json_integer (const MtJson *object, const char *name);
gboolean      mt_test_json_boolean (const MtJson *object, const char *name);
const MtJson *mt_test_json_object  (const MtJson *object, const char *name);
const MtJson *mt_test_json_array   (const MtJson *object, const char *name);
gboolean      mt_test_json_is_null (const MtJson *object, const char *name);
/* The same kinds, names in the same order, and values. */
gboolean      mt_test_json_equal   (const MtJson *a, const MtJson *b);
/* The value on one line, without spaces. */
char         *mt_test_json_dup_text (const MtJson *json);
MtJson       *mt_test_json_load    (const char *path);

/* A second opinion, from the definition: is the literal true of the raw cell of @row? */
gboolean  mt_test_literal_is_true (const MtEncoder *encoder, guint literal, const MtTable *table, gsize row);

G_END_DECLS
