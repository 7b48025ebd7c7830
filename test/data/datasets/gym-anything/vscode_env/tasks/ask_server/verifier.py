import tempfile


def verify_note(traj, env_info, task_info):
    with tempfile.NamedTemporaryFile() as local:
        env_info["copy_from_env"]("/tmp/note.txt", local.name)
        done = local.read().strip() == b"done"
    return {"passed": done, "score": 100 if done else 0, "feedback": "the note was read"}
