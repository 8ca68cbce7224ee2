/* The links of the Rules page as they are seen: whatever is pointed at or selected in one view, the picture of
 * the page shows it in the others. Each line of the truth table, term, box and line of the diagram and data row
 * has a spot in the picture; a spot is lit when it looks other than in the picture with nothing pointed at. */
#include "config.h"

#include <string.h>

#include "rules/mt-diagram-view.h"
#include "rules/mt-formula-view.h"
#include "rules/mt-rows-view.h"
#include "rules/mt-truth-row.h"
#include "rules/mt-truth-view.h"
#include "rules-window.h"

#define MOST_HALF 4     /* a spot is a square of 2 × half + 1 pixels */
#define SIDE      (2 * MOST_HALF + 1)
#define MOST_ROWS 12    /* data rows pointed at, one after another */

typedef enum {
  SPOT_LINE,
  SPOT_TERM,
  SPOT_NODE,
  SPOT_EDGE,
  SPOT_ROW,
  N_SPOTS,
} SpotKind;

typedef struct {
  SpotKind kind;
  guint32  index;                  /* assignment, term, node, number of a line, row of the book */
  int      x, y, half;             /* on the page */
  guint32  pixels[SIDE * SIDE];
} Spot;

typedef struct {
  MtWindow      *window;
  GtkWidget     *page;             /* its picture is taken: it has no frame around it, as the window may have */
  MtRuleView    *view;
  MtRuleFocus   *focus;
  MtTruthView   *truth;
  MtFormulaView *formula;
  MtDiagramView *diagram;
  MtRowsView    *rows;
  GArray        *dark;             /* of Spot: with nothing pointed at */
} Scene;

/* --- the picture --- */

/* Whether no list has scrolled it out of sight. */
static gboolean
is_in_sight (GtkWidget *widget,
             double     x,
             double     y)
{
  for (GtkWidget *at = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW); at != NULL;
       at = gtk_widget_get_ancestor (gtk_widget_get_parent (at), GTK_TYPE_SCROLLED_WINDOW))
    {
      double left, top;

      if (!gtk_widget_translate_coordinates (widget, at, x, y, &left, &top) || left < MOST_HALF || top < MOST_HALF ||
          left > gtk_widget_get_width (at) - MOST_HALF || top > gtk_widget_get_height (at) - MOST_HALF)
        return FALSE;
    }
  return TRUE;
}

static void
add_spot (Scene     *scene,
          GArray    *spots,
          SpotKind   kind,
          guint32    index,
          GtkWidget *widget,
          double     x,
          double     y,
          int        half)
{
  Spot spot = { .kind = kind, .index = index, .half = half };
  double left, top;

  if (!is_in_sight (widget, x, y) ||
      !gtk_widget_translate_coordinates (widget, scene->page, x, y, &left, &top))
    return;
  spot.x = (int) left;
  spot.y = (int) top;
  g_array_append_val (spots, spot);
}

static GtkWidget *
find_line (Scene   *scene,
           guint32  assignment)
{
  GtkWidget *list = mt_app_find (GTK_WIDGET (scene->truth), GTK_TYPE_LIST_VIEW, "truth-lines");

  for (GtkWidget *line = gtk_widget_get_first_child (list); line != NULL; line = gtk_widget_get_next_sibling (line))
    {
      GtkWidget *child = gtk_widget_get_first_child (line);

      if (MT_IS_TRUTH_ROW (child) && mt_truth_row_get_assignment (MT_TRUTH_ROW (child)) == assignment)
        return child;
    }
  return NULL;
}

static void
add_diagram_spots (Scene  *scene,
                   GArray *spots)
{
  const MtDiagramLayout *layout = mt_diagram_view_get_layout (scene->diagram);

  for (guint i = 0; i < layout->n_boxes; i++)
    {
      double x = layout->boxes[i].x, y = layout->boxes[i].y + layout->boxes[i].height / 2;

      mt_diagram_view_get_place (scene->diagram, &x, &y);
      add_spot (scene, spots, SPOT_NODE, layout->boxes[i].node, GTK_WIDGET (scene->diagram), x, y, 2);
    }
  /* A line has its beginning for itself; further on others join it. */
  for (guint i = 0; i < layout->n_lines; i++)
    {
      const MtDiagramLine *line = &layout->lines[i];
      double x = line->points[0].x, y = line->points[0].y + 7;

      mt_diagram_view_get_place (scene->diagram, &x, &y);
      add_spot (scene, spots, SPOT_EDGE, mt_diagram_line_number (line->from, line->high), GTK_WIDGET (scene->diagram),
                x, y, 1);
    }
}

