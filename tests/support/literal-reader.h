/* Reads the text of a literal back, as docs/literals.md describes it. */
#pragma once

#include "encode/mt-encoder.h"

G_BEGIN_DECLS

/* FALSE when the text is no literal of this encoder. @literal and @negated may be NULL. */
gboolean mt_test_parse_literal (const MtEncoder *encoder,
                                const char      *text,
                                guint           *literal,
                                gboolean        *negated);

G_END_DECLS
