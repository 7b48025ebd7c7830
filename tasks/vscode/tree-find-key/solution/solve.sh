#!/bin/bash
cat > /ide/data/User/keybindings.json <<'JSON'
[{ "key": "ctrl+alt+f", "command": "list.find", "when": "listFocus && listSupportsFind" }]
JSON
