"""OpenReward's client: the names that it leaves out, its errors, and a reward."""

import os

os.environ["OPENREWARD_SESSION_URL"] = os.environ["OPENREWARD_API_URL"] = os.environ["PWP_SERVER"]
os.environ["OPENREWARD_API_KEY"] = os.environ["PWP_TOKEN"]

from checks import SOLUTION, TASK, check  # noqa: E402
from openreward import OpenReward  # noqa: E402
from openreward.api.errors import SessionTerminatedError, ToolCallError  # noqa: E402

client = OpenReward()
for name, variant in (("any", None), ("pwp", "pwp")):
    pwp = client.environments.get(name, variant=variant)
    tasks = pwp.list_tasks("train")
    [task] = [one for one in tasks if one.task_spec["id"] == TASK]

    with check(f"an episode, where the environment is {variant}"):
        assert pwp.list_splits() == ["train"] and pwp.num_tasks("train") == len(tasks)
        assert pwp.get_task("train", -1) == tasks[-1] and pwp.get_task_range("train", 0, 1) == tasks[:1]
        tools = {tool.name for tool in pwp.list_tools()}
        with pwp.session(task) as session:
            assert {tool.name for tool in session.list_tools()} == tools and "submit" in tools
            assert [block.type for block in session.get_prompt()] == ["text", "text", "image"]
            assert session.get_messages()[0].role == "user"
            acted = session.call_tool("act", {"actions": ["xdotool key Escape"]})
            assert [block.type for block in acted.blocks] == ["text", "image"] and acted.reward is None
            for name, given, reason in (("none", {}, "not_found"), ("act", {}, "input_validation")):
                try:
                    session.call_tool(name, given)
                    raise AssertionError(name)
                except ToolCallError as error:
                    assert error.reason == reason, error
            session.call_tool("shell", {"command": SOLUTION})
            graded = session.call_tool("submit")
            assert graded.reward == 1 and graded.finished
            try:
                session.call_tool("submit")
                raise AssertionError("after the end")
            except ToolCallError as error:
                assert error.reason == "episode_finished", error

with check("a session whose episode is gone is over for the client"):
    with pwp.session(task) as session:
        session.get_prompt()
        client.environments._run(session._async._pre_delete())
        try:
            session.call_tool("act", {"actions": ["xdotool key Escape"]})
            raise AssertionError("deleted")
        except SessionTerminatedError as error:
            assert "410" in str(error), error

client.close()
