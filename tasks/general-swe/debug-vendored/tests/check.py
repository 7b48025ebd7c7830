import random
import sys

sys.path.insert(0, "/opt/pwp/grade")
from pwp_checks import Failed, Left, answers_of, check, given, given_files, plain_code, report, same_answers, same_text

LIBRARY = "vendor/rangeset/ranges.py"
IMPORTS = ["__future__", "bisect"]
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


def only_computes():
    return plain_code(left.read(LIBRARY), LIBRARY, IMPORTS)


def works():
    asked = questions()
    others = {path: given(f"before/{path}") for path in OTHERS if not path.startswith("tests/")}
    found = answers_of({**others, LIBRARY: left.read(LIBRARY)}, DRIVER, asked)
    wanted = answers_of({**others, LIBRARY: given("fixed.py")}, DRIVER, asked)
    return same_answers(found, wanted, asked)


checks = [
    check("the library only computes", only_computes),
    *[check(path, lambda path=path: same_text(left, path, given(f"before/{path}"))) for path in OTHERS],
]
# What the agent wrote is run only where it can do nothing else than compute.
if all(one["passed"] for one in checks):
    checks.append(check("hidden tests", works))
report(checks)
