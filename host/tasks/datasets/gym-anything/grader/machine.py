"""Makes a sandbox like the owners' machine: their user, and stand-ins for programs of a desktop and for those that fetch."""

import ctypes
import glob
import os
import shutil
import signal
import subprocess
import time

USER = "ga"
# Its number: the first that is free, the same in every sandbox of one image.
UID = 1000
HOME = f"/home/{USER}"
# What stand-ins report: the paths that VS Code was opened with, what the image lacks, and addresses that scripts ask.
NOTES = "/gym-notes"
KINDS = ("opened", "lacks", "fetched")
STAND_INS = "/usr/local/bin"
# This file, for stand-ins, and the programs of the image in whose place they are: some are links such as ../lib/program.
SHARED = "/usr/local/gym"
USUAL = f"/usr/local/sbin:{STAND_INS}:/usr/sbin:/usr/bin:/sbin:/bin"
# An image may have more.
PATH = ":".join(dict.fromkeys([*USUAL.split(":"), *os.environ.get("PATH", "").split(":")])).strip(":")
DESKTOP = (
    "code code-insiders wmctrl xdotool scrot import gnome-screenshot xrandr xset xhost xclip xsel xdpyinfo "
    "notify-send zenity gsettings dbus-launch pgrep pkill"
).split()
USERS = ("sudo", "su")
FETCHING = "pip pip3 npm apt apt-get curl wget systemctl service".split()
# While a task is set up its clock stands still, a second after that of a sandbox's first files: what the agent changes is newer.
CLOCK = ("date", "sleep")
SET_UP = 1_767_225_601
# Seconds for programs that a script has started and not waited for, such as that which opens VS Code.
PATIENCE = 10


def prepare(stand_in, more=()):
    """
    Call it as root.
    @param stand_in path of the program that stands in for others, by the name that it is called by
    """
    # Processes that scripts leave running become children of this one (PR_SET_CHILD_SUBREAPER).
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    make_user()
    os.makedirs(SHARED, exist_ok=True)
    shutil.copyfile(__file__, f"{SHARED}/machine.py")
    os.makedirs(NOTES, exist_ok=True)
    os.chmod(NOTES, 0o777)
    for name in KINDS:
        with open(f"{NOTES}/{name}", "w", encoding="utf-8"):
            os.chmod(f"{NOTES}/{name}", 0o666)
    for name in (*DESKTOP, *USERS, *FETCHING, *CLOCK):
        if os.path.lexists(f"{STAND_INS}/{name}"):
            os.rename(f"{STAND_INS}/{name}", f"{SHARED}/{name}")
    for name in (*DESKTOP, *USERS, *FETCHING, *more):
        shutil.copyfile(stand_in, f"{STAND_INS}/{name}")
        os.chmod(f"{STAND_INS}/{name}", 0o755)
    # A login shell has a PATH of its own.
    for path in glob.glob("/opt/node/bin/*"):
        name = os.path.basename(path)
        if not os.path.lexists(f"{STAND_INS}/{name}"):
            os.symlink(path, f"{STAND_INS}/{name}")


def make_user():
    global UID
    users = {fields[0]: int(fields[2]) for line in read("/etc/passwd").splitlines() if len(fields := line.split(":")) > 2}
    UID = users.get(USER) or next(number for number in range(1000, 60_000) if number not in users.values())
    if USER not in users:
        for file, line in (("/etc/passwd", f"{USER}:x:{UID}:{UID}::{HOME}:/bin/bash"), ("/etc/group", f"{USER}:x:{UID}:")):
            with open(file, "a", encoding="utf-8") as lines:
                lines.write(f"{line}\n")


def run_hook(command, seconds, log):
    """A script as the owners run it; its exit code, None after a time-out."""
    env = {
        "PATH": PATH,
        **{"HOME": "/root", "USER": "root", "LOGNAME": "root", "SHELL": "/bin/bash"},
        **{"DISPLAY": ":1", "LANG": "C.UTF-8", "TERM": "dumb"},
    }
    argv = ["/bin/bash", "-lc", command]
    with open(log, "ab") as out:
        try:
            return subprocess.run(
                argv, cwd="/", env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=seconds
            ).returncode
        except subprocess.TimeoutExpired:
            return None


def end_all():
    """Ends the processes that scripts left running, once those that end by themselves had their time. Returns command lines."""
    until = time.monotonic() + PATIENCE
    while children() and time.monotonic() < until:
        time.sleep(0.05)
    ended = []
    while left := children():
        for pid in left:
            command = read(f"/proc/{pid}/cmdline").replace("\0", " ").strip()
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
            if command:
                ended.append(command[:200])
    return ended


def children():
    """Processes of this one, without those that have ended."""
    found = [int(pid) for path in glob.glob(f"/proc/{os.getpid()}/task/*/children") for pid in read(path).split()]
    return [pid for pid in found if not has_ended(pid)]


def has_ended(pid):
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def lacking_modules(names):
    """Modules that the image's Python does not find."""
    code = "import importlib.util, sys; print(*(name for name in sys.argv[1:] if importlib.util.find_spec(name) is None))"
    try:
        ran = subprocess.run(["python3", "-c", code, *names], cwd="/", env={"PATH": PATH}, capture_output=True, text=True)
    except FileNotFoundError:
        return set(names)
    return set(ran.stdout.split()) if ran.returncode == 0 else set(names)


def has_npm_package(folder, name):
    """Whether Node.js finds it from there, be it in a folder above or among Debian's packages."""
    above = folder
    while not os.path.isdir(f"{above.rstrip('/')}/node_modules/{name}"):
        if above == "/":
            return any(os.path.isdir(f"{at}/{name}") for at in glob.glob("/usr/share/nodejs") + glob.glob("/usr/lib/*/nodejs"))
        above = os.path.dirname(above)
    return True


def read(path, most=100_000):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(most)
    except OSError:
        return ""


def notes(name):
    return [line for line in dict.fromkeys(read(f"{NOTES}/{name}").splitlines()) if line]
