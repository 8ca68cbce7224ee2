/* The tables: one TSV with all cells, one an experiment, and the page that says it all in Markdown. */
#include "config.h"
#include "mt-lab-private.h"

#include <math.h>
#include <string.h>

#define MAX_DIGITS  4
#define MAX_COLUMNS 8

/* Cells of a part of an experiment that the paper has a figure for. */
typedef struct {
  const char *part;       /* a method of T3, T4 or T5; "" otherwise */
  guint       n_reproduced, n_better, n_differ, n_not_run;     /* n_differ: without those that are better */
} Count;

typedef struct {
  const MtLabExperiment *experiment;
  MtLabCells            *extra;
  GPtrArray             *means;
  GPtrArray             *rows, *columns;     /* borrowed names, in order of appearance */
  GArray                *counts;             /* of Count */
} Section;

static void
section_free (gpointer data)
{
  Section *self = data;

  mt_lab_cells_free (self->extra);
  g_ptr_array_unref (self->means);
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->columns);
  g_array_unref (self->counts);
  g_free (self);
}

/* Cells that only pictures need. */
static gboolean
is_shown (const char *column)
{
  return column[0] != '.';
}

static void
add_name (GPtrArray  *names,
          const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (g_str_equal (names->pdata[i], name))
      return;
  g_ptr_array_add (names, (gpointer) name);
}

/* Of a cell that has a place in a table: a number as short as people read it. */
static char *
dup_number (double value)
{
  g_autofree char *text = NULL;
  double size = fabs (value);
  int digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : MAX_DIGITS;
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  char format[8];

  if (isnan (value))
    return g_strdup ("–");
  if (size > 0 && size < .001)
    return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.1e", value));
  g_snprintf (format, sizeof format, "%%.%df", digits);
  text = g_strdup (g_ascii_formatd (buffer, sizeof buffer, format, value));
  if (strchr (text, '.') != NULL)
    {
      gsize n = strlen (text);

      while (text[n - 1] == '0')
        text[--n] = '\0';
      if (text[n - 1] == '.')
        text[n - 1] = '\0';
    }
  return g_steal_pointer (&text);
}

static void
append_value (GString *text,
              double   value,
              double   se)
{
  g_autofree char *shown = dup_number (value), *error = isnan (se) ? NULL : dup_number (se);

  g_string_append (text, shown);
  if (error != NULL)
    g_string_append_printf (text, " ± %s", error);
}

static MtLabMark
mark_of (const Section *section,
         const char    *row,
         const char    *column,
         double        *value,
         double        *se,
         guint         *n,
         MtLabFigure   *figure)
{
  const MtLabMean *mean = mt_lab_means_find (section->means, row, column);
  gboolean has_figure = mt_lab_paper_find (section->experiment->name, row, column, figure);

  *value = mean != NULL ? mean->mean : NAN;
  *se = mean != NULL ? mean->se : NAN;
  *n = mean != NULL ? mean->values->len : 0;
  return mt_lab_mark (*value, *se, has_figure ? figure : NULL);
}

/* Is there anything to say of it, by us or by the paper? */
static gboolean
is_cell (const Section *section,
         const char    *row,
         const char    *column)
{
  MtLabFigure figure;

  return mt_lab_means_find (section->means, row, column) != NULL ||
         (mt_lab_paper_find (section->experiment->name, row, column, &figure) && !isnan (figure.value));
}

static Section *
make_section (MtLabContext           *context,
              const MtLabExperiment  *experiment,
              GError                **error)
{
  Section *self = g_new0 (Section, 1);

  self->experiment = experiment;
  self->extra = mt_lab_cells_new ();
  self->rows = g_ptr_array_new ();
  self->columns = g_ptr_array_new ();
  self->counts = g_array_new (FALSE, TRUE, sizeof (Count));
  if (experiment->finish != NULL && !experiment->finish (context, experiment, self->extra, error))
    {
      self->means = g_ptr_array_new ();
      section_free (self);
      return NULL;
    }
  self->means = mt_lab_means_new (context, experiment, self->extra);
  for (guint i = 0; i < self->means->len; i++)
    {
      const MtLabMean *mean = self->means->pdata[i];

      if (!is_shown (mean->column))
        continue;
      add_name (self->rows, mean->row);
      add_name (self->columns, mean->column);
    }
  for (guint i = 0;; i++)
    {
      const char *row, *column;

      if (!mt_lab_paper_get_cell (experiment->name, i, &row, &column))
        break;
      add_name (self->rows, row);
      add_name (self->columns, column);
    }
  return self;
}

