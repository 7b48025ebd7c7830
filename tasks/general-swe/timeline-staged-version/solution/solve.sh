#!/bin/bash
set -euo pipefail
git -C /workspace show :menu.py > /tmp/staged.py
cp /tmp/staged.py /workspace/menu.py
