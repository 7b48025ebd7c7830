"""Statuses of tests as run apart: in a sandbox that has the tree and nothing else."""

import base64
import collections
import json
import os
import re
import secrets
import zlib

from pwp_checks import Failed, given, run_code
from trees import CODE, remove, write

RUNNER = ".pwp-run/run_tests.py"
MOST_BYTES = 64_000_000

NAMES = ("empty", "order", "default", "keys", "copy", "unicode", "nested", "types", "range", "again", "merge", "names")

# The findings of a test run: status by the test's name, how often each line ran by path, and why it failed by the name of
# a test or file.
Run = collections.namedtuple("Run", "statuses counts reasons")


def run_of(files, seconds, traced=()):
    """
    Runs test files of the tree in /code. Beside them run two tests made up for this run, one that passes and one that fails,
    and in each file one that fails: where they have other results, the code changes what tests report.
    @param traced paths of files whose lines are counted
    @return a Run. Raises Failed with the reason if there is no Run
    """
    word = secrets.token_hex(24)
    control, names = control_test(files)
    hidden = failing_among(files)
    asked = json.dumps({"word": word, "files": [*files, control], "traced": list(traced)})
    argv = ["/usr/bin/python3", "-I", "-B", RUNNER]
    remove(CODE, os.path.dirname(RUNNER))
    ran = run_code({RUNNER: given("run_tests.py")}, argv, asked, seconds, folders=["/code"])
    if ran["timedOut"]:
        raise Failed(f"the tests took longer than {seconds} s")
    answer = read_answer(ran, word)
    statuses = first_failures(answer["statuses"][:-1])
    found = [statuses.pop(f"{control}::{name}", "missing") for name in names]
    if found == ["missing", "missing"]:
        raise Failed(f"no test could be run: {reason_in(ran['stderr'])}")
    if found != ["PASSED", "FAILED"]:
        raise Failed(f"the code changes what tests report: a test that passes was {found[0]}, one that fails was {found[1]}")
    among = [statuses.pop(name) for name in list(statuses) if f"::{hidden}" in name]
    if any(status in ("PASSED", "XPASS") for status in among):
        raise Failed("the code changes what tests report: a test that fails, among the others, was not reported as failed")
    counts = {path: {int(line): hits for line, hits in lines.items()} for path, lines in answer["counts"].items()}
    own = (*names, hidden)
    reasons = {what: why for what, why in reasons_in(ran["stderr"]).items() if not any(name in what for name in own)}
    return Run(statuses, counts, reasons)


def reason_in(text):
    """The line of what Python and pytest print that says why: the last error, else the last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"(E\s+)?[A-Za-z_][\w.]*(Error|Exception|Warning)\b", line)]
    return re.sub(r"^E\s+", "", (errors or lines or ["nothing was said"])[-1])


def reasons_in(text):
    """Why tests failed and files could not be read, by what pytest heads each with: its last line that begins with E."""
    found, heading = {}, None
    for line in text.splitlines():
        named = re.fullmatch(r"_{2,} (\S.*?) _{2,}", line)
        if named:
            heading = named.group(1).removeprefix("ERROR collecting ")
        elif heading and re.match(r"E\s+\S", line):
            found[heading] = line[1:].strip()[:300]
    return found


def shown_reasons(reasons):
    """The first few of them, each once, for the end of a sentence."""
    first = {}
    for name, why in reasons.items():
        first.setdefault(why, name)
    return "".join(f"; {name}: {why}" for why, name in list(first.items())[:3])


def control_test(files):
    """Writes two tests beside the first file, under names that can't be guessed. Returns their file and names."""
    mark = secrets.token_hex(6)
    path = os.path.join(os.path.dirname(files[0]), f"test_{mark}.py")
    names = [f"test_{secrets.token_hex(6)}" for _ in range(2)]
    text = f"def {names[0]}():\n    assert {mark!r} == {mark!r}\n\n\ndef {names[1]}():\n    assert {mark!r} == {mark[1:]!r}\n"
    write(text, CODE, path)
    return path, names


def failing_among(files):
    """Adds a test that fails to each file, under a name like others. A file may have its tests skipped, this one included."""
    name = f"test_{secrets.choice(NAMES)}_{secrets.choice(NAMES)}_{secrets.randbelow(90) + 10}"
    one = secrets.randbelow(1000)
    for path in files:
        place = os.path.join(CODE, path)
        if path.endswith(".py") and os.path.isfile(place) and not os.path.islink(place):
            with open(place, "a", encoding="utf-8") as file:
                file.write(f"\n\ndef {name}():\n    assert {one} == {one + 1}\n")
    return name


def first_failures(reported):
    """The status of each test, of its phases that have one the first that failed, else the last."""
    statuses = {}
    for name, status in reported:
        if statuses.get(name) not in ("FAILED", "ERROR"):
            statuses[name] = status
    return statuses


def read_answer(ran, word):
    """The line that the runner printed under its word: the last such line, and only one."""
    lines = [line for line in ran["stdout"].splitlines() if line.startswith(word)]
    if len(lines) != 1:
        raise Failed(f"the tests ended without a report (exit code {ran['exitCode']}): {reason_in(ran['stderr'])}")
    unpacked = zlib.decompressobj().decompress(base64.b64decode(lines[0].split()[1]), MOST_BYTES)
    return json.loads(unpacked)
