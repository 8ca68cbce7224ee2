/* How the folds judge the models of a path, and which one is recommended: see mt-frontier.h.
 *
 * The numbers it works on: for each path and fold a list of (complexity, score), ascending;
 * for each path its models on all rows. A fold's score at complexity c is that of its
 * largest model of at most c. From these come, for each point, one score for each fold and
 * repeat, their mean, and the standard errors of differences between points, fold by fold.
 *
 * Differences and not scores are compared wherever two models are, because the folds differ
 * more among each other than the models do: with scores .80 .90 .85 and .81 .92 .86 the
 * difference is .013 ± .003, though each mean has an error of .03. */
#include "config.h"
#include "mt-frontier-private.h"

#include <math.h>

#include "base/mt-gettext.h"

/* Points on either side whose scores are averaged with a point's own. */
#define SMOOTHED_SIDE 4
/* Standard errors of the difference by which conjunctions must be better than single literals, and the search than what
 * tuning has made of it (docs/method.md). */
#define DOUBT 0.5
#define LEAST_SHOWN 0.00005   /* what is smaller is 0 in four decimals */
/* Complexity below which a point stands for itself. */
#define SMOOTHED_FROM 8

/* Mean and standard error of a fold's scores, or of their differences from @less, over the folds that have both.
 * With repeated folds the error is divided by the number of folds only, not of all scores: repeats use the same
 * rows again and are no new evidence. */
void
mt_frontier_mean_and_error (const double *values,
                            const double *less,
                            guint         n_values,
                            guint         n_folds,
                            double       *mean,
                            double       *se)
{
  double sum = 0, square = 0;
  guint n = 0;

  for (guint i = 0; i < n_values; i++)
    if (!isnan (values[i]) && (less == NULL || !isnan (less[i])))
      {
        sum += values[i] - (less != NULL ? less[i] : 0);
        n++;
      }
  *mean = n > 0 ? sum / n : NAN;
  for (guint i = 0; i < n_values; i++)
    if (!isnan (values[i]) && (less == NULL || !isnan (less[i])))
      {
        double d = values[i] - (less != NULL ? less[i] : 0) - *mean;

        square += d * d;
      }
  *se = n > 1 ? sqrt (square / (n - 1) / MIN (n, MAX (n_folds, 1))) : 0;
}

/* The score of the largest model of a fold's path that is no larger than @complexity; a fold's path has other
 * complexities than the path over all rows. NaN when there is none. */
static double
fold_score (const GArray *points,
            guint         complexity)
{
  double score = NAN;

  for (guint i = 0; i < points->len && g_array_index (points, MtFoldPoint, i).complexity <= complexity; i++)
    score = g_array_index (points, MtFoldPoint, i).score;
  return score;
}

static guint
complexity_of (const GPtrArray *best,
               guint            index)
{
  return ((MtPathModel *) best->pdata[index])->complexity;
}

/* A fold's score at a complexity is that of one model; its neighbors on the path, which share
 * most of its terms, say as much about the complexity. Their mean has less noise, and the
 * choice then goes less by luck. Where the curve is steep, among the simplest, a literal more
 * is another complexity: only neighbors within a third count, as many below as above.
 *
 * An example: complexities 10, 11, 12, 14, 15, and the point at 12. One neighbor on each
 * side, 11 and 14, is within a third (4) of it; so are 10 and 15. The score is the mean of
 * the five. */
static double
smooth_fold_score (const GArray    *points,
                   const GPtrArray *best,
                   guint            index)
{
  guint here = complexity_of (best, index), side = 0;
  double sum = fold_score (points, here);

  while (here >= SMOOTHED_FROM && side < SMOOTHED_SIDE && side < index && index + side + 1 < best->len &&
         (here - complexity_of (best, index - side - 1)) * 3 <= here &&
         (complexity_of (best, index + side + 1) - here) * 3 <= here)
    {
      side++;
      sum += fold_score (points, complexity_of (best, index - side)) +
             fold_score (points, complexity_of (best, index + side));
    }
  return sum / (2 * side + 1);
}

