/* The Train page: what works and what waits, how the loss falls, how long it takes. See mt-train-page.h. */
#include "config.h"
#include "mt-train-page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "document/mt-run-words.h"
#include "widgets/mt-flow-layout.h"
#include "document/mt-run-words.h"
#include "util/mt-format.h"
#include "widgets/mt-next-step-button.h"
#include "widgets/mt-pair-layout.h"
#include "util/mt-preferences.h"
#include "widgets/mt-run-advice.h"
#include "mt-run-row.h"
#include "mt-train-charts.h"

#define FEW_MS 1000   /* the times shown move on though nothing is heard of the run */
#define FEW_RUNS 8

struct _MtTrainPage {
  AdwBin              parent_instance;

  /* template children */
  GtkStack           *stack;
  AdwStatusPage      *empty;
  GtkButton          *empty_button;
  GtkLabel           *title;
  GtkLabel           *about;
  GtkButton          *stop;
  GtkLabel           *stop_note;
  GtkButton          *resume;
  GtkButton          *show_frontier;
  GtkWidget          *phases;
  GtkBox             *steps;
  GtkLabel           *step_text;
  GtkProgressBar     *bar;
  GtkLabel           *bar_text;
  GtkFlowBox         *facts;
  GtkLabel           *device_note;
  GtkWidget          *failure;
  GtkLabel           *failure_text;
  GtkLabel           *failure_advice;
  GtkButton          *failure_button;
  MtTrainCharts      *charts;
  GtkListView        *list;

  MtDocument         *document;
  MtStudy            *study;
  GtkSingleSelection *selection;    /* the run whose curves are shown */
  MtRun              *followed;     /* the current one was selected for the person */
  guint               ticking;
};

static guint run_changed_signal;

G_DEFINE_FINAL_TYPE (MtTrainPage, mt_train_page, ADW_TYPE_BIN)

/* --- words --- */

static const char *
phase_name (MtRunPhase phase)
{
  static const char * const names[] = { N_("Encode"), N_("Train"), N_("Refine"), N_("Folds") };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MT_RUN_N_PHASES);
  return _(names[phase]);
}

/* --- the card on top --- */

#define MOST_FACTS 6

typedef struct {
  const char *name;
  char       *value;
} Fact;

static guint
count_done (GArray *parts)
{
  guint n = 0;

  for (guint i = 1; i < parts->len; i++)
    n += g_array_index (parts, double, i) > 1 - 1e-9;
  return n;
}

static char *
describe_rate (double per_second)
{
  return per_second < 10 ? mt_format_fixed (per_second, 1) : mt_format_count ((guint64) per_second);
}

/* How far the phase is, and how fast where that can be said: one or two. */
static guint
tell_phase (MtRun *run,
            Fact  *facts)
{
  const MtRunProgress *progress = mt_run_get_progress (run);
  GArray *parts = mt_run_get_parts (run);
  double rate = 0;
  const char *rate_format = NULL;
  guint n = 0;

  switch (progress->phase)
    {
    case MT_RUN_PHASE_TRAIN:
      facts[n].name = _("Epoch");
      /* Translators: the epoch now, the most there can be */
      facts[n++].value = g_strdup_printf (_("%u of at most %u"), progress->epoch, progress->max_epochs);
      rate = progress->rows_per_second;
      rate_format = _("%s rows/s");
      break;
    case MT_RUN_PHASE_REFINE:
      if (progress->literals > 0)
        {
          facts[n].name = _("Literals left");
          facts[n++].value = mt_format_count (progress->literals);
        }
      else
        {
          facts[n].name = _("Rules from all rows");
          facts[n++].value = mt_format_share (parts->len > 0 ? g_array_index (parts, double, 0) : 0);
        }
      rate = progress->models_per_second;
      /* Translators: a formatted number of models that were tried a second */
      rate_format = _("%s models/s");
      break;
    case MT_RUN_PHASE_FOLDS:
      facts[n].name = _("Folds done");
      /* Translators: how many are done, of how many */
      facts[n++].value = g_strdup_printf (_("%u of %u"), count_done (parts), MAX (parts->len, 1) - 1);
      break;
    case MT_RUN_PHASE_ENCODE:
    case MT_RUN_N_PHASES:
    default:
      facts[n].name = _("Rows to encode");
      facts[n++].value = mt_format_count (mt_table_get_n_rows (mt_run_get_table (run)));
      break;
    }
  if (rate > 0)
    {
      g_autofree char *text = describe_rate (rate);
      g_autoptr (GString) value = g_string_new (rate_format);

      g_string_replace (value, "%s", text, 1);
      facts[n].name = _("Speed");
      facts[n++].value = g_string_free (g_steal_pointer (&value), FALSE);
    }
  return n;
}

