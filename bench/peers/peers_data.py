"""One split of one data set, and the forms in which the peers want it. Everything is fitted to training rows only."""
import numpy
import pandas

MISSING = "(missing)"
OTHER = "(other)"
EMPTY = ("", "NA", "NaN", "nan", "?")


class Rows:
    """Columns and target of some rows: `table` has numbers as floats (nan: missing) and levels as text."""

    def __init__(self, table, y, names, levels):
        self.table, self.y = table, y
        self.names, self.levels = names, levels      # numeric columns, columns of levels

    def take(self, at):
        return Rows(self.table.iloc[at].reset_index(drop=True), self.y[at], self.names, self.levels)


def read(path, entry, classes=None):
    """The rows of a file. `classes`: the labels in the order that is used everywhere, found in the training file."""
    text = pandas.read_csv(path, dtype=str, keep_default_na=False)
    names = [c for c in entry["continuous"].split(",") if c]
    levels = [c for c in text.columns if c not in names and c != entry["target"]]
    table = pandas.DataFrame({c: pandas.to_numeric(text[c].where(~text[c].isin(EMPTY)), errors="coerce").astype(float)
                              for c in names} |
                             {c: text[c].where(~text[c].isin(EMPTY), MISSING).astype(object) for c in levels})
    table = table[[c for c in text.columns if c != entry["target"]]]
    target = text[entry["target"]]
    if entry["task"] == "regression":
        return Rows(table, target.astype(float).to_numpy(), names, levels), None
    classes = classes or sorted(target.unique())
    code = {c: i for i, c in enumerate(classes)}
    return Rows(table, target.map(code).to_numpy(dtype=int), names, levels), classes


class Columns:
    """Numbers (missing: the median, and a column that says so) and one 0/1 column per level."""

    def __init__(self, rows, standardize=False):
        self.names, self.levels = rows.names, rows.levels
        numbers = rows.table[self.names]
        self.fill = numbers.median().fillna(0)
        self.gaps = [c for c in self.names if numbers[c].isna().any()]
        filled = numbers.fillna(self.fill)
        self.mean = filled.mean() if standardize else filled.mean() * 0
        self.scale = (filled.std(ddof=0).replace(0, 1) if standardize else filled.mean() * 0 + 1)
        self.kept = {}
        for c in self.levels:
            counts = rows.table[c].value_counts()
            often = sorted(counts[counts >= .005 * len(rows.table)].index)[:100]
            self.kept[c] = often[1:] if len(often) == 2 and len(counts) == 2 else often
        # What each column of the result is: (column, None) for a number, (column, level) for a level.
        self.meaning = ([(c, None) for c in self.names] + [(c, MISSING) for c in self.gaps] +
                        [(c, v) for c in self.levels for v in self.kept[c]])

    def of(self, rows):
        numbers = rows.table[self.names].fillna(self.fill)
        parts = [((numbers - self.mean) / self.scale).to_numpy(dtype=float)]
        parts += [rows.table[[c]].isna().to_numpy(dtype=float) for c in self.gaps]
        parts += [(rows.table[[c]] == v).to_numpy(dtype=float) for c in self.levels for v in self.kept[c]]
        return numpy.concatenate(parts, axis=1) if parts else numpy.zeros((len(rows.table), 0))

    def labels(self):
        return ["c%d" % i for i in range(len(self.meaning))]


class Conditions:
    """Yes/no columns: thresholds of numbers (quantiles of the distinct values, or given), and levels."""

    def __init__(self, rows, bits=9, thresholds=None):
        self.columns = Columns(rows)
        values = self.columns.of(rows)
        self.cuts = []
        for i, (column, level) in enumerate(self.columns.meaning):
            if level is not None:
                self.cuts.append((i, None))
                continue
            if thresholds is not None:
                cuts = thresholds.get(column, [])
            else:
                distinct = numpy.unique(values[:, i])
                at = numpy.unique(numpy.quantile(distinct, numpy.arange(1, bits + 1) / (bits + 1), method="lower"))
                cuts = at[at < distinct[-1]] if len(distinct) > 1 else []
            self.cuts += [(i, float(cut)) for cut in cuts]
        # What each condition says: (column, threshold or None, level or None); true means at most the threshold.
        self.meaning = [(self.columns.meaning[i][0], cut, self.columns.meaning[i][1]) for i, cut in self.cuts]

    def of(self, rows):
        values = self.columns.of(rows)
        parts = [values[:, i] <= cut if cut is not None else values[:, i] > .5 for i, cut in self.cuts]
        return numpy.stack(parts, axis=1).astype(int) if parts else numpy.zeros((len(rows.table), 0), dtype=int)


def path_literals(path):
    """Literals of one path, (column, threshold, level, truth) each: a condition counts once, and not at all if a stricter
    one of the same column on the same path makes it redundant."""
    upper = {c for c, cut, level, truth in path if cut is not None and truth}
    lower = {c for c, cut, level, truth in path if cut is not None and not truth}
    equal = {c for c, cut, level, truth in path if cut is None and truth}
    unequal = {(c, level) for c, cut, level, truth in path if cut is None and not truth and c not in equal}
    return len(upper) + len(lower) + len(equal) + len(unequal)


def metric(task, y, scores):
    """AUC (for more than two classes the mean of each against the rest) or R²."""
    if task == "regression":
        return 1 - float(((y - scores) ** 2).sum() / ((y - y.mean()) ** 2).sum())
    from scipy.stats import rankdata

    def auc(is_class, values):
        n = int(is_class.sum())
        return (rankdata(values)[is_class].sum() - n * (n + 1) / 2) / (n * (len(values) - n))
    if task == "binary":
        return float(auc(y == 1, numpy.asarray(scores, dtype=float)))
    return float(numpy.mean([auc(y == k, numpy.asarray(scores, dtype=float)[:, k]) for k in range(scores.shape[1])]))
