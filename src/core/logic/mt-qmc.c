/* The way in and out of the minimizer; see mt-qmc.h for what is promised and
 * mt-qmc-private.h for where the work is done.
 *
 * On the way in: inputs that neither table depends on are taken out, constants are answered,
 * and a table without don't-cares that is monotone in each input (every threshold node is) is
 * answered by its primes, all of which are essential. On the way out: the input numbers are put
 * back, the terms sorted, and the cover is compared with the table. */
#include "config.h"
#include "mt-qmc-private.h"

#include <string.h>

/* Above this many candidate terms, and rows of theirs in words, the covering matrix no longer pays. */
#define MAX_TERMS      20000
#define MAX_TERM_WORDS 4000000

/* Elementary steps, 5 to 10 ns each, above MT_QMC_EXACT_FAN_IN inputs; four times as many for each
 * input above ten, but no more than sixteen times. */
#define DEFAULT_BUDGET G_GUINT64_CONSTANT (1100000)

/* Up to MT_QMC_EXACT_FAN_IN inputs the search goes on to its end: milliseconds at worst on threshold,
 * random and symmetric tables, mostly below a second on symmetric ones with a few scattered don't-cares
 * (see docs/minimizer.md); seldom it is some more, and who cannot wait cancels. No table is known that comes
 * near to this: some ten minutes. */
#define LAST_RESORT ((guint64) 1 << 36)

void
mt_cover_clear (MtCover *cover)
{
  g_clear_pointer (&cover->cubes, g_free);
  *cover = (MtCover) { 0 };
}

void
mt_xor_cover_clear (MtXorCover *cover)
{
  g_clear_pointer (&cover->cubes, g_free);
  *cover = (MtXorCover) { 0 };
}

/* By words, as mt_qmc_cube_table() does it: quick enough to check every answer. */
void
mt_cover_to_table (const MtCover *cover,
                   guint          fan_in,
                   guint64       *out)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  g_return_if_fail (fan_in <= MT_TRUTH_TABLE_MAX_FAN_IN);

  mt_truth_table_fill (fan_in, FALSE, out);
  for (guint i = 0; i < cover->n_cubes; i++)
    {
      const MtCube *cube = &cover->cubes[i];
      guint64 word = mt_qmc_cube_word (fan_in, cube);

      for (gsize w = 0; w < n_words; w++)
        if ((w & cube->mask >> 6) == cube->value >> 6)
          out[w] |= word;
    }
}

void
mt_xor_cover_to_table (const MtXorCover *cover,
                       guint             fan_in,
                       guint64          *out)
{
  g_return_if_fail (fan_in <= MT_TRUTH_TABLE_MAX_FAN_IN);

  mt_truth_table_fill (fan_in, FALSE, out);
  for (guint i = 0; i < cover->n_cubes; i++)
    for (guint32 v = 0; v < 1u << fan_in; v++)
      if (mt_xor_cube_covers (&cover->cubes[i], v))
        mt_truth_table_set (out, v, TRUE);
}

/* Only assignments that are cared for count. Bits beyond the last assignment are zero in all
 * tables, so they agree. */
gboolean
mt_qmc_agrees (guint          fan_in,
               const guint64 *on,
               const guint64 *dc,
               const guint64 *table)
{
  gsize n_words = mt_truth_table_n_words (fan_in);

  for (gsize w = 0; w < n_words; w++)
    if (((on[w] ^ table[w]) & ~(dc != NULL ? dc[w] : 0)) != 0)
      return FALSE;
  return TRUE;
}

/* The limit of work. Up to MT_QMC_EXACT_FAN_IN inputs it is so high that the search ends first.
 * Above, each input more lets the default grow fourfold: 1.1 million steps up to 10 inputs, 4.4 at
 * 11, and 17.6 from 12 on. */
static void
meter_init (MtQmcMeter         *meter,
            guint               fan_in,
            const MtQmcOptions *options)
{
  *meter = (MtQmcMeter) { 0 };
  meter->exact = fan_in <= MT_QMC_EXACT_FAN_IN;
  if (meter->exact)
    meter->budget = LAST_RESORT;
  else if (options != NULL && options->budget > 0)
    meter->budget = options->budget;
  else
    meter->budget = DEFAULT_BUDGET << CLAMP (2 * (int) fan_in - 20, 0, 4);
  if (options != NULL)
    meter->cancellable = options->cancellable;
}

