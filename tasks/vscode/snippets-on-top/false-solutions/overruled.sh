#!/bin/bash
# The workspace says otherwise.
set -euo pipefail
python3 - <<'PY'
import json
path = "/ide/data/User/settings.json"
settings = json.load(open(path))
settings["editor.snippetSuggestions"] = "top"
json.dump(settings, open(path, "w"), indent=4)
PY
mkdir -p /workspace/.vscode
echo '{"editor.snippetSuggestions": "bottom"}' > /workspace/.vscode/settings.json
