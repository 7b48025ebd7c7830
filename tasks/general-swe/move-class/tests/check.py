import ast
import sys

sys.path.insert(0, "/opt/pwp/grade")
from pwp_checks import Failed, Left, answers_of, check, given, parsed, report, same_answers, same_text

NAME, OLD, NEW = "Circle", "geometry.shapes", "geometry.circle"
NEW_PATH = "geometry/circle.py"
USERS = ["geometry/packing.py", "geometry/reading.py", "main.py"]
OTHERS = ["geometry/__init__.py", "tests/test_geometry.py"]
left = Left()


def without_imports(tree):
    return [node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]


def class_of(tree, path):
    found = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == NAME]
    if len(found) != 1:
        raise Failed(f"{path} defines {NAME} {len(found)} times at its top level, expected once")
    return found[0]


class Plain(ast.NodeTransformer):
    """Writes `shapes.Circle` and `geometry.circle.Circle` as `Circle`."""

    def visit_Attribute(self, node):
        self.generic_visit(node)
        return ast.Name(NAME, ast.Load()) if node.attr == NAME else node


def plain(nodes):
    return [ast.dump(Plain().visit(node)) for node in nodes]


def moved():
    tree = left.tree(NEW_PATH)
    if plain([class_of(tree, NEW_PATH)]) != plain([class_of(parsed(given("before/geometry/shapes.py"), ""), "")]):
        raise Failed(f"{NAME} is not what it was")
    rest = [node for node in without_imports(tree) if not isinstance(node, (ast.ClassDef, ast.Expr))]
    if any(not isinstance(node, ast.If) for node in rest) or len(rest) > 1:
        raise Failed(f"{NEW_PATH} holds more than {NAME} and imports")
    return f"{NEW_PATH} defines {NAME} as it was"


def gone():
    tree = left.tree("geometry/shapes.py")
    wanted = parsed(given("before/geometry/shapes.py"), "")
    wanted.body.remove(class_of(wanted, "geometry/shapes.py"))
    if plain(without_imports(tree)) != plain(without_imports(wanted)):
        raise Failed("geometry/shapes.py holds something else than what it held beside the class")
    if any(NAME in names(node) for node in ast.walk(tree)):
        raise Failed(f"geometry/shapes.py still names {NAME}")
    return f"geometry/shapes.py holds what it held but {NAME}"


def names(node):
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.name.split(".")[-1] for alias in node.names] + [alias.asname for alias in node.names]
    return [getattr(node, "id", None), getattr(node, "attr", None)]


def package_of(path, node):
    """The module that a `from ... import` means."""
    if node.level == 0:
        return node.module
    folder = path.split("/")[: -node.level]
    return ".".join([*folder, *([node.module] if node.module else [])])


def uses_new(path):
    tree = left.tree(path)
    wanted = parsed(given(f"before/{path}"), path)
    if plain(without_imports(tree)) != plain(without_imports(wanted)):
        raise Failed(f"{path} does something else than before")
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    if any(package_of(path, node) == OLD and {NAME, "*"} & set(names(node)) for node in imports):
        raise Failed(f"{path} still imports {NAME} from {OLD}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == NAME and ast.unparse(node.value).endswith("shapes"):
            raise Failed(f"{path} still takes {NAME} from {OLD}")
    direct = any(package_of(path, node) == NEW and NAME in names(node) for node in imports)
    module = any(package_of(path, node) == "geometry" and "circle" in names(node) for node in imports)
    whole = any(isinstance(node, ast.Import) and NEW in [one.name for one in node.names] for node in ast.walk(tree))
    if not (direct or module or whole):
        raise Failed(f"{path} does not import {NAME} from {NEW}")
    return f"{path} uses {NEW}"


def only_there():
    places = [
        path
        for path in left.python_files()
        if any(isinstance(node, ast.ClassDef) and node.name == NAME for node in ast.walk(left.tree(path)))
    ]
    if places != [NEW_PATH]:
        raise Failed(f"{NAME} is defined in {', '.join(places) or 'no file'}")
    return f"{NAME} is defined in {NEW_PATH} alone"


DRIVER = """
from geometry import packing, reading, shapes
import main


def answer(question):
    made = [reading.read(text) for text in question]
    squares = [one for one in made if isinstance(one, shapes.Square)]
    return [
        [shape.line() for shape in made],
        shapes.total([*made, packing.unit(), main.Round(2)]),
        [square.side for square in packing.most(main.Round(3), squares)],
    ]
"""
QUESTIONS = [["circle 2", "square 3"], ["square 4.2"], ["square 4.3", "circle 0.5", "square 1"]]


def works():
    """As it did before: the same questions to what was there."""
    paths = ["geometry/__init__.py", "geometry/shapes.py", *USERS]
    now = {path: left.read(path) for path in [*paths, NEW_PATH]}
    before = {path: given(f"before/{path}") for path in paths}
    return same_answers(answers_of(now, DRIVER, QUESTIONS), answers_of(before, DRIVER, QUESTIONS), QUESTIONS)


checks = [
    check("the class is moved", moved),
    check("the old module", gone),
    check("one definition", only_there),
    *[check(path, lambda path=path: uses_new(path)) for path in USERS],
    *[check(path, lambda path=path: same_text(left, path, given(f"before/{path}"))) for path in OTHERS],
]
if all(one["passed"] for one in checks):
    checks.append(check("hidden tests", works))
report(checks)
