/* Which columns a search over very many of them begins with.
 *
 * The search fits all literals together, keeps an inverse of that size, and scores pairs. That is exact and quick for
 * hundreds of literals, and neither for 10⁵; also, few rows cannot tell so many apart. So if there are more literals
 * than MT_SCREEN_… allow, columns are screened first (iterated sure independence screening):
 *
 *   1. Every column is scored by itself: what its best literal, or its number as a linear term, gains over the bare
 *      intercept. Two thirds of the places go to the best.
 *   2. Those are fitted together, one term each, and all other columns are scored by what they gain over that. The
 *      rest of the places go to the best of these: columns that only count together with others, and none that merely
 *      repeats one that is in.
 *
 * There are n / ln n places for n rows, 10 to 150. Each part of the learning (all rows, and the rows outside each fold)
 * is screened by itself, by the targets of its own rows: those held out play no part in what the part may use. Thresholds
 * and levels are those of all rows to learn from, as everywhere in learn; they know no targets.
 *
 * Columns are encoded and scored in blocks, so memory does not grow with their number. */
#pragma once

#include "data/mt-target.h"
#include "encode/mt-encoder.h"

G_BEGIN_DECLS

/* Literals up to which nothing is screened: twice the rows, within these. */
#define MT_SCREEN_LEAST_LITERALS 300
#define MT_SCREEN_MOST_LITERALS  2000
/* … and up to which columns that all could be kept are: few columns may have very many levels. */
#define MT_SCREEN_FEW_COLUMNS_LITERALS 5000
/* Columns that are kept: rows / ln rows, within these. */
#define MT_SCREEN_LEAST_COLUMNS  10
#define MT_SCREEN_MOST_COLUMNS   150

typedef struct {
  guint   n_parts;       /* all rows, then each fold of each repeat */
  guint   n_offered;     /* columns that could be used … */
  guint  *n_kept;        /* … and per part, those that are … */
  guint **kept;          /* … of the table, ascending */
} MtScreen;

typedef struct {
  const MtTable          *table;
  const MtTargetRows     *rows;         /* to learn from */
  MtTask                  task;
  guint                   n_outputs;
  gboolean                balance_classes;
  gboolean                has_linear_terms;   /* numbers may count as such, not only by thresholds */
  const MtEncoderOptions *encoder;
} MtScreenInput;

typedef void (*MtScreenProgressFunc) (double   done,
                                      gpointer user_data);

/* How many columns a part of so many rows keeps. */
guint     mt_screen_get_n_places (gsize                 n_rows);
/* Are there so many literals that columns are screened? @needed is set unless it fails. This and the next obey the
 * thread's current GCancellable. */
gboolean  mt_screen_is_needed    (const MtScreenInput  *input,
                                  gboolean             *needed,
                                  GError              **error);
/* @fold_of: as mt_learn_make_folds() has it; NULL with no folds. */
MtScreen *mt_screen_new          (const MtScreenInput  *input,
                                  const guint8         *fold_of,
                                  guint                 n_folds,
                                  guint                 n_repeats,
                                  MtScreenProgressFunc  progress,
                                  gpointer              progress_data,
                                  GError              **error);
void      mt_screen_free         (MtScreen             *screen);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtScreen, mt_screen_free)

G_END_DECLS
