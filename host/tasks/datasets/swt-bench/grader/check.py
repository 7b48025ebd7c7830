"""Grades one record of SWT-Bench: tests that the agent wrote are run without and with the owners' fix."""

import json
import os
import secrets
import sys

sys.path[:0] = ["/opt/pwp/grade", "/tests"]

from metrics import applicable, coverage_delta, fail_to_pass, fails_before, pass_to_pass, success, transitions
from pwp_checks import Failed, check, fail, given, not_measured, report, unavailable
from test_runs import Run, run_of, shown_reasons
from trees import BASE, CODE, TooMany, changes, is_runner_file, lay_out, overlay, put, remove

RUN_SECONDS = 600
LEFT = "/workspace"


def lay_out_base(record, with_fix):
    """The base, with the fix or without it. The files that the fix changes get a last comment in both: a test can take
    neither the comment nor that bytes have changed for the fix. One that knows the text of the base can."""
    lay_out(BASE)
    if with_fix:
        overlay("/tests/with-gold", record["gold_removed"])
    for path in record["gold_paths"]:
        if path.endswith(".py") and os.path.isfile(os.path.join(CODE, path)):
            with open(os.path.join(CODE, path), "a", encoding="utf-8") as file:
                file.write(f"\n# {secrets.token_hex(8)}\n")


def lay_left(changed):
    for path in changed:
        file = os.path.join(LEFT, path)
        if os.path.lexists(file):
            put(file, CODE, path)
        else:
            remove(CODE, path)


def test_files(record, changed):
    """The owners' test files and those that the agent changed, as far as they are in the tree."""
    names = set(record["test_files"]) | {path for path in changed if is_test_file(path)}
    return sorted(path for path in names if os.path.isfile(os.path.join(CODE, path)))


def is_test_file(path):
    name = os.path.basename(path)
    return name.endswith(".py") and (name.startswith("test") or name.endswith("_test.py")) and not is_runner_file(path)


def both_runs(record, lay_tests, changed=()):
    """The results of the tests, without and with the fix."""
    found = []
    for with_fix in (False, True):
        lay_out_base(record, with_fix)
        lay_tests()
        files = test_files(record, changed)
        found.append(run_of(files, RUN_SECONDS, record["traced"]) if files else Run({}, {}, {}))
    return found


def metrics_of(record, left, base, gold):
    runs = {name: [run.counts for run in one] for name, one in (("left", left), ("base", base), ("gold", gold))}
    tests, before = tests_of(left), tests_of(base)
    lines = [[tuple(line) for line in record[name]] for name in ("removed_lines", "added_lines")]
    return {
        "applicability": applicable(tests, before),
        "success": success(tests, before),
        "fail-to-any": fails_before(tests, before),
        "fail-to-pass": fail_to_pass(tests, before),
        "pass-to-pass": pass_to_pass(tests, before),
        "coverage-delta": coverage_delta(*lines, runs),
    }


def tests_of(runs):
    return transitions(runs[0].statuses, runs[1].statuses)


def shown(name, value):
    """A metric as a check: passed where it is more than nothing."""
    if value is None:
        return not_measured(name, "unavailable: the fix has no line that is run")
    return check(name, lambda: f"{float(value):.3g}" if value else fail("0"))


def end_unless_gold_succeeds(base, gold):
    if not success(tests_of(gold), tests_of(base)):
        reasons = shown_reasons(gold[1].reasons)
        unavailable(f"this image can't run the tests: the owners' own do not succeed in it{reasons}")


def own_runs(record):
    """Runs of the existing tests, and of the owners' tests."""
    try:
        base = both_runs(record, lambda: None)
        return base, both_runs(record, lambda: overlay("/tests/with-tests", record["tests_removed"]))
    except Failed as failed:
        unavailable(f"this image can't run the tests: with the owners' own: {failed}")


def without_tests(record, why):
    """A score of 0 means something only where the owners' tests succeed in this image."""
    end_unless_gold_succeeds(*own_runs(record))
    report([check("tests", lambda: fail(why))])


def grade_left(record, changed):
    base, gold = own_runs(record)
    try:
        left = both_runs(record, lambda: lay_left(changed), changed)
    except Failed as failed:
        end_unless_gold_succeeds(base, gold)
        reason = str(failed)
        report([check("applicability", lambda: fail(reason))])
        return
    values = metrics_of(record, left, base, gold)
    if not values["success"]:
        end_unless_gold_succeeds(base, gold)
    known = [float(value) for value in values.values() if value is not None]
    # As PwP-Bench scores this family; the owners' own score is the success.
    report([shown(name, value) for name, value in values.items()], reward=sum(known) / len(known))


def main():
    record = json.loads(given("record.json"))
    if record["unavailable"]:
        unavailable(record["unavailable"])
    try:
        changed = changes(LEFT) - set(record["gold_paths"])
    except TooMany as error:
        without_tests(record, str(error))
        return
    if not changed:
        without_tests(record, "no test was written")
        return
    grade_left(record, changed)


main()
