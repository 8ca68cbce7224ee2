/* What measurements on made-up rows share. */
#pragma once

#include "mt-cli.h"

G_BEGIN_DECLS

/* Columns of @bits thresholds, every code as likely, and each column as a number of its own. */
MtEncoded *mt_cli_bench_make_rows (guint     n_columns,
                                   guint     bits,
                                   gsize     n_rows,
                                   MtRandom *random);
/* Distinct rules of up to @fan_in inputs, minimised from random tables: many are ORs of several ANDs. */
MtRuleSet *mt_cli_bench_make_rules (guint     n_literals,
                                    guint     n_rules,
                                    guint     fan_in,
                                    guint     n_outputs,
                                    MtRandom *random);
/* This thread's own time: what else the machine does is not measured. */
double     mt_cli_bench_seconds   (void);

G_END_DECLS
