"""Gymnasium's own checks, and its vectorised environments."""

import warnings

import gymnasium
import numpy
from checks import SOLUTION, TASK, check
from gymnasium.utils.env_checker import check_env

import pwp_env
from pwp_env.gym import Env, VectorEnv

ID = "pwp_env.gym:pwp/Task-v0"

with check("check_env has no warning"):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(ID, task=TASK)
        check_env(env.unwrapped)
        env.close()

with check("an episode: reset, step, text of any characters, fork, reward"):
    with pwp_env.Client() as client:
        env = Env(client, TASK, render_mode="rgb_array")
        seen, info = env.reset()
        assert seen["screen"].shape == (1080, 1920, 3) and info["task"] == TASK
        env.episode.call("shell", {"command": SOLUTION + "; echo 'Grüße 😀' > grüße.txt"})
        seen, reward, terminated, truncated, info = env.step("xdotool key Escape")
        assert (reward, terminated, truncated) == (0, False, False)
        assert "grüße.txt" in seen["text"] and env.observation_space.contains(seen), seen["text"]
        [fork] = env.fork(1)
        assert fork.step("done")[1:4] == (1, True, False)
        fork.close()
        env.close()
        env.close()

with check("AsyncVectorEnv of 4"):
    vector = gymnasium.vector.AsyncVectorEnv([lambda: gymnasium.make(ID, task=TASK)] * 4, shared_memory=False)
    try:
        seen, info = vector.reset()
        assert seen["screen"].shape == (4, 1080, 1920, 3) and len(seen["text"]) == 4
        assert all("notes.txt" in text for text in seen["text"]), seen["text"]
        seen, rewards, terminated, truncated, info = vector.step(["xdotool key Escape"] * 3 + ["done"])
        assert list(terminated) == [False, False, False, True] and list(rewards) == [0] * 4
        seen, rewards, terminated, truncated, info = vector.step(["xdotool key Escape"] * 4)
        assert not terminated.any() and info["instruction"][3]
    finally:
        vector.close()

with check("VectorEnv: forks that step at once, a reset of one, the automatic reset"):
    with pwp_env.Client() as client:
        first = Env(client, TASK)
        first.reset()
        first.episode.call("shell", {"command": SOLUTION})
        vector = VectorEnv([first, *first.fork(2)])
        seen, rewards, terminated, truncated, info = vector.step(["xdotool key Escape", "done", "done"])
        assert list(rewards) == [0, 1, 1] and list(terminated) == [False, True, True], (rewards, terminated)
        assert seen["screen"].shape == (3, 1080, 1920, 3)
        vector.reset(options={"reset_mask": numpy.array([False, True, False])})
        seen, rewards, terminated, truncated, info = vector.step(["done"] * 3)
        # The first has the solution, the second a fresh start, and the third is reset by this step.
        assert list(rewards) == [1, 0, 0] and list(terminated) == [True, True, False], (rewards, terminated)
        vector.close()

with check("every episode is closed"):
    assert pwp_env.Client().health()["episodes"] == 0
