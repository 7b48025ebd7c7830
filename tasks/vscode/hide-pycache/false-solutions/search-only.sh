#!/bin/bash
# Search leaves them out, the explorer still shows them.
set -euo pipefail
python3 - <<'PY'
import json
path = "/ide/data/User/settings.json"
settings = json.load(open(path))
settings["search.exclude"] = {"**/__pycache__": True}
json.dump(settings, open(path, "w"), indent=4)
PY
