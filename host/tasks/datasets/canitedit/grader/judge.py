"""Judges what a test's assertions saw of a program."""

import json

from pwp_checks import Failed, short
from split import split
from values import unpacked


def lines_of(stdout):
    """Each `[kind, number, values]`; an unreadable line fails."""
    try:
        lines = [json.loads(line) for line in stdout.splitlines()]
        return [(kind, number, [unpacked(value) for value in values]) for kind, number, values in lines]
    except (ValueError, TypeError, RecursionError):
        raise Failed("it prints something else than what the test saw") from None


def undecided(questions, lines):
    """Numbers of the assertions that the right program meets, but not by values: judge these where they run."""
    return {number for kind, number, values in lines if kind == "saw" and not questions[number].holds(values)}


def judged(questions, lines, wanted):
    """
    Every assertion holds, the test reached its end, and no assertion was left out.
    @param wanted the numbers that the right program meets
    """
    for kind, number, values in lines:
        if kind == "saw" and not (0 <= number < len(questions) and questions[number].holds(values)):
            raise Failed(f"assertion {number + 1} fails: found {short(repr(values))}")
    if not lines or lines[-1][0] != "end":
        raise Failed(f"the test did not reach its end; {len(lines)} assertions held before")
    left_out = wanted - {(kind, number) for kind, number, _values in lines}
    if left_out:
        raise Failed(f"{len(left_out)} assertions were never made")
    return f"{len(lines) - 1} assertions hold"


def program(code, tests, judged_there=()):
    text, questions = split(tests, judged_there)
    return f"{code}\n{text}\n", questions