/* A table and its don't-cares over the inputs they depend on. */
typedef struct {
  guint    fan_in;
  guint8   inputs[MT_TRUTH_TABLE_MAX_FAN_IN];   /* the caller's numbers */
  gsize    n_words;
  guint64 *care;       /* on ∖ dc */
  guint64 *allowed;    /* on ∪ dc */
  gboolean exact;      /* there are no don't-cares */
} Task;

/* Cuts the problem down to the inputs that matter. An input matters if the table of the assignments that must be
 * true, or that of those that may be true, changes with it. The others are taken out from the highest down, so
 * that the numbers of those below stay valid; inputs[] remembers the caller's numbers. @memory has room for two
 * tables of the full size. */
static void
task_init (Task          *task,
           guint          fan_in,
           const guint64 *on,
           const guint64 *dc,
           gboolean       complement,
           guint64       *memory)
{
  guint32 used;
  guint64 any_dc = 0;

  task->fan_in = fan_in;
  task->n_words = mt_truth_table_n_words (fan_in);
  task->care = memory;
  task->allowed = memory + task->n_words;
  for (gsize w = 0; w < task->n_words; w++)
    {
      guint64 free = (dc != NULL ? dc[w] : 0) & mt_truth_table_last_mask (fan_in);
      guint64 word = (complement ? ~on[w] : on[w]) & mt_truth_table_last_mask (fan_in);

      task->care[w] = word & ~free;
      task->allowed[w] = word | free;
      any_dc |= free;
    }
  task->exact = any_dc == 0;

  used = mt_truth_table_support (fan_in, task->care);
  if (!task->exact)
    used |= mt_truth_table_support (fan_in, task->allowed);
  for (guint i = 0; i < fan_in; i++)
    task->inputs[i] = (guint8) i;
  for (guint i = fan_in; i-- > 0;)
    if (!((used >> i) & 1))
      {
        mt_truth_table_remove (task->fan_in, task->care, i, FALSE, task->care);
        mt_truth_table_remove (task->fan_in, task->allowed, i, FALSE, task->allowed);
        memmove (task->inputs + i, task->inputs + i + 1, task->fan_in - i - 1);
        task->fan_in--;
      }
  task->n_words = mt_truth_table_n_words (task->fan_in);
}

/* From the task's numbers of inputs back to the caller's, for a set of inputs as bits. */
static guint32
restore_inputs (const Task *task,
                guint32     set)
{
  guint32 restored = 0;

  for (; set != 0; set &= set - 1)
    restored |= 1u << task->inputs[__builtin_ctz (set)];
  return restored;
}

/* Terms for a task that is not constant. */
static void
minimize_task (const Task *task,
               GArray     *cubes,
               MtQmcMeter *meter)
{
  MtQmcTerms terms;
  gboolean listed = FALSE;

  if (task->exact && mt_qmc_unate (task->fan_in, task->care, cubes))
    return;

  mt_qmc_terms_init (&terms, task->n_words);
  if (task->fan_in <= MT_QMC_LATTICE_FAN_IN)
    listed = mt_qmc_add_primes (task->fan_in, task->allowed, task->care,
                                (guint) MIN (MAX_TERMS, MAX_TERM_WORDS / task->n_words), &terms);
  if (listed)
    {
      g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (guint32));

      mt_qmc_select (&terms, task->care, chosen, meter);
      for (guint i = 0; i < chosen->len; i++)
        {
          const MtXorCube *term = &terms.cubes[g_array_index (chosen, guint32, i)];
          MtCube cube = { term->mask, term->value };

          g_array_append_val (cubes, cube);
        }
    }
  else
    mt_qmc_large (task->fan_in, task->allowed, task->care, cubes, meter);
  mt_qmc_terms_clear (&terms);
}

static int
compare_numbers (guint32 a,
                 guint32 b)
{
  return a < b ? -1 : a > b;
}

/* The order of the answer: short terms first, then by inputs, then by values. It makes equal tables give equal
 * text, whatever way the search took. */
static int
compare_cubes (gconstpointer a,
               gconstpointer b)
{
  const MtCube *x = a, *y = b;
  int order = __builtin_popcount (x->mask) - __builtin_popcount (y->mask);

  if (order == 0)
    order = compare_numbers (x->mask, y->mask);
  return order != 0 ? order : compare_numbers (x->value, y->value);
}

static guint
xor_literals (const MtXorCube *cube)
{
  return (guint) __builtin_popcount (cube->mask | cube->odd | cube->even);
}

