/* A list model whose items are only positions; the view that shows it looks up the content by position. See
 * mt-index-model.h. */
#include "config.h"
#include "mt-index-model.h"

struct _MtIndexModel {
  GObject parent_instance;
  guint   n_items;
};

static GType
get_item_type (GListModel *model)
{
  return G_TYPE_OBJECT;
}

static guint
get_n_items (GListModel *model)
{
  return MT_INDEX_MODEL (model)->n_items;
}

static gpointer
get_item (GListModel *model,
          guint       position)
{
  return position < MT_INDEX_MODEL (model)->n_items ? g_object_new (G_TYPE_OBJECT, NULL) : NULL;
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (MtIndexModel, mt_index_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
mt_index_model_class_init (MtIndexModelClass *klass)
{
}

static void
mt_index_model_init (MtIndexModel *self)
{
}

MtIndexModel *
mt_index_model_new (void)
{
  return g_object_new (MT_TYPE_INDEX_MODEL, NULL);
}

void
mt_index_model_set (MtIndexModel *self,
                    guint         n_items)
{
  guint n_before = self->n_items;

  self->n_items = n_items;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_before, n_items);
}

void
mt_index_model_resize (MtIndexModel *self,
                       guint         n_items)
{
  guint n_before = self->n_items;

  self->n_items = n_items;
  if (n_items > n_before)
    g_list_model_items_changed (G_LIST_MODEL (self), n_before, 0, n_items - n_before);
  else if (n_items < n_before)
    g_list_model_items_changed (G_LIST_MODEL (self), n_items, n_before - n_items, 0);
}
