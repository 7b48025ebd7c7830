"""The client for programs with ``asyncio``.

    async with pwp_env.AsyncClient(url, token) as client:
        episodes = await asyncio.gather(*(client.open(task) for task in tasks))
        steps = await asyncio.gather(*(episode.step("xdotool key ctrl+s") for episode in episodes))
"""

from __future__ import annotations

import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Concatenate, Coroutine, Generic, ParamSpec, TypeVar

from pwp_env.client import Client, Episode, Observation, Picture, Start

_P = ParamSpec("_P")
_R = TypeVar("_R")
_S = TypeVar("_S")


class _Awaited(Generic[_S]):
    """Does the calls of a client or an episode in threads."""

    def __init__(self, sync: _S, threads: ThreadPoolExecutor) -> None:
        self._sync = sync
        self._threads = threads

    async def _run(self, call: Callable[[], _R]) -> _R:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)


def _awaited(method: Callable[Concatenate[_S, _P], _R]) -> Callable[Concatenate[_Awaited[_S], _P], Coroutine[Any, Any, _R]]:
    @functools.wraps(method)
    async def call(self: _Awaited[_S], /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        return await self._run(functools.partial(method, self._sync, *args, **kwargs))

    return call


class AsyncEpisode(_Awaited[Episode]):
    """A :class:`pwp_env.Episode` whose calls are awaited."""

    reset = _awaited(Episode.reset)
    step = _awaited(Episode.step)
    call = _awaited(Episode.call)
    exec = _awaited(Episode.exec)
    read_file = _awaited(Episode.read_file)
    write_file = _awaited(Episode.write_file)
    observe = _awaited(Episode.observe)
    checkpoint = _awaited(Episode.checkpoint)
    restore = _awaited(Episode.restore)
    grade = _awaited(Episode.grade)
    close = _awaited(Episode.close)

    @property
    def id(self) -> str:
        return self._sync.id

    @property
    def instruction(self) -> str:
        """What the agent is asked to do."""
        return self._sync.instruction

    @property
    def start(self) -> Start:
        return self._sync.start

    @property
    def observation(self) -> Observation:
        """The newest one."""
        return self._sync.observation

    async def fork(self, count: int = 1, *, checkpoint: str | None = None) -> list[AsyncEpisode]:
        """New episodes in the state of this one, or of a checkpoint: see :meth:`pwp_env.Episode.fork`."""
        forks = await self._run(functools.partial(self._sync.fork, count, checkpoint=checkpoint))
        return [AsyncEpisode(one, self._threads) for one in forks]

    async def __aenter__(self) -> AsyncEpisode:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()


class AsyncClient(_Awaited[Client]):
    """A :class:`pwp_env.Client` whose calls are awaited. The server still does a call that is cancelled.

    :param url: the server's address, or a client, e.g. that of :func:`pwp_env.start`, which is closed with this one.
    :param connections: the most requests at a time. Others wait.
    """

    tasks = _awaited(Client.tasks)
    tools = _awaited(Client.tools)
    health = _awaited(Client.health)

    def __init__(
        self,
        url: str | Client | None = None,
        token: str | None = None,
        *,
        timeout: float = 600.0,
        connections: int = 64,
    ) -> None:
        client = url if isinstance(url, Client) else Client(url, token, timeout=timeout)
        super().__init__(client, ThreadPoolExecutor(connections, "pwp-env"))

    async def open(self, task: str | None = None, *, picture: Picture = "screen") -> AsyncEpisode:
        """Starts an episode in a sandbox of its own: see :meth:`pwp_env.Client.open`."""
        opened = await self._run(functools.partial(self._sync.open, task, picture=picture))
        return AsyncEpisode(opened, self._threads)

    async def close(self) -> None:
        """Closes the connections, and the server if :func:`pwp_env.start` started it."""
        await self._run(self._sync.close)
        self._threads.shutdown(wait=False)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
