/* Rows that repeat others, and columns that repeat others.
 *
 * Rows are compared in their features by mt-duplicates. Equal features with another class
 * cannot be told apart by any model; how many rows are lost to that is counted.
 *
 * Columns are compared in two steps: a hash over all rows, then, where hashes agree, cell
 * by cell. Two hashes are tried: of the values themselves, and, for levels and
 * for numbers of few different values, of the order in which the values first appear, which
 * is the same for a column and its recoding (male/female and 0/1). */
#include "config.h"
#include "mt-findings-private.h"

#include <math.h>
#include <string.h>

#include "mt-duplicates.h"

#define CHUNK       4096
#define MAX_RECODED 256   /* different numbers */

/* --- rows --- */

typedef struct {
  guint32 first;    /* row that stands for its equals */
  guint32 class_;
} Member;

static int
compare_members (gconstpointer a,
                 gconstpointer b,
                 gpointer      unused)
{
  const Member *x = a, *y = b;

  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return (x->class_ > y->class_) - (x->class_ < y->class_);
}

/* Rows in sets of equal features but more than one class, and of these the rows that
 * are not of their set's commonest class. */
static void
count_conflicts (const MtFindingScan *scan,
                 const guint32       *same_as,
                 gsize               *n_rows,
                 gsize               *n_lost)
{
  g_autofree gsize *sizes = g_new0 (gsize, scan->n_rows);
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (Member));
  guint i = 0;

  for (gsize r = 0; r < scan->n_rows; r++)
    sizes[same_as[r]]++;
  for (gsize r = 0; r < scan->n_rows; r++)
    {
      Member member = { same_as[r], mt_column_get_code (scan->target, r) };

      if (sizes[same_as[r]] > 1 && member.class_ != MT_CODE_MISSING)
        g_array_append_val (members, member);
    }
  g_array_sort_with_data (members, (GCompareDataFunc) compare_members, NULL);

  *n_rows = *n_lost = 0;
  while (i < members->len)
    {
      const Member *m = (const Member *) (gpointer) members->data;
      guint start = i, best = 0;

      while (i < members->len && m[i].first == m[start].first)
        {
          guint run = i;

          while (i < members->len && m[i].first == m[run].first && m[i].class_ == m[run].class_)
            i++;
          best = MAX (best, i - run);
        }
      if (best < i - start)
        {
          *n_rows += i - start;
          *n_lost += i - start - best;
        }
    }
}

static guint
list_features (const MtFindingScan *scan,
               guint               *columns)
{
  guint n = 0;

  for (guint c = 0; c < mt_table_get_n_columns (scan->table); c++)
    if (mt_findings_is_feature (scan, c))
      columns[n++] = c;
  return n;
}

/* Rows that are equal to another in what @same_as tells; how many they are. */
static gsize
list_equal_rows (const guint32 *same_as,
                 gsize          n_rows,
                 guint32       *rows)
{
  g_autofree guint8 *has_equal = g_new0 (guint8, n_rows);
  gsize n = 0;

  for (gsize r = 0; r < n_rows; r++)
    if (same_as[r] != r)
      has_equal[r] = has_equal[same_as[r]] = 1;
  for (gsize r = 0; r < n_rows; r++)
    if (has_equal[r])
      rows[n++] = (guint32) r;
  return n;
}

