/* The table, and what can be done with a row of it. See mt-setting.h.
 *
 * A value is reached by its offset in MtRunSettings, as a guint (counts, choices,
 * switches), a guint64 (seeds) or a double. The static assertions below make sure that
 * every enumeration has the size of a guint. Texts that the window shows are marked with
 * N_() and translated where they are shown; help, meaning and words stay English.
 *
 * How to read a row:
 *
 *   name, option, type    "fan_in" in files, --fan-in on the command line, a count
 *   AT (fan_in)           the member of MtRunSettings
 *   LEARN (…)             the member of MtLearnOptions that gets the same value
 *   low, high             what files and the command line may say; 0 where nothing is given
 *   use                   whether it matters in a run with these other settings
 *   help, argument        the command line
 *   group … brief         the Model page
 *   listed, order         whether and where a model file lists it
 *   meaning               the report
 *
 * The order of the rows is the order of the members in project files, so new rows go to the
 * end. */
#include "config.h"
#include "mt-setting.h"

#include <math.h>
#include <string.h>

#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "base/mt-gettext.h"
#include "base/mt-number.h"

#define AUTO MT_ROUNDS_AUTO

static const char * const task_words[] = { "auto", "binary", "multiclass", "regression", NULL };
static const char * const threshold_words[] = { "auto", "unique", "rows", NULL };
static const char * const threshold_titles[] = { N_("Automatic"), N_("Distinct values"), N_("Rows"), NULL };
static const char * const node_words[] = { "standard", "deep", NULL };
static const char * const node_titles[] = { N_("Standard"), N_("Deep"), NULL };
static const char * const start_words[] = { "scan", "random", NULL };
static const char * const start_titles[] = { N_("Interactions found"), N_("Random"), NULL };
static const char * const mode_words[] = { "off", "impossible", "unseen", NULL };
static const char * const mode_titles[] = { N_("None"), N_("Impossible"), N_("Impossible or unseen"), NULL };
static const char * const weight_words[] = { "none", "balanced", NULL };
static const char * const method_words[] = { "exact", "magnitude", NULL };
static const char * const method_titles[] = { N_("Loss per literal"), N_("Magnitude"), NULL };
static const char * const learner_words[] = { "ttsparse", "paper", "search", NULL };
static const char * const learner_titles[] = { N_("TT-Sparse with search"), N_("TT-Sparse as in the paper"), N_("Search only"),
                                               NULL };
static const char * const linear_words[] = { "none", "plain", "shaped", NULL };
static const char * const linear_titles[] = { N_("None"), N_("Plain"), N_("Shaped"), NULL };
static const char * const head_words[] = { "none", "levels", "all", NULL };
static const char * const head_titles[] = { N_("None"), N_("Levels of categories"), N_("All"), NULL };
static const char * const device_words[] = { "auto", "cpu", "cuda", NULL };

#define AT(member)    .offset = G_STRUCT_OFFSET (MtRunSettings, member)
#define LEARN(member) .learn = G_STRUCT_OFFSET (MtLearnOptions, member)

