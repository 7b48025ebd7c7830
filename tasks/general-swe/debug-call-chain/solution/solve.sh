#!/bin/bash
set -euo pipefail
cd /workspace
python3 -B - <<'PY'
import sys
from ledger.rules import rule_for

calls = []
entry = {"id": "{{entry}}", "cents": {{cents}}}
rule = rule_for(entry)
sys.setprofile(lambda frame, event, _: event == "call" and calls.append(frame.f_code.co_qualname))
rule.apply(entry)
sys.setprofile(None)
open("answer.txt", "w").write(f"method: {calls[-1]}\ncalled by: {calls[-2]}\n")
PY
