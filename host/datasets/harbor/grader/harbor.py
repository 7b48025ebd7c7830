"""Runs the tests of a task of Harbor's as they are, each step's after the other, and reports their reward.

They run beside what the agent left, as in Harbor: a test that starts the agent's programs trusts them with the reward.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import sysconfig

sys.path.insert(0, "/tests")
from runner_settings import settle

LOGS = "/logs/verifier"
KEPT = "/var/tmp/harbor-tests"
HOME = "/var/tmp/harbor-home"
# Whatever was left, these tests can't judge it in this image: there is no score.
EX_UNAVAILABLE = 69


def main():
    with open("/tests/harbor.json", encoding="utf-8") as file:
        task = json.load(file)
    absent = [program for program in task["programs"] if shutil.which(program) is None and not os.path.isdir(program)]
    if absent:
        print(f"unavailable: the image has no {', '.join(absent)}; start with --with (docs/languages.md)", file=sys.stderr)
        sys.exit(EX_UNAVAILABLE)
    # A test finds its own files in /tests, and nothing else.
    for folder in (KEPT, HOME):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree("/tests", KEPT, symlinks=True)
    os.makedirs(f"{HOME}/.local/bin", exist_ok=True)
    with open(f"{HOME}/.local/bin/env", "w", encoding="utf-8"):
        pass
    find_own_modules_last(task["own_modules"])
    settled = settle(os.path.realpath(task["workdir"]), set(task["words"]))
    if settled:
        print(f"taken out, since it would change what the tests run: {', '.join(settled[:50])}")
    rewards, checks = [], []
    for at, suite in enumerate(task["suites"]):
        found = run(task, at, suite)
        rewards.append(found.get("reward", 0.0))
        checks.append({"name": suite["name"], "passed": rewards[-1] >= 1, "why": json.dumps(found)})
        if not reaches(found, suite["min_reward"]):
            break
    report(total(rewards, task), checks)


def find_own_modules_last(own_modules):
    """Python's own programs take what follows in the place of sitecustomize, of which they have only one."""
    with open("/tests/module_search.py", encoding="utf-8") as file:
        text = file.read()
    place = os.path.join(sysconfig.get_path("stdlib"), "sitecustomize.py")
    if os.path.lexists(place):
        os.unlink(place)
    with open(place, "w", encoding="utf-8") as file:
        file.write(f"OWN = frozenset({sorted(own_modules)!r})\n{text}")


def run(task, at, suite):
    for folder in ("/tests", LOGS):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder, exist_ok=True)
    shutil.copytree(f"{KEPT}/suites/{at}", "/tests", symlinks=True, dirs_exist_ok=True)
    for folder in ("/logs/agent", "/logs/artifacts"):
        os.makedirs(folder, exist_ok=True)
    cwd = task["workdir"] if os.path.isdir(task["workdir"]) else "/"
    env = {
        **os.environ,
        "HOME": HOME,
        "PATH": f"{KEPT}/substitutes:{os.environ['PATH']}",
        "PYTHONNOUSERSITE": "1",
        "PYTHONSAFEPATH": "1",
        "TEST_DIR": "/tests",
        **task["env"],
        **suite["env"],
    }
    ended = subprocess.run(["/bin/bash", "--noprofile", "--norc", "/tests/test.sh"], cwd=cwd, env=env, check=False)
    print(f"{suite['name']}: exit code {ended.returncode}", flush=True)
    return reward()


def reward():
    """As Harbor reads it: a number, or named numbers of which `reward` or the only one counts."""
    try:
        if os.path.exists(f"{LOGS}/reward.txt"):
            with open(f"{LOGS}/reward.txt", encoding="utf-8") as file:
                found = {"reward": float(file.read())}
        else:
            with open(f"{LOGS}/reward.json", encoding="utf-8") as file:
                found = {name: float(value) for name, value in json.load(file).items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        sys.exit(f"the tests ended without a reward: {error}")
    if "reward" not in found:
        values = list(found.values())
        if len(values) != 1:
            sys.exit(f"none of the rewards is the score: {sorted(found)}")
        found["reward"] = values[0]
    if not all(math.isfinite(value) for value in found.values()) or not 0 <= found["reward"] <= 1:
        sys.exit(f"expected a reward from 0 to 1, found {found}")
    return found


def reaches(found, least):
    if least is None:
        return True
    wanted = least if isinstance(least, dict) else {"reward": least}
    return all(found.get(name, 0.0) >= value for name, value in wanted.items())


def total(rewards, task):
    """Steps that were not reached count as 0."""
    every = rewards + [0.0] * (len(task["suites"]) - len(rewards))
    return every[-1] if task["strategy"] == "final" else sum(every) / len(every)


def report(score, checks):
    shutil.rmtree(LOGS, ignore_errors=True)
    os.makedirs(LOGS, exist_ok=True)
    with open(f"{LOGS}/checks.json", "w", encoding="utf-8") as file:
        json.dump(checks, file)
    with open(f"{LOGS}/reward.txt", "w", encoding="utf-8") as file:
        file.write(f"{score:.10f}".rstrip("0").rstrip(".") + "\n")


main()
