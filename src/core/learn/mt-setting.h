/* The one table of learner settings.
 *
 * A row says everything that the program knows about a setting: how files and the command line name it, its kind, its
 * range, where its value is (MtRunSettings) and where the learner reads it (MtLearnOptions), the words that people read,
 * and when a model file lists it. These follow the table:
 *
 *   command line    an option of `train` and `sweep`, its help and its check   src/cli/mt-cli-learn.c
 *   project file    a member of a run's settings                               mt-run-settings.c
 *   model file      a member of "settings", and the command that repeats it    model/mt-learn-model.c, mt-model-command.c
 *   Model page      a row with a control                                       src/app/train/mt-setting-rows.c
 *   report          a line of the table of settings                            report/mt-report-front.c
 *
 * A new setting is a member of MtRunSettings, a member of MtLearnOptions that the learner uses, and a row here, after the
 * others: the order of the rows is the order in project files. tests/test-setting.c and tests/test-app-setting.c go
 * through all rows and all five places. */
#pragma once

#include "mt-run-settings.h"

G_BEGIN_DECLS

typedef enum {
  MT_SETTING_TYPE_COUNT,        /* a guint */
  MT_SETTING_TYPE_AUTO_COUNT,   /* a guint or int; all bits set stand for "auto" */
  MT_SETTING_TYPE_SEED,         /* a guint64 */
  MT_SETTING_TYPE_NUMBER,       /* a double */
  MT_SETTING_TYPE_CHOICE,       /* an enumeration, written as a word */
  MT_SETTING_TYPE_SWITCH,       /* a gboolean */
} MtSettingType;

/* What of the learner a setting concerns: elsewhere it changes nothing. */
typedef enum {
  MT_SETTING_USE_ALWAYS,
  MT_SETTING_USE_NETWORK,        /* if a network is trained */
  MT_SETTING_USE_CANDIDATES,     /* if networks propose rules */
  MT_SETTING_USE_SEARCH_ALONE,   /* if they do not */
} MtSettingUse;

/* Where it stands on the Model page. */
typedef enum {
  MT_SETTING_GROUP_SEARCH,
  MT_SETTING_GROUP_RULES,
  MT_SETTING_GROUP_NETWORK,
  MT_SETTING_GROUP_TRAINING,
  MT_SETTING_GROUP_JUDGING,
  MT_N_SETTING_GROUPS,
  MT_SETTING_GROUP_TARGET = MT_N_SETTING_GROUPS,   /* next to the target; the page's own control */
  MT_SETTING_GROUP_DEVICE,                         /* in the list of devices; the page's own control */
} MtSettingGroup;

/* When the settings of a model file list it. A new one is listed if it is unusual: older files do not have it. */
typedef enum {
  MT_SETTING_LISTED_UNUSUAL,           /* if it is not the default */
  MT_SETTING_LISTED_ALWAYS,
  MT_SETTING_LISTED_NETWORK,           /* if a network was trained, or was to be and it is not the default */
  MT_SETTING_LISTED_UNUSUAL_NETWORK,   /* if a network was to be trained and it is not the default */
  MT_SETTING_LISTED_ELSEWHERE,         /* the file has another member for it */
} MtSettingListed;

typedef struct {
  /* identity */
  const char         *name;          /* in project files: "fan_in" */
  const char         *option;        /* of the command line and in model files: "fan-in"; NULL: another row's option sets it, too */
  MtSettingType       type;
  gsize               offset;        /* in MtRunSettings */
  gsize               learn;         /* in MtLearnOptions; 0: mt_run_settings_to_learn() knows what to do with it */
  double              low, high;     /* accepted in files and on the command line */
  double              least;         /* of what is not 0; 0: @low */
  const char         *none;          /* with @least: what 0 stands for, "no test rows" */
  const char * const *words;         /* of a choice, by its value; of a switch, for the command line: off, on */
  gsize               auto_switch;   /* in MtRunSettings: the switch that the word "auto" turns on, with a value of 0 */
  gboolean            is_axis;       /* a sweep takes a list of values */
  gboolean            is_common;     /* an option of every command */
  MtSettingUse        use;
  /* the command line */
  const char         *help;          /* without the default, which is added */
  const char         *argument;      /* "N"; a flag has none */
  /* the Model page */
  MtSettingGroup      group;
  guint               place;         /* within the group: lower ones first */
  const char         *title;         /* with a mnemonic where one is left */
  const char         *subtitle;      /* ends with the range */
  const char * const *titles;        /* of a choice, by its value */
  double              shown_low, shown_high, step;
  guint               digits;
  gboolean            is_share;      /* shown as a percentage */
  const char         *brief;         /* in the summary of the group: "%s" is the value; NULL: not in it */
  /* model file and report */
  MtSettingListed     listed;
  guint               order;         /* in the file's list: lower ones first, up to 26. 9, 13 and 14 are taken, see mt-learn-model.c */
  const char         *meaning;       /* in the report */
} MtSetting;

guint            mt_setting_get_n        (void);
const MtSetting *mt_setting_get          (guint                index);
const MtSetting *mt_setting_find         (const char          *name);     /* in project files; NULL: there is none */
const MtSetting *mt_setting_find_option  (const char          *option);   /* NULL: there is none */

/* Rows that the settings of a model file may list, in the order of the file. @after NULL: the first; NULL: no more. */
const MtSetting *mt_setting_next_listed  (const MtSetting     *after);

/* A value as a number: of a choice its place, of a switch 0 or 1, of "auto" −1. Seeds above 2⁵³ lose digits. */
double           mt_setting_get_value    (const MtSetting     *setting,
                                          const MtRunSettings *settings);
void             mt_setting_set_value    (const MtSetting     *setting,
                                          MtRunSettings       *settings,
                                          double               value);
gboolean         mt_setting_is_auto      (const MtSetting     *setting,
                                          const MtRunSettings *settings);
gboolean         mt_setting_is_equal     (const MtSetting     *setting,
                                          const MtRunSettings *a,
                                          const MtRunSettings *b);
/* Does it change anything in a run with these settings? */
gboolean         mt_setting_is_of_use    (const MtSetting     *setting,
                                          const MtRunSettings *settings);

/* As the command line and model files write it: "9", "auto", "balanced". */
char            *mt_setting_dup_text     (const MtSetting     *setting,
                                          const MtRunSettings *settings);
/* MT_ERROR_PARAMS: "must be …", to be put after the name. */
gboolean         mt_setting_parse        (const MtSetting     *setting,
                                          MtRunSettings       *settings,
                                          const char          *text,
                                          GError             **error);
/* The name of a flag on the command line, which turns the setting away from its default: "no-numeric-terms". NULL: the
 * option takes a value. */
char            *mt_setting_dup_flag     (const MtSetting     *setting);

/* As a member of a JSON object: its value, and what it is after reading. FALSE: @json is no value of it. */
void             mt_setting_write        (const MtSetting     *setting,
                                          const MtRunSettings *settings,
                                          MtJsonWriter        *json);
gboolean         mt_setting_read         (const MtSetting     *setting,
                                          MtRunSettings       *settings,
                                          const MtJson        *json);

G_END_DECLS
