"""What is sent to an index: built by the usual tool, checked by the index's own, and installed without a network."""

import pathlib
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile

from checks import check

out = pathlib.Path(tempfile.mkdtemp())
root = pathlib.Path("python")


def run(*argv: object) -> str:
    done = subprocess.run([str(one) for one in argv], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return done.stdout


with check("build makes an sdist, and the wheel from it"):
    run(sys.executable, "-m", "build", root, "--outdir", out)
    [wheel], [sdist] = out.glob("*.whl"), out.glob("*.tar.gz")

with check("twine has nothing to complain of"):
    assert "WARNING" not in run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)

with check("both have all modules"):
    modules = {str(path.relative_to(root)) for path in root.glob("**/*.py") if path.name != "build_backend.py"}
    in_wheel = set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(sdist) as archive:
        in_sdist = {name.split("/", 1)[1] for name in archive.getnames()}
    assert modules <= in_wheel and modules <= in_sdist, modules - in_wheel | modules - in_sdist
    assert "pwp_env/py.typed" in in_wheel

with check("the wheel installs into an empty environment without an index"):
    fresh = out / "fresh"
    venv.create(fresh, with_pip=True)
    run(fresh / "bin/python", "-m", "pip", "install", "--no-index", wheel)
    run(fresh / "bin/python", "-c", "import pwp_env; pwp_env.AsyncClient('http://127.0.0.1:1')")
