#include "config.h"
#include "mt-cli-learn.h"

#include <string.h>

void
mt_cli_learn_init (MtCliLearn *self)
{
  MtFrontierOptions usual;

  mt_frontier_options_init (&usual);
  *self = (MtCliLearn) {
    .folds = (int) usual.n_folds,
    .learning_rate = usual.train.learning_rate,
    .epochs = (int) usual.train.max_epochs,
  };
}

void
mt_cli_learn_clear (MtCliLearn *self)
{
  g_clear_pointer (&self->task, g_free);
  g_clear_pointer (&self->refine, g_free);
  g_clear_pointer (&self->dont_care, g_free);
  g_clear_pointer (&self->start, g_free);
  g_clear_pointer (&self->class_weights, g_free);
  g_clear_pointer (&self->rounds, g_free);
  g_clear_pointer (&self->batch, g_free);
  g_clear_pointer (&self->banned, g_strfreev);
  g_clear_pointer (&self->monotone, g_strfreev);
  g_clear_pointer (&self->constraints, mt_constraints_unref);
}

GOptionEntry *
mt_cli_learn_new_entries (MtCliLearn         *self,
                          MtCliImport        *import,
                          const GOptionEntry *own)
{
  const GOptionEntry entries[] = {
    { "task", 0, 0, G_OPTION_ARG_STRING, &self->task, "auto, binary, multiclass or regression", "TASK" },
    { "folds", 0, 0, G_OPTION_ARG_INT, &self->folds, "Folds that judge complexity (default: 5)", "N" },
    { "device-memory", 0, 0, G_OPTION_ARG_INT, &self->device_memory,
      "Memory of a GPU to use, at most; 0: what is free (default: 0)", "MB" },
    { "refine", 0, 0, G_OPTION_ARG_STRING, &self->refine,
      "exact, or magnitude: the paper's pruning of networks, for comparison (default: exact)", "METHOD" },
    { "dont-care", 0, 0, G_OPTION_ARG_STRING, &self->dont_care,
      "Answers the minimiser may choose: unseen, impossible or off (default: unseen)", "MODE" },
    { "start", 0, 0, G_OPTION_ARG_STRING, &self->start,
      "Where the nodes of networks begin: scan (at interactions) or random (default: scan)", "START" },
    { "class-weights", 0, 0, G_OPTION_ARG_STRING, &self->class_weights,
      "How much rows of a class count: none (all the same) or balanced (default: none)", "WEIGHTS" },
    { "rounds", 0, 0, G_OPTION_ARG_STRING, &self->rounds,
      "Rounds of the search for interactions, 0 for none (default: auto: by the number of rows)", "N" },
    { "no-numeric-terms", 0, 0, G_OPTION_ARG_NONE, &self->no_numeric_terms,
      "No column enters as a weight for each unit, only through thresholds", NULL },
    { "learning-rate", 0, 0, G_OPTION_ARG_DOUBLE, &self->learning_rate, "Of networks: how far a step goes (default: 0.01)",
      "R" },
    { "batch", 0, 0, G_OPTION_ARG_STRING, &self->batch,
      "Of networks: rows a step looks at (default: auto: by the number of rows)", "N" },
    { "epochs", 0, 0, G_OPTION_ARG_INT, &self->epochs, "Of networks: times over the rows, at most (default: 200)", "N" },
    { "ban", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->banned, "A column no model may use; may be repeated",
      "COLUMN" },
    { "monotone", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->monotone,
      "The score may only rise (+) or fall (-) when this column grows; may be repeated", "COLUMN=+|-" },
    { "no-negation", 0, 0, G_OPTION_ARG_NONE, &self->no_negation, "No rule may negate a literal", NULL },
    { NULL }
  };
  g_autofree GOptionEntry *all = NULL;
  guint n_own = 0;

  while (own != NULL && own[n_own].long_name != NULL)
    n_own++;
  all = g_new0 (GOptionEntry, n_own + G_N_ELEMENTS (entries));
  for (guint i = 0; i < n_own; i++)
    all[i] = own[i];
  memcpy (all + n_own, entries, sizeof entries);
  return mt_cli_import_new_entries (import, all);
}

gboolean
mt_cli_check_range (const char *name,
                    double      value,
                    double      low,
                    double      high)
{
  if (value >= low && value <= high)
    return TRUE;
  mt_cli_fail (MT_EXIT_USAGE, "%s must be between %.10g and %.10g", name, low, high);
  return FALSE;
}

gboolean
mt_cli_check_auto (const char *name,
                   const char *text,
                   guint       low,
                   guint       high,
                   guint      *value)
{
  guint64 n;

  if (text == NULL || g_str_equal (text, "auto"))
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, low, high, &n, NULL))
    {
      mt_cli_fail (MT_EXIT_USAGE, "%s must be auto or a number between %u and %u, not “%s”", name, low, high, text);
      return FALSE;
    }
  *value = (guint) n;
  return TRUE;
}

gboolean
mt_cli_check_word (const char         *name,
                   const char         *word,
                   const char * const *words,
                   guint              *index)
{
  g_autofree char *all = NULL;

  *index = 0;
  if (word == NULL)
    return TRUE;
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (word, words[i]))
      {
        *index = i;
        return TRUE;
      }
  all = g_strjoinv (", ", (char **) words);
  mt_cli_fail (MT_EXIT_USAGE, "%s must be one of %s, not “%s”", name, all, word);
  return FALSE;
}

