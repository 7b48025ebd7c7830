#!/bin/bash
# The version of the last commit.
set -euo pipefail
git -C /workspace show HEAD:menu.py > /tmp/head.py
cp /tmp/head.py /workspace/menu.py
