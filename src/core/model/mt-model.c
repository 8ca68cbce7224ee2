/* The model as a value: what it holds and what must be true of it. */
#include "config.h"
#include "mt-model.h"

#include <math.h>
#include <string.h>

#include "base/mt-error.h"
#include "rules/mt-rule-text.h"
#include "data/mt-missing.h"

struct _MtModel {
  gatomicrefcount  ref_count;
  MtEncoder       *encoder;
  MtRuleSet       *rules;
  MtModelInfo      info;       /* points into what follows */
  GStringChunk    *strings;
  char           **classes;
  MtModelMetric   *metrics;
  MtModelSetting  *settings;
  MtConstraints   *constraints;
  char           **missing_tokens;
  char           **target_missing;
  MtModelReason   *reasons;
  MtEditHistory   *edits;
};

void
mt_model_info_init (MtModelInfo *info)
{
  *info = (MtModelInfo) {
    .target = "",
    .dont_care = "off",
    .train_differ = MT_MODEL_NOT_COUNTED,
    .test_differ = MT_MODEL_NOT_COUNTED,
    .version = MT_VERSION,
    .engine = "cpu",
  };
}

/* --- validation --- */

static gboolean
is_text (const char *text)
{
  return text != NULL && g_utf8_validate (text, -1, NULL);
}

static gboolean
is_setting_name (const char *name)
{
  if (name == NULL || *name == '\0')
    return FALSE;
  for (; *name != '\0'; name++)
    if (!g_ascii_isalnum (*name) && *name != '_' && *name != '-')
      return FALSE;
  return TRUE;
}

static gboolean
is_sha256 (const char *text)
{
  for (gsize i = 0; i < 64; i++)
    if (!g_ascii_isxdigit (text[i]) || g_ascii_isupper (text[i]))
      return FALSE;
  return text[64] == '\0';
}

static gboolean
check_classes (const MtModelInfo *info,
               const MtRuleSet   *rules,
               GError           **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  MtTask task = mt_rule_set_get_task (rules);
  guint n = 0;

  for (; info->classes != NULL && info->classes[n] != NULL; n++)
    {
      if (!is_text (info->classes[n]))
        return mt_refuse (error, MT_ERROR_PARSE, "classes[%u] is not valid UTF-8", n);
      if (!g_hash_table_add (seen, (gpointer) info->classes[n]))
        return mt_refuse (error, MT_ERROR_PARSE, "classes[%u] occurs twice", n);
    }
  if (n != (task == MT_TASK_REGRESSION ? 0 : task == MT_TASK_BINARY ? 2 : mt_rule_set_get_n_outputs (rules)))
    return mt_refuse (error, MT_ERROR_PARSE, "classes: %u of them do not fit a %s model with %u outputs", n,
                      mt_task_to_string (task),
                      mt_rule_set_get_n_outputs (rules));
  return TRUE;
}

static gboolean
check_metrics (const MtModelInfo *info,
               MtTask             task,
               GError           **error)
{
  static const char * const parts[] = { "train", "validation", "cv", "test", NULL };

  if (info->n_metrics > MT_MODEL_MAX_METRICS)
    return mt_refuse (error, MT_ERROR_PARSE, "metrics: %u are more than the %u allowed",
                      info->n_metrics, MT_MODEL_MAX_METRICS);
  for (guint i = 0; i < info->n_metrics; i++)
    {
      const MtModelMetric *metric = &info->metrics[i];

      if (metric->part == NULL || !g_strv_contains (parts, metric->part))
        return mt_refuse (error, MT_ERROR_PARSE, "metrics[%u].part must be train, validation, cv, or test", i);
      if ((guint) metric->metric >= MT_N_METRICS || !mt_metric_is_defined (metric->metric, task))
        return mt_refuse (error, MT_ERROR_PARSE, "metrics[%u].name is not a metric of a %s model",
                          i, mt_task_to_string (task));
      if (!isfinite (metric->value))
        return mt_refuse (error, MT_ERROR_PARSE, "metrics[%u].value is not a finite number", i);
      if (metric->has_interval && !(isfinite (metric->low) && isfinite (metric->high) &&
                                    metric->low <= metric->high))
        return mt_refuse (error, MT_ERROR_PARSE, "metrics[%u].low and high are not an interval", i);
      for (guint k = 0; k < i; k++)
        if (strcmp (info->metrics[k].part, metric->part) == 0 && info->metrics[k].metric == metric->metric)
          return mt_refuse (error, MT_ERROR_PARSE, "metrics[%u] repeats metrics[%u]", i, k);
    }
  return TRUE;
}

