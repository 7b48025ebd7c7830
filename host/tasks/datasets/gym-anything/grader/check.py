"""Grades a task of Gym-Anything: its export runs in a sandbox of its own, on a copy of what the agent left and of the files
that only the export may have; its verifier judges the exported files in another one."""

import json
import math
import os
import shutil
import sys

sys.path[:0] = ["/opt/pwp/grade", "/tests"]
from pwp_checks import report, run_code, unavailable

# Ours: an image may have none.
PYTHON = "/.pwp/usr/lib/pwp/bin/python3"
EXPORT, JUDGE = "/gym", "/judge"
PROGRAMS = ("machine.py", "stand_in.py", "export.py", "plan.json", "state.json")
RESULTS, VERDICT = f"{EXPORT}/results.tar", f"{JUDGE}/verdict.json"
MEMORY_MB = 4096


def laid_out(folder, names):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in names:
        shutil.copyfile(f"/tests/{name}", f"{folder}/{name}")


def exported(plan):
    """The exported files, as an archive; and the end of what the export says, which is not believed."""
    laid_out(EXPORT, PROGRAMS)
    shutil.copytree("/tests/owners", f"{EXPORT}/owners", symlinks=True)
    for secret in plan["for_verifier"]:
        if os.path.lexists(f"{EXPORT}/owners/{secret}"):
            os.unlink(f"{EXPORT}/owners/{secret}")
    os.makedirs("/home", exist_ok=True)
    ran = run_code(
        {},
        [PYTHON, "-I", "-S", f"{EXPORT}/export.py"],
        "",
        plan["seconds"] + 60,
        # Folders that it changes are copied too.
        folders=["/workspace", "/root", "/ide", "/home", EXPORT],
        results=[RESULTS],
        cwd=EXPORT,
        memory_mb=MEMORY_MB,
        in_image=plan["in_image"],
    )
    shutil.rmtree(EXPORT)
    return ran["results"].get(RESULTS), (ran["stdout"] + ran["stderr"])[-3000:]


def judged(archive):
    laid_out(JUDGE, ("judge.py", "plan.json"))
    shutil.copytree("/tests/owners", f"{JUDGE}/owners", symlinks=True)
    shutil.copyfile("/tests/task.json", f"{JUDGE}/task.json")
    with open(f"{JUDGE}/results.tar", "wb") as file:
        file.write(archive)
    argv = ["/usr/bin/python3", "-I", "-S", f"{JUDGE}/judge.py"]
    ran = run_code({}, argv, "", 300, folders=[JUDGE], results=[VERDICT], cwd=JUDGE, memory_mb=MEMORY_MB)
    shutil.rmtree(JUDGE)
    print((ran["stdout"] + ran["stderr"])[-3000:])
    found = ran["results"].get(VERDICT)
    return {"failed": "the verifier ends without a verdict"} if found is None else json.loads(found)


def scored(verdict, threshold):
    """The checks, and the score from 0 to 1."""
    passed = verdict.get("passed") is True
    try:
        score = float(verdict.get("score", 100 if passed else 0))
    except (TypeError, ValueError):
        score = math.nan
    if not math.isfinite(score):
        score = 100.0 if passed else 0.0
    score = min(max(score, 0.0), 100.0)
    feedback = verdict.get("feedback") or verdict.get("error") or "the verifier gives no reason"
    said = feedback if isinstance(feedback, str) else json.dumps(feedback, default=str)
    checks = [{"name": "passed", "passed": passed, "why": f"{score:g} of 100: {said}"[:2000]}]
    if threshold is not None:
        why = f"{score:g} of 100, where {threshold:g} are needed"
        checks.append({"name": "pass_threshold", "passed": score >= threshold, "why": why})
    return checks, score / 100


def main():
    with open("/tests/plan.json", encoding="utf-8") as file:
        plan = json.load(file)
    archive, said = exported(plan)
    print(said)
    verdict = {"failed": "the export ends without files"} if archive is None else judged(archive)
    if "unavailable" in verdict:
        unavailable(verdict["unavailable"])
    if "failed" in verdict:
        # Whose fault it is shows the untouched project: the host grades that as well.
        sys.exit(str(verdict["failed"]))
    checks, reward = scored(verdict, plan["threshold"])
    report(checks, reward=reward)


if __name__ == "__main__":
    main()
