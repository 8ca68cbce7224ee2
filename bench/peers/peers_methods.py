"""The peers: how each is fitted, which sizes are tried, and how its literals are counted.

A fit takes (rows, task, number of classes, setting, seed) and returns (scores of rows -> array, literals or None).
Scores rank rows of a class (one column per class if there are more than two), or are the predicted number.
"""
import numpy

from peers_data import Columns, Conditions, metric, path_literals

ALL = ("binary", "multiclass", "regression")


class Peer:
    def __init__(self, name, title, kind, package, fit, settings, counted, tasks=ALL, environment="main", modules=(),
                 slow=False):
        self.name, self.title, self.kind, self.package = name, title, kind, package
        self.fit, self.settings, self.counted, self.tasks = fit, settings, counted, tasks
        self.environment, self.modules = environment, modules
        self.slow = slow        # after the others, so that a bench that is interrupted has all of these on more data


def hold_out(rows, task, seed, share=.2):
    """Positions to learn from and positions to choose by, both of training rows."""
    from sklearn.model_selection import train_test_split
    at = numpy.arange(len(rows.y))
    return train_test_split(at, test_size=share, random_state=seed, stratify=rows.y if task != "regression" else None)


def one_against_rest(fit, rows, classes, *rest):
    """A method for two classes, used for several: one model per class, their literals added up."""
    from peers_data import Rows
    parts = [fit(Rows(rows.table, (rows.y == k).astype(int), rows.names, rows.levels), *rest) for k in range(classes)]
    return (lambda other: numpy.stack([score(other) for score, _ in parts], axis=1)), sum(n for _, n in parts)


# ---- linear models

def fit_linear(rows, task, classes, setting, seed):
    from sklearn.linear_model import Lasso, LogisticRegression
    columns = Columns(rows, standardize=True)
    x = columns.of(rows)
    if task == "regression":
        spread = rows.y.std()
        model = Lasso(alpha=setting["penalty"] * spread, max_iter=5000).fit(x, rows.y)
        return (lambda other: model.predict(columns.of(other))), 1 + int((model.coef_ != 0).sum())
    solver = "liblinear" if classes == 2 else "saga"
    model = LogisticRegression(l1_ratio=1, C=1 / (setting["penalty"] * len(rows.y)), solver=solver, max_iter=500, tol=1e-3,
                               random_state=seed).fit(x, rows.y)
    used = 1 + int((model.coef_ != 0).any(axis=0).sum())
    return (lambda other: model.predict_proba(columns.of(other))[:, 1] if classes == 2
            else model.predict_proba(columns.of(other))), used


# ---- imodels

def rulefit_two(rows, task, setting, seed):
    import imodels
    columns = Columns(rows)
    make = imodels.RuleFitRegressor if task == "regression" else imodels.RuleFitClassifier
    model = make(max_rules=setting["rules"], random_state=seed)
    x, names = columns.of(rows), columns.labels()
    model.fit(x, rows.y, feature_names=names)
    literals = 1 + int((numpy.asarray(model.coef[:x.shape[1]]) != 0).sum())
    for rule, weight in zip(model.rules_, model.coef[x.shape[1]:]):
        if weight != 0:
            literals += len({(part.split()[0], part.split()[1][0]) for part in str(rule.rule).split(" and ")})
    return (lambda other: model.predict(columns.of(other)) if task == "regression"
            else model.predict_proba(columns.of(other))[:, 1]), literals


def fit_rulefit(rows, task, classes, setting, seed):
    if task == "multiclass":
        return one_against_rest(rulefit_two, rows, classes, "binary", setting, seed)
    return rulefit_two(rows, task, setting, seed)


