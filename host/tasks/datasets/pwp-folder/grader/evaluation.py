"""Calls the evaluation script of a folder of PwP's."""

import ast
import importlib.util
import sys

from pwp_checks import unavailable


def evaluate(row, container):
    """The official result: of a named function with its arguments, else of `eval` with the record."""
    spec = importlib.util.spec_from_file_location("evaluation", "/tests/setup_files/eval.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.append("/usr/lib/python3/dist-packages")
    try:
        spec.loader.exec_module(module)
    except ImportError as error:
        unavailable(f"the evaluation script can't be run here: {error}")
    name = row.get("eval_script")
    run = getattr(module, name if name else "eval")
    arguments = ast.literal_eval(row["eval_arguments"]) if name and row.get("eval_arguments") else [] if name else [row]
    return run(container, *arguments)
