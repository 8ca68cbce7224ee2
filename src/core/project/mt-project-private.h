/* Inside a project: tables described once, from which come the statements that make them,
 * the check of a stranger's file, and the rows' checksums.
 *
 * Every row ends in a field "check": 64 bits of the SHA-256 over table name and values.
 * Table "seal" holds for each table the number of rows and the sum of their checks, so that
 * a lost or doubled row is noticed, too. */
#pragma once

#include <sqlite3.h>

#include "base/mt-file.h"
#include "mt-project.h"

G_BEGIN_DECLS

#define MT_PROJECT_APPLICATION_ID 0x4d746d31   /* "Mtm1" */

typedef enum {
  MT_CELL_NULL,
  MT_CELL_INTEGER,
  MT_CELL_REAL,
  MT_CELL_TEXT,
  MT_CELL_BLOB,
} MtCellType;

typedef struct {
  const char *name;
  MtCellType  type;
  gint64      least, most;   /* INTEGER: what is allowed; TEXT, BLOB: bytes; REAL: least 1: may be null */
} MtField;

#define MT_STORE_MAX_FIELDS 9

typedef struct {
  const char *name;
  guint       n_keys;        /* the first fields; a single integer is the row's id */
  guint       n_fields;
  guint       n_first;       /* as many of them as version 1 had; the rest is empty or 0 in such a file */
  MtField     fields[MT_STORE_MAX_FIELDS];
  const char *constraint;    /* "" or what follows the primary key */
  const char *index;         /* NULL or the field that a search goes by */
} MtStoreTable;

typedef enum {
  MT_STORE_SOURCE,
  MT_STORE_TEXT_BY_KEY,
  MT_STORE_DISMISSAL,
  MT_STORE_RUN,
  MT_STORE_POINT,
  MT_STORE_MODEL,
  MT_STORE_EDIT,
  MT_STORE_SEAL,             /* the last: it seals the others */
  MT_STORE_N_TABLES,
} MtStoreId;

extern const MtStoreTable mt_store_tables[MT_STORE_N_TABLES];

typedef struct {
  MtCellType  type;
  gint64      integer;
  double      real;
  const void *data;          /* TEXT, BLOB */
  gsize       length;
} MtCell;

typedef struct {
  guint64  n_rows;
  guint64  sum;
  gboolean dirty;
} MtSeal;

struct _MtProject {
  char        *path;          /* links followed */
  gboolean     unsaved;
  gboolean     read_only;
  int          fd;            /* holds the lock; never closed before the database is */
  sqlite3     *db;
  guint        version;       /* of the file; the first change brings it up to MT_PROJECT_VERSION */
  GHashTable  *statements;    /* SQL → sqlite3_stmt */
  MtFileStamp  stamp;         /* as we left it */
  guint        depth;         /* of begin; 0: no change under way */
  gboolean     broken;        /* a part of the change failed */
  guint64      pending;       /* bytes put since begin */
  MtSeal       seals[MT_STORE_SEAL];
  gboolean     unsure;        /* whether the last change is in the file: the seals are to be read again */
  GCancellable *cancellable;  /* borrowed, while opening */
};

/* mt-project-schema.c */
gboolean   mt_project_check_header  (const char *path, int fd, GError **error);
gboolean   mt_project_check_schema  (MtProject *self, GError **error);
gboolean   mt_project_check_content (MtProject *self, GError **error);
gboolean   mt_project_read_seals    (MtProject *self, MtSeal *seals, GError **error);
GBytes    *mt_project_make_empty    (GError **error);

guint      mt_store_n_fields        (const MtStoreTable *table, guint version);
char      *mt_store_table_sql       (const MtStoreTable *table, guint version);

/* mt-project-upgrade.c */
gboolean   mt_project_read_version  (MtProject *self, GError **error);
/* Within a change: the file becomes one of MT_PROJECT_VERSION. */
gboolean   mt_project_upgrade       (MtProject *self, GError **error);

/* mt-project-store.c */
typedef gboolean (*MtRowFunc)       (MtProject *self, const MtCell *row, gpointer data, GError **error);

MtCell     mt_cell_integer          (gint64 value);
MtCell     mt_cell_real             (double value);
MtCell     mt_cell_text             (const char *text);
char      *mt_cell_dup_text         (const MtCell *cell);
double     mt_cell_get_real         (const MtCell *cell);

void       mt_project_set_db_error  (MtProject *self, sqlite3 *db, int code, GError **error);
void       mt_project_set_damaged   (const char *path, const char *table, const char *field, const char *what,
                                     GError **error);
gboolean   mt_project_run_sql       (MtProject *self, const char *sql, GError **error);
gboolean   mt_project_put           (MtProject *self, MtStoreId id, const MtCell *row, GError **error);
/* TRUE with @found FALSE: there was none. */
gboolean   mt_project_remove        (MtProject *self, MtStoreId id, const MtCell *key, gboolean *found,
                                     GError **error);
/* Calls @func for each row, verified; @tail: "" or constant SQL behind FROM, with ?1 … for @args. */
gboolean   mt_project_each          (MtProject *self, MtStoreId id, const char *tail, const MtCell *args,
                                     guint n_args, MtRowFunc func, gpointer data, GError **error);
/* The greatest id and 1. */
gint64     mt_project_next_id       (MtProject *self, MtStoreId id, GError **error);
gint64     mt_store_check_of        (const MtStoreTable *table, const MtCell *row, guint n_fields);
gboolean   mt_project_write_seals   (MtProject *self, GError **error);

/* mt-project.c */
gboolean   mt_project_end           (MtProject *self, gboolean ok, GError **error);

/* mt-project-recovery.c */
char      *mt_project_new_recovery_path (GError **error);
gboolean   mt_project_is_recovery_path  (const char *path);
gboolean   mt_project_is_empty          (MtProject *self);

G_END_DECLS
