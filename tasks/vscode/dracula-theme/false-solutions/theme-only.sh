#!/bin/bash
# The theme is named in the settings, but the extension that has it is not installed.
set -euo pipefail
python3 - <<'PY'
import json, os
path = "/ide/data/User/settings.json"
os.makedirs(os.path.dirname(path), exist_ok=True)
settings = json.load(open(path)) if os.path.exists(path) else {}
settings["workbench.colorTheme"] = "Dracula Theme"
json.dump(settings, open(path, "w"), indent=4)
PY