def fit_figs(rows, task, classes, setting, seed):
    import imodels
    columns = Columns(rows)
    make = imodels.FIGSRegressor if task == "regression" else imodels.FIGSClassifier
    model = make(max_rules=setting["splits"], random_state=seed)
    model.fit(columns.of(rows), rows.y)

    def count(node, path):
        if node.left is None and node.right is None:
            return path_literals(path)
        column, level = columns.meaning[node.feature]
        cut = node.threshold if level is None else None
        # left is "at most the threshold": of a 0/1 column, the level is absent
        return (count(node.left, path + [(column, cut, level, level is None)]) +
                count(node.right, path + [(column, cut, level, level is not None)]))
    literals = sum(count(tree, []) for tree in model.trees_)
    return (lambda other: model.predict(columns.of(other)) if task == "regression"
            else model.predict_proba(columns.of(other))[:, 1] if classes == 2
            else model.predict_proba(columns.of(other))), literals


def fit_boosted_rules(rows, task, classes, setting, seed):
    import imodels
    columns = Columns(rows)
    make = imodels.BoostedRulesRegressor if task == "regression" else imodels.BoostedRulesClassifier
    model = make(n_estimators=setting["rules"], random_state=seed)
    model.fit(columns.of(rows), rows.y)
    stumps = {(int(e.tree_.feature[0]), float(e.tree_.threshold[0])) for e in model.estimators_ if e.tree_.feature[0] >= 0}
    return (lambda other: model.predict(columns.of(other)) if task == "regression"
            else model.predict_proba(columns.of(other))[:, 1] if classes == 2
            else model.predict_proba(columns.of(other))), 1 + len(stumps)


# ---- optimal trees

def guessed_conditions(rows, task, seed, stumps=40):
    """The thresholds that 40 boosted stumps use, and levels: how the authors of GOSDT make yes/no columns."""
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
    columns = Columns(rows)
    make = GradientBoostingRegressor if task == "regression" else GradientBoostingClassifier
    model = make(n_estimators=stumps, max_depth=1, random_state=seed).fit(columns.of(rows), rows.y)
    thresholds = {}
    for stump in model.estimators_.ravel():
        feature = int(stump.tree_.feature[0])
        if feature >= 0 and columns.meaning[feature][1] is None:
            thresholds.setdefault(columns.meaning[feature][0], set()).add(float(stump.tree_.threshold[0]))
    return Conditions(rows, thresholds={c: sorted(v) for c, v in thresholds.items()})


def tree_of(node, is_leaf, feature, yes, no):
    return None if is_leaf(node) else (feature(node), tree_of(yes(node), is_leaf, feature, yes, no),
                                       tree_of(no(node), is_leaf, feature, yes, no))


def scored_tree(tree, conditions, rows, task, classes):
    """A tree of (condition, if true, if false) or None; the score of a leaf is from its training rows."""
    def leaves(node, x, at, path, found):
        if node is None:
            found.append((at, path))
        else:
            feature, yes, no = node
            column, cut, level = conditions.meaning[feature]
            leaves(yes, x, at[x[at, feature] == 1], path + [(column, cut, level, True)], found)
            leaves(no, x, at[x[at, feature] == 0], path + [(column, cut, level, False)], found)
        return found
    x = conditions.of(rows)
    own = leaves(tree, x, numpy.arange(len(x)), [], [])
    values = []
    for at, _ in own:
        if task == "regression":
            values.append(rows.y[at].mean() if len(at) else rows.y.mean())
        else:
            counts = numpy.bincount(rows.y[at], minlength=classes) + numpy.bincount(rows.y, minlength=classes) / len(rows.y)
            values.append(counts / counts.sum())

    def score(other):
        x = conditions.of(other)
        out = numpy.zeros(len(x)) if task == "regression" else numpy.zeros((len(x), classes))
        for (at, _), value in zip(leaves(tree, x, numpy.arange(len(x)), [], []), values):
            out[at] = value
        return out[:, 1] if task == "binary" else out
    return score, sum(path_literals(path) for _, path in own)