static GArray *
find_spots (Scene *scene)
{
  GArray *spots = g_array_new (FALSE, TRUE, sizeof (Spot));

  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (scene->view); v++)
    {
      GtkWidget *line = find_line (scene, v);

      if (line != NULL)
        add_spot (scene, spots, SPOT_LINE, v, line, 5, gtk_widget_get_height (line) / 2.0, MOST_HALF);
    }
  for (guint t = 0; t < mt_rule_view_get_n_terms (scene->view, MT_PHRASE_DNF); t++)
    {
      double x, y;

      g_assert_true (mt_formula_view_get_place (scene->formula, t, &x, &y));
      add_spot (scene, spots, SPOT_TERM, t, GTK_WIDGET (scene->formula), x, y, MOST_HALF);
    }
  add_diagram_spots (scene, spots);
  for (guint i = 0; i < mt_rows_view_get_n_rows (scene->rows); i++)
    {
      guint32 row = mt_rows_view_get_row (scene->rows, i);
      GtkWidget *line = mt_rows_view_find_row (scene->rows, row);

      if (line != NULL)
        add_spot (scene, spots, SPOT_ROW, row, line, 6, gtk_widget_get_height (line) / 2.0, MOST_HALF);
    }
  return spots;
}

/* What the page looks like now, at the spots. */
static GArray *
look (Scene *scene)
{
  g_autoptr (GdkTexture) texture = mt_app_grab (scene->page);
  int width = gdk_texture_get_width (texture), height = gdk_texture_get_height (texture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * (gsize) height);
  GArray *spots = find_spots (scene);

  gdk_texture_download (texture, (guchar *) pixels, (gsize) width * sizeof *pixels);
  for (guint i = 0; i < spots->len; i++)
    {
      Spot *spot = &g_array_index (spots, Spot, i);

      g_assert_true (spot->x >= MOST_HALF && spot->y >= MOST_HALF && spot->x < width - MOST_HALF &&
                     spot->y < height - MOST_HALF);
      for (int dy = -spot->half; dy <= spot->half; dy++)
        for (int dx = -spot->half; dx <= spot->half; dx++)
          spot->pixels[(dy + MOST_HALF) * SIDE + dx + MOST_HALF] = pixels[(spot->y + dy) * width + spot->x + dx];
    }
  return spots;
}

/* --- what it should look like --- */

/* Walks down the diagram with every assignment of the set. */
static gboolean
is_passed (Scene         *scene,
           const guint64 *set,
           SpotKind       kind,
           guint32        index)
{
  const MtDiagram *diagram = mt_rule_view_get_diagram (scene->view);
  const MtDiagramNode *nodes = mt_diagram_get_nodes (diagram);

  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (scene->view); v++)
    {
      guint at = mt_diagram_get_root (diagram);

      if (!mt_truth_table_get (set, v))
        continue;
      while (at >= MT_DIAGRAM_FIRST_INNER)
        {
          gboolean high = (v >> nodes[at].input & 1) != 0;

          if (kind == SPOT_NODE ? at == index : mt_diagram_line_number (at, high) == index)
            return TRUE;
          at = high ? nodes[at].high : nodes[at].low;
        }
      if (kind == SPOT_NODE && at == index)
        return TRUE;
    }
  return FALSE;
}

