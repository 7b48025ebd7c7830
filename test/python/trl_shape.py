"""The environment for TRL, looked at as its trainer does and by transformers' own reading of tools; no training."""

import inspect
import pickle

from checks import SOLUTION, TASK, check
from PIL.Image import Image
from transformers.utils import get_json_schema

import pwp_env
from pwp_env.trl import Env


class WithPictures(Env):
    picture = "marks"
    task = TASK


TOOLS = {"act", "call_tool", "list_tools", "look", "shell"}


def methods_of(environment: Env) -> set[str]:
    found = {name for name, _ in inspect.getmembers(type(environment), predicate=inspect.isfunction)}
    return {name for name in found if not name.startswith("_")} - {"reset", "get_reward"}


with check("its public methods are the tools, and transformers reads each"):
    environment = Env()
    assert methods_of(environment) == TOOLS
    for name in TOOLS:
        schema = get_json_schema(getattr(environment, name))["function"]
        properties = schema["parameters"]["properties"]
        assert schema["description"] and all(one["description"] for one in properties.values()), schema
        assert set(schema["parameters"].get("required", [])) == set(properties), schema

with check("it can be sent to another process before it is made"):
    assert pickle.loads(pickle.dumps(Env)) is Env

with check("a rollout: reset by a row, tools, reward; the next row is another episode"):
    environment = Env()
    before = environment.reset(prompt=[], task=TASK)
    assert isinstance(before, str) and "Swap the words" in before and "notes.txt" in before
    assert environment.get_reward() == 0
    assert "shell(command" in environment.list_tools("shell") or "subjects" in environment.list_tools("?")
    assert environment.shell(SOLUTION).startswith("confirmed"), environment.shell("true")
    assert "text" in environment.call_tool("read_file", {"path": "notes.txt"})
    assert isinstance(environment.act("xdotool key Escape\nclick [1]"), str)
    assert environment.get_reward() == 1
    environment.reset(task=TASK)
    assert environment.get_reward() == 0

with check("pictures are blocks with an image"):
    pictured = WithPictures()
    pictured.reset()
    image, text = pictured.look()
    assert image["type"] == "image" and isinstance(image["image"], Image) and image["image"].size == (1920, 1080)
    assert text["type"] == "text" and text["text"]

with check("a reward that is not known is None"):
    unknown = Env()
    [folder] = [task.id for task in pwp_env.Client().tasks() if task.id.startswith("folder/")]
    unknown.reset(task=folder)
    assert unknown.get_reward() is None
    lost = Env()
    assert lost.get_reward() is None

with check("every episode is closed with its environment"):
    del environment, pictured, unknown, lost
    assert pwp_env.Client().health()["episodes"] == 0, pwp_env.Client().health()
