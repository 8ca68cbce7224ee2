/* Distinct texts and their numbers, in the order they came. See mt-dict.h. */
#include "config.h"
#include "mt-dict.h"

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
take_slot (MtDict *dict,
           guint   entry)
{
  const MtDictEntry *e = &dict->entries[entry];
  const char *text = dict->bytes + e->offset;
  guint64 head = mt_dict_head (text, e->length);
  guint i = (guint) mt_dict_hash (head, text, e->length) & (dict->n_slots - 1);

  while (dict->slots[i].entry != 0)
    i = (i + 1) & (dict->n_slots - 1);
  dict->slots[i] = (MtDictSlot) { head, e->length, entry + 1 };
}

guint32
mt_dict_insert (MtDict     *dict,
                const char *text,
                gsize       length)
{
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
  dict->entries[dict->n_entries] = (MtDictEntry) { dict->n_bytes, (guint32) length };
  memcpy (dict->bytes + dict->n_bytes, text, length);
  memset (dict->bytes + dict->n_bytes + length, 0, PADDING);
  dict->n_bytes += length;
  dict->n_entries++;
  if (dict->n_entries * 3 > dict->n_slots)
    {
      g_free (dict->slots);
      dict->n_slots = MAX (dict->n_slots * 2, 16);
      dict->slots = g_new0 (MtDictSlot, dict->n_slots);
      for (guint e = 0; e < dict->n_entries; e++)
        take_slot (dict, e);
    }
  else
    take_slot (dict, dict->n_entries - 1);
  return dict->n_entries - 1;
}