static gboolean
check_settings (const MtModelInfo *info,
                GError           **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (info->n_settings > MT_MODEL_MAX_SETTINGS)
    return mt_refuse (error, MT_ERROR_PARSE, "settings: %u are more than the %u allowed", info->n_settings,
                      MT_MODEL_MAX_SETTINGS);
  for (guint i = 0; i < info->n_settings; i++)
    {
      const MtModelSetting *setting = &info->settings[i];

      if (!is_setting_name (setting->name))
        return mt_refuse (error, MT_ERROR_PARSE, "settings: a name may contain only letters, digits, _ and -");
      if (!g_hash_table_add (seen, (gpointer) setting->name))
        return mt_refuse (error, MT_ERROR_PARSE, "settings.%s occurs twice", setting->name);
      if (setting->kind == MT_SETTING_NUMBER && !isfinite (setting->number))
        return mt_refuse (error, MT_ERROR_PARSE, "settings.%s is not a finite number", setting->name);
      if (setting->kind == MT_SETTING_TEXT && !is_text (setting->text))
        return mt_refuse (error, MT_ERROR_PARSE, "settings.%s is not valid UTF-8", setting->name);
      if ((guint) setting->kind > MT_SETTING_BOOLEAN)
        return mt_refuse (error, MT_ERROR_PARSE, "settings.%s is not a number, text, true, or false",
                          setting->name);
    }
  return TRUE;
}

static gboolean
check_tokens (const char * const *tokens,
              const char         *name,
              GError            **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; tokens != NULL && tokens[i] != NULL; i++)
    {
      if (i >= MT_MODEL_MAX_TOKENS || !is_text (tokens[i]))
        return mt_refuse (error, MT_ERROR_PARSE, "%s[%u] is not valid UTF-8, or one too many", name, i);
      if (!g_hash_table_add (seen, (gpointer) tokens[i]))
        return mt_refuse (error, MT_ERROR_PARSE, "%s[%u] occurs twice", name, i);
    }
  return TRUE;
}

static gboolean
check_texts (const MtModelInfo *info,
             GError           **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (!check_tokens (info->missing_tokens, "missing_tokens", error) ||
      !check_tokens (info->target_missing, "target_missing", error))
    return FALSE;
  if (info->target_missing != NULL && *info->target_missing == NULL)
    return mt_refuse (error, MT_ERROR_PARSE, "target_missing is empty; omit the member instead");
  for (guint i = 0; info->target_missing != NULL && info->classes != NULL && info->classes[i] != NULL; i++)
    if (mt_missing_is_token (info->classes[i], strlen (info->classes[i]), info->target_missing))
      return mt_refuse (error, MT_ERROR_PARSE, "classes[%u] is a value that target_missing counts as missing", i);
  for (guint i = 0; i < info->n_reasons; i++)
    {
      if (!is_text (info->reasons[i].term) || !is_text (info->reasons[i].text) || *info->reasons[i].text == '\0')
        return mt_refuse (error, MT_ERROR_PARSE, "reasons[%u] is empty or not valid UTF-8", i);
      if (!g_hash_table_add (seen, (gpointer) info->reasons[i].term))
        return mt_refuse (error, MT_ERROR_PARSE, "reasons[%u] is for a term that already has a reason", i);
    }
  return TRUE;
}

/* The test rows are those of another file, which may have more than the data. */
static gboolean
has_test_file (const MtModelInfo *info)
{
  for (guint i = 0; i < info->n_settings; i++)
    if (g_str_equal (info->settings[i].name, "test-sha256"))
      return TRUE;
  return FALSE;
}

