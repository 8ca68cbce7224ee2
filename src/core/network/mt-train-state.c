/* A GVariant, little-endian: floats as their bit patterns, so that a resumed training goes
 * on with exactly the numbers it stopped with. Reading checks type, lengths, finiteness.
 *
 * The value's type is (sstuuddduuauauauau), in this order:
 *
 *   s   a magic text with the version       d   best validation loss
 *   s   the fingerprint                     d   training loss of that epoch
 *   t   steps so far                        d   learning rate
 *   u   complete epochs                     u   epochs without a better loss
 *   u   the best of them                    u   … since the rate was halved
 *   au  parameters, first moments, second moments, best parameters: four arrays */
#include "config.h"
#include "mt-train-private.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "base/mt-gettext.h"

#define STATE_TYPE "(sstuuddduuauauauau)"
#define STATE_MAGIC "minterm training 1"

/* Four arrays of n_params floats: the parameters and the optimizer's two running means after the last complete
 * epoch, and the best parameters. They are aligned, because kernels copy and add them. */
void
mt_train_state_init (MtTrainState *state,
                     gsize         n_params)
{
  gsize size = n_params * sizeof (float);

  memset (state, 0, sizeof *state);
  state->n_params = n_params;
  state->last.params = mt_aligned_new0 (size);
  state->last.mean = mt_aligned_new0 (size);
  state->last.square = mt_aligned_new0 (size);
  state->best = mt_aligned_new0 (size);
}

void
mt_train_state_clear (MtTrainState *state)
{
  mt_aligned_free (state->last.params);
  mt_aligned_free (state->last.mean);
  mt_aligned_free (state->last.square);
  mt_aligned_free (state->best);
  memset (state, 0, sizeof *state);
}

/* As the bit patterns of the floats, in 32-bit integers, because a GVariant has no type for floats. Training goes on
 * with exactly the same numbers. */
static GVariant *
floats_to_variant (const float *x,
                   gsize        n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, x, n, sizeof (float));
}

/* Magic, fingerprint, the counters and losses, then the four arrays. n_params floats take 4 bytes
 * each: 65,000 parameters make a state of 1 MB. The bytes are little-endian on every machine. */
GBytes *
mt_train_state_to_bytes (const MtTrainState *state,
                         const char         *fingerprint)
{
  gsize n = state->n_params;
  g_autoptr (GVariant) value =
    g_variant_ref_sink (g_variant_new ("(sstuuddduu@au@au@au@au)", STATE_MAGIC, fingerprint,
                                       state->last.n_steps,
                                       state->epoch, state->best_epoch, state->best_loss,
                                       state->best_train_loss,
                                       state->learning_rate, state->waited, state->waited_plateau,
                                       floats_to_variant (state->last.params, n),
                                       floats_to_variant (state->last.mean, n),
                                       floats_to_variant (state->last.square, n),
                                       floats_to_variant (state->best, n)));

  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    {
      g_autoptr (GVariant) swapped = g_variant_byteswap (value);

      return g_variant_get_data_as_bytes (swapped);
    }
  return g_variant_get_data_as_bytes (value);
}

/* The file may come from anywhere: the array must have exactly n numbers, and all of them finite. @name is for the
 * message. */
static gboolean
variant_to_floats (GVariant   *value,
                   guint       index,
                   const char *name,
                   float      *x,
                   gsize       n,
                   GError    **error)
{
  g_autoptr (GVariant) child = g_variant_get_child_value (value, index);
  gsize found;
  const float *data = g_variant_get_fixed_array (child, &found, sizeof (float));

  if (found != n)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("saved training state: %s has %zu numbers, not %zu"), name,
                   found, n);
      return FALSE;
    }
  memcpy (x, data, n * sizeof (float));
  for (gsize i = 0; i < n; i++)
    if (!isfinite (x[i]))
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                     _("saved training state: %s contains a number that is not finite"),
                     name);
        return FALSE;
      }
  return TRUE;
}

/* The order of the checks: is it a well-formed value of this type; of this version; of this
 * training (the fingerprint has settings and data in it); are the numbers sane; are the arrays of
 * the right length and finite. @state is written as it goes, so after a failure it must not be
 * used. */
gboolean
mt_train_state_from_bytes (MtTrainState *state,
                           GBytes       *bytes,
                           const char   *fingerprint,
                           GError      **error)
{
  g_autoptr (GVariant) value =
    g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (STATE_TYPE), bytes, FALSE));
  const char *magic, *found;

  if (!g_variant_is_normal_form (value))
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("not a saved training state"));
      return FALSE;
    }
  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    {
      GVariant *swapped = g_variant_byteswap (value);

      g_variant_unref (value);
      value = swapped;
    }
  g_variant_get_child (value, 0, "&s", &magic);
  g_variant_get_child (value, 1, "&s", &found);
  if (strcmp (magic, STATE_MAGIC) != 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("not a saved training state, or one from another version"));
      return FALSE;
    }
  if (strcmp (found, fingerprint) != 0)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS,
                   _("the saved training state belongs to other data or settings"));
      return FALSE;
    }
  g_variant_get_child (value, 2, "t", &state->last.n_steps);
  g_variant_get_child (value, 3, "u", &state->epoch);
  g_variant_get_child (value, 4, "u", &state->best_epoch);
  g_variant_get_child (value, 5, "d", &state->best_loss);
  g_variant_get_child (value, 6, "d", &state->best_train_loss);
  g_variant_get_child (value, 7, "d", &state->learning_rate);
  g_variant_get_child (value, 8, "u", &state->waited);
  g_variant_get_child (value, 9, "u", &state->waited_plateau);
  if (!isfinite (state->best_loss) || !(state->learning_rate > 0.0 && state->learning_rate <= 1.0) ||
      state->best_epoch > state->epoch)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARSE,
                   _("saved training state: losses or learning rate are out of range"));
      return FALSE;
    }
  return variant_to_floats (value, 10, "parameters", state->last.params, state->n_params, error) &&
         variant_to_floats (value, 11, "means", state->last.mean, state->n_params, error) &&
         variant_to_floats (value, 12, "squares", state->last.square, state->n_params, error) &&
         variant_to_floats (value, 13, "best parameters", state->best, state->n_params, error);
}
