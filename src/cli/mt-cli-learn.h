/* What the commands that learn share: their options, and reading words and ranges. */
#pragma once

#include "mt-cli-import.h"

G_BEGIN_DECLS

/* What the options set; init it, clear it. */
typedef struct {
  char     *task;
  int       folds;
  int       device_memory;     /* MB; 0: what is free */
  char     *refine;
  char     *dont_care;
  char     *start;
  char     *class_weights;
  char     *rounds;
  gboolean  no_numeric_terms;
  double    learning_rate;
  char     *batch;
  int       epochs;
  char    **banned;         /* columns */
  char    **monotone;       /* COLUMN=+ or COLUMN=- */
  gboolean  no_negation;

  MtTask         wanted_task;     /* read from the above */
  MtConstraints *constraints;
} MtCliLearn;

/* With what holds where no option is given. */
void          mt_cli_learn_init        (MtCliLearn *options);
void          mt_cli_learn_clear       (MtCliLearn *options);
/* @own (may be NULL) followed by these and those of reading a file; g_free() it. */
GOptionEntry *mt_cli_learn_new_entries (MtCliLearn         *options,
                                        MtCliImport        *import,
                                        const GOptionEntry *own);
/* Sets what the options say in @learn, which then borrows from @options. FALSE after one line. */
gboolean      mt_cli_learn_read        (MtCliLearn         *options,
                                        MtLearnOptions     *learn);
/* Whether the table of @path has the columns that are banned or given a direction. FALSE after one line, with *exit_code set. */
gboolean      mt_cli_learn_check_columns (const MtCliLearn *options, const MtTable *table, const char *path, int *exit_code);
/* Networks are trained on the device asked for. FALSE after one line when it cannot be used: what was
 * asked for is not quietly done elsewhere. When it fails later, that is told, and the CPU goes on. */
gboolean      mt_cli_learn_use_device  (const MtCliLearn   *options,
                                        const MtCliCommon  *common,
                                        MtLearnOptions     *learn);

/* FALSE after one line on stderr that names the option. */
gboolean      mt_cli_check_range       (const char         *name,
                                        double              value,
                                        double              low,
                                        double              high);
/* Sets *value to the number that @text is; with "auto", or no text, it stays. */
gboolean      mt_cli_check_auto        (const char         *name,
                                        const char         *text,
                                        guint               low,
                                        guint               high,
                                        guint              *value);
/* Sets *index to the place of @word among @words; a missing word is the first. */
gboolean      mt_cli_check_word        (const char         *name,
                                        const char         *word,
                                        const char * const *words,
                                        guint              *index);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtCliLearn, mt_cli_learn_clear)

G_END_DECLS
