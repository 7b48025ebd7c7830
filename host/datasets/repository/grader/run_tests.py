"""Runs test files with pytest in the sandbox of the code, and prints the status of each test under a secret word.

The word and what is to be run come on the standard input, before any of the agent's code is read. What the code prints
goes to the standard error. All that is needed is imported before the tree is on the path, so that no file of it can take
the place of a module of Python's or pytest's.
"""

import base64
import json
import os
import sys
import threading
import zlib

import pytest

FOLDERS = ("", "src", "lib")


def outcome(report):
    """The status of one phase of a test, or None where it does not say one."""
    expected = hasattr(report, "wasxfail")
    if report.failed:
        return "FAILED" if report.when == "call" else "ERROR"
    if report.skipped:
        return "XFAIL" if expected else "SKIPPED"
    if report.when != "call":
        return None
    return "XPASS" if expected else "PASSED"


def reporter():
    """A pytest plugin that keeps the status of each test, and what it kept."""
    statuses = {}

    class Reporter:
        @pytest.hookimpl(trylast=True)
        def pytest_runtest_logreport(self, report):
            status = outcome(report)
            if status is not None and statuses.get(report.nodeid) not in ("FAILED", "ERROR"):
                statuses[report.nodeid] = status

    return Reporter(), statuses


def counter(root, paths):
    """A trace function that counts how often each line of these files runs, and what it counted."""
    counts = {path: {} for path in paths}
    by_file = {os.path.join(root, path): counts[path] for path in paths}

    def lines(frame, event, _):
        if event == "line":
            found = by_file[frame.f_code.co_filename]
            found[frame.f_lineno] = found.get(frame.f_lineno, 0) + 1
        return lines

    def calls(frame, _event, _):
        return lines if frame.f_code.co_filename in by_file else None

    return calls, counts


def main():
    asked = json.loads(sys.stdin.read())
    answers = os.dup(1)
    os.dup2(2, 1)
    root = os.getcwd()
    sys.path[:0] = [os.path.join(root, folder) for folder in FOLDERS if os.path.isdir(os.path.join(root, folder))]
    plugin, statuses = reporter()
    trace, counts = counter(root, asked["traced"])
    if counts:
        threading.settrace(trace)
        sys.settrace(trace)
    # A file that can't be imported must not keep the others, the control tests among them, from being run.
    options = ["-p", "no:cacheprovider", "--tb=short", "--continue-on-collection-errors"]
    pytest.main([*options, *asked["files"]], plugins=[plugin])
    sys.settrace(None)
    found = {"statuses": statuses, "counts": counts}
    packed = base64.b64encode(zlib.compress(json.dumps(found).encode())).decode()
    os.write(answers, f"\n{asked['word']} {packed}\n".encode())


if __name__ == "__main__":
    main()
