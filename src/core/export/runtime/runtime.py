#!/usr/bin/env python3
# A rule model as a program without dependencies. It reads a CSV file with a header from standard input
# and writes one line of predictions per row to standard output.
import math
import re
import sys

@MODEL@

def at_least(x, threshold):
    return x is not None and x >= threshold


def is_level(x, level):
    return x == level


def is_other(x, levels):
    return x is not None and x not in levels


def is_missing(x):
    return x is None


def known_number(x, gaps):
    """The number, or None if it counts as missing."""
    return None if x in gaps else x


def known_text(x, gaps):
    return None if x is not None and means_missing(x, gaps, numbers_among(gaps)) else x


def from_mean(x, mean, low, high):
    """The distance from the training mean; 0 if the number is missing."""
    if x is None:
        return 0.0
    if math.isinf(x):
        x = low if x < 0 else high
    return x - mean


def log_from_mean(x, mean, low, high, center):
    """The binary logarithm of 1 + the distance from the center, with the sign of the distance, minus its training mean;
    0 if the number is missing."""
    if x is None:
        return 0.0
    if math.isinf(x):
        x = low if x < 0 else high
    return math.copysign(math.log1p(abs(x - center)) / math.log(2), x - center) - mean


def clipped_from_mean(x, mean, low, high):
    """The number, limited to the range from low to high, minus its training mean; 0 if it is missing."""
    return 0.0 if x is None else min(max(x, low), high) - mean


def predict(cells):
    """cells: one value per column, in the order of NAMES: a float (dates: days since 1970-01-01), a
    text, or None if missing. Returns what the program prints: the predicted number, or the
    predicted class and the probability of each class."""
    s = scores(cells)
    if not all(map(math.isfinite, s)):
        raise ValueError("the score is too large for a number; check the values")
    if TASK == "regression":
        return [s[0]]
    if TASK == "binary":
        p = 1.0 / (1.0 + math.exp(min(-s[0], 709.0)))
        p = [1.0 - p, p]
        return [CLASSES[1 if p[1] > 0.5 else 0]] + p
    top = max(s)
    e = [math.exp(x - top) for x in s]
    total = sum(e)
    p = [x / total for x in e]
    return [CLASSES[p.index(max(p))]] + p


# --- cells ---

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
INFINITE = re.compile(r"[+-]?inf(inity)?\Z", re.IGNORECASE)
DATE = re.compile(r"([0-9]+)([-/.])([0-9]+)\2([0-9]+)(?:[T ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?:\.([0-9]*))?"
                  r"(?:Z|([+-])([0-9]{2}):?([0-9]{2})?)?)?\Z")
MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
PADDED = re.compile(r"[+-]?0[0-9]+\Z")        # a code, not a number


def is_plain(text):
    return NUMBER.match(text) and not PADDED.match(text)


def numbers_among(tokens):
    return [float(token) for token in tokens if is_plain(token)]


def means_missing(text, tokens, numbers):
    """If 0 means missing, so does 0.0."""
    text = text.strip(" \t")
    return text in tokens or bool(numbers and is_plain(text) and float(text) in numbers)


def without_unit(text, unit, front):
    """The sign, and the number without the unit that the training data had. unit: the unit, or "-" if only
    parentheses and a minus sign at the end are removed. front: the unit if it may come first."""
    sign, unit = 1, "" if unit == "-" else unit
    if len(text) > 2 and text[0] == "(" and text[-1] == ")":
        sign, text = -1, text[1:-1].strip(" \t")
    minus = 1 if text[:1] == "-" else 0
    if front and text.startswith(front, minus):
        sign, text = -1 if minus else sign, text[minus + len(front):]
    elif len(text) > 1 and text[-1] == "-" and text[-2] in "0123456789":
        sign, text = -1, text[:-1]
    elif unit and text.endswith(unit):
        text = text[:-len(unit)]
    return sign, text.strip(" \t")


