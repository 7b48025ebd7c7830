import { readFileSync } from 'node:fs';
import { AgentFiles, bytesEqual, report } from '/opt/pwp/grade/checks.mjs';

await report([
  await bytesEqual(new AgentFiles(), '/workspace/report.py', readFileSync('/tests/expected.py')),
]);
