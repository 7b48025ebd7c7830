#!/bin/bash
set -euo pipefail
python3 - <<'PY'
import glob, json, os
for index in glob.glob("/ide/data/User/History/*/entries.json"):
    history = json.load(open(index))
    if not history["resource"].endswith("/ledger.py"):
        continue
    entries = [(entry.get("source"), open(os.path.join(os.path.dirname(index), entry["id"])).read()) for entry in history["entries"]]
    source = dict(entries)["{{label}}"]
    now = open("/workspace/ledger.py").read()
    part = lambda text: text[text.index("def allocate"):text.index("def format_line")]
    open("/workspace/ledger.py", "w").write(now.replace(part(now), part(source)))
PY