gboolean
mt_findings_scan_rows (MtFindingScan  *scan,
                       GError        **error)
{
  guint n_columns = mt_table_get_n_columns (scan->table);
  g_autofree guint *columns = g_new (guint, n_columns + 1);
  guint n_features = list_features (scan, columns);
  g_autofree guint32 *same_features = NULL;
  gsize n_repeated = 0, n_conflicting, n_lost, n_known;

  if (n_features == 0)
    return TRUE;
  same_features = mt_duplicates_find (scan->table, columns, n_features, NULL, scan->n_rows, scan->pool,
                                      scan->cancellable, error);
  if (same_features == NULL)
    return FALSE;

  if (scan->target != NULL)
    {
      /* Only what is equal in the features can be equal in all. */
      g_autofree guint32 *rows = g_new (guint32, scan->n_rows);
      gsize n_equal = list_equal_rows (same_features, scan->n_rows, rows);
      g_autofree guint32 *same = NULL;

      columns[n_features] = (guint) scan->target_index;
      same = mt_duplicates_find (scan->table, columns, n_features + 1, rows, n_equal, scan->pool, scan->cancellable,
                                 error);
      if (same == NULL)
        return FALSE;
      for (gsize i = 0; i < n_equal; i++)
        n_repeated += same[i] != i;
    }
  else
    for (gsize r = 0; r < scan->n_rows; r++)
      n_repeated += same_features[r] != r;
  if (n_repeated > 0)
    mt_findings_add (scan, "duplicate-rows",
                     n_repeated * 100 >= scan->n_rows ? MT_SEVERITY_WARNING : MT_SEVERITY_NOTE,
                     -1, n_repeated, MT_FIX_NONE, NULL,
                     scan->target != NULL
                     ? _("%zu of %zu rows (%s) repeat an earlier row in every feature and the target: remove "
                         "repeats that are mistakes, and keep the others on the same side of a split.")
                     : _("%zu of %zu rows (%s) repeat an earlier row in every feature: remove repeats that "
                         "are mistakes, and keep the others on the same side of a split."),
                     n_repeated, scan->n_rows, mt_findings_share (n_repeated, scan->n_rows).text);

  if (scan->target == NULL || mt_column_get_store (scan->target) != MT_STORE_CODES)
    return TRUE;
  count_conflicts (scan, same_features, &n_conflicting, &n_lost);
  n_known = scan->n_rows - mt_column_get_n_missing (scan->target);
  if (n_conflicting > 0)
    mt_findings_add (scan, "conflicting-duplicates", MT_SEVERITY_WARNING, scan->target_index, n_conflicting,
                     MT_FIX_NONE, NULL,
                     _("%zu rows are equal in every feature but differ in “%s”, so no model can be right on "
                       "more than %s%% of the rows: check them, or add a column that distinguishes them."),
                     n_conflicting, mt_column_get_name (scan->target),
                     mt_findings_number (floor (1000.0 * (double) (n_known - n_lost) / (double) n_known) / 10,
                                         4).text);
  return TRUE;
}

/* --- columns --- */

/* The number of a value in order of first appearance. */
typedef struct {
  guint64 bits[4 * MAX_RECODED];      /* open addressing */
  gint16  numbers[4 * MAX_RECODED];   /* -1: free */
  guint   n_known;
} Appearance;

/* Or -1 when the value is new and there is no room left for it. */
static int
number_of (Appearance *seen,
           guint64     bits)
{
  guint at = (guint) (mt_duplicates_mix (0, bits) >> 20) % G_N_ELEMENTS (seen->bits);

  while (seen->numbers[at] >= 0 && seen->bits[at] != bits)
    at = (at + 1) % G_N_ELEMENTS (seen->bits);
  if (seen->numbers[at] < 0 && seen->n_known < MAX_RECODED)
    {
      seen->bits[at] = bits;
      seen->numbers[at] = (gint16) seen->n_known++;
    }
  return seen->numbers[at];
}

/* Each cell as the number of its value in order of first appearance, missing being a value:
 * the same for a column and its recodings. FALSE for text, and for numbers of more than
 * MAX_RECODED values. */
