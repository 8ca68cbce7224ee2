/* The Rules page: the model one looks at as a table of rules, and one of them in the inspector beside it.
 * See mt-rules-page.h. */
#include "config.h"
#include "mt-rules-page-private.h"

#include <glib/gi18n.h>

#include "study/mt-rule-book-build.h"
#include "widgets/mt-next-step-button.h"
#include "util/mt-preferences.h"

#define MANY_ROWS       200000    /* counting more than these would hold up the window */
#define LIST            486       /* pixels, as the template has it */
#define WIDE_LIST       540
#define LARGER_LIST     170       /* more, for text of twice the size */
#define LEAST_INSPECTOR 640

enum {
  PROP_0,
  PROP_SHOW_INSPECTOR,
  PROP_VIEW,
  PROP_MODE,
};

static guint show_rows_signal, shown_signal;

G_DEFINE_FINAL_TYPE (MtRulesPage, mt_rules_page, MT_TYPE_ADAPTIVE_PAIR)

/* --- list and inspector --- */

static void
mt_rules_page_placed (MtAdaptivePair *sides,
                      gboolean    narrow)
{
  MtRulesPage *self = MT_RULES_PAGE (sides);

  mt_rule_list_set_narrow (self->list, narrow);
  mt_rule_head_set_narrow (self->head, narrow);
  mt_what_if_view_set_narrow (self->what_if, narrow);
}

static void
on_opened (MtRulesPage *self)
{
  if (!mt_adaptive_pair_is_narrow (MT_ADAPTIVE_PAIR (self)))
    return;
  mt_adaptive_pair_turn (MT_ADAPTIVE_PAIR (self), TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->head));
}

static void
action_back (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  mt_adaptive_pair_turn (MT_ADAPTIVE_PAIR (widget), FALSE);
}

/* As the button on top does, where there is one. */
static gboolean
on_escape (GtkWidget *widget,
           GVariant  *arguments,
           gpointer   data)
{
  if (!mt_adaptive_pair_is_narrow (MT_ADAPTIVE_PAIR (widget)) || !mt_adaptive_pair_is_at_end (MT_ADAPTIVE_PAIR (widget)))
    return GDK_EVENT_PROPAGATE;
  mt_adaptive_pair_turn (MT_ADAPTIVE_PAIR (widget), FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (mt_rule_list_get_table (MT_RULES_PAGE (widget)->list)));
  return GDK_EVENT_STOP;
}

/* --- what-if --- */

static gboolean
shows_mode (MtRulesPage *self,
            const char  *mode)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->inspector_stack), mode) == 0;
}

/* Beside What-if the list tells what applies to its row. */
static void
on_answered (MtRulesPage *self)
{
  const MtWhatIf *result = self->book != NULL && shows_mode (self, "what-if") &&
                           mt_what_if_view_get_book (self->what_if) == self->book
                             ? mt_what_if_view_get_result (self->what_if) : NULL;

  mt_rule_list_show_applies (self->list, result != NULL ? result->applies : NULL);
}

/* Filled when somebody looks at it. */
static void
fill_what_if (MtRulesPage *self)
{
  if (self->book != NULL && shows_mode (self, "what-if") && mt_what_if_view_get_book (self->what_if) != self->book)
    mt_what_if_view_set_book (self->what_if, self->book);
}

static void on_selected (MtRulesPage *self);

/* Whoever pinned two points need not choose them again. Of one, it is the other. */
static void
compare_pinned (MtRulesPage *self)
{
  MtFrontierItem *a = mt_study_get_pin (self->study, 0), *b = mt_study_get_pin (self->study, 1);

  if (mt_study_get_compared (self->study) != NULL || a == NULL)
    return;
  if (b != NULL)
    mt_study_compare (self->study, a, b);
  else if (a != mt_study_get_selected (self->study))
    mt_study_set_compared (self->study, a);
}

