#!/bin/sh
# The folder of the task is the current one.
python3 - <<'END' > /logs/verifier/reward.txt
import json, os
try:
    found = json.load(open("settings.json"))
except (OSError, ValueError):
    found = {}
print(int(found == {"key": os.environ["EXPECTED"], "rest": [1, 2]}))
END