def fit_gosdt(rows, task, classes, setting, seed):
    import gosdt
    conditions = guessed_conditions(rows, task, seed)
    model = gosdt.GOSDTClassifier(regularization=setting["regularization"], depth_budget=setting["depth"], time_limit=60,
                                  allow_small_reg=True)
    model.fit(conditions.of(rows).astype(bool), rows.y)
    tree = tree_of(model.trees_[0].tree, lambda n: hasattr(n, "prediction"), lambda n: n.feature,
                   lambda n: n.left_child, lambda n: n.right_child)
    return scored_tree(tree, conditions, rows, task, classes)


def fit_streed(rows, task, classes, setting, seed):
    import pystreed
    conditions = guessed_conditions(rows, task, seed)
    make = pystreed.STreeDRegressor if task == "regression" else pystreed.STreeDClassifier
    options = {} if task == "regression" else {"optimization_task": "cost-complex-accuracy"}
    model = make(max_depth=setting["depth"], cost_complexity=setting["cost"], min_leaf_node_size=5, time_limit=60, **options)
    x = conditions.of(rows)
    model.fit(x, rows.y)
    tree = tree_of(model.get_tree(), lambda n: n.is_leaf_node(), lambda n: n.feature,
                   lambda n: n.right_child, lambda n: n.left_child)
    return scored_tree(tree, conditions, rows, task, classes)


# ---- scores and rules that need older packages

def fasterrisk_two(rows, setting, seed):
    from fasterrisk.fasterrisk import RiskScoreOptimizer
    conditions = Conditions(rows)
    x = conditions.of(rows).astype(float)
    varied = numpy.flatnonzero(x.std(axis=0) > 0)
    size = min(setting["size"], len(varied))
    model = RiskScoreOptimizer(X=x[:, varied], y=numpy.where(rows.y == 1, 1., -1.), k=size)
    model.optimize()
    multiplier, intercept, points = model.get_models(model_index=0)
    return (lambda other: (intercept + conditions.of(other)[:, varied] @ points) / multiplier), 1 + int((points != 0).sum())


def fit_fasterrisk(rows, task, classes, setting, seed):
    if task == "multiclass":
        return one_against_rest(fasterrisk_two, rows, classes, setting, seed)
    return fasterrisk_two(rows, setting, seed)


def glrm_two(rows, task, setting, seed):
    from rulelearn.algorithms.rbm.rbm.features import FeatureBinarizer
    from rulelearn.algorithms.rbm.rbm.linear_regression import LinearRuleRegression
    from rulelearn.algorithms.rbm.rbm.logistic_regression import LogisticRuleRegression
    fill = rows.table[rows.names].median().fillna(0)

    def table(some):
        filled = some.table.copy()
        filled[some.names] = filled[some.names].fillna(fill)
        return filled
    binarizer = FeatureBinarizer(negations=True, returnOrd=True, colCateg=list(rows.levels))
    x, numbers = binarizer.fit_transform(table(rows))
    penalty = setting["penalty"]
    if task == "regression":
        middle, spread = rows.y.mean(), rows.y.std()
        model = LinearRuleRegression(lambda0=penalty, lambda1=penalty / 5, useOrd=True)
        model.fit(x, (rows.y - middle) / spread, numbers)
        coefficients = numpy.ravel(model.lr.coef_)
    else:
        model = LogisticRuleRegression(lambda0=penalty, lambda1=penalty / 5, useOrd=True)
        model.fit(x, rows.y, numbers)
        coefficients = numpy.ravel(model.lr.coef_)
    plain = len(coefficients) - model.z.shape[1]
    literals = 1 + plain + int(model.z.to_numpy().sum())

    def score(other):
        x, numbers = binarizer.transform(table(other))
        return model.predict(x, numbers) if task == "regression" else model.predict_proba(x, numbers)
    return (lambda other: numpy.asarray(score(other), dtype=float)), literals


def fit_glrm(rows, task, classes, setting, seed):
    if task == "multiclass":
        return one_against_rest(glrm_two, rows, classes, "binary", setting, seed)
    return glrm_two(rows, task, setting, seed)


