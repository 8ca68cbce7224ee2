#include "config.h"
#include "mt-dict.h"

#include "mt-table.h"
#include "mt-typing.h"

#define PADDING 8   /* mt_dict_head reads past the end of a text */

void
mt_dict_clear (MtDict *dict)
{
  g_free (dict->entries);
  g_free (dict->slots);
  g_free (dict->bytes);
  memset (dict, 0, sizeof *dict);
}

static void
grow_slots (MtDict *dict)
{
  guint n_slots = MAX (dict->n_slots * 2, 16);

  g_free (dict->slots);
  dict->slots = g_new0 (guint32, n_slots);
  dict->n_slots = n_slots;
  for (guint e = 0; e < dict->n_entries; e++)
    {
      const MtDictEntry *entry = &dict->entries[e];
      guint64 hash = mt_dict_hash (entry->head, dict->bytes + entry->offset, entry->length);
      guint i = (guint) hash & (n_slots - 1);

      while (dict->slots[i] != 0)
        i = (i + 1) & (n_slots - 1);
      dict->slots[i] = e + 1;
    }
}

guint32
mt_dict_add (MtDict             *dict,
             const char         *text,
             gsize               length,
             const char * const *tokens)
{
  guint64 head = mt_dict_head (text, length);
  guint64 hash = mt_dict_hash (head, text, length);
  MtDictEntry *entry;
  guint slot = 0;

  if (G_LIKELY (dict->n_slots > 0) && mt_dict_find (dict, text, length, head, hash, &slot))
    return dict->entries[dict->slots[slot] - 1].code;

  if ((dict->n_entries + 1) * 2 > dict->n_slots)
    {
      grow_slots (dict);
      mt_dict_find (dict, text, length, head, hash, &slot);
    }
  if (dict->n_entries == dict->n_allocated)
    {
      dict->n_allocated = MAX (dict->n_allocated * 2, 8);
      dict->entries = g_renew (MtDictEntry, dict->entries, dict->n_allocated);
    }
  if (dict->n_bytes + length + PADDING > dict->bytes_allocated)
    {
      dict->bytes_allocated = MAX (dict->bytes_allocated * 2, dict->n_bytes + length + PADDING + 56);
      dict->bytes = g_realloc (dict->bytes, dict->bytes_allocated);
    }
  entry = &dict->entries[dict->n_entries];
  entry->head = head;
  entry->offset = dict->n_bytes;
  entry->length = (guint32) length;
  entry->code = tokens != NULL && mt_is_missing_token (text, length, tokens) ? MT_CODE_MISSING : dict->n_entries;
  memcpy (dict->bytes + dict->n_bytes, text, length);
  memset (dict->bytes + dict->n_bytes + length, 0, PADDING);
  dict->n_bytes += length;
  dict->slots[slot] = ++dict->n_entries;
  return entry->code;
}