static const MtSetting table[] = {
  { "task", "task", MT_SETTING_TYPE_CHOICE, AT (task), .words = task_words,
    .help = "Task: auto, binary, multiclass, or regression", .argument = "TASK",
    .group = MT_SETTING_GROUP_TARGET, .title = N_("Tas_k"),
    .listed = MT_SETTING_LISTED_ELSEWHERE },
  { "bits", "bits", MT_SETTING_TYPE_COUNT, AT (bits), LEARN (encoder.bits), .low = 1, .high = 250, .is_axis = TRUE,
    .help = "Thresholds per numeric column to begin with; the search may slide them", .argument = "N",
    .group = MT_SETTING_GROUP_SEARCH, .place = 1, .title = N_("_Bits"),
    .subtitle = N_("Candidate thresholds per numeric column. More allow finer rules. 1–64"),
    .shown_low = 1, .shown_high = 64, .step = 1,
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 1,
    .meaning = "thresholds per numeric column that the search begins with; it may slide them to others" },
  { "thresholds", "thresholds", MT_SETTING_TYPE_CHOICE, AT (thresholds), LEARN (thresholds), .words = threshold_words,
    .help = "Place thresholds at quantiles of: unique (values), rows, or auto",
    .argument = "WHICH",
    .group = MT_SETTING_GROUP_SEARCH, .place = 1, .title = N_("Threshold placement"),
    .subtitle = N_("At quantiles of the rows (as in the TT-Sparse paper) or of the distinct values"),
    .titles = threshold_titles, .order = 15,
    .meaning = "which values are candidate thresholds; auto also adds finer ones on large tables" },
  { "nodes", "nodes", MT_SETTING_TYPE_COUNT, AT (nodes), LEARN (frontier.train.n_nodes), .low = 1, .high = 10000,
    .is_axis = TRUE, .use = MT_SETTING_USE_NETWORK,
    .help = "Nodes per network", .argument = "N",
    .group = MT_SETTING_GROUP_NETWORK, .place = 2, .title = N_("_Nodes"),
    .subtitle = N_("Candidate rules that a network trains together. 1–512"),
    .shown_low = 1, .shown_high = 512, .step = 5,
    .listed = MT_SETTING_LISTED_NETWORK, .order = 16, .meaning = "nodes per network" },
  { "fan_in", "fan-in", MT_SETTING_TYPE_COUNT, AT (fan_in), LEARN (frontier.refine.fan_in), .low = 1,
    .high = MT_REFINE_MAX_INPUTS, .is_axis = TRUE,
    .help = "Maximum distinct conditions per rule", .argument = "N",
    .group = MT_SETTING_GROUP_SEARCH, .place = 1, .title = N_("Fan-_in"),
    .subtitle = N_("Maximum number of different conditions in one rule. 1–8"),
    .shown_low = 1, .shown_high = MT_REFINE_MAX_INPUTS, .step = 1,
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 2, .meaning = "maximum distinct conditions per rule" },
  { "temperature", "temperature", MT_SETTING_TYPE_NUMBER, AT (temperature), LEARN (frontier.train.temperature),
    .low = 1e-6, .high = 100, .is_axis = TRUE, .use = MT_SETTING_USE_NETWORK,
    .help = "Softness of input selection in networks", .argument = "T",
    .group = MT_SETTING_GROUP_NETWORK, .place = 2, .title = N_("Temperat_ure"),
    .subtitle = N_("How softly a node chooses its conditions. 0.0001–10"),
    .shown_low = 0.0001, .shown_high = 10, .step = 0.01, .digits = 4,
    .listed = MT_SETTING_LISTED_NETWORK, .order = 18, .meaning = "softness of input selection in networks" },
  { "restarts", "restarts", MT_SETTING_TYPE_COUNT, AT (restarts), LEARN (frontier.n_restarts), .high = 100,
    .auto_switch = G_STRUCT_OFFSET (MtRunSettings, beside),
    .help = "Networks that add candidate rules. auto adds none, and with --method=ttsparse trains the rules found "
            "as networks; 0 trains no network", .argument = "N",
    .group = MT_SETTING_GROUP_NETWORK, .place = 1, .title = N_("N_etworks that propose rules"),
    .subtitle = N_("Networks that add candidate rules to those of the search. 0 adds none. 0–10"),
    .shown_low = 0, .shown_high = 10, .step = 1,
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 6,
    .meaning = "networks that add candidate rules; auto: Minterm decides" },
  { "beside", NULL, MT_SETTING_TYPE_SWITCH, AT (beside), .use = MT_SETTING_USE_SEARCH_ALONE,
    .group = MT_SETTING_GROUP_NETWORK, .title = N_("Train the rules as a network"),
    .subtitle = N_("The rules found become its nodes, and training may change them"),
    .listed = MT_SETTING_LISTED_ELSEWHERE },
  { "node", "node", MT_SETTING_TYPE_CHOICE, AT (node), LEARN (frontier.train.node), .words = node_words,
    .use = MT_SETTING_USE_NETWORK,
    .help = "Kind of network nodes: standard or deep", .argument = "KIND",
    .group = MT_SETTING_GROUP_TRAINING, .title = N_("Node _kind"),
    .subtitle = N_("Standard nodes weigh conditions; deep nodes can represent any truth table"), .titles = node_titles,
    .listed = MT_SETTING_LISTED_NETWORK, .order = 17, .meaning = "kind of network nodes" },
  { "start", "start", MT_SETTING_TYPE_CHOICE, AT (start), LEARN (frontier.train.start), .words = start_words,
    .use = MT_SETTING_USE_NETWORK,
    .help = "Initial nodes of networks: scan (interactions found) or random", .argument = "START",
    .group = MT_SETTING_GROUP_TRAINING, .title = N_("_Initial nodes"),
    .subtitle = N_("Random as in the TT-Sparse paper; starting from interactions works better"),
    .titles = start_titles,
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 7,
    .meaning = "initial nodes of networks; scan: interactions found, random: by chance" },
  { "learning_rate", "learning-rate", MT_SETTING_TYPE_NUMBER, AT (learning_rate), LEARN (frontier.train.learning_rate),
    .low = 1e-9, .high = 1, .use = MT_SETTING_USE_NETWORK,
    .help = "Learning rate of networks", .argument = "R",
    .group = MT_SETTING_GROUP_TRAINING, .place = 2, .title = N_("Learning _rate"),
    .subtitle = N_("Optimizer step size. Lower it if the loss is unstable. 0.0001–1"),
    .shown_low = 0.0001, .shown_high = 1, .step = 0.001, .digits = 4, .brief = N_("learning rate %s"),
    .listed = MT_SETTING_LISTED_UNUSUAL_NETWORK, .order = 19, .meaning = "learning rate of networks" },
  { "batch", "batch", MT_SETTING_TYPE_AUTO_COUNT, AT (batch), LEARN (frontier.train.batch), .low = 1, .high = 1048576,
    .use = MT_SETTING_USE_NETWORK,
    .help = "Rows per optimizer step of networks; auto depends on the number of rows", .argument = "N",
    .group = MT_SETTING_GROUP_TRAINING, .place = 2, .title = N_("Ba_tch"),
    .subtitle = N_("Rows per optimizer step. 1–65536"),
    .shown_low = 1, .shown_high = 65536, .step = 64, .brief = N_("batch %s"),
    .listed = MT_SETTING_LISTED_UNUSUAL_NETWORK, .order = 20,
    .meaning = "rows per optimizer step of networks" },
  { "epochs", "epochs", MT_SETTING_TYPE_COUNT, AT (epochs), LEARN (frontier.train.max_epochs), .low = 1, .high = 1000000,
    .use = MT_SETTING_USE_NETWORK,
    .help = "Maximum training epochs of networks", .argument = "N",
    .group = MT_SETTING_GROUP_TRAINING, .place = 2, .title = N_("Epo_chs"),
    .subtitle = N_("Maximum passes over the data; stops early when validation stops improving. 1–5000"),
    .shown_low = 1, .shown_high = 5000, .step = 50, .brief = N_("%s epochs"),
    .listed = MT_SETTING_LISTED_UNUSUAL_NETWORK, .order = 21,
    .meaning = "maximum training epochs of networks" },
  { "rounds", "rounds", MT_SETTING_TYPE_AUTO_COUNT, AT (rounds), LEARN (frontier.refine.rounds), .high = 1000,
    .help = "Rounds of the search for interactions; 0 is none, auto depends on the number of rows", .argument = "N",
    .group = MT_SETTING_GROUP_SEARCH, .place = 1, .title = N_("Search r_ounds"),
    .subtitle = N_("Each round adds the combinations that improve the model most. 0–20"),
    .shown_low = 0, .shown_high = 20, .step = 1,
    .order = 23, .meaning = "rounds of the search for interactions; 0 is none" },
  { "dont_care", "dont-care", MT_SETTING_TYPE_CHOICE, AT (dont_care), LEARN (frontier.refine.dont_care),
    .words = mode_words,
    .help = "Combinations the minimizer may decide freely: unseen (and impossible), impossible, or off", .argument = "MODE",
    .group = MT_SETTING_GROUP_RULES, .place = 1, .title = N_("Combinations _without data"),
    .subtitle = N_("Combinations of conditions that may be decided either way to shorten a rule"), .titles = mode_titles,
    .listed = MT_SETTING_LISTED_ELSEWHERE,
    .meaning = "combinations that the minimizer may decide either way: off (none), impossible, or unseen (and impossible)" },
  { "linear_terms", "linear-terms", MT_SETTING_TYPE_CHOICE, AT (linear_terms), LEARN (linear_terms), .words = linear_words,
    .help = "Form of linear terms: shaped (per unit, per doubling, or within limits), plain (per unit), or none", .argument = "WHICH",
    .group = MT_SETTING_GROUP_RULES, .place = 1, .title = N_("Line_ar terms"),
    .subtitle = N_("A weight per unit of a numeric column; shaped: also per doubling, or per unit within limits"),
    .titles = linear_titles,
    .order = 24, .meaning = "linear terms: none, plain (a weight per unit), or shaped (also per doubling, or within limits)" },
  { "balance_classes", "class-weights", MT_SETTING_TYPE_SWITCH, AT (balance_classes),
    LEARN (frontier.refine.balance_classes), .words = weight_words,
    .help = "Class weighting: none or balanced", .argument = "WEIGHTS",
    .group = MT_SETTING_GROUP_RULES, .place = 1, .title = N_("Balance classes"),
    .subtitle = N_("Give rare classes more weight so that all classes count equally"),
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 8,
    .meaning = "whether rare classes have more weight in training" },
  { "method", "refine", MT_SETTING_TYPE_CHOICE, AT (method), LEARN (frontier.method), .words = method_words,
    .use = MT_SETTING_USE_CANDIDATES,
    .help = "Simplification: exact, or magnitude (pruning of networks as in the TT-Sparse paper)", .argument = "METHOD",
    .group = MT_SETTING_GROUP_TRAINING, .place = 1, .title = N_("Simplification"),
    .subtitle = N_("Magnitude prunes networks as in the TT-Sparse paper, for comparison"), .titles = method_titles,
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 3,
    .meaning = "how rules are simplified: exact (one literal at a time, refitting the weights) or by magnitude" },
  { "max_literals", "max-literals", MT_SETTING_TYPE_COUNT, AT (max_literals), LEARN (frontier.max_literals), .high = 1e6,
    .help = "Maximum size of the recommended model; 0 is no limit", .argument = "N",
    .group = MT_SETTING_GROUP_RULES, .title = N_("_Largest recommended model"),
    .subtitle = N_("Maximum size of the recommended model, in literals. 0 is no limit. 0–500"),
    .shown_low = 0, .shown_high = 500, .step = 5,
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 10, .meaning = "maximum size of the recommended model; 0 is no limit" },
  { "folds", "folds", MT_SETTING_TYPE_COUNT, AT (folds), LEARN (frontier.n_folds), .high = 50, .least = 2,
    .none = "none",
    .help = "Cross-validation folds", .argument = "N",
    .group = MT_SETTING_GROUP_JUDGING, .title = N_("_Folds"),
    .subtitle = N_("Cross-validation parts. More are slower but more reliable. 2–20"),
    .shown_low = 2, .shown_high = 20, .step = 1, .brief = N_("%s folds"),
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 4,
    .meaning = "number of cross-validation folds" },
  { "repeats", "repeats", MT_SETTING_TYPE_COUNT, AT (repeats), LEARN (frontier.n_repeats), .high = 100,
    .help = "Cross-validation repeats; 0 is automatic", .argument = "N",
    .group = MT_SETTING_GROUP_JUDGING, .title = N_("Cross-validation repeats"),
    .subtitle = N_("More repeats give more reliable estimates on small tables. 0 is automatic. 0–10"),
    .shown_low = 0, .shown_high = 10, .step = 1,
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 5, .meaning = "number of cross-validation repeats" },
  { "seed", "seed", MT_SETTING_TYPE_SEED, AT (seed), LEARN (seed), .is_common = TRUE,
    .help = "Seed of all random choices", .argument = "N",
    .group = MT_SETTING_GROUP_JUDGING, .title = N_("See_d"),
    .subtitle = N_("With the same data and settings, the same seed gives the same rules. 0–9999"),
    .shown_low = 0, .shown_high = 9999, .step = 1, .brief = N_("seed %s"),
    .listed = MT_SETTING_LISTED_ELSEWHERE },
  { "test_fraction", "test-fraction", MT_SETTING_TYPE_NUMBER, AT (test_fraction), LEARN (origin.test_fraction),
    .high = 0.9, .least = 0.01, .none = "no test rows",
    .help = "Share of rows held out for the test; 0 is none", .argument = "F",
    .group = MT_SETTING_GROUP_JUDGING, .title = N_("Te_st share"),
    .subtitle = N_("Share of rows held out for the final test. 0 is none. 0–0.5"),
    .shown_low = 0, .shown_high = 0.5, .step = 0.05, .digits = 2, .is_share = TRUE,
    .brief = N_("%s held out for the test"),
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 11, .meaning = "share of rows held out as test rows" },
  { "split_seed", "split-seed", MT_SETTING_TYPE_SEED, AT (split_seed), LEARN (origin.split_seed),
    .help = "Seed of the choice of test rows", .argument = "N",
    .group = MT_SETTING_GROUP_JUDGING, .title = N_("Test s_plit seed"),
    .subtitle = N_("Determines which rows are held out. 0–9999"),
    .shown_low = 0, .shown_high = 9999, .step = 1,
    .order = 12, .meaning = "seed of the choice of test rows" },
  { "device", "device", MT_SETTING_TYPE_CHOICE, AT (device), .words = device_words, .is_common = TRUE,
    .use = MT_SETTING_USE_NETWORK,
    .help = "Device for networks: auto, cpu, or cuda", .argument = "D",
    .group = MT_SETTING_GROUP_DEVICE, .title = N_("Device"),
    .listed = MT_SETTING_LISTED_UNUSUAL_NETWORK, .order = 22,
    .meaning = "device for networks; the CPU if not stated" },
  { "learner", "method", MT_SETTING_TYPE_CHOICE, AT (learner), LEARN (frontier.learner), .words = learner_words,
    .help = "Learning method: ttsparse (a search finds rules; training and exchanges of literals improve them), paper "
            "(networks as published; sets --thresholds, --start, and --refine), or search (search only)", .argument = "METHOD",
    .group = MT_SETTING_GROUP_SEARCH, .title = N_("Method"),
    .subtitle = N_("How rules are found"), .titles = learner_titles,
    .listed = MT_SETTING_LISTED_ALWAYS, .order = 26,
    .meaning = "how rules are found; ttsparse: by a search, then training and exchanges; search: by the search only; paper: "
               "by networks that are pruned" },
  { "head", "head", MT_SETTING_TYPE_CHOICE, AT (head), LEARN (frontier.train.head), .words = head_words,
    .use = MT_SETTING_USE_NETWORK,
    .help = "Single conditions that networks weigh next to their nodes: none, levels (of categories), or all", .argument = "WHICH",
    .group = MT_SETTING_GROUP_TRAINING, .title = N_("Single conditions"),
    .subtitle = N_("Conditions that a network weighs directly, in addition to its nodes"), .titles = head_titles,
    .listed = MT_SETTING_LISTED_UNUSUAL_NETWORK, .order = 25,
    .meaning = "single conditions that networks weigh next to their nodes" },
};