static gboolean
should_light (Scene         *scene,
              const guint64 *set,
              MtFocusKind    what,
              guint32        which,
              const Spot    *spot)
{
  guint64 term[MT_TRUTH_TABLE_MAX_WORDS];

  switch (spot->kind)
    {
    case SPOT_LINE:
      return mt_truth_table_get (set, spot->index);
    case SPOT_TERM:
      if (what == MT_FOCUS_TERM)
        return spot->index == which;
      mt_rule_view_set_term (scene->view, MT_PHRASE_DNF, spot->index, term);
      for (guint32 v = 0; v < mt_rule_view_get_n_assignments (scene->view); v++)
        if (mt_truth_table_get (term, v) && mt_truth_table_get (set, v))
          return TRUE;
      return FALSE;
    case SPOT_ROW:
      return what == MT_FOCUS_ROW ? spot->index == which
                                  : mt_truth_table_get (set, mt_rule_view_get_pattern (scene->view, spot->index));
    case SPOT_NODE:
    case SPOT_EDGE:
    case N_SPOTS:
    default:
      return is_passed (scene, set, spot->kind, spot->index);
    }
}

/* Spots that look other than they should; @n: how many of each kind were looked at. */
static guint
count_wrong (Scene         *scene,
             GArray        *spots,
             const guint64 *set,
             MtFocusKind    what,
             guint32        which,
             gboolean       with_rows,
             guint         *n)
{
  guint n_wrong = 0;

  memset (n, 0, N_SPOTS * sizeof *n);
  for (guint i = 0; i < spots->len; i++)
    for (guint d = 0; d < scene->dark->len; d++)
      {
        const Spot *spot = &g_array_index (spots, Spot, i), *dark = &g_array_index (scene->dark, Spot, d);

        if (spot->kind != dark->kind || spot->index != dark->index || (spot->kind == SPOT_ROW && !with_rows))
          continue;
        n[spot->kind]++;
        if ((memcmp (spot->pixels, dark->pixels, sizeof spot->pixels) != 0) !=
            should_light (scene, set, what, which, spot))
          {
            g_test_message ("spot of kind %u, number %u, at %d, %d should %sbe lit", spot->kind, spot->index, spot->x,
                            spot->y, should_light (scene, set, what, which, spot) ? "" : "not ");
            n_wrong++;
          }
      }
  return n_wrong;
}

static void
fill_set (Scene       *scene,
          MtFocusKind  what,
          guint32      which,
          guint64     *set)
{
  switch (what)
    {
    case MT_FOCUS_LINE:
      mt_rule_view_set_assignment (scene->view, which, set);
      break;
    case MT_FOCUS_TERM:
      mt_rule_view_set_term (scene->view, MT_PHRASE_DNF, which, set);
      break;
    case MT_FOCUS_NODE:
      mt_rule_view_set_node (scene->view, which, set);
      break;
    case MT_FOCUS_EDGE:
      mt_rule_view_set_line (scene->view, which, set);
      break;
    case MT_FOCUS_PATH:
      mt_rule_view_set_path (scene->view, which, set);
      break;
    case MT_FOCUS_ROW:
      mt_rule_view_set_assignment (scene->view, mt_rule_view_get_pattern (scene->view, which), set);
      break;
    case MT_FOCUS_NONE:
    default:
      memset (set, 0, mt_rule_view_get_n_words (scene->view) * sizeof *set);
    }
}

/* The whole page shows what is pointed at, and nothing else. */
static void
check_picture (Scene       *scene,
               MtFocusKind  what,
               guint32      which,
               gboolean     hovered)
{
  g_autoptr (GArray) spots = look (scene);
  guint64 set[MT_TRUTH_TABLE_MAX_WORDS];
  guint n[N_SPOTS];
  guint32 index = 0;

  g_assert_cmpint (hovered ? mt_rule_focus_get_hovered (scene->focus, &index)
                           : mt_rule_focus_get_selected (scene->focus, &index), ==, what);
  g_assert_cmpuint (index, ==, which);
  fill_set (scene, what, which, set);
  /* Selecting lists the rows that have a part in it; pointing, and picking a row, light them in the list. */
  g_assert_cmpuint (count_wrong (scene, spots, set, what, which, hovered || what == MT_FOCUS_ROW, n), ==, 0);
  g_assert_cmpuint (n[SPOT_LINE], ==, mt_rule_view_get_n_assignments (scene->view));
  g_assert_cmpuint (n[SPOT_TERM], ==, mt_rule_view_get_n_terms (scene->view, MT_PHRASE_DNF));
  g_assert_cmpuint (n[SPOT_NODE], ==, mt_diagram_view_get_layout (scene->diagram)->n_boxes);
  g_assert_cmpuint (n[SPOT_EDGE], ==, mt_diagram_view_get_layout (scene->diagram)->n_lines);
  if (hovered || what == MT_FOCUS_ROW)
    {
      g_assert_cmpuint (n[SPOT_ROW], >, 1);
      return;
    }
  g_assert_cmpuint (mt_rows_view_get_n_rows (scene->rows), ==, mt_rule_view_count_rows (scene->view, set));
  for (guint i = 0; i < mt_rows_view_get_n_rows (scene->rows); i++)
    g_assert_true (mt_truth_table_get (set, mt_rule_view_get_pattern (scene->view,
                                                                       mt_rows_view_get_row (scene->rows, i))));
}

