"""The types of the package, by both checkers at their strictest, each module beside the package that it is for."""

import json
import os
import pathlib
import subprocess
import sys

from checks import check

MODULES = {
    "verifiers_0_4": ["pwp_env/verifiers.py", "pwp_taskset.py"],
    "inspect_sandbox": ["pwp_env/inspect.py"],
    "harbor_0_26": ["pwp_env/harbor.py"],
}
installed: dict[str, str] = json.loads(os.environ["PWP_PYTHONS"])
root = pathlib.Path("python")
elsewhere = {module for modules in MODULES.values() for module in modules}
own = [str(path.relative_to(root)) for path in [*root.glob("pwp_env/*.py"), *root.glob("pwp_*.py")]]
MODULES["types_strict"] = sorted(set(own) - elsewhere)


def run(*argv: str) -> None:
    done = subprocess.run([sys.executable, "-m", *argv], cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout[-3000:]


for name, modules in MODULES.items():
    if name in installed:
        with check(f"mypy: {', '.join(modules)}"):
            run("mypy", "--strict", "--python-executable", installed[name], *modules)
        with check(f"pyright: {', '.join(modules)}"):
            run("pyright", "--pythonpath", installed[name], *modules)
