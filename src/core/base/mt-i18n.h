/* Which language core speaks: English, until the window says that it has a catalogue. minterm-cli
 * never does, so its output is the same everywhere; and what goes into a file is said between
 * mt_i18n_begin_english() and mt_i18n_end_english(), so that a file is the same everywhere, too.
 *
 * The one exception is an error: its message is written once, in the language of the current user. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Stands in a text for people where a number has its decimal mark: the code that shows the text puts the
 * preferred one there (a private-use character, which no data can be told by). */
#define MT_I18N_MARK "\xee\x80\x80"

void mt_i18n_set_translated (gboolean translated);   /* at start; the caller has bound GETTEXT_PACKAGE */
/* Of numbers in rules as the window shows them; a point until then. */
void mt_i18n_set_mark       (const char *mark);
void mt_i18n_begin_english  (void);                  /* on this thread, until the end; may be nested */
void mt_i18n_end_english    (void);

/* One sentence for files and, where that differs, for the screen. */
typedef struct {
  char *english;
  char *shown;     /* NULL: the same */
} MtSaid;

void mt_said_clear (MtSaid *said);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MtSaid, mt_said_clear)

G_END_DECLS
