/* What `train --baselines` adds to its output. See mt-cli-baselines.h. */
#include "config.h"
#include "mt-cli-baselines.h"

#include <math.h>

#include "mt-cli.h"
#include "mt-cli-terminal.h"

void
mt_cli_baselines_add_json (MtJsonWriter      *json,
                           const MtBaselines *baselines,
                           guint              literals)
{
  mt_json_writer_key (json, "baselines");
  mt_json_writer_begin_array (json);
  for (guint kind = 0; kind < MT_N_BASELINES; kind++)
    {
      MtBaseline baseline;

      mt_baselines_get (baselines, kind, literals, &baseline);
      mt_json_writer_begin_object (json);
      mt_cli_json_text (json, "kind", mt_baseline_kind_to_string (kind));
      mt_cli_json_number (json, "literals", baseline.literals > 0 ? baseline.literals : NAN);
      mt_cli_json_count (json, "size", baseline.size);
      mt_cli_json_number (json, "cv_mean", baseline.cv_mean);
      mt_cli_json_number (json, "cv_se", baseline.cv_se);
      mt_cli_json_number (json, "train", baseline.train);
      mt_cli_json_number (json, "test", baseline.test);
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
}

static char *
dup_value (double value)
{
  return isfinite (value) ? g_strdup_printf ("%.4f", value) : g_strdup ("–");
}

static char *
describe (const MtBaseline *baseline)
{
  switch (baseline->kind)
    {
    case MT_BASELINE_INTERCEPT:
      return g_strdup ("intercept only");
    case MT_BASELINE_LINEAR:
      return g_strdup_printf (baseline->size > MT_BASELINE_MAX_TERMS ? "regression (not fitted: %u terms)"
                                                                     : "regression, %u terms", baseline->size);
    case MT_BASELINE_TREE:
      return g_strdup_printf ("decision tree, %u %s", baseline->size, baseline->size == 1 ? "leaf" : "leaves");
    case MT_BASELINE_BOOSTED:
    case MT_N_BASELINES:
    default:
      return g_strdup_printf ("boosted trees, %u", baseline->size);
    }
}

void
mt_cli_baselines_append_text (GString           *out,
                              const MtBaselines *baselines,
                              guint              literals)
{
  static const MtCliTableColumn columns[] = {
    { "baseline", FALSE, FALSE }, { "literals", TRUE, FALSE }, { "cv", TRUE, FALSE }, { "±", TRUE, FALSE },
    { "train", TRUE, FALSE }, { "test", TRUE, FALSE },
  };
  g_autoptr (MtCliTable) table = NULL;
  MtBaseline intercept;

  mt_baselines_get (baselines, MT_BASELINE_INTERCEPT, literals, &intercept);
  table = mt_cli_table_new (columns, G_N_ELEMENTS (columns) - (isfinite (intercept.test) ? 0 : 1));

  for (guint kind = 0; kind < MT_N_BASELINES; kind++)
    {
      MtBaseline baseline;
      g_autofree char *name = NULL;
      g_autofree char *count = NULL;
      g_autofree char *mean = NULL;
      g_autofree char *se = NULL;
      g_autofree char *train = NULL;
      g_autofree char *test = NULL;

      mt_baselines_get (baselines, kind, literals, &baseline);
      name = describe (&baseline);
      count = baseline.literals > 0 ? g_strdup_printf ("%u", baseline.literals) : g_strdup ("–");
      mean = dup_value (baseline.cv_mean);
      se = dup_value (baseline.cv_se);
      train = dup_value (baseline.train);
      test = dup_value (baseline.test);
      mt_cli_table_add (table, MT_STYLE_PLAIN, (const char * const[]) { name, count, mean, se, train, test });
    }
  g_string_append_c (out, '\n');
  mt_cli_table_append (table, out, mt_cli_get_width (stdout), mt_cli_has_colour (stdout));
}
