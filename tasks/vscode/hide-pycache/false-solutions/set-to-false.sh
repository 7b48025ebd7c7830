#!/bin/bash
# The pattern is there but switched off.
set -euo pipefail
python3 - <<'PY'
import json
path = "/ide/data/User/settings.json"
settings = json.load(open(path))
settings["files.exclude"] = {"**/__pycache__": False}
json.dump(settings, open(path, "w"), indent=4)
PY
