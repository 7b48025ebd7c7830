"""The environment for Gymnasium. Needs ``gymnasium``, ``numpy`` and ``pillow``: ``pip install 'pwp-env[gym]'``.

    env = pwp_env.gym.Env(client, "vscode/autosave-500")
    observation, info = env.reset()
    observation, reward, terminated, truncated, info = env.step("xdotool key ctrl+comma")
    observation, reward, terminated, truncated, info = env.step("done")
"""

from __future__ import annotations

import io
import string
from typing import Any, SupportsFloat

import gymnasium
import numpy
from gymnasium import spaces
from PIL import Image

from pwp_env.client import Client, Episode, Observation, PwpError

Seen = dict[str, Any]
"""``screen``: uint8 array of shape (height, width, 3), RGB. ``text``: the screen in words."""

_MOST_TEXT = 20_000
_MOST_ACTION = 2_000


class Env(gymnasium.Env[Seen, str]):
    """One task of a server.

    An action is a text: an xdotool line, ``click [12]``, several of them on lines of their own, or ``done``. ``done``, and the
    step after which the episode is truncated, give the reward: the score by the task's own tests, 0 to 1. All other
    steps give 0.

    :param client: see :func:`pwp_env.start`. The environment does not close it.
    :param task: id of a task; may be left out if the server has one alone.
    :param size: width and height of the screen in pixels, as the server's ``--display``.
    :param unknown_reward: the reward where there is none that can be trusted; ``info["why"]`` says why. Default: NaN, so that
        it is never taken for a failure.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}

    def __init__(
        self,
        client: Client,
        task: str | None = None,
        *,
        size: tuple[int, int] = (1920, 1080),
        render_mode: str | None = None,
        unknown_reward: float = float("nan"),
    ) -> None:
        self._client = client
        self._task = task
        self._episode: Episode | None = None
        self._unknown_reward = unknown_reward
        self.render_mode = render_mode
        width, height = size
        self.observation_space = spaces.Dict(
            {
                "screen": spaces.Box(0, 255, (height, width, 3), numpy.uint8),
                "text": _AnyText(_MOST_TEXT),
            }
        )
        self.action_space = spaces.Text(_MOST_ACTION, min_length=1, charset=string.printable)

    @property
    def episode(self) -> Episode:
        """The running episode, for what Gymnasium has no word for: checkpoints, marks, tools, grading."""
        if self._episode is None:
            raise PwpError("not-reset", "the environment has no episode", "Call reset() first.")
        return self._episode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Starts over in the task's initial state. The seed is that of the server's ``--seed``: this one changes nothing."""
        super().reset(seed=seed)
        if self._episode is None:
            self._episode = self._client.open(self._task)
        else:
            self._episode.reset()
        start = self._episode.start
        info = {"instruction": start.instruction, "task": start.task, "from": start.origin}
        return self._see(start.observation), info

    def step(self, action: str) -> tuple[Seen, SupportsFloat, bool, bool, dict[str, Any]]:
        lines = [line for line in action.splitlines() if line.strip()]
        done = bool(lines) and lines[-1].strip() == "done"
        step = self.episode.step(lines[:-1] if done else lines)
        info: dict[str, Any] = {"outcomes": [vars(one) for one in step.outcomes], "step": step.step}
        reward = 0.0
        if done or step.truncated:
            grade = self.episode.grade()
            info["checks"], info["why"] = grade.checks, grade.why
            reward = self._unknown_reward if grade.reward is None else grade.reward
        return self._see(step.observation), reward, done, step.truncated and not done, info

    def fork(self, count: int = 1) -> list[Env]:
        """New environments in the state of this one, each in its own sandbox. Close each of them."""
        forks = []
        for episode in self.episode.fork(count):
            env = Env(self._client, self._task, size=self._size, render_mode=self.render_mode, unknown_reward=self._unknown_reward)
            env._episode = episode
            forks.append(env)
        return forks

    def render(self) -> Any:
        return self._see(self.episode.observation)["screen"] if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        if self._episode is not None:
            self._episode.close()
            self._episode = None

    @property
    def _size(self) -> tuple[int, int]:
        screen = self.observation_space["screen"]  # type: ignore[index]
        height, width, _ = screen.shape
        return width, height

    def _see(self, observation: Observation) -> Seen:
        with Image.open(io.BytesIO(observation.picture or b"")) as image:
            screen = numpy.asarray(image.convert("RGB"))
        width, height = self._size
        if screen.shape != (height, width, 3):
            size = f"{observation.width}x{observation.height}"
            raise PwpError("usage", f"the screen has {size} pixels, not {width}x{height}", "Give Env the size of the screen.")
        return {"screen": screen, "text": observation.text[:_MOST_TEXT]}


class _AnyText(spaces.Text):
    """Texts of any characters: what is on a screen is not limited to an alphabet."""

    def __init__(self, most: int) -> None:
        super().__init__(most, min_length=0)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length
