"""Takes the place of Python's sitecustomize while a task's tests run, below a line `OWN = {…}`.

`python3 -m pytest`, `python3 -c "import json"` and a program on the standard input look for modules in the current folder
first, so the agent could leave a json.py there. Here they look there last, except for modules that the task itself names or
brings. A script finds the modules beside it first, as always.
"""

import importlib.machinery
import os
import sys


class OwnModules:
    """Modules of the task's own, which may have the name of another: from the current folder before all."""

    @staticmethod
    def find_spec(name, path=None, _target=None):
        if path is not None or name not in OWN:  # noqa: F821
            return None
        found = importlib.machinery.PathFinder.find_spec(name, [os.getcwd()])
        # A folder without an __init__.py comes after modules of that name elsewhere.
        return found if found is not None and found.origin is not None else None


def extend_search():
    program = sys.argv[0] if sys.argv else ""
    if program in ("", "-", "-c", "-m"):
        sys.path.append(os.getcwd())
        sys.meta_path.insert(0, OwnModules)
    elif not os.path.isdir(program):
        sys.path.insert(0, os.path.dirname(os.path.realpath(program)))


if sys.flags.safe_path and not sys.flags.isolated and os.environ.get("PYTHONSAFEPATH"):
    try:
        extend_search()
    except OSError:
        # The current folder is gone: Python does without it as well.
        pass
