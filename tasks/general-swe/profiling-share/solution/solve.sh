#!/bin/bash
set -euo pipefail
awk -v name='{{function}}' '
  { count = $NF; sub(/ [0-9]+$/, ""); all += count; if (index(";" $0 ";", ";" name ";")) found += count }
  END { printf "%.2f\n", 100 * found / all }
' /workspace/nightly.folded > /workspace/answer.txt
