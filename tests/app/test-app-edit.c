/* Editing in the real window: every edit through its form, undone and done again; what a project and a
 * model without its data make of it. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "apputils.h"
#include "rules/mt-edit-dialog.h"
#include "frontier/mt-frontier-page.h"
#include "widgets/mt-series-mark.h"
#include "util/mt-preferences.h"
#include "rules/mt-rules-page.h"
#include "rules-window.h"

static const MtRuleSet *
rules_of (MtWindow *window)
{
  return mt_rule_book_get_rules (mt_rules_page_get_book (mt_rules_window_page (window)));
}

static GtkWindow *
find_toplevel (GType type)
{
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) each = g_list_model_get_item (all, i);

      if (g_type_is_a (G_OBJECT_TYPE (each), type))
        return each;
    }
  return NULL;
}

static gboolean
is_worked_out (gpointer data)
{
  GtkWindow *dialog = find_toplevel (MT_TYPE_EDIT_DIALOG);

  return dialog != NULL && !mt_edit_dialog_is_busy (MT_EDIT_DIALOG (dialog));
}

static gboolean
is_closed (gpointer data)
{
  return find_toplevel (MT_TYPE_EDIT_DIALOG) == NULL;
}

static MtEditDialog *
ask_for (MtWindow   *window,
         const char *kind)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.edit", "s", kind));
  mt_app_wait (is_worked_out, NULL);
  return MT_EDIT_DIALOG (find_toplevel (MT_TYPE_EDIT_DIALOG));
}

static const char *
text_of (MtEditDialog *dialog,
         const char   *name)
{
  return gtk_label_get_label (GTK_LABEL (mt_app_find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, name)));
}

static GtkWidget *
apply_button (MtEditDialog *dialog)
{
  return mt_app_find (GTK_WIDGET (dialog), GTK_TYPE_BUTTON, "apply");
}

static void
give_reason (MtEditDialog *dialog,
             const char   *reason)
{
  gtk_editable_set_text (GTK_EDITABLE (mt_app_find (GTK_WIDGET (dialog), ADW_TYPE_ENTRY_ROW, NULL)), reason);
}

static void
apply (MtEditDialog *dialog,
       const char   *reason)
{
  give_reason (dialog, reason);
  g_assert_true (gtk_widget_get_sensitive (apply_button (dialog)));
  g_signal_emit_by_name (apply_button (dialog), "clicked");
  mt_app_wait (is_closed, NULL);
  mt_app_settle (40);
}

/* The rule with most inputs, so that there is something to drop. */
static void
select_richest (MtWindow *window)
{
  const MtRuleSet *rules = rules_of (window);
  guint best = 0, most = 0;

  for (guint t = 0; t < mt_rule_set_get_n_terms (rules); t++)
    {
      const MtRule *rule = mt_rule_set_get_term (rules, t)->rule;
      guint rich = rule != NULL ? 100 * mt_rule_get_n_cubes (rule) + mt_rule_get_n_inputs (rule) : 0;

      if (rich > most)
        {
          most = rich;
          best = t;
        }
    }
  g_assert_cmpuint (most, >, 0);
  mt_rule_list_select_term (mt_rules_page_get_list (mt_rules_window_page (window)), (int) best);
  mt_app_settle (40);
}

/* A point with enough in it to be edited. */
static MtFrontierItem *
select_long (MtWindow *window)
{
  MtStudy *study = mt_window_get_study (window);
  GListModel *points = mt_study_get_points (study);
  guint n = g_list_model_get_n_items (points);
  g_autoptr (MtFrontierItem) item = g_list_model_get_item (points, MIN (n - 1, n * 3 / 4));

  mt_study_set_selected (study, item);
  mt_app_settle (60);
  return item;
}

static MtEditHistory *
history_of (MtWindow *window)
{
  return mt_frontier_item_get_history (mt_study_get_selected (mt_window_get_study (window)));
}

static gboolean
is_in_list (GListModel *list,
            gpointer    item)
{
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (GObject) each = g_list_model_get_item (list, i);

      if (each == item)
        return TRUE;
    }
  return FALSE;
}

