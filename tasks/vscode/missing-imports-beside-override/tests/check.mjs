import { readFile } from 'node:fs/promises';
import { AgentFiles, Settings, bytesEqual, pythonSeverities, report } from '/opt/pwp/grade/checks.mjs';

const files = new AgentFiles();
const settings = await Settings.read(files);
await report([
  ...pythonSeverities(settings, {
    silent: ['reportMissingImports'],
    kept: { reportUnusedVariable: 'error' },
  }),
  await bytesEqual(files, '/workspace/report.py', await readFile('/tests/report.py')),
]);
