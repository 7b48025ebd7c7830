"""The four routes of OSWorld, by the controller of its desktop-env, and its agents' own reading of the tree."""

import os
import struct
import time
from urllib.parse import urlsplit
from xml.etree import ElementTree

from checks import SOLUTION, TASK, check
from desktop_env.controllers.python import PythonController
from mm_agents.accessibility_tree_wrap.heuristic_retrieve import draw_bounding_boxes, filter_nodes

import pwp_env

server, token = urlsplit(os.environ["PWP_SERVER"]), os.environ["PWP_TOKEN"]


def controller(episode: str) -> PythonController:
    return PythonController(f"{episode}:{token}@{server.hostname}", server.port)


client = pwp_env.Client()
episode = client.open(TASK, picture="none")
desk = controller(episode.id)

with check("the screen, its size, and the tree as agents read it"):
    png = desk.get_screenshot()
    size = desk.get_vm_screen_size()
    assert struct.unpack(">II", png[16:24]) == (size["width"], size["height"]) == (1920, 1080), size
    tree = desk.get_accessibility_tree()
    nodes = filter_nodes(ElementTree.fromstring(tree))
    assert len(nodes) > 20 and any(node.get("name", "").startswith("notes.txt") for node in nodes)
    marks, drawn, table, tagged = draw_bounding_boxes(nodes, png)
    assert len(marks) == len(drawn) > 10 and tagged[:4] == b"\x89PNG", (len(marks), len(drawn))

with check("actions of the controller: keys, text, clicks, wheel, drag"):
    for action in (
        {"action_type": "HOTKEY", "parameters": {"keys": ["ctrl", "n"]}},
        {"action_type": "TYPING", "parameters": {"text": "it's \"typed\"\nhere"}},
        {"action_type": "PRESS", "parameters": {"key": "enter"}},
        {"action_type": "MOVE_TO", "parameters": {"x": 900, "y": 600}},
        {"action_type": "SCROLL", "parameters": {"dx": 0, "dy": -2}},
        {"action_type": "CLICK", "parameters": {"x": 900, "y": 600, "num_clicks": 2, "button": "left"}},
        {"action_type": "DRAG_TO", "parameters": {"x": 950, "y": 620}},
        "WAIT",
    ):
        desk.execute_action(action)
    [window] = ElementTree.fromstring(desk.get_accessibility_tree()).iter("frame")
    assert 'it\'s "typed"' in window.get("name"), window.attrib

with check("what agents write: tags of marks, several calls, what only Python can run"):
    done = desk.execute_python_command("tag_1=(900, 600)\npyautogui.click(tag_1)\npyautogui.hotkey('ctrl', 'end')\n")
    assert done["returncode"] == 0, done
    refused = desk.execute_python_command("for i in range(3): pyautogui.press('a')")
    assert refused["returncode"] == 1 and "pyautogui is not in the sandbox" in refused["error"], refused
    unknown = desk.execute_python_command("pyautogui.press('nokey')")
    assert unknown["returncode"] == 1, unknown

with check("other programs run in the sandbox"):
    assert desk.get_vm_platform() == "Linux"
    found = desk.execute_python_command("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert found == {"status": "success", "output": "out\n", "error": "err\n", "returncode": 3}, found
    desk.execute_python_command(f"import subprocess; subprocess.run({SOLUTION!r}, shell=True, check=True)")

with check("the episode is graded as any other, and its end is said"):
    assert episode.grade().reward == 1
    episode.close()
    desk.retry_interval = 0
    begun = time.monotonic()
    assert desk.get_screenshot() is None and time.monotonic() - begun < 20
