#!/bin/bash
set -euo pipefail
for id in ms-python.vscode-pylance; do
  /opt/node/bin/node /opt/code-server/node_modules/code-server --user-data-dir /ide/data --extensions-dir /ide/extensions --install-extension "$id"
done
