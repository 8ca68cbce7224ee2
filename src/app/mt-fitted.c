#include "config.h"
#include "mt-fitted.h"

G_DEFINE_BOXED_TYPE (MtFitted, mt_fitted, mt_fitted_ref, mt_fitted_unref)

MtBasis *
mt_basis_new_from_learned (MtTable        *table,
                           MtLearned      *learned,
                           GArray         *test,
                           MtDontCareMode  dont_care)
{
  MtBasis *self;

  g_return_val_if_fail (table != NULL && learned != NULL, NULL);

  self = g_atomic_rc_box_new0 (MtBasis);
  self->table = mt_table_ref (table);
  self->target = g_steal_pointer (&learned->target);
  self->rows = g_steal_pointer (&learned->rows);
  self->encoder = g_steal_pointer (&learned->encoder);
  self->encoded = g_steal_pointer (&learned->encoded);
  self->test = test != NULL ? g_array_ref (test) : NULL;
  self->dont_care = dont_care;
  return self;
}

MtBasis *
mt_basis_ref (MtBasis *basis)
{
  return g_atomic_rc_box_acquire (basis);
}

static void
basis_clear (gpointer data)
{
  MtBasis *self = data;

  mt_table_unref (self->table);
  mt_target_unref (self->target);
  mt_target_rows_free (self->rows);
  mt_encoder_unref (self->encoder);
  mt_encoded_unref (self->encoded);
  g_clear_pointer (&self->test, g_array_unref);
}

void
mt_basis_unref (MtBasis *basis)
{
  if (basis != NULL)
    g_atomic_rc_box_release_full (basis, basis_clear);
}

MtFitted *
mt_fitted_new (MtBasis               *basis,
               const MtFrontierPoint *point)
{
  MtFitted *self;

  g_return_val_if_fail (basis != NULL && point != NULL && point->rules != NULL, NULL);

  self = g_atomic_rc_box_new0 (MtFitted);
  self->basis = mt_basis_ref (basis);
  self->point = *point;
  self->point.rules = mt_rule_set_ref (point->rules);
  return self;
}

MtFitted *
mt_fitted_ref (MtFitted *fitted)
{
  return g_atomic_rc_box_acquire (fitted);
}

static void
fitted_clear (gpointer data)
{
  MtFitted *self = data;

  mt_basis_unref (self->basis);
  mt_rule_set_unref (self->point.rules);
}

void
mt_fitted_unref (MtFitted *fitted)
{
  if (fitted != NULL)
    g_atomic_rc_box_release_full (fitted, fitted_clear);
}
