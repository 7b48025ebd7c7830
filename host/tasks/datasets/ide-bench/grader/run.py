"""Runs a code base's `run_tests.sh` in a sandbox of its own, and reads from outside what its runner reports."""

import secrets
from collections import namedtuple

from pwp_checks import run_code
from statuses import of_jest, of_junit, of_text

# `read` says what the statuses are read from.
Run = namedtuple("Run", "exit_code results read output timed_out")

# The code base is at /app, as tests expect it, and where the agent had it.
SCRIPT = """
set -u
ln -sfn "$ROOT" /app || exit 97
mkdir -p "$OUT"
cd /app || exit 97
chmod +x run_tests.sh
./run_tests.sh "$1"
status=$?
find -L "$ROOT" -maxdepth 8 \\( -path '*/surefire-reports/TEST-*.xml' -o -path '*/test-results/*/TEST-*.xml' \\) \\
  -not -path '*/node_modules/*' -exec cat {} + > "$OUT/junit-java.xml" 2>/dev/null
exit $status
"""

# Jest has no variable for its options.
JEST_HOOK = """
const path = process.argv[1] || '';
if (/[/\\\\](?:\\.bin[/\\\\]jest|jest(?:-cli)?[/\\\\]bin[/\\\\]jest(?:\\.js)?)$/.test(path))
  process.argv.push('--json', `--outputFile=${process.env.OUT}/jest.json`, '--verbose');
"""


def run(root, task, runner, seconds):
    """@param root folder of the code base"""
    out = f"/out-{secrets.token_hex(8)}"
    reports = {"pytest": f"{out}/junit.xml", "jest": f"{out}/jest.json", "maven": f"{out}/junit-java.xml"}
    ran = run_code(
        {"jest-hook.cjs": JEST_HOOK},
        ["/bin/bash", "--noprofile", "--norc", "-c", SCRIPT, "run", task],
        "",
        seconds,
        folders=[root],
        results=[reports[runner]],
        cwd=root,
        memory_mb=4096,
        env={
            "OUT": out,
            "ROOT": root,
            "HOME": "/tmp",
            "CI": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONNOUSERSITE": "1",
            "PYTEST_ADDOPTS": f"-p no:cacheprovider -o junit_family=xunit1 --junitxml={out}/junit.xml",
            **({"NODE_OPTIONS": "--require /code/jest-hook.cjs"} if runner == "jest" else {}),
        },
    )
    output = ran["stdout"] + "\n" + ran["stderr"]
    results, read = results_of(ran["results"].get(reports[runner]), output, runner)
    return Run(ran["exitCode"], results, read, output, ran["timedOut"])


def results_of(report, output, runner):
    if report:
        try:
            found = of_jest(report) if runner == "jest" else of_junit(report)
            if found:
                return found, "Jest's JSON" if runner == "jest" else "JUnit XML"
        except ValueError:
            pass
    return of_text(output, runner), "the runner's text"