static gboolean
number_values (const MtColumn *column,
               guint32        *numbers)
{
  gsize n_rows = mt_column_get_n_rows (column);
  double values[CHUNK];
  Appearance seen = { .n_known = 0 };

  if (mt_column_get_store (column) == MT_STORE_TEXT)
    return FALSE;
  if (mt_column_get_store (column) == MT_STORE_CODES)
    {
      guint n_levels = mt_column_get_n_levels (column);
      g_autofree guint32 *of_code = g_new (guint32, n_levels + 1);   /* the last is for missing */
      guint32 n_known = 0;

      memset (of_code, 0xff, (n_levels + 1) * sizeof *of_code);
      mt_column_read_codes (column, 0, n_rows, numbers);
      for (gsize r = 0; r < n_rows; r++)
        {
          guint32 *number = &of_code[MIN (numbers[r], n_levels)];

          if (*number == G_MAXUINT32)
            *number = n_known++;
          numbers[r] = *number;
        }
      return TRUE;
    }

  memset (seen.numbers, 0xff, sizeof seen.numbers);
  for (gsize first = 0; first < n_rows; first += CHUNK)
    {
      gsize n = MIN (n_rows - first, CHUNK);

      mt_column_read_numbers (column, first, n, values);
      for (gsize i = 0; i < n; i++)
        {
          int number = number_of (&seen, mt_duplicates_number_bits (values[i]));

          if (number < 0)
            return FALSE;
          numbers[first + i] = (guint32) number;
        }
    }
  return TRUE;
}

static gboolean
same_column (const MtColumn *a,
             const MtColumn *b)
{
  gsize n_rows = mt_column_get_n_rows (a);

  if (mt_column_get_store (a) != mt_column_get_store (b) ||
      mt_column_get_n_missing (a) != mt_column_get_n_missing (b))
    return FALSE;
  for (gsize r = 0; r < n_rows; r++)
    {
      gboolean missing = mt_column_is_missing (a, r);

      if (missing != mt_column_is_missing (b, r))
        return FALSE;
      if (missing)
        continue;
      switch (mt_column_get_store (a))
        {
        case MT_STORE_NUMBERS:
          if (mt_column_get_number (a, r) != mt_column_get_number (b, r))
            return FALSE;
          break;
        case MT_STORE_CODES:
          if (strcmp (mt_column_get_level (a, mt_column_get_code (a, r)),
                      mt_column_get_level (b, mt_column_get_code (b, r))) != 0)
            return FALSE;
          break;
        case MT_STORE_TEXT:
        default:
          {
            gsize length_a, length_b;
            const char *text_a = mt_column_peek_text (a, r, &length_a);
            const char *text_b = mt_column_peek_text (b, r, &length_b);

            if (length_a != length_b || memcmp (text_a, text_b, length_a) != 0)
              return FALSE;
          }
          break;
        }
    }
  return TRUE;
}

/* Of a column that number_values() leaves out. */
static guint64
hash_column (const MtColumn *column)
{
  gsize n_rows = mt_column_get_n_rows (column);
  guint64 hash = mt_column_get_store (column), hashes[CHUNK];

  for (gsize first = 0; first < n_rows; first += CHUNK)
    {
      gsize n = MIN (n_rows - first, CHUNK);

      memset (hashes, 0, n * sizeof *hashes);
      mt_duplicates_mix_hashes (column, first, n, hashes);
      for (gsize i = 0; i < n; i++)
        hash = mt_duplicates_mix (hash, hashes[i]);
    }
  return hash;
}

static guint64
hash_numbers (const guint32 *numbers,
              gsize          n_rows)
{
  guint64 hash = 0;

  for (gsize r = 0; r < n_rows; r++)
    hash = mt_duplicates_mix (hash, numbers[r]);
  return hash;
}

typedef struct {
  guint    column;
  gboolean recodable;    /* hash is that of number_values() */
  guint64  hash;
} Signature;

static int
compare_signatures (gconstpointer a,
                    gconstpointer b,
                    gpointer      unused)
{
  const Signature *x = a, *y = b;

  if (x->recodable != y->recodable)
    return x->recodable ? -1 : 1;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return x->column < y->column ? -1 : 1;
}

