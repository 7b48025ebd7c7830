"""Asks a task's verifier for its score, where the agent's code is not: of what the agent left, it has the exported files.

`/judge/task.json` describes the task, `/judge/owners` has the verifier with the modules beside it, `/judge/results.tar` the
exported files. The answer goes to `/judge/verdict.json`.
"""

import importlib.util
import json
import os
import sys
import tarfile
import tempfile
import traceback
import types

PLACE = "/judge"
MOST_BYTES = 16 * 1024 * 1024
PICTURES = ("sample_trajectory_frames", "get_final_screenshot", "get_first_screenshot")
OTHERS = ("copy_to_env", "exec_capture")


class Unavailable(BaseException):
    """Verifiers catch errors, but not this one."""


REASONS = []


def refuse(why):
    def call(*_, **__):
        REASONS.append(why)
        raise Unavailable(why)

    return call


class Trajectory(dict):
    """The steps and pictures of the episode, which are not here."""

    def __getattribute__(self, name):
        if name in ("get", "items", "keys", "values", "copy", "pop"):
            self.refuse()
        return super().__getattribute__(name)

    def __getitem__(self, _):
        self.refuse()

    def __contains__(self, _):
        self.refuse()

    def __iter__(self):
        self.refuse()

    @staticmethod
    def refuse():
        refuse("its verifier reads the steps of the episode")()


class Exported:
    def __init__(self, path):
        self.path = path

    def copy(self, source, target):
        """As `docker cp` of the owners': an error where there is no such file."""
        name = os.path.normpath(str(source)).lstrip("/")
        with tarfile.open(self.path) as tar:
            try:
                member = tar.getmember(name)
            except KeyError:
                raise RuntimeError(f"there is no file {source}, or it is too large") from None
            if not member.isreg() or member.size > MOST_BYTES:
                raise RuntimeError(f"{source} is not a file, or it is too large")
            content = tar.extractfile(member).read()
        os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
        with open(target, "wb") as file:
            file.write(content)


def vision(name):
    return refuse(f"its verifier asks a vision model ({name})")


def pictures(name):
    return refuse(f"its verifier looks at pictures of the episode ({name})")


def stub_modules():
    """Of the owners' own package verifiers import its questions to a model."""
    package, vlm = types.ModuleType("gym_anything"), types.ModuleType("gym_anything.vlm")
    package.__path__ = []
    package.vlm = vlm
    vlm.query_vlm = vision("query_vlm")
    for name in PICTURES:
        setattr(vlm, name, pictures(name))
    vlm.__getattr__ = lambda name: vision(name)
    sys.modules.update({"gym_anything": package, "gym_anything.vlm": vlm})


def load(plan):
    """The verifier's function, with the folders that the owners look for modules in."""
    file, _, function = plan["program"].partition("::")
    sys.path[:0] = plan["modules"]
    sys.path.append("/usr/lib/python3/dist-packages")
    spec = importlib.util.spec_from_file_location("task_verifier", os.path.join(plan["modules"][0], file))
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    try:
        spec.loader.exec_module(module)
    except ImportError as error:
        raise Unavailable(f"its verifier can't be run here: {error}") from error
    return getattr(module, function)


def ask(plan):
    stub_modules()
    with open(f"{PLACE}/task.json", encoding="utf-8") as file:
        task = json.load(file)
    environment = {
        "env_id": task.get("env_id", ""),
        "episode_dir": tempfile.mkdtemp(),
        "copy_from_env": Exported(f"{PLACE}/results.tar").copy,
        "query_vlm": vision("query_vlm"),
        **{name: pictures(name) for name in PICTURES},
        **{name: refuse(f"its verifier uses {name}, which is not here") for name in OTHERS},
    }
    described = {"task_id": task.get("id", ""), "metadata": task.get("metadata") or {}, "task_spec": task}
    return load(plan)(Trajectory(), environment, described)


def judged(plan):
    try:
        found = ask(plan)
    except Unavailable as reason:
        return {"unavailable": str(reason)}
    except Exception as error:
        traceback.print_exc()
        found = {"failed": f"the verifier fails: {type(error).__name__}: {error}"}
    if REASONS:
        return {"unavailable": REASONS[0]}
    return found if isinstance(found, dict) else {"failed": "the verifier gives no score"}


def main():
    with open(f"{PLACE}/plan.json", encoding="utf-8") as file:
        plan = json.load(file)
    verdict = judged(plan)
    with open(f"{PLACE}/verdict.json", "w", encoding="utf-8") as file:
        json.dump(verdict, file, default=str)


if __name__ == "__main__":
    main()
