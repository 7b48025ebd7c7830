"""CanItEdit: the program passes its tests, which are run in the same file and process, without what they expect."""

import sys

sys.path[:0] = ["/tests", "/opt/pwp/grade"]

from judge import judged, lines_of, program, undecided
from layers import hint
from pwp_checks import Failed, Left, check, given, report, run_code, short, unavailable

SECONDS = 60
code, tests = given("after.py"), given("own-tests.py")


def run(text):
    files = {"main.py": text, "run.py": given("run.py"), "values.py": given("values.py")}
    return run_code(files, ["/usr/bin/python3", "-s", "-B", "run.py"], "", SECONDS)


def right_program(judged_there=()):
    """The values that the test sees of the owners' own program. Without a run of it there is no score."""
    text, questions = program(code, tests, judged_there)
    ran = run(text)
    if ran["exitCode"] != 0:
        unavailable(f"the owners' own program fails here: {last_line(ran)}{hint(last_line(ran))}")
    if ran["truncated"]:
        unavailable("the test sees more of the owners' own program than fits into an answer")
    try:
        return questions, lines_of(ran["stdout"])
    except Failed as failed:
        unavailable(f"the test of the owners' own program says nothing: {failed}")


def last_line(ran):
    return short((ran["stderr"].strip().splitlines() or ["it was ended"])[-1])


def passes():
    questions, lines = right_program()
    there = undecided(questions, lines)
    if there:
        questions, lines = right_program(there)
    text, _questions = program(Left().read("main.py"), tests, there)
    ran = run(text)
    if ran["exitCode"] != 0 and not ran["stdout"]:
        raise Failed(f"it fails: {last_line(ran)}")
    if ran["truncated"]:
        raise Failed("the test sees more of it than fits into an answer")
    return judged(questions, lines_of(ran["stdout"]), {(kind, number) for kind, number, _values in lines})


report([check("tests", passes)])
