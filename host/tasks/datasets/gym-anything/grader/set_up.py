"""Sets a task up as its owners do, where the agent never is, and answers with the files that this makes.

`/gym/plan.json` has the scripts; the owners' folders are where the scripts expect them. Of what the scripts write, the
agent gets the home folder; the rest, such as hidden files and times, is for the export of its result alone.
"""

import ast
import base64
import json
import os
import re
import shutil
import stat
import sys
import time

sys.path.insert(0, "/gym")
import machine

ANSWER = "/gym-answer.json"
LOG = "/gym-set-up.log"
EXPORT_LOG = "/gym-export.log"
MOST_BYTES = 64 * 1024 * 1024
WORKSPACE = f"{machine.HOME}/workspace"
# Places where scripts leave files; none of the image's own programs are there.
PLACES = ("/tmp", "/var", "/srv", "/etc", "/root", "/mnt", "/data", "/opt", "/home", "/usr/local")
SKIPPED = ("/usr/local/bin", machine.SHARED, "/var/cache", "/var/log", "/var/lib/dpkg", "/var/lib/apt", "/opt/node", "/opt/code-server", "/opt/pwp")
# Left behind by programs in a home folder or a project: they say what the scripts did.
TRACES = re.compile(r"(^|/)(__pycache__|\.pytest_cache|\.cache|\.npm|\.\w*_history|\.lesshst|\.wget-hsts|\.sudo_as_admin_successful)(/|$)|^[^/]*\.log$")
PROGRAMS = "node npm npx java javac mvn gradle gcc g++ make cmake jq git sqlite3 redis-cli redis-server psql docker terraform go cargo ruby php".split()
COMPILERS = {".java": "javac", ".c": "gcc", ".cpp": "g++", ".cc": "g++", ".go": "go", ".rs": "cargo"}


def changed(start):
    """What was made or written since then, the folders before what is in them."""
    for place in PLACES:
        for folder, folders, names in os.walk(place):
            folders[:] = sorted(one for one in folders if f"{folder}/{one}" not in SKIPPED)
            for name in sorted([*folders, *names]):
                path = f"{folder}/{name}"
                info = os.lstat(path)
                if info.st_ctime >= start:
                    yield path, info


def entry(path, info):
    known = {"path": path, "mode": stat.S_IMODE(info.st_mode), "uid": info.st_uid, "gid": info.st_gid}
    if stat.S_ISLNK(info.st_mode):
        return {**known, "kind": "link", "target": os.readlink(path)}
    if stat.S_ISDIR(info.st_mode):
        return {**known, "kind": "folder"}
    if not stat.S_ISREG(info.st_mode):
        return None
    with open(path, "rb") as file:
        content = file.read()
    return {**known, "kind": "file", "content": base64.b64encode(content).decode(), "bytes": len(content)}


def gathered(start):
    home, elsewhere, size = [], [], 0
    for path, info in changed(start):
        below = path.removeprefix(f"{machine.HOME}/")
        is_home = below != path
        if path == machine.HOME or (is_home and TRACES.search(below)):
            continue
        found = entry(path, info)
        if found is None:
            continue
        size += found.pop("bytes", 0)
        if size > MOST_BYTES:
            raise ValueError(f"its files are larger than {MOST_BYTES} bytes")
        (home if is_home else elsewhere).append({**found, "path": below if is_home else path})
    return home, elsewhere


def project_of(opened):
    """The folder below the owners' workspace that VS Code was opened with, else the only one; None for the workspace itself."""
    below = [path.removeprefix(f"{WORKSPACE}/").split("/")[0] for path in opened if path.startswith(f"{WORKSPACE}/")]
    names = below or (os.listdir(WORKSPACE) if os.path.isdir(WORKSPACE) else [])
    folders = [name for name in names if os.path.isdir(f"{WORKSPACE}/{name}") and not os.path.islink(f"{WORKSPACE}/{name}")]
    return folders[0] if folders and (below or len(folders) == 1) else None


