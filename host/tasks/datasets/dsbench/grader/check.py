"""Grades one challenge of DSBench: answers to questions, or a file of predictions. Nothing of the agent's is run."""

import csv
import io
import json
import os
import stat
import sys

sys.path[:0] = ["/opt/pwp/grade", "/tests"]

from answers import same
from metrics import METRICS, score
from pwp_checks import Failed, Left, check, fail, given, report, short, unavailable

MOST_BYTES = 400_000_000
SUBMISSION = "/workspace/submission.csv"


def answers_left():
    try:
        found = json.loads(Left().read("answers.json"))
    except (ValueError, RecursionError) as error:
        raise Failed(f"answers.json is not JSON: {str(error)[:200]}") from None
    if not isinstance(found, dict):
        raise Failed("answers.json is not an object of answers by question")
    return found


def answered(answers, question, expected):
    if question not in answers:
        raise Failed("not answered")
    if not same(answers[question], expected):
        raise Failed(f"answered {short(answers[question])}, which is wrong")
    return "right"


def grade_answers(record):
    """The score is the share of questions that are answered right."""
    try:
        answers = answers_left()
    except Failed as failed:
        reason = str(failed)
        report([check("answers.json", lambda: fail(reason))])
        return
    checks = [
        check(question, lambda: answered(answers, question, expected)) for question, expected in record["answers"].items()
    ]
    report(checks, reward=sum(one["passed"] for one in checks) / len(checks))


def submission():
    """The text of the agent's file, if it is an ordinary one."""
    try:
        descriptor = os.open(SUBMISSION, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        raise Failed(f"submission.csv can't be read ({error.strerror})") from None
    with open(descriptor, "rb") as file:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_size > MOST_BYTES:
            raise Failed("submission.csv is not an ordinary file, or too large")
        try:
            return file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Failed("submission.csv is not UTF-8") from None


def column(text, name, what):
    csv.field_size_limit(10_000_000)
    rows = csv.DictReader(io.StringIO(text, newline=""))
    try:
        if name not in (rows.fieldnames or []):
            raise Failed(f"{what} has no column {name}")
        values = [row[name] for row in rows]
    except csv.Error as error:
        raise Failed(f"{what} is not CSV: {error}") from None
    if any(value is None for value in values):
        raise Failed(f"{what} has a row without {name}")
    return values


def performance_left(record):
    wanted = column(given("test_answer.csv"), record["column"], "the expected file")
    found = column(submission(), record["column"], "submission.csv")
    if len(found) != len(wanted):
        raise Failed(f"submission.csv has {len(found)} rows, expected {len(wanted)}")
    try:
        return METRICS[record["metric"]](wanted, found)
    except (ValueError, ZeroDivisionError, OverflowError) as error:
        raise Failed(f"submission.csv has no predictions: {error}") from None


def grade_predictions(record):
    try:
        performance = performance_left(record)
    except Failed as failed:
        reason = str(failed)
        report([check(record["metric"], lambda: fail(reason))])
        return
    reward = score(performance, record["baseline"], record["best"])
    where = f"{performance:.6g}, between the baseline's {record['baseline']:.6g} and the best, {record['best']:.6g}"
    report([check(record["metric"], lambda: where if reward > 0 else fail(where))], reward=reward)


def main():
    record = json.loads(given("record.json"))
    if record["unavailable"]:
        unavailable(record["unavailable"])
    if "answers" in record:
        grade_answers(record)
    else:
        grade_predictions(record)


main()