/* "auto" is the same bits in both, and an enumeration is read and written as a guint. */
G_STATIC_ASSERT (MT_ROUNDS_AUTO == (guint) MT_BATCH_AUTO);
G_STATIC_ASSERT (sizeof (MtNodeKind) == sizeof (guint) && sizeof (MtDontCareMode) == sizeof (guint) &&
                 sizeof (MtDevice) == sizeof (guint) && sizeof (MtTaskChoice) == sizeof (guint) &&
                 sizeof (MtStart) == sizeof (guint) && sizeof (MtThresholds) == sizeof (guint) &&
                 sizeof (MtMethod) == sizeof (guint) && sizeof (MtLearner) == sizeof (guint) &&
                 sizeof (MtLinearTerms) == sizeof (guint) && sizeof (MtLinearFitTerms) == sizeof (guint) && sizeof (gboolean) == sizeof (guint));

/* The value that a row is about, as an lvalue of its type. */
#define COUNT_IN(settings, setting)  G_STRUCT_MEMBER (guint, settings, (setting)->offset)
#define SEED_IN(settings, setting)   G_STRUCT_MEMBER (guint64, settings, (setting)->offset)
#define NUMBER_IN(settings, setting) G_STRUCT_MEMBER (double, settings, (setting)->offset)

guint
mt_setting_get_n (void)
{
  return G_N_ELEMENTS (table);
}

