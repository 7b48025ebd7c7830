#!/bin/bash
# The setting names an extension that is not installed.
set -euo pipefail
python3 - <<'PY'
import json, os
path = "/ide/data/User/settings.json"
os.makedirs(os.path.dirname(path), exist_ok=True)
settings = json.load(open(path)) if os.path.exists(path) else {}
settings["[python]"] = {"editor.defaultFormatter": "ms-python.black-formatter"}
json.dump(settings, open(path, "w"), indent=4)
PY
