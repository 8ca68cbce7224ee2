/* States of trainings that are kept on the way, so that a run that was stopped can be resumed from
 * them. A state is found by its fingerprint, a hash of everything that the training depends on, so
 * a training that is started again with the same data and settings finds its own state and no
 * other. The latest state of a fingerprint replaces the one before. Any thread may add and look up:
 * one lock around a hash table, held for as long as a lookup takes. */
#include "config.h"
#include "mt-train-private.h"

struct _MtTrainCheckpoints {
  gatomicrefcount ref_count;
  GMutex          lock;
  GHashTable     *states;        /* fingerprint → GBytes */
};

MtTrainCheckpoints *
mt_train_checkpoints_new (void)
{
  MtTrainCheckpoints *self = g_new0 (MtTrainCheckpoints, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  return self;
}

MtTrainCheckpoints *
mt_train_checkpoints_ref (MtTrainCheckpoints *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_train_checkpoints_unref (MtTrainCheckpoints *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->states);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
mt_train_checkpoints_add (MtTrainCheckpoints *self,
                          const char  *fingerprint,
                          GBytes      *state)
{
  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->states, g_strdup (fingerprint), g_bytes_ref (state));
  g_mutex_unlock (&self->lock);
}

GBytes *
mt_train_checkpoints_dup (MtTrainCheckpoints *self,
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
