"""HumanEval: the record's test passes with what the agent's function answers within three seconds of processor time."""

import json
import sys

sys.path[:0] = ["/tests", "/opt/pwp/grade"]

from calls import noted_calls, run_with
from pwp_checks import Failed, Left, check, given, report, run_code, short

# As the owners' own program has it, which counts the wall's clock.
SECONDS = 3
# Wall-clock time: for code that sleeps.
MOST_SECONDS = 30


def answers_to(text, record, calls):
    """One answer for each call, in their order; fewer where the code ended before."""
    files = {"solution.py": text, "ask.py": given("ask.py"), "values.py": given("values.py")}
    asked = json.dumps({"entry_point": record["entry_point"], "calls": calls, "seconds": SECONDS})
    ran = run_code(files, ["/usr/bin/python3", "-s", "-B", "ask.py"], asked, MOST_SECONDS)
    try:
        answers = [json.loads(line) for line in ran["stdout"].splitlines()]
    except (ValueError, RecursionError):
        raise Failed("it answers with something else than values") from None
    if len(answers) == len(calls) and all(isinstance(one, dict) and ("value" in one or "raised" in one) for one in answers):
        return answers
    if ran["timedOut"] or ran["exitCode"] is None:
        raise Failed(f"it was ended: it took more than {SECONDS} s, or more memory than there is")
    raise Failed(f"it answers {len(answers)} of {len(calls)} calls: {short(last_line(ran['stderr']))}")


def last_line(text):
    return (text.strip().splitlines() or ["nothing was printed"])[-1]


def passes(record):
    calls = noted_calls(record)
    answers = answers_to(Left().read("solution.py"), record, calls)
    try:
        run_with(record, calls, answers)
    except Exception as error:
        raise Failed(f"the test fails: {type(error).__name__} {short(str(error))}".rstrip()) from None
    return f"the test passes, with {len(calls)} calls"


record = {**json.loads(given("record.json")), "prompt": given("prompt.py")}
report([check(record["entry_point"], lambda: passes(record))])
