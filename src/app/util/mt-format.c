/* Numbers as a person reads them on the screen: grouped and with the locale's decimal mark. See mt-
 * format.h. */
#include "config.h"
#include "mt-format.h"

#include <glib/gi18n.h>
#include <langinfo.h>
#include <math.h>
#include <string.h>

#include "mt-preferences.h"

#define TRUE_MINUS   "−"
#define LONGEST_CELL 400   /* bytes of a cell worth laying out; no column is that wide */

const char *
mt_format_get_mark (void)
{
  return mt_preferences_plain_numbers () ? "." : nl_langinfo (RADIXCHAR);
}

char
mt_format_get_mark_char (void)
{
  const char *mark = mt_format_get_mark ();

  return mark[0] != '\0' && mark[1] == '\0' ? mark[0] : '.';
}

/* What was printed in the locale, as the person wants it. */
static char *
as_preferred (char *text)
{
  const char *mark = nl_langinfo (RADIXCHAR);
  GString *out;

  if (!mt_preferences_plain_numbers () || g_str_equal (mark, "."))
    return text;
  out = g_string_new (text);
  g_string_replace (out, mark, ".", 1);
  g_free (text);
  return g_string_free (out, FALSE);
}

/* What C prints as inf and nan; NULL: the number is finite. A project may hold an R² below all numbers. */
static char *
dup_not_finite (double value)
{
  return isfinite (value) ? NULL : g_strdup (isnan (value) ? "–" : value < 0 ? TRUE_MINUS "∞" : "∞");
}

char *
mt_format_fixed (double value,
                 guint  digits)
{
  char *text = dup_not_finite (value);

  if (text != NULL)
    return text;
  text = as_preferred (g_strdup_printf ("%.*f", (int) digits, value));
  if (text[0] == '-')
    {
      /* What rounds to nothing has no sign; else it has the sign that all numbers on the screen have. */
      char *signed_text = g_strconcat (strpbrk (text, "123456789") != NULL ? "−" : "", text + 1, NULL);

      g_free (text);
      text = signed_text;
    }
  return text;
}

char *
mt_format_with_error (const char *value,
                      double      error)
{
  const double none = 1e-9, least = 0.001;   /* what is smaller than none came of rounding */
  gboolean tiny = error < least / 2;
  g_autofree char *text = NULL;

  if (isnan (error) || error < none)
    return g_strdup (value);
  text = mt_format_fixed (tiny ? least : error, 3);
  return g_strconcat (value, tiny ? " ± < " : " ± ", text, NULL);
}

char *
mt_format_count (guint64 count)
{
  if (mt_preferences_plain_numbers ())
    return g_strdup_printf ("%" G_GUINT64_FORMAT, count);
  return g_strdup_printf ("%'" G_GUINT64_FORMAT, count);
}

char *
mt_format_percent (double share)
{
  double percent = share * 100;

  if (!isfinite (share))
    return dup_not_finite (share);
  if (percent > 0 && percent < 0.05)
    /* Translators: a share that is more than nothing and less than one in a thousand */
    return g_strdup (_("< 0.1%"));
  if (percent < 100 && percent >= 99.95)
    return g_strdup (_("> 99.9%"));
  if (percent == rint (percent))
    return g_strdup_printf (_("%.0f%%"), percent);
  return as_preferred (g_strdup_printf (_("%.1f%%"), percent));
}

char *
mt_format_rate (double share)
{
  double percent = share * 100;

  return percent > 0 && percent < 100 && percent == rint (percent) ? as_preferred (g_strdup_printf (_("%.1f%%"), percent))
                                                                   : mt_format_percent (share);
}

