import json
import sys

sys.path.insert(0, "/opt/pwp/grade")
from pwp_checks import Failed, Left, answer_lines, check, given, normal, report, same_text

ANSWERS = json.loads(given("expected.json"))
SOURCES = ["entries.csv", "ledger/__init__.py", "ledger/rules.py", "main.py"]
left = Left()


def answered():
    """`name: value`, one a line; each once, and nothing else."""
    found = {}
    for line in answer_lines(left):
        name, colon, value = line.partition(":")
        name = " ".join(name.lower().split())
        if not colon or name not in ANSWERS or name in found:
            raise Failed(f"expected one line for each of {', '.join(ANSWERS)}, found {line[:80]}")
        found[name] = value
    return found


def right(name):
    value = normal(answered().get(name, "")).removeprefix("ledger.rules.").removeprefix("rules.")
    if value not in ANSWERS[name]:
        raise Failed(f"{name}: {value[:80] or 'nothing'} is wrong")
    return f"{name}: {value}"


report(
    [
        *[check(name, lambda name=name: right(name)) for name in ANSWERS],
        *[check(path, lambda path=path: same_text(left, path, given(f"before/{path}"))) for path in SOURCES],
    ]
)
