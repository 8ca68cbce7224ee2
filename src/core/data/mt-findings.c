/* What an analyst should know about a table before training on it.
 *
 * Every check reads a column from front to back once or twice, or looks at a sample of
 * bounded size, so a scan is linear in cells: a few seconds for a million rows of 50
 * columns. What each code means and what to do about it stands in docs/findings.md.
 *
 * A column that is already ignored is still described, but only as a note; checks that
 * compare columns leave it out. */
#include "config.h"
#include "mt-findings-private.h"

#include <math.h>
#include <string.h>

#include "mt-duplicates.h"

#define CHUNK 4096

/* From here on a column of levels is called wide: the encoder keeps 100 by default. */
#define MANY_LEVELS        100
#define ROWS_A_LEVEL       5
#define IDENTIFIER_SHARE   0.9
#define FEW_ROWS           100
#define IMBALANCE          10     /* the largest class has this many times the rows of the smallest */
#define MOSTLY_MISSING     0.5    /* of the rows */
#define LEVEL_FLOOR        0.005  /* the encoder's default */

void
mt_findings_take (MtFindingScan *scan,
                  const char    *code,
                  MtSeverity     severity,
                  int            column,
                  gsize          n_rows,
                  MtFix          fix,
                  const char    *fix_value,
                  MtSaid         message)
{
  const char *name = column < 0 ? NULL
                                : mt_column_get_name (mt_table_get_column (scan->table, (guint) column));
  MtFinding *finding = mt_finding_new (code, severity, column, name, 0, message);

  finding->n_rows = n_rows;
  finding->fix = fix;
  finding->fix_value = g_strdup (fix_value);
  g_ptr_array_add (scan->findings, finding);
}

gboolean
mt_findings_is_feature (const MtFindingScan *scan,
                        guint                column)
{
  return mt_table_get_role (scan->table, column) == MT_ROLE_FEATURE;
}

/* What the point of a number becomes on the screen is for the screen to say. */
static void
mark_decimals (MtShortText *number)
{
  char *point = mt_i18n_is_english () ? NULL : strchr (number->text, '.');
  char rest[sizeof number->text];

  if (point == NULL)
    return;
  g_strlcpy (rest, point + 1, sizeof rest);
  *point = '\0';
  g_strlcat (number->text, MT_I18N_MARK, sizeof number->text);
  g_strlcat (number->text, rest, sizeof number->text);
}

MtShortText
mt_findings_number (double value,
                    int    digits)
{
  MtShortText number;
  char format[8];

  g_snprintf (format, sizeof format, "%%.%dg", digits);
  g_ascii_formatd (number.text, sizeof number.text, format, value);
  mark_decimals (&number);
  return number;
}

MtShortText
mt_findings_share (gsize n,
                   gsize total)
{
  double percent = 100.0 * (double) n / (double) MAX (total, 1);
  MtShortText share, worded;

  if (n > 0 && percent < 0.01)
    {
      g_strlcpy (share.text, "0.01", sizeof share.text);
      mark_decimals (&share);
      g_snprintf (worded.text, sizeof worded.text, _("under %s%%"), share.text);
      return worded;
    }
  g_ascii_formatd (share.text, sizeof share.text, percent >= 10 ? "%.0f" : percent >= 1 ? "%.1f" : "%.2g",
                   percent);
  mark_decimals (&share);
  g_snprintf (worded.text, sizeof worded.text, _("%s%%"), share.text);
  return worded;
}

/* --- one column --- */

typedef struct {
  gsize    n_known;
  gboolean constant;     /* at least one known value, and no two different ones */
  gsize    first_known;  /* row, when n_known > 0 */
  double   min, max;     /* numbers only, as the rest */
  gsize    min_row, max_row;
  gboolean whole;        /* every value is an integer */
  gboolean climbing;     /* strictly, in the order of the file; or strictly falling */
} Facts;

