#!/bin/bash
# These settings show snippets, not in which place.
set -euo pipefail
python3 - <<'PY'
import json
path = "/ide/data/User/settings.json"
settings = json.load(open(path))
settings["editor.suggest.preview"] = True
settings["editor.tabCompletion"] = "onlySnippets"
settings["editor.suggest.showSnippets"] = True
json.dump(settings, open(path, "w"), indent=4)
PY
