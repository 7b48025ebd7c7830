#!/bin/bash
# The old key still works.
cat > /ide/data/User/keybindings.json <<'JSON'
[
  { "key": "ctrl+f", "command": "list.find", "when": "listFocus && listSupportsFind" },
  { "key": "ctrl+alt+f", "command": "list.find", "when": "listFocus && listSupportsFind" }
]
JSON
