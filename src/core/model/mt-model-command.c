/* The command that makes a model again, out of what its file says of the run. See mt-model-command.h. */
#include "config.h"
#include "mt-model-command.h"

#include <string.h>

#include "base/mt-decimal.h"
#include "base/mt-error.h"
#include "learn/mt-setting.h"

static const MtModelSetting *
find_setting (const MtModelInfo *info,
              const char        *name)
{
  for (guint i = 0; i < info->n_settings; i++)
    if (g_str_equal (info->settings[i].name, name))
      return &info->settings[i];
  return NULL;
}

void
mt_command_add_word (GString    *out,
                     const char *word)
{
  static const char safe[] = "_-./=+,:%@";
  gboolean is_plain = *word != '\0';

  for (const char *p = word; *p != '\0' && is_plain; p++)
    is_plain = g_ascii_isalnum (*p) || strchr (safe, *p) != NULL;
  if (out->len > 0)
    g_string_append_c (out, ' ');
  if (is_plain)
    g_string_append (out, word);
  else
    {
      g_autofree char *quoted = g_shell_quote (word);

      g_string_append (out, quoted);
    }
}

void
mt_command_add_option (GString    *out,
                       const char *name,
                       const char *value)
{
  g_autofree char *word = g_strdup_printf ("--%s=%s", name, value);

  mt_command_add_word (out, word);
}

#define LONGEST_LINE 80   /* letters, the backslash at its end among them */

/* Where the next option begins, with the blank before it; the end of the command where there is none. */
static const char *
find_option (const char *at)
{
  gboolean is_quoted = FALSE;

  for (const char *p = at; *p != '\0'; p++)
    {
      if (p > at && !is_quoted && (g_str_has_prefix (p, " --") || g_str_has_prefix (p, " '--")))
        return p;
      is_quoted ^= *p == '\'';
      if (*p == '\\' && !is_quoted && p[1] != '\0')
        p++;
    }
  return at + strlen (at);
}

char *
mt_command_dup_folded (const char *command)
{
  GString *out = g_string_new (NULL);
  glong length = 0;

  for (const char *p = command, *end; *p != '\0'; p = end)
    {
      glong own;

      end = find_option (p);
      own = g_utf8_strlen (p, end - p);
      if (p > command && length + own + 2 > LONGEST_LINE)
        {
          g_string_append (out, " \\\n ");
          length = 1;
        }
      g_string_append_len (out, p, end - p);
      length += own;
    }
  return g_string_free (out, FALSE);
}

static void
add_setting (GString              *out,
             const MtModelSetting *setting)
{
  g_autofree char *number = setting->kind == MT_SETTING_NUMBER ? mt_decimal_dup (setting->number) : NULL;

  /* A large seed of the split is in the file as a negative number, which no option accepts. */
  if (number == NULL && g_str_equal (setting->name, "split-seed") && *setting->text == '-')
    number = g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) g_ascii_strtoll (setting->text, NULL, 10));
  mt_command_add_option (out, setting->name, number != NULL ? number : setting->text);
}

typedef enum {
  ALWAYS,         /* listed in every model file */
  OF_NETWORKS,
  OTHERS,
} Part;

static Part
part_of (const MtSetting *row)
{
  if (row->listed == MT_SETTING_LISTED_ALWAYS)
    return ALWAYS;
  return row->listed == MT_SETTING_LISTED_NETWORK || row->listed == MT_SETTING_LISTED_UNUSUAL_NETWORK ? OF_NETWORKS : OTHERS;
}

/* A part of the settings that the file lists. A file of test rows takes the place of the share. */
static void
add_settings (GString           *out,
              const MtModelInfo *info,
              Part               part)
{
  for (const MtSetting *row = mt_setting_next_listed (NULL); row != NULL; row = mt_setting_next_listed (row))
    {
      const MtModelSetting *setting = part_of (row) == part ? find_setting (info, row->option) : NULL;
      g_autofree char *flag = mt_setting_dup_flag (row);

      /* Before linear terms had shapes, there was a switch. */
      if (part_of (row) == part && g_str_equal (row->option, "linear-terms") && find_setting (info, "numeric-terms") != NULL)
        mt_command_add_option (out, "linear-terms", "none");
      if (setting == NULL || (g_str_equal (row->option, "test-fraction") && find_setting (info, "test-sha256") != NULL))
        continue;
      if (flag == NULL)
        add_setting (out, setting);
      else if (setting->kind == MT_SETTING_BOOLEAN && setting->boolean != g_str_has_prefix (flag, "no-"))
        {
          g_autofree char *word = g_strconcat ("--", flag, NULL);

          mt_command_add_word (out, word);
        }
    }
}