const MtSetting *
mt_setting_get (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (table), NULL);

  return &table[index];
}

/* A walk over some 30 rows: files have few members, and nothing here is called in a loop
 * that matters. */
const MtSetting *
mt_setting_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (g_str_equal (table[i].name, name))
      return &table[i];
  return NULL;
}

const MtSetting *
mt_setting_find_option (const char *option)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (g_strcmp0 (table[i].option, option) == 0)
      return &table[i];
  return NULL;
}

/* A search for the next larger `order`: the table is in the order of project files, model
 * files have another. */
const MtSetting *
mt_setting_next_listed (const MtSetting *after)
{
  const MtSetting *next = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].order > (after != NULL ? after->order : 0) && (next == NULL || table[i].order < next->order))
      next = &table[i];
  return next;
}

/* --- values --- */

/* A count is "auto" if all of its bits are set; the number of networks is if it is 0 and
 * its switch (auto_switch) is on. */
gboolean
mt_setting_is_auto (const MtSetting     *setting,
                    const MtRunSettings *settings)
{
  if (setting->auto_switch != 0)
    return COUNT_IN (settings, setting) == 0 && G_STRUCT_MEMBER (gboolean, settings, setting->auto_switch);
  return setting->type == MT_SETTING_TYPE_AUTO_COUNT && COUNT_IN (settings, setting) == AUTO;
}

