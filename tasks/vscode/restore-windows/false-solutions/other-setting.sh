#!/bin/bash
# These settings are about something else.
set -euo pipefail
python3 - <<'PY'
import json
path = "/ide/data/User/settings.json"
settings = json.load(open(path))
settings["workbench.startupEditor"] = "none"
settings["window.openFoldersInNewWindow"] = "on"
json.dump(settings, open(path, "w"), indent=4)
PY
