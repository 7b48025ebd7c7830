"""Moves a symbol of a module's top level into another module, importers included.

Reads one JSON object from standard input and writes one to standard output. Works on a copy of the workspace's Python
files, with the unsaved texts of the editor in their places: nothing is written to the workspace.

    {"root": "/workspace", "texts": {"a.py": "..."}, "source": "a.py", "offset": 6, "target": "b.py"}
    {"name": "Shape", "changes": [{"path": "a.py", "text": "...", "created": false}]}
    {"refused": "why it can not be moved"}

Paths are relative to the root; the offset counts characters of the source's text, whose lines end in LF.
"""

import ast
import json
import os
import shutil
import sys
import tempfile

LEFT_OUT = {"node_modules", "__pycache__", "venv", "env", "site-packages"}
MOST_FILES = 5000
MOST_BYTES = 2_000_000


def python_files(root):
    """Relative paths of the workspace's own Python files."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [
            name
            for name in folders
            if name not in LEFT_OUT
            and not name.startswith(".")
            and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
        ]
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.endswith(".py") or os.path.getsize(path) > MOST_BYTES:
                continue
            count += 1
            if count > MOST_FILES:
                raise ValueError(f"the workspace has more than {MOST_FILES} Python files")
            yield os.path.relpath(path, root)


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_text(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def copy_workspace(request, copy):
    """The texts of the copy's files, by their path."""
    texts = {}
    for path in python_files(request["root"]):
        try:
            texts[path] = read_text(os.path.join(request["root"], path))
        except (OSError, UnicodeDecodeError):
            # Not Python that can be imported.
            continue
    texts.update(request["texts"])
    for path, text in texts.items():
        write_text(os.path.join(copy, path), text)
    for folder in namespace_packages(texts):
        write_text(os.path.join(copy, folder, "__init__.py"), "")
    return texts


def imported_modules(text):
    """Dotted names in the absolute imports of a text."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def namespace_packages(texts):
    """Folders without `__init__.py` that are imported by their path from the root: rope takes no other for packages."""
    folders = {os.path.dirname(path) for path in texts}
    for folder in sorted(folders):
        folders.update(folder[:at] for at, letter in enumerate(folder) if letter == "/")
    names = {name for text in texts.values() for name in imported_modules(text)}
    for folder in sorted(folders - {""}):
        dotted = folder.replace("/", ".") + "."
        if f"{folder}/__init__.py" not in texts and any(name.startswith(dotted) for name in names):
            yield folder


def import_names():
    """Has rope write `from module import Name` where it would write `import module` and `module.Name`."""
    from rope.refactor import importutils

    def add_import(project, pymodule, module_name, name=None):
        imports = importutils.get_module_imports(project, pymodule)
        imports.add_import(importutils.FromImport(module_name, 0, [(name, None)]))
        return imports.get_changed_source(), name

    importutils.add_import = add_import


def modules_of(path):
    """Dotted names that a file may be imported by: with the folders above it, or from one of those on."""
    parts = path[: -len(".py")].split("/")
    if parts[-1] == "__init__":
        parts.pop()
    return [".".join(parts[at:]) for at in range(len(parts))]


def is_import_of(node, path, source):
    """Whether a `from ... import` in the file `path` imports from the file `source`."""
    if node.level == 0:
        return node.module in modules_of(source)
    folder = path.split("/")[:-1]
    folder = folder[: len(folder) - (node.level - 1)]
    module = "/".join([*folder, *(node.module or "").split(".")]).strip("/")
    return source in (f"{module}.py", f"{module}/__init__.py")


def move_renamed_imports(text, path, source, name, module):
    """The imports of a symbol by another name, which rope leaves as they are."""
    if name not in text:
        return text
    lines = text.split("\n")
    found = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom)
        and is_import_of(node, path, source)
        and any(alias.name == name and alias.asname for alias in node.names)
    ]
    for node in sorted(found, key=lambda node: -node.lineno):
        indent = " " * node.col_offset
        moved = [alias for alias in node.names if alias.name == name and alias.asname]
        kept = [alias for alias in node.names if alias not in moved]
        origin = "." * node.level + (node.module or "")
        fresh = [f"{indent}from {module} import {ast.unparse(alias)}" for alias in moved]
        if kept:
            names = ", ".join(map(ast.unparse, kept))
            fresh.insert(0, f"{indent}from {origin} import {names}")
        lines[node.lineno - 1 : node.end_lineno] = fresh
    return "\n".join(lines)


def imports_on_load(text, path, files):
    """The workspace's files that a module imports when it is loaded: not within functions, nor for type checkers."""

    def statements(nodes):
        for node in nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                yield node
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                yield from statements(node.orelse)
            elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from statements(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))
                for handler in getattr(node, "handlers", []):
                    yield from statements(handler.body)

    def file_of(module, folder):
        inside = "/".join([*folder, *module.split(".")]).strip("/")
        named = (f"{inside}.py", f"{inside}/__init__.py")
        return next((name for name in named if name in files), None)

    try:
        tree = ast.parse(text)
    except SyntaxError:
        return set()
    found = set()
    here = path.split("/")[:-1]
    for node in statements(tree.body):
        if isinstance(node, ast.Import):
            found |= {file_of(alias.name, here[:at]) for alias in node.names for at in range(len(here) + 1)}
            continue
        folders = [here[: len(here) - node.level + 1]] if node.level else [here[:at] for at in range(len(here) + 1)]
        for folder in folders:
            for alias in node.names:
                module = f"{node.module}.{alias.name}" if node.module else alias.name
                below = file_of(module, folder)
                found.add(below or (file_of(node.module, folder) if node.module else None))
    return found - {None, path}


