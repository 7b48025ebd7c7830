#!/bin/bash
# Two versions too far back.
set -euo pipefail
python3 - <<'PY'
import glob, json, os
for index in glob.glob("/ide/data/User/History/*/entries.json"):
    history = json.load(open(index))
    if not history["resource"].endswith("/report.py"):
        continue
    entries = [(entry.get("source"), open(os.path.join(os.path.dirname(index), entry["id"])).read()) for entry in history["entries"]]
    open("/workspace/report.py", "w").write(entries[0][1])
PY
