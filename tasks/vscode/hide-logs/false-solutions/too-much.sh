#!/bin/bash
# Hides the logbook and the log that is kept as text, too.
set -euo pipefail
python3 - <<'PY'
import json
path = "/ide/data/User/settings.json"
settings = json.load(open(path))
settings["files.exclude"] = {"**/*log*": True, "**/*.tmp": True}
json.dump(settings, open(path, "w"), indent=4)
PY