double
mt_setting_get_value (const MtSetting     *setting,
                      const MtRunSettings *settings)
{
  if (setting->type == MT_SETTING_TYPE_NUMBER)
    return NUMBER_IN (settings, setting);
  if (setting->type == MT_SETTING_TYPE_SEED)
    return (double) SEED_IN (settings, setting);
  if (setting->type == MT_SETTING_TYPE_AUTO_COUNT && COUNT_IN (settings, setting) == AUTO)
    return -1;
  return COUNT_IN (settings, setting);
}

/* For controls that know only numbers. Below 0 means "auto"; fractions of counts are
 * rounded. */
void
mt_setting_set_value (const MtSetting *setting,
                      MtRunSettings   *settings,
                      double           value)
{
  if (setting->type == MT_SETTING_TYPE_NUMBER)
    NUMBER_IN (settings, setting) = value;
  else if (setting->type == MT_SETTING_TYPE_SEED)
    SEED_IN (settings, setting) = (guint64) value;
  else
    COUNT_IN (settings, setting) = value < 0 ? AUTO : (guint) lround (value);
}

gboolean
mt_setting_is_equal (const MtSetting     *setting,
                     const MtRunSettings *a,
                     const MtRunSettings *b)
{
  if (setting->type == MT_SETTING_TYPE_NUMBER)
    return NUMBER_IN (a, setting) == NUMBER_IN (b, setting);
  if (setting->type == MT_SETTING_TYPE_SEED)
    return SEED_IN (a, setting) == SEED_IN (b, setting);
  return COUNT_IN (a, setting) == COUNT_IN (b, setting);
}

