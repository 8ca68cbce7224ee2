/* The points of frontiers. A point is small and a table of its own, so that listing and
 * marking never touch the models, which are JSON packed by zlib: a few kB each, thousands
 * of them after a sweep. */
#include "config.h"
#include "mt-project-private.h"

#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define UNIQUE_MARKS (MT_MARK_RECOMMENDED | MT_MARK_SELECTED | MT_MARK_PINNED_A | MT_MARK_PINNED_B)
#define CHUNK        65536

/* Runs @bytes through @converter, at most @limit bytes out; NULL with an error beyond. */
static GBytes *
convert (GConverter  *converter,
         GBytes      *bytes,
         gsize        limit,
         GError     **error)
{
  g_autoptr (GInputStream) memory = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (memory, converter);
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autofree guint8 *buffer = g_malloc (CHUNK);
  gssize n;

  while ((n = g_input_stream_read (stream, buffer, CHUNK, NULL, error)) > 0)
    {
      if (out->len + (gsize) n > limit)
        {
          g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, _("the model is larger than %zu bytes"), limit);
          return NULL;
        }
      g_byte_array_append (out, buffer, (guint) n);
    }
  return n < 0 ? NULL : g_byte_array_free_to_bytes (g_steal_pointer (&out));
}

static GBytes *
pack (GBytes  *model,
      GError **error)
{
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 6);

  if (g_bytes_get_size (model) > MT_PROJECT_MAX_MODEL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_BUDGET, _("the model has %zu bytes; a project can store %u"),
                   g_bytes_get_size (model), MT_PROJECT_MAX_MODEL);
      return NULL;
    }
  return convert (G_CONVERTER (compressor), model, G_MAXUINT32, error);
}

static gboolean
put_point (MtProject             *self,
           const MtProjectPoint  *point,
           GError               **error)
{
  const MtCell row[] = {
    mt_cell_integer (point->id),
    mt_cell_integer (point->run),
    mt_cell_integer (point->literals),
    mt_cell_integer (point->n_rules),
    mt_cell_real (point->cv_mean),
    mt_cell_real (point->cv_se),
    mt_cell_integer (point->marks),
  };

  return mt_project_put (self, MT_STORE_POINT, row, error);
}

static gboolean
take_point (MtProject     *self,
            const MtCell  *row,
            gpointer       data,
            GError       **error)
{
  MtProjectPoint point = {
    row[0].integer, row[1].integer, (guint) row[2].integer, (guint) row[3].integer,
    mt_cell_get_real (&row[4]), mt_cell_get_real (&row[5]), (MtMark) row[6].integer
  };

  g_array_append_val ((GArray *) data, point);
  return TRUE;
}

static GArray *
list_points (MtProject   *self,
             const char  *tail,
             gint64       argument,
             GError     **error)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MtProjectPoint));
  const MtCell args[] = { mt_cell_integer (argument) };

  return mt_project_each (self, MT_STORE_POINT, tail, args, argument != 0 ? 1 : 0, take_point, points, error)
         ? g_steal_pointer (&points) : NULL;
}

GArray *
mt_project_list_points (MtProject  *self,
                        gint64      run,
                        GError    **error)
{
  g_return_val_if_fail (self != NULL && run >= 0, NULL);

  return list_points (self, run != 0 ? "WHERE run = ?1 ORDER BY id" : "ORDER BY run, id", run, error);
}

