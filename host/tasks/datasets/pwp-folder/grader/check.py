"""Grades by the evaluation script of a folder of PwP's. It runs here; each command that it runs in its container runs in a
sandbox of its own, on a copy of what the agent left."""

import json
import os
import sys

sys.path[:0] = ["/opt/pwp/grade", "/tests"]
from container import Container, stub_docker
from evaluation import evaluate
from pwp_checks import report, run_code, unavailable

LINK = "mkdir -p /home/devuser && ln -sfn /workspace /home/devuser/evaluation && cd {} && {}"


def execute(command, workdir):
    folder = workdir if workdir.startswith("/") else f"/home/devuser/evaluation/{workdir}"
    script = LINK.format(folder, "eval \"$1\"")
    argv = ["/bin/bash", "--noprofile", "--norc", "-c", script, "run", command]
    ran = run_code({}, argv, "", 60, folders=["/workspace"], cwd="/workspace", memory_mb=4096)
    return ran["stdout"] + ran["stderr"], 124 if ran["timedOut"] else 1 if ran["exitCode"] is None else ran["exitCode"]


def desktop(command):
    unavailable(f"`{command}` needs a desktop, which is not there where tests run")


def main():
    stub_docker()
    with open("/tests/row.json", encoding="utf-8") as file:
        row = json.load(file)
    os.chdir("/tests/setup_files")
    try:
        result = evaluate(row, Container(execute, desktop))
    except NotImplementedError as error:
        unavailable(error)
    except Exception as error:  # An error of the script on an unexpected answer is not a pass.
        result, why = 0, f"the evaluation script fails: {type(error).__name__}: {error}"
    else:
        why = f"it answers {result!r}"
    score = float(result) if isinstance(result, (bool, int, float)) else 0.0
    score = score if 0 <= score <= 1 else 0.0
    report([{"name": row.get("eval_script") or "eval", "passed": score == 1, "why": why[:2000]}], reward=score)


main()
