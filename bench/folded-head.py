#!/usr/bin/env python3
"""Is the folded head of the published code worth having? TT-Sparse with both heads, all else equal.

  OPENBLAS_NUM_THREADS=1 bench/folded-head.py ../shared/data [--datasets heart,boston] [--splits 6] \\
      [--seeds 2] [--rows 4000] [--batch 64] [--inputs all|levels]

plain: score = w·h + b over h = [unary, node outputs]. folded: trained as Linear(max(32, in/4)) → BatchNorm →
Linear, neither with a bias, and folded into one such w and b to be evaluated. Same nodes at the start, same
rows in the same order. The first three columns score the head as trained; "refitted" scores the same nodes
under a ridge or logistic fit: what is left of the difference once a convex fit has the last word. Test AUC
for classes, R² for numbers; ± is the standard error over splits, their seeds averaged first. The folder holds
manifest.tsv and the CSVs it names, of which only those without missing cells will do. Needs numpy.
"""
import argparse
import csv
import os

import numpy as np

NODES, FAN_IN, BITS, TAU = 30, 5, 9, 0.01
RATE, DECAY, CLIP, HALVE_AFTER, PATIENCE, EPOCHS = 0.01, 3e-4, 1.0, 5, 20, 100
MOMENTUM, EPSILON = 0.1, 1e-5   # of BatchNorm
PENALTY = 3.0                   # of the convex fit, on weights of literals and nodes


def sigmoid(x):
    return 0.5 * (1 + np.tanh(0.5 * x))


