#!/bin/bash
set -euo pipefail
python3 - <<'PY'
import json
path = "/workspace/.vscode/settings.json"
import os
os.makedirs(os.path.dirname(path), exist_ok=True)
settings = {}
settings = {"files.exclude": {"{__pycache__,**/__pycache__/**}": True, "**/__pycache__": True}}
json.dump(settings, open(path, "w"), indent=4)
PY
