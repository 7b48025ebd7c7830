#!/bin/bash
# Without what it depends on VS Code does not run it.
set -euo pipefail
for id in rafaelha.vscode-flamegraph; do
  /opt/node/bin/node /opt/code-server/node_modules/code-server --user-data-dir /ide/data --extensions-dir /ide/extensions --install-extension "$id"
done
python3 - <<'PY'
import json, shutil
path = "/ide/extensions/extensions.json"
entries = json.load(open(path))
for entry in entries:
    if entry["identifier"]["id"] == "ms-toolsai.jupyter":
        shutil.rmtree("/ide/extensions/" + entry["relativeLocation"])
json.dump([entry for entry in entries if entry["identifier"]["id"] != "ms-toolsai.jupyter"], open(path, "w"))
PY
