#!/bin/bash
# Flame charts for JavaScript profiles are another extension.
set -euo pipefail
for id in ms-vscode.vscode-js-profile-flame; do
  /opt/node/bin/node /opt/code-server/node_modules/code-server --user-data-dir /ide/data --extensions-dir /ide/extensions --install-extension "$id"
done
