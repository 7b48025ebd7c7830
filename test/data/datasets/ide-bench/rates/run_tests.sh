#!/usr/bin/env bash
set -euo pipefail
task="${1:-BASE}"
if [[ "$task" == "BASE" ]]; then
  pytest -q -rA tests/base
else
  pytest -q -rA tests/base "tasks/$task/task_tests.py"
fi
