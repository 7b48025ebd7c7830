"""Grades a task of IDE-Bench: the code base's own `run_tests.sh` must succeed, each of the task's tests must be reported
by the runner, and an added test that can't pass must be reported as failed."""

import json
import os
import sys

sys.path[:0] = ["/opt/pwp/grade", "/tests"]
from names import bare, with_failing
from pwp_checks import Failed, check, given, say, unavailable
from passing import passing, reference_fails
from run import of_image, run
from statuses import GOOD
from tree import assert_bounded, put_back

TREE = "/tests/tree"
FOLDER = "/logs/verifier"
MOST_CHECKS = 900


def grade(record):
    """Checks, in their order; each raises `Failed` or answers."""
    state, root = {}, record["root"]

    def assemble():
        assert_bounded(root)
        own, configuring = of_image(root)
        put_back(root, TREE, record["replaced"], [*record["kept"], *configuring], own)
        return "the benchmark's tests are in place"

    def tests_pass():
        ran = state["run"] = run(record, [root])
        return passing(ran, record)

    def report_is_true():
        return failing_shows(record)

    checks = [check("workspace", assemble)]
    if checks[0]["passed"]:
        checks.append(check("run_tests.sh", tests_pass))
    if checks[-1]["passed"] and "run" in state:
        checks.append(check("a test that can't pass is reported as failed", report_is_true))
    return checks, state.get("run")


def failing_shows(record):
    """The same run once more, with a test among the task's that fails regardless of the code."""
    path = os.path.join(record["root"], record["test_file"])
    name, text = with_failing(given(f"tree/{record['test_file']}"), record["runner"])
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    ran = run(record, [record["root"]])
    statuses = {one.status for one in ran.results if bare(one.name, record["runner"]) == name}
    if not statuses or not statuses <= {"FAILED", "ERROR"}:
        raise Failed(f"{name} is reported as {', '.join(statuses) or 'nothing'}: something pretends that tests pass")
    if ran.exit_code == 0:
        raise Failed(f"run_tests.sh succeeds although {name} fails")
    return "it is"


def each_test(ran):
    """One check for each test, for test pass rates. They don't count beside the checks above. A skipped one says nothing."""
    results = ran.results if ran else []
    return [
        {
            "name": f"test {'::'.join(str(part) for part in one[:3] if part)}"[:250],
            "passed": None if one.status == "SKIPPED" else one.status in GOOD,
            "why": one.status,
        }
        for one in results[:MOST_CHECKS]
    ]


def main():
    record = json.loads(given("record.json"))
    checks, ran = grade(record)
    passed = all(one["passed"] for one in checks)
    if not passed:
        why = reference_fails(record)
        if why is not None:
            unavailable(f"in this image, the reference fails as well: {why}")
    os.makedirs(FOLDER, exist_ok=True)
    with open(f"{FOLDER}/checks.json", "w", encoding="utf-8") as file:
        json.dump([*checks, *each_test(ran)], file)
    for one in checks:
        say(f"{'pass' if one['passed'] else 'FAIL'} {one['name']}: {one['why']}")
    with open(f"{FOLDER}/reward.txt", "w", encoding="utf-8") as file:
        file.write("1\n" if passed else "0\n")


main()
