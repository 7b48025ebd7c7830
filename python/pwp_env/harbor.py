"""An environment for Harbor, and a verifier that asks our grader. Needs ``harbor``.

    pwp serve --task my-tasks            # and PWP_SERVER and PWP_TOKEN as it prints them
    harbor run -p my-tasks -a mini-swe-agent -m … \
        --environment-import-path pwp_env.harbor:PwpEnvironment --verifier-import-path pwp_env.harbor:PwpVerifier

The agent's commands run in the sandbox of an episode of the task, beside a live VS Code, as the agent's user.
"""

# Harbor has types, but does not say so.
# mypy: disable-error-code="import-untyped, misc"
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import shlex
import uuid
from pathlib import Path
from typing import Any

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.environments.tar_transfer import extract_dir_from_bytes, pack_dir_to_bytes, remote_unpack_command
from harbor.models.verifier.result import VerifierResult
from harbor.verifier.base import BaseVerifier

from pwp_env.aio import AsyncClient, AsyncEpisode
from pwp_env.client import PwpError

_PACK_SECONDS = 600


class PwpEnvironment(BaseEnvironment):
    """A task of a server, chosen by its name. The server builds its image and gives it its network, both as the task says."""

    _client: AsyncClient | None = None
    _episode: AsyncEpisode | None = None

    @staticmethod
    def type() -> str:
        return "pwp"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(
            disable_internet=True,
            network_allowlist=True,
            network_allowlist_hostnames=True,
            network_allowlist_wildcard_hostnames=True,
            network_allowlist_ipv4_addresses=True,
            network_allowlist_ipv6_addresses=True,
        )

    @property
    def episode(self) -> AsyncEpisode:
        """For what Harbor has no word for: the screen, steps, checkpoints, forks, the grade."""
        if self._episode is None:
            raise PwpError("not-reset", "the environment has not been started")
        return self._episode

    def _validate_definition(self) -> None:
        if self.network_policy != self.task_env_config.resolve_baseline():
            raise ValueError("the server gives a task the network that its task.toml names, and no other")

    async def start(self, force_build: bool) -> None:
        self._client = AsyncClient()
        ids = [task.id for task in await self._client.tasks()]
        found = [one for one in ids if one.rsplit("/", 1)[-1] == self.environment_name]
        if not found:
            raise RuntimeError(f"the server has no task {self.environment_name}: start it with --task <its folder>")
        self._episode = await self._client.open(found[0], picture="none")
        await self.ensure_dirs(self._mount_targets(writable_only=True))

    async def stop(self, delete: bool) -> None:
        if self._episode is not None:
            await self._episode.close()
        if self._client is not None:
            await self._client.close()

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        wanted = self._resolve_user(user)
        if wanted not in (None, "root", 0, "0"):
            raise ValueError(f"commands run as the agent's user, not as {wanted}")
        done = await self.episode.exec(
            ["bash", "-c", command],
            cwd=cwd or self.task_env_config.workdir or ".",
            env=self._merge_env(env),
            timeout=timeout_sec or 86_400,
        )
        if done.timed_out:
            raise RuntimeError(f"Command timed out after {timeout_sec} seconds")
        code = -1 if done.exit_code is None else done.exit_code
        return ExecResult(stdout=done.stdout, stderr=done.stderr, return_code=code)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        source = Path(source_path)
        await self.episode.write_file(target_path, source.read_bytes())
        await self._must(f"chmod {source.stat().st_mode & 0o777:o} {shlex.quote(target_path)}")

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        packed = _temporary()
        await self.episode.write_file(packed, pack_dir_to_bytes(source_dir, compress=True, include_root=False).getvalue())
        unpack = remote_unpack_command(packed, target_dir, no_same_owner=True)
        await self._must(f"{unpack}; code=$?; rm -f {packed}; exit $code")

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        content = await self.episode.read_file(source_path)
        Path(target_path).parent.mkdir(parents=True, exist_ok=True)
        Path(target_path).write_bytes(content)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        packed = _temporary()
        await self._must(f"tar -czf {packed} -C {shlex.quote(source_dir)} .")
        content = await self.episode.read_file(packed)
        await self._must(f"rm -f {packed}")
        extract_dir_from_bytes(content, target_dir)

    async def _must(self, command: str) -> None:
        done = await self.exec(command, timeout_sec=_PACK_SECONDS)
        if done.return_code != 0:
            raise RuntimeError(f"{command}: {done.stderr or done.stdout}")


class PwpVerifier(BaseVerifier):
    """Scores what the agent left by the task's tests, in a sandbox that it never touched. An unknown score is an error."""

    async def verify(self) -> VerifierResult:
        environment: Any = self.environment
        if not isinstance(environment, PwpEnvironment):
            raise TypeError("PwpVerifier needs --environment-import-path pwp_env.harbor:PwpEnvironment")
        grade = await environment.episode.grade()
        self.trial_paths.verifier_dir.mkdir(parents=True, exist_ok=True)
        (self.trial_paths.verifier_dir / "test-stdout.txt").write_text(grade.log)
        if grade.reward is None:
            raise RuntimeError(f"the reward is unknown: {grade.why}")
        return VerifierResult(rewards={"reward": grade.reward})


def _temporary() -> str:
    return f"/tmp/.pwp-{uuid.uuid4().hex}.tar.gz"
