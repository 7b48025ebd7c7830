import { AgentFiles, Settings, excluded, report, stillThere } from '/opt/pwp/grade/checks.mjs';

const files = new AgentFiles();
const hidden = ['server.log', 'upload.tmp', 'job/steps.log', 'job/out/part.tmp'];
const others = [
  'run.py',
  'job',
  'job/steps.py',
  'job/logbook.md',
  'job/out',
  'job/out/part.txt',
  'job/out/old.log.txt',
];
await report([
  excluded(await Settings.read(files), hidden, others),
  ...(await Promise.all(hidden.map((path) => stillThere(files, `/workspace/${path}`, 'file')))),
]);
