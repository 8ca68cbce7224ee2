/* The figures that the paper prints. See mt-lab-paper.h. */
#include "config.h"
#include "mt-lab-paper.h"

#include <math.h>
#include <string.h>

#include "mt-core.h"

typedef struct {
  const char *quality, *quality_se, *literals, *literals_se;
} Printed;

typedef struct {
  const char *experiment, *dataset;
  Printed     methods[MT_LAB_MAX_METHODS];
} Row;

static const char * const binary_methods[] = { "TT-Sparse", "GOSDT", "GLRM", "RuleFit", "Classy", "NeuRules", "RL-Net", "RRL",
                                               "DWN", "TabM", NULL };
static const char * const multiclass_methods[] = { "TT-Sparse", "GOSDT", "Classy", "NeuRules", "RL-Net", "DWN", "TabM", NULL };
static const char * const regression_methods[] = { "TT-Sparse", "GLRM", "RuleFit", "TabM", NULL };

/* Quality, its standard error, literals, their standard error; "OOM": it ran out of memory. */
static const Row results[] = {
  { "T3", "bank", {
    { ".9096", ".00", "112", "37" }, { ".6662", ".01", "5", "0" }, { ".8928", ".00", "38", "2" },
    { ".8963", ".01", "58", "20" }, { ".9042", ".00", "370", "13" }, { ".8648", ".01", "902", "45" },
    { ".6917", ".01", "1318", "6" }, { ".8913", ".01", "73", "7" }, { ".8480", ".01", "533", "31" },
    { ".9351", ".00", "", "" },
  } },
  { "T3", "blood", {
    { ".7554", ".02", "15", "8" }, { ".6155", ".04", "15", "5" }, { ".7093", ".05", "30", "5" },
    { ".7059", ".05", "43", "7" }, { ".6628", ".03", "9", "2" }, { ".7116", ".02", "165", "3" },
    { ".5618", ".05", "201", "0" }, { ".6712", ".04", "5", "2" }, { ".6545", ".05", "465", "29" },
    { ".7193", ".04", "", "" },
  } },
  { "T3", "calhousing", {
    { ".9307", ".00", "62", "11" }, { ".8111", ".01", "25", "0" }, { ".9205", ".01", "108", "7" },
    { ".9259", ".00", "131", "46" }, { ".9072", ".01", "457", "17" }, { ".8804", ".01", "229", "8" },
    { ".8004", ".03", "88", "1" }, { ".8684", ".01", "45", "3" }, { ".7961", ".01", "572", "21" },
    { ".9667", ".00", "", "" },
  } },
  { "T3", "compas", {
    { ".7301", ".01", "9", "2" }, { ".6765", ".01", "13", "0" }, { ".7236", ".01", "38", "4" },
    { ".7270", ".01", "31", "16" }, { ".7080", ".01", "39", "2" }, { ".7129", ".01", "280", "6" },
    { ".6851", ".02", "961", "1" }, { ".6825", ".01", "17", "5" }, { ".6629", ".01", "1358", "28" },
    { ".7311", ".01", "", "" },
  } },
  { "T3", "covertype", {
    { ".8554", ".00", "194", "31" }, { "OOM", "", "", "" }, { ".8437", ".00", "49", "1" },
    { ".8465", ".00", "39", "6" }, { ".8913", ".00", "2183", "102" }, { ".8320", ".00", "284", "28" },
    { ".7672", ".01", "194", "16" }, { ".8522", ".00", "325", "8" }, { ".8002", ".00", "464", "16" },
    { ".9801", ".00", "", "" },
  } },
  { "T3", "credit_card_default", {
    { ".7915", ".01", "128", "19" }, { ".7011", ".01", "6", "2" }, { ".7705", ".01", "56", "24" },
    { ".7802", ".00", "110", "41" }, { ".7631", ".01", "116", "3" }, { ".7596", ".01", "281", "20" },
    { ".7233", ".00", "440", "2" }, { ".7454", ".02", "100", "20" }, { ".6601", ".02", "445", "18" },
    { ".7883", ".01", "", "" },
  } },
  { "T3", "creditg", {
    { ".7919", ".04", "54", "36" }, { ".5788", ".02", "27", "6" }, { ".6851", ".04", "56", "5" },
    { ".7948", ".04", "97", "24" }, { ".6768", ".02", "13", "2" }, { ".7313", ".05", "781", "148" },
    { ".6625", ".04", "246", "0" }, { ".6745", ".05", "35", "8" }, { ".7234", ".07", "2444", "36" },
    { ".7329", ".03", "", "" },
  } },
  { "T3", "diabetes", {
    { ".8208", ".02", "14", "9" }, { ".6443", ".03", "5", "2" }, { ".7796", ".02", "87", "10" },
    { ".8024", ".01", "19", "7" }, { ".7260", ".02", "14", "3" }, { ".6854", ".05", "18", "1" },
    { ".6442", ".02", "91", "0" }, { ".7609", ".03", "24", "7" }, { ".7186", ".04", "588", "26" },
    { ".7957", ".01", "", "" },
  } },
  { "T3", "electricity", {
    { ".8823", ".00", "99", "29" }, { ".7734", ".00", "20", "0" }, { ".8705", ".00", "61", "3" },
    { ".8745", ".00", "186", "32" }, { ".8895", ".00", "731", "12" }, { ".8397", ".01", "240", "6" },
    { ".7459", ".01", "1121", "0" }, { ".8387", ".01", "56", "6" }, { ".8160", ".00", "2913", "96" },
    { ".9666", ".00", "", "" },
  } },
  { "T3", "eye_movements", {
    { ".6312", ".02", "76", "43" }, { ".5836", ".00", "8", "2" }, { ".6278", ".01", "16", "2" },
    { ".6216", ".01", "46", "18" }, { ".5913", ".02", "38", "6" }, { ".5981", ".01", "715", "24" },
    { ".5815", ".01", "1921", "0" }, { ".5930", ".01", "64", "11" }, { ".5711", ".02", "340", "19" },
    { ".6799", ".02", "", "" },
  } },
  { "T3", "heart", {
    { ".9308", ".01", "11", "15" }, { ".8140", ".01", "2", "0" }, { ".9149", ".02", "39", "6" },
    { ".9151", ".01", "34", "16" }, { ".8749", ".01", "31", "2" }, { ".8663", ".01", "100", "9" },
    { ".8301", ".01", "641", "0" }, { ".8661", ".03", "29", "10" }, { ".8719", ".02", "474", "20" },
    { ".9236", ".02", "", "" },
  } },
  { "T3", "income", {
    { ".9147", ".00", "152", "40" }, { ".7341", ".01", "11", "2" }, { ".8958", ".00", "28", "2" },
    { ".9121", ".00", "155", "47" }, { ".8799", ".00", "684", "22" }, { ".8800", ".01", "413", "58" },
    { ".7707", ".02", "4345", "1351" }, { ".8962", ".01", "307", "18" }, { ".8642", ".01", "1045", "23" },
    { ".9230", ".00", "", "" },
  } },
  { "T3", "jungle", {
    { ".8917", ".00", "262", "75" }, { ".7804", ".01", "27", "4" }, { ".8904", ".00", "51", "4" },
    { ".8630", ".01", "103", "48" }, { ".9476", ".00", "891", "25" }, { ".8702", ".01", "163", "1" },
    { ".7685", ".03", "421", "0" }, { ".8781", ".01", "28", "4" }, { ".7900", ".01", "440", "25" },
    { ".9970", ".00", "", "" },
  } },
  { "T3", "road_safety", {
    { ".7764", ".00", "236", "54" }, { ".7197", ".01", "15", "8" }, { ".7603", ".00", "24", "1" },
    { "OOM", "", "", "" }, { ".8435", ".00", "1348", "33" }, { ".7842", ".01", "186", "9" },
    { ".7465", ".01", "1948", "38" }, { ".8293", ".01", "119", "10" }, { ".7295", ".02", "425", "13" },
    { ".8852", ".01", "", "" },
  } },
  { "T4", "car", {
    { ".9901", ".00", "252", "110" }, { ".6636", ".03", "41", "12" }, { ".9727", ".01", "136", "6" },
    { ".8930", ".02", "227", "11" }, { ".8631", ".03", "73", "6" }, { ".6967", ".06", "2445", "63" },
    { "1.0000", ".00", "", "" },
  } },
  { "T4", "ecoli", {
    { ".9663", ".01", "148", "77" }, { ".8315", ".05", "16", "4" }, { ".8968", ".02", "34", "4" },
    { ".9340", ".01", "201", "3" }, { ".7551", ".05", "36", "0" }, { ".8841", ".02", "1358", "3" },
    { ".9629", ".01", "", "" },
  } },
  { "T4", "iris", {
    { ".9993", ".00", "26", "17" }, { ".9500", ".02", "7", "2" }, { ".9633", ".02", "12", "0" },
    { ".9883", ".01", "25", "1" }, { ".9040", ".05", "301", "0" }, { ".8090", ".04", "2406", "68" },
    { ".9963", ".01", "", "" },
  } },
  { "T4", "penguins", {
    { "1.0000", ".00", "6", "1" }, { ".9519", ".03", "15", "2" }, { ".9795", ".02", "19", "3" },
    { ".9893", ".01", "212", "8" }, { ".9551", ".02", "50", "2" }, { ".9503", ".02", "1065", "55" },
    { ".9998", ".00", "", "" },
  } },
  { "T4", "satimage", {
    { ".9802", ".00", "157", "18" }, { ".8408", ".01", "17", "3" }, { ".9587", ".00", "408", "12" },
    { ".9488", ".01", "378", "9" }, { ".8094", ".03", "740", "2" }, { ".8652", ".02", "554", "26" },
    { ".9925", ".00", "", "" },
  } },
  { "T4", "wine", {
    { "1.0000", ".00", "7", "2" }, { ".9592", ".01", "16", "3" }, { ".9430", ".03", "13", "0" },
    { ".9807", ".02", "95", "6" }, { ".9543", ".06", "1121", "0" }, { ".9528", ".01", "795", "21" },
    { "1.0000", ".00", "", "" },
  } },
  { "T4", "yeast", {
    { ".8457", ".02", "77", "14" }, { ".6767", ".02", "37", "6" }, { ".7809", ".02", "135", "11" },
    { ".7787", ".01", "307", "8" }, { ".7082", ".03", "42", "5" }, { ".6721", ".04", "3050", "41" },
    { ".8564", ".02", "", "" },
  } },
  { "T5", "abalone", {
    { ".5328", ".01", "43", "16" }, { ".4103", ".02", "53", "6" }, { ".5324", ".01", "23", "7" },
    { ".5494", ".02", "", "" },
  } },
  { "T5", "bike", {
    { ".6956", ".01", "299", "21" }, { ".1879", ".05", "50", "5" }, { ".7380", ".01", "127", "27" },
    { ".9547", ".00", "", "" },
  } },
  { "T5", "boston", {
    { ".8566", ".01", "77", "41" }, { ".6541", ".10", "74", "14" }, { ".8576", ".05", "89", "17" },
    { ".9042", ".01", "", "" },
  } },
  { "T5", "california", {
    { ".7102", ".01", "135", "30" }, { ".5473", ".04", "197", "20" }, { ".7006", ".01", "101", "34" },
    { ".8432", ".01", "", "" },
  } },
  { "T5", "crime", {
    { ".3647", ".08", "3003", "22" }, { ".4893", ".04", "68", "5" }, { ".6540", ".01", "79", "33" },
    { ".6513", ".02", "", "" },
  } },
  { "T5", "parkinsons", {
    { ".9232", ".01", "103", "90" }, { ".8598", ".02", "96", "6" }, { ".9270", ".01", "82", "15" },
    { ".9909", ".00", "", "" },
  } },
  { "T5", "wine_reg", {
    { ".3121", ".02", "111", "46" }, { ".2151", ".04", "59", "8" }, { ".3090", ".03", "85", "21" },
    { ".3629", ".10", "", "" },
  } },
};