/* The next point that a path offers, and the last one it did. */
typedef struct {
  const MtFrontierPath *path;
  guint                 next;
  double               *last;     /* its scores; NULL: none yet */
} Offer;

/* G_MAXUINT: the path has no more points, or was not gone at all. */
static guint
next_complexity (const Offer *offer)
{
  return offer->path->best != NULL && offer->next < offer->path->best->len
         ? complexity_of (offer->path->best, offer->next) : G_MAXUINT;
}

/* Takes the next point: its scores become the last ones. */
static const MtPathModel *
take_next (const MtFrontier *self,
           Offer            *offer)
{
  offer->last = offer->last != NULL ? offer->last : g_new (double, MAX (self->n_scores, 1));
  for (guint f = 0; f < self->n_scores; f++)
    offer->last[f] = smooth_fold_score (offer->path->fold_points[f], offer->path->best, offer->next);
  return offer->path->best->pdata[offer->next++];
}

/* Do the folds think the last point of @a better than that of @b, by more than @doubt standard errors of the difference?
 * Below 0, @a may be worse by as much.
 * With nothing to go by, yes: it fits better. */
static gboolean
is_better (const MtFrontier *self,
           const Offer      *a,
           const Offer      *b,
           double            doubt)
{
  double mean, se;

  if (a->last == NULL || b->last == NULL)
    return a->last != NULL;
  mt_frontier_mean_and_error (a->last, b->last, self->n_scores, self->n_folds, &mean, &se);
  return isnan (mean) || mean > doubt * se;
}

/* The path whose last point the folds prefer: tuned or not, then that or the plain one.
 *
 * Tuning starts at the search's models and fits no worse, so the search is preferred only
 * if it is better by DOUBT standard errors. Plain models are preferred unless the other is
 * better by as much: they are easier to read and fit less of the noise. */
static MtPathKind
choose_path (const MtFrontier *self,
             const Offer      *offers)
{
  MtPathKind best = is_better (self, &offers[MT_PATH_TUNED], &offers[MT_PATH_SEARCH], -DOUBT) ? MT_PATH_TUNED
                                                                                              : MT_PATH_SEARCH;

  return is_better (self, &offers[best], &offers[MT_PATH_PLAIN], DOUBT) ? best : MT_PATH_PLAIN;
}

/* A point of the frontier, with the differences from the other paths' models of about the same complexity, fold by
 * fold: what the page says about which way was better. */
static void
add_point (MtFrontier      *self,
           GArray          *scores,
           const Offer     *offers,
           MtPathKind       path,
           const MtPathModel *visited)
{
  const Offer *offer = &offers[path];
  MtFrontierPoint point = {
    visited->complexity, NAN, NAN, g_array_index (offer->path->train, MtFoldPoint, offer->next - 1).score,
    visited->rules, path, .n_trainings = visited->n_trainings, .n_kept = visited->n_kept,
  };

  mt_frontier_mean_and_error (offer->last, NULL, self->n_scores, self->n_folds, &point.cv_mean, &point.cv_se);
  for (guint p = 0; p < MT_N_PATHS; p++)
    {
      point.over_mean[p] = point.over_se[p] = NAN;
      if (p != path && offers[p].last != NULL)
        mt_frontier_mean_and_error (offer->last, offers[p].last, self->n_scores, self->n_folds, &point.over_mean[p],
                                    &point.over_se[p]);
    }
  g_array_append_val (self->points, point);
  g_array_append_vals (scores, offer->last, self->n_scores);
}

