/* What a report is made from: the model one looks at, the rows that are open, and what was written for it.
 * See mt-report-input.h. */
#include "config.h"
#include "mt-report-input.h"

#include "study/mt-selected-model-file.h"
#include "document/mt-reason-notes.h"
#include "document/mt-subgroup-columns.h"
#include "study/mt-study-record.h"

/* What both kinds have. */
static MtReportInput *
input_new (MtDocument           *document,
           const MtVerifyReport *checks)
{
  MtReportInput *input = g_atomic_rc_box_new0 (MtReportInput);

  for (guint i = 0; i < MT_N_REPORT_TEXTS; i++)
    input->texts[i] = g_strdup (mt_document_get_note (document, mt_report_text_to_string (i)));
  input->reasons = g_strdup (mt_document_get_note (document, MT_NOTE_REASONS));
  input->paper = g_strcmp0 (mt_document_get_note (document, MT_NOTE_PAPER), "letter") == 0 ? MT_PAPER_LETTER : MT_PAPER_A4;
  input->date = mt_report_get_date ();
  input->checks = checks != NULL ? mt_verify_report_to_json (checks, NULL) : NULL;
  return input;
}

MtReportInput *
mt_report_input_new (MtStudy              *study,
                     MtDocument           *document,
                     MtBenchmarks         *benchmarks,
                     const MtVerifyReport *checks)
{
  MtSelectedModel *fitted = mt_study_get_fitted (study);
  MtImport *import = mt_document_get_import (document);
  MtReportInput *input;

  g_return_val_if_fail (fitted != NULL, NULL);

  input = input_new (document, checks);
  input->fitted = mt_selected_model_ref (fitted);
  input->import = import != NULL ? mt_import_ref (import) : NULL;
  input->data_name = mt_document_dup_title (document);
  if (mt_document_get_findings (document) != NULL)
    input->findings = g_ptr_array_ref (mt_document_get_findings (document));   /* never changed, but replaced */
  input->record = mt_study_make_record (study, document, benchmarks);
  input->by = mt_subgroup_columns_dup (document);
  if (import != NULL)
    input->reading = mt_decisions_dup_arguments (mt_document_get_decisions (document), mt_import_get_table (import),
                                                 fitted->basis->table);
  return input;
}

MtReportInput *
mt_report_input_new_bare (MtModel              *model,
                          const char           *path,
                          MtDocument           *document,
                          const MtVerifyReport *checks)
{
  MtReportInput *input = input_new (document, checks);
  g_autofree char *record = path != NULL ? mt_search_record_dup_path (path) : NULL;

  input->model = mt_model_ref (model);
  /* One that is not there, or of another model, is none. */
  if (record != NULL)
    input->record = mt_search_record_load (record, model, NULL);
  return input;
}

MtReportInput *
mt_report_input_ref (MtReportInput *input)
{
  return g_atomic_rc_box_acquire (input);
}

static void
input_clear (gpointer data)
{
  MtReportInput *input = data;

  g_clear_pointer (&input->model, mt_model_unref);
  g_clear_pointer (&input->fitted, mt_selected_model_unref);
  g_clear_pointer (&input->import, mt_import_unref);
  g_free (input->data_name);
  g_clear_pointer (&input->findings, g_ptr_array_unref);
  for (guint i = 0; i < MT_N_REPORT_TEXTS; i++)
    g_free (input->texts[i]);
  g_free (input->reasons);
  g_clear_pointer (&input->record, mt_search_record_free);
  g_free (input->checks);
  g_strfreev (input->by);
  g_free (input->reading);
}

void
mt_report_input_unref (MtReportInput *input)
{
  if (input != NULL)
    g_atomic_rc_box_release_full (input, input_clear);
}

