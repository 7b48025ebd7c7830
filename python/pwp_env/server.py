"""Starts a server of this machine, and ends it with its client."""

from __future__ import annotations

import json
import subprocess
from typing import Sequence

from pwp_env.client import Client, PwpError

_STOP_SECONDS = 60.0


def start(
    *tasks: str,
    folder: str | None = None,
    command: Sequence[str] = ("npx", "programming-with-pixels"),
    options: Sequence[str] = (),
    timeout: float = 600.0,
) -> Client:
    """Starts ``pwp serve``, and returns its client. Closing the client ends the server and its sandboxes.

    :param tasks: task folders, folders that contain them, ids, or datasets, as for ``pwp run --task``.
    :param folder: a folder for episodes without a task: a copy of it is the workspace.
    :param command: how to run ``pwp``. Default: ``npx programming-with-pixels``.
    :param options: more options of ``pwp serve``, e.g. ``["--max-episodes", "4"]``.
    :raises PwpError: ``command-missing``, or the server's own reason why it does not start.
    """
    if not tasks and folder is None:
        raise PwpError("usage", "start: expected a task or a folder")
    served = [*([] if folder is None else [folder]), *(["--task", *tasks] if tasks else [])]
    argv = [*command, "serve", *served, "--json", "--end-with-input", *options]
    try:
        # A group of its own: Ctrl-C in a terminal reaches this program first, which then ends the server. Its standard input ends
        # with this program, even if that is killed.
        child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    except OSError as error:
        raise PwpError("command-missing", f"can't run {argv[0]}: {error}", "Give command=, or install Node.js.") from error
    try:
        said = _first_value(child)
    except BaseException:
        _stop(child)
        raise
    client = Client(said["url"], said["token"], timeout=timeout)
    client._on_close.append(lambda: _stop(child))
    return client


def _first_value(child: subprocess.Popen[bytes]) -> dict[str, str]:
    """The first JSON value that the server prints: its address, or its error."""
    text = ""
    assert child.stdout is not None
    for line in child.stdout:
        text += line.decode("utf-8", "replace")
        try:
            said = json.loads(text)
        except ValueError:
            continue
        if "url" in said:
            return {"url": said["url"], "token": said["token"]}
        error = said.get("error", {})
        raise PwpError(error.get("code", "internal"), error.get("message", text), error.get("help"))
    raise PwpError("connect-failed", f"the server ended with {child.wait()} before it listened")


def _stop(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            stream.close()
