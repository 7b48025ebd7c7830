import { readFile } from 'node:fs/promises';
import { AgentFiles, answerNumber, report } from '/opt/pwp/grade/checks.mjs';

const { share } = JSON.parse(await readFile('/tests/expected.json', 'utf8'));
await report([await answerNumber(new AgentFiles(), '/workspace/answer.txt', share, 0.02)]);
