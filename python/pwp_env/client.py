"""The client of ``pwp serve --task``: docs/serve.md describes the requests."""

from __future__ import annotations

import base64
import http.client
import json
import os
import threading
import time
import uuid
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Mapping, Sequence, Union, cast
from urllib.parse import quote, urlsplit

Action = Union[str, Mapping[str, Any]]
"""``"xdotool key ctrl+s"``, ``"click [12]"``, ``{"tool": "read_file", "arguments": {...}}`` or ``{"computer": {...}}``."""

Picture = Literal["none", "screen", "marks"]
"""What an observation's picture shows: nothing, the screen, or the screen with its marks drawn in."""

_TRIES = 4
_PIECE = 2 * 1024 * 1024
"""Bytes of a file in one request."""


class PwpError(Exception):
    """The server refused a request, or failed at it.

    ``code`` is the kind of failure, as in docs/errors.md; ``help`` says what to do, if anything.
    """

    def __init__(self, code: str, message: str, help: str | None = None) -> None:
        super().__init__(message if help is None else f"{message}\n{help}")
        self.code = code
        self.message = message
        self.help = help


@dataclass(frozen=True)
class Task:
    """A task that the server has."""

    id: str
    instruction: str


@dataclass(frozen=True)
class Tool:
    """A tool of VS Code that :meth:`Episode.call` calls."""

    name: str
    description: str
    family: str
    read_only: bool
    schema: Mapping[str, Any] = field(repr=False)
    """JSON Schema of its arguments."""


@dataclass(frozen=True)
class Observation:
    """What is on the screen. Coordinates are pixels of ``picture``, from its upper left corner."""

    number: int
    """Rises with every observation of an episode. Marks of an older one are refused."""
    width: int
    height: int
    title: str
    text: str
    """All of it in words, for models without pictures."""
    marks: Sequence[Mapping[str, Any]]
    """``id`` (for ``click [id]``), ``role``, ``name``, ``box`` and more of each element."""
    focus: Mapping[str, Any] | None
    picture: bytes | None = field(repr=False)
    """A PNG; None if none was requested."""
    raw: Mapping[str, Any] = field(repr=False)
    """The whole reply of the server."""


@dataclass(frozen=True)
class Outcome:
    """What came of one action."""

    action: str
    effect: str
    """E.g. ``confirmed``, ``refused``: docs/actions.md lists them."""
    evidence: str
    output: str | None


@dataclass(frozen=True)
class Start:
    """The beginning of an episode."""

    task: str
    instruction: str
    origin: str
    """``golden``, ``cold`` or ``fork``: how its sandbox was started; ``joined`` if it ran already."""
    start_ms: float
    observation: Observation


@dataclass(frozen=True)
class Step:
    """What came of a step."""

    step: int
    outcomes: Sequence[Outcome]
    skipped: int
    """Actions after the first failure, which were not tried."""
    truncated: bool
    """The maximum number of steps is reached."""
    observation: Observation

    @property
    def text(self) -> str:
        """The outcomes and the screen in words."""
        return "\n".join([*(f"{one.effect}: {one.evidence}" for one in self.outcomes), self.observation.text])


@dataclass(frozen=True)
class Call:
    """What came of a call of a tool."""

    step: int
    effect: str
    evidence: str
    output: str
    truncated: bool
    """The maximum number of steps is reached."""


@dataclass(frozen=True)
class Exec:
    """What came of a program."""

    exit_code: int | None
    """None if a signal or its time-out ended it."""
    stdout: str
    stderr: str
    truncated: bool
    """It wrote more than is here: 4 MiB of each."""
    timed_out: bool


@dataclass(frozen=True)
class Grade:
    """The score of what the agent left."""

    reward: float | None
    """0 to 1. None: unknown, which is not 0. ``why`` says why."""
    why: str | None
    checks: Sequence[Mapping[str, Any]]
    log: str = field(repr=False)


