"""Runs a task's export of its result on a copy of what the agent left, as the owners do: in their user's home, beside the
files that the set-up left in other places.

`/gym/plan.json` has the script, `/gym/state.json` those files, `/gym/owners` the owners' folders. The files that the verifier
may ask for go to `/gym/results.tar`.
"""

import base64
import json
import os
import shutil
import stat
import subprocess
import sys
import tarfile

sys.path.insert(0, "/gym")
import machine

LOG = "/gym/export.log"
RESULTS = "/gym/results.tar"
MOST_FILE, MOST_ALL, MOST_FILES = 4 * 1024 * 1024, 14 * 1024 * 1024, 500


def move(source, target):
    """A folder of the agent's to where the owners have it; what is there already is the agent's too, and goes."""
    remove(target)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(source) and not os.path.islink(source):
        shutil.move(source, target)
    else:
        os.makedirs(target)


def remove(path):
    if os.path.islink(path) or os.path.isfile(path):
        os.unlink(path)
    else:
        shutil.rmtree(path, ignore_errors=True)


def arrange(project, profile, in_image):
    if not in_image:
        move("/root", machine.HOME)
        os.makedirs("/root", mode=0o700)
    workspace = f"{machine.HOME}/workspace"
    if project and os.path.islink(workspace):
        os.unlink(workspace)
    move("/workspace", f"{workspace}/{project}" if project else workspace)
    settings = f"{machine.HOME}/.config/Code/User"
    for path in (f"{machine.HOME}/.config", f"{machine.HOME}/.config/Code", f"{machine.HOME}/.vscode"):
        if os.path.islink(path):
            os.unlink(path)
    for source, target in (("/ide/data/User", settings), ("/ide/extensions", f"{machine.HOME}/.vscode/extensions")):
        remove(target)
        if os.path.isdir(source):
            shutil.copytree(source, target, symlinks=True)
    if not os.path.isdir(settings):
        os.makedirs(settings)
        for name, value in profile.items():
            with open(f"{settings}/{name}", "w", encoding="utf-8") as file:
                json.dump(value, file)
    subprocess.run(["chown", "-hR", f"{machine.UID}:{machine.UID}", machine.HOME], check=True)
    os.chmod(machine.HOME, 0o755)


def place(entries):
    """Files that the set-up left, with their owners and modes."""
    for one in entries:
        path = one["path"]
        if one["kind"] == "folder":
            if os.path.islink(path) or not os.path.isdir(path):
                remove(path)
            os.makedirs(path, exist_ok=True)
        else:
            remove(path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if one["kind"] == "link":
                os.symlink(one["target"], path)
            else:
                with open(path, "wb") as file:
                    file.write(base64.b64decode(one["content"]))
        os.lchown(path, one["uid"], one["gid"])
        if one["kind"] != "link":
            os.chmod(path, one["mode"])
            os.utime(path, (machine.SET_UP, machine.SET_UP))


def wanted(paths):
    """Files by name, and all that lies directly in /tmp, where results are."""
    yield from paths
    for name in sorted(os.listdir("/tmp")):
        yield f"/tmp/{name}"


def pack(paths):
    size, seen = 0, set()
    with tarfile.open(RESULTS, "w", format=tarfile.PAX_FORMAT) as tar:
        for path in wanted(paths):
            try:
                file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            except OSError:
                continue
            with os.fdopen(file, "rb") as opened:
                info = os.fstat(opened.fileno())
                if path in seen or not stat.S_ISREG(info.st_mode) or info.st_size > MOST_FILE or len(seen) >= MOST_FILES:
                    continue
                if size + info.st_size > MOST_ALL:
                    continue
                size += info.st_size
                seen.add(path)
                member = tarfile.TarInfo(path.lstrip("/"))
                member.size = info.st_size
                tar.addfile(member, opened)


def main():
    with open("/gym/plan.json", encoding="utf-8") as file:
        plan = json.load(file)
    with open("/gym/state.json", encoding="utf-8") as file:
        state = json.load(file)
    os.chmod("/gym", 0o700)
    machine.prepare("/gym/stand_in.py")
    for name in os.listdir("/tmp"):
        remove(f"/tmp/{name}")
    arrange(plan["project"], plan["profile"], plan["in_image"])
    shutil.copytree("/gym/owners", "/", symlinks=True, dirs_exist_ok=True)
    place(state)
    # VS Code counts as open.
    with open(f"{machine.NOTES}/opened", "w", encoding="utf-8") as file:
        file.write(f"{machine.HOME}/workspace\n")
    code = machine.run_hook(plan["export"], plan["seconds"], LOG)
    running = machine.end_all()
    pack(plan["paths"])
    print(f"the export ends with {code}; it left running {running[:5]}\n{machine.read(LOG, 10_000_000)[-2000:]}")


if __name__ == "__main__":
    main()