static void
report_twin (MtFindingScan *scan,
             guint          earlier,
             guint          later,
             gboolean       recoded)
{
  const char *name = mt_column_get_name (mt_table_get_column (scan->table, later));
  const char *other = mt_column_get_name (mt_table_get_column (scan->table, earlier));

  if (recoded)
    mt_findings_add (scan, "duplicate-column", MT_SEVERITY_NOTE, (int) later, scan->n_rows,
                     MT_FIX_IGNORE_COLUMN, NULL,
                     _("“%s” and “%s” carry the same information (their values correspond one to one in all "
                       "%zu rows): ignore one of them."), name, other,
                     scan->n_rows);
  else
    mt_findings_add (scan, "duplicate-column", MT_SEVERITY_WARNING, (int) later, scan->n_rows,
                     MT_FIX_IGNORE_COLUMN, NULL,
                     _("“%s” is equal to “%s” in all %zu rows: ignore one of them."),
                     name, other, scan->n_rows);
}

/* Per column: found to be constant or empty. */
static gboolean *
mark_useless (const MtFindingScan *scan)
{
  gboolean *useless = g_new0 (gboolean, MAX (mt_table_get_n_columns (scan->table), 1));

  for (guint i = 0; i < scan->findings->len; i++)
    {
      const MtFinding *finding = scan->findings->pdata[i];

      if (finding->column >= 0 && (g_str_equal (finding->code, "constant-column") ||
                                   g_str_equal (finding->code, "all-missing")))
        useless[finding->column] = TRUE;
    }
  return useless;
}

static void
sign_column (MtFindingScan *scan,
             guint          index,
             guint          worker,
             gpointer       data)
{
  const MtColumn *column = mt_table_get_column (scan->table, index);
  Signature *signature = (Signature *) data + index;
  g_autofree guint32 *numbers = NULL;

  if (!mt_findings_is_feature (scan, index))
    return;
  *signature = (Signature) { .column = index };
  if (mt_column_get_store (column) != MT_STORE_TEXT)
    {
      numbers = g_new (guint32, scan->n_rows);
      signature->recodable = number_values (column, numbers);
    }
  signature->hash = signature->recodable ? hash_numbers (numbers, scan->n_rows) : hash_column (column);
}

gboolean
mt_findings_scan_twins (MtFindingScan  *scan,
                        GError        **error)
{
  guint n_columns = mt_table_get_n_columns (scan->table);
  g_autofree guint *features = g_new (guint, n_columns + 1);
  guint n_features = list_features (scan, features), n = 0;
  g_autofree Signature *signatures = g_new (Signature, n_columns + 1);
  g_autofree guint32 *numbers = NULL;
  g_autofree guint32 *other_numbers = NULL;
  g_autofree gboolean *useless = mark_useless (scan);

  if (!mt_findings_each_column (scan, sign_column, signatures, error))
    return FALSE;
  for (guint i = 0; i < n_features; i++)
    if (!useless[features[i]])
      signatures[n++] = signatures[features[i]];     /* n ≤ i ≤ features[i] */
  g_qsort_with_data (signatures, (int) n, sizeof *signatures, compare_signatures, NULL);

  for (guint i = 0, first = 0; i < n; i++)
    {
      const MtColumn *a, *b;
      gboolean recoded;

      if (signatures[i].recodable != signatures[first].recodable ||
          signatures[i].hash != signatures[first].hash)
        first = i;
      if (i == first)
        continue;
      if (g_cancellable_set_error_if_cancelled (scan->cancellable, error))
        return FALSE;
      a = mt_table_get_column (scan->table, signatures[first].column);
      b = mt_table_get_column (scan->table, signatures[i].column);
      recoded = !same_column (a, b);
      if (recoded && numbers == NULL)
        {
          numbers = g_new (guint32, scan->n_rows);
          other_numbers = g_new (guint32, scan->n_rows);
        }
      if (recoded && (!signatures[i].recodable || !number_values (a, numbers) ||
                      !number_values (b, other_numbers) ||
                      memcmp (numbers, other_numbers, scan->n_rows * sizeof *numbers) != 0))
        continue;
      report_twin (scan, signatures[first].column, signatures[i].column, recoded);
    }
  return TRUE;
}
