def finite(x):
    return x if x is not None and math.isfinite(x) else None


def finite_of(f, *numbers):
    """f of the numbers; None if one of them, or the result, is missing or not finite."""
    if any(finite(x) is None for x in numbers):
        return None
    try:
        return finite(f(*numbers))
    except OverflowError:
        return None


def plus(a, b):
    return finite_of(lambda a, b: a + b, a, b)


def minus(a, b):
    return finite_of(lambda a, b: a - b, a, b)


def times(a, b):
    return finite_of(lambda a, b: a * b, a, b)


def divided_by(a, b):
    return finite_of(lambda a, b: a / b if b != 0 else None, a, b)


def negative(x):
    return finite_of(lambda x: -x, x)


def log_of(x):
    return finite_of(lambda x: math.log(x) if x > 0 else None, x)


def abs_of(x):
    return finite_of(abs, x)


def date_parts(days):
    """Year, month, and day of days since 1970-01-01; None outside the years 1 to 9999."""
    if days is None or not -719162 <= days < 2932897:
        return None, None, None
    whole = math.floor(days) + 719468
    era, day = divmod(whole, 146097)
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5 - 1
    month += 3 if month < 10 else -9
    return float(year + 400 * era + (1 if month <= 2 else 0)), float(month), float(day)


def year_of(days):
    return date_parts(days)[0]


def month_of(days):
    return date_parts(days)[1]


def day_of(days):
    return date_parts(days)[2]


def weekday_of(days, levels):
    return None if date_parts(days)[0] is None else levels[(math.floor(days) + 3) % 7]


def contains(text, part, levels):
    return None if text is None else levels[1 if part in text else 0]


def bin_of(x, edges, levels):
    return None if finite(x) is None else levels[sum(1 for edge in edges if x >= edge)]