static gboolean
write_text (const MtLabContext  *context,
            const char          *name,
            const GString       *text,
            GError             **error)
{
  g_autofree char *path = g_build_filename (context->options->out, name, NULL);

  return mt_file_write (path, text->str, text->len, MT_FILE_REPLACE, error);
}

static const char *
part_of (const Section *section,
         const char    *column)
{
  static const char * const parts[] = { "as in the paper", "default" };
  gboolean is_table = section->experiment->list == mt_lab_list_results;

  for (guint i = 0; is_table && i < G_N_ELEMENTS (parts); i++)
    if (g_str_has_prefix (column, parts[i]))
      return parts[i];
  return is_table ? "ranks" : "";
}

static void
count_cell (Section           *section,
            const char        *column,
            double             value,
            const MtLabFigure *figure,
            MtLabMark          mark)
{
  const char *part = part_of (section, column);
  Count *count = NULL;

  if (isnan (figure->value))
    return;
  for (guint i = 0; i < section->counts->len && count == NULL; i++)
    if (g_str_equal (g_array_index (section->counts, Count, i).part, part))
      count = &g_array_index (section->counts, Count, i);
  if (count == NULL)
    {
      g_array_append_vals (section->counts, &(Count) { .part = part }, 1);
      count = &g_array_index (section->counts, Count, section->counts->len - 1);
    }
  count->n_reproduced += mark == MT_LAB_REPRODUCED;
  count->n_not_run += mark == MT_LAB_NOT_RUN;
  if (mark == MT_LAB_DIFFERS && mt_lab_is_better (section->experiment->name, column, value, figure))
    count->n_better++;
  else
    count->n_differ += mark == MT_LAB_DIFFERS;
}

static void
append_counts (GString       *text,
               const Section *section)
{
  for (guint i = 0; i < section->counts->len; i++)
    {
      const Count *count = &g_array_index (section->counts, Count, i);

      g_string_append_printf (text, "| %s%s%s | %u | %u | %u | %u | %u |\n", section->experiment->name,
                              count->part[0] != '\0' ? ", " : "", count->part,
                              count->n_reproduced + count->n_better + count->n_differ, count->n_reproduced, count->n_better,
                              count->n_differ, count->n_not_run);
    }
}

/* One line a cell: what a program reads. */
static void
append_tsv (GString      *text,
            Section      *section,
            MtLabSummary *summary)
{
  for (guint r = 0; r < section->rows->len; r++)
    for (guint c = 0; c < section->columns->len; c++)
      {
        const char *row = section->rows->pdata[r], *column = section->columns->pdata[c];
        char a[MT_DECIMAL_SIZE], b[MT_DECIMAL_SIZE], d[MT_DECIMAL_SIZE], e[MT_DECIMAL_SIZE];
        MtLabFigure figure = { NAN, NAN, 0, FALSE };
        double value, se;
        MtLabMark mark;
        guint n;

        if (!is_cell (section, row, column))
          continue;
        mark = mark_of (section, row, column, &value, &se, &n, &figure);
        count_cell (section, column, value, &figure, mark);
        summary->n_cells++;
        summary->n_reproduced += mark == MT_LAB_REPRODUCED;
        summary->n_differ += mark == MT_LAB_DIFFERS;
        summary->n_not_run += mark == MT_LAB_NOT_RUN;
        g_string_append_printf (text, "%s\t%s\t%s\t%s\t%s\t%u\t%s\t%s\t%s\n", section->experiment->name, row, column,
                                isnan (value) ? "" : mt_decimal_write (value, a), isnan (se) ? "" : mt_decimal_write (se, b),
                                n, isnan (figure.value) ? "" : mt_decimal_write (figure.value, d),
                                isnan (figure.se) ? "" : mt_decimal_write (figure.se, e), mt_lab_mark_to_string (mark));
      }
}

