import {
  AgentFiles,
  Settings,
  backgroundImage,
  extensionInstalled,
  readCatalogue,
  readIdeFacts,
  report,
  stillThere,
} from '/opt/pwp/grade/checks.mjs';

const files = new AgentFiles();
const settings = await Settings.read(files);
await report([
  await extensionInstalled(files, await readCatalogue(), await readIdeFacts(), 'shalldie.background'),
  backgroundImage(settings, '/workspace/background.jpg'),
  await stillThere(files, '/workspace/background.jpg', 'file'),
]);