/* Used by the Model page, which makes other rows insensitive, and wherever settings are
 * listed for a reader. */
gboolean
mt_setting_is_of_use (const MtSetting     *setting,
                      const MtRunSettings *settings)
{
  switch (setting->use)
    {
    case MT_SETTING_USE_NETWORK:
      return mt_run_settings_has_network (settings);
    case MT_SETTING_USE_CANDIDATES:
      return settings->restarts > 0;
    case MT_SETTING_USE_SEARCH_ALONE:
      return settings->restarts == 0 && settings->learner == MT_LEARNER_TTSPARSE;
    case MT_SETTING_USE_ALWAYS:
    default:
      return TRUE;
    }
}

/* --- text --- */

char *
mt_setting_dup_text (const MtSetting     *setting,
                     const MtRunSettings *settings)
{
  if (mt_setting_is_auto (setting, settings))
    return g_strdup ("auto");
  switch (setting->type)
    {
    case MT_SETTING_TYPE_NUMBER:
      return mt_decimal_dup (NUMBER_IN (settings, setting));
    case MT_SETTING_TYPE_SEED:
      return g_strdup_printf ("%" G_GUINT64_FORMAT, SEED_IN (settings, setting));
    case MT_SETTING_TYPE_CHOICE:
      return g_strdup (setting->words[COUNT_IN (settings, setting)]);
    case MT_SETTING_TYPE_SWITCH:
      if (setting->words != NULL)
        return g_strdup (setting->words[COUNT_IN (settings, setting) != 0]);
      return g_strdup (COUNT_IN (settings, setting) ? "true" : "false");
    case MT_SETTING_TYPE_COUNT:
    case MT_SETTING_TYPE_AUTO_COUNT:
    default:
      return g_strdup_printf ("%u", COUNT_IN (settings, setting));
    }
}