typedef struct {
  const char *experiment, *row, *column, *value, *se;
} Cell;

/* Everything else. A row or column that is not named here has no figure. */
static const Cell cells[] = {
  { "T1", "all sizes", "gradient variance, soft top-k", "0.0", "" },
  { "T1", "all sizes", "gradient variance, Sinkhorn", "0.0", "" },
  { "T1", "all sizes", "gradient variance, perturbed 32", "200.3", "" },
  { "T1", "all sizes", "gradient variance, perturbed 256", "22.1", "" },
  { "T1", "all sizes", "loss deviation, soft top-k", "0.0", "" },
  { "T1", "all sizes", "loss deviation, Sinkhorn", "0.0", "" },
  { "T1", "all sizes", "loss deviation, perturbed 32", "1.80", "" },
  { "T1", "all sizes", "loss deviation, perturbed 256", "0.39", "" },
  { "T1", "all sizes", "forward time, Sinkhorn ÷ soft top-k", "10.0", "" },
  { "T1", "all sizes", "memory, Sinkhorn ÷ soft top-k", "316", "" },
  { "T1", "all sizes", "memory, perturbed ÷ soft top-k", "73", "" },
  { "T1", "convergence", "passes of halving to 1e-3", "≤15", "" },
  { "T1", "convergence", "passes of halving to single precision", "30", "" },

  { "T2", "fan-in 2", "terms", "1.20", "" },
  { "T2", "fan-in 2", "literals", "1.73", "" },
  { "T2", "fan-in 2", "terms, don't-cares", "1.14", "" },
  { "T2", "fan-in 2", "literals, don't-cares", "1.53", "" },
  { "T2", "fan-in 2", "most terms", "≤2", "" },
  { "T2", "fan-in 3", "terms", "1.59", "" },
  { "T2", "fan-in 3", "literals", "3.02", "" },
  { "T2", "fan-in 3", "terms, don't-cares", "1.38", "" },
  { "T2", "fan-in 3", "literals, don't-cares", "2.25", "" },
  { "T2", "fan-in 3", "most terms", "≤3", "" },
  { "T2", "fan-in 4", "terms", "2.33", "" },
  { "T2", "fan-in 4", "literals", "5.57", "" },
  { "T2", "fan-in 4", "terms, don't-cares", "1.74", "" },
  { "T2", "fan-in 4", "literals, don't-cares", "3.40", "" },
  { "T2", "fan-in 4", "most terms", "≤6", "" },
  { "T2", "fan-in 5", "terms", "3.63", "" },
  { "T2", "fan-in 5", "literals", "10.51", "" },
  { "T2", "fan-in 5", "terms, don't-cares", "2.22", "" },
  { "T2", "fan-in 5", "literals, don't-cares", "5.06", "" },
  { "T2", "fan-in 5", "most terms", "≤10", "" },
  { "T2", "fan-in 6", "terms", "5.65", "" },
  { "T2", "fan-in 6", "literals", "19.24", "" },
  { "T2", "fan-in 6", "terms, don't-cares", "2.77", "" },
  { "T2", "fan-in 6", "literals, don't-cares", "7.13", "" },
  { "T2", "fan-in 6", "most terms", "≤20", "" },

  { "T3", "average rank, the paper's figures", "TT-Sparse", "1.53", "" },
  { "T3", "average rank, the paper's figures", "GOSDT", "8.27", "" },
  { "T3", "average rank, the paper's figures", "GLRM", "3.6", "" },
  { "T3", "average rank, the paper's figures", "RuleFit", "3.07", "" },
  { "T3", "average rank, the paper's figures", "Classy", "3.8", "" },
  { "T3", "average rank, the paper's figures", "NeuRules", "4.8", "" },
  { "T3", "average rank, the paper's figures", "RL-Net", "7.93", "" },
  { "T3", "average rank, the paper's figures", "RRL", "4.87", "" },
  { "T3", "average rank, the paper's figures", "DWN", "7.13", "" },
  { "T4", "average rank, the paper's figures", "TT-Sparse", "1", "" },
  { "T4", "average rank, the paper's figures", "GOSDT", "4.71", "" },
  { "T4", "average rank, the paper's figures", "Classy", "3", "" },
  { "T4", "average rank, the paper's figures", "NeuRules", "2.43", "" },
  { "T4", "average rank, the paper's figures", "RL-Net", "4.71", "" },
  { "T4", "average rank, the paper's figures", "DWN", "5.14", "" },
  { "T5", "average rank, the paper's figures", "TT-Sparse", "1.71", "" },
  { "T5", "average rank, the paper's figures", "GLRM", "2.86", "" },
  { "T5", "average rank, the paper's figures", "RuleFit", "1.43", "" },

  { "T6", "heart", "TT-Sparse with its pruning", ".931", "" },
  { "T6", "heart", "TT-Sparse with its pruning, literals", "11", "" },
  { "T6", "heart", "FC + L0", ".893", "" },
  { "T6", "heart", "FC + L0, literals", "55", "" },
  { "T6", "heart", "FC + L1 + prune", ".902", "" },
  { "T6", "heart", "FC + L1 + prune, literals", "155", "" },
  { "T6", "heart", "magnitude TopK", ".904", "" },
  { "T6", "heart", "magnitude TopK, literals", "321", "" },
  { "T6", "diabetes", "TT-Sparse with its pruning", ".829", "" },
  { "T6", "diabetes", "TT-Sparse with its pruning, literals", "7", "" },
  { "T6", "diabetes", "FC + L0", ".757", "" },
  { "T6", "diabetes", "FC + L0, literals", "11", "" },
  { "T6", "diabetes", "FC + L1 + prune", ".676", "" },
  { "T6", "diabetes", "FC + L1 + prune, literals", "17", "" },
  { "T6", "diabetes", "magnitude TopK", ".716", "" },
  { "T6", "diabetes", "magnitude TopK, literals", "20", "" },
  { "T6", "yeast", "TT-Sparse with its pruning", ".826", "" },
  { "T6", "yeast", "TT-Sparse with its pruning, literals", "110", "" },
  { "T6", "yeast", "FC + L0", ".811", "" },
  { "T6", "yeast", "FC + L0, literals", "123", "" },
  { "T6", "yeast", "FC + L1 + prune", ".798", "" },
  { "T6", "yeast", "FC + L1 + prune, literals", "96", "" },
  { "T6", "yeast", "magnitude TopK", ".812", "" },
  { "T6", "yeast", "magnitude TopK, literals", "133", "" },
  { "T6", "abalone", "TT-Sparse with its pruning", ".512", "" },
  { "T6", "abalone", "TT-Sparse with its pruning, literals", "61", "" },
  { "T6", "abalone", "FC + L0", "-.00", "" },
  { "T6", "abalone", "FC + L0, literals", "1", "" },
  { "T6", "abalone", "FC + L1 + prune", ".152", "" },
  { "T6", "abalone", "FC + L1 + prune, literals", "3", "" },
  { "T6", "abalone", "magnitude TopK", ".152", "" },
  { "T6", "abalone", "magnitude TopK, literals", "4", "" },

  { "D", "256 functions of three inputs", "fitted by standard nodes, %", "40.6", "" },
  { "D", "256 functions of three inputs", "fitted by deep nodes, %", "100", "" },
  { "D", "binary", "deep − standard, quality", "-0.013", "" },
  { "D", "binary", "deep − standard, literals", "43", "" },
  { "D", "multiclass", "deep − standard, quality", "-0.002", "" },
  { "D", "multiclass", "deep − standard, literals", "21", "" },
  { "D", "regression", "deep − standard, quality", "-0.024", "" },
  { "D", "regression", "deep − standard, literals", "-37", "" },

  { "F2", "heart", "AUC", ".91", "" },
  { "F2", "heart", "literals", "≤15", "" },
  { "F4", "the node", "true assignments", "4", "" },
  { "F4", "the node", "terms", "1", "" },
  { "F4", "the node", "literals", "2", "" },
};

