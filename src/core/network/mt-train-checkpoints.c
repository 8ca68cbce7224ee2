#include "config.h"
#include "mt-train-private.h"

struct _MtTrainKeep {
  gatomicrefcount ref_count;
  GMutex          lock;
  GHashTable     *states;        /* fingerprint → GBytes */
};

MtTrainKeep *
mt_train_keep_new (void)
{
  MtTrainKeep *self = g_new0 (MtTrainKeep, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  return self;
}

MtTrainKeep *
mt_train_keep_ref (MtTrainKeep *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_train_keep_unref (MtTrainKeep *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->states);
  g_mutex_clear (&self->lock);
  g_free (self);
}

guint
mt_train_keep_get_n_states (MtTrainKeep *self)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = g_hash_table_size (self->states);
  g_mutex_unlock (&self->lock);
  return n;
}

void
mt_train_keep_add (MtTrainKeep *self,
                   const char  *fingerprint,
                   GBytes      *state)
{
  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->states, g_strdup (fingerprint), g_bytes_ref (state));
  g_mutex_unlock (&self->lock);
}

GBytes *
mt_train_keep_dup (MtTrainKeep *self,
                   const char  *fingerprint)
{
  GBytes *state;

  g_mutex_lock (&self->lock);
  state = g_hash_table_lookup (self->states, fingerprint);
  if (state != NULL)
    g_bytes_ref (state);
  g_mutex_unlock (&self->lock);
  return state;
}