static void
show_mode (MtRulesPage *self,
           const char  *mode)
{
  if (g_strcmp0 (mode, gtk_stack_get_visible_child_name (self->inspector_stack)) == 0 ||
      gtk_stack_get_child_by_name (self->inspector_stack, mode) == NULL)
    return;
  gtk_stack_set_visible_child_name (self->inspector_stack, mode);
  fill_what_if (self);
  on_selected (self);
  on_answered (self);
  if (g_str_equal (mode, "compare") && self->model == NULL)
    compare_pinned (self);
  g_object_notify (G_OBJECT (self), "mode");
}

static void
on_open_row (MtRulesPage *self,
             guint        row)
{
  show_mode (self, "what-if");
  mt_what_if_view_set_row (self->what_if, row);
}

static void
on_selected (MtRulesPage *self)
{
  MtTermItem *item = mt_rule_list_get_selected (self->list);

  if (self->book != NULL && item != NULL && mt_term_item_get_book (item) == self->book)
    {
      mt_rule_head_show_term (self->head, item);
      mt_rule_inspector_show (self->inspector, item);
    }
  /* What is not about one rule says what it is. */
  if (!shows_mode (self, "rule"))
    mt_rule_head_show_title (self->head, shows_mode (self, "compare") ? _("Compare") : _("What-If"));
  _mt_rules_page_update_menu (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "rules.save-diagram",
                                 item != NULL && mt_term_item_is_rule (item));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "rules.copy-rule",
                                 item != NULL && mt_term_item_get_term (item) >= 0);
}

/* What-if speaks of a rule: there it is in the list. */
static void
on_term (MtRulesPage *self,
         int          term)
{
  mt_rule_list_find_term (self->list, term);
  if (mt_adaptive_pair_is_narrow (MT_ADAPTIVE_PAIR (self)))
    mt_adaptive_pair_turn (MT_ADAPTIVE_PAIR (self), FALSE);
}

/* --- the canvas --- */

static gboolean
shows_canvas (MtRulesPage *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->views), "canvas") == 0;
}

/* Canvas and scorecard are drawn when somebody looks at them. */
static void
fill_canvas (MtRulesPage *self)
{
  MtTermItem *item = mt_rule_list_get_selected (self->list);

  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->views), "scorecard") == 0)
    mt_scorecard_pane_show (self->scorecard, self->book);
  if (self->book == NULL || !shows_canvas (self))
    return;
  mt_canvas_pane_show (self->canvas, self->book);
  mt_canvas_view_set_selected (mt_canvas_pane_get_view (self->canvas),
                               item != NULL ? mt_term_item_get_term (item) : -1);
}

static void
show_view (MtRulesPage *self,
           const char  *view)
{
  if (g_strcmp0 (view, gtk_stack_get_visible_child_name (self->views)) == 0 ||
      gtk_stack_get_child_by_name (self->views, view) == NULL)
    return;
  gtk_stack_set_visible_child_name (self->views, view);
  fill_canvas (self);
  g_object_notify (G_OBJECT (self), "view");
}

static void
on_card_selected (MtRulesPage *self)
{
  mt_rule_list_select_term (self->list, mt_canvas_view_get_selected (mt_canvas_pane_get_view (self->canvas)));
}

static void
on_card_opened (MtRulesPage *self)
{
  show_view (self, "list");
  on_opened (self);
}

static void
on_scorecard_term (MtRulesPage *self,
                   int          term)
{
  show_view (self, "list");
  show_mode (self, "rule");
  mt_rule_list_find_term (self->list, term);
  on_opened (self);
}

static void
action_print (GtkWidget  *widget,
              const char *name,
              GVariant   *parameter)
{
  MtRulesPage *self = MT_RULES_PAGE (widget);

  if (self->book == NULL)
    return;
  show_view (self, "canvas");
  mt_canvas_pane_print (self->canvas);
}

/* --- the book --- */

/* An edit leaves the person where they were, even if the rule that was there is gone. */
static void
keep_place (MtRulesPage *self,
            int          term)
{
  guint n_edits, n_terms = mt_rule_book_get_n_terms (self->book);

  mt_rules_page_get_edits (self, &n_edits);
  if (n_edits > 0 && term >= 0 && n_terms > 0)
    mt_rule_list_select_term (self->list, MIN (term, (int) n_terms - 1));
}

