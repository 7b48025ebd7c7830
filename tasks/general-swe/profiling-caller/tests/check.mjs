import { readFile } from 'node:fs/promises';
import { AgentFiles, answerNames, report } from '/opt/pwp/grade/checks.mjs';

const { answer } = JSON.parse(await readFile('/tests/expected.json', 'utf8'));
await report([await answerNames(new AgentFiles(), '/workspace/answer.txt', answer)]);
