#!/bin/bash
# The other functions go back, too.
set -euo pipefail
python3 - <<'PY'
import glob, json, os
for index in glob.glob("/ide/data/User/History/*/entries.json"):
    history = json.load(open(index))
    if not history["resource"].endswith("/ledger.py"):
        continue
    entries = [(entry.get("source"), open(os.path.join(os.path.dirname(index), entry["id"])).read()) for entry in history["entries"]]
    open("/workspace/ledger.py", "w").write(dict(entries)["{{label}}"])
PY
