/* Numbers as a person reads them on the screen: grouped and with the locale's decimal mark.
 * Never for files. All strings are new. */
#pragma once

#include <glib.h>

#include "mt-core.h"

G_BEGIN_DECLS

/* Between whole and fraction: the locale's, or a point when plain numbers are preferred. */
const char *mt_format_get_mark (void);
char  mt_format_get_mark_char (void);               /* of tick labels, which take one byte */
char *mt_format_fixed   (double          value,     /* so many digits behind the mark */
                         guint           digits);
/* "0.923 ± 0.010": three digits, "< 0.001" rather than nothing, and no ± at all where nothing varies or is known. */
char *mt_format_with_error (const char  *value,
                            double       error);    /* NaN: not known */
char *mt_format_count   (guint64         count);
char *mt_format_percent (double          share);    /* 0 … 1; never rounds something to nothing */
char *mt_format_rate    (double          share);    /* 0 … 1, one below the other: always with a decimal */
char *mt_format_share   (double          share);    /* 0 … 1, of work done: whole percent */
char *mt_format_seconds (double          seconds);  /* "2 min 10 s" */
/* How far work is, and for how long; @left: NaN while unknown. "40% · 2 min 10 s so far · about 3 min 0 s left" */
char *mt_format_progress (double         share,
                          double         elapsed,
                          double         left);
char *mt_format_number  (double          value);    /* six digits, true minus */
char *mt_format_sentence (const char     *message);  /* with a capital letter, as a sentence begins */
char *mt_format_paragraph (const char    *message);  /* … and the full stop with which it ends next to other sentences */
/* What core says of the data, with the preferred mark in its numbers. */
char *mt_format_finding (const MtFinding *finding);
char *mt_format_short   (double          value);    /* four digits, true minus */
char *mt_format_weight  (double          value);    /* two decimals (more of a small one), sign always */
/* One weight, or "urgent +0.52 · routine −0.31" without the zeros; @classes NULL or one an output. */
char *mt_format_weights (const char * const *classes,
                         const double   *weights,
                         guint           n_outputs);
/* One weight, or of several the one that counts most: "urgent +0.52". @weight, which may be NULL, gets it. */
char *mt_format_strongest (const char * const *classes,
                         const double   *weights,
                         guint           n_outputs,
                         double         *weight);
/* A class as one says it of rows: "yes", but "Heart = 1", for a bare number says nothing. */
char *mt_format_outcome (const MtRuleBook *book,
                         guint           class);
/* A prediction or a mean of a number, with as many decimals as any other of the model. */
char *mt_format_target  (const MtRuleBook *book,
                         double          value);
char *mt_format_cell    (const MtColumn *column,    /* every digit, true minus, one line */
                         gsize           row);
/* A name that may be broken where its parts meet: ChestPain|Type, ST_|Slope. */
char *mt_format_breakable (const char   *name);
/* At most that many characters of it, the middle left out: names that begin alike still differ. */
char *mt_format_cut     (const char     *text,
                         guint           most);
/* The value at one end of a column's range: a number or a date. */
char *mt_format_value   (MtColumnType    type,
                         double          value);
char *mt_format_cpu     (void);                     /* what trains without a GPU: "2 threads, AVX2" */
char *mt_format_moment  (GDateTime      *then);     /* "Today, 14:05", "Yesterday", "3 May" */
/* Who decided something and when: "Ann Example, 3 May 2026, 14:05"; NULL, "" and 0: not recorded. */
char *mt_format_signature (const char   *by,
                           gint64        made);

/* "16 literals, 9 rules, 2 numeric columns" */
char *mt_format_totals (const MtRuleSet *rules);

const char *mt_format_metric_name (MtMetric metric);   /* "Balanced accuracy" */
char *mt_format_quality (MtMetric        metric,
                         double          value);

G_END_DECLS
