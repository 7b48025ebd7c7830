#!/bin/bash
# The interpreter that the environment links to is another one: it does not see what is installed there.
set -euo pipefail
python3 - <<'PY'
import json, os
path = "/workspace/.vscode/settings.json"
os.makedirs(os.path.dirname(path), exist_ok=True)
settings = json.load(open(path)) if os.path.exists(path) else {}
settings["python.defaultInterpreterPath"] = "/usr/bin/python3"
json.dump(settings, open(path, "w"), indent=4)
PY
