/* How the model answers, how its rules were found, and with which settings: section 8. Everything that is said of this
 * model follows from what its file records. */
#include "config.h"
#include "mt-report-private.h"

#include <string.h>

#include "base/mt-decimal.h"
#include "learn/mt-setting.h"
#include "rules/mt-rule-text.h"

/* --- how the rules were found --- */

typedef struct {
  guint nodes;        /* rules that were a node of a network */
  guint searched;
  guint edited;
  guint unknown;      /* the file does not say */
  guint trained;      /* rules that training by gradient changed … */
  guint exchanged;    /* … and exchange; some are both */
  guint direct;       /* single conditions that a pruned network weighs by themselves: they never were a node */
} Origins;

static gboolean
has_text (const MtModel *model,
          const char    *name,
          const char    *text)
{
  const MtModelSetting *setting = mt_report_find_setting (model, name);

  return setting != NULL && setting->kind == MT_SETTING_TEXT && g_str_equal (setting->text, text);
}

static Origins
count_origins (const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  gboolean is_pruned = has_text (model, "refine", "magnitude");
  Origins n = { 0 };

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);
      const MtOrigin *origin = term->is_numeric ? NULL : mt_rule_get_origin (term->rule);

      if (term->is_numeric)
        continue;
      if (origin == NULL && is_pruned && mt_rule_get_n_inputs (term->rule) == 1)
        n.direct++;
      else if (origin == NULL)
        n.unknown++;
      else if (mt_origin_is_node (origin))
        n.nodes++;
      else if (mt_origin_get_kind (origin) == MT_ORIGIN_EDIT)
        n.edited++;
      else
        n.searched++;
      n.trained += origin != NULL && (mt_origin_get_changes (origin) & MT_CHANGED_BY_GRADIENT) != 0;
      n.exchanged += origin != NULL && (mt_origin_get_changes (origin) & MT_CHANGED_BY_EXCHANGE) != 0;
    }
  return n;
}

/* Rules that were a node of a network, and those of which the file does not say. */
static guint
count_maybe_nodes (const MtModel *model)
{
  Origins n = count_origins (model);

  return n.nodes + n.unknown;
}

/* @one, @many: the same of one rule and of several. */
static void
append_part (GString    *out,
             guint       n_rules,
             guint       n,
             const char *one,
             const char *many)
{
  if (n > 0 && n_rules == 1)
    g_string_append_printf (out, "it %s", one);
  else if (n > 0)
    g_string_append_printf (out, "%s%u %s", out->len > 0 ? ", " : "", n, n == 1 ? one : many);
}

/* Whether the search found rules, and exchanges improved them. Pruning by magnitude has no place for that. */
static gboolean
is_tuned (const MtModel *model)
{
  return has_text (model, "method", "ttsparse") && !has_text (model, "refine", "magnitude");
}

MtReportNetwork
mt_report_get_network (const MtModel *model)
{
  const MtModelSetting *restarts = mt_report_find_setting (model, "restarts");
  const MtModelSetting *fan_in = mt_report_find_setting (model, "fan-in");

  if (mt_model_get_info (model)->train_differ != MT_MODEL_NOT_COUNTED)
    return MT_REPORT_NETWORK_TRAINED;       /* it was compared with the rules */
  if (restarts == NULL)
    return MT_REPORT_NETWORK_UNKNOWN;
  if (restarts->kind == MT_SETTING_NUMBER)
    return restarts->number > 0 ? MT_REPORT_NETWORK_TRAINED : MT_REPORT_NETWORK_NONE;
  if (has_text (model, "method", "search"))
    return MT_REPORT_NETWORK_NONE;
  if (is_tuned (model) && fan_in != NULL && fan_in->kind == MT_SETTING_NUMBER && fan_in->number < 2)
    return MT_REPORT_NETWORK_NONE;          /* its nodes would be single conditions */
  return MT_REPORT_NETWORK_UNKNOWN;
}

