"""Harbor's own agents in our sandbox, scored by our grader, by Harbor's command line."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from checks import TASK, check

import pwp_env

os.environ["HARBOR_TELEMETRY"] = "0"


def run(agent: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as jobs:
        argv = [
            *(pathlib.Path(sys.executable).with_name("harbor"), "run", "--yes"),
            *("-p", f"tasks/{TASK}", "-a", agent, "-o", jobs),
            *("--environment-import-path", "pwp_env.harbor:PwpEnvironment"),
            *("--verifier-import-path", "pwp_env.harbor:PwpVerifier"),
        ]
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        [file] = [one for one in pathlib.Path(jobs).glob("*/*/result.json")] or [None]
        assert file is not None, done.stdout[-4000:]
        result = json.loads(file.read_text())
        assert result["exception_info"] is None, result["exception_info"]
        rewards: dict[str, float] = result["verifier_result"]["rewards"]
        return rewards


with check("the oracle, which uploads the solution and runs it, gets 1"):
    assert run("oracle") == {"reward": 1}

with check("an agent that does nothing gets 0"):
    assert run("nop") == {"reward": 0}

with check("every episode is closed"):
    assert pwp_env.Client().health()["episodes"] == 0
