"""Grades one record of RES-Q: its test script succeeds in the tree that the agent left."""

import json
import secrets
import sys

sys.path[:0] = ["/opt/pwp/grade", "/tests"]

from pwp_checks import Failed, check, fail, given, report, run_code, unavailable
from trees import BASE, CODE, TooMany, changes, lay_out, overlay, remove

RUN_SECONDS = 600
LEFT = "/workspace"
RUNNER = ".pwp-run/run_script.py"
# With which the owners' scripts end where all went well; their harness looks for the same words.
GOOD_ENDS = ("sys.exit(0)", "sys.exit(exit_code)")


def run_script(record):
    """Runs the script in the tree that is laid out. Raises Failed with the reason."""
    script = given("script.py")
    good = [number for number, line in enumerate(script.splitlines(), 1) if any(end in line for end in GOOD_ENDS)]
    word = secrets.token_hex(24)
    name = f"test_{secrets.token_hex(8)}.py"
    asked = json.dumps({"word": word, "script": script, "name": name, "good_lines": good})
    remove(CODE, ".pwp-run")
    argv = ["/usr/bin/python3", "-I", "-B", RUNNER]
    ran = run_code({RUNNER: given("run_script.py")}, argv, asked, RUN_SECONDS, folders=["/code"])
    if ran["timedOut"]:
        raise Failed(f"the script took longer than {RUN_SECONDS} s")
    if ran["exitCode"] != 0 or word not in ran["stdout"].splitlines():
        last = (ran["stderr"].strip().splitlines() or ["nothing was said"])[-1]
        raise Failed(f"the script did not come to its successful end (exit code {ran['exitCode']}): {last}")
    return "the script came to its successful end"


def end_unless_gold_passes(record):
    lay_out(BASE)
    overlay("/tests/with-gold", record["gold_removed"])
    try:
        run_script(record)
    except Failed as failed:
        needs = ", ".join(record["requirements"]) or "none are named"
        unavailable(f"with the owners' own patch: {failed}; the record asks for these packages: {needs}")


def left_passes(record):
    lay_out(LEFT)
    return run_script(record)


def main():
    record = json.loads(given("record.json"))
    if record["unavailable"]:
        unavailable(record["unavailable"])
    try:
        changed = changes(LEFT)
    except TooMany as error:
        report([check("patch", lambda: fail(str(error)))])
        return
    if not changed:
        report([check("patch", lambda: fail("nothing was changed"))])
        return
    result = check("script", lambda: left_passes(record))
    if not result["passed"]:
        end_unless_gold_passes(record)
    report([result])


main()
