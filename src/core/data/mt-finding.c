/* Something about the data that a person should know before trusting a model. See mt-finding.h. */
#include "config.h"
#include "mt-finding.h"

MtFinding *
mt_finding_new (const char *code,
                MtSeverity  severity,
                int         column,
                const char *column_name,
                guint64     line,
                MtSaid      message)
{
  MtFinding *finding = g_new0 (MtFinding, 1);

  g_atomic_ref_count_init (&finding->ref_count);
  finding->code = g_strdup (code);
  finding->severity = severity;
  finding->column = column;
  finding->column_name = g_strdup (column_name);
  finding->line = line;
  finding->message = message.english;
  finding->shown = message.shown;
  return finding;
}

MtFinding *
mt_finding_ref (MtFinding *finding)
{
  g_atomic_ref_count_inc (&finding->ref_count);
  return finding;
}

void
mt_finding_unref (MtFinding *finding)
{
  if (finding == NULL || !g_atomic_ref_count_dec (&finding->ref_count))
    return;
  g_free (finding->code);
  g_free (finding->column_name);
  g_free (finding->message);
  g_free (finding->shown);
  g_free (finding->fix_value);
  g_free (finding);
}

const char *
mt_severity_to_string (MtSeverity severity)
{
  static const char * const words[] = { "note", "warning", "error" };

  g_return_val_if_fail ((guint) severity < G_N_ELEMENTS (words), NULL);
  return words[severity];
}
