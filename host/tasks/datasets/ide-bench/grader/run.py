"""Runs a code base's `run_tests.sh` in a sandbox of its own, in its image, and reads from outside what its runner reports."""

import secrets
from collections import namedtuple

from pwp_checks import run_code
from statuses import of_jest, of_junit, of_text

# `read` says what the statuses are read from.
Run = namedtuple("Run", "exit_code results read output timed_out")

# Our bash: an image may have none.
SHELL = ["/.pwp/usr/lib/pwp/bin/bash", "--noprofile", "--norc", "-c"]

SCRIPT = """
set -u
mkdir -p "$OUT"
cd "$ROOT" || exit 97
chmod +x run_tests.sh
./run_tests.sh "$1"
status=$?
find -L "$ROOT" -maxdepth 8 \\( -path '*/surefire-reports/TEST-*.xml' -o -path '*/test-results/*/TEST-*.xml' \\) \\
  -not -path '*/node_modules/*' -exec cat {} + > "$OUT/junit-java.xml" 2>/dev/null
exit $status
"""
# The reference, in the code base as the image has it. 98 says that the reference can't be applied.
REFERENCE = """
cp -a /reference/added/. "$ROOT/" && cd "$ROOT" && "$BASH" -e /reference/solve.sh && cp -a /reference/tree/. "$ROOT/" || exit 98
"""

# Names at the top of the code base in the image, and paths of files that configure runners.
LIST = """
cd "$ROOT" && ls -A && echo // &&
  find . -name node_modules -prune -o -name conftest.py -print -o -name '*.ini' -print -o -name '*.pth' -print \\
    -o -name '*customize.py' -print -o -name 'jest.config.*' -print
"""

# Jest has no variable for its options.
JEST_HOOK = """
const path = process.argv[1] || '';
if (/[/\\\\](?:\\.bin[/\\\\]jest|jest(?:-cli)?[/\\\\]bin[/\\\\]jest(?:\\.js)?)$/.test(path))
  process.argv.push('--json', `--outputFile=${process.env.OUT}/jest.json`, '--verbose');
"""


def run(record, folders, before=""):
    """
    As the owners run it: in their image, with its variables.
    @param folders what is copied into the sandbox
    @param before lines of bash, run before
    """
    out, runner, root = f"/out-{secrets.token_hex(8)}", record["runner"], record["root"]
    reports = {"pytest": f"{out}/junit.xml", "jest": f"{out}/jest.json", "maven": f"{out}/junit-java.xml"}
    ran = run_code(
        {"jest-hook.cjs": JEST_HOOK},
        [*SHELL, before + SCRIPT, "run", record["task"]],
        "",
        record["seconds"],
        folders=folders,
        results=[reports[runner]],
        cwd="/tmp",
        memory_mb=4096,
        in_image=True,
        env={
            "OUT": out,
            "ROOT": root,
            "CI": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_ADDOPTS": f"-p no:cacheprovider -o junit_family=xunit1 --junitxml={out}/junit.xml",
            **({"NODE_OPTIONS": "--require /code/jest-hook.cjs"} if runner == "jest" else {}),
        },
    )
    output = ran["stdout"] + "\n" + ran["stderr"]
    results, read = results_of(ran["results"].get(reports[runner]), output, runner)
    return Run(ran["exitCode"], results, read, output, ran["timedOut"])


def of_image(root):
    """What the image has itself: names at the top of the code base, and paths of files that configure runners."""
    ran = run_code({}, [*SHELL, LIST], "", 120, cwd="/tmp", in_image=True, env={"ROOT": root})
    top, _, found = ran["stdout"].partition("//\n")
    return top.splitlines(), [path.removeprefix("./") for path in found.splitlines()]


def results_of(report, output, runner):
    if report:
        try:
            found = of_jest(report) if runner == "jest" else of_junit(report)
            if found:
                return found, "Jest's JSON" if runner == "jest" else "JUnit XML"
        except ValueError:
            pass
    return of_text(output, runner), "the runner's text"
