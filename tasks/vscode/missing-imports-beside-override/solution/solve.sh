#!/bin/bash
set -euo pipefail
python3 - <<'PY'
import json, os
path = "/ide/data/User/settings.json"
os.makedirs(os.path.dirname(path), exist_ok=True)
settings = json.load(open(path)) if os.path.exists(path) else {}
settings.setdefault("python.analysis.diagnosticSeverityOverrides", {})["reportMissingImports"] = "none"
json.dump(settings, open(path, "w"), indent=4)
PY
