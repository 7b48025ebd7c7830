"""Design2Code: an answer's text blocks beside those of the page that it copies, each found in a sandbox of its own."""

import json
import math
import signal
import sys

sys.path[:0] = ["/tests", "/opt/pwp/grade"]

from pwp_checks import Failed, Left, given, not_measured, report, run_code, short, unavailable
from scores import NAMES, scores

PARTS = ("blocks.py", "browser.py", "html_tree.py", "prepare.py", "recolour.py", "served.py")
SECONDS = 240
# For comparing: a page with too many or too long texts for this limit is not a copy.
MOST_SECONDS = 600
CLIP = "unavailable: the weights of CLIP ViT-B/32 are not part of the image; the score is the mean of the other four"


def found_in(html, guard, image):
    """The text blocks of a page, as `blocks.py` prints them. Raises Failed where the page can't be drawn."""
    asked = json.dumps({"html": html, "guard": guard, "image": image})
    files = {name: given(name) for name in PARTS}
    ran = run_code(files, ["/usr/bin/python3", "-E", "-s", "-B", "blocks.py"], asked, SECONDS)
    if ran["timedOut"]:
        raise Failed(f"it took longer than {SECONDS} s to draw the page")
    try:
        found = json.loads(ran["stdout"])
    except (ValueError, RecursionError):
        raise Failed(f"the page can't be drawn: {short(last_line(ran['stderr']))}") from None
    if not isinstance(found, dict) or "blocks" not in found:
        raise Failed(f"the page can't be drawn: {short(found.get('problem')) if isinstance(found, dict) else 'no blocks'}")
    if not isinstance(found["blocks"], list) or not all(map(is_block, found["blocks"])):
        raise Failed("the page gives something else than text blocks")
    return found


def is_block(block):
    """Checks the form of a block: everything from the sandbox of the agent's page may be made up by it."""
    if not isinstance(block, dict) or block.keys() != {"text", "bbox", "color"} or not isinstance(block["text"], str):
        return False
    return are_numbers(block["bbox"], 4, 1) and are_numbers(block["color"], 3, 255) and ends_inside(block["bbox"])


def ends_inside(box):
    return max(box[0] + box[2], box[1] + box[3]) <= 1 + 1e-9


def are_numbers(values, count, most):
    if not isinstance(values, list) or len(values) != count:
        return False
    return all(type(value) in (int, float) and math.isfinite(value) and 0 <= value <= most for value in values)


def last_line(text):
    return (text.strip().splitlines() or ["nothing was printed"])[-1]


def compared(record):
    html = Left().read("index.html")
    reference = reference_of(record)
    guard = "apply" if reference["survives"] else "skip"
    answer = found_in(html, guard, record["image"])
    if not answer["blocks"]:
        raise Failed("no text is seen on the page")
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(MOST_SECONDS)
    return scores(answer["blocks"], reference["blocks"])


def reference_of(record):
    """Without it there is no score: that is no fault of the answer."""
    try:
        found = found_in(record["html"], "try", record["image"])
        if not found["blocks"]:
            raise Failed("no text is seen on it")
        return found
    except Failed as failed:
        unavailable(f"the page to copy can't be drawn here: {failed}")


def too_long(_signal, _frame):
    raise Failed(f"it takes longer than {MOST_SECONDS} s to compare its text with that of the page to copy")


def part(name, score):
    return {"name": name, "passed": score >= 1, "why": f"{score:.4f} of 1"}


try:
    found = compared(json.loads(given("record.json")))
    parts = [part(name, found[name]) for name in NAMES]
    reward = sum(found.values()) / len(NAMES)
except Failed as failed:
    parts, reward = [{"name": "page", "passed": False, "why": str(failed)[:2000]}], 0
report([*parts, not_measured("clip", CLIP)], reward=reward)