/* --- the scene --- */

static void
put_away (Scene *scene)
{
  mt_rule_focus_hover (scene->focus, MT_FOCUS_NONE, 0);
  mt_rule_focus_select (scene->focus, MT_FOCUS_NONE, 0);
}

static void
scene_init (Scene      *scene,
            const char *target)
{
  MtWindow *window = mt_rules_window_open (target, 1280);

  scene->window = window;
  scene->page = GTK_WIDGET (mt_rules_window_page (window));
  scene->view = mt_rules_window_select_richest (window);
  scene->focus = mt_rules_window_focus (window);
  scene->truth = mt_rules_window_find (window, MT_TYPE_TRUTH_VIEW);
  scene->formula = mt_rules_window_find (window, MT_TYPE_FORMULA_VIEW);
  scene->diagram = mt_rules_window_find (window, MT_TYPE_DIAGRAM_VIEW);
  scene->rows = mt_rules_window_find (window, MT_TYPE_ROWS_VIEW);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  mt_app_settle (400);   /* what slides or fades has come to rest */
  put_away (scene);
  scene->dark = look (scene);
}

static void
scene_clear (Scene *scene)
{
  put_away (scene);
  check_picture (scene, MT_FOCUS_NONE, 0, TRUE);   /* all dark again */
  g_array_unref (scene->dark);
  mt_app_window_end (scene->window);
}

static void
hover (Scene       *scene,
       GtkWidget   *widget,
       const char  *signal,
       double       x,
       double       y,
       MtFocusKind  what,
       guint32      which)
{
  mt_rules_window_point (widget, GTK_TYPE_EVENT_CONTROLLER_MOTION, signal, x, y);
  check_picture (scene, what, which, TRUE);
  put_away (scene);
}

/* --- from each view --- */

static void
test_line (void)
{
  Scene scene;
  GtkSingleSelection *lines;

  scene_init (&scene, "answer");
  lines = GTK_SINGLE_SELECTION (mt_truth_view_get_lines (scene.truth));
  for (guint32 v = 0; v < mt_rule_view_get_n_assignments (scene.view); v++)
    hover (&scene, find_line (&scene, v), "enter", 4, 4, MT_FOCUS_LINE, v);
  for (guint i = 0; i < mt_rule_view_get_n_assignments (scene.view); i++)
    {
      gtk_single_selection_set_selected (lines, i);
      check_picture (&scene, MT_FOCUS_LINE, mt_truth_view_get_assignment (scene.truth, i), FALSE);
    }
  scene_clear (&scene);
}

static void
test_term (void)
{
  Scene scene;

  scene_init (&scene, "answer");
  for (guint t = 0; t < mt_rule_view_get_n_terms (scene.view, MT_PHRASE_DNF); t++)
    {
      double x, y;

      g_assert_true (mt_formula_view_get_place (scene.formula, t, &x, &y));
      hover (&scene, GTK_WIDGET (scene.formula), "motion", x, y, MT_FOCUS_TERM, t);
      mt_rules_window_point (GTK_WIDGET (scene.formula), GTK_TYPE_GESTURE_CLICK, "pressed", x, y);
      check_picture (&scene, MT_FOCUS_TERM, t, FALSE);
      put_away (&scene);
    }
  scene_clear (&scene);
}

static void
press_key (GtkWidget *widget,
           guint      key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      gboolean taken = FALSE;

      if (!GTK_IS_EVENT_CONTROLLER_KEY (controller))
        continue;
      g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &taken);
      g_assert_true (taken);
      return;
    }
  g_assert_not_reached ();
}

