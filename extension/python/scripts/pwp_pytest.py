"""A pytest plugin that tells what is found and what becomes of it: one JSON object a line, to $PWP_PYTEST_REPORT.

That is the number of an open file descriptor, or the path of a file. Lines count from 1.

    {"kind": "item", "id": "test_a.py::TestA::test_b[1]", "path": "/workspace/test_a.py", "line": 7}
    {"kind": "broken", "id": "test_c.py", "message": "ModuleNotFoundError: ..."}
    {"kind": "started", "id": "..."}
    {"kind": "ended", "id": "...", "outcome": "failed", "seconds": 0.1, "message": "...", "path": "...", "line": 9}
"""

import json
import os

MOST_MESSAGE = 20_000
where = os.environ.pop("PWP_PYTEST_REPORT")
report_file = open(int(where) if where.isdigit() else where, "w", encoding="utf-8")
outcomes = {}


def tell(**fields):
    report_file.write(json.dumps(fields) + "\n")
    report_file.flush()


def pytest_collection_finish(session):
    for item in session.items:
        path, line, _name = item.reportinfo()
        tell(kind="item", id=item.nodeid, path=str(path), line=(line or 0) + 1)


def pytest_collectreport(report):
    if report.failed:
        tell(kind="broken", id=report.nodeid, message=str(report.longrepr)[:MOST_MESSAGE])


def pytest_runtest_logstart(nodeid, location):
    tell(kind="started", id=nodeid)


def place_of(report):
    """Where the test's own file was last on the way to what went wrong, else where it went wrong."""
    own = os.path.abspath(report.location[0])
    entries = getattr(getattr(report.longrepr, "reprtraceback", None), "reprentries", [])
    places = [entry.reprfileloc for entry in entries if getattr(entry, "reprfileloc", None)]
    for place in reversed(places):
        if os.path.abspath(place.path) == own:
            return {"path": own, "line": place.lineno}
    crash = getattr(report.longrepr, "reprcrash", None)
    return {"path": os.path.abspath(crash.path), "line": crash.lineno} if crash else {}


def outcome_of(report):
    if report.skipped:
        return "skipped"
    if report.passed:
        return "passed"
    return "failed" if report.when == "call" else "errored"


def pytest_runtest_logreport(report):
    seen = outcomes.setdefault(report.nodeid, {"outcome": "passed", "seconds": 0, "message": ""})
    seen["seconds"] += report.duration
    outcome = outcome_of(report)
    if outcome != "passed" and seen["outcome"] not in ("failed", "errored"):
        seen["outcome"] = outcome
        if outcome != "skipped":
            seen["message"] = report.longreprtext[:MOST_MESSAGE]
            seen.update(place_of(report))
    if report.when == "teardown":
        tell(kind="ended", id=report.nodeid, **outcomes.pop(report.nodeid))
