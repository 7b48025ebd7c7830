"""Puts the benchmark's own files back into what the agent left, and takes out what decides how tests run."""

import os
import re
import shutil
import stat

from pwp_checks import Failed

# Packages of the image among them.
MOST_BYTES = 3 * 1024 * 1024 * 1024
MOST_FILES = 400_000

# Files that a runner or an interpreter reads by itself, wherever they are.
CONFIGURING = re.compile(
    r"^(conftest\.py|pytest\.ini|tox\.ini|\.pytest\.ini|sitecustomize\.py|usercustomize\.py|.*\.pth|jest\.config\.[cm]?[jt]s)$"
)
# Modules in the place of the runner's own.
SHADOWING = ("pytest", "_pytest", "pluggy", "py", "iniconfig")
# Files of an installed package, which can make it a plugin of pytest's.
PACKAGE_INFO = re.compile(r"\.(dist-info|egg-info)$")
# Reports and compiled files of earlier runs.
STALE = ("__pycache__", ".pytest_cache", "surefire-reports", "test-results")


def assert_bounded(root):
    """A tree that is too large to be copied is not an answer."""
    size = count = 0
    for folder, folders, names in os.walk(root):
        for name in names:
            size += os.lstat(os.path.join(folder, name)).st_size
        count += len(names) + len(folders)
        if size > MOST_BYTES or count > MOST_FILES:
            raise Failed(f"the workspace has more than {MOST_BYTES >> 20} MiB or {MOST_FILES} files")


def put_back(root, source, replaced, kept, own=()):
    """
    @param source folder of the files to put back, by their path in the code base
    @param replaced folders of the code base whose whole content is the benchmark's
    @param kept paths that the reference solution changes itself: they stay as they are
    @param own names at the top of the code base as it was given
    """
    files = {os.path.relpath(os.path.join(at, name), source) for at, _, names in os.walk(source) for name in names}
    remove_foreign(root, files | set(kept), set(own))
    for folder in replaced:
        remove_but(root, folder, kept)
    for path in sorted(files):
        write(root, path, os.path.join(source, path))


def remove_foreign(root, allowed, own):
    for folder, folders, names in os.walk(root):
        at_top = folder == root
        for name in [*folders, *names]:
            full = os.path.join(folder, name)
            path = os.path.relpath(full, root)
            shadows = at_top and is_found_first(name, own)
            if name in STALE or ((CONFIGURING.match(name) or shadows) and not any(is_in(one, path) for one in allowed)):
                remove(full)
        folders[:] = [name for name in folders if os.path.isdir(os.path.join(folder, name)) and name != "node_modules"]


def is_found_first(name, own):
    """Whether what is at the top takes the place of a module of the runner's, or adds a plugin to it."""
    return name.removesuffix(".py") in SHADOWING or (PACKAGE_INFO.search(name) is not None and name not in own)


def is_in(path, folder):
    return path == folder or path.startswith(f"{folder}/")


def remove_but(root, folder, kept):
    """Removes what is in a folder, except files that stay."""
    top = os.path.join(root, folder)
    if os.path.islink(top) or not os.path.isdir(top):
        remove(top)
        return
    for at, folders, names in os.walk(top, topdown=False):
        for name in [*names, *folders]:
            full = os.path.join(at, name)
            path = os.path.relpath(full, root)
            if not any(is_in(one, path) for one in kept):
                remove(full)


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def write(root, path, source):
    """Links of the agent's on the way are removed, never followed."""
    at = root
    *above, name = path.split("/")
    for part in above:
        at = os.path.join(at, part)
        if os.path.islink(at) or (os.path.lexists(at) and not os.path.isdir(at)):
            os.unlink(at)
        os.makedirs(at, exist_ok=True)
    target = os.path.join(at, name)
    remove(target)
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
        return
    shutil.copyfile(source, target)
    os.chmod(target, stat.S_IMODE(os.stat(source).st_mode))
