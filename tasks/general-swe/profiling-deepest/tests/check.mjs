import { readFile } from 'node:fs/promises';
import { AgentFiles, answerNamesAndCounts, report } from '/opt/pwp/grade/checks.mjs';

const { answer, depth } = JSON.parse(await readFile('/tests/expected.json', 'utf8'));
await report([await answerNamesAndCounts(new AgentFiles(), '/workspace/answer.txt', answer, depth)]);
