#!/bin/bash
# All files are ignored, so nothing is reported at all.
set -euo pipefail
python3 - <<'PY'
import json, os
path = "/ide/data/User/settings.json"
os.makedirs(os.path.dirname(path), exist_ok=True)
settings = json.load(open(path)) if os.path.exists(path) else {}
settings["python.analysis.ignore"] = ["*"]
json.dump(settings, open(path, "w"), indent=4)
PY
