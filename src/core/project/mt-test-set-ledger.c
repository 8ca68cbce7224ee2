/* The models of a project whose test figures were shown. See mt-test-set-ledger.h. */
#include "config.h"
#include "mt-test-set-ledger.h"

#include "base/mt-gettext.h"
#include "base/mt-decimal.h"
#include "base/mt-number.h"
#include "rules/mt-rule-text.h"

struct _MtTestSetLedger {
  GPtrArray *keys;      /* of char */
};

MtTestSetLedger *
mt_test_set_ledger_new (void)
{
  MtTestSetLedger *self = g_new0 (MtTestSetLedger, 1);

  self->keys = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
mt_test_set_ledger_free (MtTestSetLedger *self)
{
  g_ptr_array_unref (self->keys);
  g_free (self);
}

void
mt_test_set_ledger_set_text (MtTestSetLedger *self,
                             const char      *text)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", "\n", -1);

  g_ptr_array_set_size (self->keys, 0);
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      mt_test_set_ledger_add (self, words[i]);
}

char *
mt_test_set_ledger_dup_text (const MtTestSetLedger *self)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < self->keys->len; i++)
    g_string_append_printf (all, "%s\n", (const char *) self->keys->pdata[i]);
  return g_string_free (all, FALSE);
}

char *
mt_test_set_ledger_dup_key (const MtRuleSet *rules,
                            const MtEncoder *encoder)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint t = 0; t <= mt_rule_set_get_n_terms (rules); t++)
    {
      const MtTerm *term = t > 0 ? mt_rule_set_get_term (rules, t - 1) : NULL;
      const double *weights = term != NULL ? term->weights : mt_rule_set_get_bias (rules);
      g_autofree char *text = term != NULL ? mt_term_dup_text (term, encoder) : g_strdup ("");

      g_string_append (all, text);
      for (guint c = 0; c < mt_rule_set_get_n_outputs (rules); c++)
        {
          g_autofree char *weight = mt_decimal_dup_c (weights[c]);

          g_string_append_printf (all, "\n%s", weight);
        }
    }
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, all->str, (gssize) all->len);
}

gboolean
mt_test_set_ledger_has (const MtTestSetLedger *self,
                        const char            *key)
{
  return g_ptr_array_find_with_equal_func (self->keys, key, g_str_equal, NULL);
}

void
mt_test_set_ledger_add (MtTestSetLedger *self,
                        const char      *key)
{
  if (!mt_test_set_ledger_has (self, key))
    g_ptr_array_add (self->keys, g_strdup (key));
}

void
mt_test_set_ledger_add_all (MtTestSetLedger    *self,
                            const char * const *keys)
{
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    mt_test_set_ledger_add (self, keys[i]);
}

guint
mt_test_set_ledger_get_n (const MtTestSetLedger *self)
{
  return self->keys->len;
}

char *
mt_test_set_ledger_dup_about (const MtTestSetLedger *self,
                              gboolean               is_spared)
{
  guint n = self->keys->len;

  if (is_spared && n == 0)
    return g_strdup (_("Hidden in the preview. Looking at test results while choosing a model makes them "
                       "unreliable."));
  if (is_spared)
    return g_strdup_printf (ngettext ("Shown for %u other model so far. Hidden in the preview until you save "
                                      "or print the report.",
                                      "Shown for %u other models so far. Hidden in the preview until you "
                                      "save or print the report.", n), n);
  return g_strdup_printf (ngettext ("Measured: the figures are in section 12, Performance. Shown for %u model so far, this "
                                    "one included.",
                                    "Measured: the figures are in section 12, Performance. Shown for %u models so far, this "
                                    "one included.", n), n);
}