/* Three classes or more have their weights and hit rates side by side, which needs a wider list, and more of it for
 * larger text, unless somebody moved the handle. */
static void
give_room (MtRulesPage *self)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)));     /* the page may not be on show yet */
  gboolean several = self->book != NULL && mt_rule_book_get_n_classes (self->book) > 2;
  int dpi, wanted;

  if (window == NULL || gtk_paned_get_position (self->paned) != self->list_width)
    return;
  g_object_get (gtk_widget_get_settings (window), "gtk-xft-dpi", &dpi, NULL);
  wanted = WIDE_LIST + (int) (MAX (0, dpi / (96.0 * 1024) - 1) * LARGER_LIST);
  self->list_width = several && gtk_widget_get_width (window) >= wanted + LEAST_INSPECTOR ? wanted : LIST;
  gtk_paned_set_position (self->paned, self->list_width);
}

static void
show_book (MtRulesPage *self,
           MtRuleBook  *book)
{
  MtTermItem *before = mt_rule_list_get_selected (self->list);
  int term = before != NULL ? mt_term_item_get_term (before) : MT_TERM_INTERCEPT;

  mt_rule_inspector_show (self->inspector, NULL);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  self->book = book != NULL ? mt_rule_book_ref (book) : NULL;
  mt_rule_list_set_book (self->list, book);
  give_room (self);
  mt_canvas_pane_show (self->canvas, NULL);
  mt_scorecard_pane_show (self->scorecard, NULL);
  mt_what_if_view_set_book (self->what_if, NULL);
  fill_canvas (self);
  fill_what_if (self);
  _mt_rules_page_show_edited (self);
  if (book != NULL)
    {
      mt_rule_head_set_comparable (self->head, self->model == NULL);
      if (self->model != NULL && shows_mode (self, "compare"))
        show_mode (self, "rule");
      keep_place (self, term);
      on_selected (self);
      on_answered (self);
    }
  gtk_stack_set_visible_child_name (self->stack, book != NULL ? "rules" : "empty");
  g_signal_emit (self, shown_signal, 0);
}

/* The same book with its numbers in another form. */
static void
write_anew (MtRulesPage *self)
{
  if (self->book != NULL)
    on_selected (self);
  mt_canvas_pane_show (self->canvas, NULL);
  mt_scorecard_pane_show (self->scorecard, NULL);
  mt_what_if_view_set_book (self->what_if, NULL);
  fill_canvas (self);
  fill_what_if (self);
}

static void
count_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  g_task_return_pointer (task, mt_selected_model_make_book (data), (GDestroyNotify) mt_rule_book_unref);
}

static void
on_counted (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  MtRulesPage *self = MT_RULES_PAGE (source);
  g_autoptr (MtRuleBook) book = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->counting == NULL || self->counting != g_task_get_cancellable (G_TASK (result)))
    return;   /* another model is wanted by now */
  g_clear_object (&self->counting);
  show_book (self, book);
}

static void
show_fitted (MtRulesPage *self)
{
  MtSelectedModel *fitted = self->model == NULL ? mt_study_get_fitted (self->study) : NULL;

  if (self->model != NULL || fitted == self->shown)
    return;
  g_clear_pointer (&self->shown, mt_selected_model_unref);
  self->shown = fitted != NULL ? mt_selected_model_ref (fitted) : NULL;
  g_clear_object (&self->counting);
  if (fitted == NULL)
    show_book (self, NULL);
  else if (fitted->basis->rows->n_rows <= MANY_ROWS)
    {
      g_autoptr (MtRuleBook) book = mt_selected_model_make_book (fitted);

      show_book (self, book);
    }
  else
    {
      g_autoptr (GTask) task = NULL;

      show_book (self, NULL);
      self->counting = g_cancellable_new ();
      task = g_task_new (self, self->counting, on_counted, NULL);
      g_task_set_check_cancellable (task, FALSE);
      g_task_set_task_data (task, mt_selected_model_ref (fitted), (GDestroyNotify) mt_selected_model_unref);
      g_task_run_in_thread (task, count_thread);
    }
}

