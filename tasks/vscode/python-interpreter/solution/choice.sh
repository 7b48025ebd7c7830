#!/bin/bash
set -euo pipefail
# Where the IDE's own command "Python: Select Interpreter" keeps what is chosen.
python3 - <<'PY'
import json, os
path = "/ide/data/User/globalStorage/pwp.python/interpreters.json"
os.makedirs(os.path.dirname(path), exist_ok=True)
settings = json.load(open(path)) if os.path.exists(path) else {}
settings["/workspace"] = "/workspace/venv/bin/python"
json.dump(settings, open(path, "w"), indent=4)
PY