static void
look_at_numbers (const MtColumn *column,
                 Facts          *facts)
{
  gsize n_rows = mt_column_get_n_rows (column);
  gboolean up = TRUE, down = TRUE;
  double buffer[CHUNK], last = NAN;

  facts->min = INFINITY;
  facts->max = -INFINITY;
  facts->whole = TRUE;
  for (gsize first = 0; first < n_rows; first += CHUNK)
    {
      gsize n = MIN (n_rows - first, CHUNK);

      mt_column_read_numbers (column, first, n, buffer);
      for (gsize i = 0; i < n; i++)
        {
          double v = buffer[i];

          if (isnan (v))
            continue;
          if (v < facts->min)
            {
              facts->min = v;
              facts->min_row = first + i;
            }
          if (v > facts->max)
            {
              facts->max = v;
              facts->max_row = first + i;
            }
          facts->whole = facts->whole && v == floor (v);
          up = up && !(v <= last);
          down = down && !(v >= last);
          last = v;
        }
    }
  facts->climbing = up || down;
  facts->constant = facts->n_known > 0 && facts->min == facts->max;
}

static gboolean
look_at_column (const MtColumn  *column,
                Facts           *facts)
{
  gsize n_rows = mt_column_get_n_rows (column);

  memset (facts, 0, sizeof *facts);
  facts->n_known = n_rows - mt_column_get_n_missing (column);
  while (facts->first_known < n_rows && mt_column_is_missing (column, facts->first_known))
    facts->first_known++;
  if (facts->n_known == 0)
    return FALSE;

  if (mt_column_get_store (column) == MT_STORE_NUMBERS)
    look_at_numbers (column, facts);
  else
    {
      facts->constant = TRUE;
      for (gsize i = facts->first_known + 1; i < n_rows && facts->constant; i++)
        facts->constant = mt_column_is_missing (column, i) ||
                          mt_duplicates_same_cell (column, facts->first_known, i);
    }
  return TRUE;
}

static MtSeverity
unless_ignored (const MtFindingScan *scan,
                guint                column,
                MtSeverity           severity)
{
  return mt_table_get_role (scan->table, column) == MT_ROLE_IGNORED ? MT_SEVERITY_NOTE : severity;
}

/* What to say at the end of a sentence about a column of no use. */
static const char *
advice (const MtFindingScan *scan,
        guint                column)
{
  return mt_table_get_role (scan->table, column) == MT_ROLE_IGNORED ? _("it is ignored") : _("ignore it");
}

static MtFix
ignore_fix (const MtFindingScan *scan,
            guint                column)
{
  return mt_table_get_role (scan->table, column) == MT_ROLE_IGNORED ? MT_FIX_NONE : MT_FIX_IGNORE_COLUMN;
}

static void
report_constant (MtFindingScan  *scan,
                 guint           index,
                 const MtColumn *column,
                 const Facts    *facts)
{
  g_autofree char *value = mt_column_dup_text (column, facts->first_known);
  gsize n_missing = scan->n_rows - facts->n_known;

  if (n_missing == 0)
    mt_findings_add (scan, "constant-column", unless_ignored (scan, index, MT_SEVERITY_WARNING), (int) index,
                     scan->n_rows, ignore_fix (scan, index), NULL,
                     _("“%s” has the same value, “%s”, in all %zu rows and cannot help predict: %s."),
                     mt_column_get_name (column), value, scan->n_rows, advice (scan, index));
  else
    mt_findings_add (scan, "constant-column", MT_SEVERITY_NOTE, (int) index,
                     facts->n_known, ignore_fix (scan, index), NULL,
                     _("“%s” is always “%s” or missing (%zu of %zu rows have a value), so it can help predict "
                       "only by being missing: %s unless that is meaningful."),
                     mt_column_get_name (column), value, facts->n_known, scan->n_rows, advice (scan, index));
}

/* After a fix or a setting that makes values count as missing. */
static void
report_mostly_missing (MtFindingScan  *scan,
                       guint           index,
                       const MtColumn *column,
                       gsize           n_known)
{
  const char * const *values = mt_column_get_missing_values (column);
  gsize n_missing = scan->n_rows - n_known;
  g_autofree char *texts = NULL;

  if (values == NULL || !mt_findings_is_feature (scan, index) || (double) n_missing < MOSTLY_MISSING * (double) scan->n_rows)
    return;
  texts = g_strjoinv ("”, “", (char **) values);
  mt_findings_add (scan, "mostly-missing", MT_SEVERITY_WARNING, (int) index, n_missing, ignore_fix (scan, index), NULL,
                   /* Translators: column, number, number, share, values that count as missing */
                   _("“%s” is now missing in %zu of %zu rows (%s), because “%s” counts as missing in it: undo that if these values mean "
                     "something; otherwise %s, unless the few known values matter."),
                   mt_column_get_name (column), n_missing, scan->n_rows, mt_findings_share (n_missing, scan->n_rows).text, texts,
                   advice (scan, index));
}