static void
read_figure (const char  *value,
             const char  *se,
             MtLabFigure *figure)
{
  const char *point;

  *figure = (MtLabFigure) { NAN, NAN, 0, FALSE };
  figure->is_limit = g_str_has_prefix (value, "≤");
  if (figure->is_limit)
    value += strlen ("≤");
  if (!g_ascii_isdigit (value[0]) && value[0] != '.' && value[0] != '-')
    return;
  point = strchr (value, '.');
  figure->value = g_ascii_strtod (value, NULL);
  figure->unit = .5 * pow (10, point != NULL ? -(double) strlen (point + 1) : 0);
  if (se[0] != '\0')
    figure->se = g_ascii_strtod (se, NULL);
}

static void
read_row (const Row     *from,
          MtLabPaperRow *row)
{
  *row = (MtLabPaperRow) { from->experiment, from->dataset };
  row->methods = g_str_equal (from->experiment, "T3") ? binary_methods
                 : g_str_equal (from->experiment, "T4") ? multiclass_methods : regression_methods;
  row->n_methods = g_strv_length ((char **) row->methods);
  for (guint m = 0; m < row->n_methods; m++)
    {
      read_figure (from->methods[m].quality, from->methods[m].quality_se, &row->results[m].quality);
      read_figure (from->methods[m].literals, from->methods[m].literals_se, &row->results[m].literals);
    }
}