/* What is to be dropped is said in full, not cut before its threshold. */
static void
check_choice_is_whole (MtEditDialog *dialog)
{
  AdwComboRow *row = ADW_COMBO_ROW (mt_app_find (GTK_WIDGET (dialog), ADW_TYPE_COMBO_ROW, NULL));

  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==,
                   gtk_string_object_get_string (adw_combo_row_get_selected_item (row)));
  g_assert_cmpint (adw_action_row_get_subtitle_lines (ADW_ACTION_ROW (row)), ==, 0);
}

/* A weight that is no number is refused, until it is one. */
static void
enter_weight (MtEditDialog *dialog)
{
  GtkEditable *entry = GTK_EDITABLE (mt_app_find (GTK_WIDGET (dialog), GTK_TYPE_ENTRY, "weight"));

  g_assert_null (mt_edit_dialog_get_rules (dialog));      /* no weight was entered yet */
  g_assert_nonnull (gtk_entry_get_placeholder_text (GTK_ENTRY (entry)));
  gtk_editable_set_text (entry, "0.5x");
  mt_app_settle (40);
  g_assert_nonnull (strstr (text_of (dialog, "note"), "Enter the weight as a number"));
  g_assert_false (mt_edit_dialog_is_busy (dialog));
  gtk_editable_set_text (entry, "−0.75");
  mt_app_wait (is_worked_out, NULL);
  g_assert_nonnull (mt_edit_dialog_get_rules (dialog));
  g_assert_cmpfloat (mt_edit_dialog_get_edit (dialog)->to, ==, -0.75);
}

/* Each edit on the same model: made, undone, made again, undone. */
static void
test_every_edit (gconstpointer target)
{
  /* Two classes have all of them; the other tasks those that they treat differently. */
  gboolean all = g_str_equal (target, "answer");
  MtWindow *window = mt_rules_window_open (target, 1200);
  MtStudy *study = mt_window_get_study (window);
  MtFrontierItem *origin = select_long (window);
  const MtRuleSet *before = mt_frontier_item_get_point (origin)->rules;
  guint n_points = g_list_model_get_n_items (mt_study_get_points (study)), n_made = 0;

  for (guint kind = 0; kind < MT_N_EDITS; kind++)
    {
      MtEditDialog *dialog;
      g_autoptr (MtFrontierItem) edited = NULL;
      const MtEditRecord *record;

      if (!all && kind != MT_EDIT_DROP_INPUT && kind != MT_EDIT_ROUND_WEIGHTS && kind != MT_EDIT_REFIT)
        continue;
      if (kind == MT_EDIT_SET_CUTOFF)   /* made on the Quality page: test-app-performance */
        continue;
      select_richest (window);
      dialog = ask_for (window, mt_edit_kind_to_string ((MtEditKind) kind));
      if (kind == MT_EDIT_SET_WEIGHT)
        enter_weight (dialog);
      g_assert_cmpint (mt_edit_dialog_get_edit (dialog)->kind, ==, kind);
      g_assert_false (gtk_widget_get_sensitive (apply_button (dialog)));   /* without a reason */
      if (kind == MT_EDIT_DROP_TERM || kind == MT_EDIT_DROP_INPUT || kind == MT_EDIT_FORBID_COLUMN)
        check_choice_is_whole (dialog);
      give_reason (dialog, "  ");
      g_assert_false (gtk_widget_get_sensitive (apply_button (dialog)));
      if (mt_edit_dialog_get_rules (dialog) == NULL)
        {
          g_assert_true (kind == MT_EDIT_MERGE_THRESHOLDS || kind == MT_EDIT_SET_THRESHOLD);   /* a rule may ask for no
                                                                                              * threshold */
          gtk_window_close (GTK_WINDOW (dialog));
          mt_app_wait (is_closed, NULL);
          continue;
        }
      g_assert_nonnull (strstr (text_of (dialog, "quality"), "→"));
      apply (dialog, "the auditor asked for it");
      n_made++;
      edited = g_object_ref (mt_study_get_selected (study));
      g_assert_true (edited != origin && mt_frontier_item_get_origin (edited) == origin);
      g_assert_true (is_in_list (mt_study_get_points (study), edited));
      g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_points (study)), ==, n_points + 1);
      g_assert_true (rules_of (window) == mt_frontier_item_get_point (edited)->rules);
      g_assert_cmpuint (mt_edit_history_get_n (history_of (window)), ==, 1);
      record = mt_edit_history_get (history_of (window), 0);
      g_assert_cmpstr (record->reason, ==, "the auditor asked for it");
      g_assert_cmpuint (record->literals_before, ==, mt_rule_set_get_complexity (before));
      g_assert_cmpuint (record->literals_after, ==, mt_rule_set_get_complexity (rules_of (window)));
      g_assert_true (record->is_judged);
      g_assert_cmpfloat (fabs (mt_frontier_item_get_point (edited)->cv_mean -
                               mt_frontier_item_get_point (origin)->cv_mean - record->after + record->before), <, 1e-12);

      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL));
      mt_app_settle (40);
      g_assert_true (mt_study_get_selected (study) == origin);
      g_assert_true (rules_of (window) == before);
      g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_points (study)), ==, n_points);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.redo", NULL));
      mt_app_settle (40);
      g_assert_true (mt_study_get_selected (study) == edited);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL));
      mt_app_settle (40);
    }
  g_assert_cmpuint (n_made, >=, all ? MT_N_EDITS - 2 : 3);
  mt_app_window_end (window);
}