/* customer_id, userId, UUID; but not "paid" or "idle". */
static gboolean
is_named_like_identifier (const char *name)
{
  static const char * const words[] = { "id", "uuid", "guid", "key", "index", "rownum", "serial", NULL };
  g_autoptr (GString) word = g_string_new (NULL);

  for (const char *p = name;; p++)
    {
      gboolean starts_hump = g_ascii_isupper (*p) && p > name && g_ascii_islower (p[-1]);

      if (!g_ascii_isalpha (*p) || starts_hump)
        {
          if (g_strv_contains (words, word->str))
            return TRUE;
          g_string_truncate (word, 0);
        }
      if (*p == '\0')
        return FALSE;
      if (g_ascii_isalpha (*p))
        g_string_append_c (word, g_ascii_tolower (*p));
    }
}

/* Whole numbers in a narrow range, none twice: a shuffled row number. */
static gboolean
is_dense_permutation (const MtColumn *column,
                      const Facts    *facts)
{
  gsize n_rows = mt_column_get_n_rows (column);
  g_autofree guint8 *seen = NULL;

  if (!(facts->max - facts->min < 2.0 * (double) n_rows))
    return FALSE;
  seen = g_malloc0 (2 * n_rows);
  for (gsize i = 0; i < n_rows; i++)
    {
      gsize at = (gsize) (mt_column_get_number (column, i) - facts->min);

      if (seen[at])
        return FALSE;
      seen[at] = 1;
    }
  return TRUE;
}

/* 0 when cancelled. */
static gsize
count_distinct (const MtFindingScan *scan,
                guint                index)
{
  return scan->n_distinct != NULL ? scan->n_distinct[index]
                                  : mt_duplicates_count_distinct (mt_table_get_column (scan->table, index), scan->cancellable, NULL);
}

/* Why the column looks like an identifier, or NULL. */
static const char *
identifier_reason (const MtFindingScan *scan,
                   guint                index,
                   const Facts         *facts,
                   gsize                n_distinct)
{
  const MtColumn *column = mt_table_get_column (scan->table, index);

  if (facts->n_known < MT_FINDINGS_MIN_ROWS)
    return NULL;
  if (mt_column_get_store (column) != MT_STORE_NUMBERS)
    return (double) n_distinct >= IDENTIFIER_SHARE * (double) facts->n_known
           ? N_("almost every row has its own value") : NULL;
  if (mt_column_get_type (column) == MT_TYPE_DATE || !facts->whole ||
      facts->n_known < mt_column_get_n_rows (column))
    return NULL;
  if (facts->climbing)
    return N_("it numbers the rows of the file");
  if (is_dense_permutation (column, facts))
    return N_("every row has its own number");
  if (is_named_like_identifier (mt_column_get_name (column)) &&
      (double) count_distinct (scan, index) >=
      IDENTIFIER_SHARE * (double) facts->n_known)
    return N_("its name and its values suggest one");
  return NULL;
}

