/* Reading a document with names: a place knows where it is, so that whatever is wrong there
 * is reported as `terms[3].weights[1] is not a number`. Places live on the stack. Every
 * function sets MT_ERROR_PARSE and returns FALSE when the document is not as asked. */
#pragma once

#include "mt-json.h"

G_BEGIN_DECLS

typedef struct _MtJsonCursor MtJsonCursor;

struct _MtJsonCursor {
  const MtJsonCursor *parent;   /* NULL: the document itself */
  const char        *name;     /* of a member; NULL: an item of a list */
  guint              index;
  const MtJson      *json;
};

MtJsonCursor mt_json_cursor_root      (const MtJson *root);
/* `terms[3].weights`; "the document" for the root. */
char       *mt_json_cursor_dup_path  (const MtJsonCursor *place);
gboolean    mt_json_cursor_fail      (const MtJsonCursor *place, GError **error,
                                      const char *format, ...) G_GNUC_PRINTF (3, 4);
/* The same about a member that is known to be there. */
gboolean    mt_json_member_fail     (const MtJsonCursor *place, const char *name, GError **error,
                                     const char *format, ...) G_GNUC_PRINTF (4, 5);

/* The object has these members, no other and none less; @names ends with NULL. */
gboolean    mt_json_check_members   (const MtJsonCursor *place, const char * const *names, GError **error);
gboolean    mt_json_member          (const MtJsonCursor *place, const char *name, MtJsonKind kind,
                                     MtJsonCursor *out, GError **error);
gboolean    mt_json_item            (const MtJsonCursor *place, guint index, MtJsonKind kind,
                                     MtJsonCursor *out, GError **error);

/* Values of members. */
gboolean    mt_json_read_string     (const MtJsonCursor *place, const char *name, const char **value,
                                     GError **error);
gboolean    mt_json_read_boolean    (const MtJsonCursor *place, const char *name, gboolean *value,
                                     GError **error);
gboolean    mt_json_read_number     (const MtJsonCursor *place, const char *name, double *value,
                                     GError **error);
gboolean    mt_json_read_integer    (const MtJsonCursor *place, const char *name, guint64 most, guint64 *value,
                                     GError **error);
/* Lists; at most @most items, counted before anything is made. */
gboolean    mt_json_read_numbers    (const MtJsonCursor *place, const char *name, guint most,
                                     double **values, guint *n_values, GError **error);
gboolean    mt_json_read_integers   (const MtJsonCursor *place, const char *name, guint most, guint limit,
                                     guint **values, guint *n_values, GError **error);
gboolean    mt_json_read_strings    (const MtJsonCursor *place, const char *name, guint most,
                                     char ***values, GError **error);

G_END_DECLS