/* What it computes on, or did then, whatever is preferred today. */
static char *
describe_device (const MtRunDevice *device)
{
  g_autofree char *cpu = NULL;

  if (device == NULL)
    return g_strdup (_("Not recorded"));
  cpu = device->n_threads > 0
        ? g_strdup_printf (ngettext ("CPU, %u thread", "CPU, %u threads", device->n_threads), device->n_threads)
        : g_strdup (_("CPU"));
  /* Networks on the GPU, rules on the CPU. */
  return g_str_equal (device->used, "cuda") ? g_strconcat ("CUDA · ", cpu, NULL) : g_steal_pointer (&cpu);
}

static void
show_facts (MtTrainPage *self,
            MtRun       *run)
{
  gboolean running = mt_run_get_state (run) == MT_RUN_RUNNING;
  double left = mt_run_get_left (run);
  MtStudyProgress all;
  Fact facts[MOST_FACTS];
  guint n = running ? tell_phase (run, facts) : 0;

  mt_study_get_progress (self->study, &all);
  facts[n].name = running ? _("Elapsed") : _("Time");
  facts[n++].value = mt_format_seconds (all.n_runs > 1 ? all.elapsed : mt_run_get_elapsed (run));
  if (running)
    {
      facts[n].name = _("This run, remaining");
      facts[n++].value = isnan (left) ? g_strdup ("…") : mt_format_seconds (left);
    }
  if (running && all.n_runs > 1)
    {
      facts[n].name = _("All runs, remaining");
      facts[n++].value = isnan (all.left) ? g_strdup ("…") : mt_format_seconds (all.left);
    }
  facts[n].name = _("Device");
  facts[n++].value = describe_device (mt_run_get_device (run));
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    {
      GtkFlowBoxChild *child = gtk_flow_box_get_child_at_index (self->facts, (int) i);
      GtkWidget *box = gtk_flow_box_child_get_child (child);

      gtk_widget_set_visible (GTK_WIDGET (child), i < n);
      if (i >= n)
        continue;
      gtk_label_set_label (GTK_LABEL (gtk_widget_get_first_child (box)), facts[i].name);
      gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (box)), facts[i].value);
      g_free (facts[i].value);
    }
}

/* A phase that this run does not have is left out, and the others are numbered without it. */
static void
show_steps (MtTrainPage *self,
            MtRun       *run)
{
  const MtRunSettings *settings = mt_run_get_settings (run);
  MtRunPhase phase = mt_run_get_progress (run)->phase;
  gboolean running = mt_run_get_state (run) == MT_RUN_RUNNING, done = mt_run_get_state (run) == MT_RUN_DONE;
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->steps));
  g_autofree char *text = NULL;
  g_autoptr (GString) names = g_string_new ("✓");
  guint number = 0, current = 0;

  for (guint i = 0; i < MT_RUN_N_PHASES; i++)
    {
      gboolean has = (i != MT_RUN_PHASE_TRAIN || mt_run_settings_has_network (settings)) &&
                     (i != MT_RUN_PHASE_FOLDS || settings->folds > 0);
      gboolean past = done || (running && i < phase);
      GtkWidget *badge = gtk_widget_get_first_child (child);
      g_autofree char *digit = NULL;

      number += has;
      if (has)
        g_string_append_printf (names, "%s%s", number > 1 ? " · " : " ", phase_name (i));
      if (running && i == phase)
        current = number;
      digit = past ? g_strdup ("✓") : g_strdup_printf ("%u", number);
      gtk_label_set_label (GTK_LABEL (badge), digit);
      gtk_widget_set_visible (child, has);
      gtk_widget_remove_css_class (child, "past");
      gtk_widget_remove_css_class (child, "now");
      if (past)
        gtk_widget_add_css_class (child, "past");
      else if (running && i == phase)
        gtk_widget_add_css_class (child, "now");
      child = gtk_widget_get_next_sibling (child);
    }
  if (current > 0)
    /* Translators: number of the phase, how many there are, its name */
    text = g_strdup_printf (_("Phase %u of %u: %s"), current, number, phase_name (phase));
  gtk_label_set_label (self->step_text, text != NULL ? text : names->str);
  gtk_widget_set_visible (self->phases, running || done);
}