/* Boxes and lines by the pointer, whole ways by the keyboard. */
static void
test_path (void)
{
  Scene scene;
  const MtDiagramLayout *layout;

  scene_init (&scene, "answer");
  layout = mt_diagram_view_get_layout (scene.diagram);
  for (guint i = 0; i < layout->n_boxes; i++)
    {
      double x = layout->boxes[i].x + 4, y = layout->boxes[i].y + 15;

      mt_diagram_view_get_place (scene.diagram, &x, &y);
      hover (&scene, GTK_WIDGET (scene.diagram), "motion", x, y, MT_FOCUS_NODE, layout->boxes[i].node);
    }
  for (guint i = 0; i < layout->n_lines; i++)
    {
      const MtDiagramLine *line = &layout->lines[i];
      double x = line->points[0].x, y = line->points[0].y + 6;
      guint number = mt_diagram_line_number (line->from, line->high);

      mt_diagram_view_get_place (scene.diagram, &x, &y);
      hover (&scene, GTK_WIDGET (scene.diagram), "motion", x, y, MT_FOCUS_EDGE, number);
      mt_rules_window_point (GTK_WIDGET (scene.diagram), GTK_TYPE_GESTURE_CLICK, "pressed", x, y);
      check_picture (&scene, MT_FOCUS_EDGE, number, FALSE);
      put_away (&scene);
    }
  for (guint p = 0; p < mt_rule_view_get_n_paths (scene.view); p++)
    {
      press_key (GTK_WIDGET (scene.diagram), GDK_KEY_Right);
      check_picture (&scene, MT_FOCUS_PATH, p, FALSE);
    }
  scene_clear (&scene);
}

static void
test_row (void)
{
  Scene scene;
  GtkListView *list;
  guint n_rows;

  scene_init (&scene, "amount");
  list = GTK_LIST_VIEW (mt_app_find (GTK_WIDGET (scene.rows), GTK_TYPE_LIST_VIEW, NULL));
  n_rows = mt_rows_view_get_n_rows (scene.rows);
  for (guint i = 0; i < MIN (n_rows, MOST_ROWS); i++)
    {
      guint32 row = mt_rows_view_get_row (scene.rows, i);
      GtkWidget *line = mt_rows_view_find_row (scene.rows, row);

      if (line == NULL || !is_in_sight (line, 6, gtk_widget_get_height (line) / 2.0))
        break;
      hover (&scene, line, "enter", 4, 4, MT_FOCUS_ROW, row);
      gtk_selection_model_select_item (gtk_list_view_get_model (list), i, TRUE);
      check_picture (&scene, MT_FOCUS_ROW, row, FALSE);
      g_assert_cmpuint (mt_rows_view_get_n_rows (scene.rows), ==, n_rows);   /* the list stays under the pointer */
      put_away (&scene);
    }
  scene_clear (&scene);
}

/* What is lit for one thing is not what should be lit for another: the eye can tell. */
static void
test_eye (void)
{
  Scene scene;
  guint n_assignments;

  scene_init (&scene, "answer");
  n_assignments = mt_rule_view_get_n_assignments (scene.view);
  for (guint32 v = 0; v < n_assignments; v++)
    {
      g_autoptr (GArray) spots = NULL;
      guint64 set[MT_TRUTH_TABLE_MAX_WORDS];
      guint n[N_SPOTS];

      mt_rule_focus_hover (scene.focus, MT_FOCUS_LINE, v);
      spots = look (&scene);
      fill_set (&scene, MT_FOCUS_LINE, (v + 1) % n_assignments, set);
      g_assert_cmpuint (count_wrong (&scene, spots, set, MT_FOCUS_LINE, (v + 1) % n_assignments, TRUE, n), >, 2);
    }
  scene_clear (&scene);
}

int
main (int    argc,
      char **argv)
{
  mt_app_test_init (&argc, &argv);
  g_test_add_func ("/app/links/line", test_line);
  g_test_add_func ("/app/links/term", test_term);
  g_test_add_func ("/app/links/path", test_path);
  g_test_add_func ("/app/links/row", test_row);
  g_test_add_func ("/app/links/eye", test_eye);
  return g_test_run ();
}
