#include "config.h"
#include "mt-term-row.h"

#include <glib/gi18n.h>
#include <math.h>

#include "mt-format.h"

#define MOST_ROWS 200000   /* counting a rule's rows beyond this would hold up the window */

static GtkWidget *
make_pill (double   weight,
           gboolean bias)
{
  g_autofree char *text = mt_format_weight (weight);
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "weight");
  gtk_widget_add_css_class (label, bias ? "bias" : signbit (weight) ? "negative" : "positive");
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  return label;
}

static GtkWidget *
make_row (const MtBasis *basis,
          const char    *title,
          const char    *detail,
          const double  *weights,
          guint          n_outputs,
          double         scale,
          gboolean       bias)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
  if (n_outputs == 1)
    {
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), make_pill (weights[0] * scale, bias));
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), detail);
    }
  else
    {
      g_autofree double *scaled = g_new (double, n_outputs);
      g_autofree char *each = NULL;
      g_autofree char *both = NULL;

      for (guint i = 0; i < n_outputs; i++)
        scaled[i] = weights[i] * scale;
      each = mt_format_weights (mt_target_get_classes (basis->target), scaled, n_outputs);
      both = *detail != '\0' ? g_strdup_printf ("%s\n%s", each, detail) : g_strdup (each);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), both);
    }
  return row;
}

GtkWidget *
mt_term_row_new_bias (const MtFitted *fitted)
{
  const MtRuleSet *rules = fitted->point.rules;

  return make_row (fitted->basis, _("Start"), _("Every row begins with it"), mt_rule_set_get_bias (rules),
                   mt_rule_set_get_n_outputs (rules), 1, TRUE);
}

static char *
describe_rule (const MtBasis *basis,
               const MtRule  *rule)
{
  guint n_literals = mt_rule_get_n_literals (rule);
  guint n_classes = mt_target_get_n_classes (basis->target);
  g_autofree char *literals = g_strdup_printf (ngettext ("%u literal", "%u literals", n_literals), n_literals);
  g_autoptr (MtRuleStats) stats = NULL;
  g_autofree char *support = NULL;

  if (basis->rows->n_rows > MOST_ROWS)
    return g_steal_pointer (&literals);
  stats = mt_rule_stats_new (rule, basis->encoded, basis->rows->values, n_classes);
  {
    g_autofree char *count = mt_format_count (stats->support);

    support = g_strdup_printf (ngettext ("true of %s row", "true of %s rows", stats->support), count);
  }
  if (n_classes == 2)
    {
      g_autofree char *share = mt_format_percent (stats->hit_rate[1]);

      /* Translators: "true of 80 rows · 93 % of them yes · 2 literals" */
      return g_strdup_printf (_("%s · %s of them %s · %s"), support, share,
                              mt_target_get_classes (basis->target)[1], literals);
    }
  if (n_classes == 0)
    {
      g_autofree char *inside = mt_format_number (stats->mean_inside);
      g_autofree char *outside = mt_format_number (stats->mean_outside);

      /* Translators: "true of 80 rows · mean 12.5, else 8.1 · 2 literals" */
      return g_strdup_printf (_("%s · mean %s, else %s · %s"), support, inside, outside, literals);
    }
  return g_strdup_printf ("%s · %s", support, literals);
}

GtkWidget *
mt_term_row_new (const MtFitted *fitted,
                 guint           index)
{
  const MtBasis *basis = fitted->basis;
  const MtRuleSet *rules = fitted->point.rules;
  const MtTerm *term = mt_rule_set_get_term (rules, index);
  g_autofree char *text = mt_term_dup_text (term, basis->encoder);
  g_autofree char *detail = NULL;
  g_autofree char *title = NULL;
  double scale = 1;

  if (term->is_numeric)
    {
      const MtUnary *unary = mt_term_get_unary (term, basis->encoder);
      g_autofree char *mean = mt_format_number (unary->mean);

      scale = 1 / unary->sd;
      /* Translators: %s is the name of a column: its value times the weight is added */
      title = g_strdup_printf (_("for each unit of %s"), text);
      /* Translators: %s is the mean of the column */
      detail = g_strdup_printf (_("counted from its mean, %s, which also stands for a missing value"), mean);
    }
  else
    {
      title = g_steal_pointer (&text);
      detail = describe_rule (basis, term->rule);
    }
  return make_row (basis, title, detail, term->weights, mt_rule_set_get_n_outputs (rules), scale, FALSE);
}
