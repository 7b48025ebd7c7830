"""Runs a record's test script in the sandbox of the code, from the root of the tree.

It counts only if the script itself reaches the line with which it ends successfully: an exit that the code makes, or one
that it puts in the place of sys.exit, is another frame's. Then a secret word is printed, which came on the standard
input and is in no place that the script's own code is given.
"""

import json
import os
import sys


def main():
    asked = json.loads(sys.stdin.read())
    answers = os.dup(1)
    os.dup2(2, 1)
    path = os.path.join(os.getcwd(), asked["name"])
    good = frozenset(asked["good_lines"])
    code = compile(asked["script"], path, "exec")
    sys.path.insert(0, os.getcwd())
    sys.argv = [path]
    if ended_well(code, path, good, asked["has_good_end"]):
        os.write(answers, f"\n{asked['word']}\n".encode())
        os._exit(0)
    os._exit(1)


def ended_well(code, path, good, has_good_end):
    """A script without lines that end it successfully has succeeded when it reaches its end."""
    try:
        exec(code, {"__name__": "__main__", "__file__": path, "__builtins__": __builtins__})
    except SystemExit as end:
        frame = end.__traceback__
        while frame.tb_next is not None:
            frame = frame.tb_next
        own = frame.tb_frame.f_code.co_filename == path and frame.tb_lineno in good
        return own and (end.code is None or end.code is False or end.code == 0 and type(end.code) is int)
    return not has_good_end


if __name__ == "__main__":
    main()
