/* A run has a key in the window from the moment it is seen; which id it and its points have in the project
 * is known here, and to the project's thread alone. 0: none. See mt-study-ids.h. */
#include "config.h"
#include "mt-study-ids.h"

struct _MtStudyIds {
  gatomicrefcount  ref_count;
  GHashTable      *runs;        /* key → gint64 */
  GHashTable      *points;      /* key → GArray of gint64 */
  GHashTable      *edited;      /* key of an edited point → gint64 */
};

MtStudyIds *
mt_study_ids_new (void)
{
  MtStudyIds *ids = g_new0 (MtStudyIds, 1);

  g_atomic_ref_count_init (&ids->ref_count);
  ids->runs = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  ids->points = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  ids->edited = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return ids;
}

MtStudyIds *
mt_study_ids_ref (MtStudyIds *ids)
{
  g_atomic_ref_count_inc (&ids->ref_count);
  return ids;
}

void
mt_study_ids_unref (MtStudyIds *ids)
{
  if (!g_atomic_ref_count_dec (&ids->ref_count))
    return;
  g_hash_table_unref (ids->runs);
  g_hash_table_unref (ids->points);
  g_hash_table_unref (ids->edited);
  g_free (ids);
}

gint64
mt_study_ids_get_run (MtStudyIds *ids,
                      guint       key)
{
  const gint64 *id = g_hash_table_lookup (ids->runs, GUINT_TO_POINTER (key));

  return id != NULL ? *id : 0;
}

gint64
mt_study_ids_get_point (MtStudyIds *ids,
                        guint       key,
                        guint       index)
{
  GArray *points = g_hash_table_lookup (ids->points, GUINT_TO_POINTER (key));

  return points != NULL && index < points->len ? g_array_index (points, gint64, index) : 0;
}

void
mt_study_ids_set_run (MtStudyIds *ids,
                      guint       key,
                      gint64      id)
{
  g_hash_table_insert (ids->runs, GUINT_TO_POINTER (key), g_memdup2 (&id, sizeof id));
}

void
mt_study_ids_add_point (MtStudyIds *ids,
                        guint       key,
                        gint64      id)
{
  GArray *points = g_hash_table_lookup (ids->points, GUINT_TO_POINTER (key));

  if (points == NULL)
    {
      points = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (ids->points, GUINT_TO_POINTER (key), points);
    }
  g_array_append_val (points, id);
}

void
mt_study_ids_remove_points (MtStudyIds *ids,
                            guint       key)
{
  g_hash_table_remove (ids->points, GUINT_TO_POINTER (key));
}

gint64
mt_study_ids_get_edited (MtStudyIds *ids,
                         guint       key)
{
  const gint64 *id = g_hash_table_lookup (ids->edited, GUINT_TO_POINTER (key));

  return id != NULL ? *id : 0;
}

void
mt_study_ids_set_edited (MtStudyIds *ids,
                         guint       key,
                         gint64      id)
{
  g_hash_table_insert (ids->edited, GUINT_TO_POINTER (key), g_memdup2 (&id, sizeof id));
}

void
mt_study_ids_remove_edited (MtStudyIds *ids,
                            guint       key)
{
  g_hash_table_remove (ids->edited, GUINT_TO_POINTER (key));
}