def load(data, name, most):
    with open(os.path.join(data, "manifest.tsv"), encoding="utf-8") as file:
        entry = next(row for row in csv.DictReader(file, delimiter="\t") if row["dataset"] == name)
    with open(os.path.join(data, entry["file"]), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows = [rows[i] for i in np.random.default_rng(5).permutation(len(rows))[:most]]
    columns = [(np.array([float(r[c]) for r in rows]), True) for c in entry["continuous"].split(",") if c]
    columns += [(np.array([r[c] for r in rows]), False) for c in entry["categorical"].split(",") if c]
    target = [r[entry["target"]] for r in rows]
    classes = entry["task"] == "binary"
    return columns, np.array([t == max(target) if classes else t for t in target], dtype=float), classes


def encode(columns, fit, inputs):
    """The nodes' literals (thermometer of quantiles, one-hot) and the head's unary part, by the fit rows:
    standardised numbers and categories, or ("all") the bits of the numbers too, as in the product."""
    literals, unary = [], []
    for values, numeric in columns:
        if numeric:
            cuts = np.unique(np.quantile(values[fit], np.arange(1, BITS + 1) / (BITS + 1)))
            literals.append(values[:, None] >= cuts[cuts > values[fit].min()])
            unary.append(((values - values[fit].mean()) / values[fit].std())[:, None])
        else:
            literals.append(values[:, None] == np.unique(values[fit]))
        if inputs == "all" or not numeric:
            unary.append(literals[-1])
    return np.hstack(literals).astype(float), np.hstack(unary).astype(float)


class Plain:
    def __init__(self, inputs, rng):
        self.params = [rng.uniform(-1, 1, inputs) * inputs ** -0.5, np.zeros(1)]

    def forward(self, h):
        self.h = h
        return h @ self.params[0] + self.params[1]

    def backward(self, g):
        return [self.h.T @ g, np.array([g.sum()])], np.outer(g, self.params[0])

    def affine(self, _):
        return self.params[0], self.params[1][0]


class Folded:
    def __init__(self, inputs, rng):
        width = max(32, inputs // 4)
        self.params = [rng.uniform(-1, 1, (inputs, width)) * inputs ** -0.5, np.ones(width), np.zeros(width),
                       rng.uniform(-1, 1, width) * width ** -0.5]
        self.mean, self.variance = np.zeros(width), np.ones(width)

    def forward(self, h):
        first, gain, shift, second = self.params
        a = h @ first
        mean, variance = a.mean(axis=0), a.var(axis=0)
        self.mean += MOMENTUM * (mean - self.mean)
        self.variance += MOMENTUM * (variance * len(h) / (len(h) - 1) - self.variance)
        self.h, self.scale = h, (variance + EPSILON) ** -0.5
        self.normal = (a - mean) * self.scale
        return (self.normal * gain + shift) @ second

    def backward(self, g):
        first, gain, shift, second = self.params
        d_second = (self.normal * gain + shift).T @ g
        d_out = np.outer(g, second)
        d = d_out * gain
        d_a = self.scale * (d - d.mean(axis=0) - self.normal * (d * self.normal).mean(axis=0))
        return [self.h.T @ d_a, (d_out * self.normal).sum(axis=0), d_out.sum(axis=0), d_second], d_a @ first.T

    def affine(self, h):
        """The whole head as one map, compared with the head in parts on the rows h."""
        first, gain, shift, second = self.params
        scale = gain * (self.variance + EPSILON) ** -0.5
        weights, offset = first @ (scale * second), (shift - self.mean * scale) @ second
        parts = ((h @ first - self.mean) / np.sqrt(self.variance + EPSILON) * gain + shift) @ second
        assert np.allclose(h @ weights + offset, parts, rtol=1e-9, atol=1e-9)
        return weights, offset


def soft_topk(scores):
    """π = σ(s/τ + c) with Σπ = k in every column; bisection keeps Newton's step honest."""
    s = scores / TAU
    low, high = -s.max(axis=0) - 40, -s.min(axis=0) + 40
    c = -np.partition(s, -FAN_IN, axis=0)[-FAN_IN]
    for _ in range(60):
        pi = sigmoid(s + c)
        excess = pi.sum(axis=0) - FAN_IN
        if np.abs(excess).max() < 1e-7:
            break
        low, high = np.where(excess < 0, c, low), np.where(excess > 0, c, high)
        step = c - excess / np.maximum((pi * (1 - pi)).sum(axis=0), 1e-12)
        c = np.where((step > low) & (step < high), step, (low + high) / 2)
    return pi


def soft_topk_gradient(pi, g):
    d = pi * (1 - pi)
    return (d * g - d * (d * g).sum(axis=0) / np.maximum(d.sum(axis=0), 1e-30)) / TAU


def outputs(nodes, x):
    """What the nodes say of the rows, 0 or 1, from the k inputs of the highest choice."""
    choice, table, bias = nodes
    mask = np.zeros_like(choice)
    np.put_along_axis(mask, np.argsort(-choice, axis=0, kind="stable")[:FAN_IN], 1, axis=0)
    return (x @ (mask * table) + bias > 0).astype(float)


def loss(score, y, classes):
    return np.mean(np.logaddexp(0, score) - y * score if classes else (score - y) ** 2)


def train(make_head, x, unary, y, classes, fit, held, batch, seed):
    """The best nodes by validation loss, and the head that went with them as one affine map."""
    start, order, head_start = (np.random.default_rng([*seed, i]) for i in range(3))
    nodes = [*start.normal(0, 0.1, (2, x.shape[1], NODES)), np.zeros(NODES)]
    head = make_head(unary.shape[1] + NODES, head_start)
    params = nodes + head.params
    first, second = [np.zeros_like(p) for p in params], [np.zeros_like(p) for p in params]
    best, rate, steps, waited, best_nodes, best_map = np.inf, RATE, 0, 0, None, None
    for _ in range(EPOCHS):
        shuffled = order.permutation(fit)
        for i in range(0, len(fit) - batch + 1, batch):
            rows = shuffled[i:i + batch]
            score = head.forward(np.hstack([unary[rows], outputs(nodes, x[rows])]))
            g = (sigmoid(score) - y[rows] if classes else 2 * (score - y[rows])) / batch
            d_head, d_h = head.backward(g)
            d_z = d_h[:, -NODES:]   # straight through the step
            pi, shared = soft_topk(nodes[0]), x[rows].T @ d_z
            gradients = [soft_topk_gradient(pi, shared * nodes[1]), pi * shared, d_z.sum(axis=0)] + d_head
            norm = np.sqrt(sum((d * d).sum() for d in gradients))
            steps += 1
            for p, d, m, v in zip(params, gradients, first, second):
                d = d * min(1, CLIP / max(norm, 1e-12))
                m += 0.1 * (d - m)
                v += 0.001 * (d * d - v)
                p -= rate * (DECAY * p + m / (1 - 0.9 ** steps) / (np.sqrt(v / (1 - 0.999 ** steps)) + 1e-8))
        h = np.hstack([unary[held], outputs(nodes, x[held])])
        weights, offset = head.affine(h)
        now = loss(h @ weights + offset, y[held], classes)
        waited += 1
        if now < best:
            best, waited, best_nodes, best_map = now, 0, [p.copy() for p in nodes], (weights.copy(), offset)
        elif waited > PATIENCE:
            break
        elif waited % (HALVE_AFTER + 1) == 0:
            rate /= 2
    return best_nodes, best_map


def refit(h, y, classes):
    """Ridge, or logistic by Newton's method; the constant goes free."""
    design = np.hstack([h, np.ones((len(h), 1))])
    ridge = np.diag([PENALTY] * h.shape[1] + [1e-9])
    w = np.zeros(design.shape[1])
    for _ in range(12 if classes else 1):
        p = sigmoid(design @ w) if classes else design @ w
        curve = p * (1 - p) if classes else np.ones(len(h))
        w -= np.linalg.solve(design.T @ (design * curve[:, None]) + ridge, design.T @ (p - y) + ridge @ w)
    return w[:-1], w[-1]


def metric(score, y, classes):
    if not classes:
        return 1 - ((score - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[place]   # equal scores share their mean rank
    return (rank[y > 0].mean() - (y.sum() + 1) / 2) / (len(y) - y.sum())


def self_check():
    """The written-out gradients against finite differences, so that neither head is handicapped by a slip."""
    rng = np.random.default_rng(0)
    h, target = rng.normal(size=(16, 5)), rng.normal(size=16)
    for make in (Plain, Folded):
        head = make(5, rng)
        gradients, d_h = head.backward(2 * (head.forward(h) - target) / 16)
        for p, d in zip(head.params + [h], gradients + [d_h]):
            for i in range(0, p.size, 3):
                slope = 0
                for step in (1e-6, -1e-6):
                    p.flat[i] += step
                    slope += loss(head.forward(h), target, False) / (2 * step)
                    p.flat[i] -= step
                assert abs(slope - d.flat[i]) < 1e-6, make
    s, g, way = (rng.normal(0, size, (12, 3)) for size in (TAU, 1, 1))
    slope = ((soft_topk(s + 1e-5 * way) - soft_topk(s - 1e-5 * way)) * g).sum() / 2e-5
    assert abs(slope - (soft_topk_gradient(soft_topk(s), g) * way).sum()) < 1e-3 * abs(slope)


def run(columns, y, classes, inputs, batch, split, seeds):
    """Test metrics, seeds averaged: trained plain and folded, refitted plain and folded."""
    shuffled = np.random.default_rng([7, split]).permutation(len(y))
    test, held, fit = np.split(shuffled, [len(y) // 5, len(y) // 5 + len(y) * 3 // 25])
    x, unary = encode(columns, fit, inputs)
    y = y if classes else (y - y[fit].mean()) / y[fit].std()
    batch = min(batch, len(fit))
    found = np.zeros((seeds, 4))
    for seed, head in np.ndindex(seeds, 2):
        nodes, trained = train((Plain, Folded)[head], x, unary, y, classes, fit, held, batch, [split, seed])
        h = np.hstack([unary, outputs(nodes, x)])
        for i, (weights, offset) in enumerate((trained, refit(h[fit], y[fit], classes))):
            found[seed, head + 2 * i] = metric(h[test] @ weights + offset, y[test], classes)
    return found.mean(axis=0)


def main():
    parser = argparse.ArgumentParser(description="TT-Sparse with a plain and a folded head.")
    parser.add_argument("data")
    parser.add_argument("--datasets", default="heart,diabetes,compas,california,boston")
    parser.add_argument("--inputs", choices=("all", "levels"), default="all")
    for name, value in (("splits", 6), ("seeds", 2), ("rows", 4000), ("batch", 64)):
        parser.add_argument("--" + name, type=int, default=value)
    args = parser.parse_args()
    self_check()

    print("| data | plain | folded | difference | refitted: plain | folded | difference |")
    print("|---|---|---|---|---|---|---|")
    sets = []
    for name in args.datasets.split(","):
        table = load(args.data, name, args.rows)
        sets.append(np.array([run(*table, args.inputs, args.batch, split, args.seeds)
                              for split in range(args.splits)]))
        show(name, sets[-1:])
    show("mean", sets)


def show(name, sets):
    means = np.mean([s.mean(axis=0) for s in sets], axis=0)
    variances = [(s[:, 1::2] - s[:, ::2]).var(axis=0, ddof=1) / len(s) for s in sets]
    errors = np.sqrt(np.sum(variances, axis=0)) / len(sets)
    cells = ["%.4f | %.4f | %+.4f ± %.4f" % (plain, folded, folded - plain, error)
             for plain, folded, error in zip(means[::2], means[1::2], errors)]
    print("| %s | %s |" % (name, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
