/* The models of a project whose test figures somebody has seen. Each is named by a key (mt_report_input_dup_key()); once in,
 * a key stays, whatever is undone. A handful of keys. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _MtTested MtTested;

MtTested   *mt_tested_new      (void);
void        mt_tested_free     (MtTested       *self);
/* As mt_tested_dup_text() gives them; NULL: none. */
void        mt_tested_set_text (MtTested       *self,
                                const char     *text);
char       *mt_tested_dup_text (const MtTested *self);
gboolean    mt_tested_has      (const MtTested *self,
                                const char     *key);
void        mt_tested_add      (MtTested       *self,
                                const char     *key);
guint       mt_tested_get_n    (const MtTested *self);
/* What the page says of the test rows of the model on show. */
char       *mt_tested_dup_about (const MtTested *self,
                                gboolean        is_spared);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtTested, mt_tested_free)

G_END_DECLS