/* Merges the paths by complexity. At each complexity that a path offers, every path's last model so far stands for
 * it; the model on the frontier is the one that the folds prefer, and it becomes a point if it is new at this
 * complexity.
 *
 * An example: the tuned path offers 3, 5 and 8, the plain one 2, 3 and 6. At 2 only the
 * plain path has a model: a point. At 3 both have; the folds prefer the tuned one, say: a
 * point. At 5 the tuned model of 5 stands against the plain one of 3; at 6 the plain one of
 * 6 against the tuned one of 5. If the tuned one is still preferred at 6, there is no point
 * at 6, because its model is not new. */
void
mt_frontier_make_points (MtFrontier           *self,
                         const MtFrontierPath *paths)
{
  Offer offers[MT_N_PATHS] = { { NULL } };
  GArray *scores = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint p = 0; p < MT_N_PATHS; p++)
    offers[p].path = &paths[p];
  for (;;)
    {
      const MtPathModel *taken[MT_N_PATHS] = { NULL };
      guint complexity = G_MAXUINT;
      MtPathKind better;

      for (guint p = 0; p < MT_N_PATHS; p++)
        complexity = MIN (complexity, next_complexity (&offers[p]));
      if (complexity == G_MAXUINT)
        break;
      for (guint p = 0; p < MT_N_PATHS; p++)
        if (next_complexity (&offers[p]) == complexity)
          taken[p] = take_next (self, &offers[p]);
      better = choose_path (self, offers);
      if (taken[better] != NULL)
        add_point (self, scores, offers, better, taken[better]);
    }
  for (guint p = 0; p < MT_N_PATHS; p++)
    g_free (offers[p].last);
  self->fold_scores = (double *) g_array_free (scores, FALSE);
}

/* Whether a point predicts better than the bare bias by more than luck. The best of many
 * points was chosen for its scores, and folds share most of their rows, so the plain standard
 * error is too small for this: each score counts the share of rows that it does not have to
 * itself, 1/(K−1), besides its own 1/n (Nadeau and Bengio), and two such errors are asked for. */
static gboolean
beats_bias (const MtFrontier *self,
            guint             index)
{
  double mean, se;

  if (self->n_scores < 2 || mt_frontier_get_point (self, 0)->complexity > 1)
    return TRUE;
  mt_frontier_mean_and_error (self->fold_scores + (gsize) index * self->n_scores, self->fold_scores,
                              self->n_scores, self->n_folds, &mean, &se);
  return isnan (mean) ||
         mean > 2 * se * sqrt ((double) self->n_folds / self->n_scores + (double) self->n_folds / (self->n_folds - 1));
}

/* A difference may be within its error because that is large: what is simpler and scores higher is then better still. */
static guint
best_up_to (const MtFrontier *self,
            guint             last)
{
  guint best = last;

  for (guint i = 0; i < last; i++)
    if (mt_frontier_get_point (self, i)->cv_mean > mt_frontier_get_point (self, best)->cv_mean)
      best = i;
  return best;
}

/* The recommendation: the smallest model whose mean score is within one standard error of the best one's (the
 * error of the difference, over the same folds). If the best one does not beat the bias alone by more than chance,
 * the bias alone. @max_literals 0: no limit.
 *
 * The rule of one standard error: among models that the folds cannot tell from the best,
 * take the simplest. The points are in ascending complexity, so the first that passes is
 * the simplest; best_up_to() then takes any simpler or equal one with a higher mean. */
guint
mt_frontier_select (const MtFrontier *self,
                    guint             max_literals)
{
  guint best = 0, n = 0;

  for (guint i = 0; i < self->points->len; i++)
    {
      const MtFrontierPoint *point = mt_frontier_get_point (self, i);

      if (max_literals > 0 && point->complexity > max_literals)
        break;
      n++;
      /* Without folds there is nothing to hold complexity against: take the best fit. */
      if (self->n_scores == 0 || point->cv_mean > mt_frontier_get_point (self, best)->cv_mean ||
          isnan (mt_frontier_get_point (self, best)->cv_mean))
        best = i;
    }
  if (!beats_bias (self, best))
    return 0;
  for (guint i = 0; i < best && self->n_scores > 0; i++)
    {
      double mean, se;

      mt_frontier_mean_and_error (self->fold_scores + (gsize) best * self->n_scores,
                                  self->fold_scores + (gsize) i * self->n_scores, self->n_scores, self->n_folds,
                                  &mean, &se);
      /* A quarter of a row is no difference: near a perfect score, folds that all agree tell
         nothing of how they would on other rows. */
      if (mean <= MAX (se, .25 / self->n_rows))
        return best_up_to (self, i);
    }
  return best;
}

