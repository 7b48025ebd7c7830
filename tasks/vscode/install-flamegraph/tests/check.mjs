import { AgentFiles, extensionInstalled, readCatalogue, report } from '/opt/pwp/grade/checks.mjs';

await report([
  await extensionInstalled(new AgentFiles(), await readCatalogue(), 'rafaelha.vscode-flamegraph'),
]);
