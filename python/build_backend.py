"""Builds the wheel and the sdist (PEP 517) with the standard library alone, so that ``pip install ./python`` needs no network."""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import pathlib
import tarfile
import zipfile
from typing import Any

_ROOT = pathlib.Path(__file__).parent
_TIME = (2026, 1, 1, 0, 0, 0)


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    name, version, _ = _metadata()
    info = f"{name}-{version}.dist-info"
    files = {str(path.relative_to(_ROOT)): path.read_bytes() for path in _sources()}
    files[f"{info}/METADATA"] = _core_metadata()
    files[f"{info}/entry_points.txt"] = _entry_points()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: pwp-env\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    rows = [f"{path},sha256={_digest(content)},{len(content)}" for path, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    file = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, file), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, _TIME)
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return file


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    name, version, _ = _metadata()
    base = f"{name}-{version}"
    files = {str(path.relative_to(_ROOT)): path.read_bytes() for path in _sources()}
    for own in ("pyproject.toml", "README.md", "build_backend.py"):
        files[own] = (_ROOT / own).read_bytes()
    files["PKG-INFO"] = _core_metadata()
    with tarfile.open(pathlib.Path(sdist_directory, f"{base}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{base}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return f"{base}.tar.gz"


def _sources() -> list[pathlib.Path]:
    return sorted([*_ROOT.glob("pwp_env/*.py"), _ROOT / "pwp_env/py.typed", _ROOT / "pwp_taskset.py"])


def _section(name: str) -> dict[str, Any]:
    """A table of pyproject.toml, whose values are each on one line. Python 3.10 has no reader of TOML."""
    text = (_ROOT / "pyproject.toml").read_text().split(f"[{name}]\n", 1)[1].split("\n[", 1)[0]
    fields = (line.split(" = ", 1) for line in text.splitlines() if " = " in line)
    return {key: ast.literal_eval(value) for key, value in fields}


def _metadata() -> tuple[str, str, dict[str, Any]]:
    project = _section("project")
    return project["name"].replace("-", "_"), project["version"], project


def _core_metadata() -> bytes:
    _, version, project = _metadata()
    extras = _section("project.optional-dependencies")
    head = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"Keywords: {','.join(project['keywords'])}",
        f"License-Expression: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Provides-Extra: {extra}" for extra in extras),
        *(f"Requires-Dist: {need} ; extra == '{extra}'" for extra, needs in extras.items() for need in needs),
        "Description-Content-Type: text/markdown",
        "",
    ]
    return ("\n".join(head) + "\n" + (_ROOT / "README.md").read_text()).encode()


def _entry_points() -> bytes:
    names = _section("project.entry-points.inspect_ai")
    return "\n".join(["[inspect_ai]", *(f"{name} = {module}" for name, module in names.items()), ""]).encode()


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