static void
show_stale (MtRulesPage *self)
{
  MtFrontierItem *item = mt_study_get_selected (self->study);
  MtRun *run = item != NULL ? mt_frontier_item_get_run (item) : NULL;

  gtk_label_set_label (self->stale_text, run == NULL || mt_run_has_rows (run)
    ? _("The data has changed since this model was trained; row counts are from training.")
    : _("The data has changed since this model was trained: its quality is from earlier rows, but row counts "
        "are from the current data."));
  gtk_revealer_set_reveal_child (self->stale, self->book != NULL && self->model == NULL &&
                                 mt_study_is_stale (self->study, mt_document_get_table (self->document)));
}

/* While hidden, the page builds nothing, so that walking along the frontier stays quick; but it lets go
 * of what is gone. */
static void
show_state (MtRulesPage *self)
{
  if (self->study == NULL ||
      (!gtk_widget_get_mapped (GTK_WIDGET (self)) && mt_study_get_fitted (self->study) != NULL))
    return;
  show_fitted (self);
  show_stale (self);
  if (self->book == NULL)
    {
      MtNextStep step = mt_next_step_find (self->document, self->study);

      adw_status_page_set_description (self->empty, self->counting != NULL
                                       ? _("Counting the rows that match each rule…")
                                       : step == MT_NEXT_WAIT
                                       ? _("Training is in progress. Rules appear here when the first run is "
                                           "finished.")
                                       : step == MT_NEXT_TRAIN
                                       ? _("Train a model to see its rules here.")
                                       : mt_next_step_get_hint (step));
      gtk_widget_set_visible (GTK_WIDGET (self->empty_button), self->counting == NULL);
      mt_next_step_show (step, self->empty_button);
    }
}

void
mt_rules_page_set_model (MtRulesPage *self,
                         MtModel     *model)
{
  g_return_if_fail (MT_IS_RULES_PAGE (self));

  if (model == self->model)
    return;
  g_clear_pointer (&self->model, mt_model_unref);
  g_clear_object (&self->counting);
  g_clear_pointer (&self->shown, mt_selected_model_unref);
  if (model != NULL)
    {
      g_autoptr (MtRuleBook) book = mt_model_make_book (model);

      self->model = mt_model_ref (model);
      gtk_revealer_set_reveal_child (self->stale, FALSE);
      show_book (self, book);
    }
  else
    {
      show_book (self, NULL);
      show_state (self);
    }
}

/* --- actions --- */

