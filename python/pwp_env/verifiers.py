"""A taskset for verifiers. Needs ``verifiers``: ``vf-eval pwp-taskset``, with the server of ``PWP_SERVER`` and ``PWP_TOKEN``."""

# verifiers has types, but does not say so, and its own classes narrow what their bases have as these do.
# mypy: disable-error-code="import-untyped, misc, untyped-decorator"
# pyright: reportMissingTypeStubs=false, reportIncompatibleVariableOverride=false, reportInvalidTypeArguments=false

from __future__ import annotations

import asyncio
from typing import Any, Iterable

import verifiers.v1 as vf
from mcp.server.mcpserver import Image
from verifiers.v1.harnesses.null import NullHarness

from pwp_env.agent_tools import AgentTools
from pwp_env.client import Client, Episode, Picture, PwpError

_SYSTEM = "You work in a live VS Code. Its tools show you the screen in words, act on it, and call what VS Code offers."


class PwpState(vf.State):
    """What the rollout and its tools share."""

    episode: str = ""
    reward: float | None = None
    why: str | None = None


class PwpToolsConfig(vf.ToolsetConfig):
    picture: Picture = "none"
    """The picture beside the screen in words: ``screen``, ``marks``, or ``none``."""


class PwpTools(vf.Toolset[PwpToolsConfig, PwpState], AgentTools):
    """The tools of a rollout, in a process of their own."""

    TOOL_PREFIX = None

    act = vf.tool(AgentTools.act)
    look = vf.tool(AgentTools.look)
    shell = vf.tool(AgentTools.shell)
    list_tools = vf.tool(AgentTools.list_tools)
    call_tool = vf.tool(AgentTools.call_tool)

    async def setup(self) -> None:
        self.picture = self.config.picture
        self._client = Client()

    def _episode_now(self) -> Episode:
        return self._client.episode(self.state.episode, picture=self.picture)

    def _show(self, text: str, picture: bytes | None) -> Any:
        return text if picture is None else [text, Image(data=picture, format="png")]


class PwpTaskConfig(vf.TaskConfig):
    tools: PwpToolsConfig = PwpToolsConfig()


class PwpTask(vf.Task[vf.TaskData, PwpState, PwpTaskConfig]):
    """A task of the server. Its reward is the score by the task's own tests."""

    @classmethod
    def toolsets(cls, config: PwpTaskConfig) -> list[vf.Toolset[Any, Any]]:
        return [PwpTools(config.tools)]

    async def setup(self, trace: Any, runtime: Any) -> None:
        episode = await asyncio.to_thread(Client().open, self.data.id, picture="none")
        trace.state.episode = episode.id

    async def finalize(self, trace: Any, runtime: Any) -> None:
        await asyncio.to_thread(_grade, trace.state)

    @vf.reward
    async def task_score(self, trace: Any) -> float:
        state: PwpState = trace.state
        if state.reward is None:
            # An error, since a reward that is missing counts as 0.
            raise RuntimeError(f"the reward is unknown: {state.why}")
        return state.reward


class PwpHarness(NullHarness):
    """Offers a model the tools of a rollout, and closes its episode, also after a failure."""

    async def cleanup(self, trace: Any, runtime: Any) -> None:
        await super().cleanup(trace, runtime)  # pyright: ignore[reportUnknownMemberType]
        await asyncio.to_thread(_close, trace.state.episode)


def _close(episode: str) -> None:
    try:
        Client().episode(episode, picture="none").close()
    except PwpError as error:
        if error.code != "no-such-episode":
            raise


def _grade(state: PwpState) -> None:
    with Client().episode(state.episode, picture="none") as episode:
        grade = episode.grade()
    state.reward, state.why = grade.reward, grade.why


class PwpConfig(vf.TasksetConfig):
    tasks: list[str] = []
    """Ids of tasks. Default: all that the server has."""
    task: PwpTaskConfig = PwpTaskConfig()


class PwpTaskset(vf.Taskset[PwpTask, PwpConfig]):
    """The tasks of a server."""

    def load(self) -> Iterable[PwpTask]:
        for task in Client().tasks():
            if not self.config.tasks or task.id in self.config.tasks:
                data = vf.TaskData(  # pyright: ignore[reportCallIssue]
                    id=task.id, name=task.id, prompt=task.instruction, system_prompt=_SYSTEM
                )
                yield PwpTask(data, self.config.task)


if __name__ == "__main__":
    PwpTools.run()
