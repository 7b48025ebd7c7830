#!/bin/bash
set -euo pipefail
# The package by itself, as a person would who has the file.
python3 -c 'import urllib.request; urllib.request.urlretrieve("http://127.0.0.1:8080/proxy/3129/assets/ms-python/vscode-pylance/1.0.0/Microsoft.VisualStudio.Services.VSIXPackage", "/tmp/pylance.vsix")'
for id in /tmp/pylance.vsix; do
  /opt/node/bin/node /opt/code-server/node_modules/code-server --user-data-dir /ide/data --extensions-dir /ide/extensions --install-extension "$id"
done
