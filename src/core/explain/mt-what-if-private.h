/* A row under a model, and what it scores; for the result and for the search. */
#pragma once

#include "mt-what-if.h"

G_BEGIN_DECLS

typedef struct {
  const MtEncoder *encoder;
  const MtRuleSet *rules;
  guint8          *codes;           /* a code for each of the encoder's columns */
  double          *numeric;         /* the standardized columns … */
  guint           *numeric_of;      /* … and the first of a column, whose shapes stand together; NO_NUMERIC: none */
} MtWhatIfRow;

#define MT_NO_NUMERIC G_MAXUINT

gboolean mt_raw_value_is_missing (const MtRawValue *value, const MtEncoderColumn *column);
gboolean mt_what_if_row_init   (MtWhatIfRow *row, const MtEncoder *encoder, const MtRuleSet *rules,
                                const GArray *values, GError **error);
void     mt_what_if_row_clear  (MtWhatIfRow *row);
void     mt_what_if_row_set    (MtWhatIfRow *row, guint column, const MtRawValue *value);
/* n_outputs scores; FALSE when one is not finite. */
gboolean mt_what_if_row_score  (const MtWhatIfRow *row, double *scores);

/* How far a change of one column goes, and the order of changes: nearest first. */
double   mt_what_if_get_distance    (const MtEncoderColumn *column, const MtRawValue *old, const MtRawValue *value);
int      mt_what_if_compare_changes (gconstpointer a, gconstpointer b);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtWhatIfRow, mt_what_if_row_clear)

G_END_DECLS
