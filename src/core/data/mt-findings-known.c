/* Columns that may not be known yet when the decision is made, by their names; and columns that are missing together.
 *
 * A name is cut into words at everything that is not a letter, and where a small letter is followed by a capital. A word
 * that names an outcome, a duration or a moment at the end of something makes a question: a person knows the answer, the
 * data do not. Columns that predict almost perfectly are reported in mt-findings-leak.c and not asked about again.
 *
 * Missing patterns are compared by a hash of the rows without a value: linear in cells. */
#include "config.h"
#include "mt-findings-private.h"

#include <string.h>

#define LEAST_MISSING 0.01     /* share of rows; below it patterns agree by chance */
#define MOST_NAMED    4        /* columns named in a finding */

typedef enum {
  OUTCOME,
  DURATION,
  LATER,
  N_KINDS,
} Kind;

static const char * const words[N_KINDS][24] = {
  [OUTCOME] = { "outcome", "result", "results", "decision", "verdict", "resolution", "resolved", "churned", "defaulted", "settled",
                "refunded", "cancelled", "canceled", "recovered", "final", "granted", "rejected", "diagnosis", "died", NULL },
  [DURATION] = { "duration", "elapsed", "stay", "los", "lifetime", "until", "survival", NULL },
  [LATER] = { "end", "ended", "closed", "closing", "completed", "completion", "discharge", "discharged", "exit", "termination",
              "terminated", "death", "finished", "delivered", "returned", NULL },
};

static gboolean
has_word (const char         *name,
          const char * const *list)
{
  char word[32];
  gsize n = 0;

  for (const char *p = name;; p++)
    {
      gboolean ends = !g_ascii_isalpha (*p) || (n > 0 && g_ascii_isupper (*p) && g_ascii_islower (p[-1]));

      if (ends && n > 0)
        {
          word[n] = '\0';
          if (g_strv_contains (list, word))
            return TRUE;
          n = 0;
        }
      if (*p == '\0')
        return FALSE;
      if (g_ascii_isalpha (*p) && n + 1 < sizeof word)
        word[n++] = g_ascii_tolower (*p);
    }
}

static gboolean
was_told (const MtFindingScan *scan,
          guint                column)
{
  for (guint i = 0; i < scan->findings->len; i++)
    {
      const MtFinding *finding = scan->findings->pdata[i];

      if (finding->column == (int) column && (g_str_equal (finding->code, "possible-leak") || g_str_equal (finding->code, "known-in-time") ||
                                              g_str_equal (finding->code, "constant-column") ||
                                              g_str_equal (finding->code, "all-missing")))
        return TRUE;
    }
  return FALSE;
}

static void
ask (MtFindingScan *scan,
     guint          index)
{
  const MtColumn *column = mt_table_get_column (scan->table, index);
  const char *name = mt_column_get_name (column), *target = mt_column_get_name (scan->target);

  if (has_word (name, words[OUTCOME]))
    mt_findings_add (scan, "known-in-time", MT_SEVERITY_NOTE, (int) index, scan->n_rows, MT_FIX_IGNORE_COLUMN, NULL,
                     _("“%s” is named like an outcome. Is it known when the decision about “%s” is made? If not, ignore it."),
                     name, target);
  else if (mt_column_get_store (column) == MT_STORE_NUMBERS && has_word (name, words[DURATION]))
    mt_findings_add (scan, "known-in-time", MT_SEVERITY_NOTE, (int) index, scan->n_rows, MT_FIX_IGNORE_COLUMN, NULL,
                     _("“%s” is named like a duration. Is it known when the decision about “%s” is made? If not, ignore it."),
                     name, target);
  else if (has_word (name, words[LATER]))
    mt_findings_add (scan, "known-in-time", MT_SEVERITY_NOTE, (int) index, scan->n_rows, MT_FIX_IGNORE_COLUMN, NULL,
                     _("“%s” is named like something that happens later. Is it known when the decision about “%s” is made? If "
                       "not, ignore it."), name, target);
}

