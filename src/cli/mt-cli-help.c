#include "config.h"
#include "mt-cli-help.h"

#include <string.h>

#include "mt-cli-terminal.h"

#define FEW_OPTIONS  10          /* so many need no headings */
#define INDENT       26          /* of what an option does */

static const char about_program[] =
  "Learns rule models from CSV files, spreadsheets, and databases: small sets of weighted rules that can be read, "
  "checked, and exported.";

static const char exit_status[][2][64] = {
  { "0", "Success." }, { "1", "The command failed." }, { "2", "The command line is not valid." },
};

/* Where an option stands in the help. What is not listed belongs to its command alone and comes first. */
static const struct {
  const char *title;
  const char *options[16];
} groups[] = {
  { "Options", { NULL } },
  { "Data", { "target", "role", "split-by", "type", "task", "data", "by", "test", "test-fraction", "split-seed", NULL } },
  { "Rules", { "bits", "thresholds", "fan-in", "rounds", "max-literals", "literals", "dont-care", "linear-terms",
               "class-weights", "method", "refine", NULL } },
  { "Constraints", { "ban", "monotone", "no-negation", NULL } },
  { "Validation", { "folds", "repeats", "baselines", "evaluate-frontier", NULL } },
  { "Networks", { "restarts", "nodes", "node", "temperature", "start", "head", "learning-rate", "batch", "epochs", NULL } },
  { "File format", { "sheet", "table", "query", "derive", "missing", "missing-in", "no-usual-missing", "encoding", "delimiter", "quote", "decimal",
                     "thousands", "header", "no-header", NULL } },
  { "Output", { "output", "all", "json", NULL } },
  { "General", { "seed", "threads", "device", "device-memory", "help", NULL } },
};

static char *
dup_about (const MtCliCommand *command)
{
  return command->about != NULL ? g_strdup (command->about) : g_strdup_printf ("%s.", command->summary);
}

static guint
count_shown (const GOptionEntry *entries)
{
  guint n = 0;

  for (; entries->long_name != NULL; entries++)
    n += (entries->flags & G_OPTION_FLAG_HIDDEN) == 0;
  return n;
}

static guint
find_group (const char *option)
{
  for (guint g = 1; g < G_N_ELEMENTS (groups); g++)
    if (g_strv_contains (groups[g].options, option))
      return g;
  return 0;
}

typedef void (* EachTitle) (GString *out, const char *title);
typedef void (* EachOption) (GString *out, const GOptionEntry *entry, guint width);

/* Within a group, options follow the order of the group. */
static void
append_group (GString            *out,
              guint               group,
              const GOptionEntry *entries,
              guint               width,
              EachTitle           append_title,
              EachOption          append_option)
{
  gboolean has_title = FALSE;
  guint n_names = 1;

  while (group > 0 && groups[group].options[n_names] != NULL)
    n_names++;
  for (guint n = 0; n < n_names; n++)
    for (const GOptionEntry *it = entries; it->long_name != NULL; it++)
      {
        if ((it->flags & G_OPTION_FLAG_HIDDEN) != 0 || find_group (it->long_name) != group ||
            (group > 0 && strcmp (it->long_name, groups[group].options[n]) != 0))
          continue;
        if (!has_title)
          append_title (out, groups[group].title);
        has_title = TRUE;
        append_option (out, it, width);
      }
}

static void
append_options (GString            *out,
                const GOptionEntry *entries,
                guint               width,
                EachTitle           append_title,
                EachOption          append_option)
{
  if (count_shown (entries) > FEW_OPTIONS)
    {
      for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
        append_group (out, g, entries, width, append_title, append_option);
      return;
    }
  append_title (out, groups[0].title);
  for (; entries->long_name != NULL; entries++)
    if ((entries->flags & G_OPTION_FLAG_HIDDEN) == 0)
      append_option (out, entries, width);
}

/* --- text --- */

static void
append_text_title (GString    *out,
                   const char *title)
{
  g_string_append_printf (out, "\n%s:\n", title);
}

/* @left in its column, and what it does beside it, or below where it is too long. */
static void
append_pair (GString    *out,
             const char *left,
             const char *right,
             guint       indent,
             guint       width)
{
  g_autofree char *start = g_strdup_printf ("  %s", left);
  guint used = mt_cli_text_width (start);

  g_string_append (out, start);
  if (used + 1 > indent)
    {
      g_string_append_c (out, '\n');
      used = 0;
    }
  for (; used < indent; used++)
    g_string_append_c (out, ' ');
  mt_cli_append_wrapped (out, right, width, indent, indent);
  g_string_append_c (out, '\n');
}

