"""Names of the tests that a file of tests must have run, from its text; and a test that must fail, for such a file."""

import ast
import re
import secrets


def expected(text, runner):
    """Names without parameters. Only what is certain to be collected: a report may have more."""
    return {"pytest": pytest_names, "jest": jest_titles, "maven": java_names}[runner](text)


def pytest_names(text):
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return set()
    found = {node.name for node in body if is_test(node)}
    for node in body:
        if isinstance(node, ast.ClassDef) and is_test_class(node):
            found |= {one.name for one in node.body if is_test(one)}
    return found


def is_test(node):
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or not node.name.startswith("test"):
        return False
    return not any("fixture" in ast.dump(one) for one in node.decorator_list)


def is_test_class(node):
    if any("__test__" in ast.dump(one) for one in node.body if isinstance(one, ast.Assign)):
        return False
    if any("TestCase" in ast.dump(base) for base in node.bases):
        return True
    has_init = any(isinstance(one, ast.FunctionDef) and one.name == "__init__" for one in node.body)
    return node.name.startswith("Test") and not has_init


def jest_titles(text):
    found = re.findall(r"(?m)^\s*(?:test|it)\(\s*(['\"`])((?:\\.|(?!\1).)*)\1", text)
    return {re.sub(r"\\(.)", r"\1", title) for _, title in found if "${" not in title}


def java_names(text):
    return set(re.findall(r"@Test\b[^;{]*?\bvoid\s+(\w+)\s*\(", text))


def bare(name, runner):
    """As in `expected`: without parameters in brackets or parentheses. A title of Jest's is one with what is in it."""
    if runner == "jest":
        return name
    return re.sub(r"[\[(].*$", "", name, flags=re.S)


WORDS = ("keeps_order", "handles_empty_input", "returns_copy", "accepts_none", "rejects_negative", "is_idempotent")


def with_failing(text, runner):
    """
    The file with one more test, which fails regardless of the code: where it is reported as passed, or not at all, the
    report is not the runner's. Its name can't be known before.
    """
    name = f"test_{secrets.choice(WORDS)}_{secrets.token_hex(3)}"
    one, other = sorted(secrets.randbelow(1000) for _ in range(2))
    if runner == "pytest":
        return name, f"{text}\n\n\ndef {name}():\n    assert {one} == {other + 1}\n"
    if runner == "jest":
        title = name.replace("_", " ")
        return title, f"{text}\n;test('{title}', () => {{ if ({one} !== {other + 1}) throw new Error('{one}'); }});\n"
    at = text.rstrip().rfind("}")
    kind = "org.junit.Test" if "org.junit.Test;" in text else "org.junit.jupiter.api.Test"
    body = f"    @{kind} public void {name}() {{ if ({one} != {other + 1}) throw new AssertionError(\"{one}\"); }}\n"
    return name, text[:at] + body + text[at:]
