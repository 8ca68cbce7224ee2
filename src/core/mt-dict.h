/* Distinct texts and their numbers, in the order they came. Made for millions of lookups of
 * short texts: the first eight bytes of an entry are its key, so a text of up to eight bytes
 * is found without looking at anything else. Private to core. */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

typedef struct {
  guint64 head;      /* the first eight bytes, zero-filled */
  guint64 offset;    /* of the whole text in `bytes` */
  guint32 length;
  guint32 code;      /* its number, or MT_CODE_MISSING */
} MtDictEntry;

typedef struct {
  MtDictEntry *entries;
  guint        n_entries, n_allocated;
  guint32     *slots;        /* entry + 1, or 0; a power of two of them */
  guint        n_slots;
  char        *bytes;
  gsize        n_bytes, bytes_allocated;
} MtDict;

void        mt_dict_clear (MtDict *dict);
/* The text's number. A new text gets the next one, or MT_CODE_MISSING when it is among
 * @tokens (which may be NULL). At least eight bytes behind @text must be readable. */
guint32     mt_dict_add   (MtDict *dict, const char *text, gsize length, const char * const *tokens);
/* The entry itself; entries are numbered like codes, those that are missing included. */
static inline const char *
mt_dict_get (const MtDict *dict,
             guint         entry,
             gsize        *length)
{
  *length = dict->entries[entry].length;
  return dict->bytes + dict->entries[entry].offset;
}

/* The first min(length, 8) bytes as a number. */
static inline guint64
mt_dict_head (const char *text,
              gsize       length)
{
  guint64 head;

  memcpy (&head, text, sizeof head);
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  return length >= 8 ? head : head & ((G_GUINT64_CONSTANT (1) << (length * 8)) - 1);
#else
  return length >= 8 ? head : length == 0 ? 0 : head & ~(G_MAXUINT64 >> (length * 8));
#endif
}

static inline guint64
mt_dict_hash (guint64     head,
              const char *text,
              gsize       length)
{
  guint64 hash = (head ^ (length * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15))) *
                 G_GUINT64_CONSTANT (0xd6e8feb86659fd93);

  for (gsize i = 8; G_UNLIKELY (i < length); i += 8)
    hash = (hash ^ (hash >> 29) ^ mt_dict_head (text + i, length - i)) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
  return hash ^ (hash >> 32);
}

static inline gboolean
mt_dict_find (const MtDict *dict,
              const char   *text,
              gsize         length,
              guint64       head,
              guint64       hash,
              guint        *slot)
{
  guint mask = dict->n_slots - 1;
  guint i = (guint) hash & mask;

  for (; dict->slots[i] != 0; i = (i + 1) & mask)
    {
      const MtDictEntry *entry = &dict->entries[dict->slots[i] - 1];

      if (entry->head == head && entry->length == length &&
          (length <= 8 || memcmp (dict->bytes + entry->offset + 8, text + 8, length - 8) == 0))
        {
          *slot = i;
          return TRUE;
        }
    }
  *slot = i;
  return FALSE;
}

G_END_DECLS