static void
append_text_option (GString            *out,
                    const GOptionEntry *entry,
                    guint               width)
{
  g_autoptr (GString) left = g_string_new (NULL);

  if (entry->short_name != 0)
    g_string_append_printf (left, "-%c, ", entry->short_name);
  else
    g_string_append (left, "    ");
  g_string_append_printf (left, "--%s", entry->long_name);
  if (entry->arg_description != NULL)
    g_string_append_printf (left, " %s", entry->arg_description);
  append_pair (out, left->str, entry->description, INDENT, width);
}

static void
append_paragraphs (GString    *out,
                   const char *text,
                   guint       width)
{
  g_auto (GStrv) paragraphs = g_strsplit (text, "\n", -1);

  for (guint i = 0; paragraphs[i] != NULL; i++)
    {
      g_string_append_c (out, '\n');
      mt_cli_append_wrapped (out, paragraphs[i], width, 0, 0);
      g_string_append_c (out, '\n');
    }
}

static void
append_commands (GString            *out,
                 const MtCliCommand *commands,
                 guint               width)
{
  for (; commands->name != NULL; commands++)
    {
      const char *space = strchr (commands->name, ' ');

      append_pair (out, space != NULL ? space + 1 : commands->name, commands->summary, 16, width);
    }
}

char *
mt_cli_dup_help (guint width)
{
  GString *out = g_string_new ("Usage: minterm-cli COMMAND [OPTION…]\n");

  append_paragraphs (out, about_program, width);
  append_text_title (out, "Commands");
  append_commands (out, mt_cli_get_commands (), width);
  append_text_title (out, "Options");
  append_pair (out, "-h, --help", "Show this help", 16, width);
  append_pair (out, "-V, --version", "Show the version", 16, width);
  append_paragraphs (out, "Run 'minterm-cli help COMMAND' for details. Exit status: 0 success, 1 failure, 2 usage error.",
                     width);
  return g_string_free (out, FALSE);
}

char *
mt_cli_dup_command_help (const MtCliCommand *command,
                         const GOptionEntry *entries,
                         guint               width)
{
  GString *out = g_string_new (NULL);
  g_autofree char *about = dup_about (command);
  const char *space = *command->synopsis != '\0' ? " " : "";
  gboolean is_bench = strcmp (command->name, "bench") == 0;

  g_string_append_printf (out, "Usage: minterm-cli %s%s%s [OPTION…]\n", command->name, space, command->synopsis);
  append_paragraphs (out, about, width);
  if (is_bench)
    {
      append_text_title (out, "Measurements");
      append_commands (out, mt_cli_get_benchmarks (), width);
    }
  append_text_title (out, "Examples");
  for (guint i = 0; i < G_N_ELEMENTS (command->examples); i++)
    {
      g_string_append (out, "  ");
      mt_cli_append_wrapped (out, command->examples[i].does, width, 2, 2);
      g_string_append_printf (out, "\n    minterm-cli %s\n", command->examples[i].command);
    }
  if (!is_bench)
    append_options (out, entries, width, append_text_title, append_text_option);
  return g_string_free (out, FALSE);
}

/* --- man pages --- */

/* Text as roff has it: no character of it is a request, and a hyphen is the one that is typed. */
static void
append_roff (GString    *out,
             const char *text)
{
  if (*text == '.' || *text == '\'')
    g_string_append (out, "\\&");
  for (; *text != '\0'; text++)
    if (*text == '\\')
      g_string_append (out, "\\e");
    else if (*text == '-')
      g_string_append (out, "\\-");
    else if (*text == '\'')
      g_string_append (out, "\\(aq");
    else if (*text == '"')
      g_string_append (out, "\\(dq");
    else
      g_string_append_c (out, *text);
}

static void
append_roff_line (GString    *out,
                  const char *before,
                  const char *text,
                  const char *after)
{
  g_string_append (out, before);
  append_roff (out, text);
  g_string_append (out, after);
}

static void
append_man_head (GString    *out,
                 const char *name,
                 const char *summary)
{
  g_autofree char *page = g_strdup (name);
  g_autofree char *title = NULL;
  g_autofree char *verb = g_strdup (summary);

  for (char *p = page; *p != '\0'; p++)
    if (*p == ' ')
      *p = '-';
  title = g_ascii_strup (page, -1);
  verb[0] = g_ascii_tolower (verb[0]);
  append_roff_line (out, ".TH \"", title, "\" 1 \"\" \"Minterm " MT_VERSION "\" \"User Commands\"\n.SH NAME\n");
  append_roff (out, page);
  append_roff_line (out, " \\- ", verb, "\n.SH SYNOPSIS\n");
}