/* Edits on top of each other are one point with a longer history; the page and the frontier say so. */
static void
test_history_and_mark (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  MtStudy *study = mt_window_get_study (window);
  MtFrontierItem *origin = select_long (window);
  guint n_points = g_list_model_get_n_items (mt_study_get_points (study));
  GtkLabel *strip;
  const MtEditRecord *edits;
  guint n;

  select_richest (window);
  apply (ask_for (window, "drop-rule"), "not plausible");
  apply (ask_for (window, "refit"), "after the drop");
  apply (ask_for (window, "round-weights"), "readable");
  g_assert_cmpuint (mt_edit_history_get_n (history_of (window)), ==, 3);
  g_assert_cmpuint (g_list_model_get_n_items (mt_study_get_points (study)), ==, n_points + 1);
  edits = mt_rules_page_get_edits (mt_rules_window_page (window), &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpstr (edits[1].reason, ==, "after the drop");
  g_assert_cmpfloat (edits[1].before, ==, edits[0].after);
  strip = GTK_LABEL (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "edited-text"));
  g_assert_nonnull (strstr (gtk_label_get_label (strip), "3 edits"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.edit-history", NULL));
  mt_app_settle (60);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (find_toplevel (ADW_TYPE_WINDOW)), ADW_TYPE_ACTION_ROW, NULL));
  gtk_window_destroy (find_toplevel (ADW_TYPE_WINDOW));

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "frontier"));
  mt_app_settle (100);
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Edited model"));
  g_assert_nonnull (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Edited"));
  g_assert_true (mt_study_get_recommended (study) != mt_study_get_selected (study));

  /* All the way back. */
  for (guint i = 3; i > 0; i--)
    {
      g_assert_cmpuint (mt_edit_history_get_n (history_of (window)), ==, i);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL));
      mt_app_settle (30);
    }
  g_assert_true (mt_study_get_selected (study) == origin);
  g_assert_null (mt_app_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Edited model"));
  mt_app_window_end (window);
}

static void
test_closing_changes_nothing (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  MtFrontierItem *origin = select_long (window);
  g_autofree char *undo = g_strdup (mt_document_get_undo_label (mt_window_get_document (window)));
  MtEditDialog *dialog;

  select_richest (window);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.edit", "s", "refit"));
  /* While it is being worked out: what comes of that waits for the main loop, which has not run since. */
  dialog = MT_EDIT_DIALOG (find_toplevel (MT_TYPE_EDIT_DIALOG));
  give_reason (dialog, "too early");
  g_assert_false (gtk_widget_get_sensitive (apply_button (dialog)));
  gtk_window_close (GTK_WINDOW (dialog));
  mt_app_wait (is_closed, NULL);
  mt_app_settle (300);
  g_assert_true (mt_study_get_selected (mt_window_get_study (window)) == origin);
  g_assert_cmpstr (mt_document_get_undo_label (mt_window_get_document (window)), ==, undo);
  mt_app_window_end (window);
}