static void
copy_text (MtRulesPage *self,
           const char  *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
action_copy (GtkWidget  *widget,
             const char *name,
             GVariant   *format)
{
  MtRulesPage *self = MT_RULES_PAGE (widget);
  const char *word = g_variant_get_string (format, NULL);
  g_autofree char *text = NULL;

  if (self->book == NULL)
    return;
  text = mt_rule_list_dup_listing (self->list, g_str_equal (word, "latex") ? MT_LISTING_LATEX
                                               : g_str_equal (word, "markdown") ? MT_LISTING_MARKDOWN
                                               : MT_LISTING_TEXT);
  copy_text (self, text);
}

static void
action_copy_rule (GtkWidget  *widget,
                  const char *name,
                  GVariant   *parameter)
{
  MtRulesPage *self = MT_RULES_PAGE (widget);
  g_autofree char *text = mt_rule_inspector_dup_text (self->inspector);

  copy_text (self, text);
}

/* The window asks for the name of the file. */
static void
action_save_picture (GtkWidget  *widget,
                     const char *name,
                     GVariant   *parameter)
{
  gtk_widget_activate_action (widget, "win.export", NULL);
}

char *
mt_rules_page_dup_picture_name (MtRulesPage *self)
{
  MtTermItem *item = mt_rule_list_get_selected (self->list);

  if (shows_canvas (self))
    {
      gboolean drawn = self->book != NULL && !mt_canvas_view_is_busy (mt_canvas_pane_get_view (self->canvas));

      return drawn ? g_strdup ("model.svg") : NULL;
    }
  if (item == NULL || !mt_rule_inspector_has_diagram (self->inspector))
    return NULL;
  return g_strdup_printf ("rule-%u.svg", mt_rule_book_get_number (self->book, (guint) mt_term_item_get_term (item)));
}

void
mt_rules_page_export_async (MtRulesPage         *self,
                            const char          *path,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  mt_drawing_save_async (shows_canvas (self) ? mt_canvas_view_make_drawing (mt_canvas_pane_get_view (self->canvas))
                                             : mt_rule_inspector_make_drawing (self->inspector),
                         path, callback, user_data);
}

gboolean
mt_rules_page_export_finish (GAsyncResult  *result,
                             GError       **error)
{
  return mt_drawing_save_finish (result, error);
}

/* --- what others ask --- */

MtRuleBook *
mt_rules_page_get_book (MtRulesPage *self)
{
  return self->book;
}

MtRuleList *
mt_rules_page_get_list (MtRulesPage *self)
{
  return self->list;
}

MtRuleInspector *
mt_rules_page_get_inspector (MtRulesPage *self)
{
  return self->inspector;
}

void
mt_rules_page_find (MtRulesPage *self)
{
  mt_adaptive_pair_turn (MT_ADAPTIVE_PAIR (self), FALSE);
  mt_rule_list_find (self->list);
}

static void
on_show_rows (MtRulesPage *self,
              GArray      *rows,
              const char  *title,
              guint        row)
{
  g_signal_emit (self, show_rows_signal, 0, rows, title, row);
}

/* Somebody asked for two models side by side. */
static void
on_compared (MtRulesPage *self)
{
  if (mt_study_get_compared (self->study) == NULL)
    return;
  show_view (self, "list");
  show_mode (self, "compare");
  if (mt_adaptive_pair_is_narrow (MT_ADAPTIVE_PAIR (self)))
    mt_adaptive_pair_turn (MT_ADAPTIVE_PAIR (self), TRUE);
}

void
mt_rules_page_set_study (MtRulesPage *self,
                         MtDocument  *document,
                         MtStudy     *study)
{
  g_return_if_fail (MT_IS_RULES_PAGE (self) && self->study == NULL);

  self->document = g_object_ref (document);
  self->study = g_object_ref (study);
  g_signal_connect_object (study, "notify::fitted", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "changed", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "notify::compared", G_CALLBACK (on_compared), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "table-changed", G_CALLBACK (show_state), self, G_CONNECT_SWAPPED);
  mt_compare_view_set_study (self->compare, study);
}

/* --- object --- */

static void
mt_rules_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (mt_rules_page_parent_class)->map (widget);
  show_state (MT_RULES_PAGE (widget));
}

