/* The way in and out of the minimiser; see mt-qmc.h for what is promised and
 * mt-qmc-private.h for where the work is done.
 *
 * On the way in: inputs that neither table depends on are taken out, constants are answered,
 * and a table without don't-cares that is monotone in each input (every threshold node is) is
 * answered by its primes, all of which are essential. On the way out: the input numbers are put
 * back, the terms sorted, and the cover is compared with the table. */
#include "config.h"
#include "mt-qmc-private.h"

#include <string.h>

/* Above this many candidate terms the covering matrix no longer pays. */
#define MAX_TERMS 20000

/* Elementary steps, about a nanosecond each, above MT_QMC_EXACT_FAN_IN inputs. */
#define DEFAULT_BUDGET G_GUINT64_CONSTANT (8000000)

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
      MtCube low = { cube->mask & 63, cube->value & 63 };
      guint64 word;

      mt_qmc_cube_table (MIN (fan_in, 6), &low, &word);
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

static void
meter_init (MtQmcMeter         *meter,
            guint               fan_in,
            const MtQmcOptions *options)
{
  *meter = (MtQmcMeter) { 0 };
  meter->budget = G_MAXUINT64;
  if (fan_in > MT_QMC_EXACT_FAN_IN)
    meter->budget = options != NULL && options->budget > 0 ? options->budget : DEFAULT_BUDGET;
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
    listed = mt_qmc_add_primes (task->fan_in, task->allowed, task->care, MAX_TERMS, &terms);
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
compare_cubes (gconstpointer a,
               gconstpointer b)
{
  const MtCube *x = a, *y = b;
  int difference = __builtin_popcount (x->mask) - __builtin_popcount (y->mask);

  if (difference != 0)
    return difference;
  if (x->mask != y->mask)
    return x->mask < y->mask ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

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
  Task task;

  *cover = (MtCover) { 0 };
  task_init (&task, fan_in, on, dc, complement, memory);
  meter_init (&meter, task.fan_in, options);
  if (mt_truth_table_is_true (task.fan_in, task.allowed) && !mt_truth_table_is_false (task.fan_in, task.care))
    g_array_append_val (cubes, ((MtCube) { 0, 0 }));
  else if (!mt_truth_table_is_false (task.fan_in, task.care))
    minimize_task (&task, cubes, &meter);
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
  if (!mt_qmc_agrees (fan_in, on, dc, table))
    g_error ("the minimiser made a wrong cover of a table with %u inputs", fan_in);
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