/* Whether the columns are there is the table's to say; here it is how they are written. */
static gboolean
read_constraints (MtCliLearn *self)
{
  self->constraints = mt_constraints_new ();
  mt_constraints_set_no_negation (self->constraints, self->no_negation);
  for (guint i = 0; self->banned != NULL && self->banned[i] != NULL; i++)
    mt_constraints_set_banned (self->constraints, self->banned[i], TRUE);
  for (guint i = 0; self->monotone != NULL && self->monotone[i] != NULL; i++)
    {
      const char *text = self->monotone[i], *sign = strrchr (text, '=');
      g_autofree char *column = sign != NULL ? g_strndup (text, (gsize) (sign - text)) : NULL;
      MtDirection direction = sign != NULL && strcmp (sign, "=+") == 0 ? MT_DIRECTION_RISING : MT_DIRECTION_FALLING;

      if (column == NULL || *column == '\0' || (strcmp (sign, "=+") != 0 && strcmp (sign, "=-") != 0))
        {
          mt_cli_fail (MT_EXIT_USAGE, "--monotone takes COLUMN=+ or COLUMN=-, not “%s”", text);
          return FALSE;
        }
      if (mt_constraints_get_direction (self->constraints, column) == -direction)
        {
          mt_cli_fail (MT_EXIT_USAGE, "--monotone gives “%s” both directions; ban it if it is to have no effect",
                       column);
          return FALSE;
        }
      mt_constraints_set_direction (self->constraints, column, direction);
    }
  return TRUE;
}

gboolean
mt_cli_learn_read (MtCliLearn     *self,
                   MtLearnOptions *learn)
{
  static const char * const tasks[] = { "auto", "binary", "multiclass", "regression", NULL };
  static const char * const modes[] = { "unseen", "impossible", "off", NULL };
  static const MtDontCareMode mode_of[] = {
    MT_DONT_CARE_MODE_UNSEEN, MT_DONT_CARE_MODE_IMPOSSIBLE, MT_DONT_CARE_MODE_OFF,
  };
  static const char * const starts[] = { "scan", "random", NULL };
  static const char * const weights[] = { "none", "balanced", NULL };
  static const char * const methods[] = { "exact", "magnitude", NULL };
  guint which_task, which_method, which_mode, which_start, which_weights, batch = (guint) MT_BATCH_AUTO;

  if (!mt_cli_check_word ("--task", self->task, tasks, &which_task) ||
      !mt_cli_check_word ("--refine", self->refine, methods, &which_method) ||
      !mt_cli_check_word ("--dont-care", self->dont_care, modes, &which_mode) ||
      !mt_cli_check_word ("--start", self->start, starts, &which_start) ||
      !mt_cli_check_word ("--class-weights", self->class_weights, weights, &which_weights) ||
      !mt_cli_check_auto ("--rounds", self->rounds, 0, 1000, &learn->frontier.refine.rounds) ||
      !mt_cli_check_range ("--learning-rate", self->learning_rate, 1e-9, 1) ||
      !mt_cli_check_auto ("--batch", self->batch, 1, 1048576, &batch) ||
      !mt_cli_check_range ("--epochs", self->epochs, 1, 1000000) ||
      !read_constraints (self))
    return FALSE;
  if (!mt_cli_check_range ("--device-memory", self->device_memory, 0, 10000000))
    return FALSE;
  learn->frontier.n_folds = (guint) self->folds;
  learn->frontier.method = which_method == 0 ? MT_METHOD_EXACT : MT_METHOD_MAGNITUDE;
  learn->frontier.refine.dont_care = mode_of[which_mode];
  learn->frontier.train.start = which_start == 0 ? MT_START_SCAN : MT_START_RANDOM;
  learn->frontier.train.balance_classes = learn->frontier.refine.balance_classes = which_weights == 1;
  learn->frontier.refine.numeric_terms = !self->no_numeric_terms;
  learn->frontier.train.learning_rate = self->learning_rate;
  learn->frontier.train.batch = (int) batch;
  learn->frontier.train.max_epochs = (guint) self->epochs;
  learn->constraints = self->constraints;
  if (which_task > 0 && mt_task_from_string (tasks[which_task], &self->wanted_task))
    learn->task = &self->wanted_task;
  return TRUE;
}

gboolean
mt_cli_learn_check_columns (const MtCliLearn *self,
                            const MtTable    *table,
                            const char       *path,
                            int              *exit_code)
{
  g_auto (GStrv) rising = mt_constraints_dup_directed (self->constraints, MT_DIRECTION_RISING);
  g_auto (GStrv) falling = mt_constraints_dup_directed (self->constraints, MT_DIRECTION_FALLING);

  return mt_cli_import_check_names (table, self->banned, path, exit_code) &&
         mt_cli_import_check_names (table, rising, path, exit_code) &&
         mt_cli_import_check_names (table, falling, path, exit_code);
}

static void
tell_fall_back (const GError *error,
                gpointer      user_data)
{
  g_printerr ("minterm-cli: %s\nminterm-cli: going on with the CPU\n", error->message);
}

gboolean
mt_cli_learn_use_device (const MtCliLearn  *self,
                         const MtCliCommon *common,
                         MtLearnOptions    *learn)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = mt_backend_dup_name (common->device, &error);

  learn->frontier.train.device = common->device;
  learn->frontier.train.device_memory = (guint64) self->device_memory * 1000000;
  learn->fall_back = tell_fall_back;
  if (name == NULL)
    mt_cli_fail_error (error);
  return name != NULL;
}