static int
compare_xor_cubes (gconstpointer a,
                   gconstpointer b)
{
  const MtXorCube *x = a, *y = b;
  int order = (int) xor_literals (x) - (int) xor_literals (y);

  if (order == 0)
    order = compare_numbers (x->odd, y->odd);
  if (order == 0)
    order = compare_numbers (x->even, y->even);
  if (order == 0)
    order = compare_numbers (x->mask, y->mask);
  return order != 0 ? order : compare_numbers (x->value, y->value);
}

/* A wrong rule is worse than no program. */
static void
check_cover (guint          fan_in,
             const guint64 *on,
             const guint64 *dc,
             const guint64 *table)
{
  if (!mt_qmc_agrees (fan_in, on, dc, table))
    g_error ("the minimizer made a wrong cover of a table with %u inputs", fan_in);
}

/* True or false everywhere that counts. False wins if nothing has to be true: a rule that never needs to be true
 * is left out. */
static gboolean
is_constant (const Task *task,
             gboolean   *value)
{
  *value = !mt_truth_table_is_false (task->fan_in, task->care);
  return !*value || mt_truth_table_is_true (task->fan_in, task->allowed);
}

/* Minimizes a table, or with @complement the opposite one, whose terms are then the clauses of the
 * AND of ORs.
 *
 * The steps: cut the inputs down to those that matter; answer a constant; find the terms; put back
 * the caller's numbers of the inputs; sort; check. The check compares the cover with the table as
 * the caller gave it, over all inputs, so a mistake in any of the steps is found. It costs a few
 * operations per term and word.
 *
 * @cover is written only at the end; after a cancellation it is empty. */
static gboolean
minimize (guint               fan_in,
          const guint64      *on,
          const guint64      *dc,
          gboolean            complement,
          const MtQmcOptions *options,
          MtCover            *cover)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  g_autofree guint64 *memory = g_new (guint64, 3 * n_words);
  g_autoptr (GArray) cubes = g_array_sized_new (FALSE, FALSE, sizeof (MtCube), 16);
  guint64 *table = memory + 2 * n_words;
  MtQmcMeter meter;
  gboolean constant;
  Task task;

  *cover = (MtCover) { 0 };
  task_init (&task, fan_in, on, dc, complement, memory);
  meter_init (&meter, task.fan_in, options);
  if (!is_constant (&task, &constant))
    minimize_task (&task, cubes, &meter);
  else if (constant)
    g_array_append_val (cubes, ((MtCube) { 0, 0 }));
  if (meter.cancelled)
    return FALSE;

  for (guint i = 0; i < cubes->len; i++)
    {
      MtCube *cube = &g_array_index (cubes, MtCube, i);

      cube->mask = restore_inputs (&task, cube->mask);
      cube->value = restore_inputs (&task, cube->value);
      cover->n_literals += (guint) __builtin_popcount (cube->mask);
    }
  g_array_sort (cubes, compare_cubes);
  cover->n_cubes = cubes->len;
  cover->cubes = (MtCube *) (gpointer) g_array_free (g_steal_pointer (&cubes), FALSE);
  cover->proven = !meter.exhausted;

  mt_cover_to_table (cover, fan_in, table);
  if (complement)
    mt_truth_table_not (fan_in, table, table);
  check_cover (fan_in, on, dc, table);
  return TRUE;
}

gboolean
mt_qmc_minimize (guint               fan_in,
                 const guint64      *on,
                 const guint64      *dc,
                 const MtQmcOptions *options,
                 MtCover            *cover)
{
  g_return_val_if_fail (fan_in <= MT_TRUTH_TABLE_MAX_FAN_IN, FALSE);
  g_return_val_if_fail (on != NULL && cover != NULL, FALSE);

  return minimize (fan_in, on, dc, FALSE, options, cover);
}

gboolean
mt_qmc_minimize_cnf (guint               fan_in,
                     const guint64      *on,
                     const guint64      *dc,
                     const MtQmcOptions *options,
                     MtCover            *cover)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  guint64 any = 0;

  g_return_val_if_fail (fan_in <= MT_TRUTH_TABLE_MAX_FAN_IN, FALSE);
  g_return_val_if_fail (on != NULL && cover != NULL, FALSE);

  /* Nothing true that is cared for: false, here as in mt_qmc_minimize(), whatever is free. */
  for (gsize w = 0; w < n_words; w++)
    any |= on[w] & ~(dc != NULL ? dc[w] : 0);
  if (any == 0)
    {
      *cover = (MtCover) { g_new0 (MtCube, 1), 1, 0, TRUE };
      return TRUE;
    }
  return minimize (fan_in, on, dc, TRUE, options, cover);
}

