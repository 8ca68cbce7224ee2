/* Writes JSON: commas, indent and escapes. The same calls give the same bytes. See mt-json.h. */
#include "config.h"
#include "mt-json.h"

#include <math.h>
#include <string.h>

#include "mt-decimal.h"

typedef struct {
  guint8 is_row;       /* all on one line */
  guint8 is_object;
  guint8 has_members;
} Level;

struct _MtJsonWriter {
  GString *out;
  Level    levels[MT_JSON_MAX_DEPTH + 1];   /* levels[0] is outside the document */
  guint    depth;
  gboolean has_key;    /* a key was written, its value not yet */
  gboolean is_compact; /* no spaces and no newline at the end */
};

MtJsonWriter *
mt_json_writer_new (void)
{
  MtJsonWriter *self = g_new0 (MtJsonWriter, 1);

  self->out = g_string_new (NULL);
  return self;
}

MtJsonWriter *
mt_json_writer_new_compact (void)
{
  MtJsonWriter *self = mt_json_writer_new ();

  self->is_compact = TRUE;
  self->levels[0].is_row = TRUE;   /* every level takes it from the one around it */
  return self;
}

void
mt_json_writer_free (MtJsonWriter *self)
{
  if (self == NULL)
    return;
  g_string_free (self->out, TRUE);
  g_free (self);
}

const char *
mt_json_writer_peek (MtJsonWriter *self,
                     gsize        *length)
{
  *length = self->out->len;
  return self->out->str;
}

char *
mt_json_writer_finish (MtJsonWriter *self,
                       gsize        *length)
{
  char *text;

  g_return_val_if_fail (self->depth == 0, NULL);
  if (!self->is_compact)
    g_string_append_c (self->out, '\n');
  if (length != NULL)
    *length = self->out->len;
  text = g_string_free (self->out, FALSE);
  g_free (self);
  return text;
}

static void
new_line (MtJsonWriter *self)
{
  g_string_append_c (self->out, '\n');
  for (guint i = 0; i < self->depth; i++)
    g_string_append (self->out, "  ");
}

/* The comma, line and indent that a member or element needs in front. */
static void
begin_member (MtJsonWriter *self)
{
  Level *level = &self->levels[self->depth];

  if (self->depth == 0)
    return;
  if (level->has_members)
    g_string_append_c (self->out, ',');
  if (!level->is_row)
    new_line (self);
  else if (level->has_members && !self->is_compact)
    g_string_append_c (self->out, ' ');
  level->has_members = TRUE;
}

static void
begin_value (MtJsonWriter *self)
{
  g_return_if_fail (self->has_key == self->levels[self->depth].is_object);
  if (!self->has_key)
    begin_member (self);
  self->has_key = FALSE;
}

static void
begin (MtJsonWriter *self,
       gboolean      is_object,
       gboolean      is_row)
{
  g_return_if_fail (self->depth < MT_JSON_MAX_DEPTH);
  begin_value (self);
  g_string_append_c (self->out, is_object ? '{' : '[');
  is_row = is_row || self->levels[self->depth].is_row;
  self->levels[++self->depth] = (Level) { (guint8) is_row, (guint8) is_object, FALSE };
}

static void
end (MtJsonWriter *self,
     gboolean      is_object)
{
  Level level = self->levels[self->depth];

  g_return_if_fail (self->depth > 0 && level.is_object == is_object && !self->has_key);
  self->depth--;
  if (level.has_members && !level.is_row)
    new_line (self);
  g_string_append_c (self->out, is_object ? '}' : ']');
}

void
mt_json_writer_begin_object (MtJsonWriter *self)
{
  begin (self, TRUE, FALSE);
}

void
mt_json_writer_begin_object_row (MtJsonWriter *self)
{
  begin (self, TRUE, TRUE);
}

void
mt_json_writer_end_object (MtJsonWriter *self)
{
  end (self, TRUE);
}

void
mt_json_writer_begin_array (MtJsonWriter *self)
{
  begin (self, FALSE, FALSE);
}

void
mt_json_writer_begin_row (MtJsonWriter *self)
{
  begin (self, FALSE, TRUE);
}

void
mt_json_writer_end_array (MtJsonWriter *self)
{
  end (self, FALSE);
}

static void
append_string (GString    *out,
               const char *value)
{
  g_string_append_c (out, '"');
  for (const char *p = value; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      {
        g_string_append_c (out, '\\');
        g_string_append_c (out, *p);
      }
    else if (*p == '\n')
      g_string_append (out, "\\n");
    else if (*p == '\t')
      g_string_append (out, "\\t");
    else if (*p == '\r')
      g_string_append (out, "\\r");
    else if ((guchar) *p < 0x20 || *p == 0x7f)
      g_string_append_printf (out, "\\u%04x", (guint) *p);
    else
      g_string_append_c (out, *p);
  g_string_append_c (out, '"');
}

void
mt_json_writer_key (MtJsonWriter *self,
                    const char   *name)
{
  g_return_if_fail (self->levels[self->depth].is_object && !self->has_key);
  begin_member (self);
  append_string (self->out, name);
  g_string_append (self->out, self->is_compact ? ":" : ": ");
  self->has_key = TRUE;
}

void
mt_json_writer_string (MtJsonWriter *self,
                       const char   *value)
{
  begin_value (self);
  if (value != NULL)
    append_string (self->out, value);
  else
    g_string_append (self->out, "null");
}

void
mt_json_writer_number (MtJsonWriter *self,
                       double        value)
{
  char buffer[MT_DECIMAL_SIZE];

  g_return_if_fail (isfinite (value));
  begin_value (self);
  g_string_append (self->out, mt_decimal_write (value, buffer));
}

void
mt_json_writer_integer (MtJsonWriter *self,
                        guint64       value)
{
  begin_value (self);
  g_string_append_printf (self->out, "%" G_GUINT64_FORMAT, value);
}

void
mt_json_writer_boolean (MtJsonWriter *self,
                        gboolean      value)
{
  begin_value (self);
  g_string_append (self->out, value ? "true" : "false");
}

void
mt_json_writer_member_string (MtJsonWriter *self,
                              const char   *name,
                              const char   *value)
{
  mt_json_writer_key (self, name);
  mt_json_writer_string (self, value);
}

void
mt_json_writer_member_number (MtJsonWriter *self,
                              const char   *name,
                              double        value)
{
  mt_json_writer_key (self, name);
  mt_json_writer_number (self, value);
}

void
mt_json_writer_member_integer (MtJsonWriter *self,
                               const char   *name,
                               guint64       value)
{
  mt_json_writer_key (self, name);
  mt_json_writer_integer (self, value);
}