static char *
with_true_minus (const char *text)
{
  g_autoptr (GString) out = g_string_new (text);

  if (text[0] == '-')
    g_string_replace (out, "-", TRUE_MINUS, 1);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
mt_format_share (double share)
{
  return g_strdup_printf (_("%u%%"), (guint) floor (CLAMP (share, 0, 1) * 100));
}

char *
mt_format_seconds (double seconds)
{
  guint whole;

  if (!isfinite (seconds))
    return dup_not_finite (seconds);
  whole = (guint) ceil (CLAMP (seconds, 0, G_MAXINT));
  if (whole < 60)
    return g_strdup_printf (_("%u s"), whole);
  if (whole < 3600)
    return g_strdup_printf (_("%u min %u s"), whole / 60, whole % 60);
  return g_strdup_printf (_("%u h %u min"), whole / 3600, whole / 60 % 60);
}

char *
mt_format_progress (double share,
                    double elapsed,
                    double left)
{
  g_autofree char *percent = mt_format_percent (floor (share * 100) / 100);
  g_autofree char *so_far = mt_format_seconds (elapsed);
  g_autofree char *rest = NULL;

  if (isnan (left))
    /* Translators: percentage done, time so far */
    return g_strdup_printf (_("%s · %s so far"), percent, so_far);
  rest = mt_format_seconds (left);
  /* Translators: percentage done, time so far, time left: "40% · 2 min 10 s so far · about 3 min 0 s left" */
  return g_strdup_printf (_("%s · %s so far · about %s left"), percent, so_far, rest);
}

char *
mt_format_sentence (const char *message)
{
  char first[7] = "";

  g_unichar_to_utf8 (g_unichar_totitle (g_utf8_get_char (message)), first);
  return g_strconcat (first, *message != '\0' ? g_utf8_next_char (message) : "", NULL);
}

static void
end_sentence (GString *text)
{
  static const char * const ends[] = { ".", "!", "?", "…" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (text->len == 0 || g_str_has_suffix (text->str, ends[i]))
      return;
  g_string_append_c (text, '.');
}

char *
mt_format_paragraph (const char *message)
{
  g_autofree char *sentence = mt_format_sentence (message);
  g_autoptr (GString) text = g_string_new (sentence);

  end_sentence (text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
mt_format_finding (const MtFinding *finding)
{
  g_autoptr (GString) text = g_string_new (finding->shown != NULL ? finding->shown : finding->message);

  g_string_replace (text, MT_I18N_MARK, mt_format_get_mark (), 0);
  end_sentence (text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
mt_format_number (double value)
{
  gboolean grouped = fabs (value) < 1e7 && !mt_preferences_plain_numbers ();
  g_autofree char *text = NULL;

  if (!isfinite (value))
    return dup_not_finite (value);
  text = as_preferred (grouped ? g_strdup_printf ("%'.6g", value)
                        : g_strdup_printf ("%.*g", fabs (value) >= 1e7 ? 4 : 6, value));
  return with_true_minus (text);
}

char *
mt_format_short (double value)
{
  gboolean whole = fabs (value) >= 1000 && fabs (value) < 1e7;
  g_autofree char *text = NULL;

  if (!isfinite (value))
    return dup_not_finite (value);
  text = as_preferred (g_strdup_printf (!whole ? "%.4g" : mt_preferences_plain_numbers () ? "%.0f" : "%'.0f", value));
  return with_true_minus (text);
}

char *
mt_format_weight (double value)
{
  double size = fabs (value);
  const char *sign = size == 0 ? "" : signbit (value) ? TRUE_MINUS : "+";
  gboolean plain = mt_preferences_plain_numbers ();

  return as_preferred (g_strdup_printf (size >= 1000 ? (plain ? "%s%.0f" : "%s%'.0f")
                                        : size == 0 || size >= 0.095 ? "%s%.2f" : "%s%.2g", sign, size));
}

char *
mt_format_weights (const char * const *classes,
                   const double       *weights,
                   guint               n_outputs)
{
  GString *text;

  if (n_outputs == 1)
    return mt_format_weight (weights[0]);
  text = g_string_new (NULL);
  for (guint i = 0; i < n_outputs; i++)
    if (weights[i] != 0)
      {
        g_autofree char *weight = mt_format_weight (weights[i]);

        g_string_append_printf (text, "%s%s %s", text->len > 0 ? " · " : "", classes[i], weight);
      }
  return g_string_free (text, FALSE);
}

char *
mt_format_strongest (const char * const *classes,
                     const double       *weights,
                     guint               n_outputs,
                     double             *weight)
{
  g_autofree char *text = NULL;
  guint best = 0;

  for (guint i = 1; i < n_outputs; i++)
    if (fabs (weights[i]) > fabs (weights[best]))
      best = i;
  if (weight != NULL)
    *weight = weights[best];
  text = mt_format_weight (weights[best]);
  return n_outputs == 1 ? g_steal_pointer (&text) : g_strdup_printf ("%s %s", classes[best], text);
}

char *
mt_format_outcome (const MtRuleBook *book,
                   guint             class)
{
  const char *name = mt_rule_book_get_classes (book)[class];

  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_isalpha (g_utf8_get_char (p)))
      return g_strdup (name);
  return g_strdup_printf ("%s = %s", mt_rule_book_get_target (book), name);
}

char *
mt_format_target (const MtRuleBook *book,
                  double            value)
{
  double size = fabs (mt_rule_book_has_rows (book) ? mt_rule_book_get_mean (book)
                                                   : mt_rule_set_get_bias (mt_rule_book_get_rules (book))[0]);
  g_autofree char *text = NULL;

  if (!isnormal (size) || size < 1e-4 || fabs (value) >= 1e7)
    return mt_format_short (value);
  /* Four digits of what is usual. */
  text = as_preferred (g_strdup_printf (mt_preferences_plain_numbers () ? "%.*f" : "%'.*f",
                                        MAX (0, 3 - (int) floor (log10 (size))), value));
  return with_true_minus (text);
}

char *
mt_format_value (MtColumnType type,
                 double       value)
{
  g_autoptr (GDateTime) epoch = NULL;
  g_autoptr (GDateTime) day = NULL;

  if (type != MT_TYPE_DATE || !(fabs (value) < 2e6))
    return mt_format_number (value);
  epoch = g_date_time_new_utc (1970, 1, 1, 0, 0, 0);
  day = g_date_time_add_days (epoch, (int) floor (value));
  return day != NULL ? g_date_time_format (day, "%Y-%m-%d") : mt_format_number (value);
}

char *
mt_format_cell (const MtColumn *column,
                gsize           row)
{
  g_autofree char *text = mt_column_dup_text (column, row);
  const char *mark = mt_format_get_mark ();

  if (mt_column_get_type (column) == MT_TYPE_NUMBER && mt_column_get_store (column) == MT_STORE_NUMBERS)
    {
      g_autoptr (GString) number = g_string_new (text);

      if (!g_str_equal (mark, "."))
        g_string_replace (number, ".", mark, 1);
      return with_true_minus (number->str);
    }
  if (strlen (text) > LONGEST_CELL)
    {
      char *end = g_utf8_find_prev_char (text, text + LONGEST_CELL);

      if (end != NULL)
        *end = '\0';
    }
  /* Line ends and tabs inside a cell would break the line it stands on. */
  for (char *p = text; *p != '\0'; p++)
    if (*p == '\n' || *p == '\r' || *p == '\t')
      *p = ' ';
  return g_steal_pointer (&text);
}

char *
mt_format_cpu (void)
{
  guint n = mt_preferences_count_threads ();
  g_autofree char *threads = g_strdup_printf (ngettext ("%u thread", "%u threads", n), n);
  g_autofree char *name = mt_backend_dup_name ("cpu", NULL);
  const char *kind = NULL;

  if (name != NULL)
    kind = strstr (name, "avx512") != NULL ? "AVX-512" : strstr (name, "avx2") != NULL ? "AVX2" : NULL;
  return kind == NULL ? g_steal_pointer (&threads) : g_strdup_printf ("%s, %s", threads, kind);
}

char *
mt_format_breakable (const char *name)
{
  GString *text = g_string_new (NULL);
  gunichar before = 0;

  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (before == '_' || before == '.' || before == '/' || before == '-' ||
          (g_unichar_isupper (c) && g_unichar_islower (before)))
        g_string_append (text, "\u200b");
      g_string_append_unichar (text, c);
      before = c;
    }
  return g_string_free (text, FALSE);
}

char *
mt_format_cut (const char *text,
               guint       most)
{
  glong length = g_utf8_strlen (text, -1), head = (most - 1) / 2, tail = most - 1 - head;
  g_autofree char *first = NULL;

  if (length <= (glong) most)
    return g_strdup (text);
  first = g_utf8_substring (text, 0, head);
  return g_strconcat (first, "…", g_utf8_offset_to_pointer (text, length - tail), NULL);
}

char *
mt_format_moment (GDateTime *then)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) local = g_date_time_to_local (then);
  g_autoptr (GDateTime) yesterday = g_date_time_add_days (now, -1);

  if (g_date_time_get_year (local) == g_date_time_get_year (now) &&
      g_date_time_get_day_of_year (local) == g_date_time_get_day_of_year (now))
    /* Translators: a time of today, for g_date_time_format() */
    return g_date_time_format (local, _("Today, %H:%M"));
  if (g_date_time_get_year (local) == g_date_time_get_year (yesterday) &&
      g_date_time_get_day_of_year (local) == g_date_time_get_day_of_year (yesterday))
    return g_strdup (_("Yesterday"));
  if (g_date_time_get_year (local) == g_date_time_get_year (now))
    /* Translators: a day of this year, for g_date_time_format() */
    return g_date_time_format (local, _("%B %-e"));
  return g_date_time_format (local, "%x");
}

char *
mt_format_signature (const char *by,
                     gint64      made)
{
  g_autoptr (GDateTime) then = made > 0 ? g_date_time_new_from_unix_local (made) : NULL;
  /* Translators: a day and a time, for g_date_time_format() */
  g_autofree char *when = then != NULL ? g_date_time_format (then, _("%B %-e, %Y, %H:%M")) : NULL;

  if (by == NULL || *by == '\0')
    return g_strdup (when != NULL ? g_strstrip (when) : _("Author and time not recorded"));
  return when != NULL ? g_strdup_printf ("%s, %s", by, g_strstrip (when)) : g_strdup (by);
}

char *
mt_format_totals (const MtRuleSet *rules)
{
  guint n_rules = mt_rule_set_get_n_rules (rules), complexity = mt_rule_set_get_complexity (rules);
  guint n_columns = mt_rule_set_get_n_terms (rules) - n_rules;
  g_autofree char *literals = g_strdup_printf (ngettext ("%u literal", "%u literals", complexity), complexity);
  g_autofree char *count = g_strdup_printf (ngettext ("%u rule", "%u rules", n_rules), n_rules);
  g_autofree char *columns = g_strdup_printf (ngettext ("%u linear term", "%u linear terms", n_columns), n_columns);

  return n_columns == 0 ? g_strdup_printf ("%s, %s", literals, count)
                        : g_strdup_printf ("%s, %s, %s", literals, count, columns);
}

const char *
mt_format_metric_name (MtMetric metric)
{
  switch (metric)
    {
    case MT_METRIC_AUC:               return _("AUC");
    case MT_METRIC_ACCURACY:          return _("Accuracy");
    case MT_METRIC_BALANCED_ACCURACY: return _("Balanced accuracy");
    case MT_METRIC_LOG_LOSS:          return _("Log loss");
    case MT_METRIC_F1:                return _("F1");
    case MT_METRIC_BRIER:             return _("Brier score");
    case MT_METRIC_R2:                return _("R²");
    case MT_METRIC_RMSE:              return _("Root mean squared error");
    case MT_METRIC_MAE:               return _("Mean absolute error");
    case MT_N_METRICS:
    default:                          return mt_metric_get_name (metric);
    }
}

/* Errors have the unit of the target, all others are near 1. */
char *
mt_format_quality (MtMetric metric,
                   double   value)
{
  return metric == MT_METRIC_RMSE || metric == MT_METRIC_MAE ? mt_format_short (value) : mt_format_fixed (value, 3);
}
