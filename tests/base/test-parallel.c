#include "config.h"

#include "base/mt-parallel.h"

static void
count_task (guint    task,
            guint    worker,
            gpointer data)
{
  gint *slots = data;

  g_atomic_int_inc (&slots[task]);
}

static void
test_each_task_once (void)
{
  for (guint n_threads = 1; n_threads <= 8; n_threads++)
    {
      g_autoptr (MtPool) pool = mt_pool_new (n_threads);

      g_assert_cmpuint (mt_pool_get_n_threads (pool), ==, n_threads);
      for (guint round = 0; round < 200; round++)
        {
          gint slots[37] = { 0 };

          mt_pool_run (pool, G_N_ELEMENTS (slots), count_task, slots);
          for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
            g_assert_cmpint (slots[i], ==, 1);
        }
    }
}

static void
test_no_pool (void)
{
  gint slots[5] = { 0 };

  mt_pool_run (NULL, 5, count_task, slots);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpint (slots[i], ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parallel/each-task-once", test_each_task_once);
  g_test_add_func ("/parallel/no-pool", test_no_pool);
  return g_test_run ();
}
