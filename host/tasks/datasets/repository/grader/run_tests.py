"""Runs test files with pytest in the sandbox of the code, and prints the status of each test under a secret word.

The word and what is to be run come on the standard input, before any of the agent's code is read. What the code prints
goes to the standard error. All that is needed is imported before the tree is on the path, so that no file of it can take
the place of a module of Python's or pytest's; pytest's plugins are those of the image. A status is kept as soon as it is
known, by functions that were taken before.
"""

import importlib.metadata
import json
import os
import sys
import threading
import zlib
from binascii import b2a_base64
from json.encoder import encode_basestring_ascii as quoted

import pytest

FOLDERS = ("", "src", "lib")
NO_AUTOLOAD = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"


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


def image_plugins():
    """
    Plugins of pytest's that are installed in the image, as modules: by itself, pytest would also look for them in the tree.
    """
    os.environ[NO_AUTOLOAD] = "1"
    return [found.load() for found in importlib.metadata.entry_points(group="pytest11")]


def reporter(keep):
    """A pytest plugin that keeps the status of each phase of a test that has one."""

    class Reporter:
        def pytest_configure(self):
            # Not for those that tests start.
            del os.environ[NO_AUTOLOAD]

        @pytest.hookimpl(trylast=True)
        def pytest_runtest_logreport(self, report):
            status = outcome(report)
            if status is not None:
                keep(f"[{quoted(report.nodeid)},{quoted(status)}],".encode())

    return Reporter()


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
    packer = zlib.compressobj()
    packed = [packer.compress(b'{"statuses":[')]
    compress, kept, encode, write = packer.compress, packed.append, json.JSONEncoder().encode, os.write
    plugins = [*image_plugins(), reporter(lambda line: kept(compress(line)))]
    sys.path[:0] = [os.path.join(root, folder) for folder in FOLDERS if os.path.isdir(os.path.join(root, folder))]
    trace, counts = counter(root, asked["traced"])
    if counts:
        threading.settrace(trace)
        sys.settrace(trace)
    # A file that can't be imported must not keep the others, the control tests among them, from being run.
    options = ["-p", "no:cacheprovider", "--tb=short", "--continue-on-collection-errors"]
    pytest.main([*options, *asked["files"]], plugins=plugins)
    sys.settrace(None)
    kept(compress(f'null],"counts":{encode(counts)}}}'.encode()) + packer.flush())
    line = b"\n" + asked["word"].encode() + b" " + b2a_base64(b"".join(packed))
    while line:
        line = line[write(answers, line) :]


if __name__ == "__main__":
    main()
