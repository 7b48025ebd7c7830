"""Binds the conformance suite `cua-auto-harness` to our input: translates its requests into one vocabulary.

Options come from the environment: PWP_VOCABULARY (xdotool, anthropic, openai, gemini), PWP_PLAYER (a command that plays
a line of JSON and answers with one), DISPLAY.
"""

import json
import os
import shlex
import subprocess
import sys

from autoharness.adapters import SutExecutionError, UnsupportedActionError
from autoharness.backend import Backend, register_backend
from autoharness.contracts import ButtonPress, ButtonRelease, Click, Drag, KeyChord, Move, Scroll, TypeText

BUTTONS = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
# Pixels per notch of the wheel.
NOTCH = 53
WIDTH, HEIGHT = 1920, 1080


def no_word(action):
    raise UnsupportedActionError(f"there is no word for {action}")


def xdotool(action):
    held = list(getattr(action, "modifiers", []))
    words = [f"keydown {key}" for key in held]
    if isinstance(action, Drag):
        (x, y), *rest = action.path
        words += [f"mousemove {x} {y} mousedown {BUTTONS[action.button]}"]
        words += [f"mousemove {x} {y}" for x, y in rest] + [f"mouseup {BUTTONS[action.button]}"]
    elif isinstance(action, (Click, ButtonPress, ButtonRelease, Move, Scroll)):
        words += [f"mousemove {action.x} {action.y}"]
    if isinstance(action, Click):
        words += [f"click --repeat {action.count} --delay 40 {BUTTONS[action.button]}"]
    elif isinstance(action, ButtonPress):
        words += [f"mousedown {BUTTONS[action.button]}"]
    elif isinstance(action, ButtonRelease):
        words += [f"mouseup {BUTTONS[action.button]}"]
    elif isinstance(action, Scroll):
        for ticks, less, more in ((action.dy_ticks, 4, 5), (action.dx_ticks, 6, 7)):
            words += [f"click --repeat {abs(ticks)} {less if ticks < 0 else more}"] if ticks else []
    elif isinstance(action, KeyChord):
        words += [f"key {'+'.join(X_NAMES.get(key, key) for key in action.keys)}"]
    elif isinstance(action, TypeText):
        words += [f"type {shlex.quote(action.text)}"]
    return ["xdotool " + " ".join(words + [f"keyup {key}" for key in held])]


# xdotool's own names; models write others, which are read as they are.
X_NAMES = {
    **{"enter": "Return", "esc": "Escape", "tab": "Tab", "backspace": "BackSpace", "delete": "Delete"},
    **{"insert": "Insert", "up": "Up", "down": "Down", "left": "Left", "right": "Right", "home": "Home"},
    **{"end": "End", "pageup": "Page_Up", "pagedown": "Page_Down", "caps_lock": "Caps_Lock", "menu": "Menu"},
    **{"kp_enter": "KP_Enter", "kp_add": "KP_Add"},
    **{f"f{n}": f"F{n}" for n in range(1, 13)},
}


def anthropic(action):
    held = {"text": "+".join(action.modifiers)} if getattr(action, "modifiers", []) else {}
    if isinstance(action, Click):
        names = {1: "left_click", 2: "double_click", 3: "triple_click"}
        name = names.get(action.count) if action.button == "left" else f"{action.button}_click"
        if action.button in ("back", "forward") or (action.button != "left" and action.count > 1):
            no_word(action)
        return [{"action": name, "coordinate": [action.x, action.y], **held}]
    if isinstance(action, (ButtonPress, ButtonRelease)):
        if action.button != "left":
            no_word(action)
        name = "left_mouse_down" if isinstance(action, ButtonPress) else "left_mouse_up"
        return [{"action": name, "coordinate": [action.x, action.y]}]
    if isinstance(action, Move):
        return [{"action": "mouse_move", "coordinate": [action.x, action.y]}]
    if isinstance(action, Drag):
        if action.button != "left":
            no_word(action)
        start, *middle, end = [list(place) for place in action.path]
        if not middle:
            return [{"action": "left_click_drag", "start_coordinate": start, "coordinate": end, **held}]
        moves = [{"action": "mouse_move", "coordinate": place} for place in middle]
        down, up = ({"action": f"left_mouse_{way}", "coordinate": at} for way, at in (("down", start), ("up", end)))
        return [down, *moves, up]
    if isinstance(action, Scroll):
        turns = ((action.dy_ticks, "up", "down"), (action.dx_ticks, "left", "right"))
        return [
            {
                "action": "scroll",
                "coordinate": [action.x, action.y],
                "scroll_direction": less if ticks < 0 else more,
                "scroll_amount": abs(ticks),
                **held,
            }
            for ticks, less, more in turns
            if ticks
        ]
    if isinstance(action, KeyChord):
        return [{"action": "key", "text": "+".join(action.keys)}]
    return [{"action": "type", "text": action.text}]