def imported(text):
    """Names of modules that Python code needs; not those that it can do without."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    optional = {id(node) for found in ast.walk(tree) if isinstance(found, ast.Try) for node in ast.walk(found)}
    names = set()
    for node in ast.walk(tree):
        if id(node) in optional:
            continue
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


def lacks_of(folder, export, log, code):
    """What the project, its set-up or the export of its result needs and the image does not have."""
    own, wanted, found = set(), imported_by_script(export), set()
    wanted |= set(re.findall(r"ModuleNotFoundError: No module named '(\w+)", log))
    if code != 0:
        found.update(f"program: {name}" for name in re.findall(r"(?m)([\w.+-]+): command not found$", log))
        # A set-up that copes with a failed download goes on.
        found.update(f"download: {address}" for address in machine.notes("fetched"))
    for at, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if one not in ("node_modules", ".git")]
        own.update(folders)
        for name in names:
            stem, ending = os.path.splitext(name)
            if ending == ".py":
                own.add(stem)
                wanted |= imported(machine.read(f"{at}/{name}", 1_000_000))
            if ending in COMPILERS and shutil.which(COMPILERS[ending], path=machine.PATH) is None:
                found.add(f"program: {COMPILERS[ending]}")
            if name == "package.json":
                found.update(f"npm: {one}" for one in packages_of(at))
    found.update(f"Python: {name}" for name in machine.lacking_modules(sorted(wanted - own)))
    found.update(f"program: {name}" for name in PROGRAMS if is_called(name, export) and shutil.which(name, path=machine.PATH) is None)
    return sorted(found)


def exported(command, paths, seconds):
    """Runs the export on the untouched project. Returns its end, and whether it makes a file that the verifier asks for."""
    start = time.time() - 0.02
    code = machine.run_hook(command, seconds, EXPORT_LOG)
    machine.end_all()
    made = [path for path in paths if os.path.isfile(path) and os.lstat(path).st_ctime >= start]
    return {"code": code, "found": not paths or bool(made), "log": machine.read(EXPORT_LOG, 10_000_000)[-2000:]}


def imported_by_script(text):
    lines = re.findall(r"^\s*(?:import (\w+)(?: as \w+)?|from (\w+)[\w.]* import .*)$", text, re.MULTILINE)
    return {one or other for one, other in lines}


def packages_of(folder):
    try:
        read = json.loads(machine.read(f"{folder}/package.json", 1_000_000))
        names = [*read.get("dependencies", {}), *read.get("devDependencies", {})]
    except (ValueError, AttributeError, TypeError):
        return []
    return [name for name in names if not machine.has_npm_package(folder, name)]


def is_called(program, text):
    return re.search(rf"(?m)(?:^|[;&|(`]|\$\(|\bsudo(?: -u \w+)?|\bthen|\bdo)[ \t]*{re.escape(program)}[ \t]", text) is not None


def main():
    with open("/gym/plan.json", encoding="utf-8") as file:
        plan = json.load(file)
    machine.prepare("/gym/stand_in.py", machine.CLOCK)
    os.makedirs(WORKSPACE, exist_ok=True)
    for path in (machine.HOME, WORKSPACE):
        os.chown(path, machine.UID, machine.UID)
    # A file's time is that of the kernel's last tick.
    time.sleep(0.05)
    start = time.time() - 0.02
    if plan["environment"]:
        machine.run_hook(plan["environment"], 600, LOG)
    code = machine.run_hook(plan["set_up"], plan["seconds"], LOG)
    running = machine.end_all()
    opened = machine.notes("opened")
    project = project_of(opened)
    folder = f"{WORKSPACE}/{project}" if project else WORKSPACE
    log = machine.read(LOG, 10_000_000)
    lacks = lacks_of(folder, plan["export_text"], log, code)
    home, elsewhere = gathered(start)
    answer = {
        "code": code,
        "log": log[-4000:],
        "running": running[:10],
        "lacks": sorted({*machine.notes("lacks"), *lacks}),
        "project": project,
        "open": [os.path.relpath(path, folder) for path in opened if path.startswith(f"{folder}/") and os.path.isfile(path)],
        "home": home,
        "elsewhere": elsewhere,
        # Last, since it changes files.
        "export": exported(plan["export"], plan["paths"], plan["seconds"]) if code == 0 and not lacks else None,
    }
    with open(ANSWER, "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main()
