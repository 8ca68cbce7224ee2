/* How one looked at things, kept in the project and brought back: scale and part of the frontier's plot, by
 * what its points and the rules are sorted, whose curves Train shows. As JSON:
 *
 *   { "log": true, "part": [x, x, y, y], "points": 2, "rules": -1, "run": 0 }
 * with the numbers of mt-column-sort.h; without "part" everything is shown. */
#include "config.h"
#include "mt-window-private.h"

#include <math.h>

#include "util/mt-column-sort.h"

#define LATER 250   /* ms: a wheel turns many times */

static char *
describe_view (MtWindow *self)
{
  MtPlotView *plot = mt_frontier_page_get_plot (self->frontier_page);
  MtJsonWriter *json = mt_json_writer_new ();
  double part[4];

  mt_json_writer_begin_object_row (json);
  mt_json_writer_key (json, "log");
  mt_json_writer_boolean (json, mt_plot_view_get_log (plot));
  if (mt_plot_view_get_part (plot, part))
    {
      mt_json_writer_key (json, "part");
      mt_json_writer_begin_row (json);
      for (guint i = 0; i < 4; i++)
        mt_json_writer_number (json, part[i]);
      mt_json_writer_end_array (json);
    }
  mt_json_writer_member_number (json, "points",
                                mt_column_sort_get (mt_frontier_page_get_table (self->frontier_page)));
  mt_json_writer_member_number (json, "rules",
                                mt_column_sort_get (mt_rule_list_get_table (mt_rules_page_get_list (self->rules_page))));
  if (mt_train_page_get_run (self->train_page) >= 0)
    mt_json_writer_member_integer (json, "run", (guint64) mt_train_page_get_run (self->train_page));
  mt_json_writer_end_object (json);
  return mt_json_writer_finish (json, NULL);
}

void
_mt_window_keep_view (MtWindow *self)
{
  g_autofree char *view = NULL;

  g_clear_handle_id (&self->keeping_view, g_source_remove);
  if (!mt_session_can_keep (self->session))
    return;
  view = describe_view (self);
  mt_session_keep_view (self->session, view);
}

void
_mt_window_flush_view (MtWindow *self)
{
  if (self->keeping_view != 0)
    _mt_window_keep_view (self);
}

static gboolean
keep_now (gpointer data)
{
  MtWindow *self = data;

  self->keeping_view = 0;
  _mt_window_keep_view (self);
  return G_SOURCE_REMOVE;
}

static void
queue_view (MtWindow *self)
{
  if (self->keeping_view == 0 && mt_session_can_keep (self->session))
    self->keeping_view = g_timeout_add (LATER, keep_now, self);
}

/* --- back again --- */

static gboolean
read_number (const MtJson *json,
             double       *value)
{
  if (json == NULL || mt_json_get_kind (json) != MT_JSON_NUMBER)
    return FALSE;
  *value = mt_json_get_number (json);
  return TRUE;
}

static void
restore_sort (GtkColumnView *view,
              const MtJson  *json)
{
  double sort;

  if (read_number (json, &sort) && fabs (sort) < 100)
    mt_column_sort_set (view, (int) sort);
}

static void
restore_part (MtPlotView   *plot,
              const MtJson *json)
{
  double part[4];

  if (json == NULL || mt_json_get_kind (json) != MT_JSON_ARRAY || mt_json_get_n_children (json) != 4)
    return;
  for (guint i = 0; i < 4; i++)
    if (!read_number (mt_json_get_child (json, i), &part[i]))
      return;
  mt_plot_view_set_part (plot, part);
}

/* What makes no sense is as usual: it is only a view. */
void
_mt_window_restore_view (MtWindow   *self,
                         const char *view)
{
  g_autoptr (MtJson) json = mt_json_parse (view, -1, NULL);
  const MtJson *log = NULL;
  double run;

  if (json == NULL || mt_json_get_kind (json) != MT_JSON_OBJECT)
    return;
  log = mt_json_find (json, "log");
  if (log != NULL && mt_json_get_kind (log) == MT_JSON_BOOLEAN)
    mt_frontier_page_set_log (self->frontier_page, mt_json_get_boolean (log));
  restore_part (mt_frontier_page_get_plot (self->frontier_page), mt_json_find (json, "part"));
  restore_sort (mt_frontier_page_get_table (self->frontier_page), mt_json_find (json, "points"));
  restore_sort (mt_rule_list_get_table (mt_rules_page_get_list (self->rules_page)), mt_json_find (json, "rules"));
  if (read_number (mt_json_find (json, "run"), &run) && run >= 0 && run < G_MAXINT)
    mt_train_page_set_run (self->train_page, (guint) run);
}

void
_mt_window_watch_view (MtWindow *self)
{
  g_signal_connect_object (mt_frontier_page_get_plot (self->frontier_page), "notify::zoomed", G_CALLBACK (queue_view),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_sorter (mt_frontier_page_get_table (self->frontier_page)), "changed",
                           G_CALLBACK (queue_view), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_sorter (mt_rule_list_get_table (mt_rules_page_get_list (self->rules_page))),
                           "changed", G_CALLBACK (queue_view), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->train_page, "run-changed", G_CALLBACK (queue_view), self, G_CONNECT_SWAPPED);
}