static gboolean
check_info (const MtModelInfo *info,
            const MtRuleSet   *rules,
            GError           **error)
{
  static const char * const modes[] = { "off", "impossible", "unseen", NULL };

  if (!is_text (info->target))
    return mt_refuse (error, MT_ERROR_PARSE, "target is not valid UTF-8");
  if (info->dont_care == NULL || !g_strv_contains (modes, info->dont_care))
    return mt_refuse (error, MT_ERROR_PARSE, "dont_care must be off, impossible, or unseen");
  if (!is_text (info->version))
    return mt_refuse (error, MT_ERROR_PARSE, "provenance.version is not valid UTF-8");
  if (!is_text (info->engine))
    return mt_refuse (error, MT_ERROR_PARSE, "provenance.engine is not valid UTF-8");
  if (info->data_sha256 != NULL && !is_sha256 (info->data_sha256))
    return mt_refuse (error, MT_ERROR_PARSE, "provenance.data_sha256 must be 64 hexadecimal digits");
  if (info->n_train > info->n_rows || (info->n_test > info->n_rows && !has_test_file (info)))
    return mt_refuse (error, MT_ERROR_PARSE, "provenance: more rows were used than the data has");
  if (info->train_differ != MT_MODEL_NOT_COUNTED && info->train_differ > info->n_train)
    return mt_refuse (error, MT_ERROR_PARSE, "fidelity.train_differ is more than all training rows");
  if (info->test_differ != MT_MODEL_NOT_COUNTED && info->test_differ > info->n_test)
    return mt_refuse (error, MT_ERROR_PARSE, "fidelity.test_differ is more than all test rows");
  return check_classes (info, rules, error) && check_metrics (info, mt_rule_set_get_task (rules), error) &&
         check_settings (info, error) && check_texts (info, error);
}

/* What a rule calls impossible must be so for this encoder: it is stated as a fact. */
static gboolean
check_impossible (const MtRule    *rule,
                  const MtEncoder *encoder,
                  guint            term,
                  GError         **error)
{
  const guint64 *claimed = mt_rule_get_dont_care (rule, MT_DONT_CARE_IMPOSSIBLE);
  guint n_inputs = mt_rule_get_n_inputs (rule);
  g_autofree guint64 *impossible = NULL;

  if (claimed == NULL)
    return TRUE;
  impossible = g_new (guint64, mt_rule_table_words (n_inputs));
  mt_encoder_impossible (encoder, mt_rule_get_inputs (rule), n_inputs, impossible);
  for (gsize w = 0; w < mt_rule_table_words (n_inputs); w++)
    if (claimed[w] & ~impossible[w])
      return mt_refuse (error, MT_ERROR_PARSE, "terms[%u].impossible contains an assignment that a row can "
                                               "have", term);
  return TRUE;
}

/* Weights are shown and exported for each raw unit, and what a mean adds goes into the constant: all of these
 * are numbers that can be written, and no set of rules alone takes a score beyond them. */
static gboolean
check_size (const MtRuleSet *rules,
            const MtEncoder *encoder,
            GError         **error)
{
  for (guint c = 0; c < mt_rule_set_get_n_outputs (rules); c++)
    {
      double sum = fabs (mt_rule_set_get_bias (rules)[c]);

      for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
        {
          const MtTerm *term = mt_rule_set_get_term (rules, t);
          const MtUnary *unary = term->is_numeric ? mt_term_get_unary (term, encoder) : NULL;
          double weight = fabs (term->weights[c]);

          if (unary != NULL && !isfinite (weight / unary->sd))
            return mt_refuse (error, MT_ERROR_PARSE, "terms[%u].weights[%u] per unit of its column is too "
                                                     "large for a number", t, c);
          sum += unary != NULL ? MAX (weight, weight / unary->sd * fabs (unary->mean)) : weight;
          if (!isfinite (sum))
            return mt_refuse (error, MT_ERROR_PARSE, "terms[%u].weights[%u] makes the score too large for a "
                                                     "number", t, c);
        }
    }
  return TRUE;
}