static char *
describe_end (MtTrainPage           *self,
              const MtStudyProgress *all,
              MtRun                 *run)
{
  MtRunState state = mt_run_get_state (run);

  if (all->n_runs > 1)
    return g_strdup_printf (ngettext ("%u Run", "%u Runs", all->n_runs), all->n_runs);
  return g_strdup (state == MT_RUN_DONE ? _("Finished") : state == MT_RUN_FAILED ? _("Failed") : _("Stopped"));
}

/* How the runs of the last batch ended: "10 finished, 2 stopped". */
static char *
count_states (MtTrainPage           *self,
              const MtStudyProgress *all)
{
  GListModel *runs = mt_study_get_runs (self->study);
  guint counts[MT_RUN_STOPPED + 1] = { 0 };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = g_list_model_get_n_items (runs) - all->n_runs; i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr (MtRun) run = g_list_model_get_item (runs, i);

      counts[mt_run_get_state (run)]++;
    }
  g_string_append_printf (text, ngettext ("%u finished", "%u finished", counts[MT_RUN_DONE]), counts[MT_RUN_DONE]);
  if (counts[MT_RUN_STOPPED] > 0)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, ngettext ("%u stopped", "%u stopped", counts[MT_RUN_STOPPED]),
                              counts[MT_RUN_STOPPED]);
    }
  if (counts[MT_RUN_FAILED] > 0)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, ngettext ("%u failed", "%u failed", counts[MT_RUN_FAILED]), counts[MT_RUN_FAILED]);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What there is when it is stopped now: rules are kept once all rows have given theirs and only folds still judge. */
static const char *
describe_stop (MtTrainPage           *self,
               const MtStudyProgress *all,
               MtRun                 *run)
{
  GListModel *runs = mt_study_get_runs (self->study);

  if (mt_run_get_state (run) == MT_RUN_RUNNING && mt_run_get_progress (run)->phase == MT_RUN_PHASE_FOLDS)
    return _("Keeps the rules found so far");
  for (guint i = g_list_model_get_n_items (runs) - all->n_runs; i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr (MtRun) each = g_list_model_get_item (runs, i);

      if (mt_run_get_state (each) == MT_RUN_DONE)
        return _("Keeps finished runs");
    }
  return _("No rules found yet");
}

static void
show_stop (MtTrainPage           *self,
           const MtStudyProgress *all,
           MtRun                 *run)
{
  const char *note = describe_stop (self, all, run);

  if (g_strcmp0 (gtk_label_get_label (self->stop_note), note) == 0)
    return;
  gtk_label_set_label (self->stop_note, note);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->stop), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, note, -1);
}

static void
show_head (MtTrainPage *self,
           MtRun       *run)
{
  gboolean running = mt_study_is_running (self->study);
  g_autofree char *settings = mt_run_settings_describe (mt_run_get_settings (run));
  g_autofree char *title = NULL;
  g_autofree char *percent = NULL;
  g_autofree char *bar_text = NULL;
  g_autofree char *counts = NULL;
  MtStudyProgress all;

  mt_study_get_progress (self->study, &all);
  if (!running)
    title = describe_end (self, &all, run);
  else if (all.n_runs > 1)
    title = g_strdup_printf (_("Run %u of %u"), all.n_done + 1, all.n_runs);
  else
    title = g_strdup (_("Finding Rules"));
  gtk_label_set_label (self->title, title);
  if (!running && all.n_runs > 1)
    counts = count_states (self, &all);
  gtk_label_set_label (self->about, counts != NULL ? counts : settings);
  percent = mt_format_share (all.fraction);
  bar_text = all.n_runs > 1 ? g_strdup_printf (_("%s of the sweep"), percent) : g_strdup (percent);
  gtk_progress_bar_set_fraction (self->bar, all.fraction);
  gtk_label_set_label (self->bar_text, bar_text);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->bar)), running);
  if (running)
    show_stop (self, &all, run);
  gtk_widget_set_visible (GTK_WIDGET (self->stop), running);
  gtk_widget_set_visible (GTK_WIDGET (self->resume), !running && mt_study_can_resume (self->study));
  gtk_widget_set_visible (GTK_WIDGET (self->show_frontier), mt_study_get_selected (self->study) != NULL);
  /* After a failure the way on is the one next to its message. */
  if (running || mt_run_get_error (run) != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self->show_frontier), "suggested-action");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->show_frontier), "suggested-action");
}

