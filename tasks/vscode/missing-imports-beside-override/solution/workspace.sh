#!/bin/bash
set -euo pipefail
python3 - <<'PY'
import json, os
path = "/workspace/.vscode/settings.json"
os.makedirs(os.path.dirname(path), exist_ok=True)
settings = json.load(open(path)) if os.path.exists(path) else {}
settings["python.analysis.diagnosticSeverityOverrides"] = {"reportMissingImports": False}
json.dump(settings, open(path, "w"), indent=4)
PY
