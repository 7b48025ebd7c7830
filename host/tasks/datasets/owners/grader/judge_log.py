"""Judges the log of a record's tests by the grading code of PyPI's `swebench`, which is installed beside this Python.

    python -I judge_log.py < question.json

The question has `version`, `folder`, `record`, `patch` and `log`; the answer is one line of JSON. The agent wrote most of the log.
So this process gives up its rights, its files and its network before it looks at it: started by root, it is another user in an
empty folder. All modules are imported before that.
"""

import contextlib
import ctypes
import importlib
import json
import os
import sys
import types

try:
    import resource
except ImportError:
    # Windows has none.
    resource = None

# Exit codes beside 0. The host knows them.
NO_PACKAGE = 3

LISTS = ("FAIL_TO_PASS", "PASS_TO_PASS")
LOG = "log"
MOST_WHY = 500

NOBODY = 65534
CPU_SECONDS = 120
MEMORY_BYTES = 2 * 1024**3
FILE_BYTES = 256 * 1024**2
OPEN_FILES = 64
CLONE_NEWNET = 0x40000000
PR_SET_NO_NEW_PRIVS = 38


def load_grading(version):
    """
    The grading module and the class of its first argument. `swebench.harness` itself imports clients of Docker and of model hubs,
    which grading does not use and which are not installed: so its modules are loaded without it.
    """
    package = importlib.import_module("swebench")
    if package.__version__ != version:
        raise ImportError(f"expected swebench {version}, found {package.__version__}")
    harness = types.ModuleType("swebench.harness")
    harness.__path__ = [os.path.join(os.path.dirname(package.__file__), "harness")]
    sys.modules["swebench.harness"] = harness
    return importlib.import_module("swebench.harness.grading"), importlib.import_module("swebench.types").TestSpec


def give_up_rights(folder):
    """Of root's, all of them: from now on, nothing but the folder is in reach. Of other users', none can be given up."""
    os.chdir(folder)
    if not sys.platform.startswith("linux"):
        return
    libc = ctypes.CDLL(None)
    if os.geteuid() == 0:
        # A container may forbid it: the code that is loaded has no use for a network.
        libc.unshare(CLONE_NEWNET)
        os.chown(".", NOBODY, NOBODY)
        os.chroot(".")
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def limit_use():
    limits = {"CPU": CPU_SECONDS, "AS": MEMORY_BYTES, "FSIZE": FILE_BYTES, "NOFILE": OPEN_FILES, "NPROC": 0, "CORE": 0}
    for name, most in limits.items():
        # Not every system has each of them, or takes it.
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


def judge(grading, spec, patch):
    report = grading.get_eval_report(spec, {"instance_id": spec.instance_id, "model_patch": patch}, LOG, True)[spec.instance_id]
    ran = report["patch_successfully_applied"]
    found = {"ran": ran, "resolved": report["resolved"], "infraFailure": report["infra_failure"], "why": None}
    if not ran:
        reason = report.get("infra_failure_reason")
        found["why"] = f"the log has no report of tests that can be trusted{f' ({reason})' if reason else ''}"
    else:
        statuses = grading.get_logs_eval(spec, LOG)[0]
        found["tests"] = {name: judged(grading, getattr(spec, name), report["tests_status"][name], statuses) for name in LISTS}
    return found


def judged(grading, names, lists, statuses):
    """For each test, in the record's order: its status in the log, and whether it counts as passed; null where as neither."""
    passed, failed = set(lists["success"]), set(lists["failure"])
    return [[status_of(grading, name, statuses), True if name in passed else False if name in failed else None] for name in names]


def status_of(grading, name, statuses):
    # A private name, but of one pinned version: it finds tests whose name the record has cut.
    key = grading._resolve_case(name, statuses)
    return "missing" if key is None else str(statuses[key])[:20]


def unknown_to(grading, record):
    if record["log_parser"] not in grading.PARSER_REGISTRY:
        return f"log_parser: swebench has no {record['log_parser']}"
    if record["eval_type"] not in [one.value for one in grading.EvalType]:
        return f"eval_type: swebench has no {record['eval_type']}"
    return None


def answer_of(grading, spec_class, question):
    record = question["record"]
    unknown = unknown_to(grading, record)
    if unknown is not None:
        return {"unknown": unknown[:MOST_WHY]}
    spec = spec_class(image="", eval_script_list=[], **record)
    # Closed before it is read, with the line ends that it has.
    with open(LOG, "w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(question.pop("log"))
    try:
        return judge(grading, spec, question["patch"])
    except MemoryError:
        # Theirs has no such limit.
        raise
    except Exception as error:
        # Their harness counts it as an error, and the record as not resolved.
        why = f"swebench could not read the log: {type(error).__name__}: {error}"
        return {"ran": False, "resolved": False, "infraFailure": False, "why": why[:MOST_WHY]}


def main():
    question = json.load(sys.stdin)
    try:
        grading, spec_class = load_grading(question["version"])
    except (ImportError, AttributeError) as error:
        print(error, file=sys.stderr)
        sys.exit(NO_PACKAGE)
    give_up_rights(question["folder"])
    limit_use()
    # What their code prints is not the answer.
    with contextlib.redirect_stdout(sys.stderr):
        answer = answer_of(grading, spec_class, question)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
