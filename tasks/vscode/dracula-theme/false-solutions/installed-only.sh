#!/bin/bash
# The theme is installed, but not the one that VS Code shows.
set -euo pipefail
for id in dracula-theme.theme-dracula; do
  /opt/node/bin/node /opt/code-server/node_modules/code-server --user-data-dir /ide/data --extensions-dir /ide/extensions --install-extension "$id"
done
