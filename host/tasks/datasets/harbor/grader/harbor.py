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
# These tests can't judge any answer in this image: there is no score.
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
    if task["fresh_home"]:
        empty_folders("/root")
        if os.path.isdir(f"{KEPT}/home"):
            shutil.copytree(f"{KEPT}/home", "/root", symlinks=True, dirs_exist_ok=True)
    find_own_modules_last(task["own_modules"])
    settled = settle(os.path.realpath(task["workdir"]), set(task["words"]))
    if settled:
        print(f"taken out, since it would change what the tests run: {', '.join(settled[:50])}")
    found, checks = [], []
    for at, suite in enumerate(task["suites"]):
        found.append(run(task, at, suite))
        checks.append(
            {"name": suite["name"], "passed": all(value >= 1 for value in found[-1].values()), "why": json.dumps(found[-1])}
        )
        if not reaches(found[-1], suite["min_reward"]):
            break
    rewards = total(found, task)
    report(score(rewards), checks + named(rewards))


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
    cwd = task["workdir"] if os.path.isdir(task["workdir"]) else "/"
    env = {
        **os.environ,
        "HOME": HOME,
        "PATH": f"{KEPT}/substitutes:{os.environ['PATH']}",
        "PYTHONNOUSERSITE": "1",
        "PYTHONSAFEPATH": "1",
        "TEST_DIR": "/tests",
    }
    for folder in ("/logs/agent", "/logs/artifacts"):
        os.makedirs(folder, exist_ok=True)
    empty_folders("/tests", LOGS)
    for hook in suite["collect"]:
        collect(hook, cwd, {**env, **suite["collect_env"]})
    # A reward from before the tests is none of theirs.
    empty_folders("/tests", LOGS)
    shutil.copytree(f"{KEPT}/suites/{at}", "/tests", symlinks=True, dirs_exist_ok=True)
    tests = ["/bin/bash", "--noprofile", "--norc", "/tests/test.sh"]
    ended = subprocess.run(tests, cwd=cwd, env={**env, **suite["env"]}, check=False)
    print(f"{suite['name']}: exit code {ended.returncode}", flush=True)
    return reward()


def empty_folders(*folders):
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder, exist_ok=True)


def collect(hook, cwd, env):
    """Makes files for the tests of what the agent left. As in Harbor, nothing ends if it fails."""
    try:
        command = ["/bin/bash", "-c", hook["command"]]
        ended = subprocess.run(command, cwd=cwd, env=env, timeout=hook["timeout_sec"], check=False)
    except subprocess.TimeoutExpired:
        print(f"collect: {hook['command']}: it took more than {hook['timeout_sec']} s", flush=True)
        return
    if ended.returncode != 0:
        print(f"collect: {hook['command']}: exit code {ended.returncode}", flush=True)


def reward():
    """As Harbor reads it: named numbers, or else one number, which is `reward`."""
    try:
        if os.path.exists(f"{LOGS}/reward.json"):
            with open(f"{LOGS}/reward.json", encoding="utf-8") as file:
                found = {name: number(value) for name, value in json.load(file).items()}
        else:
            with open(f"{LOGS}/reward.txt", encoding="utf-8") as file:
                found = {"reward": float(file.read(1000))}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        sys.exit(f"the tests ended without a reward: {error}")
    if not found or not all(math.isfinite(value) for value in found.values()):
        sys.exit(f"expected rewards that are numbers, found {found}")
    return found


def number(value):
    if not isinstance(value, (int, float)):
        raise ValueError(f"expected a number, found {value!r}")
    return float(value)


def reaches(found, least):
    if least is None:
        return True
    wanted = least if isinstance(least, dict) else {"reward": least}
    return all(found.get(name, -math.inf) >= value for name, value in wanted.items())


def total(found, task):
    """The reward of several steps, as Harbor does: of those that were reached; a name that a step lacks counts as 0 there."""
    if task["strategy"] == "final":
        return found[-1]
    names = sorted({name for one in found for name in one})
    return {name: sum(one.get(name, 0.0) for one in found) / len(found) for name in names}


def score(rewards):
    """Harbor keeps each name apart. Here `reward` is the score, else the mean of all."""
    value = rewards["reward"] if "reward" in rewards else sum(rewards.values()) / len(rewards)
    outside = [name for name, one in rewards.items() if not 0 <= one <= 1]
    if not 0 <= value <= 1 or ("reward" not in rewards and outside):
        sys.exit(f"expected a reward from 0 to 1, found {rewards}")
    return value


def named(rewards):
    """Each as a check, where there are several."""
    if len(rewards) == 1:
        return []
    return [{"name": name[:200], "passed": value >= 1, "why": f"{value:.6g}"} for name, value in list(rewards.items())[:100]]


def report(value, checks):
    shutil.rmtree(LOGS, ignore_errors=True)
    os.makedirs(LOGS, exist_ok=True)
    with open(f"{LOGS}/checks.json", "w", encoding="utf-8") as file:
        json.dump(checks, file)
    with open(f"{LOGS}/reward.txt", "w", encoding="utf-8") as file:
        file.write(f"{value:.10f}".rstrip("0").rstrip(".") + "\n")


main()
