/* Something about the data that a person should know before trusting a model.
 * Findings come from reading a file (mt-import) and from looking at the table
 * (mt-findings); both end up in one list, in the window, in `inspect` and in the report. */
#pragma once

#include "base/mt-i18n.h"

G_BEGIN_DECLS

typedef enum {
  MT_SEVERITY_NOTE,      /* good to know */
  MT_SEVERITY_WARNING,   /* look at it; training goes on */
  MT_SEVERITY_ERROR,     /* training with this target is refused until it is fixed */
} MtSeverity;

/* What one click could do about it; the window offers it as Fix. */
typedef enum {
  MT_FIX_NONE,
  MT_FIX_IGNORE_COLUMN,
  MT_FIX_SET_TYPE,         /* fix_value: the type's word */
  MT_FIX_TREAT_AS_MISSING, /* fix_value: the token */
} MtFix;

typedef struct {
  gatomicrefcount  ref_count;
  char            *code;       /* stable, kebab-case: "constant-column"; documented in docs/findings.md */
  MtSeverity       severity;
  int              column;     /* index, or -1 */
  char            *column_name;/* or NULL */
  guint64          line;       /* physical line in the file, 1-based; 0: none */
  guint64          n_rows;     /* how many rows are concerned; 0: not counted */
  char            *message;    /* one sentence, says what, where and what to do; English, for files */
  char            *shown;      /* the same for the screen, with MT_I18N_MARK in its numbers; NULL: the message */
  MtFix            fix;
  char            *fix_value;
} MtFinding;

MtFinding  *mt_finding_new       (const char *code,
                                  MtSeverity  severity,
                                  int         column,
                                  const char *column_name,
                                  guint64     line,
                                  MtSaid      message);   /* (transfer full); see MT_SAID() */
MtFinding  *mt_finding_ref       (MtFinding  *finding);
void        mt_finding_unref     (MtFinding  *finding);
const char *mt_severity_to_string (MtSeverity severity);   /* "note", "warning", "error" */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtFinding, mt_finding_unref)

G_END_DECLS
