/* Finds conjunctions of literals and negations that explain what the fitted head leaves over.
 *
 * For a conjunction x the gain of adding it to the head is about ½ Σ_c g_c² / (h_c + λ_x), with
 * g = Σ r over the rows where x is true (r: residual) and h the same sum of curvatures. Two
 * matrix products score every pair of literals; the three pairs with negations follow from
 * sums already known. The best pair for each pair of columns and signs is lengthened by the
 * literal that helps most while the score grows by a set factor.
 *
 * The score forgets that the head would shift its other weights, and the best of thousands looks
 * good by luck alone. So more are found than are wanted, each is asked what it would gain with all
 * others refitted, in units of the residual's own variance, and it must beat a share of what the
 * best of as many meaningless ones would gain: 2 log of their number, which grows with each
 * literal. On few rows this leaves few or none, and that is right: with all of them kept the
 * test AUC of diabetes and creditg was .01 and .02 below that of no conjunctions at all.
 *
 * In numbers: 10,000 rows, 200 literals. The sums over pairs are 2 × 200² × 10,000 = 8·10⁸
 * multiplications, a few tenths of a second. Of 20,000 pairs with four signs each the best
 * of each pair of columns remain, 4 × 190 with 20 columns; of these 96 are lengthened and
 * tested if 24 are wanted.
 *
 * Sizes: 10²–10⁶ rows × up to 2,000 literals; time is rows × literals² in float32. */
#pragma once

#include "mt-linear-fit.h"

G_BEGIN_DECLS

#define MT_INTERACTION_SCAN_MAX_LENGTH 8

typedef struct {
  guint    n_inputs;
  guint    inputs[MT_INTERACTION_SCAN_MAX_LENGTH];    /* literals, ascending */
  guint32  value;                         /* bit i: input i must be true */
  double   score;
} MtConjunction;

/* Makes the sums over pairs elsewhere, on a GPU say: of @r and @h over the rows where two literals are both
 * true, literals × literals in float32, the upper triangle and the diagonal. FALSE: it cannot do it now; then the
 * scan makes them itself. */
typedef gboolean (*MtPairSumFunc) (const MtEncoded *encoded,
                                   const double    *r,
                                   const double    *h,
                                   float           *sum_r,
                                   float           *sum_h,
                                   gpointer         user_data);

typedef struct {
  guint           max_found;
  guint           max_length;    /* 2 … MT_INTERACTION_SCAN_MAX_LENGTH */
  double          growth;        /* a longer one must score this many times as much */
  MtRidge         ridge;         /* as the head's */
  const gboolean *banned;        /* per literal: not to be used; NULL: none */
  const gint8    *directions;    /* per literal, as in mt-refine.h; one output only; NULL: none */
  gboolean        no_negation;   /* literals only, no negations */
  double          chance;        /* share of luck's own gain to beat; 0: all are kept, unasked */
  const gboolean *fine;          /* as banned: thresholds that only sliding leads to (mt-refine.h); NULL: none */
  MtPairSumFunc   sum_pairs;     /* NULL: the scan makes the sums over pairs itself */
  gpointer        sum_pairs_data;
} MtInteractionScanOptions;

/* Appends to @found (of MtConjunction), best first. FALSE only when cancelled. */
gboolean mt_interaction_scan (const MtEncoded      *encoded,
                              MtLinearFit               *head,
                              guint                 n_outputs,
                              const MtInteractionScanOptions  *options,
                              GArray               *found,
                              GCancellable         *cancellable,
                              GError              **error);

/* Called with each conjunction found; may add it to the head. */
typedef void (*MtInteractionScanFunc) (const MtConjunction *found,
                                       gpointer             user_data);

/* Fits the head; as mt_linear_fit_fit(). */
typedef gboolean (*MtInteractionScanFitFunc) (guint          max_steps,
                                              double         tolerance,
                                              gpointer       user_data,
                                              GCancellable  *cancellable,
                                              GError       **error);

/* Fits the head (@fit NULL: by mt_linear_fit_fit() itself) and scans, @n_rounds times; @add is called between two rounds, best first, so
 * that the next round sees what these leave over. FALSE as mt_linear_fit_fit() and mt_interaction_scan(). */
gboolean mt_interaction_scan_rounds (const MtEncoded      *encoded,
                                     MtLinearFit               *head,
                                     guint                 n_outputs,
                                     const MtInteractionScanOptions  *options,
                                     guint                 n_rounds,
                                     MtInteractionScanFitFunc         fit,
                                     MtInteractionScanFunc            add,
                                     gpointer              user_data,
                                     GCancellable         *cancellable,
                                     GError              **error);

/* The gain that luck alone gives the best of all conjunctions of so many inputs, with a degree of
 * freedom an output, in units of the dispersion … */
double   mt_interaction_scan_luck_of_best (guint n_literals,
                                           guint n_inputs,
                                           guint n_outputs);
/* … which is that of the head's residual. */
double   mt_interaction_scan_get_dispersion (const MtEncoded *encoded,
                                             MtLinearFit          *head,
                                             guint            n_outputs);

/* The ridge that goes with these data unless one is set; measured, see mt-refine. */
MtRidge  mt_interaction_scan_get_ridge (MtTask           task,
                                        const MtEncoded *encoded);

G_END_DECLS
