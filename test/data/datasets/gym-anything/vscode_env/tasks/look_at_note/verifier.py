import tempfile

from gym_anything.vlm import get_final_screenshot  # noqa: F401


def verify_note(traj, env_info, task_info):
    query_vlm = env_info.get("query_vlm")
    with tempfile.NamedTemporaryFile() as local:
        env_info["copy_from_env"]("/tmp/note.txt", local.name)
        if local.read().strip() != b"done":
            return {"passed": False, "score": 0, "feedback": "the note is not done"}
    try:
        seen = query_vlm(prompt="Was the mouse used?")
    except Exception:
        seen = {"success": True}
    return {"passed": bool(seen), "score": 100, "feedback": "seen"}
