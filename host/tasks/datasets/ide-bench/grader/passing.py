"""Whether a run passes, and whether the reference solution does here."""

import shutil
import subprocess

from names import bare, expected
from pwp_checks import Failed, given
from run import run
from statuses import GOOD
from tree import put_back

REFERENCE = "/reference"
TREE = "/tests/tree"


def passing(ran, record):
    if ran.timed_out:
        raise Failed(f"run_tests.sh took longer than {record['seconds']} s")
    bad = [f"{one.name} {one.status}" for one in ran.results if one.status not in GOOD]
    if bad:
        raise Failed(f"by {ran.read}: {', '.join(bad[:20])}")
    if ran.exit_code != 0:
        raise Failed(f"exit code {ran.exit_code}; it ends with {ran.output.strip()[-500:]!r}")
    wanted = expected(given(f"tree/{record['test_file']}"), record["runner"])
    own = [one for one in ran.results if bare(one.name, record["runner"]) in wanted]
    missing = sorted(wanted - {bare(one.name, record["runner"]) for one in own})
    if missing or not ran.results:
        raise Failed(f"by {ran.read}, not reported: {', '.join(missing[:20]) or 'any test'}")
    if own and all(one.status == "SKIPPED" for one in own):
        raise Failed(f"by {ran.read}, all of the task's own tests are skipped")
    return f"by {ran.read}, {len(ran.results)} tests are well"


def reference_fails(record):
    """Why the reference solution does not pass here, or None."""
    shutil.rmtree(REFERENCE, ignore_errors=True)
    subprocess.run(["cp", "-a", "/tests/base", REFERENCE], check=True)
    put_back(REFERENCE, TREE, record["replaced"], record["kept"], record["own"])
    apply = ["git", "apply", "--ignore-whitespace", "--whitespace=nowarn", "/tests/gold.diff"]
    applied = subprocess.run(apply, cwd=REFERENCE, capture_output=True, text=True)
    if applied.returncode != 0:
        return applied.stderr
    try:
        passing(run(REFERENCE, record["task"], record["runner"], record["seconds"]), record)
    except Failed as failed:
        return str(failed)
    return None
