"""The object that set-up and evaluation scripts of PwP's folders take for their container.

Their home, /home/devuser, is the agent's. In it the folder `evaluation` is the workspace, and the settings of VS Code are
where they look for them. Windows and clicks of a set-up have no effect: the IDE is open on the workspace already.
"""

import io
import os
import re
import shutil
import sys
import tarfile
import types

WORKSPACE = "/home/devuser/evaluation"
HOME = "/home/devuser"
# Where their folders are here, the longest first. In the sandbox these are links too, but the agent can replace those.
PLACES = [
    (f"{HOME}/.config/Code - OSS/User", "/ide/data/User"),
    (WORKSPACE, "/workspace"),
    (f"{HOME}/project", "/workspace"),
    (HOME, "/root"),
]
# Programs of the desktop, which are not run.
DESKTOP = re.compile(r"^\s*(?:code|wmctrl|xdotool|xrandr|import|scrot)\b")


class NotFound(Exception):
    pass


def stub_docker():
    """They import it for its errors alone."""
    docker = types.ModuleType("docker")
    docker.errors = types.ModuleType("docker.errors")
    docker.errors.NotFound = NotFound
    docker.errors.APIError = type("APIError", (Exception,), {})
    docker.errors.ImageNotFound = type("ImageNotFound", (Exception,), {})
    docker.from_env = lambda: unavailable("images of Docker")
    sys.modules.update({"docker": docker, "docker.errors": docker.errors})


def unavailable(what):
    raise NotImplementedError(f"{what} are not available here")


class AnyText:
    """The text of a mark of which they only ask whether a name is in it."""

    def __contains__(self, _):
        return True


class Archives:
    """`env.container`: files as archives."""

    def get_archive(self, path):
        path = placed(path)
        path = os.path.join(inside(os.path.dirname(path)), os.path.basename(path))
        if not os.path.lexists(path):
            raise NotFound(path)
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w") as tar:
            tar.add(path, arcname=os.path.basename(path))
        return iter([data.getvalue()]), {"name": os.path.basename(path), "size": len(data.getvalue())}

    def put_archive(self, path, data):
        raw = data if isinstance(data, bytes) else data.read()
        path = inside(path)
        os.makedirs(path, exist_ok=True)
        with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
            tar.extractall(path, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(path)
        return True


def placed(path):
    """Where a path of theirs is here."""
    full = os.path.normpath(os.path.join(WORKSPACE, path))
    for theirs, ours in PLACES:
        if full == theirs or full.startswith(f"{theirs}/"):
            return ours + full[len(theirs):]
    return full


def inside(path):
    """Where a path leads, which the agent may have made a link: never to the tests and what they expect."""
    real = os.path.realpath(placed(path))
    if any(real == at or real.startswith(f"{at}/") for at in ("/tests", "/logs", "/opt/pwp")):
        raise NotFound(path)
    return real


def ordinary(path):
    real = inside(path)
    if not os.path.isfile(real):
        raise NotFound(path)
    return real


class Container:
    """
    @param execute runs a command in a folder; answers its output and its exit code
    @param desktop answers a command that starts or moves windows
    """

    def __init__(self, execute, desktop):
        self.container = Archives()
        self.execute = execute
        self.desktop = desktop

    def run_command(self, command, wait=None, workdir=WORKSPACE, **_):
        text = " ".join(command) if isinstance(command, (list, tuple)) else command
        if re.match(r"^\s*code\s+--list-extensions", text):
            return "\n".join(extensions()), 0
        if DESKTOP.match(text):
            return self.desktop(text)
        return self.execute(text, workdir)

    def step(self, command):
        output, code = self.run_command(command)
        return {"output": output, "exit_code": code}

    def file_write(self, path, text):
        target = inside(path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)

    def file_read(self, path):
        with open(ordinary(path), encoding="utf-8") as file:
            return file.read()

    def copy_to_container(self, source, target):
        target = inside(target)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(source, target)

    def copy_from_container(self, source, target):
        shutil.copyfile(ordinary(source), target)

    def is_process_running(self, _):
        return True

    def is_window_present(self, _):
        return True

    def render(self):
        return None

    def get_som_image(self, _):
        return [[None, {"1": (0, 0)}, None, {"1": AnyText()}]]


def extensions():
    """Identifiers, from the folders that VS Code has them in."""
    folder = "/ide/extensions"
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted({re.sub(r"-\d+\.\d+.*$", "", name) for name in names if "." in name and not name.endswith(".json")})