/* Networks that proposed rules, by the settings of the file. */
static void
add_networks (MtReport      *report,
              const MtModel *model,
              gboolean       is_magnitude)
{
  const MtModelSetting *restarts = mt_report_find_setting (model, "restarts");

  if (restarts == NULL)
    mt_report_add_absent (report, "how many networks were trained; the model file does not say.");
  else if (mt_report_get_network (model) == MT_REPORT_NETWORK_NONE)
    mt_report_add (report, "No network was used.");
  else if (restarts->kind != MT_SETTING_NUMBER)
    mt_report_add (report, count_maybe_nodes (model) > 0
                           ? "How many networks to train was left to Minterm."
                           : "How many networks to train was left to Minterm, and no rule of this model comes from one.");
  else if (is_magnitude)
    mt_report_add (report, restarts->number == 1 ? "%.0f network was trained, and its smallest weights were removed step by step."
                           : "%.0f networks were trained, and their smallest weights were removed step by step.",
                   restarts->number);
  else
    mt_report_add (report, "%.0f %s trained for each path; %s nodes were added to the candidates found by "
                           "the direct search.",
                   restarts->number, restarts->number == 1 ? "network was" : "networks were",
                   restarts->number == 1 ? "its" : "their");
}

/* How the folds compared this model with those of the other paths. */
static void
add_over (MtReport      *report,
          const MtModel *model)
{
  static const struct {
    const char *mean, *se, *words;
  } others[] = {
    { "over-ttsparse", "over-ttsparse-se", "the rules after training and exchanges" },
    { "over-search", "over-search-se", "the rules as the search had found them" },
    { "over-plain", "over-plain-se", "single conditions" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      const MtModelSetting *mean = mt_report_find_setting (model, others[i].mean);
      const MtModelSetting *se = mt_report_find_setting (model, others[i].se);

      if (mean != NULL && se != NULL && mean->kind == MT_SETTING_NUMBER && se->kind == MT_SETTING_NUMBER)
        mt_report_add (report, "Its cross-validated score differs from that of %s by %+.4f, with a standard error of %.4f.",
                       others[i].words, mean->number, se->number);
    }
}

/* How often these rules were trained, and what was kept of it. */
static void
add_trainings (MtReport      *report,
               const MtModel *model)
{
  const MtModelSetting *trainings = mt_report_find_setting (model, "trainings");
  const MtModelSetting *kept = mt_report_find_setting (model, "trainings-kept");

  if (trainings != NULL && kept != NULL && trainings->kind == MT_SETTING_NUMBER && kept->kind == MT_SETTING_NUMBER)
    mt_report_add (report, trainings->number == 1
                           ? "On the way to this model, %.0f network was trained from its rules; trainings whose result was kept: %.0f."
                           : "On the way to this model, %.0f networks were trained from its rules; trainings whose result was kept: "
                             "%.0f.", trainings->number, kept->number);
}

/* What training and exchanges did to the rules that the search found, and whether the folds chose the result. */
static void
add_path (MtReport      *report,
          const MtModel *model,
          Origins        n)
{
  gboolean is_own = has_text (model, "restarts", "auto");      /* the rules themselves become the network */
  MtReportNetwork network = is_own ? mt_report_get_network (model) : MT_REPORT_NETWORK_NONE;
  gboolean is_changed = !has_text (model, "path", "search") && !has_text (model, "path", "plain");

  if (network == MT_REPORT_NETWORK_TRAINED)
    mt_report_add (report, "At several sizes, the rules found so far were made into a network (TT-Sparse), with one node for each "
                   "rule, and the network was trained by gradient descent. Rules became what their nodes had become, and the "
                   "least useful conditions were removed until the size was as before.");
  else if (network == MT_REPORT_NETWORK_UNKNOWN)
    mt_report_add (report, "By its settings, the run made the rules that the search found into networks (TT-Sparse) and trained "
                   "them by gradient descent. The model file does not record whether that succeeded.");
  mt_report_add (report, "Conditions of the rules were exchanged for others without adding literals. An exchange was kept only if "
                         "it lowered the training loss, with all weights refitted, by more than chance explains.");
  if (network == MT_REPORT_NETWORK_TRAINED)
    mt_report_add (report, "Training and the exchanges after it were kept together, and only if the training loss was then lower.");
  if (has_text (model, "path", "search"))
    mt_report_add (report, "For a model of this size, cross-validation favored the rules as the search had found them, "
                   "so none of these changes is in this model.");
  else if (has_text (model, "path", "plain"))
    mt_report_add (report, "For a model of this size, cross-validation favored single conditions as the search had found them, "
                   "so none of these changes is in this model.");
  add_over (report, model);
  add_trainings (report, model);
  if (is_changed && network == MT_REPORT_NETWORK_NONE)
    mt_report_add (report, "Rules of this model changed by exchanges: %u.", n.exchanged);
  else if (is_changed)
    mt_report_add (report, "Rules of this model changed by training: %u; by exchanges: %u.", n.trained, n.exchanged);
}

/* Says what was done for this model and nothing that a setting can make false. The one place for that: another way to
 * find rules is described here. */
static void
add_how_found (MtReport      *report,
               const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  const MtModelSetting *refine = mt_report_find_setting (model, "refine");
  const char *kind = refine != NULL && refine->kind == MT_SETTING_TEXT ? refine->text : NULL;
  Origins n = count_origins (model);
  guint n_rules = mt_rule_set_get_n_rules (rules);
  g_autoptr (GString) parts = g_string_new (NULL);

  append_part (parts, n_rules, n.nodes, "was a node of a trained network (TT-Sparse)", "were nodes of trained networks (TT-Sparse)");
  append_part (parts, n_rules, n.searched, "was found by the direct search for conditions and conjunctions",
               "were found by the direct search for conditions and conjunctions");
  append_part (parts, n_rules, n.direct, "is a single condition that the network weighs by itself",
               "are single conditions that the network weighs by themselves");
  append_part (parts, n_rules, n.edited, "was edited manually", "were edited manually");
  append_part (parts, n_rules, n.unknown, "has no recorded origin", "have no recorded origin");
  if (n_rules == 0)
    mt_report_add (report, "The model has no rules.");
  else if (n_rules == 1)
    mt_report_add (report, "Origin of the rule: %s. Later steps may have changed it.", parts->str);
  else
    mt_report_add (report, "Origin of the %u rules: %s. Later steps may have changed them.", n_rules, parts->str);
  if (is_tuned (model))
    add_path (report, model, n);
  if (!is_tuned (model) || !has_text (model, "restarts", "auto"))
    add_networks (report, model, g_strcmp0 (kind, "magnitude") == 0);
  if (g_strcmp0 (kind, "exact") == 0)
    mt_report_add (report, "The model was made smaller literal by literal, with all weights refitted after each step.");
  else if (g_strcmp0 (kind, "magnitude") == 0)
    mt_report_add (report, "The model was made smaller by pruning weights by their magnitude.");
  if (mt_rule_set_get_n_rules (rules) > 0)
    mt_report_add (report, "Each rule is a truth table over its conditions, written as a minimized formula.");
}

/* --- settings --- */

static char *
dup_setting (const MtModelSetting *setting)
{
  switch (setting->kind)
    {
    case MT_SETTING_NUMBER:
      return mt_decimal_dup (setting->number);
    case MT_SETTING_TEXT:
      return g_strdup (setting->text);
    case MT_SETTING_BOOLEAN:
    default:
      return g_strdup (setting->boolean ? "yes" : "no");
    }
}

/* Of a setting by the table of settings; of other facts of a run here. */
static const char *
explain_setting (const char *name)
{
  static const char * const meanings[][2] = {
    { "over-plain", "by how much cross-validation scored this model above the best model of single conditions at this size" },
    { "over-plain-se", "standard error of that" },
    { "over-search", "by how much cross-validation scored this model above the one of the search at this size" },
    { "over-search-se", "standard error of that" },
    { "over-ttsparse", "by how much cross-validation scored this model above the one after training and exchanges at this size" },
    { "over-ttsparse-se", "standard error of that" },
    { "path", "path that cross-validation preferred at this size; plain: single conditions only" },
    { "reading", "import settings that were set explicitly" },
    { "stopped", "whether the run was stopped early" },
    { "test-sha256", "SHA-256 of the test file" },
    { "trainings", "networks trained from the rules of this model, and of those that it was made from" },
    { "trainings-kept", "of these, those whose result was kept" },
  };
  const MtSetting *setting = mt_setting_find_option (name);

  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (g_str_equal (meanings[i][0], name))
      return meanings[i][1];
  return setting != NULL && setting->meaning != NULL ? setting->meaning : "–";
}

/* The formula of the model, with the kinds of terms that it has. */
static void
add_sum (MtReport      *report,
         const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  gboolean has_rules = mt_rule_set_get_n_rules (rules) > 0;
  gboolean has_numbers = mt_rule_set_get_n_terms (rules) > mt_rule_set_get_n_rules (rules), has_shapes = FALSE;

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (term->is_numeric && mt_term_get_unary (term, mt_model_get_encoder (model))->shape != MT_SHAPE_PLAIN)
        has_shapes = TRUE;
    }
  mt_report_add (report, "The model is a sum. It starts with an intercept. %s%s%s%s%sNothing else affects a prediction.",
                 has_rules ? "Each rule that applies to a row adds its weight. " : "",
                 has_numbers && !has_shapes ? "Each linear term adds its weight per unit above the training mean of its "
                                              "column. " : "",
                 has_shapes ? "Each linear term uses a number in the row as it is, as its logarithm (log2), or "
                   "within limits (clip), and adds its weight for each unit above the mean of the training rows; section 10 "
                              "gives each formula. " : "",
                 has_numbers ? "A missing value counts as that mean; section 10 states for how many rows. " : "",
                 has_rules ? "A rule consists of yes/no conditions on single cells, joined by “and” and “or”. " : "");
  mt_report_add (report, "score = intercept%s%s", has_rules ? " + Σ weight × rule (1 or 0)" : "",
                 has_shapes ? " + Σ weight × (number, log2, or clip − its mean)"
                 : has_numbers ? " + Σ weight × (value − mean)" : "");
}

