#!/usr/bin/env python3
"""A small policy learns a family of tasks in a live VS Code: REINFORCE over the marks on the screen.

    python examples/learn.py --episodes 100 --seed 0        # starts a server itself; --command says how

Each task asks for another color theme. An episode begins in the task's initial state, with the list of themes opened; the policy
clicks one mark of some fifty, and the tests of the task decide: half the reward for another theme, all of it for the wanted one. It
knows nothing about themes or lists, only the role of each mark, and which share of its words is in the instruction.
"""

import argparse
import math
import random
import re
import shutil
import statistics
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pwp_env

TRAINED = ["Quiet Light", "Abyss", "Kimbie Dark", "Monokai", "Solarized Light"]
UNSEEN = ["Monokai Dimmed", "Dark Modern", "Light+"]
PACKAGED = Path(__file__).parents[1] / "tasks/vscode/theme-solarized-dark"
CHECKS = """import { AgentFiles, Settings, colorTheme, report } from '/opt/pwp/grade/checks.mjs';
const settings = await Settings.read(new AgentFiles());
const { passed, why } = colorTheme(settings, 'Light Modern');
await report([{ name: 'another theme', passed: !passed, why }, colorTheme(settings, 'THEME')]);
"""


def write_task(folder: Path, theme: str) -> str:
    """The packaged task, for another theme. Returns its id."""
    made = folder / re.sub(r"\W+", "-", theme.lower().replace("+", " plus"))
    shutil.copytree(PACKAGED, made, ignore=shutil.ignore_patterns("*solution*"))
    (made / "instruction.md").write_text(f"Change the color theme of VS Code to {theme}.\n")
    (made / "tests/check.mjs").write_text(CHECKS.replace("THEME", theme))
    return f"{folder.name}/{made.name}"


def features(mark, instruction: str) -> dict[str, float]:
    words, asked = (re.findall(r"[\w+]+", text.lower()) for text in (mark["name"], instruction))
    return {f"role {mark['role']}": 1, "words in the instruction": sum(word in asked for word in words) / max(len(words), 1)}


def play(client: pwp_env.Client, task: str, weights, chance: random.Random | None):
    """One episode, greedy without `chance`: its reward, None if unknown, and the gradient of the logarithm of the choice."""
    with client.open(task, picture="none") as episode:
        marks = episode.step("xdotool key ctrl+k && xdotool key ctrl+t").observation.marks
        seen = [features(mark, episode.instruction) for mark in marks]
        scores = [sum(weights.get(name, 0) * value for name, value in one.items()) for one in seen]
        odds = [math.exp(score - max(scores)) for score in scores]
        chosen = chance.choices(range(len(marks)), odds)[0] if chance else scores.index(max(scores))
        gradient = defaultdict(float, seen[chosen])
        for one, odd in zip(seen, odds):
            for name, value in one.items():
                gradient[name] -= value * odd / sum(odds)
        episode.step(f"click [{marks[chosen]['id']}]")
        grade = episode.grade()
        return None if grade.reward is None else statistics.mean(one["passed"] is True for one in grade.checks), gradient


def train(client: pwp_env.Client, tasks: list[str], given: argparse.Namespace):
    chance, weights, baseline, rewards, began = random.Random(given.seed), defaultdict(float), 0.0, [], time.monotonic()
    with ThreadPoolExecutor(given.at_once) as pool:
        while len(rewards) < given.episodes:
            seeds = [random.Random(chance.random()) for _ in range(given.at_once)]
            played = list(pool.map(lambda seed: play(client, seed.choice(tasks), weights, seed), seeds))
            known = [(reward - baseline, gradient) for reward, gradient in played if reward is not None]
            for name, change in [(name, better * value) for better, gradient in known for name, value in gradient.items()]:
                weights[name] += given.rate * change
            baseline += 0.1 * sum(better for better, _ in known)
            rewards += [reward for reward, _ in played]
            if len(rewards) % 10 < given.at_once:
                last = [reward for reward in rewards[-10:] if reward is not None] or [math.nan]
                print(f"{len(rewards)} episodes, {time.monotonic() - began:.0f} s: mean {statistics.mean(last):.2f}", flush=True)
    print("unknown rewards:", rewards.count(None), "weights:", {name: round(value, 1) for name, value in weights.items()})
    return weights


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in {"episodes": 100, "seed": 0, "at-once": 2, "rate": 2.0}.items():
        options.add_argument(f"--{name}", type=type(default), default=default)
    options.add_argument("--command", nargs="+", default=["npx", "programming-with-pixels"])
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as made:
        trained, unseen = ([write_task(Path(made) / "themes", theme) for theme in themes] for themes in (TRAINED, UNSEEN))
        limits = ["--max-episodes", str(given.at_once), "--display", "1280x800"]
        with pwp_env.start(f"{made}/themes", command=given.command, options=limits) as client:
            learnt = train(client, trained, given)
            print("tasks that it has not seen:", *(play(client, task, learnt, None)[0] for task in unseen))
