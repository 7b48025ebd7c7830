"""Grades answers that the tasks' owners wrote, many in one sandbox: what an agent left is never graded this way.

Each has the folders to itself, and each program is a process of its own; but code that a test has run is not kept apart
from the test. `/own/tasks.json` lists the tasks and the archives of each; the results of task 3 go to
`/own/3/results.json`.
"""

import contextlib
import ctypes
import glob
import json
import os
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time

OWN = "/own"
RUNS = "/logs/code"
CODE = "/code"
VERDICT = ("reward.txt", "reward.json", "checks.json")
MOST_LOG = 20_000
MOST_OUTPUT = 512 * 1024
BARE = {
    "PATH": "/opt/node/bin:/usr/bin:/bin",
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
TESTS = {
    **BARE,
    "PATH": "/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "GIT_CONFIG_NOSYSTEM": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}


def emptied(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path, exist_ok=True)


def unpack(seeds):
    # Archives at the top replace single files and links.
    for path in {seed["path"] for seed in seeds} - {"/"}:
        emptied(path)
    for seed in seeds:
        with tarfile.open(f"{OWN}/{seed['file']}") as tar:
            if seed["path"] == "/":
                make_way(tar.getnames())
            tar.extractall(seed["path"])


def make_way(names):
    for name in names:
        if os.path.islink(f"/{name}"):
            os.unlink(f"/{name}")


def run(argv, cwd, env, stdin="", seconds=120):
    """Its output and how it ended, in the host's format for a sandbox. Processes that it left running are not waited for."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        given.write(stdin.encode())
        given.seek(0)
        try:
            ran = subprocess.run(argv, cwd=cwd, env=env, stdin=given, stdout=out, stderr=errors, timeout=seconds)
            code, timed_out = ran.returncode, False
        except subprocess.TimeoutExpired:
            code, timed_out = None, True
        except OSError as error:
            return {"exitCode": 127, "stdout": "", "stderr": str(error), "truncated": False, "timedOut": False}
        size = out.seek(0, os.SEEK_END)
        out.seek(0)
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - 10_000))
        return {
            "exitCode": code if code is not None and code >= 0 else None,
            "stdout": out.read(MOST_OUTPUT).decode("utf-8", "replace"),
            "stderr": errors.read(10_000).decode("utf-8", "replace"),
            "truncated": size > MOST_OUTPUT,
            "timedOut": timed_out,
        }


def adopt_orphans():
    """Processes that programs leave running become children of this one (PR_SET_CHILD_SUBREAPER)."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def end_all():
    """Ends processes that were left running, since none run where an agent's files are graded. Returns their command lines."""
    ended = []
    while children := [int(pid) for path in glob.glob(f"/proc/{os.getpid()}/task/*/children") for pid in read(path).split()]:
        for pid in children:
            command = read(f"/proc/{pid}/cmdline").replace("\0", " ").strip()
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
            if command:
                ended.append(command[:200])
    return ended


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(10_000)
    except OSError:
        return ""


@contextlib.contextmanager
def kept(folders):
    """Undoes all changes to these folders: elsewhere code runs on a copy. A folder that did not exist is removed again."""
    there = [path for path in folders if os.path.isdir(path)]
    for at, path in enumerate(there):
        shutil.rmtree(f"{OWN}/kept-{at}", ignore_errors=True)
        subprocess.run(["cp", "-a", path, f"{OWN}/kept-{at}"], check=True)
    yield
    for path in folders:
        shutil.rmtree(path, ignore_errors=True)
    for at, path in enumerate(there):
        os.rename(f"{OWN}/kept-{at}", path)


def serve(number):
    """Runs the code of a request, if there is one."""
    folder = f"{RUNS}/run-{number}"
    if not os.path.exists(f"{folder}/request.json"):
        return False
    with open(f"{folder}/request.json", encoding="utf-8") as file:
        asked = json.load(file)
    folders = asked.get("folders", [])
    with kept(folders):
        # The code's folder has the files of the request, on top of what is there where it is copied as well.
        if CODE not in folders:
            emptied(CODE)
        for path, text in asked["files"].items():
            os.makedirs(os.path.dirname(f"{CODE}/{path}"), exist_ok=True)
            with open(f"{CODE}/{path}", "w", encoding="utf-8", newline="") as file:
                file.write(text)
        env = {**BARE, **asked.get("env", {})}
        answer = run(asked["argv"], asked.get("cwd", CODE), env, asked["input"], asked["seconds"])
        for at, path in enumerate(asked.get("results", [])):
            if os.path.isfile(path):
                os.makedirs(f"{folder}/results", exist_ok=True)
                shutil.copyfile(path, f"{folder}/results/{at}")
    with open(f"{folder}/answer.part", "w", encoding="utf-8") as file:
        json.dump(answer, file)
    os.rename(f"{folder}/answer.part", f"{folder}/answer.json")
    return True


def test(seconds):
    """Runs the tests, and the code that they ask about."""
    with open("/own/log", "w+b") as log:
        argv = ["/bin/bash", "--noprofile", "--norc", "/tests/test.sh"]
        tests = subprocess.Popen(argv, cwd="/tests", env=TESTS, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until, number = time.monotonic() + seconds, 1
        while tests.poll() is None and time.monotonic() < until:
            if serve(number):
                number += 1
            else:
                time.sleep(0.002)
        timed_out = tests.poll() is None
        tests.kill()
        code = tests.wait()
        log.seek(0)
        return {"exitCode": code, "timedOut": timed_out, "log": log.read(MOST_LOG).decode("utf-8", "replace")}


def verdict():
    found = {}
    for name in VERDICT:
        if os.path.exists(f"/logs/verifier/{name}"):
            with open(f"/logs/verifier/{name}", encoding="utf-8", errors="replace") as file:
                found[name] = file.read(1_000_000)
    return found


def graded(task, answer):
    start = time.monotonic()
    for path in task["folders"]:
        shutil.rmtree(path, ignore_errors=True)
    # A task without files of its own has no archive for them.
    emptied("/workspace")
    unpack(task["seeds"])
    if task["setup"] is not None:
        # As a document, which it is given where an IDE runs.
        ready = run(["/bin/bash", "-e", "-s"], "/workspace", {**TESTS, "HOME": "/root"}, task["setup"], 600)
        if ready["exitCode"] != 0:
            return {"problem": f"its set-up failed: {ready['stderr'][-1000:]}", "seconds": 0}
    if answer["script"] is not None:
        script = run(["/bin/bash", "-c", answer["script"]], "/workspace", {**TESTS, "HOME": "/root"}, seconds=600)
        if script["exitCode"] != 0:
            return {"problem": f"the answer's script failed: {script['stderr'][-1000:]}", "seconds": 0}
    running = end_all()
    unpack(task["tests"])
    ran = test(task["seconds"])
    end_all()
    return {**ran, "running": running[:10], "files": verdict(), "seconds": time.monotonic() - start}


adopt_orphans()
with open(f"{OWN}/tasks.json", encoding="utf-8") as file:
    tasks = json.load(file)
for number, task in enumerate(tasks):
    results = [graded(task, answer) for answer in task["answers"]]
    with open(f"{OWN}/{number}/results.json", "w", encoding="utf-8") as file:
        json.dump(results, file)
