"""OpenEnv's own clients and its own validator: episodes, errors, connections that break."""

import asyncio
import base64
import json
import os
import pathlib
import subprocess
import sys
import types
import urllib.error
import urllib.request

from checks import SOLUTION, TASK, check
from openenv.core.env_server.mcp_types import CallToolAction
from openenv.core.generic_client import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient
from openenv.validation.graders.runtime.basic import (
    ObservationSchemaGrader,
    RewardWellFormedGrader,
    StateContractGrader,
)
from openenv.validation.runtime.collector import collect_runtime_evidence
from openenv.validation.runtime.contracts import RuntimePlan
from websockets.exceptions import ConnectionClosedError

from pwp_env.openenv import Provider

SERVER, TOKEN = os.environ["PWP_SERVER"], os.environ["PWP_TOKEN"]
BEARER = {"Authorization": f"Bearer {TOKEN}"}
URL = f"{SERVER}/openenv"
# For clients that take no headers. The name is that of a session, if there is one.
named_url = f"{SERVER.replace('://', '://x:' + TOKEN + '@')}/openenv"


def ask(path, body=None, base=URL):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(base + path, data, BEARER)) as answer:
        return json.load(answer)


def open_episodes():
    return ask("/health", base=SERVER)["episodes"]


def failure(call):
    try:
        call()
    except RuntimeError as error:
        return str(error)
    raise AssertionError("there was no error")


def solve(env):
    return env.step({"actions": [{"tool": "shell", "arguments": {"command": SOLUTION}}]})


with check("an episode: reset, steps, picture, error, state, reward"):
    with GenericEnvClient(URL, headers=BEARER).sync() as env:
        begun = env.reset(task=TASK, episode_id="mine", picture="screen", difficulty="hard")
        assert begun.observation["instruction"] and (begun.reward, begun.done) == (None, False)
        assert begun.observation["ignored"] == ["difficulty"], begun.observation["ignored"]
        assert base64.b64decode(begun.observation["picture"])[:4] == b"\x89PNG"
        assert "notes.txt" in begun.observation["text"]
        refused = env.step({"actions": ["xdotool nonsense"], "picture": "none"})
        assert refused.observation["outcomes"][0]["effect"] == "refused" and "picture" not in refused.observation
        assert "VALIDATION_ERROR" in failure(lambda: env.step({"click": 1}))
        solved = solve(env)
        assert (solved.reward, solved.done) == (0, False)
        state = env.state()
        assert (state["episode_id"], state["step_count"], state["task"]) == ("mine", 2, TASK), state
        last = env.step({"done": True})
        assert (last.reward, last.done) == (1, True) and all(one["passed"] for one in last.observation["checks"])
        assert "EXECUTION_ERROR" in failure(lambda: env.step({"actions": []}))
        again = env.reset(task=TASK)
        assert "picture" not in again.observation and env.step({"done": True}).reward == 0
    assert open_episodes() == 0

with check("tasks by their place, and chosen by a seed, at an address with the token"):
    count = ask("/pwp/num_tasks", {"split": "train"})["num_tasks"]
    tasks = ask("/pwp/task_range", {"split": "train", "start": 0})["tasks"]
    assert ask("/list_environments") == ["pwp"] and ask("/pwp/splits") == [{"name": "train", "type": "train"}]
    assert len(tasks) == count and ask("/pwp/task", {"split": "train", "index": count - 1})["task"] == tasks[-1]
    at = [task["id"] for task in tasks].index(TASK)
    with GenericEnvClient(named_url).sync() as env:
        assert env.reset(split="train", index=at).observation["task"] == TASK
        seeded = env.reset(seed=count + at).observation
        assert seeded["task"] == TASK and "ignored" not in seeded

with check("a connection that broke: the next one has no episode, and starts none"):

    async def break_off():
        async with GenericEnvClient(URL, headers=BEARER) as env:
            await env.reset(task=TASK)
            step = asyncio.create_task(env.step({"actions": [{"tool": "shell", "arguments": {"command": "sleep 20"}}]}))
            await asyncio.sleep(1)
            env._ws.transport.abort()
            try:
                await step
                raise AssertionError("the connection was not broken")
            except ConnectionClosedError:
                pass
            while open_episodes() > 0:
                await asyncio.sleep(0.1)
            try:
                await env.step({"actions": []})
                raise AssertionError("there is an episode")
            except RuntimeError as error:
                assert "no episode" in str(error) and "EXECUTION_ERROR" in str(error), error
            assert (await env.state())["episode_id"] is None and open_episodes() == 0

    asyncio.run(break_off())