def read_number(text, unit, front):
    """A float, or None if it is too large for a double. Raises ValueError if the text is not a number."""
    text, sign = text.strip(" \t"), 1
    if INFINITE.match(text):
        return None
    if unit and not NUMBER.match(text):
        sign, text = without_unit(text, unit, front)
    if not NUMBER.match(text):
        raise ValueError("is not a number")
    value = sign * float(text)
    return None if math.isinf(value) else value


def read_date(text, order):
    """Days since 1970-01-01. order: the positions of year, month, and day."""
    match = DATE.match(text.strip(" "))
    parts = [match.group(1), match.group(3), match.group(4)] if match else []
    if not match or any(len(part) != 4 if i == order[0] else len(part) > 2 for i, part in enumerate(parts)):
        raise ValueError("is not a date")
    year, month, day = (int(parts[i]) for i in order)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= MONTH_DAYS[month - 1] or (month == 2 and day == 29 and not leap):
        raise ValueError("is not a date")
    hour, minute, second = (int(match.group(i) or 0) for i in (5, 6, 7))
    zone = int(match.group(10) or 0), int(match.group(11) or 0)
    if hour > 23 or minute > 59 or second > 60 or zone[0] > 14 or zone[1] > 59:
        raise ValueError("is not a date")
    fraction, scale = 0.0, 0.1
    for digit in match.group(8) or "":
        fraction, scale = fraction + scale * int(digit), scale / 10
    if match.group(9) == "-":
        zone = -zone[0], -zone[1]
    y = year - 1 if month <= 2 else year
    days = 365 * y + y // 4 - y // 100 + y // 400 + (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1 - 719468
    return days + ((hour - zone[0]) * 3600 + (minute - zone[1]) * 60 + second + fraction) / 86400.0


ORDERS = [(0, 1, 2), (2, 1, 0), (2, 0, 1)]     # y-m-d, d-m-y, m-d-y: indices of year, month, day


def date_order(texts):
    """The order of year, month, and day in which most cells are valid dates."""
    best, most = ORDERS[0], -1
    for order in ORDERS:
        n = 0
        for text in texts:
            try:
                read_date(text, order)
                n += 1
            except ValueError:
                pass
        if n > most:
            best, most = order, n
    return best


def read_column(kind, texts, unit, front):
    """texts: the cells; None if missing."""
    if kind == "text":
        return texts
    order = date_order([text for text in texts if text is not None]) if kind == "date" else None
    values = []
    for row, text in enumerate(texts):
        try:
            values.append(None if text is None else read_date(text, order) if kind == "date" else
                          read_number(text, unit, front))
        except ValueError as wrong:
            raise ValueError("row %d: %r %s" % (row + 1, text, wrong)) from None
    return values


# --- files ---

def line_at(text, at):
    """The line of the file that has this character, for messages."""
    return 1 + len(re.findall("\r\n|\n|\r", text[:at]))


def parse_csv(text, delimiter, most=None):
    """Records as lists of texts, without blank lines. most: the largest number of records to read."""
    records, record, start, n = [], [], 0, len(text)
    ends = re.compile("[" + re.escape(delimiter) + "\n\r]")
    while start < n and (most is None or len(records) < most):
        if text[start] == '"':
            parts, at = [], start + 1
            while True:
                end = text.find('"', at)
                if end < 0:
                    raise ValueError("line %d: a quote is never closed" % line_at(text, start))
                parts.append(text[at:end])
                at = end + 1
                if text[at:at + 1] != '"':
                    break
                parts.append('"')
                at += 1
            field, quoted = "".join(parts), True
        else:
            match = ends.search(text, start)
            at = match.start() if match else n
            field, quoted = text[start:at], False
        if '"' in field and not quoted or at < n and text[at] not in (delimiter, "\n", "\r"):
            raise ValueError("line %d: a quote is in the middle of a field" % line_at(text, start))
        record.append(field)
        if at < n and text[at] == delimiter:
            start = at + 1
            if start < n:
                continue
            record.append("")
        blank = " \t" if not records or len(records[0]) > 1 else ""    # in a table of one column, blanks are a cell
        if len(record) > 1 or quoted or record[0].strip(blank) != "":
            records.append(record)
        record, start = [], at + 1
    return records


