"""Programming with Pixels for Python: episodes of tasks in a live VS Code.

    import pwp_env

    with pwp_env.start("tasks/vscode/autosave-500") as client, client.open() as episode:
        seen = episode.step(["xdotool key ctrl+comma"])
        print(seen.text)
        print(episode.grade().reward)

Needs the standard library alone. ``pwp_env.gym`` has the environment for Gymnasium.
"""

from pwp_env.client import (
    Action,
    Client,
    Episode,
    Grade,
    Observation,
    Outcome,
    PwpError,
    Start,
    Step,
    Task,
)
from pwp_env.server import start

__all__ = [
    "Action",
    "Client",
    "Episode",
    "Grade",
    "Observation",
    "Outcome",
    "PwpError",
    "Start",
    "Step",
    "Task",
    "start",
]