static void
append_cell (GString       *text,
             const Section *section,
             const char    *row,
             const char    *column)
{
  MtLabFigure figure = { NAN, NAN, 0, FALSE };
  double value, se;
  MtLabMark mark;
  guint n;

  if (!is_cell (section, row, column))
    {
      g_string_append (text, " |");
      return;
    }
  mark = mark_of (section, row, column, &value, &se, &n, &figure);
  g_string_append_c (text, ' ');
  if (n > 0)
    append_value (text, value, se);
  if (mark == MT_LAB_NOT_RUN && n == 0 && mt_lab_means_find (section->means, row, column) != NULL)
    g_string_append (text, "none");
  if (!isnan (figure.value))
    {
      g_string_append (text, n > 0 ? "; paper " : "paper ");
      g_string_append (text, figure.is_limit ? "≤ " : "");
      append_value (text, figure.value, figure.se);
    }
  if (mark != MT_LAB_NO_FIGURE)
    g_string_append_printf (text, mark == MT_LAB_DIFFERS ? ": **%s**" : ": %s", mt_lab_mark_to_string (mark));
  if (mark == MT_LAB_DIFFERS && mt_lab_is_better (section->experiment->name, column, value, &figure))
    g_string_append (text, " (better)");
  g_string_append (text, " |");
}

