"""Takes what is expected out of a test, so that it can run beside the agent's code without telling it.

`assert f(x) == 3` becomes `__saw__(7, (f(x),))`: the value is noted, and compared elsewhere. An assertion that no value
decides, such as one that compares objects of the program's own classes, is judged where it runs: `__held__(7, a == b)`.
"""

import ast
import operator

from values import Other

COMPARE = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}


class Question:
    """The question of an assertion: parts that the code gives, and how they are judged."""

    def __init__(self, test):
        self.parts, self.judge = [test], bool
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.parts, self.judge = [test.operand], lambda value: not value
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            self.compare(test.left, COMPARE[type(test.ops[0])], test.comparators[0])

    def compare(self, left, compare, right):
        known, wanted = literal(right)
        if known:
            self.parts, self.judge = [left], lambda value: compare(value, wanted)
            return
        known, first = literal(left)
        if known:
            self.parts, self.judge = [right], lambda value: compare(first, value)
        else:
            self.parts, self.judge = [left, right], compare

    def holds(self, values):
        """Not of an object: all that is known of one is that it is there, so it would differ from everything."""
        try:
            return len(values) == len(self.parts) and not has_other(values) and bool(self.judge(*values))
        except Exception:
            return False


def has_other(value):
    """Whether there is something in it that is not plain data."""
    if isinstance(value, dict):
        return any(has_other(one) for pair in value.items() for one in pair)
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(has_other(one) for one in value)
    return isinstance(value, Other)


def literal(node):
    """Whether a piece of code is a value, and which."""
    try:
        return True, ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return False, None


class Splitter(ast.NodeTransformer):
    """@param judged_there numbers of the assertions that are judged where they run"""

    def __init__(self, judged_there):
        self.judged_there = judged_there
        self.questions = []

    def visit_Assert(self, node):
        number = len(self.questions)
        question = Question(node.test)
        self.questions.append(question)
        if number in self.judged_there or isinstance(node.test, ast.Constant):
            call, given = "__held__", node.test
        else:
            call, given = "__saw__", ast.Tuple(question.parts, ast.Load())
        return ast.Expr(ast.Call(ast.Name(call, ast.Load()), [ast.Constant(number), given], []))


def split(tests, judged_there=()):
    """The test without what it expects, and its questions by their number."""
    splitter = Splitter(judged_there)
    tree = ast.fix_missing_locations(splitter.visit(ast.parse(tests)))
    return ast.unparse(tree), splitter.questions
