"""ChartMimic: what an answer draws beside what the reference draws. Each script runs in a sandbox of its own."""

import json
import re
import signal
import sys

sys.path[:0] = ["/tests", "/opt/pwp/grade"]

from f1 import scores
from layers import hint
from pwp_checks import Failed, Left, given, not_measured, report, run_code, short, unavailable

SECONDS = 120
# For comparing: a chart with too much in it for this limit is not a copy of any.
MOST_SECONDS = 120
MOST = {"texts": 20_000, "layout": 5000, "types": 500, "colors": 1000}
JUDGE = "unavailable: the official high-level score asks GPT-4V about both pictures; the score is the low-level one"


def drawn_by(script, plain_grid):
    """Raises Failed where the script fails, or what it drew is not in the form of the recorder."""
    asked = json.dumps({"script": script, "plainGrid": plain_grid})
    files = {name: given(name) for name in ("recorder.py", "plotting.py")}
    ran = run_code(files, ["/usr/bin/python3", "-s", "-B", "recorder.py"], asked, SECONDS)
    if ran["timedOut"]:
        raise Failed(f"it takes longer than {SECONDS} s")
    if ran["exitCode"] != 0:
        raise Failed(f"it fails: {short(last_line(ran['stderr']))}")
    try:
        drawn = json.loads(ran["stdout"])
    except (ValueError, RecursionError):
        raise Failed("it ends before all is drawn") from None
    if not is_drawing(drawn):
        raise Failed("it draws more than can be compared")
    return drawn


def is_drawing(drawn):
    """Checks the form of the output: everything from the sandbox of the agent's script may be made up by it."""
    if not isinstance(drawn, dict) or drawn.keys() != MOST.keys():
        return False
    if not all(isinstance(one, dict if name == "types" else list) and len(one) <= MOST[name] for name, one in drawn.items()):
        return False
    return (
        all(isinstance(text, str) for text in drawn["texts"])
        and all(isinstance(one, list) and len(one) == 6 and all(type(at) is int for at in one) for one in drawn["layout"])
        and all(type(count) is int and count > 0 for count in drawn["types"].values())
        and all(isinstance(one, list) and len(one) == 2 and is_colour(*one) for one in drawn["colors"])
    )


def is_colour(key, colour):
    if not isinstance(key, str) or not isinstance(colour, str):
        return False
    return not colour.startswith("#") or re.fullmatch("#[0-9A-F]{6}", colour) is not None


def last_line(text):
    return (text.strip().splitlines() or ["nothing was printed"])[-1]


def compared(record):
    answer = drawn_by(Left().read("graph.py"), record["plainGrid"])
    reference = reference_of(record)
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(MOST_SECONDS)
    return scores(answer, reference)


def reference_of(record):
    """Without it there is no score: that is no fault of the answer."""
    try:
        return drawn_by(given("reference.py"), record["plainGrid"])
    except Failed as failed:
        unavailable(f"the owners' own script fails here: {failed}{hint(str(failed))}")


def too_long(_signal, _frame):
    raise Failed(f"it takes longer than {MOST_SECONDS} s to compare")


def part(name, score):
    if score is None:
        return not_measured(name, "nothing to compare: the reference has none; not part of the score")
    return {"name": name, "passed": score >= 1 - 1e-9, "why": f"{score:.4f} of 1"}


def mean(values):
    """Rounding may make it a little more than 1."""
    return min(1.0, sum(values) / len(values))


try:
    found = compared(json.loads(given("record.json")))
except Failed as failed:
    parts, reward = [{"name": "script", "passed": False, "why": str(failed)[:2000]}], 0
else:
    counted = [score for score in found.values() if score is not None]
    if not counted:
        unavailable("the owners' own script draws nothing that is compared")
    parts, reward = [part(name, score) for name, score in found.items()], mean(counted)
report([*parts, not_measured("gpt-4v", JUDGE)], reward=reward)
