/* What the reader of models makes of any text: a sentence, or a model that is written and read back with the same bytes, is
 * exported, and predicts. The text is read as it is and with a checksum that agrees, for a stranger can compute one, too. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "mt-core.h"
#include "model-seal.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
export_all (MtModel *model)
{
  for (MtExportFormat format = 0; format < MT_N_EXPORT_FORMATS; format++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = mt_export (model, format, MT_SQL_SQLITE, &error);

      g_assert ((bytes == NULL) == (error != NULL));
      g_assert (error == NULL || g_utf8_validate (error->message, -1, NULL));
    }
}

static void
read_model (const char *text,
            gsize       size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MtModel) model = mt_model_from_json (text, size, &error);
  g_autoptr (MtModel) again = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  gsize n_first, n_second;

  g_assert ((model == NULL) == (error != NULL));
  if (model == NULL)
    {
      g_assert (g_utf8_validate (error->message, -1, NULL));
      return;
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
  export_all (model);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree char *sealed = NULL;
  gsize n_sealed;

  read_model ((const char *) data, size);
  sealed = model_reseal ((const char *) data, size, &n_sealed);
  if (n_sealed != size || memcmp (sealed, data, size) != 0)
    read_model (sealed, n_sealed);
  return 0;
}