def fit_rulelist(rows, task, classes, setting, seed):
    import pandas
    import rulelist
    # The package calls these by the name that they had before pandas 2.
    for kind in (pandas.DataFrame, pandas.Series):
        kind.iteritems = kind.items
    columns = Columns(rows)
    names = {c: "c%d" % i for i, c in enumerate(rows.table.columns)}

    def table(some):
        filled = some.table.copy()
        filled[some.names] = filled[some.names].fillna(columns.fill)
        return filled.rename(columns=names)
    target = pandas.DataFrame({"y": rows.y if task == "regression" else ["k%03d" % k for k in rows.y]})
    model = rulelist.RuleList(target_model="gaussian" if task == "regression" else "categorical", task="prediction",
                              max_rules=setting["rules"], max_depth=4)
    model.fit(table(rows), target)
    literals = 1 + sum(len(s.pattern) for s in model._rulelist.subgroups)

    def score(other):
        if task == "regression":
            return numpy.asarray(model.predict(table(other)), dtype=float)
        found = model.predict_proba(table(other))
        found = numpy.asarray(found["y"] if isinstance(found, dict) else found, dtype=float)
        labels = [str(k) for k in model._rulelist.default_rule_statistics.number_classes and
                  list(model._rulelist.default_rule_statistics.prob_per_classes["y"].keys())]
        order = [labels.index("k%03d" % k) for k in range(classes)]
        return found[:, order[1]] if classes == 2 else found[:, order]
    return score, literals


# ---- additive models and black boxes

def fit_ebm(rows, task, classes, setting, seed):
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor
    make = ExplainableBoostingRegressor if task == "regression" else ExplainableBoostingClassifier
    options = {"interactions": 0} if not setting["pairs"] else {}
    model = make(random_state=seed, n_jobs=1, **options)
    model.fit(rows.table, rows.y)
    literals = 1
    for scores in model.term_scores_:
        classes_last = scores.ndim - (1 if task == "multiclass" else 0)
        if classes_last == 1:
            steps = numpy.diff(scores, axis=0)
            literals += int((steps.reshape(len(steps), -1) != 0).any(axis=1).sum())
        else:
            corners = numpy.diff(numpy.diff(scores, axis=0), axis=1)
            literals += 2 * int((numpy.abs(corners).reshape(corners.shape[0], corners.shape[1], -1) > 1e-12).any(axis=2).sum())
    return (lambda other: model.predict(other.table) if task == "regression"
            else model.predict_proba(other.table)[:, 1] if classes == 2 else model.predict_proba(other.table)), literals


def categories(rows):
    """The table with levels as pandas categories, as the boosted trees take them."""
    import pandas
    known = {c: sorted(rows.table[c].unique()) for c in rows.levels}
    short = {c: "c%d" % i for i, c in enumerate(rows.table.columns)}

    def table(some):
        out = some.table.copy()
        for c in rows.levels:
            out[c] = pandas.Categorical(out[c], categories=known[c])
        return out.rename(columns=short)
    return table


def fit_lightgbm(rows, task, classes, setting, seed):
    import lightgbm
    table = categories(rows)
    make = lightgbm.LGBMRegressor if task == "regression" else lightgbm.LGBMClassifier
    options = dict(learning_rate=.05, n_jobs=1, random_state=seed, verbose=-1)
    learn, choose = hold_out(rows, task, seed)
    x = table(rows)
    probe = make(n_estimators=2000, **options)
    probe.fit(x.iloc[learn], rows.y[learn], eval_set=[(x.iloc[choose], rows.y[choose])],
              callbacks=[lightgbm.early_stopping(50, verbose=False)])
    model = make(n_estimators=max(1, probe.best_iteration_), **options).fit(x, rows.y)
    return scored(model, table, task, classes), None


def scored(model, table, task, classes):
    return lambda other: (numpy.ravel(model.predict(table(other))) if task == "regression"
                          else model.predict_proba(table(other))[:, 1] if classes == 2 else model.predict_proba(table(other)))