static void
mt_rules_page_get_property (GObject    *object,
                            guint       id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  if (id == PROP_SHOW_INSPECTOR)
    g_value_set_boolean (value, mt_adaptive_pair_get_show_end (MT_ADAPTIVE_PAIR (object)));
  else if (id == PROP_VIEW)
    g_value_set_string (value, gtk_stack_get_visible_child_name (MT_RULES_PAGE (object)->views));
  else if (id == PROP_MODE)
    g_value_set_string (value, gtk_stack_get_visible_child_name (MT_RULES_PAGE (object)->inspector_stack));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_rules_page_set_property (GObject      *object,
                            guint         id,
                            const GValue *value,
                            GParamSpec   *pspec)
{
  MtRulesPage *self = MT_RULES_PAGE (object);

  if (id == PROP_SHOW_INSPECTOR)
    mt_adaptive_pair_set_show_end (MT_ADAPTIVE_PAIR (self), g_value_get_boolean (value));
  else if (id == PROP_VIEW)
    show_view (self, g_value_get_string (value));
  else if (id == PROP_MODE)
    show_mode (self, g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
mt_rules_page_dispose (GObject *object)
{
  MtRulesPage *self = MT_RULES_PAGE (object);

  g_clear_pointer (&self->edit_popover, gtk_widget_unparent);
  g_clear_object (&self->edit_menu);
  g_clear_object (&self->counting);
  g_clear_object (&self->document);
  g_clear_object (&self->study);
  g_clear_pointer (&self->model, mt_model_unref);
  g_clear_pointer (&self->shown, mt_selected_model_unref);
  g_clear_pointer (&self->book, mt_rule_book_unref);
  G_OBJECT_CLASS (mt_rules_page_parent_class)->dispose (object);
}

static void
mt_rules_page_class_init (MtRulesPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = mt_rules_page_dispose;
  object_class->get_property = mt_rules_page_get_property;
  object_class->set_property = mt_rules_page_set_property;
  MT_ADAPTIVE_PAIR_CLASS (klass)->placed = mt_rules_page_placed;
  widget_class->map = mt_rules_page_map;
  g_object_class_install_property (object_class, PROP_SHOW_INSPECTOR,
                                   g_param_spec_boolean ("show-inspector", NULL, NULL, TRUE,
                                                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  show_rows_signal = g_signal_new ("show-rows", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 3, G_TYPE_ARRAY, G_TYPE_STRING, G_TYPE_UINT);
  shown_signal = g_signal_new ("shown", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_object_class_install_property (object_class, PROP_VIEW,
                                   g_param_spec_string ("view", NULL, NULL, "list",
                                                        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                                                        G_PARAM_STATIC_STRINGS));
  gtk_widget_class_install_property_action (widget_class, "rules.view", "view");
  g_object_class_install_property (object_class, PROP_MODE,
                                   g_param_spec_string ("mode", NULL, NULL, "rule",
                                                        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                                                        G_PARAM_STATIC_STRINGS));
  gtk_widget_class_install_property_action (widget_class, "rules.mode", "mode");
  _mt_rules_page_class_init_edit (widget_class);
  gtk_widget_class_install_action (widget_class, "rules.print", NULL, action_print);
  gtk_widget_class_install_action (widget_class, "rules.back", NULL, action_back);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_install_action (widget_class, "rules.copy", "s", action_copy);
  gtk_widget_class_install_action (widget_class, "rules.copy-rule", NULL, action_copy_rule);
  gtk_widget_class_install_action (widget_class, "rules.save-diagram", NULL, action_save_picture);
  g_type_ensure (MT_TYPE_CANVAS_PANE);
  g_type_ensure (MT_TYPE_COMPARE_VIEW);
  g_type_ensure (MT_TYPE_SCORECARD_PANE);
  g_type_ensure (MT_TYPE_RULE_HEAD);
  g_type_ensure (MT_TYPE_RULE_LIST);
  g_type_ensure (MT_TYPE_RULE_INSPECTOR);
  g_type_ensure (MT_TYPE_WHAT_IF_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/minterm/Minterm/ui/mt-rules-page.ui");
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, MtRulesPage, child)
  BIND (stack);
  BIND (empty);
  BIND (empty_button);
  BIND (stale);
  BIND (stale_text);
  BIND (edited);
  BIND (edited_text);
  BIND (views);
  BIND (canvas);
  BIND (scorecard);
  BIND (paned);
  BIND (list);
  BIND (head);
  BIND (inspector_stack);
  BIND (inspector);
  BIND (what_if);
  BIND (compare);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, on_card_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_card_opened);
  gtk_widget_class_bind_template_callback (widget_class, on_scorecard_term);
  gtk_widget_class_bind_template_callback (widget_class, on_opened);
  gtk_widget_class_bind_template_callback (widget_class, on_show_rows);
  gtk_widget_class_bind_template_callback (widget_class, on_open_row);
  gtk_widget_class_bind_template_callback (widget_class, on_answered);
  gtk_widget_class_bind_template_callback (widget_class, on_term);
}

static void
mt_rules_page_init (MtRulesPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->list_width = LIST;
  mt_adaptive_pair_set_paned (MT_ADAPTIVE_PAIR (self), self->paned);
  _mt_rules_page_init_edit (self);
  mt_preferences_watch_numbers (self, G_CALLBACK (write_anew));
  g_signal_connect_object (self->list, "selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}
