#include "config.h"
#include "mt-run-settings.h"

#include <glib/gi18n.h>
#include <string.h>

#include "util/mt-format.h"

/* Balanced is what `minterm-cli train` does by itself, to the byte; the others are what it does with a few options. No
 * preset lets networks join the candidates: with many rows that costs the fine thresholds, and so more than it brings
 * (R² .756 instead of .767 on california, AUC .892 instead of .899 on electricity, at 50 literals). One beside the rules
 * changes none, and its training is there to see. */
void
mt_run_settings_init (MtRunSettings *settings,
                      MtPreset       preset)
{
  MtLearnOptions defaults;

  mt_learn_options_init (&defaults);
  memset (settings, 0, sizeof *settings);
  settings->bits = defaults.encoder.bits;
  settings->thresholds = defaults.thresholds;
  settings->nodes = defaults.frontier.train.n_nodes;
  settings->fan_in = defaults.frontier.refine.fan_in;
  settings->temperature = defaults.frontier.train.temperature;
  settings->restarts = defaults.frontier.n_restarts;
  settings->beside = TRUE;
  settings->node = defaults.frontier.train.node;
  settings->start = defaults.frontier.train.start;
  settings->learning_rate = defaults.frontier.train.learning_rate;
  settings->batch = defaults.frontier.train.batch;
  settings->epochs = defaults.frontier.train.max_epochs;
  settings->rounds = defaults.frontier.refine.rounds;
  settings->dont_care = defaults.frontier.refine.dont_care;
  settings->numeric_terms = defaults.frontier.refine.numeric_terms;
  settings->balance_classes = defaults.frontier.refine.balance_classes;
  settings->method = defaults.frontier.method;
  settings->max_literals = defaults.frontier.max_literals;
  settings->folds = defaults.frontier.n_folds;
  settings->repeats = defaults.frontier.n_repeats;
  settings->test_fraction = 0.2;
  if (preset == MT_PRESET_SIMPLE)
    {
      settings->bits = 5;
      settings->fan_in = 2;
      settings->max_literals = 20;
    }
  if (preset == MT_PRESET_ACCURATE)
    {
      settings->bits = 15;
      settings->folds = 10;
    }
}

/* --- as a list of members: comparing, writing and reading go over it --- */

typedef enum {
  COUNT,
  NUMBER,
  CHOICE,      /* a guint kept as a word */
  SWITCH,
  AUTO_COUNT,  /* a guint or int whose greatest value or −1 stands for "auto" */
} Kind;

static const char * const threshold_words[] = { "auto", "unique", "rows", NULL };
static const char * const method_words[] = { "exact", "magnitude", NULL };
static const char * const node_words[] = { "standard", "deep", NULL };
static const char * const start_words[] = { "scan", "random", NULL };
static const char * const task_words[] = { "auto", "binary", "multiclass", "regression", NULL };
static const char * const mode_words[] = { "off", "impossible", "unseen", NULL };
static const char * const device_words[] = { "auto", "cpu", "cuda", NULL };

