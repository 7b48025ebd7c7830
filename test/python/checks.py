"""Collects what the programs of this folder check, and prints it as JSON in their last line."""

import atexit
import json
import traceback
from contextlib import contextmanager
from typing import Iterator

TASK = "vscode/swap-text-test"
SOLUTION = r"""sed -i 's/text/\x01/g; s/test/text/g; s/\x01/test/g' notes.txt"""
"""Solves it, as a command in the workspace."""

_found: list[dict[str, object]] = []


@contextmanager
def check(name: str) -> Iterator[None]:
    try:
        yield
        _found.append({"name": name, "problem": None})
    except BaseException:
        _found.append({"name": name, "problem": traceback.format_exc()})


def folder_task(tasks: list[str]) -> str:
    """The id of the empty folder that is served beside the tasks."""
    [one] = [task for task in tasks if task.startswith("folder/")]
    return one


atexit.register(lambda: print("\n" + json.dumps(_found), flush=True))
