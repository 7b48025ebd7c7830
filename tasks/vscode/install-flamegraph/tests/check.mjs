import {
  AgentFiles,
  extensionInstalled,
  readCatalogue,
  readIdeFacts,
  report,
} from '/opt/pwp/grade/checks.mjs';

await report([
  await extensionInstalled(
    new AgentFiles(),
    await readCatalogue(),
    await readIdeFacts(),
    'rafaelha.vscode-flamegraph',
  ),
]);
