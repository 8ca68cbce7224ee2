/* What the commands that learn share: their options, and reading words and ranges. */
#pragma once

#include "mt-cli-import.h"

G_BEGIN_DECLS

/* What the options set; init it, clear it. */
typedef struct {
  MtRunSettings  settings;        /* what holds; mt_cli_learn_read() puts what was given over it */
  gboolean       is_sweep;        /* options that are axes take lists */
  MtSweepGrid    grid;            /* of those lists */
  int            device_memory;   /* MB; 0: what is free */
  char         **banned;          /* columns */
  char         **monotone;        /* COLUMN=+ or COLUMN=- */
  gboolean       no_negation;
  MtConstraints *constraints;     /* read from the above */
  char         **given;           /* by row of the table: the text after its option; NULL: not given */
  gboolean      *flags;           /* by row of the table: its flag was given */
  GPtrArray     *texts;           /* that the entries borrow */
} MtCliLearn;

/* With what holds where no option is given. */
void          mt_cli_learn_init        (MtCliLearn *options);
void          mt_cli_learn_init_sweep  (MtCliLearn *options);
void          mt_cli_learn_clear       (MtCliLearn *options);
/* @own (may be NULL) followed by an option for each row of the table of settings, the others of this file, and those of
 * reading a file; g_free() it. */
GOptionEntry *mt_cli_learn_new_entries (MtCliLearn         *options,
                                        MtCliImport        *import,
                                        const GOptionEntry *own);
/* Was this option given? */
gboolean      mt_cli_learn_is_given    (const MtCliLearn   *options,
                                        const char         *option);
/* Sets what the options and @common say in the settings. FALSE after one line. */
gboolean      mt_cli_learn_read        (MtCliLearn         *options,
                                        const MtCliCommon  *common);
/* The learner's options, which borrow from @options. */
void          mt_cli_learn_get         (const MtCliLearn   *options,
                                        MtLearnOptions     *learn);
/* Whether the table of @path has the columns that are banned or given a direction. FALSE after one line, with *exit_code set. */
gboolean      mt_cli_learn_check_columns (const MtCliLearn *options, const MtTable *table, const char *path, int *exit_code);
/* Networks are trained on the device asked for. FALSE after one line when it cannot be used: what was
 * asked for is not quietly done elsewhere. When it fails later, that is reported, and the CPU continues. */
gboolean      mt_cli_learn_use_device  (const MtCliLearn   *options,
                                        const MtCliCommon  *common,
                                        MtRunMeans         *means);

/* FALSE after one line on stderr that names the option. */
gboolean      mt_cli_check_range       (const char         *name,
                                        double              value,
                                        double              low,
                                        double              high);

G_END_DECLS