static const struct {
  const char         *name;
  Kind                kind;
  gsize               offset;
  double              low, high;
  const char * const *words;
} members[] = {
  { "task", CHOICE, G_STRUCT_OFFSET (MtRunSettings, task), 0, 0, task_words },
  { "bits", COUNT, G_STRUCT_OFFSET (MtRunSettings, bits), 1, 250 },
  { "thresholds", CHOICE, G_STRUCT_OFFSET (MtRunSettings, thresholds), 0, 0, threshold_words },
  { "nodes", COUNT, G_STRUCT_OFFSET (MtRunSettings, nodes), 1, 10000 },
  { "fan_in", COUNT, G_STRUCT_OFFSET (MtRunSettings, fan_in), 1, MT_REFINE_MAX_INPUTS },
  { "temperature", NUMBER, G_STRUCT_OFFSET (MtRunSettings, temperature), 1e-6, 100 },
  { "restarts", COUNT, G_STRUCT_OFFSET (MtRunSettings, restarts), 0, 100 },
  { "beside", SWITCH, G_STRUCT_OFFSET (MtRunSettings, beside), 0, 0 },
  { "node", CHOICE, G_STRUCT_OFFSET (MtRunSettings, node), 0, 0, node_words },
  { "start", CHOICE, G_STRUCT_OFFSET (MtRunSettings, start), 0, 0, start_words },
  { "learning_rate", NUMBER, G_STRUCT_OFFSET (MtRunSettings, learning_rate), 1e-9, 1 },
  { "batch", AUTO_COUNT, G_STRUCT_OFFSET (MtRunSettings, batch), 1, 1048576 },
  { "epochs", COUNT, G_STRUCT_OFFSET (MtRunSettings, epochs), 1, 1000000 },
  { "rounds", AUTO_COUNT, G_STRUCT_OFFSET (MtRunSettings, rounds), 0, 1000 },
  { "dont_care", CHOICE, G_STRUCT_OFFSET (MtRunSettings, dont_care), 0, 0, mode_words },
  { "numeric_terms", SWITCH, G_STRUCT_OFFSET (MtRunSettings, numeric_terms), 0, 0 },
  { "balance_classes", SWITCH, G_STRUCT_OFFSET (MtRunSettings, balance_classes), 0, 0 },
  { "method", CHOICE, G_STRUCT_OFFSET (MtRunSettings, method), 0, 0, method_words },
  { "max_literals", COUNT, G_STRUCT_OFFSET (MtRunSettings, max_literals), 0, 1e6 },
  { "folds", COUNT, G_STRUCT_OFFSET (MtRunSettings, folds), 0, 50 },
  { "repeats", COUNT, G_STRUCT_OFFSET (MtRunSettings, repeats), 0, 100 },
  { "seed", COUNT, G_STRUCT_OFFSET (MtRunSettings, seed), 0, G_MAXUINT },
  { "test_fraction", NUMBER, G_STRUCT_OFFSET (MtRunSettings, test_fraction), 0, 0.9 },
  { "split_seed", COUNT, G_STRUCT_OFFSET (MtRunSettings, split_seed), 0, G_MAXUINT },
  { "device", CHOICE, G_STRUCT_OFFSET (MtRunSettings, device), 0, 0, device_words },
};

/* "auto" is the same bits in both. */
G_STATIC_ASSERT (MT_ROUNDS_AUTO == (guint) MT_BATCH_AUTO);
G_STATIC_ASSERT (sizeof (MtNodeKind) == sizeof (guint) && sizeof (MtDontCareMode) == sizeof (guint) &&
                 sizeof (MtDevice) == sizeof (guint) && sizeof (MtTaskChoice) == sizeof (guint) &&
                 sizeof (MtStart) == sizeof (guint) && sizeof (MtThresholds) == sizeof (guint) &&
                 sizeof (MtMethod) == sizeof (guint) && sizeof (gboolean) == sizeof (guint));

static gboolean
equal_but (const MtRunSettings *a,
           const MtRunSettings *b,
           const char          *but)
{
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      gboolean same;

      if (g_strcmp0 (members[i].name, but) == 0)
        continue;
      if (members[i].kind == NUMBER)
        same = G_STRUCT_MEMBER (double, a, members[i].offset) == G_STRUCT_MEMBER (double, b, members[i].offset);
      else
        same = G_STRUCT_MEMBER (guint, a, members[i].offset) == G_STRUCT_MEMBER (guint, b, members[i].offset);
      if (!same)
        return FALSE;
    }
  return a->constraints == b->constraints;   /* interned */
}

gboolean
mt_run_settings_equal (const MtRunSettings *a,
                       const MtRunSettings *b)
{
  return equal_but (a, b, NULL);
}

gboolean
mt_run_settings_alike (const MtRunSettings *a,
                       const MtRunSettings *b)
{
  return equal_but (a, b, "seed");
}

