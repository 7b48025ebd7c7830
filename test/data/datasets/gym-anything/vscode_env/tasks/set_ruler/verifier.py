import json
import tempfile


def verify_ruler(traj, env_info, task_info):
    def read(path):
        with tempfile.NamedTemporaryFile() as local:
            env_info["copy_from_env"](path, local.name)
            return json.loads(local.read())

    rulers = read("/tmp/workspace_settings.json").get("editor.rulers")
    size = read(task_info["metadata"]["settings_file"]).get("editor.tabSize")
    score = (50 if rulers == [72] else 0) + (50 if size == 2 else 0)
    return {"passed": score == 100, "score": score, "feedback": [f"rulers {rulers}", f"tab size {size}"]}