static void
append_man_title (GString    *out,
                  const char *title)
{
  append_roff_line (out, ".SS \"", title, "\"\n");
}

static void
append_man_option (GString            *out,
                   const GOptionEntry *entry,
                   guint               width)
{
  g_string_append (out, ".TP\n");
  if (entry->short_name != 0)
    g_string_append_printf (out, "\\fB\\-%c\\fR, ", entry->short_name);
  append_roff_line (out, "\\fB\\-\\-", entry->long_name, "\\fR");
  if (entry->arg_description != NULL)
    append_roff_line (out, " \\fI", entry->arg_description, "\\fR");
  append_roff_line (out, "\n", entry->description, "\n");
}

static void
append_man_paragraphs (GString    *out,
                       const char *text)
{
  g_auto (GStrv) paragraphs = g_strsplit (text, "\n", -1);

  for (guint i = 0; paragraphs[i] != NULL; i++)
    append_roff_line (out, i > 0 ? ".PP\n" : "", paragraphs[i], "\n");
}

static void
append_man_commands (GString            *out,
                     const MtCliCommand *commands)
{
  for (; commands->name != NULL; commands++)
    {
      const char *space = strchr (commands->name, ' ');

      append_roff_line (out, ".TP\n\\fB", space != NULL ? space + 1 : commands->name, "\\fR\n");
      append_roff_line (out, "", commands->summary, ".\n");
    }
}

static void
append_man_exit (GString *out)
{
  g_string_append (out, ".SH EXIT STATUS\n");
  for (guint i = 0; i < G_N_ELEMENTS (exit_status); i++)
    g_string_append_printf (out, ".TP\n%s\n%s\n", exit_status[i][0], exit_status[i][1]);
}

char *
mt_cli_dup_man (void)
{
  GString *out = g_string_new (NULL);

  append_man_head (out, "minterm-cli", "Learn rule models from tables");
  g_string_append (out, "\\fBminterm\\-cli\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n");
  append_man_paragraphs (out, about_program);
  g_string_append (out, ".PP\nEach command has a page of its own: see \\fBminterm\\-cli\\-train\\fR(1), for example.\n"
                        ".SH COMMANDS\n");
  append_man_commands (out, mt_cli_get_commands ());
  g_string_append (out, ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow help.\n"
                        ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nShow the version.\n");
  append_man_exit (out);
  g_string_append (out, ".SH SEE ALSO\n");
  for (const MtCliCommand *it = mt_cli_get_commands (); it->name != NULL; it++)
    append_roff_line (out, ".BR minterm\\-cli\\-", it->name, it[1].name != NULL ? " (1),\n" : " (1)\n");
  return g_string_free (out, FALSE);
}

char *
mt_cli_dup_command_man (const MtCliCommand *command,
                        const GOptionEntry *entries)
{
  GString *out = g_string_new (NULL);
  g_autofree char *name = g_strdup_printf ("minterm-cli %s", command->name);
  g_autofree char *about = dup_about (command);

  append_man_head (out, name, command->summary);
  append_roff_line (out, "\\fB", name, "\\fR ");
  append_roff (out, command->synopsis);
  g_string_append (out, " [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n");
  append_man_paragraphs (out, about);
  if (strcmp (command->name, "bench") == 0)
    {
      g_string_append (out, ".SH MEASUREMENTS\n");
      append_man_commands (out, mt_cli_get_benchmarks ());
    }
  else
    {
      g_string_append (out, ".SH OPTIONS\n");
      append_options (out, entries, 0, append_man_title, append_man_option);
    }
  g_string_append (out, ".SH EXAMPLES\n");
  for (guint i = 0; i < G_N_ELEMENTS (command->examples); i++)
    {
      append_roff_line (out, ".PP\n", command->examples[i].does, "\n.PP\n.nf\n.RS 4\n");
      append_roff_line (out, "minterm\\-cli ", command->examples[i].command, "\n.RE\n.fi\n");
    }
  append_man_exit (out);
  g_string_append (out, ".SH SEE ALSO\n.BR minterm\\-cli (1)\n");
  return g_string_free (out, FALSE);
}