void
mt_report_add_method (MtReport            *report,
                      const MtReportParts *parts)
{
  const MtModelInfo *info = mt_model_get_info (parts->model);
  MtTask task = mt_model_get_task (parts->model);
  char cutoff[MT_DECIMAL_SIZE];
  MtReportBlock *table;

  add_sum (report, parts->model);
  if (task == MT_TASK_BINARY)
    mt_report_add (report, "The probability of the second class, “%s”, is 1 / (1 + exp (−score)); that class "
                           "is predicted if it is above %s.", info->classes[1],
                   mt_decimal_write (mt_model_get_cutoff (parts->model), cutoff));
  else if (task == MT_TASK_MULTICLASS)
    mt_report_add (report, "There is one score per class. The probability of a class is exp (score) / Σ exp "
                           "(scores); the most probable class is predicted, and the first one if there is a "
                           "tie.");
  else
    mt_report_add (report, "The prediction is the score itself.");
  add_how_found (report, parts->model);
  table = mt_report_add_table (report, "Setting", "Value", "Meaning", NULL);
  for (guint i = 0; i < info->n_settings; i++)
    {
      mt_report_add_cell (table, info->settings[i].name);
      mt_report_take_cell (table, dup_setting (&info->settings[i]));
      mt_report_add_cell (table, explain_setting (info->settings[i].name));
    }
  mt_report_add_row (table, "free combinations", info->dont_care, mt_setting_find ("dont_care")->meaning, NULL);
  if (info->constraints != NULL)
    {
      mt_report_add_cell (table, "constraints");
      mt_report_take_cell (table, mt_constraints_dup_text (info->constraints));
      mt_report_add_cell (table, "constraints on every term");
    }
  mt_report_add (report, "Limitations of the method: rules can use only the thresholds and values in the "
                         "feature dictionary; effects are additive, except within a rule; associations are "
                         "not causes.");
}

