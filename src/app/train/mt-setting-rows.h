/* The settings of a run as rows of a form: a title, a sentence, the range, a control, and a button
 * that puts back what is usual. Which rows there are is said by the table of settings, learn/mt-setting.h. */
#pragma once

#include <adwaita.h>

#include "mt-core.h"

G_BEGIN_DECLS

typedef struct _MtSettingRows MtSettingRows;

/* A person changed this one. */
typedef void (*MtSettingFunc) (const MtSetting *setting,
                               gpointer         data);

/* @group: AdwPreferencesGroup or AdwExpanderRow, MT_N_SETTING_GROUPS of them. */
MtSettingRows *mt_setting_rows_new  (GtkWidget * const   *groups,
                                     MtSettingFunc        changed,
                                     gpointer             data);
void           mt_setting_rows_free (MtSettingRows       *self);
void           mt_setting_rows_show (MtSettingRows       *self,
                                     const MtRunSettings *settings);
void           mt_setting_rows_read (MtSettingRows       *self,
                                     const MtSetting     *setting,
                                     MtRunSettings       *settings);
char          *mt_setting_rows_dup_name (const MtSetting *setting);   /* without a mnemonic */
/* "9 bits · 5 folds": what an expander says while it is closed. */
char          *mt_setting_rows_sum_up (MtSettingRows       *self,
                                       MtSettingGroup       group,
                                       const MtRunSettings *settings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtSettingRows, mt_setting_rows_free)

G_END_DECLS
