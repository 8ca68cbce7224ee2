/* The model that is edited: one that was learned here, with its rows, or one opened without its data. See
 * mt-edit-subject.h. */
#include "config.h"
#include "mt-edit-subject.h"

#define FOLDS 5   /* for a run that had none */

struct _MtEditSubject {
  MtSelectedModel      *fitted;       /* or … */
  MtModel       *model;        /* … one without rows */
  MtRunSettings  settings;     /* of the fitted one */
  MtEditHistory *history;      /* NULL: not edited so far */
};

MtEditSubject *
mt_edit_subject_new_fitted (MtSelectedModel            *fitted,
                            const MtRunSettings *settings)
{
  MtEditSubject *self = g_atomic_rc_box_new0 (MtEditSubject);

  self->fitted = mt_selected_model_ref (fitted);
  self->settings = *settings;
  self->history = fitted->history != NULL ? mt_edit_history_ref (fitted->history) : NULL;
  return self;
}

MtEditSubject *
mt_edit_subject_new_model (MtModel *model)
{
  MtEditSubject *self = g_atomic_rc_box_new0 (MtEditSubject);
  const MtModelInfo *info = mt_model_get_info (model);

  self->model = mt_model_ref (model);
  if (info->n_edits > 0)
    self->history = mt_edit_history_new (NULL, info->edits, info->n_edits);
  return self;
}

MtEditSubject *
mt_edit_subject_ref (MtEditSubject *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
subject_clear (gpointer data)
{
  MtEditSubject *self = data;

  g_clear_pointer (&self->fitted, mt_selected_model_unref);
  g_clear_pointer (&self->model, mt_model_unref);
  g_clear_pointer (&self->history, mt_edit_history_unref);
}

void
mt_edit_subject_unref (MtEditSubject *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, subject_clear);
}

const MtEncoder *
mt_edit_subject_get_encoder (const MtEditSubject *self)
{
  return self->model != NULL ? mt_model_get_encoder (self->model) : self->fitted->basis->encoder;
}

const MtRuleSet *
mt_edit_subject_get_rules (const MtEditSubject *self)
{
  return self->model != NULL ? mt_model_get_rules (self->model) : self->fitted->point.rules;
}

const char * const *
mt_edit_subject_get_classes (const MtEditSubject *self)
{
  return self->model != NULL ? mt_model_get_info (self->model)->classes : mt_target_get_classes (self->fitted->basis->target);
}

gboolean
mt_edit_subject_has_rows (const MtEditSubject *self)
{
  return self->fitted != NULL;
}

guint8 *
mt_edit_subject_init_context (const MtEditSubject  *self,
                              const MtConstraints  *constraints,
                              MtEditContext        *context,
                              GError              **error)
{
  const MtRunData *basis = self->fitted->basis;
  guint8 *fold_of;
  MtLearnOptions options;

  *context = (MtEditContext) {
    .encoder = basis->encoder,
    .dont_care = basis->dont_care,
    .constraints = constraints,
    .encoded = basis->encoded,
    .target = basis->rows->values,
  };
  mt_run_settings_to_learn (&self->settings, &options);
  options.frontier.n_repeats = 1;
  if (options.frontier.n_folds < 2)
    options.frontier.n_folds = FOLDS;
  fold_of = mt_learn_make_folds (basis->table, basis->rows, &options, error);
  context->fold_of = fold_of;
  context->n_folds = options.frontier.n_folds;
  context->balance_classes = options.frontier.refine.balance_classes;
  return fold_of;
}

static MtRuleSet *
edit_fitted (const MtEditSubject  *self,
             const MtEdit         *edit,
             const char           *reason,
             MtEditHistory       **history,
             GCancellable         *cancellable,
             GError              **error)
{
  g_autoptr (MtConstraints) constraints = mt_run_settings_dup_constraints (&self->settings);
  MtEditContext context;
  g_autofree guint8 *fold_of = mt_edit_subject_init_context (self, constraints, &context, NULL);   /* too few rows: it is
                                                                                                    * not judged */

  return mt_edit_make (&context, self->fitted->point.rules, self->history, edit, reason, history, cancellable, error);
}

MtRuleSet *
mt_edit_subject_edit (const MtEditSubject  *self,
                      const MtEdit         *edit,
                      const char           *reason,
                      MtEditHistory       **history,
                      GCancellable         *cancellable,
                      GError              **error)
{
  MtEditContext context;

  if (self->fitted != NULL)
    return edit_fitted (self, edit, reason, history, cancellable, error);
  mt_model_init_edit (self->model, &context);
  return mt_edit_make (&context, mt_model_get_rules (self->model), self->history, edit, reason, history, cancellable,
                       error);
}