def refuse_circular_imports(before, after):
    """A module that imports itself by way of another one can not be loaded, or finds the other one half done."""
    old = {path: imports_on_load(text, path, before) for path, text in before.items()}
    new = {path: imports_on_load(text, path, after) for path, text in after.items()}

    def way(start, end):
        ways, seen = [[start]], {start}
        for one in ways:
            if one[-1] == end:
                return one
            fresh = sorted(new.get(one[-1], set()) - seen)
            seen.update(fresh)
            ways.extend([*one, path] for path in fresh)
        return None

    for path in sorted(new):
        for imported in sorted(new[path] - old.get(path, set())):
            back = way(imported, path)
            if back:
                raise ValueError(f"it would make circular imports: {' -> '.join([path, *back])}")


def move(request, copy):
    from rope.base.libutils import modname
    from rope.base.project import Project
    from rope.refactor.move import MoveGlobal

    import_names()
    before = copy_workspace(request, copy)
    target = request["target"]
    if target not in before:
        write_text(os.path.join(copy, target), "")
    project = Project(copy, ropefolder=None, save_objectdb=False, automatic_soa=False)
    try:
        mover = MoveGlobal(project, project.get_file(request["source"]), request["offset"])
        project.do(mover.get_changes(project.get_file(target)))
        name, module = mover.old_name, modname(project.get_file(target))
    finally:
        project.close()
    changes = []
    after = {}
    for path in sorted({*before, target}):
        text = read_text(os.path.join(copy, path))
        if path != target:
            text = move_renamed_imports(text, path, request["source"], name, module)
        after[path] = text
        if text != before.get(path):
            changes.append({"path": path, "text": text, "created": path not in before})
    refuse_circular_imports(before, after)
    return {"name": name, "changes": changes}


def main():
    from rope.base.exceptions import RopeError

    request = json.load(sys.stdin)
    copy = tempfile.mkdtemp(prefix="pwp-move-")
    try:
        answer = move(request, copy)
    except (RopeError, SyntaxError, ValueError) as error:
        answer = {"refused": str(error)}
    finally:
        shutil.rmtree(copy, ignore_errors=True)
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
