import sys

from reading import read_json

EXPECTED = [180.0, 25.0]


def verify_discount(traj, env_info, task_info):
    copy_from_env = env_info.get("copy_from_env")
    result = read_json(copy_from_env, "/tmp/shop_result.json")
    if not result.get("modified"):
        return {"passed": False, "score": 0, "feedback": "no file was changed"}
    score = 0
    for found, expected in zip(result.get("found", []), EXPECTED):
        try:
            score += 40 if abs(float(found) - expected) < 0.01 else 0
        except ValueError:
            print(f"not a number: {found}", file=sys.stderr)
    score += 20 if result.get("owner") == "ga" else 0
    threshold = task_info["metadata"].get("pass_threshold", 100)
    return {"passed": score >= threshold, "score": score, "feedback": f"owner {result.get('owner')}"}
