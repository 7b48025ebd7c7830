#!/bin/bash
set -euo pipefail
cd /workspace
python3 -B - <<'PY'
import sys
import runpy

try:
    runpy.run_path("main.py", run_name="__main__")
except ValueError:
    frame = sys.exc_info()[2]
    while frame.tb_next:
        frame = frame.tb_next
    x, table = frame.tb_frame.f_locals["x"], frame.tb_frame.f_locals["table"]
    open("answer.txt", "w").write(f"x: {x.shape}\ntable: {table.shape}\ndimension of x: {x.ndim - 1}\ndimension of table: 0\n")
PY
