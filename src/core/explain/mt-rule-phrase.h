/* A rule taken apart for typesetting: what a painter, a label with colors or LaTeX needs, in
 * reading order. Nothing is cut, and nothing is ever read back (mt-rule-text.h has the texts that
 * belong to the file format; these follow the same wording with fewer quotes).
 *
 *   words     Chest pain is not TA and Age ≥ 55, or Cholesterol < 168
 *   symbols   Chest pain ≠ TA ∧ Age ≥ 55 ∨ Cholesterol < 168
 *
 * A term is a conjunction (DNF), a clause (CNF), or a conjunction with parities (XOR). */
#pragma once

#include "encode/mt-encoder.h"
#include "logic/mt-qmc.h"
#include "rules/mt-rules.h"

G_BEGIN_DECLS

typedef enum {
  MT_PIECE_NAME,       /* of a column */
  MT_PIECE_REST,       /* of the literal; belongs to the name before it, with its space */
  MT_PIECE_JOINT,      /* and, or, ∧, ∨, ⊕, with the spaces around it; a line may break before it */
  MT_PIECE_OUTER,      /* the same between terms */
  MT_PIECE_BRACKET,    /* ( or ¬( before, ) after a literal; no break */
} MtPieceKind;

typedef struct {
  MtPieceKind  kind;
  guint        term;     /* the term it belongs to; an outer joint belongs to the term after it */
  char        *text;
} MtPiece;

typedef enum {
  MT_PHRASE_DNF,
  MT_PHRASE_CNF,
  MT_PHRASE_XOR,
  MT_N_PHRASE_FORMS,
} MtPhraseForm;

typedef struct {
  MtPiece *pieces;
  guint    n_pieces;
  guint    n_terms;
} MtPhrase;

/* One literal: its name as in a rule's text, and the rest: ` ≥ 55`, ` is red`, ` ≠ red`. */
char     *mt_phrase_dup_rest     (const MtEncoder   *encoder,
                                  guint              literal,
                                  gboolean           negated,
                                  gboolean           words);
/* DNF: the rule's own cover. */
MtPhrase *mt_phrase_new          (const MtRule      *rule,
                                  const MtEncoder   *encoder,
                                  gboolean           words);
/* @clauses: as mt_qmc_minimize_cnf() gives them. */
MtPhrase *mt_phrase_new_cnf      (const MtRule      *rule,
                                  const MtEncoder   *encoder,
                                  const MtCover     *clauses,
                                  gboolean           words);
MtPhrase *mt_phrase_new_xor      (const MtRule      *rule,
                                  const MtEncoder   *encoder,
                                  const MtXorCover  *cover,
                                  gboolean           words);
void      mt_phrase_free         (MtPhrase          *phrase);
char     *mt_phrase_dup_text     (const MtPhrase    *phrase);
/* One term of it, without the joint before it. */
char     *mt_phrase_dup_term     (const MtPhrase    *phrase,
                                  guint              term);
/* Pango markup with the names in @name_color (`#1a5fb4`). */
char     *mt_phrase_dup_markup   (const MtPhrase    *phrase,
                                  const char        *name_color);

/* Escapes for the formats of a listing. */
void      mt_latex_append        (GString           *out,
                                  const char        *text);
void      mt_markdown_append     (GString           *out,
                                  const char        *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MtPhrase, mt_phrase_free)

G_END_DECLS
