/* What other methods reached, from a CSV of method, literals, score, error: a team's own baselines, or the files of
 * bench/peers. The Frontier page shows them next to its models.
 *
 * One line per model. method and score are needed; literals is empty for a model that has none to count, error (of the
 * score) where it is not known. Other columns are left alone. Comma, semicolon, or tab; with a semicolon also a decimal
 * comma. UTF-8. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define MT_RESULTS_MAX_BYTES   (1024u * 1024)
#define MT_RESULTS_MAX_ROWS    1000u
#define MT_RESULTS_MAX_METHODS 16u     /* as many as have a mark of their own */

typedef struct {
  char   *method;
  double  literals;   /* NaN: none; 1 at least */
  double  score;      /* 1 at most */
  double  error;      /* NaN: not known; 0 at least */
} MtResult;

/* In the order of the file. MT_ERROR_PARSE names line and field, MT_ERROR_BUDGET the limit. (element-type MtResult) */
GPtrArray *mt_results_read      (GFile            *file,
                                 GCancellable     *cancellable,
                                 GError          **error);
GPtrArray *mt_results_from_text (const char       *text,
                                 gssize            length,    /* -1: up to a NUL */
                                 GError          **error);
/* As CSV that reads back the same. */
char      *mt_results_to_text   (const GPtrArray  *results);

G_END_DECLS
