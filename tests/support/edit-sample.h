/* A random model and the rows it is about, for the programs that test edits. */
#pragma once

#include "mt-core.h"

G_BEGIN_DECLS

typedef struct {
  MtTable       *table;
  MtModel       *model;
  MtEncoded     *encoded;
  MtTruth       *truth;
  double        *target;
  guint8        *fold_of;
  MtEditContext  context;
} MtEditSample;

void             mt_edit_sample_init  (MtEditSample       *self,
                                       MtTask              task,
                                       guint               n_rules,
                                       guint64             seed);
void             mt_edit_sample_clear (MtEditSample       *self);
const MtRuleSet *mt_edit_sample_rules (const MtEditSample *self);
/* The rules after the edit, which must succeed. */
MtRuleSet       *mt_edit_sample_apply (const MtEditSample *self,
                                       const MtEdit       *edit);
/* An edit of that kind, of the sample's model, drawn at random. */
void             mt_edit_sample_draw  (const MtEditSample *self,
                                       MtEditKind          kind,
                                       MtRandom           *random,
                                       MtEdit             *edit);

G_END_DECLS
