"""Statuses of tests as run apart: in a sandbox that has the tree and nothing else."""

import base64
import json
import os
import secrets
import zlib

from pwp_checks import Failed, given, run_code
from trees import CODE, remove, write

RUNNER = ".pwp-run/run_tests.py"
MOST_BYTES = 64_000_000

# What a name of the owners' records may be of a test's own, since they read names from logs: cut at the first space, or
# with the last part of a path alone.
PASSED = ("PASSED", "XFAIL")
NAMES = ("empty", "order", "default", "keys", "copy", "unicode", "nested", "types", "range", "again", "merge", "names")


def statuses_of(files, seconds):
    """As `run_of`, the statuses alone."""
    return run_of(files, seconds)[0]


def run_of(files, seconds, traced=()):
    """
    Runs test files of the tree in /code. Beside them run two tests made up for this run, one that passes and one that fails,
    and in each file one that fails: where these don't come out so, the code changes what tests say.
    @param traced paths of files whose lines are counted
    @return status by the test's name, and by path how often each line ran. Raises Failed with the reason where there is none
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
    if found != ["PASSED", "FAILED"]:
        raise Failed(f"the code changes what tests report: a test that passes was {found[0]}, one that fails was {found[1]}")
    among = [statuses.pop(name) for name in list(statuses) if f"::{hidden}" in name]
    if any(status in ("PASSED", "XPASS") for status in among):
        raise Failed("the code changes what tests report: a test that fails, among the others, was not reported as failed")
    return statuses, {path: {int(line): hits for line, hits in lines.items()} for path, lines in answer["counts"].items()}


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
    """What the runner printed under its word: the last such line, and only one."""
    lines = [line for line in ran["stdout"].splitlines() if line.startswith(word)]
    if len(lines) != 1:
        last = (ran["stderr"].strip().splitlines() or ["nothing was said"])[-1]
        raise Failed(f"the tests ended without a report (exit code {ran['exitCode']}): {last}")
    unpacked = zlib.decompressobj().decompress(base64.b64decode(lines[0].split()[1]), MOST_BYTES)
    return json.loads(unpacked)


def by_recorded_name(statuses):
    """Statuses by the names that the owners' records may have. Of tests that share a name, the worst counts."""
    found = {}
    for name, status in statuses.items():
        for key in recorded_names(name):
            found[key] = status if key not in found else worse(found[key], status)
    return found


def recorded_names(name):
    cut = name.split()[0] if name.split() else name
    return {name, cut, short_option(cut)}


def short_option(name):
    main, bracket, option = name.partition("[")
    if not bracket or not option.startswith("/") or option.startswith("//") or "*" in option:
        return name
    return f"{main}[/{option.split('/')[-1]}"


def worse(one, other):
    order = ["ERROR", "FAILED", "XPASS", "SKIPPED", "XFAIL", "PASSED"]
    return min(one, other, key=order.index)


def status_of(name, statuses):
    """Of a name that is cut within its parameters, the status of the tests that it may mean, if they agree."""
    if name in statuses:
        return statuses[name]
    if name.count("[") > name.count("]"):
        meant = [status for other, status in statuses.items() if other.startswith(name)]
        if meant and len({status in PASSED for status in meant}) == 1:
            return meant[0]
    return "missing"


def passes(name, statuses):
    return status_of(name, statuses) in PASSED


def holds(name, statuses):
    """A test that passed before: to be skipped is no regression."""
    return status_of(name, statuses) in (*PASSED, "SKIPPED")
