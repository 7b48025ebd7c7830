#!/bin/bash
# The formatter is installed, but not made the default.
set -euo pipefail
for id in ms-python.black-formatter; do
  /opt/node/bin/node /opt/code-server/node_modules/code-server --user-data-dir /ide/data --extensions-dir /ide/extensions --install-extension "$id"
done
