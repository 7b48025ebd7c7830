#!/bin/bash
code --list-extensions > /tmp/extensions.txt
cp /home/ga/workspace/poems/.vscode/settings.json /tmp/workspace_settings.json
