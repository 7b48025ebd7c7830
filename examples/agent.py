#!/usr/bin/env python3
"""An agent of your own, in any language: it reads a line of JSON, and answers with one.

    pwp run -t tasks/vscode/autosave-500 -a 'exec:examples/agent.py'

It solves that task with two calls of a tool, and says in its own words what it saw. Standard output is for answers alone:
what it prints for people goes to standard error.
"""

import json
import sys

PLAN = [("files.autoSave", "afterDelay"), ("files.autoSaveDelay", 500)]


def answer(told, said):
    print(json.dumps({"id": told["id"], **said}), flush=True)


def decide(seen):
    """The next actions, by what is on the screen and what came of the actions before."""
    for outcome in seen["outcomes"]:
        print(f"{outcome['effect']}: {outcome['evidence']}", file=sys.stderr)
    if not PLAN:
        return {"done": True, "message": "Both settings are written."}
    key, value = PLAN.pop(0)
    call = {"tool": "set_setting", "arguments": {"key": key, "value": value}}
    return {"actions": [call], "message": f"I see {len(seen['marks'])} marks, and set {key}."}


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "start":
        answer(told, {"protocol": 1, "picture": "path"})
    elif told["type"] == "observation":
        answer(told, decide(told))
    else:
        sys.exit(told["message"])
