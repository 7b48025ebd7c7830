"""Grades one record of the SWE-bench family: resolved if every FAIL_TO_PASS and every PASS_TO_PASS test does as it must."""

import json
import sys

sys.path[:0] = ["/opt/pwp/grade", "/tests"]

from pwp_checks import Failed, check, fail, given, report, unavailable
from test_runs import by_recorded_name, holds, passes, run_of, shown_reasons, status_of
from trees import BASE, TooMany, changes, lay_out, overlay, restore_runner_files

RUN_SECONDS = 900
LEFT = "/workspace"


def with_tests(record):
    """Statuses of the record's tests in the tree that is laid out, and why tests failed."""
    overlay("/tests/with-tests", record["tests_removed"])
    run = run_of(record["test_files"], RUN_SECONDS)
    return by_recorded_name(run.statuses), run.reasons


def all_of(names, ran, is_right):
    statuses, reasons = ran
    wrong = [f"{name} {status_of(name, statuses)}" for name in names if not is_right(name, statuses)]
    if wrong:
        raise Failed(f"{len(names) - len(wrong)} of {len(names)}; not: {', '.join(wrong[:10])}{shown_reasons(reasons)}")
    return f"{len(names)} of {len(names)}"


def run_left(record, changed):
    lay_out(LEFT)
    restored = restore_runner_files(changed, record["gold_paths"])
    return with_tests(record), restored


def gold_run(record):
    lay_out(BASE)
    overlay("/tests/with-gold", record["gold_removed"])
    return with_tests(record)


def end_unless_gold_passes(record):
    """A score of 0 means something only where the owners' own patch is resolved in this image."""
    try:
        ran = gold_run(record)
        all_of(record["FAIL_TO_PASS"], ran, passes)
        all_of(record["PASS_TO_PASS"], ran, holds)
    except Failed as failed:
        unavailable(f"this image can't run the tests of {record['name']}: with the owners' own patch: {failed}")


def verdict(record):
    try:
        changed = changes(LEFT)
    except TooMany as error:
        reason = str(error)
        return [check("patch", lambda: fail(reason))]
    if not changed:
        return [check("patch", lambda: fail("nothing was changed"))]
    try:
        ran, restored = run_left(record, changed)
    except Failed as failed:
        reason = str(failed)
        return [check("tests", lambda: fail(reason))]
    also = f"; restored: {', '.join(restored[:20])}" if restored else ""
    return [
        check("patch", lambda: f"{len(changed)} files changed{also}"),
        check("FAIL_TO_PASS", lambda: all_of(record["FAIL_TO_PASS"], ran, passes)),
        check("PASS_TO_PASS", lambda: all_of(record["PASS_TO_PASS"], ran, holds)),
    ]


def main():
    record = json.loads(given("record.json"))
    if record["unavailable"]:
        unavailable(record["unavailable"])
    checks = verdict(record)
    if not all(one["passed"] for one in checks):
        end_unless_gold_passes(record)
    report(checks)


main()