static void
show_failure (MtTrainPage *self,
              MtRun       *run)
{
  const GError *error = mt_run_get_error (run);
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->failure, error != NULL);
  if (error == NULL)
    return;
  text = mt_format_sentence (error->message);
  gtk_label_set_label (self->failure_text, text);
  gtk_label_set_label (self->failure_advice, mt_run_advice_get (error));
  mt_run_advice_show (error, self->failure_button);
}

/* A device that was asked for and could not be used. */
static void
show_device (MtTrainPage *self,
             MtRun       *run)
{
  const MtRunDevice *device = mt_run_get_device (run);
  g_autofree char *why = NULL;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->device_note), device != NULL && device->error != NULL);
  if (device == NULL || device->error == NULL)
    return;
  why = mt_format_paragraph (device->error);
  /* Translators: %s is the reason, a sentence */
  text = g_strdup_printf (_("Trained on the CPU because the GPU was not available. %s"), why);
  gtk_label_set_label (self->device_note, text);
}

static void
show_empty (MtTrainPage *self)
{
  MtNextStep step = mt_next_step_find (self->document, self->study);
  const char *hint = mt_next_step_get_hint (step);

  adw_status_page_set_description (self->empty, hint != NULL ? hint
    : _("Train with the settings on the Model page. Curves and the queue of runs appear here."));
  mt_next_step_show (step, self->empty_button);
}

/* --- all of it --- */

static void
select_run (MtTrainPage *self,
            MtRun       *run)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->selection)); i++)
    {
      g_autoptr (MtRun) each = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (each == run)
        gtk_single_selection_set_selected (self->selection, i);
    }
}

static gboolean
on_tick (gpointer data)
{
  MtTrainPage *self = data;
  MtRun *current = mt_study_get_current (self->study);

  if (current != NULL)
    show_facts (self, current);
  return G_SOURCE_CONTINUE;
}

static void
stop_ticking (MtTrainPage *self)
{
  g_clear_handle_id (&self->ticking, g_source_remove);
}

static void
show_state (MtTrainPage *self)
{
  MtRun *last = mt_study_get_last (self->study);
  MtRun *shown;

  /* It changes many times per second; skip that while the page is hidden. */
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (g_list_model_get_n_items (mt_study_get_runs (self->study)) == 0)
    {
      show_empty (self);
      gtk_stack_set_visible_child_name (self->stack, "empty");
      g_clear_object (&self->followed);
      stop_ticking (self);
      return;
    }
  /* A scroll bar needs more height than one row has: a short list does without. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (gtk_widget_get_parent (GTK_WIDGET (self->list))),
                                  GTK_POLICY_NEVER,
                                  g_list_model_get_n_items (mt_study_get_runs (self->study)) > FEW_RUNS
                                  ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  if (g_set_object (&self->followed, last))
    select_run (self, last);
  shown = gtk_single_selection_get_selected_item (self->selection);
  if (last == NULL)
    last = shown;
  if (last == NULL)
    return;   /* queued, about to be started */
  if (shown == NULL)
    shown = last;
  if (mt_study_is_running (self->study) && self->ticking == 0)
    self->ticking = g_timeout_add (FEW_MS, on_tick, self);
  else if (!mt_study_is_running (self->study))
    stop_ticking (self);
  show_head (self, last);
  show_steps (self, last);
  show_facts (self, last);
  show_device (self, shown);
  show_failure (self, shown);
  mt_train_charts_show (self->charts, shown);
  gtk_stack_set_visible_child_name (self->stack, "runs");
}

static void
on_run_selected (MtTrainPage *self)
{
  show_state (self);
  g_signal_emit (self, run_changed_signal, 0);
}

/* --- object --- */

static void
setup_row (GtkSignalListItemFactory *factory,
           GtkListItem              *item)
{
  gtk_list_item_set_child (item, mt_run_row_new ());
}

static void
bind_row (GtkSignalListItemFactory *factory,
          GtkListItem              *item)
{
  mt_run_row_set_run (MT_RUN_ROW (gtk_list_item_get_child (item)), gtk_list_item_get_item (item));
}

static void
unbind_row (GtkSignalListItemFactory *factory,
            GtkListItem              *item)
{
  mt_run_row_set_run (MT_RUN_ROW (gtk_list_item_get_child (item)), NULL);
}