def column_names(header):
    """A column without a name is named by its number. A repeated name gets a number at its end."""
    names, taken = [], set()
    for i, wanted in enumerate(header):
        base = wanted if wanted.strip(" \t") else "column %d" % (i + 1)
        name, n = base, 2
        while name.casefold() in taken:
            name, n = "%s (%d)" % (base, n), n + 1
        taken.add(name.casefold())
        names.append(name)
    return names


def read_table(text):
    """The columns of the model, as lists of texts or None, and the number of rows."""
    if "\0" in text:
        raise ValueError("line %d has a NUL byte, which is not text" % line_at(text, text.index("\0")))
    absent, wrong = None, None
    for delimiter in (",", ";", "\t", "|"):
        try:
            header = (parse_csv(text, delimiter, 1) or [[]])[0]
        except ValueError as quote:
            wrong = wrong or quote
            continue
        names = column_names(header)
        lacking = [name for name in NAMES if name not in names]
        if not lacking:
            break
        absent = absent or lacking[0]
    else:
        raise wrong or ValueError("the data has no column %r" % absent)
    for name in NAMES:
        if header.count(name) > 1:
            raise ValueError("two columns are called %r; rename or remove one of them" % name)
    records = parse_csv(text, delimiter)
    if len(records) < 2:
        raise ValueError("there are no data rows after the header")
    short = [row for row, record in enumerate(records) if len(record) < len(names)]
    if len(short) * 20 >= len(records):
        raise ValueError("row %d has %d fields where %d are expected; %d of %d rows are too short" % (
            short[0], len(records[short[0]]), len(names), len(short), len(records) - 1))
    for row, record in enumerate(records[1:]):
        if len(record) > len(names) and any(cell.strip(" \t") for cell in record[len(names):]):
            raise ValueError("row %d has %d fields where %d are expected" % (row + 1, len(record), len(names)))
    columns = []
    for name in NAMES:
        i = names.index(name)
        cells = [record[i] if i < len(record) else "" for record in records[1:]]
        tokens = MISSING + [text for column, text in zip(MISSING_IN, MISSING_VALUES) if column == name]
        numbers = numbers_among(tokens)
        columns.append([None if means_missing(cell, tokens, numbers) else cell for cell in cells])
    return columns, max(len(records) - 1, 0)


def write_cell(value):
    """Puts an apostrophe before text that a spreadsheet would run as a formula."""
    if isinstance(value, float):
        return repr(value)
    if value[:1] in ("=", "+", "-", "@", "\t", "\r") and not NUMBER.match(value):
        value = "'" + value
    if value == "" or value != value.strip(" ") or any(c in value for c in ',"\n\r'):
        value = '"' + value.replace('"', '""') + '"'
    return value


def main():
    columns, n_rows = read_table(sys.stdin.buffer.read().decode("utf-8-sig"))
    for i, kind in enumerate(KINDS):
        try:
            columns[i] = read_column(kind, columns[i], UNITS[i], FRONT_UNITS[i])
        except ValueError as wrong:
            raise ValueError("column %r, %s" % (NAMES[i], wrong)) from None
    lines = [["prediction"] + ["p_" + name for name in CLASSES]]
    for row in range(n_rows):
        lines.append(predict([column[row] for column in columns]))
    out = "".join(",".join(map(write_cell, line)) + "\n" for line in lines)
    sys.stdout.buffer.write(out.encode("utf-8"))


if __name__ == "__main__":
    try:
        main()
    except (ValueError, IndexError) as wrong:
        sys.exit("%s: %s" % (sys.argv[0], wrong))
