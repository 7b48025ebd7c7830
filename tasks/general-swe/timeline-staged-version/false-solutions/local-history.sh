#!/bin/bash
# The newest other entry of the local history is close to what is staged, and not the same.
set -euo pipefail
python3 - <<'PY'
import glob, json, os
for index in glob.glob("/ide/data/User/History/*/entries.json"):
    history = json.load(open(index))
    if not history["resource"].endswith("/menu.py"):
        continue
    entries = [(entry.get("source"), open(os.path.join(os.path.dirname(index), entry["id"])).read()) for entry in history["entries"]]
    open("/workspace/menu.py", "w").write(entries[-2][1])
PY