class Client:
    """A connection to a server. Threads may share it: each has its own socket.

    :param url: the server's address, e.g. ``http://127.0.0.1:8123``. Default: ``PWP_SERVER``.
    :param token: its token. Default: ``PWP_TOKEN``.
    :param timeout: seconds to wait for a reply before the request is repeated. The server does nothing twice.
    :param labels: of workers that may have the episodes, e.g. ``["docker"]``, if the server is a front (docs/scale.md).
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 600.0,
        labels: Sequence[str] = (),
    ) -> None:
        url = url or os.environ.get("PWP_SERVER", "")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise PwpError("usage", f"{url!r} is not the address of a server", "Give url=, or set PWP_SERVER.")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._token = token if token is not None else os.environ.get("PWP_TOKEN", "")
        self._timeout = timeout
        self._labels = ",".join(labels)
        self._local = threading.local()
        self._connections: list[http.client.HTTPConnection] = []
        self._on_close: list[Any] = []

    def tasks(self) -> list[Task]:
        """The tasks that the server has."""
        return [Task(one["id"], one["instruction"]) for one in self._request("GET", "/tasks")["tasks"]]

    def tools(self) -> list[Tool]:
        """The tools that an agent can call."""
        return [
            Tool(one["name"], one["description"], one["family"], one["readOnly"], one["inputSchema"])
            for one in self._request("GET", "/tools")["tools"]
        ]

    def health(self) -> Mapping[str, Any]:
        """``status``, ``version``, ``episodes`` (open now) and ``capacity``."""
        return self._request("GET", "/health")

    def open(self, task: str | None = None, *, picture: Picture = "screen") -> Episode:
        """Starts an episode in a sandbox of its own. Close it, or use it as a context manager.

        :param task: id of one of :meth:`tasks`; may be left out if there is one alone.
        :raises PwpError: ``no-such-task``, ``too-many-episodes``, or why the sandbox could not be started.
        """
        asked = {"picture": picture, **({} if task is None else {"task": task})}
        return Episode(self, self._request("POST", "/episodes", asked), picture)

    def episode(self, id: str, *, picture: Picture = "screen") -> Episode:
        """Takes up an episode that runs, by its id. Its ``start`` has neither task nor instruction.

        :raises PwpError: ``no-such-episode``.
        """
        seen = self._request("POST", f"/episodes/{quote(id, safe='')}/observe", {"picture": picture})
        return Episode(self, {"task": "", "instruction": "", "from": "joined", "startMs": 0.0, **seen}, picture)

    def close(self) -> None:
        """Closes the connections, and the server if :func:`pwp_env.start` started it."""
        while self._connections:
            self._connections.pop().close()
        while self._on_close:
            self._on_close.pop()()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *, patience: float = 0.0
    ) -> dict[str, Any]:
        """:param patience: seconds that the server may take, in which a repetition does not count."""
        until = time.monotonic() + patience
        sent = None if body is None else json.dumps({"request": uuid.uuid4().hex, **body}).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        if self._labels:
            headers["X-PWP-Labels"] = self._labels
        left = _TRIES
        while True:
            try:
                connection = self._connection()
                connection.request(method, path, sent, headers)
                reply = connection.getresponse()
                return _read_reply(reply.status, reply.read(), f"{method} {path}")
            except (OSError, http.client.HTTPException) as error:
                # The request has an id, so that a server that has done it sends its reply again.
                self._drop()
                left -= not isinstance(error, TimeoutError) or time.monotonic() > until
                if left == 0:
                    raise PwpError("connect-failed", f"{method} {path}: {error or type(error).__name__}") from error

    def _connection(self) -> http.client.HTTPConnection:
        kept: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if kept is None:
            kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
            kept = self._local.connection = kind(self._host, self._port, timeout=self._timeout)
            self._connections.append(kept)
        return kept

    def _drop(self) -> None:
        kept: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if kept is not None:
            kept.close()
            self._local.connection = None
            if kept in self._connections:
                self._connections.remove(kept)


class Episode:
    """One task in a live VS Code. Its requests are done one after the other."""

    def __init__(self, client: Client, reply: Mapping[str, Any], picture: Picture) -> None:
        self.client = client
        self._picture: Picture = picture
        self.id: str = reply["episode"]
        self.start = _start(reply)
        self.observation = self.start.observation
        """The newest one."""

    @property
    def instruction(self) -> str:
        """What the agent is asked to do."""
        return self.start.instruction

    def reset(self) -> Start:
        """Starts over in the task's initial state, in a fresh sandbox."""
        self.start = _start(self._look("reset"))
        self.observation = self.start.observation
        return self.start

    def step(self, actions: Action | Sequence[Action], *, picture: Picture | None = None) -> Step:
        """Does actions in order, waits until the IDE is at rest, and looks.

        An action that can't be read or is refused is an :class:`Outcome`, not an exception.
        """
        listed = [actions] if isinstance(actions, (str, Mapping)) else list(actions)
        reply = self._look("step", picture, actions=listed)
        outcomes = [Outcome(one["action"], one["effect"], one["evidence"], one.get("output")) for one in reply["outcomes"]]
        return Step(reply["step"], outcomes, reply["skipped"], reply["truncated"], self.observation)

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None) -> Call:
        """Calls one of :meth:`Client.tools`, as a step, and does not look."""
        reply = self._call("tool", name=tool, arguments=dict(arguments or {}))
        return Call(reply["step"], reply["effect"], reply["evidence"], reply["output"], reply["truncated"])

    def exec(
        self,
        argv: Sequence[str],
        *,
        cwd: str = ".",
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        timeout: float = 600.0,
    ) -> Exec:
        """Runs a program in the sandbox as the agent's user, beside the IDE: no step. What it leaves running is ended.

        :param cwd: its folder, relative to the workspace.
        :param stdin: its standard input, up to 1 MiB.
        :param timeout: seconds.
        :raises PwpError: ``exec-failed`` if it can't be started.
        """
        asked = {"argv": list(argv), "cwd": cwd, "env": dict(env or {}), "stdin": stdin, "timeout": timeout}
        reply = self.client._request("POST", self._path("exec"), asked, patience=timeout)
        return Exec(reply["exitCode"], reply["stdout"], reply["stderr"], reply["truncated"], reply["timedOut"])

    def read_file(self, path: str, *, most: int = 1 << 30) -> bytes:
        """Reads a file as the agent's user.

        :param path: relative to the workspace.
        :raises PwpError: ``no-such-file``; ``exec-failed`` with the system's word, e.g. ``EACCES`` or ``EISDIR``; ``too-large``
            for more than ``most`` bytes.
        """
        content = bytearray()
        while True:
            reply = self._call("read_file", path=path, offset=len(content))
            content += base64.b64decode(reply["content"])
            if len(content) > most:
                raise PwpError("too-large", f"{path} has more than {most} bytes")
            if reply["end"]:
                return bytes(content)

    def write_file(self, path: str, content: bytes | str) -> None:
        """Writes a file as the agent's user. Missing folders are made.

        :param path: relative to the workspace.
        :raises PwpError: ``exec-failed`` with the system's word, e.g. ``EACCES`` or ``EISDIR``.
        """
        data = content.encode() if isinstance(content, str) else content
        for start in range(0, max(len(data), 1), _PIECE):
            piece = base64.b64encode(data[start : start + _PIECE]).decode()
            self._call("write_file", path=path, content=piece, append=start > 0)

    def observe(self, *, picture: Picture | None = None) -> Observation:
        """Looks without acting."""
        self._look("observe", picture)
        return self.observation

    def checkpoint(self, name: str | None = None) -> str:
        """Saves the IDE with its running programs and unsaved text. Returns the checkpoint's id."""
        found: str = self._call("checkpoint", **({} if name is None else {"name": name}))["checkpoint"]
        return found

    def restore(self, checkpoint: str, *, picture: Picture | None = None) -> Observation:
        """Returns to a checkpoint."""
        self._look("restore", picture, checkpoint=checkpoint)
        return self.observation

    def fork(self, count: int = 1, *, checkpoint: str | None = None) -> list[Episode]:
        """New episodes in the state of this one, or of a checkpoint. Close each of them; this one continues."""
        chosen = {} if checkpoint is None else {"checkpoint": checkpoint}
        reply = self._call("fork", count=count, picture=self._picture, **chosen)
        return [Episode(self.client, one, self._picture) for one in reply["forks"]]

    def grade(self) -> Grade:
        """Scores what the agent left, in a sandbox that it never touched."""
        reply = self._call("grade")
        return Grade(reply["reward"], reply.get("why"), reply["checks"], reply["log"])

    def close(self) -> None:
        """Ends the episode with its sandbox. An episode that has ended already is no error."""
        try:
            self.client._request("DELETE", f"/episodes/{quote(self.id, safe='')}")
        except PwpError as error:
            if error.code != "no-such-episode":
                raise

    def __enter__(self) -> Episode:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _call(self, call: str, /, **given: Any) -> dict[str, Any]:
        return self.client._request("POST", self._path(call), given)

    def _path(self, call: str) -> str:
        return f"/episodes/{quote(self.id, safe='')}/{call}"

    def _look(self, name: str, picture: Picture | None = None, **given: Any) -> dict[str, Any]:
        reply = self._call(name, picture=picture or self._picture, **given)
        self.observation = _observation(reply["observation"])
        return reply


def _read_reply(status: int, text: bytes, asked: str) -> dict[str, Any]:
    reply = _read_object(text)
    if status == 200 and reply is not None:
        return reply
    if reply is not None and "error" in reply:
        error = reply["error"]
        raise PwpError(error["code"], error["message"], error.get("help"))
    words = text[:200].decode("utf-8", "replace").strip()
    help = "Give token=, or set PWP_TOKEN." if status == 401 else None
    raise PwpError("protocol-error", f"{asked}: the server answered {status}: {words}", help)


def _read_object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _start(reply: Mapping[str, Any]) -> Start:
    observation = _observation(reply["observation"])
    return Start(reply["task"], reply["instruction"], reply["from"], reply["startMs"], observation)


def _observation(seen: Mapping[str, Any]) -> Observation:
    picture = seen.get("picture")
    return Observation(
        number=seen["number"],
        width=seen["width"],
        height=seen["height"],
        title=seen["title"],
        text=seen["text"],
        marks=seen["marks"],
        focus=seen["focus"],
        picture=None if picture is None else base64.b64decode(picture),
        raw=seen,
    )
