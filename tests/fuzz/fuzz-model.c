/* What the reader of models makes of any text: a sentence, or a model that is written and read back with the same bytes and whose
 * exports can be made. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "mt-core.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) model = mt_model_from_json ((const char *) data, size, &error);
  g_autoptr (MtModel) again = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  gsize n_first, n_second;

  g_assert ((model == NULL) == (error != NULL));
  if (model == NULL)
    {
      g_assert (g_utf8_validate (error->message, -1, NULL));
      return 0;
    }
  first = mt_model_to_json (model, &n_first);
  again = mt_model_from_json (first, n_first, &error);
  if (again == NULL)
    {
      g_printerr ("what was written cannot be read: %s\n%s\n", error->message, first);
      abort ();
    }
  second = mt_model_to_json (again, &n_second);
  if (n_first != n_second || memcmp (first, second, n_first) != 0)
    {
      g_printerr ("written twice it differs:\n%s\nis not\n%s\n", first, second);
      abort ();
    }
  return 0;
}
