#!/bin/bash
# The key finds in the file, not in the tree.
cat > /ide/data/User/keybindings.json <<'JSON'
[{ "key": "ctrl+alt+f", "command": "actions.find" }]
JSON
