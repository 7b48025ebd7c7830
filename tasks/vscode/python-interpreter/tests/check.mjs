import { AgentFiles, pythonInterpreter, report } from '/opt/pwp/grade/checks.mjs';

await report([await pythonInterpreter(new AgentFiles(), '/workspace/venv/bin/python')]);
