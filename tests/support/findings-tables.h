/* Tables with one thing wrong, and what a scan finds in them. */
#pragma once

#include "data/mt-findings.h"
#include "base/mt-random.h"
#include "data/mt-table.h"

G_BEGIN_DECLS

enum { N = 400 };

typedef double (*Number) (guint row, MtRandom *random);
typedef const char *(*Level) (guint row, MtRandom *random);

GPtrArray *findings_scan (const MtTable *table);
const MtFinding *findings_find (GPtrArray *findings, const char *code, int column);
void findings_assert_message (const MtFinding *finding, const char *pattern);
MtColumn *number_column (const char *name, Number number, gsize n);
double noise (guint row, MtRandom *random);
const char *coin (guint row, MtRandom *random);
/* Distinct names that live as long as the program. */
const char *name_of (guint i);

G_END_DECLS
