#!/bin/bash
set -e
PROJECT=/home/ga/workspace/shop
su - ga -c "DISPLAY=:1 xdotool key ctrl+k s" 2>/dev/null || true
DISPLAY=:1 scrot /tmp/task_final.png
START=$(cat /tmp/task_start_time.txt)
python3 - <<PY
import json, os, subprocess

with open("/var/lib/shop/expected.json") as file:
    cases = json.load(file)
found = []
for price, percent, _ in cases:
    code = f"import sys; sys.path.insert(0, '$PROJECT'); from discount import discount; print(discount({price}, {percent}))"
    ran = subprocess.run(["sudo", "-u", "ga", "python3", "-B", "-c", code], capture_output=True, text=True, timeout=20)
    found.append(ran.stdout.strip())
source = "$PROJECT/discount.py"
result = {
    "found": found,
    "owner": subprocess.run(["stat", "-c", "%U", source], capture_output=True, text=True).stdout.strip(),
    "modified": os.path.exists(source) and int(os.stat(source).st_mtime) > $START,
}
with open("/tmp/shop_result.json", "w") as file:
    json.dump(result, file)
PY
chmod 666 /tmp/shop_result.json