gboolean
mt_report_input_same_model (const MtReportInput *a,
                            const MtReportInput *b)
{
  return a == b || (a != NULL && b != NULL && a->model == b->model && a->fitted == b->fitted && a->import == b->import &&
                    g_strcmp0 (a->reasons, b->reasons) == 0 && g_strcmp0 (a->reading, b->reading) == 0);
}

static gboolean
same_words (char **a,
            char **b)
{
  return a == b || (a != NULL && b != NULL && g_strv_equal ((const char * const *) a, (const char * const *) b));
}

/* Runs are added and findings dismissed; neither is changed in place. */
static gboolean
same_record (const MtSearchRecord *a,
             const MtSearchRecord *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return a->runs->len == b->runs->len && a->points->len == b->points->len && a->chosen == b->chosen &&
         a->recommended == b->recommended && a->n_baselines == b->n_baselines &&
         (a->dismissals != NULL ? a->dismissals->len : 0) == (b->dismissals != NULL ? b->dismissals->len : 0);
}

gboolean
mt_report_input_equal (const MtReportInput *a,
                       const MtReportInput *b)
{
  if (a == b || a == NULL || b == NULL)
    return a == b;
  for (guint i = 0; i < MT_N_REPORT_TEXTS; i++)
    if (g_strcmp0 (a->texts[i], b->texts[i]) != 0)
      return FALSE;
  return mt_report_input_same_model (a, b) && a->paper == b->paper && a->spare_test == b->spare_test &&
         a->n_tested == b->n_tested && a->findings == b->findings && g_strcmp0 (a->data_name, b->data_name) == 0 &&
         g_strcmp0 (a->checks, b->checks) == 0 && same_words (a->by, b->by) && same_record (a->record, b->record);
}

const MtRuleSet *
mt_report_input_get_rules (const MtReportInput *input)
{
  return input->model != NULL ? mt_model_get_rules (input->model) : input->fitted->point.rules;
}

const MtEncoder *
mt_report_input_get_encoder (const MtReportInput *input)
{
  return input->model != NULL ? mt_model_get_encoder (input->model) : input->fitted->basis->encoder;
}

char *
mt_report_input_dup_key (const MtReportInput *input)
{
  return mt_test_set_ledger_dup_key (mt_report_input_get_rules (input), mt_report_input_get_encoder (input));
}

gboolean
mt_report_input_has_test (const MtReportInput *input)
{
  return input->fitted != NULL && input->fitted->basis->test != NULL && input->import != NULL;
}

MtModel *
mt_report_input_dup_model (MtReportInput  *input,
                           GError        **error)
{
  g_autoptr (MtModel) model = input->model != NULL ? mt_model_ref (input->model)
                                                   : mt_selected_model_make_model (input->fitted, input->import,
                                                                          input->reading, error);

  return model != NULL ? mt_reason_notes_apply (input->reasons, model, error) : NULL;
}

/* --- threads --- */

typedef struct {
  MtReportInput    *input;
  char             *path;
  gboolean          as_pdf;
  MtReportProgress  progress;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  mt_report_input_unref (job->input);
  g_free (job->path);
  g_free (job);
}

/* @wait: its progress counts, too. */
static MtReport *
make_report (MtReportInput       *input,
             gboolean             spare_test,
             const MtReportWait  *wait,
             GError             **error)
{
  g_autoptr (MtModel) model = mt_report_input_dup_model (input, error);
  g_autoptr (MtVerifyReport) checks = input->checks != NULL ? mt_verify_report_from_json (input->checks, -1, NULL) : NULL;
  MtReportParts parts = { .model = model, .data = input->import, .data_name = input->data_name,
                          .findings = input->findings, .date = input->date,
                          .record = input->record, .checks = checks, .by = (const char * const *) input->by,
                          .spare_test = spare_test, .n_tested = input->n_tested, .progress = wait->progress,
                          .progress_data = wait->progress_data };

  for (guint i = 0; i < MT_N_REPORT_TEXTS; i++)
    parts.texts[i] = input->texts[i];
  return model != NULL ? mt_report_new (&parts, wait->cancellable, error) : NULL;
}

