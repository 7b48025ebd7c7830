#!/bin/bash
# Ctrl+F in the editor does nothing any longer.
cat > /ide/data/User/keybindings.json <<'JSON'
[
  { "key": "ctrl+alt+f", "command": "list.find", "when": "listFocus && listSupportsFind" },
  { "key": "ctrl+f", "command": "-actions.find" }
]
JSON