/* Of two levels both stay conditions of their own, however rare, as long as there are a few rows. */
static void
report_rare_levels (MtFindingScan  *scan,
                    guint           index,
                    const MtColumn *column,
                    gsize           n_distinct)
{
  gsize floor_rows = ROWS_A_LEVEL, n_rows = 0;
  guint n_rare = 0, n_levels = mt_column_get_n_levels (column);
  g_autoptr (GString) names = g_string_new (NULL);
  const char *name = mt_column_get_name (column);

  if (n_distinct > 2)
    floor_rows = MAX (floor_rows, (gsize) ceil (LEVEL_FLOOR * (double) scan->n_rows));
  for (guint code = 0; code < n_levels; code++)
    {
      gsize count = mt_column_get_level_count (column, code);

      if (count == 0 || count >= floor_rows)
        continue;
      n_rare++;
      n_rows += count;
      if (n_rare <= 3)
        g_string_append_printf (names, "%s“%s” %" G_GSIZE_FORMAT, n_rare > 1 ? ", " : "",
                                mt_column_get_level (column, code), count);
    }
  if (n_rare > 3)
    mt_findings_add (scan, "rare-level", MT_SEVERITY_NOTE, (int) index, n_rows, MT_FIX_NONE, NULL,
                     _("“%s” has %u values with fewer than %zu rows (%s and %u more): too few for rules of their "
                       "own. Merge them with other values; otherwise, they count as “other”."),
                     name, n_rare, floor_rows, names->str, n_rare - 3);
  else if (n_rare > 0)
    mt_findings_add (scan, "rare-level", MT_SEVERITY_NOTE, (int) index, n_rows, MT_FIX_NONE, NULL,
                     ngettext ("“%s” has %u value with fewer than %zu rows (%s): too few for a rule of its own. "
                               "Merge it with other values; otherwise, it counts as “other”.",
                               "“%s” has %u values with fewer than %zu rows (%s): too few for rules of their own. "
                               "Merge them with other values; otherwise, they count as “other”.", n_rare),
                     name, n_rare, floor_rows, names->str);
}

/* Returns whether the column is too wide for its rare levels to be worth a word. */
static gboolean
report_cardinality (MtFindingScan  *scan,
                    guint           index,
                    const MtColumn *column,
                    gsize           n_known,
                    gsize           n_distinct)
{
  if (n_distinct <= MANY_LEVELS && (n_distinct < 20 || n_known >= ROWS_A_LEVEL * n_distinct))
    return FALSE;
  mt_findings_add (scan, "high-cardinality", unless_ignored (scan, index, MT_SEVERITY_WARNING), (int) index,
                   n_known, ignore_fix (scan, index), NULL,
                   _("“%s” has %zu different values in %zu rows, and only frequent ones can become "
                     "conditions: group its values more coarsely, or %s."),
                   mt_column_get_name (column), n_distinct, n_known,
                   ignore_fix (scan, index) == MT_FIX_NONE ? _("leave it ignored") : _("ignore it"));
  return TRUE;
}

static void
report_date (MtFindingScan  *scan,
             guint           index,
             const MtColumn *column,
             const Facts    *facts)
{
  g_autofree char *from = mt_column_dup_text (column, facts->min_row);
  g_autofree char *to = mt_column_dup_text (column, facts->max_row);

  mt_findings_add (scan, "date-column", unless_ignored (scan, index, MT_SEVERITY_WARNING), (int) index,
                   facts->n_known, ignore_fix (scan, index), NULL,
                   _("“%s” contains dates from %s to %s, and rules about past dates do not apply to future "
                     "ones: %s. If the year, the month, or the days since an event matter, add a column for "
                     "them."),
                   mt_column_get_name (column), from, to, advice (scan, index));
}

static void
scan_column (MtFindingScan *scan,
             guint          index,
             guint          worker,
             gpointer       data)
{
  const MtColumn *column = mt_table_get_column (scan->table, index);
  MtColumnStore store = mt_column_get_store (column);
  gsize n_distinct = 0;
  const char *why;
  Facts facts;

  if (mt_table_get_role (scan->table, index) == MT_ROLE_TARGET || mt_table_get_role (scan->table, index) == MT_ROLE_GROUP ||
      mt_table_get_role (scan->table, index) == MT_ROLE_REPORT || mt_table_get_role (scan->table, index) == MT_ROLE_TIME)
    return;
  if (!look_at_column (column, &facts))
    {
      mt_findings_add (scan, "all-missing", unless_ignored (scan, index, MT_SEVERITY_WARNING), (int) index,
                       scan->n_rows, ignore_fix (scan, index), NULL,
                       _("“%s” is empty in all %zu rows: %s."),
                       mt_column_get_name (column), scan->n_rows, advice (scan, index));
      return;
    }
  if (scan->n_rows < MT_FINDINGS_MIN_ROWS)
    return;
  report_mostly_missing (scan, index, column, facts.n_known);
  if (facts.constant)
    {
      report_constant (scan, index, column, &facts);
      return;
    }
  if (mt_column_get_type (column) == MT_TYPE_DATE)
    {
      report_date (scan, index, column, &facts);
      return;
    }
  if (store != MT_STORE_NUMBERS)
    {
      n_distinct = count_distinct (scan, index);
      if (n_distinct == 0)    /* cancelled */
        return;
    }
  why = identifier_reason (scan, index, &facts, n_distinct);
  if (why != NULL)
    mt_findings_add (scan, "identifier", unless_ignored (scan, index, MT_SEVERITY_WARNING), (int) index,
                     facts.n_known, ignore_fix (scan, index), NULL,
                     _("“%s” looks like an identifier (%s) and cannot help predict new rows: %s."),
                     mt_column_get_name (column), _(why), advice (scan, index));
  else if (store == MT_STORE_NUMBERS)
    {
      if (mt_findings_is_feature (scan, index))
        mt_findings_scan_disguise (scan, index);
    }
  else if (!report_cardinality (scan, index, column, facts.n_known, n_distinct) &&
           mt_findings_is_feature (scan, index) && store == MT_STORE_CODES)
    report_rare_levels (scan, index, column, n_distinct);
}

