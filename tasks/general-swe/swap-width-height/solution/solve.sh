#!/bin/bash
set -euo pipefail
cd /workspace
python3 - <<'PY'
import pathlib, re

other = {"width": "height", "height": "width"}
for path in pathlib.Path(".").rglob("*.py"):
    text = path.read_text()
    text = re.sub(r"(?<=\.)(width|height)\b", lambda name: other[name[0]], text)
    text = re.sub(r"^    (width|height)(?=: int)", lambda name: "    " + other[name[1]], text, flags=re.M)
    path.write_text(text)
PY
python3 -m pytest -q -p no:cacheprovider
