"""Runs the set-up script of a folder of PwP's inside, before the agent sees anything. `DATA` has the record and the scripts."""

import base64
import json
import subprocess
import sys
import types


def module(name, source):
    found = types.ModuleType(name)
    found.__file__ = f"/nonexistent/setup_files/{name}.py"
    sys.modules[name] = found
    exec(compile(source, f"{name}.py", "exec"), found.__dict__)
    return found


def execute(command, workdir):
    ran = subprocess.run(["/bin/bash", "-c", command], cwd=workdir, capture_output=True, text=True, timeout=300)
    return ran.stdout + ran.stderr, ran.returncode


def desktop(_):
    """The IDE is open already: they read the number of its window alone."""
    return "0x1 0 0 0 1920 1080 host Code - OSS", 0


data = json.loads(base64.b64decode(DATA))  # noqa: F821
container = module("container", data["container"])
container.stub_docker()
sys.modules["time"].sleep = lambda _: None
setup = module("setup", data["setup"])
row = data["row"]
getattr(setup, row.get("setup_script") or "setup")(container.Container(execute, desktop), row)
