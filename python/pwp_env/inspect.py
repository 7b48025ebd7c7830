"""A sandbox provider for Inspect. Needs ``inspect-ai``, which finds it by itself.

    @task
    def my_eval():
        return Task(dataset=…, solver=…, sandbox=("pwp", "vscode/autosave-500"))

The second part is the id of a task of the server of ``PWP_SERVER``; it may be left out if the server has one alone. For an eval
without a task of ours: ``pwp serve <folder> --image <image>``.
"""

from __future__ import annotations

import functools
import uuid
from typing import Any, Callable, Literal, TypeVar, overload

import anyio.to_thread
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUserUnsupportedError,
    sandboxenv,
)

from pwp_env.client import Client, Episode, PwpError

_R = TypeVar("_R")

_MOST_STDIN = 500_000
"""Characters of standard input in one request."""
_RUN = 'exec "$@"'
_RUN_ON_FILE = 'exec < "$0" && rm -f "$0" && exec "$@"'
_NOT_PERMITTED = 126
"""A shell's exit code for a program that it may not run."""


@sandboxenv(name="pwp")  # pyright: ignore[reportUntypedClassDecorator]
class PwpSandbox(SandboxEnvironment):
    """The sandbox of an episode, in which commands run as the agent's user, beside a live VS Code."""

    def __init__(self, episode: Episode) -> None:
        super().__init__()
        self.episode = episode
        """For what Inspect has no word for: the screen, steps, checkpoints, forks, the task's own grade."""
        self._users: list[str] | None = None

    @classmethod
    def default_concurrency(cls) -> int | None:
        return int(Client().health()["capacity"])

    @classmethod
    async def sample_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        if config is not None and not isinstance(config, str):
            raise TypeError("the sandbox's configuration is the id of a task of the server")
        return {"default": cls(await _run(_open, config))}

    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        for environment in environments.values():
            await _run(environment.as_type(PwpSandbox).episode.close)

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        if user is not None:
            await self._check_user(user)
        text = input if isinstance(input, str) else ""
        argv = ["sh", "-c", _RUN, "sh", *cmd]
        if isinstance(input, bytes) or len(text) > _MOST_STDIN:
            file = f"/tmp/.stdin-{uuid.uuid4().hex}"
            await self.write_file(file, input or "")
            text, argv = "", ["sh", "-c", _RUN_ON_FILE, file, *cmd]
        given: dict[str, Any] = {} if timeout is None else {"timeout": timeout}
        done = await _run(self.episode.exec, argv, cwd=cwd or ".", env=env, stdin=text, **given)
        if done.timed_out:
            raise TimeoutError(f"the command took more than {timeout or 600} seconds")
        if done.truncated:
            raise OutputLimitExceededError("4 MiB", done.stdout)
        if done.exit_code == _NOT_PERMITTED and "ermission denied" in done.stderr:
            raise PermissionError(done.stderr.strip())
        code = -1 if done.exit_code is None else done.exit_code
        return ExecResult(code == 0, code, done.stdout, done.stderr)

    async def write_file(self, file: str, contents: str | bytes) -> None:
        try:
            await _run(self.episode.write_file, file, contents)
        except PwpError as error:
            raise _as_os_error(error) from error

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        try:
            content = await _run(self.episode.read_file, file, most=SandboxEnvironmentLimits.MAX_READ_FILE_SIZE)
        except PwpError as error:
            if error.code == "too-large":
                raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None) from error
            raise _as_os_error(error) from error
        return content.decode() if text else content

    async def _check_user(self, user: str) -> None:
        if self._users is None:
            self._users = (await _run(self.episode.exec, ["sh", "-c", "id -u; id -un"])).stdout.split()
        if user not in self._users:
            raise SandboxUserUnsupportedError(f"commands run as the agent's user, {self._users[-1]}, not as {user}")


def _open(config: str | None) -> Episode:
    client = Client()
    # Inspect takes a text for a file's path, and writes the folder of the eval before it.
    named = [task.id for task in client.tasks() if config and f"/{config}".endswith(f"/{task.id}")]
    return client.open(named[0] if named else config, picture="none")


def _as_os_error(error: PwpError) -> Exception:
    kinds = {"ENOENT": FileNotFoundError, "EACCES": PermissionError, "EPERM": PermissionError, "EISDIR": IsADirectoryError}
    kind = kinds.get(error.message.split(":", 1)[0])
    return error if kind is None else kind(error.message)


async def _run(call: Callable[..., _R], *args: Any, **kwargs: Any) -> _R:
    return await anyio.to_thread.run_sync(functools.partial(call, *args, **kwargs))