static void
add_missing (GString            *out,
             const char * const *tokens)
{
  const char * const *usual = mt_missing_get_default_tokens ();
  guint n = 0;

  if (tokens == NULL)
    return;
  while (usual[n] != NULL && g_strcmp0 (tokens[n], usual[n]) == 0)
    n++;
  if (usual[n] != NULL)
    {
      mt_command_add_word (out, "--no-usual-missing");
      n = tokens[0] != NULL && *tokens[0] == '\0' ? 1 : 0;
    }
  for (guint i = n; tokens[i] != NULL; i++)
    mt_command_add_option (out, "missing", tokens[i]);
}

static void
add_constraints (GString             *out,
                 const MtConstraints *constraints)
{
  g_auto (GStrv) banned = constraints != NULL ? mt_constraints_dup_banned (constraints) : NULL;

  for (guint i = 0; banned != NULL && banned[i] != NULL; i++)
    mt_command_add_option (out, "ban", banned[i]);
  for (int d = 0; constraints != NULL && d < 2; d++)
    {
      g_auto (GStrv) names = mt_constraints_dup_directed (constraints, d == 0 ? MT_DIRECTION_RISING : MT_DIRECTION_FALLING);

      for (guint i = 0; names != NULL && names[i] != NULL; i++)
        {
          g_autofree char *pair = g_strdup_printf ("%s=%c", names[i], d == 0 ? '+' : '-');

          mt_command_add_option (out, "monotone", pair);
        }
    }
  if (constraints != NULL && mt_constraints_get_no_negation (constraints))
    mt_command_add_word (out, "--no-negation");
}

static gboolean
check (const MtModelInfo  *info,
       GError            **error)
{
  const MtModelSetting *stopped = find_setting (info, "stopped");

  for (const MtSetting *row = mt_setting_next_listed (NULL); row != NULL; row = mt_setting_next_listed (row))
    if (row->listed == MT_SETTING_LISTED_ALWAYS && find_setting (info, row->option) == NULL)
      {
        g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "the model file does not record “%s”", row->option);
        return FALSE;
      }
  if (stopped != NULL && stopped->boolean)
    {
      g_set_error (error, MT_ERROR, MT_ERROR_PARAMS, "the run was stopped early, which no command can repeat");
      return FALSE;
    }
  return TRUE;
}

char *
mt_model_dup_command (const MtModel  *model,
                      const char     *data,
                      const char     *output,
                      GError        **error)
{
  const MtModelInfo *info = mt_model_get_info (model);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, info->seed);
  g_autofree char *literals = g_strdup_printf ("%u", info->n_edits > 0 ? info->edits[0].literals_before
                                               : mt_rule_set_get_complexity (mt_model_get_rules (model)));
  const MtModelSetting *reading = find_setting (info, "reading");

  if (!check (info, error))
    return NULL;
  mt_command_add_word (out, "minterm-cli");
  mt_command_add_word (out, "train");
  mt_command_add_option (out, "target", info->target);
  mt_command_add_option (out, "task", mt_task_to_string (mt_model_get_task (model)));
  mt_command_add_option (out, "seed", seed);
  mt_command_add_option (out, "dont-care", info->dont_care);
  add_settings (out, info, ALWAYS);
  add_settings (out, info, OF_NETWORKS);
  add_settings (out, info, OTHERS);
  if (find_setting (info, "test-sha256") != NULL)
    mt_command_add_option (out, "test", "TEST.csv");
  add_constraints (out, info->constraints);
  add_missing (out, info->missing_tokens);
  if (reading != NULL && reading->kind == MT_SETTING_TEXT && *reading->text != '\0')
    g_string_append_printf (out, " %s", reading->text);
  mt_command_add_option (out, "literals", literals);
  mt_command_add_option (out, "output", output);
  mt_command_add_word (out, "--");
  mt_command_add_word (out, data);
  return g_string_free (g_steal_pointer (&out), FALSE);
}