static void
lay_out_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  const MtReportWait wait = { .cancellable = cancellable };
  g_autoptr (MtReport) report = make_report (job->input, job->input->spare_test, &wait, &error);
  MtReportPages *pages = report != NULL ? mt_report_to_pages (report, job->input->paper, cancellable, &error) : NULL;

  if (pages != NULL)
    g_task_return_pointer (task, pages, (GDestroyNotify) mt_report_pages_unref);
  else
    g_task_return_error (task, error);
}

void
mt_report_input_lay_out (MtReportInput       *input,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->input = mt_report_input_ref (input);
  g_task_set_source_tag (task, mt_report_input_lay_out);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, lay_out_thread);
}

MtReportPages *
mt_report_input_lay_out_finish (GAsyncResult  *result,
                                GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

typedef struct {
  GTask  *task;
  guint   step;
  double  done;
} Step;

static gboolean
tell_step (gpointer data)
{
  Step *step = data;
  Job *job = g_task_get_task_data (step->task);

  if (!g_task_get_completed (step->task) && !g_cancellable_is_cancelled (g_task_get_cancellable (step->task)))
    job->progress (g_task_get_source_object (step->task), step->step, step->done);
  return G_SOURCE_REMOVE;
}

static void
step_free (gpointer data)
{
  Step *step = data;

  g_object_unref (step->task);
  g_free (step);
}

/* What the worker knows of where it is. */
typedef struct {
  GTask  *task;
  guint   step;
  double  told;
} Worker;

static void
tell (Worker *worker,
      double  done)
{
  Step *step = g_new0 (Step, 1);

  step->task = g_object_ref (worker->task);
  step->step = worker->step;
  step->done = worker->told = done;
  g_idle_add_full (G_PRIORITY_DEFAULT, tell_step, step, step_free);
}

/* Measuring and laying out take about as long; a word a hundredth is enough. */
static void
on_progress (double   done,
             gpointer data)
{
  Worker *worker = data;
  double all = (worker->step + done) / 2 * 0.96;

  if (all >= worker->told + 0.01)
    tell (worker, all);
}

static void
save_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Job *job = data;
  Worker worker = { .task = task };
  const MtReportWait wait = { on_progress, &worker, cancellable };
  GError *error = NULL;
  g_autoptr (MtReport) report = NULL;
  g_autoptr (GBytes) bytes = NULL;

  tell (&worker, 0);
  report = make_report (job->input, FALSE, &wait, &error);
  worker.step = 1;
  if (report != NULL && !g_cancellable_set_error_if_cancelled (cancellable, &error))
    bytes = mt_report_render (report, job->as_pdf ? MT_REPORT_PDF : MT_REPORT_HTML, job->input->paper, &wait, &error);
  worker.step = 2;
  tell (&worker, 0.97);
  if (bytes != NULL && !g_cancellable_set_error_if_cancelled (cancellable, &error) &&
      mt_file_write (job->path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), MT_FILE_REPLACE, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
mt_report_input_save (MtReportInput       *input,
                      const char          *path,
                      gboolean             as_pdf,
                      gpointer             owner,
                      GCancellable        *cancellable,
                      MtReportProgress     progress,
                      GAsyncReadyCallback  callback)
{
  g_autoptr (GTask) task = g_task_new (owner, cancellable, callback, NULL);
  Job *job = g_new0 (Job, 1);

  job->input = mt_report_input_ref (input);
  job->path = g_strdup (path);
  job->as_pdf = as_pdf;
  job->progress = progress;
  g_task_set_source_tag (task, mt_report_input_save);
  g_task_set_task_data (task, job, job_free);
  /* What was written is there, however late a cancel comes. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, save_thread);
}

gboolean
mt_report_input_save_finish (GAsyncResult  *result,
                             GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
