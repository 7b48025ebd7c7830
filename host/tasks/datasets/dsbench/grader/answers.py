"""Whether an answer to a question of DSBench says what is expected: normalised exact match, where the owners ask a model."""

import math
import re

UNITS = {"thousand": "k", "thousands": "k", "million": "m", "millions": "m", "mn": "m", "percent": "%"}


def same(found, expected):
    """Numbers by value and unit, a choice by its letter, a table by its fields, other text by its words."""
    if isinstance(expected, dict):
        return same_fields(found, expected)
    if isinstance(found, bool) or not isinstance(found, (str, int, float)):
        return False
    number = number_of(expected)
    if number is not None:
        return close(number_of(found), number)
    return words(found) == words(expected) or is_choice(found, expected)


def same_fields(found, expected):
    if not isinstance(found, dict):
        return False
    named = {words(key): value for key, value in found.items()}
    wanted = {words(key): value for key, value in expected.items()}
    return named.keys() == wanted.keys() and all(same(named[key], wanted[key]) for key in wanted)


def number_of(value):
    """A number and its unit, or None: of `$5,753,961`, `9.424%`, `18217 k`."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return (float(value), "") if abs(value) < 1e300 and math.isfinite(value) else None
    # Digits are counted before they are matched: the pattern takes the square of their number.
    if len(value) > 100:
        return None
    text = value.strip().lower().replace(",", "").replace("$", "").replace("€", "").replace("£", "")
    match = re.fullmatch(r"\(?\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,2})?)\s*\)?\s*([a-z]*|%)", text)
    if not match or len(text) > 60:
        return None
    negative = -1 if text.startswith("(") and ")" in text else 1
    unit = match.group(2)
    return negative * float(match.group(1)), UNITS.get(unit, unit)


def close(one, other):
    return one is not None and one[1] == other[1] and math.isclose(one[0], other[0], rel_tol=1e-9)


def words(value):
    return " ".join(re.findall(r"[^\W_]+", str(value).lower()))


def is_choice(found, expected):
    """`D`, `d)`, `(D)`, `Option D`, `D. 123`: a letter alone, or first and marked as a choice."""
    if not re.fullmatch(r"[A-Za-z]", str(expected).strip()):
        return False
    text = re.sub(r"^(?:the )?(?:answer|option|choice)(?: is)?:?\s*", "", str(found).strip(), flags=re.IGNORECASE)
    match = re.match(r"\(?([A-Za-z])(?:[).:]|$)", text)
    return match is not None and match.group(1).lower() == str(expected).strip().lower()
