"""A server for OpenEnv's own clients, which starts and ends with them.

    from openenv.core.generic_client import GenericEnvClient

    with GenericEnvClient(provider=pwp_env.openenv.Provider("vscode/autosave-500"), message_timeout_s=600).sync() as env:
        env.reset(picture="screen")
        result = env.step({"done": True})
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from pwp_env.client import Client
from pwp_env.server import start


class Provider:
    """What OpenEnv's clients call a runtime provider. The arguments are those of :func:`pwp_env.start`."""

    def __init__(self, *tasks: str, **options: Any) -> None:
        self._tasks = tasks
        self._options = options
        self._client: Client | None = None

    def start(self, **_: Any) -> str:
        """Returns the address for clients, with the token in it.

        :raises PwpError: as :func:`pwp_env.start`.
        """
        client = self._client = start(*self._tasks, **self._options)
        return f"http://x:{quote(client._token, safe='')}@{client._host}:{client._port}/openenv"

    def wait_for_ready(self, timeout_s: float = 30.0) -> None:
        """It is ready when it has started."""

    def stop(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = None
