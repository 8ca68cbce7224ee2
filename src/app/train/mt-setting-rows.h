/* The settings of a run as rows of a form: a title, a sentence, the range, a control, and a button
 * that puts back what is usual. Which group a row stands in is said by the table in the .c. */
#pragma once

#include <adwaita.h>

#include "document/mt-run-settings.h"

G_BEGIN_DECLS

typedef enum {
  MT_SETTING_GROUP_SEARCH,
  MT_SETTING_GROUP_RULES,
  MT_SETTING_GROUP_NETWORK,
  MT_SETTING_GROUP_TRAINING,
  MT_SETTING_GROUP_JUDGING,
  MT_N_SETTING_GROUPS,
} MtSettingGroup;

typedef struct _MtSettingRows MtSettingRows;

/* A person changed this one. */
typedef void (*MtSettingFunc) (guint    setting,
                               gpointer data);

/* @group: AdwPreferencesGroup or AdwExpanderRow, MT_N_SETTING_GROUPS of them. */
MtSettingRows *mt_setting_rows_new  (GtkWidget * const   *groups,
                                     MtSettingFunc        changed,
                                     gpointer             data);
void           mt_setting_rows_free (MtSettingRows       *self);
void           mt_setting_rows_show (MtSettingRows       *self,
                                     const MtRunSettings *settings);
void           mt_setting_rows_read (MtSettingRows       *self,
                                     guint                setting,
                                     MtRunSettings       *settings);
char          *mt_setting_rows_dup_name (guint            setting);   /* without a mnemonic */
/* "9 bits · 5 folds": what an expander says while it is closed. */
char          *mt_setting_rows_sum_up (MtSettingRows       *self,
                                       MtSettingGroup       group,
                                       const MtRunSettings *settings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtSettingRows, mt_setting_rows_free)

G_END_DECLS