gboolean
mt_lab_paper_get_row (const char    *experiment,
                      guint          index,
                      MtLabPaperRow *row)
{
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    if (g_str_equal (results[i].experiment, experiment) && index-- == 0)
      {
        read_row (&results[i], row);
        return TRUE;
      }
  return FALSE;
}

gboolean
mt_lab_paper_find_row (const char    *dataset,
                       MtLabPaperRow *row)
{
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    if (g_str_equal (results[i].dataset, dataset))
      {
        read_row (&results[i], row);
        return TRUE;
      }
  return FALSE;
}

guint
mt_lab_paper_count_ranked (const MtLabPaperRow *row)
{
  return row->n_methods - 1;
}

/* Both of our methods stand next to the paper's own. */
static gboolean
find_result (const char  *experiment,
             const char  *dataset,
             const char  *column,
             MtLabFigure *figure)
{
  MtLabPaperRow row;

  if (!mt_lab_paper_find_row (dataset, &row) || !g_str_equal (row.experiment, experiment))
    return FALSE;
  if (g_str_equal (column, "as in the paper") || g_str_equal (column, "default"))
    *figure = row.results[0].quality;
  else if (g_str_equal (column, "as in the paper, literals") || g_str_equal (column, "default, literals"))
    *figure = row.results[0].literals;
  else
    return FALSE;
  return TRUE;
}