/* Makes a frontier of what a project file keeps, just complete enough for
 * mt_frontier_select(), so that the choice in a reopened project is the same as after
 * training. */
guint
mt_frontier_select_kept (const MtFrontierPoint *points,
                         guint                  n_points,
                         const double          *scores,
                         guint                  n_scores,
                         guint                  n_folds,
                         gsize                  n_rows,
                         guint                  max_literals)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof *points);
  const MtFrontier kept = { .points = all, .n_scores = n_scores, .n_folds = n_folds, .n_rows = n_rows,
                            .fold_scores = (double *) scores };

  g_return_val_if_fail (n_points > 0, 0);

  g_array_append_vals (all, points, n_points);
  return mt_frontier_select (&kept, max_literals);
}

const char *
mt_path_kind_to_string (MtPathKind path)
{
  static const char * const names[] = { "ttsparse", "search", "plain" };

  return path < MT_N_PATHS ? names[path] : "";
}

/* Translators: both numbers are differences of a metric, mean and standard error. */
static char *
dup_clear_sentence (MtPathKind path,
                    MtPathKind other,
                    double     mean,
                    double     se)
{
  if (path == MT_PATH_TUNED && other == MT_PATH_SEARCH)
    return g_strdup_printf (_("On this data, TT-Sparse was better than the search by %.4f ± %.4f."), mean, se);
  if (path == MT_PATH_TUNED)
    return g_strdup_printf (_("On this data, TT-Sparse was better than single literals by %.4f ± %.4f."), mean, se);
  if (path == MT_PATH_SEARCH && other == MT_PATH_TUNED)
    return g_strdup_printf (_("On this data, the search was better than TT-Sparse by %.4f ± %.4f."), mean, se);
  if (path == MT_PATH_SEARCH)
    return g_strdup_printf (_("On this data, the search was better than single literals by %.4f ± %.4f."), mean, se);
  return g_strdup_printf (_("On this data, single literals were better than rules of several literals by %.4f ± %.4f."),
                          mean, se);
}

/* Translators: both numbers are differences of a metric, mean and standard error. */
static char *
dup_unclear_sentence (MtPathKind path,
                      MtPathKind other,
                      double     mean,
                      double     se)
{
  if (path == MT_PATH_TUNED && other == MT_PATH_SEARCH && mean < 0)
    return g_strdup_printf (_("On this data, the mean score of the search was higher than that of TT-Sparse by %.4f ± %.4f, "
                              "which is not enough to prefer it."), -mean, se);
  if (path == MT_PATH_TUNED && other == MT_PATH_SEARCH)
    return g_strdup_printf (_("On this data, the mean score of TT-Sparse was higher than that of the search "
                              "by %.4f ± %.4f, which is within one standard error."), mean, se);
  if (path == MT_PATH_TUNED)
    return g_strdup_printf (_("On this data, the mean score of TT-Sparse was higher than that of single "
                              "literals by %.4f ± %.4f, which is within one standard error."), mean, se);
  if (path == MT_PATH_SEARCH && other == MT_PATH_TUNED)
    return g_strdup_printf (_("On this data, the mean score of the search was higher than that of "
                              "TT-Sparse by %.4f ± %.4f, which is within one standard error."), mean, se);
  if (path == MT_PATH_SEARCH)
    return g_strdup_printf (_("On this data, the mean score of the search was higher than that of single "
                              "literals by %.4f ± %.4f, which is within one standard error."), mean, se);
  if (mean >= 0)
    return g_strdup_printf (_("On this data, the mean score of single literals was higher than that of rules "
                              "of several literals by %.4f ± %.4f, which is within one standard error."), mean, se);
  return g_strdup_printf (_("On this data, the mean score of rules of several literals was higher than that of single literals "
                            "by %.4f ± %.4f, which is not enough to prefer them."), -mean, se);
}