/* A model by itself: what needs no rows works, what needs some says so. */
static void
test_without_data (void)
{
  MtWindow *window = mt_rules_window_open ("level", 1200);
  MtSelectedModel *fitted;
  g_autoptr (MtModel) model = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  MtEditDialog *dialog;
  const MtRuleSet *before;
  guint n;

  select_long (window);
  fitted = mt_study_get_fitted (mt_window_get_study (window));
  model = mt_selected_model_dup_model (fitted, NULL, &error);
  g_assert_no_error (error);
  json = mt_model_to_json (model, NULL);
  file = mt_app_write ("alone.json", json);
  mt_app_window_end (window);

  window = mt_app_window_new (1200, 800);
  mt_app_open (window, file);
  mt_app_settle (100);
  before = rules_of (window);
  select_richest (window);
  dialog = ask_for (window, "refit");
  g_assert_nonnull (strstr (text_of (dialog, "note"), "needs the training rows"));
  give_reason (dialog, "x");
  g_assert_false (gtk_widget_get_sensitive (apply_button (dialog)));
  gtk_window_close (GTK_WINDOW (dialog));
  mt_app_wait (is_closed, NULL);

  dialog = ask_for (window, "drop-rule");
  g_assert_nonnull (strstr (text_of (dialog, "note"), "opened without data"));
  apply (dialog, "gone");
  g_assert_cmpuint (mt_rule_set_get_n_terms (rules_of (window)), ==, mt_rule_set_get_n_terms (before) - 1);
  g_assert_cmpstr (mt_rules_page_get_edits (mt_rules_window_page (window), &n)->reason, ==, "gone");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL));
  mt_app_settle (40);
  g_assert_true (rules_of (window) == before);
  mt_app_window_end (window);
}

static gboolean
is_saved (gpointer window)
{
  return !mt_window_is_saving (window);
}

static gboolean
has_edited (gpointer window)
{
  MtStudy *study = mt_window_get_study (window);

  return mt_study_get_edited (study)->len > 0 && mt_study_get_fitted (study) != NULL;
}