/* --- missing together --- */

typedef struct {
  guint   column;
  gsize   n_missing;
  guint64 hash;
} Pattern;

static guint64
hash_missing (const MtColumn *column)
{
  guint64 hash = 0xcbf29ce484222325u;

  for (gsize r = 0; r < mt_column_get_n_rows (column); r++)
    if (mt_column_is_missing (column, r))
      hash = (hash ^ r) * 0x100000001b3u;
  return hash;
}

static gboolean
is_same (const MtColumn *a,
         const MtColumn *b)
{
  for (gsize r = 0; r < mt_column_get_n_rows (a); r++)
    if (mt_column_is_missing (a, r) != mt_column_is_missing (b, r))
      return FALSE;
  return TRUE;
}

static char *
list_names (const MtFindingScan *scan,
            const GArray        *columns)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (columns->len, MOST_NAMED); i++)
    g_string_append_printf (text, "%s“%s”", i > 0 ? ", " : "",
                            mt_column_get_name (mt_table_get_column (scan->table, g_array_index (columns, guint, i))));
  if (columns->len > MOST_NAMED)
    g_string_append (text, ", …");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
tell_together (MtFindingScan *scan,
               const GArray  *columns,
               gsize          n_missing)
{
  g_autofree char *names = list_names (scan, columns);

  mt_findings_add (scan, "missing-together", MT_SEVERITY_NOTE, (int) g_array_index (columns, guint, 0), n_missing, MT_FIX_NONE, NULL,
                   _("%u columns are missing in the same %zu rows (%s): %s. If a rule tests whether one of them is "
                     "missing, it tests all of them; find out what these rows have in common."),
                   columns->len, n_missing, mt_findings_share (n_missing, scan->n_rows).text, names);
}

static gboolean
scan_patterns (MtFindingScan  *scan,
               GError        **error)
{
  g_autoptr (GArray) patterns = g_array_new (FALSE, FALSE, sizeof (Pattern));

  for (guint c = 0; c < mt_table_get_n_columns (scan->table); c++)
    {
      const MtColumn *column = mt_table_get_column (scan->table, c);
      Pattern made = { c, mt_column_get_n_missing (column), 0 };

      if (!mt_findings_is_feature (scan, c) || made.n_missing == scan->n_rows ||
          (double) made.n_missing < LEAST_MISSING * (double) scan->n_rows || made.n_missing < MT_FINDINGS_MIN_ROWS)
        continue;
      if (g_cancellable_set_error_if_cancelled (scan->cancellable, error))
        return FALSE;
      made.hash = hash_missing (column);
      g_array_append_val (patterns, made);
    }
  for (guint i = 0; i < patterns->len; i++)
    {
      const Pattern first = g_array_index (patterns, Pattern, i);
      g_autoptr (GArray) same = g_array_new (FALSE, FALSE, sizeof (guint));

      for (guint j = i; j < patterns->len;)
        {
          const Pattern *other = &g_array_index (patterns, Pattern, j);

          if (other->n_missing != first.n_missing || other->hash != first.hash ||
              !is_same (mt_table_get_column (scan->table, first.column), mt_table_get_column (scan->table, other->column)))
            {
              j++;
              continue;
            }
          g_array_append_val (same, other->column);
          if (j == i)
            j++;
          else
            g_array_remove_index (patterns, j);     /* reported once */
        }
      if (same->len > 1)
        tell_together (scan, same, first.n_missing);
    }
  return TRUE;
}

gboolean
mt_findings_scan_known (MtFindingScan  *scan,
                        GError        **error)
{
  for (guint c = 0; scan->target != NULL && c < mt_table_get_n_columns (scan->table); c++)
    if (mt_findings_is_feature (scan, c) && !was_told (scan, c))
      ask (scan, c);
  return scan_patterns (scan, error);
}
