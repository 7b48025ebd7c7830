"""The environment for TRL's trainers. Needs ``trl``, and ``pillow`` for pictures.

    trainer = GRPOTrainer(model, environment_factory=pwp_env.trl.Env, train_dataset=dataset, …)

Each row of the dataset may name its task in the column ``task``. The server is that of ``PWP_SERVER`` and ``PWP_TOKEN``, and
needs ``--max-episodes`` of the size of a generation batch.
"""

from __future__ import annotations

import io
import logging
import weakref
from typing import Any

from pwp_env.agent_tools import AgentTools
from pwp_env.client import Client, Episode, PwpError

_log = logging.getLogger(__name__)


class Env(AgentTools):
    """One episode after the other. For other defaults make a subclass:

    class WithPictures(pwp_env.trl.Env):
        picture = "marks"
        task = "vscode/autosave-500"
    """

    task: str | None = None
    """The task of rows that name none. May be left out if the server has one alone."""

    def __init__(self) -> None:
        self._client = Client()
        self._episodes: list[Episode] = []
        weakref.finalize(self, _close, self._client, self._episodes)

    def reset(self, **row: Any) -> Any:
        """Starts over in the task of a row. Returns its instruction and the screen."""
        task = row.get("task") or self.task
        if self._episodes and task in (None, self._episode_now().start.task):
            start = self._episode_now().reset()
        else:
            while self._episodes:
                self._episodes.pop().close()
            self._episodes.append(self._client.open(task, picture=self.picture))
            start = self._episode_now().start
        return self._show(f"\n{start.instruction}\n\n{start.observation.text}", start.observation.picture)

    def get_reward(self) -> float | None:
        """The score by the task's own tests, 0 to 1. None is unknown, which is not 0: the trainer leaves that rollout out."""
        try:
            grade = self._episode_now().grade()
        except PwpError as error:
            _log.warning("no reward: %s", error)
            return None
        if grade.reward is None:
            _log.warning("no reward: %s", grade.why)
        return grade.reward

    def _episode_now(self) -> Episode:
        if not self._episodes:
            raise PwpError("not-reset", "the environment has no episode", "Call reset() first.")
        return self._episodes[0]

    def _show(self, text: str, picture: bytes | None) -> Any:
        if picture is None:
            return text
        from PIL import Image

        image = Image.open(io.BytesIO(picture)).convert("RGB")
        return [{"type": "image", "image": image}, {"type": "text", "text": text}]


def _close(client: Client, episodes: list[Episode]) -> None:
    try:
        for episode in episodes:
            episode.close()
    except PwpError as error:
        _log.warning("an episode could not be closed: %s", error)
    client.close()