static char *
dup_same_sentence (MtPathKind path,
                   MtPathKind other)
{
  if (path != MT_PATH_PLAIN && other != MT_PATH_PLAIN)
    return g_strdup (_("On this data, TT-Sparse and the search scored the same."));
  if (path == MT_PATH_TUNED || other == MT_PATH_TUNED)
    return g_strdup (_("On this data, TT-Sparse and single literals scored the same."));
  return g_strdup (_("On this data, the search and single literals scored the same."));
}

/* Compares with one other path only, the more interesting one that there is: for a tuned
 * model the search alone, for a plain one the tuned one. */
char *
mt_frontier_point_dup_choice (const MtFrontierPoint *point)
{
  static const MtPathKind others[MT_N_PATHS][2] = {
    { MT_PATH_SEARCH, MT_PATH_PLAIN }, { MT_PATH_TUNED, MT_PATH_PLAIN }, { MT_PATH_TUNED, MT_PATH_SEARCH },
  };

  for (guint i = 0; i < 2; i++)
    {
      MtPathKind other = others[point->path][i];

      double mean = point->over_mean[other], se = point->over_se[other];

      if (isnan (mean))
        continue;
      if (fabs (mean) < LEAST_SHOWN && se < LEAST_SHOWN)
        return dup_same_sentence (point->path, other);
      return mean > se ? dup_clear_sentence (point->path, other, mean, se)
                       : dup_unclear_sentence (point->path, other, mean, se);
    }
  return NULL;
}

/* Counts of a model: what is still to be seen of training and exchanges in its rules. A step that was kept may have changed
 * rules that elimination dropped later. */
char *
mt_frontier_point_dup_training (const MtFrontierPoint *point)
{
  guint n_rules = 0, n_trained = 0, n_exchanged = 0;
  g_autofree char *steps = NULL;
  g_autofree char *rules = NULL;

  g_return_val_if_fail (point->rules != NULL, NULL);
  if (point->path != MT_PATH_TUNED)
    return NULL;
  for (guint t = 0; t < mt_rule_set_get_n_terms (point->rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (point->rules, t);
      const MtOrigin *origin = term->rule != NULL ? mt_rule_get_origin (term->rule) : NULL;

      n_rules += term->rule != NULL;
      n_trained += origin != NULL && (mt_origin_get_changes (origin) & MT_CHANGED_BY_GRADIENT) != 0;
      n_exchanged += origin != NULL && (mt_origin_get_changes (origin) & MT_CHANGED_BY_EXCHANGE) != 0;
    }
  /* Translators: three numbers of rules, the first one of all rules of the selected model */
  rules = g_strdup_printf (ngettext ("In the selected model (%u rule), training of the network changed %u and exchanges "
                                     "changed %u.",
                                     "In the selected model (%u rules), training of the network changed %u and exchanges "
                                     "changed %u.", n_rules), n_rules, n_trained, n_exchanged);
  if (point->n_trainings == 0)
    return g_steal_pointer (&rules);
  /* Translators: how many networks were trained, and after how many of these trainings the rules were replaced */
  steps = g_strdup_printf (ngettext ("On the way to this model, %u network was trained from its rules; training steps kept: %u.",
                                     "On the way to this model, %u networks were trained from its rules; training steps kept: %u.",
                                     point->n_trainings), point->n_trainings, point->n_kept);
  return g_strjoin (" ", steps, rules, NULL);
}