/* A choice's value is the place of its word in the list. */
static gboolean
parse_word (const MtSetting     *setting,
            MtRunSettings       *settings,
            const char * const  *words,
            const char          *text,
            GError             **error)
{
  g_autofree char *all = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (text, words[i]))
      {
        COUNT_IN (settings, setting) = i;
        return TRUE;
      }
  all = g_strjoinv (", ", (char **) words);
  g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "must be one of %s, not “%s”", all, text);
  return FALSE;
}

/* 0 is allowed below the least value where it means "none": folds are 0 or 2 … 50. */
static gboolean
is_in_range (const MtSetting *setting,
             double           value)
{
  if (setting->least > 0 && value == 0)
    return TRUE;
  return value >= (setting->least > 0 ? setting->least : setting->low) && value <= setting->high;
}

/* The message names the range, and what else is allowed: "auto", or 0 with its meaning. */
static gboolean
fail_range (const MtSetting  *setting,
            const char       *text,
            GError          **error)
{
  char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (low, sizeof low, "%.10g", setting->least > 0 ? setting->least : setting->low);
  g_ascii_formatd (high, sizeof high, "%.10g", setting->high);
  if (setting->type == MT_SETTING_TYPE_AUTO_COUNT || setting->auto_switch != 0)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "must be auto or a number between %s and %s, not “%s”", low, high,
                 text);
  else if (setting->least > 0)
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "must be between %s and %s, or 0 for %s", low, high, setting->none);
  else
    g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "must be between %s and %s", low, high);
  return FALSE;
}

static gboolean
parse_number (const MtSetting  *setting,
              MtRunSettings    *settings,
              const char       *text,
              GError          **error)
{
  double value;

  if (mt_number_parse (text, strlen (text), &mt_number_plain, &value) != MT_NUMBER_FINITE || !is_in_range (setting, value) ||
      (setting->type != MT_SETTING_TYPE_NUMBER && value != floor (value)))
    return fail_range (setting, text, error);
  mt_setting_set_value (setting, settings, value);
  return TRUE;
}

/* The command line's and the model file's text into a value. On an error the settings stay
 * as they were, and the message fits behind the option's name. */
gboolean
mt_setting_parse (const MtSetting  *setting,
                  MtRunSettings    *settings,
                  const char       *text,
                  GError          **error)
{
  static const char * const switch_words[] = { "false", "true", NULL };

  g_return_val_if_fail (setting != NULL && settings != NULL && text != NULL, FALSE);

  if (setting->type == MT_SETTING_TYPE_CHOICE)
    return parse_word (setting, settings, setting->words, text, error);
  if (setting->type == MT_SETTING_TYPE_SWITCH)
    return parse_word (setting, settings, setting->words != NULL ? setting->words : switch_words, text, error);
  if (setting->type == MT_SETTING_TYPE_SEED)
    {
      if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &SEED_IN (settings, setting), NULL))
        return TRUE;
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "must be a whole number from 0 to %" G_GUINT64_FORMAT ", not “%s”",
                   G_MAXUINT64, text);
      return FALSE;
    }
  if (setting->type == MT_SETTING_TYPE_AUTO_COUNT && g_str_equal (text, "auto"))
    {
      COUNT_IN (settings, setting) = AUTO;
      return TRUE;
    }
  if (setting->auto_switch == 0)
    return parse_number (setting, settings, text, error);
  if (!g_str_equal (text, "auto") && !parse_number (setting, settings, text, error))
    return FALSE;
  G_STRUCT_MEMBER (gboolean, settings, setting->auto_switch) = g_str_equal (text, "auto");
  if (g_str_equal (text, "auto"))
    COUNT_IN (settings, setting) = 0;
  return TRUE;
}

