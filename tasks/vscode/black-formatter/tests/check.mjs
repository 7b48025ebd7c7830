import {
  AgentFiles,
  Settings,
  extensionInstalled,
  readCatalogue,
  readIdeFacts,
  report,
  settingOnlyFor,
} from '/opt/pwp/grade/checks.mjs';

const files = new AgentFiles();
const settings = await Settings.read(files);
await report([
  await extensionInstalled(files, await readCatalogue(), await readIdeFacts(), 'ms-python.black-formatter'),
  ...settingOnlyFor(settings, 'editor.defaultFormatter', 'ms-python.black-formatter', ['python']),
]);
