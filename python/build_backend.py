"""Builds the wheel and the sdist (PEP 517) with the standard library alone, so that ``pip install ./python`` needs no network."""

from __future__ import annotations

import base64
import hashlib
import io
import pathlib
import tarfile
import zipfile

try:
    import tomllib
except ImportError:  # Python 3.10
    tomllib = None  # type: ignore[assignment]

_ROOT = pathlib.Path(__file__).parent
_TIME = (2026, 1, 1, 0, 0, 0)


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    name, version, _ = _metadata()
    info = f"{name}-{version}.dist-info"
    files = {str(path.relative_to(_ROOT)): path.read_bytes() for path in _sources()}
    files[f"{info}/METADATA"] = _core_metadata()
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
    return sorted(path for path in (_ROOT / "pwp_env").iterdir() if path.suffix == ".py" or path.name == "py.typed")


def _metadata() -> tuple[str, str, dict[str, object]]:
    text = (_ROOT / "pyproject.toml").read_text()
    if tomllib is None:
        fields = dict(line.split(" = ", 1) for line in text.split("[project]", 1)[1].splitlines() if " = " in line)
        project: dict[str, object] = {key: value.strip('"') for key, value in fields.items()}
    else:
        project = tomllib.loads(text)["project"]
    return str(project["name"]).replace("-", "_"), str(project["version"]), project


def _core_metadata() -> bytes:
    _, version, project = _metadata()
    head = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        "License-Expression: MIT",
        f"Requires-Python: {project['requires-python']}",
        "Provides-Extra: gym",
        *(f"Requires-Dist: {need} ; extra == 'gym'" for need in ("gymnasium>=1.0", "numpy", "pillow")),
        "Description-Content-Type: text/markdown",
        "",
    ]
    return ("\n".join(head) + "\n" + (_ROOT / "README.md").read_text()).encode()


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