/* --- the target --- */

static void
report_one_value (MtFindingScan *scan,
                  gsize          n_known,
                  const char    *value)
{
  const char *name = mt_column_get_name (scan->target);

  if (n_known == 1)
    mt_findings_add (scan, "one-class-target", MT_SEVERITY_ERROR, scan->target_index, 1, MT_FIX_NONE, NULL,
                     _("Only one row has a value (“%s”) in the target “%s”, so there is nothing to predict: "
                       "choose another target, or add data."), value, name);
  else
    mt_findings_add (scan, "one-class-target", MT_SEVERITY_ERROR, scan->target_index, n_known, MT_FIX_NONE,
                     NULL,
                     _("The target “%s” is “%s” in all %zu rows that have a value, so there is nothing to "
                       "predict: choose another target, or add data."), name, value, n_known);
}

static void
report_classes (MtFindingScan *scan,
                gsize          n_known)
{
  guint n_levels = mt_column_get_n_levels (scan->target), n_present = 0, smallest = 0, largest = 0;
  gsize low = G_MAXSIZE, high = 0;

  for (guint code = 0; code < n_levels; code++)
    {
      gsize count = mt_column_get_level_count (scan->target, code);

      if (count == 0)
        continue;
      n_present++;
      if (count < low)
        {
          low = count;
          smallest = code;
        }
      if (count > high)
        {
          high = count;
          largest = code;
        }
    }
  if (n_known >= MT_FINDINGS_MIN_ROWS && (double) n_present >= IDENTIFIER_SHARE * (double) n_known)
    mt_findings_add (scan, "identifier", MT_SEVERITY_ERROR, scan->target_index, n_known, MT_FIX_NONE, NULL,
                     _("The target “%s” has %u different values in %zu"
                       " rows, so there is nothing to learn: choose another target."),
                     mt_column_get_name (scan->target), n_present, n_known);
  else if (n_present == 1)
    report_one_value (scan, n_known, mt_column_get_level (scan->target, largest));
  else if (n_known >= MT_FINDINGS_MIN_ROWS && low < high / IMBALANCE)
    mt_findings_add (scan, "imbalance", MT_SEVERITY_WARNING, scan->target_index, low, MT_FIX_NONE, NULL,
                     _("Class “%s” of “%s” has %zu rows (%s) and “%s” has %zu: compare models by AUC, not "
                       "accuracy, and be careful with rules that are based on few of its rows."),
                     mt_column_get_level (scan->target, smallest), mt_column_get_name (scan->target), low,
                     mt_findings_share (low, n_known).text, mt_column_get_level (scan->target, largest),
                     high);
}

