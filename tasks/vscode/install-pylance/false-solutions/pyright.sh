#!/bin/bash
# Pyright checks types as well, but it is not Pylance.
set -euo pipefail
for id in ms-pyright.pyright; do
  /opt/node/bin/node /opt/code-server/node_modules/code-server --user-data-dir /ide/data --extensions-dir /ide/extensions --install-extension "$id"
done
