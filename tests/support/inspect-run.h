/* minterm-cli inspect as a program of its own: its streams, its exit code, its JSON; and files for it to read. */
#pragma once

#include <gio/gio.h>

#include "base/mt-json.h"

G_BEGIN_DECLS

typedef struct {
  int       exit_code;
  char     *out, *err;
  MtJson   *json;        /* of out, when it is JSON */
} Run;

/* @environment: NAME=VALUE …, or NULL; @input NULL: nothing. */
void        inspect_with    (Run *run, const char * const *environment, const char *input, const char * const *arguments);
#define     RUN(run, ...)   inspect_with (run, NULL, NULL, (const char * const[]) { __VA_ARGS__, NULL })
void        inspect_clear   (Run *run);
const MtJson *inspect_root    (const Run *run);
const MtJson *inspect_column  (const Run *run, const char *name);
/* NULL: there is none. */
const MtJson *inspect_warning (const Run *run, const char *code, const char *column);

char       *inspect_sample  (const char *name);
/* A file that is there as long as the test. */
char       *make_file       (const char *text, gssize length);
void        drop_file       (char *path);

typedef char TemporaryFile;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TemporaryFile, drop_file)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, inspect_clear)

G_END_DECLS
