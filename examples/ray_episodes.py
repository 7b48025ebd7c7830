"""Episodes on many machines, played by four actors of Ray through one front: docs/scale.md.

    pip install ray
    export PYTHONPATH=python PWP_SERVER=http://127.0.0.1:8123 PWP_TOKEN=...
    python examples/ray_episodes.py
"""

import ray
from ray.util import ActorPool

import pwp_env


@ray.remote(num_cpus=0.25)
class Player:
    """Plays episodes, one after the other: put an agent into `play`."""

    def __init__(self) -> None:
        self.client = pwp_env.Client()

    def play(self, task: str) -> tuple[str, str, float | None]:
        with self.client.open(task, picture="none") as episode:
            step = episode.step("xdotool key ctrl+s")
            return episode.id, step.outcomes[0].effect, episode.grade().reward


if __name__ == "__main__":
    tasks = [task.id for task in pwp_env.Client().tasks()]
    ray.init()
    players = ActorPool([Player.remote() for _ in range(4)])
    for episode, effect, reward in players.map_unordered(lambda player, task: player.play.remote(task), tasks):
        print(f"{episode}: {effect}, reward {reward}")