/* A switch without words is a flag, and the flag says what is not the default: if it is on
 * by default, its flag is "no-" and the option. */
char *
mt_setting_dup_flag (const MtSetting *setting)
{
  MtRunSettings usual;

  if (setting->type != MT_SETTING_TYPE_SWITCH || setting->words != NULL || setting->option == NULL)
    return NULL;
  mt_run_settings_init (&usual, MT_PRESET_BALANCED);
  return COUNT_IN (&usual, setting) ? g_strconcat ("no-", setting->option, NULL) : g_strdup (setting->option);
}

/* --- JSON --- */

void
mt_setting_write (const MtSetting     *setting,
                  const MtRunSettings *settings,
                  MtJsonWriter        *json)
{
  mt_json_writer_key (json, setting->name);
  if (setting->type == MT_SETTING_TYPE_NUMBER)
    mt_json_writer_number (json, NUMBER_IN (settings, setting));
  else if (setting->type == MT_SETTING_TYPE_SEED)
    mt_json_writer_integer (json, SEED_IN (settings, setting));
  else if (setting->type == MT_SETTING_TYPE_CHOICE)
    mt_json_writer_string (json, setting->words[COUNT_IN (settings, setting)]);
  else if (setting->type == MT_SETTING_TYPE_SWITCH)
    mt_json_writer_boolean (json, COUNT_IN (settings, setting));
  else if (setting->type == MT_SETTING_TYPE_AUTO_COUNT && COUNT_IN (settings, setting) == AUTO)
    mt_json_writer_string (json, "auto");
  else
    mt_json_writer_integer (json, COUNT_IN (settings, setting));
}

/* From a project file, which may come from anywhere: kind, range and whole numbers are
 * checked. The range is from low to high; `least` is only asked of the command line. */
gboolean
mt_setting_read (const MtSetting *setting,
                 MtRunSettings   *settings,
                 const MtJson    *json)
{
  MtJsonKind kind = mt_json_get_kind (json);
  guint64 count;

  switch (setting->type)
    {
    case MT_SETTING_TYPE_NUMBER:
      if (kind != MT_JSON_NUMBER || !(mt_json_get_number (json) >= setting->low) ||
          !(mt_json_get_number (json) <= setting->high))
        return FALSE;
      NUMBER_IN (settings, setting) = mt_json_get_number (json);
      return TRUE;
    case MT_SETTING_TYPE_SWITCH:
      if (kind == MT_JSON_BOOLEAN)
        COUNT_IN (settings, setting) = mt_json_get_boolean (json);
      return kind == MT_JSON_BOOLEAN;
    case MT_SETTING_TYPE_CHOICE:
      return kind == MT_JSON_STRING && parse_word (setting, settings, setting->words, mt_json_get_string (json), NULL);
    case MT_SETTING_TYPE_SEED:
      return kind == MT_JSON_NUMBER && mt_json_get_integer (json, G_MAXUINT64, &SEED_IN (settings, setting));
    case MT_SETTING_TYPE_AUTO_COUNT:
      if (kind == MT_JSON_STRING && g_str_equal (mt_json_get_string (json), "auto"))
        {
          COUNT_IN (settings, setting) = AUTO;
          return TRUE;
        }
      G_GNUC_FALLTHROUGH;
    case MT_SETTING_TYPE_COUNT:
    default:
      if (kind != MT_JSON_NUMBER || !mt_json_get_integer (json, (guint64) setting->high, &count) ||
          count < (guint64) setting->low)
        return FALSE;
      COUNT_IN (settings, setting) = (guint) count;
      return TRUE;
    }
}
