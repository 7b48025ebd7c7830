#!/bin/bash
# The old module imports the class for those who use it, which stay as they were.
set -euo pipefail
cd /workspace
python3 - <<'PY'
import pathlib

shapes = pathlib.Path("geometry/shapes.py")
text = shapes.read_text()
start, end = text.index("class Circle"), text.index("def total")
pathlib.Path("geometry/circle.py").write_text(
    "from __future__ import annotations\n\nimport math\n\nfrom geometry.shapes import Shape, Square\n\n\n" + text[start:end].rstrip() + "\n"
)
shapes.write_text((text[:start] + text[end:]).replace("import math\n", ""))
PY
printf '\n\nfrom geometry.circle import Circle\n' >> geometry/shapes.py
