"""Takes out of the workspace what has a program that tests start run something else: settings of Git, npm, Cargo, Maven and
pytest that the agent left there. What the task's own words name is the agent's to set: it stays."""

import os
import re
import shutil
import subprocess

SYSTEM = frozenset(
    "bin boot dev etc ide lib lib32 lib64 libx32 logs media mnt opt own proc root run sbin srv sys tests tmp usr var workspace".split()
)

# Of our image: the one that tests run in may have none.
GIT = "/.pwp/usr/lib/pwp/bin/git"

# This sandbox: a folder that it is made with, which nothing is in.
BEGAN = os.lstat("/desk").st_ctime_ns

# Keys of a repository's own settings that start programs or read other settings, and the word of a task that is about such.
GIT_KEYS = (
    ("hook", r"core\.hookspath"),
    ("fsmonitor", r"core\.fsmonitor"),
    ("filter", r"filter\..*"),
    ("diff", r"diff\.(external|.*\.(command|textconv))|interactive\.difffilter|difftool\..*"),
    ("merge", r"merge\..*\.driver|mergetool\..*"),
    ("alias", r"alias\..*"),
    ("include", r"include(if)?\..*"),
    ("pager", r"core\.pager|pager\..*"),
    ("editor", r"core\.editor|sequence\.editor"),
    ("ssh", r"core\.(sshcommand|gitproxy|askpass)|credential\..*|gpg\..*"),
)
# Lines of an .npmrc that change how npm runs scripts.
NPM_LINE = re.compile(r"^\s*(script-shell|node-options|shell|git|ignore-scripts|prefix|init-module)\s*=", re.I)
CARGO_KEY = re.compile(r"^\s*(runner|rustc|rustc-wrapper|rustc-workspace-wrapper|rustdoc)\s*=|\balias\b", re.M)


def settle(root, words):
    """
    @param root the folder that tests are started in
    @param words those of the task, in lower case
    @return what was taken out, as lines for people
    """
    said = []
    for folder in {root, "/root", *own_folders()}:
        for repository in repositories(folder):
            said += clean_repository(repository, words)
    said += clean_npm(os.path.join(root, ".npmrc"), words)
    said += clean_cargo(os.path.join(root, ".cargo"), words)
    if "mvn" not in words and "maven" not in words:
        said += removed(os.path.join(root, ".mvn"))
    if not words & {"pytest11", "entry_points", "plugin", "plugins"}:
        said += clean_plugins(root)
    return said


def own_folders():
    """Folders at the top with files of the agent's in them: those that a task names."""
    paths = [f"/{name}" for name in os.listdir("/") if name not in SYSTEM]
    return [path for path in paths if os.path.isdir(path) and not os.path.islink(path) and is_changed(path)]


def repositories(root):
    """Folders with files of the agent's that Git may read settings from, bare repositories included; no link is followed."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if is_changed(os.path.join(folder, name))]
        if "config" in names and ("objects" in os.listdir(folder) or folder.endswith(".git")):
            yield folder


def is_changed(path):
    """
    Whether a folder is not as its image has it. What the agent left was written when this sandbox had been made, and so
    were all folders above it; no one can set that time. An image may have any number of other folders.
    """
    return os.lstat(path).st_ctime_ns >= BEGAN


def clean_repository(folder, words):
    config = os.path.join(folder, "config")
    said = [] if "hook" in words or "hooks" in words else clean_hooks(os.path.join(folder, "hooks"))
    for file in (config, os.path.join(folder, "config.worktree")):
        if os.path.islink(file):
            said += removed(file)
        elif os.path.isfile(file):
            said += clean_git_file(file, words)
    return said


def clean_hooks(folder):
    names = os.listdir(folder) if os.path.isdir(folder) and not os.path.islink(folder) else []
    hooks = [name for name in names if not name.endswith(".sample")]
    return removed(folder) if hooks or os.path.islink(folder) else []


def clean_git_file(file, words):
    keys = [key for word, key in GIT_KEYS if not words & {word, f"{word}s"}]
    pattern = re.compile(f"^({'|'.join(keys)})$", re.I | re.S)
    listed = git("-f", file, "--name-only", "--list", "-z")
    if listed.returncode != 0:
        return []
    found = sorted({key for key in listed.stdout.split("\0") if pattern.match(key)})
    for key in found:
        git("-f", file, "--unset-all", key)
    return [f"{file}: {key}" for key in found]


def git(*words):
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run([GIT, "config", *words], cwd="/", env=env, capture_output=True, text=True, errors="replace", check=False)


def clean_npm(file, words):
    if "npmrc" in words or not os.path.isfile(file) or os.path.islink(file):
        return removed(file) if os.path.islink(file) else []
    with open(file, encoding="utf-8", errors="replace") as opened:
        lines = opened.read().splitlines()
    kept = [line for line in lines if not NPM_LINE.match(line)]
    if len(kept) == len(lines):
        return []
    with open(file, "w", encoding="utf-8") as opened:
        opened.write("\n".join(kept) + "\n")
    return [f"{file}: {len(lines) - len(kept)} lines"]


def clean_cargo(folder, words):
    """The whole file: it has no other use than to change how Cargo works."""
    said = []
    for name in () if "cargo" in words and "config" in words else ("config", "config.toml"):
        file = os.path.join(folder, name)
        if os.path.islink(file):
            said += removed(file)
        elif os.path.isfile(file):
            with open(file, encoding="utf-8", errors="replace") as opened:
                said += removed(file) if CARGO_KEY.search(opened.read()) else []
    return said


def clean_plugins(root):
    """Metadata of an installed package can make it a plugin of pytest's, if it lies where modules are looked for."""
    said = []
    for name in os.listdir(root):
        entry_points = os.path.join(root, name, "entry_points.txt")
        if name.endswith((".dist-info", ".egg-info")) and os.path.isfile(entry_points):
            with open(entry_points, encoding="utf-8", errors="replace") as opened:
                said += removed(entry_points) if "pytest11" in opened.read() else []
    return said


def removed(path):
    if not os.path.lexists(path):
        return []
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)
    return [path]
