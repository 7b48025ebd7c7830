import random
import sys

sys.path.insert(0, "/opt/pwp/grade")
from pwp_checks import Left, answers_of, check, given, given_files, report, same_answers, same_text, swallows_nothing

LIBRARY = "vendor/tinynn/attention.py"
left = Left()
OTHERS = [path for path in given_files("before") if path != LIBRARY]

DRIVER = """
from model import means
from vendor.tinynn.attention import Attention, softmax


def answer(question):
    tokens, size, heads, seed = question
    attention = Attention(size * heads, heads, seed)
    return [means(tokens, size * heads, heads, seed), [attention.heads, attention.size]]
"""


def questions():
    # Others each time: none of them can be known beforehand.
    chance = random.SystemRandom()

    sizes = [[7, 4, 3], [3, 4, 3], [5, 5, 5], [1, 2, 3], [4, 3, 1]]
    sizes += [[chance.randint(1, 9), chance.randint(1, 6), chance.randint(1, 6)] for _ in range(60)]
    return [[*one, chance.randint(0, 10**6)] for one in sizes]


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
