"""Trees of files for graders of repositories: what the agent left, copied into a new tree with the tests' own files.

What the agent left is only copied, never followed: a link may lead to the tests.
"""

import filecmp
import os
import shutil
import stat

BASE = "/tests/base"
# The folder that run_code copies into the sandbox of the code.
CODE = "/code"

MOST_FILES = 200_000

# Files that tools leave behind, which no patch has.
LEFT_BEHIND = {".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".vscode"}

# Files that tell a test runner or Python itself what to do before the tests are read.
RUNNER_FILES = {
    ".pytest.ini", ".pytest.toml", "conftest.py", "pyproject.toml", "pytest.ini", "pytest.toml", "setup.cfg", "sitecustomize.py",
    "tox.ini", "usercustomize.py",
}


class TooMany(Exception):
    """More files than are looked at."""


def is_runner_file(path):
    name = os.path.basename(path)
    return name in RUNNER_FILES or name.endswith(".pth")


def files_of(root):
    """Paths of all files and links below a folder, without those that tools leave behind."""
    found = []
    for folder, folders, names in os.walk(root):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        folders[:] = [name for name in folders if name not in LEFT_BEHIND and name not in links]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names + links]
        if len(found) > MOST_FILES:
            raise TooMany(f"there are more than {MOST_FILES} files")
    return {path for path in found if not path.endswith(".pyc")}


def changes(left, base=BASE):
    """Paths that the agent added, changed or removed."""
    before, after = files_of(base), files_of(left)
    both = before & after
    return (before ^ after) | {path for path in both if differ(os.path.join(base, path), os.path.join(left, path))}


def differ(one, other):
    if os.path.islink(one) or os.path.islink(other):
        return not (os.path.islink(one) and os.path.islink(other) and os.readlink(one) == os.readlink(other))
    if not stat.S_ISREG(os.lstat(other).st_mode):
        return True
    return not filecmp.cmp(one, other, shallow=False)


def lay_out(source, target=CODE):
    """Makes the target a copy of a folder, links as links."""
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    for path in files_of(source):
        put(os.path.join(source, path), target, path)


def put(file, target, path):
    """Copies a file to a path below a folder, and replaces what is in its way."""
    place = cleared(target, path)
    if os.path.islink(file):
        os.symlink(os.readlink(file), place)
    elif stat.S_ISREG(os.lstat(file).st_mode):
        shutil.copyfile(file, place)
        shutil.copymode(file, place)


def write(text, target, path):
    with open(cleared(target, path), "w", encoding="utf-8") as file:
        file.write(text)


def remove(target, path):
    """Removes what is at a path below a folder, and follows no link on the way."""
    at = target
    for part in path.split("/"):
        at = os.path.join(at, part)
        if os.path.islink(at) or os.path.isfile(at):
            os.remove(at)
            return
    shutil.rmtree(at, ignore_errors=True)


def cleared(target, path):
    """The place for a new file, with folders above it that are folders, not links."""
    at = target
    for part in path.split("/")[:-1]:
        at = os.path.join(at, part)
        if os.path.islink(at) or os.path.isfile(at):
            os.remove(at)
        os.makedirs(at, exist_ok=True)
    remove(target, path)
    return os.path.join(target, path)


def overlay(source, removed, target=CODE):
    """Copies the files of a folder over the target, and removes the given paths from it."""
    for path in removed:
        remove(target, path)
    if os.path.isdir(source):
        for path in files_of(source):
            put(os.path.join(source, path), target, path)
