import { readFileSync } from 'node:fs';
import { AgentFiles, report, samePython } from '/opt/pwp/grade/checks.mjs';

const expected = readFileSync('/tests/expected.py', 'utf8');
await report([await samePython(new AgentFiles(), '/workspace/ledger.py', expected)]);