static void
add_fact (MtTrainPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *value = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (GTK_LABEL (value), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (value), 9);
  gtk_widget_add_css_class (name, "caption");
  gtk_widget_add_css_class (name, "dim-label");
  gtk_widget_add_css_class (value, "heading");
  gtk_widget_add_css_class (value, "numeric");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), value);
  gtk_widget_set_halign (box, GTK_ALIGN_START);
  gtk_flow_box_append (self->facts, box);
  gtk_widget_set_focusable (gtk_widget_get_parent (box), FALSE);
}

static void
add_step (MtTrainPage *self,
          MtRunPhase   phase)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *badge = gtk_label_new (NULL);

  gtk_widget_add_css_class (box, "phase");
  gtk_widget_add_css_class (badge, "badge");
  gtk_widget_set_valign (badge, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), badge);
  gtk_box_append (GTK_BOX (box), gtk_label_new (phase_name (phase)));
  gtk_box_append (self->steps, box);
}

static void
mt_train_page_dispose (GObject *object)
{
  MtTrainPage *self = MT_TRAIN_PAGE (object);

  stop_ticking (self);
  g_clear_object (&self->followed);
  g_clear_object (&self->selection);
  g_clear_object (&self->document);
  g_clear_object (&self->study);
  G_OBJECT_CLASS (mt_train_page_parent_class)->dispose (object);
}

static void
mt_train_page_class_init (MtTrainPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = mt_train_page_dispose;
  run_changed_signal = g_signal_new ("run-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 0);
  g_type_ensure (MT_TYPE_TRAIN_CHARTS);
  g_type_ensure (MT_TYPE_FLOW_LAYOUT);
  g_type_ensure (MT_TYPE_PAIR_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-train-page.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtTrainPage, child)
  BIND (stack);
  BIND (empty);
  BIND (empty_button);
  BIND (title);
  BIND (about);
  BIND (stop);
  BIND (stop_note);
  BIND (resume);
  BIND (show_frontier);
  BIND (phases);
  BIND (steps);
  BIND (step_text);
  BIND (bar);
  BIND (bar_text);
  BIND (facts);
  BIND (device_note);
  BIND (failure);
  BIND (failure_text);
  BIND (failure_advice);
  BIND (failure_button);
  BIND (charts);
  BIND (list);
#undef BIND
}

static void
mt_train_page_init (MtTrainPage *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), NULL);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  for (guint i = 0; i < MT_RUN_N_PHASES; i++)
    add_step (self, (MtRunPhase) i);
  for (guint i = 0; i < MOST_FACTS; i++)
    add_fact (self);
}

void
mt_train_page_set_study (MtTrainPage *self,
                         MtDocument  *document,
                         MtStudy     *study)
{
  g_return_if_fail (MT_IS_TRAIN_PAGE (self) && self->study == NULL);

  self->document = g_object_ref (document);
  self->study = g_object_ref (study);
  gtk_single_selection_set_model (self->selection, mt_study_get_runs (study));
  g_signal_connect_object (document, "table-changed", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "changed", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_run_selected), self, G_CONNECT_SWAPPED);
  mt_preferences_watch_numbers (self, G_CALLBACK (show_state));
  g_signal_connect (self, "map", G_CALLBACK (show_state), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (stop_ticking), NULL);
}

int
mt_train_page_get_run (MtTrainPage *self)
{
  guint selected;

  g_return_val_if_fail (MT_IS_TRAIN_PAGE (self), -1);

  selected = gtk_single_selection_get_selected (self->selection);
  return selected != GTK_INVALID_LIST_POSITION ? (int) selected : -1;
}

void
mt_train_page_set_run (MtTrainPage *self,
                       guint        run)
{
  g_return_if_fail (MT_IS_TRAIN_PAGE (self));

  if (run >= g_list_model_get_n_items (G_LIST_MODEL (self->selection)))
    return;
  g_set_object (&self->followed, mt_study_get_last (self->study));   /* the person chose another since */
  gtk_single_selection_set_selected (self->selection, run);
}

gboolean
mt_train_page_has_charts (MtTrainPage *self)
{
  MtRun *run;

  g_return_val_if_fail (MT_IS_TRAIN_PAGE (self), FALSE);

  run = gtk_single_selection_get_selected_item (self->selection);
  if (run == NULL)
    run = mt_study_get_last (self->study);
  return run != NULL && mt_train_charts_has (run);
}

GPtrArray *
mt_train_page_copy_charts (MtTrainPage *self)
{
  g_return_val_if_fail (MT_IS_TRAIN_PAGE (self), NULL);
  return mt_train_charts_copy (self->charts);
}
