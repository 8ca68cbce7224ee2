/* For core's own files: _(), ngettext() and NC_() as xgettext knows them. See mt-i18n.h. */
#pragma once

#include <inttypes.h>

#include "mt-i18n.h"

G_BEGIN_DECLS

gboolean    mt_i18n_is_english (void);   /* on this thread, now */
const char *mt_i18n_get_mark   (void);   /* "." in English */
const char *mt_i18n_get        (const char   *english) G_GNUC_FORMAT (1);
const char *mt_i18n_get_plural (const char   *one,
                                const char   *many,
                                gulong        n) G_GNUC_FORMAT (1) G_GNUC_FORMAT (2);
const char *mt_i18n_get_in     (const char   *context,
                                const char   *english) G_GNUC_FORMAT (2);
/* In the language of the moment. */
const char *mt_said_get        (const MtSaid *said);

#define _(text)                       mt_i18n_get (text)
#define N_(text)                      (text)
#define C_(context, text)             mt_i18n_get_in (context, text)
#define NC_(context, text)            (text)
#undef ngettext
#define ngettext(one, many, n)        mt_i18n_get_plural (one, many, n)

/* Says it twice. @text is an expression for a new string that is made of _() and ngettext(); it is
 * evaluated in English and, where another language is spoken, once more in that. */
#define MT_SAID(text)                                     \
  (__extension__ ({                                       \
    MtSaid mt_said_ = { NULL, NULL };                     \
    mt_i18n_begin_english ();                             \
    mt_said_.english = (text);                            \
    mt_i18n_end_english ();                               \
    if (!mt_i18n_is_english ())                           \
      mt_said_.shown = (text);                            \
    mt_said_;                                             \
  }))
/* The same of a format and its arguments. */
#define MT_SAY(...) MT_SAID (g_strdup_printf (__VA_ARGS__))

G_END_DECLS
