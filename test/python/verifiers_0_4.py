"""The taskset, evaluated by verifiers' own command with a scripted model."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from checks import SOLUTION, TASK, check, folder_task

import pwp_env

BROKEN = "auto save"
"""A conversation about this fails: it is in the instruction of another task."""
SAID: list[dict] = []
"""The requests to the model."""


class Model(BaseHTTPRequestHandler):
    """Calls the tool that solves the task, and ends when it has its result."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        SAID.append(asked)
        solved = any(message["role"] == "tool" for message in asked["messages"])
        call = {"id": "one", "type": "function", "function": {"name": "shell", "arguments": json.dumps({"command": SOLUTION})}}
        message = {"role": "assistant", "content": "done" if solved else None, **({} if solved else {"tool_calls": [call]})}
        if BROKEN in json.dumps(asked["messages"]):
            self.send_error(400)
            return
        choice = {"index": 0, "finish_reason": "stop" if solved else "tool_calls"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        reply = {"id": "x", "created": 0, "model": "scripted", "usage": usage}
        if asked.get("stream"):
            message["tool_calls"] = [{"index": 0, **one} for one in message.get("tool_calls", [])]
            chunk = {**reply, "object": "chat.completion.chunk", "choices": [{**choice, "delta": message}]}
            body, kind = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode(), "text/event-stream"
        else:
            whole = {**reply, "object": "chat.completion", "choices": [{**choice, "message": message}]}
            body, kind = json.dumps(whole).encode(), "application/json"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def evaluate(task: str) -> dict:
    """The trace of the only rollout of a task."""
    bin = pathlib.Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as out:
        argv = [
            *(bin / "vf-eval", "pwp-taskset", "--no-push", "--no-rich", "-o", out, "-m", "scripted"),
            *("--env.agent.runtime.type", "subprocess", "--env.taskset.tasks", json.dumps([task])),
            *("--client.base-url", f"http://127.0.0.1:{server.server_port}/v1", "--client.api-key-var", "NO_KEY"),
        ]
        env = {**os.environ, "NO_KEY": "none", "PATH": f"{bin}:{os.environ['PATH']}"}
        done = subprocess.run([str(one) for one in argv], env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        episodes = [json.loads(line) for file in pathlib.Path(out).glob("**/traces.jsonl") for line in file.open()]
    assert len(episodes) == 1, done.stdout[-4000:]
    [trace] = episodes[0]["traces"]
    return trace


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()

with check("vf-eval: the tools act in the episode, and the reward is the score by the task's own tests"):
    trace = evaluate(TASK)
    assert not trace["errors"] and trace["rewards"]["task_score"]["score"] == 1, (trace["errors"], trace["rewards"])
    tools = {tool["function"]["name"] for tool in SAID[0]["tools"]}
    assert {"act", "look", "shell", "list_tools", "call_tool"} <= tools, tools

with check("a reward that is not known is an error, and not 0"):
    trace = evaluate(folder_task([task.id for task in pwp_env.Client().tasks()]))
    assert not trace["ok"] and "the reward is unknown" in json.dumps(trace["errors"]), trace["errors"]

with check("every episode is closed, also one whose model failed"):
    assert not evaluate("vscode/autosave-500")["ok"]
    assert pwp_env.Client().health()["episodes"] == 0
