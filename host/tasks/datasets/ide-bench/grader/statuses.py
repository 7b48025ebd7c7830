"""Statuses of single tests, from what a runner reports: JUnit XML, Jest's JSON, or its text where there is nothing better.

A status is one of PASSED, FAILED, ERROR, SKIPPED, XFAIL, XPASS. Of a test that is reported twice the worst counts.
"""

import json
import re
import xml.etree.ElementTree as xml
from collections import namedtuple

# `file` and `group` (a class, or titles around it) are empty where a report doesn't say; `name` has its parameters.
Result = namedtuple("Result", "file group name status")

GOOD = ("PASSED", "SKIPPED", "XFAIL", "XPASS")
WORST_FIRST = ("ERROR", "FAILED", "XPASS", "XFAIL", "SKIPPED", "PASSED")


def one_each(results):
    """Each test once, in the order of the report."""
    found = {}
    for result in results:
        key = result[:3]
        if key not in found or WORST_FIRST.index(result.status) < WORST_FIRST.index(found[key].status):
            found[key] = result
    return list(found.values())


def of_junit(data):
    """Results from JUnit XML, or several such documents one after the other. Raises ValueError for anything else."""
    results = []
    for text in documents(data.decode("utf-8", "replace")):
        if "<!DOCTYPE" in text or "<!ENTITY" in text:
            raise ValueError("a report with declarations of its own is not read")
        try:
            root = xml.fromstring(text)
        except xml.ParseError as error:
            raise ValueError(f"no JUnit XML: {error}") from None
        results += [junit_case(case) for case in root.iter("testcase")]
    return one_each(results)


def documents(text):
    parts = [part for part in re.split(r"<\?xml[^>]*\?>", text) if part.strip()]
    if not parts:
        raise ValueError("no JUnit XML: it is empty")
    return parts


def junit_case(case):
    file = case.get("file") or ""
    return Result(file, case.get("classname") or "", case.get("name") or "", junit_status(case))


def junit_status(case):
    if case.find("error") is not None:
        return "ERROR"
    if case.find("failure") is not None:
        return "FAILED"
    skipped = case.find("skipped")
    if skipped is None:
        return "PASSED"
    return "XFAIL" if skipped.get("type") == "pytest.xfail" else "SKIPPED"


JEST = {"passed": "PASSED", "failed": "FAILED", "pending": "SKIPPED", "skipped": "SKIPPED", "todo": "SKIPPED", "disabled": "SKIPPED"}


def of_jest(data):
    """Results from Jest's `--json`. A file that doesn't run at all is one error. Raises ValueError for anything else."""
    try:
        suites = json.loads(data)["testResults"]
        results = []
        for suite in suites:
            cases = suite["assertionResults"]
            results += [jest_case(suite["name"], case) for case in cases]
            if suite.get("status") == "failed" and not any(case["status"] == "failed" for case in cases):
                results.append(Result(suite["name"], "", "the file itself", "ERROR"))
        return one_each(results)
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"no report of Jest: {error!r}") from None


def jest_case(file, case):
    return Result(file, " > ".join(map(str, case.get("ancestorTitles", []))), str(case["title"]), JEST.get(case["status"], "ERROR"))


def of_text(text, runner):
    return one_each({"pytest": pytest_lines, "jest": jest_lines, "maven": maven_lines}[runner](plain(text)))


def plain(text):
    """Without colours, as lines."""
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text).replace("\r\n", "\n").split("\n")


SUMMARY = re.compile(r"^=+ short test summary info =+$")
RULE = re.compile(r"^=+ .* =+$|^\d+ (?:passed|failed|error|skipped|xfailed|xpassed)")


def pytest_lines(lines):
    """
    Of the last summary that `-rA` prints: what a test prints itself comes before it. A name may have spaces, brackets and
    ` - ` in its brackets; the reason comes after the first ` - ` behind them.
    """
    starts = [at for at, line in enumerate(lines) if SUMMARY.match(line)]
    results = []
    for line in lines[starts[-1] + 1 :] if starts else []:
        if RULE.match(line):
            break
        found = re.match(r"^(PASSED|FAILED|ERROR|XFAIL|XPASS) (\S.*)$", line)
        if found:
            results.append(pytest_result(found[2], found[1]))
    return results


def pytest_result(node, status):
    file, _, rest = node.partition("::")
    if not rest:
        return Result(file.partition(" - ")[0].strip(), "", "the file itself", status)
    # A test that passes has no reason.
    name = rest.rstrip() if status == "PASSED" else without_reason(rest)
    group, _, name = name.rpartition("::") if "[" not in name.rpartition("::")[0] else split_before_bracket(name)
    return Result(file, group, name, status)


def split_before_bracket(name):
    head, bracket, tail = name.partition("[")
    group, colons, last = head.rpartition("::")
    return group, colons, last + bracket + tail


def without_reason(text):
    """A dash ends the name where no bracket is open. One that is never closed ends with the first bracket before a dash."""
    depth = 0
    for at, sign in enumerate(text):
        depth += {"[": 1, "]": -1}.get(sign, 0)
        if depth <= 0 and text.startswith(" - ", at):
            return text[:at].rstrip()
    closed = re.search(r"\](?= - )", text)
    return text[: closed.end()] if closed and depth > 0 else text.rstrip()


def jest_lines(lines):
    """From Jest's verbose output: a sign, a title, perhaps a time. Titles around it are the less indented lines above."""
    results, file, above = [], "", []
    for line in lines:
        suite = re.match(r"^(PASS|FAIL) (\S+)", line)
        if suite:
            file, above = suite[2], []
            continue
        if re.match(r"^\S", line):
            above = []
            continue
        case = re.match(r"^(\s+)([✓√✕×○✎]) (?:skipped |todo )?(.*?)(?: \(\d+(?:\.\d+)? m?s\))?$", line)
        title = re.match(r"^(\s+)(\S.*)$", line)
        if case:
            status = {"✓": "PASSED", "√": "PASSED", "✕": "FAILED", "×": "FAILED"}.get(case[2], "SKIPPED")
            around = [text for width, text in above if width < len(case[1])]
            results.append(Result(file, " > ".join(around), case[3], status))
        elif title:
            above = [one for one in above if one[0] < len(title[1])] + [(len(title[1]), title[2])]
    return results


MAVEN = re.compile(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+).*?(?:--?|in) (?:in )?([\w.$]+)\s*$")


def maven_lines(lines):
    """A line for each class is all that there is: its tests have no names."""
    results = []
    for line in lines:
        found = MAVEN.search(line)
        if not found:
            continue
        run, failures, errors, skipped = map(int, found.groups()[:4])
        counts = {"FAILED": failures, "ERROR": errors, "SKIPPED": skipped, "PASSED": run - failures - errors - skipped}
        results += [
            Result("", found[5], f"test {status} {number + 1}", status) for status, count in counts.items() for number in range(min(count, 10_000))
        ]
    return results
