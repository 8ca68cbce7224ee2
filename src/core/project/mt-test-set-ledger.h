/* The models of a project whose test figures were shown. Each is named by a key; once in, a key stays, whatever is
 * undone. Window and command line count in the same ledger, so a report can say how often the test rows were used
 * in this project. A handful of keys. */
#pragma once

#include "encode/mt-encoder.h"
#include "rules/mt-rules.h"

G_BEGIN_DECLS

#define MT_PROJECT_KEY_TESTED "tested"     /* MT_PROJECT_SETTING: the keys, one per line */

typedef struct _MtTestSetLedger MtTestSetLedger;

MtTestSetLedger *mt_test_set_ledger_new       (void);
void             mt_test_set_ledger_free      (MtTestSetLedger       *self);
/* As mt_test_set_ledger_dup_text() gives them; NULL: none. */
void             mt_test_set_ledger_set_text  (MtTestSetLedger       *self,
                                               const char            *text);
char            *mt_test_set_ledger_dup_text  (const MtTestSetLedger *self);
/* SHA-256 of the terms and their weights. */
char            *mt_test_set_ledger_dup_key   (const MtRuleSet       *rules,
                                               const MtEncoder       *encoder);
gboolean         mt_test_set_ledger_has       (const MtTestSetLedger *self,
                                               const char            *key);
void             mt_test_set_ledger_add       (MtTestSetLedger       *self,
                                               const char            *key);
/* Those of a record (MtSearchRecord.tested); NULL: none. */
void             mt_test_set_ledger_add_all   (MtTestSetLedger       *self,
                                               const char * const    *keys);
guint            mt_test_set_ledger_get_n     (const MtTestSetLedger *self);
/* What the page says of the test rows of the model on show. */
char            *mt_test_set_ledger_dup_about (const MtTestSetLedger *self,
                                               gboolean               is_spared);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtTestSetLedger, mt_test_set_ledger_free)

G_END_DECLS
