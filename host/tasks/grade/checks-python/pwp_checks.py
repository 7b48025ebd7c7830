"""Checks of Python code that an agent left, for tests of tasks. Run it by `python3 -I -S`: nothing of the agent's is imported.

    sys.path.insert(0, "/opt/pwp/grade")
    from pwp_checks import Left, check, report, same_tokens

    left = Left()
    report([check("a.py", lambda: same_tokens(left, "a.py", expected_text))])

A check is a function that answers what it found, or raises `Failed` with what it found and what was expected.
"""

import ast
import io
import itertools
import json
import math
import os
import re
import stat
import sys
import time
import tokenize

# Of sysexits.h. The host takes it for tests that can't judge any answer here.
EX_UNAVAILABLE = 69

MOST_BYTES = 1_000_000
MOST_WHY = 2000
MOST_FILES = 2000

RUNS = "/logs/code"
# As JSON. More is not read from outside.
MOST_REQUEST = 8_000_000


class Failed(Exception):
    """A finding that differs from the expectation."""


def fail(why):
    """For a check that is an expression."""
    raise Failed(why)


class Left:
    """The workspace as the agent left it: a link may lead to the tests, a file may be a pipe or larger than memory."""

    def __init__(self, root=os.environ.get("PWP_WORKSPACE", "/workspace")):
        self.root = os.path.realpath(root)

    def read(self, path):
        """The text of an ordinary file within the workspace."""
        real = os.path.realpath(os.path.join(self.root, path))
        if not real.startswith(self.root + os.sep):
            raise Failed(f"{path} leads out of the workspace")
        try:
            # A pipe would block without O_NONBLOCK.
            with open(os.open(real, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
                info = os.fstat(file.fileno())
                if not stat.S_ISREG(info.st_mode):
                    raise Failed(f"{path} is not an ordinary file")
                if info.st_size > MOST_BYTES:
                    raise Failed(f"{path} has {info.st_size} bytes, more than the {MOST_BYTES} that are read")
                return file.read(MOST_BYTES).decode("utf-8")
        except OSError as error:
            raise Failed(f"{path} can't be read ({error.strerror})") from None
        except UnicodeDecodeError:
            raise Failed(f"{path} is not UTF-8") from None

    def tree(self, path):
        return parsed(self.read(path), path)

    def python_files(self):
        """Paths of all Python files, relative to the workspace."""
        found = []
        for folder, _folders, names in os.walk(self.root):
            found += [os.path.relpath(os.path.join(folder, name), self.root) for name in names if name.endswith(".py")]
            if len(found) > MOST_FILES:
                raise Failed(f"there are more than {MOST_FILES} Python files")
        return sorted(found)


def given(path):
    """The text of a file of the tests' own."""
    with open(os.path.join("/tests", path), encoding="utf-8") as file:
        return file.read()


def given_files(folder):
    """Paths of the Python files in a folder of the tests' own, relative to it."""
    root = os.path.join("/tests", folder)
    return sorted(
        os.path.relpath(os.path.join(at, name), root)
        for at, _folders, names in os.walk(root)
        for name in names
        if name.endswith(".py")
    )


def parsed(text, path):
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Failed(f"{path} is not Python: {error}") from None


def tokens(text, path):
    """Kind, text and line of all that counts: comments and strings to the letter, but no empty lines and no positions."""
    parsed(text, path)
    left_out = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    try:
        return [
            (tokenize.tok_name[token.type], token.string, token.start[0])
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type not in left_out
        ]
    except (tokenize.TokenError, IndentationError) as error:
        raise Failed(f"{path} is not Python: {error}") from None


def same_tokens(left, path, expected):
    """A file says what is expected, token by token: layout alone may differ, where Python's meaning allows it."""
    text = left.read(path)
    found, wanted = tokens(text, path), tokens(expected, path)
    for one, other in zip(found, wanted):
        if one[:2] != other[:2]:
            raise Failed(f"line {one[2]}: expected {short(other[1])}, found {short(one[1])}")
    if len(found) != len(wanted):
        raise Failed(f"expected {len(wanted)} tokens, found {len(found)}")
    if ast.dump(parsed(text, path)) != ast.dump(parsed(expected, path)):
        raise Failed("the blocks are nested otherwise than expected")
    return f"has the {len(wanted)} tokens expected"


def same_text(left, path, expected):
    """A file is as it was."""
    if left.read(path) != expected:
        raise Failed(f"{path} was changed")
    return "is as it was"


def same_tree(found, wanted, what):
    """Two pieces of code mean the same; comments and layout may differ."""
    if ast.dump(found) != ast.dump(wanted):
        raise Failed(f"{what} was changed")
    return f"{what} is as it was"


def swallows_nothing(text, path):
    """Code that hides no error: without `try` and `suppress`."""
    for node in ast.walk(parsed(text, path)):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if isinstance(node, (ast.Try, ast.TryStar)) or name == "suppress":
            raise Failed(f"line {node.lineno} of {path} swallows errors")
    return f"{path} swallows no errors"


def run_code(files, argv, stdin="", seconds=30, **more):
    """
    Runs code in a sandbox of its own, where there is nothing else: no tests, no expected answers, no reward. Code of the
    agent's is never run in any other way.
    @param files text of each file by its path, in the folder that the program is run in
    @param argv the program with its arguments, such as `["/usr/bin/python3", "main.py"]`
    @param more `folders`: absolute paths of folders, copied into that sandbox as they are here; `results`: absolute paths
        of files that are read there at the end; `cwd`; `env`: variables beside the usual; `memory_mb`; `in_image`: whether
        it runs in the task's image, with that image's variables
    @return a dict: exitCode (None where a signal or the time-out ended it), stdout, stderr (its end), truncated, timedOut;
        and results: the bytes of each file by its path, None for one that is missing or larger than 16 MiB
    """
    text = json.dumps({"files": files, "argv": argv, "input": stdin, "seconds": seconds, **more})
    if len(text) > MOST_REQUEST:
        return {"exitCode": None, "stdout": "", "stderr": "the code is too large to be run", "truncated": False, "timedOut": False, "results": {}}
    folder = new_run()
    request, answer = os.path.join(folder, "request.json"), os.path.join(folder, "answer.json")
    with open(f"{request}.part", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(f"{request}.part", request)
    while not os.path.exists(answer):
        time.sleep(0.02)
    with open(answer, encoding="utf-8") as file:
        ran = json.load(file)
    found = {path: result_of(folder, at) for at, path in enumerate(more.get("results", []))}
    return {**ran, "results": found}


def result_of(folder, at):
    try:
        with open(os.path.join(folder, "results", str(at)), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def new_run():
    """A folder of its own for each run, regardless of which process of the tests asks for it."""
    os.makedirs(RUNS, exist_ok=True)
    for number in itertools.count(1):
        try:
            folder = os.path.join(RUNS, f"run-{number}")
            os.mkdir(folder)
            return folder
        except FileExistsError:
            pass


def answers_of(files, driver, questions, seconds=30):
    """
    What code answers to questions, asked in a sandbox of its own. It never learns which answers are right: those are
    compared here.
    @param files text of each file by its path: the code
    @param driver Python that defines `answer(question)`; question and answer go through JSON
    """
    argv = ["/usr/bin/python3", "-E", "-s", "-B", "driver.py"]
    ran = run_code({**files, "driver.py": driver + ASK}, argv, json.dumps(questions), seconds)
    if ran["timedOut"]:
        raise Failed(f"it took longer than {seconds} s")
    if ran["exitCode"] != 0:
        raise Failed(f"it fails: {(ran['stderr'].strip().splitlines() or ['nothing was said'])[-1]}")
    try:
        answers = json.loads(ran["stdout"])
    except (ValueError, RecursionError):
        raise Failed("it answers with something else than values") from None
    if not isinstance(answers, list) or len(answers) != len(questions):
        raise Failed("it did not answer all questions")
    return answers


ASK = """

if __name__ == "__main__":
    import json
    import sys

    print(json.dumps([answer(question) for question in json.load(sys.stdin)]))
"""


def same_answers(found, wanted, questions):
    for one, other, question in zip(found, wanted, questions, strict=True):
        if not close(one, other):
            raise Failed(f"for {short(question)} expected {short(other)}, found {short(one)}")
    return f"answers {len(wanted)} questions as expected"


def close(one, other):
    """Numbers to nine digits, everything else exactly. Nothing is close to NaN or infinity."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in other)
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        try:
            return math.isfinite(one) and math.isfinite(other) and abs(one - other) <= 1e-9 * max(1, abs(other))
        except OverflowError:
            return False
    return one == other


def answer_lines(left, path="answer.txt"):
    """The lines of an answer without empty ones, comments and space around."""
    lines = [line.strip() for line in left.read(path).splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def normal(name):
    """A qualified name as people write it: with or without parentheses, quotes, a final dot."""
    return re.sub(r"\(.*\)$", "", name.strip().strip("`'\"").rstrip(".")).strip()


def short(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "…"


def unavailable(why):
    """Ends the tests without a score: they can't judge any answer in this image."""
    say(f"unavailable: {why}", sys.stderr)
    sys.exit(EX_UNAVAILABLE)


def check(name, look):
    """
    Makes a check of what `look` answers or raises. Files that are nested too deep or too large to look at fail; any
    other error is a fault of the tests.
    """
    try:
        return {"name": name, "passed": True, "why": str(look())[:MOST_WHY]}
    except Failed as failed:
        return {"name": name, "passed": False, "why": str(failed)[:MOST_WHY]}
    except (RecursionError, MemoryError) as error:
        return {"name": name, "passed": False, "why": f"too large or nested too deep to look at ({type(error).__name__})"}


def not_measured(name, why):
    """
    A check of something that can't be looked at here, regardless of what the agent did: it counts as neither passed nor
    failed. Never for something that the agent can cause.
    """
    return {"name": name, "passed": None, "why": why[:MOST_WHY]}


def say(text, file=None):
    """Prints a text that may contain an agent's: half a surrogate pair in it must not end the tests."""
    print(text.encode("utf-8", "backslashreplace").decode("utf-8"), file=file)


def word(passed):
    return "not measured" if passed is None else "pass" if passed else "FAIL"


def report(checks, folder="/logs/verifier", reward=None):
    """
    Writes the score: the given one from 0 to 1, else 1 when every check that could be measured passed and 0 when not. The
    reward is written last, so that what is cut short scores nothing.
    """
    measured = [one["passed"] for one in checks if one["passed"] is not None]
    if not measured:
        raise ValueError("nothing was checked")
    score = float(all(measured) if reward is None else reward)
    if not 0 <= score <= 1:
        raise ValueError(f"expected a score from 0 to 1, found {score}")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "checks.json"), "w", encoding="utf-8") as file:
        json.dump(checks, file, indent=2)
    for one in checks:
        say(f"{word(one['passed'])} {one['name']}: {one['why']}")
    with open(os.path.join(folder, "reward.txt"), "w", encoding="utf-8") as file:
        file.write(f"{score:.10f}".rstrip("0").rstrip(".") + "\n")
