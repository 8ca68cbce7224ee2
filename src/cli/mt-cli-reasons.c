/* minterm-cli reasons: what a customer hears when a term decided, listed and written. */
#include "config.h"
#include "mt-cli.h"

#include <string.h>

#include "mt-cli-model.h"

static int
print_list (const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const char *reason = mt_model_get_reason (model, t);
      g_autofree char *text = mt_term_dup_text (mt_rule_set_get_term (rules, t), mt_model_get_encoder (model));
      g_autofree char *safe = mt_cli_escape (text);
      g_autofree char *told = mt_cli_escape (reason != NULL ? reason : "(no reason set)");

      g_string_append_printf (out, "%3u  %s\n     %s\n", t + 1, safe, told);
    }
  return mt_cli_print (out->str);
}

static int
print_json (const MtModel *model)
{
  const MtRuleSet *rules = mt_model_get_rules (model);
  MtJsonWriter *json = mt_json_writer_new ();

  mt_json_writer_begin_object (json);
  mt_json_writer_key (json, "reasons");
  mt_json_writer_begin_array (json);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      g_autofree char *text = mt_term_dup_text (mt_rule_set_get_term (rules, t), mt_model_get_encoder (model));

      mt_json_writer_begin_object (json);
      mt_cli_json_count (json, "number", t + 1);
      mt_cli_json_text (json, "term", text);
      mt_cli_json_text (json, "text", mt_model_get_reason (model, t));
      mt_json_writer_end_object (json);
    }
  mt_json_writer_end_array (json);
  mt_json_writer_end_object (json);
  return mt_cli_json_print (json);
}

/* @words: N=TEXT each. Replaces *@model; on failure prints one line. */
static int
set_reasons (MtModel **model,
             char    **words)
{
  guint n_terms = mt_rule_set_get_n_terms (mt_model_get_rules (*model));

  for (; words != NULL && *words != NULL; words++)
    {
      g_autoptr (GError) error = NULL;
      char *equals = strchr (*words, '=');
      g_autofree char *number = equals != NULL ? g_strndup (*words, (gsize) (equals - *words)) : NULL;
      guint64 term;
      MtModel *changed;

      if (number == NULL || !g_ascii_string_to_unsigned (number, 10, 1, MAX (n_terms, 1), &term, NULL) || n_terms == 0)
        return mt_cli_fail (MT_EXIT_USAGE, "--set needs NUMBER=TEXT, where NUMBER is the number of one of the %u terms", n_terms);
      changed = mt_model_with_reason (*model, (guint) term - 1, equals + 1, &error);
      if (changed == NULL)
        return mt_cli_fail_error (error);
      mt_model_unref (*model);
      *model = changed;
    }
  return MT_EXIT_OK;
}

int
mt_cli_reasons (int    argc,
                char **argv)
{
  g_auto (MtCliCommon) common = { FALSE };
  g_auto (GStrv) words = NULL;
  g_autofree char *output = NULL;
  const GOptionEntry entries[] = {
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &words, "Set the reason of term N; an empty TEXT removes it; may be repeated", "N=TEXT" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write the model with its reasons to MODEL.json", "MODEL.json" },
    { NULL }
  };
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GError) error = NULL;
  int exit_code = MT_EXIT_OK;

  if (!mt_cli_parse (&argc, &argv, entries, &common, &exit_code))
    return exit_code;
  if (argc != 2)
    return mt_cli_fail (MT_EXIT_USAGE, "reasons needs one model; see minterm-cli reasons --help");
  if (words != NULL && output == NULL)
    return mt_cli_fail (MT_EXIT_USAGE, "--set needs --output, which may be the model itself");
  /* The model itself may be the output: it stays a model, and keeps what it says. */
  if (output != NULL && !mt_cli_check_output (output, NULL, 0))
    return MT_EXIT_USAGE;
  model = mt_cli_model_load (argv[1], &exit_code);
  if (model == NULL || (exit_code = set_reasons (&model, words)) != MT_EXIT_OK)
    return exit_code;
  if (output != NULL && !mt_model_save (model, output, &error))
    return mt_cli_fail_error (error);
  return common.json ? print_json (model) : print_list (model);
}
