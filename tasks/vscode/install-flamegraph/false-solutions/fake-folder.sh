#!/bin/bash
# A folder with the name of the extension and an entry in the list, but none of its files.
set -euo pipefail
python3 - <<'PY'
import json, os
folder = "/ide/extensions/rafaelha.vscode-flamegraph-1.0.0"
os.makedirs(folder)
json.dump({"name": "vscode-flamegraph", "publisher": "rafaelha", "version": "1.0.0", "engines": {"vscode": "*"}}, open(folder + "/package.json", "w"))
location = {"$mid": 1, "path": folder, "scheme": "file"}
entry = {"identifier": {"id": "rafaelha.vscode-flamegraph"}, "version": "1.0.0", "location": location, "relativeLocation": "rafaelha.vscode-flamegraph-1.0.0"}
json.dump([entry], open("/ide/extensions/extensions.json", "w"))
PY