with check("a session that outlives its connections"):
    session = ask("/reset", {"task": TASK})["observation"]["session_id"]
    with GenericEnvClient(named_url.replace("//x:", f"//{session}:")).sync() as env:
        solve(env)
    with GenericEnvClient(named_url.replace("//x:", f"//{session}:")).sync() as env:
        last = env.step({"done": True})
        assert (last.observation["step"], last.reward) == (2, 1)
    assert ask(f"/state?session_id={session}")["done"]
    close = {"jsonrpc": "2.0", "id": 1, "method": "openenv/session/close", "params": {"session_id": session}}
    assert ask("/mcp", close)["result"]["closed"] and open_episodes() == 0

with check("tools, by the client for them"):

    async def call_tools():
        async with MCPToolClient(URL, headers=BEARER) as env:
            await env.reset(task=TASK)
            names = [tool.name for tool in await env.list_tools()]
            assert "shell" in names and all(tool.input_schema for tool in await env.list_tools())
            assert "notes.txt" in await env.call_tool("shell", command="ls")
            try:
                await env.call_tool("none")
            except RuntimeError as error:
                assert "none" in str(error), error
            acted = await env.step(CallToolAction(tool_name="shell", arguments={"command": SOLUTION}))
            assert acted.observation.tool_name == "shell" and "exit code 0" in acted.observation.result
            state = await env.state()
            assert state.step_count >= 2, state

    asyncio.run(call_tools())
    assert open_episodes() == 0

with check("too many episodes, messages that are too large, a stranger's page"):
    clients = []
    try:
        said = ""
        while "CAPACITY_REACHED" not in said:
            env = GenericEnvClient(URL, headers=BEARER).sync()
            clients.append(env)
            env.connect()
            try:
                env.reset(task=TASK)
            except RuntimeError as error:
                said = str(error)
        clients[0].close()
        assert clients[-1].reset(task=TASK).observation["task"] == TASK
    finally:
        for env in clients:
            env.close()
    with GenericEnvClient(URL, headers=BEARER).sync() as env:
        try:
            env.step({"actions": ["x" * 100_000_000]})
            raise AssertionError("it was read")
        except ConnectionClosedError as error:
            assert error.rcvd and error.rcvd.code == 1009, error
        assert env.state()["episode_id"] is None
    try:
        GenericEnvClient(URL, headers={**BEARER, "Origin": "http://evil.example"}).sync().connect()
        raise AssertionError("a page of another origin was let in")
    except ConnectionError as error:
        assert "403" in str(error), error
    assert open_episodes() == 0

with check("openenv validate has no failure"):
    argv = [pathlib.Path(sys.executable).with_name("openenv"), "validate", "--url", named_url]
    done = subprocess.run([*argv, "--level", "semantic", "--json"], capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report["passed"] and report["mode"] == "simulation", report
    assert report["summary"]["failed_criteria"] == [], report

with check("the validator's own graders of running environments pass"):
    solution = {"actions": [{"tool": "shell", "arguments": {"command": SOLUTION}}]}
    plan = {
        "plan_schema_version": "1",
        "reset": {"episode_id": "measured", "seed": 7, "options": {"task": TASK}},
        "actions": [{"actions": ["xdotool key Escape"]}, solution, {"done": True}],
    }
    evidence = collect_runtime_evidence(named_url, RuntimePlan.model_validate(plan), episode_timeout_s=120)
    assert evidence.failure_reason is None, evidence.failure_reason
    reward = types.SimpleNamespace(range=(0, 1))
    subject = types.SimpleNamespace(runtime_evidence=evidence, manifest=types.SimpleNamespace(reward=reward))
    for grader in (RewardWellFormedGrader(), ObservationSchemaGrader(), StateContractGrader()):
        result = grader.run(subject)
        assert result.status.value == "pass", (result.check_id, result.evidence)

with check("a server that the client starts and ends"):
    pwp = ("node_modules/.bin/node", "dist/pwp.js")
    with GenericEnvClient(provider=Provider(f"tasks/{TASK}", command=pwp), message_timeout_s=600).sync() as env:
        assert env.base_url != URL and env.reset().observation["task"] == TASK
        address = env.base_url
    try:
        urllib.request.urlopen(f"http://{address.split('@')[1]}/health")
        raise AssertionError("the server still runs")
    except urllib.error.URLError as error:
        assert isinstance(error.reason, ConnectionRefusedError), error

with check("every episode is closed"):
    assert open_episodes() == 0
