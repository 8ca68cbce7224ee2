/* One file of a zip package, read from front to back, and XML parsed from it, in bounded memory. Private to the room. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _MtZipEntry MtZipEntry;

/* NULL with an error; where the package has no file of that name, NULL without one. */
MtZipEntry *mt_zip_entry_open     (GFile *file, GBytes *bytes, const char *name, GCancellable *cancellable, GError **error);
void        mt_zip_entry_free     (MtZipEntry *self);
/* 0 at the end, −1 on error. */
gssize      mt_zip_entry_read     (MtZipEntry *self, char *buffer, gsize size, GCancellable *cancellable, GError **error);
/* The share of the file that was read, 0 to 1. */
double      mt_zip_entry_get_done (const MtZipEntry *self);

/* Elements by their names without prefix. A parser holds no more than the elements that are open. */
typedef struct {
  void (*start) (const char *element, const char **names, const char **values, gpointer data, GError **error);
  void (*end)   (const char *element, gpointer data, GError **error);
  void (*text)  (const char *text, gsize length, gpointer data, GError **error);
} MtXmlFuncs;

typedef struct _MtXmlReader MtXmlReader;

/* @entry (transfer full) */
MtXmlReader *mt_xml_reader_new  (MtZipEntry *entry, const char *name, const MtXmlFuncs *funcs, gpointer data);
void         mt_xml_reader_free (MtXmlReader *self);
/* Parses a piece; *at_end after the last. */
gboolean     mt_xml_reader_step (MtXmlReader *self, gboolean *at_end, GCancellable *cancellable, GError **error);
const MtZipEntry *mt_xml_reader_get_entry (const MtXmlReader *self);

/* The whole of a file of the package. @needed: it must be there. */
gboolean     mt_xml_read_entry  (GFile *file, GBytes *bytes, const char *name, gboolean needed, const MtXmlFuncs *funcs,
                                 gpointer data, GCancellable *cancellable, GError **error);
/* NULL: there is none. The prefix of a name is left out. */
const char  *mt_xml_attribute   (const char **names, const char **values, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtZipEntry, mt_zip_entry_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtXmlReader, mt_xml_reader_free)

G_END_DECLS
