"""Whether a run passes, and whether the reference solution does here."""

import os
import shutil

from names import bare, expected
from pwp_checks import Failed, given
from run import REFERENCE, run
from statuses import GOOD

PLACE = "/reference"
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
    """Why the reference solution does not pass in the image, or None."""
    shutil.rmtree(PLACE, ignore_errors=True)
    shutil.copytree("/tests/reference", PLACE, symlinks=True)
    os.makedirs(f"{PLACE}/added", exist_ok=True)
    shutil.copytree(TREE, f"{PLACE}/tree", symlinks=True)
    ran = run(record, [PLACE], REFERENCE)
    if ran.exit_code == 98:
        return f"the reference can't be applied: {ran.output.strip()[-500:]}"
    try:
        passing(ran, record)
    except Failed as failed:
        return str(failed)
    return None