/* In the order of the terms; what is about none of them is left out. */
static void
keep_reasons (MtModel           *self,
              const MtModelInfo *info)
{
  self->reasons = g_new0 (MtModelReason, info->n_reasons + 1);
  self->info.reasons = self->reasons;
  self->info.n_reasons = 0;
  for (guint t = 0; info->n_reasons > 0 && t < mt_rule_set_get_n_terms (self->rules); t++)
    {
      g_autofree char *text = mt_term_dup_text (mt_rule_set_get_term (self->rules, t), self->encoder);

      for (guint i = 0; i < info->n_reasons; i++)
        if (strcmp (info->reasons[i].term, text) == 0)
          self->reasons[self->info.n_reasons++] = (MtModelReason) {
            g_string_chunk_insert_const (self->strings, text),
            g_string_chunk_insert_const (self->strings, info->reasons[i].text),
          };
    }
}

MtModel *
mt_model_new (MtEncoder          *encoder,
              MtRuleSet          *rules,
              const MtModelInfo  *info,
              GError            **error)
{
  MtModel *self;
  guint n_classes;

  g_return_val_if_fail (encoder != NULL && rules != NULL && info != NULL, NULL);

  if (mt_rule_set_get_n_terms (rules) > MT_MODEL_MAX_TERMS)
    {
      mt_refuse (error, MT_ERROR_PARSE, "terms: %u are more than the %u allowed", mt_rule_set_get_n_terms (rules),
                 MT_MODEL_MAX_TERMS);
      return NULL;
    }
  if (!mt_rule_set_validate (rules, mt_encoder_get_n_literals (encoder), mt_encoder_get_n_numeric (encoder),
                             error) ||
      !check_size (rules, encoder, error) ||
      !check_info (info, rules, error) ||
      !mt_constraints_check_rules (info->constraints, encoder, rules, error) ||
      !mt_edit_records_check (info->edits, info->n_edits, encoder, rules, error))
    return NULL;
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = mt_rule_set_get_term (rules, t);

      if (!term->is_numeric && !check_impossible (term->rule, encoder, t, error))
        return NULL;
    }

  self = g_new0 (MtModel, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->encoder = mt_encoder_ref (encoder);
  self->rules = mt_rule_set_ref (rules);
  self->info = *info;
  self->strings = g_string_chunk_new (256);
#define KEEP(text) g_string_chunk_insert_const (self->strings, (text))
  self->info.target = KEEP (info->target);
  self->info.dont_care = KEEP (info->dont_care);
  self->info.version = KEEP (info->version);
  self->info.engine = KEEP (info->engine);
  self->info.data_sha256 = info->data_sha256 != NULL ? KEEP (info->data_sha256) : NULL;
  n_classes = mt_model_get_n_classes (self);
  self->classes = g_new0 (char *, n_classes + 1);
  for (guint i = 0; i < n_classes; i++)
    self->classes[i] = KEEP (info->classes[i]);
  self->info.classes = n_classes > 0 ? (const char * const *) self->classes : NULL;
  self->metrics = g_memdup2 (info->metrics, info->n_metrics * sizeof *info->metrics);
  for (guint i = 0; i < info->n_metrics; i++)
    self->metrics[i].part = KEEP (info->metrics[i].part);
  self->info.metrics = self->metrics;
  self->settings = g_memdup2 (info->settings, info->n_settings * sizeof *info->settings);
  for (guint i = 0; i < info->n_settings; i++)
    {
      self->settings[i].name = KEEP (info->settings[i].name);
      self->settings[i].text = info->settings[i].kind == MT_SETTING_TEXT ? KEEP (info->settings[i].text) : NULL;
    }
  self->info.settings = self->settings;
  if (!mt_constraints_is_empty (info->constraints))
    self->constraints = mt_constraints_copy (info->constraints);
  self->info.constraints = self->constraints;
  self->missing_tokens = g_strdupv ((char **) info->missing_tokens);
  self->info.missing_tokens = (const char * const *) self->missing_tokens;
  self->target_missing = g_strdupv ((char **) info->target_missing);
  self->info.target_missing = (const char * const *) self->target_missing;
  keep_reasons (self, info);
  if (info->n_edits > 0)
    {
      self->edits = mt_edit_history_new (NULL, info->edits, info->n_edits);
      self->info.edits = mt_edit_history_get (self->edits, 0);
    }
#undef KEEP
  return self;
}

