#!/bin/bash
# Code written from the docstring differs from the original code.
set -euo pipefail
python3 - <<'PY'
path = "/workspace/ledger.py"
text = open(path).read()
lines = text.split("\n")
at = next(number for number, line in enumerate(lines) if line.strip().startswith("parts[") and "+=" in line)
lines[at:at + 1] = ["    left = cents - sum(parts)", "    for turn in range(left):", "        parts[turn % len(parts)] += 1"]
open(path, "w").write("\n".join(lines))
PY
