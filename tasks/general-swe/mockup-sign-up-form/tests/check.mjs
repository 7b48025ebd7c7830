import { readFile } from 'node:fs/promises';
import { AgentFiles, diagramMatches, report } from '/opt/pwp/grade/checks.mjs';

const expected = await readFile('/tests/expected.drawio', 'utf8');
const checks = await diagramMatches(new AgentFiles(), '/workspace/canvas.drawio', expected);
await report(checks);