def openai(action):
    held = {"keys": [key.upper() for key in action.modifiers]} if getattr(action, "modifiers", []) else {}
    if isinstance(action, Click):
        at = {"x": action.x, "y": action.y, **held}
        button = "wheel" if action.button == "middle" else action.button
        if action.count == 2 and button == "left":
            return [{"type": "double_click", **at}]
        return [{"type": "click", "button": button, **at}] * action.count
    if isinstance(action, Move):
        return [{"type": "move", "x": action.x, "y": action.y}]
    if isinstance(action, Drag) and action.button == "left":
        return [{"type": "drag", "path": [{"x": x, "y": y} for x, y in action.path], **held}]
    if isinstance(action, Scroll):
        across, along = (ticks * NOTCH for ticks in (action.dx_ticks, action.dy_ticks))
        return [{"type": "scroll", "x": action.x, "y": action.y, "scroll_x": across, "scroll_y": along, **held}]
    if isinstance(action, KeyChord):
        return [{"type": "keypress", "keys": [key.upper() for key in action.keys]}]
    if isinstance(action, TypeText):
        return [{"type": "type", "text": action.text}]
    return no_word(action)


def gemini(action):
    def at(x, y, names=("x", "y")):
        # The middle of the pixel, so that it maps back to the same one.
        return {names[0]: (x + 0.5) * 1000 / WIDTH, names[1]: (y + 0.5) * 1000 / HEIGHT}

    def said():
        if isinstance(action, Click):
            names = {("left", 1): "click", ("left", 2): "double_click", ("left", 3): "triple_click"}
            names |= {("middle", 1): "middle_click", ("right", 1): "right_click"}
            name = names.get((action.button, action.count)) or no_word(action)
            return [{"function": name, **at(action.x, action.y)}]
        if isinstance(action, (ButtonPress, ButtonRelease)) and action.button == "left":
            name = "mouse_down" if isinstance(action, ButtonPress) else "mouse_up"
            return [{"function": name, **at(action.x, action.y)}]
        if isinstance(action, Move):
            return [{"function": "move", **at(action.x, action.y)}]
        if isinstance(action, Drag) and action.button == "left":
            start, *middle, end = action.path
            if not middle:
                ends = {**at(*start, ("start_x", "start_y")), **at(*end, ("end_x", "end_y"))}
                return [{"function": "drag_and_drop", **ends}]
            moves = [{"function": "move", **at(*place)} for place in middle]
            return [{"function": "mouse_down", **at(*start)}, *moves, {"function": "mouse_up", **at(*end)}]
        if isinstance(action, Scroll):
            turns = ((action.dy_ticks, "up", "down"), (action.dx_ticks, "left", "right"))
            return [
                {
                    "function": "scroll",
                    **at(action.x, action.y),
                    "direction": less if ticks < 0 else more,
                    "magnitude_in_pixels": abs(ticks) * NOTCH,
                }
                for ticks, less, more in turns
                if ticks
            ]
        if isinstance(action, KeyChord):
            return [{"function": "hotkey", "keys": list(action.keys)}]
        if isinstance(action, TypeText):
            return [{"function": "type", "text": action.text}]
        return no_word(action)

    held = list(getattr(action, "modifiers", []))
    down = [{"function": "key_down", "key": key} for key in held]
    return [*down, *said(), *({"function": "key_up", "key": key} for key in held)]


WORDS = {"xdotool": xdotool, "anthropic": anthropic, "openai": openai, "gemini": gemini}


@register_backend("pwp")
class Pwp(Backend):
    guest_display = os.environ.get("DISPLAY", ":1")
    # Needs python-xlib, in addition to the suite.
    supports_raw_tap = True

    def __init__(self, **options):
        super().__init__()
        self.player = None

    def boot(self):
        command = shlex.split(os.environ["PWP_PLAYER"])
        self.player = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def exec(self, cmd, timeout=120):
        # The probes run on the Python that the suite is installed for. Without --norc, bash takes a standard input that is a
        # socket for a login from afar, and a person's .bashrc may put another Python first.
        path = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
        env = {**os.environ, "PATH": path}
        done = subprocess.run(["bash", "--norc", "-c", cmd], stdout=subprocess.PIPE, text=True, timeout=timeout, env=env)
        return done.returncode, done.stdout

    def ask(self, request):
        self.player.stdin.write(json.dumps(request) + "\n")
        self.player.stdin.flush()
        answer = json.loads(self.player.stdout.readline())
        if "error" in answer:
            raise SutExecutionError(answer["error"])

    def supports(self, action):
        try:
            WORDS[os.environ["PWP_VOCABULARY"]](action)
        except UnsupportedActionError as error:
            return str(error)
        return None

    def inject(self, action):
        self.ask({"actions": WORDS[os.environ["PWP_VOCABULARY"]](action)})

    def screenshot(self, dst_path):
        self.ask({"picture": str(dst_path)})

    def teardown(self):
        if self.player:
            self.player.stdin.close()
            self.player.wait(30)
            self.player = None
