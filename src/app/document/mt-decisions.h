/* Everything the person decided about a file: how to read it, what its columns are, which
 * dismissed findings and why, how to learn from it, what was written for the report. Immutable
 * and refcounted: undo is keeping the earlier one. */
#pragma once

#include <glib-object.h>

#include "mt-core.h"

G_BEGIN_DECLS

#define MT_DECISIONS_SEPARATOR "\x1f"

typedef struct {
  gatomicrefcount  ref_count;
  MtCsvDialect    *dialect;      /* only what was chosen; the rest is "detect" */
  MtSchema        *schema;
  GHashTable      *dismissals;   /* code SEPARATOR column → MtProjectDismissal */
  GHashTable      *notes;        /* key → text, never empty: what the report needs from a person */
  MtRunSettings    run;          /* of one run … */
  MtSweepGrid        grid;         /* … and of a sweep */
} MtDecisions;

MtDecisions *mt_decisions_new            (void);
MtDecisions *mt_decisions_new_from       (const MtCsvDialect  *dialect,    /* NULL, here and below: as usual */
                                          MtSchema            *schema,
                                          const MtRunSettings *run,
                                          const MtSweepGrid     *grid);
/* Takes copies of what the new one is to differ in; NULL: as in @self. */
MtDecisions *mt_decisions_with_dialect   (MtDecisions        *self,
                                          const MtCsvDialect *dialect);
MtDecisions *mt_decisions_with_schema    (MtDecisions        *self,
                                          MtSchema           *schema);
MtDecisions *mt_decisions_with_dismissal (MtDecisions        *self,
                                          const MtFinding    *finding,
                                          const char         *reason,    /* NULL: raise it again */
                                          const char         *by,
                                          gint64              made);
MtDecisions *mt_decisions_with_run       (MtDecisions         *self,
                                          const MtRunSettings *run,
                                          const MtSweepGrid     *grid);
MtDecisions *mt_decisions_with_note      (MtDecisions        *self,
                                          const char         *key,
                                          const char         *text);     /* NULL or "": none */
/* As @self, with the notes of @other. */
MtDecisions *mt_decisions_with_notes_of  (MtDecisions        *self,
                                          MtDecisions        *other);
const char  *mt_decisions_get_note       (MtDecisions        *self,
                                          const char         *key);      /* NULL: none */
/* What makes minterm-cli read a file so; NULL: nothing is needed. @guessed: with the roles that reading
 * gave; @used: with those that hold. */
char        *mt_decisions_dup_arguments  (MtDecisions        *self,
                                          const MtTable      *guessed,
                                          const MtTable      *used);
/* While they are being made: a note or a dismissal read from a project. */
void         mt_decisions_add_note       (MtDecisions        *self,
                                          const char         *key,
                                          const char         *text);
void         mt_decisions_add_dismissal  (MtDecisions        *self,
                                          const MtProjectDismissal *dismissal);
MtDecisions *mt_decisions_ref            (MtDecisions        *self);
void         mt_decisions_unref          (MtDecisions        *self);
const MtProjectDismissal *
             mt_decisions_get_dismissal  (MtDecisions        *self,
                                          const MtFinding    *finding);   /* NULL: not dismissed */
/* Whether @table (read under @a) would be read the same under @b: then only roles and
 * dismissals differ and the file need not be read again. */
gboolean     mt_decisions_read_the_same  (MtDecisions        *a,
                                          MtDecisions        *b,
                                          const MtTable      *table);

gboolean     mt_decisions_same_run       (MtDecisions        *a,
                                          MtDecisions        *b);
gboolean     mt_decisions_same_dismissals (MtDecisions       *a,
                                          MtDecisions        *b);
gboolean     mt_decisions_same_notes     (MtDecisions        *a,
                                          MtDecisions        *b);
/* Whether the columns of @table have the same roles under both. */
gboolean     mt_decisions_same_roles     (MtDecisions        *a,
                                          MtDecisions        *b,
                                          const MtTable      *table);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtDecisions, mt_decisions_unref)

G_END_DECLS