void
mt_run_settings_write (const MtRunSettings *settings,
                       MtJsonWriter        *json)
{
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      guint count = members[i].kind != NUMBER ? G_STRUCT_MEMBER (guint, settings, members[i].offset) : 0;

      mt_json_writer_key (json, members[i].name);
      if (members[i].kind == NUMBER)
        mt_json_writer_number (json, G_STRUCT_MEMBER (double, settings, members[i].offset));
      else if (members[i].kind == CHOICE)
        mt_json_writer_string (json, members[i].words[count]);
      else if (members[i].kind == SWITCH)
        mt_json_writer_boolean (json, count);
      else if (members[i].kind == AUTO_COUNT && count == MT_ROUNDS_AUTO)
        mt_json_writer_string (json, "auto");
      else
        mt_json_writer_integer (json, count);
    }
  if (settings->constraints != NULL)
    {
      mt_json_writer_key (json, "constraints");
      mt_json_writer_string (json, settings->constraints);
    }
}

MtConstraints *
mt_run_settings_dup_constraints (const MtRunSettings *settings)
{
  g_autoptr (MtJson) json = settings->constraints != NULL ? mt_json_parse (settings->constraints, -1, NULL) : NULL;
  MtJsonCursor place = json != NULL ? mt_json_cursor_root (json) : (MtJsonCursor) { 0 };

  return json != NULL ? mt_constraints_read (&place, NULL) : NULL;
}

void
mt_run_settings_set_constraints (MtRunSettings       *settings,
                                 const MtConstraints *constraints)
{
  MtJsonWriter *json;
  g_autofree char *text = NULL;

  settings->constraints = NULL;
  if (mt_constraints_is_empty (constraints))
    return;
  json = mt_json_writer_new ();
  mt_constraints_write (constraints, json);
  text = mt_json_writer_finish (json, NULL);
  settings->constraints = g_intern_string (text);
}

/* Only what can be read again is believed. */
static gboolean
read_constraints (MtRunSettings  *settings,
                  const MtJson   *json,
                  GError        **error)
{
  g_autoptr (MtConstraints) constraints = NULL;

  if (mt_json_get_kind (json) != MT_JSON_STRING)
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, _("The constraints of a run are no text"));
      return FALSE;
    }
  settings->constraints = mt_json_get_string (json);
  constraints = mt_run_settings_dup_constraints (settings);
  mt_run_settings_set_constraints (settings, constraints);
  if (constraints != NULL)
    return TRUE;
  g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, _("The constraints of a run cannot be read"));
  return FALSE;
}

static gboolean
read_member (MtRunSettings *settings,
             guint          i,
             const MtJson  *json)
{
  gpointer place = G_STRUCT_MEMBER_P (settings, members[i].offset);
  MtJsonKind kind = mt_json_get_kind (json);
  guint64 count;

  if (members[i].kind == NUMBER)
    {
      if (kind != MT_JSON_NUMBER || !(mt_json_get_number (json) >= members[i].low) ||
          !(mt_json_get_number (json) <= members[i].high))
        return FALSE;
      *(double *) place = mt_json_get_number (json);
      return TRUE;
    }
  if (members[i].kind == SWITCH)
    {
      if (kind != MT_JSON_BOOLEAN)
        return FALSE;
      *(guint *) place = mt_json_get_boolean (json);
      return TRUE;
    }
  if (members[i].kind == CHOICE)
    {
      for (guint w = 0; kind == MT_JSON_STRING && members[i].words[w] != NULL; w++)
        if (g_str_equal (members[i].words[w], mt_json_get_string (json)))
          {
            *(guint *) place = w;
            return TRUE;
          }
      return FALSE;
    }
  if (members[i].kind == AUTO_COUNT && kind == MT_JSON_STRING && g_str_equal (mt_json_get_string (json), "auto"))
    {
      *(guint *) place = MT_ROUNDS_AUTO;
      return TRUE;
    }
  if (kind != MT_JSON_NUMBER || !mt_json_get_integer (json, (guint64) members[i].high, &count) ||
      count < (guint64) members[i].low)
    return FALSE;
  *(guint *) place = (guint) count;
  return TRUE;
}

gboolean
mt_run_settings_read (MtRunSettings  *settings,
                      const MtJson   *json,
                      GError        **error)
{
  if (mt_json_get_kind (json) != MT_JSON_OBJECT)
    {
      g_set_error_literal (error, MT_ERROR, MT_ERROR_PARSE, _("The settings of a run are no object"));
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const MtJson *member = mt_json_find (json, members[i].name);

      if (member != NULL && !read_member (settings, i, member))
        {
          /* Translators: %s is the name of a setting in a file */
          g_set_error (error, MT_ERROR, MT_ERROR_PARSE, _("The settings of a run have no usable “%s”"),
                       members[i].name);
          return FALSE;
        }
    }
  if (mt_json_find (json, "constraints") != NULL)
    return read_constraints (settings, mt_json_find (json, "constraints"), error);
  return TRUE;
}

