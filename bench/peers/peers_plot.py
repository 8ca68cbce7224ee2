"""One frontier plot as SVG: score against literals on a logarithmic axis, a line per method, black boxes as levels."""
from math import floor, isfinite, log10

WIDTH, HEIGHT = 800, 400
LEFT, TOP, RIGHT, BOTTOM = 52, 14, 560, 356      # of the area; the legend is to its right
# Colors that people with any color vision tell apart, used with different marks.
COLORS = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#7a3db8", "#b22222", "#4d4d4d", "#2e7d32")
MARKS = ("circle", "square", "triangle", "diamond", "cross")


def mark(x, y, kind, color, size=4.0):
    at = "%.1f" % x, "%.1f" % y
    if kind == "circle":
        return '<circle cx="%s" cy="%s" r="%.1f" fill="%s"/>' % (*at, size, color)
    if kind == "cross":
        return '<path d="M%.1f %.1fl%.1f %.1fM%.1f %.1fl%.1f -%.1f" stroke="%s" stroke-width="2"/>' % (
            x - size, y - size, 2 * size, 2 * size, x - size, y + size, 2 * size, 2 * size, color)
    shape = {"square": (-.9, -.9, .9, -.9, .9, .9, -.9, .9), "triangle": (0, -1.2, 1.1, .8, -1.1, .8),
             "diamond": (0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0)}[kind]
    points = " ".join("%.1f,%.1f" % (x + size * shape[i], y + size * shape[i + 1]) for i in range(0, len(shape), 2))
    return '<polygon points="%s" fill="%s"/>' % (points, color)


def ticks_between(low, high):
    raw = (high - low) / 5
    step = 10 ** floor(log10(raw))
    step = next(step * k for k in (1, 2, 5, 10) if step * k >= raw)
    first = floor(low / step) + 1
    return [first * step + i * step for i in range(20) if first * step + i * step <= high], max(0, -floor(log10(step) + 1e-9))


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def plot(lines, levels, metric):
    """lines: (title, [(literals, score)]); levels: (title, score). The text of an SVG file."""
    points = [(n, s) for _, line in lines for n, s in line if n >= 1 and isfinite(s)]
    scores = sorted([s for _, s in points] + [s for _, s in levels])
    high = scores[-1]
    # Very small models can be far below: the lowest tenth must not press all others together.
    low = max(scores[0], high - 2.2 * (high - scores[len(scores) // 4]), high - .6) if high > scores[0] else high - .01
    margin = .05 * (high - low or .01)
    low, high = low - margin, high + margin
    last = max(n for n, _ in points) * 1.3

    def at_x(n):
        return LEFT + (RIGHT - LEFT) * log10(n) / log10(last)

    def at_y(s):
        return BOTTOM - (BOTTOM - TOP) * (s - low) / (high - low)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" '
           'font-size="11">' % (WIDTH, HEIGHT, WIDTH, HEIGHT),
           '<rect width="%d" height="%d" fill="#ffffff"/>' % (WIDTH, HEIGHT),
           '<rect x="%d" y="%d" width="%.1f" height="%d" fill="#e8f2ea"/>' % (LEFT, TOP, min(at_x(50), RIGHT) - LEFT, BOTTOM - TOP)]
    where, digits = ticks_between(low, high)
    for tick in where:
        out.append('<path d="M%d %.1fH%d" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end" fill="#444">%.*f</text>' % (
            LEFT, at_y(tick), RIGHT, LEFT - 6, at_y(tick) + 4, digits, tick))
    for tick in (1, 3, 10, 50, 120, 1000, 10000, 100000):
        if tick <= last:
            out.append('<path d="M%.1f %dv5" stroke="#666"/><text x="%.1f" y="%d" text-anchor="middle" fill="#444">%s</text>' % (
                at_x(tick), BOTTOM, at_x(tick), BOTTOM + 17, "{:,}".format(tick)))
    out.append('<path d="M%d %dH%d" stroke="#666"/>' % (LEFT, BOTTOM, RIGHT))
    out.append('<text x="%d" y="%d" text-anchor="middle" fill="#444">Literals (shaded: at most 50); %s of test rows above</text>' % (
        (LEFT + RIGHT) // 2, BOTTOM + 34, metric))
    out.append('<clipPath id="a"><rect x="%d" y="%d" width="%d" height="%d"/></clipPath>' % (
        LEFT - 6, TOP - 6, RIGHT - LEFT + 12, BOTTOM - TOP + 12))
    legend = []
    for i, (title, score) in enumerate(levels):
        dash = ("7 4", "2 3", "9 3 2 3", "1 5")[i % 4]
        out.append('<path d="M%d %.1fH%d" stroke="#555" stroke-dasharray="%s"/>' % (LEFT, at_y(score), RIGHT, dash))
        legend.append(('<path d="M%d %dh20" stroke="#555" stroke-dasharray="%s"/>', dash, title + " %.3f" % score))
    out.append('<g clip-path="url(#a)">')
    entries = []
    for i, (title, line) in reversed(list(enumerate(lines))):      # the first lies on top
        color, kind = COLORS[i % len(COLORS)], MARKS[i % len(MARKS)]
        line = sorted((n, s) for n, s in line if n >= 1 and isfinite(s))
        if not line:
            continue
        if len(line) > 1:
            out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="%s" stroke-opacity=".7"/>' % (
                " ".join("%.1f,%.1f" % (at_x(n), at_y(s)) for n, s in line), color, "2.4" if i == 0 else "1.2"))
        out += [mark(at_x(n), at_y(s), kind, color, 3 if len(line) > 12 else 4) for n, s in line]
        entries.append((kind, color, title))
    out.append("</g>")
    y = TOP + 8
    for kind, color, title in reversed(entries):
        out.append(mark(RIGHT + 24, y, kind, color) + '<text x="%d" y="%d" fill="#222">%s</text>' % (RIGHT + 38, y + 4, escape(title)))
        y += 19
    for shape, dash, title in legend:
        out.append(shape % (RIGHT + 14, y, dash) + '<text x="%d" y="%d" fill="#222">%s</text>' % (RIGHT + 38, y + 4, escape(title)))
        y += 19
    return "\n".join(out) + "\n</svg>\n"
