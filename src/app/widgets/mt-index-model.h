/* A list model whose items are only positions; the view that shows it looks up the content by position.
 * Items are made on request, so a million of them cost nothing. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define MT_TYPE_INDEX_MODEL (mt_index_model_get_type ())

G_DECLARE_FINAL_TYPE (MtIndexModel, mt_index_model, MT, INDEX_MODEL, GObject)

MtIndexModel *mt_index_model_new (void);
/* All items are taken for new ones. */
void          mt_index_model_set (MtIndexModel *self,
                                  guint         n_items);
/* Those at the end come or go; the others stay what they are. */
void          mt_index_model_resize (MtIndexModel *self,
                                  guint         n_items);

G_END_DECLS
