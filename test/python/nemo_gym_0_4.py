"""NeMo Gym's own agents against our server, with a model that follows a script in place of one that thinks."""

import asyncio
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import urlsplit

from checks import SOLUTION, TASK, check
from fastapi import Response
from nemo_gym.config_types import AggregateMetrics, AggregateMetricsRequest, BaseServerConfig
from nemo_gym.openai_utils import NeMoGymResponse
from nemo_gym.server_utils import (
    GlobalAIOHTTPAsyncClientConfig,
    ServerClient,
    get_global_aiohttp_client,
    get_response_json,
    set_global_aiohttp_client,
)
from omegaconf import OmegaConf
from responses_api_agents.gymnasium_agent.app import GymnasiumAgent, GymnasiumAgentConfig, GymnasiumAgentRunRequest
from responses_api_agents.simple_agent.app import SimpleAgent, SimpleAgentConfig, SimpleAgentRunRequest

server = urlsplit(os.environ["PWP_SERVER"])
script: list[list[dict[str, object]]] = []
heard: list[dict[str, object]] = []


class Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        answer = {
            "id": f"resp_{len(heard)}",
            "created_at": 0,
            "model": "script",
            "object": "response",
            "output": script.pop(0),
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def call(name: str, **given: object) -> dict[str, object]:
    return {"type": "function_call", "call_id": f"call_{name}", "name": name, "arguments": json.dumps(given)}


def message(text: str) -> dict[str, object]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
# The token is the password of the address, which is all that NeMo Gym writes of a server.
place = {"host": f"nemo:{os.environ['PWP_TOKEN']}@{server.hostname}", "port": server.port}
servers = {
    "pwp": {"resources_servers": {"pwp": place}},
    "policy": {"responses_api_models": {"script": {"host": "127.0.0.1", "port": model.server_port}}},
}
head = BaseServerConfig(host="127.0.0.1", port=1)
client = ServerClient(head_server_config=head, global_config_dict=OmegaConf.create(servers))
settings = {
    "host": "127.0.0.1",
    "port": 1,
    "entrypoint": "app.py",
    "name": "agent",
    "resources_server": {"type": "resources_servers", "name": "pwp"},
    "model_server": {"type": "responses_api_models", "name": "policy"},
}
caller = SimpleNamespace(cookies={})


async def read_rows() -> list[dict[str, object]]:
    answer = await client.get("pwp", "/nemo-gym/tasks.jsonl")
    return [json.loads(line) for line in (await answer.text()).splitlines()]


async def play_gymnasium() -> None:
    agent = GymnasiumAgent(config=GymnasiumAgentConfig(**settings, max_steps=10), server_client=client)
    script[:] = [
        [call("act", actions=["xdotool key ctrl+p"]), call("none")],
        [call("shell", command=SOLUTION)],
        [call("submit")],
    ]
    done = await agent.run(caller, GymnasiumAgentRunRequest(**row))
    assert done.reward == 1 and done.terminated and not done.truncated, done
    outputs = [item.output for item in done.response.output if item.type == "function_call_output"]
    assert len(outputs) == 3 and "notes.txt" in outputs[0] and "no tool" in outputs[1], outputs
    first = heard[0]["input"]
    assert "Swap the words" in first[0]["content"] and "observation" in first[1]["content"], first
    assert {tool["name"] for tool in heard[0]["tools"]} >= {"act", "submit", "shell"}

    script[:] = [[call("shell", command="true")] for _ in range(3)] + [[message("I give up.")]]
    failed = await agent.run(caller, GymnasiumAgentRunRequest(**row))
    assert failed.reward == 0 and failed.terminated, failed
    script[:] = [[call("shell", command="true")] for _ in range(10)]
    left = await agent.run(caller, GymnasiumAgentRunRequest(**row))
    assert left.truncated and left.reward == 0


async def play_simple() -> None:
    agent = SimpleAgent(config=SimpleAgentConfig(**settings), server_client=client)
    script[:] = [[call("shell", command=SOLUTION)], [call("shell", nonsense=1)], [message("Done.")]]
    # As its `run` does, with the agent's own server left out.
    seeded = await client.post("pwp", "/seed_session", json=row)
    assert seeded.status == 200
    cookies = {name: one.value for name, one in seeded.cookies.items()}
    kept = Response()
    request = SimpleAgentRunRequest(**row)
    answer = await agent.responses(SimpleNamespace(cookies=cookies), kept, request.responses_create_params)
    assert isinstance(answer, NeMoGymResponse)
    outputs = [item.output for item in answer.output if item.type == "function_call_output"]
    assert "exit code 0" in outputs[0] and "nonsense" in outputs[1], outputs
    verified = await client.post("pwp", "/verify", json={**row, "response": answer.model_dump()}, cookies=cookies)
    found = await get_response_json(verified)
    assert found["reward"] == 1 and found["response"]["id"] == answer.id, found
    late = await client.post("pwp", "/shell", json={"command": "true"}, cookies=cookies)
    assert late.status == 404


async def fail() -> None:
    for path, body, status in (
        ("/reset", {"task": "none"}, 404),
        ("/reset", {"task": 7}, 400),
        ("/step", {"response": {"output": []}}, 404),
        ("/verify", {"responses_create_params": {}, "response": {}}, 404),
    ):
        answer = await client.post("pwp", path, json=body)
        detail = (await get_response_json(answer))["detail"]
        assert answer.status == status and isinstance(detail, str), (path, answer.status, detail)


async def aggregate() -> None:
    agent = GymnasiumAgent(config=GymnasiumAgentConfig(**settings), server_client=client)
    given = AggregateMetricsRequest(verify_responses=[{"reward": 1.0, "_ng_task_index": 0}, {"reward": 0.0}])
    found = await agent.aggregate_metrics(given)
    assert isinstance(found, AggregateMetrics) and found.agent_metrics == {"mean/reward": 0.5}, found


async def main() -> None:
    global row
    set_global_aiohttp_client(GlobalAIOHTTPAsyncClientConfig())
    with check("rows of a data set, with the tools that a model can call"):
        rows = await read_rows()
        [row] = [one for one in rows if one["task"] == TASK]
        GymnasiumAgentRunRequest(**row)
    with check("episodes by the agent of Gymnasium: solved, given up, out of steps"):
        await play_gymnasium()
    with check("an episode by the simple agent: a session, tools, a verifier"):
        await play_simple()
    with check("what can't be done is an error of HTTP, with its reason"):
        await fail()
    with check("means of rewards"):
        await aggregate()
    await get_global_aiohttp_client().close()


row: dict[str, object] = {}
asyncio.run(main())
model.shutdown()