gboolean
mt_lab_paper_find (const char  *experiment,
                   const char  *row,
                   const char  *column,
                   MtLabFigure *figure)
{
  if (find_result (experiment, row, column, figure))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    if (g_str_equal (cells[i].experiment, experiment) && g_str_equal (cells[i].row, row) &&
        g_str_equal (cells[i].column, column))
      {
        read_figure (cells[i].value, cells[i].se, figure);
        return TRUE;
      }
  return FALSE;
}

gboolean
mt_lab_paper_get_cell (const char  *experiment,
                       guint        index,
                       const char **row,
                       const char **column)
{
  static const char * const ours[] = { "as in the paper", "as in the paper, literals", "default", "default, literals" };

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    for (guint o = 0; o < G_N_ELEMENTS (ours); o++)
      if (g_str_equal (results[i].experiment, experiment) && index-- == 0)
        {
          *row = results[i].dataset;
          *column = ours[o];
          return TRUE;
        }
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    if (g_str_equal (cells[i].experiment, experiment) && index-- == 0)
      {
        *row = cells[i].row;
        *column = cells[i].column;
        return TRUE;
      }
  return FALSE;
}

MtLabMark
mt_lab_mark (double             value,
             double             se,
             const MtLabFigure *figure)
{
  double both;

  if (isnan (value))
    return MT_LAB_NOT_RUN;
  if (figure == NULL || isnan (figure->value))
    return MT_LAB_NO_FIGURE;
  if (figure->is_limit)
    return value <= figure->value ? MT_LAB_REPRODUCED : MT_LAB_DIFFERS;
  both = hypot (isnan (se) ? 0 : se, isnan (figure->se) ? 0 : figure->se);
  return fabs (value - figure->value) <= 2 * both + figure->unit * (1 + 1e-9) ? MT_LAB_REPRODUCED : MT_LAB_DIFFERS;
}

/* T3 to T6 have models in their cells, F2 one. */
gboolean
mt_lab_is_better (const char        *experiment,
                  const char        *column,
                  double             value,
                  const MtLabFigure *figure)
{
  static const char * const tables[] = { "T3", "T4", "T5", NULL }, * const others[] = { "T6", "F2", NULL };
  gboolean is_model = g_strv_contains (tables, experiment)
                      ? g_str_has_prefix (column, "as in the paper") || g_str_has_prefix (column, "default")   /* not ranks */
                      : g_strv_contains (others, experiment);

  if (!is_model)
    return FALSE;
  return g_str_has_suffix (column, "literals") ? value < figure->value : value > figure->value;
}

const char *
mt_lab_mark_to_string (MtLabMark mark)
{
  static const char * const words[] = { "not run", "reproduced", "differs", "no figure in the paper" };

  return words[mark];
}
