#!/usr/bin/env python3
"""Beam search over live forks: the running IDE is copied, each copy tries another action, and the best copies go on.

    pwp serve --task tasks/vscode/theme-solarized-dark --max-episodes 9     # and PWP_SERVER and PWP_TOKEN as it prints them
    python examples/search.py --tries 4

It has a handful of keys and the words of the instruction, but no knowledge of the way. It is guided by what anyone can see; the
grader is asked once, at the end. `--tries 1` is a random walk, and `--repeat 10` says how often it gets there.
"""

import argparse
import random
import re
import statistics
from concurrent.futures import ThreadPoolExecutor

import pwp_env

TASK = "vscode/theme-solarized-dark"
KEYS = ["F1", "Return", "Down", "Escape"]


def propose(wanted: str, count: int, chance: random.Random) -> list[str]:
    words = [f"xdotool type '{text}'" for text in (wanted, "Color Theme")]
    actions = ["xdotool key ctrl+k && xdotool key ctrl+t", *words, *(f"xdotool key {key}" for key in KEYS)]
    return chance.sample(actions, min(count, len(actions)))


def nearness(episode: pwp_env.Episode, wanted: str) -> float:
    """1 if the theme is in effect; before that, how near it looks."""
    if wanted in episode.call("get_settings", {"keys": ["workbench.colorTheme"]}).output:
        return 1
    marks = episode.observation.marks
    named = [mark["state"] for mark in marks if mark["role"] == "option" and wanted in mark["name"]]
    if named:
        return 0.6 if any(state.get("focused") or state.get("selected") for state in named) else 0.4
    return 0.2 if any("color theme" in mark["name"].lower() for mark in marks) else 0


def search(client: pwp_env.Client, task: str, width: int, tries: int, depth: int, chance: random.Random) -> tuple[float | None, list[str]]:
    """The grader's reward for the best state, and the actions that led there."""
    first = client.open(task, picture="none")
    found = re.search(r"to (.+)\.", first.instruction)
    wanted = found[1] if found else ""
    beam: list[tuple[float, list[str], pwp_env.Episode]] = [(0, [], first)]
    with ThreadPoolExecutor(width * tries) as pool:
        for _ in range(depth):
            forks = list(pool.map(lambda state: state[2].fork(tries), beam))
            grown = [(path, fork) for (_, path, _), some in zip(beam, forks) for fork in some]
            actions = [action for _ in beam for action in propose(wanted, tries, chance)]
            list(pool.map(lambda one, action: one[1].step(action), grown, actions))
            near = pool.map(lambda one: nearness(one[1], wanted), grown)
            tried = [(value, [*path, action], fork) for value, (path, fork), action in zip(near, grown, actions)]
            # A state that got no nearer stays as good as it was.
            ranked = sorted([*beam, *tried], key=lambda state: (-state[0], len(state[1])))
            for _, _, gone in ranked[width:]:
                gone.close()
            beam = ranked[:width]
            if beam[0][0] == 1:
                break
    reward = beam[0][2].grade().reward
    for _, _, episode in beam:
        episode.close()
    return reward, beam[0][1]


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in {"width": 1, "tries": 4, "depth": 8, "repeat": 1, "seed": 0}.items():
        options.add_argument(f"--{name}", type=int, default=default)
    given = options.parse_args()
    rewards = []
    for turn in range(given.repeat):
        reward, path = search(pwp_env.Client(), TASK, given.width, given.tries, given.depth, random.Random(given.seed + turn))
        rewards.append(reward or 0)
        print(f"reward {reward} by {' | '.join(path) or 'nothing'}", flush=True)
    print(f"mean {statistics.mean(rewards):.2f}, spread {statistics.pstdev(rewards):.2f}, of {len(rewards)}")