/* The best choice among all listed terms with parities; FALSE when they are too many to list. */
static gboolean
choose_xor_terms (const Task *task,
                  GArray     *cubes,
                  MtQmcMeter *meter)
{
  MtQmcTerms terms;
  gboolean listed;

  mt_qmc_terms_init (&terms, task->n_words);
  listed = mt_qmc_add_xor_terms (task->fan_in, task->allowed, task->care, &terms, meter);
  if (listed && !meter->cancelled)
    {
      g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (guint32));

      mt_qmc_select (&terms, task->care, chosen, meter);
      for (guint i = 0; i < chosen->len; i++)
        {
          const MtXorCube *term = &terms.cubes[g_array_index (chosen, guint32, i)];
          MtXorCube cube = {
            restore_inputs (task, term->mask), restore_inputs (task, term->value),
            restore_inputs (task, term->odd), restore_inputs (task, term->even),
          };

          g_array_append_val (cubes, cube);
        }
    }
  mt_qmc_terms_clear (&terms);
  return listed;
}

/* Inputs in a parity count as literals like any others. */
static guint
count_xor_literals (const GArray *cubes)
{
  guint n = 0;

  for (guint i = 0; i < cubes->len; i++)
    n += xor_literals (&g_array_index (cubes, MtXorCube, i));
  return n;
}

/* Three covers are made, and the one with the fewest literals is taken: the plain one; the plain
 * one with pairs of terms joined into parities; and the best choice among all terms with parities,
 * if they can be listed. The first two are always there, so the answer never has more literals than
 * the plain one. Only the third can be proven.
 *
 * The budget is used twice, once for joining and once for the choice; the plain cover has its own. */
gboolean
mt_qmc_minimize_xor (guint               fan_in,
                     const guint64      *on,
                     const guint64      *dc,
                     const MtQmcOptions *options,
                     MtXorCover         *cover)
{
  gsize n_words = mt_truth_table_n_words (fan_in);
  g_autofree guint64 *memory = g_new (guint64, 3 * n_words);
  g_autoptr (GArray) listed = g_array_new (FALSE, FALSE, sizeof (MtXorCube));
  g_autoptr (GArray) joined = g_array_new (FALSE, FALSE, sizeof (MtXorCube));
  GArray *best = joined;
  g_auto (MtCover) plain = { 0 };
  gboolean constant, proven = FALSE;
  MtQmcMeter meter;
  Task task;

  g_return_val_if_fail (fan_in <= MT_TRUTH_TABLE_MAX_FAN_IN, FALSE);
  g_return_val_if_fail (on != NULL && cover != NULL, FALSE);

  *cover = (MtXorCover) { 0 };
  if (!mt_qmc_minimize (fan_in, on, dc, options, &plain))
    return FALSE;
  for (guint i = 0; i < plain.n_cubes; i++)
    {
      MtXorCube cube = { plain.cubes[i].mask, plain.cubes[i].value, 0, 0 };

      g_array_append_val (joined, cube);
    }
  meter_init (&meter, fan_in, options);
  meter.budget = mt_qmc_xor_budget (options);
  mt_qmc_join_xor_terms (joined, &meter);

  task_init (&task, fan_in, on, dc, FALSE, memory);
  if (is_constant (&task, &constant))
    proven = TRUE;
  else
    {
      meter.work = 0;
      meter.exhausted = meter.cancelled;
      if (choose_xor_terms (&task, listed, &meter) && !meter.cancelled)
        {
          guint with = count_xor_literals (listed), without = count_xor_literals (joined);

          if (with < without || (with == without && listed->len < joined->len))
            best = listed;
          proven = task.fan_in <= MT_QMC_EXACT_FAN_IN && !meter.exhausted;
        }
    }
  if (meter.cancelled)
    return FALSE;

  g_array_sort (best, compare_xor_cubes);
  cover->n_literals = count_xor_literals (best);
  cover->n_cubes = best->len;
  cover->cubes = g_memdup2 (best->data, best->len * sizeof (MtXorCube));
  cover->proven = proven;
  mt_xor_cover_to_table (cover, fan_in, memory);
  check_cover (fan_in, on, dc, memory);
  return TRUE;
}
