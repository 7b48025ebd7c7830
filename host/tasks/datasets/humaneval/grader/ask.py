"""Runs beside the agent's code, in a sandbox that has nothing else: calls its function and prints what it answers."""

import json
import os
import resource
import sys

from values import packed, unpacked

# Output of the agent's code is not an answer.
answers = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def call(function, arguments):
    try:
        return {"value": packed(function(*unpacked(arguments[0]), **unpacked(arguments[1])))}
    except BaseException as error:
        return {"raised": type(error).__name__}


asked = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
import solution

function = getattr(solution, asked["entry_point"])
for arguments in asked["calls"]:
    print(json.dumps(call(function, arguments)), file=answers, flush=True)