static gboolean
scan_target (MtFindingScan  *scan,
             GError        **error)
{
  gsize n_missing = mt_column_get_n_missing (scan->target), n_known = scan->n_rows - n_missing;
  const char *name = mt_column_get_name (scan->target);
  Facts facts;

  if (!look_at_column (scan->target, &facts))
    {
      mt_findings_add (scan, "all-missing", MT_SEVERITY_ERROR, scan->target_index, scan->n_rows, MT_FIX_NONE,
                       NULL,
                       _("The target “%s” is empty in all %zu rows: choose another target."),
                       name, scan->n_rows);
      return TRUE;
    }
  if (n_missing > 0)
    mt_findings_add (scan, "missing-target", MT_SEVERITY_WARNING, scan->target_index, n_missing, MT_FIX_NONE,
                     NULL,
                     ngettext ("%zu of %zu rows (%s) has no value for the target “%s” and is excluded from "
                               "training and testing: check that it is not a special case.",
                               "%zu of %zu rows (%s) have no value for the target “%s” and are excluded from "
                               "training and testing: check that they are not a special group.", n_missing),
                     n_missing, scan->n_rows, mt_findings_share (n_missing, scan->n_rows).text, name);
  if (n_known < FEW_ROWS)
    mt_findings_add (scan, "too-few-rows", MT_SEVERITY_NOTE, -1, n_known, MT_FIX_NONE, NULL,
                     ngettext ("Only %zu row has a target value; results from fewer than %d rows are unreliable: "
                               "add data, and check the confidence intervals.",
                               "Only %zu rows have a target value; results from fewer than %d rows are unreliable: "
                               "add data, and check the confidence intervals.", n_known), n_known, FEW_ROWS);

  switch (mt_column_get_store (scan->target))
    {
    case MT_STORE_CODES:
      report_classes (scan, n_known);
      break;
    case MT_STORE_NUMBERS:
      if (facts.constant)
        {
          g_autofree char *value = mt_column_dup_text (scan->target, facts.first_known);

          report_one_value (scan, n_known, value);
        }
      break;
    case MT_STORE_TEXT:
    default:
      mt_findings_add (scan, "identifier", MT_SEVERITY_ERROR, scan->target_index, n_known, MT_FIX_SET_TYPE,
                       mt_column_type_to_string (MT_TYPE_CATEGORY),
                       _("The target “%s” is free text: choose another target, or set its type to category."),
                       name);
      break;
    }
  return !g_cancellable_set_error_if_cancelled (scan->cancellable, error);
}

/* Is anything left to learn from? Looks at what was found so far. */
static void
report_no_features (MtFindingScan *scan)
{
  guint n_columns = mt_table_get_n_columns (scan->table);
  g_autofree gboolean *useless = g_new0 (gboolean, MAX (n_columns, 1));

  for (guint i = 0; i < scan->findings->len; i++)
    {
      const MtFinding *finding = scan->findings->pdata[i];

      if (finding->column >= 0 && (g_str_equal (finding->code, "all-missing") ||
                                   (g_str_equal (finding->code, "constant-column") &&
                                    finding->n_rows == scan->n_rows)))
        useless[finding->column] = TRUE;
    }
  for (guint c = 0; c < n_columns; c++)
    if (mt_findings_is_feature (scan, c) && !useless[c])
      return;
  mt_findings_add (scan, "no-features", MT_SEVERITY_ERROR, -1, 0, MT_FIX_NONE, NULL,
                   _("No column is available to predict “%s”: give at least one column with different values "
                     "the role feature."),
                   mt_column_get_name (scan->target));
}

static gint
compare_findings (gconstpointer a,
                  gconstpointer b)
{
  const MtFinding *x = *(MtFinding * const *) a, *y = *(MtFinding * const *) b;

  if (x->severity != y->severity)
    return (int) y->severity - (int) x->severity;
  return x->column - y->column;
}

/* --- on several threads --- */

struct _MtFindingProgress {
  void   (*func) (double done, gpointer data);
  gpointer data;
  GMutex   lock;      /* held by the thread that reports */
  gint     n_done;    /* atomic */
  guint    n_all;
};

/* By the number of looks at a column: each of the three passes that look at all of them, and as much again for the rows. */
static void
note_progress (MtFindingScan *scan,
               guint          n)
{
  struct _MtFindingProgress *progress = scan->progress;
  gint n_done = g_atomic_int_add (&progress->n_done, (gint) n) + (gint) n;

  if (progress->func == NULL || !g_mutex_trylock (&progress->lock))
    return;
  progress->func ((double) n_done / MAX (progress->n_all, 1), progress->data);
  g_mutex_unlock (&progress->lock);
}

typedef struct {
  MtFindingScan *scan;
  GPtrArray    **found;     /* by column */
  MtFindingLook  look;
  gpointer       data;
} Looks;

