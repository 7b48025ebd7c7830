#!/bin/bash
# The theme is set, but VS Code is configured to follow the system and shows another one.
set -euo pipefail
python3 - <<'PY'
import json
path = "/ide/data/User/settings.json"
settings = json.load(open(path))
settings["workbench.colorTheme"] = "Solarized Dark"
settings["window.autoDetectColorScheme"] = True
json.dump(settings, open(path, "w"), indent=4)
PY
