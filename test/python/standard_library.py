"""The package with the standard library alone."""

import asyncio
import sys

from checks import SOLUTION, TASK, check, folder_task

# Python itself may load more at its start: a virtual environment with setuptools does.
at_start = set(sys.modules)

import pwp_env  # noqa: E402

client = pwp_env.Client()

with check("nothing but the standard library is imported"):
    foreign = {name.split(".")[0] for name in set(sys.modules) - at_start} - set(sys.stdlib_module_names)
    assert foreign <= {"__mp_main__", "pwp_env"}, foreign

with check("tasks and tools are listed"):
    assert TASK in [task.id for task in client.tasks()]
    assert "shell" in [tool.name for tool in client.tools()]

with check("the solution gets 1, its state before it 0, and a checkpoint of that restores it"):
    with client.open(TASK) as episode:
        assert "text" in episode.instruction and episode.observation.picture is not None
        assert episode.grade().reward == 0
        before = episode.checkpoint()
        assert episode.call("shell", {"command": SOLUTION}).effect == "confirmed"
        assert episode.grade().reward == 1
        episode.restore(before)
        assert episode.grade().reward == 0

with check("programs run as the agent's user, with their input, folder, variables and time-out"):
    with client.open(TASK, picture="none") as episode:
        shown = episode.exec(["sh", "-c", "cat; echo $WORD; pwd; exit 3"], stdin="in ", env={"WORD": "out"}, cwd="..")
        assert (shown.exit_code, shown.stdout) == (3, "in out\n/\n"), shown
        assert episode.exec(["sleep", "60"], timeout=1).timed_out
        try:
            episode.exec(["no-such-program"])
            raise AssertionError("it ran")
        except pwp_env.PwpError as error:
            assert error.code == "exec-failed", error

with check("files are written and read in pieces, with the system's word for what is not possible"):
    with client.open(TASK, picture="none") as episode:
        content = bytes(range(256)) * 20_000
        episode.write_file("made/of/pieces", content)
        assert episode.read_file("made/of/pieces") == content
        assert episode.read_file("/proc/version").startswith(b"Linux")
        episode.write_file("empty", "")
        assert episode.read_file("empty") == b""
        codes = []
        for path, most in (("missing", 1), ("made", 1), ("made/of/pieces", 10)):
            try:
                episode.read_file(path, most=most)
            except pwp_env.PwpError as error:
                codes.append((error.code, error.message.split(":")[0]))
        assert codes[:2] == [("no-such-file", "ENOENT"), ("exec-failed", "EISDIR")] and codes[2][0] == "too-large", codes

with check("a folder without a task has no reward, and says why"):
    with client.open(folder_task([task.id for task in client.tasks()]), picture="none") as episode:
        assert episode.exec(["ls", "-A"]).stdout == ""
        grade = episode.grade()
        assert grade.reward is None and grade.why, grade

with check("an episode is taken up by its id, and is gone once it is closed"):
    with client.open(TASK, picture="none") as episode:
        episode.write_file("kept", "here")
        again = pwp_env.Client().episode(episode.id, picture="none")
        assert again.read_file("kept") == b"here" and again.observation.text
    try:
        client.episode(episode.id)
        raise AssertionError("it is still there")
    except pwp_env.PwpError as error:
        assert error.code == "no-such-episode", error


async def together() -> None:
    async with pwp_env.AsyncClient() as at_once:
        async with await at_once.open(TASK, picture="none") as first:
            await first.write_file("shared", "by all")
            forks = await first.fork(2)
            await asyncio.gather(*(one.write_file("own", one.id) for one in forks))
            own = await asyncio.gather(*(one.read_file("own") for one in forks))
            shared = await asyncio.gather(*(one.read_file("shared") for one in (first, *forks)))
            await asyncio.gather(*(one.close() for one in forks))
            assert own == [one.id.encode() for one in forks], own
            assert shared == [b"by all"] * 3, shared


with check("the asynchronous client works on forks at the same time"):
    asyncio.run(together())

with check("start runs a server of its own, and ends it"):
    node = ["node_modules/.bin/node", "dist/pwp.js"]
    with pwp_env.start(f"tasks/{TASK}", command=node) as own, own.open(picture="none") as episode:
        assert episode.step("xdotool key Escape").outcomes
        url = f"http://{own._host}:{own._port}"
    try:
        pwp_env.Client(url, "", timeout=5).health()
        raise AssertionError("it still answers")
    except pwp_env.PwpError as error:
        assert error.code == "connect-failed", error

with check("every episode is closed"):
    assert client.health()["episodes"] == 0, client.health()
