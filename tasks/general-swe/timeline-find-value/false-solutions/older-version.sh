#!/bin/bash
# An older version had the number, too; the newest is wanted.
set -euo pipefail
python3 - <<'PY'
import glob, json, os
for index in glob.glob("/ide/data/User/History/*/entries.json"):
    history = json.load(open(index))
    if not history["resource"].endswith("/service.json"):
        continue
    entries = [(entry.get("source"), open(os.path.join(os.path.dirname(index), entry["id"])).read()) for entry in history["entries"]]
    open("/workspace/service.json", "w").write(entries[{{older}}][1])
PY
