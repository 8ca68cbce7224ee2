/* What every command of minterm-cli shares. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

enum {
  MT_EXIT_OK = 0,
  MT_EXIT_FAILED = 1,
  MT_EXIT_USAGE = 2,
};

/* Options that several commands take; which ones is in the table of commands. */
typedef struct {
  gboolean  json;
  int       threads;
  gint64    seed;
  char     *device;
} MtCliCommon;

/* Parses @argv, whose first word is the name of the command, with @entries (may be NULL) and the common options
 * that the command uses. FALSE when the caller should return *exit_code at once: the command line is not valid,
 * or help was asked for and has been printed. */
gboolean mt_cli_parse      (int                *argc,
                            char             ***argv,
                            const GOptionEntry *entries,
                            MtCliCommon        *common,
                            int                *exit_code);
void     mt_cli_common_clear (MtCliCommon *common);

/* One line on stderr, "minterm-cli: …"; control characters are escaped. Returns @exit_code. */
int      mt_cli_fail       (int exit_code, const char *format, ...) G_GNUC_PRINTF (2, 3);
int      mt_cli_fail_error (const GError *error);

/* Before any work: whether a command may write to @path, which NULL and "-" make standard output, although it reads the
 * files that follow (NULLs among them are skipped, so @n_inputs says how many; "-": standard input). Prints why not. */
gboolean mt_cli_check_output  (const char *path, const char * const *inputs, guint n_inputs);
/* The same for what goes next to the model at @path: mt_file_check_sidecar(). */
gboolean mt_cli_check_sidecar (const char *path, const char *format, const char * const *inputs, guint n_inputs);

/* Members of a JSON document, by name. A number that is not finite is null, and so is a text that is NULL. */
void     mt_cli_json_text    (MtJsonWriter *json, const char *name, const char *value);
void     mt_cli_json_number  (MtJsonWriter *json, const char *name, double value);
void     mt_cli_json_count   (MtJsonWriter *json, const char *name, guint64 value);
void     mt_cli_json_numbers (MtJsonWriter *json, const char *name, const double *values, guint n_values);
/* Prints the document on stdout; takes @json. */
int      mt_cli_json_print   (MtJsonWriter *json);
/* Prints @text on stdout. */
int      mt_cli_print        (const char *text);

/* A copy of @text in which no control character can reach the terminal. */
char    *mt_cli_escape     (const char *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtCliCommon, mt_cli_common_clear)

/* The commands, one file each. */
int      mt_cli_bench      (int argc, char **argv);
int      mt_cli_bench_csv   (int argc, char **argv);
int      mt_cli_bench_minimize (int argc, char **argv);
int      mt_cli_devices    (int argc, char **argv);
int      mt_cli_gpu_selftest    (int argc, char **argv);
int      mt_cli_evaluate   (int argc, char **argv);
int      mt_cli_export     (int argc, char **argv);
int      mt_cli_inspect    (int argc, char **argv);
int      mt_cli_bench_predict (int argc, char **argv);
int      mt_cli_bench_refine (int argc, char **argv);
int      mt_cli_bench_report (int argc, char **argv);
int      mt_cli_bench_step (int argc, char **argv);
int      mt_cli_bench_topk (int argc, char **argv);
int      mt_cli_bench_train (int argc, char **argv);
int      mt_cli_minimize   (int argc, char **argv);
int      mt_cli_predict    (int argc, char **argv);
int      mt_cli_reasons    (int argc, char **argv);
int      mt_cli_cutoff     (int argc, char **argv);
int      mt_cli_reproduce  (int argc, char **argv);
int      mt_cli_rules      (int argc, char **argv);
int      mt_cli_sweep      (int argc, char **argv);
int      mt_cli_train      (int argc, char **argv);
int      mt_cli_verify     (int argc, char **argv);

G_END_DECLS