/* --- words, and what the learner is told --- */

enum {
  TELL_BITS        = 1 << 0,
  TELL_NODES       = 1 << 1,
  TELL_FAN_IN      = 1 << 2,
  TELL_TEMPERATURE = 1 << 3,
  TELL_SEED        = 1 << 4,
  TELL_NETWORKS    = 1 << 5,
  TELL_FOLDS       = 1 << 6,
};

static void
next_part (GString *text)
{
  if (text->len > 0)
    g_string_append (text, " · ");
}

static char *
tell (const MtRunSettings *settings,
      guint                what,
      const char          *temperature_format)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *temperature = mt_format_number (settings->temperature);

  if (what & TELL_BITS)
    g_string_append_printf (text, ngettext ("%u bit", "%u bits", settings->bits), settings->bits);
  if ((what & TELL_NODES) && settings->restarts > 0)
    {
      next_part (text);
      g_string_append_printf (text, ngettext ("%u node", "%u nodes", settings->nodes), settings->nodes);
    }
  if (what & TELL_FAN_IN)
    {
      next_part (text);
      g_string_append_printf (text, _("fan-in %u"), settings->fan_in);
    }
  if ((what & TELL_TEMPERATURE) && settings->restarts > 0)
    {
      g_autoptr (GString) part = g_string_new (temperature_format);

      g_string_replace (part, "%s", temperature, 1);
      next_part (text);
      g_string_append (text, part->str);
    }
  if (what & TELL_NETWORKS)
    {
      next_part (text);
      if (settings->restarts == 0)
        /* Translators: rules are found by the search, without networks that propose some */
        g_string_append (text, _("search alone"));
      else
        g_string_append_printf (text, ngettext ("%u network", "%u networks", settings->restarts), settings->restarts);
    }
  if (what & TELL_FOLDS)
    {
      next_part (text);
      g_string_append_printf (text, ngettext ("%u fold", "%u folds", settings->folds), settings->folds);
    }
  if (what & TELL_SEED)
    {
      next_part (text);
      g_string_append_printf (text, _("seed %u"), settings->seed);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
mt_run_settings_describe (const MtRunSettings *settings)
{
  return tell (settings, TELL_BITS | TELL_NODES | TELL_FAN_IN | TELL_TEMPERATURE | TELL_SEED, _("temperature %s"));
}

char *
mt_run_settings_tell_apart (const MtRunSettings         *settings,
                            const MtRunSettings * const *others,
                            guint                        n_others,
                            guint                        n_seeds)
{
  guint what = n_seeds > 1 ? TELL_BITS : TELL_BITS | TELL_SEED;
  g_autofree char *text = NULL;

  for (guint i = 0; i < n_others; i++)
    {
      what |= settings->nodes != others[i]->nodes ? TELL_NODES : 0;
      what |= settings->fan_in != others[i]->fan_in ? TELL_FAN_IN : 0;
      what |= settings->temperature != others[i]->temperature ? TELL_TEMPERATURE : 0;
      what |= settings->restarts != others[i]->restarts ? TELL_NETWORKS : 0;
      what |= settings->folds != others[i]->folds ? TELL_FOLDS : 0;
    }
  text = tell (settings, what, "τ %s");
  /* Translators: of runs that differ only in their seed: what is set, "9 bits", and how many seeds there are */
  return n_seeds > 1 ? g_strdup_printf (ngettext ("%s · %u seed", "%s · %u seeds", n_seeds), text, n_seeds)
                     : g_steal_pointer (&text);
}

const char *
mt_run_settings_get_device (const MtRunSettings *settings)
{
  return device_words[settings->device];
}

gboolean
mt_run_settings_has_network (const MtRunSettings *settings)
{
  return settings->restarts > 0 || settings->beside;
}

void
mt_run_settings_to_learn (const MtRunSettings *settings,
                          MtLearnOptions      *options)
{
  static const MtTask tasks[] = { MT_TASK_BINARY, MT_TASK_MULTICLASS, MT_TASK_REGRESSION };

  mt_learn_options_init (options);
  if (settings->task != MT_TASK_CHOICE_AUTO)
    options->task = &tasks[settings->task - 1];
  options->encoder.bits = settings->bits;
  options->thresholds = settings->thresholds;
  options->seed = settings->seed;
  options->frontier.n_folds = settings->folds;
  options->frontier.n_repeats = settings->repeats;
  options->frontier.max_literals = settings->max_literals;
  options->frontier.n_restarts = settings->restarts;
  options->frontier.compare_network = settings->restarts == 0 && settings->beside;
  if (settings->restarts > 0)
    options->frontier.method = settings->method;   /* there is nothing else to prune */
  options->frontier.refine.fan_in = settings->fan_in;
  options->frontier.refine.rounds = settings->rounds;
  options->frontier.refine.dont_care = settings->dont_care;
  options->frontier.refine.numeric_terms = settings->numeric_terms;
  options->frontier.refine.balance_classes = options->frontier.train.balance_classes = settings->balance_classes;
  options->frontier.train.n_nodes = settings->nodes;
  options->frontier.train.fan_in = settings->fan_in;
  options->frontier.train.temperature = settings->temperature;
  options->frontier.train.node = settings->node;
  options->frontier.train.start = settings->start;
  options->frontier.train.learning_rate = settings->learning_rate;
  options->frontier.train.batch = settings->batch;
  options->frontier.train.max_epochs = settings->epochs;
  options->frontier.train.device = device_words[settings->device];
  options->origin.test_fraction = settings->test_fraction;
  options->origin.split_seed = settings->split_seed;
}

gboolean
mt_run_settings_split (const MtRunSettings  *settings,
                       const MtTable        *table,
                       GArray              **train,
                       GArray              **test,
                       GError              **error)
{
  const MtSplitOptions options = {
    .seed = settings->split_seed,
    .test_fraction = settings->test_fraction,
    .stratify = TRUE,
    .spare_lone = TRUE,
  };

  *train = *test = NULL;
  return settings->test_fraction == 0 || mt_split_test (table, &options, train, test, error);
}

/* A path over the rows takes a while however few they are; a network goes over them again and again.
 * Measured on sets of 700 to 16,000 rows; what a study has already run corrects it. */
double
mt_run_settings_guess (const MtRunSettings *settings,
                       gsize                n_rows,
                       guint                n_threads)
{
  double network = 0.1 + 1.5e-4 * (double) n_rows * (settings->node == MT_NODE_DEEP ? 4 : 1) * settings->nodes / 30.0;
  double path = 0.25 + 3.5e-5 * (double) n_rows * (0.5 + settings->bits / 18.0) + settings->restarts * network;
  guint n_paths = settings->folds + 1;
  double beside = settings->restarts == 0 && settings->beside ? network : 0;   /* on all rows only */

  return path * (double) ((n_paths + n_threads - 1) / MAX (n_threads, 1)) + beside / MAX (n_threads, 1);
}

/* --- the grid --- */

gboolean
mt_run_grid_equal (const MtRunGrid *a,
                   const MtRunGrid *b)
{
  return a->n_bits == b->n_bits && memcmp (a->bits, b->bits, a->n_bits * sizeof *a->bits) == 0 &&
         a->n_nodes == b->n_nodes && memcmp (a->nodes, b->nodes, a->n_nodes * sizeof *a->nodes) == 0 &&
         a->n_fan_in == b->n_fan_in && memcmp (a->fan_in, b->fan_in, a->n_fan_in * sizeof *a->fan_in) == 0 &&
         a->n_temperature == b->n_temperature &&
         memcmp (a->temperature, b->temperature, a->n_temperature * sizeof *a->temperature) == 0 &&
         MAX (a->n_seeds, 1) == MAX (b->n_seeds, 1);
}

guint
mt_run_grid_count (const MtRunGrid *grid)
{
  return MAX (grid->n_bits, 1) * MAX (grid->n_nodes, 1) * MAX (grid->n_fan_in, 1) * MAX (grid->n_temperature, 1) *
         MAX (grid->n_seeds, 1);
}

/* The digit of @index in base @n, at least 1, which is taken off. */
static guint
take_digit (guint *index,
            guint  n)
{
  guint digit = *index % MAX (n, 1);

  *index /= MAX (n, 1);
  return digit;
}

void
mt_run_grid_get (const MtRunGrid     *grid,
                 const MtRunSettings *base,
                 guint                index,
                 MtRunSettings       *settings)
{
  guint seed = take_digit (&index, grid->n_seeds), temperature = take_digit (&index, grid->n_temperature);
  guint fan_in = take_digit (&index, grid->n_fan_in), nodes = take_digit (&index, grid->n_nodes);
  guint bits = take_digit (&index, grid->n_bits);

  *settings = *base;
  settings->seed += seed;
  if (grid->n_temperature > 0)
    settings->temperature = grid->temperature[temperature];
  if (grid->n_fan_in > 0)
    settings->fan_in = grid->fan_in[fan_in];
  if (grid->n_nodes > 0)
    settings->nodes = grid->nodes[nodes];
  if (grid->n_bits > 0)
    settings->bits = grid->bits[bits];
  if (grid->n_nodes > 1 || grid->n_temperature > 1)
    settings->restarts = MAX (settings->restarts, 1);
}

static void
write_counts (MtJsonWriter *json,
              const char   *name,
              const guint  *values,
              guint         n)
{
  mt_json_writer_key (json, name);
  mt_json_writer_begin_row (json);
  for (guint i = 0; i < n; i++)
    mt_json_writer_integer (json, values[i]);
  mt_json_writer_end_array (json);
}

void
mt_run_grid_write (const MtRunGrid *grid,
                   MtJsonWriter    *json)
{
  mt_json_writer_begin_object (json);
  write_counts (json, "bits", grid->bits, grid->n_bits);
  write_counts (json, "nodes", grid->nodes, grid->n_nodes);
  write_counts (json, "fan_in", grid->fan_in, grid->n_fan_in);
  mt_json_writer_key (json, "temperature");
  mt_json_writer_begin_row (json);
  for (guint i = 0; i < grid->n_temperature; i++)
    mt_json_writer_number (json, grid->temperature[i]);
  mt_json_writer_end_array (json);
  mt_json_writer_key (json, "seeds");
  mt_json_writer_integer (json, MAX (grid->n_seeds, 1));
  mt_json_writer_end_object (json);
}

static gboolean
read_counts (const MtJsonCursor *place,
             const char        *name,
             guint              limit,
             guint             *values,
             guint             *n)
{
  g_autofree guint *read = NULL;

  if (!mt_json_read_integers (place, name, MT_GRID_MAX, limit, &read, n, NULL))
    return FALSE;
  for (guint i = 0; i < *n; i++)
    values[i] = MAX (read[i], 1);
  return TRUE;
}

gboolean
mt_run_grid_read (MtRunGrid    *grid,
                  const MtJson *json)
{
  MtJsonCursor place = mt_json_cursor_root (json);
  MtRunGrid read = { .n_seeds = 1 };
  g_autofree double *temperatures = NULL;
  guint64 seeds;

  if (mt_json_get_kind (json) != MT_JSON_OBJECT || !read_counts (&place, "bits", 250, read.bits, &read.n_bits) ||
      !read_counts (&place, "nodes", 10000, read.nodes, &read.n_nodes) ||
      !read_counts (&place, "fan_in", MT_REFINE_MAX_INPUTS, read.fan_in, &read.n_fan_in) ||
      !mt_json_read_numbers (&place, "temperature", MT_GRID_MAX, &temperatures, &read.n_temperature, NULL) ||
      !mt_json_read_integer (&place, "seeds", 1000, &seeds, NULL))
    return FALSE;
  for (guint i = 0; i < read.n_temperature; i++)
    read.temperature[i] = CLAMP (temperatures[i], 1e-6, 100);
  read.n_seeds = (guint) MAX (seeds, 1);
  *grid = read;
  return TRUE;
}
