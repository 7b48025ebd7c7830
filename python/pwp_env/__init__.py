"""Programming with Pixels for Python: episodes of tasks in a live VS Code.

    import pwp_env

    with pwp_env.start("tasks/vscode/autosave-500") as client, client.open() as episode:
        seen = episode.step(["xdotool key ctrl+comma"])
        print(seen.text)
        print(episode.grade().reward)

Needs the standard library alone. These need the package that they are for: ``pwp_env.gym`` (Gymnasium), ``pwp_env.trl``,
``pwp_env.verifiers``, ``pwp_env.inspect``, ``pwp_env.harbor``.
"""

from pwp_env.aio import AsyncClient, AsyncEpisode
from pwp_env.client import (
    Action,
    Call,
    Client,
    Episode,
    Exec,
    Grade,
    Observation,
    Outcome,
    PwpError,
    Start,
    Step,
    Task,
    Tool,
)
from pwp_env.server import start

__all__ = [
    "Action",
    "AsyncClient",
    "AsyncEpisode",
    "Call",
    "Client",
    "Episode",
    "Exec",
    "Grade",
    "Observation",
    "Outcome",
    "PwpError",
    "Start",
    "Step",
    "Task",
    "Tool",
    "start",
]
