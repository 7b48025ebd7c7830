#!/bin/bash
set -euo pipefail
for id in rafaelha.vscode-flamegraph; do
  /opt/node/bin/node /opt/code-server/node_modules/code-server --user-data-dir /ide/data --extensions-dir /ide/extensions --install-extension "$id"
done
