#!/usr/bin/python3 -IS
"""In the place of a program that installs or fetches, for tests that run without a network. It is called by that name.

What is to be installed must be in the image; what is to be fetched must be an installer of such. `uvx pytest` and
`uv run pytest` run the image's pytest, without the options of plug-ins that only write further reports.
"""

import importlib.machinery
import os
import re
import shutil
import sys

name, words = os.path.basename(sys.argv[0]), sys.argv[1:]
IGNORED = ("pytest-json-ctrf", "pytest-timeout", "uv", "curl", "wget", "ca-certificates", "gnupg", "python3-pip", "python3-venv")
MODULES = {"pillow": "PIL", "python-dateutil": "dateutil", "pyyaml": "yaml", "beautifulsoup4": "bs4"}


def fail(why):
    sys.exit(f"{name}: {why}; there is no network here, and the image does not have it")


def is_here(package):
    plain = re.split(r"[@=<>~!;\[]", package.lower())[0]
    module = MODULES.get(plain, plain.removeprefix("python3-").replace("-", "_"))
    found = importlib.machinery.PathFinder.find_spec(module, ["/usr/lib/python3/dist-packages", "/usr/lib/python3.11"])
    return plain in IGNORED or found is not None or shutil.which(plain, path="/usr/bin:/bin:/opt/node/bin") is not None


def install(packages):
    missing = [one for one in packages if not one.startswith(("-", ".")) and not is_here(one)]
    if missing:
        fail(f"can't install {', '.join(missing)}")


def run_pytest(rest):
    """From its own place: a module of the agent's can't be in its place."""
    kept, skip = [], False
    for word in rest:
        if not skip and word != "--ctrf" and not word.startswith(("--ctrf=", "--timeout=")):
            kept.append(word)
        skip = word in ("--ctrf", "--timeout")
    os.execv("/usr/bin/pytest", ["/usr/bin/pytest", "-p", "no:cacheprovider", *kept])


def run_tool(rest):
    """The command after options of uv's own."""
    valued = ("-p", "--python", "-w", "--with", "--from", "--project", "--index-url", "--directory")
    at = 0
    while at < len(rest) and rest[at].startswith("-"):
        if rest[at] in ("-w", "--with"):
            install([rest[at + 1]])
        at += 2 if rest[at] in valued else 1
    command = rest[at:]
    if not command:
        sys.exit(0)
    if re.match(r"^(pytest|py\.test)(@.*)?$", command[0]):
        run_pytest(command[1:])
    if command[:3] == ["python", "-m", "pytest"] or command[:3] == ["python3", "-m", "pytest"]:
        run_pytest(command[3:])
    if not is_here(command[0]):
        fail(f"can't run {command[0]}")
    os.execvp(command[0], command)


if name == "sudo":
    os.execvp(words[0], words)
if name in ("apt", "apt-get"):
    install(words[words.index("install") + 1 :] if "install" in words else [])
elif name in ("pip", "pip3"):
    install(words[1:] if words[:1] == ["install"] else [])
elif name in ("curl", "wget"):
    if not any("astral.sh/uv" in word for word in words):
        fail(f"can't fetch {' '.join(words)}")
elif name == "uvx":
    run_tool(words)
elif name == "uv":
    if words[:1] == ["run"] or words[:2] == ["tool", "run"]:
        run_tool(words[1:] if words[0] == "run" else words[2:])
    if words[:2] == ["pip", "install"] or words[:1] == ["add"]:
        install(words[2:] if words[0] == "pip" else words[1:])
