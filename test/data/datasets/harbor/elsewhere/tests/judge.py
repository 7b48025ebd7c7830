import json

try:
    found = json.load(open("/output/sum.json"))["sum"]
except (OSError, ValueError, KeyError):
    found = None
json.dump({"reward": float(found == 42), "near": float(found in (41, 43))}, open("/logs/verifier/reward.json", "w"))
