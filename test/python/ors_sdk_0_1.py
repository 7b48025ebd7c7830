"""Open Reward Standard, by the owners' client: a whole episode, mistakes, and answers that were lost."""

import asyncio
import os

from checks import SOLUTION, TASK, check
from ors.client import AsyncORS
from ors.client._http import resumable_sse
from ors.client._types import ImageBlock, TextBlock, ToolCallError

SERVER, TOKEN = os.environ["PWP_SERVER"], os.environ["PWP_TOKEN"]
loop = asyncio.new_event_loop()
run = loop.run_until_complete
client = AsyncORS(SERVER, api_key=TOKEN)


async def environment():
    return client.environment("pwp")


pwp = run(environment())
[split] = run(pwp.list_splits())
tasks = run(pwp.list_tasks(split))
[task] = [one for one in tasks if one.task_spec["id"] == TASK]

with check("tasks and tools without a session"):
    assert split == "train" and run(pwp.num_tasks(split)) == len(tasks)
    at = tasks.index(task)
    assert run(pwp.get_task(split, at)).task_spec == task.task_spec
    assert [one.task_spec for one in run(pwp.get_task_range(split, at, at + 1))] == [task.task_spec]
    tools = run(pwp.list_tools())
    assert {"act", "submit", "shell", "read_file"} <= {tool.name for tool in tools}
    for style in ("openai", "anthropic", "google", "openrouter"):
        assert len(run(pwp.list_tools(style))) == len(tools)


async def episode():
    async with pwp.session(task) as session:
        instruction, screen, picture = await session.get_prompt()
        assert isinstance(picture, ImageBlock) and picture.data.startswith("iVBOR")
        assert instruction.text == task.task_spec["instruction"] and "notes.txt" in screen.text
        assert len(await session.list_tools()) == len(tools)
        acted = await session.call_tool("act", {"actions": ["xdotool key ctrl+p"], "picture": "marks"})
        assert [type(block) for block in acted.blocks] == [TextBlock, ImageBlock]
        assert acted.reward is None and not acted.finished and acted.metadata["step"] == 1
        printed = await session.call_tool("shell", {"command": "printf 'a   b\\u3000c%.0s' $(seq 4000)"})
        assert "a   b\u3000c" * 4000 in printed.blocks[0].text
        for name, given in (("none", {}), ("act", {"acts": []}), ("read_file", {"path": 7})):
            try:
                await session.call_tool(name, given)
                raise AssertionError(name)
            except ToolCallError:
                pass
        assert (await session.call_tool("shell", {"command": SOLUTION, "timeoutMs": None})).reward is None
        graded = await session.call_tool("submit")
        assert graded.reward == 1 and graded.finished and graded.metadata["checks"]
        try:
            await session.call_tool("act", {"actions": ["xdotool key a"]})
            raise AssertionError("after the end")
        except ToolCallError as error:
            assert "over" in str(error)
        return session.sid


with check("an episode with tools, pictures, mistakes and a reward"):
    sid = run(episode())


async def lost():
    async with pwp.session(split=split, index=tasks.index(task)) as session:
        heard = asyncio.Event()

        async def listen(task_id=None, drop=False):
            return await resumable_sse(
                session.client,
                "/pwp/call",
                token=TOKEN,
                sid=session.sid,
                task_id=task_id,
                json={"name": "shell", "input": {"command": "sleep 2; echo x >> lines; wc -l < lines"}},
                on_event=lambda event, data: (ids.append(data), heard.set()) if event == "task_id" else None,
            )

        ids: list[str] = []
        first = asyncio.create_task(listen())
        await heard.wait()
        first.cancel()
        again = await listen(ids[0])
        once_more = await listen(ids[0])
        assert again == once_more and again["output"]["blocks"][0]["text"].rstrip().endswith("\n1"), again
        assert set(ids) == {ids[0]}


with check("an answer that was lost is sent again, and its call was done once"):
    run(lost())


async def ended():
    async with client.environments.get("pwp").client.post(
        "/ping", headers={"X-API-Key": TOKEN, "X-Session-ID": sid}
    ) as answer:
        return answer.status, await answer.json()


with check("a session that was deleted is gone"):
    status, text = run(ended())
    assert status == 410 and "deleted" in text["detail"], (status, text)


async def refused():
    stranger = AsyncORS(SERVER, api_key=TOKEN + "x")
    other = stranger.environment("pwp")
    try:
        await other.list_splits()
    except Exception as error:
        return type(error).__name__
    finally:
        await other.client.close()


with check("a wrong token is the client's own error of authentication"):
    assert run(refused()) == "AuthenticationError"


async def crowd():
    entered = []
    try:
        while True:
            session = pwp.session(task)
            await session.__aenter__()
            entered.append(session)
            if len(entered) > 20:
                raise AssertionError("no end")
    except Exception as error:
        return len(entered), str(error)
    finally:
        await asyncio.gather(*(session.__aexit__() for session in entered))


with check("a session too many is refused, with what to do"):
    count, text = run(crowd())
    assert 0 < count <= 20 and "429" in text and "episodes are open" in text, (count, text)

run(pwp.client.close())
