#!/bin/bash
# No key is left for it.
cat > /ide/data/User/keybindings.json <<'JSON'
[
  { "key": "ctrl+f", "command": "-list.find" },
  { "key": "ctrl+alt+f", "command": "-list.find" }
]
JSON