def fit_xgboost(rows, task, classes, setting, seed):
    import xgboost
    table = categories(rows)
    make = xgboost.XGBRegressor if task == "regression" else xgboost.XGBClassifier
    options = dict(learning_rate=.05, n_jobs=1, random_state=seed, tree_method="hist", enable_categorical=True)
    learn, choose = hold_out(rows, task, seed)
    x = table(rows)
    probe = make(n_estimators=2000, early_stopping_rounds=50, **options)
    probe.fit(x.iloc[learn], rows.y[learn], eval_set=[(x.iloc[choose], rows.y[choose])], verbose=False)
    model = make(n_estimators=probe.best_iteration + 1, **options).fit(x, rows.y)
    return scored(model, table, task, classes), None


def fit_catboost(rows, task, classes, setting, seed):
    import catboost
    make = catboost.CatBoostRegressor if task == "regression" else catboost.CatBoostClassifier
    options = dict(thread_count=1, random_seed=seed, verbose=False, allow_writing_files=False, cat_features=list(rows.levels))
    learn, choose = hold_out(rows, task, seed)
    x = rows.table
    probe = make(iterations=1000, od_type="Iter", od_wait=50, **options)
    probe.fit(x.iloc[learn], rows.y[learn], eval_set=(x.iloc[choose], rows.y[choose]))
    rate = probe.get_all_params()["learning_rate"]
    model = make(iterations=max(1, probe.get_best_iteration() + 1), learning_rate=rate, **options).fit(x, rows.y)
    return scored(model, lambda some: some.table, task, classes), None