/* Takes @marks away from the points that have them. */
static gboolean
clear_marks (MtProject  *self,
             MtMark      marks,
             gint64      except,
             GError    **error)
{
  g_autoptr (GArray) points = NULL;

  if ((marks & UNIQUE_MARKS) == 0)
    return TRUE;
  points = list_points (self, "WHERE marks & ?1 ORDER BY id", marks & UNIQUE_MARKS, error);
  if (points == NULL)
    return FALSE;
  for (guint i = 0; i < points->len; i++)
    {
      MtProjectPoint *point = &g_array_index (points, MtProjectPoint, i);

      point->marks &= ~(marks & UNIQUE_MARKS);
      if (point->id != except && !put_point (self, point, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_points (MtProject       *self,
            gint64           run,
            MtProjectPoint  *points,
            GBytes * const  *packed,
            guint            n,
            GError         **error)
{
  gint64 id = mt_project_next_id (self, MT_STORE_POINT, error);

  if (id == 0)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      MtCell model[] = { mt_cell_integer (id + i), { .type = MT_CELL_BLOB } };

      points[i].id = id + i;
      points[i].run = run;
      model[1].data = g_bytes_get_data (packed[i], &model[1].length);
      if (!clear_marks (self, points[i].marks, points[i].id, error) ||
          !put_point (self, &points[i], error) ||
          !mt_project_put (self, MT_STORE_MODEL, model, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_run (MtProject  *self,
         gint64      run,
         GError    **error)
{
  g_autoptr (GPtrArray) runs = mt_project_list_runs (self, error);

  for (guint i = 0; runs != NULL && i < runs->len; i++)
    if (((MtProjectRun *) runs->pdata[i])->id == run)
      return TRUE;
  if (runs != NULL)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the project has no run %" PRId64), run);
  return FALSE;
}

gboolean
mt_project_add_points (MtProject       *self,
                       gint64           run,
                       MtProjectPoint  *points,
                       GBytes * const  *models,
                       guint            n,
                       GError         **error)
{
  g_autoptr (GPtrArray) packed = NULL;

  g_return_val_if_fail (self != NULL && (n == 0 || (points != NULL && models != NULL)), FALSE);

  /* Packed before the transaction: it keeps the file no longer than it must. */
  packed = g_ptr_array_new_full (n, (GDestroyNotify) g_bytes_unref);
  for (guint i = 0; i < n; i++)
    {
      GBytes *bytes = pack (models[i], error);

      if (bytes == NULL)
        return FALSE;
      g_ptr_array_add (packed, bytes);
    }
  if (!mt_project_begin (self, error))
    return FALSE;
  return mt_project_end (self,
                         has_run (self, run, error) &&
                         add_points (self, run, points, (GBytes * const *) packed->pdata, n, error), error);
}

static gboolean
take_model (MtProject     *self,
            const MtCell  *row,
            gpointer       data,
            GError       **error)
{
  *(GBytes **) data = g_bytes_new (row[1].data, row[1].length);
  return TRUE;
}

GBytes *
mt_project_dup_model (MtProject  *self,
                      gint64      point,
                      GError    **error)
{
  g_autoptr (GZlibDecompressor) decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  g_autoptr (GBytes) packed = NULL;
  g_autoptr (GError) inner = NULL;
  GBytes *model;

  g_return_val_if_fail (self != NULL, NULL);

  const MtCell args[] = { mt_cell_integer (point) };
  if (!mt_project_each (self, MT_STORE_MODEL, "WHERE point = ?1", args, 1, take_model, &packed, error))
    return NULL;
  if (packed == NULL)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the project has no data for model %" PRId64), point);
      return NULL;
    }
  model = convert (G_CONVERTER (decompressor), packed, MT_PROJECT_MAX_MODEL, &inner);
  if (model == NULL)
    mt_project_set_damaged (self->path, "model", "json", inner->message, error);
  return model;
}

static gboolean
set_marks (MtProject  *self,
           gint64      id,
           MtMark      marks,
           GError    **error)
{
  g_autoptr (GArray) points = list_points (self, "WHERE id = ?1", id, error);
  MtProjectPoint *point;

  if (points == NULL)
    return FALSE;
  if (points->len == 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, _("the project has no model %" PRId64), id);
      return FALSE;
    }
  point = &g_array_index (points, MtProjectPoint, 0);
  point->marks = marks;
  return clear_marks (self, marks, id, error) && put_point (self, point, error);
}

gboolean
mt_project_set_marks (MtProject  *self,
                      gint64      point,
                      MtMark      marks,
                      GError    **error)
{
  g_return_val_if_fail (self != NULL && point > 0, FALSE);

  if (!mt_project_begin (self, error))
    return FALSE;
  return mt_project_end (self, set_marks (self, point, marks, error), error);
}

static gboolean
remove_point (MtProject  *self,
              gint64      point,
              GError    **error)
{
  const MtCell key = mt_cell_integer (point);
  gboolean found;

  if (!mt_project_remove (self, MT_STORE_MODEL, &key, NULL, error) ||
      !mt_project_remove (self, MT_STORE_POINT, &key, &found, error))
    return FALSE;
  if (!found)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "the project has no point %" G_GINT64_FORMAT, point);
  return found;
}

gboolean
mt_project_remove_point (MtProject  *self,
                         gint64      point,
                         GError    **error)
{
  g_return_val_if_fail (self != NULL && point > 0, FALSE);

  if (!mt_project_begin (self, error))
    return FALSE;
  return mt_project_end (self, remove_point (self, point, error), error);
}