static guint
count_jobs (const MtLabContext    *context,
            const MtLabExperiment *experiment,
            guint                 *n_done)
{
  guint n = 0;

  *n_done = 0;
  for (guint i = 0; i < context->jobs->len; i++)
    {
      const MtLabJob *job = context->jobs->pdata[i];

      n += job->experiment == experiment;
      *n_done += job->experiment == experiment && job->cells != NULL;
    }
  return n;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
append_pictures (GString            *text,
                 const MtLabContext *context,
                 const char         *experiment)
{
  g_autoptr (GDir) folder = g_dir_open (context->options->out, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *prefix = g_strconcat (experiment, "-", NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_prefix (name, prefix) && g_str_has_suffix (name, ".svg"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *title = g_strndup (names->pdata[i], strlen (names->pdata[i]) - strlen (".svg"));

      g_string_append_printf (text, "![%s](%s)\n\n", title, (char *) names->pdata[i]);
    }
}

static void
append_row (GString       *text,
            const Section *section,
            const char    *name,
            GPtrArray     *others,
            gboolean       is_turned)
{
  g_string_append_printf (text, "\n| %s |", name);
  for (guint i = 0; i < others->len; i++)
    append_cell (text, section, is_turned ? others->pdata[i] : name, is_turned ? name : others->pdata[i]);
}

/* Rows that have the same columns, as a table; with the columns one below the other where there are too many. */
static void
append_block (GString       *text,
              const Section *section,
              GPtrArray     *rows,
              GPtrArray     *columns)
{
  gboolean is_turned = columns->len > MAX_COLUMNS && rows->len < columns->len;
  GPtrArray *down = is_turned ? columns : rows, *across = is_turned ? rows : columns;

  g_string_append (text, "| |");
  for (guint i = 0; i < across->len; i++)
    g_string_append_printf (text, " %s |", (char *) across->pdata[i]);
  g_string_append (text, "\n|---|");
  for (guint i = 0; i < across->len; i++)
    g_string_append (text, "---|");
  for (guint i = 0; i < down->len; i++)
    append_row (text, section, down->pdata[i], across, is_turned);
  g_string_append (text, "\n\n");
}

static GPtrArray *
columns_of (const Section *section,
            const char    *row)
{
  GPtrArray *columns = g_ptr_array_new ();

  for (guint c = 0; c < section->columns->len; c++)
    if (is_cell (section, row, section->columns->pdata[c]))
      g_ptr_array_add (columns, section->columns->pdata[c]);
  return columns;
}

static gboolean
is_same (GPtrArray *a,
         GPtrArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->pdata, b->pdata, a->len * sizeof *a->pdata) == 0);
}

static void
append_blocks (GString       *text,
               const Section *section)
{
  g_autofree gboolean *is_done = g_new0 (gboolean, MAX (section->rows->len, 1));

  for (guint r = 0; r < section->rows->len; r++)
    {
      g_autoptr (GPtrArray) columns = columns_of (section, section->rows->pdata[r]), rows = g_ptr_array_new ();

      for (guint o = r; !is_done[r] && o < section->rows->len; o++)
        {
          g_autoptr (GPtrArray) others = columns_of (section, section->rows->pdata[o]);

          if (!is_done[o] && is_same (columns, others))
            g_ptr_array_add (rows, section->rows->pdata[o]);
          if (o > r)
            is_done[o] |= is_same (columns, others);
        }
      if (rows->len > 0)
        append_block (text, section, rows, columns);
      is_done[r] = TRUE;
    }
}

static void
append_section (GString            *text,
                const MtLabContext *context,
                const Section      *section)
{
  guint n_done, n = count_jobs (context, section->experiment, &n_done);

  g_string_append_printf (text, "## %s: %s\n\n%s\n\n%u of %u jobs have run.\n\n", section->experiment->name,
                          section->experiment->title, section->experiment->comment, n_done, n);
  append_blocks (text, section);
  append_pictures (text, context, section->experiment->name);
  for (guint i = 0; i < context->jobs->len; i++)
    {
      const MtLabJob *job = context->jobs->pdata[i];

      if (job->experiment == section->experiment && job->failure != NULL)
        g_string_append_printf (text, "- %s failed: %s\n", job->name, job->failure);
    }
}

gboolean
mt_lab_write_pages (MtLabContext  *context,
                    MtLabSummary  *summary,
                    GError       **error)
{
  static const char header[] = "experiment\trow\tcolumn\tvalue\tstandard_error\truns\tpaper\tpaper_standard_error\tmark\n";
  g_autoptr (GString) counts = g_string_new (NULL);
  g_autoptr (GString) all = g_string_new (header), page = g_string_new (NULL), sections = g_string_new (NULL);
  const MtLabExperiment *experiments = mt_lab_experiments ();
  guint n_ran;

  for (guint e = 0; experiments[e].name != NULL; e++)
    {
      g_autoptr (GString) tsv = g_string_new (header), markdown = g_string_new (NULL);
      g_autofree char *tsv_name = g_strconcat (experiments[e].name, ".tsv", NULL);
      g_autofree char *markdown_name = g_strconcat (experiments[e].name, ".md", NULL);
      Section *section;
      gboolean ok;

      if (context->options->only != NULL && !g_strv_contains (context->options->only, experiments[e].name))
        continue;
      section = make_section (context, &experiments[e], error);
      if (section == NULL)
        return FALSE;
      append_tsv (tsv, section, summary);
      append_section (markdown, context, section);
      g_string_append (all, tsv->str + strlen (header));
      g_string_append (sections, markdown->str);
      append_counts (counts, section);
      section_free (section);
      ok = write_text (context, tsv_name, tsv, error) && write_text (context, markdown_name, markdown, error);
      if (!ok)
        return FALSE;
    }
  n_ran = summary->n_reproduced + summary->n_differ;
  g_string_append (page, "# The experiments of the paper\n\n");
  if (context->options->command != NULL)
    g_string_append_printf (page, "Written by `%s`. ", context->options->command);
  g_string_append_printf (page, "%u of %u jobs have run. Of %u cells that ran and that the paper has a figure for, %u are "
                                "reproduced (%.0f %%) and %u differ; %u cells of the paper were not run.\n\n"
                                "Each cell: our mean ± its standard error over the runs; the paper's figure; the mark. "
                                "*Reproduced*: the difference is at most two standard errors of the difference, plus what "
                                "rounding of the printed figure hides. Of a single run there is no standard error; then only "
                                "the paper's counts. *Differs (better)*: by more quality or by fewer literals, where the two "
                                "are of models.\n\n"
                                "| experiment | cells with a figure that ran | reproduced | differ, better | differ, otherwise "
                                "| not run |\n|---|---|---|---|---|---|\n",
                          summary->n_before + summary->n_done, summary->n_jobs, n_ran, summary->n_reproduced,
                          n_ran > 0 ? 100. * summary->n_reproduced / n_ran : 0, summary->n_differ, summary->n_not_run);
  g_string_append (page, counts->str);
  g_string_append_c (page, '\n');
  g_string_append (page, sections->str);
  return write_text (context, "cells.tsv", all, error) && write_text (context, "paper.md", page, error);
}

/* --- pictures --- */

gboolean
mt_lab_write_chart (MtLabContext  *context,
                    const char    *name,
                    MtChart       *chart,
                    double         width,
                    double         height,
                    GError       **error)
{
  g_autofree char *file = g_strconcat (name, ".svg", NULL);
  g_autofree char *path = g_build_filename (context->options->out, file, NULL);
  double whole_width, whole_height;

  mt_chart_measure (chart, width, height, &whole_width, &whole_height);
  return mt_picture_write (path, whole_width, whole_height, 1, mt_chart_paint, chart, error);
}
