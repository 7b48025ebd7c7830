#!/bin/bash
# An environment activated in a shell is not the choice of the IDE.
set -euo pipefail
bash -c "PATH=/workspace/venv/bin:$PATH python -c 'import shop'" || true
echo "export PATH=/workspace/venv/bin:\$PATH" >> /root/.bashrc