def fit_tabm(rows, task, classes, setting, seed):
    import copy
    import tabm
    import torch
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    columns = Columns(rows, standardize=True)
    x = torch.tensor(columns.of(rows), dtype=torch.float32)
    middle, spread = (rows.y.mean(), rows.y.std()) if task == "regression" else (0, 1)
    y = torch.tensor((rows.y - middle) / spread, dtype=torch.float32) if task == "regression" else torch.tensor(rows.y)
    learn, choose = hold_out(rows, task, seed)
    outputs = 1 if task == "regression" else classes
    model = tabm.TabM.make(n_num_features=x.shape[1], cat_cardinalities=None, d_out=outputs, d_block=setting["width"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=3e-4)
    generator = numpy.random.default_rng(seed)

    def output(at):
        out = model(x[at])
        return out.squeeze(-1).mean(1) if task == "regression" else torch.softmax(out, -1).mean(1)
    best, kept, waited = -numpy.inf, None, 0
    for _ in range(setting["epochs"]):
        model.train()
        order = generator.permutation(learn)
        for at in range(0, len(order), 256):
            batch = order[at:at + 256]
            optimizer.zero_grad()
            out = model(x[batch])
            target = y[batch].repeat_interleave(out.shape[1])
            loss = (torch.nn.functional.mse_loss(out.flatten(), target) if task == "regression"
                    else torch.nn.functional.cross_entropy(out.flatten(0, 1), target))
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            now = output(choose).numpy()
        value = metric(task, rows.y[choose], now * spread + middle if task == "regression" else now[:, 1] if classes == 2 else now)
        if value > best:
            best, kept, waited = value, copy.deepcopy(model.state_dict()), 0
        else:
            waited += 1
        if waited >= 16:
            break
    model.load_state_dict(kept)
    model.eval()

    def score(other):
        with torch.no_grad():
            out = model(torch.tensor(columns.of(other), dtype=torch.float32))
            out = (out.squeeze(-1).mean(1) if task == "regression" else torch.softmax(out, -1).mean(1)).numpy()
        return out * spread + middle if task == "regression" else out[:, 1] if classes == 2 else out
    return score, None


def fit_tt_sparse(rows, task, classes, setting, seed):
    import tt_sparse
    raise RuntimeError("tt_sparse %s can be imported, but this bench does not know its interface" %
                       getattr(tt_sparse, "__version__", ""))


def several(key, *values, **fixed):
    return [dict(fixed, **{key: value}) for value in values]


TERMS = "one per term with a weight, and one for the intercept; a term of several classes counts once"
RULES = "the different conditions of each rule with a weight, one per linear term, and one for the intercept"
PATHS = "of the paths to all leaves; a condition that a stricter one on the same path makes redundant is not counted"
NOT = "not counted"

PEERS = [
    Peer("linear", "Logistic or linear regression (L1)", "short", "scikit-learn", fit_linear,
         several("penalty", .1, .03, .01, .003, .001, .0003), TERMS, modules=("sklearn.linear_model",)),
    Peer("rulefit", "RuleFit", "short", "imodels", fit_rulefit, several("rules", 10, 20, 40), RULES, modules=("imodels",), slow=True),
    Peer("figs", "FIGS", "short", "imodels", fit_figs, several("splits", 3, 6, 12, 24), PATHS, modules=("imodels",)),
    Peer("boosted-rules", "Boosted rules", "short", "imodels", fit_boosted_rules, several("rules", 5, 15, 40, 100),
         "one per different condition, and one for the intercept", modules=("imodels",)),
    Peer("gosdt", "GOSDT", "short", "gosdt", fit_gosdt, several("regularization", .05, .02, .01, .005, depth=4), PATHS,
         tasks=("binary", "multiclass"), modules=("gosdt", "sklearn.ensemble")),
    Peer("streed", "STreeD", "short", "pystreed", fit_streed,
         [dict(depth=2, cost=.001), dict(depth=3, cost=.001), dict(depth=4, cost=.001)], PATHS,
         modules=("pystreed", "sklearn.ensemble")),
    Peer("fasterrisk", "FasterRisk", "short", "fasterrisk", fit_fasterrisk, several("size", 3, 6, 10),
         "one per condition with points, and one for the intercept; several classes: of all models", tasks=("binary", "multiclass"),
         environment="older", modules=("fasterrisk.fasterrisk", "pandas"), slow=True),
    Peer("glrm", "GLRM", "short", "rulelearn", fit_glrm, several("penalty", .05, .02, .01, .005), RULES + "; several classes: of all models",
         environment="older", modules=("rulelearn.algorithms.rbm.rbm.logistic_regression",
                                       "rulelearn.algorithms.rbm.rbm.linear_regression", "pandas"), slow=True),
    Peer("rulelist", "Rule list (Classy)", "short", "rulelist", fit_rulelist, several("rules", 3, 10, 100),
         "the conditions of each rule, which holds only where no earlier one does, and one for the last rule",
         environment="older", modules=("rulelist", "pandas"), slow=True),
    Peer("ebm", "EBM without pairs", "long", "interpret-core", fit_ebm, [dict(pairs=False)],
         "one per step of a curve, and one for the intercept", modules=("interpret.glassbox",)),
    Peer("ebm-pairs", "EBM with pairs", "long", "interpret-core", fit_ebm, [dict(pairs=True)],
         "one per step of a curve, two per corner of a surface, and one for the intercept", modules=("interpret.glassbox",), slow=True),
    Peer("lightgbm", "LightGBM", "black", "lightgbm", fit_lightgbm, [{}], NOT, modules=("lightgbm",)),
    Peer("xgboost", "XGBoost", "black", "xgboost-cpu", fit_xgboost, [{}], NOT, modules=("xgboost",)),
    Peer("catboost", "CatBoost", "black", "catboost", fit_catboost, [{}], NOT, modules=("catboost",)),
    Peer("tabm", "TabM", "black", "tabm", fit_tabm, [dict(width=128, epochs=200)], NOT, environment="torch", modules=("tabm", "torch"), slow=True),
    Peer("tt-sparse", "TT-Sparse as published", "short", "tt-sparse", fit_tt_sparse, [{}], NOT, environment="published",
         modules=("tt_sparse",)),
]
BY_NAME = {peer.name: peer for peer in PEERS}