static void
look_task (guint    column,
           guint    worker,
           gpointer data)
{
  Looks *looks = data;
  MtFindingScan own = *looks->scan;

  if (g_cancellable_is_cancelled (own.cancellable))
    return;
  own.findings = looks->found[column] = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_finding_unref);
  own.pool = NULL;
  looks->look (&own, column, worker, looks->data);
  note_progress (looks->scan, 1);
}

gboolean
mt_findings_each_column (MtFindingScan *scan,
                         MtFindingLook  look,
                         gpointer       data,
                         GError       **error)
{
  guint n_columns = mt_table_get_n_columns (scan->table);
  g_autofree GPtrArray **found = g_new0 (GPtrArray *, n_columns + 1);
  Looks looks = { scan, found, look, data };

  mt_pool_run (scan->pool, n_columns, look_task, &looks);
  for (guint c = 0; c < n_columns; c++)
    if (found[c] != NULL)
      g_ptr_array_extend_and_steal (scan->findings, found[c]);
  return !g_cancellable_set_error_if_cancelled (scan->cancellable, error);
}

GPtrArray *
mt_findings_scan (const MtTable  *table,
                  GCancellable   *cancellable,
                  GError        **error)
{
  static const MtFindingsOptions no_options = { NULL };

  return mt_findings_scan_with (table, &no_options, cancellable, error);
}

static gboolean
scan_all (MtFindingScan  *scan,
          GError        **error)
{
  if (!mt_findings_each_column (scan, scan_column, NULL, error))
    return FALSE;
  if (scan->target_index >= 0)
    {
      scan->target = mt_table_get_column (scan->table, (guint) scan->target_index);
      report_no_features (scan);
      if (!scan_target (scan, error))
        return FALSE;
    }
  if (scan->n_rows < MT_FINDINGS_MIN_ROWS)
    return TRUE;
  if (!mt_findings_scan_twins (scan, error) || !mt_findings_scan_rows (scan, error))
    return FALSE;
  note_progress (scan, mt_table_get_n_columns (scan->table));
  return mt_findings_scan_leaks (scan, error) && mt_findings_scan_known (scan, error);
}

GPtrArray *
mt_findings_scan_with (const MtTable            *table,
                       const MtFindingsOptions  *options,
                       GCancellable             *cancellable,
                       GError                  **error)
{
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_finding_unref);
  struct _MtFindingProgress progress = { options->progress, options->progress_data, .n_all = 4 * mt_table_get_n_columns (table) };
  MtFindingScan scan = {
    .table = table,
    .n_rows = mt_table_get_n_rows (table),
    .target_index = mt_table_get_target (table),
    .findings = findings,
    .cancellable = cancellable,
    .pool = options->pool,
    .n_distinct = options->n_distinct,
    .progress = &progress,
  };
  gboolean done;

  if (scan.n_rows == 0)
    {
      mt_findings_add (&scan, "too-few-rows", MT_SEVERITY_ERROR, -1, 0, MT_FIX_NONE, NULL,
                       _("The table has no rows: choose a file with data."));
      return g_steal_pointer (&findings);
    }
  g_mutex_init (&progress.lock);
  done = scan_all (&scan, error);
  g_mutex_clear (&progress.lock);
  if (!done)
    return NULL;
  g_ptr_array_sort (findings, compare_findings);   /* stable: a merge sort */
  return g_steal_pointer (&findings);
}

GPtrArray *
mt_findings_merge (GPtrArray *from_import,
                   GPtrArray *from_scan)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) mt_finding_unref);
  g_autoptr (GHashTable) said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; from_import != NULL && i < from_import->len; i++)
    {
      MtFinding *finding = from_import->pdata[i];

      g_hash_table_add (said, g_strdup_printf ("%d %s", finding->column, finding->code));
      g_ptr_array_add (all, mt_finding_ref (finding));
    }
  for (guint i = 0; from_scan != NULL && i < from_scan->len; i++)
    {
      MtFinding *finding = from_scan->pdata[i];
      g_autofree char *key = g_strdup_printf ("%d %s", finding->column, finding->code);

      if (!g_hash_table_contains (said, key))
        g_ptr_array_add (all, mt_finding_ref (finding));
    }
  g_ptr_array_sort (all, compare_findings);
  return all;
}
