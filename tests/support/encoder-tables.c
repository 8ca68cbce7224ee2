#include "config.h"
#include "encoder-tables.h"

#include "testutils.h"

MtColumn *
enc_numbers (const char   *name,
             MtColumnType  type,
             const double *values,
             gsize         n)
{
  return mt_column_new_numbers (name, type, g_memdup2 (values, n * sizeof (double)), n);
}

MtTable *
enc_one_column (MtColumn *column)
{
  return mt_table_new (&column, 1);
}

MtEncoder *
enc_fit (const MtTable *table,
         guint          bits)
{
  MtEncoderOptions options;
  g_autoptr (GError) error = NULL;
  MtEncoder *encoder;

  mt_encoder_options_init (&options);
  options.bits = bits;
  encoder = mt_encoder_fit (table, NULL, 0, &options, &error);
  g_assert_no_error (error);
  return encoder;
}

void
enc_assert_texts (const MtEncoder *encoder,
                  const char      *expected)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < mt_encoder_get_n_literals (encoder); i++)
    {
      g_autofree char *text = mt_encoder_dup_literal_text (encoder, i, FALSE);

      g_string_append_printf (all, "%s%s", i > 0 ? " | " : "", text);
    }
  g_assert_cmpstr (all->str, ==, expected);
}

gsize
enc_count_wrong_bits (const MtEncoder *encoder,
                      const MtEncoded *encoded,
                      const MtTable   *table,
                      const guint32   *rows)
{
  gsize n_wrong = 0;

  for (guint id = 0; id < mt_encoder_get_n_literals (encoder); id++)
    for (gsize i = 0; i < mt_encoded_get_n_rows (encoded); i++)
      n_wrong += mt_plane_get (mt_encoded_get_plane (encoded, id), i) !=
                 mt_test_literal_is_true (encoder, id, table, rows != NULL ? rows[i] : i);
  return n_wrong;
}

MtEncoded *
enc_apply (const MtEncoder *encoder,
           const MtTable   *table,
           MtEncodeReport  *report)
{
  g_autoptr (GError) error = NULL;
  MtEncoded *encoded = mt_encoder_apply (encoder, table, NULL, 0, report, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (enc_count_wrong_bits (encoder, encoded, table, NULL), ==, 0);
  return encoded;
}
