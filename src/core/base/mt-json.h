/* JSON for files that are kept and compared: the same value gives the same bytes, and a file
 * is read strictly or not at all.
 *
 * Writing: members in the order given, two spaces of indent, doubles in the shortest form
 * that reads back as the same double, UTF-8 as it is. Arrays of numbers stand on one line.
 *
 * Reading: RFC 8259 to the letter, plus: no member twice, no U+0000, no number that a double
 * cannot hold, nesting at most MT_JSON_MAX_DEPTH. Nothing is allocated by a length that the
 * text claims; memory grows with the text and nothing else. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MT_JSON_MAX_DEPTH 64

/* --- writing --- */

typedef struct _MtJsonWriter MtJsonWriter;

MtJsonWriter *mt_json_writer_new          (void);
/* All on one line and without spaces, for a value that is kept inside another file. */
MtJsonWriter *mt_json_writer_new_compact  (void);
void          mt_json_writer_free         (MtJsonWriter *writer);
/* The text so far, for a checksum over it. */
const char   *mt_json_writer_peek         (MtJsonWriter *writer, gsize *length);
/* Frees the writer; the text ends with a newline, a compact one does not. */
char         *mt_json_writer_finish       (MtJsonWriter *writer, gsize *length);

void          mt_json_writer_begin_object (MtJsonWriter *writer);
void          mt_json_writer_end_object   (MtJsonWriter *writer);
void          mt_json_writer_begin_array  (MtJsonWriter *writer);
void          mt_json_writer_begin_row    (MtJsonWriter *writer);   /* an array or object on one line */
void          mt_json_writer_begin_object_row (MtJsonWriter *writer);
void          mt_json_writer_end_array    (MtJsonWriter *writer);
void          mt_json_writer_key          (MtJsonWriter *writer, const char *name);   /* before a value */
void          mt_json_writer_string       (MtJsonWriter *writer, const char *value);  /* NULL: null */
void          mt_json_writer_number       (MtJsonWriter *writer, double value);       /* finite */
void          mt_json_writer_integer      (MtJsonWriter *writer, guint64 value);
void          mt_json_writer_boolean      (MtJsonWriter *writer, gboolean value);
/* A key and its value. */
void          mt_json_writer_member_string  (MtJsonWriter *writer, const char *name, const char *value);
void          mt_json_writer_member_number  (MtJsonWriter *writer, const char *name, double value);
void          mt_json_writer_member_integer (MtJsonWriter *writer, const char *name, guint64 value);

/* --- reading --- */

typedef enum {
  MT_JSON_NULL,
  MT_JSON_BOOLEAN,
  MT_JSON_NUMBER,
  MT_JSON_STRING,
  MT_JSON_ARRAY,
  MT_JSON_OBJECT,
} MtJsonKind;

typedef struct _MtJson MtJson;

/* MT_ERROR_PARSE names the line. @length -1: up to a NUL. */
MtJson       *mt_json_parse               (const char *text, gssize length, GError **error);
void          mt_json_free                (MtJson *json);
MtJsonKind    mt_json_get_kind            (const MtJson *json);
const char   *mt_json_kind_to_string      (MtJsonKind kind);       /* "a number", "a list", … */
guint         mt_json_get_line            (const MtJson *json);
gboolean      mt_json_get_boolean         (const MtJson *json);
double        mt_json_get_number          (const MtJson *json);
/* FALSE when the number is not written as whole digits, or above @most. */
gboolean      mt_json_get_integer         (const MtJson *json, guint64 most, guint64 *value);
const char   *mt_json_get_string          (const MtJson *json);
guint         mt_json_get_n_children      (const MtJson *json);    /* of an array or object */
const MtJson *mt_json_get_child           (const MtJson *json, guint index);
const char   *mt_json_get_name            (const MtJson *json, guint index);   /* of an object's member */
const MtJson *mt_json_find                (const MtJson *json, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtJsonWriter, mt_json_writer_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtJson, mt_json_free)

G_END_DECLS
