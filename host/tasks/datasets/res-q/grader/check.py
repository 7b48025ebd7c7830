"""Grades one record of RES-Q: its test script succeeds in the tree that the agent left."""

import ast
import json
import secrets
import sys

sys.path[:0] = ["/opt/pwp/grade", "/tests"]

from pwp_checks import Failed, check, fail, given, report, run_code, unavailable
from trees import BASE, CODE, TooMany, changes, lay_out, overlay, remove

RUN_SECONDS = 600
LEFT = "/workspace"
RUNNER = ".pwp-run/run_script.py"
# With which the owners' scripts end where all went well; their harness looks for the same words.
GOOD_ENDS = ("sys.exit(0)", "sys.exit(exit_code)")


def run_script(script, has_good_end):
    """
    Runs a script in the tree that is laid out. Raises Failed with the reason.
    @param has_good_end whether reaching the last line is not yet a success
    """
    word = secrets.token_hex(24)
    name = f"test_{secrets.token_hex(8)}.py"
    good = good_lines(script)
    asked = json.dumps({"word": word, "script": script, "name": name, "good_lines": good, "has_good_end": has_good_end})
    remove(CODE, ".pwp-run")
    argv = ["/usr/bin/python3", "-I", "-B", RUNNER]
    ran = run_code({RUNNER: given("run_script.py")}, argv, asked, RUN_SECONDS, folders=["/code"])
    if ran["timedOut"]:
        raise Failed(f"the script took longer than {RUN_SECONDS} s")
    if ran["exitCode"] != 0 or word not in ran["stdout"].splitlines():
        last = (ran["stderr"].strip().splitlines() or ["nothing was said"])[-1]
        raise Failed(f"the script did not reach its successful end (exit code {ran['exitCode']}): {last}")
    return "the script reached its successful end"


def good_lines(script):
    return [number for number, line in enumerate(script.splitlines(), 1) if any(end in line for end in GOOD_ENDS)]


def lay_out_gold(record):
    lay_out(BASE)
    overlay("/tests/with-gold", record["gold_removed"])


def own_script():
    script = given("script.py")
    return script, bool(good_lines(script))


def end_unless_gold_passes(record):
    lay_out_gold(record)
    try:
        run_script(*own_script())
    except Failed as failed:
        needs = ", ".join(record["requirements"]) or "none are named"
        unavailable(f"with the owners' own patch: {failed}; the record asks for these packages: {needs}")


def left_passes():
    lay_out(LEFT)
    return run_script(*own_script())


def says_no(record):
    """Two altered scripts, which no right answer passes: code that passes them decides by itself what is said of it."""
    script, has_good_end = own_script()
    lay_out(LEFT)
    if succeeds(without_good_end(script), True):
        raise Failed("a script that can't end successfully is reported to have done so")
    other = with_other_values(script)
    lay_out_gold(record)
    if succeeds(other, has_good_end):
        return "a script without a successful end does not succeed"
    lay_out(LEFT)
    if succeeds(other, has_good_end):
        raise Failed("the script succeeds with other values than are right")
    return "neither a script without a successful end nor one with other values succeeds"


def succeeds(script, has_good_end):
    try:
        run_script(script, has_good_end)
        return True
    except Failed:
        return False


class WithoutGoodEnd(ast.NodeTransformer):
    def visit_Call(self, node):
        self.generic_visit(node)
        if any(end in ast.unparse(node) for end in GOOD_ENDS):
            return ast.copy_location(ast.parse("sys.exit(1)", mode="eval").body, node)
        return node


def without_good_end(script):
    tree = ast.fix_missing_locations(WithoutGoodEnd().visit(ast.parse(script)))
    return f"{ast.unparse(tree)}\nraise SystemExit(1)\n"


class WithOtherValues(ast.NodeTransformer):
    """Constants that something is compared with become others, which can't be guessed."""

    def visit_Compare(self, node):
        self.generic_visit(node)
        if any(isinstance(one, ast.Name) and one.id == "__name__" for one in (node.left, *node.comparators)):
            return node
        if isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.In)):
            node.left, node.comparators = other_value(node.left), [other_value(one) for one in node.comparators]
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name.startswith("assert"):
            node.args = [other_value(one) for one in node.args]
        return node


def other_value(node):
    kind = type(node.value) if isinstance(node, ast.Constant) else None
    if kind is str:
        return ast.copy_location(ast.Constant(secrets.token_hex(12)), node)
    if kind in (int, float):
        return ast.copy_location(ast.Constant(kind(secrets.randbelow(10**9) + 10**9)), node)
    return node


def with_other_values(script):
    return ast.unparse(ast.fix_missing_locations(WithOtherValues().visit(ast.parse(script))))


def verdict(record):
    try:
        changed = changes(LEFT)
    except TooMany as error:
        reason = str(error)
        return [check("patch", lambda: fail(reason))]
    if not changed:
        return [check("patch", lambda: fail("nothing was changed"))]
    script = check("script", left_passes)
    return [script, check("altered scripts", lambda: says_no(record))] if script["passed"] else [script]


def main():
    record = json.loads(given("record.json"))
    if record["unavailable"]:
        unavailable(record["unavailable"])
    checks = verdict(record)
    if not checks[0]["passed"]:
        end_unless_gold_passes(record)
    report(checks)


main()