/* What was edited comes back with its reasons, selected as it was, and can be edited on. */
static void
test_project (void)
{
  MtWindow *window = mt_rules_window_open ("answer", 1200);
  g_autoptr (GFile) csv = g_object_ref (mt_document_get_file (mt_window_get_document (window)));
  g_autoptr (GFile) folder = g_file_get_parent (csv);
  g_autoptr (GFile) file = g_file_get_child (folder, "edited.minterm");
  g_autoptr (MtProject) project = NULL;
  g_autoptr (GPtrArray) log = NULL;
  g_autoptr (GError) error = NULL;
  gint64 begun = g_get_real_time () / G_USEC_PER_SEC;
  guint literals;

  mt_window_save_as (window, file);
  mt_app_wait (is_saved, window);
  select_long (window);
  select_richest (window);
  g_settings_set_string (mt_preferences_get_settings (), "person", "Ann Example");
  apply (ask_for (window, "drop-rule"), "first");
  apply (ask_for (window, "round-weights"), "second");
  g_settings_set_string (mt_preferences_get_settings (), "person", "Bea Example");
  apply (ask_for (window, "refit"), "third");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL));
  g_settings_reset (mt_preferences_get_settings (), "person");
  literals = mt_rule_set_get_complexity (rules_of (window));
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);

  project = mt_project_open (g_file_peek_path (file), MT_PROJECT_READ_ONLY, NULL, &error);
  g_assert_no_error (error);
  log = mt_project_list_edits (project, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (log->len, ==, 4);
  g_assert_cmpstr (((MtProjectEdit *) log->pdata[1])->reason, ==, "second");
  g_assert_true (g_str_has_prefix (((MtProjectEdit *) log->pdata[3])->what, "undone: refitted"));
  for (guint i = 0; i < log->len; i++)
    {
      const MtProjectEdit *edit = log->pdata[i];

      g_assert_cmpstr (edit->by, ==, i < 2 ? "Ann Example" : "Bea Example");
      g_assert_cmpint (edit->made, >=, begun);
    }

  window = mt_app_window_new (1200, 800);
  mt_window_open (window, file);
  mt_app_wait (has_edited, window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-page", "s", "rules");
  mt_app_settle (100);
  g_assert_nonnull (history_of (window));
  g_assert_cmpuint (mt_edit_history_get_n (history_of (window)), ==, 2);
  g_assert_cmpstr (mt_edit_history_get (history_of (window), 0)->reason, ==, "first");
  g_assert_cmpstr (mt_edit_history_get (history_of (window), 0)->by, ==, "Ann Example");
  g_assert_cmpint (mt_edit_history_get (history_of (window), 0)->made, >=, begun);
  g_assert_cmpuint (mt_rule_set_get_complexity (rules_of (window)), ==, literals);
  apply (ask_for (window, "refit"), "again");
  g_assert_cmpuint (mt_edit_history_get_n (history_of (window)), ==, 3);
  g_assert_cmpfloat (mt_edit_history_get (history_of (window), 2)->before, ==,
                     mt_edit_history_get (history_of (window), 1)->after);
  mt_app_wait (is_saved, window);
  mt_app_window_end (window);
}

/* The words of the first section of the menu, after its heading. */
static char *
describe_menu (MtWindow *window)
{
  GMenuModel *menu = mt_rules_page_get_edit_menu (mt_rules_window_page (window));
  g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  GString *text = g_string_new (NULL);
  g_autofree char *heading = NULL;

  g_menu_model_get_item_attribute (menu, 0, G_MENU_ATTRIBUTE_LABEL, "s", &heading);
  g_string_append (text, heading);
  for (int i = 0; i < g_menu_model_get_n_items (section); i++)
    {
      g_autofree char *label = NULL;

      g_menu_model_get_item_attribute (section, i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
      g_string_append_printf (text, ", %s", label);
    }
  return g_string_free (text, FALSE);
}

/* A numeric column has no inputs that could be dropped, and the intercept nothing at all: the menu says so by not
 * offering it. */
static void
test_menu (void)
{
  MtWindow *window = mt_rules_window_open ("amount", 1200);
  MtRuleList *list = mt_rules_page_get_list (mt_rules_window_page (window));
  gboolean seen[2] = { FALSE, FALSE };
  g_autofree char *nothing = NULL;

  mt_rules_window_select_largest (window);
  for (guint t = 0; t < mt_rule_set_get_n_terms (rules_of (window)); t++)
    {
      gboolean is_numeric = mt_rule_set_get_term (rules_of (window), t)->is_numeric;
      g_autofree char *offered = NULL;

      mt_rule_list_select_term (list, (int) t);
      offered = describe_menu (window);
      g_assert_cmpstr (offered, ==, is_numeric ? "Selected linear term, Set Wei_ght…, Remove Line_ar Term…"
                                               : "Selected rule, Set Wei_ght…, Set Thr_eshold…, Remove R_ule…, Remove an Al_ternative…, "
                                                 "Remove a Cond_ition…");
      seen[is_numeric] = TRUE;
    }
  g_assert_true (seen[0] && seen[1]);
  mt_rule_list_select_term (list, MT_TERM_INTERCEPT);
  nothing = describe_menu (window);
  g_assert_true (g_str_has_prefix (nothing, "Whole model, "));
  mt_app_window_end (window);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/edit/menu", test_menu);
  g_test_add_data_func ("/app/edit/two-classes", "answer", test_every_edit);
  g_test_add_data_func ("/app/edit/three-classes", "level", test_every_edit);
  g_test_add_data_func ("/app/edit/number", "amount", test_every_edit);
  g_test_add_func ("/app/edit/history-and-mark", test_history_and_mark);
  g_test_add_func ("/app/edit/closing-changes-nothing", test_closing_changes_nothing);
  g_test_add_func ("/app/edit/without-data", test_without_data);
  g_test_add_func ("/app/edit/project", test_project);
  return g_test_run ();
}
