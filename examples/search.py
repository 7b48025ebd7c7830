#!/usr/bin/env python3
"""Beam search over live forks: the running IDE is copied, each copy tries another action, and the best copies go on.

    pwp serve --task tasks/vscode/theme-solarized-dark --max-episodes 9     # and PWP_SERVER and PWP_TOKEN as it prints them
    python examples/search.py --tries 4

It has a handful of keys and the words of the instruction, but no knowledge of the way. It is guided by what anyone can see; the
grader is asked once, at the end. `--tries 1` is a random walk that keeps the steps that look nearer, and `--repeat 10` says how
often it gets there. `--at-once 1` tries one fork at a time, for small machines.
"""

import argparse
import random
import re
import statistics
import time
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


State = tuple[float, list[str], pwp_env.Episode]
"""How near it looks, the actions that led there, and the IDE itself."""


def attempt(start: State, action: str, wanted: str) -> State:
    _, path, episode = start
    [fork] = episode.fork()
    fork.step(action)
    return nearness(fork, wanted), [*path, action], fork


def search(client: pwp_env.Client, task: str, given: argparse.Namespace, chance: random.Random) -> tuple[float | None, list[str]]:
    """The grader's reward for the best state, and the actions that led there."""
    first = client.open(task, picture="none")
    found = re.search(r"to (.+)\.", first.instruction)
    wanted = found[1] if found else ""
    beam: list[State] = [(0, [], first)]
    at_once = given.at_once or given.width * given.tries
    with ThreadPoolExecutor(at_once) as pool:
        for _ in range(given.depth):
            pairs = [(state, action) for state in beam for action in propose(wanted, given.tries, chance)]
            best = beam
            for begin in range(0, len(pairs), at_once):
                tried = list(pool.map(lambda pair: attempt(*pair, wanted), pairs[begin : begin + at_once]))
                # A state that got no nearer stays as good as it was.
                ranked = sorted([*best, *tried], key=lambda state: (-state[0], len(state[1])))
                best, gone = ranked[: given.width], ranked[given.width :]
                for state in gone:
                    if state not in beam:
                        state[2].close()
            for state in beam:
                if state not in best:
                    state[2].close()
            beam = best
            if beam[0][0] == 1:
                break
    reward = beam[0][2].grade().reward
    for _, _, episode in beam:
        episode.close()
    return reward, beam[0][1]


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in {"width": 1, "tries": 4, "depth": 8, "at-once": 0, "repeat": 1, "seed": 0}.items():
        options.add_argument(f"--{name}", type=int, default=default)
    given = options.parse_args()
    rewards, began = [], time.monotonic()
    for turn in range(given.repeat):
        reward, path = search(pwp_env.Client(), TASK, given, random.Random(given.seed + turn))
        rewards.append(reward or 0)
        print(f"reward {reward} after {time.monotonic() - began:.0f} s by {' | '.join(path) or 'nothing'}", flush=True)
    print(f"mean {statistics.mean(rewards):.2f}, spread {statistics.pstdev(rewards):.2f}, of {len(rewards)}")
