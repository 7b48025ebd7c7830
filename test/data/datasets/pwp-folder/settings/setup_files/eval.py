import io
import json
import tarfile

import docker


def content(env, path):
    try:
        bits, _ = env.container.get_archive(path)
    except docker.errors.NotFound:
        return None
    with tarfile.open(fileobj=io.BytesIO(b"".join(bits))) as tar:
        return tar.extractfile(tar.getmembers()[0]).read().decode("utf-8")


def eval_setting(env, key, value):
    text = content(env, "/home/devuser/.config/Code - OSS/User/settings.json")
    return text is not None and json.loads(text).get(key) == value


def eval_keybinding(env, key, command):
    text = content(env, "/home/devuser/.config/Code - OSS/User/keybindings.json")
    return text is not None and any(one["key"] == key and one["command"] == command for one in json.loads(text))


def eval_text(env, name, expected):
    return (content(env, f"/home/devuser/evaluation/{name}") or "").strip() == expected


def eval_output(env, command, expected):
    output, code = env.run_command(command)
    return code == 0 and output.strip() == expected


def eval_extension(env, name):
    output, _ = env.run_command("code --list-extensions")
    return name in output.split("\n")


def eval_exists(env, path):
    try:
        env.container.get_archive(path)
    except docker.errors.NotFound:
        return False
    return True


def eval_start(env, path):
    env.run_command("code --new-window &")
    return eval_exists(env, path)