MtModel *
mt_model_ref (MtModel *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
mt_model_unref (MtModel *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  mt_encoder_unref (self->encoder);
  mt_rule_set_unref (self->rules);
  g_string_chunk_free (self->strings);
  g_free (self->classes);
  g_free (self->metrics);
  g_free (self->settings);
  mt_constraints_unref (self->constraints);
  g_strfreev (self->missing_tokens);
  g_strfreev (self->target_missing);
  g_free (self->reasons);
  mt_edit_history_unref (self->edits);
  g_free (self);
}

const MtEncoder *
mt_model_get_encoder (const MtModel *self)
{
  return self->encoder;
}

const MtRuleSet *
mt_model_get_rules (const MtModel *self)
{
  return self->rules;
}

const MtModelInfo *
mt_model_get_info (const MtModel *self)
{
  return &self->info;
}

MtTask
mt_model_get_task (const MtModel *self)
{
  return mt_rule_set_get_task (self->rules);
}

double
mt_model_get_cutoff (const MtModel *self)
{
  return mt_rule_set_get_cutoff (self->rules);
}

guint
mt_model_get_n_classes (const MtModel *self)
{
  switch (mt_model_get_task (self))
    {
    case MT_TASK_BINARY:
      return 2;
    case MT_TASK_MULTICLASS:
      return mt_rule_set_get_n_outputs (self->rules);
    case MT_TASK_REGRESSION:
    default:
      return 0;
    }
}

const char *
mt_model_get_reason (const MtModel *self,
                     guint          term)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (term < mt_rule_set_get_n_terms (self->rules), NULL);

  if (self->info.n_reasons == 0)
    return NULL;
  text = mt_term_dup_text (mt_rule_set_get_term (self->rules, term), self->encoder);
  for (guint i = 0; i < self->info.n_reasons; i++)
    if (strcmp (self->reasons[i].term, text) == 0)
      return self->reasons[i].text;
  return NULL;
}

MtModel *
mt_model_with_reason (const MtModel  *self,
                      guint           term,
                      const char     *text,
                      GError        **error)
{
  g_autofree MtModelReason *reasons = g_new0 (MtModelReason, self->info.n_reasons + 1);
  g_autofree char *about = NULL;
  MtModelInfo info = self->info;

  g_return_val_if_fail (term < mt_rule_set_get_n_terms (self->rules), NULL);

  about = mt_term_dup_text (mt_rule_set_get_term (self->rules, term), self->encoder);
  info.reasons = reasons;
  info.n_reasons = 0;
  for (guint i = 0; i < self->info.n_reasons; i++)
    if (strcmp (self->reasons[i].term, about) != 0)
      reasons[info.n_reasons++] = self->reasons[i];
  if (text != NULL && *text != '\0')
    reasons[info.n_reasons++] = (MtModelReason) { about, text };
  return mt_model_new (self->encoder, self->rules, &info, error);
}

const char * const *
mt_model_get_missing_tokens (const MtModel *self)
{
  return self->info.missing_tokens != NULL ? self->info.missing_tokens : mt_missing_get_default_tokens ();
}

gboolean
mt_model_get_metric (const MtModel *self,
                     const char    *part,
                     MtMetric       metric,
                     double        *value)
{
  for (guint i = 0; i < self->info.n_metrics; i++)
    if (self->metrics[i].metric == metric && strcmp (self->metrics[i].part, part) == 0)
      {
        *value = self->metrics[i].value;
        return TRUE;
      }
  return FALSE;
}
