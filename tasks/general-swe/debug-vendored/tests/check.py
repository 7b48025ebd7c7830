import random
import sys

sys.path.insert(0, "/opt/pwp/grade")
from pwp_checks import Left, answers_of, check, given, given_files, report, same_answers, same_text, swallows_nothing

LIBRARY = "vendor/rangeset/ranges.py"
left = Left()
OTHERS = [path for path in given_files("before") if path != LIBRARY]

DRIVER = """
from seats.booking import summary, taken


def answer(question):
    added, removed, probes = question
    seats = taken([tuple(one) for one in added], [tuple(one) for one in removed])
    return [summary(added, removed), len(seats), [probe in seats for probe in probes]]
"""


def questions():
    # Others each time: none of them can be known beforehand.
    chance = random.SystemRandom()

    def some(most):
        starts = [chance.randint(0, 40) for _ in range(chance.randint(0, most))]
        return [[start, start + chance.randint(0, 6)] for start in starts]

    fixed = [[[[1, 4], [8, 9], [5, 7]], [], [4, 5]], [[[5, 6], [1, 4]], [], [0]], [[[3, 3], [1, 1], [2, 2]], [[2, 2]], [2]]]
    return fixed + [[some(9), some(3), list(range(0, 50, 3))] for _ in range(200)]


def keeps_errors():
    return swallows_nothing(left.read(LIBRARY), LIBRARY)


def works():
    asked = questions()
    others = {path: given(f"before/{path}") for path in OTHERS if not path.startswith("tests/")}
    found = answers_of({**others, LIBRARY: left.read(LIBRARY)}, DRIVER, asked)
    wanted = answers_of({**others, LIBRARY: given("fixed.py")}, DRIVER, asked)
    return same_answers(found, wanted, asked)


checks = [
    check("the library swallows no errors", keeps_errors),
    *[check(path, lambda path=path: same_text(left, path, given(f"before/{path}"))) for path in OTHERS],
]
if all(one["passed"] for one in checks):
    checks.append(check("hidden tests", works))
report(checks)
