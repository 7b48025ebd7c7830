#!/bin/bash
# Another extension, whose id ends the same way.
set -euo pipefail
for id in pylance-tools.vscode-pylance; do
  /opt/node/bin/node /opt/code-server/node_modules/code-server --user-data-dir /ide/data --extensions-dir /ide/extensions --install-extension "$id"
done
