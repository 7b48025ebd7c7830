"""The environment for Gymnasium. Needs ``gymnasium``, ``numpy`` and ``pillow``: ``pip install 'pwp-env[gym]'``.

    env = pwp_env.gym.Env(client, "vscode/autosave-500")
    observation, info = env.reset()
    observation, reward, terminated, truncated, info = env.step("xdotool key ctrl+comma")
    observation, reward, terminated, truncated, info = env.step("done")

``gymnasium.make("pwp_env.gym:pwp/Task-v0", task="vscode/autosave-500")`` makes one for the server of ``PWP_SERVER``.
"""

from __future__ import annotations

import io
import string
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Sequence, SupportsFloat

import gymnasium
import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array
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

    :param client: see :func:`pwp_env.start`. The environment does not close it. Default: one of its own, for the server of
        ``PWP_SERVER``.
    :param task: id of a task; may be left out if the server has one alone.
    :param size: width and height of the screen in pixels, as the server's ``--display``.
    :param unknown_reward: the reward where there is none that can be trusted; ``info["why"]`` says why. Default: NaN, so that
        it is never taken for a failure.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}

    def __init__(
        self,
        client: Client | None = None,
        task: str | None = None,
        *,
        size: tuple[int, int] = (1920, 1080),
        render_mode: str | None = None,
        unknown_reward: float = float("nan"),
    ) -> None:
        self._owned = Client() if client is None else None
        self._client = client or self._owned or Client()
        self._task = task
        self._size = size
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
        """Starts over in the task's initial state, or in that of ``options["task"]``. The seed changes nothing here: the
        server's ``--seed`` chooses variants of tasks."""
        super().reset(seed=seed)
        task = (options or {}).get("task", self._task)
        if task != self._task:
            self._end()
            self._task = task
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
        forks: list[Env] = []
        for episode in self.episode.fork(count):
            env = Env(self._client, self._task, size=self._size, render_mode=self.render_mode, unknown_reward=self._unknown_reward)
            env._episode = episode
            forks.append(env)
        return forks

    def render(self) -> Any:
        return self._see(self.episode.observation)["screen"] if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        self._end()
        if self._owned is not None:
            self._owned.close()

    def _end(self) -> None:
        if self._episode is not None:
            self._episode.close()
            self._episode = None

    def _see(self, observation: Observation) -> Seen:
        with Image.open(io.BytesIO(observation.picture or b"")) as image:
            screen = numpy.array(image.convert("RGB"))
        width, height = self._size
        if screen.shape != (height, width, 3):
            size = f"{observation.width}x{observation.height}"
            raise PwpError("usage", f"the screen has {size} pixels, not {width}x{height}", "Give Env the size of the screen.")
        return {"screen": screen, "text": observation.text[:_MOST_TEXT]}


class VectorEnv(gymnasium.vector.VectorEnv[Seen, Sequence[str], Any]):
    """Several environments, which are reset and step at the same time, in threads of this process.

    One that ended is reset by the next step, whose action it ignores. ``reset(options={"reset_mask": array})`` resets some.

    :param envs: the environments, also forks of one: ``VectorEnv(env.fork(4))`` can step at once. They are closed with it.
    """

    metadata = {**Env.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, envs: Sequence[Env]) -> None:
        self.envs = list(envs)
        self.num_envs = len(self.envs)
        self.render_mode = self.envs[0].render_mode
        self._space: Any = self.envs[0].observation_space
        self.single_observation_space = self._space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = batch_space(self._space, self.num_envs)
        self.action_space = batch_space(self.envs[0].action_space, self.num_envs)
        self._seen: list[Any] = [None] * self.num_envs
        self._ended = numpy.zeros(self.num_envs, numpy.bool_)
        self._threads = ThreadPoolExecutor(self.num_envs, "pwp-env")

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Resets all of them, or those of ``options["reset_mask"]``, at the same time."""
        rest = dict(options or {})
        mask = rest.pop("reset_mask", numpy.ones(self.num_envs, numpy.bool_))
        found = self._at_once(lambda index: self.envs[index].reset(options=rest), numpy.flatnonzero(mask))
        self._ended[mask] = False
        infos: dict[str, Any] = {}
        for index, (seen, info) in found.items():
            self._seen[index] = seen
            infos = self._add_info(infos, info, index)
        return self._batch(), infos

    def step(self, actions: Sequence[str]) -> tuple[Seen, Any, Any, Any, dict[str, Any]]:
        def step(index: int) -> tuple[Seen, SupportsFloat, bool, bool, dict[str, Any]]:
            if not self._ended[index]:
                return self.envs[index].step(actions[index])
            seen, info = self.envs[index].reset()
            return seen, 0.0, False, False, info

        found = self._at_once(step, range(self.num_envs))
        self._seen, rewards, terminated, truncated, each = map(list, zip(*found.values()))
        infos: dict[str, Any] = {}
        for index, info in enumerate(each):
            infos = self._add_info(infos, info, index)
        self._ended = numpy.logical_or(terminated, truncated)
        return self._batch(), numpy.array(rewards, numpy.float64), numpy.array(terminated), numpy.array(truncated), infos

    def close_extras(self, **kwargs: Any) -> None:
        self._at_once(lambda index: self.envs[index].close(), range(self.num_envs))
        self._threads.shutdown()

    def _at_once(self, run: Callable[[int], Any], indices: Any) -> dict[int, Any]:
        return dict(zip(indices, self._threads.map(run, indices)))

    def _batch(self) -> Seen:
        empty: Any = create_empty_array(self._space, self.num_envs)
        batched: Any = concatenate(self._space, self._seen, empty)
        return dict(batched)


class _AnyText(spaces.Space[str]):
    """Texts of any characters. Not ``spaces.Text``: that has an alphabet, and is never read again from shared memory."""

    def __init__(self, most: int) -> None:
        super().__init__(dtype=str)
        self.most = most

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.most

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        length = self.np_random.integers(0, self.most + 1)
        return "".join(map(chr, self.np_random.integers(32, 127, length)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _AnyText) and other.most == self.most


gymnasium.register("pwp/Task-v0", "pwp_env.gym:Env", nondeterministic=True)  # pyright: ignore[reportUnknownMemberType]
