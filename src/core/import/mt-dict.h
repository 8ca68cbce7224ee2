/* Distinct texts and their numbers, in the order they came. Made for millions of lookups of
 * short texts: a slot holds the first eight bytes of its text, so a text of up to eight
 * bytes is found, or found absent, by looking at one slot. Private to core. */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

typedef struct {
  guint64 head;      /* the first eight bytes, zero-filled */
  guint32 length;
  guint32 entry;     /* plus 1; 0: the slot is free */
} MtDictSlot;

typedef struct {
  guint64 offset;    /* in `bytes` */
  guint32 length;
} MtDictEntry;

typedef struct {
  MtDictEntry *entries;
  guint        n_entries, n_allocated;
  MtDictSlot  *slots;        /* a power of two of them, at most a third in use */
  guint        n_slots;
  char        *bytes;
  gsize        n_bytes, bytes_allocated;
} MtDict;

void    mt_dict_clear  (MtDict *dict);
guint32 mt_dict_insert (MtDict *dict, const char *text, gsize length);

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
  if (length >= 8)
    return head;
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  return head & ((G_GUINT64_CONSTANT (1) << (length * 8)) - 1);
#else
  return length == 0 ? 0 : head & ~(G_MAXUINT64 >> (length * 8));
#endif
}

static inline guint64
mt_dict_hash (guint64     head,
              const char *text,
              gsize       length)
{
  guint64 hash = (head ^ length) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);

  for (gsize i = 8; i < length; i += 8)
    hash = (hash ^ (hash >> 29) ^ mt_dict_head (text + i, length - i)) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
  return hash ^ (hash >> 32);
}

static inline gboolean
mt_dict_same_tail (const char *a,
                   const char *b,
                   gsize       length)
{
  for (gsize i = 8; i < length; i += 8)
    if (mt_dict_head (a + i, length - i) != mt_dict_head (b + i, length - i))
      return FALSE;
  return TRUE;
}

/* The number of a text; a new one gets the next. Eight bytes behind @text must be readable. */
static inline guint32
mt_dict_add (MtDict     *dict,
             const char *text,
             gsize       length)
{
  guint64 head = mt_dict_head (text, length);
  guint64 hash = mt_dict_hash (head, text, length);
  const MtDictSlot *slot;

  if (G_UNLIKELY (dict->n_slots == 0))
    return mt_dict_insert (dict, text, length);
  for (guint i = (guint) hash & (dict->n_slots - 1);; i = (i + 1) & (dict->n_slots - 1))
    {
      slot = &dict->slots[i];
      if (G_LIKELY (slot->head == head && slot->length == length && slot->entry != 0) &&
          (length <= 8 || mt_dict_same_tail (dict->bytes + dict->entries[slot->entry - 1].offset, text, length)))
        return slot->entry - 1;
      if (slot->entry == 0)
        return mt_dict_insert (dict, text, length);
    }
}

G_END_DECLS
